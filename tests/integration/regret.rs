//! `tilewright lab regret` as a user runs it: a corpus is the same however it is made, and players are asked on it.

use std::path::Path;
use std::process::Command;
use tilewright::internals::seal;

/// A corpus that takes a moment.
const SMALL: &str = "--players greedy --oracle greedy --candidates 4 --deals 6 --seed 2";

/// Runs it in a folder: whether it ended well, what it printed and said.
fn run(folder: &Path, line: &str) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tilewright")).args(line.split_whitespace()).current_dir(folder).output();
    let output = output.expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

fn told(folder: &Path, line: &str) -> String {
    let (is_fine, told, said) = run(folder, line);
    assert!(is_fine, "{line}: {said}");
    told
}

fn refused(folder: &Path, line: &str) -> String {
    let (is_fine, told, said) = run(folder, line);
    assert!(!is_fine && told.is_empty(), "{line}: {told}");
    said
}

/// A folder with a small corpus, `a.jsonl`, of this many games.
fn with_corpus(games: u64) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    told(folder.path(), &format!("lab regret make a.jsonl --games {games} --threads 2 {SMALL}"));
    folder
}

#[test]
fn a_corpus_is_the_same_however_often_it_was_interrupted_and_on_any_threads() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (folder, read) = (folder.path(), |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a corpus"));
    told(folder, &format!("lab regret make whole.jsonl --games 5 --threads 2 {SMALL}"));
    let whole = read("whole.jsonl");
    assert_eq!(whole.lines().count(), 6);

    told(folder, &format!("lab regret make parts.jsonl --games 2 --threads 1 {SMALL}"));
    // The next line was cut off.
    let cut: String = whole.chars().take(read("parts.jsonl").len() + 500).collect();
    std::fs::write(folder.join("parts.jsonl"), cut).expect("a file");
    told(folder, &format!("lab regret make parts.jsonl --games 5 --threads 1 --resume {SMALL}"));
    assert_eq!(read("parts.jsonl"), whole);

    let said = refused(folder, &format!("lab regret make whole.jsonl --games 6 {SMALL}"));
    assert!(said.contains("--resume goes on with it, --force writes over it"), "{said}");
    let said = refused(folder, &format!("lab regret make whole.jsonl --games 6 --resume {SMALL} --bonus 35"));
    assert!(
        said.contains("the journal is of another corpus; words and rules (--lexicon, --letters, --layout, --bonus): \"ENABLE "),
        "{said}"
    );
    assert_eq!(read("whole.jsonl"), whole);
}

#[test]
fn players_lose_what_the_oracle_says_and_threads_change_nothing() {
    let folder = with_corpus(4);
    let folder = folder.path();
    let table = told(folder, "lab regret score a.jsonl greedy static:late=off greedy --deals 20 --threads 2");
    assert_eq!(table, told(folder, "lab regret score a.jsonl greedy static:late=off greedy --deals 20 --threads 1"));
    let mut rows = table.lines().filter(|line| line.starts_with("all "));
    let (wins, points) = (rows.next().expect("a row"), rows.next().expect("a row"));
    for row in [wins, points] {
        let numbers: Vec<&str> = row.split_whitespace().filter(|word| *word != "+-").collect();
        // The name, turns, turns a game, then for each player what is lost with its error, and for all but the first the difference with its error.
        assert_eq!(numbers.len(), 13, "{row}");
        assert_eq!(&numbers[3..5], &numbers[9..11], "the same player loses the same: {row}");
        assert_eq!(&numbers[11..], ["0.000", "0.000"], "{row}");
        assert_ne!(numbers[7], "0.000", "another player does not: {row}");
    }
    let turns = |row: &str| -> usize {
        let count = |line: &str| line.strip_prefix(row)?.split_whitespace().next()?.parse().ok();
        table.lines().find_map(count).unwrap_or_else(|| panic!("no row {row:?}: {table}"))
    };
    assert_eq!(turns("decided games") + turns("other games"), turns("all"), "{table}");
    assert_eq!(turns("open boards") + turns("closed boards"), turns("all"), "{table}");
    assert!(turns("closed boards") > 0, "{table}");
    let said = refused(folder, "lab regret score a.jsonl greedy --bonus 35");
    assert!(said.contains("the journal is of another corpus; words and rules"), "{said}");
    for player in ["inference", "knowall", "knowleave"] {
        let said = refused(folder, &format!("lab regret score a.jsonl greedy {player}"));
        assert!(said.contains(player) && said.contains("needs the opponent's tiles or turns"), "{said}");
    }
    let said = refused(folder, "lab regret score none.jsonl greedy");
    assert!(said.starts_with("tilewright: none.jsonl: "), "{said}");
    std::fs::write(folder.join("b.jsonl"), "{}\n").expect("a file");
    let said = refused(folder, "lab regret score b.jsonl greedy");
    assert!(said.contains("b.jsonl: line 1, column 2: expected the header of a journal (corpus)"), "{said}");
}

/// Some turns of a large corpus, whose making the header tells.
#[test]
fn on_turns_of_strong_players_the_greedy_player_loses_more_than_the_static_one() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/regret-sample.jsonl");
    let table = told(sample.parent().expect("a folder"), "lab regret score regret-sample.jsonl static:late=off greedy --deals 100");
    let row = table.lines().filter(|line| line.starts_with("all ")).nth(1).expect("a row of points");
    let numbers: Vec<f64> = row.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    // Turns, turns a game, static with its error, greedy with its error, the difference with its error.
    let (more, error) = (numbers[6], numbers[7]);
    assert!(more > 2.0 * error && error > 0.0, "{table}");
}

/// The rows of a table without its heading.
fn rows(table: &str) -> Vec<&str> {
    table.lines().skip_while(|line| !line.starts_with("lost a turn")).collect()
}

#[test]
fn another_oracle_judges_the_same_choices_in_another_way() {
    let folder = with_corpus(4);
    let score = |options: &str| told(folder.path(), &format!("lab regret score a.jsonl greedy static:late=off --deals 20 {options}"));
    let (own, same, other) = (score(""), score("--oracle greedy"), score("--oracle static:late=off"));
    assert_eq!(rows(&own), rows(&same));
    assert!(other.contains("compared by 20 deals of static:late=off, seed 1"), "{other}");
    let all = |table: &str| -> Vec<String> {
        let row = rows(table).into_iter().find(|line| line.starts_with("all ")).expect("a row");
        row.split_whitespace().map(str::to_string).collect()
    };
    let (own, other) = (all(&own), all(&other));
    assert_eq!(own[..6], other[..6], "what the first player loses is what the corpus says");
    assert_ne!(own[6..], other[6..], "what the second one loses more is not");
    let said = refused(folder.path(), "lab regret score a.jsonl greedy --oracle nobody");
    assert!(said.contains("'--oracle <PLAYER>'"), "{said}");
}

#[test]
fn the_turns_of_some_phases_are_scored_as_among_all() {
    let folder = with_corpus(3);
    let score = |options: &str| told(folder.path(), &format!("lab regret score a.jsonl greedy static:late=off --deals 20 {options}"));
    let (all, some) = (score(""), score("--phases approach,opening"));
    let of_phases = |table: &str| -> Vec<String> {
        let named = |line: &&str| ["opening", "approach"].iter().any(|phase| line.starts_with(phase));
        rows(table).into_iter().filter(named).map(str::to_string).collect()
    };
    assert_eq!(of_phases(&some).len(), 4, "{some}");
    assert_eq!(of_phases(&all), of_phases(&some));
    assert!(rows(&all).iter().any(|row| row.starts_with("midgame ")) && !some.contains("midgame"), "{some}");
    let said = refused(folder.path(), "lab regret score a.jsonl greedy --phases late");
    assert!(said.contains("[possible values: opening, midgame, late-midgame, approach, pre-endgame]"), "{said}");
}

#[test]
fn a_corpus_that_was_tampered_with_is_refused_with_the_place() {
    let folder = with_corpus(1);
    let folder = folder.path();
    let text = std::fs::read_to_string(folder.join("a.jsonl")).expect("a corpus");
    let check = |from: &str, to: &str, expected: &str| {
        assert!(text.contains(from), "{text}");
        // With right checksums: what follows is what the reader finds behind them.
        let changed = text.replacen(from, to, 1);
        let sealed = changed.lines().map(|line| seal(&format!("{}}}", line.rsplit_once(",\"crc32\":").expect("a checksum").0)));
        std::fs::write(folder.join("b.jsonl"), sealed.collect::<String>()).expect("a file");
        let said = refused(folder, "lab regret score b.jsonl greedy --threads 1");
        assert!(said.contains(expected), "{said}");
    };
    check("\"cgp\":\"15/", "\"cgp\":\"16/", "b.jsonl: game 0, turn 0: column ");
    check("\"play\":\"", "\"play\":\"8Z.", "b.jsonl: game 0, turn 0: the candidate \"8Z.");
    let second = text.lines().nth(1).expect("a game");
    let column = second.find("\"stands_for\"").expect("a turn") + "\"stand_for\"".len();
    let expected = format!("b.jsonl: line 2, column {column}: expected a game: unknown field `stand_for`");
    check("\"stands_for\":", "\"stand_for\":", &expected);
}
