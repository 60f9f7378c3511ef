//! Phonies and challenges on the page of `tilewright board`: the engine challenges the player's phonies, the player the engine's plays, by each rule.
//!
//! Start with [`begin`].

use crate::driver::Browser;
use crate::looks::{CHECKS, keep_picture};
use crate::page::{command, open, open_parts, press, said, saved, serve, turns};
use serde_json::json;

/// Starts a game with a challenge rule. The random numbers are fixed: the player moves first with IAAOMKO, and the engine has SDTGNIO.
fn begin(browser: &Browser, rule: &str) {
    browser.script(
        "let state = 167; crypto.getRandomValues = (values) => values.fill((state = (Math.imul(state, 1664525) + 1013904223) >>> 0))",
    );
    browser.script(&format!(
        "document.querySelector('#game-challenge').value = '{rule}'; document.querySelector('#engine-seconds').value = 0.1; \
         document.querySelector('#status').textContent = ''"
    ));
    press(browser, "#game");
    browser.wait("document.querySelector('#status').textContent === 'You begin'");
}

/// Waits until the list of moves has this many entries, and the player is on turn.
fn our_turn(browser: &Browser, entries: usize) {
    browser.wait(&format!(
        "document.querySelectorAll('#moves li').length === {entries} && document.querySelector('.on-turn').textContent.startsWith('You') \
         && document.querySelector('#status').textContent !== 'The engine is thinking'"
    ));
}

fn score(browser: &Browser, seat: usize) -> i32 {
    browser.text(&format!("#score-{seat}")).parse().expect("points")
}

/// The letters of the rack in their order, which are not a word.
fn phony(browser: &Browser) -> String {
    command(browser, "rack");
    said(browser, "Rack: ");
    let rack = browser.text("#said");
    let word: String = rack.trim_start_matches("Rack: ").split(' ').filter(|tile| tile.len() == 1).collect();
    command(browser, &format!("check {word}"));
    said(browser, &format!("{word} is not a word"));
    word
}

#[test]
fn the_engine_challenges_phonies_and_a_challenge_in_vain_costs_the_turn() {
    let board = serve();
    let browser = open(&board);
    open_parts(&browser);
    begin(&browser, "double");
    let word = phony(&browser);
    // The page does not reveal a phony before it is played.
    command(&browser, &format!("try 8D {word}"));
    browser.wait(&format!("document.querySelector('#try').textContent.startsWith('8D {word} scores ')"));
    assert!(!browser.text("#try").contains("lexicon"), "{}", browser.text("#try"));
    assert_eq!(browser.script("return document.querySelector('#doubt').disabled"), true, "there is nothing to challenge yet");
    command(&browser, &format!("8D {word}"));
    our_turn(&browser, 3);
    let judged = browser.text("#judgement");
    assert!(judged.starts_with(&format!("The engine challenges. Not in ENABLE: {word}.")), "{judged}");
    assert_eq!(turns(&browser)[1], format!("8D {word}, challenged off +0 0"));
    assert_eq!(score(&browser, 1), 0);
    assert!(score(&browser, 2) > 0, "{:?}", turns(&browser));
    assert_eq!(phony(&browser), word, "the tiles are back");
    for (width, scheme) in [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")] {
        browser.look(width, scheme);
        let overflow = browser.script("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert_eq!(overflow, 0, "{width} {scheme}: the page is wider than the window");
        assert_eq!(browser.script(CHECKS), json!([]), "{width} {scheme}");
        keep_picture(&browser, &format!("board_challenge_{width}_{scheme}"));
    }
    browser.look(1280, "light");
    // The engine plays only words.
    let points = score(&browser, 2);
    browser.click("#doubt");
    our_turn(&browser, 5);
    let judged = browser.text("#judgement");
    assert!(judged.starts_with("Your challenge fails: ") && judged.ends_with(" in ENABLE. It costs your turn"), "{judged}");
    assert_eq!(turns(&browser)[3], "Failed challenge +0 0");
    assert_eq!(score(&browser, 1), 0);
    assert!(score(&browser, 2) >= points);
    // The next move clears the outcome.
    command(&browser, "pass");
    our_turn(&browser, 7);
    assert_eq!(browser.text("#judgement"), "");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_challenge_in_vain_costs_points_nothing_or_is_not_there() {
    let board = serve();
    let browser = open(&board);
    open_parts(&browser);
    for (rule, cost, told) in [("five_point", 5, "5 points"), ("ten_point", 10, "10 points"), ("single", 0, "nothing")] {
        begin(&browser, rule);
        command(&browser, "pass");
        our_turn(&browser, 3);
        let (before, line) = (score(&browser, 2), turns(&browser)[2].clone());
        assert!(before > 0, "{rule}: {line}");
        command(&browser, "challenge");
        browser.wait("document.querySelector('#judgement').textContent.startsWith('Your challenge fails: ')");
        assert!(browser.text("#judgement").contains(&format!(". It costs {told}")), "{rule}: {}", browser.text("#judgement"));
        our_turn(&browser, 3);
        assert_eq!((score(&browser, 1), score(&browser, 2)), (0, before + cost), "{rule}");
        let expected = if cost == 0 {
            line
        } else {
            line.replacen(&format!(" +{before} {before}"), &format!(" +{cost} +{before} {}", before + cost), 1)
        };
        assert_eq!(turns(&browser)[2], expected, "{rule}");
        // A play can be challenged only once; the game goes on from there.
        assert_eq!(browser.script("return document.querySelector('#doubt').disabled"), true, "{rule}");
        command(&browser, "pass");
        our_turn(&browser, 5);
        assert!(score(&browser, 2) >= before + cost, "{rule}");
        assert_eq!(browser.script("return document.querySelector('#doubt').disabled"), false, "{rule}: a new play");
        if cost == 5 {
            // The record has the points.
            press(&browser, "#give-up");
            browser.wait("document.querySelector('#status').textContent === 'You gave up the game'");
            let record = saved(&browser);
            assert!(record.contains("(challenge) +5 "), "{record}");
        } else {
            press(&browser, "#give-up");
            browser.wait("document.querySelector('#status').textContent === 'You gave up the game'");
        }
    }
    begin(&browser, "void");
    assert_eq!(browser.script("return document.querySelector('#doubt').checkVisibility()"), false, "nothing is challenged");
    let word = phony(&browser);
    command(&browser, &format!("8D {word}"));
    browser.wait("document.querySelector('#said.wrong')?.textContent");
    assert_eq!((turns(&browser), browser.text("#judgement")), (vec!["Start".to_string()], String::new()));
    assert_eq!(browser.errors(), Vec::<String>::new());
}
