//! The alphabet of a game with its tiles: faces, counts, values and vowels,
//! read and written as text.
//!
//! Not here: the file format (`formats/letter_distribution.rs`), which builds a [`LetterDistribution`] from
//! [`TileSpec`]s. Start with [`LetterDistribution::new`].

use crate::rules::letter_set::LetterSet;
use crate::rules::tiles::{Letter, MAX_LETTERS, Placed, Tile};
use thiserror::Error;

/// One kind of tile, as a distribution file lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileSpec {
    /// How the tile is written, upper case, without brackets: `A`, `CH`.
    pub face: String,
    /// How a blank that stands for it is written: `a`, `ch`. For the blank itself the same as `face`.
    pub blank_face: String,
    /// Tiles of this kind in a full bag.
    pub count: u8,
    /// Points, within [`TileSpec::VALUES`].
    pub value: i32,
    /// Whether it is a vowel (for leave heuristics and the opening adjustment, not for scoring).
    pub is_vowel: bool,
}

impl TileSpec {
    /// The points that a tile may have: move generation keeps the sum of a lane full of them in 16 bits.
    pub const VALUES: std::ops::RangeInclusive<i32> = 0..=1000;
}

/// Why a list of tiles is not an alphabet.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum DistributionError {
    /// More letters than fit a letter set.
    #[error("the alphabet has {found} letters, but at most {MAX_LETTERS} are possible")]
    TooManyLetters {
        /// Letters listed.
        found: usize,
    },
    /// Nothing but blanks.
    #[error("the alphabet has no letters")]
    Empty,
    /// A face that cannot be read back.
    #[error("the face {face:?} cannot be used: {reason}")]
    BadFace {
        /// The face as given.
        face: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A value too large for the generator, which would then disagree with the referee.
    #[error("{face:?} has {found} points, expected {} to {}", TileSpec::VALUES.start(), TileSpec::VALUES.end())]
    BadValue {
        /// The tile's face.
        face: String,
        /// Its points.
        found: i32,
    },
}

/// Why a text is not a sequence of tiles.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[error("column {column}: {found:?} is not a tile of the {alphabet} alphabet")]
pub struct TileTextError {
    /// 1-based column, in characters, of the first character that could not be read.
    pub column: usize,
    /// That character or bracketed group.
    pub found: String,
    /// Name of the letter distribution.
    pub alphabet: String,
}

/// An alphabet with the number and value of its tiles. Immutable once built.
///
/// ```
/// use tilewright::rules::distribution::TileSpec;
/// use tilewright::rules::{LetterDistribution, Tile};
///
/// let tile = |face: &str, blank_face: &str, count, value, is_vowel| TileSpec {
///     face: face.to_string(),
///     blank_face: blank_face.to_string(),
///     count,
///     value,
///     is_vowel,
/// };
/// let blank = tile("?", "?", 2, 0, false);
/// let letters = vec![tile("A", "a", 12, 1, true), tile("CH", "ch", 1, 5, false)];
/// let spanish = LetterDistribution::new("mini", blank, letters)?;
/// assert_eq!((spanish.total(), spanish.letter_count(), spanish.count(Tile::BLANK)), (15, 2, 2));
///
/// // On a rack `?` is the blank. On the board a blank is written as the letter it stands for, in lower case.
/// let rack = spanish.parse_tiles("[CH]A?")?;
/// assert_eq!(rack.iter().map(|&tile| spanish.value(tile)).sum::<i32>(), 6);
/// let word = spanish.parse_placed("[CH]a[ch]")?;
/// assert_eq!(word.iter().map(|&tile| spanish.placed_value(tile)).sum::<i32>(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetterDistribution {
    name: String,
    /// Index 0 is the blank, then the letters in alphabet order.
    specs: Vec<TileSpec>,
}

impl LetterDistribution {
    /// Builds an alphabet: `blank` is the blank's entry, `letters` the letters in alphabet order (this order numbers them).
    ///
    /// # Errors
    /// No letters, more than [`MAX_LETTERS`], values outside [`TileSpec::VALUES`], or faces that are empty, repeated or contain one of
    /// `[ ] ? . / ; , #`, a digit, white space or a control character.
    pub fn new(name: &str, blank: TileSpec, letters: Vec<TileSpec>) -> Result<LetterDistribution, DistributionError> {
        if letters.is_empty() {
            return Err(DistributionError::Empty);
        }
        if letters.len() > MAX_LETTERS {
            return Err(DistributionError::TooManyLetters { found: letters.len() });
        }
        let mut seen = std::collections::HashSet::new();
        for spec in &letters {
            for face in [&spec.face, &spec.blank_face] {
                let bad = |reason| Err(DistributionError::BadFace { face: face.clone(), reason });
                if face.is_empty() {
                    return bad("it is empty");
                }
                if face.chars().any(|c| "[]?./;,#".contains(c) || c.is_ascii_digit() || c.is_whitespace() || c.is_control()) {
                    return bad("it contains a character that has another meaning in positions, moves or files");
                }
                if !seen.insert(face.clone()) {
                    return bad("it is used twice (a letter and its blank need different faces)");
                }
            }
        }
        let mut specs = vec![blank];
        specs.extend(letters);
        if let Some(spec) = specs.iter().find(|spec| !TileSpec::VALUES.contains(&spec.value)) {
            return Err(DistributionError::BadValue { face: spec.face.clone(), found: spec.value });
        }
        Ok(LetterDistribution { name: name.to_string(), specs })
    }

    /// Name, as in the CGP opcode `ld`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Number of letters, without the blank.
    pub fn letter_count(&self) -> usize {
        self.specs.len() - 1
    }

    /// Whether both have the same tiles: faces, counts, values and vowels. Names are not compared.
    pub fn has_same_tiles(&self, other: &LetterDistribution) -> bool {
        self.specs == other.specs
    }

    /// The faces of the letters in alphabet order.
    pub fn faces(&self) -> impl Iterator<Item = &str> {
        self.specs.iter().skip(1).map(|spec| spec.face.as_str())
    }

    /// The number of the first letter at which two alphabets differ: in its face, or because only one of them has it. `None` if both
    /// have the same letters in the same order. Counts and values of tiles are not compared.
    ///
    /// ```
    /// use tilewright::rules::LetterDistribution;
    ///
    /// let [english, french, german, spanish] = ["english", "french", "german", "spanish"].map(|name| LetterDistribution::built_in(name).expect("it is carried"));
    /// assert_eq!(english.first_difference(&french), None);
    /// assert_eq!(english.first_difference(&german), Some(2), "Ä comes after A");
    /// assert_eq!(english.first_difference(&spanish), Some(4), "CH comes after C");
    /// ```
    pub fn first_difference(&self, other: &LetterDistribution) -> Option<usize> {
        let (mut own, mut others) = (self.faces(), other.faces());
        (1..=self.letter_count().max(other.letter_count())).find(|_| own.next() != others.next())
    }

    /// The letters in alphabet order.
    pub fn letters(&self) -> impl Iterator<Item = Letter> + '_ {
        (1..self.specs.len()).filter_map(|number| Letter::new(number as u8))
    }

    /// The blank, then the letters in alphabet order.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        (0..self.specs.len()).filter_map(Tile::from_index)
    }

    /// Tiles of this kind in a full bag; 0 for a tile that the alphabet lacks.
    pub fn count(&self, tile: Tile) -> u8 {
        self.specs.get(tile.index()).map_or(0, |spec| spec.count)
    }

    /// Tiles in a full bag.
    pub fn total(&self) -> usize {
        self.specs.iter().map(|spec| spec.count as usize).sum()
    }

    /// Points of a tile on a rack.
    ///
    /// # Panics
    /// If the alphabet lacks the tile.
    pub fn value(&self, tile: Tile) -> i32 {
        self.specs[tile.index()].value
    }

    /// Points of a tile on the board: a blank keeps the blank's value.
    ///
    /// # Panics
    /// If the alphabet lacks the letter of a tile that is not a blank.
    pub fn placed_value(&self, placed: Placed) -> i32 {
        self.value(placed.rack_tile())
    }

    /// Whether the letter is a vowel.
    ///
    /// # Panics
    /// If the alphabet lacks the letter.
    pub fn is_vowel(&self, letter: Letter) -> bool {
        self.specs[letter.index()].is_vowel
    }

    /// The vowels.
    pub fn vowels(&self) -> LetterSet {
        self.letters().filter(|&letter| self.is_vowel(letter)).collect()
    }

    /// The entry of a tile.
    ///
    /// # Panics
    /// If the alphabet lacks the tile.
    pub fn spec(&self, tile: Tile) -> &TileSpec {
        &self.specs[tile.index()]
    }

    /// Writes a rack tile: `A`, `?`, `[CH]`. A tile that the alphabet lacks is written by its number, `[#29]`, which no alphabet reads.
    pub fn write_tile(&self, tile: Tile, out: &mut String) {
        if tile.is_blank() { out.push('?') } else { self.write_letter(tile.index(), |spec| &spec.face, out) }
    }

    /// Writes a tile on the board: `A`, `a` for a blank, `[CH]`, `[ch]`. A tile that the alphabet lacks is written by its number, `[#29]`.
    pub fn write_placed(&self, placed: Placed, out: &mut String) {
        let face: fn(&TileSpec) -> &String = if placed.is_blank() { |spec| &spec.blank_face } else { |spec| &spec.face };
        self.write_letter(placed.letter().index(), face, out);
    }

    fn write_letter(&self, number: usize, face: impl Fn(&TileSpec) -> &String, out: &mut String) {
        match self.specs.get(number) {
            Some(spec) => write_face(face(spec), out),
            None => write_face(&format!("#{number}"), out),
        }
    }

    /// Writes several rack tiles.
    pub fn tiles_text(&self, tiles: impl IntoIterator<Item = Tile>) -> String {
        let mut out = String::new();
        for tile in tiles {
            self.write_tile(tile, &mut out);
        }
        out
    }

    /// Writes a word with capital faces, so that [`LetterDistribution::parse_word`] reads it back: a letter that would be taken for a part
    /// of a longer one is written in brackets, `[C]H`.
    pub fn word_text(&self, word: &[Letter]) -> String {
        let mut text = String::new();
        let has_long = self.long_letters().next().is_some();
        for &letter in word.iter().rev() {
            let mut face = String::new();
            self.write_placed(Placed::tile(letter), &mut face);
            let length = face.len();
            text.insert_str(0, &face);
            if has_long && self.longest_letter(&text).is_some_and(|(_, longest)| longest > length) {
                text.insert(length, ']');
                text.insert(0, '[');
            }
        }
        text
    }

    /// Reads tiles as they lie on the board: capitals are tiles, small letters are blanks, `[CH]` is one tile.
    ///
    /// # Errors
    /// The column and text of the first thing that is not a tile.
    pub fn parse_placed(&self, text: &str) -> Result<Vec<Placed>, TileTextError> {
        self.scan(text, |face| self.placed_of_face(face))
    }

    /// Reads a row of a board: tiles as they lie there, `.` for an empty square.
    ///
    /// # Errors
    /// The column and text of the first thing that is neither.
    pub fn parse_squares(&self, text: &str) -> Result<Vec<Option<Placed>>, TileTextError> {
        self.scan(text, |face| if face == "." { Some(None) } else { self.placed_of_face(face).map(Some) })
    }

    /// Reads rack tiles: letters in either case, `?` for the blank, `[CH]` for one tile. A digit stands for a letter of several characters:
    /// in Spanish 1 is CH, 2 LL and 3 RR.
    ///
    /// # Errors
    /// The column and text of the first thing that is not a tile.
    pub fn parse_tiles(&self, text: &str) -> Result<Vec<Tile>, TileTextError> {
        self.scan(text, |face| {
            if face == "?" {
                return Some(Tile::BLANK);
            }
            self.letter_of_face(face).map(Tile::from)
        })
    }

    /// Reads a word without blanks, in either case. As the rules of these games demand, letters of several characters are tried first: in
    /// Spanish both `CALLE` and `CA[LL]E` have the tile LL. A letter in brackets stands for itself, as in `CA[L]LE`.
    ///
    /// ```
    /// use tilewright::rules::LetterDistribution;
    ///
    /// let spanish = LetterDistribution::built_in("spanish").expect("it is carried");
    /// let word = spanish.parse_word("Calle")?;
    /// assert_eq!((word.len(), spanish.word_text(&word)), (4, "CA[LL]E".to_string()));
    /// let word = spanish.parse_word("CA[L]LE")?;
    /// assert_eq!((word.len(), spanish.word_text(&word)), (5, "CA[L]LE".to_string()));
    /// # Ok::<(), tilewright::rules::distribution::TileTextError>(())
    /// ```
    ///
    /// # Errors
    /// The column and text of the first thing that is not a letter.
    pub fn parse_word(&self, text: &str) -> Result<Vec<Letter>, TileTextError> {
        self.scan_pieces(text, |piece| self.word_letter(piece))
    }

    /// Reads the letters of a word, as [`LetterDistribution::parse_word`] does, with `?` for the blank.
    ///
    /// # Errors
    /// The column and text of the first thing that is not a tile.
    pub fn parse_word_tiles(&self, text: &str) -> Result<Vec<Tile>, TileTextError> {
        self.scan_pieces(text, |piece| match piece {
            Piece::Rest(rest) if rest.starts_with('?') => Some((Tile::BLANK, 1)),
            _ => self.word_letter(piece).map(|(letter, length)| (letter.into(), length)),
        })
    }

    fn word_letter(&self, piece: Piece<'_>) -> Option<(Letter, usize)> {
        match piece {
            Piece::Group(face) => self.longest_letter(face).filter(|&(_, length)| length == face.len()),
            Piece::Rest(rest) => self.longest_letter(rest),
        }
    }

    /// The longest letter that a text begins with, in either case, and its length in bytes.
    fn longest_letter(&self, text: &str) -> Option<(Letter, usize)> {
        let longest = self.letters().filter_map(|letter| {
            let spec = &self.specs[letter.index()];
            let read = [&spec.face, &spec.blank_face].into_iter().filter_map(|face| beginning(text, face)).max()?;
            Some((read, letter))
        });
        let longest = longest.max().map(|((length, _), letter)| (letter, length));
        longest.or_else(|| self.numbered(text.get(..1)?).map(|letter| (letter, 1)))
    }

    fn placed_of_face(&self, face: &str) -> Option<Placed> {
        let placed = self.letters().find_map(|letter| {
            let spec = &self.specs[letter.index()];
            if spec.face == face {
                Some(Placed::tile(letter))
            } else if spec.blank_face == face {
                Some(Placed::blank(letter))
            } else {
                None
            }
        });
        placed.or_else(|| self.numbered(face).map(Placed::tile))
    }

    fn letter_of_face(&self, face: &str) -> Option<Letter> {
        let letter = self.letters().find(|letter| {
            let spec = &self.specs[letter.index()];
            spec.face == face || spec.blank_face == face
        });
        letter.or_else(|| self.numbered(face))
    }

    /// The letter of several characters that a digit stands for: in Spanish 1 is CH, 2 LL and 3 RR, in the order of the alphabet.
    fn numbered(&self, face: &str) -> Option<Letter> {
        let number: usize = face.parse().ok().filter(|_| face.len() == 1)?;
        self.long_letters().nth(number.checked_sub(1)?)
    }

    /// The letters of several characters.
    fn long_letters(&self) -> impl Iterator<Item = Letter> {
        self.letters().filter(|letter| self.specs[letter.index()].face.chars().nth(1).is_some())
    }

    /// Reads a text piece by piece: each is one character, or a group in brackets.
    fn scan<T>(&self, text: &str, read: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, TileTextError> {
        self.scan_pieces(text, |piece| {
            let face = match piece {
                Piece::Group(face) => face,
                Piece::Rest(rest) => rest.split_at(first_length(rest)).0,
            };
            read(face).map(|item| (item, face.len()))
        })
    }

    /// Reads a text from the left. `read` returns an item and how many bytes of the piece it takes.
    fn scan_pieces<T>(&self, text: &str, read: impl Fn(Piece<'_>) -> Option<(T, usize)>) -> Result<Vec<T>, TileTextError> {
        let mut result = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let group = rest.strip_prefix('[').and_then(|inner| inner.find(']').map(|end| &inner[..end]));
            let (found, length) = match group {
                Some(face) => (read(Piece::Group(face)), face.len() + 2),
                None => {
                    let found = read(Piece::Rest(rest));
                    let length = found.as_ref().map_or_else(|| first_length(rest), |&(_, length)| length);
                    (found, length)
                }
            };
            let Some((item, _)) = found else {
                let column = text[..text.len() - rest.len()].chars().count() + 1;
                return Err(TileTextError { column, found: rest[..length].to_string(), alphabet: self.name.clone() });
            };
            result.push(item);
            rest = &rest[length..];
        }
        Ok(result)
    }
}

/// The next piece of a text of tiles.
#[derive(Clone, Copy)]
enum Piece<'t> {
    /// The text in brackets.
    Group(&'t str),
    /// Everything from here on.
    Rest(&'t str),
}

/// The length of the first character, in bytes.
fn first_length(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

/// How many bytes at the beginning of a text are a face, and whether they match its case. A face of several characters may be in either
/// case, as in `Llama`.
fn beginning(text: &str, face: &str) -> Option<(usize, bool)> {
    if text.starts_with(face) {
        return Some((face.len(), true));
    }
    let mut characters = face.chars();
    let (first, second) = (characters.next()?, characters.next()?);
    let mut rest = text.chars();
    let mut is_next = |wanted: char| rest.next().is_some_and(|found| found == wanted || found.to_lowercase().eq(wanted.to_lowercase()));
    let is_face = is_next(first) && is_next(second) && characters.all(&mut is_next);
    is_face.then(|| (text.len() - rest.as_str().len(), false))
}

fn write_face(face: &str, out: &mut String) {
    if face.chars().nth(1).is_some() {
        out.push('[');
        out.push_str(face);
        out.push(']');
    } else {
        out.push_str(face);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::LetterDistribution;

    #[test]
    fn a_tile_has_as_many_points_as_a_byte_holds() {
        let tile = |face: &str, blank_face: &str, value| TileSpec {
            face: face.to_string(),
            blank_face: blank_face.to_string(),
            count: 1,
            value,
            is_vowel: false,
        };
        let build = |value| LetterDistribution::new("t", tile("?", "?", 0), vec![tile("A", "a", value)]).map(|_| ());
        assert_eq!([0, 1000].map(build), [Ok(()), Ok(())]);
        assert_eq!(build(1001).unwrap_err().to_string(), "\"A\" has 1001 points, expected 0 to 1000");
        assert_eq!(build(-1).unwrap_err(), DistributionError::BadValue { face: "A".to_string(), found: -1 });
    }

    #[test]
    fn words_are_read_with_their_longest_letters_and_written_so_that_they_read_back() {
        let check = |alphabet: &str, text: &str, letters: usize, written: &str| {
            let alphabet = LetterDistribution::built_in(alphabet).unwrap();
            let word = alphabet.parse_word(text).unwrap();
            assert_eq!((word.len(), alphabet.word_text(&word).as_str()), (letters, written), "{text}");
            assert_eq!(alphabet.parse_word(written).unwrap(), word);
        };
        check("spanish", "perro", 4, "PE[RR]O");
        check("spanish", "Llama", 4, "[LL]AMA");
        check("spanish", "lLAMA", 4, "[LL]AMA");
        check("spanish", "[Ll]aMa", 4, "[LL]AMA");
        check("spanish", "CHOCHO", 4, "[CH]O[CH]O");
        check("spanish", "CHO[C]HO", 5, "[CH]O[C]HO");
        check("spanish", "C[H]OCO", 5, "[C]HOCO");
        check("spanish", "LLL", 2, "[LL]L");
        check("spanish", "L[LL]", 2, "L[LL]");
        check("spanish", "[L][L]L", 3, "L[L]L");
        check("catalan", "col\u{b7}legi", 6, "CO[L\u{b7}L]EGI");
        check("catalan", "canya", 4, "CA[NY]A");
        check("catalan", "QUE", 2, "[QU]E");
        check("polish", "żółw", 4, "ŻÓŁW");
        let message = |text: &str| LetterDistribution::built_in("catalan").unwrap().parse_word(text).unwrap_err().to_string();
        assert_eq!(message("quk"), "column 3: \"k\" is not a tile of the catalan alphabet");
        assert_eq!(message("CA[NYA]"), "column 3: \"[NYA]\" is not a tile of the catalan alphabet");
        // Digits stand for letters of several characters where there are any.
        check("spanish", "1O1O", 4, "[CH]O[CH]O");
        check("spanish", "ca2e", 4, "CA[LL]E");
        check("catalan", "3E", 2, "[QU]E");
        let rack = |alphabet: &str| {
            LetterDistribution::built_in(alphabet).map(|letters| letters.parse_tiles("13A").map(|tiles| letters.tiles_text(tiles)))
        };
        assert_eq!(rack("spanish"), Some(Ok("[CH][RR]A".to_string())));
        assert_eq!(rack("english").unwrap().unwrap_err().column, 1);
        assert_eq!(LetterDistribution::built_in("spanish").unwrap().parse_tiles("A4").unwrap_err().column, 2);
        // Blanks are read where tiles are asked for; on racks, characters without brackets are tiles of one letter each.
        let spanish = LetterDistribution::built_in("spanish").unwrap();
        assert_eq!(spanish.tiles_text(spanish.parse_word_tiles("CALL?").unwrap()), "CA[LL]?");
        assert_eq!(spanish.parse_tiles("CALLE").unwrap().len(), 5);
    }
}
