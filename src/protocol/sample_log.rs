//! The lines of the option `SimLog`: a simulated game each, as a JSON object.
//!
//! `{"iteration":0,"plies":[{"rack":"AEINRST","play":"8D.RETAINS","score":70},...],"spread":12,"win":0.61}`. The first ply is
//! the candidate; equal iterations of different candidates share racks and the order of the bag.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::protocol::reply::decimal;
use crate::rules::notation::play_text;
use crate::rules::{Play, Position};
use crate::search::LoggedSample;
use std::fmt::Write;

/// A sample as a line, without its end. `position` is the one that was searched.
pub fn sample_line(sample: &LoggedSample, position: &Position) -> String {
    let distribution = &position.rules().distribution;
    let mut board = position.board().clone();
    let mut line = format!("{{\"iteration\":{},\"plies\":[", sample.iteration);
    for (index, ply) in sample.plies.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let rack = json_text(&ply.rack.text(distribution));
        let play = json_text(&play_text(&ply.play, &board, distribution));
        let _ = write!(line, "{comma}{{\"rack\":{rack},\"play\":{play},\"score\":{}}}", ply.score);
        if let Play::Place(placement) = &ply.play {
            for (square, tile) in placement.placed() {
                board.set(square, Some(tile));
            }
        }
    }
    let _ = write!(line, "],\"spread\":{},\"win\":{}}}", sample.spread, decimal(sample.win, 6));
    line
}

fn json_text(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::english_rules;
    use crate::rules::Rack;
    use crate::rules::game::Turn;
    use crate::rules::notation::parse_move;
    use crate::search::LoggedPly;
    use std::sync::Arc;

    #[test]
    fn a_sample_replays_its_board() {
        let start = Position::start(Arc::new(english_rules()));
        let rack = |text: &str| start.rules().distribution.parse_tiles(text).unwrap().into_iter().collect::<Rack>();
        let play = |text: &str, position: &Position| match parse_move(text, position).unwrap().turn {
            Turn::Play(play) => play,
            other => panic!("{other:?}"),
        };
        let first = play("8G.CAT", &start);
        let second = play("G8.CaR", &start.after(&Turn::Play(first)).unwrap());
        let plies = vec![
            LoggedPly { rack: rack("CAT"), play: first, score: 10 },
            LoggedPly { rack: rack("R?"), play: second, score: 4 },
            LoggedPly { rack: rack("Q"), play: Play::Pass, score: 0 },
        ];
        let sample = LoggedSample { iteration: 3, plies, spread: -6, win: 0.5 };
        assert_eq!(
            sample_line(&sample, &start),
            "{\"iteration\":3,\"plies\":[{\"rack\":\"ACT\",\"play\":\"8G.CAT\",\"score\":10},{\"rack\":\"R?\",\"play\":\"G8.CaR\",\"score\":4},{\"rack\":\"Q\",\"play\":\"pass\",\"score\":0}],\"spread\":-6,\"win\":0.500000}"
        );
    }
}
