//! The Python client, `scripts/client.py`, against the program, `scripts/quackle_web_worker.py` with it, and the adapters for MAGPIE
//! and macondo against stand-ins. `python/tests/test_engine.py` tests the module that the client shows. Without Python 3 the tests are skipped, with a message.

use crate::integration::needs::Need;
use crate::integration::positions::{ENDGAME, OPENING, PRE_ENDGAME};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

/// Python with the scripts' folder as its current one and the program in `TILEWRIGHT`; `None` if there is no Python 3.
fn python(arguments: &[&str]) -> Option<Output> {
    if !Need::Python.is_met() {
        return None;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    let mut command = Command::new("python3");
    command.args(arguments).current_dir(folder).env("TILEWRIGHT", env!("CARGO_BIN_EXE_tilewright"));
    // A file of compiled Python beside the script would be no part of the repository.
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONIOENCODING", "utf-8");
    Some(command.output().expect("python3 runs"))
}

/// The opponent has opened with IMINO, worth 18 points.
const AFTER_IMINO: &str = "15/15/15/15/15/15/15/3IMINO7/15/15/15/15/15/15/15 GLORRTU/ 0/18 0 lm 8D.IMINO;";

#[test]
fn the_client_shows_the_rows_of_every_mode() {
    let asked: [(&str, &str, &[&str]); 7] = [
        (OPENING, "gen", &["Tilewright ", "8B.ANESTRI                66    +66.00", "best: 8B.ANESTRI"]),
        (OPENING, "sim", &[" % ± ", " % ± ", "best: 8"]),
        (OPENING, "replies", &["who own probability 1.0", "who reply", "score ", "square 8", "move ", "best: none"]),
        (AFTER_IMINO, "infer", &["AE         2.82 % before   2.82 %", "best: none"]),
        (AFTER_IMINO, "challenge", &["event stands win ", "event off win ", "rule double", "best: none"]),
        (PRE_ENDGAME, "peg", &[" wins ", "best: "]),
        (ENDGAME, "endgame", &[", depth ", "best: "]),
    ];
    for (position, mode, parts) in asked {
        let Some(output) = python(&["client.py", position, "--mode", mode, "--rows", "2", "--movetime", "1000"]) else { return };
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{mode}: {}", String::from_utf8_lossy(&output.stderr));
        let mut lines = told.lines();
        for part in parts {
            assert!(lines.any(|line| line.contains(part)), "{mode}: no line with {part:?} behind the one before it in\n{told}");
        }
    }
}

#[test]
fn at_a_terminal_the_client_says_which_lexicon_is_not_there() {
    let Some(output) = python(&["client.py", &format!("{OPENING} lex NOSUCH;"), "--mode", "gen", "--rows", "1"]) else { return };
    let [told, error] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(told.contains("lexicon=ENABLE"), "{told}");
    assert!(error.starts_with("ignored: lex NOSUCH: no lexicon \"NOSUCH\"") && error.ends_with("; ENABLE is used\n"), "{error}");
}

#[test]
fn an_unknown_mode_is_a_wrong_argument() {
    let Some(output) = python(&["client.py", OPENING, "--mode", "smi"]) else { return };
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && error.contains("smi") && !error.contains("Traceback"), "{error}");
}

#[test]
fn a_missing_engine_is_said_in_one_line() {
    for engine in ["/no/such/engine", "."] {
        let Some(output) = python(&["client.py", OPENING, "--engine", engine]) else { return };
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.lines().count() == 1 && error.contains(engine), "{error}");
    }
    // A program that is no engine.
    let Some(output) = python(&["client.py", OPENING, "--engine", "true"]) else { return };
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && error.lines().count() == 1 && error.contains("ended"), "{error}");
}

/// The moves that an adapter chose, the lines that it sent to its program, and its standard error.
#[cfg(unix)]
struct AdapterRun {
    answers: Vec<String>,
    told: String,
    error: String,
}

/// Runs the adapter `scripts/<name>.py` on some positions, with a stand-in for its program. The stand-in is installed as `program`, and writes
/// the lines that it gets to `told.txt`. `positions` are the elements of a Python list, and `prelude` is Python that comes before them.
/// Returns `None` if there is no Python 3.
#[cfg(unix)]
fn run_adapter(name: &str, program: &str, stand_in: &str, prelude: &str, positions: &str) -> Option<AdapterRun> {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, text).expect("a file");
        path
    };
    let installed = write(program, stand_in);
    std::fs::set_permissions(installed, std::fs::Permissions::from_mode(0o755)).expect("it may be run");
    let english = include_str!("../../src/formats/data/english.csv");
    let letters: String = english.lines().filter(|line| !line.starts_with('#')).map(|line| line.to_string() + "\n").collect();
    write("data/letterdistributions/english.csv", &letters);
    let option = name.trim_start_matches("siu_");
    let lines = format!(
        "import io, pathlib, sys\nimport {name}\n\
         folder = r'{}'\n\
         sys.argv = ['{name}.py', '--{option}', folder]\n\
         {prelude}\n\
         text = ''.join(f'position cgp {{cgp}}\\ngo movetime 300\\n' for cgp in [{positions}])\n\
         sys.stdin = io.StringIO('siu\\nisready\\n' + text + 'quit\\n')\n\
         {name}.main()",
        folder.path().display()
    );
    let output = python(&["-c", &lines])?;
    let said = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{error}");
    let answers = said.lines().filter_map(|line| line.strip_prefix("bestmove ")).map(str::to_string).collect();
    let told = std::fs::read_to_string(folder.path().join("told.txt")).expect("what it was told");
    Some(AdapterRun { answers, told, error })
}

/// A console that answers the adapter's commands as MAGPIE does: a placement in a simulation, an exchange with few tiles in the bag, and in endgames a pass.
#[cfg(unix)]
const MAGPIE: &str = r#"#!/usr/bin/env python3
import sys

told = open("told.txt", "a")
print("finished setoptions", flush=True)
for line in sys.stdin:
    name, _, rest = line.strip().partition(" ")
    told.write(line)
    told.flush()
    if name == "cgp":
        few = rest.startswith("AAAA")
    elif name == "gsimulate":
        move = "(exch DE)" if few else "8D W(E)n"
        print(f"     Play\n1: {move} 12 40.0\nIters: 90\n", flush=True)
    elif name == "shendgame":
        print("solved\nPlay 1\npass 0\n", flush=True)
    print(f"finished {name}", flush=True)
"#;

#[cfg(unix)]
#[test]
fn magpie_is_asked_with_a_full_rack_opposite_and_answers_in_our_notation() {
    let prelude = "later = '/'.join(['AAAAAAAAAEEEEEE'] + ['15'] * 14)\n\
         tiles = siu_magpie.read_distribution(pathlib.Path(folder))\n\
         tiles.subtract('AEINRSTBCDEGLO')\n\
         text = ''.join('e' if tile == '?' else tile for tile in sorted(tiles.elements()))\n\
         last = '/'.join([text[row * 15:row * 15 + 15] for row in range(5)] + [text[75:] + '4'] + ['15'] * 9)";
    let asked = format!("'{OPENING}', later + ' DEIOQRU/ 0/0 0', '15/' * 14 + '15 AB/CD 0/0 0', last + ' AEINRST/BCDEGLO 0/0 0'");
    let Some(AdapterRun { answers, told, error }) = run_adapter("siu_magpie", "bin/magpie", MAGPIE, prelude, &asked) else { return };
    assert_eq!(answers, ["8D.WEn", "ex.DE", "8D.WEn", "pass"], "{error}");
    let positions: Vec<&str> = told.lines().filter_map(|line| line.strip_prefix("cgp ")).collect();
    // The first two are those of the start.
    let racks = |position: &str| -> Vec<String> { position.split(' ').nth(1).expect("racks").split('/').map(str::to_string).collect() };
    assert_eq!(positions.len(), 6, "{told}");
    assert!(positions[2..].iter().all(|position| racks(position)[1].len() == 7), "{told}");
    assert!(racks(positions[4])[1].starts_with("CD"), "what is known of the other rack stays: {}", positions[4]);
    assert_eq!(racks(positions[5]), ["AEINRST", "BCDEGLO"]);
}

/// A console that answers the adapter's commands as macondo does. Simulations of a rack with a Q go on until they are stopped, and it is busy for a moment
/// after that. Endgames end later; one of a rack with a Z has no play when it is stopped.
#[cfg(unix)]
const MACONDO: &str = r#"#!/usr/bin/env python3
import sys
import threading

told = open("told.txt", "a")
is_simulating = is_busy = False
for line in sys.stdin:
    words = line.split()
    if words[0].startswith("end") and words[0] != "endgame":
        print(f'Error: command "{words[0]}" not found', flush=True)
        continue
    told.write(line)
    told.flush()
    if words[0] == "load" and is_busy:
        print("Error: macondo is busy working on a solution to a position")
        is_busy = False
    elif words[0] == "load":
        rack = words[3]
        print("   ----\n 1|=  |\n   ----")
    elif words[0] == "gen":
        print("     Move                Leave  Score Equity\n  1:  A5 .o              Z          4  -1.00")
    elif words[:2] == ["sim", "winner"]:
        print("(exch DE)" if "Q" in rack else " 8D WEn")
    elif words[:2] == ["sim", "stop"]:
        print("Iterations: 66 (intervals are 99% confidence)" if is_simulating else "Error: no running sim to stop")
        is_simulating, is_busy = False, True
    elif words[0] == "sim":
        is_simulating = "Q" in rack
        print("Simulation started." + ("" if is_simulating else "\n 8D WEn  AE  24  57.42\nIterations: 5249 (intervals are 99% confidence)"))
    elif words[0] == "peg":
        print("endgameplies 3, maxtime 0\nWinner:  6H ...EX\nPlay  Wins")
    elif words == ["endgame", "stop"]:
        print("Error: no play was searched")
    elif words[0] == "endgame" and "Z" not in rack:
        threading.Timer(0.05, print, ["Final spread after seq: -13\nBest move: (Pass)"], {"flush": True}).start()
"#;

#[cfg(unix)]
#[test]
fn macondo_is_asked_by_the_number_of_unseen_tiles_and_answers_in_our_notation() {
    let prelude = "full = ['A' * 15] * 5\n\
         near = '/'.join(full + ['A' * 10 + '5'] + ['15'] * 9)\n\
         last = '/'.join(full + ['A' * 11 + '4'] + ['15'] * 9)";
    let asked = format!(
        "'{OPENING}', '15/' * 14 + '15 DEIOQRU/ 0/0 0', near + ' AEINRSX/ 300/220 0', last + ' AEINRST/BCDEGLO 0/0 0', \
         last + ' AEINRTZ/BCDEGLO 0/0 0'"
    );
    let Some(AdapterRun { answers, told, error }) = run_adapter("siu_macondo", "macondo-shell", MACONDO, prelude, &asked) else { return };
    assert_eq!(answers, ["8D.WEn", "ex.DE", "6H.AAAEX", "pass", "A5.Ao"], "{error}");
    assert!(error.contains("no play was searched; answering with the best static play") && error.lines().count() == 1, "{error}");
    let searches: Vec<&str> =
        told.lines().filter(|line| ["sim -", "peg -", "endgame -"].iter().any(|start| line.starts_with(start))).collect();
    let simulation = "sim -plies 5 -threads 1 -stop 99";
    let endgame = "endgame -plies 13 -threads 1 -prevent-slowroll true";
    // The first one is that of the start.
    assert_eq!(searches, [simulation, simulation, simulation, "peg -threads 1 -endgameplies 3 -early-cutoff true", endgame, endgame]);
    assert!(told.contains("AEINRST/ 0/0 0 lex TWL06;") && !told.contains("BCDEGLO"), "the other rack is not told: {told}");
}

/// The worker of Quackle Web, as its supervisor starts it.
struct WebWorker {
    process: Child,
    input: ChildStdin,
    events: BufReader<ChildStdout>,
}

impl WebWorker {
    /// A worker of this kind that has said it is ready; `None` if there is no Python 3.
    fn start(kind: &str) -> Option<(WebWorker, Value)> {
        if !Need::Python.is_met() {
            return None;
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
        let mut command = Command::new("python3");
        command.args(["quackle_web_worker.py", "--worker-kind", kind, "--worker-build", "test", "--data-dir", "."]);
        command.args(["--lexicon-id", "enable", "--dawg", "none.dawg", "--gaddag", "none.gaddag"]);
        command.current_dir(folder).env("TILEWRIGHT", env!("CARGO_BIN_EXE_tilewright")).env("PYTHONDONTWRITEBYTECODE", "1");
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("python3 runs");
        let input = process.stdin.take().expect("its input");
        let events = BufReader::new(process.stdout.take().expect("its output"));
        let mut worker = WebWorker { process, input, events };
        let ready = worker.event();
        Some((worker, ready))
    }

    fn event(&mut self) -> Value {
        let mut line = String::new();
        self.events.read_line(&mut line).expect("a line");
        let event: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        assert_eq!(event["protocol"], 1, "{line}");
        assert_eq!(event.get("error").is_some(), event["event"] == "error", "{line}");
        assert_eq!(event.get("payload").is_some(), event["event"] != "error", "{line}");
        event
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it reads");
    }

    /// Asks, and returns the last event of the answer.
    fn ask(&mut self, operation: &str, deadline_ms: u32, payload: &Value) -> Value {
        let request = json!({ "protocol": 1, "id": "r", "op": operation, "deadline_ms": deadline_ms, "seed": 1, "payload": payload });
        self.send(&request.to_string());
        self.end_of_answer()
    }

    fn end_of_answer(&mut self) -> Value {
        loop {
            let event = self.event();
            if !["started", "progress"].iter().any(|name| event["event"] == *name) {
                return event;
            }
        }
    }

    /// Closes the input, and waits for the end.
    fn end(self) {
        let WebWorker { mut process, input, events } = self;
        drop(input);
        let left: Vec<String> = events.lines().map_while(Result::ok).filter(|line| !line.contains("progress")).collect();
        let status = process.wait().expect("its status");
        assert!(status.success(), "{status}: {left:?}");
    }
}

/// A request's position: the letters of a word across from the middle of the board, and a rack.
fn web_position(word: &str, rack: &str) -> Value {
    let cell = |(at, letter): (usize, char)| json!({ "row": 7, "col": 7 + at, "letter": letter.to_uppercase().to_string(), "blank": letter.is_lowercase() });
    let cells: Vec<Value> = word.chars().enumerate().map(cell).collect();
    let players = json!({ "on_turn": { "score": 0 }, "opponent": { "score": 0, "rack": null } });
    let board = json!({ "id": "classic15", "cells": cells });
    json!({ "version": 1, "lexicon_id": "ENABLE", "board": board, "rack": rack, "players": players, "turn": { "number": 0, "scoreless_turns": 0 } })
}

#[test]
fn the_worker_of_quackle_web_ranks_analyses_and_refuses() {
    let Some((mut worker, ready)) = WebWorker::start("deep") else { return };
    assert_eq!((&ready["id"], &ready["event"]), (&Value::Null, &json!("ready")), "{ready}");
    assert_eq!(ready["payload"]["operations"], json!(["validate_position", "generate_moves", "analyze"]), "{ready}");
    let payload = json!({ "position": web_position("CaT", "AEINRSX"), "options": { "limit": 100 } });
    let ranked = worker.ask("generate_moves", 20_000, &payload);
    let data = &ranked["payload"]["data"];
    let moves = data["moves"].as_array().unwrap_or_else(|| panic!("{ranked}"));
    assert_eq!((&data["count"], moves.len()), (&json!(100), 100));
    // Each move by its own parts: what it places are tiles of the rack, and its word has the board's letters where it has points.
    for said in moves {
        let [position, tiles, used, word] = ["position", "tiles", "used_tiles", "word"].map(|key| said[key].as_str().expect("a text"));
        let mut rack: Vec<char> = "AEINRSX".chars().collect();
        for tile in used.chars() {
            rack.remove(rack.iter().position(|&held| held == tile).unwrap_or_else(|| panic!("no {tile}: {said}")));
        }
        if said["action"] != "place" {
            continue;
        }
        let (row, column) = (said["row"].as_u64().expect("a row"), said["col"].as_u64().expect("a column"));
        let letter = char::from(b'A' + u8::try_from(column).expect("a letter"));
        let is_across = said["horizontal"] == true;
        let square = if is_across { format!("{}{letter}", row + 1) } else { format!("{letter}{}", row + 1) };
        assert_eq!(position, square, "{said}");
        assert_eq!(said["is_bingo"], used.len() == 7, "{said}");
        for (at, (tile, of_word)) in (0..).zip(tiles.chars().zip(word.chars())) {
            let (row, column) = if is_across { (row, column + at) } else { (row + at, column) };
            let on_board = (row == 7).then(|| "CAT".chars().nth(usize::try_from(column).expect("a column").wrapping_sub(7))).flatten();
            assert_eq!((tile == '.').then_some(of_word), on_board, "{said}");
        }
    }
    let without = json!({ "position": web_position("CaT", "AEINRSX"), "options": { "limit": 100, "include_exchanges": false } });
    let without = worker.ask("generate_moves", 20_000, &without);
    assert!(without["payload"]["data"]["moves"].as_array().expect("moves").iter().all(|said| said["action"] == "place"), "{without}");
    let analysed = worker.ask("analyze", 1_500, &json!({ "position": web_position("", "AEINRST"), "options": { "limit": 3 } }));
    let first = &analysed["payload"]["data"]["moves"][0];
    assert!(first["win"].as_f64().is_some_and(|win| win > 0.5 && win < 1.0) && first["rank"] == 1 && first["score"] == 66, "{analysed}");
    // A cancelled analysis ends at once, and the worker goes on.
    let long = json!({ "protocol": 1, "id": "long", "op": "analyze", "deadline_ms": 60_000, "seed": 1, "payload": { "position": web_position("", "AEINRST") } });
    worker.send(&long.to_string());
    assert_eq!(worker.event()["event"], "started");
    assert_eq!(worker.event()["event"], "progress");
    worker.send(r#"{"protocol":1,"id":"c","op":"cancel","payload":{"target_id":"long"}}"#);
    let cancelled = [worker.end_of_answer(), worker.event()];
    let expected = |id: &str| json!({ "protocol": 1, "id": id, "event": "cancelled", "payload": { "target_id": "long" } });
    assert_eq!(cancelled, [expected("long"), expected("c")]);
    let invalid = worker.ask("validate_position", 5_000, &web_position("ZZ", "AEINRST"));
    let codes: Vec<&Value> = invalid["payload"]["data"]["issues"].as_array().expect("issues").iter().map(|issue| &issue["code"]).collect();
    assert_eq!(codes, ["tile_multiset_exceeded", "unacceptable_word"], "{invalid}");
    worker.end();
}

#[test]
fn the_worker_of_quackle_web_answers_what_is_wrong_and_goes_on() {
    let Some((mut worker, _)) = WebWorker::start("fast") else { return };
    let position = web_position("", "AEINRST");
    for (line, code) in [
        ("nonsense".to_string(), "invalid_json"),
        ("[]".to_string(), "invalid_json"),
        ("[".repeat(100_000), "invalid_json"),
        (json!({ "protocol": 2, "id": "r" }).to_string(), "protocol_mismatch"),
        (json!({ "protocol": 1, "id": 5 }).to_string(), "invalid_request"),
        (json!({ "protocol": 1, "id": "r", "op": "cancel", "payload": {} }).to_string(), "invalid_request"),
        (json!({ "protocol": 1, "id": "r", "op": "generate_moves", "payload": { "position": position } }).to_string(), "invalid_request"),
    ] {
        worker.send(&line);
        let event = worker.event();
        assert_eq!((&event["event"], &event["error"]["code"]), (&json!("error"), &json!(code)), "{event}");
    }
    let with = |key: &str, value: Value| {
        let mut changed = position.clone();
        changed[key] = value;
        changed
    };
    for (operation, position, code) in [
        ("analyze", position.clone(), "unsupported_operation"),
        ("validate_move", position.clone(), "unsupported_operation"),
        ("generate_moves", with("rack", json!("AEINRST8")), "invalid_rack"),
        ("generate_moves", with("rack", json!("AÉ")), "invalid_rack"),
        ("generate_moves", with("rack", json!("")), "invalid_rack"),
        ("generate_moves", with("rack", json!("ZZZ")), "invalid_position"),
        ("generate_moves", with("lexicon_id", json!("nwl23")), "lexicon_mismatch"),
        ("generate_moves", with("version", json!(2)), "unsupported_position_version"),
        ("generate_moves", with("board", json!({ "id": "super21", "cells": [] })), "board_mismatch"),
        ("generate_moves", with("board", json!({ "cells": [{ "row": 7, "col": 15, "letter": "A" }] })), "invalid_request"),
        ("generate_moves", with("board", json!({ "cells": [{ "row": 7, "col": 7, "letter": "é" }] })), "invalid_position"),
        ("generate_moves", with("players", json!([])), "invalid_request"),
    ] {
        let answer = worker.ask(operation, 5_000, &json!({ "position": position }));
        assert_eq!(answer["error"]["code"], code, "{operation} {position}: {answer}");
    }
    let answer = worker.ask("generate_moves", 20_000, &json!({ "position": position, "options": { "limit": 1 } }));
    assert_eq!(answer["payload"]["data"]["moves"][0]["score"], 66, "{answer}");
    // The end of the input in the middle of nothing is the end.
    worker.end();
}
