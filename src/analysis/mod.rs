//! Analyses whole games: the loss of each turn, luck and skill, as text, JSON, GCG with notes,
//! and HTML.
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
pub(crate) mod mistakes;
pub(crate) mod known_racks;
pub(crate) mod position_list;
pub(crate) mod draws;
pub(crate) mod duel;
pub(crate) mod judge;
pub(crate) mod totals;
pub(crate) mod analyst;
pub(crate) mod record;
pub mod text;
pub mod annotated;
pub(crate) mod csv_tables;
#[cfg(feature = "web")]
pub mod html;

#[cfg(test)]
mod tests;

pub use analyst::{AnalysisCourse, GameAnalyst, ReportHeading};
pub use judge::JudgeBudget;
pub use report::GameReport;
