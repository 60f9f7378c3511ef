//! Checks of an engine's answers to impossible positions, racks and moves.

use crate::conform::check::Check;
use crate::conform::expectations::MODES;
use crate::conform::handshake::works;
use crate::conform::positions::{EMPTY_BOARD, OPENING};
use crate::conform::probe::{CheckResult, Probe, Trouble, fail, skip};
use crate::tournament::arbiter::shown;
use crate::tournament::dialogue::EngineLine;

/// These checks.
pub const CHECKS: &[Check] = &[
    Check::new("no-position", "go without a position is the error no-position (7)", no_position),
    Check::new("bad-position", "a CGP that cannot be is the error bad-position (7)", bad_position),
    Check::new("bad-rack", "a rack that cannot be is the error bad-position (7)", bad_rack),
    Check::new("bad-move", "a move that cannot be made is the error bad-move (7)", bad_move),
    Check::new("unsupported-mode", "a mode that is not declared is the error unsupported-mode (3, 7)", unsupported_mode)
        .siu("UCGI has no modes of go"),
];

/// A line that must be answered by an error of one of these codes, and not by a move.
fn refused(probe: &mut Probe<'_>, line: &str, codes: &[&str]) -> Result<(), Trouble> {
    let mut answers = probe.ask(line)?;
    answers.extend(probe.silence()?);
    let mut found = false;
    for answer in &answers {
        match EngineLine::read(answer) {
            EngineLine::BestMove(_) => return fail(format!("{} is answered by a move", shown(line))),
            EngineLine::Refusal(text) => {
                let code = text.split_whitespace().next().unwrap_or("");
                if !codes.contains(&code) {
                    return fail(format!("{} is answered by the error {code:?}, expected {}", shown(line), codes.join(" or ")));
                }
                found = true;
            }
            _ => {}
        }
    }
    if found { Ok(()) } else { fail(format!("{} is taken without the error {}", shown(line), codes.join(" or "))) }
}

fn no_position(probe: &mut Probe<'_>) -> CheckResult {
    let mode = probe.engine.any_mode()?;
    refused(probe, &probe.engine.go(mode, "movetime 200"), &["no-position"])?;
    works(probe)
}

fn bad_position(probe: &mut Probe<'_>) -> CheckResult {
    let rows = |rows: &[&str]| [rows, &["15"; 15][rows.len()..]].concat().join("/");
    for cgp in [
        "".to_string(),
        "nonsense".to_string(),
        format!("{EMPTY_BOARD} AEINRST/ 0/0"),
        format!("{EMPTY_BOARD} AEINRST/ x/0 0"),
        format!("{EMPTY_BOARD}/15 AEINRST/ 0/0 0"),
        format!("{} AEINRST/ 0/0 0", rows(&["16"])),
        format!("{} AEINRST/ 0/0 0", rows(&["14!"])),
        // More tiles than there are.
        format!("{} AEINRST/ 0/0 0", rows(&["QUIZQUIZQUIZQUI"])),
    ] {
        refused(probe, &format!("position cgp {cgp}"), &["bad-position"])?;
    }
    works(probe)
}

fn bad_rack(probe: &mut Probe<'_>) -> CheckResult {
    for rack in ["AEINRSTU", "QQ", "A1", "ZZZ", "???"] {
        refused(probe, &format!("position cgp {EMPTY_BOARD} {rack}/ 0/0 0"), &["bad-position"])?;
    }
    works(probe)
}

fn bad_move(probe: &mut Probe<'_>) -> CheckResult {
    // Not a move, off the board, off the start, beside no tile, tiles that there are not, over the edge.
    for moves in ["zzz", "8Z.DOG", "1A.DOG", "8G.DOG 1A.CAT", "8G.QQQ", "8M.DOGS", "8G.DOG 8G.CAT"] {
        refused(probe, &format!("position cgp {EMPTY_BOARD} / 0/0 0 moves {moves}"), &["bad-move"])?;
    }
    let mode = probe.engine.any_mode()?;
    probe.position(OPENING)?;
    let found = probe.ask(&probe.engine.go(mode, "movetime 200 searchmoves 1A.DOG"))?;
    let refusal = found.iter().find(|line| matches!(EngineLine::read(line), EngineLine::Refusal(_)));
    match refusal {
        Some(line) if !line.contains("bad-move") => {
            return fail(format!("searchmoves of a move that cannot be is another error: {}", shown(line)));
        }
        Some(_) => {}
        // It searches something else. That may be, but it must end.
        None if found.iter().any(|line| line.starts_with("bestmove")) => {}
        None => drop(probe.lines_to("bestmove", probe.engine.patience())?),
    }
    works(probe)
}

fn unsupported_mode(probe: &mut Probe<'_>) -> CheckResult {
    let missing: Vec<&str> = MODES.into_iter().filter(|mode| !probe.engine.can(mode)).collect();
    if missing.is_empty() {
        return skip("the engine declares all modes");
    }
    probe.position(OPENING)?;
    for mode in &missing {
        refused(probe, &format!("go {mode} movetime 200"), &["unsupported-mode"])?;
    }
    works(probe)
}
