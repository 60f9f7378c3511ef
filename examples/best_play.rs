//! The best plays of a position by static equity, in about a millisecond: words, letters, board and leave values are compiled in.
//!
//! `cargo run --release --example best_play -- "<cgp>"`

#![allow(clippy::print_stdout)]

use tilewright::engine::Engine;

/// The board before the game's third turn, and a rack.
const POSITION: &str = "15/15/15/15/15/15/15/3QUIZ8/6E8/6B8/6R8/6A8/15/15/15 AEINRST/ 48/34 0";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::builtin();
    let text = std::env::args().nth(1).unwrap_or_else(|| POSITION.to_string());
    let position = engine.position(&text)?;
    for row in engine.static_ranking(&position, 5)? {
        let play = engine.play_text(&row.play, &position);
        let equity = row.equity.points();
        let leave = row.play.leave(position.mover_rack()).text(&engine.rules().distribution);
        println!("{play:<16} score {:>3}  equity {equity:>7.3}  keeps {leave}", row.score);
    }
    Ok(())
}
