//! Reads a GCG: splits it into lines, then parses each line.
//!
//! ```abnf
//! gcg       = *(line line-end)
//! line      = [blanks] [pragma / event / more] [blanks]
//! line-end  = LF / CR LF / CR
//! pragma    = "#" key [blanks value]
//! more      = 1*CHAR                                 ; behind a #note: more of its text
//! event     = ">" nick ":" [blanks rack] blanks action blanks points blanks total [blanks remark]
//! rack      = 1*(LETTER / "?" / "[" 2*LETTER "]")    ; letters in any case
//! action    = place / pass / exchange / withdrawal / extra
//! place     = coordinate blanks main-word
//! main-word = 1*(cell / "(" *cell ")")               ; in parentheses: on the board already
//! cell      = "." / LETTER / "[" 2*LETTER "]"        ; ".": on the board already; capital: a tile; small: a blank
//! pass      = "-"
//! exchange  = "-" (count / rack)
//! withdrawal = "--"
//! extra     = "(challenge)" / "(time)" / "(" [rack] ")"
//! points    = ("+" / "-") 1*DIGIT
//! total     = ["-"] 1*DIGIT
//! ```
//!
//! A word that begins an event is a rack, unless it is a coordinate or begins with `-` or `(`. [`parse`] demands this grammar;
//! [`parse_loosely`] also reads forms that other programs and people write:
//!
//! ```abnf
//! points    = ["+" [blanks]] ["+" / "-"] 1*DIGIT     ; or none
//! total     = ["+" / "-"] 1*DIGIT                    ; or none
//! ```
//!
//! Not here: whether the game is possible (`replay.rs`), and how an impossible one is repaired (`mending.rs`).

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::gcg::types::{EventMends, Gcg, GcgAction, GcgError, GcgEvent, GcgPlayer, Pragma, WordCell};
use crate::rules::GameRules;
use crate::rules::board::{Direction, Square};
use crate::rules::grammar::{
    GrammarResult, Mismatch, Span, blanks, checked, expect, piece, placed_tile, rack_tile, read_all, refuse, whole_number, word,
};
use crate::rules::layout::MAX_DIM;
use crate::rules::notation::parse_coordinate;
use crate::rules::rack::Rack;
use crate::rules::tiles::Placed;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till};
use nom::character::complete::{char, digit1};
use nom::combinator::{all_consuming, eof, map_opt, not, opt, peek, rest, value, verify};
use nom::multi::{many0, many1};
use nom::sequence::{delimited, preceded, terminated};
use nom::{Input, Offset, Parser};

/// Events that each player must have for a single event of a third nick to count as a slip.
const EVENTS_WITHOUT_A_SLIP: usize = 3;

/// The most different nicks that are counted. More cannot be those of players.
const MOST_NICKS: usize = 16;

/// Scores beyond this are refused, so that sums of them fit everywhere.
const MAX_POINTS: i32 = 999_999;

/// Reads a game. Of the rules only the alphabet and the sizes of board and rack matter here.
///
/// # Errors
/// The line and column of the first thing that cannot be read.
pub fn parse(text: &str, rules: &GameRules) -> Result<Gcg, GcgError> {
    let mut reader = GcgReader::new(rules, Strictness::Strict);
    for line in lines(text) {
        reader.line(line)?;
    }
    Ok(reader.finish().game)
}

/// A game as far as it can be read.
#[derive(Debug)]
pub(super) struct LooseGame {
    /// The game. Points and totals that are not stated are 0.
    pub(super) game: Gcg,
    /// Which numbers of each event are stated.
    pub(super) stated: Vec<StatedNumbers>,
    /// Faults that were understood nevertheless, or ignored.
    pub(super) faults: Vec<LooseFault>,
    /// Why the rest of the lines is not read.
    pub(super) end: Option<GcgError>,
}

/// Which numbers an event states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StatedNumbers {
    pub(super) points: bool,
    pub(super) total: bool,
}

/// A fault in a record.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LooseFault {
    /// A line that is not read.
    IgnoredLine(GcgError),
    /// A rack that is treated as unknown.
    UnknownRack(GcgError),
    /// Points that are written in another way.
    OddPoints { line: usize, found: String, points: i32 },
    /// A nick that both players have: their turns alternate, and the second is given another nick.
    SharedNick { line: usize, nick: String, second: String },
    /// A nick that no player has, and the player that it is read as.
    OtherNick { line: usize, found: String, player: String },
}

/// Reads a game as far as it can be read, accepting every line that makes sense.
pub(super) fn parse_loosely(text: &str, rules: &GameRules) -> LooseGame {
    let mut reader = GcgReader::new(rules, Strictness::Loose);
    reader.event_nicks = event_nicks(text);
    for line in lines(text) {
        let Err(error) = reader.line(line) else { continue };
        if line.text().starts_with('>') {
            reader.end = Some(error);
            break;
        }
        reader.in_note = false;
        reader.faults.push(LooseFault::IgnoredLine(error));
    }
    reader.finish()
}

/// The nicks of the events of a text in the order of their first events, with the number of events of each.
fn event_nicks(text: &str) -> Vec<(String, usize)> {
    let mut nicks: Vec<(String, usize)> = Vec::new();
    for line in lines(text) {
        let Some((nick, _)) = line.text().strip_prefix('>').and_then(|event| event.split_once(':')) else { continue };
        if let Some((_, events)) = nicks.iter_mut().find(|(known, _)| known == nick.trim()) {
            *events += 1;
        } else if nicks.len() < MOST_NICKS {
            nicks.push((nick.trim().to_string(), 1));
        }
    }
    nicks
}

/// The lines of a text, without blanks around them.
fn lines(text: &str) -> impl Iterator<Item = Span<'_>> {
    let mut rest = Span::new(text.strip_prefix('\u{feff}').unwrap_or(text));
    std::iter::from_fn(move || {
        let (behind, line) = line(rest).ok()?;
        rest = behind;
        Some(line.trim())
    })
}

/// Reads a line, without its line end. At the end of the text there is no line.
fn line(input: Span<'_>) -> GrammarResult<'_, Span<'_>, GcgError> {
    let line_end = alt((tag("\r\n"), tag("\n"), tag("\r")));
    preceded(not(eof), terminated(take_till(|c| matches!(c, '\r' | '\n')), opt(line_end))).parse(input)
}

fn syntax(found: Span<'_>, expected: &'static str) -> GcgError {
    Mismatch::Form { found, expected }.into()
}

/// What is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strictness {
    /// All that is not in the grammar.
    Strict,
    /// What makes no sense.
    Loose,
}

/// A game of which some lines have been read.
struct GcgReader<'r> {
    grammar: EventGrammar<'r>,
    game: Gcg,
    stated: Vec<StatedNumbers>,
    faults: Vec<LooseFault>,
    end: Option<GcgError>,
    /// The rack of `#incomplete`: that of the player on turn at the end.
    mover_rack: Option<Rack>,
    /// Whether a line without `#` or `>` belongs to a note.
    in_note: bool,
    /// The nick that both players have in the text, if they do.
    shared_nick: Option<String>,
    /// The nicks of `#player3`, `#player4` and so on.
    further_nicks: Vec<String>,
    /// Nicks in events that stand for a player of another nick.
    other_nicks: Vec<(String, usize)>,
    /// [`event_nicks`] of the whole text, for a reader that mends.
    event_nicks: Vec<(String, usize)>,
}

impl<'r> GcgReader<'r> {
    fn new(rules: &'r GameRules, strictness: Strictness) -> GcgReader<'r> {
        GcgReader {
            grammar: EventGrammar { rules, strictness },
            game: Gcg::without_players(rules.distribution.clone()),
            stated: Vec::new(),
            faults: Vec::new(),
            end: None,
            mover_rack: None,
            in_note: false,
            shared_nick: None,
            further_nicks: Vec::new(),
            other_nicks: Vec::new(),
            event_nicks: Vec::new(),
        }
    }

    fn line(&mut self, line: Span<'_>) -> Result<(), GcgError> {
        match line.text().chars().next() {
            None => Ok(()),
            Some('#') => self.pragma(line),
            Some('>') => self.event(line),
            Some(_) => self.more(line),
        }
    }

    fn pragma(&mut self, line: Span<'_>) -> Result<(), GcgError> {
        let parts: (Span<'_>, Span<'_>) = read_all((preceded(char('#'), take_till(char::is_whitespace)), rest), line)?;
        let (key, value) = (parts.0.text(), parts.1.trim());
        let lower = key.to_ascii_lowercase();
        self.in_note = lower == "note";
        let repeated = || Err(GcgError::Repeated { line: line.place().line, key: format!("#{key}") });
        match lower.as_str() {
            "character-encoding" => match self.game.encoding.replace(value.text().to_string()) {
                Some(_) => repeated(),
                None => Ok(()),
            },
            "player1" | "player2" => {
                let (nick, name) = read_all((expect("a nick and a full name", word), rest), value)?;
                let [first, second] = &mut self.game.players;
                let (player, other) = if lower == "player1" { (first, second) } else { (second, first) };
                if !player.nick.is_empty() {
                    return repeated();
                }
                if nick.text().contains(':') {
                    return Err(syntax(nick, "a nick without a colon"));
                }
                let name = name.trim().text().to_string();
                let shared = nick.text().to_string();
                if nick.text() != other.nick {
                    *player = GcgPlayer { nick: shared, name };
                } else if self.grammar.strictness == Strictness::Loose {
                    let second = format!("{shared}2");
                    *player = GcgPlayer { nick: second.clone(), name };
                    self.faults.push(LooseFault::SharedNick { line: line.place().line, nick: shared.clone(), second });
                    self.shared_nick = Some(shared);
                } else {
                    return Err(syntax(nick, "a nick that the other player does not have"));
                }
                Ok(())
            }
            "rack1" | "rack2" => {
                let rack = self.grammar.rack(value)?;
                let [first, second] = &mut self.game.racks;
                match if lower == "rack1" { first } else { second }.replace(rack) {
                    Some(_) => repeated(),
                    None => Ok(()),
                }
            }
            "incomplete" if !value.is_empty() => {
                self.mover_rack = Some(self.grammar.rack(value)?);
                Ok(())
            }
            _ => {
                if lower.strip_prefix("player").and_then(|number| number.parse::<u32>().ok()).is_some_and(|number| number > 2) {
                    self.further_nicks.extend(value.text().split_whitespace().next().map(str::to_string));
                }
                let after_events = self.game.events.len();
                self.game.pragmas.push(Pragma { key: key.to_string(), value: value.text().to_string(), after_events });
                Ok(())
            }
        }
    }

    /// A line that is neither a pragma nor an event: more of a note.
    fn more(&mut self, line: Span<'_>) -> Result<(), GcgError> {
        let note = self.game.pragmas.last_mut().filter(|_| self.in_note).ok_or_else(|| syntax(line, "a line that begins with # or >"))?;
        note.value.push('\n');
        note.value.push_str(line.text());
        Ok(())
    }

    fn event(&mut self, line: Span<'_>) -> Result<(), GcgError> {
        self.in_note = false;
        let nick = refuse(terminated(take_till(|c| c == ':'), char(':')), |found| syntax(found, "a nick followed by a colon"));
        let (nick, behind): (Span<'_>, Span<'_>) = read_all((preceded(char('>'), nick), rest), line)?;
        let is_shared = self.shared_nick.as_deref() == Some(nick.trim().text());
        let named = if is_shared { None } else { self.player(nick.trim())? };
        let EventParts { rack, action, numbers: EventNumbers { points, total, odd }, remark } =
            read_all(|input| self.grammar.event(input), behind)?;
        self.stated.push(StatedNumbers { points: points.is_some(), total: total.is_some() });
        let is_nothing = points == Some(0);
        let (points, total) = (points.unwrap_or(0), total.unwrap_or(0));
        let line = line.place().line;
        // Quackle writes `+-8`, or `+0` for a blank. For a game that ends by passes, it writes only the loss of the last player.
        let is_whole_end = (is_nothing || odd.is_some() && points < 0) && matches!(action, GcgAction::RackLoss(_));
        self.faults.extend(odd.map(|found| LooseFault::OddPoints { line, found, points }));
        let StatedRack { tiles: rack, fault } = rack.unwrap_or(StatedRack { tiles: Rack::EMPTY, fault: None });
        let mends = EventMends { is_rack_impossible: fault.is_some(), is_whole_end, ..EventMends::default() };
        self.faults.extend(fault.map(LooseFault::UnknownRack));
        // A player who went out gains points, the other loses points: some programs write the rack without need, or leave it out.
        let action = match action {
            GcgAction::RackLoss(tiles) if points > 0 => GcgAction::OutBonus(tiles),
            GcgAction::OutBonus(tiles) if points < 0 => GcgAction::RackLoss(tiles),
            other => other,
        };
        let remark = remark.trim().text().to_string();
        let player = named.unwrap_or_else(|| self.player_by_turns(&action));
        if named.is_none() && !is_shared {
            self.take_nick_for(nick.trim(), player);
        }
        self.game.events.push(GcgEvent { player, rack, action, points, total, remark, line, mends });
        Ok(())
    }

    /// Returns the index of a player. Players without a pragma are named by their first event. `None` if the order of turns must decide.
    fn player(&mut self, nick: Span<'_>) -> Result<Option<usize>, GcgError> {
        let name = nick.text();
        let is_named =
            |is_name: &dyn Fn(&GcgPlayer) -> bool| self.game.players.iter().position(|player| !name.is_empty() && is_name(player));
        if let Some(player) = is_named(&|player| player.nick == name) {
            return Ok(Some(player));
        }
        // People write the nick in another case, or the name instead.
        if self.grammar.strictness == Strictness::Loose
            && let Some(player) = is_named(&|player| player.is_called(name))
        {
            return Ok(Some(player));
        }
        let free = self.game.players.iter().position(|player| player.nick.is_empty());
        match free.and_then(|player| Some((player, self.game.players.get_mut(player)?))) {
            Some((index, player)) if !name.is_empty() && !name.contains(char::is_whitespace) => {
                player.nick = name.to_string();
                Ok(Some(index))
            }
            _ if self.grammar.strictness == Strictness::Loose && free.is_none() && !name.is_empty() => self.player_of_another_nick(nick),
            _ => {
                let [first, second] = self.game.players.each_ref().map(|player| player.nick.as_str());
                let expected = if second.is_empty() { "one word before the colon".to_string() } else { format!("{first} or {second}") };
                Err(GcgError::UnknownPlayer { place: nick.place(), found: nick.shortened(), expected })
            }
        }
    }

    /// Returns the player of an event whose nick no player has: a player without events, who has another name in the pragmas; or, if
    /// one event has a slip in its nick, the player whose turn it is. Quackle alternates turns, whatever the nicks are.
    fn player_of_another_nick(&mut self, nick: Span<'_>) -> Result<Option<usize>, GcgError> {
        let name = nick.text();
        if let Some((_, player)) = self.other_nicks.iter().find(|(known, _)| known == name) {
            return Ok(Some(*player));
        }
        let [first, second] = [0, 1].map(|index| self.events_of(index));
        let idle = [first, second].iter().position(|events| *events == 0);
        let is_further = self.further_nicks.iter().any(|known| known == name);
        if let Some(player) = idle.filter(|_| !is_further) {
            self.take_nick_for(nick, player);
            return Ok(Some(player));
        }
        let of_players = |nick: &str| {
            let is_called = |player: &GcgPlayer| player.is_called(nick);
            self.game.players.iter().any(is_called) || self.other_nicks.iter().any(|(known, _)| known == nick)
        };
        let unnamed: Vec<usize> = self
            .event_nicks
            .iter()
            .filter(|(known, _)| !of_players(known) && !self.further_nicks.contains(known))
            .map(|(_, events)| *events)
            .collect();
        if unnamed == [1] && !is_further && first.min(second) >= EVENTS_WITHOUT_A_SLIP {
            return Ok(None);
        }
        let found = 2 + unnamed.len() + self.further_nicks.len();
        Err(GcgError::MorePlayers { line: nick.place().line, name: nick.shortened(), found })
    }

    /// Returns the number of events in the text with the nick of a player.
    fn events_of(&self, player: usize) -> usize {
        let is_of = |nick: &str| {
            let is_called = self.game.players.get(player).is_some_and(|player| player.is_called(nick));
            is_called || self.other_nicks.iter().any(|(known, of)| known == nick && *of == player)
        };
        self.event_nicks.iter().filter(|(nick, _)| is_of(nick)).map(|(_, events)| events).sum()
    }

    /// Remembers that a nick stands for a player of another nick.
    fn take_nick_for(&mut self, nick: Span<'_>, player: usize) {
        let (line, found) = (nick.place().line, nick.text().to_string());
        let known = self.game.players.get(player).map_or_else(String::new, |player| player.nick.clone());
        self.other_nicks.push((found.clone(), player));
        self.faults.push(LooseFault::OtherNick { line, found, player: known });
    }

    /// Returns the player of an event if both have the same nick: turns alternate, and other events follow a turn of their player.
    fn player_by_turns(&self, action: &GcgAction) -> usize {
        let last = self.game.events.iter().rev().find(|event| event.action.is_turn()).map(|event| event.player);
        match last {
            Some(player) if action.is_turn() => 1 - player,
            last => last.unwrap_or(0),
        }
    }

    fn finish(mut self) -> LooseGame {
        self.place_mover_rack();
        let [first, second] = &mut self.game.players;
        if first.nick.is_empty() {
            first.nick = if second.nick == "player1" { "player2" } else { "player1" }.to_string();
        }
        if second.nick.is_empty() {
            second.nick = if first.nick == "player2" { "player1" } else { "player2" }.to_string();
        }
        LooseGame { game: self.game, stated: self.stated, faults: self.faults, end: self.end }
    }

    /// Gives the rack of `#incomplete` to the player on turn at the end, unless the player's own pragma states one.
    fn place_mover_rack(&mut self) {
        let last = self.game.events.iter().rev().find(|event| event.action.is_turn()).map_or(1, |event| event.player);
        let [first, second] = &mut self.game.racks;
        let rack = if last == 0 { second } else { first };
        *rack = rack.or(self.mover_rack);
    }
}

/// The parts of an event after the colon.
struct EventParts<'a> {
    rack: Option<StatedRack>,
    action: GcgAction,
    numbers: EventNumbers,
    remark: Span<'a>,
}

/// A rack as written.
struct StatedRack {
    /// Its tiles, as far as they can be read.
    tiles: Rack,
    /// Why it cannot be a rack.
    fault: Option<GcgError>,
}

/// The numbers of an event, as far as they are stated.
struct EventNumbers {
    points: Option<i32>,
    total: Option<i32>,
    /// Points as they are written, if that is unusual.
    odd: Option<String>,
}

/// The parts of the grammar that need the alphabet and the sizes of board and rack.
struct EventGrammar<'r> {
    rules: &'r GameRules,
    strictness: Strictness,
}

impl EventGrammar<'_> {
    fn event<'a>(&self, input: Span<'a>) -> GrammarResult<'a, EventParts<'a>, GcgError> {
        let is_rack = |word: &Span<'_>| !word.text().starts_with(['-', '(']) && parse_coordinate(word.text()).is_none();
        let (behind, rack) = opt(checked(verify(word, is_rack), |tiles| self.stated_rack(tiles))).parse(input)?;
        let what = if rack.is_some() { "an action" } else { "a rack or an action" };
        let (behind, _) = expect(what, preceded(blanks, peek(word))).parse(behind)?;
        let (behind, action) = self.action(behind, rack.is_some())?;
        let (behind, numbers) = match self.strictness {
            Strictness::Strict => strict_numbers(behind)?,
            Strictness::Loose => loose_numbers(behind)?,
        };
        let (behind, remark) = rest(behind)?;
        Ok((behind, EventParts { rack, action, numbers, remark }))
    }

    fn stated_rack(&self, text: Span<'_>) -> Result<StatedRack, GcgError> {
        match (self.rack(text), self.strictness) {
            (Ok(tiles), _) => Ok(StatedRack { tiles, fault: None }),
            (Err(error), Strictness::Strict) => Err(error),
            (Err(error), Strictness::Loose) => Ok(StatedRack { tiles: self.tiles(text).unwrap_or_default(), fault: Some(error) }),
        }
    }

    /// The action, without rack and points.
    fn action<'a>(&self, input: Span<'a>, has_rack: bool) -> GrammarResult<'a, GcgAction, GcgError> {
        let dash = preceded(peek(char('-')), checked(word, |token| self.dash(token)));
        let parenthesis = preceded(peek(char('(')), checked(word, |token| self.parenthesis(token, has_rack)));
        preceded(blanks, alt((dash, parenthesis, |input| self.place(input)))).parse(input)
    }

    /// `-`, `--`, `-3` or `-ABC`.
    fn dash(&self, token: Span<'_>) -> Result<GcgAction, GcgError> {
        let count = expect("a number of tiles on a rack", all_consuming(whole_number(1..=self.rules.rack_size)));
        let behind = alt((
            value(GcgAction::Pass, eof),
            value(GcgAction::Withdrawn, (char('-'), eof)),
            preceded(peek(digit1), count).map(GcgAction::ExchangeUnknown),
            checked(rest, |tiles| self.rack(tiles)).map(GcgAction::Exchange),
        ));
        Ok(read_all(preceded(char('-'), behind), token)?)
    }

    /// `(challenge)`, `(time)` or `(ABC)`.
    fn parenthesis(&self, token: Span<'_>, has_rack: bool) -> Result<GcgAction, GcgError> {
        let closed = delimited(char('('), take_till(|c| c == ')'), (char(')'), eof));
        let inside: Span<'_> = read_all(expect("a closed parenthesis", closed), token)?;
        Ok(match inside.text() {
            "challenge" => GcgAction::ChallengeBonus,
            "time" => GcgAction::TimePenalty,
            _ if has_rack => GcgAction::RackLoss(self.rack(inside)?),
            _ => GcgAction::OutBonus(self.rack(inside)?),
        })
    }

    fn place<'a>(&self, input: Span<'a>) -> GrammarResult<'a, GcgAction, GcgError> {
        let actions = "a square (8D across, D8 down), -, --, -TILES, -NUMBER, (TILES), (challenge) or (time)";
        let coordinate = expect(actions, map_opt(word, |token: Span<'_>| parse_coordinate(token.text())));
        let dim = self.rules.layout.dim();
        let on_board = |(start, _): &(Square, Direction)| [start.row, start.col].iter().all(|&at| usize::from(at) < dim);
        let square = expect("a square of this board", verify(coordinate, on_board));
        let main_word = checked(expect("the word", word), |text| self.main_word(text));
        let (behind, ((start, direction), word)) = (square, main_word).parse(input)?;
        Ok((behind, GcgAction::Place { start, direction, word }))
    }

    fn main_word(&self, text: Span<'_>) -> Result<Vec<WordCell>, GcgError> {
        let closed = "a word with closed parentheses";
        let end = refuse(char(')'), |_| syntax(text, closed));
        let through = delimited(char('('), many0(preceded(not(char(')')), |input| self.cell(input, WordCell::Through))), end);
        let played = many1(preceded(not(char('(')), |input| self.cell(input, WordCell::Tile)));
        let word = read_all(many0(alt((through, played))), text)?.concat();
        if word.len() > MAX_DIM {
            return Err(syntax(text, "a word that fits on a board"));
        }
        if word.is_empty() {
            return Err(syntax(text, closed));
        }
        Ok(word)
    }

    fn cell<'a>(&self, input: Span<'a>, letter: fn(Placed) -> WordCell) -> GrammarResult<'a, WordCell, GcgError> {
        let tile = checked(piece, |piece| match placed_tile(piece, &self.rules.distribution) {
            Some(tile) => Ok(letter(tile)),
            None => Err(self.bad_tile(piece)),
        });
        alt((value(WordCell::Dot, char('.')), tile)).parse(input)
    }

    fn rack(&self, text: Span<'_>) -> Result<Rack, GcgError> {
        let (rack, expected) = (self.tiles(text)?, self.rules.rack_size);
        if rack.len() > expected {
            return Err(GcgError::RackTooLong { place: text.place(), found: rack.len(), expected });
        }
        Ok(rack)
    }

    /// Any number of tiles.
    fn tiles(&self, text: Span<'_>) -> Result<Rack, GcgError> {
        let tile = checked(piece, |piece| rack_tile(piece, &self.rules.distribution).ok_or_else(|| self.bad_tile(piece)));
        Ok(read_all(many0(tile), text)?.into_iter().collect())
    }

    fn bad_tile(&self, piece: Span<'_>) -> GcgError {
        let alphabet = self.rules.distribution.name().to_string();
        GcgError::BadTile { place: piece.place(), found: piece.shortened(), alphabet }
    }
}

/// Reads the points that a word states.
fn points(word: Span<'_>) -> Option<i32> {
    read_all(whole_number::<i32, ()>(-MAX_POINTS..=MAX_POINTS), word).ok()
}

fn strict_numbers(input: Span<'_>) -> GrammarResult<'_, EventNumbers, GcgError> {
    let signed = map_opt(verify(word, |word: &Span<'_>| word.text().starts_with(['+', '-'])), points);
    let numbers = (expect("points with + or -", signed), expect("the player's total", map_opt(word, points)));
    let (behind, (points, total)) = { numbers }.parse(input)?;
    Ok((behind, EventNumbers { points: Some(points), total: Some(total), odd: None }))
}

/// Reads the numbers that are stated.
fn loose_numbers(input: Span<'_>) -> GrammarResult<'_, EventNumbers, GcgError> {
    // `+-8` and `+ -8`, as Quackle writes a loss.
    let two_signs = map_opt(word, |word: Span<'_>| points(word.take_from(word.text().strip_prefix("+-").map(|_| 1)?)));
    let two_words = preceded(verify(word, |word: &Span<'_>| word.text() == "+"), map_opt(word, points));
    let (behind, points) = opt(alt((two_signs, two_words, map_opt(word, points)))).parse(input)?;
    let written = input.take(input.offset(&behind)).trim();
    let is_usual = written.text().starts_with(['+', '-']) && self::points(written).is_some();
    let odd = points.filter(|_| !is_usual).map(|_| written.text().to_string());
    let (behind, total) = opt(map_opt(word, self::points)).parse(behind)?;
    Ok((behind, EventNumbers { points, total, odd }))
}
