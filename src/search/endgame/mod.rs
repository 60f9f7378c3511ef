//! Endgames: the bag is empty, both racks are known, and play can be searched to its end.
//!
//! The files are listed below in reading order: each uses only those above it.
//!
//! Not here: who has which tiles (`rules/position.rs`), and positions with tiles in the bag (`search/pre_endgame`).
//! Start with [`Solver::on`] and [`BoardSolver::solve`].
//!
//! **How the game ends here.** The game ends when a player places their last tile, or after two passes in a row;
//! `rules/ending.rs` has the adjustments for each end. The usual rule requires more turns without points in a row, six
//! ([`max_zero_turns`](crate::rules::game_rules::RuleFields::max_zero_turns)), but the values are the same, for the
//! following reason.
//!
//! Let p be what the side on turn gets by its best placement, and e what it gets if the game ends now. Let q be what
//! the other side would get by its best placement if it were on turn, from its own point of view. Suppose that the side
//! on turn passes, and that this is not the last pass allowed. Then the other side either places, which is worth -q to
//! the first side, or also passes, which leaves the first side max(p, e). So the pass is worth min(-q, max(p, e)), and
//! the position is worth max(p, min(-q, max(p, e))) = max(p, min(-q, e)): its value where two passes end the game. The
//! same holds for every earlier pair of passes. The game differs only if a single turn without points is left, which is
//! what [`EndgameDeal::passed`] records.
//!
//! One difference remains: placements that score nothing (two blanks) count as turns without points under the usual
//! rule, but not here.
//!
//! None of this holds in variants where each player has exactly one more turn once the bag is empty: `last_turns.rs`
//! searches such endgames.
//!
//! **Claims.** A solution states whether it is proved. A proved solution is exact (or the bound that it states) under
//! these rules, barring a collision of 64-bit hashes.

pub mod types;
mod table;
mod packed_tiles;
mod squares;
mod moves;
mod state;
mod lists;
mod turn_queue;
mod worker;
mod search_loop;
mod last_turns;
pub mod solver;
mod ranked;
mod quick_playouts;

#[cfg(test)]
mod tests;

pub use quick_playouts::QuickPlayouts;
pub use solver::{BoardSolver, Solver};
pub use table::NoMemory;
pub use types::{Bound, EndgameDeal, EndgameLimits, EndgameQuestion, Goal, RackSupersets, Solution};
