//! Tournaments of engines of any maker, without processes, clocks and files: decisions, dialogue,
//! records.
//!
//! The runner is in `arena/`: it starts the processes, reads the clock and writes the journal. Games are those of
//! `match_play/game.rs`, on the same bags, so players of this program play the same games here as in a match.
//!
//! Start with [`configuration::TournamentSetting`].

pub mod fault;
pub mod configuration;
pub mod arbiter;
pub mod dialogue;
pub mod record;
pub mod pairings;
pub mod game_records;
pub mod standings;
pub mod summary;
pub mod text;
pub mod csv_tables;
#[cfg(feature = "web")]
pub mod html;
