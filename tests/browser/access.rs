//! Checks the page with axe-core, a program that judges how people with disabilities can use a page: it must find no fault of the levels A and AA
//! of WCAG.
//!
//! axe-core is not part of this repository. TILEWRIGHT_AXE names its file `axe.min.js`; without it the test is skipped. Start with [`Axe`].

use crate::board::GAME;
use crate::driver::{Browser, ENTER};
use crate::looks::TABS;
use crate::page::{command, open, open_parts, pass_over, press, second_turn, serve, simulate_and_evaluate, square, told, try_a_play};
use crate::puzzles::open_puzzles;
use serde_json::{Value, json};
use std::io::Write;

/// The sizes of windows that are judged: a desktop, a laptop, a phone.
pub const SIZES: [(u32, u32); 3] = [(1280, 800), (1366, 650), (390, 844)];

/// The faults that axe-core finds, one a line: the rule, the description, the place.
const JUDGE: &str = "
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
    const told = await axe.run(document, { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'], preload: false });
    return told.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.failureSummary.replace(/\\s+/g, ' ')} ${node.html.slice(0, 160)}`));
";

/// The source of axe-core.
struct Axe(String);

impl Axe {
    /// Reads the file that TILEWRIGHT_AXE names, if it names one.
    fn of_environment() -> Option<Axe> {
        let path = std::env::var_os("TILEWRIGHT_AXE")?;
        let path = crate::repository().join(path);
        Some(Axe(std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))))
    }

    /// The faults of the page in its current state, at three sizes, light and dark, each with its place.
    fn faults(&self, browser: &Browser, state: &str) -> Vec<String> {
        let looks = SIZES.iter().flat_map(|size| ["light", "dark"].map(|scheme| (*size, scheme)));
        looks.flat_map(|(size, scheme)| self.faults_seen(browser, state, size, scheme)).collect()
    }

    /// The faults in the largest window in light colours, and in the smallest in dark ones.
    fn main_faults(&self, browser: &Browser, state: &str) -> Vec<String> {
        let looks = [(SIZES[0], "light"), (SIZES[2], "dark")];
        looks.into_iter().flat_map(|(size, scheme)| self.faults_seen(browser, state, size, scheme)).collect()
    }

    fn faults_seen(&self, browser: &Browser, state: &str, (width, height): (u32, u32), scheme: &str) -> Vec<String> {
        if browser.script("return typeof axe") == "undefined" {
            browser.script(&self.0);
        }
        browser.look(width, scheme);
        browser.window(width, height);
        let found: Vec<String> = serde_json::from_value(browser.script(JUDGE)).expect("texts");
        browser.look(1280, "light");
        browser.window(1280, 800);
        let faults: Vec<String> = found.into_iter().map(|fault| format!("{state}, {width}x{height}, {scheme}: {fault}")).collect();
        for fault in &faults {
            let _ = writeln!(std::io::stderr(), "{fault}");
        }
        faults
    }
}

#[test]
fn axe_finds_no_fault_of_level_a_or_aa() {
    let Some(axe) = Axe::of_environment() else {
        return pass_over("axe_finds_no_fault_of_level_a_or_aa", "TILEWRIGHT_AXE");
    };
    let board = serve();
    let browser = open(&board);
    let mut faults = axe.main_faults(&browser, "empty board");
    // An analysis, a tried play, all parts of the page open.
    second_turn(&browser);
    simulate_and_evaluate(&browser);
    try_a_play(&browser);
    open_parts(&browser);
    for tab in TABS {
        browser.click(&format!("#tab-{tab}"));
        faults.extend(if tab == "rank" { axe.faults(&browser, tab) } else { axe.main_faults(&browser, tab) });
    }
    // The dialogue that asks for the letter of a blank.
    browser.click("#recall");
    browser.drag("#rack .tile[data-points='']", &square(112 + 15));
    browser.wait("document.querySelector('#letter-dialog').open");
    faults.extend(axe.faults(&browser, "dialogue"));
    browser.click("#letter-dialog button[value='']");
    // An action that is refused.
    command(&browser, "1A ZZZ");
    browser.wait("document.querySelector('#said.wrong')?.textContent");
    faults.extend(axe.main_faults(&browser, "error"));
    // A loaded game, and one in progress.
    browser.script(&format!("document.querySelector('#text').value = {}", Value::from(GAME)));
    press(&browser, "#load");
    told(&browser, "Game loaded: 4 turns");
    faults.extend(axe.main_faults(&browser, "loaded game"));
    browser.script("document.querySelector('#minutes').value = 20; document.querySelector('#level').value = 2");
    press(&browser, "#game");
    browser
        .wait("document.querySelector('.on-turn').textContent.startsWith('You') && document.querySelectorAll('#rack .tile').length === 7");
    faults.extend(axe.faults(&browser, "game"));
    let told = faults.len();
    assert_eq!(json!(faults), json!([]), "{told} faults");
}

#[test]
fn axe_finds_no_fault_on_a_page_of_puzzles() {
    let Some(axe) = Axe::of_environment() else {
        return pass_over("axe_finds_no_fault_on_a_page_of_puzzles", "TILEWRIGHT_AXE");
    };
    let browser = Browser::start();
    let _folder = open_puzzles(&browser);
    let mut faults = axe.faults(&browser, "puzzle");
    browser.script("document.querySelectorAll('details').forEach((details) => { details.open = true; })");
    browser.keys("#typed1", &format!("8H TIE{ENTER}"));
    faults.extend(axe.faults(&browser, "solution"));
    assert_eq!(json!(faults), json!([]));
}
