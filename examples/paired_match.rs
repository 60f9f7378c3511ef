//! Two players on the same tiles, each pair of games with the seats swapped, the luck of the draws taken off.
//!
//! `cargo run --release --example paired_match`

#![allow(clippy::print_stdout)]

use std::ops::ControlFlow;
use tilewright::engine::Engine;
use tilewright::match_play::LuckSetting;
use tilewright::match_play::pairs::{Contestant, PairedMatch, TurnCounting};
use tilewright::match_play::statistics::MatchStatistics;
use tilewright::search::Signals;

const PLAYERS: [&str; 2] = ["static:late=off", "greedy"];
const PAIRS: u64 = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::builtin();
    let paired_match = PairedMatch {
        rules: engine.rules(),
        players: [Contestant::new(PLAYERS[0].parse()?, Engine::builder())?, Contestant::new(PLAYERS[1].parse()?, Engine::builder())?],
        seed: 1,
        time: None,
        luck: Some(LuckSetting { engine: engine.clone(), redraws: 16 }),
        turns: TurnCounting::Plain,
    };
    let mut statistics = MatchStatistics::default();
    paired_match.play(0..PAIRS, 2, &Signals::default(), &mut |pairs| {
        pairs.iter().for_each(|pair| statistics.add(&pair.result));
        ControlFlow::Continue(())
    });
    let told = |what: &str, win: f64, spread: f64| println!("{what}: {} wins {:.1} %, {spread:+.1} points a game", PLAYERS[0], 100.0 * win);
    told("as it was", statistics.win.mean, statistics.spread.mean);
    let adjusted = &statistics.adjusted;
    told("luck taken off", adjusted.win.adjusted.mean, adjusted.spread.adjusted.mean);
    Ok(())
}
