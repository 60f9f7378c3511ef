//! A simulation that streams its ranking while it gets better, and that the caller ends.
//!
//! `cargo run --release --example simulate`

#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};
use tilewright::engine::Engine;
use tilewright::search::{Analysis, Report, SimulationOptions};

const POSITION: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::builder().threads(2).build()?;
    let position = engine.position(POSITION)?;
    // Without a limit of its own the simulation goes on until it is stopped. The engine reads no clock: the caller has one.
    let mut rankings = engine.analyse(&position, Analysis::Simulation(SimulationOptions::default()))?;
    let stop = rankings.stop_handle();
    let end = Instant::now() + Duration::from_millis(600);
    while let Some(Report::Simulation { rows, .. }) = rankings.next() {
        let best = &rows[0];
        let play = engine.play_text(&best.ranked.play, &position);
        println!("{play} wins {:.1} +- {:.1} % after {} iterations", 100.0 * best.win, 100.0 * best.win_error, best.iterations);
        if Instant::now() >= end {
            stop.stop();
        } else {
            std::thread::sleep(Duration::from_millis(200));
        }
    }
    Ok(())
}
