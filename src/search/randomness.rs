//! Random numbers as a pure function of (seed, stream, index). Any thread can work on any index,
//! and a search can be replayed.

pub use crate::rules::fingerprint::mix;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};

/// The purpose of random numbers. Streams of the same seed and index are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Stream {
    /// Racks and bag orders of a simulation's iterations; by shuffle.
    Rollouts = 1,
    /// Bag orders of whole games.
    Games = 2,
    /// Random plays and positions of tests.
    #[cfg(test)]
    Positions = 3,
    /// Where exchanged tiles go back into the bag; by game, or by iteration of a simulation.
    Exchanges = 4,
    /// Decisions that players make by chance.
    Players = 5,
    /// Draws that could have been made instead; by game and draw.
    Draws = 6,
    /// Racks that the opponent may have held; by draw.
    Inference = 7,
    /// Where a simulation begins among the leaves that the opponent may have kept.
    Leaves = 8,
    /// Which turns of a game go into a corpus; by game.
    Corpus = 9,
    /// The weights of a heuristic that are raised or lowered; by pair.
    Weights = 10,
    /// The order in which all racks of the two players are examined; by player.
    Replies = 11,
    /// The vocabulary of a player; by word.
    Vocabulary = 12,
}

/// Returns the generator for one index of a stream.
pub fn generator(seed: u64, stream: Stream, index: u64) -> impl Rng + Clone {
    let mixed = mix(mix(seed ^ mix(stream as u64)) ^ index);
    Xoshiro256PlusPlus::seed_from_u64(mixed)
}

/// Returns a number of at least 0 and less than 1 for one index of a stream.
pub fn fraction(seed: u64, stream: Stream, index: u64) -> f64 {
    generator(seed, stream, index).random()
}

/// Puts items in a random order, each order equally likely.
pub fn shuffle<T>(items: &mut [T], rng: &mut impl Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.random_range(0..=last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stream_and_index_has_its_own_repeatable_numbers() {
        let first = |seed, stream, index| generator(seed, stream, index).next_u64();
        let numbers =
            [first(1, Stream::Rollouts, 0), first(1, Stream::Rollouts, 1), first(1, Stream::Games, 0), first(2, Stream::Rollouts, 0)];
        for (at, number) in numbers.iter().enumerate() {
            assert!(!numbers[..at].contains(number));
        }
        assert_eq!(numbers[1], first(1, Stream::Rollouts, 1));
    }

    #[test]
    fn every_item_comes_to_every_place_about_equally_often() {
        let mut counts = [[0; 4]; 4];
        for index in 0..4000 {
            let mut items = [0, 1, 2, 3];
            shuffle(&mut items, &mut generator(7, Stream::Positions, index));
            items.iter().enumerate().for_each(|(place, &item)| counts[place][item] += 1);
        }
        assert!(counts.iter().flatten().all(|count| (880..1120).contains(count)), "{counts:?}");
    }
}
