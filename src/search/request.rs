//! Requests: a position and an analysis that fit together. All requirements on a position and on options are checked here, so that no
//! search gets a request that it cannot carry out.
//!
//! Not here: carrying out a request (`run.rs`), and the check that the lexicon has the position's letters
//! (`engine/handle.rs`). Start with [`SearchPosition`] and [`SearchRequest`].

use crate::rules::{Play, Position, Turn, TurnError, UnsupportedVariant, VariantSupport};
use crate::search::analysis::{Analysis, InferenceOptions, MOST_EQUITY_WEIGHT, MOST_PLIES, MOST_RACKS, OpponentTiles, SearchKind};
use crate::search::context::RunSettings;
use crate::search::endgame::EndgameDeal;
use crate::search::inference::last_turn::LastTurn;
use crate::search::inference::types::ObservedTurn;
use crate::search::limits::MOST_WORKERS;
use crate::search::phase::{self, MOST_IN_PRE_ENDGAME};
use std::fmt::Debug;
use std::ops::RangeInclusive;
use thiserror::Error;

/// Why a position and an analysis do not fit together.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// Nothing is left to play.
    #[error("the game is over")]
    GameOver,
    /// The rack of the player on turn is unknown.
    #[error("the rack of the player on turn is unknown")]
    RackUnknown,
    /// An endgame with tiles in the bag.
    #[error("an endgame needs an empty bag (tiles in the bag: {in_bag})")]
    TilesInBag {
        /// Tiles in the bag.
        in_bag: usize,
    },
    /// An endgame, or a player's turn with an empty bag, with two unknown racks.
    #[error("with an empty bag at least one rack must be known, but {unknown} tiles may be on either rack")]
    RacksUnknown {
        /// Tiles that either player may hold.
        unknown: usize,
    },
    /// A pre-endgame with too many or no tiles in the bag.
    #[error("a pre-endgame has 1 to {MOST_IN_PRE_ENDGAME} tiles in the bag, not {in_bag}")]
    NoPreEndgame {
        /// Tiles in the bag.
        in_bag: usize,
    },
    /// A pre-endgame, or a player's turn, with a rack that is known in part.
    #[error("with {in_bag} in the bag all {rack_size} tiles of the rack must be known, not only {known}")]
    RackIncomplete {
        /// Tiles in the bag.
        in_bag: usize,
        /// Tiles on a full rack.
        rack_size: usize,
        /// Known tiles of the player on turn.
        known: usize,
    },
    /// An inference without turns.
    #[error("there is no turn of the opponent to infer from")]
    NothingToInfer,
    /// Turns of another game, or the last one is missing.
    #[error("the last turn to infer from does not lead to this position")]
    OtherTurns,
    /// A turn of a game with other rules.
    #[error("turn {number} of the turns to infer from was played by rules other than the position's")]
    OtherRules {
        /// 1-based, the oldest turn first.
        number: usize,
    },
    /// Tiles on the opponent's rack that cannot be there after their last turn.
    #[error("after their last turn the opponent cannot hold the tiles that this position has on their rack")]
    ImpossibleRack,
    /// A belief about tiles other than the unseen ones of the position.
    #[error("the belief about the opponent's tiles belongs to another position")]
    OtherBelief,
    /// The search does not play by the rules of the position's variant.
    #[error(transparent)]
    Variant(#[from] UnsupportedVariant),
    /// An empty selection of plays.
    #[error("no play is selected: name one, or ask for at least one of the statically best plays")]
    NoPlays,
    /// An option with a value that no search can use.
    #[error("{option} is {found}, expected {expected}")]
    Option {
        /// Its name.
        option: &'static str,
        /// Its value.
        found: String,
        /// What would be right.
        expected: String,
    },
    /// A search for replies to a play that ends the game.
    #[error("the play ends the game, so it has no replies")]
    EndsGame,
    /// A play that was asked for cannot be played.
    #[error("play {number} of the request: {error}")]
    Play {
        /// 1-based, in the order in which they were named.
        number: usize,
        /// Why not.
        error: TurnError,
    },
}

/// A position that can be searched: the game is not over. Racks that follow from an empty bag are filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchPosition {
    position: Position,
}

impl SearchPosition {
    /// Checks a position.
    ///
    /// # Errors
    /// [`RequestError::GameOver`].
    pub fn new(mut position: Position) -> Result<SearchPosition, RequestError> {
        if position.end().is_some() {
            return Err(RequestError::GameOver);
        }
        position.deduce_racks();
        Ok(SearchPosition { position })
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the search that `auto` makes: that of the position's phase, or the simulation if that search does not support the variant or
    /// lacks tiles of the racks.
    pub fn phase_search(&self) -> SearchKind {
        let kind = phase::search_of(self.position.in_bag());
        let is_served = match kind {
            SearchKind::PreEndgame => self.position.mover_rack().len() == self.position.rules().rack_size,
            SearchKind::Endgame => EndgameDeal::of(&self.position).is_some(),
            SearchKind::Static | SearchKind::Simulation | SearchKind::Inference | SearchKind::Replies => true,
        };
        let plays_variant = kind.variants().plays(self.position.rules().variant);
        if is_served && plays_variant { kind } else { SearchKind::Simulation }
    }

    /// Checks that a search of this kind can handle the position: its variant, the bag, the racks.
    ///
    /// # Errors
    /// What the search needs and the position lacks.
    pub fn check(&self, kind: SearchKind) -> Result<(), RequestError> {
        if !matches!(kind, SearchKind::Inference | SearchKind::Replies) && self.position.mover_rack().is_empty() {
            return Err(RequestError::RackUnknown);
        }
        self.position.rules().variant.require(kind.variants(), kind.name())?;
        match kind {
            SearchKind::Static | SearchKind::Simulation | SearchKind::Inference | SearchKind::Replies => Ok(()),
            SearchKind::PreEndgame => self.check_pre_endgame(),
            SearchKind::Endgame => self.deal().map(|_| ()),
        }
    }

    /// Checks that the position is one in which a player of a game has to move: their whole rack is known, or all racks if the bag is empty.
    ///
    /// # Errors
    /// What is not known.
    pub fn check_turn(&self) -> Result<(), RequestError> {
        if self.position.mover_rack().is_empty() {
            return Err(RequestError::RackUnknown);
        }
        match self.position.in_bag() {
            0 => self.deal().map(|_| ()),
            _ => self.check_full_rack(),
        }
    }

    fn check_pre_endgame(&self) -> Result<(), RequestError> {
        let in_bag = self.position.in_bag();
        if !(1..=MOST_IN_PRE_ENDGAME).contains(&in_bag) {
            return Err(RequestError::NoPreEndgame { in_bag });
        }
        self.check_full_rack()
    }

    fn check_full_rack(&self) -> Result<(), RequestError> {
        let (in_bag, known, rack_size) = (self.position.in_bag(), self.position.mover_rack().len(), self.position.rules().rack_size);
        if known < rack_size { Err(RequestError::RackIncomplete { in_bag, rack_size, known }) } else { Ok(()) }
    }

    fn deal(&self) -> Result<EndgameDeal, RequestError> {
        EndgameDeal::of(&self.position).ok_or_else(|| match self.position.in_bag() {
            0 => RequestError::RacksUnknown { unknown: self.position.unknown().len() },
            in_bag => RequestError::TilesInBag { in_bag },
        })
    }

    fn check_inference(&self, options: &InferenceOptions) -> Result<(), RequestError> {
        // An inference for a simulation is also possible in misere, which reads exchanges in its own
        // way.
        self.position.rules().require(VariantSupport::WORDS_IN_ORDER, SearchKind::Inference.name())?;
        if options.turns.is_empty() { Err(RequestError::NothingToInfer) } else { self.check_turns(&options.turns) }
    }

    /// Checks that turns were played by the rules of the position, and therefore with the same letters and board.
    pub(crate) fn check_rules(&self, turns: &[ObservedTurn]) -> Result<(), RequestError> {
        let other = turns.iter().position(|turn| turn.before().rules() != self.position.rules());
        other.map_or(Ok(()), |index| Err(RequestError::OtherRules { number: index + 1 }))
    }

    /// Checks the rules of these turns of the opponent, and that the last one leads to the position.
    pub(crate) fn check_turns(&self, turns: &[ObservedTurn]) -> Result<(), RequestError> {
        self.check_rules(turns)?;
        let Some(last) = turns.last() else { return Ok(()) };
        let after = last.before().after(last.turn()).map_err(|_| RequestError::NothingToInfer)?;
        if after.board() != self.position.board() {
            return Err(RequestError::OtherTurns);
        }
        if LastTurn::new(last, &self.position).has_racks() { Ok(()) } else { Err(RequestError::ImpossibleRack) }
    }

    /// Checks that the mover can make this play with the known tiles. Words are not checked.
    fn check_play(&self, play: &Play) -> Result<(), TurnError> {
        self.position.after(&Turn::Play(*play))?;
        let missing =
            |tile| TurnError::MissingTile { tile: self.position.rules().distribution.tiles_text([tile]), place: "it is not on the rack" };
        self.position.mover_rack().minus(&play.rack_tiles()).map(|_| ()).map_err(missing)
    }
}

/// A question that the engine can answer. `Engine::request` makes it.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    position: SearchPosition,
    analysis: Analysis,
    settings: RunSettings,
}

/// Refuses a value of an option that is out of range.
fn require_within<T: PartialOrd + Debug + Copy>(option: &'static str, found: T, possible: RangeInclusive<T>) -> Result<(), RequestError> {
    // No range contains NaN.
    if possible.contains(&found) {
        return Ok(());
    }
    let expected = format!("{:?} to {:?}", possible.start(), possible.end());
    Err(RequestError::Option { option, found: format!("{found:?}"), expected })
}

impl RunSettings {
    /// Checks what every search needs. Any seed and any memory will do.
    fn check(&self) -> Result<(), RequestError> {
        require_within("threads", self.threads, 1..=MOST_WORKERS)
    }
}

impl Analysis {
    /// Checks the options, whatever the position is. Counted limits may have any value: a search with a limit of 0 answers by static
    /// evaluation, or by a first playout.
    fn check_options(&self) -> Result<(), RequestError> {
        if self.plays().is_empty() {
            return Err(RequestError::NoPlays);
        }
        if let Analysis::Simulation(options) = self {
            options.plies.map_or(Ok(()), |plies| require_within("plies", plies, 0..=MOST_PLIES))?;
            options.equity_weight.map_or(Ok(()), |weight| require_within("equity_weight", weight, 0.0..=MOST_EQUITY_WEIGHT))?;
        }
        self.inference().map_or(Ok(()), |options| require_within("most_racks", options.most_racks, 1..=MOST_RACKS))
    }

    /// Returns where the opponent's tiles come from, for a search that deals them.
    fn opponent_tiles(&self) -> Option<&OpponentTiles> {
        match self {
            Analysis::Simulation(options) => Some(&options.opponent_tiles),
            Analysis::PreEndgame(options) => Some(&options.opponent_tiles),
            Analysis::Replies(options) => Some(&options.opponent_tiles),
            Analysis::Static(_) | Analysis::Endgame(_) | Analysis::Inference(_) => None,
        }
    }

    /// Returns the inference that the analysis consists of or begins with.
    fn inference(&self) -> Option<&InferenceOptions> {
        match (self, self.opponent_tiles()) {
            (Analysis::Inference(options), _) | (_, Some(OpponentTiles::Inferred(options))) => Some(options),
            _ => None,
        }
    }
}

impl SearchRequest {
    /// Checks that all options are in range, that the position has what the analysis needs, and that the named plays can be made.
    ///
    /// # Errors
    /// The parts that do not fit together, or the option that is out of range.
    pub(crate) fn new(position: SearchPosition, analysis: Analysis, settings: RunSettings) -> Result<SearchRequest, RequestError> {
        position.check(analysis.kind())?;
        settings.check()?;
        analysis.check_options()?;
        for (index, play) in analysis.plays().named().enumerate() {
            position.check_play(play).map_err(|error| RequestError::Play { number: index + 1, error })?;
        }
        if let Analysis::Replies(options) = &analysis {
            position.check_play(&options.play).map_err(|error| RequestError::Play { number: 1, error })?;
            if position.position().after(&Turn::Play(options.play)).is_ok_and(|after| after.end().is_some()) {
                return Err(RequestError::EndsGame);
            }
        }
        if let Some(options) = analysis.inference() {
            position.check_inference(options)?;
        }
        match analysis.opponent_tiles() {
            Some(OpponentTiles::Believed(belief)) if !belief.fits(position.position()) => return Err(RequestError::OtherBelief),
            _ => {}
        }
        Ok(SearchRequest { position, analysis, settings })
    }

    /// Returns the same question with other threads, another seed or other memory.
    ///
    /// # Errors
    /// [`RequestError::Option`].
    pub fn with_settings(self, settings: RunSettings) -> Result<SearchRequest, RequestError> {
        settings.check()?;
        Ok(SearchRequest { settings, ..self })
    }

    /// Threads, seed, memory.
    pub fn settings(&self) -> RunSettings {
        self.settings
    }

    /// The position, with the racks that follow from it.
    pub fn position(&self) -> &Position {
        self.position.position()
    }

    /// The kind of search.
    pub fn kind(&self) -> SearchKind {
        self.analysis.kind()
    }

    pub(super) fn analysis(&self) -> &Analysis {
        &self.analysis
    }
}
