//! The greatest values of options, parameters of `go` and flags. Each bound is defined here once.
//!
//! Not here: the bounds of a search's own options, for programs that embed the engine
//! (`search/analysis.rs`), and when a search ends (`search/budget.rs`).

use std::ops::RangeInclusive;

/// The most workers that the engine starts for a search, for any caller.
pub const MOST_WORKERS: usize = 4096;

/// The most workers that a user or a front end may ask for.
pub const MOST_THREADS: i64 = 256;

/// The most plies that a search looks ahead.
pub const MOST_DEPTH: i64 = 100;

/// The most rows of a ranking, and the most candidates.
pub const MOST_ROWS: i64 = 100_000;

/// Seeds: every non-negative number that fits into a signed 64-bit integer, as every number in a
/// protocol line does.
pub const SEEDS: RangeInclusive<i64> = 0..=i64::MAX;

/// The greatest of [`SEEDS`].
pub const MOST_SEED: u64 = i64::MAX as u64;

/// Memory of all tables, lists and caches, MB.
pub const MEMORY_MB: RangeInclusive<i64> = 64..=65_536;

/// The default of [`MEMORY_MB`].
pub const DEFAULT_MEMORY_MB: i64 = 256;

/// The most time for a turn or for a player's whole game, ms: a day.
pub const LONGEST_TURN_MS: u64 = 86_400_000;
