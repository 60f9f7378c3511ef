//! Every key that the board's page names, pressed as a user presses it; keys that are left to the browser; live regions that rarely speak.
//!
//! Start with [`label`].

use crate::driver::{BACKSPACE, Browser, DOWN, END, ENTER, ESCAPE, HOME, LEFT, PAGE_DOWN, PAGE_UP, RIGHT, SPACE, UP};
use crate::page::{command, open, open_parts, player, serve, set_rack, square, told, turns};
use serde_json::json;

/// The accessible name of the square that has the focus.
fn label(browser: &Browser) -> String {
    browser.script("return document.activeElement.ariaLabel ?? document.activeElement.id").as_str().expect("a name").to_string()
}

/// The accessible name of a square.
fn named(browser: &Browser, at: usize) -> String {
    browser.script(&format!("return document.querySelector(\"{}\").ariaLabel", square(at))).as_str().expect("a name").to_string()
}

fn rack(browser: &Browser) -> String {
    browser.script("return document.querySelector('#rack').ariaLabel").as_str().expect("a name").replace(". Up shuffles, down recalls", "")
}

/// 8D and 8H on a board of fifteen squares a row.
const D8: usize = 7 * 15 + 3;
const H8: usize = 7 * 15 + 7;

#[test]
fn squares_are_reached_and_tiles_are_typed_by_every_key() {
    let board = serve();
    let browser = open(&board);
    set_rack(&browser, "AEINRS?");

    // Arrows, Home and End move the focus; one square at a time is a stop of the Tab key, and no arrow is set.
    browser.script("document.querySelector('#board [tabindex=\"0\"]').focus()");
    for (key, expected) in [
        (LEFT, "8G empty"),
        (UP, "7G double letter"),
        (DOWN, "8G empty"),
        (RIGHT, "8H start, double word"),
        (HOME, "8A triple word"),
        (LEFT, "8A triple word"),
        (END, "8O triple word"),
        (RIGHT, "8O triple word"),
    ] {
        browser.type_on(key);
        assert_eq!(label(&browser), expected);
        assert_eq!(browser.script("return document.querySelectorAll('#board [tabindex=\"0\"]').length"), 1);
    }

    // A click sets an arrow, another turns it, a third takes it away; Enter does the same.
    for expected in ["8H start, double word, typing across", "8H start, double word, typing down", "8H start, double word"] {
        browser.click(&square(H8));
        assert_eq!(named(&browser, H8), expected);
    }
    for expected in [
        "8H start, double word, typing across",
        "8H start, double word, typing down",
        "8H start, double word",
        "8H start, double word, typing across",
    ] {
        browser.type_on(ENTER);
        assert_eq!(named(&browser, H8), expected);
    }

    // A letter that is not on the rack becomes the blank; one that is on the rack does not; there is no second blank.
    browser.type_on("t");
    assert_eq!((named(&browser, H8).as_str(), rack(&browser).as_str()), ("8H T blank, tried", "Rack: A E I N R S"));
    browser.type_on("e");
    assert_eq!((named(&browser, H8 + 1).as_str(), rack(&browser).as_str()), ("8I E, tried", "Rack: A I N R S"));
    browser.type_on("z");
    assert_eq!(browser.text("#try"), "Z is not on the rack");
    assert_eq!(label(&browser), "8J empty, typing across");
    // Space skips a square; Backspace takes back the last tile, then the one before.
    browser.type_on(SPACE);
    assert_eq!(label(&browser), "8K empty, typing across");
    browser.type_on(BACKSPACE);
    assert_eq!((label(&browser).as_str(), rack(&browser).as_str()), ("8I empty, typing across", "Rack: A E I N R S"));
    browser.type_on(BACKSPACE);
    assert_eq!((label(&browser).as_str(), rack(&browser).as_str()), ("8H start, double word, typing across", "Rack: A E I N R S blank"));
    // With Shift a letter is the blank even if it is on the rack; Escape takes back all tiles and the arrow.
    browser.type_shifted("A");
    assert_eq!((named(&browser, H8).as_str(), rack(&browser).as_str()), ("8H A blank, tried", "Rack: A E I N R S"));
    browser.type_on("s");
    browser.type_on(ESCAPE);
    assert_eq!((named(&browser, H8).as_str(), rack(&browser).as_str()), ("8H start, double word", "Rack: A E I N R S blank"));

    // On the rack, up shuffles and down recalls.
    browser.script("Math.random = () => 0");
    browser.script("document.querySelector('#rack').focus()");
    browser.type_on(UP);
    assert_eq!(rack(&browser), "Rack: E I N R S blank A");
    browser.click(&square(H8));
    browser.type_on("in");
    assert_eq!(rack(&browser), "Rack: E R S blank A");
    browser.script("document.querySelector('#rack').focus()");
    browser.type_on(DOWN);
    assert_eq!((rack(&browser).as_str(), named(&browser, H8).starts_with("8H start, double word")), ("Rack: E I N R S blank A", true));
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn moves_are_made_and_the_page_is_steered_by_every_key() {
    let board = serve();
    let browser = open(&board);
    open_parts(&browser);
    set_rack(&browser, "AEINRST");
    // Shift and Enter add a candidate; Enter plays.
    browser.click(&square(D8));
    browser.type_on("nastier");
    browser.wait("document.querySelector('#try').textContent === '8D NASTIER scores 66'");
    browser.type_shifted(ENTER);
    told(&browser, "8D NASTIER will also be analysed");
    assert_eq!(named(&browser, D8), "8D double letter", "what was tried is off the board");
    browser.click(&square(D8));
    browser.type_on("retains");
    browser.wait("document.querySelector('#try').textContent === '8D RETAINS scores 66'");
    browser.type_on(ENTER);
    told(&browser, "8D RETAINS for 66");

    // Passing, exchanging (Escape changes one's mind), stepping through the game.
    browser.type_on("+");
    browser.wait("document.querySelectorAll('#moves li').length === 3");
    set_rack(&browser, "EIORSTV");
    browser.script("document.querySelector('#board [tabindex=\"0\"]').focus()");
    browser.type_on("-");
    assert_eq!(label(&browser), "exchange-text");
    browser.type_on(ESCAPE);
    assert_eq!(browser.script("return document.querySelector('#exchange-form').checkVisibility()"), false);
    browser.type_on("-");
    browser.script("document.querySelector('#exchange-text').value = 'IV'");
    browser.type_on(ENTER);
    browser.wait("document.querySelectorAll('#moves li').length === 4");
    assert_eq!(turns(&browser), ["Start", "8D RETAINS +66 66", "Pass +0 0", "Exchange IV +0 66"]);
    let current = |at: usize| format!("document.querySelector('#moves li:nth-child({at}) button').ariaCurrent === 'true'");
    browser.type_on(PAGE_UP);
    browser.wait(&current(3));
    browser.type_on(PAGE_UP);
    browser.wait(&current(2));
    browser.type_on(PAGE_DOWN);
    browser.wait(&current(3));

    // A key copies the position as CGP. (A browser without a screen may have no clipboard, so it is replaced.)
    browser.script("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
    browser.type_on("*");
    told(&browser, "Copied");
    let copied = browser.script("return window.copied");
    assert!(copied.as_str().is_some_and(|cgp| cgp.starts_with("15/15/15/15/15/15/15/3RETAINS5/15/")), "{copied}");

    // A key analyses, and stops.
    browser.type_on(".");
    // Only the last lines are kept.
    browser.wait("document.querySelector('#lines').textContent.includes('> setoption name Threads value 2')");
    browser.wait("document.querySelectorAll('#ranking tr').length >= 10");
    browser.type_on(".");
    browser.wait("document.querySelector('#status').textContent.startsWith('Best: ')");

    // A key goes to the command line, where keys are letters; keys with Ctrl, Alt or Meta are the browser's.
    browser.type_on("/");
    browser.type_on("+-*./");
    assert_eq!(browser.script("return [document.activeElement.id, document.activeElement.value]"), json!(["command", "+-*./"]));
    assert_eq!(turns(&browser).len(), 4);
    let taken = browser.script(
        "const taken = []; for (const css of ['#board [tabindex=\"0\"]', '#rack', 'body']) for (const key of ['a', 'F', 'r', '+', '-', '*', '.', '/', ' ', 'Enter', \
         'Escape', 'Home', 'End', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'PageUp', 'PageDown', 'Backspace']) for (const held of ['ctrlKey', 'altKey', 'metaKey']) { \
         const event = new KeyboardEvent('keydown', { key, [held]: true, bubbles: true, cancelable: true }); document.querySelector(css).dispatchEvent(event); \
         if (event.defaultPrevented) taken.push([css, key, held]); } return taken",
    );
    assert_eq!(taken, json!([]));
    assert_eq!(turns(&browser).len(), 4);
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_file_is_loaded_in_its_character_set_and_live_regions_speak_seldom() {
    let board = serve();
    let browser = open(&board);
    open_parts(&browser);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("old.gcg");
    let game = b"#player1 Zoe Zo\xeb\n#player2 Bob Bob\n>Zoe: AEINRST 8D NASTIER +66 66\n";
    std::fs::write(&file, game).expect("a file");
    browser.keys("#file", &file.display().to_string());
    told(&browser, "Game loaded: 1 turn");
    assert!(player(&browser, 1).starts_with("Zoë"), "{}", player(&browser, 1));

    // While a ranking comes ten times a second, the text that is read aloud changes only once, when the search begins.
    command(&browser, "new");
    told(&browser, "New game");
    set_rack(&browser, "EIORSTV");
    browser.script(
        "window.spoken = []; window.drawn = 0; const watch = (css, note) => document.querySelectorAll(css).forEach((part) => new MutationObserver(note).observe(part, \
         { childList: true, characterData: true, subtree: true })); watch('[role=status], [role=alert], [aria-live]', (seen) => window.spoken.push(seen[0].target.textContent)); \
         watch('#summary', () => window.drawn++)",
    );
    command(&browser, "go sim");
    browser.wait("window.drawn > 15");
    let spoken = browser.script("return window.spoken.filter((text) => text)");
    assert_eq!(spoken, json!(["Analysing"]));
    command(&browser, "stop");
    browser.wait("document.querySelector('#status').textContent.startsWith('Best: ')");
    assert_eq!(browser.errors(), Vec::<String>::new());
}
