//! Regret: the loss of a player's choices, by another player's games to the end.
//!
//! A corpus holds turns of games with many candidates each, and what each candidate is worth by an *oracle*: a player who plays both sides from there
//! to the end of the game, again and again, with other tiles out of sight. Making it takes long and is done once. Then any player is asked for their choice on
//! each turn, which takes minutes, where as many games would take days.
//!
//! An oracle shares the errors of those who think as it does: a search that plays its rollouts by the same policy is judged too well. So
//! two corpora by different oracles say more than one. Start with [`oracle::Oracle`], then [`corpus::CorpusMaker`] and [`score::Scorer`].

pub mod record;
pub mod oracle;
pub mod corpus;
pub mod score;
