//! What players see, and what the tests of several players need.

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::formats::english_rules;
use crate::players::{GameSoFar, View};
use crate::rules::{Play, Position, Rack, Turn};
use crate::search::{
    self, Analysis, EndgameOptions, Knowledge, PlaySelection, Report, RunSettings, SearchPosition, SearchRequest, Signals,
};
use std::sync::Arc;

/// What an endgame is worth if the first play is one of these, points; the position must be small.
pub fn exact_worth(knowledge: &Knowledge, position: Position, only: Option<Vec<Play>>) -> i32 {
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
        let game = GameSoFar { rules: &rules, racks: &racks, scores: [3, 4], in_bag, zero_turns: 3, past: &past };
        View::new(&game, 0, &signals)
    };
    let view = see(40);
    assert_eq!((view.seat, view.tiles.rack, view.tiles.other_rack), (1, &racks[1], &Rack::EMPTY));
    let turns: Vec<Turn> = view.history().map(|(turn, _)| turn).collect();
    assert_eq!(turns, [Turn::ExchangeUnknown(2), Turn::Play(past[1].play), Turn::ExchangeUnknown(1)]);
    assert_eq!(see(0).tiles.other_rack, &racks[0]);
}
