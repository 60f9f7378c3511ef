//! What a wait for the output of a process gives, however it is waited for.

use std::time::Instant;

/// Bytes that are read from a process at once. All lines in them are handed over together: what an engine prints in one go wakes the runner once.
pub const PART: usize = 16 << 10;

/// What a wait for a process gave.
#[derive(Debug)]
pub enum PipesTurn<'p> {
    /// Nothing came in time.
    TimeOver,
    /// What came, and when.
    Read(Instant, &'p [u8]),
    /// The end of the output, and when it came.
    Ended(Instant),
}
