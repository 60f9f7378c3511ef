//! One game at full speed: the generator's board is kept from turn to turn, and plays are trusted. Self-play and paired games use it.
//!
//! Not here: a referee (`referee.rs`). Start with [`GameLoop::play`].

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::lexicon::word_graph::WordGraph;
use crate::match_play::bags::shuffled_bag;
use crate::movegen::LaneBoard;
use crate::players::{GameSoFar, View};
use crate::rules::{Board, GameRules};
use crate::search::budget::Signals;
use crate::search::dealt_game::{DealtGame, Places};
use crate::search::randomness::{self, Stream};
use rand::Rng;
use std::sync::Arc;

/// How a game went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameSummary {
    /// Final scores by seat.
    pub scores: [i32; 2],
    /// Turns of both players.
    pub turns: u32,
    /// Bingos by seat.
    pub bingos: [u32; 2],
}

/// Plays games. Each thread has its own.
#[derive(Debug)]
pub struct GameLoop<'a> {
    rules: &'a Arc<GameRules>,
    graph: &'a WordGraph,
    /// Empty between two games.
    board: LaneBoard,
    game: DealtGame,
    past: Vec<EvaluatedPlay>,
}

impl<'a> GameLoop<'a> {
    /// Games by these rules with these words.
    pub fn new(rules: &'a Arc<GameRules>, graph: &'a WordGraph) -> GameLoop<'a> {
        let mut board = LaneBoard::new(rules, &Board::empty(rules.layout.dim()), graph);
        board.prepare(graph);
        GameLoop { rules, graph, board, game: DealtGame::default(), past: Vec::new() }
    }

    /// Plays game number `index` of a seed. The bag, the places of exchanged tiles and the players' random numbers follow from
    /// these two. `choose` answers for both players. `None` if the signals cut the game short.
    pub fn play(
        &mut self,
        seed: u64,
        index: u64,
        signals: &Signals,
        mut choose: impl FnMut(&mut LaneBoard, &View<'_>) -> EvaluatedPlay,
    ) -> Option<GameSummary> {
        let mut exchanges = randomness::generator(seed, Stream::Exchanges, index);
        let players_seed = randomness::generator(seed, Stream::Players, index).next_u64();
        self.game.start(self.rules, &shuffled_bag(self.rules, seed, index));
        self.past.clear();
        let mut summary = GameSummary::default();
        let mut was_stopped = false;
        while !self.game.is_over() {
            let seat = self.past.len() % 2;
            let game = GameSoFar {
                rules: self.rules,
                racks: &self.game.racks,
                scores: self.game.scores,
                in_bag: self.game.bag.len(),
                zero_turns: self.game.zero_turns(),
                past: &self.past,
            };
            let view = View::new(&game, players_seed.wrapping_add(self.past.len() as u64), signals);
            let play = choose(&mut self.board, &view);
            was_stopped = signals.is_stopped();
            if was_stopped {
                break;
            }
            if let Some(placement) = play.play.placement() {
                self.board.play(placement, self.graph);
                summary.bingos[seat] += u32::from(placement.tile_count() == self.rules.rack_size);
            }
            self.game.take_turn(self.rules, seat, &play, Places::OwnSide, &mut exchanges);
            self.past.push(play);
        }
        // PERF: taking the plays back costs less than a new board, and keeps the memory for anchors.
        self.past.iter().filter(|play| play.play.placement().is_some()).for_each(|_| self.board.undo());
        summary.scores = self.game.scores;
        summary.turns = self.past.len() as u32;
        (!was_stopped).then_some(summary)
    }

    /// The plays of the last game, in turn; seat 0 began.
    pub fn plays(&self) -> &[EvaluatedPlay] {
        &self.past
    }
}
