//! Playouts of the game that is played to lose: candidates for a turn, each played to the end of the game against racks that the opponent may hold.
//!
//! In an iteration the other rack is dealt by what is believed of it ([`RackBelief`]), the rest is shuffled into the bag, and each candidate
//! still in the race is played out on the same tiles. Both sides then play as [`MisereTurn::choose`] does, each with a belief of its own that
//! the turns of the playout change. What counts is who wins; a tie counts half.
//!
//! A round is some iterations. Candidates that a paired difference shows to be worse than the leader drop out behind it. Each playout follows
//! from the seed and its iteration, and results are counted in their order: the answer is the same for any number of threads.
//!
//! What ends a race depends on its [aim](RaceAim). A player chooses: the race is over when one candidate is left. The best of several noisy means
//! is often not the best candidate, so a question may name a choice that [stands](MisereQuestion::stands) unless another one beats it by two
//! standard errors; those that have little hope of that drop out sooner. A simulation ranks: as where the higher score wins
//! (`simulation/rounds.rs`), two candidates stay in the race, and it goes on until a limit or its stop condition.
//!
//! Not here: the static choice (`search/misere/equity.rs`). Start with [`MisereRace`].

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::lexicon::word_graph::WordGraph;
use crate::movegen::LaneBoard;
use crate::rules::{GameRules, Play, Position, Rack, Tile, Turn};
use crate::search::analysis::{Allocation, OpponentTiles, SimulationOptions};
use crate::search::budget::{Signals, StopCondition};
use crate::search::candidates::{self, DEFAULT_CANDIDATES};
use crate::search::context::SearchContext;
use crate::search::dealt_game::{DealtGame, Places};
use crate::search::misere::belief::{RackBelief, SeenTurn};
use crate::search::misere::equity::{MisereEval, MisereStyle, MisereTurn};
use crate::search::misere::tile_values::PenaltyValues;
use crate::search::paired::{Moments, PairedDifferences};
use crate::search::randomness::{self, Stream};
use crate::search::report::{Listener, Outcome, Report, SimulationRow};
use crate::search::simulation::standings::{MIN_SAMPLES_SIMILAR, similar};
use crate::search::threads;
use rayon::prelude::*;
use std::cmp::Ordering;

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

/// After this many iterations, candidates that a stop condition could not tell apart count as equal. Their turns are about as many as those of the
/// 50,000 iterations, two plies each, after which a simulation for the higher score says so.
const MAX_ITERATIONS_UNDECIDED: u64 = 10_000;

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

/// What a race is for: who drops out, and what ends it before its limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RaceAim {
    /// A choice. Candidates drop out until one is left.
    Choice,
    /// A ranking. Two candidates stay in the race.
    Ranking {
        /// How sure of its leader it must be to end.
        stop_condition: Option<StopCondition>,
        /// Whether candidates that are far behind drop out.
        prunes: bool,
    },
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
}

/// A race of candidates. It goes on from round to round.
#[derive(Debug)]
pub struct MisereRace<'a> {
    common: Common<'a>,
    style: MisereStyle,
    graph: &'a WordGraph,
    aim: RaceAim,
    arms: Vec<PlayedOut>,
    /// Of the wins.
    differences: PairedDifferences,
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
    pub fn new(graph: &'a WordGraph, style: MisereStyle, question: &'a MisereQuestion<'a>, aim: RaceAim) -> MisereRace<'a> {
        let arm = |&play: &EvaluatedPlay| PlayedOut { play, wins: Moments::default(), gain: Moments::default(), pruned: false };
        let arms: Vec<PlayedOut> = question.candidates.iter().map(arm).collect();
        let differences = PairedDifferences::new(arms.len());
        MisereRace { common: Common::new(question), style, graph, aim, arms, differences, iterations: 0, turns: 0 }
    }

    /// Plays rounds until the race is over, a limit is reached, or a signal says stop. `board` is that of the position.
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
        while self.iterations < limits.iterations && self.turns < limits.turns && !self.is_over() {
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
                let mut wins = Vec::with_capacity(result.len());
                for ((number, arm), ending) in self.arms.iter_mut().enumerate().filter(|(_, arm)| !arm.pruned).zip(result) {
                    wins.push((number, arm.count(ending.gain)));
                    self.turns += ending.turns;
                }
                self.differences.add(&wins);
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
        self.order().into_iter().map(|arm| &self.arms[arm]).collect()
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
        let leader = self.order()[0];
        match self.common.question.stands {
            Some(stands) if !self.is_ahead(leader, stands, AHEAD) => &self.arms[stands],
            _ => &self.arms[leader],
        }
    }

    /// The numbers of the candidates, best first.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.arms.len()).collect();
        order.sort_by(|&a, &b| self.by_rank(a, b));
        order
    }

    fn by_rank(&self, a: usize, b: usize) -> Ordering {
        PlayedOut::order(&self.arms[a], &self.arms[b])
    }

    /// Whether one candidate won more than another one on the same tiles, by so many standard errors.
    fn is_ahead(&self, one: usize, other: usize, errors: f64) -> bool {
        let (mean, error, _) = self.differences.difference(one, other);
        error > 0.0 && mean > errors * error
    }

    /// Whether nothing is left to find out.
    fn is_over(&self) -> bool {
        match self.aim {
            RaceAim::Choice => self.in_race().count() <= 1,
            RaceAim::Ranking { .. } if self.iterations == 0 => false,
            // Every iteration deals the same tiles.
            RaceAim::Ranking { .. } if self.common.is_certain() => true,
            RaceAim::Ranking { stop_condition, .. } => stop_condition.is_some_and(|condition| self.is_decided(condition.delta())),
        }
    }

    /// Whether every other candidate is beaten by the leader, or so similar to it that more playouts would not tell them apart; and after many
    /// iterations, in any case.
    fn is_decided(&self, delta: f64) -> bool {
        if self.iterations >= MAX_ITERATIONS_UNDECIDED {
            return true;
        }
        let leader = self.leader();
        let is_similar = |arm: usize| self.iterations >= MIN_SAMPLES_SIMILAR && similar(&self.arms[leader].play, &self.arms[arm].play);
        let mut others = (0..self.arms.len()).filter(|&arm| arm != leader && !self.arms[arm].pruned);
        others.all(|arm| self.differences.shows(leader, arm, delta) || is_similar(arm))
    }

    fn leader(&self) -> usize {
        (0..self.arms.len()).min_by(|&a, &b| self.by_rank(a, b)).unwrap_or(0)
    }

    /// Takes those out of the race that are far behind the leader, or behind the choice that stands.
    fn prune(&mut self) {
        self.follow_leader();
        let leader = self.leader();
        let drops_out = |&arm: &usize| match self.aim {
            RaceAim::Choice => {
                let stands = self.common.question.stands;
                self.is_ahead(leader, arm, BEHIND) || stands.is_some_and(|stands| self.is_ahead(stands, arm, HOPELESS))
            }
            RaceAim::Ranking { prunes: false, .. } => false,
            // A certainty that is promised holds for those that drop out, too.
            RaceAim::Ranking { stop_condition: Some(condition), .. } => self.differences.shows(leader, arm, condition.delta()),
            RaceAim::Ranking { stop_condition: None, .. } => self.is_ahead(leader, arm, BEHIND),
        };
        let stay = match self.aim {
            RaceAim::Choice => 0,
            RaceAim::Ranking { .. } => 2,
        };
        let dropped: Vec<usize> = self.order().into_iter().skip(stay).filter(drops_out).collect();
        dropped.into_iter().for_each(|arm| self.arms[arm].pruned = true);
    }

    /// Sees to it that the differences from the leader are kept: with very many candidates only some have theirs.
    fn follow_leader(&mut self) {
        let leader = self.leader();
        if self.differences.age(leader).is_none()
            && let Some(last) = self.differences.with_row().max_by(|&a, &b| self.by_rank(a, b))
        {
            self.differences.hand_over(last, leader);
        }
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
            let seen = SeenTurn::new(rules, &Turn::Play(play.play), game.racks[seat].len(), game.bag.len(), game.zero_turns());
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

    /// Whether nothing is left to chance: the bag is empty.
    fn is_certain(&self) -> bool {
        self.question.position.in_bag() == 0
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
///
/// Of the options it uses the candidates, the limits, the stop condition, the rows, and whether all candidates are sampled equally often. Playouts go
/// to the end of the game, both sides play to win it, and the ranking is by wins: the other options are without use.
pub fn simulate(context: &SearchContext<'_>, options: &SimulationOptions, listener: &mut dyn Listener) -> Outcome {
    let SearchContext { knowledge, position, signals, settings, .. } = *context;
    let graph = knowledge.lexicon.graph();
    let turns: Vec<SeenTurn> = match &options.opponent_tiles {
        OpponentTiles::Inferred(inference) => inference.turns.iter().map(SeenTurn::of).collect(),
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
    let aim = RaceAim::Ranking { stop_condition: options.stop_condition, prunes: options.allocation != Allocation::Equal };
    let mut race = MisereRace::new(graph, MisereStyle::USUAL, &question, aim);
    let limits = RaceLimits { iterations: options.iterations.unwrap_or(u64::MAX), turns: options.nodes.unwrap_or(u64::MAX) };
    let lead = f64::from(position.rules().objective().gain(position.spread()));
    let report = |race: &MisereRace<'_>| Report::Simulation {
        rows: race.ranking().into_iter().take(options.rows.unwrap_or(usize::MAX)).map(|arm| arm.row(position.mover_rack(), lead)).collect(),
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

    /// Counts a playout, and returns what it won.
    fn count(&mut self, gain: i32) -> f64 {
        let won = f64::from(gain.signum() + 1) / 2.0;
        self.wins.add(won);
        self.gain.add(f64::from(gain));
        won
    }

    /// In the race first; then more wins, more points, static equity.
    fn order(a: &PlayedOut, b: &PlayedOut) -> Ordering {
        let by_race = a.pruned.cmp(&b.pruned).then(b.wins.mean.total_cmp(&a.wins.mean));
        by_race.then(b.gain.mean.total_cmp(&a.gain.mean)).then_with(|| a.play.ranking(&b.play))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{cgp, english_rules};
    use crate::lexicon::Lexicon;
    use crate::rules::Objective;

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
        let mut race = MisereRace::new(lexicon.graph(), MisereStyle::USUAL, &question, RaceAim::Choice);
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
