//! A language is data: the program plays one that it has never seen, from a table of letters and a word list alone.
//!
//! The made-up language has letters beyond A to Z and one of two characters. Not here: how such files are read
//! (`formats/letter_distribution.rs`, `lexicon/word_list.rs`).

use crate::integration::answers::Search;
use crate::integration::engine_process::EngineProcess;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::process::{Command, Stdio};

/// Face, face of a blank, number of tiles, points, vowel or not.
const LETTERS: &str = "\
?,?,2,0,0
A,a,9,1,1
CH,ch,3,4,0
Č,č,3,3,0
E,e,8,1,1
L,l,6,1,0
Ñ,ñ,3,5,0
O,o,7,1,1
T,t,6,1,0
";

const VOWELS: [&str; 3] = ["A", "E", "O"];
const CONSONANTS: [&str; 5] = ["[CH]", "Č", "L", "Ñ", "T"];

/// Its words: a consonant and a vowel, and again, the last vowel left out or not.
fn words() -> HashSet<String> {
    let mut words = HashSet::new();
    for (first, vowel) in CONSONANTS.iter().flat_map(|first| VOWELS.map(|vowel| (first, vowel))) {
        words.insert(format!("{first}{vowel}"));
        for second in CONSONANTS {
            words.insert(format!("{first}{vowel}{second}"));
            words.extend(VOWELS.map(|last| format!("{first}{vowel}{second}{last}")));
        }
    }
    words
}

/// A folder with the two files of the language, `tiny.csv` and `tiny.txt`.
pub fn language_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut list: Vec<String> = words().into_iter().collect();
    list.sort();
    std::fs::write(folder.path().join("tiny.csv"), LETTERS).expect("the letters are written");
    std::fs::write(folder.path().join("tiny.txt"), list.join("\n") + "\n").expect("the words are written");
    folder
}

/// The tiles of a text, a letter of two characters in brackets being one of them.
fn tiles_of(text: &str) -> Vec<String> {
    let mut tiles = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first == '[' { rest.find(']').expect("a closing bracket") + 1 } else { first.len_utf8() };
        tiles.push(rest[..length].to_string());
        rest = &rest[length..];
    }
    tiles
}

/// Whether tiles of the rack make these; small letters are blanks.
fn has_tiles(rack: &str, tiles: &[String]) -> bool {
    let mut left = tiles_of(rack);
    tiles.iter().all(|tile| {
        let is_blank = tile.chars().any(char::is_lowercase);
        let wanted = if is_blank { "?" } else { tile.as_str() };
        left.iter().position(|have| have == wanted).map(|at| left.remove(at)).is_some()
    })
}

/// The word of a placement such as `8G.[CH]AÑO`; exchanges and the pass have none.
fn word_of(play: &str) -> Option<&str> {
    play.split_once('.').filter(|(place, _)| *place != "ex").map(|(_, word)| word)
}

#[test]
fn a_language_is_played_from_its_letters_and_words_alone() {
    let folder = language_folder();
    let words = words();
    let mut engine = EngineProcess::start();
    engine.tell(&format!("setoption name DataPath value {}", folder.path().display()));
    // Letters and words go together: they are loaded when both are named, by what comes next.
    engine.send("setoption name LetterDistribution value tiny");
    engine.tell("setoption name Lexicon value tiny");
    let checked = engine.ask("check [CH]AÑO ČAÑAÑ").join("\n");
    assert!(checked.contains("[CH]AÑO") && checked.contains("ČAÑAÑ"), "{checked}");

    // On the empty board every tile comes from the rack.
    engine.tell("position startpos");
    let first_rack = "[CH]AČOÑEL";
    engine.tell(&format!("rack {first_rack}"));
    let ranked = Search::of(&engine.go("go gen"));
    let placed: Vec<&str> = ranked.gen_rows().iter().filter_map(|row| word_of(&row.play)).collect();
    assert!(placed.iter().any(|word| word.contains("[CH]")) && placed.iter().any(|word| word.contains('Ñ')), "{placed:?}");
    for word in placed {
        assert!(words.contains(word), "{word} is no word");
        assert!(has_tiles(first_rack, &tiles_of(word)), "{word} is not on the rack");
    }
    let simulated = Search::of(&engine.go("go sim iterations 40 plays 5 seed 1"));
    let best = simulated.best;
    assert!(words.contains(word_of(&best).expect("a placement")), "{best}");

    // The next turn has a blank and joins what is on the board.
    engine.ask(&format!("play {best}"));
    engine.tell("rack ?TE[CH]LAČ");
    let ranked = Search::of(&engine.go("go gen"));
    let placed: Vec<&str> = ranked.gen_rows().iter().filter_map(|row| word_of(&row.play)).collect();
    assert!(placed.iter().any(|word| word.contains("[ch]")), "no play has the blank for [CH]: {placed:?}");
    assert!(placed.iter().all(|word| words.contains(&word.to_uppercase())), "{placed:?}");
    let answered = engine.go("go iterations 20 seed 1");
    let best = Search::of(&answered).best;
    let played = engine.ask(&format!("play {best}"));
    assert!(!played.join("\n").contains("error"), "{played:?}");
}

#[test]
fn made_up_tiles_are_told_apart() {
    assert_eq!(tiles_of("[CH]AÑ?"), ["[CH]", "A", "Ñ", "?"]);
    assert!(has_tiles("[CH]AÑ?", &tiles_of("[CH]Aa")) && !has_tiles("[CH]AÑ", &tiles_of("CA")));
    assert_eq!((word_of("8G.[CH]A"), word_of("ex.A"), word_of("pass")), (Some("[CH]A"), None, None));
}

/// The letters that the program carries.
const CARRIED: [&str; 12] =
    ["catalan", "danish", "dutch", "english", "french", "german", "italian", "norwegian", "polish", "portuguese", "spanish", "swedish"];

/// A list for letters that the program carries: vowels and consonants take turns. Each letter stands in some word.
fn made_up_words(letters: &str) -> String {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/formats/data/{letters}.csv"));
    let text = std::fs::read_to_string(data).expect("the letters are there");
    let rows: Vec<Vec<&str>> = text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(',').collect()).collect();
    let of_kind = |vowel: &str| -> Vec<String> {
        let faces = rows.iter().filter(|row| row.len() == 5 && row[0] != "?" && row[4].trim() == vowel).map(|row| row[0]);
        faces.map(|face| if face.chars().count() == 1 { face.to_string() } else { format!("[{face}]") }).collect()
    };
    let (vowels, consonants) = (of_kind("1"), of_kind("0"));
    let mut words = BTreeSet::new();
    for (i, first) in consonants.iter().enumerate() {
        for (j, vowel) in vowels.iter().enumerate() {
            let (second, other) = (&consonants[(3 * i + 7 * j + 1) % consonants.len()], &vowels[(i + 5 * j) % vowels.len()]);
            words.extend([format!("{first}{vowel}"), format!("{vowel}{first}"), format!("{first}{vowel}{second}{other}")]);
        }
    }
    words.into_iter().collect::<Vec<_>>().join("\n") + "\n"
}

/// Runs the program in a folder; its stdout.
fn told(folder: &Path, words: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    let output = command.args(words.split(' ')).current_dir(folder).stdin(Stdio::null()).output().expect("the program runs");
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn every_language_that_is_carried_needs_only_a_list() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for letters in CARRIED {
        std::fs::write(folder.path().join(format!("{letters}.txt")), made_up_words(letters)).expect("the list is written");
        let game = format!("--lexicon {letters}.txt --letters {letters}");
        // Leave values of many kinds of tiles take long, so those of one alphabet are made, with letters of several characters.
        if letters == "catalan" {
            told(folder.path(), &format!("lab train leaves --boards 1 --generations 1 --pairs 1 --out {letters}.klv2 {game}"));
        }
        told(folder.path(), &format!("lab train winpct --games 6 --out {letters}.win.csv {game}"));
        let played = told(folder.path(), &format!("match static greedy --pairs 1 --redraws 0 --referee {game} --gcg games-{letters}"));
        assert!(played.contains(&format!("letters {letters} ")) || letters == "english", "{played}");
        // The record reads back: its words stand in the position at its end.
        let mut engine = EngineProcess::start();
        engine.tell(&format!("setoption name DataPath value {}", folder.path().display()));
        engine.send(&format!("setoption name LetterDistribution value {letters}"));
        engine.tell(&format!("setoption name Lexicon value {letters}"));
        let records = std::fs::read_dir(folder.path().join(format!("games-{letters}"))).expect("a folder of records");
        let mut records: Vec<_> = records.map(|entry| entry.expect("a record").path()).collect();
        records.sort();
        engine.tell(&format!("position gcg {}", records[0].display()));
        let shown = engine.ask("d").join("\n");
        assert!(shown.contains("over out") || shown.contains("over zeroturns") || shown.contains("over declared"), "{letters}: {shown}");
        let cgp = engine.ask("cgp").join("\n");
        let text = cgp.lines().find_map(|line| line.split_once(" cgp ")).expect("the position").1.to_string();
        engine.tell(&format!("position cgp {text}"));
        // All but the last move, which a position does not know of.
        let parts = |text: &str| text.split("; ").filter(|opcode| !opcode.starts_with("lm ")).map(String::from).collect::<Vec<_>>();
        assert_eq!(parts(&engine.ask("cgp").join("\n")), parts(&cgp), "{letters}");
    }
    let digraphs =
        [("spanish", "[CH]"), ("spanish", "[LL]"), ("spanish", "[RR]"), ("catalan", "[L·L]"), ("catalan", "[NY]"), ("catalan", "[QU]")];
    for (letters, digraph) in digraphs {
        let first = made_up_words(letters).lines().find(|word| word.starts_with(digraph)).expect("a word").to_string();
        let mut engine = EngineProcess::start();
        engine.tell(&format!("setoption name DataPath value {}", folder.path().display()));
        engine.send(&format!("setoption name LetterDistribution value {letters}"));
        engine.tell(&format!("setoption name Lexicon value {letters}"));
        engine.tell(&format!("position startpos moves rack.{first}"));
        let ranked = Search::of(&engine.go("go gen"));
        let play = ranked.gen_rows().iter().map(|row| row.play.clone()).find(|play| play.contains(digraph)).expect("a play");
        // Played, shown, read back: the tile is one square.
        assert!(!engine.ask(&format!("play {play}")).join("\n").contains("error"), "{letters} {play}");
        let text = engine.ask("cgp").join("\n").lines().find_map(|line| line.split_once(" cgp ").map(|(_, text)| text.to_string()));
        let text = text.expect("the position");
        assert!(text.contains(digraph), "{letters}: {text}");
        engine.tell(&format!("position cgp {text}"));
        assert!(engine.ask("cgp").join("\n").contains(text.split(' ').next().expect("a board")), "{letters}: {text}");
        let record = folder.path().join(format!("{letters}-record.gcg"));
        engine.tell(&format!("position startpos moves rack.{first}"));
        engine.ask(&format!("play {play}"));
        let told = engine.ask("gcg");
        let lines: Vec<&str> = told.iter().filter_map(|line| line.strip_prefix("info string ")).skip(1).collect();
        std::fs::write(&record, lines.join("\n") + "\n").expect("a record");
        engine.tell(&format!("position gcg {}", record.display()));
        assert!(engine.ask("cgp").join("\n").contains(digraph), "{letters}: {record:?}");
        let wrong = engine.ask(&format!("check {}", &digraph[..digraph.len() - 1])).join("\n");
        assert!(wrong.contains("error bad-move check: column 7"), "{wrong}");
    }
}

/// Asks in a session with these letters and words from a folder.
fn asked(folder: &Path, letters: &str, words: &str, questions: &[&str]) -> String {
    let mut engine = EngineProcess::start();
    engine.tell(&format!("setoption name DataPath value {}", folder.display()));
    engine.send(&format!("setoption name LetterDistribution value {letters}"));
    engine.tell(&format!("setoption name Lexicon value {words}"));
    questions.iter().flat_map(|question| engine.ask(question)).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_plain_list_has_tiles_of_several_letters() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("esp.txt"), "CHOCHO\nCALLE\nPERRO\nOCHO\n").expect("the list is written");
    std::fs::write(folder.path().join("cat.txt"), "canya\ncol·legi\nque\n").expect("the list is written");
    let told = asked(folder.path(), "spanish", "esp", &["check CALLE ca[ll]e CA[L]LE", "anagram CALLE", "hooks ALLE"]);
    for line in ["check CA[LL]E valid", "check CA[L]LE invalid", "anagram ACE[LL] words 1", "hooks A[LL]E front C back -"] {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert_eq!(told.matches("check CA[LL]E valid").count(), 2, "{told}");
    let told = asked(folder.path(), "catalan", "cat", &["check CANYA COL·LEGI QUE", "pattern .que", "pattern .anya"]);
    for line in ["check CA[NY]A valid", "check CO[L·L]EGI valid", "check [QU]E valid", "pattern .QUE words 0", "pattern .ANYA words 1"] {
        assert!(told.contains(line), "{line}: {told}");
    }
    // The tiles can be played.
    let mut engine = EngineProcess::start();
    engine.tell(&format!("setoption name DataPath value {}", folder.path().display()));
    engine.send("setoption name LetterDistribution value spanish");
    engine.tell("setoption name Lexicon value esp");
    engine.tell("position startpos moves rack.O1OCA2E");
    let plays: Vec<String> = Search::of(&engine.go("go gen")).gen_rows().iter().map(|row| row.play.clone()).collect();
    assert!(["O[CH]O", "CA[LL]E"].iter().all(|word| plays.iter().any(|play| play.ends_with(word))), "{plays:?}");
}

#[test]
fn lists_are_read_in_the_character_sets_that_they_have() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let utf16: Vec<u8> = std::iter::once(0xfeff).chain("HAUS\nMÜHLE\n".encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let lists: [(&str, &str, &[u8], usize); 6] = [
        ("mark.txt", "english", b"\xef\xbb\xbfAA\nAAH\nCAT\nDOG\n", 4),
        ("latin1.txt", "german", b"HAUS\nM\xdcHLE\n\xd6L\nTAG\n", 4),
        ("wide.txt", "german", &utf16, 2),
        ("latin2.txt", "polish", b"\xaf\xd3\xa3W\n\xa1LE\n", 2),
        ("central.txt", "polish", b"\xaf\xd3\xa3W\n\xa5LE\n", 2),
        ("marks.txt", "english", b"QI#\nZA$ pizza\nAA*\n", 3),
    ];
    for (name, letters, bytes, words) in lists {
        std::fs::write(folder.path().join(name), bytes).expect("the list is written");
        let checked = told(folder.path(), &format!("lexicon check {name} --letters {letters}"));
        assert!(checked.starts_with(&format!("{name}: {words} words, ")), "{checked}");
    }
    let told = asked(folder.path(), "german", "latin1", &["check MÜHLE ÖL", "lexicons"]);
    assert!(told.contains("check MÜHLE valid") && told.contains("check ÖL valid"), "{told}");
    assert!(told.contains("lexicon latin1 file") && !told.contains("lexicon latin2 file"), "{told}");
}

/// Words with the letters of an alphabet about as often as it has tiles of them.
fn words_like_the_tiles(data: &str) -> Vec<String> {
    let mut bag = Vec::new();
    for row in data.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(',').collect::<Vec<_>>()) {
        let count: usize = row[2].parse().expect("a count");
        bag.extend(std::iter::repeat_n(row[0], if row[0] == "?" { 0 } else { count }));
    }
    let mut state = 1u64;
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        bag[(state >> 33) as usize % bag.len()]
    };
    let words: BTreeSet<String> = (0..2000).map(|_| (0..7).map(|_| letter()).collect()).collect();
    words.into_iter().collect()
}

#[test]
fn a_graph_with_another_order_of_letters_is_read_right() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/formats/data/german.csv")).expect("the letters");
    let words = words_like_the_tiles(&data);
    std::fs::write(folder.path().join("list.txt"), words.join("\n")).expect("the list is written");
    // A to Z, then Ä, Ö, Ü: as this program once had them.
    let (plain, umlauts): (Vec<&str>, Vec<&str>) = data.lines().filter(|line| !line.starts_with('#')).partition(|line| line.is_ascii());
    std::fs::write(folder.path().join("old.csv"), [plain, umlauts].concat().join("\n")).expect("the letters are written");
    let is_the_list = |graph: &str, letters: &str| {
        told(folder.path(), &format!("lexicon export {graph} {graph}.out.txt --letters {letters}"));
        let mut read: Vec<String> =
            std::fs::read_to_string(folder.path().join(format!("{graph}.out.txt"))).expect("a list").lines().map(String::from).collect();
        read.sort();
        assert_eq!(read, words, "{graph} {letters}");
    };
    told(folder.path(), "lexicon build list.txt old.kwg --letters old.csv");
    told(folder.path(), "lexicon build list.txt new.kwg --letters german");
    assert_ne!(std::fs::read(folder.path().join("old.kwg")).ok(), std::fs::read(folder.path().join("new.kwg")).ok());
    for (graph, letters) in [("old.kwg", "german"), ("new.kwg", "german"), ("old.kwg", "old.csv"), ("new.kwg", "old.csv")] {
        is_the_list(graph, letters);
        std::fs::remove_file(folder.path().join(format!("{graph}.out.txt"))).expect("the list is removed");
    }
    let spanish = Command::new(env!("CARGO_BIN_EXE_tilewright"))
        .args(["lexicon", "check", "new.kwg", "--letters", "spanish"])
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&spanish.stderr);
    assert!(
        !spanish.status.success() && said.contains("was made for the german alphabet, whose letter Ä the spanish alphabet lacks"),
        "{said}"
    );
}

#[test]
fn a_letter_without_tiles_is_played_with_blanks() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("few.csv"), "?,4,0,0\nA,20,1,1\nB,20,2,0\nC,20,3,0\nZ,0,0,0\n").expect("the letters are written");
    let list = "AB\nBA\nAC\nCA\nCAB\nZA\nAZ\nBAZ\nCABA\nABAC\nZABA\n";
    std::fs::write(folder.path().join("few.txt"), list).expect("the list is written");
    told(folder.path(), "lab train leaves --boards 1 --generations 1 --pairs 1 --out few.klv2 --lexicon few.txt --letters few.csv");
    told(folder.path(), "lab train winpct --games 6 --out few.win.csv --lexicon few.txt --letters few.csv");
    told(folder.path(), "match static greedy --pairs 1 --redraws 0 --referee --lexicon few.txt --letters few.csv");
    let mut engine = EngineProcess::start();
    engine.tell(&format!("setoption name DataPath value {}", folder.path().display()));
    engine.send("setoption name LetterDistribution value few");
    engine.tell("setoption name Lexicon value few");
    engine.tell("position startpos moves rack.?AB");
    let plays: Vec<String> = Search::of(&engine.go("go gen multipv 200")).gen_rows().iter().map(|row| row.play.clone()).collect();
    assert!(plays.iter().any(|play| play.ends_with(".BAz")), "{plays:?}");
    let simulated = Search::of(&engine.go("go sim iterations 40 plays 5 seed 1"));
    assert!(!simulated.best.is_empty());
    let refused = engine.ask("rack Z").join("\n");
    assert!(refused.contains("error"), "{refused}");
}
