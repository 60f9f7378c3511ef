//! Commands on turns: value one, check whether any rack has one, take one, take one back.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::lexicon::Lexicon;
use crate::protocol::command::Word;
use crate::protocol::display::over_word;
use crate::protocol::reply::ErrorCode;
use crate::protocol::session::history::GameHistory;
use crate::protocol::session::refusal::{Refusal, error, error_at, move_at};
use crate::protocol::session::state::Session;
use crate::rules::notation::{MoveText, play_text};
use crate::rules::scoring::score_placement;
use crate::rules::{ChallengeRule, Letter, Play, Position, Rack, Seat, Turn};
use crate::search::{AnyRackPlay, BoardLife, board_life};
use std::collections::BTreeSet;

/// Plays that `dead` shows.
const DEAD_PLAYS: usize = 20;

/// Sets of tiles that `dead` shows.
const DEAD_RACKS: usize = 200;

/// The value of a move in a position.
#[derive(Default)]
pub(super) struct MoveValue {
    /// Points for the tiles; none for a play that is challenged off.
    pub(super) score: i32,
    /// The words that it makes, the main word first.
    pub(super) words: Vec<String>,
    /// The words among them that are invalid by the position's variant.
    pub(super) invalid: Vec<String>,
}

impl Session {
    /// `score <move>`: values a move without playing it.
    pub(super) fn score(&mut self, word: &Word) -> Result<(), Refusal> {
        let position = self.open_position()?;
        let lexicon = self.knowledge()?.lexicon;
        let made = move_at(&position, word)?;
        let MoveValue { score, words, invalid } = value(&position, &made, &lexicon);
        let leave = leave_text(&position, &made);
        self.say(format!("score {} score {score} leave {leave} words {} invalid {}", word.text, list(&words), list(&invalid)));
        Ok(())
    }

    /// `play <move>`: plays a move. If the rules demand valid words, its words must be valid.
    pub(super) fn play(&mut self, word: &Word) -> Result<(), Refusal> {
        let before = self.open_position()?;
        let lexicon = self.knowledge()?.lexicon;
        let made = move_at(&before, word)?;
        let MoveValue { score, invalid, .. } = value(&before, &made, &lexicon);
        if !invalid.is_empty() && before.rules().challenge_rule == ChallengeRule::Void {
            return error_at(ErrorCode::BadMove, word, format!("not in {}: {}", lexicon.name(), invalid.join(" ")));
        }
        let challenge = made.challenge_points;
        let Some(game) = &mut self.game else { return Ok(()) };
        game.take(made).or_else(|wrong| error_at(ErrorCode::BadMove, word, format!("{}: {wrong}", word.text)))?;
        board_life::end_if_dead(game.current_mut(), &lexicon);
        let after = game.current();
        let gained = |seat| {
            let by_move = if seat == before.on_turn() { score + challenge } else { 0 };
            after.score(seat) - before.score(seat) - by_move
        };
        let ([first, second], [first_gain, second_gain]) = (after.scores().0, Seat::BOTH.map(gained));
        let line = format!(
            "play {} score {score} challenge {challenge} final {first_gain}/{second_gain} scores {first}/{second} onturn {} over {} invalid {}",
            word.text,
            after.on_turn().index() + 1,
            over_word(after),
            list(&invalid)
        );
        self.say(line);
        Ok(())
    }

    /// `dead`: whether any possible rack has a play here.
    pub(super) fn dead(&mut self) -> Result<(), Refusal> {
        let position = self.current()?.clone();
        let lexicon = self.knowledge()?.lexicon;
        let life = BoardLife::of(&position, &lexicon).or_else(|unsupported| error(ErrorCode::UnsupportedMode, unsupported.to_string()))?;
        let distribution = &position.rules().distribution;
        let plays = match &life {
            BoardLife::Alive { plays, racks } => {
                let tiles = plays.first().map_or(0, |play| play.placement.tile_count());
                let shown: Vec<String> = racks.iter().take(DEAD_RACKS).map(|rack| rack.text(distribution)).collect();
                let more = if racks.len() > shown.len() { "|..." } else { "" };
                self.say(format!("dead no tiles {tiles} plays {} racks {}{more}", plays.len(), shown.join("|")));
                plays
            }
            BoardLife::Dead { plays } => {
                let lacking: BTreeSet<String> = plays.iter().map(|play| play.lacking.text(distribution)).collect();
                let lacking: Vec<String> = lacking.into_iter().take(DEAD_RACKS).collect();
                self.say(format!("dead yes lacks {}", list(&lacking)));
                plays
            }
        };
        for AnyRackPlay { placement, score, lacking } in plays.iter().take(DEAD_PLAYS) {
            let play = play_text(&Play::Place(*placement), position.board(), distribution);
            let lacks = if lacking.is_empty() { String::new() } else { format!(" lacks {}", lacking.text(distribution)) };
            self.say(format!("dead play {play} score {score} needs {}{lacks}", placement.rack_tiles().text(distribution)));
        }
        if plays.len() > DEAD_PLAYS {
            self.say(format!("dead ... and {} more", plays.len() - DEAD_PLAYS));
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

    /// Returns the current position if a move can be made in it.
    fn open_position(&self) -> Result<Position, Refusal> {
        let position = self.current()?;
        match position.end() {
            Some(_) => error(ErrorCode::BadMove, "the game is over: send undo, or position for another game"),
            None => Ok(position.clone()),
        }
    }
}

/// Returns texts as one word: `-` for none.
fn list(texts: &[String]) -> String {
    if texts.is_empty() { "-".to_string() } else { texts.join("|") }
}

pub(super) fn value(position: &Position, made: &MoveText, lexicon: &Lexicon) -> MoveValue {
    let rules = position.rules();
    let placement = match &made.turn {
        Turn::Play(Play::Place(placement)) | Turn::Phony(placement) => placement,
        Turn::Play(Play::Exchange(_) | Play::Pass) | Turn::ExchangeUnknown(_) => return MoveValue::default(),
    };
    let Ok(scored) = score_placement(rules, position.board(), placement) else { return MoveValue::default() };
    let words: Vec<Vec<Letter>> = scored.words.iter().map(|formed| formed.letters()).collect();
    let text = |letters: &Vec<Letter>| rules.distribution.word_text(letters);
    MoveValue {
        score: if matches!(made.turn, Turn::Phony(_)) { 0 } else { scored.score },
        words: words.iter().map(text).collect(),
        invalid: words.iter().filter(|letters| !lexicon.contains(letters)).map(text).collect(),
    }
}

/// Returns the tiles kept: `-` for none, `unknown` if the rack is not known.
fn leave_text(position: &Position, made: &MoveText) -> String {
    let played = match &made.turn {
        Turn::Play(play) => play.rack_tiles(),
        // The tiles come back to the rack.
        Turn::Phony(_) => Rack::EMPTY,
        Turn::ExchangeUnknown(_) => return "unknown".to_string(),
    };
    let rack = made.rack.unwrap_or(*position.mover_rack());
    match rack.minus(&played) {
        _ if rack.is_empty() => "unknown".to_string(),
        Ok(leave) if leave.is_empty() => "-".to_string(),
        Ok(leave) => leave.text(&position.rules().distribution),
        Err(_) => "unknown".to_string(),
    }
}
