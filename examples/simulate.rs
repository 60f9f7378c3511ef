//! A simulation that streams its ranking while it gets better, and that ends after a time.
//!
//! `cargo run --release --example simulate`

#![allow(clippy::print_stdout)]

use std::time::Duration;
use tilewright::engine::Engine;
use tilewright::search::SimulationOptions;

const POSITION: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::builder().threads(2).build()?;
    let position = engine.position(POSITION)?;
    // Without a limit of its own the simulation goes on until it is stopped.
    let rankings = engine.search(&position, SimulationOptions::default())?;
    for report in rankings.stop_after(Duration::from_millis(600)) {
        let best = &report.rows[0];
        let play = engine.play_text(&best.ranked.play, &position);
        println!("{play} wins {:.1} +- {:.1} % after {} iterations", 100.0 * best.win, 100.0 * best.win_error, best.iterations);
        std::thread::sleep(Duration::from_millis(200));
    }
    Ok(())
}
