//! Which stage comes next: more work on fewer candidates, until what is asked is settled.
//!
//! `PLANS` says how it begins. First the statically best candidates are played out, ever fewer of them over ever more draws:
//! who has no more time than that has an answer. Where there are few draws, the best of them are searched at once, and a first one
//! that seems to win them all is proved to. Then all candidates are screened by quick playouts over all draws, and those that
//! promise most are searched. Then come stages of endgames: fewer candidates, more nodes. When each has had its turn, the stages
//! go over all candidates that are still in question, with ever more nodes. Once nobody can have a greater share of wins than the
//! first, or after the plan, ties between the best are broken by their spreads.

use crate::search::pre_endgame::MOST_IN_BAG;
use crate::search::pre_endgame::candidate::{Candidate, Ground};
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
        !matches!(self.work, Work::QuickPlayouts { .. }) && self.width > 1
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

/// Candidates in the rounds that break ties, and nodes for each one's endgames.
const TIE_BREAKS: &[(usize, u64)] = &[(8, 32_000), (4, 128_000), (2, 512_000)];

/// How many times more nodes the leader gets there: once his spread is proved, the others need only be shown to have no greater one.
pub const LEADER_GETS: u64 = 4;

/// What is known for certain about the candidate ranked first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Settled {
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
    /// Rounds of tie-breaks so far, and how many there are at most.
    tie_breaks: usize,
    most_tie_breaks: usize,
    /// Stages since the plan.
    rounds: usize,
    in_bag: usize,
}

impl Agenda {
    /// For so many tiles in the bag; `first_win` if equal shares are equally good.
    pub fn new(in_bag: usize, first_win: bool) -> Agenda {
        let most_tie_breaks = if first_win { 0 } else { TIE_BREAKS.len() };
        Agenda { plan: PLANS[in_bag - 1], searches: 0, widest: 0, tie_breaks: 0, most_tie_breaks, rounds: 0, in_bag }
    }

    /// The next stage for these candidates, in the order of their ranks; `None` if nothing is left to do.
    pub fn next(&mut self, candidates: &[Candidate], draws: usize) -> Option<Stage> {
        let settled = settled(candidates.iter(), Ground::Model);
        if self.is_done(settled) {
            return None;
        }
        while let Some((&step, rest)) = self.plan.split_first() {
            self.plan = rest;
            let is_needed = match step {
                Step::Prove(_) => settled < Settled::Share && candidates[0].wins_all(),
                // Who has the greatest share is known then: others may have it, too.
                Step::Search(width, _) => settled < Settled::Share || width > self.widest,
                Step::PlayOut(..) | Step::Screen => true,
            };
            if is_needed {
                return Some(self.planned(step, draws));
            }
        }
        let is_time_for_ties = settled == Settled::Share || self.rounds > self.tie_breaks;
        if is_time_for_ties && self.tie_breaks < self.most_tie_breaks {
            let (width, nodes) = TIE_BREAKS[self.tie_breaks];
            self.tie_breaks += 1;
            let tied = candidates.iter().take_while(|candidate| candidate.is_level_with(&candidates[0])).count();
            if tied > 1 {
                let work = Work::Spreads { nodes: per_deal(nodes, draws), stage: self.tie_breaks };
                return Some(Stage { work, width: width.min(tied) });
            }
        }
        if self.is_done(settled) {
            return None;
        }
        let nodes = ROUND_NODES[self.in_bag - 1].saturating_mul(GROWTH.saturating_pow(self.rounds as u32));
        self.rounds += 1;
        Some(self.search(usize::MAX, nodes, draws))
    }

    /// Whether what is known is all that is asked, or all that tie-breaks tell.
    fn is_done(&self, settled: Settled) -> bool {
        match settled {
            Settled::Nothing => false,
            Settled::Share => self.tie_breaks >= self.most_tie_breaks,
            Settled::Everything => true,
        }
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

/// What is known about the first of the candidates, which come in the order of their ranks, from findings with this ground.
pub fn settled<'a>(mut candidates: impl Iterator<Item = &'a Candidate> + Clone, ground: Ground) -> Settled {
    let Some(first) = candidates.next() else { return Settled::Nothing };
    let share = first.half_wins();
    if !first.is_grounded(ground) || candidates.clone().any(|other| other.half_wins_above(ground) > share) {
        return Settled::Nothing;
    }
    let sum_of_first = first.spread_sum(ground);
    let is_behind = |other: &Candidate| {
        let most = other.spread_sum(ground).or(other.most_spread);
        other.half_wins_above(ground) < share || sum_of_first.zip(most).is_some_and(|(first, other)| other <= first)
    };
    if candidates.all(is_behind) { Settled::Everything } else { Settled::Share }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::static_eval::EvaluatedPlay;
    use crate::rules::Play;
    use crate::search::pre_endgame::candidate::{Finding, Verdict};
    use crate::search::pre_endgame::draws::Deal;

    /// A candidate of two deals that are found to end so, on this ground.
    fn candidate(verdicts: [Verdict; 2], ground: Ground) -> Candidate {
        let play = EvaluatedPlay { play: Play::Pass, score: 0, equity_millipoints: 0 };
        let deals = [0, 1].map(|draw| Deal { draw, tiles: Vec::new(), weight: 1 }).into();
        let findings = verdicts.map(|verdict| Some(Finding { verdict, ground, played_out: 0, spread: None })).to_vec();
        Candidate { play, drawn: 1, is_modelled: false, deals, findings, spread: None, most_spread: None, stage: 1, is_cut: false }
    }

    #[test]
    fn who_seems_to_win_all_is_proved_to_before_others_are_looked_at() {
        use Verdict::{Loss, Win};
        let searched = Ground::Estimate { nodes: 100 };
        let begun = |first: Candidate| {
            let mut agenda = Agenda::new(1, false);
            let candidates = [first, candidate([Win, Loss], searched)];
            let begin: Vec<_> = (0..2).map(|_| agenda.next(&candidates, 2).unwrap().width).collect();
            assert_eq!(begin, [16, 4]);
            (agenda, candidates)
        };
        let widths = |(mut agenda, candidates): (Agenda, [Candidate; 2])| -> Vec<usize> {
            (0..5).map_while(|_| agenda.next(&candidates, 2)).map(|stage| stage.width).collect()
        };
        assert_eq!(widths(begun(candidate([Win, Win], searched))), [1, 4, 1, MOST_PLAYED_OUT, 8]);
        assert_eq!(widths(begun(candidate([Win, Loss], searched))), [4, MOST_PLAYED_OUT, 8, 2, usize::MAX]);
        let (mut agenda, mut candidates) = begun(candidate([Win, Win], searched));
        assert!(!agenda.next(&candidates, 2).unwrap().counts(), "alone he is compared with nobody");
        candidates[0] = candidate([Win, Win], Ground::Proof);
        candidates[1] = candidate([Win, Win], searched);
        let widths: Vec<_> = (0..2).map_while(|_| agenda.next(&candidates, 2)).map(|stage| stage.width).collect();
        assert_eq!(widths, [MOST_PLAYED_OUT, 8], "what is known is not searched for");
        let next = agenda.next(&candidates, 2).unwrap();
        assert!(matches!(next.work, Work::Spreads { .. }), "{next:?}");
        assert_eq!(Agenda::new(1, true).next(&candidates, 2), None, "equal shares are equally good");
    }
}
