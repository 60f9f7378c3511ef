//! A check, and what it runs on: a fresh process of the engine, whose lines have time limits and a transcript.
//!
//! The process is that of tournaments (`processes/child.rs`). Not here: what is asked. Start with [`Check`] and [`Probe::start`].

use crate::conform::expectations::{OptionLine, OptionType, ResultRow};
use crate::lexicon::Lexicon;
use crate::processes::child::{ChildOutput, ChildProcess};
use crate::processes::group::Warden;
use crate::rules::GameRules;
use crate::tournament::arbiter::{Arbiter, JudgedMove, shown};
use crate::tournament::configuration::EngineDialect;
use crate::tournament::dialogue::{EngineLine, provenance_value};
use std::io::{self, Read, Seek, SeekFrom};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

/// Lines of a transcript that are kept.
const MOST_LINES: usize = 400;

/// Characters of a line that are kept.
const LONGEST_SHOWN: usize = 160;

/// Bytes at the end of standard error that are looked at.
const ERRORS_READ: u64 = 8 << 10;

/// Lines of them that are kept: the length of a panic or an exception.
const MOST_ERROR_LINES: usize = 12;

/// How long a reading waits for something that must not come.
const SILENCE: Duration = Duration::from_millis(300);

/// Why a check has not passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The engine does something wrong.
    Fail(String),
    /// The engine does not claim what is checked, or it cannot be judged.
    Skip(String),
}

/// The result of a check: if it has passed, a few words about it or an empty text.
pub type CheckResult = Result<String, Trouble>;

/// A failure.
pub fn fail<T>(text: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Fail(text.into()))
}

/// A check that does not apply.
pub fn skip<T>(text: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Skip(text.into()))
}

/// What an engine reported about itself in a first process, with the time that this took.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// All lines of its handshake.
    pub lines: Vec<String>,
    /// Its capabilities.
    pub capabilities: Vec<String>,
    /// Its options, as far as they can be read.
    pub options: Vec<OptionLine>,
    /// The time from `isready` to `readyok` with nothing to do: what the machine and the engine need for a word.
    pub round_trip: Duration,
}

/// The settings of all checks.
#[derive(Clone, Copy)]
pub struct CheckedEngine<'a> {
    /// The command and its arguments.
    pub command: &'a [String],
    /// How to talk to it.
    pub dialect: EngineDialect,
    /// Options to set first.
    pub options: &'a [(String, String)],
    /// What it reported about itself.
    pub survey: &'a Survey,
    /// Times are multiplied by this.
    pub slow: f64,
    /// The rules that moves are judged by.
    pub rules: &'a Arc<GameRules>,
    /// The words.
    pub lexicon: &'a Lexicon,
    /// Ends the processes if this one is killed.
    pub warden: Option<&'a Arc<Warden>>,
}

impl CheckedEngine<'_> {
    /// Whether it speaks SIU, whose rules are stricter.
    pub fn is_siu(&self) -> bool {
        self.dialect == EngineDialect::Siu
    }

    /// Whether it can do this, as far as it reports. UCGI has no capabilities:
    /// there `stop` and `stream` belong to every engine.
    pub fn can(&self, capability: &str) -> bool {
        if self.is_siu() {
            self.survey.capabilities.iter().any(|known| known == capability)
        } else {
            ["stop", "stream", "auto"].contains(&capability)
        }
    }

    /// The lexicon that its options name: the one that was set, or the default.
    pub fn lexicon_option(&self) -> Option<&str> {
        let is_lexicon = |name: &str| name.eq_ignore_ascii_case("Lexicon");
        let set = self.options.iter().rfind(|(name, _)| is_lexicon(name)).map(|(_, value)| value.as_str());
        set.or_else(|| {
            self.survey.options.iter().find(|option| is_lexicon(&option.name)).and_then(|option| match &option.kind {
                OptionType::Text(default) | OptionType::Combo { default, .. } => default.as_deref(),
                _ => None,
            })
        })
    }

    /// Whether its words are those that moves are judged by, as far as a search's provenance or its options tell.
    pub fn has_our_words(&self, provenance: Option<&str>) -> bool {
        provenance.or(self.lexicon_option()).is_some_and(|name| name.eq_ignore_ascii_case(self.lexicon.name()))
    }

    /// Skips a check of what it does not claim.
    pub fn require(&self, capability: &str) -> Result<(), Trouble> {
        if self.can(capability) { Ok(()) } else { skip(format!("the engine does not declare {capability}")) }
    }

    /// A time, ms, on this machine.
    pub fn time(&self, ms: u64) -> Duration {
        Duration::from_millis(ms).mul_f64(self.slow)
    }

    /// How long an answer may take that needs no thinking.
    pub fn patience(&self) -> Duration {
        self.time(10_000)
    }

    /// How much later than its limit the end of a search may come: half a second, and more if even a short answer takes long.
    pub fn allowance(&self) -> Duration {
        self.time(500).max(self.survey.round_trip.mul_f64(20.0 * self.slow))
    }

    /// A mode for searches of any kind.
    pub fn any_mode(&self) -> Result<&'static str, Trouble> {
        match ["auto", "sim", "gen"].into_iter().find(|mode| self.can(mode)) {
            Some("auto") => Ok(""),
            Some(mode) => Ok(mode),
            None => skip("the engine declares none of auto, sim and gen"),
        }
    }

    /// `go` in a mode, the default mode if it is empty, with parameters.
    pub fn go(&self, mode: &str, parameters: &str) -> String {
        ["go", mode, parameters].iter().filter(|word| !word.is_empty()).copied().collect::<Vec<_>>().join(" ")
    }
}

/// The lines of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchLines {
    /// All lines, the `bestmove` last.
    pub lines: Vec<String>,
    /// The move.
    pub bestmove: String,
    /// From `go` to the `bestmove`.
    pub time: Duration,
}

impl SearchLines {
    /// The parameters reported as ignored.
    pub fn ignored(&self) -> Vec<&str> {
        self.lines.iter().filter_map(|line| line.strip_prefix("info string ignored ")).collect()
    }

    /// Whether this parameter was reported as ignored.
    pub fn ignores(&self, parameter: &str) -> bool {
        self.ignored().iter().any(|text| text.split([' ', ',']).next() == Some(parameter))
    }

    /// The rows of results.
    ///
    /// # Errors
    /// A row of the wrong form.
    pub fn rows(&self) -> Result<Vec<ResultRow>, Trouble> {
        let read = |line: &String| ResultRow::read(line).map(|row| row.map_err(|why| Trouble::Fail(format!("{why}: {}", shown(line)))));
        self.lines.iter().filter_map(read).collect()
    }

    /// The lexicon that its provenance names.
    pub fn lexicon(&self) -> Option<&str> {
        self.lines.iter().find_map(|line| match EngineLine::read(line) {
            EngineLine::Provenance(text) => provenance_value(text, "lexicon"),
            _ => None,
        })
    }
}

/// A line as a transcript shows it.
fn marked(mark: &str, text: &str) -> String {
    let start: String = text.chars().take(LONGEST_SHOWN).collect();
    let more = if start.len() < text.len() { format!(" ... ({} bytes)", text.len()) } else { String::new() };
    let shown = |letter: char| if matches!(letter, '"' | '\'') { letter.to_string() } else { letter.escape_debug().to_string() };
    format!("{mark} {}{more}", start.chars().map(shown).collect::<String>())
}

/// A running engine.
pub struct Probe<'a> {
    /// What is checked.
    pub engine: CheckedEngine<'a>,
    process: ChildProcess,
    transcript: Vec<String>,
    /// Where its standard error goes.
    errors: NamedTempFile,
}

impl<'a> Probe<'a> {
    /// Starts a process. Nothing is sent to it.
    ///
    /// # Errors
    /// It cannot be started, or there is no place for a temporary file.
    pub fn start(engine: CheckedEngine<'a>) -> Result<Probe<'a>, Trouble> {
        let Some((program, arguments)) = engine.command.split_first() else { return fail("no command") };
        let mut command = Command::new(program);
        command.args(arguments);
        let no_errors = |error: io::Error| Trouble::Fail(format!("cannot make a file for its standard error: {error}"));
        let errors = NamedTempFile::new().map_err(no_errors)?;
        let stderr = Stdio::from(errors.reopen().map_err(no_errors)?);
        let process = ChildProcess::start(command, stderr, engine.warden.cloned(), None);
        let process = process.map_err(|error| Trouble::Fail(format!("{program}: {error}")))?;
        Ok(Probe { engine, process, transcript: Vec::new(), errors })
    }

    /// Handshake, options, and the first `isready`.
    ///
    /// # Errors
    /// The engine does not answer, or refuses an option.
    pub fn introduce(&mut self) -> Result<(), Trouble> {
        let (word, _) = self.engine.dialect.handshake();
        self.send(word);
        self.handshake_lines()?;
        for (name, value) in self.engine.options {
            self.send(&format!("setoption name {name} value {value}"));
        }
        // The first one may load words and tables.
        let lines = self.ready_within(6 * self.engine.patience())?;
        match lines.iter().find(|line| matches!(EngineLine::read(line), EngineLine::Refusal(_))) {
            Some(line) => fail(format!("it refuses a line before the first search: {}", shown(line))),
            None => Ok(()),
        }
    }

    /// The answer to a handshake.
    ///
    /// # Errors
    /// It does not come.
    pub fn handshake_lines(&mut self) -> Result<Vec<String>, Trouble> {
        let (_, answer) = self.engine.dialect.handshake();
        self.lines_to(answer, self.engine.patience())
    }

    /// The transcript so far: `> ` before what was sent, `< ` before what came.
    pub fn transcript(&self) -> &[String] {
        &self.transcript
    }

    /// The last lines of its standard error so far, `2> ` before each.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn last_errors(&mut self) -> io::Result<Vec<String>> {
        let file = self.errors.as_file_mut();
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(length.saturating_sub(ERRORS_READ)))?;
        let mut bytes = Vec::new();
        file.take(ERRORS_READ).read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let from = lines.len().saturating_sub(MOST_ERROR_LINES);
        Ok(lines[from..].iter().map(|line| marked("2>", line)).collect())
    }

    fn note(&mut self, mark: &str, text: &str) {
        if self.transcript.len() >= MOST_LINES {
            self.transcript.remove(MOST_LINES / 2);
        }
        self.transcript.push(marked(mark, text));
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.note(">", line);
        self.process.send(line);
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.note(">", &String::from_utf8_lossy(bytes));
        self.process.send_bytes(bytes);
    }

    /// Closes its input.
    pub fn close_input(&mut self) {
        self.note("!", "end of input");
        self.process.close_input();
    }

    /// The next line, if one comes by then.
    ///
    /// # Errors
    /// Its output has ended or is too much.
    pub fn line_by(&mut self, end: Instant) -> Result<Option<(Instant, String)>, Trouble> {
        match self.process.next_by(end) {
            Some(ChildOutput::Line(at, line)) => {
                self.note("<", &line);
                Ok(Some((at, line)))
            }
            Some(ChildOutput::TooMuch) => {
                self.note("!", "more output than is read");
                fail("it prints too much")
            }
            Some(ChildOutput::End) => {
                let status = self.process.ended_by(Instant::now() + self.engine.time(500)).unwrap_or_else(|| "still running".to_string());
                self.note("!", &format!("end of output, {status}"));
                fail(format!("its output has ended ({status})"))
            }
            None => Ok(None),
        }
    }

    /// All lines up to and including the first one that begins with this word.
    ///
    /// # Errors
    /// It does not come within the time.
    pub fn lines_to(&mut self, word: &str, within: Duration) -> Result<Vec<String>, Trouble> {
        Ok(self.timed_lines_to(word, within)?.0)
    }

    /// [`Probe::lines_to`] with the moment at which the last line came.
    pub fn timed_lines_to(&mut self, word: &str, within: Duration) -> Result<(Vec<String>, Instant), Trouble> {
        let end = Instant::now() + within;
        let mut lines = Vec::new();
        // Lines that came while nobody read have their own times: what came in time counts, however late it is read.
        while let Some((at, line)) = self.line_by(end)? {
            let is_last = line.split_whitespace().next() == Some(word);
            lines.push(line);
            if is_last {
                return Ok((lines, at));
            }
            if Instant::now() > end {
                break;
            }
        }
        fail(format!("there was no {word} within {} ms", within.as_millis()))
    }

    /// `isready`, and the lines before `readyok`.
    ///
    /// # Errors
    /// It is not answered.
    pub fn ready(&mut self) -> Result<Vec<String>, Trouble> {
        self.ready_within(self.engine.patience())
    }

    fn ready_within(&mut self, within: Duration) -> Result<Vec<String>, Trouble> {
        self.send("isready");
        let mut lines = self.lines_to("readyok", within)?;
        lines.pop();
        Ok(lines)
    }

    /// Sends a line, followed by `isready`, and returns the answers up to that of `isready`.
    ///
    /// # Errors
    /// That is not answered.
    pub fn ask(&mut self, line: &str) -> Result<Vec<String>, Trouble> {
        self.send(line);
        self.ready()
    }

    /// Sets a position that must be taken.
    ///
    /// # Errors
    /// It is refused.
    pub fn position(&mut self, cgp: &str) -> Result<(), Trouble> {
        self.taken(&format!("position cgp {cgp}"))
    }

    /// Sends a line that must be taken.
    ///
    /// # Errors
    /// It is refused.
    pub fn taken(&mut self, line: &str) -> Result<(), Trouble> {
        match self.ask(line)?.iter().find(|line| matches!(EngineLine::read(line), EngineLine::Refusal(_))) {
            Some(refusal) => fail(format!("it refuses a correct line: {}", shown(refusal))),
            None => Ok(()),
        }
    }

    /// The lines that come within the time of a short silence.
    ///
    /// # Errors
    /// The output ends or is too much.
    pub fn silence(&mut self) -> Result<Vec<String>, Trouble> {
        let end = Instant::now() + self.engine.time(SILENCE.as_millis() as u64);
        let mut lines = Vec::new();
        while let Some((_, line)) = self.line_by(end)? {
            lines.push(line);
        }
        Ok(lines)
    }

    /// Runs a search that ends by itself, up to its only `bestmove`.
    ///
    /// # Errors
    /// No `bestmove` within the time, or a second one.
    pub fn search(&mut self, go: &str, within: Duration) -> Result<SearchLines, Trouble> {
        self.send(go);
        let start = Instant::now();
        self.bestmove(start, within)
    }

    /// Reads a search to its end.
    ///
    /// # Errors
    /// Those of [`Probe::search`].
    pub fn bestmove(&mut self, start: Instant, within: Duration) -> Result<SearchLines, Trouble> {
        let (lines, at) = self.timed_lines_to("bestmove", within)?;
        let bestmove = lines.last().and_then(|line| line.split_whitespace().nth(1)).unwrap_or("").to_string();
        let mut after = self.silence()?;
        after.extend(self.ready()?);
        if let Some(second) = after.iter().find(|line| line.starts_with("bestmove")) {
            return fail(format!("there is a second answer to one go: {}", shown(second)));
        }
        Ok(SearchLines { lines, bestmove, time: at.saturating_duration_since(start) })
    }

    /// Waits for the end of the process.
    ///
    /// # Errors
    /// It does not end.
    pub fn expect_exit(&mut self) -> CheckResult {
        let started = Instant::now();
        let end = started + self.engine.patience();
        // What it still prints is read, so that it is not kept waiting.
        while let Some(output) = self.process.next_by(end) {
            match output {
                ChildOutput::Line(_, line) => self.note("<", &line),
                ChildOutput::TooMuch => return fail("it prints too much"),
                ChildOutput::End => break,
            }
            if Instant::now() > end {
                break;
            }
        }
        match self.process.ended_by(end) {
            Some(status) => {
                self.note("!", &status);
                Ok(format!("{status} after {} ms", started.elapsed().as_millis()))
            }
            None => fail(format!("the process is still running after {} ms", self.engine.patience().as_millis())),
        }
    }

    /// Judges a move by rules, tiles and, if the engine uses the same lexicon, words. Returns its points, or -1 for words that are not judged.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn judge(&self, text: &str, cgp: &str, lexicon: Option<&str>) -> Result<i32, Trouble> {
        let read = crate::formats::cgp::parse(cgp, self.engine.rules);
        let position = read.map_err(|error| Trouble::Skip(format!("the position does not belong to this game: {error}")))?.position;
        match Arbiter::new(self.engine.lexicon).judge_on(text, &position, position.mover_rack()) {
            Ok(JudgedMove::Sound(play)) => Ok(play.score),
            // Other words are another game.
            Ok(JudgedMove::Phony { .. }) if !self.engine.has_our_words(lexicon) => Ok(-1),
            Ok(JudgedMove::Phony { fault, .. }) | Err(fault) => fail(format!("the move is not legal: {}", fault.text)),
        }
    }
}

/// The lines that the process receives before a check begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckStart {
    /// Nothing.
    Silent,
    /// The handshake, the options of the command line, and `isready`.
    Ready,
}

/// The engines that a check is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckScope {
    /// Engines of both dialects.
    Both,
    /// SIU alone, with the reason why UCGI has nothing to check.
    Siu(&'static str),
}

/// A check. It gets a process of its own.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it demands, in a line; numbers are sections of the SIU draft.
    pub demand: &'static str,
    /// The engines that it is for.
    pub scope: CheckScope,
    /// How it begins.
    pub start: CheckStart,
    /// The check itself.
    pub run: fn(&mut Probe<'_>) -> CheckResult,
}

impl Check {
    /// A check of both dialects that begins with an engine that is ready.
    pub const fn new(name: &'static str, demand: &'static str, run: fn(&mut Probe<'_>) -> CheckResult) -> Check {
        Check { name, demand, scope: CheckScope::Both, start: CheckStart::Ready, run }
    }

    /// The same check for SIU alone, with the reason why UCGI has nothing to check.
    pub const fn siu(self, why: &'static str) -> Check {
        Check { scope: CheckScope::Siu(why), ..self }
    }

    /// The same check on a process to which nothing was sent.
    pub const fn silent(self) -> Check {
        Check { start: CheckStart::Silent, ..self }
    }
}
