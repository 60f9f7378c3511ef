//! What an opponent may have kept, by what they have just played.
//!
//! `cargo run --release --example infer`

#![allow(clippy::print_stdout)]

use tilewright::engine::Engine;
use tilewright::rules::Rack;
use tilewright::search::{ObservedTurn, OpponentModel};

/// The opponent opens the game with IMINO, and keeps two tiles.
const TURN: &str = "8D.IMINO";

/// What the player on turn holds, none of which can be on the other rack.
const RACK: &str = "GLORRTU";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::builtin();
    let distribution = &engine.rules().distribution;
    let before = engine.new_game();
    let turn = engine.parse_play(TURN, &before)?;
    let mut position = before.after(&turn)?;
    let rack: Rack = distribution.parse_tiles(RACK)?.into_iter().collect();
    position.set_rack(position.on_turn(), &rack)?;
    // Turns before the last one may be given, too, the oldest first.
    let belief = engine.infer(&position, vec![ObservedTurn::new(before, turn)?], OpponentModel::Static)?;
    for leave in belief.leaves.iter().take(5) {
        println!("{:<4} {:5.2} %, before the turn {:5.2} %", leave.leave.text(distribution), 100.0 * leave.chance, 100.0 * leave.prior);
    }
    Ok(())
}
