//! Chooses turns of a game for a corpus at random by phase, so that rare phases occur often enough.
//! Each chosen turn keeps the number of turns that it represents, so that means and sums over a
//! game can be estimated.
//!
//! Turns with an empty bag are left out: an exact search says what they are worth. Start with [`sampled_turns`].

use crate::match_play::game::GameLoop;
use crate::players::Player;
use crate::rules::Position;
use crate::search::budget::Signals;
use crate::search::phase::Phase;
use crate::search::randomness::{self, Stream};
use rand::RngExt;

/// Turns of a game that are kept of each phase, at most. The midgame has two thirds of all turns.
const KEPT: [(Phase, usize); 5] =
    [(Phase::Opening, 1), (Phase::Midgame, 4), (Phase::LateMidgame, 1), (Phase::Approach, 1), (Phase::PreEndgame, 1)];

/// The phases that turns are taken from.
pub fn sampled_phases() -> [Phase; KEPT.len()] {
    KEPT.map(|(phase, _)| phase)
}

/// A turn of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledTurn {
    /// The position, as the player on turn sees it.
    pub position: Position,
    /// The number of the turn in the game, from 0.
    pub turn: usize,
    /// Turns of its phase in the game, for each one that is kept.
    pub stands_for: f64,
}

/// Some turns of each phase of game number `index` that a player plays against itself, in the order of the game. `None` if the signals cut it
/// short.
pub fn sampled_turns(
    games: &mut GameLoop<'_>,
    player: &mut dyn Player,
    seed: u64,
    index: u64,
    signals: &Signals,
) -> Option<Vec<SampledTurn>> {
    let mut rng = randomness::generator(seed, Stream::Corpus, index);
    let mut phases: Vec<PhaseTurns> = KEPT.iter().map(|&(phase, most)| PhaseTurns { phase, most, seen: 0, kept: Vec::new() }).collect();
    let mut turn = 0;
    games.play(seed, index, signals, |board, view| {
        let phase = Phase::of(view.tiles.in_bag);
        if let Some(turns) = phases.iter_mut().find(|turns| turns.phase == phase)
            && let Some(place) = turns.place(&mut rng)
        {
            turns.kept[place] = Some((view.position(), turn));
        }
        turn += 1;
        player.choose(board, view)
    })?;
    let mut sampled: Vec<SampledTurn> = phases.into_iter().flat_map(PhaseTurns::sampled).collect();
    sampled.sort_by_key(|sampled| sampled.turn);
    Some(sampled)
}

/// The turns of a phase: each is as likely to be kept as the others.
struct PhaseTurns {
    phase: Phase,
    most: usize,
    seen: u32,
    kept: Vec<Option<(Position, usize)>>,
}

impl PhaseTurns {
    /// Where the next turn goes, if it is kept: a free place, or that of an earlier one.
    fn place(&mut self, rng: &mut impl rand::Rng) -> Option<usize> {
        self.seen += 1;
        if self.kept.len() < self.most {
            self.kept.push(None);
            return Some(self.kept.len() - 1);
        }
        let place = rng.random_range(0..self.seen) as usize;
        (place < self.most).then_some(place)
    }

    fn sampled(self) -> impl Iterator<Item = SampledTurn> {
        let stands_for = f64::from(self.seen) / self.kept.len().max(1) as f64;
        self.kept.into_iter().flatten().map(move |(position, turn)| SampledTurn { position, turn, stands_for })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::players::PlayerSpec;

    #[test]
    fn each_phase_has_turns_that_stand_for_all_of_it() {
        let engine = plain_engine();
        let (rules, knowledge) = (engine.rules(), engine.knowledge());
        let spec: PlayerSpec = "greedy".parse().unwrap();
        let mut player = spec.player(rules, knowledge);
        let mut games = GameLoop::new(rules, knowledge.lexicon.graph());
        // By place in the midgame: how often a turn is kept, of how many games that have it.
        let mut kept_at = [0; 12];
        let games_of_test = 60;
        for index in 0..games_of_test {
            let mut in_bags = Vec::new();
            games.play(5, index, &Signals::default(), |board, view| {
                in_bags.push(view.tiles.in_bag);
                player.choose(board, view)
            });
            let sampled = sampled_turns(&mut games, player.as_mut(), 5, index, &Signals::default()).unwrap();
            assert!(sampled.is_sorted_by(|a, b| a.turn < b.turn));
            assert!(sampled.iter().all(|turn| turn.position.in_bag() == in_bags[turn.turn] && turn.position.mover_rack().len() == 7));
            for (phase, most) in KEPT {
                let count = in_bags.iter().filter(|&&in_bag| Phase::of(in_bag) == phase).count();
                let of_phase: Vec<&SampledTurn> = sampled.iter().filter(|turn| Phase::of(turn.position.in_bag()) == phase).collect();
                assert_eq!(of_phase.len(), count.min(most));
                let stood_for: f64 = of_phase.iter().map(|turn| turn.stands_for).sum();
                assert!((stood_for - count as f64).abs() < 1e-9, "{phase:?}: {stood_for} of {count}");
                if phase == Phase::Midgame {
                    let first = in_bags.iter().position(|&in_bag| Phase::of(in_bag) == phase).unwrap();
                    of_phase.iter().for_each(|turn| kept_at[(turn.turn - first).min(11)] += 1);
                }
            }
        }
        // Some fifteen turns, four of which are kept: none of them always or never.
        assert!(kept_at[..11].iter().all(|count| (4..35).contains(count)), "{kept_at:?}");
    }
}
