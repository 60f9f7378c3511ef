//! The board in the browser: the actions of a user on the page, and the page's answers.
//!
//! The same page is served in two ways: by `tilewright board`, with the engine on this machine; and, if TILEWRIGHT_SITE names its folder,
//! as the site that `scripts/web site` makes, with the engine in the page. Start with [`serve`] and [`open`].

use crate::board_page::BoardPage;
use crate::driver::{Browser, ENTER};
use crate::site::Site;
use std::io::Write;

/// A server of the page. It ends when this is dropped.
pub enum Server {
    Board(BoardPage),
    Site(Site),
}

impl Server {
    /// The address of the page.
    pub fn address(&self) -> &str {
        match self {
            Server::Board(board) => &board.address,
            Server::Site(site) => &site.address,
        }
    }
}

/// Serves the page in the way under test.
pub fn serve() -> Server {
    Site::of_environment().map_or_else(|| Server::Board(BoardPage::serve()), Server::Site)
}

/// Reports that a test is skipped because a variable is not set.
pub fn pass_over(test: &str, variable: &str) {
    let _ = writeln!(std::io::stderr(), "passed over: {test} needs {variable}");
}

/// A browser in which the board's page is ready.
pub fn open(server: &Server) -> Browser {
    let browser = Browser::start();
    browser.open(server.address());
    browser.wait("document.querySelector('#status').textContent.startsWith('Ready')");
    browser.wait("document.querySelectorAll('#layout option').length >= 3");
    browser
}

pub fn set_rack(browser: &Browser, rack: &str) {
    browser.script("document.querySelector('#rack-text').value = ''");
    browser.keys("#rack-text", rack);
    browser.click("#rack-form button");
    browser.wait(&format!("document.querySelectorAll('#rack .tile').length === {}", rack.len()));
}

/// A game after its first turn, with a rack for the second.
pub fn second_turn(browser: &Browser) {
    set_rack(browser, "AEINRST");
    command(browser, "8D RETAINS");
    told(browser, "8D RETAINS for 66");
    set_rack(browser, "EIORST?");
}

/// Tries a play of the second turn on the board.
pub fn try_a_play(browser: &Browser) {
    command(browser, "try I7 oE");
    browser.wait("document.querySelectorAll('#board .tried').length === 1");
}

/// Fills the ranking by a simulation, and the table of static values.
pub fn simulate_and_evaluate(browser: &Browser) {
    command(browser, "go sim");
    browser.wait("document.querySelectorAll('#ranking tr').length >= 10");
    command(browser, "stop");
    browser.wait("document.querySelector('#status').textContent.startsWith('Best: ')");
    command(browser, "eval");
    browser.wait("document.querySelectorAll('#terms tbody tr').length >= 10");
}

/// The square of the board, counted from 0.
pub fn square(at: usize) -> String {
    format!("#board [data-at='{at}']")
}

/// Types a line into the page's command line.
pub fn command(browser: &Browser, line: &str) {
    browser.script("document.querySelector('#command').value = ''; document.querySelector('#said').textContent = ''");
    browser.keys("#command", &format!("{line}{ENTER}"));
}

/// Waits until the status line has this text.
pub fn told(browser: &Browser, text: &str) {
    browser.wait(&format!("document.querySelector('#status').textContent === {}", serde_json::Value::from(text)));
}

/// Waits until the answer of the command line begins with this text.
pub fn said(browser: &Browser, text: &str) {
    browser.wait(&format!("document.querySelector('#said').textContent.startsWith({})", serde_json::Value::from(text)));
}

/// A player's name, points and, in a game with clocks, time.
pub fn player(browser: &Browser, number: usize) -> String {
    let told = browser.script(&format!("return document.querySelector('#player-{number}').innerText"));
    told.as_str().expect("a text").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Opens the tab with an element.
pub fn reach(browser: &Browser, css: &str) {
    browser.script(&format!(
        "const panel = document.querySelector({}).closest('[role=tabpanel]'); if (panel) document.getElementById(panel.getAttribute('aria-labelledby')).click()",
        serde_json::Value::from(css)
    ));
}

/// Clicks an element in any tab.
pub fn press(browser: &Browser, css: &str) {
    reach(browser, css);
    browser.click(css);
}

/// The list of turns: play, loss if known, points, total; then alternatives.
pub fn turns(browser: &Browser) -> Vec<String> {
    let told = browser.script(
        "return [...document.querySelectorAll('#moves li')].map((turn) => [...turn.querySelectorAll('button > span:not(.hidden)')] \
         .map((part) => part.textContent).join(' '))",
    );
    serde_json::from_value(told).expect("a list of texts")
}

/// The lines of the protocol that the page shows.
pub fn lines(browser: &Browser) -> String {
    browser.script("return document.querySelector('#lines').textContent").as_str().expect("a text").to_string()
}

/// Saves the game, and returns the text of the file that would be downloaded.
pub fn saved(browser: &Browser) -> String {
    browser.script(
        "window.saved = [];
         URL.createObjectURL = (file) => { window.saved.push(file); return '#saved'; };
         HTMLAnchorElement.prototype.click = () => {};",
    );
    press(browser, "#save");
    browser.wait("document.querySelector('#status').textContent.startsWith('Saved as ')");
    browser.script("return window.saved[0].text()").as_str().expect("a text").to_string()
}

/// Waits until an error with this text is visible next to a control.
pub fn complained(browser: &Browser, css: &str, text: &str) {
    browser.wait(&format!(
        "[...document.querySelectorAll('.problem')].some((problem) => problem.checkVisibility() && problem.textContent.startsWith({}) \
         && problem.parentElement.contains(document.querySelector({})))",
        serde_json::Value::from(text),
        serde_json::Value::from(css)
    ));
}

pub fn open_parts(browser: &Browser) {
    browser.script("document.querySelectorAll('details').forEach((part) => (part.open = true))");
}

/// Chooses a value, as a user does.
pub fn choose(browser: &Browser, id: &str, value: &str) {
    browser.script(&format!(
        "const part = document.querySelector('#{id}'); part.value = '{value}'; part.dispatchEvent(new Event('change')); \
         document.querySelector('#status').textContent = ''"
    ));
}
