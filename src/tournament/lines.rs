//! Reads the lines of a journal, and distinguishes runs.
//!
//! Not here: what they hold (`record.rs`), and the file (`src/host/journal_file.rs`). Start with [`TournamentHeader`].

use crate::match_play::journal::JournalHeader;
use crate::rules::fingerprint::Fingerprint;
use crate::tournament::record::{PairRecord, TournamentHeader};
use serde_json::Value;

impl JournalHeader for TournamentHeader {
    type Entry = PairRecord;

    const RUN: &'static str = "match or tournament";

    const ENTRY: &'static str = "pair";

    fn number(pair: &PairRecord) -> u64 {
        pair.pair
    }

    /// The key of the first difference, and both values. Words and rules come first,
    /// since a difference in them causes others.
    fn difference(&self, here: &TournamentHeader) -> Option<String> {
        let value = |header: &TournamentHeader| serde_json::to_value(without_machine(header)).unwrap_or_default();
        let (there, here) = (value(self), value(here));
        let first = ["lexicon", "rules"].iter().find_map(|key| difference(key, there.get(key), here.get(key)));
        first.or_else(|| difference("", Some(&there), Some(&here)))
    }

    /// Over the header's text; the machine is left out.
    fn hash(&self) -> String {
        let mut hash = Fingerprint::default();
        hash.add(serde_json::to_string(&without_machine(self)).unwrap_or_default().bytes());
        format!("{:016x}", hash.value())
    }

    fn hash_of(pair: &PairRecord) -> &str {
        &pair.configuration
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
            // The user's own text is in the file under its own name.
            let key = key.strip_prefix("configuration.").unwrap_or(key);
            Some(format!("{key}: {} in the journal, {} now", told(there), told(here)))
        }
    }
}

/// The machine's speed does not identify the run.
fn without_machine(header: &TournamentHeader) -> TournamentHeader {
    TournamentHeader { machine: None, ..header.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_play::journal::{Journal, journal_line};
    use crate::match_play::pairs::GameResult;
    use crate::tournament::dialogue::ToldEvaluation;
    use crate::tournament::fault::FaultReason;
    use crate::tournament::record::{FaultRecord, GameRecord, MachineSpeed, TurnRecord};
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
        let configuration = header().hash();
        PairRecord {
            pair,
            deal: pair,
            engines: [0, 1],
            configuration,
            start: None,
            bag: "AB?".to_string(),
            divergent: true,
            games: [first, second],
        }
    }

    #[test]
    fn what_was_written_is_read_and_a_line_cut_off_is_dropped() {
        let (header, pairs) = (header(), [pair(0), pair(1)]);
        let text = [journal_line(&header).unwrap(), journal_line(&pairs[0]).unwrap(), journal_line(&pairs[1]).unwrap()].concat();
        for cut in 0..=text.len() {
            let lines = text[..cut].matches('\n').count();
            let read = Journal::<TournamentHeader>::parse(&text.as_bytes()[..cut]).unwrap();
            assert_eq!(read.is_some(), lines > 0);
            if let Some(read) = read {
                assert_eq!((&read.header, &read.entries[..]), (&header, &pairs[..lines - 1]));
                assert_eq!(read.whole_bytes, text[..cut].rfind('\n').unwrap() + 1);
            }
        }
    }

    #[test]
    fn errors_name_the_line() {
        let head = journal_line(&header()).unwrap();
        let refused = |first: &str, second: &str, expected: &str| {
            let error = Journal::<TournamentHeader>::parse([first, second].concat().as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        };
        let no_header = journal_line(&pair(0)).unwrap();
        let end = no_header.trim_end().len();
        let expected = format!("line 1, column {end}: expected the header of a journal (match or tournament): missing field `tilewright`");
        refused(&no_header, "", &expected);
        refused(&head, "{}\n", "line 2, column 2: expected a pair: missing field");
        refused(&head, &journal_line(&pair(3)).unwrap(), "line 2: pair 3, expected pair 0");
        let other = PairRecord { configuration: "0".to_string(), ..pair(0) };
        refused(&head, &journal_line(&other).unwrap(), "line 2: a pair of the run 0, expected ");
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
