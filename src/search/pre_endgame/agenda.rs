//! Which stage comes next: more work on fewer candidates, until what is asked is settled.
//!
//! First all candidates are played out over all draws. Then come stages of endgames: few candidates with few nodes, fewer ones
//! with more. Behind them the leader is to be proved, with many nodes, in turn with a stage over all that are still in question,
//! with ever more. Once nobody can have a greater share of wins than the first, or after the narrow stages, ties between the best
//! are broken by their spreads. With one tile in the bag the others are then shown to be no better: a bound is enough for that.

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
    /// How many of them the next stage is to look at.
    pub passing: usize,
}

/// By tiles in the bag: candidates in the stages of endgames; later ones look at all.
const WIDTHS: [&[usize]; MOST_IN_BAG] = [&[8], &[8, 8, 4], &[8, 4], &[8, 4]];

/// By tiles in the bag: nodes for a candidate's endgames in the first of those stages, over all draws.
const FIRST_NODES: [u64; MOST_IN_BAG] = [2_000, 2_000, 4_000, 8_000];

/// Candidates that count as leaders.
const LEADERS: usize = 2;

/// How many times more nodes each stage gives than the last.
const GROWTH: u64 = 4;

/// The fewest nodes an endgame gets.
const FEWEST_NODES: u64 = 30;

/// A round that breaks ties: how many candidates have their endgames valued, and with how many nodes each; and nodes for each
/// endgame of the others, which are to be shown no better.
struct TieBreak {
    width: usize,
    nodes: u64,
    nodes_of_others: u64,
}

/// Rounds that break ties, by tiles in the bag: with one, up to the complete answer, as far as it can be had.
const TIE_BREAKS: [&[TieBreak]; MOST_IN_BAG] = {
    const FEW: &[TieBreak] = &[
        TieBreak { width: 8, nodes: 32_000, nodes_of_others: 0 },
        TieBreak { width: 4, nodes: 128_000, nodes_of_others: 0 },
        TieBreak { width: 2, nodes: 512_000, nodes_of_others: 0 },
    ];
    const COMPLETE: &[TieBreak] = &[
        TieBreak { width: 4, nodes: 8_000, nodes_of_others: 300 },
        TieBreak { width: 2, nodes: 40_000, nodes_of_others: 1_200 },
        TieBreak { width: 2, nodes: 200_000, nodes_of_others: 5_000 },
        TieBreak { width: 2, nodes: 1_000_000, nodes_of_others: 20_000 },
        TieBreak { width: 2, nodes: 5_000_000, nodes_of_others: 80_000 },
        TieBreak { width: 2, nodes: 25_000_000, nodes_of_others: 320_000 },
    ];
    [COMPLETE, FEW, FEW, FEW]
};

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
    widths: &'static [usize],
    signs: usize,
    /// Rounds of tie-breaks so far, and how many there are at most.
    tie_breaks: usize,
    most_tie_breaks: usize,
    /// Nodes for each endgame of those that are to be shown no better, if that is what comes next.
    others: Option<u64>,
    in_bag: usize,
    has_played_out: bool,
    /// Rounds behind the narrow stages, and whether this one has looked at the leader.
    rounds: usize,
    has_tried_leader: bool,
}

impl Agenda {
    /// For so many tiles in the bag; `first_win` if equal shares are equally good.
    pub fn new(in_bag: usize, first_win: bool) -> Agenda {
        Agenda {
            widths: WIDTHS[in_bag - 1],
            signs: 0,
            tie_breaks: 0,
            most_tie_breaks: if first_win { 0 } else { TIE_BREAKS[in_bag - 1].len() },
            others: None,
            in_bag,
            has_played_out: false,
            rounds: 0,
            has_tried_leader: false,
        }
    }

    /// The next stage for these candidates, in the order of their ranks; `None` if nothing is left to do.
    pub fn next(&mut self, candidates: &[Candidate], draws: usize) -> Option<Stage> {
        if !self.has_played_out {
            self.has_played_out = true;
            return Some(Stage { work: Work::Playouts, width: usize::MAX, passing: self.widths[0] });
        }
        let settled = settled(candidates.iter(), Ground::Model);
        if settled == Settled::Everything {
            return None;
        }
        if let Some(nodes) = self.others.take() {
            return Some(Stage { work: Work::Bounds { nodes, stage: self.tie_breaks }, width: usize::MAX, passing: usize::MAX });
        }
        let is_time_for_ties = settled == Settled::Share || self.signs > self.widths.len() + self.tie_breaks;
        if is_time_for_ties && self.tie_breaks < self.most_tie_breaks {
            let round = &TIE_BREAKS[self.in_bag - 1][self.tie_breaks];
            self.tie_breaks += 1;
            self.others = (settled == Settled::Share && round.nodes_of_others > 0).then_some(round.nodes_of_others);
            let tied = candidates.iter().take_while(|candidate| is_level(candidate, &candidates[0])).count();
            if tied > 1 || self.others.is_some() {
                let work = Work::Spreads { nodes: per_deal(round.nodes, draws), stage: self.tie_breaks };
                return Some(Stage { work, width: round.width.min(tied), passing: usize::MAX });
            }
        }
        if settled == Settled::Share && self.tie_breaks >= self.most_tie_breaks {
            return None;
        }
        let skill = if self.signs == 0 { Skill::Static } else { Skill::Informed };
        let (width, growths) = match self.widths.get(self.signs) {
            Some(&width) => (width, self.signs),
            None => self.leader_or_all(&candidates[0]),
        };
        self.signs += 1;
        let nodes = per_deal(FIRST_NODES[self.in_bag - 1], draws).saturating_mul(GROWTH.saturating_pow(growths.min(16) as u32));
        Some(Stage { work: Work::Signs { nodes, skill }, width, passing: usize::MAX })
    }

    /// What is proved next, and how many times its nodes have grown: the leader first, who is proved with more nodes. Where he wins
    /// everything, that is all: nobody can have more.
    fn leader_or_all(&mut self, leader: &Candidate) -> (usize, usize) {
        let has_all = leader.half_wins() == leader.deals.iter().map(|deal| 2 * deal.weight).sum::<u64>();
        if !leader.is_grounded(Ground::Model) && (has_all || !self.has_tried_leader) {
            self.has_tried_leader = true;
            self.rounds += usize::from(has_all);
            return (LEADERS, self.widths.len() + self.rounds);
        }
        self.has_tried_leader = false;
        self.rounds += 1;
        (usize::MAX, self.rounds)
    }
}

fn per_deal(nodes: u64, draws: usize) -> u64 {
    (nodes / draws as u64).max(FEWEST_NODES)
}

/// Whether two candidates have the same share after the same stage.
fn is_level(a: &Candidate, b: &Candidate) -> bool {
    (a.stage, a.is_cut, a.half_wins()) == (b.stage, b.is_cut, b.half_wins())
}

/// What is known about the first of the candidates, which come in the order of their ranks, from findings with this ground.
pub fn settled<'a>(mut candidates: impl Iterator<Item = &'a Candidate> + Clone, ground: Ground) -> Settled {
    let Some(first) = candidates.next() else { return Settled::Nothing };
    let share = first.half_wins();
    if !first.is_grounded(ground) || candidates.clone().any(|other| other.half_wins_above(ground) > share) {
        return Settled::Nothing;
    }
    let spread = |candidate: &Candidate| candidate.spread.filter(|spread| spread.is_proved).map(|spread| spread.sum);
    let is_behind = |other: &Candidate| {
        other.half_wins_above(ground) < share || spread(first).zip(other.most_spread()).is_some_and(|(first, most)| most <= first)
    };
    if candidates.all(is_behind) { Settled::Everything } else { Settled::Share }
}
