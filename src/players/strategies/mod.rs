//! The strategies, one a file, and the table of the kinds of players. `tilewright match --help` prints what the table says.
//!
//! | file | how it plays |
//! |---|---|
//! | `greedy.rs` | the most points |
//! | `rack_heuristic.rs` | Gordon's rack heuristics with the trading rule of the same paper |
//! | `deals.rs` | hidden tiles dealt at random, which several players share |
//! | `gordon.rs` | Gordon's probabilistic search |
//! | `wordsmith.rs` | WordSmith: points and tile quantiles |
//! | `knia.rs` | KNIA: three plies of expectimax with a beam |
//! | `static_player.rs` | static equity; late in the game playouts, and a short search once the bag is empty |
//! | `sim.rs` | simulation; a search once the bag is empty |
//! | `engine.rs` | the whole engine, each phase in its way |
//! | `quackle.rs` | Quackle's simulation, and its championship player |
//! | `maven.rs` | Maven's three phases |
//! | `macondo.rs`, `magpie.rs` | the settings of these engines |
//! | `levels.rs` | levels: players who overlook plays |
//! | `inference.rs` | the engine with an opponent model |
//! | `misere.rs` | the game that is played to lose: by static equity, by thresholds, at random |
//! | `ceilings.rs` | the engine with hidden tiles in sight, which measures what they are worth |
//!
//! A new player is its file, which holds its [`PlayerKind`], its module here, and its line in [`KINDS`].

pub mod greedy;
pub mod rack_heuristic;
pub mod deals;
pub mod gordon;
pub mod wordsmith;
pub mod knia;
pub mod static_player;
pub mod sim;
pub mod engine;
pub mod quackle;
pub mod maven;
pub mod macondo;
pub mod magpie;
pub mod levels;
pub mod ceilings;
pub mod inference;
pub mod misere;

use crate::players::kind::PlayerKind;

/// All kinds of players, in the order in which they are listed to users.
pub static KINDS: [&PlayerKind; 24] = [
    &greedy::GREEDY,
    &rack_heuristic::RACK1,
    &rack_heuristic::RACK2,
    &rack_heuristic::RACK3,
    &gordon::GORDON,
    &wordsmith::WORDSMITH,
    &knia::KNIA,
    &static_player::STATIC,
    &sim::SIM,
    &engine::ENGINE,
    &quackle::STRONG,
    &quackle::CHAMPIONSHIP,
    &maven::MAVEN,
    &macondo::MACONDO,
    &magpie::MAGPIE,
    &levels::MACONDO_LEVEL,
    &levels::LEVEL,
    &inference::INFERENCE,
    &ceilings::KNOW_ALL,
    &ceilings::KNOW_LEAVE,
    &misere::MISERE,
    &misere::MISERE_SIM,
    &misere::THRESHOLD,
    &misere::RANDOM,
];
