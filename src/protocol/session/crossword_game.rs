//! The commands that only the Crossword Game Protocol has. Its `position`, `rack` and `go` are those of the other dialects.
//!
//! A named resource that is missing leads to one of the protocol's own errors, such as `unsupported_lexicon`, and changes nothing. Not
//! here: how lines are read (`protocol/crossword_game.rs`). Start with [`Session::crossword_game`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::engine::tables::CatalogEntry;
use crate::lexicon::Lexicon;
use crate::lexicon::pattern::Pattern;
use crate::protocol::command::{CrosswordGameCommand, Dialect, Word};
use crate::protocol::options::{OptionName, OptionValue};
use crate::protocol::reply::{ErrorReply, SessionReply};
use crate::protocol::resources::NamesRequest;
use crate::protocol::session::refusal::Refusal;
use crate::protocol::session::state::{Session, SessionState};
use crate::rules::{LetterDistribution, Tile, Variant};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The protocol's name for the classic game.
const STANDARD: &str = "standard";

impl Session {
    /// Carries out a command of the protocol.
    pub(super) fn crossword_game(&mut self, command: &CrosswordGameCommand) -> Result<(), Refusal> {
        match command {
            CrosswordGameCommand::Setup { variant, lexicon, tileset } => {
                self.set_up(variant.as_ref(), lexicon.as_ref(), tileset.as_ref())?;
            }
            CrosswordGameCommand::Ready => self.crossword_game_ready()?,
            CrosswordGameCommand::Ping => self.answer("pong".to_string()),
            CrosswordGameCommand::NoRack => {
                self.current()?;
                self.is_out = true;
            }
            CrosswordGameCommand::Unseen(counts) => self.check_unseen(counts.as_ref())?,
            CrosswordGameCommand::Lexicons => {
                let names = self.names(NamesRequest::Lexicons(self.current_distribution()?))?;
                self.answer(format!("lexicons {}", names.join(" ")));
            }
            CrosswordGameCommand::Variants => self.answer(format!("variants {}", variants().join(" "))),
            CrosswordGameCommand::Tilesets => {
                let names = self.names(NamesRequest::Distributions)?;
                self.answer(format!("tilesets {}", names.join(" ")));
            }
            CrosswordGameCommand::LexiconSample { lexicon, count } => self.sample_lexicon(lexicon, *count)?,
            CrosswordGameCommand::LexiconCheck { lexicon, words } => self.check_lexicon(lexicon, words)?,
            CrosswordGameCommand::Tileset(name) => {
                let Some(distribution) = self.named_tileset(name)? else { return Ok(()) };
                self.print(SessionReply::CrosswordGame(tile_lines(&distribution)));
            }
            CrosswordGameCommand::TilesetCheck { tileset, tiles } => self.check_tileset(tileset, tiles)?,
        }
        Ok(())
    }

    /// `cgp`: prints the name and the choices. From now on answers are in this protocol.
    pub(super) fn open_crossword_game(&mut self) -> Result<(), Refusal> {
        let current = self.options.text(OptionName::Lexicon).to_string();
        let lexicons = match self.names(NamesRequest::Lexicons(self.current_distribution()?)) {
            Err(Refusal::Error(_)) => vec![current.clone()],
            names => names?,
        };
        let combo = |name: &str, default: &str, words: &[String]| {
            let words: String = words.iter().map(|word| format!(" var {word}")).collect();
            format!("option name {name} type combo default {default}{words}")
        };
        let tileset = self.options.letters(self.options.variant()).to_string();
        self.dialect = Dialect::CrosswordGame;
        self.print(SessionReply::CrosswordGame(vec![
            "name Tilewright".to_string(),
            "author the Tilewright authors".to_string(),
            format!("version {}", env!("CARGO_PKG_VERSION")),
            combo("Variant", name_of(self.options.variant()), &variants()),
            combo("Lexicon", &current, &lexicons),
            combo("TileSet", &tileset, std::slice::from_ref(&tileset)),
            "cgpok".to_string(),
        ]));
        Ok(())
    }

    fn answer(&mut self, line: String) {
        self.print(SessionReply::CrosswordGame(vec![line]));
    }

    /// Prints an error of the protocol: its code, the word that is wrong, and the reason.
    fn answer_error(&mut self, code: &str, word: &Word, why: &str) {
        self.answer(format!("error {code} {}: {why}", word.text));
    }

    /// Returns the names that can be written in one word.
    fn names(&self, request: NamesRequest) -> Result<Vec<String>, Refusal> {
        let entries = self.resources.names(request)?;
        let is_word = |entry: &&CatalogEntry| !entry.name.contains(char::is_whitespace);
        Ok(entries.iter().filter(is_word).map(|entry| entry.name.clone()).collect())
    }

    /// `setup`: all of it, or nothing. A lexicon that was chosen before, with `setoption`, stays.
    fn set_up(&mut self, variant: Option<&Word>, lexicon: Option<&Word>, tileset: Option<&Word>) -> Result<(), Refusal> {
        let mut options = self.options.clone();
        if let Some(word) = variant {
            let Some(variant) = variant_of(&word.text) else {
                self.answer_error("unsupported_variant", word, &format!("expected one of {}", variants().join(", ")));
                return Ok(());
            };
            options.set(OptionName::Variant, OptionValue::Text(variant.name().to_string()));
        }
        if let Some(word) = tileset {
            match self.resources.distribution(&word.text) {
                Err(Refusal::Error(ErrorReply { message, .. })) => {
                    self.answer_error("unsupported_tileset", word, &message);
                    return Ok(());
                }
                found => found?,
            };
            options.set(OptionName::LetterDistribution, OptionValue::Text(word.text.clone()));
        }
        if let Some(word) = lexicon.filter(|_| !self.is_lexicon_chosen) {
            let distribution = self.resources.distribution(options.letters(options.variant()))?;
            match self.lexicon(&word.text, &distribution) {
                Err(Refusal::Error(ErrorReply { message, .. })) => {
                    self.answer_error("unsupported_lexicon", word, &message);
                    return Ok(());
                }
                found => found?,
            };
            options.set(OptionName::Lexicon, OptionValue::Text(word.text.clone()));
        }
        self.options = options;
        self.answer("setupok".to_string());
        Ok(())
    }

    /// `ready`: as `isready`, but an error replaces the answer.
    fn crossword_game_ready(&mut self) -> Result<(), Refusal> {
        if matches!(self.state, SessionState::Idle) {
            match self.knowledge() {
                Err(Refusal::Error(ErrorReply { message, .. })) => {
                    self.answer(format!("error not_ready {message}"));
                    return Ok(());
                }
                found => found?,
            };
        }
        self.print(SessionReply::ReadyOk);
        Ok(())
    }

    /// `unseen`: compares the counts with those that follow from the board and the rack. Without a rack they are not compared.
    fn check_unseen(&mut self, counts: Option<&Word>) -> Result<(), Refusal> {
        let position = self.current()?;
        if position.mover_rack().is_empty() {
            return Ok(());
        }
        let distribution = Arc::clone(&position.rules().distribution);
        let name = |tile: Tile| distribution.tiles_text([tile]);
        let expected: BTreeMap<String, usize> = position.unseen().distinct().map(|(tile, count)| (name(tile), count.into())).collect();
        if counts.map_or(Some(BTreeMap::new()), |word| counted_tiles(&word.text, &distribution)).as_ref() != Some(&expected) {
            let text: String = expected.iter().map(|(tile, count)| format!("{count}{tile}")).collect();
            let text = if text.is_empty() { "none".to_string() } else { text };
            let word = counts.cloned().unwrap_or(Word { text: "none".to_string(), column: 1 });
            self.answer_error("bad_unseen", &word, &format!("expected {text}, by the board, the rack and the tile set"));
        }
        Ok(())
    }

    /// Returns the lexicon that a command names. If there is none, prints the error and returns `None`.
    fn named_lexicon(&mut self, name: &Word) -> Result<Option<Arc<Lexicon>>, Refusal> {
        let distribution = self.current_distribution()?;
        match self.lexicon(&name.text, &distribution) {
            Err(Refusal::Error(ErrorReply { message, .. })) => {
                self.answer_error("unknown_lexicon", name, &message);
                Ok(None)
            }
            found => found.map(Some),
        }
    }

    /// `lexiconsample`: the first words of the list.
    fn sample_lexicon(&mut self, name: &Word, count: usize) -> Result<(), Refusal> {
        let Some(lexicon) = self.named_lexicon(name)? else { return Ok(()) };
        let distribution = self.current_distribution()?;
        let Ok(any) = Pattern::parse("*", &distribution) else { return Ok(()) };
        let found = lexicon.list().matching(&any, count);
        let words = found.words.iter().map(|word| format!("word {}", distribution.word_text(word)));
        self.print(SessionReply::CrosswordGame(words.chain(["endlexiconsample".to_string()]).collect()));
        Ok(())
    }

    /// `lexiconcheck`. A text with other letters is not a word.
    fn check_lexicon(&mut self, name: &Word, words: &[Word]) -> Result<(), Refusal> {
        let Some(lexicon) = self.named_lexicon(name)? else { return Ok(()) };
        let distribution = self.current_distribution()?;
        let is_wrong = |word: &&Word| !distribution.parse_word(&word.text).is_ok_and(|letters| lexicon.graph().contains(&letters));
        let wrong: Vec<&str> = words.iter().filter(is_wrong).map(|word| word.text.as_str()).collect();
        self.answer(verdict("lexiconcheck", &wrong));
        Ok(())
    }

    /// Returns the tile set with this name, or that of the lexicon with this name. If there is none, prints the error and returns `None`.
    fn named_tileset(&mut self, name: &Word) -> Result<Option<Arc<LetterDistribution>>, Refusal> {
        let message = match self.resources.distribution(&name.text) {
            Err(Refusal::Error(ErrorReply { message, .. })) => message,
            found => return found.map(Some),
        };
        let current = self.current_distribution()?;
        match self.lexicon(&name.text, &current) {
            Err(Refusal::Error(_)) => {
                self.answer_error("unknown_tileset", name, &message);
                Ok(None)
            }
            found => found.map(|_| Some(current)),
        }
    }

    /// `tilesetcheck`.
    fn check_tileset(&mut self, name: &Word, tiles: &[Word]) -> Result<(), Refusal> {
        let Some(distribution) = self.named_tileset(name)? else { return Ok(()) };
        let lines = tile_lines(&distribution);
        let is_wrong = |word: &&Word| !lines.iter().any(|line| *line == format!("tile {}", word.text.replace(':', " ")));
        let wrong: Vec<&str> = tiles.iter().filter(is_wrong).map(|word| word.text.as_str()).collect();
        self.answer(verdict("tilesetcheck", &wrong));
        Ok(())
    }
}

fn verdict(command: &str, wrong: &[&str]) -> String {
    if wrong.is_empty() { format!("{command} ok") } else { format!("{command} no {}", wrong.join(" ")) }
}

/// A line a tile, the blank last.
fn tile_lines(distribution: &LetterDistribution) -> Vec<String> {
    let line = |tile: Tile| format!("tile {} {} {}", distribution.tiles_text([tile]), distribution.count(tile), distribution.value(tile));
    let (blank, letters): (Vec<Tile>, Vec<Tile>) = distribution.tiles().partition(|tile| tile.letter().is_none());
    letters.into_iter().chain(blank).map(line).chain(["endtileset".to_string()]).collect()
}

/// Returns the number of each tile, from numbers and tiles in turn, `9A2B1?`; `None` if the text is something else.
fn counted_tiles(text: &str, distribution: &LetterDistribution) -> Option<BTreeMap<String, usize>> {
    let mut counts = BTreeMap::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (number, after) = rest.split_at_checked(rest.find(|c: char| !c.is_ascii_digit())?)?;
        let (tile, after) = after.split_at_checked(after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len()))?;
        let [tile] = distribution.parse_tiles(tile).ok()?.try_into().ok()?;
        let count: usize = number.parse().ok()?;
        if count > 0 {
            let sum: &mut usize = counts.entry(distribution.tiles_text([tile])).or_default();
            *sum = sum.saturating_add(count);
        }
        rest = after;
    }
    Some(counts)
}

fn name_of(variant: Variant) -> &'static str {
    if variant == Variant::Classic { STANDARD } else { variant.name() }
}

fn variant_of(name: &str) -> Option<Variant> {
    if name.eq_ignore_ascii_case(STANDARD) { Some(Variant::Classic) } else { Variant::from_name(name) }
}

fn variants() -> Vec<String> {
    Variant::ALL.iter().map(|&variant| name_of(variant).to_string()).collect()
}
