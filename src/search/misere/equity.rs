//! Static equity in misere: the gain of a play if both players only exchange after it.
//!
//! The player with the lower score at the end wins, so points are a cost. When turns without points end the game, each player loses the
//! points of their rack, which is a gain here. Tiles of many points are therefore worth keeping, and neither player wants to go out. Equity
//! is the expected change of the opponent's final score minus the player's own, in points; more is better, as everywhere.
//!
//! | the play | its equity |
//! |---|---|
//! | goes out | minus its score, minus what going out gains by the rules (`rules/ending.rs`) |
//! | any other | minus its score, plus the points that the player's rack is expected to have when the game ends by turns without points, minus those of the other rack |
//!
//! The play determines how many turns each player has until the game ends by turns without points. A play without points is itself one of
//! these turns; after a play with points all of them are still to come. On each turn a player may exchange, as long as the bag has enough
//! tiles. A [dynamic programme](PenaltyValues) over the points of a tile and the exchanges left computes the values of racks. The hidden
//! tiles on the other rack are believed to have gone through such exchanges: one on each of the opponent's latest turns without points.
//!
//! Equity ignores the lead. [`MisereTurn::choose`] does not: near the end it compares chances of winning.
//!
//! | turns without points until the end | the turn |
//! |---|---|
//! | three or more | the exchange that is best for the rack, or the pass: a cheap play costs its points and gains nothing yet |
//! | two, of which the opponent has the last | the same, unless the cheapest play is clearly better |
//! | one | this exchange or the pass, which end the game, unless the cheapest play is better |
//!
//! The better turn is the one with the higher chance of winning if all later turns are without points.
//! This chance follows from the two racks, tile by tile, each tile with its chances after the exchanges that are left.
//! It ignores that a cheap play also decides which player gets the last turn.
//! How much better such a play must be was therefore found in matches ([`MisereStyle`]).
//!
//! Not here: the rules (`rules/variant.rs`, `rules/ending.rs`), playouts (`search/misere/playouts.rs`). Start with [`MisereEval`] and [`MisereTurn`].

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::evaluation::zero_turns::PointChances;
use crate::lexicon::word_graph::WordGraph;
use crate::movegen::found::{Found, GeneratedPlay, Terms};
use crate::movegen::generate::{GenerateScratch, generate};
use crate::movegen::sinks::{AllPlays, BestPlays, Sink};
use crate::movegen::{LaneBoard, LaneSet, Lanes, RackValues};
use crate::rules::units::Millipoints;
use crate::rules::{GameRules, Play, Position, Rack, Tile, scoring};
use crate::search::misere::belief::{RackBelief, SeenTurn, exchanges_left};
use crate::search::misere::cheapest::generate_cheapest;
use crate::search::misere::tile_values::{PenaltyValues, TileChances};

/// The terms of a play's static equity in misere; their sum is the equity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MisereTerms {
    /// Its points, which are a cost.
    pub score: Millipoints,
    /// The value of the player's rack at the end of the game.
    pub own_rack: Millipoints,
    /// The value of the other rack at the end of the game, which is a cost; or the cost of going out.
    pub other_rack: Millipoints,
}

impl MisereTerms {
    /// The equity.
    pub fn equity(self) -> Millipoints {
        self.score + self.own_rack + self.other_rack
    }
}

/// A turn as its player sees it, without the board.
#[derive(Clone, Copy, Debug)]
pub struct MisereTurn<'a> {
    /// The rules.
    pub rules: &'a GameRules,
    /// The values of tiles, from the player's point of view.
    pub values: &'a PenaltyValues,
    /// The player's rack.
    pub rack: &'a Rack,
    /// The other rack.
    pub other: &'a RackBelief,
    /// How far the player is ahead, in points: the opponent's score minus the player's own.
    pub lead: i32,
    /// Tiles in the bag.
    pub in_bag: usize,
    /// Successive turns without points up to now.
    pub zero_turns: u32,
}

impl MisereTurn<'_> {
    /// Whether tiles may be exchanged.
    pub fn may_exchange(&self) -> bool {
        self.in_bag >= self.rules.exchange_limit && self.in_bag > 0
    }

    /// Turns without points, this one included, until the game ends by them.
    pub fn zero_turns_left(&self) -> u32 {
        self.rules.max_zero_turns.saturating_sub(self.zero_turns)
    }

    /// Returns the terms of the equity of a play with this score.
    pub fn terms(&self, play: &Play, score: i32) -> MisereTerms {
        let distribution = &self.rules.distribution;
        let score = -Millipoints::from_points(score);
        let placed = play.placement().map_or(0, |placement| placement.tile_count());
        if self.in_bag == 0 && placed == self.rack.len() {
            let cost = self.rules.ending.lead_for_going_out(self.other.known().value(distribution));
            return MisereTerms { score, own_rack: Millipoints::ZERO, other_rack: -Millipoints::from_points(cost) };
        }
        let (own, other) = self.exchanges_after(placed, score == Millipoints::ZERO);
        let kept = play.leave(self.rack);
        let hidden = |chances: &TileChances| {
            let expected = chances.possible(distribution).map(|(tile, chance)| chance * f64::from(self.values.tile(tile, other).0));
            Millipoints(expected.sum::<f64>().round() as i32)
        };
        let other_rack = self.values.rack(self.other.known(), 0, other) + self.other.hidden().iter().map(hidden).sum();
        let loss = self.rules.ending.stuck_loss;
        MisereTerms { score, own_rack: self.values.rack(&kept, self.drawn_for(play), own) * loss, other_rack: -(other_rack * loss) }
    }

    /// Returns the play with its equity.
    pub fn evaluated(&self, play: Play, score: i32) -> EvaluatedPlay {
        EvaluatedPlay { play, score, equity: self.terms(&play, score).equity() }
    }

    /// Returns the exchanges left to (player, opponent) after a play of `placed` tiles, if nobody scores again. The opponent takes the first
    /// of these turns.
    fn exchanges_after(&self, placed: usize, is_zero_turn: bool) -> (usize, usize) {
        let to_come = self.rules.max_zero_turns.saturating_sub(if is_zero_turn { self.zero_turns + 1 } else { 0 }) as usize;
        let may_exchange = self.in_bag.saturating_sub(placed) >= self.rules.exchange_limit;
        if may_exchange { (to_come / 2, to_come - to_come / 2) } else { (0, 0) }
    }

    /// How many tiles are drawn after a play.
    fn drawn_for(&self, play: &Play) -> usize {
        match play {
            Play::Place(placement) => placement.tile_count().min(self.in_bag),
            Play::Exchange(tiles) => tiles.len(),
            Play::Pass => 0,
        }
    }

    /// Returns the exchange that is best for the rack, or the pass.
    pub fn without_points(&self) -> Play {
        let left = exchanges_left(self.rules, self.zero_turns);
        let mut thrown: Vec<_> = self.rack.tiles().filter(|&tile| self.values.throws(tile, left)).collect();
        if !self.may_exchange() || thrown.is_empty() {
            return Play::Pass;
        }
        thrown.sort_by_key(|&tile| self.values.tile(tile, left));
        thrown.truncate(self.in_bag);
        Play::Exchange(thrown.into_iter().collect())
    }

    /// Returns the chance of winning, a tie counting half, if all turns after a play are without points.
    pub fn chance_when_stuck(&self, play: &Play, score: i32) -> f64 {
        let distribution = &self.rules.distribution;
        let placed = play.placement().map_or(0, |placement| placement.tile_count());
        let (own, other) = self.exchanges_after(placed, score == 0);
        let kept = play.leave(self.rack);
        let known = kept.tiles().map(TileChances::certain);
        let drawn = std::iter::repeat_n(*self.values.fresh(), self.drawn_for(play));
        let after = |tile: TileChances, exchanges: usize| tile.exchanged(distribution, self.values, exchanges, 0);
        let own = PointChances::of(self.rules, known.chain(drawn).map(|tile| after(tile, own)), TileChances::of);
        let other = PointChances::of(self.rules, self.other.tiles().map(|tile| after(tile, other)), TileChances::of);
        own.chance_to_lead(&other, self.lead - score, self.rules.ending.stuck_loss)
    }

    /// Returns the scoring placements with the best equity, best first: at most `wanted`.
    pub fn cheapest(&self, board: &mut LaneBoard, graph: &WordGraph, wanted: usize) -> Vec<EvaluatedPlay> {
        let (own, _) = self.exchanges_after(1, false);
        let loss = self.rules.ending.stuck_loss;
        let found = self.scoring(board, graph, wanted, |kept| {
            let drawn = (self.rack.len() - kept.len()).min(self.in_bag);
            self.values.rack(kept, drawn, own) * loss
        });
        let mut plays: Vec<EvaluatedPlay> = found.iter().map(|play| self.evaluated(Play::Place(play.placement), play.score)).collect();
        plays.sort_by(EvaluatedPlay::ranking);
        plays.truncate(wanted);
        plays
    }

    /// Returns the scoring placements with the fewest points for the score and the placed tiles together, cheapest first: at most `wanted`.
    pub fn cheapest_by_points(&self, board: &mut LaneBoard, graph: &WordGraph, wanted: usize) -> Vec<EvaluatedPlay> {
        let found = self.scoring(board, graph, wanted, |kept| Millipoints::from_points(kept.value(&self.rules.distribution)));
        found.iter().map(|play| self.evaluated(Play::Place(play.placement), play.score)).collect()
    }

    /// Returns the best scoring placements by the value of the tiles kept minus the score.
    fn scoring(
        &self,
        board: &mut LaneBoard,
        graph: &WordGraph,
        wanted: usize,
        kept_value: impl Fn(&Rack) -> Millipoints,
    ) -> Vec<GeneratedPlay> {
        let mut values = RackValues::bare(self.rack, board.tile_values());
        let terms = Terms::of(self.rules);
        let lanes = board.prepare(graph);
        if values.has_values() {
            values.fill(Rack::EMPTY, |rack, tile, _| with(rack, tile), |kept| kept_value(&kept));
            let mut sink = ScoringPlays(BestPlays::new(wanted));
            generate_cheapest(graph, lanes, &values, &terms, &mut sink);
            return sink.0.into_plays();
        }
        // The rack is too large for values, so all plays are sorted.
        let (mut sink, mut scratch) = (AllPlays::default(), GenerateScratch::default());
        generate(graph, lanes, &values, &terms, &mut scratch, &mut sink);
        sink.plays.retain(|play| play.score > 0);
        for play in &mut sink.plays {
            let kept = self.rack.minus(&play.placement.rack_tiles()).unwrap_or_default();
            play.equity = kept_value(&kept) - Millipoints::from_points(play.score);
        }
        sink.plays.sort_by(|a, b| b.equity.cmp(&a.equity).then_with(|| a.placement.cmp(&b.placement)));
        sink.plays.truncate(wanted);
        sink.plays
    }

    /// Returns the turn of a player who only considers the near end of the game; see the module documentation.
    pub fn choose(&self, board: &mut LaneBoard, graph: &WordGraph, style: &MisereStyle) -> EvaluatedPlay {
        let zero = self.without_points();
        let margin = match self.zero_turns_left() {
            0 | 1 => style.end,
            2 => style.wait,
            _ => return self.evaluated(zero, 0),
        };
        let (stuck, zero) = self.best_final_turn(zero);
        // With such a chance the player ends the game now.
        if stuck >= MisereStyle::SURE {
            return self.evaluated(zero, 0);
        }
        let Some(&cheap) = self.cheapest(board, graph, 1).first() else { return self.evaluated(zero, 0) };
        if stuck > self.chance(&cheap) + margin { self.evaluated(zero, 0) } else { cheap }
    }

    /// Returns candidates: the `of_each` best plays by equity with points, as many without points, and the pass. Best equity first.
    pub fn candidates(&self, board: &mut LaneBoard, graph: &WordGraph, of_each: usize) -> Vec<EvaluatedPlay> {
        let mut without: Vec<EvaluatedPlay> = self.exchanges(board).map(|play| self.evaluated(play, 0)).collect();
        without.sort_by(EvaluatedPlay::ranking);
        without.truncate(of_each);
        let mut plays = self.cheapest(board, graph, of_each);
        plays.extend(without);
        plays.push(self.evaluated(Play::Pass, 0));
        plays.sort_by(EvaluatedPlay::ranking);
        plays
    }

    /// All exchanges that the rules allow.
    fn exchanges(&self, board: &LaneBoard) -> impl Iterator<Item = Play> {
        let values = RackValues::without_values(self.rack, board.tile_values());
        let parts = if self.may_exchange() && values.has_values() { values.parts().to_vec() } else { Vec::new() };
        let most = self.in_bag as u32;
        parts.into_iter().filter(move |part| (1..=most).contains(&part.count_ones())).map(move |part| Play::Exchange(values.part(part)))
    }

    /// Returns the turn without points that is likeliest to win, with its chance: this exchange, or the pass if that ends the game.
    fn best_final_turn(&self, exchange: Play) -> (f64, Play) {
        let chance = self.chance_when_stuck(&exchange, 0);
        let passed = if self.zero_turns_left() <= 1 { self.chance_when_stuck(&Play::Pass, 0) } else { 0.0 };
        if passed > chance { (passed, Play::Pass) } else { (chance, exchange) }
    }

    /// Returns the chance of winning with a play if all later turns are without points; 0,
    /// a half or 1 if the play goes out.
    fn chance(&self, play: &EvaluatedPlay) -> f64 {
        if self.in_bag == 0 && play.play.rack_tiles() == *self.rack {
            let gained = Millipoints::from_points(self.lead) + play.equity;
            return f64::from(gained.0.signum() + 1) / 2.0;
        }
        self.chance_when_stuck(&play.play, play.score)
    }
}

/// How much better a cheap play must be than a turn without points, for a player who only considers
/// the near end of the game. The unit is the difference between the chances of winning if all later
/// turns are without points. Below 0, the cheap play may be worse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MisereStyle {
    /// If a turn without points ends the game.
    pub end: f64,
    /// If a turn without points leaves the last turn to the opponent.
    pub wait: f64,
}

impl MisereStyle {
    /// The margins that did best in matches against `threshold`.
    pub const USUAL: MisereStyle = MisereStyle { end: 0.0, wait: -0.2 };

    /// With at least this chance of winning, the player ends the game.
    const SURE: f64 = 0.9;
}

/// A sink for placements that score.
struct ScoringPlays(BestPlays);

impl Sink for ScoringPlays {
    const PRUNES: bool = true;

    fn cutoff(&self) -> Millipoints {
        self.0.cutoff()
    }

    fn take(&mut self, found: &Found<'_>) {
        if found.score > 0 {
            self.0.take(found);
        }
    }
}

fn with(mut rack: Rack, tile: Tile) -> Rack {
    rack.add(tile);
    rack
}

/// Static evaluation of one position. The mover's rack is known.
#[derive(Debug)]
pub struct MisereEval<'a> {
    position: &'a Position,
    values: PenaltyValues,
    other: RackBelief,
}

impl<'a> MisereEval<'a> {
    /// Returns the evaluation for the player on turn. The opponent is believed to have exchanged on each of their latest turns without points.
    pub fn new(position: &'a Position) -> MisereEval<'a> {
        let rules = position.rules();
        let values = PenaltyValues::new(&rules.distribution, &position.unseen());
        let others = position.opponent_tiles().saturating_sub(position.opponent_rack().len());
        let watched = if position.in_bag() >= rules.exchange_limit { position.zero_turns() } else { 0 };
        let other = RackBelief::unwatched(rules, &values, position.opponent_rack(), others, watched);
        MisereEval { position, values, other }
    }

    /// As [`MisereEval::new`], with the belief about the opponent's rack that follows from these turns of the opponent.
    pub fn after_turns(position: &'a Position, turns: &[SeenTurn]) -> MisereEval<'a> {
        let usual = MisereEval::new(position);
        if turns.is_empty() {
            return usual;
        }
        let rules = position.rules();
        let other = RackBelief::of_turns(rules, &usual.values, turns, position.opponent_tiles()).knowing(position.opponent_rack());
        MisereEval { other, ..usual }
    }

    /// Returns the belief about the other rack.
    pub fn into_belief(self) -> RackBelief {
        self.other
    }

    /// Returns the turn, without the board.
    pub fn turn(&self) -> MisereTurn<'_> {
        MisereTurn {
            rules: self.position.rules(),
            values: &self.values,
            rack: self.position.mover_rack(),
            other: &self.other,
            lead: self.position.rules().objective().gain(self.position.spread()),
            in_bag: self.position.in_bag(),
            zero_turns: self.position.zero_turns(),
        }
    }

    /// Returns all plays, best first; `None` if `is_stopped` returns true before they are found. It is called every few milliseconds.
    pub fn ranking(&self, board: &mut LaneBoard, graph: &WordGraph, is_stopped: &dyn Fn() -> bool) -> Option<Vec<EvaluatedPlay>> {
        let rules = self.position.rules();
        let lanes = board.prepare(graph);
        let values = RackValues::without_values(self.position.mover_rack(), lanes.board().tile_values());
        let terms = Terms::of(rules);
        let (mut sink, mut scratch) = (AllPlays::default(), GenerateScratch::default());
        for lane in lanes.numbers() {
            if is_stopped() {
                return None;
            }
            generate(graph, Lanes::some(lanes.board(), LaneSet::from_iter([lane])), &values, &terms, &mut scratch, &mut sink);
        }
        let turn = self.turn();
        let placements = sink.plays.iter().map(|play| (Play::Place(play.placement), play.score));
        let exchanges = turn.exchanges(lanes.board()).map(|play| (play, 0));
        let all = placements.chain(exchanges).chain([(Play::Pass, 0)]);
        let mut plays: Vec<EvaluatedPlay> = all.map(|(play, score)| turn.evaluated(play, score)).collect();
        plays.sort_unstable_by(EvaluatedPlay::ranking);
        Some(plays)
    }

    /// Evaluates a play that was not generated: its words are not valid, or it is a one-tile play written in the other direction.
    pub fn judge(&self, play: &Play) -> EvaluatedPlay {
        let (rules, board) = (self.position.rules(), self.position.board());
        let scored = play.placement().and_then(|placement| scoring::score_placement(rules, board, placement).ok());
        self.turn().evaluated(*play, scored.map_or(0, |scored| scored.score))
    }

    /// Returns the terms of the equity of a play with this score.
    pub fn terms(&self, play: &Play, score: i32) -> MisereTerms {
        self.turn().terms(play, score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::cgp;
    use crate::lexicon::Lexicon;
    use crate::rules::notation::play_text;
    use crate::rules::{GameRules, Turn, TurnError};

    const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";

    fn position(text: &str) -> Position {
        cgp::parse(&format!("{text} var misere;"), &GameRules::english()).unwrap_or_else(|error| panic!("{text}: {error}")).position
    }

    fn ranking(position: &Position, lexicon: &Lexicon) -> Vec<EvaluatedPlay> {
        let mut board = LaneBoard::new(position.rules(), position.board(), lexicon.graph());
        MisereEval::new(position).ranking(&mut board, lexicon.graph(), &|| false).unwrap()
    }

    /// The dumb twin of the programme: the value of a tile with `exchanges` exchanges left, in points, by trying both choices and every draw.
    fn best_by_hand(value: i32, exchanges: usize, pool: &[i32]) -> f64 {
        if exchanges == 0 { f64::from(value) } else { best_by_hand(value, exchanges - 1, pool).max(mean_by_hand(exchanges - 1, pool)) }
    }

    fn mean_by_hand(exchanges: usize, pool: &[i32]) -> f64 {
        pool.iter().map(|&drawn| best_by_hand(drawn, exchanges, pool)).sum::<f64>() / pool.len() as f64
    }

    /// The value of a hidden tile of a player who may have exchanged it `before` times, then had `after` exchanges left, and now has
    /// `to_come`.
    fn hidden_by_hand(before: usize, after: usize, to_come: usize, pool: &[i32]) -> f64 {
        fn from(value: i32, steps: &mut dyn Iterator<Item = usize>, to_come: usize, pool: &[i32]) -> f64 {
            let Some(left) = steps.next() else { return best_by_hand(value, to_come, pool) };
            let rest: Vec<usize> = steps.collect();
            let kept = |value| from(value, &mut rest.iter().copied(), to_come, pool);
            if best_by_hand(value, left, pool) < mean_by_hand(left, pool) {
                pool.iter().map(|&drawn| kept(drawn)).sum::<f64>() / pool.len() as f64
            } else {
                kept(value)
            }
        }
        pool.iter().map(|&value| from(value, &mut (after..after + before).rev(), to_come, pool)).sum::<f64>() / pool.len() as f64
    }

    /// The dumb twin of the terms: the position after the play, and the values of its racks, tile by tile.
    fn equity_by_hand(position: &Position, play: &Play) -> Result<f64, TurnError> {
        let after = position.after(&Turn::Play(*play))?;
        let (rules, mover) = (position.rules(), position.on_turn());
        let cost = f64::from(after.score(mover) - position.score(mover));
        if after.end().is_some_and(|end| matches!(end, crate::rules::GameEnd::WentOut(_))) {
            return Ok(-cost);
        }
        // If turns without points end the game, the scores include the penalties of the known tiles, which are taken back.
        let known_penalty =
            if after.end().is_some() { f64::from(rules.ending.stuck_loss * after.rack(mover).value(&rules.distribution)) } else { 0.0 };
        let mut turns = [0, 0];
        let left = if after.end().is_some() { 0 } else { rules.max_zero_turns - after.zero_turns() };
        (0..left).for_each(|turn| turns[(1 + turn as usize) % 2] += 1);
        let pool: Vec<i32> = position.unseen().tiles().map(|tile| rules.distribution.value(tile)).collect();
        if position.in_bag() - play.placement().map_or(0, |placement| placement.tile_count()).min(position.in_bag()) < rules.exchange_limit
        {
            turns = [0, 0];
        }
        let after_now = (rules.max_zero_turns - position.zero_turns()) as usize / 2;
        let worth = |known: &Rack, size: usize, exchanges: usize, before: usize| {
            let tiles = known.tiles().map(|tile| best_by_hand(rules.distribution.value(tile), exchanges, &pool)).sum::<f64>();
            tiles + (size - known.len()) as f64 * hidden_by_hand(before, after_now, exchanges, &pool)
        };
        // The opponent's turns in the current sequence: every second one, including the last.
        let before = if position.in_bag() < rules.exchange_limit { 0 } else { (0..position.zero_turns()).rev().step_by(2).count() };
        let kept = position.mover_rack().minus(&play.rack_tiles()).unwrap();
        let size = match play {
            Play::Place(placement) => kept.len() + placement.tile_count().min(position.in_bag()),
            Play::Exchange(_) | Play::Pass => position.mover_rack().len(),
        };
        let other = worth(position.opponent_rack(), position.opponent_tiles(), turns[1], before);
        Ok(-(cost + known_penalty) + worth(&kept, size, turns[0], 0) - other)
    }

    #[test]
    fn the_ranking_is_what_the_rules_and_the_programme_say_of_each_play() {
        let lexicon = Lexicon::builtin();
        // Near the end of the bag, where pools are small: exchanges possible, not possible, an empty bag, the last turn without points.
        let late = "5BERGS5/4PA3U5/2QAID3R5/3BEE3F2S2/1P1ET2VIATIC2/MA1TAW3c2H2/ES3IS2E2A2/AT1FOLIA4V2/LI1L1EX1E6/1N1O1D2N2Y3/1GNU2C1JETE3/2ER2OHO2N3/2O3GOY6/1INDOW1U7/4DORR7";
        // Without the board's last row, three tiles are in the bag.
        let earlier = late.replace("4DORR7", "15");
        let rests = ["IKLMTZ/AEINRU? 300/290 0", "IKLMTZ/AEINRU? 300/290 5", "AIKLMTZ/ 300/290 1 etl 1;", "AIKLMTZ/ 300/290 5"];
        for (board, rest) in [late, late, &earlier, &earlier].into_iter().zip(rests) {
            let position = position(&format!("{board} {rest}"));
            let plays = ranking(&position, &lexicon);
            assert!(plays.is_sorted_by(|a, b| a.ranking(b).is_le()) && plays.iter().any(|play| play.play == Play::Pass));
            for play in &plays {
                let by_hand = equity_by_hand(&position, &play.play).unwrap();
                let text = play_text(&play.play, position.board(), &position.rules().distribution);
                assert!((play.equity.points() - by_hand).abs() < 0.05, "{rest} {text}: {} {by_hand}", play.equity);
            }
        }
    }

    #[test]
    fn blanks_that_score_nothing_are_turns_without_points_and_tiles_of_many_points_are_kept() {
        let lexicon = Lexicon::builtin();
        let best = |text: &str| {
            let position = position(text);
            let best = ranking(&position, &lexicon)[0];
            play_text(&best.play, position.board(), &position.rules().distribution)
        };
        assert_eq!(best(&format!("{EMPTY} AEIQZJK/ 0/0 0")), "ex.AEI");
        // On the last turn without points, with a rack of more points than any other, a pass ends the game.
        assert_eq!(best(&format!("{EMPTY} VWYQZJK/ 0/0 5")), "pass");
        // With a poor rack, a play of few points prolongs the game. A play without points would end it.
        let poor = format!("{EMPTY} ??AEIOU/ 0/0 5");
        let prolongs = best(&poor);
        let position = position(&poor);
        let plays = ranking(&position, &lexicon);
        assert!(plays[0].score > 0 && plays[0].score <= 4, "{prolongs}");
        let zero = plays.iter().find(|play| play.score == 0 && play.play.placement().is_some()).unwrap();
        assert!(zero.equity < plays[0].equity);
    }
    #[test]
    fn whoever_was_seen_to_keep_more_tiles_has_the_better_rack() {
        let position = position(&format!("{EMPTY} CFHKMPY/ 0/0 5"));
        let seen = |exchanged: [usize; 3]| {
            let turn = |(at, exchanged): (usize, usize)| SeenTurn {
                placed: Rack::EMPTY,
                exchanged,
                may_exchange: true,
                zero_turns: 2 * at as u32,
                held: 7,
            };
            let turns: Vec<SeenTurn> = exchanged.into_iter().enumerate().map(turn).collect();
            MisereEval::after_turns(&position, &turns).turn().chance_when_stuck(&Play::Pass, 0)
        };
        let (poor, usual, rich) = (seen([6, 6, 6]), seen([4, 2, 2]), seen([0, 0, 0]));
        assert!(poor > usual + 0.1 && usual > rich + 0.1, "{poor} {usual} {rich}");
    }
}
