//! Makes a corpus game by game: selects turns, then lists and values their candidates.
//!
//! Turns are chosen at random by phase, so that rare phases occur often enough. Each chosen turn has the number of turns that it
//! represents, so that means and sums over a game can be estimated. Turns with an empty bag are left out, because an exact search can
//! value them.
//!
//! Start with [`CorpusMaker::game`].

use crate::engine::Engine;
use crate::evaluation::StaticEval;
use crate::evaluation::static_eval::{EvaluatedPlay, StaticTurn};
use crate::formats::cgp::{self, Opcodes};
use crate::match_play::game::GameLoop;
use crate::match_play::pairs::Contestant;
use crate::movegen::LaneBoard;
use crate::players::Player;
use crate::regret::oracle::{DealNumbers, GIVE_UP_THE_WORSE, Oracle};
use crate::regret::record::{CorpusGame, CorpusHeader, CorpusPlay, CorpusTurn};
use crate::rules::{Play, Position, Rack, notation};
use crate::search::Knowledge;
use crate::search::budget::Signals;
use crate::search::phase::Phase;
use crate::search::randomness::{self, Stream};
use rand::RngExt;

/// The number of exchanges that are candidates however low they rank.
const EXCHANGES: usize = 3;

/// One thread's players.
pub struct CorpusMaker<'a> {
    header: &'a CorpusHeader,
    /// Ranks the plays.
    ranking: &'a Engine,
    games: GameLoop<'a>,
    player: Box<dyn Player + 'a>,
    oracle: Oracle<'a>,
}

impl<'a> CorpusMaker<'a> {
    /// Returns a maker of the corpus with this header and these players. `ranking` ranks the candidates.
    pub fn new(header: &'a CorpusHeader, players: &'a Contestant, oracle: &'a Contestant, ranking: &'a Engine) -> CorpusMaker<'a> {
        let rules = players.engine.rules();
        let games = GameLoop::new(rules, ranking.knowledge().lexicon.graph());
        let player = players.spec.player(rules, players.engine.knowledge());
        CorpusMaker { header, ranking, games, player, oracle: Oracle::new(oracle) }
    }

    /// Plays a game, and values the candidates of its chosen turns. `None` if a signal stops it.
    pub fn game(&mut self, number: u64, signals: &Signals) -> Option<CorpusGame> {
        let sampled = sampled_turns(&mut self.games, self.player.as_mut(), self.header.seed, number, signals)?;
        let turns = sampled.iter().map(|turn| self.valued(number, turn, signals)).collect::<Option<_>>()?;
        Some(CorpusGame { number, turns })
    }

    fn valued(&mut self, game: u64, sampled: &SampledTurn, signals: &Signals) -> Option<CorpusTurn> {
        let SampledTurn { position, turn, stands_for } = sampled;
        let ranked = candidates(self.ranking.knowledge(), position, self.header.candidates);
        let candidates: Vec<Play> = ranked.iter().map(|candidate| candidate.play).collect();
        let numbers = DealNumbers { seed: self.header.seed, game, turn: *turn, first: 0, deals: self.header.deals };
        let worths = self.oracle.value(position, &candidates, numbers, GIVE_UP_THE_WORSE, signals)?;
        let distribution = &position.rules().distribution;
        let plays = worths.into_iter().map(|worth| CorpusPlay {
            play: notation::play_text(&worth.play, position.board(), distribution),
            deals: worth.deals,
            win: worth.win,
            spread: worth.spread,
            loss: worth.loss,
            loss_error: worth.loss_error,
            spread_loss: worth.spread_loss,
        });
        Some(CorpusTurn { cgp: cgp::print(position, &Opcodes::default()), turn: *turn, stands_for: *stands_for, plays: plays.collect() })
    }
}

/// Returns the `most` statically best plays, and the best exchanges.
fn candidates(knowledge: &Knowledge, position: &Position, most: usize) -> Vec<EvaluatedPlay> {
    let graph = knowledge.lexicon.graph();
    let mut eval = StaticEval::new(position.rules(), knowledge.lexicon.as_ref(), &knowledge.evaluator.leaves);
    let mut lanes = LaneBoard::new(position.rules(), position.board(), graph);
    let all = eval.all(&mut lanes, &StaticTurn::new(position.mover_rack(), &Rack::EMPTY, position.in_bag()));
    let (best, others) = all.split_at(most.min(all.len()));
    let is_exchange = |play: &&EvaluatedPlay| matches!(play.play, Play::Exchange(_));
    let in_best = best.iter().filter(is_exchange).count();
    best.iter().chain(others.iter().filter(is_exchange).take(EXCHANGES.saturating_sub(in_best))).copied().collect()
}

/// The most turns of a game that are kept of each phase. The midgame has two thirds of all turns.
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
    /// The number of turns of its phase in the game, divided by the number of those kept.
    pub stands_for: f64,
}

/// Returns some turns of each phase of game number `index`, which a player plays against itself, in the order of the game. `None` if a signal
/// cuts the game short.
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

/// The turns of a phase, all of which are equally likely to be kept.
struct PhaseTurns {
    phase: Phase,
    most: usize,
    seen: u32,
    kept: Vec<Option<(Position, usize)>>,
}

impl PhaseTurns {
    /// Returns the place of the next turn, if it is kept: a free place, or that of an earlier turn.
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
    use crate::match_play::bags::GameStart;
    use crate::players::{PlayerSpec, PlayerTurn};
    use crate::rules::{BySeat, Seat, Turn};
    use crate::search::SearchPosition;
    use crate::search::bag::Bag;
    use crate::search::randomness::{self, Stream};
    use rand::RngExt;

    fn contestant(name: &str) -> Contestant {
        let engine = Engine::builder().leaves("rack-heuristic-3").win_table("logistic").build().unwrap();
        Contestant { spec: name.parse().unwrap(), engine }
    }

    fn header(deals: u64) -> CorpusHeader {
        CorpusHeader {
            tilewright: String::new(),
            game: String::new(),
            players: String::new(),
            oracle: String::new(),
            tables: String::new(),
            seed: 3,
            candidates: 6,
            deals,
        }
    }

    #[test]
    fn exchanges_are_candidates_however_low_they_stand() {
        let player = contestant("rack3");
        let position = player.engine.position("15/15/15/15/15/15/15/3QUIZ8/15/15/15/15/15/15/15 AEINRST/ 48/0 0").unwrap();
        let found = candidates(player.engine.knowledge(), &position, 6);
        let exchanges = found.iter().filter(|play| matches!(play.play, Play::Exchange(_))).count();
        assert_eq!((found.len(), exchanges), (9, 3));
        assert!(found[..6].is_sorted_by(|a, b| a.equity >= b.equity));
    }

    /// The dumb twin: each candidate played out under the referee, from the deals of the corpus, one by one.
    #[test]
    fn values_are_the_means_of_games_played_out() {
        let (player, deals) = (contestant("rack3"), 5);
        let header = header(deals);
        let mut maker = CorpusMaker::new(&header, &player, &player, &player.engine);
        let game = maker.game(0, &Signals::default()).unwrap();
        assert!(game.turns.len() >= 4, "{}", game.turns.len());
        for turn in &game.turns {
            let position = player.engine.position(&turn.cgp).unwrap();
            assert!(turn.plays[0].loss == 0.0 && turn.plays.iter().all(|play| play.deals == deals));
            for play in &turn.plays {
                let numbers = DealNumbers { seed: header.seed, game: game.number, turn: turn.turn, first: 0, deals };
                let [win, spread] = referee_means(&player, &position, &play.play, numbers);
                assert!((win - play.win).abs() < 1e-9 && (spread - play.spread).abs() < 1e-9, "{}: {win} {spread} {play:?}", turn.cgp);
                assert!((turn.plays[0].win - play.win - play.loss).abs() < 1e-9);
            }
        }
    }

    /// Mean win and spread of a play over the deals: positions go from turn to turn by the rules alone.
    fn referee_means(player: &Contestant, position: &Position, first: &str, numbers: DealNumbers) -> [f64; 2] {
        let (mut win, mut spread) = (0.0, 0.0);
        for deal in 0..numbers.deals {
            let end = played_out(player, position, first, numbers.bag_seed(), deal);
            win += f64::from(end.signum() + 1) / 2.0 / numbers.deals as f64;
            spread += f64::from(end) / numbers.deals as f64;
        }
        [win, spread]
    }

    fn played_out(player: &Contestant, start: &Position, first: &str, seed: u64, deal: u64) -> i32 {
        let rack_size = start.rules().rack_size;
        let mut rng = randomness::generator(seed, Stream::Exchanges, deal);
        let mut bag = Bag::new(GameStart::new(start).unwrap().shuffled_bag(seed, deal));
        let (us, them) = (start.on_turn(), start.on_turn().opponent());
        let mut racks = BySeat([Rack::EMPTY; 2]);
        racks[us] = *start.mover_rack();
        // The player with the first turn draws from one end of the bag.
        let end = |seat| if seat == us { Seat::First } else { Seat::Second };
        bag.draw(end(them), &mut racks[them], rack_size);
        let mut position = start.clone();
        let mut given = Some(first);
        while position.end().is_none() {
            let mover = position.on_turn();
            for seat in [us, them] {
                let seen = if seat == mover || bag.is_empty() { racks[seat] } else { Rack::EMPTY };
                position.set_rack(seat, &seen).unwrap();
            }
            let play = match given.take() {
                Some(text) => match notation::parse_move(text, &position).unwrap().turn {
                    Turn::Play(play) => play,
                    other => panic!("{other:?}"),
                },
                None => {
                    let turn = PlayerTurn::new(player.spec.clone(), SearchPosition::new(position.clone()).unwrap(), 1).unwrap();
                    turn.take(player.engine.knowledge(), &Signals::default()).play
                }
            };
            position.set_rack(mover.opponent(), &racks[mover.opponent()]).unwrap();
            racks[mover] = racks[mover].minus(&play.rack_tiles()).unwrap();
            bag.draw(end(mover), &mut racks[mover], rack_size);
            if let Play::Exchange(tiles) = &play {
                bag.put_back(end(mover), tiles, |half| rng.random_range(0..=half));
            }
            position = position.after_draw(&Turn::Play(play), &racks[mover]).unwrap();
        }
        position.scores().lead(us)
    }

    #[test]
    fn each_phase_has_turns_that_stand_for_all_of_it() {
        let engine = plain_engine();
        let (rules, knowledge) = (engine.rules(), engine.knowledge());
        let spec: PlayerSpec = "greedy".parse().unwrap();
        let mut player = spec.player(rules, knowledge);
        let mut games = GameLoop::new(rules, knowledge.lexicon.graph());
        // By place in the midgame: how often the turn is kept.
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
