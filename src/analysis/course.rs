//! The settings of a running analysis: time for each turn, turns judged before, and a listener.
//!
//! Clocks and files are in implementations of this trait (`cli/analyse/`).
//! A [`JudgeBudget`] is the simplest course: it gives each turn the same.

use crate::analysis::judge::JudgeBudget;
use crate::analysis::report::TurnReport;

/// The course of an analysis.
pub trait AnalysisCourse {
    /// What the turn that is judged next may take.
    fn budget(&mut self) -> JudgeBudget;

    /// A turn (by its index) that was judged before.
    fn judged_before(&mut self, turn: usize) -> Option<TurnReport> {
        let _ = turn;
        None
    }

    /// A turn is done.
    fn done(&mut self, turn: usize, report: &TurnReport) {
        let _ = (turn, report);
    }
}

impl AnalysisCourse for JudgeBudget {
    fn budget(&mut self) -> JudgeBudget {
        *self
    }
}
