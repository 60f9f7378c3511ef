//! `tilewright board`: a board in the browser. The page is served on 127.0.0.1, and drives the engine through the protocol over the wire of
//! the bridge.
//!
//! Other users of the machine reach the port, too, so the page shows a secret of the run, which stands in the fragment of its address: browsers send it to nobody.
//! The page is in `web/page/`. Start with [`run`].

use crate::cli::bridge::file::BridgeEngine;
use crate::cli::bridge::http::Door;
use crate::cli::bridge::outbox::Delivery;
use crate::cli::bridge::relay::{Admission, RelayHub};
use crate::cli::bridge::{self, Pages};
use crate::cli::tournament::warden::Warden;
use crate::web::origin::Origin;
use crate::web::page::{FILES, PageFile, policy};
use crate::web::pairing::PagePairing;
use crate::web::secret::{SecretHash, Token};
use anyhow::Result;
use axum::Router;
use axum::http::header;
use axum::routing::get;
use clap::Args;
use std::io::IsTerminal;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// Pages at the same time: tabs of one user.
const MOST_PAGES: usize = 8;

/// Flags of `tilewright board`.
#[derive(Args, Clone, Debug)]
pub struct BoardArguments {
    /// The port on 127.0.0.1; 0 = a free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// The most threads of a search [default: those of the machine]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,
    /// The greatest values of Memory and EndgameHash, MB
    #[arg(long, value_name = "MB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(64..=65536))]
    memory: u32,
    /// Folders with lexicons and tables, separated by ;
    #[arg(long, value_name = "FOLDERS", default_value = "")]
    data_path: String,
    /// Print the address, and open no browser
    #[arg(long)]
    no_open: bool,
}

/// Serves the board until the program is interrupted.
///
/// # Errors
/// The port is taken.
pub fn run(arguments: &BoardArguments, say: fn(&str) -> std::io::Result<()>) -> Result<()> {
    let machine = std::thread::available_parallelism().map_or(1, |threads| u32::try_from(threads.get()).unwrap_or(1));
    let threads = arguments.threads.unwrap_or(machine).min(256);
    let secret = Token::generate()?;
    let hub = RelayHub {
        engines: vec![BridgeEngine::own("tilewright", threads, arguments.memory, &arguments.data_path)?],
        room: Arc::new(Semaphore::new(MOST_PAGES)),
        admission: Admission::Secret(SecretHash::of(secret.as_str()), Mutex::new(PagePairing::default())),
        warden: Arc::new(Warden::start()?),
        delivery: Delivery::NewestRanking,
        ping_every: Duration::from_secs(20),
        started: Instant::now(),
        show: |_, _| {},
    };
    let pages = Pages::Own(page_of);
    bridge::serve(
        arguments.port,
        hub,
        MOST_PAGES,
        pages,
        |port| Door { port, origins: Arc::new([Origin::local(port)].into()) },
        |port| {
            let address = format!("http://127.0.0.1:{port}/#{}", secret.as_str());
            say(&format!("board on {address}"))?;
            // Where nobody looks at the address, nobody waits for a window either.
            if !arguments.no_open && std::io::stdout().is_terminal() {
                open_browser(&address);
            }
            Ok(())
        },
    )
}

/// The files of the page.
fn page_of(port: u16) -> Router {
    FILES.iter().fold(Router::new(), |router, &PageFile { path, media, text }| {
        let answer =
            move || async move { ([(header::CONTENT_TYPE, media.to_string()), (header::CONTENT_SECURITY_POLICY, policy(port))], text) };
        router.route(path, get(answer))
    })
}

/// Opens the address in the user's browser. Where that does not work, the address has been printed.
fn open_browser(address: &str) {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let _ = Command::new(opener).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
