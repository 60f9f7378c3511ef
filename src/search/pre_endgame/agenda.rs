//! Decides which stage comes next: more work on fewer candidates, until the question is settled.
//!
//! 1. **The plan** ([`PLANS`]). First the statically best candidates are played out, fewer of them over more draws at
//!    each step, which gives an answer if there is no more time. If there are few draws, the best candidates are then
//!    searched at once, and if the first one seems to win every draw, the search tries to prove it. Next, all
//!    candidates are screened by quick playouts over all draws. The most promising ones are searched, fewer of them
//!    with more nodes at each step.
//! 2. **Rounds.** After the plan, each stage searches all candidates that are still in question, with more nodes each
//!    time. Between rounds, the spreads of candidates level with the leader are searched.
//! 3. **Tie-breaks**, once no candidate can have a greater share of wins than the leader. The leader's spread is
//!    bounded from below. Then each candidate that may equal its share is tested for a greater spread. Each round gets
//!    more nodes. The rounds go on as long as each one settles at least half of the open candidates; without that rule
//!    they would not end when hundreds of plays win (or lose) every draw by nearly the same spread.

use crate::search::phase::MOST_IN_PRE_ENDGAME;
use crate::search::pre_endgame::lines::Skill;
use crate::search::pre_endgame::shares::{Playouts, Screen, SignSearch, Signs};
use crate::search::pre_endgame::stage::Stage;
use crate::search::pre_endgame::tie_breaks::{LEADER_GETS, Rivals, Spreads, ValueSearch};
use crate::search::pre_endgame::types::{LeaderProof, PreEndgameCandidate, ProofStatus};

/// A stage of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// The first `width` candidates are played out over one draw in `one_in`.
    PlayOut { width: usize, one_in: usize },
    /// All candidates are played out quickly over all draws.
    Screen,
    /// The endgames of the first `width` candidates are searched, with `nodes` for each candidate over all draws.
    Search { width: usize, nodes: u64 },
    /// The endgames of the first candidate are searched if it seems to win them all: once that is proved, no other
    /// candidate can have a greater share.
    Prove { nodes: u64 },
}

/// How a search begins, by tiles in the bag.
///
/// PERF: `pegs --cpu --games 10`, seeds 1 and 2: the median processor time to prove a share is 1.0 s with the `Prove`
/// steps and 1.5 s without them.
const PLANS: [&[Step]; MOST_IN_PRE_ENDGAME] = [
    &[
        Step::PlayOut { width: 16, one_in: 1 },
        Step::Search { width: 4, nodes: 800 },
        Step::Prove { nodes: 3_200 },
        Step::Search { width: 4, nodes: 3_200 },
        Step::Prove { nodes: 51_200 },
        Step::Screen,
        Step::Search { width: 8, nodes: 6_400 },
        Step::Search { width: 2, nodes: 51_200 },
    ],
    &[
        Step::PlayOut { width: 16, one_in: 6 },
        Step::PlayOut { width: 4, one_in: 1 },
        Step::Search { width: 4, nodes: 800 },
        Step::Screen,
        Step::Search { width: 8, nodes: 1_200 },
        Step::Search { width: 16, nodes: 8_000 },
        Step::Search { width: 8, nodes: 32_000 },
        Step::Search { width: 4, nodes: 128_000 },
    ],
    &[
        Step::PlayOut { width: 12, one_in: 12 },
        Step::PlayOut { width: 6, one_in: 6 },
        Step::Screen,
        Step::Search { width: 8, nodes: 3_000 },
        Step::Search { width: 8, nodes: 12_000 },
        Step::Search { width: 4, nodes: 48_000 },
    ],
    &[
        Step::PlayOut { width: 12, one_in: 33 },
        Step::PlayOut { width: 6, one_in: 11 },
        Step::Screen,
        Step::Search { width: 8, nodes: 4_000 },
        Step::Search { width: 8, nodes: 20_000 },
        Step::Search { width: 4, nodes: 80_000 },
    ],
];

/// By tiles in the bag: nodes for each candidate in the first round after the plan,
/// which searches all candidates.
const ROUND_NODES: [u64; MOST_IN_PRE_ENDGAME] = [25_600, 512_000, 192_000, 320_000];

/// The factor by which nodes grow from round to round.
const GROWTH: u64 = 4;

/// The fewest nodes an endgame gets.
const FEWEST_NODES: u64 = 16;

/// The most rounds of tie-breaks.
const MOST_TIE_BREAKS: usize = 3;

/// Nodes for the leader's values in the first round of tie-breaks. All questions about its rivals together get the same
/// number.
const TIE_NODES: u64 = 16_000;

/// The factor by which nodes grow from one round of tie-breaks to the next.
const TIE_GROWTH: u64 = 4;

/// The most level candidates whose values are searched, including the leader.
const TIE_WIDTH: usize = 4;

/// The progress of a pre-endgame search, which decides its next stage.
#[derive(Clone, Debug)]
pub struct Agenda {
    in_bag: usize,
    draws: usize,
    /// Whether equal shares are equally good, so that spreads are not compared.
    share_only: bool,
    /// What is left of the plan.
    plan: &'static [Step],
    /// How many stages have searched endgames so far.
    searches: usize,
    /// How many candidates the widest of the plan's searches had so far.
    widest: usize,
    /// Rounds after the plan so far.
    rounds: usize,
    ties: TieBreaks,
}

/// How far the tie-breaks have come.
#[derive(Clone, Debug, Default)]
struct TieBreaks {
    /// Rounds so far.
    rounds: usize,
    /// Whether the leader's spread was searched in the last round, and its rivals have not been compared yet.
    awaits_rivals: bool,
    /// How many rivals were in question before the last round.
    open_before: Option<usize>,
}

impl TieBreaks {
    /// Nodes for the leader's values in the present round.
    fn nodes(&self) -> u64 {
        TIE_NODES * TIE_GROWTH.pow(self.rounds as u32 - 1)
    }
}

impl Agenda {
    /// Creates an agenda for this number of tiles in the bag and of different draws. With `share_only`, plays with
    /// equal shares are equally good.
    pub fn new(in_bag: usize, draws: usize, share_only: bool) -> Agenda {
        let plan = PLANS[in_bag - 1];
        Agenda { in_bag, draws, share_only, plan, searches: 0, widest: 0, rounds: 0, ties: TieBreaks::default() }
    }

    /// Returns the next stage for these candidates, which come in ranking order, or `None` if nothing is left to do.
    pub fn next(&mut self, candidates: &[PreEndgameCandidate]) -> Option<Box<dyn Stage>> {
        let proved = LeaderProof::of(candidates.iter(), ProofStatus::Modelled);
        if proved == LeaderProof::Everything || proved == LeaderProof::Share && self.share_only {
            return None;
        }
        self.next_of_plan(proved, &candidates[0]).or_else(|| match proved {
            LeaderProof::Share => self.break_ties(candidates),
            _ => Some(self.next_round(candidates)),
        })
    }

    /// The next step of the plan that is needed.
    fn next_of_plan(&mut self, proved: LeaderProof, leader: &PreEndgameCandidate) -> Option<Box<dyn Stage>> {
        while let Some((&step, rest)) = self.plan.split_first() {
            self.plan = rest;
            match step {
                Step::PlayOut { width, one_in } => return Some(Box::new(Playouts { width, one_in })),
                Step::Screen => return Some(Box::new(Screen { passing: self.next_width() })),
                // Once the greatest share is known, rivals are compared with the leader
                // instead. But a modelled leader is searched along with others,
                // which may also have that share.
                Step::Search { width, nodes } if proved < LeaderProof::Share || leader.is_modelled && width > self.widest => {
                    self.widest = self.widest.max(width);
                    return Some(self.search(width, nodes));
                }
                Step::Prove { nodes } if proved < LeaderProof::Share && leader.wins_all() => return Some(self.search(1, nodes)),
                Step::Search { .. } | Step::Prove { .. } => {}
            }
        }
        None
    }

    /// How many candidates the plan's next search visits.
    fn next_width(&self) -> usize {
        let mut widths = self.plan.iter().filter_map(|step| if let Step::Search { width, .. } = step { Some(*width) } else { None });
        widths.next().unwrap_or(usize::MAX)
    }

    /// The next stage after the plan, while the greatest share is unknown.
    fn next_round(&mut self, candidates: &[PreEndgameCandidate]) -> Box<dyn Stage> {
        // Candidates level with the leader are separated by spread, once after each round. The last round of tie-breaks
        // is reserved for rivals.
        let has_tie_breaks = self.rounds > self.ties.rounds && self.ties.rounds + 1 < MOST_TIE_BREAKS;
        if has_tie_breaks && !self.share_only {
            let spreads = self.spreads(candidates);
            if spreads.width > 1 {
                return Box::new(spreads);
            }
        }
        let nodes = ROUND_NODES[self.in_bag - 1].saturating_mul(GROWTH.saturating_pow(self.rounds as u32));
        self.rounds += 1;
        self.search(usize::MAX, nodes)
    }

    /// The next stage when no candidate can have a greater share than the leader. Bounding the leader's spread
    /// alternates with testing its rivals for a greater one, as long as that pays.
    fn break_ties(&mut self, candidates: &[PreEndgameCandidate]) -> Option<Box<dyn Stage>> {
        let (leader, others) = candidates.split_first()?;
        let open = others.iter().filter(|other| !other.is_behind(leader, ProofStatus::Proved)).count();
        // Rivals can only be compared with a leader whose spread is bounded. A modelled candidate, which may have taken
        // the lead in the meantime, has no such spread. Open questions share the nodes.
        let is_bounded = !leader.is_modelled && leader.least_sum(ProofStatus::Proved).is_some();
        if std::mem::take(&mut self.ties.awaits_rivals) && is_bounded {
            let nodes = (self.ties.nodes() / (2 * open as u64).max(1)).max(FEWEST_NODES);
            return Some(Box::new(Rivals::new(nodes, self.ties.rounds)));
        }
        // Starts another round, unless the last one left more than half of the rivals in question. A modelled leader
        // has no rivals.
        let left_most_open = self.ties.open_before.is_some_and(|before| 2 * open > before);
        if self.ties.rounds == MOST_TIE_BREAKS || !leader.is_modelled && left_most_open {
            return None;
        }
        self.ties.open_before = Some(open);
        self.ties.awaits_rivals = !leader.is_modelled;
        Some(Box::new(self.spreads(candidates)))
    }

    /// Begins a round of tie-breaks, with the values of the candidates level with the leader.
    fn spreads(&mut self, candidates: &[PreEndgameCandidate]) -> Spreads {
        self.ties.rounds += 1;
        let tied = candidates.iter().take_while(|candidate| candidate.is_level_with(&candidates[0])).count();
        let nodes = self.for_each_draw(self.ties.nodes() / LEADER_GETS);
        Spreads { width: tied.min(TIE_WIDTH), search: ValueSearch { nodes, round: self.ties.rounds } }
    }

    /// Returns a search for the winners of the first `width` candidates' endgames, with `nodes` nodes for each
    /// candidate.
    fn search(&mut self, width: usize, nodes: u64) -> Box<dyn Stage> {
        // The first search has to be quick.
        let skill = if self.searches == 0 { Skill::Static } else { Skill::Informed };
        self.searches += 1;
        Box::new(Signs { width, search: SignSearch { nodes: self.for_each_draw(nodes), skill } })
    }

    /// Divides a candidate's nodes among the draws.
    fn for_each_draw(&self, nodes: u64) -> u64 {
        (nodes / self.draws as u64).max(FEWEST_NODES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::static_eval::EvaluatedPlay;
    use crate::search::pre_endgame::draws::BagDeal;
    use crate::search::pre_endgame::standings::MOST_PLAYED_OUT;
    use crate::search::pre_endgame::types::{DealResult, LeadBounds, StageReached, WinTieLoss};

    /// A candidate whose two deals have these outcomes, with this status.
    fn candidate(outcomes: [WinTieLoss; 2], status: ProofStatus) -> PreEndgameCandidate {
        let deals = [0, 1].map(|draw| BagDeal { draw, tiles: Vec::new(), weight: 1 }).into();
        let result = |outcome| Some(DealResult { outcome, status, expected: 0, bounds: LeadBounds::default() });
        let results = outcomes.map(result).to_vec();
        let reached = StageReached { stage: 1, is_cut: false };
        PreEndgameCandidate { results, reached, ..PreEndgameCandidate::new(EvaluatedPlay::PASS, 1, 1, false, deals) }
    }

    /// For one tile in the bag and two draws.
    fn new_agenda() -> Agenda {
        Agenda::new(1, 2, false)
    }

    /// The stage's type.
    fn name(stage: Option<Box<dyn Stage>>) -> String {
        format!("{:?}", stage.unwrap()).split(' ').next().unwrap().to_string()
    }

    #[test]
    fn a_leader_that_seems_to_win_every_draw_is_proved_before_others_are_searched() {
        use WinTieLoss::{Loss, Win};
        let searched = ProofStatus::Estimate { nodes: 100 };
        let begun = |first: PreEndgameCandidate| {
            let mut agenda = new_agenda();
            let candidates = [first, candidate([Win, Loss], searched)];
            let begin: Vec<_> = (0..2).map(|_| agenda.next(&candidates).unwrap().width()).collect();
            assert_eq!(begin, [16, 4]);
            (agenda, candidates)
        };
        let widths = |(mut agenda, candidates): (Agenda, [PreEndgameCandidate; 2])| -> Vec<usize> {
            (0..5).map_while(|_| agenda.next(&candidates)).map(|stage| stage.width()).collect()
        };
        assert_eq!(widths(begun(candidate([Win, Win], searched))), [1, 4, 1, MOST_PLAYED_OUT, 8]);
        assert_eq!(widths(begun(candidate([Win, Loss], searched))), [4, MOST_PLAYED_OUT, 8, 2, usize::MAX]);
        let (mut agenda, mut candidates) = begun(candidate([Win, Win], searched));
        assert!(!agenda.next(&candidates).unwrap().counts(), "a single candidate is compared with nobody");
        candidates[0] = candidate([Win, Win], ProofStatus::Proved);
        candidates[1] = candidate([Win, Win], searched);
        assert_eq!(agenda.next(&candidates).unwrap().width(), MOST_PLAYED_OUT);
        assert_eq!(name(agenda.next(&candidates)), "Spreads", "what is known is not searched for");
        assert!(Agenda::new(1, 2, true).next(&candidates).is_none(), "equal shares are equally good");
    }

    #[test]
    fn rivals_are_compared_as_long_as_that_pays() {
        let won = |leads: [(Option<i32>, Option<i32>); 2]| {
            let mut candidate = candidate([WinTieLoss::Win, WinTieLoss::Win], ProofStatus::Proved);
            for (result, (least, most)) in candidate.results.iter_mut().flatten().zip(leads) {
                result.note(LeadBounds { least, most }, ProofStatus::Proved);
            }
            candidate
        };
        let leader = won([(Some(9), None), (Some(11), Some(12))]);
        let behind = won([(None, Some(15)), (None, Some(5))]);
        let open = won([(Some(3), Some(15)), (None, Some(6))]);
        assert!(behind.is_behind(&leader, ProofStatus::Proved) && !open.is_behind(&leader, ProofStatus::Proved));
        assert!(candidate([WinTieLoss::Win, WinTieLoss::Tie], ProofStatus::Proved).is_behind(&leader, ProofStatus::Proved));
        assert_eq!(LeaderProof::of([&leader, &behind].into_iter(), ProofStatus::Proved), LeaderProof::Everything);
        assert_eq!(LeaderProof::of([&leader, &behind, &open].into_iter(), ProofStatus::Proved), LeaderProof::Share);
        let begun = || {
            let mut agenda = Agenda { plan: &[], ..new_agenda() };
            let four = [&leader, &open, &open, &open].map(Clone::clone);
            assert_eq!([name(agenda.next(&four)), name(agenda.next(&four))], ["Spreads", "Rivals"]);
            agenda
        };
        assert!(begun().next(&[&leader, &behind, &open, &open].map(Clone::clone)).is_none(), "two of three are left");
        let mut agenda = begun();
        let four = [&leader, &behind, &behind, &open].map(Clone::clone);
        assert_eq!([name(agenda.next(&four)), name(agenda.next(&four))], ["Spreads", "Rivals"]);
        let unbounded = [won([(None, None); 2]), open.clone()];
        let mut agenda = Agenda { plan: &[], ..new_agenda() };
        assert_eq!(name(agenda.next(&unbounded)), "Spreads");
        assert!(agenda.next(&unbounded).is_none(), "there is nothing to compare with");
        let mut agenda = Agenda { plan: &[], ..new_agenda() };
        assert_eq!(name(agenda.next(&[leader.clone(), open.clone()])), "Spreads");
        let modelled = PreEndgameCandidate { is_modelled: true, ..leader.clone() };
        assert_eq!(name(agenda.next(&[modelled, open.clone()])), "Spreads", "a leader by the model has no rivals");
    }
}
