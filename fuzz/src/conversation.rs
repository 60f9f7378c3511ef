//! Lines of the protocol: each is parsed alone, and all are said to one session, which must keep to the protocol.
//!
//! The session is the program's own; what happens around it is done here at once: there are no files, and every search is told to
//! stop before it begins. Searches run with one thread and the smallest table, since what is fuzzed is the conversation.

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock, OnceLock};
use tilewright::engine::{NoFiles, ResourceError, ResourceKind, TableNames};
use tilewright::formats::{cgp as positions, gcg as games};
use tilewright::internals::parse;
use tilewright::internals::{Command, Dialect, EvaluatorRequest, Tables};
use tilewright::lexicon::{BUILTIN_NAME, Lexicon};
use tilewright::protocol::resources::{EndgameTableRequest, LexiconRequest, LoadedResource, NamesRequest, ResourceRequest};
use tilewright::protocol::session::{OrderedWork, SearchOrder, Session, SessionAction, SessionEvent};
use tilewright::rules::GameRules;
use tilewright::rules::LetterDistribution;
use tilewright::search::{Listener, Report, RunSettings, Signals};

/// Words that a line of the engine may begin with.
const FIRST_WORDS: [&str; 11] =
    ["id", "capability", "option", "siuok", "ucgiok", "uciok", "tilefishok", "readyok", "info", "bestmove", "bestsofar"];

/// The same in the Crossword Game Protocol.
const CROSSWORD_GAME_WORDS: [&str; 19] = [
    "name",
    "author",
    "version",
    "option",
    "cgpok",
    "setupok",
    "readyok",
    "pong",
    "bestmove",
    "lexicons",
    "variants",
    "tilesets",
    "word",
    "endlexiconsample",
    "lexiconcheck",
    "tile",
    "endtileset",
    "tilesetcheck",
    "error",
];

/// The codes of errors that the specification lists.
const CODES: [&str; 7] = ["unknown-command", "bad-position", "bad-move", "unsupported-mode", "no-position", "bad-option", "busy"];

/// More lines than this add time and nothing new.
const MAX_LINES: usize = 24;

/// Lines of the protocol.
pub fn lines(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut conversation = Conversation::new();
    for line in text.split('\n').take(MAX_LINES) {
        parse_alone(line);
        conversation.say(line);
    }
    conversation.end();
}

/// An error names a column of the line, and blanks at the end mean nothing.
fn parse_alone(line: &str) {
    let parsed = parse(line);
    let padded = parse(&format!("{line} \t"));
    assert_eq!(format!("{parsed:?}"), format!("{padded:?}"), "blanks behind {line:?} are read");
    if let Err(error) = parsed {
        let column = error.column;
        assert!((1..=line.chars().count() + 1).contains(&column), "{error}: column {column} of {line:?}");
    }
}

/// A session, and what is known of it from outside.
struct Conversation {
    session: Session,
    /// The search under way.
    search: Option<Box<SearchOrder>>,
    searches: usize,
    /// `go` lines, and what came of them.
    gos: usize,
    best_moves: usize,
    errors: usize,
    has_ended: bool,
    /// Texts for people and front ends that the last line was answered.
    texts: Vec<String>,
}

impl Conversation {
    fn new() -> Conversation {
        Conversation {
            session: Session::default(),
            search: None,
            searches: 0,
            gos: 0,
            best_moves: 0,
            errors: 0,
            has_ended: false,
            texts: Vec::new(),
        }
    }

    fn say(&mut self, line: &str) {
        self.gos += usize::from(matches!(parse(line), Ok(Some(Command::Go(_)))));
        self.texts.clear();
        self.happen(SessionEvent::Line(line.to_string()));
        self.check_written();
        // The next line mostly comes after the search; one in some lines comes while it runs.
        if !line.ends_with('&') {
            self.finish_search();
        }
    }

    /// A position as a CGP is the same position when it is set; a game as a GCG can be read.
    fn check_written(&mut self) {
        let texts = std::mem::take(&mut self.texts);
        if let Some(cgp) = texts.iter().find(|text| text.starts_with("cgp ")) {
            let mut other = Conversation::new();
            other.happen(SessionEvent::Line(format!("position {cgp}")));
            other.happen(SessionEvent::Line("cgp".to_string()));
            // The last move is told, but not kept when it is read. A lexicon's name is the same in any case: the option's spelling is told.
            let told = |part: &str| if part.starts_with("lex ") { part.to_ascii_lowercase() } else { part.to_string() };
            let position = |text: &str| text.split("; ").filter(|part| !part.starts_with("lm ")).map(told).collect::<Vec<_>>().join("; ");
            let again = other.texts.last().map(|again| position(again));
            assert_eq!(again, Some(position(cgp)));
        }
        let heads = texts.iter().position(|text| text.starts_with("gcg lines "));
        if let Some(record) = heads.and_then(|at| texts.get(at + 1..)) {
            let text = record.join("\n");
            if let Err(error) = games::parse(&text, &self.rules()) {
                panic!("{text}: {error}");
            }
        }
    }

    /// The alphabet and the board of the game under way, which a GCG does not tell: its CGP names them.
    fn rules(&mut self) -> GameRules {
        self.happen(SessionEvent::Line("cgp".to_string()));
        let texts = std::mem::take(&mut self.texts);
        let cgp = texts.iter().find_map(|text| text.strip_prefix("cgp ")).expect("a game has a position");
        let (opcodes, _) = positions::parse_opcodes(cgp).expect("a CGP");
        let (distribution, layout) = (opcodes.letter_distribution.expect("its alphabet"), opcodes.board_name.expect("its board"));
        let tables = Tables::of(&NoFiles);
        let distribution = tables.distribution(&distribution).expect("an alphabet that is there");
        let layout = tables.layout(&layout).expect("a board that is there");
        GameRules::builder(distribution, layout).build().expect("usual numbers")
    }

    fn end(&mut self) {
        self.happen(SessionEvent::EndOfInput);
        self.finish_search();
        assert!(self.has_ended, "the end of the input is the end");
        // A game that is over is not searched, but answered.
        let Conversation { searches, gos, best_moves, errors, .. } = self;
        assert!(searches <= best_moves && best_moves <= gos, "{gos} go, {searches} searches, {best_moves} bestmoves");
        assert!(*gos <= *best_moves + *errors, "{gos} go, {best_moves} bestmoves, {errors} errors");
    }

    fn finish_search(&mut self) {
        // What waits may begin another search, and `infinite` ends with `stop`.
        for _ in 0..MAX_LINES {
            let Some(mut order) = self.search.take() else { return };
            let signals = Signals::default();
            signals.stop();
            let settings = RunSettings { threads: 1, hash_megabytes: 1, seed: 1, ..RunSettings::default() };
            if let OrderedWork::Search(request) = &mut order.work {
                *request = request.clone().with_settings(settings).expect("one thread is possible");
            }
            let outcome = order.run(&signals, &mut Nobody);
            let (before, searches) = (self.best_moves, self.searches);
            self.happen(SessionEvent::Finished { outcome, elapsed_ms: 1 });
            if self.best_moves == before && self.search.is_some() {
                // `go challenge` searches one position after the other, and has one best move.
                self.searches = searches;
                continue;
            }
            if self.best_moves == before {
                // An endless search waits with its move.
                self.happen(SessionEvent::Line("stop".to_string()));
            }
            assert!(self.best_moves > before, "a search without a bestmove");
        }
    }

    fn happen(&mut self, event: SessionEvent) {
        let mut actions: VecDeque<SessionAction> = self.session.handle(event).into();
        while let Some(action) = actions.pop_front() {
            match action {
                SessionAction::Print(reply, dialect) => {
                    for line in reply.lines(dialect) {
                        check_line(&line, dialect);
                        self.best_moves += usize::from(line.starts_with("bestmove "));
                        self.texts.extend(line.strip_prefix("info string ").map(String::from));
                        self.errors += usize::from(line.starts_with("info string error ") || line.starts_with("error "));
                    }
                }
                SessionAction::Load { request, .. } => actions.extend(self.session.handle(SessionEvent::Loaded(load(request)))),
                SessionAction::StartSearch(order) => {
                    assert!(self.search.is_none(), "two searches at once");
                    self.searches += 1;
                    self.search = Some(order);
                }
                SessionAction::RunBench(_) => actions.extend(self.session.handle(SessionEvent::BenchDone(Ok(())))),
                SessionAction::Quit => self.has_ended = true,
                _ => {}
            }
        }
    }
}

/// Whole, of one line, with a known first word, errors with a known code.
fn check_line(line: &str, dialect: Dialect) {
    assert!(!line.contains(['\n', '\r', '\t', '\0']) && line.trim_end() == line, "{line:?}");
    let mut words = line.split(' ');
    let first = words.next().unwrap_or_default();
    let is_known = if dialect == Dialect::CrosswordGame { CROSSWORD_GAME_WORDS.contains(&first) } else { FIRST_WORDS.contains(&first) };
    assert!(is_known, "{line:?} in {dialect:?}");
    if let Some(error) = line.strip_prefix("info string error ") {
        let (code, text) = error.split_once(' ').unwrap_or((error, ""));
        assert!(CODES.contains(&code) && !text.is_empty(), "{line:?}");
    }
}

/// Hears nothing.
struct Nobody;

impl Listener for Nobody {
    fn report(&mut self, _report: Report) {}
}

/// Answers a request with built-in words and tables; a file is never found.
fn load(request: ResourceRequest) -> LoadedResource {
    let none = |kind, path: &str| ResourceError::unreadable(kind, path, std::io::Error::other("there are no files here"));
    let tables = Tables::of(&NoFiles);
    match request {
        ResourceRequest::DataPath(path) if path.is_empty() => LoadedResource::Done(Ok(())),
        ResourceRequest::DataPath(path) => LoadedResource::Done(Err(none(ResourceKind::Lexicon, &path))),
        ResourceRequest::Distribution(name) => LoadedResource::Distribution(tables.distribution(&name).map(Arc::new), name),
        ResourceRequest::Layout(name) => LoadedResource::Layout(tables.layout(&name).map(Arc::new), name),
        ResourceRequest::Lexicon(request) => LoadedResource::Lexicon(lexicon(&request), request),
        ResourceRequest::Evaluator(request) => evaluator(request),
        ResourceRequest::Game(request) => LoadedResource::Game(Err(none(ResourceKind::Game, &request.path))),
        ResourceRequest::Names(NamesRequest::Lexicons(distribution)) => {
            LoadedResource::Names(Ok(Arc::new(tables.lexicon_names(&distribution))))
        }
        ResourceRequest::Names(NamesRequest::Layouts) => LoadedResource::Names(Ok(Arc::new(tables.layout_names()))),
        ResourceRequest::Names(NamesRequest::Distributions) => LoadedResource::Names(Ok(Arc::new(tables.distribution_names()))),
        ResourceRequest::GameFile(file) => LoadedResource::Done(Err(none(ResourceKind::Game, &file.path))),
        ResourceRequest::SampleLog(path) => LoadedResource::SampleLog(Err(none(ResourceKind::SampleLog, &path))),
        ResourceRequest::LogFile(path) => LoadedResource::Done(Err(none(ResourceKind::LogFile, &path))),
        // Searches here have the smallest table, whatever is set.
        ResourceRequest::EndgameTable(EndgameTableRequest { megabytes, .. }) => {
            LoadedResource::Done(if megabytes <= 64 { Ok(()) } else { Err(ResourceError::NoMemory { megabytes, available: None }) })
        }
        ResourceRequest::Ghost(request) => LoadedResource::Ghost(request.solve(&Signals::default()).map(Arc::new), request),
    }
}

/// The built-in words are made once: a conversation takes less time than they do.
static BUILTIN: LazyLock<Arc<Lexicon>> = LazyLock::new(|| Arc::new(Lexicon::builtin()));

fn lexicon(request: &LexiconRequest) -> Result<Arc<Lexicon>, ResourceError> {
    let is_builtin = request.name.eq_ignore_ascii_case(BUILTIN_NAME) && BUILTIN.fits(&request.distribution);
    if is_builtin { Ok(Arc::clone(&BUILTIN)) } else { Tables::of(&NoFiles).lexicon(&request.name, &request.distribution).map(Arc::new) }
}

/// The usual tables of the built-in words are made once, too.
fn evaluator(request: EvaluatorRequest) -> LoadedResource {
    static USUAL: OnceLock<LoadedResource> = OnceLock::new();
    let make = |request: EvaluatorRequest| LoadedResource::Evaluator(Tables::of(&NoFiles).evaluator(&request).map(Arc::new), request);
    let is_usual = Arc::ptr_eq(&request.lexicon, &BUILTIN)
        && request.tables == TableNames::default()
        && *request.distribution == LetterDistribution::english();
    if !is_usual {
        return make(request);
    }
    match USUAL.get_or_init(|| make(request.clone())) {
        LoadedResource::Evaluator(result, _) => LoadedResource::Evaluator(result.clone(), request),
        other => other.clone(),
    }
}
