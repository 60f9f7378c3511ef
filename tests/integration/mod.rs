//! What holds of the program as its users meet it. (In a folder, since every file beside `main.rs` would become a binary of its own.)
//!
//! Not here: tests of single modules, which stand beside their code. Start with `sessions.rs`, the examples of
//! `protocol/sessions`, and `protocol_checks.rs`, what front ends and match runners rely on. `engine_process.rs`
//! drives the program, `clock_games.rs` plays with it on a clock, `paired_games.rs` its matches, `tournaments.rs` its tournaments, with good engines and bad ones, `training.rs` its training,
//! `declared_values.rs` sets everything to its least and greatest value, `monkey.rs` types at random, `faults.rs` takes disk and memory away,
//! `limits.rs` holds it to its limits of time and memory with large tables,
//! `own_game.rs` plays with other letters and boards, `output_files.rs` watches files that are written, `conform.rs` has engines checked, `command_line.rs` slips on the command
//! line, `release.rs` makes archives for other machines, `answers.rs` reads the program's lines strictly, `referee.rs` judges its
//! moves, `documents.rs` runs the blocks of the documents, `first_minute.rs` meets it as a person does, `python_client.rs` is the client of `scripts/`, `records.rs` has games written down and read again, `languages.rs` has it play a language
//! of two data files, `bridge.rs` lets pages in and `bridge_guards.rs` keeps others out, over the wire of `web_client.rs`, `board.rs` looks at the board in the browser of `browser.rs`, both of which `waiting.rs` waits for, `kept_graphs.rs` a long list that it compiles once, `analyse.rs` has it look at games, `report_pages.rs` looks at its pages, `board_challenges.rs` plays phonies, `board_keys.rs` presses every key, `regret.rs` has players' choices valued.
//! `architecture/` reads the source and the documents instead, `dependencies.rs` what cargo knows of other crates.

mod analyse;
mod answers;
mod architecture;
mod board;
mod board_access;
mod board_challenges;
mod board_keys;
mod board_looks;
mod bridge;
mod bridge_guards;
mod browser;
mod clock_games;
mod command_line;
mod conform;
mod declared_values;
mod dependencies;
mod documents;
mod engine_process;
mod examples;
mod first_minute;
mod faults;
mod kept_graphs;
mod languages;
mod limits;
mod monkey;
mod output_files;
mod own_game;
mod paired_games;
mod protocol_checks;
mod python_client;
mod records;
mod referee;
mod regret;
mod release;
mod report_pages;
mod sessions;
mod terminal;
mod tournament_formats;
mod tournaments;
mod training;
mod waiting;
mod web_client;
