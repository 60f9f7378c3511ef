//! Runs numbered tasks on several threads, and returns the results in the order of the numbers. The
//! tasks are pairs of a match or tournament.
//!
//! Start with [`in_order`].

use crate::search::budget::Signals;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// Runs the tasks with these numbers on this many threads, at least one. Each thread makes its own worker.
///
/// `on_results` gets the results in order, as many at a time as have arrived, so that a slow step such as writing to a disk handles several
/// at once. Both `on_results` and the signals may end the work. No task is begun then, and a worker gives up its current task by returning
/// `None`.
pub fn in_order<Worker, Outcome>(
    numbers: &[u64],
    threads: usize,
    signals: &Signals,
    make_worker: &(dyn Fn() -> Worker + Sync),
    on_results: &mut dyn FnMut(Vec<Outcome>) -> ControlFlow<()>,
) where
    Worker: FnMut(u64) -> Option<Outcome>,
    Outcome: Send,
{
    let unclaimed = AtomicUsize::new(0);
    let (sender, finished) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, unclaimed) = (sender.clone(), &unclaimed);
            scope.spawn(move || {
                let mut worker = make_worker();
                loop {
                    // Threads claim numbers themselves, so a slow task delays no other.
                    let place = unclaimed.fetch_add(1, Ordering::Relaxed);
                    let Some(&number) = numbers.get(place).filter(|_| !signals.is_stopped()) else { return };
                    // Without an outcome, the worker gave up because of the signals.
                    let Some(outcome) = worker(number) else { return };
                    if sender.send((place, outcome)).is_err() {
                        return;
                    }
                }
            });
        }
        // The threads hold the other senders, so `recv` fails when the last thread has ended.
        drop(sender);
        // `next` is the place of the first result not handed on. Later results wait for it.
        let (mut next, mut waiting) = (0, BTreeMap::new());
        while let Ok(first) = finished.recv() {
            waiting.insert(first.0, first.1);
            // All other results that have arrived go into the same call of `on_results`.
            waiting.extend(finished.try_iter());
            let mut ready = Vec::new();
            while let Some(outcome) = waiting.remove(&next) {
                next += 1;
                ready.push(outcome);
            }
            if !ready.is_empty() && on_results(ready).is_break() {
                // The threads see the signal before their next task, and the scope waits for them.
                signals.stop();
                return;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Runs tasks that end out of order, since even numbers take longer, and returns the numbers that were handed on.
    fn handed_on(threads: usize, signals: &Signals, last: u64) -> Vec<u64> {
        let mut told = Vec::new();
        let worker = || {
            |number: u64| {
                std::thread::sleep(Duration::from_micros(200 * (1 - number % 2)));
                (!signals.is_stopped()).then_some(number)
            }
        };
        in_order(&(5..400).collect::<Vec<_>>(), threads, signals, &worker, &mut |numbers| {
            assert!(!numbers.is_empty());
            told.extend(numbers);
            if told.contains(&last) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        told
    }

    #[test]
    fn results_come_in_order_until_they_are_enough() {
        for threads in [0, 1, 4] {
            assert_eq!(handed_on(threads, &Signals::default(), 1_000), (5..400).collect::<Vec<_>>());
            let signals = Signals::default();
            let told = handed_on(threads, &signals, 60);
            assert!((56..=395).contains(&told.len()), "{told:?}");
            assert_eq!(told, (5..).take(told.len()).collect::<Vec<_>>());
            assert!(signals.is_stopped());
            assert!(handed_on(threads, &signals, 60).is_empty());
        }
    }
}
