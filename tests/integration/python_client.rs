//! The Python client, `scripts/client.py`, against the program, and `scripts/siu_magpie.py` against a stand-in for MAGPIE. `python/tests/test_engine.py` tests
//! the module that the client shows. Without Python 3 the tests are skipped, with a message.

use crate::integration::needs::Need;
use crate::integration::positions::{ENDGAME, OPENING, PRE_ENDGAME};
use std::path::Path;
use std::process::{Command, Output};

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

/// A console that answers the adapter's commands as MAGPIE does: a placement in a simulation, an exchange with few tiles in the bag, and in endgames a pass. It
/// writes down which positions it was given.
const STAND_IN: &str = r#"#!/usr/bin/env python3
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
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, text).expect("a file");
        path
    };
    let program = write("bin/magpie", STAND_IN);
    std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).expect("it may be run");
    let english = include_str!("../../src/formats/data/english.csv");
    let letters: String = english.lines().filter(|line| !line.starts_with('#')).map(|line| line.to_string() + "\n").collect();
    write("data/letterdistributions/english.csv", &letters);
    let lines = format!(
        "import io, pathlib, sys\nimport siu_magpie\n\
         sys.argv = ['siu_magpie.py', '--magpie', r'{0}']\n\
         later = '/'.join(['AAAAAAAAAEEEEEE'] + ['15'] * 14)\n\
         tiles = siu_magpie.read_distribution(pathlib.Path(r'{0}'))\n\
         tiles.subtract('AEINRSTBCDEGLO')\n\
         text = ''.join('e' if tile == '?' else tile for tile in sorted(tiles.elements()))\n\
         last = '/'.join([text[row * 15:row * 15 + 15] for row in range(5)] + [text[75:] + '4'] + ['15'] * 9)\n\
         asked = ['{OPENING}', later + ' DEIOQRU/ 0/0 0', '15/' * 14 + '15 AB/CD 0/0 0', last + ' AEINRST/BCDEGLO 0/0 0']\n\
         sys.stdin = io.StringIO('siu\\nisready\\n' + ''.join(f'position cgp {{cgp}}\\ngo movetime 300\\n' for cgp in asked) + 'quit\\n')\n\
         siu_magpie.main()",
        folder.path().display()
    );
    let Some(output) = python(&["-c", &lines]) else { return };
    let said = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let answers: Vec<&str> = said.lines().filter(|line| line.starts_with("bestmove")).collect();
    assert_eq!(answers, ["bestmove 8D.WEn", "bestmove ex.DE", "bestmove 8D.WEn", "bestmove pass"], "{said}{error}");
    let told = std::fs::read_to_string(folder.path().join("told.txt")).expect("what it was told");
    let positions: Vec<&str> = told.lines().filter_map(|line| line.strip_prefix("cgp ")).collect();
    // The first two are those of the start.
    let racks = |position: &str| -> Vec<String> { position.split(' ').nth(1).expect("racks").split('/').map(str::to_string).collect() };
    assert_eq!(positions.len(), 6, "{told}");
    assert!(positions[2..].iter().all(|position| racks(position)[1].len() == 7), "{told}");
    assert!(racks(positions[4])[1].starts_with("CD"), "what is known of the other rack stays: {}", positions[4]);
    assert_eq!(racks(positions[5]), ["AEINRST", "BCDEGLO"]);
}
