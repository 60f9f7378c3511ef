//! Pre-endgames: one to four tiles in the bag, all unseen tiles known. An anytime search that reports what it has
//! proved.
//!
//! Each file uses only files listed above it. Read `types.rs` for what a search records about a play, `stage.rs` for
//! what a stage is, `agenda.rs` for the order of the stages, and `search_loop.rs` for how they fit together. The other
//! files are their tools.
//!
//! Not here: endgames (`search/endgame`) and the choice of candidate plays (`search/candidates.rs`). Start with
//! [`run`].
//!
//! **What is exact.** A play that empties the bag is followed by an endgame, in which both players know everything. Its
//! share of wins is a sum over all draws, weighted by the number of ways to draw them or by a belief about the
//! opponent's tiles. The sum is exact once the winner of every endgame is proved. With one tile in the bag, this covers
//! every placement.
//!
//! **What is a model.** After a pass, an exchange, or a placement that leaves tiles in the bag, the players choose
//! without knowing the order of the bag or the other rack. In the model, each player compares a few of the statically
//! best plays by greedy playouts over the tiles they cannot see, and takes the best (`lines.rs`). They never use hidden
//! information, and infer nothing about the other rack from the other player's plays. Once the bag is empty, the
//! endgame is searched as above. A share found this way is the model's: even if every endgame is solved, it holds only
//! for the model's play before the endgames. But a real opponent can always do at least as well as the model's.
//! Therefore, if only the opponent chooses before the bag is empty and all orders of the bag are dealt (one or two
//! tiles in the bag), such a share is a proved upper bound on the true one.
//!
//! **Ranking.** A candidate that went through more stages ranks before others, because its numbers rest on more work.
//! Next comes the chance of winning (`types.rs`; for proved results it is the share of wins, a tie being half a win).
//! At equal chances above zero, proved results rank before modelled ones; then the mean spread decides. A stage's
//! results count once two candidates have them.
//!
//! **Sources.** From \[MAGPIE\]: stages that do more and more work on fewer and fewer candidates, greedy playouts as
//! the first stage, costly draws first, and results that count once two candidates have them. From \[macondo\]:
//! breaking off a candidate that can no longer reach the best, and trying first the reply that refuted the previous
//! candidate.

mod draws;
mod types;
mod context;
mod lines;
mod endgames;
mod worker;
mod standings;
mod stage;
mod shares;
mod tie_breaks;
mod agenda;
mod search_loop;
#[cfg(any(test, feature = "cli"))]
pub mod brute;
#[cfg(any(test, feature = "cli"))]
pub mod trial;

#[cfg(test)]
mod tests;

pub use search_loop::run;
