//! What holds of the program as its users meet it. (In a folder, since every file beside `main.rs` would become a binary of its own.)
//!
//! Not here: tests of single modules, which stand beside their code. Start with `sessions.rs`, the examples of
//! `protocol/sessions`, and `protocol_checks.rs`, what front ends and match runners rely on. `engine_process.rs`
//! drives the program, `clock_games.rs` plays with it on a clock, `paired_games.rs` its matches, `training.rs` its training,
//! `own_game.rs` all of them with other letters and boards, `answers.rs` reads its lines strictly, `referee.rs` judges its
//! moves, `languages.rs` has it play a language of two data files. `architecture/` reads the source and the documents instead.

mod answers;
mod architecture;
mod clock_games;
mod engine_process;
mod examples;
mod languages;
mod own_game;
mod paired_games;
mod protocol_checks;
mod referee;
mod sessions;
mod training;
