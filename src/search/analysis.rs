//! The kinds of search, and the options of each.
//!
//! Not here: the position, and what a kind needs of it (`request.rs`). Start with [`Analysis`].

use crate::rules::{Play, VariantSupport};
use crate::search::budget::StopCondition;
use crate::search::inference::model::OpponentModel;
use crate::search::inference::types::{Belief, ObservedTurn};
use std::sync::Arc;

/// A kind of search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SearchKind {
    /// Ranks plays by static equity.
    Static,
    /// Plays candidates out against racks of the opponent.
    Simulation,
    /// Goes through all draws with few tiles in the bag.
    PreEndgame,
    /// Searches to the end of the game with an empty bag.
    Endgame,
    /// Infers the tiles that the opponent kept.
    Inference,
    /// Looks at the opponent's best static replies to a play.
    Replies,
}

/// Which plays a search looks at: at least one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlaySelection {
    /// How many of the statically best plays; each kind of search has its own default. 0 beside [`PlaySelection::also`] is for those alone.
    pub most: Option<usize>,
    /// These plays and no others. They need not be words.
    pub only: Option<Vec<Play>>,
    /// These plays beside the statically best.
    pub also: Vec<Play>,
}

impl PlaySelection {
    /// The `most` statically best plays.
    pub fn best(most: usize) -> PlaySelection {
        PlaySelection { most: Some(most), ..PlaySelection::default() }
    }

    /// These plays and no others.
    pub fn only(plays: Vec<Play>) -> PlaySelection {
        PlaySelection { only: Some(plays), ..PlaySelection::default() }
    }

    /// Whether no play at all is selected.
    pub fn is_empty(&self) -> bool {
        let has_best = self.only.is_none() && self.most != Some(0);
        !has_best && self.named().next().is_none()
    }

    /// How many of the statically best plays are selected: none beside [`PlaySelection::only`], `usual` if the selection gives no number.
    pub(crate) fn best_wanted(&self, usual: usize) -> usize {
        if self.only.is_some() { 0 } else { self.most.unwrap_or(usual).max(usize::from(self.also.is_empty())) }
    }

    /// All plays that were named.
    pub fn named(&self) -> impl Iterator<Item = &Play> {
        self.only.iter().flatten().chain(&self.also)
    }
}

/// The options of a static ranking.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StaticOptions {
    /// The plays; `PlaySelection::most` of `None`: 15 rows.
    pub plays: PlaySelection,
}

/// How a simulation shares its iterations among the candidates.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Allocation {
    /// Candidates near the leader are sampled more often, hopeless ones no longer.
    #[default]
    Adaptive,
    /// All candidates are sampled in every iteration.
    Equal,
    /// All candidates are sampled in every iteration until they are dropped: those clearly behind the leader at the end of a round.
    /// The race ends when one candidate is left.
    Elimination {
        /// Iterations of a round.
        round: u64,
        /// How many standard errors behind the leader a candidate is dropped.
        errors: f64,
    },
    /// After `floor` iterations with all candidates, only the leader and its nearest rival are sampled. The rival is the candidate for
    /// which the evidence against it and the logarithm of its samples are least together, as in \[MAGPIE\], but with paired
    /// differences.
    TopTwo {
        /// Iterations with all candidates.
        floor: u64,
    },
}

/// The options of an inference. It ends by itself; a signal may end it earlier.
#[derive(Clone, PartialEq, Debug)]
pub struct InferenceOptions {
    /// How the opponent chooses.
    pub model: OpponentModel,
    /// The opponent's turns and nobody else's ([`ObservedTurn::of_game`]), the last one last: at least one. What was drawn after an exchange of unknown tiles is not followed further back.
    pub turns: Vec<ObservedTurn>,
    /// Racks that a turn is tested on, 1 to [`MOST_RACKS`]. If more are possible, this many are drawn at random.
    pub most_racks: usize,
    /// How many turns before the last one count, at most.
    pub earlier_turns: usize,
    /// Racks that [`OpponentModel::Sim`] simulates, at most: the likeliest ones.
    pub most_simulated: usize,
}

/// Racks that are simulated, if nothing is said: a second or two.
pub const DEFAULT_SIMULATED: usize = 60;

/// Racks of an inference, at most: each takes some hundred bytes, and a fraction of a millisecond.
pub const MOST_RACKS: usize = 1_000_000;

/// Plies of a simulation's rollouts, at most: every game on the largest board is over before.
pub const MOST_PLIES: usize = 10_000;

/// What the equity may weigh in a ranking: so much that the chance of winning decides nothing any more.
pub const MOST_EQUITY_WEIGHT: f64 = 1_000_000.0;

/// Racks of an inference, if nothing is said: all leaves of four tiles, and most of five.
pub const DEFAULT_RACKS: usize = 20_000;

impl InferenceOptions {
    /// An inference from these turns by this model, with the usual limits.
    pub fn new(model: OpponentModel, turns: Vec<ObservedTurn>) -> InferenceOptions {
        InferenceOptions { model, turns, most_racks: DEFAULT_RACKS, earlier_turns: 1, most_simulated: DEFAULT_SIMULATED }
    }
}

/// Where the opponent's tiles in a search come from.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum OpponentTiles {
    /// All tiles out of sight are as likely as each other.
    #[default]
    Uniform,
    /// From a belief about the tiles that they kept; the rest from all others.
    Believed(Arc<Belief>),
    /// The same, and the belief is inferred first.
    Inferred(InferenceOptions),
}

/// The options of a simulation. Without a limit it goes on until it is stopped.
///
/// Where the lower score wins, playouts go to the end of the game and the ranking is by wins. There `plies`, `equity_weight`,
/// `static_samples`, `opponent_passes` and `log_samples` are without use, and of `opponent_tiles` only the turns of an inference count.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SimulationOptions {
    /// The candidates; `PlaySelection::most` of `None`: the 15 statically best.
    pub plays: PlaySelection,
    /// Plies after the candidate, up to [`MOST_PLIES`]; `None`: two, or to the end of the game where that is near.
    pub plies: Option<usize>,
    /// Samples of the leading candidate, at most.
    pub iterations: Option<u64>,
    /// Plays generated, at most.
    pub nodes: Option<u64>,
    /// How sure of its leader the simulation must be to end by itself.
    pub stop_condition: Option<StopCondition>,
    /// How iterations are shared.
    pub allocation: Allocation,
    /// Weight of the equity in the ranking, relative to the win probability: 0 for nothing, up to [`MOST_EQUITY_WEIGHT`]; `None`: 0.3.
    pub equity_weight: Option<f64>,
    /// Weight of static equity in the ranking, in samples; `None`: 16.
    pub static_samples: Option<u32>,
    /// The opponent passes in the rollouts.
    pub opponent_passes: bool,
    /// Where the opponent's tiles come from.
    pub opponent_tiles: OpponentTiles,
    /// Rows of each report, the best first; `None`: all candidates.
    pub rows: Option<usize>,
    /// Every rollout is handed to [`Listener::sample`](crate::search::report::Listener::sample).
    pub log_samples: bool,
}

/// The options of a pre-endgame search. It ends by itself; a limit may end it earlier.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PreEndgameOptions {
    /// The candidates; by default all plays.
    pub plays: PlaySelection,
    /// Plays generated and endgame positions searched, at most.
    pub nodes: Option<u64>,
    /// Only the share of wins counts; ties are not broken by spread.
    pub first_win: bool,
    /// A play without an alternative is the answer at once, without its value.
    pub skip_if_forced: bool,
    /// Where the opponent's tiles come from, and so how likely each draw of the bag is.
    pub opponent_tiles: OpponentTiles,
}

/// The options of an endgame search. It ends by itself; a limit may end it earlier.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EndgameOptions {
    /// The first plays that are looked at: those of [`PlaySelection::only`] and `also` if there are such, else all, whatever their number.
    pub plays: PlaySelection,
    /// Plies, at most; `None`: to the end of the game.
    pub plies: Option<usize>,
    /// Positions generated, at most.
    pub nodes: Option<u64>,
    /// Only who wins is asked, not by how much.
    pub first_win: bool,
    /// A play without an alternative is the answer at once, without its value.
    pub skip_if_forced: bool,
}

/// The options of a look at the replies to a play. It ends by itself where few racks are possible, else it goes on until it is stopped.
#[derive(Clone, PartialEq, Debug)]
pub struct RepliesOptions {
    /// The play; after a pass the board is as it is.
    pub play: Play,
    /// Racks dealt, at most.
    pub iterations: Option<u64>,
    /// Where the opponent's tiles come from.
    pub opponent_tiles: OpponentTiles,
}

impl Default for RepliesOptions {
    fn default() -> RepliesOptions {
        RepliesOptions { play: Play::Pass, iterations: None, opponent_tiles: OpponentTiles::Uniform }
    }
}

/// A search with what is asked of it.
#[derive(Clone, PartialEq, Debug)]
pub enum Analysis {
    /// A ranking by static equity.
    Static(StaticOptions),
    /// A simulation.
    Simulation(SimulationOptions),
    /// A pre-endgame: one to four tiles in the bag.
    PreEndgame(PreEndgameOptions),
    /// An endgame: an empty bag.
    Endgame(EndgameOptions),
    /// What the opponent kept.
    Inference(InferenceOptions),
    /// The replies to a play.
    Replies(RepliesOptions),
}

/// The plays of an analysis that looks at none.
static NO_PLAYS: PlaySelection = PlaySelection { most: None, only: None, also: Vec::new() };

impl Analysis {
    /// A search of this kind with nothing special asked.
    pub fn of(kind: SearchKind) -> Analysis {
        match kind {
            SearchKind::Static => Analysis::Static(StaticOptions::default()),
            SearchKind::Simulation => Analysis::Simulation(SimulationOptions::default()),
            SearchKind::PreEndgame => Analysis::PreEndgame(PreEndgameOptions::default()),
            SearchKind::Endgame => Analysis::Endgame(EndgameOptions::default()),
            SearchKind::Inference => Analysis::Inference(InferenceOptions::new(OpponentModel::Static, Vec::new())),
            SearchKind::Replies => Analysis::Replies(RepliesOptions::default()),
        }
    }

    /// Its kind.
    pub fn kind(&self) -> SearchKind {
        match self {
            Analysis::Static(_) => SearchKind::Static,
            Analysis::Simulation(_) => SearchKind::Simulation,
            Analysis::PreEndgame(_) => SearchKind::PreEndgame,
            Analysis::Endgame(_) => SearchKind::Endgame,
            Analysis::Inference(_) => SearchKind::Inference,
            Analysis::Replies(_) => SearchKind::Replies,
        }
    }

    /// The plays it chooses from.
    pub fn plays(&self) -> &PlaySelection {
        match self {
            Analysis::Static(options) => &options.plays,
            Analysis::Simulation(options) => &options.plays,
            Analysis::PreEndgame(options) => &options.plays,
            Analysis::Endgame(options) => &options.plays,
            Analysis::Inference(_) | Analysis::Replies(_) => &NO_PLAYS,
        }
    }
}

impl SearchKind {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            SearchKind::Static => "the static ranking",
            SearchKind::Simulation => "the simulation",
            SearchKind::PreEndgame => "the pre-endgame search",
            SearchKind::Endgame => "the endgame search",
            SearchKind::Inference => "inference",
            SearchKind::Replies => "the look at replies",
        }
    }

    /// The variants that it plays. Static ranking and simulation ask the generator for plays, which finds them by every rule; the others list
    /// placements in their own way, and only for the highest score.
    pub fn variants(self) -> VariantSupport {
        match self {
            SearchKind::Static | SearchKind::Simulation => VariantSupport::ALL,
            SearchKind::Replies => VariantSupport::MOST_POINTS,
            SearchKind::PreEndgame | SearchKind::Endgame | SearchKind::Inference => VariantSupport::SPELLED,
        }
    }
}
