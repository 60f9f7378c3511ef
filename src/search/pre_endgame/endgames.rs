//! The endgames at the ends of lines, searched from our point of view. Only this file uses the endgame solver.
//!
//! The solver counts changes in the lead of the player on turn. Here, every value is our final lead in points.

use crate::rules::{BySeat, Placement, Rack};
use crate::search::budget::Signals;
use crate::search::endgame::{BoardSolver, Bound, EndgameDeal, EndgameQuestion, RackSupersets, Solver};
use crate::search::pre_endgame::context::PreEndgameContext;
use crate::search::pre_endgame::draws::BagDeal;
use crate::search::pre_endgame::lines::{LineEnd, THEM, US};
use crate::search::pre_endgame::types::{LeadBounds, PreEndgameCandidate};

/// A candidate's deal, with the state of the game when the bag is empty.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    /// The candidate.
    pub candidate: &'a PreEndgameCandidate,
    /// The number of the deal among the candidate's.
    pub deal: usize,
    /// Where the line of play after the candidate ended.
    pub end: &'a LineEnd,
}

impl<'a> Case<'a> {
    /// The deal itself.
    pub fn bag(self) -> &'a BagDeal {
        &self.candidate.deals[self.deal]
    }
}

/// A question about a case.
#[derive(Clone, Copy)]
pub enum Question {
    /// The sign of our final lead.
    WhoWins,
    /// Whether our final lead is this or less.
    IsAtMost(i32),
}

/// What a search found out about our final lead.
#[derive(Clone, Copy, Debug)]
pub struct LeadAnswer {
    /// The last value found, which need not be proved. `None` if the search was too short to find one.
    pub lead: Option<i32>,
    /// What is proved.
    pub bounds: LeadBounds,
    /// The opponent's placement that refuted us last, if one did. It is worth trying first in similar cases.
    pub refutation: Option<Placement>,
    /// Positions generated.
    pub nodes: u64,
}

/// A solver for the endgames after all candidates of a position. Each thread has one.
pub struct PreEndgameEndgames<'a> {
    context: &'a PreEndgameContext<'a>,
    solver: BoardSolver,
}

impl<'a> PreEndgameEndgames<'a> {
    /// Creates a solver with a table of `hash_megabytes` MiB and `list_bytes` bytes for lists.
    pub fn new(context: &'a PreEndgameContext<'a>, hash_megabytes: usize, list_bytes: usize) -> PreEndgameEndgames<'a> {
        let solver = Solver::new(hash_megabytes).with_room(list_bytes);
        let solver = solver.on(context.position.rules(), &context.knowledge.lexicon, &context.lanes.to_board(), &context.pool());
        PreEndgameEndgames { context, solver }
    }

    /// Forgets what earlier questions have found out.
    pub fn forget(&mut self) {
        self.solver.forget();
    }

    /// Our final lead if both sides play greedily from here on.
    pub fn play_out(&mut self, case: Case<'_>) -> i32 {
        let end = case.end;
        if end.is_over {
            return end.spread;
        }
        let deal = self.begin(case);
        end.spread + end.turned(self.solver.play_out(&deal))
    }

    /// Asks one question, with a limit of nodes. `hint` is the opponent's placement to try first.
    pub fn ask(&mut self, case: Case<'_>, question: Question, hint: Option<&Placement>, nodes: u64, signals: &Signals) -> LeadAnswer {
        let end = case.end;
        if end.is_over {
            return LeadAnswer { lead: Some(end.spread), bounds: LeadBounds::exactly(end.spread), refutation: None, nodes: 0 };
        }
        let question = match question {
            Question::WhoWins => EndgameQuestion::WhoWins,
            // If we are on turn: do we get more? If the opponent is: do they hold us to it?
            Question::IsAtMost(most) if end.seat == US => EndgameQuestion::IsAtLeast(most + 1),
            Question::IsAtMost(most) => EndgameQuestion::IsAtLeast(-most),
        };
        let deal = self.begin(case);
        let answer = self.solver.ask(&deal, question, hint, nodes, signals);
        let (mut lead, mut bounds) = (None, LeadBounds::default());
        if let Some((change, bound)) = answer.found {
            let ours = end.turned(end.lead() + change);
            let bound = if end.seat == US { bound } else { bound.turned() };
            lead = Some(ours);
            bounds = match bound {
                Bound::Exact => LeadBounds::exactly(ours),
                Bound::AtLeast => LeadBounds { least: Some(ours), most: None },
                Bound::AtMost => LeadBounds { least: None, most: Some(ours) },
                Bound::Estimate => LeadBounds::default(),
            };
        }
        LeadAnswer { lead, bounds, refutation: answer.refutation.filter(|_| end.seat == THEM), nodes: answer.nodes }
    }

    /// Encloses our final lead starting from a guess, with a limit of nodes. Returns what is proved and the nodes it took.
    pub fn enclose(&mut self, case: Case<'_>, guess: i32, nodes: u64, signals: &Signals) -> (LeadBounds, u64) {
        let end = case.end;
        if end.is_over {
            return (LeadBounds::exactly(end.spread), 0);
        }
        let deal = self.begin(case);
        let found = self.solver.enclose(&deal, end.turned(guess) - end.lead(), nodes, signals);
        let ours = |change: i32| end.turned(end.lead() + change);
        // A lower bound of theirs is an upper bound of ours.
        let (least, most) = if end.seat == US { (found.least, found.most) } else { (found.most, found.least) };
        (LeadBounds { least: least.map(ours), most: most.map(ours) }, found.nodes)
    }

    /// Brings the solver to the board after the candidate and the placements that follow it.
    /// Returns the endgame on that board.
    fn begin(&mut self, case: Case<'_>) -> EndgameDeal {
        self.solver.go_to(case.candidate.play.play.placement().into_iter().chain(&case.end.placements));
        let Case { end, .. } = case;
        let alone = EndgameDeal::new(end.racks, end.lead(), end.passed).with_last_turns(end.last_turns);
        if self.context.in_bag > 1 {
            // Finding placements for all tiles that a side may hold takes longer than it saves.
            return alone;
        }
        // With one tile in the bag, all draws share placements: each side may hold a tile more than its rack.
        let in_bag: Rack = case.bag().tiles.iter().copied().collect();
        let [mover, other] = end.racks;
        let ours = if end.seat == US { mover } else { other };
        let at_first = BySeat([self.context.position.mover_rack().plus(&in_bag), self.context.unseen]);
        let here = BySeat([ours, self.context.unseen]);
        let [on_first_board, here] = [at_first, here].map(|racks| racks.own_first(end.seat));
        EndgameDeal { supersets: RackSupersets { on_first_board, here }, ..alone }
    }
}
