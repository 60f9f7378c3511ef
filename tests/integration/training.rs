//! Training of tables as a user runs it: the same file for any number of threads, and after being killed.

use crate::integration::languages::language_folder;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Games of a small training, and how many are played between two savings.
const GAMES: u64 = 150;
const SAVE_EVERY: u64 = 6;

/// How often a training is killed.
const KILLS: usize = 3;

fn training(out: &Path, threads: usize) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    command.args(["lab", "train", "winpct", "--seed", "3", "--games", &GAMES.to_string(), "--save-every", &SAVE_EVERY.to_string()]);
    command.args(["--threads", &threads.to_string()]).arg("--out").arg(out);
    command.stdin(Stdio::null());
    command
}

/// Trains to the end. Returns the table and what was said on the way.
fn train(out: &Path, threads: usize) -> (String, String) {
    let output = training(out, threads).output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && output.stdout.is_empty(), "{said}");
    (std::fs::read_to_string(out).expect("the table is written"), said)
}

/// Games counted in a journal whose pieces have `SAVE_EVERY` of them; 0 if there is none.
fn games_counted(journal: &Path) -> u64 {
    SAVE_EVERY * pieces(journal)
}

/// Whole lines of a journal after the first one.
fn pieces(journal: &Path) -> u64 {
    std::fs::read_to_string(journal).unwrap_or_default().matches('\n').count().saturating_sub(1) as u64
}

/// Waits until more than `before` games are counted, or the training has ended.
fn wait_for_more(child: &mut Child, checkpoint: &Path, before: u64) {
    let start = Instant::now();
    while games_counted(checkpoint) <= before && child.try_wait().expect("the process can be waited for").is_none() {
        assert!(start.elapsed() < Duration::from_secs(60), "no game was counted");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn training_killed_at_random_moments_makes_the_same_table_as_one_uninterrupted_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (in_one_go, said) = train(&folder.path().join("whole.win.csv"), 1);
    assert!(said.contains("tilewright lab train winpct --seed 3 --games 150 --save-every 6 --threads 1 --out "), "{said}");
    assert!(said.contains("games 150 of 150, ") && said.contains("games/s, 0 s left"), "{said}");

    let out = folder.path().join("killed.win.csv");
    let checkpoint = folder.path().join("killed.win.csv.part");
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.subsec_nanos());
    let mut counted = 0;
    for kill in 0..KILLS {
        let mut child = training(&out, kill + 1).stderr(Stdio::null()).spawn().expect("the program starts");
        wait_for_more(&mut child, &checkpoint, counted);
        // From here on at any moment: between two savings, or while the file is written.
        std::thread::sleep(Duration::from_micros(u64::from(nanos) * (kill as u64 + 1) % 40_000));
        child.kill().expect("the process can be killed");
        child.wait().expect("the process ends");
        counted = games_counted(&checkpoint);
    }
    let (resumed, said) = train(&out, 3);
    assert!(counted == 0 || said.contains(&format!("{counted} games are counted")), "{said}");
    assert_eq!(resumed, in_one_go, "killed {KILLS} times, delays by {nanos}");
    assert!(!checkpoint.exists(), "a checkpoint is left behind");
    let in_one_go_on_two = train(&folder.path().join("two.win.csv"), 2).0;
    assert_eq!(in_one_go_on_two, in_one_go);
}

/// A training of weights with few games, which is killed once this many trials are saved, or never.
fn train_weights(out: &Path, pairs: &str, killed_after: Option<usize>) -> (bool, String, String) {
    train_weights_with(&["--passes", "1", "--threads", "2"], out, pairs, killed_after)
}

fn train_weights_with(flags: &[&str], out: &Path, pairs: &str, killed_after: Option<usize>) -> (bool, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    command.args(["lab", "train", "weights", "--pairs", pairs]).args(flags).arg("--out").arg(out).stdin(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    if let Some(trials) = killed_after {
        let checkpoint = out.with_extension("csv.part");
        let saved = || std::fs::read_to_string(&checkpoint).unwrap_or_default().lines().count();
        let start = Instant::now();
        while saved() <= trials && child.try_wait().expect("the process can be waited for").is_none() {
            assert!(start.elapsed() < Duration::from_secs(60), "no trial was saved");
        }
        child.kill().expect("the process can be killed");
    }
    let output = child.wait_with_output().expect("the process ends");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

#[test]
fn weights_trained_in_pieces_are_those_of_one_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [whole, part] = ["whole.csv", "part.csv"].map(|name| folder.path().join(name));
    let (_, told, said) = train_weights(&whole, "2,1", None);
    assert!(told.starts_with("weights against greedy: seed 1, pairs 2,1, at most 1 passes, lexicon ENABLE\ntile"), "{told}{said}");
    let signs = told.lines().last().unwrap().strip_suffix(" of 47 weights that are not zero in the paper have its sign");
    assert!(signs.is_some_and(|same| same.parse::<u32>().is_ok_and(|same| same <= 47)), "{told}");
    train_weights(&part, "2,1", Some(30));
    train_weights(&part, "2,1", Some(120));
    let (is_fine, _, said) = train_weights(&part, "2,2", None);
    assert!(!is_fine && said.contains("pairs 2,1, ") && said.contains("it belongs to "), "another search is not gone on with: {said}");
    let (is_fine, _, said) = train_weights(&part, "2,1", None);
    assert!(is_fine, "{said}");
    let table = |path: &Path| std::fs::read_to_string(path).expect("the table is written");
    assert_eq!(table(&part), table(&whole));
    assert_eq!(table(&whole).lines().count(), 2 + 27);
}

#[test]
fn weights_trained_together_do_not_depend_on_threads_or_interruptions() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [whole, part] = ["whole.csv", "part.csv"].map(|name| folder.path().join(name));
    let train = |out: &Path, threads: &str, killed_after| {
        train_weights_with(&["--together", "--passes", "3", "--threads", threads], out, "12,6", killed_after)
    };
    let (is_fine, told, said) = train(&whole, "1", None);
    assert!(is_fine, "{said}");
    assert!(told.starts_with("weights against greedy: all together, seed 1, pairs 12,6, 3 passes, lexicon ENABLE\ntile"), "{told}");
    let last = told.lines().last().unwrap();
    assert!(last.starts_with("first pass: a weight raised against the same lowered, points a game: at most "), "{told}");
    train(&part, "2", Some(2));
    let (is_fine, told_again, said) = train(&part, "2", None);
    assert!(is_fine, "{said}");
    assert_eq!(told_again, told);
    let table = |path: &Path| std::fs::read_to_string(path).expect("the table is written");
    assert_eq!(table(&part), table(&whole));
    // A line that is no result of a pass is told with its number.
    std::fs::write(part.with_extension("csv.part"), format!("{}\n1 2 3\n", told.lines().next().unwrap())).expect("a file");
    std::fs::remove_file(&part).expect("the table is there");
    let (is_fine, _, said) = train(&part, "1", None);
    assert!(!is_fine && said.contains("line 2: \"1 2 3\"") && said.contains("expected 50 numbers, found 3"), "{said}");
}

#[test]
fn a_checkpoint_of_other_games_is_not_continued() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let checkpoint = folder.path().join("t.win.csv.part");
    let other =
        training(&folder.path().join("t.win.csv"), 1).args(["--shard", "25/25", "--bonus", "35"]).output().expect("the program runs");
    assert!(other.status.success());
    let output = training(&folder.path().join("t.win.csv"), 1).output().expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("the journal is of another training; game: \"lexicon ENABLE leaves "), "{said}");
    assert!(!folder.path().join("t.win.csv").exists() && checkpoint.exists());
}

#[test]
fn bag_terms_are_the_same_on_any_number_of_threads_and_a_player_can_use_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_tilewright")).args(arguments).output().expect("the program runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let [one, two] = ["1", "2"].map(|threads| {
        let out = folder.path().join(format!("{threads}.bag.csv")).display().to_string();
        run(&["lab", "train", "bag", "--games", "300", "--threads", threads, "--out", &out]);
        out
    });
    let text = std::fs::read_to_string(&one).expect("the terms are written");
    assert_eq!(text, std::fs::read_to_string(two).expect("the terms are written"));
    assert!(text.contains("tilewright lab train bag --games 300 --seed 1, lexicon ENABLE leaves "), "{text}");
    let players = [format!("static:late=off,bag={one}"), "static:late=off,bag=none".to_string()];
    let report = run(&["match", &players[0], &players[1], "--pairs", "20"]);
    let divergent = report.split_once(" divergent ").and_then(|(_, rest)| rest.split(' ').next()).expect("a result");
    assert_ne!(divergent, "0", "{report}");
}

#[test]
fn a_calibration_prints_scores_and_tables() {
    let calibrate = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
        let output = command.args(["lab", "train", "calibrate", "--games", "40", "--threads", "2"]).output().expect("the program runs");
        assert!(output.status.success());
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let report = calibrate();
    assert!(report.starts_with("40 games, seed 2, lexicon ENABLE leaves "), "{report}");
    for turns in ["all turns", "turns with 90 tiles unseen", "turns with 7 tiles unseen"] {
        assert!(report.lines().any(|line| line.starts_with("reliability of ") && line.ends_with(turns)), "{report}");
    }
    let scores = report.lines().find(|line| line.starts_with("all ")).expect("a line of scores");
    let briers: Vec<f64> = scores.split_whitespace().filter_map(|word| word.parse().ok()).filter(|&score| score < 1.0).collect();
    assert_eq!(briers.len(), 4, "{scores}");
    assert!(briers.iter().all(|brier| (0.05..0.25).contains(brier)), "no better than tossing a coin: {scores}");
    assert_eq!(calibrate(), report);
}

/// Boards of a small training of leave values.
const BOARDS: u64 = 64;

/// A training for the made-up language of this folder, which has fewer leaves than others.
fn leave_training(folder: &Path, out: &str, threads: usize) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    command.args([
        "lab",
        "train",
        "leaves",
        "--letters",
        "tiny.csv",
        "--lexicon",
        "tiny.txt",
        "--seed",
        "3",
        "--boards",
        &BOARDS.to_string(),
    ]);
    command.args(["--save-every", "1", "--generations", "1", "--pairs", "8", "--threads", &threads.to_string()]);
    command.args(["--out", &format!("{out}.klv2"), "--racks", &format!("{out}.racks")]);
    command.current_dir(folder).stdin(Stdio::null());
    command
}

#[test]
fn leave_values_are_the_same_uninterrupted_and_when_killed() {
    let folder = language_folder();
    let folder = folder.path();
    let output = leave_training(folder, "whole", 1).output().expect("the program runs");
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    assert!(report.starts_with("generation 1: 64 boards; of 4619 leaves, "), "{report}");
    assert!(report.contains("generation 1 against the one before: 8 pairs, spread "), "{report}");
    assert!(report.contains("\n6 worst: "), "{report}");
    assert!(
        said.contains("tilewright lab train leaves --letters tiny.csv --lexicon tiny.txt --seed 3 --boards 64 --save-every 1 "),
        "{said}"
    );

    let checkpoint = folder.join("killed.klv2.part");
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.subsec_nanos());
    let mut counted = 0;
    for threads in [2, 1] {
        let mut child = leave_training(folder, "killed", threads).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let start = Instant::now();
        while pieces(&checkpoint) <= counted && child.try_wait().expect("the process can be waited for").is_none() {
            assert!(start.elapsed() < Duration::from_secs(60), "no board was counted");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(u64::from(nanos) % 100_000));
        child.kill().expect("the process can be killed");
        child.wait().expect("the process ends");
        counted = pieces(&checkpoint);
    }
    let output = leave_training(folder, "killed", 2).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for file in ["klv2", "racks"] {
        let bytes = |run: &str| std::fs::read(folder.join(format!("{run}.{file}"))).expect("the file is written");
        assert!(bytes("whole") == bytes("killed"), "the {file} files differ, delays by {nanos}");
    }
    assert!(!checkpoint.exists(), "a checkpoint is left behind");
}

/// A judgement of models on a player's games, which is killed once something is saved, or never. Returns the report, if it came to its end.
fn judge_models(out: &Path, games: u64, is_killed: bool) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    command
        .args(["lab", "train", "opponents", "static:late=off", "--every", "5", "--racks", "8", "--games", &games.to_string(), "--out"])
        .arg(out);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let work = out.with_extension("txt.part");
    while is_killed && pieces(&work) == 0 {
        assert!(child.try_wait().expect("the process can be waited for").is_none(), "it ended before anything was saved");
        std::thread::sleep(Duration::from_millis(1));
    }
    if is_killed {
        child.kill().expect("the process can be killed");
    }
    let output = child.wait_with_output().expect("the process can be waited for");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(String::from_utf8_lossy(&output.stdout).into_owned()) } else { Err(said) }
}

#[test]
fn models_judged_in_pieces_are_judged_as_in_one_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [whole, part] = ["whole.txt", "part.txt"].map(|name| folder.path().join(name));
    let report = judge_models(&whole, 24, false).expect("a report");
    assert!(report.contains("24 games against itself") && report.contains("Brier score"), "{report}");
    assert_eq!(std::fs::read_to_string(&whole).expect("the report is written"), report);

    judge_models(&part, 24, true).expect_err("it was killed");
    let refused = judge_models(&part, 5, false).expect_err("fewer games than are saved");
    assert!(refused.contains("beyond the 5 asked for"), "{refused}");
    assert_eq!(judge_models(&part, 24, false).as_ref(), Ok(&report));
    assert!(!part.with_extension("txt.part").exists());
}
