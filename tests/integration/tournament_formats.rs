//! What a tournament can be: Swiss rounds, copies, games from the middle, challenges, flags instead of a file; and what it measures.
//!
//! Engines that do wrong are in `tournaments.rs`. Start with [`Tournament`].

use crate::integration::needs::Need;
use crate::integration::tournaments::Tournament;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Players of the program as engines of their own names.
pub(crate) fn players(specs: &[&str]) -> String {
    specs.iter().map(|spec| format!("[[engines]]\nname = \"{spec}\"\nplayer = \"{spec}\"\n")).collect()
}

fn errors(output: &Output) -> String {
    assert!(!output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stderr).to_string()
}

/// A tournament by flags alone.
fn by_flags(tournament: &Tournament, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    command.arg("tournament").args(words.split(' ')).current_dir(tournament.folder.path()).output().unwrap()
}

#[test]
fn fifty_kills_lose_no_pair_and_count_none_twice() {
    let file = format!("pairs = 1000000\nconcurrency = 2\n{}", players(&["rack1", "greedy"]));
    let (whole, killed) = (Tournament::new(&file), Tournament::new(&file));
    killed.played(&["--set", "pairs=1"]);
    // Any moments do; these are the same in each run.
    let mut moment = 1_u64;
    for kill in 0..50 {
        let before = killed.journal_lines("t.journal");
        let mut child = killed.command(&["--resume"]).spawn().unwrap();
        // However busy the machine is, some runs come to a pair.
        let end = Instant::now() + Duration::from_secs(60);
        while kill % 8 == 0 && killed.journal_lines("t.journal") == before {
            assert!(Instant::now() < end, "no pair within a minute");
            std::thread::sleep(Duration::from_millis(5));
        }
        moment = moment * 16_807 % 2_147_483_647;
        std::thread::sleep(Duration::from_millis(moment % 500));
        assert!(child.try_wait().unwrap().is_none(), "the run is over");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let kept = killed.journal_lines("t.journal").saturating_sub(1);
    assert!(kept >= 8, "{kept} pairs");
    let pairs = format!("pairs={}", kept + 2);
    killed.played(&["--resume", "--set", &pairs]);
    whole.played(&["--set", &pairs]);
    assert_eq!(killed.untimed("t.journal"), whole.untimed("t.journal"));
}

#[test]
fn a_swiss_tournament_pairs_by_results_and_goes_on_where_it_was() {
    let engines = players(&["rack1", "greedy", "rack3", "static:late=off", "rack2"]);
    let file = format!("pairs = 2\nrounds = 3\nformat = \"swiss\"\nconcurrency = 2\n{engines}");
    let (whole, parts) = (Tournament::new(&file), Tournament::new(&file));
    let said = whole.played(&["--cgp", "positions"]);
    assert!(said.lines().last().unwrap().starts_with("over: all 12 pairs are played"), "{said}");
    parts.played(&["--set", "rounds=1"]);
    assert_eq!(parts.journal_lines("t.journal"), 1 + 4);
    parts.played(&["--resume"]);
    assert_eq!(parts.untimed("t.journal"), whole.untimed("t.journal"));
    let refused = errors(&parts.run(&["--resume", "--set", "pairs=3"]));
    assert!(refused.contains("pairs: 2 in the journal, 3 now"), "{refused}");
    // Nobody met again, and nobody sat out twice.
    let lines = whole.journal("t.journal");
    let of_line = |line: &serde_json::Value| [0, 1].map(|player: usize| line["engines"][player].as_u64().unwrap());
    let mut meetings: Vec<[u64; 2]> = lines[1..].iter().map(of_line).collect();
    meetings.sort_unstable();
    assert!(meetings.chunks(2).all(|pair| pair[0] == pair[1]), "{meetings:?}");
    meetings.dedup();
    assert_eq!(meetings.len(), 6, "{meetings:?}");
    let mut rounds = (0..5).map(|engine| meetings.iter().filter(|meeting| meeting.contains(&engine)).count());
    assert!(rounds.all(|rounds| rounds >= 2), "{meetings:?}");
    // The positions are those of the games: a CGP before each turn and one behind the last, whose scores are the result.
    let positions = fs::read_to_string(whole.path("positions/pair000000-1.cgp")).unwrap();
    let game = &lines[1]["games"][0];
    assert_eq!(positions.lines().count(), game["plays"].as_array().unwrap().len() + 1);
    let mut scores: Vec<&str> = positions.lines().last().unwrap().split_whitespace().nth(2).unwrap().split('/').collect();
    scores.sort_unstable();
    let mut told = [0, 1].map(|player: usize| game["scores"][player].to_string());
    told.sort_unstable();
    assert_eq!(scores, told);
}

#[test]
fn games_begin_from_the_positions_of_a_list_and_of_a_record() {
    let program = "[[engines]]\nname = \"mine\"\ndialect = \"siu\"\ngo = \"gen\"\n";
    let starts = "[game]\nstarts = [\"starts.cgp\", \"game.gcg\"]\nstart_turn = 3\n[time]\nmove_ms = 20_000\n";
    let tournament = Tournament::new(&format!("pairs = 3\n{starts}{}{program}", players(&["greedy"])));
    let listed = format!("# openings\n\n{}7DOG5/{} AEI/Q 10/20 0\n", "15/".repeat(7), ["15"; 7].join("/"));
    fs::write(tournament.path("starts.cgp"), listed).unwrap();
    let record = "#player1 A a\n#player2 B b\n>A: AEINRST 8D NASTIER +66 66\n>B: EIORSTV 7H TOE +11 11\n>A: BDELNTW - +0 66\n";
    fs::write(tournament.path("game.gcg"), record).unwrap();
    let said = tournament.played(&["--cgp", "positions"]);
    assert!(said.contains("no game was lost by a fault") && said.contains(", from positions 2@"), "{said}");
    for (pair, at) in tournament.journal("t.journal")[1..].iter().zip([0, 1, 0]) {
        let start = pair["start"].as_str().unwrap();
        let expected = ["/7DOG5/15/15/15/15/15/15/15 AEI/Q 10/20 0", "/7TOE5/3NASTIER5/15/15/15/15/15/15/15 / 66/11 0"][at];
        assert!(start.contains(expected), "{start}");
        for game in 1..=2 {
            let name = format!("positions/pair{:06}-{game}.cgp", pair["piece"].as_u64().unwrap());
            let positions = fs::read_to_string(tournament.path(&name)).unwrap();
            let first: Vec<&str> = positions.lines().next().unwrap().split_whitespace().collect();
            assert_eq!(first[0], start.split_whitespace().next().unwrap());
            // Stated tiles are on the rack of the first mover, who has seven.
            let own = first[1].split('/').next().unwrap();
            assert_eq!(own.len(), 7, "{positions}");
            assert!(at == 1 || "AEI".chars().all(|tile| own.contains(tile)), "{positions}");
        }
    }
    let refused = errors(&tournament.run(&["--report", "--gcg", "games"]));
    assert!(refused.contains("the game began in the middle"), "{refused}");
    fs::write(tournament.path("starts.cgp"), "\nnonsense\n").unwrap();
    let refused = errors(&tournament.run(&["--force"]));
    assert!(refused.contains("starts.cgp:2: "), "{refused}");
}

#[test]
fn copies_play_alike_and_flags_stand_for_a_file() {
    let tournament = Tournament::new("");
    let words = "--engine static:late=off --engine rack2 --set pairs=3 --set format=copies --set processors=1 --journal copies";
    let output = by_flags(&tournament, words);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(said.contains("rack2                +0.00 ± 0.00 % against its copy: within chance"), "{said}");
    assert!(said.contains("machine at the start: ") && said.contains(" with 1 at once (100 %)"), "{said}");
    let lines = tournament.journal("copies");
    assert_eq!(lines.len(), 1 + 6);
    assert!(lines[1..].iter().all(|line| line["divergent"] == false), "{lines:?}");
    let two = "--engine rack1 --engine rack2 --set";
    let many = errors(&by_flags(&tournament, &format!("{two} pairs=1 --set concurrency=5000 --set processors=1")));
    assert!(many.contains("processors: 5000 pairs at the same time with 1 each need 5000"), "{many}");
    let unknown = errors(&by_flags(&tournament, &format!("{two} pair=1")));
    assert!(unknown.contains("unknown field `pair`"), "{unknown}");
}

/// A SIU engine in Python: the skeleton with these lines before its start.
fn skeleton(name: &str, lines: &str, keys: &str) -> String {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    let start = format!("import sys, threading\nsys.path.insert(0, \"{}\")\nimport siu_skeleton", scripts.display());
    format!(
        "[[engines]]\nname = \"{name}\"\ndialect = \"siu\"\ncommand = \"python3\"\npositions = \"whole\"\n{keys}\n\
         args = [\"-c\", '''\n{start}\n{lines}\nsiu_skeleton.main()\n''']\n"
    )
}

#[test]
fn an_engine_that_works_while_the_other_one_is_on_turn_is_found() {
    if !Need::Python.is_met() {
        return;
    }
    // Both programs pass, so only what an engine does beside its turns takes time.
    let passes = "siu_skeleton.choose = lambda cgp, ms: \"pass\"";
    let busy = format!("{passes}\ndef spin():\n    while True: pass\nthreading.Thread(target=spin, daemon=True).start()");
    let slow = "[[engines]]\nname = \"slow\"\nplayer = \"sim:iterations=80,late=off\"\ntime = {}\n";
    let engines = format!("{}{}{slow}", skeleton("busy", &busy, ""), skeleton("idle", passes, ""));
    let tournament = Tournament::new(&format!("pairs = 1\n[time]\nmove_ms = 20_000\n{engines}"));
    let said = tournament.played(&[]);
    let idle = |name: &str| -> f64 {
        let table = said.split("per game, on average").nth(1).unwrap();
        let row = table.lines().find(|line| line.starts_with(name)).unwrap();
        row.split_whitespace().last().unwrap().parse().unwrap()
    };
    assert!(idle("busy") > 50.0 && idle("busy") > 4.0 * idle("idle"), "{said}");
}

#[test]
fn players_of_this_program_tell_the_chances_they_expect() {
    let engines = "[[engines]]\nname = \"searches\"\nplayer = \"engine:iterations=60,nodes=3000\"\ntime = {}\n[[engines]]\nname = \"looks\"\nplayer = \"static\"\n";
    let tournament = Tournament::new(&format!("pairs = 1\n[time]\nmove_ms = 20_000\n{engines}"));
    tournament.played(&["--html", "report.html"]);
    for (number, game) in tournament.journal("t.journal")[1]["games"].as_array().expect("games").iter().enumerate() {
        let plays = game["plays"].as_array().expect("plays");
        let told = |searches: bool| {
            plays.iter().enumerate().filter(move |(at, _)| (at % 2 == number) == searches).map(|(_, turn)| &turn["told"]["wp"])
        };
        assert!(told(false).all(serde_json::Value::is_null), "{game}");
        let chances: Vec<f64> = told(true).filter_map(serde_json::Value::as_f64).collect();
        // An endgame whose winner is not known, and a turn with one possible play, have none.
        assert!(chances.len() + 2 >= told(true).count() && chances.iter().all(|chance| (0.0..=100.0).contains(chance)), "{game}");
    }
    let page = fs::read_to_string(tournament.path("report.html")).unwrap();
    assert!(page.contains("id=\"calibration-by-bag\"") && page.contains("25 or more"));
}

#[test]
fn a_phony_costs_the_turn_where_challenges_are_not_void_and_the_engine_declares_it() {
    if !Need::Python.is_met() {
        return;
    }
    // It tries six tiles of its rack on the empty board, and passes afterwards.
    let phony = "def choose(cgp, ms):\n    board, racks = cgp.split()[:2]\n    tiles = \"\".join(sorted(racks.split(\"/\")[0].replace(\"?\", \"\")))\n    \
                 return \"pass\" if any(c.isalpha() for c in board) else \"8D.\" + tiles[:6]\nsiu_skeleton.choose = choose";
    let good = "[[engines]]\nname = \"good\"\nplayer = \"greedy\"\ntime = {}\n";
    let play = |game: &str, keys: &str| {
        let tournament = Tournament::new(&format!("pairs = 1\n{game}[time]\nmove_ms = 20_000\n{}{good}", skeleton("phony", phony, keys)));
        let said = tournament.played(&["--cgp", "positions", "--gcg", "games"]);
        (tournament, said)
    };
    let (strict, said) = play("", "");
    assert!(said.contains(" word ") && strict.journal("t.journal")[1]["games"][0]["fault"]["reason"] == "word", "{said}");
    let (single, said) = play("[game]\nchallenge = \"single\"\n", "phonies = true");
    assert!(said.contains("no game was lost by a fault"), "{said}");
    let game = &single.journal("t.journal")[1]["games"][0];
    assert!(game["plays"][0]["play"].as_str().unwrap().starts_with("phony.8D."), "{game}");
    assert_eq!(game["plays"][0]["score"], 0);
    let record = fs::read_to_string(single.path("games/pair000000-1.gcg")).unwrap();
    let events: Vec<&str> = record.lines().filter(|line| line.starts_with('>')).collect();
    assert!(events[0].starts_with(">a: ") && events[0].contains(" 8D ") && events[1].contains(" -- "), "{record}");
}
