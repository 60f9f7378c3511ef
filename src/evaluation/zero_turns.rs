//! Foresees the end of a game by turns without points, for the player on turn.
//!
//! Static equity takes neither the score nor earlier turns without points into account. One turn before the end they
//! decide the game: a pass then wins for a player whose lead is large enough, whatever the other rack holds. Start with
//! [`EndInSight::new`] and [`EndInSight::certainty`].
//!
//! If it is uncertain who will lead at the end, [`PointChances`] gives the distribution of the points of an uncertain
//! rack.
//!
//! Not here: how the scores change at the end (`rules/ending.rs`), and the game that is played to lose
//! (`search/misere/equity.rs`, which looks further ahead, with the chances of a tile in
//! `search/misere/tile_values.rs`).

use crate::evaluation::static_eval::{EvaluatedPlay, StaticEval, StaticTurn};
use crate::evaluation::win_model::{TilesLeft, WinModel, win_of_final_spread};
use crate::movegen::LaneBoard;
use crate::rules::units::Millipoints;
use crate::rules::{Countdown, GameRules, Objective, Play, Position, Rack, Tile, ways};
use std::cmp::Ordering;

/// The result of a play that holds for all arrangements of the unseen tiles. Greater is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum EndCertainty {
    /// The game is lost.
    Lost,
    /// No result is certain.
    #[default]
    Open,
    /// The game is won.
    Won,
}

/// A turn on which a game may end, or after which the opponent may end it, by a turn without points.
#[derive(Clone, Copy, Debug)]
pub struct EndInSight<'a> {
    rules: &'a GameRules,
    /// Whether a turn without points ends the game now, and not only after one more.
    is_next: bool,
    lead: i32,
    rack: Rack,
    /// Known tiles of the other rack.
    known: Rack,
    /// All other tiles that the player does not see.
    pool: Rack,
    /// How many of them are on the other rack.
    others: usize,
    in_bag: usize,
}

impl<'a> EndInSight<'a> {
    /// Returns the end, if it comes with the next turn without points or the one after it. `known` holds the tiles of
    /// the other rack that the player on turn knows, and `pool` returns all other unseen tiles.
    #[inline]
    pub fn new(
        rules: &'a GameRules,
        countdown: Countdown,
        lead: i32,
        turn: &StaticTurn<'_>,
        known: Rack,
        pool: impl FnOnce() -> Rack,
    ) -> Option<EndInSight<'a>> {
        let Countdown { zero_turns, last_turns } = countdown;
        if zero_turns + 2 < rules.max_zero_turns || last_turns.is_some() {
            return None;
        }
        let pool = pool();
        let (is_next, in_bag) = (rules.is_ended_by_zero_turn_after(zero_turns), turn.in_bag);
        let others = (pool.len() + known.len()).min(rules.rack_size).saturating_sub(known.len());
        Some(EndInSight { rules, is_next, lead, rack: *turn.rack, known, pool, others, in_bag })
    }

    /// The end as the player on turn in this position sees it.
    pub fn of(position: &'a Position) -> Option<EndInSight<'a>> {
        let turn = StaticTurn::new(position.mover_rack(), &Rack::EMPTY, position.in_bag());
        let known = *position.opponent_rack();
        EndInSight::new(position.rules(), position.countdown(), position.spread(), &turn, known, || position.unknown())
    }

    /// Whether this play ends the game.
    pub fn is_ended_by(&self, play: &EvaluatedPlay) -> bool {
        self.is_next && play.score == 0
    }

    /// Returns the certain result of a play: the result if the play ends the game, and a loss if the
    /// opponent can win by ending the game next.
    pub fn certainty(&self, play: &EvaluatedPlay) -> EndCertainty {
        if play.score != 0 {
            return EndCertainty::Open;
        }
        let (kept, drawn) = self.after(&play.play);
        let mut points: Vec<i32> = self.pool.tiles().map(|tile| self.value(tile)).collect();
        points.sort_unstable();
        let known = self.known.value(&self.rules.distribution);
        let cheapest = |count: usize| points.iter().take(count).sum::<i32>();
        let dearest = |count: usize| points.iter().rev().take(count).sum::<i32>();
        let gain =
            |own: i32, other: i32| self.rules.objective().gain(self.lead + self.rules.ending.lead_when_stuck(kept + own, known + other));
        // Both extremes can occur together: the bag and the other rack hold all of these tiles.
        let extremes = [gain(dearest(drawn), cheapest(self.others)), gain(cheapest(drawn), dearest(self.others))];
        if self.is_next && extremes.iter().all(|&gain| gain > 0) {
            EndCertainty::Won
        } else if extremes.iter().all(|&gain| gain < 0) {
            EndCertainty::Lost
        } else {
            EndCertainty::Open
        }
    }

    /// The chance to win, 0 to 1, if the game ends after a play without points; a tie counts half. Exact for the pass.
    /// For an exchange, the tiles drawn are assumed to leave the unseen tiles unchanged.
    pub fn win_if_ended(&self, play: &Play) -> f64 {
        let (kept, drawn) = self.after(play);
        let known = self.known.value(&self.rules.distribution);
        let own = PointChances::drawn(self.rules, kept, &self.pool, drawn);
        let other = PointChances::drawn(self.rules, known, &self.pool, self.others);
        let factor = self.rules.ending.stuck_loss;
        match self.rules.objective() {
            Objective::MostPoints => other.chance_to_lead(&own, self.lead, factor),
            Objective::FewestPoints => own.chance_to_lead(&other, -self.lead, factor),
        }
    }

    /// Returns the play with the equity that it has if it ends the game: the expected change of the lead.
    #[must_use]
    pub fn revalued(&self, play: EvaluatedPlay) -> EvaluatedPlay {
        if !self.is_ended_by(&play) {
            return play;
        }
        let (kept, drawn) = self.after(&play.play);
        let known = self.known.value(&self.rules.distribution);
        let change = f64::from(known - kept) + self.mean_of_pool() * (self.others as f64 - drawn as f64);
        EvaluatedPlay { equity: Millipoints::rounded(f64::from(self.rules.ending.stuck_loss) * change), ..play }
    }

    /// The order of rankings: by certainty, then by equity.
    pub fn ranking(&self, a: &EvaluatedPlay, b: &EvaluatedPlay) -> Ordering {
        self.certainty(b).cmp(&self.certainty(a)).then_with(|| EvaluatedPlay::ranking(a, b))
    }

    /// The plays that may be the best ones to end the game with: the pass, and the exchange of all tiles with more
    /// points than the mean of the tiles drawn for them.
    pub fn ending_plays(&self) -> Vec<Play> {
        if !self.is_next {
            return Vec::new();
        }
        let mean = self.mean_of_pool();
        let mut dear: Vec<Tile> = self.rack.tiles().filter(|&tile| f64::from(self.value(tile)) > mean).collect();
        dear.sort_by_key(|&tile| -self.value(tile));
        dear.truncate(self.in_bag);
        let exchange = (!dear.is_empty() && self.in_bag >= self.rules.exchange_limit).then(|| Play::Exchange(dear.into_iter().collect()));
        [Play::Pass].into_iter().chain(exchange).collect()
    }

    /// Chooses the play with the best chance to win: the best play by static equity, a play that ends the game, or one
    /// that scores.
    pub fn choose(
        &self,
        eval: &mut StaticEval<'_>,
        win_model: &WinModel,
        board: &mut LaneBoard,
        turn: &StaticTurn<'_>,
        best: EvaluatedPlay,
    ) -> EvaluatedPlay {
        let scores = |play: &EvaluatedPlay| play.score > 0;
        // A player who scores one turn before the opponent could end the game need not look further.
        if !self.is_next && scores(&best) {
            return best;
        }
        let pass = EvaluatedPlay::PASS;
        let placement = Some(best).filter(scores).or_else(|| eval.best_placement(board, turn).filter(scores));
        let zero_turn = if scores(&best) { pass } else { best };
        let ended = |play: &EvaluatedPlay| self.win_if_ended(&play.play);
        let chance = |play: &EvaluatedPlay| match (scores(play), self.is_next) {
            (true, _) => self.win_after(win_model, play),
            (false, true) => ended(play),
            // The opponent ends the game if that wins.
            (false, false) => self.win_after(win_model, play) * ended(play),
        };
        let plays = [placement, Some(zero_turn), self.is_next.then_some(pass)].into_iter().flatten();
        let rated = plays.map(|play| (chance(&play), play));
        // Of equal chances, the first one is chosen.
        rated.reduce(|best, next| if next.0 > best.0 { next } else { best }).map_or(best, |(_, play)| play)
    }

    /// The chance to win by the win % model, if the game goes on after this play with its equity.
    fn win_after(&self, win_model: &WinModel, play: &EvaluatedPlay) -> f64 {
        let placed = play.play.placement().map_or(0, |placement| placement.tile_count());
        let drawn = placed.min(self.in_bag);
        let left = TilesLeft {
            in_bag: self.in_bag - drawn,
            own_rack: self.known.len() + self.others,
            other_rack: (self.rack.len() + drawn).saturating_sub(placed),
        };
        let lead = f64::from(self.lead) + play.equity.points();
        // A player who goes out gains what the rules award, and nothing else.
        if left.other_rack == 0 { win_of_final_spread(lead.round() as i32) } else { 1.0 - win_model.win(-lead, left) }
    }

    /// The mean points of an unseen tile.
    fn mean_of_pool(&self) -> f64 {
        f64::from(self.pool.value(&self.rules.distribution)) / self.pool.len().max(1) as f64
    }

    fn value(&self, tile: Tile) -> i32 {
        self.rules.distribution.value(tile)
    }

    /// The points of the tiles kept after a play, and how many tiles are drawn, including those that a partly known
    /// rack lacks.
    fn after(&self, play: &Play) -> (i32, usize) {
        let gone = play.rack_tiles();
        let kept = self.rack.without(&gone);
        let most = if self.in_bag > 0 { self.rules.rack_size } else { self.rack.len() };
        let drawn = most.saturating_sub(kept.len()).min(self.pool.len().saturating_sub(self.others));
        (kept.value(&self.rules.distribution), drawn)
    }
}

/// The chances of each number of points that a rack may have, by points.
#[derive(Clone, Debug)]
pub struct PointChances(Vec<f64>);

impl PointChances {
    /// Returns the chances for a rack of `count` tiles drawn from `tiles` and other tiles worth `points`.
    pub fn drawn(rules: &GameRules, points: i32, tiles: &Rack, count: usize) -> PointChances {
        let dearest = rules.distribution.tiles().map(|tile| rules.distribution.value(tile)).max().unwrap_or(0) as usize;
        // The number of ways, by the number of tiles drawn, then by their points.
        let mut by_count = vec![vec![0.0; points.max(0) as usize + count * dearest + 1]; count + 1];
        by_count[0][points.max(0) as usize] = 1.0;
        for (tile, there) in tiles.distinct() {
            let (there, value) = (usize::from(there), rules.distribution.value(tile) as usize);
            for total in (1..=count).rev() {
                for of_tile in 1..=there.min(total) {
                    let (fewer, more) = by_count.split_at_mut(total);
                    let ways = ways::choose(there, of_tile);
                    let before = &fewer[total - of_tile];
                    for (with, before) in more[0][of_tile * value..].iter_mut().zip(before) {
                        *with += ways * before;
                    }
                }
            }
        }
        let mut chances = by_count.swap_remove(count);
        let all: f64 = chances.iter().sum();
        chances.iter_mut().for_each(|ways| *ways /= all);
        PointChances(chances)
    }

    /// Returns the chances for a rack whose tiles are independent of each other; `chance_of` is the chance that a tile of the rack is
    /// this one.
    pub fn of<T>(rules: &GameRules, tiles: impl Iterator<Item = T>, chance_of: impl Fn(&T, Tile) -> f64) -> PointChances {
        let mut chances = vec![1.0];
        for unknown in tiles {
            let possible = || rules.distribution.tiles().map(|tile| (tile, chance_of(&unknown, tile))).filter(|&(_, chance)| chance > 0.0);
            let most = possible().map(|(tile, _)| rules.distribution.value(tile)).max().unwrap_or(0) as usize;
            let mut with_tile = vec![0.0; chances.len() + most];
            for (tile, chance) in possible() {
                let points = rules.distribution.value(tile) as usize;
                for (before, with) in chances.iter().zip(&mut with_tile[points..]) {
                    *with += chance * before;
                }
            }
            chances = with_tile;
        }
        PointChances(chances)
    }

    /// The chance that `lead` plus `factor` times the difference of the racks is above 0; a tie counts half.
    pub fn chance_to_lead(&self, other: &PointChances, lead: i32, factor: i32) -> f64 {
        let mut chance = 0.0;
        for (own_points, own) in self.0.iter().enumerate().filter(|(_, own)| **own > 0.0) {
            for (other_points, other) in other.0.iter().enumerate().filter(|(_, other)| **other > 0.0) {
                let gained = lead + factor * (own_points as i32 - other_points as i32);
                chance += own * other * f64::from(gained.signum() + 1) / 2.0;
            }
        }
        chance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{GameRules, Rack, Variant};
    use crate::search::misere::tile_values::TileChances;

    /// All leads with which the game can end after a play, one for each arrangement of the unseen tiles.
    fn leads_by_hand(end: &EndInSight<'_>, play: &Play) -> Vec<i32> {
        let pool: Vec<i32> = end.pool.tiles().map(|tile| end.value(tile)).collect();
        let drawn = play.rack_tiles().len();
        let of = |mask: u32| (0..pool.len()).filter(|at| mask >> at & 1 == 1).map(|at| pool[at]).sum::<i32>();
        let masks = |count: usize| (0..1_u32 << pool.len()).filter(move |mask| mask.count_ones() as usize == count);
        let known = end.known.value(&end.rules.distribution);
        let kept = end.rack.without(&play.rack_tiles()).value(&end.rules.distribution);
        let apart = masks(end.others).flat_map(|other| masks(drawn).filter(move |own| own & other == 0).map(move |own| (other, own)));
        apart.map(|(other, own)| end.lead + known + of(other) - kept - of(own)).collect()
    }

    #[test]
    fn what_is_certain_and_what_is_likely_follow_from_all_ways_in_which_the_tiles_can_lie() {
        let english = GameRules::english();
        let misere = english.to_builder().variant(Variant::Misere).build().unwrap();
        let rack = |text: &str| Rack::parse(text, &english.distribution).unwrap();
        let (own, known, pool) = (rack("EIJVVZ?"), rack("Q"), rack("AAEKOUW?X"));
        let turn = StaticTurn::new(&own, &Rack::EMPTY, 3);
        let plays =
            [Play::Pass, Play::Exchange(rack("Z")), Play::Exchange(rack("JZ")), Play::Exchange(rack("JVZ")), Play::Exchange(rack("?"))];
        let mut seen = [0; 3];
        for (rules, zero_turns) in [(&english, 5), (&english, 4), (&misere, 5)] {
            for lead in -40..40 {
                let end = EndInSight::new(rules, Countdown::of_zero_turns(zero_turns), lead, &turn, known, || pool).unwrap();
                for play in &plays {
                    let evaluated = EvaluatedPlay { play: *play, score: 0, equity: Millipoints::ZERO };
                    let leads = leads_by_hand(&end, play);
                    let gains: Vec<i32> = leads.iter().map(|&lead| rules.objective().gain(lead)).collect();
                    let expected = match () {
                        () if gains.iter().all(|&gain| gain > 0) && zero_turns == 5 => EndCertainty::Won,
                        () if gains.iter().all(|&gain| gain < 0) => EndCertainty::Lost,
                        () => EndCertainty::Open,
                    };
                    assert_eq!(end.certainty(&evaluated), expected, "{lead} {play:?}");
                    seen[expected as usize] += 1;
                    let mean = |sum: f64| sum / leads.len() as f64;
                    if zero_turns == 5 {
                        let change = mean(leads.iter().map(|&lead| f64::from(lead)).sum()) - f64::from(lead);
                        assert!((end.revalued(evaluated).equity.points() - change).abs() < 0.001, "{lead} {play:?}");
                    }
                    if *play == Play::Pass {
                        let win = mean(gains.iter().map(|gain| f64::from(gain.signum() + 1) / 2.0).sum());
                        assert!((end.win_if_ended(play) - win).abs() < 1e-9, "{lead}");
                    }
                }
            }
        }
        assert!(seen.iter().all(|&times| times > 50), "{seen:?}");
    }

    #[test]
    fn the_end_is_in_sight_for_two_turns_and_plays_that_score_leave_all_open() {
        let rules = GameRules::english();
        let rack = Rack::parse("AEINRST", &rules.distribution).unwrap();
        let turn = StaticTurn::new(&rack, &Rack::EMPTY, 86);
        let end = |zero_turns| {
            EndInSight::new(&rules, Countdown::of_zero_turns(zero_turns), 50, &turn, Rack::EMPTY, || Rack::full_bag(&rules.distribution))
        };
        assert!([0, 3].into_iter().all(|zero_turns| end(zero_turns).is_none()));
        let scores = EvaluatedPlay { play: Play::Pass, score: 8, equity: Millipoints::ZERO };
        for zero_turns in [4, 5] {
            let end = end(zero_turns).unwrap();
            assert_eq!((end.certainty(&scores), end.revalued(scores)), (EndCertainty::Open, scores));
            assert_eq!(end.ending_plays().len(), if zero_turns == 5 { 1 } else { 0 }, "no tile is dearer than the mean");
        }
    }

    #[test]
    fn the_chance_to_win_is_that_of_all_ways_in_which_the_tiles_can_be() {
        let rules = GameRules::english();
        let chances = |text: &str| TileChances::of_all(&Rack::parse(text, &rules.distribution).unwrap());
        let (own, other) = (["AQ", "Z"].map(chances), ["EK?", "QQV"].map(chances));
        for lead in [-12, -3, 0, 4] {
            let points = |tiles: [&[i32]; 2]| tiles[0].iter().flat_map(|a| tiles[1].iter().map(move |b| a + b)).collect::<Vec<i32>>();
            let (own_ways, other_ways) = (points([&[1, 10], &[10]]), points([&[1, 5, 0], &[10, 10, 4]]));
            let wins = own_ways.iter().flat_map(|own| other_ways.iter().map(move |other| lead + own - other));
            let by_hand = wins.map(|gain| f64::from(gain.signum() + 1) / 2.0).sum::<f64>() / (own_ways.len() * other_ways.len()) as f64;
            let of = |tiles: &[TileChances; 2]| PointChances::of(&rules, tiles.iter().copied(), TileChances::of);
            assert!((of(&own).chance_to_lead(&of(&other), lead, 1) - by_hand).abs() < 1e-9, "{lead}");
        }
    }
}
