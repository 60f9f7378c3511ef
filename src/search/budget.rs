//! Limits and signals that end a search, and the certainty at which a simulation ends by itself.
//! Counted limits are options of each kind of search (`analysis.rs`).
//!
//! A search reads no clock. Its callers with a clock (`protocol/server`, `match_play/clocks.rs`) raise [`Signals`] when time is
//! up or a report is due. `players/clock.rs` decides how much of a clock one turn may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Flags that another thread raises while a search runs.
#[derive(Debug, Default)]
pub struct Signals {
    stop: Arc<AtomicBool>,
    report: AtomicBool,
}

impl Signals {
    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search is to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns signals for a search within this one. It stops when this search is stopped, and leaves requests for reports to it.
    pub(crate) fn child(&self) -> Signals {
        Signals { stop: Arc::clone(&self.stop), report: AtomicBool::default() }
    }

    /// Asks for a report at the next good moment.
    pub fn ask_report(&self) {
        self.report.store(true, Ordering::Relaxed);
    }

    /// Whether a report was asked for since the last call.
    pub fn take_report(&self) -> bool {
        self.report.load(Ordering::Relaxed) && self.report.swap(false, Ordering::Relaxed)
    }
}

/// How sure a simulation must be of its leader to end by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopCondition {
    /// 95 %.
    Percent95,
    /// 98 %.
    Percent98,
    /// 99 %.
    Percent99,
}

impl StopCondition {
    /// Returns the chance of a wrong leader that is accepted.
    pub fn delta(self) -> f64 {
        match self {
            StopCondition::Percent95 => 0.05,
            StopCondition::Percent98 => 0.02,
            StopCondition::Percent99 => 0.01,
        }
    }
}
