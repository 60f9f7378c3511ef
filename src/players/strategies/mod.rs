//! The strategies, one per file, and the table of the kinds of players, which `tilewright match --help` prints.
//!
//! To add a player, write a file with its [`PlayerKind`], and add its module and its line in [`KINDS`] here.

pub mod rack_heuristic;
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
pub mod ladder;
pub mod misere;

use crate::players::kind::PlayerKind;

/// All kinds of players, in the order of the help text.
pub static KINDS: [&PlayerKind; 24] = [
    &rack_heuristic::GREEDY,
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
    &ladder::LEVEL,
    &engine::INFERENCE,
    &engine::KNOW_ALL,
    &engine::KNOW_LEAVE,
    &misere::MISERE,
    &misere::MISERE_SIM,
    &misere::THRESHOLD,
    &misere::RANDOM,
];
