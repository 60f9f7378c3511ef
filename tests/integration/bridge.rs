//! `tilewright bridge` as pages meet it: pairing, relaying, engines that come and go.
//!
//! `bridge_guards.rs` has what must not happen, `web_client.rs` is the other end of the wire. Start with [`Bridge`].

use crate::integration::board_page::expect_no_panic;
use crate::integration::documents;
use crate::integration::waiting::soon;
use crate::integration::web_client::{Page, read_answer};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;
use tempfile::TempDir;

/// The page that may connect.
pub const ALLOWED: &str = "https://pages.example";

/// Engines of the tests: our own, an echo, and some that do wrong.
pub const FILE: &str = r#"
origins = ["https://pages.example", "http://localhost:3000"]
connections = 8
engines = 2
ping_seconds = 1

[[engine]]
id = "tilewright"
threads = 2
memory = 128

[[engine]]
id = "echo"
command = ["cat"]

[[engine]]
id = "family"
command = ["sh", "-c", "sleep 600 & echo $$ $! >> PIDS; echo born; trap '' TERM; cat"]

[[engine]]
id = "dies"
command = ["sh", "-c", "sleep 600 & echo $$ $! >> PIDS; echo born; read line; echo last; echo lost its way >&2; exit 3"]

[[engine]]
id = "floods"
command = ["sh", "-c", "echo $$ $$ >> PIDS; exec yes info string 0123456789012345678901234567890123456789"]

[[engine]]
id = "chatters"
command = ["sh", "-c", "echo $$ $$ >> PIDS; exec yes"]

[[engine]]
id = "deaf"
command = ["sleep", "600"]

[[engine]]
id = "endless"
command = ["sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' x; sleep 600"]

[[engine]]
id = "forger"
command = ["sh", "-c", "echo bridge token stolen; echo honest; cat"]

[[engine]]
id = "missing"
command = ["/no/such/engine"]
"#;

/// A running bridge.
pub struct Bridge {
    pub child: Child,
    pub port: u16,
    lines: Receiver<String>,
    pub folder: TempDir,
}

impl Bridge {
    pub fn start() -> Bridge {
        Bridge::start_with(FILE)
    }

    pub fn start_with(file: &str) -> Bridge {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("engines.toml"), file.replace("PIDS", &folder.path().join("pids").display().to_string()))
            .expect("a file");
        let stderr = fs::File::create(folder.path().join("stderr")).expect("a file");
        let mut child = command(folder.path(), &["--port", "0"]).stdout(Stdio::piped()).stderr(stderr).spawn().expect("the bridge starts");
        let stdout = child.stdout.take().expect("stdout");
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let first = lines.recv_timeout(Duration::from_secs(20)).expect("a first line");
        let port = first.split("127.0.0.1:").nth(1).and_then(|rest| rest.split('/').next()?.parse().ok()).expect("a port");
        Bridge { child, port, lines, folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn page(&self) -> Page {
        Page::connect(self.port, ALLOWED).expect("an allowed page connects")
    }

    /// The next code that the bridge shows.
    pub fn code(&self) -> String {
        let line = self.lines.recv_timeout(Duration::from_secs(10)).expect("a code");
        line.split(' ').nth(1).expect("a code").to_string()
    }

    /// A page that is paired, and its token.
    pub fn paired(&self) -> (Page, String) {
        let mut page = self.page();
        page.send("bridge hello");
        assert!(page.line().starts_with("bridge pairing 3"));
        page.send(&format!("bridge hello code {}", self.code()));
        let token = page.line().strip_prefix("bridge token ").expect("a token").to_string();
        page.expect("bridge ok 0.2");
        (page, token)
    }

    /// A page with a token.
    pub fn page_with(&self, token: &str) -> Page {
        let mut page = self.page();
        page.send(&format!("bridge hello token {token}"));
        page.expect("bridge ok 0.2");
        page
    }

    pub fn ask(&self, request: &str) -> String {
        read_answer(self.port, request)
    }

    /// The processes that the engines of the file have noted.
    pub fn pids(&self) -> Vec<String> {
        fs::read_to_string(self.path("pids")).unwrap_or_default().split_whitespace().map(str::to_string).collect()
    }

    /// Memory in use, MB.
    pub fn megabytes(&self) -> usize {
        megabytes_of(&self.child, "VmRSS:")
    }

    /// The most memory that was ever in use, MB.
    pub fn peak_megabytes(&self) -> usize {
        megabytes_of(&self.child, "VmHWM:")
    }

    /// What it has written to standard error.
    pub fn stderr(&self) -> String {
        fs::read_to_string(self.path("stderr")).expect("it is there")
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        expect_no_panic(&self.stderr());
    }
}

/// Memory of a process by this line of its status, MB.
pub fn megabytes_of(child: &Child, head: &str) -> usize {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("Linux tells");
    let line = status.lines().find(|line| line.starts_with(head)).expect("a line of memory");
    line.split_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse::<usize>().ok()).expect("a number") / 1024
}

fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
    command.arg("bridge").args(words).arg("--config").arg(folder.join("engines.toml")).arg("--tokens").arg(folder.join("tokens"));
    command.stdin(Stdio::null()).stderr(Stdio::null());
    command
}

/// Whether a process is there, and no zombie.
pub fn is_alive(pid: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    state.rsplit(") ").next().is_some_and(|state| !state.is_empty() && !state.starts_with('Z'))
}

#[test]
fn a_page_is_paired_by_a_code_and_then_comes_with_its_token() {
    let bridge = Bridge::start();
    let (mut page, token) = bridge.paired();
    page.send("bridge engines");
    for id in ["tilewright", "echo", "family", "dies", "floods", "chatters", "deaf", "endless", "forger", "missing"] {
        page.expect(&format!("bridge engine {id}"));
    }
    page.expect("bridge enginesok");
    let mut page = bridge.page_with(&token);
    page.send("bridge open tilewright");
    page.expect("bridge opened tilewright");
    page.send("siu");
    page.until("siuok");
    page.send("position startpos\nrack AEINRST\ngo gen plays 1");
    assert_eq!(page.until("bestmove 8").len(), 3);
    page.send("bridge close");
    page.expect("bridge closed tilewright as asked");
    page.send("isready");
    page.expect("bridge error no-engine say bridge open <id> first");
}

/// The file and the conversation that `protocol/bridge.md` shows.
#[test]
fn the_page_about_the_bridge_is_true() {
    let blocks = documents::blocks("protocol/bridge.md");
    let block = |language: &str| &blocks.iter().find(|block| block.language == language).expect("a block").text;
    let bridge = Bridge::start_with(block("toml"));
    let mut page = Page::connect(bridge.port, "https://woogles.io").expect("the page of the file connects");
    let mut lines = 0;
    for line in block("bridge").lines() {
        match line.split_at_checked(2) {
            // The code of the page is an example.
            Some(("> ", sent)) if sent.starts_with("bridge hello code ") => page.send(&format!("bridge hello code {}", bridge.code())),
            Some(("> ", sent)) => page.send(sent),
            Some(("< ", "...")) => {}
            Some(("< ", answer)) => {
                let head = answer.split('<').next().unwrap_or(answer);
                let received = page.line();
                assert!(if head == answer { received == head } else { received.starts_with(head) }, "{received} instead of {answer}");
            }
            _ => assert!(line.trim_start().starts_with("the bridge prints: code "), "{line}"),
        }
        lines += 1;
    }
    assert!(lines > 12, "{lines} lines");
    page.until("siuok");
}

#[test]
fn lines_are_relayed_as_they_are() {
    let bridge = Bridge::start();
    let (mut page, _) = bridge.paired();
    page.send("bridge open echo");
    page.expect("bridge opened echo");
    for line in ["siu", "  two  blanks\tand a tab ", "", "ÄÖ [CH]año 🂡", "x bridge close", "bridges", "setoption name Threads value 2"]
    {
        page.send(line);
        page.expect(line);
    }
    page.send("ends in CR LF\r\nsecond");
    page.expect("ends in CR LF");
    page.expect("second");
}

#[test]
fn nothing_is_done_for_a_page_that_is_not_paired() {
    let bridge = Bridge::start();
    let mut page = bridge.page();
    for line in ["bridge engines", "bridge open tilewright", "bridge close", "siu", "bridge nonsense"] {
        page.send(line);
        page.expect("bridge error not-paired say bridge hello first");
    }
    // Other origins have guesses of their own.
    for (at, line) in ["bridge hello code AAAA-AAAA", "bridge hello token 00"].iter().enumerate() {
        let mut page = Page::connect(bridge.port, [ALLOWED, "http://localhost:3000"][at]).unwrap();
        page.send(line);
        assert!(page.line().starts_with(["bridge error wrong-code", "bridge error wrong-token"][at]));
        page.send(line);
        assert!(page.line().starts_with("bridge error wait 1 "), "guesses are slowed down");
    }
}

#[test]
fn a_token_counts_for_its_page_alone_and_until_it_is_revoked() {
    let bridge = Bridge::start();
    let (mut page, token) = bridge.paired();
    let kept = fs::read_to_string(bridge.path("tokens")).unwrap();
    assert!(!kept.contains(&token) && kept.contains(ALLOWED), "{kept}");
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&fs::metadata(bridge.path("tokens")).unwrap().permissions()) & 0o777, 0o600);
    let mut other = Page::connect(bridge.port, "http://localhost:3000").unwrap();
    other.send(&format!("bridge hello token {token}"));
    assert!(other.line().starts_with("bridge error wrong-token"));

    page.send("bridge open family\n");
    page.expect("bridge opened family");
    page.expect("born");
    let listed = command(bridge.folder.path(), &["--paired"]).output().unwrap();
    let id = String::from_utf8(listed.stdout).unwrap().split(' ').next().unwrap().to_string();
    assert_eq!(command(bridge.folder.path(), &["--revoke", "nobody"]).status().unwrap().code(), Some(1));
    assert!(command(bridge.folder.path(), &["--revoke", &id]).status().unwrap().success());
    assert!(page.is_closed(), "a connection with a revoked token ends");
    soon("its engine ends", || bridge.pids().iter().all(|pid| !is_alive(pid)));
    let mut page = bridge.page();
    page.send(&format!("bridge hello token {token}"));
    assert!(page.line().starts_with("bridge error wrong-token"));
}

#[test]
fn health_is_told_to_allowed_pages() {
    let bridge = Bridge::start();
    for host in ["127.0.0.1", "localhost"] {
        let answer = bridge.ask(&format!("GET /health HTTP/1.1\r\nHost: {host}:{}\r\nOrigin: {ALLOWED}\r\n\r\n", bridge.port));
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("{\"bridge\":\"0.2\"}\n"), "{answer}");
        assert!(answer.contains("access-control-allow-origin: https://pages.example\r\n") && answer.contains("vary: origin"), "{answer}");
    }
    let answer = bridge.ask(&format!(
        "OPTIONS /health HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nOrigin: {ALLOWED}\r\nAccess-Control-Request-Method: GET\r\n\r\n",
        bridge.port
    ));
    assert!(answer.starts_with("HTTP/1.1 204") && answer.contains("access-control-allow-methods: GET"), "{answer}");
    let answer = bridge.ask(&format!("GET /health HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", bridge.port));
    assert!(answer.starts_with("HTTP/1.1 200") && !answer.contains("access-control"), "no page asks: {answer}");
}

#[test]
fn an_engine_that_dies_is_told_and_its_children_end() {
    let bridge = Bridge::start();
    let (mut page, _) = bridge.paired();
    for _ in 0..3 {
        page.send("bridge open dies");
        page.expect("bridge opened dies");
        page.expect("born");
        page.send("go");
        page.expect("last");
        page.expect("bridge closed dies exit status: 3");
    }
    assert_eq!(bridge.stderr(), "lost its way\n".repeat(3));
    soon("the children end", || bridge.pids().len() == 6 && bridge.pids().iter().all(|pid| !is_alive(pid)));
    page.send("bridge open missing");
    assert!(page.line().starts_with("bridge error cannot-start "));
    page.send("bridge open nothing");
    assert!(page.line().starts_with("bridge error unknown-engine "));
}

#[test]
fn a_second_bridge_and_a_missing_file_are_told() {
    let bridge = Bridge::start();
    let second = command(bridge.folder.path(), &["--port", &bridge.port.to_string()]).stderr(Stdio::piped()).output().unwrap();
    let text = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(!second.status.success() && text.contains("is a bridge running already?"), "{text}");
    fs::remove_file(bridge.path("engines.toml")).unwrap();
    let text = command(bridge.folder.path(), &[]).stderr(Stdio::piped()).output().unwrap().stderr;
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(text.contains("cannot read") && text.contains("[[engine]]"), "{text}");
}
