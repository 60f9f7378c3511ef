//! A match of two players of this program as a tournament: its settings, and its pairs as records.
//!
//! The games are played at full speed (`match_play/pairs.rs`): nothing is written down of a turn until the pair is over. Not here: the
//! subcommand (`src/arena/paired_games.rs`). Start with [`MatchTerms`].

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::match_play::pairs::PlayedPair;
use crate::match_play::time_control::TimeControl;
use crate::match_play::{GameTime, shuffled_bag};
use crate::rules::notation::play_text;
use crate::rules::{Board, GameRules};
use crate::tournament::configuration::{EnginePatience, EngineSetting, GameSetting, TournamentFormat, TournamentSetting};
use crate::tournament::record::{GameRecord, PairRecord, TurnRecord};
use std::sync::Arc;

/// What the reports call the players.
pub const MATCH_NAMES: [&str; 2] = ["a", "b"];

/// What the results of a match follow from, beside the game and the tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchTerms {
    /// Players a and b.
    pub players: [String; 2],
    /// The seed of all bags.
    pub seed: u64,
    /// The time of a game, if there are clocks.
    pub time: Option<GameTime>,
    /// Draws that the luck of each draw is judged by, 0 for none.
    pub redraws: u32,
    /// Whether exchanges and sacrifices are counted.
    pub counts_turns: bool,
}

impl MatchTerms {
    /// The tournament of these two players. The setting identifies the game by its fingerprints
    /// alone.
    pub fn setting(&self, pairs: u64, threads: usize) -> TournamentSetting {
        let engine = |(name, player): (&str, &String)| EngineSetting {
            name: name.to_string(),
            player: Some(player.clone()),
            ..EngineSetting::default()
        };
        TournamentSetting {
            pairs,
            rounds: None,
            seed: self.seed,
            format: TournamentFormat::RoundRobin,
            concurrency: threads,
            processors: None,
            redraws: (self.redraws > 0).then_some(self.redraws),
            count_turns: self.counts_turns,
            game: GameSetting::default(),
            time: self.time.map_or_else(TimeControl::default, TimeControl::from),
            patience: EnginePatience::default(),
            sprt: None,
            engines: MATCH_NAMES.into_iter().zip(&self.players).map(engine).collect(),
        }
    }
}

/// A pair of a match as a record of the run of this hash.
pub fn match_record(rules: &Arc<GameRules>, seed: u64, hash: &str, pair: &PlayedPair) -> PairRecord {
    let number = pair.result.pair;
    let game = |at: usize| GameRecord {
        result: pair.result.games[at],
        plays: turn_records(rules, &pair.plays[at], &pair.times_us[at]),
        idle_us: [0; 2],
        fault: None,
    };
    PairRecord {
        pair: number,
        deal: number,
        engines: [0, 1],
        configuration: hash.to_string(),
        start: None,
        bag: rules.distribution.tiles_text(shuffled_bag(rules, seed, number)),
        divergent: pair.result.divergent,
        games: [game(0), game(1)],
    }
}

/// The turns of a game as text: each move on the board before it.
fn turn_records(rules: &GameRules, plays: &[EvaluatedPlay], times_us: &[u64]) -> Vec<TurnRecord> {
    let mut board = Board::empty(rules.layout.dim());
    let turn = |(taken, &time_us): (&EvaluatedPlay, &u64)| {
        let play = play_text(&taken.play, &board, &rules.distribution);
        for (square, tile) in taken.play.placement().into_iter().flat_map(|placement| placement.placed()) {
            board.set(square, Some(tile));
        }
        TurnRecord { play, score: taken.score, time_us, told: None }
    };
    plays.iter().zip(times_us).map(turn).collect()
}
