//! The lines of the option `SimLog`: each simulated game as a JSON object.
//!
//! `{"iteration":0,"plies":[{"rack":"AEINRST","play":"8D.RETAINS","score":70},...],"spread":12,"win":0.61}`. The first ply is
//! the candidate; equal iterations of different candidates share racks and the order of the bag.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::rules::notation::play_text;
use crate::rules::{Play, Position};
use crate::search::LoggedSample;
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::io;

/// A simulated game, as the log has it.
#[derive(Serialize)]
struct SampleRow {
    iteration: u64,
    plies: Vec<SamplePly>,
    /// The mover's lead at the horizon, points.
    spread: i32,
    /// Chance of winning there, 0 to 1.
    win: f64,
}

/// A turn of a simulated game.
#[derive(Serialize)]
struct SamplePly {
    rack: String,
    play: String,
    score: i32,
}

/// Compact JSON whose fractions have six digits.
struct SixDigits;

impl Formatter for SixDigits {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        write!(writer, "{value:.6}")
    }
}

/// Returns a sample as a line, without its end. `position` is the one that was searched.
///
/// # Errors
/// Those of the JSON library, which no sample can cause.
pub fn sample_line(sample: &LoggedSample, position: &Position) -> io::Result<String> {
    let distribution = &position.rules().distribution;
    let mut board = position.board().clone();
    let mut plies = Vec::with_capacity(sample.plies.len());
    for ply in &sample.plies {
        // A play is written for the board before it.
        let play = play_text(&ply.play, &board, distribution);
        plies.push(SamplePly { rack: ply.rack.text(distribution), play, score: ply.score });
        if let Play::Place(placement) = &ply.play {
            placement.put_on(&mut board);
        }
    }
    let row = SampleRow { iteration: sample.iteration, plies, spread: sample.spread, win: sample.win };
    let mut line = Vec::new();
    row.serialize(&mut Serializer::with_formatter(&mut line, SixDigits))?;
    String::from_utf8(line).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::notation::parse_move;
    use crate::rules::{GameRules, Rack, Turn};
    use crate::search::LoggedPly;
    use std::sync::Arc;

    #[test]
    fn a_sample_replays_its_board() {
        let start = Position::start(Arc::new(GameRules::english()));
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
        let sample = LoggedSample { iteration: 3, plies, spread: -6, equity: -6.0, win: 0.5 };
        assert_eq!(
            sample_line(&sample, &start).unwrap(),
            "{\"iteration\":3,\"plies\":[{\"rack\":\"ACT\",\"play\":\"8G.CAT\",\"score\":10},{\"rack\":\"R?\",\"play\":\"G8.CaR\",\"score\":4},{\"rack\":\"Q\",\"play\":\"pass\",\"score\":0}],\"spread\":-6,\"win\":0.500000}"
        );
    }
}
