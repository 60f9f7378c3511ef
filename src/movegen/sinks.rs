//! Sinks for generated plays: keep all of them, the best, the best few, or their number.

use crate::movegen::found::{Found, GeneratedPlay};
use crate::rules::units::Millipoints;

/// Takes plays. The generator may leave out plays whose equity is below [`Sink::cutoff`].
pub trait Sink {
    /// Whether [`Sink::cutoff`] can ever rise: if not, bounds are not computed.
    const PRUNES: bool;

    /// Equity below which a play is of no use any more.
    fn cutoff(&self) -> Millipoints {
        Millipoints::MIN
    }

    /// Takes a play. Each different placement comes once.
    fn take(&mut self, found: &Found<'_>);
}

/// Keeps every play.
#[derive(Debug, Default)]
pub struct AllPlays {
    /// In the order of generation.
    pub plays: Vec<GeneratedPlay>,
}

impl Sink for AllPlays {
    const PRUNES: bool = false;

    fn take(&mut self, found: &Found<'_>) {
        self.plays.push(found.play());
    }
}

/// Counts plays.
#[derive(Debug, Default)]
pub struct CountPlays {
    /// Plays so far.
    pub count: u64,
}

impl Sink for CountPlays {
    const PRUNES: bool = false;

    fn take(&mut self, _found: &Found<'_>) {
        self.count += 1;
    }
}

/// Keeps the best play.
#[derive(Debug, Default)]
pub struct BestPlay {
    /// The best so far.
    pub best: Option<GeneratedPlay>,
    /// Plays below this equity are not wanted, even if there is no other.
    pub floor: Option<Millipoints>,
}

impl Sink for BestPlay {
    const PRUNES: bool = true;

    #[inline]
    fn cutoff(&self) -> Millipoints {
        match &self.best {
            Some(best) => best.equity,
            None => self.floor.unwrap_or(Millipoints::MIN),
        }
    }

    #[inline]
    fn take(&mut self, found: &Found<'_>) {
        if found.equity < self.cutoff() {
            return;
        }
        let play = found.play();
        if self.best.as_ref().is_none_or(|best| play.is_before(best)) {
            self.best = Some(play);
        }
    }
}

/// Keeps what the best play is worth.
#[derive(Debug)]
pub struct BestEquity {
    /// What the best play so far is worth; at the start what plays must exceed.
    pub best: Millipoints,
    /// A play worth at least this much ends the search, though another may be worth more.
    pub enough: Millipoints,
}

impl Sink for BestEquity {
    const PRUNES: bool = true;

    #[inline]
    fn cutoff(&self) -> Millipoints {
        // A play that is worth as much as the best one changes nothing.
        if self.best >= self.enough { Millipoints::MAX } else { self.best + Millipoints(1) }
    }

    #[inline]
    fn take(&mut self, found: &Found<'_>) {
        self.best = self.best.max(found.equity);
    }
}

/// Keeps the best few plays.
#[derive(Debug)]
pub struct BestPlays {
    wanted: usize,
    /// Best first.
    plays: Vec<GeneratedPlay>,
}

impl BestPlays {
    /// A sink for this many plays, at least one.
    pub fn new(wanted: usize) -> BestPlays {
        BestPlays { wanted: wanted.max(1), plays: Vec::new() }
    }

    /// The plays, best first.
    pub fn into_plays(self) -> Vec<GeneratedPlay> {
        self.plays
    }
}

impl Sink for BestPlays {
    const PRUNES: bool = true;

    #[inline]
    fn cutoff(&self) -> Millipoints {
        if self.plays.len() < self.wanted { Millipoints::MIN } else { self.plays[self.wanted - 1].equity }
    }

    fn take(&mut self, found: &Found<'_>) {
        if found.equity < self.cutoff() {
            return;
        }
        let play = found.play();
        let at = self.plays.partition_point(|other| other.is_before(&play));
        if at < self.wanted {
            self.plays.insert(at, play);
            self.plays.truncate(self.wanted);
        }
    }
}
