//! Whole games of the engine against itself through the protocol, on a clock: every move is held against the rules and the word
//! list, every search against the table of phases. The tournament `scripts/tournaments/clock.toml` plays games on a clock by the hundred.

use crate::integration::engine_process::EngineProcess;
use crate::integration::referee;
use std::collections::HashSet;
use std::sync::Arc;
use tilewright::internals::Phase;
use tilewright::match_play::shuffled_bag;
use tilewright::rules::notation::parse_move;
use tilewright::rules::{BySeat, GameRules, Play, Position, Rack, Seat, Turn};
use tilewright::search::{SearchKind, SearchPosition};

/// Milliseconds of each player for a game. No test of speed: nothing is said here about who loses on time.
const CLOCK_MS: i64 = 1_000;

/// The kind of the rows that a search tells.
fn rows(kind: SearchKind) -> &'static str {
    match kind {
        SearchKind::Static => "gen",
        SearchKind::Simulation => "sim",
        SearchKind::PreEndgame => "peg",
        SearchKind::Endgame => "endgame",
        SearchKind::Inference => "infer",
        SearchKind::Replies => "replies",
    }
}

/// A game's moves, each checked; the phases it went through.
fn play_a_game(index: u64) -> HashSet<Phase> {
    let mut engine = EngineProcess::start();
    let rules = Arc::new(GameRules::english());
    let mut bag = shuffled_bag(&rules, 9, index);
    let mut racks = BySeat([Rack::EMPTY; 2]);
    let mut position = Position::start(Arc::clone(&rules));
    let (mut moves, mut left_ms, mut phases) = (String::new(), BySeat([CLOCK_MS; 2]), HashSet::new());
    let mut draw = |rack: &mut Rack, back: Option<Rack>| {
        while rack.len() < rules.rack_size
            && let Some(tile) = bag.pop()
        {
            rack.add(tile);
        }
        for tile in back.iter().flat_map(Rack::tiles) {
            bag.insert(0, tile);
        }
        bag.len()
    };
    draw(&mut racks[Seat::First], None);
    let mut in_bag = draw(&mut racks[Seat::Second], None);
    while position.end().is_none() {
        let mover = position.on_turn();
        position.set_rack(mover.opponent(), &Rack::EMPTY).unwrap();
        position.set_rack(mover, &racks[mover]).unwrap();
        position.deduce_racks();
        assert_eq!(position.in_bag(), in_bag);
        let search = SearchPosition::new(position.clone()).unwrap().phase_search();
        phases.insert(Phase::of(in_bag));
        engine.tell(&format!("position startpos moves{moves} rack.{}", racks[mover].text(&rules.distribution)));
        let (sent, lines) = {
            let sent = engine.send(&format!("go auto mytime {} opptime {}", left_ms[mover], left_ms[mover.opponent()]));
            (sent, engine.until("bestmove"))
        };
        left_ms[mover] -= sent.elapsed().as_millis() as i64;
        let best = lines.last().unwrap().strip_prefix("bestmove ").unwrap();
        let told: HashSet<&str> = lines.iter().filter_map(|line| line.split(' ').nth(1)).collect();
        assert!(told.contains(rows(search)) || told.contains("gen"), "{in_bag} in the bag: {lines:?}");
        let Turn::Play(play) = parse_move(best, &position).unwrap().turn else { panic!("{best} is no play") };
        position = referee::check_legal(&position, best);
        racks[mover] = racks[mover].minus(&play.rack_tiles()).unwrap();
        let back = if let Play::Exchange(given) = play { Some(given) } else { None };
        in_bag = draw(&mut racks[mover], back);
        moves += &format!(" {best}");
    }
    phases
}

#[test]
fn games_on_a_clock_have_legal_moves_only_and_go_through_all_phases() {
    let mut phases = HashSet::new();
    for index in 0..3 {
        phases.extend(play_a_game(index));
    }
    assert!(phases.contains(&Phase::Opening) && phases.contains(&Phase::Endgame), "{phases:?}");
}
