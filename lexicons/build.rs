//! Compiles the built-in word list. To be written by the lexicon layer.
fn main() {}
