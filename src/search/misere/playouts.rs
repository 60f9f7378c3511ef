//! Misere playouts: candidates are played to the end of the game against possible racks of the
//! opponent.
//!
//! In each iteration the other rack is dealt by a belief about it ([`RackBelief`]), the other tiles are shuffled into the bag, and each
//! candidate is played out on these tiles. Both sides then play as [`MisereTurn::choose`] does, each with its own belief, which the
//! turns of the playout change. Only the winner counts: a tie is half a win, and points decide between equal shares of wins.
//!
//! A simulation ranks the candidates. A player [chooses](choose) one. Because the best of several noisy means often does not belong to
//! the best candidate, the choice of static equity stands unless another candidate clearly beats it.
//!
//! Not here: the static choice (`equity.rs`), rounds and rankings (`search/race/`). Start with [`MiserePlayouts`].

use crate::evaluation::static_eval::EvaluatedPlay;
use crate::lexicon::word_graph::WordGraph;
use crate::movegen::LaneBoard;
use crate::rules::{BySeat, GameRules, Play, Position, Rack, Seat, Tile, Turn};
use crate::search::analysis::{Allocation, OpponentTiles, SimulationOptions};
use crate::search::budget::Signals;
use crate::search::candidates::{self, DEFAULT_CANDIDATES};
use crate::search::context::SearchContext;
use crate::search::dealt_game::{DealtGame, ReturnTiles};
use crate::search::misere::belief::{RackBelief, SeenTurn};
use crate::search::misere::equity::{MisereEval, MisereStyle, MisereTurn};
use crate::search::misere::tile_values::PenaltyValues;
use crate::search::race::rounds::{Iteration, Playout, Race, RaceLimits};
use crate::search::race::standings::{RaceCandidate, RaceRule, Sample};
use crate::search::randomness::{self, Stream};
use crate::search::report::{Listener, Outcome, Report, SimulationReport};
use crate::search::threads::Team;

/// The most turns of a playout, enough for two sequences of turns without points. A longer game counts as if it ended at that point by
/// turns without points.
const MOST_TURNS: usize = 14;

/// The allocation of a player's race: rounds of 16 iterations, and candidates 2.5 standard errors behind are dropped.
const ELIMINATION: Allocation = Allocation::Elimination { round: 16, errors: 2.5 };

/// A challenger is dropped at this many standard errors behind the default choice.
const HOPELESS: f64 = 1.0;

/// A challenger replaces the default choice at this many standard errors ahead.
const AHEAD: f64 = 2.0;

/// After this many iterations, candidates that a stop condition could not tell apart count as equal. They have about as many turns as
/// the 50,000 iterations, of two plies each, of a simulation for the higher score.
const MAX_ITERATIONS_UNDECIDED: u64 = 10_000;

/// Candidates are ranked by their wins; the expectation of static equity does not count.
const BY_WINS: RaceRule = RaceRule {
    allocation: ELIMINATION,
    stop_condition: None,
    most_undecided: MAX_ITERATIONS_UNDECIDED,
    equity_weight: 0.0,
    static_samples: 0.0,
};

/// The playouts of a position whose mover's rack is known.
#[derive(Debug)]
pub struct MiserePlayouts<'a> {
    position: &'a Position,
    graph: &'a WordGraph,
    values: PenaltyValues,
    /// What each player's opponent believes about the player's rack. The mover has the first seat.
    beliefs: BySeat<RackBelief>,
    unseen: Rack,
    seed: u64,
}

/// A thread's memory for playouts.
pub struct MisereWorker {
    board: LaneBoard,
    game: DealtGame,
    /// The deal of the last iteration.
    deal: Option<MisereDeal>,
}

/// The unseen tiles in an iteration.
struct MisereDeal {
    iteration: u64,
    other_rack: Rack,
    bag: Vec<Tile>,
}

impl MisereWorker {
    /// Returns a worker with the board of the position.
    pub fn new(board: &LaneBoard) -> MisereWorker {
        MisereWorker { board: board.clone(), game: DealtGame::default(), deal: None }
    }
}

impl<'a> MiserePlayouts<'a> {
    /// Returns the playouts of a position. `turns` are the mover's turns so far, as the opponent saw them, and the opponent's turns; empty
    /// if nobody watched.
    pub fn new(position: &'a Position, graph: &'a WordGraph, turns: [&[SeenTurn]; 2], seed: u64) -> MiserePlayouts<'a> {
        let rules = position.rules();
        let (unseen, rack) = (position.unseen(), position.mover_rack());
        let values = PenaltyValues::new(&rules.distribution, &unseen);
        let own = if position.in_bag() == 0 {
            RackBelief::certain(rack)
        } else if turns[0].is_empty() {
            RackBelief::unwatched(rules, &values, &Rack::EMPTY, rack.len(), position.zero_turns())
        } else {
            RackBelief::of_turns(rules, &values, turns[0], rack.len())
        };
        let other = MisereEval::after_turns(position, turns[1]).into_belief();
        MiserePlayouts { position, graph, values, beliefs: BySeat([own, other]), unseen, seed }
    }

    /// Deals the other rack and the bag of an iteration.
    fn deal(&self, iteration: u64) -> MisereDeal {
        let mut rng = randomness::generator(self.seed, Stream::Rollouts, iteration);
        let mut rest = self.unseen;
        let other_rack = self.beliefs[Seat::Second].deal(&mut rest, &mut rng);
        let mut bag: Vec<Tile> = rest.tiles().collect();
        randomness::shuffle(&mut bag, &mut rng);
        MisereDeal { iteration, other_rack, bag }
    }

    fn choose(&self, board: &mut LaneBoard, game: &DealtGame, beliefs: &BySeat<RackBelief>, seat: Seat) -> EvaluatedPlay {
        let rules = self.position.rules();
        let spread = if seat == Seat::First { game.spread() } else { -game.spread() };
        let turn = MisereTurn {
            rules,
            values: &self.values,
            rack: &game.racks[seat],
            other: &beliefs[seat.opponent()],
            lead: rules.objective().gain(spread),
            in_bag: game.bag.len(),
            zero_turns: game.zero_turns(),
        };
        turn.choose(board, self.graph, &MisereStyle::USUAL)
    }
}

impl Playout for MiserePlayouts<'_> {
    type Worker = MisereWorker;
    type Tally = ();
    const ITERATIONS_REMEMBERED: u64 = 1;

    /// Plays out a candidate. Each turn counts as a node.
    fn sample(&self, worker: &mut MisereWorker, candidate: &RaceCandidate, iteration: Iteration, (): &mut ()) -> Option<Sample> {
        let MisereWorker { board, game, deal } = worker;
        let deal = match deal {
            Some(deal) if deal.iteration == iteration.number => deal,
            other => other.insert(self.deal(iteration.number)),
        };
        let (position, rules) = (self.position, self.position.rules());
        let mut rng = randomness::generator(self.seed, Stream::Exchanges, iteration.number);
        let mut beliefs = self.beliefs.clone();
        let (mut on_board, mut turns) = (0, 0);
        game.deal([*position.mover_rack(), deal.other_rack], &deal.bag, position.spread(), position.countdown());
        let mut seat = Seat::First;
        for turn in 0..MOST_TURNS {
            let play = if turn == 0 { candidate.play } else { self.choose(board, game, &beliefs, seat) };
            let seen = SeenTurn::new(rules, &Turn::Play(play.play), game.racks[seat].len(), game.bag.len(), game.zero_turns());
            turns += 1;
            game.take_turn(rules, seat, &play, ReturnTiles::Anywhere, &mut rng);
            if game.is_over() {
                break;
            }
            // The other side sees the turn, and knows the whole rack once the bag is empty.
            beliefs[seat].see(rules, &self.values, &seen, game.racks[seat].len());
            if game.bag.is_empty() {
                beliefs[seat] = RackBelief::certain(&game.racks[seat]);
            }
            if let Play::Place(placement) = &play.play {
                board.play(placement, self.graph);
                on_board += 1;
            }
            seat = seat.opponent();
        }
        for _ in 0..on_board {
            board.undo();
        }
        let stuck = if game.is_over() { 0 } else { stuck_lead(rules, game) };
        let gain = rules.objective().gain(game.spread() + stuck);
        let gained = gain - rules.objective().gain(position.spread());
        Some(Sample { win: f64::from(gain.signum() + 1) / 2.0, equity: f64::from(gained), nodes: turns })
    }

    fn likely_nodes(&self) -> u64 {
        MOST_TURNS as u64 / 2
    }

    fn is_certain(&self) -> bool {
        self.position.in_bag() == 0
    }
}

/// Returns the change of the first seat's lead if the game ended now by turns without points.
fn stuck_lead(rules: &GameRules, game: &DealtGame) -> i32 {
    let BySeat([own, other]) = game.racks.map(|rack| rack.value(&rules.distribution));
    rules.ending.lead_when_stuck(own, other)
}

/// Simulates where the lower score wins. If the options have the opponent's turns, the belief about their rack follows from these.
///
/// It uses the candidates, the limits, the stop condition, the allocation and the rows of the options. Playouts go to the end of the
/// game, both sides play to win it, and the ranking is by wins, so the other options have no effect.
pub fn simulate(context: &SearchContext<'_>, options: &SimulationOptions, listener: &mut dyn Listener) -> Outcome {
    let SearchContext { knowledge, position, signals, settings, .. } = *context;
    let graph = knowledge.lexicon.graph();
    let turns: Vec<SeenTurn> = match &options.opponent_tiles {
        OpponentTiles::Inferred(inference) => inference.turns.iter().map(SeenTurn::of).collect(),
        OpponentTiles::Uniform | OpponentTiles::Believed(_) => Vec::new(),
    };
    let mut board = LaneBoard::new(position.rules(), position.board(), graph);
    let plays = if options.plays.named().next().is_none() && options.plays.only.is_none() {
        let of_each = options.plays.most.unwrap_or(DEFAULT_CANDIDATES).div_ceil(2);
        MisereEval::after_turns(position, &turns).turn().candidates(&mut board, graph, of_each)
    } else {
        candidates::choose(context, &options.plays, DEFAULT_CANDIDATES)
    };
    let rule = RaceRule { allocation: options.allocation, stop_condition: options.stop_condition, ..BY_WINS };
    let limits = RaceLimits { iterations: options.iterations, nodes: options.nodes };
    let team = Team::new(settings.threads, |_| MisereWorker::new(&board));
    let playouts = MiserePlayouts::new(position, graph, [&[], &turns], settings.seed);
    let most = options.rows.unwrap_or(usize::MAX);
    Race::new(playouts, RaceCandidate::all(&plays), rule).search(&team, limits, signals, listener, |race| {
        let rows = race.standings().rows(most).into_iter().map(|(_, row)| row).collect();
        Report::Simulation(SimulationReport { rows, plies: 0, nodes: race.nodes() })
    })
}

/// Returns the candidate that a player chooses: number `stands`, unless playouts show that the leader is clearly better.
pub fn choose(
    playouts: MiserePlayouts<'_>,
    board: &LaneBoard,
    plays: &[EvaluatedPlay],
    stands: usize,
    iterations: u64,
    signals: &Signals,
) -> EvaluatedPlay {
    let mut race = Race::new(playouts, RaceCandidate::all(plays), BY_WINS);
    let limits = RaceLimits { iterations: Some(iterations), nodes: None };
    race.run(&Team::of_caller(MisereWorker::new(board)), limits, signals, |race| {
        race.drop_out(|standings, candidate| standings.is_ahead(stands, candidate, HOPELESS));
    });
    let (standings, leader) = (race.standings(), race.standings().leader());
    if standings.is_ahead(leader, stands, AHEAD) { plays[leader] } else { plays[stands] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::formats::cgp;
    use crate::lexicon::Lexicon;
    use crate::rules::{GameRules, Objective};
    use crate::search::{self, Analysis, PlaySelection, RunSettings, SearchPosition, SearchRequest, SimulationRow, StopCondition};

    const LATE: &str = "5BERGS5/4PA3U5/2QAID3R5/3BEE3F2S2/1P1ET2VIATIC2/MA1TAW3c2H2/ES3IS2E2A2/AT1FOLIA4V2/LI1L1EX1E6/1N1O1D2N2Y3/1GNU2C1JETE3/2ER2OHO2N3/2O3GOY6/1INDOW1U7/4DORR7";
    const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";

    fn position(text: &str) -> Position {
        let mut position =
            cgp::parse(&format!("{text} var misere;"), &GameRules::english()).unwrap_or_else(|error| panic!("{error}")).position;
        position.deduce_racks();
        position
    }

    /// The candidates with their wins, gains and numbers of samples, best first.
    fn race(position: &Position, of_each: usize, iterations: u64, threads: usize) -> Vec<(Play, f64, f64, u64)> {
        let lexicon = Lexicon::builtin();
        let mut board = LaneBoard::new(position.rules(), position.board(), lexicon.graph());
        let eval = MisereEval::new(position);
        let plays = eval.turn().candidates(&mut board, lexicon.graph(), of_each);
        let playouts = MiserePlayouts::new(position, lexicon.graph(), [&[], &[]], 7);
        let mut race = Race::new(playouts, RaceCandidate::all(&plays), BY_WINS);
        let limits = RaceLimits { iterations: Some(iterations), nodes: None };
        race.run(&Team::new(threads, |_| MisereWorker::new(&board)), limits, &Signals::default(), |_| ());
        let rows = race.standings().rows(usize::MAX);
        rows.into_iter().map(|(_, row)| (row.ranked.play, row.win, row.equity, row.iterations)).collect()
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
            let by_rules = Objective::FewestPoints.gain(passed.score(Seat::First) - passed.score(Seat::Second));
            let gained = by_rules - Objective::FewestPoints.gain(position.spread());
            let rows = race(&position, 2, 16, 1);
            let (_, wins, gain, _) = rows.iter().find(|(play, ..)| *play == Play::Pass).unwrap();
            assert_eq!((*wins, *gain), (f64::from(u8::from(by_rules > 0)), f64::from(gained)), "{scores}");
        }
    }

    #[test]
    fn boards_are_left_as_they_were_and_deals_use_up_the_tiles() {
        let position = position(&format!("{EMPTY} AEIQZJK/ 0/0 5"));
        let lexicon = Lexicon::builtin();
        let playouts = MiserePlayouts::new(&position, lexicon.graph(), [&[], &[]], 1);
        for index in 0..50 {
            let MisereDeal { other_rack: other, bag, .. } = playouts.deal(index);
            let all: Rack = bag.iter().copied().chain(other.tiles()).collect();
            assert_eq!((other.len(), bag.len(), all), (7, 86, position.unseen()));
        }
        let points = |index| playouts.deal(index).other_rack.value(&position.rules().distribution);
        let mean = (0..400).map(|index| f64::from(points(index))).sum::<f64>() / 400.0;
        // The opponent has made three exchanges, of the tiles below 3, 3 and 2 points. Played out
        // with the tiles that we do not hold, they leave racks of 18.8 points on average;
        // first draws have 11.4. The standard error of 400 racks is 0.4.
        assert!((17.5..20.1).contains(&mean), "{mean}");
    }

    /// The rows and the outcome of a simulation with these options.
    fn simulated(position: &Position, options: SimulationOptions) -> (Vec<SimulationRow>, Outcome) {
        let analysis = Analysis::Simulation(options);
        let request = SearchRequest::new(SearchPosition::new(position.clone()).unwrap(), analysis, RunSettings::default()).unwrap();
        let outcome = search::run(plain_engine().knowledge(), &request, &Signals::default(), &mut |_: Report| {});
        let Some(Report::Simulation(SimulationReport { rows, .. })) = outcome.last.clone() else { panic!("a simulation reports") };
        (rows, outcome)
    }

    #[test]
    fn a_simulation_obeys_its_limits_and_stop_condition_also_with_a_single_candidate() {
        let position = position(&format!("{EMPTY} EEEAAII/ 0/12 5"));
        let pass = || PlaySelection::only(vec![Play::Pass]);
        let alone = SimulationOptions { plays: pass(), iterations: Some(50), ..SimulationOptions::default() };
        let (rows, outcome) = simulated(&position, alone.clone());
        assert_eq!((rows.len(), rows[0].iterations, outcome.best), (1, 50, Some(Play::Pass)));
        assert!(rows[0].equity_error > 0.0);
        // One candidate is decided after its first round.
        let sure = Some(StopCondition::Percent95);
        let (rows, _) = simulated(&position, SimulationOptions { plays: pass(), stop_condition: sure, ..SimulationOptions::default() });
        assert!(rows[0].iterations > 0 && rows[0].iterations < 50);
        // Each turn counts as a node.
        let (rows, _) = simulated(&position, SimulationOptions { iterations: None, nodes: Some(60), ..alone });
        assert!((60 / MOST_TURNS as u64..=60).contains(&rows[0].iterations), "{}", rows[0].iterations);
    }

    #[test]
    fn with_an_empty_bag_every_iteration_is_the_same_and_a_simulation_ends() {
        let position = position(&format!("{LATE} IKLMTZ/AEINRU? 300/290 3"));
        let (rows, outcome) = simulated(&position, SimulationOptions::default());
        assert!(outcome.solved && rows.iter().all(|row| row.win_error == 0.0 && row.iterations > 0));
    }
}
