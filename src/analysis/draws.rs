//! Reconstructs the draws of a recorded game, whose luck `match_play/luck.rs` judges.
//! The result has, turn by turn, the tiles drawn and the tiles that they were drawn from.
//!
//! A draw follows from known racks: it is the rack without the tiles kept a turn before. If either is unknown, the turn has no
//! draw. Start with [`turn_lucks`].

use crate::analysis::known_racks::KnownRack;
use crate::analysis::report::{DrawLuck, rounded};
use crate::engine::Engine;
use crate::formats::gcg::Replay;
use crate::match_play::bags::GameDraw;
use crate::match_play::luck::{LuckJudge, LuckSetting};
use crate::movegen::LaneBoard;
use crate::rules::{Play, Rack, Seat, Tile, Turn};
use crate::search::dealt_game::DealtGame;

/// The number of draws that are sampled where there are more.
const REDRAWS: usize = 40;

/// The luck of the draw before each turn.
pub fn turn_lucks(engine: &Engine, replay: &Replay, known: &[KnownRack], seed: u64) -> Vec<Option<DrawLuck>> {
    let rules = engine.rules();
    let setting = LuckSetting { engine: engine.clone(), redraws: REDRAWS };
    let mut judge = LuckJudge::new(rules, &setting);
    judge.start(seed, 0);
    let mut lucks = Vec::new();
    let mut before = judge.luck();
    for (index, turn) in replay.turns.iter().enumerate() {
        let position = &replay.positions[turn.event];
        let seat = position.on_turn();
        let draw = draw_of(replay, known, index);
        let Some((draw, off_board)) = draw else {
            lucks.push(None);
            continue;
        };
        let mut game = DealtGame::default();
        let own = draw.certain.plus(&draw.drawn);
        let (other, bag) = divided(&off_board.minus(&own).unwrap_or_default(), known[index].in_bag);
        let racks = if seat == Seat::First { [own, other] } else { [other, own] };
        game.deal(racks, &bag, 0, position.countdown());
        game.scores = position.scores();
        let mut board = LaneBoard::new(rules, position.board(), engine.lexicon().graph());
        judge.add(&mut board, &game, &draw);
        let after = judge.luck();
        let sign = if seat == Seat::First { 1.0 } else { -1.0 };
        let points = (after.millipoints - before.millipoints) as f64 / 1e3;
        let win = (after.win_millionths - before.win_millionths) as f64 / 1e6;
        lucks.push(Some(DrawLuck { points: rounded(sign * points), win: rounded(sign * win) }));
        before = after;
    }
    lucks
}

/// The draw before a turn, and all tiles off the board.
fn draw_of(replay: &Replay, known: &[KnownRack], index: usize) -> Option<(GameDraw, Rack)> {
    let position = replay.positions.get(replay.turns[index].event)?;
    let rack = known[index].rack?;
    let on_board: Rack = position.board().tiles().map(|(_, tile)| tile.rack_tile()).collect();
    let off_board = Rack::full_bag(&position.rules().distribution).minus(&on_board).ok()?;
    let seat = position.on_turn();
    let is_of = |of: Seat| move |&at: &usize| replay.positions[replay.turns[at].event].on_turn() == of;
    let last = |of: Seat| (0..index).rev().find(is_of(of));
    let kept = match last(seat) {
        Some(at) => kept_after(known[at].rack?, &replay.turns[at].turn)?,
        None => Rack::EMPTY,
    };
    let opponent = match last(seat.opponent()) {
        Some(at) => known[at].rack.and_then(|rack| kept_after(rack, &replay.turns[at].turn)).unwrap_or_default(),
        None => Rack::EMPTY,
    };
    let drawn = rack.minus(&kept).ok()?;
    let pool = off_board.minus(&kept).ok()?.minus(&opponent).ok()?;
    let is_possible = pool.contains(&drawn);
    is_possible.then_some((GameDraw { seat, number: index as u64, certain: kept, drawn, pool, opponent: Some(opponent) }, off_board))
}

/// The tiles that a player keeps on a turn, if they are known.
fn kept_after(rack: Rack, turn: &Turn) -> Option<Rack> {
    match turn {
        Turn::Play(Play::Place(placement)) => rack.minus(&placement.rack_tiles()).ok(),
        Turn::Play(Play::Exchange(tiles)) => rack.minus(tiles).ok(),
        Turn::Play(Play::Pass) | Turn::Phony(_) => Some(rack),
        Turn::ExchangeUnknown(_) => None,
    }
}

/// Divides the unseen tiles into a rack of the opponent and a bag of this size. Which tile is where only matters with an empty bag.
fn divided(unseen: &Rack, in_bag: usize) -> (Rack, Vec<Tile>) {
    let mut tiles: Vec<Tile> = unseen.tiles().collect();
    let bag = tiles.split_off(tiles.len().saturating_sub(in_bag));
    (tiles.into_iter().collect(), bag)
}
