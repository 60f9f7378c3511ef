//! The state machine between commands and replies: no I/O, no clock, no threads.
//!
//! What happens outside comes in as an [`Event`], what is to be done outside goes out as [`Action`]s, in order.
//!
//! | state | commands | leaves it by |
//! |---|---|---|
//! | idle | are carried out | a `go`, or something to load |
//! | loading | wait in the queue | the thing loaded, or why it cannot be |
//! | measuring | wait in the queue | the end of the bench |
//! | searching | that would change what is searched are refused as `busy`; the others are carried out | the end of the search |
//! | stopping | that would have been refused wait in the queue, and all behind them | the end of the search |
//!
//! A command that lacks a resource is put back to the front of the queue, the resource is loaded, and the command is carried
//! out from its beginning: so no command has two halves. INVARIANT: a command asks for its resources before it changes anything.
//!
//! `session/position.rs` sets and shows positions, `session/search.rs` searches, `session/words.rs` answers about words.
//! `quit` never waits in the queue: it stops searches, lets the queue be worked off for `FAREWELL_MS`, and then all ends.
//! Start with [`Session::handle`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod position;
mod search;
mod words;

use crate::evaluation::Evaluator;
use crate::lexicon::Lexicon;
use crate::protocol::command::{Command, Debugging, Dialect, Word};
use crate::protocol::options::{self, OptionName, Options, Value};
use crate::protocol::parse::{ParseError, parse, shown};
use crate::protocol::reply::{ErrorCode, Reply};
use crate::protocol::resources::{EvaluatorRequest, Loaded, Request, SharedWriter};
use crate::rules::{Layout, LetterDistribution, Position};
use crate::search::report::{Outcome, Report};
use crate::search::{Knowledge, SearchRequest};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// How long what was said before `quit` may take to be answered, ms.
const FAREWELL_MS: u64 = 300;

/// Something that happened outside.
pub enum Event {
    /// A line came in.
    Line(String),
    /// A line came in that is longer than this many bytes; it was dropped.
    LineTooLong(usize),
    /// No more lines will come.
    EndOfInput,
    /// What [`Action::Load`] asked for, or why it cannot be had.
    Loaded(Result<Loaded, String>),
    /// The search tells how far it has come.
    Report {
        /// The ranking.
        report: Report,
        /// Time since its start, ms.
        elapsed_ms: u64,
    },
    /// The search has ended.
    Finished {
        /// How.
        outcome: Outcome,
        /// Time since its start, ms.
        elapsed_ms: u64,
    },
    /// The bench says a line.
    BenchLine(String),
    /// The bench has ended.
    BenchDone(Result<(), String>),
}

/// Something to do outside.
pub enum Action {
    /// Print it in a dialect.
    Print(Reply, Dialect),
    /// Get it; the answer is [`Event::Loaded`].
    Load {
        /// What.
        request: Request,
        /// The option `DataPath`.
        data_path: String,
    },
    /// Search; the answers are [`Event::Report`]s and one [`Event::Finished`].
    StartSearch(Box<SearchOrder>),
    /// End the search as soon as possible.
    StopSearch,
    /// Measure; the answers are [`Event::BenchLine`]s and one [`Event::BenchDone`].
    RunBench(Vec<String>),
    /// End the program after so many ms at the latest; [`Action::Quit`] may come before.
    QuitWithin(u64),
    /// End the program.
    Quit,
}

/// A search to start.
pub struct SearchOrder {
    /// Words and values.
    pub knowledge: Knowledge,
    /// The question.
    pub request: SearchRequest,
    /// When to stop it, ms after its start.
    pub movetime_ms: Option<u64>,
    /// How often to ask for a report, ms.
    pub info_ms: u64,
    /// Where samples go.
    pub sample_log: Option<SharedWriter>,
}

/// What kind of resource, and all that it depends on.
type Key = (&'static str, String);

/// Resources that are not kept once the command that asked for them is done.
const ONCE: [&str; 4] = ["data path", "game", "sample log", "log file"];

/// Why a command is not carried out.
enum Refusal {
    /// It cannot be.
    Error(ErrorCode, String),
    /// Not yet: this has to be loaded.
    Missing(Key, Box<Request>),
}

impl Refusal {
    /// The same with another code, where it is an error.
    fn with_code(self, code: ErrorCode) -> Refusal {
        match self {
            Refusal::Error(_, text) => Refusal::Error(code, text),
            missing => missing,
        }
    }
}

fn error<T>(code: ErrorCode, text: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Error(code, text.into()))
}

/// An error about a word of the line.
fn error_at<T>(code: ErrorCode, word: &Word, text: impl std::fmt::Display) -> Result<T, Refusal> {
    error(code, format!("{} (column {}): {text}", shown(&word.text), word.column))
}

/// A line that waits for its turn.
enum Input {
    Command(Command),
    Invalid(ParseError),
    TooLong(usize),
}

enum State {
    Idle,
    Loading(Key),
    Measuring,
    Searching(Box<search::Search>),
}

/// The positions up to now, and the words they are played with.
struct Game {
    /// Never empty: the last one is the current position.
    history: Vec<Position>,
    /// A lexicon that the position names, if it could be loaded.
    lexicon: Option<String>,
}

impl Game {
    fn current(&self) -> Option<&Position> {
        self.history.last()
    }
}

/// One conversation.
pub struct Session {
    dialect: Dialect,
    debugging: Debugging,
    options: Options,
    game: Option<Game>,
    cache: HashMap<Key, Result<Loaded, String>>,
    sample_log: Option<SharedWriter>,
    state: State,
    queue: VecDeque<Input>,
    is_quitting: bool,
    actions: Vec<Action>,
}

impl Default for Session {
    fn default() -> Session {
        Session::new()
    }
}

impl Session {
    /// Nothing said yet.
    pub fn new() -> Session {
        Session {
            dialect: Dialect::Siu,
            debugging: Debugging::Off,
            options: Options::default(),
            game: None,
            cache: HashMap::new(),
            sample_log: None,
            state: State::Idle,
            queue: VecDeque::new(),
            is_quitting: false,
            actions: Vec::new(),
        }
    }

    /// The dialect of the answers.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Whether nothing is under way and nothing waits.
    pub fn is_idle(&self) -> bool {
        matches!(self.state, State::Idle) && self.queue.is_empty()
    }

    /// Lines that wait for something else to end.
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Takes note of what happened; returns what is to be done, in order.
    pub fn handle(&mut self, event: Event) -> Vec<Action> {
        match event {
            Event::Line(line) => {
                if self.debugging == Debugging::On && self.dialect != Dialect::Ucgi {
                    self.say(format!("debug received {}", shown(&line)));
                }
                match parse(&line) {
                    Ok(None) => {}
                    Ok(Some(Command::Quit)) => self.quit(),
                    Ok(Some(command)) => self.queue.push_back(Input::Command(command)),
                    Err(invalid) => self.queue.push_back(Input::Invalid(invalid)),
                }
            }
            Event::LineTooLong(limit) => self.queue.push_back(Input::TooLong(limit)),
            Event::EndOfInput => self.quit(),
            Event::Loaded(result) => {
                if let State::Loading(key) = std::mem::replace(&mut self.state, State::Idle) {
                    self.cache.insert(key, result);
                }
            }
            Event::Report { report, elapsed_ms } => self.report(&report, elapsed_ms),
            Event::Finished { outcome, elapsed_ms } => self.finished(outcome, elapsed_ms),
            Event::BenchLine(line) => self.say(line),
            Event::BenchDone(result) => {
                self.state = State::Idle;
                if let Err(text) = result {
                    self.print(Reply::Error { code: ErrorCode::BadOption, text });
                }
            }
        }
        self.work_off_queue();
        if self.is_quitting && self.is_idle() {
            self.actions.push(Action::Quit);
        }
        std::mem::take(&mut self.actions)
    }

    fn print(&mut self, reply: Reply) {
        self.actions.push(Action::Print(reply, self.dialect));
    }

    fn say(&mut self, text: impl Into<String>) {
        self.print(Reply::Text(text.into()));
    }

    /// `quit` and the end of input: what was said before is still answered, searches with the best move they have at once.
    fn quit(&mut self) {
        self.is_quitting = true;
        self.stop();
        self.actions.push(Action::QuitWithin(FAREWELL_MS));
    }

    fn work_off_queue(&mut self) {
        while let Some(input) = self.queue.pop_front() {
            if !self.may_take(&input) {
                self.queue.push_front(input);
                return;
            }
            match input {
                Input::Command(command) => self.carry_out(command),
                Input::Invalid(invalid) => self.refuse_line(&invalid),
                Input::TooLong(limit) => self.print(Reply::Error {
                    code: ErrorCode::UnknownCommand,
                    text: format!("a line of more than {limit} bytes was dropped: send shorter ones"),
                }),
            }
        }
    }

    fn may_take(&self, input: &Input) -> bool {
        match &self.state {
            State::Idle => true,
            State::Loading(_) | State::Measuring => false,
            State::Searching(search) => {
                search.stage == search::SearchStage::Running || !matches!(input, Input::Command(command) if needs_rest(command))
            }
        }
    }

    fn refuse_line(&mut self, invalid: &ParseError) {
        let code = match invalid {
            ParseError::UnknownCommand(_) => ErrorCode::UnknownCommand,
            ParseError::Missing { command: "position" | "rack", .. } => ErrorCode::BadPosition,
            ParseError::BadValue { parameter, .. } if parameter == "turn" => ErrorCode::BadPosition,
            ParseError::Missing { command: "play", .. } => ErrorCode::BadMove,
            ParseError::Missing { .. } | ParseError::BadValue { .. } => ErrorCode::BadOption,
        };
        self.print(Reply::Error { code, text: invalid.to_string() });
    }

    fn carry_out(&mut self, command: Command) {
        let before = self.actions.len();
        match self.execute(&command) {
            Ok(()) => {}
            Err(Refusal::Error(code, text)) => {
                self.actions.truncate(before);
                self.print(Reply::Error { code, text });
            }
            Err(Refusal::Missing(..)) if !matches!(self.state, State::Idle) => {
                self.actions.truncate(before);
                self.print(Reply::Error { code: ErrorCode::Busy, text: "a search runs: say stop first".to_string() });
            }
            Err(Refusal::Missing(key, request)) => {
                self.actions.truncate(before);
                self.queue.push_front(Input::Command(command));
                self.state = State::Loading(key);
                let data_path = self.options.text(OptionName::DataPath).to_string();
                self.actions.push(Action::Load { request: *request, data_path });
                return;
            }
        }
        self.cache.retain(|(kind, _), result| result.is_ok() && !ONCE.contains(kind));
    }

    fn execute(&mut self, command: &Command) -> Result<(), Refusal> {
        if needs_rest(command) && !matches!(self.state, State::Idle) {
            return error(ErrorCode::Busy, "a search runs: say stop first, or wait for its bestmove");
        }
        match command {
            Command::Handshake(dialect) => {
                self.dialect = *dialect;
                self.print(Reply::Handshake);
            }
            Command::IsReady => self.is_ready()?,
            Command::Debug(debugging) => self.debugging = *debugging,
            Command::NewGame => {}
            Command::SetOption { name, value } => self.set_option(name, value.as_ref())?,
            Command::Position(command) => self.set_position(command)?,
            Command::Rack(tiles) => self.set_rack(tiles)?,
            Command::Go(parameters) => self.go(parameters)?,
            Command::Stop => self.stop(),
            Command::Quit => self.quit(),
            Command::GameOver => {
                if let Some(position) = self.game.as_mut().and_then(|game| game.history.last_mut()) {
                    position.declare_over();
                }
            }
            Command::Help => self.help(),
            Command::Display => self.display()?,
            Command::Eval => self.eval()?,
            Command::Check(words) => self.check(words)?,
            Command::Anagram(tiles) => self.anagram(tiles)?,
            Command::Hooks(word) => self.hooks(word)?,
            Command::Pattern(pattern) => self.pattern(pattern)?,
            Command::Play(text) => self.play(text)?,
            Command::Undo => self.undo()?,
            Command::Bench(words) => {
                self.state = State::Measuring;
                self.actions.push(Action::RunBench(words.clone()));
            }
        }
        Ok(())
    }

    /// Answered at once during a search; else when the data for one is loaded.
    fn is_ready(&mut self) -> Result<(), Refusal> {
        if matches!(self.state, State::Idle) {
            match self.knowledge() {
                Err(Refusal::Error(code, text)) => self.print(Reply::Error { code, text }),
                Err(missing) => return Err(missing),
                Ok(_) => {}
            }
        }
        self.print(Reply::ReadyOk);
        Ok(())
    }

    fn help(&mut self) {
        for line in HELP {
            self.say(*line);
        }
        self.say("options: setoption name <Name> value <value>");
        for row in &options::TABLE {
            let value = match row.kind {
                options::Kind::Spin { .. } => self.options.number(row.option).to_string(),
                options::Kind::Check { .. } => self.options.is_on(row.option).to_string(),
                options::Kind::String { .. } | options::Kind::Combo { .. } => self.options.text(row.option).to_string(),
            };
            let value = if value.is_empty() { "<empty>".to_string() } else { value };
            self.say(format!("  {} = {value}: {}", row.name, row.effect));
        }
    }

    fn set_option(&mut self, name: &Word, value: Option<&Word>) -> Result<(), Refusal> {
        let at = |error: options::OptionError| {
            let column = match (&error, value) {
                (options::OptionError::BadValue { .. }, Some(value)) => value.column,
                _ => name.column,
            };
            Refusal::Error(ErrorCode::BadOption, format!("column {column}: {error}"))
        };
        let (option, value) = Options::read(&name.text, value.map(|value| value.text.as_str())).map_err(at)?;
        if let Value::Text(text) = &value {
            self.try_text_option(option, text)?;
        }
        self.options.set(option, value);
        if option == OptionName::DataPath {
            // Names may mean other files now.
            self.cache.clear();
        }
        Ok(())
    }

    /// Loads what a value names: a value that leads nowhere is refused, and the old one stays.
    fn try_text_option(&mut self, option: OptionName, text: &str) -> Result<(), Refusal> {
        let owned = text.to_string();
        match option {
            OptionName::DataPath => {
                self.resource(("data path", owned.clone()), || Request::DataPath(owned))?;
            }
            OptionName::Lexicon => {
                let distribution = self.distribution(self.options.text(OptionName::LetterDistribution))?;
                self.lexicon(text, &distribution)?;
            }
            OptionName::LetterDistribution => {
                self.distribution(text)?;
            }
            OptionName::Leaves | OptionName::WinPctTable => {
                let mut options = self.options.clone();
                options.set(option, Value::Text(owned));
                let distribution = self.distribution(options.text(OptionName::LetterDistribution))?;
                let lexicon = self.lexicon(options.text(OptionName::Lexicon), &distribution)?;
                self.evaluator(&options, &lexicon, &distribution)?;
            }
            OptionName::SimLog if text.is_empty() => self.sample_log = None,
            OptionName::SimLog => {
                if let Loaded::SampleLog(log) = self.resource(("sample log", owned.clone()), || Request::SampleLog(owned))? {
                    self.sample_log = Some(log);
                }
            }
            OptionName::LogFile => {
                self.resource(("log file", owned.clone()), || Request::LogFile(owned))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn resource(&self, key: Key, request: impl FnOnce() -> Request) -> Result<Loaded, Refusal> {
        match self.cache.get(&key) {
            Some(Ok(loaded)) => Ok(loaded.clone()),
            Some(Err(text)) => error(ErrorCode::BadOption, text),
            None => Err(Refusal::Missing(key, Box::new(request()))),
        }
    }

    fn distribution(&self, name: &str) -> Result<Arc<LetterDistribution>, Refusal> {
        match self.resource(("letter distribution", name.to_string()), || Request::Distribution(name.to_string()))? {
            Loaded::Distribution(distribution) => Ok(distribution),
            _ => error(ErrorCode::BadOption, format!("{} is not a letter distribution", shown(name))),
        }
    }

    fn layout(&self, name: &str) -> Result<Arc<Layout>, Refusal> {
        match self.resource(("layout", name.to_string()), || Request::Layout(name.to_string()))? {
            Loaded::Layout(layout) => Ok(layout),
            _ => error(ErrorCode::BadOption, format!("{} is not a board layout", shown(name))),
        }
    }

    fn lexicon(&self, name: &str, distribution: &Arc<LetterDistribution>) -> Result<Arc<Lexicon>, Refusal> {
        let key = ("lexicon", format!("{name} in {}", distribution.name()));
        let request = || Request::Lexicon { name: name.to_string(), distribution: distribution.clone() };
        match self.resource(key, request)? {
            Loaded::Lexicon(lexicon) => Ok(lexicon),
            _ => error(ErrorCode::BadOption, format!("{} is not a lexicon", shown(name))),
        }
    }

    fn evaluator(
        &self,
        options: &Options,
        lexicon: &Arc<Lexicon>,
        distribution: &Arc<LetterDistribution>,
    ) -> Result<Arc<Evaluator>, Refusal> {
        let (leaves, win_table) = (options.text(OptionName::Leaves), options.text(OptionName::WinPctTable));
        let key = ("evaluator", format!("{leaves} and {win_table} for {} in {}", lexicon.name(), distribution.name()));
        let request = || {
            Request::Evaluator(EvaluatorRequest {
                leaves: leaves.to_string(),
                win_table: win_table.to_string(),
                lexicon: lexicon.clone(),
                distribution: distribution.clone(),
            })
        };
        match self.resource(key, request)? {
            Loaded::Evaluator(evaluator) => Ok(evaluator),
            _ => error(ErrorCode::BadOption, "these are no leave values"),
        }
    }

    /// Words and values for the current position, or for the next one if there is none.
    fn knowledge(&self) -> Result<Knowledge, Refusal> {
        let distribution = match self.game.as_ref().and_then(Game::current) {
            Some(position) => position.rules().distribution.clone(),
            None => self.distribution(self.options.text(OptionName::LetterDistribution))?,
        };
        let of_position = self.game.as_ref().and_then(|game| game.lexicon.as_deref());
        let lexicon = self.lexicon(of_position.unwrap_or(self.options.text(OptionName::Lexicon)), &distribution)?;
        let evaluator = self.evaluator(&self.options, &lexicon, &distribution)?;
        Ok(Knowledge { lexicon, evaluator })
    }

    fn current(&self) -> Result<&Position, Refusal> {
        match self.game.as_ref().and_then(Game::current) {
            Some(position) => Ok(position),
            None => error(ErrorCode::NoPosition, "say position startpos, or position cgp <position>, first"),
        }
    }
}

/// Whether a command changes, or competes with, what a search works on.
fn needs_rest(command: &Command) -> bool {
    match command {
        Command::SetOption { .. }
        | Command::Position(_)
        | Command::Rack(_)
        | Command::Go(_)
        | Command::NewGame
        | Command::GameOver
        | Command::Play(_)
        | Command::Undo
        | Command::Eval
        | Command::Bench(_) => true,
        Command::Handshake(_)
        | Command::IsReady
        | Command::Debug(_)
        | Command::Stop
        | Command::Quit
        | Command::Help
        | Command::Display
        | Command::Check(_)
        | Command::Anagram(_)
        | Command::Hooks(_)
        | Command::Pattern(_) => false,
    }
}

/// What `help` says before the options.
const HELP: &[&str] = &[
    "a first game: position startpos / rack AEINRST / go / play 8D.RETAINS / d",
    "positions",
    "  position startpos | cgp <position> | gcg <file> [turn <n>]   [moves <move>... [rack.<tiles>]]",
    "  rack <tiles>            the rack of the player on turn, ? for a blank",
    "  play <move>             8D.WORD across, D8.WORD down, small letters for blanks, ex.ABC, pass",
    "  undo                    take the last move back",
    "  d                       draw the position",
    "searching",
    "  go [auto|gen|sim|peg|endgame] [movetime <ms>] [iterations <n>] [depth <plies>] [plays <n>] [infinite] ...",
    "  stop                    end the search and get its best move",
    "  eval                    the static ranking, term by term",
    "words",
    "  check <word>...         are these words?",
    "  anagram <tiles>         words of exactly these tiles, ? for any letter",
    "  hooks <word>            letters that go in front and behind",
    "  pattern <pattern>       words like C?R*, ? for one letter, * for any number",
    "talking to programs",
    "  siu | ucgi | uci        the handshake, which chooses the form of the answers",
    "  isready  siunewgame  debug on|off  gameover <win|loss|tie> spread <n>  bench  quit",
];

#[cfg(test)]
mod tests;
