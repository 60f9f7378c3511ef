//! Measures how well the estimates of a pre-endgame search come true, to fit and judge [`DealResult::chance`].
//! `tilewright lab pegs --estimates` prints them.
//!
//! Each deal of a candidate is played out and searched as in the stages, and then searched once more with enough nodes
//! to solve the endgame that follows. Not here: the tables of results (`lab/pegs/trials.rs`). Start with
//! [`try_estimates`].

use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::{EvaluatedPlay, StaticTurn};
use crate::movegen::LaneBoard;
use crate::rules::{Play, Position};
use crate::search::budget::Signals;
use crate::search::context::Knowledge;
use crate::search::pre_endgame::context::{PreEndgameContext, PreEndgameSettings};
use crate::search::pre_endgame::draws::BagDeal;
use crate::search::pre_endgame::lines::Skill;
use crate::search::pre_endgame::shares::{Playouts, Screen, SignSearch, Signs};
use crate::search::pre_endgame::stage::Stage;
use crate::search::pre_endgame::standings::PreEndgameStandings;
pub use crate::search::pre_endgame::types::WinTieLoss;
use crate::search::pre_endgame::types::{CERTAIN, DealResult, PreEndgameCandidate, ProofStatus};
use crate::search::pre_endgame::worker::{Assignment, Hints, PreEndgameWorker, Target, VisitEnd};
use serde::{Deserialize, Serialize};

/// How many of a position's statically best plays are tried.
const CANDIDATES: usize = 10;

/// The most deals tried for each play, spread evenly.
const DEALS: usize = 8;

/// Nodes of the searches that make estimates: from what the first stages give an endgame to much more.
const SEARCHES: [u64; 5] = [16, 64, 256, 1_024, 4_096];

/// Nodes of the search that solves the endgames.
const ENOUGH: u64 = 100_000;

/// Table of endgame positions, MiB.
const HASH_MEGABYTES: usize = 4;

/// Bytes for lists of placements.
const LIST_BYTES: usize = 64 << 20;

/// An estimate of how a deal ends, and how it really ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TriedEstimate {
    /// Nodes of the search that made it; 0 for a playout.
    pub nodes: u64,
    /// Whether the candidate leaves tiles in the bag, so that a model chooses what follows.
    pub is_modelled: bool,
    /// The final lead of the playout, points.
    pub lead: i32,
    /// How the deal seems to end.
    pub outcome: WinTieLoss,
    /// The chance of winning that it predicts, 0 to 1.
    pub told: f64,
    /// 1 if the deal is won, 1/2 for a tie, 0 if it is lost.
    pub came: f64,
}

/// Tries the estimates of some deals after the statically best plays. For candidates that leave tiles in the bag, a
/// deal really ends as it does in the model. Deals whose endgames are not solved within a hundred thousand nodes are
/// left out.
///
/// # Panics
/// Unless the bag holds 1 to `MOST_IN_PRE_ENDGAME` tiles.
pub fn try_estimates(position: &Position, knowledge: &Knowledge, seed: u64) -> Vec<TriedEstimate> {
    let context = PreEndgameContext::new(knowledge, position, None);
    let settings = PreEndgameSettings { hash_megabytes: HASH_MEGABYTES, list_bytes: LIST_BYTES, seed };
    let mut worker = PreEndgameWorker::new(&context, &settings);
    let candidates = PreEndgameStandings::new(&context, &candidates(position, knowledge)).candidates;
    let hints = Hints::none(context.draws.len());
    candidates.iter().map(thinned).flat_map(|candidate| try_candidate(&mut worker, &candidate, &hints)).collect()
}

/// The plays that are tried: the statically best ones, without the pass.
pub fn candidates(position: &Position, knowledge: &Knowledge) -> Vec<EvaluatedPlay> {
    let (rules, lexicon, rack) = (position.rules(), knowledge.lexicon.as_ref(), position.mover_rack());
    let mut lanes = LaneBoard::new(rules, position.board(), lexicon.graph());
    let mut eval = StaticEval::new(rules, lexicon, &knowledge.evaluator.leaves);
    let mut plays = eval.best_few(&mut lanes, &StaticTurn::new(rack, &position.unseen(), position.in_bag()), CANDIDATES);
    plays.retain(|play| play.play != Play::Pass);
    plays
}

/// Returns the candidate with an evenly spread sample of its deals.
fn thinned(candidate: &PreEndgameCandidate) -> PreEndgameCandidate {
    let step = candidate.deals.len().div_ceil(DEALS);
    let deals: Vec<BagDeal> = candidate.deals.iter().skip(step / 2).step_by(step).cloned().collect();
    PreEndgameCandidate { results: vec![None; deals.len()], deals: deals.into(), ..candidate.clone() }
}

fn try_candidate(worker: &mut PreEndgameWorker<'_>, candidate: &PreEndgameCandidate, hints: &Hints) -> Vec<TriedEstimate> {
    let signals = Signals::default();
    let mut visited = |candidate: &PreEndgameCandidate, stage: &dyn Stage| {
        let assignment = Assignment { candidate, is_leader: false, target: Target::default(), hints, signals: &signals };
        let (visit, end) = worker.visit(candidate, |worker, visit| stage.visit(worker, &assignment, visit));
        debug_assert_eq!(end, Ok(VisitEnd::Complete), "nothing interrupts, and no target is missed");
        visit.applied_to(candidate)
    };
    let greedy = visited(candidate, &Playouts { width: 1, one_in: 1 });
    let quick = visited(candidate, &Screen { passing: 1 });
    let mut searched = |nodes| visited(&greedy, &Signs { width: 1, search: SignSearch { nodes, skill: Skill::Informed } });
    let short: Vec<PreEndgameCandidate> = SEARCHES.into_iter().map(&mut searched).collect();
    let ends = searched(ENOUGH);
    let is_solved = |result: &DealResult| result.status >= ProofStatus::Modelled;
    let mut tried = Vec::new();
    for estimated in [greedy, quick].iter().chain(&short) {
        for (estimate, end) in estimated.results.iter().flatten().zip(ends.results.iter().flatten()) {
            let ProofStatus::Estimate { nodes } = estimate.status else { continue };
            if is_solved(end) {
                let [told, came] = [estimate, end].map(|result| candidate.chance_of(result) as f64 / CERTAIN as f64);
                let DealResult { outcome, expected: lead, .. } = *estimate;
                tried.push(TriedEstimate { nodes, is_modelled: candidate.is_modelled, lead, outcome, told, came });
            }
        }
    }
    tried
}
