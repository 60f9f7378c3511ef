//! Tests of figures against a small journal that was worked out by hand, and pages of no pair and of
//! one pair.

use crate::match_play::Luck;
use crate::match_play::pairs::GameResult;
use crate::match_play::turn_counts::TurnCounts;
use crate::pages::sheet::tests::faults;
use crate::rules::GameRules;
use crate::search::phase::Phase;
use crate::tournament::configuration::{Competitor, TournamentSetting};
use crate::tournament::dialogue::ToldEvaluation;
use crate::tournament::fault::FaultReason;
use crate::tournament::html::figures::ToldAndWon;
use crate::tournament::html::{figures, page};
use crate::tournament::record::{FaultRecord, GameRecord, MachineSpeed, PairRecord, TournamentHeader, TurnRecord};
use crate::tournament::standings::TournamentStandings;
use serde_json::json;
use std::sync::Arc;

fn game(scores: [i32; 2], plays: Vec<TurnRecord>) -> GameRecord {
    let result = GameResult {
        scores,
        penalties: [0; 2],
        turns: [0; 2],
        bingos: [0; 2],
        time_us: [0; 2],
        overstepped: [false; 2],
        luck: None,
        counts: None,
    };
    GameRecord { result, plays, idle_us: [0; 2], fault: None }
}

fn pair(number: u64, engines: [usize; 2], games: &[GameRecord; 2]) -> PairRecord {
    let value = json!({
        "pair": number, "deal": number, "engines": engines, "configuration": "", "bag": "", "divergent": true, "games": games,
    });
    serde_json::from_value(value).expect("a pair")
}

/// A turn that took `ms` milliseconds, with the winning chance that the engine reported.
fn turn(play: &str, ms: u64, percent: Option<f64>) -> TurnRecord {
    let told = percent.map(|wp| ToldEvaluation { wp: Some(wp), eq: None });
    TurnRecord { play: play.to_string(), score: 0, time_us: 1000 * ms, told }
}

fn lost_by(player: usize, reason: FaultReason, text: &str, game: GameRecord) -> GameRecord {
    GameRecord { fault: Some(FaultRecord { player, reason, text: text.to_string() }), ..game }
}

fn competitors(names: [&str; 2]) -> Vec<Competitor> {
    let engines = names.map(|name| json!({ "name": name, "player": "greedy" }));
    let setting: TournamentSetting = serde_json::from_value(json!({ "pairs": 1, "engines": engines })).expect("a setting");
    setting.competitors().expect("engines")
}

fn header() -> TournamentHeader {
    TournamentHeader {
        tilewright: "0.1.0".to_string(),
        lexicon: "ENABLE@1".to_string(),
        rules: "english@2".to_string(),
        starts: None,
        machine: None,
        identities: vec!["greedy".to_string(), "X 1.0".to_string()],
        configuration: json!({ "seed": 7, "format": "gauntlet", "engines": [{ "args": ["</pre><script>"] }] }),
    }
}

fn page_of(names: [&str; 2], pairs: &[PairRecord]) -> String {
    page_with(&header(), names, pairs, &[])
}

fn page_with(header: &TournamentHeader, names: [&str; 2], pairs: &[PairRecord], ending: &[String]) -> String {
    let page = page(&Arc::new(GameRules::english()), header, &competitors(names), pairs, None, ending);
    assert_eq!(faults(&page), Vec::<String>::new());
    page
}

#[test]
fn ratings_over_time_are_those_of_the_pairs_up_to_then() {
    // Engine 0 wins two games of each pair, then one, and so on.
    let pairs: Vec<PairRecord> = (0..120)
        .map(|number| pair(number, [0, 1], &[game([400, 300], Vec::new()), game([300 + 200 * (number as i32 % 2), 400], Vec::new())]))
        .collect();
    for (played, points) in [(3, 3), (120, 50)] {
        let course = figures::rating_course(2, &pairs[..played]);
        assert_eq!((course.len(), course.last().map(|point| point.pairs)), (points, Some(played)));
        assert!(course.windows(2).all(|points| points[0].pairs < points[1].pairs));
        for point in &course {
            let mut standings = TournamentStandings::new(2);
            pairs[..point.pairs].iter().for_each(|pair| standings.add(pair));
            assert_eq!(point.ratings, standings.ratings());
        }
    }
    assert!(figures::rating_course(2, &[]).is_empty());
}

#[test]
fn the_phase_of_a_turn_is_told_by_the_tiles_that_were_placed() {
    // 86 tiles are in the bag, then 82: a play through tiles on the board takes fewer, and an exchange takes none.
    let plays = ["8E.RAIN", "8E.RAINS", "ex.AB", "8E.RAINSO", "pass", "D8.RE", "pass", "no move", "pass"];
    let times = [10, 20, 30, 40, 50, 60, 70, 80, 90];
    let plays: Vec<TurnRecord> = plays.into_iter().zip(times).map(|(play, ms)| turn(play, ms, None)).collect();
    // The second game, begun by the other engine, has a turn with 86 tiles in the bag.
    let pairs = [pair(0, [0, 1], &[game([400, 300], plays), game([400, 300], vec![turn("pass", 5, None)])])];
    let found = figures::phase_times(&Arc::new(GameRules::english()), 2, &pairs);
    // Before the turns there are 86, 82, 81, 81, 80, 80, 78 tiles. Turns after a text that is not a move have no phase.
    let opening = found[0][Phase::Opening as usize].expect("turns of the first engine");
    assert_eq!((opening.turns, opening.median_us, opening.ninetieth_us, opening.longest_us), (3, 30_000, 50_000, 50_000));
    assert!((opening.mean_us - 30_000.0).abs() < 1e-6);
    let midgame = found[0][Phase::Midgame as usize].expect("a turn of the first engine");
    assert_eq!((midgame.turns, midgame.longest_us), (1, 70_000));
    let second = found[1][Phase::Opening as usize].expect("turns of the second engine");
    assert_eq!((second.turns, second.median_us, second.longest_us), (4, 20_000, 60_000));
    assert_eq!(found.iter().flatten().flatten().count(), 3);
    assert_eq!([0, 1, 4, 5].map(figures::phase_tiles), ["80 or more", "15 to 79", "1 to 4", "0"]);
}

#[test]
fn what_was_told_is_held_against_the_result() {
    let told = |percents: &[f64]| percents.iter().map(|&percent| turn("pass", 1, Some(percent))).collect::<Vec<_>>();
    let faulty = lost_by(1, FaultReason::Died, "", game([50, 0], told(&[99.0, 99.0])));
    let pairs = [
        // Engine 1 is player a. It begins the first game and wins it. It loses the second game, which engine 0 begins.
        pair(0, [1, 0], &[game([400, 300], told(&[62.0, 10.0, 64.0])), game([300, 400], told(&[100.0, 61.0]))]),
        // A tie, numbers that are not percentages, and a game that a fault ended.
        pair(1, [1, 0], &[game([350, 350], told(&[62.0, 150.0, -1.0, f64::NAN])), faulty]),
    ];
    let [other, engine] = &figures::calibrations(2, &pairs)[..] else { panic!("two engines") };
    let bins: Vec<(u64, u64, f64)> = engine.bins().map(|bin| ((100.0 * bin.from).round() as u64, bin.count, bin.happened)).collect();
    // 62, 64, 61 and 62 % in the bin from 60 on: two turns of a win, one of a loss, one of a tie.
    assert_eq!(bins, [(60, 4, 0.625)]);
    let predicted = engine.bins().next().expect("a bin").predicted;
    assert!((predicted - 0.6225).abs() < 1e-9);
    let brier = (0.38f64.powi(2) + 0.36f64.powi(2) + 0.61f64.powi(2) + 0.12f64.powi(2)) / 4.0;
    assert!((engine.brier() - brier).abs() < 1e-9);
    // 10 % in the game that it lost, 100 % in the one that it won.
    assert_eq!(other.bins().map(|bin| (bin.count, bin.happened)).collect::<Vec<_>>(), [(1, 0.0), (1, 1.0)]);
    let page = page_of(["a", "b"], &pairs);
    for needed in [format!("Brier score {brier:.4}, 4 turns"), "leave out the 1 of 4 games".to_string(), "62.3".to_string()] {
        assert!(page.contains(&needed), "{needed}");
    }
}

#[test]
fn what_was_told_is_held_against_the_result_by_the_tiles_in_the_bag() {
    let told = |percents: &[f64]| percents.iter().map(|&percent| turn("pass", 1, Some(percent))).collect::<Vec<_>>();
    // 86 tiles are in the bag before each pass. Engine 0 reports 80 and 60 in a game that it wins, and 70 in a tie.
    let pairs = [
        pair(0, [0, 1], &[game([400, 300], told(&[80.0, 10.0, 60.0])), game([400, 300], vec![turn("pass", 1, None)])]),
        pair(1, [0, 1], &[game([350, 350], told(&[70.0])), lost_by(0, FaultReason::Died, "", game([0, 50], told(&[99.0])))]),
    ];
    let found = figures::calibrations_by_bag(&Arc::new(GameRules::english()), 2, &pairs);
    let of = found[0][0].expect("turns with 25 tiles and more");
    assert_eq!(of.turns, 3);
    assert!((of.told - 0.7).abs() < 1e-9 && (of.won - 2.5 / 3.0).abs() < 1e-9, "{of:?}");
    // By pair, the sums of reported minus won are -0.6 over two turns and 0.2 over one. The mean is -0.4 / 3 a turn.
    let mean = -0.4 / 3.0;
    let squares = (-0.6f64 - 2.0 * mean).powi(2) + (0.2f64 - mean).powi(2);
    assert!((of.excess() - mean).abs() < 1e-9 && (of.error.expect("two pairs") - (2.0 * squares).sqrt() / 3.0).abs() < 1e-9, "{of:?}");
    let other = found[1][0].expect("a turn of the other engine");
    assert_eq!(other, ToldAndWon { turns: 1, told: 0.1, won: 0.0, error: None, line: None });
    let all = found[2][0].expect("turns of both engines");
    assert!(all.turns == 4 && (all.told - 0.55).abs() < 1e-9 && (all.won - 0.625).abs() < 1e-9, "{all:?}");
    assert!(found.iter().all(|rows| rows[1..].iter().all(Option::is_none)));
    assert_eq!([0, 1, 5, 6].map(figures::bag_row_tiles), ["25 or more", "15 to 24", "1 to 2", "0"]);
    let page = page_of(["a", "b"], &pairs);
    for needed in ["id=\"calibration-by-bag\"", "-13.3", "+10.0", "<td>all engines</td>", "-7.5"] {
        assert!(page.contains(needed), "{needed}");
    }
    // Of ten games each, three are won after 30 % and seven after 70 %: an accurate engine.
    let of_ten = |percent: f64, wins: i32| {
        (0..10).map(move |number| game(if number < wins { [400, 300] } else { [300, 400] }, vec![turn("pass", 1, Some(percent))]))
    };
    let accurate: Vec<PairRecord> =
        of_ten(30.0, 3).chain(of_ten(70.0, 7)).map(|one| pair(0, [0, 1], &[one, game([400, 300], Vec::new())])).collect();
    let line = figures::calibrations_by_bag(&Arc::new(GameRules::english()), 2, &accurate)[0][0].and_then(|of| of.line).expect("a line");
    assert!(line.intercept.value.abs() < 1e-9 && (line.slope.value - 1.0).abs() < 1e-9, "{line:?}");
    let page = page_of(["a", "b"], &accurate);
    assert!(page.contains("<td class=\"number\">1.00 ± 0.5"), "the slope is on the page");
}

#[test]
fn shares_have_bounds_also_at_the_ends() {
    for (share, tries, expected) in [(0.5, 10, [0.2366, 0.7634]), (0.0, 10, [0.0, 0.2775]), (1.0, 10, [0.7225, 1.0])] {
        let found = figures::share_bounds(share, tries);
        assert!((0..2).all(|at| (found[at] - expected[at]).abs() < 1e-4), "{found:?}");
    }
}

#[test]
fn scores_are_those_of_games_that_no_fault_ended() {
    let faulty = lost_by(0, FaultReason::Late, "", game([-50, 0], Vec::new()));
    let pairs = [
        pair(0, [0, 1], &[game([400, 300], Vec::new()), game([397, 404], Vec::new())]),
        pair(1, [1, 0], &[game([310, 540], Vec::new()), faulty]),
    ];
    let [scores, spreads] = figures::scores_and_spreads(2, &pairs);
    // 300 to 540 in some 24 bins.
    assert_eq!((scores.first, scores.step, scores.bins()), (300, 10, 25));
    let counts = |engine: usize| {
        let counts = scores.engines[engine].counts.iter().enumerate().filter(|(_, count)| **count > 0);
        counts.map(|(bin, count)| (300 + 10 * bin, *count)).collect::<Vec<_>>()
    };
    assert_eq!((counts(0), counts(1)), (vec![(390, 1), (400, 1), (540, 1)], vec![(300, 1), (310, 1), (400, 1)]));
    assert_eq!(scores.engines[0].least_median_most, [397, 400, 540]);
    assert_eq!((spreads.engines[0].least_median_most, spreads.engines[1].least_median_most), ([-7, 100, 230], [-230, -100, 7]));
    assert!((spreads.engines[0].moments.mean - 323.0 / 3.0).abs() < 1e-9);
    assert_eq!(spreads.first, -240);
}

#[test]
fn a_page_is_well_formed_with_none_one_and_many_pairs() {
    let plays = || vec![turn("8E.RAIN", 10, Some(55.0)), turn("pass", 0, None)];
    let games = || [game([400, 300], plays()), lost_by(1, FaultReason::Word, "QIZX is not in ENABLE", game([300, 250], plays()))];
    let pairs: Vec<PairRecord> = (0..30).map(|number| pair(number, [0, 1], &games())).collect();
    let empty = page_of(["a", "b"], &[]);
    assert!(empty.contains("No pair has been played yet") && empty.contains("No game was lost by a fault"));
    let one = page_of(["a", "b"], &pairs[..1]);
    let many = page_of(["a", "b"], &pairs);
    for page in [&one, &many] {
        for needed in [
            "id=\"ratings-over-time\"",
            "id=\"scores\"",
            "id=\"spreads\"",
            "id=\"times\"",
            "id=\"calibration\"",
            "id=\"calibration-by-bag\"",
            "QIZX is not in ENABLE",
            "2 : 0",
            "prefers-color-scheme: dark",
            "@media print",
            "default-src 'none'",
        ] {
            assert!(page.contains(needed), "{needed}");
        }
        // Each plot has a name and its numbers.
        assert_eq!(page.matches("role=\"img\"").count(), page.matches("role=\"img\" aria-label=\"").count());
        assert_eq!(page.matches("<summary>Numbers</summary>").count(), 6);
        assert!(!page.contains("NaN") && !page.contains("inf"), "a number is none");
    }
    // Long lists are folded.
    assert_eq!((one.matches("<details open>").count(), many.matches("<details open>").count()), (2, 0));
}

#[test]
fn the_page_has_what_the_report_has() {
    let lucky = |scores: [i32; 2], points: i64| {
        let mut game = game(scores, vec![turn("8E.RAIN", 10, None)]);
        game.result.luck = Some(Luck { millipoints: 1000 * points, win_millionths: 10_000 * points });
        game.result.counts = Some(TurnCounts { exchanges: [2, 1], sacrifices: [3, 0] });
        game.result.bingos = [2, 1];
        game
    };
    let pairs: Vec<PairRecord> = (0..40)
        .map(|number| pair(number, [0, 1], &[lucky([400, 300 + 5 * number as i32], 9), lucky([420, 310], 3 - number as i64)]))
        .collect();
    let header = TournamentHeader {
        machine: Some(MachineSpeed { alone: 1000.0, at_once: 2, together: 900.0 }),
        configuration: json!({ "seed": 7, "format": "copies" }),
        ..header()
    };
    let page = page_with(&header, ["mine", "mine (copy)"], &pairs, &["runner: <1 %".to_string()]);
    for needed in [
        "machine at the start: a static player plays 1000 turns a second alone, and 900 with 2 at once (90 %)",
        "Per game, on average",
        "Idle, ms",
        "Normalised Elo",
        "Divergent",
        "Figures of both side by side",
        "bingos per game",
        "exchanges",
        "in 80 games",
        "spread of mine",
        "95 %: ",
        "pairs by wins of mine",
        "Without the luck of the draws",
        " times as many pairs",
        "Engines against copies of themselves",
        "more than chance",
        "in this process; limits of its own",
        "How the run ended",
        "runner: &lt;1 %",
    ] {
        assert!(page.contains(needed), "{needed}");
    }
    assert!(!page.contains("NaN") && !page.contains("inf "), "a number is none");
}

#[test]
fn what_engines_are_called_and_say_is_text_on_the_page() {
    let died = lost_by(0, FaultReason::Died, "<script>alert(2)</script>", game([0, 50], Vec::new()));
    let page = page_of(["<b>\"&", "</td>"], &[pair(0, [0, 1], &[game([1, 2], Vec::new()), died])]);
    assert!(page.contains("&lt;b&gt;&quot;&amp;") && page.contains("&lt;/td&gt;") && page.contains("&lt;script&gt;alert(2)"));
    assert!(!page.contains("<script>") && !page.contains("<b>"));
}
