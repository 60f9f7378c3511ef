//! Commands on positions: set them, state what is known of the racks, show them. Not here:
//! turns (`turns.rs`).

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::cgp;
use crate::formats::gcg::{self, FileNote, Gcg, GcgAction, GcgError};
use crate::formats::suggest::nearest;
use crate::protocol::command::{PositionBase, PositionCommand, Word};
use crate::protocol::display::{position_lines, rules_lines};
use crate::protocol::options::OptionName;
use crate::protocol::parse::shown;
use crate::protocol::reply::{ErrorCode, ErrorReply, SessionReply};
use crate::protocol::resources::{GameFile, GameRequest, RecordedGame, ResourceRequest};
use crate::protocol::session::history::{GameHistory, PastTurn, PositionData};
use crate::protocol::session::refusal::{Refusal, bad_tile, error, error_at, move_at};
use crate::protocol::session::state::Session;
use crate::rules::grammar::Span;
use crate::rules::{DeadBoard, GameRules, Play, Position, Rack, Turn, Variant};
use crate::search::board_life;
use std::sync::Arc;

/// Data that a position names itself, instead of the options.
#[derive(Default)]
struct NamedData {
    distribution: Option<Word>,
    layout: Option<Word>,
    variant: Option<Variant>,
}

/// The position with which a `position` begins.
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
                Opened { history: GameHistory::new(start, self.position_data(NamedData::default())), lexicon: None }
            }
            PositionBase::Cgp(text) => self.read_cgp(text)?,
            PositionBase::Gcg { path, turn } => {
                let rules = Arc::new(self.rules(&NamedData::default())?);
                let request = GameRequest { path: path.text.clone(), turn: *turn, rules };
                let game = self.resources.game(request).map_err(|refusal| refusal.with_code(ErrorCode::BadPosition).at(path))?;
                self.recorded(&game, path)?
            }
            PositionBase::Record { text, turn } => {
                let game = RecordedGame::read(text.text.as_bytes(), &self.rules(&NamedData::default())?, *turn);
                self.recorded(&game.or_else(|wrong| error_at(ErrorCode::BadPosition, text, wrong.to_string()))?, text)?
            }
        };
        // The lexicon is requested before the moves are played, since a missing resource restarts the command.
        if let Some(name) = lexicon {
            history.data.lexicon = self.position_lexicon(name, history.current())?;
        }
        for (index, word) in command.moves.iter().enumerate() {
            match word.text.get(..5).filter(|head| head.eq_ignore_ascii_case("rack.")) {
                Some(head) => {
                    if index + 1 < command.moves.len() {
                        return error_at(ErrorCode::BadMove, word, "rack.<tiles> can only be the last word of the moves");
                    }
                    let tiles = word.text.get(head.len()..).unwrap_or_default();
                    let tiles = Word { text: tiles.to_string(), column: word.column + head.len() };
                    *history.current_mut() = with_rack(history.current(), &tiles, Whose::Mover)?;
                }
                None => {
                    let made = move_at(history.current(), word)?;
                    history.take(made).or_else(|wrong| error_at(ErrorCode::BadMove, word, format!("{}: {wrong}", word.text)))?;
                }
            }
        }
        refuse_mistyped_moves(&command.unknown)?;
        if history.current().rules().dead_board == DeadBoard::EndsGame {
            let name = history.data.lexicon.as_deref().unwrap_or(self.options.text(OptionName::Lexicon));
            let lexicon = self.lexicon(name, &history.current().rules().distribution)?;
            board_life::end_if_dead(history.current_mut(), &lexicon);
        }
        for word in &command.unknown {
            self.print(SessionReply::Ignored(word.text.clone()));
        }
        if let Some(told) = self.told.take() {
            match told.ending_in(&history) {
                Some(joined) => history = joined,
                None => self.print(SessionReply::Ignored("history: it does not lead to this position".to_string())),
            }
        }
        self.is_out = false;
        self.game = Some(history);
        Ok(())
    }

    /// `history <event> | <event>...`: the game so far, as the player on turn knows it, for the next position. Without events it states
    /// nothing.
    pub(super) fn tell_history(&mut self, text: &Word) -> Result<(), Refusal> {
        let rules = self.rules(&NamedData::default())?;
        let lines: Vec<&str> = text.text.split('|').map(str::trim).collect();
        self.told = None;
        if !lines.iter().any(|line| line.starts_with('>')) {
            return Ok(());
        }
        let bad = |wrong: GcgError| {
            // A line of the record is an event of this command.
            let message = wrong.to_string().replacen("line ", "event ", 1);
            Refusal::from(ErrorReply::new(ErrorCode::BadPosition, message).at(text.column))
        };
        let mut game = gcg::read_file(lines.join("\n").as_bytes(), &rules).map_err(bad)?;
        if let Some(wrong) = game.unread {
            return Err(bad(wrong));
        }
        hide_unseen(&mut game.game);
        let replay = gcg::replay(&game.game, &rules, None).map_err(bad)?;
        let game = RecordedGame { game: game.game, replay, notes: Vec::new() };
        self.told = GameHistory::of_record(&game, self.position_data(NamedData::default()));
        Ok(())
    }

    /// Returns the names of a position's data, except the words.
    fn position_data(&self, named: NamedData) -> PositionData {
        let or_option = |name: Option<Word>, option: &str| name.map_or_else(|| option.to_string(), |name| name.text);
        let variant = named.variant.unwrap_or_else(|| self.options.variant());
        PositionData {
            distribution: or_option(named.distribution, self.options.letters(variant)),
            layout: or_option(named.layout, self.options.layout(variant)),
            lexicon: None,
        }
    }

    /// Returns the usual rules with the data that a position names, or else the options.
    fn rules(&self, named: &NamedData) -> Result<GameRules, Refusal> {
        // A wrong name in a position is an error in the position. The names in options were checked when they were set.
        let bad_name = |refusal: Refusal, name: &Word| refusal.with_code(ErrorCode::BadPosition).at(name);
        // Only for the names of data. An opcode also changes the variant itself, with an error that names its place.
        let variant = named.variant.unwrap_or_else(|| self.options.variant());
        let distribution = match &named.distribution {
            Some(name) => self.resources.distribution(&name.text).map_err(|refusal| bad_name(refusal, name))?,
            None => self.resources.distribution(self.options.letters(variant))?,
        };
        let layout = match &named.layout {
            Some(name) => self.resources.layout(&name.text).map_err(|refusal| bad_name(refusal, name))?,
            None => self.resources.layout(self.options.layout(variant))?,
        };
        // The options accept only words that can be read: see the test below.
        let rules = GameRules::builder(distribution, layout)
            .variant(self.options.variant())
            .dead_board(if self.options.text(OptionName::DeadBoard) == "ends_game" { DeadBoard::EndsGame } else { DeadBoard::PlaysOn })
            .challenge_rule(cgp::parse_challenge_rule(self.options.text(OptionName::ChallengeRule)).unwrap_or_default())
            .build();
        rules.or_else(|wrong| error(ErrorCode::BadPosition, wrong.to_string()))
    }

    fn read_cgp(&mut self, text: &Word) -> Result<Opened, Refusal> {
        // With the padding, the columns in its errors count from the beginning of the line.
        let padded = format!("{}{}", " ".repeat(text.column - 1), text.text);
        let bad = |wrong: cgp::CgpError| {
            let column = wrong.place().map_or(text.column, |place| place.column);
            Refusal::from(ErrorReply::new(ErrorCode::BadPosition, wrong.without_place()).at(column))
        };
        let word = |span: Span<'_>| Word { text: span.text().to_string(), column: span.place().column };
        // The opcodes come first, since they name the alphabet and the board for reading the rest.
        let operations = cgp::locate_opcodes(&padded).map_err(bad)?;
        let (distribution, layout) = (operations.letter_distribution.map(word), operations.board_name.map(word));
        let named = NamedData { distribution, layout, variant: operations.opcodes.variant };
        let rules = self.rules(&named)?;
        let parsed = cgp::parse(&padded, &rules).map_err(bad)?;
        refuse_mistyped_moves(&operations.ignored.into_iter().map(word).collect::<Vec<_>>())?;
        for opcode in parsed.ignored {
            self.print(SessionReply::Ignored(opcode));
        }
        let history = GameHistory::new(parsed.position, self.position_data(named)).behind(parsed.opcodes.last_move);
        Ok(Opened { history, lexicon: parsed.opcodes.lexicon })
    }

    /// Prints the notes on a game that was read, and returns its history.
    fn recorded(&mut self, game: &RecordedGame, place: &Word) -> Result<Opened, Refusal> {
        for FileNote { line, text } in &game.notes {
            let line = line.map_or_else(String::new, |line| format!("line {line} "));
            self.say(format!("note {line}{text}"));
        }
        match GameHistory::of_record(game, self.position_data(NamedData::default())) {
            Some(history) => Ok(Opened { history, lexicon: game.game.lexicon().map(String::from) }),
            None => error_at(ErrorCode::BadPosition, place, "this game has no position"),
        }
    }

    /// Returns the lexicon that a position names. A missing one is reported as ignored, since the position can be searched without it.
    fn position_lexicon(&mut self, name: String, position: &Position) -> Result<Option<String>, Refusal> {
        let current = self.options.text(OptionName::Lexicon);
        if name.eq_ignore_ascii_case(current) {
            return Ok(None);
        }
        match self.lexicon(&name, &position.rules().distribution) {
            Ok(_) => Ok(Some(name)),
            Err(Refusal::Error(ErrorReply { message, .. })) => {
                let current = current.to_string();
                // Not as an ignored word, which ucgi does not print: the sender must know which words are used.
                self.say(format!("ignored lex {name}: {message}; {current} is used"));
                Ok(None)
            }
            Err(missing) => Err(missing),
        }
    }

    /// `rack <tiles>`, `opprack <tiles>`.
    pub(super) fn set_rack(&mut self, whose: Whose, tiles: &Word) -> Result<(), Refusal> {
        let next = with_rack(self.current()?, tiles, whose)?;
        self.is_out &= whose == Whose::Opponent;
        if let Some(game) = &mut self.game {
            *game.current_mut() = next;
        }
        Ok(())
    }

    /// `d`.
    pub(super) fn display(&mut self) -> Result<(), Refusal> {
        let position = Box::new(self.current()?.clone());
        let last = self.game.as_ref().and_then(|game| game.turns().last()).and_then(|turn| match &turn.made.turn {
            Turn::Play(Play::Place(placement)) => Some(Box::new(*placement)),
            _ => None,
        });
        let lines = position_lines(&position);
        self.print(SessionReply::Board { position, last });
        lines.into_iter().for_each(|line| self.say(line));
        self.say_cgp()
    }

    /// Returns the size of a full rack, in the position or else by the options.
    pub(super) fn rack_size(&self) -> Result<usize, Refusal> {
        match &self.game {
            Some(game) => Ok(game.current().rules().rack_size),
            None => Ok(self.rules(&NamedData::default())?.rack_size),
        }
    }

    /// `rules`: those of the position, or else those of the options.
    pub(super) fn say_rules(&mut self) -> Result<(), Refusal> {
        let lines = match &self.game {
            Some(game) => rules_lines(game.current().rules()),
            None => rules_lines(&self.rules(&NamedData::default())?),
        };
        lines.into_iter().for_each(|line| self.say(line));
        Ok(())
    }

    /// `turns`.
    pub(super) fn say_turns(&mut self) -> Result<(), Refusal> {
        self.current()?;
        let Some(game) = &self.game else { return Ok(()) };
        let facts = |(number, turn): (usize, &PastTurn)| format!("turn {number} {} cgp {}", turn.facts(), self.cgp_of(&turn.before, None));
        let turns: Vec<String> = (1..).zip(game.turns()).map(facts).collect();
        self.say(format!("turns {}", turns.len()));
        turns.into_iter().for_each(|turn| self.say(turn));
        Ok(())
    }

    /// `cgp`.
    pub(super) fn say_cgp(&mut self) -> Result<(), Refusal> {
        let text = self.cgp_of(self.current()?, self.game.as_ref().and_then(GameHistory::last_move));
        self.say(format!("cgp {text}"));
        Ok(())
    }

    /// Returns a position of the game as a CGP.
    fn cgp_of(&self, position: &Position, last_move: Option<String>) -> String {
        let game = self.game.as_ref();
        let lexicon = game.and_then(|game| game.data.lexicon.as_deref()).unwrap_or(self.options.text(OptionName::Lexicon));
        let opcodes = cgp::Opcodes {
            board_name: game.map(|game| game.data.layout.clone()),
            letter_distribution: game.map(|game| game.data.distribution.clone()),
            lexicon: Some(lexicon.to_string()),
            last_move,
            ..cgp::Opcodes::of_rules(position.rules())
        };
        cgp::print(position, &opcodes)
    }

    /// `gcg [<file>]`.
    pub(super) fn record(&mut self, file: Option<&Word>) -> Result<(), Refusal> {
        self.current()?;
        let Some(game) = &self.game else { return Ok(()) };
        let lexicon = game.data.lexicon.as_deref().unwrap_or(self.options.text(OptionName::Lexicon));
        let Some(text) = game.gcg(lexicon) else {
            let text = "the beginning of the game is unknown: send its moves from the empty board on, as position startpos moves <move>...";
            return error(ErrorCode::BadPosition, text);
        };
        let lines = text.lines().count();
        let Some(file) = file else {
            self.say(format!("gcg lines {lines}"));
            text.lines().for_each(|line| self.say(line));
            return Ok(());
        };
        let request = ResourceRequest::GameFile(GameFile { path: file.text.clone(), text });
        self.resources.done(request).map_err(|refusal| refusal.at(file))?;
        self.say(format!("gcg lines {lines} file {}", file.text));
        Ok(())
    }
}

/// Refuses a `position` with an unknown word that probably means `moves`. If it were skipped, the position before the moves would be
/// searched.
fn refuse_mistyped_moves(unknown: &[Word]) -> Result<(), Refusal> {
    match unknown.iter().find(|word| nearest(&word.text, ["moves"]).is_some()) {
        Some(word) => error_at(ErrorCode::BadPosition, word, format!("unexpected {}, did you mean moves?", shown(&word.text))),
        None => Ok(()),
    }
}

/// Removes from a game the tiles that the opponent exchanged or held on a pass, since the player whose rack is stated at the end of the
/// game has not seen them. Programs write some tiles there because the format demands them.
fn hide_unseen(game: &mut Gcg) {
    let viewer = match game.racks {
        [Some(_), None] => 0,
        [None, Some(_)] => 1,
        _ => return,
    };
    for event in game.events.iter_mut().filter(|event| event.player != viewer) {
        match event.action {
            GcgAction::Exchange(tiles) => event.action = GcgAction::ExchangeUnknown(tiles.len()),
            GcgAction::ExchangeUnknown(_) | GcgAction::Pass => {}
            _ => continue,
        }
        event.rack = Rack::EMPTY;
    }
}

/// The player whose rack is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// The player on turn.
    Mover,
    /// The other player.
    Opponent,
}

/// Returns the position with another rack for one of the players.
fn with_rack(position: &Position, tiles: &Word, whose: Whose) -> Result<Position, Refusal> {
    let distribution = &position.rules().distribution;
    let rack: Rack = match distribution.parse_tiles(&tiles.text) {
        Ok(tiles) => tiles.into_iter().collect(),
        Err(bad) => return bad_tile(ErrorCode::BadPosition, tiles, &bad, " (? is a blank)"),
    };
    let mut next = position.clone();
    let stated = match whose {
        Whose::Mover => next.state_rack(&rack),
        Whose::Opponent => next.set_rack(next.on_turn().opponent(), &rack),
    };
    match stated {
        Ok(()) => Ok(next),
        Err(wrong) => error_at(ErrorCode::BadPosition, tiles, wrong.to_string()),
    }
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
