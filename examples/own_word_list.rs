//! An engine with words of its own. Lists and tables come as text or bytes; where they are kept is the caller's business.
//!
//! `cargo run --release --example own_word_list`

#![allow(clippy::print_stdout)]

use std::io;
use tilewright::engine::Engine;

/// A file by its name. A program with a folder of lexica would read it there.
fn file(name: &str) -> io::Result<Vec<u8>> {
    match name {
        "pets.txt" => Ok(b"CAT\nCATS\nDOG\nDOGS\nGOD\n".to_vec()),
        _ => Err(io::ErrorKind::NotFound.into()),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::builder().files(file).lexicon("pets").build()?;
    let position = engine.position("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 CDGOSTA/ 0/0 0")?;
    let best = engine.best_play(&position)?;
    println!("with {} words: {} for {}", engine.lexicon().list().len(), engine.play_text(&best.play, &position), best.score);

    // A list can also be given as text. What cannot be used says where and why.
    let error = Engine::builder().word_list("mine", "CAT\nC-T\n").build().unwrap_err();
    println!("{error}");
    let error = Engine::builder().files(file).lexicon("birds").build().unwrap_err();
    println!("{error}");
    Ok(())
}
