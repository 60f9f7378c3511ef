//! Typed searches: each kind of options determines the type of its report.
//!
//! The options of a search are the question, and each kind of options has its own report: a caller
//! who asks for a simulation gets the report of a simulation. [`Analysis`] is for callers who choose
//! the kind at run time; its report is the enum [`Report`].

use crate::search::analysis::{Analysis, EndgameOptions, InferenceOptions, PreEndgameOptions, SimulationOptions, StaticOptions};
use crate::search::endgame::Solution;
use crate::search::inference::belief::Belief;
use crate::search::report::{Outcome, PreEndgameReport, Report, SimulationReport, StaticReport};
use std::sync::Arc;

/// A question that a search answers. The options of the searches are such questions, and so is [`Analysis`].
pub trait Search {
    /// What the search reports.
    type Report;

    /// Returns the question as a value of one type for all kinds.
    fn analysis(self) -> Analysis;

    /// Returns a report of the search's own kind; `None` for one of another kind, which is how a search with a single
    /// possible play answers: by a static ranking.
    fn report(report: Report) -> Option<Self::Report>;
}

/// One question a line: its options, its kind, its report.
macro_rules! searches {
    ($($options:ty, $kind:ident, $report:ty;)*) => {$(
        impl Search for $options {
            type Report = $report;

            fn analysis(self) -> Analysis {
                Analysis::$kind(self)
            }

            fn report(report: Report) -> Option<$report> {
                match report {
                    Report::$kind(report) => Some(report),
                    _ => None,
                }
            }
        }
    )*};
}

searches! {
    StaticOptions, Static, StaticReport;
    SimulationOptions, Simulation, SimulationReport;
    PreEndgameOptions, PreEndgame, PreEndgameReport;
    EndgameOptions, Endgame, Solution;
    InferenceOptions, Inference, Arc<Belief>;
}

impl Search for Analysis {
    type Report = Report;

    fn analysis(self) -> Analysis {
        self
    }

    fn report(report: Report) -> Option<Report> {
        Some(report)
    }
}

impl Outcome {
    /// Returns the outcome with the last report as one of this search, if it is one.
    pub fn of<S: Search>(self) -> Outcome<S::Report> {
        Outcome { best: self.best, last: self.last.and_then(S::report), solved: self.solved }
    }
}
