//! Records a game while it is played, by [`Gcg::new`] and the `push_` methods of [`Gcg`], and writes it: [`print()`].
//!
//! Points and totals are worked out here. Not here: whether the words exist, and reading what was written
//! ([`parse`](crate::formats::gcg::parse())).

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::gcg::types::{EventMends, Gcg, GcgAction, GcgEvent, GcgPlayer, Pragma, WordCell};
use crate::rules::distribution::LetterDistribution;
use crate::rules::notation::coordinate_text;
use crate::rules::play::Play;
use crate::rules::rack::Rack;
use crate::rules::scoring::{PlacementError, score_placement};
use crate::rules::{GameEnd, Position, Seat, Turn};
use std::fmt::Write as _;
use std::sync::Arc;

impl Gcg {
    /// Returns a game without events between two players. The first one has the first seat in the positions that are pushed.
    ///
    /// Blanks and colons in a nick become `_`, an empty nick `player1`; the second of two equal nicks gets a `2`.
    pub fn new(players: [GcgPlayer; 2], distribution: Arc<LetterDistribution>) -> Gcg {
        let mut game = Gcg::without_players(distribution);
        let [first, second] = players.map(|player| GcgPlayer {
            nick: player.nick.trim().replace(|c: char| c.is_whitespace() || c == ':', "_"),
            name: one_line(&player.name),
        });
        let named = |player: GcgPlayer, default: &str| {
            if player.nick.is_empty() { GcgPlayer { nick: default.to_string(), ..player } } else { player }
        };
        let (first, mut second) = (named(first, "player1"), named(second, "player2"));
        if first.nick == second.nick {
            second.nick.push('2');
        }
        game.players = [first, second];
        game
    }

    /// Adds a pragma after the events so far: before all of them `title` and the like,
    /// later a `note` on the last one.
    pub fn push_pragma(&mut self, key: &str, value: &str) {
        self.pragmas.push(Pragma { key: key.to_string(), value: one_line(value), after_events: self.events.len() });
    }

    /// Adds a play by the player on turn in `before`, who holds `rack`. Returns its points.
    ///
    /// # Errors
    /// Tiles that cannot be placed like this.
    pub fn push_play(&mut self, before: &Position, play: &Play, rack: &Rack) -> Result<i32, PlacementError> {
        let (action, points) = match play {
            Play::Pass => (GcgAction::Pass, 0),
            Play::Exchange(tiles) => (GcgAction::Exchange(*tiles), 0),
            Play::Place(placement) => {
                let word = placement.tiles().iter().map(|tile| tile.map_or(WordCell::Dot, WordCell::Tile)).collect();
                let score = score_placement(before.rules(), before.board(), placement)?.score;
                (GcgAction::Place { start: placement.start, direction: placement.direction, word }, score)
            }
        };
        self.push(before.on_turn(), *rack, action, points);
        Ok(points)
    }

    /// Keeps only the first `events` events. Later events are removed, with their notes and the
    /// racks after them.
    pub fn truncate(&mut self, events: usize) {
        if events < self.events.len() {
            self.events.truncate(events);
            self.pragmas.retain(|pragma| pragma.after_events <= events);
            self.racks = [None; 2];
        }
    }

    /// Puts the players in the order of their seats, so that pushed events belong to the right player.
    pub fn order_by(&mut self, seats: [Seat; 2]) {
        if seats == [Seat::Second, Seat::First] {
            self.players.reverse();
            self.racks.reverse();
            for event in &mut self.events {
                event.player = 1 - event.player;
            }
        }
    }

    /// Whether the events state the changes of scores at the end of the game.
    pub fn has_end(&self) -> bool {
        self.events.iter().any(|event| matches!(event.action, GcgAction::OutBonus(_) | GcgAction::RackLoss(_)))
    }

    /// Adds any turn: a play, an exchange of unknown tiles, a phony with its withdrawal. Returns its points.
    ///
    /// # Errors
    /// Tiles that cannot be placed like this.
    pub fn push_turn(&mut self, before: &Position, turn: &Turn, rack: &Rack) -> Result<i32, PlacementError> {
        match turn {
            Turn::Play(play) => self.push_play(before, play, rack),
            Turn::ExchangeUnknown(count) => {
                self.push(before.on_turn(), *rack, GcgAction::ExchangeUnknown(*count), 0);
                Ok(0)
            }
            Turn::Phony(placement) => {
                let points = self.push_play(before, &Play::Place(*placement), rack)?;
                self.push(before.on_turn(), *rack, GcgAction::Withdrawn, -points);
                Ok(0)
            }
        }
    }

    /// Adds points for a play that was challenged in vain (or taken from the player who challenged).
    pub fn push_challenge(&mut self, seat: Seat, rack: &Rack, points: i32) {
        self.push(seat, *rack, GcgAction::ChallengeBonus, points);
    }

    /// Adds an overtime penalty, `points` below 0.
    pub fn push_time(&mut self, seat: Seat, rack: &Rack, points: i32) {
        self.push(seat, *rack, GcgAction::TimePenalty, points);
    }

    /// Adds the changes of scores at the end of a game, by [`Ending`](crate::rules::Ending): gains for going out, losses for racks.
    ///
    /// `end` is the position after the last turn. Nothing is added if the game is not over or was ended by decree.
    pub fn push_end(&mut self, end: &Position) {
        let value = |rack: &Rack| rack.value(&end.rules().distribution);
        let ending = end.rules().ending;
        match end.end() {
            Some(GameEnd::WentOut(seat)) => {
                let rest = end.unknown().plus(end.rack(seat.opponent()));
                self.push(seat, Rack::EMPTY, GcgAction::OutBonus(rest), ending.out_gain * value(&rest));
                if ending.out_loss != 0 {
                    self.push(seat.opponent(), rest, GcgAction::RackLoss(rest), -ending.out_loss * value(&rest));
                }
            }
            Some(GameEnd::ZeroTurns | GameEnd::NoPlays) => {
                for seat in [end.on_turn(), end.on_turn().opponent()] {
                    let rack = *end.rack(seat);
                    if !rack.is_empty() {
                        self.push(seat, rack, GcgAction::RackLoss(rack), -ending.stuck_loss * value(&rack));
                    }
                }
            }
            Some(GameEnd::LastTurns | GameEnd::Declared) | None => {}
        }
    }

    fn push(&mut self, seat: Seat, rack: Rack, action: GcgAction, points: i32) {
        let player = seat.index();
        let total = self.total(player) + points;
        self.events.push(GcgEvent { player, rack, action, points, total, remark: String::new(), line: 0, mends: EventMends::default() });
    }
}

/// Writes a game. [`parse`](crate::formats::gcg::parse()) gives it back.
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

fn event_text(game: &Gcg, event: &GcgEvent) -> String {
    let distribution = &game.distribution;
    let mut text = String::from(">");
    text.push_str(game.players.get(event.player).map_or("?", |player| player.nick.as_str()));
    text.push_str(": ");
    if !event.rack.is_empty() {
        text.push_str(&event.rack.text(distribution));
        text.push(' ');
    }
    match &event.action {
        GcgAction::Place { start, direction, word } => {
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
        GcgAction::Pass => text.push('-'),
        GcgAction::Exchange(tiles) => {
            text.push('-');
            text.push_str(&tiles.text(distribution));
        }
        GcgAction::ExchangeUnknown(count) => {
            let _ = write!(text, "-{count}");
        }
        GcgAction::Withdrawn => text.push_str("--"),
        GcgAction::ChallengeBonus => text.push_str("(challenge)"),
        GcgAction::TimePenalty => text.push_str("(time)"),
        GcgAction::OutBonus(tiles) | GcgAction::RackLoss(tiles) => {
            text.push('(');
            text.push_str(&tiles.text(distribution));
            text.push(')');
        }
    }
    // As Quackle writes it. The sign tells a reader that the record states the whole end.
    let sign = if event.mends.is_whole_end && event.points < 0 { "+" } else { "" };
    let _ = write!(text, " {sign}{:+} {} {}", event.points, event.total, event.remark);
    text
}

fn one_line(text: &str) -> String {
    text.split(['\n', '\r']).map(str::trim).collect::<Vec<_>>().join(" ").trim().to_string()
}
