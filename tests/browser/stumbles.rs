//! Problems that players met: a board below the fold, errors that nobody sees, words of the protocol, games and positions that could not be set up.
//!
//! Start with [`SIZES`].

use crate::driver::Browser;
use crate::page::{Server, command, complained, open, player, press, reach, said, serve, set_rack, square, told, turns};
use serde_json::{Value, json};

/// The sizes of windows, two laptops and a phone, each with the least width of the board.
const SIZES: [(u32, u32, u64); 3] = [(1280, 800, 520), (1366, 650, 420), (390, 844, 340)];

/// The parts that cannot be seen without scrolling.
const BELOW: &str = "return ['#board', '#rack', '#play', '#exchange', '#pass', '#score-1', '#score-2'].filter((css) => { \
    const { left, top, right, bottom } = document.querySelector(css).getBoundingClientRect(); \
    return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight; })";

fn fits(browser: &Browser, when: &str) {
    for (width, height, least) in SIZES {
        browser.window(width, height);
        browser.script("window.scrollTo(0, 0)");
        assert_eq!(browser.script(BELOW), json!([]), "{when} {width} x {height}: seen without scrolling");
        let board = browser.script("return Math.floor(document.querySelector('#board').getBoundingClientRect().width)").as_u64();
        assert!(board >= Some(least), "{when} {width} x {height}: the board is {board:?} wide");
        let over = browser
            .script("return [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]");
        assert_eq!(over[0], 0, "{when} {width} x {height}: wider than the window");
        assert!(width < 1000 || over[1] == 0, "{when} {width} x {height}: the page scrolls by {}", over[1]);
    }
    browser.window(1280, 800);
}

fn load(browser: &Browser, text: &str) {
    reach(browser, "#load");
    browser.script(&format!("document.querySelector('#text').value = {}", Value::from(text)));
    browser.click("#load");
}

#[test]
fn board_rack_and_buttons_are_on_one_screen() {
    let board = serve();
    let browser = open(&board);
    fits(&browser, "at the start");
    set_rack(&browser, "AEINRST");
    command(&browser, "8D NASTIER");
    told(&browser, "8D NASTIER for 66");
    set_rack(&browser, "EIORST?");
    press(&browser, "#go");
    browser.wait("document.querySelectorAll('#ranking tr').length >= 10");
    fits(&browser, "in an analysis");
    press(&browser, "#stop");
    browser.script("document.querySelector('#minutes').value = 25; document.querySelector('#engine-seconds').value = 0.1");
    press(&browser, "#game");
    browser.wait("document.body.classList.contains('in-game') && document.querySelectorAll('#rack .tile').length === 7");
    fits(&browser, "in a game");
    assert_eq!(browser.script("return document.querySelector('#panel-rank').checkVisibility()"), false, "no analysis in a game");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn errors_are_beside_what_caused_them_in_the_words_of_players() {
    let board = serve();
    let browser = open(&board);
    for (width, height) in [(1280, 800), (390, 844)] {
        browser.window(width, height);
        for (rack, error) in [
            ("AEINRSTX", "That is 8 tiles: a rack holds 7"),
            ("QQQQQQQ", "That needs 2 of Q: the game has 1"),
            ("1234", "“1” is not a tile of the english alphabet"),
        ] {
            browser.script("document.querySelector('#rack-text').value = ''");
            browser.keys("#rack-text", rack);
            browser.click("#rack-form button");
            complained(&browser, "#rack-text", error);
            seen_beside(&browser, "#rack-form .problem");
            assert_eq!(browser.script("return document.querySelector('#rack-text').ariaInvalid"), "true");
        }
        // The next success takes the error away; so does the next letter.
        browser.keys("#rack-text", "A");
        browser.wait("!document.querySelector('#rack-form .problem').textContent");
        set_rack(&browser, "AEINRST");
        assert_eq!(browser.script("return document.querySelectorAll('.problem.wrong, #said.wrong, [aria-invalid]').length"), 0);
        // A game: the line of the file.
        load(&browser, "#player1 Ann Ann\n>Ann: AEINRST H8 +66 66\n");
        complained(&browser, "#load", "Line 2, column 18: ");
        seen_beside(&browser, "#panel-load .problem");
        // A play by the command line, and by the button.
        command(&browser, "1A ZZZ");
        browser.wait("document.querySelector('#said.wrong')");
        let told = browser.text("#said");
        assert!(told.starts_with("1A ZZZ") || told.starts_with("The play") || told.starts_with("There is no Z"), "{told}");
        assert_eq!(browser.script("return document.querySelectorAll('.problem.wrong').length"), 0, "one error at a time");
        browser.click("#play");
        complained(&browser, ".lines p", "No tile is placed");
        assert_eq!(browser.script("return document.querySelector('#said').classList.contains('wrong')"), false);
        seen_beside(&browser, ".table .problem");
        assert!(!browser.text("body").contains("column 5") && !browser.text("body").contains("bad-"), "no words of the protocol");
        command(&browser, "new");
        told_new(&browser);
    }
    // A letter that is not on the rack is reported next to the tiles.
    browser.window(1280, 800);
    set_rack(&browser, "AEINRST");
    browser.click(&square(112));
    browser.type_on("z");
    assert_eq!(browser.text("#try"), "Z is not on the rack");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

fn told_new(browser: &Browser) {
    told(browser, "New game");
    assert_eq!(browser.script("return document.querySelectorAll('.problem.wrong, #said.wrong').length"), 0);
}

/// Checks that an error is visible in the window, and is read aloud.
fn seen_beside(browser: &Browser, css: &str) {
    let seen = browser.script(&format!(
        "const part = document.querySelector('{css}'); const {{ top, bottom }} = part.getBoundingClientRect(); \
         return [part.getAttribute('role'), top >= 0 && bottom <= innerHeight]"
    ));
    assert_eq!(seen, json!(["alert", true]), "{css}");
}

#[test]
fn a_game_with_a_mistake_is_loaded_up_to_there_and_the_line_is_named() {
    let board = serve();
    let browser = open(&board);
    load(
        &browser,
        "#player1 Ann Ann\n#player2 Bob Bob\n>Ann: AEINRST 8D NASTIER +67 67\n>Bob: EIORSTV -IV +0 0\n>Ann: QQQQQQQ 9C QQ +12 78\n",
    );
    browser.wait("document.querySelectorAll('#load-notes li').length >= 2");
    let notes = browser.text("#load-notes");
    assert!(notes.contains("Line 3 +67 points") && notes.contains("Line 5"), "{notes}");
    assert_eq!(turns(&browser).len(), 3, "two turns were read");
    // With notes the tab stays open for reading; without notes the analysis opens.
    load(&browser, "#player1 Ann Ann\n#player2 Bob Bob\n>Ann: AEINRST 8D NASTIER +66 66\n");
    told(&browser, "Game loaded: 1 turn");
    assert_eq!(browser.script("return document.querySelector('#panel-rank').checkVisibility()"), true);
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_game_is_near_at_hand_and_a_dropped_file_is_loaded() {
    let board = serve();
    let browser = open(&board);
    browser.click("#open-load");
    assert_eq!(browser.script("return document.activeElement.id"), "text");
    browser.script("document.querySelector('#tab-words').click()");
    browser.script(
        "const files = new DataTransfer(); files.items.add(new File(['#player1 Ann Ann\\n#player2 Bob Bob\\n>Ann: AEINRST 8D NASTIER +66 66\\n'], 'game.gcg')); \
         for (const kind of ['dragenter', 'dragover', 'drop']) document.querySelector('#board').dispatchEvent( \
         new DragEvent(kind, { dataTransfer: files, bubbles: true, cancelable: true })); window.shown = document.querySelector('#drop').checkVisibility()",
    );
    told(&browser, "Game loaded: 1 turn");
    assert_eq!(browser.script("return window.shown"), false, "the drop is over");
    assert_eq!(turns(&browser), ["Start", "8D NASTIER +66 66"]);
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_game_that_was_replaced_comes_back() {
    let board = serve();
    let browser = open(&board);
    load(&browser, "#player1 Ann Ann\n#player2 Bob Bob\n>Ann: AEINRST 8D NASTIER +66 66\n");
    told(&browser, "Game loaded: 1 turn");
    browser.click("#new");
    told(&browser, "New game");
    assert_eq!(turns(&browser), ["Start"]);
    browser.click("#undo");
    told(&browser, "The previous game is restored");
    assert_eq!((turns(&browser).len(), player(&browser, 1)), (2, "Ann 66".to_string()));
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn fields_say_what_they_mean_and_keep_to_it() {
    let board = serve();
    let browser = open(&board);
    assert_eq!(browser.text("#seconds-note"), "0 = until Stop");
    assert_eq!((browser.text("#bag"), browser.text("#unseen-kinds")), ("bag 86".into(), "42 vowels, 56 consonants, 2 blanks".into()));
    reach(&browser, "#level");
    assert!(browser.text("#level-note").contains("10 is full strength"));
    for (typed, kept) in [("50", "10"), ("-1", "1")] {
        browser.script(&format!(
            "const field = document.querySelector('#level'); field.value = {typed}; field.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        ));
        assert_eq!(browser.script("return document.querySelector('#level').value"), kept);
        complained(&browser, "#level", "Level: from 1 to 10");
    }
    // Either a clock or seconds per turn.
    let held = "return ['engine-seconds', 'increment'].map((id) => document.getElementById(id).disabled)";
    assert_eq!(browser.script(held), json!([false, true]));
    browser.script("const field = document.querySelector('#minutes'); field.value = ''");
    browser.keys("#minutes", "5");
    assert_eq!(browser.script(held), json!([true, false]));
    // In a game none of them can be changed.
    press(&browser, "#game");
    browser.wait("document.body.classList.contains('in-game')");
    assert_eq!(browser.script("return document.querySelector('#game-fields').checkVisibility()"), false);
    press(&browser, "#give-up");
    told(&browser, "You gave up the game");
    // Unseen tiles with numbers.
    command(&browser, "new");
    told(&browser, "New game");
    set_rack(&browser, "AEINRS?");
    assert!(
        browser.text("#unseen").starts_with("?1 A8 B2") || browser.text("#unseen").replace('\n', "").starts_with("?1"),
        "{}",
        browser.text("#unseen")
    );
    assert_eq!(browser.text("#bag"), "bag 86");
    command(&browser, "unseen");
    said(&browser, "93 unseen: ? 1, A 8, B 2");
    // Answers about words.
    reach(&browser, "#word");
    browser.keys("#word", "ZZZA");
    browser.click("#word-form button");
    browser.wait("document.querySelector('#answer').textContent === 'ZZZA is not a word'");
    command(&browser, "hooks CARE");
    said(&browser, "CARE: front hooks S, back hooks D R S T X");
    command(&browser, "anagram AEINRST");
    said(&browser, "AEINRST: 9 words");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_position_is_set_up_by_hand() {
    let board = serve();
    let browser = open(&board);
    command(&browser, "rack DGOAEIR");
    told(&browser, "Racks set");
    command(&browser, "8G DOG");
    told(&browser, "8G DOG for 10");
    press(&browser, "#edit");
    browser.wait("document.body.classList.contains('editing')");
    // All tiles are available, and those on the board can be moved.
    assert_eq!(browser.script("return document.querySelectorAll('#rack .tile').length"), 27);
    browser.drag(&square(111), &square(96));
    browser.wait("document.querySelector('#board [data-at=\"96\"]').textContent === 'D'");
    browser.drag("#rack .tile:nth-child(4)", &square(111));
    browser.wait("document.querySelector('#board [data-at=\"111\"]').textContent === 'C'");
    browser.click(&square(96));
    browser.wait("document.querySelector('#board [data-at=\"96\"]').textContent === ''");
    // Typed, down, with a blank.
    browser.click(&square(114));
    browser.type_on("s");
    browser.click(&square(129));
    browser.click(&square(129));
    browser.type_shifted("o");
    browser.wait("document.querySelector('#edit-count').textContent === '5 tiles on the board, 4 on the racks'");
    let letters = "return [111, 112, 113, 114, 129].map((at) => document.querySelector(`#board [data-at='${at}']`).ariaLabel)";
    assert_eq!(browser.script(letters), json!(["8G C", "8H O", "8I G", "8J S", "9J O blank"]));
    browser.script(
        "for (const [id, value] of Object.entries({ 'edit-rack-1': 'QQAEINR', 'edit-rack-2': 'EIORSTV', 'edit-score-1': 120, 'edit-score-2': 131, 'edit-seat': 1, 'edit-zeros': 2 })) \
         document.getElementById(id).value = value; document.querySelector('#edit-rack-1').dispatchEvent(new Event('input', { bubbles: true }))",
    );
    assert_eq!(browser.text("#edit-count"), "Q: 2 used, the game has 1");
    browser.click("#edit-form button.main");
    complained(&browser, "#edit-rack-1", "That needs 2 of Q");
    assert_eq!(browser.script("return document.body.classList.contains('editing')"), true, "nothing is lost");
    browser.script("const field = document.querySelector('#edit-rack-1'); field.value = 'AEINRST'; field.dispatchEvent(new Event('input', { bubbles: true }))");
    browser.click("#edit-form button.main");
    told(&browser, "The position is set up");
    assert_eq!((player(&browser, 1), player(&browser, 2)), ("Player 1 120".into(), "Player 2 131".into()));
    assert_eq!(browser.script("return document.querySelector('.on-turn').id"), "player-2");
    // An ordinary position.
    browser.script("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } })");
    browser.click("#copy");
    told(&browser, "Copied");
    let cgp = browser.script("return window.copied");
    assert!(
        cgp.as_str().is_some_and(|cgp| cgp.starts_with("15/15/15/15/15/15/15/6COGS5/9o5/15/15/15/15/15/15 EIORSTV/AEINRST 131/120 2 ")),
        "{cgp}"
    );
    command(&browser, "go gen");
    browser.wait("document.querySelectorAll('#ranking tr').length >= 10");
    // From an empty board, and left again.
    browser.wait("document.querySelector('#status').textContent.startsWith('Best: ')");
    press(&browser, "#edit-empty");
    browser.wait("document.body.classList.contains('editing') && !document.querySelector('#board .tile')");
    browser.click("#edit-cancel");
    told(&browser, "Cancelled: the position is unchanged");
    assert_eq!(browser.script("return document.querySelectorAll('#board .tile').length"), 5);
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_page_for_which_the_program_has_no_room_says_so() {
    let board = serve();
    // A site has no program.
    if let Server::Site(_) = board {
        return;
    }
    let browser = open(&board);
    browser.script("window.others = Array.from({ length: 7 }, () => new WebSocket(`ws://${location.host}/siu`))");
    browser.wait("window.others.every((socket) => socket.readyState === WebSocket.OPEN)");
    let ninth = Browser::start();
    ninth.open(board.address());
    ninth.wait("document.querySelector('#status')?.textContent.startsWith('The program cannot serve another page. Close one')");
}
