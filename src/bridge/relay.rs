//! One WebSocket: a page that is paired drives one engine.
//!
//! A task of its own writes to the page, so that a page that does not read holds up nothing but itself. Everything that can end a connection
//! is in [`Relay::converse`], and when it returns, the engine has been dismissed. Start there.

use crate::bridge::file::BridgeEngine;
use crate::bridge::outbox::{BoxFull, Delivery, Outbox};
use crate::bridge::program::{BridgeProgram, ProgramOutput};
use crate::bridge::token_file::TokenFile;
use crate::processes::group::Warden;
use crate::web::bridge_lines::{BridgeFault, BridgeReply, ClientLine, looks_like_bridge};
use crate::web::origin::Origin;
use crate::web::pairing::{CodeAnswer, Guess, PagePairing};
use crate::web::secret::SecretHash;
use axum::extract::ws::{Message, WebSocket};
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

/// How long a page may take to be paired: its user types a code.
const PAIR_WITHIN: Duration = Duration::from_secs(330);

/// A page that misses this many pings in a row is gone.
const PINGS_MISSED: u32 = 3;

/// Time between two looks at clocks and at the engine's process.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// How long a page may take to read the last lines.
const LAST_LINES: Duration = Duration::from_secs(2);

/// How pages are admitted, in addition to the checks of the listener.
pub enum Admission {
    /// Pages with a token of the file, or a code that is shown to the user.
    Paired {
        /// The tokens.
        tokens: TokenFile,
        /// Codes and gates.
        pairing: Mutex<PagePairing>,
    },
    /// Pages that know the secret of this run.
    Secret(SecretHash, Mutex<PagePairing>),
}

/// What all connections share.
pub struct RelayHub {
    /// The engines.
    pub engines: Vec<BridgeEngine>,
    /// Limits the number of processes: one permit each.
    pub room: Arc<Semaphore>,
    /// How pages are admitted.
    pub admission: Admission,
    /// What kills the engines if this process is killed.
    pub warden: Arc<Warden>,
    /// What may be left out for slow pages.
    pub delivery: Delivery,
    /// Time between two pings, and between two checks whether a token is still valid.
    pub ping_every: Duration,
    /// The moment from which times are counted.
    pub started: Instant,
    /// Shows the user a code, given the page's origin and the code.
    pub show: fn(&Origin, &str),
}

impl RelayHub {
    fn now_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// The end of a connection. Whatever the reason, the page sees it close.
struct Hangup;

impl From<BoxFull> for Hangup {
    fn from(_: BoxFull) -> Hangup {
        Hangup
    }
}

/// A connection.
pub struct Relay {
    hub: Arc<RelayHub>,
    origin: Origin,
    outbox: Arc<Outbox>,
    /// The id of the pairing, once there is one.
    paired: Option<String>,
    engine: Option<(String, BridgeProgram)>,
}

impl Relay {
    /// Holds a conversation until one side ends it.
    pub async fn converse(hub: Arc<RelayHub>, origin: Origin, socket: WebSocket, _room: OwnedSemaphorePermit) {
        let outbox = Arc::new(Outbox::new(hub.delivery));
        let (sink, mut frames) = socket.split();
        // A set, although it is one task: a `JoinHandle` that is polled after its end panics, which would end the process
        // with the engines of all pages. An empty set answers `None`, and a dropped one aborts its tasks.
        let mut writer = JoinSet::new();
        writer.spawn(write(sink, Arc::clone(&outbox), hub.ping_every));
        let mut relay = Relay { hub, origin, outbox: Arc::clone(&outbox), paired: None, engine: None };
        let ping_every = relay.hub.ping_every;
        let began = Instant::now();
        let mut last_heard = began;
        let mut last_checked = began;
        let mut look = interval(LOOK_EVERY);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let step = tokio::select! {
                frame = frames.next() => {
                    last_heard = Instant::now();
                    match frame {
                        Some(Ok(Message::Text(text))) => text.as_str().split('\n').try_for_each(|line| relay.hear(line)),
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(()),
                        _ => Err(Hangup),
                    }
                }
                output = next_of(&mut relay.engine) => relay.hand_on(output),
                _ = look.tick() => {
                    let is_overdue = is_overdue(relay.paired.as_deref(), began.elapsed(), last_heard.elapsed(), ping_every);
                    let is_revoked = last_checked.elapsed() > ping_every && {
                        last_checked = Instant::now();
                        !relay.is_still_paired()
                    };
                    if is_overdue || is_revoked { Err(Hangup) } else { relay.look_after_engine() }
                }
                _ = writer.join_next() => break,
            };
            if step.is_err() {
                break;
            }
        }
        relay.dismiss_engine();
        outbox.close();
        // If the page does not take the last lines in time, they are dropped.
        let _ = tokio::time::timeout(LAST_LINES, writer.join_next()).await;
    }

    fn say(&self, reply: &BridgeReply) -> Result<(), Hangup> {
        Ok(self.outbox.push(reply.to_string())?)
    }

    fn fault(&self, fault: BridgeFault, text: impl Into<String>) -> Result<(), Hangup> {
        self.say(&BridgeReply::Error(fault, text.into()))
    }

    /// Handles a line of the page.
    fn hear(&mut self, line: &str) -> Result<(), Hangup> {
        let line = line.strip_suffix('\r').unwrap_or(line);
        match ClientLine::read(line) {
            ClientLine::AskCode => self.show_code(),
            ClientLine::Code(code) => self.guess_code(&code),
            ClientLine::Token(token) => self.guess_token(token),
            _ if self.paired.is_none() => self.fault(BridgeFault::NotPaired, "say bridge hello first"),
            ClientLine::Engines => {
                self.hub.engines.iter().try_for_each(|engine| self.say(&BridgeReply::Engine(engine.id.clone())))?;
                self.say(&BridgeReply::EnginesOk)
            }
            ClientLine::Open(id) => self.open(id),
            ClientLine::Close => self.close(),
            ClientLine::Unknown => self.fault(BridgeFault::UnknownCommand, "the bridge's commands are hello, engines, open <id>, close"),
            ClientLine::Engine(line) => self.relay(line),
        }
    }

    fn show_code(&mut self) -> Result<(), Hangup> {
        let Admission::Paired { pairing, .. } = &self.hub.admission else {
            return self.fault(BridgeFault::NotPaired, "this page must use its token");
        };
        let answer = pairing.lock().unwrap_or_else(PoisonError::into_inner).ask_code(&self.origin, self.hub.now_ms());
        match answer {
            Ok(CodeAnswer::Show(code)) => {
                (self.hub.show)(&self.origin, &code.to_string());
                self.say(&BridgeReply::Pairing(PagePairing::code_seconds()))
            }
            Ok(CodeAnswer::Shown(seconds)) => self.say(&BridgeReply::Pairing(seconds)),
            Err(error) => self.fault(BridgeFault::Internal, error.to_string()),
        }
    }

    fn guess_code(&mut self, code: &str) -> Result<(), Hangup> {
        let Admission::Paired { pairing, tokens } = &self.hub.admission else {
            return self.fault(BridgeFault::WrongCode, "this page must use its token");
        };
        let guess = pairing.lock().unwrap_or_else(PoisonError::into_inner).guess_code(&self.origin, code, self.hub.now_ms());
        match guess {
            Guess::Wait(seconds) => return self.fault(BridgeFault::Wait, format!("{seconds} seconds, then try again")),
            Guess::Wrong => return self.fault(BridgeFault::WrongCode, "this is not the code that is shown, or it is no longer valid"),
            Guess::Right => {}
        }
        let now_s = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let (token, page) = match PagePairing::pair(&self.origin, now_s) {
            Ok(paired) => paired,
            Err(error) => return self.fault(BridgeFault::Internal, error.to_string()),
        };
        let id = page.id.clone();
        if let Err(error) = tokens.add(page) {
            tracing::error!("{error:#}");
            return self.fault(BridgeFault::Internal, "the bridge cannot save tokens: its terminal shows the reason");
        }
        self.paired = Some(id);
        self.say(&BridgeReply::Token(token.as_str().to_string()))?;
        self.say(&BridgeReply::Ok)
    }

    fn guess_token(&mut self, token: &str) -> Result<(), Hangup> {
        let now_ms = self.hub.now_ms();
        let (guess, id) = match &self.hub.admission {
            Admission::Paired { tokens, pairing } => match tokens.read() {
                Ok(pages) => {
                    let mut pairing = pairing.lock().unwrap_or_else(PoisonError::into_inner);
                    let (guess, page) = pairing.guess_token(&pages, &self.origin, token, now_ms);
                    (guess, page.map(|page| page.id.clone()))
                }
                Err(error) => {
                    tracing::error!("{error:#}");
                    return self.fault(BridgeFault::Internal, "the bridge cannot read its tokens: its terminal shows the reason");
                }
            },
            Admission::Secret(hash, pairing) => {
                let mut pairing = pairing.lock().unwrap_or_else(PoisonError::into_inner);
                let guess = pairing.guess_secret(hash, &self.origin, token, now_ms);
                (guess, Some(String::new()))
            }
        };
        match guess {
            Guess::Wait(seconds) => self.fault(BridgeFault::Wait, format!("{seconds} seconds, then try again")),
            Guess::Wrong => self.fault(BridgeFault::WrongToken, "this token is unknown here, or it was revoked"),
            Guess::Right => {
                self.paired = id;
                self.say(&BridgeReply::Ok)
            }
        }
    }

    /// Whether the token by which this page was paired is still valid.
    fn is_still_paired(&self) -> bool {
        match (&self.hub.admission, &self.paired) {
            (Admission::Paired { tokens, .. }, Some(id)) => tokens.read().is_ok_and(|pages| pages.iter().any(|page| page.id == *id)),
            _ => true,
        }
    }

    fn open(&mut self, id: &str) -> Result<(), Hangup> {
        if let Some((id, _)) = &self.engine {
            return self.fault(BridgeFault::EngineOpen, format!("this connection has {id} open: say bridge close first, or connect again"));
        }
        if !self.is_still_paired() {
            return Err(Hangup);
        }
        let Some(engine) = self.hub.engines.iter().find(|engine| engine.id == id) else {
            return self.fault(BridgeFault::UnknownEngine, "no engine has this id: bridge engines lists the engines");
        };
        let Ok(permit) = Arc::clone(&self.hub.room).try_acquire_owned() else {
            return self.fault(BridgeFault::TooManyEngines, "too many engines are running: close one");
        };
        match BridgeProgram::start(engine.process(), Arc::clone(&self.hub.warden), permit) {
            Ok(program) => {
                self.engine = Some((id.to_string(), program));
                self.say(&BridgeReply::Opened(id.to_string()))
            }
            Err(error) => {
                tracing::error!("{id}: {error}");
                self.fault(BridgeFault::CannotStart, error.to_string())
            }
        }
    }

    fn close(&mut self) -> Result<(), Hangup> {
        match self.engine.take() {
            Some((id, program)) => {
                program.dismiss();
                self.say(&BridgeReply::Closed(id, "as asked".to_string()))
            }
            None => self.fault(BridgeFault::NoEngine, "no engine is open"),
        }
    }

    fn dismiss_engine(&mut self) {
        if let Some((_, program)) = self.engine.take() {
            program.dismiss();
        }
    }

    fn relay(&mut self, line: &str) -> Result<(), Hangup> {
        let Some((id, program)) = &mut self.engine else {
            // An empty line needs no answer.
            return if line.trim().is_empty() { Ok(()) } else { self.fault(BridgeFault::NoEngine, "say bridge open <id> first") };
        };
        let guard = self.hub.engines.iter().find(|engine| engine.id == *id).map(|engine| &engine.guard);
        if let Some(why) = guard.and_then(|guard| guard.refuses(line)) {
            return self.fault(BridgeFault::RefusedOption, why);
        }
        match program.send(line) {
            Ok(()) => Ok(()),
            Err(_) => self.lose_engine("it does not read its input"),
        }
    }

    /// Hands the engine's output on to the page. At its end the process is still to be waited for.
    fn hand_on(&mut self, output: Option<ProgramOutput>) -> Result<(), Hangup> {
        match output {
            Some(ProgramOutput::Line(line)) if looks_like_bridge(&line) => Ok(()),
            Some(ProgramOutput::Line(line)) => Ok(self.outbox.push(line)?),
            Some(ProgramOutput::TooLong) => self.lose_engine("one of its lines has no end"),
            None => self.report_end(),
        }
    }

    /// Notices an engine that has died while its children keep its output open.
    fn look_after_engine(&mut self) -> Result<(), Hangup> {
        if !self.engine.as_mut().is_some_and(|(_, program)| program.has_ended()) {
            return Ok(());
        }
        while let Some(output) = self.engine.as_mut().and_then(|(_, program)| program.rest()) {
            self.hand_on(Some(output))?;
        }
        self.report_end()
    }

    fn report_end(&mut self) -> Result<(), Hangup> {
        match self.engine.take() {
            Some((id, mut program)) => self.say(&BridgeReply::Closed(id, program.end())),
            None => Ok(()),
        }
    }

    fn lose_engine(&mut self, why: &str) -> Result<(), Hangup> {
        self.fault(BridgeFault::BadEngine, why)?;
        self.report_end()
    }
}

/// Whether a connection has run out of time: it is still not paired, or the page answers no pings.
fn is_overdue(paired: Option<&str>, open_for: Duration, silent_for: Duration, ping_every: Duration) -> bool {
    (paired.is_none() && open_for > PAIR_WITHIN) || silent_for > ping_every * PINGS_MISSED
}

/// The engine's next output; waits for ever if there is no engine.
async fn next_of(engine: &mut Option<(String, BridgeProgram)>) -> Option<ProgramOutput> {
    match engine {
        Some((_, program)) => program.next().await,
        None => std::future::pending().await,
    }
}

/// Writes lines and pings until there are no more, or the page is gone.
async fn write(mut sink: SplitSink<WebSocket, Message>, outbox: Arc<Outbox>, ping_every: Duration) {
    let mut ping = interval(ping_every);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let message = tokio::select! {
            line = outbox.next() => match line {
                Some(line) => Message::Text(line.into()),
                None => break,
            },
            _ = ping.tick() => Message::Ping(Vec::new().into()),
        };
        if sink.send(message).await.is_err() {
            return;
        }
    }
    let _ = sink.send(Message::Close(None)).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_is_not_paired_in_time_or_answers_no_ping_has_had_its_time() {
        let check = |paired, open_s, silent_s| {
            is_overdue(paired, Duration::from_secs(open_s), Duration::from_secs(silent_s), Duration::from_secs(20))
        };
        assert!(!check(None, 329, 0), "its user may still type the code");
        assert!(check(None, 331, 0));
        assert!(!check(Some("id"), 1_000_000, 59));
        assert!(check(Some("id"), 1_000_000, 61) && check(None, 61, 61));
        assert!(PAIR_WITHIN > Duration::from_secs(PagePairing::code_seconds()), "a code counts as long as its page may wait");
    }
}
