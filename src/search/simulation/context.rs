//! The context of all rollouts of a simulation: their horizon, and how their tiles are dealt.

use crate::evaluation::WinModel;
use crate::evaluation::win_model::TilesLeft;
use crate::evaluation::zero_turns::EndInSight;
use crate::lexicon::word_graph::WordGraph;
use crate::movegen::LaneBoard;
use crate::rules::{GameRules, Play, Position, Rack, Tile};
use crate::search::inference::types::Belief;
use crate::search::phase::Phase;
use crate::search::randomness::{self, Stream};

/// The default number of plies after the candidate when the end of the game is far.
pub const DEFAULT_PLIES: usize = 2;

/// The fractional parts of its multiples are spread as evenly as possible between 0 and 1, however many there are.
const GOLDEN_SECTION: f64 = 0.618_033_988_749_894_9;

/// How far rollouts go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// To this number of plies after the candidate; further only with an empty bag.
    Plies(usize),
    /// To the end of the game, always.
    End,
}

impl Horizon {
    /// Returns the default horizon: two plies, as is usual [Sheppard 2002], or the end of the game if it is near enough to play for the
    /// result.
    pub fn usual(in_bag: usize) -> Horizon {
        if Phase::of(in_bag) >= Phase::Approach { Horizon::End } else { Horizon::Plies(DEFAULT_PLIES) }
    }

    /// Whether ply number `ply` (from 0) is played even while the bag has tiles.
    pub fn covers(self, ply: usize) -> bool {
        match self {
            Horizon::Plies(plies) => ply < plies,
            Horizon::End => true,
        }
    }

    /// Plies whose scores are reported.
    pub fn reported_plies(self) -> usize {
        match self {
            Horizon::Plies(plies) => plies,
            Horizon::End => DEFAULT_PLIES,
        }
    }
}

/// What all rollouts of a simulation have in common.
#[derive(Debug)]
pub struct SimulationContext<'a> {
    /// The position.
    pub position: &'a Position,
    /// Its rules.
    pub rules: &'a GameRules,
    /// Words.
    pub graph: &'a WordGraph,
    /// The board before the candidates, with its anchors.
    pub board: LaneBoard,
    /// Win % model.
    pub win_model: &'a WinModel,
    /// The known tiles of the other rack.
    pub known: Rack,
    /// All other tiles that the mover does not see.
    pub unknown: Vec<Tile>,
    /// Tiles on the other rack.
    pub opponent_tiles: usize,
    /// The end of the game, if a turn without points now or after the candidate brings it.
    pub end: Option<EndInSight<'a>>,
    /// How far rollouts go.
    pub horizon: Horizon,
    /// The opponent passes.
    pub opponent_passes: bool,
    /// A belief about the tiles that the opponent kept.
    pub belief: Option<&'a Belief>,
    /// Seed.
    pub seed: u64,
}

impl<'a> SimulationContext<'a> {
    /// Returns the context of a position whose mover's rack is known.
    pub fn new(
        position: &'a Position,
        graph: &'a WordGraph,
        win_model: &'a WinModel,
        horizon: Horizon,
        seed: u64,
    ) -> SimulationContext<'a> {
        let mut board = LaneBoard::new(position.rules(), position.board(), graph);
        board.prepare(graph);
        board.learn_letters(graph);
        SimulationContext {
            position,
            rules: position.rules(),
            graph,
            board,
            win_model,
            known: *position.opponent_rack(),
            unknown: position.unknown().tiles().collect(),
            opponent_tiles: position.opponent_tiles(),
            end: EndInSight::of(position),
            horizon,
            opponent_passes: false,
            belief: None,
            seed,
        }
    }

    /// Returns how many tiles are left after a play, as seen by the opponent, who is then on turn.
    pub fn left_after(&self, play: &Play) -> TilesLeft {
        let placed = play.placement().map_or(0, |placement| placement.tile_count());
        let held = self.position.mover_rack().len() + self.unknown.len() + self.known.len();
        let left = held.saturating_sub(placed + self.opponent_tiles);
        // The missing tiles of a rack that is known in part come from the unknown ones.
        let other_rack = left.min(self.rules.rack_size);
        TilesLeft { in_bag: left - other_rack, own_rack: self.opponent_tiles, other_rack }
    }

    /// Deals an iteration's unknown tiles: first those on the other rack, whose number is returned, then the bag in its order.
    ///
    /// Successive iterations share a shuffle. Each starts at another place in it, so that their racks have no tile in common (or,
    /// with few tiles in the bag, their bags). Each tile then comes up equally often, and means have smaller errors than with the
    /// same number of independent deals.
    ///
    /// With a belief, the kept tiles come first, and the others follow in the order of such a shuffle. The leave is chosen by a place
    /// between 0 and 1 that moves by the golden section with each iteration, so that leaves come up about in proportion to their chances.
    pub fn deal(&self, iteration: u64, tiles: &mut Vec<Tile>) -> usize {
        let drawn = (self.opponent_tiles - self.known.len()).min(self.unknown.len());
        let apart = drawn.min(self.unknown.len() - drawn).max(1);
        let shared_by = (self.unknown.len() / apart).max(1);
        let (shuffle, turn) = (iteration / shared_by as u64, iteration as usize % shared_by);
        let mut rng = randomness::generator(self.seed, Stream::Rollouts, shuffle);
        tiles.clear();
        let Some(belief) = self.belief else {
            tiles.extend_from_slice(&self.unknown);
            randomness::shuffle(tiles, &mut rng);
            tiles.rotate_left(turn * apart);
            return drawn;
        };
        let place = randomness::fraction(self.seed, Stream::Leaves, 0) + iteration as f64 * GOLDEN_SECTION;
        let mut kept = belief.leave_at(place.fract()).without(&self.known);
        // Which of several equal tiles count as kept does not depend on the shuffle, so the others are in a random order.
        let mut order: Vec<usize> = (0..self.unknown.len()).collect();
        randomness::shuffle(&mut order, &mut rng);
        order.rotate_left(turn * apart);
        tiles.extend(kept.tiles());
        let others: Vec<Option<Tile>> = self.unknown.iter().map(|&tile| (!kept.remove(tile)).then_some(tile)).collect();
        tiles.extend(order.into_iter().filter_map(|at| others[at]));
        drawn
    }

    /// Returns the expected number of plies of a rollout to its horizon, at four tiles a turn; at least 1.
    pub fn likely_plies(&self) -> usize {
        match self.horizon {
            Horizon::Plies(plies) => plies.max(1),
            Horizon::End => (self.unknown.len() + self.known.len() + self.position.mover_rack().len()).div_ceil(4),
        }
    }

    /// Whether all rollouts of a candidate are the same, because nothing is left to chance.
    pub fn is_certain(&self) -> bool {
        self.unknown.len() + self.known.len() <= self.opponent_tiles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::cgp;
    use crate::lexicon::Lexicon;
    use crate::rules::GameRules;
    use crate::search::inference::model::OpponentModel;
    use crate::search::inference::types::{BeliefScope, InferredLeave};

    #[test]
    fn iterations_that_share_a_shuffle_have_racks_or_bags_apart() {
        let empty = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0";
        let position = cgp::parse(empty, &GameRules::english()).unwrap().position;
        let (lexicon, win_model) = (Lexicon::builtin(), WinModel::formula());
        let mut context = SimulationContext::new(&position, lexicon.graph(), &win_model, Horizon::End, 5);
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

    #[test]
    fn leaves_come_as_often_as_they_are_likely_and_the_others_in_any_order() {
        let rules = GameRules::english();
        let empty = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0";
        let position = cgp::parse(empty, &rules).unwrap().position;
        let (lexicon, win_model) = (Lexicon::builtin(), WinModel::formula());
        let rack = |text: &str| Rack::parse(text, &rules.distribution).unwrap();
        let likely = [("EES", 0.6), ("EQ?", 0.3), ("OO", 0.1)];
        let leaves = likely.map(|(text, chance)| InferredLeave { leave: rack(text), prior: chance, chance });
        let scope = BeliefScope {
            model: OpponentModel::Static,
            racks: 3,
            of_racks: 3,
            is_drawn: false,
            turns: 1,
            unseen: position.unseen(),
            known: Rack::EMPTY,
        };
        let belief = Belief::of_weights(leaves.to_vec(), scope);
        let mut context = SimulationContext::new(&position, lexicon.graph(), &win_model, Horizon::End, 5);
        context.belief = Some(&belief);
        let iterations = 20_000;
        let (mut times, mut next_is_e) = ([0.0; 3], 0.0);
        let mut tiles = Vec::new();
        let e = rack("E").tiles().next().unwrap();
        for iteration in 0..iterations {
            assert_eq!(context.deal(iteration, &mut tiles), 7);
            assert_eq!(tiles.iter().copied().collect::<Rack>(), position.unseen());
            // Blanks come first in a rack, so the tiles show which leave was chosen.
            let which = likely.iter().position(|(text, _)| tiles.starts_with(&rack(text).tiles().collect::<Vec<_>>())).unwrap();
            times[which] += 1.0;
            if which == 0 {
                next_is_e += f64::from(u8::from(tiles[3] == e));
            }
        }
        for (times, (text, chance)) in times.iter().zip(likely) {
            assert!((times / iterations as f64 - chance).abs() < 1e-3, "{text}: {times}");
        }
        // After EES was kept, nine of the ninety other tiles are an E.
        let share = next_is_e / times[0];
        assert!((share - 9.0 / 90.0).abs() < 4.0 * (0.1 * 0.9 / times[0]).sqrt(), "{share}");
    }
}
