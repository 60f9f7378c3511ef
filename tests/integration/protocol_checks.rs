//! What front ends and match runners hold an engine to: the compliance suites of fastchess, SIU, Stockfish, python-chess and
//! cutechess and the bugs in their trackers, one numbered test each, each against a fresh process with a limit of 10 s.
//!
//! The numbers are those of `protocol/conformance.md`, which names the test of each. Those that measure time (1, 31, 41, 42, 48) are in `tests/timed/`; number 53
//! (self-play by the hundred) is a test of `match_play`; number 55 is our own version of the rules of the SIU conformance harness of
//! github.com/woogles-io/open-protocols.

use crate::integration::answers::{Block, Search, is_move_text, number, ucgi_pairs};
use crate::integration::engine_process::EngineProcess;
use crate::integration::positions::{ENDGAME, MIDGAME, OPENING, PRE_ENDGAME};
use crate::integration::referee;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// The handshake words.
const DIALECTS: [&str; 3] = ["siu", "ucgi", "uci"];

/// The modes for every position.
const MODES: [&str; 3] = ["gen", "sim", "auto"];

/// The modes of the late game, each with its position.
const LATE_MODES: [(&str, &str); 2] = [("peg", PRE_ENDGAME), ("endgame", ENDGAME)];

fn engine_at(cgp: &str) -> EngineProcess {
    let mut engine = EngineProcess::start();
    engine.tell(&format!("position cgp {cgp}"));
    engine
}

fn handshake(engine: &mut EngineProcess, dialect: &str) -> Vec<String> {
    engine.send(dialect);
    engine.until(&format!("{dialect}ok"))
}

/// The only `bestmove` in some lines.
fn only_bestmove(lines: &[String]) -> &str {
    let moves: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("bestmove ")).collect();
    assert_eq!(moves.len(), 1, "bestmoves in {lines:?}");
    moves[0]
}

fn has_error(lines: &[String], code: &str) -> bool {
    lines.iter().any(|line| line.starts_with(&format!("info string error {code} ")))
}

/// The static ranking of the current position, as a view of the engine's state.
fn ranking(engine: &mut EngineProcess) -> Vec<String> {
    Search::of(&engine.go("go gen")).gen_rows().iter().map(|row| format!("{row:?}")).collect()
}

/// Starts `go infinite` and waits until it streams.
fn think(engine: &mut EngineProcess, go: &str) {
    engine.send(go);
    engine.until("info");
}

/// Sends `stop` and reads to the bestmove.
fn stop(engine: &mut EngineProcess) -> Vec<String> {
    engine.send("stop");
    engine.until("bestmove")
}

fn ms(number: u64) -> Duration {
    Duration::from_millis(number)
}

// Boot

#[test]
fn check_02_id_name_and_author() {
    for dialect in DIALECTS {
        let mut engine = EngineProcess::start();
        let lines = handshake(&mut engine, dialect);
        assert_eq!(lines[0], format!("id name Tilewright {}", env!("CARGO_PKG_VERSION")));
        assert!(lines[1].strip_prefix("id author ").is_some_and(|name| !name.trim().is_empty()), "{:?}", lines[1]);
        assert_eq!(lines.iter().filter(|line| line.starts_with("id ")).count(), 2, "{lines:?}");
    }
}

/// An option of the handshake, strictly read.
struct OptionLine {
    name: String,
    kind: String,
    default: String,
    bounds: Option<(i64, i64)>,
    choices: Vec<String>,
}

fn options(lines: &[String]) -> Vec<OptionLine> {
    lines.iter().filter(|line| line.starts_with("option")).map(|line| option(line)).collect()
}

fn option(line: &str) -> OptionLine {
    let tokens: Vec<&str> = line.split(' ').collect();
    let ["option", "name", name, "type", kind, rest @ ..] = &tokens[..] else { panic!("{line:?} is no option") };
    let mut option = OptionLine { name: name.to_string(), kind: kind.to_string(), default: String::new(), bounds: None, choices: vec![] };
    match (*kind, rest) {
        ("check", ["default", default @ ("true" | "false")]) => option.default = default.to_string(),
        ("string", ["default", default, more @ ..]) => option.default = [&[*default], more].concat().join(" "),
        ("spin", ["default", default, "min", min, "max", max]) => {
            let (default, min, max): (i64, i64, i64) = (number(default), number(min), number(max));
            assert!(min <= default && default <= max, "{line:?}");
            option.default = default.to_string();
            option.bounds = Some((min, max));
        }
        ("combo", ["default", default, choices @ ..]) => {
            option.default = default.to_string();
            for pair in choices.chunks(2) {
                assert_eq!((pair.len(), pair[0]), (2, "var"), "{line:?}");
                option.choices.push(pair[1].to_string());
            }
            assert!(option.choices.contains(&option.default), "{line:?}");
        }
        ("button", []) => {}
        _ => panic!("{line:?} is no option"),
    }
    option
}

#[test]
fn check_03_options_parse_and_are_those_of_the_specification() {
    let specification = include_str!("../../protocol/options.md");
    for dialect in DIALECTS {
        let mut engine = EngineProcess::start();
        let options = options(&handshake(&mut engine, dialect));
        let names: HashSet<String> = options.iter().map(|option| option.name.to_lowercase()).collect();
        assert_eq!(names.len(), options.len(), "a name stands twice");
        assert!(options.len() >= 10, "only {} options", options.len());
        for OptionLine { name, kind, default, bounds, choices } in &options {
            let row = specification.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
            let row = row.unwrap_or_else(|| panic!("the specification has no option {name}"));
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            assert_eq!(cells[2], kind, "{row}");
            assert_eq!(cells[3].trim_matches('`'), default, "{row}");
            let bounds = bounds.map_or_else(|| choices.join(" "), |(min, max)| format!("{min} to {max}"));
            assert_eq!(cells[4], bounds, "{row}");
        }
        let table = specification.split("\n## ").find(|section| section.starts_with("Options")).expect("a section on options");
        assert_eq!(table.matches("\n| `").count(), options.len(), "options in the specification's table");
    }
}

#[test]
fn check_04_capabilities_are_declared_in_siu_only() {
    for dialect in DIALECTS {
        let mut engine = EngineProcess::start();
        let lines = handshake(&mut engine, dialect);
        let capabilities: Vec<&String> = lines.iter().filter(|line| line.starts_with("capability")).collect();
        match dialect {
            "siu" => assert_eq!(capabilities, ["capability gen sim infer peg endgame auto stream stop"]),
            _ => assert!(capabilities.is_empty(), "{capabilities:?}"),
        }
    }
}

#[test]
fn check_05_each_handshake_may_be_repeated() {
    let mut engine = EngineProcess::start();
    for dialect in DIALECTS {
        let first = handshake(&mut engine, dialect);
        assert_eq!(handshake(&mut engine, dialect), first);
    }
}

#[test]
fn check_06_handshake_then_quit() {
    for dialect in DIALECTS {
        let mut engine = EngineProcess::start();
        handshake(&mut engine, dialect);
        engine.send("quit");
        assert!(engine.expect_exit().1.success());
    }
}

#[test]
fn check_07_end_of_input() {
    let mut engine = EngineProcess::start();
    engine.close_input();
    assert!(engine.expect_exit().1.success());
    drop(engine);
    let mut engine = engine_at(OPENING);
    engine.close_input();
    assert!(engine.expect_exit().1.success());
}

// Lines

#[test]
fn check_08_carriage_returns() {
    let mut engine = EngineProcess::start();
    engine.send_bytes(format!("uci\r\nposition cgp {OPENING}\r\nisready\r\ngo gen\r\n").as_bytes());
    engine.until("uciok");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    Search::of(&engine.until("bestmove"));
}

#[test]
fn check_09_blanks_of_all_kinds() {
    let mut engine = EngineProcess::start();
    engine.send_bytes(b"\t  isready   \n");
    assert_eq!(engine.line(), "readyok");
    engine.tell("   debug  \t  off  ");
    engine.tell("  position \t startpos   moves  8G.DOG \t  rack.AEINRST ");
    engine.tell(&format!("position   cgp  {}", OPENING.replace(' ', " \t ")));
    Search::of(&engine.go(" \tgo\t \tgen  multipv   3"));
}

#[test]
fn check_10_empty_lines_are_silent() {
    let mut engine = EngineProcess::start();
    engine.send_bytes(b"\n\n  \n\r\n\t\n");
    engine.expect_silence(ms(100));
    assert!(engine.sync().is_empty());
}

#[test]
fn check_11_unknown_words_before_a_command_are_skipped() {
    let mut engine = EngineProcess::start();
    engine.send("joho isready");
    assert_eq!(engine.line(), "readyok");
    assert!(engine.sync().is_empty());
}

#[test]
fn check_12_an_unknown_command_is_an_error_and_no_end() {
    let mut engine = EngineProcess::start();
    let text = engine.refused("  frobnicate the board", "unknown-command");
    assert!(text.contains("frobnicate") && text.contains("column 3"), "{text:?}");
    Search::of(&{
        engine.tell(&format!("position cgp {OPENING}"));
        engine.go("go gen")
    });
}

#[test]
fn check_13_long_lines_wrong_utf8_and_nul_bytes() {
    let mut engine = EngineProcess::start();
    // A line of 64 KiB is read to its end.
    assert!(engine.ask(&" ".repeat(0x1_0000 - 1)).is_empty());
    engine.send(&format!("{}isready", " ".repeat(0x1_0000 - 8)));
    assert_eq!(engine.line(), "readyok");
    // One that is no command at all, one far beyond any limit, bytes that are no text: an error each, at most.
    engine.refused(&"x".repeat(0x1_0000 - 1), "unknown-command");
    for bytes in ["x".repeat(5_000_000).as_bytes(), b"\xff\xfe\x80", b"\0", b"position cgp \xc3\x28 / 0/0 0", b"go\0gen \xed\xa0\x80"] {
        engine.send_bytes(&[bytes, b"\n"].concat());
        let answer = engine.sync();
        assert!(answer.len() == 1 && answer[0].starts_with("info string error "), "{answer:?}");
        assert!(answer[0].len() < 1000, "the error repeats the whole line");
    }
    engine.tell(&format!("position cgp {OPENING}"));
    Search::of(&engine.go("go gen"));
}

/// Every line that any test reads is checked by [`EngineProcess`]; here many are provoked at once.
#[test]
fn check_14_lines_are_whole_and_not_mixed() {
    let mut engine = engine_at(MIDGAME);
    engine.send("go sim infinite info 5 threads 2 plays 40");
    for _ in 0..100 {
        engine.send("isready\ncheck WORD QZX\nfrobnicate");
    }
    engine.expect_ready_times(100);
    let lines = stop(&mut engine);
    only_bestmove(&lines);
}

#[test]
fn check_15_each_line_is_flushed() {
    // The input stays open and nothing follows: what arrives was flushed.
    let mut engine = engine_at(OPENING);
    engine.send("go sim infinite info 20");
    let mut rows = 0;
    while rows < 30 {
        rows += usize::from(engine.line().starts_with("info sim move "));
    }
}

// Options

#[test]
fn check_16_option_names_in_any_case() {
    let mut engine = EngineProcess::start();
    for line in ["setoption name threads value 2", "setoption name THREADS value 1", "SetOption Name multiPV Value 2"] {
        engine.tell(line);
    }
    engine.tell("setoption name vArIaNt value CLASSIC");
    engine.tell(&format!("position cgp {OPENING}"));
    assert_eq!(ranking(&mut engine).len(), 2);
}

#[test]
fn check_17_unknown_option() {
    let mut engine = EngineProcess::start();
    assert!(engine.refused("setoption name Contempt value 3", "bad-option").contains("Contempt"));
    engine.refused("setoption", "bad-option");
    engine.refused("setoption name", "bad-option");
}

#[test]
fn check_18_spins_refuse_what_is_no_number_in_their_range() {
    let mut engine = engine_at(OPENING);
    let spins = options(&handshake(&mut engine, "siu")).into_iter().filter_map(|option| Some((option.name, option.bounds?)));
    let spins: Vec<(String, (i64, i64))> = spins.collect();
    assert!(spins.iter().any(|(name, _)| name == "MultiPV"), "{spins:?}");
    engine.tell("setoption name MultiPV value 3");
    for (name, (min, max)) in spins {
        let (below, above) = ((i128::from(min) - 1).to_string(), (i128::from(max) + 1).to_string());
        for value in ["two", "", "3x", "2.5", "-99999999999999999999", "99999999999999999999", &below, &above] {
            let text = engine.refused(&format!("setoption name {name} value {value}"), "bad-option");
            assert!(text.contains(&name), "{text:?}");
        }
        engine.refused(&format!("setoption name {name}"), "bad-option");
    }
    assert_eq!(ranking(&mut engine).len(), 3, "the old value is kept");
}

#[test]
fn check_19_an_option_without_a_value() {
    let mut engine = EngineProcess::start();
    // A button would be pressed; every other type needs a value.
    for option in options(&handshake(&mut engine, "siu")) {
        let answer = engine.ask(&format!("setoption name {}", option.name));
        assert_eq!(has_error(&answer, "bad-option"), option.kind != "button", "{} answered {answer:?}", option.name);
    }
}

#[test]
fn check_20_setoption_while_searching_is_refused() {
    let mut engine = engine_at(OPENING);
    engine.tell("setoption name MultiPV value 3");
    think(&mut engine, "go gen infinite");
    engine.send("setoption name MultiPV value 5\nisready");
    let lines = engine.until("readyok");
    assert!(has_error(&lines, "busy"), "{lines:?}");
    stop(&mut engine);
    assert_eq!(ranking(&mut engine).len(), 3);
}

#[test]
fn check_21_bad_data_is_an_error_from_which_one_recovers() {
    let mut engine = engine_at(OPENING);
    let before = ranking(&mut engine);
    engine.refused("setoption name DataPath value /nowhere/at/all", "bad-option");
    let text = engine.refused("setoption name Lexicon value NOSUCH", "bad-option");
    assert!(text.contains("NOSUCH"), "{text:?}");
    assert_eq!(ranking(&mut engine), before, "the old data stays");
    engine.tell(&format!("setoption name DataPath value {}/lexicons", env!("CARGO_MANIFEST_DIR")));
    engine.tell("setoption name Lexicon value enable");
    assert_eq!(ranking(&mut engine), before);
}

// Position

#[test]
fn check_22_startpos() {
    let mut engine = EngineProcess::start();
    engine.tell("position startpos");
    engine.tell("rack AEINRST");
    let from_start = ranking(&mut engine);
    engine.tell("position startpos moves rack.AEINRST");
    assert_eq!(ranking(&mut engine), from_start);
    engine.tell(&format!("position cgp {OPENING}"));
    assert_eq!(ranking(&mut engine), from_start);
}

#[test]
fn check_23_a_cgp_of_four_fields() {
    for cgp in [OPENING, MIDGAME, PRE_ENDGAME, ENDGAME] {
        let mut engine = engine_at(cgp);
        let search = Search::of(&engine.go("go gen"));
        referee::check_legal(&referee::position(cgp), &search.best);
    }
}

#[test]
fn check_24_opcodes() {
    let mut engine = engine_at(OPENING);
    let plain = ranking(&mut engine);
    let all = "bb 50; bdn CrosswordGame; cr void; etl 7; gid abc; ld english; lex ENABLE; mcnz 6; oru; ti 3000; to 60000; tmr 10000/-2500; var classic;";
    for opcodes in ["lex ENABLE;", "-lex ENABLE;", "lex  enable ;", "lex ENABLE; lm pass;", all] {
        engine.tell(&format!("position cgp {OPENING} {opcodes}"));
        assert_eq!(ranking(&mut engine), plain, "{opcodes}");
    }
    let answer = engine.ask(&format!("position cgp {OPENING} frob 12; lex ENABLE;"));
    assert_eq!(answer.len(), 1, "{answer:?}");
    assert!(answer[0].starts_with("info string ignored ") && answer[0].contains("frob"), "{answer:?}");
    assert_eq!(ranking(&mut engine), plain);
    let answer = engine.ask(&format!("position cgp {OPENING} lex NOSUCH;"));
    assert!(answer.len() == 1 && answer[0].starts_with("info string ") && answer[0].contains("NOSUCH"), "{answer:?}");
    assert_eq!(ranking(&mut engine), plain, "the current lexicon is used");
    // An opcode counts: a bingo is worth more.
    engine.tell(&format!("position cgp {OPENING} bb 150;"));
    let scores = |rows: &[String]| rows[0].clone();
    assert_ne!(scores(&ranking(&mut engine)), scores(&plain));
}

#[test]
fn check_25_racks_blanks_and_brackets() {
    let mut engine = EngineProcess::start();
    let board = OPENING.split(' ').next().expect("a board");
    let with_blank = board.replacen("15/15/15/15/15/15/15/15", "15/15/15/15/15/15/15/5CaT7", 1);
    for (cgp, is_searched) in [
        (format!("{board} / 0/0 0"), false),
        (format!("{board} /QZ 0/0 0"), false),
        (format!("{board} AEINRS?/QZ 0/0 0"), true),
        (format!("{with_blank} AEI?/ 10/0 0"), true),
        (format!("{} [A]EI?/[Q] 10/0 0", with_blank.replace("CaT", "[C]aT")), true),
    ] {
        engine.tell(&format!("position cgp {cgp}"));
        if is_searched {
            let search = Search::of(&engine.go("go gen"));
            referee::check_legal(&referee::position(&cgp), &search.best);
        } else {
            engine.refused("go gen", "bad-position");
        }
    }
    // English has no [CH]; the message says where it stands.
    let text = engine.refused(&format!("position cgp {} AEI/ 0/0 0", with_blank.replace("CaT7", "[CH]aT7")), "bad-position");
    assert!(text.contains("CH") && text.contains("column"), "{text:?}");
}

#[test]
fn check_26_all_forms_of_moves() {
    let mut engine = EngineProcess::start();
    let moves = "8D.WORDY.WORDYAE ex.3 ex.AB pass phony.9D.QUIZ e7.TOE.TEABCDF.5.0 8d.WORDYs ex.ABC.ABCDEFG rack.AEINRST";
    // The rules part company with words here: QUIZ was challenged off, WORDYS stands because nobody challenged it.
    engine.tell(&format!("position startpos moves {moves}"));
    let position = "15/15/15/15/15/15/4T10/3WORDYs6/4E10/15/15/15/15/15/15 AEINRST/ ";
    let drawn = engine.ask("d").join("\n");
    assert!(drawn.contains("W O R D Y s"), "{drawn}");
    let here = ranking(&mut engine);
    let best = Search::of(&engine.go("go gen")).best;
    referee::check_legal(&referee::position(&format!("{position}0/0 1")), &best);
    engine.tell(&format!("position cgp {position}0/0 1"));
    assert_eq!(ranking(&mut engine), here);
    // A turn lost by a challenge: the same player moves again.
    engine.tell("position startpos moves 8G.DOG.DOGAEIO.0.1");
    let drawn = engine.ask("d").join("\n");
    assert!(drawn.contains("info string onturn 1 "), "player 1 is on turn again: {drawn}");
}

#[test]
fn check_27_an_impossible_position_leaves_the_old_one() {
    let mut engine = engine_at(MIDGAME);
    let before = ranking(&mut engine);
    let board = OPENING.split(' ').next().expect("a board");
    let wide = OPENING.replacen("15/", "16/", 1);
    for (line, code) in [
        (format!("position cgp {}", &wide), "bad-position"),
        (format!("position cgp {}", OPENING.replacen("15/", "14/", 1)), "bad-position"),
        (format!("position cgp {}", OPENING.replacen("15/", "", 1)), "bad-position"),
        (format!("position cgp {board} ZZ/ 0/0 0"), "bad-position"),
        (format!("position cgp {board} AEINRSTU/ 0/0 0"), "bad-position"),
        (format!("position cgp {board} Q/Q 0/0 0"), "bad-position"),
        (format!("position cgp {board} AE1NRST/ 0/0 0"), "bad-position"),
        (format!("position cgp {board} AEINRST/ 0 0"), "bad-position"),
        (format!("position cgp {board} AEINRST/ x/0 0"), "bad-position"),
        (format!("position cgp {board}"), "bad-position"),
        ("position cgp".to_string(), "bad-position"),
        ("position".to_string(), "bad-position"),
        ("position fen 8/8".to_string(), "bad-position"),
        (format!("position cgp {OPENING} moves 1A.RETAINS"), "bad-move"),
        (format!("position cgp {OPENING} moves 8D.RETAINS 8D.RETAINS"), "bad-move"),
        (format!("position cgp {OPENING} moves 8Z.RETAINS"), "bad-move"),
        (format!("position cgp {OPENING} moves 8D.QUEER"), "bad-move"),
        ("position startpos moves 8D.ZZZZ".to_string(), "bad-move"),
        ("position startpos moves rack.AEI 8D.CAT".to_string(), "bad-move"),
        ("position startpos moves rack.A1".to_string(), "bad-position"),
        ("rack A*B".to_string(), "bad-position"),
        ("rack AEINRSTU".to_string(), "bad-position"),
        ("rack".to_string(), "bad-position"),
    ] {
        let text = engine.refused(&line, code);
        assert!(text.contains("column") || text.contains("row"), "{line:?}: {text:?} names no place");
        assert_eq!(ranking(&mut engine), before, "after {line:?}");
    }
}

#[test]
fn check_28_the_same_position_twice_is_the_same_state() {
    let mut engine = engine_at(MIDGAME);
    let first = engine.go("go sim seed 5 iterations 50 plays 4 info 100000");
    engine.tell(&format!("position cgp {OPENING}"));
    ranking(&mut engine);
    engine.tell(&format!("position cgp {MIDGAME}"));
    let second = engine.go("go sim seed 5 iterations 50 plays 4 info 100000");
    assert_eq!(without_times(&first), without_times(&second));
}

#[test]
fn check_29_go_without_a_position() {
    let mut engine = EngineProcess::start();
    for go in ["go", "go gen", "go sim movetime 50", "go infinite"] {
        engine.refused(go, "no-position");
    }
    engine.expect_silence(ms(200));
}

// Search

#[test]
fn check_30_each_mode_gives_one_legal_bestmove() {
    let everywhere = [OPENING, MIDGAME, PRE_ENDGAME, ENDGAME].into_iter().flat_map(|cgp| MODES.map(|mode| (mode, cgp)));
    for (mode, cgp) in everywhere.chain(LATE_MODES) {
        let position = referee::position(cgp);
        let mut engine = engine_at(cgp);
        let mut lines = engine.go(&format!("go {mode} movetime 150 info 40"));
        lines.extend(engine.sync());
        only_bestmove(&lines);
        let search = Search::of(&lines);
        assert!(!search.blocks.is_empty(), "{mode} has no result");
        for play in search.blocks.iter().flat_map(Block::plays) {
            referee::check_legal(&position, play);
        }
        let has_its_rows = |block: &Block| match block {
            Block::Gen(_) => mode == "gen",
            Block::Sim(_) => mode == "sim",
            Block::Peg(_) => mode == "peg",
            Block::Endgame(_) => mode == "endgame",
        };
        assert!(mode == "auto" || search.blocks.iter().all(has_its_rows), "{mode}: {:?}", search.blocks);
    }
}

#[test]
fn check_30_an_inference_ends_without_a_move() {
    let mut engine = engine_at(ENDGAME);
    engine.refused("go infer", "bad-position");
    engine.send("position startpos moves 8G.DOG rack.AEINRST");
    let lines = engine.go("go infer");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove none"));
    let chances =
        lines.iter().filter_map(|line| line.strip_prefix("info infer leave ")).map(|row| row.split(' ').nth(2).expect("a chance"));
    let sum: f64 = chances.map(|chance| chance.parse::<f64>().expect("a number")).sum();
    assert!((sum - 1.0).abs() < 0.005, "the chances sum to {sum}");
}

#[test]
fn check_32_counted_limits() {
    let mut engine = engine_at(MIDGAME);
    let search = Search::of(&engine.go("go sim iterations 60 plays 5"));
    let most = search.sim_rows().iter().map(|row| row.iterations).max();
    assert_eq!(most, Some(60), "{:?}", search.sim_rows());
    let search = Search::of(&engine.go("go sim i 30 plies 3 plays 3"));
    assert_eq!(search.last_general("depth"), 3);
    let search = Search::of(&engine.go("go sim nodes 20000 plays 5 depth 2"));
    let nodes = search.last_general("nodes");
    assert!((20_000..40_000).contains(&nodes), "{nodes} nodes");
    // The first limit reached ends the search.
    let search = Search::of(&engine.go("go sim movetime 60000 nodes 900000000 iterations 40 plays 3"));
    assert!(search.sim_rows().iter().all(|row| row.iterations <= 40));
    // Plies are looked ahead as often as asked.
    handshake(&mut engine, "ucgi");
    for depth in [1, 4] {
        let lines = engine.go(&format!("go sim depth {depth} iterations 20 plays 2 info 100000"));
        let pairs = ucgi_pairs(lines.iter().find(|line| line.contains(" wp ")).expect("a row of the simulation"));
        for ply in 1..=6 {
            assert_eq!(pairs.contains_key(&format!("ply{ply}-scm")), ply <= depth, "depth {depth}, ply {ply}: {pairs:?}");
        }
    }
}

#[test]
fn check_33_clocks_of_any_size_and_order() {
    let mut engine = engine_at(MIDGAME);
    for go in [
        "go mytime 1",
        "go mytime 0 opptime 0",
        "go mytime -700 myinc 0",
        "go oppinc 5 opptime 900 mytime 300 myinc 1",
        "go 2inc 10 1time 400 2time 400 1inc 10 depth 2 threads 1",
        "go 1time 1 2time 1",
        "go movetime 1 mytime 100000",
        "go movetime 0",
        "go mytime 100000 movetime 50 iterations 20000 sim",
    ] {
        let lines = engine.go(go);
        referee::check_legal(&referee::position(MIDGAME), only_bestmove(&lines));
    }
    for go in ["go mytime", "go mytime soon", "go movetime 1.5", "go depth 0", "go depth -1", "go iterations 0", "go threads 0"] {
        engine.refused(go, "bad-option");
    }
}

#[test]
fn check_34_searchmoves_restricts_and_alsosearchmoves_adds() {
    let mut engine = engine_at(OPENING);
    let moves = ["8D.RETAINS", "8H.TEA", "ex.AE", "pass"];
    for mode in ["gen", "sim iterations 30", "auto iterations 30"] {
        let search = Search::of(&engine.go(&format!("go {mode} searchmoves {}", moves.join(" "))));
        let mut found = search.blocks.last().expect("a result").plays();
        found.sort_unstable();
        assert_eq!(found, moves, "{mode}");
    }
    let without = Search::of(&engine.go("go sim iterations 20 plays 3"));
    assert_eq!(without.sim_rows().len(), 3);
    let with = Search::of(&engine.go("go sim iterations 20 plays 3 alsosearchmoves 8H.TA ex.R"));
    let plays: HashSet<&str> = with.sim_rows().iter().map(|row| row.play.as_str()).collect();
    assert!(plays.len() == 5 && plays.contains("8H.TA") && plays.contains("ex.R"), "{plays:?}");
    // The answer to moves that cannot be played is an error, not a search without them.
    for go in ["go searchmoves 8D.QUEER", "go sim alsosearchmoves 1A.TEA", "go gen searchmoves", "go gen searchmoves ex.3"] {
        let answer = engine.ask(go);
        assert!(answer.len() == 1 && answer[0].starts_with("info string error bad-"), "{go}: {answer:?}");
    }
}

#[test]
fn check_35_rows_are_sorted_and_complete() {
    let mut engine = engine_at(MIDGAME);
    let search = Search::of(&engine.go("go gen multipv 20"));
    assert_eq!(search.gen_rows().len(), 20);
    assert!(search.gen_rows().is_sorted_by(|a, b| a.equity >= b.equity), "{:?}", search.gen_rows());
    let all = Search::of(&engine.go("go gen plays 20"));
    assert_eq!(all.gen_rows(), search.gen_rows());
    for rows in [1, 4] {
        let lines = engine.go(&format!("go sim iterations 200 plays 6 info 10 multipv {rows}"));
        let search = Search::of(&lines);
        assert!(search.blocks.iter().all(|block| block.plays().len() == rows), "{rows} rows: {:?}", search.blocks);
        let wins: Vec<f64> = search.sim_rows().iter().map(|row| row.win).collect();
        assert_eq!(search.sim_rows()[0].play, search.best);
        assert!(wins[1..].is_sorted_by(|a, b| a >= b), "{wins:?}");
    }
}

#[test]
fn check_36_stopcondition_ends_a_clear_case() {
    let mut engine = engine_at(OPENING);
    // A bingo against a pass: nobody needs the ten seconds that this test has.
    let search = Search::of(&engine.go("go sim stopcondition 99 searchmoves 8D.RETAINS pass"));
    assert_eq!(search.best, "8D.RETAINS");
    for value in ["97", "often", ""] {
        engine.refused(&format!("go sim stopcondition {value}"), "bad-option");
    }
}

#[test]
fn check_37_infinite_never_ends_by_itself() {
    for (cgp, go) in [
        (OPENING, "go gen infinite"),
        (OPENING, "go infinite searchmoves pass"),
        (OPENING, "go sim searchmoves 8D.RETAINS infinite"),
        (ENDGAME, "go infinite"),
        ("15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 6", "go infinite"),
    ] {
        let mut engine = engine_at(cgp);
        engine.send(go);
        let end = Instant::now() + ms(500);
        while let Some((_, line)) = engine.line_within(end.saturating_duration_since(Instant::now())) {
            assert!(!line.starts_with("bestmove"), "{go} ended by itself");
        }
        stop(&mut engine);
        assert!(engine.sync().is_empty());
    }
}

#[test]
fn check_38_parameters_without_use_are_named() {
    let mut engine = engine_at(OPENING);
    for (go, unused) in [
        ("go gen stopcondition 95", "stopcondition"),
        ("go gen iterations 10 depth 2", "depth"),
        ("go gen seed 4 depth 2", "seed"),
        ("go sim iterations 10 firstwin", "firstwin"),
        ("go auto iterations 10 useinference", "useinference"),
        ("go sim iterations 10 ponder", "ponder"),
        ("go gen movetime 10", "movetime"),
        ("go gen mytime 100 opptime 100", "mytime"),
    ] {
        let search = Search::of(&engine.go(go));
        assert!(search.strings.contains(&format!("ignored {unused}")), "{go}: {:?}", search.strings);
    }
    let search = Search::of(&engine.go("go sim iterations 10 depth 2 plays 3 seed 1 threads 1 info 50"));
    assert!(search.strings.is_empty(), "{:?}", search.strings);
}

#[test]
fn check_39_no_legal_play_and_no_game() {
    let board = OPENING.split(' ').next().expect("a board");
    for mode in MODES {
        // No word is made of these; the bag is full, so an exchange is possible.
        let mut engine = engine_at(&format!("{board} CVVW/ 0/0 0"));
        let lines = engine.go(&format!("go {mode} movetime 100"));
        let best = only_bestmove(&lines);
        assert!(best == "pass" || best.starts_with("ex."), "{best}");
        drop(engine);
        // Neither a play nor, by the rules of this game, an exchange.
        let mut engine = engine_at(&format!("{board} CVVW/ 0/0 0 etl 99;"));
        let lines = engine.go(&format!("go {mode} movetime 100"));
        assert_eq!(only_bestmove(&lines), "pass");
        drop(engine);
        let mut engine = engine_at(&format!("{board} AEINRST/ 0/0 6"));
        let lines = engine.go(&format!("go {mode} movetime 100"));
        assert_eq!(only_bestmove(&lines), "none");
        drop(engine);
        let mut engine = engine_at(OPENING);
        engine.tell("gameover win spread 12");
        let lines = engine.go(&format!("go {mode} movetime 100"));
        assert_eq!(only_bestmove(&lines), "none");
    }
}

#[test]
fn check_40_numbers_are_in_range() {
    // The readers refuse win % outside 0 to 100, negative errors, NaN and decimal commas; here they get hard cases:
    // a single sample, a game that is won by hundreds of points, one play only.
    for (cgp, go) in [
        (OPENING, "go sim iterations 1 plays 20"),
        (OPENING, "go sim searchmoves pass iterations 1"),
        (&MIDGAME.replace("232/220", "932/0"), "go sim iterations 20"),
        (&MIDGAME.replace("232/220", "-50/800"), "go sim iterations 20"),
        (PRE_ENDGAME, "go sim iterations 20 depth 10 plays 5"),
        (ENDGAME, "go auto movetime 100 info 10"),
    ] {
        let mut engine = engine_at(cgp);
        let search = Search::of(&engine.go(go));
        assert!(!search.blocks.is_empty());
        handshake(&mut engine, "ucgi");
        for line in engine.go(go) {
            if line.starts_with("info ") {
                let pairs = ucgi_pairs(&line);
                let value = |key: &str| pairs.get(key).map(|text| text.parse::<f64>().expect("a number"));
                assert!(value("wp").is_none_or(|wp| (0.0..=100.0).contains(&wp)), "{line}");
                for key in ["wpe", "eqe", "ply1-scd"] {
                    assert!(value(key).is_none_or(|error| error >= 0.0), "{line}");
                }
            }
        }
    }
}

// Concurrency

#[test]
fn check_43_stop_twice_or_when_idle() {
    let mut engine = EngineProcess::start();
    engine.tell("stop");
    engine.tell(&format!("position cgp {OPENING}"));
    engine.tell("stop");
    think(&mut engine, "go infinite");
    engine.send("stop\nstop\nstop");
    let mut lines = engine.until("bestmove");
    lines.extend(engine.sync());
    only_bestmove(&lines);
    engine.tell("stop");
}

#[test]
fn check_44_go_and_stop_a_thousand_times() {
    let mut engine = engine_at(OPENING);
    for _ in 0..500 {
        engine.send("go infinite plays 2\nstop");
        engine.until("bestmove");
    }
    engine.send(&"go infinite plays 2\nstop\n".repeat(499));
    engine.send("go infinite plays 2\nstop");
    for _ in 0..500 {
        engine.until("bestmove");
    }
    assert!(engine.sync().is_empty());
}

#[test]
fn check_45_stop_then_position_and_go_at_once() {
    let mut engine = engine_at(OPENING);
    engine.send(&format!("go infinite\nstop\nposition cgp {MIDGAME}\ngo gen"));
    let first = Search::of(&engine.until("bestmove"));
    referee::check_legal(&referee::position(OPENING), &first.best);
    let lines = engine.until("bestmove");
    assert!(!has_error(&lines, "busy"), "{lines:?}");
    referee::check_legal(&referee::position(MIDGAME), &Search::of(&lines).best);
    assert!(engine.sync().is_empty());
}

#[test]
fn check_46_a_second_go_is_refused() {
    let mut engine = engine_at(OPENING);
    think(&mut engine, "go infinite");
    for line in ["go", "go gen", "position startpos", "rack AEI", &format!("position cgp {MIDGAME}")] {
        let lines = engine.ask(line);
        assert_eq!(lines.iter().filter(|line| line.starts_with("info string error busy ")).count(), 1, "{line}: {lines:?}");
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{line}: {lines:?}");
    }
    let mut lines = stop(&mut engine);
    lines.extend(engine.sync());
    referee::check_legal(&referee::position(OPENING), only_bestmove(&lines));
}

#[test]
fn check_47_debug_while_thinking() {
    let mut engine = engine_at(OPENING);
    think(&mut engine, "go infinite");
    engine.ask("debug on");
    let told = engine.ask("check WORD");
    assert!(told.iter().any(|line| line.starts_with("info string ") && line.contains("check WORD")), "debug tells what it reads: {told:?}");
    engine.ask("debug off");
    only_bestmove(&stop(&mut engine));
    assert!(engine.sync().is_empty());
}

#[test]
fn check_49_stop_while_data_is_loading() {
    // The first search loads the data; the input does not wait for it.
    for commands in ["go infinite\nstop", "setoption name Lexicon value ENABLE\ngo infinite\nstop", "stop\ngo gen\nstop\nstop"] {
        let mut engine = EngineProcess::start();
        engine.send(&format!("position cgp {OPENING}\n{commands}\nisready"));
        let mut lines = engine.until("readyok");
        if !lines.iter().any(|line| line.starts_with("bestmove")) {
            lines.extend(engine.until("bestmove"));
        }
        lines.extend(engine.sync());
        referee::check_legal(&referee::position(OPENING), only_bestmove(&lines));
    }
}

// Determinism and quality

/// The lines without what may differ from run to run: `time` and `nps`.
fn without_times(lines: &[String]) -> Vec<String> {
    let cut = |line: &String| {
        let tokens: Vec<&str> = line.split(' ').collect();
        let is_time = |at: usize| !line.starts_with("info string") && ["time", "nps"].contains(&tokens[at]);
        let kept = (0..tokens.len()).filter(|&at| !is_time(at) && (at == 0 || !is_time(at - 1)));
        kept.map(|at| tokens[at]).collect::<Vec<_>>().join(" ")
    };
    lines.iter().map(cut).collect()
}

#[test]
fn check_50_the_same_seed_gives_the_same_transcript() {
    // Reports between come when the clock says so: they are asked for less often than the search lasts.
    let go = "go sim seed 7 iterations 100 threads 1 plays 6 info 100000";
    let mut engine = engine_at(MIDGAME);
    let first = without_times(&engine.go(go));
    assert_eq!(without_times(&engine.go(go)), first);
    engine.tell("siunewgame");
    engine.tell(&format!("position cgp {MIDGAME}"));
    assert_eq!(without_times(&engine.go(go)), first, "after a new game");
    assert_ne!(without_times(&engine.go(&go.replace("seed 7", "seed 8"))), first, "the seed has an effect");
    drop(engine);
    let mut engine = engine_at(MIDGAME);
    assert_eq!(without_times(&engine.go(go)), first, "in another process");
    engine.tell("setoption name Seed value 7");
    assert_eq!(without_times(&engine.go(&go.replace("seed 7 ", ""))), first, "as an option");
}

#[test]
fn check_51_the_bench_has_a_signature() {
    let signature = |threads: &str| {
        let program = env!("CARGO_BIN_EXE_tilewright");
        let output = std::process::Command::new(program).args(["lab", "bench", threads, "0.01"]).output().expect("the program starts");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(output.status.success(), "{text}");
        let found: Vec<String> = text.lines().filter_map(|line| Some(line.strip_prefix("Bench: ")?.to_string())).collect();
        assert_eq!(found.len(), 1, "{text}");
        for line in text.lines().skip(1) {
            let words: Vec<&str> = line.split(' ').collect();
            assert!(words.len() == 3 && words[0] == "metric" && words[2].parse::<f64>().is_ok_and(|value| value > 0.0), "{line}");
        }
        let (plays, hash) = found[0].split_once('-').expect("<plays>-<hash>");
        assert!(number::<u64>(plays) > 0 && hash.len() >= 8 && hash.bytes().all(|b| b.is_ascii_hexdigit()), "{found:?}");
        found
    };
    assert_eq!(signature("1"), signature("2"));
}

#[test]
fn check_52_threads_do_not_change_the_result() {
    let results = |threads: usize| {
        let mut engine = engine_at(MIDGAME);
        let lines = engine.go(&format!("go sim seed 3 iterations 100 plays 5 info 100000 threads {threads}"));
        Search::of(&lines).sim_rows().to_vec()
    };
    let one = results(1);
    assert_eq!(results(2), one);
    assert_eq!(results(5), one);
    let mut engine = engine_at(MIDGAME);
    think(&mut engine, "go sim infinite threads 2");
    referee::check_legal(&referee::position(MIDGAME), only_bestmove(&stop(&mut engine)));
}

#[test]
fn check_54_ucgi_lines_are_strict_pairs() {
    let mut engine = engine_at(MIDGAME);
    handshake(&mut engine, "ucgi");
    let mut rows: HashMap<&str, usize> = HashMap::new();
    for go in ["go gen multipv 12", "go sim iterations 150 plays 6 info 10", "go auto movetime 200 info 50", "go gen depth 3"] {
        for line in engine.go(go) {
            match line.split(' ').collect::<Vec<_>>()[..] {
                ["bestmove" | "bestsofar", play] => {
                    assert!(is_move_text(play) && play.starts_with(play.to_lowercase().split('.').next().unwrap_or_default()));
                }
                _ => {
                    let pairs = ucgi_pairs(&line);
                    let kind = if pairs.contains_key("nps") {
                        "speed"
                    } else if pairs.contains_key("wp") {
                        for key in ["currmove", "sc", "wp", "wpe", "eq", "eqe", "it", "ig", "ply1-scm", "ply1-scd", "ply1-bp"] {
                            assert!(pairs.contains_key(key), "no {key} in {line:?}");
                        }
                        "simulated"
                    } else {
                        assert_eq!(pairs.get("it").map(String::as_str), Some("0"), "{line:?}");
                        assert!(pairs.contains_key("sc") && pairs.contains_key("eq"), "{line:?}");
                        "static"
                    };
                    *rows.entry(kind).or_default() += 1;
                }
            }
        }
    }
    for (kind, least) in [("speed", 1), ("simulated", 12), ("static", 12)] {
        assert!(rows.get(kind).is_some_and(|count| *count >= least), "too few {kind} lines: {rows:?}");
    }
}

/// Our own version of what the SIU harness asks: each of its rules, against a fresh process.
#[test]
fn check_55_the_rules_of_the_siu_conformance_harness() {
    let fresh = || {
        let mut engine = EngineProcess::start();
        handshake(&mut engine, "siu");
        assert!(engine.sync().is_empty());
        engine
    };
    let harness_position = format!("position cgp {OPENING}");
    // Its lexicon is not here: refused, and everything works with the one that is.
    let set_up = |engine: &mut EngineProcess| {
        engine.refused("setoption name Lexicon value CSW21", "bad-option");
        engine.tell(&harness_position);
    };
    let mut engine = fresh();
    let answer = engine.ask("joho frobnicate");
    assert!(has_error(&answer, "unknown-command"));
    engine.send("stop");
    engine.expect_silence(ms(300));
    engine.refused("go gen", "no-position");
    drop(engine);
    for mode in MODES {
        let mut engine = fresh();
        set_up(&mut engine);
        let mut lines = engine.go(&format!("go {mode} movetime 1000"));
        while let Some((_, line)) = engine.line_within(ms(300)) {
            lines.push(line);
        }
        let search = Search::of(&lines);
        assert!(is_move_text(&search.best) && !search.blocks.is_empty(), "{mode}");
    }
    let mut engine = fresh();
    set_up(&mut engine);
    engine.send("go infinite");
    std::thread::sleep(ms(300));
    let lines = engine.sync();
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    let mut lines = stop(&mut engine);
    lines.extend(engine.sync());
    only_bestmove(&lines);
    engine.send("quit");
    assert!(engine.expect_exit().1.success());
}

/// The tests of a column of `protocol/conformance.md`: the text between backquotes.
fn tests_of(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_table_of_checks_is_complete_and_every_test_in_it_exists() {
    fn read_sources(folder: &std::path::Path, sources: &mut String) {
        for entry in std::fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                read_sources(&path, sources);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                sources.push_str(&std::fs::read_to_string(path).expect("UTF-8"));
            }
        }
    }
    let mut sources = String::new();
    for folder in ["src", "tests"] {
        read_sources(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut sources);
    }
    let table = include_str!("../../protocol/conformance.md");
    let rows: Vec<Vec<&str>> =
        table.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>()).filter(|cells| cells.len() == 6).collect();
    let numbered: Vec<&Vec<&str>> = rows.iter().filter(|cells| cells[1].parse::<usize>().is_ok()).collect();
    let numbers: Vec<usize> = numbered.iter().map(|cells| number(cells[1])).collect();
    assert_eq!(numbers, (1..=55).collect::<Vec<_>>());
    let is_test =
        |name: &str| sources.contains(&format!("#[test]\n    fn {name}() {{")) || sources.contains(&format!("#[test]\nfn {name}() {{"));
    let mut named = HashSet::new();
    for cells in numbered {
        assert!(!tests_of(cells[3]).is_empty(), "check {} has no test", cells[1]);
        for test in tests_of(cells[3]).into_iter().chain(tests_of(cells[4])) {
            assert!(is_test(test), "check {}: there is no test {test}", cells[1]);
            named.insert(test);
        }
    }
    for test in sources.split("\nfn check_").skip(1).filter_map(|rest| rest.split_once("()")) {
        let name = format!("check_{}", test.0);
        assert!(named.contains(name.as_str()) || !name.as_bytes()[6].is_ascii_digit(), "{name} is not in protocol/conformance.md");
    }
}
