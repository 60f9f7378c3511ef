//! A search on a thread of its own, as an iterator over its rankings.

use crate::search::report::{Outcome, Report};
use crate::search::{self, Analysis, Knowledge, Search, SearchMemory, SearchRequest, Signals};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;
use thiserror::Error;

/// Ends a search from another thread. Clones end the same search.
#[derive(Clone, Debug)]
pub struct StopHandle {
    signals: Arc<Signals>,
}

impl StopHandle {
    /// Ends the search as soon as possible; its last ranking is still returned.
    pub fn stop(&self) {
        self.signals.stop();
    }

    /// Ends the search after this time, unless the deadline is dropped earlier.
    #[must_use = "a deadline that is dropped stops nothing"]
    pub fn stop_after(&self, time: Duration) -> Deadline {
        let (pending, dropped) = mpsc::channel::<()>();
        let handle = self.clone();
        std::thread::spawn(move || {
            if dropped.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                handle.stop();
            }
        });
        Deadline { _pending: pending }
    }
}

/// The time limit of a search ([`StopHandle::stop_after`]). Searches read no clock; a separate thread does. Dropping
/// the deadline cancels it.
#[derive(Debug)]
pub struct Deadline {
    _pending: Sender<()>,
}

/// No ranking has come in a given time, and the search goes on ([`Rankings::next_within`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("no ranking has come yet")]
pub struct StillSearching;

/// The rankings of a running search. Each [`next`](Iterator::next) asks for a ranking and waits for it, so the caller
/// sets the pace. The last ranking is the one at the end of the search, whatever ended it. After that the iterator is
/// exhausted. A search that panicked, which is a bug, also panics here.
///
/// Dropping it stops the search.
#[derive(Debug)]
pub struct Rankings<S = Analysis> {
    signals: Arc<Signals>,
    reports: Receiver<Report>,
    /// The search's thread, until its outcome is asked for.
    search: Option<JoinHandle<Outcome>>,
    /// The outcome, once it is known.
    outcome: Option<Outcome>,
    deadline: Option<Deadline>,
    /// Whether a ranking was asked for and has not come yet.
    is_asked: bool,
    /// The kind of the search.
    kind: PhantomData<fn() -> S>,
}

impl<S: Search> Rankings<S> {
    pub(super) fn start(knowledge: Knowledge, memory: Arc<SearchMemory>, request: SearchRequest) -> Rankings<S> {
        let signals = Arc::new(Signals::default());
        let (sender, reports) = mpsc::channel();
        let search = std::thread::spawn({
            let signals = Arc::clone(&signals);
            move || {
                // A receiver that is gone has stopped the search already.
                search::run_in(&memory, &knowledge, &request, &signals, &mut |report: Report| drop(sender.send(report)))
            }
        });
        Rankings { signals, reports, search: Some(search), outcome: None, deadline: None, is_asked: false, kind: PhantomData }
    }

    /// A handle that ends the search.
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle { signals: Arc::clone(&self.signals) }
    }

    /// Returns the same rankings, which end after this time.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tilewright::prelude::*;
    ///
    /// let engine = Engine::builtin();
    /// let position = engine.position("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0")?;
    /// let rankings = engine.search(&position, SimulationOptions::default())?;
    /// let outcome = rankings.stop_after(Duration::from_millis(50)).outcome();
    /// assert!(outcome.best.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stop_after(mut self, time: Duration) -> Rankings<S> {
        self.deadline = Some(self.stop_handle().stop_after(time));
        self
    }

    /// Like [`next`](Iterator::next), but waits no longer than this, for callers with other things to do, such as
    /// handling an interrupt from the keyboard. The ranking may still come with the next call.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tilewright::prelude::*;
    ///
    /// let engine = Engine::builtin();
    /// let position = engine.position("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0")?;
    /// let mut rankings = engine.search(&position, SimulationOptions::default())?;
    /// let first = loop {
    ///     match rankings.next_within(Duration::from_millis(10)) {
    ///         Ok(ranking) => break ranking,
    ///         Err(StillSearching) => println!("..."),
    ///     }
    /// };
    /// assert!(first.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If no ranking has come yet, and the search goes on.
    ///
    /// # Panics
    /// If the search panicked, which is a bug.
    pub fn next_within(&mut self, time: Duration) -> Result<Option<S::Report>, StillSearching> {
        if !self.is_asked {
            // A ranking that came without being asked for is older.
            while self.reports.try_recv().is_ok() {}
        }
        loop {
            self.signals.ask_report();
            self.is_asked = true;
            match self.reports.recv_timeout(time) {
                Err(RecvTimeoutError::Timeout) => return Err(StillSearching),
                Err(RecvTimeoutError::Disconnected) => break,
                Ok(report) => {
                    if let Some(report) = S::report(report) {
                        self.is_asked = false;
                        return Ok(Some(report));
                    }
                }
            }
        }
        // The search has ended: its last ranking is returned once.
        if self.search.is_none() {
            return Ok(None);
        }
        Ok(self.wait().last.clone().and_then(S::report))
    }

    /// Whether the search has ended by itself or was stopped. Its last ranking may still be asked for.
    pub fn is_finished(&self) -> bool {
        self.search.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the end of the search, for callers who want only the final ranking. Without a limit, a deadline or a
    /// stop, it does not return.
    ///
    /// # Panics
    /// If the search panicked, which is a bug.
    pub fn outcome(mut self) -> Outcome<S::Report> {
        self.wait().clone().of::<S>()
    }
}

impl<S> Rankings<S> {
    fn wait(&mut self) -> &Outcome {
        if let Some(search) = self.search.take() {
            let ended = search.join();
            self.outcome = Some(ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        self.outcome.as_ref().expect("a search that was waited for has an outcome")
    }
}

impl<S: Search> Iterator for Rankings<S> {
    type Item = S::Report;

    fn next(&mut self) -> Option<S::Report> {
        loop {
            if let Ok(ranking) = self.next_within(Duration::from_secs(3600)) {
                return ranking;
            }
        }
    }
}

impl<S> Drop for Rankings<S> {
    fn drop(&mut self) {
        self.signals.stop();
        if let Some(search) = self.search.take() {
            // The outcome of a search whose rankings are dropped is of no interest.
            drop(search.join());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::SimulationReport;

    #[test]
    fn a_ranking_is_one_that_was_made_after_it_was_asked_for() {
        let ranking = |nodes| Report::Simulation(SimulationReport { rows: Vec::new(), plies: 2, nodes });
        let signals = Arc::new(Signals::default());
        let (sender, reports) = mpsc::channel();
        sender.send(ranking(1)).unwrap();
        let search = std::thread::spawn({
            let signals = Arc::clone(&signals);
            move || {
                while !signals.is_stopped() {
                    if signals.take_report() {
                        sender.send(ranking(2)).unwrap();
                    }
                }
                Outcome { best: None, last: Some(ranking(3)), solved: false }
            }
        });
        let mut rankings: Rankings =
            Rankings { signals, reports, search: Some(search), outcome: None, deadline: None, is_asked: false, kind: PhantomData };
        assert_eq!(rankings.next(), Some(ranking(2)));
        rankings.stop_handle().stop();
        assert_eq!(rankings.by_ref().last(), Some(ranking(3)));
        assert_eq!(rankings.next(), None);
    }

    #[test]
    fn a_deadline_stops_once_and_not_if_it_is_dropped() {
        let handle = StopHandle { signals: Arc::default() };
        drop(handle.stop_after(Duration::from_millis(1)));
        std::thread::sleep(Duration::from_millis(20));
        assert!(!handle.signals.is_stopped());
        let _deadline = handle.stop_after(Duration::from_millis(1));
        while !handle.signals.is_stopped() {
            std::thread::yield_now();
        }
    }
}
