//! Conversations as text: lines in, what the session answers and asks for out.
//!
//! `< line` is a line that comes in, `! word` something else that happens; everything else is what must come of it, in order:
//! printed lines, and in parentheses what is to be done outside. `...` stands for any number of printed lines.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use crate::formats::{klv2, leave_table};
use crate::host::logging::LogTarget;
use crate::host::resources::FileResources;
use crate::protocol::parameters::{self, Answerer, ParameterRole};
use crate::protocol::resources::{Loading, ResourceRequest, Resources};
use crate::protocol::session::state::SessionState;
use crate::protocol::session::{OrderedWork, Session, SessionAction, SessionEvent};
use crate::rules::multisets::MultisetRanks;
use crate::rules::units::Millipoints;
use crate::search::SearchKind;
use crate::search::report::{Outcome, PreEndgameBasis, PreEndgameClaim, PreEndgameRow, Report, SimulationRow};
use crate::search::{PreEndgameReport, SimulationReport, StaticReport};
use std::collections::VecDeque;

/// A session, its answers as text, and the last thing asked for.
struct Conversation {
    session: Session,
    resources: FileResources,
    load: Option<(ResourceRequest, Loading)>,
    work: Option<OrderedWork>,
    info_ms: Option<u64>,
    /// Whether what is asked for is loaded at once.
    is_loading_at_once: bool,
}

impl Conversation {
    fn new() -> Conversation {
        let resources = FileResources::new(LogTarget::default());
        Conversation { session: Session::new(), resources, load: None, work: None, info_ms: None, is_loading_at_once: true }
    }

    fn happen(&mut self, event: SessionEvent) -> Vec<String> {
        let mut lines = Vec::new();
        let mut actions: VecDeque<SessionAction> = self.session.handle(event).into();
        while let Some(action) = actions.pop_front() {
            match action {
                SessionAction::Print(reply, dialect) => lines.extend(reply.lines(dialect)),
                SessionAction::Load { request, data_path } if self.is_loading_at_once => {
                    actions
                        .extend(self.session.handle(SessionEvent::Loaded(self.resources.load(request, &Loading::from_path(&data_path)))));
                }
                SessionAction::Load { request, data_path } => {
                    self.load = Some((request, Loading::from_path(&data_path)));
                    lines.push("(load)".to_string());
                }
                SessionAction::StartSearch(order) => {
                    let kind = match &order.work {
                        OrderedWork::Search(request) => match request.kind() {
                            SearchKind::Static => "gen".to_string(),
                            SearchKind::Simulation => "sim".to_string(),
                            SearchKind::PreEndgame => "peg".to_string(),
                            SearchKind::Endgame => "endgame".to_string(),
                            SearchKind::Inference => "infer".to_string(),
                        },
                        OrderedWork::Turn(turn) => turn.player().to_string(),
                    };
                    lines.push(match order.movetime_ms {
                        Some(ms) => format!("(search {kind} for {ms} ms)"),
                        None => format!("(search {kind})"),
                    });
                    (self.work, self.info_ms) = (Some(order.work), Some(order.info_ms));
                }
                SessionAction::StopSearch => lines.push("(stop)".to_string()),
                SessionAction::StopLoad => {
                    self.load.as_ref().unwrap().1.signals.stop();
                    lines.push("(stop load)".to_string());
                }
                SessionAction::StopBench => lines.push("(stop bench)".to_string()),
                SessionAction::RunBench(_) => lines.push("(bench)".to_string()),
                SessionAction::QuitWithin(_) => lines.push("(quit soon)".to_string()),
                SessionAction::Quit => lines.push("(quit)".to_string()),
            }
        }
        lines
    }

    fn say(&mut self, line: &str) -> Vec<String> {
        self.happen(SessionEvent::Line(line.to_string()))
    }

    /// `! finished`, `! report`, `! loaded`, `! end`, `! load later`, `! no room`, `! room`.
    fn occur(&mut self, what: &str) -> Vec<String> {
        match what {
            "finished" => {
                let report = self.report_of_request();
                let best = match &report {
                    Report::Static(StaticReport { rows }) => Some(rows[0].play),
                    Report::Simulation(SimulationReport { rows, .. }) => Some(rows[0].ranked.play),
                    Report::Endgame(solution) => Some(solution.line[0].play),
                    Report::PreEndgame(PreEndgameReport { rows, .. }) => Some(rows[0].ranked.play),
                    Report::Inference(_) => None,
                };
                self.happen(SessionEvent::Finished { outcome: Outcome { best, last: Some(report), solved: false }, elapsed_ms: 10 })
            }
            "report" => {
                let report = self.report_of_request();
                self.happen(SessionEvent::Report { report, elapsed_ms: 5 })
            }
            "loaded" => {
                let (request, loading) = self.load.take().unwrap();
                let loaded = self.resources.load(request, &loading);
                self.happen(SessionEvent::Loaded(loaded))
            }
            "end" => self.happen(SessionEvent::EndOfInput),
            "bench done" => self.happen(SessionEvent::BenchDone(Ok(()))),
            "load later" => {
                self.is_loading_at_once = false;
                Vec::new()
            }
            "no room" => {
                self.session.set_room(0);
                Vec::new()
            }
            "room" => {
                self.session.set_room(usize::MAX);
                self.happen(SessionEvent::Room)
            }
            other => panic!("{other:?}"),
        }
    }

    /// A ranking with one row, a pass.
    fn report_of_request(&self) -> Report {
        let Some(OrderedWork::Search(request)) = &self.work else { panic!("no search is under way") };
        let leave = *request.position().mover_rack();
        let ranked = crate::search::report::RankedPlay { play: crate::rules::Play::Pass, score: 0, equity: Millipoints(-1500), leave };
        match request.kind() {
            SearchKind::Endgame | SearchKind::Inference => unreachable!("no script asks for it"),
            SearchKind::Static => Report::Static(StaticReport { rows: vec![ranked] }),
            SearchKind::Simulation => {
                let (win, equity) = (0.25, -1.5);
                let row = SimulationRow {
                    ranked,
                    win,
                    win_error: 0.1,
                    equity,
                    equity_error: 2.0,
                    iterations: 8,
                    pruned: false,
                    plies: Vec::new(),
                };
                Report::Simulation(SimulationReport { rows: vec![row], plies: 2, nodes: 16 })
            }
            SearchKind::PreEndgame => {
                let tiles = |text: &str| request.position().rules().distribution.parse_tiles(text).unwrap();
                let (wins, losses) = (vec![tiles("EA"), tiles("A?")], vec![tiles("IE")]);
                let (win, spread, basis) = (0.75, Some(-2.5), PreEndgameBasis::Solved);
                let row = PreEndgameRow { ranked, drawn: 0, wins, ties: Vec::new(), losses, win, spread, basis };
                Report::PreEndgame(PreEndgameReport { rows: vec![row], stage: 3, nodes: 16, claim: PreEndgameClaim::Share })
            }
        }
    }
}

fn check(script: &str) {
    let mut conversation = Conversation::new();
    let mut answers: VecDeque<String> = VecDeque::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line == "..." {
            answers.clear();
            continue;
        }
        let happened = line.strip_prefix("< ").map(|said| conversation.say(said));
        let happened = happened.or_else(|| line.strip_prefix("! ").map(|what| conversation.occur(what)));
        match happened {
            Some(next) => {
                assert!(answers.is_empty(), "before {line:?} unexpected: {answers:#?}");
                answers = next.into();
            }
            None => assert_eq!(answers.pop_front().as_deref(), Some(line)),
        }
    }
    assert!(answers.is_empty(), "at the end unexpected: {answers:#?}");
}

#[test]
fn stop_ends_what_is_loaded_and_what_waits_before_it() {
    check(
        "! load later
         < setoption name Layout value protocol/sessions/nine.txt
         (load)
         < setoption name LetterDistribution value src/formats/data/english.csv
         < stop
         (stop load)
         ! loaded
         info string error bad-option protocol/sessions/nine.txt: its reading was stopped
         (load)
         (stop load)
         ! loaded
         info string error bad-option src/formats/data/english.csv: its reading was stopped
         < setoption name Layout value protocol/sessions/nine.txt
         (load)
         ! loaded",
    );
}

#[test]
fn stop_is_for_the_search_that_waits_for_a_load() {
    check(
        "! load later
         < setoption name Lexicon value ENABLE
         (load)
         < go gen
         < stop
         ! loaded
         (load)
         ! loaded
         info string error no-position say position startpos, or position cgp <position>, first",
    );
}

#[test]
fn a_game_of_ghost_is_solved_once_and_isready_does_not_wait_for_it() {
    check(
        "! load later
         < ghost solve
         (load)
         ! loaded
         (load)
         ! loaded
         (load)
         ! loaded
         (load)
         < isready
         readyok
         < check CAT
         ! loaded
         info string ghost solve minlen 1 winner first winning H against 55
         ...
         < ghost llam
         info string ghost LLAM minlen 1 onturn loses plies 1 sheet 1 endings 1
         info string ghost letter A loses plies 1 sheet 1
         info string ghost LLAM words 1
         info string LLAMA
         < ghost llam minlen 16
         (load)
         ! loaded
         info string error bad-option the lexicon has no words of at least 16 letters
         < ghost solve minlen 3
         (load)
         ! end
         ! loaded
         info string ghost solve minlen 3 winner second winning - against 56
         ...",
    );
}

#[test]
fn stop_ends_a_game_of_ghost_before_what_waits_behind_it() {
    check(
        "! load later
         < ghost super solve
         (load)
         ! loaded
         (load)
         ! loaded
         (load)
         ! loaded
         (load)
         < check CAT
         < stop
         (stop load)
         ! loaded
         info string error bad-option Ghost was stopped before it was solved
         info string check CAT valid
         < ghost super solve
         (load)",
    );
}

/// Provenance with this program's version.
fn check_with_provenance(script: &str) {
    let version = env!("CARGO_PKG_VERSION");
    let line = format!("info string provenance engine=tilewright/{version} leaves=enable winpct=enable lexicon=ENABLE");
    check(&script.replace("PROVENANCE", &line));
}

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
         info depth 2 time 5 nodes 16 nps 3200
         info sim move pass wp 25.000 wpse 10.000 eq -1.500 eqse 2.000 iters 8 score 0
         < isready
         readyok
         ! finished
         info depth 2 time 10 nodes 16 nps 1600
         info sim move pass wp 25.000 wpse 10.000 eq -1.500 eqse 2.000 iters 8 score 0
         bestmove pass",
    );
}

#[test]
fn without_a_position_or_a_rack_there_is_no_search() {
    check(
        "< go gen
         info string error no-position say position startpos, or position cgp <position>, first
         < position startpos
         < go
         info string error bad-position the rack of the player on turn is unknown: say rack <tiles>
         < go infer
         info string error bad-position there is no turn of the opponent to infer from: say position ... moves ..., or play
         < rack AEIN5
         info string error bad-position column 10: \"5\" is not a tile of the english alphabet (? is a blank)
         < rack AEINRSTU
         info string error bad-position \"AEINRSTU\" (column 6): 8 tiles, a rack holds 7
         < stop",
    );
}

#[test]
fn an_error_in_a_position_keeps_the_old_one() {
    check(
        "< position startpos moves 8G.CAT rack.AEINRST
         < position startpos moves 8G.CAT 8G.DOG
         info string error bad-move column 32: 8G.DOG: there is already another tile on 8G
         < position startpos moves rack.A 8G.CAT
         info string error bad-move \"rack.A\" (column 25): rack. can only stand at the end of the moves
         < position startpos moves 8G.CAT rack.AX#
         info string error bad-position column 39: \"#\" is not a tile of the english alphabet (? is a blank)
         < position cgp 15/15 /
         info string error bad-position column 21: the text ends before the scores
         < position
         info string error bad-position position needs startpos, cgp <position>, gcg <file> or record <text> at column 9
         < play 9G.AE
         info string error bad-move \"9G.AE\" (column 6): not in ENABLE: CA
         < play I8.TAO.AO
         info string play I8.TAO.AO score 4 challenge 0 final 0/0 scores 10/4 onturn 1 over no invalid -
         < undo
         < undo
         < undo
         info string error bad-move there is no move to take back",
    );
}

#[test]
fn a_lexicon_that_a_position_names_may_be_missing_but_not_one_that_an_option_names() {
    check(
        "< position cgp 15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 A/ 0/0 0 lex CSW21; frob 1;
         info string ignored frob
         info string ignored lex CSW21: no lexicon \"CSW21\": DataPath is empty, so CSW21.kwg or CSW21.txt was not looked for; built in: ENABLE; ENABLE is used
         < setoption name Lexicon value CSW21
         info string error bad-option no lexicon \"CSW21\": DataPath is empty, so CSW21.kwg or CSW21.txt was not looked for; built in: ENABLE
         < setoption name lexicon value enable
         < check qi
         info string check QI valid",
    );
}

#[test]
fn an_infinite_search_waits_for_stop_even_when_it_has_ended() {
    check_with_provenance(
        "< position startpos moves rack.AEINRST
         < go gen infinite
         PROVENANCE
         (search gen)
         ! finished
         info gen move pass score 0 eq -1.500 leave AEINRST
         < isready
         readyok
         < go
         info string error busy go is refused while a search runs: say stop first, or wait for its bestmove
         < setoption name Seed value 3
         info string error busy setoption is refused while a search runs: say stop first, or wait for its bestmove
         < ucinewgame
         info string error busy ucinewgame is refused while a search runs: say stop first, or wait for its bestmove
         < stop
         (stop)
         info gen move pass score 0 eq -1.500 leave AEINRST
         bestmove pass
         < stop",
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
         info string error bad-move the game is over: say undo, or position for another one",
    );
}

#[test]
fn what_comes_after_stop_waits_for_the_best_move() {
    check_with_provenance(
        "< position startpos moves rack.AEINRST
         < go infinite
         PROVENANCE
         (search sim)
         < stop
         (stop)
         < isready
         readyok
         < stop
         < position startpos moves 8G.CAT rack.QI
         < isready
         < go sim iterations 9
         < stop
         ! finished
         info depth 2 time 10 nodes 16 nps 1600
         info sim move pass wp 25.000 wpse 10.000 eq -1.500 eqse 2.000 iters 8 score 0
         bestmove pass
         readyok
         PROVENANCE
         (search sim)
         (stop)
         ! finished
         info depth 2 time 10 nodes 16 nps 1600
         info sim move pass wp 25.000 wpse 10.000 eq -1.500 eqse 2.000 iters 8 score 0
         bestmove pass",
    );
}

#[test]
fn while_data_is_loading_everything_waits_its_turn() {
    check_with_provenance(
        "< position startpos
         < rack AEINRST
         ! load later
         < go gen infinite
         (load)
         < stop
         < isready
         < tilt
         ! loaded
         (load)
         ! loaded
         PROVENANCE
         (search gen)
         (stop)
         readyok
         info string error unknown-command \"tilt\" (column 1) is not a command: say help for the list
         ! finished
         info gen move pass score 0 eq -1.500 leave AEINRST
         bestmove pass",
    );
}

#[test]
fn quit_lets_what_was_said_before_be_answered() {
    check("< quit\n (quit soon)\n (quit)");
    check("! end\n (quit soon)\n (quit)");
    check_with_provenance(
        "< position startpos moves rack.AEINRST
         ! load later
         < go infinite
         (load)
         ! end
         (quit soon)
         ! loaded
         (load)
         ! loaded
         PROVENANCE
         (search sim)
         (stop)
         ! finished
         info depth 2 time 10 nodes 16 nps 1600
         info sim move pass wp 25.000 wpse 10.000 eq -1.500 eqse 2.000 iters 8 score 0
         bestmove pass
         (quit)",
    );
}

#[test]
fn lines_wait_for_room_and_quit_does_not() {
    check(
        "! no room
         < isready
         < xyzzy
         ! room
         readyok
         info string error unknown-command \"xyzzy\" (column 1) is not a command: say help for the list
         < isready
         readyok",
    );
    for end in ["! end", "< quit"] {
        check(&format!(
            "! no room
             < isready
             {end}
             (quit soon)
             ! room
             (quit soon)
             readyok
             (quit)"
        ));
    }
}

#[test]
fn a_search_is_stopped_before_lines_that_wait_for_room_unless_it_refuses_one() {
    let begun = "< position startpos moves rack.AEINRST
         < go infinite
         PROVENANCE
         (search sim)
         ! no room
         < isready";
    let ranking = "info depth 2 time 10 nodes 16 nps 1600
         info sim move pass wp 25.000 wpse 10.000 eq -1.500 eqse 2.000 iters 8 score 0
         bestmove pass";
    check_with_provenance(&format!("{begun}\n < stop\n (stop)\n ! finished\n {ranking}\n ! room\n readyok"));
    // In its turn, so that the second search is refused, as it is where answers are read at once.
    let busy = "info string error busy go is refused while a search runs: say stop first, or wait for its bestmove";
    check_with_provenance(&format!("{begun}\n < go\n < stop\n ! room\n readyok\n {busy}\n (stop)\n ! finished\n {ranking}"));
}

#[test]
fn what_waits_is_weighed() {
    let mut conversation = Conversation::new();
    assert_eq!((conversation.session.waiting(), conversation.session.waiting_bytes()), (0, 0));
    conversation.occur("no room");
    for line in [format!("check {}", "A ".repeat(10_000)), format!("anagram {}", "A".repeat(10_000)), "x".repeat(10_000)] {
        let before = conversation.session.waiting_bytes();
        conversation.say(&line);
        let taken = conversation.session.waiting_bytes() - before;
        let least = if line.starts_with("check") { 10_000 * size_of::<String>() } else { 10_000 };
        assert!((least..1_000_000).contains(&taken), "{taken}");
    }
    assert_eq!(conversation.session.waiting(), 3);
    conversation.occur("room");
    assert_eq!((conversation.session.waiting(), conversation.session.waiting_bytes()), (0, 0));
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
         info string error bad-move \"ex.CTZ\" (column 13): there is no Z on the rack AABCT
         < eval 8A.CAT
         info string error bad-move column 6: 8A.CAT: the first play must cover 8H
         < eval 8H.CATS soon
         info string error bad-move \"8H.CATS\" (column 6): there is no S on the rack AABCT";
    check(&script.replace("FOLDER", &folder.path().display().to_string()));
}

#[test]
fn moves_to_search_must_be_possible() {
    check(
        "< position startpos moves rack.AEINRST
         < go gen searchmoves 8D.RETAINS 8A.NO
         info string error bad-move column 31: 8A.NO: the first play must cover 8H
         < go gen searchmoves 8H.QI
         info string error bad-move column 20: 8H.QI: there is no Q for this play: it is not on the rack
         < go gen searchmoves ex.3
         info string error bad-move \"ex.3\" (column 20): say which tiles are exchanged: ex.ABC
         < go movetime soon
         info string error bad-option movetime \"soon\" (column 13): write movetime and a whole number",
    );
}

#[test]
fn a_player_who_infers_is_not_asked_about_an_impossible_rack() {
    check(
        "< setoption name Player value inference
         < position startpos moves phony.8G.QI rack.AEINRST
         < opprack BBCCDDD
         < go
         info string error bad-position the opponent cannot hold the tiles that are known of their rack after their last turn",
    );
}

#[test]
fn a_variant_that_a_search_does_not_serve_is_refused_by_name() {
    check(
        "< setoption name Variant value misere
         < go
         info string error no-position say position startpos, or position cgp <position>, first
         < position startpos moves rack.AEINRST
         < go endgame
         info string error unsupported-mode the endgame search does not play misere, where the lower score wins
         < go gen plays 3
         ...
         ! finished
         info gen move pass score 0 eq -1.500 leave AEINRST
         bestmove pass
         < position cgp 15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0 var wordsmog;
         < go endgame
         info string error unsupported-mode the endgame search does not play wordsmog, where the letters of a word may stand in any order
         < check TCA TCAX
         info string check TCA valid
         info string check TCAX invalid
         < play 8D.RETINAS
         info string play 8D.RETINAS score 66 challenge 0 final 0/0 scores 66/0 onturn 2 over no invalid -
         < undo
         < play 8D.STARNIE
         info string play 8D.STARNIE score 66 challenge 0 final 0/0 scores 66/0 onturn 2 over no invalid -
         < undo
         < play 8G.ST
         info string error bad-move \"8G.ST\" (column 6): not in ENABLE: ST",
    );
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

#[test]
fn a_bench_is_stopped_while_other_commands_wait() {
    check_with_provenance(
        "< bench
         (bench)
         < isready
         readyok
         < debug off
         < position startpos moves rack.AEINRST
         < isready
         < go gen infinite
         < stop
         (stop bench)
         ! bench done
         readyok
         PROVENANCE
         (search gen)
         (stop)
         ! finished
         info gen move pass score 0 eq -1.500 leave AEINRST
         bestmove pass",
    );
    check("< bench 2\n (bench)\n < quit\n (stop bench)\n (quit soon)\n ! bench done\n (quit)");
}

#[test]
fn the_end_of_the_input_waits_for_a_bench() {
    check("< bench\n (bench)\n ! end\n ! bench done\n (quit soon)\n (quit)");
    check("< bench\n (bench)\n < bench\n ! end\n ! bench done\n (bench)\n ! bench done\n (quit soon)\n (quit)");
}

#[test]
fn options_are_refused_with_what_they_take() {
    check(
        "< setoption name Threads value many
         info string error bad-option column 30: Threads is a whole number from 1 to 256, not \"many\"
         < setoption name THREADS value 2
         < setoption name DataPath value /no/such/place
         info string error bad-option DataPath: there is no directory /no/such/place
         < setoption name Leaves value nonsense
         info string error bad-option no leave values \"nonsense\": DataPath is empty, so nonsense.klv2 or nonsense.leaves was not looked for; built in: auto enable none rack-heuristic-1 rack-heuristic-2 rack-heuristic-3 tile-quantiles
         < setoption name SimLog value /no/such/place/log
         info string error bad-option /no/such/place/log: No such file or directory (os error 2)
         < isready
         readyok",
    );
}

#[test]
fn a_pre_endgame_needs_one_to_four_tiles_in_the_bag_and_a_full_rack() {
    let board = "15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/ABy1PIT2BRIG2/ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V7/AT5E7/G6D7";
    check(&format!(
        "< position cgp 15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0
         < go peg
         info string error bad-position a pre-endgame has 1 to 4 tiles in the bag, here are 86: say go auto
         < position cgp {board} ENOSTX/ 356/378 0
         < go peg
         info string error bad-position with 1 tiles in the bag the rack has 7 tiles, 6 are known: say rack <tiles>"
    ));
    check_with_provenance(&format!(
        "< position cgp {board} ENOSTXY/ 356/378 0
         < go peg depth 3 seed 4 iterations 9
         info string ignored depth
         info string ignored iterations
         info string limit movetime 5000
         PROVENANCE
         (search peg for 5000 ms)
         ! report
         info string peg 1 has the best share, proved; 1 solved by model
         info depth 3 time 5 nodes 16 nps 3200
         info peg move pass w:EA|A? d: l:IE spread -3
         ! finished
         info string peg 1 has the best share, proved; 1 solved by model
         info depth 3 time 10 nodes 16 nps 1600
         info peg move pass w:EA|A? d: l:IE spread -3
         bestmove pass"
    ));
}

/// One tile in the bag.
const PRE_ENDGAME: &str = "15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/ABy1PIT2BRIG2/ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V7/AT5E7/G6D7 ENOSTXY/ 356/378 0";

/// An empty bag.
const ENDGAME: &str = "5BERGS5/4PA3U5/2QAID3R5/3BEE3F2S2/1P1ET2VIATIC2/MA1TAW3c2H2/ES3IS2E2A2/AT1FOLIA4V2/LI1L1EX1E6/1N1O1D2N2Y3/1GNU2C1JETE3/2ER2OHO2N3/2O3GOY6/1INDOW1U7/4DORR7 IKLMTZ/AEINRU? 0/0 0";

/// A conversation in which these lines have been said.
fn conversation_after(said: &[&str]) -> Conversation {
    let mut conversation = Conversation::new();
    for line in said {
        assert_eq!(conversation.say(line), [""; 0], "{line}");
    }
    conversation
}

/// What is told before a search, and the search as far as parameters can change it, as text.
fn plan_of(conversation: &mut Conversation, go: &str) -> (Vec<String>, String) {
    let mut told = conversation.say(go);
    let started = told.pop().filter(|line| line.starts_with("(search ")).unwrap_or_else(|| panic!("{go}: {told:?}"));
    let SessionState::Searching(running) = &conversation.session.state else { panic!("{go} starts no search") };
    let plan = format!("{started} {} {} {:?} {:?}", running.rows, running.is_infinite, conversation.info_ms, conversation.work);
    assert!(told.pop().is_some_and(|line| line.starts_with("info string provenance ")), "{go}");
    conversation.say("stop");
    let outcome = Outcome { best: None, last: None, solved: true };
    assert_eq!(conversation.happen(SessionEvent::Finished { outcome, elapsed_ms: 1 }), ["bestmove none"]);
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
    ];
    for (go, kind, position, settings) in modes {
        let mut conversation = conversation_after(&[settings, &[position.as_str()]].concat());
        // In the last mode player 2 is on turn, else player 1.
        let other_seat = if kind == Answerer::Inference { '1' } else { '2' };
        for row in parameters::TABLE {
            let (beside, value) = match row.name() {
                "firstwin" | "useinference" | "infinite" => ("", ""),
                "searchmoves" | "alsosearchmoves" => ("", " pass"),
                "stopcondition" => ("", " 95"),
                // An increment alone is no clock.
                "myinc" => (" mytime 900000", " 6000"),
                "1inc" => (" 1time 900000", " 6000"),
                "2inc" if kind == Answerer::Inference => (" 2time 900000", " 6000"),
                _ => ("", " 3"),
            };
            // Nothing was inferred that could be used.
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
    // Another limit is left, or there is none to be told.
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
