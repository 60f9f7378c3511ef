//! What plays are worth when somebody plays the games to their end: the same tiles out of sight for all candidates, deal after deal.
//!
//! A deal is a rack of the opponent and an order of the bag: each side draws from its own end of it, as in paired games, so that candidates
//! that place as many tiles draw the same ones. Candidates are compared by the deals that they share. Those that are clearly worse may get no more
//! of them; what such a candidate loses is told a little too large, since it is given up when it looks worst.
//!
//! Not here: which positions, which candidates, and files. Start with [`Oracle::value`].

use crate::engine::Engine;
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::evaluation::win_model::win_of_final_spread;
use crate::match_play::bags::GameStart;
use crate::match_play::dealer::GameDraw;
use crate::match_play::game::{GameCompany, GameLoop};
use crate::match_play::pairs::Contestant;
use crate::movegen::LaneBoard;
use crate::players::{Player, Sight, View};
use crate::rules::units::Millipoints;
use crate::rules::{Play, Position, scoring};
use crate::search::budget::Signals;
use crate::search::dealt_game::DealtGame;
use crate::search::paired::{Moments, PairedDifferences};
use crate::search::randomness::mix;
use crate::search::simulation::rollout::Sample;
use crate::search::simulation::standings::utility;

/// Deals between two looks at who is clearly worse, and those that everybody gets at least.
const DEALS_AT_ONCE: u64 = 64;

/// A candidate gets no more deals if it is so many standard errors behind the leader.
const GIVEN_UP: f64 = 3.5;

/// What the equity weighs in who leads, relative to wins. Not the search's own constant: who judges it stays as they are when it is changed.
const EQUITY_WEIGHT: f64 = 0.3;

/// What a candidate is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OracleValue {
    /// The play.
    pub play: Play,
    /// Playouts.
    pub deals: u64,
    /// Share of them that are won, 0 to 1; a tie counts half.
    pub win: f64,
    /// Mean final spread, points.
    pub spread: f64,
    /// What of the share is lost against the best candidate, over the deals they share. Below 0 where the best one, which points decide, has less.
    pub loss: f64,
    /// Its standard error.
    pub loss_error: f64,
    /// The same in points.
    pub spread_loss: f64,
}

/// The deals of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DealNumbers {
    /// The seed of the corpus.
    pub seed: u64,
    /// The number of the game.
    pub game: u64,
    /// The number of the turn in it.
    pub turn: usize,
    /// The number of the first deal.
    pub first: u64,
    /// How many there are.
    pub deals: u64,
}

/// Who gets how many deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thrift {
    /// Every candidate gets all of them.
    AllEqual,
    /// Candidates that are clearly worse than the leader get no more.
    GiveUpTheWorse,
}

impl DealNumbers {
    /// The seed of the position's bags: that of deal number `n` follows from it and `n`.
    pub fn bag_seed(&self) -> u64 {
        mix(self.seed ^ mix(self.game) ^ mix(self.turn as u64 + 1).rotate_left(1))
    }
}

/// A player who plays both sides to the end of the game. Each thread has one.
pub struct Oracle<'a> {
    engine: &'a Engine,
    games: GameLoop<'a>,
    player: Box<dyn Player + 'a>,
    sight: Sight,
}

/// A player on both sides, with a first play that is given.
struct PlayingOut<'p, 'a> {
    first: Option<EvaluatedPlay>,
    player: &'p mut (dyn Player + 'a),
    sight: Sight,
}

impl GameCompany for PlayingOut<'_, '_> {
    fn sight(&self, _: usize) -> Sight {
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

/// A candidate under way.
struct PlayedOutPlay {
    play: EvaluatedPlay,
    /// By deal: the win as 0, 1/2 or 1, and the final spread.
    ends: Vec<(f64, i32)>,
    worth: Moments,
    is_given_up: bool,
}

impl<'a> Oracle<'a> {
    /// With this player as both sides.
    pub fn new(player: &'a Contestant) -> Oracle<'a> {
        let (rules, knowledge) = (player.engine.rules(), player.engine.knowledge());
        let games = GameLoop::new(rules, knowledge.lexicon.graph());
        Oracle { engine: &player.engine, games, player: player.spec.player(rules, knowledge), sight: player.spec.sight() }
    }

    /// The player's words, tables and rules.
    pub fn engine(&self) -> &Engine {
        self.engine
    }

    /// What each of the candidates is worth, the best first: by wins and points together, as simulations rank, those that were given up last. `None` if the signals say stop.
    ///
    /// The position's mover knows the rack, and there are tiles in the bag.
    ///
    /// # Panics
    /// If a candidate cannot be played, or there is none. Whether it is a word is not asked.
    pub fn value(
        &mut self,
        position: &Position,
        candidates: &[Play],
        numbers: DealNumbers,
        thrift: Thrift,
        signals: &Signals,
    ) -> Option<Vec<OracleValue>> {
        let start = GameStart::new(position).expect("a position is one already");
        let seed = numbers.bag_seed();
        let entered = |&play: &Play| {
            let score = play.placement().map_or(0, |placement| {
                scoring::score_placement(position.rules(), position.board(), placement).expect("candidates can be played").score
            });
            let play = EvaluatedPlay { play, score, equity: Millipoints::from_points(score) };
            PlayedOutPlay { play, ends: Vec::new(), worth: Moments::default(), is_given_up: false }
        };
        let mut plays: Vec<PlayedOutPlay> = candidates.iter().map(entered).collect();
        let mut differences = PairedDifferences::new(plays.len());
        for deal in numbers.first..numbers.first + numbers.deals {
            let mut worths = Vec::with_capacity(plays.len());
            for (at, play) in plays.iter_mut().enumerate().filter(|(_, play)| !play.is_given_up) {
                let spread = self.play_out(&start, play.play, seed, deal, signals)?;
                let win = win_of_final_spread(spread);
                let worth = utility(&Sample { win, equity: f64::from(spread - position.spread()) }, EQUITY_WEIGHT);
                play.ends.push((win, spread));
                play.worth.add(worth);
                worths.push((at, worth));
            }
            differences.add(&worths);
            let is_time = thrift == Thrift::GiveUpTheWorse && (deal + 1 - numbers.first).is_multiple_of(DEALS_AT_ONCE);
            if is_time && give_up_the_worse(&mut plays, &differences) {
                break;
            }
        }
        let best = leader(&plays);
        let mut worths: Vec<(bool, f64, OracleValue)> =
            plays.iter().map(|play| (play.is_given_up, play.worth.mean, play.against(&plays[best]))).collect();
        worths.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        Some(worths.into_iter().map(|(_, _, worth)| worth).collect())
    }

    /// The final spread of a playout, from the mover's side.
    fn play_out(&mut self, start: &GameStart, first: EvaluatedPlay, seed: u64, deal: u64, signals: &Signals) -> Option<i32> {
        let mut company = PlayingOut { first: Some(first), player: self.player.as_mut(), sight: self.sight };
        let summary = self.games.play_from(&mut company, start, seed, deal, signals)?;
        Some(summary.scores[0] - summary.scores[1])
    }
}

fn leader(plays: &[PlayedOutPlay]) -> usize {
    let of_all = (0..plays.len()).filter(|&at| !plays[at].is_given_up);
    of_all.reduce(|best, at| if plays[at].worth.mean > plays[best].worth.mean { at } else { best }).expect("there is a candidate")
}

/// Gives up those that are clearly worse than the leader. Whether nobody but the leader is left.
fn give_up_the_worse(plays: &mut [PlayedOutPlay], differences: &PairedDifferences) -> bool {
    let leader = leader(plays);
    for (at, play) in plays.iter_mut().enumerate().filter(|(at, _)| *at != leader) {
        let (behind, error, _) = differences.difference(leader, at);
        play.is_given_up |= error > 0.0 && behind > GIVEN_UP * error;
    }
    plays.iter().filter(|play| !play.is_given_up).count() == 1
}

impl PlayedOutPlay {
    fn against(&self, best: &PlayedOutPlay) -> OracleValue {
        let (mut win, mut spread, mut loss, mut spread_loss) =
            (Moments::default(), Moments::default(), Moments::default(), Moments::default());
        for &(won, by) in &self.ends {
            win.add(won);
            spread.add(f64::from(by));
        }
        for ((best_won, best_by), (won, by)) in best.ends.iter().zip(&self.ends) {
            loss.add(best_won - won);
            spread_loss.add(f64::from(best_by - by));
        }
        OracleValue {
            play: self.play.play,
            deals: win.count,
            win: win.mean,
            spread: spread.mean,
            loss: loss.mean,
            loss_error: loss.standard_error(),
            spread_loss: spread_loss.mean,
        }
    }
}
