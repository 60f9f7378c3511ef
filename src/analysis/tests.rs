//! Tests on whole games: exact values against a plain search, labels, noise,
//! threads and round trips.

use crate::analysis::analyst::{AnalysisCourse, judged_labels};
use crate::analysis::judge::{JudgeQuestion, Judgement, TurnJudge};
use crate::analysis::report::{
    Certainty, GamePart, GameReport, LOSS_RULE, LabelKind, Loss, LossMeasure, MistakeSize, RackSource, ReportKind, SCHEMA, TurnReport,
    TurnVerdict,
};
use crate::analysis::{GameAnalyst, JudgeBudget, ReportHeading, annotated, position_list, text};
use crate::engine::Engine;
use crate::engine::builder::plain_engine;
use crate::formats::{cgp, gcg, small_rules};
use crate::rules::{GameRules, Layout, Play, Position, Seat, Turn};
use crate::search::candidates::ALL_PLAYS;
use crate::search::pre_endgame::brute;
use crate::search::{OpponentModel, RunSettings, SearchPosition, Signals};
use std::sync::Arc;

/// The beginning of a game with a phony that stands, one that is taken back, a missing rack, and a pass.
pub(super) const GAME: &str = "\
#player1 Ann Ann Arbor
#player2 Ben
>Ann: ACEIRTV 8D VICAR +28 28
>Ben: AEFGHII H8 .EFG +8 8
>Ann: AEINRST I2 RETINAS +70 98
>Ben: AHIIOOU - +0 8
>Ann: EGOP 3H P.G +6 104
>Ben: AHIIOOU 6I .IOU +6 14
>Ben: AHIIOOU -- -6 8
>Ann: BDGILNP - +0 104
";

fn heading() -> ReportHeading {
    let budget = JudgeBudget::of_iterations(40).text();
    ReportHeading { source: "game.gcg".to_string(), budget, date: Some("2026-11-23".to_string()) }
}

fn analysed(text: &str, engine: &Engine, seed: u64) -> GameReport {
    let mended = gcg::read(text, engine.rules()).unwrap();
    let given_up = Signals::default();
    let analyst = GameAnalyst { engine, opponent: OpponentModel::Uniform, seed, given_up: &given_up };
    analyst.analyse(&mended, &heading(), &mut JudgeBudget::of_iterations(40)).unwrap()
}

/// The report of a game, with a small budget.
pub(super) fn report_of(text: &str) -> (GameReport, Arc<GameRules>) {
    (analysed(text, plain_engine(), 1), Arc::clone(plain_engine().rules()))
}

/// The mover's lead at the end if both play their best: all plays of all turns, with nothing left out.
fn brute_lead(engine: &Engine, position: &Position) -> i32 {
    let mover = position.on_turn();
    let plays = engine.static_ranking(position, ALL_PLAYS).unwrap();
    let lead = |play: Play| {
        let after = position.after(&Turn::Play(play)).unwrap();
        if after.end().is_some() { after.scores().lead(mover) } else { -brute_lead(engine, &after) }
    };
    plays.iter().map(|row| row.play).chain([Play::Pass]).map(lead).max().unwrap()
}

fn judge(position: &Position, played: &Play) -> Judgement {
    judge_within(JudgeBudget::Counted { iterations: 200, nodes: 1_000_000 }, position, played)
}

fn judge_within(budget: JudgeBudget, position: &Position, played: &Play) -> Judgement {
    let given_up = Signals::default();
    let judge = TurnJudge { engine: plain_engine(), budget, opponent: OpponentModel::Uniform, given_up: &given_up };
    judge.judge(&JudgeQuestion { position, played: Some(played), opponent_turns: &[] }, 7).unwrap().unwrap()
}

#[test]
fn losses_with_an_empty_bag_are_those_of_a_search_that_leaves_nothing_out() {
    let engine = plain_engine();
    // Three tiles each, so that all plays of all turns can be examined.
    let board = "CIVIC10/15/15/15/15/15/15/3TOWARD6/15/15/15/15/15/15/15";
    let mut checked = 0;
    for (racks, scores) in [("AE/T", "50/51"), ("EO/N", "300/290"), ("QI/E", "100/100")] {
        // A small alphabet of only these tiles leaves none for the bag.
        let (own, other) = racks.split_once('/').unwrap();
        let mut letters = String::from("?,?,0,0,0\n");
        let all = format!("CIVICTOWARD{own}{other}");
        for c in 'A'..='Z' {
            let count = all.chars().filter(|&letter| letter == c).count();
            letters.push_str(&format!("{c},{},{count},1,{}\n", c.to_ascii_lowercase(), u8::from("AEIOU".contains(c))));
        }
        let distribution = crate::formats::letter_distribution::parse("few", &letters).unwrap();
        let rules = GameRules::standard(Arc::new(distribution), Arc::new(Layout::standard()));
        let position = cgp::parse(&format!("{board} {racks} {scores} 0"), &rules).unwrap().position;
        let position = SearchPosition::new(position).unwrap().position().clone();
        let best = brute_lead(engine, &position);
        for row in engine.static_ranking(&position, ALL_PLAYS).unwrap().iter().step_by(3) {
            let after = position.after(&Turn::Play(row.play)).unwrap();
            let lead = if after.end().is_some() { after.scores().lead(Seat::First) } else { -brute_lead(engine, &after) };
            let judged = judge(&position, &row.play);
            assert_eq!(judged.verdict.certainty, Certainty::Exact);
            assert_eq!(judged.verdict.loss.points, f64::from(best - lead), "{racks}: {}", judged.verdict.played.play);
            let win = |lead: i32| f64::from(lead.signum() + 1) / 2.0;
            assert_eq!((judged.verdict.best.win, judged.verdict.played.win), (win(best), win(lead)));
            checked += 1;
        }
    }
    assert!(checked > 10, "{checked}");
}

#[test]
fn results_by_draw_are_those_of_brute_enumeration() {
    let engine = plain_engine();
    let board = "15/15/15/15/15/15/15/5CARET5/10D4/10O4/10G4/15/15/15/15";
    let mut checked = 0;
    for (rack, unseen, scores) in [("AEN", "IRST", "0/0"), ("BEO", "AAIN", "9/0"), ("MOT", "EERS", "0/14")] {
        let rules = small_rules(&format!("CARETDOG{rack}{unseen}"), 3);
        let position = cgp::parse(&format!("{board} {rack}/ {scores} 0"), &rules).unwrap().position;
        assert_eq!(position.in_bag(), 1);
        for row in
            engine.static_ranking(&position, ALL_PLAYS).unwrap().iter().filter(|row| row.play.placement().is_some()).step_by(4).take(6)
        {
            let judged = judge(&position, &row.play);
            if judged.verdict.certainty != Certainty::Exact {
                continue;
            }
            let half_wins = brute::worth(&position, &row.play, &engine.knowledge().lexicon).half_wins;
            assert_eq!(judged.verdict.played.win, half_wins as f64 / 8.0, "{rack}: {}", judged.verdict.played.play);
            // Each draw comes once, and has all unseen tiles.
            let told = judged.verdict.draws.iter().find(|draws| draws.play == judged.verdict.played.play).unwrap();
            let count = |draws: &[String]| draws.iter().map(|draw| unseen.matches(draw.as_str()).count() as u64).sum::<u64>();
            assert_eq!(count(&told.wins) + count(&told.ties) + count(&told.losses), 4, "{told:?}");
            assert_eq!(2 * count(&told.wins) + count(&told.ties), half_wins, "{told:?}");
            assert!(judged.verdict.loss.win >= 0.0 && judged.verdict.best.win >= judged.verdict.played.win, "{judged:?}");
            checked += 1;
        }
    }
    assert!(checked > 8, "{checked}");
}

#[test]
fn what_is_not_finished_is_a_hint_and_no_mistake() {
    let engine = plain_engine();
    let position = engine
        .position(
            "13C1/13Oh/8W2MUNI/1DETESTER1VAPID/8YO3NE/5J1PEH4O/4QUAIS3GNU/3GIBBETS1FIAT/3U1E3E2N1S/3I5X2G2/2ODOMETRY2I2/3E3H3AVOW/1cARIOLE3ZA2/\
             7CANNOLI1/7A5FE ADLLRRT/KR 397/433 0",
        )
        .unwrap();
    let of = |nodes| judge_within(JudgeBudget::Counted { iterations: 1, nodes }, &position, &Play::Pass);
    let (hint, exact) = (of(1), of(10_000_000));
    assert_eq!((hint.verdict.certainty, hint.verdict.loss.is_real()), (Certainty::Unfinished, false), "{hint:?}");
    assert_eq!((exact.verdict.certainty, exact.verdict.loss.is_real()), (Certainty::Exact, true), "{exact:?}");
}

#[test]
fn labels_are_given_by_their_rules() {
    let engine = plain_engine();
    let position = engine.position("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0").unwrap();
    let labels = |played: &Play, part, judgement: &Judgement| {
        judged_labels(&position, played, part, judgement).into_iter().map(|label| label.kind).collect::<Vec<_>>()
    };
    let exchange = Play::Exchange(*position.mover_rack());
    let plays = engine.static_ranking(&position, ALL_PLAYS).unwrap();
    let is_short = |play: &Play| play.placement().is_some_and(|placement| placement.tile_count() == 2);
    let short = plays.iter().map(|row| row.play).find(is_short).unwrap();
    // A bingo is best.
    let judged = judge(&position, &Play::Pass);
    assert_eq!(labels(&Play::Pass, GamePart::Opening, &judged), [LabelKind::MissedBingo]);
    assert_eq!(labels(&exchange, GamePart::Opening, &judged), [LabelKind::MissedBingo, LabelKind::NeedlessExchange]);
    assert_eq!(labels(&judged.best_play, GamePart::Opening, &judged), []);
    let with = |certainty, loss| TurnVerdict { certainty, loss, ..judged.verdict.clone() };
    let (certainty, loss) = (judged.verdict.certainty, judged.verdict.loss);
    let noise = Judgement { verdict: with(certainty, Loss { within_noise: true, ..loss }), ..judged.clone() };
    assert_eq!(labels(&exchange, GamePart::Opening, &noise), []);
    // An exchange is best.
    let better = Judgement { best_play: exchange, ..judged.clone() };
    assert_eq!(labels(&short, GamePart::Opening, &better), [LabelKind::MissedExchange]);
    assert_eq!(labels(&Play::Pass, GamePart::Opening, &better), []);
    // A won endgame given away: proved, and with an empty bag.
    let blown = Judgement { best_play: short, verdict: with(Certainty::Exact, loss) };
    assert_eq!(labels(&Play::Pass, GamePart::Endgame, &blown), [LabelKind::BlownEndgame]);
    assert_eq!(labels(&Play::Pass, GamePart::PreEndgame, &blown), []);
    let unproved = Judgement { verdict: with(Certainty::Unfinished, loss), ..blown };
    assert_eq!(labels(&Play::Pass, GamePart::Endgame, &unproved), []);
}

#[test]
fn a_game_is_told_turn_by_turn() {
    let (report, _) = report_of(GAME);
    let told: Vec<String> = report
        .turns
        .iter()
        .map(|turn| {
            let labels: Vec<&str> = turn.labels.iter().map(|label| label.kind.name()).collect();
            let source = match turn.rack_source {
                RackSource::Stated => "",
                RackSource::Deduced => "=",
                RackSource::Unknown => "?",
            };
            let judged = if turn.verdict.is_some() { "judged" } else { "skipped" };
            format!(
                "{} {} {source}{} {} {} {judged} {}",
                turn.line,
                turn.player.index(),
                turn.rack,
                turn.play,
                turn.score,
                labels.join(",")
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "3 0 ACEIRTV 8D.VICAR 28 judged ",
            "4 1 AEFGHII H8.REFG 8 judged phony",
            "5 0 AEINRST I2.RETINAS 70 judged challenge missed",
            "6 1 AHIIOOU pass 0 judged ",
            "7 0 ?EGOP 3H.PEG 6 skipped ",
            "8 1 AHIIOOU 6I.NIOU 0 judged phony",
            "10 0 BDGILNP pass 0 judged ",
        ]
    );
    assert_eq!(report.notes.iter().map(|note| note.line).collect::<Vec<_>>(), [Some(7)]);
}

#[test]
fn with_a_model_of_the_opponent_a_game_with_phonies_is_judged_to_its_end() {
    let engine = plain_engine();
    let mended = gcg::read(GAME, engine.rules()).unwrap();
    let given_up = Signals::default();
    let of = |opponent| {
        let analyst = GameAnalyst { engine, opponent, seed: 1, given_up: &given_up };
        analyst.analyse(&mended, &heading(), &mut JudgeBudget::of_iterations(40)).unwrap()
    };
    let (plain, inferred) = (of(OpponentModel::Uniform), of(OpponentModel::Static));
    let judged = |report: &GameReport| report.turns.iter().map(|turn| turn.verdict.is_some()).collect::<Vec<_>>();
    assert_eq!(judged(&inferred), judged(&plain));
    assert_eq!(inferred.run.opponent, "static");
    // Before the first turn there is nothing to infer from. After it the samples differ.
    assert_eq!(inferred.turns[0], plain.turns[0]);
    assert!(inferred.turns[2..].iter().zip(&plain.turns[2..]).any(|(inferred, plain)| inferred.verdict != plain.verdict));
}

#[test]
fn what_was_judged_before_is_not_judged_again() {
    struct Again<'a> {
        before: &'a GameReport,
        asked: usize,
    }
    impl AnalysisCourse for Again<'_> {
        fn budget(&mut self, _: usize) -> Option<JudgeBudget> {
            self.asked += 1;
            Some(JudgeBudget::of_iterations(40))
        }

        fn judged_before(&mut self, turn: usize) -> Option<TurnReport> {
            (turn < 3).then(|| self.before.turns[turn].clone())
        }
    }
    let (whole, _) = report_of(GAME);
    let mended = gcg::read(GAME, plain_engine().rules()).unwrap();
    let given_up = Signals::default();
    let analyst = GameAnalyst { engine: plain_engine(), opponent: OpponentModel::Uniform, seed: 1, given_up: &given_up };
    let mut course = Again { before: &whole, asked: 0 };
    assert_eq!(analyst.analyse(&mended, &heading(), &mut course).unwrap(), whole);
    // One of the four other racks is unknown.
    assert_eq!(course.asked, 3);
}

#[test]
fn positions_of_a_list_are_judged_alone_and_without_a_play_nothing_is_lost() {
    let list = "\
15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0
15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0 moves pass
15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 / 0/0 0
";
    let list = position_list::read(list, plain_engine().rules());
    let given_up = Signals::default();
    let analyst = GameAnalyst { engine: plain_engine(), opponent: OpponentModel::Uniform, seed: 1, given_up: &given_up };
    let report = analyst.analyse_positions(&list, &heading(), &mut JudgeBudget::of_iterations(40)).unwrap();
    let [asked, passed, unknown] = &report.turns[..] else { panic!("{report:?}") };
    assert!(asked.judged().is_none() && asked.verdict.as_ref().is_some_and(|verdict| verdict.best.win > 0.5), "{asked:?}");
    assert!(passed.judged().is_some_and(|verdict| verdict.loss.win > 0.04), "{passed:?}");
    assert_eq!(unknown.skipped.as_deref(), Some("the rack is unknown"));
    assert_eq!((report.kind, report.players[Seat::First].totals.all.turns), (ReportKind::Positions, 1));
    let lines = text::lines(&report);
    assert!(lines[0].starts_with("3 positions") && lines.iter().any(|line| line.contains("wins ")), "{lines:#?}");
}

#[test]
fn the_same_seed_gives_the_same_report_for_any_number_of_threads() {
    let one = analysed(GAME, plain_engine(), 3);
    let engine = plain_engine().with_settings(RunSettings { threads: 3, ..plain_engine().settings() });
    assert_eq!(analysed(GAME, &engine, 3), one);
    assert_ne!(analysed(GAME, &engine, 4).turns, one.turns);
}

#[test]
fn a_best_play_loses_nothing_and_a_pass_loses_much() {
    let engine = plain_engine();
    let position = engine.position("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0").unwrap();
    let Judgement { best_play, verdict: pass } = judge(&position, &Play::Pass);
    assert!(pass.loss.is_real() && pass.loss.win > 0.04 && pass.loss.win < 0.6, "{:?}", pass.loss);
    assert_eq!((pass.loss.measure, pass.certainty, pass.iterations), (LossMeasure::Win, Certainty::Sampled, 200));
    // The paired error is smaller than that of two independent plays.
    assert!(pass.loss.win_error < pass.best.win_error.hypot(pass.played.win_error), "{pass:?}");
    assert!(pass.rank.is_some_and(|rank| rank > 1) && pass.static_rank.is_some_and(|rank| rank > 1), "{pass:?}");
    let best = judge(&position, &best_play).verdict;
    assert_eq!((best.loss.win, best.loss.points, best.rank, best.loss.is_real()), (0.0, 0.0, Some(1), false));
}

#[test]
fn a_report_is_read_back_from_json_as_it_was() {
    let (report, _) = report_of(GAME);
    let text = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<GameReport>(&text).unwrap(), report);
    assert_eq!(report.schema, SCHEMA);
    assert!(report.turns.iter().filter_map(|turn| turn.verdict.as_ref()).any(|verdict| verdict.macondo != MistakeSize::None));
}

#[test]
fn notes_stand_behind_their_turns_and_the_record_stays_a_record() {
    let (report, rules) = report_of(GAME);
    let mended = gcg::read(GAME, &rules).unwrap();
    let record = gcg::print(&annotated::annotated(&mended, &report));
    let lines: Vec<&str> = record.lines().collect();
    let behind = |event: &str| {
        let at = lines.iter().position(|line| line.starts_with(event)).unwrap_or_else(|| panic!("{event} in {record}"));
        lines[at + 1].to_string()
    };
    assert!(behind(">Ben: AHIIOOU --").ends_with("; phony"), "{record}");
    assert!(behind(">Ann: EGOP").starts_with("#note not judged: the rack is known in part"), "{record}");
    let again = gcg::parse(&record, &rules).unwrap();
    assert_eq!(again.events.len(), mended.game.events.len());
    gcg::replay(&again, &rules, None).unwrap();
}

#[test]
fn the_text_has_a_line_a_turn_and_the_sums() {
    let (report, _) = report_of(GAME);
    let lines = text::lines(&report);
    for turn in &report.turns {
        assert!(lines.iter().any(|line| line.trim_start().starts_with(&format!("{} ", turn.number)) && line.contains(&turn.play)));
    }
    assert!(lines[0].starts_with("Ann 104 - Ben 8") && lines.iter().any(|line| line.starts_with("line 7: ")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("Ann: lost ") && line.contains("luck of the draws")), "{lines:#?}");
}

#[test]
fn every_form_says_the_same_of_a_loss() {
    let (mut report, rules) = report_of(GAME);
    let mended = gcg::read(GAME, &rules).unwrap();
    let judged =
        report.turns.iter().position(|turn| turn.judged().is_some_and(|verdict| verdict.best.play != verdict.played.play)).unwrap();
    for (measure, told, reason) in
        [(LossMeasure::Win, "12.5 % ± 1.0", ""), (LossMeasure::Points, "8.0 points ± 0.5", ", as neither play changes the winner")]
    {
        let loss = Loss { win: 0.125, win_error: 0.01, points: 8.0, points_error: 0.5, measure, within_noise: false };
        let verdict = report.turns[judged].verdict.as_mut().unwrap();
        verdict.loss = loss;
        assert_eq!(loss.counted(), if measure == LossMeasure::Win { (0.125, 0.0) } else { (0.0, 8.0) });
        assert_eq!(text::lost_text(verdict), told);
        assert!(text::lines(&report).iter().any(|line| line.contains(told)));
        assert!(gcg::print(&annotated::annotated(&mended, &report)).contains(&format!("lost {told}{reason}")), "{told}");
        #[cfg(feature = "web")]
        assert!(crate::analysis::html::page(&report, &rules).contains(&format!(">{told}</span>")), "{told}");
    }
    // One sentence for players, in all forms that have room for it.
    assert!(text::lines(&report).contains(&LOSS_RULE.to_string()));
    #[cfg(feature = "web")]
    assert!(crate::analysis::html::page(&report, &rules).matches(LOSS_RULE).count() > 1);
    let flat = |text: &str| text.replace("///", " ").split_whitespace().collect::<Vec<_>>().join(" ");
    for text in [include_str!("../../docs/analysing.md"), include_str!("../cli/mod.rs")] {
        assert!(flat(text).contains(LOSS_RULE));
    }
}
