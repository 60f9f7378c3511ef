//! Checks of each mode with its rows, and of positions whose answer is known.

use crate::conform::expectations::{
    AFTER_AN_OPENING, ENDGAME, FORCED_PASS, GAME_OVER, KnownAnswer, OPENING, OUT_PLAY, PRE_ENDGAME, ResultRow, TWO_STEPS, WINNING_BINGO,
};
use crate::conform::probe::{Check, CheckResult, Probe, SearchLines, Trouble, fail, skip};
use crate::conform::search::solved;
use crate::tournament::arbiter::shown;
use crate::tournament::dialogue::{EngineLine, provenance_value};

/// Why there is nothing to check about a mode in UCGI.
const NO_MODES: &str = "UCGI has no modes of go, and leaves the form of rows open";

/// These checks.
pub const CHECKS: &[Check] = &[
    Check::new("go-gen", "go gen: provenance, rows with legal moves and right scores, one bestmove (6, 7)", |probe| {
        mode(probe, "gen", OPENING)
    })
    .siu(NO_MODES),
    Check::new("go-sim", "go sim: like gen, and rows during the search if stream is declared (6, 7)", |probe| mode(probe, "sim", OPENING))
        .siu(NO_MODES),
    Check::new("go-infer", "go infer: leaves with probabilities, bestmove none (6, 7)", infer).siu("UCGI has no inference"),
    Check::new("go-endgame", "go endgame: depth, spread and line of play (6, 7)", |probe| mode(probe, "endgame", ENDGAME)).siu(NO_MODES),
    Check::new("go-peg", "go peg: draws that win, tie and lose (6, 7)", |probe| mode(probe, "peg", PRE_ENDGAME)).siu(NO_MODES),
    Check::new("go-auto", "go without a mode: one bestmove in every phase (6)", auto),
    Check::new("winning-bingo", "plays a bingo that goes out and wins", |probe| known(probe, &[WINNING_BINGO])),
    Check::new("forced-pass", "passes where nothing else is possible", |probe| known(probe, &[FORCED_PASS])),
    Check::new("won-endgame", "finds the only winning plays of two endgames", |probe| known(probe, &[OUT_PLAY, TWO_STEPS])),
    Check::new("endgame-value", "reports an endgame's value as exact only if it is exact (7)", endgame_value)
        .siu("UCGI does not say what score eq means at the end of a game"),
    Check::new("game-over", "answers go after the end of the game with a pass, none or an error", game_over),
];

/// The checks that the draft makes of every mode.
fn mode(probe: &mut Probe<'_>, mode: &str, cgp: &str) -> CheckResult {
    probe.engine.require(mode)?;
    probe.position(cgp)?;
    let found = probe.search(&format!("go {mode} movetime 1000"), 3 * probe.engine.patience())?;
    provenance_first(&found)?;
    let rows = found.rows()?;
    let rows: Vec<&ResultRow> = rows.iter().filter(|row| row.mode == mode).collect();
    if rows.is_empty() && (probe.engine.can("stream") || mode == "gen") {
        return fail(format!("there are no info {mode} lines"));
    }
    let lexicon = found.lexicon();
    for row in &rows {
        let Some(play) = &row.play else { continue };
        let points = probe.judge(play, cgp, lexicon)?;
        if mode == "gen" && points >= 0 && row.score != Some(i64::from(points)) {
            return fail(format!("{play} scores {points}, but its row has {}", row.score.unwrap_or(0)));
        }
    }
    probe.judge(&found.bestmove, cgp, lexicon)?;
    if mode == "sim"
        && !rows.iter().any(|row| row.play.as_ref().is_some_and(|play| play.eq_ignore_ascii_case(&found.bestmove)))
        && !rows.is_empty()
    {
        return fail(format!("there is no row for the bestmove {}", shown(&found.bestmove)));
    }
    Ok(format!("bestmove {}, {} rows", found.bestmove, rows.len()))
}

/// Provenance comes before the first result.
fn provenance_first(found: &SearchLines) -> Result<(), Trouble> {
    let at = found.lines.iter().position(|line| matches!(EngineLine::read(line), EngineLine::Provenance(_)));
    let Some(at) = at else { return fail("there is no line info string provenance") };
    let first = found.lines.iter().position(|line| ResultRow::read(line).is_some());
    if first.is_some_and(|first| first < at) {
        return fail("the provenance comes after the first result");
    }
    let EngineLine::Provenance(text) = EngineLine::read(&found.lines[at]) else { return Ok(()) };
    for key in ["engine", "leaves", "winpct", "lexicon"] {
        if provenance_value(text, key).is_none() {
            return fail(format!("provenance does not name {key}"));
        }
    }
    Ok(())
}

fn infer(probe: &mut Probe<'_>) -> CheckResult {
    probe.engine.require("infer")?;
    probe.position(AFTER_AN_OPENING)?;
    let found = probe.search("go infer movetime 1000", 3 * probe.engine.patience())?;
    provenance_first(&found)?;
    if found.bestmove != "none" {
        return fail(format!("go infer ends with bestmove {}, expected none", shown(&found.bestmove)));
    }
    let rows = found.rows()?.len();
    if rows == 0 {
        return fail("there are no info infer lines");
    }
    Ok(format!("{rows} leaves"))
}

fn auto(probe: &mut Probe<'_>) -> CheckResult {
    probe.engine.require("auto")?;
    let mut said = Vec::new();
    for cgp in [OPENING, PRE_ENDGAME, ENDGAME] {
        probe.position(cgp)?;
        let found = probe.search("go movetime 500", 3 * probe.engine.patience())?;
        probe.judge(&found.bestmove, cgp, found.lexicon())?;
        if probe.engine.is_siu() {
            provenance_first(&found)?;
        }
        said.push(found.bestmove);
    }
    Ok(said.join(" "))
}

/// Known answers depend on the words: they are not right in another lexicon.
fn other_words<T>(probe: &Probe<'_>, told: Option<&str>) -> Result<T, Trouble> {
    let theirs = told.or(probe.engine.lexicon_option()).unwrap_or("not reported");
    skip(format!("the engine's lexicon is {theirs}, the answer's is {} (--option Lexicon, --lexicon)", probe.engine.lexicon.name()))
}

fn known(probe: &mut Probe<'_>, answers: &[KnownAnswer]) -> CheckResult {
    let mut said = Vec::new();
    for answer in answers {
        match solved(probe, &format!("position cgp {}", answer.cgp), answer)? {
            Some(play) => said.push(play),
            None => return other_words(probe, None),
        }
    }
    Ok(said.join(" "))
}

fn endgame_value(probe: &mut Probe<'_>) -> CheckResult {
    probe.engine.require("endgame")?;
    let mut judged = 0;
    for answer in [WINNING_BINGO, OUT_PLAY, TWO_STEPS] {
        probe.position(answer.cgp)?;
        let found = probe.search("go endgame movetime 5000", 3 * probe.engine.patience())?;
        if !probe.engine.has_our_words(found.lexicon()) {
            return other_words(probe, found.lexicon());
        }
        let rows = found.rows()?;
        let Some(last) = rows.iter().rfind(|row| row.mode == "endgame") else { return fail("there are no info endgame lines") };
        if !last.is_bound {
            judged += 1;
            if last.score != answer.spread {
                return fail(format!("the spread is {}, but best play has {}", last.score.unwrap_or(0), answer.spread.unwrap_or(0)));
            }
        }
    }
    if judged == 0 { skip("the engine reports only bounds and estimates") } else { Ok(format!("{judged} values")) }
}

fn game_over(probe: &mut Probe<'_>) -> CheckResult {
    let mode = probe.engine.any_mode()?;
    probe.position(GAME_OVER)?;
    probe.send(&probe.engine.go(mode, "movetime 300"));
    let mut lines = probe.ready()?;
    // An answer may come after the readyok of a search that goes on.
    let end = std::time::Instant::now() + probe.engine.patience();
    let is_answer = |line: &String| matches!(EngineLine::read(line), EngineLine::BestMove(_) | EngineLine::Refusal(_));
    while !lines.iter().any(is_answer) {
        match probe.line_by(end)? {
            Some((_, line)) => lines.push(line),
            None => return fail("there is neither a bestmove nor an error"),
        }
    }
    let answer = lines.into_iter().find(is_answer).unwrap_or_default();
    match EngineLine::read(&answer) {
        EngineLine::BestMove(play) if !["none", "pass"].contains(&play) => {
            fail(format!("a move after the end of the game: {}", shown(play)))
        }
        _ => Ok(shown(&answer)),
    }
}
