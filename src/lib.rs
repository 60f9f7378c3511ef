//! Tilewright: a crossword-game engine (Scrabble and its family) as a library. The program of the same name is built on it.
//!
//! Words (ENABLE), leave values and a win % table are compiled in, so eight lines give a best play:
//!
//! ```
//! use tilewright::prelude::*;
//!
//! let engine = Engine::builtin();
//! let position = engine.position("15/15/15/15/15/15/15/3QUIZ8/6E8/6B8/6R8/6A8/15/15/15 AEINRST/ 48/34 0")?;
//! for row in engine.static_ranking(&position, 3)? {
//!     println!("{} for {}", engine.play_text(&row.play, &position), row.score);
//! }
//! let best = engine.best_play(&position)?;
//! assert_eq!(best.score, engine.static_ranking(&position, 1)?[0].score);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to start
//!
//! | task | begin with |
//! |---|---|
//! | find the best play, rank plays | [`Engine::best_play`](engine::Engine::best_play), [`static_ranking`](engine::Engine::static_ranking) |
//! | search, with rankings that improve | [`Engine::search`](engine::Engine::search) with the options of a search: [`SimulationOptions`](search::SimulationOptions), [`PreEndgameOptions`](search::PreEndgameOptions), [`EndgameOptions`](search::EndgameOptions), [`InferenceOptions`](search::InferenceOptions), [`RepliesOptions`](search::RepliesOptions) |
//! | search for a limited time | [`Rankings::stop_after`](engine::Rankings::stop_after), then iterate, or [`Rankings::outcome`](engine::Rankings::outcome) for the final result |
//! | let the engine choose the search | [`Engine::phase_analysis`](engine::Engine::phase_analysis) |
//! | check words and plays, detect dead positions | [`is_word`](engine::Engine::is_word), [`check_play`](engine::Engine::check_play), [`board_life`](engine::Engine::board_life) |
//! | use other words, tables, letters or rules | [`EngineBuilder`](engine::EngineBuilder), [`GameRules::builder`](rules::GameRules::builder) |
//! | set up positions, play turns | [`Position::builder`](rules::Position::builder), [`Position::after`](rules::Position::after); texts: [`Position`](rules::Position) and [`Play`](rules::Play) have `Display` and `FromStr` |
//! | read and write files of other programs | [`formats`]: CGP, GCG, KWG, KLV2 |
//! | play games between players | [`match_play`]: [`play_game`](match_play::referee::play_game) with a player of your own, [`PairedMatch`](match_play::pairs::PairedMatch) with [`players`] |
//! | find out where a game was won and lost | [`analysis::GameAnalyst`] |
//! | speak the protocol in a server or a web page | [`protocol::session::Session`] |
//!
//! A question that cannot be answered is an error, never a panic. The engine reads no files, no clock and no environment; the same seed
//! gives the same answer for any number of threads. The programs in `examples/` show it at work.
//!
//! # What is stable
//!
//! Before 1.0 a minor version may change anything, and the changelog says what; a patch version changes no signature and no result.
//! Errors and reports are `#[non_exhaustive]`, since variants and fields are added. Options have a `Default` and grow: write
//! `SimulationOptions { iterations: Some(100), ..SimulationOptions::default() }`. The protocol has its own version, in its specification.
//! Every release states a signature, which covers the results of searches with a seed.
//!
//! # Features
//!
//! `cli` (on by default) adds the program: subcommands, the protocol's server, and their dependencies (tokio, clap and others).
//! `server` adds the protocol's conversation on any two streams (tokio).
//! `web` (on by default) adds reports of games as HTML pages and, with `cli`, what front ends in a browser need.
//! A program that embeds the engine sets `default-features = false`.
//!
//! # The layers
//!
//! The modules below are declared in the order of the layers, low to high: a file uses only its own layer and those before it.
//! `src/README.md` draws and describes them.

// Only the whole program uses all of the code; the linker drops what a smaller build does not use.
#![cfg_attr(not(all(feature = "cli", feature = "web")), allow(dead_code, unused_imports))]

pub mod rules;
pub mod lexicon;
mod movegen;
mod evaluation;
pub mod search;
pub mod formats;
pub mod engine;
pub mod ghost;
pub mod players;
pub mod match_play;
#[cfg(feature = "cli")]
mod training;
#[cfg(feature = "cli")]
mod regret;
pub mod protocol;
#[cfg(feature = "web")]
mod pages;
pub mod analysis;
#[cfg(feature = "cli")]
mod puzzles;
#[cfg(feature = "cli")]
mod tournament;
#[cfg(feature = "web")]
mod web;
#[cfg(feature = "cli")]
mod host;
#[cfg(feature = "cli")]
mod processes;
#[cfg(all(feature = "cli", feature = "web"))]
mod bridge;
#[cfg(all(feature = "cli", feature = "web"))]
mod board;
#[cfg(feature = "cli")]
mod conform;
#[cfg(feature = "cli")]
mod terminal;
#[cfg(feature = "cli")]
mod arena;
#[cfg(feature = "cli")]
mod lab;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;

/// The items that most programs use: `use tilewright::prelude::*;`.
pub mod prelude {
    pub use crate::engine::{Deadline, Engine, EngineBuilder, EngineError, Rankings, StillSearching, StopHandle};
    pub use crate::rules::{Board, GameRules, LetterDistribution, Play, Position, Rack, Seat, Square, Turn};
    pub use crate::search::{
        Analysis, EndgameOptions, EvaluatedPlay, InferenceOptions, ObservedTurn, OpponentModel, Outcome, PlaySelection, PreEndgameOptions,
        RepliesOptions, RepliesReport, Report, Search, Signals, SimulationOptions, SimulationReport, SimulationRow, StaticOptions,
    };
}

/// Internal items for the benchmarks and tests. They change without notice and are not part of the public API.
#[doc(hidden)]
pub mod internals {
    #[cfg(feature = "cli")]
    pub use crate::arena::paired_games;
    pub use crate::engine::tables::{EvaluatorRequest, Tables};
    pub use crate::evaluation::heuristics::RackHeuristic;
    pub use crate::evaluation::static_eval::{ReadyRack, StaticEval, StaticTurn};
    pub use crate::evaluation::win_model::TilesLeft;
    pub use crate::evaluation::{Leaves, WinModel};
    pub use crate::formats::leave_table;
    #[cfg(feature = "cli")]
    pub use crate::lab::selfplay::StaticGames;
    pub use crate::match_play::journal::{Journal, JournalHead, JournalHeader, seal};
    pub use crate::movegen::found::Terms;
    pub use crate::movegen::generate::{GenerateScratch, generate};
    pub use crate::movegen::sinks::CountPlays;
    pub use crate::movegen::{LaneBoard, Lanes, RackValues};
    pub use crate::protocol::command::{Command, Dialect};
    pub use crate::protocol::parse::{ParseError, parse};
    pub use crate::search::endgame::{EndgameDeal, EndgameLimits, Goal, Solver};
    pub use crate::search::phase::Phase;
    pub use crate::search::race::{Iteration, RaceCandidate};
    pub use crate::search::simulation::{Horizon, RolloutWorker, SimulationContext};
    #[cfg(feature = "cli")]
    pub use crate::tournament::configuration::TournamentSetting;
    #[cfg(feature = "cli")]
    pub use crate::tournament::record::TournamentHeader;
}

/// The examples of the README are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeExamples;
