//! Tilewright: a crossword-game engine (Scrabble and its family) as a library. The program of the same name is made of it.
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
//! - [`engine::Engine`]: [`best_play`](engine::Engine::best_play), [`static_ranking`](engine::Engine::static_ranking),
//!   [`simulate`](engine::Engine::simulate), [`solve`](engine::Engine::solve), [`infer`](engine::Engine::infer), and
//!   [`analyse`](engine::Engine::analyse), whose rankings get better while it thinks; [`is_word`](engine::Engine::is_word) and
//!   [`check_play`](engine::Engine::check_play).
//! - [`engine::EngineBuilder`]: own words, tables, rules, threads and seed.
//! - [`search::Analysis`]: what can be asked: a static ranking, a simulation, a pre-endgame, an endgame, each with its options.
//!   What a search needs of a position is checked before it begins; a question that cannot be answered is an error, never a panic.
//! - [`rules`]: letters, boards, racks, plays, positions and their turns, for any alphabet and any board up to 21 by 21.
//! - [`formats`]: positions (CGP) and games (GCG), word graphs (KWG) and leave values (KLV2) of other engines.
//! - [`match_play`]: paired games between [`players`], with their statistics; [`training`]: leave values and win % tables from self-play;
//!   [`regret`]: what players' choices lose.
//! - [`analysis`]: where recorded games were won and lost.
//! - [`protocol`]: the line protocol as a state machine, for programs that embed it in a server or a web page.
//! - `web` (feature `web`): who may connect from a browser, and how pages are paired.
//! - [`tournament`]: an arbiter for engines of any maker, with journal and ratings.
//!
//! The programs in `examples/` show the engine at work. It reads no files, no clock and no environment; the same seed gives
//! the same answer for any number of threads.
//!
//! # Features
//!
//! `cli` (on by default) adds the program: subcommands, the protocol's server, and their dependencies (tokio, clap and others).
//! `web` (on by default) adds reports of games as HTML pages and, with `cli`, what front ends in a browser need. A program that embeds the engine says `default-features = false`.
//!
//! # The layers
//!
//! The modules below stand in the order of the layers, low to high: a file uses only what stands above it. `src/README.md` is the map,
//! with a line for each file, a glossary and a bibliography.

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
mod training;
mod regret;
pub mod protocol;
#[cfg(feature = "web")]
mod pages;
pub mod analysis;
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

/// What most programs use: `use tilewright::prelude::*;`.
pub mod prelude {
    pub use crate::engine::{Engine, EngineBuilder, EngineError, Rankings, StopHandle};
    pub use crate::rules::{Board, GameRules, LetterDistribution, Play, Position, Rack, Turn};
    pub use crate::search::{
        Analysis, EndgameOptions, ObservedTurn, OpponentModel, Outcome, PlaySelection, PreEndgameOptions, RankedPlay, Report, Signals,
        SimulationOptions, SimulationRow, StaticOptions,
    };
}

/// What the benchmarks and tests reach below the front door. It changes without notice and is no part of what the crate offers.
#[doc(hidden)]
pub mod internals {
    #[cfg(feature = "cli")]
    pub use crate::arena::paired_games;
    pub use crate::evaluation::heuristics::RackHeuristic;
    pub use crate::evaluation::static_eval::{ReadyRack, StaticEval, StaticTurn};
    pub use crate::evaluation::win_model::TilesLeft;
    pub use crate::evaluation::{Leaves, WinModel};
    pub use crate::formats::leave_table;
    #[cfg(feature = "cli")]
    pub use crate::lab::static_games::StaticGames;
    pub use crate::movegen::found::Terms;
    pub use crate::movegen::generate::{GenerateScratch, generate};
    pub use crate::movegen::sinks::CountPlays;
    pub use crate::movegen::{LaneBoard, Lanes, RackValues};
    pub use crate::search::endgame::{EndgameDeal, EndgameLimits, Goal, Solver};
    pub use crate::search::race::{Iteration, RaceCandidate};
    pub use crate::search::simulation::{Horizon, RolloutWorker, SimulationContext};
    pub use crate::tournament::configuration::TournamentSetting;
    pub use crate::tournament::record::TournamentHeader;
}

/// The examples of the README are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeExamples;
