//! Games at full speed: the generator's board is kept from turn to turn, and plays are trusted. Paired games use this, and so does static
//! self-play, in which one evaluation plays both sides for training and measurements.
//!
//! Not here: a referee (`referee.rs`). Start with [`GameLoop::play`] and [`SelfPlay`].

use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::evaluation::win_model::TilesLeft;
use crate::lexicon::word_graph::WordGraph;
use crate::match_play::bags::{Dealer, GameDraw, GameStart, shuffled_bag};
use crate::movegen::LaneBoard;
use crate::players::{GameSoFar, PastTurns, Sight, View};
use crate::rules::seat::indexed_by;
use crate::rules::units::Millipoints;
use crate::rules::{Board, BySeat, GameRules, Placement, Play, Rack, Seat, Tile};
use crate::search::board_life;
use crate::search::budget::Signals;
use crate::search::dealt_game::{DealtGame, ReturnTiles};
use crate::search::randomness::{self, Stream};
use rand::{Rng, RngExt};
use std::sync::Arc;

/// The result of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameSummary {
    /// Final scores.
    pub scores: BySeat<i32>,
    /// Turns of both players.
    pub turns: u32,
}

/// A player of a match. This is not a [`Seat`], since the players swap seats between the two games of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchPlayer {
    /// Begins the first game of a pair.
    A,
    /// Begins the second game.
    B,
}

impl MatchPlayer {
    /// Both players, in the order in which they begin games.
    pub const BOTH: [MatchPlayer; 2] = [MatchPlayer::A, MatchPlayer::B];

    /// Returns the player at a seat of the game that `begins` began.
    pub fn at(seat: Seat, begins: MatchPlayer) -> MatchPlayer {
        if seat == Seat::First { begins } else { begins.other() }
    }

    /// Returns the player's seat in the game that `begins` began.
    pub fn seat(self, begins: MatchPlayer) -> Seat {
        if self == begins { Seat::First } else { Seat::Second }
    }

    /// Returns the opponent.
    pub fn other(self) -> MatchPlayer {
        if self == MatchPlayer::A { MatchPlayer::B } else { MatchPlayer::A }
    }

    /// Returns the index in records, in which player a comes first.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A value for each player of a match. A [`Seat`] does not index it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByPlayer<T>([T; 2]);

impl<T> ByPlayer<T> {
    /// Makes the value of each player with a function.
    pub fn new(of: impl FnMut(MatchPlayer) -> T) -> ByPlayer<T> {
        ByPlayer(MatchPlayer::BOTH.map(of))
    }
}

indexed_by!(ByPlayer, MatchPlayer);

/// The players of a game, and the judge of their luck.
pub trait GameCompany {
    /// Returns what the player at this seat sees of the opponent's rack.
    fn sight(&self, seat: Seat) -> Sight;

    /// Chooses a play for the player on turn.
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay;

    /// Returns the placement that was challenged off, if the last answer was a pass for that reason.
    fn phony(&self) -> Option<Placement> {
        None
    }

    /// Whether draws are reported.
    fn watches_draws(&self) -> bool;

    /// Receives a draw that is revealed. Must leave the board as it was, except for its caches.
    fn drew(&mut self, board: &mut LaneBoard, game: &DealtGame, draw: &GameDraw);
}

/// Players who see no hidden tiles, without a judge of luck.
struct FairCompany<F>(F);

impl<F: FnMut(&mut LaneBoard, &View<'_>) -> EvaluatedPlay> GameCompany for FairCompany<F> {
    fn sight(&self, _: Seat) -> Sight {
        Sight::Fair
    }

    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        (self.0)(board, view)
    }

    fn watches_draws(&self) -> bool {
        false
    }

    fn drew(&mut self, _: &mut LaneBoard, _: &DealtGame, _: &GameDraw) {}
}

/// Plays games. Each thread has its own.
#[derive(Debug)]
pub struct GameLoop<'a> {
    rules: &'a Arc<GameRules>,
    graph: &'a WordGraph,
    /// The board for generation. Empty between two games.
    lanes: LaneBoard,
    /// The board for views, with the same tiles.
    board: Board,
    game: DealtGame,
    /// Used only while draws are watched.
    dealer: Dealer,
    past: Vec<EvaluatedPlay>,
    phonies: Vec<(usize, Placement)>,
}

impl<'a> GameLoop<'a> {
    /// Returns a loop for games by these rules with these words.
    pub fn new(rules: &'a Arc<GameRules>, graph: &'a WordGraph) -> GameLoop<'a> {
        let board = Board::empty(rules.layout.dim());
        let mut lanes = LaneBoard::new(rules, &board, graph);
        lanes.prepare(graph);
        GameLoop {
            rules,
            graph,
            lanes,
            board,
            game: DealtGame::default(),
            dealer: Dealer::default(),
            past: Vec::new(),
            phonies: Vec::new(),
        }
    }

    /// Plays game number `index` of a seed, which together determine the bag, the places of exchanged tiles and the players' random
    /// numbers. `choose` chooses for both players. Returns `None` if the signals cut the game short.
    pub fn play(
        &mut self,
        seed: u64,
        index: u64,
        signals: &Signals,
        choose: impl FnMut(&mut LaneBoard, &View<'_>) -> EvaluatedPlay,
    ) -> Option<GameSummary> {
        self.play_in(&mut FairCompany(choose), None, seed, index, signals)
    }

    /// Plays a game as [`GameLoop::play`], with any company, from this position or from the usual start.
    pub fn play_in(
        &mut self,
        company: &mut impl GameCompany,
        start: Option<&GameStart>,
        seed: u64,
        index: u64,
        signals: &Signals,
    ) -> Option<GameSummary> {
        let Some(start) = start else {
            return self.play_bag(company, None, &shuffled_bag(self.rules, seed, index), seed, index, signals);
        };
        let mut lanes = LaneBoard::new(self.rules, start.position().board(), self.graph);
        lanes.prepare(self.graph);
        let empty = std::mem::replace(&mut self.lanes, lanes);
        let summary = self.play_bag(company, Some(start), &start.shuffled_bag(seed, index), seed, index, signals);
        self.lanes = empty;
        summary
    }

    /// Plays a game as [`GameLoop::play_in`], on the lanes as they are, with a bag in this order.
    pub(super) fn play_bag(
        &mut self,
        company: &mut impl GameCompany,
        start: Option<&GameStart>,
        bag: &[Tile],
        seed: u64,
        index: u64,
        signals: &Signals,
    ) -> Option<GameSummary> {
        let mut exchanges = randomness::generator(seed, Stream::Exchanges, index);
        let players_seed = randomness::generator(seed, Stream::Players, index).next_u64();
        self.deal(start, bag);
        self.board = start.map_or_else(|| Board::empty(self.rules.layout.dim()), |start| start.position().board().clone());
        // Draws are recorded only if somebody watches them, so that ordinary games do not pay for it.
        let is_watched = company.watches_draws();
        if is_watched {
            let stated = start.map_or(&BySeat([Rack::EMPTY; 2]), GameStart::racks);
            self.dealer.start(bag);
            Seat::BOTH.into_iter().for_each(|seat| self.dealer.drew(seat, &stated[seat], &self.game.racks[seat]));
        }
        self.past.clear();
        self.phonies.clear();
        let mut kept = BySeat([Rack::EMPTY; 2]);
        let mut was_stopped = false;
        while !self.game.is_over() {
            let seat = Seat::after_turns(self.past.len());
            // The opponent's draw is revealed first, if the player sees it. The player's own draw is still hidden then, and so in its pool.
            if is_watched {
                let draws = [self.dealer.reveal_to(company.sight(seat), seat.opponent()), self.dealer.reveal(seat)];
                draws.iter().flatten().for_each(|draw| company.drew(&mut self.lanes, &self.game, draw));
            }
            // The view shows only what this seat may see.
            let game = GameSoFar {
                rules: self.rules,
                board: &self.board,
                racks: &self.game.racks,
                kept: &kept,
                scores: self.game.scores,
                in_bag: self.game.bag.len(),
                countdown: self.game.countdown(),
                past: PastTurns { start: start.map(GameStart::position), plays: &self.past, phonies: &self.phonies },
            };
            let view = View::new(&game, company.sight(seat), players_seed.wrapping_add(self.past.len() as u64), signals);
            let play = company.choose(&mut self.lanes, &view);
            was_stopped = signals.is_stopped();
            // A play that was chosen after a stop may be arbitrary, so it is not made.
            if was_stopped {
                break;
            }
            self.phonies.extend(company.phony().map(|placement| (self.past.len(), placement)));
            if let Some(placement) = play.play.placement() {
                self.lanes.play(placement, self.graph);
                placement.put_on(&mut self.board);
            }
            // The dealer repeats the random choices with which exchanged tiles were put back.
            let mut again = exchanges.clone();
            kept[seat] = self.game.take_turn(self.rules, seat, &play, ReturnTiles::SameSide, &mut exchanges);
            // Only a placement can make the board dead.
            if play.play.placement().is_some() && board_life::ends_game(self.rules, &mut self.lanes, self.graph) {
                self.game.end_without_plays(self.rules);
            }
            if is_watched {
                self.dealer.drew(seat, &kept[seat], &self.game.racks[seat]);
                if let Play::Exchange(given) = &play.play {
                    self.dealer.put_back(seat, given, |half| again.random_range(0..=half));
                }
            }
            self.past.push(play);
        }
        // PERF: undoing the plays costs less than a new board, and keeps the memory for anchors.
        self.past.iter().filter(|play| play.play.placement().is_some()).for_each(|_| self.lanes.undo());
        (!was_stopped).then(|| GameSummary { scores: self.scores(), turns: self.past.len() as u32 })
    }

    /// Sets racks and scores for the start. Both players draw from their ends of the bag.
    fn deal(&mut self, start: Option<&GameStart>, bag: &[Tile]) {
        let Some(start) = start else { return self.game.start(self.rules, bag) };
        let position = start.position();
        self.game.deal(start.racks().0, bag, 0, position.countdown());
        self.game.scores = position.scores();
        Seat::BOTH.into_iter().for_each(|seat| self.game.bag.draw(seat, &mut self.game.racks[seat], self.rules.rack_size));
    }

    /// Returns the scores of the last game, even if it was cut short.
    pub fn scores(&self) -> BySeat<i32> {
        self.game.scores
    }

    /// Returns the plays of the last game in order.
    pub fn plays(&self) -> &[EvaluatedPlay] {
        &self.past
    }
}

/// A turn before its play: everything that bears on its value, except for the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnBefore {
    /// The seat on turn.
    pub seat: Seat,
    /// Tiles left, as the player on turn sees them.
    pub left: TilesLeft,
    /// The score of the player on turn minus the opponent's.
    pub spread: i32,
    /// The leave value of the player on turn after the player's last turn, minus the opponent's.
    /// A player who has not had a turn counts as 0.
    pub leaves_lead: Millipoints,
}

/// Plays static games. Each thread has its own.
#[derive(Debug)]
pub struct SelfPlay<'a> {
    games: GameLoop<'a>,
    eval: StaticEval<'a>,
}

impl<'a> SelfPlay<'a> {
    /// Returns games by these rules between players with this evaluation.
    pub fn new(rules: &'a Arc<GameRules>, graph: &'a WordGraph, eval: StaticEval<'a>) -> SelfPlay<'a> {
        SelfPlay { games: GameLoop::new(rules, graph), eval }
    }

    /// Plays game number `index` of a seed.
    pub fn play(&mut self, seed: u64, index: u64) -> GameSummary {
        self.play_watched(seed, index, |_| {})
    }

    /// Plays game number `index` of a seed, and shows every turn to `watch` before it is played.
    pub fn play_watched(&mut self, seed: u64, index: u64, mut watch: impl FnMut(TurnBefore)) -> GameSummary {
        let eval = &mut self.eval;
        let mut leaves = BySeat([Millipoints::ZERO; 2]);
        let summary = self.games.play(seed, index, &Signals::default(), |board, view| {
            let seat = view.seat;
            watch(TurnBefore { seat, left: view.tiles_left(), spread: view.scores.lead(seat), leaves_lead: leaves.lead(seat) });
            let play = eval.best(board, &view.tiles);
            let kept = view.tiles.rack.minus(&play.play.rack_tiles()).expect("a play uses tiles of its rack");
            leaves[seat] = eval.leaves().value(&kept);
            play
        });
        summary.expect("nobody stops the game")
    }
}
