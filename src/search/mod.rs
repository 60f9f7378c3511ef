//! The searches. Given a position, options and signals, they find the best play.
//!
//! Not here: protocols, files and clocks. Start with [`SearchRequest`] and `run.rs`.
//!
//! Each search is a folder. Its files, as far as it needs them, are named and read as follows:
//!
//! | file | contents |
//! |---|---|
//! | `types` | options, results, and other types |
//! | `context` | what is fixed during the search |
//! | `worker` | a thread: its memory and its part of the work |
//! | `search_loop` | the search as a whole, and how it ends |
//! | `tests` | tests of the whole search |

pub(crate) mod limits;
pub mod budget;
pub mod analysis;
pub(crate) mod inference;
pub(crate) mod phase;
pub(crate) mod chances;
pub(crate) mod randomness;
pub(crate) mod threads;
pub(crate) mod bag;
pub(crate) mod dealt_game;
pub(crate) mod endgame;
pub(crate) mod context;
pub mod report;
pub(crate) mod candidates;
pub(crate) mod race;
pub(crate) mod simulation;
pub(crate) mod pre_endgame;
pub(crate) mod board_life;
pub(crate) mod misere;
pub mod comparison;
pub mod request;
pub(crate) mod replies;
pub(crate) mod challenge;
pub(crate) mod run;

#[cfg(test)]
mod tests;

pub use crate::evaluation::static_eval::EvaluatedPlay;
pub use analysis::{
    Allocation, Analysis, EndgameOptions, InferenceOptions, MOST_EQUITY_WEIGHT, MOST_PLIES, MOST_RACKS, OpponentTiles, PlaySelection,
    PreEndgameOptions, RepliesOptions, SearchKind, SimulationOptions, StaticOptions,
};
pub use board_life::{AnyRackPlay, BoardLife};
pub use budget::{Signals, StopCondition};
pub use comparison::{Comparison, ComparisonError, ComparisonTerm, Difference, SampledComparison, Shares};
pub use context::{RunSettings, SearchMemory};
pub use endgame::{Bound, NoMemory, Solution};
pub use inference::{Belief, BeliefScope, InferredLeave, ObservedTurn, OpponentModel};
pub use limits::MOST_WORKERS;
pub use report::{PlyStats, PreEndgameBasis, PreEndgameClaim, PreEndgameRow, SimulationRow};

pub(crate) use context::Knowledge;
pub use report::{
    Listener, LoggedPly, LoggedSample, Outcome, PreEndgameReport, RackMean, RepliesReport, ReplyRow, Report, Search, SimulationReport,
    StaticReport,
};
pub use request::{RequestError, SearchPosition, SearchRequest};
pub(crate) use run::{run, run_in};
