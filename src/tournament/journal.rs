//! The journal of a tournament as JSON lines: a header that says which tournament it is, then one record a pair. It is the only truth:
//! tables, records of games and the statistics of tests are derived from it.
//!
//! A line is written when its pair is over, in the order of the pairs. What was cut off at its end is dropped. Not here: the file
//! (`src/cli/tournament/journal_file.rs`). Start with [`Journal::parse`].

use crate::match_play::pairs::{GameResult, PairResult};
use crate::tournament::dialogue::ToldEvaluation;
use crate::tournament::fault::FaultReason;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// A game lost by a fault counts as lost by so many points, or by as many as the loser was behind, if these are more.
pub const FORFEIT_POINTS: i32 = 50;

/// Which tournament it is: everything that its results follow from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalHeader {
    /// The program's version.
    pub tilewright: String,
    /// The lexicon of the arbiter, with its fingerprint.
    pub lexicon: String,
    /// Letters, board and bonus, with their fingerprint.
    pub rules: String,
    /// What each engine is: the name that a program tells, or the tables of a player.
    pub identities: Vec<String>,
    /// The tournament's file, without what may change from run to run.
    pub configuration: Value,
}

/// A pair of games, with all that happened in them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairRecord {
    /// Its number in the tournament, from 0.
    pub pair: u64,
    /// The number of its round, from 0: the index of its bag.
    pub round: u64,
    /// The engines by their number, from 0. The first one is player a, who begins the first game.
    pub engines: [usize; 2],
    /// A hash of the header.
    pub configuration: String,
    /// The tiles in the order of the bag, from the end of the player who begins.
    pub bag: String,
    /// Whether the games are not mirror images.
    pub divergent: bool,
    /// The game that a began, then the one that b began.
    pub games: [GameRecord; 2],
}

/// A game of a pair. Player a comes first in all that is told by player, also in the game that b began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// How it went.
    #[serde(flatten)]
    pub result: GameResult,
    /// The turns, in order.
    pub plays: Vec<TurnRecord>,
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
    /// What the engine said that it is worth.
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

/// What a journal holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Journal {
    /// The first line.
    pub header: JournalHeader,
    /// The pairs, from 0.
    pub pairs: Vec<PairRecord>,
    /// The number of bytes in whole lines. What follows them was cut off.
    pub whole_bytes: usize,
}

/// What is wrong with a journal.
#[derive(Debug, Error)]
pub enum JournalError {
    /// A line that is not what it should be.
    #[error("line {line}: expected {expected}: {error}")]
    BadLine {
        /// 1-based.
        line: usize,
        /// What the line should be.
        expected: &'static str,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// A pair out of order.
    #[error("line {line}: pair {found}, expected pair {expected}")]
    WrongPair {
        /// 1-based.
        line: usize,
        /// Its pair.
        found: u64,
        /// The one that comes next.
        expected: u64,
    },
    /// A pair of another tournament.
    #[error("line {line}: a pair of the tournament {found}, expected {expected}")]
    OtherTournament {
        /// 1-based.
        line: usize,
        /// The hash that stands there.
        found: String,
        /// That of the header.
        expected: String,
    },
}

impl JournalHeader {
    /// A hash of the header: FNV-1a over its text.
    pub fn hash(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        format!("{hash:016x}")
    }

    /// The first thing in which another tournament differs from this one, if there is one: its key, and both values.
    pub fn difference(&self, here: &JournalHeader) -> Option<String> {
        let value = |header: &JournalHeader| serde_json::to_value(header).unwrap_or_default();
        difference("", Some(&value(self)), Some(&value(here)))
    }
}

/// The first difference of two values, with the key that leads to it.
fn difference(key: &str, there: Option<&Value>, here: Option<&Value>) -> Option<String> {
    let below = |name: &str| if key.is_empty() { name.to_string() } else { format!("{key}.{name}") };
    match (there, here) {
        (Some(Value::Object(there)), Some(Value::Object(here))) => {
            let mut names: Vec<&String> = there.keys().chain(here.keys()).collect();
            names.sort();
            names.dedup();
            names.into_iter().find_map(|name| difference(&below(name), there.get(name), here.get(name)))
        }
        (Some(Value::Array(there)), Some(Value::Array(here))) => {
            (0..there.len().max(here.len())).find_map(|at| difference(&format!("{key}[{at}]"), there.get(at), here.get(at)))
        }
        (there, here) if there == here => None,
        (there, here) => {
            let told = |value: Option<&Value>| value.map_or("nothing".to_string(), Value::to_string);
            // What the user wrote stands in the file under its own name.
            let key = key.strip_prefix("configuration.").unwrap_or(key);
            Some(format!("{key}: {} in the journal, {} now", told(there), told(here)))
        }
    }
}

impl PairRecord {
    /// How the pair went, for statistics.
    pub fn result(&self) -> PairResult {
        PairResult { pair: self.round, divergent: self.divergent, games: [self.games[0].result, self.games[1].result] }
    }
}

impl Journal {
    /// Reads a journal, except for a last line that was cut off. `None` if there is no whole line.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn parse(text: &[u8]) -> Result<Option<Journal>, JournalError> {
        let mut lines = text.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
        let Some(first) = lines.next() else { return Ok(None) };
        let bad = |line, expected| move |error| JournalError::BadLine { line, expected, error };
        let header: JournalHeader = serde_json::from_slice(first).map_err(bad(1, "the header of a tournament"))?;
        let hash = header.hash();
        let mut journal = Journal { header, pairs: Vec::new(), whole_bytes: first.len() };
        for (line, text) in (2..).zip(lines) {
            let pair: PairRecord = serde_json::from_slice(text).map_err(bad(line, "a pair"))?;
            let expected = journal.pairs.len() as u64;
            if pair.pair != expected {
                return Err(JournalError::WrongPair { line, found: pair.pair, expected });
            }
            if pair.configuration != hash {
                return Err(JournalError::OtherTournament { line, found: pair.configuration, expected: hash });
            }
            journal.pairs.push(pair);
            journal.whole_bytes += text.len();
        }
        Ok(Some(journal))
    }
}

/// A line with its end.
///
/// # Errors
/// None that a header or a pair could cause.
pub fn journal_line(content: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(content).map(|text| text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn header() -> JournalHeader {
        JournalHeader {
            tilewright: "0.1.0".to_string(),
            lexicon: "ENABLE@1".to_string(),
            rules: "english@2".to_string(),
            identities: vec!["greedy".to_string(), "X 1.0".to_string()],
            configuration: json!({ "seed": 1, "engines": [{ "name": "a" }, { "name": "b", "args": ["x"] }] }),
        }
    }

    fn pair(pair: u64) -> PairRecord {
        let result = GameResult {
            scores: [300, 350],
            penalties: [0; 2],
            turns: [1, 0],
            bingos: [0; 2],
            time_us: [1, 2],
            overstepped: [false; 2],
            luck: None,
            counts: None,
        };
        let told = Some(ToldEvaluation { wp: Some(50.0), eq: None });
        let plays = vec![TurnRecord { play: "8D.DOG".to_string(), score: 10, time_us: 5, told }];
        let fault = Some(FaultRecord { player: 0, reason: FaultReason::Died, text: "exit status 1".to_string() });
        let game = GameRecord { result, plays, fault };
        let [first, second] = [game.clone(), GameRecord { fault: None, ..game }];
        let configuration = header().hash();
        PairRecord { pair, round: pair, engines: [0, 1], configuration, bag: "AB?".to_string(), divergent: true, games: [first, second] }
    }

    #[test]
    fn what_was_written_is_read_and_a_line_cut_off_is_dropped() {
        let text = [journal_line(&header()).unwrap(), journal_line(&pair(0)).unwrap(), journal_line(&pair(1)).unwrap()].concat();
        for cut in 0..=text.len() {
            let lines = text[..cut].matches('\n').count();
            let read = Journal::parse(&text.as_bytes()[..cut]).unwrap();
            assert_eq!(read.is_some(), lines > 0);
            if let Some(read) = read {
                assert_eq!((&read.header, read.pairs.len()), (&header(), lines - 1));
                assert!(read.pairs.iter().zip(0..).all(|(found, at)| *found == pair(at)));
                assert_eq!(read.whole_bytes, text[..cut].rfind('\n').unwrap() + 1);
            }
        }
    }

    #[test]
    fn errors_name_the_line() {
        let check = |lines: [String; 2], expected: &str| {
            let error = Journal::parse(lines.concat().as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        };
        let head = || journal_line(&header()).unwrap();
        check([journal_line(&pair(0)).unwrap(), String::new()], "line 1: expected the header of a tournament: missing field");
        check([head(), "{}\n".to_string()], "line 2: expected a pair: missing field");
        check([head(), journal_line(&pair(3)).unwrap()], "line 2: pair 3, expected pair 0");
        let other = PairRecord { configuration: "0".to_string(), ..pair(0) };
        check([head(), journal_line(&other).unwrap()], "line 2: a pair of the tournament 0, expected ");
    }

    #[test]
    fn another_tournament_is_told_by_its_key() {
        let check = |change: &dyn Fn(&mut JournalHeader), expected: Option<&str>| {
            let mut other = header();
            change(&mut other);
            assert_eq!(header().difference(&other).as_deref(), expected);
            assert_eq!(header().hash() == other.hash(), expected.is_none());
        };
        check(&|_| {}, None);
        check(&|other| other.configuration["seed"] = json!(2), Some("seed: 1 in the journal, 2 now"));
        check(
            &|other| other.configuration["engines"][1]["args"] = json!(["x", "y"]),
            Some("engines[1].args[1]: nothing in the journal, \"y\" now"),
        );
        check(&|other| other.configuration["time"] = json!(3), Some("time: nothing in the journal, 3 now"));
        check(&|other| other.identities[1] = "X 1.1".to_string(), Some("identities[1]: \"X 1.0\" in the journal, \"X 1.1\" now"));
    }
}
