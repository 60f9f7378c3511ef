//! Static self-play at full speed: the generator's board, trusted plays, no positions in between.

use crate::evaluation::StaticEval;
use crate::lexicon::word_graph::WordGraph;
use crate::match_play::shuffled_bag;
use crate::movegen::LaneBoard;
use crate::rules::{Board, GameRules};
use crate::search::dealt_game::DealtGame;
use crate::search::randomness::{self, Stream};

/// How a game went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameSummary {
    /// Final scores by seat.
    pub scores: [i32; 2],
    /// Turns of both players.
    pub turns: u32,
    /// Bingos of both players.
    pub bingos: u32,
}

/// Plays static games. One a thread.
#[derive(Debug)]
pub struct SelfPlay<'a> {
    rules: &'a GameRules,
    graph: &'a WordGraph,
    eval: StaticEval<'a>,
    empty: LaneBoard,
    game: DealtGame,
}

impl<'a> SelfPlay<'a> {
    /// Games by these rules between players that evaluate like this.
    pub fn new(rules: &'a GameRules, graph: &'a WordGraph, eval: StaticEval<'a>) -> SelfPlay<'a> {
        let mut empty = LaneBoard::new(rules, &Board::empty(rules.layout.dim()), graph);
        empty.prepare(graph);
        SelfPlay { rules, graph, eval, empty, game: DealtGame::default() }
    }

    /// Plays game number `index` of a seed.
    pub fn play(&mut self, seed: u64, index: u64) -> GameSummary {
        let mut rng = randomness::generator(seed, Stream::Exchanges, index);
        self.game.start(self.rules, &shuffled_bag(self.rules, seed, index));
        let mut board = self.empty.clone();
        let mut summary = GameSummary::default();
        while !self.game.is_over() {
            let seat = summary.turns as usize % 2;
            let play = self.eval.best(&mut board, &self.game.turn(seat));
            if let Some(placement) = play.play.placement() {
                board.play(placement, self.graph);
                board.commit();
                summary.bingos += u32::from(placement.tile_count() == self.rules.rack_size);
            }
            self.game.take_turn(self.rules, seat, &play, &mut rng);
            summary.turns += 1;
        }
        summary.scores = self.game.scores;
        summary
    }
}
