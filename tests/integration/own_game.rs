//! A game that the program does not carry: letters, words and board from files, played by every subcommand.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Seven letters, one of them a pair of characters, and two blanks: 55 tiles.
const LETTERS: &str = "\
?,?,2,0,0
A,a,11,1,1
B,b,6,3,0
CH,ch,5,4,0
D,d,6,2,0
E,e,12,1,1
I,i,7,1,1
L,l,6,2,0
";

/// Nine by nine squares.
const LAYOUT: &str = "\
=...-...=
.\".....\".
..'...'..
.........
-...*...-
.........
..'...'..
.\".....\".
=...-...=
";

/// Every word of two to five letters in which vowels and consonants take turns.
fn words() -> String {
    let vowels = ["A", "E", "I"];
    let consonants = ["B", "[CH]", "D", "L"];
    let mut by_length = vec![[vowels.map(String::from).to_vec(), consonants.map(String::from).to_vec()]];
    for length in 1..5 {
        let [begun_by_vowel, begun_by_consonant] = &by_length[length - 1];
        let before = |letters: &[&str], rest: &[String]| {
            letters.iter().flat_map(|letter| rest.iter().map(move |word| format!("{letter}{word}"))).collect()
        };
        by_length.push([before(&vowels, begun_by_consonant), before(&consonants, begun_by_vowel)]);
    }
    let words: Vec<String> = by_length.into_iter().skip(1).flatten().flatten().collect();
    words.join("\n") + "\n"
}

/// Runs the program in a folder. Returns its exit status, stdout and stderr.
fn run(folder: &Path, words: &str) -> (bool, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    let output = command.args(words.split(' ')).current_dir(folder).stdin(Stdio::null()).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// Runs the program with the made-up game; its stdout.
fn told(folder: &Path, words: &str) -> String {
    let game = "--lexicon babble.txt --letters babble.csv --layout nine --bonus 35";
    let (is_fine, told, said) = run(folder, &format!("{words} {game}"));
    assert!(is_fine, "{words}: {said}");
    told
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in [("babble.csv", LETTERS), ("nine.txt", LAYOUT), ("babble.txt", &words())] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

const NAMES: &str = "lexicon babble letters babble layout nine bonus 35";

#[test]
fn a_made_up_language_is_played_by_every_subcommand() {
    let (folder, is_number) = (folder(), |text: &str| text.parse::<f64>().is_ok_and(|number| number > 0.0));
    let folder = folder.path();
    let text = told(folder, "lab selfplay 6 --out games");
    assert!(text.starts_with(&format!("games 6 seed 1 {NAMES}: no foul, every record reads back\n")), "{text}");
    assert!(fs::read_to_string(folder.join("games/game00000.gcg")).expect("a record").contains("#lexicon babble"));

    let text = told(folder, "lab endgames --games 3 --times 200");
    assert!(text.contains("proved within 200 ms: "), "{text}");
    let text = told(folder, "lab pegs --games 2 --in-bag 2 --movetime 300");
    assert!(text.contains(" of 2, median "), "{text}");

    let text = told(folder, "lab bench 1 0.02");
    let (signature, figures) = text.split_once('\n').expect("several lines");
    let (plays, hash) = signature.strip_prefix("Bench: ").and_then(|text| text.split_once('-')).expect("a signature");
    assert!(is_number(plays) && hash.len() == 16, "{signature}");
    for name in ["all_plays_us", "best_play_us", "static_games_per_s", "sim_playouts_per_s_m2"] {
        let figure = figures.lines().find_map(|line| line.strip_prefix(&format!("metric {name} ")));
        assert!(figure.is_some_and(is_number), "{name}: {figures}");
    }

    told(folder, "lab train winpct --games 40 --out babble.win.csv --threads 1");
    let table = fs::read_to_string(folder.join("babble.win.csv")).expect("a table");
    assert!(
        table
            .contains(&format!("tilewright lab train winpct --games 40 --seed 1, lexicon babble leaves rack-heuristic-3 {}", &NAMES[15..])),
        "{table}"
    );
    let text = told(folder, "lab train calibrate --games 20 --threads 1");
    assert!(text.contains("reliability of babble: all turns"), "{text}");
    let text = told(folder, "lab train opponents greedy --games 4 --racks 40 --threads 1");
    assert!(text.contains("static: chances that a tile was kept, mean error "), "{text}");
    assert_eq!(text, told(folder, "lab train opponents greedy --games 4 --racks 40 --threads 2"), "the threads change nothing");
    let judged = |text: &str| -> u32 {
        let all = text.lines().find_map(|line| line.strip_prefix("all ")).expect("a row for all turns");
        all.split_whitespace().next().and_then(|number| number.parse().ok()).expect("their number")
    };
    let some = told(folder, "lab train opponents greedy --games 4 --racks 40 --threads 1 --every 3");
    assert!(some.contains("\none turn in 3, at most 40 racks against a turn"), "{some}");
    let (all, some) = (judged(&text), judged(&some));
    assert!(all.abs_diff(3 * some) <= 4 * 3, "of {all} turns {some} are judged: a third, up to one of each game");
    let text = told(folder, "lab train leaves --boards 4 --pairs 4 --generations 1 --out babble.klv2 --threads 1");
    assert!(text.starts_with("generation 1: 4 boards; "), "{text}");
}

#[test]
fn a_match_in_a_made_up_language_is_refereed_and_goes_on_by_the_same_rules_alone() {
    let folder = folder();
    let text = told(folder.path(), "match static greedy --pairs 3 --referee --out m.jsonl");
    let game = NAMES.strip_prefix("lexicon ").and_then(|rest| rest.split_once(' ')).expect("a lexicon and rules");
    assert!(text.starts_with(&format!("lexicon {}@", game.0)) && text.contains(&format!(", rules {}@", game.1)), "{text}");
    assert!(text.lines().next().is_some_and(|line| line.ends_with(", 3 pairs of games")), "{text}");
    let header = fs::read_to_string(folder.path().join("m.jsonl")).expect("a file").lines().next().map(String::from).expect("a line");
    assert!(header.contains("\"rules\":\"letters babble layout nine bonus 35@"), "{header}");
    told(folder.path(), "match static greedy --pairs 4 --out m.jsonl --resume");
    let others = "match static greedy --pairs 5 --out m.jsonl --resume --lexicon babble.txt --letters babble.csv --layout nine";
    let (is_fine, _, said) = run(folder.path(), others);
    assert!(!is_fine && said.contains("of another match or tournament; rules: \"letters babble layout nine bonus 35@"), "{said}");
}

#[test]
fn words_of_a_made_up_language_are_compiled_and_checked() {
    let folder = folder();
    let count = words().lines().count();
    for line in ["lexicon build babble.txt b.kwg --letters babble.csv", "lexicon check b.kwg --letters babble"] {
        let (is_fine, told, said) = run(folder.path(), line);
        assert!(is_fine && told.starts_with(&format!("b.kwg: {count} words, ")), "{line}: {told}{said}");
    }
    let (is_fine, _, said) = run(folder.path(), "lexicon check babble.txt");
    assert!(!is_fine && said.contains("babble.txt: line "), "{said}");
}

#[test]
fn a_variant_that_is_not_played_is_refused() {
    let folder = folder();
    for (line, variant) in [("lab selfplay 1", "misere"), ("match rack1 rack1 --pairs 1", "misere")] {
        let (is_fine, told, said) = run(folder.path(), &format!("{line} --variant {variant}"));
        assert!(!is_fine && told.is_empty(), "{line}: {told}");
        let who = if line.starts_with("match") { "rack1" } else { "this subcommand" };
        assert!(said.starts_with(&format!("tilewright: {who} does not play {variant}, where ")), "{line}: {said}");
    }
}

#[test]
fn wordsmog_is_played_under_the_referee_recorded_and_analysed() {
    let folder = folder();
    let line = "match static greedy --pairs 2 --seed 4 --variant wordsmog --gcg games --referee";
    let (is_fine, told, said) = run(folder.path(), line);
    assert!(is_fine && told.contains("variant wordsmog"), "{told}{said}");
    for line in ["match sim:iterations=4,plays=3 engine:iterations=4 --pairs 1 --variant wordsmog", "lab selfplay 2 --variant wordsmog"] {
        let (is_fine, told, said) = run(folder.path(), line);
        assert!(is_fine && told.contains("variant wordsmog"), "{line}: {told}{said}");
    }
    let analysed = told_of_first_game(folder.path());
    assert!(analysed.contains("mistakes") || analysed.contains("loss"), "{analysed}");
    // Who beats whom does not depend on the order in which words are spelled.
    assert!(!run(folder.path(), "match misere misere --pairs 1 --variant wordsmog").0);
    assert!(!run(folder.path(), "match static static --pairs 1 --variant wordsmog --end-when-dead").0);
}

/// The analysis of the first record in `games`.
fn told_of_first_game(folder: &Path) -> String {
    let mut records: Vec<_> = fs::read_dir(folder.join("games")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    records.sort();
    let record = records[0].to_str().unwrap().to_string();
    let (is_fine, told, said) = run(folder, &format!("analyse games/{record} --variant wordsmog --iterations 8"));
    assert!(is_fine, "{told}{said}");
    told
}

#[test]
fn crossplay_is_played_refereed_recorded_analysed_and_played_in_tournaments() {
    let folder = folder();
    let run = |words: &str| run(folder.path(), words);
    let (is_fine, told, said) = run("lab selfplay 25 --variant crossplay --out games");
    let game = "letters english_crossplay layout crossplay15 bonus 40 variant crossplay: no foul, every record reads back";
    assert!(is_fine && told.contains(game) && told.contains("games ended by last turns 25"), "{told}{said}");
    let (is_fine, told, said) = run("analyse games/game00003.gcg --variant crossplay --iterations 8");
    assert!(is_fine && told.contains("words ENABLE, leaves crossplay"), "{told}{said}");
    let (is_fine, told, said) = run("match engine:iterations=8,nodes=300 static --pairs 1 --variant crossplay --referee");
    assert!(is_fine && told.contains("result a engine"), "{told}{said}");
    let (is_fine, _, said) = run("match static magpie --pairs 1 --variant crossplay");
    assert!(
        !is_fine && said.contains("magpie does not play crossplay, where each player has one more turn once the bag is empty"),
        "{said}"
    );
    let program = format!("name = \"wire\", command = {:?}, dialect = \"siu\"", env!("CARGO_BIN_EXE_tilewright"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    command.current_dir(folder.path()).args(["tournament", "--engine", "static", "--engine", &program]);
    command.args(["--set", "pairs=1", "--set", "game.variant=crossplay", "--set", "time.nodes=100", "--gcg", "records"]);
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("no game was lost by a fault"), "{told}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn exchange_limits_and_ends_of_games_are_flags() {
    let folder = folder();
    let line = "match static greedy --pairs 2 --redraws 0 --referee --exchange-limit 1 --end-when-dead";
    let (is_fine, told, said) = run(folder.path(), line);
    assert!(is_fine && told.contains("exchange-limit 1 end-when-dead"), "{told}{said}");
    let super_board = "match static greedy --pairs 1 --redraws 0 --referee --letters english_super --layout super21";
    let (is_fine, told, said) = run(folder.path(), super_board);
    assert!(is_fine && told.contains("letters english_super layout super21"), "{told}{said}");
}

#[test]
fn tiles_of_hundreds_of_points_on_the_largest_board_are_played_trained_for_and_analysed() {
    let folder = folder();
    let dear = LETTERS.replace("D,d,6,2,0", "D,d,6,1000,0").replace("CH,ch,5,4,0", "CH,ch,5,300,0");
    fs::write(folder.path().join("dear.csv"), dear).unwrap();
    // Few premium squares: on `super21` a play of such tiles could score more than there is room for.
    let square = |row, col| match (row, col) {
        (10, 10) => '*',
        (0 | 20, 0 | 20) => '-',
        _ if row == col => '\'',
        _ => '.',
    };
    let layout: String = (0..21).flat_map(|row| (0..21).map(move |col| square(row, col)).chain(['\n'])).collect();
    fs::write(folder.path().join("wide.txt"), layout).unwrap();
    let game = "--lexicon babble.txt --letters dear.csv --layout wide.txt";
    let run = |words: &str| {
        let (is_fine, told, said) = run(folder.path(), &format!("{words} {game}"));
        assert!(is_fine, "{words}: {told}{said}");
        told
    };
    // The referee counts each play again by the rules alone.
    run("lab train leaves --boards 1 --generations 1 --pairs 1 --out babble.klv2");
    run("lab train winpct --games 4 --out babble.win.csv");
    run("match static sim:iterations=4,plays=3 --pairs 1 --redraws 0 --referee --gcg games");
    run("match misere random --pairs 1 --redraws 0 --referee --variant misere");
    let mut records: Vec<_> = fs::read_dir(folder.path().join("games")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    records.sort();
    let record = records[0].to_str().unwrap().to_string();
    let analysed = run(&format!("analyse games/{record} --iterations 8"));
    assert!(analysed.contains("mistakes") || analysed.contains("loss"), "{analysed}");
    let text = fs::read_to_string(folder.path().join("games").join(record)).unwrap();
    let scores = text.lines().filter_map(|line| line.rsplit_once(" +")?.1.split(' ').next()?.parse::<i32>().ok());
    assert!(scores.max() > Some(1000), "{text}");
}
