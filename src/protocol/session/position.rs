//! Positions: setting them, playing on, taking back, drawing.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::cgp;
use crate::lexicon::Lexicon;
use crate::lexicon::word_list::AnagramUse;
use crate::protocol::command::{PositionBase, PositionCommand, Word};
use crate::protocol::display::draw;
use crate::protocol::options::OptionName;
use crate::protocol::parse::shown;
use crate::protocol::reply::{ErrorCode, SessionReply};
use crate::protocol::resources::GameRequest;
use crate::protocol::session::mistakes::refuse_mistyped_moves;
use crate::protocol::session::refusal::{Refusal, error, error_at};
use crate::protocol::session::state::{GameHistory, Session};
use crate::rules::notation::{apply_move, parse_move};
use crate::rules::scoring::score_placement;
use crate::rules::variant::WordRule;
use crate::rules::{ChallengeRule, GameRules, Letter, Play, Position, Rack, Tile, Turn, Variant};
use std::sync::Arc;

/// Data that a position names itself, instead of the options.
#[derive(Default)]
struct NamedData {
    distribution: Option<String>,
    layout: Option<String>,
}

/// Where a `position` begins.
struct Opened {
    history: GameHistory,
    /// The lexicon that it names, not loaded yet.
    lexicon: Option<String>,
}

impl Session {
    /// `position`: all of it, or nothing.
    pub(super) fn set_position(&mut self, command: &PositionCommand) -> Result<(), Refusal> {
        let Opened { mut history, lexicon } = match &command.base {
            PositionBase::Start => {
                let start = Position::start(Arc::new(self.rules(&NamedData::default())?));
                Opened { history: GameHistory::new(start), lexicon: None }
            }
            PositionBase::Cgp(text) => self.read_cgp(text)?,
            PositionBase::Gcg { path, turn } => self.read_game(path, *turn)?,
        };
        // The lexicon is asked for before the moves are played: a resource that is missing begins the command again.
        if let Some(name) = lexicon {
            history.lexicon = self.position_lexicon(name, history.current())?;
        }
        for (index, word) in command.moves.iter().enumerate() {
            match word.text.get(..5).filter(|head| head.eq_ignore_ascii_case("rack.")) {
                Some(head) => {
                    if index + 1 < command.moves.len() {
                        return error_at(ErrorCode::BadMove, word, "rack. can only stand at the end of the moves");
                    }
                    let tiles = word.text.get(head.len()..).unwrap_or_default();
                    let tiles = Word { text: tiles.to_string(), column: word.column + head.len() };
                    *history.current_mut() = with_rack(history.current(), &tiles)?;
                }
                None => history.push(after_move(history.current(), word)?),
            }
        }
        refuse_mistyped_moves(&command.unknown)?;
        for word in &command.unknown {
            self.print(SessionReply::Ignored(word.text.clone()));
        }
        self.game = Some(history);
        Ok(())
    }

    /// The usual rules with the data that a position names, and what the options say where it names none.
    fn rules(&self, named: &NamedData) -> Result<GameRules, Refusal> {
        // A name in a position that leads nowhere makes the position a bad one; an option was tried when it was set.
        let as_position = |refusal: Refusal| refusal.with_code(ErrorCode::BadPosition);
        let distribution = match &named.distribution {
            Some(name) => self.resources.distribution(name).map_err(as_position)?,
            None => self.resources.distribution(self.options.text(OptionName::LetterDistribution))?,
        };
        let layout = match &named.layout {
            Some(name) => self.resources.layout(name).map_err(as_position)?,
            None => self.resources.layout(self.options.text(OptionName::Layout))?,
        };
        // The options take only words that can be read: see the test below.
        let rules = GameRules::builder(distribution, layout)
            .variant(Variant::from_name(self.options.text(OptionName::Variant)).unwrap_or_default())
            .challenge_rule(cgp::parse_challenge_rule(self.options.text(OptionName::ChallengeRule)).unwrap_or_default())
            .build();
        rules.map_err(|error| Refusal::Error(ErrorCode::BadPosition, error.to_string()))
    }

    fn read_cgp(&mut self, text: &Word) -> Result<Opened, Refusal> {
        // Columns in its errors are to count from the beginning of the line.
        let padded = format!("{}{}", " ".repeat(text.column - 1), text.text);
        let bad = |error: cgp::CgpError| Refusal::Error(ErrorCode::BadPosition, error.to_string());
        // The opcodes first: they name the alphabet and the board that the rest is read with.
        let (opcodes, _) = cgp::parse_opcodes(&padded).map_err(bad)?;
        let rules = self.rules(&NamedData { distribution: opcodes.letter_distribution, layout: opcodes.board_name })?;
        let parsed = cgp::parse(&padded, &rules).map_err(bad)?;
        refuse_mistyped_moves(&opcode_words(text, &parsed.ignored))?;
        for opcode in parsed.ignored {
            self.print(SessionReply::Ignored(opcode));
        }
        Ok(Opened { history: GameHistory::new(parsed.position), lexicon: parsed.opcodes.lexicon })
    }

    fn read_game(&self, path: &Word, turn: Option<usize>) -> Result<Opened, Refusal> {
        let rules = Arc::new(self.rules(&NamedData::default())?);
        let request = GameRequest { path: path.text.clone(), turn, rules };
        let game = self.resources.game(request).map_err(|refusal| refusal.with_code(ErrorCode::BadPosition))?;
        match GameHistory::of_positions(game.positions.clone()) {
            Some(history) => Ok(Opened { history, lexicon: game.lexicon.clone() }),
            None => error_at(ErrorCode::BadPosition, path, "this game has no position"),
        }
    }

    /// The lexicon that a position names. One that is not there is said to be ignored: the position can be searched without it.
    fn position_lexicon(&mut self, name: String, position: &Position) -> Result<Option<String>, Refusal> {
        let current = self.options.text(OptionName::Lexicon);
        if name.eq_ignore_ascii_case(current) {
            return Ok(None);
        }
        match self.lexicon(&name, &position.rules().distribution) {
            Ok(_) => Ok(Some(name)),
            Err(Refusal::Error(_, text)) => {
                let current = current.to_string();
                // Not as an ignored word, of which ucgi says nothing: who sends the position is to know whose words are played.
                self.say(format!("ignored lex {name}: {text}; {current} is used"));
                Ok(None)
            }
            Err(missing) => Err(missing),
        }
    }

    /// `rack <tiles>`.
    pub(super) fn set_rack(&mut self, tiles: &Word) -> Result<(), Refusal> {
        let next = with_rack(self.current()?, tiles)?;
        if let Some(game) = &mut self.game {
            *game.current_mut() = next;
        }
        Ok(())
    }

    /// `play <move>`: a move as a player makes it, held to the words where the rules do that.
    pub(super) fn play(&mut self, word: &Word) -> Result<(), Refusal> {
        let position = self.current()?.clone();
        if position.end().is_some() {
            return error(ErrorCode::BadMove, "the game is over: say undo, or position for another one");
        }
        let lexicon = self.knowledge()?.lexicon;
        let after = after_move(&position, word)?;
        let phonies = phonies(&position, word, &lexicon);
        if !phonies.is_empty() {
            let wrong = format!("not in {}: {}", lexicon.name(), phonies.join(" "));
            if position.rules().challenge_rule == ChallengeRule::Void {
                return error_at(ErrorCode::BadMove, word, wrong);
            }
            self.say(format!("play {} forms words that are {wrong}", word.text));
        }
        let mover = position.on_turn();
        let gained = after.score(mover) - position.score(mover);
        let next = if after.end().is_some() { "the game is over".to_string() } else { format!("player {} to move", after.on_turn() + 1) };
        self.say(format!("play {} scores {gained}, {} - {}, {next}", word.text, after.score(0), after.score(1)));
        if let Some(game) = &mut self.game {
            game.push(after);
        }
        Ok(())
    }

    /// `undo`.
    pub(super) fn undo(&mut self) -> Result<(), Refusal> {
        self.current()?;
        match self.game.as_mut().map(GameHistory::undo) {
            Some(true) => Ok(()),
            _ => error(ErrorCode::BadMove, "there is no move to take back"),
        }
    }

    /// `d`.
    pub(super) fn display(&mut self) -> Result<(), Refusal> {
        for line in draw(self.current()?) {
            self.say(line);
        }
        Ok(())
    }
}

/// Opcodes with their places in the line.
fn opcode_words(position: &Word, opcodes: &[String]) -> Vec<Word> {
    let column = |name: &str| position.text.find(name).map_or(0, |at| position.text.get(..at).unwrap_or_default().chars().count());
    opcodes.iter().map(|name| Word { text: name.clone(), column: position.column + column(name) }).collect()
}

/// The position with another rack for the player on turn.
fn with_rack(position: &Position, tiles: &Word) -> Result<Position, Refusal> {
    let distribution = &position.rules().distribution;
    let rack: Rack = match distribution.parse_tiles(&tiles.text) {
        Ok(tiles) => tiles.into_iter().collect(),
        Err(bad) => {
            let (column, found) = (tiles.column + bad.column - 1, shown(&bad.found));
            let text = format!("column {column}: {found} is not a tile of the {} alphabet (? is a blank)", bad.alphabet);
            return error(ErrorCode::BadPosition, text);
        }
    };
    let mut next = position.clone();
    match next.state_rack(&rack) {
        Ok(()) => Ok(next),
        Err(error) => error_at(ErrorCode::BadPosition, tiles, error),
    }
}

/// The words that a placement forms and that are none by the position's variant; none for other moves.
fn phonies(position: &Position, word: &Word, lexicon: &Lexicon) -> Vec<String> {
    let rules = position.rules();
    let turn = parse_move(&word.text, position).map(|text| text.turn);
    let Ok(Turn::Play(Play::Place(placement))) = turn else {
        return Vec::new();
    };
    let Ok(scored) = score_placement(rules, position.board(), &placement) else {
        return Vec::new();
    };
    let is_word = |letters: &[Letter]| match rules.variant.words() {
        WordRule::InOrder => lexicon.graph().contains(letters),
        WordRule::AnyOrder => {
            let tiles: Rack = letters.iter().copied().map(Tile::from).collect();
            lexicon.list().anagrams(&tiles, AnagramUse::AllTiles, 1).total > 0
        }
    };
    let formed = scored.words.iter().map(|formed| formed.letters());
    formed.filter(|letters| !is_word(letters)).map(|letters| rules.distribution.word_text(&letters)).collect()
}

fn after_move(position: &Position, word: &Word) -> Result<Position, Refusal> {
    let at = |error: &dyn std::fmt::Display| Refusal::Error(ErrorCode::BadMove, format!("column {}: {error}", word.column));
    let text = parse_move(&word.text, position).map_err(|error| at(&error))?;
    apply_move(position, &text).map_err(|error| at(&error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::options::{OptionKind, TABLE};

    #[test]
    fn every_word_of_the_rule_options_can_be_read() {
        let words = |option| match TABLE.iter().find(|row| row.option == option).unwrap().kind {
            OptionKind::Combo { words, .. } => words,
            other => panic!("{other:?}"),
        };
        for word in words(OptionName::Variant) {
            assert!(Variant::from_name(word).is_some(), "{word}");
        }
        for word in words(OptionName::ChallengeRule) {
            assert!(cgp::parse_challenge_rule(word).is_some(), "{word}");
        }
    }
}
