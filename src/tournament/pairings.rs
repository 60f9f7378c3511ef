//! Who plays whom, in which order: a function of the number of a pair, so that nothing has to be kept of it.
//!
//! A round has one pair of each pairing, all on the same bag. So a tournament that is longer has the shorter one as its beginning, and
//! any two engines have played as many pairs as any other two, up to one. Start with [`TournamentFormat::pairing`].

use serde::{Deserialize, Serialize};

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// Each engine meets each other one.
    #[default]
    RoundRobin,
    /// The first engine meets each other one.
    Gauntlet,
}

/// Two engines that play a pair of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The number of the round, from 0: the index of the bag.
    pub round: u64,
    /// The engines by their number, from 0: the first one begins the first game.
    pub engines: [usize; 2],
}

impl TournamentFormat {
    /// The pairings of a round, in order, with this many engines.
    pub fn round(self, engines: usize) -> Vec<[usize; 2]> {
        match self {
            TournamentFormat::RoundRobin => (0..engines).flat_map(|a| (a + 1..engines).map(move |b| [a, b])).collect(),
            TournamentFormat::Gauntlet => (1..engines).map(|b| [0, b]).collect(),
        }
    }

    /// The pairing of pair number `pair`, from 0.
    ///
    /// # Panics
    /// With fewer than two engines, who have nobody to play with.
    pub fn pairing(self, engines: usize, pair: u64) -> Pairing {
        let round = self.round(engines);
        let pairings = round.len() as u64;
        Pairing { round: pair / pairings, engines: round[(pair % pairings) as usize] }
    }

    /// The number of pairs in a tournament of this many rounds.
    pub fn pairs(self, engines: usize, rounds: u64) -> u64 {
        rounds.saturating_mul(self.round(engines).len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_round_has_each_pairing_once_on_the_same_bag() {
        for (format, engines, pairings) in [(TournamentFormat::RoundRobin, 4, 6), (TournamentFormat::Gauntlet, 4, 3)] {
            assert_eq!(format.pairs(engines, 5), 5 * pairings);
            let mut met: BTreeMap<[usize; 2], Vec<u64>> = BTreeMap::new();
            for pairing in (0..format.pairs(engines, 5)).map(|pair| format.pairing(engines, pair)) {
                met.entry(pairing.engines).or_default().push(pairing.round);
            }
            assert_eq!(met.len() as u64, pairings);
            assert!(met.iter().all(|(engines, rounds)| engines[0] < engines[1] && *rounds == [0, 1, 2, 3, 4]), "{met:?}");
        }
        assert_eq!(TournamentFormat::Gauntlet.round(3), [[0, 1], [0, 2]]);
        assert_eq!(TournamentFormat::RoundRobin.pairing(2, 7), Pairing { round: 7, engines: [0, 1] });
    }
}
