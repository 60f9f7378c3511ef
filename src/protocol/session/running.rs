//! A session's state of the search under way. Its start and its answers are in `session/search.rs`.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::rules::Position;
use crate::search::report::Outcome;

/// The search under way.
pub(super) struct RunningSearch {
    /// Its position, for the texts of plays.
    pub(super) position: Position,
    /// Rows of a ranking that are shown.
    pub(super) rows: usize,
    /// Whether only `stop` ends it.
    pub(super) is_infinite: bool,
    /// Whether it was told to stop.
    pub(super) stage: SearchStage,
    /// The result of a search that has ended but waits for `stop`, with its time in ms.
    pub(super) held: Option<(Outcome, u64)>,
}

/// Whether a search was told to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchStage {
    /// It runs, or has ended and waits for `stop`.
    Running,
    /// It was told to stop.
    Stopping,
}
