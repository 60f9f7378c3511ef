//! Static equity: a play's score, plus the value of its leave, plus terms for opening and end of
//! the bag.
//!
//! | when | equity of a play |
//! |---|---|
//! | the bag holds tiles | score + leave; a pass keeps the whole rack, which is worth nothing or less (`leaves.rs`) |
//! | near the end of the bag | the same with terms by the number of tiles left (`leaves.rs`), if the leave values have such terms |
//! | the bag is empty, the play goes out | score + what going out gains by the rules (`rules/ending.rs`) |
//! | the bag is empty, the play does not go out | score - 10 points - what the opponent would gain by going out next |
//! | the bag is empty, and last turns are counted | score: what is kept is worth nothing |
//! | the board is empty | 0.7 points less for each vowel next to a square that multiplies letters: above or below it, for a play across |
//!
//! These terms are those of \[macondo\], \[MAGPIE\] and \[wolges\]; those for the end of the bag are our own.
//!
//! Not here: generating the plays (`movegen/`), the tables of values (the other files of this folder), the end of the game by turns without
//! points (`zero_turns.rs`). Start with
//! [`StaticEval::best`] and [`StaticTurn`].

use crate::evaluation::leaves::{BagTerms, Leaves};
use crate::evaluation::rack_means::RackMeans;
use crate::lexicon::WordSource;
use crate::movegen::found::{GeneratedPlay, OpeningTerms, Terms};
use crate::movegen::generate::{self, GenerateScratch};
use crate::movegen::map_search::{self, MapSearchScratch, RackParts};
use crate::movegen::sinks::{AllPlays, BestEquity, BestPlay, BestPlays, Sink};
use crate::movegen::{LaneBoard, LaneSet, Lanes, RackValues};
use crate::rules::tiles::MAX_LETTERS;
use crate::rules::units::Millipoints;
use crate::rules::{Board, Ending, GameRules, Play, Rack};
use std::cmp::Ordering;

/// What a vowel on a bad square of the first play costs.
const OPENING_VOWEL_COST: Millipoints = Millipoints(Millipoints::PER_POINT * 7 / 10);

/// Up to this many wanted plays are kept in order as they are found, which is fast.
/// If more are wanted, all plays are listed and sorted.
pub const FEW: usize = 200;

/// What not going out with an empty bag costs, points.
const NOT_OUT_COST: i32 = 10;

/// The value of the tiles kept after a play with an empty bag, in points. Going out gains what the rules award. Not
/// going out costs a fixed amount, and what the opponent would gain by going out next.
///
/// `kept_points` are those of the tiles kept, `None` for a play that goes out. `other_points` are those of the other rack.
#[inline]
pub fn worth_with_empty_bag(ending: Ending, kept_points: Option<i32>, other_points: i32) -> i32 {
    match kept_points {
        None => ending.lead_for_going_out(other_points),
        Some(kept) => -NOT_OUT_COST - ending.lead_for_going_out(kept),
    }
}

/// A play with its static evaluation. The tiles kept follow from the rack: [`Play::leave`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EvaluatedPlay {
    /// The play.
    pub play: Play,
    /// Points it scores.
    pub score: i32,
    /// Score and leave and adjustments, in thousandths of a point.
    pub equity: Millipoints,
}

impl EvaluatedPlay {
    /// A pass that is worth nothing.
    pub const PASS: EvaluatedPlay = EvaluatedPlay { play: Play::Pass, score: 0, equity: Millipoints::ZERO };

    /// The order of rankings: higher equity first; plays of equal equity in the order of [`Play`].
    pub fn ranking(&self, other: &EvaluatedPlay) -> Ordering {
        other.equity.cmp(&self.equity).then_with(|| self.play.cmp(&other.play))
    }
}

impl From<GeneratedPlay> for EvaluatedPlay {
    fn from(generated: GeneratedPlay) -> EvaluatedPlay {
        EvaluatedPlay { play: Play::Place(generated.placement), score: generated.score, equity: generated.equity }
    }
}

/// The facts about a turn that static evaluation needs, apart from the board.
#[derive(Clone, Copy, Debug)]
pub struct StaticTurn<'a> {
    /// The mover's rack.
    pub rack: &'a Rack,
    /// The other rack, which counts when the bag is empty.
    pub other_rack: &'a Rack,
    /// Tiles in the bag.
    pub in_bag: usize,
    /// What dynamic leaves need; `None` for static ones.
    pub dynamic: Option<DynamicLeaves<'a>>,
}

/// The data for valuing leaves by the unseen tiles.
#[derive(Clone, Copy, Debug)]
pub struct DynamicLeaves<'a> {
    /// The means of full racks.
    pub means: &'a RackMeans,
    /// The tiles in the bag and on the other rack.
    pub unseen: &'a Rack,
}

impl<'a> StaticTurn<'a> {
    /// Creates a turn whose leaves have their static values.
    ///
    /// ```
    /// use tilewright::internals::StaticTurn;
    /// use tilewright::rules::{GameRules, Rack};
    ///
    /// let english = GameRules::english().distribution.clone();
    /// let (own, other) = (Rack::parse("AEINRST", &english)?, Rack::EMPTY);
    /// let turn = StaticTurn::new(&own, &other, 86);
    /// assert!(turn.dynamic.is_none());
    /// # Ok::<(), tilewright::rules::rack::RackTextError>(())
    /// ```
    pub fn new(rack: &'a Rack, other_rack: &'a Rack, in_bag: usize) -> StaticTurn<'a> {
        StaticTurn { rack, other_rack, in_bag, dynamic: None }
    }

    /// Returns the same turn with dynamic leaves, if there are means of full racks.
    #[must_use]
    pub fn with_means(self, means: Option<&'a RackMeans>, unseen: &'a Rack) -> StaticTurn<'a> {
        StaticTurn { dynamic: means.map(|means| DynamicLeaves { means, unseen }), ..self }
    }
}

/// The value of a leave when the bag is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum EndOfBag {
    /// Going out gains what the rules award; not going out costs points.
    Adjusted,
    /// Nothing: each player has a last turn, whatever is kept.
    LastTurns,
    /// Nothing.
    Nothing,
}

/// Static evaluation of turns, with its memory. Each thread has one.
#[derive(Debug)]
pub struct StaticEval<'a> {
    rules: &'a GameRules,
    words: WordSource<'a>,
    leaves: &'a Leaves,
    opening: Option<OpeningTerms>,
    end_of_bag: EndOfBag,
    /// The points of a tile, by tile index.
    points: [i16; MAX_LETTERS + 1],
    /// For turns whose rack the caller has not made ready; taken out while it is in use.
    rack: Option<Box<ReadyRack>>,
    graph_scratch: GenerateScratch,
    map_scratch: MapSearchScratch,
}

/// A turn's rack with the values of its parts, and the words that they can make: the same on any board. See
/// [`StaticEval::make_ready`].
#[derive(Clone, Debug)]
pub struct ReadyRack {
    /// The value of the leave after a placement.
    values: RackValues,
    /// What the tiles kept are worth after an exchange or the pass, which leave the bag as full as it was.
    held: RackValues,
    parts: RackParts,
    /// Whether `parts` are of this rack. The first search by the word map fills them.
    has_parts: bool,
}

impl Default for ReadyRack {
    fn default() -> ReadyRack {
        let values = RackValues::bare(&Rack::EMPTY, &[0; MAX_LETTERS + 1]);
        ReadyRack { held: values.clone(), values, parts: RackParts::default(), has_parts: false }
    }
}

impl<'a> StaticEval<'a> {
    /// Creates an evaluation by these rules, words and leave values.
    pub fn new(rules: &'a GameRules, words: impl Into<WordSource<'a>>, leaves: &'a Leaves) -> StaticEval<'a> {
        let words = words.into();
        let empty = LaneBoard::new(rules, &Board::empty(rules.layout.dim()), words.graph);
        let points = *empty.tile_values();
        StaticEval {
            rules,
            words,
            leaves,
            opening: Some(OpeningTerms::new(&empty, rules.distribution.vowels(), OPENING_VOWEL_COST)),
            end_of_bag: if rules.variant.last_turns().is_some() { EndOfBag::LastTurns } else { EndOfBag::Adjusted },
            points,
            rack: Some(Box::default()),
            graph_scratch: GenerateScratch::default(),
            map_scratch: MapSearchScratch::default(),
        }
    }

    /// Creates an evaluation by score and leave only: without terms for the opening, and with no value for tiles kept
    /// when the bag is empty.
    pub fn score_and_leave(rules: &'a GameRules, words: impl Into<WordSource<'a>>, leaves: &'a Leaves) -> StaticEval<'a> {
        StaticEval { opening: None, end_of_bag: EndOfBag::Nothing, ..StaticEval::new(rules, words, leaves) }
    }

    /// The values of tiles kept.
    pub fn leaves(&self) -> &Leaves {
        self.leaves
    }

    /// The terms for the end of the bag, if a play from a full rack could leave few enough tiles there.
    fn bag_terms(&self, in_bag: usize) -> Option<&'a BagTerms> {
        let terms = self.leaves.bag_terms().filter(|_| self.end_of_bag != EndOfBag::Nothing && in_bag > 0)?;
        (in_bag as i32 - self.rules.rack_size as i32 <= terms.last()).then_some(terms)
    }

    /// Whether the value of a leave depends on the number of tiles in the bag when `in_bag` are
    /// left.
    pub fn counts_bag(&self, in_bag: usize) -> bool {
        in_bag == 0 || self.bag_terms(in_bag).is_some()
    }

    /// The value of a play of this turn apart from its score and its place on the board: the leave with the terms for
    /// the end of the bag, or the terms of an empty bag.
    pub fn worth_after(&self, turn: &StaticTurn<'_>, play: &Play) -> Millipoints {
        let leave = play.leave(turn.rack);
        let placed = play.placement().map_or(0, |placement| placement.tile_count());
        let value = self.leave_value(turn, &leave);
        self.bag_terms(turn.in_bag).map_or(value, |terms| terms.value(turn.in_bag as i32 - placed as i32, value))
    }

    /// What the tiles kept are worth on this turn: the leave's value far from the end of the bag, or the terms of an empty
    /// bag.
    pub fn leave_value(&self, turn: &StaticTurn<'_>, leave: &Rack) -> Millipoints {
        if turn.in_bag > 0 {
            let dynamic = turn.dynamic.and_then(|dynamic| dynamic.means.value(leave, dynamic.unseen));
            return dynamic.unwrap_or_else(|| self.leaves.value(leave));
        }
        let kept_points = (!leave.is_empty()).then(|| leave.value(&self.rules.distribution));
        self.empty_bag_value(turn)(kept_points)
    }

    /// The value of a leave with an empty bag: a function of its points,
    /// or of `None` if no tiles are kept.
    fn empty_bag_value(&self, turn: &StaticTurn<'_>) -> impl Fn(Option<i32>) -> Millipoints {
        let (end_of_bag, ending) = (self.end_of_bag, self.rules.ending);
        let other_points = turn.other_rack.value(&self.rules.distribution);
        move |kept_points| match end_of_bag {
            EndOfBag::LastTurns | EndOfBag::Nothing => Millipoints::ZERO,
            EndOfBag::Adjusted => Millipoints::from_points(worth_with_empty_bag(ending, kept_points, other_points)),
        }
    }

    /// Makes a turn's rack ready for any number of searches, on this board and others. It stays ready for every turn that has the same
    /// rack, the same number of tiles in the bag as far as [it counts](StaticEval::counts_bag), the same other rack if the bag is
    /// empty, and the same dynamic leaves.
    pub fn make_ready(&self, turn: &StaticTurn<'_>, rack: &mut ReadyRack) {
        rack.has_parts = false;
        let values = &mut rack.values;
        values.reset(turn.rack, &self.points);
        if !values.has_values() {
            rack.held.clone_from(&rack.values);
            return;
        }
        if turn.in_bag > 0 {
            self.leaves.fill(values);
            if let Some(DynamicLeaves { means, unseen }) = turn.dynamic {
                means.revalue(values, unseen);
            }
        } else {
            let distribution = &self.rules.distribution;
            let value = self.empty_bag_value(turn);
            let add = |points: Option<i32>, tile, _| Some(points.unwrap_or(0) + distribution.value(tile));
            values.fill(None, add, value);
        }
        rack.held.clone_from(&rack.values);
        if let Some(terms) = self.bag_terms(turn.in_bag) {
            // A placement draws as many tiles as it places; an exchange puts back as many as it draws.
            let (in_bag, tiles) = (turn.in_bag as i32, turn.rack.len() as i32);
            rack.values.revalue(|kept, value| terms.value(in_bag - tiles + kept.count_ones() as i32, value));
            rack.held.revalue(|_, value| terms.value(in_bag, value));
        }
    }

    /// Generates placements into a sink: with the word map if there is one and the sink wants only the best, or else
    /// with the word graph.
    fn find<S: Sink>(&mut self, lanes: Lanes<'_>, rack: &mut ReadyRack, sink: &mut S) {
        let opening = self.opening.as_ref().filter(|_| lanes.board().is_empty());
        let terms = Terms { opening, ..Terms::of(self.rules) };
        match self.words.map() {
            Some(map) if S::PRUNES && map_search::is_possible(&rack.values) => {
                if !rack.has_parts {
                    rack.parts.set_rack(map, &rack.values, &self.points, &mut self.map_scratch);
                    rack.has_parts = true;
                }
                map_search::generate(map, lanes, &rack.values, &mut rack.parts, &terms, &mut self.map_scratch, sink);
            }
            _ => generate::generate(self.words.graph, lanes, &rack.values, &terms, &mut self.graph_scratch, sink),
        }
    }

    /// Prepares the board's lanes, makes the turn's rack ready, and does something with both.
    fn with_ready<T>(
        &mut self,
        board: &mut LaneBoard,
        turn: &StaticTurn<'_>,
        action: impl FnOnce(&mut Self, Lanes<'_>, &mut ReadyRack) -> T,
    ) -> T {
        let lanes = board.prepare(self.words.graph);
        let mut rack = self.rack.take().unwrap_or_default();
        self.make_ready(turn, &mut rack);
        let done = action(self, lanes, &mut rack);
        self.rack = Some(rack);
        done
    }

    fn may_exchange(&self, turn: &StaticTurn<'_>, values: &RackValues) -> bool {
        turn.in_bag >= self.rules.exchange_limit && values.has_values()
    }

    /// The equity of the best exchange or the pass.
    fn best_without_placing(&self, turn: &StaticTurn<'_>, values: &RackValues) -> Millipoints {
        let tiles = turn.rack.len();
        let fewest_kept = if self.may_exchange(turn, values) { tiles.saturating_sub(turn.in_bag) } else { tiles };
        (fewest_kept..=tiles).map(|kept| values.best_keeping(kept)).max().expect("a pass keeps all tiles")
    }

    /// What can be done without placing tiles: the exchanges, where they are possible, and the pass.
    fn without_placing(&self, turn: &StaticTurn<'_>, values: &RackValues) -> Vec<EvaluatedPlay> {
        let whole = values.whole();
        let exchanged = if self.may_exchange(turn, values) { values.parts() } else { &[] };
        let exchange = |kept: u16| EvaluatedPlay { play: Play::Exchange(values.part(whole & !kept)), score: 0, equity: values.value(kept) };
        let pass = EvaluatedPlay { play: Play::Pass, score: 0, equity: values.value(whole) };
        // No more tiles are exchanged than the bag holds.
        let is_possible = |kept: &u16| *kept != whole && (whole & !kept).count_ones() as usize <= turn.in_bag;
        exchanged.iter().copied().filter(is_possible).map(exchange).chain([pass]).collect()
    }

    /// The best play by static equity: a placement, an exchange, or a pass.
    pub fn best(&mut self, board: &mut LaneBoard, turn: &StaticTurn<'_>) -> EvaluatedPlay {
        self.with_ready(board, turn, |eval, lanes, rack| eval.best_with(lanes, turn, rack, None))
    }

    /// The best of the placements in some lanes, a further placement that is already known, the exchanges and the pass.
    /// The rack must be [made ready](StaticEval::make_ready) for such a turn.
    pub fn best_with(
        &mut self,
        lanes: Lanes<'_>,
        turn: &StaticTurn<'_>,
        rack: &mut ReadyRack,
        known: Option<GeneratedPlay>,
    ) -> EvaluatedPlay {
        // PERF: the best leaves give the worth of the best exchange or the pass without a list of them. A placement
        // must be worth at least as much, so the search for placements begins with that as its floor.
        let floor = self.best_without_placing(turn, &rack.held);
        let known = known.filter(|play| play.equity >= floor);
        let mut sink = BestPlay { best: known, floor: Some(floor) };
        self.find(lanes, rack, &mut sink);
        match sink.best {
            Some(best) => best.into(),
            None => {
                let plays = self.without_placing(turn, &rack.held);
                plays.into_iter().min_by(EvaluatedPlay::ranking).expect("a pass is always possible")
            }
        }
    }

    /// Returns what the best play is worth, between two bounds: `least` if no play is worth more, and the worth of any
    /// play that reaches `enough` if there is one. The closer the bounds are, the faster the search is.
    pub fn best_equity_within(
        &mut self,
        board: &mut LaneBoard,
        turn: &StaticTurn<'_>,
        least: Millipoints,
        enough: Millipoints,
    ) -> Millipoints {
        self.with_ready(board, turn, |eval, lanes, rack| {
            let mut sink = BestEquity { best: eval.best_without_placing(turn, &rack.held).max(least), enough };
            if sink.best < enough {
                eval.find(lanes, rack, &mut sink);
            }
            sink.best
        })
    }

    /// The best placements, best first, at most this many (at least one). The rack must be ready as for
    /// [`StaticEval::best_with`].
    pub fn best_placements(&mut self, lanes: Lanes<'_>, rack: &mut ReadyRack, wanted: usize) -> Vec<GeneratedPlay> {
        let mut sink = BestPlays::new(wanted);
        self.find(lanes, rack, &mut sink);
        sink.into_plays()
    }

    /// The best placement by static equity, if there is any.
    pub fn best_placement(&mut self, board: &mut LaneBoard, turn: &StaticTurn<'_>) -> Option<EvaluatedPlay> {
        self.with_ready(board, turn, |eval, lanes, rack| {
            let mut sink = BestPlay::default();
            eval.find(lanes, rack, &mut sink);
            sink.best.map(EvaluatedPlay::from)
        })
    }

    /// The best placement and the best exchange, if there are any.
    pub fn best_placement_and_exchange(
        &mut self,
        board: &mut LaneBoard,
        turn: &StaticTurn<'_>,
    ) -> (Option<EvaluatedPlay>, Option<EvaluatedPlay>) {
        self.with_ready(board, turn, |eval, lanes, rack| {
            let mut sink = BestPlay::default();
            eval.find(lanes, rack, &mut sink);
            let exchanges = eval.without_placing(turn, &rack.held).into_iter().filter(|play| play.play != Play::Pass);
            (sink.best.map(EvaluatedPlay::from), exchanges.min_by(EvaluatedPlay::ranking))
        })
    }

    /// The best plays by static equity, best first, including exchanges and the pass: at least one,
    /// at most `wanted`.
    pub fn best_few(&mut self, board: &mut LaneBoard, turn: &StaticTurn<'_>, wanted: usize) -> Vec<EvaluatedPlay> {
        if wanted > FEW {
            let mut plays = self.all(board, turn);
            plays.truncate(wanted);
            return plays;
        }
        self.with_ready(board, turn, |eval, lanes, rack| {
            let placements = eval.best_placements(lanes, rack, wanted);
            eval.with_the_rest(turn, &placements, &rack.held, wanted.max(1))
        })
    }

    /// All plays, best first: placements, exchanges, the pass.
    pub fn all(&mut self, board: &mut LaneBoard, turn: &StaticTurn<'_>) -> Vec<EvaluatedPlay> {
        self.all_unless(board, turn, &|| false).expect("nobody interrupts")
    }

    /// Like [`StaticEval::all`], but returns `None` if `is_stopped` is true before the plays are found,
    /// which can take a twentieth of a second with two blanks. It is called every few milliseconds.
    pub fn all_unless(
        &mut self,
        board: &mut LaneBoard,
        turn: &StaticTurn<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Option<Vec<EvaluatedPlay>> {
        self.with_ready(board, turn, |eval, lanes, rack| {
            let mut sink = AllPlays::default();
            for lane in lanes.numbers() {
                if is_stopped() {
                    return None;
                }
                eval.find(Lanes::some(lanes.board(), LaneSet::from_iter([lane])), rack, &mut sink);
            }
            (!is_stopped()).then(|| eval.with_the_rest(turn, &sink.plays, &rack.held, usize::MAX))
        })
    }

    /// Placements, exchanges and the pass in one ranking, best first, at most `wanted` of them.
    fn with_the_rest(&self, turn: &StaticTurn<'_>, placements: &[GeneratedPlay], values: &RackValues, wanted: usize) -> Vec<EvaluatedPlay> {
        let others = self.without_placing(turn, values);
        // PERF: plays are large, and comparing them is slow. So keys are sorted: the equity, turned so that higher equities come first
        // (bits 96..128), the beginning of the placement (bits 32..96, all of them set for other plays), and the play's index (bits 0..32).
        // The few that differ in nothing but the index are then compared as plays.
        let key = |(at, (equity, beginning)): (usize, (Millipoints, u64))| {
            u128::from(!(equity.0 as u32 ^ 1 << 31)) << 96 | u128::from(beginning) << 32 | at as u128
        };
        let placed = placements.iter().map(|play| (play.equity, play.placement.beginning()));
        let not_placed = others.iter().map(|play| (play.equity, u64::MAX));
        let mut keys: Vec<u128> = placed.chain(not_placed).enumerate().map(key).collect();
        let play = |key: u128| {
            let at = key as u32 as usize;
            placements.get(at).map_or_else(|| others[at - placements.len()], |&play| play.into())
        };
        keys.sort_unstable();
        for equals in keys.chunk_by_mut(|a, b| a >> 32 == b >> 32).filter(|equals| equals.len() > 1) {
            equals.sort_unstable_by_key(|&key| play(key).play);
        }
        keys.into_iter().take(wanted).map(play).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::heuristics::RackHeuristic;
    use crate::evaluation::leaves::BagRow;
    use crate::lexicon::Lexicon;
    use crate::match_play::game::GameLoop;
    use crate::rules::GameRules;
    use crate::search::budget::Signals;
    use std::sync::Arc;

    /// Terms that favour other plays than the leaves do, and plays that leave many tiles: exchanges, with eight to ten
    /// tiles in the bag.
    fn some_terms() -> BagTerms {
        let worth = |left: i32| (left * 7919).rem_euclid(23_000) - if left < 8 { 31_000 } else { 0 };
        let row = |left: i32| BagRow { worth: Millipoints(worth(left)), leave_share: 300 + 150 * left.rem_euclid(5) };
        BagTerms::new(-6, (-6..=9).map(row).collect()).unwrap()
    }

    #[test]
    fn near_the_end_of_the_bag_every_play_has_its_term_and_the_best_is_the_first_of_all() {
        let (rules, lexicon) = (Arc::new(GameRules::english()), Lexicon::builtin());
        lexicon.make_map();
        let plain = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution).with_bag_terms(Some(some_terms()));
        let mut games = GameLoop::new(&rules, lexicon.graph());
        let (mut eval, mut plain) = (StaticEval::new(&rules, &lexicon, &leaves), StaticEval::new(&rules, &lexicon, &plain));
        let mut met = std::collections::BTreeSet::new();
        let (mut others, mut without_placing) = (0, 0);
        for index in 0..12 {
            games.play(7, index, &Signals::default(), |board, view| {
                let turn = &view.tiles;
                let (best, without_terms) = (eval.best(board, turn), plain.best(board, turn));
                assert_eq!(eval.counts_bag(turn.in_bag), turn.in_bag <= 16);
                if !eval.counts_bag(turn.in_bag) || turn.in_bag == 0 {
                    assert_eq!(best, without_terms);
                    return without_terms;
                }
                let all = eval.all(board, turn);
                assert_eq!((best, &eval.best_few(board, turn, 5)[..]), (all[0], &all[..5.min(all.len())]));
                let point = Millipoints::from_points(1);
                let mut within = |least, enough| eval.best_equity_within(board, turn, least, enough);
                assert_eq!(within(Millipoints::MIN, Millipoints::MAX), best.equity);
                assert_eq!(within(best.equity, Millipoints::MAX), best.equity);
                assert_eq!(within(best.equity + point, Millipoints::MAX), best.equity + point);
                assert_eq!(within(best.equity - point, best.equity + point), best.equity);
                for enough in all.iter().map(|play| play.equity - point) {
                    assert!((enough..=best.equity).contains(&within(enough - point, enough)), "{enough}");
                }
                for play in &all {
                    let kept = turn.rack.minus(&play.play.rack_tiles()).unwrap();
                    let placed = play.play.placement().map_or(0, |placement| placement.tile_count());
                    let worth = some_terms().value(turn.in_bag as i32 - placed as i32, eval.leaves().value(&kept));
                    assert_eq!(
                        (play.equity, eval.worth_after(turn, &play.play)),
                        (Millipoints::from_points(play.score) + worth, worth),
                        "{play:?}"
                    );
                }
                met.insert(turn.in_bag);
                others += usize::from(best.play != without_terms.play);
                without_placing += usize::from(best.play.placement().is_none());
                without_terms
            });
        }
        assert!(met.len() >= 12 && others > 20 && without_placing > 0, "{met:?} {others} {without_placing}");
    }

    #[test]
    fn plays_that_are_looked_for_with_a_stop_in_mind_are_all_plays_or_none() {
        let (rules, lexicon) = (GameRules::english(), Lexicon::builtin());
        let leaves = Leaves::heuristic(RackHeuristic::VowelMix, &rules.distribution);
        let mut eval = StaticEval::new(&rules, &lexicon, &leaves);
        let mut board = LaneBoard::new(&rules, &Board::empty(15), lexicon.graph());
        for text in ["AEINRS?", "CATVVWW"] {
            let rack = Rack::parse(text, &rules.distribution).unwrap();
            let turn = StaticTurn::new(&rack, &Rack::EMPTY, 86);
            // The twin: the generator goes over the whole board at once.
            let whole = eval.with_ready(&mut board, &turn, |eval, lanes, rack| {
                let mut sink = AllPlays::default();
                eval.find(lanes, rack, &mut sink);
                let mut plays: Vec<EvaluatedPlay> = sink.plays.into_iter().map(EvaluatedPlay::from).collect();
                plays.extend(eval.without_placing(&turn, &rack.held));
                plays.sort_by(EvaluatedPlay::ranking);
                plays
            });
            let asked = std::cell::Cell::new(0);
            let mut ask_until = |last: usize| {
                asked.set(0);
                eval.all_unless(&mut board, &turn, &|| {
                    asked.set(asked.get() + 1);
                    asked.get() == last
                })
            };
            assert_eq!(ask_until(usize::MAX).as_ref(), Some(&whole));
            let times = asked.get();
            assert!(times > 30, "asked once a lane, and while plays are put in order: {times}");
            for last in [1, 2, 30, times] {
                assert_eq!(ask_until(last), None);
                assert_eq!(asked.get(), last);
            }
            assert_eq!(eval.all(&mut board, &turn), whole);
        }
    }
}
