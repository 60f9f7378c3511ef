//! The command line as people type it: words that are commands of the protocol, words that are nothing, numbers that make no sense.

use std::process::{Command, Stdio};

/// Runs the program. Returns its exit status, stdout and stderr.
fn run(words: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tilewright")).args(words).stdin(Stdio::null()).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("no signal ended it"), text(&output.stdout), text(&output.stderr))
}

#[test]
fn words_that_are_nothing_are_a_wrong_command_line() {
    let check = |words: &[&str], expected: &str| {
        let (status, told, said) = run(words);
        assert_eq!((status, told.as_str()), (2, ""), "{words:?}: {said}");
        assert!(said.contains(expected), "{words:?}: {said}");
    };
    check(&["lexcion", "build"], "\"lexcion\" is neither a subcommand nor a command of the protocol: did you mean \"lexicon\"?");
    check(&["mtach", "static", "greedy"], "did you mean \"match\"?");
    check(&["--foo"], "\"--foo\" is neither");
    check(&["-x", "go"], "\"-x\" is neither");
    check(&["frobnicate"], "\"frobnicate\" is neither a subcommand nor a command of the protocol\n");
    // Nothing of a script is carried out if a line of it is no command.
    check(&["check RETAINS", "anagarm RETAINS"], "did you mean \"anagram\"?");
    check(&["match", "static"], "Usage: tilewright match");
}

#[test]
fn words_that_are_commands_are_carried_out_and_errors_set_the_status() {
    let (status, told, said) = run(&["position startpos", "rack AEINRST", "go movetime 10"]);
    assert_eq!((status, said.as_str()), (0, ""));
    assert!(told.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{told}");
    let (status, told, _) = run(&["check", "retains"]);
    assert_eq!((status, told.as_str()), (0, "info string check RETAINS valid\n"));
    let (status, told, said) = run(&["position startpos", "play nowhere", "check QI"]);
    assert_eq!((status, said.as_str()), (1, "tilewright: a command was answered by an error\n"));
    let heads: Vec<&str> = told.lines().map(|line| line.split(' ').nth(2).unwrap_or_default()).collect();
    assert_eq!(heads, ["error", "check"], "what comes behind an error is carried out");
    let (status, _, said) = run(&["rack AEINRST", "position nowhere", "go"]);
    assert_eq!((status, said.as_str()), (1, "tilewright: 3 commands were answered by errors\n"));
}

#[test]
fn a_subcommand_takes_the_flags_of_a_game_that_have_a_use_there() {
    const GAME: [&str; 6] =
        ["--lexicon <FILE>", "--letters <FILE>", "--layout <FILE>", "--bonus <POINTS>", "--exchange-limit <TILES>", "--end-when-dead"];
    const VARIANT: &str = "--variant <NAME>";
    let expected = |subcommand: &str| match subcommand {
        "match"
        | "analyse"
        | "puzzles"
        | "lab selfplay"
        | "lab train bag"
        | "lab train winpct"
        | "lab train leaves"
        | "lab train calibrate" => [GAME.as_slice(), &[VARIANT]].concat(),
        "conform" => GAME[..2].to_vec(),
        _ if subcommand.starts_with("lexicon") => vec![GAME[1]],
        _ => GAME.to_vec(),
    };
    let of_lab = "bench;endgames;pegs;selfplay;train bag;train winpct;train leaves;train calibrate;train opponents;train weights;\
                  train quantiles;regret make;regret score";
    let others = "match;analyse;puzzles;conform;lexicon build;lexicon check;lexicon leaves;lexicon export";
    let subcommands = of_lab.split(';').map(|action| format!("lab {action}")).chain(others.split(';').map(String::from));
    for subcommand in subcommands {
        let words: Vec<&str> = subcommand.split(' ').chain(["--help"]).collect();
        let (status, told, _) = run(&words);
        assert_eq!(status, 0, "{subcommand}");
        for flag in GAME.into_iter().chain([VARIANT]) {
            assert_eq!(told.contains(flag), expected(&subcommand).contains(&flag), "{subcommand} {flag}");
        }
    }
    let (_, _, said) = run(&["lexicon", "check", "none.leaves", "--letters", "english"]);
    assert!(said.starts_with("tilewright: none.leaves: "), "{said}");
    assert_eq!(said.matches("none.leaves").count() + said.matches("os error").count(), 2, "nothing is said twice: {said}");
}

#[test]
fn no_games_are_refused_by_every_subcommand_that_counts_them() {
    for words in [
        "lab endgames --games 0",
        "lab pegs --games 0",
        "lab selfplay 0",
        "match static greedy --pairs 0",
        "lab train bag --games 0 --out x",
        "lab train winpct --games 0 --out x",
        "lab train leaves --pairs 0 --out x",
        "lab train leaves --boards 0 --out x",
        "lab train calibrate --games 0",
        "lab train weights --pairs 5,0 --out x",
        "lab regret make x --games 0",
        "puzzles --games 0",
    ] {
        let (status, told, said) = run(&words.split(' ').collect::<Vec<_>>());
        assert_eq!((status, told.as_str()), (2, ""), "{words}");
        assert!(said.contains("0 is not in 1.."), "{words}: {said}");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let empty = folder.path().join("none.tsv");
    std::fs::write(&empty, "no position here\n").expect("a file");
    let (status, told, said) = run(&["lab", "endgames", "--file", &empty.display().to_string()]);
    assert_eq!((status, told.as_str()), (1, ""));
    assert!(said.contains("no endgame to solve"), "{said}");
}

#[test]
fn options_of_the_command_line_are_set_first() {
    let (status, told, said) = run(&["--option", "Variant=misere", "--option", "Threads = 2", "position startpos", "rules"]);
    assert_eq!((status, said.as_str()), (0, ""));
    assert!(told.lines().next().is_some_and(|line| line.contains(" variant misere ")), "{told}");
    // One that is refused is answered in its place, and the rest is carried out.
    let (status, told, _) = run(&["--option", "Threads=0", "isready"]);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!((status, lines.len(), lines[1]), (1, 2, "readyok"), "{told}");
    assert!(lines[0].starts_with("info string error bad-option setoption: column "), "{told}");
    let (status, told, said) = run(&["--option", "Threads", "isready"]);
    assert!(status == 2 && told.is_empty() && said.contains("expected NAME=VALUE"), "{said}");
    // In a conversation, too: `cgp` is still its first line.
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    command.args(["--option", "Lexicon=ENABLE"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().expect("the program runs");
    std::io::Write::write_all(&mut process.stdin.take().expect("its input"), b"cgp\nsetup lexicon NWL23\nready\n").expect("it reads");
    let told = process.wait_with_output().expect("its output").stdout;
    let told = String::from_utf8_lossy(&told);
    assert_eq!(told.lines().skip_while(|line| *line != "cgpok").collect::<Vec<_>>(), ["cgpok", "setupok", "readyok"], "{told}");
}
