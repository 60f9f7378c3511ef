//! Endgames: the bag is empty, both racks are known, and play can be searched to its end.
//!
//! In the order of reading: each file uses only those above it.
//!
//! Not here: who has which tiles (`rules/position.rs`), the tiles in the bag (`search/pre_endgame`). Start with [`Solver::on`] and
//! [`BoardSolver::solve`].
//!
//! **How the game ends here.** A player goes out with their last tile, or two passes in a row end the game; `rules/ending.rs` says what
//! each end pays. Under the usual rule it takes more turns without points in a row, six
//! ([`max_zero_turns`](crate::rules::game_rules::RuleFields::max_zero_turns)), but the values are the same, for this reason.
//!
//! Let p be what the side on turn gets by its best placement, and e what it gets if the game ends now. Let q be what the other side
//! would get by its best placement if it were on turn, in its own view. The side on turn passes, and that is not yet the last pass
//! allowed. Then the other side places, which is worth -q to the first one, or passes, too, and leaves it max(p, e). So the pass is
//! worth min(-q, max(p, e)), and the position is worth max(p, min(-q, max(p, e))) = max(p, min(-q, e)): its value where two passes end
//! the game. The same holds for every two passes before. Only where a single turn without points is left the game is another one: that
//! is [`EndgameDeal::passed`].
//!
//! One thing differs: placements that score nothing (two blanks) count as turns without points under the usual rule, and not here.
//!
//! Where each player has one more turn once the bag is empty, whatever is left on the racks, none of this holds: `last_turns.rs` searches
//! such endgames.
//!
//! **Claims.** A solution says whether it is proved. Then it is exact (or the bound it says) for these rules, up to a collision of
//! 64-bit hashes.

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
