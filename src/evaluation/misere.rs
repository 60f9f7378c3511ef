//! Static equity of the game that is played to lose: what a play gains if from then on both players only exchange.
//!
//! Whoever has the lower score at the end wins. Points cost, and when too many turns without points end the game each player loses the points of
//! their rack, which then is a gain: so tiles of many points are worth keeping. Neither wants to go out. Equity here is what a play is expected
//! to change of the opponent's final score less the player's own, in points; more is better, as everywhere.
//!
//! | the play | its equity |
//! |---|---|
//! | goes out | less its score, less what going out gains by the rules (`rules/ending.rs`) |
//! | any other | less its score; and the points that the player's rack is expected to have when the game ends by turns without points, less those of the other rack |
//!
//! How many of the turns until then are whose follows from the play: without points it is one of them, with points all are still to come. On
//! each a player may exchange, as long as the bag holds enough tiles. What a rack becomes by that is a [dynamic programme](PenaltyValues)
//! over the points of a tile and the exchanges left. Of the tiles on the other rack that are not known it is believed that they went through
//! the same: that the opponent has exchanged on each of the last turns without points that were theirs.
//!
//! Not here: the rules (`rules/variant.rs`, `rules/ending.rs`), and whether a lead is enough to win. Start with [`MisereEval::ranking`].

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::lexicon::word_graph::WordGraph;
use crate::movegen::found::Terms;
use crate::movegen::generate::{GenerateScratch, generate};
use crate::movegen::sinks::AllPlays;
use crate::movegen::{LaneBoard, LaneSet, Lanes, RackValues};
use crate::rules::tiles::MAX_LETTERS;
use crate::rules::units::Millipoints;
use crate::rules::{GameRules, LetterDistribution, Play, Position, Rack, Tile, scoring};

/// Exchanges that a programme looks ahead: the usual rule of six turns leaves each player three. More change next to nothing.
const MOST_EXCHANGES: usize = 16;

/// What tiles become by exchanges, for a player who wants a rack of many points at the end.
///
/// With no exchange left a tile is worth its points. With one more it is worth the better of keeping it and of the tile that is drawn for
/// it, which is any of those unseen. This is exact for a player's last exchange. Before it the tiles drawn are taken to leave those unseen as
/// they were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PenaltyValues {
    /// By exchanges left, then by tile index.
    values: Vec<[Millipoints; MAX_LETTERS + 1]>,
    /// By exchanges left: a tile that is drawn.
    drawn: Vec<Millipoints>,
}

impl PenaltyValues {
    /// With tiles drawn from these. If there are none, nothing is ever drawn, and a tile drawn is worth nothing.
    pub fn new(distribution: &LetterDistribution, unseen: &Rack) -> PenaltyValues {
        let mut value = [Millipoints::ZERO; MAX_LETTERS + 1];
        for tile in distribution.tiles() {
            value[tile.index()] = Millipoints::from_points(distribution.value(tile));
        }
        let mean = |value: &[Millipoints; MAX_LETTERS + 1]| {
            let sum: i64 = unseen.distinct().map(|(tile, count)| i64::from(value[tile.index()].0) * i64::from(count)).sum();
            Millipoints((sum / (unseen.len() as i64).max(1)) as i32)
        };
        let mut values = vec![value];
        let mut drawn = vec![mean(&value)];
        for exchanges in 0..MOST_EXCHANGES {
            value = value.map(|kept| kept.max(drawn[exchanges]));
            values.push(value);
            drawn.push(mean(&value));
        }
        PenaltyValues { values, drawn }
    }

    /// What a tile is worth to a player who has so many exchanges left.
    pub fn tile(&self, tile: Tile, exchanges: usize) -> Millipoints {
        self.values[exchanges.min(MOST_EXCHANGES)][tile.index()]
    }

    /// What a tile that is now drawn is worth to a player who then has so many exchanges left.
    pub fn drawn(&self, exchanges: usize) -> Millipoints {
        self.drawn[exchanges.min(MOST_EXCHANGES)]
    }

    /// What a rack is worth of which some tiles are known and others were just drawn.
    pub fn rack(&self, known: &Rack, drawn: usize, exchanges: usize) -> Millipoints {
        let kept: Millipoints = known.distinct().map(|(tile, count)| self.tile(tile, exchanges) * i32::from(count)).sum();
        kept + self.drawn(exchanges) * drawn as i32
    }
}

/// The terms of a play's static equity in the game that is played to lose; their sum is the equity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MisereTerms {
    /// Its points, which cost.
    pub score: Millipoints,
    /// What the player's rack is worth at the end of the game.
    pub own_rack: Millipoints,
    /// What the other rack is worth then, which costs; or what going out costs.
    pub other_rack: Millipoints,
}

impl MisereTerms {
    /// The equity.
    pub fn equity(self) -> Millipoints {
        self.score + self.own_rack + self.other_rack
    }
}

/// Static evaluation of one position. The mover's rack is known.
#[derive(Debug)]
pub struct MisereEval<'a> {
    position: &'a Position,
    values: PenaltyValues,
    in_bag: usize,
    /// Tiles on the other rack that are not known.
    other_unknown: usize,
}

impl<'a> MisereEval<'a> {
    /// For the player on turn.
    pub fn new(position: &'a Position) -> MisereEval<'a> {
        let values = PenaltyValues::new(&position.rules().distribution, &position.unseen());
        let other_unknown = position.opponent_tiles().saturating_sub(position.opponent_rack().len());
        MisereEval { position, values, in_bag: position.in_bag(), other_unknown }
    }

    /// All plays, best first; `None` if `is_stopped` says so before they are found. It is asked every few milliseconds.
    pub fn ranking(&self, board: &mut LaneBoard, graph: &WordGraph, is_stopped: &dyn Fn() -> bool) -> Option<Vec<EvaluatedPlay>> {
        let rules = self.position.rules();
        let lanes = board.prepare(graph);
        let values = RackValues::without_values(self.position.mover_rack(), lanes.board().tile_values());
        let terms = Terms { bingo_bonus: rules.bingo_bonus, bingo_tiles: rules.rack_size, opening: None };
        let (mut sink, mut scratch) = (AllPlays::default(), GenerateScratch::default());
        for lane in lanes.numbers() {
            if is_stopped() {
                return None;
            }
            generate(graph, Lanes::some(lanes.board(), LaneSet::from_iter([lane])), &values, &terms, &mut scratch, &mut sink);
        }
        let placements = sink.plays.iter().map(|play| (Play::Place(play.placement), play.score));
        let may_exchange = self.in_bag >= rules.exchange_limit && values.has_values();
        let exchanged = if may_exchange { values.parts() } else { &[] };
        let can_draw = |part: &&u16| (1..=self.in_bag as u32).contains(&part.count_ones());
        let exchanges = exchanged.iter().filter(can_draw).map(|&part| (Play::Exchange(values.part(part)), 0));
        let all = placements.chain(exchanges).chain([(Play::Pass, 0)]);
        let mut plays: Vec<EvaluatedPlay> = all.map(|(play, score)| self.evaluated(play, score)).collect();
        plays.sort_unstable_by(EvaluatedPlay::ranking);
        Some(plays)
    }

    /// A play that is not generated: its words are unknown, or it is a one-tile play written in the other direction.
    pub fn judge(&self, play: &Play) -> EvaluatedPlay {
        let (rules, board) = (self.position.rules(), self.position.board());
        let scored = play.placement().and_then(|placement| scoring::score_placement(rules, board, placement).ok());
        self.evaluated(*play, scored.map_or(0, |scored| scored.score))
    }

    fn evaluated(&self, play: Play, score: i32) -> EvaluatedPlay {
        EvaluatedPlay { play, score, equity: self.terms(&play, score).equity() }
    }

    /// What makes up the equity of a play with this score.
    pub fn terms(&self, play: &Play, score: i32) -> MisereTerms {
        let rules: &GameRules = self.position.rules();
        let rack = self.position.mover_rack();
        let kept = rack.minus(&play.rack_tiles()).unwrap_or_default();
        let (placed, drawn) = match play {
            Play::Place(placement) => (placement.tile_count(), placement.tile_count().min(self.in_bag)),
            Play::Exchange(tiles) => (0, tiles.len()),
            Play::Pass => (0, 0),
        };
        let score = -Millipoints::from_points(score);
        if self.in_bag == 0 && placed == rack.len() {
            let cost = rules.ending.lead_for_going_out(self.position.opponent_rack().value(&rules.distribution));
            return MisereTerms { score, own_rack: Millipoints::ZERO, other_rack: -Millipoints::from_points(cost) };
        }
        // Of the turns without points that are still to come the opponent takes the first.
        let zero_turns = if score == Millipoints::ZERO { self.position.zero_turns() + 1 } else { 0 };
        let to_come = rules.max_zero_turns.saturating_sub(zero_turns) as usize;
        let may_exchange = self.in_bag.saturating_sub(placed) >= rules.exchange_limit;
        let (own, other) = if may_exchange { (to_come / 2, to_come - to_come / 2) } else { (0, 0) };
        let behind = if self.in_bag >= rules.exchange_limit { self.position.zero_turns().div_ceil(2) as usize } else { 0 };
        let known = self.values.rack(self.position.opponent_rack(), 0, other);
        let other_rack = known + self.values.drawn(behind + other) * self.other_unknown as i32;
        let loss = rules.ending.stuck_loss;
        MisereTerms { score, own_rack: self.values.rack(&kept, drawn, own) * loss, other_rack: -(other_rack * loss) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{cgp, english_rules};
    use crate::lexicon::Lexicon;
    use crate::rules::notation::play_text;
    use crate::rules::{Turn, TurnError};

    const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";

    fn position(text: &str) -> Position {
        cgp::parse(&format!("{text} var misere;"), &english_rules()).unwrap_or_else(|error| panic!("{text}: {error}")).position
    }

    fn ranking(position: &Position, lexicon: &Lexicon) -> Vec<EvaluatedPlay> {
        let mut board = LaneBoard::new(position.rules(), position.board(), lexicon.graph());
        MisereEval::new(position).ranking(&mut board, lexicon.graph(), &|| false).unwrap()
    }

    /// The dumb twin of the programme: a tile with so many exchanges left, by trying both choices and every tile drawn, in points.
    fn best_by_hand(value: i32, exchanges: usize, pool: &[i32]) -> f64 {
        if exchanges == 0 {
            return f64::from(value);
        }
        let drawn = pool.iter().map(|&drawn| best_by_hand(drawn, exchanges - 1, pool)).sum::<f64>() / pool.len() as f64;
        best_by_hand(value, exchanges - 1, pool).max(drawn)
    }

    #[test]
    fn a_tile_is_worth_the_best_of_keeping_and_drawing() {
        let english = english_rules().distribution;
        let pool = Rack::parse("AEIQZVB?", &english).unwrap();
        let values = PenaltyValues::new(&english, &pool);
        let points: Vec<i32> = pool.tiles().map(|tile| english.value(tile)).collect();
        for exchanges in 0..=4 {
            for tile in english.tiles() {
                let by_hand = best_by_hand(english.value(tile), exchanges, &points);
                assert!((values.tile(tile, exchanges).points() - by_hand).abs() < 0.01, "{tile:?} {exchanges}");
            }
        }
    }

    #[test]
    fn three_exchanges_make_ten_points_more_of_a_rack() {
        let english = english_rules().distribution;
        let values = PenaltyValues::new(&english, &Rack::full_bag(&english));
        let rack = |exchanges| values.rack(&Rack::EMPTY, 7, exchanges).points();
        // 187 points on a hundred tiles. In games of exchanges alone racks come to some 22.7: the tiles of many points run out.
        assert!((rack(0) - 13.09).abs() < 0.01, "{}", rack(0));
        assert!((22.7..23.4).contains(&rack(3)), "{}", rack(3));
        // What is thrown: in the last exchange tiles below the mean of 1.87, before it those of two points, too.
        let kept = |exchanges: usize, tile: &str| {
            let tile = english.parse_tiles(tile).unwrap()[0];
            values.tile(tile, exchanges - 1) > values.drawn(exchanges - 1)
        };
        let thrown =
            |exchanges| english.tiles().filter(|&tile| !kept(exchanges, &english.tiles_text([tile]))).map(|tile| english.value(tile)).max();
        assert_eq!([1, 2, 3].map(thrown), [Some(1), Some(2), Some(2)]);
    }

    /// The dumb twin of the terms: the position after the play, and what the racks are worth there, tile by tile.
    fn equity_by_hand(position: &Position, play: &Play) -> Result<f64, TurnError> {
        let after = position.after(&Turn::Play(*play))?;
        let (rules, mover) = (position.rules(), position.on_turn());
        let cost = f64::from(after.score(mover) - position.score(mover));
        if after.end().is_some_and(|end| matches!(end, crate::rules::GameEnd::WentOut(_))) {
            return Ok(-cost);
        }
        // At the end by turns without points the scores hold the penalties of the tiles that are known: they are taken back.
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
        let drawn = |exchanges: usize| pool.iter().map(|&value| best_by_hand(value, exchanges, &pool)).sum::<f64>() / pool.len() as f64;
        let worth = |known: &Rack, size: usize, exchanges: usize, before: usize| {
            let tiles = known.tiles().map(|tile| best_by_hand(rules.distribution.value(tile), exchanges, &pool)).sum::<f64>();
            tiles + (size - known.len()) as f64 * drawn(before + exchanges)
        };
        // The opponent's turns of the row so far: every second one, the last included.
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
        for rest in ["IKLMTZ/AEINRU? 300/290 0", "IKLMTZ/AEINRU? 300/290 5", "IKLM/ 300/290 1 etl 1;", "IK/ 300/290 5"] {
            let position = position(&format!("{late} {rest}"));
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
        // The last turn without points, and a rack of more points than any other: the game is ended.
        assert_eq!(best(&format!("{EMPTY} VWYQZJK/ 0/0 5")), "pass");
        // A poor rack: a play of few points prolongs the game, one of none would end it.
        let poor = format!("{EMPTY} ??AEIOU/ 0/0 5");
        let prolongs = best(&poor);
        let position = position(&poor);
        let plays = ranking(&position, &lexicon);
        assert!(plays[0].score > 0 && plays[0].score <= 4, "{prolongs}");
        let zero = plays.iter().find(|play| play.score == 0 && play.play.placement().is_some()).unwrap();
        assert!(zero.equity < plays[0].equity);
    }
}
