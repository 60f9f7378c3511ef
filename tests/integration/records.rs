//! Games written down by `gcg` and read again by `position gcg`: what a session remembers of a game is the game.

use crate::integration::engine_process::EngineProcess;
use crate::integration::tournament_formats::players;
use crate::integration::tournaments::Tournament;
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

const FIRST: &str = "#player1 Ann Ann\n#player2 Ben Ben\n>Ann: ABEIRST 8D BAITERS +74 74\n";

/// Games as other programs and people write them: the events behind [`FIRST`], the number of turns, the scores at the end, the lines with a note.
const OTHERS: [(&str, usize, [i32; 2], &[usize]); 8] = [
    (">Ben: AEGINOTX -AX +0 0\n>Ann: CEEOLMR 7G OE +8 82\n", 3, [82, 0], &[4]),
    (">Ben: AGIIKOS 9G FAG +29 29\n>Ben: AGIIKOS -- -29 0\n>Ann: CEEOLMR 7G OE +8 82\n", 3, [82, 0], &[4]),
    (">Ben: AEGINOT -GI\n>Ann: CEELMOR 7G OE +8\n", 3, [82, 0], &[4, 4]),
    (">Ann: CEELMOR (challenge) +5 79\n>Ben: AEGINOT -GI +0 0\n>Ann: CEELMOR 7G OE +8 87\n", 3, [87, 0], &[]),
    (">Ben: AEGINOT -GI +0 0\n>Ann: CEELMOR 7G OE +18 92\n>Ben: AEENOTT - +0 0\n>Ann: CLMRAAA - +0 92\n", 5, [92, 0], &[5]),
    (">Ben: NDYEOUI -OUIIYI +0 0\n", 2, [74, 0], &[4]),
    (">BEN: AEGINOT -GI +0 0\n#incomplete ADEILNS\n", 2, [74, 0], &[]),
    (
        ">Ben: AEGINOT - +0 0\n>Ann: CEELMOR - +0 74\n>Ben: AEGINOT - +0 0\n>Ann: CEELMOR - +0 74\n>Ben: AEGINOT - +0 0\n>Ann: CEELMOR - +0 74\n\
         >Ann: CEELMOR (CEELMOR) +-11 63\n>Ben: AEGINOT (AEGINOT) +-8 -8\n",
        7,
        [63, -8],
        &[10, 11],
    ),
];

/// The scores of player 1 and 2 in the position.
fn scores(engine: &mut EngineProcess) -> [i32; 2] {
    let drawn = accepted(engine, "d");
    [1, 2].map(|player| {
        let start = format!("info string player {player} score ");
        let line = drawn.iter().find_map(|line| line.strip_prefix(&start)).expect("a line of the player");
        line.split(' ').next().and_then(|score| score.parse().ok()).expect("a score")
    })
}

#[test]
fn games_of_others_are_read_by_every_door_as_they_were_meant() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut engine, mut starts) = (EngineProcess::start(), Vec::new());
    for (number, (events, turns, expected, lines)) in OTHERS.iter().enumerate() {
        let text = format!("{FIRST}{events}");
        let file = folder.path().join(format!("turn {number} moves.gcg"));
        fs::write(&file, &text).expect("a file");
        let named = serde_json::to_string(&file.display().to_string()).expect("JSON");
        for door in [format!("position gcg {named}"), format!("position record {}", serde_json::to_string(&text).expect("JSON"))] {
            let notes: Vec<usize> = accepted(&mut engine, &door)
                .iter()
                .map(|line| line.strip_prefix("info string note line ").expect("a note").split(' ').next().expect("a number"))
                .map(|line| line.parse().expect("a number"))
                .collect();
            assert_eq!(&notes[..], *lines, "{events}");
            assert_eq!(scores(&mut engine), *expected, "{events}");
            assert_eq!(accepted(&mut engine, "turns")[0], format!("info string turns {turns}"), "{events}");
            // What is written is read again as the same game.
            let written = serde_json::to_string(&record(&mut engine)).expect("JSON");
            accepted(&mut engine, &format!("position record {written}"));
            assert_eq!(scores(&mut engine), *expected, "{events}");
        }
        // A fault behind a turn does not hide it, and is not told with it.
        let before = accepted(&mut engine, &format!("position gcg {named} turn 2"));
        assert!(before.is_empty() || lines.contains(&4), "{before:?}");
        assert_eq!(scores(&mut engine), [74, 0]);
        if *turns > 2 {
            starts.push(named);
        }
    }
    let game = format!("[game]\nstarts = [{}]\nstart_turn = 3\n", starts.join(", "));
    let tournament = Tournament::new(&format!("pairs = {}\n{game}{}", starts.len(), players(&["greedy", "rack1"])));
    let run = tournament.run(&[]);
    let told = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && told.contains("turn 0 moves.gcg: line 4: column 7: 8 tiles, a rack holds 7: "), "{told}");
    for (pair, (events, ..)) in tournament.journal("t.journal")[1..].iter().zip(OTHERS.iter().filter(|other| other.1 > 2)) {
        let start = pair["start"].as_str().expect("a position");
        let board = if events.contains(" 9G FAG ") { "/9FAG" } else { "" };
        assert!(start.contains("/3BAITERS5/") && (start.contains(board) || start.contains("6FAG")), "{start}");
    }
    let out = folder.path().join("report.json");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    let done = command.arg("analyse").arg(folder.path()).args(["--iterations", "1", "--json"]).arg(&out).output().expect("a report");
    assert!(done.status.success(), "{done:?}");
    let report: serde_json::Value = serde_json::from_str(&fs::read_to_string(out).expect("a report")).expect("JSON");
    for ((events, turns, expected, _), game) in OTHERS.iter().zip(report["games"].as_array().expect("games")) {
        let found = [0, 1].map(|player| game["players"][player]["score"].as_i64().expect("a score"));
        assert_eq!((game["turns"].as_array().map(Vec::len), found), (Some(*turns), expected.map(i64::from)), "{events}");
    }
}

#[test]
fn a_game_in_other_letters_names_them() {
    let mut engine = EngineProcess::start();
    let german = "#player1 Ute Ute\n#player2 Jan Jan\n>Ute: AEGIMRÖ 8F RÖGE +24 24\n>Jan: EEGNRST -GR +0 0\n>Ute: AIMNSTU H8 .UT +14 38\n";
    let line = format!("position record {}", serde_json::to_string(german).expect("JSON"));
    let told = engine.refused(&line, "bad-position");
    assert!(told.contains("set LetterDistribution to german"), "{told}");
    engine.tell("setoption name LetterDistribution value german");
    let noted = accepted(&mut engine, &line);
    assert_eq!(noted, ["info string note line 5 +14 points are stated, but the rules give +4: kept, since no total after it disagrees"]);
    assert_eq!(scores(&mut engine), [38, 0]);
}

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
