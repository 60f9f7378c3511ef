//! The result of a wait for the output of a process, on every system.

use std::time::Instant;

/// Bytes that are read from a process at once. All lines in them are handed over together: what an engine prints in one go wakes the runner once.
pub const PART: usize = 16 << 10;

/// The result of a wait for a process.
#[derive(Debug)]
pub enum PipesTurn<'p> {
    /// Nothing came in time.
    TimeOver,
    /// Some output, and the moment at which it came.
    Read(Instant, &'p [u8]),
    /// The end of the output, and when it came.
    Ended(Instant),
}
