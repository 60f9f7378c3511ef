//! The streams, clocks and threads around a session. Only this file and `unread.rs` use tokio in
//! this folder.
//!
//! | task | does |
//! |---|---|
//! | reader | bytes -> lines, always, also while the engine thinks |
//! | writer | the only one that writes: whole lines, each flushed |
//! | [`serve`] | owns the session and the clock: takes lines and the worker's messages, carries out actions |
//! | worker (a thread, not a task) | searches, loads, measures, one after the other: it talks only through a channel |
//!
//! A slow reader loses no answers. While more than 4 MiB of them are unread (`MOST_UNREAD`):
//!
//! | | |
//! |---|---|
//! | lines | wait in the session, except `quit` and, mostly, `stop`; when too many wait, no more are read |
//! | a search | goes on, and is asked for no further ranking |
//! | the end of the input or of a script | waits until everything is read |
//! | `quit` | waits as long as answers are being read; those still unread then are lost, which is an error |
//!
//! Not here: what anything means (`session/`). Start with [`serve`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::protocol::command::Debugging;
use crate::protocol::reply::SessionReply;
use crate::protocol::resources::{Loading, Resources, SharedWriter};
use crate::protocol::sample_log::sample_line;
use crate::protocol::session::{Audience, SearchOrder, Session, SessionAction, SessionEvent};
use crate::protocol::unread::{UnreadAnswers, held_bytes, text_of_lines, write_texts};
use crate::rules::Position;
use crate::search::budget::Signals;
use crate::search::report::{Outcome, Report};
use crate::search::{Listener, LoggedSample};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;
#[cfg(any(test, feature = "cli"))]
use tokio::io::AsyncReadExt;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, BufReader};
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::task::{JoinError, JoinSet};
use tokio::time::Instant;

/// A line longer than this is dropped with an error.
const MAX_LINE_BYTES: usize = 16 << 20;

/// Lines read ahead of the session: they may be long.
const LINES_AHEAD: usize = 1;

/// While this many lines wait in the session, or lines that may take this many bytes, no more are read.
const MAX_WAITING: usize = 10_000;
const MAX_WAITING_BYTES: usize = 16 << 20;

/// Replies to waiting lines between two checks whether the reader keeps up.
const REPLIES_AT_ONCE: usize = 1_000;

/// After `quit`, a reader that has read nothing for this long has gone.
const LAST_LINES: Duration = Duration::from_millis(150);

/// The approximate memory of a reply to a terminal, as a multiple of the memory of its lines.
const REPLY_SHARE: usize = 4;

/// Stack of the worker. A search recurses once for each tile, a load once for each letter.
const WORKER_STACK: usize = 8 << 20;

/// When the next line is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// As soon as it is there: a conversation.
    AsItComes,
    /// When the one before is done, its search included: a script.
    OneByOne,
}

/// What the reader hands over.
enum InputLine {
    Line(String),
    TooLong,
    /// Something from a terminal. The sender signals that the conversation goes on;
    /// it is dropped if the conversation ends.
    Typed(TerminalInput, std::sync::mpsc::Sender<()>),
}

/// What a terminal hands over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TerminalInput {
    /// A line was entered.
    Line(String),
    /// Ctrl-C was pressed.
    Interrupt,
}

/// Output for a terminal.
#[derive(Clone, PartialEq, Debug)]
pub enum TerminalOutput {
    /// The person has entered a line. Later output is drawn below it.
    Entered(TerminalInput),
    /// A reply of the session.
    Said(Box<SaidReply>),
}

impl TerminalOutput {
    /// Returns the approximate memory that it takes while it waits.
    fn held_bytes(&self) -> usize {
        match self {
            TerminalOutput::Entered(_) => size_of::<TerminalOutput>(),
            TerminalOutput::Said(said) => size_of::<SaidReply>() + REPLY_SHARE * said.lines.iter().map(held_bytes).sum::<usize>(),
        }
    }
}

/// A reply on its way out.
#[derive(Clone, PartialEq, Debug)]
pub struct SaidReply {
    /// The reply.
    pub reply: SessionReply,
    /// The reply as lines of the protocol.
    pub lines: Vec<String>,
    /// Whether the session reports more than it was asked for.
    pub debugging: Debugging,
}

/// Holds a conversation on stdin and stdout, which begins with the `opening` lines.
///
/// # Errors
/// Those of [`serve`].
#[cfg(feature = "cli")]
pub fn serve_stdin(opening: &[String], resources: Arc<dyn Resources>, audience: Audience) -> io::Result<()> {
    let opening: String = opening.iter().map(|line| format!("{line}\n")).collect();
    let input = io::Cursor::new(opening.into_bytes()).chain(tokio::io::stdin());
    run(serve(input, tokio::io::stdout(), resources, Pace::AsItComes, audience)).map(drop)
}

/// Holds a conversation with a person at a terminal, which the caller reads and draws. Returns the number of error replies.
/// `read` runs on a thread of its own, hands over what is typed, and returns at the end of the
/// input, or when it receives `false`: then the conversation is over.
///
/// # Errors
/// Those of [`serve`], and those of `show`.
pub fn serve_terminal(
    read: impl FnOnce(&mut dyn FnMut(TerminalInput) -> bool) + Send + 'static,
    mut show: impl FnMut(TerminalOutput) -> io::Result<()> + Send + 'static,
    resources: Arc<dyn Resources>,
    pace: Pace,
) -> io::Result<usize> {
    run(async move {
        let (line_sender, lines) = mpsc::channel(LINES_AHEAD);
        let mut hand_over = move |input| {
            let (goes_on, told) = std::sync::mpsc::channel();
            line_sender.blocking_send(InputLine::Typed(input, goes_on)).is_ok() && told.recv().is_ok()
        };
        std::thread::Builder::new().name("terminal".to_string()).spawn(move || read(&mut hand_over))?;
        let (said_sender, mut said) = mpsc::unbounded_channel();
        let unread = UnreadAnswers::default();
        let mut writer = JoinSet::new();
        writer.spawn_blocking({
            let unread = unread.clone();
            move || {
                while let Some((bytes, output)) = said.blocking_recv() {
                    show(output)?;
                    unread.remove(bytes);
                }
                Ok(())
            }
        });
        let say = {
            let unread = unread.clone();
            move |output: TerminalOutput| {
                let bytes = output.held_bytes();
                unread.add(bytes);
                // The writer is gone only when the output is broken, which ends the conversation anyway.
                let _ = said_sender.send((bytes, output));
            }
        };
        converse(lines, AnswerOutlet { say: Box::new(say), unread }, writer, resources, pace, Audience::Person).await
    })
}

/// Carries out lines, each when the one before is done; answers on stdout. Returns the number of error replies.
///
/// # Errors
/// Those of [`serve`].
#[cfg(feature = "cli")]
pub fn serve_script(lines: &[String], resources: Arc<dyn Resources>, audience: Audience) -> io::Result<usize> {
    let input = io::Cursor::new(lines.join("\n").into_bytes());
    run(serve(input, tokio::io::stdout(), resources, Pace::OneByOne, audience))
}

/// Holds a conversation on the calling thread.
///
/// # Errors
/// Those of the conversation; or no runtime can be started.
pub fn run<T>(conversation: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    // One thread waits for input and one for output. Without this limit the runtime starts another one
    // whenever both are busy for a moment, and each keeps memory of its own.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().max_blocking_threads(2).build()?;
    let result = runtime.block_on(conversation);
    // A read from stdin cannot be interrupted: it is left to the end of the process.
    runtime.shutdown_background();
    result
}

/// Holds a conversation until `quit` or the end of the input. Returns the number of error replies.
///
/// # Errors
/// The output cannot be written to; or `quit` came, and nobody reads the remaining answers; or a worker has panicked, a bug
/// that must not leave a session waiting forever.
pub async fn serve<R, W>(input: R, output: W, resources: Arc<dyn Resources>, pace: Pace, audience: Audience) -> io::Result<usize>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (line_sender, lines) = mpsc::channel(LINES_AHEAD);
    // Sets instead of handles, here and below: a dropped set aborts its tasks, and an empty set returns `None`, whereas a
    // `JoinHandle` panics if it is polled after its end.
    let mut reader = JoinSet::new();
    reader.spawn(read_lines(input, line_sender));
    let (said_sender, said) = mpsc::unbounded_channel();
    let unread = UnreadAnswers::default();
    let mut writer = JoinSet::new();
    writer.spawn(write_texts(output, said, unread.clone()));
    let say = {
        let unread = unread.clone();
        move |output: TerminalOutput| {
            if let TerminalOutput::Said(said) = output
                && !said.lines.is_empty()
            {
                let text = text_of_lines(&said.lines);
                unread.add(held_bytes(&text));
                // As in `serve_terminal`.
                let _ = said_sender.send(text);
            }
        }
    };
    converse(lines, AnswerOutlet { say: Box::new(say), unread }, writer, resources, pace, audience).await
}

/// Where answers go.
struct AnswerOutlet {
    /// Counts an answer as unread, and hands it to the writer.
    say: Box<dyn Fn(TerminalOutput)>,
    unread: UnreadAnswers,
}

/// Holds the conversation between a reader and a writer. The writer ends when all replies are written.
async fn converse(
    lines: mpsc::Receiver<InputLine>,
    outlet: AnswerOutlet,
    mut writer: JoinSet<io::Result<()>>,
    resources: Arc<dyn Resources>,
    pace: Pace,
    audience: Audience,
) -> io::Result<usize> {
    let (event_sender, mut events) = mpsc::unbounded_channel();
    let worker = Worker::start(event_sender)?;
    let mut runner = ActionRunner {
        resources,
        worker,
        outlet,
        debugging: Debugging::Off,
        running: None,
        load: None,
        bench: None,
        log_trouble: None,
        quit_at: None,
        started: Instant::now(),
        errors: 0,
    };
    let mut session = Session::with_audience(audience).within(runner.resources.caps());
    if pace == Pace::AsItComes {
        runner.carry_out(session.greet());
    }
    let mut input = ConversationInput { lines, is_open: true, goes_on: None };
    loop {
        // In this order: output comes before input, so a best move is printed before the next
        // command is read.
        let event = tokio::select! {
            biased;
            Some(said) = events.recv() => runner.event_of(said)?,
            Some(result) = writer.join_next() => return written(result).map(|()| runner.errors),
            () = runner.time_is_over(&session, input.has_reader_gone_if_it_rests(pace)) => break,
            () = sleep_until(runner.stop_at()) => {
                runner.stop_search();
                continue;
            }
            () = runner.report_is_due() => {
                runner.ask_report();
                continue;
            }
            line = input.lines.recv(), if input.may_read(&session, pace) => runner.taken(line, &mut input),
            () = runner.outlet.unread.are_few(), if session.has_held_lines() => SessionEvent::Room,
        };
        session.set_time(runner.now_ms());
        session.set_room(if runner.outlet.unread.are_too_many() { 0 } else { REPLIES_AT_ONCE });
        let mut actions = session.handle(event);
        runner.debugging = session.debugging();
        actions.extend(runner.log_news().into_iter().flat_map(|news| session.handle(news)));
        if !runner.carry_out(actions) {
            break;
        }
        if let Some(sender) = input.goes_on.take_if(|_| !session.is_quitting()) {
            // A terminal that has gone has ended the input.
            let _ = sender.send(());
        }
    }
    let may_be_lost = input.has_reader_gone_if_it_rests(pace);
    let (errors, unread, quit_at) = (runner.errors, runner.outlet.unread.clone(), runner.quit_at);
    // The end: a search under way is stopped with its runner, and the writer, now without a sender, writes what is left.
    drop(runner);
    let is_lost = tokio::select! {
        biased;
        result = writer.join_next() => {
            result.map_or(Ok(()), written)?;
            session.has_held_lines()
        }
        // Not before the time for commands is over: the reader may only be waiting for a busy machine.
        _ = async { tokio::join!(sleep_until(quit_at), unread.reader_rests(LAST_LINES)) }, if may_be_lost => true,
    };
    if is_lost {
        return Err(io::Error::other("the program had to quit while nobody read its answers: the last ones are lost"));
    }
    Ok(errors)
}

/// Returns the result of a writer that has ended.
fn written(result: Result<io::Result<()>, JoinError>) -> io::Result<()> {
    result.unwrap_or_else(|error| Err(io::Error::other(error)))
}

/// Where lines come from.
struct ConversationInput {
    lines: mpsc::Receiver<InputLine>,
    is_open: bool,
    /// A terminal waits for this signal. It comes once the session has handled the typed line,
    /// and never if that line ends the conversation. Therefore the terminal is not being read,
    /// in a mode of its own, when the program ends.
    goes_on: Option<std::sync::mpsc::Sender<()>>,
}

impl ConversationInput {
    /// Whether the next line is taken. While the session is behind, or busy with a line of a script, new lines wait in the
    /// channel.
    fn may_read(&self, session: &Session, pace: Pace) -> bool {
        let has_room = match pace {
            Pace::AsItComes => session.waiting() < MAX_WAITING && session.waiting_bytes() < MAX_WAITING_BYTES,
            Pace::OneByOne => session.is_idle(),
        };
        self.is_open && has_room && !session.is_quitting()
    }

    /// Whether a reader that reads nothing at the end counts as gone. It does so only after `quit` in a conversation. The end of
    /// the input or of a script says nothing about the reader: if it has gone, the pipe is closed, and the writer ends by itself.
    fn has_reader_gone_if_it_rests(&self, pace: Pace) -> bool {
        self.is_open && pace == Pace::AsItComes
    }
}

/// Which way a line goes.
#[derive(Clone, Copy)]
enum Way {
    Received,
    Sent,
}

/// Logs a whole line as a JSON string, with the time since the beginning of the conversation: `received at 120 ms: "go"`.
/// `tilewright replay` reads such lines.
fn log_line(way: Way, at_ms: u64, line: &str) {
    if tracing::enabled!(tracing::Level::DEBUG) {
        let text = serde_json::Value::from(line);
        match way {
            Way::Received => tracing::debug!("received at {at_ms} ms: {text}"),
            Way::Sent => tracing::debug!("sent at {at_ms} ms: {text}"),
        }
    }
}

/// Sleeps until this time, or forever if there is none.
async fn sleep_until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}

/// A message from the worker to the [`ActionRunner`], which adds the time.
enum WorkerMessage {
    Report(Report),
    Finished(Outcome),
    Other(SessionEvent),
    /// The worker is dying of a bug.
    Panicked,
}

/// A piece of work, which reports its progress through the function.
type Work = Box<dyn FnOnce(&dyn Fn(WorkerMessage)) + Send>;

/// The thread that carries out pieces of work, one after the other. A session never wants two at once.
///
/// One thread serves the whole conversation, because allocators keep freed memory for the thread that used it. With a thread for each
/// search, the process held the memory of many threads.
struct Worker {
    work: std::sync::mpsc::Sender<Work>,
}

impl Worker {
    fn start(events: UnboundedSender<WorkerMessage>) -> io::Result<Worker> {
        let (work, pieces) = std::sync::mpsc::channel::<Work>();
        let body = move || {
            let _guard = PanicReporter(events.clone());
            for piece in pieces {
                // The other end is gone when the conversation is over: nobody is interested any more.
                piece(&|said| drop(events.send(said)));
            }
        };
        std::thread::Builder::new().name("worker".to_string()).stack_size(WORKER_STACK).spawn(body)?;
        Ok(Worker { work })
    }

    /// Hands over a piece of work.
    fn begin(&self, piece: impl FnOnce(&dyn Fn(WorkerMessage)) + Send + 'static) {
        // A worker that has died of a bug has reported it.
        let _ = self.work.send(Box::new(piece));
    }
}

/// The search under way, with its times.
struct TimedSearch {
    signals: Arc<Signals>,
    started: Instant,
    stop_at: Option<Instant>,
    report_at: Instant,
    info: Duration,
}

/// Carries out actions and keeps the time of a conversation.
struct ActionRunner {
    resources: Arc<dyn Resources>,
    worker: Worker,
    outlet: AnswerOutlet,
    debugging: Debugging,
    running: Option<TimedSearch>,
    /// Stops the last load.
    load: Option<Arc<Signals>>,
    /// Stops the last bench.
    bench: Option<Arc<Signals>>,
    /// Why the log cannot be written to, as last reported to the session.
    log_trouble: Option<String>,
    quit_at: Option<Instant>,
    /// The number of error replies.
    errors: usize,
    /// When the conversation began.
    started: Instant,
}

impl Drop for ActionRunner {
    fn drop(&mut self) {
        if let Some(running) = &self.running {
            running.signals.stop();
        }
        self.stop_load();
        self.stop_bench();
    }
}

impl ActionRunner {
    /// Returns the time since the beginning of the conversation.
    fn now_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Carries out actions. Returns whether the conversation goes on.
    fn carry_out(&mut self, actions: Vec<SessionAction>) -> bool {
        for action in actions {
            match action {
                SessionAction::Print(reply, dialect) => {
                    self.errors += usize::from(matches!(reply, SessionReply::Error(_)));
                    let lines = reply.lines(dialect);
                    let now_ms = self.now_ms();
                    lines.iter().for_each(|line| log_line(Way::Sent, now_ms, line));
                    self.tell(TerminalOutput::Said(Box::new(SaidReply { reply, lines, debugging: self.debugging })));
                }
                SessionAction::Load { request, data_path } => {
                    let (resources, loading) = (Arc::clone(&self.resources), Loading::from_path(&data_path));
                    self.load = Some(Arc::clone(&loading.signals));
                    self.worker.begin(move |say| say(WorkerMessage::Other(SessionEvent::Loaded(resources.load(request, &loading)))));
                }
                SessionAction::StopLoad => self.stop_load(),
                SessionAction::StartSearch(order) => self.start(*order),
                SessionAction::StopSearch => self.stop_search(),
                SessionAction::StopBench => self.stop_bench(),
                SessionAction::RunBench(words) => {
                    let (resources, signals) = (Arc::clone(&self.resources), Arc::new(Signals::default()));
                    self.bench = Some(Arc::clone(&signals));
                    self.worker.begin(move |say| {
                        let result =
                            resources.bench(&words, &signals, &mut |line| say(WorkerMessage::Other(SessionEvent::BenchLine(line))));
                        say(WorkerMessage::Other(SessionEvent::BenchDone(result)));
                    });
                }
                SessionAction::QuitWithin(ms) => self.quit_at = Some(Instant::now() + Duration::from_millis(ms)),
                SessionAction::Quit => return false,
            }
        }
        true
    }

    fn tell(&self, output: TerminalOutput) {
        (self.outlet.say)(output);
    }

    /// Waits until the time for answers is over. If lines wait for their reader after `quit`, it is over when the reader rests.
    async fn time_is_over(&self, session: &Session, has_reader_gone_if_it_rests: bool) {
        match (session.is_quitting() && session.has_held_lines(), has_reader_gone_if_it_rests) {
            (false, _) => sleep_until(self.quit_at).await,
            (true, true) => self.outlet.unread.reader_rests(LAST_LINES).await,
            (true, false) => std::future::pending().await,
        }
    }

    /// Returns the event for a line that came in, or for the end of the input.
    fn taken(&self, line: Option<InputLine>, input: &mut ConversationInput) -> SessionEvent {
        match line {
            Some(InputLine::Line(line)) => self.received(line),
            Some(InputLine::TooLong) => SessionEvent::LineTooLong(MAX_LINE_BYTES),
            Some(InputLine::Typed(typed, sender)) => {
                input.goes_on = Some(sender);
                self.entered(typed)
            }
            None => {
                input.is_open = false;
                tracing::debug!("the input ended at {} ms", self.now_ms());
                SessionEvent::EndOfInput
            }
        }
    }

    fn received(&self, line: String) -> SessionEvent {
        log_line(Way::Received, self.now_ms(), &line);
        SessionEvent::Line(line)
    }

    fn entered(&self, input: TerminalInput) -> SessionEvent {
        self.tell(TerminalOutput::Entered(input.clone()));
        match input {
            TerminalInput::Line(line) => self.received(line),
            TerminalInput::Interrupt => SessionEvent::Interrupted,
        }
    }

    fn start(&mut self, order: SearchOrder) {
        let started = Instant::now();
        let signals = Arc::new(Signals::default());
        let info = Duration::from_millis(order.info_ms.max(1));
        self.running = Some(TimedSearch {
            signals: Arc::clone(&signals),
            started,
            stop_at: order.movetime_ms.map(|ms| started + Duration::from_millis(ms)),
            report_at: started + info,
            info,
        });
        self.worker.begin(move |say| {
            let mut listener = Reporter { say, sample_log: order.sample_log.clone(), position: order.position() };
            let outcome = order.run(&signals, &mut listener);
            listener.flush();
            say(WorkerMessage::Finished(outcome));
        });
    }

    /// Returns the event for a message of the worker, with the time.
    fn event_of(&mut self, said: WorkerMessage) -> io::Result<SessionEvent> {
        let elapsed = self.running.as_ref().map_or(0, |running| running.started.elapsed().as_millis());
        let elapsed_ms = u64::try_from(elapsed).unwrap_or(u64::MAX);
        Ok(match said {
            WorkerMessage::Report(report) => SessionEvent::Report { report, elapsed_ms },
            WorkerMessage::Finished(outcome) => {
                self.running = None;
                SessionEvent::Finished { outcome, elapsed_ms }
            }
            WorkerMessage::Other(event) => event,
            WorkerMessage::Panicked => return Err(io::Error::other("a worker has panicked: its message is above")),
        })
    }

    /// Returns the news that the log can no longer be written to, or can be written to again.
    fn log_news(&mut self) -> Option<SessionEvent> {
        let trouble = self.resources.log_trouble();
        let is_news = trouble != self.log_trouble;
        self.log_trouble.clone_from(&trouble);
        is_news.then_some(SessionEvent::LogTrouble(trouble))
    }

    fn stop_at(&self) -> Option<Instant> {
        self.running.as_ref().and_then(|running| running.stop_at)
    }

    /// Waits until the search is to be asked for a report: when it is time, and the reader keeps up.
    async fn report_is_due(&self) {
        sleep_until(self.running.as_ref().map(|running| running.report_at)).await;
        self.outlet.unread.are_few().await;
    }

    fn stop_search(&mut self) {
        if let Some(running) = &mut self.running {
            running.signals.stop();
            running.stop_at = None;
        }
    }

    fn stop_load(&self) {
        if let Some(signals) = &self.load {
            signals.stop();
        }
    }

    fn stop_bench(&self) {
        if let Some(signals) = &self.bench {
            signals.stop();
        }
    }

    fn ask_report(&mut self) {
        if let Some(running) = &mut self.running {
            running.signals.ask_report();
            running.report_at = Instant::now() + running.info;
        }
    }
}

/// Reports that its thread panics.
struct PanicReporter(UnboundedSender<WorkerMessage>);

impl Drop for PanicReporter {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(WorkerMessage::Panicked);
        }
    }
}

/// Forwards the reports of a search.
struct Reporter<'a> {
    say: &'a dyn Fn(WorkerMessage),
    sample_log: Option<SharedWriter>,
    position: &'a Position,
}

impl Reporter<'_> {
    fn write(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        let Some(log) = &self.sample_log else { return };
        let result = match log.lock() {
            Ok(mut log) => write(&mut *log),
            Err(_) => Err(io::Error::other("the log was left in the middle of a line")),
        };
        if let Err(error) = result {
            tracing::error!(%error, "SimLog: no more samples are written");
            self.sample_log = None;
            (self.say)(WorkerMessage::Other(SessionEvent::SampleLogLost(error.to_string())));
        }
    }

    fn flush(&mut self) {
        self.write(|log| log.flush());
    }
}

impl Listener for Reporter<'_> {
    fn report(&mut self, report: Report) {
        (self.say)(WorkerMessage::Report(report));
    }

    fn sample(&mut self, sample: LoggedSample) {
        let position = self.position;
        self.write(|log| writeln!(log, "{}", sample_line(&sample, position)?));
    }
}

/// Reads lines until the input ends or nobody takes them. Bytes that are not UTF-8 are replaced.
async fn read_lines<R: AsyncRead + Unpin>(input: R, lines: mpsc::Sender<InputLine>) {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut line = Vec::new();
    let mut is_dropping = false;
    loop {
        let available = match input.fill_buf().await {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                tracing::error!(%error, "the input cannot be read");
                return;
            }
        };
        let is_end = available.is_empty();
        let (used, is_whole) = match available.iter().position(|&byte| byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (available.len(), is_end),
        };
        if !is_dropping {
            line.extend_from_slice(available.get(..used).unwrap_or_default());
        }
        input.consume(used);
        if line.len() > MAX_LINE_BYTES {
            line = Vec::new();
            is_dropping = true;
        }
        if is_whole && (is_dropping || !line.is_empty()) {
            let incoming = if is_dropping { InputLine::TooLong } else { InputLine::Line(text_of(&line)) };
            line.clear();
            is_dropping = false;
            if lines.send(incoming).await.is_err() {
                return;
            }
        }
        if is_end {
            return;
        }
    }
}

fn text_of(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.strip_suffix('\n').unwrap_or(&text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::resource::ResourceError;
    use crate::engine::tables::{CatalogEntry, EvaluatorRequest};
    use crate::evaluation::Evaluator;
    use crate::host::logging::LogTarget;
    use crate::host::resources::FileResources;
    use crate::lexicon::Lexicon;
    use crate::protocol::resources::{BenchError, GameFile, GameRequest, NamesRequest, RecordedGame};
    use crate::rules::{Layout, LetterDistribution};

    /// Returns the answers to some bytes and the end of the input.
    fn answer_with(resources: impl Resources + 'static, input: &[u8], pace: Pace) -> io::Result<String> {
        let (output, mut answers) = tokio::io::duplex(1 << 20);
        let conversation = serve(io::Cursor::new(input.to_vec()), output, Arc::new(resources), pace, Audience::Program);
        let mut text = String::new();
        run(async {
            let (result, read) = tokio::join!(conversation, answers.read_to_string(&mut text));
            read?;
            result
        })?;
        Ok(text)
    }

    fn answer(input: &[u8], pace: Pace) -> Vec<String> {
        let text = answer_with(FileResources::new(LogTarget::default()), input, pace).unwrap();
        text.lines().map(String::from).collect()
    }

    #[test]
    fn bytes_of_any_kind_are_lines() {
        let long = [b"x".repeat(1 << 16), b"\n".to_vec()].concat();
        let lines = answer(&[b"\r\n\xff\0 isready\r\n", long.as_slice(), b"isready"].concat(), Pace::AsItComes);
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert_eq!((lines[0].as_str(), lines[2].as_str()), ("readyok", "readyok"));
        assert!(lines[1].starts_with("info string error unknown-command column 1: \"xxx") && lines[1].len() < 200, "{}", lines[1]);
    }

    #[test]
    fn a_line_without_end_is_dropped_and_the_next_one_read() {
        let endless = b"y ".repeat(MAX_LINE_BYTES / 2 + 8);
        let lines = answer(&[endless.as_slice(), b"\nisready\n"].concat(), Pace::AsItComes);
        assert_eq!(lines, ["info string error unknown-command the line is too long, expected at most 16777216 bytes", "readyok"]);
    }

    #[test]
    fn a_script_is_worked_off_line_by_line() {
        let lines = answer(b"position startpos\nrack AEINRST\ngo gen plays 1\ngo sim iterations 5 plays 1", Pace::OneByOne);
        let heads: Vec<&str> = lines.iter().map(|line| line.split(' ').nth(1).unwrap()).collect();
        // The first ranking of a simulation comes as soon as there is one, here before the last.
        assert_eq!(heads.len(), 9, "{lines:?}");
        assert_eq!(heads[0..2], ["string", "gen"]);
        assert_eq!(heads[3..8], ["string", "depth", "sim", "depth", "sim"]);
        assert!([2, 8].iter().all(|&at| lines[at].starts_with("bestmove ")), "{lines:?}");
    }

    #[test]
    fn what_was_asked_before_the_end_of_the_input_is_answered() {
        let lines = answer(b"position startpos\nrack AEINRST\ngo infinite\n", Pace::AsItComes);
        assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    }

    #[test]
    fn the_end_of_the_input_waits_for_a_bench() {
        // Longer than other commands may take after the end of the input.
        let resources = FileResources::new(LogTarget::default()).with_bench(|words, signals, say| {
            for _ in 0..50 {
                std::thread::sleep(Duration::from_millis(10));
            }
            say(format!("{words:?} stopped {}", signals.is_stopped()));
            Ok(())
        });
        let text = answer_with(resources, b"bench 1\nbench 2\nisready\n", Pace::AsItComes).unwrap();
        assert_eq!(text, "info string [\"1\"] stopped false\nreadyok\ninfo string [\"2\"] stopped false\n");
    }

    /// Resources with a bug.
    struct Broken;

    impl Resources for Broken {
        fn check_data_path(&self, _: &str) -> Result<(), ResourceError> {
            panic!("a bug, for a test")
        }
        fn distribution(&self, _: &str, _: &Loading) -> Result<Arc<LetterDistribution>, ResourceError> {
            panic!("a bug, for a test")
        }
        fn layout(&self, _: &str, _: &Loading) -> Result<Arc<Layout>, ResourceError> {
            panic!("a bug, for a test")
        }
        fn lexicon(&self, _: &str, _: &Loading, _: &Arc<LetterDistribution>) -> Result<Arc<Lexicon>, ResourceError> {
            panic!("a bug, for a test")
        }
        fn evaluator(&self, _: &EvaluatorRequest, _: &Loading) -> Result<Arc<Evaluator>, ResourceError> {
            panic!("a bug, for a test")
        }
        fn game(&self, _: &GameRequest, _: &Loading) -> Result<RecordedGame, ResourceError> {
            panic!("a bug, for a test")
        }
        fn names(&self, _: &NamesRequest, _: &Loading) -> Result<Vec<CatalogEntry>, ResourceError> {
            panic!("a bug, for a test")
        }
        fn write_new(&self, _: &GameFile) -> Result<(), ResourceError> {
            panic!("a bug, for a test")
        }
        fn append(&self, _: &str) -> Result<SharedWriter, ResourceError> {
            panic!("a bug, for a test")
        }
        fn log_to(&self, _: &str) -> Result<(), ResourceError> {
            panic!("a bug, for a test")
        }
        fn bench(&self, _: &[String], _: &Signals, _: &mut dyn FnMut(String)) -> Result<(), BenchError> {
            panic!("a bug, for a test")
        }
    }

    #[test]
    fn a_worker_that_panics_ends_the_conversation() {
        let error = answer_with(Broken, b"isready\n", Pace::OneByOne).unwrap_err();
        assert!(error.to_string().contains("panicked"), "{error}");
    }
}
