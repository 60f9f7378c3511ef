//! The pairings of a tournament: which engines meet, in which order. Start with
//! [`Pairings::pairing`].
//!
//! In most formats, the number of a pair determines its engines. A round has one pair of each pairing, all on the same bag. A longer
//! tournament therefore begins with the shorter one, and at any time the pairings differ by at most one pair.
//!
//! A Swiss round depends on the rounds before it (Monrad's way). From the top of the standings down, each engine meets the next one below
//! it that it has met least often, so that engines meet again only if they must. With an odd number of engines, one sits out and is credited
//! with wins: the lowest of those that have sat out least often. Pairs are still identified by their number alone.

use crate::rules::Objective;
use crate::tournament::configuration::TournamentFormat;
use crate::tournament::record::PairRecord;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The most tries for a Swiss round before its engines may meet once more often.
const MOST_TRIES: usize = 100_000;

/// Two engines that play a pair of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The number of its bag, from 0.
    pub deal: u64,
    /// The engines by their number, from 0. The first one begins the first game.
    pub engines: [usize; 2],
}

/// The pairings of a tournament, as far as the results determine them.
#[derive(Clone, Debug)]
pub struct Pairings {
    format: TournamentFormat,
    engines: usize,
    /// Pairs of each meeting.
    pairs: u64,
    rounds: u64,
    /// The meetings of each known round. Without Swiss rounds, one round is repeated.
    known: Vec<Vec<[usize; 2]>>,
    /// Pairs that are over.
    over: u64,
    swiss: SwissTable,
}

/// The results that determine Swiss rounds.
#[derive(Clone, Debug, Default)]
struct SwissTable {
    /// By engine: half wins, and twice the spread.
    results: Vec<(u64, i64)>,
    sat_out: Vec<u32>,
    met: BTreeMap<[usize; 2], u32>,
}

impl Pairings {
    /// Returns the pairings of `engines` engines, including copies, with `pairs` pairs for each meeting.
    /// Only a Swiss tournament uses `rounds`.
    pub fn new(format: TournamentFormat, engines: usize, pairs: u64, rounds: u64) -> Pairings {
        let swiss = SwissTable { results: vec![(0, 0); engines], sat_out: vec![0; engines], met: BTreeMap::new() };
        let mut pairings = Pairings { format, engines, pairs, rounds: 1, known: Vec::new(), over: 0, swiss };
        match format {
            TournamentFormat::RoundRobin => {
                pairings.known.push((0..engines).flat_map(|a| (a + 1..engines).map(move |b| [a, b])).collect());
            }
            TournamentFormat::Gauntlet => pairings.known.push((1..engines).map(|b| [0, b]).collect()),
            TournamentFormat::Copies => pairings.known.push((0..engines / 2).map(|a| [a, a + engines / 2]).collect()),
            TournamentFormat::Swiss => {
                pairings.rounds = rounds;
                pairings.begin_round();
            }
        }
        pairings
    }

    /// Counts the pairs of the whole tournament.
    pub fn total(&self) -> u64 {
        self.rounds.saturating_mul(self.in_round())
    }

    /// Counts the pairs of a round.
    fn in_round(&self) -> u64 {
        self.pairs.saturating_mul(self.known[0].len() as u64)
    }

    /// Returns the pairing of pair number `pair`, from 0, or `None` if it depends on pairs that are not over.
    pub fn pairing(&self, pair: u64) -> Option<Pairing> {
        let (round, within) = (pair / self.in_round(), pair % self.in_round());
        let meetings = self.known.get(usize::try_from(round).ok()?)?;
        let (turn, meeting) = (within / meetings.len() as u64, within % meetings.len() as u64);
        Some(Pairing { deal: round * self.pairs + turn, engines: meetings[meeting as usize] })
    }

    /// Adds the result of the next pair. Pairs are added in order.
    pub fn add(&mut self, pair: &PairRecord) {
        self.over += 1;
        if self.format != TournamentFormat::Swiss {
            return;
        }
        let (result, [a, b]) = (pair.result(), pair.engines);
        let half_wins = result.half_wins(Objective::MostPoints) as u64;
        let spread = i64::from(result.games[0].spread()) + i64::from(result.games[1].spread());
        for (engine, half_wins, spread) in [(a, half_wins, spread), (b, 4 - half_wins, -spread)] {
            let (total_wins, total_spread) = &mut self.swiss.results[engine];
            *total_wins += half_wins;
            *total_spread += spread;
        }
        if self.over == self.in_round() * self.known.len() as u64 && self.over < self.total() {
            self.begin_round();
        }
    }

    /// Determines the next Swiss round from the results so far.
    fn begin_round(&mut self) {
        let mut standings: Vec<usize> = (0..self.engines).collect();
        standings.sort_by_key(|&engine| Reverse(self.swiss.results[engine]));
        if standings.len() % 2 == 1 {
            // The last of those that have sat out least often is the lowest.
            let lowest =
                (0..standings.len()).min_by_key(|&place| (self.swiss.sat_out[standings[place]], Reverse(place))).unwrap_or_default();
            let engine = standings.remove(lowest);
            self.swiss.sat_out[engine] += 1;
            self.swiss.results[engine].0 += 4 * self.pairs;
        }
        let meetings = (0..).find_map(|most| self.swiss.meetings(&standings, most, &mut MOST_TRIES.clone())).unwrap_or_default();
        meetings.iter().for_each(|&meeting| *self.swiss.met.entry(meeting).or_default() += 1);
        self.known.push(meetings);
    }
}

impl SwissTable {
    /// Finds meetings of all these engines, from the top down, in which no two engines have met more than `most` times before.
    fn meetings(&self, standings: &[usize], most: u32, tries: &mut usize) -> Option<Vec<[usize; 2]>> {
        let Some((&top, rest)) = standings.split_first() else { return Some(Vec::new()) };
        for (at, &other) in rest.iter().enumerate() {
            *tries = tries.checked_sub(1)?;
            let meeting = [top.min(other), top.max(other)];
            if self.met.get(&meeting).is_some_and(|&times| times > most) {
                continue;
            }
            let left: Vec<usize> = rest.iter().enumerate().filter(|(place, _)| *place != at).map(|(_, &engine)| engine).collect();
            if let Some(mut meetings) = self.meetings(&left, most, tries) {
                meetings.insert(0, meeting);
                return Some(meetings);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_play::pairs::GameResult;
    use crate::tournament::record::GameRecord;

    #[test]
    fn a_round_has_each_pairing_once_on_the_same_bag() {
        for (format, engines, pairings) in
            [(TournamentFormat::RoundRobin, 4, 6), (TournamentFormat::Gauntlet, 4, 3), (TournamentFormat::Copies, 6, 3)]
        {
            let known = Pairings::new(format, engines, 5, 1);
            assert_eq!(known.total(), 5 * pairings);
            let mut met: BTreeMap<[usize; 2], Vec<u64>> = BTreeMap::new();
            for pairing in (0..known.total()).map(|pair| known.pairing(pair).unwrap()) {
                met.entry(pairing.engines).or_default().push(pairing.deal);
            }
            assert_eq!(met.len() as u64, pairings);
            assert!(met.iter().all(|(engines, bags)| engines[0] < engines[1] && *bags == [0, 1, 2, 3, 4]), "{met:?}");
        }
        let engines = |format, engines| {
            (0..).map_while(|pair| Pairings::new(format, engines, 1, 1).pairing(pair)).map(|it| it.engines).collect::<Vec<_>>()
        };
        assert_eq!(engines(TournamentFormat::Gauntlet, 3), [[0, 1], [0, 2]]);
        assert_eq!(engines(TournamentFormat::Copies, 4), [[0, 2], [1, 3]]);
    }

    /// Returns a pair that the engine with the lower number wins.
    fn won_by_the_first(number: u64, pairing: Pairing) -> PairRecord {
        let game = |scores| GameRecord {
            result: GameResult {
                scores,
                penalties: [0; 2],
                turns: [10; 2],
                bingos: [1; 2],
                time_us: [0; 2],
                overstepped: [false; 2],
                luck: None,
                counts: None,
            },
            plays: Vec::new(),
            idle_us: [0; 2],
            fault: None,
        };
        let games = [game([400, 300]), game([400, 300])];
        PairRecord { pair: number, deal: pairing.deal, engines: pairing.engines, start: None, bag: String::new(), divergent: true, games }
    }

    /// Returns the meetings of each round, if the lower number always wins.
    fn swiss(engines: usize, pairs: u64, rounds: u64) -> Vec<Vec<[usize; 2]>> {
        let mut pairings = Pairings::new(TournamentFormat::Swiss, engines, pairs, rounds);
        let in_round = (engines as u64 / 2) * pairs;
        assert_eq!(pairings.total(), rounds * in_round);
        for pair in 0..pairings.total() {
            // Only the current round is known.
            assert!(pairings.pairing((pair / in_round + 1) * in_round).is_none());
            let pairing = pairings.pairing(pair).unwrap();
            assert_eq!(pairing.deal, pair / in_round * pairs + pair % in_round / (engines as u64 / 2));
            pairings.add(&won_by_the_first(pair, pairing));
        }
        assert!(pairings.pairing(pairings.total()).is_none());
        pairings.known
    }

    #[test]
    fn swiss_rounds_pair_like_results_and_nobody_meets_again() {
        let rounds = swiss(8, 2, 3);
        assert_eq!(rounds[0], [[0, 1], [2, 3], [4, 5], [6, 7]]);
        // The four winners meet each other, and so do the four losers.
        assert_eq!(rounds[1], [[0, 2], [4, 6], [1, 3], [5, 7]]);
        assert_eq!(rounds[2][0], [0, 4]);
        for (engines, rounds) in [(4, 3), (6, 5), (8, 7), (16, 6), (30, 8)] {
            let mut met: Vec<[usize; 2]> = swiss(engines, 1, rounds).concat();
            let meetings = met.len();
            met.sort_unstable();
            met.dedup();
            assert_eq!(met.len(), meetings, "{engines} engines, {rounds} rounds");
        }
    }

    #[test]
    fn those_who_met_least_often_meet_again_and_each_sits_out_once() {
        let rounds = swiss(4, 1, 9);
        let mut times: BTreeMap<[usize; 2], u32> = BTreeMap::new();
        rounds.concat().into_iter().for_each(|meeting| *times.entry(meeting).or_default() += 1);
        assert_eq!(times.into_values().collect::<Vec<_>>(), [3; 6]);
        let rounds = swiss(5, 3, 5);
        let mut sat_out: Vec<usize> =
            rounds.iter().map(|meetings| (0..5).find(|engine| !meetings.concat().contains(engine)).unwrap()).collect();
        assert_eq!(sat_out[0], 4);
        sat_out.sort_unstable();
        assert_eq!(sat_out, [0, 1, 2, 3, 4]);
    }
}
