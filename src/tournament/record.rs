//! The journal of a tournament or match: its identity, and the events of each pair.
//!
//! A match is a tournament of two players of this program. Tables, records of games and the statistics of tests are all derived from
//! the journal.
//!
//! Not here: the lines of a journal (`match_play/journal.rs`) and its file (`src/host/journal_file.rs`). Start with [`PairRecord`].

use crate::match_play::journal::JournalHeader;
use crate::match_play::pairs::{GameResult, PairResult};
use crate::tournament::dialogue::ToldEvaluation;
use crate::tournament::fault::FaultReason;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A game lost by a fault counts as lost by at least this many points. If the loser was further
/// behind, the actual deficit counts.
pub const FORFEIT_POINTS: i32 = 50;

/// The identity of a tournament: everything that determines its results.
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
    /// The speed of the machine, which does not affect the results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<MachineSpeed>,
    /// The identity of each engine: the name that a program reports, or a player with its tables.
    pub identities: Vec<String>,
    /// The tournament's file, without the keys that may change between runs.
    pub configuration: Value,
}

/// The speed of the static player alone and on several threads, in turns a second. It shows how engines that play at the same time slow
/// each other down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MachineSpeed {
    /// Turns a second on one thread alone.
    pub alone: f64,
    /// How many pairs are played at once.
    pub at_once: usize,
    /// Turns a second on each thread, when this many pairs are played at once.
    pub together: f64,
}

/// A pair of games with all their events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairRecord {
    /// Its number in the tournament, from 0, which is the number of the journal's piece.
    #[serde(skip)]
    pub pair: u64,
    /// The number of its bag, from 0. All meetings of a round have the same bag.
    pub deal: u64,
    /// The engines by their number, from 0. The first one is player a, who begins the first game.
    pub engines: [usize; 2],
    /// The position that both games began from as a CGP, if they began in the middle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The tiles of the bag in order, from the end at which the player who begins draws.
    pub bag: String,
    /// Whether the games are not mirror images.
    pub divergent: bool,
    /// The game that a began, then the one that b began.
    pub games: [GameRecord; 2],
}

/// A game of a pair. In all fields, player a comes first, even in the game that b began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The scores and counts.
    #[serde(flatten)]
    pub result: GameResult,
    /// The turns, in order.
    pub plays: Vec<TurnRecord>,
    /// Processor time of each engine during the opponent's turns, microseconds, as far as it can be measured.
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
    /// The player that lost by it. Player a is 0.
    pub player: usize,
    /// Its code.
    pub reason: FaultReason,
    /// What happened.
    pub text: String,
}

/// Returns a name with the fingerprint of its contents.
pub fn fingerprinted(name: &str, fingerprint: u64) -> String {
    format!("{name}@{fingerprint:016x}")
}

/// Returns the identity of a player of this program for a header: its description, and its tables with their fingerprints.
pub fn player_identity(player: &str, leaves: &str, winpct: &str) -> String {
    format!("{player}, leaves {leaves}, winpct {winpct}")
}

impl PairRecord {
    /// Returns the pair's result for statistics.
    pub fn result(&self) -> PairResult {
        PairResult { pair: self.deal, divergent: self.divergent, games: [self.games[0].result, self.games[1].result] }
    }
}

impl JournalHeader for TournamentHeader {
    type Entry = PairRecord;

    const KIND: &'static str = "pairs";

    const RUN: &'static str = "match or tournament";

    const ENTRY: &'static str = "pair";

    /// A difference in words or rules causes others, so it is reported first.
    const TOLD_FIRST: &'static [(&'static str, &'static str)] = &[("lexicon", "lexicon"), ("rules", "rules")];

    fn set_number(pair: &mut PairRecord, number: u64) {
        pair.pair = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_play::journal::{Journal, JournalHead};
    use crate::match_play::pairs::GameResult;
    use crate::tournament::dialogue::ToldEvaluation;
    use crate::tournament::fault::FaultReason;
    use serde_json::json;

    fn header() -> TournamentHeader {
        TournamentHeader {
            tilewright: "0.1.0".to_string(),
            lexicon: "ENABLE@1".to_string(),
            rules: "english@2".to_string(),
            starts: None,
            machine: None,
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
        let game = GameRecord { result, plays, idle_us: [0; 2], fault };
        let [first, second] = [game.clone(), GameRecord { fault: None, ..game }];
        PairRecord { pair, deal: pair, engines: [0, 1], start: None, bag: "AB?".to_string(), divergent: true, games: [first, second] }
    }

    #[test]
    fn what_was_written_is_read_and_a_line_cut_off_is_dropped() {
        let (head, pairs) = (JournalHead::new(header(), 2), [pair(0), pair(1)]);
        let line = |number: usize| head.piece_line(number as u64, &pairs[number]).unwrap();
        let text = [head.line().unwrap(), line(0), line(1)].concat();
        for cut in 0..=text.len() {
            let lines = text[..cut].matches('\n').count();
            let read = Journal::<TournamentHeader>::parse(&text.as_bytes()[..cut]).unwrap();
            assert_eq!(read.is_some(), lines > 0);
            if let Some(read) = read {
                let entries: Vec<_> = read.entries.into_iter().map(|(number, pair)| (number, pair.pair, pair)).collect();
                let expected: Vec<_> = (0..lines as u64 - 1).zip(&pairs).map(|(number, pair)| (number, number, pair.clone())).collect();
                assert_eq!((&read.head, entries), (&head, expected));
                assert_eq!(read.whole_bytes, text[..cut].rfind('\n').unwrap() + 1);
            }
        }
    }

    #[test]
    fn errors_name_the_line() {
        let head = JournalHead::new(header(), 2);
        let refused = |lines: &[&str], expected: &str| {
            let error = Journal::<TournamentHeader>::parse(lines.concat().as_bytes()).unwrap_err();
            assert!(error.to_string().starts_with(expected), "{error}");
            assert_eq!(error.line(), lines.len());
        };
        let (first, second, line) = (head.line().unwrap(), head.piece_line(0, &pair(0)).unwrap(), head.piece_line(1, &pair(1)).unwrap());
        let end = second.trim_end().len();
        refused(
            &[&second],
            &format!("line 1, column {end}: expected the header of a journal (match or tournament): missing field `journal`"),
        );
        refused(&[&first, "{}\n"], "line 2 is damaged: its checksum is missing, expected ");
        refused(&[&first, &second, &second], "line 3: an earlier line already has pair 0");
        // Any changed byte of a line is detected.
        for at in 0..end {
            let mut bytes = line.clone().into_bytes();
            bytes[at] ^= 1;
            let Ok(damaged) = String::from_utf8(bytes) else { continue };
            let told = if damaged.ends_with("\"}\n") && damaged.contains(",\"crc32\":\"") {
                "line 3 is damaged: its checksum is "
            } else {
                "line 3"
            };
            refused(&[&first, &second, &damaged], told);
        }
        let other = TournamentHeader { lexicon: "ENABLE@2".to_string(), ..header() };
        let other = JournalHead::new(other, 2);
        refused(&[&first, &other.piece_line(0, &pair(0)).unwrap()], "line 2: this pair belongs to the run ");
        let corpus = first.replacen("\"pairs\"", "\"corpus\"", 1);
        refused(&[&corpus], "line 1 is damaged");
    }

    #[test]
    fn another_tournament_is_told_by_its_key() {
        let check = |change: &dyn Fn(&mut TournamentHeader), expected: Option<&str>| {
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
        check(&|other| other.machine = Some(MachineSpeed { alone: 1.0, at_once: 2, together: 0.5 }), None);
        check(&|other| other.identities[1] = "X 1.1".to_string(), Some("identities[1]: \"X 1.0\" in the journal, \"X 1.1\" now"));
    }
}
