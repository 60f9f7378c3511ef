//! The journal of an analysis: the identity of the analysis, and each judged turn.
//! No judged turn is lost if the analysis is interrupted.
//!
//! Not here: the lines of a journal (`match_play/journal.rs`) and its file. Start with [`AnalysisHeader`].

use crate::analysis::report::TurnReport;
use crate::match_play::journal::JournalHeader;
use serde::{Deserialize, Serialize};

/// The identity of an analysis: everything that determines its results, except threads and the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisHeader {
    /// The program's version.
    pub tilewright: String,
    /// The names and fingerprints of the words and tables, for each alphabet that occurs.
    pub tables: Vec<String>,
    /// The budget of each turn, or of all turns together, in words.
    pub budget: String,
    /// The model of the opponent.
    pub opponent: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The games, in order: name and fingerprint.
    pub games: Vec<String>,
}

/// A turn that was judged, or found to need no judgement. Its number counts the turns of all games, in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedTurn {
    /// The game's place among the games, from 0.
    pub game: usize,
    /// The turn's place in the game, from 0.
    pub turn: usize,
    /// What was found.
    pub report: TurnReport,
}

impl JournalHeader for AnalysisHeader {
    type Entry = JudgedTurn;

    const KIND: &'static str = "analysis";

    const RUN: &'static str = "analysis";

    const ENTRY: &'static str = "turn";

    const TOLD_FIRST: &'static [(&'static str, &'static str)] = &[
        ("budget", "the budget (--movetime, --iterations, --time)"),
        ("opponent", "the model of the opponent (--opponent)"),
        ("seed", "the seed (--seed)"),
        ("tables", "words, tables and rules (--lexicon, --letters, --layout, --bonus)"),
        ("games", "games"),
        ("tilewright", "the program's version"),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tests::{GAME, report_of};
    use crate::match_play::journal::{Journal, JournalHead};

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
        let turn = |number: usize| JudgedTurn { game: 1, turn: number, report: report.turns[number].clone() };
        let turns = [turn(0), turn(1)];
        let head = JournalHead::new(header(), 2);
        let lines = [head.line(), head.piece_line(0, &turns[0]), head.piece_line(1, &turns[1])].map(Result::unwrap);
        let read = Journal::<AnalysisHeader>::parse(lines.concat().as_bytes()).unwrap().unwrap();
        let [first, second] = turns;
        assert_eq!((read.head, read.entries), (head, vec![(0, first), (1, second)]));
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
            "the budget (--movetime, --iterations, --time): \"1000 ms a turn\" in the journal, \"60 s in all\" now",
        );
        check(
            &|here| here.opponent = "static".to_string(),
            "the model of the opponent (--opponent): \"uniform\" in the journal, \"static\" now",
        );
        check(&|here| here.games[1] = "b.gcg 3".to_string(), "games[1]: \"b.gcg 2\" in the journal, \"b.gcg 3\" now");
        check(&|here| drop(here.games.pop()), "games[1]: \"b.gcg 2\" in the journal, nothing now");
    }
}
