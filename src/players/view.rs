//! The part of a game that a player sees before a turn: a [`View`]. The opponent's rack is hidden until the bag is empty. A few kinds of
//! players see more ([`Sight`]), to measure the worth of this knowledge.
//!
//! Not here: the whole game with both racks (`match_play/`). Start with [`View::new`].

use crate::evaluation::static_eval::{EvaluatedPlay, StaticTurn};
use crate::evaluation::win_model::TilesLeft;
use crate::evaluation::zero_turns::EndInSight;
use crate::players::clock::Clock;
use crate::rules::{Board, BySeat, Countdown, GameRules, Placement, Play, Position, Rack, Seat, Turn};
use crate::search::SearchPosition;
use crate::search::budget::Signals;
use crate::search::inference::ObservedTurn;
use std::sync::Arc;

/// How much a player sees of the opponent's rack while there are tiles in the bag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sight {
    /// Nothing, as in the rules.
    #[default]
    Fair,
    /// The tiles that the opponent kept on their last turn, without those drawn since.
    LastLeave,
    /// All tiles.
    Whole,
}

/// The position as the player on turn sees it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The game's rules.
    pub rules: &'a Arc<GameRules>,
    /// The tiles on the board.
    pub board: &'a Board,
    /// The seat on turn.
    pub seat: Seat,
    /// The racks as the rules show them, and the tiles in the bag. The opponent's rack is shown empty until the bag is empty.
    pub tiles: StaticTurn<'a>,
    /// The part of the opponent's rack that the player sees. It is more than `tiles` show only for players whose [`Sight`] goes further.
    pub seen: &'a Rack,
    /// Number of tiles on the opponent's rack.
    pub other_tiles: usize,
    /// Points of each player.
    pub scores: BySeat<i32>,
    /// The counts of turns that end the game.
    pub countdown: Countdown,
    /// The seed of the player's random numbers on this turn. It is the same in both games of a pair.
    pub seed: u64,
    /// The player's clock, if the game has clocks.
    pub clock: Option<Clock>,
    /// The signals that stop the turn when its time is over, and the best play known is due. They also stop it when the game is given
    /// up; then the answer does not matter.
    pub signals: &'a Signals,
    past: Past<'a>,
}

/// The turns before a view.
#[derive(Clone, Copy, Debug)]
enum Past<'a> {
    /// All turns of a game.
    Game(PastTurns<'a>),
    /// The opponent's turns, as they were observed.
    Observed(&'a [ObservedTurn]),
}

/// A game before a turn, as its runner sees it.
#[derive(Debug)]
pub struct GameSoFar<'a> {
    /// The game's rules.
    pub rules: &'a Arc<GameRules>,
    /// The tiles on the board.
    pub board: &'a Board,
    /// The tiles that each player holds.
    pub racks: &'a BySeat<Rack>,
    /// The tiles that each player kept on their last turn.
    pub kept: &'a BySeat<Rack>,
    /// Points of each player.
    pub scores: BySeat<i32>,
    /// Tiles in the bag.
    pub in_bag: usize,
    /// The counts of turns that end the game.
    pub countdown: Countdown,
    /// All turns so far.
    pub past: PastTurns<'a>,
}

/// The turns of a game so far. The first seat began.
#[derive(Clone, Copy, Debug, Default)]
pub struct PastTurns<'a> {
    /// The position that the game began from, without racks, if the board was not empty.
    pub start: Option<&'a Position>,
    /// All plays. A play that was challenged off is a pass here.
    pub plays: &'a [EvaluatedPlay],
    /// The plays that were challenged off, with the numbers of their turns, from 0.
    pub phonies: &'a [(usize, Placement)],
}

#[cfg(test)]
impl<'a> GameSoFar<'a> {
    /// Returns a game before its first turn, with these racks and this many tiles in the bag.
    pub fn without_turns(rules: &'a Arc<GameRules>, board: &'a Board, racks: &'a BySeat<Rack>, in_bag: usize) -> GameSoFar<'a> {
        let past = PastTurns::default();
        GameSoFar {
            rules,
            board,
            racks,
            kept: &BySeat([Rack::EMPTY; 2]),
            scores: BySeat([0; 2]),
            in_bag,
            countdown: Countdown::default(),
            past,
        }
    }
}

impl<'a> View<'a> {
    /// Returns the view of the player on turn, who has this sight.
    pub fn new(game: &GameSoFar<'a>, sight: Sight, seed: u64, signals: &'a Signals) -> View<'a> {
        let seat = Seat::after_turns(game.past.plays.len());
        let other_rack = if game.in_bag == 0 { &game.racks[seat.opponent()] } else { &Rack::EMPTY };
        let seen = match sight {
            Sight::LastLeave if game.in_bag > 0 => &game.kept[seat.opponent()],
            Sight::Whole if game.in_bag > 0 => &game.racks[seat.opponent()],
            Sight::Fair | Sight::LastLeave | Sight::Whole => other_rack,
        };
        View {
            rules: game.rules,
            board: game.board,
            seat,
            tiles: StaticTurn::new(&game.racks[seat], other_rack, game.in_bag),
            seen,
            other_tiles: game.racks[seat.opponent()].len(),
            scores: game.scores,
            countdown: game.countdown,
            seed,
            clock: None,
            signals,
            past: Past::Game(game.past),
        }
    }

    /// Returns the view of the player on turn in a position by itself. It shows the known tiles of the opponent's rack.
    pub fn of_position(position: &'a Position, opponents_turns: &'a [ObservedTurn], seed: u64, signals: &'a Signals) -> View<'a> {
        let seat = position.on_turn();
        let other_rack = if position.in_bag() == 0 { position.opponent_rack() } else { &Rack::EMPTY };
        View {
            rules: position.rules(),
            board: position.board(),
            seat,
            tiles: StaticTurn::new(position.mover_rack(), other_rack, position.in_bag()),
            seen: position.opponent_rack(),
            other_tiles: position.opponent_tiles(),
            scores: position.scores(),
            countdown: position.countdown(),
            seed,
            clock: None,
            signals,
            past: Past::Observed(opponents_turns),
        }
    }

    /// Returns the same view with this clock and these signals.
    pub fn timed<'b>(&'b self, clock: Option<Clock>, signals: &'b Signals) -> View<'b> {
        View { clock, signals, ..*self }
    }

    pub fn tiles_left(&self) -> TilesLeft {
        TilesLeft { in_bag: self.tiles.in_bag, own_rack: self.tiles.rack.len(), other_rack: self.other_tiles }
    }

    /// Iterates over all turns of the game so far with their scores, in order. The opponent's exchanges have only their number of tiles.
    /// A view of a position by itself has no turns.
    pub fn history(&self) -> impl Iterator<Item = (Turn, i32)> + '_ {
        let PastTurns { plays, phonies, .. } = if let Past::Game(past) = self.past { past } else { PastTurns::default() };
        let phony = |at: usize| phonies.iter().find(|(turn, _)| *turn == at).map(|(_, placement)| *placement);
        plays.iter().enumerate().map(move |(at, taken)| match taken.play {
            Play::Pass if let Some(placement) = phony(at) => (Turn::Phony(placement), 0),
            Play::Exchange(tiles) if Seat::after_turns(at) != self.seat => (Turn::ExchangeUnknown(tiles.len()), 0),
            play => (Turn::Play(play), taken.score),
        })
    }

    /// Returns the position before the first turn of [`View::history`], without racks.
    pub fn start(&self) -> Position {
        match self.past {
            Past::Game(PastTurns { start: Some(start), .. }) => start.clone(),
            Past::Game(_) | Past::Observed(_) => Position::start(Arc::clone(self.rules)),
        }
    }

    /// Returns the opponent's turns so far, each with the position before it as this player saw it.
    ///
    /// # Panics
    /// If the turns were not possible.
    pub fn opponents_turns(&self) -> Vec<ObservedTurn> {
        if let Past::Observed(turns) = self.past {
            return turns.to_vec();
        }
        let mut position = self.start();
        let game: Vec<(Position, Turn)> = self
            .history()
            .map(|(turn, _)| {
                let after = position.after(&turn).expect("the game was played");
                (std::mem::replace(&mut position, after), turn)
            })
            .collect();
        let turns = ObservedTurn::of_game(self.seat.opponent(), game.iter().map(|(before, turn)| (before, *turn)));
        turns.expect("the game was played")
    }

    /// Returns the opponent's turns, if this is a view of a position by itself.
    pub fn observed_turns(&self) -> Option<&[ObservedTurn]> {
        if let Past::Observed(turns) = self.past { Some(turns) } else { None }
    }

    /// Returns the seed of the traits that a player keeps throughout a game. In a match, where the seeds of turns follow each other, it is
    /// the same on all turns. In a single position it is the seed of the turn.
    pub fn game_seed(&self) -> u64 {
        match self.past {
            Past::Game(PastTurns { plays, .. }) => self.seed.wrapping_sub(plays.len() as u64),
            Past::Observed(_) => self.seed,
        }
    }

    /// Returns the tiles in the bag and on the opponent's rack.
    ///
    /// # Panics
    /// If board and rack hold more of a tile than the game has.
    pub fn unseen(&self) -> Rack {
        let placed: Rack = self.board.tiles().map(|(_, tile)| tile.rack_tile()).collect();
        let seen = placed.plus(self.tiles.rack);
        Rack::full_bag(&self.rules.distribution).minus(&seen).expect("the tiles are the game's")
    }

    /// Returns the end of the game, if a turn without points brings it now or after this turn.
    ///
    /// # Panics
    /// As [`View::unseen`].
    pub fn end_in_sight(&self) -> Option<EndInSight<'_>> {
        let lead = self.scores.lead(self.seat);
        EndInSight::new(self.rules, self.countdown, lead, &self.tiles, *self.seen, || self.unseen().without(self.seen))
    }

    /// Returns the position for a search, in which the mover has the first seat.
    ///
    /// # Panics
    /// If board and racks hold more of a tile than the game has.
    pub fn position(&self) -> Position {
        let racks = [*self.tiles.rack, *self.seen];
        let scores = self.scores.own_first(self.seat);
        Position::of_parts(Arc::clone(self.rules), self.board.clone(), racks, scores, self.countdown).expect("the tiles are the game's")
    }

    /// Returns the position ready to be searched.
    ///
    /// # Panics
    /// As [`View::position`]; and if the game is over.
    pub fn searchable(&self) -> SearchPosition {
        SearchPosition::new(self.position()).expect("a player is asked while the game goes on, and sees the rack")
    }
}
