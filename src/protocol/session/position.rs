//! Positions: setting them, playing on, taking back, drawing.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use super::{Game, Refusal, Session, error, error_at};
use crate::formats::cgp;
use crate::protocol::command::{PositionBase, PositionCommand, Word};
use crate::protocol::display::draw;
use crate::protocol::options::OptionName;
use crate::protocol::parse::shown;
use crate::protocol::reply::{ErrorCode, Reply};
use crate::protocol::resources::{Loaded, Request};
use crate::rules::game::{ChallengeRule, Turn};
use crate::rules::notation::{apply_move, parse_move};
use crate::rules::scoring::score_placement;
use crate::rules::{GameRules, Position, Rack};
use std::sync::Arc;

/// The board of a position that names none.
const DEFAULT_LAYOUT: &str = "standard15";

impl Session {
    /// `position`: all of it, or nothing.
    pub(super) fn set_position(&mut self, command: &PositionCommand) -> Result<(), Refusal> {
        let (mut history, lexicon) = match &command.base {
            PositionBase::Start => (vec![Position::start(Arc::new(self.rules(None, None)?))], None),
            PositionBase::Cgp(text) => self.read_cgp(text)?,
            PositionBase::Gcg { path, turn } => self.read_game(path, *turn)?,
        };
        let lexicon = match lexicon {
            Some(name) => self.position_lexicon(name, history.last())?,
            None => None,
        };
        for (index, word) in command.moves.iter().enumerate() {
            let Some(position) = history.last() else { break };
            match word.text.get(..5).filter(|head| head.eq_ignore_ascii_case("rack.")) {
                Some(head) => {
                    if index + 1 < command.moves.len() {
                        return error_at(ErrorCode::BadMove, word, "rack. can only stand at the end of the moves");
                    }
                    let tiles = word.text.get(head.len()..).unwrap_or_default();
                    let tiles = Word { text: tiles.to_string(), column: word.column + head.len() };
                    let next = with_rack(position, &tiles)?;
                    if let Some(last) = history.last_mut() {
                        *last = next;
                    }
                }
                None => history.push(after_move(position, word)?),
            }
        }
        for word in &command.unknown {
            self.print(Reply::Ignored(word.text.clone()));
        }
        self.game = Some(Game { history, lexicon });
        Ok(())
    }

    /// The usual rules with what the options and a position's opcodes name.
    fn rules(&self, distribution: Option<&str>, layout: Option<&str>) -> Result<GameRules, Refusal> {
        let as_position = |refusal: Refusal| refusal.with_code(ErrorCode::BadPosition);
        let distribution = match distribution {
            Some(name) => self.distribution(name).map_err(as_position)?,
            None => self.distribution(self.options.text(OptionName::LetterDistribution))?,
        };
        let layout = self.layout(layout.unwrap_or(DEFAULT_LAYOUT)).map_err(as_position)?;
        let mut rules = GameRules::standard(distribution, layout);
        // The options hold no other words than those that are read here.
        rules.variant = cgp::parse_variant(self.options.text(OptionName::Variant)).unwrap_or_default();
        rules.challenge_rule = cgp::parse_challenge_rule(self.options.text(OptionName::ChallengeRule)).unwrap_or_default();
        Ok(rules)
    }

    fn read_cgp(&mut self, text: &Word) -> Result<(Vec<Position>, Option<String>), Refusal> {
        // Columns in its errors are to count from the beginning of the line.
        let padded = format!("{}{}", " ".repeat(text.column - 1), text.text);
        let bad = |error: cgp::CgpError| Refusal::Error(ErrorCode::BadPosition, error.to_string());
        let (opcodes, _) = cgp::parse_opcodes(&padded).map_err(bad)?;
        let rules = self.rules(opcodes.letter_distribution.as_deref(), opcodes.board_name.as_deref())?;
        let parsed = cgp::parse(&padded, &rules).map_err(bad)?;
        for opcode in parsed.ignored {
            self.print(Reply::Ignored(opcode));
        }
        Ok((vec![parsed.position], parsed.opcodes.lexicon))
    }

    fn read_game(&self, path: &Word, turn: Option<usize>) -> Result<(Vec<Position>, Option<String>), Refusal> {
        let rules = Arc::new(self.rules(None, None)?);
        let key = ("game", format!("{} turn {turn:?}", path.text));
        let loaded = self.resource(key, || Request::Game { path: path.text.clone(), turn, rules });
        match loaded.map_err(|refusal| refusal.with_code(ErrorCode::BadPosition))? {
            Loaded::Game(game) => Ok((game.positions.clone(), game.lexicon.clone())),
            _ => error_at(ErrorCode::BadPosition, path, "this is not a game"),
        }
    }

    /// The lexicon that a position names. One that is not there is said to be ignored: the position can be searched without it.
    fn position_lexicon(&mut self, name: String, position: Option<&Position>) -> Result<Option<String>, Refusal> {
        let current = self.options.text(OptionName::Lexicon);
        let Some(position) = position.filter(|_| !name.eq_ignore_ascii_case(current)) else {
            return Ok(None);
        };
        match self.lexicon(&name, &position.rules().distribution) {
            Ok(_) => Ok(Some(name)),
            Err(Refusal::Error(_, text)) => {
                let current = current.to_string();
                self.print(Reply::Ignored(format!("lex {name}: {text}; {current} is used")));
                Ok(None)
            }
            Err(missing) => Err(missing),
        }
    }

    /// `rack <tiles>`.
    pub(super) fn set_rack(&mut self, tiles: &Word) -> Result<(), Refusal> {
        let next = with_rack(self.current()?, tiles)?;
        if let Some(position) = self.game.as_mut().and_then(|game| game.history.last_mut()) {
            *position = next;
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
        let turn = parse_move(&word.text, &position).map(|text| text.turn);
        let distribution = &position.rules().distribution;
        if let Ok(Turn::Play(crate::rules::Play::Place(placement))) = turn
            && let Ok(scored) = score_placement(position.rules(), position.board(), &placement)
        {
            let words = scored.words.iter().map(|formed| formed.letters());
            let wrong: Vec<String> =
                words.filter(|letters| !lexicon.graph().contains(letters)).map(|letters| distribution.word_text(&letters)).collect();
            let is_void = position.rules().challenge_rule == ChallengeRule::Void;
            if !wrong.is_empty() && is_void {
                return error_at(ErrorCode::BadMove, word, format!("not in {}: {}", lexicon.name(), wrong.join(" ")));
            }
            if !wrong.is_empty() {
                self.say(format!("play {} forms words that are not in {}: {}", word.text, lexicon.name(), wrong.join(" ")));
            }
        }
        let mover = position.on_turn();
        let gained = after.score(mover) - position.score(mover);
        let next = if after.end().is_some() { "the game is over".to_string() } else { format!("player {} to move", after.on_turn() + 1) };
        self.say(format!("play {} scores {gained}, {} - {}, {next}", word.text, after.score(0), after.score(1)));
        if let Some(game) = &mut self.game {
            game.history.push(after);
        }
        Ok(())
    }

    /// `undo`.
    pub(super) fn undo(&mut self) -> Result<(), Refusal> {
        self.current()?;
        match &mut self.game {
            Some(game) if game.history.len() > 1 => {
                game.history.pop();
                Ok(())
            }
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

/// The position with another rack for the player on turn.
fn with_rack(position: &Position, tiles: &Word) -> Result<Position, Refusal> {
    let distribution = &position.rules().distribution;
    let rack: Rack = match distribution.parse_tiles(&tiles.text) {
        Ok(tiles) => tiles.into_iter().collect(),
        Err(error) => {
            let (column, found) = (tiles.column + error.column - 1, shown(&error.found));
            let text = format!("column {column}: {found} is not a tile of the {} alphabet (? is a blank)", error.alphabet);
            return super::error(ErrorCode::BadPosition, text);
        }
    };
    let mut next = position.clone();
    match next.state_rack(&rack) {
        Ok(()) => Ok(next),
        Err(error) => error_at(ErrorCode::BadPosition, tiles, error),
    }
}

fn after_move(position: &Position, word: &Word) -> Result<Position, Refusal> {
    let at = |error: &dyn std::fmt::Display| Refusal::Error(ErrorCode::BadMove, format!("column {}: {error}", word.column));
    let text = parse_move(&word.text, position).map_err(|error| at(&error))?;
    apply_move(position, &text).map_err(|error| at(&error))
}
