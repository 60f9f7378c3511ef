//! `tilewright board`: a board in the browser. The page is served on 127.0.0.1, and drives the engine through the protocol over the wire of
//! the bridge.
//!
//! Other users of the machine can also reach the port, so the page must present a secret of the run.
//! The secret is in the fragment of the page's address, which browsers send to nobody.
//! The page is in `web/page/`. Start with [`run`].

mod reports;

use crate::board::reports::{REPORT_PATH, ReportDesk};
use crate::bridge::file::BridgeEngine;
use crate::bridge::http::Door;
use crate::bridge::outbox::Delivery;
use crate::bridge::relay::{Admission, RelayHub};
use crate::bridge::{self, Pages};
use crate::processes::group::Warden;
use crate::search::limits::{MEMORY_MB, MOST_THREADS};
use crate::web::origin::Origin;
use crate::web::page::{FILES, PageFile, policy};
use crate::web::pairing::PagePairing;
use crate::web::secret::{SecretHash, Token};
use anyhow::Result;
use axum::Router;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use clap::Args;
use maud::{DOCTYPE, html};
use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempPath;
use tokio::sync::Semaphore;

/// Pages at the same time: tabs of one user.
const MOST_PAGES: usize = 8;

/// The end of the help text.
const TEACHING: &str = "\
Prints the address and, at a terminal, opens it in your browser. The address ends in a secret, without which no other user of this
machine gets in. It is valid until the program ends (Ctrl-C). On the page, type a rack and press Analyse; the Help tab lists the keys.";

/// Flags of `tilewright board`.
#[derive(Args, Clone, Debug)]
#[command(after_help = TEACHING)]
pub struct BoardArguments {
    /// The port on 127.0.0.1; 0 for a free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// The most threads that a search may use [default: all of the machine]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS))]
    threads: Option<u32>,
    /// The most memory that the page may give to searches, MB
    #[arg(long, value_name = "MB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(MEMORY_MB))]
    memory: u32,
    /// Folders with lexicons, tables, letters and boards that the page may use by name, separated by ;
    #[arg(long, value_name = "FOLDERS", default_value = "", hide_default_value = true)]
    data_path: String,
    /// Print the address without opening a browser
    #[arg(long)]
    no_open: bool,
}

/// Serves the board until the program is interrupted.
///
/// # Errors
/// The port is taken.
pub fn run(arguments: &BoardArguments, say: fn(&str) -> io::Result<()>) -> Result<()> {
    let machine = std::thread::available_parallelism().map_or(1, |threads| u32::try_from(threads.get()).unwrap_or(1));
    let threads = arguments.threads.unwrap_or(machine).min(MOST_THREADS as u32);
    let secret = Token::generate()?;
    let warden = Arc::new(Warden::start()?);
    let desk = ReportDesk {
        secret: SecretHash::of(secret.as_str()),
        threads,
        data_path: arguments.data_path.clone(),
        warden: Arc::clone(&warden),
        reports: Mutex::default(),
    };
    // The file stays as long as the program runs, since a browser may be slow to start.
    let mut way_in = None;
    let hub = RelayHub {
        engines: vec![BridgeEngine::own("tilewright", threads, arguments.memory, &arguments.data_path)?],
        room: Arc::new(Semaphore::new(MOST_PAGES)),
        admission: Admission::Secret(SecretHash::of(secret.as_str()), Mutex::new(PagePairing::default())),
        warden,
        delivery: Delivery::NewestRanking,
        ping_every: Duration::from_secs(20),
        started: Instant::now(),
        show: |_, _| {},
    };
    let pages = Pages::Own(Box::new(|port| page_of(port).merge(reports::routes(desk))));
    bridge::serve(
        arguments.port,
        hub,
        MOST_PAGES,
        pages,
        |port| Door { port, origins: Arc::new([Origin::local(port)].into()), posts: Some(REPORT_PATH), entrance: Some("/") },
        |port| {
            let address = format!("http://127.0.0.1:{port}/#{}", secret.as_str());
            say(&format!("board on {address}"))?;
            // If nobody sees the address, nobody waits for a window either.
            if !arguments.no_open && io::stdout().is_terminal() {
                way_in = WayIn::to(&address).ok();
                way_in.as_ref().map(WayIn::open);
            }
            Ok(())
        },
    )
}

/// The files of the page.
fn page_of(port: u16) -> Router {
    FILES
        .iter()
        .fold(Router::new(), |router, file| router.route(file.path, get(async move |headers: HeaderMap| answer(file, port, &headers))))
}

/// A file of the page. A browser that asks for the page by the name `localhost` is redirected to the address that was printed, and keeps the
/// fragment. Under another name the page would be another origin, which is refused everywhere.
fn answer(file: &PageFile, port: u16, headers: &HeaderMap) -> Response {
    if file.path == "/" && headers.get(header::HOST).is_some_and(|host| host == format!("localhost:{port}").as_str()) {
        return Redirect::temporary(&format!("{}/", Origin::local(port))).into_response();
    }
    ([(header::CONTENT_TYPE, file.media.to_string()), (header::CONTENT_SECURITY_POLICY, policy(port))], file.text).into_response()
}

/// A file that leads a browser to an address with a secret. All users of the machine can see the arguments of a program, but only its owner can
/// read this file. Jupyter does the same.
struct WayIn(TempPath);

impl WayIn {
    /// The file, which is removed when this is dropped.
    fn to(address: &str) -> io::Result<WayIn> {
        // Made with mode 600.
        let mut file = tempfile::Builder::new().prefix("tilewright-board-").suffix(".html").tempfile()?;
        let page = html! {
            (DOCTYPE)
            meta charset="utf-8";
            meta name="referrer" content="no-referrer";
            meta http-equiv="refresh" content=(format!("0;url={address}"));
            title { "Tilewright" }
            a href=(address) { "Open the board" }
        };
        file.write_all(page.into_string().as_bytes())?;
        Ok(WayIn(file.into_temp_path()))
    }

    /// The program that opens it in the user's browser.
    fn opener(&self) -> Command {
        let opener = if cfg!(target_os = "macos") {
            "open"
        } else if cfg!(windows) {
            "explorer"
        } else {
            "xdg-open"
        };
        let mut command = Command::new(opener);
        command.arg(&self.0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Opens it. If that fails, the address has still been printed.
    fn open(&self) {
        let _ = self.opener().spawn();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_secret_is_in_a_file_of_the_user_and_in_no_argument() {
        let address = "http://127.0.0.1:4711/#5ec2e7";
        let way_in = WayIn::to(address).unwrap();
        let path = way_in.0.to_path_buf();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let page = std::fs::read_to_string(&path).unwrap();
        assert!(page.contains(r#"content="0;url=http://127.0.0.1:4711/#5ec2e7""#), "{page}");
        let opener = way_in.opener();
        let arguments: Vec<String> = opener.get_args().map(|argument| argument.to_string_lossy().into_owned()).collect();
        assert_eq!(arguments, [path.display().to_string()]);
        drop(way_in);
        assert!(!path.exists());
    }
}
