//! Whole games: what each turn lost, luck and skill; the report as text, JSON, GCG with notes, and HTML.
//!
//! | file | what it holds |
//! |---|---|
//! | `report.rs` | the report as values, which are the JSON schema, too |
//! | `mistakes.rs` | how large a mistake is |
//! | `known_racks.rs` | which racks are known |
//! | `position_list.rs` | reading lists of positions |
//! | `draws.rs` | the luck of the draws |
//! | `duel.rs` | two plays simulated with the same random numbers |
//! | `judge.rs`, `labels.rs` | a turn judged; remarks on it |
//! | `totals.rs`, `analyst.rs` | sums; a whole game |
//! | `course.rs`, `record.rs` | what goes beside an analysis; its journal |
//! | `text.rs`, `annotated.rs` | the report as text; the record with notes |
//! | `html/` | the report as a page (cargo feature `web`) |
//!
//! Not here: reading games (`formats/gcg`), files and the clock's time (`cli/analyse/`). Start with [`GameAnalyst::analyse`].
//!
//! ```
//! use tilewright::analysis::{GameAnalyst, ReportHeading, JudgeBudget};
//! use tilewright::engine::Engine;
//! use tilewright::formats::gcg;
//! use tilewright::search::{OpponentModel, Signals};
//!
//! let engine = Engine::builtin();
//! let text = ">Ann: AEINRST 8D NASTIER +66 66\n>Ben: ACEIRTV - +0 0\n";
//! let game = gcg::read(text, engine.rules())?;
//! let given_up = Signals::default();
//! let analyst = GameAnalyst { engine: &engine, opponent: OpponentModel::Uniform, seed: 1, given_up: &given_up };
//! let mut budget = JudgeBudget::of_iterations(40);
//! let report = analyst.analyse(&game, &ReportHeading::default(), &mut budget).expect("nobody gives up");
//! let pass = report.turns[1].verdict.as_ref().expect("the rack is known");
//! assert!(pass.loss.win > 0.1 && pass.loss.is_real());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod report;
pub mod mistakes;
pub(crate) mod known_racks;
pub mod position_list;
pub(crate) mod draws;
pub(crate) mod duel;
pub mod judge;
pub(crate) mod labels;
pub mod totals;
pub mod course;
pub mod analyst;
pub mod record;
pub mod text;
pub mod annotated;
#[cfg(feature = "web")]
pub mod html;

#[cfg(test)]
mod tests;

pub use analyst::{GameAnalyst, ReportHeading};
pub use judge::JudgeBudget;
pub use report::GameReport;
