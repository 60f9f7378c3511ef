//! Values candidates by a player's games to the end, on the same deals for all candidates.
//!
//! A deal is a rack of the opponent and an order of the bag. Each side draws from its own end of the bag, as in paired games, so that
//! candidates that place equally many tiles draw the same ones. Candidates are compared on the deals that they share. Clearly worse
//! candidates may get no more deals. The loss of such a candidate is slightly overestimated, because it is dropped when it looks worst.
//!
//! Not here: the choice of positions and candidates, and files. Start with [`Oracle::value`].

use crate::engine::Engine;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::evaluation::win_model::win_of_final_spread;
use crate::match_play::bags::{GameDraw, GameStart};
use crate::match_play::game::{GameCompany, GameLoop};
use crate::match_play::pairs::Contestant;
use crate::movegen::LaneBoard;
use crate::players::{Player, Sight, View};
use crate::rules::units::Millipoints;
use crate::rules::{Play, Position, Seat, scoring};
use crate::search::analysis::Allocation;
use crate::search::budget::Signals;
use crate::search::dealt_game::DealtGame;
use crate::search::race::differences::Moments;
use crate::search::race::{Iteration, Playout, Race, RaceCandidate, RaceLimits, RaceRule, Sample};
use crate::search::randomness::mix;
use crate::search::threads::Team;
use std::marker::PhantomData;

/// The allocation that drops clearly worse candidates. Every candidate gets at least the deals of one round.
pub const GIVE_UP_THE_WORSE: Allocation = Allocation::Elimination { round: 64, errors: 3.5 };

/// The weight of the equity in the ranking, relative to wins. It is separate from the constant of the search, so that the judge does not
/// change when that constant does.
const EQUITY_WEIGHT: f64 = 0.3;

/// The value of a candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OracleValue {
    pub play: Play,
    /// Number of playouts.
    pub deals: u64,
    /// Share of the playouts that are won, 0 to 1; a tie counts half.
    pub win: f64,
    /// Mean final spread, points.
    pub spread: f64,
    /// Share of wins lost against the best candidate on the deals they share; negative if the best one leads only on points.
    pub loss: f64,
    /// Standard error of `loss`.
    pub loss_error: f64,
    /// Points lost against the best candidate on these deals.
    pub spread_loss: f64,
}

/// The deals of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DealNumbers {
    /// The seed of the corpus.
    pub seed: u64,
    pub game: u64,
    pub turn: usize,
    /// The number of the first deal.
    pub first: u64,
    /// The number of deals.
    pub deals: u64,
}

impl DealNumbers {
    /// The seed of the position's bags. The bag of deal number `n` follows from this seed and `n`.
    pub fn bag_seed(&self) -> u64 {
        mix(self.seed ^ mix(self.game) ^ mix(self.turn as u64 + 1).rotate_left(1))
    }
}

/// A player who plays both sides to the end of the game.
pub struct Oracle<'a> {
    engine: &'a Engine,
    worker: OracleWorker<'a>,
}

/// A thread's memory for playing games.
struct OracleWorker<'a> {
    games: GameLoop<'a>,
    player: Box<dyn Player + 'a>,
    sight: Sight,
}

/// The games of a position.
struct WholeGames<'p, 'a> {
    start: GameStart,
    numbers: DealNumbers,
    signals: &'p Signals,
    /// The mover's lead before the games.
    spread: i32,
    /// By candidate, then by deal.
    ends: Vec<Vec<OracleEnd>>,
    /// The lifetimes of the workers that play the games.
    workers: PhantomData<fn(&'p mut OracleWorker<'a>)>,
}

/// How a game ended for the mover of the position.
#[derive(Clone, Copy)]
struct OracleEnd {
    /// 0, 1/2 or 1.
    win: f64,
    spread: i32,
}

/// A player on both sides, with a given first play.
struct OracleCompany<'p, 'a> {
    first: Option<EvaluatedPlay>,
    player: &'p mut (dyn Player + 'a),
    sight: Sight,
}

impl GameCompany for OracleCompany<'_, '_> {
    fn sight(&self, _: Seat) -> Sight {
        self.sight
    }

    fn choose(&mut self, board: &mut LaneBoard, view: &View<'_>) -> EvaluatedPlay {
        match self.first.take() {
            Some(first) => first,
            None => self.player.choose(board, view),
        }
    }

    fn watches_draws(&self) -> bool {
        false
    }

    fn drew(&mut self, _: &mut LaneBoard, _: &DealtGame, _: &GameDraw) {}
}

impl<'a> Oracle<'a> {
    /// Returns an oracle with this player on both sides.
    pub fn new(player: &'a Contestant) -> Oracle<'a> {
        let (rules, knowledge) = (player.engine.rules(), player.engine.knowledge());
        let games = GameLoop::new(rules, knowledge.lexicon.graph());
        let worker = OracleWorker { games, player: player.spec.player(rules, knowledge), sight: player.spec.sight() };
        Oracle { engine: &player.engine, worker }
    }

    /// The player's words, tables and rules.
    pub fn engine(&self) -> &Engine {
        self.engine
    }

    /// Returns the values of the candidates, best first: by wins and points together, as simulations rank, with dropped candidates at the
    /// end. `None` if a signal stops it.
    ///
    /// The mover's rack is known, and there are tiles in the bag.
    ///
    /// # Panics
    /// If a candidate cannot be played, or if there are no candidates. Words are not checked.
    pub fn value(
        &mut self,
        position: &Position,
        candidates: &[Play],
        numbers: DealNumbers,
        allocation: Allocation,
        signals: &Signals,
    ) -> Option<Vec<OracleValue>> {
        // The race gives static equity no weight, so the score may take its place.
        let scored = |&play: &Play| {
            let score = play.placement().map_or(0, |placement| {
                scoring::score_placement(position.rules(), position.board(), placement).expect("candidates can be played").score
            });
            EvaluatedPlay { play, score, equity: Millipoints::from_points(score) }
        };
        let plays: Vec<EvaluatedPlay> = candidates.iter().map(scored).collect();
        let games = WholeGames {
            start: GameStart::new(position).expect("a position is one already"),
            numbers,
            signals,
            spread: position.spread(),
            ends: vec![Vec::new(); plays.len()],
            workers: PhantomData,
        };
        // No stop condition and no static prior: the games alone rank the candidates.
        let rule =
            RaceRule { allocation, stop_condition: None, most_undecided: u64::MAX, equity_weight: EQUITY_WEIGHT, static_samples: 0.0 };
        let mut race = Race::new(games, RaceCandidate::all(&plays), rule);
        let limits = RaceLimits { iterations: Some(numbers.deals), nodes: None };
        race.run(&Team::of_caller(&mut self.worker), limits, signals, |_| ());
        // A race cut short has too few deals for values.
        if signals.is_stopped() {
            return None;
        }
        let standings = race.standings();
        let ends = &race.playout().ends;
        // Each candidate's loss is measured against the leader.
        let best = &ends[standings.leader()];
        // The order is that of the plain means, as the values are: it is not adjusted for the luck of candidates that were dropped early.
        let mut order: Vec<usize> = (0..plays.len()).collect();
        order.sort_by(|&a, &b| {
            let key = |candidate: usize| (standings.is_dropped(candidate), -standings.candidate(candidate).utility());
            key(a).partial_cmp(&key(b)).expect("means are numbers")
        });
        Some(order.into_iter().map(|candidate| OracleValue::of(plays[candidate].play, &ends[candidate], best)).collect())
    }
}

impl<'p, 'a: 'p> Playout for WholeGames<'p, 'a> {
    type Worker = &'p mut OracleWorker<'a>;
    type Tally = Vec<OracleEnd>;
    const ITERATIONS_REMEMBERED: u64 = 1;

    /// Plays out a game that begins with the candidate.
    fn sample(
        &self,
        worker: &mut &'p mut OracleWorker<'a>,
        candidate: &RaceCandidate,
        iteration: Iteration,
        ends: &mut Vec<OracleEnd>,
    ) -> Option<Sample> {
        let OracleWorker { games, player, sight } = &mut **worker;
        let mut company = OracleCompany { first: Some(candidate.play), player: player.as_mut(), sight: *sight };
        let deal = self.numbers.first + iteration.number;
        let summary = games.play_in(&mut company, Some(&self.start), self.numbers.bag_seed(), deal, self.signals)?;
        let spread = summary.scores.lead(Seat::First);
        let win = win_of_final_spread(spread);
        ends.push(OracleEnd { win, spread });
        Some(Sample { win, equity: f64::from(spread - self.spread), nodes: 1 })
    }

    fn take_in(&mut self, tallies: Vec<(usize, Vec<OracleEnd>)>) {
        for (candidate, ends) in tallies {
            self.ends[candidate].extend(ends);
        }
    }
}

impl OracleValue {
    /// Returns the value of a play whose games ended like this, compared with the best play.
    fn of(play: Play, ends: &[OracleEnd], best: &[OracleEnd]) -> OracleValue {
        let (mut win, mut spread, mut loss, mut spread_loss) =
            (Moments::default(), Moments::default(), Moments::default(), Moments::default());
        for end in ends {
            win.add(end.win);
            spread.add(f64::from(end.spread));
        }
        // Candidates get the deals in ascending order, so these are the deals that both have.
        for (best, end) in best.iter().zip(ends) {
            loss.add(best.win - end.win);
            spread_loss.add(f64::from(best.spread - end.spread));
        }
        OracleValue {
            play,
            deals: win.count,
            win: win.mean,
            spread: spread.mean,
            loss: loss.mean,
            loss_error: loss.standard_error(),
            spread_loss: spread_loss.mean,
        }
    }
}
