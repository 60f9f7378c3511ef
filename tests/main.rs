//! The integration tests, one binary: what holds of the program as its users meet it. `integration/mod.rs` is the map.

mod integration;
