//! An endgame, solved with proof: the bag is empty, so both racks are known and play can be searched to its end.
//!
//! `cargo run --release --example solve_endgame`

#![allow(clippy::print_stdout)]

use tilewright::engine::Engine;
use tilewright::rules::Turn;

const POSITION: &str = "13C1/13Oh/8W2MUNI/1DETESTER1VAPID/8YO3NE/5J1PEH4O/4QUAIS3GNU/3GIBBETS1FIAT/3U1E3E2N1S/3I5X2G2/\
     2ODOMETRY2I2/3E3H3AVOW/1cARIOLE3ZA2/7CANNOLI1/7A5FE ADLLRRT/KR 397/433 0";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::builtin();
    let mut position = engine.position(POSITION)?;
    let solution = engine.solve(&position)?;
    let word = if solution.solved { "proved" } else { "expected" };
    println!("the spread changes by {:+} points, {word} after {} positions", solution.value, solution.nodes);
    for (number, turn) in solution.line.iter().enumerate() {
        println!("{}. {} for {}", number + 1, engine.play_text(&turn.play, &position), turn.score);
        position = position.after(&Turn::Play(turn.play))?;
    }
    let [first, second] = position.scores().0;
    println!("final score {first} to {second}");
    Ok(())
}
