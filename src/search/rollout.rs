//! One sample of a simulation: a candidate is played, then best static plays for some plies, then the position is valued.
//!
//! All candidates of an iteration meet the same rack of the opponent and the same order of the bag; iterations in succession are dealt
//! from one shuffle, so that each tile comes equally often. Once the bag is empty a
//! rollout goes on to the end of the game, whose result needs no model. Near the end all of them do: see [`Horizon`].

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::evaluation::win_model::{TilesLeft, win_of_final_spread};
use crate::evaluation::{StaticEval, WinModel};
use crate::lexicon::word_graph::WordGraph;
use crate::movegen::{LaneBoard, Lanes};
use crate::rules::{GameRules, Play, Position, Rack, Tile};
use crate::search::dealt_game::{DealtGame, Places};
use crate::search::phase::Phase;
use crate::search::randomness::{self, Stream};
use crate::search::replies::Replies;
use crate::search::{LoggedPly, LoggedSample};
use rand::Rng;

/// Plies after the candidate where the end is far, if the request does not say.
pub const DEFAULT_PLIES: usize = 2;

/// The mover's seat in a rollout.
const US: usize = 0;

/// The opponent's.
const THEM: usize = 1;

/// How far rollouts go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// So many plies after the candidate, further only with an empty bag.
    Plies(usize),
    /// To the end of the game, always.
    End,
}

impl Horizon {
    /// The horizon if the request does not say: two plies, or the end where it is near.
    ///
    /// Source of two plies: ALGORITHMS 1.5.2; of the end: 1.8.6.
    pub fn usual(in_bag: usize) -> Horizon {
        if Phase::of(in_bag) >= Phase::Approach { Horizon::End } else { Horizon::Plies(DEFAULT_PLIES) }
    }

    /// Whether ply number `ply` (from 0) is played whatever is in the bag.
    fn covers(self, ply: usize) -> bool {
        match self {
            Horizon::Plies(plies) => ply < plies,
            Horizon::End => true,
        }
    }

    /// Plies whose scores are told.
    pub fn told_plies(self) -> usize {
        match self {
            Horizon::Plies(plies) => plies,
            Horizon::End => DEFAULT_PLIES,
        }
    }
}

/// What all rollouts of a simulation have in common.
#[derive(Debug)]
pub struct Setting<'a> {
    /// The rules.
    pub rules: &'a GameRules,
    /// Words.
    pub graph: &'a WordGraph,
    /// The board before the candidates, with its anchors.
    pub board: LaneBoard,
    /// Win % model.
    pub win_model: &'a WinModel,
    /// The mover's rack.
    pub rack: Rack,
    /// What is known of the other rack.
    pub known: Rack,
    /// All other tiles that the mover does not see.
    pub unknown: Vec<Tile>,
    /// Tiles on the other rack.
    pub opponent_tiles: usize,
    /// The mover's lead.
    pub spread: i32,
    /// Turns without points before the candidate.
    pub zero_turns: u32,
    /// How far rollouts go.
    pub horizon: Horizon,
    /// The opponent passes.
    pub opponent_passes: bool,
    /// Seed.
    pub seed: u64,
}

impl<'a> Setting<'a> {
    /// The setting of a position whose mover's rack is known.
    pub fn new(position: &'a Position, graph: &'a WordGraph, win_model: &'a WinModel, horizon: Horizon, seed: u64) -> Setting<'a> {
        let mut board = LaneBoard::new(position.rules(), position.board(), graph);
        board.prepare(graph);
        board.learn_letters(graph);
        Setting {
            rules: position.rules(),
            graph,
            board,
            win_model,
            rack: *position.mover_rack(),
            known: *position.opponent_rack(),
            unknown: position.unknown().tiles().collect(),
            opponent_tiles: position.opponent_tiles(),
            spread: position.spread(),
            zero_turns: position.zero_turns(),
            horizon,
            opponent_passes: false,
            seed,
        }
    }

    /// How many tiles are left after a play, as seen by the opponent, whose turn it is then.
    pub fn left_after(&self, play: &Play) -> TilesLeft {
        let in_bag = (self.unknown.len() + self.known.len()).saturating_sub(self.opponent_tiles);
        let placed = play.placement().map_or(0, |placement| placement.tile_count());
        let drawn = placed.min(in_bag);
        TilesLeft { in_bag: in_bag - drawn, own_rack: self.opponent_tiles, other_rack: (self.rack.len() + drawn).saturating_sub(placed) }
    }

    /// Deals an iteration's unknown tiles: first those on the other rack, whose number is returned, then the bag in its order.
    ///
    /// Iterations share shuffles, turned so that as many as there is room for have other racks altogether, or with few tiles in it
    /// other bags. So each tile comes equally often, and means are surer than those of as many independent deals.
    fn deal(&self, iteration: u64, tiles: &mut Vec<Tile>) -> usize {
        let drawn = (self.opponent_tiles - self.known.len()).min(self.unknown.len());
        let apart = drawn.min(self.unknown.len() - drawn).max(1);
        let shared_by = (self.unknown.len() / apart).max(1);
        let (shuffle, turn) = (iteration / shared_by as u64, iteration as usize % shared_by);
        tiles.clear();
        tiles.extend_from_slice(&self.unknown);
        randomness::shuffle(tiles, &mut randomness::generator(self.seed, Stream::Rollouts, shuffle));
        tiles.rotate_left(turn * apart);
        drawn
    }

    /// Plies that a rollout may be expected to have, at least 1: four tiles a turn, to the horizon.
    pub fn likely_plies(&self) -> usize {
        match self.horizon {
            Horizon::Plies(plies) => plies.max(1),
            Horizon::End => (self.unknown.len() + self.known.len() + self.rack.len()).div_ceil(4),
        }
    }

    /// Whether every rollout of a candidate is the same: nothing is left to chance.
    pub fn is_certain(&self) -> bool {
        self.unknown.len() + self.known.len() <= self.opponent_tiles
    }
}

/// A play that is played out.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its number.
    pub index: usize,
    /// The play.
    pub play: EvaluatedPlay,
    /// The board after it, with its anchors.
    pub board: LaneBoard,
    /// The lanes that it changed, by bit.
    pub lanes_changed: u64,
}

impl Candidate {
    /// Number `index` of a setting's candidates.
    pub fn new(setting: &Setting<'_>, index: usize, play: &EvaluatedPlay) -> Candidate {
        let mut board = setting.board.clone();
        let mut lanes_changed = 0;
        if let Some(placement) = play.play.placement() {
            board.play(placement, setting.graph);
            lanes_changed = board.lanes_changed();
        }
        board.prepare(setting.graph);
        board.learn_letters(setting.graph);
        board.commit();
        Candidate { index, play: *play, board, lanes_changed }
    }
}

/// How a ply went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlySample {
    /// Points of its play.
    pub score: i32,
    /// Whether it placed a whole rack.
    pub is_bingo: bool,
}

/// The outcome of a rollout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Probability of winning at the horizon, 0 to 1.
    pub win: f64,
    /// Spread gained until the horizon, with the leaves' values there, points.
    pub equity: f64,
}

/// A thread's memory for rollouts.
#[derive(Debug)]
pub struct Worker<'a> {
    eval: StaticEval<'a>,
    replies: Replies,
    /// By candidate: its board, derived once.
    boards: Vec<Option<LaneBoard>>,
    tiles: Vec<Tile>,
    game: DealtGame,
    /// Values of what each player kept on his last turn, millipoints.
    leaves: [i32; 2],
    /// Plays generated.
    pub nodes: u64,
    /// How the plies of the last rollout went, as far as they are told.
    pub plies: Vec<PlySample>,
    /// Plies of the last rollout.
    pub length: usize,
    log: Option<Vec<LoggedPly>>,
}

impl<'a> Worker<'a> {
    /// A worker for this many candidates; `logs` if its rollouts are to be told in full.
    pub fn new(eval: StaticEval<'a>, candidates: usize, logs: bool) -> Worker<'a> {
        Worker {
            eval,
            replies: Replies::default(),
            boards: vec![None; candidates],
            tiles: Vec::new(),
            game: DealtGame::default(),
            leaves: [0; 2],
            nodes: 0,
            plies: Vec::new(),
            length: 0,
            log: logs.then(Vec::new),
        }
    }

    /// Plays out a candidate in an iteration, in which it is one of so many candidates.
    pub fn sample(&mut self, setting: &Setting<'_>, candidate: &Candidate, (iteration, candidates): (u64, usize)) -> Sample {
        let mut lanes = self.boards[candidate.index].take().unwrap_or_else(|| candidate.board.clone());
        let drawn = setting.deal(iteration, &mut self.tiles);
        let mut rng = randomness::generator(setting.seed, Stream::Exchanges, iteration);
        let theirs = setting.known.plus(&self.tiles[..drawn].iter().copied().collect());
        self.game.deal([setting.rack, theirs], &self.tiles[drawn..], setting.spread, setting.zero_turns);
        self.leaves = [0; 2];
        self.plies.clear();
        if let Some(log) = &mut self.log {
            log.clear();
        }
        self.take_turn(setting, US, &candidate.play, &mut rng);
        let mut ply = 0;
        let mut on_board = 0;
        while !self.game.is_over() && (setting.horizon.covers(ply) || self.game.bag.is_empty()) {
            let seat = if ply % 2 == 0 { THEM } else { US };
            let may_share = ply == 0 && !setting.opponent_passes && !self.eval.counts_bag(self.game.bag.len());
            let play = if may_share {
                self.reply(setting, candidate, &lanes, (iteration, candidates))
            } else {
                self.choose(setting, seat, &mut lanes)
            };
            // The board of the last ply is not needed, unless the bag may become empty and the rollout go on.
            let may_go_on = setting.horizon.covers(ply + 1) || self.game.bag.len() <= setting.rules.rack_size;
            if let Some(placement) = play.play.placement().filter(|_| may_go_on) {
                lanes.play(placement, setting.graph);
                on_board += 1;
            }
            self.take_turn(setting, seat, &play, &mut rng);
            if ply < setting.horizon.told_plies() {
                let is_bingo = play.play.placement().is_some_and(|placement| placement.tile_count() == setting.rules.rack_size);
                self.plies.push(PlySample { score: play.score, is_bingo });
            }
            ply += 1;
        }
        for _ in 0..on_board {
            lanes.undo();
        }
        self.boards[candidate.index] = Some(lanes);
        self.length = ply;
        self.value(setting, ply)
    }

    /// The rollout just made, if this worker keeps a log.
    pub fn logged(&self, iteration: u64, sample: &Sample) -> Option<LoggedSample> {
        let plies = self.log.clone()?;
        Some(LoggedSample { iteration, plies, spread: self.game.spread(), win: sample.win })
    }

    /// The opponent's play after the candidate.
    fn reply(&mut self, setting: &Setting<'_>, candidate: &Candidate, board: &LaneBoard, iteration: (u64, usize)) -> EvaluatedPlay {
        self.nodes += 1;
        let after = Lanes::some(board, candidate.lanes_changed);
        self.replies.best(&mut self.eval, iteration, &self.game.turn(THEM), &setting.board, after)
    }

    fn choose(&mut self, setting: &Setting<'_>, seat: usize, lanes: &mut LaneBoard) -> EvaluatedPlay {
        if setting.opponent_passes && seat == THEM {
            return EvaluatedPlay { play: Play::Pass, score: 0, equity_millipoints: 0 };
        }
        self.nodes += 1;
        self.eval.best(lanes, &self.game.turn(seat))
    }

    fn take_turn(&mut self, setting: &Setting<'_>, seat: usize, play: &EvaluatedPlay, rng: &mut impl Rng) {
        if let Some(log) = &mut self.log {
            log.push(LoggedPly { rack: self.game.racks[seat], play: play.play, score: play.score });
        }
        let kept = self.game.take_turn(setting.rules, seat, play, Places::Anywhere, rng);
        self.leaves[seat] = self.eval.leaves().value(&kept);
    }

    /// The value at the horizon, after `plies` plies.
    fn value(&self, setting: &Setting<'_>, plies: usize) -> Sample {
        let spread = self.game.spread();
        if self.game.is_over() {
            return Sample { win: win_of_final_spread(spread), equity: f64::from(spread - setting.spread) };
        }
        let spread = f64::from(spread) + f64::from(self.leaves[US] - self.leaves[THEM]) / 1000.0;
        let win = if plies.is_multiple_of(2) {
            1.0 - setting.win_model.win(-spread, self.game.tiles_left(THEM))
        } else {
            setting.win_model.win(spread, self.game.tiles_left(US))
        };
        Sample { win, equity: spread - f64::from(setting.spread) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{cgp, english_rules};
    use crate::lexicon::Lexicon;

    #[test]
    fn iterations_that_share_a_shuffle_have_racks_or_bags_apart() {
        let empty = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0";
        let position = cgp::parse(empty, &english_rules()).unwrap().position;
        let (lexicon, win_model) = (Lexicon::builtin(), WinModel::formula());
        let mut setting = Setting::new(&position, lexicon.graph(), &win_model, Horizon::End, 5);
        let all = setting.unknown.clone();
        // Tiles on the other rack that are not known, in the bag, and iterations that share a shuffle.
        for (drawn, in_bag, shared) in [(7, 1, 8), (7, 3, 3), (7, 8, 2), (7, 40, 6), (4, 40, 11), (7, 86, 13), (2, 1, 3)] {
            setting.unknown = all[..drawn + in_bag].to_vec();
            setting.known = all[drawn + in_bag..].iter().copied().take(7 - drawn).collect();
            let unknown: Rack = setting.unknown.iter().copied().collect();
            let mut deals = Vec::new();
            for iteration in 0..4 * shared {
                let mut tiles = Vec::new();
                assert_eq!(setting.deal(iteration, &mut tiles), drawn);
                assert_eq!(tiles.iter().copied().collect::<Rack>(), unknown, "{drawn} and {in_bag}");
                deals.push(tiles);
            }
            for group in deals.chunks(shared as usize) {
                let fewer = |deal: &Vec<Tile>| if drawn <= in_bag { deal[..drawn].to_vec() } else { deal[drawn..].to_vec() };
                let dealt: Rack = group.iter().flat_map(fewer).collect();
                assert_eq!(dealt.len(), group.len() * drawn.min(in_bag));
                assert!(unknown.minus(&dealt).is_ok(), "no tile comes twice: {drawn} and {in_bag}");
            }
            assert!(deals.chunks(shared as usize).any(|group| group[0] != deals[0]), "there are more shuffles than one");
        }
    }
}
