//! What all rollouts of a simulation have in common, and how their tiles are dealt.

use crate::evaluation::WinModel;
use crate::evaluation::win_model::TilesLeft;
use crate::lexicon::word_graph::WordGraph;
use crate::movegen::LaneBoard;
use crate::rules::{GameRules, Play, Position, Rack, Tile};
use crate::search::randomness::{self, Stream};
use crate::search::simulation::horizon::Horizon;

/// What all rollouts of a simulation have in common.
#[derive(Debug)]
pub struct SimContext<'a> {
    /// The rules.
    pub rules: &'a GameRules,
    /// Words.
    pub graph: &'a WordGraph,
    /// The board before the candidates, with its anchors.
    pub board: LaneBoard,
    /// Win % model.
    pub win_model: &'a WinModel,
    /// The mover's rack.
    pub rack: Rack,
    /// What is known of the other rack.
    pub known: Rack,
    /// All other tiles that the mover does not see.
    pub unknown: Vec<Tile>,
    /// Tiles on the other rack.
    pub opponent_tiles: usize,
    /// The mover's lead.
    pub spread: i32,
    /// Turns without points before the candidate.
    pub zero_turns: u32,
    /// How far rollouts go.
    pub horizon: Horizon,
    /// The opponent passes.
    pub opponent_passes: bool,
    /// Seed.
    pub seed: u64,
}

impl<'a> SimContext<'a> {
    /// The context of a position whose mover's rack is known.
    pub fn new(position: &'a Position, graph: &'a WordGraph, win_model: &'a WinModel, horizon: Horizon, seed: u64) -> SimContext<'a> {
        let mut board = LaneBoard::new(position.rules(), position.board(), graph);
        board.prepare(graph);
        board.learn_letters(graph);
        SimContext {
            rules: position.rules(),
            graph,
            board,
            win_model,
            rack: *position.mover_rack(),
            known: *position.opponent_rack(),
            unknown: position.unknown().tiles().collect(),
            opponent_tiles: position.opponent_tiles(),
            spread: position.spread(),
            zero_turns: position.zero_turns(),
            horizon,
            opponent_passes: false,
            seed,
        }
    }

    /// How many tiles are left after a play, as seen by the opponent, whose turn it is then.
    pub fn left_after(&self, play: &Play) -> TilesLeft {
        let in_bag = (self.unknown.len() + self.known.len()).saturating_sub(self.opponent_tiles);
        let placed = play.placement().map_or(0, |placement| placement.tile_count());
        let drawn = placed.min(in_bag);
        TilesLeft { in_bag: in_bag - drawn, own_rack: self.opponent_tiles, other_rack: (self.rack.len() + drawn).saturating_sub(placed) }
    }

    /// Deals an iteration's unknown tiles: first those on the other rack, whose number is returned, then the bag in its order.
    ///
    /// Successive iterations share a shuffle. Each starts at another place in it, so that their racks have no tile in common (or,
    /// with few tiles in the bag, their bags). Each tile then comes equally often, and means have smaller errors than those of the
    /// same number of independent deals.
    pub fn deal(&self, iteration: u64, tiles: &mut Vec<Tile>) -> usize {
        let drawn = (self.opponent_tiles - self.known.len()).min(self.unknown.len());
        let apart = drawn.min(self.unknown.len() - drawn).max(1);
        let shared_by = (self.unknown.len() / apart).max(1);
        let (shuffle, turn) = (iteration / shared_by as u64, iteration as usize % shared_by);
        tiles.clear();
        tiles.extend_from_slice(&self.unknown);
        randomness::shuffle(tiles, &mut randomness::generator(self.seed, Stream::Rollouts, shuffle));
        tiles.rotate_left(turn * apart);
        drawn
    }

    /// The expected number of plies of a rollout to its horizon, at four tiles a turn; at least 1.
    pub fn likely_plies(&self) -> usize {
        match self.horizon {
            Horizon::Plies(plies) => plies.max(1),
            Horizon::End => (self.unknown.len() + self.known.len() + self.rack.len()).div_ceil(4),
        }
    }

    /// Whether every rollout of a candidate is the same: nothing is left to chance.
    pub fn is_certain(&self) -> bool {
        self.unknown.len() + self.known.len() <= self.opponent_tiles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{cgp, english_rules};
    use crate::lexicon::Lexicon;

    #[test]
    fn iterations_that_share_a_shuffle_have_racks_or_bags_apart() {
        let empty = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0";
        let position = cgp::parse(empty, &english_rules()).unwrap().position;
        let (lexicon, win_model) = (Lexicon::builtin(), WinModel::formula());
        let mut context = SimContext::new(&position, lexicon.graph(), &win_model, Horizon::End, 5);
        let all = context.unknown.clone();
        // Unknown tiles on the other rack, tiles in the bag, and the number of iterations that share a shuffle.
        for (drawn, in_bag, shared) in [(7, 1, 8), (7, 3, 3), (7, 8, 2), (7, 40, 6), (4, 40, 11), (7, 86, 13), (2, 1, 3)] {
            context.unknown = all[..drawn + in_bag].to_vec();
            context.known = all[drawn + in_bag..].iter().copied().take(7 - drawn).collect();
            let unknown: Rack = context.unknown.iter().copied().collect();
            let mut deals = Vec::new();
            for iteration in 0..4 * shared {
                let mut tiles = Vec::new();
                assert_eq!(context.deal(iteration, &mut tiles), drawn);
                assert_eq!(tiles.iter().copied().collect::<Rack>(), unknown, "{drawn} and {in_bag}");
                deals.push(tiles);
            }
            for group in deals.chunks(shared as usize) {
                let fewer = |deal: &Vec<Tile>| if drawn <= in_bag { deal[..drawn].to_vec() } else { deal[drawn..].to_vec() };
                let dealt: Rack = group.iter().flat_map(fewer).collect();
                assert_eq!(dealt.len(), group.len() * drawn.min(in_bag));
                assert!(unknown.minus(&dealt).is_ok(), "no tile comes twice: {drawn} and {in_bag}");
            }
            assert!(deals.chunks(shared as usize).any(|group| group[0] != deals[0]), "there are more shuffles than one");
        }
    }
}
