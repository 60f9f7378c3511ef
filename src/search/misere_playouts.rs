//! Playouts of the game that is played to lose: candidates for a turn, each played to the end of the game against racks that the opponent may hold.
//!
//! In an iteration the other rack is dealt by what is believed of it ([`RackBelief`]), the rest is shuffled into the bag, and each candidate
//! still in the race is played out on the same tiles. Both sides then play as [`MisereTurn::choose`] does, each with a belief of its own that
//! the turns of the playout change. What counts is who wins; a tie counts half.
//!
//! A round is some iterations. Candidates that a paired difference shows to be worse than the leader drop out behind it. Each playout follows
//! from the seed and its iteration, and results are counted in their order: the answer is the same for any number of threads.
//!
//! The best of several noisy means is often not the best candidate. So a question may name a choice that [stands](MisereQuestion::stands) unless
//! another one beats it by two standard errors; those that have little hope of that drop out sooner.
//!
//! Not here: the static choice (`evaluation/misere.rs`). Start with [`MisereRace`].

use crate::evaluation::misere::{MisereEval, MisereStyle, MisereTurn};
use crate::evaluation::penalty_values::PenaltyValues;
use crate::evaluation::rack_belief::{RackBelief, SeenTurn};
use crate::evaluation::static_eval::EvaluatedPlay;
use crate::lexicon::word_graph::WordGraph;
use crate::movegen::LaneBoard;
use crate::rules::{GameRules, Play, Position, Rack, Tile};
use crate::search::analysis::{OpponentTiles, SimulationOptions};
use crate::search::budget::Signals;
use crate::search::candidates::{self, DEFAULT_CANDIDATES};
use crate::search::context::SearchContext;
use crate::search::dealt_game::{DealtGame, Places};
use crate::search::inference::ObservedTurn;
use crate::search::paired::Moments;
use crate::search::randomness::{self, Stream};
use crate::search::report::{Listener, Outcome, Report, SimulationRow};
use crate::search::threads;
use rayon::prelude::*;

/// Turns of a playout, at most: two rows of turns without points. Longer ones count as if they were stuck then.
const MOST_TURNS: usize = 14;

/// Iterations of a round.
const ROUND: u64 = 16;

/// A candidate drops out that is so many standard errors behind the leader.
const BEHIND: f64 = 2.5;

/// One that is to beat the choice that stands drops out when it is so many standard errors behind it.
const HOPELESS: f64 = 1.0;

/// It beats that choice by so many.
const AHEAD: f64 = 2.0;

/// A turn to be played out.
#[derive(Clone, Copy, Debug)]
pub struct MisereQuestion<'a> {
    /// The position; the mover's rack is known.
    pub position: &'a Position,
    /// The mover's turns up to now, as the opponent saw them, and the opponent's. Empty if nobody watched.
    pub turns: [&'a [SeenTurn]; 2],
    /// The candidates, each once.
    pub candidates: &'a [EvaluatedPlay],
    /// The candidate that is chosen unless playouts show another one to be better, by its place among them.
    pub stands: Option<usize>,
    /// Of the random numbers.
    pub seed: u64,
}

/// How long a race goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaceLimits {
    /// Iterations, at most.
    pub iterations: u64,
    /// The round in which so many turns were played is the last one.
    pub turns: u64,
}

impl RaceLimits {
    /// No limit.
    pub const NONE: RaceLimits = RaceLimits { iterations: u64::MAX, turns: u64::MAX };
}

/// What playouts say of a candidate.
#[derive(Clone, Debug)]
pub struct PlayedOut {
    /// The candidate.
    pub play: EvaluatedPlay,
    /// Wins: 1, or a half for a tie.
    pub wins: Moments,
    /// Points gained on the opponent at the end, the lead of the position included.
    pub gain: Moments,
    /// Whether it dropped out.
    pub pruned: bool,
    /// Wins by iteration, in halves.
    results: Vec<u8>,
}

/// A race of candidates. It goes on from round to round.
#[derive(Debug)]
pub struct MisereRace<'a> {
    common: Common<'a>,
    style: MisereStyle,
    graph: &'a WordGraph,
    arms: Vec<PlayedOut>,
    iterations: u64,
    turns: u64,
}

/// What all playouts of a question have in common.
#[derive(Debug)]
struct Common<'a> {
    rules: &'a GameRules,
    values: PenaltyValues,
    /// Of the mover's rack, as the opponent sees it, and of the opponent's.
    beliefs: [RackBelief; 2],
    unseen: Rack,
    question: &'a MisereQuestion<'a>,
}

impl<'a> MisereRace<'a> {
    /// Both sides of the playouts play in this style.
    pub fn new(graph: &'a WordGraph, style: MisereStyle, question: &'a MisereQuestion<'a>) -> MisereRace<'a> {
        let arm = |&play: &EvaluatedPlay| PlayedOut {
            play,
            wins: Moments::default(),
            gain: Moments::default(),
            pruned: false,
            results: Vec::new(),
        };
        let arms = question.candidates.iter().map(arm).collect();
        MisereRace { common: Common::new(question), style, graph, arms, iterations: 0, turns: 0 }
    }

    /// Plays rounds until one candidate is left, a limit is reached, or a signal says stop. `board` is that of the position.
    pub fn run(
        &mut self,
        board: &LaneBoard,
        threads: usize,
        limits: RaceLimits,
        signals: &Signals,
        mut after_round: impl FnMut(&MisereRace<'a>),
    ) {
        let pool = threads::pool(threads);
        let mut worker = PlayoutWorker { board: board.clone(), game: DealtGame::default() };
        while self.iterations < limits.iterations && self.turns < limits.turns && self.in_race().count() > 1 {
            let end = (self.iterations + ROUND).min(limits.iterations);
            let race = &*self;
            let results: Option<Vec<Vec<PlayoutEnding>>> = match &pool {
                Some(pool) => pool.install(|| {
                    let worker = || PlayoutWorker { board: board.clone(), game: DealtGame::default() };
                    (race.iterations..end)
                        .into_par_iter()
                        .map_init(worker, |worker, index| race.iteration(worker, index, signals))
                        .collect()
                }),
                None => (race.iterations..end).map(|index| race.iteration(&mut worker, index, signals)).collect(),
            };
            // A round that a signal cuts short does not count.
            let Some(results) = results else { return };
            for result in results {
                for (arm, ending) in self.arms.iter_mut().filter(|arm| !arm.pruned).zip(result) {
                    arm.count(ending.gain);
                    self.turns += ending.turns;
                }
            }
            self.iterations = end;
            self.prune();
            after_round(self);
        }
    }

    /// Turns of all playouts.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// The candidates, best first: those that dropped out behind the others.
    pub fn ranking(&self) -> Vec<&PlayedOut> {
        let mut ranked: Vec<&PlayedOut> = self.arms.iter().collect();
        ranked.sort_by(|a, b| PlayedOut::order(a, b));
        ranked
    }

    fn in_race(&self) -> impl Iterator<Item = &PlayedOut> {
        self.arms.iter().filter(|arm| !arm.pruned)
    }

    /// Plays all candidates in the race out on the same tiles; nothing if a signal says stop.
    fn iteration(&self, worker: &mut PlayoutWorker, index: u64, signals: &Signals) -> Option<Vec<PlayoutEnding>> {
        let deal = self.common.deal(index);
        self.in_race().map(|arm| (!signals.is_stopped()).then(|| self.play_out(worker, &deal, index, &arm.play))).collect()
    }

    /// The candidate to choose: the one that stands unless the leader beats it, the leader if none stands.
    pub fn choice(&self) -> &PlayedOut {
        let leader = self.ranking()[0];
        let Some(stands) = self.common.question.stands.map(|at| &self.arms[at]) else { return leader };
        if leader.is_ahead_of(stands, AHEAD) { leader } else { stands }
    }

    /// Takes those out of the race that are far behind the leader, or behind the choice that stands.
    fn prune(&mut self) {
        let Some(leader) = self.in_race().min_by(|a, b| PlayedOut::order(a, b)) else { return };
        let stands = self.common.question.stands.map(|at| &self.arms[at]);
        let drops_out = |arm: &PlayedOut| {
            arm.pruned || leader.is_ahead_of(arm, BEHIND) || stands.is_some_and(|stands| stands.is_ahead_of(arm, HOPELESS))
        };
        let pruned: Vec<bool> = self.arms.iter().map(drops_out).collect();
        self.arms.iter_mut().zip(pruned).for_each(|(arm, pruned)| arm.pruned = pruned);
    }

    /// How the game ends behind a candidate on these tiles.
    fn play_out(&self, worker: &mut PlayoutWorker, deal: &(Rack, Vec<Tile>), index: u64, first: &EvaluatedPlay) -> PlayoutEnding {
        let PlayoutWorker { board, game } = worker;
        let (common, rules) = (&self.common, self.common.rules);
        let Common { question, .. } = common;
        let position = question.position;
        let mut rng = randomness::generator(question.seed, Stream::Exchanges, index);
        let mut beliefs = common.beliefs.clone();
        let (mut on_board, mut turns) = (0, 0);
        game.deal([*position.mover_rack(), deal.0], &deal.1, position.spread(), position.zero_turns());
        let mut seat = 0;
        for turn in 0..MOST_TURNS {
            let play = if turn == 0 { *first } else { self.choose(board, game, &beliefs, seat) };
            let seen = seen_of(rules, game, seat, &play);
            turns += 1;
            game.take_turn(rules, seat, &play, Places::Anywhere, &mut rng);
            if game.is_over() {
                break;
            }
            beliefs[seat].see(rules, &common.values, &seen, game.racks[seat].len());
            if game.bag.is_empty() {
                beliefs[seat] = RackBelief::certain(&game.racks[seat]);
            }
            if let Play::Place(placement) = &play.play {
                board.play(placement, self.graph);
                on_board += 1;
            }
            seat = 1 - seat;
        }
        for _ in 0..on_board {
            board.undo();
        }
        let stuck = if game.is_over() { 0 } else { stuck_lead(rules, game) };
        PlayoutEnding { gain: rules.objective().gain(game.spread() + stuck), turns }
    }

    fn choose(&self, board: &mut LaneBoard, game: &DealtGame, beliefs: &[RackBelief; 2], seat: usize) -> EvaluatedPlay {
        let common = &self.common;
        let spread = if seat == 0 { game.spread() } else { -game.spread() };
        let turn = MisereTurn {
            rules: common.rules,
            values: &common.values,
            rack: &game.racks[seat],
            other: &beliefs[1 - seat],
            lead: common.rules.objective().gain(spread),
            in_bag: game.bag.len(),
            zero_turns: game.zero_turns(),
        };
        turn.choose(board, self.graph, &self.style)
    }
}

impl<'a> Common<'a> {
    fn new(question: &'a MisereQuestion<'a>) -> Common<'a> {
        let position = question.position;
        let rules = position.rules();
        let (unseen, rack) = (position.unseen(), position.mover_rack());
        let values = PenaltyValues::new(&rules.distribution, &unseen);
        let own = if position.in_bag() == 0 {
            RackBelief::certain(rack)
        } else if question.turns[0].is_empty() {
            RackBelief::unwatched(rules, &values, &Rack::EMPTY, rack.len(), position.zero_turns())
        } else {
            RackBelief::of_turns(rules, &values, question.turns[0], rack.len())
        };
        let other = MisereEval::after_turns(position, question.turns[1]).into_belief();
        Common { rules, values, beliefs: [own, other], unseen, question }
    }

    /// The other rack and the bag of an iteration.
    fn deal(&self, index: u64) -> (Rack, Vec<Tile>) {
        let mut rng = randomness::generator(self.question.seed, Stream::Rollouts, index);
        let mut rest = self.unseen;
        let other = self.beliefs[1].deal(&mut rest, &mut rng);
        let mut bag: Vec<Tile> = rest.tiles().collect();
        randomness::shuffle(&mut bag, &mut rng);
        (other, bag)
    }
}

/// A simulation where the lower score wins. What the opponent's turns tell is used if the options have them.
pub fn simulate(context: &SearchContext<'_>, options: &SimulationOptions, listener: &mut dyn Listener) -> Outcome {
    let SearchContext { knowledge, position, signals, settings, .. } = *context;
    let graph = knowledge.lexicon.graph();
    let turns: Vec<SeenTurn> = match &options.opponent_tiles {
        OpponentTiles::Inferred(inference) => inference.turns.iter().map(ObservedTurn::seen).collect(),
        OpponentTiles::Uniform | OpponentTiles::Believed(_) => Vec::new(),
    };
    let mut board = LaneBoard::new(position.rules(), position.board(), graph);
    let candidates = if options.plays.named().next().is_none() && options.plays.only.is_none() {
        let of_each = options.plays.most.unwrap_or(DEFAULT_CANDIDATES).div_ceil(2);
        MisereEval::after_turns(position, &turns).turn().candidates(&mut board, graph, of_each)
    } else {
        candidates::choose(context, &options.plays, DEFAULT_CANDIDATES)
    };
    let question = MisereQuestion { position, turns: [&[], &turns], candidates: &candidates, stands: None, seed: settings.seed };
    let mut race = MisereRace::new(graph, MisereStyle::USUAL, &question);
    let limits = RaceLimits { iterations: options.iterations.unwrap_or(u64::MAX), turns: options.nodes.unwrap_or(u64::MAX) };
    let lead = f64::from(position.rules().objective().gain(position.spread()));
    let report = |race: &MisereRace<'_>| Report::Simulation {
        rows: race.ranking().into_iter().map(|arm| arm.row(position.mover_rack(), lead)).collect(),
        plies: 0,
        nodes: race.turns(),
    };
    let mut is_first = true;
    race.run(&board, settings.threads, limits, signals, |race| {
        let is_asked = signals.take_report();
        if std::mem::take(&mut is_first) || is_asked {
            listener.report(report(race));
        }
    });
    let best = race.ranking().first().map(|arm| arm.play.play);
    Outcome { best, last: Some(report(&race)), solved: false }
}

/// How a playout ended.
struct PlayoutEnding {
    gain: i32,
    turns: u64,
}

/// What a thread plays with.
struct PlayoutWorker {
    board: LaneBoard,
    game: DealtGame,
}

/// How much more the lead of seat 0 would be if the game ended by turns without points.
fn stuck_lead(rules: &GameRules, game: &DealtGame) -> i32 {
    let [own, other] = game.racks.map(|rack| rack.value(&rules.distribution));
    rules.ending.lead_when_stuck(own, other)
}

/// What the other player sees of a turn that is about to be taken.
fn seen_of(rules: &GameRules, game: &DealtGame, seat: usize, play: &EvaluatedPlay) -> SeenTurn {
    let (placed, exchanged) = match &play.play {
        Play::Place(placement) => (placement.rack_tiles(), 0),
        Play::Exchange(tiles) => (Rack::EMPTY, tiles.len()),
        Play::Pass => (Rack::EMPTY, 0),
    };
    let may_exchange = game.bag.len() >= rules.exchange_limit;
    SeenTurn { placed, exchanged, may_exchange, zero_turns: game.zero_turns(), held: game.racks[seat].len() }
}

impl PlayedOut {
    /// A row of a report; points are those gained from the position on.
    fn row(&self, rack: &Rack, lead: f64) -> SimulationRow {
        let equity = if self.gain.count == 0 { self.play.equity.points() } else { self.gain.mean - lead };
        SimulationRow {
            ranked: candidates::ranked(&self.play, rack),
            win: if self.wins.count == 0 { 0.5 } else { self.wins.mean },
            win_error: self.wins.standard_error(),
            equity,
            equity_error: self.gain.standard_error(),
            iterations: self.wins.count,
            pruned: self.pruned,
            plies: Vec::new(),
        }
    }

    /// Whether it won more than another one on the same tiles, by so many standard errors.
    fn is_ahead_of(&self, other: &PlayedOut, errors: f64) -> bool {
        let mut ahead = Moments::default();
        self.results.iter().zip(&other.results).for_each(|(&own, &other)| ahead.add(f64::from(own) - f64::from(other)));
        ahead.standard_error() > 0.0 && ahead.mean > errors * ahead.standard_error()
    }

    fn count(&mut self, gain: i32) {
        let halves = (gain.signum() + 1) as u8;
        self.wins.add(f64::from(halves) / 2.0);
        self.gain.add(f64::from(gain));
        self.results.push(halves);
    }

    /// In the race first; then more wins, more points, static equity.
    fn order(a: &PlayedOut, b: &PlayedOut) -> std::cmp::Ordering {
        let by_race = a.pruned.cmp(&b.pruned).then(b.wins.mean.total_cmp(&a.wins.mean));
        by_race.then(b.gain.mean.total_cmp(&a.gain.mean)).then_with(|| a.play.ranking(&b.play))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{cgp, english_rules};
    use crate::lexicon::Lexicon;
    use crate::rules::{Objective, Turn};

    const LATE: &str = "5BERGS5/4PA3U5/2QAID3R5/3BEE3F2S2/1P1ET2VIATIC2/MA1TAW3c2H2/ES3IS2E2A2/AT1FOLIA4V2/LI1L1EX1E6/1N1O1D2N2Y3/1GNU2C1JETE3/2ER2OHO2N3/2O3GOY6/1INDOW1U7/4DORR7";
    const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";

    fn position(text: &str) -> Position {
        let mut position = cgp::parse(&format!("{text} var misere;"), &english_rules()).unwrap_or_else(|error| panic!("{error}")).position;
        position.deduce_racks();
        position
    }

    /// The wins and gains of the candidates, in the order of their equity.
    fn race(position: &Position, of_each: usize, iterations: u64, threads: usize) -> Vec<(EvaluatedPlay, f64, f64, u64)> {
        let lexicon = Lexicon::builtin();
        let mut board = LaneBoard::new(position.rules(), position.board(), lexicon.graph());
        let eval = MisereEval::new(position);
        let candidates = eval.turn().candidates(&mut board, lexicon.graph(), of_each);
        let question = MisereQuestion { position, turns: [&[], &[]], candidates: &candidates, stands: None, seed: 7 };
        let mut race = MisereRace::new(lexicon.graph(), MisereStyle::USUAL, &question);
        race.run(&board, threads, RaceLimits { iterations, ..RaceLimits::NONE }, &Signals::default(), |_| ());
        race.arms.iter().map(|arm| (arm.play, arm.wins.mean, arm.gain.mean, arm.wins.count)).collect()
    }

    #[test]
    fn the_answer_is_the_same_for_any_number_of_threads() {
        let position = position(&format!("{EMPTY} AEIQZJK/ 0/0 4"));
        let alone = race(&position, 2, 40, 1);
        assert_eq!(alone, race(&position, 2, 40, 3));
        assert!(alone.iter().any(|&(_, _, _, samples)| samples == 40));
    }

    #[test]
    fn a_turn_that_ends_the_game_gains_what_the_rules_say() {
        // Both racks are known. The sixth turn without points ends the game, won by the first and lost by the second.
        for scores in ["300/290 5", "290/300 5"] {
            let position = position(&format!("{LATE} IKLMTZ/AEINRU? {scores}"));
            let passed = position.after(&Turn::Play(Play::Pass)).unwrap();
            let by_rules = Objective::FewestPoints.gain(passed.score(0) - passed.score(1));
            let rows = race(&position, 2, 16, 1);
            let (_, wins, gain, _) = rows.iter().find(|(play, ..)| play.play == Play::Pass).unwrap();
            assert_eq!((*wins, *gain), (f64::from(u8::from(by_rules > 0)), f64::from(by_rules)), "{scores}");
        }
    }

    #[test]
    fn boards_are_left_as_they_were_and_deals_use_up_the_tiles() {
        let position = position(&format!("{EMPTY} AEIQZJK/ 0/0 5"));
        let question = MisereQuestion { position: &position, turns: [&[], &[]], candidates: &[], stands: None, seed: 1 };
        let common = Common::new(&question);
        for index in 0..50 {
            let (other, bag) = common.deal(index);
            let all: Rack = bag.iter().copied().chain(other.tiles()).collect();
            assert_eq!((other.len(), bag.len(), all), (7, 86, position.unseen()));
        }
        let points = |index| common.deal(index).0.value(&position.rules().distribution);
        let mean = (0..400).map(|index| f64::from(points(index))).sum::<f64>() / 400.0;
        // Three exchanges lie behind the opponent. Played out with the tiles that we do not hold, throwing those below 3, 3 and 2 points, they
        // leave racks of 18.8 points; first draws have 11.4. The standard error of 400 racks is 0.4.
        assert!((17.5..20.1).contains(&mean), "{mean}");
    }
}
