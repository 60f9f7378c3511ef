//! Summaries for reports: of each engine, and of two engines side by side.
//!
//! An engine has its rating, games, times and settings, and its results against others. Two engines have figures from their pairs, and the
//! differences. There are also sentences about copies of an engine, and about the machine. Not here: the statistics behind the summaries
//! (`standings.rs`, `match_play/statistics.rs`). Start with [`engine_summaries`] and [`side_by_side`].

use crate::match_play::adjusted::AdjustedResults;
use crate::match_play::sprt::normalised_elo;
use crate::match_play::statistics::{CONFIDENCE_95, MatchStatistics};
use crate::match_play::time_control::TurnBudget;
use crate::search::race::differences::Moments;
use crate::tournament::configuration::{Competitor, CompetitorKind, EngineDialect, PositionForm};
use crate::tournament::record::MachineSpeed;
use crate::tournament::standings::{EngineTotals, Rating, TournamentStandings};
use std::ops::RangeInclusive;

/// A row of the table of ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineSummary {
    /// The engine by its number, from 0.
    pub engine: usize,
    /// Its rating.
    pub rating: Rating,
    /// Games that it won. A tie counts half.
    pub won: f64,
    /// Its totals over all games.
    pub totals: EngineTotals,
}

impl EngineSummary {
    /// Returns the share of its games that it won, percent.
    pub fn win_percent(&self) -> f64 {
        100.0 * self.won / self.totals.games.max(1) as f64
    }

    /// Returns the mean time of its turns, milliseconds.
    pub fn ms_per_turn(&self) -> f64 {
        self.totals.total_us as f64 / 1000.0 / self.totals.turns.max(1) as f64
    }

    /// Returns the time of its longest turn, milliseconds.
    pub fn longest_ms(&self) -> f64 {
        self.totals.longest_us as f64 / 1000.0
    }

    /// Returns a total divided by the number of games.
    pub fn per_game(&self, sum: f64) -> f64 {
        sum / self.totals.games.max(1) as f64
    }

    /// Returns the processor time during the opponent's turns, milliseconds a game.
    pub fn idle_ms(&self) -> f64 {
        self.per_game(self.totals.idle_us as f64 / 1000.0)
    }
}

/// The result of an engine against another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter {
    /// Games won, percent.
    pub win_percent: f64,
    /// Its standard error, if there are two or more pairs.
    pub win_error: Option<f64>,
    /// Spread, points a game.
    pub spread: f64,
    /// Its standard error, if there are two or more pairs.
    pub spread_error: Option<f64>,
}

impl Encounter {
    /// Returns win % and spread as texts, with their errors.
    pub fn texts(&self) -> [String; 2] {
        let error = |error: Option<f64>| error.map(|error| format!(" ± {error:.1}")).unwrap_or_default();
        [format!("{:.1}{}", self.win_percent, error(self.win_error)), format!("{:+.1}{}", self.spread, error(self.spread_error))]
    }
}

/// Returns a summary of each engine, best first.
pub fn engine_summaries(standings: &TournamentStandings) -> Vec<EngineSummary> {
    let rows = standings.ratings().into_iter().zip(standings.totals()).enumerate();
    let mut rows: Vec<EngineSummary> = rows.map(|(engine, (rating, &totals))| EngineSummary { engine, rating, won: 0.0, totals }).collect();
    for (&[a, b], statistics) in standings.pairings() {
        let games = 2.0 * statistics.pairs() as f64;
        let won = statistics.win.mean * games;
        rows[a].won += won;
        rows[b].won += games - won;
    }
    rows.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
    rows
}

/// Returns the result of an engine against another one, if they have met.
pub fn encounter(standings: &TournamentStandings, engine: usize, opponent: usize) -> Option<Encounter> {
    let found = [(standings.pairing([engine, opponent]), 1.0), (standings.pairing([opponent, engine]), -1.0)];
    let (statistics, sign) = found.into_iter().find_map(|(statistics, sign)| Some((statistics?, sign)))?;
    Some(Encounter {
        win_percent: 50.0 + 100.0 * sign * (statistics.win.mean - 0.5),
        win_error: statistics.win.known_error().map(|error| 100.0 * error),
        spread: sign * statistics.spread.mean,
        spread_error: statistics.spread.known_error(),
    })
}

/// Describes how an engine received positions and times.
pub fn form_of(competitor: &Competitor) -> String {
    let time = &competitor.time;
    match &competitor.kind {
        CompetitorKind::Player(_) if matches!(time.budget(), TurnBudget::Nodes(_)) => "in this process; limits of its own".to_string(),
        CompetitorKind::Player(_) => format!("in this process; {time}"),
        CompetitorKind::Program(program) => {
            let positions = match (program.dialect, program.positions) {
                (EngineDialect::Exec, _) => "exec, one process per turn",
                (EngineDialect::Siu, PositionForm::Moves) => "siu, positions with moves",
                (EngineDialect::Siu, PositionForm::Whole) => "siu, whole positions",
                (EngineDialect::Ucgi, PositionForm::Moves) => "ucgi, positions with moves",
                (EngineDialect::Ucgi, PositionForm::Whole) => "ucgi, whole positions",
            };
            let told = match (time.budget(), program.dialect) {
                (TurnBudget::Clock, EngineDialect::Ucgi) => "; sent as clocks",
                (TurnBudget::Clock, _) => "; sent as a share for each turn",
                (TurnBudget::Move(_) | TurnBudget::Nodes(_) | TurnBudget::Own, _) => "",
            };
            format!("{positions}; {time}{told}")
        }
    }
}

/// The possible results of a pair, as wins of the first engine.
pub const RESULTS: [&str; 5] = ["0", "1/2", "1", "3/2", "2"];

/// The text in place of a standard error.
const NO_ERROR: &str = "no standard error from one pair";

/// A figure that both engines have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BothFigures {
    /// Its label.
    pub name: &'static str,
    /// The value of each engine.
    pub values: [String; 2],
    /// A remark after it, if there is one.
    pub note: String,
}

/// Returns the figures of two engines in their games against each other. `competitors` are these two engines.
pub fn side_by_side(statistics: &MatchStatistics, competitors: [&Competitor; 2]) -> Vec<BothFigures> {
    let row = |name, values, note: String| BothFigures { name, values, note };
    let both = |name, value: &dyn Fn(usize) -> f64, digits: usize| {
        row(name, [0, 1].map(|player| format!("{:.digits$}", value(player))), String::new())
    };
    let counted = |name, values: [u64; 2], note: &str| row(name, values.map(|value| value.to_string()), note.to_string());
    let [losses, ties, wins] = statistics.games;
    let mut rows = vec![
        counted("wins", [wins, losses], &format!("ties {ties}")),
        both("mean score", &|player| statistics.mean_score(player), 1),
        both("bingos per game", &|player| statistics.per_game(statistics.bingos[player]), 2),
        both("turns per game", &|player| statistics.per_game(statistics.turns[player]), 2),
        both("ms per turn", &|player| statistics.ms_per_turn(player), 3),
    ];
    if statistics.counted_games > 0 {
        let games = format!("in {} games", statistics.counted_games);
        rows.push(counted("exchanges", statistics.exchanges, &games));
        rows.push(counted("sacrifices", statistics.sacrifices, &games));
    }
    let times = competitors.map(|competitor| competitor.time);
    if times.iter().any(|time| time.game_ms.is_some()) {
        let is_same = times[0] == times[1];
        let on = times[0].game_ms.filter(|_| is_same).map(|ms| format!("with {ms} ms a game")).unwrap_or_default();
        rows.push(counted("time losses", statistics.time_losses, &on));
        let price = if is_same { format!("{} for each minute begun", times[0].overtime_points) } else { String::new() };
        rows.push(row("overtime points", statistics.penalties.map(|points| points.to_string()), price));
    }
    rows
}

/// Returns the differences between the first engine, called `name`, and the second: labels with their figures.
pub fn differences(statistics: &MatchStatistics, name: &str) -> Vec<(String, String)> {
    let (spread, win) = (&statistics.spread, &statistics.win);
    let mut rows = vec![(format!("spread of {name}"), points_text(spread)), (format!("wins of {name}"), wins_text(win, 0.0..=1.0))];
    let (elo, error) = normalised_elo(&statistics.pentanomial);
    rows.push(("normalised Elo".to_string(), format!("{elo:.1}, standard error {error:.1}")));
    rows.push(("divergent pairs".to_string(), statistics.divergent.to_string()));
    rows.push((format!("pairs by wins of {name}"), pentanomial_text(&statistics.pentanomial)));
    rows
}

/// Returns spread and wins without the luck of the draws, if it was estimated.
pub fn adjusted_differences(statistics: &MatchStatistics, name: &str) -> Option<[(String, String); 2]> {
    let AdjustedResults { spread, win } = &statistics.adjusted;
    let (spread_worth, win_worth) = (spread.worth_in_pairs()?, win.worth_in_pairs()?);
    let (points, wins) = (&spread.adjusted, &win.adjusted);
    Some([
        (format!("spread of {name}"), format!("{}, worth {spread_worth:.2} times as many pairs", points_text(points))),
        (
            format!("wins of {name}"),
            // Without luck, a result may lie below 0 or above 1.
            format!("{}, worth {win_worth:.2} times as many pairs", wins_text(wins, f64::NEG_INFINITY..=f64::INFINITY)),
        ),
    ])
}

/// Returns points a game with their error.
fn points_text(points: &Moments) -> String {
    let error = points.known_error().map_or_else(|| NO_ERROR.to_string(), |error| format!("standard error {error:.2}"));
    format!("{:.2} points a game, {error}", points.mean)
}

/// Returns a share with its error and its 95 % interval, which is cut off at `ends`.
fn wins_text(share: &Moments, ends: RangeInclusive<f64>) -> String {
    let error = share.known_error().map_or_else(
        || NO_ERROR.to_string(),
        |error| {
            let [low, high] = [-CONFIDENCE_95, CONFIDENCE_95].map(|reach| (share.mean + reach * error).clamp(*ends.start(), *ends.end()));
            format!("standard error {:.2}, 95 %: {:.2} to {:.2}", 100.0 * error, 100.0 * low, 100.0 * high)
        },
    );
    format!("{:.2} %, {error}", 100.0 * share.mean)
}

/// Writes counts of pairs: `0: 3, 1/2: 0, 1: 5, 3/2: 0, 2: 2`.
fn pentanomial_text(pentanomial: &[u64; 5]) -> String {
    let counts: Vec<String> = RESULTS.iter().zip(pentanomial).map(|(wins, pairs)| format!("{wins}: {pairs}")).collect();
    counts.join(", ")
}

/// The difference between an engine and its copy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CopyDifference {
    /// The engine by its number, from 0.
    pub engine: usize,
    /// Games won beyond one half, percent.
    pub percent: f64,
    /// Its standard error, if there are two or more pairs.
    pub error: Option<f64>,
}

impl CopyDifference {
    /// Returns the difference with its error.
    pub fn text(&self) -> String {
        let error = self.error.map(|error| format!(" ± {error:.2}")).unwrap_or_default();
        format!("{:+.2}{error} %", self.percent)
    }

    /// Judges whether chance explains the difference.
    pub fn verdict(&self) -> &'static str {
        match self.error {
            None => NO_ERROR,
            Some(error) if self.percent.abs() <= CONFIDENCE_95 * error => "within chance",
            Some(_) => "more than chance explains in 95 of 100 runs: check load, clocks and memory",
        }
    }
}

/// Returns the differences between engines and copies of themselves.
pub fn copy_differences(standings: &TournamentStandings) -> Vec<CopyDifference> {
    let row = |(&[engine, _], statistics): (&[usize; 2], &MatchStatistics)| CopyDifference {
        engine,
        percent: 100.0 * statistics.win.mean - 50.0,
        error: statistics.win.known_error().map(|error| 100.0 * error),
    };
    standings.pairings().map(row).collect()
}

/// Reports how much engines that play at the same time slow each other down.
pub fn machine_text(machine: MachineSpeed) -> String {
    let MachineSpeed { alone, at_once, together } = machine;
    let share = 100.0 * together / alone.max(1e-9);
    format!(
        "machine at the start: a static player plays {alone:.0} turns a second alone, and {together:.0} with {at_once} at once ({share:.0} %)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::record::PairRecord;
    use serde_json::json;

    #[test]
    fn games_times_and_results_are_counted_for_both_engines() {
        let game = |scores: [i32; 2], times: &[u64]| {
            let plays: Vec<_> = times.iter().map(|time| json!({ "play": "pass", "score": 0, "time_us": time })).collect();
            json!({ "scores": scores, "turns": [0, 0], "bingos": [0, 0], "time_us": [0, 0], "plays": plays })
        };
        // Engine 1 is player a. It wins by 100 points. Then the other engine begins, and the game is a tie.
        let games = [game([400, 300], &[1000, 20, 3000]), game([350, 350], &[40, 5000])];
        let pair = json!({ "pair": 0, "deal": 0, "engines": [1, 0], "configuration": "", "bag": "", "divergent": true, "games": games });
        let pairs: Vec<PairRecord> = vec![serde_json::from_value(pair).unwrap()];
        let mut standings = TournamentStandings::new(3);
        standings.add(&pairs[0]);
        let rows = engine_summaries(&standings);
        assert_eq!(rows.iter().map(|row| row.engine).collect::<Vec<_>>(), [1, 2, 0]);
        let counted = |row: &EngineSummary| (row.totals.games, row.won, row.totals.turns, row.totals.total_us, row.totals.longest_us);
        assert_eq!(counted(&rows[0]), (2, 1.5, 3, 9000, 5000));
        assert_eq!(counted(&rows[2]), (2, 0.5, 2, 60, 40));
        assert_eq!((rows[0].win_percent(), rows[0].ms_per_turn(), rows[0].longest_ms()), (75.0, 3.0, 5.0));
        assert_eq!((rows[1].totals.games, rows[1].win_percent(), rows[1].ms_per_turn()), (0, 0.0, 0.0));
        let (of, against) = (encounter(&standings, 1, 0).unwrap(), encounter(&standings, 0, 1).unwrap());
        assert_eq!((of.win_percent, of.spread, against.win_percent, against.spread), (75.0, 50.0, 25.0, -50.0));
        assert_eq!(of.texts(), ["75.0", "+50.0"], "no error from one pair");
        assert!(encounter(&standings, 0, 2).is_none());
    }

    #[test]
    fn copies_are_judged_by_their_error() {
        let verdict = |percent| CopyDifference { engine: 0, percent, error: Some(1.0) }.verdict();
        assert_eq!((verdict(1.9), verdict(-1.9)), ("within chance", "within chance"));
        assert!(verdict(-2.0).starts_with("more than chance"));
        let of_one_pair = CopyDifference { engine: 0, percent: 50.0, error: None };
        assert_eq!((of_one_pair.text().as_str(), of_one_pair.verdict()), ("+50.00 %", "no standard error from one pair"));
    }

    #[test]
    fn intervals_of_plain_shares_end_where_shares_do() {
        let mut shares = Moments::default();
        shares.add(0.97);
        assert_eq!(wins_text(&shares, 0.0..=1.0), "97.00 %, no standard error from one pair");
        assert_eq!(points_text(&shares), "0.97 points a game, no standard error from one pair");
        shares.add(1.01);
        assert_eq!(wins_text(&shares, 0.0..=1.0), "99.00 %, standard error 2.00, 95 %: 95.08 to 100.00");
        assert!(wins_text(&shares, f64::NEG_INFINITY..=f64::INFINITY).ends_with("to 102.92"));
        assert_eq!(pentanomial_text(&[3, 0, 5, 0, 2]), "0: 3, 1/2: 0, 1: 5, 3/2: 0, 2: 2");
    }
}
