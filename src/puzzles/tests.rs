//! Tests of puzzles: themes of hand-made positions, margins against samples and plain searches, difficulties by counting, and files.

use crate::analysis::position_list;
use crate::analysis::report::{Certainty, LossMeasure, Method};
use crate::engine::Engine;
use crate::engine::builder::plain_engine;
use crate::formats::{cgp, small_rules};
use crate::pages::sheet::tests::faults;
use crate::puzzles::difficulty::{Difficulty, Grade};
use crate::puzzles::maker::{PlacedPosition, PuzzleMaker, PuzzleSettings};
use crate::puzzles::page::{choices, puzzle_page};
use crate::puzzles::record::{GamePuzzles, PUZZLE_SCHEMA, Puzzle, PuzzleDocument, PuzzleHeader};
use crate::puzzles::same_play::{all_writings, is_same_play};
use crate::puzzles::text;
use crate::puzzles::theme::{SolvedPosition, Theme, themes};
use crate::rules::notation::{parse_move, play_text};
use crate::rules::units::Millipoints;
use crate::rules::{GameRules, Play, Position, Turn};
use crate::search::candidates::ALL_PLAYS;
use crate::search::chances::Correction;
use crate::search::race::differences::Moments;
use crate::search::randomness::mix;
use crate::search::{
    Allocation, Comparison, Difference, EvaluatedPlay, Listener, LoggedSample, PlaySelection, Report, RunSettings, Search, SearchPosition,
    Signals, SimulationOptions,
};
use std::sync::OnceLock;

const EMPTY: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15";
const VICAR: &str = "15/15/15/15/15/15/15/3VICAR7/15/15/15/15/15/15/15";

/// An opening with one bingo.
fn quixote() -> String {
    format!("{EMPTY} EIOQTUX/ 0/0 0")
}

const SETTINGS: PuzzleSettings = PuzzleSettings { margin: 5, least_difficulty: 0, iterations: 40, threads: 1, seed: 3 };

fn position(text: &str, rules: &GameRules) -> Position {
    SearchPosition::new(cgp::parse(text, rules).unwrap().position).unwrap().position().clone()
}

fn english(text: &str) -> Position {
    position(text, plain_engine().rules())
}

fn play(text: &str, position: &Position) -> Play {
    match parse_move(text, position).unwrap_or_else(|error| panic!("{error}")).turn {
        Turn::Play(play) => play,
        other => panic!("{other:?}"),
    }
}

/// The puzzles in positions of a game.
fn made(engine: &Engine, settings: PuzzleSettings, positions: &[Position]) -> GamePuzzles {
    let signals = Signals::default();
    let placed: Vec<PlacedPosition> =
        (1..).zip(positions).map(|(turn, position)| PlacedPosition { turn, position: position.clone() }).collect();
    PuzzleMaker::new(engine, settings, &signals).unwrap().puzzles("a game", 0, &placed).unwrap().unwrap()
}

/// The puzzle in the opening with one bingo.
fn made_of_quixote() -> &'static GamePuzzles {
    static MADE: OnceLock<GamePuzzles> = OnceLock::new();
    MADE.get_or_init(|| made(plain_engine(), SETTINGS, &[english(&quixote())]))
}

fn document(found: GamePuzzles) -> PuzzleDocument {
    let run = PuzzleHeader {
        tilewright: "1".to_string(),
        tables: vec!["ENABLE".to_string()],
        games: vec!["a game".to_string()],
        margin: SETTINGS.margin,
        least_difficulty: SETTINGS.least_difficulty,
        budget: "some".to_string(),
        seed: SETTINGS.seed,
    };
    let GamePuzzles { positions, candidates, puzzles } = found;
    PuzzleDocument { schema: PUZZLE_SCHEMA, run, positions, candidates, puzzles }
}

/// The themes of a play that is compared with a second one, with these terms.
fn themes_of(position: &Position, solution: &str, second: &str, terms: Option<[f64; 4]>) -> String {
    let evaluated = |text: &str| {
        let (text, score) = text.split_once(' ').map_or((text, 0), |(text, score)| (text, score.parse().unwrap()));
        EvaluatedPlay { play: play(text, position), score, equity: Millipoints::from_points(score) }
    };
    let (solution, second) = (evaluated(solution), evaluated(second));
    let comparison = terms.map(|terms| Comparison {
        terms: Some(terms.map(|mean| Difference { mean, error: 1.0 })),
        ..Comparison::exact([solution.play, second.play], 0.1, 1.0)
    });
    let solved = SolvedPosition { position, solution: &solution, second: &second, comparison: comparison.as_ref() };
    themes(&solved).into_iter().map(Theme::name).collect::<Vec<_>>().join(" ")
}

#[test]
fn themes_are_facts_of_the_rules() {
    let check = |text: &str, solution: &str, expected: &str| {
        assert_eq!(themes_of(&english(text), solution, "pass", None), expected, "{solution}");
    };
    check(&format!("{EMPTY} AEINRST/ 0/0 0"), "8F.ANTSIER", "opening bingo");
    check(&format!("{VICAR} AEIOSTY/ 0/0 0"), "I8.STY", "hook");
    check(&format!("{VICAR} AEIOSTY/ 0/0 0"), "8D.VICARS", "hook");
    // A play through a single letter, and one next to it.
    check(&format!("{VICAR} DENOSTY/ 0/0 0"), "H8.REND", "");
    check(&format!("{VICAR} AEHOSTY/ 0/0 0"), "9D.ETH", "parallel");
    check(&format!("{VICAR} AEGIOUT/ 0/0 0"), "8D.VICARAGE", "extension");
    check(&format!("{VICAR} AEGIOUT/ 0/0 0"), "ex.OU", "exchange");
    check(&format!("{VICAR} AEGIOUT/ 0/0 0"), "pass", "pass");
    // 21 tiles: five on the board, seven on each rack, two in the bag. Then 13 tiles, with an empty bag.
    let two = small_rules("VICARAEINRSTAEINRSTOO", 7);
    assert_eq!(themes_of(&position(&format!("{VICAR} AEINRST/ 0/0 0"), &two), "I8.SEAT", "pass", None), "hook pre-endgame");
    let none = small_rules("VICARSAEINRST", 7);
    let last = position(&format!("{VICAR} S/AEINRST 0/0 0"), &none);
    assert_eq!(themes_of(&last, "8D.VICARS", "pass", None), "hook endgame out-play");
    let not_last = position(&format!("{VICAR} AEINRST/S 0/0 0"), &none);
    assert_eq!(themes_of(&not_last, "I8.SEAT", "pass", None), "hook endgame");
    assert_eq!(themes_of(&not_last, "I8.STAINER", "pass", None), "bingo hook endgame out-play");
}

#[test]
fn a_defence_looks_worse_and_gains_by_the_reply() {
    let position = english(&format!("{VICAR} DENOSTY/ 0/0 0"));
    let check = |score: i32, terms: [f64; 4], expected: &str| {
        assert_eq!(themes_of(&position, &format!("H8.REND {score}"), "ex.OY 9", Some(terms)), expected, "{score} {terms:?}");
    };
    check(5, [-4.0, 9.0, 2.0, 1.0], "defence");
    check(5, [-4.0, 2.0, 9.0, 1.0], "preparation");
    check(5, [-4.0, 2.0, 1.0, 9.0], "preparation");
    // A gain must exceed two standard errors, and the play must look worse.
    check(5, [-4.0, 1.5, 1.0, 0.0], "");
    check(5, [-4.0, -9.0, -9.0, -9.0], "");
    check(9, [0.0, 9.0, 2.0, 1.0], "");
}

#[test]
fn plays_that_are_the_same_in_effect() {
    let check = |position: &Position, one: &str, other: &str, expected: bool| {
        let [one_play, other_play] = [one, other].map(|text| play(text, position));
        assert_eq!(is_same_play(position, &one_play, &other_play), expected, "{one} {other}");
        assert_eq!(is_same_play(position, &other_play, &one_play), expected, "{other} {one}");
    };
    let opening = english(&format!("{EMPTY} AEINRS?/ 0/0 0"));
    check(&opening, "8F.ANtSIER", "8D.ANtSIER", true);
    check(&opening, "8F.ANtSIER", "H8.ANtSIER", true);
    check(&opening, "8F.ANtSIER", "8F.ANSER", false);
    check(&opening, "8F.ANtSIER", "8F.RAtINES", false);
    check(&opening, "8G.SEA", "8G.SeA", false);
    check(&opening, "ex.AE", "ex.AE", true);
    check(&opening, "ex.AE", "ex.AI", false);
    let vicar = english(&format!("{VICAR} DEEIN?S/ 0/0 0"));
    // Only the blank's place differs: on H12 a letter counts twice.
    check(&vicar, "H8.REeD", "H8.ReED", true);
    check(&vicar, "H8.RENeE", "H8.RENEe", false);
    check(&vicar, "8D.VICARS", "8D.VICARs", false);
    check(&vicar, "I8.SEED", "I8.SEEN", false);
    // One tile, two words.
    let crossed = english("15/15/15/15/15/15/15/3VICAR7/8O6/15/15/15/15/15/15 DEEINSS/ 0/0 0");
    check(&crossed, "8D.VICARS", "I8.SO", true);
    let writings = |position: &Position, text: &str| -> Vec<String> {
        let plays: Vec<Play> = plain_engine().static_ranking(position, ALL_PLAYS).unwrap().iter().map(|row| row.play).collect();
        let writings = all_writings(position, &play(text, position), &plays);
        writings.iter().map(|play| play_text(play, position.board(), &position.rules().distribution)).collect()
    };
    assert_eq!(writings(&crossed, "8D.VICARS"), ["8D.VICARS", "I8.SO"]);
    // A word of seven letters lies over the start in seven ways across and in seven down.
    assert_eq!(writings(&english(&quixote()), "8F.QUIXOTE").len(), 14);
}

/// Keeps all samples.
#[derive(Default)]
struct AllSamples(Vec<LoggedSample>);

impl Listener for AllSamples {
    fn report(&mut self, _: Report) {}

    fn sample(&mut self, sample: LoggedSample) {
        self.0.push(sample);
    }
}

/// Checks the margin the plain way: by the samples of the plays on the same deals, and their differences one by one.
#[test]
fn margins_are_those_of_samples_on_the_same_deals() {
    let (engine, position) = (plain_engine(), english(&quixote()));
    let found = made_of_quixote();
    let [puzzle] = &found.puzzles[..] else { panic!("{found:?}") };
    assert_eq!((puzzle.method, puzzle.certainty, puzzle.iterations), (Method::Simulation, Certainty::Sampled, SETTINGS.iterations));
    assert!(puzzle.solution.play.ends_with("QUIXOTE") && puzzle.themes.starts_with(&[Theme::Opening, Theme::Bingo]), "{puzzle:?}");
    assert!(puzzle.why[0].starts_with(&format!("{} wins ", puzzle.solution.play)), "{:?}", puzzle.why);
    let seed = mix(mix(mix(mix(SETTINGS.seed ^ mix(0)) ^ mix(1)) ^ 2) ^ 2);
    let plays = std::iter::once(&puzzle.solution).chain(puzzle.rivals.iter().map(|rival| &rival.value));
    let plays: Vec<Play> = plays.map(|value| play(&value.play, &position)).collect();
    let options = SimulationOptions {
        plays: PlaySelection::only(plays.clone()),
        iterations: Some(SETTINGS.iterations),
        allocation: Allocation::Equal,
        log_samples: true,
        ..SimulationOptions::default()
    };
    let mut samples = AllSamples::default();
    let seeded = engine.with_settings(RunSettings { seed, ..engine.settings() });
    seeded.search_with(&position, options.analysis(), &Signals::default(), &mut samples).unwrap();
    let wins =
        |play: &Play| -> Vec<f64> { samples.0.iter().filter(|sample| sample.plies[0].play == *play).map(|sample| sample.win).collect() };
    let (best, correction) = (wins(&plays[0]), Correction::of_simulation(&position));
    assert_eq!(best.len() as u64, SETTINGS.iterations);
    for (rival, play) in puzzle.rivals.iter().zip(&plays[1..]) {
        let (mut lost, others) = (Moments::default(), wins(play));
        best.iter().zip(&others).for_each(|(best, other)| lost.add(best - other));
        let means = [&best, &others].map(|wins| wins.iter().sum::<f64>() / wins.len() as f64);
        let [won, other] = means.map(|mean| correction.apply(mean));
        let factor = means.map(|mean| correction.error_factor(mean)).iter().sum::<f64>() / 2.0;
        let [win, error] = [rival.loss.win, rival.loss.win_error];
        assert!((win - (won - other)).abs() < 1e-6 && (error - factor * lost.standard_error()).abs() < 1e-6, "{rival:?} {lost:?}");
        assert!(win >= 0.05 && win > 2.0 * error && rival.loss.measure == LossMeasure::Win, "{rival:?}");
    }
    assert!(puzzle.rivals.is_sorted_by(|one, other| one.loss.win <= other.loss.win));
    assert_eq!(puzzle.margin(), puzzle.rivals[0].loss);
    // With a greater margin or difficulty required, the position is not a puzzle.
    let more = (100.0 * puzzle.margin().win).ceil() as u32;
    assert!(made(engine, PuzzleSettings { margin: more, ..SETTINGS }, std::slice::from_ref(&position)).puzzles.is_empty());
    let least_difficulty = puzzle.difficulty.percent + 1;
    assert!(made(engine, PuzzleSettings { least_difficulty, ..SETTINGS }, &[position]).puzzles.is_empty());
}

#[test]
fn a_position_with_two_equal_best_plays_is_none() {
    // ANTSIER, NASTIER, RETAINS and others are equal, and far better than the rest.
    let found = made(plain_engine(), SETTINGS, &[english(&format!("{EMPTY} AEINRST/ 0/0 0"))]);
    assert_eq!((found.positions, found.puzzles.len()), (1, 0));
    // A player without a rack cannot be asked.
    assert_eq!(made(plain_engine(), SETTINGS, &[english(&format!("{VICAR} AEI/ 0/0 0"))]).positions, 0);
}

#[test]
fn difficulties_are_counted() {
    let of = |missed, asked| (Difficulty::new(missed, asked).percent, Difficulty::new(missed, asked).grade);
    assert_eq!([of(0, 72), of(1, 3), of(2, 3)], [(0, Grade::Easy), (33, Grade::Easy), (67, Grade::Medium)]);
    assert_eq!([of(4, 5), of(5, 5)], [(80, Grade::Medium), (100, Grade::Hard)]);
    let puzzle = &made_of_quixote().puzzles[0];
    let is_right = |text: &String| *text == puzzle.solution.play || puzzle.also.contains(text);
    let count = |is_counted: &dyn Fn(&String) -> bool| -> u32 {
        puzzle.chosen.iter().filter(|chosen| is_counted(&chosen.play)).map(|chosen| chosen.times).sum()
    };
    assert_eq!((count(&|_| true), count(&|text| !is_right(text))), (puzzle.difficulty.asked, puzzle.difficulty.missed));
    assert_eq!(puzzle.difficulty.asked, 72, "nine levels, eight times each");
    assert!((1..72).contains(&puzzle.difficulty.missed), "some find it, and some do not: {:?}", puzzle.chosen);
    assert!(puzzle.chosen.is_sorted_by(|one, other| one.times >= other.times));
}

/// The mover's lead at the end if both play their best: all plays of all turns, with nothing left out.
fn brute_lead(engine: &Engine, position: &Position) -> i32 {
    let plays = engine.static_ranking(position, ALL_PLAYS).unwrap();
    plays.iter().map(|row| lead_after(engine, position, row.play)).max().unwrap()
}

fn lead_after(engine: &Engine, position: &Position, play: Play) -> i32 {
    let mover = position.on_turn();
    let after = position.after(&Turn::Play(play)).unwrap();
    if after.end().is_some() { after.scores().lead(mover) } else { -brute_lead(engine, &after) }
}

#[test]
fn margins_of_endgames_are_those_of_a_search_that_leaves_nothing_out() {
    let (board, mut puzzles) = ("CIVIC10/15/15/15/15/15/15/3TOWARD6/15/15/15/15/15/15/15", 0);
    for (own, other, scores) in [("AE", "T", "50/51"), ("EO", "N", "300/290"), ("QI", "E", "100/100"), ("IS", "O", "90/100")] {
        let rules = small_rules(&format!("CIVICTOWARD{own}{other}"), 7);
        let engine = plain_engine().with_rules(rules.clone()).unwrap();
        let position = position(&format!("{board} {own}/{other} {scores} 0"), &rules);
        let plays = engine.static_ranking(&position, ALL_PLAYS).unwrap();
        let mut leads: Vec<(i32, Play)> = plays.iter().map(|row| (lead_after(&engine, &position, row.play), row.play)).collect();
        leads.sort_by_key(|(lead, _)| -lead);
        let (best, solution) = leads[0];
        let second = leads.iter().find(|(_, play)| !is_same_play(&position, &solution, play)).expect("another play").0;
        let (is_decided, lost) = (best.signum() == second.signum(), best - second);
        let settings = PuzzleSettings { margin: 1, iterations: 1_000, ..SETTINGS };
        let found = made(&engine, settings, std::slice::from_ref(&position));
        // If the second best play changes the winner, the margin is in wins: half of all, or all.
        assert_eq!(found.puzzles.len(), usize::from(!is_decided || lost >= 1), "{own}/{other}: {best} {second}");
        for puzzle in &found.puzzles {
            let loss = puzzle.margin();
            assert_eq!((puzzle.method, puzzle.certainty, loss.points), (Method::Endgame, Certainty::Exact, f64::from(lost)));
            assert_eq!(loss.measure == LossMeasure::Points, is_decided, "{own}/{other}: {puzzle:?}");
            assert!(puzzle.themes.contains(&Theme::Endgame) && !puzzle.why.is_empty());
            puzzles += 1;
        }
    }
    assert!(puzzles > 0, "no puzzle was compared");
}

#[test]
fn a_file_of_puzzles_is_read_back() {
    let positions = [english(&quixote())];
    let document = document(made_of_quixote().clone());
    let lines = text::position_lines(&document).join("\n");
    assert!(position_list::is_list(&lines), "{lines}");
    let list = position_list::read(&lines, plain_engine().rules());
    assert!(list.notes.is_empty() && !document.puzzles.is_empty() && list.positions.len() == document.puzzles.len(), "{lines}");
    for (listed, puzzle) in list.positions.iter().zip(&document.puzzles) {
        assert_eq!(listed.position, positions[puzzle.turn - 1]);
        assert_eq!(listed.made, Some(Turn::Play(play(&puzzle.solution.play, &listed.position))));
    }
    let json = serde_json::to_string(&document).unwrap();
    assert_eq!(serde_json::from_str::<PuzzleDocument>(&json).unwrap(), document);
    let table = text::table(&document);
    assert_eq!(table.len(), document.puzzles.len() + 2);
    assert!(document.puzzles.iter().all(|puzzle| table.iter().all(|line| !line.contains(&puzzle.solution.play))), "{table:?}");
}

#[test]
fn the_same_seed_makes_the_same_puzzles_on_any_threads_and_in_any_order() {
    let position = english(&quixote());
    let other = english(&format!("{VICAR} AEINRST/ 0/28 0"));
    let one = made_of_quixote();
    let two = made(plain_engine(), PuzzleSettings { threads: 3, ..SETTINGS }, &[position, other]);
    assert_eq!(two.puzzles[..1], one.puzzles[..]);
}

fn named(puzzle: &Puzzle, source: &str) -> Puzzle {
    Puzzle { source: source.to_string(), ..puzzle.clone() }
}

#[test]
fn a_page_is_well_formed_and_asks_each_puzzle() {
    let found = made_of_quixote().clone();
    let puzzles = vec![found.puzzles[0].clone(), named(&found.puzzles[0], "<script>alert(1)</script> & \"a\".gcg")];
    let document = document(GamePuzzles { puzzles, ..found });
    let page = puzzle_page(&document, plain_engine().rules());
    assert_eq!(faults(&page), Vec::<String>::new());
    assert_eq!(page.matches("<section class=\"puzzle").count(), 2);
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp;") && !page.contains("<script>alert"));
    for needed in ["prefers-color-scheme: dark", "@media print", "default-src 'none'", "<details class=\"hint\"", "aria-label=\"Rack "] {
        assert!(page.contains(needed), "{needed}");
    }
    let puzzle = &document.puzzles[0];
    let offered = choices(puzzle);
    assert!(offered.len() > 3 && offered.is_sorted() && offered.contains(&puzzle.solution.play.as_str()), "{offered:?}");
    assert!(offered.iter().all(|play| !puzzle.also.iter().any(|also| also == play)), "the solution is there once: {offered:?}");
    let empty = PuzzleDocument { puzzles: Vec::new(), ..document };
    assert!(puzzle_page(&empty, plain_engine().rules()).contains("No puzzle was found."));
}
