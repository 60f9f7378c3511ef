//! The game so far: each turn with the position before it, and the position after the last one.
//!
//! Not here: what commands do with it (`position.rs`, `turns.rs`), and how a record is written (`formats/gcg/`). Start with
//! [`GameHistory`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::formats::cgp::{self, LastMoveError};
use crate::formats::gcg::{self, Gcg, Pragma};
use crate::lexicon::Lexicon;
use crate::protocol::display::rack_text;
use crate::protocol::resources::RecordedGame;
use crate::rules::notation::{MoveText, apply_move, play_text};
use crate::rules::scoring::score_placement;
use crate::rules::{Play, Position, Rack, Seat, Turn, TurnError};
use crate::search::inference::ObservedTurn;
use std::sync::Arc;

/// A turn that was taken.
#[derive(Clone, Debug)]
pub(super) struct PastTurn {
    /// The position in which it was taken, with what was known of the mover's rack then.
    pub(super) before: Position,
    /// What the player did.
    pub(super) made: MoveText,
    /// Events of the record before it.
    events: usize,
}

impl PastTurn {
    /// The turn as a move of the protocol: `8D.RETAINS`, `ex.3`, `phony.8D.RETAINZ`.
    pub(super) fn text(&self) -> String {
        let text = |play: &Play| play_text(play, self.before.board(), &self.before.rules().distribution);
        match &self.made.turn {
            Turn::Play(play) => text(play),
            Turn::ExchangeUnknown(count) => format!("ex.{count}"),
            Turn::Phony(placement) => format!("phony.{}", text(&Play::Place(*placement))),
        }
    }

    /// Returns the keys and values that `turns` prints, except the position: the number of the first event
    /// in the record, the player, the known rack, the move.
    pub(super) fn facts(&self) -> String {
        let rack = rack_text(&self.before, self.before.mover_rack());
        let mut made = self.text();
        if self.made.challenge_points != 0 || self.made.turn_loss {
            // Nothing in the place of its rack.
            made.push_str(&format!("..{}", self.made.challenge_points));
        }
        if self.made.turn_loss {
            made.push_str(".1");
        }
        format!("event {} player {} rack {rack} move {made}", self.events + 1, self.before.on_turn().index() + 1)
    }
}

/// The turns up to now, and the data that they are played with.
pub(super) struct GameHistory {
    turns: Vec<PastTurn>,
    current: Position,
    /// The other player's turn before the first position, if the position states it.
    preceding: PrecedingTurn,
    /// The record of the game. `None` if the game did not begin with a starting position, since its earlier turns are unknown.
    record: Option<Gcg>,
    /// The data of the position.
    pub(super) data: PositionData,
}

/// The turn before the first position of a history.
enum PrecedingTurn {
    Unknown,
    /// As a position states it.
    Written(String),
    /// The same, with the turn that it was.
    Known(String, Box<ObservedTurn>),
}

/// The names of a position's data: those that the position states, else those that the options had when it was set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct PositionData {
    /// The alphabet.
    pub(super) distribution: String,
    /// The board.
    pub(super) layout: String,
    /// The words. `None` means those of the option, now and later.
    pub(super) lexicon: Option<String>,
}

impl GameHistory {
    /// Returns a history that begins here.
    pub(super) fn new(start: Position, data: PositionData) -> GameHistory {
        let is_start = start.board().is_empty() && start.zero_turns() == 0 && start.scores().0 == [0, 0];
        let record = is_start.then(|| Gcg::new(Default::default(), Arc::clone(&start.rules().distribution)));
        GameHistory { turns: Vec::new(), current: start, preceding: PrecedingTurn::Unknown, record, data }
    }

    /// Returns the same history after a turn of the other player, as a position states it.
    pub(super) fn behind(self, written: Option<String>) -> GameHistory {
        let preceding = written.map_or(PrecedingTurn::Unknown, PrecedingTurn::Written);
        GameHistory { preceding, ..self }
    }

    /// Finds out which turn the position states as the last one. This needs words,
    /// which are loaded later than a position is set. If the text names no turn,
    /// each call returns the text with the reason.
    pub(super) fn find_preceding_turn(&mut self, lexicon: &Lexicon) -> Result<(), (String, LastMoveError)> {
        let PrecedingTurn::Written(text) = &self.preceding else { return Ok(()) };
        let first = self.turns.first().map_or(&self.current, |turn| &turn.before);
        let found = cgp::last_turn(first, text, &|word| lexicon.contains(word));
        let (before, turn) = found.map_err(|why| (text.clone(), why))?;
        let observed = ObservedTurn::new(before, turn);
        self.preceding = observed.map_or(PrecedingTurn::Unknown, |turn| PrecedingTurn::Known(text.clone(), Box::new(turn)));
        Ok(())
    }

    /// Returns the last move as a position states it, if it was the other player's.
    pub(super) fn last_move(&self) -> Option<String> {
        match (self.turns.last(), &self.preceding) {
            // If a player loses a turn by a challenge, the other one moves again.
            (Some(turn), _) => (!turn.made.turn_loss).then(|| turn.text()),
            (None, PrecedingTurn::Written(text) | PrecedingTurn::Known(text, _)) => Some(text.clone()),
            (None, PrecedingTurn::Unknown) => None,
        }
    }

    /// Returns the history of a recorded game, up to the last of its positions.
    pub(super) fn of_record(recorded: &RecordedGame, data: PositionData) -> Option<GameHistory> {
        let RecordedGame { game, replay, .. } = recorded;
        let past_turn = |recorded: &gcg::RecordedTurn| {
            let before = replay.positions.get(recorded.event)?.clone();
            let made = MoveText { turn: recorded.turn, rack: None, challenge_points: recorded.challenge_points, turn_loss: false };
            Some(PastTurn { before, made, events: recorded.event })
        };
        let turns = replay.turns.iter().map(past_turn).collect::<Option<Vec<PastTurn>>>()?;
        let mut record = game.clone();
        record.order_by(replay.seats);
        record.truncate(replay.positions.len().checked_sub(1)?);
        Some(GameHistory {
            turns,
            current: replay.positions.last()?.clone(),
            preceding: PrecedingTurn::Unknown,
            record: Some(record),
            data,
        })
    }

    /// Returns this history with the racks of another one, if both end in the same position as the player on turn sees it: with the same
    /// tiles on the board, the same scores and the same turns without points.
    pub(super) fn ending_in(mut self, other: &GameHistory) -> Option<GameHistory> {
        let (told, wanted) = (&self.current, &other.current);
        let scores = |position: &Position| position.scores().own_first(position.on_turn());
        let is_same = told.board() == wanted.board() && scores(told) == scores(wanted) && told.zero_turns() == wanted.zero_turns();
        if !is_same || !other.turns.is_empty() {
            return None;
        }
        let mover = told.on_turn();
        let racks = [(mover, *wanted.mover_rack()), (mover.opponent(), *wanted.opponent_rack())];
        for (seat, rack) in racks.into_iter().filter(|(_, rack)| !rack.is_empty()) {
            self.current.set_rack(seat, &rack).ok()?;
        }
        self.data = other.data.clone();
        Some(self)
    }

    /// The current position.
    pub(super) fn current(&self) -> &Position {
        &self.current
    }

    /// The current position, to be changed in place.
    pub(super) fn current_mut(&mut self) -> &mut Position {
        &mut self.current
    }

    /// The turns up to now, in order.
    pub(super) fn turns(&self) -> &[PastTurn] {
        &self.turns
    }

    /// Returns the turns of this player's opponent, in order.
    pub(super) fn turns_against(&self, seat: Seat) -> Vec<ObservedTurn> {
        let before = match &self.preceding {
            // The first seat was on turn after it.
            PrecedingTurn::Known(_, turn) if seat == Seat::First => Some(ObservedTurn::clone(turn)),
            _ => None,
        };
        let game = self.turns.iter().map(|turn| (&turn.before, turn.made.turn));
        before.into_iter().chain(ObservedTurn::of_game(seat.opponent(), game).into_iter().flatten()).collect()
    }

    /// Returns the turns of the opponent before this position, which may follow from a challenge of the last play: it may be taken back.
    pub(super) fn turns_leading_to(&self, position: &Position) -> Vec<ObservedTurn> {
        let mut turns = self.turns_against(position.on_turn());
        if let Some(last) = turns.last_mut()
            && position.board() == last.before().board()
            && let Turn::Play(Play::Place(placement)) = last.turn()
            && let Ok(taken_back) = ObservedTurn::new(last.before().clone(), Turn::Phony(*placement))
        {
            *last = taken_back.after_exchange(last.exchanged_before());
        }
        turns
    }

    /// Returns the turn right before the current position, with the position before the turn. It is the other player's, or one that cost
    /// this player a turn.
    pub(super) fn last_turn(&self) -> Option<(Position, MoveText)> {
        match (self.turns.last(), &self.preceding) {
            (Some(turn), _) => Some((turn.before.clone(), turn.made.clone())),
            (None, PrecedingTurn::Known(_, turn)) => {
                let made = MoveText { turn: *turn.turn(), rack: None, challenge_points: 0, turn_loss: false };
                let mut before = turn.before().clone();
                // Its scores are those after the turn.
                let points = match turn.turn() {
                    Turn::Play(Play::Place(placement)) => {
                        score_placement(before.rules(), before.board(), placement).map_or(0, |scored| scored.score)
                    }
                    _ => 0,
                };
                before.adjust_score(before.on_turn(), -points);
                Some((before, made))
            }
            (None, PrecedingTurn::Unknown | PrecedingTurn::Written(_)) => None,
        }
    }

    /// Takes a turn.
    pub(super) fn take(&mut self, made: MoveText) -> Result<(), TurnError> {
        let after = apply_move(&self.current, &made)?;
        let events = self.record.as_ref().map_or(0, |record| record.events.len());
        if let Some(record) = &mut self.record {
            push_move(record, &self.current, &made)?;
        }
        let before = std::mem::replace(&mut self.current, after);
        self.turns.push(PastTurn { before, made, events });
        Ok(())
    }

    /// Takes the last turn back. Returns `false` if there is none.
    pub(super) fn undo(&mut self) -> bool {
        let Some(last) = self.turns.pop() else { return false };
        self.current = last.before;
        if let Some(record) = &mut self.record {
            record.truncate(last.events);
        }
        true
    }

    /// Returns the game so far as a GCG, played with this lexicon; `None` if it is not known from its start.
    pub(super) fn gcg(&self, lexicon: &str) -> Option<String> {
        let mut record = self.record.clone()?;
        record.encoding = Some("UTF-8".to_string());
        if record.lexicon().is_none() {
            record.pragmas.insert(0, Pragma { key: "lexicon".to_string(), value: lexicon.to_string(), after_events: 0 });
        }
        if self.current.end().is_some() {
            if !record.has_end() {
                record.push_end(&self.current);
            }
        } else {
            record.racks = Seat::BOTH.map(|seat| Some(*self.current.rack(seat)).filter(|rack| !rack.is_empty()));
        }
        Some(gcg::print(&record))
    }
}

/// Adds a turn to a record, with the result of a challenge.
fn push_move(record: &mut Gcg, before: &Position, made: &MoveText) -> Result<(), TurnError> {
    let rack = shown_rack(before, made);
    record.push_turn(before, &made.turn, &rack)?;
    if made.challenge_points != 0 {
        record.push_challenge(before.on_turn(), &rack, made.challenge_points);
    }
    if made.turn_loss {
        let after = apply_move(before, &MoveText { turn_loss: false, ..made.clone() })?;
        record.push_play(&after, &Play::Pass, after.mover_rack())?;
    }
    Ok(())
}

/// Returns the mover's rack as a record states it: the known tiles, and those that the turn shows.
fn shown_rack(before: &Position, made: &MoveText) -> Rack {
    let shown = match &made.turn {
        Turn::Play(play) => play.rack_tiles(),
        Turn::Phony(placement) => placement.rack_tiles(),
        Turn::ExchangeUnknown(_) => Rack::EMPTY,
    };
    let known = made.rack.unwrap_or(*before.mover_rack());
    known.plus(&shown.without(&known))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::GameRules;
    use crate::rules::notation::parse_move;

    fn played(moves: &str) -> GameHistory {
        let mut history = GameHistory::new(Position::start(Arc::new(GameRules::english())), PositionData::default());
        for text in moves.split(' ') {
            let made = parse_move(text, history.current()).unwrap();
            history.take(made).unwrap();
        }
        history
    }

    #[test]
    fn a_record_read_again_is_the_same_history() {
        // A phony, a challenge in vain with its points, one that costs a turn, unknown tiles, tiles known in part, an end without points.
        for moves in [
            "8G.DOG.DGOAEIR ex.3 pass",
            "phony.8G.XYZ 8G.CAT.CATIEEA.5 ex.AB.ABCEXYZ",
            "phony.8G.XYZ pass.AEINRST 8G.ZO",
            "8G.DOG.DOGAEIO.0.1 9G.AT pass",
            "8G.CAT pass pass pass pass pass pass",
        ] {
            let history = played(moves);
            let text = history.gcg("ENABLE").unwrap();
            let rules = GameRules::english();
            let game = gcg::parse(&text, &rules).unwrap();
            let replay = gcg::replay(&game, &rules, None).unwrap();
            let again = GameHistory::of_record(&RecordedGame { game, replay, notes: Vec::new() }, PositionData::default()).unwrap();
            assert_eq!(again.current(), history.current(), "{text}");
            assert_eq!(again.gcg("ENABLE").unwrap(), text);
            // A turn that was lost by a challenge is a pass in a record.
            let turns = |history: &GameHistory| history.turns().iter().map(PastTurn::text).collect::<Vec<_>>();
            let with_losses = if moves.contains(".0.1") { vec!["8G.DOG", "pass", "9G.AT", "pass"] } else { Vec::new() };
            assert_eq!(
                turns(&again),
                if with_losses.is_empty() { turns(&history) } else { with_losses.into_iter().map(String::from).collect() }
            );
        }
    }

    #[test]
    fn turns_stand_with_the_positions_before_them_and_are_taken_back_one_by_one() {
        let mut history = played("8G.DOG.DGOAEIR ex.3 9H.AR");
        assert_eq!(history.turns().iter().map(|turn| turn.before.on_turn()).collect::<Vec<_>>(), [Seat::First, Seat::Second, Seat::First]);
        assert!(history.turns()[0].before.board().is_empty());
        assert_eq!(history.turns()[1].made.turn, Turn::ExchangeUnknown(3));
        for turn in history.turns() {
            assert!(apply_move(&turn.before, &turn.made).is_ok());
        }
        let before_last = history.turns()[2].before.clone();
        assert!(history.undo());
        assert_eq!((history.current(), history.turns().len()), (&before_last, 2));
        assert!(history.undo() && history.undo() && !history.undo());
    }

    #[test]
    fn what_a_player_exchanged_is_told_of_the_other_ones_next_turn() {
        let history = played("8G.CAT.CATXYZA ex.BEF.ABCDEFG 9H.AR pass 10H.AM");
        let rack = |text: &str| Rack::parse(text, &GameRules::english().distribution).unwrap();
        let exchanged = |seat: Seat| history.turns_against(seat).iter().map(ObservedTurn::exchanged_before).collect::<Vec<_>>();
        assert_eq!(exchanged(Seat::Second), [rack(""), rack("BEF"), rack("")]);
        assert_eq!(exchanged(Seat::First), [rack(""); 2]);
    }

    #[test]
    fn the_last_move_is_told_if_it_was_the_other_players() {
        let last = |moves: &str| played(moves).last_move();
        assert_eq!(last("8G.DOG 9H.AT"), Some("9H.AT".to_string()));
        assert_eq!(last("8G.DOG.DOGAEIO.5.1"), None, "the opponent lost a turn by a challenge");
        let start = || GameHistory::new(Position::start(Arc::new(GameRules::english())), PositionData::default());
        assert_eq!(start().last_move(), None);
        assert!(start().last_turn().is_none());
        assert_eq!(start().behind(Some("ex.3".to_string())).last_move(), Some("ex.3".to_string()));
    }

    #[test]
    fn a_last_move_that_a_position_states_has_the_score_before_it() {
        let rules = GameRules::english();
        let read = cgp::parse("15/15/15/15/15/15/15/3IMINO7/15/15/15/15/15/15/15 GLORRTU/ 3/16 0", &rules).unwrap();
        let mut history = GameHistory::new(read.position, PositionData::default()).behind(Some("8D.IMINO".to_string()));
        history.find_preceding_turn(crate::engine::builder::plain_engine().lexicon()).unwrap();
        let (before, made) = history.last_turn().unwrap();
        let after = apply_move(&before, &made).unwrap();
        assert_eq!((before.spread(), before.board().is_empty(), after.spread()), (-3, true, history.current().spread()));
    }

    #[test]
    fn a_game_without_a_start_has_no_record() {
        let mut position = Position::start(Arc::new(GameRules::english()));
        position.adjust_score(Seat::First, 10);
        assert_eq!(GameHistory::new(position, PositionData::default()).gcg("ENABLE"), None);
    }
}
