//! Games of a journal played through once more: their GCG records, from moves and bags alone.
//!
//! Not here: the journal's lines (`record.rs`). Start with [`game_record`].

use crate::formats::gcg::{Gcg, GcgPlayer};
use crate::match_play::bags::shuffled_bag;
use crate::rules::notation::{MoveError, parse_move};
use crate::rules::scoring::PlacementError;
use crate::rules::{GameRules, Play, Position, Rack, Turn, TurnError};
use crate::search::bag::Bag;
use crate::search::randomness::{self, Stream};
use crate::tournament::record::PairRecord;
use rand::RngExt;
use std::sync::Arc;
use thiserror::Error;

/// Why a game of a journal cannot be played through.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum GameRecordError {
    /// A text that is no move there.
    #[error("turn {turn}: {error}")]
    BadMove {
        /// 1-based turn.
        turn: usize,
        /// Why not.
        error: MoveError,
    },
    /// A turn against the rules.
    #[error("turn {turn}: {error}")]
    BadTurn {
        /// 1-based turn.
        turn: usize,
        /// Why not.
        error: TurnError,
    },
    /// Tiles that cannot be placed.
    #[error("turn {turn}: {error}")]
    BadPlacement {
        /// 1-based turn.
        turn: usize,
        /// Why not.
        error: PlacementError,
    },
    /// Not a play: an exchange of unknown tiles, a phony.
    #[error("turn {turn}: {play} is not a whole play")]
    NotAPlay {
        /// 1-based turn.
        turn: usize,
        /// The text.
        play: String,
    },
    /// A score that the rules do not give.
    #[error("turn {turn}: {found} points, the rules give {expected}")]
    WrongScore {
        /// 1-based turn.
        turn: usize,
        /// What the journal says.
        found: i32,
        /// What the rules say.
        expected: i32,
    },
}

/// A game of a pair (0 or 1) as a GCG record, with the fault that ended it as a note. `names` are those of players a and b.
///
/// # Errors
/// The first turn that cannot be.
pub fn game_record(rules: &Arc<GameRules>, seed: u64, pair: &PairRecord, game: usize, names: [&str; 2]) -> Result<Gcg, GameRecordError> {
    let begins = game & 1;
    let record = &pair.games[begins];
    let nicks = ["a", "b"];
    let player = |at: usize| GcgPlayer { nick: nicks[at].to_string(), name: names[at].to_string() };
    let mut gcg = Gcg::new([player(begins), player(1 - begins)], Arc::clone(&rules.distribution));
    let mut rng = randomness::generator(seed, Stream::Exchanges, pair.round);
    let mut bag = Bag::new(shuffled_bag(rules, seed, pair.round));
    let mut racks = [Rack::EMPTY; 2];
    for (seat, rack) in racks.iter_mut().enumerate() {
        bag.draw(seat, rack, rules.rack_size);
    }
    let mut position = Position::start(Arc::clone(rules));
    for (turn, taken) in (1..).zip(&record.plays) {
        let mover = position.on_turn();
        let impossible = |error| GameRecordError::BadTurn { turn, error };
        for seat in 0..2 {
            position.set_rack(seat, &Rack::EMPTY).map_err(impossible)?;
        }
        for (seat, rack) in racks.iter().enumerate() {
            position.set_rack(seat, rack).map_err(impossible)?;
        }
        let read = parse_move(&taken.play, &position).map_err(|error| GameRecordError::BadMove { turn, error })?;
        let Turn::Play(play) = read.turn else { return Err(GameRecordError::NotAPlay { turn, play: taken.play.clone() }) };
        let expected = gcg.push_play(&position, &play, &racks[mover]).map_err(|error| GameRecordError::BadPlacement { turn, error })?;
        if expected != taken.score {
            return Err(GameRecordError::WrongScore { turn, found: taken.score, expected });
        }
        racks[mover] = racks[mover].minus(&play.rack_tiles()).map_err(|tile| {
            let tile = rules.distribution.tiles_text([tile]);
            impossible(TurnError::MissingTile { tile, place: "it is not on the rack" })
        })?;
        bag.draw(mover, &mut racks[mover], rules.rack_size);
        if let Play::Exchange(given) = &play {
            bag.put_back(mover, given, |half| rng.random_range(0..=half));
        }
        position = position.after_draw(&Turn::Play(play), &racks[mover]).map_err(impossible)?;
    }
    gcg.push_end(&position);
    for (player, &points) in record.result.penalties.iter().enumerate().filter(|(_, points)| **points != 0) {
        let seat = player ^ begins;
        gcg.push_time(seat, position.rack(seat), -points);
    }
    if let Some(fault) = &record.fault {
        gcg.push_pragma("note", &format!("lost by {}, {}: {}", nicks[fault.player & 1], fault.reason.code(), fault.text));
    }
    Ok(gcg)
}
