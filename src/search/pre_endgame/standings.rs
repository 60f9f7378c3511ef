//! All candidates: their ranking, what is proved about the leader, and the report.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::rules::Play;
use crate::search::pre_endgame::context::PreEndgameContext;
use crate::search::pre_endgame::draws::{self, Orders};
use crate::search::pre_endgame::types::{LeaderProof, PreEndgameCandidate, ProofStatus, StageReached, WinTieLoss};
use crate::search::pre_endgame::worker::{Hints, Visit};
use crate::search::report::{PreEndgameBasis, PreEndgameClaim, PreEndgameReport, PreEndgameRow, Report};
use std::sync::Arc;

/// The most candidates that are played out. With blanks there may be thousands, but static evaluation is enough for the
/// rest.
pub const MOST_PLAYED_OUT: usize = 1000;

/// The most results that are kept, one per candidate and deal. With two blanks there may be tens of thousands of
/// candidates. The statically worst are then left out, and nothing is claimed about the best.
const MOST_RESULTS: usize = 100_000;

/// The candidates and what is known about them.
#[derive(Clone, Debug)]
pub struct PreEndgameStandings {
    /// The candidates, in the order in which the present stage visits them.
    pub candidates: Vec<PreEndgameCandidate>,
    /// The number of the present stage: how many counted stages were begun.
    pub stage: usize,
    /// Facts about the draws that earlier candidates revealed.
    pub hints: Hints,
    /// Plays generated and endgame positions searched.
    pub nodes: u64,
    /// Whether there are more plays than candidates.
    leaves_out: bool,
}

impl PreEndgameStandings {
    /// Creates the standings of these plays, which come in the order of their static equity, with nothing known about
    /// them yet.
    pub fn new(context: &PreEndgameContext<'_>, plays: &[EvaluatedPlay]) -> PreEndgameStandings {
        let one: Arc<[_]> = draws::deals(&context.draws, Orders::One).into();
        let orders = if context.deals_all_orders() { Orders::Rotations } else { Orders::One };
        let several: Arc<[_]> = draws::deals(&context.draws, orders).into();
        let candidate = |play: &EvaluatedPlay| {
            let gone = play.play.rack_tiles().len();
            let room = context.position.rules().rack_size + gone - context.position.mover_rack().len();
            let drawn = if play.play == Play::Pass { 0 } else { room.min(context.in_bag) };
            // An exchange that draws the whole bag puts the same number of tiles back.
            let is_modelled = play.play.placement().is_none() || drawn < context.in_bag;
            let deals = Arc::clone(if is_modelled { &several } else { &one });
            PreEndgameCandidate::new(*play, context.in_bag, drawn, is_modelled, deals)
        };
        let most = (MOST_RESULTS / several.len()).max(MOST_PLAYED_OUT);
        PreEndgameStandings {
            candidates: plays.iter().take(most).map(candidate).collect(),
            stage: 0,
            hints: Hints::none(context.draws.len()),
            nodes: 0,
            leaves_out: plays.len() > most,
        }
    }

    /// The candidate in front, with which others are compared.
    pub fn leader(&self) -> &PreEndgameCandidate {
        &self.candidates[0]
    }

    /// A proved lower bound on the leader's sum of final leads, in points times weight. `None` for a modelled leader:
    /// nothing can be claimed about it, so every candidate that may be as good is of interest.
    pub fn leaders_least_sum(&self) -> Option<i64> {
        let leader = self.leader();
        if leader.is_modelled { None } else { leader.least_sum(ProofStatus::Proved) }
    }

    /// Records what a visit to the candidate at this place found, and how far the visit brought it.
    pub fn take_in(&mut self, place: usize, visit: Visit, reached: Option<StageReached>) {
        let candidate = &mut self.candidates[place];
        self.hints.learn(candidate, &visit);
        candidate.results = visit.results;
        candidate.spread = visit.spread;
        candidate.reached = reached.unwrap_or(candidate.reached);
    }

    /// Sorts the candidates by rank. Must not be called in the middle of a stage, which iterates over them.
    pub fn in_order(&mut self) -> &[PreEndgameCandidate] {
        self.candidates.sort_by_cached_key(PreEndgameCandidate::rank);
        &self.candidates
    }

    fn ranked(&self) -> Vec<&PreEndgameCandidate> {
        let mut ranked: Vec<_> = self.candidates.iter().collect();
        ranked.sort_by_cached_key(|candidate| candidate.rank());
        ranked
    }

    /// The claim that can be made about the candidate ranked first.
    pub fn claim(&self) -> PreEndgameClaim {
        let ranked = self.ranked();
        if ranked[0].is_modelled || self.leaves_out {
            return PreEndgameClaim::Nothing;
        }
        match LeaderProof::of(ranked.iter().copied(), ProofStatus::Proved) {
            LeaderProof::Nothing => PreEndgameClaim::Nothing,
            LeaderProof::Share => PreEndgameClaim::Share,
            LeaderProof::Everything => PreEndgameClaim::Best,
        }
    }

    /// The ranking as it is now.
    pub fn report(&self) -> Report {
        let rows = self.ranked().into_iter().map(row).collect();
        Report::PreEndgame(PreEndgameReport { rows, stage: self.stage, nodes: self.nodes, claim: self.claim() })
    }
}

fn row(candidate: &PreEndgameCandidate) -> PreEndgameRow {
    let draws_that = |outcome: WinTieLoss| {
        let deals = candidate.deals.iter().zip(&candidate.results);
        let found = deals.filter(|(_, result)| result.is_some_and(|result| result.outcome == outcome));
        found.map(|(deal, _)| deal.tiles.clone()).collect()
    };
    PreEndgameRow {
        ranked: candidate.play,
        drawn: candidate.drawn,
        wins: draws_that(WinTieLoss::Win),
        ties: draws_that(WinTieLoss::Tie),
        losses: draws_that(WinTieLoss::Loss),
        win: candidate.chance(),
        spread: candidate.spread.map(|spread| spread.sum as f64 / spread.weight as f64),
        basis: basis(candidate),
    }
}

/// What a row rests on.
fn basis(candidate: &PreEndgameCandidate) -> PreEndgameBasis {
    if candidate.examined() == 0 {
        PreEndgameBasis::Static
    } else if candidate.reached.is_cut {
        PreEndgameBasis::BrokenOff
    } else if candidate.has_status(ProofStatus::Proved) && !candidate.is_modelled {
        PreEndgameBasis::Proved
    } else if candidate.has_status(ProofStatus::Modelled) {
        PreEndgameBasis::Solved
    } else if candidate.is_searched() {
        PreEndgameBasis::Searched
    } else {
        PreEndgameBasis::Playouts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::pre_endgame::draws::BagDeal;
    use crate::search::pre_endgame::types::DealResult;

    /// The chance in the row of a candidate with two deals, the second twice as likely, whose playouts end with these
    /// leads. `None` is a deal that was not examined.
    fn win(leads: [Option<i32>; 2]) -> f64 {
        let deals = [1, 2].map(|weight| BagDeal { draw: 0, tiles: Vec::new(), weight }).into();
        let results = leads.map(|lead| lead.map(DealResult::of_playout)).to_vec();
        let candidate = PreEndgameCandidate { results, ..PreEndgameCandidate::new(EvaluatedPlay::PASS, 1, 0, false, deals) };
        row(&candidate).win
    }

    #[test]
    fn draws_that_were_not_examined_are_no_losses() {
        assert_eq!([win([Some(100), None]), win([Some(-100), None]), win([None, None])], [1.0, 0.0, 0.0]);
        assert_eq!([win([Some(100), Some(-100)]), win([Some(-100), Some(100)])], [1.0 / 3.0, 2.0 / 3.0]);
    }
}
