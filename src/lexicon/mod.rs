//! The word list in its compiled forms.
//!
//! | file | what it holds |
//! |---|---|
//! | `word_list.rs` | the sorted set: membership, patterns, anagrams, hooks |
//! | `word_graph.rs` | the graph that generation walks |
//! | `graph_builder.rs` | making such a graph; also compiled into the build script |
//! | `validate.rs` | checking one that somebody else made |
//! | `word_map.rs` | words by the multiset of their letters, for the search of best plays |
//!
//! Not here: opening files (`cli/resources.rs`) and their forms (`formats/kwg.rs`). Start with [`Lexicon`].

pub mod graph_builder;
pub mod validate;
pub mod word_graph;
pub mod word_list;
pub mod word_map;

use crate::rules::LetterDistribution;
use crate::rules::distribution::TileTextError;
use crate::rules::fingerprint::Fingerprint;
use crate::rules::layout::MAX_DIM;
use std::sync::OnceLock;
use thiserror::Error;
use word_graph::WordGraph;
use word_list::WordList;
use word_map::WordMap;

static ENABLE_KWG: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/enable.kwg"));
static ENABLE_FST: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/enable.fst"));

/// The built-in lexicon's name.
pub const BUILTIN_NAME: &str = "ENABLE";

/// A word list with its word graph.
#[derive(Debug)]
pub struct Lexicon {
    name: String,
    graph: WordGraph,
    /// Made when first asked for, where only a graph was given.
    list: OnceLock<WordList>,
    /// See [`Lexicon::make_map`]; `None` inside where there cannot be one.
    map: OnceLock<Option<WordMap>>,
    highest_letter: u8,
}

/// What generation looks words up in.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// The graph.
    pub graph: &'a WordGraph,
    map: Option<&'a OnceLock<Option<WordMap>>>,
}

impl<'a> Words<'a> {
    /// The map, once it is made: best plays are found faster, and are the same.
    #[inline]
    pub fn map(&self) -> Option<&'a WordMap> {
        self.map?.get()?.as_ref()
    }
}

impl<'a> From<&'a WordGraph> for Words<'a> {
    fn from(graph: &'a WordGraph) -> Words<'a> {
        Words { graph, map: None }
    }
}

impl<'a> From<&'a Lexicon> for Words<'a> {
    fn from(lexicon: &'a Lexicon) -> Words<'a> {
        Words { graph: lexicon.graph(), map: Some(&lexicon.map) }
    }
}

/// Why a text is no word list.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum WordListError {
    /// A letter that the alphabet lacks.
    #[error("line {line}: {error}")]
    BadLetter {
        /// 1-based line.
        line: usize,
        /// Where and what.
        error: TileTextError,
    },
    /// A word of one letter.
    #[error("line {line}: {word:?} has one letter, words have at least two")]
    TooShort {
        /// 1-based line.
        line: usize,
        /// The word.
        word: String,
    },
    /// No words.
    #[error("the list has no words")]
    Empty,
    /// Too many words for the graph's layout.
    #[error("the word graph needs {found} nodes, its layout has room for {}", graph_builder::MAX_NODES)]
    TooLarge {
        /// Nodes needed.
        found: usize,
    },
}

impl Lexicon {
    /// ENABLE, as compiled into the program.
    pub fn builtin() -> Lexicon {
        let nodes = ENABLE_KWG.chunks_exact(4).map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])).collect();
        let graph = WordGraph::from_trusted_nodes(nodes);
        Lexicon { list: WordList::from_static(ENABLE_FST).into(), ..Lexicon::from_graph(BUILTIN_NAME, graph) }
    }

    /// A list as text: the first word of each line, in either case; empty lines and those that begin with `#` are skipped, and
    /// so are words longer than any board.
    ///
    /// # Errors
    /// The line that is not a word of this alphabet.
    pub fn from_text(name: &str, distribution: &LetterDistribution, text: &str) -> Result<Lexicon, WordListError> {
        let mut words = Vec::new();
        for (index, content) in text.lines().enumerate() {
            let Some(word) = content.split_whitespace().next().filter(|word| !word.starts_with('#')) else {
                continue;
            };
            let line = index + 1;
            let letters = distribution.parse_word(word).map_err(|error| WordListError::BadLetter { line, error })?;
            match letters.len() {
                1 => return Err(WordListError::TooShort { line, word: word.to_string() }),
                2..=MAX_DIM => words.push(letters.iter().map(|letter| letter.number()).collect::<Vec<u8>>()),
                _ => {}
            }
        }
        words.sort_unstable();
        words.dedup();
        if words.is_empty() {
            return Err(WordListError::Empty);
        }
        let nodes = graph_builder::build(&words).map_err(|error| WordListError::TooLarge { found: error.found })?;
        let graph = WordGraph::from_trusted_nodes(nodes);
        Ok(Lexicon { list: WordList::from_sorted(&words).into(), ..Lexicon::from_graph(name, graph) })
    }

    /// A lexicon from a checked graph.
    pub fn from_graph(name: &str, graph: WordGraph) -> Lexicon {
        let highest_letter = graph.siblings(graph.gaddag_root()).map(|node| node.tile()).max().unwrap_or(0);
        Lexicon { name: name.to_string(), graph, list: OnceLock::new(), map: OnceLock::new(), highest_letter }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Tells lexicons of the same name apart.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Fingerprint::default();
        hash.add(self.graph.nodes().iter().flat_map(|node| node.to_le_bytes()));
        hash.value()
    }

    /// Whether all its letters are in an alphabet.
    pub fn fits(&self, distribution: &LetterDistribution) -> bool {
        self.highest_letter as usize <= distribution.letter_count()
    }

    /// The graph for generation.
    pub fn graph(&self) -> &WordGraph {
        &self.graph
    }

    /// Makes the map from letters to words, if the alphabet allows one: about a tenth of a second. It may come at any time, from
    /// any thread; until then the graph alone is used.
    pub fn make_map(&self) {
        self.map.get_or_init(|| WordMap::new(&self.graph));
    }

    /// The list for questions.
    pub fn list(&self) -> &WordList {
        self.list.get_or_init(|| {
            let mut words = Vec::new();
            self.graph.for_each_word(|word| words.push(word.to_vec()));
            WordList::from_sorted(&words)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::word_list::{Anagrams, PatternPart};
    use super::*;
    use crate::formats::letter_distribution::english;
    use crate::rules::{Letter, Rack};

    const TEXT: &str = include_str!("../../lexicons/enable.txt");

    fn letters(word: &str) -> Vec<Letter> {
        english().parse_word(word).unwrap()
    }

    fn texts(words: &[Vec<Letter>]) -> Vec<String> {
        words.iter().map(|word| english().word_text(word)).collect()
    }

    fn pattern(text: &str) -> Vec<PatternPart> {
        let part = |c| match c {
            '?' => PatternPart::Any,
            '*' => PatternPart::AnyRun,
            c => PatternPart::Letter(letters(&c.to_string())[0]),
        };
        text.chars().map(part).collect()
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
        let small = Lexicon::from_text("t", &english(), "CARE").unwrap();
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
        let lexicon = Lexicon::from_text("t", &english(), "# mine\r\ncat a pet\r\n\r\nDOG\r\nCat\nAAAAAAAAAAAAAAAAAAAAAAAA\n").unwrap();
        assert_eq!(texts(&lexicon.list().anagrams(&Rack::full_bag(&english()), Anagrams::Within, 9).0), ["CAT", "DOG"]);
        assert!(lexicon.graph().contains(&letters("DOG")) && !lexicon.graph().contains(&letters("DO")));
        let error = |text| Lexicon::from_text("t", &english(), text).unwrap_err().to_string();
        assert_eq!(error("CAT\nCÄT"), "line 2: column 2: \"Ä\" is not a tile of the english alphabet");
        assert_eq!(error("\nA"), "line 2: \"A\" has one letter, words have at least two");
        assert_eq!(error("#"), "the list has no words");
    }

    #[test]
    fn patterns_and_anagrams_agree_with_a_scan_of_the_list() {
        let lexicon = Lexicon::builtin();
        let list = lexicon.list();
        let scan = |keep: &dyn Fn(&str) -> bool| TEXT.lines().filter(|word| keep(word)).map(String::from).collect::<Vec<_>>();
        let starts_and_ends = scan(&|word| word.starts_with("QU") && word.ends_with('Y'));
        assert_eq!(texts(&list.pattern(&pattern("QU*Y"), 999).0), starts_and_ends);
        assert_eq!(texts(&list.pattern(&pattern("?Z?"), 999).0), scan(&|word| word.len() == 3 && word.as_bytes()[1] == b'Z'));
        let rack: Rack = english().parse_tiles("AEINRS?").unwrap().into_iter().collect();
        let fits = |word: &str| {
            let mut left = rack;
            letters(word).into_iter().all(|letter| left.remove(letter.into()) || left.remove(crate::rules::Tile::BLANK))
        };
        assert_eq!(texts(&list.anagrams(&rack, Anagrams::Within, 99_999).0), scan(&|word| fits(word)));
        let (some, count) = list.anagrams(&rack, Anagrams::Whole, 3);
        assert_eq!((some.len(), count), (3, scan(&|word| word.len() == 7 && fits(word)).len()));
    }

    #[test]
    fn hooks_stand_in_front_and_behind() {
        let lexicon = Lexicon::builtin();
        let hooks = lexicon.list().hooks(&letters("AR"), english().letters());
        let text = |letters: &[Letter]| english().word_text(letters);
        assert_eq!((text(&hooks.front).as_str(), text(&hooks.back).as_str()), ("BCEFGJLMOPTVWY", "BCEFKMST"));
    }

    #[test]
    fn a_list_made_from_a_graph_alone_is_the_same() {
        let built = Lexicon::builtin();
        let from_graph = Lexicon::from_graph("g", built.graph().clone());
        assert_eq!(from_graph.list().words(), built.list().words());
        assert!(from_graph.fits(&english()));
    }
}
