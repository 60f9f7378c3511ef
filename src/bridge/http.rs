//! The listener on 127.0.0.1 with its limit of connections, and the check of every request.
//!
//! | request | answer |
//! |---|---|
//! | its `Host` is not this machine's, or there are two | 421 |
//! | it has an `Origin` that is not allowed, or two | 403 |
//! | it comes from another site that it does not name, unless a link opens the entrance in a window of its own | 403 |
//! | its method is not `GET` or `OPTIONS`, or `POST` from a page to the one path that takes it | 405 |
//!
//! The answers to all other requests have headers by which browsers keep them from other pages. Start with [`door`].

use crate::web::origin::{Origin, is_own_host};
use axum::Router;
use axum::body::Body;
use axum::extract::connect_info::Connected;
use axum::extract::{ConnectInfo, Request};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::serve::{IncomingStream, Listener};
use std::collections::BTreeSet;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Sleep;

/// The most TCP connections at the same time, including WebSockets. Further ones are closed at once.
const MOST_STREAMS: usize = 300;

/// How long a connection may last that does not become a WebSocket.
const PLAIN_REQUESTS: Duration = Duration::from_secs(10);

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const FETCH_DESTINATION: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// Which requests are answered.
#[derive(Clone, Debug)]
pub struct Door {
    /// The port, which `Host` must name.
    pub port: u16,
    /// The pages.
    pub origins: Arc<BTreeSet<Origin>>,
    /// The one path to which a page may also send something.
    pub posts: Option<&'static str>,
    /// The page that links and files elsewhere may open in a window of its own: without a secret it is of no use to them.
    pub entrance: Option<&'static str>,
}

/// The origin of a request, if it has one; it is an allowed one.
#[derive(Clone, Debug)]
pub struct AllowedOrigin(pub Option<Origin>);

/// Puts the check before all paths.
pub fn door(router: Router, door: Door) -> Router {
    router.fallback(|| async { StatusCode::NOT_FOUND }).layer(middleware::from_fn(move |request: Request, next: Next| {
        let door = door.clone();
        async move {
            match door.look_at(&request) {
                Ok(origin) => answer(request, next, origin).await,
                Err(status) => status.into_response(),
            }
        }
    }))
}

async fn answer(mut request: Request, next: Next, origin: Option<Origin>) -> Response {
    let is_question = request.method() == Method::OPTIONS;
    request.extensions_mut().insert(AllowedOrigin(origin.clone()));
    let mut response = if is_question { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin"));
    headers.insert(header::VARY, HeaderValue::from_static("origin"));
    if let Some(origin) = origin.and_then(|origin| HeaderValue::from_str(&origin.to_string()).ok()) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin"));
        if is_question {
            headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET"));
            headers.insert(HeaderName::from_static("access-control-allow-private-network"), HeaderValue::from_static("true"));
        }
    }
    response
}

impl Door {
    /// The origin of a request, or the status by which it is refused.
    fn look_at(&self, request: &Request<Body>) -> Result<Option<Origin>, StatusCode> {
        let headers = request.headers();
        // A whole address in the first line of a request takes precedence over its Host.
        let named = request.uri().authority().map(|authority| authority.as_str());
        let host = the_one(headers, header::HOST).map_err(|()| StatusCode::MISDIRECTED_REQUEST)?;
        if !host.is_some_and(|host| is_own_host(host, self.port)) || named.is_some_and(|named| !is_own_host(named, self.port)) {
            return Err(StatusCode::MISDIRECTED_REQUEST);
        }
        let origin = match the_one(headers, header::ORIGIN).map_err(|()| StatusCode::FORBIDDEN)? {
            Some(text) => Some(text.parse().ok().filter(|origin| self.origins.contains(origin)).ok_or(StatusCode::FORBIDDEN)?),
            None => None,
        };
        // A page can make a browser ask without an Origin, for a picture for example.
        // The browser then at least reports that a page is asking.
        let site = the_one(headers, FETCH_SITE).map_err(|()| StatusCode::FORBIDDEN)?;
        let is_entering = self.entrance == Some(request.uri().path())
            && the_one(headers, FETCH_MODE) == Ok(Some("navigate"))
            && the_one(headers, FETCH_DESTINATION) == Ok(Some("document"));
        if origin.is_none() && !is_entering && !matches!(site, None | Some("none" | "same-origin")) {
            return Err(StatusCode::FORBIDDEN);
        }
        // A browser names the page whenever it sends something.
        let may_send = origin.is_some() && self.posts == Some(request.uri().path());
        match *request.method() {
            Method::GET | Method::OPTIONS => Ok(origin),
            Method::POST if may_send => Ok(origin),
            _ => Err(StatusCode::METHOD_NOT_ALLOWED),
        }
    }
}

/// The value of a header that may occur only once.
fn the_one(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, ()> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(drop),
        (Some(_), Some(_)) => Err(()),
    }
}

/// Listens on 127.0.0.1.
///
/// # Errors
/// The port is taken.
pub async fn listen(port: u16) -> io::Result<LocalListener> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    Ok(LocalListener { listener, room: Arc::new(Semaphore::new(MOST_STREAMS)) })
}

/// The port listened on, with its limit of connections.
pub struct LocalListener {
    listener: TcpListener,
    room: Arc<Semaphore>,
}

impl LocalListener {
    /// The port.
    ///
    /// # Errors
    /// The system does not report it.
    pub fn port(&self) -> io::Result<u16> {
        Ok(self.listener.local_addr()?.port())
    }
}

impl Listener for LocalListener {
    type Io = LimitedStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (LimitedStream, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    // A stream that is dropped is closed.
                    let Ok(permit) = Arc::clone(&self.room).try_acquire_owned() else { continue };
                    let _ = stream.set_nodelay(true);
                    let limit = Box::pin(tokio::time::sleep(PLAIN_REQUESTS));
                    return (LimitedStream { stream, limit, lasts: Lasting::default(), _permit: permit }, address);
                }
                // The machine has no room for more: later perhaps.
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// Whether a connection may last: set once it is a WebSocket, which has limits of its own.
#[derive(Clone, Debug, Default)]
pub struct Lasting(Arc<AtomicBool>);

impl Lasting {
    /// Lets the connection last from now on.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Connected<IncomingStream<'_, LocalListener>> for Lasting {
    fn connect_info(stream: IncomingStream<'_, LocalListener>) -> Lasting {
        stream.io().lasts.clone()
    }
}

/// Gives a handler its connection's [`Lasting`].
pub type StreamInfo = ConnectInfo<Lasting>;

/// A connection that ends after a while, unless it may last.
pub struct LimitedStream {
    stream: TcpStream,
    limit: Pin<Box<Sleep>>,
    lasts: Lasting,
    _permit: OwnedSemaphorePermit,
}

impl AsyncRead for LimitedStream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if !self.lasts.0.load(Ordering::Relaxed) && self.limit.as_mut().poll(context).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for LimitedStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if !self.lasts.0.load(Ordering::Relaxed) && self.limit.as_mut().poll(context).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
