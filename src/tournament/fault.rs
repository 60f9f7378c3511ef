//! The faults of an engine in a game, each with its reason code. A fault loses the game.
//!
//! Not here: who finds it. Moves are judged in `arbiter.rs`, times in `match_play/time_control.rs`, processes by the runner.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The code of a fault, as the journal and the report have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultReason {
    /// The engine cannot be started, or its handshake, options or words are not what they must be.
    Start,
    /// The engine refuses a position or a `go`.
    Refused,
    /// The process ended in the middle of a game.
    Died,
    /// The process lives and has closed its output.
    Closed,
    /// Nothing was answered, not even when the engine was told to stop.
    Silent,
    /// The answer came after the time was over.
    Late,
    /// The answer is no move, or one against the rules.
    Illegal,
    /// The move uses tiles that the engine does not have.
    Tiles,
    /// The move makes a word that is not in the lexicon.
    Word,
    /// More output than an engine may print in a turn.
    Flood,
    /// A `bestmove` that nobody asked for.
    Twice,
    /// More memory than the engine may have.
    Memory,
    /// A program that is started for each turn has ended, and processes that it started have not.
    Children,
}

impl FaultReason {
    /// All of them, in the order of reports.
    #[cfg(test)]
    const ALL: [FaultReason; 13] = [
        FaultReason::Start,
        FaultReason::Refused,
        FaultReason::Died,
        FaultReason::Closed,
        FaultReason::Silent,
        FaultReason::Late,
        FaultReason::Illegal,
        FaultReason::Tiles,
        FaultReason::Word,
        FaultReason::Flood,
        FaultReason::Twice,
        FaultReason::Memory,
        FaultReason::Children,
    ];

    /// The code.
    pub fn code(self) -> &'static str {
        self.texts().0
    }

    /// What the code means, for the report.
    pub fn meaning(self) -> &'static str {
        self.texts().1
    }

    fn texts(self) -> (&'static str, &'static str) {
        match self {
            FaultReason::Start => ("start", "could not be started"),
            FaultReason::Refused => ("refused", "refused a position or a search"),
            FaultReason::Died => ("died", "ended in the middle of a game"),
            FaultReason::Closed => ("closed", "closed its output"),
            FaultReason::Silent => ("silent", "gave no answer"),
            FaultReason::Late => ("late", "answered after the time was over"),
            FaultReason::Illegal => ("illegal", "made a move against the rules"),
            FaultReason::Tiles => ("tiles", "used tiles that it did not have"),
            FaultReason::Word => ("word", "made a word that is not in the lexicon"),
            FaultReason::Flood => ("flood", "printed too much"),
            FaultReason::Twice => ("twice", "answered twice"),
            FaultReason::Memory => ("memory", "took more memory than it may"),
            FaultReason::Children => ("children", "left processes behind"),
        }
    }
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its code.
    pub reason: FaultReason,
    /// What happened, with the text that shows it. No times: the same fault has the same text in every run.
    pub text: String,
}

impl Fault {
    /// A fault with what shows it.
    pub fn new(reason: FaultReason, text: impl Into<String>) -> Fault {
        Fault { reason, text: text.into() }
    }
}

/// `word: QIZX is not in ENABLE`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason.code(), self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_journal_has_the_codes() {
        for reason in FaultReason::ALL {
            let text = serde_json::to_string(&reason).unwrap();
            assert_eq!(text, format!("{:?}", reason.code()));
            assert_eq!(serde_json::from_str::<FaultReason>(&text).unwrap(), reason);
        }
    }
}
