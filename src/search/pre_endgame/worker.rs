//! A thread of the search: plays lines after a candidate and searches the endgames at their ends. Its
//! input is an [`Assignment`], its output a [`Visit`], with the proof of each result.
//!
//! Not here: what each stage does with lines and endgames (`shares.rs`, `tie_breaks.rs`). Start with
//! [`PreEndgameWorker::visit`].

use crate::evaluation::StaticEval;
use crate::movegen::LaneBoard;
use crate::rules::{Placement, Play, Rack};
use crate::search::budget::Signals;
use crate::search::chances::Correction;
use crate::search::dealt_game::DealtGame;
use crate::search::endgame::QuickPlayouts;
use crate::search::pre_endgame::context::{PreEndgameContext, PreEndgameSettings};
use crate::search::pre_endgame::endgames::{Case, LeadAnswer, PreEndgameEndgames};
use crate::search::pre_endgame::lines::{LineEnd, LinePlayer, Skill, THEM, US};
use crate::search::pre_endgame::types::{
    CERTAIN, ChanceSum, DealResult, MeanSpread, PreEndgameCandidate, ProofStatus, WinTieLoss, billionths,
};
use std::cmp::Reverse;

/// What a candidate must be able to reach to be of interest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Its chance, in billionths, must be at least this.
    pub chance: u64,
    /// Whether that is a share of wins, which is not corrected.
    pub is_share: bool,
    /// Its sum of final leads, in points times weight, must exceed this.
    pub lead_sum: Option<i64>,
}

impl Target {
    /// Whether a candidate whose chances may be these can reach the target's chance.
    pub fn is_possible(&self, candidate: &PreEndgameCandidate, chances: &ChanceSum) -> bool {
        let correction = if self.is_share { Correction::NONE } else { candidate.calibration.correction() };
        billionths(chances.mean(correction)) >= self.chance
    }
}

/// Facts about the draws that earlier candidates revealed. Hints change only the order of work.
#[derive(Clone, Debug)]
pub struct Hints {
    /// By draw: the chance of winning that it cost candidates, in thousandths times weight. The most costly draws are
    /// examined first.
    pub losses: Vec<u64>,
    /// By draw: the opponent's placement that refuted the last candidate that lost with it. That placement is tried
    /// first.
    pub refutations: Vec<Option<Placement>>,
}

impl Hints {
    /// Creates empty hints about this many draws.
    pub fn none(draws: usize) -> Hints {
        Hints { losses: vec![0; draws], refutations: vec![None; draws] }
    }

    /// Learns from a visit to this candidate.
    pub fn learn(&mut self, candidate: &PreEndgameCandidate, visit: &Visit) {
        for (deal, result) in candidate.deals.iter().zip(&visit.results) {
            let lost = result.map_or(0, |result| CERTAIN - candidate.chance_of(&result));
            self.losses[deal.draw] += deal.weight * lost;
        }
        for (draw, refutation) in &visit.refutations {
            self.refutations[*draw] = Some(*refutation);
        }
    }
}

/// A candidate to work on. What a visit finds depends on the assignment alone, not on the thread or on what the thread
/// did before.
#[derive(Clone, Copy)]
pub struct Assignment<'a> {
    /// The candidate.
    pub candidate: &'a PreEndgameCandidate,
    /// Whether it is the leader, with which others are compared.
    pub is_leader: bool,
    /// The share that the candidate must be able to reach.
    pub target: Target,
    /// Facts about the draws that earlier candidates revealed.
    pub hints: &'a Hints,
    /// Signals that may end the visit.
    pub signals: &'a Signals,
}

impl Assignment<'_> {
    /// The numbers of the deals in the order in which they are examined: those expected to be lost first, then those that cost
    /// other candidates most.
    pub fn order(&self) -> Vec<usize> {
        let PreEndgameCandidate { deals, results, .. } = self.candidate;
        let expected = |deal: usize| results[deal].map_or(WinTieLoss::Tie, |result| result.outcome);
        let mut order: Vec<usize> = (0..deals.len()).collect();
        order.sort_by_key(|&deal| (expected(deal), Reverse((self.hints.losses[deals[deal].draw], deals[deal].weight))));
        order
    }

    /// The opponent's placement to try first in a deal.
    pub fn refutation(&self, deal: usize) -> Option<&Placement> {
        self.hints.refutations[self.candidate.deals[deal].draw].as_ref()
    }

    /// Returns an error, which ends the visit, if a signal came.
    ///
    /// # Errors
    /// [`Stopped`] if a signal came.
    pub fn go_on(&self) -> Result<(), Stopped> {
        if self.signals.is_stopped() { Err(Stopped) } else { Ok(()) }
    }
}

/// A signal came in the middle of the work: what was found so far is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// How a visit ended that no signal interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitEnd {
    /// Everything that the stage asks was answered.
    Complete,
    /// The candidate cannot reach its target.
    Cut,
    /// A rival was not shown to be better than the leader.
    NotBetter,
}

/// What a visit found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// By deal.
    pub results: Vec<Option<DealResult>>,
    /// The mean final lead, if it was worked out.
    pub spread: Option<MeanSpread>,
    /// Numbers of draws that are lost, each with the opponent's placement that refuted us ([`LeadAnswer::refutation`]).
    pub refutations: Vec<(usize, Placement)>,
    /// Plays generated and endgame positions searched.
    pub nodes: u64,
}

impl Visit {
    /// Begins a visit with what is known about the candidate.
    pub fn of(candidate: &PreEndgameCandidate) -> Visit {
        Visit { results: candidate.results.clone(), spread: candidate.spread, refutations: Vec::new(), nodes: 0 }
    }

    /// Counts an answer's nodes, and keeps its refutation, which may help with other candidates.
    pub fn note_answer(&mut self, case: Case<'_>, answer: &LeadAnswer) {
        self.nodes += answer.nodes;
        self.refutations.extend(answer.refutation.map(|refutation| (case.bag().draw, refutation)));
    }

    /// Returns the candidate with the results found so far.
    pub fn applied_to(&self, candidate: &PreEndgameCandidate) -> PreEndgameCandidate {
        PreEndgameCandidate { results: self.results.clone(), ..candidate.clone() }
    }

    /// Notes the expected mean final lead after this round of tie-breaks (0: before the first), unless a later round noted one or no
    /// deal has a result.
    pub fn note_mean(&mut self, candidate: &PreEndgameCandidate, round: usize) {
        if self.spread.is_some_and(|known| known.round > round) {
            return;
        }
        let mut spread = MeanSpread { round, ..MeanSpread::default() };
        for (deal, result) in candidate.deals.iter().zip(&self.results) {
            if let Some(result) = result {
                spread.sum += deal.weight as i64 * i64::from(result.expected);
                spread.weight += deal.weight;
            }
        }
        // A search that ends in its first stage has results for only some of the candidates.
        if spread.weight > 0 {
            self.spread = Some(spread);
        }
    }
}

/// A deal's line of play.
#[derive(Clone, Debug)]
pub struct DealtLine {
    /// The number of the deal among the candidate's.
    pub deal: usize,
    /// Where it ended.
    pub end: LineEnd,
}

impl DealtLine {
    /// Combines the line with the candidate that it begins with.
    pub fn of<'a>(&'a self, candidate: &'a PreEndgameCandidate) -> Case<'a> {
        Case { candidate, deal: self.deal, end: &self.end }
    }
}

/// A thread's solver, boards, and lists.
pub struct PreEndgameWorker<'a> {
    context: &'a PreEndgameContext<'a>,
    player: LinePlayer<'a>,
    /// The solver of the endgames after the lines.
    pub endgames: PreEndgameEndgames<'a>,
    quick: QuickPlayouts<'a>,
    /// The board. During a visit the candidate may be on it.
    lanes: LaneBoard,
    is_on_board: bool,
    game: DealtGame,
}

impl<'a> PreEndgameWorker<'a> {
    /// Creates a worker with these settings.
    pub fn new(context: &'a PreEndgameContext<'a>, settings: &PreEndgameSettings) -> PreEndgameWorker<'a> {
        let (rules, leaves) = (context.position.rules(), &context.knowledge.evaluator.leaves);
        let eval = StaticEval::new(rules, context.knowledge.lexicon.as_ref(), leaves);
        let quick = QuickPlayouts::new(rules, context.graph, leaves, &context.lanes, &context.pool());
        // Both kinds of lists get half of the space.
        let room = settings.list_bytes / 2;
        PreEndgameWorker {
            context,
            player: LinePlayer::new(rules, context.graph, eval, settings.seed),
            endgames: PreEndgameEndgames::new(context, settings.hash_megabytes, room),
            quick: quick.with_room(room),
            lanes: context.lanes.clone(),
            is_on_board: false,
            game: DealtGame::default(),
        }
    }

    /// Does some work on a candidate from a clean state: nothing that earlier visits found is used.
    pub fn visit<R>(&mut self, candidate: &PreEndgameCandidate, work: impl FnOnce(&mut Self, &mut Visit) -> R) -> (Visit, R) {
        self.player.forget();
        self.endgames.forget();
        let mut visit = Visit::of(candidate);
        let result = work(self, &mut visit);
        if std::mem::take(&mut self.is_on_board) {
            self.lanes.undo();
        }
        visit.nodes += self.player.nodes;
        (visit, result)
    }

    /// Plays a deal's line up to the empty bag.
    pub fn line(&mut self, candidate: &PreEndgameCandidate, deal: usize, skill: Skill) -> DealtLine {
        // If tiles stay in the bag, there are turns before the endgame, which need the candidate on the board.
        if candidate.is_modelled
            && !self.is_on_board
            && let Some(placement) = candidate.play.play.placement()
        {
            self.lanes.play(placement, self.context.graph);
            self.lanes.prepare(self.context.graph);
            self.lanes.learn_letters(self.context.graph);
            self.is_on_board = true;
        }
        self.deal(candidate, deal);
        let passed = candidate.play.play == Play::Pass;
        DealtLine { deal, end: self.player.play_to_empty_bag(&mut self.lanes, &mut self.game, passed, skill) }
    }

    /// Plays the lines of the wanted deals and groups them by the board on which they end.
    ///
    /// # Errors
    /// If a signal came.
    pub fn lines(
        &mut self,
        assignment: &Assignment<'_>,
        skill: Skill,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Result<Vec<DealtLine>, Stopped> {
        let mut lines = Vec::new();
        for deal in assignment.order().into_iter().filter(|&deal| is_wanted(deal)) {
            assignment.go_on()?;
            lines.push(self.line(assignment.candidate, deal, skill));
        }
        // Stable: on one board the most costly draws stay first.
        lines.sort_by(|a, b| a.end.placements.cmp(&b.end.placements));
        Ok(lines)
    }

    /// Prepares quick playouts after a candidate. Returns whether it finished before a signal came.
    pub fn begin_quick_playouts(&mut self, assignment: &Assignment<'_>) -> bool {
        self.quick.begin(&assignment.candidate.play.play, &|| assignment.signals.is_stopped())
    }

    /// Our final lead by a quick playout of a deal.
    pub fn play_out_quickly(&mut self, candidate: &PreEndgameCandidate, deal: usize) -> i32 {
        self.deal(candidate, deal);
        if self.game.is_over() { self.game.spread() } else { self.quick.play_out(&self.game, THEM) }
    }

    /// Whether a proved result of this line is a true upper bound on our result: all orders of the bag are dealt, and
    /// we had no turn on which we might have done better than the model.
    pub fn is_bounding(&self, end: &LineEnd) -> bool {
        self.context.deals_all_orders() && !end.had_turn
    }

    /// The status of a result that is proved for a case's endgame.
    pub fn status_of_solved(&self, case: Case<'_>) -> ProofStatus {
        if !case.candidate.is_modelled || self.is_bounding(case.end) { ProofStatus::Proved } else { ProofStatus::Modelled }
    }

    /// Deals racks and bag, and takes the candidate's turn.
    fn deal(&mut self, candidate: &PreEndgameCandidate, deal: usize) {
        let PreEndgameContext { position, unseen, .. } = self.context;
        let tiles = &candidate.deals[deal].tiles;
        let in_bag: Rack = tiles.iter().copied().collect();
        let theirs = unseen.minus(&in_bag).expect("the bag is drawn from what is unseen");
        self.game.deal([*position.mover_rack(), theirs], tiles, position.spread(), position.countdown());
        self.player.take_turn(&mut self.game, US, &candidate.play);
    }
}
