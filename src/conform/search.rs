//! Checks of searches: one answer each, in time, stopped on demand, with the given parameters.

use crate::conform::expectations::{
    EMPTY_BOARD, FORCED_PASS, KnownAnswer, MIDGAME, OPENING, OUT_PLAY, ResultRow, SECOND_MIDGAME, TWO_BLANKS, WINNING_BINGO,
};
use crate::conform::handshake::works;
use crate::conform::probe::{Check, CheckResult, Probe, SearchLines, Trouble, fail, skip};
use crate::tournament::arbiter::shown;
use std::time::{Duration, Instant};

/// These checks.
pub const CHECKS: &[Check] = &[
    Check::new("legal-moves", "bestmove is a legal move of the rack (2, 6)", legal_moves),
    Check::new("ready-in-search", "answers isready during a search, which goes on (4)", ready_in_search),
    Check::new("infinite", "go infinite does not end by itself (6)", infinite),
    Check::new("stop", "stop ends a search soon, with one bestmove (6)", stop),
    Check::new("stop-at-once", "obeys a stop right after go (6)", stop_at_once),
    Check::new("quit-in-search", "quit ends the engine during a search (6)", quit_in_search),
    Check::new("movetime", "keeps to movetime (6)", movetime),
    Check::new("first-limit", "ends the search at the first of several limits (6)", first_limit)
        .siu("apart from movetime UCGI has only depth, which need not end a search"),
    Check::new("searchmoves", "searches only the moves of searchmoves (6)", searchmoves),
    Check::new("alsosearchmoves", "also searches the moves of alsosearchmoves (6)", alsosearchmoves),
    Check::new("useinference", "reports useinference as ignored without a result (6)", useinference).siu("UCGI has no inference"),
    Check::new("ignored", "names what it ignores: info string ignored <parameter> (6)", ignored)
        .siu("UCGI does not define what happens to a parameter that is not honoured"),
    Check::new("unknown-parameter", "skips unknown words of go and searches (1)", unknown_parameter),
    Check::new("new-game", "carries nothing over to another position or game (5)", new_game),
    Check::new("moves-as-cgp", "treats a position given by moves like the same position given by CGP (5)", moves_as_cgp),
];

/// Runs a search in a position.
fn searched(probe: &mut Probe<'_>, cgp: &str, mode: &str, parameters: &str) -> Result<SearchLines, Trouble> {
    probe.position(cgp)?;
    probe.search(&probe.engine.go(mode, parameters), 3 * probe.engine.patience())
}

fn legal_moves(probe: &mut Probe<'_>) -> CheckResult {
    let mode = probe.engine.any_mode()?;
    let mut said = Vec::new();
    let mut judged = String::new();
    for cgp in [OPENING, MIDGAME, SECOND_MIDGAME, TWO_BLANKS] {
        let found = searched(probe, cgp, mode, "movetime 300")?;
        if probe.judge(&found.bestmove, cgp, found.lexicon())? < 0 {
            judged = format!(
                "; words were not judged, since its lexicon is {}",
                found.lexicon().or(probe.engine.lexicon_option()).unwrap_or("not reported")
            );
        }
        said.push(found.bestmove);
    }
    Ok(said.join(" ") + &judged)
}

/// Starts a search without end and waits until it is under way.
fn endless(probe: &mut Probe<'_>) -> Result<(), Trouble> {
    probe.engine.require("stop")?;
    probe.position(OPENING)?;
    let mode = probe.engine.any_mode()?;
    probe.send(&probe.engine.go(mode, "infinite"));
    let lines = probe.silence()?;
    match lines.iter().find(|line| line.starts_with("bestmove")) {
        Some(line) => fail(format!("an infinite search ends by itself: {}", shown(line))),
        None => Ok(()),
    }
}

/// Stops a search and reads its end.
fn stopped(probe: &mut Probe<'_>) -> Result<SearchLines, Trouble> {
    probe.send("stop");
    let found = probe.bestmove(Instant::now(), probe.engine.patience())?;
    if found.time > probe.engine.time(1_000).max(probe.engine.allowance()) {
        return fail(format!("bestmove came {} ms after stop", found.time.as_millis()));
    }
    Ok(found)
}

fn ready_in_search(probe: &mut Probe<'_>) -> CheckResult {
    endless(probe)?;
    for _ in 0..3 {
        if let Some(line) = probe.ready()?.iter().find(|line| line.starts_with("bestmove")) {
            return fail(format!("isready ends the search: {}", shown(line)));
        }
    }
    // The end of a search may come after the readyok.
    if let Some(line) = probe.silence()?.iter().find(|line| line.starts_with("bestmove")) {
        return fail(format!("isready ends the search: {}", shown(line)));
    }
    stopped(probe).map(|_| String::new())
}

fn infinite(probe: &mut Probe<'_>) -> CheckResult {
    probe.engine.require("stop")?;
    let mode = probe.engine.any_mode()?;
    // Where a pass is the only play the result is certain at once.
    for cgp in [OPENING, FORCED_PASS.cgp] {
        probe.position(cgp)?;
        probe.send(&probe.engine.go(mode, "infinite"));
        for _ in 0..3 {
            if let Some(line) = probe.silence()?.iter().find(|line| line.starts_with("bestmove")) {
                return fail(format!("an infinite search ends by itself: {}", shown(line)));
            }
        }
        stopped(probe)?;
    }
    Ok(String::new())
}

fn stop(probe: &mut Probe<'_>) -> CheckResult {
    endless(probe)?;
    let found = stopped(probe)?;
    probe.judge(&found.bestmove, OPENING, found.lexicon())?;
    // A second stop has nothing to end.
    probe.send("stop");
    if let Some(line) = probe.silence()?.iter().find(|line| line.starts_with("bestmove")) {
        return fail(format!("a second stop is answered by a move: {}", shown(line)));
    }
    Ok(format!("bestmove {} ms after stop", found.time.as_millis()))
}

fn stop_at_once(probe: &mut Probe<'_>) -> CheckResult {
    probe.engine.require("stop")?;
    let mode = probe.engine.any_mode()?;
    for _ in 0..5 {
        probe.position(MIDGAME)?;
        probe.send(&probe.engine.go(mode, "infinite"));
        let found = stopped(probe)?;
        probe.judge(&found.bestmove, MIDGAME, found.lexicon())?;
    }
    works(probe)
}

fn quit_in_search(probe: &mut Probe<'_>) -> CheckResult {
    endless(probe)?;
    probe.send("quit");
    probe.expect_exit()
}

/// A machine that is busy for a moment makes any engine late once. So each time may be tried again, and only an engine that is always late
/// fails.
fn movetime(probe: &mut Probe<'_>) -> CheckResult {
    let mode = ["auto", "sim"].into_iter().find(|mode| probe.engine.can(mode));
    let Some(mode) = mode else { return skip("the engine declares neither auto nor sim") };
    let mode = if mode == "auto" { "" } else { mode };
    let mut said = Vec::new();
    for ms in [500, 2_000] {
        let allowed = Duration::from_millis(ms) + probe.engine.allowance();
        let mut times = Vec::new();
        loop {
            let found = searched(probe, MIDGAME, mode, &format!("movetime {ms}"))?;
            if found.ignores("movetime") {
                return skip("the engine reports that it ignores movetime");
            }
            times.push(found.time.as_millis());
            if found.time <= allowed {
                break;
            }
            if times.len() == 3 {
                return fail(format!("movetime {ms} took {times:?} ms, but at most {} are allowed on this machine", allowed.as_millis()));
            }
        }
        said.push(format!("{ms} ms: {}", times.last().copied().unwrap_or(0)));
    }
    Ok(said.join(", "))
}

fn first_limit(probe: &mut Probe<'_>) -> CheckResult {
    probe.engine.require("sim")?;
    let found = searched(probe, OPENING, "sim", "iterations 20 movetime 600000")?;
    if found.ignores("iterations") {
        return skip("the engine reports that it ignores iterations");
    }
    Ok(format!("20 iterations in {} ms", found.time.as_millis()))
}

/// Legal moves of the opening, by far not the best ones.
const WEAK: [&str; 2] = ["8H.IN", "8G.TIN"];

fn searchmoves(probe: &mut Probe<'_>) -> CheckResult {
    let mode = probe.engine.any_mode()?;
    for moves in [&WEAK[..], &WEAK[..1], &["pass"]] {
        let found = searched(probe, OPENING, mode, &format!("movetime 500 searchmoves {}", moves.join(" ")))?;
        if found.ignores("searchmoves") {
            return skip("the engine reports that it ignores searchmoves");
        }
        let is_asked = |play: &str| moves.iter().any(|known| known.eq_ignore_ascii_case(play));
        if !is_asked(&found.bestmove) {
            return fail(format!("bestmove {} is not one of {}", shown(&found.bestmove), moves.join(" ")));
        }
        if let Some(play) = plays_told(probe, &found)?.into_iter().find(|play| !is_asked(play)) {
            return fail(format!("there is a row for {}, which is not one of {}", shown(&play), moves.join(" ")));
        }
    }
    Ok(String::new())
}

/// The moves that a search reported on: those of its rows, or, without modes,
/// those after `currmove` and first in a `pv`.
fn plays_told(probe: &Probe<'_>, found: &SearchLines) -> Result<Vec<String>, Trouble> {
    if probe.engine.is_siu() {
        return Ok(found.rows()?.into_iter().filter_map(|row| row.play).collect());
    }
    let told = |line: &String| {
        let words: Vec<&str> = line.split_whitespace().take_while(|word| *word != "string").collect();
        let behind = words.windows(2).find(|pair| ["currmove", "pv"].contains(&pair[0]));
        behind.filter(|_| words.first() == Some(&"info")).map(|pair| pair[1].to_string())
    };
    Ok(found.lines.iter().filter_map(told).collect())
}

fn alsosearchmoves(probe: &mut Probe<'_>) -> CheckResult {
    let mode = ["sim", "gen"].into_iter().find(|mode| probe.engine.can(mode)).or((!probe.engine.is_siu()).then_some(""));
    let Some(mode) = mode else { return skip("the engine declares neither sim nor gen") };
    let found = searched(probe, OPENING, mode, &format!("movetime 800 alsosearchmoves {}", WEAK[0]))?;
    if found.ignores("alsosearchmoves") {
        return skip("the engine reports that it ignores alsosearchmoves");
    }
    let plays = plays_told(probe, &found)?;
    if plays.is_empty() && !probe.engine.is_siu() {
        return skip("no line of the search names a move (currmove, pv), so the moves that were searched are not known");
    }
    if !plays.iter().any(|play| play.eq_ignore_ascii_case(WEAK[0])) {
        return fail(format!("there is no row for {}", WEAK[0]));
    }
    if plays.iter().all(|play| play.eq_ignore_ascii_case(WEAK[0])) {
        return fail(format!("there are rows for {} alone: the engine's own candidates are missing", WEAK[0]));
    }
    Ok(String::new())
}

fn useinference(probe: &mut Probe<'_>) -> CheckResult {
    probe.engine.require("sim")?;
    // There was no go infer whose result could be used.
    let found = searched(probe, OPENING, "sim", "movetime 300 useinference")?;
    if found.ignores("useinference") { Ok(String::new()) } else { fail("without go infer, useinference is not reported as ignored") }
}

fn ignored(probe: &mut Probe<'_>) -> CheckResult {
    // Parameters that the table gives to other searches alone.
    let useless = [("gen", "stopcondition", "stopcondition 99"), ("gen", "firstwin", "firstwin"), ("sim", "firstwin", "firstwin")];
    let mut checked = 0;
    for (mode, parameter, text) in useless {
        if !probe.engine.can(mode) {
            continue;
        }
        let found = searched(probe, OPENING, mode, &format!("{text} movetime 300"))?;
        if !found.ignores(parameter) {
            return fail(format!("go {mode} {text}: {parameter} has no meaning there, but is not reported as ignored"));
        }
        if let Some(text) = found.ignored().into_iter().find(|text| !text.starts_with(|first: char| first.is_ascii_alphanumeric())) {
            return fail(format!("info string ignored names no parameter: {}", shown(text)));
        }
        checked += 1;
    }
    if checked == 0 { skip("the engine declares neither gen nor sim") } else { Ok(String::new()) }
}

fn unknown_parameter(probe: &mut Probe<'_>) -> CheckResult {
    let mode = probe.engine.any_mode()?;
    let found = searched(probe, OPENING, mode, "joho 7 movetime 300 frobnicate")?;
    probe.judge(&found.bestmove, OPENING, found.lexicon())?;
    Ok(String::new())
}

/// A move with its points.
type RankedMove = (Option<String>, Option<i64>);

/// Moves and points of a static ranking.
fn ranking(probe: &mut Probe<'_>) -> Result<Vec<RankedMove>, Trouble> {
    let found = probe.search("go gen", 3 * probe.engine.patience())?;
    Ok(found.rows()?.into_iter().map(|ResultRow { play, score, .. }| (play, score)).collect())
}

fn new_game(probe: &mut Probe<'_>) -> CheckResult {
    let new_game = probe.engine.dialect.new_game();
    if !probe.engine.can("gen") {
        let mode = probe.engine.any_mode()?;
        for cgp in [MIDGAME, OPENING, SECOND_MIDGAME] {
            let found = searched(probe, cgp, mode, "movetime 300")?;
            probe.judge(&found.bestmove, cgp, found.lexicon())?;
            probe.taken(new_game)?;
        }
        // Each of these has an answer of its own, which is wrong in the others.
        let mut judged = 0;
        for answer in [WINNING_BINGO, OUT_PLAY, WINNING_BINGO] {
            judged += usize::from(solved(probe, &format!("position cgp {}", answer.cgp), &answer)?.is_some());
            if judged == 2 {
                probe.taken(new_game)?;
            }
        }
        let known = if judged == 3 { "known answers stay the same" } else { "answers for its own words are not known" };
        return Ok(format!("moves fit their positions; {known}; rankings are not compared without gen"));
    }
    probe.position(MIDGAME)?;
    let first = ranking(probe)?;
    probe.position(OPENING)?;
    if ranking(probe)? == first {
        return fail("two positions have the same ranking");
    }
    probe.position(MIDGAME)?;
    if ranking(probe)? != first {
        return fail("the ranking of a position changes after another position");
    }
    probe.taken(new_game)?;
    probe.position(MIDGAME)?;
    if ranking(probe)? != first {
        return fail(format!("the ranking of a position changes after {new_game}"));
    }
    Ok(format!("{} rows", first.len()))
}

/// A game of two moves and the position after it.
const BY_MOVES: &str = "moves 8G.DOG ex.2 rack.AEINRST";
const BY_CGP: &str = "15/15/15/15/15/15/15/6DOG6/15/15/15/15/15/15/15 AEINRST/ 10/0 1";

fn moves_as_cgp(probe: &mut Probe<'_>) -> CheckResult {
    let by_moves = format!("position cgp {EMPTY_BOARD} / 0/0 0 {BY_MOVES}");
    if probe.engine.can("gen") {
        probe.position(BY_CGP)?;
        let expected = ranking(probe)?;
        probe.position(OPENING)?;
        probe.taken(&by_moves)?;
        return if ranking(probe)? == expected { Ok(format!("{} rows", expected.len())) } else { fail("the rankings differ") };
    }
    let mode = probe.engine.any_mode()?;
    probe.taken(&by_moves)?;
    let found = probe.search(&probe.engine.go(mode, "movetime 500"), 3 * probe.engine.patience())?;
    probe.judge(&found.bestmove, BY_CGP, found.lexicon())?;
    // Positions with a known answer, reached by a pass of the opponent: an engine that misses it plays with the opponent's tiles.
    let mut said = vec![found.bestmove];
    for answer in [WINNING_BINGO, OUT_PLAY] {
        said.extend(solved(probe, &format!("position cgp {}", before_a_pass(answer.cgp)), &answer)?);
    }
    Ok(said.join(" "))
}

/// A position with an empty bag as the one before it, a pass and the rack.
fn before_a_pass(cgp: &str) -> String {
    let fields: Vec<&str> = cgp.split(' ').collect();
    let swapped =
        |at: usize| fields.get(at).and_then(|field| field.split_once('/')).map_or(String::new(), |(own, other)| format!("{other}/{own}"));
    let rack = fields.get(1).and_then(|racks| racks.split('/').next()).unwrap_or("");
    format!("{} {} {} 0 moves pass rack.{rack}", fields.first().unwrap_or(&""), swapped(1), swapped(2))
}

/// The mode for a position with an empty bag.
fn late_mode(probe: &Probe<'_>) -> Result<&'static str, Trouble> {
    if probe.engine.can("endgame") { Ok("endgame") } else { probe.engine.any_mode() }
}

/// Checks the known answer to a position that this line sets up. Returns what the engine played, or `None` if it uses other words, for which no
/// answer is known.
pub fn solved(probe: &mut Probe<'_>, position: &str, answer: &KnownAnswer) -> Result<Option<String>, Trouble> {
    let mode = late_mode(probe)?;
    probe.taken(position)?;
    let found = probe.search(&probe.engine.go(mode, "movetime 5000"), 3 * probe.engine.patience())?;
    if !probe.engine.has_our_words(found.lexicon()) {
        return Ok(None);
    }
    if !answer.plays.iter().any(|play| play.eq_ignore_ascii_case(&found.bestmove)) {
        return fail(format!("bestmove {}: {} is {}", shown(&found.bestmove), answer.what, answer.plays.join(" or ")));
    }
    Ok(Some(found.bestmove))
}
