//! What is fixed during a search: the visible position, words, values and options.

use crate::evaluation::Leaves;
use crate::lexicon::Lexicon;
use crate::lexicon::word_graph::WordGraph;
use crate::movegen::LaneBoard;
use crate::rules::{GameRules, Position, Rack};
use crate::search::inference::Belief;
use crate::search::phase::MOST_IN_PRE_ENDGAME;
use crate::search::pre_endgame::draws::{self, Draw};
use std::sync::Arc;

/// What a caller may choose.
#[derive(Clone, Copy, Debug)]
pub struct PreEndgameSettings {
    /// Plays generated and endgame positions searched after which the search ends.
    pub most_nodes: Option<u64>,
    /// Whether equal shares of wins are equally good: then their spreads are not compared.
    pub share_only: bool,
    /// Threads, at least 1. They change the time, never the result.
    pub threads: usize,
    /// MiB of each thread's table of endgame positions.
    pub hash_megabytes: usize,
    /// Bytes for the lists of placements that each thread keeps.
    pub list_bytes: usize,
    /// Seed of what little chance there is: where exchanged tiles go.
    pub seed: u64,
}

/// The position and what is known of it. "We" are the player on turn.
pub struct PreEndgameContext<'a> {
    /// The rules.
    pub rules: &'a GameRules,
    /// Words.
    pub lexicon: &'a Arc<Lexicon>,
    /// Words, as a graph.
    pub graph: &'a WordGraph,
    /// Values of leaves.
    pub leaves: &'a Leaves,
    /// The board.
    pub lanes: LaneBoard,
    /// Our rack.
    pub rack: Rack,
    /// The tiles that we do not see: the bag and the other rack.
    pub unseen: Rack,
    /// Our lead, points.
    pub spread: i32,
    /// Turns without points before the candidates.
    pub zero_turns: u32,
    /// Tiles in the bag.
    pub in_bag: usize,
    /// What the bag may hold.
    pub draws: Vec<Draw>,
}

impl<'a> PreEndgameContext<'a> {
    /// # Panics
    /// Unless there are 1 to [`MOST_IN_PRE_ENDGAME`] tiles in the bag.
    pub fn new(lexicon: &'a Arc<Lexicon>, leaves: &'a Leaves, position: &'a Position, belief: Option<&Belief>) -> PreEndgameContext<'a> {
        let (rules, in_bag) = (&**position.rules(), position.in_bag());
        assert!((1..=MOST_IN_PRE_ENDGAME).contains(&in_bag), "{in_bag} tiles in the bag");
        let graph = lexicon.graph();
        let mut lanes = LaneBoard::new(rules, position.board(), graph);
        lanes.prepare(graph);
        lanes.learn_letters(graph);
        let mut draws = draws::draws(&position.unknown(), in_bag);
        if let Some(belief) = belief {
            draws::weigh(&mut draws, &position.unknown(), belief);
        }
        PreEndgameContext {
            rules,
            lexicon,
            graph,
            leaves,
            lanes,
            rack: *position.mover_rack(),
            unseen: position.unseen(),
            spread: position.spread(),
            zero_turns: position.zero_turns(),
            in_bag,
            draws,
        }
    }

    /// The tiles that are not on the board.
    pub fn pool(&self) -> Rack {
        self.rack.plus(&self.unseen)
    }

    /// Whether every order of the bag is dealt where the order matters. With three tiles and more that would take too long: each
    /// draw is dealt in one order, the next draw in another one.
    pub fn deals_all_orders(&self) -> bool {
        self.in_bag <= 2
    }
}
