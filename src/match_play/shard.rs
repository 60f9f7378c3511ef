//! Divides the numbered pieces of a run among several machines. Start with [`Shard`].

use std::fmt;
use std::str::FromStr;

/// The part of a run that belongs to one of `of` machines. Piece k belongs to shard k mod `of`, counted from 0. Every shard therefore has
/// pieces from all parts of the run, which take about equally long, and a run that gets longer adds pieces to every shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of the shard, from 0.
    index: u64,
    of: u64,
}

impl Shard {
    /// Whether a piece belongs to this shard.
    pub fn has(self, piece: u64) -> bool {
        piece % self.of == self.index
    }
}

/// Returns the pieces of the shard, or of the whole run, that are not done, in order.
pub fn pieces_left(pieces: std::ops::Range<u64>, shard: Option<Shard>, is_done: impl Fn(u64) -> bool) -> Vec<u64> {
    pieces.filter(|&piece| shard.is_none_or(|shard| shard.has(piece)) && !is_done(piece)).collect()
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(index, of)| Some((index.parse::<u64>().ok()?, of.parse::<u64>().ok()?)));
        match numbers {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Shard { index: index - 1, of }),
            _ => Err("expected the number of a shard and the number of shards, such as 2/3 for the second of three".to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_piece_belongs_to_one_shard() {
        let shards: Vec<Shard> = (1..=3).map(|index| format!("{index}/3").parse().unwrap()).collect();
        let left = |shard| pieces_left(0..8, shard, |piece| piece == 4);
        assert_eq!(shards.iter().map(|&shard| left(Some(shard))).collect::<Vec<_>>(), [vec![0, 3, 6], vec![1, 7], vec![2, 5]]);
        assert_eq!(left(None), [0, 1, 2, 3, 5, 6, 7]);
        assert_eq!(shards[1].to_string(), "2/3");
        for text in ["0/3", "4/3", "1/0", "1", "a/b", "1/3/5", "-1/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
