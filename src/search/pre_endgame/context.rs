//! The fixed data of a search: the position and what follows from it, the lexicon and tables, and the settings of each
//! thread.

use crate::lexicon::word_graph::WordGraph;
use crate::movegen::LaneBoard;
use crate::rules::{Position, Rack};
use crate::search::context::Knowledge;
use crate::search::inference::Belief;
use crate::search::phase::MOST_IN_PRE_ENDGAME;
use crate::search::pre_endgame::draws::{self, Draw};

/// The settings of each thread.
#[derive(Clone, Copy, Debug)]
pub struct PreEndgameSettings {
    /// MiB of the table of endgame positions.
    pub hash_megabytes: usize,
    /// Bytes for the lists of placements that are kept.
    pub list_bytes: usize,
    /// Seed for the only random choice: where exchanged tiles go in the bag.
    pub seed: u64,
}

/// The position and what follows from it. "We" are the player on turn.
pub struct PreEndgameContext<'a> {
    /// Words and tables.
    pub knowledge: &'a Knowledge,
    /// Words, as a graph.
    pub graph: &'a WordGraph,
    /// The position.
    pub position: &'a Position,
    /// Its board.
    pub lanes: LaneBoard,
    /// The tiles that we do not see: the bag and the other rack.
    pub unseen: Rack,
    /// Tiles in the bag.
    pub in_bag: usize,
    /// The possible contents of the bag.
    pub draws: Vec<Draw>,
}

impl<'a> PreEndgameContext<'a> {
    /// # Panics
    /// Unless there are 1 to [`MOST_IN_PRE_ENDGAME`] tiles in the bag.
    pub fn new(knowledge: &'a Knowledge, position: &'a Position, belief: Option<&Belief>) -> PreEndgameContext<'a> {
        let in_bag = position.in_bag();
        assert!((1..=MOST_IN_PRE_ENDGAME).contains(&in_bag), "{in_bag} tiles in the bag");
        let graph = knowledge.lexicon.graph();
        let mut lanes = LaneBoard::new(position.rules(), position.board(), graph);
        lanes.prepare(graph);
        lanes.learn_letters(graph);
        let mut draws = draws::draws(&position.unknown(), in_bag);
        if let Some(belief) = belief {
            draws::weigh(&mut draws, &position.unknown(), belief);
        }
        PreEndgameContext { knowledge, graph, position, lanes, unseen: position.unseen(), in_bag, draws }
    }

    /// The tiles that are not on the board.
    pub fn pool(&self) -> Rack {
        self.position.mover_rack().plus(&self.unseen)
    }

    /// Whether every order of the bag is dealt where the order matters. With three or more tiles that would take too
    /// long, so each draw is dealt in one order, which varies from draw to draw.
    pub fn deals_all_orders(&self) -> bool {
        self.in_bag <= 2
    }
}
