//! `tilewright board` in a real browser: sets up, analyses, watches the ranking improve, stops, plays, undoes, loads a game, plays one to its end.
//!
//! `looks.rs` tests how the page looks and what screen readers get.

use crate::driver::{BACKSPACE, Browser, ENTER, PAGE_DOWN, PAGE_UP};
use crate::page::{
    Server, choose, command, complained, lines, open, open_parts, player, press, reach, said, saved, serve, set_rack, square, told, turns,
};
use crate::tilewright;

/// A game of four turns, one of them a phony that was challenged off.
pub const GAME: &str = "#character-encoding UTF-8\n#player1 Ann Ann of Ashby\n#player2 Bob Bob\n>Ann: AEINRST 8D NASTIER +66 66\n>Bob: EIORSTV -IV +0 0\n\
                    >Ann: CCIORTU 9C COR +12 78\n>Ann: CCIORTU -- -12 66\n>Bob: EEORSTT 7H TOE +11 11\n";

#[test]
fn a_position_is_set_up_analysed_played_and_taken_back() {
    let board = serve();
    let browser = open(&board);
    let (address, secret) = board.address().split_once('#').unwrap_or((board.address(), "no secret"));
    assert_eq!(browser.script("return location.href"), address, "the secret does not stay in the address");
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
    // Words can be looked up during the search.
    open_parts(&browser);
    reach(&browser, "#word");
    browser.keys("#word", "RETAINS");
    browser.click("#word-form button");
    browser.wait("document.querySelector('#answer').textContent === 'RETAINS is a word'");
    press(&browser, "#stop");
    browser.wait("document.querySelector('#status').textContent.startsWith('Best: 8')");
    browser.wait("document.querySelector('#lines').textContent.includes('< bestmove 8')");
    let lines = lines(&browser);
    assert!(lines.contains("> stop"), "{lines}");
    assert!(!lines.contains(secret), "the secret is not shown");

    // Typing: a click sets an arrow, a tile is taken back, a word begins at 8D.
    browser.click(&square(108));
    browser.type_on(&format!("nx{BACKSPACE}nastier"));
    browser.wait("document.querySelector('#try').textContent.includes('NASTIER scores')");
    assert_eq!(browser.text("#try"), "8D NASTIER scores 66");
    browser.type_on(ENTER);
    browser.wait("document.querySelector('#score-1').textContent === '66'");
    assert_eq!(browser.script("return document.querySelector('#board [data-at=\"108\"]').ariaLabel"), "8D N, last play");
    // The other direction, a blank by Shift, through a tile on the board.
    set_rack(&browser, "EIORST?");
    browser.click(&square(98));
    browser.click(&square(98));
    browser.type_shifted("O");
    browser.wait("document.querySelector('#try').textContent === 'I7 oE scores 1'");
    browser.click("#recall");
    browser.click("#undo");
    browser.wait("document.querySelector('#status').textContent === 'Taken back'");
    assert_eq!(player(&browser, 1), "Player 1 0");
    assert_eq!(browser.text("#moves"), "Start");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_game_is_loaded_and_branches() {
    let board = serve();
    let browser = open(&board);
    open_parts(&browser);
    browser.script(&format!("document.querySelector('#text').value = {}", serde_json::Value::from(GAME)));
    press(&browser, "#load");
    browser.wait("document.querySelector('#status').textContent === 'Game loaded: 4 turns'");
    assert_eq!(turns(&browser), ["Start", "8D NASTIER +66 66", "Exchange IV +0 0", "9C COR, challenged off +0 66", "7H TOE +11 11"]);
    assert_eq!(browser.text(".moves-head"), "Ann of Ashby\nBob");
    assert_eq!(browser.script("return document.querySelector('#moves li:nth-child(5) button').ariaCurrent"), "true", "it opens at its end");
    browser.click("#first");
    for (turn, rack, first, second) in
        [(1, "EIORSTV", "66", "0"), (2, "CCIORTU", "66", "0"), (3, "EEORSTT", "66", "0"), (4, "COR", "66", "11")]
    {
        browser.click("#on");
        browser.wait(&format!("document.querySelector('#moves li:nth-child({}) button').ariaCurrent === 'true'", turn + 1));
        assert_eq!(browser.script("return document.querySelector('#rack-text').value"), rack, "turn {turn}");
        assert_eq!(player(&browser, 1), format!("Ann of Ashby {first}"), "turn {turn}");
        assert_eq!(player(&browser, 2), format!("Bob {second}"), "turn {turn}");
    }
    // Back and on by keys.
    browser.script("document.querySelector('#board [tabindex=\"0\"]').focus()");
    browser.type_on(PAGE_UP);
    browser.wait("document.querySelector('#rack-text').value === 'EEORSTT'");
    browser.type_on(PAGE_DOWN);
    browser.wait("document.querySelector('#moves li:nth-child(5) button').ariaCurrent === 'true'");
    // Another play after the first turn is a branch; the game stays.
    browser.click("#moves li:nth-child(2) button");
    browser.wait("document.querySelector('#rack-text').value === 'EIORSTV'");
    browser.click("#pass");
    browser.wait("document.querySelector('#moves').textContent.includes('Pass')");
    assert!(browser.text("#moves").contains("or Exchange IV"));
    // Impossible input is reported, and nothing is lost.
    for text in [">A: ABC 8H", "15/15 nonsense", "#player1 a a\n>a: QQQQQQQ 8H QQQ +0 0"] {
        browser.script(&format!("document.querySelector('#text').value = {}", serde_json::Value::from(text)));
        press(&browser, "#load");
        complained(&browser, "#load", "");
        browser.wait("document.querySelector('#panel-load .problem').textContent !== ''");
        assert!(browser.text("#moves").contains("or Exchange IV"), "{text}");
        browser.script("document.querySelector('#text').dispatchEvent(new Event('input', { bubbles: true }))");
    }
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn games_of_other_programs_are_loaded_as_the_engine_reads_them() {
    let board = serve();
    let browser = open(&board);
    open_parts(&browser);
    // Loads a game and goes to its end.
    let load = |events: &str, status: &str| {
        let text = serde_json::Value::from(format!("#player1 Ann Ann\n#player2 Ben Ben\n>Ann: ABEIRST 8D BAITERS +74 74\n{events}"));
        browser.script(&format!("document.querySelector('#status').textContent = ''; document.querySelector('#text').value = {text}"));
        press(&browser, "#load");
        told(&browser, status);
        browser.click("#moves li:last-child button");
    };
    for (events, status, scores) in [
        (">Ann: CEELMOR (challenge) +5 79\n>Ben: AEGINOT -GI +0 0\n>Ann: CEELMOR 7G OE +8 87\n", "Game loaded: 3 turns", ["87", "0"]),
        (
            ">Ben: AEGINOTX -AX +0 0\n>Ann: CEEOLMR 7G OE +8 82\n",
            "Game loaded: 3 turns; line 4 column 7: 8 tiles, a rack holds 7: the rack is treated as unknown",
            ["82", "0"],
        ),
        (">Ben: AEGINOT -GI +0 0\n>Ann: CEELMOR (time) -10 64\n", "Game loaded: 2 turns", ["64", "0"]),
        (
            ">Ben: AEGINOT - +0 0\n>Ann: CEELMOR - +0 74\n>Ben: AEGINOT - +0 0\n>Ann: CEELMOR - +0 74\n>Ben: AEGINOT - +0 0\n>Ann: CEELMOR - +0 74\n\
             >Ann: CEELMOR (CEELMOR) -11 63\n>Ben: AEGINOT (AEGINOT) -8 -8\n",
            "Game loaded: 7 turns",
            ["63", "-8"],
        ),
    ] {
        load(events, status);
        browser.wait("document.querySelector('#moves li:last-child button').ariaCurrent === 'true'");
        assert_eq!([player(&browser, 1), player(&browser, 2)], [format!("Ann {}", scores[0]), format!("Ben {}", scores[1])]);
    }
    // A game goes on from where it was loaded, and is searched with its scores.
    load(">Ann: CEELMOR (challenge) +5 79\n", "Game loaded: 1 turn");
    set_rack(&browser, "AEGINOT");
    browser.click("#pass");
    browser.wait("document.querySelectorAll('#moves li').length === 3");
    assert_eq!(player(&browser, 1), "Ann 79");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_game_against_the_engine_is_played_to_its_end_and_reported() {
    let (board, browser) = play_to_the_end(300.0, |_| ());
    check_report(&board, &browser);
}

#[test]
fn a_game_of_crossplay_ends_after_a_last_turn_of_each_player_and_is_reported() {
    let (board, browser) = play_to_the_end(300.0, |browser| {
        choose(browser, "variant", "crossplay");
        told(browser, "New game");
        assert_eq!(browser.script("return document.querySelector('#board [data-at=\"0\"]').ariaLabel"), "1A triple letter");
    });
    let lines = lines(&browser);
    assert!(lines.contains("lt 2;") && lines.contains("lt 1;") && lines.contains("over lastturns"), "{lines}");
    check_report(&board, &browser);
}

#[test]
fn points_for_time_are_taken_off_and_kept() {
    // Less time than the page needs.
    let (_board, browser) = play_to_the_end(0.01, |_| ());
    let status = browser.text("#status");
    assert!(status.contains(", after the penalty for time."), "{status}");
    let shown = [browser.text("#score-1"), browser.text("#score-2")];
    let ours = usize::from(browser.text("#name-1") != "You");
    let number = |text: &str| text.parse::<i64>().unwrap_or_else(|_| panic!("{text}"));
    let record = saved(&browser);
    // The line after those of the game has the penalty and the score that the page shows.
    let late = record.lines().find(|line| line.starts_with(">You:") && line.contains("(time) -")).unwrap_or_else(|| panic!("{record}"));
    let mut words = late.rsplit(' ');
    assert_eq!(words.next(), Some(shown[ours].as_str()), "{record}");
    let points = number(words.next().expect("points"));
    let before = record.lines().rfind(|line| line.starts_with(">You:") && !line.contains("(time)")).expect("a turn");
    let total = number(before.rsplit(' ').next().expect("a total"));
    assert_eq!((points % 10, total + points), (0, number(&shown[ours])), "{record}");
    // Another step and a reload show the same.
    let is_shown = format!("['#score-1', '#score-2'].map((id) => document.querySelector(id).textContent).join() === '{}'", shown.join(","));
    browser.click("#back");
    browser.wait(&format!("!({is_shown})"));
    browser.click("#on");
    browser.wait(&is_shown);
    browser.script("document.querySelector('#status').textContent = ''; location.reload()");
    browser.wait("document.querySelector('#status')?.textContent === 'Ready: the page is as you left it'");
    assert_eq!([browser.text("#score-1"), browser.text("#score-2")], shown);
    assert_eq!(browser.errors(), Vec::<String>::new());
}

/// Plays a game against the engine to its end, after setting up the page, with a clock of this many minutes.
fn play_to_the_end(minutes: f64, set_up: impl FnOnce(&Browser)) -> (Server, Browser) {
    let board = serve();
    let browser = open(&board);
    open_parts(&browser);
    set_up(&browser);
    browser.script(&format!("document.querySelector('#minutes').value = {minutes}; document.querySelector('#level').value = 3"));
    browser.script("document.querySelector('#report-seconds').value = 0.05");
    press(&browser, "#game");
    let is_over = "document.querySelector('#status').textContent.startsWith('The game is over')";
    let is_ours =
        "document.querySelector('.on-turn').textContent.startsWith('You') && document.querySelector('#status').textContent !== ''";
    let mut turns = 0;
    loop {
        browser.wait(&format!("{is_over} || ({is_ours} && !document.querySelector('#status').textContent.startsWith('The engine'))"));
        if browser.script(&format!("return {is_over}")) == true {
            break;
        }
        turns += 1;
        assert!(turns < 60, "{:?}", crate::page::turns(&browser));
        assert!(browser.text("#clock-1").contains(':') && browser.text("#clock-2").contains(':'), "clocks are shown");
        // The position of our turn is the last one that the page has sent.
        let lines = lines(&browser);
        let cgp = lines.rsplit("> position cgp ").next().and_then(|rest| rest.lines().next()).expect("a position");
        command(&browser, &best_play(cgp));
        // Waits for our move and the engine's.
        browser.wait(&format!("{is_over} || document.querySelectorAll('#moves li').length > {}", 2 * turns));
    }
    let status = browser.text("#status");
    assert!(status.contains("Engine ") && status.contains("You "), "{status}");
    assert!(crate::page::turns(&browser).len() > 10, "{:?}", crate::page::turns(&browser));
    (board, browser)
}

/// Checks the report of the game. A site cannot make one.
fn check_report(server: &Server, browser: &Browser) {
    if let Server::Site(_) = server {
        return;
    }
    press(browser, "#report");
    browser.wait("document.querySelector('#report-state a')");
    let link = browser.script("return document.querySelector('#report-state a').href");
    assert_eq!(browser.errors(), Vec::<String>::new());
    browser.open(link.as_str().expect("an address"));
    let title = browser.script("return document.title");
    let title = title.as_str().expect("a title");
    assert!(title.contains("You") && title.contains("Engine"), "{title}");
    assert_eq!(browser.script("return window.origin"), "null", "a report has no rights of the board's page");
    assert!(browser.script("return document.querySelectorAll('svg').length").as_u64() > Some(0));
    assert_eq!(browser.errors(), Vec::<String>::new());
}

/// The program's best play, as a command of the page.
fn best_play(cgp: &str) -> String {
    let program = tilewright().args([&format!("position cgp {cgp}"), "go gen multipv 1"]).output();
    let answer = String::from_utf8(program.expect("the engine runs").stdout).expect("text");
    let play = answer.lines().find_map(|line| line.strip_prefix("bestmove ")).expect("a play");
    play.replace('.', " ")
}

#[test]
fn a_position_is_analysed_in_every_way() {
    let board = serve();
    let browser = open(&board);
    // Draws of a pre-endgame, with one tile in the bag.
    command(
        &browser,
        "load 15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/ABy1PIT2BRIG2/ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V7/AT5E7/G6D7 \
         ENOSTXY/ 356/378 0",
    );
    told(&browser, "Position loaded");
    command(&browser, "go peg");
    browser.wait("document.querySelector('#ranking td:nth-child(3)')?.textContent.includes(' won')");
    browser.wait("document.querySelector('#detail').textContent.includes('depending on the bag')");
    browser.wait("/proved|playouts|endgames/.test(document.querySelector('#summary').textContent)");
    command(&browser, "stop");
    browser.wait("document.querySelector('#status').textContent.startsWith('Best: ')");
    // Depths of an endgame, one row each. With two threads one might solve it before the other has begun.
    browser.script("document.querySelector('#threads').value = 1");
    command(
        &browser,
        "load 13C1/13Oh/8W2MUNI/1DETESTER1VAPID/8YO3NE/5J1PEH4O/4QUAIS3GNU/3GIBBETS1FIAT/3U1E3E2N1S/3I5X2G2/2ODOMETRY2I2/3E3H3AVOW/1cARIOLE3ZA2/7CANNOLI1/7A5FE \
         ADLLRRT/KR 433/397 0",
    );
    told(&browser, "Position loaded");
    command(&browser, "go endgame");
    browser
        .wait("document.querySelector('#summary').textContent.includes('solved') && document.querySelectorAll('#ranking tr').length >= 2");
    browser.wait("document.querySelector('#ranking td:nth-child(3)').textContent === '-6'");
    browser.wait("[...document.querySelectorAll('#ranking td:nth-child(8)')].every((cell) => /^depth [0-9]+$/.test(cell.textContent))");
    command(&browser, "stop");
    browser.wait("document.querySelector('#status').textContent.startsWith('Best: ')");
    // The mover loses six points of a lead of 36, and wins.
    browser.wait("document.querySelector('#curve svg')?.ariaValueText === 'at the start: 100 %'");
    // Options: candidates, plies, threads, an opponent who passes, a part of the opponent's rack.
    browser.script("document.querySelector('#threads').value = 2");
    command(&browser, "new");
    told(&browser, "New game");
    command(&browser, "rack AEINRST");
    told(&browser, "Racks set");
    command(&browser, "other QZ");
    browser.wait("document.querySelector('#other-text').value === 'QZ'");
    open_parts(&browser);
    browser.script("document.querySelector('#plays').value = 4; document.querySelector('#plies').value = 3; document.querySelector('#passes').checked = true");
    command(&browser, "add 8H ARSINE");
    told(&browser, "8H ARSINE will also be analysed");
    command(&browser, "go sim");
    browser.wait("document.querySelectorAll('#ranking tr').length === 5");
    command(&browser, "best 2");
    said(&browser, "8");
    command(&browser, "stop");
    browser.wait("document.querySelector('#status').textContent.startsWith('Best: ')");
    let lines = lines(&browser);
    for line in [
        "> setoption name OpponentPasses value true",
        "> go sim infinite depth 3 plays 4 alsosearchmoves 8H.ARSINE info 100",
        " AEINRST/QZ ",
    ] {
        assert!(lines.contains(line), "{line}: {lines}");
    }
    // The static value of a play, term by term; the tiles that the opponent kept.
    command(&browser, "eval");
    browser.wait("document.querySelectorAll('#terms tbody tr').length >= 10");
    assert_eq!(browser.text("#terms thead"), "Play Equity Score Kept Leave Adjustments");
    command(&browser, "other");
    browser.wait("document.querySelector('#other-text').value === ''");
    command(&browser, "rack GIIMNOO");
    browser.wait("document.querySelector('#rack-text').value === 'GIIMNOO'");
    command(&browser, "8D IMINO");
    browser.wait("document.querySelector('#status').textContent.startsWith('8D IMINO for ')");
    command(&browser, "rack GLORRTU");
    browser.wait("document.querySelector('#rack-text').value === 'GLORRTU'");
    browser.script("document.querySelector('#model').value = 'static'");
    press(&browser, "#infer");
    browser.wait("document.querySelectorAll('#inferred tbody tr').length > 20");
    assert!(browser.text("#inferred").contains('%') && !browser.text("#inferred").contains("NaN"), "{}", browser.text("#inferred"));
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn other_letters_and_boards_come_from_the_engine() {
    let board = serve();
    let browser = open(&board);
    open_parts(&browser);
    choose(&browser, "challenge", "double");
    told(&browser, "New game");
    choose(&browser, "layout", "super21");
    told(&browser, "New game");
    choose(&browser, "letters", "spanish");
    told(&browser, "New game");
    browser.wait("document.querySelectorAll('#board [data-at]').length === 441");
    browser.wait("document.querySelector('#unseen').textContent.includes('CH')");
    assert_eq!(browser.script("return document.querySelector('#board [data-at=\"440\"]').ariaLabel"), "21U quadruple word");
    // Tiles of two letters: without a C, typing C gives CH, and the H is a part of it; a blank as such a tile; L and L become LL.
    command(&browser, "rack [CH]A[LL]LO?");
    told(&browser, "Racks set");
    browser.click(&square(10 * 21 + 8));
    browser.type_on("chall");
    browser.wait("document.querySelector('#try').textContent.startsWith('11I CHALL scores ')");
    browser.type_shifted("1");
    browser.wait("document.querySelector('#try').textContent.startsWith('11I CHALLch scores ')");
    browser.type_on(ENTER);
    browser.wait("document.querySelector('#status').textContent.startsWith('11I CHALLch')");
    let cell = |at: usize| browser.script(&format!("return document.querySelector(\"{}\").ariaLabel", square(at)));
    assert_eq!((cell(10 * 21 + 8), cell(10 * 21 + 11)), ("11I CH, last play".into(), "11L CH blank, last play".into()));
    // Letters beyond A to Z, a board of nine squares from a file.
    choose(&browser, "letters", "polish");
    told(&browser, "New game");
    choose(&browser, "layout", "nine");
    told(&browser, "New game");
    browser.wait("document.querySelectorAll('#board [data-at]').length === 81");
    command(&browser, "rack łódźABE");
    browser.wait("document.querySelector('#rack').innerText.startsWith('Ł')");
    browser.click(&square(4 * 9 + 2));
    browser.type_on("łódź");
    browser.wait("document.querySelector('#try').textContent.startsWith('5C ŁÓDŹ scores ')");
    browser.click("#play");
    browser.wait("document.querySelector('#status').textContent.startsWith('5C ŁÓDŹ')");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn an_engine_that_has_ended_is_started_again_where_the_page_is() {
    let board = serve();
    let browser = open(&board);
    set_rack(&browser, "AEINRST");
    command(&browser, "8D NASTIER");
    told(&browser, "8D NASTIER for 66");
    command(&browser, "> quit");
    told(&browser, "The engine ended and was restarted");
    assert_eq!(player(&browser, 1), "Player 1 66");
    set_rack(&browser, "EIORST?");
    command(&browser, "go gen");
    browser.wait("document.querySelectorAll('#ranking tr').length >= 10");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn an_engine_that_ends_at_once_again_is_not_started_for_ever() {
    let board = serve();
    let browser = open(&board);
    command(&browser, "> quit");
    told(&browser, "The engine ended and was restarted");
    command(&browser, "> quit");
    browser.wait("document.querySelector('#status').textContent.endsWith('It stopped again at once: reload the page')");
    command(&browser, "go gen");
    browser.wait("document.querySelector('#said.wrong')?.textContent.includes('ended')");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_game_is_saved_as_it_was_played() {
    let board = serve();
    let browser = open(&board);
    open_parts(&browser);
    browser.script(&format!("document.querySelector('#text').value = {}", serde_json::Value::from(GAME)));
    press(&browser, "#load");
    browser.wait("document.querySelector('#status').textContent.startsWith('Game loaded: 4 turns')");
    let record = saved(&browser);
    told(&browser, "Saved as Ann of Ashby - Bob.gcg");
    for line in GAME.lines().filter(|line| line.starts_with('>')) {
        let turn = line.split_once(": ").expect("a turn").1;
        assert!(record.contains(turn), "{turn} is missing in {record}");
    }
    assert!(record.contains("#player1 Ann_of_Ashby Ann of Ashby"), "{record}");
}
