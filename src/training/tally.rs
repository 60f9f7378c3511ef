//! Sums over many games of self-play, which are played on several threads. Sums are of integers, so that
//! they do not depend on the order of games or the number of threads.
//!
//! Not here: the contents of the sums, since each kind of training has its own [`Tally`], and the number of games (`lab/train/`). Start
//! with [`tally_games`].

use crate::evaluation::{Leaves, StaticEval};
use crate::lexicon::Lexicon;
use crate::match_play::game::{SelfPlay, TurnBefore};
use crate::rules::fingerprint::Fingerprint;
use crate::rules::{GameRules, Seat};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// Games that a thread takes at a time.
const CHUNK: usize = 16;

/// The two players of all games, who are equal.
#[derive(Clone, Copy, Debug)]
pub struct TallyPlayers<'a> {
    pub rules: &'a Arc<GameRules>,
    /// The words.
    pub lexicon: &'a Lexicon,
    /// The leave values of both players.
    pub leaves: &'a Leaves,
    /// Seed of the bags.
    pub seed: u64,
}

/// A sum over games.
pub trait Tally: Sized + Send {
    /// Adds a game: its turns, and the final score of the first seat minus that of the second.
    fn add_game(&mut self, turns: &[TurnBefore], spread: i32);

    /// Adds the sum of another thread.
    fn add(&mut self, other: &Self);
}

/// A sum that a journal keeps, in rows of whole numbers.
pub trait KeptTally: Tally {
    /// Returns the sum as rows of numbers.
    fn numbers(&self) -> Vec<Vec<i64>>;

    /// Adds a sum over this many games. Returns `None` if the rows are not such a sum.
    fn add_numbers(&mut self, games: u64, rows: &[Vec<i64>]) -> Option<()>;
}

/// Returns the sum over the games with these numbers. `empty` makes a sum over no games. Runs in the thread pool of the caller.
pub fn tally_games<T: Tally>(players: TallyPlayers<'_>, games: Range<u64>, empty: impl Fn() -> T + Sync + Send) -> T {
    // Each part of the work has its own game loop, buffer and sum.
    let start = || (new_self_play(players), Vec::new(), empty());
    // Chunks are short, so that threads finish at about the same time.
    let chunks: Vec<u64> = games.clone().step_by(CHUNK).collect();
    chunks
        .into_par_iter()
        .fold(start, |(mut self_play, mut turns, mut tally), first| {
            // A game depends only on the seed and its number, not on the thread that plays it.
            for index in first..games.end.min(first + CHUNK as u64) {
                turns.clear();
                let summary = self_play.play_watched(players.seed, index, |turn| turns.push(turn));
                tally.add_game(&turns, summary.scores.lead(Seat::First));
            }
            (self_play, turns, tally)
        })
        // The order in which parts are added may vary, but sums of integers do not depend on it.
        .map(|(_, _, tally)| tally)
        .reduce(&empty, |mut sum, tally| {
            sum.add(&tally);
            sum
        })
}

fn new_self_play(players: TallyPlayers<'_>) -> SelfPlay<'_> {
    SelfPlay::new(players.rules, players.lexicon.graph(), StaticEval::new(players.rules, players.lexicon, players.leaves))
}

/// Returns a hash of everything that determines the games: rules, words, leave values, the program itself.
/// Counts of games with different fingerprints must not be added. The hash is made from the scores of the
/// first few games.
pub fn fingerprint(players: TallyPlayers<'_>) -> u64 {
    let mut self_play = new_self_play(players);
    let mut hash = Fingerprint::default();
    for index in 0..CHUNK as u64 {
        let summary = self_play.play(players.seed, index);
        hash.add_numbers(summary.scores.0.map(|score| u64::from(score as u32)));
        hash.add_numbers([u64::from(summary.turns)]);
    }
    hash.value()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::heuristics::RackHeuristic;
    use crate::lexicon::Lexicon;
    use crate::rules::GameRules;
    use crate::rules::units::Millipoints;

    /// All data of the games, in the order in which they are added.
    #[derive(Default)]
    struct Games(Vec<(Vec<TurnBefore>, i32)>);

    impl Tally for Games {
        fn add_game(&mut self, turns: &[TurnBefore], spread: i32) {
            self.0.push((turns.to_vec(), spread));
        }

        fn add(&mut self, other: &Games) {
            self.0.extend_from_slice(&other.0);
        }
    }

    #[test]
    fn turns_are_what_the_game_was_before_each_of_them() {
        let (rules, lexicon) = (Arc::new(GameRules::english()), Lexicon::builtin());
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let players = TallyPlayers { rules: &rules, lexicon: &lexicon, leaves: &leaves, seed: 5 };
        let games = tally_games(players, 3..20, Games::default).0;
        assert_eq!(games.len(), 17);
        for (index, (turns, spread)) in (3..).zip(&games) {
            let summary = new_self_play(players).play(5, index);
            assert_eq!((turns.len(), *spread), (summary.turns as usize, summary.scores.lead(Seat::First)));
            assert!(turns.iter().enumerate().all(|(at, turn)| turn.seat == Seat::after_turns(at)));
            let first = turns[0];
            assert_eq!((first.left.unseen(), first.left.in_bag, first.spread, first.leaves_lead), (93, 86, 0, Millipoints::ZERO));
            let last = turns.last().unwrap();
            assert!(last.left.in_bag == 0 && last.left.own_rack > 0 && last.left.other_rack > 0, "{last:?}");
            for pair in turns.windows(2) {
                assert!(pair[1].left.in_bag <= pair[0].left.in_bag, "{pair:?}");
                assert!(-pair[1].spread >= pair[0].spread, "a play never costs points: {pair:?}");
                let both = |turn: &TurnBefore| turn.left.own_rack + turn.left.unseen();
                assert!(both(&pair[1]) <= both(&pair[0]), "{pair:?}");
            }
            let again = tally_games(players, index..index + 1, Games::default).0;
            assert_eq!(again, [(turns.clone(), *spread)]);
        }
    }

    #[test]
    fn other_players_have_another_fingerprint() {
        let (rules, lexicon) = (Arc::new(GameRules::english()), Lexicon::builtin());
        let heuristics = [RackHeuristic::VowelMix, RackHeuristic::Duplicates];
        let prints = heuristics.map(|heuristic| {
            let leaves = Leaves::heuristic(heuristic, &rules.distribution);
            fingerprint(TallyPlayers { rules: &rules, lexicon: &lexicon, leaves: &leaves, seed: 5 })
        });
        assert_ne!(prints[0], prints[1]);
    }
}
