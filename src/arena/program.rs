//! A program that plays: its process is started, set up, asked and replaced. Everything that it does wrong becomes a fault with its reason.
//!
//! A question is asked in three steps. First the position is sent, followed by `isready`.
//! Whatever comes before `readyok` belongs to the past, so a late `bestmove` is not taken for the
//! answer, and an error is about the position. Then `go` is sent, and the time starts.
//! The answer is the first `bestmove`, with the moment at which it was read.
//! When the time is over the engine is told to stop; if it does not answer that either,
//! its process is replaced.
//!
//! Not here: how long it may take (`match_play/time_control.rs`), and what is asked (`tournament/dialogue.rs`). Start with [`ProgramEngine::ask`].

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

/// Time between two looks whether the run was interrupted.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The settings with which every process of an engine is started.
#[derive(Clone, Copy, Debug)]
pub struct ProgramSurroundings<'a> {
    /// The folder of the tournament's file, which paths begin from.
    pub folder: &'a Path,
    /// How long engines may take for what is no move.
    pub patience: &'a EnginePatience,
    /// Ends the processes if the runner is killed.
    pub warden: Option<&'a Arc<Warden>>,
    /// They say stop when the run is interrupted.
    pub given_up: &'a Signals,
}

/// A program, with its process while it runs.
#[derive(Debug)]
pub struct ProgramEngine<'a> {
    program: &'a ProgramSetting,
    surroundings: ProgramSurroundings<'a>,
    process: Option<ChildProcess>,
    told: Handshake,
    /// Whether a `bestmove` may come that was not waited for.
    owes_answer: bool,
    /// Processor time of the process when it was last on turn, and what it took since then without being on turn.
    rested: Option<Duration>,
    idle: Duration,
}

/// What an engine reported about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handshake {
    /// Its name with its version.
    pub name: String,
    /// Modes of `go` and other abilities.
    pub capabilities: Vec<String>,
    /// Names of its options.
    pub options: Vec<String>,
}

/// How an engine answered.
#[derive(Debug)]
pub struct Answered {
    /// From `go` to the answer, or to the end of the wait.
    pub time: Duration,
    /// The move, or the fault.
    pub text: Result<String, Fault>,
    /// The engine's evaluation of its move.
    pub told: Option<ToldEvaluation>,
}

/// Why a wait ended without what was waited for.
#[derive(Debug)]
enum Interruption {
    /// Nothing came in time.
    TimeOver,
    /// The output ended or was too much.
    Fault(Fault),
    /// The run was interrupted.
    GivenUp,
}

impl Interruption {
    /// The fault, if silence is one of this kind.
    fn into_fault(self, silent: FaultReason, what: &str) -> Fault {
        match self {
            Interruption::TimeOver => Fault::new(silent, format!("{what} in time")),
            Interruption::Fault(fault) => fault,
            Interruption::GivenUp => Fault::new(FaultReason::Silent, "the run was interrupted"),
        }
    }
}

impl<'a> ProgramEngine<'a> {
    /// A program that is started when it is needed.
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

    /// What it reported about itself; empty before its first start.
    pub fn handshake(&self) -> &Handshake {
        &self.told
    }

    /// Makes it ready for a game, in a new process if it has none.
    ///
    /// # Errors
    /// It cannot be started, refuses an option, or is not ready in time; or the file of its standard error cannot be written.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        if self.program.dialect == EngineDialect::Exec {
            return self.stderr().map(|_| ()).map_err(|error| Fault::new(FaultReason::Start, error.to_string()));
        }
        if self.process.is_some() {
            if self.ready_for_game().is_ok() {
                return Ok(());
            }
            // What it did since the last game is nobody's fault in this one.
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
                return Err(failed(format!("it has no option {name:?}; it has {}", self.told.options.join(", "))));
            }
            self.send(&format!("setoption name {name} value {value}"));
        }
        Ok(())
    }

    fn start_process(&self, command: Command) -> io::Result<ChildProcess> {
        let most_memory = self.program.keys.memory_mb.map(|mb| mb.saturating_mul(1 << 20));
        ChildProcess::start(command, self.stderr()?, self.surroundings.warden.cloned(), most_memory)
    }

    /// Where its standard error goes. Processes of games that are played at the same time append to one file.
    fn stderr(&self) -> io::Result<Stdio> {
        let Some(file) = &self.program.keys.stderr else { return Ok(Stdio::null()) };
        let path = self.surroundings.folder.join(file);
        let opened = output_file::append_to(&path);
        opened.map(Stdio::from).map_err(|error| io::Error::new(error.kind(), format!("stderr = {file:?}: {error}")))
    }

    /// The program's name in messages.
    fn program_name(&self) -> &str {
        self.program.keys.command.as_deref().unwrap_or("this program")
    }

    fn command(&self, more: &[&str]) -> io::Result<Command> {
        let mut command = match &self.program.keys.command {
            // A bare name is looked for on the search path.
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

    /// Processor time that the process took in this game without being on turn.
    pub fn take_idle_time(&mut self) -> Duration {
        self.count_idle_time();
        self.rested = None;
        std::mem::take(&mut self.idle)
    }

    /// Counts what was taken since the last turn.
    fn count_idle_time(&mut self) {
        let now = self.process.as_ref().and_then(ChildProcess::processor_time);
        if let (Some(now), Some(rested)) = (now, self.rested.take()) {
            self.idle += now.saturating_sub(rested);
        }
    }

    /// Asks for a move. Programs that are started for each turn are asked by [`ProgramEngine::ask_once`].
    pub fn ask(&mut self, question: &EngineQuestion, patience: TurnPatience) -> Answered {
        self.count_idle_time();
        let answered = self.ask_process(question, patience);
        self.rested = self.process.as_ref().and_then(ChildProcess::processor_time);
        answered
    }

    /// Asks the process that lives.
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

    /// The time is over: the engine is told to stop.
    fn after_time(&mut self, start: Instant, patience: TurnPatience, evaluations: &mut Vec<String>) -> (Instant, Result<String, Fault>) {
        self.send("stop");
        let end = Instant::now() + Duration::from_millis(self.surroundings.patience.stop_ms);
        match self.wait_move(end, evaluations) {
            // It may have come in time and waited to be read; and where overtime is no loss it may have the answer at the ceiling.
            Ok((at, text)) => (at, self.in_time(at - start, patience, text)),
            Err(why) => (Instant::now(), Err(why.into_fault(FaultReason::Silent, "no bestmove, not even after stop,"))),
        }
    }

    fn in_time(&self, time: Duration, patience: TurnPatience, text: String) -> Result<String, Fault> {
        let is_late = patience.late_after.is_some_and(|late| time > late);
        if is_late { Err(Fault::new(FaultReason::Late, "the answer came after the time was over")) } else { Ok(text) }
    }

    /// The next `bestmove`. Lines that may tell evaluations are kept.
    fn wait_move(&mut self, end: Instant, evaluations: &mut Vec<String>) -> Result<(Instant, String), Interruption> {
        loop {
            let (at, line) = self.line_by(end)?;
            match EngineLine::read(&line) {
                EngineLine::BestMove(text) => {
                    self.owes_answer = false;
                    return Ok((at, text.to_string()));
                }
                EngineLine::Refusal(text) => return Err(Interruption::Fault(Fault::new(FaultReason::Refused, shown(text)))),
                // What it says is read when the move is known: most of these lines are of others.
                EngineLine::Other if line.starts_with("info ") => evaluations.push(line),
                _ => {}
            }
        }
    }

    /// Says a line and waits for `readyok`, which everything that was said before it belongs to. Both lines are sent as one: neither side is
    /// woken twice.
    fn ready_after(&mut self, line: &str, ms: u64, what: &str) -> Result<(), Fault> {
        self.send(&format!("{line}\nisready"));
        let end = Instant::now() + Duration::from_millis(ms);
        let mut refusal = None;
        loop {
            let (_, line) = self.line_by(end).map_err(|why| why.into_fault(FaultReason::Silent, what))?;
            match EngineLine::read(&line) {
                EngineLine::Ready => break,
                // The answer to a search that was broken off.
                EngineLine::BestMove(_) if self.owes_answer => self.owes_answer = false,
                EngineLine::BestMove(text) => {
                    return Err(Fault::new(FaultReason::Twice, format!("bestmove {} although nothing was asked", shown(text))));
                }
                EngineLine::Refusal(text) => refusal = refusal.or(Some(shown(text))),
                _ => {}
            }
        }
        refusal.map_or(Ok(()), |text| Err(Fault::new(FaultReason::Refused, text)))
    }

    /// The next line, if one comes by then.
    fn line_by(&mut self, end: Instant) -> Result<(Instant, String), Interruption> {
        let Some(process) = &mut self.process else {
            return Err(Interruption::Fault(Fault::new(FaultReason::Died, "it does not run")));
        };
        loop {
            let now = Instant::now();
            match process.next_by(end.min(now + LOOK_EVERY)) {
                Some(ChildOutput::Line(at, line)) => return Ok((at, line)),
                Some(ChildOutput::TooMuch) => {
                    let text = "more output than the runner keeps of one turn";
                    return Err(Interruption::Fault(Fault::new(FaultReason::Flood, text)));
                }
                Some(ChildOutput::End) => {
                    // The end of the output is a little earlier than that of the process.
                    let ended = process.ended_by(Instant::now() + Duration::from_millis(500));
                    return Err(Interruption::Fault(self.fault_of_end(ended)));
                }
                None if self.surroundings.given_up.is_stopped() => return Err(Interruption::GivenUp),
                // Children of a process that has ended may hold its output.
                None => match process.ended_by(now) {
                    Some(status) => return Err(Interruption::Fault(self.fault_of_end(Some(status)))),
                    None if Instant::now() >= end => return Err(Interruption::TimeOver),
                    None => {}
                },
            }
        }
    }

    /// The fault of a process whose output has ended, or that has ended itself with this status.
    fn fault_of_end(&self, status: Option<String>) -> Fault {
        match status {
            _ if self.process.as_ref().is_some_and(ChildProcess::took_too_much_memory) => {
                Fault::new(FaultReason::Memory, format!("more than {} MB", self.program.keys.memory_mb.unwrap_or_default()))
            }
            Some(status) => Fault::new(FaultReason::Died, status),
            None => Fault::new(FaultReason::Closed, "its output has ended, and the process goes on"),
        }
    }

    fn send(&mut self, line: &str) {
        if let Some(process) = &mut self.process {
            process.send(line);
        }
    }

    /// Asks a process for this turn alone: CGP and ms are its last arguments, the first word of its last line is the move.
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
                Err(Fault::new(FaultReason::Children, "processes that it started went on when it had ended"))
            }
            (Some((_, line)), Some(_)) if ended_well => {
                self.in_time(time, patience, line.split_whitespace().next().unwrap_or("").to_string())
            }
            (None, Some(_)) if ended_well => Err(Fault::new(FaultReason::Silent, "it ended without a move")),
            (_, fault) => Err(fault.unwrap_or_else(|| Fault::new(FaultReason::Silent, "it ended without a move"))),
        };
        Answered { time, text, told: None }
    }

    /// The words that a search of this engine uses, and whether it knows these words,
    /// as far as it reports them.
    ///
    /// # Errors
    /// Its lexicon has another name than this, or it judges a word otherwise than `words` says.
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
                        return other(format!("it plays by the lexicon {found}, the arbiter by {lexicon}"));
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
            // Engines that do not know the question answer with an error, or not at all.
            let Some((word, verdict)) = line.strip_prefix("info string check ").and_then(|rest| rest.split_once(' ')) else { continue };
            let expected = words.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, is_word)| *is_word);
            if expected.is_some_and(|expected| expected != (verdict.trim() == "valid")) {
                return other(format!("it says that {word} is {}, the arbiter's {lexicon} does not", verdict.trim()));
            }
        }
    }

    /// Ends the process: by `quit`, and by force if that does not help. An interrupted run waits for nobody.
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

/// The last evaluation of a move.
fn told_of(lines: &[String], text: &str) -> Option<ToldEvaluation> {
    let found = lines.iter().rev().filter_map(|line| told_evaluation(line));
    found.into_iter().find(|(of, _)| of.eq_ignore_ascii_case(text)).map(|(_, told)| told)
}
