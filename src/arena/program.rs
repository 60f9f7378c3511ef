//! A program that plays: starts its process, sets it up, asks it for moves, and replaces it. Everything that it does wrong becomes a fault
//! with a reason.
//!
//! A question has three steps:
//! 1. Send the position and `isready`. Lines before `readyok` belong to the past, so a late `bestmove` is not taken for the answer. An
//!    error there is about the position.
//! 2. Send `go`, and start the clock. The answer is the first `bestmove`, with the moment at which it was read.
//! 3. When the time is over, send `stop`. If there is still no answer, replace the process.
//!
//! Not here: the time limits (`match_play/time_control.rs`), and the lines that are sent (`tournament/dialogue.rs`). Start with
//! [`ProgramEngine::ask`].

use crate::host::output_file;
use crate::match_play::time_control::TurnPatience;
use crate::processes::child::{ChildOutput, ChildProcess};
use crate::processes::group::{Warden, this_program_again};
use crate::search::budget::Signals;
use crate::tournament::arbiter::shown;
use crate::tournament::configuration::{EngineDialect, EnginePatience, ProgramSetting};
use crate::tournament::dialogue::{EngineLine, EngineQuestion, ToldEvaluation, provenance_value, told_evaluation};
use crate::tournament::fault::{Fault, FaultReason};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time between two checks for an interrupt.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The settings with which every process of an engine is started.
#[derive(Clone, Copy, Debug)]
pub struct ProgramSurroundings<'a> {
    /// The folder of the tournament's file, to which paths are relative.
    pub folder: &'a Path,
    /// How long engines may take for everything except moves.
    pub patience: &'a EnginePatience,
    /// Ends the processes if the runner is killed.
    pub warden: Option<&'a Arc<Warden>>,
    /// The signals that stop when the run is interrupted.
    pub given_up: &'a Signals,
}

/// A program, with its process while it runs.
#[derive(Debug)]
pub struct ProgramEngine<'a> {
    program: &'a ProgramSetting,
    surroundings: ProgramSurroundings<'a>,
    process: Option<ChildProcess>,
    told: Handshake,
    /// Whether a `bestmove` of an abandoned search may still come.
    owes_answer: bool,
    /// The processor time of the process at the end of its last turn (`rested`), and its total during the opponent's turns (`idle`).
    rested: Option<Duration>,
    idle: Duration,
}

/// What an engine reported about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handshake {
    /// Its name with its version.
    pub name: String,
    /// Modes of `go` and other capabilities.
    pub capabilities: Vec<String>,
    /// Names of its options.
    pub options: Vec<String>,
}

/// An engine's answer to a question.
#[derive(Debug)]
pub struct Answered {
    /// From `go` to the answer, or to the end of the wait.
    pub time: Duration,
    /// The move, or the fault.
    pub text: Result<String, Fault>,
    /// The engine's evaluation of its move.
    pub told: Option<ToldEvaluation>,
}

/// Why a wait ended without the expected line.
#[derive(Debug)]
enum Interruption {
    /// Nothing came in time.
    TimeOver,
    /// The output ended, or was too long.
    Fault(Fault),
    /// The run was interrupted.
    GivenUp,
}

impl Interruption {
    /// Returns the fault. A timeout becomes a fault with this reason and text.
    fn into_fault(self, silent: FaultReason, what: &str) -> Fault {
        match self {
            Interruption::TimeOver => Fault::new(silent, format!("timed out: {what}")),
            Interruption::Fault(fault) => fault,
            Interruption::GivenUp => Fault::new(FaultReason::Silent, "the run was interrupted"),
        }
    }
}

impl<'a> ProgramEngine<'a> {
    /// Returns a program, which is started when it is needed.
    pub fn new(program: &'a ProgramSetting, surroundings: ProgramSurroundings<'a>) -> ProgramEngine<'a> {
        ProgramEngine {
            program,
            surroundings,
            process: None,
            told: Handshake::default(),
            owes_answer: false,
            rested: None,
            idle: Duration::ZERO,
        }
    }

    /// Returns what the program reported about itself. It is empty before the first start.
    pub fn handshake(&self) -> &Handshake {
        &self.told
    }

    /// Gets the program ready for a game, in a new process if it has none.
    ///
    /// # Errors
    /// The program cannot be started, refuses an option, or is not ready in time; or the file of its standard error cannot be written.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        if self.program.dialect == EngineDialect::Exec {
            return self.stderr().map(|_| ()).map_err(|error| Fault::new(FaultReason::Start, error.to_string()));
        }
        if self.process.is_some() {
            if self.ready_for_game().is_ok() {
                return Ok(());
            }
            // Trouble between games is not a fault in the next game.
            self.end();
        }
        let started = self.start().and_then(|()| self.ready_for_game());
        started.map_err(|fault| {
            self.process = None;
            Fault::new(FaultReason::Start, fault.text)
        })
    }

    fn ready_for_game(&mut self) -> Result<(), Fault> {
        self.ready_after(self.program.dialect.new_game(), self.surroundings.patience.newgame_ms, "no readyok after a new game")
    }

    fn start(&mut self) -> Result<(), Fault> {
        let failed = |text: String| Fault::new(FaultReason::Start, text);
        let process = self.command(&[]).and_then(|command| self.start_process(command));
        self.process = Some(process.map_err(|error| failed(format!("{}: {error}", self.program_name())))?);
        self.owes_answer = false;
        let (handshake, answer) = self.program.dialect.handshake();
        self.send(handshake);
        let end = Instant::now() + Duration::from_millis(self.surroundings.patience.handshake_ms);
        let mut told = Handshake::default();
        loop {
            let (_, line) = self.line_by(end).map_err(|why| why.into_fault(FaultReason::Start, &format!("no {answer}")))?;
            match EngineLine::read(&line) {
                EngineLine::HandshakeOver => break,
                EngineLine::Name(name) => told.name = name.to_string(),
                EngineLine::Option(name) => told.options.push(name.to_string()),
                EngineLine::Capabilities(words) => told.capabilities = words.split_whitespace().map(String::from).collect(),
                _ => {}
            }
        }
        self.told = told;
        for (name, value) in &self.program.keys.options {
            if !self.told.options.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                return Err(failed(format!("it has no option {name:?}, only {}", self.told.options.join(", "))));
            }
            self.send(&format!("setoption name {name} value {value}"));
        }
        Ok(())
    }

    fn start_process(&self, command: Command) -> io::Result<ChildProcess> {
        let most_memory = self.program.keys.memory_mb.map(|mb| mb.saturating_mul(1 << 20));
        ChildProcess::start(command, self.stderr()?, self.surroundings.warden.cloned(), most_memory)
    }

    /// Opens the destination of its standard error. Processes of concurrent games append to the same file.
    fn stderr(&self) -> io::Result<Stdio> {
        let Some(file) = &self.program.keys.stderr else { return Ok(Stdio::null()) };
        let path = self.surroundings.folder.join(file);
        let opened = output_file::append_to(&path);
        opened.map(Stdio::from).map_err(|error| io::Error::new(error.kind(), format!("stderr = {file:?}: {error}")))
    }

    /// Returns the program's name for messages.
    fn program_name(&self) -> &str {
        self.program.keys.command.as_deref().unwrap_or("this program")
    }

    fn command(&self, more: &[&str]) -> io::Result<Command> {
        let mut command = match &self.program.keys.command {
            // A bare name is searched on the search path.
            Some(command) if command.contains('/') => Command::new(self.surroundings.folder.join(command)),
            Some(command) => Command::new(command),
            None => this_program_again()?,
        };
        command.args(&self.program.keys.args).args(more).envs(&self.program.keys.environment);
        command.current_dir(match &self.program.keys.folder {
            Some(folder) => self.surroundings.folder.join(folder),
            None => self.surroundings.folder.to_path_buf(),
        });
        Ok(command)
    }

    /// Takes the processor time of the process during the opponent's turns of this game.
    pub fn take_idle_time(&mut self) -> Duration {
        self.count_idle_time();
        self.rested = None;
        std::mem::take(&mut self.idle)
    }

    /// Adds the processor time since the last turn.
    fn count_idle_time(&mut self) {
        let now = self.process.as_ref().and_then(ChildProcess::processor_time);
        if let (Some(now), Some(rested)) = (now, self.rested.take()) {
            self.idle += now.saturating_sub(rested);
        }
    }

    /// Asks for a move. For programs that are started for each turn, see [`ProgramEngine::ask_once`].
    pub fn ask(&mut self, question: &EngineQuestion, patience: TurnPatience) -> Answered {
        self.count_idle_time();
        let answered = self.ask_process(question, patience);
        self.rested = self.process.as_ref().and_then(ChildProcess::processor_time);
        answered
    }

    /// Asks the running process for a move.
    fn ask_process(&mut self, question: &EngineQuestion, patience: TurnPatience) -> Answered {
        if let Err(fault) = self.ready_after(&question.position, self.surroundings.patience.ready_ms, "no readyok after a position") {
            self.process = None;
            return Answered { time: Duration::ZERO, text: Err(fault), told: None };
        }
        let start = Instant::now();
        self.send(&question.go);
        self.owes_answer = true;
        let mut evaluations = Vec::new();
        let outcome = self.wait_move(start + patience.wait, &mut evaluations);
        let (at, text) = match outcome {
            Ok((at, text)) => (at, self.in_time(at - start, patience, text)),
            Err(Interruption::TimeOver) => self.after_time(start, patience, &mut evaluations),
            Err(why) => (Instant::now(), Err(why.into_fault(FaultReason::Silent, "no bestmove"))),
        };
        if text.as_ref().is_err_and(|fault| fault.reason != FaultReason::Late) {
            self.process = None;
        }
        let told = text.as_ref().ok().and_then(|text| told_of(&evaluations, text));
        Answered { time: at - start, text, told }
    }

    /// Sends `stop`, since the time is over, and waits for the answer.
    fn after_time(&mut self, start: Instant, patience: TurnPatience, evaluations: &mut Vec<String>) -> (Instant, Result<String, Fault>) {
        self.send("stop");
        let end = Instant::now() + Duration::from_millis(self.surroundings.patience.stop_ms);
        match self.wait_move(end, evaluations) {
            // The answer may have come in time and waited to be read. Where overtime is no loss, it may also come at the ceiling.
            Ok((at, text)) => (at, self.in_time(at - start, patience, text)),
            Err(why) => (Instant::now(), Err(why.into_fault(FaultReason::Silent, "no bestmove, not even after stop"))),
        }
    }

    fn in_time(&self, time: Duration, patience: TurnPatience, text: String) -> Result<String, Fault> {
        let is_late = patience.late_after.is_some_and(|late| time > late);
        if is_late { Err(Fault::new(FaultReason::Late, "the answer came after the time was over")) } else { Ok(text) }
    }

    /// Waits for the next `bestmove`. Keeps lines that may have evaluations.
    fn wait_move(&mut self, end: Instant, evaluations: &mut Vec<String>) -> Result<(Instant, String), Interruption> {
        loop {
            let (at, line) = self.line_by(end)?;
            match EngineLine::read(&line) {
                EngineLine::BestMove(text) => {
                    self.owes_answer = false;
                    return Ok((at, text.to_string()));
                }
                EngineLine::Refusal(text) => return Err(Interruption::Fault(Fault::new(FaultReason::Refused, shown(text)))),
                // The evaluation is read once the move is known, since most of these lines are about other moves.
                EngineLine::Other if line.starts_with("info ") => evaluations.push(line),
                _ => {}
            }
        }
    }

    /// Sends a line with `isready`, and waits for `readyok`. Lines before it belong to this line or to the past. Both lines are sent at once,
    /// so that neither side wakes twice.
    fn ready_after(&mut self, line: &str, ms: u64, what: &str) -> Result<(), Fault> {
        self.send(&format!("{line}\nisready"));
        let end = Instant::now() + Duration::from_millis(ms);
        let mut refusal = None;
        loop {
            let (_, line) = self.line_by(end).map_err(|why| why.into_fault(FaultReason::Silent, what))?;
            match EngineLine::read(&line) {
                EngineLine::Ready => break,
                // This answers a search that was abandoned.
                EngineLine::BestMove(_) if self.owes_answer => self.owes_answer = false,
                EngineLine::BestMove(text) => {
                    return Err(Fault::new(FaultReason::Twice, format!("bestmove {} without a go", shown(text))));
                }
                EngineLine::Refusal(text) => refusal = refusal.or(Some(shown(text))),
                _ => {}
            }
        }
        refusal.map_or(Ok(()), |text| Err(Fault::new(FaultReason::Refused, text)))
    }

    /// Waits for the next line until `end`.
    fn line_by(&mut self, end: Instant) -> Result<(Instant, String), Interruption> {
        let Some(process) = &mut self.process else {
            return Err(Interruption::Fault(Fault::new(FaultReason::Died, "the process is not running")));
        };
        loop {
            let now = Instant::now();
            match process.next_by(end.min(now + LOOK_EVERY)) {
                Some(ChildOutput::Line(at, line)) => return Ok((at, line)),
                Some(ChildOutput::TooMuch) => {
                    let text = "more output in one turn than the runner keeps";
                    return Err(Interruption::Fault(Fault::new(FaultReason::Flood, text)));
                }
                Some(ChildOutput::End) => {
                    // The output ends a little earlier than the process.
                    let ended = process.ended_by(Instant::now() + Duration::from_millis(500));
                    return Err(Interruption::Fault(self.fault_of_end(ended)));
                }
                None if self.surroundings.given_up.is_stopped() => return Err(Interruption::GivenUp),
                // Children of a process that has ended may hold its output open.
                None => match process.ended_by(now) {
                    Some(status) => return Err(Interruption::Fault(self.fault_of_end(Some(status)))),
                    None if Instant::now() >= end => return Err(Interruption::TimeOver),
                    None => {}
                },
            }
        }
    }

    /// Returns the fault of a process that has ended with this status, or whose output has ended.
    fn fault_of_end(&self, status: Option<String>) -> Fault {
        match status {
            _ if self.process.as_ref().is_some_and(ChildProcess::took_too_much_memory) => {
                Fault::new(FaultReason::Memory, format!("more than {} MB", self.program.keys.memory_mb.unwrap_or_default()))
            }
            Some(status) => Fault::new(FaultReason::Died, status),
            None => Fault::new(FaultReason::Closed, "its output has ended, but the process is running"),
        }
    }

    fn send(&mut self, line: &str) {
        if let Some(process) = &mut self.process {
            process.send(line);
        }
    }

    /// Starts a process for this turn. CGP and ms are its last arguments, and the first word of its last line is the move.
    pub fn ask_once(&mut self, cgp: &str, move_ms: u64, patience: TurnPatience) -> Answered {
        let start = Instant::now();
        let command = self.command(&[cgp, &move_ms.to_string()]);
        match command.and_then(|command| self.start_process(command)) {
            Ok(mut process) => {
                process.close_input();
                self.process = Some(process);
            }
            Err(error) => {
                let fault = Fault::new(FaultReason::Start, format!("{}: {error}", self.program_name()));
                return Answered { time: Duration::ZERO, text: Err(fault), told: None };
            }
        }
        let mut last: Option<(Instant, String)> = None;
        let fault = loop {
            match self.line_by(start + patience.wait) {
                Ok((at, line)) if !line.trim().is_empty() => last = Some((at, line)),
                Ok(_) => {}
                Err(Interruption::Fault(fault)) => break Some(fault),
                Err(why) => break Some(why.into_fault(FaultReason::Late, "the program did not end")),
            }
        };
        let has_left_others = self.process.take().is_some_and(|process| process.has_left_others());
        let ended_well = fault.as_ref().is_some_and(|fault| fault.reason == FaultReason::Died && fault.text.ends_with(": 0"));
        let time = last.as_ref().map_or_else(|| start.elapsed(), |(at, _)| *at - start);
        let text = match (last, fault) {
            (Some(_), Some(_)) if ended_well && has_left_others => {
                Err(Fault::new(FaultReason::Children, "it ended, but processes that it started are still running"))
            }
            (Some((_, line)), Some(_)) if ended_well => {
                self.in_time(time, patience, line.split_whitespace().next().unwrap_or("").to_string())
            }
            (None, Some(_)) if ended_well => Err(Fault::new(FaultReason::Silent, "it ended without a move")),
            (_, fault) => Err(fault.unwrap_or_else(|| Fault::new(FaultReason::Silent, "it ended without a move"))),
        };
        Answered { time, text, told: None }
    }

    /// Checks the lexicon of a first search and the engine's judgement of `words`, as far as it reports them.
    ///
    /// # Errors
    /// Its lexicon has another name than `lexicon`, or its judgement of a word differs from `words`.
    pub fn probe(&mut self, cgp: &str, lexicon: &str, words: &[(String, bool)]) -> Result<(), Fault> {
        let other = |text: String| Err(Fault::new(FaultReason::Start, text));
        self.send(&format!("position cgp {cgp}"));
        let mode = if self.told.capabilities.iter().any(|word| word == "gen") { "gen" } else { "movetime 50" };
        self.send(&format!("go {mode}"));
        let end = Instant::now() + Duration::from_millis(self.surroundings.patience.newgame_ms);
        loop {
            let (_, line) = self.line_by(end).map_err(|why| why.into_fault(FaultReason::Start, "no answer to a first search"))?;
            match EngineLine::read(&line) {
                EngineLine::BestMove(_) => break,
                EngineLine::Refusal(text) => return other(shown(text)),
                EngineLine::Provenance(text) => match provenance_value(text, "lexicon") {
                    Some(found) if !found.eq_ignore_ascii_case(lexicon) => {
                        return other(format!("it uses the lexicon {found}, but the arbiter uses {lexicon}"));
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        let asked: Vec<&str> = words.iter().map(|(word, _)| word.as_str()).collect();
        self.send(&format!("check {}", asked.join(" ")));
        self.send("isready");
        loop {
            let (_, line) = self.line_by(end).map_err(|why| why.into_fault(FaultReason::Start, "no readyok after the probe words"))?;
            if EngineLine::read(&line) == EngineLine::Ready {
                return Ok(());
            }
            // Engines without this command answer with an error, or not at all.
            let Some((word, verdict)) = line.strip_prefix("info string check ").and_then(|rest| rest.split_once(' ')) else { continue };
            let expected = words.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, is_word)| *is_word);
            if expected.is_some_and(|expected| expected != (verdict.trim() == "valid")) {
                return other(format!("it reports that {word} is {}, but the arbiter's {lexicon} differs", verdict.trim()));
            }
        }
    }

    /// Ends the process by `quit`, or by force if that does not help. An interrupted run does not wait.
    pub fn end(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.send("quit");
            process.close_input();
            if !self.surroundings.given_up.is_stopped() {
                process.ended_by(Instant::now() + Duration::from_millis(self.surroundings.patience.quit_ms));
            }
        }
    }
}

impl Drop for ProgramEngine<'_> {
    fn drop(&mut self) {
        self.end();
    }
}

/// Returns the last reported evaluation of a move.
fn told_of(lines: &[String], text: &str) -> Option<ToldEvaluation> {
    let found = lines.iter().rev().filter_map(|line| told_evaluation(line));
    found.into_iter().find(|(of, _)| of.eq_ignore_ascii_case(text)).map(|(_, told)| told)
}
