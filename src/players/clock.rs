//! Clocks: how much of a player's time one turn may take, by the phase of the game.
//!
//! [`USUAL`] defines the shares. `protocol/searches.md` shows them to users, and a test compares the two. A search reads no clock: a caller
//! with a clock calls [`move_time_ms`] and stops the search with [`Signals`](crate::search::Signals).
//!
//! Not here: the phases (`search/phase.rs`), and the measuring of time (`match_play/clocks.rs`). Start with [`move_time_ms`].

use crate::evaluation::win_model::TilesLeft;
use crate::rules::Position;
use crate::search::budget::StopCondition;
use crate::search::phase::{Phase, TABLE};

/// A player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left, ms. It may be negative.
    pub left_ms: i64,
    /// Time added after each move, ms.
    pub increment_ms: i64,
}

/// The share of the clock of a turn in one phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PhaseShare {
    /// Weight of the turn among the turns to come, percent of a midgame turn.
    pub weight_percent: u64,
    /// The greatest part of the time left that the turn may take, percent.
    pub most_percent: u64,
}

/// How a player's clock is divided over the turns: a share for each phase, in the order of the game.
pub type ClockPace = [PhaseShare; TABLE.len()];

/// The usual pace. The weights are fitted to the gain from four times as many nodes in each phase, if the loss of a search falls with the
/// square root of its nodes (`benches/history.md`). The weight of endgames is chosen by hand and small, since most are solved long before
/// their time is over. The greatest parts are large, since any turn with few tiles in the bag may be the last one that takes time.
pub const USUAL: ClockPace = [share(50, 30), share(100, 40), share(220, 70), share(260, 85), share(150, 90), share(4, 60)];

/// The pace of a player who simulates to the last turn. The time of pre-endgame and endgame searches goes to earlier turns.
pub const SIMULATION_ONLY: ClockPace = [share(50, 30), share(100, 30), share(220, 30), share(260, 30), share(150, 30), share(25, 50)];

/// How sure of its leader a simulation on a clock must be to end early.
pub const CLOCK_STOP: StopCondition = StopCondition::Percent99;

/// The number of tiles of the bag for which one turn of a player is expected.
const TILES_A_TURN: u64 = 8;

/// The number of tiles of the bag after a turn in which the same player has no other turn. Between two turns of a player, both players
/// place about nine tiles, with a deviation of three. Further turns are therefore spread evenly only after the mean residual of a renewal
/// process, (9 - 3² / 9) / 2 = 4 tiles.
const TILES_UNTIL_NEXT_TURN: usize = 4;

/// Tiles that a player places on each turn with an empty bag, if they go out slowly.
const TILES_A_LAST_TURN: u64 = 2;

/// Turns of one player after the bag has become empty.
const ENDGAME_TURNS: u64 = 2;

/// The time kept back for a busy machine, ms. There, threads wake up late, and so does the program that reads the answer.
const RESERVE_MS: i64 = 100;

const fn share(weight_percent: u64, most_percent: u64) -> PhaseShare {
    PhaseShare { weight_percent, most_percent }
}

fn share_of(pace: &ClockPace, in_bag: usize) -> PhaseShare {
    pace[Phase::of(in_bag) as usize]
}

/// Returns the tiles left of a position, for [`move_time_ms`].
pub fn tiles_left(position: &Position) -> TilesLeft {
    TilesLeft { in_bag: position.in_bag(), own_rack: position.mover_rack().len(), other_rack: position.opponent_tiles() }
}

/// Returns the time that one turn may take at this pace, in ms, at least 1. A turn gets the share of its weight among the turns to come, but
/// at most its phase's greatest part of the time left. `overhead_ms` is kept back for the delivery of each answer still to come, and once
/// a reserve for a busy machine.
pub fn move_time_ms(pace: &ClockPace, clock: Clock, left: TilesLeft, overhead_ms: i64) -> u64 {
    let share = share_of(pace, left.in_bag);
    let (turns, weights) = turns_after(pace, left);
    let left_ms = clock.left_ms.max(0);
    let kept_ms = overhead_ms.max(0).saturating_mul(turns as i64 + 1).saturating_add(RESERVE_MS);
    // Even a clock that has nearly run out gives each turn a small part of the rest.
    let usable_ms = left_ms.saturating_sub(kept_ms).max(left_ms / 20) as u64;
    let weight = TILES_A_TURN * share.weight_percent;
    let share_ms = (usable_ms.saturating_mul(weight) / (weight + weights)).min(usable_ms.saturating_mul(share.most_percent) / 100);
    let increment_ms = clock.increment_ms.max(0) as u64 / 4 * 3;
    (share_ms + increment_ms).min(usable_ms - usable_ms / 20).max(1)
}

/// Returns the number of turns that the player on turn still has after this one, and the sum of their weights in percent times
/// [`TILES_A_TURN`].
fn turns_after(pace: &ClockPace, left: TilesLeft) -> (u64, u64) {
    let endgame_weight = TILES_A_TURN * share_of(pace, 0).weight_percent;
    if left.in_bag == 0 {
        // Later turns have fewer tiles and find this turn's results in the table, so the phase's greatest part leaves enough for them.
        // Their overhead counts, since a player may go out in small steps.
        return ((left.own_rack as u64).div_ceil(TILES_A_LAST_TURN).max(1) - 1, 0);
    }
    // The bag goes through each of these numbers of tiles. The first few are not this player's turn; one in `TILES_A_TURN` of the others is.
    let weights: u64 = (1..left.in_bag.saturating_sub(TILES_UNTIL_NEXT_TURN)).map(|in_bag| share_of(pace, in_bag).weight_percent).sum();
    let turns = (left.in_bag as u64 - 1).div_ceil(TILES_A_TURN) + ENDGAME_TURNS;
    (turns, weights + ENDGAME_TURNS * endgame_weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::randomness::{self, Stream};
    use rand::RngExt;

    #[test]
    fn the_protocol_shows_this_table() {
        let text = include_str!("../../protocol/searches.md");
        for (at, row) in TABLE.iter().enumerate() {
            let tiles = match at.checked_sub(1).map(|above| TABLE[above].least_in_bag - 1) {
                None => format!("{} and more", row.least_in_bag),
                Some(most) if most == row.least_in_bag => most.to_string(),
                Some(most) => format!("{} to {most}", row.least_in_bag),
            };
            let PhaseShare { weight_percent, most_percent } = USUAL[at];
            let weight = weight_percent as f64 / 100.0;
            let numbers = format!("| {tiles} | {weight} | {most_percent} % |");
            assert!(text.contains(&numbers), "protocol/searches.md lacks a row with {numbers}");
        }
    }

    /// Plays a whole game of one player's turns. Each turn takes its share, at most `endgame_ms` with an empty bag, and `lag_ms` more.
    /// Each of these numbers of tiles is equally likely for a play. Returns the time left on the clock.
    fn play_a_game(
        pace: &ClockPace,
        mut clock: Clock,
        overhead_ms: i64,
        lag_ms: i64,
        endgame_ms: i64,
        seed: u64,
        tiles_a_play: &[usize],
    ) -> i64 {
        let mut rng = randomness::generator(seed, Stream::Players, clock.left_ms as u64);
        let mut left = TilesLeft { in_bag: 86, own_rack: 7, other_rack: 7 };
        for turn in 0.. {
            if turn % 2 == 0 {
                let share_ms = move_time_ms(pace, clock, left, overhead_ms) as i64;
                assert!(share_ms <= clock.left_ms, "{share_ms} of {clock:?} with {left:?}");
                let time_ms = if left.in_bag == 0 { share_ms.min(endgame_ms) } else { share_ms };
                clock.left_ms += clock.increment_ms - time_ms - lag_ms;
            }
            let placed = tiles_a_play[rng.random_range(0..tiles_a_play.len())].min(left.own_rack);
            let drawn = placed.min(left.in_bag);
            left = TilesLeft { in_bag: left.in_bag - drawn, own_rack: left.other_rack, other_rack: left.own_rack - placed + drawn };
            if left.other_rack == 0 {
                break;
            }
        }
        clock.left_ms
    }

    fn without_increment(left_ms: i64) -> Clock {
        Clock { left_ms, increment_ms: 0 }
    }

    #[test]
    fn a_whole_game_of_shares_never_uses_up_the_clock() {
        for start_ms in [150, 500, 1_000, 2_000, 10_000, 60_000, 1_500_000] {
            for seed in 0..100 {
                for tiles_a_play in [0..=2, 0..=7, 1..=7, 3..=5, 7..=7] {
                    let tiles_a_play: Vec<usize> = tiles_a_play.collect();
                    for pace in [&USUAL, &SIMULATION_ONLY] {
                        let left_ms = play_a_game(pace, without_increment(start_ms), 20, 0, i64::MAX, seed, &tiles_a_play);
                        assert!(left_ms > 0, "{start_ms} ms, seed {seed}: {left_ms} left");
                    }
                }
            }
        }
    }

    #[test]
    fn the_overhead_covers_answers_delayed_by_as_much() {
        for (start_ms, overhead_ms) in [(1_000, 20), (2_000, 60), (10_000, 300), (60_000, 1_000)] {
            for seed in 0..200 {
                let left_ms =
                    play_a_game(&USUAL, without_increment(start_ms), overhead_ms, overhead_ms, i64::MAX, seed, &[2, 3, 4, 5, 6, 7]);
                assert!(left_ms > 0, "{start_ms} ms, {overhead_ms} ms a move, seed {seed}: {left_ms} left");
            }
        }
    }

    #[test]
    fn the_clock_of_a_game_is_used_to_within_five_percent() {
        // Of 2,300 plays of simulating players with tiles in the bag, 3 in 100 placed no tile, 3 one tile, 13 two tiles, and so on.
        let tiles_a_play: Vec<usize> =
            [3, 3, 13, 23, 20, 14, 6, 18].iter().enumerate().flat_map(|(tiles, &times)| std::iter::repeat_n(tiles, times)).collect();
        for start_ms in [10_000, 60_000, 1_500_000] {
            let games = 2_000;
            let left_ms: i64 = (0..games).map(|seed| play_a_game(&USUAL, without_increment(start_ms), 20, 0, 5, seed, &tiles_a_play)).sum();
            let share = left_ms as f64 / (games as i64 * start_ms) as f64;
            assert!(share < 0.05, "{share} of {start_ms} ms are left");
        }
    }

    #[test]
    fn an_increment_is_used_and_covers_itself() {
        for seed in 0..100 {
            let clock = Clock { left_ms: 1_000, increment_ms: 500 };
            assert!(play_a_game(&USUAL, clock, 20, 20, i64::MAX, seed, &[1, 2, 3, 4, 5, 6, 7]) > 0);
        }
        let left = TilesLeft { in_bag: 60, own_rack: 7, other_rack: 7 };
        let time = |increment_ms| move_time_ms(&USUAL, Clock { left_ms: 60_000, increment_ms }, left, 20);
        assert_eq!(time(1_000), time(0) + 750);
    }

    #[test]
    fn weights_are_shares() {
        let time = |in_bag, own_rack, other_rack| {
            move_time_ms(&USUAL, Clock { left_ms: 100_000, increment_ms: 0 }, TilesLeft { in_bag, own_rack, other_rack }, 0)
        };
        assert!(time(86, 7, 7) * 17 < time(79, 7, 7) * 10, "an opening turn takes about half of a midgame turn");
        assert!(time(15, 7, 7) * 4 < time(14, 7, 7) * 3);
        // The greatest part of the phase.
        let usable_ms = 100_000 - RESERVE_MS as u64;
        assert_eq!(time(1, 7, 7), usable_ms * 90 / 100);
        assert_eq!(time(0, 7, 7), usable_ms * 60 / 100);
        assert_eq!(time(0, 2, 3), usable_ms * 60 / 100);
    }

    #[test]
    fn a_clock_at_or_below_zero_still_gives_a_move() {
        for left_ms in [i64::MIN / 4, -5, 0, 1] {
            let left = TilesLeft { in_bag: 36, own_rack: 7, other_rack: 7 };
            assert_eq!(move_time_ms(&USUAL, Clock { left_ms, increment_ms: -3 }, left, 10), 1);
        }
        let left = TilesLeft { in_bag: 36, own_rack: 7, other_rack: 7 };
        assert!(move_time_ms(&USUAL, Clock { left_ms: i64::MAX, increment_ms: i64::MAX }, left, i64::MAX) > 0);
    }
}
