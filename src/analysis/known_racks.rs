//! Determines the known racks of a recorded game: stated in full, or implied by other lines.
//!
//! | source | the rack is |
//! |---|---|
//! | a play or exchange of as many tiles as the player holds | these tiles |
//! | the same player's rack a turn before, if nothing was drawn in between | that rack minus the tiles played |
//! | the same player's rack a turn later, if nothing was drawn in between | that rack plus the tiles played |
//! | the opponent's next rack, if the bag is empty | all other tiles off the board |
//!
//! Nothing is guessed. Not here: what opponents may believe (`search/inference`). Start with [`deduce`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::analysis::report::RackSource;
use crate::formats::gcg::{GcgEvent, Replay};
use crate::rules::{BySeat, Play, Rack, Seat, Turn};

/// What is known of the mover's rack on a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownRack {
    /// The whole rack, if it is known.
    pub rack: Option<Rack>,
    /// Where it comes from.
    pub source: RackSource,
    /// Tiles that the mover held, known or not.
    pub held: usize,
    /// Tiles in the bag.
    pub in_bag: usize,
}

/// A turn with the tiles that it moved.
struct Movement {
    seat: Seat,
    /// Tiles off the board before it.
    off_board: Rack,
    /// Tiles that left the rack, if they are known.
    gone: Option<Rack>,
    /// Tiles drawn after it.
    drawn: usize,
    /// The part of the rack that the file states, or the whole.
    stated: Rack,
    known: KnownRack,
}

/// What is known of the mover's rack on each turn of a game.
pub fn deduce(replay: &Replay, events: &[GcgEvent]) -> Vec<KnownRack> {
    let mut movements = movements(replay, events);
    // Each round determines at least one more rack, or is the last round.
    loop {
        let found = (0..movements.len()).find_map(|index| told_by_others(&movements, index).map(|rack| (index, rack)));
        let Some((movement, rack)) = found.and_then(|(index, rack)| Some((movements.get_mut(index)?, rack))) else { break };
        movement.known = KnownRack { rack: Some(rack), source: RackSource::Deduced, ..movement.known };
    }
    movements.into_iter().map(|movement| movement.known).collect()
}

fn movements(replay: &Replay, events: &[GcgEvent]) -> Vec<Movement> {
    let mut held: Option<BySeat<usize>> = None;
    let mut movements = Vec::new();
    for turn in &replay.turns {
        let Some(position) = replay.positions.get(turn.event) else { break };
        let (rules, seat) = (position.rules(), position.on_turn());
        let held = held.get_or_insert(BySeat([rules.rack_size; 2]));
        let on_board: Rack = position.board().tiles().map(|(_, tile)| tile.rack_tile()).collect();
        let off_board = Rack::full_bag(&rules.distribution).minus(&on_board).unwrap_or_default();
        let in_bag = off_board.len().saturating_sub(held.0.iter().sum());
        let (own, placed) = (held[seat], placed_by(&turn.turn));
        let (gone, drawn) = match &turn.turn {
            Turn::Play(Play::Place(placement)) => (Some(placement.rack_tiles()), placed.min(in_bag)),
            Turn::Play(Play::Exchange(tiles)) => (Some(*tiles), tiles.len()),
            Turn::ExchangeUnknown(count) => (None, *count),
            Turn::Play(Play::Pass) | Turn::Phony(_) => (Some(Rack::EMPTY), 0),
        };
        let stated = events.get(turn.event).map_or(Rack::EMPTY, GcgEvent::known_rack);
        let all_gone = gone.filter(|gone| gone.len() == own);
        let phony = match &turn.turn {
            Turn::Phony(placement) => Some(placement.rack_tiles()).filter(|tiles| tiles.len() == own),
            _ => None,
        };
        let known = if stated.len() == own && off_board.contains(&stated) {
            KnownRack { rack: Some(stated), source: RackSource::Stated, held: own, in_bag }
        } else if let Some(tiles) = all_gone.or(phony) {
            KnownRack { rack: Some(tiles), source: RackSource::Deduced, held: own, in_bag }
        } else {
            KnownRack { rack: None, source: RackSource::Unknown, held: own, in_bag }
        };
        movements.push(Movement { seat, off_board, gone, drawn, stated, known });
        held[seat] = own.saturating_sub(placed) + placed.min(in_bag);
    }
    movements
}

/// Tiles that a turn puts on the board for good.
fn placed_by(turn: &Turn) -> usize {
    match turn {
        Turn::Play(Play::Place(placement)) => placement.tile_count(),
        _ => 0,
    }
}

/// A rack that is not known yet but follows from another one.
fn told_by_others(movements: &[Movement], index: usize) -> Option<Rack> {
    let here = movements.get(index).filter(|here| here.known.rack.is_none())?;
    let own = |movement: &&Movement| movement.seat == here.seat;
    let before = movements.get(..index)?.iter().rev().find(own);
    let after = movements.get(index + 1..)?.iter().find(own);
    let from_before = before.filter(|before| before.drawn == 0).and_then(|before| before.known.rack?.minus(&before.gone?).ok());
    let from_after = after.filter(|_| here.drawn == 0).and_then(|after| Some(after.known.rack?.plus(&here.gone?)));
    let others = || {
        let next = movements.get(index + 1).filter(|next| next.seat != here.seat && here.known.in_bag == 0)?;
        here.off_board.minus(&next.known.rack?).ok()
    };
    // A rack that contradicts the stated tiles does not count as known.
    let fits = |rack: &Rack| rack.len() == here.known.held && here.off_board.contains(rack) && rack.contains(&here.stated);
    [from_before, from_after, others()].into_iter().flatten().find(fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{gcg, letter_distribution};
    use crate::rules::{GameRules, Layout};
    use std::sync::Arc;

    /// Compares the known racks of a game as text: `-` for an unknown one, `=` in front of a deduced one.
    fn check(text: &str, rules: &GameRules, expected: &str) {
        let mended = gcg::read(text, rules).unwrap();
        assert!(mended.notes.is_empty(), "{:?}", mended.notes);
        let known = deduce(&mended.replay, &mended.game.events);
        let text = |known: &KnownRack| match (known.rack, known.source) {
            (Some(rack), RackSource::Deduced) => format!("={}", rack.text(&rules.distribution)),
            (Some(rack), _) => rack.text(&rules.distribution),
            (None, _) => "-".to_string(),
        };
        assert_eq!(known.iter().map(text).collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn racks_follow_from_passes_phonies_and_whole_plays() {
        let rules = GameRules::english();
        // A rack stated in part is completed from a later one only if nothing was drawn in between.
        check(">A: VICAR 8D VICAR +28 28\n>B: - +0 0\n>A: BDEELNT - +0 28\n>B: AEFGHII -FGII +0 0\n", &rules, "- =AEFGHII BDEELNT AEFGHII");
        check(">A: AEINRST - +0 0\n>B: - +0 0\n>A: 8D NASTIER +66 66\n>B: - +0 0\n", &rules, "AEINRST - =AEINRST -");
        check(">A: 8D CIVAR +26 26\n>A: -- -26 0\n>B: - +0 0\n>A: ACEIRTV 8D VICAR +28 28\n", &rules, "=ACEIRTV - ACEIRTV");
        check(">A: -ABCDEFG +0 0\n", &rules, "=ABCDEFG");
        check(">A: EG - +0 0\n>B: - +0 0\n>A: ABCDEFG - +0 0\n", &rules, "=ABCDEFG - ABCDEFG");
        check(">A: EGOP - +0 0\n>B: - +0 0\n>A: ABCDEFG - +0 0\n", &rules, "- - ABCDEFG");
        check(">A: -7 +0 0\n", &rules, "-");
    }

    #[test]
    fn with_an_empty_bag_all_follows_from_one_rack() {
        let tiles = "?,?,1,0,0\nA,a,6,1,1\nE,e,4,1,1\nS,s,4,2,0\nT,t,4,3,0\n";
        let few = GameRules::standard(Arc::new(letter_distribution::parse("few", tiles).unwrap()), Arc::new(Layout::standard()));
        // 19 tiles; after TASTE none is left to draw. sEAT leaves AET.
        let game = ">Ann: 8D TASTE +26 26\n>Ben: I8 sEAT +16 16\n>Ann: AAAESSS 11B AAAESSS. +76 102\n>Ann: (AET) +10 112\n";
        check(game, &few, "- =AAEETT? AAAESSS");
    }
}
