//! Dispatches events: decides which lines wait, and passes commands to their handlers.
//! Start with [`Session::handle`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::ghost::GhostError;
use crate::protocol::command::{Command, Debugging, Dialect};
use crate::protocol::crossword_game;
use crate::protocol::options::OptionName;
use crate::protocol::parse::{ParseError, parse};
use crate::protocol::reply::{ErrorCode, ErrorReply, SessionReply};
use crate::protocol::resources::{LoadedResource, NamesRequest, ResourceRequest};
use crate::protocol::session::events::{SessionAction, SessionEvent};
use crate::protocol::session::position::Whose;
use crate::protocol::session::refusal::{Refusal, error};
use crate::protocol::session::state::{Audience, Grammar, QueuedLine, SearchStage, Session, SessionState, WaitingLine};

/// The time for answering the commands before `quit`, ms.
const QUIT_GRACE_MS: u64 = 300;

/// Why a command is refused during a search.
const BUSY: &str = "a search is running: send stop, or wait for its bestmove";

/// The memory that a word of a command takes besides its letters: a `String`, and what the allocator adds.
const WORD_OVERHEAD: usize = 64;

impl Session {
    /// Handles an event. Returns the actions that it requires, in order.
    pub fn handle(&mut self, event: SessionEvent) -> Vec<SessionAction> {
        match event {
            SessionEvent::Line(line) => {
                if self.debugging == Debugging::On {
                    self.say(format!("debug {} ms received {line:?}", self.now_ms));
                }
                match self.read(&line) {
                    Ok(None) => {}
                    Ok(Some(command)) => self.take(command, held_bytes(&line)),
                    Err(invalid) => self.enqueue(QueuedLine::Invalid(invalid), held_bytes(&line)),
                }
            }
            // Stops the work under way. If there is none, ends the conversation.
            SessionEvent::Interrupted => self.take(if self.is_idle() { Command::Quit } else { Command::Stop }, 0),
            SessionEvent::LineTooLong(limit) => self.enqueue(QueuedLine::TooLong(limit), 0),
            SessionEvent::EndOfInput => self.end_of_input(),
            // Lines that waited for a reader get as much time as others.
            SessionEvent::Room if self.is_quitting => self.actions.push(SessionAction::QuitWithin(QUIT_GRACE_MS)),
            SessionEvent::Room => {}
            SessionEvent::Loaded(loaded) => self.loaded(loaded),
            SessionEvent::Report { report, elapsed_ms } => self.report(report, elapsed_ms),
            SessionEvent::Finished { outcome, elapsed_ms } => self.finished(outcome, elapsed_ms),
            SessionEvent::SampleLogLost(reason) => self.lose_sample_log(&reason),
            SessionEvent::LogTrouble(trouble) => self.note_log_trouble(trouble.as_deref()),
            SessionEvent::BenchLine(line) => self.say(line),
            SessionEvent::BenchDone(result) => {
                self.state = SessionState::Idle;
                if let Err(error) = result {
                    self.print_error(ErrorReply::new(ErrorCode::BadOption, error.to_string()).answering("bench"));
                }
            }
        }
        self.work_off_queue();
        if self.awaits_work && !self.has_work() {
            self.awaits_work = false;
            self.actions.push(SessionAction::QuitWithin(QUIT_GRACE_MS));
        }
        if self.is_quitting && self.is_idle() {
            self.actions.push(SessionAction::Quit);
        }
        std::mem::take(&mut self.actions)
    }

    /// Reads a line by the grammar of the conversation. Its first line that sets no option decides the grammar. For a person, `cgp` asks
    /// for the position.
    fn read(&mut self, line: &str) -> Result<Option<Command>, ParseError> {
        if self.grammar == Grammar::Open && self.audience == Audience::Program && crossword_game::is_handshake(line) {
            self.grammar = Grammar::CrosswordGame;
        }
        if self.grammar == Grammar::CrosswordGame {
            return crossword_game::parse(line);
        }
        let command = parse(line);
        if !matches!(command, Ok(None | Some(Command::SetOption { .. }))) {
            self.grammar = Grammar::Usual;
        }
        command
    }

    /// Takes a command, which may hold this many bytes while it waits. Most commands wait for their turn.
    fn take(&mut self, command: Command, bytes: usize) {
        match command {
            Command::Quit => self.quit(),
            // A bench is stopped at once, whatever waits; a search that waits for it is stopped in
            // its turn.
            Command::Stop if matches!(self.state, SessionState::Measuring) => {
                self.stop();
                self.enqueue(QueuedLine::Command(Command::Stop), bytes);
            }
            Command::Stop if matches!(self.state, SessionState::Solving(_)) => {
                self.actions.push(SessionAction::StopLoad);
                self.enqueue(QueuedLine::Command(Command::Stop), bytes);
            }
            // A load is also stopped at once, unless a search or a bench waits for it: then `stop` is for that.
            Command::Stop if matches!(self.state, SessionState::Loading) && !self.has_work_waiting() => {
                self.stops_loads = true;
                self.actions.push(SessionAction::StopLoad);
                self.enqueue(QueuedLine::Command(Command::Stop), bytes);
            }
            // A search is also stopped at once while lines wait for room, unless it refuses one of them: that line is refused in its turn.
            Command::Stop if !self.queue.is_empty() && !self.queue.iter().any(|waiting| waiting.line.needs_idle()) => self.stop(),
            command => self.enqueue(QueuedLine::Command(command), bytes),
        }
    }

    /// Whether a search or a bench waits.
    fn has_work_waiting(&self) -> bool {
        self.queue.iter().any(|input| matches!(input.line, QueuedLine::Command(Command::Go(_) | Command::Bench(_))))
    }

    /// Keeps what was loaded, for the command that needs it.
    fn loaded(&mut self, loaded: LoadedResource) {
        match std::mem::replace(&mut self.state, SessionState::Idle) {
            SessionState::Loading => self.resources.put(loaded),
            SessionState::Solving(_) if matches!(loaded, LoadedResource::Ghost(Err(GhostError::Stopped), _)) => {
                self.print_error(ErrorReply::new(ErrorCode::BadOption, GhostError::Stopped.to_string()).answering("ghost"));
            }
            SessionState::Solving(command) => {
                self.resources.put(loaded);
                self.put_back(*command);
            }
            other => self.state = other,
        }
    }

    fn enqueue(&mut self, line: QueuedLine, bytes: usize) {
        let bytes = size_of::<WaitingLine>() + bytes;
        self.queue_bytes += bytes;
        self.queue.push_back(WaitingLine { line, bytes });
    }

    /// Puts a command back to the front of the queue. It is carried out again when its resource is there.
    fn put_back(&mut self, command: Command) {
        let bytes = size_of::<WaitingLine>();
        self.queue_bytes += bytes;
        self.queue.push_front(WaitingLine { line: QueuedLine::Command(command), bytes });
    }

    /// Whether lines wait for nothing but [room](Session::set_room).
    pub fn has_held_lines(&self) -> bool {
        self.queue.front().is_some_and(|waiting| self.may_take(&waiting.line))
    }

    /// Handles the end of the input like `quit`, but waits for the results of a bench and of a game of Ghost.
    fn end_of_input(&mut self) {
        if self.has_work() {
            self.is_quitting = true;
            self.awaits_work = true;
            if let SessionState::Searching(_) = self.state {
                self.stop();
            }
        } else {
            self.quit();
        }
    }

    /// Whether a bench or a game of Ghost is under way or waits.
    fn has_work(&self) -> bool {
        let waits = self.queue.iter().any(|input| matches!(input.line, QueuedLine::Command(Command::Bench(_) | Command::Ghost(_))));
        waits || matches!(self.state, SessionState::Measuring | SessionState::Solving(_))
    }

    /// `quit`: earlier commands are still answered, searches at once with the best move so far.
    fn quit(&mut self) {
        self.is_quitting = true;
        self.stop();
        self.actions.push(SessionAction::QuitWithin(QUIT_GRACE_MS));
    }

    fn work_off_queue(&mut self) {
        while self.actions.len() < self.room && self.has_held_lines() {
            let Some(waiting) = self.queue.pop_front() else { return };
            self.queue_bytes -= waiting.bytes;
            match waiting.line {
                QueuedLine::Command(command) => self.carry_out(command),
                QueuedLine::Invalid(invalid) => self.refuse_line(&invalid),
                QueuedLine::TooLong(limit) => {
                    let message = format!("the line is too long, expected at most {limit} bytes");
                    self.print_error(ErrorReply::new(ErrorCode::UnknownCommand, message));
                }
            }
        }
    }

    fn may_take(&self, input: &QueuedLine) -> bool {
        match &self.state {
            SessionState::Idle => true,
            SessionState::Loading => false,
            // Commands that need neither words nor the end of the bench.
            SessionState::Measuring | SessionState::Solving(_) => matches!(
                input,
                QueuedLine::Command(Command::Handshake(_) | Command::IsReady | Command::Debug(_) | Command::Help(_) | Command::Stop)
            ),
            SessionState::Searching(search) => search.stage == SearchStage::Running || !input.needs_idle(),
        }
    }

    fn refuse_line(&mut self, invalid: &ParseError) {
        let ParseError { command, column, problem } = invalid;
        let code = match command {
            None => ErrorCode::UnknownCommand,
            Some("position" | "rack" | "opprack" | "cgp") => ErrorCode::BadPosition,
            Some("play" | "score") => ErrorCode::BadMove,
            Some(_) => ErrorCode::BadOption,
        };
        self.print_error(ErrorReply { command: *command, ..ErrorReply::new(code, problem.to_string()).at(*column) });
    }

    fn print_error(&mut self, error: ErrorReply) {
        self.print(SessionReply::Error(error));
    }

    fn carry_out(&mut self, command: Command) {
        let before = self.actions.len();
        match self.execute(&command) {
            Ok(()) => {}
            Err(Refusal::Error(error)) => {
                self.actions.truncate(before);
                self.print_error(error.answering(command.word()));
            }
            Err(Refusal::Missing(_)) if !matches!(self.state, SessionState::Idle) => {
                self.actions.truncate(before);
                self.print_error(ErrorReply::new(ErrorCode::Busy, BUSY).answering(command.word()));
            }
            Err(Refusal::Missing(request)) => {
                self.actions.truncate(before);
                if let ResourceRequest::Ghost(_) = *request {
                    self.state = SessionState::Solving(Box::new(command));
                } else {
                    self.put_back(command);
                    self.state = SessionState::Loading;
                }
                let data_path = self.options.text(OptionName::DataPath).to_string();
                self.actions.push(SessionAction::Load { request: *request, data_path });
                // Built-in data is still loaded, but files are no longer read.
                if self.stops_loads {
                    self.actions.push(SessionAction::StopLoad);
                }
                return;
            }
        }
        self.resources.end_command(self.cache_bytes());
    }

    fn execute(&mut self, command: &Command) -> Result<(), Refusal> {
        if command.needs_idle() && !matches!(self.state, SessionState::Idle) {
            return error(ErrorCode::Busy, BUSY);
        }
        match command {
            Command::Handshake(Dialect::CrosswordGame) => self.open_crossword_game()?,
            Command::Handshake(dialect) => {
                self.dialect = *dialect;
                self.print(SessionReply::Handshake(self.options.caps()));
            }
            Command::IsReady => self.is_ready()?,
            Command::Debug(debugging) => self.debugging = *debugging,
            Command::NewGame(_) => {}
            Command::SetOption { name, value } => self.set_option(name, value.as_ref())?,
            Command::Position(command) => self.set_position(command)?,
            Command::Rack(tiles) => self.set_rack(Whose::Mover, tiles)?,
            Command::OpponentRack(tiles) => self.set_rack(Whose::Opponent, tiles)?,
            Command::History(text) => self.tell_history(text)?,
            // A player without tiles, in a game that nobody has declared over.
            Command::Go(_) if self.is_out => self.print(SessionReply::BestMove(None)),
            Command::Go(parameters) => self.go(parameters)?,
            Command::Stop => {
                // All earlier commands are done.
                self.stops_loads = false;
                self.stop();
            }
            Command::Quit => self.quit(),
            Command::GameOver => {
                if let Some(game) = &mut self.game {
                    game.current_mut().declare_over();
                }
            }
            Command::Help(word) => self.help(word.as_ref())?,
            Command::Display => self.display()?,
            Command::Cgp => self.say_cgp()?,
            Command::Gcg(file) => self.record(file.as_ref())?,
            Command::Lexicons => self.list_names("lexicon", NamesRequest::Lexicons(self.current_distribution()?))?,
            Command::Layouts => self.list_names("layout", NamesRequest::Layouts)?,
            Command::Distributions => self.list_names("distribution", NamesRequest::Distributions)?,
            Command::Turns => self.say_turns()?,
            Command::Rules => self.say_rules()?,
            Command::Eval(moves) => self.eval(moves)?,
            Command::Check(words) => self.check(words)?,
            Command::Anagram(tiles) => self.anagram(tiles)?,
            Command::Hooks(word) => self.hooks(word)?,
            Command::Pattern(pattern) => self.pattern(pattern)?,
            Command::Leave(leaves) => self.leave(leaves)?,
            Command::Why(moves) => self.why(moves)?,
            Command::Dead => self.dead()?,
            Command::Ghost(command) => self.ghost(command)?,
            Command::Score(text) => self.score(text)?,
            Command::Play(text) => self.play(text)?,
            Command::Undo => self.undo()?,
            Command::Bench(words) => {
                self.state = SessionState::Measuring;
                self.actions.push(SessionAction::RunBench(words.clone()));
            }
            Command::CrosswordGame(command) => self.crossword_game(command)?,
        }
        Ok(())
    }

    /// Answers at once during a search, else when the data for a search is loaded.
    fn is_ready(&mut self) -> Result<(), Refusal> {
        if matches!(self.state, SessionState::Idle) {
            match self.knowledge() {
                Err(Refusal::Error(error)) => self.print_error(error.answering("isready")),
                Err(missing) => return Err(missing),
                Ok(_) => {}
            }
        }
        self.print(SessionReply::ReadyOk);
        Ok(())
    }
}

impl QueuedLine {
    /// Whether it is a command that is refused during a search.
    fn needs_idle(&self) -> bool {
        matches!(self, QueuedLine::Command(command) if command.needs_idle())
    }
}

/// Returns the memory that the command of a line may take while it waits.
fn held_bytes(line: &str) -> usize {
    line.len() + WORD_OVERHEAD * line.split_whitespace().count()
}
