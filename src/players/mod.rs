//! Players: one strategy a file behind one trait. A player sees a [`View`] and answers with a play.
//!
//! | file | who plays |
//! |---|---|
//! | `spec.rs` | players as text, `sim:iterations=500,plays=15`: parsed, printed, made |
//! | `greedy.rs` | the most points |
//! | `rack_heuristic.rs` | Gordon's rack heuristics with his trading rule |
//! | `static_player.rs` | static equity; late in the game playouts, and a short search once the bag is empty |
//! | `sim.rs` | simulation; a search once the bag is empty |
//! | `engine.rs` | the whole engine, each phase in its way |
//!
//! Not here: who deals, keeps the score and the time (`match_play/`). Start with [`Player`].

pub mod spec;
pub mod greedy;
pub mod rack_heuristic;
pub mod static_player;
pub mod sim;
pub mod engine;

pub use spec::PlayerSpec;

use crate::evaluation::static_eval::{EvaluatedPlay, StaticTurn};
use crate::evaluation::win_model::TilesLeft;
use crate::movegen::LaneBoard;
use crate::rules::game::{Seat, Turn};
use crate::rules::units::millipoints;
use crate::rules::{GameRules, Play, Position, Rack, scoring};
use crate::search::budget::{Clock, Signals};
use crate::search::phase::{self, PhaseRow};
use crate::search::report::Report;
use crate::search::{self, Analysis, Knowledge, RunSettings, SearchPosition, SearchRequest};
use std::sync::Arc;

/// Someone who plays. One a thread and seat.
///
/// A player may keep memory for speed, but what he answers follows from the view alone: so games can be played in any order,
/// on any thread, and a player meets himself without a difference.
pub trait Player {
    /// The play for this turn, with the score that the player counts. `board` is the generator's board; it must be left as it
    /// was, but for what it caches.
    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay;

    /// How the player's clock, if he has one, is divided over his turns.
    fn pace(&self) -> &'static [PhaseRow] {
        &phase::TABLE
    }
}

/// Whether a player has searches of their own for the last turns of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LateGame {
    /// He has.
    #[default]
    On,
    /// He plays them like all others.
    Off,
}

/// The position as the player on turn sees it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The game's rules.
    pub rules: &'a Arc<GameRules>,
    /// Whose turn it is; seat 0 began.
    pub seat: Seat,
    /// The racks as far as they are seen (the other one is empty until the bag is), and the tiles in the bag.
    pub tiles: StaticTurn<'a>,
    /// Number of tiles on the other rack.
    pub other_tiles: usize,
    /// Scores by seat.
    pub scores: [i32; 2],
    /// Successive turns without points up to now.
    pub zero_turns: u32,
    /// For what the player decides by chance on this turn: the same in both games of a pair.
    pub seed: u64,
    /// The player's clock, if the game has clocks.
    pub clock: Option<Clock>,
    /// When these say stop, the turn's time is over and the best play known is due; or the game is given up, and the answer does
    /// not matter any more.
    pub signals: &'a Signals,
    past: &'a [EvaluatedPlay],
}

/// What the runner of a game knows of it before a turn.
#[derive(Debug)]
pub struct Table<'a> {
    /// The game's rules.
    pub rules: &'a Arc<GameRules>,
    /// Racks by seat.
    pub racks: &'a [Rack; 2],
    /// Scores by seat.
    pub scores: [i32; 2],
    /// Tiles in the bag.
    pub in_bag: usize,
    /// Successive turns without points up to now.
    pub zero_turns: u32,
    /// All plays up to now; seat 0 began.
    pub past: &'a [EvaluatedPlay],
}

impl<'a> View<'a> {
    /// What the player on turn sees of the table.
    pub fn new(table: &Table<'a>, seed: u64, signals: &'a Signals) -> View<'a> {
        let seat = table.past.len() % 2;
        let other_rack = if table.in_bag == 0 { &table.racks[1 - seat] } else { &Rack::EMPTY };
        View {
            rules: table.rules,
            seat,
            tiles: StaticTurn::new(&table.racks[seat], other_rack, table.in_bag),
            other_tiles: table.racks[1 - seat].len(),
            scores: table.scores,
            zero_turns: table.zero_turns,
            seed,
            clock: None,
            signals,
            past: table.past,
        }
    }

    /// The same view, for a turn that others time.
    pub fn timed<'b>(&'b self, clock: Option<Clock>, signals: &'b Signals) -> View<'b> {
        View { clock, signals, ..*self }
    }

    /// The number of tiles left.
    pub fn tiles_left(&self) -> TilesLeft {
        TilesLeft { in_bag: self.tiles.in_bag, own_rack: self.tiles.rack.len(), other_rack: self.other_tiles }
    }

    /// All turns up to now with their scores, seat 0 first: of the other's exchanges only the number of tiles.
    pub fn history(&self) -> impl Iterator<Item = (Turn, i32)> + '_ {
        self.past.iter().enumerate().map(|(at, taken)| match taken.play {
            Play::Exchange(tiles) if at % 2 != self.seat => (Turn::ExchangeUnknown(tiles.len()), 0),
            play => (Turn::Play(play), taken.score),
        })
    }

    /// The position for a search: the mover is player 0 in it.
    ///
    /// # Panics
    /// If board and racks hold more of a tile than the game has.
    pub fn position(&self, board: &LaneBoard) -> Position {
        let racks = [*self.tiles.rack, *self.tiles.other_rack];
        let scores = [self.scores[self.seat], self.scores[1 - self.seat]];
        Position::new(Arc::clone(self.rules), board.to_board(), racks, scores, self.zero_turns).expect("the tiles are the game's")
    }
}

impl View<'_> {
    /// The position for a search.
    ///
    /// # Panics
    /// As [`View::position`]; and if the game is over.
    fn searchable(&self, board: &LaneBoard) -> SearchPosition {
        SearchPosition::new(self.position(board)).expect("a player is asked while the game goes on, and sees the rack")
    }
}

/// What a search finds, with its score.
fn searched(
    knowledge: &Knowledge,
    position: SearchPosition,
    analysis: Analysis,
    settings: RunSettings,
    signals: &Signals,
) -> EvaluatedPlay {
    let request = SearchRequest::new(position, analysis, settings).expect("the analysis fits the position");
    let outcome = search::run(knowledge, &request, signals, &mut |_: Report| {});
    let play = outcome.best.expect("a game that is not over has a play");
    let position = request.position();
    let score = play.placement().map_or(0, |placement| {
        scoring::score_placement(position.rules(), position.board(), placement).expect("a search plays by the rules").score
    });
    EvaluatedPlay { play, score, equity_millipoints: millipoints(score) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::heuristics::RackHeuristic;
    use crate::evaluation::{Evaluator, Leaves, WinModel};
    use crate::formats::english_rules;
    use crate::lexicon::Lexicon;
    use crate::search::{EndgameOptions, PlaySelection};

    /// Words, and leave values that need no file.
    pub(super) fn knowledge(rules: &GameRules) -> Knowledge {
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let evaluator = Arc::new(Evaluator { leaves, win_model: WinModel::formula(), rack_means: None });
        Knowledge { lexicon: Arc::new(Lexicon::builtin()), evaluator }
    }

    /// What an endgame is worth if the first play is one of these, points; the position must be small.
    pub(super) fn exact_worth(knowledge: &Knowledge, position: Position, only: Option<Vec<Play>>) -> i32 {
        let plays = PlaySelection { only, ..PlaySelection::default() };
        let analysis = Analysis::Endgame(EndgameOptions { plays, ..EndgameOptions::default() });
        let request = SearchRequest::new(SearchPosition::new(position).unwrap(), analysis, RunSettings::default()).unwrap();
        match search::run(knowledge, &request, &Signals::default(), &mut |_: Report| {}).last {
            Some(Report::Endgame { solution }) if solution.solved => solution.value,
            other => panic!("not solved: {other:?}"),
        }
    }

    #[test]
    fn a_player_sees_neither_the_other_rack_nor_what_the_other_exchanged_until_the_bag_is_empty() {
        let rules = Arc::new(english_rules());
        let rack = |text: &str| -> Rack { rules.distribution.parse_tiles(text).unwrap().into_iter().collect() };
        let racks = [rack("AEINRST"), rack("QUIZ")];
        let exchange = |text: &str| EvaluatedPlay { play: Play::Exchange(rack(text)), score: 0, equity_millipoints: 0 };
        let past = [exchange("VV"), exchange("UU"), exchange("C")];
        let signals = Signals::default();
        let see = |in_bag| {
            let table = Table { rules: &rules, racks: &racks, scores: [3, 4], in_bag, zero_turns: 3, past: &past };
            View::new(&table, 0, &signals)
        };
        let view = see(40);
        assert_eq!((view.seat, view.tiles.rack, view.tiles.other_rack), (1, &racks[1], &Rack::EMPTY));
        let turns: Vec<Turn> = view.history().map(|(turn, _)| turn).collect();
        assert_eq!(turns, [Turn::ExchangeUnknown(2), Turn::Play(past[1].play), Turn::ExchangeUnknown(1)]);
        assert_eq!(see(0).tiles.other_rack, &racks[0]);
    }
}
