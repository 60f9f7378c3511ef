//! All candidates: their ranking, what is proved about the leader, and the report.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::rules::Play;
use crate::search::pre_endgame::context::PreEndgameContext;
use crate::search::pre_endgame::draws::{self, Orders};
use crate::search::pre_endgame::types::{CERTAIN, LeaderProof, PreEndgameCandidate, ProofStatus, StageReached, WinTieLoss};
use crate::search::pre_endgame::worker::{Hints, Visit};
use crate::search::report::{PreEndgameBasis, PreEndgameClaim, PreEndgameReport, PreEndgameRow, Report};
use std::sync::Arc;

/// Candidates that are played out at all. With blanks there may be thousands,
/// but static evaluation is enough for the rest.
pub const MOST_PLAYED_OUT: usize = 1000;

/// Results that there is room for, one a candidate and deal: with two blanks there may be tens of thousands of candidates. Those
/// that are statically worst are left out, and then no claim is made of the best.
const MOST_RESULTS: usize = 100_000;

/// Candidates with what is known of them.
#[derive(Clone, Debug)]
pub struct PreEndgameStandings {
    /// In the order in which the present stage goes through them.
    pub candidates: Vec<PreEndgameCandidate>,
    /// The number of the present stage: how many counted stages were begun.
    pub stage: usize,
    /// What earlier candidates teach about the draws.
    pub hints: Hints,
    /// Plays generated and endgame positions searched.
    pub nodes: u64,
    /// Whether there are more plays than candidates.
    leaves_out: bool,
}

impl PreEndgameStandings {
    /// Nothing is known yet of these plays, which come in the order of their static equity.
    pub fn new(context: &PreEndgameContext<'_>, plays: &[EvaluatedPlay]) -> PreEndgameStandings {
        let one: Arc<[_]> = draws::deals(&context.draws, Orders::One).into();
        let orders = if context.deals_all_orders() { Orders::Rotations } else { Orders::One };
        let several: Arc<[_]> = draws::deals(&context.draws, orders).into();
        let candidate = |play: &EvaluatedPlay| {
            let gone = play.play.rack_tiles().len();
            let room = context.position.rules().rack_size + gone - context.position.mover_rack().len();
            let drawn = if play.play == Play::Pass { 0 } else { room.min(context.in_bag) };
            // An exchange that draws the whole bag puts as many tiles back.
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

    /// What the leader's sum of final leads, points times weight, is proved to be at least. `None` for a leader by the model: of it
    /// nothing can be claimed, so everybody who may be as good is of interest.
    pub fn leaders_least_sum(&self) -> Option<i64> {
        let leader = self.leader();
        if leader.is_modelled { None } else { leader.least_sum(ProofStatus::Proved) }
    }

    /// Takes over what a visit of the candidate at this place found out, and how far it came by that.
    pub fn take_in(&mut self, place: usize, visit: Visit, reached: Option<StageReached>) {
        let candidate = &mut self.candidates[place];
        self.hints.learn(candidate, &visit);
        candidate.results = visit.results;
        candidate.spread = visit.spread;
        candidate.reached = reached.unwrap_or(candidate.reached);
    }

    /// Puts the candidates in the order of their ranks. Not in the middle of a stage, which goes through them.
    pub fn in_order(&mut self) -> &[PreEndgameCandidate] {
        self.candidates.sort_by_cached_key(PreEndgameCandidate::rank);
        &self.candidates
    }

    fn ranked(&self) -> Vec<&PreEndgameCandidate> {
        let mut ranked: Vec<_> = self.candidates.iter().collect();
        ranked.sort_by_cached_key(|candidate| candidate.rank());
        ranked
    }

    /// What can be claimed of the candidate ranked first.
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
        win: candidate.chance() as f64 / (CERTAIN * candidate.examined().max(1)) as f64,
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

    /// The chance of a row of two deals with these final leads by playouts, the second one twice as likely. `None`: not examined.
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
