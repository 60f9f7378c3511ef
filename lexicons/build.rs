//! Compiles the built-in word list into the word graph that the program carries: `enable.kwg` in the build's output folder.

#[path = "../src/lexicon/graph_builder.rs"]
#[allow(dead_code)]
mod graph_builder;

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=lexicons/enable.txt");
    println!("cargo::rerun-if-changed=lexicons/build.rs");
    println!("cargo::rerun-if-changed=src/lexicon/graph_builder.rs");
    let text = std::fs::read_to_string("lexicons/enable.txt").expect("lexicons/enable.txt is part of the project");
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let mut words: Vec<Vec<u8>> = text.lines().map(|line| line.bytes().map(|letter| letter - b'A' + 1).collect()).collect();
    words.sort_unstable();
    words.dedup();
    let nodes = graph_builder::build(&words).expect("the built-in list fits a word graph");
    let bytes: Vec<u8> = nodes.iter().flat_map(|node| node.to_le_bytes()).collect();
    std::fs::write(Path::new(&out).join("enable.kwg"), bytes).expect("the output folder can be written");
    let set = fst::Set::from_iter(&words).expect("the words are sorted");
    std::fs::write(Path::new(&out).join("enable.fst"), set.as_fst().as_bytes()).expect("the output folder can be written");
}
