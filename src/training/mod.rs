//! Makes tables from self-play.
//!
//! Not here: files, clocks and progress (`lab/train/`). Start with [`tally`].

pub mod tally;
pub mod win_percent;
pub mod calibration;
pub mod bag_terms;
pub mod board_census;
pub mod leaves;
pub mod opponents;
pub mod rack_weights;
pub mod quantiles;

#[cfg(test)]
mod tests {
    //! A game that is small enough to try all racks quickly.

    use crate::formats::letter_distribution;
    use crate::lexicon::Lexicon;
    use crate::rules::{GameRules, Layout};
    use std::sync::Arc;

    /// Returns rules with seven letters and 44 tiles.
    pub fn small_rules() -> GameRules {
        let text = "?,?,2,0,0\nA,a,9,1,1\nB,b,4,3,0\nD,d,6,2,0\nE,e,10,1,1\nR,r,6,1,0\nS,s,4,1,0\nT,t,3,1,0\n";
        let distribution = letter_distribution::parse("small", text).unwrap();
        GameRules::standard(Arc::new(distribution), Arc::new(Layout::standard()))
    }

    /// Returns the words of ENABLE that these letters spell.
    pub fn small_lexicon() -> Lexicon {
        let words = include_str!("../../lexicons/enable.txt").lines();
        let kept: Vec<&str> = words.filter(|word| word.bytes().all(|letter| b"ABDERST".contains(&letter))).collect();
        Lexicon::from_text("small", &small_rules().distribution, &kept.join("\n")).unwrap()
    }
}
