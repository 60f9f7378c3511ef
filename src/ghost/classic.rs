//! Solves Ghost: two players in turn add letters to a fragment, and completing a word loses.
//!
//! A letter may be added if some word still begins with the fragment; a player who adds any other
//! letter loses the challenge that follows. Therefore a game is a walk down the DAWG,
//! and a fragment's value follows from those of the fragments that are a letter longer.
//! Words that are too short by the rules do not count. Fragments followed by the same list share a
//! value, except short ones, whose words may not count yet: a value is kept by list and number of
//! letters, up to the shortest length that counts.
//!
//! Not here: a game against a person (`protocol/session/ghost.rs`). Start with [`Ghost::solve`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::lexicon::word_graph::{Node, NodeIndex, WordGraph};
use crate::lexicon::word_list::WordsFound;
use crate::rules::Letter;
use crate::rules::layout::MAX_DIM;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use thiserror::Error;

/// One of the two players, seen from a fragment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GhostPlayer {
    /// The player who must add a letter to it.
    Mover,
    /// The player who added the last letter.
    Other,
}

impl GhostPlayer {
    const fn flipped(self) -> GhostPlayer {
        match self {
            GhostPlayer::Mover => GhostPlayer::Other,
            GhostPlayer::Other => GhostPlayer::Mover,
        }
    }
}

/// The value of a fragment under perfect play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GhostValue {
    /// The winner.
    pub winner: GhostPlayer,
    /// Letters until a word is complete, if the winner hastens the end and the loser delays it.
    pub plies: usize,
    /// The number of words on the winner's shortest sheet: the words with which the game may end if the winner plays by the sheet.
    pub sheet: usize,
    /// The number of words with which the game may end.
    pub endings: usize,
}

/// A letter that may be added to a fragment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GhostLetter {
    /// The letter.
    pub letter: Letter,
    /// The value after it, as seen by the player who adds it. Its plies include the letter.
    pub value: GhostValue,
    /// The place after it; `None` if the letter completes a word.
    next: Option<GhostPlace>,
}

impl GhostLetter {
    /// Whether it completes a word.
    pub fn is_last(&self) -> bool {
        self.next.is_none()
    }

    fn wins(&self) -> bool {
        self.value.winner == GhostPlayer::Mover
    }
}

/// Why a fragment has no value, or Ghost cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GhostError {
    /// No word begins like this.
    #[error("no word of at least {min_length} letters begins with the first {letters} letters")]
    NoWord {
        /// Letters of the shortest beginning that no word has.
        letters: usize,
        /// Letters of the shortest words that count.
        min_length: usize,
    },
    /// The fragment begins with a word, or is one.
    #[error("the first {letters} letters are a word: the game ended there")]
    Over {
        /// Letters of the first word.
        letters: usize,
    },
    /// A length that no word can have.
    #[error("the shortest words cannot have {found} letters, expected {} to {}", Ghost::MIN_LENGTHS.start(), Ghost::MIN_LENGTHS.end())]
    MinLength {
        /// The length.
        found: usize,
    },
    /// No word is long enough.
    #[error("the lexicon has no words of at least {min_length} letters")]
    NoWords {
        /// Letters of the shortest words that count.
        min_length: usize,
    },
    /// The caller did not want to wait.
    #[error("Ghost was stopped before it was solved")]
    Stopped,
}

/// A fragment as the DAWG sees it: the letters that may follow, and how many letters there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
struct GhostPlace {
    list: NodeIndex,
    /// Letters of the fragment, up to the shortest length that counts.
    letters: usize,
}

/// All fragments of a word graph with their values.
///
/// ```
/// use tilewright::rules::LetterDistribution;
/// use tilewright::ghost::{Ghost, GhostPlayer};
/// use tilewright::lexicon::Lexicon;
///
/// let alphabet = LetterDistribution::english();
/// let lexicon = Lexicon::builtin();
/// // If all words count, the first player wins, with an H.
/// let ghost = Ghost::solve(lexicon.graph(), 1)?;
/// assert_eq!(ghost.value(&[])?.winner, GhostPlayer::Mover);
/// let sheet = ghost.sheet(&alphabet.parse_word("H")?, 9)?;
/// let words: Vec<String> = sheet.words.iter().map(|word| alphabet.word_text(word)).collect();
/// assert_eq!(words, ["HA", "HE", "HI", "HM", "HO", "HUCK", "HWAN", "HYTE"]);
///
/// let error = ghost.value(&alphabet.parse_word("BRQ")?).unwrap_err();
/// assert_eq!(error.to_string(), "no word of at least 1 letters begins with the first 3 letters");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ghost<'a> {
    graph: &'a WordGraph,
    values: Cow<'a, GhostValues>,
}

/// The values of all fragments without the graph, to be kept.
#[derive(Clone, Debug)]
pub struct GhostValues {
    min_length: usize,
    /// `None` for places after which no word counts.
    by_place: HashMap<GhostPlace, Option<GhostValue>>,
}

impl GhostValues {
    /// Returns the memory that the values take, bytes.
    pub fn size(&self) -> usize {
        self.by_place.capacity() * size_of::<(GhostPlace, Option<GhostValue>)>()
    }
}

/// Places that are solved between two checks whether to go on: less than a millisecond's work.
const PLACES_BETWEEN_LOOKS: usize = 512;

impl<'a> Ghost<'a> {
    /// The lengths that the shortest words that count may have.
    pub const MIN_LENGTHS: RangeInclusive<usize> = 1..=MAX_DIM;

    /// Solves the game in which words of at least `min_length` letters count.
    ///
    /// # Errors
    /// A length out of range, or one that no word has.
    pub fn solve(graph: &'a WordGraph, min_length: usize) -> Result<Ghost<'a>, GhostError> {
        Ghost::solve_until(graph, min_length, &|| false)
    }

    /// Solves the game unless it is stopped.
    ///
    /// # Errors
    /// Those of [`Ghost::solve`], and [`GhostError::Stopped`].
    pub fn solve_until(graph: &'a WordGraph, min_length: usize, is_stopped: &dyn Fn() -> bool) -> Result<Ghost<'a>, GhostError> {
        if !Ghost::MIN_LENGTHS.contains(&min_length) {
            return Err(GhostError::MinLength { found: min_length });
        }
        let mut ghost = Ghost { graph, values: Cow::Owned(GhostValues { min_length, by_place: HashMap::new() }) };
        match ghost.visit(ghost.start(), is_stopped)? {
            Some(_) => Ok(ghost),
            None => Err(GhostError::NoWords { min_length }),
        }
    }

    /// Returns the game with values that were kept, which must be those of this graph.
    pub fn with_values(graph: &'a WordGraph, values: &'a GhostValues) -> Ghost<'a> {
        Ghost { graph, values: Cow::Borrowed(values) }
    }

    /// Returns the values, to be kept.
    pub fn into_values(self) -> GhostValues {
        self.values.into_owned()
    }

    /// Returns the length of the shortest words that count.
    pub fn min_length(&self) -> usize {
        self.values.min_length
    }

    /// Returns the value of a fragment. The empty one is the start of the game.
    ///
    /// # Errors
    /// A fragment that no word begins with, or that begins with a word.
    pub fn value(&self, fragment: &[Letter]) -> Result<GhostValue, GhostError> {
        let nothing = GhostError::NoWord { letters: fragment.len(), min_length: self.min_length() };
        self.known(self.place_of(fragment)?).ok_or(nothing)
    }

    /// Returns the letters that may be added, in the order of the alphabet.
    ///
    /// # Errors
    /// Those of [`Ghost::value`].
    pub fn letters(&self, fragment: &[Letter]) -> Result<Vec<GhostLetter>, GhostError> {
        Ok(self.letters_at(self.place_of(fragment)?))
    }

    /// Returns the best letter to add: one that wins with the shortest sheet. If all lose, it is one after which the smallest share of the
    /// other player's letters wins, and of these the one that delays the end longest.
    ///
    /// # Errors
    /// Those of [`Ghost::value`].
    pub fn best_letter(&self, fragment: &[Letter]) -> Result<GhostLetter, GhostError> {
        let place = self.place_of(fragment)?;
        let letters = self.letters_at(place);
        let to_win = letters.iter().filter(|letter| letter.wins()).min_by_key(|letter| letter.value.sheet);
        let to_lose = || letters.iter().min_by_key(|letter| (self.winning_replies(letter), usize::MAX - letter.value.plies));
        let nothing = GhostError::NoWord { letters: fragment.len(), min_length: self.min_length() };
        to_win.or_else(to_lose).copied().ok_or(nothing)
    }

    /// Returns the winner's shortest sheet from a fragment on, at most `limit` of its words: the words with which the game may end if the
    /// winner plays by the sheet.
    ///
    /// # Errors
    /// Those of [`Ghost::value`].
    pub fn sheet(&self, fragment: &[Letter], limit: usize) -> Result<WordsFound, GhostError> {
        let mut found = WordsFound { words: Vec::new(), total: self.value(fragment)?.sheet };
        self.collect(self.place_of(fragment)?, EndingsWanted::Sheet, limit, &mut fragment.to_vec(), &mut found.words);
        Ok(found)
    }

    /// Returns the words with which the game may end, at most `limit` of them.
    ///
    /// # Errors
    /// Those of [`Ghost::value`].
    pub fn endings(&self, fragment: &[Letter], limit: usize) -> Result<WordsFound, GhostError> {
        let mut found = WordsFound { words: Vec::new(), total: self.value(fragment)?.endings };
        self.collect(self.place_of(fragment)?, EndingsWanted::All, limit, &mut fragment.to_vec(), &mut found.words);
        Ok(found)
    }

    fn start(&self) -> GhostPlace {
        GhostPlace { list: self.graph.dawg_root(), letters: 0 }
    }

    /// The place after a node; `None` if it completes a word that counts.
    fn behind(&self, place: GhostPlace, node: Node) -> Option<GhostPlace> {
        let is_word = node.accepts() && place.letters + 1 >= self.min_length();
        (!is_word).then(|| GhostPlace { list: node.arc(), letters: (place.letters + 1).min(self.min_length()) })
    }

    fn place_of(&self, fragment: &[Letter]) -> Result<GhostPlace, GhostError> {
        let mut place = self.start();
        for (letters, letter) in (1..).zip(fragment) {
            let nothing = GhostError::NoWord { letters, min_length: self.min_length() };
            let node = self.graph.find(place.list, letter.number()).ok_or(nothing)?;
            place = self.behind(place, node).ok_or(GhostError::Over { letters })?;
            self.known(place).ok_or(nothing)?;
        }
        Ok(place)
    }

    fn known(&self, place: GhostPlace) -> Option<GhostValue> {
        self.values.by_place.get(&place).copied().flatten()
    }

    /// Solves a place and all places after it. No word is long, so the recursion is not deep.
    fn visit(&mut self, place: GhostPlace, is_stopped: &dyn Fn() -> bool) -> Result<Option<GhostValue>, GhostError> {
        if let Some(&known) = self.values.by_place.get(&place) {
            return Ok(known);
        }
        for node in self.graph.siblings(place.list) {
            if let Some(next) = self.behind(place, node) {
                self.visit(next, is_stopped)?;
            }
        }
        let value = value_of(&self.letters_at(place));
        let by_place = &mut self.values.to_mut().by_place;
        by_place.insert(place, value);
        if by_place.len().is_multiple_of(PLACES_BETWEEN_LOOKS) && is_stopped() {
            return Err(GhostError::Stopped);
        }
        Ok(value)
    }

    /// The letters that may be added, if the places after them are solved.
    fn letters_at(&self, place: GhostPlace) -> Vec<GhostLetter> {
        let outcome = |node: Node| {
            let next = self.behind(place, node);
            let value = match next {
                None => GhostValue { winner: GhostPlayer::Other, plies: 1, sheet: 1, endings: 1 },
                Some(next) => {
                    let value = self.known(next)?;
                    GhostValue { winner: value.winner.flipped(), plies: value.plies + 1, ..value }
                }
            };
            Some(GhostLetter { letter: Letter::new(node.tile())?, value, next })
        };
        self.graph.siblings(place.list).filter_map(outcome).collect()
    }

    /// Returns the share of the answers to a letter that win, in thousandths.
    fn winning_replies(&self, letter: &GhostLetter) -> usize {
        let Some(next) = letter.next else { return 1000 };
        let answers = self.letters_at(next);
        answers.iter().filter(|answer| answer.wins()).count() * 1000 / answers.len().max(1)
    }

    fn collect(&self, place: GhostPlace, wanted: EndingsWanted, limit: usize, fragment: &mut Vec<Letter>, found: &mut Vec<Vec<Letter>>) {
        let mut letters = self.letters_at(place);
        if wanted == EndingsWanted::Sheet
            && let Some(&best) = letters.iter().filter(|letter| letter.wins()).min_by_key(|letter| letter.value.sheet)
        {
            letters = vec![best];
        }
        for letter in letters {
            if found.len() >= limit {
                return;
            }
            fragment.push(letter.letter);
            match letter.next {
                None => found.push(fragment.clone()),
                Some(next) => self.collect(next, wanted, limit, fragment, found),
            }
            fragment.pop();
        }
    }
}

/// Which of the words with which the game may end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EndingsWanted {
    All,
    /// Those that remain possible if the winner always adds the letter with the shortest sheet.
    Sheet,
}

/// Returns the value of a fragment to which these letters may be added; `None` without any. Sums stay at the highest number.
fn value_of(letters: &[GhostLetter]) -> Option<GhostValue> {
    let values = || letters.iter().map(|letter| letter.value);
    let endings = values().fold(0, |sum: usize, value| sum.saturating_add(value.endings));
    let winning = || letters.iter().filter(|letter| letter.wins()).map(|letter| letter.value);
    match winning().map(|value| value.plies).min() {
        Some(plies) => {
            let sheet = winning().map(|value| value.sheet).min()?;
            Some(GhostValue { winner: GhostPlayer::Mover, plies, sheet, endings })
        }
        None => {
            let plies = values().map(|value| value.plies).max()?;
            let sheet = values().fold(0, |sum: usize, value| sum.saturating_add(value.sheet));
            Some(GhostValue { winner: GhostPlayer::Other, plies, sheet, endings })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::{Lexicon, graph_builder};
    use crate::rules::LetterDistribution;

    const TEXT: &str = include_str!("../../lexicons/enable.txt");

    fn letters(text: &str) -> Vec<Letter> {
        text.bytes().map(|byte| Letter::new(byte - b'A' + 1).unwrap()).collect()
    }

    fn texts(found: &WordsFound) -> String {
        assert_eq!(found.words.len(), found.total);
        found.words.iter().map(|word| LetterDistribution::english().word_text(word).to_lowercase()).collect::<Vec<_>>().join(" ")
    }

    /// A graph of words that may even have one letter, which no lexicon has.
    fn toy(words: &str) -> WordGraph {
        let mut words: Vec<Vec<u8>> = words.split(' ').map(|word| letters(word).iter().map(|letter| letter.number()).collect()).collect();
        words.sort();
        WordGraph::from_trusted_nodes(graph_builder::build(&words).unwrap())
    }

    fn wins(ghost: &Ghost<'_>, fragment: &str) -> bool {
        ghost.value(&letters(fragment)).unwrap().winner == GhostPlayer::Mover
    }

    /// The dumb twin: minimax over all beginnings of the sorted words, all of which begin with the same `length` letters. Compares the
    /// value of each fragment on the way. `None` if no word counts.
    fn twin(words: &[&str], length: usize, min_length: usize, ghost: &Ghost<'_>) -> Option<GhostValue> {
        let mut outcomes = Vec::new();
        for group in words.chunk_by(|one, other| one.as_bytes()[length] == other.as_bytes()[length]) {
            let (first, longer) = (group[0], length + 1);
            if longer >= min_length && first.len() == longer {
                outcomes.push(GhostValue { winner: GhostPlayer::Other, plies: 1, sheet: 1, endings: 1 });
                continue;
            }
            let rest: Vec<&str> = group.iter().copied().filter(|word| word.len() > longer).collect();
            let fragment = letters(&first[..longer]);
            match twin(&rest, longer, min_length, ghost) {
                None => assert!(ghost.value(&fragment).is_err(), "{first} {longer}"),
                Some(value) => {
                    assert_eq!(ghost.value(&fragment), Ok(value), "{first} {longer}");
                    outcomes.push(GhostValue { winner: value.winner.flipped(), plies: value.plies + 1, ..value });
                }
            }
        }
        let winning: Vec<&GhostValue> = outcomes.iter().filter(|value| value.winner == GhostPlayer::Mover).collect();
        let endings = outcomes.iter().map(|value| value.endings).sum();
        if outcomes.is_empty() {
            None
        } else if winning.is_empty() {
            let plies = outcomes.iter().map(|value| value.plies).max()?;
            Some(GhostValue { winner: GhostPlayer::Other, plies, sheet: outcomes.iter().map(|value| value.sheet).sum(), endings })
        } else {
            let plies = winning.iter().map(|value| value.plies).min()?;
            Some(GhostValue { winner: GhostPlayer::Mover, plies, sheet: winning.iter().map(|value| value.sheet).min()?, endings })
        }
    }

    #[test]
    fn all_fragments_have_the_values_of_a_plain_minimax() {
        let lexicon = Lexicon::builtin();
        let words: Vec<&str> = TEXT.lines().collect();
        for min_length in [1, 4, 9] {
            let ghost = Ghost::solve(lexicon.graph(), min_length).unwrap();
            assert_eq!(twin(&words, 0, min_length, &ghost), ghost.value(&[]).ok());
        }
    }

    /// The winner, the letters that win with their sheets, and the number of words that the other player needs against the other letters.
    fn row(min_length: usize) -> String {
        row_of(&Lexicon::builtin(), min_length)
    }

    fn row_of(lexicon: &Lexicon, min_length: usize) -> String {
        let ghost = Ghost::solve(lexicon.graph(), min_length).unwrap();
        let openings = ghost.letters(&[]).unwrap();
        let winner = if ghost.value(&[]).unwrap().winner == GhostPlayer::Mover { "first" } else { "second" };
        let name = |letter: &GhostLetter| LetterDistribution::english().word_text(&[letter.letter]).to_lowercase();
        let winning: Vec<String> =
            openings.iter().filter(|letter| letter.wins()).map(|letter| format!("{} {}", name(letter), letter.value.sheet)).collect();
        let against: usize = openings.iter().filter(|letter| !letter.wins()).map(|letter| letter.value.sheet).sum();
        format!("{winner} [{}] {against}", winning.join(", "))
    }

    /// It is known that the second player wins if words have at least three letters [Munroe 2007]. The sheets are our own: a plain trie in
    /// another language gives the same for this list, which has words of 2 to 15 letters.
    #[test]
    fn enable_is_won_by_the_player_whom_published_solutions_name() {
        assert_eq!(row(1), "first [h 8] 55");
        assert_eq!(row(2), "first [h 8] 55");
        assert_eq!(row(3), "second [] 56");
        assert_eq!(row(4), "first [h 8, n 7] 66");
        assert_eq!(row(5), "first [n 7] 62");
    }

    /// With ENABLE itself, the list `enable1.txt` of 172,823 words, the words against all letters that lose are 54, 54, 55, 65 and 62, by a
    /// plain trie in another language. The built-in list also has QUBIT and QUBYTE, so that the second player must answer QUB.
    #[test]
    fn without_the_words_that_enable_does_not_have_the_counts_are_those_of_enable() {
        let words: Vec<&str> = TEXT.lines().filter(|word| !word.starts_with("QUB")).collect();
        assert_eq!(TEXT.lines().count() - words.len(), 4);
        let lexicon = Lexicon::from_text("without", &LetterDistribution::english(), &words.join("\n")).unwrap();
        let rows = [1, 2, 3, 4, 5].map(|min_length| row_of(&lexicon, min_length));
        assert_eq!(rows, ["first [h 8] 54", "first [h 8] 54", "second [] 55", "first [h 8, n 7] 65", "first [n 7] 62"]);
    }

    #[test]
    fn sheets_hold_the_words_that_a_winner_needs() {
        let lexicon = Lexicon::builtin();
        let sheet = |min_length, fragment: &str| {
            let ghost = Ghost::solve(lexicon.graph(), min_length).unwrap();
            texts(&ghost.sheet(&letters(fragment), 99).unwrap())
        };
        assert_eq!(sheet(1, ""), "ha he hi hm ho huck hwan hyte");
        assert_eq!(sheet(4, "N"), "naan nekton ngultrum nirvanic nolo nuance nyctalopia");
        assert_eq!(sheet(5, "N"), "naysayer nekton ngultrum nirvanic nogged nuance nyctalopia");
        for (opening, word) in [("B", "bwana"), ("C", "cnida"), ("L", "llama"), ("T", "tchotchke"), ("Z", "zucchetto")] {
            assert_eq!(sheet(3, opening), word, "{opening}");
        }
    }

    #[test]
    fn small_games_can_be_followed_by_hand() {
        // A is a word; after Z the other player adds E, and both ZED and ZEE are words.
        let small = toy("A ZA ZED ZEE");
        let ghost = Ghost::solve(&small, 1).unwrap();
        assert!(!wins(&ghost, "") && wins(&ghost, "Z") && !wins(&ghost, "ZE"));
        assert_eq!(LetterDistribution::english().word_text(&[ghost.best_letter(&letters("Z")).unwrap().letter]), "E");
        assert_eq!(ghost.value(&letters("Z")).unwrap().plies, 2);
        // ZAD does not count, since ZA comes before it.
        let more = toy("A ZA ZAD ZED ZEE");
        let ghost = Ghost::solve(&more, 1).unwrap();
        assert!(!wins(&ghost, "") && wins(&ghost, "Z") && !wins(&ghost, "ZE"));
        assert_eq!(texts(&ghost.endings(&[], 9).unwrap()), "a za zed zee");
        // From three letters on it counts, and A leads nowhere.
        let ghost = Ghost::solve(&more, 3).unwrap();
        assert_eq!(texts(&ghost.endings(&[], 9).unwrap()), "zad zed zee");
        assert_eq!(ghost.value(&letters("A")), Err(GhostError::NoWord { letters: 1, min_length: 3 }));
    }

    #[test]
    fn a_long_word_is_lost_and_won_letter_by_letter() {
        let graph = toy("BRUSCHETTA BRUSH BRUSK BRUSQUE");
        let ghost = Ghost::solve(&graph, 1).unwrap();
        for fragment in ["BRUSC", "BRUSCHE", "BRUSCHETT"] {
            assert!(!wins(&ghost, fragment), "{fragment}");
        }
        for fragment in ["BRUS", "BRUSCH", "BRUSCHET"] {
            assert!(wins(&ghost, fragment), "{fragment}");
        }
    }

    #[test]
    fn a_loser_asks_the_question_that_is_hardest_to_answer() {
        // After A one answer of one wins, after B one of two.
        let graph = toy("AXY BXY BZ");
        let ghost = Ghost::solve(&graph, 1).unwrap();
        assert!(!wins(&ghost, ""));
        assert_eq!(LetterDistribution::english().word_text(&[ghost.best_letter(&[]).unwrap().letter]), "B");
    }

    #[test]
    fn fragments_and_lengths_that_are_none_are_told() {
        let graph = toy("CAT CATS DOG");
        let ghost = Ghost::solve(&graph, 1).unwrap();
        let error = |fragment: &str| ghost.value(&letters(fragment)).unwrap_err().to_string();
        assert_eq!(error("CATS"), "the first 3 letters are a word: the game ended there");
        assert_eq!(error("COT"), "no word of at least 1 letters begins with the first 2 letters");
        let length = |min_length| Ghost::solve(&graph, min_length).unwrap_err().to_string();
        assert_eq!(length(0), "the shortest words cannot have 0 letters, expected 1 to 21");
        assert_eq!(length(22), "the shortest words cannot have 22 letters, expected 1 to 21");
        assert_eq!(length(5), "the lexicon has no words of at least 5 letters");
    }
}
