//! The page of `tilewright puzzles` in a real browser: answers typed and chosen, hints and solutions by keys, and print.
//!
//! Start with [`a_puzzle_is_solved_by_typing_choosing_and_keys`].

use crate::driver::{Browser, ENTER, RIGHT};
use crate::looks::keep_picture;
use crate::reports::looks_right;
use crate::tilewright;
use serde_json::json;
use std::fs;
use std::process::Stdio;
use tempfile::TempDir;

/// A page of two puzzles, both with the same opening, whose only bingo is QUIXOTE.
pub fn open_puzzles(browser: &Browser) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("racks.cgp"), "EIOQTUX\nEIOQTUX\n").expect("a file");
    let mut command = tilewright();
    command.args("puzzles racks.cgp --iterations 40 --least-difficulty 0 --html puzzles.html".split(' ')).current_dir(folder.path());
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.expect("the program runs").success());
    browser.open(&format!("file://{}/puzzles.html", folder.path().display()));
    browser.wait("document.querySelector('section.puzzle.current')");
    folder
}

#[test]
fn a_puzzle_is_solved_by_typing_choosing_and_keys() {
    let browser = Browser::start();
    let _folder = open_puzzles(&browser);
    looks_right(&browser, "puzzle");
    assert_eq!(browser.text("h1"), "2 puzzles");
    let shown =
        "return [...document.querySelectorAll('section.puzzle')].filter((puzzle) => puzzle.checkVisibility()).map((puzzle) => puzzle.id)";
    let is_open = "return document.querySelector('#p1 details.solution').open";
    let is_on_board = "return getComputedStyle(document.querySelector('#p1 .candidate')).display !== 'none'";
    let result = "document.querySelector('#p1 .result').textContent";
    let answer = |text: &str| {
        browser.script("document.querySelector('#typed1').value = ''");
        browser.keys("#typed1", &format!("{text}{ENTER}"));
        browser.script(&format!("return {result}")).as_str().expect("a text").to_string()
    };
    assert_eq!(browser.script(shown), json!(["p1"]));
    assert!(answer("quixote").starts_with("Write a play as "));
    assert_eq!(answer("8H TIE"), "This is not the best play.");
    assert_eq!((browser.script(is_open), browser.script(is_on_board)), (json!(false), json!(false)));
    // A play that was compared with the solution, chosen from the list.
    let rival = "const rival = Object.keys(JSON.parse(document.querySelector('#p1').dataset.lost)).find((play) => \
                 [...document.querySelector('#chosen1').options].some((option) => option.value === play)); \
                 const list = document.querySelector('#chosen1'); list.value = rival; list.dispatchEvent(new Event('change')); return rival";
    let rival = browser.script(rival).as_str().expect("a play").to_string();
    browser.click("#p1 button[type=submit]");
    assert!(
        browser
            .script(&format!("return {result}"))
            .as_str()
            .is_some_and(|text| text.starts_with(&format!("{rival} is not the best play: it loses ")))
    );
    // The same word elsewhere, turned down, in lowercase: all of them are the play. A dot stands for a tile on the board.
    assert!(answer("h4 quixote").starts_with("Right: the solution is "));
    browser.wait("document.querySelector('#p1').classList.contains('open')");
    assert_eq!((browser.script(is_open), browser.script(is_on_board)), (json!(true), json!(true)));
    assert_eq!(browser.text("#solved"), "1 of 2 solved");
    assert!(answer("8F.Q(U)IX.TE").starts_with("Right: the solution is "));
    keep_picture(&browser, "puzzle_solved");
    browser.script("document.activeElement.blur()");
    browser.type_on(RIGHT);
    assert_eq!(browser.script(shown), json!(["p2"]));
    assert_eq!(browser.script("return document.activeElement.closest('section')?.id"), "p2", "the new puzzle is read");
    browser.script("document.querySelector('#p2 details.hint summary').focus()");
    browser.type_on(ENTER);
    assert_eq!(browser.script("return document.querySelector('#p2 details.hint').open"), json!(true));
    browser.click("button[data-step=back]");
    assert_eq!(browser.script(shown), json!(["p1"]));
    browser.look_printed();
    assert_eq!(browser.script(shown), json!(["p1", "p2"]));
    assert_eq!(browser.errors(), Vec::<String>::new());
}
