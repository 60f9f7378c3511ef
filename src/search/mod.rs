//! Searches: find the best play, given a position, options and signals.
//!
//! Not here: lines of any protocol, files, clocks. Start with [`SearchRequest`] and `run.rs`.

pub(crate) mod limits;
pub mod budget;
pub mod analysis;
pub(crate) mod inference;
pub(crate) mod phase;
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
pub use context::{RunSettings, SearchMemory};
pub use endgame::{Bound, NoMemory, Solution};
pub use inference::{Belief, BeliefScope, InferredLeave, ObservedTurn, OpponentModel};
pub use limits::MOST_WORKERS;
pub use report::{PlyStats, PreEndgameBasis, PreEndgameClaim, PreEndgameRow, RankedPlay, SimulationRow};

pub(crate) use context::Knowledge;
pub use report::{Listener, LoggedPly, LoggedSample, Outcome, PreEndgameReport, Report, SimulationReport, StaticReport};
pub use request::{RequestError, SearchPosition, SearchRequest};
pub(crate) use run::{run, run_in};
pub use typed::Search;
