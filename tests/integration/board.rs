//! `tilewright board` in a real browser: set up, analyse, watch the ranking get better, stop, play, undo, load a game, play one to its end.
//!
//! Without a browser these tests are skipped with a message, unless `TILEWRIGHT_BROWSER` is set, as `.ci/run` does. Start with [`BoardPage`].

use crate::integration::engine_process::share_machine;
use crate::integration::web_client::{Page, read_answer};
use crate::integration::web_driver::Browser;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::RwLockReadGuard;

const ENTER: &str = "\u{e007}";
const BACKSPACE: &str = "\u{e003}";
const RIGHT: &str = "\u{e014}";

/// A game of four turns, one of them a phony that was challenged off.
const GAME: &str = "#character-encoding UTF-8\n#player1 Ann Ann of Ashby\n#player2 Bob Bob\n>Ann: AEINRST 8D NASTIER +66 66\n>Bob: EIORSTV -IV +0 0\n\
                    >Ann: CCIORTU 9C COR +14 80\n>Ann: CCIORTU -- -14 66\n>Bob: EEORSTT 7H TOE +11 11\n";

/// A running board.
struct BoardPage {
    child: Child,
    port: u16,
    address: String,
    _shared: RwLockReadGuard<'static, ()>,
}

impl BoardPage {
    fn serve() -> BoardPage {
        let shared = share_machine();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilewright"));
        command.args(["board", "--no-open", "--threads", "2"]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the board starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("stdout")).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("board on ").expect("an address").to_string();
        let port = address.split([':', '/']).nth(4).and_then(|port| port.parse().ok()).expect("a port");
        BoardPage { child, port, address, _shared: shared }
    }

    /// A browser in which the page is ready; `None` where there is no browser.
    fn open(&self) -> Option<Browser> {
        let browser = Browser::start()?;
        browser.open(&self.address);
        browser.wait("document.querySelector('#status').textContent.startsWith('Ready')");
        Some(browser)
    }
}

impl Drop for BoardPage {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn set_rack(browser: &Browser, rack: &str) {
    browser.script("document.querySelector('#rack-text').value = ''");
    browser.keys("#rack-text", rack);
    browser.click("#rack-form button");
    browser.wait(&format!("document.querySelectorAll('#rack .tile').length === {}", rack.len()));
}

/// The square of the board, counted from 0.
fn square(at: usize) -> String {
    format!("#board [data-at='{at}']")
}

#[test]
fn a_position_is_set_up_analysed_played_and_taken_back() {
    let board = BoardPage::serve();
    let Some(browser) = board.open() else { return };
    assert_eq!(
        browser.script("return location.href"),
        format!("http://127.0.0.1:{}/", board.port),
        "the secret does not stay in the address"
    );
    set_rack(&browser, "AEINRST");

    browser.click("#go");
    browser.wait("document.querySelectorAll('#ranking tr').length >= 10");
    browser.script("document.querySelectorAll('#ranking tr').forEach((row) => (row.marked = true))");
    let iterations = "Number(document.querySelector('#ranking tr').lastElementChild.textContent.replaceAll(',', ''))";
    browser.wait(&format!("{iterations} > 20"));
    let earlier = browser.script(&format!("return {iterations}")).as_f64().expect("a number");
    browser.wait(&format!("{iterations} > {}", earlier + 50.0));
    let marked = browser.script("return [...document.querySelectorAll('#ranking tr')].filter((row) => row.marked).length");
    assert!(marked.as_u64() >= Some(5), "rows get better in place: {marked}");
    browser.wait("document.querySelector('#ranking tr rect').getBoundingClientRect().width > 0");
    assert!(browser.text("#ranking tr td:nth-child(3)").contains(" ± "));
    // The words are asked about while it thinks.
    browser.script("document.querySelectorAll('details').forEach((part) => (part.open = true))");
    browser.keys("#word", "RETAINS");
    browser.click("#word-form button");
    browser.wait("document.querySelector('#answer').textContent === 'check RETAINS valid'");
    browser.click("#stop");
    browser.wait("document.querySelector('#status').textContent.startsWith('Best: 8')");
    let lines = browser.text("#lines");
    assert!(lines.contains("> stop") && lines.contains("< bestmove 8"), "{lines}");
    assert!(!lines.contains(board.address.rsplit('#').next().expect("a secret")), "the secret is not shown");

    // Typing: a click sets an arrow, a tile that is taken back, a word from 8D.
    browser.click(&square(108));
    browser.type_on(&format!("nx{BACKSPACE}nastier"));
    browser.wait("document.querySelector('#try').textContent.includes('NASTIER scores')");
    assert_eq!(browser.text("#try"), "8D.NASTIER scores 66");
    browser.type_on(ENTER);
    browser.wait("document.querySelector('#score-1').textContent === 'Player 1 66'");
    assert_eq!(browser.script("return document.querySelector('#board [data-at=\"108\"]').ariaLabel"), "8D N");
    // The other direction, a blank by Shift, through a tile that lies there.
    set_rack(&browser, "EIORST?");
    browser.click(&square(98));
    browser.click(&square(98));
    browser.type_shifted('O');
    browser.wait("document.querySelector('#try').textContent === 'I7.oE scores 1'");
    browser.click("#recall");
    browser.click("#undo");
    browser.wait("document.querySelector('#status').textContent === 'Taken back'");
    assert_eq!(browser.text("#score-1"), "Player 1 0");
    assert_eq!(browser.text("#moves"), "Start");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_game_is_loaded_and_branches() {
    let board = BoardPage::serve();
    let Some(browser) = board.open() else { return };
    browser.script("document.querySelectorAll('details').forEach((part) => (part.open = true))");
    browser.script(&format!("document.querySelector('#text').value = {}", serde_json::Value::from(GAME)));
    browser.click("#load");
    browser.wait("document.querySelector('#status').textContent === 'Game loaded: 4 turns'");
    assert_eq!(browser.text("#moves").lines().collect::<Vec<_>>(), ["Start", "8D.NASTIER", "ex.IV", "phony.9C.COR", "7H.TOE"]);
    for (turn, rack, first, second) in
        [(1, "EIORSTV", "66", "0"), (2, "CCIORTU", "66", "0"), (3, "EEORSTT", "66", "0"), (4, "", "66", "11")]
    {
        browser.click("#on");
        browser.wait(&format!("document.querySelector('#moves li:nth-child({}) button').ariaCurrent === 'true'", turn + 1));
        assert_eq!(browser.script("return document.querySelector('#rack-text').value"), rack, "turn {turn}");
        assert_eq!(browser.text("#score-1"), format!("Ann of Ashby {first}"), "turn {turn}");
        assert_eq!(browser.text("#score-2"), format!("Bob {second}"), "turn {turn}");
    }
    // Another play after the first turn is a branch; the game stays.
    browser.click("#moves li:nth-child(2) button");
    browser.wait("document.querySelector('#rack-text').value === 'EIORSTV'");
    browser.click("#pass");
    browser.wait("document.querySelector('#moves').textContent.includes('pass')");
    assert!(browser.text("#moves").contains("or ex.IV"));
    // What cannot be is told, and nothing is lost.
    for text in [">A: ABC 8H", "15/15 nonsense", "#player1 a a\n>a: QQQQQQQ 8H QQQ +0 0"] {
        browser.script(&format!(
            "document.querySelector('#status').textContent = ''; document.querySelector('#text').value = {}",
            serde_json::Value::from(text)
        ));
        browser.click("#load");
        browser.wait("document.querySelector('#status').textContent !== ''");
        assert!(!browser.text("#status").contains("loaded"), "{text}");
        assert!(browser.text("#moves").contains("or ex.IV"), "{text}");
    }
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_game_against_the_engine_is_played_to_its_end() {
    let board = BoardPage::serve();
    let Some(browser) = board.open() else { return };
    browser.script("document.querySelector('#engine-seconds').value = 0.1");
    browser.script("document.querySelector('#level').value = 3");
    browser.click("#game");
    let is_over = "document.querySelector('#status').textContent.startsWith('The game is over')";
    let is_ours = "[...document.querySelectorAll('.scores .on-turn')].some((name) => name.textContent.startsWith('You'))";
    for _ in 0..40 {
        browser.wait(&format!("{is_over} || ({is_ours} && document.querySelectorAll('#rack .tile').length > 0)"));
        if browser.script(&format!("return {is_over}")) == true {
            break;
        }
        browser.click("#pass");
        browser.wait(&format!("{is_over} || !({is_ours}) || document.querySelector('#moves li:last-child').textContent !== 'pass 0'"));
    }
    browser.wait(is_over);
    assert!(browser.text("#status").contains("Engine ") && browser.text("#moves").lines().count() > 4, "{}", browser.text("#moves"));
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn every_square_is_reached_by_keys_and_has_a_name() {
    let board = BoardPage::serve();
    let Some(browser) = board.open() else { return };
    let unnamed = browser.script(
        "return [...document.querySelectorAll('button, input, select, textarea, [role=gridcell]')]
           .filter((part) => !(part.ariaLabel || part.labels?.length || part.textContent.trim())).map((part) => part.outerHTML)",
    );
    assert_eq!(unnamed, serde_json::json!([]), "each control has a name");
    assert_eq!(browser.script("return document.querySelectorAll('#board [tabindex=\"0\"]').length"), 1, "one stop of the Tab key");
    browser.script("document.querySelector('#board [tabindex=\"0\"]').focus()");
    browser.type_on(&RIGHT.repeat(20));
    assert_eq!(browser.script("return document.activeElement.ariaLabel"), "8O triple word");
    for (width, scheme) in [(1400, "light"), (1400, "dark"), (390, "light"), (390, "dark")] {
        browser.look(width, scheme);
        let overflow = browser.script("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert_eq!(overflow, 0, "{width} {scheme}: the page is wider than the window");
        let low = browser.script(CONTRAST);
        assert_eq!(low, serde_json::json!([]), "{width} {scheme}: texts with too little contrast");
    }
}

/// The texts whose contrast with what is behind them is below 4.5 (3 for large ones), by WCAG's formula.
const CONTRAST: &str = r"
    const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
    const light = (colour) => {
      const [r, g, b] = numbers(colour).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (part) => {
      for (; part; part = part.parentElement) {
        const colour = getComputedStyle(part).backgroundColor;
        if (numbers(colour)[3] !== 0) return colour;
      }
      return 'rgb(255, 255, 255)';
    };
    const low = [];
    for (const part of document.querySelectorAll('h1, p, span, label, button:not(:disabled), summary, th, td, [role=gridcell]')) {
      if (!part.textContent.trim() || !part.getClientRects().length) continue;
      const style = getComputedStyle(part);
      const [a, b] = [light(style.color), light(behind(part))].sort((x, y) => y - x);
      const isLarge = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && style.fontWeight >= 700);
      if ((a + 0.05) / (b + 0.05) < (isLarge ? 3 : 4.5)) low.push(`${part.outerHTML.slice(0, 80)} ${style.color} on ${behind(part)}`);
    }
    return low;
";

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
    // After a wrong secret the right one waits, too.
    std::thread::sleep(std::time::Duration::from_millis(2100));
    let mut page = Page::connect_to(board.port, "/siu", &origin).expect("its own page");
    page.send(&format!("bridge hello token {secret}\nbridge open tilewright\nsetoption name LogFile value x"));
    page.expect("bridge ok 0.2");
    page.expect("bridge opened tilewright");
    assert!(page.line().starts_with("info string error bad-option"));
}
