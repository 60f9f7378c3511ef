//! Replays a recorded game by the rules, and checks every stated score and total.
//!
//! Not here: reading the record (`parse.rs`). Start with [`replay()`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::gcg::types::{Gcg, GcgAction, GcgError, GcgEvent, WordCell};
use crate::rules::board::{Board, Direction, Square};
use crate::rules::play::{Placement, Play};
use crate::rules::rack::Rack;
use crate::rules::scoring::{PlacementError, score_placement};
use crate::rules::{BySeat, GameEnd, GameRules, Position, Seat, Turn, TurnError};
use std::fmt;
use std::sync::Arc;

/// A game played through: the player who moves first has the first seat.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The position before each event, and one after the last event with the racks that are known at the end. The mover's rack
    /// is the one that the event states. Of the other rack, only tiles that a withdrawn play has shown are known.
    pub positions: Vec<Position>,
    /// The turns among the events, in order. A play that was withdrawn is a [`Turn::Phony`].
    pub turns: Vec<RecordedTurn>,
    /// The seat of each of [`Gcg::players`].
    pub seats: [Seat; 2],
    /// Events in an unusual form that were understood nevertheless.
    pub notes: Vec<ReplayNote>,
}

/// An event in an unusual form that was understood nevertheless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayNote {
    /// 1-based line in the text, 0 if the game was not read from one.
    pub line: usize,
    /// How it was read.
    pub reading: UnusualEvent,
}

/// The interpretation of an event that is written in an unusual way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnusualEvent {
    /// A pass after the play that went out.
    ChallengeInVain,
    /// A withdrawal of +0 points, after which the total is the one before the play.
    WithdrawalWithoutPoints,
}

impl fmt::Display for UnusualEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnusualEvent::ChallengeInVain => "a pass after the play that went out: read as a challenge in vain",
            UnusualEvent::WithdrawalWithoutPoints => "a withdrawal of +0 points with the earlier total: read as one of the play's points",
        })
    }
}

/// A turn of a recorded game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedTurn {
    /// Events before it: the index of the position in which it was taken among [`Replay::positions`].
    pub event: usize,
    /// The turn.
    pub turn: Turn,
    /// Points for having been challenged in vain.
    pub challenge_points: i32,
}

/// Plays a game by the rules: all of it, or with `turn` up to the position before that event (1-based).
///
/// A play that is withdrawn is on the board in the position before its withdrawal.
///
/// # Errors
/// The line of the first event that the rules forbid or whose points or total are wrong, with what is expected.
pub fn replay(game: &Gcg, rules: &GameRules, turn: Option<usize>) -> Result<Replay, GcgError> {
    if let Some(found) = turn.filter(|turn| !(1..=game.events.len()).contains(turn)) {
        return Err(GcgError::NoSuchTurn { found, expected: game.events.len() });
    }
    let first = game.events.first().map_or(0, |event| event.player);
    let mut replayer = Replayer {
        game,
        seats: if first == 0 { Seat::BOTH } else { [Seat::Second, Seat::First] },
        position: Position::start(Arc::new(rules.clone())),
        totals: BySeat([0; 2]),
        held: BySeat([rules.rack_size; 2]),
        last_play: None,
        event: 0,
        turns: Vec::new(),
        notes: Vec::new(),
    };
    let mut positions = Vec::new();
    for (index, event) in game.events.iter().enumerate() {
        replayer.take_rack(event)?;
        positions.push(replayer.position.clone());
        if turn == Some(index + 1) {
            return Ok(Replay { positions, turns: replayer.turns, seats: replayer.seats, notes: replayer.notes });
        }
        replayer.event = index;
        replayer.play(event)?;
    }
    replayer.final_racks()?;
    positions.push(replayer.position);
    Ok(Replay { positions, turns: replayer.turns, seats: replayer.seats, notes: replayer.notes })
}

/// Returns the position before an event (1-based), or after the last one.
///
/// # Errors
/// As [`replay()`].
pub fn position_at(game: &Gcg, rules: &GameRules, turn: Option<usize>) -> Result<Position, GcgError> {
    let Replay { mut positions, .. } = replay(game, rules, turn)?;
    Ok(positions.pop().unwrap_or_else(|| Position::start(Arc::new(rules.clone()))))
}

/// A game in replay.
struct Replayer<'a> {
    game: &'a Gcg,
    seats: [Seat; 2],
    position: Position,
    /// Totals as the file counts them: without final adjustments until their events have come.
    totals: BySeat<i32>,
    /// Tiles on each rack, known or not.
    held: BySeat<usize>,
    /// The play that the next event may withdraw, with the position before it and its points.
    last_play: Option<LastPlay>,
    /// Events before the one under way.
    event: usize,
    turns: Vec<RecordedTurn>,
    notes: Vec<ReplayNote>,
}

/// A play that may still be challenged off.
struct LastPlay {
    before: Position,
    held: BySeat<usize>,
    player: usize,
    placement: Placement,
    points: i32,
}

impl Replayer<'_> {
    /// Returns the seat of the player of an event.
    fn seat(&self, event: &GcgEvent) -> Seat {
        let [first, second] = self.seats;
        if event.player == 0 { first } else { second }
    }

    fn nick(&self, seat: Seat) -> String {
        let mut players = self.seats.into_iter().zip(&self.game.players);
        players.find(|(of, _)| *of == seat).map_or_else(String::new, |(_, player)| player.nick.clone())
    }

    /// Returns the number of tiles in the bag and on both racks.
    fn off_board(&self) -> usize {
        self.position.rules().distribution.total().saturating_sub(self.position.board().tiles().count())
    }

    fn in_bag(&self) -> usize {
        self.off_board().saturating_sub(self.held.0.iter().sum())
    }

    /// Puts the rack that a turn states into the position before it. Events that are not turns leave the position alone.
    fn take_rack(&mut self, event: &GcgEvent) -> Result<(), GcgError> {
        if !event.action.is_turn() || self.is_challenge_in_vain(event) {
            return Ok(());
        }
        let turn_error = |error| GcgError::Turn { line: event.line, error };
        if self.position.end().is_some() {
            return Err(turn_error(TurnError::GameOver));
        }
        let seat = self.seat(event);
        if seat != self.position.on_turn() {
            return Err(GcgError::NotOnTurn { line: event.line, expected: self.nick(seat.opponent()), found: self.nick(seat) });
        }
        let mut rack = event.known_rack();
        let held = self.held[seat];
        if self.in_bag() == 0 && rack.len() < held {
            // With an empty bag a position takes the known tiles of the mover for the whole rack. So a rack that is stated in
            // part must count as unknown, unless the play itself shows all of its tiles.
            rack = match &event.action {
                GcgAction::Place { start, direction, word } => {
                    placement_of(*start, *direction, word, self.position.board()).map_err(|error| turn_error(error.into()))?.rack_tiles()
                }
                _ => Rack::EMPTY,
            };
            if rack.len() != held {
                rack = Rack::EMPTY;
            }
        }
        // If the record states no rack, the tiles that a withdrawn play has shown stay known.
        if rack.is_empty() { Ok(()) } else { self.position.state_rack(&rack).map_err(turn_error) }
    }

    /// Whether the event is a challenge in vain of the play that went out: it costs a turn, though there are no more turns.
    fn is_challenge_in_vain(&self, event: &GcgEvent) -> bool {
        let other = self.seat(event).opponent();
        event.action == GcgAction::Pass && self.last_play.is_some() && self.position.end() == Some(GameEnd::WentOut(other))
    }

    /// Returns the points lost when a play of `played` points is withdrawn. Some programs write +0
    /// and correct only the total.
    fn withdrawn_points(&mut self, event: &GcgEvent, played: i32) -> i32 {
        if event.points == 0 && played != 0 && event.total == self.totals[self.seat(event)] - played {
            self.notes.push(ReplayNote { line: event.line, reading: UnusualEvent::WithdrawalWithoutPoints });
        }
        -played
    }

    /// Plays an event, and compares its points and total with the rules.
    fn play(&mut self, event: &GcgEvent) -> Result<(), GcgError> {
        let seat = self.seat(event);
        let line = event.line;
        let is_challenge_in_vain = self.is_challenge_in_vain(event);
        let last_play = self.last_play.take();
        let notes = self.notes.len();
        let expected = match &event.action {
            GcgAction::Place { start, direction, word } => self.place(event, *start, *direction, word)?,
            GcgAction::Pass if is_challenge_in_vain => {
                self.notes.push(ReplayNote { line, reading: UnusualEvent::ChallengeInVain });
                0
            }
            GcgAction::Pass => self.zero_turn(event, Turn::Play(Play::Pass))?,
            GcgAction::Exchange(tiles) => self.zero_turn(event, Turn::Play(Play::Exchange(*tiles)))?,
            GcgAction::ExchangeUnknown(count) => self.zero_turn(event, Turn::ExchangeUnknown(*count))?,
            GcgAction::Withdrawn => {
                let reason = "does not follow a play of the same player";
                let misplaced = GcgError::Misplaced { line, found: "a withdrawal", reason };
                let last = last_play.filter(|last| last.player == event.player).ok_or(misplaced)?;
                // Back to the position before the play, then the turn as it counts: a phony, which has no effect.
                self.position = last.before;
                self.held = last.held;
                // Two events, one turn: it was taken before the first of them.
                self.event = self.turns.pop().map_or(self.event, |play| play.event);
                self.turn(event, Turn::Phony(last.placement))?;
                if event.mends.is_rack_impossible {
                    // The play did not show tiles that the player held.
                    self.position.set_rack(seat, &Rack::EMPTY).map_err(|error| GcgError::Turn { line, error })?;
                }
                self.withdrawn_points(event, last.points)
            }
            GcgAction::ChallengeBonus => {
                self.position.adjust_score(seat, event.points);
                // Points for the player whose play was challenged belong to that turn.
                if let Some(last) = self.turns.last_mut().filter(|_| seat != self.position.on_turn()) {
                    last.challenge_points += event.points;
                }
                event.points
            }
            GcgAction::TimePenalty => {
                self.position.adjust_score(seat, event.points);
                event.points
            }
            GcgAction::OutBonus(tiles) => self.out_bonus(event, tiles)?,
            GcgAction::RackLoss(tiles) => {
                self.position.declare_over();
                let known = if event.mends.is_rack_impossible { &Rack::EMPTY } else { tiles };
                self.position.set_rack(seat, known).map_err(|error| GcgError::Turn { line, error })?;
                let ending = self.position.rules().ending;
                let went_out = matches!(self.position.end(), Some(GameEnd::WentOut(_)));
                let times = if went_out && ending.out_loss != 0 { ending.out_loss } else { ending.stuck_loss };
                -times * tiles.value(&self.position.rules().distribution)
            }
        };
        let is_unusual = self.notes.len() > notes;
        let expected = expected + self.agreed_points(event);
        if expected != event.points && !is_unusual {
            return Err(GcgError::Points { line, expected, found: event.points });
        }
        self.totals[seat] += expected;
        let total = self.totals[seat];
        if total != event.total {
            return Err(GcgError::Total { line, expected: total, found: event.total });
        }
        if matches!(event.action, GcgAction::OutBonus(_) | GcgAction::RackLoss(_)) {
            // The file's statement replaces the adjustments that the rules made with the racks known at that time.
            self.position.adjust_score(seat, total - self.position.score(seat));
        }
        Ok(())
    }

    /// Returns the gain for going out.
    fn out_bonus(&mut self, event: &GcgEvent, tiles: &Rack) -> Result<i32, GcgError> {
        let (seat, line) = (self.seat(event), event.line);
        let gain = |position: &Position, rack: &Rack| position.rules().ending.out_gain * rack.value(&position.rules().distribution);
        if self.position.end() != Some(GameEnd::WentOut(seat)) {
            if event.mends.is_rack_impossible {
                self.position.declare_over();
                return Ok(gain(&self.position, tiles));
            }
            let reason = "does not follow a play that empties rack and bag";
            return Err(GcgError::Misplaced { line, found: "a gain for going out", reason });
        }
        // With an empty bag, all that is not seen is the other rack.
        let rest = self.position.unknown().plus(self.position.rack(seat.opponent()));
        let text = |rack: &Rack| rack.text(&self.position.rules().distribution);
        if rest != *tiles && !event.mends.is_rack_impossible {
            return Err(GcgError::Leftover { line, expected: text(&rest), found: text(tiles) });
        }
        self.position.set_rack(seat.opponent(), &rest).map_err(|error| GcgError::Turn { line, error })?;
        Ok(gain(&self.position, &rest))
    }

    /// Gives the player the points of an event that the players agreed on against the rules. Returns them.
    fn agreed_points(&mut self, event: &GcgEvent) -> i32 {
        self.position.adjust_score(self.seat(event), event.mends.agreed_points);
        event.mends.agreed_points
    }

    /// Places tiles and returns the points for them.
    fn place(&mut self, event: &GcgEvent, start: Square, direction: Direction, word: &[WordCell]) -> Result<i32, GcgError> {
        let seat = self.seat(event);
        let turn_error = |error: TurnError| GcgError::Turn { line: event.line, error };
        let placement = placement_of(start, direction, word, self.position.board()).map_err(|error| turn_error(error.into()))?;
        let scored = score_placement(self.position.rules(), self.position.board(), &placement).map_err(|error| turn_error(error.into()))?;
        let (before, held, in_bag) = (self.position.clone(), self.held, self.in_bag());
        self.turn(event, Turn::Play(Play::Place(placement)))?;
        let placed = placement.tile_count();
        // The player draws as many tiles as were placed, or what the bag has left.
        self.held[seat] = self.held[seat].saturating_sub(placed) + placed.min(in_bag);
        self.last_play = Some(LastPlay { before, held, player: event.player, placement, points: scored.score + event.mends.agreed_points });
        Ok(scored.score)
    }

    /// Takes a turn without points, and returns 0.
    fn zero_turn(&mut self, event: &GcgEvent, turn: Turn) -> Result<i32, GcgError> {
        self.turn(event, turn).map(|()| 0)
    }

    /// Takes a turn.
    fn turn(&mut self, event: &GcgEvent, turn: Turn) -> Result<(), GcgError> {
        if event.mends.goes_on {
            self.position.forget_zero_turns();
        }
        self.position = self.position.after(&turn).map_err(|error| GcgError::Turn { line: event.line, error })?;
        self.turns.push(RecordedTurn { event: self.event, turn, challenge_points: 0 });
        Ok(())
    }

    /// Puts the racks that `#rack1` and `#rack2` state into the position of an unfinished game. If the record of a finished game has
    /// the loser's last tiles but no gain for going out, there is no gain.
    fn final_racks(&mut self) -> Result<(), GcgError> {
        if let Some(end) = self.position.end() {
            let events = &self.game.events;
            let lacks_gain = || !events.iter().any(|event| matches!(event.action, GcgAction::OutBonus(_)));
            let is_as_stated = match end {
                GameEnd::WentOut(_) => self.game.has_end() && lacks_gain(),
                _ => events.iter().any(|event| event.mends.is_whole_end),
            };
            for seat in Seat::BOTH.into_iter().filter(|_| is_as_stated) {
                self.position.adjust_score(seat, self.totals[seat] - self.position.score(seat));
            }
            return Ok(());
        }
        for (rack, seat) in self.game.racks.iter().zip(self.seats) {
            if let Some(rack) = rack {
                let player = self.nick(seat);
                self.position.set_rack(seat, rack).map_err(|error| GcgError::FinalRack { player, error })?;
            }
        }
        Ok(())
    }
}

/// Converts a word as written to a placement on the board before it.
fn placement_of(start: Square, direction: Direction, word: &[WordCell], board: &Board) -> Result<Placement, PlacementError> {
    let mut placement = Placement::at(start, direction);
    for (offset, cell) in word.iter().enumerate() {
        let square = start.step(direction, offset as isize, board.dim()).ok_or(PlacementError::OffBoard)?;
        placement.push(match (board.get(square), cell) {
            (Some(_), WordCell::Dot) => None,
            // A blank on the board may be written as the letter it stands for.
            (Some(there), WordCell::Tile(tile) | WordCell::Through(tile)) if there.letter() == tile.letter() => None,
            (Some(_), _) => return Err(PlacementError::Occupied { square }),
            (None, WordCell::Tile(tile)) => Some(*tile),
            (None, _) => return Err(PlacementError::NothingThere { square }),
        });
    }
    Ok(placement)
}
