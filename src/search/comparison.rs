//! Explains why one play is better than another, by the parts of the difference between two candidates of a search.
//!
//! The points that a candidate gains in a rollout are its own score, minus the opponent's reply, plus the player's next turn, plus the rest:
//! later turns, and the tiles that both players have left. The difference between two candidates is therefore the sum of four terms. The
//! sentences of a comparison report only measured numbers.
//!
//! Two candidates of a ranking have been played out on the same deals, but the ranking does not have the differences on each deal. The
//! errors here are those of independent samples, which are greater than the true ones. A duel (`analysis/duel.rs`) has the samples, and
//! therefore the true errors. Start with [`Comparison`].

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::rules::notation::play_text;
use crate::rules::{Objective, Play, Position, Rack, Tile};
use crate::search::race::differences::Moments;
use crate::search::report::{PlyStats, PreEndgameReport, PreEndgameRow, Report, SimulationReport, SimulationRow, StaticReport};

/// A difference is reported if it is greater than this many standard errors.
const CLEAR_ERRORS: f64 = 2.0;

/// Differences below these are not worth a sentence: points, shares of wins, shares of bingos.
const FEWEST_POINTS: f64 = 0.05;
const LEAST_WIN: f64 = 0.0005;
const LEAST_BINGO: f64 = 0.005;

/// With at least this many tiles in the bag, their number does not matter.
const UNCOUNTED_BAG: usize = 21;

/// The most draws that a sentence names.
const NAMED_DRAWS: usize = 6;

/// A term of the difference in points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonTerm {
    /// Points of the play itself.
    Score,
    /// Points of the opponent's reply: fewer are better.
    Reply,
    /// Points of the player's next turn.
    NextTurn,
    /// Later turns, and the tiles left at the end of the rollout. In a static ranking, the tiles kept.
    Rest,
}

impl ComparisonTerm {
    /// All terms, in the order of the turns.
    pub const ALL: [ComparisonTerm; 4] = [ComparisonTerm::Score, ComparisonTerm::Reply, ComparisonTerm::NextTurn, ComparisonTerm::Rest];

    /// Its word in the protocol.
    pub const fn word(self) -> &'static str {
        match self {
            ComparisonTerm::Score => "score",
            ComparisonTerm::Reply => "reply",
            ComparisonTerm::NextTurn => "next",
            ComparisonTerm::Rest => "rest",
        }
    }
}

/// The first play's value minus the second one's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    /// The mean.
    pub mean: f64,
    /// Its standard error; 0 if it is exact.
    pub error: f64,
}

impl Difference {
    /// Whether it is more than noise: more than two standard errors.
    pub fn is_clear(&self) -> bool {
        self.mean.abs() > CLEAR_ERRORS * self.error
    }

    fn exact(mean: f64) -> Difference {
        Difference { mean, error: 0.0 }
    }

    fn of(first: (f64, f64), second: (f64, f64)) -> Difference {
        Difference { mean: first.0 - second.0, error: first.1.hypot(second.1) }
    }
}

impl From<Moments> for Difference {
    fn from(moments: Moments) -> Difference {
        Difference { mean: moments.mean, error: moments.standard_error() }
    }
}

/// How often something happens after each of two plays, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares {
    /// By play.
    pub of: [f64; 2],
    /// Standard error of their difference.
    pub error: f64,
}

impl Shares {
    fn is_clear(&self) -> bool {
        let difference = Difference { mean: self.of[0] - self.of[1], error: self.error };
        difference.is_clear() && difference.mean.abs() >= LEAST_BINGO
    }
}

/// The part of a comparison that needs samples of a simulation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SampledComparison {
    /// Samples of each play.
    pub iterations: [u64; 2],
    /// How often the opponent replies with a bingo.
    pub reply_bingo: Shares,
    /// How often the player's next turn is a bingo.
    pub own_bingo: Shares,
    /// Standard deviation of the points gained: the risk.
    pub deviation: [f64; 2],
}

/// Why one play is better, or worse, than another. All differences are the first play's value minus the second one's.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// The plays.
    pub plays: [Play; 2],
    /// Chance of winning, 0 to 1; `None` in a static ranking.
    pub win: Option<Difference>,
    /// Points gained: the sum of the terms, if there are any.
    pub points: Difference,
    /// The terms of the points, in the order of [`ComparisonTerm::ALL`]; `None` in a pre-endgame, and where the lower score wins.
    pub terms: Option<[Difference; 4]>,
    /// Bingos and risk; `None` without samples.
    pub sampled: Option<SampledComparison>,
    /// By play, the draws with which only this play wins. Empty if the plays draw different numbers of tiles.
    pub draws: [Vec<Vec<Tile>>; 2],
}

/// Why two plays cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ComparisonError {
    /// The search ranks no plays.
    #[error("the last search ranked no plays: send go gen, go sim or go peg first")]
    NoRanking,
    /// The ranking has no second play.
    #[error("the last ranking has only one play, so there is nothing to compare it with")]
    SinglePlay,
    /// A play is not in the ranking. The number is its index among the plays that were asked for.
    #[error("the last ranking does not have this play: send go with alsosearchmoves <move> first")]
    NotRanked(usize),
    /// A play has too few samples.
    #[error("a play has too few samples for a comparison: {0}, expected at least 2")]
    TooFewSamples(u64),
}

impl Comparison {
    /// Compares two plays of a ranking: the two that are asked for, the best one with the one that is asked for, or the best two. If only
    /// the best one is asked for, it is compared with the second.
    ///
    /// # Errors
    /// If the report ranks no plays, or lacks one of those that are asked for.
    pub fn of_report(report: &Report, objective: Objective, asked: &[Play]) -> Result<Comparison, ComparisonError> {
        let compared = match report {
            Report::Static(StaticReport { rows }) => {
                let [first, second] = chosen(rows, |row| &row.play, asked)?;
                Ok(Comparison::of_static(first, second))
            }
            Report::Simulation(SimulationReport { rows, .. }) => {
                let [first, second] = chosen(rows, |row| &row.ranked.play, asked)?;
                match [first, second].into_iter().find(|row| row.iterations < 2) {
                    Some(row) => Err(ComparisonError::TooFewSamples(row.iterations)),
                    None => Ok(Comparison::of_simulated(first, second)),
                }
            }
            Report::PreEndgame(PreEndgameReport { rows, .. }) => {
                let [first, second] = chosen(rows, |row| &row.ranked.play, asked)?;
                Ok(Comparison::of_pre_endgame(first, second))
            }
            Report::Endgame(_) | Report::Inference(_) | Report::Replies(_) => Err(ComparisonError::NoRanking),
        };
        compared.map(|compared| match objective {
            Objective::MostPoints => compared,
            // In such games scores are losses, and playouts are not reported turn by turn.
            Objective::FewestPoints => Comparison { terms: None, sampled: None, ..compared },
        })
    }

    fn of_static(first: &EvaluatedPlay, second: &EvaluatedPlay) -> Comparison {
        let score = f64::from(first.score - second.score);
        let equity = (first.equity - second.equity).points();
        let terms = [score, 0.0, 0.0, equity - score].map(Difference::exact);
        let plays = [first.play, second.play];
        Comparison { plays, win: None, points: Difference::exact(equity), terms: Some(terms), sampled: None, draws: Default::default() }
    }

    fn of_simulated(first: &SimulationRow, second: &SimulationRow) -> Comparison {
        let both = [first, second];
        let ply = |row: &SimulationRow, at: usize| row.plies.get(at).copied().unwrap_or_default();
        let points = |row: &SimulationRow, at: usize| {
            let PlyStats { score_mean, score_deviation, share, .. } = ply(row, at);
            // A rollout that ended before this ply has no points in it.
            let variance = share * (score_deviation.powi(2) + (1.0 - share) * score_mean.powi(2));
            (share * score_mean, (variance / row.iterations as f64).sqrt())
        };
        let bingo = |row: &SimulationRow, at: usize| ply(row, at).share * ply(row, at).bingo_share;
        let shares = |at: usize| {
            let of = both.map(|row| bingo(row, at));
            let errors = both.map(|row| (bingo(row, at) * (1.0 - bingo(row, at)) / row.iterations as f64).sqrt());
            Shares { of, error: errors[0].hypot(errors[1]) }
        };
        let win = Difference::of((first.win, first.win_error), (second.win, second.win_error));
        let all = Difference::of((first.equity, first.equity_error), (second.equity, second.equity_error));
        let score = Difference::exact(f64::from(first.ranked.score - second.ranked.score));
        let reply = Difference::of(points(second, 0), points(first, 0));
        let next = Difference::of(points(first, 1), points(second, 1));
        let rest =
            Difference { mean: all.mean - score.mean - reply.mean - next.mean, error: all.error.hypot(reply.error).hypot(next.error) };
        let sampled = SampledComparison {
            iterations: both.map(|row| row.iterations),
            reply_bingo: shares(0),
            own_bingo: shares(1),
            deviation: both.map(|row| row.equity_error * (row.iterations as f64).sqrt()),
        };
        Comparison {
            plays: both.map(|row| row.ranked.play),
            win: Some(win),
            points: all,
            terms: Some([score, reply, next, rest]),
            sampled: Some(sampled),
            draws: Default::default(),
        }
    }

    /// Compares two plays by their draws.
    pub(crate) fn of_pre_endgame(first: &PreEndgameRow, second: &PreEndgameRow) -> Comparison {
        let only = |row: &PreEndgameRow, other: &PreEndgameRow| {
            let is_alone = |draw: &&Vec<Tile>| row.drawn == other.drawn && !other.wins.contains(draw);
            row.wins.iter().filter(is_alone).cloned().collect()
        };
        // Without playouts of both, nothing is known about the points.
        let points = first.spread.zip(second.spread).map_or(0.0, |(first, second)| first - second);
        let plays = [first.ranked.play, second.ranked.play];
        Comparison { draws: [only(first, second), only(second, first)], ..Comparison::exact(plays, first.win - second.win, points) }
    }

    /// Compares two plays whose difference is known without an error.
    pub(crate) fn exact(plays: [Play; 2], win: f64, points: f64) -> Comparison {
        Comparison {
            plays,
            win: Some(Difference::exact(win)),
            points: Difference::exact(points),
            terms: None,
            sampled: None,
            draws: Default::default(),
        }
    }

    /// Returns the comparison in sentences, the most important first. Differences that may be noise are left out.
    pub fn sentences(&self, position: &Position) -> Vec<String> {
        let texts = self.plays.map(|play| play_text(&play, position.board(), &position.rules().distribution));
        let mut sentences = vec![self.verdict(&texts)];
        sentences.extend(self.reasons(&texts[1]));
        sentences.extend(self.sampled.iter().flat_map(|sampled| sampled.sentences(&texts)));
        sentences.extend(self.kept(position, &texts));
        sentences.extend(self.bag(position, &texts));
        sentences.extend(self.draw_sentences(position, &texts));
        sentences
    }

    /// The sentence that says which play is better, and by how much.
    fn verdict(&self, [first, second]: &[String; 2]) -> String {
        let Difference { mean, error } = self.points;
        let points = format!("{} points{}", more(mean, 1, "fewer"), plus_minus(error, 1));
        let Some(win) = self.win else {
            return format!("{first} is worth {points} than {second}.");
        };
        let wins = format!("{} games in a hundred{}", more(100.0 * win.mean, 1, "fewer"), plus_minus(100.0 * win.error, 1));
        if win.error == 0.0 && win.mean.abs() < LEAST_WIN {
            return format!("{first} wins as often as {second}, and gains {points}.");
        }
        if !win.is_clear() {
            return format!("The difference between {first} and {second} may be chance: {first} wins {wins} and gains {points}.");
        }
        if error == 0.0 && mean.abs() < FEWEST_POINTS {
            return format!("{first} wins {wins} than {second}.");
        }
        let against = if self.points.is_clear() && win.mean * mean < 0.0 { "but" } else { "and" };
        format!("{first} wins {wins} than {second}, {against} gains {points}.")
    }

    /// The terms of the points in words.
    fn reasons(&self, second: &str) -> Option<String> {
        let is_static = self.win.is_none();
        let told = |(which, term): (ComparisonTerm, &Difference)| {
            if !term.is_clear() || term.mean.abs() < FEWEST_POINTS {
                return None;
            }
            let (what, mean) = match which {
                ComparisonTerm::Score => ("the play itself scores", term.mean),
                ComparisonTerm::Reply => ("the opponent's reply scores", -term.mean),
                ComparisonTerm::NextTurn => ("the player's next turn scores", term.mean),
                ComparisonTerm::Rest if is_static => ("the tiles kept are worth", term.mean),
                ComparisonTerm::Rest => ("later turns and tiles left are worth", term.mean),
            };
            let digits = usize::from(which != ComparisonTerm::Score);
            Some(format!("{what} {}{}", more(mean, digits, "less"), plus_minus(term.error, 1)))
        };
        let told: Vec<String> = ComparisonTerm::ALL.into_iter().zip(self.terms.iter().flatten()).filter_map(told).collect();
        (!told.is_empty()).then(|| format!("In points, compared with {second}: {}.", told.join(", ")))
    }

    /// The tiles that each play keeps, if they differ.
    fn kept(&self, position: &Position, [first, second]: &[String; 2]) -> Option<String> {
        let kept = self.plays.map(|play| play.leave(position.mover_rack()));
        let text = |rack: &Rack| if rack.is_empty() { "nothing".to_string() } else { rack.text(&position.rules().distribution) };
        (kept[0] != kept[1]).then(|| format!("{first} keeps {}, {second} keeps {}.", text(&kept[0]), text(&kept[1])))
    }

    /// The numbers of tiles that the plays leave in the bag, if they differ and the bag is nearly empty.
    fn bag(&self, position: &Position, [first, second]: &[String; 2]) -> Option<String> {
        let in_bag = position.in_bag();
        let left = self.plays.map(|play| in_bag.saturating_sub(play.placement().map_or(0, |placement| placement.tile_count())));
        let is_told = left[0] != left[1] && in_bag < UNCOUNTED_BAG;
        is_told.then(|| format!("{first} leaves {} in the bag, {second} {}.", tiles(left[0]), left[1]))
    }

    /// The draws with which only one of the plays wins.
    fn draw_sentences(&self, position: &Position, texts: &[String; 2]) -> Vec<String> {
        let sentence = |(text, draws): (&String, &Vec<Vec<Tile>>)| {
            let mut named: Vec<String> =
                draws.iter().take(NAMED_DRAWS).map(|draw| position.rules().distribution.tiles_text(draw.iter().copied())).collect();
            if draws.len() > NAMED_DRAWS {
                named.push(format!("one of {} more", draws.len() - NAMED_DRAWS));
            }
            (!draws.is_empty()).then(|| format!("Only {text} wins if the draw is {}.", named.join(" or ")))
        };
        texts.iter().zip(&self.draws).filter_map(sentence).collect()
    }
}

impl SampledComparison {
    fn sentences(&self, [first, second]: &[String; 2]) -> Vec<String> {
        let mut sentences = Vec::new();
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        if self.reply_bingo.is_clear() {
            let [a, b] = self.reply_bingo.of.map(percent);
            sentences.push(format!("The opponent replies with a bingo in {a} of the games after {first}, and in {b} after {second}."));
        }
        if self.own_bingo.is_clear() {
            let [a, b] = self.own_bingo.of.map(percent);
            sentences.push(format!("The player's next turn is a bingo in {a} of the games after {first}, and in {b} after {second}."));
        }
        let [a, b] = self.deviation;
        // The standard error of a standard deviation of n samples is about the deviation divided by the root of 2n.
        let errors = [0, 1].map(|play| self.deviation[play] / (2.0 * self.iterations[play] as f64).sqrt());
        let risk = Difference::of((a, errors[0]), (b, errors[1]));
        if risk.is_clear() && risk.mean.abs() >= 1.0 {
            let word = if risk.mean > 0.0 { "more" } else { "less" };
            sentences
                .push(format!("{first} takes {word} risk: its points vary by {a:.0}, those of {second} by {b:.0} (standard deviation)."));
        }
        sentences
    }
}

/// Returns the rows to compare; see [`Comparison::of_report`].
fn chosen<'a, T>(rows: &'a [T], play: impl Fn(&T) -> &Play, asked: &[Play]) -> Result<[&'a T; 2], ComparisonError> {
    let named = |number: usize| match asked.get(number) {
        Some(asked) => rows.iter().find(|row| play(row) == asked).ok_or(ComparisonError::NotRanked(number)).map(Some),
        None => Ok(None),
    };
    let best = rows.first().ok_or(ComparisonError::NoRanking)?;
    match (named(0)?, named(1)?) {
        (Some(first), Some(second)) => Ok([first, second]),
        (Some(other), None) if play(other) != play(best) => Ok([best, other]),
        _ => Ok([best, rows.get(1).ok_or(ComparisonError::SinglePlay)?]),
    }
}

/// `3.2 more`, `0 more`, `1 fewer`.
fn more(number: f64, digits: usize, fewer: &str) -> String {
    let word = if number < 0.0 { fewer } else { "more" };
    format!("{:.digits$} {word}", number.abs())
}

/// ` (± 0.4)`; empty for an exact value.
fn plus_minus(error: f64, digits: usize) -> String {
    if error > 0.0 { format!(" (± {error:.digits$})") } else { String::new() }
}

fn tiles(count: usize) -> String {
    if count == 1 { "1 tile".to_string() } else { format!("{count} tiles") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::search::chances::Correction;
    use crate::search::{
        Allocation, Listener, LoggedSample, PlaySelection, PreEndgameBasis, Search, Signals, SimulationOptions, StaticOptions,
    };

    const MIDGAME: &str =
        "14R/13MY/12WOE/12IN1/12SI1/12HEN/7G4A1A/6QI6Z/7G6I/7L2PERVS/6DONKEY3/7T2DECAF/12R2/12U2/10BUXOM FIIJOTU/ 199/158 0";
    const EIGHT_IN_THE_BAG: &str = "15/10BEWIG/10A3H/10MO2A/4U5MU2R/4P5ET2R/2I1D5DE2I/HENNA1JOY2ALOE/1IF1T2FAULT2S/1KI1E1I1GNU4/COD1R1O3T4/ONE1SOlARIZE3/W1L3I8/L1s3TA7/S5EX7 AEOPRSY/ 373/411 0";

    #[derive(Default)]
    struct Log(Vec<LoggedSample>);

    impl Listener for Log {
        fn report(&mut self, _: Report) {}

        fn sample(&mut self, sample: LoggedSample) {
            self.0.push(sample);
        }
    }

    fn simulated(text: &str, iterations: u64) -> (Position, Report, Vec<LoggedSample>) {
        let position = plain_engine().position(text).unwrap();
        let options = SimulationOptions {
            plays: PlaySelection::best(3),
            iterations: Some(iterations),
            allocation: Allocation::Equal,
            log_samples: true,
            ..SimulationOptions::default()
        };
        let mut log = Log::default();
        let outcome = plain_engine().search_with(&position, options.analysis(), &Signals::default(), &mut log).unwrap();
        (position, outcome.last.unwrap(), log.0)
    }

    /// The mean of a value over a play's rollouts.
    fn mean(samples: &[LoggedSample], play: &Play, value: impl Fn(&LoggedSample) -> f64) -> f64 {
        let values: Vec<f64> = samples.iter().filter(|sample| sample.plies[0].play == *play).map(value).collect();
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn every_number_is_that_of_the_rollouts() {
        // In the second position rollouts end before some of the plies.
        for (text, iterations) in [(MIDGAME, 40), (EIGHT_IN_THE_BAG, 40)] {
            let (position, report, samples) = simulated(text, iterations);
            let comparison = Comparison::of_report(&report, Objective::MostPoints, &[]).unwrap();
            let [first, second] = comparison.plays;
            let difference = |value: &dyn Fn(&LoggedSample) -> f64| mean(&samples, &first, value) - mean(&samples, &second, value);
            let score = |ply: usize| move |sample: &LoggedSample| sample.plies.get(ply).map_or(0.0, |ply| f64::from(ply.score));
            let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
            let terms = comparison.terms.unwrap();
            near(terms[0].mean, difference(&score(0)));
            near(terms[1].mean, -difference(&score(1)));
            near(terms[2].mean, difference(&score(2)));
            near(terms.iter().map(|term| term.mean).sum(), comparison.points.mean);
            near(comparison.points.mean, difference(&|sample| sample.equity));
            let won = |play: &Play| Correction::of_simulation(&position).apply(mean(&samples, play, |sample| sample.win));
            near(comparison.win.unwrap().mean, won(&first) - won(&second));
            let sampled = comparison.sampled.clone().unwrap();
            let rack_size = position.rules().rack_size;
            for (shares, ply) in [(sampled.reply_bingo, 1), (sampled.own_bingo, 2)] {
                let is_bingo = |sample: &LoggedSample| {
                    let placement = sample.plies.get(ply).and_then(|ply| ply.play.placement().copied());
                    f64::from(u8::from(placement.is_some_and(|placement| placement.tile_count() == rack_size)))
                };
                [first, second].iter().zip(shares.of).for_each(|(play, share)| near(share, mean(&samples, play, is_bingo)));
            }
            for (play, deviation) in [first, second].iter().zip(sampled.deviation) {
                let centre = mean(&samples, play, |sample| sample.equity);
                let variance = mean(&samples, play, |sample| (sample.equity - centre).powi(2));
                near(deviation, (variance * iterations as f64 / (iterations - 1) as f64).sqrt());
            }
            // The error of the reply follows from the deviation of its points, where a rollout without a reply counts as 0.
            let of_reply = [first, second].map(|play| {
                let centre = mean(&samples, &play, score(1));
                mean(&samples, &play, |sample| (score(1)(sample) - centre).powi(2)) / iterations as f64
            });
            let ratio = terms[1].error / (of_reply[0] + of_reply[1]).sqrt();
            assert!((1.0..1.03).contains(&ratio), "{ratio}");
        }
    }

    #[test]
    fn plays_are_chosen_and_missing_ones_named() {
        let position = plain_engine().position(MIDGAME).unwrap();
        let options = StaticOptions { plays: PlaySelection::best(4) };
        let outcome = plain_engine().search_with(&position, options.analysis(), &Signals::default(), &mut |_: Report| {}).unwrap();
        let report = outcome.last.unwrap();
        let Report::Static(StaticReport { rows }) = &report else { panic!("a static ranking") };
        let plays: Vec<Play> = rows.iter().map(|row| row.play).collect();
        let compared = |asked: &[Play]| Comparison::of_report(&report, Objective::MostPoints, asked).map(|comparison| comparison.plays);
        assert_eq!(compared(&[]), Ok([plays[0], plays[1]]));
        assert_eq!(compared(&[plays[0]]), Ok([plays[0], plays[1]]));
        assert_eq!(compared(&[plays[3]]), Ok([plays[0], plays[3]]));
        assert_eq!(compared(&[plays[3], plays[2]]), Ok([plays[3], plays[2]]));
        assert_eq!(compared(&[plays[3], Play::Pass]), Err(ComparisonError::NotRanked(1)));
        let single = Report::Static(StaticReport { rows: rows[..1].to_vec() });
        assert_eq!(Comparison::of_report(&single, Objective::MostPoints, &[]), Err(ComparisonError::SinglePlay));
        let none = Report::Static(StaticReport { rows: Vec::new() });
        assert_eq!(Comparison::of_report(&none, Objective::MostPoints, &[]), Err(ComparisonError::NoRanking));
        let to_lose = Comparison::of_report(&report, Objective::FewestPoints, &[]).unwrap();
        assert_eq!((to_lose.terms, to_lose.points.error), (None, 0.0));
    }

    /// A comparison of an exchange of these tiles with a pass.
    fn made_up(exchanged: &str, win: (f64, f64), points: (f64, f64)) -> (Position, Comparison) {
        let position = plain_engine().position(EIGHT_IN_THE_BAG).unwrap();
        let tiles = position.rules().distribution.parse_tiles(exchanged).unwrap().into_iter().collect();
        let of = |(mean, error)| Difference { mean, error };
        let comparison = Comparison {
            plays: [Play::Exchange(tiles), Play::Pass],
            win: Some(of(win)),
            points: of(points),
            terms: Some([of((-3.0, 0.0)), of((5.25, 1.0)), of((1.0, 0.75)), of((-1.25, 0.5))]),
            sampled: Some(SampledComparison {
                iterations: [200, 200],
                reply_bingo: Shares { of: [0.125, 0.25], error: 0.03 },
                own_bingo: Shares { of: [0.5, 0.51], error: 0.05 },
                deviation: [30.0, 45.0],
            }),
            draws: Default::default(),
        };
        (position, comparison)
    }

    #[test]
    fn sentences_tell_what_is_clear() {
        let (position, comparison) = made_up("AE", (0.031, 0.01), (2.0, 0.5));
        assert_eq!(
            comparison.sentences(&position),
            [
                "ex.AE wins 3.1 more games in a hundred (± 1.0) than pass, and gains 2.0 more points (± 0.5).",
                "In points, compared with pass: the play itself scores 3 less, the opponent's reply scores 5.2 less (± 1.0), \
                 later turns and tiles left are worth 1.2 less (± 0.5).",
                "The opponent replies with a bingo in 12.5 % of the games after ex.AE, and in 25.0 % after pass.",
                "ex.AE takes less risk: its points vary by 30, those of pass by 45 (standard deviation).",
                "ex.AE keeps OPRSY, pass keeps AEOPRSY.",
            ]
        );
        let first = |win, points| made_up("AE", win, points).1.sentences(&position).swap_remove(0);
        assert_eq!(
            first((-0.002, 0.01), (0.0, 0.5)),
            "The difference between ex.AE and pass may be chance: ex.AE wins 0.2 fewer games in a hundred (± 1.0) and gains 0.0 more points (± 0.5)."
        );
        assert_eq!(
            first((0.031, 0.01), (-2.0, 0.5)),
            "ex.AE wins 3.1 more games in a hundred (± 1.0) than pass, but gains 2.0 fewer points (± 0.5)."
        );
    }

    #[test]
    fn a_pre_endgame_names_the_draws() {
        let (position, _) = made_up("A", (0.0, 0.0), (0.0, 0.0));
        let tile = |text: &str| position.rules().distribution.parse_tiles(text).unwrap();
        let row = |play: Play, wins: &[&str], win: f64| PreEndgameRow {
            ranked: EvaluatedPlay { play, ..EvaluatedPlay::PASS },
            drawn: 1,
            wins: wins.iter().map(|text| tile(text)).collect(),
            ties: Vec::new(),
            losses: Vec::new(),
            win,
            spread: None,
            basis: PreEndgameBasis::Solved,
        };
        let exchange = Play::Exchange(tile("A").into_iter().collect());
        let (first, second) = (row(exchange, &["E", "I"], 0.5), row(Play::Pass, &["I", "O"], 0.25));
        let comparison = Comparison::of_pre_endgame(&first, &second);
        assert_eq!(
            comparison.sentences(&position),
            [
                "ex.A wins 25.0 more games in a hundred than pass.",
                "ex.A keeps EOPRSY, pass keeps AEOPRSY.",
                "Only ex.A wins if the draw is E.",
                "Only pass wins if the draw is O.",
            ]
        );
        let other_draws = Comparison::of_pre_endgame(&first, &PreEndgameRow { drawn: 0, ..second });
        assert_eq!(other_draws.draws, [Vec::<Vec<Tile>>::new(), Vec::new()]);
    }
}
