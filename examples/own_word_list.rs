//! An engine with words of its own. Lists and tables come as text or bytes; where they are kept is the caller's business.
//!
//! `cargo run --release --example own_word_list`

#![allow(clippy::print_stdout)]

use std::io;
use tilewright::engine::{ByteSource, Engine};

/// A source with one file in it. A program with a folder of lexica would look there.
struct OneList;

impl ByteSource for OneList {
    fn find(&self, name: &str, extensions: &[&str]) -> Option<String> {
        (name == "pets" && extensions.contains(&"txt")).then(|| "pets.txt".to_string())
    }

    fn read(&self, _place: &str, _most_bytes: u64) -> io::Result<Vec<u8>> {
        Ok(b"CAT\nCATS\nDOG\nDOGS\nGOD\n".to_vec())
    }

    fn places(&self) -> Vec<String> {
        vec!["this program".to_string()]
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::builder().source(OneList).lexicon("pets").build()?;
    let position = engine.position("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 CDGOSTA/ 0/0 0")?;
    let best = engine.best_play(&position)?;
    println!("with {} words: {} for {}", engine.lexicon().list().len(), engine.play_text(&best.play, &position), best.score);

    // A list can also be given as text. What cannot be used says where and why.
    let error = Engine::builder().word_list("mine", "CAT\nC-T\n").build().unwrap_err();
    println!("{error}");
    let error = Engine::builder().source(OneList).lexicon("birds").build().unwrap_err();
    println!("{error}");
    Ok(())
}
