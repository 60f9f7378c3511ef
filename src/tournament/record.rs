//! The journal of a tournament or match: its identity, and the events of each pair.
//! A match is a tournament of two players of this program. It is the only truth: tables,
//! records of games and the statistics of tests are derived from it.
//!
//! Not here: how its lines are read and compared (`lines.rs`). Start with [`PairRecord`].

use crate::match_play::pairs::{GameResult, PairResult};
use crate::tournament::dialogue::ToldEvaluation;
use crate::tournament::fault::FaultReason;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A game lost by a fault counts as lost by at least this many points. If the loser was further
/// behind, the actual deficit counts.
pub const FORFEIT_POINTS: i32 = 50;

/// Which tournament it is: everything that its results follow from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TournamentHeader {
    /// The program's version.
    pub tilewright: String,
    /// The lexicon of the arbiter, with its fingerprint.
    pub lexicon: String,
    /// Letters, board and bonus, with their fingerprint.
    pub rules: String,
    /// The positions that games begin from, with their fingerprint, if they begin in the middle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<String>,
    /// How fast the machine is; nothing follows from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<MachineSpeed>,
    /// The identity of each engine: the name that a program reports, or the tables of a player.
    pub identities: Vec<String>,
    /// The tournament's file, without what may change from run to run.
    pub configuration: Value,
}

/// Turns of the static player a second on each of some threads: what several engines at once take from each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MachineSpeed {
    /// On one thread alone.
    pub alone: f64,
    /// How many pairs are played at once.
    pub at_once: usize,
    /// The same on each thread when this many pairs are played at once.
    pub together: f64,
}

/// A pair of games, with all that happened in them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairRecord {
    /// Its number in the tournament, from 0.
    pub pair: u64,
    /// The number of its bag, from 0: all meetings of a round have the same ones.
    pub deal: u64,
    /// The engines by their number, from 0. The first one is player a, who begins the first game.
    pub engines: [usize; 2],
    /// A hash of the header.
    pub configuration: String,
    /// The position that both games began from as a CGP, if they began in the middle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The tiles in the order of the bag, from the end of the player who begins.
    pub bag: String,
    /// Whether the games are not mirror images.
    pub divergent: bool,
    /// The game that a began, then the one that b began.
    pub games: [GameRecord; 2],
}

/// A game of a pair. In all fields by player, player a comes first, even in the game that b began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// How it went.
    #[serde(flatten)]
    pub result: GameResult,
    /// The turns, in order.
    pub plays: Vec<TurnRecord>,
    /// Processor time that the engines took while the other one was on turn, microseconds, as far as it can be measured.
    #[serde(default)]
    pub idle_us: [u64; 2],
    /// The fault that ended it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultRecord>,
}

/// A turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnRecord {
    /// The move.
    pub play: String,
    /// Its points.
    pub score: i32,
    /// Time from the question to the answer, microseconds.
    pub time_us: u64,
    /// The evaluation that the engine reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<ToldEvaluation>,
}

/// A fault that ended a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// Who lost by it: 0 is player a.
    pub player: usize,
    /// Its code.
    pub reason: FaultReason,
    /// What happened.
    pub text: String,
}

/// A name with the fingerprint of what it names.
pub fn fingerprinted(name: &str, fingerprint: u64) -> String {
    format!("{name}@{fingerprint:016x}")
}

/// What a player of this program is, as an identity of a header: its description, and its tables with their fingerprints.
pub fn player_identity(player: &str, leaves: &str, winpct: &str) -> String {
    format!("{player}, leaves {leaves}, winpct {winpct}")
}

impl PairRecord {
    /// How the pair went, for statistics.
    pub fn result(&self) -> PairResult {
        PairResult { pair: self.deal, divergent: self.divergent, games: [self.games[0].result, self.games[1].result] }
    }
}
