//! Which stage comes next: more work on fewer candidates, until what is asked is settled.
//!
//! First the statically best candidates are played out over some draws: who has no more time than that has an answer. Then a few
//! draws screen all the others, and the best of both are played out over all draws. Then come stages of endgames: fewer
//! candidates, more nodes. When each has had its turn, the stages go over all candidates that are still in question, with ever
//! more nodes. Once nobody can have a greater share of wins than the first, or after the narrow stages, ties between the best
//! are broken by their spreads.

use crate::search::pre_endgame::MOST_IN_BAG;
use crate::search::pre_endgame::candidate::{Candidate, Ground};
use crate::search::pre_endgame::lines::Skill;
use crate::search::pre_endgame::visit::Work;

/// Work on the first so many candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// What is done.
    pub work: Work,
    /// The first of the candidates that are looked at.
    pub first: usize,
    /// How many candidates are looked at, those before the first among them.
    pub width: usize,
    /// Whether who went through it stands before those who did not.
    pub counts: bool,
    /// How many of them the next stage is to look at.
    pub passing: usize,
}

/// Candidates that are played out at all: with blanks there may be thousands, whose static evaluation tells enough.
pub const MOST_PLAYED_OUT: usize = 400;

/// The playouts for a number of tiles in the bag.
struct Playouts {
    /// The statically best candidates, and the step from draw to draw for them.
    first: (usize, usize),
    /// The step for all others.
    screen: usize,
    /// How many candidates are played out over all draws.
    width: usize,
}

/// By tiles in the bag.
const PLAYOUTS: [Playouts; MOST_IN_BAG] = [
    Playouts { first: (16, 1), screen: 4, width: 48 },
    Playouts { first: (12, 2), screen: 12, width: 20 },
    Playouts { first: (10, 6), screen: 40, width: 14 },
    Playouts { first: (10, 14), screen: 83, width: 12 },
];

/// By tiles in the bag: candidates in the stages of endgames; later ones look at all.
const WIDTHS: [&[usize]; MOST_IN_BAG] = [&[16], &[16, 8, 4], &[8, 4], &[8, 4]];

/// By tiles in the bag: nodes for a candidate's endgames in the first of those stages, over all draws.
const FIRST_NODES: [u64; MOST_IN_BAG] = [16_000, 7_000, 12_000, 20_000];

/// How many times more nodes each stage gives than the last.
const GROWTH: u64 = 4;

/// The fewest nodes an endgame gets.
const FEWEST_NODES: u64 = 50;

/// Candidates in the rounds that break ties, and nodes for each one's endgames.
const TIE_BREAKS: &[(usize, u64)] = &[(8, 32_000), (4, 128_000), (2, 512_000)];

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
    in_bag: usize,
    playouts: usize,
}

impl Agenda {
    /// For so many tiles in the bag; `first_win` if equal shares are equally good.
    pub fn new(in_bag: usize, first_win: bool) -> Agenda {
        Agenda {
            widths: WIDTHS[in_bag - 1],
            signs: 0,
            tie_breaks: 0,
            most_tie_breaks: if first_win { 0 } else { TIE_BREAKS.len() },
            in_bag,
            playouts: 0,
        }
    }

    /// The next stage for these candidates, in the order of their ranks; `None` if nothing is left to do.
    pub fn next(&mut self, candidates: &[Candidate], draws: usize) -> Option<Stage> {
        let playouts = &PLAYOUTS[self.in_bag - 1];
        let play_out = |step, first, width, passing| {
            let counts = first == 0;
            Some(Stage { work: Work::Playouts { step }, first, width, counts, passing })
        };
        self.playouts += 1;
        match self.playouts {
            1 => return play_out(playouts.first.1, 0, playouts.first.0, usize::MAX),
            2 => return play_out(playouts.screen, playouts.first.0, MOST_PLAYED_OUT, usize::MAX),
            3 => return play_out(1, 0, playouts.width, self.widths[0]),
            _ => {}
        }
        let settled = settled(candidates.iter(), Ground::Model);
        if settled == Settled::Everything {
            return None;
        }
        let is_time_for_ties = settled == Settled::Share || self.signs > self.widths.len() + self.tie_breaks;
        if is_time_for_ties && self.tie_breaks < self.most_tie_breaks {
            let (width, nodes) = TIE_BREAKS[self.tie_breaks];
            self.tie_breaks += 1;
            let tied = candidates.iter().take_while(|candidate| is_level(candidate, &candidates[0])).count();
            if tied > 1 {
                let work = Work::Spreads { nodes: per_deal(nodes, draws), stage: self.tie_breaks };
                return Some(Stage { work, first: 0, width: width.min(tied), counts: true, passing: usize::MAX });
            }
        }
        if settled == Settled::Share && self.tie_breaks >= self.most_tie_breaks {
            return None;
        }
        let nodes = FIRST_NODES[self.in_bag - 1].saturating_mul(GROWTH.saturating_pow(self.signs.min(24) as u32));
        let width = self.widths.get(self.signs).copied().unwrap_or(usize::MAX);
        let skill = if self.signs == 0 { Skill::Static } else { Skill::Informed };
        self.signs += 1;
        Some(Stage { work: Work::Signs { nodes: per_deal(nodes, draws), skill }, first: 0, width, counts: true, passing: usize::MAX })
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
        other.half_wins_above(ground) < share || spread(first).zip(spread(other)).is_some_and(|(first, other)| other <= first)
    };
    if candidates.all(is_behind) { Settled::Everything } else { Settled::Share }
}
