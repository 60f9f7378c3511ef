//! The answer to `why`: the difference between two plays, term by term and in words.
//!
//! Not here: what the terms are (`search/comparison.rs`), and which ranking they are of (`session/why.rs`). Start with
//! [`ComparisonAnswer`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::protocol::command::Dialect;
use crate::protocol::ranking::{decimal, ucgi_move};
use crate::rules::notation::play_text;
use crate::rules::{LetterDistribution, Position, Tile};
use crate::search::{Comparison, ComparisonTerm, Difference, SampledComparison, Shares};
use std::sync::Arc;

/// Two plays of a ranking, compared.
#[derive(Clone, PartialEq, Debug)]
pub struct ComparisonAnswer {
    /// The comparison of both plays.
    pub comparison: Comparison,
    /// The position of the ranking.
    pub position: Arc<Position>,
}

impl ComparisonAnswer {
    /// Returns the comparison in sentences.
    pub fn sentences(&self) -> Vec<String> {
        self.comparison.sentences(&self.position)
    }

    /// Returns the lines in a dialect, without line ends: numbers, then sentences.
    pub fn lines(&self, dialect: Dialect) -> Vec<String> {
        let Comparison { plays, win, points, terms, sampled, draws } = &self.comparison;
        let letters = &self.position.rules().distribution;
        let [first, second] = plays.map(|play| {
            let text = play_text(&play, self.position.board(), letters);
            if dialect == Dialect::Ucgi { ucgi_move(&text) } else { text }
        });
        let win = win.map_or_else(String::new, |win| difference("wp", Difference { mean: 100.0 * win.mean, error: 100.0 * win.error }));
        let mut lines = vec![format!("info why move {first} than {second}{win}{}", difference("eq", *points))];
        let terms = ComparisonTerm::ALL.into_iter().zip(terms.iter().flatten());
        lines.extend(terms.map(|(term, value)| format!("info why term {}{}", term.word(), difference("eq", *value))));
        lines.extend(sampled.iter().flat_map(sampled_lines));
        lines.extend([&first, &second].into_iter().zip(draws).filter_map(|(play, draws)| draws_line(play, draws, letters)));
        lines.extend(self.sentences().into_iter().map(|sentence| format!("info string why {sentence}")));
        lines
    }
}

fn sampled_lines(sampled: &SampledComparison) -> Vec<String> {
    let SampledComparison { iterations: [of_first, of_second], reply_bingo, own_bingo, deviation: [first, second], .. } = sampled;
    let bingo = |whose: &str, Shares { of: [first, second], error }: &Shares| {
        let [first, second, error] = [first, second, error].map(|number| decimal(*number, 4));
        format!("info why bingo {whose} prob {first} than {second} probse {error}")
    };
    let [first, second] = [first, second].map(|number| decimal(*number, 3));
    vec![
        bingo("reply", reply_bingo),
        bingo("own", own_bingo),
        format!("info why risk eqsd {first} than {second}"),
        format!("info why iters {of_first} than {of_second}"),
    ]
}

/// The draws with which only this play wins.
fn draws_line(play: &str, draws: &[Vec<Tile>], letters: &LetterDistribution) -> Option<String> {
    let texts: Vec<String> = draws.iter().map(|draw| letters.tiles_text(draw.iter().copied())).collect();
    (!texts.is_empty()).then(|| format!("info why draws {play} {}", texts.join("|")))
}

/// ` eq 3.000 eqse 0.000`
fn difference(key: &str, Difference { mean, error }: Difference) -> String {
    format!(" {key} {} {key}se {}", decimal(mean, 3), decimal(error, 3))
}
