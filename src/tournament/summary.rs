//! The summary of each engine for reports: rating, games, times, results against others,
//! and settings.
//!
//! Not here: the statistics from which it is made (`standings.rs`). Start with
//! [`engine_summaries`].

use crate::match_play::time_control::TurnBudget;
use crate::tournament::configuration::{Competitor, CompetitorKind, EngineDialect, PositionForm};
use crate::tournament::standings::{EngineTotals, Rating, TournamentStandings};

/// A row of the table of ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineSummary {
    /// The engine by its number, from 0.
    pub engine: usize,
    /// Its rating.
    pub rating: Rating,
    /// Games that it won; a tie counts half.
    pub won: f64,
    /// What it did in all its games.
    pub totals: EngineTotals,
}

impl EngineSummary {
    /// The share of its games that it won, percent.
    pub fn win_percent(&self) -> f64 {
        100.0 * self.won / self.totals.games.max(1) as f64
    }

    /// The mean time of its turns, milliseconds.
    pub fn ms_per_turn(&self) -> f64 {
        self.totals.total_us as f64 / 1000.0 / self.totals.turns.max(1) as f64
    }

    /// The time of its longest turn, milliseconds.
    pub fn longest_ms(&self) -> f64 {
        self.totals.longest_us as f64 / 1000.0
    }

    /// Something that it did, for one game on the mean.
    pub fn per_game(&self, sum: f64) -> f64 {
        sum / self.totals.games.max(1) as f64
    }

    /// Processor time while the other one was on turn, milliseconds a game.
    pub fn idle_ms(&self) -> f64 {
        self.per_game(self.totals.idle_us as f64 / 1000.0)
    }
}

/// How an engine did against another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter {
    /// Games won, percent.
    pub win_percent: f64,
    /// Its standard error, unless there is one pair alone.
    pub win_error: Option<f64>,
    /// Points ahead in a game.
    pub spread: f64,
    /// Its standard error, unless there is one pair alone.
    pub spread_error: Option<f64>,
}

impl Encounter {
    /// Win % and points with their errors.
    pub fn texts(&self) -> [String; 2] {
        let error = |error: Option<f64>| error.map(|error| format!(" ± {error:.1}")).unwrap_or_default();
        [format!("{:.1}{}", self.win_percent, error(self.win_error)), format!("{:+.1}{}", self.spread, error(self.spread_error))]
    }
}

/// The engines, the best one first.
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

/// How an engine did against another one, if they have met.
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

/// The form in which an engine received positions and times.
pub fn form_of(competitor: &Competitor) -> String {
    let time = &competitor.time;
    match &competitor.kind {
        CompetitorKind::Player(_) if matches!(time.budget(), TurnBudget::Nodes(_)) => "in this process; limits of its own".to_string(),
        CompetitorKind::Player(_) => format!("in this process; {time}"),
        CompetitorKind::Program(program) => {
            let positions = match (program.dialect, program.positions) {
                (EngineDialect::Exec, _) => "exec, a process a turn",
                (EngineDialect::Siu, PositionForm::Moves) => "siu, positions with moves",
                (EngineDialect::Siu, PositionForm::Whole) => "siu, whole positions",
                (EngineDialect::Ucgi, PositionForm::Moves) => "ucgi, positions with moves",
                (EngineDialect::Ucgi, PositionForm::Whole) => "ucgi, whole positions",
            };
            let told = match (time.budget(), program.dialect) {
                (TurnBudget::Clock, EngineDialect::Ucgi) => "; told as clocks",
                (TurnBudget::Clock, _) => "; told as a share for each turn",
                (TurnBudget::Move(_) | TurnBudget::Nodes(_) | TurnBudget::Own, _) => "",
            };
            format!("{positions}; {time}{told}")
        }
    }
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
        // Engine 1 is player a: it wins by 100 points, then the other one begins and there is a tie.
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
        assert_eq!(of.texts(), ["75.0", "+50.0"], "one pair tells no error");
        assert!(encounter(&standings, 0, 2).is_none());
    }
}
