//! A word list with all its compiled forms, under one name.
//!
//! Not here: opening files (`host/resources.rs`), the forms themselves (the other files of this folder). Start with [`Lexicon`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::lexicon::anagrams::Anagrams;
use crate::lexicon::pattern::Pattern;
use crate::lexicon::sorted_words::{Definitions, SortedWords, WordListError};
use crate::lexicon::word_graph::{WordGraph, numbers};
use crate::lexicon::word_list::{AnagramUse, Hooks, WordList, WordsFound};
use crate::lexicon::word_map::{MAX_MAP_LETTERS, WordMap};
use crate::rules::fingerprint::Fingerprint;
use crate::rules::variant::WordRule;
use crate::rules::{Letter, LetterDistribution, Rack};
use std::sync::{Arc, OnceLock};
use thiserror::Error;

static ENABLE_KWG: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/enable.kwg"));
static ENABLE_FST: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/enable.fst"));

/// The built-in lexicon's name.
pub const BUILTIN_NAME: &str = "ENABLE";

/// A word list with its word graph.
///
/// ```
/// use tilewright::rules::LetterDistribution;
/// use tilewright::lexicon::Lexicon;
///
/// let alphabet = LetterDistribution::english();
/// let lexicon = Lexicon::builtin();
/// assert!(lexicon.contains(&alphabet.parse_word("quixotic")?));
/// assert!(!lexicon.contains(&alphabet.parse_word("quixotix")?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The graph is always there. Two other forms are made from it later, so that a lexicon is ready soon:
/// the first question makes the list for questions, and [`Lexicon::make_map`] makes the word map.
#[derive(Debug)]
pub struct Lexicon {
    name: String,
    graph: WordGraph,
    list: OnceLock<WordList>,
    /// Unset until [`Lexicon::make_map`]; then `None` inside if these words cannot have a map, or may be spelled in any order.
    map: OnceLock<Option<Arc<WordMap>>>,
    /// The same words with their letters in any order, once they have been asked for.
    any_order: OnceLock<Option<Arc<Lexicon>>>,
    highest_letter: u8,
    /// The faces of the letters by their numbers, from 1; `None` for words of a graph, which has numbers alone.
    faces: Option<Arc<[String]>>,
    /// The definitions in the list's file; `None` for words of a graph, and for a list without any.
    definitions: Option<Arc<Definitions>>,
}

/// A list whose words cannot be read in any order, since they have no word map.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "the words of {lexicon} cannot be read in any order: they have letters after the {MAX_MAP_LETTERS}st of the alphabet, or there are too many"
)]
pub struct NoAnagrams {
    /// The list.
    pub lexicon: String,
}

/// The built-in words.
pub(super) fn builtin_list() -> WordList {
    WordList::from_static(ENABLE_FST)
}

/// The forms in which generation looks words up: a graph, and the word map if there is one.
#[derive(Clone, Copy, Debug)]
pub struct WordSource<'a> {
    /// The graph.
    pub graph: &'a WordGraph,
    map: Option<&'a OnceLock<Option<Arc<WordMap>>>>,
}

impl<'a> WordSource<'a> {
    /// The word map, once it is made. With it the same best plays are found faster.
    #[inline]
    pub fn map(&self) -> Option<&'a WordMap> {
        self.map?.get()?.as_deref()
    }
}

impl<'a> From<&'a WordGraph> for WordSource<'a> {
    fn from(graph: &'a WordGraph) -> WordSource<'a> {
        WordSource { graph, map: None }
    }
}

impl<'a> From<&'a Lexicon> for WordSource<'a> {
    fn from(lexicon: &'a Lexicon) -> WordSource<'a> {
        WordSource { graph: lexicon.graph(), map: Some(&lexicon.map) }
    }
}

impl Lexicon {
    /// ENABLE, as compiled into the program.
    pub fn builtin() -> Lexicon {
        let (nodes, _) = ENABLE_KWG.as_chunks();
        let graph = WordGraph::from_trusted_nodes(nodes.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect());
        let faces = ('A'..='Z').map(String::from).collect();
        Lexicon { list: builtin_list().into(), faces: Some(faces), ..Lexicon::from_graph(BUILTIN_NAME, graph) }
    }

    /// A list of these words, in any order and in either case. Words that come twice count once; words longer than any board are
    /// left out.
    ///
    /// ```
    /// use tilewright::rules::LetterDistribution;
    /// use tilewright::lexicon::Lexicon;
    ///
    /// let lexicon = Lexicon::from_words("pets", &LetterDistribution::english(), ["cat", "dog", "cats"])?;
    /// assert_eq!(lexicon.list().len(), 3);
    ///
    /// let error = Lexicon::from_words("pets", &LetterDistribution::english(), ["cat", "c4t"]).unwrap_err();
    /// assert_eq!(error.to_string(), "line 2: column 2: \"4\" is not a tile of the english alphabet");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first word that cannot be a word of this alphabet, by its place (its "line"); or no words, or too many.
    pub fn from_words<'w>(
        name: &str,
        distribution: &LetterDistribution,
        words: impl IntoIterator<Item = &'w str>,
    ) -> Result<Lexicon, WordListError> {
        Ok(Lexicon::from_graph(name, SortedWords::from_words(distribution, words)?.graph()?).written_in(distribution))
    }

    /// A list as text: the first word of each line, in either case, and its [definition](Lexicon::definition). Empty lines and lines that
    /// begin with `#` are skipped, and so are words longer than any board.
    ///
    /// ```
    /// use tilewright::rules::LetterDistribution;
    /// use tilewright::lexicon::Lexicon;
    ///
    /// let text = "# pets\ncat   says meow\nDOG   barks\n";
    /// let lexicon = Lexicon::from_text("pets", &LetterDistribution::english(), text)?;
    /// assert_eq!(lexicon.list().len(), 2);
    /// assert_eq!(lexicon.definition(&LetterDistribution::english().parse_word("cat")?), Some("says meow"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The line that is not a word of this alphabet; or no words, or too many.
    pub fn from_text(name: &str, distribution: &LetterDistribution, text: &str) -> Result<Lexicon, WordListError> {
        let words = SortedWords::from_text(distribution, text)?;
        Ok(Lexicon::from_graph(name, words.graph()?).written_in(distribution).with_definitions(words.into_definitions()))
    }

    /// A lexicon from a checked graph. A graph has numbers for letters: [`Lexicon::written_in`] says which letters these are.
    pub fn from_graph(name: &str, graph: WordGraph) -> Lexicon {
        let highest_letter = graph.siblings(graph.gaddag_root()).map(|node| node.tile()).max().unwrap_or(0);
        Lexicon {
            name: name.to_string(),
            graph,
            list: OnceLock::new(),
            map: OnceLock::new(),
            any_order: OnceLock::new(),
            highest_letter,
            faces: None,
            definitions: None,
        }
    }

    /// The same words, written with the letters of an alphabet.
    #[must_use]
    pub fn written_in(self, distribution: &LetterDistribution) -> Lexicon {
        Lexicon { faces: Some(distribution.faces().map(String::from).collect()), ..self }
    }

    /// The same words with their definitions.
    #[must_use]
    pub fn with_definitions(self, definitions: Definitions) -> Lexicon {
        Lexicon { definitions: (!definitions.is_empty()).then(|| Arc::new(definitions)), ..self }
    }

    /// The definition of a word, if the list has one.
    pub fn definition(&self, word: &[Letter]) -> Option<&str> {
        self.definitions.as_ref()?.of(word)
    }

    /// Whether the list has definitions.
    pub fn has_definitions(&self) -> bool {
        self.definitions.is_some()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The memory that it takes, in bytes.
    pub fn size(&self) -> usize {
        let list = self.list.get().map_or(0, WordList::size);
        let map = self.map.get().and_then(Option::as_ref).map_or(0, |map| map.size());
        let any_order = self.any_order.get().and_then(Option::as_ref).map_or(0, |lexicon| size_of_val(lexicon.graph.nodes()));
        let definitions = self.definitions.as_ref().map_or(0, |definitions| definitions.size());
        size_of_val(self.graph.nodes()) + list + map + any_order + definitions
    }

    /// The same words by this rule. The first call for words in any order makes the word map, and takes a tenth of a second for ENABLE.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use tilewright::rules::LetterDistribution;
    /// use tilewright::lexicon::Lexicon;
    /// use tilewright::rules::variant::WordRule;
    ///
    /// let any_order = Arc::new(Lexicon::from_words("pets", &LetterDistribution::english(), ["cat", "dog"])?).by_rule(WordRule::AnyOrder)?;
    /// assert!(any_order.contains(&LetterDistribution::english().parse_word("TCA")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Words without a map, see [`Lexicon::make_map`].
    pub fn by_rule(self: &Arc<Lexicon>, rule: WordRule) -> Result<Arc<Lexicon>, NoAnagrams> {
        if rule == self.graph.word_rule() {
            return Ok(Arc::clone(self));
        }
        if rule == WordRule::InOrder {
            return Ok(Arc::new(self.with_graph(self.graph.in_order())));
        }
        let any_order = self.any_order.get_or_init(|| {
            self.make_map();
            let map = Arc::clone(self.map.get()?.as_ref()?);
            let graph = self.graph.in_any_order(Anagrams::new(map));
            // A word map finds words as the list spells them, so these have none.
            Some(Arc::new(Lexicon { map: OnceLock::from(None), ..self.with_graph(graph) }))
        });
        any_order.clone().ok_or_else(|| NoAnagrams { lexicon: self.name.clone() })
    }

    /// Another graph for the same words.
    fn with_graph(&self, graph: WordGraph) -> Lexicon {
        let (faces, definitions) = (self.faces.clone(), self.definitions.clone());
        Lexicon { faces, definitions, ..Lexicon::from_graph(&self.name, graph) }
    }

    /// Tells lexicons of the same name apart.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Fingerprint::default();
        hash.add(self.graph.nodes().iter().flat_map(|node| node.to_le_bytes()));
        hash.value()
    }

    /// Whether its words can be written in an alphabet, which must have all their letters under the same numbers. It may have more:
    /// words of A to Z fit an alphabet that continues after Z. For a graph alone, only the highest number is compared.
    ///
    /// ```
    /// use tilewright::rules::LetterDistribution;
    /// use tilewright::lexicon::Lexicon;
    ///
    /// let fits = |alphabet: &str| LetterDistribution::built_in(alphabet).is_some_and(|alphabet| Lexicon::builtin().fits(&alphabet));
    /// assert!(["english", "english_super", "french", "italian", "dutch"].into_iter().all(fits));
    /// // These have as many letters and more, but under other numbers.
    /// assert!(!["spanish", "catalan", "german"].into_iter().any(fits));
    /// ```
    pub fn fits(&self, distribution: &LetterDistribution) -> bool {
        let highest = usize::from(self.highest_letter);
        let has_faces = |faces: &Arc<[String]>| faces.iter().map(String::as_str).take(highest).eq(distribution.faces().take(highest));
        highest <= distribution.letter_count() && self.faces.as_ref().is_none_or(has_faces)
    }

    /// Whether this is a word.
    pub fn contains(&self, word: &[Letter]) -> bool {
        self.graph.contains(word)
    }

    /// The words of these tiles, a blank being any letter; the first `limit` of them in full.
    ///
    /// ```
    /// use tilewright::rules::LetterDistribution;
    /// use tilewright::lexicon::Lexicon;
    /// use tilewright::lexicon::AnagramUse;
    ///
    /// let alphabet = LetterDistribution::english();
    /// let lexicon = Lexicon::builtin();
    /// let rack = alphabet.parse_tiles("AEINRS?")?.into_iter().collect();
    ///
    /// let bingos = lexicon.anagrams(&rack, AnagramUse::AllTiles, 3);
    /// let shown: Vec<String> = bingos.words.iter().map(|word| alphabet.word_text(word)).collect();
    /// assert_eq!(shown, ["ALINERS", "ANESTRI", "ANTSIER"]);
    /// assert_eq!(bingos.total, 41);
    /// assert_eq!(lexicon.anagrams(&rack, AnagramUse::SomeTiles, 0).total, 1696);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn anagrams(&self, tiles: &Rack, tiles_used: AnagramUse, limit: usize) -> WordsFound {
        self.list().anagrams(tiles, tiles_used, limit)
    }

    /// The words that match a pattern, the first `limit` of them in full.
    ///
    /// ```
    /// use tilewright::rules::LetterDistribution;
    /// use tilewright::lexicon::Lexicon;
    /// use tilewright::lexicon::Pattern;
    ///
    /// let alphabet = LetterDistribution::english();
    /// // What fills this row?  |Q|U| |Z|Z| | |
    /// let found = Lexicon::builtin().matching(&Pattern::parse("QU?ZZ??", &alphabet)?, 9);
    /// let shown: Vec<String> = found.words.iter().map(|word| alphabet.word_text(word)).collect();
    /// assert_eq!(shown, ["QUIZZED", "QUIZZER", "QUIZZES"]);
    /// assert_eq!(found.total, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn matching(&self, pattern: &Pattern, limit: usize) -> WordsFound {
        self.list().matching(pattern, limit)
    }

    /// The letters that make a new word in front of this one, or after it.
    ///
    /// ```
    /// use tilewright::rules::LetterDistribution;
    /// use tilewright::lexicon::Lexicon;
    ///
    /// let alphabet = LetterDistribution::english();
    /// //  BCEFGJLMOPTVWY  |A|R|  BCEFKMST
    /// let hooks = Lexicon::builtin().hooks(&alphabet.parse_word("AR")?);
    /// assert_eq!(alphabet.word_text(&hooks.front), "BCEFGJLMOPTVWY");
    /// assert_eq!(alphabet.word_text(&hooks.back), "BCEFKMST");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hooks(&self, word: &[Letter]) -> Hooks {
        let [front, back] = [(&[][..], word), (word, &[])]
            .map(|(before, behind)| self.graph.letters_between(numbers(before), numbers(behind)).iter().collect());
        Hooks { front, back }
    }

    /// The graph for generation.
    pub fn graph(&self) -> &WordGraph {
        &self.graph
    }

    /// Makes the word map, which [`WordSource::map`] returns from then on. This takes about a tenth of a second for ENABLE, and no time
    /// when called again.
    ///
    /// Best plays are the same with the map and without it; with it they are found several times faster. A lexicon starts without one,
    /// because programs that ask for few plays do not need it: call this once before asking for many. It may be called at any time and
    /// from any thread. Until it is done, searches go on with the graph alone.
    ///
    /// Words of a large alphabet, or a very large list, have no map (see `word_map.rs`): then nothing changes.
    pub fn make_map(&self) {
        self.map.get_or_init(|| WordMap::new(|visit| self.graph.for_each_word(visit)).map(Arc::new));
    }

    /// The list for questions. The first call makes it where only a graph was given.
    pub fn list(&self) -> &WordList {
        self.list.get_or_init(|| {
            let mut words = Vec::new();
            self.graph.for_each_word(|word| words.push(word.to_vec()));
            WordList::from_sorted(&words)
        })
    }
}
