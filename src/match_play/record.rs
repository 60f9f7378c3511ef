//! A match as JSON lines: a header that says which match it is, then one line a pair. A line is written when its pair is over,
//! so that a match can be interrupted at any moment and go on later.

use crate::match_play::pairs::PairResult;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Which match it is: everything that its results follow from, except the program itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchHeader {
    /// The program's version.
    pub tilewright: String,
    /// Players a and b.
    pub players: [String; 2],
    /// The tables of each.
    pub tables: [TableNames; 2],
    /// The lexicon with its fingerprint.
    pub lexicon: String,
    /// Letters, board and bonus with their fingerprint, if they are not the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The seed of all bags.
    pub seed: u64,
    /// Wall time of each player for a game, ms, if there are clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// Points that each minute begun beyond the clock costs; 0 also in files from before there were penalties.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub overtime_points: u32,
    /// How the luck of the draws is judged, if it is; not in files from before it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<LuckJudgement>,
    /// Whether exchanges and sacrifices are counted; not in files from before they could be.
    #[serde(default, skip_serializing_if = "is_no")]
    pub counts_turns: bool,
}

/// How the luck of the draws is judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LuckJudgement {
    /// Draws that stand for all, where these are more.
    pub redraws: u32,
    /// By which tables.
    pub tables: TableNames,
}

fn is_no(answer: &bool) -> bool {
    !answer
}

fn is_zero(points: &u32) -> bool {
    *points == 0
}

/// A player's tables, with their fingerprints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableNames {
    /// Leave values.
    pub leaves: String,
    /// Win % model.
    pub winpct: String,
}

/// What a file of a match holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRecord {
    /// The first line.
    pub header: MatchHeader,
    /// The pairs, from 0.
    pub pairs: Vec<PairResult>,
    /// The number of bytes in whole lines. What follows them was cut off.
    pub whole_bytes: usize,
}

/// What is wrong with a file.
#[derive(Debug, Error)]
pub enum RecordError {
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
}

impl MatchHeader {
    /// The first thing in which another match differs from this one, if there is one, as a sentence.
    pub fn difference(&self, here: &MatchHeader) -> Option<String> {
        let player = |at: usize, name: &str| {
            let facts =
                |header: &MatchHeader| [header.players[at].clone(), header.tables[at].leaves.clone(), header.tables[at].winpct.clone()];
            let names = [format!("player {name}"), format!("the leave values of {name}"), format!("the win % table of {name}")];
            names.into_iter().zip(facts(self).into_iter().zip(facts(here))).collect::<Vec<_>>()
        };
        let mut facts = player(0, "a");
        facts.extend(player(1, "b"));
        facts.push(("the lexicon".to_string(), (self.lexicon.clone(), here.lexicon.clone())));
        let rules = |header: &MatchHeader| header.rules.clone().unwrap_or_else(|| "the usual ones".to_string());
        facts.push(("the rules".to_string(), (rules(self), rules(here))));
        facts.push(("the seed".to_string(), (self.seed.to_string(), here.seed.to_string())));
        let clock = |header: &MatchHeader| header.clock_ms.map_or("none".to_string(), |ms| format!("{ms} ms"));
        facts.push(("the clock".to_string(), (clock(self), clock(here))));
        let overtime = |header: &MatchHeader| format!("{} points a minute", header.overtime_points);
        facts.push(("the price of overtime (--overtime)".to_string(), (overtime(self), overtime(here))));
        let luck = |header: &MatchHeader| match &header.luck {
            Some(LuckJudgement { redraws, tables }) => format!("by {redraws} draws, {} and {}", tables.leaves, tables.winpct),
            None => "not at all".to_string(),
        };
        facts.push(("how luck is judged (--redraws)".to_string(), (luck(self), luck(here))));
        let counted = |header: &MatchHeader| (if header.counts_turns { "counted" } else { "not counted" }).to_string();
        facts.push(("exchanges and sacrifices (--count-turns)".to_string(), (counted(self), counted(here))));
        facts.push(("the program's version".to_string(), (self.tilewright.clone(), here.tilewright.clone())));
        let (what, (there, here)) = facts.into_iter().find(|(_, (there, here))| there != here)?;
        Some(format!("{what}: {there} in the file, {here} now"))
    }
}

/// Reads a file, except for a last line that was cut off. `None` if there is no whole line.
///
/// # Errors
/// The first line that is wrong.
pub fn parse(text: &[u8]) -> Result<Option<MatchRecord>, RecordError> {
    let mut lines = text.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
    let Some(first) = lines.next() else { return Ok(None) };
    let bad = |line, expected| move |error| RecordError::BadLine { line, expected, error };
    let header = serde_json::from_slice(first).map_err(bad(1, "the header of a match"))?;
    let mut record = MatchRecord { header, pairs: Vec::new(), whole_bytes: first.len() };
    for (line, text) in (2..).zip(lines) {
        let pair: PairResult = serde_json::from_slice(text).map_err(bad(line, "a pair"))?;
        let expected = record.pairs.len() as u64;
        if pair.pair != expected {
            return Err(RecordError::WrongPair { line, found: pair.pair, expected });
        }
        record.pairs.push(pair);
        record.whole_bytes += text.len();
    }
    Ok(Some(record))
}

/// A line with its end.
///
/// # Errors
/// None that a header or a pair could cause.
pub fn line(content: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(content).map(|text| text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_play::pairs::GameResult;

    fn header() -> MatchHeader {
        let tables = || TableNames { leaves: "none@0".to_string(), winpct: "logistic@0".to_string() };
        MatchHeader {
            tilewright: "0.1.0".to_string(),
            players: ["greedy".to_string(), "static".to_string()],
            tables: [tables(), tables()],
            lexicon: "ENABLE@1".to_string(),
            rules: None,
            seed: 7,
            clock_ms: None,
            overtime_points: 0,
            luck: None,
            counts_turns: false,
        }
    }

    fn pair(pair: u64) -> PairResult {
        let game = GameResult {
            scores: [401, -3],
            penalties: [0, 20],
            turns: [12, 11],
            bingos: [2, 0],
            time_us: [7, u64::MAX],
            overstepped: [false, true],
            luck: None,
            counts: None,
        };
        PairResult { pair, divergent: true, games: [game; 2] }
    }

    #[test]
    fn what_was_written_is_read_and_a_line_cut_off_is_dropped() {
        let text = [line(&header()).unwrap(), line(&pair(0)).unwrap(), line(&pair(1)).unwrap()].concat();
        for cut in 0..=text.len() {
            let lines = text[..cut].matches('\n').count();
            let read = parse(&text.as_bytes()[..cut]).unwrap();
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
            let error = parse(lines.concat().as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        };
        check([line(&pair(0)).unwrap(), String::new()], "line 1: expected the header of a match: missing field");
        check([line(&header()).unwrap(), "{\n".to_string()], "line 2: expected a pair: EOF");
        check([line(&header()).unwrap(), line(&pair(3)).unwrap()], "line 2: pair 3, expected pair 0");
    }

    #[test]
    fn another_match_is_told_apart() {
        assert_eq!(header().difference(&header()), None);
        let mut other = header();
        other.seed = 8;
        assert_eq!(header().difference(&other).unwrap(), "the seed: 7 in the file, 8 now");
        other.seed = 7;
        other.rules = Some("bonus 35@3".to_string());
        assert_eq!(header().difference(&other).unwrap(), "the rules: the usual ones in the file, bonus 35@3 now");
        other.rules = None;
        other.clock_ms = Some(2_000);
        assert_eq!(header().difference(&other).unwrap(), "the clock: none in the file, 2000 ms now");
        other.clock_ms = None;
        other.overtime_points = 10;
        let difference = other.difference(&header()).unwrap();
        assert_eq!(difference, "the price of overtime (--overtime): 10 points a minute in the file, 0 points a minute now");
        other.overtime_points = 0;
        other.counts_turns = true;
        let difference = other.difference(&header()).unwrap();
        assert_eq!(difference, "exchanges and sacrifices (--count-turns): counted in the file, not counted now");
        other.counts_turns = false;
        other.overtime_points = 10;
        other.tables[1].leaves = "mine@5".to_string();
        assert_eq!(header().difference(&other).unwrap(), "the leave values of b: none@0 in the file, mine@5 now");
    }
}
