//! Runs every example of `protocol/sessions` against the program, each in a fresh process. The format is described in
//! `protocol/conformance.md`, "Example sessions"; [`Step::parse`] reads it and refuses what is not in it.

use crate::integration::answers::{is_move_text, is_tiles, parse_decimal};
use crate::integration::engine_process::EngineProcess;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Why an upper bound of a session is longer here than it reads: a machine that builds and runs other tests meanwhile
/// keeps a process waiting. The strict bounds are measured in `protocol_checks.rs`, on an idle machine.
const SLACK: Duration = Duration::from_millis(1500);

/// One line of a session.
#[derive(Clone, PartialEq, Debug)]
enum Step {
    Send(Vec<u8>),
    Expect(Pattern),
    /// Any number of lines until the next expectation is met.
    Skip,
    CloseInput,
    Exit(i32),
    Silence(Duration),
    /// The next expectation is met within this time.
    Within(Duration),
}

/// What a line is to look like.
#[derive(Clone, PartialEq, Debug)]
struct Pattern(Vec<Piece>);

#[derive(Clone, PartialEq, Debug)]
enum Piece {
    Literal(String),
    Int,
    Float,
    Move,
    Tiles,
    Word,
    Text,
    OneOf(Vec<String>),
}

impl Step {
    /// Reads a line of a session; `None` for a comment or an empty one.
    fn parse(line: &str) -> Result<Option<Step>, String> {
        if line.trim().is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let (sign, rest) = line.split_at(1);
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        Ok(Some(match sign {
            ">" => Step::Send(format!("{rest}\n").into_bytes()),
            "<" if rest == "..." => Step::Skip,
            "<" => Step::Expect(Pattern::parse(rest)?),
            "!" => {
                let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
                match (word, rest) {
                    ("eof", "") => Step::CloseInput,
                    ("exit", status) => Step::Exit(status.parse().map_err(|_| format!("{status:?} is no exit status"))?),
                    ("silence", time) => Step::Silence(duration(time)?),
                    ("within", time) => Step::Within(duration(time)?),
                    ("raw", text) => Step::Send(unescape(text)?),
                    ("repeat", text) => {
                        let (times, text) = text.split_once(' ').ok_or("repeat needs a number and a text")?;
                        let times = times.parse().map_err(|_| format!("{times:?} is no number"))?;
                        Step::Send(unescape(text)?.repeat(times))
                    }
                    _ => return Err(format!("{word:?} is no directive")),
                }
            }
            _ => return Err(format!("{line:?} begins with none of > < ! #")),
        }))
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    let ms = text.strip_suffix("ms").and_then(|ms| ms.parse().ok());
    ms.map(Duration::from_millis).ok_or_else(|| format!("{text:?} is no time like 500ms"))
}

/// `\n`, `\r`, `\t`, `\\`, `\s` (a blank) and `\xHH` as the bytes they stand for.
fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = rest[at + 1..].chars().next();
        let mut length = 2;
        match escape {
            Some('n') => bytes.push(b'\n'),
            Some('r') => bytes.push(b'\r'),
            Some('t') => bytes.push(b'\t'),
            Some('s') => bytes.push(b' '),
            Some('\\') => bytes.push(b'\\'),
            Some('x') => {
                let digits = rest.get(at + 2..at + 4).ok_or("\\x needs two digits")?;
                bytes.push(u8::from_str_radix(digits, 16).map_err(|_| format!("\\x{digits} is no byte"))?);
                length = 4;
            }
            _ => return Err(format!("unknown escape in {text:?}")),
        }
        rest = &rest[at + length..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

impl Pattern {
    fn parse(text: &str) -> Result<Pattern, String> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(open) = rest.find('<') {
            let close = open + rest[open..].find('>').ok_or_else(|| format!("an open < in {text:?}"))?;
            if open > 0 {
                pieces.push(Piece::Literal(rest[..open].to_string()));
            }
            pieces.push(match &rest[open + 1..close] {
                "int" => Piece::Int,
                "float" => Piece::Float,
                "move" => Piece::Move,
                "tiles" => Piece::Tiles,
                "word" => Piece::Word,
                "text" => Piece::Text,
                choices if choices.contains('|') => Piece::OneOf(choices.split('|').map(String::from).collect()),
                // The literal that an engine prints for an empty value.
                "empty" => Piece::Literal("<empty>".to_string()),
                other => return Err(format!("<{other}> is no wildcard")),
            });
            rest = &rest[close + 1..];
        }
        if !rest.is_empty() {
            pieces.push(Piece::Literal(rest.to_string()));
        }
        Ok(Pattern(pieces))
    }

    fn matches(&self, line: &str) -> bool {
        match_pieces(&self.0, line)
    }
}

fn match_pieces(pieces: &[Piece], line: &str) -> bool {
    let Some((piece, pieces)) = pieces.split_first() else { return line.is_empty() };
    if let Piece::Literal(text) = piece {
        return line.strip_prefix(text.as_str()).is_some_and(|rest| match_pieces(pieces, rest));
    }
    // A wildcard stands for a part of one word, `<text>` for any text: try every length, the longest first.
    let word_end = if *piece == Piece::Text { None } else { line.find(' ') };
    let word = &line[..word_end.unwrap_or(line.len())];
    let ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
    ends.rev().any(|end| piece.stands_for(&word[..end]) && match_pieces(pieces, &line[end..]))
}

impl Piece {
    fn stands_for(&self, text: &str) -> bool {
        match self {
            Piece::Literal(literal) => literal == text,
            Piece::Int => text.parse::<i64>().is_ok(),
            Piece::Float => parse_decimal(text).is_some(),
            Piece::Move => is_move_text(text),
            Piece::Tiles => is_tiles(text),
            Piece::Word | Piece::Text => true,
            Piece::OneOf(choices) => choices.iter().any(|choice| choice == text),
        }
    }
}

/// Runs one session to its end. A session that does not say how the process exits ends with `quit`, which must not
/// bring up a line that the session does not mention.
fn run(steps: &[Step]) {
    let mut engine = EngineProcess::start();
    let mut last_sent = engine.started();
    let mut within = None;
    let mut skipping = false;
    let mut exited = false;
    for step in steps {
        match step {
            Step::Send(bytes) => last_sent = engine.send_bytes(bytes),
            Step::CloseInput => last_sent = engine.close_input(),
            Step::Skip => skipping = true,
            Step::Within(time) => within = Some(*time),
            Step::Silence(time) => engine.expect_silence(*time),
            Step::Expect(pattern) => {
                let at = expect(&mut engine, pattern, std::mem::take(&mut skipping));
                check_time(within.take(), at, last_sent);
            }
            Step::Exit(status) => {
                if std::mem::take(&mut skipping) {
                    engine.drain_to_end();
                }
                let (at, actual) = engine.expect_exit();
                assert_eq!(actual.code(), Some(*status), "exit status");
                check_time(within.take(), at, last_sent);
                exited = true;
            }
        }
    }
    if !exited {
        if !matches!(steps.last(), Some(Step::Send(last)) if last == b"quit\n") {
            engine.send("quit");
        }
        if skipping {
            engine.drain_to_end();
        }
        assert!(engine.expect_exit().1.success(), "quit exits with status 0");
    }
}

fn expect(engine: &mut EngineProcess, pattern: &Pattern, skipping: bool) -> Instant {
    loop {
        let (at, line) = engine.line_within(Duration::MAX).unwrap_or_else(|| panic!("no line like {pattern:?}"));
        if pattern.matches(&line) {
            return at;
        }
        assert!(skipping, "{line:?} is not like {pattern:?}");
    }
}

fn check_time(within: Option<Duration>, at: Instant, last_sent: Instant) {
    if let Some(time) = within {
        let taken = at.saturating_duration_since(last_sent);
        assert!(taken <= time + SLACK, "took {taken:?}, not {time:?}");
    }
}

fn read(path: &Path) -> Vec<Step> {
    let text = std::fs::read_to_string(path).expect("a readable session");
    let steps = steps(&text, &path.display().to_string());
    assert!(steps.iter().any(|step| matches!(step, Step::Expect(_) | Step::Exit(_))), "{} expects nothing", path.display());
    steps
}

/// The steps of a text.
fn steps(text: &str, place: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for (index, line) in text.lines().enumerate() {
        match Step::parse(line) {
            Ok(step) => steps.extend(step),
            Err(error) => panic!("{place}, line {}: {error}", index + 1),
        }
    }
    assert!(steps.iter().any(|step| matches!(step, Step::Send(_) | Step::CloseInput)), "{place} sends nothing");
    steps
}

/// Runs a conversation that stands in a document.
pub fn run_text(text: &str, place: &str) {
    run(&steps(text, place));
}

pub fn session_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol/sessions");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("protocol/sessions is there")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "session"))
        .collect();
    files.sort();
    files
}

/// All sessions, the failed ones named at the end. Each transcript is printed above its failure.
#[test]
#[allow(clippy::print_stderr, reason = "the test harness shows it when the test fails")]
fn every_example_session_holds() {
    let files = session_files();
    assert!(!files.is_empty(), "protocol/sessions holds no session");
    let mut failed = Vec::new();
    for path in &files {
        let steps = read(path);
        if std::panic::catch_unwind(|| run(&steps)).is_err() {
            eprintln!("^^^ {}\n", path.display());
            failed.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        }
    }
    assert!(failed.is_empty(), "{} of {} sessions failed: {failed:?}", failed.len(), files.len());
}

#[test]
fn the_specification_lists_every_session() {
    let document = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol/conformance.md")).expect("the document");
    for path in session_files() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        assert!(document.contains(&name), "protocol/conformance.md does not mention {name}");
    }
}

#[test]
fn patterns_match_what_they_say_and_nothing_else() {
    let matches = |pattern: &str, line: &str| Pattern::parse(pattern).expect("a pattern").matches(line);
    assert!(matches("info sim move <move> wp <float> iters <int>", "info sim move 8D.CaT wp 51.234 iters 400"));
    assert!(!matches("info sim move <move> wp <float>", "info sim move 8D.CaT wp NaN"));
    assert!(!matches("readyok", "readyok "));
    assert!(!matches("bestmove <move>", "bestmove none"));
    assert!(matches("<siu|uci>ok", "uciok") && !matches("<siu|uci>ok", "ucgiok"));
    assert!(matches("info string error bad-move <text>", "info string error bad-move column 9: no"));
    assert!(!matches("info string error bad-move <text>", "info string error bad-move "));
    assert!(matches("info string <text> in the bag", "info string 79 in the bag") && !matches("<text> in the bag", "79 in the bags"));
    assert!(matches("option default <empty>", "option default <empty>"));
    assert!(Pattern::parse("<nonsense>").is_err() && Step::parse("! what").is_err() && Step::parse("hello").is_err());
    assert_eq!(unescape(r"a\xff\r\n\\\s"), Ok(vec![b'a', 0xff, b'\r', b'\n', b'\\', b' ']));
}
