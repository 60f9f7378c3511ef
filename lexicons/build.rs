//! Compiles what the program carries into the build's output folder: the built-in word list into `enable.kwg` and `enable.fst`,
//! the win % tables into `enable.win` and `crossplay.win`.

#[path = "../src/lexicon/graph_builder.rs"]
#[allow(dead_code)]
mod graph_builder;

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=lexicons/enable.txt");
    println!("cargo::rerun-if-changed=lexicons/enable.win.csv");
    println!("cargo::rerun-if-changed=lexicons/crossplay.win.csv");
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
    for name in ["enable", "crossplay"] {
        let table = std::fs::read_to_string(format!("lexicons/{name}.win.csv")).expect("the tables are part of the project");
        std::fs::write(Path::new(&out).join(name).with_extension("win"), win_table(&table)).expect("the output folder can be written");
    }
}

/// The table in the form that `src/formats/win_table.rs` describes and a test there compares with the text.
fn win_table(text: &str) -> Vec<u8> {
    // A table of our own: no quotes, no blanks. A reader of CSV would be compiled a second time, for this script.
    let mut rows = text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(','));
    let number = |field: &str| field.parse::<u32>().expect("a number of tiles");
    let mut leads = rows.next().expect("a line of leads").skip(1).map(|lead| lead.parse::<i32>().expect("a lead"));
    let first = leads.next().expect("a lead");
    let mut words = vec![first as u32, leads.count() as u32 + 1];
    for mut row in rows {
        let racks = row.next().expect("the tiles on the racks");
        let (own_rack, other_rack) = racks.split_once('/').unwrap_or(("0", racks));
        words.extend([number(own_rack), number(other_rack)]);
        words.extend(row.map(|field| field.parse::<f32>().expect("a probability").to_bits()));
    }
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
