//! Access to the machine: files, folders, the log, memory and the terminal's lines.
//! Only this folder touches them.
//!
//! Files are read through `input_file.rs` and written through `output_file.rs`, which keeps them
//! whole at any moment. `resources.rs` answers what a session asks for, and `game_arguments.rs` is
//! the game of a subcommand, with its words and tables.

pub mod output;
pub mod surroundings;
pub mod input_file;
pub mod output_file;
pub mod private_files;
pub mod journal_file;
pub mod piece_run;
pub mod logging;
pub mod interrupts;
pub mod long_run;
pub mod graph_cache;
pub mod memory;
pub mod resources;
pub mod game_arguments;
