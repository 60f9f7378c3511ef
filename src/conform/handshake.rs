//! Checks of the start, the end, the options, lines that are not commands, and the answers to impossible positions, racks and moves.

use crate::conform::expectations::{BEHAVIOURS, EMPTY_BOARD, MODES, OPENING, OptionLine, OptionType, RESERVED_OPTIONS};
use crate::conform::probe::{Check, CheckResult, Probe, Trouble, fail, skip};
use crate::tournament::arbiter::shown;
use crate::tournament::dialogue::EngineLine;
use std::collections::BTreeSet;

/// These checks.
pub const CHECKS: &[Check] = &[
    Check::new("quiet-start", "prints nothing before it is asked", quiet_start).silent(),
    Check::new("identity", "sends id name and id author (3)", identity).silent(),
    Check::new("capabilities", "sends one capability line of known words, with a mode among them (3)", capabilities)
        .siu("UCGI has no capability line")
        .silent(),
    Check::new("options", "sends well-formed option lines: each name once, reserved names of their type (3, 4)", options).silent(),
    Check::new("quit-first", "ends on quit right after the handshake (3)", quit_first).silent(),
    Check::new("end-of-input", "ends when its input ends", end_of_input),
    Check::new("quit", "ends on quit (6)", quit),
    Check::new("isready", "answers each isready once (4)", isready),
    Check::new("unknown-command", "skips unknown commands, at most with the error unknown-command (1)", unknown_command),
    Check::new("blanks", "accepts any white space, empty lines and CRLF (1)", blanks),
    Check::new("bad-bytes", "survives overlong lines and bytes that are not text", bad_bytes),
    Check::new("stop-idle", "ignores stop when no search runs (1)", stop_idle),
    Check::new("set-options", "accepts the values that its options declare, with names in any case (4)", set_options),
    Check::new("bad-options", "survives unknown options and invalid values", bad_options),
    Check::new("no-position", "answers go without a position with the error no-position (7)", no_position),
    Check::new("bad-position", "answers an impossible CGP with the error bad-position (7)", bad_position),
    Check::new("bad-rack", "answers an impossible rack with the error bad-position (7)", bad_rack),
    Check::new("bad-move", "answers an impossible move with the error bad-move (7)", bad_move),
    Check::new("unsupported-mode", "answers an undeclared mode with the error unsupported-mode (3, 7)", unsupported_mode)
        .siu("UCGI has no modes of go"),
];

fn handshake(probe: &mut Probe<'_>) -> Result<Vec<String>, Trouble> {
    let (word, _) = probe.engine.dialect.handshake();
    probe.send(word);
    probe.handshake_lines()
}

fn quiet_start(probe: &mut Probe<'_>) -> CheckResult {
    if let Some(line) = probe.silence()?.first() {
        return fail(format!("it prints a line before it is asked: {}", shown(line)));
    }
    // The first output of an engine that starts slowly may come among the answers.
    let (_, answer) = probe.engine.dialect.handshake();
    let lines = handshake(probe)?;
    let is_answer = |line: &&String| {
        let first = line.split_whitespace().next().unwrap_or("");
        ["id", "capability", "option", "info"].contains(&first) || first == answer
    };
    match lines.iter().find(|line| !is_answer(line)) {
        Some(line) => fail(format!("this line does not belong to a handshake: {}", shown(line))),
        None => Ok(String::new()),
    }
}

fn identity(probe: &mut Probe<'_>) -> CheckResult {
    let lines = handshake(probe)?;
    for what in ["name", "author"] {
        let start = format!("id {what} ");
        if !lines.iter().any(|line| line.strip_prefix(&start).is_some_and(|text| !text.trim().is_empty())) {
            return fail(format!("there is no line id {what} <text>"));
        }
    }
    Ok(lines.iter().find_map(|line| line.strip_prefix("id name ")).unwrap_or("").to_string())
}

fn capabilities(probe: &mut Probe<'_>) -> CheckResult {
    let lines = handshake(probe)?;
    let told: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("capability ")).collect();
    let [words] = told.as_slice() else { return fail(format!("{} capability lines, expected one", told.len())) };
    let words: Vec<&str> = words.split_whitespace().collect();
    if let Some(word) = words.iter().find(|word| !MODES.contains(*word) && !BEHAVIOURS.contains(*word)) {
        return fail(format!("unknown capability {word:?}"));
    }
    if words.iter().collect::<BTreeSet<_>>().len() != words.len() {
        return fail("a capability is listed twice");
    }
    if !words.iter().any(|word| MODES.contains(word)) {
        return fail("no mode of go is among the capabilities");
    }
    Ok(words.join(" "))
}

fn options(probe: &mut Probe<'_>) -> CheckResult {
    let lines = handshake(probe)?;
    let mut names = BTreeSet::new();
    for line in lines.iter().filter(|line| line.split_whitespace().next() == Some("option")) {
        let option = OptionLine::read(line).map_err(|why| Trouble::Fail(format!("{why}: {}", shown(line))))?;
        if !names.insert(option.name.to_lowercase()) {
            return fail(format!("two options have the name {:?}", option.name));
        }
        let reserved = RESERVED_OPTIONS.iter().find(|(name, _)| name.eq_ignore_ascii_case(&option.name));
        if let Some((name, kind)) = reserved.filter(|(_, kind)| *kind != option.kind.word()) {
            return fail(format!("{name} is of type {}, but the protocol requires {kind}", option.kind.word()));
        }
    }
    Ok(format!("{} options", names.len()))
}

fn quit_first(probe: &mut Probe<'_>) -> CheckResult {
    handshake(probe)?;
    quit(probe)
}

fn quit(probe: &mut Probe<'_>) -> CheckResult {
    probe.send("quit");
    probe.expect_exit()
}

fn end_of_input(probe: &mut Probe<'_>) -> CheckResult {
    probe.close_input();
    probe.expect_exit()
}

fn isready(probe: &mut Probe<'_>) -> CheckResult {
    for _ in 0..3 {
        if let Some(line) = probe.ready()?.first() {
            return fail(format!("it prints more than readyok: {}", shown(line)));
        }
    }
    match probe.silence()?.first() {
        Some(line) => fail(format!("it prints more after readyok: {}", shown(line))),
        None => Ok(String::new()),
    }
}

fn unknown_command(probe: &mut Probe<'_>) -> CheckResult {
    for line in ["joho frobnicate", "capability gen", "bestmove pass", "gogen"] {
        for answer in probe.ask(line)? {
            match EngineLine::read(&answer) {
                EngineLine::Refusal(text) if !text.starts_with("unknown-command") => {
                    return fail(format!("{line:?} is answered by a different error: {}", shown(&answer)));
                }
                EngineLine::BestMove(_) => return fail(format!("{line:?} is answered by a move")),
                _ => {}
            }
        }
    }
    works(probe)
}

/// Checks that the engine still searches.
pub fn works(probe: &mut Probe<'_>) -> CheckResult {
    probe.position(OPENING)?;
    let mode = probe.engine.any_mode()?;
    let found = probe.search(&probe.engine.go(mode, "movetime 200"), probe.engine.patience())?;
    probe.judge(&found.bestmove, OPENING, found.lexicon())?;
    Ok(String::new())
}

fn blanks(probe: &mut Probe<'_>) -> CheckResult {
    probe.send_bytes(b"\n\r\n  \n\t isready \t\r\n");
    probe.lines_to("readyok", probe.engine.patience())?;
    probe.send_bytes(format!("position \t cgp   {} \r\n", OPENING.replace(' ', "  ")).as_bytes());
    let mode = probe.engine.any_mode()?;
    let found = probe.search(&format!("  {} \t", probe.engine.go(mode, "movetime  200")), probe.engine.patience())?;
    probe.judge(&found.bestmove, OPENING, found.lexicon())?;
    Ok(String::new())
}

fn bad_bytes(probe: &mut Probe<'_>) -> CheckResult {
    let long = "x".repeat(1 << 20);
    for bytes in [long.as_bytes(), b"\xff\xfe\x80 go", b"position cgp \xc3\x28/ / 0/0 0", b"\0\x1b[2J"] {
        probe.send_bytes(&[bytes, b"\n"].concat());
        if let Some(line) = probe.ready()?.iter().find(|line| line.starts_with("bestmove")) {
            return fail(format!("bytes that are not a command are answered by a move: {}", shown(line)));
        }
    }
    works(probe)
}

fn stop_idle(probe: &mut Probe<'_>) -> CheckResult {
    probe.position(OPENING)?;
    probe.send("stop");
    let mut lines = probe.silence()?;
    lines.extend(probe.ready()?);
    match lines.iter().find(|line| line.starts_with("bestmove")) {
        Some(line) => fail(format!("stop is answered by a move although no search runs: {}", shown(line))),
        None => Ok(String::new()),
    }
}

fn set_options(probe: &mut Probe<'_>) -> CheckResult {
    let options = probe.engine.survey.options.clone();
    let mut lines = Vec::new();
    for OptionLine { name, kind } in &options {
        // The default comes last, so that the search after it is that of a fresh engine. Other texts, such as files, are not guessed.
        let values: Vec<String> = match kind {
            OptionType::Check(default) => [Some(false), Some(true), *default].into_iter().flatten().map(|flag| flag.to_string()).collect(),
            OptionType::Spin { default, min, .. } => [*min, *default].into_iter().flatten().map(|number| number.to_string()).collect(),
            OptionType::Combo { default, choices } => choices.iter().chain(default).cloned().collect(),
            OptionType::Text(default) => default.iter().cloned().collect(),
            OptionType::Button => Vec::new(),
        };
        lines.extend(values.iter().map(|value| format!("setoption name {} value {value}", name.to_lowercase())));
    }
    if lines.is_empty() {
        return skip("the engine has no options with values");
    }
    for line in &lines {
        probe.taken(line)?;
    }
    for (name, value) in probe.engine.options {
        probe.send(&format!("setoption name {name} value {value}"));
    }
    works(probe).map(|_| format!("{} values", lines.len()))
}

fn bad_options(probe: &mut Probe<'_>) -> CheckResult {
    let mut lines: Vec<String> =
        ["setoption", "setoption name", "setoption name No Such Option value 1", "setoption value 3"].map(String::from).into();
    for OptionLine { name, kind } in &probe.engine.survey.options {
        match kind {
            OptionType::Spin { max, min, .. } => {
                lines.push(format!("setoption name {name} value nine"));
                lines.extend(max.and_then(|max| max.checked_add(1)).map(|more| format!("setoption name {name} value {more}")));
                lines.extend(min.and_then(|min| min.checked_sub(1)).map(|less| format!("setoption name {name} value {less}")));
            }
            OptionType::Combo { .. } | OptionType::Check(_) => lines.push(format!("setoption name {name} value no-such-value")),
            OptionType::Text(_) | OptionType::Button => {}
        }
    }
    for line in &lines {
        if let Some(answer) = probe.ask(line)?.iter().find(|line| line.starts_with("bestmove")) {
            return fail(format!("an option is answered by a move: {}", shown(answer)));
        }
    }
    works(probe).map(|_| format!("{} lines", lines.len()))
}

/// A line that must be answered by an error of one of these codes, and not by a move.
fn refused(probe: &mut Probe<'_>, line: &str, codes: &[&str]) -> Result<(), Trouble> {
    let mut answers = probe.ask(line)?;
    answers.extend(probe.silence()?);
    let mut found = false;
    for answer in &answers {
        match EngineLine::read(answer) {
            EngineLine::BestMove(_) => return fail(format!("{} is answered by a move", shown(line))),
            EngineLine::Refusal(text) => {
                let code = text.split_whitespace().next().unwrap_or("");
                if !codes.contains(&code) {
                    return fail(format!("{} is answered by the error {code:?}, expected {}", shown(line), codes.join(" or ")));
                }
                found = true;
            }
            _ => {}
        }
    }
    if found { Ok(()) } else { fail(format!("{} is accepted without the error {}", shown(line), codes.join(" or "))) }
}

fn no_position(probe: &mut Probe<'_>) -> CheckResult {
    let mode = probe.engine.any_mode()?;
    refused(probe, &probe.engine.go(mode, "movetime 200"), &["no-position"])?;
    works(probe)
}

fn bad_position(probe: &mut Probe<'_>) -> CheckResult {
    let rows = |rows: &[&str]| [rows, &["15"; 15][rows.len()..]].concat().join("/");
    for cgp in [
        "".to_string(),
        "nonsense".to_string(),
        format!("{EMPTY_BOARD} AEINRST/ 0/0"),
        format!("{EMPTY_BOARD} AEINRST/ x/0 0"),
        format!("{EMPTY_BOARD}/15 AEINRST/ 0/0 0"),
        format!("{} AEINRST/ 0/0 0", rows(&["16"])),
        format!("{} AEINRST/ 0/0 0", rows(&["14!"])),
        // More tiles than the game has.
        format!("{} AEINRST/ 0/0 0", rows(&["QUIZQUIZQUIZQUI"])),
    ] {
        refused(probe, &format!("position cgp {cgp}"), &["bad-position"])?;
    }
    works(probe)
}

fn bad_rack(probe: &mut Probe<'_>) -> CheckResult {
    for rack in ["AEINRSTU", "QQ", "A1", "ZZZ", "???"] {
        refused(probe, &format!("position cgp {EMPTY_BOARD} {rack}/ 0/0 0"), &["bad-position"])?;
    }
    works(probe)
}

fn bad_move(probe: &mut Probe<'_>) -> CheckResult {
    // Not a move, off the board, off the start, next to no tile, too many of a tile, over the edge, on another word.
    for moves in ["zzz", "8Z.DOG", "1A.DOG", "8G.DOG 1A.CAT", "8G.QQQ", "8M.DOGS", "8G.DOG 8G.CAT"] {
        refused(probe, &format!("position cgp {EMPTY_BOARD} / 0/0 0 moves {moves}"), &["bad-move"])?;
    }
    let mode = probe.engine.any_mode()?;
    probe.position(OPENING)?;
    let found = probe.ask(&probe.engine.go(mode, "movetime 200 searchmoves 1A.DOG"))?;
    let refusal = found.iter().find(|line| matches!(EngineLine::read(line), EngineLine::Refusal(_)));
    match refusal {
        Some(line) if !line.contains("bad-move") => {
            return fail(format!("searchmoves with an impossible move is answered by a different error: {}", shown(line)));
        }
        Some(_) => {}
        // It searches something else. That is allowed, but the search must end.
        None if found.iter().any(|line| line.starts_with("bestmove")) => {}
        None => drop(probe.lines_to("bestmove", probe.engine.patience())?),
    }
    works(probe)
}

fn unsupported_mode(probe: &mut Probe<'_>) -> CheckResult {
    let missing: Vec<&str> = MODES.into_iter().filter(|mode| !probe.engine.can(mode)).collect();
    if missing.is_empty() {
        return skip("the engine declares all modes");
    }
    probe.position(OPENING)?;
    for mode in &missing {
        refused(probe, &format!("go {mode} movetime 200"), &["unsupported-mode"])?;
    }
    works(probe)
}
