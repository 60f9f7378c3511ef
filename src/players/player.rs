//! The trait of all players, and code that several of them share: searches, and random deals of the hidden tiles.
//!
//! Not here: the deals of simulations, which all candidates share (`search/simulation/`).

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::evaluation::zero_turns::EndCertainty;
use crate::movegen::LaneBoard;
use crate::players::clock::{self, ClockPace};
use crate::players::view::View;
use crate::rules::units::Millipoints;
use crate::rules::{Rack, Tile, scoring};
use crate::search::report::{Outcome, Report};
use crate::search::{
    self, Analysis, EndgameOptions, Knowledge, PlaySelection, PreEndgameOptions, RunSettings, Search, SearchPosition, SearchRequest,
    randomness,
};
use rand::Rng;

/// A player. Each thread has one for each seat.
///
/// A player may keep memory for speed, but the answer must depend only on the view. Games can therefore be played in any order and
/// on any thread, and two equal players play the same games from both seats.
pub trait Player: Send {
    /// Chooses the play for this turn, with the score that the player counts. `board` is the generator's board, which must stay as it
    /// was, except for its caches.
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay;

    /// Returns the chance of winning, 0 to 1, that the player expects after its last choice. `None` if it estimates none.
    fn expected_win(&self) -> Option<f64> {
        None
    }

    /// Returns how the player's clock, if there is one, is divided over the turns.
    fn pace(&self) -> &'static ClockPace {
        &clock::USUAL
    }
}

/// Wraps a player, and passes if that ends the game with a certain win. On all other turns, the player chooses.
pub struct EndsWonGames<'a> {
    player: Box<dyn Player + 'a>,
    /// Whether the last choice was to end a won game.
    has_ended: bool,
}

impl<'a> EndsWonGames<'a> {
    /// Wraps a player, so that it always ends a won game if it can.
    pub fn new(player: Box<dyn Player + 'a>) -> EndsWonGames<'a> {
        EndsWonGames { player, has_ended: false }
    }
}

impl Player for EndsWonGames<'_> {
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let pass = EvaluatedPlay::PASS;
        let end = view.end_in_sight().filter(|end| end.certainty(&pass) == EndCertainty::Won);
        self.has_ended = end.is_some();
        end.map_or_else(|| self.player.choose(board, view), |end| end.revalued(pass))
    }

    fn expected_win(&self) -> Option<f64> {
        if self.has_ended { Some(1.0) } else { self.player.expected_win() }
    }

    fn pace(&self) -> &'static ClockPace {
        self.player.pace()
    }
}

/// Whether a player has special searches for the last turns of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LateGame {
    /// The last turns are searched.
    #[default]
    On,
    /// The last turns are played like all others.
    Off,
}

/// Nodes of the searches of late turns, for players whose original had no such limit.
pub(super) const LATE_NODES: u64 = 50_000;

/// Memory of a player's searches of late turns, MB.
const HASH_MEGABYTES: usize = 16;

/// Returns the search of a late turn: an endgame if the bag is empty, a pre-endgame if at most
/// `most_in_pre_endgame` tiles are left in it. Returns `None` for earlier turns.
pub(super) fn late_analysis(view: &View<'_>, most_in_pre_endgame: usize, plays: PlaySelection) -> Option<Analysis> {
    let nodes = view.clock.is_none().then_some(LATE_NODES);
    match view.tiles.in_bag {
        0 => Some(Analysis::Endgame(EndgameOptions { nodes, ..EndgameOptions::default() })),
        in_bag if in_bag <= most_in_pre_endgame => {
            Some(Analysis::PreEndgame(PreEndgameOptions { plays, nodes, ..PreEndgameOptions::default() }))
        }
        _ => None,
    }
}

/// The result of a search on a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Searched {
    /// The best play, with its score.
    pub play: EvaluatedPlay,
    /// Its chance of winning by the search.
    pub win: Option<f64>,
}

/// Returns the best play that a search finds on a turn.
///
/// # Panics
/// If the analysis does not fit the position.
pub(super) fn searched(knowledge: &Knowledge, position: SearchPosition, analysis: Analysis, view: &View<'_>) -> Searched {
    let before = position.position().clone();
    let Outcome { best, last, .. } = run(knowledge, position, analysis, view);
    let play = best.expect("a game that is not over has a play");
    let score = play.placement().map_or(0, |placement| {
        scoring::score_placement(before.rules(), before.board(), placement).expect("a search plays by the rules").score
    });
    let play = EvaluatedPlay { play, score, equity: Millipoints::from_points(score) };
    Searched { play, win: last.and_then(|report| report.first_win(before.spread())) }
}

/// Runs a search of a turn, and returns its outcome.
///
/// # Panics
/// If the analysis does not fit the position.
pub(super) fn run<S: Search>(knowledge: &Knowledge, position: SearchPosition, search: S, view: &View<'_>) -> Outcome<S::Report> {
    let settings = RunSettings { threads: 1, seed: view.seed, hash_megabytes: HASH_MEGABYTES, ..RunSettings::default() };
    let request = SearchRequest::new(position, search.analysis(), settings).expect("the analysis fits the position");
    search::run(knowledge, &request, view.signals, &mut |_: Report| {}).of::<S>()
}

/// The tiles that a player does not see.
#[derive(Clone, Debug)]
pub struct HiddenTiles {
    /// Tiles of the opponent's rack that are known: all of them once the bag is empty.
    known: Rack,
    /// All other hidden tiles, in the bag or on the opponent's rack.
    unknown: Vec<Tile>,
    /// How many of the unknown tiles are on the opponent's rack.
    drawn: usize,
}

/// A possible distribution of the hidden tiles.
#[derive(Clone, Debug)]
pub struct Deal {
    /// The opponent's rack.
    pub other_rack: Rack,
    /// The tiles in the bag, in the order in which the player draws them.
    pub bag: Vec<Tile>,
}

impl HiddenTiles {
    /// Returns the tiles that are hidden on this turn.
    pub fn new(view: &View<'_>) -> HiddenTiles {
        let known = *view.seen;
        let unknown = view.unseen().minus(&known).expect("tiles in sight on the other rack are not on the board");
        HiddenTiles { known, unknown: unknown.tiles().collect(), drawn: view.other_tiles - known.len() }
    }

    /// Returns a random deal. All deals are equally likely.
    pub fn deal(&self, rng: &mut impl Rng) -> Deal {
        let mut bag = self.unknown.clone();
        randomness::shuffle(&mut bag, rng);
        let drawn = bag.split_off(bag.len() - self.drawn);
        Deal { other_rack: self.known.plus(&drawn.into_iter().collect()), bag }
    }
}
