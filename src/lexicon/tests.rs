//! Tests of the list and its compiled forms against the text they are made from.

use crate::lexicon::Lexicon;
use crate::lexicon::pattern::Pattern;
use crate::lexicon::word_list::{AnagramUse, Hooks, WordsFound};
use crate::rules::{Letter, LetterDistribution, Rack};

const TEXT: &str = include_str!("../../lexicons/enable.txt");

fn letters(word: &str) -> Vec<Letter> {
    LetterDistribution::english().parse_word(word).unwrap()
}

fn texts(words: &[Vec<Letter>]) -> Vec<String> {
    words.iter().map(|word| LetterDistribution::english().word_text(word)).collect()
}

fn pattern(text: &str) -> Pattern {
    Pattern::parse(text, &LetterDistribution::english()).unwrap()
}

#[test]
fn the_graph_holds_exactly_the_words_of_the_list() {
    let lexicon = Lexicon::builtin();
    let mut words = Vec::new();
    lexicon.graph().for_each_word(|word| words.push(word.iter().map(|number| (b'A' + number - 1) as char).collect::<String>()));
    assert_eq!(words.len(), 168_871);
    assert!(words.iter().eq(TEXT.lines()), "the words, in order");
    assert_eq!(lexicon.list().len(), 168_871);
}

#[test]
fn the_gaddag_has_a_path_for_each_letter_of_a_word() {
    let small = Lexicon::from_text("t", &LetterDistribution::english(), "CARE").unwrap();
    let graph = small.graph();
    let accepts = |path: &str| {
        let mut list = graph.gaddag_root();
        let mut accepts = false;
        for c in path.bytes() {
            let Some(node) = graph.find(list, if c == b'@' { 0 } else { c - b'A' + 1 }) else { return false };
            (list, accepts) = (node.arc(), node.accepts());
        }
        accepts
    };
    assert!(["ERAC", "RAC@E", "AC@RE", "C@ARE"].into_iter().all(accepts));
    assert!(!["RAC", "C@AR", "@CARE", "CARE", "ERA@C"].into_iter().any(accepts));
}

#[test]
fn a_list_as_text_is_read_with_comments_definitions_and_any_case() {
    let lexicon =
        Lexicon::from_text("t", &LetterDistribution::english(), "# mine\r\ncat a pet\r\n\r\nDOG\r\nCat\nAAAAAAAAAAAAAAAAAAAAAAAA\n")
            .unwrap();
    assert_eq!(
        texts(&lexicon.list().anagrams(&Rack::full_bag(&LetterDistribution::english()), AnagramUse::SomeTiles, 9).words),
        ["CAT", "DOG"]
    );
    assert!(lexicon.graph().contains(&letters("DOG")) && !lexicon.graph().contains(&letters("DO")));
    let error = |text| Lexicon::from_text("t", &LetterDistribution::english(), text).unwrap_err().to_string();
    assert_eq!(error("CAT\nCÄT"), "line 2: column 2: \"Ä\" is not a tile of the english alphabet");
    assert_eq!(error("\nA"), "line 2: \"A\" is too short: a word has at least two letters");
    assert_eq!(error("#"), "the list has no words");
}

#[test]
fn patterns_and_anagrams_agree_with_a_scan_of_the_list() {
    let lexicon = Lexicon::builtin();
    let list = lexicon.list();
    let scan = |keep: &dyn Fn(&str) -> bool| TEXT.lines().filter(|word| keep(word)).map(String::from).collect::<Vec<_>>();
    let starts_and_ends = scan(&|word| word.starts_with("QU") && word.ends_with('Y'));
    assert_eq!(texts(&list.matching(&pattern("QU*Y"), 999).words), starts_and_ends);
    assert_eq!(texts(&list.matching(&pattern("?Z?"), 999).words), scan(&|word| word.len() == 3 && word.as_bytes()[1] == b'Z'));
    let english = LetterDistribution::english();
    let rack: Rack = english.parse_tiles("AEINRS?").unwrap().into_iter().collect();
    let fits = |word: &str| {
        let mut left = rack;
        english.parse_word(word).unwrap().into_iter().all(|letter| left.remove(letter.into()) || left.remove(crate::rules::Tile::BLANK))
    };
    assert_eq!(texts(&list.anagrams(&rack, AnagramUse::SomeTiles, 99_999).words), scan(&|word| fits(word)));
    let WordsFound { words, total } = list.anagrams(&rack, AnagramUse::AllTiles, 3);
    assert_eq!((words.len(), total), (3, scan(&|word| word.len() == 7 && fits(word)).len()));
}

#[test]
fn hooks_make_words_of_the_list() {
    let lexicon = Lexicon::builtin();
    for word in ["AR", "A", "ZZZ", "QUIZ", "NTRA", "ISE"].map(letters) {
        let hooks = |join: &dyn Fn(Letter) -> Vec<Letter>| {
            LetterDistribution::english().letters().filter(|&letter| lexicon.list().contains(&join(letter))).collect::<Vec<_>>()
        };
        let expected =
            Hooks { front: hooks(&|letter| [&[letter], &word[..]].concat()), back: hooks(&|letter| [&word[..], &[letter]].concat()) };
        assert_eq!(lexicon.hooks(&word), expected, "{word:?}");
    }
    let Hooks { front, back } = lexicon.hooks(&letters("AR"));
    assert_eq!(texts(&[front, back]), ["BCEFGJLMOPTVWY", "BCEFKMST"]);
}

#[test]
fn a_list_made_from_a_graph_alone_is_the_same() {
    let built = Lexicon::builtin();
    let from_graph = Lexicon::from_graph("g", built.graph().clone());
    assert_eq!(from_graph.list().words(), built.list().words());
    assert!(from_graph.fits(&LetterDistribution::english()));
}
