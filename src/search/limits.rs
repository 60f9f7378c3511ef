//! The greatest values that options, parameters of `go` and flags take. Each bound is written here once.
//!
//! Not here: the bounds of a search's own options, for programs that embed the engine
//! (`search/analysis.rs`), and when a search ends (`search/budget.rs`).

use std::ops::RangeInclusive;

/// Workers that the engine starts for a search, whoever asks.
pub const MOST_WORKERS: usize = 4096;

/// Workers that a user or a front end may ask for.
pub const MOST_THREADS: i64 = 256;

/// Plies that a search looks ahead.
pub const MOST_DEPTH: i64 = 100;

/// Rows of a ranking, and candidates.
pub const MOST_ROWS: i64 = 100_000;

/// Seeds: every number that is not negative and fits into 64 bits with a sign, as every number of
/// a protocol line does.
pub const SEEDS: RangeInclusive<i64> = 0..=i64::MAX;

/// The greatest of [`SEEDS`].
pub const MOST_SEED: u64 = i64::MAX as u64;

/// Memory of all tables, lists and caches, MB.
pub const MEMORY_MB: RangeInclusive<i64> = 64..=65_536;

/// The same without a choice.
pub const DEFAULT_MEMORY_MB: i64 = 256;

/// Time for a turn or a player's game, ms: a day.
pub const LONGEST_TURN_MS: u64 = 86_400_000;
