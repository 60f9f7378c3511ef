//! Replays the games of a journal from moves and bags, as GCG records and as CGP positions.
//!
//! Not here: the journal's lines (`record.rs`). Start with [`game_record`].

use crate::formats::cgp::{self, Opcodes};
use crate::formats::gcg::{Gcg, GcgPlayer};
use crate::match_play::bags::{GameStart, shuffled_bag};
use crate::match_play::game::MatchPlayer;
use crate::rules::notation::{MoveError, parse_move};
use crate::rules::scoring::PlacementError;
use crate::rules::{BySeat, GameRules, Play, Position, Rack, Seat, Turn, TurnError, scoring};
use crate::search::bag::Bag;
use crate::search::randomness::{self, Stream};
use crate::tournament::record::{PairRecord, TurnRecord};
use rand::RngExt;
use std::sync::Arc;
use thiserror::Error;

/// Why a game of a journal cannot be replayed.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum GameRecordError {
    /// A text that is not a move in this position.
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
    /// An exchange of unknown tiles.
    #[error("turn {turn}: {play} does not name the tiles")]
    NotAPlay {
        /// 1-based turn.
        turn: usize,
        /// The text.
        play: String,
    },
    /// A game that began in the middle.
    #[error("the game began in the middle: write its positions as CGP, since a GCG record cannot show that")]
    FromTheMiddle,
    /// A score that differs from the rules.
    #[error("turn {turn}: the journal has {found} points, expected {expected} by the rules")]
    WrongScore {
        /// 1-based turn.
        turn: usize,
        /// The points in the journal.
        found: i32,
        /// The points by the rules.
        expected: i32,
    },
}

/// A game of a journal, replayed.
#[derive(Clone, Debug)]
pub struct ReplayedGame {
    /// Each turn with the position before it, including both racks.
    pub turns: Vec<(Position, Turn)>,
    /// The position after the last turn.
    pub last: Position,
}

impl ReplayedGame {
    /// Replays a game (0 or 1) of a pair from its start, which is the usual one or the position in the pair's record.
    ///
    /// # Errors
    /// The first impossible turn.
    pub fn new(
        rules: &Arc<GameRules>,
        start: Option<&GameStart>,
        seed: u64,
        pair: &PairRecord,
        game: usize,
    ) -> Result<ReplayedGame, GameRecordError> {
        let mut rng = randomness::generator(seed, Stream::Exchanges, pair.deal);
        let mut bag = Bag::new(start.map_or_else(|| shuffled_bag(rules, seed, pair.deal), |start| start.shuffled_bag(seed, pair.deal)));
        let mut racks = start.map_or(BySeat([Rack::EMPTY; 2]), |start| *start.racks());
        for seat in Seat::BOTH {
            bag.draw(seat, &mut racks[seat], rules.rack_size);
        }
        let mut position = start.map_or_else(|| Position::start(Arc::clone(rules)), |start| start.position().clone());
        let mut turns = Vec::new();
        for (turn, taken) in (1..).zip(&pair.games[game & 1].plays) {
            let mover = position.on_turn();
            let impossible = |error| GameRecordError::BadTurn { turn, error };
            set_racks(&mut position, &racks).map_err(impossible)?;
            let played = read_turn(&position, taken, turn)?;
            if let Turn::Play(play) = &played {
                racks[mover] = racks[mover].minus(&play.rack_tiles()).map_err(|tile| {
                    let tile = rules.distribution.tiles_text([tile]);
                    impossible(TurnError::MissingTile { tile, place: "it is not on the rack" })
                })?;
                bag.draw(mover, &mut racks[mover], rules.rack_size);
                if let Play::Exchange(given) = play {
                    bag.put_back(mover, given, |half| rng.random_range(0..=half));
                }
            }
            let next = position.after_draw(&played, &racks[mover]).map_err(impossible)?;
            turns.push((std::mem::replace(&mut position, next), played));
        }
        if position.end().is_none() {
            let turn = turns.len() + 1;
            set_racks(&mut position, &racks).map_err(|error| GameRecordError::BadTurn { turn, error })?;
        }
        Ok(ReplayedGame { turns, last: position })
    }
}

/// Sets both racks. Both are emptied first, so that the tiles of one cannot conflict with the other.
fn set_racks(position: &mut Position, racks: &BySeat<Rack>) -> Result<(), TurnError> {
    Seat::BOTH.into_iter().try_for_each(|seat| position.set_rack(seat, &Rack::EMPTY))?;
    Seat::BOTH.into_iter().try_for_each(|seat| position.set_rack(seat, &racks[seat]))
}

/// Reads the turn that the journal records, with its score.
fn read_turn(position: &Position, taken: &TurnRecord, turn: usize) -> Result<Turn, GameRecordError> {
    let read = parse_move(&taken.play, position).map_err(|error| GameRecordError::BadMove { turn, error })?.turn;
    let expected = match &read {
        Turn::Play(Play::Place(placement)) => {
            let scored = scoring::score_placement(position.rules(), position.board(), placement);
            scored.map_err(|error| GameRecordError::BadPlacement { turn, error })?.score
        }
        Turn::Play(Play::Exchange(_) | Play::Pass) | Turn::Phony(_) => 0,
        Turn::ExchangeUnknown(_) => return Err(GameRecordError::NotAPlay { turn, play: taken.play.clone() }),
    };
    if expected != taken.score {
        return Err(GameRecordError::WrongScore { turn, found: taken.score, expected });
    }
    Ok(read)
}

/// Returns a game (0 or 1) of a pair as a GCG record. A note reports the fault that ended it. `names` are those of players a and b.
///
/// # Errors
/// The first impossible turn, or a game that began in the middle, which a record cannot show.
pub fn game_record(rules: &Arc<GameRules>, seed: u64, pair: &PairRecord, game: usize, names: [&str; 2]) -> Result<Gcg, GameRecordError> {
    if pair.start.is_some() {
        return Err(GameRecordError::FromTheMiddle);
    }
    let begins = MatchPlayer::BOTH[game & 1];
    let record = &pair.games[begins.index()];
    let nicks = ["a", "b"];
    let named = |player: MatchPlayer| GcgPlayer { nick: nicks[player.index()].to_string(), name: names[player.index()].to_string() };
    let mut gcg = Gcg::new([named(begins), named(begins.other())], Arc::clone(&rules.distribution));
    let ReplayedGame { turns, last } = ReplayedGame::new(rules, None, seed, pair, game)?;
    for (turn, (position, played)) in (1..).zip(&turns) {
        gcg.push_turn(position, played, position.mover_rack()).map_err(|error| GameRecordError::BadPlacement { turn, error })?;
    }
    gcg.push_end(&last);
    for (player, points) in MatchPlayer::BOTH.into_iter().zip(record.result.penalties).filter(|(_, points)| *points != 0) {
        let seat = player.seat(begins);
        gcg.push_time(seat, last.rack(seat), -points);
    }
    if let Some(fault) = &record.fault {
        gcg.push_pragma("note", &format!("lost by {}, {}: {}", nicks[fault.player & 1], fault.reason.code(), fault.text));
    }
    Ok(gcg)
}

/// Returns the positions of a game (0 or 1) of a pair as CGP, one a line with both racks: before every turn,
/// and after the last.
///
/// # Errors
/// The first impossible turn.
pub fn game_positions(
    rules: &Arc<GameRules>,
    start: Option<&GameStart>,
    seed: u64,
    pair: &PairRecord,
    game: usize,
    opcodes: &Opcodes,
) -> Result<Vec<String>, GameRecordError> {
    let ReplayedGame { turns, last } = ReplayedGame::new(rules, start, seed, pair, game)?;
    Ok(turns.iter().map(|(position, _)| position).chain([&last]).map(|position| cgp::print(position, opcodes)).collect())
}
