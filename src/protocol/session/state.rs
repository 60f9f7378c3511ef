//! A session's state between two lines: options, positions, resources, running and waiting work.
//!
//! Not here: what commands do with it (`dispatch.rs` and the files that it calls). Start with [`Session`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::engine::tables::{AUTO, EvaluatorRequest, TableNames};
use crate::evaluation::Evaluator;
use crate::lexicon::Lexicon;
use crate::players::{PlayerSpec, PlayerSpecError};
use crate::protocol::challenge::ChallengeAnswer;
use crate::protocol::command::{Command, Debugging, Dialect};
use crate::protocol::options::{ENGINE_PLAYS, OptionCaps, OptionName, OptionValue, Options};
use crate::protocol::parse::ParseError;
use crate::protocol::ranking::{Ranking, ReplyStage};
use crate::protocol::reply::{ErrorCode, SessionReply};
use crate::protocol::resources::{LexiconRequest, SharedWriter};
use crate::protocol::session::cache::ResourceCache;
use crate::protocol::session::events::{SearchOrder, SessionAction};
use crate::protocol::session::history::GameHistory;
use crate::protocol::session::refusal::{Refusal, error};
use crate::rules::{Letter, LetterDistribution, Position};
use crate::search::challenge::{ChallengeEvent, WinChance};
use crate::search::inference::Belief;
use crate::search::report::{Outcome, Report};
use crate::search::{Knowledge, SearchMemory};
use std::collections::VecDeque;
use std::sync::Arc;

/// What is under way.
pub(super) enum SessionState {
    /// Nothing.
    Idle,
    /// A resource is being loaded for the command at the front of the queue.
    Loading,
    /// The game of Ghost that this command asks about is being solved.
    Solving(Box<Command>),
    /// The bench runs.
    Measuring,
    /// A search runs.
    Searching(Box<RunningSearch>),
}

/// The search under way.
pub(super) struct RunningSearch {
    /// Its position, for the texts of plays.
    pub(super) position: Arc<Position>,
    /// Rows of a ranking that are shown.
    pub(super) rows: usize,
    /// Whether only `stop` ends it.
    pub(super) is_infinite: bool,
    /// Whether it was told to stop.
    pub(super) stage: SearchStage,
    /// The result of a search that has ended but waits for `stop`, with its time in ms.
    pub(super) held: Option<(Outcome, u64)>,
    /// The searches of a `go challenge`, of which this is one.
    pub(super) challenge: Option<Box<ChallengeCourse>>,
}

impl RunningSearch {
    /// Returns a report as a ranking.
    pub(super) fn ranking(&self, report: Report, elapsed_ms: u64, stage: ReplyStage) -> Ranking {
        Ranking { report, position: Arc::clone(&self.position), rows: self.rows, elapsed_ms, stage }
    }
}

/// The searches of a `go challenge`, and their results so far.
pub(super) struct ChallengeCourse {
    /// The answer so far.
    pub(super) answer: ChallengeAnswer,
    /// Events whose chance is that of the play that stands.
    pub(super) as_it_stands: Vec<ChallengeEvent>,
    /// The search under way.
    pub(super) searched: Option<(ChallengeEvent, Position)>,
    /// The searches that follow.
    pub(super) waiting: VecDeque<(ChallengeEvent, SearchOrder)>,
}

impl ChallengeCourse {
    /// Records the chance of an event, if its search found one.
    pub(super) fn found(&mut self, event: ChallengeEvent, chance: Option<WinChance>) {
        let as_it_stands = event == ChallengeEvent::Stands;
        for (of, known) in &mut self.answer.events {
            if *of == event || as_it_stands && self.as_it_stands.contains(of) {
                *known = chance;
            }
        }
    }

    /// Returns the next search, if one is left.
    pub(super) fn next(&mut self) -> Option<SearchOrder> {
        let (event, order) = self.waiting.pop_front()?;
        self.searched = Some((event, order.position().clone()));
        Some(order)
    }

    /// Returns the answer so far, as a reply.
    pub(super) fn reply(&self, stage: ReplyStage) -> SessionReply {
        SessionReply::Challenge(ChallengeAnswer { stage, ..self.answer.clone() })
    }
}

/// Whether a search was told to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchStage {
    /// It runs, or has ended and waits for `stop`.
    Running,
    /// It was told to stop.
    Stopping,
}

/// A line that waits for its turn.
pub(super) enum QueuedLine {
    /// A command.
    Command(Command),
    /// A line that is not a command.
    Invalid(ParseError),
    /// A line of more than this many bytes, dropped.
    TooLong(usize),
}

/// A line that waits, and the memory that it takes.
pub(super) struct WaitingLine {
    /// The line.
    pub line: QueuedLine,
    /// An upper estimate of its memory, bytes.
    pub bytes: usize,
}

/// A game of Ghost against the engine, the person on turn.
#[derive(Clone, Debug)]
pub(super) struct GhostGame {
    /// What has been said so far.
    pub fragment: Vec<Letter>,
    /// Letters of the shortest words that count.
    pub min_length: usize,
    /// The words, which stay the same until the game ends.
    pub lexicon: Arc<Lexicon>,
    /// The alphabet of the words.
    pub distribution: Arc<LetterDistribution>,
}

/// How the lines of a conversation are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Grammar {
    /// Not decided yet, since only options were set: the next line decides.
    Open,
    /// By the union of the other dialects.
    Usual,
    /// As the Crossword Game Protocol.
    CrosswordGame,
}

/// The reader of the answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Audience {
    /// A program, or a file: rankings are shown whole.
    #[default]
    Program,
    /// A person at a terminal: a greeting, and no ranking that scrolls away.
    Person,
}

/// One conversation.
pub struct Session {
    pub(super) audience: Audience,
    /// The time of the event under way, which the caller sets: ms since the start.
    pub(super) now_ms: u64,
    pub(super) dialect: Dialect,
    pub(super) grammar: Grammar,
    pub(super) debugging: Debugging,
    pub(super) options: Options,
    pub(super) game: Option<GameHistory>,
    /// The game that `history` has stated: the next position may be its last one.
    pub(super) told: Option<GameHistory>,
    /// Whether the client has stated that the player on turn has no tiles.
    pub(super) is_out: bool,
    /// Whether an option has chosen the lexicon.
    pub(super) is_lexicon_chosen: bool,
    /// The game of Ghost under way.
    pub(super) ghost: Option<GhostGame>,
    pub(super) resources: ResourceCache,
    pub(super) sample_log: Option<SharedWriter>,
    /// The value of `LogFile` while nothing can be written there.
    pub(super) silent_log: Option<String>,
    /// Whether the gap in this file was already reported.
    pub(super) is_log_hole_told: bool,
    /// The last ranking, for `why`.
    pub(super) last_ranking: Option<Box<Ranking>>,
    /// The last result of `go infer`.
    pub(super) belief: Option<Arc<Belief>>,
    /// The memory that successive searches use.
    pub(super) memory: Arc<SearchMemory>,
    pub(super) state: SessionState,
    /// Whether no more files are read before the `stop` that waits in the queue.
    pub(super) stops_loads: bool,
    /// Lines in the order in which they came.
    pub(super) queue: VecDeque<WaitingLine>,
    /// The memory that they take.
    pub(super) queue_bytes: usize,
    /// Once an event has led to this many actions, further lines wait.
    pub(super) room: usize,
    pub(super) is_quitting: bool,
    /// Whether the input has ended, and the session waits for the result of a bench or a game of Ghost.
    pub(super) awaits_work: bool,
    /// The actions requested so far by the event under way.
    pub(super) actions: Vec<SessionAction>,
}

impl Default for Session {
    /// Returns a new conversation with a program.
    fn default() -> Session {
        Session::with_audience(Audience::Program)
    }
}

impl Session {
    /// Returns a new conversation.
    pub fn with_audience(audience: Audience) -> Session {
        Session {
            audience,
            now_ms: 0,
            dialect: Dialect::Siu,
            grammar: Grammar::Open,
            debugging: Debugging::Off,
            options: Options::default(),
            game: None,
            told: None,
            is_out: false,
            is_lexicon_chosen: false,
            ghost: None,
            resources: ResourceCache::default(),
            sample_log: None,
            silent_log: None,
            is_log_hole_told: false,
            last_ranking: None,
            belief: None,
            memory: Arc::default(),
            state: SessionState::Idle,
            stops_loads: false,
            queue: VecDeque::new(),
            queue_bytes: 0,
            room: usize::MAX,
            is_quitting: false,
            awaits_work: false,
            actions: Vec::new(),
        }
    }

    /// Returns the same conversation with options within these caps. It must not have begun.
    pub fn within(self, caps: OptionCaps) -> Session {
        Session { options: Options::within(caps), ..self }
    }

    /// Greets a person. A program is not greeted.
    pub fn greet(&mut self) -> Vec<SessionAction> {
        if self.audience == Audience::Person {
            self.say(format!("Tilewright {}: type help for commands, quit to leave", env!("CARGO_PKG_VERSION")));
        }
        std::mem::take(&mut self.actions)
    }

    /// Sets the time of the next event, ms since the start. A session has no clock,
    /// but its output under `debug on` has times.
    pub fn set_time(&mut self, now_ms: u64) {
        self.now_ms = now_ms;
    }

    /// Whether the session also reports what it receives.
    pub fn debugging(&self) -> Debugging {
        self.debugging
    }

    /// Whether the session was asked to end. It ends when all earlier commands are answered.
    pub fn is_quitting(&self) -> bool {
        self.is_quitting
    }

    /// Returns the dialect of the answers.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Whether nothing is under way and nothing waits.
    pub fn is_idle(&self) -> bool {
        matches!(self.state, SessionState::Idle) && self.queue.is_empty()
    }

    /// Returns how many lines wait, for other work or for room.
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Returns an upper estimate of the memory of the lines that wait, bytes.
    pub fn waiting_bytes(&self) -> usize {
        self.queue_bytes
    }

    /// Sets how many actions the next event may lead to before further lines wait for [`SessionEvent::Room`]. A caller whose
    /// answers are read slowly gives no room. The actions of a single event or line are never cut short.
    ///
    /// [`SessionEvent::Room`]: crate::protocol::session::SessionEvent::Room
    pub fn set_room(&mut self, actions: usize) {
        self.room = actions;
    }

    pub(super) fn print(&mut self, reply: SessionReply) {
        // In ucgi, comments on a search come with `debug on` only; they are then written as in siu.
        let is_shown = self.debugging == Debugging::On && reply.is_comment();
        let dialect = if is_shown { Dialect::Siu } else { self.dialect };
        self.actions.push(SessionAction::Print(reply, dialect));
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.print(SessionReply::Text(text.into()));
    }

    /// Returns the current position.
    pub(super) fn current(&self) -> Result<&Position, Refusal> {
        match &self.game {
            Some(game) => Ok(game.current()),
            None => error(ErrorCode::NoPosition, "there is no position: send position startpos or position cgp <position> first"),
        }
    }

    /// Returns the alphabet of the current position, or of the next one if there is none.
    pub(super) fn current_distribution(&self) -> Result<Arc<LetterDistribution>, Refusal> {
        match &self.game {
            Some(game) => Ok(Arc::clone(&game.current().rules().distribution)),
            None => self.resources.distribution(self.options.letters(self.options.variant())),
        }
    }

    pub(super) fn lexicon(&self, name: &str, distribution: &Arc<LetterDistribution>) -> Result<Arc<Lexicon>, Refusal> {
        self.resources.lexicon(LexiconRequest { name: name.to_string(), distribution: Arc::clone(distribution) })
    }

    /// Returns the leave values and the win % model that these options name.
    pub(super) fn evaluator(
        &self,
        options: &Options,
        lexicon: &Arc<Lexicon>,
        distribution: &Arc<LetterDistribution>,
    ) -> Result<Arc<Evaluator>, Refusal> {
        self.resources.evaluator(EvaluatorRequest {
            tables: TableNames {
                leaves: options.text(OptionName::Leaves).to_string(),
                win_table: options.text(OptionName::WinPctTable).to_string(),
                ..TableNames::default()
            },
            lexicon: Arc::clone(lexicon),
            distribution: Arc::clone(distribution),
        })
    }

    /// Returns words and values for the current position, or for the next one if there is none.
    pub(super) fn knowledge(&self) -> Result<Knowledge, Refusal> {
        self.knowledge_by(&self.options)
    }

    /// The same with the tables that these options name.
    pub(super) fn knowledge_by(&self, options: &Options) -> Result<Knowledge, Refusal> {
        let distribution = self.current_distribution()?;
        let of_position = self.game.as_ref().and_then(|game| game.data.lexicon.as_deref());
        let lexicon = self.lexicon(of_position.unwrap_or(self.options.text(OptionName::Lexicon)), &distribution)?;
        let evaluator = self.evaluator(options, &lexicon, &distribution)?;
        let option = || self.options.variant();
        let rule = self.game.as_ref().map_or_else(option, |game| game.current().rules().variant).words();
        let lexicon = lexicon.by_rule(rule).or_else(|refused| error(ErrorCode::UnsupportedMode, refused.to_string()))?;
        Ok(Knowledge { lexicon, evaluator })
    }

    /// Returns the options with the tables that a player's text names.
    pub(super) fn options_of(&self, player: &PlayerSpec) -> Options {
        let mut options = self.options.clone();
        let TableNames { leaves, win_table, .. } = player.tables();
        for (option, table) in [(OptionName::Leaves, leaves), (OptionName::WinPctTable, win_table)] {
            if table != AUTO {
                options.set(option, OptionValue::Text(table));
            }
        }
        options
    }
}

/// Returns the player that a value of the option `Player` names; `None` for the engine.
///
/// # Errors
/// What is wrong with the player's text.
pub(super) fn named_player(text: &str) -> Result<Option<PlayerSpec>, PlayerSpecError> {
    if text.is_empty() || text.eq_ignore_ascii_case(ENGINE_PLAYS) { Ok(None) } else { text.parse().map(Some) }
}
