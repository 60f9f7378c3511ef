//! `tilewright analyse` on games that the program plays against itself, and on files with faults.

use crate::integration::in_folder::{fine, read, run};
use crate::integration::json_schema::Schema;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

#[test]
fn a_game_is_reported_in_all_forms_and_twice_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fine(folder, "lab selfplay 2 --seed 5 --out games");
    let line = "analyse games/game00001.gcg --iterations 20";
    let text = fine(folder, &format!("{line} --threads 1 --html a.html --json a.json --gcg a.gcg"));
    assert_eq!(fine(folder, &format!("{line} --threads 3 --json b.json")), text, "threads change nothing");
    let turns = read(folder, "games/game00001.gcg").lines().filter(|line| line.starts_with('>') && !line.contains(" (")).count();
    let report: Value = serde_json::from_str(&read(folder, "a.json")).expect("JSON");
    let judged = report["games"][0]["turns"].as_array().expect("turns");
    assert_eq!(judged.len(), turns);
    assert!(judged.iter().all(|turn| turn["verdict"].is_object() && turn["luck"].is_object()), "all racks are known");
    assert_eq!(report["games"][0]["notes"], Value::Array(Vec::new()));
    let exact = judged.iter().filter(|turn| turn["in_bag"] == 0 && turn["verdict"]["certainty"] == "exact").count();
    assert!(exact > 0, "lab endgames are exact");
    assert_eq!(read(folder, "a.html").matches("<section class=\"turn\"").count(), turns);
    assert_eq!(read(folder, "a.gcg").lines().filter(|line| line.starts_with("#note ")).count(), turns);
    // The record with its notes is a game that can be analysed again, and nothing is written over unasked.
    fine(folder, "analyse a.gcg --iterations 1");
    let (is_fine, _, errors) = run(folder, &format!("{line} --json a.json"));
    assert!(!is_fine && errors.contains("--force"), "{errors}");
}

/// The names of all values of a document.
fn names(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(parts) => parts.iter().for_each(|(name, part)| {
            found.insert(name.clone());
            names(part, found);
        }),
        Value::Array(parts) => parts.iter().for_each(|part| names(part, found)),
        _ => {}
    }
}

#[test]
fn every_value_of_the_json_is_described_and_every_described_one_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fine(folder, "lab selfplay 2 --seed 5 --out games");
    // A fault, a pass, a rack that is not known: what a report may have.
    fs::write(folder.join("games/odd.gcg"), ">A: ACEIRTV 8D VICAR +27 27\n>B: - +0 27\n>A: BDEELNT -EEN +0 27\n").expect("a file");
    fs::write(folder.join("games/none.gcg"), "no game\n").expect("a file");
    let (_, _, errors) = run(folder, "analyse games --iterations 100 --json all.json");
    assert!(errors.contains("none.gcg"), "{errors}");
    let document: Value = serde_json::from_str(&read(folder, "all.json")).expect("JSON");
    let schema = Schema::read("docs/analysis.schema.json");
    schema.check(&document);
    let mut found = BTreeSet::new();
    names(&document, &mut found);
    // Three games are too few for a strength.
    let missing: Vec<String> = schema.names().difference(&found).cloned().collect();
    assert_eq!(missing, ["elo", "elo_interval", "interval"]);
    // Errors are found at any depth.
    let mut wrong = document;
    wrong["games"][0]["turns"][0]["verdict"]["loss"]["measure"] = "luck".into();
    assert!(schema.judge(&wrong).is_err_and(|what| what.contains("luck")));
}

/// A report without the day on which it was made.
fn without_date(folder: &Path, name: &str) -> Value {
    let mut report: Value = serde_json::from_str(&read(folder, name)).expect("JSON");
    for game in report["games"].as_array_mut().expect("games") {
        game["run"]["date"] = Value::Null;
    }
    report
}

#[test]
fn an_interrupted_run_goes_on_where_it_was_and_another_one_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fine(folder, "lab selfplay 2 --seed 8 --out games");
    let line = "analyse games --iterations 5 --threads 1";
    fine(folder, &format!("{line} --json whole.json --journal whole.jsonl"));
    let journal = read(folder, "whole.jsonl");
    let turns = journal.lines().count() - 1;
    // Cut off in the middle of a line, as by a crash: what comes before it is kept.
    let half = journal.lines().take(turns / 2).map(str::len).sum::<usize>() + turns / 2 + 7;
    fs::write(folder.join("run.jsonl"), &journal[..half]).expect("a file");
    let run_line = format!("{line} --json run.json --journal run.jsonl");
    let (is_fine, _, errors) = run(folder, &run_line);
    assert!(!is_fine && errors.contains("--resume goes on with it, "), "{errors}");
    for (flags, expected) in [
        ("--resume --seed 2", "the seed (--seed): 1 in the journal, 2 now"),
        ("--resume --opponent static", "(--opponent): \"uniform\" in the journal, \"static\" now"),
        ("--resume --bonus 35", "words, tables and rules"),
    ] {
        let (is_fine, _, errors) = run(folder, &format!("{run_line} {flags}"));
        assert!(!is_fine && errors.contains("the journal is of another analysis") && errors.contains(expected), "{errors}");
    }
    fine(folder, &format!("{run_line} --resume"));
    assert_eq!(without_date(folder, "run.json"), without_date(folder, "whole.json"));
    assert_eq!(read(folder, "run.jsonl"), journal, "nothing is judged twice, and all of it is there");
    // Another game in the same place.
    let other = read(folder, "games/game00001.gcg");
    fs::write(folder.join("games/game00000.gcg"), other).expect("a file");
    let (is_fine, _, errors) = run(folder, &format!("{run_line} --resume"));
    assert!(!is_fine && errors.contains("game00000.gcg "), "{errors}");
}

#[test]
fn positions_budgets_in_all_and_models_of_the_opponent() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let empty = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";
    let list = format!("{empty} AEINRST/ 0/0 0\nnonsense/////// x\n{empty} EGOPTUV/ 0/0 0 moves pass\n");
    fs::write(folder.join("list.cgp"), list).expect("a file");
    let text = fine(folder, "analyse list.cgp --iterations 20 --html list.html --json list.json --opponent auto");
    assert!(text.starts_with("2 positions   list.cgp") && text.contains("line 2: ") && text.contains("opponent auto"), "{text}");
    assert!(read(folder, "list.html").contains("<title>2 positions</title>"));
    fine(folder, "lab selfplay 1 --seed 9 --out games");
    let text = fine(folder, "analyse games --time 1");
    assert!(text.contains("1 s in all"), "{text}");
    let (is_fine, _, errors) = run(folder, "analyse games --time 1 --movetime 5");
    assert!(!is_fine && errors.contains("cannot be used with"), "{errors}");
}

#[test]
fn a_game_in_another_alphabet_needs_words_in_that_alphabet() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("gra.gcg"), ">Ala: ZAŻĄDEK 8F ŻĄDZA +28 28\n>Ola: AEIOUYK -AE +0 0\n").expect("a file");
    let (is_fine, _, errors) = run(folder, "analyse gra.gcg --iterations 5");
    assert!(!is_fine && errors.contains("the letters of this game are polish: name a polish word list with --lexicon"), "{errors}");
    fs::write(folder.join("slowa.txt"), "ŻĄDZA\nDA\nZA\nAD\n").expect("a file");
    let text = fine(folder, "analyse gra.gcg --iterations 5 --lexicon slowa.txt");
    assert!(text.contains("line 1: letters that the english alphabet lacks: read in the polish alphabet"), "{text}");
    assert!(text.contains("8F.ŻĄDZA"), "{text}");
}

#[test]
fn several_games_have_their_sums_and_faults_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fine(folder, "lab selfplay 1 --seed 6 --out games");
    let whole = read(folder, "games/game00000.gcg");
    let events: Vec<&str> = whole.lines().collect();
    // Cut in the middle of an event; without a rack; in another character set; no game at all.
    fs::write(folder.join("games/cut.gcg"), format!("{}\n>first: AB", events[..5].join("\n"))).expect("a file");
    let fourth = events[3].split(' ').nth(1).expect("a rack");
    fs::write(folder.join("games/rack.gcg"), events[..6].join("\n").replacen(&format!("{fourth} "), "", 1)).expect("a file");
    fs::write(folder.join("games/latin.gcg"), [b"#player1 first Zo\xeb\n".as_slice(), events[2..5].join("\n").as_bytes()].concat())
        .expect("a file");
    fs::write(folder.join("games/none.gcg"), "hello\n").expect("a file");
    let (is_fine, out, errors) = run(folder, "analyse games --iterations 5 --html pages --json all.json");
    assert!(!is_fine && errors.contains("one game or file could not be read"), "{out}{errors}");
    let reason = "line 1, column 1: found \"hello\", expected a line that begins with # or >";
    assert!(errors.contains(&format!("none.gcg: {reason}")), "{errors}");
    assert!(out.contains(&format!("1 game or file could not be read:\n  games/none.gcg: {reason}")), "{out}");
    let document: Value = serde_json::from_str(&read(folder, "all.json")).expect("JSON");
    assert_eq!(document["unread"], serde_json::json!([{ "source": "games/none.gcg", "reason": reason }]));
    assert!(out.contains("the game is read up to here") && out.contains("the rack is unknown"), "{out}");
    assert!(out.contains("first: 4 games, per game: lost"), "{out}");
    let mut pages: Vec<String> = fs::read_dir(folder.join("pages"))
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    pages.sort();
    assert_eq!(pages, ["cut.html", "game00000.html", "index.html", "latin.html", "rack.html"]);
    // The page of all has a row with links for each game, and their pages lead back.
    let all = read(folder, "pages/index.html");
    assert!(all.contains("<title>4 games</title>") && all.contains("games/none.gcg: line 1, column 1"), "{all}");
    for game in ["cut", "game00000", "latin", "rack"] {
        assert!(all.contains(&format!("<a href=\"./{game}.html\">")), "{game}");
        assert!(read(folder, &format!("pages/{game}.html")).contains("<a href=\"index.html\">All games</a>"), "{game}");
    }
    assert!(read(folder, "pages/latin.html").contains("Zoë"));
    let (is_fine, _, errors) = run(folder, "analyse games/none.gcg");
    assert!(!is_fine && errors.contains("no game could be read"), "{errors}");
}

#[test]
fn folders_below_and_several_games_in_a_file_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let game = |nick: &str| format!("#player1 {nick}\n#player2 Ben\n>{nick}: ABEIRST 8D BAITERS +74 74\n>Ben: AEGINOT -GI +0 0\n");
    fs::create_dir_all(folder.join("games/2010/spring")).expect("a folder");
    fs::write(folder.join("games/a.gcg"), game("Ann")).expect("a file");
    fs::write(folder.join("games/2010/spring/a.gcg"), game("Bea")).expect("a file");
    fs::write(folder.join("games/2010/many.gcgs"), [game("Cal"), "#player1 Dee\n>Dee: 8\n".to_string(), game("Eve")].concat())
        .expect("a file");
    let (is_fine, out, errors) = run(folder, "analyse games --iterations 1 --gcg records --json all.json");
    assert!(!is_fine, "{out}");
    assert!(out.contains("  games/2010/many.gcgs, game 2: line 6, column 8: "), "{out}{errors}");
    let document: Value = serde_json::from_str(&read(folder, "all.json")).expect("JSON");
    let games = document["games"].as_array().expect("games");
    let sources: Vec<&str> = games.iter().map(|game| game["source"].as_str().expect("a name")).collect();
    assert_eq!(sources, ["games/2010/many.gcgs, game 1", "games/2010/many.gcgs, game 3", "games/2010/spring/a.gcg", "games/a.gcg"]);
    assert_eq!(games[1]["turns"][0]["line"], 9);
    for (record, nick) in [("many-1", "Cal"), ("many-3", "Eve"), ("spring-a", "Bea"), ("games-a", "Ann")] {
        assert!(read(folder, &format!("records/{record}.gcg")).contains(&format!(">{nick}: ABEIRST 8D BAITERS +74 74")), "{record}");
    }
}

#[test]
fn games_become_tables_and_lists_that_are_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fine(folder, "lab selfplay 2 --seed 5 --out games");
    // A play that is taken back, and a name with a comma.
    fs::write(
        folder.join("games/odd.gcg"),
        "#player1 A Ann, of Kent\n>A: ACEIRVZ 8D VICARZ +48 48\n>A: ACEIRVZ -- -48 0\n>B: AEINRST - +0 0\n",
    )
    .expect("a file");
    let out = fine(folder, "analyse games --unjudged --csv-turns turns.csv --csv-games games.csv --cgp all.cgp --json all.json");
    assert!(out.contains("turns not judged") && !out.contains(": lost "), "{out}");
    let document: Value = serde_json::from_str(&read(folder, "all.json")).expect("JSON");
    let turns: usize = document["games"].as_array().expect("games").iter().map(|game| game["turns"].as_array().expect("turns").len()).sum();
    assert_eq!(read(folder, "turns.csv").lines().count(), 1 + turns);
    assert_eq!(read(folder, "games.csv").lines().count(), 1 + 6);
    assert!(read(folder, "games.csv").contains(",A,\"Ann, of Kent\",0,B,0,"), "{}", read(folder, "games.csv"));
    let list = read(folder, "all.cgp");
    assert_eq!(list.lines().filter(|line| !line.starts_with('#')).count(), turns);
    assert!(list.contains(" moves phony.8D.VICARZ"), "{list}");
    // The list has the same positions and plays.
    fine(folder, "analyse all.cgp --unjudged --cgp again.cgp");
    let lines = |text: &str| text.lines().filter(|line| !line.starts_with('#')).map(String::from).collect::<Vec<_>>();
    assert_eq!(lines(&read(folder, "again.cgp")), lines(&list));
    for (flags, error) in
        [("analyse all.cgp --unjudged --iterations 5", "cannot be used with"), ("analyse all.cgp --unjudged --cgp all.cgp", "--force")]
    {
        let (is_fine, _, errors) = run(folder, flags);
        assert!(!is_fine && errors.contains(error), "{flags}: {errors}");
    }
}

#[test]
fn opening_racks_come_from_standard_input() {
    use std::io::Write;
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    command.args(["analyse", "-", "--iterations", "40"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    child.stdin.take().expect("its input").write_all(b"QUIZIER\nAEINRST2\n?\n").expect("it reads");
    let Output { status, stdout, .. } = child.wait_with_output().expect("it ends");
    let out = String::from_utf8_lossy(&stdout);
    assert!(status.success() && out.contains("2 positions   stdin"), "{out}");
    assert!(out.contains("line 2: \"AEINRST2\": column 8: \"2\" is not a tile"), "{out}");
    assert!(out.lines().any(|line| line.contains("EIIQRUZ") && line.contains("wins ")), "{out}");
}
