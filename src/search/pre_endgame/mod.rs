//! Pre-endgames: one to four tiles in the bag, all unseen tiles known. An anytime search that says what is proved.
//!
//! | file | what it holds |
//! |---|---|
//! | `draws.rs` | what may be in the bag, with weights |
//! | `candidate.rs` | what is known of a play: a result for each deal; shares and ranks |
//! | `lines.rs` | play while there are tiles in the bag, by what each side can know; greedy playouts |
//! | `visit.rs` | one stage's work on one candidate |
//! | `agenda.rs` | which stage comes next, for which candidates |
//! | `brute.rs` | the dumb twin |
//!
//! Not here: endgames (`search/endgame`), which plays there are (`search/candidates.rs`). Start with [`run`].
//!
//! **What is exact.** A play that empties the bag is followed by an endgame, in which both players know everything. Its share
//! of wins is a sum over all draws, each as likely as the tiles make it: exact, once every endgame's sign is proved. With one
//! tile in the bag that is so for every placement.
//!
//! **What is a model.** After a pass, an exchange, or a placement that leaves tiles in the bag, the players choose without
//! knowing the order of the bag or the other rack. Each one is taken to play the best of a few statically best plays by greedy
//! playouts over what he does not see (`lines.rs`); he never uses what he cannot know, nor what the other's plays tell of the
//! other's rack. From the empty bag on the endgame is searched as above. Such shares are those of the model: results may be
//! proved for the endgames that the model leads to, which says nothing about other play before them. Still, the real opponent
//! need not do worse than the model's. So where all choices before the empty bag are his, and all orders of the bag are dealt
//! (one or two tiles in the bag), such a share is also a proved upper bound of the true one.
//!
//! **Ranking.** By stage, then by the chance of winning (`candidate.rs`; for proved results it is the share of wins, a tie being
//! half a win); of equal ones that are not zero, what is proved comes before what a model says; then by mean spread. A candidate that went through more stages stands before others: its numbers rest on more. A
//! stage's results count once two candidates have them.

pub mod agenda;
pub mod brute;
pub mod candidate;
pub mod draws;
pub mod lines;
pub mod visit;

#[cfg(test)]
mod tests;

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::lexicon::Lexicon;
use crate::lexicon::word_graph::WordGraph;
use crate::movegen::LaneBoard;
use crate::rules::{GameRules, Placement, Play, Position, Rack};
use crate::search::budget::Signals;
use crate::search::report::{Outcome, PegBasis, PegClaim, PegRow, Report};
use crate::search::{Knowledge, Listener, SearchRequest, candidates};
use agenda::{Agenda, Stage};
use candidate::{CERTAIN, PegCandidate, ProofStatus, WinTieLoss};
use draws::{Draw, Orders};
use rayon::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};
use visit::{PegWorker, Task, Visit, VisitEnd, Work};

/// Tiles in the bag that a pre-endgame may have, at most.
pub const MOST_IN_BAG: usize = 4;

/// Candidates that are worked on at once: what they must reach is fixed before. The same for any number of threads.
const BATCH: usize = 4;

/// Candidates of a stage's first batch, with which its results begin to count.
const FIRST_BATCH: usize = 2;

/// The largest table of a visit, MB. The same for any number of threads, since what is not proved may depend on it.
const MOST_MEGABYTES: usize = 4;

/// Findings that there is room for, one a candidate and deal: with two blanks there may be tens of thousands of candidates. Those
/// that are statically worse are left out, and then no claim is made of the best.
const MOST_RESULTS: usize = 100_000;

/// Rivals after which it is seen whether it pays to compare more of them: not if more than seven eighths of them were left open.
const PROBE: usize = 64;

/// Candidates played out at once, where it does not matter who comes first.
const PLAYOUT_BATCH: usize = 16;

/// What is fixed during a search.
pub struct PegContext<'a> {
    /// The rules.
    pub rules: &'a GameRules,
    /// Words.
    pub lexicon: &'a Arc<Lexicon>,
    /// Words, as a graph.
    pub graph: &'a WordGraph,
    /// The board.
    pub lanes: LaneBoard,
    /// Our rack.
    pub rack: Rack,
    /// The tiles that we don't see.
    pub unseen: Rack,
    /// Our lead.
    pub spread: i32,
    /// Turns without points before the candidates.
    pub zero_turns: u32,
    /// Tiles in the bag.
    pub in_bag: usize,
    /// What the bag may hold.
    pub draws: Vec<Draw>,
    /// Seed of what little chance there is (where exchanged tiles go).
    pub seed: u64,
}

/// Candidates with what is known of them.
#[derive(Clone, Debug)]
struct Standings {
    /// In the order in which the present stage goes through them.
    candidates: Vec<PegCandidate>,
    /// By draw: chance that candidates lost by it, thousandths times weight.
    losses: Vec<u64>,
    /// By draw: see [`Task::refutations`].
    refutations: Vec<Option<Placement>>,
    /// Whether there are more plays than candidates.
    leaves_out: bool,
    /// Stages begun.
    stage: usize,
    /// Plays generated and endgame positions searched.
    nodes: u64,
}

/// Searches among these plays, at least one, until everything is settled, or a limit or a signal ends it.
///
/// # Panics
/// Unless there are 1 to [`MOST_IN_BAG`] tiles in the bag: whoever asks checks that.
pub fn run(
    knowledge: &Knowledge,
    request: &SearchRequest,
    position: &Position,
    plays: &[EvaluatedPlay],
    signals: &Signals,
    listener: &mut dyn Listener,
) -> Outcome {
    let context = PegContext::new(knowledge, position, request.seed);
    let mut standings = Standings::new(&context, plays);
    let mut agenda = Agenda::new(context.in_bag, request.first_win);
    let team = PegTeam::new(&context, knowledge, request);
    let is_over = |standings: &Standings| signals.is_stopped() || request.limits.nodes.is_some_and(|nodes| standings.nodes >= nodes);
    let mut is_unsaid = false;
    while !is_over(&standings)
        && let Some(stage) = agenda.next(standings.in_order(), context.draws.len())
    {
        // What the last stage has found is the outcome, and said as such.
        if is_unsaid {
            listener.report(standings.report(&context));
        }
        standings.stage += usize::from(stage.counts());
        standings.go_through(&stage, &team, signals, &mut |standings| {
            if signals.take_report() {
                listener.report(standings.report(&context));
            }
            is_over(standings)
        });
        is_unsaid = true;
    }
    let best = standings.in_order()[0].play.play;
    let solved = match standings.claim() {
        PegClaim::Best => true,
        PegClaim::Share => request.first_win,
        PegClaim::Nothing => false,
    };
    Outcome { best: Some(best), solved, last: Some(standings.report(&context)) }
}

impl<'a> PegContext<'a> {
    fn new(knowledge: &'a Knowledge, position: &'a Position, seed: u64) -> PegContext<'a> {
        let (rules, in_bag) = (&**position.rules(), position.in_bag());
        assert!((1..=MOST_IN_BAG).contains(&in_bag), "{in_bag} tiles in the bag");
        let graph = knowledge.lexicon.graph();
        let mut lanes = LaneBoard::new(rules, position.board(), graph);
        lanes.prepare(graph);
        lanes.learn_letters(graph);
        PegContext {
            rules,
            lexicon: &knowledge.lexicon,
            graph,
            lanes,
            rack: *position.mover_rack(),
            unseen: position.unseen(),
            spread: position.spread(),
            zero_turns: position.zero_turns(),
            in_bag,
            draws: draws::draws(&position.unknown(), in_bag),
            seed,
        }
    }

    /// Whether every order of the bag is dealt where it matters. With three tiles and more it would take too long: each draw
    /// gets one order, the next draw another one.
    fn deals_all_orders(&self) -> bool {
        self.in_bag <= 2
    }
}

/// Threads with their memory.
struct PegTeam<'a> {
    workers: Vec<Mutex<PegWorker<'a>>>,
    pool: Option<rayon::ThreadPool>,
}

impl<'a> PegTeam<'a> {
    fn new(context: &'a PegContext<'a>, knowledge: &'a Knowledge, request: &SearchRequest) -> PegTeam<'a> {
        let threads = request.threads.max(1);
        let workers =
            (0..threads).map(|_| Mutex::new(PegWorker::new(context, knowledge, request.hash_megabytes.min(MOST_MEGABYTES)))).collect();
        let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started"));
        PegTeam { workers, pool }
    }

    /// Does a task for each of the candidates.
    fn visit(&self, candidates: &[PegCandidate], task: &Task<'_>, signals: &Signals) -> Vec<Visit> {
        let visit = |candidate: &PegCandidate| {
            let worker = &self.workers[rayon::current_thread_index().unwrap_or(0)];
            worker.lock().unwrap_or_else(PoisonError::into_inner).visit(candidate, task, signals)
        };
        match &self.pool {
            Some(pool) => pool.install(|| candidates.par_iter().map(visit).collect()),
            None => candidates.iter().map(visit).collect(),
        }
    }
}

impl Standings {
    fn new(context: &PegContext<'_>, plays: &[EvaluatedPlay]) -> Standings {
        let one: Arc<[_]> = draws::deals(&context.draws, Orders::One).into();
        let orders = if context.deals_all_orders() { Orders::Rotations } else { Orders::One };
        let several: Arc<[_]> = draws::deals(&context.draws, orders).into();
        let candidate = |play: &EvaluatedPlay| {
            let gone = play.play.rack_tiles().len();
            let room = context.rules.rack_size + gone - context.rack.len();
            let drawn = if play.play == Play::Pass { 0 } else { room.min(context.in_bag) };
            let is_modelled = play.play.placement().is_none() || drawn < context.in_bag;
            let deals = Arc::clone(if is_modelled { &several } else { &one });
            let results = vec![None; deals.len()];
            PegCandidate { play: *play, drawn, is_modelled, deals, results, spread: None, stage: 0, is_cut: false }
        };
        let most = (MOST_RESULTS / several.len()).max(agenda::MOST_PLAYED_OUT);
        let candidates = plays.iter().take(most).map(candidate).collect();
        let draws = context.draws.len();
        Standings { candidates, leaves_out: plays.len() > most, losses: vec![0; draws], refutations: vec![None; draws], stage: 0, nodes: 0 }
    }

    /// Takes the candidates through a stage, in the order of their ranks, in batches. `is_over` is asked after each.
    fn go_through(&mut self, stage: &Stage, team: &PegTeam<'_>, signals: &Signals, is_over: &mut dyn FnMut(&Standings) -> bool) {
        if matches!(stage.work, Work::Signs { .. }) {
            // The leader stays where he is: whoever is to come before him has to be better on equal terms.
            self.candidates[1..].sort_by_cached_key(PegCandidate::promise);
        }
        let width = stage.width.min(self.candidates.len());
        // Rivals are those of the first.
        let mut done = usize::from(matches!(stage.work, Work::Rivals { .. }));
        let mut open = 0;
        while done < width {
            let batch = match stage.work {
                Work::QuickPlayouts { .. } => PLAYOUT_BATCH,
                Work::Playouts { .. } if self.stage == 1 => PLAYOUT_BATCH,
                // The others are compared with the leader.
                Work::Spreads { .. } if done == 0 => 1,
                _ if done == 0 => FIRST_BATCH,
                _ => BATCH,
            };
            let batch = done..(done + batch).min(width);
            let work = match stage.work {
                Work::Spreads { nodes, stage } if done == 0 && !self.candidates[0].is_modelled => {
                    Work::Spreads { nodes: agenda::LEADER_GETS * nodes, stage }
                }
                work => work,
            };
            let beat = if done > 0 { self.beat(stage) } else { None };
            let task = Task { work, needed: self.needed(stage), beat, losses: &self.losses, refutations: &self.refutations };
            let visits = team.visit(&self.candidates[batch.clone()], &task, signals);
            let was_stopped = visits.iter().any(|visit| visit.end == VisitEnd::Stopped);
            self.nodes += visits.iter().map(|visit| visit.nodes).sum::<u64>();
            // The first results of a stage come together or not at all: one alone would stand before all others.
            if !(was_stopped && stage.counts() && done == 0 && self.stage > 1) {
                for (at, visit) in batch.clone().zip(visits) {
                    self.take_in(at, visit, stage);
                }
            }
            if matches!(stage.work, Work::Rivals { .. }) {
                let is_open = |rival: &&PegCandidate| !agenda::is_behind(rival, &self.candidates[0], ProofStatus::Proved);
                open += self.candidates[batch.clone()].iter().filter(is_open).count();
                if batch.end >= PROBE && 8 * open > 7 * batch.end {
                    return;
                }
            }
            done = batch.end;
            if is_over(self) {
                return;
            }
        }
    }

    /// The chance, thousandths times weight, below which a candidate is of no interest in this stage.
    fn needed(&self, stage: &Stage) -> u64 {
        match stage.work {
            // All that may come among those that the next stage looks at.
            Work::QuickPlayouts { passing } => {
                let is_complete = |candidate: &&PegCandidate| candidate.results.iter().all(Option::is_some);
                let mut chances: Vec<u64> = self.candidates.iter().filter(is_complete).map(PegCandidate::chance).collect();
                chances.sort_unstable_by(|a, b| b.cmp(a));
                chances.get(passing - 1).copied().unwrap_or(0)
            }
            Work::Playouts { .. } | Work::Spreads { .. } => 0,
            Work::Rivals { .. } => self.candidates[0].chance(),
            Work::Signs { .. } => self.examined().map(PegCandidate::chance).max().unwrap_or(0),
        }
    }

    /// What the sum of the leader's final leads is at least, for a stage that asks for it. Of a leader by the model nothing can be
    /// claimed: who may be as good as he is of interest.
    fn beat(&self, stage: &Stage) -> Option<i64> {
        match stage.work {
            Work::Spreads { .. } | Work::Rivals { .. } if !self.candidates[0].is_modelled => {
                self.candidates[0].least_sum(ProofStatus::Proved)
            }
            _ => None,
        }
    }

    /// The candidates that went through the present stage.
    fn examined(&self) -> impl Iterator<Item = &PegCandidate> {
        self.candidates.iter().filter(|candidate| candidate.stage == self.stage && !candidate.is_cut)
    }

    fn take_in(&mut self, at: usize, visit: Visit, stage: &Stage) {
        if visit.end == VisitEnd::Stopped {
            return;
        }
        let leaders_stage = self.candidates[0].stage;
        let candidate = &mut self.candidates[at];
        for (deal, result) in candidate.deals.iter().zip(&visit.results) {
            let lost = result.map_or(0, |result| CERTAIN - result.chance());
            self.losses[deal.draw] += deal.weight * lost;
        }
        for (draw, refutation) in visit.refutations {
            self.refutations[draw] = Some(refutation);
        }
        candidate.results = visit.results;
        candidate.spread = visit.spread;
        match stage.work {
            Work::Spreads { .. } => {}
            // On equal terms with the leader from now on.
            Work::Rivals { .. } if visit.end == VisitEnd::Complete => (candidate.stage, candidate.is_cut) = (leaders_stage, false),
            Work::Rivals { .. } => {}
            _ if stage.counts() => (candidate.stage, candidate.is_cut) = (self.stage, visit.end == VisitEnd::Cut),
            _ => {}
        }
    }

    /// Puts the candidates in the order of their ranks. Not within a stage, which goes through them.
    fn in_order(&mut self) -> &[PegCandidate] {
        self.candidates.sort_by_cached_key(PegCandidate::rank);
        &self.candidates
    }

    fn ranked(&self) -> Vec<&PegCandidate> {
        let mut ranked: Vec<_> = self.candidates.iter().collect();
        ranked.sort_by_cached_key(|candidate| candidate.rank());
        ranked
    }

    /// What can be said of the candidate ranked first.
    fn claim(&self) -> PegClaim {
        let ranked = self.ranked();
        match agenda::settled(ranked.iter().copied(), ProofStatus::Proved) {
            _ if ranked[0].is_modelled || self.leaves_out => PegClaim::Nothing,
            agenda::LeaderProof::Nothing => PegClaim::Nothing,
            agenda::LeaderProof::Share => PegClaim::Share,
            agenda::LeaderProof::Everything => PegClaim::Best,
        }
    }

    fn report(&self, context: &PegContext<'_>) -> Report {
        let rows = self.ranked().into_iter().map(|candidate| row(context, candidate)).collect();
        Report::Peg { rows, stage: self.stage, nodes: self.nodes, claim: self.claim() }
    }
}

fn row(context: &PegContext<'_>, candidate: &PegCandidate) -> PegRow {
    let tiles_of = |outcome: WinTieLoss| {
        let with = candidate.deals.iter().zip(&candidate.results).filter(|(_, result)| result.is_some_and(|f| f.outcome == outcome));
        with.map(|(deal, _)| deal.tiles.clone()).collect()
    };
    let basis = match () {
        () if candidate.examined() == 0 => PegBasis::Static,
        () if candidate.is_cut => PegBasis::BrokenOff,
        () if candidate.is_proved_to(ProofStatus::Proved) && !candidate.is_modelled => PegBasis::Proved,
        () if candidate.is_proved_to(ProofStatus::Modelled) => PegBasis::Solved,
        () if !candidate.is_searched() => PegBasis::Playouts,
        () => PegBasis::Searched,
    };
    PegRow {
        ranked: candidates::ranked(&candidate.play, &context.rack),
        drawn: candidate.drawn,
        wins: tiles_of(WinTieLoss::Win),
        ties: tiles_of(WinTieLoss::Tie),
        losses: tiles_of(WinTieLoss::Loss),
        win: candidate.half_wins() as f64 / (2 * candidate.examined().max(1)) as f64,
        spread: candidate.spread.map(|spread| spread.sum as f64 / spread.weight as f64),
        basis,
    }
}
