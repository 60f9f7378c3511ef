//! Tests of the players' view of a game, and helpers for the tests of several players.

use crate::engine::builder::plain_engine;
use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::match_play::bags::GameDraw;
use crate::match_play::game::{GameCompany, GameLoop};
use crate::movegen::LaneBoard;
use crate::players::strategies::KINDS;
use crate::players::{GameSoFar, PastTurns, Sight, View};
use crate::rules::units::Millipoints;
use crate::rules::{Board, BySeat, GameRules, Play, Position, Rack, Seat, Turn};
use crate::search::dealt_game::DealtGame;
use crate::search::{
    self, Analysis, EndgameOptions, InferenceOptions, Knowledge, OpponentModel, PlaySelection, Report, RunSettings, SearchPosition,
    SearchRequest, Signals,
};
use std::sync::Arc;

/// Returns the exact worth of an endgame whose first play is one of these, points. The position must be small.
pub fn exact_worth(knowledge: &Knowledge, position: Position, only: Option<Vec<Play>>) -> i32 {
    let plays = PlaySelection { only, ..PlaySelection::default() };
    let analysis = Analysis::Endgame(EndgameOptions { plays, ..EndgameOptions::default() });
    let request = SearchRequest::new(SearchPosition::new(position).unwrap(), analysis, RunSettings::default()).unwrap();
    match search::run(knowledge, &request, &Signals::default(), &mut |_: Report| {}).last {
        Some(Report::Endgame(solution)) if solution.solved => solution.value,
        other => panic!("not solved: {other:?}"),
    }
}

#[test]
fn a_player_sees_neither_the_other_rack_nor_what_the_other_exchanged_until_the_bag_is_empty() {
    let rules = Arc::new(GameRules::english());
    let rack = |text: &str| -> Rack { rules.distribution.parse_tiles(text).unwrap().into_iter().collect() };
    let (racks, kept) = (BySeat([rack("AEINRST"), rack("QUIZ")]), BySeat([rack("AEI"), rack("QU")]));
    let exchange = |text: &str| EvaluatedPlay { play: Play::Exchange(rack(text)), score: 0, equity: Millipoints::ZERO };
    let past = [exchange("VV"), exchange("UU"), exchange("C")];
    let (signals, board) = (Signals::default(), Board::empty(15));
    let see = |in_bag| {
        let past = PastTurns { plays: &past, ..PastTurns::default() };
        let game = GameSoFar { kept: &kept, scores: BySeat([3, 4]), past, ..GameSoFar::without_turns(&rules, &board, &racks, in_bag) };
        View::new(&game, Sight::Fair, 0, &signals)
    };
    let view = see(40);
    assert_eq!(view.seat, Seat::Second);
    assert_eq!((view.tiles.rack, view.tiles.other_rack, view.seen), (&racks[Seat::Second], &Rack::EMPTY, &Rack::EMPTY));
    let turns: Vec<Turn> = view.history().map(|(turn, _)| turn).collect();
    assert_eq!(turns, [Turn::ExchangeUnknown(2), Turn::Play(past[1].play), Turn::ExchangeUnknown(1)]);
    assert_eq!((see(0).tiles.other_rack, see(0).seen), (&racks[Seat::First], &racks[Seat::First]));
}

#[test]
fn only_the_kinds_that_declare_it_see_hidden_tiles() {
    let cheats: Vec<(&str, Sight)> = KINDS.iter().map(|kind| (kind.name, kind.sight)).filter(|(_, sight)| *sight != Sight::Fair).collect();
    assert_eq!(cheats, [("knowall", Sight::Whole), ("knowleave", Sight::LastLeave)]);
    let cheats = KINDS.iter().filter(|kind| kind.sight != Sight::Fair);
    assert!(cheats.into_iter().all(|kind| kind.about.contains("cheats")), "the help says so");
}

/// Records what each player of a game sees before each turn, and what is true.
struct Witness<'a> {
    eval: StaticEval<'a>,
    sights: BySeat<Sight>,
    /// The tiles that each player kept on their last turn.
    kept: BySeat<Rack>,
    /// Seat, tiles in the bag, tiles seen, tiles kept by the opponent, tiles of the opponent, tiles of the searched position's racks.
    seen: Vec<(Seat, usize, Rack, Rack, usize, [Rack; 2])>,
}

impl GameCompany for Witness<'_> {
    fn sight(&self, seat: Seat) -> Sight {
        self.sights[seat]
    }

    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        let position = view.position();
        let racks = [*position.mover_rack(), *position.opponent_rack()];
        self.seen.push((view.seat, view.tiles.in_bag, *view.seen, self.kept[view.seat.opponent()], view.other_tiles, racks));
        let fair = if view.tiles.in_bag == 0 { *view.seen } else { Rack::EMPTY };
        assert_eq!(*view.tiles.other_rack, fair, "static evaluation sees what is fair");
        let play = self.eval.best(board, &view.tiles);
        self.kept[view.seat] = view.tiles.rack.minus(&play.play.rack_tiles()).unwrap();
        play
    }

    fn watches_draws(&self) -> bool {
        false
    }

    fn drew(&mut self, _: &mut LaneBoard, _: &DealtGame, _: &GameDraw) {}
}

#[test]
fn a_player_sees_as_much_of_the_other_rack_as_its_kind_declares() {
    let rules = Arc::new(GameRules::english());
    let knowledge = plain_engine().knowledge();
    for sights in [BySeat([Sight::Fair, Sight::Whole]), BySeat([Sight::LastLeave, Sight::Fair])] {
        let eval = StaticEval::new(&rules, knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
        let mut witness = Witness { eval, sights, kept: BySeat([Rack::EMPTY; 2]), seen: Vec::new() };
        GameLoop::new(&rules, knowledge.lexicon.graph()).play_in(&mut witness, None, 3, 0, &Signals::default()).unwrap();
        let mut partly = 0;
        for (turn, (seat, in_bag, seen, kept, tiles, racks)) in witness.seen.iter().enumerate() {
            // The opponent's next view shows their own rack.
            let whole = witness.seen.get(turn + 1).map(|(.., racks)| racks[0]);
            match (in_bag, sights[*seat]) {
                (0, _) | (_, Sight::Whole) => assert!(seen.len() == *tiles && whole.is_none_or(|whole| whole == *seen)),
                (_, Sight::Fair) => assert_eq!(*seen, Rack::EMPTY),
                (_, Sight::LastLeave) => {
                    assert_eq!(seen, kept);
                    partly += usize::from(!seen.is_empty());
                }
            }
            assert_eq!(racks[1], *seen, "that is what is searched");
        }
        assert!(witness.seen.len() > 10 && (sights[Seat::First] == Sight::Fair || partly > 3));
    }
}

#[test]
fn a_player_is_told_the_opponents_turns_with_the_positions_before_them() {
    let (rules, engine) = (Arc::new(GameRules::english()), plain_engine());
    let lexicon = engine.lexicon();
    let leaves = &engine.knowledge().evaluator.leaves;
    let mut games = GameLoop::new(&rules, lexicon.graph());
    let mut eval = StaticEval::new(&rules, lexicon, leaves);
    let mut seen = Vec::new();
    for index in 0..3 {
        games.play(5, index, &Signals::default(), |board, view| {
            let turns = view.opponents_turns();
            assert_eq!(turns.len(), view.history().count().div_ceil(2));
            seen.push(turns.len());
            if let Some(last) = turns.last() {
                // The last turn leads to the present board. No turn shows the opponent's rack.
                assert_eq!(last.before().after(last.turn()).unwrap().board(), view.board);
                assert!(turns.iter().all(|turn| turn.before().mover_rack().is_empty()));
                let options = InferenceOptions { most_racks: 20, ..InferenceOptions::new(OpponentModel::Static, turns) };
                let request = SearchRequest::new(view.searchable(), Analysis::Inference(options), RunSettings::default());
                assert!(request.is_ok(), "{request:?}");
            }
            eval.best(board, &view.tiles)
        });
    }
    assert!(seen.iter().any(|&turns| turns > 8), "{:?}", seen);
}
