//! A thread of the search: plays lines after a candidate and searches the endgames at their ends.
//! It also reports the proof of each result.
//!
//! It does not know what a stage does with them (`stage/`).

use crate::evaluation::StaticEval;
use crate::movegen::LaneBoard;
use crate::rules::{Play, Rack};
use crate::search::dealt_game::DealtGame;
use crate::search::endgame::QuickPlayouts;
use crate::search::pre_endgame::candidate::PreEndgameCandidate;
use crate::search::pre_endgame::context::{PreEndgameContext, PreEndgameSettings};
use crate::search::pre_endgame::endgames::{Case, PreEndgameEndgames};
use crate::search::pre_endgame::lines::{LineEnd, LinePlayer, Skill, THEM, US};
use crate::search::pre_endgame::results::ProofStatus;
use crate::search::pre_endgame::visit::{Assignment, Stopped, Visit};

/// A deal's line of play.
#[derive(Clone, Debug)]
pub struct DealtLine {
    /// The number of the deal among the candidate's.
    pub deal: usize,
    /// Where it ended.
    pub end: LineEnd,
}

impl DealtLine {
    /// With the candidate that it begins with.
    pub fn of<'a>(&'a self, candidate: &'a PreEndgameCandidate) -> Case<'a> {
        Case { candidate, deal: self.deal, end: &self.end }
    }
}

/// A thread's memory.
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
    /// A worker with a table of this many MiB.
    pub fn new(context: &'a PreEndgameContext<'a>, settings: &PreEndgameSettings) -> PreEndgameWorker<'a> {
        let eval = StaticEval::new(context.rules, context.lexicon.as_ref(), context.leaves);
        let quick = QuickPlayouts::new(context.rules, context.graph, context.leaves, &context.lanes, &context.pool());
        // The two kinds of lists share evenly.
        let room = settings.list_bytes / 2;
        PreEndgameWorker {
            context,
            player: LinePlayer::new(context.rules, context.graph, eval, settings.seed),
            endgames: PreEndgameEndgames::new(context, settings.hash_megabytes, room),
            quick: quick.with_room(room),
            lanes: context.lanes.clone(),
            is_on_board: false,
            game: DealtGame::default(),
        }
    }

    /// Does some work on a candidate, from a clean beginning: nothing that earlier visits found is used.
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

    /// The line of a deal up to the empty bag.
    pub fn line(&mut self, candidate: &PreEndgameCandidate, deal: usize, skill: Skill) -> DealtLine {
        // Only where tiles stay in the bag are there turns before the endgame, which need the candidate on the board.
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

    /// The lines of the deals that are wanted; those that end on the same board side by side.
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

    /// Gets ready for quick playouts after a candidate. Whether it did before a signal came.
    pub fn begin_quick_playouts(&mut self, assignment: &Assignment<'_>) -> bool {
        self.quick.begin(&assignment.candidate.play.play, &|| assignment.signals.is_stopped())
    }

    /// Our final lead by a quick playout of a deal.
    pub fn play_out_quickly(&mut self, candidate: &PreEndgameCandidate, deal: usize) -> i32 {
        self.deal(candidate, deal);
        if self.game.is_over() { self.game.spread() } else { self.quick.play_out(&self.game, THEM) }
    }

    /// Whether a proved result of this line is a true upper bound of ours: all orders of the bag are dealt, and we had no turn on
    /// which we might have done better than the model.
    pub fn is_bounding(&self, end: &LineEnd) -> bool {
        self.context.deals_all_orders() && !end.had_turn
    }

    /// The status of a result that is proved of a case's endgame.
    pub fn status_of_solved(&self, case: Case<'_>) -> ProofStatus {
        if !case.candidate.is_modelled || self.is_bounding(case.end) { ProofStatus::Proved } else { ProofStatus::Modelled }
    }

    /// Deals racks and bag, and takes the candidate's turn.
    fn deal(&mut self, candidate: &PreEndgameCandidate, deal: usize) {
        let context = self.context;
        let tiles = &candidate.deals[deal].tiles;
        let in_bag: Rack = tiles.iter().copied().collect();
        let theirs = context.unseen.minus(&in_bag).expect("the bag is drawn from what is unseen");
        self.game.deal([context.rack, theirs], tiles, context.spread, context.zero_turns);
        self.player.take_turn(&mut self.game, US, &candidate.play);
    }
}
