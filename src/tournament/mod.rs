//! Tournaments of engines of any maker: what is decided, judged, said and written down, without processes, clocks and files.
//!
//! | file | what it holds |
//! |---|---|
//! | `fault.rs` | what an engine can do wrong, with reason codes |
//! | `time_control.rs` | times: what is allowed, what overtime costs, a `movetime` that stands for a clock |
//! | `configuration.rs` | a tournament as a value, checked |
//! | `arbiter.rs` | the arbiter, who checks every move |
//! | `dialogue.rs` | what is said to engines, and what their lines mean |
//! | `record.rs` | what the lines of its journal hold |
//! | `in_process.rs` | a match of two players of this program as the tournament that it is |
//! | `old_match.rs` | journals of matches as earlier versions wrote them |
//! | `lines.rs` | how the lines of a journal are read and compared |
//! | `pairings.rs` | who plays whom |
//! | `conformance.rs` | what lines of an engine must look like, positions with known answers |
//! | `game_records.rs` | its games as GCG |
//! | `standings.rs` | statistics of pairings, ratings |
//! | `summary.rs` | what the reports tell of each engine |
//! | `pairing_figures.rs` | what they tell of each two engines |
//! | `html/` | the report as a page (cargo feature `web`) |
//!
//! The runner is in `src/cli/tournament/`: it starts the processes, reads the clock and writes the journal. Games are those of
//! `match_play/game.rs`, on the same bags, so players of this program play the same games here as in a match.
//!
//! Start with [`configuration::TournamentSetting`].

pub mod fault;
pub mod time_control;
pub mod configuration;
pub mod arbiter;
pub mod dialogue;
pub mod record;
pub mod in_process;
pub mod old_match;
pub mod lines;
pub mod pairings;
pub mod conformance;
pub mod game_records;
pub mod standings;
pub mod summary;
pub mod pairing_figures;
#[cfg(feature = "web")]
pub mod html;
