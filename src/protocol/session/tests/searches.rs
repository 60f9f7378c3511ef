//! Tests of `go`, from its parameters to its best move.

use super::*;
use crate::protocol::parameters::{self, Answerer, ParameterRole};

#[test]
fn a_search_from_its_position_to_its_best_move() {
    check_with_provenance(
        "< position startpos
         < rack AEINRST
         < go gen firstwin ponder plays 3
         info string ignored firstwin
         info string ignored ponder
         PROVENANCE
         (search gen)
         ! finished
         info gen move pass score 0 eq -1.500 leave AEINRST
         bestmove pass
         < go sim movetime 300
         PROVENANCE
         (search sim for 300 ms)
         ! report
         info depth 2 time 5 nodes 16 nps 3200 rows 1
         info sim move pass wp 25.000 wpse 10.000 eq -1.500 eqse 2.000 iters 8 score 0
         < isready
         readyok
         ! finished
         info depth 2 time 10 nodes 16 nps 1600 rows 1
         info sim move pass wp 25.000 wpse 10.000 eq -1.500 eqse 2.000 iters 8 score 0
         bestmove pass",
    );
}

#[test]
fn after_a_game_there_is_no_best_move() {
    check_with_provenance(
        "< position startpos
         < gameover win spread 100
         < go
         PROVENANCE
         bestmove none
         < go infinite movetime 5
         info string ignored movetime
         PROVENANCE
         < stop
         (stop)
         bestmove none
         < play 8G.CAT
         info string error bad-move play: the game is over: send undo, or position for another game",
    );
}

#[test]
fn static_equity_is_taken_apart_as_searches_see_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("mini.txt"), "cat\ncab\n").unwrap();
    // With static leaves AB is worth five points, with dynamic ones nothing.
    std::fs::write(file("mini.klv2"), klv2::to_bytes(&[(&[1, 2][..], 5.0)].into_iter().collect()).unwrap()).unwrap();
    let equal_racks = vec![Millipoints::ZERO; MultisetRanks::new(27).count(7)];
    std::fs::write(file("mini.racks"), leave_table::racks_to_bytes(27, &equal_racks)).unwrap();
    let script = "< setoption name DataPath value FOLDER
         < setoption name Lexicon value mini
         < position startpos moves rack.AABCT
         < eval 8H.CAT ex.ACT 8H.ACT
         info string eval 8H.ACT eq 10.000 = score 10 + leave AB 0.000 + adjustments 0.000
         info string eval 8H.CAT eq 9.300 = score 10 + leave AB 0.000 + adjustments -0.700
         info string eval ex.ACT eq 0.000 = score 0 + leave AB 0.000 + adjustments 0.000
         < eval 8H.CAT ex.CTZ
         info string error bad-move eval: column 13: there is no Z on the rack AABCT
         < eval 8A.CAT
         info string error bad-move eval: column 6: 8A.CAT: the first play must cover 8H
         < eval 8H.CATS soon
         info string error bad-move eval: column 6: there is no S on the rack AABCT";
    check(&script.replace("FOLDER", &folder.path().display().to_string()));
}

#[test]
fn clocks_and_limits_become_a_time() {
    check_with_provenance(
        "< position startpos moves rack.AEINRST
         < go
         PROVENANCE
         (search sim for 5000 ms)
         ! finished
         ...
         < go mytime 0 opptime 5
         info string ignored opptime
         PROVENANCE
         (search sim for 1 ms)
         ! finished
         ...
         < go 1time 600000 2time 1 movetime 3
         info string ignored 2time
         PROVENANCE
         (search sim for 3 ms)
         ! finished
         ...
         < go iterations 10
         PROVENANCE
         (search sim)
         ! finished
         ...",
    );
}

#[test]
fn auto_is_the_search_of_the_phase_with_the_limits_that_it_counts() {
    let board = "13C1/13Oh/8W2MUNI/1DETESTER1VAPID/8YO3NE/5J1PEH4O/4QUAIS3GNU/3GIBBETS1FIAT/3U1E3E2N1S/3I5X2G2/2ODOMETRY2I2/3E3H3AVOW/1cARIOLE3ZA2/7CANNOLI1/7A5FE";
    let check = |go: &str, ignored: &[&str], search: &str| {
        let ignored: String = ignored.iter().map(|what| format!("info string {what}\n")).collect();
        check_with_provenance(&format!(
            "< position cgp {board} ADLLRRT/KR 397/433 0
             < {go}
             {ignored}PROVENANCE
             {search}
             < stop
             (stop)"
        ));
    };
    check("go", &[], "(search endgame for 5000 ms)");
    check("go auto movetime 70", &[], "(search endgame for 70 ms)");
    // An endgame has no samples: something else must end it.
    let ignored = ["ignored iterations", "ignored stopcondition", "limit movetime 5000"];
    check("go auto iterations 500 stopcondition 99", &ignored, "(search endgame for 5000 ms)");
    check("go auto nodes 500", &[], "(search endgame)");
    check("go auto depth 3", &[], "(search endgame)");
    check("go sim iterations 500", &[], "(search sim)");
    // 60 % of what is left but for the reserve, and the overhead of this turn and three more.
    check("go mytime 10000 opptime 1", &["ignored opptime"], "(search endgame for 5892 ms)");
    check_with_provenance(&format!(
        "< position cgp {board} ADLLRRT/KR 397/433 0
         < setoption name OpponentPasses value true
         < go
         PROVENANCE
         (search sim for 5000 ms)
         < stop
         (stop)"
    ));
}

#[test]
fn the_ucgi_dialect_has_no_lines_of_the_others() {
    check(
        "< ucgi
         ...
         < position startpos moves 8H.AT rack.AEINRST
         < go sim iterations 9 firstwin
         (search sim)
         ! report
         info currmove pass sc 0 wp 25.000 wpe 25.760 eq -1.500 eqe 5.152 it 8 ig 0
         bestsofar pass
         info nps 3200.0 depth 2 time 5 nodes 16
         ! finished
         info nps 1600.0 depth 2 time 10 nodes 16
         info currmove pass sc 0 wp 25.000 wpe 25.760 eq -1.500 eqe 5.152 it 8 ig 0
         bestmove pass",
    );
}

#[test]
fn in_ucgi_comments_come_with_debug_on_only() {
    check_with_provenance(
        "< ucgi
         ...
         < position startpos moves 8H.AT rack.AEINRST
         < debug on
         < go sim iterations 9 firstwin
         info string debug 0 ms received \"go sim iterations 9 firstwin\"
         info string ignored firstwin
         PROVENANCE
         (search sim)
         < debug off
         info string debug 0 ms received \"debug off\"
         ! finished
         info nps 1600.0 depth 2 time 10 nodes 16
         info currmove pass sc 0 wp 25.000 wpe 25.760 eq -1.500 eqe 5.152 it 8 ig 0
         bestmove pass
         < go sim iterations 9 firstwin
         (search sim)
         < stop
         (stop)",
    );
}

/// One tile in the bag.
const PRE_ENDGAME: &str = "15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/ABy1PIT2BRIG2/ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V7/AT5E7/G6D7 ENOSTXY/ 356/378 0";

/// An empty bag.
const ENDGAME: &str = "5BERGS5/4PA3U5/2QAID3R5/3BEE3F2S2/1P1ET2VIATIC2/MA1TAW3c2H2/ES3IS2E2A2/AT1FOLIA4V2/LI1L1EX1E6/1N1O1D2N2Y3/1GNU2C1JETE3/2ER2OHO2N3/2O3GOY6/1INDOW1U7/4DORR7 IKLMTZ/AEINRU? 0/0 0";

/// A conversation after these lines.
fn conversation_after(said: &[&str]) -> Conversation {
    let mut conversation = Conversation::new();
    for line in said {
        assert_eq!(conversation.say(line), [""; 0], "{line}");
    }
    conversation
}

/// The replies before a search, and the settings that parameters can change, as text.
fn plan_of(conversation: &mut Conversation, go: &str) -> (Vec<String>, String) {
    let mut told = conversation.say(go);
    let started = told.pop().filter(|line| line.starts_with("(search ")).unwrap_or_else(|| panic!("{go}: {told:?}"));
    let SessionState::Searching(running) = &conversation.session.state else { panic!("{go} starts no search") };
    let valid = running.challenge.as_ref().map(|course| course.answer.valid);
    let plan = format!("{started} {} {} {:?} {:?} {valid:?}", running.rows, running.is_infinite, conversation.info_ms, conversation.work);
    let is_challenge = running.challenge.is_some();
    told.retain(|line| !line.contains("challenge"));
    assert!(told.pop().is_some_and(|line| line.starts_with("info string provenance ")), "{go}");
    conversation.say("stop");
    let outcome = Outcome { best: None, last: None, solved: true };
    let mut ended = conversation.happen(SessionEvent::Finished { outcome, elapsed_ms: 1 });
    assert_eq!(ended.pop().as_deref(), Some("bestmove none"));
    assert_eq!(ended.is_empty(), !is_challenge);
    (told, plan)
}

#[test]
fn in_every_mode_each_parameter_has_an_effect_or_is_named() {
    let empty = "position startpos moves rack.AEINRST".to_string();
    let [pre_endgame, endgame] = [PRE_ENDGAME, ENDGAME].map(|cgp| format!("position cgp {cgp}"));
    let opened = "position startpos moves 8G.DOG rack.AEINRST".to_string();
    let static_player = ["setoption name Player value static"];
    let misere = ["setoption name Variant value misere"];
    let modes = [
        ("go gen", Answerer::Static, &empty, &[][..]),
        ("go sim", Answerer::Simulation, &pre_endgame, &[]),
        ("go sim", Answerer::MisereSimulation, &empty, &misere),
        ("go auto", Answerer::MisereSimulation, &empty, &misere),
        ("go peg", Answerer::PreEndgame, &pre_endgame, &[]),
        ("go endgame", Answerer::Endgame, &endgame, &[]),
        ("go", Answerer::Simulation, &empty, &[]),
        ("go auto", Answerer::PreEndgame, &pre_endgame, &[]),
        ("go auto", Answerer::Endgame, &endgame, &[]),
        ("go auto", Answerer::Player, &empty, &static_player),
        ("go infer", Answerer::Inference, &opened, &[]),
        ("go challenge", Answerer::Challenge, &opened, &[]),
        ("go replies", Answerer::Replies, &empty, &[]),
    ];
    for (go, kind, position, settings) in modes {
        let mut conversation = conversation_after(&[settings, &[position.as_str()]].concat());
        // In the last mode player 2 is on turn, else player 1.
        // Challenges and replies use no clock.
        let other_seat = match kind {
            Answerer::Inference => '1',
            Answerer::Challenge | Answerer::Replies => '-',
            _ => '2',
        };
        for row in parameters::TABLE {
            let (beside, value) = match row.name() {
                "firstwin" | "useinference" | "infinite" => ("", ""),
                "searchmoves" if kind == Answerer::Replies => ("", " 8G.TIN"),
                "searchmoves" | "alsosearchmoves" => ("", " pass"),
                "stopcondition" => ("", " 95"),
                "prob" => ("", " 0.3"),
                // An increment alone is not a clock.
                "myinc" => (" mytime 900000", " 6000"),
                "1inc" => (" 1time 900000", " 6000"),
                "2inc" if kind == Answerer::Inference => (" 2time 900000", " 6000"),
                _ => ("", " 3"),
            };
            // There is no inference to use.
            let is_used = row.used_by.contains(&kind) && !row.name().starts_with(other_seat) && row.name() != "useinference";
            let (told_before, before) = plan_of(&mut conversation, &format!("{go}{beside}"));
            let (told, after) = plan_of(&mut conversation, &format!("{go}{beside} {}{value}", row.name()));
            let told: Vec<&String> = told.iter().filter(|line| !told_before.contains(line)).collect();
            let what = format!("{go} {} ({kind:?})", row.name());
            if is_used {
                assert_eq!(told, [""; 0], "{what}");
                assert_ne!(before, after, "{what} has no effect and is not named");
            } else {
                assert_eq!(told.first(), Some(&&format!("info string ignored {}", row.name())), "{what}");
                let limit = match (row.role, kind, go) {
                    (ParameterRole::Other, ..) | (_, Answerer::Static | Answerer::Player, _) => None,
                    _ if row.name().starts_with(other_seat) => None,
                    (_, Answerer::Inference, _) | (_, Answerer::Endgame, "go endgame") => {
                        Some("info string limit none, until it is solved")
                    }
                    _ => Some("info string limit movetime 5000"),
                };
                assert_eq!(told[1..], limit.iter().collect::<Vec<_>>(), "{what}");
                assert_eq!(before, after, "{what} is named and has an effect");
            }
        }
    }
}

#[test]
fn what_ends_a_search_whose_limits_are_of_no_use_is_told() {
    let told = |position: &str, go: &str| plan_of(&mut conversation_after(&[&format!("position cgp {position}")]), go).0;
    let all = "go iterations 20 seed 3 alsosearchmoves pass plays 2 multipv 2 stopcondition 95";
    let names = ["iterations", "stopcondition", "alsosearchmoves", "plays", "multipv", "seed"];
    let mut expected: Vec<String> = names.map(|name| format!("info string ignored {name}")).to_vec();
    expected.push("info string limit movetime 5000".to_string());
    assert_eq!(told(ENDGAME, all), expected);
    assert_eq!(told(PRE_ENDGAME, "go iterations 100"), ["info string ignored iterations", "info string limit movetime 5000"]);
    // Another limit is left, or there is none to report.
    assert_eq!(told(PRE_ENDGAME, "go iterations 100 nodes 5000"), ["info string ignored iterations"]);
    assert_eq!(told(PRE_ENDGAME, "go iterations 100 infinite"), ["info string ignored iterations"]);
    assert_eq!(told(ENDGAME, "go endgame iterations 100 depth 2"), ["info string ignored iterations"]);
    assert_eq!(told(ENDGAME, "go"), [""; 0]);
}

#[test]
fn on_a_clock_an_endgame_is_searched_however_few_plays_are_asked_for() {
    let mut conversation = conversation_after(&[&format!("position cgp {ENDGAME}")]);
    let (_, plan) = plan_of(&mut conversation, "go mytime 60000 plays 1");
    assert!(plan.contains("skip_if_forced: true") && plan.contains("most: None"), "{plan}");
}

#[test]
fn a_simulation_shows_a_thousand_rows_unless_it_is_told_a_number() {
    let mut conversation = conversation_after(&["position startpos moves rack.AEINRST"]);
    for (go, rows) in [("go sim plays 5000", 1000), ("go sim plays 5000 multipv 4000", 4000), ("go sim multipv 3", 3)] {
        let (_, plan) = plan_of(&mut conversation, go);
        assert!(plan.contains(&format!("rows: Some({rows})")), "{go}: {plan}");
    }
}

#[test]
fn a_challenge_is_searched_event_by_event() {
    check_with_provenance(
        "< setoption name ChallengeRule value double
         < position startpos moves 8D.QUIZX rack.AEINRST
         < go challenge prob 0.4 movetime 900 mytime 5
         info string ignored mytime
         PROVENANCE
         (search sim for 300 ms)
         ! report
         ! finished
         (search sim for 300 ms)
         < isready
         readyok
         ! finished
         (search sim for 300 ms)
         ! finished
         info string challenge play 8D.QUIZX words QUIZX invalid QUIZX prob 0.400 by stated
         info challenge event stands wp 25.000 wpse 10.000 by sim
         info challenge event off wp 25.000 wpse 10.000 by sim
         info challenge event vain rule double wp 25.000 wpse 10.000 by sim
         info challenge rule double challenge 25.000 accept 25.000 below 0.0000 belowse 0.0000 better accept
         bestmove none
         < go challenge movetime 900
         PROVENANCE
         (search sim for 300 ms)
         < stop
         (stop)
         < go gen multipv 1
         ! finished
         info string challenge play 8D.QUIZX words QUIZX invalid QUIZX prob 0.000 by lexicon
         info challenge event stands wp 25.000 wpse 10.000 by sim
         info challenge rule double unknown: the search was stopped
         bestmove none
         PROVENANCE
         (search gen)
         ! finished
         info gen move pass score 0 eq -1.500 leave AEINRST
         bestmove pass
         < setoption name ChallengeRule value single
         < position startpos moves 8D.IMINO rack.AEINRST
         < go challenge
         PROVENANCE
         (search sim for 2500 ms)
         ! finished
         (search sim for 2500 ms)
         ! finished
         info string challenge play 8D.IMINO words IMINO invalid - prob 1.000 by lexicon
         info challenge event stands wp 25.000 wpse 10.000 by sim
         info challenge event off wp 25.000 wpse 10.000 by sim
         info challenge event vain rule single wp 25.000 wpse 10.000 by sim
         info challenge rule single challenge 25.000 accept 25.000 below 0.0000 belowse 0.0000 better accept
         bestmove none",
    );
}

#[test]
fn what_a_phony_tells_is_inferred_from_the_play_that_was_taken_back() {
    let said = ["setoption name OpponentModel value static", "setoption name ChallengeRule value double"];
    let mut conversation = conversation_after(&[&said[..], &["position startpos moves 8D.QUIZX rack.AEINRST"]].concat());
    conversation.say("go challenge iterations 9");
    for kind in ["Play(Place", "Phony", "Play(Place"] {
        let Some(OrderedWork::Search(request)) = &conversation.work else { panic!("no search is under way") };
        let asked = format!("{request:?}");
        let (_, turns) = asked.split_once("Inferred").expect("the opponent's tiles are inferred");
        assert!(turns.contains(&format!("turn: {kind}")), "{kind}: {turns}");
        conversation.end_search();
    }
}
