//! Pre-endgames: one to four tiles in the bag, all unseen tiles known. An anytime search that says what is proved.
//!
//! A file uses only files above it. Read `types.rs` for what is known of a play, `stage.rs` for what a stage is,
//! `agenda.rs` for their order, and `search_loop.rs` for how all come together. The other files are their tools.
//!
//! Not here: endgames (`search/endgame`), which plays there are (`search/candidates.rs`). Start with [`run`].
//!
//! **What is exact.** A play that empties the bag is followed by an endgame, in which both players know everything. Its share of
//! wins is a sum over all draws, each as likely as the tiles make it, or as a belief about the opponent's tiles does. The sum is exact once the winner of every endgame is proved.
//! With one tile in the bag that holds for every placement.
//!
//! **What is a model.** After a pass, an exchange, or a placement that leaves tiles in the bag, the players choose without knowing
//! the order of the bag or the other rack. In the model each of them plays the best of a few statically best plays, by greedy
//! playouts over what they do not see (`lines.rs`). They never use what they cannot know, nor what the other's plays tell of the
//! other's rack. From the empty bag on the endgame is searched as above. A share found so is that of the model: even if every
//! endgame is solved, it says nothing about other play before them. But the real opponent need not do worse than the model's. So
//! where only the opponent chooses before the bag is empty, and all orders of the bag are dealt (one or two tiles in the bag),
//! such a share is a proved upper bound of the true one.
//!
//! **Ranking.** A candidate that went through more stages ranks before others: its numbers rest on more. Then the chance of
//! winning counts (`types.rs`; for proved results it is the share of wins, a tie being half a win). At equal chances above
//! zero, what is proved comes before what a model says; then the mean spread counts. A stage's results count once two candidates
//! have them.
//!
//! **Sources.** Stages that give ever fewer candidates ever more work, greedy playouts as the first of them, costly draws first, and
//! results that count once two candidates have them are ideas of \[MAGPIE\]. To break off a candidate that cannot reach the best any
//! more, and to try first what refuted the one before, are ideas of \[macondo\].

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
