//! The numbers of the plots, from the pairs of a journal.
//!
//! Games that a fault ended are no evidence of playing strength. They count for ratings and times,
//! but not for scores and reported chances. Not here: the drawing (`plots.rs`).

use crate::formats::cgp;
use crate::match_play::game::MatchPlayer;
use crate::match_play::pairs::GameResult;
use crate::match_play::statistics::CONFIDENCE_95;
use crate::pages::chart::round_step;
use crate::rules::notation::{apply_move, parse_move};
use crate::rules::{GameRules, Objective, Position, Rack, Seat};
use crate::search::phase::{Phase, TABLE};
use crate::search::race::differences::Moments;
use crate::tournament::record::{GameRecord, PairRecord, TurnRecord};
use crate::tournament::standings::{Rating, TournamentStandings};
use crate::training::calibration::{CalibrationLine, Reliability};
use std::sync::Arc;

/// The most points of a course. Each point computes all ratings.
const COURSE_POINTS: usize = 50;

/// The approximate number of bins of a distribution.
const DISTRIBUTION_BINS: f64 = 24.0;

/// The ratings after some of the pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct CoursePoint {
    /// Pairs of the whole tournament so far.
    pub pairs: usize,
    /// By engine.
    pub ratings: Vec<Rating>,
}

/// Returns the ratings over the tournament, at even distances. The last point is the end.
pub fn rating_course(engines: usize, pairs: &[PairRecord]) -> Vec<CoursePoint> {
    let points = pairs.len().min(COURSE_POINTS);
    let mut standings = TournamentStandings::new(engines);
    let mut course = Vec::new();
    for point in 1..=points {
        let end = point * pairs.len() / points;
        let played = standings.pairs() as usize;
        pairs[played..end].iter().for_each(|pair| standings.add(pair));
        course.push(CoursePoint { pairs: end, ratings: standings.ratings() });
    }
    course
}

/// The distributions of a figure of games, by engine, in bins that all engines share.
#[derive(Clone, Debug, PartialEq)]
pub struct Distributions {
    /// The least value of the first bin.
    pub first: i32,
    /// The width of a bin.
    pub step: i32,
    /// By engine.
    pub engines: Vec<Distribution>,
}

/// The distribution of a figure of an engine's games.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// Games by bin.
    pub counts: Vec<u64>,
    /// Their mean and variance.
    pub moments: Moments,
    /// The least, the median and the greatest.
    pub least_median_most: [i32; 3],
}

impl Distributions {
    /// Returns the number of bins.
    pub fn bins(&self) -> usize {
        self.engines.iter().map(|engine| engine.counts.len()).max().unwrap_or(0)
    }

    /// Returns the greatest share of an engine's games in one bin.
    pub fn greatest_share(&self) -> f64 {
        let share = |engine: &Distribution| engine.counts.iter().copied().max().unwrap_or(0) as f64 / engine.moments.count.max(1) as f64;
        self.engines.iter().map(share).fold(0.0, f64::max)
    }

    /// Returns the distributions of values by engine.
    fn of(values: &[Vec<i32>]) -> Distributions {
        let all = || values.iter().flatten().copied();
        let (least, most) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
        let step = round_step(f64::from(most - least) / DISTRIBUTION_BINS).max(5.0) as i32;
        let first = least.div_euclid(step) * step;
        let bins = ((most - first) / step + 1) as usize;
        let distribution = |values: &Vec<i32>| {
            let mut counts = vec![0; bins];
            let mut moments = Moments::default();
            let mut sorted = values.clone();
            sorted.sort_unstable();
            for &value in &sorted {
                counts[((value - first) / step) as usize] += 1;
                moments.add(f64::from(value));
            }
            let least_median_most = [0.0, 0.5, 1.0].map(|share| quantile(&sorted, share).unwrap_or(0));
            Distribution { counts, moments, least_median_most }
        };
        Distributions { first, step, engines: values.iter().map(distribution).collect() }
    }
}

/// Returns the distributions of final scores, and of spreads.
pub fn scores_and_spreads(engines: usize, pairs: &[PairRecord]) -> [Distributions; 2] {
    let (mut scores, mut spreads) = (vec![Vec::new(); engines], vec![Vec::new(); engines]);
    for (pair, game) in pairs.iter().flat_map(|pair| finished(pair).map(move |(_, game)| (pair, game))) {
        let result = &game.result;
        for (player, &engine) in pair.engines.iter().enumerate() {
            scores[engine].push(result.scores[player]);
            spreads[engine].push(result.scores[player] - result.scores[1 - player]);
        }
    }
    [Distributions::of(&scores), Distributions::of(&spreads)]
}

/// Returns the games of a pair that no fault ended, each with the player who began it.
fn finished(pair: &PairRecord) -> impl Iterator<Item = (MatchPlayer, &GameRecord)> {
    MatchPlayer::BOTH.into_iter().zip(&pair.games).filter(|(_, game)| game.fault.is_none())
}

/// Returns the least value that a share of all values, 0 to 1, does not exceed.
fn quantile<T: Copy>(sorted: &[T], share: f64) -> Option<T> {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied()
}

/// Times of turns, microseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnTimeSummary {
    /// Their number.
    pub turns: usize,
    /// Their mean.
    pub mean_us: f64,
    /// The median.
    pub median_us: u64,
    /// The time that nine of ten turns do not exceed.
    pub ninetieth_us: u64,
    /// The longest.
    pub longest_us: u64,
}

impl TurnTimeSummary {
    fn of(times: &mut [u64]) -> Option<TurnTimeSummary> {
        times.sort_unstable();
        Some(TurnTimeSummary {
            turns: times.len(),
            mean_us: times.iter().map(|&time| time as f64).sum::<f64>() / times.len() as f64,
            median_us: quantile(times, 0.5)?,
            ninetieth_us: quantile(times, 0.9)?,
            longest_us: quantile(times, 1.0)?,
        })
    }
}

/// Returns the times of turns by engine and phase, in the order of [`TABLE`]. Turns whose moves cannot be read have no phase and are
/// left out.
pub fn phase_times(rules: &Arc<GameRules>, engines: usize, pairs: &[PairRecord]) -> Vec<[Option<TurnTimeSummary>; TABLE.len()]> {
    let mut times: Vec<[Vec<u64>; TABLE.len()]> = vec![Default::default(); engines];
    for pair in pairs {
        let Some(start) = start_of(rules, pair) else { continue };
        for (begins, game) in MatchPlayer::BOTH.into_iter().zip(&pair.games) {
            for (at, (turn, in_bag)) in game.plays.iter().zip(tiles_in_bag(&start, &game.plays)).enumerate() {
                times[pair.engines[MatchPlayer::at(Seat::after_turns(at), begins).index()]][Phase::of(in_bag) as usize].push(turn.time_us);
            }
        }
    }
    times.iter_mut().map(|phases| phases.each_mut().map(|times| TurnTimeSummary::of(times))).collect()
}

/// Returns the position that a pair's games began from, without racks. The board alone gives the number of tiles in the bag.
fn start_of(rules: &Arc<GameRules>, pair: &PairRecord) -> Option<Position> {
    let Some(text) = &pair.start else { return Some(Position::start(Arc::clone(rules))) };
    let mut position = cgp::parse(text, rules).ok()?.position;
    Seat::BOTH.into_iter().try_for_each(|seat| position.set_rack(seat, &Rack::EMPTY)).ok()?;
    Some(position)
}

/// Counts the tiles in the bag before each turn, up to the first move that cannot be read.
fn tiles_in_bag(start: &Position, plays: &[TurnRecord]) -> Vec<usize> {
    let mut position = start.clone();
    let mut in_bag = Vec::new();
    for turn in plays {
        let Ok(read) = parse_move(&turn.play, &position) else { break };
        in_bag.push(position.in_bag());
        let Ok(next) = apply_move(&position, &read) else { break };
        position = next;
    }
    in_bag
}

/// Describes the numbers of tiles in the bag of a phase.
pub fn phase_tiles(at: usize) -> String {
    tiles_text(TABLE[at].least_in_bag, at.checked_sub(1).map(|before| TABLE[before].least_in_bag - 1))
}

fn tiles_text(least: usize, most: Option<usize>) -> String {
    match most {
        None => format!("{least} or more"),
        Some(most) if most == least => format!("{least}"),
        Some(most) => format!("{least} to {most}"),
    }
}

/// Returns the reported chances of winning with their results, by engine. An engine that reports none has no predictions.
pub fn calibrations(engines: usize, pairs: &[PairRecord]) -> Vec<Reliability> {
    let mut calibrations = vec![Reliability::default(); engines];
    for pair in pairs {
        for (begins, game) in finished(pair) {
            for (at, turn) in game.plays.iter().enumerate() {
                let player = MatchPlayer::at(Seat::after_turns(at), begins);
                if let Some(told) = told_win(turn) {
                    calibrations[pair.engines[player.index()]].add(told, win_of(&game.result, player));
                }
            }
        }
    }
    calibrations
}

/// Returns the chance of winning that an engine reported on a turn, 0 to 1. Returns `None` if the number is not a percentage.
fn told_win(turn: &TurnRecord) -> Option<f64> {
    turn.told.and_then(|told| told.wp).filter(|percent| (0.0..=100.0).contains(percent)).map(|percent| percent / 100.0)
}

/// The least number of tiles in the bag for each row of [`calibrations_by_bag`].
pub const BAG_ROWS: [usize; 7] = [25, 15, 10, 5, 3, 1, 0];

/// The chances, 0 to 1, that an engine reported on turns of a pair of games, each with the result of its game.
type PairTurns = Vec<(f64, f64)>;

/// The chances that an engine reported, and the results, over turns with similar numbers of tiles in the bag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToldAndWon {
    /// The turns.
    pub turns: usize,
    /// The mean of the reported chances, 0 to 1.
    pub told: f64,
    /// The mean result of their games, 0 to 1.
    pub won: f64,
    /// The standard error of `told - won`. All turns of a pair of games are one observation, since they share the result or the tiles.
    /// `None` with fewer than two pairs.
    pub error: Option<f64>,
    /// How the results follow from the reported chances, if there are enough of them.
    pub line: Option<CalibrationLine>,
}

impl ToldAndWon {
    /// Returns by how much the reported chances are too high.
    pub fn excess(&self) -> f64 {
        self.told - self.won
    }

    /// Returns the means over the turns of all pairs, by pair: reported chances with their results.
    fn of(pairs: &[PairTurns]) -> Option<ToldAndWon> {
        let [turns, told, won] = pairs.iter().flatten().fold([0.0; 3], |sum, (told, won)| [sum[0] + 1.0, sum[1] + told, sum[2] + won]);
        if turns == 0.0 {
            return None;
        }
        let mean = (told - won) / turns;
        // The standard error of a ratio of two sums over independent pairs.
        let squares: f64 = pairs.iter().map(|of_pair| of_pair.iter().map(|(told, won)| told - won - mean).sum::<f64>().powi(2)).sum();
        let many = pairs.len() as f64;
        let error = (pairs.len() > 1).then(|| (squares * many / (many - 1.0)).sqrt() / turns);
        Some(ToldAndWon { turns: turns as usize, told: told / turns, won: won / turns, error, line: CalibrationLine::fit(pairs) })
    }
}

/// Returns the reported chances and the results by the tiles in the bag, in rows of [`BAG_ROWS`], for each engine, and then for all engines
/// together: where one engine won more than it should have, another won less. Turns after a move that cannot be read are left out.
pub fn calibrations_by_bag(rules: &Arc<GameRules>, engines: usize, pairs: &[PairRecord]) -> Vec<[Option<ToldAndWon>; BAG_ROWS.len()]> {
    let mut by_pair: Vec<[Vec<PairTurns>; BAG_ROWS.len()]> = vec![Default::default(); engines + 1];
    for pair in pairs {
        let Some(start) = start_of(rules, pair) else { continue };
        let mut of_pair: Vec<[PairTurns; BAG_ROWS.len()]> = vec![Default::default(); engines + 1];
        for (begins, game) in finished(pair) {
            for (at, (turn, in_bag)) in game.plays.iter().zip(tiles_in_bag(&start, &game.plays)).enumerate() {
                let player = MatchPlayer::at(Seat::after_turns(at), begins);
                let (Some(told), Some(row)) = (told_win(turn), BAG_ROWS.iter().position(|&least| in_bag >= least)) else { continue };
                let turn = (told, win_of(&game.result, player));
                of_pair[pair.engines[player.index()]][row].push(turn);
                of_pair[engines][row].push(turn);
            }
        }
        for (engine, rows) in of_pair.into_iter().enumerate() {
            rows.into_iter().enumerate().filter(|(_, turns)| !turns.is_empty()).for_each(|(row, turns)| by_pair[engine][row].push(turns));
        }
    }
    by_pair.iter().map(|rows| rows.each_ref().map(|pairs| ToldAndWon::of(pairs))).collect()
}

/// Describes the numbers of tiles in the bag of a row of [`BAG_ROWS`].
pub fn bag_row_tiles(row: usize) -> String {
    tiles_text(BAG_ROWS[row], row.checked_sub(1).map(|before| BAG_ROWS[before] - 1))
}

/// Returns 1 for a game that the player won, one half for a tie, and 0 for a loss.
fn win_of(result: &GameResult, player: MatchPlayer) -> f64 {
    let of_first = result.half_wins(Objective::MostPoints) as f64 / 2.0;
    if player == MatchPlayer::A { of_first } else { 1.0 - of_first }
}

/// Returns the 95 % confidence bounds of a probability, if `share` of `tries` independent trials
/// succeeded [Wilson 1927].
pub fn share_bounds(share: f64, tries: u64) -> [f64; 2] {
    let tries = tries.max(1) as f64;
    let square = CONFIDENCE_95 * CONFIDENCE_95;
    let middle = share + square / (2.0 * tries);
    let reach = CONFIDENCE_95 * (share * (1.0 - share) / tries + square / (4.0 * tries * tries)).sqrt();
    [-1.0, 1.0].map(|sign| ((middle + sign * reach) / (1.0 + square / tries)).clamp(0.0, 1.0))
}

/// Counts the games that a fault ended, and all games.
pub fn faulty_games(pairs: &[PairRecord]) -> [usize; 2] {
    let finished: usize = pairs.iter().map(|pair| finished(pair).count()).sum();
    [2 * pairs.len() - finished, 2 * pairs.len()]
}
