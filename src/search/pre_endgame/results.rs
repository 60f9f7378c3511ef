//! What is known of one deal: how the game ends for us, what that rests on, and between what bounds our final lead lies.
//!
//! "We" are the player on turn, whose plays are compared. All leads are ours.

use std::cmp::Ordering;

/// A chance of 1, in thousandths.
pub const CERTAIN: u64 = 1000;

/// The final lead, points, from which a playout counts as a sure win. Below it the chance is linear in the lead.
const SURE_LEAD: i64 = 20;

/// How often, in thousandths, a search that proves nothing expects the wrong player to win.
const WRONG_SIGNS: u64 = 100;

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

    /// Adds what a search proved about the endgame. If it tells who wins, that result has this status.
    pub fn note(&mut self, bounds: LeadBounds, status: ProofStatus) {
        self.bounds = self.bounds.and(bounds);
        self.expected = self.bounds.nearest(self.expected);
        if let Some(outcome) = self.bounds.outcome()
            && self.status < status
        {
            (self.outcome, self.status) = (outcome, status);
        }
    }

    /// The chance that we win, thousandths. A tie is half a win.
    pub fn chance(&self) -> u64 {
        match (self.status, self.outcome) {
            (ProofStatus::Estimate { nodes: 0 }, _) => {
                let lead = i64::from(self.expected).clamp(-SURE_LEAD, SURE_LEAD);
                (CERTAIN as i64 * (SURE_LEAD + lead) / (2 * SURE_LEAD)) as u64
            }
            (ProofStatus::Estimate { .. }, WinTieLoss::Win) => CERTAIN - WRONG_SIGNS,
            (ProofStatus::Estimate { .. }, WinTieLoss::Loss) => WRONG_SIGNS,
            (_, outcome) => outcome.chance(),
        }
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
