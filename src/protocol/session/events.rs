//! What a session hears from outside ([`SessionEvent`]) and what it wants done there ([`SessionAction`]).

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::engine::Engine;
use crate::protocol::command::Dialect;
use crate::protocol::reply::SessionReply;
use crate::protocol::resources::{BenchError, LoadedResource, ResourceRequest, SharedWriter};
use crate::search::SearchRequest;
use crate::search::report::{Outcome, Report};

/// Something that happened outside.
pub enum SessionEvent {
    /// A line came in.
    Line(String),
    /// A line came in that is longer than this many bytes; it was dropped.
    LineTooLong(usize),
    /// No more lines will come.
    EndOfInput,
    /// What came of [`SessionAction::Load`].
    Loaded(LoadedResource),
    /// The search tells how far it has come.
    Report {
        /// The ranking.
        report: Report,
        /// Time since its start, ms.
        elapsed_ms: u64,
    },
    /// The search has ended.
    Finished {
        /// Its result.
        outcome: Outcome,
        /// Time since its start, ms.
        elapsed_ms: u64,
    },
    /// The samples of the search can no longer be written, for this reason.
    SampleLogLost(String),
    /// The bench says a line.
    BenchLine(String),
    /// The bench has ended.
    BenchDone(Result<(), BenchError>),
}

/// Something to do outside.
pub enum SessionAction {
    /// Print a reply in a dialect.
    Print(SessionReply, Dialect),
    /// Get a resource; the answer is [`SessionEvent::Loaded`].
    Load {
        /// What to get.
        request: ResourceRequest,
        /// The option `DataPath`.
        data_path: String,
    },
    /// Search; the answers are [`SessionEvent::Report`]s and one [`SessionEvent::Finished`].
    StartSearch(Box<SearchOrder>),
    /// End the search as soon as possible.
    StopSearch,
    /// End the bench as soon as possible.
    StopBench,
    /// Measure the engine; the answers are [`SessionEvent::BenchLine`]s and one [`SessionEvent::BenchDone`].
    RunBench(Vec<String>),
    /// End the program after this many ms at the latest; [`SessionAction::Quit`] may come before.
    QuitWithin(u64),
    /// End the program.
    Quit,
}

/// A search to start.
pub struct SearchOrder {
    /// Who answers.
    pub engine: Engine,
    /// The question.
    pub request: SearchRequest,
    /// When to stop it, ms after its start.
    pub movetime_ms: Option<u64>,
    /// How often to ask for a report, ms.
    pub info_ms: u64,
    /// Where samples go.
    pub sample_log: Option<SharedWriter>,
}
