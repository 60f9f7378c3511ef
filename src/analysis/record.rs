//! The journal of an analysis: the identity of the analysis, and each judged turn.
//! Therefore nothing judged is lost.
//!
//! Not here: the lines of a journal (`match_play/journal.rs`) and its file. Start with [`AnalysisHeader`].

use crate::analysis::report::TurnReport;
use crate::match_play::journal::JournalHeader;
use serde::{Deserialize, Serialize};

/// Which analysis it is: everything that its results follow from, except threads and the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisHeader {
    /// The program's version.
    pub tilewright: String,
    /// The words of each alphabet that occurs, with the tables: their names and fingerprints.
    pub tables: Vec<String>,
    /// What each turn or all of them are given, in words.
    pub budget: String,
    /// The model of the opponent.
    pub opponent: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The games, in order: name and fingerprint.
    pub games: Vec<String>,
}

/// A turn that was judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedTurn {
    /// The number of the line, from 0.
    pub number: u64,
    /// The game's place among the games, from 0.
    pub game: usize,
    /// The turn's place in the game, from 0.
    pub turn: usize,
    /// What was found.
    pub report: TurnReport,
}

impl JournalHeader for AnalysisHeader {
    type Entry = JudgedTurn;

    const RUN: &'static str = "analysis";

    const ENTRY: &'static str = "turn";

    fn number(turn: &JudgedTurn) -> u64 {
        turn.number
    }

    fn difference(&self, here: &AnalysisHeader) -> Option<String> {
        let facts = |header: &AnalysisHeader| {
            [
                ("the budget (--movetime, --iterations, --time)", header.budget.clone()),
                ("the model of the opponent (--opponent)", header.opponent.clone()),
                ("the seed (--seed)", header.seed.to_string()),
                ("words, tables and rules (--lexicon, --letters, --layout, --bonus)", header.tables.join("; ")),
                ("the number of games", header.games.len().to_string()),
            ]
        };
        let games = || self.games.iter().zip(&here.games).map(|(there, here)| ("a game", there.clone(), here.clone()));
        let version = ("the program's version", self.tilewright.clone(), here.tilewright.clone());
        let facts = facts(self).into_iter().zip(facts(here)).map(|((what, there), (_, here))| (what, there, here));
        let (what, there, here) = facts.chain(games()).chain([version]).find(|(_, there, here)| there != here)?;
        Some(format!("{what}: {there} in the journal, {here} now"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tests::{GAME, report_of};
    use crate::match_play::journal::{Journal, journal_line};

    fn header() -> AnalysisHeader {
        AnalysisHeader {
            tilewright: "1".to_string(),
            tables: vec!["ENABLE".to_string()],
            budget: "1000 ms a turn".to_string(),
            opponent: "uniform".to_string(),
            seed: 1,
            games: vec!["a.gcg 1".to_string(), "b.gcg 2".to_string()],
        }
    }

    #[test]
    fn what_was_written_is_read() {
        let (report, _) = report_of(GAME);
        let turn = |number: usize| JudgedTurn { number: number as u64, game: 1, turn: number, report: report.turns[number].clone() };
        let turns = [turn(0), turn(1)];
        let lines = [journal_line(&header()), journal_line(&turns[0]), journal_line(&turns[1])].map(Result::unwrap);
        let read = Journal::<AnalysisHeader>::parse(lines.concat().as_bytes()).unwrap().unwrap();
        assert_eq!((read.header, &read.entries[..]), (header(), &turns[..]));
    }

    #[test]
    fn the_first_difference_is_named_with_its_flag() {
        let check = |change: &dyn Fn(&mut AnalysisHeader), expected: &str| {
            let mut here = header();
            change(&mut here);
            assert_eq!(header().difference(&here).unwrap(), expected);
        };
        assert_eq!(header().difference(&header()), None);
        check(&|here| here.seed = 2, "the seed (--seed): 1 in the journal, 2 now");
        check(
            &|here| here.budget = "60 s in all".to_string(),
            "the budget (--movetime, --iterations, --time): 1000 ms a turn in the journal, 60 s in all now",
        );
        check(&|here| here.opponent = "static".to_string(), "the model of the opponent (--opponent): uniform in the journal, static now");
        check(&|here| here.games[1] = "b.gcg 3".to_string(), "a game: b.gcg 2 in the journal, b.gcg 3 now");
        check(&|here| drop(here.games.pop()), "the number of games: 2 in the journal, 1 now");
    }
}
