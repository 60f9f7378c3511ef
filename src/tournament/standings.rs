//! The standings of a tournament: statistics of each pairing, faults, and ratings with their
//! errors.
//!
//! Ratings follow the model of Bradley and Terry on the scale of Elo: an engine that is 400 points ahead
//! wins ten games of eleven. The unit is the pair, since its two games share their luck. Errors are those
//! of the sandwich estimator over pairs. Each pairing gets one drawn pair in addition to those played, so
//! that an engine that wins everything still has a rating. Start with [`TournamentStandings::add`].

use crate::match_play::game::MatchPlayer;
use crate::match_play::statistics::MatchStatistics;
use crate::rules::Objective;
use crate::tournament::fault::FaultReason;
use crate::tournament::record::{GameRecord, PairRecord};
use std::collections::BTreeMap;

/// Points of Elo for each factor of e in the odds.
const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// Rounds of Newton's method, each of which doubles the number of correct digits.
const NEWTON_ROUNDS: usize = 60;

/// Holds engines that have not played at 0. It is too weak to affect the ratings of the others.
const RIDGE: f64 = 1e-9;

/// The drawn pairs that each pairing gets in addition to those played.
const PRIOR_PAIRS: f64 = 1.0;

/// The results of a tournament so far.
#[derive(Clone, Debug, Default)]
pub struct TournamentStandings {
    engines: usize,
    /// By pairing. The statistics are from the side of the first engine.
    pairings: BTreeMap<[usize; 2], MatchStatistics>,
    /// Games that each engine lost by each fault.
    faults: BTreeMap<(usize, FaultReason), u64>,
    /// The totals of each engine.
    totals: Vec<EngineTotals>,
    /// The objective of the game.
    objective: Objective,
    pairs: u64,
}

/// The totals of an engine over all its games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineTotals {
    /// Games.
    pub games: u64,
    /// Turns.
    pub turns: u64,
    /// The time of all turns, microseconds.
    pub total_us: u64,
    /// The longest turn, microseconds.
    pub longest_us: u64,
    /// Processor time during the opponent's turns, microseconds.
    pub idle_us: u64,
    /// Points, including the costs of overtime and faults.
    pub points: i64,
    /// Plays of a whole rack.
    pub bingos: u64,
}

/// The rating of an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo. The mean of all engines is 0.
    pub elo: f64,
    /// Its standard error.
    pub error: f64,
}

impl TournamentStandings {
    /// Returns standings without games, for `engines` engines that play for the most points.
    pub fn new(engines: usize) -> TournamentStandings {
        TournamentStandings::of(engines, Objective::MostPoints)
    }

    /// Returns standings without games, for engines that play for this objective.
    pub fn of(engines: usize, objective: Objective) -> TournamentStandings {
        TournamentStandings { engines, objective, totals: vec![EngineTotals::default(); engines], ..TournamentStandings::default() }
    }

    /// Adds a pair.
    pub fn add(&mut self, pair: &PairRecord) {
        let result = pair.result();
        let objective = self.objective;
        self.pairings.entry(pair.engines).or_insert_with(|| MatchStatistics::of(objective)).add(&result);
        for fault in pair.games.iter().filter_map(|game| game.fault.as_ref()) {
            *self.faults.entry((pair.engines[fault.player & 1], fault.reason)).or_default() += 1;
        }
        for (begins, game) in MatchPlayer::BOTH.into_iter().zip(&pair.games) {
            for (player, engine) in MatchPlayer::BOTH.into_iter().zip(pair.engines) {
                self.totals[engine].add(game, player, begins);
            }
        }
        self.pairs += 1;
    }

    /// Counts the pairs so far.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Returns the totals of each engine.
    pub fn totals(&self) -> &[EngineTotals] {
        &self.totals
    }

    /// Returns the statistics of two engines, from the side of the first, if they have met in this order.
    pub fn pairing(&self, engines: [usize; 2]) -> Option<&MatchStatistics> {
        self.pairings.get(&engines)
    }

    /// Iterates over all pairings with their statistics.
    pub fn pairings(&self) -> impl Iterator<Item = (&[usize; 2], &MatchStatistics)> {
        self.pairings.iter()
    }

    /// Iterates over the faults: engine, reason, number of games lost.
    pub fn faults(&self) -> impl Iterator<Item = (usize, FaultReason, u64)> + '_ {
        self.faults.iter().map(|(&(engine, reason), &games)| (engine, reason, games))
    }

    /// Returns the ratings of all engines. Engines that have not played are at 0, with an infinite error.
    pub fn ratings(&self) -> Vec<Rating> {
        let mut strengths = vec![0.0; self.engines];
        for _ in 0..NEWTON_ROUNDS {
            let (gradient, curvature) = self.slopes(&strengths);
            let Some(step) = solve(curvature, gradient) else { break };
            // A step that overshoots into the flat part of the curve would never come back.
            strengths.iter_mut().zip(&step).for_each(|(strength, step)| *strength += step.clamp(-1.0, 1.0));
        }
        let errors = self.errors(&strengths);
        strengths.iter().zip(errors).map(|(strength, error)| Rating { elo: ELO_PER_UNIT * strength, error: ELO_PER_UNIT * error }).collect()
    }

    /// Returns the gradient of the likelihood, and its curvature with the mean of all strengths held at 0.
    fn slopes(&self, strengths: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let size = self.engines;
        let mut gradient = vec![0.0; size];
        let mut curvature = vec![vec![1.0 / size as f64; size]; size];
        for (&[a, b], statistics) in &self.pairings {
            let expected = win_chance(strengths[a] - strengths[b]);
            let (won, pairs) =
                (statistics.win.mean * statistics.pairs() as f64 + PRIOR_PAIRS / 2.0, statistics.pairs() as f64 + PRIOR_PAIRS);
            gradient[a] += won - pairs * expected;
            gradient[b] -= won - pairs * expected;
            let weight = pairs * expected * (1.0 - expected);
            for (at, other) in [(a, b), (b, a)] {
                curvature[at][at] += weight;
                curvature[at][other] -= weight;
            }
        }
        // The mean is held in place.
        let mean = strengths.iter().sum::<f64>() / size as f64;
        for engine in 0..size {
            gradient[engine] -= mean + RIDGE * strengths[engine];
            curvature[engine][engine] += RIDGE;
        }
        (gradient, curvature)
    }

    /// Returns the standard errors: the square roots of the diagonal of `H^-1 S H^-1`, where `S` sums the squared gradients of single pairs.
    fn errors(&self, strengths: &[f64]) -> Vec<f64> {
        let (_, curvature) = self.slopes(strengths);
        let mut squares = vec![0.0; self.engines];
        for engine in 0..self.engines {
            let mut unit = vec![0.0; self.engines];
            unit[engine] = 1.0;
            // Row `engine` of the inverse, which is symmetric.
            let Some(row) = solve(curvature.clone(), unit) else { return vec![f64::INFINITY; self.engines] };
            squares[engine] = self
                .pairings
                .iter()
                .flat_map(|(&[a, b], statistics)| {
                    let slope = row[a] - row[b];
                    let expected = win_chance(strengths[a] - strengths[b]);
                    let shares = statistics.pentanomial.iter().enumerate();
                    shares.map(move |(half_wins, &pairs)| pairs as f64 * (slope * (half_wins as f64 / 4.0 - expected)).powi(2))
                })
                .sum();
            let has_played = self.pairings.keys().any(|engines| engines.contains(&engine));
            if !has_played {
                squares[engine] = f64::INFINITY;
            }
        }
        squares.into_iter().map(f64::sqrt).collect()
    }
}

impl EngineTotals {
    /// Adds a player's game of a pair. The player `begins` began it.
    fn add(&mut self, game: &GameRecord, player: MatchPlayer, begins: MatchPlayer) {
        let (result, at) = (&game.result, player.index());
        self.games += 1;
        self.idle_us += game.idle_us[at];
        self.points += i64::from(result.scores[at]);
        self.bingos += u64::from(result.bingos[at]);
        if game.plays.is_empty() {
            // Results of old matches have no moves.
            self.turns += u64::from(result.turns[at]);
            self.total_us += result.time_us[at];
        }
        for turn in game.plays.iter().skip(player.seat(begins).index()).step_by(2) {
            self.turns += 1;
            self.total_us += turn.time_us;
            self.longest_us = self.longest_us.max(turn.time_us);
        }
    }
}

fn win_chance(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// Solves a small system of linear equations by elimination with pivots. `None` if it is singular.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-15 {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let (above, below) = matrix.split_at_mut(column + 1);
        let pivot_row = &above[column];
        let pivot_right = right[column];
        for (row, right) in below.iter_mut().zip(&mut right[column + 1..]) {
            let factor = row[column] / pivot_row[column];
            row.iter_mut().zip(pivot_row).for_each(|(value, pivot)| *value -= factor * pivot);
            *right -= factor * pivot_right;
        }
    }
    for column in (0..size).rev() {
        let known: f64 = (column + 1..size).map(|at| matrix[column][at] * right[at]).sum();
        right[column] = (right[column] - known) / matrix[column][column];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_play::pairs::GameResult;
    use crate::tournament::record::FaultRecord;

    /// Returns a pair in which the first engine has `half_wins` half wins.
    fn pair(engines: [usize; 2], half_wins: i32) -> PairRecord {
        let game = |half_wins: i32| {
            let scores = [400 + 10 * (half_wins - 1), 400];
            let result = GameResult {
                scores,
                penalties: [0; 2],
                turns: [10; 2],
                bingos: [1; 2],
                time_us: [0; 2],
                overstepped: [false; 2],
                luck: None,
                counts: None,
            };
            GameRecord { result, plays: Vec::new(), idle_us: [0; 2], fault: None }
        };
        let games = [game(half_wins.min(2)), game((half_wins - 2).max(0))];
        PairRecord { pair: 0, deal: 0, engines, start: None, bag: String::new(), divergent: true, games }
    }

    #[test]
    fn two_engines_are_apart_by_the_odds_of_their_results() {
        let mut standings = TournamentStandings::new(2);
        for _ in 0..25 {
            [4, 3, 3, 2].into_iter().for_each(|half_wins| standings.add(&pair([0, 1], half_wins)));
        }
        let [a, b] = standings.ratings()[..] else { panic!("two ratings") };
        // 75 points of 100, and half a point of one for the drawn pair.
        let expected = 400.0 * (75.5f64 / 25.5).log10();
        assert!((a.elo - b.elo - expected).abs() < 1e-6 && (a.elo + b.elo).abs() < 1e-6, "{a:?} {b:?}");
        // The share of 0.75 has a standard error of sqrt(1/8/4/100) by its pairs. The slope of the rating multiplies it.
        let share = 75.5 / 101.0;
        let squares: f64 = [1.0, 0.75, 0.75, 0.5].iter().map(|result: &f64| 25.0 * (result - share).powi(2)).sum();
        let slope = ELO_PER_UNIT / (share * (1.0 - share) * 101.0);
        assert!((2.0 * a.error - slope * squares.sqrt()).abs() < 1e-6, "{a:?}");
        assert!((a.error - b.error).abs() < 1e-9);
    }

    #[test]
    fn an_engine_that_wins_everything_has_a_finite_rating() {
        let mut standings = TournamentStandings::new(3);
        for _ in 0..500 {
            standings.add(&pair([0, 1], 4));
        }
        let ratings = standings.ratings();
        assert!(ratings.iter().all(|rating| rating.elo.is_finite()), "{ratings:?}");
        assert!(ratings[0].elo > 500.0 && ratings[1].elo < -500.0, "{ratings:?}");
        // The third engine has not played.
        assert!(ratings[2].error.is_infinite(), "{ratings:?}");
    }

    #[test]
    fn ratings_add_up_over_common_opponents() {
        let mut standings = TournamentStandings::new(3);
        for _ in 0..200 {
            [3, 2].into_iter().for_each(|half_wins| {
                standings.add(&pair([0, 1], half_wins));
                standings.add(&pair([1, 2], half_wins));
            });
        }
        let elos: Vec<f64> = standings.ratings().iter().map(|rating| rating.elo).collect();
        assert!((elos[0] + elos[2]).abs() < 1e-6 && elos[1].abs() < 1e-6 && elos[0] > 60.0, "{elos:?}");
    }

    #[test]
    fn faults_are_counted_by_engine_and_reason() {
        let mut record = pair([1, 2], 2);
        record.games[1].fault = Some(FaultRecord { player: 1, reason: FaultReason::Late, text: String::new() });
        let mut standings = TournamentStandings::new(3);
        (0..2).for_each(|_| standings.add(&record));
        assert_eq!(standings.faults().collect::<Vec<_>>(), [(2, FaultReason::Late, 2)]);
        assert_eq!((standings.pairs(), standings.pairing([1, 2]).unwrap().pairs()), (2, 2));
    }
}
