//! Tiles moved by hand: with the mouse, with a finger, and typed without a click before; and what the page shows after turns and after a reload.

use crate::access::SIZES;
use crate::driver::{Browser, ENTER};
use crate::page::{command, open, player, press, serve, set_rack, square, told, turns};

/// The tile of the rack, counted from 1.
fn on_rack(tile: usize) -> String {
    format!("#rack .tile:nth-child({tile})")
}

/// The letters on the rack as they are seen.
fn rack(browser: &Browser) -> String {
    let letters =
        browser.script("return [...document.querySelectorAll('#rack .tile')].map((tile) => tile.textContent.trim() || '?').join('')");
    letters.as_str().expect("letters").to_string()
}

fn waits_for_try(browser: &Browser, text: &str) {
    browser.wait(&format!("document.querySelector('#try').textContent.startsWith({})", serde_json::Value::from(text)));
}

#[test]
fn tiles_are_dragged_and_tapped_with_the_mouse() {
    let board = serve();
    let browser = open(&board);
    set_rack(&browser, "DGOAEI?");
    // Tiles are dragged and tapped; for the blank the page asks for a letter.
    browser.drag(&on_rack(1), &square(111));
    assert_eq!(rack(&browser), "GOAEI?");
    browser.click(&on_rack(2));
    browser.click(&square(112));
    assert_eq!(rack(&browser), "GAEI?");
    browser.drag(&on_rack(5), &square(113));
    browser.wait("document.querySelector('#letter-dialog').open");
    browser.type_on("g");
    waits_for_try(&browser, "8G DOg scores ");
    assert_eq!(rack(&browser), "GAEI");
    // From square to square, and back to the rack by a tap or a drag.
    browser.drag(&square(111), &square(110));
    waits_for_try(&browser, "There is a gap");
    browser.drag(&square(110), &square(111));
    waits_for_try(&browser, "8G DOg scores ");
    browser.click(&square(113));
    browser.drag(&square(112), "#status");
    browser.wait("document.querySelectorAll('#board .tried').length === 1");
    // The rack is sorted by hand: by a drag, and by two taps.
    command(&browser, "> d");
    browser.click("#recall");
    let before = rack(&browser);
    browser.drag(&on_rack(1), &on_rack(7));
    let after = rack(&browser);
    assert!(before != after && after.len() == 7 && after[..5] == before[1..6], "{before} {after}");
    browser.click(&on_rack(1));
    browser.click(&on_rack(3));
    assert_eq!(rack(&browser)[2..3], after[..1]);
    // Cancelling the dialogue places no tile.
    browser.drag("#rack .tile[data-points='']", &square(112));
    browser.wait("document.querySelector('#letter-dialog').open");
    browser.click("#letter-dialog button[value='']");
    browser.wait("!document.querySelector('#letter-dialog').open");
    assert_eq!(rack(&browser).len(), 7);
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_play_is_made_by_fingers_alone() {
    let board = serve();
    let browser = open(&board);
    set_rack(&browser, "DGOAEIR");
    browser.window(390, 844);
    browser.script("document.querySelector('#frame').scrollIntoView()");
    browser.touch(&on_rack(1), &square(111));
    browser.wait("document.querySelectorAll('#board .tried').length === 1");
    // G is the first tile that is left; O the second.
    browser.touch(&on_rack(2), &on_rack(2));
    browser.wait("document.querySelector('#rack .held')");
    browser.touch(&square(112), &square(112));
    browser.wait("document.querySelectorAll('#board .tried').length === 2");
    browser.touch(&on_rack(1), &square(113));
    waits_for_try(&browser, "8G DOG scores 10");
    browser.touch("#play", "#play");
    told(&browser, "8G DOG for 10");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_play_is_made_in_every_window_by_mouse_finger_and_keys() {
    let board = serve();
    let browser = open(&board);
    set_rack(&browser, "DGOAEIR");
    for (width, height) in SIZES {
        browser.window(width, height);
        for way in ["mouse", "finger", "keys"] {
            let put = |tile: usize, at: usize| match way {
                "mouse" => browser.drag(&on_rack(tile), &square(at)),
                _ => browser.touch(&on_rack(tile), &square(at)),
            };
            if way == "keys" {
                browser.click(&square(111));
                browser.type_on("dog");
            } else {
                // G is the first tile that is left; O the second.
                put(1, 111);
                put(2, 112);
                put(1, 113);
            }
            waits_for_try(&browser, "8G DOG scores 10");
            match way {
                "mouse" => browser.click("#play"),
                "finger" => browser.touch("#play", "#play"),
                _ => browser.type_on(ENTER),
            }
            told(&browser, "8G DOG for 10");
            press(&browser, "#undo");
            told(&browser, "Taken back");
            browser.script("window.scrollTo(0, 0)");
            browser.wait("document.querySelectorAll('#rack .tile').length === 7");
            assert_eq!(rack(&browser), "DGOAEIR", "{width}x{height}, {way}");
        }
    }
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn letters_typed_anywhere_make_the_rack_and_then_a_play() {
    let board = serve();
    let browser = open(&board);
    browser.type_on("aeinrst");
    browser.type_on(ENTER);
    browser.wait("document.querySelectorAll('#rack .tile').length === 7");
    browser.script("document.activeElement.blur()");
    browser.type_on("tin");
    waits_for_try(&browser, "8H TIN scores ");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn the_last_play_is_marked_and_rankings_stay_with_their_turns() {
    let board = serve();
    let browser = open(&board);
    set_rack(&browser, "AEINRST");
    command(&browser, "go gen");
    browser.wait("document.querySelectorAll('#ranking tr').length >= 10");
    browser.wait("document.querySelector('#status').textContent.startsWith('Best: ')");
    let ranked = browser.script("return document.querySelector('#ranking').innerText");
    command(&browser, "8D NASTIER");
    told(&browser, "8D NASTIER for 66");
    assert_eq!(browser.script("return document.querySelectorAll('#board .last').length"), 7);
    assert_eq!(browser.script("return document.querySelector('#board [data-at=\"108\"]').ariaLabel"), "8D N, last play");
    assert_eq!(browser.script("return document.querySelectorAll('#ranking tr').length"), 0);
    browser.click("#back");
    browser.wait("document.querySelectorAll('#ranking tr').length >= 10");
    browser.wait(&format!("document.querySelector('#ranking').innerText === {ranked}"));
    // Another rack has another ranking.
    set_rack(&browser, "AEINRS");
    assert_eq!(browser.script("return document.querySelectorAll('#ranking tr').length"), 0);
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_page_that_is_loaded_again_has_lost_nothing() {
    let board = serve();
    let browser = open(&board);
    let load_again = || {
        browser.script("document.querySelector('#status').textContent = ''; location.reload()");
        browser.wait("document.querySelector('#status')?.textContent === 'Ready: the page is as you left it'");
    };
    set_rack(&browser, "AEINRST");
    command(&browser, "8D NASTIER");
    told(&browser, "8D NASTIER for 66");
    set_rack(&browser, "EIORST?");
    browser.click("#back");
    browser.wait("document.querySelectorAll('#rack .tile').length === 7");
    load_again();
    assert_eq!(rack(&browser), "AEINRST");
    assert_eq!(turns(&browser), ["Start", "8D NASTIER +66 66"]);
    browser.click("#on");
    browser.wait("document.querySelector('#rack').textContent.includes('O')");
    assert_eq!(player(&browser, 1), "Player 1 66");
    // A game in progress, with its clocks.
    browser.script("document.querySelector('#minutes').value = 20; document.querySelector('#level').value = 2");
    press(&browser, "#game");
    let is_ours =
        "document.querySelector('.on-turn').textContent.startsWith('You') && document.querySelectorAll('#rack .tile').length === 7";
    browser.wait(is_ours);
    let before = (rack(&browser), turns(&browser), browser.text("#unseen"));
    browser.wait("document.querySelector('.on-turn .clock').textContent < '19:58'");
    browser
        .script("window.onbeforeunload = null; window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true)");
    load_again();
    browser.wait(is_ours);
    assert_eq!((rack(&browser), turns(&browser), browser.text("#unseen")), before);
    let clock = browser.script("return document.querySelector('.on-turn .clock').textContent");
    assert!(clock.as_str().is_some_and(|clock| ("19:00".."19:59").contains(&clock)), "{clock}");
    command(&browser, "pass");
    browser.wait(&format!("document.querySelectorAll('#moves li').length >= {} && {is_ours}", before.1.len() + 2));
    assert_eq!(browser.script("return document.querySelector('#level').value"), "2");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn what_was_kept_by_another_version_is_left_alone() {
    let board = serve();
    let browser = open(&board);
    for kept in ["not JSON", "{\"format\":0}", "{\"format\":3,\"path\":[3],\"root\":{\"children\":[]}}", "{\"format\":3}"] {
        let text = serde_json::Value::from(kept);
        // From here on the page cannot store anything.
        browser.script(&format!(
            "sessionStorage.setItem('games', {text}); Storage.prototype.setItem = Storage.prototype.removeItem = () => {{}}"
        ));
        browser.script("document.querySelector('#status').textContent = ''; location.reload()");
        browser.wait("document.querySelector('#status')?.textContent.startsWith('Ready: type a rack')");
    }
    assert_eq!(browser.errors(), Vec::<String>::new());
}
