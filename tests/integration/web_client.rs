//! The other end of WebSockets and plain requests, for tests: a page as the bridge sees it, with any headers.
//!
//! Start with [`Page::connect`].

use crate::integration::waiting::finish;
use futures_util::{SinkExt, StreamExt};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

/// Longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(20);

/// How a page goes away that says no word of it and reads no more.
#[derive(Clone, Copy, Debug)]
pub enum Leaving {
    /// Its socket is closed.
    Close,
    /// Its socket is closed after a `Close` frame, to which no answer is waited for.
    CloseFrame,
    /// Its socket is reset.
    Reset,
}

/// A WebSocket of a page. What comes in is read when a test asks for it, and not before.
pub struct Page {
    socket: WebSocketStream<tokio::net::TcpStream>,
}

impl Page {
    /// Connects from an origin; none if it is empty. The error is the status of the answer.
    pub fn connect(port: u16, origin: &str) -> Result<Page, u16> {
        Page::connect_by(port, origin, "127.0.0.1", "/")
    }

    /// The same on another path.
    pub fn connect_to(port: u16, path: &str, origin: &str) -> Result<Page, u16> {
        Page::connect_by(port, origin, "127.0.0.1", path)
    }

    /// The same with another name in `Host`.
    pub fn connect_as(port: u16, origin: &str, host: &str) -> Result<Page, u16> {
        Page::connect_by(port, origin, host, "/")
    }

    fn connect_by(port: u16, origin: &str, host: &str, path: &str) -> Result<Page, u16> {
        let mut request = format!("ws://{host}:{port}{path}").into_client_request().expect("a request");
        if !origin.is_empty() {
            request.headers_mut().insert("origin", HeaderValue::from_str(origin).expect("a header"));
        }
        let handshake = async {
            let stream = tokio::net::TcpStream::connect(("127.0.0.1", port)).await.expect("something listens");
            client_async(request, stream).await
        };
        match finish(async { timeout(PATIENCE, handshake).await }).expect("an answer in time") {
            Ok((socket, _)) => Ok(Page { socket }),
            Err(Error::Http(answer)) => Err(answer.status().as_u16()),
            Err(error) => panic!("no handshake: {error}"),
        }
    }

    /// Sends a message.
    pub fn send(&mut self, line: &str) {
        // A bridge that has hung up is seen by what comes next.
        let _ = finish(async { timeout(PATIENCE, self.socket.send(Message::text(line))).await }).expect("the other end reads");
    }

    /// The next line.
    pub fn line(&mut self) -> String {
        match self.next() {
            Some(line) => line,
            None => panic!("the other end has hung up"),
        }
    }

    /// The next line is this one.
    pub fn expect(&mut self, line: &str) {
        assert_eq!(self.line(), line);
    }

    /// All lines up to one that begins like this.
    pub fn until(&mut self, head: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if lines.last().is_some_and(|line| line.starts_with(head)) {
                return lines;
            }
        }
    }

    /// Goes away at once.
    pub fn leave(mut self, leaving: Leaving) {
        match leaving {
            Leaving::Close => {}
            Leaving::CloseFrame => {
                let _ = finish(async { timeout(PATIENCE, self.socket.send(Message::Close(None))).await }).expect("the other end reads");
            }
            Leaving::Reset => self.socket.get_ref().set_zero_linger().expect("a socket can be reset"),
        }
    }

    /// Whether the other end hangs up.
    pub fn is_closed(&mut self) -> bool {
        while self.next().is_some() {}
        true
    }

    fn next(&mut self) -> Option<String> {
        let end = Instant::now() + PATIENCE;
        loop {
            // Pings may come for ever.
            let Ok(message) = finish(async { timeout(end - Instant::now(), self.socket.next()).await }) else {
                panic!("nothing came within {PATIENCE:?}")
            };
            match message {
                Some(Ok(Message::Text(text))) => return Some(text.to_string()),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                _ => return None,
            }
        }
    }
}

/// What is answered to a plain request, the whole of it.
pub fn read_answer(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("something listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
    // The other end may refuse before it has read everything.
    let _ = stream.write_all(request.replacen("\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1).as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}
