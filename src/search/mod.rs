//! Searches: what to play, given a position, what is asked of it, and signals.
//!
//! | file | what it holds |
//! |---|---|
//! | `limits.rs` | the greatest values that searches, options and flags take |
//! | `budget.rs`, `analysis.rs` | what a search is given: signals, options |
//! | `phase.rs` | the phases of a game, and which search each gets |
//! | `randomness.rs`, `bag.rs`, `dealt_game.rs` | chance: random numbers, bags, games whose tiles are dealt |
//! | `threads.rs` | as many threads as can be had |
//! | `endgame/` | an empty bag |
//! | `context.rs` | all that a search is given: words and tables, position, settings, the memory of earlier searches |
//! | `report.rs` | what a search tells |
//! | `candidates.rs` | which plays a search looks at |
//! | `inference/` | what the opponent's turns say about their rack |
//! | `race/` | candidates played out on the same deals, and the worse ones dropped |
//! | `simulation/` | candidates played out against racks of the opponent |
//! | `pre_endgame/` | one to four tiles in the bag |
//! | `board_life.rs` | whether any rack at all has a play |
//! | `misere/` | all that only the game played to lose needs |
//! | `request.rs` | a position and an analysis that go together |
//! | `run.rs` | the function that carries a request out |
//!
//! Not here: lines of any protocol, files, clocks. Start with [`SearchRequest`] and `run.rs`.

pub mod limits;
pub mod budget;
pub mod analysis;
pub mod inference;
pub mod phase;
pub(crate) mod randomness;
pub(crate) mod threads;
pub(crate) mod bag;
pub(crate) mod dealt_game;
pub(crate) mod endgame;
pub mod context;
pub mod report;
pub(crate) mod candidates;
pub(crate) mod race;
pub(crate) mod simulation;
pub(crate) mod pre_endgame;
pub(crate) mod board_life;
pub(crate) mod misere;
pub mod request;
mod typed;
pub(crate) mod run;

#[cfg(test)]
mod tests;

pub use analysis::{
    Allocation, Analysis, EndgameOptions, InferenceOptions, MOST_EQUITY_WEIGHT, MOST_PLIES, MOST_RACKS, OpponentTiles, PlaySelection,
    PreEndgameOptions, SearchKind, SimulationOptions, StaticOptions,
};
pub use board_life::{AnyRackPlay, BoardLife};
pub use budget::{Signals, StopCondition};
pub use context::{MOST_THREADS, RunSettings, SearchMemory};
pub use endgame::{Bound, NoMemory, Solution};
pub use inference::{Belief, BeliefScope, InferredLeave, ObservedTurn, OpponentModel};
pub use report::{PlyStats, PreEndgameBasis, PreEndgameClaim, PreEndgameRow, RankedPlay, SimulationRow};

pub(crate) use context::Knowledge;
pub use report::{Listener, LoggedPly, LoggedSample, Outcome, PreEndgameReport, Report, SimulationReport, StaticReport};
pub use request::{RequestError, SearchPosition, SearchRequest};
pub(crate) use run::{run, run_in};
pub use typed::Search;
