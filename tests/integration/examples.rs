//! The programs of `examples/`, run as their readers run them. `cargo test` builds them before it runs this.

use std::path::PathBuf;
use std::process::Command;

/// Where an example is built.
pub fn program(name: &str) -> PathBuf {
    // Tests are built in `<profile>/deps`, examples beside it.
    let test = std::env::current_exe().expect("this test is a program");
    let folder: PathBuf = test.ancestors().nth(2).expect("a folder of the build").join("examples");
    let program = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "{} is not built: `cargo test` alone builds it, `cargo test --test integration` does not", program.display());
    program
}

/// The output of an example.
fn run(name: &str) -> Vec<String> {
    let output = Command::new(program(name)).output().expect("an example can be started");
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text").lines().map(String::from).collect()
}

#[test]
fn best_play_ranks_five_plays() {
    let lines = run("best_play");
    assert_eq!(lines.len(), 5, "{lines:?}");
    let equity = |line: &String| line.split_whitespace().skip_while(|word| *word != "equity").nth(1).unwrap().parse::<f64>().unwrap();
    assert!(lines.windows(2).all(|pair| equity(&pair[0]) >= equity(&pair[1])), "{lines:?}");
}

#[test]
fn simulate_streams_rankings_that_rest_on_more_and_more() {
    let lines = run("simulate");
    assert!(lines.len() >= 2, "{lines:?}");
    let iterations = |line: &String| line.rsplit(' ').nth(1).unwrap().parse::<u64>().unwrap();
    assert!(lines.windows(2).all(|pair| iterations(&pair[0]) <= iterations(&pair[1])), "{lines:?}");
    assert!(iterations(lines.last().unwrap()) > 0);
}

#[test]
fn solve_endgame_finds_the_value_that_the_oracle_has() {
    let lines = run("solve_endgame");
    assert!(lines[0].starts_with("the spread changes by -6 points, proved"), "{lines:?}");
    let [first, second] = [0, 2].map(|at| lines.last().unwrap().split(' ').nth(2 + at).unwrap().parse::<i32>().unwrap());
    assert_eq!(first - second, 397 - 433 - 6, "{lines:?}");
}

#[test]
fn own_word_list_plays_its_words_and_says_what_is_wrong_with_others() {
    let lines = run("own_word_list");
    assert!(lines[0].starts_with("with 5 words: 8"), "{lines:?}");
    assert_eq!(lines[1], "mine: line 2: column 2: \"-\" is not a tile of the english alphabet");
    assert_eq!(lines[2], "no lexicon \"birds\": no birds.kwg or birds.txt in the files of this engine; built in: ENABLE");
}

#[test]
fn own_player_wins_some_of_its_games() {
    let lines = run("own_player");
    let words: Vec<&str> = lines[0].split_whitespace().collect();
    assert_eq!((lines.len(), &words[1..6]), (1, ["of", "40", "games", "won,", words[5]].as_slice()), "{lines:?}");
    let (won, points): (u32, f64) = (words[0].parse().unwrap(), words[5].parse().unwrap());
    // The highest score instead of the best play costs some thirty points a game, six standard errors of forty games.
    assert!((1..40).contains(&won) && (-100.0..0.0).contains(&points), "{lines:?}");
}

#[test]
fn infer_names_leaves_that_the_turn_has_made_likelier() {
    let lines = run("infer");
    assert_eq!(lines.len(), 5, "{lines:?}");
    let percents = |line: &String| -> Vec<f64> {
        line.split_whitespace()
            .zip(line.split_whitespace().skip(1))
            .filter(|(_, next)| next.starts_with('%'))
            .map(|(n, _)| n.parse().unwrap())
            .collect()
    };
    for line in &lines {
        let [after, before] = percents(line)[..] else { panic!("{line}") };
        assert!(after > before, "{line}");
    }
    assert!(lines.windows(2).all(|pair| percents(&pair[0])[0] >= percents(&pair[1])[0]), "{lines:?}");
}

#[test]
fn paired_match_tells_results_with_and_without_luck() {
    let lines = run("paired_match");
    assert_eq!(lines.len(), 2, "{lines:?}");
    let points = |line: &String| line.rsplit(", ").next().unwrap().split(' ').next().unwrap().parse::<f64>().unwrap();
    // Forty points a game: more than four standard errors of twenty pairs.
    assert!(points(&lines[1]) > 0.0, "{lines:?}");
    assert_ne!(points(&lines[0]), points(&lines[1]), "{lines:?}");
    // The same players as those of the program: each with the tables that its text names.
    let words = ["match", "static:late=off", "greedy", "--pairs", "20", "--seed", "1"];
    let output = Command::new(env!("CARGO_BIN_EXE_tilewright")).args(words).output().expect("the program runs");
    let said = String::from_utf8(output.stdout).expect("text");
    for (line, start) in [(&lines[0], "result "), (&lines[1], "adjusted ")] {
        let figures = said.lines().find(|line| line.starts_with(start)).expect("a line for scripts");
        let figure = |key: &str| -> f64 { figures.split(&format!(" {key} ")).nth(1).unwrap().split(' ').next().unwrap().parse().unwrap() };
        let expected = format!("wins {:.1} %, {:+.1} points a game", figure("winpct"), figure("spread"));
        assert!(line.ends_with(&expected), "{line}, expected {expected}");
    }
}
