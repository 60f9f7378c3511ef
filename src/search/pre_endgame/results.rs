//! The result of one deal: how the game ends for us, the proof of it, and bounds on our final lead.
//!
//! "We" are the player on turn, whose plays are compared. All leads are ours.

use std::cmp::Ordering;

/// A chance of 1, in thousandths.
pub const CERTAIN: u64 = 1000;

/// The calibration of unsolved deals: how often such deals are won, in thousandths.
/// A tie is half a win.
#[derive(Debug)]
pub struct Foretelling {
    /// By the final lead of a playout, points; linear between these leads.
    by_lead: [(i64, i64); 9],
    /// The part of that chance that remains, in thousandths, if an unfinished search expects a
    /// loss.
    seems_lost: i64,
    /// The upper bound on the chance if an unfinished search expects a tie.
    seems_level: i64,
}

/// For candidates that empty a bag of one or two tiles. The opponent is on turn and finds more than
/// a playout: a playout that ends level is lost more often than not.
///
/// Fitted by hand on positions of static games (`tilewright lab pegs --estimates --seed 3`);
/// its results on other positions are in `benches/strength.md`.
const BAG_EMPTIED: Foretelling = Foretelling {
    by_lead: [(-25, 0), (-12, 20), (-5, 90), (-1, 180), (1, 430), (6, 620), (12, 740), (20, 840), (60, 1000)],
    seems_lost: 100,
    seems_level: 400,
};

/// For candidates that leave one of two tiles, after which a model chooses.
const TILES_STAY: Foretelling = Foretelling {
    by_lead: [(-60, 0), (-30, 40), (-18, 80), (-10, 280), (-3, 420), (3, 650), (7, 790), (14, 870), (60, 1000)],
    seems_lost: 250,
    seems_level: 400,
};

/// With three and four tiles in the bag, for which the other two were not fitted:
/// a playout is wrong as often above level as below it. Results of both choices are in
/// `benches/strength.md`. Results of searches are discounted as in [`TILES_STAY`].
const MORE_TILES: Foretelling = Foretelling {
    by_lead: [(-20, 0), (-15, 125), (-10, 250), (-5, 375), (0, 500), (5, 625), (10, 750), (15, 875), (20, 1000)],
    ..TILES_STAY
};

/// The fitted calibrations apply up to this many tiles in the bag.
const FITTED_TILES: usize = 2;

impl Foretelling {
    /// The calibration for a candidate with `in_bag` tiles in the bag before it.
    /// A candidate that leaves tiles in the bag is modelled; one that empties it is not.
    pub fn of(in_bag: usize, is_modelled: bool) -> &'static Foretelling {
        match (in_bag, is_modelled) {
            (..=FITTED_TILES, false) => &BAG_EMPTIED,
            (..=FITTED_TILES, true) => &TILES_STAY,
            _ => &MORE_TILES,
        }
    }

    /// The chance by the final lead of a playout, thousandths.
    fn of_lead(&self, lead: i64) -> i64 {
        let chance = |ends: &[(i64, i64)]| {
            let [(from, least), (to, most)] = [ends[0], ends[1]];
            least + (most - least) * (lead.clamp(from, to) - from) / (to - from)
        };
        let range = self.by_lead.windows(2).find(|ends| lead < ends[1].0);
        chance(range.unwrap_or(&self.by_lead[self.by_lead.len() - 2..]))
    }
}

/// How a game ends for us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WinTieLoss {
    /// Behind.
    Loss,
    /// Level.
    Tie,
    /// Ahead.
    Win,
}

impl WinTieLoss {
    /// The one of a final lead.
    pub fn of(lead: i32) -> WinTieLoss {
        match lead.cmp(&0) {
            Ordering::Less => WinTieLoss::Loss,
            Ordering::Equal => WinTieLoss::Tie,
            Ordering::Greater => WinTieLoss::Win,
        }
    }

    /// Half wins: 0, 1 or 2.
    pub fn half_wins(self) -> u64 {
        self as u64
    }

    /// The chance of winning, thousandths, if this is certain.
    fn chance(self) -> u64 {
        self.half_wins() * CERTAIN / 2
    }
}

/// What a result rests on, from weak to strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProofStatus {
    /// A greedy playout, or an endgame that was searched and not solved.
    Estimate {
        /// What the search was allowed, 0 for a playout.
        nodes: u64,
    },
    /// The endgame is solved, but a model of both players led to it.
    Modelled,
    /// Proved. For a candidate that leaves tiles in the bag it is an upper bound: against an opponent who plays as well as
    /// possible we get no more than this. The opponent of the model holds us to it, and uses only what they can know.
    Proved,
}

/// What is proved of our final lead, points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeadBounds {
    /// It is this or more.
    pub least: Option<i32>,
    /// It is this or less.
    pub most: Option<i32>,
}

impl LeadBounds {
    /// Of a lead that is known.
    pub fn exactly(lead: i32) -> LeadBounds {
        LeadBounds { least: Some(lead), most: Some(lead) }
    }

    /// What both together say.
    fn and(self, other: LeadBounds) -> LeadBounds {
        LeadBounds { least: self.least.max(other.least), most: self.most.into_iter().chain(other.most).min() }
    }

    /// Whether the lead is known.
    pub fn is_exact(self) -> bool {
        self.least.is_some() && self.least == self.most
    }

    /// Whether nothing is known.
    pub fn is_open(self) -> bool {
        self == LeadBounds::default()
    }

    /// How the game ends, if the bounds tell.
    pub fn outcome(self) -> Option<WinTieLoss> {
        match (self.least, self.most) {
            (Some(1..), _) => Some(WinTieLoss::Win),
            (_, Some(..=-1)) => Some(WinTieLoss::Loss),
            (Some(0), Some(0)) => Some(WinTieLoss::Tie),
            _ => None,
        }
    }

    /// The lead within the bounds that is next to this one.
    fn nearest(self, lead: i32) -> i32 {
        let lead = self.least.map_or(lead, |least| least.max(lead));
        self.most.map_or(lead, |most| most.min(lead))
    }
}

/// What is known of one deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DealResult {
    /// How the game ends.
    pub outcome: WinTieLoss,
    /// What that rests on.
    pub status: ProofStatus,
    /// The expected final lead, points: that of the last playout, moved into the bounds.
    pub expected: i32,
    /// What is proved of the final lead after the line that led to the endgame.
    pub bounds: LeadBounds,
}

impl DealResult {
    /// Of a playout that ends with this lead.
    pub fn of_playout(expected: i32) -> DealResult {
        let status = ProofStatus::Estimate { nodes: 0 };
        DealResult { outcome: WinTieLoss::of(expected), status, expected, bounds: LeadBounds::default() }
    }

    /// Adds what a search proved about the endgame. If that decides the winner,
    /// the result has this status.
    pub fn note(&mut self, bounds: LeadBounds, status: ProofStatus) {
        self.bounds = self.bounds.and(bounds);
        self.expected = self.bounds.nearest(self.expected);
        if let Some(outcome) = self.bounds.outcome()
            && self.status < status
        {
            (self.outcome, self.status) = (outcome, status);
        }
    }

    /// The chance that we win, thousandths. A tie is half a win. An unsolved result counts as often
    /// as such results were won when they were solved. A search that only expects a win adds
    /// nothing to the playout before it: its first lines have not met an answer yet.
    pub fn chance(&self, foretelling: &Foretelling) -> u64 {
        let ProofStatus::Estimate { nodes } = self.status else { return self.outcome.chance() };
        let by_lead = foretelling.of_lead(self.expected.into());
        let chance = match self.outcome {
            WinTieLoss::Loss if nodes > 0 => by_lead * foretelling.seems_lost / CERTAIN as i64,
            WinTieLoss::Tie if nodes > 0 => by_lead.min(foretelling.seems_level),
            _ => by_lead,
        };
        chance.unsigned_abs()
    }
}

/// What a play is worth over all deals. Wins count first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlayWorth {
    /// Half wins times weight.
    pub half_wins: u64,
    /// Final leads, points times weight.
    pub lead_sum: i64,
}

impl PlayWorth {
    /// Adds a deal of this weight that ends with this lead.
    pub fn add(&mut self, weight: u64, lead: i32) {
        self.half_wins += weight * WinTieLoss::of(lead).half_wins();
        self.lead_sum += weight as i64 * i64::from(lead);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_solved_counts_as_often_as_it_comes_true() {
        for (in_bag, is_modelled) in [(1, false), (2, false), (2, true), (3, false), (4, true)] {
            let foretelling = Foretelling::of(in_bag, is_modelled);
            let chances: Vec<u64> = (-200..=200).map(|lead| DealResult::of_playout(lead).chance(foretelling)).collect();
            assert!(chances.is_sorted() && chances[400] <= CERTAIN, "a greater lead is never worth less");
            // A playout between two leads of the table.
            for ends in foretelling.by_lead.windows(2) {
                let [(from, least), (to, most)] = [ends[0], ends[1]];
                let between = DealResult::of_playout(((from + to) / 2) as i32).chance(foretelling) as i64;
                assert!((least..=most).contains(&between), "{between} from {from} to {to}");
            }
        }
    }

    #[test]
    fn what_is_solved_is_certain() {
        let mut result = DealResult::of_playout(-3);
        let before = result.chance(&BAG_EMPTIED);
        result.note(LeadBounds::exactly(4), ProofStatus::Modelled);
        assert_eq!((result.outcome, result.chance(&BAG_EMPTIED), result.chance(&TILES_STAY)), (WinTieLoss::Win, CERTAIN, CERTAIN));
        assert!(before < CERTAIN / 2);
    }
}
