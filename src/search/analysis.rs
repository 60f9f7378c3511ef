//! The kinds of search, and the options of each.
//!
//! Not here: the position, and what each kind requires of it (`request.rs`). Start with [`Analysis`].

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
    /// Tries all draws when few tiles are in the bag.
    PreEndgame,
    /// Searches to the end of the game when the bag is empty.
    Endgame,
    /// Infers the tiles that the opponent kept.
    Inference,
    /// Finds the opponent's best static replies to a play.
    Replies,
}

/// The plays that a search considers: at least one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlaySelection {
    /// How many of the statically best plays; each kind of search has its own default. With 0, only [`PlaySelection::also`] counts.
    pub most: Option<usize>,
    /// These plays and no others. Their words need not be valid.
    pub only: Option<Vec<Play>>,
    /// These plays in addition to the statically best.
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

    /// Returns how many of the statically best plays are selected: none if [`PlaySelection::only`] is given, `usual` if
    /// [`PlaySelection::most`] is not.
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
    /// The plays; 15 rows if [`PlaySelection::most`] is `None`.
    pub plays: PlaySelection,
}

/// How a simulation shares its iterations among the candidates.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Allocation {
    /// Samples candidates near the leader more often, and stops sampling hopeless ones.
    #[default]
    Adaptive,
    /// Samples all candidates in every iteration.
    Equal,
    /// Samples all candidates in every iteration, and at the end of each round drops those that are clearly behind the leader.
    /// The race ends when one candidate is left.
    Elimination {
        /// Iterations of a round.
        round: u64,
        /// How many standard errors a candidate must be behind the leader to be dropped.
        errors: f64,
    },
    /// Samples all candidates for `floor` iterations, then only the leader and its nearest rival. The rival is the candidate with the
    /// least sum of the evidence against it and the logarithm of its number of samples, as in \[MAGPIE\], but with paired differences.
    TopTwo {
        /// Iterations with all candidates.
        floor: u64,
    },
}

/// The options of an inference. It ends by itself; a signal may end it earlier.
#[derive(Clone, PartialEq, Debug)]
pub struct InferenceOptions {
    /// How the opponent is assumed to choose.
    pub model: OpponentModel,
    /// The opponent's turns alone ([`ObservedTurn::of_game`]), at least one, in the order of play. Before the last turn, an exchange of
    /// unknown tiles and all turns before it do not count.
    pub turns: Vec<ObservedTurn>,
    /// The most racks that a turn is tested on, 1 to [`MOST_RACKS`]. If more are possible, this many are drawn at random.
    pub most_racks: usize,
    /// How many turns before the last one count, at most.
    pub earlier_turns: usize,
    /// Racks that [`OpponentModel::Sim`] simulates, at most: the likeliest ones.
    pub most_simulated: usize,
}

/// The default of [`InferenceOptions::most_simulated`]: these racks take a second or two.
pub const DEFAULT_SIMULATED: usize = 60;

/// The most racks of an inference: each takes a few hundred bytes and a fraction of a millisecond.
pub const MOST_RACKS: usize = 1_000_000;

/// The most plies of a simulation's rollouts: every game on the largest board ends earlier.
pub const MOST_PLIES: usize = 10_000;

/// The greatest weight of equity in a ranking, with which the chance of winning no longer decides anything.
pub const MOST_EQUITY_WEIGHT: f64 = 1_000_000.0;

/// The default of [`InferenceOptions::most_racks`]: enough for all leaves of four tiles and most leaves of five.
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
    /// All unseen tiles are equally likely.
    #[default]
    Uniform,
    /// The tiles that the opponent kept come from a belief, and the others from the rest of the unseen tiles.
    Believed(Arc<Belief>),
    /// As [`OpponentTiles::Believed`], with a belief that is inferred first.
    Inferred(InferenceOptions),
}

/// The options of a simulation. Without a limit it goes on until it is stopped.
///
/// Where the lower score wins, playouts go to the end of the game and the ranking is by wins. In such games `plies`, `equity_weight`,
/// `static_samples`, `opponent_passes` and `log_samples` have no effect, and of `opponent_tiles` only the turns of an inference count.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SimulationOptions {
    /// The candidates; the 15 statically best if [`PlaySelection::most`] is `None`.
    pub plays: PlaySelection,
    /// Plies after the candidate, up to [`MOST_PLIES`]. With `None`: two, or all plies to the end of the game if it is near.
    pub plies: Option<usize>,
    /// Samples of the leading candidate, at most.
    pub iterations: Option<u64>,
    /// Plays generated, at most.
    pub nodes: Option<u64>,
    /// How sure of its leader the simulation must be to end by itself.
    pub stop_condition: Option<StopCondition>,
    /// How iterations are shared among the candidates.
    pub allocation: Allocation,
    /// Weight of the equity in the ranking, relative to the win probability: 0 (none) to [`MOST_EQUITY_WEIGHT`]. `None` means 0.3.
    pub equity_weight: Option<f64>,
    /// Weight of static equity in the ranking, in samples. `None` means 16.
    pub static_samples: Option<u32>,
    /// The opponent passes in the rollouts.
    pub opponent_passes: bool,
    /// Where the opponent's tiles come from.
    pub opponent_tiles: OpponentTiles,
    /// Rows of each report, the best first; `None`: all candidates.
    pub rows: Option<usize>,
    /// Every rollout is passed to [`Listener::sample`](crate::search::report::Listener::sample).
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
    /// A play without an alternative is returned at once, without a value.
    pub skip_if_forced: bool,
    /// Where the opponent's tiles come from, which decides how likely each draw from the bag is.
    pub opponent_tiles: OpponentTiles,
}

/// The options of an endgame search. It ends by itself; a limit may end it earlier.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EndgameOptions {
    /// The first plays to consider: with [`PlaySelection::only`], those that are named, else all plays, whatever `most` is.
    pub plays: PlaySelection,
    /// Plies, at most. `None` means all plies to the end of the game.
    pub plies: Option<usize>,
    /// Positions generated, at most.
    pub nodes: Option<u64>,
    /// Only the winner matters, not the spread.
    pub first_win: bool,
    /// A play without an alternative is returned at once, without a value.
    pub skip_if_forced: bool,
}

/// The options of a search for the replies to a play. It ends by itself if few racks are possible, else it goes on until it is stopped.
#[derive(Clone, PartialEq, Debug)]
pub struct RepliesOptions {
    /// The play; a pass leaves the board unchanged.
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

/// A kind of search with its options.
#[derive(Clone, PartialEq, Debug)]
pub enum Analysis {
    /// A ranking by static equity.
    Static(StaticOptions),
    /// A simulation.
    Simulation(SimulationOptions),
    /// A search of a pre-endgame: one to four tiles in the bag.
    PreEndgame(PreEndgameOptions),
    /// A search of an endgame: an empty bag.
    Endgame(EndgameOptions),
    /// An inference of the tiles that the opponent kept.
    Inference(InferenceOptions),
    /// The replies to a play.
    Replies(RepliesOptions),
}

/// The plays of an analysis that does not choose between plays.
static NO_PLAYS: PlaySelection = PlaySelection { most: None, only: None, also: Vec::new() };

impl Analysis {
    /// Returns an analysis of this kind with default options.
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
            SearchKind::Replies => "the search for replies",
        }
    }

    /// Returns the variants that it supports. The static ranking and the simulation get their plays from the generator, which supports
    /// every variant. The other searches list placements in their own way, and only for the highest score.
    pub fn variants(self) -> VariantSupport {
        match self {
            SearchKind::Static | SearchKind::Simulation => VariantSupport::ALL,
            SearchKind::Replies => VariantSupport::MOST_POINTS,
            SearchKind::PreEndgame | SearchKind::Endgame | SearchKind::Inference => VariantSupport::SPELLED,
        }
    }
}
