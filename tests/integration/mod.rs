//! What holds of the program as its users meet it. (In a folder, since every file next to `main.rs` would become a binary of its own.)
//!
//! | subject | files |
//! |---|---|
//! | the protocol | `sessions.rs` runs the examples of `protocol/sessions`; `protocol_checks.rs` checks what front ends and match runners rely on; `protocol_grammar.rs` holds the grammar against the engine; `records.rs`, `declared_values.rs`, `monkey.rs`, `zero_turns.rs` |
//! | the program at a terminal | `first_minute.rs`, `terminal.rs`, `command_line.rs` |
//! | games and matches | `clock_games.rs`, `paired_games.rs`, `tournaments.rs`, `tournament_formats.rs`, `conform.rs` |
//! | other subcommands | `analyse.rs`, `puzzles.rs`, `regret.rs`, `training.rs`, `output_files.rs`, `journals.rs` |
//! | other letters, words and boards | `own_game.rs`, `languages.rs`, `kept_graphs.rs` |
//! | limits and faults | `limits.rs`, `faults.rs`, `slow_readers.rs`, `fuzz_corpus.rs` |
//! | the bridge and the board | `bridge.rs`, `bridge_guards.rs`, `board_access.rs` |
//! | documents, examples, scripts, archives | `documents.rs`, `examples.rs`, `scripts.rs`, `python_client.rs`, `release.rs`, `manual.rs`, `dependencies.rs` |
//! | what other tests use | `engine_process.rs` drives the program, `in_folder.rs` runs it in a folder, `positions.rs` has positions for it, `answers.rs` reads its lines strictly, `json_schema.rs` holds JSON against the schemas, `grammar.rs` matches lines with the grammar, `referee.rs` judges its moves, `needs.rs` asks for Python and terminals, `board_page.rs` starts a board, `web_client.rs` is a page, `waiting.rs` waits |
//!
//! Not here: tests of single modules, which are in their files; the house rules (`tests/house/`); the pages in a browser (`tests/browser/`); how soon it answers (`tests/timed/`). Start with
//! `sessions.rs`.

mod analyse;
mod answers;
mod board_access;
mod board_page;
mod bridge;
mod bridge_guards;
mod clock_games;
mod command_line;
mod conform;
mod declared_values;
mod dependencies;
mod documents;
mod engine_process;
mod examples;
mod first_minute;
mod grammar;
mod in_folder;
mod faults;
mod fuzz_corpus;
mod journals;
mod json_schema;
mod kept_graphs;
mod languages;
mod limits;
mod manual;
mod monkey;
mod output_files;
mod needs;
mod own_game;
mod paired_games;
mod positions;
mod protocol_checks;
mod protocol_grammar;
mod puzzles;
mod python_client;
mod records;
mod referee;
mod regret;
mod release;
mod scripts;
mod sessions;
mod slow_readers;
mod terminal;
mod tournament_formats;
mod tournaments;
mod training;
mod waiting;
mod web_client;
mod zero_turns;
