//! Child programs: their pipes, groups and memory, and their end when this program is killed.
//!
//! Start with [`child::ChildProcess`], which is talked to line by line.

pub mod child;
pub mod group;
#[cfg(any(not(unix), test))]
mod pipe_threads;
#[cfg(unix)]
mod pipes;

#[cfg(not(unix))]
use pipe_threads::ChildPipes;
#[cfg(unix)]
use pipes::ChildPipes;

/// Bytes that are read from a process at once. All lines in them are handed over together: what an engine prints in one go wakes the runner once.
const PART: usize = 16 << 10;

/// What a wait for a process gave.
#[derive(Debug)]
enum PipesTurn<'p> {
    /// Nothing came in time.
    TimeOver,
    /// What came, and when.
    Read(std::time::Instant, &'p [u8]),
    /// The end of the output, and when it came.
    Ended(std::time::Instant),
}
