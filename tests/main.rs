//! The integration tests, one binary: what holds of the program as its users meet it. `integration/mod.rs` is the map.

mod integration;

/// The program under test.
fn tilewright() -> std::process::Command {
    std::process::Command::new(env!("CARGO_BIN_EXE_tilewright"))
}
