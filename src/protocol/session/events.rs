//! A session's input ([`SessionEvent`]) and the actions that it requests ([`SessionAction`]).

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::engine::Engine;
use crate::players::PlayerTurn;
use crate::protocol::command::Dialect;
use crate::protocol::reply::SessionReply;
use crate::protocol::resources::{BenchError, LoadedResource, ResourceRequest, SharedWriter};
use crate::rules::Position;
use crate::search::report::{Listener, Outcome, Report};
use crate::search::{SearchRequest, Signals, StaticReport};

/// Something that happened outside.
pub enum SessionEvent {
    /// A line came in.
    Line(String),
    /// A line came in that is longer than this many bytes; it was dropped.
    LineTooLong(usize),
    /// The person at the terminal wants to interrupt the work under way.
    Interrupted,
    /// No more lines will come.
    EndOfInput,
    /// There is room for answers again: lines that were [held](crate::protocol::session::Session::has_held_lines) can be
    /// carried out.
    Room,
    /// The result of [`SessionAction::Load`].
    Loaded(LoadedResource),
    /// The search reports its progress.
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
    /// The program's log cannot be written to, for this reason, or can be written to again.
    LogTrouble(Option<String>),
    /// A line of the bench.
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
    /// End the load as soon as possible; its answer is still to come.
    StopLoad,
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

/// Work for the engine.
#[derive(Debug)]
pub enum OrderedWork {
    /// A search.
    Search(SearchRequest),
    /// The turn of a player that uses the engine's words and tables.
    Turn(PlayerTurn),
}

/// A search to start, or a player to ask.
pub struct SearchOrder {
    /// The player or search that answers.
    pub engine: Engine,
    /// The question.
    pub work: OrderedWork,
    /// When to stop it, ms after its start.
    pub movetime_ms: Option<u64>,
    /// How often to ask for a report, ms.
    pub info_ms: u64,
    /// Where samples go.
    pub sample_log: Option<SharedWriter>,
}

impl SearchOrder {
    /// Returns the position that is asked about.
    pub fn position(&self) -> &Position {
        match &self.work {
            OrderedWork::Search(request) => request.position(),
            OrderedWork::Turn(turn) => turn.position(),
        }
    }

    /// Carries out the work on the calling thread. A player reports only its play. A request in another alphabet than the engine's, which
    /// no session orders, ends without a play.
    pub fn run(&self, signals: &Signals, listener: &mut dyn Listener) -> Outcome {
        match &self.work {
            OrderedWork::Search(request) => {
                let outcome = self.engine.run(request, signals, listener);
                outcome.unwrap_or(Outcome { best: None, last: None, solved: false })
            }
            OrderedWork::Turn(turn) => {
                let row = turn.take(self.engine.knowledge(), signals);
                Outcome { best: Some(row.play), last: Some(Report::Static(StaticReport { rows: vec![row] })), solved: true }
            }
        }
    }
}
