//! The pages of `tilewright analyse` in a real browser: keys, hover, focus, the quiz, print; and the page of many games.
//!
//! Start with [`analysed`].

use crate::driver::{Browser, END, HOME, LEFT, RIGHT, TAB};
use crate::looks::{CHECKS, keep_picture};
use crate::tilewright;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;

/// Whether the elements that a selector finds are visible, each value once: `[true]`, `[false]`, or both. For parts of a picture (SVG)
/// `checkVisibility` does not report that they are not displayed.
fn seen(browser: &Browser, css: &str) -> Value {
    browser.script(&format!(
        "return [...new Set([...document.querySelectorAll({})].map((part) => part.checkVisibility({{ visibilityProperty: true }}) \
         && getComputedStyle(part).display !== 'none'))].sort()",
        Value::from(css)
    ))
}

/// The turn that is shown.
fn turn(browser: &Browser) -> String {
    let seen = "[...document.querySelectorAll('section.turn')].filter((turn) => turn.checkVisibility())";
    // While a page is loading it shows all turns.
    browser.wait(&format!("{seen}.length === 1"));
    let shown = browser.script(&format!("return {seen}.map((turn) => turn.id)"));
    assert_eq!(shown.as_array().map(Vec::len), Some(1), "one turn at a time: {shown}");
    shown[0].as_str().expect("an id").to_string()
}

/// Two games, analysed; the pages are in the folder `pages`.
fn analysed() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for words in ["lab selfplay 2 --seed 5 --out games", "analyse games --iterations 40 --html pages"] {
        let mut command = tilewright();
        let status =
            command.args(words.split(' ')).current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        assert!(status.status().expect("the program runs").success(), "{words}");
    }
    folder
}

fn open(browser: &Browser, folder: &Path, page: &str) {
    browser.open(&format!("file://{}/pages/{page}", folder.display()));
}

/// Checks a page wide and narrow, light and dark: nothing is wider than the window; names, roles and contrast are right.
pub fn looks_right(browser: &Browser, name: &str) {
    for (width, scheme) in [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")] {
        browser.look(width, scheme);
        let overflow = browser.script("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert_eq!(overflow, 0, "{width} {scheme}: the page is wider than the window");
        assert_eq!(browser.script(CHECKS), json!([]), "{width} {scheme}");
        keep_picture(browser, &format!("{name}_{width}_{scheme}"));
    }
    browser.look(1280, "light");
}

#[test]
fn a_report_is_read_by_keys_mouse_and_focus_and_asks_and_is_printed() {
    let browser = Browser::start();
    let folder = analysed();
    open(&browser, folder.path(), "game00001.html");
    looks_right(&browser, "report");
    let turns = browser.script("return document.querySelectorAll('section.turn').length").as_u64().expect("a number");
    assert!(turns > 10);

    // Keys.
    let mistakes = browser.script("return [...document.querySelectorAll('section.turn[data-lost=yes]')].map((turn) => turn.id)");
    let mistakes: Vec<String> = serde_json::from_value(mistakes).expect("ids");
    assert!(!mistakes.is_empty() && mistakes.len() < turns as usize, "some turns lost something: {mistakes:?}");
    assert_eq!(turn(&browser), "t1");
    for (keys, expected) in [
        (RIGHT.repeat(2), "t3".to_string()),
        (LEFT.to_string(), "t2".to_string()),
        (END.to_string(), format!("t{turns}")),
        (RIGHT.to_string(), format!("t{turns}")),
        ("m".to_string(), mistakes[0].clone()),
        ("m".to_string(), mistakes[1 % mistakes.len()].clone()),
        (HOME.to_string(), "t1".to_string()),
    ] {
        browser.type_on(&keys);
        assert_eq!(turn(&browser), expected, "{keys:?}");
        assert_eq!(browser.script("return location.hash"), format!("#{expected}"));
    }
    // Keys of the browser are left to it.
    browser.script("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', ctrlKey: true, bubbles: true }))");
    assert_eq!(turn(&browser), "t1");
    // A point of the curve, a row of the list, a button.
    browser.click("svg.curve a[data-turn='#t4']");
    assert_eq!(turn(&browser), "t4");
    browser.click("table.turns a[href='#t6']");
    assert_eq!(turn(&browser), "t6");
    browser.click("button[data-step=back]");
    assert_eq!(turn(&browser), "t5");
    let marked = browser.script("return [...document.querySelectorAll('[data-turn].current')].map((mark) => mark.dataset.turn)");
    assert_eq!(marked, json!(["#t5", "#t5"]), "on the curve and in the list");

    // A play of the ranking is on the board while the mouse points at it or it has the focus.
    browser.click("button[data-step=first]");
    let shown = "return [...document.querySelectorAll('#t1 .candidate')].filter((play) => getComputedStyle(play).display !== 'none').map((play) => play.dataset.play)";
    assert_eq!((browser.script(shown), seen(&browser, "#t1 .made-tiles")), (json!([]), json!([true])));
    browser.point_at("#t1 tr[data-play='1'] td:nth-child(2)");
    assert_eq!((browser.script(shown), seen(&browser, "#t1 .made-tiles")), (json!(["1"]), json!([false])));
    browser.point_at("h1");
    assert_eq!((browser.script(shown), seen(&browser, "#t1 .made-tiles")), (json!([]), json!([true])));
    browser.script("document.querySelector('#t1 h2').focus()");
    // The ranking can be scrolled by keys, so it is a stop of the Tab key; its plays follow.
    let on_play = "return document.activeElement.closest('tr[data-play]')?.dataset.play ?? ''";
    let mut stops = 0;
    while browser.script(on_play) != "0" {
        browser.type_on(TAB);
        stops += 1;
        assert!(stops < 5, "the Tab key goes to the plays");
    }
    assert_eq!((browser.script(shown), seen(&browser, "#t1 .made-tiles")), (json!(["0"]), json!([false])));
    browser.type_on(TAB);
    assert_eq!(browser.script(shown), json!(["1"]));

    browser.script("document.activeElement.blur()");
    assert_eq!((browser.script(shown), seen(&browser, "#t1 .made-tiles")), (json!([]), json!([true])));

    // The quiz hides everything that gives the answer away, until the user asks for it on a turn.
    let answers = ["#t1 .answer", "#t1 .made-tiles", "#t1 button.play", "table.turns .answer-cell > *", ".curve-card"];
    for css in answers {
        assert_eq!(seen(&browser, css), json!([true]), "{css} without the quiz");
    }
    assert_eq!(seen(&browser, "#t1 .reveal"), json!([false]));
    browser.click("#quiz");
    for css in answers {
        assert_eq!(seen(&browser, css), json!([false]), "{css} tells the answer");
    }
    assert_eq!(seen(&browser, "#t1 .rack"), json!([true]), "the rack is the question");
    browser.click("#t1 .reveal");
    for css in ["#t1 .answer", "#t1 .made-tiles"] {
        assert_eq!(seen(&browser, css), json!([true]), "{css} was asked for");
    }
    assert_eq!(browser.script("return document.activeElement.closest('section')?.id"), "t1", "the focus does not get lost");
    browser.type_on(RIGHT);
    assert_eq!((turn(&browser).as_str(), seen(&browser, "#t2 .answer")), ("t2", json!([false])));

    // On paper everything is shown, in dark ink, even during a quiz.
    browser.look_printed();
    let all = browser.script("return [...document.querySelectorAll('section.turn')].filter((turn) => turn.checkVisibility()).length");
    assert_eq!(all.as_u64(), Some(turns), "all turns are printed");
    for css in ["section.turn .answer", ".made-tiles", ".answer-cell > *", ".curve-card"] {
        assert_eq!(seen(&browser, css), json!([true]), "{css} on paper");
    }
    assert_eq!((seen(&browser, ".bar"), seen(&browser, ".reveal")), (json!([false]), json!([false])));
    let colours = "const of = (css, what) => getComputedStyle(document.querySelector(css))[what]; return [of('body', 'backgroundColor'), of('body', 'color'), of('#empty-board .square', 'fill')]";
    let light = browser.script(colours);
    assert_eq!((&light[0], &light[1]), (&json!("rgb(255, 255, 255)"), &json!("rgb(0, 0, 0)")));
    keep_picture(&browser, "report_print");
    browser.look(1280, "dark");
    assert_ne!(browser.script(colours)[2], light[2], "the board is dark on a dark screen and light on paper");
    browser.look(1280, "light");
    browser.type_on("q");
    assert_eq!(seen(&browser, "table.turns .answer-cell > *"), json!([true]), "q ends the quiz");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn many_games_have_a_page_from_which_each_is_reached() {
    let browser = Browser::start();
    let folder = analysed();
    open(&browser, folder.path(), "index.html");
    looks_right(&browser, "games");
    assert_eq!(browser.text("h1"), "2 games");
    let sections = browser.script("return [...document.querySelectorAll('h2')].map((heading) => heading.textContent)");
    let sections: Vec<String> = serde_json::from_value(sections).expect("headings");
    assert!(
        ["Players", "By part of the game", "By size of the mistake", "Games"].iter().all(|name| sections.iter().any(|found| found == name)),
        "{sections:?}"
    );
    // The bars are as long as their numbers say.
    let bars = browser.script(
        "return [...document.querySelectorAll('.bar-of')].map((bar) => [bar.getBoundingClientRect().width / bar.parentElement.clientWidth, \
         Number(bar.closest('tr').querySelector('td:nth-last-child(2)').textContent)])",
    );
    let bars: Vec<(f64, f64)> = serde_json::from_value(bars).expect("numbers");
    let most = bars.iter().copied().reduce(|one, other| if other.1 > one.1 { other } else { one }).expect("bars");
    assert!(most.1 > 0.0 && most.0 > 0.8, "{bars:?}");
    for (width, number) in &bars {
        assert!((width / most.0 - number.max(0.0) / most.1).abs() < 0.05, "{width} for {number}: {bars:?}");
    }
    browser.look_printed();
    assert_eq!(browser.script("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)");
    keep_picture(&browser, "games_print");
    browser.look(1280, "light");
    // To a game's worst turn, and back to all.
    let worst = browser.script("return document.querySelector(\"td a[href*='#t']\").getAttribute('href')");
    let worst = worst.as_str().and_then(|address| address.split('#').nth(1)).expect("a turn").to_string();
    browser.click("td a[href*='#t']");
    browser.wait("document.querySelector('section.turn')");
    assert_eq!(turn(&browser), worst);
    browser.click("header a");
    browser.wait("document.querySelector('h1').textContent === '2 games'");
    assert_eq!(browser.errors(), Vec::<String>::new());
}
