//! Tests of whole searches: determinism, limits, signals, and the meaning of the numbers.

use crate::engine::builder::plain_engine;
use crate::evaluation::heuristics::RackHeuristic;
use crate::evaluation::{Evaluator, Leaves, RackMeans, WinModel};
use crate::formats::cgp;
use crate::rules::multisets::MultisetRanks;
use crate::rules::notation::{parse_move, play_text};
use crate::rules::units::Millipoints;
use crate::rules::{GameRules, Placement, Play, Position, Seat, Turn};
use crate::search::budget::{Signals, StopCondition};
use crate::search::chances::Correction;
use crate::search::endgame::Solver;
use crate::search::report::{Outcome, Report, SimulationReport, SimulationRow, StaticReport};
use crate::search::simulation::Horizon;
use crate::search::{
    Allocation, Analysis, EndgameOptions, InferenceOptions, Knowledge, Listener, LoggedSample, MOST_EQUITY_WEIGHT, MOST_PLIES,
    MOST_WORKERS, NoMemory, OpponentModel, OpponentTiles, PlaySelection, PreEndgameOptions, RequestError, RunSettings, SearchKind,
    SearchMemory, SearchPosition, SearchRequest, SimulationOptions, StaticOptions, run, run_in,
};
use std::sync::Arc;
use std::time::{Duration, Instant};

mod every_game;

const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0";
const MIDGAME: &str = "14R/13MY/12WOE/12IN1/12SI1/12HEN/7G4A1A/6QI6Z/7G6I/7L2PERVS/6DONKEY3/7T2DECAF/12R2/12U2/10BUXOM FIIJOTU/ 199/158 0";
const ENDGAME: &str = "13C1/13Oh/8W2MUNI/1DETESTER1VAPID/8YO3NE/5J1PEH4O/4QUAIS3GNU/3GIBBETS1FIAT/3U1E3E2N1S/3I5X2G2/2ODOMETRY2I2/3E3H3AVOW/1cARIOLE3ZA2/7CANNOLI1/7A5FE ADLLRRT/KR 397/433 0";

const MISERE: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 EEEAAII/ 0/12 5 var misere;";

const TWO_IN_THE_BAG: &str = "15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/ABy1PIT2BRIG2/ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V7/AT5E7/G14 ENOSTXY/ 356/378 0";

const EIGHT_IN_THE_BAG: &str = "15/10BEWIG/10A3H/10MO2A/4U5MU2R/4P5ET2R/2I1D5DE2I/HENNA1JOY2ALOE/1IF1T2FAULT2S/1KI1E1I1GNU4/COD1R1O3T4/ONE1SOlARIZE3/W1L3I8/L1s3TA7/S5EX7 AEOPRSY/ 373/411 0";

fn knowledge() -> &'static Knowledge {
    plain_engine().knowledge()
}

fn position(text: &str) -> Position {
    cgp::parse(text, &GameRules::english()).unwrap().position
}

const SETTINGS: RunSettings = RunSettings { threads: 1, seed: 7, hash_megabytes: 1, memory_megabytes: 256 };

fn request_for(text: &str, analysis: Analysis, settings: RunSettings) -> SearchRequest {
    SearchRequest::new(SearchPosition::new(position(text)).unwrap(), analysis, settings).unwrap()
}

fn simulation(text: &str, options: SimulationOptions) -> SearchRequest {
    request_for(text, Analysis::Simulation(options), SETTINGS)
}

fn iterations(iterations: u64) -> SimulationOptions {
    SimulationOptions { iterations: Some(iterations), ..SimulationOptions::default() }
}

fn of_plays(plays: usize, options: &SimulationOptions) -> SimulationOptions {
    SimulationOptions { plays: PlaySelection::best(plays), ..options.clone() }
}

fn search(request: &SearchRequest) -> Outcome {
    run(knowledge(), request, &Signals::default(), &mut |_: Report| {})
}

#[test]
fn what_earlier_searches_left_in_the_memory_changes_nothing() {
    let (memory, signals) = (SearchMemory::default(), Signals::default());
    let ask = |memory: &SearchMemory, nodes: u64| {
        let options = EndgameOptions { nodes: Some(nodes), ..EndgameOptions::default() };
        let mut told = Vec::new();
        let request = request_for(ENDGAME, Analysis::Endgame(options), SETTINGS);
        let outcome = run_in(memory, knowledge(), &request, &signals, &mut |report: Report| told.push(format!("{report:?}")));
        (outcome, told)
    };
    for nodes in (10..80).chain([400, 400]) {
        assert_eq!(ask(&memory, nodes), ask(&SearchMemory::default(), nodes), "{nodes} nodes");
    }
}

#[test]
fn who_simulates_may_be_a_thread_of_any_pool() {
    let request = simulation(MIDGAME, iterations(20));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let elsewhere = pool.broadcast(|_| search(&request));
    assert_eq!(elsewhere, vec![search(&request); 3]);
}

#[test]
fn a_table_is_made_once_and_searches_at_the_same_time_have_one_each() {
    let memory = SearchMemory::default();
    memory.reserve(2).unwrap();
    // The second one finds the table in use, and the third one needs another size.
    let [first, second, other] = [memory.solver(2), memory.solver(2), memory.solver(3)];
    assert_eq!([&first, &second, &other].map(Solver::megabytes), [2, 2, 3]);
    let places = |solver: &Solver| format!("{solver:?}");
    assert_eq!(places(&first), places(&second));
    memory.keep(first);
    assert_eq!(memory.reserve(usize::MAX >> 20), Err(NoMemory { megabytes: usize::MAX >> 20 }));
    assert_eq!(memory.solver(2).megabytes(), 2);
    // No table is kept now, and one that does not fit into memory becomes smaller.
    assert!(memory.solver(1 << 40).megabytes() < 1 << 40);
}

fn sim_rows(outcome: &Outcome) -> &[SimulationRow] {
    match &outcome.last {
        Some(Report::Simulation(SimulationReport { rows, .. })) => rows,
        other => panic!("a simulation, not {other:?}"),
    }
}

fn text(position: &Position, play: &Play) -> String {
    play_text(play, position.board(), &position.rules().distribution)
}

fn play(position: &Position, text: &str) -> Play {
    match parse_move(text, position).unwrap().turn {
        Turn::Play(play) => play,
        other => panic!("a play, not {other:?}"),
    }
}

/// Two blanks: 93,259 plays.
const MANY_PLAYS: &str = "15/9R5/9A5/4M4T5/4I4O5/4N4O5/4N4N5/4YUPONS5/6AR7/15/15/15/15/15/15 AEIRS??/ 42/82 0";

#[test]
fn a_stop_while_candidates_are_looked_for_leaves_the_best_of_the_static_ranking() {
    let everything = of_plays(100_000, &SimulationOptions::default());
    let stopped = Signals::default();
    stopped.stop();
    let outcome = run(knowledge(), &simulation(MANY_PLAYS, everything), &stopped, &mut |_: Report| panic!("no report"));
    let rows = sim_rows(&outcome);
    let ranking = search(&request_for(MANY_PLAYS, Analysis::Static(StaticOptions { plays: PlaySelection::best(100_000) }), SETTINGS));
    let Some(Report::Static(StaticReport { rows: ranking })) = ranking.last else { panic!("{ranking:?}") };
    assert!(ranking.len() > 90_000);
    assert!(rows.len() < 1_000 && rows.iter().all(|row| row.iterations == 0 && row.win_error == 0.0));
    assert_eq!(rows.iter().map(|row| row.ranked).collect::<Vec<_>>(), ranking[..rows.len()]);
    assert_eq!(outcome.best, Some(ranking[0].play));
    // A named play is always a candidate, and a static ranking is always complete.
    let also = PlaySelection { also: vec![Play::Pass], ..PlaySelection::best(100_000) };
    let options = SimulationOptions { plays: also.clone(), ..SimulationOptions::default() };
    let outcome = run(knowledge(), &simulation(MANY_PLAYS, options), &stopped, &mut |_: Report| {});
    assert!(sim_rows(&outcome).iter().any(|row| row.ranked.play == Play::Pass));
    let gen_request = request_for(MANY_PLAYS, Analysis::Static(StaticOptions { plays: also }), SETTINGS);
    match run(knowledge(), &gen_request, &stopped, &mut |_: Report| {}).last {
        Some(Report::Static(StaticReport { rows })) => assert_eq!(rows, ranking),
        other => panic!("{other:?}"),
    }
}

#[test]
fn more_candidates_than_have_boards_and_differences_are_ranked_alike_by_any_number_of_threads() {
    let many = simulation(MANY_PLAYS, of_plays(700, &iterations(5)));
    let outcome = search(&many);
    assert!(sim_rows(&outcome).len() > 600 && sim_rows(&outcome).iter().all(|row| row.iterations == 5));
    assert_eq!(outcome, search(&many.with_settings(RunSettings { threads: 3, ..SETTINGS }).unwrap()));
    // Only the best of them may be reported.
    let few = search(&simulation(MANY_PLAYS, SimulationOptions { rows: Some(20), ..of_plays(700, &iterations(5)) }));
    assert_eq!(sim_rows(&few), &sim_rows(&outcome)[..20]);
    assert_eq!(few.best, outcome.best);
}

#[test]
fn the_same_seed_gives_the_same_answer_for_any_number_of_threads() {
    for (text, candidates) in [(EMPTY, 15), (MIDGAME, 15), (MIDGAME, 3)] {
        let one = simulation(text, of_plays(candidates, &iterations(200)));
        let outcome = search(&one);
        assert_eq!(outcome, search(&one));
        for threads in [2, 3] {
            assert_eq!(outcome, search(&one.clone().with_settings(RunSettings { threads, ..SETTINGS }).unwrap()), "{threads} threads");
        }
        assert_ne!(outcome, search(&one.with_settings(RunSettings { seed: 8, ..SETTINGS }).unwrap()));
    }
}

#[test]
fn bingos_lead_on_the_empty_board_and_rows_are_ranked() {
    let outcome = search(&simulation(EMPTY, iterations(300)));
    let rows = sim_rows(&outcome);
    assert_eq!(rows.len(), 15);
    assert_eq!(outcome.best, Some(rows[0].ranked.play));
    assert!(rows[..5].iter().all(|row| row.ranked.score >= 60), "{rows:?}");
    for row in rows {
        assert!((0.0..=1.0).contains(&row.win) && row.win_error > 0.0 && row.equity_error > 0.0);
        assert_eq!(row.plies.len(), 2);
        assert!(row.plies.iter().all(|ply| ply.score_mean > 15.0 && ply.score_deviation > 5.0 && ply.bingo_share < 0.9));
    }
    // The candidate that leads at the end was behind at times, and then was not sampled in every
    // round.
    let most = rows.iter().map(|row| row.iterations).max();
    assert!(most.is_some_and(|most| (250..=300).contains(&most)), "{rows:?}");
}

#[test]
fn on_request_hopeless_candidates_are_sampled_as_often_as_the_leader() {
    let samples = |allocation| {
        let options = SimulationOptions { allocation, ..iterations(200) };
        sim_rows(&search(&simulation(MIDGAME, options))).iter().map(|row| row.iterations).collect::<Vec<_>>()
    };
    assert!(samples(Allocation::Adaptive).iter().any(|&samples| samples < 200));
    assert_eq!(samples(Allocation::Equal), [200; 15]);
}

#[test]
fn on_request_only_the_leader_and_its_rival_are_sampled_after_the_floor() {
    let options =
        SimulationOptions { allocation: Allocation::TopTwo { floor: 30 }, nodes: Some(2 * 15 * 60), ..SimulationOptions::default() };
    let outcome = search(&simulation(MIDGAME, options));
    let samples: Vec<u64> = sim_rows(&outcome).iter().map(|row| row.iterations).collect();
    let total: u64 = samples.iter().sum();
    assert_eq!(samples.iter().min(), Some(&30));
    assert!((890..=910).contains(&total), "half of {total} samples go to all");
    assert!(samples.iter().filter(|&&samples| samples == 30).count() >= 5, "{samples:?}");
    assert!(samples[..2].iter().all(|&samples| samples > 30), "{samples:?}");
}

#[test]
fn without_weight_the_equity_does_not_count_in_the_ranking() {
    let wins = |equity_weight| {
        let options = SimulationOptions { equity_weight, static_samples: Some(0), allocation: Allocation::Equal, ..iterations(60) };
        sim_rows(&search(&simulation(MIDGAME, options))).iter().map(|row| row.win).collect::<Vec<f64>>()
    };
    assert!(wins(Some(0.0)).is_sorted_by(|a, b| a >= b));
    assert!(!wins(Some(5.0)).is_sorted_by(|a, b| a >= b), "with weight it does");
}

#[test]
fn counted_limits_hold() {
    let limited = SimulationOptions { nodes: Some(2_000), ..iterations(1_000_000) };
    match search(&simulation(MIDGAME, limited)).last {
        Some(Report::Simulation(SimulationReport { nodes, .. })) => assert!((1_900..=2_100).contains(&nodes), "{nodes} nodes"),
        other => panic!("{other:?}"),
    }
    let deep = search(&simulation(MIDGAME, SimulationOptions { plies: Some(4), ..of_plays(3, &iterations(10)) }));
    assert_eq!((sim_rows(&deep).len(), sim_rows(&deep)[0].plies.len()), (3, 4));
}

#[test]
fn a_stop_condition_ends_a_search_with_a_clear_best_play_and_two_candidates_stay() {
    let position = position(EMPTY);
    let plays = PlaySelection::only(["8D.NASTIER", "8F.ANT", "8H.TI"].map(|text| play(&position, text)).to_vec());
    let certain = SimulationOptions { plays, stop_condition: Some(StopCondition::Percent99), ..iterations(200_000) };
    let outcome = search(&simulation(EMPTY, certain));
    let rows = sim_rows(&outcome);
    assert_eq!(rows.len(), 3);
    assert_eq!(text(&position, &rows[0].ranked.play), "8D.NASTIER");
    assert!(rows[0].iterations < 5_000, "{} iterations", rows[0].iterations);
    assert!(rows.iter().filter(|row| !row.pruned).count() >= 2);
}

#[test]
fn requested_plays_are_searched_even_with_invalid_words_and_only_excludes_the_rest() {
    let position = position(EMPTY);
    let phony = play(&position, "8D.TRAINSE");
    let also = PlaySelection { also: vec![phony], ..PlaySelection::default() };
    let outcome = search(&simulation(EMPTY, SimulationOptions { plays: also, ..iterations(8) }));
    let row = sim_rows(&outcome).iter().find(|row| row.ranked.play == phony).expect("the phony is listed");
    assert_eq!((row.ranked.score, row.iterations), (66, 8));
    assert_eq!(sim_rows(&outcome).len(), 16);
    let only = PlaySelection::only(vec![play(&position, "ex.I"), play(&position, "pass")]);
    match search(&request_for(EMPTY, Analysis::Static(StaticOptions { plays: only }), SETTINGS)).last {
        Some(Report::Static(StaticReport { rows })) => assert_eq!(rows.len(), 2),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_stop_signal_ends_a_search_at_once_with_an_answer() {
    let signals = Signals::default();
    signals.stop();
    let infinite = simulation(MIDGAME, SimulationOptions::default());
    let outcome = run(knowledge(), &infinite, &signals, &mut |_: Report| {});
    let rows = sim_rows(&outcome);
    assert_eq!(outcome.best, Some(rows[0].ranked.play));
    assert!(rows.iter().all(|row| row.iterations == 0 && row.win_error == 0.0 && (0.0..=1.0).contains(&row.win)));
}

#[test]
fn of_a_round_that_is_cut_short_whole_iterations_count() {
    let all_alike = |limit| SimulationOptions { allocation: Allocation::Equal, ..of_plays(3, &limit) };
    let stopped_after = |wait: Duration, threads| {
        let request =
            simulation(MIDGAME, all_alike(SimulationOptions::default())).with_settings(RunSettings { threads, ..SETTINGS }).unwrap();
        let signals = Signals::default();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(wait);
                signals.stop();
            });
            run(knowledge(), &request, &signals, &mut |_: Report| {})
        })
    };
    let made = |outcome: &Outcome| sim_rows(outcome)[0].iterations;
    // The iterations at which whole rounds end.
    let (mut ends, signals) = (Vec::new(), Signals::default());
    let long = simulation(MIDGAME, all_alike(iterations(2_000)));
    let began = Instant::now();
    run(knowledge(), &long, &signals, &mut |report: Report| {
        if let Report::Simulation(SimulationReport { rows, .. }) = report {
            ends.push(rows[0].iterations);
        }
        signals.ask_report();
    });
    // However fast the machine is, these waits end at points all over such a simulation.
    let whole = began.elapsed();
    for threads in [1, 3] {
        let mut waits = (1..1_000).map(|attempt| whole * (attempt % 97) / 97);
        let within_a_round = |outcome: &Outcome| (1..2_000).contains(&made(outcome)) && !ends.contains(&made(outcome));
        let outcome = waits.find_map(|wait| Some(stopped_after(wait, threads)).filter(within_a_round)).expect("a stop within a round");
        let made = made(&outcome);
        assert!(sim_rows(&outcome).iter().all(|row| row.iterations == made), "{outcome:?}");
        // One thread makes one iteration after the other.
        if threads == 1 {
            assert_eq!(outcome, search(&simulation(MIDGAME, all_alike(iterations(made)))));
        }
    }
}

#[test]
fn with_an_empty_bag_rollouts_go_to_the_end_and_nothing_is_left_to_chance() {
    let outcome = search(&simulation(ENDGAME, iterations(10_000)));
    let rows = sim_rows(&outcome);
    assert!(outcome.solved);
    assert!(rows.iter().all(|row| row.win_error == 0.0 && [0.0, 0.5, 1.0].contains(&row.win)), "{rows:?}");
    // The mover is 36 points behind and plays for the spread: the best line known gains -6 (tests/data/endgame_enable.tsv).
    assert!(rows[0].equity <= -6.0 && rows[0].equity > -40.0, "{}", rows[0].equity);
}

#[test]
fn a_request_checks_that_the_position_has_what_the_search_needs() {
    let refused = |text: &str, kind| {
        let request = SearchPosition::new(position(text)).and_then(|position| SearchRequest::new(position, Analysis::of(kind), SETTINGS));
        request.map(|_| ()).unwrap_err()
    };
    assert_eq!(refused(&EMPTY.replace("0/0 0", "0/0 6"), SearchKind::Static), RequestError::GameOver);
    assert_eq!(refused(&EMPTY.replace("AEINRST/", "/"), SearchKind::Static), RequestError::RackUnknown);
    assert_eq!(refused(MIDGAME, SearchKind::Endgame), RequestError::TilesInBag { in_bag: 40 });
    assert_eq!(refused(EIGHT_IN_THE_BAG, SearchKind::PreEndgame), RequestError::NoPreEndgame { in_bag: 8 });
    assert_eq!(refused(ENDGAME, SearchKind::PreEndgame), RequestError::NoPreEndgame { in_bag: 0 });
    let refused_kinds = [
        ("wordsmog", SearchKind::PreEndgame),
        ("wordsmog", SearchKind::Endgame),
        ("wordsmog", SearchKind::Inference),
        ("misere", SearchKind::PreEndgame),
        ("misere", SearchKind::Endgame),
        ("misere", SearchKind::Inference),
        ("misere", SearchKind::Replies),
    ];
    for (variant, kind) in refused_kinds {
        let text = format!("{EMPTY} var {variant};");
        let error = refused(&text, kind);
        assert!(matches!(&error, RequestError::Variant(_)) && error.to_string().contains(variant), "{error}");
    }
    // A play with tiles that the rack lacks.
    let other = position(&EMPTY.replace("AEINRST", "QUIZ"));
    let plays = PlaySelection::only(vec![Play::Pass, play(&other, "8H.QUIZ")]);
    let named = SearchPosition::new(position(EMPTY)).unwrap();
    let refused = SearchRequest::new(named, Analysis::Static(StaticOptions { plays }), SETTINGS).map(|_| ()).unwrap_err();
    assert!(matches!(refused, RequestError::Play { number: 2, .. }), "{refused}");
}

/// Searches of all kinds that choose from these plays, each with a position that suits it.
fn searches_of(plays: &PlaySelection) -> [(&'static str, Analysis); 5] {
    let plays = || plays.clone();
    [
        (MIDGAME, Analysis::Static(StaticOptions { plays: plays() })),
        (MIDGAME, Analysis::Simulation(SimulationOptions { plays: plays(), ..iterations(3) })),
        (MISERE, Analysis::Simulation(SimulationOptions { plays: plays(), ..iterations(3) })),
        (TWO_IN_THE_BAG, Analysis::PreEndgame(PreEndgameOptions { plays: plays(), nodes: Some(50), ..PreEndgameOptions::default() })),
        (ENDGAME, Analysis::Endgame(EndgameOptions { plays: plays(), nodes: Some(50), ..EndgameOptions::default() })),
    ]
}

fn refusal(text: &str, analysis: Analysis, settings: RunSettings) -> Option<RequestError> {
    SearchRequest::new(SearchPosition::new(position(text)).unwrap(), analysis, settings).err()
}

#[test]
fn every_search_refuses_a_selection_without_plays_and_looks_at_no_other_plays_than_those_named() {
    for empty in [PlaySelection::only(vec![]), PlaySelection::best(0)] {
        for (text, analysis) in searches_of(&empty) {
            assert_eq!(refusal(text, analysis.clone(), SETTINGS), Some(RequestError::NoPlays), "{analysis:?}");
        }
        for (text, analysis) in searches_of(&PlaySelection { also: vec![Play::Pass], ..empty.clone() }) {
            // An endgame search considers all plays unless only some are wanted.
            if matches!(analysis, Analysis::Endgame(_)) && empty.only.is_none() {
                continue;
            }
            let outcome = search(&request_for(text, analysis.clone(), SETTINGS));
            assert_eq!(outcome.best, Some(Play::Pass), "{analysis:?}");
        }
    }
    // A play that is named twice counts once.
    for (text, analysis) in searches_of(&PlaySelection { also: vec![Play::Pass], ..PlaySelection::only(vec![Play::Pass; 2]) }) {
        assert_eq!(search(&request_for(text, analysis, SETTINGS)).best, Some(Play::Pass));
    }
}

#[test]
fn options_out_of_range_are_named_and_limits_may_have_any_value() {
    let refused = |options: SimulationOptions| match refusal(MIDGAME, Analysis::Simulation(options), SETTINGS) {
        Some(refused @ RequestError::Option { .. }) => refused.to_string(),
        other => panic!("{other:?}"),
    };
    for (weight, text) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf"), (f64::NEG_INFINITY, "-inf"), (-0.5, "-0.5"), (1e300, "1e300")] {
        let expected = format!("equity_weight is {text}, expected 0.0 to 1000000.0");
        assert_eq!(refused(SimulationOptions { equity_weight: Some(weight), ..iterations(3) }), expected);
    }
    let plies = |plies| SimulationOptions { plies: Some(plies), nodes: Some(300), ..SimulationOptions::default() };
    assert_eq!(refused(plies(usize::MAX)), format!("plies is {}, expected 0 to 10000", usize::MAX));
    let racks =
        |most_racks| OpponentTiles::Inferred(InferenceOptions { most_racks, ..InferenceOptions::new(OpponentModel::Static, vec![]) });
    assert_eq!(refused(SimulationOptions { opponent_tiles: racks(0), ..iterations(3) }), "most_racks is 0, expected 1 to 1000000");
    let tiles = racks(usize::MAX);
    let peg = Analysis::PreEndgame(PreEndgameOptions { opponent_tiles: tiles, nodes: Some(9), ..PreEndgameOptions::default() });
    assert!(matches!(refusal(TWO_IN_THE_BAG, peg, SETTINGS), Some(RequestError::Option { option: "most_racks", .. })));
    for threads in [0, MOST_WORKERS + 1, usize::MAX] {
        let settings = RunSettings { threads, ..SETTINGS };
        for (text, analysis) in searches_of(&PlaySelection::default()) {
            let refused = refusal(text, analysis, settings).unwrap().to_string();
            assert_eq!(refused, format!("threads is {threads}, expected 1 to {MOST_WORKERS}"));
        }
        let request = simulation(MIDGAME, iterations(1));
        assert!(matches!(request.with_settings(settings), Err(RequestError::Option { option: "threads", .. })));
    }
    // Whatever the limits are, there is an answer.
    let extreme = SimulationOptions {
        plies: Some(MOST_PLIES),
        nodes: Some(u64::MAX),
        iterations: Some(2),
        allocation: Allocation::TopTwo { floor: u64::MAX },
        equity_weight: Some(MOST_EQUITY_WEIGHT),
        static_samples: Some(u32::MAX),
        rows: Some(usize::MAX),
        ..SimulationOptions::default()
    };
    for options in [extreme.clone(), SimulationOptions { iterations: Some(u64::MAX), nodes: Some(0), ..extreme }, iterations(0), plies(0)] {
        assert!(search(&simulation(MIDGAME, of_plays(3, &options))).best.is_some(), "{options:?}");
    }
    for (plies, nodes) in [(Some(0), None), (Some(usize::MAX), Some(0)), (None, Some(0)), (Some(1), Some(u64::MAX))] {
        let options = EndgameOptions { plies, nodes, ..EndgameOptions::default() };
        assert!(search(&request_for(ENDGAME, Analysis::Endgame(options), SETTINGS)).best.is_some());
    }
    let nothing = PreEndgameOptions { nodes: Some(0), ..PreEndgameOptions::default() };
    assert!(search(&request_for(TWO_IN_THE_BAG, Analysis::PreEndgame(nothing), SETTINGS)).best.is_some());
}

#[test]
fn an_endgame_of_plays_that_are_no_words_is_searched() {
    let position = position(ENDGAME);
    let rows = match search(&request_for(ENDGAME, Analysis::Static(StaticOptions { plays: PlaySelection::best(100_000) }), SETTINGS)).last {
        Some(Report::Static(StaticReport { rows })) => rows,
        other => panic!("{other:?}"),
    };
    // Placements with their tiles in reverse order, wherever that gives a new play.
    let turned = rows.iter().filter_map(|row| {
        let placement = row.play.placement()?;
        let tiles: Vec<_> = placement.tiles().iter().rev().copied().collect();
        let play = Play::Place(Placement::new(placement.start, placement.direction, &tiles));
        (position.after(&Turn::Play(play)).is_ok() && rows.iter().all(|row| row.play != play)).then_some(play)
    });
    let phonies: Vec<Play> = turned.take(20).collect();
    assert!(phonies.len() > 5, "{phonies:?}");
    for &phony in &phonies {
        let options = EndgameOptions { plays: PlaySelection::only(vec![phony]), nodes: Some(20_000), ..EndgameOptions::default() };
        let outcome = search(&request_for(ENDGAME, Analysis::Endgame(options), SETTINGS));
        assert_eq!(outcome.best, Some(phony));
        let Some(Report::Endgame(solution)) = outcome.last else { panic!("an endgame reports a solution") };
        // It is worth its points minus the later gain of the other side.
        let after = position.after(&Turn::Play(phony)).unwrap();
        if solution.solved && after.end().is_none() {
            let reply =
                SearchRequest::new(SearchPosition::new(after.clone()).unwrap(), Analysis::of(SearchKind::Endgame), SETTINGS).unwrap();
            let Some(Report::Endgame(reply)) = search(&reply).last else { panic!("an endgame reports a solution") };
            assert_eq!(solution.value, after.score(Seat::First) - position.score(Seat::First) - reply.value);
        }
    }
}

#[test]
fn a_misere_simulation_samples_a_single_play_and_ends_where_plays_cannot_be_told_apart() {
    let engine = plain_engine();
    let position = position(MISERE);
    let play = |text: &str| match engine.parse_play(text, &position).unwrap() {
        Turn::Play(play) => play,
        other => panic!("{other:?}"),
    };
    let of = |plays: &[&str], options: SimulationOptions| {
        let plays = PlaySelection::only(plays.iter().map(|text| play(text)).collect());
        engine.simulate(&position, SimulationOptions { plays, ..options }).unwrap()
    };
    let alone = of(&["pass"], iterations(37));
    assert_eq!((alone.len(), alone[0].iterations), (1, 37));
    // These two keep as many points, draw the same tile and end the game:
    // no sample distinguishes them.
    let equal = of(&["ex.E", "ex.A"], SimulationOptions::default());
    assert_eq!(equal[0].win, equal[1].win);
    // It ends with the round that reaches 10,000.
    assert!((1_000..11_000).contains(&equal[0].iterations), "{}", equal[0].iterations);
    // Here one of them is clearly worse.
    let told = of(&["ex.EEEAAII", "pass"], SimulationOptions { stop_condition: Some(StopCondition::Percent99), ..iterations(5_000) });
    assert!(told[0].iterations < 5_000 && told[0].win > told[1].win, "{told:?}");
    assert!(told[0].win - told[1].win > 3.0 * told[1].win_error, "{told:?}");
    // All are sampled equally often if `allocation` asks for it, and only `rows` rows are reported.
    let all = engine.simulate(&position, SimulationOptions { allocation: Allocation::Equal, ..of_plays(6, &iterations(200)) }).unwrap();
    assert!(all.len() >= 6 && all.iter().all(|row| row.iterations == 200));
    assert_eq!(engine.simulate(&position, SimulationOptions { rows: Some(2), ..of_plays(6, &iterations(16)) }).unwrap().len(), 2);
}

#[test]
fn the_opponent_can_be_made_to_pass_and_a_known_rack_counts() {
    let base = of_plays(4, &iterations(60));
    let passive = search(&simulation(EMPTY, SimulationOptions { opponent_passes: true, ..base.clone() }));
    assert!(sim_rows(&passive).iter().all(|row| row.plies[0].score_mean == 0.0));
    let known = |rack: &str| {
        let text = EMPTY.replace("AEINRST/", &format!("AEINRST/{rack}"));
        sim_rows(&search(&simulation(&text, base.clone())))[0].win
    };
    assert!(known("??ESSRT") + 0.1 < known("UUVVWWI"), "the opponent's rack changes the chances");
}

struct Log(Vec<LoggedSample>);

impl Listener for Log {
    fn report(&mut self, _report: Report) {}

    fn sample(&mut self, sample: LoggedSample) {
        self.0.push(sample);
    }
}

#[test]
fn logged_samples_are_the_rollouts_and_share_racks_within_an_iteration() {
    let mut log = Log(Vec::new());
    let options = SimulationOptions { log_samples: true, ..of_plays(3, &iterations(12)) };
    let logged = request_for(EMPTY, Analysis::Simulation(options), RunSettings { threads: 2, ..SETTINGS });
    let outcome = run(knowledge(), &logged, &Signals::default(), &mut log);
    assert_eq!(log.0.len(), 36);
    assert!(log.0.windows(2).all(|pair| pair[0].iteration <= pair[1].iteration));
    for sample in &log.0 {
        assert_eq!(sample.plies.len(), 3);
        let first = log.0.iter().find(|other| other.iteration == sample.iteration).unwrap();
        assert_eq!(sample.plies[1].rack, first.plies[1].rack);
        let gained = sample.plies[0].score - sample.plies[1].score + sample.plies[2].score;
        assert_eq!(sample.spread, gained);
    }
    let best = outcome.best.unwrap();
    let wins: Vec<f64> = log.0.iter().filter(|sample| sample.plies[0].play == best).map(|sample| sample.win).collect();
    let mean = wins.iter().sum::<f64>() / wins.len() as f64;
    assert!((Correction::of_simulation(logged.position()).apply(mean) - sim_rows(&outcome)[0].win).abs() < 1e-9);
}

#[test]
fn near_the_end_rollouts_go_to_the_result_unless_plies_are_given() {
    let logged = |plies| {
        let mut log = Log(Vec::new());
        let options = SimulationOptions { plies, log_samples: true, ..iterations(40) };
        let request = request_for(EIGHT_IN_THE_BAG, Analysis::Simulation(options), RunSettings { threads: 2, ..SETTINGS });
        let outcome = run(knowledge(), &request, &Signals::default(), &mut log);
        let Some(Report::Simulation(SimulationReport { rows, plies, nodes })) = outcome.last else { panic!("a simulation") };
        (log.0, rows, plies, nodes)
    };
    let (samples, rows, longest, nodes) = logged(None);
    for sample in &samples {
        assert_eq!(sample.win, f64::from(sample.spread.signum() + 1) / 2.0, "{sample:?}");
    }
    let plies = samples.iter().map(|sample| sample.plies.len() - 1);
    assert_eq!(plies.clone().max(), Some(longest));
    assert_eq!(plies.sum::<usize>() as u64, nodes);
    assert!(rows.iter().all(|row| row.plies.len() == 2) && longest > 3, "{longest} plies");
    let (samples, _, depth, _) = logged(Some(2));
    assert_eq!(depth, 2);
    assert!(samples.iter().any(|sample| sample.plies.len() == 3 && ![0.0, 0.5, 1.0].contains(&sample.win)));
    // With one tile more than the phase has, the horizon is the usual two plies.
    assert_eq!((Horizon::usual(9), Horizon::usual(10)), (Horizon::End, Horizon::Plies(2)));
}

#[test]
fn with_rack_means_candidates_are_chosen_by_dynamic_leaves() {
    // All racks are equal, so leaves are worth nothing, except single tiles, which have static values.
    let racks = RackMeans::new(27, vec![0; MultisetRanks::new(27).count(7)]);
    let evaluator = Evaluator {
        leaves: Leaves::heuristic(RackHeuristic::VowelMix, &GameRules::english().distribution),
        win_model: WinModel::formula(),
        rack_means: racks,
    };
    let dynamic = Knowledge { lexicon: Arc::clone(&knowledge().lexicon), evaluator: Arc::new(evaluator) };
    let mover_rack = *request_for(MIDGAME, Analysis::of(SearchKind::Static), SETTINGS).position().mover_rack();
    let rows_of = |knowledge: &Knowledge, text: &str| match run(
        knowledge,
        &request_for(text, Analysis::of(SearchKind::Static), SETTINGS),
        &Signals::default(),
        &mut |_: Report| {},
    )
    .last
    {
        Some(Report::Static(StaticReport { rows })) => rows,
        other => panic!("a ranking, not {other:?}"),
    };
    let rows = rows_of(&dynamic, MIDGAME);
    let kept: Vec<_> = rows.iter().filter(|row| row.play.leave(&mover_rack).len() >= 2).collect();
    assert!(kept.len() > 5 && kept.iter().all(|row| row.equity == Millipoints::from_points(row.score)), "{rows:?}");
    assert_ne!(rows, rows_of(knowledge(), MIDGAME));
    // With an empty bag there is nothing to draw.
    assert_eq!(rows_of(&dynamic, ENDGAME), rows_of(knowledge(), ENDGAME));
}
