//! A game's rules as one value, and a position with its turns: who is to move, what is known of the racks, how it ends.
//!
//! Not here: the order of the tiles in the bag (a match has one, a position does not) and the words.
//! Start with [`GameRules`] and [`Position::after`]. A position is a small value: undo is keeping the old one.

use crate::rules::board::Board;
use crate::rules::distribution::LetterDistribution;
use crate::rules::layout::Layout;
use crate::rules::play::Play;
use crate::rules::rack::Rack;
use crate::rules::scoring::{self, PlacementError};
use crate::rules::tiles::Tile;
use std::sync::Arc;
use thiserror::Error;

/// What the players play for and with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Variant {
    /// The higher score wins; the letters of a word stand in its order.
    #[default]
    Classic,
    /// The letters of a word may stand in any order.
    Wordsmog,
    /// The lower score wins.
    Misere,
}

/// What a challenge costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ChallengeRule {
    /// Only words of the lexicon can be played.
    #[default]
    Void,
    /// A wrong challenge costs nothing.
    Single,
    /// A wrong challenge costs the turn.
    Double,
    /// A wrong challenge costs the game.
    Triple,
    /// A wrong challenge costs 5 points.
    FivePoint,
    /// A wrong challenge costs 10 points.
    TenPoint,
}

/// Everything that is fixed before the first turn. Shared by all positions of a game.
#[derive(Clone, Debug)]
pub struct GameRules {
    /// Alphabet, tile counts and values.
    pub distribution: Arc<LetterDistribution>,
    /// Premium squares.
    pub layout: Arc<Layout>,
    /// Points for placing a whole rack.
    pub bingo_bonus: i32,
    /// Tiles on a full rack.
    pub rack_size: usize,
    /// Tiles that must be in the bag for an exchange (CGP `etl`).
    pub exchange_limit: usize,
    /// Successive turns without points that end the game (CGP `mcnz`).
    pub max_zero_turns: u32,
    /// What wins.
    pub variant: Variant,
    /// What a challenge costs.
    pub challenge_rule: ChallengeRule,
}

impl GameRules {
    /// The usual numbers (bonus 50, racks of 7, exchanges down to 7 in the bag, six zeros) on this board with these tiles.
    pub fn standard(distribution: Arc<LetterDistribution>, layout: Arc<Layout>) -> GameRules {
        GameRules {
            distribution,
            layout,
            bingo_bonus: 50,
            rack_size: 7,
            exchange_limit: 7,
            max_zero_turns: 6,
            variant: Variant::Classic,
            challenge_rule: ChallengeRule::Void,
        }
    }
}

/// One of the two players: 0 or 1. In a position read from CGP, 0 is the player listed first.
pub type Seat = usize;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// This player had no tiles left when the bag was empty.
    WentOut(Seat),
    /// Too many successive turns without points.
    ZeroTurns,
    /// The match runner said so.
    Declared,
}

/// Why a turn is not possible.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum TurnError {
    /// Against the rules of placing tiles.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// The tiles are elsewhere.
    #[error("there is no {tile} for this play: {place}")]
    MissingTile {
        /// The tile, as text.
        tile: String,
        /// Where it was looked for.
        place: &'static str,
    },
    /// More tiles than a rack holds.
    #[error("{found} tiles, a rack holds {rack_size}")]
    TooManyTiles {
        /// Tiles in the text.
        found: usize,
        /// Tiles on a full rack.
        rack_size: usize,
    },
    /// The bag is too small for an exchange.
    #[error("{in_bag} tiles in the bag, an exchange needs {limit}")]
    ExchangeLimit {
        /// Tiles in the bag.
        in_bag: usize,
        /// Tiles needed.
        limit: usize,
    },
    /// An exchange of nothing.
    #[error("an exchange needs at least one tile: say `pass`")]
    EmptyExchange,
    /// No turn after the end.
    #[error("the game is over")]
    GameOver,
}

/// A turn as it was taken: also those of which not everything is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A play that stands.
    Play(Play),
    /// An exchange of this many unknown tiles.
    ExchangeUnknown(usize),
    /// A play that was challenged off the board: no points, the tiles go back to the rack.
    Phony(crate::rules::play::Placement),
}

/// A position: the board, what is known of the racks, the scores, whose turn it is.
#[derive(Clone, Debug)]
pub struct Position {
    rules: Arc<GameRules>,
    board: Board,
    racks: [Rack; 2],
    scores: [i32; 2],
    on_turn: Seat,
    zero_turns: u32,
    end: Option<GameEnd>,
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        (&self.board, &self.racks, self.scores, self.on_turn, self.zero_turns, self.end)
            == (&other.board, &other.racks, other.scores, other.on_turn, other.zero_turns, other.end)
    }
}

impl Position {
    /// The start of a game, racks unknown.
    pub fn start(rules: Arc<GameRules>) -> Position {
        let board = Board::empty(rules.layout.dim());
        Position { rules, board, racks: [Rack::EMPTY; 2], scores: [0; 2], on_turn: 0, zero_turns: 0, end: None }
    }

    /// Any position, player 0 on turn. `racks` hold the known tiles; an empty rack is an unknown one.
    ///
    /// # Errors
    /// More tiles of a kind, or on a rack, than there are.
    pub fn new(rules: Arc<GameRules>, board: Board, racks: [Rack; 2], scores: [i32; 2], zero_turns: u32) -> Result<Position, TurnError> {
        let mut position = Position { rules, board, racks: [Rack::EMPTY; 2], scores, on_turn: 0, zero_turns, end: None };
        for (seat, rack) in racks.iter().enumerate() {
            position.set_rack(seat, rack)?;
        }
        position.tiles_off_board()?;
        if zero_turns >= position.rules.max_zero_turns {
            position.end = Some(GameEnd::ZeroTurns);
        } else if position.board_is_used() && position.in_bag() == 0 {
            let unknown = position.unknown();
            if let Some(seat) = (0..2).find(|&seat| position.racks[seat].is_empty() && unknown.is_empty()) {
                position.end = Some(GameEnd::WentOut(seat));
            }
        }
        Ok(position)
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<GameRules> {
        &self.rules
    }

    /// The tiles on the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The player on turn.
    pub fn on_turn(&self) -> Seat {
        self.on_turn
    }

    /// Known tiles of a player.
    pub fn rack(&self, seat: Seat) -> &Rack {
        &self.racks[seat]
    }

    /// Known tiles of the player on turn.
    pub fn mover_rack(&self) -> &Rack {
        &self.racks[self.on_turn]
    }

    /// Known tiles of the other player.
    pub fn opponent_rack(&self) -> &Rack {
        &self.racks[1 - self.on_turn]
    }

    /// A player's score.
    pub fn score(&self, seat: Seat) -> i32 {
        self.scores[seat]
    }

    /// The mover's score less the other's.
    pub fn spread(&self) -> i32 {
        self.scores[self.on_turn] - self.scores[1 - self.on_turn]
    }

    /// Successive turns without points up to now.
    pub fn zero_turns(&self) -> u32 {
        self.zero_turns
    }

    /// How the game ended, if it did. The scores then include the final adjustments.
    pub fn end(&self) -> Option<GameEnd> {
        self.end
    }

    /// Ends the game as it stands.
    pub fn declare_over(&mut self) {
        self.end.get_or_insert(GameEnd::Declared);
    }

    fn board_is_used(&self) -> bool {
        !self.board.is_empty()
    }

    fn tiles_off_board(&self) -> Result<Rack, TurnError> {
        let on_board: Rack = self.board.tiles().map(|(_, tile)| tile.rack_tile()).collect();
        let full = Rack::full_bag(&self.rules.distribution);
        let missing = |tile, place| TurnError::MissingTile { tile: self.rules.distribution.tiles_text([tile]), place };
        full.minus(&on_board).map_err(|tile| missing(tile, "the board holds more of it than the game has"))
    }

    /// Tiles neither on the board nor on a known rack.
    pub fn unknown(&self) -> Rack {
        let rest = self.tiles_off_board().unwrap_or_default();
        let rest = rest.minus(&self.racks[0]).unwrap_or_default();
        rest.minus(&self.racks[1]).unwrap_or_default()
    }

    /// Tiles that the player on turn does not see: the bag and the other rack.
    pub fn unseen(&self) -> Rack {
        self.unknown().plus(self.opponent_rack())
    }

    /// Tiles on the other player's rack, known or not.
    pub fn opponent_tiles(&self) -> usize {
        self.unseen().len().min(self.rules.rack_size)
    }

    /// Tiles in the bag. A mover with an unknown rack is taken to hold a full one.
    pub fn in_bag(&self) -> usize {
        let own = if self.mover_rack().is_empty() { self.rules.rack_size } else { 0 };
        self.unseen().len().saturating_sub(self.rules.rack_size + own)
    }

    /// Says what is known of a player's rack; an empty rack for nothing.
    ///
    /// # Errors
    /// More tiles than a rack holds, or tiles that are on the board or the other rack. The old rack then stays.
    pub fn set_rack(&mut self, seat: Seat, rack: &Rack) -> Result<(), TurnError> {
        if rack.len() > self.rules.rack_size {
            return Err(TurnError::TooManyTiles { found: rack.len(), rack_size: self.rules.rack_size });
        }
        let missing = |tile| TurnError::MissingTile {
            tile: self.rules.distribution.tiles_text([tile]),
            place: "all of them are on the board or the other rack",
        };
        let free = self.tiles_off_board()?.minus(&self.racks[1 - seat]).map_err(missing)?;
        free.minus(rack).map_err(missing)?;
        self.racks[seat] = *rack;
        Ok(())
    }

    /// The position after a turn. A mover whose rack is only partly known may play any tile that is not seen elsewhere.
    ///
    /// Tiles the mover keeps stay known; he draws unknown ones. When the game ends, the scores are adjusted as far as racks are known.
    ///
    /// # Errors
    /// What the rules forbid. Words are not checked.
    pub fn after(&self, turn: &Turn) -> Result<Position, TurnError> {
        if self.end.is_some() {
            return Err(TurnError::GameOver);
        }
        let mut next = self.clone();
        let mover = self.on_turn;
        let in_bag = self.in_bag();
        let mut gained = 0;
        match turn {
            Turn::Play(Play::Pass) => {}
            Turn::Phony(placement) => {
                scoring::score_placement(&self.rules, &self.board, placement)?;
                self.rest_after(&placement.rack_tiles())?;
            }
            Turn::ExchangeUnknown(count) => self.check_exchange(*count, in_bag)?,
            Turn::Play(Play::Exchange(tiles)) => {
                self.check_exchange(tiles.len(), in_bag)?;
                next.racks[mover] = self.rest_after(tiles)?;
            }
            Turn::Play(Play::Place(placement)) => {
                gained = scoring::score_placement(&self.rules, &self.board, placement)?.score;
                next.racks[mover] = self.rest_after(&placement.rack_tiles())?;
                for (square, tile) in placement.placed() {
                    next.board.set(square, Some(tile));
                }
            }
        }
        if let Turn::ExchangeUnknown(_) = turn {
            next.racks[mover] = Rack::EMPTY;
        }
        next.scores[mover] += gained;
        next.zero_turns = if gained == 0 { self.zero_turns + 1 } else { 0 };
        next.on_turn = 1 - mover;
        let tiles_held = if self.mover_rack().is_empty() { self.rules.rack_size } else { self.mover_rack().len() };
        let placed_all = matches!(turn, Turn::Play(Play::Place(placement)) if placement.tile_count() >= tiles_held);
        if placed_all && in_bag == 0 {
            next.end = Some(GameEnd::WentOut(mover));
            next.scores[mover] += 2 * next.unknown().plus(&next.racks[1 - mover]).value(&self.rules.distribution);
        } else if next.zero_turns >= self.rules.max_zero_turns {
            next.end = Some(GameEnd::ZeroTurns);
            next.deduce_racks();
            for seat in 0..2 {
                next.scores[seat] -= next.racks[seat].value(&self.rules.distribution);
            }
        }
        Ok(next)
    }

    /// With an empty bag, gives the tiles nobody has accounted for to the one player whose rack is unknown.
    pub fn deduce_racks(&mut self) {
        let unknown = self.unknown();
        let room = |rack: &Rack| self.rules.rack_size - rack.len();
        let unfilled: Vec<Seat> = (0..2).filter(|&seat| room(&self.racks[seat]) > 0).collect();
        if unknown.is_empty() || unknown.len() > self.rules.rack_size {
            return;
        }
        // The player on turn has as many tiles as are known of him, if any are: the rest is the opponent's.
        let seat = match unfilled[..] {
            [seat] => seat,
            [0, 1] if !self.mover_rack().is_empty() => 1 - self.on_turn,
            [0, 1] if !self.opponent_rack().is_empty() => self.on_turn,
            _ => return,
        };
        if unknown.len() <= room(&self.racks[seat]) {
            self.racks[seat] = self.racks[seat].plus(&unknown);
        }
    }

    /// Points given or taken outside a play (a challenge bonus, an overtime penalty).
    pub fn adjust_score(&mut self, seat: Seat, points: i32) {
        self.scores[seat] += points;
    }

    /// The player on turn loses it, as after a wrong challenge: a turn without points.
    pub fn lose_turn(&mut self) {
        self.on_turn = 1 - self.on_turn;
        self.zero_turns += 1;
    }

    fn check_exchange(&self, count: usize, in_bag: usize) -> Result<(), TurnError> {
        if count == 0 {
            return Err(TurnError::EmptyExchange);
        }
        if count > self.rules.rack_size {
            return Err(TurnError::TooManyTiles { found: count, rack_size: self.rules.rack_size });
        }
        if in_bag < self.rules.exchange_limit || in_bag < count {
            return Err(TurnError::ExchangeLimit { in_bag, limit: self.rules.exchange_limit.max(count) });
        }
        Ok(())
    }

    /// The mover's known tiles without those played; tiles he is not known to hold must be unknown ones.
    fn rest_after(&self, played: &Rack) -> Result<Rack, TurnError> {
        let text = |tile: Tile| self.rules.distribution.tiles_text([tile]);
        let mut rest = *self.mover_rack();
        let mut free = self.unknown();
        let mut room = self.rules.rack_size - rest.len();
        if self.in_bag() == 0 && !rest.is_empty() {
            room = 0;
        }
        for tile in played.tiles() {
            if rest.remove(tile) {
                continue;
            }
            if room == 0 {
                return Err(TurnError::MissingTile { tile: text(tile), place: "it is not on the rack" });
            }
            if !free.remove(tile) {
                return Err(TurnError::MissingTile { tile: text(tile), place: "all of them are on the board or on racks" });
            }
            room -= 1;
        }
        Ok(rest)
    }
}
