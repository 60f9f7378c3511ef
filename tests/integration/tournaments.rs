//! `tilewright tournament` as its users meet it: engines that play well, engines that do wrong, and runs that are killed.
//!
//! The bad engines are `tests/engines/bad_engine.py`. Without Python 3 their tests are skipped, with a message. Start with [`Tournament`].

use crate::integration::needs::Need;
use serde_json::Value;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A run that takes longer hangs.
const RUN_LIMIT: Duration = Duration::from_secs(240);

/// A tournament's file in a folder of its own.
pub(crate) struct Tournament {
    pub(crate) folder: TempDir,
}

impl Tournament {
    pub(crate) fn new(file: &str) -> Tournament {
        let folder = tempfile::tempdir().expect("a folder");
        let engines = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines");
        fs::write(folder.path().join("t.toml"), file.replace("ENGINES", &engines.display().to_string())).expect("a file");
        Tournament { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
        command.args(["tournament", "t.toml"]).args(words).current_dir(self.folder.path()).env("PIDS", self.path("pids"));
        command.env("PYTHONDONTWRITEBYTECODE", "1").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs it to its end.
    pub(crate) fn run(&self, words: &[&str]) -> Output {
        finish(self.command(words).spawn().expect("the program starts"))
    }

    /// The same; it must end well. Returns what it says on stdout.
    pub(crate) fn played(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    pub(crate) fn journal(&self, name: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path(name)).expect("a journal");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// Whole lines of a journal.
    pub(crate) fn journal_lines(&self, name: &str) -> usize {
        fs::read_to_string(self.path(name)).expect("a journal").matches('\n').count()
    }

    /// A journal without its times.
    pub(crate) fn untimed(&self, name: &str) -> Vec<Value> {
        let mut lines = self.journal(name);
        assert!(lines[0]["identity"].as_object_mut().unwrap().remove("machine").is_some());
        // A run that got longer was begun with fewer.
        assert!(lines[0].as_object_mut().unwrap().remove("pieces").is_some());
        for line in &mut lines {
            assert!(line.as_object_mut().unwrap().remove("crc32").is_some());
        }
        for game in lines.iter_mut().filter_map(|line| line.get_mut("games")).flat_map(|games| games.as_array_mut().unwrap()) {
            for key in ["time_us", "idle_us"] {
                assert!(game.as_object_mut().unwrap().remove(key).is_some());
            }
            for play in game["plays"].as_array_mut().unwrap() {
                assert!(play.as_object_mut().unwrap().remove("time_us").is_some());
            }
        }
        lines
    }

    /// Fails if a process that the engines noted still lives after a while.
    fn expect_no_process(&self) {
        let noted = fs::read_to_string(self.path("pids")).unwrap_or_default();
        assert!(!noted.is_empty(), "the engines noted no process");
        let end = Instant::now() + Duration::from_secs(10);
        for id in noted.lines() {
            while lives(id) {
                assert!(Instant::now() < end, "process {id} lives");
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

/// Whether a process is there and has not ended.
fn lives(id: &str) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", id]).output().expect("ps").stdout;
    let state = String::from_utf8_lossy(&state).trim().to_string();
    !state.is_empty() && !state.starts_with('Z')
}

fn finish(mut child: Child) -> Output {
    let started = Instant::now();
    // Its output is far less than a pipe holds.
    while child.try_wait().expect("it can be waited for").is_none() {
        if started.elapsed() > RUN_LIMIT {
            let _ = child.kill();
            panic!("the run hangs: {:?}", child.wait_with_output());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().expect("its output")
}

/// The file of a bad engine against greedy, with more keys for the engine.
fn bad(what: &str, keys: &str) -> String {
    bad_in("siu", what, keys)
}

/// The same in this dialect.
fn bad_in(dialect: &str, what: &str, keys: &str) -> String {
    format!(
        "pairs = 1\n[patience]\nstop_ms = 1500\nquit_ms = 300\n[[engines]]\nname = \"bad\"\ndialect = \"{dialect}\"\ncommand = \"python3\"\n\
         args = [\"ENGINES/bad_engine.py\", \"{what}\"]\npositions = \"whole\"\n{keys}\n[[engines]]\nname = \"good\"\nplayer = \"greedy\"\n"
    )
}

const BY_NODES: &str = "time = { nodes = 1, ceiling_ms = 20_000 }";

/// Plays a bad engine against greedy in both dialects; its faults in both games must have this reason, or there must be none in the second.
fn check_fault(what: &str, keys: &str, reason: &str, in_second_game: bool) {
    for dialect in ["siu", "ucgi"] {
        check_fault_of(&bad_in(dialect, what, keys), &format!("{what} in {dialect}"), reason, in_second_game).expect_no_process();
    }
}

/// Plays the file's first engine, which is called bad, against a good one.
fn check_fault_of(file: &str, what: &str, reason: &str, in_second_game: bool) -> Tournament {
    let tournament = Tournament::new(file);
    let said = tournament.played(&[]);
    let lines = tournament.journal("t.journal");
    assert_eq!(lines.len(), 2, "{lines:?}");
    for (game, at) in lines[1]["games"].as_array().unwrap().iter().zip(0..) {
        if at == 1 && !in_second_game {
            assert!(game.get("fault").is_none(), "{what}: {game}");
            continue;
        }
        let fault = &game["fault"];
        assert_eq!((fault["player"].as_u64(), fault["reason"].as_str()), (Some(0), Some(reason)), "{what}: {game}");
        let [own, other] = [0, 1].map(|player| game["scores"][player].as_i64().unwrap());
        assert!(own <= other - 50, "{what}: {game}");
    }
    let games = 1 + usize::from(in_second_game);
    let told = said.lines().find(|line| line.starts_with("  bad ") && line.contains(&format!(" {reason} ")));
    assert!(told.is_some_and(|line| line.split_whitespace().nth(2) == Some(&games.to_string())), "{what}: {said}");
    tournament
}

#[test]
fn engines_that_do_wrong_lose_with_the_right_reason() {
    if !Need::Python.is_met() {
        return;
    }
    check_fault("dies", BY_NODES, "died", true);
    check_fault("dies-before-its-child", BY_NODES, "died", true);
    check_fault("refuses", BY_NODES, "refused", true);
    check_fault("twice", BY_NODES, "twice", true);
    check_fault("closes", BY_NODES, "closed", true);
    check_fault("illegal", BY_NODES, "illegal", true);
    check_fault("none", BY_NODES, "illegal", true);
    check_fault("words", BY_NODES, "word", false);
    check_fault("tiles", BY_NODES, "tiles", false);
}

#[test]
fn engines_that_are_late_or_print_without_end_lose_with_the_right_reason() {
    if !Need::Python.is_met() {
        return;
    }
    check_fault("silent", "time = { nodes = 1, ceiling_ms = 300 }", "silent", true);
    check_fault("late", "time = { move_ms = 300, margin_ms = 100 }", "late", true);
    check_fault("floods", BY_NODES, "flood", true);
    check_fault("floods-without-end", BY_NODES, "flood", true);
}

#[test]
fn programs_that_are_started_for_each_turn_lose_with_the_right_reason() {
    let check = |script: &str, ms: u64, reason: &str| {
        let file = format!(
            "pairs = 1\n[[engines]]\nname = \"bad\"\ndialect = \"exec\"\ncommand = \"sh\"\nargs = [\"-c\", 'echo $$ >> \"$PIDS\"; {script}']\n\
             time = {{ move_ms = {ms}, margin_ms = 0 }}\n[[engines]]\nname = \"good\"\nplayer = \"greedy\"\n"
        );
        check_fault_of(&file, script, reason, true).expect_no_process();
    };
    check("exit 3", 20_000, "died");
    check("echo pass; kill -9 $$", 20_000, "died");
    check("true", 20_000, "silent");
    check("echo 1A.DOG", 20_000, "illegal");
    check("echo none of these", 20_000, "illegal");
    check("yes", 20_000, "flood");
    check("exec >&-; sleep 1000", 20_000, "closed");
    check("sleep 1000", 300, "late");
    if cfg!(target_os = "linux") {
        check("sleep 1000 > /dev/null & echo $! >> \"$PIDS\"; echo pass", 20_000, "children");
        check("sleep 1000 & echo $! >> \"$PIDS\"; echo pass", 20_000, "children");
    }
}

#[test]
fn engines_that_are_not_ready_lose_in_the_time_that_they_have_for_it() {
    if !Need::Python.is_met() {
        return;
    }
    let file = bad("unready", BY_NODES).replace("stop_ms", "ready_ms = 700\nstop_ms");
    check_fault_of(&file, "unready", "silent", true).expect_no_process();
    // Python needs a moment to start, and on a busy machine seconds.
    let check = |what: &str, key: &str, expected: &str| {
        let tournament = Tournament::new(&bad(what, BY_NODES).replace("stop_ms", &format!("{key} = 5_000\nstop_ms")));
        let output = tournament.run(&[]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && errors.contains(expected), "{errors}");
        tournament.expect_no_process();
    };
    check("without-handshake", "handshake_ms", "the engine \"bad\" cannot be used: timed out: no siuok");
    check("loads-for-ever", "newgame_ms", "the engine \"bad\" cannot be used: timed out: no readyok after a new game");
}

#[test]
fn a_program_has_the_folder_and_the_environment_of_its_keys() {
    let program = |script: &str| {
        format!(
            "pairs = 1\n[time]\nmove_ms = 20_000\n[[engines]]\nname = \"sh\"\ndialect = \"exec\"\ncommand = \"sh\"\nfolder = \"below\"\n\
             environment = {{ ANSWER = \"pass\" }}\nargs = [\"-c\", '{script}']\n[[engines]]\nname = \"greedy\"\nplayer = \"greedy\"\n"
        )
    };
    let tournament = Tournament::new(&program("cat here; echo $ANSWER"));
    fs::create_dir(tournament.path("below")).unwrap();
    fs::write(tournament.path("below/here"), "the move is\n").unwrap();
    assert!(tournament.played(&[]).contains("no game was lost by a fault"));
}

#[test]
fn standard_error_goes_to_the_file_of_its_key() {
    let program = |keys: &str| {
        format!(
            "pairs = 1\n[time]\nmove_ms = 20_000\n[[engines]]\nname = \"sh\"\ndialect = \"exec\"\ncommand = \"sh\"\n{keys}\n\
             args = [\"-c\", 'echo a turn >&2; echo pass']\n[[engines]]\nname = \"greedy\"\nplayer = \"greedy\"\n"
        )
    };
    let tournament = Tournament::new(&program("folder = \"below\"\nstderr = \"said.txt\""));
    fs::create_dir(tournament.path("below")).unwrap();
    fs::write(tournament.path("said.txt"), "of yesterday\n").unwrap();
    assert!(tournament.played(&[]).contains("no game was lost by a fault"));
    let said = fs::read_to_string(tournament.path("said.txt")).unwrap();
    let turns = said.strip_prefix("of yesterday\n").expect("it is appended");
    assert!(turns.lines().count() >= 2 && turns.lines().all(|line| line == "a turn"), "{said}");
    let output = Tournament::new(&program("stderr = \"no/such/file\"")).run(&[]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && errors.contains("cannot be used: stderr = \"no/such/file\": "), "{errors}");
}

#[cfg(target_os = "linux")]
#[test]
fn engines_that_eat_memory_lose_with_the_right_reason() {
    if !Need::Python.is_met() {
        return;
    }
    for what in ["eats", "child-eats"] {
        check_fault(what, &format!("memory_mb = 150\n{BY_NODES}"), "memory", true);
    }
    // What an engine needs it may have.
    let tournament = Tournament::new(&bad("none-at-all", &format!("memory_mb = 150\n{BY_NODES}")));
    assert!(tournament.played(&[]).contains("no game was lost by a fault"));
}

#[test]
fn processes_that_do_not_want_to_end_are_ended_with_their_children() {
    if !Need::Python.is_met() {
        return;
    }
    for what in ["stays", "children"] {
        let tournament = Tournament::new(&bad(what, BY_NODES));
        tournament.played(&[]);
        assert!(tournament.journal("t.journal")[1]["games"].as_array().unwrap().iter().all(|game| game.get("fault").is_none()));
        tournament.expect_no_process();
    }
}

#[test]
fn an_engine_that_cannot_be_used_is_told_before_the_first_game() {
    let check = |engine: &str, expected: &str| {
        let file = format!("pairs = 1\n[[engines]]\nname = \"x\"\n{engine}\n[[engines]]\nname = \"greedy\"\nplayer = \"greedy\"\n");
        let tournament = Tournament::new(&file);
        let output = tournament.run(&[]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && errors.contains(expected), "{errors}, expected {expected}");
        assert!(!tournament.path("t.journal").exists());
    };
    check("dialect = \"siu\"\ncommand = \"./no_such_engine\"", "the engine \"x\" cannot be used: ./no_such_engine: ");
    check("dialect = \"siu\"\ncommand = \"true\"", "cannot be used: exit status: 0");
    check("dialect = \"siu\"\noptions = { Thread = 1 }", "it has no option \"Thread\", only ");
    check("dialect = \"siu\"\noptions = { Threads = 0 }", "cannot be used: bad-option ");
    check("dialect = \"siu\"\nplayer = \"static\"", "t.toml:5: engines[0].player: expected either player or dialect");
    check("dialect = \"siu\"\nhours = 1", "t.toml:5: engines[0].hours: unknown field `hours`");
}

#[test]
fn an_engine_with_other_words_is_refused() {
    let tournament = Tournament::new(
        "pairs = 1\n[[engines]]\nname = \"x\"\ndialect = \"siu\"\noptions = { DataPath = \"words\", Lexicon = \"few\" }\n[[engines]]\nname = \"g\"\nplayer = \"greedy\"\n\
         [game]\nlexicon = \"other.txt\"\n",
    );
    fs::create_dir(tournament.path("words")).unwrap();
    fs::write(tournament.path("words/few.txt"), "AA\nAB\n").unwrap();
    fs::write(tournament.path("other.txt"), "AA\nAD\n").unwrap();
    let output = tournament.run(&[]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("it uses the lexicon few, but the arbiter uses other"), "{errors}");
}

#[test]
fn an_engine_whose_lexicon_has_the_name_but_not_the_words_is_refused() {
    let tournament = Tournament::new(
        "pairs = 1\n[[engines]]\nname = \"x\"\ndialect = \"siu\"\noptions = { DataPath = \"words\", Lexicon = \"few\" }\n[[engines]]\nname = \"g\"\nplayer = \"greedy\"\n\
         [game]\nlexicon = \"few.txt\"\n",
    );
    fs::create_dir(tournament.path("words")).unwrap();
    fs::write(tournament.path("words/few.txt"), "AA\nAB\n").unwrap();
    fs::write(tournament.path("few.txt"), "AA\nAD\n").unwrap();
    let output = tournament.run(&[]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("it reports that AD is invalid, but the arbiter's few differs"), "{errors}");
}

/// Counted searches alone: such games can be repeated.
const REPEATABLE: &str = "pairs = 5\nseed = 3\n[[engines]]\nname = \"a\"\nplayer = \"rack2\"\n[[engines]]\nname = \"b\"\nplayer = \"static:late=off\"\n\
     [[engines]]\nname = \"siu\"\ndialect = \"siu\"\ngo = \"gen\"\n[[engines]]\nname = \"ucgi\"\ndialect = \"ucgi\"\ngo = \"gen\"\npositions = \"whole\"\n";

#[test]
fn players_in_this_process_play_the_games_of_a_match() {
    let tournament = Tournament::new(
        "pairs = 8\nseed = 5\nconcurrency = 2\nredraws = 4\n[[engines]]\nname = \"a\"\nplayer = \"rack2\"\n[[engines]]\nname = \"b\"\nplayer = \"static\"\n",
    );
    let said = tournament.played(&["--gcg", "games"]);
    let words = ["match", "rack2", "static", "--pairs", "8", "--seed", "5", "--redraws", "4", "--out", "match", "--gcg", "match-games"];
    let output = Command::new(env!("CARGO_BIN_EXE_tilewright")).args(words).current_dir(tournament.folder.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let (ours, theirs) = (tournament.journal("t.journal"), tournament.journal("match"));
    assert_eq!((ours.len(), theirs.len()), (9, 9));
    for (ours, theirs) in ours.iter().zip(&theirs).skip(1) {
        assert_eq!((&ours["deal"], &ours["divergent"]), (&theirs["piece"], &theirs["divergent"]));
        for (game, key) in (0..2).flat_map(|game| ["scores", "turns", "bingos", "penalties", "luck"].map(|key| (game, key))) {
            assert_eq!(ours["games"][game][key], theirs["games"][game][key], "{key} of {ours}");
        }
    }
    assert!(said.contains("without the luck of the draws"), "{said}");
    // The line for scripts says the same, too: up to the speed, which only matches tell.
    let result = |text: &str| text.lines().find(|line| line.starts_with("result ")).unwrap().to_string();
    let (ours, theirs) = (result(&said), result(&String::from_utf8_lossy(&output.stdout)));
    let figures = |line: &str| line[line.find(" pairs ").unwrap()..].split(" games_per_s").next().unwrap().to_string();
    assert_eq!(figures(&ours), figures(&theirs));
    // And so do the records of the games, but for the names.
    let events = |folder: &str, name: &str| {
        let text = fs::read_to_string(tournament.path(folder).join(name)).unwrap();
        text.lines().filter(|line| line.starts_with('>')).map(String::from).collect::<Vec<_>>()
    };
    for name in ["pair000000-1.gcg", "pair000007-2.gcg"] {
        assert_eq!(events("games", name), events("match-games", name));
    }
}

#[test]
fn programs_and_players_that_play_alike_play_the_same_games() {
    let tournament = Tournament::new(REPEATABLE);
    let said = tournament.played(&[]);
    assert!(said.contains("no game was lost by a fault"), "{said}");
    let lines = tournament.journal("t.journal");
    assert_eq!(lines.len(), 1 + 5 * 6);
    // `go gen` is what this player does, so their pairs are mirror images, in both dialects and forms of positions.
    for line in lines.iter().filter(|line| [[1, 2], [1, 3], [2, 3]].iter().any(|pair| line["engines"] == serde_json::json!(pair))) {
        assert_eq!(line["divergent"], false, "{line}");
    }
    assert!(lines[0]["identity"]["identities"][2].as_str().unwrap().starts_with("Tilewright "), "{}", lines[0]);
    assert!(lines.iter().skip(1).any(|line| line["games"][0]["plays"][0]["told"]["eq"].is_f64()));
    assert_eq!(said.lines().filter(|line| line.starts_with("result ")).count(), 6);
}

#[test]
fn a_run_that_is_killed_or_out_of_disk_goes_on_to_the_same_journal() {
    let (whole, killed) = (Tournament::new(REPEATABLE), Tournament::new(REPEATABLE));
    whole.played(&[]);
    // Files become full in the middle of a write.
    let mut full = Command::new("sh");
    let limit = "trap '' XFSZ; ulimit -f 40; exec \"$0\" \"$@\"";
    full.args(["-c", limit, env!("CARGO_BIN_EXE_tilewright"), "tournament", "t.toml"]).current_dir(killed.folder.path());
    let output = full.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && errors.contains(" pairs are kept, go on with: "), "{errors}");
    let (kept, all) = (fs::metadata(killed.path("t.journal")).unwrap().len(), fs::metadata(whole.path("t.journal")).unwrap().len());
    assert!(0 < kept && kept < all, "{kept} of {all} bytes");
    let mut moments = [30, 700, 90, 1_500, 350, 1_100].into_iter();
    let mut kills = 0;
    loop {
        let mut child = killed.command(&["--resume"]).spawn().unwrap();
        let Some(moment) = moments.next() else {
            assert!(finish(child).status.success());
            break;
        };
        std::thread::sleep(Duration::from_millis(moment));
        let is_over = child.try_wait().unwrap().is_some();
        let _ = child.kill();
        let _ = child.wait();
        kills += u32::from(!is_over);
        // What a crash may leave of the last line.
        if moment == 700 && killed.path("t.journal").exists() {
            let text = fs::read(killed.path("t.journal")).unwrap();
            fs::write(killed.path("t.journal"), &text[..text.len().saturating_sub(5)]).unwrap();
        }
    }
    assert!(kills > 0, "no run was killed");
    assert_eq!(killed.untimed("t.journal"), whole.untimed("t.journal"));
}

#[test]
fn a_killed_runner_leaves_no_process() {
    if !Need::Python.is_met() {
        return;
    }
    let tournament = Tournament::new(&bad("stays", "time = { nodes = 1 }").replace("pairs = 1", "pairs = 100000\nconcurrency = 2"));
    let mut child = {
        let mut command = tournament.command(&[]);
        command.process_group(0).spawn().unwrap()
    };
    let end = Instant::now() + Duration::from_secs(60);
    // The engine of the check, two of the games, and the child of each.
    while fs::read_to_string(tournament.path("pids")).unwrap_or_default().lines().count() < 6 {
        assert!(Instant::now() < end, "the engines do not start");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    tournament.expect_no_process();
}

#[test]
fn an_interrupted_run_says_how_to_go_on_and_goes_on_to_the_same_journal() {
    let file = REPEATABLE.replace("pairs = 5", "pairs = 1000000\nconcurrency = 2");
    let (whole, interrupted) = (Tournament::new(&file), Tournament::new(&file));
    for words in [&[][..], &["--resume"]] {
        let before = if words.is_empty() { 0 } else { interrupted.journal_lines("t.journal") };
        let child = interrupted.command(words).spawn().unwrap();
        let end = Instant::now() + Duration::from_secs(60);
        while fs::read_to_string(interrupted.path("t.journal")).unwrap_or_default().lines().count() < before + 3 {
            assert!(Instant::now() < end, "no pair is played");
            std::thread::sleep(Duration::from_millis(20));
        }
        let told = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(told.success());
        let output = finish(child);
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        let last = said.lines().last().unwrap();
        assert!(last.starts_with("interrupted after ") && last.ends_with(" --resume"), "{last}");
    }
    // Whole rounds of the six meetings.
    let pairs = format!("pairs={}", interrupted.journal_lines("t.journal") / 6 + 1);
    interrupted.played(&["--resume", "--set", &pairs]);
    whole.played(&["--set", &pairs]);
    assert_eq!(interrupted.untimed("t.journal"), whole.untimed("t.journal"));
}

#[test]
fn an_interrupt_reaches_no_engine_and_a_move_under_way_is_not_waited_out() {
    if !Need::Python.is_met() {
        return;
    }
    // A terminal interrupts the whole group of the runner. This engine would think for an hour.
    let tournament = Tournament::new(&bad("notes-interrupts", "time = { move_ms = 3_600_000 }"));
    let child = tournament.command(&[]).process_group(0).spawn().unwrap();
    let noted = || fs::read_to_string(tournament.path("pids")).unwrap_or_default();
    let end = Instant::now() + Duration::from_secs(60);
    while !noted().contains("asked") {
        assert!(Instant::now() < end, "nobody is asked");
        std::thread::sleep(Duration::from_millis(20));
    }
    let told = Command::new("kill").args(["-INT", "--", &format!("-{}", child.id())]).status().unwrap();
    assert!(told.success());
    let output = finish(child);
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(!noted().contains("interrupted"), "{}", noted());
    fs::write(tournament.path("pids"), noted().replace("asked\n", "")).unwrap();
    tournament.expect_no_process();
}

#[test]
fn a_changed_file_is_refused_by_its_key() {
    let tournament = Tournament::new(REPEATABLE);
    let file = fs::read_to_string(tournament.path("t.toml")).unwrap();
    let one_pair = file.replace("pairs = 5", "pairs = 1");
    fs::write(tournament.path("t.toml"), &one_pair).unwrap();
    tournament.played(&[]);
    let refused = |words: &[&str], expected: &str| {
        let output = tournament.run(words);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && errors.contains(expected), "{errors}");
    };
    refused(&[], "the journal is there already: --resume goes on");
    for (change, expected) in [
        (("seed = 3", "seed = 4"), "the journal is of another match or tournament; seed: 3 in the journal, 4 now"),
        (("player = \"rack2\"", "player = \"rack1\""), "engines[0].player: \"rack2\" in the journal, \"rack1\" now"),
        (("positions = \"whole\"", "positions = \"moves\""), "engines[3].positions: \"whole\" in the journal, \"moves\" now"),
    ] {
        fs::write(tournament.path("t.toml"), one_pair.replace(change.0, change.1)).unwrap();
        refused(&["--resume"], expected);
        refused(&["--report"], expected);
    }
    // More pairs, and more at the same time, are the same tournament.
    fs::write(tournament.path("t.toml"), file.replace("pairs = 5", "pairs = 2\nconcurrency = 2")).unwrap();
    let said = tournament.played(&["--resume"]);
    assert_eq!(tournament.journal("t.journal").len(), 1 + 2 * 6);
    let report = tournament.played(&["--report"]);
    assert!(said.starts_with(&report), "{report}\n{said}");
}

#[test]
fn overtime_may_cost_points_instead_of_the_game() {
    if !Need::Python.is_met() {
        return;
    }
    let tournament = Tournament::new(&bad("slow", "time = { game_ms = 400, margin_ms = 0, overtime = \"points\" }"));
    let said = tournament.played(&[]);
    assert!(
        said.contains("siu, whole positions; 400 ms a game, overtime costs 10 points per minute begun; sent as a share for each turn"),
        "{said}"
    );
    for game in tournament.journal("t.journal")[1]["games"].as_array().unwrap() {
        assert!(game.get("fault").is_none(), "{game}");
        assert_eq!((game["penalties"][0].as_i64(), game["overstepped"][0].as_bool()), (Some(10), Some(true)), "{game}");
    }
}

#[test]
fn clocks_are_told_in_ucgi_and_divided_in_siu() {
    let engine = |dialect: &str| format!("[[engines]]\nname = \"{dialect}\"\ndialect = \"{dialect}\"\noptions = {{ Threads = 1 }}\n");
    let tournament =
        Tournament::new(&format!("pairs = 1\n[time]\ngame_ms = 3_000\nmargin_ms = 20_000\n{}{}", engine("siu"), engine("ucgi")));
    let said = tournament.played(&[]);
    assert!(said.contains("no game was lost by a fault"), "{said}");
    assert!(said.contains("overtime loses; sent as clocks") && said.contains("overtime loses; sent as a share for each turn"), "{said}");
    for game in tournament.journal("t.journal")[1]["games"].as_array().unwrap() {
        assert!((0..2).all(|player| game["time_us"][player].as_u64().unwrap() > 0), "{game}");
    }
}

#[test]
fn a_program_can_be_started_for_each_turn_and_a_test_ends_a_tournament() {
    // Nobody can lose to a player who passes: the test is decided as soon as it may be.
    let tournament = Tournament::new(
        "pairs = 1000\n[time]\nmove_ms = 20_000\n[sprt]\ntest = \"elo:0,20\"\n[[engines]]\nname = \"good\"\nplayer = \"greedy\"\ntime = {}\n\
         [[engines]]\nname = \"sh\"\ndialect = \"exec\"\ncommand = \"sh\"\nargs = [\"-c\", 'test \"$2\" = 20000 && echo pass', \"exec\"]\n",
    );
    let said = tournament.played(&[]);
    assert!(said.contains("H1 accepted"), "{said}");
    assert!(said.lines().last().unwrap().starts_with("over: the test is decided after "), "{said}");
    assert!(said.contains("no game was lost by a fault"), "{said}");
}

#[cfg(feature = "web")]
#[test]
fn the_report_is_a_page_too() {
    let tournament = Tournament::new(
        "pairs = 2\n[[engines]]\nname = \"<a> & b\"\nplayer = \"greedy\"\n[[engines]]\nname = \"siu\"\ndialect = \"siu\"\n\
         options = { Threads = 1 }\ntime = { nodes = 20 }\n",
    );
    let said = tournament.played(&["--html", "played.html"]);
    let page = fs::read_to_string(tournament.path("played.html")).unwrap();
    let told = tournament.journal("t.journal").iter().skip(1).any(|pair| pair["games"][0]["plays"][1]["told"]["wp"].is_f64());
    assert!(told && page.contains("Brier score"), "the engine says what it expects");
    for needed in
        ["&lt;a&gt; &amp; b", "siu, positions with moves", "2 pairs of games", "No game was lost by a fault", "id=\"ratings-over-time\""]
    {
        assert!(page.contains(needed), "{needed}");
    }
    // The ratings are those of the text.
    let rating = said.lines().find(|line| line.contains(" siu ")).and_then(|line| line.split_whitespace().nth(2)).unwrap();
    assert!(page.contains(&format!("{} ± ", rating)), "{said}");
    // The journal alone gives the same page, and nothing is written over unasked.
    tournament.played(&["--report", "--html", "again.html"]);
    // The page of a run tells how it ended, too, which is not in the journal.
    let (page, ending) = page.split_once("<div class=\"card\" id=\"ending\">").unwrap();
    assert!(ending.contains("runner: ") && ending.contains("over: all "), "{ending}");
    assert_eq!(fs::read_to_string(tournament.path("again.html")).unwrap().split_once("</footer>").unwrap().0, page);
    let refused = tournament.run(&["--report", "--html", "again.html"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--force"), "{refused:?}");
    tournament.played(&["--report", "--force", "--html", "again.html"]);
}
