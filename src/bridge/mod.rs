//! `tilewright bridge`: pages in a browser drive engines on this machine (\[SIU\], section 11).
//!
//! Decisions that need no sockets, files or processes are in `web/`. Start with [`run`].

pub mod file;
pub mod token_file;
pub mod http;
pub mod outbox;
pub mod program;
pub mod relay;

use crate::bridge::http::{AllowedOrigin, Door, LocalListener, StreamInfo, door};
use crate::bridge::outbox::Delivery;
use crate::bridge::relay::{Admission, Relay, RelayHub};
use crate::bridge::token_file::TokenFile;
use crate::host::interrupts::on_interrupt;
use crate::host::output;
use crate::host::surroundings::UserFolder;
use crate::processes::group::Warden;
use crate::web::bridge_lines::BRIDGE_VERSION;
use crate::web::origin::Origin;
use crate::web::pairing::PagePairing;
use anyhow::{Context, Result, anyhow, ensure};
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use clap::Args;
use std::future::Future;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tokio::sync::{Notify, Semaphore};

/// Where pages look for the bridge: the letters S, I, U on a telephone, and 0.
pub const DEFAULT_PORT: u16 = 7480;

/// Bytes of the longest message of a page: twice what the protocol promises to take.
const LONGEST_MESSAGE: usize = 128 << 10;

/// Bytes that a WebSocket buffers before it writes them, and the most that it buffers.
const WRITE_BUFFER: usize = 16 << 10;
const MOST_BUFFERED: usize = 2 << 20;

/// The end of the help text, before the example.
const TEACHING: &str = "The file lists the engines that may be started, and the pages that may ask for them:\n\n";

/// Flags of `tilewright bridge`.
#[derive(Args, Clone, Debug)]
#[command(after_help = teaching())]
pub struct BridgeArguments {
    /// The file of engines and pages [default: ~/.config/tilewright/engines.toml]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The port on 127.0.0.1; 0 for a free one
    #[arg(long, value_name = "N", default_value_t = DEFAULT_PORT)]
    port: u16,
    /// The file of paired pages [default: ~/.local/state/tilewright/bridge-tokens]
    #[arg(long, value_name = "FILE")]
    tokens: Option<PathBuf>,
    /// List the paired pages, and exit
    #[arg(long, conflicts_with = "revoke")]
    paired: bool,
    /// Revoke the token of the page with this id, or of all pages, and exit
    #[arg(long, value_name = "ID|all")]
    revoke: Option<String>,
}

fn teaching() -> String {
    let indented: String = file::EXAMPLE.lines().map(|line| format!("  {line}\n")).collect();
    format!("{TEACHING}{indented}\nWhen a page connects for the first time, the bridge prints a code, which you type into the page.")
}

/// Runs the bridge until it is interrupted.
///
/// # Errors
/// The file is wrong, the port is taken.
pub fn run(arguments: &BridgeArguments, say: fn(&str) -> std::io::Result<()>) -> Result<()> {
    let tokens = TokenFile::at(match &arguments.tokens {
        Some(path) => path.clone(),
        None => user_file(UserFolder::State, "bridge-tokens").context("there is no folder for tokens: name a file with --tokens")?,
    });
    if arguments.paired {
        return list(&tokens, say);
    }
    if let Some(id) = &arguments.revoke {
        let revoked = tokens.revoke(id)?;
        ensure!(revoked > 0 || id == "all", "no page has the id {id}: --paired lists them");
        say(&format!("revoked {revoked}"))?;
        return Ok(());
    }
    let path = match &arguments.config {
        Some(path) => path.clone(),
        None => user_file(UserFolder::Config, "engines.toml").context("there is no folder for settings: name a file with --config")?,
    };
    let file = file::read(&path).map_err(|error| anyhow!("{error:#}\n\n{}", teaching()))?;
    // Read once before anybody comes, so that a damaged file is reported now.
    tokens.read()?;
    let hub = RelayHub {
        engines: file.list,
        room: Arc::new(Semaphore::new(file.engines)),
        admission: Admission::Paired { tokens, pairing: Mutex::new(PagePairing::default()) },
        warden: Arc::new(Warden::start()?),
        delivery: Delivery::Whole,
        ping_every: file.ping_every,
        started: Instant::now(),
        show: show_code,
    };
    let origins = Arc::new(file.origins);
    let pages: Vec<String> = origins.iter().map(Origin::to_string).collect();
    serve(
        arguments.port,
        hub,
        file.connections,
        Pages::None,
        |port| Door { port, origins, posts: None, entrance: None },
        |port| say(&format!("bridge {BRIDGE_VERSION} on ws://127.0.0.1:{port}/ for {}", pages.join(" "))),
    )
}

fn user_file(folder: UserFolder, name: &str) -> Option<PathBuf> {
    folder.path().map(|folder| folder.join(name))
}

fn list(tokens: &TokenFile, say: fn(&str) -> std::io::Result<()>) -> Result<()> {
    let now_s = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    for page in tokens.read()? {
        let days = now_s.saturating_sub(page.paired_at_s) / 86_400;
        say(&format!("{} {} paired {days} days ago", page.id, page.origin))?;
    }
    Ok(())
}

fn show_code(origin: &Origin, code: &str) {
    // If the code cannot be printed, no page can be paired.
    let _ = output::line(&format!(
        "code {code} for {origin}: type it there within {} minutes, if you want this page to use your engines",
        PagePairing::code_seconds() / 60
    ));
}

/// The pages that are served in addition to the WebSocket at `/siu` and `/health`.
pub enum Pages {
    /// Nothing: the WebSocket is also at `/`.
    None,
    /// A page of this program's own, given the port.
    Own(Box<dyn FnOnce(u16) -> Router>),
}

/// Serves on 127.0.0.1 until the program is interrupted; then all engines end.
///
/// # Errors
/// The port is taken, or nothing can be printed.
pub fn serve(
    port: u16,
    hub: RelayHub,
    connections: usize,
    pages: Pages,
    door_for: impl FnOnce(u16) -> Door,
    begun: impl FnOnce(u16) -> std::io::Result<()>,
) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().context("cannot start the runtime")?;
    let interrupted = Arc::new(Notify::new());
    on_interrupt({
        let interrupted = Arc::clone(&interrupted);
        move || interrupted.notify_one()
    })
    .context("cannot listen for interrupts")?;
    let hub = Arc::new(hub);
    let served = runtime.block_on(async {
        let listener =
            http::listen(port).await.with_context(|| format!("cannot listen on 127.0.0.1:{port}: is a bridge running already?"))?;
        let port = listener.port()?;
        let router = door(routes(Arc::clone(&hub), connections, port, pages), door_for(port));
        begun(port)?;
        tokio::select! {
            () = interrupted.notified() => Ok(()),
            result = answer_all(listener, router) => result,
        }
    });
    // Connections are tasks, and their engines end with them.
    drop(runtime);
    served
}

fn answer_all(listener: LocalListener, router: Router) -> impl Future<Output = Result<()>> {
    let service = router.into_make_service_with_connect_info::<http::Lasting>();
    async move { axum::serve(listener, service).await.context("the listener failed") }
}

/// `/health`, the WebSocket, and the pages.
fn routes(hub: Arc<RelayHub>, connections: usize, port: u16, pages: Pages) -> Router {
    let room = Arc::new(Semaphore::new(connections));
    let upgrade = move |origin: Extension<AllowedOrigin>, stream: StreamInfo, socket: WebSocketUpgrade| async move {
        let Extension(AllowedOrigin(Some(origin))) = origin else {
            return StatusCode::FORBIDDEN.into_response();
        };
        let Ok(permit) = room.try_acquire_owned() else {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        };
        stream.0.set();
        socket
            .max_message_size(LONGEST_MESSAGE)
            .max_frame_size(LONGEST_MESSAGE)
            .write_buffer_size(WRITE_BUFFER)
            .max_write_buffer_size(MOST_BUFFERED)
            .on_upgrade(move |socket| Relay::converse(hub, origin, socket, permit))
    };
    let router = Router::new().route("/health", get(health)).route("/siu", get(upgrade.clone()));
    match pages {
        Pages::None => router.route("/", get(upgrade)),
        Pages::Own(page_of) => router.merge(page_of(port)),
    }
}

async fn health() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], format!("{{\"bridge\":\"{BRIDGE_VERSION}\"}}\n")).into_response()
}
