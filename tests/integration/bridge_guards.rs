//! What must not happen on the bridge: a test for each guard, which fails when the guard is taken out. `scripts/guards` takes them out, by the table `scripts/guards.toml`.
//!
//! Pages of other sites, other names for this machine, pages that come in hundreds or do not read, engines that do wrong, lines that would reach files. Start with [`BAD_ORIGINS`].

use crate::integration::bridge::{ALLOWED, Bridge, FILE, is_alive};
use crate::integration::needs::Need;
use crate::integration::waiting::soon;
use crate::integration::web_client::{Leaving, Page};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

/// Origins and hosts that look like allowed ones.
const BAD_ORIGINS: [&str; 16] = [
    "null",
    "https://pages.example.attacker.example",
    "https://attacker.example",
    "http://pages.example",
    "https://pages.example:443",
    "https://pages.example:8443",
    "https://pages.example.",
    "https://PAGES.example",
    "https://pages.example/",
    "https://apages.example",
    "https://user@pages.example",
    "http://127.0.0.1.attacker.example",
    "http://127.0.0.1",
    "http://[::1]:3000",
    "http://localhost:3001",
    "file://",
];

const PATHS: [&str; 8] = ["/", "/siu", "/health", "/health/", "/nothing", "/../health", "/%2e%2e/health", "*"];

#[test]
fn requests_of_other_sites_are_refused_on_every_path() {
    let bridge = Bridge::start();
    let host = format!("127.0.0.1:{}", bridge.port);
    for path in PATHS {
        for method in ["GET", "POST", "OPTIONS", "HEAD", "DELETE"] {
            for origin in BAD_ORIGINS {
                let answer = bridge.ask(&format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\n\r\n"));
                let is_refused = answer.starts_with("HTTP/1.1 403") || (path == "*" && answer.starts_with("HTTP/1.1 400"));
                assert!(is_refused && !answer.to_lowercase().contains("access-control"), "{method} {path} {origin}: {answer}");
            }
            for headers in [
                format!("Host: {host}\r\nOrigin: {ALLOWED}\r\nOrigin: {ALLOWED}"),
                format!("Host: {host}\r\nSec-Fetch-Site: cross-site"),
                format!("Host: {host}\r\nSec-Fetch-Site: same-site"),
            ] {
                let answer = bridge.ask(&format!("{method} {path} HTTP/1.1\r\n{headers}\r\n\r\n"));
                assert!(
                    ["HTTP/1.1 403", "HTTP/1.1 400"].iter().any(|status| answer.starts_with(status)),
                    "{method} {path} {headers}: {answer}"
                );
            }
        }
        for method in ["POST", "PUT", "DELETE", "HEAD"] {
            let answer = bridge.ask(&format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {ALLOWED}\r\nContent-Length: 0\r\n\r\n"));
            assert!(["HTTP/1.1 405", "HTTP/1.1 400"].iter().any(|status| answer.starts_with(status)), "{method} {path}: {answer}");
        }
    }
}

#[test]
fn another_name_for_this_machine_is_refused_on_every_path() {
    let bridge = Bridge::start();
    let port = bridge.port;
    let hosts = [
        format!("127.0.0.1.attacker.example:{port}"),
        format!("attacker.example:{port}"),
        "127.0.0.1".to_string(),
        "localhost".to_string(),
        format!("127.0.0.1:{}", port ^ 1),
        format!("localhost.:{port}"),
        format!("127.0.0.1.:{port}"),
        format!("[::1]:{port}"),
        format!("0.0.0.0:{port}"),
        format!("x@127.0.0.1:{port}"),
        String::new(),
    ];
    for path in ["/", "/siu", "/health", "/nothing"] {
        for host in &hosts {
            let answer = bridge.ask(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {ALLOWED}\r\n\r\n"));
            let is_refused = ["HTTP/1.1 421", "HTTP/1.1 400"].iter().any(|status| answer.starts_with(status));
            assert!(is_refused && !answer.contains("access-control"), "{path} {host}: {answer}");
        }
        for request in [
            format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: 127.0.0.1:{port}\r\n\r\n"),
            format!("GET {path} HTTP/1.1\r\n\r\n"),
            format!("GET http://attacker.example{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"),
        ] {
            let answer = bridge.ask(&request);
            assert!(["HTTP/1.1 421", "HTTP/1.1 400"].iter().any(|status| answer.starts_with(status)), "{request}: {answer}");
        }
    }
    // Nobody else on the net reaches it, and not even this machine by another address.
    for address in [format!("127.0.0.2:{port}"), format!("[::1]:{port}")] {
        assert!(TcpStream::connect(&address).is_err(), "it listens on {address}");
    }
}

#[test]
fn only_allowed_pages_get_a_websocket() {
    let bridge = Bridge::start();
    for origin in BAD_ORIGINS {
        assert_eq!(Page::connect(bridge.port, origin).err(), Some(403), "{origin}");
    }
    assert_eq!(Page::connect(bridge.port, "").err(), Some(403), "no origin");
    assert_eq!(Page::connect_as(bridge.port, ALLOWED, "127.0.0.1.attacker.example").err(), Some(421));
    assert!(Page::connect(bridge.port, "http://localhost:3000").is_ok());
}

#[test]
fn two_hundred_connections_are_no_more_than_allowed() {
    // Without pings: these pages answer none, and a busy machine may take longer for the connections than a page may be silent.
    let bridge = Bridge::start_with(&FILE.replace("ping_seconds = 1", "ping_seconds = 3600"));
    let (first, token) = bridge.paired();
    let mut pages: Vec<Page> = Vec::new();
    let mut refused = 0;
    for _ in 0..200 {
        match Page::connect(bridge.port, ALLOWED) {
            Ok(page) => pages.push(page),
            Err(status) => {
                assert_eq!(status, 503);
                refused += 1;
            }
        }
    }
    assert_eq!((pages.len(), refused), (7, 193), "connections = 8 with the first one");
    let mut opened = 0;
    for page in &mut pages {
        page.send(&format!("bridge hello token {token}\nbridge open family"));
        page.expect("bridge ok 0.2");
        if page.line() == "bridge opened family" {
            // Its processes are noted.
            page.expect("born");
            opened += 1;
        }
    }
    assert_eq!(opened, 2, "engines = 2");
    // Connections that never ask for anything are bounded, too, and end by themselves.
    let began = Instant::now();
    let idle: Vec<TcpStream> = (0..600).filter_map(|_| TcpStream::connect(("127.0.0.1", bridge.port)).ok()).collect();
    let is_closed = |mut stream: &TcpStream| {
        stream.set_nonblocking(true).unwrap();
        !std::io::Read::read(&mut stream, &mut [0; 1]).is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
    };
    // At once, that is before they have been silent for ten seconds.
    while idle.iter().filter(|stream| is_closed(stream)).count() < 300 {
        assert!(began.elapsed() < Duration::from_secs(8), "most of {} are still open", idle.len());
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(bridge.megabytes() < 100, "{} MB", bridge.megabytes());
    drop((first, pages));
    soon("the engines end", || bridge.pids().len() == 4 && bridge.pids().iter().all(|pid| !is_alive(pid)));
    soon("there is room again", || Page::connect(bridge.port, ALLOWED).is_ok());
    drop(idle);
    assert!(bridge.megabytes() < 100, "{} MB", bridge.megabytes());
}

#[test]
fn a_closed_engine_ends_with_its_children() {
    let bridge = Bridge::start();
    let (mut page, _) = bridge.paired();
    for opened in 1..=3 {
        page.send("bridge open family");
        page.expect("bridge opened family");
        page.expect("born");
        page.send("bridge close");
        page.until("bridge closed family as asked");
        soon("its processes end", || bridge.pids().len() == 2 * opened && bridge.pids().iter().all(|pid| !is_alive(pid)));
    }
}

#[test]
fn a_revoked_token_opens_nothing_more() {
    // Without pings nothing but the opening itself looks at the tokens.
    let bridge = Bridge::start_with(&FILE.replace("ping_seconds = 1", "ping_seconds = 3600"));
    let (mut page, token) = bridge.paired();
    let mut second = bridge.page_with(&token);
    second.send("bridge open echo");
    second.expect("bridge opened echo");
    fs::write(bridge.path("tokens"), "").unwrap();
    page.send("bridge open family");
    assert!(page.is_closed());
    assert!(bridge.pids().is_empty());
}

#[test]
fn a_code_counts_once_and_for_the_page_that_asked() {
    let bridge = Bridge::start();
    let mut page = bridge.page();
    page.send("bridge hello");
    assert!(page.line().starts_with("bridge pairing "));
    let code = bridge.code();
    let mut other = Page::connect(bridge.port, "http://localhost:3000").unwrap();
    other.send(&format!("bridge hello code {code}"));
    assert!(other.line().starts_with("bridge error wrong-code"));
    page.send(&format!("bridge hello code {}", code.to_lowercase().replace('-', " ")));
    assert!(page.line().starts_with("bridge token "));
    page.expect("bridge ok 0.2");
    let mut again = bridge.page();
    again.send(&format!("bridge hello code {code}"));
    assert!(again.line().starts_with("bridge error wrong-code"));
}

#[test]
fn answers_are_kept_from_other_pages() {
    let bridge = Bridge::start();
    let answer = bridge.ask(&format!("GET /health HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", bridge.port)).to_lowercase();
    for header in [
        "x-content-type-options: nosniff",
        "x-frame-options: deny",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
        "cross-origin-resource-policy: same-origin",
        "vary: origin",
    ] {
        assert!(answer.contains(&format!("{header}\r\n")), "{header}: {answer}");
    }
}

#[test]
fn a_page_that_never_reads_is_disconnected_and_its_engine_ends() {
    // Without pings, so that only the bytes count.
    let bridge = Bridge::start_with(&FILE.replace("ping_seconds = 1", "ping_seconds = 3600"));
    let (mut page, _) = bridge.paired();
    page.send("bridge open floods");
    soon("it floods", || bridge.pids().len() == 2);
    soon("the engine is stopped", || !is_alive(&bridge.pids()[0]));
    assert!(bridge.megabytes() < 100, "{} MB", bridge.megabytes());
}

#[test]
fn an_engine_of_short_lines_fills_no_memory_either() {
    let bridge = Bridge::start_with(&FILE.replace("ping_seconds = 1", "ping_seconds = 3600"));
    let (mut page, _) = bridge.paired();
    let before = bridge.peak_megabytes();
    page.send("bridge open chatters");
    soon("it chatters", || bridge.pids().len() == 2);
    soon("the engine is stopped", || !is_alive(&bridge.pids()[0]));
    let taken = bridge.peak_megabytes() - before;
    assert!(taken < 40, "{taken} MB");
}

/// How pages leave while lines are on their way to them, and how often each way is tried.
pub const LEAVINGS: [Leaving; 3] = [Leaving::Close, Leaving::CloseFrame, Leaving::Reset];
pub const TIMES: usize = 30;

/// Lines that are answered even before a page is paired, as many as a message holds.
pub fn flood() -> String {
    "bridge\n".repeat(9_000)
}

/// A search that sends a ranking each millisecond.
pub const TALKATIVE_SEARCH: &str = "position startpos\nrack AEINRST\ngo sim infinite info 1";

#[test]
fn pages_that_vanish_take_no_other_page_with_them() {
    let file = FILE.replace("ping_seconds = 1", "ping_seconds = 3600").replace("connections = 8", "connections = 256");
    let bridge = Bridge::start_with(&file.replace("engines = 2", "engines = 64"));
    let (mut page, token) = bridge.paired();
    page.send("bridge open family");
    page.expect("bridge opened family");
    page.expect("born");
    for leaving in LEAVINGS {
        for _ in 0..TIMES {
            let mut unpaired = bridge.page();
            unpaired.send(&flood());
            unpaired.leave(leaving);
            let mut paired = bridge.page_with(&token);
            paired.send(&format!("bridge open tilewright\n{TALKATIVE_SEARCH}"));
            paired.until("info sim");
            paired.leave(leaving);
        }
    }
    page.send("still there?");
    page.expect("still there?");
    assert!(bridge.pids().iter().all(|pid| is_alive(pid)));
    let mut another = bridge.page_with(&token);
    another.send("bridge open echo\nand for others?");
    another.expect("bridge opened echo");
    another.expect("and for others?");
}

#[test]
fn a_page_that_answers_no_ping_is_gone() {
    let bridge = Bridge::start();
    let (mut page, _) = bridge.paired();
    page.send("bridge open family");
    soon("the engine runs", || bridge.pids().len() == 2);
    // The socket is open, and nobody looks at it.
    soon("the engine is stopped", || bridge.pids().iter().all(|pid| !is_alive(pid)));
    drop(page);
}

#[test]
fn engines_are_held_to_bounds() {
    let bridge = Bridge::start();
    let (mut page, _) = bridge.paired();
    page.send("bridge open deaf");
    page.expect("bridge opened deaf");
    let line = "x".repeat(60_000);
    (0..30).for_each(|_| page.send(&line));
    page.expect("bridge error bad-engine it does not read its input");
    page.expect("bridge closed deaf signal: 9 (SIGKILL)");
    // The rest of the lines came after its end.
    page.until("bridge error no-engine");
    let (mut page, _) = bridge.paired();
    page.send("bridge open endless");
    page.expect("bridge opened endless");
    page.expect("bridge error bad-engine one of its lines has no end");
    page.expect("bridge closed endless signal: 9 (SIGKILL)");
    page.send("bridge open forger");
    page.expect("bridge opened forger");
    page.expect("honest");
    page.send("bridge open echo");
    assert!(page.line().starts_with("bridge error engine-open "), "one engine a connection");
}

#[test]
fn a_line_that_is_too_long_ends_the_connection() {
    let bridge = Bridge::start();
    let (mut page, _) = bridge.paired();
    page.send("bridge open echo");
    page.expect("bridge opened echo");
    let line = "y".repeat(100_000);
    page.send(&line);
    page.expect(&line);
    page.send(&"z".repeat(200_000));
    assert!(page.is_closed());
}

#[test]
fn options_that_name_files_do_not_reach_other_engines() {
    let bridge = Bridge::start();
    let (mut page, _) = bridge.paired();
    page.send("bridge open echo");
    page.expect("bridge opened echo");
    for line in ["setoption name LogFile value /tmp/x", "SETOPTION name Log File value x", "x setoption name Lexicon value ../x"] {
        page.send(line);
        assert!(page.line().starts_with("bridge error refused-option "), "{line}");
    }
    page.send("isready");
    page.expect("isready");
}

#[test]
fn our_engine_touches_no_file_of_a_page() {
    let bridge = Bridge::start();
    let (mut page, _) = bridge.paired();
    page.send("bridge open tilewright");
    page.expect("bridge opened tilewright");
    let there = bridge.path("there.txt");
    fs::write(&there, "CAT\nDOG\n").unwrap();
    let (there, new) = (there.display(), bridge.path("new"));
    page.send("position startpos");
    for line in [
        format!("setoption name LogFile value {}", new.display()),
        format!("setoption name SimLog value {}", new.display()),
        format!("setoption name DataPath value {}", bridge.folder.path().display()),
        format!("setoption name Lexicon value {there}"),
        format!("setoption name Layout value {there}"),
        format!("setoption name Leaves value {there}.leaves"),
        format!("setoption name WinPctTable value {there}"),
        format!("setoption name LetterDistribution value {there}.csv"),
        format!("setoption name Player value static:leaves={there}"),
        format!("gcg {}", new.display()),
        format!("position gcg {there}"),
        "setoption name Threads value 3".to_string(),
        "setoption name Memory value 129".to_string(),
        "setoption name EndgameHash value 129".to_string(),
        "rack AEINRST\ngo sim threads 3 iterations 1".to_string(),
        "bench 1 1".to_string(),
    ] {
        page.send(&line);
        let answer = page.line();
        assert!(answer.starts_with("info string error "), "{line}: {answer}");
        assert!(!new.exists(), "{line} wrote a file");
    }
    // A file in the folder in which the bridge was started is not found by its name either.
    page.send("setoption name Lexicon value there\nisready");
    assert!(page.line().starts_with("info string error bad-option"));
    page.expect("readyok");
    page.send("siu");
    assert!(page.until("siuok").iter().any(|line| line == "option name Threads type spin default 1 min 1 max 2"));
    let children = |task: fs::DirEntry| fs::read_to_string(task.path().join("children")).unwrap_or_default();
    let engines: String = fs::read_dir(format!("/proc/{}/task", bridge.child.id())).unwrap().flatten().map(children).collect();
    let limits: Vec<String> = engines.split_whitespace().filter_map(|pid| fs::read_to_string(format!("/proc/{pid}/limits")).ok()).collect();
    let has = |limits: &String, name: &str, value: &str| {
        limits.lines().any(|line| line.starts_with(name) && line.split_whitespace().any(|word| word == value))
    };
    assert!(limits.iter().any(|limits| has(limits, "Max file size", "0") && !has(limits, "Max data size", "unlimited")), "{limits:?}");
}

#[test]
fn no_process_is_left() {
    for signal in ["-KILL", "-TERM", "-INT"] {
        let mut bridge = Bridge::start();
        let (mut page, _) = bridge.paired();
        page.send("bridge open family");
        page.expect("bridge opened family");
        page.expect("born");
        assert!(bridge.pids().len() == 2 && bridge.pids().iter().all(|pid| is_alive(pid)));
        assert!(Command::new("kill").args([signal, &bridge.child.id().to_string()]).status().unwrap().success());
        soon("the bridge ends", || bridge.child.try_wait().unwrap().is_some());
        soon("its engines end", || bridge.pids().iter().all(|pid| !is_alive(pid)));
    }
}

#[test]
fn a_request_that_never_ends_is_cut_off() {
    let bridge = Bridge::start();
    let mut stream = TcpStream::connect(("127.0.0.1", bridge.port)).unwrap();
    let began = Instant::now();
    stream.write_all(b"GET /health HTTP/1.1\r\n").unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(40))).unwrap();
    let read = std::io::Read::read(&mut stream, &mut [0; 100]);
    assert!(matches!(read, Ok(0)) || read.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::ConnectionReset), "{read:?}");
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn the_table_of_guards_fits_the_source() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let table: toml::Table = toml::from_str(&read("scripts/guards.toml")).unwrap();
    let guards = table["guard"].as_array().unwrap();
    let mut known = BTreeSet::new();
    for guard in guards {
        let part = |name: &str| guard[name].as_str().unwrap();
        assert!(known.insert((part("file"), part("what"))), "twice: {}", part("what"));
        assert_eq!(read(part("file")).matches(part("text")).count(), 1, "{}: the text is not there once: {}", part("file"), part("what"));
        assert_ne!(part("text"), part("without"), "{}", part("what"));
        // `lib web::origin::tests::name`, in the file itself or another; `integration integration::bridge::name`.
        let (target, path) = part("test").split_once(' ').unwrap();
        let (module, name) = path.rsplit_once("::").unwrap();
        let file = match target {
            "lib" => format!("src/{}.rs", module.strip_suffix("::tests").unwrap().replace("::", "/")),
            _ => format!("tests/{}.rs", module.replace("::", "/")),
        };
        let file = if root.join(&file).exists() { file } else { file.replace(".rs", "/mod.rs") };
        assert!(
            read(&file).contains(&format!("#[test]\n{}fn {name}() {{", if target == "lib" { "    " } else { "" })),
            "{file} has no test {name}"
        );
    }
    assert!(known.len() > 80, "{}", known.len());
}

#[test]
fn a_word_that_names_no_guard_is_an_error() {
    if !Need::Python.is_met() {
        return;
    }
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/guards");
    let list = |word: &str| {
        let output = Command::new("python3").arg(&script).args(["--list", word]).output().expect("python3 runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (status, listed, said) = list("nosuchguard");
    assert_eq!((status, listed.as_str()), (Some(2), ""));
    assert!(said.contains("no guard has 'nosuchguard'"), "{said}");
    let (status, listed, _) = list("web/secret.rs");
    assert!(
        status == Some(0) && listed.lines().count() > 2 && listed.lines().all(|line| line.starts_with("src/web/secret.rs: ")),
        "{listed}"
    );
}
