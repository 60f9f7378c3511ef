//! A player of one's own: it never exchanges, and meets the best static play in refereed games on the
//! same tiles with the seats swapped.
//!
//! `cargo run --release --example own_player`

#![allow(clippy::print_stdout)]

use tilewright::match_play::referee::play_game;
use tilewright::prelude::*;

const PAIRS: u64 = 20;

/// The highest placement of the ranking; a pass without one.
fn choose(engine: &Engine, position: &Position) -> Play {
    let ranking = engine.static_ranking(position, 50).expect("the game goes on");
    let placements = ranking.iter().filter(|row| row.play.placement().is_some());
    placements.max_by_key(|row| row.score).map_or(Play::Pass, |row| row.play)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::builtin();
    let mut spreads = Vec::new();
    for game in 0..2 * PAIRS {
        let (pair, seat) = (game / 2, Seat::BOTH[game as usize % 2]);
        let played = play_game(engine.rules(), engine.lexicon(), 1, pair, &mut |position| match position.on_turn() {
            mover if mover == seat => choose(&engine, position),
            _ => engine.best_play(position).expect("the game goes on").play,
        })?;
        spreads.push(f64::from(played.last.scores().lead(seat)));
    }
    let mean = spreads.iter().sum::<f64>() / spreads.len() as f64;
    let won = spreads.iter().filter(|spread| **spread > 0.0).count();
    println!("{won} of {} games won, {mean:+.1} points a game", spreads.len());
    Ok(())
}
