//! The parts of the board's page for learning: the ranking with the play made, the curve of a game, replies, two plays side by side, the quiz.
//!
//! Start with [`GAME`].

use crate::driver::{Browser, END, HOME, LEFT, RIGHT};
use crate::page::{command, complained, open, press, reach, serve, set_rack, told, turns};

/// A game of four turns, none of them with the worst play.
const GAME: &str = "#player1 Ann Ann\n#player2 Bob Bob\n>Ann: AEINRST 8D NASTIER +66 66\n>Bob: EIORSTV -IV +0 0\n>Ann: CCIORTU 7H CRU +12 78\n\
                    >Bob: EEORSTT K4 ROSETTE +70 70\n";

fn open_with_game(server: &crate::page::Server) -> Browser {
    let browser = open(server);
    reach(&browser, "#load");
    browser.script(&format!("document.querySelector('#text').value = {}", serde_json::Value::from(GAME)));
    browser.click("#load");
    browser.wait("document.querySelector('#status').textContent.startsWith('Game loaded: 4 turns')");
    browser
}

#[test]
fn the_curve_grows_and_the_ranking_shows_what_was_played() {
    let board = serve();
    let browser = open_with_game(&board);
    browser.click("#first");
    browser.wait("document.querySelector('#rack-text').value === 'AEINRST'");
    press(&browser, "#go");
    browser.wait("document.querySelector('#ranking tr.made')?.textContent.includes('8D NASTIER')");
    browser.wait("document.querySelector('#verdict').textContent.startsWith('Played: 8D NASTIER, ')");
    browser.wait("document.querySelectorAll('#curve .dot').length === 1");
    press(&browser, "#stop");
    browser.wait("document.querySelector('#status').textContent.startsWith('Best: ')");
    // Why the best play is better than the play made, or than the next one if the play made was the best.
    browser.wait("document.querySelector('#why-part').checkVisibility()");
    let [best, next] = ["tr:first-child", "tr:nth-child(2)"].map(|row| browser.text(&format!("#ranking {row} button")));
    let other = if best == "8D NASTIER" { next } else { "8D NASTIER".to_string() };
    let why = browser.text("#why");
    assert!(why.contains(&best) && why.contains(&other), "{best}, {other}: {why}");
    // It is kept with its turn.
    browser.click("#on");
    browser.wait("!document.querySelector('#why-part').checkVisibility()");
    browser.click("#back");
    browser.wait("document.querySelector('#why-part').checkVisibility()");
    assert_eq!(browser.text("#why"), why);
    // The whole game, turn by turn; what was ranked stays.
    browser.script("document.querySelector('#seconds').value = 2");
    browser.click("#analyse-game");
    browser.wait("document.querySelector('#analyse-game').textContent === 'Stop'");
    browser.wait("document.querySelector('#analyse-game').textContent === 'Analyse the game'");
    browser.wait("document.querySelectorAll('#curve .dot').length >= 4");
    assert!(turns(&browser)[2].contains('%'), "an exchange of I and V loses something: {:?}", turns(&browser));
    // A point leads to its turn.
    browser.script("document.querySelector('#curve [data-turn=\"2\"]').dispatchEvent(new MouseEvent('click', { bubbles: true }))");
    browser.wait("document.querySelector('#moves li:nth-child(3) button').ariaCurrent === 'true'");
    browser.wait("document.querySelector('#ranking tr')");
    // Its keys go from turn to turn; its text is read out, and it keeps the focus.
    browser.script("document.querySelector('#curve svg').focus()");
    let spoken = |turn: u32| {
        browser.wait(&format!("document.activeElement.matches('#curve svg') && document.activeElement.ariaValueNow === '{turn}'"));
        browser.script("return document.activeElement.ariaValueText")
    };
    assert!(spoken(2).as_str().is_some_and(|text| text.starts_with("after turn 2: ") && text.ends_with(" %")));
    for (key, turn) in [(RIGHT, 3), (LEFT, 2), (HOME, 0), (LEFT, 0), (END, 4)] {
        browser.type_on(key);
        spoken(turn);
    }
    assert_eq!(browser.script("return document.activeElement.ariaLabel"), "Ann's chance of winning, turn by turn");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn replies_are_counted_and_shown_on_the_board_and_two_plays_are_compared() {
    let board = serve();
    let browser = open(&board);
    reach(&browser, "#compare");
    browser.click("#compare");
    complained(&browser, "#compare", "There are no plays yet");
    set_rack(&browser, "EIORSTV");
    command(&browser, "go gen");
    browser.wait("document.querySelector('#status').textContent.startsWith('Best: ')");
    browser.wait("document.querySelectorAll('#replies-play option').length > 10");
    browser.script("document.querySelector('#replies-seconds').value = 1; document.querySelector('#replies-play').selectedIndex = 1");
    press(&browser, "#replies");
    browser.wait("document.querySelectorAll('#replies-told tbody tr').length >= 4");
    let facts = browser.text("#replies-told");
    assert!(
        facts.contains("Bingo of the opponent in reply") && facts.contains("Bingo on the player's next turn") && facts.contains('%'),
        "{facts}"
    );
    // The play is on the board, and the squares that replies cover are marked, also in words.
    browser.wait("document.querySelectorAll('#board .tried').length > 0 && document.querySelectorAll('#board .heat').length > 3");
    let named =
        browser.script("return [...document.querySelectorAll('#board .heat')].every((square) => / replies \\d+ %/.test(square.ariaLabel))");
    assert_eq!(named, true);
    browser.click("#heat-off");
    assert_eq!(browser.script("return document.querySelectorAll('#board .heat, #board .tried').length"), 0);
    // Two of them, side by side.
    browser.script("document.querySelector('#compare-1').selectedIndex = 0; document.querySelector('#compare-2').selectedIndex = 2");
    browser.click("#compare");
    browser.wait("document.querySelectorAll('#compared tbody tr').length >= 6");
    let compared = browser.text("#compared");
    let [one, other] = ["#compare-1", "#compare-2"].map(|css| {
        let chosen = browser.script(&format!("return document.querySelector('{css}').selectedOptions[0].textContent"));
        chosen.as_str().expect("a play").to_string()
    });
    assert!(
        compared.lines().any(|line| line.starts_with(&format!("{one} is worth ")) && line.ends_with(&format!(" than {other}."))),
        "{compared}"
    );
    for row in ["Points", "Equity", "Leave", "Player's next bingo, %", "Opponent's bingo in reply, %", "Difference"] {
        assert!(compared.contains(row), "{row}: {compared}");
    }
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_quiz_asks_about_the_turns_of_a_game() {
    let board = serve();
    let browser = open(&board);
    press(&browser, "#quiz");
    complained(&browser, "#quiz", "There is no game with known racks");
    drop(browser);
    let browser = open_with_game(&board);
    browser.script("document.querySelector('#quiz-seconds').value = 0.5");
    press(&browser, "#quiz");
    browser.wait("document.querySelector('#quiz-told').textContent.startsWith('Turn 1: what would you play?')");
    // Nothing gives the answer away.
    assert_eq!(turns(&browser), ["Start"]);
    assert_eq!(
        browser.script("return ['#tab-rank', '#curve-part'].map((css) => document.querySelector(css).checkVisibility())"),
        serde_json::json!([false, false])
    );
    command(&browser, "go");
    browser.wait("document.querySelector('#said.wrong')?.textContent.startsWith('The quiz waits for your play')");
    // An impossible guess does not count as an answer.
    command(&browser, "8D ZZZ");
    browser.wait("document.querySelector('#said.wrong')?.textContent.includes('Z')");
    command(&browser, "8D RETAINS");
    browser.wait("document.querySelector('#quiz-told').textContent.includes('Your play: 8D RETAINS')");
    let told_of = browser.text("#quiz-told");
    assert!(told_of.contains("In the game: 8D NASTIER") && told_of.contains("Best: ") && told_of.contains("of 1 plays were"), "{told_of}");
    assert_eq!(browser.script("return document.querySelector('#tab-rank').checkVisibility()"), true, "now the ranking can be seen");
    press(&browser, "#quiz-next");
    browser.wait("document.querySelector('#quiz-told').textContent.startsWith('Turn 2')");
    press(&browser, "#quiz-reveal");
    browser.wait("document.querySelector('#quiz-told').textContent.includes('In the game: Exchange IV')");
    press(&browser, "#quiz");
    told(&browser, "The quiz is over");
    assert_eq!(turns(&browser).len(), 5);
    assert_eq!(browser.errors(), Vec::<String>::new());
}
