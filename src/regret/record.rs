//! The contents of a corpus: its origin, then one line per game, with some turns and the values of
//! their candidates.
//!
//! A corpus is a journal, so making it can be interrupted. Start with [`CorpusHeader`].

use crate::match_play::journal::JournalHeader;
use serde::{Deserialize, Serialize};

/// How a corpus is made: everything that determines its lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorpusHeader {
    /// The program's version.
    pub tilewright: String,
    /// Words and rules, with their fingerprints.
    pub game: String,
    /// The player of the games that the turns are taken from.
    pub players: String,
    /// The player that plays out the candidates.
    pub oracle: String,
    /// The leave values and win % tables of both.
    pub tables: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// How many of the statically best plays of a turn are candidates.
    pub candidates: usize,
    /// The most playouts of a candidate.
    pub deals: u64,
}

/// A game with the turns that were taken from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CorpusGame {
    /// The number of the game, from 0: the number of the journal's piece.
    #[serde(skip)]
    pub number: u64,
    /// Its turns, in their order.
    pub turns: Vec<CorpusTurn>,
}

/// A turn with its candidates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorpusTurn {
    /// The position, as the player on turn sees it.
    pub cgp: String,
    /// The number of the turn in the game, from 0.
    pub turn: usize,
    /// How many turns of the same phase in the game this turn represents.
    pub stands_for: f64,
    /// The candidates, best first.
    pub plays: Vec<CorpusPlay>,
}

/// A candidate with its value by the oracle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorpusPlay {
    /// The play, as the protocol writes it.
    pub play: String,
    /// Number of playouts.
    pub deals: u64,
    /// Share of the playouts that are won, 0 to 1; a tie counts half.
    pub win: f64,
    /// Mean final spread, points.
    pub spread: f64,
    /// Share of wins lost against the best candidate, on the deals on which both were played, 0 to 1.
    pub loss: f64,
    /// Standard error of `loss`.
    pub loss_error: f64,
    /// Points lost against the best candidate on these deals.
    pub spread_loss: f64,
}

impl JournalHeader for CorpusHeader {
    type Entry = CorpusGame;

    const KIND: &'static str = "corpus";

    const RUN: &'static str = "corpus";

    const ENTRY: &'static str = "game";

    const TOLD_FIRST: &'static [(&'static str, &'static str)] = &[
        ("game", "words and rules (--lexicon, --letters, --layout, --bonus)"),
        ("players", "the players (--players)"),
        ("oracle", "the oracle (--oracle)"),
        ("tables", "the tables of players and oracle"),
        ("seed", "the seed (--seed)"),
        ("candidates", "the candidates (--candidates)"),
        ("deals", "the playouts (--deals)"),
        ("tilewright", "the program's version"),
    ];

    fn set_number(game: &mut CorpusGame, number: u64) {
        game.number = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_play::journal::{Journal, JournalHead};

    fn header() -> CorpusHeader {
        CorpusHeader {
            tilewright: "1".to_string(),
            game: "ENABLE".to_string(),
            players: "static".to_string(),
            oracle: "greedy".to_string(),
            tables: "none".to_string(),
            seed: 1,
            candidates: 30,
            deals: 400,
        }
    }

    #[test]
    fn what_was_written_is_read() {
        let play =
            CorpusPlay { play: "pass".to_string(), deals: 3, win: 0.5, spread: -1.5, loss: 0.25, loss_error: 0.125, spread_loss: 7.0 };
        let turn = CorpusTurn { cgp: "a cgp".to_string(), turn: 4, stands_for: 2.25, plays: vec![play] };
        let games = [CorpusGame { number: 0, turns: vec![] }, CorpusGame { number: 1, turns: vec![turn] }];
        let head = JournalHead::new(header(), 2);
        let lines = [head.line(), head.piece_line(0, &games[0]), head.piece_line(1, &games[1])].map(Result::unwrap);
        let read = Journal::<CorpusHeader>::parse(lines.concat().as_bytes()).unwrap().unwrap();
        let [first, second] = games;
        assert_eq!((read.head, read.entries), (head, vec![(0, first), (1, second)]));
    }

    #[test]
    fn the_first_difference_is_named_with_its_flag() {
        let check = |change: &dyn Fn(&mut CorpusHeader), expected: &str| {
            let mut here = header();
            change(&mut here);
            assert_eq!(header().difference(&here).unwrap(), expected);
        };
        assert_eq!(header().difference(&header()), None);
        check(&|here| here.oracle = "static".to_string(), "the oracle (--oracle): \"greedy\" in the journal, \"static\" now");
        check(&|here| here.deals = 9, "the playouts (--deals): 400 in the journal, 9 now");
        check(&|here| (here.seed, here.candidates) = (2, 3), "the seed (--seed): 1 in the journal, 2 now");
    }
}
