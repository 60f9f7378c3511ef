//! Queues lines on their way to a page, within a limit of bytes.
//!
//! A full box shows that a page reads too slowly. What happens then depends on the program:
//! the bridge hands lines on as they are, so it can only disconnect; the board leaves out rankings
//! that newer ones have replaced. Start with [`Outbox::push`].

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The most bytes of memory that lines waiting for a page may take.
pub const MOST_WAITING: usize = 8 << 20;

/// The bytes that a line in a queue takes in addition to its text: its `String`, spare places of the queue, and what the allocator adds.
const LINE_OVERHEAD: usize = 64;

/// The memory that a line takes while it waits. An engine may print nothing but line ends, so the bytes of the text alone
/// would be no limit.
pub fn held_bytes(line: &String) -> usize {
    line.capacity() + LINE_OVERHEAD
}

/// What may be left out for a page that reads too slowly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delivery {
    /// Nothing.
    Whole,
    /// Rankings, once there is a newer one of the same search. Nothing else: no depth of an endgame, and never a `bestmove`.
    NewestRanking,
}

/// The box is full.
#[derive(Debug, PartialEq, Eq)]
pub struct BoxFull;

#[derive(Debug, Default)]
struct WaitingLines {
    lines: VecDeque<String>,
    bytes: usize,
    is_closed: bool,
}

/// The box.
#[derive(Debug)]
pub struct Outbox {
    waiting: Mutex<WaitingLines>,
    wake: Notify,
    delivery: Delivery,
}

impl Outbox {
    /// An empty box.
    pub fn new(delivery: Delivery) -> Outbox {
        Outbox { waiting: Mutex::default(), wake: Notify::new(), delivery }
    }

    fn waiting(&self) -> MutexGuard<'_, WaitingLines> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a line in.
    ///
    /// # Errors
    /// The box is full.
    pub fn push(&self, line: String) -> Result<(), BoxFull> {
        let mut waiting = self.waiting();
        if self.delivery == Delivery::NewestRanking && begins_ranking(&line) {
            drop_older_ranking(&mut waiting);
        }
        waiting.bytes += held_bytes(&line);
        waiting.lines.push_back(line);
        if waiting.bytes > MOST_WAITING {
            return Err(BoxFull);
        }
        drop(waiting);
        self.wake.notify_one();
        Ok(())
    }

    /// Marks the end: nothing more will come.
    pub fn close(&self) {
        self.waiting().is_closed = true;
        self.wake.notify_one();
    }

    /// The next line; `None` after the last one.
    pub async fn next(&self) -> Option<String> {
        loop {
            {
                let mut waiting = self.waiting();
                if let Some(line) = waiting.lines.pop_front() {
                    waiting.bytes -= held_bytes(&line);
                    return Some(line);
                }
                if waiting.is_closed {
                    return None;
                }
            }
            self.wake.notified().await;
        }
    }
}

/// Whether a line is the first one of a ranking: `info depth ...` comes before the rows of a
/// simulation, a pre-endgame and an endgame.
fn begins_ranking(line: &str) -> bool {
    line.starts_with("info depth ")
}

/// Whether a line belongs to a ranking that a newer one replaces. A row of an endgame does not:
/// it is about its own depth.
fn is_of_ranking(line: &str) -> bool {
    ["info depth ", "info sim ", "info peg "].iter().any(|head| line.starts_with(head))
}

/// Takes off the rankings that wait at the end. Rankings before another line, such as a `bestmove`,
/// belong to an earlier search and stay.
fn drop_older_ranking(waiting: &mut WaitingLines) {
    while let Some(line) = waiting.lines.pop_back() {
        if !is_of_ranking(&line) {
            waiting.lines.push_back(line);
            return;
        }
        waiting.bytes -= held_bytes(&line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(outbox: &Outbox) -> Vec<String> {
        outbox.waiting().lines.iter().cloned().collect()
    }

    #[test]
    fn a_box_bounds_the_memory_of_its_lines_and_not_their_text() {
        for length in [0, 1, 1 << 10, 1 << 20] {
            let outbox = Outbox::new(Delivery::Whole);
            let line = "x".repeat(length);
            let taken = (0..MOST_WAITING).take_while(|_| outbox.push(line.clone()).is_ok()).count();
            let each = length + size_of::<String>();
            assert!(taken * each <= MOST_WAITING && 3 * (taken + 1) * each > MOST_WAITING, "{taken} lines of {length} bytes");
        }
    }

    #[test]
    fn older_rankings_are_left_out_and_nothing_else() {
        let search = [
            "info string provenance",
            "info depth 2",
            "info sim move a",
            "info sim move b",
            "info string a remark",
            "info depth 2",
            "info sim move b",
            "info depth 2",
            "info sim move c",
            "bestmove c",
            "info depth 2",
            "info sim move d",
            "bestmove d",
            "info depth 1",
            "info endgame depth 1",
            "info depth 2",
            "info endgame depth 2",
        ];
        // The ranking after the remark is replaced by the next one.
        let merged = [&search[..5], &search[7..]].concat();
        for (delivery, expected) in [(Delivery::Whole, search.as_slice()), (Delivery::NewestRanking, merged.as_slice())] {
            let outbox = Outbox::new(delivery);
            search.iter().for_each(|line| outbox.push((*line).to_string()).unwrap());
            assert_eq!(lines_of(&outbox), expected, "{delivery:?}");
            assert_eq!(outbox.waiting().bytes, expected.iter().map(|line| line.len() + LINE_OVERHEAD).sum::<usize>());
        }
    }

    #[test]
    fn a_page_that_does_not_read_never_fills_the_box_with_rankings() {
        let outbox = Outbox::new(Delivery::NewestRanking);
        for update in 0..100_000 {
            outbox.push(format!("info depth 2 time {update}")).unwrap();
            (0..15).for_each(|row| outbox.push(format!("info sim move 8D.RETAINS wp {row} iters {update}")).unwrap());
        }
        outbox.push("bestmove 8D.RETAINS".to_string()).unwrap();
        let lines = lines_of(&outbox);
        assert_eq!((lines.len(), lines[0].as_str(), lines[16].as_str()), (17, "info depth 2 time 99999", "bestmove 8D.RETAINS"));
    }
}
