//! GCG, the generic crossword game: a whole game as text, one pragma (`#`) or event (`>`) a line, as John Chew described it.
//!
//! Three steps, each of its own: [`parse`] reads the lines, [`replay()`] plays them by the rules and checks every stated score
//! and total, [`print()`] writes them. A referee writes a game with [`Gcg::new`] and the `push_` methods. Not here: whether the
//! words exist (`lexicon/`). This file holds a game as data with its reading and writing, `gcg/replay.rs` its playing through.
//!
//! ```text
//! >Ann: ACEIRTV 8D VICAR +24 24         a play; tiles played through as `.`, in parentheses, or as the letters they are
//! >Ben: AEFGHII -FGII +0 0              an exchange; `-4` if only the number is known
//! >Ann: BDELNTW - +0 24                 a pass
//! >Ben: AAEEHOT H7 O.HEA +16 16         a play and ...
//! >Ben: AAEEHOT -- -16 0                ... its withdrawal after a challenge
//! >Ann: BDELNTW (challenge) +5 29       points for being challenged in vain
//! >Ann: (QU) +22 301                    Ann went out, Ben kept QU
//! >Ben: QU (QU) -11 268                 the game ended by turns without points
//! >Ben: QU (time) -10 258               overtime
//! ```

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod replay;

pub use replay::{Replay, position_at, replay};

use crate::formats::cgp::{column_of, next_field, next_piece, shortened};
use crate::rules::board::{Direction, Square};
use crate::rules::distribution::LetterDistribution;
use crate::rules::game::{GameEnd, GameRules, Position, Seat, Turn, TurnError};
use crate::rules::layout::MAX_DIM;
use crate::rules::notation::{coordinate_text, parse_coordinate};
use crate::rules::play::Play;
use crate::rules::rack::Rack;
use crate::rules::scoring::{PlacementError, score_placement};
use crate::rules::tiles::{Placed, Tile};
use std::fmt::Write as _;
use std::sync::Arc;
use thiserror::Error;

/// Scores beyond this are refused, so that sums of them fit everywhere.
const MAX_POINTS: i32 = 999_999;

/// A game as it is written. Nothing in it has been checked against the rules: [`replay()`] does that.
#[derive(Clone, Debug, PartialEq)]
pub struct Gcg {
    /// The players, in the order of `#player1` and `#player2`.
    pub players: [Player; 2],
    /// `#character-encoding`.
    pub encoding: Option<String>,
    /// `#rack1` and `#rack2`: the players' tiles at the end of an unfinished game.
    pub racks: [Option<Rack>; 2],
    /// All other pragmas, notes too, in their order.
    pub pragmas: Vec<Pragma>,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// The alphabet that the tiles are written in.
    pub distribution: Arc<LetterDistribution>,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Player {
    /// One word without `:`; it begins the player's events.
    pub nick: String,
    /// The full name, empty if not given.
    pub name: String,
}

/// A line that begins with `#`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pragma {
    /// `title`, `lexicon`, `note` ..., as written.
    pub key: String,
    /// The text behind it. A note may have several lines.
    pub value: String,
    /// How many events stand before it.
    pub after_events: usize,
}

/// A line that begins with `>`.
#[derive(Clone, Debug)]
pub struct Event {
    /// Index of the player in [`Gcg::players`].
    pub player: usize,
    /// His rack before the event, as far as stated.
    pub rack: Rack,
    /// What happened.
    pub action: Action,
    /// Points of this event.
    pub points: i32,
    /// The player's total after it.
    pub total: i32,
    /// Text behind the total; some programs list the words there.
    pub remark: String,
    /// 1-based line in the text it was read from, 0 if it was not. Not compared by `==`.
    pub line: usize,
}

impl PartialEq for Event {
    fn eq(&self, other: &Event) -> bool {
        (self.player, &self.rack, &self.action, self.points, self.total, &self.remark)
            == (other.player, &other.rack, &other.action, other.points, other.total, &other.remark)
    }
}

/// What an event is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Tiles on the board.
    Place {
        /// First square of the main word.
        start: Square,
        /// Its direction.
        direction: Direction,
        /// The main word, a square each.
        word: Vec<WordCell>,
    },
    /// `-`: nothing, or a turn lost by a challenge.
    Pass,
    /// `-ABC`.
    Exchange(Rack),
    /// `-3`.
    ExchangeUnknown(usize),
    /// `--`: the play before is taken back.
    Withdrawn,
    /// `(challenge)`.
    ChallengeBonus,
    /// `(QU)` without a rack: what the other player kept when this one went out.
    OutBonus(Rack),
    /// `QU (QU)`: what this player kept when the game ended otherwise.
    RackLoss(Rack),
    /// `(time)`.
    TimePenalty,
}

/// A square of a main word as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordCell {
    /// A letter: placed, or on the board already.
    Tile(Placed),
    /// A letter in parentheses: on the board already.
    Through(Placed),
    /// `.`: on the board already.
    Dot,
}

/// Why a text is no GCG, or a GCG no game. Lines and columns count from 1.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum GcgError {
    /// Something else stands there than should.
    #[error("line {line}, column {column}: {found:?}, expected {expected}")]
    Syntax {
        /// The line.
        line: usize,
        /// Column of what is wrong.
        column: usize,
        /// What is wrong, empty at the end of a line.
        found: String,
        /// What is wanted.
        expected: &'static str,
    },
    /// Something that is no tile.
    #[error("line {line}, column {column}: {found:?} is not a tile of the {alphabet} alphabet")]
    BadTile {
        /// The line.
        line: usize,
        /// Its column.
        column: usize,
        /// The character or bracketed group.
        found: String,
        /// Name of the letter distribution.
        alphabet: String,
    },
    /// More tiles than a rack holds.
    #[error("line {line}, column {column}: {found} tiles, a rack holds {expected}")]
    RackTooLong {
        /// The line.
        line: usize,
        /// Column where the tiles begin.
        column: usize,
        /// Tiles found.
        found: usize,
        /// Tiles on a full rack.
        expected: usize,
    },
    /// A third name.
    #[error("line {line}, column {column}: {found:?} does not play, expected {expected}")]
    UnknownPlayer {
        /// The line.
        line: usize,
        /// Column of the name.
        column: usize,
        /// The name.
        found: String,
        /// The players.
        expected: String,
    },
    /// A pragma of which there can be one only.
    #[error("line {line}: {key} stands here for the second time")]
    Repeated {
        /// The line of the second one.
        line: usize,
        /// The pragma.
        key: String,
    },
    /// The other player is to move.
    #[error("line {line}: a turn of {found}, but {expected} is to move")]
    NotOnTurn {
        /// The line.
        line: usize,
        /// Who is to move.
        expected: String,
        /// Whose event this is.
        found: String,
    },
    /// Against the rules.
    #[error("line {line}: {error}")]
    Turn {
        /// The line.
        line: usize,
        /// Which rule.
        error: TurnError,
    },
    /// The stated points are wrong.
    #[error("line {line}: {found:+} points, by the rules {expected:+}")]
    Points {
        /// The line.
        line: usize,
        /// What the rules give.
        expected: i32,
        /// What is stated.
        found: i32,
    },
    /// The stated total is wrong.
    #[error("line {line}: a total of {found}, the points so far sum up to {expected}")]
    Total {
        /// The line.
        line: usize,
        /// The sum.
        expected: i32,
        /// What is stated.
        found: i32,
    },
    /// The tiles left at the end are others.
    #[error("line {line}: {found:?} left at the end, by the rules {expected:?}")]
    Leftover {
        /// The line.
        line: usize,
        /// Tiles by the rules.
        expected: String,
        /// Tiles stated.
        found: String,
    },
    /// An event where it cannot be.
    #[error("line {line}: {found} {reason}")]
    Misplaced {
        /// The line.
        line: usize,
        /// The event.
        found: &'static str,
        /// Why not here.
        reason: &'static str,
    },
    /// `#rack1` or `#rack2` cannot be.
    #[error("rack of {player} at the end: {error}")]
    FinalRack {
        /// Whose.
        player: String,
        /// Why not.
        error: TurnError,
    },
    /// A turn that is not in the game.
    #[error("no event {found}, the game has {expected}")]
    NoSuchTurn {
        /// The turn asked for.
        found: usize,
        /// Events in the game.
        expected: usize,
    },
}

/// The bytes of a GCG file as text: UTF-8 if they are that, else ISO 8859-1, which the format began with.
pub fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// Reads a game. Of the rules only the alphabet and the sizes of board and rack matter here.
///
/// # Errors
/// The line and column of the first thing that cannot be read.
pub fn parse(text: &str, rules: &GameRules) -> Result<Gcg, GcgError> {
    let unix = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
    let mut parser = Parser { game: Gcg::without_players(rules.distribution.clone()), in_note: false };
    for (index, line) in unix.lines().enumerate() {
        let reader = LineReader { line: index + 1, text: line, rules };
        let content = line.trim();
        match content.chars().next() {
            None => {}
            Some('#') => parser.pragma(&reader, content)?,
            Some('>') => parser.event(&reader, content)?,
            Some(_) => parser.note_goes_on(&reader, content)?,
        }
    }
    Ok(parser.finish())
}

/// Writes a game. [`parse`] gives it back.
pub fn print(game: &Gcg) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(text.trim_end());
        out.push('\n');
    };
    if let Some(encoding) = &game.encoding {
        line(format!("#character-encoding {encoding}"));
    }
    for (number, player) in (1..).zip(&game.players) {
        line(format!("#player{number} {} {}", player.nick, player.name));
    }
    for (number, rack) in (1..).zip(&game.racks) {
        if let Some(rack) = rack {
            line(format!("#rack{number} {}", rack.text(&game.distribution)));
        }
    }
    let mut pragmas = game.pragmas.iter().peekable();
    for events_before in 0..=game.events.len() {
        while let Some(pragma) = pragmas.next_if(|pragma| pragma.after_events <= events_before) {
            line(format!("#{} {}", pragma.key, pragma.value));
        }
        if let Some(event) = game.events.get(events_before) {
            line(event_text(game, event));
        }
    }
    for pragma in pragmas {
        line(format!("#{} {}", pragma.key, pragma.value));
    }
    out
}

impl Gcg {
    /// A game without events between two players; the first one is seat 0 of the positions that are pushed.
    ///
    /// Blanks and colons in a nick become `_`, an empty nick `player1`; the second of two equal nicks gets a `2`.
    pub fn new(players: [Player; 2], distribution: Arc<LetterDistribution>) -> Gcg {
        let mut game = Gcg::without_players(distribution);
        let [first, second] = players.map(|player| Player {
            nick: player.nick.trim().replace(|c: char| c.is_whitespace() || c == ':', "_"),
            name: one_line(&player.name),
        });
        let named =
            |player: Player, default: &str| if player.nick.is_empty() { Player { nick: default.to_string(), ..player } } else { player };
        let (first, mut second) = (named(first, "player1"), named(second, "player2"));
        if first.nick == second.nick {
            second.nick.push('2');
        }
        game.players = [first, second];
        game
    }

    /// The first value of a pragma, if there is one: `title`, `description`, `lexicon`, `id`.
    pub fn pragma(&self, key: &str) -> Option<&str> {
        self.pragmas.iter().find(|pragma| pragma.key.eq_ignore_ascii_case(key)).map(|pragma| pragma.value.as_str())
    }

    /// The lexicon's name, if stated.
    pub fn lexicon(&self) -> Option<&str> {
        self.pragma("lexicon")
    }

    /// Adds a pragma behind the events so far: before all of them `title` and the like, later a `note` on the last one.
    pub fn push_pragma(&mut self, key: &str, value: &str) {
        self.pragmas.push(Pragma { key: key.to_string(), value: one_line(value), after_events: self.events.len() });
    }

    /// Adds a play by the player on turn in `before`, who holds `rack`. Returns its points.
    ///
    /// # Errors
    /// Tiles that cannot be placed like this.
    pub fn push_play(&mut self, before: &Position, play: &Play, rack: &Rack) -> Result<i32, PlacementError> {
        let (action, points) = match play {
            Play::Pass => (Action::Pass, 0),
            Play::Exchange(tiles) => (Action::Exchange(*tiles), 0),
            Play::Place(placement) => {
                let word = placement.tiles().iter().map(|tile| tile.map_or(WordCell::Dot, WordCell::Tile)).collect();
                let score = score_placement(before.rules(), before.board(), placement)?.score;
                (Action::Place { start: placement.start, direction: placement.direction, word }, score)
            }
        };
        self.push(before.on_turn(), *rack, action, points);
        Ok(points)
    }

    /// Adds any turn: a play, an exchange of unknown tiles, a phony with its withdrawal. Returns its points.
    ///
    /// # Errors
    /// Tiles that cannot be placed like this.
    pub fn push_turn(&mut self, before: &Position, turn: &Turn, rack: &Rack) -> Result<i32, PlacementError> {
        match turn {
            Turn::Play(play) => self.push_play(before, play, rack),
            Turn::ExchangeUnknown(count) => {
                self.push(before.on_turn(), *rack, Action::ExchangeUnknown(*count), 0);
                Ok(0)
            }
            Turn::Phony(placement) => {
                let points = self.push_play(before, &Play::Place(*placement), rack)?;
                self.push(before.on_turn(), *rack, Action::Withdrawn, -points);
                Ok(0)
            }
        }
    }

    /// Adds points for a play that was challenged in vain (or taken from who challenged).
    pub fn push_challenge(&mut self, seat: Seat, rack: &Rack, points: i32) {
        self.push(seat, *rack, Action::ChallengeBonus, points);
    }

    /// Adds an overtime penalty, `points` below 0.
    pub fn push_time(&mut self, seat: Seat, rack: &Rack, points: i32) {
        self.push(seat, *rack, Action::TimePenalty, points);
    }

    /// Adds what the end of a game changes, as [`Ending`](crate::rules::Ending) has it: gains for going out, losses of racks.
    /// `end` is the position after the last turn; nothing is added if the game is not over or was ended by decree.
    pub fn push_end(&mut self, end: &Position) {
        let value = |rack: &Rack| rack.value(&end.rules().distribution);
        let ending = end.rules().ending;
        match end.end() {
            Some(GameEnd::WentOut(seat)) => {
                let rest = end.unknown().plus(end.rack(1 - seat));
                self.push(seat, Rack::EMPTY, Action::OutBonus(rest), ending.out_gain * value(&rest));
                if ending.out_loss != 0 {
                    self.push(1 - seat, rest, Action::RackLoss(rest), -ending.out_loss * value(&rest));
                }
            }
            Some(GameEnd::ZeroTurns) => {
                for seat in [end.on_turn(), 1 - end.on_turn()] {
                    let rack = *end.rack(seat);
                    if !rack.is_empty() {
                        self.push(seat, rack, Action::RackLoss(rack), -ending.stuck_loss * value(&rack));
                    }
                }
            }
            Some(GameEnd::Declared) | None => {}
        }
    }

    /// The total of a player after the last event.
    pub fn total(&self, player: usize) -> i32 {
        self.events.iter().rev().find(|event| event.player == player).map_or(0, |event| event.total)
    }

    fn push(&mut self, player: usize, rack: Rack, action: Action, points: i32) {
        let total = self.total(player) + points;
        self.events.push(Event { player, rack, action, points, total, remark: String::new(), line: 0 });
    }

    fn without_players(distribution: Arc<LetterDistribution>) -> Gcg {
        Gcg { players: Default::default(), encoding: None, racks: [None; 2], pragmas: Vec::new(), events: Vec::new(), distribution }
    }
}

fn one_line(text: &str) -> String {
    text.split(['\n', '\r']).map(str::trim).collect::<Vec<_>>().join(" ").trim().to_string()
}

fn event_text(game: &Gcg, event: &Event) -> String {
    let distribution = &game.distribution;
    let mut text = String::from(">");
    text.push_str(game.players.get(event.player).map_or("?", |player| player.nick.as_str()));
    text.push_str(": ");
    if !event.rack.is_empty() {
        text.push_str(&event.rack.text(distribution));
        text.push(' ');
    }
    match &event.action {
        Action::Place { start, direction, word } => {
            text.push_str(&coordinate_text(*start, *direction));
            text.push(' ');
            for cell in word {
                match cell {
                    WordCell::Dot => text.push('.'),
                    WordCell::Tile(tile) => distribution.write_placed(*tile, &mut text),
                    WordCell::Through(tile) => {
                        text.push('(');
                        distribution.write_placed(*tile, &mut text);
                        text.push(')');
                    }
                }
            }
        }
        Action::Pass => text.push('-'),
        Action::Exchange(tiles) => {
            text.push('-');
            text.push_str(&tiles.text(distribution));
        }
        Action::ExchangeUnknown(count) => {
            let _ = write!(text, "-{count}");
        }
        Action::Withdrawn => text.push_str("--"),
        Action::ChallengeBonus => text.push_str("(challenge)"),
        Action::TimePenalty => text.push_str("(time)"),
        Action::OutBonus(tiles) | Action::RackLoss(tiles) => {
            text.push('(');
            text.push_str(&tiles.text(distribution));
            text.push(')');
        }
    }
    let _ = write!(text, " {:+} {} {}", event.points, event.total, event.remark);
    text
}

/// Where in the text a message points.
struct LineReader<'a> {
    line: usize,
    text: &'a str,
    rules: &'a GameRules,
}

impl LineReader<'_> {
    fn syntax(&self, found: &str, expected: &'static str) -> GcgError {
        GcgError::Syntax { line: self.line, column: column_of(self.text, found), found: shortened(found), expected }
    }

    /// The end of the line where something is missing.
    fn missing(&self, expected: &'static str) -> GcgError {
        GcgError::Syntax { line: self.line, column: self.text.trim_end().chars().count() + 1, found: String::new(), expected }
    }

    fn bad_tile(&self, found: &str) -> GcgError {
        let alphabet = self.rules.distribution.name().to_string();
        GcgError::BadTile { line: self.line, column: column_of(self.text, found), found: shortened(found), alphabet }
    }

    fn rack(&self, text: &str) -> Result<Rack, GcgError> {
        let mut tiles: Vec<Tile> = Vec::new();
        let mut rest = text;
        while let Some(piece) = next_piece(&mut rest) {
            match self.rules.distribution.parse_tiles(piece).as_deref() {
                Ok(&[tile]) => tiles.push(tile),
                _ => return Err(self.bad_tile(piece)),
            }
        }
        let expected = self.rules.rack_size;
        if tiles.len() > expected {
            return Err(GcgError::RackTooLong { line: self.line, column: column_of(self.text, text), found: tiles.len(), expected });
        }
        Ok(tiles.into_iter().collect())
    }

    fn word(&self, text: &str) -> Result<Vec<WordCell>, GcgError> {
        let (mut rest, mut word, mut in_parentheses) = (text, Vec::new(), false);
        while let Some(piece) = next_piece(&mut rest) {
            match piece {
                "." => word.push(WordCell::Dot),
                "(" if !in_parentheses => in_parentheses = true,
                ")" if in_parentheses => in_parentheses = false,
                _ => match self.rules.distribution.parse_placed(piece).as_deref() {
                    Ok(&[tile]) if in_parentheses => word.push(WordCell::Through(tile)),
                    Ok(&[tile]) => word.push(WordCell::Tile(tile)),
                    _ => return Err(self.bad_tile(piece)),
                },
            }
            if word.len() > MAX_DIM {
                return Err(self.syntax(text, "a word that fits on a board"));
            }
        }
        if in_parentheses || word.is_empty() {
            return Err(self.syntax(text, "a word, its parentheses closed"));
        }
        Ok(word)
    }

    fn points(&self, text: Option<&str>, expected: &'static str) -> Result<i32, GcgError> {
        let text = text.ok_or_else(|| self.missing(expected))?;
        let number = text.parse().ok().filter(|number| (-MAX_POINTS..=MAX_POINTS).contains(number));
        number.ok_or_else(|| self.syntax(text, expected))
    }

    /// What happened, without rack and points. `rest` goes on behind `token`.
    fn action(&self, token: &str, rest: &mut &str, has_rack: bool) -> Result<Action, GcgError> {
        if let Some(tiles) = token.strip_prefix('-') {
            return Ok(match tiles {
                "" => Action::Pass,
                "-" => Action::Withdrawn,
                _ if tiles.starts_with(|c: char| c.is_ascii_digit()) => {
                    let expected = "a number of tiles on a rack";
                    let in_range = |count: &usize| (1..=self.rules.rack_size).contains(count);
                    Action::ExchangeUnknown(tiles.parse().ok().filter(in_range).ok_or_else(|| self.syntax(tiles, expected))?)
                }
                _ => Action::Exchange(self.rack(tiles)?),
            });
        }
        if let Some(inside) = token.strip_prefix('(') {
            let inside = inside.strip_suffix(')').ok_or_else(|| self.syntax(token, "a parenthesis that is closed"))?;
            return Ok(match inside {
                "challenge" => Action::ChallengeBonus,
                "time" => Action::TimePenalty,
                _ if has_rack => Action::RackLoss(self.rack(inside)?),
                _ => Action::OutBonus(self.rack(inside)?),
            });
        }
        let Some((start, direction)) = parse_coordinate(token) else {
            return Err(self.syntax(token, "a square (8D across, D8 down), -, --, -TILES, -NUMBER, (TILES), (challenge) or (time)"));
        };
        let dim = self.rules.layout.dim();
        if start.row as usize >= dim || start.col as usize >= dim {
            return Err(self.syntax(token, "a square of this board"));
        }
        let word = next_field(rest).ok_or_else(|| self.missing("the word"))?;
        Ok(Action::Place { start, direction, word: self.word(word)? })
    }
}

struct Parser {
    game: Gcg,
    /// Whether a line without `#` or `>` belongs to a note.
    in_note: bool,
}

impl Parser {
    fn pragma(&mut self, reader: &LineReader, content: &str) -> Result<(), GcgError> {
        let after_hash = content.strip_prefix('#').unwrap_or(content);
        let (key, value) = after_hash.split_at(after_hash.find(char::is_whitespace).unwrap_or(after_hash.len()));
        let value = value.trim();
        let lower = key.to_ascii_lowercase();
        self.in_note = lower == "note";
        let repeated = || Err(GcgError::Repeated { line: reader.line, key: format!("#{key}") });
        match lower.as_str() {
            "character-encoding" => match self.game.encoding.replace(value.to_string()) {
                Some(_) => repeated(),
                None => Ok(()),
            },
            "player1" | "player2" => {
                let mut rest = value;
                let nick = next_field(&mut rest).ok_or_else(|| reader.missing("a nick and a full name"))?;
                let [first, second] = &mut self.game.players;
                let (player, other) = if lower == "player1" { (first, second) } else { (second, first) };
                if !player.nick.is_empty() {
                    return repeated();
                }
                if nick == other.nick {
                    return Err(reader.syntax(nick, "another nick than the other player's"));
                }
                if nick.contains(':') {
                    return Err(reader.syntax(nick, "a nick without colon"));
                }
                *player = Player { nick: nick.to_string(), name: rest.trim().to_string() };
                Ok(())
            }
            "rack1" | "rack2" => {
                let rack = reader.rack(value)?;
                let [first, second] = &mut self.game.racks;
                match if lower == "rack1" { first } else { second }.replace(rack) {
                    Some(_) => repeated(),
                    None => Ok(()),
                }
            }
            _ => {
                let after_events = self.game.events.len();
                self.game.pragmas.push(Pragma { key: key.to_string(), value: value.to_string(), after_events });
                Ok(())
            }
        }
    }

    fn note_goes_on(&mut self, reader: &LineReader, content: &str) -> Result<(), GcgError> {
        match self.game.pragmas.last_mut().filter(|_| self.in_note) {
            Some(note) => {
                note.value.push('\n');
                note.value.push_str(content);
                Ok(())
            }
            None => {
                let at = reader.text.trim_start();
                Err(reader.syntax(at, "a line that begins with # or >"))
            }
        }
    }

    fn event(&mut self, reader: &LineReader, content: &str) -> Result<(), GcgError> {
        self.in_note = false;
        let after_mark = content.strip_prefix('>').unwrap_or(content);
        let Some((nick, mut rest)) = after_mark.split_once(':') else {
            return Err(reader.syntax(after_mark, "a nick followed by a colon"));
        };
        let player = self.player(reader, nick.trim())?;
        let expected = "a rack or what happened";
        let mut token = next_field(&mut rest).ok_or_else(|| reader.missing(expected))?;
        let mut rack = Rack::EMPTY;
        let has_rack = !token.starts_with(['-', '(']) && parse_coordinate(token).is_none();
        if has_rack {
            rack = reader.rack(token)?;
            token = next_field(&mut rest).ok_or_else(|| reader.missing("what happened"))?;
        }
        let action = reader.action(token, &mut rest, has_rack)?;
        let points_text = next_field(&mut rest);
        if let Some(unsigned) = points_text.filter(|text| !text.starts_with(['+', '-'])) {
            return Err(reader.syntax(unsigned, "points with + or -"));
        }
        let points = reader.points(points_text, "points with + or -")?;
        let total = reader.points(next_field(&mut rest), "the player's total")?;
        // Who went out gains, who did not loses: some programs write the rack where it is not needed, or leave it out.
        let action = match action {
            Action::RackLoss(tiles) if points > 0 => Action::OutBonus(tiles),
            Action::OutBonus(tiles) if points < 0 => Action::RackLoss(tiles),
            other => other,
        };
        self.game.events.push(Event { player, rack, action, points, total, remark: rest.trim().to_string(), line: reader.line });
        Ok(())
    }

    /// The index of a player; players that no pragma names are named by their first event.
    fn player(&mut self, reader: &LineReader, nick: &str) -> Result<usize, GcgError> {
        if let Some(player) = self.game.players.iter().position(|player| player.nick == nick && !nick.is_empty()) {
            return Ok(player);
        }
        let free = self.game.players.iter().position(|player| player.nick.is_empty());
        match free.and_then(|player| Some((player, self.game.players.get_mut(player)?))) {
            Some((index, player)) if !nick.is_empty() && !nick.contains(char::is_whitespace) => {
                player.nick = nick.to_string();
                Ok(index)
            }
            _ => {
                let [first, second] = self.game.players.each_ref().map(|player| player.nick.as_str());
                let expected = if second.is_empty() { "one word before the colon".to_string() } else { format!("{first} or {second}") };
                Err(GcgError::UnknownPlayer { line: reader.line, column: column_of(reader.text, nick), found: shortened(nick), expected })
            }
        }
    }

    fn finish(mut self) -> Gcg {
        let [first, second] = &mut self.game.players;
        if first.nick.is_empty() {
            first.nick = if second.nick == "player1" { "player2" } else { "player1" }.to_string();
        }
        if second.nick.is_empty() {
            second.nick = if first.nick == "player2" { "player1" } else { "player2" }.to_string();
        }
        self.game
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{cgp, english_rules, layout, letter_distribution};
    use crate::rules::play::Placement;
    use crate::rules::tiles::Letter;
    use proptest::prelude::*;

    /// Every kind of event but going out. VICAR: (2*4 + 1 + 3 + 1 + 1) * 2. DOAT: (2 + 1 + 1 + 1) * 2.
    const SAMPLE: &str = "\
#character-encoding UTF-8
#player1 Ann Ann Arbor
#player2 Ben
#title A short game
#description Each kind of event, but nobody goes out
#lexicon ENABLE
#id test/1
#style unknown pragmas are kept
>Ann: ACEIRTV 8D VICAR +28 28
#note The first play,
and a note of two lines.
>Ben: AEFGHII -FGII +0 0
>Ann: BDEELNT - +0 28
>Ben: AAEHOOT H7 O.EA +4 4
>Ben: AAEHOOT -- -4 0
>Ann: BDEELNT H8 (R)END +5 33
>Ann: BELT (challenge) +5 38
>Ben: AAEHOOT 11H DOAT +10 10 DOAT, EnD
>Ann: BELQTU? - +0 38
>Ben: AEHIIOS - +0 10
>Ann: BELQTU? -3 +0 38
>Ben: AEHIIOS - +0 10
>Ann: EILRST? - +0 38
>Ben: AEHIIOS - +0 10
>Ann: EILRST? (EILRST?) -6 32
>Ben: AEHIIOS (AEHIIOS) -10 0
>Ben: AEHIIOS (time) -20 -20
";

    /// Nineteen tiles: TASTE (2*3 + 1 + 2 + 3 + 1) * 2; seAT 0 + 2*1 + 1 + 3, TASTEs 10; AAAESSST 13 * 2 + 50.
    const GOING_OUT: &str = "\
#player1 Ann Ann Arbor
#player2 Ben Ben Nevis
>Ann: AASSTTE 8D TASTE +26 26
>Ben: AAEETT? I8 sEAT +16 16
>Ann: AAAESSS 11B AAAESSS. +76 102
>Ann: (AET) +10 112
";

    fn few_tiles() -> GameRules {
        let tiles = "?,?,1,0,0\nA,a,6,1,1\nE,e,4,1,1\nS,s,4,2,0\nT,t,4,3,0\n";
        GameRules::standard(Arc::new(letter_distribution::parse("few", tiles).unwrap()), Arc::new(layout::standard()))
    }

    fn read(text: &str, rules: &GameRules) -> Gcg {
        parse(text, rules).unwrap_or_else(|error| panic!("{error}"))
    }

    fn cgp_text(position: &Position) -> String {
        cgp::print(position, &cgp::Opcodes::default())
    }

    #[test]
    fn a_game_is_read_and_printed_as_it_was() {
        let game = read(SAMPLE, &english_rules());
        assert_eq!(game.players[0], Player { nick: "Ann".to_string(), name: "Ann Arbor".to_string() });
        assert_eq!((game.lexicon(), game.pragma("TITLE"), game.pragma("none")), (Some("ENABLE"), Some("A short game"), None));
        assert_eq!(game.pragma("note"), Some("The first play,\nand a note of two lines."));
        assert_eq!(game.events.len(), 17);
        assert_eq!(game.events[6].remark, "");
        assert_eq!(game.events[7].remark, "DOAT, EnD");
        let printed = print(&game);
        assert_eq!(read(&printed, &english_rules()), game);
        assert_eq!(printed, SAMPLE);
    }

    #[test]
    fn a_replay_gives_the_position_before_each_event_and_the_last_one() {
        let rules = english_rules();
        let game = read(SAMPLE, &rules);
        let Replay { positions, seats } = replay(&game, &rules, None).unwrap();
        assert_eq!((positions.len(), seats), (18, [0, 1]));
        let empty = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";
        assert_eq!(cgp_text(&positions[0]), format!("{empty} ACEIRTV/ 0/0 0"));
        assert_eq!(cgp_text(&positions[1]), "15/15/15/15/15/15/15/3VICAR7/15/15/15/15/15/15/15 AEFGHII/ 0/28 0");
        // The phony stands on the board until it is withdrawn.
        assert_eq!(cgp_text(&positions[4]), "15/15/15/15/15/15/7O7/3VICAR7/7E7/7A7/15/15/15/15/15 / 28/4 0");
        assert_eq!(cgp_text(&positions[5]), "15/15/15/15/15/15/15/3VICAR7/15/15/15/15/15/15/15 BDEELNT/ 28/0 3");
        let last = &positions[17];
        assert_eq!(last.end(), Some(GameEnd::ZeroTurns));
        assert_eq!([last.score(0), last.score(1)], [32, -20]);
        assert_eq!([0, 1].map(|seat| last.rack(seat).len()), [7, 7]);
        assert_eq!(position_at(&game, &rules, Some(2)).unwrap(), positions[1]);
        assert_eq!(&position_at(&game, &rules, None).unwrap(), last);
        let error = |turn| position_at(&game, &rules, Some(turn)).unwrap_err().to_string();
        assert_eq!(error(0), "no event 0, the game has 17");
        assert_eq!(error(18), "no event 18, the game has 17");
    }

    #[test]
    fn going_out_is_replayed_with_racks_known_in_part_or_not_at_all() {
        let rules = few_tiles();
        for text in [
            GOING_OUT.to_string(),
            GOING_OUT.replace("AASSTTE ", "").replace("AAEETT? ", "").replace("AAAESSS 11B", "11B"),
            GOING_OUT.replace("AASSTTE ", "TASTE ").replace("AAEETT? ", "EAT? "),
        ] {
            let game = read(&text, &rules);
            assert_eq!(read(&print(&game), &rules), game);
            let end = position_at(&game, &rules, None).unwrap();
            assert_eq!(end.end(), Some(GameEnd::WentOut(0)));
            assert_eq!([end.score(0), end.score(1)], [112, 16]);
            assert_eq!(end.rack(1).text(&rules.distribution), "AET");
        }
        // The play that goes out can be challenged off, too.
        let phony = GOING_OUT.replace(">Ann: (AET) +10 112\n", ">Ann: AAAESSS -- -76 26\n>Ben: AET - +0 16\n");
        let end = position_at(&read(&phony, &rules), &rules, None).unwrap();
        assert_eq!((end.end(), end.score(0), end.zero_turns()), (None, 26, 2));
    }

    #[test]
    fn other_spellings_are_read() {
        let rules = english_rules();
        let plain = read(SAMPLE, &rules);
        let same = |text: &str| assert_eq!(read(text, &rules), plain);
        same(&format!("\u{feff}{}", SAMPLE.replace('\n', "\r\n")));
        same(&SAMPLE.replace('\n', "\r"));
        same(&SAMPLE.replace('\n', "\n\n").replace(": ", ":   ").replace("#title ", " #title\t "));
        same(&SAMPLE.replace(" 8D VICAR", "\t8d\tVICAR").replace("ACEIRTV", "VICARet"));
        assert_eq!(decode(b"#title \xc9t\xe9"), "#title Été");
        assert_eq!(decode("#title Été".as_bytes()), "#title Été");

        // Without pragmas the players are named by their events; the second player may begin.
        let game = read(">B: 8D VICAR +28 28\n>A: - +0 0\n", &rules);
        assert_eq!([&game.players[0].nick, &game.players[1].nick], ["B", "A"]);
        let game = read("#player1 A\n#player2 B\n>B: 8D VICAR +28 28\n>A: - +0 0\n#rack1 QU\n#rack2 AEI\n", &rules);
        let end = replay(&game, &rules, None).unwrap();
        assert_eq!(end.seats, [1, 0]);
        assert_eq!(cgp_text(&end.positions[2]), "15/15/15/15/15/15/15/3VICAR7/15/15/15/15/15/15/15 AEI/QU 28/0 1");
        assert_eq!(read(&print(&game), &rules), game);
        assert_eq!(read("", &rules).players.map(|player| player.nick), ["player1", "player2"]);
        assert_eq!(position_at(&read("", &rules), &rules, None).unwrap(), Position::start(Arc::new(rules.clone())));

        // A player without tiles to show, and the other's tiles behind a rack: the sign tells which it is.
        let game = read(">A: (QU) -11 -11\n>B: QU (QU) +22 22", &rules);
        assert!(matches!(game.events[0].action, Action::RackLoss(_)));
        assert!(matches!(game.events[1].action, Action::OutBonus(_)));
    }

    #[test]
    fn errors_of_form_name_line_and_column() {
        let message = |text: &str| parse(text, &english_rules()).unwrap_err().to_string();
        let event = |text: &str| message(&format!("#player1 A\n#player2 B\n>A: {text}"));
        assert_eq!(message("x"), "line 1, column 1: \"x\", expected a line that begins with # or >");
        assert_eq!(message("#title T\n  x"), "line 2, column 3: \"x\", expected a line that begins with # or >");
        assert_eq!(message("#player1"), "line 1, column 9: \"\", expected a nick and a full name");
        assert_eq!(message("#player1 A\n#player2 A"), "line 2, column 10: \"A\", expected another nick than the other player's");
        assert_eq!(message("#player1 A:b"), "line 1, column 10: \"A:b\", expected a nick without colon");
        assert_eq!(message("#player1 A\n#player1 B"), "line 2: #player1 stands here for the second time");
        assert_eq!(message("#rack1 A\n#rack1 B"), "line 2: #rack1 stands here for the second time");
        assert_eq!(message("#rack1 A1"), "line 1, column 9: \"1\" is not a tile of the english alphabet");
        assert_eq!(message("#character-encoding A\n#character-encoding B"), "line 2: #character-encoding stands here for the second time");
        assert_eq!(message(">A 8D"), "line 1, column 2: \"A 8D\", expected a nick followed by a colon");
        assert_eq!(message(">: - +0 0"), "line 1, column 2: \"\" does not play, expected one word before the colon");
        assert_eq!(message("#player1 A\n#player2 B\n> C: - +0 0"), "line 3, column 3: \"C\" does not play, expected A or B");
        assert_eq!(event(""), "line 3, column 4: \"\", expected a rack or what happened");
        assert_eq!(event("ABC"), "line 3, column 8: \"\", expected what happened");
        assert_eq!(event("A1B - +0 0"), "line 3, column 6: \"1\" is not a tile of the english alphabet");
        assert_eq!(event("ABCDEFGH - +0 0"), "line 3, column 5: 8 tiles, a rack holds 7");
        assert!(event("ABC what +0 0").starts_with("line 3, column 9: \"what\", expected a square (8D across"));
        assert_eq!(event("ABC 16D CAB +0 0"), "line 3, column 9: \"16D\", expected a square of this board");
        assert_eq!(event("ABC 8D"), "line 3, column 11: \"\", expected the word");
        assert_eq!(event("ABC 8D C?B +0 0"), "line 3, column 13: \"?\" is not a tile of the english alphabet");
        assert_eq!(event("ABC 8D (CAB +0 0"), "line 3, column 12: \"(CAB\", expected a word, its parentheses closed");
        assert_eq!(
            event("ABC 8D CABCABCABCABCABCABCABCABCAB +0 0"),
            "line 3, column 12: \"CABCABCABCABCABCABCABCA…\", expected a word that fits on a board"
        );
        assert_eq!(event("ABC -9 +0 0"), "line 3, column 10: \"9\", expected a number of tiles on a rack");
        assert_eq!(event("ABC -X9 +0 0"), "line 3, column 11: \"9\" is not a tile of the english alphabet");
        assert_eq!(event("ABC (ABC +0 0"), "line 3, column 9: \"(ABC\", expected a parenthesis that is closed");
        assert_eq!(event("ABC -"), "line 3, column 10: \"\", expected points with + or -");
        assert_eq!(event("ABC - 0 0"), "line 3, column 11: \"0\", expected points with + or -");
        assert_eq!(event("ABC - +x 0"), "line 3, column 11: \"+x\", expected points with + or -");
        assert_eq!(event("ABC - +0"), "line 3, column 13: \"\", expected the player's total");
        assert_eq!(event("ABC - +0 9999999"), "line 3, column 14: \"9999999\", expected the player's total");
    }

    #[test]
    fn errors_of_play_name_the_line_and_what_the_rules_give() {
        let rules = english_rules();
        let changed = |from: &str, to: &str| {
            assert!(SAMPLE.contains(from), "{from}");
            replay(&read(&SAMPLE.replacen(from, to, 1), &rules), &rules, None).unwrap_err().to_string()
        };
        assert_eq!(changed("+28 28", "+27 27"), "line 9: +27 points, by the rules +28");
        assert_eq!(changed("+28 28", "+28 29"), "line 9: a total of 29, the points so far sum up to 28");
        assert_eq!(changed("-- -4", "-- -5"), "line 15: -5 points, by the rules -4");
        assert_eq!(changed("(EILRST?) -6", "(EILRST?) -7"), "line 25: -7 points, by the rules -6");
        assert_eq!(changed("- +0 28", "- +1 29"), "line 13: +1 points, by the rules +0");
        assert_eq!(changed(">Ben: AEFGHII -FGII +0 0", ">Ann: AEFGHII -FGII +0 28"), "line 12: a turn of Ann, but Ben is to move");
        assert_eq!(changed("O.EA", "OXEA"), "line 14: there is already another tile on row 8, column 8");
        assert_eq!(changed("O.EA", "O..A"), "line 14: there is no tile to play through on row 9, column 8");
        assert_eq!(changed("H7 O.EA", "H7 O.EZ"), "line 14: there is no Z for this play: it is not on the rack");
        assert_eq!(changed("11H DOAT", "11N DOAT"), "line 18: the word does not fit on the board");
        assert_eq!(changed("-FGII", "-FGIZ"), "line 12: there is no Z for this play: it is not on the rack");
        assert_eq!(changed("AEFGHII", "AEFGHIV"), "line 12: there is no I for this play: it is not on the rack");
        assert_eq!(
            changed("BDEELNT -", "VVDEELN -"),
            "line 13: there is no V for this play: all of them are on the board or the other rack"
        );
        assert_eq!(
            changed(">Ben: AAEHOOT -- -4 0\n", ">Ann: AAEHOOT -- -4 24\n"),
            "line 15: a withdrawal does not follow a play of the same player"
        );
        assert_eq!(
            changed(">Ann: EILRST? (EILRST?) -6 32", ">Ann: (AEHIIOS) +20 58"),
            "line 25: a gain for going out does not follow a play that empties rack and bag"
        );
        assert_eq!(changed(">Ann: EILRST? (EILRST?) -6 32", ">Ann: EILRST? - +0 38"), "line 25: the game is over");

        let few = few_tiles();
        let wrong = read(&GOING_OUT.replace("(AET) +10 112", "(AES) +8 110"), &few);
        assert_eq!(replay(&wrong, &few, None).unwrap_err().to_string(), "line 6: \"AES\" left at the end, by the rules \"AET\"");
        let rack = read("#player1 A\n>A: 8D VICAR +28 28\n#rack2 VV", &rules);
        assert_eq!(
            replay(&rack, &rules, None).unwrap_err().to_string(),
            "rack of player2 at the end: there is no V for this play: all of them are on the board or the other rack"
        );
    }

    #[test]
    fn players_of_a_new_game_get_nicks_that_can_be_read_back() {
        let player = |nick: &str, name: &str| Player { nick: nick.to_string(), name: name.to_string() };
        let english = english_rules();
        let nicks = |a: &str, b: &str| {
            let game = Gcg::new([player(a, "One\nName"), player(b, "")], english.distribution.clone());
            assert_eq!(read(&print(&game), &english), game);
            game.players.map(|player| player.nick)
        };
        assert_eq!(nicks("a b", "c:d"), ["a_b", "c_d"]);
        assert_eq!(nicks("", ""), ["player1", "player2"]);
        assert_eq!(nicks("bot", "bot"), ["bot", "bot2"]);
    }

    /// A generator of numbers for games; good enough to choose squares.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            ((mixed ^ (mixed >> 27)) >> 16) as usize % limit
        }
    }

    /// Some legal play of tiles on the rack, words or not.
    fn some_placement(numbers: &mut Numbers, position: &Position) -> Option<Placement> {
        let board = position.board();
        let dim = board.dim();
        let rack: Vec<Tile> = position.mover_rack().tiles().collect();
        for _ in 0..200 {
            let direction = Direction::ALL[numbers.below(2)];
            let mut start =
                if board.is_empty() { position.rules().layout.start() } else { Square::new(numbers.below(dim), numbers.below(dim)) };
            while let Some(before) = start.step(direction, -1, dim).filter(|&before| board.get(before).is_some()) {
                start = before;
            }
            let mut left = rack.clone();
            let mut to_place = 1 + numbers.below(rack.len());
            let mut placement = Placement::at(start, direction);
            let mut next = Some(start);
            while let Some(here) = next.filter(|&here| to_place > 0 || board.get(here).is_some()) {
                placement.push(if board.get(here).is_some() {
                    None
                } else {
                    to_place -= 1;
                    let tile = left.swap_remove(numbers.below(left.len()));
                    let any = Letter::new(1 + numbers.below(position.rules().distribution.letter_count()) as u8).unwrap();
                    Some(tile.letter().map_or(Placed::blank(any), Placed::tile))
                });
                next = here.step(direction, 1, dim);
            }
            if to_place == 0 && position.after(&Turn::Play(Play::Place(placement))).is_ok() {
                return Some(placement);
            }
        }
        None
    }

    /// A referee with two players who place whatever fits: the game as written, and how it ended.
    fn random_game(rules: &GameRules, seed: u64) -> (Gcg, Vec<Position>) {
        let mut numbers = Numbers(seed);
        let mut bag: Vec<Tile> = Rack::full_bag(&rules.distribution).tiles().collect();
        let mut game = Gcg::new([Player::default(), Player::default()], rules.distribution.clone());
        game.push_pragma("lexicon", "none at all");
        let mut position = Position::start(Arc::new(rules.clone()));
        let mut fill = |rack: &mut Rack, numbers: &mut Numbers, back: &[Tile]| {
            while rack.len() < rules.rack_size && !bag.is_empty() {
                rack.add(bag.swap_remove(numbers.below(bag.len())));
            }
            bag.extend_from_slice(back);
        };
        for seat in 0..2 {
            let mut rack = Rack::EMPTY;
            fill(&mut rack, &mut numbers, &[]);
            position.set_rack(seat, &rack).unwrap();
        }
        let mut positions = vec![position.clone()];
        while position.end().is_none() {
            let rack = *position.mover_rack();
            let tiles: Vec<Tile> = rack.tiles().collect();
            let pass = Turn::Play(Play::Pass);
            let mut turn = match numbers.below(12) {
                0 => pass,
                1 | 2 => Turn::Play(Play::Exchange(tiles.iter().copied().take(1 + numbers.below(tiles.len())).collect())),
                3 => some_placement(&mut numbers, &position).map_or(pass, Turn::Phony),
                _ => some_placement(&mut numbers, &position).map_or(pass, |placement| Turn::Play(Play::Place(placement))),
            };
            if position.after(&turn).is_err() {
                turn = pass;
            }
            game.push_turn(&position, &turn, &rack).unwrap();
            let gone = match &turn {
                Turn::Play(play) => play.rack_tiles(),
                _ => Rack::EMPTY,
            };
            let mut new_rack = rack.minus(&gone).unwrap();
            let back: Vec<Tile> = if matches!(turn, Turn::Play(Play::Exchange(_))) { gone.tiles().collect() } else { vec![] };
            fill(&mut new_rack, &mut numbers, &back);
            position = position.after_draw(&turn, &new_rack).unwrap();
            positions.push(position.clone());
        }
        game.push_end(&position);
        game.push_time(1, &Rack::EMPTY, -10);
        position.adjust_score(1, -10);
        positions.push(position);
        (game, positions)
    }

    #[test]
    fn a_referees_games_read_back_to_the_same_end() {
        let spanish = letter_distribution::parse("mini", "?,?,2,0,0\nA,a,12,1,1\nCH,ch,9,5,0\nN,n,9,2,0\n").unwrap();
        let small = GameRules::standard(Arc::new(spanish), Arc::new(layout::standard()));
        let (mut went_out, mut zeros) = (0, 0);
        for seed in 0..60 {
            let mut rules = if seed % 2 == 0 { english_rules() } else { small.clone() };
            rules.max_zero_turns = if seed % 3 == 0 { 2 } else { 6 };
            let (game, positions) = random_game(&rules, seed);
            let again = read(&print(&game), &rules);
            assert_eq!(again, game);
            let replayed = replay(&again, &rules, None).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", print(&game)));
            let (end, expected) = (replayed.positions.last().unwrap(), positions.last().unwrap());
            assert_eq!(end, expected, "seed {seed}");
            assert_eq!([game.total(0), game.total(1)], [expected.score(0), expected.score(1)]);
            match end.end() {
                Some(GameEnd::WentOut(_)) => went_out += 1,
                _ => zeros += 1,
            }
        }
        assert!(went_out >= 10 && zeros >= 3, "{went_out} went out, {zeros} ended by zero turns");
    }

    proptest! {
        #[test]
        fn damaged_games_are_refused_or_read_back(
            edits in prop::collection::vec(
                (any::<prop::sample::Index>(), 0..3usize, prop::sample::select("AZa09 >#:-+().?[]\n\r\té".chars().collect::<Vec<_>>())),
                1..8,
            ),
            going_out: bool,
        ) {
            let (text, rules) = if going_out { (GOING_OUT, few_tiles()) } else { (SAMPLE, english_rules()) };
            let mut chars: Vec<char> = text.chars().collect();
            for (place, kind, c) in edits {
                let at = place.index(chars.len());
                match kind {
                    0 => chars[at] = c,
                    1 => chars.insert(at, c),
                    _ => drop(chars.remove(at)),
                }
            }
            if let Ok(game) = parse(&chars.iter().collect::<String>(), &rules) {
                prop_assert_eq!(&parse(&print(&game), &rules).unwrap(), &game);
                let _ = replay(&game, &rules, None);
            }
        }

        #[test]
        fn any_text_is_refused_without_panic(text in "([>#]\\PC{0,40}\n?){0,4}") {
            if let Ok(game) = parse(&text, &english_rules()) {
                prop_assert_eq!(&parse(&print(&game), &english_rules()).unwrap(), &game);
            }
        }
    }
}
