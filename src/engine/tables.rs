//! Which tables belong to which word list, and which are compiled in.
//!
//! A list is played with the leave values, win % table and bag terms that bear its name. If there are none, the program's own
//! tables are used: they were trained for ENABLE, and are better than none for other lists. With another alphabet, for which these
//! tables have no values, Gordon's heuristic [Gordon 1993] gives the leave values.
//!
//! Not here: where bytes come from (`resource.rs`), what they mean (`formats/`). Start with [`Tables`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::engine::letter_order::{self, LetterOrder};
use crate::engine::resource::{ByteSource, GraphOrigin, NoFiles, ResourceError, ResourceKind};
use crate::evaluation::heuristics::RackHeuristic;
use crate::evaluation::{BagTerms, Evaluator, LeaveTable, Leaves, RackMeans, WinModel};
use crate::formats::layout::{CROSSPLAY_NAMES, STANDARD_NAMES, SUPER_NAMES};
use crate::formats::{bag_terms, file_text, klv2, kwg, layout, leave_table, leave_terms, letter_distribution, win_table};
use crate::lexicon::{BUILTIN_NAME, Lexicon, SortedWords, WordGraph, WordListError, graph_builder};
use crate::rules::tiles::{Letter, MAX_LETTERS};
use crate::rules::{Layout, LetterDistribution, Variant};
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// The value of `Leaves` and `WinPctTable` that leaves the choice to the engine.
pub const AUTO: &str = "auto";

/// The name that stands for no leave values, no terms for the end of the bag, or no means of racks.
pub const NONE: &str = "none";

/// The name of the English tiles.
const ENGLISH: &str = "english";

/// The name of the program's own tables for Crossplay.
const CROSSPLAY: &str = Variant::Crossplay.name();

/// The heuristics that can be named as leave values.
const HEURISTICS: [RackHeuristic; 4] =
    [RackHeuristic::Letters, RackHeuristic::Duplicates, RackHeuristic::VowelMix, RackHeuristic::TileQuantiles];

/// Graphs of fewer words are built anew each time: that takes no more than a few hundredths of a second.
const KEPT_WORDS: usize = 20_000;

/// Extensions of lexicons.
const LEXICON_FILES: [&str; 2] = ["kwg", "txt"];

/// Extensions of boards.
const LAYOUT_FILES: [&str; 1] = ["txt"];

/// Extensions of letter distributions.
const LETTER_FILES: [&str; 1] = ["csv"];

/// How many lines decide whether a text is taken for a list of words.
const LINES_TRIED: usize = 100;

/// Extensions of leave values.
const LEAVE_FILES: [&str; 2] = ["klv2", "leaves"];

/// The tables that words are played with, by their names. By default each is `auto`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TableNames {
    /// Leave values: `auto` for the lexicon's own, `enable`, `none`, the name of a heuristic, or a name from the
    /// source.
    pub leaves: String,
    /// A win % table: `auto` for the lexicon's own, `enable`, `logistic`, or a name from the source.
    pub win_table: String,
    /// Terms for the end of the bag: `auto` for those that go with the leave values, `none`, or a place of the source.
    pub bag: String,
    /// Means of full racks: `auto` for the lexicon's own if there are any, `none`, or a place of the source.
    pub racks: String,
}

impl Default for TableNames {
    fn default() -> TableNames {
        let auto = || AUTO.to_string();
        TableNames { leaves: auto(), win_table: auto(), bag: auto(), racks: auto() }
    }
}

/// A request for tables, with the words that they are for.
#[derive(Clone, Debug)]
pub struct EvaluatorRequest {
    /// The tables.
    pub tables: TableNames,
    /// The alphabet.
    pub distribution: Arc<LetterDistribution>,
    /// The lexicon, whose name the tables may bear.
    pub lexicon: Arc<Lexicon>,
}

/// A name, and what it refers to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CatalogEntry {
    /// The name.
    pub name: String,
    /// The file; `None` for built-in data.
    pub place: Option<String>,
}

/// The tables of a source, and the built-in ones.
#[derive(Clone, Copy)]
pub struct Tables<'a> {
    source: &'a dyn ByteSource,
}

impl<'a> Tables<'a> {
    /// The tables of this source.
    pub fn of(source: &'a dyn ByteSource) -> Tables<'a> {
        Tables { source }
    }

    /// Returns an alphabet by name or file.
    ///
    /// # Errors
    /// If nothing of this name is found, or the file is invalid.
    pub fn distribution(self, name: &str) -> Result<LetterDistribution, ResourceError> {
        if let Some(built_in) = LetterDistribution::built_in(name) {
            return Ok(built_in);
        }
        let kind = ResourceKind::LetterDistribution;
        let built_in: Vec<&str> = letter_distribution::built_in_names().collect();
        let place = self.find(kind, name, &LETTER_FILES, &built_in)?;
        letter_distribution::parse(&stem(&place), &self.read_text(kind, &place)?)
            .map_err(|error| ResourceError::wrong_format(kind, place, error))
    }

    /// Returns a board by name or file.
    ///
    /// # Errors
    /// If nothing of this name is found, or the file is invalid.
    pub fn layout(self, name: &str) -> Result<Layout, ResourceError> {
        if let Some(built_in) = Layout::built_in(name) {
            return Ok(built_in);
        }
        let kind = ResourceKind::Layout;
        let place = self.find(kind, name, &LAYOUT_FILES, &[STANDARD_NAMES, SUPER_NAMES, CROSSPLAY_NAMES].concat())?;
        layout::parse(&stem(&place), &self.read_text(kind, &place)?).map_err(|error| ResourceError::wrong_format(kind, place, error))
    }

    /// Returns a lexicon by name or file.
    ///
    /// # Errors
    /// If nothing of this name is found, the file is invalid, or the words have letters that the alphabet lacks.
    pub fn lexicon(self, name: &str, distribution: &LetterDistribution) -> Result<Lexicon, ResourceError> {
        let lexicon = if name.eq_ignore_ascii_case(BUILTIN_NAME) {
            built_in_words(distribution)
        } else {
            let place = self.find(ResourceKind::Lexicon, name, &LEXICON_FILES, &[BUILTIN_NAME])?;
            self.open_lexicon(&place, distribution)?
        };
        fitting(lexicon, distribution)
    }

    /// Opens a word list or a word graph, depending on the extension.
    ///
    /// # Errors
    /// If the file is invalid.
    pub fn open_lexicon(self, place: &str, distribution: &LetterDistribution) -> Result<Lexicon, ResourceError> {
        let (kind, name) = (ResourceKind::Lexicon, stem(place));
        if has_extension(place, "txt") {
            let words = self.words(place, distribution)?;
            let graph = self.kept_or_built(place, &words).map_err(|error| ResourceError::wrong_format(kind, place, error))?;
            return Ok(Lexicon::from_graph(&name, graph).written_in(distribution).with_definitions(words.into_definitions()));
        }
        let graph = kwg::parse(&self.read(kind, place)?).map_err(|error| ResourceError::wrong_format(kind, place, error))?;
        of_alphabet(Lexicon::from_graph(&name, graph), distribution)
    }

    /// Reads the words of a list. A text that is not UTF-8 is read in the first older character set in which all its
    /// letters are letters of the alphabet.
    fn words(self, place: &str, distribution: &LetterDistribution) -> Result<SortedWords, ResourceError> {
        let kind = ResourceKind::Lexicon;
        let wrong = |error| ResourceError::wrong_format(kind, place, error);
        let read = |text: &str| SortedWords::from_text_until(distribution, text, &|| self.source.is_stopped());
        let bytes = self.read(kind, place)?;
        for (_, text) in file_text::in_older_sets(&bytes) {
            match read(&text) {
                Err(WordListError::BadLetter { .. }) => {}
                words => return words.map_err(wrong),
            }
        }
        let text = file_text::decode(bytes).map_err(|error| ResourceError::wrong_format(kind, place, error))?;
        read(&text).map_err(wrong)
    }

    /// The names of all lexicons. A text counts only if it begins with words of this alphabet.
    pub fn lexicon_names(self, distribution: &LetterDistribution) -> Vec<CatalogEntry> {
        let is_list = |place: &str| !has_extension(place, "txt") || self.begins_with_words(place, distribution);
        self.names(&[&[BUILTIN_NAME]], &LEXICON_FILES, is_list)
    }

    /// The names of all boards. A text counts only if it is a board.
    pub fn layout_names(self) -> Vec<CatalogEntry> {
        self.names(&[&STANDARD_NAMES, &SUPER_NAMES, &CROSSPLAY_NAMES], &LAYOUT_FILES, |place| self.layout(place).is_ok())
    }

    /// The names of all letter distributions. A table counts only if it is a letter distribution.
    pub fn distribution_names(self) -> Vec<CatalogEntry> {
        let built_in: Vec<[&str; 1]> = letter_distribution::built_in_names().map(|name| [name]).collect();
        let built_in: Vec<&[&str]> = built_in.iter().map(<[&str; 1]>::as_slice).collect();
        self.names(&built_in, &LETTER_FILES, |place| self.distribution(place).is_ok())
    }

    /// The names of built-in data, with only the first name of each, and of files of this kind.
    fn names(self, built_in: &[&[&str]], extensions: &[&str], is_of_kind: impl Fn(&str) -> bool) -> Vec<CatalogEntry> {
        let first = built_in.iter().filter_map(|names| names.first()).map(|name| CatalogEntry { name: (*name).to_string(), place: None });
        let is_built_in = |name: &str| built_in.iter().copied().flatten().any(|known| known.eq_ignore_ascii_case(name));
        let files = self.source.all(extensions).into_iter().filter_map(|place| {
            let name = stem(&place);
            // Another file of that name may come before it.
            let is_found = !is_built_in(&name) && self.source.find(&name, extensions).as_ref() == Some(&place);
            (is_found && is_of_kind(&place)).then_some(CatalogEntry { name, place: Some(place) })
        });
        first.chain(files).collect()
    }

    /// Whether the first lines of a text are words. The whole list may be long.
    fn begins_with_words(self, place: &str, distribution: &LetterDistribution) -> bool {
        let Ok(bytes) = self.read(ResourceKind::Lexicon, place) else { return false };
        let are_words = |text: &str| {
            let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
            let first_lines: Vec<&str> = lines.take(LINES_TRIED).collect();
            SortedWords::from_text(distribution, &first_lines.join("\n")).is_ok()
        };
        file_text::in_older_sets(&bytes).any(|(_, text)| are_words(&text)) || file_text::decode(bytes).is_ok_and(|text| are_words(&text))
    }

    /// The graph of a list: the kept one if it has exactly these words, or else a new one, which is then kept.
    fn kept_or_built(self, place: &str, words: &SortedWords) -> Result<WordGraph, WordListError> {
        let build = || words.graph_until(&|| self.source.is_stopped());
        if words.len() < KEPT_WORDS {
            return build();
        }
        let why = match self.source.kept(place).map(|bytes| kwg::parse_kept(&bytes)) {
            Some(Ok(graph)) if words.are_all_of(&graph) => {
                self.source.note_graph(place, &GraphOrigin::Kept);
                return Ok(graph);
            }
            Some(Ok(_)) => "the kept graph has other words".to_string(),
            Some(Err(error)) => format!("the kept graph cannot be used: {error}"),
            None => "no graph was kept".to_string(),
        };
        let graph = build()?;
        self.source.note_graph(place, &GraphOrigin::Built { why });
        self.source.keep(place, &kwg::kept_bytes(&graph));
        Ok(graph)
    }

    /// The leave values, the win % model and the other tables that a list is played with.
    ///
    /// # Errors
    /// If a table is not found, or its file is invalid.
    pub fn evaluator(self, request: &EvaluatorRequest) -> Result<Evaluator, ResourceError> {
        let leaves = self.leaves(request)?;
        let bag = self.bag_terms(request, &leaves)?;
        Ok(Evaluator { leaves: leaves.with_bag_terms(bag), win_model: self.win_model(request)?, rack_means: self.rack_means(request)? })
    }

    fn leaves(self, request: &EvaluatorRequest) -> Result<Leaves, ResourceError> {
        let (distribution, name) = (&request.distribution, request.tables.leaves.as_str());
        if is_auto(name) {
            return match self.source.find(request.lexicon.name(), &LEAVE_FILES) {
                Some(place) => self.open_leaves(&place, distribution),
                None => Ok(default_leaves(distribution)),
            };
        }
        if let Some(known) = built_in_name(name) {
            return built_in_leave_table(known, distribution).map(|table| Leaves::trained(known, table));
        }
        if name.eq_ignore_ascii_case(NONE) {
            return Ok(Leaves::nothing());
        }
        if let Some(&heuristic) = HEURISTICS.iter().find(|heuristic| heuristic.name().eq_ignore_ascii_case(name)) {
            return Ok(Leaves::heuristic(heuristic, distribution));
        }
        let built_in: Vec<&str> =
            [AUTO, leave_table::BUILTIN_NAME, CROSSPLAY, NONE].into_iter().chain(HEURISTICS.map(RackHeuristic::name)).collect();
        let place = self.find(ResourceKind::Leaves, name, &LEAVE_FILES, &built_in)?;
        self.open_leaves(&place, distribution)
    }

    fn win_model(self, request: &EvaluatorRequest) -> Result<WinModel, ResourceError> {
        let (name, formula) = (request.tables.win_table.as_str(), WinModel::formula());
        if is_auto(name) {
            let own = self.source.find(request.lexicon.name(), &["win.csv"]);
            return own.map_or_else(|| Ok(built_in_win_table(name_for(&request.distribution))), |place| self.open_win_table(&place));
        }
        if name.eq_ignore_ascii_case(formula.name()) {
            return Ok(formula);
        }
        if let Some(known) = built_in_name(name) {
            return Ok(built_in_win_table(known));
        }
        let built_in = [AUTO, win_table::BUILTIN_NAME, CROSSPLAY, formula.name()];
        self.open_win_table(&self.find(ResourceKind::WinTable, name, &["win.csv"], &built_in)?)
    }

    fn bag_terms(self, request: &EvaluatorRequest, leaves: &Leaves) -> Result<Option<BagTerms>, ResourceError> {
        let name = request.tables.bag.as_str();
        let own = || self.source.find(request.lexicon.name(), &["bag.csv"]);
        match name {
            // Bag terms were trained together with leave values; the heuristics stay as their authors published them.
            name if is_auto(name) && !leaves.is_trained() => Ok(None),
            name if is_auto(name) => {
                own().map_or_else(|| Ok(built_in_bag_terms(&request.distribution)), |place| self.open_bag_terms(&place)).map(Some)
            }
            NONE => Ok(None),
            place => self.open_bag_terms(place).map(Some),
        }
    }

    fn rack_means(self, request: &EvaluatorRequest) -> Result<Option<RackMeans>, ResourceError> {
        let place = match request.tables.racks.as_str() {
            name if is_auto(name) => self.source.find(request.lexicon.name(), &["racks"]),
            NONE => None,
            place => Some(place.to_string()),
        };
        place.map(|place| self.open_racks(&place, &request.distribution)).transpose()
    }

    /// Opens leave values: KLV2, or this program's own format if the extension is `.leaves`.
    ///
    /// # Errors
    /// If the file is invalid.
    pub fn open_leaves(self, place: &str, distribution: &LetterDistribution) -> Result<Leaves, ResourceError> {
        self.open_leave_table(place, distribution).map(|table| Leaves::trained(&stem(place), table))
    }

    /// Opens leave values as a table.
    ///
    /// # Errors
    /// If the file is invalid.
    pub fn open_leave_table(self, place: &str, distribution: &LetterDistribution) -> Result<LeaveTable, ResourceError> {
        let kind = ResourceKind::Leaves;
        let bytes = self.read(kind, place)?;
        if !has_extension(place, "leaves") {
            let values = klv2::parse(&bytes).map_err(|error| ResourceError::wrong_format(kind, place, error))?;
            let table = LeaveTable::from_values(distribution, values.iter());
            let table = table.and_then(|table| table.check_alphabet(distribution).map(|()| table));
            return table.map_err(|error| ResourceError::wrong_format(kind, place, error));
        }
        let table = leave_table::parse(&bytes).map_err(|error| ResourceError::wrong_format(kind, place, error))?;
        check_kinds(kind, place, table.ranks().kinds(), distribution)?;
        table.check_alphabet(distribution).map(|()| table).map_err(|error| ResourceError::wrong_format(kind, place, error))
    }

    /// Opens the means of full racks.
    ///
    /// # Errors
    /// If the file is invalid.
    pub fn open_racks(self, place: &str, distribution: &LetterDistribution) -> Result<RackMeans, ResourceError> {
        let kind = ResourceKind::RackMeans;
        let means = leave_table::parse_racks(&self.read(kind, place)?).map_err(|error| ResourceError::wrong_format(kind, place, error))?;
        check_kinds(kind, place, means.kinds(), distribution)?;
        let counts: Vec<u8> = distribution.tiles().map(|tile| distribution.count(tile)).collect();
        if means.has_impossible_racks(&counts) {
            return Err(ResourceError::ForeignRacks { path: place.to_string(), alphabet: distribution.name().to_string() });
        }
        Ok(means)
    }

    /// Opens terms for the end of the bag.
    ///
    /// # Errors
    /// If the file is invalid.
    pub fn open_bag_terms(self, place: &str) -> Result<BagTerms, ResourceError> {
        let kind = ResourceKind::BagTerms;
        bag_terms::parse(&self.read_text(kind, place)?).map_err(|error| ResourceError::wrong_format(kind, place, error))
    }

    /// Opens a win % table.
    ///
    /// # Errors
    /// If the file is invalid.
    pub fn open_win_table(self, place: &str) -> Result<WinModel, ResourceError> {
        let kind = ResourceKind::WinTable;
        let table = win_table::parse(&self.read_text(kind, place)?).map_err(|error| ResourceError::wrong_format(kind, place, error))?;
        Ok(WinModel::table(stem(place).trim_end_matches(".win"), table))
    }

    /// The place that a name or a path refers to.
    fn find(self, kind: ResourceKind, name: &str, extensions: &[&str], built_in: &[&str]) -> Result<String, ResourceError> {
        if name.contains(['/', '\\']) || Path::new(name).extension().is_some() {
            return Ok(name.to_string());
        }
        self.source.find(name, extensions).ok_or_else(|| ResourceError::NotFound {
            kind,
            name: name.to_string(),
            files: extensions.iter().map(|extension| format!("{name}.{extension}")).collect(),
            directories: self.source.places(),
            why_empty: self.source.why_empty(),
            built_in: built_in.iter().map(ToString::to_string).collect(),
        })
    }

    fn read(self, kind: ResourceKind, place: &str) -> Result<Vec<u8>, ResourceError> {
        self.source.read(place, most_bytes(kind, place)).map_err(|error| ResourceError::unreadable(kind, place, error))
    }

    fn read_text(self, kind: ResourceKind, place: &str) -> Result<String, ResourceError> {
        file_text::decode(self.read(kind, place)?).map_err(|error| ResourceError::wrong_format(kind, place, error))
    }
}

/// The most bytes that are read from a file. No useful file has more.
fn most_bytes(kind: ResourceKind, place: &str) -> u64 {
    const MIB: u64 = 1 << 20;
    match kind {
        // All nodes that the layout of a graph has room for, of 4 bytes.
        ResourceKind::Lexicon if !has_extension(place, "txt") => 4 * graph_builder::MAX_NODES as u64,
        // A graph has room for the words of about 50 MB; there may be definitions after them.
        ResourceKind::Lexicon => 256 * MIB,
        // A graph of leaves, and 4 bytes for each of the 16 million leaves that a table has room for.
        ResourceKind::Leaves => 80 * MIB,
        // 2 bytes for each full rack: 9 MB with the English letters, 31 MB with the 32 Polish ones.
        ResourceKind::RackMeans => 256 * MIB,
        // A few hundred rows of a few hundred chances.
        ResourceKind::WinTable | ResourceKind::BagTerms => 16 * MIB,
        // A line for each of 64 tiles or 21 rows, and comments.
        ResourceKind::LetterDistribution | ResourceKind::Layout => MIB,
        // None of these is a table.
        ResourceKind::Game | ResourceKind::SampleLog | ResourceKind::LogFile => 4 * MIB,
    }
}

/// Returns the lexicon if the alphabet has all its letters.
///
/// # Errors
/// [`ResourceError::ForeignLetters`].
pub fn fitting(lexicon: Lexicon, distribution: &LetterDistribution) -> Result<Lexicon, ResourceError> {
    if lexicon.fits(distribution) {
        return Ok(lexicon);
    }
    Err(ResourceError::ForeignLetters { lexicon: lexicon.name().to_string(), alphabet: distribution.name().to_string() })
}

/// The built-in words that this alphabet can spell. If the alphabet has nothing in common with English, the words are
/// unchanged and do not [fit](Lexicon::fits) it.
fn built_in_words(distribution: &LetterDistribution) -> Lexicon {
    let english = LetterDistribution::english();
    let is_letter = |letter: &Letter| distribution.parse_word(&english.word_text(&[*letter])).is_ok();
    let lexicon = Lexicon::builtin();
    if lexicon.fits(distribution) {
        return lexicon;
    }
    let known: Vec<Letter> = english.letters().filter(is_letter).collect();
    let mut words = Vec::new();
    lexicon.graph().for_each_word(|word| {
        let letters: Vec<Letter> = word.iter().filter_map(|&number| Letter::new(number)).collect();
        if letters.iter().all(|letter| known.contains(letter)) {
            words.push(english.word_text(&letters));
        }
    });
    Lexicon::from_words(BUILTIN_NAME, distribution, words.iter().map(String::as_str)).unwrap_or(lexicon)
}

/// Returns the lexicon of a word graph with the letters of this alphabet ([`Lexicon::written_in`]).
///
/// A graph stores letters as numbers. If it was clearly made with another order of the letters (`letter_order.rs`), its
/// words are read in that order. A graph of another language is recognised by words that cannot be laid: hardly one in
/// a thousand of a language's own words needs more of a letter than the game has tiles and blanks (0.01 % of ENABLE
/// with the English letters).
///
/// # Errors
/// [`ResourceError::ForeignOrder`] if this alphabet lacks letters of the other order. [`ResourceError::ForeignWords`]
/// if the graph has at least a thousand words, and more than one in a hundred of them cannot be laid.
pub fn of_alphabet(lexicon: Lexicon, distribution: &LetterDistribution) -> Result<Lexicon, ResourceError> {
    let lexicon = match letter_order::other_order(lexicon.graph(), distribution) {
        Some(order) => in_order(&lexicon, &order, distribution)?,
        None => lexicon,
    };
    // Letters that the alphabet lacks are reported by name.
    if !lexicon.fits(distribution) {
        return Ok(lexicon);
    }
    let mut tiles = [0u32; MAX_LETTERS + 1];
    for tile in distribution.tiles() {
        if let Some(count) = tiles.get_mut(tile.index()) {
            *count = distribution.count(tile).into();
        }
    }
    let [blanks, ..] = tiles;
    let (mut words, mut without_tiles) = (0, 0);
    lexicon.graph().for_each_word(|word| {
        let mut left = tiles;
        let mut lacking = 0;
        for &letter in word {
            match left.get_mut(usize::from(letter)) {
                Some(0) | None => lacking += 1,
                Some(count) => *count -= 1,
            }
        }
        words += 1;
        without_tiles += usize::from(lacking > blanks);
    });
    if words < letter_order::LEAST_WORDS || without_tiles * 100 <= words {
        return Ok(lexicon.written_in(distribution));
    }
    let (lexicon, alphabet) = (lexicon.name().to_string(), distribution.name().to_string());
    Err(ResourceError::ForeignWords { lexicon, alphabet, words, without_tiles })
}

/// The words of a graph whose letters are numbered in another order.
fn in_order(lexicon: &Lexicon, order: &LetterOrder, distribution: &LetterDistribution) -> Result<Lexicon, ResourceError> {
    let mut by_number = [None; MAX_LETTERS + 1];
    for (slot, face) in by_number.iter_mut().skip(1).zip(&order.faces) {
        *slot = distribution.parse_word(&format!("[{face}]")).ok().and_then(|word| word.first().copied());
    }
    let mut lacking = None;
    let mut words = Vec::new();
    lexicon.graph().for_each_word(|word| {
        let letter = |&number: &u8| {
            let letter = by_number.get(usize::from(number)).copied().flatten();
            lacking = lacking.or_else(|| letter.is_none().then_some(usize::from(number)));
            letter
        };
        let letters: Vec<Letter> = word.iter().filter_map(letter).collect();
        if lacking.is_none() {
            words.push(distribution.word_text(&letters));
        }
    });
    let name = lexicon.name();
    if let Some(number) = lacking {
        let letter = order.face(number).unwrap_or_default().to_string();
        let (lexicon, found, alphabet) = (name.to_string(), order.alphabet.clone(), distribution.name().to_string());
        return Err(ResourceError::ForeignOrder { lexicon, alphabet, found, letter });
    }
    let words = Lexicon::from_words(name, distribution, words.iter().map(String::as_str));
    words.map_err(|error| ResourceError::wrong_format(ResourceKind::Lexicon, name, error))
}

/// Returns the built-in leave values of this name.
///
/// # Errors
/// [`ResourceError::OtherAlphabet`] if they are for other letters.
pub fn built_in_leave_table(name: &'static str, distribution: &LetterDistribution) -> Result<LeaveTable, ResourceError> {
    let english = LetterDistribution::english();
    // The same letters, with more tiles for a few of them.
    let widened = || leave_table::builtin().for_more_tiles(&english, distribution);
    match name {
        leave_table::BUILTIN_NAME if *distribution == english => Ok(leave_table::builtin()),
        leave_table::BUILTIN_NAME if is_crossplay(distribution) => Ok(widened()),
        CROSSPLAY if is_crossplay(distribution) => Ok(widened().with_terms(&leave_terms::crossplay(distribution), distribution)),
        _ => Err(ResourceError::OtherAlphabet {
            kind: ResourceKind::Leaves,
            name: name.to_string(),
            expected: if name == CROSSPLAY { Variant::Crossplay.letters() } else { ENGLISH }.to_string(),
            found: distribution.name().to_string(),
        }),
    }
}

/// Returns the name of built-in tables in the spelling of this file; `None` for any other name.
pub fn built_in_name(name: &str) -> Option<&'static str> {
    [leave_table::BUILTIN_NAME, CROSSPLAY].into_iter().find(|known| known.eq_ignore_ascii_case(name))
}

/// Returns the name of the built-in tables for a game with these letters.
fn name_for(distribution: &LetterDistribution) -> &'static str {
    if is_crossplay(distribution) { CROSSPLAY } else { leave_table::BUILTIN_NAME }
}

/// Whether these are the letters of Crossplay.
fn is_crossplay(distribution: &LetterDistribution) -> bool {
    // Read once: every choice among the built-in tables needs it.
    static LETTERS: LazyLock<Option<LetterDistribution>> = LazyLock::new(|| LetterDistribution::built_in(Variant::Crossplay.letters()));
    LETTERS.as_ref().is_some_and(|crossplay| crossplay.has_same_tiles(distribution))
}

/// The built-in terms for the end of the bag, which were trained with the same words for each kind of ending.
fn built_in_bag_terms(distribution: &LetterDistribution) -> BagTerms {
    if is_crossplay(distribution) { bag_terms::crossplay() } else { bag_terms::builtin() }
}

/// The leave values of a list without its own: the built-in ones, or a heuristic if those are for another alphabet.
fn default_leaves(distribution: &LetterDistribution) -> Leaves {
    let name = name_for(distribution);
    let own = built_in_leave_table(name, distribution).map(|table| Leaves::trained(name, table));
    own.unwrap_or_else(|_| Leaves::heuristic(RackHeuristic::VowelMix, distribution))
}

/// The built-in tables that fit this alphabet.
pub fn built_in_evaluator(distribution: &LetterDistribution) -> Evaluator {
    let leaves = default_leaves(distribution);
    let bag = leaves.is_trained().then(|| built_in_bag_terms(distribution));
    Evaluator { leaves: leaves.with_bag_terms(bag), win_model: built_in_win_table(name_for(distribution)), rack_means: None }
}

/// The built-in win % table of this name.
fn built_in_win_table(name: &'static str) -> WinModel {
    WinModel::table(name, if name == CROSSPLAY { win_table::crossplay() } else { win_table::builtin() })
}

/// Whether this is a name of a board: its own name, in either case, or a built-in name of a board with the same
/// squares.
pub fn is_layout_name(name: &str, layout: &Layout) -> bool {
    let has_the_same = |known: Layout| known.has_same_squares(layout);
    name.eq_ignore_ascii_case(layout.name()) || Tables::of(&NoFiles).layout(name).is_ok_and(has_the_same)
}

/// Whether this is a name of an alphabet: its own name, in either case, or a built-in name of an alphabet with the same
/// tiles.
pub fn is_distribution_name(name: &str, distribution: &LetterDistribution) -> bool {
    let has_the_same = |known: LetterDistribution| known.has_same_tiles(distribution);
    name.eq_ignore_ascii_case(distribution.name()) || LetterDistribution::built_in(name).is_some_and(has_the_same)
}

fn is_auto(name: &str) -> bool {
    name.is_empty() || name.eq_ignore_ascii_case(AUTO)
}

fn check_kinds(kind: ResourceKind, place: &str, found: usize, distribution: &LetterDistribution) -> Result<(), ResourceError> {
    let expected = distribution.letter_count() + 1;
    if found == expected {
        return Ok(());
    }
    let (path, alphabet) = (place.to_string(), distribution.name().to_string());
    Err(ResourceError::TileKinds { kind, path, found, alphabet, expected })
}

fn has_extension(place: &str, extension: &str) -> bool {
    Path::new(place).extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

fn stem(place: &str) -> String {
    Path::new(place).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossplay_has_tables_of_its_own() {
        let letters = LetterDistribution::built_in(Variant::Crossplay.letters()).unwrap();
        let played_with = |letters| {
            let Evaluator { leaves, win_model, .. } = built_in_evaluator(letters);
            [leaves.name().to_string(), win_model.name().to_string()]
        };
        assert_eq!(played_with(&letters), [CROSSPLAY; 2]);
        assert_eq!(played_with(&LetterDistribution::english()), [leave_table::BUILTIN_NAME; 2]);
        let value = |name, leave: [usize; 1]| built_in_leave_table(name, &letters).unwrap().value(leave.into_iter());
        assert!(value(CROSSPLAY, [0]) < value("enable", [0]), "there are three blanks");
        let refused = |name, alphabet: &LetterDistribution| built_in_leave_table(name, alphabet).unwrap_err().to_string();
        assert_eq!(
            refused(CROSSPLAY, &LetterDistribution::english()),
            "the leave values crossplay are for the english_crossplay alphabet, but the alphabet in use is english"
        );
        let german = LetterDistribution::built_in("german").unwrap();
        assert_eq!(refused("enable", &german), "the leave values enable are for the english alphabet, but the alphabet in use is german");
    }

    #[test]
    fn built_in_words_are_spelled_by_the_letters_of_the_alphabet() {
        let english = Lexicon::builtin();
        for (name, word, not_there) in [("polish", "ZEBRA", "AĄ"), ("french", "QUIZ", "BAC"), ("english_super", "QUIZ", "BAC")] {
            let alphabet = LetterDistribution::built_in(name).unwrap();
            let lexicon = built_in_words(&alphabet);
            let is_word = |text: &str| lexicon.contains(&alphabet.parse_word(text).unwrap());
            assert!(is_word(word) && is_word("CAT") && !is_word(not_there) && lexicon.fits(&alphabet), "{name}");
        }
        let polish = built_in_words(&LetterDistribution::built_in("polish").unwrap());
        assert!(polish.list().len() < english.list().len(), "words with Q, V and X are left out");
        let french = built_in_words(&LetterDistribution::built_in("french").unwrap());
        assert_eq!(french.fingerprint(), english.fingerprint());
    }
}
