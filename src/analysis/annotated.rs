//! The game's record with a note after each turn: the best play, and the loss of the play made.
//! Any GCG viewer shows it.

use crate::analysis::report::{Certainty, GameReport, LossMeasure, TurnReport};
use crate::analysis::text::lost_text;
use crate::formats::gcg::{Gcg, GcgAction, Pragma, ReadGame};

/// The record with its notes. Notes that it already has stay in front of them.
pub fn annotated(mended: &ReadGame, report: &GameReport) -> Gcg {
    let mut game = mended.game.clone();
    for turn in &report.turns {
        // A withdrawal belongs to its play.
        let next = game.events.get(turn.event + 1);
        let is_withdrawn = next.is_some_and(|event| event.action == GcgAction::Withdrawn);
        let after_events = turn.event + if is_withdrawn { 2 } else { 1 };
        if let Some(value) = note(turn) {
            game.pragmas.push(Pragma { key: "note".to_string(), value, after_events });
        }
    }
    game.pragmas.sort_by_key(|pragma| pragma.after_events);
    game
}

/// One line on a turn; `None` if there is nothing to say.
fn note(turn: &TurnReport) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    if let Some(verdict) = &turn.verdict {
        let percent = |win: f64| format!("{:.1} %", 100.0 * win);
        if verdict.best.play == verdict.played.play {
            parts.push(format!("best play, wins {}", percent(verdict.played.win)));
        } else {
            let best = format!("best {} {:+}, wins {}", verdict.best.play, verdict.best.score, percent(verdict.best.win));
            parts.push(format!("{best}; this wins {}", percent(verdict.played.win)));
            let reason = match verdict.loss.measure {
                LossMeasure::Win => "",
                LossMeasure::Points => ", as neither play changes the winner",
            };
            parts.push(format!("lost {}{reason}", lost_text(verdict)));
        }
        if verdict.certainty == Certainty::Unfinished {
            parts.push("unfinished".to_string());
        }
    }
    parts.extend(turn.skipped.iter().map(|reason| format!("not judged: {reason}")));
    parts.extend(turn.labels.iter().map(|label| label.kind.name().to_string()));
    (!parts.is_empty()).then(|| parts.join("; "))
}
