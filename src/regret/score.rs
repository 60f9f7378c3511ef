//! The losses of players' choices on the turns of a corpus.
//!
//! The loss of the first player's choice against the best candidate comes from the corpus. It is too large, because the best candidate has
//! the best of several noisy means. If other players choose differently, all choices are played out on deals that the corpus has not used.
//! The differences between them do not have this bias, and do not depend on the candidates of the corpus. Start with [`Scorer::score`],
//! then [`weighted_mean`].

use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::StaticTurn;
use crate::match_play::clocks::within;
use crate::match_play::pairs::Contestant;
use crate::movegen::LaneBoard;
use crate::players::PlayerTurn;
use crate::players::clock::Clock;
use crate::regret::oracle::{DealNumbers, Oracle};
use crate::regret::record::{CorpusGame, CorpusHeader, CorpusTurn};
use crate::rules::{Play, Position, Rack, Tile, Turn, notation};
use crate::search::analysis::Allocation;
use crate::search::budget::Signals;
use crate::search::phase::Phase;
use crate::search::randomness::{self, Stream};
use crate::search::{Knowledge, RequestError, SearchPosition};
use std::time::Duration;
use thiserror::Error;

/// A turn with the loss of each player's choice.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredTurn {
    pub phase: Phase,
    /// The number of turns of the game that it represents.
    pub stands_for: f64,
    /// The best candidate's share of wins in the corpus, 0 to 1.
    pub best_win: f64,
    /// The score of the statically best play on this board, points: the mean over racks drawn from all tiles that are not on it.
    pub openness: f64,
    /// By player.
    pub losses: Vec<ChoiceLoss>,
}

/// A game counts as decided if the best candidate wins or loses less than this share.
const DECIDED: f64 = 0.05;

/// The number of racks that are drawn to measure how open a board is.
const OPENNESS_RACKS: u64 = 24;

impl ScoredTurn {
    /// Whether the game is decided, whatever is played.
    pub fn is_decided(&self) -> bool {
        self.best_win < DECIDED || self.best_win > 1.0 - DECIDED
    }
}

/// The loss of a choice against the best candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChoiceLoss {
    /// Share of wins, 0 to 1.
    pub win: f64,
    /// Points.
    pub spread: f64,
}

/// An error in a corpus.
#[derive(Debug, Error)]
pub enum CorpusError {
    /// A position that is invalid by these rules.
    #[error("game {game}, turn {turn}: {error}")]
    BadPosition {
        game: u64,
        turn: usize,
        /// What is wrong with it.
        error: crate::engine::EngineError,
    },
    /// A position in which no player can be asked.
    #[error("game {game}, turn {turn}: {error}")]
    NoTurn {
        game: u64,
        turn: usize,
        /// Why not.
        error: RequestError,
    },
    /// A candidate that cannot be played in its position, or an empty one if a turn has no candidates.
    #[error("game {game}, turn {turn}: the candidate {play:?} is not a play in this position")]
    BadPlay { game: u64, turn: usize, play: String },
}

/// How players are asked, and their choices compared.
#[derive(Clone, Debug)]
pub struct ScoreSettings {
    /// Only turns of these phases count.
    pub phases: Vec<Phase>,
    /// Seed of the players' random numbers.
    pub players_seed: u64,
    /// The time after which players are stopped, if any. Players that use a clock get one with this time.
    pub time: Option<Duration>,
    /// The number of deals on which differing choices are played out.
    pub deals: u64,
}

/// A thread that asks players for their choices.
pub struct Scorer<'a> {
    header: &'a CorpusHeader,
    players: &'a [Contestant],
    /// The player that played out the candidates of the corpus.
    oracle: Oracle<'a>,
    /// The player that plays out differing choices.
    judge: Oracle<'a>,
    settings: ScoreSettings,
}

impl<'a> Scorer<'a> {
    /// Returns a scorer of these players, at least one, on the corpus with this header and this oracle. Differing choices are played out by
    /// `judge`: the same oracle, or one with other faults.
    pub fn new(
        header: &'a CorpusHeader,
        players: &'a [Contestant],
        oracle: &'a Contestant,
        judge: &'a Contestant,
        settings: ScoreSettings,
    ) -> Scorer<'a> {
        Scorer { header, players, oracle: Oracle::new(oracle), judge: Oracle::new(judge), settings }
    }

    /// Scores the turns of a game. `None` if a signal stops it.
    ///
    /// # Errors
    /// What is wrong with the corpus.
    pub fn score(&mut self, game: &CorpusGame, signals: &Signals) -> Result<Option<Vec<ScoredTurn>>, CorpusError> {
        let mut scored = Vec::with_capacity(game.turns.len());
        for turn in &game.turns {
            let (position, listed) = self.read(game.number, turn)?;
            let phase = Phase::of(position.position().in_bag());
            if !self.settings.phases.contains(&phase) {
                continue;
            }
            let asked = |error| CorpusError::NoTurn { game: game.number, turn: turn.turn, error };
            let seed = self.settings.players_seed.wrapping_add(1_000 * game.number).wrapping_add(turn.turn as u64);
            let mut chosen = Vec::with_capacity(self.players.len());
            for player in self.players {
                let turn = PlayerTurn::new(player.spec.clone(), position.clone(), seed).map_err(asked)?;
                chosen.push(self.choice(player, turn, signals));
            }
            if signals.is_stopped() {
                return Ok(None);
            }
            let numbers = DealNumbers { seed: self.header.seed, game: game.number, turn: turn.turn, first: 0, deals: self.header.deals };
            let Some(losses) = self.losses(position.position(), turn, &listed, &chosen, numbers, signals) else { return Ok(None) };
            let best_win = turn.plays.first().map_or(0.5, |best| best.win);
            let openness = openness(self.oracle.engine().knowledge(), position.position(), numbers.bag_seed());
            scored.push(ScoredTurn { phase, stands_for: turn.stands_for, best_win, openness, losses });
        }
        Ok(Some(scored))
    }

    /// Reads the position of a turn, and its candidates.
    fn read(&self, game: u64, valued: &CorpusTurn) -> Result<(SearchPosition, Vec<Play>), CorpusError> {
        let turn = valued.turn;
        let read = self.oracle.engine().position(&valued.cgp).map_err(|error| CorpusError::BadPosition { game, turn, error })?;
        let position = SearchPosition::new(read).map_err(|error| CorpusError::NoTurn { game, turn, error })?;
        let bad = |text: &str| CorpusError::BadPlay { game, turn, play: text.to_string() };
        let listed = |text: &str| match notation::parse_move(text, position.position()) {
            Ok(written) if let Turn::Play(play) = written.turn => Ok(play),
            _ => Err(bad(text)),
        };
        let plays: Vec<Play> = valued.plays.iter().map(|play| listed(&play.play)).collect::<Result<_, _>>()?;
        if plays.is_empty() { Err(bad("")) } else { Ok((position, plays)) }
    }

    fn choice(&self, player: &Contestant, turn: PlayerTurn, signals: &Signals) -> Play {
        let knowledge = player.engine.knowledge();
        let chosen = match self.settings.time {
            None => turn.take(knowledge, signals),
            Some(time) => {
                let left_ms = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
                let turn = turn.with_clock(Some(Clock { left_ms, increment_ms: 0 }));
                within(time, signals, |signals| turn.take(knowledge, signals))
            }
        };
        chosen.play
    }

    /// Returns the losses of these choices.
    fn losses(
        &mut self,
        position: &Position,
        valued: &CorpusTurn,
        listed: &[Play],
        chosen: &[Play],
        numbers: DealNumbers,
        signals: &Signals,
    ) -> Option<Vec<ChoiceLoss>> {
        let first = match listed.iter().position(|play| *play == chosen[0]) {
            Some(at) => ChoiceLoss { win: valued.plays[at].loss, spread: valued.plays[at].spread_loss },
            None => differences(&mut self.oracle, position, &[listed[0], chosen[0]], numbers, signals)?[1],
        };
        let mut different: Vec<Play> = Vec::new();
        for play in chosen {
            if !different.contains(play) {
                different.push(*play);
            }
        }
        let fresh = DealNumbers { first: self.header.deals, deals: self.settings.deals, ..numbers };
        let differences = match different.len() {
            1 => vec![ChoiceLoss { win: 0.0, spread: 0.0 }],
            _ => differences(&mut self.judge, position, &different, fresh, signals)?,
        };
        let of = |play: &Play| different.iter().position(|other| other == play).map(|at| differences[at]).expect("it is among them");
        let sum = |loss: ChoiceLoss| ChoiceLoss { win: first.win + loss.win, spread: first.spread + loss.spread };
        Some(chosen.iter().map(|play| sum(of(play))).collect())
    }
}

/// Returns the [`ScoredTurn::openness`] of a position.
fn openness(knowledge: &Knowledge, position: &Position, seed: u64) -> f64 {
    let rules = position.rules();
    let mut eval = StaticEval::new(rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
    let mut board = LaneBoard::new(rules, position.board(), knowledge.lexicon.graph());
    let mut tiles: Vec<Tile> = position.unseen().plus(position.mover_rack()).tiles().collect();
    let score = |number: u64| {
        randomness::shuffle(&mut tiles, &mut randomness::generator(seed, Stream::Draws, number));
        let rack: Rack = tiles.iter().take(rules.rack_size).copied().collect();
        f64::from(eval.best(&mut board, &StaticTurn::new(&rack, &Rack::EMPTY, position.in_bag())).score)
    };
    (0..OPENNESS_RACKS).map(score).sum::<f64>() / OPENNESS_RACKS as f64
}

/// Returns the loss of each of these plays against the first one, by this oracle.
fn differences(
    oracle: &mut Oracle<'_>,
    position: &Position,
    plays: &[Play],
    numbers: DealNumbers,
    signals: &Signals,
) -> Option<Vec<ChoiceLoss>> {
    let worths = oracle.value(position, plays, numbers, Allocation::Equal, signals)?;
    let of = |play: &Play| worths.iter().find(|worth| worth.play == *play).expect("all are valued");
    let first = of(&plays[0]);
    let loss = |play: &Play| ChoiceLoss { win: of(play).loss - first.loss, spread: of(play).spread_loss - first.spread_loss };
    Some(plays.iter().map(loss).collect())
}

/// A mean with its standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WeightedMean {
    /// The mean; 0 without values.
    pub mean: f64,
    /// Its standard error; 0 with fewer than two values.
    pub error: f64,
}

/// Returns the mean of (weight, value) pairs, and its standard error if the values are independent of each other.
pub fn weighted_mean(values: impl Iterator<Item = (f64, f64)> + Clone) -> WeightedMean {
    let weight: f64 = values.clone().map(|(weight, _)| weight).sum();
    if weight <= 0.0 {
        return WeightedMean::default();
    }
    let mean = values.clone().map(|(weight, value)| weight * value).sum::<f64>() / weight;
    let count = values.clone().count() as f64;
    let squares: f64 = values.map(|(weight, value)| (weight * (value - mean)).powi(2)).sum();
    let error = if count < 2.0 { 0.0 } else { (squares * count / (count - 1.0)).sqrt() / weight };
    WeightedMean { mean, error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;

    #[test]
    fn a_board_is_the_more_open_the_more_plays_score_on_it() {
        let engine = plain_engine();
        let openness = |text: &str| openness(engine.knowledge(), &engine.position(text).unwrap(), 3);
        // A word in the middle, and the same in a corner where hardly anything can be added.
        let middle = openness("15/15/15/15/15/15/15/5RATE6/15/15/15/15/15/15/15 / 0/0 0");
        let none = openness("15/15/15/15/15/15/15/15/15/15/15/15/15/15/13QI / 0/0 0");
        assert!(middle > 20.0 && middle > none, "{middle} {none}");
    }

    #[test]
    fn with_equal_weights_mean_and_error_are_the_usual_ones() {
        let values = [1.0, 4.0, -2.0, 0.5];
        let found = weighted_mean(values.iter().map(|&value| (3.0, value)));
        let mean = values.iter().sum::<f64>() / 4.0;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 3.0;
        assert!((found.mean - mean).abs() < 1e-12 && (found.error - (variance / 4.0).sqrt()).abs() < 1e-12);
        assert_eq!(weighted_mean([(2.0, 5.0)].into_iter()), WeightedMean { mean: 5.0, error: 0.0 });
        assert_eq!(weighted_mean([].into_iter()), WeightedMean::default());
    }

    #[test]
    fn a_turn_that_stands_for_two_counts_twice() {
        let found = weighted_mean([(2.0, 1.0), (1.0, 4.0)].into_iter());
        assert!((found.mean - 2.0).abs() < 1e-12);
    }
}
