//! Judges a turn: the best play, the play made, and its loss.
//!
//! 1. The search of the position's phase ranks the plays, the play made among them.
//! 2. The best play and the play made are valued again, both in the same way: by all draws to the end of the game if that can be finished,
//!    else by a duel of simulations (`duel.rs`) with random numbers that the search has not used.
//!
//! The judge has a budget for each turn. Counted budgets give the same answer for any number of threads; with a time, `match_play/clocks.rs`
//! stops the searches. Each step is also available alone. Not here: the positions of a game, words and labels (`analyst.rs`). Start with
//! [`TurnJudge::judge`].

use crate::analysis::duel::{Duel, Duels};
use crate::analysis::mistakes::measure_of;
use crate::analysis::report::{
    Certainty, DrawResults, Loss, LossMeasure, Method, MistakeSize, RankingRow, TurnVerdict, ValuedPlay, rounded,
};
use crate::engine::{Engine, EngineError};
use crate::evaluation::win_model::win_of_final_spread;
use crate::match_play::clocks::within;
use crate::rules::notation::play_text;
use crate::rules::{Play, Position, Tile, Turn, scoring};
use crate::search::candidates::ALL_PLAYS;
use crate::search::chances::Correction;
use crate::search::randomness::mix;
use crate::search::report::{Outcome, PreEndgameBasis, PreEndgameRow, Report, SimulationRow};
use crate::search::{
    Allocation, Analysis, Comparison, EndgameOptions, EvaluatedPlay, InferenceOptions, Listener, ObservedTurn, OpponentModel,
    OpponentTiles, PlaySelection, PreEndgameOptions, PreEndgameReport, RunSettings, Search, SearchKind, SearchPosition, Signals,
    SimulationOptions, SimulationReport, Solution, StaticReport,
};
use std::time::Duration;

/// A loss within this many standard errors counts as noise.
const NOISE_ERRORS: f64 = 2.0;

/// With fewer samples of both plays than this, a verdict is only a hint.
const LEAST_ITERATIONS: u64 = 32;

/// Plays this close to the best one, in chances of winning, are about as good.
const NEAR_WIN: f64 = 0.01;

/// The same in points, where points count.
const NEAR_POINTS: f64 = 2.0;

/// The rows of a ranking that are reported, in addition to the play made.
const TOLD_ROWS: usize = 10;

/// The budget of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgeBudget {
    /// Wall time, ms.
    Time {
        /// For the whole turn.
        ms: u64,
    },
    /// A counted budget, which gives the same answer on any machine.
    Counted {
        /// Samples of the leader in a simulation, and of both plays in their duel.
        iterations: u64,
        /// Nodes of each exact search.
        nodes: u64,
    },
}

/// The nodes of an exact search for each iteration of a simulation, if only iterations are given.
pub const NODES_AN_ITERATION: u64 = 100;

impl JudgeBudget {
    /// A budget of iterations, with nodes in proportion.
    pub fn of_iterations(iterations: u64) -> JudgeBudget {
        JudgeBudget::Counted { iterations, nodes: iterations.saturating_mul(NODES_AN_ITERATION) }
    }

    /// The budget in words.
    pub fn text(self) -> String {
        match self {
            JudgeBudget::Time { ms } => format!("{ms} ms a turn"),
            JudgeBudget::Counted { iterations, nodes } => format!("{iterations} iterations or {nodes} nodes a turn"),
        }
    }
}

/// Limits on the racks that an inference compares with a turn, and simulates:
/// it must be short compared with the search.
const INFERRED_RACKS: usize = 4000;
const INFERRED_SIMULATED: usize = 20;

/// The parts of a turn's time, percent. An inference takes its part from the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Inferring the opponent's tiles.
    Inference = 10,
    /// Finding the best play after an inference.
    SearchBehind = 35,
    /// Finding the best play.
    Search = 45,
    /// Valuing one of two plays exactly.
    Exact = 20,
    /// The duel.
    Duel = 50,
}

/// The result of judging a turn. Texts refer to the position that was judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The best play.
    pub best_play: Play,
    /// The verdict. The sizes by the rules of other programs are filled in later, since they depend on the labels.
    pub verdict: TurnVerdict,
}

/// Judges turns.
#[derive(Clone, Copy, Debug)]
pub struct TurnJudge<'a> {
    /// The words, tables and threads.
    pub engine: &'a Engine,
    /// The budget of the turn.
    pub budget: JudgeBudget,
    /// How the opponent's tiles are inferred from their turns.
    pub opponent: OpponentModel,
    /// Stops everything.
    pub given_up: &'a Signals,
}

/// A turn to be judged.
#[derive(Clone, Copy, Debug)]
pub struct JudgeQuestion<'a> {
    /// The position. The mover's rack is known.
    pub position: &'a Position,
    /// The play made there; without one, only the best play is valued.
    pub played: Option<&'a Play>,
    /// The opponent's turns before it, in order.
    pub opponent_turns: &'a [ObservedTurn],
}

/// A position that is asked about.
struct AskedPosition {
    position: Position,
    kind: SearchKind,
    /// The belief about the opponent's tiles.
    opponent: OpponentTiles,
}

impl AskedPosition {
    /// A position without knowledge of the hidden tiles.
    fn new(position: &Position) -> Result<AskedPosition, EngineError> {
        let searchable = SearchPosition::new(position.clone())?;
        let (kind, position) = (searchable.phase_search(), searchable.position().clone());
        Ok(AskedPosition { position, kind, opponent: OpponentTiles::Uniform })
    }
}

/// The result of the search of a phase.
#[derive(Clone, Debug)]
pub struct PhaseRanking {
    /// The best play.
    pub best: Play,
    /// The plays that the search ranks, the best first; in an endgame only the best.
    pub ranking: Vec<RankingRow>,
    /// The ranked plays.
    pub plays: Vec<Play>,
    /// How many of them are about as good as the best.
    pub near_best: usize,
    /// Whether more searching could not change the ranking.
    pub is_settled: bool,
}

/// The best play and another one, valued in the same way.
#[derive(Clone, Debug)]
pub struct PairValues {
    /// How they were valued.
    pub method: Method,
    /// How certain the values are.
    pub certainty: Certainty,
    /// Samples of each, if they were simulated.
    pub iterations: u64,
    /// The best play.
    pub best: ValuedPlay,
    /// The other one.
    pub played: ValuedPlay,
    /// The loss of the other one.
    pub loss: Loss,
    /// Their results by draw, in a pre-endgame.
    pub draws: Vec<DrawResults>,
    /// Why the best play is better; `None` in an endgame, with too few samples, and if both plays are the same.
    pub comparison: Option<Comparison>,
}

impl PairValues {
    /// The same values, rounded to the digits of a report.
    pub fn rounded(self) -> PairValues {
        let value = |value: ValuedPlay| ValuedPlay {
            win: rounded(value.win),
            win_error: rounded(value.win_error),
            points: rounded(value.points),
            points_error: rounded(value.points_error),
            ..value
        };
        let loss = Loss {
            win: rounded(self.loss.win),
            win_error: rounded(self.loss.win_error),
            points: rounded(self.loss.points),
            points_error: rounded(self.loss.points_error),
            ..self.loss
        };
        PairValues { best: value(self.best), played: value(self.played), loss, ..self }
    }
}

impl TurnJudge<'_> {
    /// Judges the play made in a position whose mover's rack is known, or finds the best play if none was made. Returns `None` if the judge
    /// was stopped meanwhile. The seed determines all random numbers.
    ///
    /// # Errors
    /// A position that cannot be searched.
    pub fn judge(&self, question: &JudgeQuestion<'_>, seed: u64) -> Result<Option<Judgement>, EngineError> {
        let asked = self.asked(question, mix(seed ^ 2))?;
        let all = self.engine.static_ranking(&asked.position, ALL_PLAYS)?;
        let also = PlaySelection { also: question.played.into_iter().copied().collect(), ..PlaySelection::default() };
        let found = self.find(&asked, also, mix(seed))?;
        if self.given_up.is_stopped() {
            return Ok(None);
        }
        let played = question.played.unwrap_or(&found.best);
        let static_rank = all.iter().position(|row| row.play == *played).map(|at| at + 1);
        let values = self.value(&asked, &found.best, played, mix(seed ^ 1))?;
        if self.given_up.is_stopped() {
            return Ok(None);
        }
        let is_best =
            found.best == *played || (values.certainty == Certainty::Exact && values.loss.points == 0.0 && values.loss.win == 0.0);
        let rank = if is_best { Some(1) } else { found.plays.iter().position(|play| play == played).map(|at| at + 1) };
        let values = values.rounded();
        let verdict = TurnVerdict {
            method: values.method,
            certainty: values.certainty,
            iterations: values.iterations,
            best: values.best,
            played: values.played,
            loss: values.loss,
            rank,
            static_rank,
            plays: all.len(),
            near_best: found.near_best,
            macondo: MistakeSize::None,
            magpie: MistakeSize::None,
            ranking: told(found.ranking, rank),
            draws: values.draws,
            why: values.comparison.map_or_else(Vec::new, |comparison| comparison.sentences(&asked.position)),
        };
        Ok(Some(Judgement { best_play: found.best, verdict }))
    }

    /// Ranks the plays of a selection by the search of the phase. With an empty bag only [`PlaySelection::only`] narrows it.
    ///
    /// # Errors
    /// A position that cannot be searched.
    pub fn rank(&self, position: &Position, plays: PlaySelection, seed: u64) -> Result<PhaseRanking, EngineError> {
        self.find(&AskedPosition::new(position)?, plays, seed)
    }

    /// Compares the best play of a position with each of these others: exactly, or all on the same deals. No search with another seed uses
    /// these deals.
    ///
    /// # Errors
    /// A position that cannot be searched.
    pub fn compare(&self, position: &Position, best: &Play, others: &[Play], seed: u64) -> Result<Vec<PairValues>, EngineError> {
        let asked = AskedPosition::new(position)?;
        match asked.kind {
            SearchKind::Endgame | SearchKind::PreEndgame => others.iter().map(|other| self.value(&asked, best, other, seed)).collect(),
            SearchKind::Simulation | SearchKind::Static | SearchKind::Inference | SearchKind::Replies => {
                self.value_duels(&asked, best, others, seed)
            }
        }
    }

    /// The position with the belief that follows from the opponent's turns, if one is wanted.
    fn asked(&self, question: &JudgeQuestion<'_>, seed: u64) -> Result<AskedPosition, EngineError> {
        let mut asked = AskedPosition::new(question.position)?;
        let is_told = self.opponent != OpponentModel::Uniform && asked.kind != SearchKind::Endgame;
        if is_told && !question.opponent_turns.is_empty() {
            let usual = InferenceOptions::new(self.opponent, question.opponent_turns.to_vec());
            let options = InferenceOptions { most_racks: INFERRED_RACKS, most_simulated: INFERRED_SIMULATED, ..usual };
            // Turns that do not lead to this position give no belief.
            let outcome = self.run(&asked.position, options, seed, Part::Inference, &mut |_: Report| {});
            if let Ok(Outcome { last: Some(belief), .. }) = outcome {
                asked.opponent = OpponentTiles::Believed(belief);
            }
        }
        Ok(asked)
    }

    /// The search of the phase, with these plays.
    fn find(&self, asked: &AskedPosition, plays: PlaySelection, seed: u64) -> Result<PhaseRanking, EngineError> {
        let AskedPosition { position, kind, opponent } = asked;
        let opponent_tiles = opponent.clone();
        let part = if *opponent == OpponentTiles::Uniform { Part::Search } else { Part::SearchBehind };
        let (iterations, nodes) = self.limits();
        let analysis = match kind {
            SearchKind::PreEndgame => {
                Analysis::PreEndgame(PreEndgameOptions { plays, nodes, opponent_tiles, ..PreEndgameOptions::default() })
            }
            SearchKind::Endgame => {
                let plays = PlaySelection { only: plays.only, ..PlaySelection::default() };
                Analysis::Endgame(EndgameOptions { plays, nodes, ..EndgameOptions::default() })
            }
            SearchKind::Simulation | SearchKind::Static | SearchKind::Inference | SearchKind::Replies => {
                Analysis::Simulation(SimulationOptions { plays, iterations, opponent_tiles, ..SimulationOptions::default() })
            }
        };
        let outcome = self.run(position, analysis, seed, part, &mut |_: Report| {})?;
        let (best, is_settled) = (outcome.best.unwrap_or(Play::Pass), outcome.solved);
        Ok(match outcome.last {
            Some(Report::Simulation(SimulationReport { rows, .. })) => PhaseRanking {
                best,
                is_settled,
                near_best: near_best(rows.iter().filter(|row| row.iterations > 0).map(|row| (row.win, row.equity))),
                plays: rows.iter().map(|row| row.ranked.play).collect(),
                ranking: rows.iter().map(|row| sim_row(position, row)).collect(),
            },
            Some(Report::PreEndgame(PreEndgameReport { rows, .. })) => PhaseRanking {
                best,
                is_settled,
                near_best: near_best(rows.iter().filter(|row| row.has_results()).map(|row| (row.win, row.spread.unwrap_or(f64::MIN)))),
                plays: rows.iter().map(|row| row.ranked.play).collect(),
                ranking: rows.iter().map(|row| peg_row(position, row)).collect(),
            },
            Some(Report::Endgame(solution)) => {
                let spread = position.spread() + solution.value;
                let row = RankingRow {
                    win: Some(win_of_final_spread(spread)),
                    points: Some(f64::from(solution.value)),
                    ..bare_row(position, &best)
                };
                PhaseRanking { best, near_best: 1, plays: vec![best], ranking: vec![row], is_settled }
            }
            Some(Report::Static(StaticReport { rows })) => PhaseRanking {
                best,
                is_settled,
                near_best: 1,
                plays: rows.iter().map(|row| row.play).collect(),
                ranking: rows.iter().map(|row| static_row(position, row)).collect(),
            },
            Some(Report::Inference(_) | Report::Replies(_)) | None => {
                PhaseRanking { best, near_best: 1, plays: vec![best], ranking: Vec::new(), is_settled }
            }
        })
    }

    /// Values both plays, exactly or by a duel.
    fn value(&self, asked: &AskedPosition, best: &Play, played: &Play, seed: u64) -> Result<PairValues, EngineError> {
        match asked.kind {
            SearchKind::Endgame => self.value_endgame(&asked.position, best, played, seed),
            SearchKind::PreEndgame => match self.value_pre_endgame(asked, best, played, seed)? {
                Some(values) => Ok(values),
                None => self.value_duel(asked, best, played, seed),
            },
            SearchKind::Simulation | SearchKind::Static | SearchKind::Inference | SearchKind::Replies => {
                self.value_duel(asked, best, played, seed)
            }
        }
    }

    fn value_duel(&self, asked: &AskedPosition, best: &Play, played: &Play, seed: u64) -> Result<PairValues, EngineError> {
        let mut values = self.value_duels(asked, best, &[*played], seed)?;
        Ok(values.remove(0))
    }

    /// Simulates all plays on the same deals: a duel of the best play with each of the others.
    fn value_duels(&self, asked: &AskedPosition, best: &Play, others: &[Play], seed: u64) -> Result<Vec<PairValues>, EngineError> {
        let position = &asked.position;
        let plays = std::iter::once(best).chain(others.iter().filter(|other| *other != best)).copied().collect();
        let options = SimulationOptions {
            plays: PlaySelection::only(plays),
            iterations: self.limits().0,
            allocation: Allocation::Equal,
            log_samples: true,
            opponent_tiles: asked.opponent.clone(),
            ..SimulationOptions::default()
        };
        let correction = Correction::of_simulation(position);
        let mut duels = Duels(others.iter().map(|other| Duel::new(*best, *other, position.rules().rack_size, correction)).collect());
        let outcome = self.run(position, Analysis::Simulation(options), seed, Part::Duel, &mut duels)?;
        let certainty = |iterations: u64| match iterations {
            _ if outcome.solved => Certainty::Exact,
            LEAST_ITERATIONS.. => Certainty::Sampled,
            _ => Certainty::Unfinished,
        };
        let values =
            others.iter().zip(&duels.0).map(|(other, duel)| duel_values(position, [best, other], duel, certainty(duel.iterations())));
        Ok(values.collect())
    }

    /// Values both plays by all draws; `None` if that could not be finished for both.
    fn value_pre_endgame(&self, asked: &AskedPosition, best: &Play, played: &Play, seed: u64) -> Result<Option<PairValues>, EngineError> {
        let position = &asked.position;
        let mut rows = Vec::new();
        for play in if best == played { vec![best] } else { vec![best, played] } {
            // Each play is searched alone, so that every draw is examined: among others it is dropped once it can no longer be the best.
            let options = PreEndgameOptions {
                plays: PlaySelection::only(vec![*play]),
                nodes: self.limits().1,
                opponent_tiles: asked.opponent.clone(),
                ..PreEndgameOptions::default()
            };
            let outcome = self.run(position, options, seed, Part::Exact, &mut |_: Report| {})?;
            match outcome.last {
                Some(report) => rows.extend(report.rows.into_iter().next()),
                None => return Ok(None),
            }
        }
        let is_finished = |row: &PreEndgameRow| matches!(row.basis, PreEndgameBasis::Solved | PreEndgameBasis::Proved);
        let (Some(best_row), Some(played_row)) = (rows.first(), rows.last()) else { return Ok(None) };
        if !is_finished(best_row) || !is_finished(played_row) {
            return Ok(None);
        }
        let valued = |play: &Play, row: &PreEndgameRow| ValuedPlay {
            win: row.win,
            points: row.spread.unwrap_or_default() - f64::from(position.spread()),
            ..bare_value(position, play)
        };
        let (best_value, played_value) = (valued(best, best_row), valued(played, played_row));
        let lost = (best_value.win - played_value.win, best_value.points - played_value.points);
        let loss = loss(lost, (0.0, 0.0), Certainty::Exact, &best_value, &played_value);
        let draws = rows.iter().map(|row| draw_results(position, row)).collect();
        let comparison = (best != played).then(|| Comparison::of_pre_endgame(best_row, played_row));
        let values = PairValues {
            method: Method::PreEndgame,
            certainty: Certainty::Exact,
            iterations: 0,
            best: best_value,
            played: played_value,
            loss,
            draws,
            comparison,
        };
        Ok(Some(values))
    }

    fn value_endgame(&self, position: &Position, best: &Play, played: &Play, seed: u64) -> Result<PairValues, EngineError> {
        let (best_lead, is_best_solved) = self.final_lead(position, best, seed)?;
        let (played_lead, is_played_solved) =
            if best == played { (best_lead, is_best_solved) } else { self.final_lead(position, played, seed)? };
        let certainty = if is_best_solved && is_played_solved { Certainty::Exact } else { Certainty::Unfinished };
        let valued = |play: &Play, lead: i32| ValuedPlay {
            win: win_of_final_spread(lead),
            points: f64::from(lead - position.spread()),
            ..bare_value(position, play)
        };
        let (best, played) = (valued(best, best_lead), valued(played, played_lead));
        let loss = loss((best.win - played.win, best.points - played.points), (0.0, 0.0), certainty, &best, &played);
        Ok(PairValues { method: Method::Endgame, certainty, iterations: 0, best, played, loss, draws: Vec::new(), comparison: None })
    }

    /// The mover's lead at the end of the game after a play, both sides playing their best from then on, and whether that is proved.
    fn final_lead(&self, position: &Position, play: &Play, seed: u64) -> Result<(i32, bool), EngineError> {
        let mover = position.on_turn();
        let after = position.after(&Turn::Play(*play)).map_err(|error| crate::search::RequestError::Play { number: 1, error })?;
        if after.end().is_some() {
            return Ok((after.scores().lead(mover), true));
        }
        let options = EndgameOptions { nodes: self.limits().1, ..EndgameOptions::default() };
        let outcome = self.run(&after, options, seed, Part::Exact, &mut |_: Report| {})?;
        let Some(Solution { value, solved, .. }) = outcome.last else { return Ok((-after.spread(), false)) };
        Ok((-(after.spread() + value), solved))
    }

    /// The limits on iterations and nodes, if they are counted.
    fn limits(&self) -> (Option<u64>, Option<u64>) {
        match self.budget {
            JudgeBudget::Time { .. } => (None, None),
            JudgeBudget::Counted { iterations, nodes } => (Some(iterations), Some(nodes)),
        }
    }

    fn run<S: Search + Clone + Send>(
        &self,
        position: &Position,
        search: S,
        seed: u64,
        part: Part,
        listener: &mut (dyn Listener + Send),
    ) -> Result<Outcome<S::Report>, EngineError> {
        let engine = self.engine.with_settings(RunSettings { seed, ..self.engine.settings() });
        match self.budget {
            JudgeBudget::Counted { .. } => engine.search_with(position, search, self.given_up, listener),
            JudgeBudget::Time { ms } => {
                let time = Duration::from_millis((ms * part as u64 / 100).max(1));
                within(time, self.given_up, |signals| engine.search_with(position, search, signals, listener))
            }
        }
    }
}

/// The values of the best play and another one, from their duel.
fn duel_values(position: &Position, [best, other]: [&Play; 2], duel: &Duel, certainty: Certainty) -> PairValues {
    let iterations = duel.iterations();
    let valued = |play: &Play, number: usize| {
        let ((win, win_error), points) = (duel.win(number), duel.points(number));
        ValuedPlay { win, win_error, points: points.mean, points_error: points.standard_error(), ..bare_value(position, play) }
    };
    let (best_value, played_value) = (valued(best, 0), valued(other, 1));
    let (win, points) = (duel.win_difference(), duel.points_difference());
    let errors = (win.error, points.standard_error());
    let loss = loss((win.mean, points.mean), errors, certainty, &best_value, &played_value);
    let can_tell = best != other && iterations >= LEAST_ITERATIONS;
    PairValues {
        method: Method::Simulation,
        certainty,
        iterations,
        best: best_value,
        played: played_value,
        loss,
        draws: Vec::new(),
        comparison: can_tell.then(|| duel.comparison()),
    }
}

/// A loss with its measure, and whether it is noise.
fn loss(
    (win, points): (f64, f64),
    (win_error, points_error): (f64, f64),
    certainty: Certainty,
    best: &ValuedPlay,
    played: &ValuedPlay,
) -> Loss {
    if best.play == played.play {
        return Loss { measure: measure_of(best.win, played.win), ..Loss::NOTHING };
    }
    let measure = measure_of(best.win, played.win);
    let (lost, error) = match measure {
        LossMeasure::Win => (win, win_error),
        LossMeasure::Points => (points, points_error),
    };
    let within_noise = certainty == Certainty::Unfinished || certainty == Certainty::Sampled && lost.abs() <= NOISE_ERRORS * error;
    Loss { win, win_error, points, points_error, measure, within_noise }
}

/// Counts the chances and points that are about as good as the first ones.
fn near_best(mut values: impl Iterator<Item = (f64, f64)>) -> usize {
    let Some((win, points)) = values.next() else { return 1 };
    let is_near = |&(other_win, other_points): &(f64, f64)| match measure_of(win, other_win) {
        LossMeasure::Points => points - other_points <= NEAR_POINTS,
        LossMeasure::Win => win - other_win <= NEAR_WIN,
    };
    1 + values.filter(is_near).count()
}

/// The first rows, and the row of the play made.
fn told(ranking: Vec<RankingRow>, rank: Option<usize>) -> Vec<RankingRow> {
    ranking.into_iter().enumerate().filter(|(at, _)| *at < TOLD_ROWS || Some(at + 1) == rank).map(|(_, row)| row).collect()
}

fn score_of(position: &Position, play: &Play) -> i32 {
    play.placement()
        .map_or(0, |placement| scoring::score_placement(position.rules(), position.board(), placement).map_or(0, |scored| scored.score))
}

fn text_of(position: &Position, play: &Play) -> String {
    play_text(play, position.board(), &position.rules().distribution)
}

fn bare_value(position: &Position, play: &Play) -> ValuedPlay {
    let (play_text, score) = (text_of(position, play), score_of(position, play));
    ValuedPlay { play: play_text, score, win: 0.0, win_error: 0.0, points: 0.0, points_error: 0.0 }
}

fn bare_row(position: &Position, play: &Play) -> RankingRow {
    let leave = play.leave(position.mover_rack());
    RankingRow {
        play: text_of(position, play),
        score: score_of(position, play),
        leave: leave.text(&position.rules().distribution),
        win: None,
        win_error: None,
        points: None,
    }
}

fn static_row(position: &Position, row: &EvaluatedPlay) -> RankingRow {
    RankingRow { points: Some(rounded(row.equity.points())), ..bare_row(position, &row.play) }
}

fn sim_row(position: &Position, row: &SimulationRow) -> RankingRow {
    let [win, win_error, points] = [row.win, row.win_error, row.equity].map(|value| Some(rounded(value)));
    RankingRow { win, win_error, points, ..bare_row(position, &row.ranked.play) }
}

fn peg_row(position: &Position, row: &PreEndgameRow) -> RankingRow {
    let points = row.spread.map(|spread| rounded(spread - f64::from(position.spread())));
    RankingRow { win: row.has_results().then(|| rounded(row.win)), points, ..bare_row(position, &row.ranked.play) }
}

fn draw_results(position: &Position, row: &PreEndgameRow) -> DrawResults {
    let text = |draws: &[Vec<Tile>]| {
        let mut texts: Vec<String> = draws.iter().map(|draw| position.rules().distribution.tiles_text(draw.iter().copied())).collect();
        texts.sort();
        texts.dedup();
        texts
    };
    DrawResults { play: text_of(position, &row.ranked.play), wins: text(&row.wins), ties: text(&row.ties), losses: text(&row.losses) }
}
