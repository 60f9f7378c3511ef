//! Simulates the best play and the play made once more, on the same racks and bags.
//! Therefore their difference varies far less than each alone.
//!
//! The random numbers are not those of the search that found the best play. Its value there is the greatest of many noisy ones, so it is
//! too high; here it is not. Not here: which plays meet (`judge.rs`). Start with [`Duel`].

use crate::rules::Play;
use crate::search::race::differences::Moments;
use crate::search::report::{Listener, LoggedSample, Report};

/// Two plays, or one, sampled in the same iterations. It listens to a simulation that logs its samples.
#[derive(Clone, Debug)]
pub struct Duel {
    plays: [Play; 2],
    /// By play.
    win: [Moments; 2],
    points: [Moments; 2],
    /// First play less second play.
    win_difference: Moments,
    points_difference: Moments,
    /// The iteration under way, and its samples.
    iteration: u64,
    pending: [Option<(f64, f64)>; 2],
}

impl Duel {
    /// Before the first sample.
    pub fn new(best: Play, played: Play) -> Duel {
        Duel {
            plays: [best, played],
            win: [Moments::default(); 2],
            points: [Moments::default(); 2],
            win_difference: Moments::default(),
            points_difference: Moments::default(),
            iteration: 0,
            pending: [None; 2],
        }
    }

    /// Iterations in which all plays were sampled.
    pub fn iterations(&self) -> u64 {
        self.win[0].count.min(self.win[1].count)
    }

    /// Chances of winning of a play (0 the best, 1 the one made).
    pub fn win(&self, play: usize) -> Moments {
        self.win[play]
    }

    /// Points gained by a play.
    pub fn points(&self, play: usize) -> Moments {
        self.points[play]
    }

    /// The best play's chance of winning minus that of the play made, in the iterations that they
    /// share.
    pub fn win_difference(&self) -> Moments {
        self.win_difference
    }

    /// The same in points.
    pub fn points_difference(&self) -> Moments {
        self.points_difference
    }
}

impl Listener for Duel {
    fn report(&mut self, _: Report) {}

    fn sample(&mut self, sample: LoggedSample) {
        let Some(play) = sample.plies.first().map(|ply| ply.play) else { return };
        if sample.iteration != self.iteration {
            (self.iteration, self.pending) = (sample.iteration, [None; 2]);
        }
        for seat in 0..2 {
            if self.plays[seat] == play {
                self.win[seat].add(sample.win);
                self.points[seat].add(sample.equity);
                self.pending[seat] = Some((sample.win, sample.equity));
            }
        }
        if let [Some(best), Some(played)] = self.pending {
            self.win_difference.add(best.0 - played.0);
            self.points_difference.add(best.1 - played.1);
            self.pending = [None; 2];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rack;
    use crate::search::report::LoggedPly;

    #[test]
    fn differences_are_those_of_shared_iterations() {
        let exchange = Play::Exchange(Rack::EMPTY);
        let mut duel = Duel::new(exchange, Play::Pass);
        let mut add = |iteration: u64, play: Play, win: f64| {
            let plies = vec![LoggedPly { rack: Rack::EMPTY, play, score: 0 }];
            duel.sample(LoggedSample { iteration, plies, spread: 0, equity: 10.0 * win, win });
        };
        let values = [(0.9, 0.5), (0.7, 0.6), (0.4, 0.1), (1.0, 0.9)];
        for (iteration, (best, played)) in (0..).zip(values) {
            add(iteration, exchange, best);
            add(iteration, Play::Pass, played);
        }
        // A round that was cut short leaves one without the other.
        add(4, exchange, 0.5);
        let mut by_hand = Moments::default();
        values.iter().for_each(|(best, played)| by_hand.add(best - played));
        assert_eq!(duel.win_difference(), by_hand);
        assert_eq!((duel.iterations(), duel.win(0).count, duel.win(1).count), (4, 5, 4));
        assert!((duel.points_difference().mean - 10.0 * by_hand.mean).abs() < 1e-12);
    }
}
