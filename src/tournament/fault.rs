//! The faults of an engine in a game, each with its reason code. A fault loses the game.
//!
//! Not here: finding them. `arbiter.rs` judges moves, `match_play/time_control.rs` judges times, and the runner watches the processes.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The code of a fault, as in the journal and the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultReason {
    /// The engine cannot be started, or its handshake, options or words are wrong.
    Start,
    /// The engine refuses a position or a `go`.
    Refused,
    /// The process ended in the middle of a game.
    Died,
    /// The process closed its output but lives on.
    Closed,
    /// The engine did not answer, not even to `stop`.
    Silent,
    /// The answer came after the time was over.
    Late,
    /// The answer is not a move, or is a move against the rules.
    Illegal,
    /// The move uses tiles that the engine does not have.
    Tiles,
    /// The move makes a word that is not in the lexicon.
    Word,
    /// More output than an engine may print in a turn.
    Flood,
    /// A `bestmove` without a `go`.
    Twice,
    /// More memory than the engine may have.
    Memory,
    /// A program that is started for each turn has ended, but processes that it started are still running.
    Children,
}

impl FaultReason {
    /// All reasons, in the order of reports.
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

    /// Returns the code.
    pub fn code(self) -> &'static str {
        self.texts().0
    }

    /// Describes the fault, for the report.
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
            FaultReason::Memory => ("memory", "used more memory than it may"),
            FaultReason::Children => ("children", "left processes behind"),
        }
    }
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its code.
    pub reason: FaultReason,
    /// The event, with the text that shows it. It has no times, so that the same fault has the same text in every run.
    pub text: String,
}

impl Fault {
    /// Returns a fault with its evidence.
    pub fn new(reason: FaultReason, text: impl Into<String>) -> Fault {
        Fault { reason, text: text.into() }
    }
}

/// Writes code and text: `word: QIZX is not in ENABLE`.
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
