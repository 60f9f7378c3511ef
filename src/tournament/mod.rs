//! Tournaments of engines by any author, without processes, clocks and files: decisions, dialogue,
//! records.
//!
//! The runner in `arena/` starts the processes, reads the clock and writes the journal. Games are those of `match_play/game.rs`, on the same
//! bags, so players of this program play the same games in a tournament as in a match.
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
