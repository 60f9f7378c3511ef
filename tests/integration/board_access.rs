//! Who gets at `tilewright board`, and what a page may ask of it; nothing here needs a browser (`tests/browser`). Start with [`nobody_gets_in_without_the_secret_of_the_run`].

use crate::integration::board_page::BoardPage;
use crate::integration::bridge::is_alive;
use crate::integration::bridge_guards::{LEAVINGS, TALKATIVE_SEARCH, TIMES, flood};
use crate::integration::waiting::soon;
use crate::integration::web_client::{Page, read_answer};
use std::fs;

#[test]
fn nobody_gets_in_without_the_secret_of_the_run() {
    let board = BoardPage::serve();
    let origin = format!("http://127.0.0.1:{}", board.port);
    let page = read_answer(board.port, &format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", board.port));
    assert!(page.contains("content-security-policy: default-src 'none'; script-src 'self';"), "{page}");
    let secret = board.address.rsplit('#').next().expect("a secret");
    assert!(secret.len() == 64 && !page.contains(secret));
    for other in ["null", "https://woogles.io", "http://localhost:1", ""] {
        assert_eq!(Page::connect_to(board.port, "/siu", other).err(), Some(403), "{other}");
    }
    for line in ["bridge hello", "bridge hello code AAAA-AAAA", "bridge hello token 00", "bridge open tilewright", "siu"] {
        let mut page = Page::connect_to(board.port, "/siu", &origin).expect("its own page");
        page.send(line);
        assert!(page.line().starts_with("bridge error "), "{line}");
    }
    for (origin, secret, path, status) in [
        (origin.as_str(), "00", "/report", 401),
        (&origin, "", "/report", 401),
        (&origin, secret, "/report", 400),
        ("https://woogles.io", secret, "/report", 403),
        ("", secret, "/report", 405),
        (&origin, secret, "/", 405),
        (&origin, secret, "/report/00", 405),
    ] {
        let origin_line = if origin.is_empty() { String::new() } else { format!("Origin: {origin}\r\n") };
        let answer = read_answer(
            board.port,
            &format!(
                "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{origin_line}Authorization: Bearer {secret}\r\nContent-Length: 1\r\n\r\nx",
                board.port
            ),
        );
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{path} {origin}: {answer}");
    }
    let answer = read_answer(board.port, &format!("GET /report/{secret} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", board.port));
    assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
    // After a wrong secret the right one waits, too.
    std::thread::sleep(std::time::Duration::from_millis(2100));
    let mut page = Page::connect_to(board.port, "/siu", &origin).expect("its own page");
    page.send(&format!("bridge hello token {secret}\nbridge open tilewright\nsetoption name LogFile value x"));
    page.expect("bridge ok 0.2");
    page.expect("bridge opened tilewright");
    assert!(page.line().starts_with("info string error bad-option"));
}

#[test]
fn tabs_that_vanish_take_no_other_tab_with_them() {
    let board = BoardPage::serve();
    let origin = format!("http://127.0.0.1:{}", board.port);
    let secret = board.address.rsplit('#').next().expect("a secret");
    // Eight may be there at the same time, and those that have left are there for a moment.
    let connect = || {
        let mut found = None;
        soon("there is room", || {
            found = Page::connect_to(board.port, "/siu", &origin).ok();
            found.is_some()
        });
        found.expect("a page")
    };
    let open = |text: &str| {
        let mut found = None;
        soon("an engine starts", || {
            let mut page = connect();
            page.send(&format!("bridge hello token {secret}\nbridge open tilewright\n{text}"));
            page.expect("bridge ok 0.2");
            found = (page.line() == "bridge opened tilewright").then_some(page);
            found.is_some()
        });
        found.expect("a page")
    };
    let mut page = open("position startpos\nrack AEINRST\ngo sim infinite info 100000000");
    page.until("info sim");
    for leaving in LEAVINGS {
        for _ in 0..TIMES {
            let mut stranger = connect();
            stranger.send(&flood());
            stranger.leave(leaving);
            let mut tab = open(TALKATIVE_SEARCH);
            tab.until("info sim");
            tab.leave(leaving);
        }
    }
    page.send("stop");
    page.until("bestmove ");
}

/// A request with the secret, from the page itself.
fn send_game(board: &BoardPage, body: &str) -> String {
    let (port, secret) = (board.port, board.address.rsplit('#').next().expect("a secret"));
    let head =
        format!("POST /report HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nAuthorization: Bearer {secret}");
    read_answer(port, &format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()))
}

/// The answer to a question about a report.
fn look_at(board: &BoardPage, id: &str) -> String {
    read_answer(board.port, &format!("GET /report/{id} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", board.port))
}

const SETTINGS: &str = "movetime 60000 lexicon ENABLE letters english layout standard15 variant classic";
const GAME: &str = "#player1 A A\n#player2 B B\n>A: AEINRST 8D NASTIER +66 66\n>B: EIORSTV -IV +0 0\n";

/// The process that analyses for a board: one, sooner or later. (The kernel may leave out children while others end.)
fn analysis(board: &BoardPage) -> String {
    let mut found = Vec::new();
    soon("one analysis runs", || {
        found = analyses(board);
        found.len() == 1
    });
    found.remove(0)
}

fn analyses(board: &BoardPage) -> Vec<String> {
    let children = |task: fs::DirEntry| fs::read_to_string(task.path().join("children")).unwrap_or_default();
    let ids: String = fs::read_dir(format!("/proc/{}/task", board.child.id())).expect("Linux tells").flatten().map(children).collect();
    let is_analysis = |id: &&str| fs::read_to_string(format!("/proc/{id}/cmdline")).unwrap_or_default().contains("\0analyse\0");
    ids.split_whitespace().filter(is_analysis).map(str::to_string).collect()
}

#[test]
fn reports_are_made_one_at_a_time_and_none_outlives_the_board() {
    let mut board = BoardPage::serve();
    let id_of = |answer: &str| answer.lines().last().expect("an id").to_string();
    let first = send_game(&board, &format!("{SETTINGS}\n{GAME}"));
    assert!(first.starts_with("HTTP/1.1 200 ") && id_of(&first).len() == 64, "{first}");
    assert!(look_at(&board, &id_of(&first)).starts_with("HTTP/1.1 202 "));
    let old = analysis(&board);
    let second = send_game(&board, &format!("{SETTINGS}\n{GAME}"));
    assert!(look_at(&board, &id_of(&first)).starts_with("HTTP/1.1 404 "), "a new one ends the one before");
    assert!(look_at(&board, &id_of(&second)).starts_with("HTTP/1.1 202 "));
    soon("the first one ends", || !is_alive(&old));
    assert_ne!(analysis(&board), old);
    // What cannot be analysed is told, in words that the user can mend.
    let bad = send_game(&board, &format!("{SETTINGS}\nno game at all\n"));
    soon("it is told", || look_at(&board, &id_of(&bad)).starts_with("HTTP/1.1 422 "));
    assert!(look_at(&board, &id_of(&bad)).contains("game.gcg"), "{}", look_at(&board, &id_of(&bad)));
    for (settings, why) in [
        ("movetime 60001 lexicon ENABLE letters english layout standard15 variant classic", "movetime"),
        ("movetime 100 lexicon ../../etc/passwd letters english layout standard15 variant classic", "is not a name"),
        ("movetime 100 lexicon NOSUCH letters english layout standard15 variant classic", "there is no lexicon NOSUCH"),
        ("", "expected movetime"),
    ] {
        let answer = send_game(&board, &format!("{settings}\n{GAME}"));
        assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains(why), "{settings}: {answer}");
    }
    let long = send_game(&board, &format!("{SETTINGS}\n{}", "x".repeat(2 << 20)));
    assert!(long.starts_with("HTTP/1.1 413 ") || long.is_empty(), "{long}");
    // Killed, it leaves nothing behind.
    let last = send_game(&board, &format!("{SETTINGS}\n{GAME}"));
    assert!(last.starts_with("HTTP/1.1 200 "), "{last}");
    let running = analysis(&board);
    board.child.kill().expect("it is there");
    soon("its analysis ends", || !is_alive(&running));
}

#[test]
fn a_game_is_for_its_owner_alone_also_if_the_board_is_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut board = BoardPage::serve_in(folder.path());
    let begun = send_game(&board, &format!("{SETTINGS}\n{GAME}"));
    assert!(begun.starts_with("HTTP/1.1 200 "), "{begun}");
    let running = analysis(&board);
    board.child.kill().expect("it is there");
    soon("its analysis ends", || !is_alive(&running));
    let left: Vec<_> = fs::read_dir(folder.path()).expect("a folder").flatten().filter(|entry| entry.path().is_dir()).collect();
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(left[0].path().join("game.gcg").exists());
    let mode = std::os::unix::fs::PermissionsExt::mode(&left[0].metadata().expect("it is there").permissions());
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn a_report_has_none_of_the_rights_of_the_page() {
    let board = BoardPage::serve();
    let begun = send_game(&board, &format!("{}\n{GAME}", SETTINGS.replace("60000", "1")));
    let id = begun.lines().last().expect("an id");
    soon("the report is made", || !look_at(&board, id).starts_with("HTTP/1.1 202 "));
    let report = look_at(&board, id);
    assert!(report.starts_with("HTTP/1.1 200 "), "{report}");
    assert!(report.contains("content-security-policy: sandbox allow-scripts; default-src 'none'; img-src data:; style-src"), "{report}");
}

#[test]
fn other_sites_get_nothing_of_the_board() {
    let board = BoardPage::serve();
    let host = format!("127.0.0.1:{}", board.port);
    for path in ["/", "/app.js", "/style.css", "/siu", "/health", "/report", "/report/00", "/nothing"] {
        for method in ["GET", "POST", "OPTIONS", "HEAD", "PUT"] {
            for headers in [
                format!("Host: {host}\r\nOrigin: https://attacker.example"),
                format!("Host: {host}\r\nOrigin: null"),
                format!("Host: {host}\r\nOrigin: http://127.0.0.1.attacker.example:{}", board.port),
                format!("Host: {host}\r\nOrigin: http://127.0.0.1:{}", board.port ^ 1),
                format!("Host: {host}\r\nOrigin: https://{host}"),
                format!("Host: {host}\r\nSec-Fetch-Site: cross-site"),
                format!("Host: {host}\r\nSec-Fetch-Site: same-site"),
            ] {
                let answer = read_answer(board.port, &format!("{method} {path} HTTP/1.1\r\n{headers}\r\nContent-Length: 0\r\n\r\n"));
                assert!(
                    answer.starts_with("HTTP/1.1 403 ") && !answer.to_lowercase().contains("access-control"),
                    "{method} {path} {headers}: {answer}"
                );
            }
            let answer = read_answer(
                board.port,
                &format!("{method} {path} HTTP/1.1\r\nHost: attacker.example:{}\r\nContent-Length: 0\r\n\r\n", board.port),
            );
            assert!(answer.starts_with("HTTP/1.1 421 "), "{method} {path}: {answer}");
        }
    }
}

#[test]
fn a_link_may_open_the_page_in_a_window_of_its_own_and_nothing_else() {
    let board = BoardPage::serve();
    let status = |path: &str, site: &str, mode: &str, destination: &str| {
        let headers = format!("Sec-Fetch-Site: {site}\r\nSec-Fetch-Mode: {mode}\r\nSec-Fetch-Dest: {destination}");
        let answer = read_answer(board.port, &format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{headers}\r\n\r\n", board.port));
        answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
    };
    assert_eq!(status("/", "cross-site", "navigate", "document"), 200);
    for (path, mode, destination) in [
        ("/", "navigate", "iframe"),
        ("/", "no-cors", "image"),
        ("/", "cors", "empty"),
        ("/app.js", "navigate", "document"),
        ("/siu", "navigate", "document"),
        ("/report/00", "navigate", "document"),
        ("/health", "navigate", "document"),
    ] {
        assert_eq!(status(path, "cross-site", mode, destination), 403, "{path} {mode} {destination}");
    }
    assert_eq!(status("/app.js", "same-origin", "cors", "script"), 200);
}

#[test]
fn the_name_localhost_leads_to_the_address_of_the_board() {
    let board = BoardPage::serve();
    let ask = |path: &str| read_answer(board.port, &format!("GET {path} HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", board.port));
    let answer = ask("/");
    let address = format!("http://127.0.0.1:{}/", board.port);
    assert!(answer.starts_with("HTTP/1.1 307 ") && answer.contains(&format!("\r\nlocation: {address}\r\n")), "{answer}");
    assert!(ask("/app.js").starts_with("HTTP/1.1 200 "), "nothing else is asked for by a person");
}

#[test]
fn a_page_is_told_the_names_of_files_and_not_where_they_are() {
    let board = BoardPage::serve();
    let mut page = Page::connect_to(board.port, "/siu", &format!("http://127.0.0.1:{}", board.port)).expect("its own page");
    let secret = board.address.rsplit('#').next().expect("a secret");
    page.send(&format!("bridge hello token {secret}\nbridge open tilewright\nlayouts\nisready\nsiu"));
    let listed = page.until("readyok");
    let names: Vec<&str> = listed.iter().filter_map(|line| line.strip_prefix("info string layout ")).collect();
    assert_eq!(names[0], "standard15 built-in");
    assert!(names.contains(&"nine file nine.txt") && !names.concat().contains('/'), "{names:?}");
    // What only a path could be a value of is not offered.
    let offered = page.until("siuok").join("\n");
    assert!(
        offered.contains("option name Lexicon ") && ["DataPath", "SimLog", "LogFile"].iter().all(|name| !offered.contains(name)),
        "{offered}"
    );
}
