//! Makes puzzles of the positions of a game.
//!
//! 1. A screen with a tenth of the budget: the search of the position's phase finds a best play. It must be ahead of the others by about
//!    the margin, and enough of the weaker players must overlook it.
//! 2. The proof with the whole budget: the search is repeated, and the best play is compared with the next ones, exactly or on the same
//!    deals, with random numbers that no search has used. With few tiles in the bag the second best play is found by a search among all
//!    other plays. The position is a puzzle if each difference is at least the margin and more than two standard errors.
//!
//! Not here: which games there are (`cli/puzzles.rs`), how plays are valued (`analysis/judge.rs`). Start with [`PuzzleMaker::puzzles`].

use crate::analysis::JudgeBudget;
use crate::analysis::judge::{PairValues, PhaseRanking, TurnJudge};
use crate::analysis::report::{Certainty, Loss, LossMeasure};
use crate::engine::{Engine, EngineError};
use crate::formats::cgp::{self, Opcodes};
use crate::puzzles::difficulty::{ChosenPlay, Difficulty, WeakerChoices, WeakerPlayers};
use crate::puzzles::record::{GamePuzzles, Puzzle, Rival};
use crate::puzzles::same_play::{all_writings, is_same_play};
use crate::puzzles::theme::{SolvedPosition, themes};
use crate::rules::notation::play_text;
use crate::rules::{Play, Position};
use crate::search::candidates::ALL_PLAYS;
use crate::search::randomness::mix;
use crate::search::{Comparison, EvaluatedPlay, OpponentModel, PlaySelection, RunSettings, SearchKind, SearchPosition, Signals};
use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

/// The number of plays of a simulation's ranking that are compared with the best one.
const RIVALS: usize = 5;

/// The screen gets one iteration in this many, but at least `LEAST_SCREEN`.
const SCREEN_PART: u64 = 10;
const LEAST_SCREEN: u64 = 50;

/// Memory for the table of endgames, MiB. A position has a table of its own, so that its puzzle does not depend on those before it.
const HASH_MEGABYTES: usize = 16;

/// The number of rows of the ranking that a puzzle keeps.
const KEPT_ROWS: usize = 10;

/// The conditions of a puzzle, and the budget to prove them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleSettings {
    /// The least margin: percent of wins, or points if the winner is decided.
    pub margin: u32,
    /// The least difficulty, 0 to 100.
    pub least_difficulty: u32,
    /// Samples of the leader of a simulation, and of each play that is compared.
    pub iterations: u64,
    /// Threads of each search.
    pub threads: usize,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// A position with its place in its game.
#[derive(Clone, Debug)]
pub struct PlacedPosition {
    /// The turn, or the number in a list, from 1.
    pub turn: usize,
    /// The position, as the player on turn sees it.
    pub position: Position,
}

/// Makes puzzles with the words and tables of an engine.
pub struct PuzzleMaker<'a> {
    engine: &'a Engine,
    settings: PuzzleSettings,
    weaker: WeakerPlayers,
    signals: &'a Signals,
}

/// A position that is asked about.
struct PuzzleQuestion {
    /// An engine with a memory of its own.
    engine: Engine,
    position: SearchPosition,
    /// All plays, the best static equity first.
    plays: Vec<EvaluatedPlay>,
    seed: u64,
}

/// The best play compared with the next ones.
struct Contest {
    ranking: PhaseRanking,
    /// The next plays with their losses, the best first; at least one.
    rivals: Vec<(Play, PairValues)>,
    /// Whether these are certainly the next plays, as far as that can be known.
    is_settled: bool,
}

impl<'a> PuzzleMaker<'a> {
    /// A maker with the words and tables of this engine. The signals stop everything.
    ///
    /// # Errors
    /// A variant that the weaker players do not play.
    pub fn new(engine: &'a Engine, settings: PuzzleSettings, signals: &'a Signals) -> Result<PuzzleMaker<'a>, EngineError> {
        let weaker = WeakerPlayers::new(engine.rules().variant)?;
        Ok(PuzzleMaker { engine, settings, weaker, signals })
    }

    /// Finds the puzzles among the positions of game `number`. Positions in which a player does not know enough to choose are skipped.
    /// Returns `None` if it was stopped.
    ///
    /// # Errors
    /// A position that cannot be searched.
    pub fn puzzles(&self, source: &str, number: u64, positions: &[PlacedPosition]) -> Result<Option<GamePuzzles>, EngineError> {
        let mut found = GamePuzzles::default();
        for PlacedPosition { turn, position } in positions {
            let Ok(position) = SearchPosition::new(position.clone()) else { continue };
            if position.check_turn().is_err() {
                continue;
            }
            found.positions += 1;
            let question = self.question(position, mix(mix(self.settings.seed ^ mix(number)) ^ mix(*turn as u64)))?;
            if let Some(choices) = self.screened(&question)? {
                found.candidates += 1;
                let puzzle = self.proved(&question, &choices)?;
                found.puzzles.extend(puzzle.map(|puzzle| Puzzle { source: source.to_string(), turn: *turn, ..puzzle }));
            }
            if self.signals.is_stopped() {
                return Ok(None);
            }
        }
        Ok(Some(found))
    }

    fn question(&self, position: SearchPosition, seed: u64) -> Result<PuzzleQuestion, EngineError> {
        let settings = self.engine.settings();
        let settings = RunSettings { threads: self.settings.threads, hash_megabytes: HASH_MEGABYTES, ..settings };
        let engine = self.engine.with_settings(settings).with_memory(Arc::default());
        let plays = engine.static_ranking(position.position(), ALL_PLAYS)?;
        Ok(PuzzleQuestion { engine, position, plays, seed })
    }

    /// The choices of weaker players in a position that may be a puzzle by a short search; `None` in other positions.
    fn screened(&self, question: &PuzzleQuestion) -> Result<Option<WeakerChoices>, EngineError> {
        let iterations = self.settings.iterations;
        let short = (iterations / SCREEN_PART).max(LEAST_SCREEN).min(iterations);
        let Some(contest) = self.contest(question, short, mix(question.seed ^ 1))? else { return Ok(None) };
        let margin = f64::from(self.settings.margin);
        let is_possible = |values: &PairValues| {
            let Loss { win, win_error, points, points_error, measure, .. } = values.loss;
            let most = match measure {
                LossMeasure::Win => 100.0 * (win + win_error),
                LossMeasure::Points => points + points_error,
            };
            values.certainty == Certainty::Unfinished || most >= margin
        };
        if !contest.rivals.iter().all(|(_, values)| is_possible(values)) {
            return Ok(None);
        }
        let choices = self.weaker.choices(&question.engine, &question.position, mix(question.seed ^ 3), self.signals)?;
        let is_hard = difficulty(question, &contest.ranking.best, &choices).percent >= self.settings.least_difficulty;
        Ok(is_hard.then_some(choices))
    }

    /// The puzzle, if the position is one. The caller fills in its source.
    fn proved(&self, question: &PuzzleQuestion, choices: &WeakerChoices) -> Result<Option<Puzzle>, EngineError> {
        let Some(contest) = self.contest(question, self.settings.iterations, mix(question.seed ^ 2))? else { return Ok(None) };
        let is_beaten = |(_, values): &(Play, PairValues)| is_clear_by(values, self.settings.margin);
        if !contest.is_settled || !contest.rivals.iter().all(is_beaten) || self.signals.is_stopped() {
            return Ok(None);
        }
        // The search may have found another best play than the screen.
        let difficulty = difficulty(question, &contest.ranking.best, choices);
        Ok((difficulty.percent >= self.settings.least_difficulty).then(|| puzzle(question, contest, difficulty, choices)))
    }

    /// Compares the best play of a search with the next ones. `None` if all plays are the same in effect.
    fn contest(&self, question: &PuzzleQuestion, iterations: u64, seed: u64) -> Result<Option<Contest>, EngineError> {
        let PuzzleQuestion { engine, position: asked, plays, .. } = question;
        let (position, budget) = (asked.position(), JudgeBudget::of_iterations(iterations));
        let judge = TurnJudge { engine, budget, opponent: OpponentModel::Uniform, given_up: self.signals };
        let ranking = judge.rank(position, PlaySelection::default(), mix(seed))?;
        let best = ranking.best;
        let is_other = |play: &Play| !is_same_play(position, &best, play);
        let others: Vec<Play> = plays.iter().map(|row| row.play).filter(is_other).collect();
        if others.is_empty() || self.signals.is_stopped() {
            return Ok(None);
        }
        let (rivals, is_settled) = match asked.phase_search() {
            kind @ (SearchKind::Endgame | SearchKind::PreEndgame) => {
                let second = judge.rank(position, PlaySelection::only(others), mix(seed ^ 1))?;
                // With tiles in the bag a search is settled only if no line has to be guessed. The comparison has its own certainty.
                (vec![second.best], kind == SearchKind::PreEndgame || ranking.is_settled && second.is_settled)
            }
            SearchKind::Simulation | SearchKind::Static | SearchKind::Inference | SearchKind::Replies => {
                (ranking.plays.iter().copied().filter(is_other).take(RIVALS).collect(), true)
            }
        };
        if rivals.is_empty() || self.signals.is_stopped() {
            return Ok(None);
        }
        let values = judge.compare(position, &best, &rivals, mix(seed ^ 2))?;
        let mut rivals: Vec<(Play, PairValues)> = rivals.into_iter().zip(values).collect();
        rivals.sort_by(|(_, one), (_, other)| by_loss(&one.loss, &other.loss));
        Ok(Some(Contest { ranking, rivals, is_settled }))
    }
}

/// The difficulty by these choices: how many of them are not the best play.
fn difficulty(question: &PuzzleQuestion, best: &Play, choices: &WeakerChoices) -> Difficulty {
    let is_missed = |play: &Play| !is_same_play(question.position.position(), best, play);
    let missed = choices.iter().filter(|(play, _)| is_missed(play)).map(|(_, times)| times).sum();
    Difficulty::new(missed, choices.values().sum())
}

/// Orders losses by size: first in wins, then in points.
fn by_loss(one: &Loss, other: &Loss) -> Ordering {
    let (one, other) = (one.counted(), other.counted());
    one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1))
}

/// Whether a play loses at least the margin, beyond noise.
pub fn is_clear_by(values: &PairValues, margin: u32) -> bool {
    let lost = match values.loss.measure {
        LossMeasure::Win => 100.0 * values.loss.win,
        LossMeasure::Points => values.loss.points,
    };
    !values.loss.within_noise && lost >= f64::from(margin)
}

/// The puzzle of a contest that is decided.
fn puzzle(question: &PuzzleQuestion, contest: Contest, difficulty: Difficulty, choices: &WeakerChoices) -> Puzzle {
    let position = question.position.position();
    let text = |play: &Play| play_text(play, position.board(), &position.rules().distribution);
    let Contest { ranking, rivals, .. } = contest;
    let best = ranking.best;
    let plays: Vec<Play> = question.plays.iter().map(|row| row.play).collect();
    let also = all_writings(position, &best, &plays).iter().filter(|play| **play != best).map(text).collect();
    // Only generated plays have a static equity. All plays here are generated, so the fallback is not used.
    let evaluated = |play: &Play| question.plays.iter().find(|row| row.play == *play).copied().unwrap_or(EvaluatedPlay::PASS);
    let (second, values) = (rivals[0].0, rivals[0].1.clone());
    let solved =
        SolvedPosition { position, solution: &evaluated(&best), second: &evaluated(&second), comparison: values.comparison.as_ref() };
    let themes = themes(&solved);
    let exact = || Comparison::exact([best, second], values.loss.win, values.loss.points);
    let why = values.comparison.clone().unwrap_or_else(exact).sentences(position);
    let mut chosen: Vec<ChosenPlay> = choices.iter().map(|(play, &times)| ChosenPlay { play: text(play), times }).collect();
    chosen.sort_by_key(|chosen| Reverse(chosen.times));
    let rivals: Vec<PairValues> = rivals.into_iter().map(|(_, values)| values.rounded()).collect();
    Puzzle {
        source: String::new(),
        turn: 0,
        cgp: cgp::print(position, &Opcodes::default()),
        solution: rivals[0].best.clone(),
        also,
        method: values.method,
        certainty: values.certainty,
        iterations: values.iterations,
        themes,
        difficulty,
        chosen,
        ranking: ranking.ranking.into_iter().take(KEPT_ROWS).collect(),
        why,
        rivals: rivals.into_iter().map(|values| Rival { value: values.played, loss: values.loss }).collect(),
    }
}
