//! Regret: the loss of a player's choices, measured by another player's games to the end.
//!
//! A corpus has turns of games, each with many candidates and their values by an *oracle*: a player who plays both sides from that turn to
//! the end of the game, again and again, with other unseen tiles each time. Making a corpus takes long and is done once. Then any player can
//! be asked for a choice on each turn. This takes minutes, while games of the same precision would take days.
//!
//! An oracle shares the errors of players that decide as it does: it overrates a search whose rollouts follow the same policy. Two corpora by
//! different oracles are therefore more reliable than one. Start with [`oracle::Oracle`], then [`corpus::CorpusMaker`] and [`score::Scorer`].

pub mod record;
pub mod oracle;
pub mod corpus;
pub mod score;
