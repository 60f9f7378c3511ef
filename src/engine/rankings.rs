//! A search on a thread of its own, as an iterator of its rankings.

use crate::search::report::{Outcome, Report};
use crate::search::{self, Knowledge, SearchMemory, SearchRequest, Signals};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread::JoinHandle;

/// Ends a search from elsewhere. Clones end the same one.
#[derive(Clone, Debug)]
pub struct StopHandle {
    signals: Arc<Signals>,
}

impl StopHandle {
    /// Ends the search as soon as possible; its last ranking still comes.
    pub fn stop(&self) {
        self.signals.stop();
    }
}

/// The rankings of a search under way. Each [`next`](Iterator::next) asks for a ranking and waits for it, so the caller sets the
/// pace. The last ranking is the one at the end of the search, whatever ended it. After that the iterator is exhausted. A search that panicked, which is a
/// bug, panics here, too.
///
/// Dropping it stops the search.
#[derive(Debug)]
pub struct Rankings {
    signals: Arc<Signals>,
    reports: Receiver<Report>,
    /// The search's thread, until its outcome is asked for.
    search: Option<JoinHandle<Outcome>>,
    /// The outcome, once it is known.
    outcome: Option<Outcome>,
}

impl Rankings {
    pub(super) fn start(knowledge: Knowledge, memory: Arc<SearchMemory>, request: SearchRequest) -> Rankings {
        let signals = Arc::new(Signals::default());
        let (sender, reports) = mpsc::channel();
        let search = std::thread::spawn({
            let signals = Arc::clone(&signals);
            move || {
                // A receiver that is gone has stopped the search already.
                search::run_in(&memory, &knowledge, &request, &signals, &mut |report: Report| drop(sender.send(report)))
            }
        });
        Rankings { signals, reports, search: Some(search), outcome: None }
    }

    /// A handle that ends the search.
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle { signals: Arc::clone(&self.signals) }
    }

    /// Waits for the search's end. A search without a limit must be stopped first.
    ///
    /// # Panics
    /// If the search panicked, which is a bug.
    pub fn outcome(mut self) -> Outcome {
        self.wait().clone()
    }

    fn wait(&mut self) -> &Outcome {
        if let Some(search) = self.search.take() {
            let ended = search.join();
            self.outcome = Some(ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        self.outcome.as_ref().expect("a search that was waited for has an outcome")
    }
}

impl Iterator for Rankings {
    type Item = Report;

    fn next(&mut self) -> Option<Report> {
        // What came without being asked for is older.
        while self.reports.try_recv().is_ok() {}
        self.signals.ask_report();
        if let Ok(report) = self.reports.recv() {
            return Some(report);
        }
        // The search has ended: its last ranking is returned once.
        self.search.as_ref()?;
        self.wait().last.clone()
    }
}

impl Drop for Rankings {
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

    #[test]
    fn a_ranking_is_one_that_was_made_after_it_was_asked_for() {
        let ranking = |nodes| Report::Simulation { rows: Vec::new(), plies: 2, nodes };
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
        let mut rankings = Rankings { signals, reports, search: Some(search), outcome: None };
        assert_eq!(rankings.next(), Some(ranking(2)));
        rankings.stop_handle().stop();
        assert_eq!(rankings.by_ref().last(), Some(ranking(3)));
        assert_eq!(rankings.next(), None);
    }
}
