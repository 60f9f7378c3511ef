//! Selects the plays that a search considers: the best by static equity, the caller's plays, or both.
//!
//! If a turn without points ends the game, its equity is that of the ended game,
//! and plays that win for certain rank above all others: see `evaluation/zero_turns.rs`.

use crate::evaluation::static_eval::{EvaluatedPlay, FEW, StaticTurn};
use crate::evaluation::zero_turns::EndInSight;
use crate::evaluation::{Evaluator, StaticEval};
use crate::movegen::LaneBoard;
use crate::rules::units::Millipoints;
use crate::rules::{Objective, Play, Position, Rack, scoring};
use crate::search::analysis::PlaySelection;
use crate::search::context::SearchContext;
use crate::search::misere::equity::MisereEval;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

/// Candidates of a simulation, and rows of a static ranking, if the request does not say how many.
pub const DEFAULT_CANDIDATES: usize = 15;

/// A number of candidates that is never reached, for a choice of all plays.
pub const ALL_PLAYS: usize = usize::MAX;

/// Returns the candidates of a selection that is not [empty](PlaySelection::is_empty): at least one, each once, best static equity first.
/// `usual` is the number of best plays if the selection gives none.
///
/// If the search is stopped before all plays are found and sorted, these are the best few plays and those that are named.
pub fn choose(context: &SearchContext<'_>, plays: &PlaySelection, usual: usize) -> Vec<EvaluatedPlay> {
    let SearchContext { knowledge, position, signals, .. } = *context;
    let graph = knowledge.lexicon.graph();
    if position.rules().objective() == Objective::FewestPoints {
        return choose_misere(context, plays, usual);
    }
    let mut eval = StaticEval::new(position.rules(), knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
    let mut lanes = LaneBoard::new(position.rules(), position.board(), graph);
    let sight = StaticSight::of(position);
    let turn = sight.turn(position, &knowledge.evaluator);
    let wanted = plays.best_wanted(usual);
    let end = EndInSight::of(position);
    let is_plain = plays.only.is_none() && plays.also.is_empty() && end.is_none();
    if is_plain && wanted <= FEW {
        return eval.best_few(&mut lanes, &turn, wanted);
    }
    let all = eval.all_unless(&mut lanes, &turn, &|| signals.is_stopped());
    let mut all = all.unwrap_or_else(|| eval.best_few(&mut lanes, &turn, FEW));
    if is_plain {
        all.truncate(wanted);
        return all;
    }
    let valued = |play: EvaluatedPlay| end.as_ref().map_or(play, |end| end.revalued(play));
    let ranking = |a: &EvaluatedPlay, b: &EvaluatedPlay| end.as_ref().map_or_else(|| a.ranking(b), |end| end.ranking(a, b));
    if end.is_some() {
        all.iter_mut().for_each(|play| *play = valued(*play));
        all.sort_by(ranking);
    }
    // There may be many plays, and many may be named, so each list is traversed once.
    let named: HashSet<&Play> = plays.named().collect();
    let known: HashMap<&Play, &EvaluatedPlay> =
        all.iter().map(|play| (&play.play, play)).filter(|(play, _)| named.contains(play)).collect();
    let find = |play: &Play| known.get(play).map_or_else(|| valued(judge(&eval, position, &turn, play)), |&known| *known);
    with_named(plays, all.iter().take(wanted).copied().collect(), find, ranking)
}

/// Adds the plays that a selection names. Returns all of them, best first, each once.
fn with_named(
    plays: &PlaySelection,
    mut chosen: Vec<EvaluatedPlay>,
    judge: impl Fn(&Play) -> EvaluatedPlay,
    ranking: impl Fn(&EvaluatedPlay, &EvaluatedPlay) -> Ordering,
) -> Vec<EvaluatedPlay> {
    chosen.extend(plays.named().map(judge));
    chosen.sort_by(ranking);
    chosen.dedup_by(|a, b| a.play == b.play);
    chosen
}

/// Returns the selection of a simulation. Where a turn without points ends the game, it also has the plays that may be the best ones to
/// end it with.
pub fn with_ending_plays(position: &Position, plays: &PlaySelection) -> PlaySelection {
    let ending = EndInSight::of(position).filter(|_| plays.only.is_none()).map_or_else(Vec::new, |end| end.ending_plays());
    PlaySelection { also: plays.also.iter().copied().chain(ending).collect(), ..plays.clone() }
}

/// As [`choose`], where the lower score wins. All plays are ranked, which takes no longer than finding them. If the search is stopped
/// before, these are the pass and the plays that are named.
fn choose_misere(context: &SearchContext<'_>, plays: &PlaySelection, usual: usize) -> Vec<EvaluatedPlay> {
    let SearchContext { knowledge, position, signals, .. } = *context;
    let graph = knowledge.lexicon.graph();
    let eval = MisereEval::new(position);
    let mut lanes = LaneBoard::new(position.rules(), position.board(), graph);
    let mut best = match plays.best_wanted(usual) {
        0 => Vec::new(),
        _ => eval.ranking(&mut lanes, graph, &|| signals.is_stopped()).unwrap_or_else(|| vec![eval.judge(&Play::Pass)]),
    };
    best.truncate(plays.best_wanted(usual));
    with_named(plays, best, |play| eval.judge(play), EvaluatedPlay::ranking)
}

/// Evaluates a play that was not generated: its words are not valid, or it is a one-tile play written in the other direction.
fn judge(eval: &StaticEval<'_>, position: &Position, turn: &StaticTurn<'_>, play: &Play) -> EvaluatedPlay {
    let score = play
        .placement()
        .map_or(0, |placement| scoring::score_placement(position.rules(), position.board(), placement).map_or(0, |scored| scored.score));
    EvaluatedPlay { play: *play, score, equity: Millipoints::from_points(score) + eval.worth_after(turn, play) }
}

/// The tiles that static equity considers in addition to the mover's rack.
#[derive(Clone, Debug)]
pub struct StaticSight {
    /// All unseen tiles when the bag is empty, else no tiles.
    other_rack: Rack,
    unseen: Rack,
}

impl StaticSight {
    /// Returns these tiles of a position.
    pub fn of(position: &Position) -> StaticSight {
        let unseen = position.unseen();
        StaticSight { other_rack: if position.in_bag() == 0 { unseen } else { Rack::EMPTY }, unseen }
    }

    /// Returns the turn of this position, to be valued with this evaluator's tables.
    pub fn turn<'a>(&'a self, position: &'a Position, evaluator: &'a Evaluator) -> StaticTurn<'a> {
        StaticTurn::new(position.mover_rack(), &self.other_rack, position.in_bag()).with_means(evaluator.rack_means.as_ref(), &self.unseen)
    }
}
