//! Which stage comes next: more work on fewer candidates, until what is asked is settled.
//!
//! `PLANS` says how it begins. First the statically best candidates are played out, ever fewer of them over ever more draws:
//! who has no more time than that has an answer. Where there are few draws, the best of them are searched at once, and a first one
//! that seems to win them all is proved to. Then all candidates are screened by quick playouts over all draws, and those that
//! promise most are searched. Then come stages of endgames: fewer candidates, more nodes. When each has had its turn, the stages
//! go over all candidates that are still in question, with ever more nodes. Between them the values of those that are level are looked at.
//!
//! Once nobody can have a greater share of wins than the first, his spread is bounded from below, and of everyone who may have his
//! share it is asked whether he can have a greater spread: few nodes a question first, then more for those that are left. Who may be
//! better gets his values searched, too, and may take the lead. That goes on as long as each round settles most of what was left:
//! where hundreds of plays win (or lose) every draw by nearly as much, it would not end.

use crate::search::pre_endgame::MOST_IN_BAG;
use crate::search::pre_endgame::candidate::{PegCandidate, ProofStatus};
use crate::search::pre_endgame::lines::Skill;
use crate::search::pre_endgame::visit::Work;

/// Work on the first so many candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// What is done.
    pub work: Work,
    /// How many candidates are looked at.
    pub width: usize,
}

impl Stage {
    /// Whether who went through it stands before those who did not: not if it compares nobody.
    pub fn counts(&self) -> bool {
        !matches!(self.work, Work::QuickPlayouts { .. } | Work::Rivals { .. }) && self.width > 1
    }
}

/// Candidates that are played out at all: with blanks there may be thousands, whose static evaluation tells enough.
pub const MOST_PLAYED_OUT: usize = 1000;

/// A stage of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// The first so many candidates are played out, with this step from draw to draw.
    PlayOut(usize, usize),
    /// All candidates are played out quickly over all draws.
    Screen,
    /// The endgames of the first so many are searched, with so many nodes for each candidate over all draws.
    Search(usize, u64),
    /// Those of the first one, if he seems to win them all: once that is proved, nobody can have a greater share.
    Prove(u64),
}

/// How a search begins, by tiles in the bag.
///
/// PERF: `pegs --cpu --games 10`, seeds 1 and 2: with its steps of proof a share is proved in a median of 1.0 s of processor time,
/// without them in 1.5 s.
const PLANS: [&[Step]; MOST_IN_BAG] = [
    &[
        Step::PlayOut(16, 1),
        Step::Search(4, 800),
        Step::Prove(3_200),
        Step::Search(4, 3_200),
        Step::Prove(51_200),
        Step::Screen,
        Step::Search(8, 6_400),
        Step::Search(2, 51_200),
    ],
    &[
        Step::PlayOut(16, 6),
        Step::PlayOut(4, 1),
        Step::Search(4, 800),
        Step::Screen,
        Step::Search(8, 1_200),
        Step::Search(16, 8_000),
        Step::Search(8, 32_000),
        Step::Search(4, 128_000),
    ],
    &[Step::PlayOut(12, 12), Step::PlayOut(6, 6), Step::Screen, Step::Search(8, 3_000), Step::Search(8, 12_000), Step::Search(4, 48_000)],
    &[Step::PlayOut(12, 33), Step::PlayOut(6, 11), Step::Screen, Step::Search(8, 4_000), Step::Search(8, 20_000), Step::Search(4, 80_000)],
];

/// By tiles in the bag: nodes for each candidate in the first round behind the plan, which looks at all.
const ROUND_NODES: [u64; MOST_IN_BAG] = [25_600, 512_000, 192_000, 320_000];

/// How many times more nodes each round gives than the last.
const GROWTH: u64 = 4;

/// The fewest nodes an endgame gets.
const FEWEST_NODES: u64 = 16;

/// Rounds of tie-breaks, at most.
const MOST_TIE_BREAKS: usize = 3;

/// Nodes for the leader's values in the first of them, and as many for all questions about his rivals; and how many times more there are
/// in each round than in the one before.
const TIE_NODES: u64 = 16_000;
const TIE_GROWTH: u64 = 4;

/// Candidates that are level whose values are looked at, the leader among them.
const TIE_WIDTH: usize = 4;

/// How many times more nodes he gets than the others, who need only be shown to have no greater spread.
pub const LEADER_GETS: u64 = 4;

/// What is known for certain about the candidate ranked first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeaderProof {
    /// Not much.
    Nothing,
    /// No other has a greater share of wins.
    Share,
    /// Neither a greater share, nor the same with a greater spread.
    Everything,
}

/// See the module's text.
#[derive(Clone, Debug)]
pub struct Agenda {
    /// What is left of the plan.
    plan: &'static [Step],
    /// Stages of endgames so far, and how many candidates the widest of the plan's looked at.
    searches: usize,
    widest: usize,
    /// Rounds of tie-breaks so far; whether the leader's spread is looked at in the last one and his rivals are not yet; how many of
    /// them were in question before it.
    tie_breaks: usize,
    awaits_rivals: bool,
    open: Option<usize>,
    /// Stages since the plan.
    rounds: usize,
    in_bag: usize,
    first_win: bool,
}

impl Agenda {
    /// For so many tiles in the bag; `first_win` if equal shares are equally good.
    pub fn new(in_bag: usize, first_win: bool) -> Agenda {
        let plan = PLANS[in_bag - 1];
        Agenda { plan, searches: 0, widest: 0, tie_breaks: 0, awaits_rivals: false, open: None, rounds: 0, in_bag, first_win }
    }

    /// The next stage for these candidates, in the order of their ranks; `None` if nothing is left to do.
    pub fn next(&mut self, candidates: &[PegCandidate], draws: usize) -> Option<Stage> {
        let settled = settled(candidates.iter(), ProofStatus::Modelled);
        if settled == LeaderProof::Everything || settled == LeaderProof::Share && self.first_win {
            return None;
        }
        while let Some((&step, rest)) = self.plan.split_first() {
            self.plan = rest;
            let is_needed = match step {
                Step::Prove(_) => settled < LeaderProof::Share && candidates[0].wins_all(),
                // Once it is known who has the greatest share, his rivals are compared with him; by the model, others may have it, too.
                Step::Search(width, _) => settled < LeaderProof::Share || candidates[0].is_modelled && width > self.widest,
                Step::PlayOut(..) | Step::Screen => true,
            };
            if is_needed {
                return Some(self.planned(step, draws));
            }
        }
        if settled == LeaderProof::Share {
            return self.break_ties(candidates, draws);
        }
        // The last round is left for rivals.
        if self.rounds > self.tie_breaks && self.tie_breaks + 1 < MOST_TIE_BREAKS && !self.first_win {
            let round = self.spreads(candidates, draws);
            if round.width > 1 {
                return Some(round);
            }
        }
        let nodes = ROUND_NODES[self.in_bag - 1].saturating_mul(GROWTH.saturating_pow(self.rounds as u32));
        self.rounds += 1;
        Some(self.search(usize::MAX, nodes, draws))
    }

    /// What comes next when nobody has a greater share than the first: his spread, and whether his rivals have a greater one, as long as
    /// that pays.
    fn break_ties(&mut self, candidates: &[PegCandidate], draws: usize) -> Option<Stage> {
        let (first, others) = candidates.split_first()?;
        let open = others.iter().filter(|other| !is_behind(other, first, ProofStatus::Proved)).count();
        if self.awaits_rivals {
            self.awaits_rivals = false;
            let nodes = (self.tie_nodes() / (2 * open as u64).max(1)).max(FEWEST_NODES);
            if first.least_sum(ProofStatus::Proved).is_some() {
                return Some(Stage { work: Work::Rivals { nodes, stage: self.tie_breaks }, width: usize::MAX });
            }
        }
        if self.tie_breaks == MOST_TIE_BREAKS || !first.is_modelled && self.open.is_some_and(|before| 2 * open > before) {
            return None;
        }
        (self.open, self.awaits_rivals) = (Some(open), !first.is_modelled);
        Some(self.spreads(candidates, draws))
    }

    /// A round of tie-breaks begins: with the values of those that are level with the first.
    fn spreads(&mut self, candidates: &[PegCandidate], draws: usize) -> Stage {
        self.tie_breaks += 1;
        let tied = candidates.iter().take_while(|candidate| candidate.is_level_with(&candidates[0])).count();
        let nodes = per_deal(self.tie_nodes() / LEADER_GETS, draws);
        Stage { work: Work::Spreads { nodes, stage: self.tie_breaks }, width: tied.min(TIE_WIDTH) }
    }

    /// Nodes for a candidate's values in the present round of tie-breaks.
    fn tie_nodes(&self) -> u64 {
        TIE_NODES * TIE_GROWTH.pow(self.tie_breaks as u32 - 1)
    }

    fn planned(&mut self, step: Step, draws: usize) -> Stage {
        match step {
            Step::PlayOut(width, step) => Stage { work: Work::Playouts { step }, width },
            Step::Screen => Stage { work: Work::QuickPlayouts { passing: self.next_searched() }, width: MOST_PLAYED_OUT },
            Step::Search(width, nodes) => {
                self.widest = self.widest.max(width);
                self.search(width, nodes, draws)
            }
            Step::Prove(nodes) => self.search(1, nodes, draws),
        }
    }

    /// How many candidates the next search of the plan looks at.
    fn next_searched(&self) -> usize {
        let width = self.plan.iter().find_map(|step| if let Step::Search(width, _) = step { Some(*width) } else { None });
        width.unwrap_or(usize::MAX)
    }

    fn search(&mut self, width: usize, nodes: u64, draws: usize) -> Stage {
        let skill = if self.searches == 0 { Skill::Static } else { Skill::Informed };
        self.searches += 1;
        Stage { work: Work::Signs { nodes: per_deal(nodes, draws), skill }, width }
    }
}

fn per_deal(nodes: u64, draws: usize) -> u64 {
    (nodes / draws as u64).max(FEWEST_NODES)
}

/// What is known about the first of the candidates, which come in the order of their ranks, from results with this proof.
pub fn settled<'a>(mut candidates: impl Iterator<Item = &'a PegCandidate> + Clone, proof: ProofStatus) -> LeaderProof {
    let Some(first) = candidates.next() else { return LeaderProof::Nothing };
    let share = first.half_wins();
    if !first.is_proved_to(proof) || candidates.clone().any(|other| other.half_wins_above(proof) > share) {
        return LeaderProof::Nothing;
    }
    if candidates.all(|other| is_behind(other, first, proof)) { LeaderProof::Everything } else { LeaderProof::Share }
}

/// Whether a candidate has a smaller share than the first, or the same one and no greater spread; the first's share has this proof.
pub fn is_behind(other: &PegCandidate, first: &PegCandidate, proof: ProofStatus) -> bool {
    let spreads = first.least_sum(proof).zip(other.most_sum(proof));
    other.half_wins_above(proof) < first.half_wins() || spreads.is_some_and(|(least, most)| most <= least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::static_eval::EvaluatedPlay;
    use crate::rules::Play;
    use crate::search::pre_endgame::candidate::{DealResult, WinTieLoss};
    use crate::search::pre_endgame::draws::BagDeal;

    /// A candidate of two deals that are found to end so, on this proof.
    fn candidate(verdicts: [WinTieLoss; 2], proof: ProofStatus) -> PegCandidate {
        let play = EvaluatedPlay { play: Play::Pass, score: 0, equity_millipoints: 0 };
        let deals = [0, 1].map(|draw| BagDeal { draw, tiles: Vec::new(), weight: 1 }).into();
        let results = verdicts.map(|outcome| Some(DealResult { outcome, proof, expected: 0, least: None, most: None })).to_vec();
        PegCandidate { play, drawn: 1, is_modelled: false, deals, results, spread: None, stage: 1, is_cut: false }
    }

    #[test]
    fn who_seems_to_win_all_is_proved_to_before_others_are_looked_at() {
        use WinTieLoss::{Loss, Win};
        let searched = ProofStatus::Estimate { nodes: 100 };
        let begun = |first: PegCandidate| {
            let mut agenda = Agenda::new(1, false);
            let candidates = [first, candidate([Win, Loss], searched)];
            let begin: Vec<_> = (0..2).map(|_| agenda.next(&candidates, 2).unwrap().width).collect();
            assert_eq!(begin, [16, 4]);
            (agenda, candidates)
        };
        let widths = |(mut agenda, candidates): (Agenda, [PegCandidate; 2])| -> Vec<usize> {
            (0..5).map_while(|_| agenda.next(&candidates, 2)).map(|stage| stage.width).collect()
        };
        assert_eq!(widths(begun(candidate([Win, Win], searched))), [1, 4, 1, MOST_PLAYED_OUT, 8]);
        assert_eq!(widths(begun(candidate([Win, Loss], searched))), [4, MOST_PLAYED_OUT, 8, 2, usize::MAX]);
        let (mut agenda, mut candidates) = begun(candidate([Win, Win], searched));
        assert!(!agenda.next(&candidates, 2).unwrap().counts(), "alone he is compared with nobody");
        candidates[0] = candidate([Win, Win], ProofStatus::Proved);
        candidates[1] = candidate([Win, Win], searched);
        assert_eq!(agenda.next(&candidates, 2).unwrap().width, MOST_PLAYED_OUT);
        let next = agenda.next(&candidates, 2).unwrap();
        assert!(matches!(next.work, Work::Spreads { .. }), "what is known is not searched for: {next:?}");
        assert_eq!(Agenda::new(1, true).next(&candidates, 2), None, "equal shares are equally good");
    }

    #[test]
    fn rivals_are_compared_as_long_as_that_pays() {
        let won = |leads: [(Option<i32>, Option<i32>); 2]| {
            let mut candidate = candidate([WinTieLoss::Win, WinTieLoss::Win], ProofStatus::Proved);
            for (result, (least, most)) in candidate.results.iter_mut().flatten().zip(leads) {
                result.note(least, most, ProofStatus::Proved);
            }
            candidate
        };
        let leader = won([(Some(9), None), (Some(11), Some(12))]);
        let behind = won([(None, Some(15)), (None, Some(5))]);
        let open = won([(Some(3), Some(15)), (None, Some(6))]);
        assert!(is_behind(&behind, &leader, ProofStatus::Proved) && !is_behind(&open, &leader, ProofStatus::Proved));
        assert!(is_behind(&candidate([WinTieLoss::Win, WinTieLoss::Tie], ProofStatus::Proved), &leader, ProofStatus::Proved));
        assert_eq!(settled([&leader, &behind].into_iter(), ProofStatus::Proved), LeaderProof::Everything);
        assert_eq!(settled([&leader, &behind, &open].into_iter(), ProofStatus::Proved), LeaderProof::Share);
        let is_about_rivals = |stage: Option<Stage>| matches!(stage.unwrap().work, Work::Rivals { .. });
        let begun = || {
            let mut agenda = Agenda { plan: &[], ..Agenda::new(1, false) };
            let four = [&leader, &open, &open, &open].map(Clone::clone);
            assert!(!is_about_rivals(agenda.next(&four, 2)), "the leader's spread comes first");
            assert!(is_about_rivals(agenda.next(&four, 2)));
            agenda
        };
        assert_eq!(begun().next(&[&leader, &behind, &open, &open].map(Clone::clone), 2), None, "two of three are left");
        let mut agenda = begun();
        let four = [&leader, &behind, &behind, &open].map(Clone::clone);
        assert!(!is_about_rivals(agenda.next(&four, 2)) && is_about_rivals(agenda.next(&four, 2)));
        let unbounded = [won([(None, None); 2]), open.clone()];
        let mut agenda = Agenda { plan: &[], ..Agenda::new(1, false) };
        assert!(!is_about_rivals(agenda.next(&unbounded, 2)));
        assert_eq!(agenda.next(&unbounded, 2), None, "there is nothing to compare with");
    }
}
