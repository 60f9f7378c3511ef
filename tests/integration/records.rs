//! Games written down by `gcg` and read again by `position gcg`: what a session remembers of a game is the game.

use crate::integration::engine_process::EngineProcess;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Every kind of event but going out; the second player of the list begins.
const GAME: &str = "\
#character-encoding UTF-8
#player1 Ben
#player2 Ann Ann Arbor
#title A short game
#lexicon ENABLE
>Ann: ACEIRTV 8D VICAR +28 28
#note The first play,
and a note of two lines.
>Ben: AEFGHII -FGII +0 0
>Ann: BDEELNT - +0 28
>Ben: AAEHOOT H7 O.EA +4 4
>Ben: AAEHOOT -- -4 0
>Ann: BDEELNT H8 (R)END +5 33
>Ann: BELT (challenge) +5 38
>Ben: AAEHOOT 11H DOAT +10 10 DOAT, EnD
>Ann: BELQTU? - +0 38
>Ben: AEHIIOS - +0 10
>Ann: BELQTU? -3 +0 38
>Ben: AEHIIOS - +0 10
>Ann: EILRST? - +0 38
>Ben: AEHIIOS - +0 10
>Ann: EILRST? (EILRST?) -6 32
>Ben: AEHIIOS (AEHIIOS) -10 0
>Ben: AEHIIOS (time) -20 -20
";

/// The record that `gcg` shows.
fn record(engine: &mut EngineProcess) -> String {
    let lines = engine.ask("gcg");
    let count: usize = lines[0].strip_prefix("info string gcg lines ").expect("a record").parse().expect("a number");
    assert_eq!(lines.len(), count + 1, "{lines:?}");
    lines[1..].iter().map(|line| line.trim_start_matches("info string ").to_string() + "\n").collect()
}

fn accepted(engine: &mut EngineProcess, line: &str) -> Vec<String> {
    let answer = engine.ask(line);
    assert!(!answer.iter().any(|line| line.starts_with("info string error ")), "{line:?} was answered {answer:?}");
    answer
}

#[test]
fn a_game_that_is_read_is_written_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a game.gcg");
    fs::write(&file, GAME).expect("a file");
    let mut engine = EngineProcess::start();
    accepted(&mut engine, &format!("position gcg {}", file.display()));
    // The player who begins is the first one now.
    let expected = GAME.replace("#player1 Ben\n#player2 Ann Ann Arbor\n", "#player1 Ann Ann Arbor\n#player2 Ben\n");
    assert_eq!(record(&mut engine), expected);
    let again = folder.path().join("again.gcg");
    let told = accepted(&mut engine, &format!("gcg {}", again.display()));
    assert_eq!(told, [format!("info string gcg lines {} file {}", expected.lines().count(), again.display())]);
    assert_eq!(fs::read_to_string(&again).expect("a record"), expected);
    // It is not written over, and nothing else is left in the folder.
    engine.refused(&format!("gcg {}", again.display()), "bad-option");
    engine.refused(&format!("gcg {}/no/such/folder.gcg", folder.path().display()), "bad-option");
    assert_eq!(fs::read_to_string(&again).expect("a record"), expected);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
    // Twelve turns, of which one is a phony with its withdrawal; what was said behind a turn goes with it.
    for _ in 0..12 {
        accepted(&mut engine, "undo");
    }
    engine.refused("undo", "bad-move");
    assert_eq!(
        record(&mut engine),
        "#character-encoding UTF-8\n#player1 Ann Ann Arbor\n#player2 Ben\n#rack1 ACEIRTV\n#title A short game\n#lexicon ENABLE\n"
    );
}

#[test]
fn games_are_the_same_read_whole_or_played_on_from_any_turn() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = folder.path().join("games");
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
        let made = command.args(["match", "static:late=off", "greedy", "--pairs", "2", "--gcg"]).arg(&games).output().expect("a match");
        assert!(made.status.success(), "{made:?}");
    }
    let mut engine = EngineProcess::start();
    let mut files = 0;
    for entry in fs::read_dir(&games).expect("the games") {
        let file = entry.expect("an entry").path();
        engine.renew_limit();
        check_game(&mut engine, &file);
        files += 1;
    }
    assert_eq!(files, 4);
}

fn check_game(engine: &mut EngineProcess, file: &Path) {
    let text = fs::read_to_string(file).expect("a record");
    let expected = format!("#character-encoding UTF-8\n{text}");
    accepted(engine, &format!("position gcg {}", file.display()));
    assert_eq!(record(engine), expected);
    let events: Vec<&str> = text.lines().filter(|line| line.starts_with('>')).collect();
    for begin in [1, 2, events.len() / 2] {
        accepted(engine, &format!("position gcg {} turn {begin}", file.display()));
        for event in &events[begin - 1..] {
            // `>a: GILLOOP 8D POLIO +20 20`
            let words: Vec<&str> = event.split(' ').collect();
            let &[_, rack, what, ..] = words.as_slice() else { panic!("{event}") };
            let [points, total] = [words[words.len() - 2], words[words.len() - 1]];
            let play = match what.strip_prefix('-') {
                _ if rack.starts_with('(') => continue,
                Some("") => "pass".to_string(),
                Some(tiles) => format!("ex.{tiles}"),
                None => format!("{what}.{}", whole_word(engine, what, words[3])),
            };
            accepted(engine, &format!("rack {rack}"));
            let told = accepted(engine, &format!("play {play}"));
            let says = told[0].split(' ').collect::<Vec<_>>();
            assert_eq!(format!("+{}", says[5]), points, "{told:?}");
            let [own, other] = says[11].split_once('/').map(<[&str; 2]>::from).expect("two scores");
            if says[15] == "no" {
                assert!(own == total || other == total, "{told:?} in {event:?}");
            }
        }
        let lines: Vec<String> = record(engine).lines().map(String::from).collect();
        let wanted: Vec<&str> = expected.lines().collect();
        assert_eq!(lines, wanted, "from turn {begin} of {}", file.display());
    }
}

/// The word with the letters on the board that stand as dots in a record.
fn whole_word(engine: &mut EngineProcess, place: &str, word: &str) -> String {
    if !word.contains('.') {
        return word.to_string();
    }
    let drawn = accepted(engine, "d");
    let is_across = place.starts_with(|c: char| c.is_ascii_digit());
    let row: usize = place.trim_matches(|c: char| c.is_ascii_alphabetic()).parse().expect("a row");
    let column = usize::from(place.trim_matches(|c: char| c.is_ascii_digit()).as_bytes()[0] - b'A');
    let cell = |at: usize| {
        let (row, column) = if is_across { (row, column + at) } else { (row + at, column) };
        // The line of a row: its number in three columns, then two for each square.
        drawn[row].trim_start_matches("info string ").to_string().chars().rev().nth(2 * (14 - column)).expect("a square")
    };
    word.chars().enumerate().map(|(at, c)| if c == '.' { cell(at) } else { c }).collect()
}
