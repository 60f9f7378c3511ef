//! The statistics of a match. The unit is the pair: its two games share their luck,
//! so errors are computed over pairs. All figures are from the side of player a, and are summed in the
//! order of pairs.

use crate::match_play::adjusted::AdjustedResults;
use crate::match_play::pairs::PairResult;
use crate::rules::Objective;
use crate::search::race::differences::Moments;

/// The number of standard errors around the mean that contain 95 % of a normal distribution.
pub const CONFIDENCE_95: f64 = 1.96;

/// Sums over the pairs of a match.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchStatistics {
    /// The objective of the game.
    objective: Objective,
    /// Share of a pair's two games that a won, 0 to 1. A tie counts half.
    pub win: Moments,
    /// Spread of a pair for a, points a game.
    pub spread: Moments,
    /// Pairs by half wins of a: 0, 1/2, 1, 3/2, 2 wins.
    pub pentanomial: [u64; 5],
    /// Games that a lost, tied, won.
    pub games: [u64; 3],
    /// Pairs whose games are not mirror images.
    pub divergent: u64,
    /// Points by player.
    pub points: [i64; 2],
    /// Turns by player.
    pub turns: [u64; 2],
    /// Bingos by player.
    pub bingos: [u64; 2],
    /// Time by player, microseconds.
    pub time_us: [u64; 2],
    /// Games in which the player overstepped the clock.
    pub time_losses: [u64; 2],
    /// Points lost by overtime.
    pub penalties: [i64; 2],
    /// The results without luck, of pairs whose luck was estimated.
    pub adjusted: AdjustedResults,
    /// Games in which exchanges and sacrifices were counted.
    pub counted_games: u64,
    /// Exchanges by player in these games.
    pub exchanges: [u64; 2],
    /// Sacrifices by player in these games.
    pub sacrifices: [u64; 2],
}

impl MatchStatistics {
    /// Returns statistics without pairs, for players with this objective. The default is most points.
    pub fn of(objective: Objective) -> MatchStatistics {
        MatchStatistics { objective, ..MatchStatistics::default() }
    }

    /// Adds a pair.
    pub fn add(&mut self, pair: &PairResult) {
        self.win.add(pair.win_share(self.objective));
        self.spread.add(pair.spread(self.objective));
        self.adjusted.add(pair, self.objective);
        self.pentanomial[pair.half_wins(self.objective)] += 1;
        self.divergent += u64::from(pair.divergent);
        for game in &pair.games {
            self.games[game.half_wins(self.objective)] += 1;
            for player in 0..2 {
                self.points[player] += i64::from(game.scores[player]);
                self.turns[player] += u64::from(game.turns[player]);
                self.bingos[player] += u64::from(game.bingos[player]);
                self.time_us[player] += game.time_us[player];
                self.time_losses[player] += u64::from(game.overstepped[player]);
                self.penalties[player] += i64::from(game.penalties[player]);
                if let Some(counts) = &game.counts {
                    self.exchanges[player] += u64::from(counts.exchanges[player]);
                    self.sacrifices[player] += u64::from(counts.sacrifices[player]);
                }
            }
            self.counted_games += u64::from(game.counts.is_some());
        }
    }

    /// Returns the result of two players with these names, as a line for scripts. Its form does not change. Spaces in a name become `_`.
    pub fn script_line(&self, names: [&str; 2]) -> String {
        let [a, b] = names.map(|name| name.replace(char::is_whitespace, "_"));
        let [win, win_error] = [self.win.mean, self.win.standard_error()].map(|share| 100.0 * share);
        format!(
            "result a {a} b {b} pairs {} winpct {win:.3} winpct_se {win_error:.3} spread {:.3} spread_se {:.3} divergent {}",
            self.pairs(),
            self.spread.mean,
            self.spread.standard_error(),
            self.divergent,
        )
    }

    /// Counts the pairs so far.
    pub fn pairs(&self) -> u64 {
        self.win.count
    }

    /// Returns a player's total per game.
    pub fn per_game(&self, sum: u64) -> f64 {
        sum as f64 / (2 * self.pairs()).max(1) as f64
    }

    /// Returns the mean score of a player.
    pub fn mean_score(&self, player: usize) -> f64 {
        self.points[player] as f64 / (2 * self.pairs()).max(1) as f64
    }

    /// Returns the mean time of a player's turn, milliseconds.
    pub fn ms_per_turn(&self, player: usize) -> f64 {
        self.time_us[player] as f64 / 1000.0 / self.turns[player].max(1) as f64
    }

    /// Returns the 95 % confidence interval of the probability that a wins a game, 0 to 1, by the normal approximation.
    pub fn win_interval(&self) -> (f64, f64) {
        let reach = CONFIDENCE_95 * self.win.standard_error();
        ((self.win.mean - reach).max(0.0), (self.win.mean + reach).min(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_play::pairs::GameResult;

    #[test]
    fn errors_are_over_pairs_and_a_tie_counts_half() {
        let game = |scores| GameResult {
            scores,
            penalties: [0, 10],
            turns: [11, 12],
            bingos: [2, 1],
            time_us: [1100, 2400],
            overstepped: [false, true],
            luck: None,
            counts: None,
        };
        let pair = |pair, first, second| PairResult { pair, divergent: pair > 0, games: [game(first), game(second)] };
        let mut statistics = MatchStatistics::default();
        // The spreads are 0 and 0, 30 and -10, 50 and 70, with means of 0, 10 and 60 points.
        for result in [pair(0, [400, 400], [400, 400]), pair(1, [430, 400], [390, 400]), pair(2, [450, 400], [470, 400])] {
            statistics.add(&result);
        }
        assert_eq!(statistics.games, [1, 2, 3]);
        assert_eq!(statistics.pentanomial, [0, 0, 2, 0, 1]);
        assert_eq!((statistics.pairs(), statistics.divergent), (3, 2));
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found}, expected {expected}");
        close(statistics.win.mean, 4.0 / 6.0);
        close(statistics.win.standard_error(), (1.0f64 / 12.0 / 3.0).sqrt());
        close(statistics.spread.mean, 70.0 / 3.0);
        close(statistics.spread.standard_error(), (3100.0f64 / 3.0 / 3.0).sqrt());
        close(statistics.mean_score(0), 2540.0 / 6.0);
        // Where the lower score wins, wins and losses are the other way round.
        let mut to_lose = MatchStatistics::of(Objective::FewestPoints);
        [pair(0, [400, 400], [400, 400]), pair(1, [430, 400], [390, 400]), pair(2, [450, 400], [470, 400])]
            .iter()
            .for_each(|pair| to_lose.add(pair));
        assert_eq!((to_lose.games, to_lose.pentanomial), ([3, 2, 1], [1, 0, 2, 0, 0]));
        close(to_lose.spread.mean, -70.0 / 3.0);
        close(statistics.per_game(statistics.turns[0]), 11.0);
        close(statistics.ms_per_turn(1), 0.2);
        assert_eq!((statistics.time_losses, statistics.penalties), ([0, 6], [0, 60]));
        let (low, high) = statistics.win_interval();
        close(low, 2.0 / 3.0 - 1.96 / 6.0);
        close(high, 2.0 / 3.0 + 1.96 / 6.0);
    }
}
