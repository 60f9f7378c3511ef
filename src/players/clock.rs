//! Clocks: how much of a player's time one turn may take, by the phase of the game.
//!
//! [`USUAL`] is the one place for that; `protocol/searches.md` shows it to users, and a test compares the two. A search reads no clock: a
//! caller with a clock asks [`move_time_ms`] and raises [`Signals`](crate::search::Signals).
//!
//! Not here: the phases (`search/phase.rs`), and measuring time (`match_play/clocks.rs`). Start with [`move_time_ms`].

use crate::evaluation::win_model::TilesLeft;
use crate::rules::Position;
use crate::search::budget::StopCondition;
use crate::search::phase::{Phase, TABLE};

/// A player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left, ms; may be negative.
    pub left_ms: i64,
    /// Added after each move, ms.
    pub increment_ms: i64,
}

/// The share of the clock of a turn in one phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PhaseShare {
    /// Weight of the turn among the turns to come, percent of a midgame turn.
    pub weight_percent: u64,
    /// The most that it may take of what is left on the clock, percent.
    pub most_percent: u64,
}

/// How a player's clock is divided over the turns: a share for each phase, in the order of the game.
pub type ClockPace = [PhaseShare; TABLE.len()];

/// The usual pace. The weights are fitted: what four times the nodes are worth in each phase, if what a search loses falls with the root
/// of its nodes (`benches/history.md`). That of endgames is chosen by hand: most are solved long before their time is over, so little
/// is kept for them. The greatest parts are wide, since any turn with few tiles in the bag may be the last one that takes time.
pub const USUAL: ClockPace = [share(50, 30), share(100, 40), share(220, 70), share(260, 85), share(150, 90), share(4, 60)];

/// The pace of a player who simulates to the last turn. That player makes no pre-endgame and endgame searches; their time goes to
/// earlier turns.
pub const SIMULATION_ONLY: ClockPace = [share(50, 30), share(100, 30), share(220, 30), share(260, 30), share(150, 30), share(25, 50)];

/// On a clock, a simulation ends once it is this sure of its leader.
pub const CLOCK_STOP: StopCondition = StopCondition::Percent99;

/// One turn of a player is expected for this many tiles of the bag.
const TILES_A_TURN: u64 = 8;

/// Tiles in the bag, right below those of a turn, in which the same player has no other turn. Between two turns of a player both
/// players place about nine tiles, with a deviation of three. So the turns to come are spread evenly only from the mean residual of
/// a renewal process on, (9 - 3² / 9) / 2 = 4 tiles later.
const TILES_UNTIL_NEXT_TURN: usize = 4;

/// Tiles that a player places on each turn with an empty bag, if they go out slowly.
const TILES_A_LAST_TURN: u64 = 2;

/// Turns of one player after the bag has become empty.
const ENDGAME_TURNS: u64 = 2;

/// Kept back for a busy machine, ms: its threads wake up late, and so does the program that reads the answer.
const RESERVE_MS: i64 = 100;

const fn share(weight_percent: u64, most_percent: u64) -> PhaseShare {
    PhaseShare { weight_percent, most_percent }
}

fn share_of(pace: &ClockPace, in_bag: usize) -> PhaseShare {
    pace[Phase::of(in_bag) as usize]
}

/// The tiles left of a position, for [`move_time_ms`].
pub fn tiles_left(position: &Position) -> TilesLeft {
    TilesLeft { in_bag: position.in_bag(), own_rack: position.mover_rack().len(), other_rack: position.opponent_tiles() }
}

/// The time one turn may take at this pace, in ms, at least 1. A turn gets its weight's share among the turns to come, but no more
/// than its phase's greatest part of the time left. For each answer still to come `overhead_ms` is kept back for its delivery, and
/// once a reserve for a busy machine.
pub fn move_time_ms(pace: &ClockPace, clock: Clock, left: TilesLeft, overhead_ms: i64) -> u64 {
    let share = share_of(pace, left.in_bag);
    let (turns, weights) = turns_after(pace, left);
    let left_ms = clock.left_ms.max(0);
    let kept_ms = overhead_ms.max(0).saturating_mul(turns as i64 + 1).saturating_add(RESERVE_MS);
    // Even a clock that has nearly run out gives each turn a little of what is left.
    let usable_ms = left_ms.saturating_sub(kept_ms).max(left_ms / 20) as u64;
    let weight = TILES_A_TURN * share.weight_percent;
    let share_ms = (usable_ms.saturating_mul(weight) / (weight + weights)).min(usable_ms.saturating_mul(share.most_percent) / 100);
    let increment_ms = clock.increment_ms.max(0) as u64 / 4 * 3;
    (share_ms + increment_ms).min(usable_ms - usable_ms / 20).max(1)
}

/// The number of turns that the player on turn still has after this one, and the sum of their weights in percent times
/// [`TILES_A_TURN`].
fn turns_after(pace: &ClockPace, left: TilesLeft) -> (u64, u64) {
    let endgame_weight = TILES_A_TURN * share_of(pace, 0).weight_percent;
    if left.in_bag == 0 {
        // Later turns have fewer tiles and find this turn's results in the table, so the phase's greatest part leaves them enough.
        // Their overhead does count: a player may go out in small steps.
        return ((left.own_rack as u64).div_ceil(TILES_A_LAST_TURN).max(1) - 1, 0);
    }
    // The bag goes through each of these numbers of tiles. The next few are no turn of this player, of the others one in `TILES_A_TURN` is.
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

    /// Plays a whole game of one player's turns, each of which takes its share, with an empty bag `endgame_ms` of it at most, and `lag_ms` more.
    /// A play has one of these numbers of tiles, each as likely as another. Returns what is left on the clock.
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
        // Of 2,300 plays of simulating players with tiles in the bag 3 in 100 placed no tile, 3 one, 13 two and so on.
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
        // As much as the phase may take.
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
