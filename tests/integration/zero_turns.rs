//! The end of a game by turns without points, in simulations, static rankings, players and `analyse`. All expected values follow
//! from arithmetic: the points of the racks and the lead.

use crate::integration::answers::Search;
use crate::integration::engine_process::EngineProcess;
use std::fs;
use std::process::{Command, Stdio};

const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";

/// DOG alone on the board.
const DOG: &str = "15/15/15/15/15/15/15/6DOG6/15/15/15/15/15/15/15";

/// The middle of a game in which a bingo is worth 88 points.
const MIDGAME: &str = "15/15/15/10E4/10A4/5J4R4/4NIX3N4/OD1POLIO2E4/WAG2T1IGGS4/1WIPES4T4/3IF10/K1FUSE9/I1O12/BIONT10/E1L12";

/// Positions in which a pass ends the game with a certain win, each with a play that scores more and may lose.
fn won_by_a_pass() -> [String; 5] {
    [
        "startpos moves 8G.DOG pass pass pass pass pass rack.AAEIINO".to_string(),
        format!("cgp {EMPTY} AEINRST/ 120/100 5"),
        format!("cgp {MIDGAME} EILMRU?/ 320/300 5"),
        format!("cgp {MIDGAME} EILMRU?/ 330/300 5"),
        format!("cgp {MIDGAME} EILMRU?/ 325/300 1 mcnz 2;"),
    ]
}

fn engine_at(position: &str) -> EngineProcess {
    let mut engine = EngineProcess::start();
    engine.tell(&format!("position {position}"));
    engine
}

/// The rows of a simulation: plays and chances to win, percent.
fn simulated(engine: &mut EngineProcess, go: &str) -> Vec<(String, f64)> {
    let search = Search::of(&engine.go(go));
    search.sim_rows().iter().map(|row| (row.play.clone(), row.win)).collect()
}

/// Whether a play is a turn without points that is not placed: here one that ends the game.
fn is_ending(play: &str) -> bool {
    play == "pass" || play.starts_with("ex.")
}

#[test]
fn a_pass_that_wins_for_certain_is_played() {
    for position in won_by_a_pass() {
        let mut engine = engine_at(&position);
        let rows = simulated(&mut engine, "go sim iterations 300");
        // An exchange may win as surely, with more points.
        assert!(is_ending(&rows[0].0) && rows[0].1 == 100.0, "{position}: {rows:?}");
        assert!(rows.contains(&("pass".to_string(), 100.0)), "{position}: {rows:?}");
        assert!(is_ending(&Search::of(&engine.go("go gen")).gen_rows()[0].play), "{position}");
        for go in ["go movetime 300", "go sim plays 1 iterations 50", "go nodes 2000"] {
            let answer = Search::of(&engine.go(go));
            assert!(is_ending(&answer.best), "{position}: {go}: {answer:?}");
        }
    }
    // A play that scores, and is ahead by points, is ranked below it.
    let mut engine = engine_at(&format!("cgp {MIDGAME} EILMRU?/ 330/300 5"));
    let rows = simulated(&mut engine, "go sim iterations 500 searchmoves pass 4D.RELUMInE");
    assert_eq!((rows[0].0.as_str(), rows[1].0.as_str()), ("pass", "4D.RELUMInE"));
    assert!(rows[1].1 > 80.0, "{rows:?}");
}

#[test]
fn players_of_all_kinds_pass_where_that_wins_for_certain() {
    let players = [
        "engine",
        "static",
        "static:late=off",
        "sim:iterations=100",
        "strong",
        "magpie",
        "macondo",
        "championship",
        "maven",
        "greedy",
        "rack3",
        "gordon",
        "knia",
        "wordsmith",
        "level:1",
        "level:9",
    ];
    let mut engine = EngineProcess::start();
    for player in players {
        engine.tell(&format!("setoption name Player value {player}"));
        for position in won_by_a_pass().iter().skip(1).take(2) {
            engine.tell(&format!("position {position}"));
            assert_eq!(engine.go("go auto movetime 500").last().map(String::as_str), Some("bestmove pass"), "{player}: {position}");
        }
    }
}

#[test]
fn what_is_not_certain_is_weighed() {
    // Seven points on the rack, two points ahead: the other rack has more than five in nearly all deals.
    let mut engine = engine_at(&format!("cgp {DOG} AEINRST/ 100/98 5"));
    let rows = simulated(&mut engine, "go sim iterations 300");
    assert!(rows[0].0 == "pass" && rows[0].1 > 99.0, "{rows:?}");
    // With the dearest rack an exchange is the best way to end the game.
    let mut engine = engine_at(&format!("cgp {DOG} JQUVVWZ/ 100/90 5"));
    let rows = simulated(&mut engine, "go sim iterations 300");
    assert!(rows[0].0.starts_with("ex.") && rows[0].1 > 90.0, "{rows:?}");
    assert!(rows.iter().any(|(play, win)| play == "pass" && *win < 5.0), "{rows:?}");
}

#[test]
fn the_opponent_ends_the_game_where_that_wins() {
    // After a turn without points the opponent passes, and wins whatever the racks are: 40 points ahead.
    let mut engine = engine_at(&format!("cgp {DOG} UUVVWWI/ 100/140 4"));
    let rows = simulated(&mut engine, "go sim iterations 300 alsosearchmoves pass");
    assert!(!rows[0].0.starts_with("ex.") && rows[0].0 != "pass" && rows[0].1 > 0.5, "{rows:?}");
    let without_points: Vec<_> = rows.iter().filter(|(play, _)| play.starts_with("ex.") || play == "pass").collect();
    assert!(!without_points.is_empty() && without_points.iter().all(|(_, win)| *win == 0.0), "{rows:?}");
    // Four turns earlier the same exchanges lose nothing yet.
    engine.tell(&format!("position cgp {DOG} UUVVWWI/ 100/140 0"));
    let rows = simulated(&mut engine, "go sim iterations 300");
    assert!(rows[0].0.starts_with("ex.") && rows[0].1 > 5.0, "{rows:?}");
    // The static player looks as far ahead.
    engine.tell("setoption name Player value static:late=off");
    engine.tell(&format!("position cgp {DOG} UUVVWWI/ 100/140 4"));
    let answer = engine.go("go auto").pop().expect("an answer");
    assert!(!answer.contains("ex.") && !answer.contains("pass"), "{answer}");
}

#[test]
fn in_the_game_that_is_played_to_lose_the_sign_is_reversed() {
    // Behind by 20, with 7 points on the rack: after the sixth turn the lower score wins.
    for (scores, wins) in [("100/120", true), ("120/100", false)] {
        let mut engine = engine_at(&format!("cgp {EMPTY} AEINRST/ {scores} 5 var misere;"));
        let rows = simulated(&mut engine, "go sim iterations 50 searchmoves pass");
        assert_eq!(rows[0].1 > 50.0, wins, "{scores}: {rows:?}");
    }
}

#[test]
fn analyse_tells_that_a_pass_would_have_won() {
    let folder = tempfile::tempdir().expect("a folder");
    let passes = ">B: - +0 0\n>A: - +0 10\n>B: - +0 0\n>A: - +0 10\n>B: - +0 0\n";
    let game = format!(">A: DGOEEEE 8G DOG +10 10\n{passes}>A: AAEIINO 9G INIA +16 26\n");
    fs::write(folder.path().join("game.gcg"), game).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    let command = command.args(["analyse", "game.gcg", "--iterations", "400"]).current_dir(folder.path()).stdin(Stdio::null());
    let output = command.output().expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let turn = text.lines().find(|line| line.contains("9G.INIA")).unwrap_or_else(|| panic!("{text}"));
    assert!(turn.contains("pass 0"), "{text}");
}

#[test]
fn a_pre_endgame_sees_the_pass_by_which_the_opponent_ends_the_game() {
    // One tile in the bag, four turns without points, French letters. After two passes the player on turn has 300 - 7 = 293 points. The other one
    // has 305 - 6 = 299 with the known rack, and at least 303 - 9 = 294 with any.
    let board = "11ONZE/10J2O1/8A1E1DO1/7QUETEE1H/10E1F1U/8ECUMERA/8C1R1TIR/7WOKS2ET/6DUR6/5G2N1M4/4HALLALiS3/1G1P1P1OM1XI3/VIVONS1BETEL3/\
                 IF1N3AS1RYAL1/ETUDIAIS7";
    let mut engine = EngineProcess::start();
    engine.tell("setoption name LetterDistribution value french");
    for (rest, row) in [("AEINRST/?AEEINU 300/305 4", "w: d: l:B "), ("AEINRST/ 300/303 4", "w: d: l:?|A|B|E|I|N|U ")] {
        engine.tell(&format!("position cgp {board} {rest}"));
        let lines = engine.go("go peg nodes 5000 searchmoves pass");
        assert!(
            lines.iter().rev().find(|line| line.starts_with("info peg move pass ")).is_some_and(|line| line.contains(row)),
            "{lines:?}"
        );
    }
}
