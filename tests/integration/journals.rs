//! Runs that several machines share: the shards' journals, joined, are the file that one machine writes, byte for byte but for times.
//!
//! Here are also the lines that `docs/journal.schema.json` describes. Start with [`Sharing`].

use crate::integration::in_folder::{fine, read, refused, run};
use crate::integration::json_schema::Schema;
use crate::integration::languages::language_folder;
use crate::integration::needs::Need;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A value without the keys of times and checksums.
fn remove_times(value: &mut Value) {
    match value {
        Value::Object(keys) => {
            keys.retain(|key, _| !["time_us", "idle_us", "time_ms", "times_ms", "machine", "crc32"].contains(&key.as_str()));
            keys.values_mut().for_each(remove_times);
        }
        Value::Array(values) => values.iter_mut().for_each(remove_times),
        _ => {}
    }
}

/// A journal's lines without times, each checked by the schema.
fn untimed(folder: &Path, name: &str) -> Vec<String> {
    let schema = Schema::read("docs/journal.schema.json");
    let line = |text: &str| {
        let mut line: Value = serde_json::from_str(text).expect("JSON");
        schema.check(&line);
        remove_times(&mut line);
        line.to_string()
    };
    read(folder, name).lines().map(line).collect()
}

/// A command whose pieces are shared.
struct Sharing<'a> {
    /// Its words, without its journal.
    command: &'a str,
    /// The flag that names the journal; none for `lab regret make`.
    flag: &'a str,
    /// The part of the journal that is the same each time.
    sameness: Sameness,
}

/// The part of a journal that is the same each time it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sameness {
    /// The bytes.
    All,
    /// All but times.
    ButTimes,
    /// The numbers of the pieces: what was found depends on the time it took.
    Pieces,
}

impl Sharing<'_> {
    /// Runs a command whole and in three shards, and joins these in another order.
    fn check(&self, folder: &Path) {
        let Sharing { command, flag, sameness } = self;
        let is_training = command.starts_with("lab train");
        // A training keeps no journal when it has made its table: a single shard does.
        let one = if is_training { "--shard 1/1" } else { "" };
        fine(folder, &format!("{command} {flag} whole.j {one}"));
        for shard in 1..=3 {
            let told = run(folder, &format!("{command} {flag} {shard}.j --shard {shard}/3"));
            assert!(told.0 && [told.1, told.2].concat().contains(&format!("shard {shard}/3: ")), "{command}");
        }
        fine(folder, "journal merge joined.j 3.j 1.j 2.j");
        let same = |name: &str| match sameness {
            Sameness::All => read(folder, name).lines().map(String::from).collect(),
            Sameness::ButTimes => untimed(folder, name),
            Sameness::Pieces => untimed(folder, name).iter().map(|line| piece(&line[line.find("\"piece").unwrap()..])).collect(),
        };
        assert_eq!(same("joined.j"), same("whole.j"), "{command}");
        let lines = read(folder, "joined.j").lines().count();
        assert!(lines > 3, "{command} has {lines} lines");
        // A joined journal with gaps is gone on with, and what was found before is not found again.
        refused(folder, "journal merge gaps.j 3.j 1.j", " are missing: 1");
        fine(folder, "journal merge gaps.j 3.j 1.j --partial");
        let go_on = if is_training { "--shard 1/1" } else { "--resume" };
        fine(folder, &format!("{command} {flag} gaps.j {go_on}"));
        fine(folder, "journal merge filled.j gaps.j");
        assert_eq!(same("filled.j"), same("whole.j"), "{command}");
        for name in ["whole.j", "1.j", "2.j", "3.j", "joined.j", "gaps.j", "filled.j"] {
            fs::remove_file(folder.join(name)).expect("the journal is there");
        }
    }
}

/// The number of a piece, or that of all pieces in a header.
fn piece(text: &str) -> String {
    text.split(',').next().expect("a number").to_string()
}

fn check(folder: &Path, command: &str, flag: &str, sameness: Sameness) {
    Sharing { command, flag, sameness }.check(folder);
}

#[test]
fn matches_and_tournaments() {
    let folder = tempfile::tempdir().expect("a folder");
    check(folder.path(), "match rack1 greedy --pairs 7 --redraws 2", "--out", Sameness::ButTimes);
    check(folder.path(), "tournament --engine rack1 --engine greedy --engine rack2 --set pairs=2", "--journal", Sameness::ButTimes);
    refused(folder.path(), "match rack1 greedy --pairs 7 --shard 1/3", "--shard needs --out");
    refused(folder.path(), "match rack1 greedy --out m --sprt elo:0,5 --shard 1/3", "--shard: a test depends on all pairs");
    refused(
        folder.path(),
        "match rack1 greedy --out m --shard 4/3",
        "expected the number of a shard and the number of shards, such as 2/3",
    );
}

#[test]
fn corpora_and_analyses() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    // The journal is the last word.
    check(folder, "lab regret make --games 4 --players greedy --oracle greedy --candidates 4 --deals 6", "", Sameness::All);
    fine(folder, "lab selfplay 1 --seed 8 --out games");
    check(folder, "analyse games --iterations 2 --threads 1", "--journal", Sameness::All);
    refused(folder, "analyse games --iterations 2 --shard 1/2", "--shard needs --journal");
    refused(folder, "analyse games --iterations 2 --shard 1/2 --journal a.j --json a.json", "--shard writes no reports: join the journals");
    // A piece is a file: each has an opening rack of a small language.
    let tiny = language_folder();
    fs::create_dir(tiny.path().join("racks")).expect("a folder");
    for (name, rack) in [("a", "AAEELOT"), ("b", "AELLOTT"), ("c", "AEOOTTL"), ("d", "EELLOTA")] {
        fs::write(tiny.path().join(format!("racks/{name}.cgp")), rack).expect("a file");
    }
    let made = "puzzles racks --letters tiny.csv --lexicon tiny.txt --iterations 2 --least-difficulty 0 --margin 1";
    check(tiny.path(), made, "--journal", Sameness::All);
    fine(tiny.path(), &format!("{made} --journal whole.j --threads 1"));
    fine(tiny.path(), &format!("{made} --journal whole.j --resume --json found.json"));
    assert!(read(tiny.path(), "found.json").contains("\"schema\": 1"));
    refused(
        tiny.path(),
        &format!("{made} --journal whole.j --resume --seed 2"),
        "the journal is of another run of puzzles; the seed (--seed): 1",
    );
}

#[test]
fn measurements() {
    let folder = language_folder();
    let tiny = "--letters tiny.csv --lexicon tiny.txt";
    let endgames = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/endgame_enable.tsv")).expect("endgames");
    let few: Vec<&str> = endgames.lines().filter(|line| line.contains('/')).take(4).collect();
    fs::write(folder.path().join("few.tsv"), few.join("\n")).expect("a file");
    check(folder.path(), "lab endgames --file few.tsv --times 60000", "--journal", Sameness::ButTimes);
    check(folder.path(), &format!("lab pegs {tiny} --games 4 --movetime 50"), "--journal", Sameness::Pieces);
    check(folder.path(), &format!("lab pegs {tiny} --games 3 --estimates"), "--journal", Sameness::All);
    check(folder.path(), &format!("lab pegs {tiny} --games 3 --choices 50"), "--journal", Sameness::ButTimes);
}

#[test]
fn trainings() {
    let folder = language_folder();
    let folder = folder.path();
    let tiny = "--letters tiny.csv --lexicon tiny.txt --threads 2";
    check(folder, &format!("lab train winpct {tiny} --games 20 --save-every 4 --out t.win.csv"), "--journal", Sameness::All);
    check(folder, &format!("lab train bag {tiny} --games 20 --save-every 4 --out t.bag.csv"), "--journal", Sameness::All);
    check(folder, &format!("lab train opponents greedy {tiny} --games 36 --every 5 --racks 4 --out t.txt"), "--journal", Sameness::All);
    assert!(!folder.join("t.win.csv").exists(), "a shard writes nothing but its journal");
}

/// Each generation of leaves is shared; the next one begins from the joined journal.
#[test]
fn generations_of_leaves() {
    let folder = language_folder();
    let folder = folder.path();
    let line = "lab train leaves --letters tiny.csv --lexicon tiny.txt --boards 6 --save-every 2 --generations 2 --pairs 8 --threads 2";
    fine(folder, &format!("{line} --out whole.klv2 --journal whole.j"));
    let generations = untimed(folder, "whole.j").len();
    assert!([1 + 3, 1 + 3 + 6].contains(&generations), "{generations} lines");
    fine(folder, &format!("{line} --out joined.klv2 --journal 1.j --shard 1/2"));
    let told = fine(folder, &format!("{line} --out joined.klv2 --journal 2.j --shard 2/2"));
    assert!(told.contains("generation 1 needs the pieces of all shards: shard 2/2: 1 of its 1 parts (of 3 in all)"), "{told}");
    fine(folder, "journal merge joined.j 1.j 2.j");
    if generations > 4 {
        for shard in 1..=2 {
            fs::copy(folder.join("joined.j"), folder.join(format!("{shard}.j"))).expect("a copy");
            let told = fine(folder, &format!("{line} --out joined.klv2 --journal {shard}.j --shard {shard}/2"));
            assert!(told.contains("generation 2 needs the pieces "), "{told}");
        }
        fine(folder, "journal merge joined.j 2.j 1.j --force");
    }
    assert_eq!(read(folder, "joined.j"), read(folder, "whole.j"));
    fine(folder, &format!("{line} --out joined.klv2 --journal joined.j"));
    assert!(fs::read(folder.join("joined.klv2")).unwrap() == fs::read(folder.join("whole.klv2")).unwrap());
}

/// A round of a Swiss tournament is shared; the next one follows from the joined journal.
#[test]
fn rounds_of_a_swiss_tournament() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let line = "tournament --engine rack1 --engine greedy --engine rack2 --engine rack3 --set format=swiss --set pairs=2 --set rounds=2";
    fine(folder, &format!("{line} --journal whole.j"));
    for round in 1..=2 {
        for shard in 1..=3 {
            if round == 2 {
                fs::copy(folder.join("joined.j"), folder.join(format!("{shard}.j"))).expect("a copy");
            }
            let told = fine(folder, &format!("{line} --journal {shard}.j --shard {shard}/3 --resume"));
            assert_eq!(told.contains("the next round depends on all pairs of this one"), round == 1, "{told}");
        }
        fine(folder, "journal merge joined.j 1.j 2.j 3.j --partial --force");
    }
    assert_eq!(untimed(folder, "joined.j"), untimed(folder, "whole.j"));
}

#[test]
fn what_cannot_be_joined_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fine(folder, "match rack1 greedy --pairs 6 --redraws 0 --out whole.j");
    fine(folder, "match rack1 greedy --pairs 6 --redraws 0 --out again.j --shard 1/2");
    fine(folder, "match rack1 greedy --pairs 2 --redraws 0 --seed 2 --out other.j");
    fine(folder, "lab regret make --games 1 --players greedy --oracle greedy --candidates 4 --deals 6 corpus.j");
    refused(
        folder,
        "journal merge new.j whole.j other.j",
        "whole.j and other.j cannot be joined: they belong to different runs: seed is 1 in the first and 2",
    );
    refused(folder, "journal merge new.j whole.j corpus.j", "cannot be joined: one has pairs, the other has corpus");
    refused(folder, "journal merge new.j whole.j again.j", "pair 0 differs between journals: line 2 of whole.j and line 2 of again.j");
    // The same bytes twice are one piece.
    fine(folder, "journal merge new.j whole.j whole.j");
    assert_eq!(read(folder, "new.j"), read(folder, "whole.j"));
    refused(folder, "journal merge new.j whole.j", "new.j is there already");
    let lines: Vec<String> = read(folder, "whole.j").lines().map(|line| format!("{line}\n")).collect();
    // A damaged line is named, and no other one is lost; nor is anything before a line that was cut off.
    let damaged = [&lines[..3], &[lines[3].replacen("\"deal\":2", "\"deal\":3", 1)], &lines[4..6], &[lines[6][..40].to_string()]].concat();
    fs::write(folder.join("damaged.j"), damaged.concat()).expect("a file");
    let expected = "damaged.j: line 4 is damaged: its checksum is ";
    refused(folder, "match rack1 greedy --pairs 6 --redraws 0 --out damaged.j --resume", expected);
    refused(folder, "tournament --report --journal damaged.j", expected);
    refused(folder, "journal merge mended.j damaged.j", "2 of 6 pairs are missing: 2, 5; --partial joins the others anyway");
    let (is_fine, told, said) = run(folder, "journal merge mended.j damaged.j --partial");
    assert!(
        is_fine && said.contains(expected) && told.contains("4 pairs of 1 journals, 1 damaged lines were left out: 2 of 6"),
        "{told}{said}"
    );
    let kept: String = [&lines[..3], &lines[4..6]].concat().concat();
    assert_eq!(read(folder, "mended.j"), kept);
    fine(folder, "match rack1 greedy --pairs 6 --redraws 0 --out mended.j --resume");
    fine(folder, "journal merge sorted.j mended.j");
    assert_eq!(untimed(folder, "sorted.j"), untimed(folder, "whole.j"));
}

/// A report needs the journal alone, whether it is of a match or a tournament, and says what the run said.
#[test]
fn a_journal_alone_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let of_run = |told: &str| told.lines().take_while(|line| !line.starts_with("runner: ") && !line.starts_with("games per")).count();
    let run_and_report = |line: &str, flag: &str| {
        let told = fine(folder, &format!("{line} {flag} run.j --force --csv-pairs a.csv --csv-turns b.csv"));
        let reported = fine(folder, "tournament --report --journal run.j --force --csv-pairs c.csv --csv-turns d.csv --gcg games");
        assert_eq!((read(folder, "a.csv"), read(folder, "b.csv")), (read(folder, "c.csv"), read(folder, "d.csv")), "{line}");
        let same = of_run(&told).min(8);
        assert!(same > 3);
        assert_eq!(reported.lines().take(same).collect::<Vec<_>>(), told.lines().take(same).collect::<Vec<_>>(), "{line}");
        (read(folder, "a.csv"), read(folder, "b.csv"))
    };
    let (pairs, turns) = run_and_report("match rack1 greedy --pairs 3 --redraws 0", "--out");
    assert_eq!(pairs.lines().count(), 1 + 2 * 3);
    assert!(pairs.starts_with("pair,deal,a,b,divergent,game,begins,a_score,b_score,"), "{pairs}");
    assert!(turns.starts_with("pair,game,turn,engine,play,score,time_us,told_wp,told_eq\n0,1,1,a,"), "{turns}");
    assert!(turns.contains("\n0,2,1,b,"), "{turns}");
    run_and_report("tournament --engine rack1 --engine greedy --engine rack2 --set pairs=1 --set game.bonus=35", "--journal");
    run_and_report("match rack1 greedy --pairs 2 --variant crossplay", "--out");
    run_and_report("match greedy greedy --pairs 2 --variant misere", "--out");
    #[cfg(feature = "web")]
    {
        fine(folder, "match rack1 greedy --pairs 2 --redraws 0 --html page.html");
        let page = read(folder, "page.html");
        assert!(page.contains("Tournament of a, b") && page.ends_with("</html>"), "{}", &page[..200]);
        fine(folder, "tournament --report --journal run.j --html report.html");
    }
    // The keys that are described are still compared.
    refused(
        folder,
        "tournament --engine rack1 --engine greedy --set pairs=2 --report --journal run.j",
        "the journal is of another match or tournament; ",
    );
}

/// `scripts/cluster/local` with three processes.
#[test]
fn the_local_runner_shares_a_match() {
    if !Need::Python.is_met() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/cluster/local");
    let local = |line: &str| {
        let mut command = Command::new(&script);
        command.args(line.split(' ')).current_dir(folder).env("TILEWRIGHT", env!("CARGO_BIN_EXE_tilewright"));
        let output = command.output().expect("the script starts");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    fine(folder, "match rack1 greedy --pairs 5 --redraws 0 --out whole.j");
    let told = local("3 joined.j --out match rack1 greedy --pairs 5 --redraws 0");
    assert!(told.contains("joined.j: 5 pairs of 3 journals: complete"), "{told}");
    assert_eq!(untimed(folder, "joined.j"), untimed(folder, "whole.j"));
}

#[test]
fn the_schema_refuses_what_is_no_line() {
    let schema = Schema::read("docs/journal.schema.json");
    let header = serde_json::json!({
        "journal": 1, "kind": "pairs", "unit": "pair", "pieces": 2, "run": "0123456789abcdef", "identity": {"tilewright": "1"}, "crc32": "00000000"
    });
    assert_eq!(schema.judge(&header), Ok(()));
    for (key, wrong) in
        [("journal", 2.into()), ("kind", "x".into()), ("pieces", (-1).into()), ("run", "0".into()), ("crc32", "0000000g".into())]
    {
        let mut header = header.clone();
        header[key] = wrong;
        assert!(schema.judge(&header).is_err(), "{header}");
    }
    assert!(schema.judge(&serde_json::json!({"piece": 1, "run": "0123456789abcdef", "crc32": "00000000"})).is_err());
}
