//! Tests of searches as a whole: determinism, limits, signals, what the numbers mean.

use crate::evaluation::heuristics::RackHeuristic;
use crate::evaluation::{Evaluator, Leaves, RackMeans, WinModel};
use crate::formats::{cgp, english_rules};
use crate::lexicon::Lexicon;
use crate::rules::multisets::MultisetRanks;
use crate::rules::notation::{parse_move, play_text};
use crate::rules::{Play, Position, game};
use crate::search::budget::{Limits, Signals, StopCondition};
use crate::search::report::{Outcome, Report, SimRow};
use crate::search::rollout::Horizon;
use crate::search::{Knowledge, Listener, LoggedSample, Mode, SearchRequest, run};
use std::sync::{Arc, OnceLock};

const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0";
const MIDGAME: &str = "14R/13MY/12WOE/12IN1/12SI1/12HEN/7G4A1A/6QI6Z/7G6I/7L2PERVS/6DONKEY3/7T2DECAF/12R2/12U2/10BUXOM FIIJOTU/ 199/158 0";
const ENDGAME: &str = "13C1/13Oh/8W2MUNI/1DETESTER1VAPID/8YO3NE/5J1PEH4O/4QUAIS3GNU/3GIBBETS1FIAT/3U1E3E2N1S/3I5X2G2/2ODOMETRY2I2/3E3H3AVOW/1cARIOLE3ZA2/7CANNOLI1/7A5FE ADLLRRT/KR 397/433 0";

const EIGHT_IN_THE_BAG: &str = "15/10BEWIG/10A3H/10MO2A/4U5MU2R/4P5ET2R/2I1D5DE2I/HENNA1JOY2ALOE/1IF1T2FAULT2S/1KI1E1I1GNU4/COD1R1O3T4/ONE1SOlARIZE3/W1L3I8/L1s3TA7/S5EX7 AEOPRSY/ 373/411 0";

fn knowledge() -> &'static Knowledge {
    static KNOWLEDGE: OnceLock<Knowledge> = OnceLock::new();
    KNOWLEDGE.get_or_init(|| Knowledge {
        lexicon: Arc::new(Lexicon::builtin()),
        evaluator: Arc::new(Evaluator {
            leaves: Leaves::heuristic(RackHeuristic::VowelMix, &english_rules().distribution),
            win_model: WinModel::formula(),
            rack_means: None,
        }),
    })
}

fn position(text: &str) -> Position {
    cgp::parse(text, &english_rules()).unwrap().position
}

fn request(text: &str, mode: Mode, iterations: u64) -> SearchRequest {
    let limits = Limits { iterations: Some(iterations), ..Limits::default() };
    SearchRequest { seed: 7, ..SearchRequest::new(position(text), mode, limits) }
}

fn search(request: &SearchRequest) -> Outcome {
    run(knowledge(), request, &Signals::default(), &mut |_: Report| {})
}

fn sim_rows(outcome: &Outcome) -> &[SimRow] {
    match &outcome.last {
        Some(Report::Sim { rows, .. }) => rows,
        other => panic!("a simulation, not {other:?}"),
    }
}

fn text(position: &Position, play: &Play) -> String {
    play_text(play, position.board(), &position.rules().distribution)
}

fn play(position: &Position, text: &str) -> Play {
    match parse_move(text, position).unwrap().turn {
        game::Turn::Play(play) => play,
        other => panic!("a play, not {other:?}"),
    }
}

#[test]
fn the_same_seed_gives_the_same_answer_for_any_number_of_threads() {
    for (text, candidates) in [(EMPTY, None), (MIDGAME, None), (MIDGAME, Some(3))] {
        let one = SearchRequest { candidates, ..request(text, Mode::Sim, 200) };
        let outcome = search(&one);
        assert_eq!(outcome, search(&one));
        for threads in [2, 3] {
            assert_eq!(outcome, search(&SearchRequest { threads, ..one.clone() }), "{threads} threads");
        }
        assert_ne!(outcome, search(&SearchRequest { seed: 8, ..one }));
    }
}

#[test]
fn bingos_lead_on_the_empty_board_and_rows_are_ranked() {
    let request = request(EMPTY, Mode::Sim, 300);
    let outcome = search(&request);
    let rows = sim_rows(&outcome);
    assert_eq!(rows.len(), 15);
    assert_eq!(outcome.best, Some(rows[0].ranked.play));
    assert!(rows[..5].iter().all(|row| row.ranked.score >= 60), "{rows:?}");
    for row in rows {
        assert!((0.0..=1.0).contains(&row.win) && row.win_error > 0.0 && row.equity_error > 0.0);
        assert_eq!(row.plies.len(), 2);
        assert!(row.plies.iter().all(|ply| ply.score_mean > 15.0 && ply.score_deviation > 5.0 && ply.bingo_share < 0.9));
    }
    assert_eq!(rows.iter().map(|row| row.iterations).max(), Some(300));
}

#[test]
fn on_request_hopeless_candidates_are_sampled_as_often_as_the_leader() {
    let adaptive = request(MIDGAME, Mode::Sim, 200);
    let samples = |request: &SearchRequest| sim_rows(&search(request)).iter().map(|row| row.iterations).collect::<Vec<_>>();
    assert!(samples(&adaptive).iter().any(|&samples| samples < 200));
    assert_eq!(samples(&SearchRequest { equally: true, ..adaptive }), [200; 15]);
}

#[test]
fn counted_limits_hold() {
    let mut limited = request(MIDGAME, Mode::Sim, 1_000_000);
    limited.limits.nodes = Some(2_000);
    match search(&limited).last {
        Some(Report::Sim { nodes, .. }) => assert!((1_900..=2_100).contains(&nodes), "{nodes} nodes"),
        other => panic!("{other:?}"),
    }
    let deep = search(&SearchRequest { plies: Some(4), candidates: Some(3), ..request(MIDGAME, Mode::Sim, 10) });
    assert_eq!((sim_rows(&deep).len(), sim_rows(&deep)[0].plies.len()), (3, 4));
}

#[test]
fn a_clear_best_play_ends_a_search_with_a_stop_condition_and_is_left_company() {
    let mut certain = request(MIDGAME, Mode::Sim, 200_000);
    certain.position = position(EMPTY);
    certain.only = Some(["8D.NASTIER", "8F.ANT", "8H.TI"].map(|text| play(&certain.position, text)).to_vec());
    certain.limits.stop_condition = Some(StopCondition::Percent99);
    let outcome = search(&certain);
    let rows = sim_rows(&outcome);
    assert_eq!(rows.len(), 3);
    assert_eq!(text(&certain.position, &rows[0].ranked.play), "8D.NASTIER");
    assert!(rows[0].iterations < 5_000, "{} iterations", rows[0].iterations);
    assert!(rows.iter().filter(|row| !row.pruned).count() >= 2);
}

#[test]
fn asked_for_plays_are_searched_also_phonies_and_only_restricts() {
    let mut asked = request(EMPTY, Mode::Sim, 8);
    let phony = play(&asked.position, "8D.TRAINSE");
    asked.also = vec![phony];
    let outcome = search(&asked);
    let row = sim_rows(&outcome).iter().find(|row| row.ranked.play == phony).expect("the phony is listed");
    assert_eq!((row.ranked.score, row.iterations), (66, 8));
    assert_eq!(sim_rows(&outcome).len(), 16);
    asked.also.clear();
    asked.only = Some(vec![play(&asked.position, "ex.I"), play(&asked.position, "pass")]);
    asked.mode = Mode::Gen;
    match search(&asked).last {
        Some(Report::Gen { rows }) => assert_eq!(rows.len(), 2),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_raised_stop_ends_a_search_at_once_and_still_answers() {
    let signals = Signals::default();
    signals.stop();
    let mut infinite = request(MIDGAME, Mode::Sim, 1);
    infinite.limits = Limits { infinite: true, ..Limits::default() };
    let outcome = run(knowledge(), &infinite, &signals, &mut |_: Report| {});
    let rows = sim_rows(&outcome);
    assert_eq!(outcome.best, Some(rows[0].ranked.play));
    assert!(rows.iter().all(|row| row.iterations == 0 && row.win_error == 0.0 && (0.0..=1.0).contains(&row.win)));
}

#[test]
fn with_an_empty_bag_rollouts_go_to_the_end_and_nothing_is_left_to_chance() {
    let outcome = search(&request(ENDGAME, Mode::Sim, 10_000));
    let rows = sim_rows(&outcome);
    assert!(outcome.solved);
    assert!(rows.iter().all(|row| row.win_error == 0.0 && [0.0, 0.5, 1.0].contains(&row.win)), "{rows:?}");
    // The mover is 36 points behind and plays for the spread: the best line known gains -6 (tests/data/endgame_enable.tsv).
    assert!(rows[0].equity <= -6.0 && rows[0].equity > -40.0, "{}", rows[0].equity);
}

#[test]
fn a_finished_game_has_no_best_play() {
    let over = cgp::parse("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 6", &english_rules()).unwrap().position;
    let outcome = search(&SearchRequest { position: over, ..request(EMPTY, Mode::Sim, 10) });
    assert_eq!((outcome.best, outcome.last), (None, None));
}

#[test]
fn the_opponent_can_be_made_to_pass_and_a_known_rack_counts() {
    let base = SearchRequest { candidates: Some(4), ..request(EMPTY, Mode::Sim, 60) };
    let passive = search(&SearchRequest { opponent_passes: true, ..base.clone() });
    assert!(sim_rows(&passive).iter().all(|row| row.plies[0].score_mean == 0.0));
    let known = |rack: &str| {
        let text = EMPTY.replace("AEINRST/", &format!("AEINRST/{rack}"));
        sim_rows(&search(&SearchRequest { position: position(&text), ..base.clone() }))[0].win
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
    let logged = SearchRequest { candidates: Some(3), log_samples: true, threads: 2, ..request(EMPTY, Mode::Sim, 12) };
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
    assert!((mean - sim_rows(&outcome)[0].win).abs() < 1e-9);
}

#[test]
fn near_the_end_rollouts_go_to_the_result_unless_plies_are_given() {
    let logged = |plies| {
        let mut log = Log(Vec::new());
        let request = SearchRequest { plies, log_samples: true, threads: 2, ..request(EIGHT_IN_THE_BAG, Mode::Sim, 40) };
        let outcome = run(knowledge(), &request, &Signals::default(), &mut log);
        let Some(Report::Sim { rows, plies, nodes }) = outcome.last else { panic!("a simulation") };
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
    // A tile more than the phase has: the horizon is as elsewhere.
    assert_eq!((Horizon::usual(9), Horizon::usual(10)), (Horizon::End, Horizon::Plies(2)));
}

#[test]
fn with_means_of_racks_candidates_go_by_dynamic_leaves() {
    // All racks are equal: whatever is kept is worth nothing, but for single tiles, which have static values.
    let racks = RackMeans::new(27, vec![0; MultisetRanks::new(27).count(7)]);
    let evaluator = Evaluator {
        leaves: Leaves::heuristic(RackHeuristic::VowelMix, &english_rules().distribution),
        win_model: WinModel::formula(),
        rack_means: racks,
    };
    let dynamic = Knowledge { lexicon: Arc::clone(&knowledge().lexicon), evaluator: Arc::new(evaluator) };
    let rows_of =
        |knowledge: &Knowledge, text: &str| match run(knowledge, &request(text, Mode::Gen, 0), &Signals::default(), &mut |_: Report| {})
            .last
        {
            Some(Report::Gen { rows }) => rows,
            other => panic!("a ranking, not {other:?}"),
        };
    let rows = rows_of(&dynamic, MIDGAME);
    let kept: Vec<_> = rows.iter().filter(|row| row.leave.len() >= 2).collect();
    assert!(kept.len() > 5 && kept.iter().all(|row| row.equity_millipoints == row.score * 1000), "{rows:?}");
    assert_ne!(rows, rows_of(knowledge(), MIDGAME));
    // With an empty bag there is nothing to draw.
    assert_eq!(rows_of(&dynamic, ENDGAME), rows_of(knowledge(), ENDGAME));
}
