//! `tilewright match` as its users meet it: results, files, interruptions. What the numbers mean is tested beside their code.

use clap::Parser;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tilewright::formats::gcg;
use tilewright::internals::paired_games::{self, MatchArguments};
use tilewright::rules::{GameRules, Seat};
use tilewright::search::Signals;

#[derive(Parser)]
#[command(no_binary_name = true)]
struct MatchLine {
    #[command(flatten)]
    arguments: MatchArguments,
}

/// The lines on stdout, or the error.
fn play_with(signals: &Signals, words: &str, out: Option<&Path>) -> Result<Vec<String>, String> {
    let out = out.map(|path| ["--out".to_string(), path.display().to_string()]);
    let words = words.split(' ').map(String::from).chain(out.into_iter().flatten());
    let arguments = MatchLine::try_parse_from(words).map_err(|error| error.to_string())?.arguments;
    let mut lines = Vec::new();
    let mut say = |line: &str| {
        lines.push(line.to_string());
        Ok(())
    };
    paired_games::play(&arguments, signals, "the command", &mut say).map_err(|error| format!("{error:#}"))?;
    Ok(lines)
}

fn play(words: &str, out: Option<&Path>) -> Result<Vec<String>, String> {
    play_with(&Signals::default(), words, out)
}

/// The last line without its time.
fn result(words: &str) -> String {
    let lines = play(words, None).unwrap();
    let (result, _) = lines.last().unwrap().split_once(" games_per_s ").expect("the last line ends with the speed");
    result.to_string()
}

/// A file of results without its times.
fn untimed(path: &Path) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(path).unwrap();
    untime(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn untime(lines: Vec<serde_json::Value>) -> Vec<serde_json::Value> {
    let without_time = |mut line: serde_json::Value| {
        assert!(line.as_object_mut().unwrap().remove("crc32").is_some());
        // A match that got longer was begun with fewer.
        line.as_object_mut().unwrap().remove("pieces");
        for game in line.get_mut("games").and_then(|games| games.as_array_mut()).into_iter().flatten() {
            assert!(game.as_object_mut().unwrap().remove("time_us").is_some());
            for play in game["plays"].as_array_mut().into_iter().flatten() {
                assert!(play.as_object_mut().unwrap().remove("time_us").is_some());
            }
        }
        line
    };
    lines.into_iter().map(without_time).collect()
}

#[test]
fn the_same_seed_gives_the_same_result_on_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = ["1", "2", "3"].map(|threads| {
        let file = folder.path().join(threads);
        play(&format!("rack1 greedy --pairs 7 --seed 5 --threads {threads}"), Some(&file)).unwrap();
        untimed(&file)
    });
    assert_eq!(files[0].len(), 8);
    assert!(files.iter().all(|file| *file == files[0]));
    let other = folder.path().join("other seed");
    play("rack1 greedy --pairs 7 --seed 6", Some(&other)).unwrap();
    assert_ne!(untimed(&other)[1..], files[0][1..]);
}

#[test]
fn a_player_against_itself_ties_every_pair() {
    for player in ["greedy", "rack1", "rack2", "rack3", "static", "sim:iterations=8,plays=3"] {
        let pairs = if player.starts_with("sim") { 1 } else { 5 };
        let result = result(&format!("{player} {player} --pairs {pairs}"));
        let expected = format!(" pairs {pairs} winpct 50.000 winpct_se 0.000 spread 0.000 spread_se 0.000 divergent 0");
        assert!(result.ends_with(&expected), "{result}");
    }
}

#[test]
fn with_the_late_game_off_the_engine_is_the_simulation() {
    let result = result("engine:late=off,iterations=6 sim:late=off,iterations=6 --pairs 2");
    assert!(result.ends_with(" pairs 2 winpct 50.000 winpct_se 0.000 spread 0.000 spread_se 0.000 divergent 0"), "{result}");
}

#[test]
fn without_a_clock_the_engine_plays_the_same_games_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = ["1", "2"].map(|threads| {
        let file = folder.path().join(threads);
        play(&format!("engine:iterations=4,nodes=300 static --pairs 2 --threads {threads} --referee"), Some(&file)).unwrap();
        untimed(&file)
    });
    assert_eq!(files[0], files[1]);
}

#[test]
fn on_a_clock_players_are_stopped_and_their_oversteps_are_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("match");
    let words = "engine engine:late=off --clock 400 --pairs 1 --threads 1 --referee";
    let lines = play(words, Some(&file)).unwrap();
    let told = lines.iter().find(|line| line.starts_with("time losses")).unwrap();
    assert!(told.ends_with("   with 400 ms a game"), "{told}");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.lines().next().unwrap().contains("\"game_ms\":400"), "{text}");
    // A match without a limit on iterations would not be over now if nobody had been stopped.
    let mut losses = 0;
    for line in text.lines().skip(1) {
        let pair: serde_json::Value = serde_json::from_str(line).unwrap();
        for (game, player) in (0..2).flat_map(|game| (0..2).map(move |player| (game, player))) {
            let game = &pair["games"][game];
            let overstepped = game["overstepped"][player].as_bool().unwrap();
            assert_eq!(overstepped, game["time_us"][player].as_u64().unwrap() > 400_000, "{line}");
            losses += u64::from(overstepped);
        }
    }
    let counted: u64 = told.split_whitespace().filter_map(|word| word.parse::<u64>().ok()).take(2).sum();
    assert_eq!(counted, losses);
    let error = play("engine engine:late=off --clock 500 --pairs 2 --resume", Some(&file)).unwrap_err();
    assert!(error.contains("of another match or tournament; time.game_ms: 400 in the journal, 500 now"), "{error}");
    assert!(play(&format!("{words} --resume"), Some(&file)).unwrap().iter().any(|line| line == told));
    // A millisecond is not enough: that is counted, and the games are played to their end.
    let lines = play("sim:iterations=1 static:late=off --clock 1 --pairs 1", None).unwrap();
    assert!(lines.iter().any(|line| line.split_whitespace().take(3).eq(["time", "losses", "2"])), "{lines:?}");
}

#[test]
fn what_one_player_gains_the_other_loses() {
    let numbers = |result: String| -> Vec<f64> { result.split(' ').filter_map(|word| word.parse().ok()).collect() };
    let (one, other) = (numbers(result("static:late=off greedy --pairs 20")), numbers(result("greedy static:late=off --pairs 20")));
    // Pairs, win %, its error, spread, its error, divergent pairs.
    assert_eq!(one.len(), 6);
    assert_eq!((one[1], one[3]), (100.0 - other[1], -other[3]));
    assert_eq!((one[0], one[2], one[4], one[5]), (other[0], other[2], other[4], other[5]));
}

#[test]
fn an_interrupted_match_goes_on_to_the_same_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let whole = folder.path().join("whole");
    let words = "rack2 static:late=off --pairs 6";
    play(words, Some(&whole)).unwrap();
    let bytes = fs::read(&whole).unwrap();
    let ends: Vec<usize> = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
    // In the header, behind it, in the fourth pair, before its line end, at the end.
    for cut in [0, 9, ends[0], ends[3] + 40, ends[4] - 1, bytes.len()] {
        let part = folder.path().join("part");
        fs::write(&part, &bytes[..cut]).unwrap();
        let lines = play(&format!("{words} --resume"), Some(&part)).unwrap();
        assert_eq!(untimed(&part), untimed(&whole), "cut at {cut}");
        assert!(lines.last().unwrap().contains(" pairs 6 "), "{lines:?}");
    }
    let more = play("rack2 static:late=off --pairs 7 --resume", Some(&whole)).unwrap();
    assert!(more.last().unwrap().contains(" pairs 7 "));
    assert_eq!(untimed(&whole).len(), 8);
}

#[test]
fn exchanges_and_sacrifices_are_counted_on_request() {
    let counts = |lines: &[String], name: &str| {
        let line = lines.iter().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no {name} in {lines:?}"));
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[3..], ["in", "20", "games"], "{line}");
        [1, 2].map(|at| words[at].parse::<u32>().unwrap())
    };
    let lines = play("rack3 greedy --pairs 10 --redraws 0 --count-turns", None).unwrap();
    let (exchanges, sacrifices) = (counts(&lines, "exchanges"), counts(&lines, "sacrifices"));
    assert!(sacrifices[0] > 50 && sacrifices[1] == 0 && exchanges[1] == 0, "{exchanges:?} {sacrifices:?}");
    let plain = play("rack3 greedy --pairs 10 --redraws 0", None).unwrap();
    assert!(!plain.iter().any(|line| line.starts_with("sacrifices")), "{plain:?}");
}

/// The lines about results with the luck taken off.
fn adjusted(lines: &[String]) -> Vec<String> {
    let of_luck = |line: &&String| line.contains("times as many pairs") || line.starts_with("adjusted ");
    lines.iter().filter(of_luck).cloned().collect()
}

#[test]
fn a_match_that_goes_on_has_the_same_adjusted_results() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [whole, part] = ["whole", "part"].map(|name| folder.path().join(name));
    let lines = play("rack2 static:late=off --pairs 8 --redraws 5", Some(&whole)).unwrap();
    let expected = adjusted(&lines);
    assert_eq!(expected.len(), 3, "{lines:?}");
    let text = fs::read_to_string(&whole).unwrap();
    let first_lines = |text: &str| text.lines().take(4).map(|line| format!("{line}\n")).collect::<String>();
    fs::write(&part, first_lines(&text)).unwrap();
    // The number of redraws is that of the file.
    assert_eq!(adjusted(&play("rack2 static:late=off --pairs 8 --resume", Some(&part)).unwrap()), expected);
    let error = play("rack2 static:late=off --pairs 8 --resume --redraws 6", Some(&part)).unwrap_err();
    assert!(error.contains("of another match or tournament; redraws: 5 in the journal, 6 now"), "{error}");
    assert_eq!(untimed(&part), untimed(&whole));
    let error = play("rack2 static:late=off --pairs 9 --redraws 0 --sprt adjusted:0,2", None).unwrap_err();
    assert!(error.starts_with("--sprt adjusted needs the luck of the draws"), "{error}");
}

/// Journals that `match` wrote while it was a program of its own.
#[test]
fn matches_come_out_as_before_they_were_tournaments() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let check = |file: &str, flags: &str, pairs: usize| {
        let before = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/journals").join(file);
        let before: Vec<serde_json::Value> =
            fs::read_to_string(before).unwrap().lines().take(1 + pairs).map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(before.len() == 1 + pairs && before[0].get("configuration").is_none(), "{file} is not of an earlier version");
        let [a, b] = [0, 1].map(|player: usize| before[0]["players"][player].as_str().unwrap());
        let out = folder.path().join(file);
        play(&format!("{a} {b} {flags} --pairs {pairs} --seed {} --redraws 0", before[0]["seed"]), Some(&out)).unwrap();
        let now = untimed(&out);
        assert_eq!(now.len(), before.len());
        for (now, before) in now.iter().zip(&before).skip(1) {
            assert_eq!((&now["deal"], &now["divergent"]), (&before["pair"], &before["divergent"]), "{file}");
            for (game, key) in (0..2).flat_map(|game| ["scores", "turns", "bingos", "penalties"].map(|key| (game, key))) {
                assert_eq!(now["games"][game][key], before["games"][game][key], "{key} of game {game} of {before} in {file}");
            }
        }
    };
    check("super-static-greedy.jsonl", "--letters english_super --layout super21", 4);
    check("misere-thresholds.jsonl", "--variant misere", 20);
}

/// The journal of a match is that of a tournament of the same two players.
#[test]
fn a_match_is_a_tournament_of_two_players() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    let told = play("rack2 greedy --pairs 3 --redraws 4 --count-turns", Some(&path("match"))).unwrap();
    let tournament = |words: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tilewright"));
        let engines =
            ["name = \"a\", player = \"rack2\"", "name = \"b\", player = \"greedy\""].into_iter().flat_map(|engine| ["--engine", engine]);
        let keys = ["pairs=3", "redraws=4", "count_turns=true"].into_iter().flat_map(|key| ["--set", key]);
        command.arg("tournament").args(engines).args(keys).args(words.split(' ')).current_dir(folder.path());
        let output = command.output().expect("the program starts");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    // Pair by pair the same tiles, moves, scores, luck and counts, under the same hash.
    tournament("--journal tournament");
    let mut played = untimed(&path("tournament"));
    assert!(played[0]["identity"].as_object_mut().unwrap().remove("machine").is_some());
    // Only arbiters measure what a program takes while it is not on turn; players have nothing of that.
    let without_idle = |lines: &[serde_json::Value]| -> serde_json::Value {
        let text = serde_json::to_string(lines).unwrap().replace("\"idle_us\":[0,0],", "");
        serde_json::from_str(&text).unwrap()
    };
    assert_eq!(without_idle(&played), without_idle(&untimed(&path("match"))));
    // The tournament's report of the match's journal has all that the match said.
    let report = tournament("--journal match --report");
    for line in told.iter().take_while(|line| !line.starts_with("games per second")) {
        assert!(report.lines().any(|reported| reported == line), "{line} is not in {report}");
    }
    let records = tournament("--journal match --report --gcg games");
    assert!(records == report && path("games/pair000002-2.gcg").exists());
}

#[test]
fn the_ceilings_see_more_and_win_more() {
    let spread = |player: &str| {
        let result = result(&format!("{player}:late=off,iterations=20 engine:late=off,iterations=20 --pairs 3 --redraws 0 --seed 2"));
        let (_, spread) = result.split_once(" spread ").unwrap();
        spread.split(' ').next().unwrap().parse::<f64>().unwrap()
    };
    assert_eq!(spread("engine"), 0.0);
    assert_ne!(spread("knowleave"), 0.0, "what was kept counts");
    assert!(spread("knowall") > 10.0);
}

#[test]
fn an_interruption_says_how_to_go_on() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("match");
    let signals = Arc::new(Signals::default());
    let raised = Arc::clone(&signals);
    let watched = file.clone();
    let watcher = std::thread::spawn(move || {
        while fs::read_to_string(&watched).map_or(0, |text| text.lines().count()) < 4 {
            std::thread::yield_now();
        }
        raised.stop();
    });
    let words = "greedy static:late=off --pairs 5000";
    let error = play_with(&signals, words, Some(&file)).unwrap_err();
    watcher.join().unwrap();
    let pairs = untimed(&file).len() - 1;
    assert_eq!(error, format!("interrupted after {pairs} of 5000 pairs; go on with: the command"));
    assert!((3..5000).contains(&pairs));
    let wanted = pairs + 2;
    play(&format!("greedy static:late=off --pairs {wanted} --resume"), Some(&file)).unwrap();
    let whole = folder.path().join("whole");
    play(&format!("greedy static:late=off --pairs {wanted}"), Some(&whole)).unwrap();
    assert_eq!(untimed(&file), untimed(&whole));
}

#[test]
fn overtime_costs_points_in_the_result_the_file_and_the_record() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, records) = (folder.path().join("match"), folder.path().join("games"));
    // A millisecond is over before the first turn is.
    let words = "sim:iterations=20,plays=4 rack1 --clock 1 --pairs 1 --threads 1 --referee";
    let lines = play(&format!("{words} --gcg {}", records.display()), Some(&file)).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.lines().next().unwrap().contains("\"overtime_points\":10"), "{text}");
    let pair = untimed(&file).pop().unwrap();
    let number = |game: usize, key: &str, player: usize| pair["games"][game][key][player].as_i64().unwrap();
    let rules = Arc::new(GameRules::english());
    let mut lost = [0; 2];
    for game in 0..2 {
        let record = gcg::parse(&fs::read_to_string(records.join(format!("pair000000-{}.gcg", game + 1))).unwrap(), &rules).unwrap();
        let last = gcg::position_at(&record, &rules, None).unwrap();
        for (player, lost) in lost.iter_mut().enumerate() {
            let penalty = number(game, "penalties", player);
            let has_overstepped = pair["games"][game]["overstepped"][player].as_bool().unwrap();
            assert!(penalty % 10 == 0 && (penalty > 0) == has_overstepped, "{text}");
            assert_eq!(i64::from(last.score(Seat::BOTH[player ^ game])), number(game, "scores", player));
            *lost += penalty;
        }
        assert!(number(game, "penalties", 0) > 0, "{text}");
    }
    let told = lines.iter().find(|line| line.starts_with("overtime points")).unwrap();
    let told: Vec<&str> = told.split_whitespace().skip(2).take(2).collect();
    assert_eq!(told, lost.map(|points| points.to_string()));
    let spread = [0, 1].map(|game| number(game, "scores", 0) - number(game, "scores", 1)).iter().sum::<i64>() as f64 / 2.0;
    assert!(lines.last().unwrap().contains(&format!(" spread {spread:.3} ")), "{lines:?}");

    // Games with another price of overtime are not mixed with these.
    let error = play(&format!("{words} --resume --overtime 0"), Some(&file)).unwrap_err();
    assert!(error.contains("time.overtime_points: 10 in the journal, 0 now"), "{error}");
    assert!(play("rack1 greedy --pairs 1 --overtime 10", None).unwrap_err().contains("--clock"));
}

#[test]
fn files_of_other_matches_are_refused_and_no_file_is_written_over() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("match");
    play("rack1 greedy --pairs 1", Some(&file)).unwrap();
    let before = fs::read(&file).unwrap();
    let check = |words: &str, expected: &str| {
        let error = play(words, Some(&file)).unwrap_err();
        assert!(error.starts_with(&format!("{}: ", file.display())) && error.contains(expected), "{words}: {error}");
        assert_eq!(fs::read(&file).unwrap(), before);
    };
    check("rack1 greedy --pairs 2", "the journal is there already: --resume goes on");
    check("rack2 greedy --pairs 2 --resume", "of another match or tournament; engines[0].player: \"rack1\" in the journal, \"rack2\" now");
    check(
        "rack1 static --pairs 2 --resume",
        "of another match or tournament; engines[1].player: \"greedy\" in the journal, \"static\" now",
    );
    check("rack1 greedy --pairs 2 --resume --seed 2", "of another match or tournament; seed: 1 in the journal, 2 now");
    let lexicon = folder.path().join("mini.txt");
    fs::write(&lexicon, "cat\ncats\n").unwrap();
    check(&format!("rack1 greedy --resume --lexicon {}", lexicon.display()), "of another match or tournament; lexicon: \"ENABLE@");
    assert!(play("rack1 greedy --resume", None).unwrap_err().contains("--out"));
    let missing = play("static:leaves=no/such.klv2 greedy", None).unwrap_err();
    assert!(missing.starts_with("static:leaves=no/such.klv2: no/such.klv2: "), "{missing}");
}

#[test]
fn no_player_commits_a_foul_and_records_read_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rules = Arc::new(GameRules::english());
    for words in ["greedy rack1 --pairs 8", "rack2 rack3 --pairs 8", "static sim:iterations=6,plays=4,leaves=none --pairs 2"] {
        let file = folder.path().join(words.replace([' ', ':'], "-"));
        let records = file.with_extension("games");
        play(&format!("{words} --referee --gcg {}", records.display()), Some(&file)).unwrap();
        for pair in &untimed(&file)[1..] {
            for begins in 0..2 {
                let path = records.join(format!("pair{:06}-{}.gcg", pair["piece"].as_u64().unwrap(), begins + 1));
                let game = gcg::parse(&fs::read_to_string(path).unwrap(), &rules).unwrap();
                assert_eq!(game.players[0].nick, ["a", "b"][begins]);
                let last = gcg::position_at(&game, &rules, None).unwrap();
                let scores = last.scores().own_first(Seat::BOTH[begins]).map(i64::from);
                let counted = [0, 1].map(|player: usize| pair["games"][begins]["scores"][player].as_i64().unwrap());
                assert_eq!(scores, counted);
            }
        }
    }
}

#[test]
fn a_test_ends_the_match_at_the_same_pair_on_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (sprt, verdict) in [("elo:0,60", "H1 accepted"), ("spread:0,20", "H1 accepted"), ("spread:-200,-190", "H1 accepted")] {
        let lines = ["1", "3"].map(|threads| {
            let file = folder.path().join(format!("{sprt}-{threads}").replace(':', "-"));
            let lines =
                play(&format!("static:late=off greedy --pairs 300 --redraws 0 --sprt {sprt} --threads {threads}"), Some(&file)).unwrap();
            assert!(lines.iter().any(|line| line.contains(verdict)), "{lines:?}");
            let again = play(&format!("static:late=off greedy --pairs 300 --redraws 0 --sprt {sprt} --resume"), Some(&file)).unwrap();
            assert!(again.last().unwrap().ends_with("games_per_s 0.0"), "{again:?}");
            untimed(&file)
        });
        assert_eq!(lines[0], lines[1]);
        assert!((30..300).contains(&(lines[0].len() - 1)), "{sprt}: {} pairs", lines[0].len() - 1);
    }
}
