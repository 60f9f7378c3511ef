//! Sums over many games of self-play, played on several threads. The games are played on all
//! threads, and the sum is the same for any number of them: sums are of integers,
//! so that their order does not matter. Start with [`tally_games`].
//!
//! Not here: what is counted (each kind of training has a [`Tally`] of its own) and who decides how many games (`lab/train/`).

use crate::evaluation::{Leaves, StaticEval};
use crate::lexicon::Lexicon;
use crate::match_play::game::{SelfPlay, TurnBefore};
use crate::rules::GameRules;
use crate::rules::fingerprint::Fingerprint;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// Games that a thread takes at a time.
const CHUNK: usize = 16;

/// The two players of all games, who play alike.
#[derive(Clone, Copy, Debug)]
pub struct TallyPlayers<'a> {
    pub rules: &'a Arc<GameRules>,
    /// The words.
    pub lexicon: &'a Lexicon,
    /// The values of tiles kept that both choose by.
    pub leaves: &'a Leaves,
    /// Seed of the bags.
    pub seed: u64,
}

/// A sum over games.
pub trait Tally: Sized + Send {
    /// Adds a game: its turns, and the final score of seat 0 minus that of seat 1.
    fn add_game(&mut self, turns: &[TurnBefore], spread: i32);

    /// Adds what another thread has counted.
    fn add(&mut self, other: &Self);
}

/// A sum that a journal keeps, in rows of whole numbers.
pub trait KeptTally: Tally {
    /// The sum as rows of numbers.
    fn numbers(&self) -> Vec<Vec<i64>>;

    /// Adds a sum over this many games. `None` if these are no rows of such a sum.
    fn add_numbers(&mut self, games: u64, rows: &[Vec<i64>]) -> Option<()>;
}

/// The sum over the games with these numbers; `empty` makes a sum over none. Runs in the thread pool of the caller.
pub fn tally_games<T: Tally>(players: TallyPlayers<'_>, games: Range<u64>, empty: impl Fn() -> T + Sync + Send) -> T {
    // Each part of the work has a game loop, a buffer and a sum of its own.
    let start = || (new_self_play(players), Vec::new(), empty());
    // Chunks are short, so that threads finish at about the same time.
    let chunks: Vec<u64> = games.clone().step_by(CHUNK).collect();
    chunks
        .into_par_iter()
        .fold(start, |(mut self_play, mut turns, mut tally), first| {
            // A game depends on the seed and its number alone, not on the thread that plays it.
            for index in first..games.end.min(first + CHUNK as u64) {
                turns.clear();
                let summary = self_play.play_watched(players.seed, index, |turn| turns.push(turn));
                tally.add_game(&turns, summary.scores[0] - summary.scores[1]);
            }
            (self_play, turns, tally)
        })
        // The order in which parts are added may vary; sums of integers do not depend on it.
        .map(|(_, _, tally)| tally)
        .reduce(&empty, |mut sum, tally| {
            sum.add(&tally);
            sum
        })
}

fn new_self_play(players: TallyPlayers<'_>) -> SelfPlay<'_> {
    SelfPlay::new(players.rules, players.lexicon.graph(), StaticEval::new(players.rules, players.lexicon, players.leaves))
}

/// A hash of everything that decides how games go: rules, words, leave values, the program itself.
/// Counts of games with another fingerprint must not be added up. It is made from the scores of the
/// first few games.
pub fn fingerprint(players: TallyPlayers<'_>) -> u64 {
    let mut self_play = new_self_play(players);
    let mut hash = Fingerprint::default();
    for index in 0..CHUNK as u64 {
        let summary = self_play.play(players.seed, index);
        hash.add_numbers(summary.scores.map(|score| u64::from(score as u32)));
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

    /// Everything there is to know of the games, in the order of their adding up.
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
            assert_eq!((turns.len(), *spread), (summary.turns as usize, summary.scores[0] - summary.scores[1]));
            assert!(turns.iter().enumerate().all(|(at, turn)| turn.seat == at % 2));
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
