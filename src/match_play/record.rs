//! What the journal of a match holds: which match it is, and the result of each pair.
//!
//! Not here: the lines of a journal (`match_play/journal.rs`). Start with [`MatchHeader`].

use crate::match_play::journal::JournalHeader;
use crate::match_play::pairs::PairResult;
use serde::{Deserialize, Serialize};

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

impl JournalHeader for MatchHeader {
    type Pair = PairResult;

    const RUN: &'static str = "match";

    fn number(pair: &PairResult) -> u64 {
        pair.pair
    }

    fn difference(&self, here: &MatchHeader) -> Option<String> {
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
        Some(format!("{what}: {there} in the journal, {here} now"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_play::journal::{checks, journal_line};
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
        checks::what_was_written_is_read(&header(), &[pair(0), pair(1)]);
    }

    #[test]
    fn errors_name_the_line() {
        let head = journal_line(&header()).unwrap();
        let refused = |first: &str, second: &str, expected: &str| checks::refused::<MatchHeader>([first, second], expected);
        refused(&journal_line(&pair(0)).unwrap(), "", "line 1: expected the header of a match: missing field");
        refused(&head, "{\n", "line 2: expected a pair: EOF");
        refused(&head, &journal_line(&pair(3)).unwrap(), "line 2: pair 3, expected pair 0");
    }

    #[test]
    fn another_match_is_told_apart() {
        assert_eq!(header().difference(&header()), None);
        let mut other = header();
        other.seed = 8;
        assert_eq!(header().difference(&other).unwrap(), "the seed: 7 in the journal, 8 now");
        other.seed = 7;
        other.rules = Some("bonus 35@3".to_string());
        assert_eq!(header().difference(&other).unwrap(), "the rules: the usual ones in the journal, bonus 35@3 now");
        other.rules = None;
        other.clock_ms = Some(2_000);
        assert_eq!(header().difference(&other).unwrap(), "the clock: none in the journal, 2000 ms now");
        other.clock_ms = None;
        other.overtime_points = 10;
        let difference = other.difference(&header()).unwrap();
        assert_eq!(difference, "the price of overtime (--overtime): 10 points a minute in the journal, 0 points a minute now");
        other.overtime_points = 0;
        other.counts_turns = true;
        let difference = other.difference(&header()).unwrap();
        assert_eq!(difference, "exchanges and sacrifices (--count-turns): counted in the journal, not counted now");
        other.counts_turns = false;
        other.overtime_points = 10;
        other.tables[1].leaves = "mine@5".to_string();
        assert_eq!(header().difference(&other).unwrap(), "the leave values of b: none@0 in the journal, mine@5 now");
    }
}
