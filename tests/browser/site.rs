//! The board as a site, with the engine in the page: it works without a network, keeps the user's words, and stands alone.
//!
//! The tests of this file need the folder of a site in the variable TILEWRIGHT_SITE, and are skipped without it. Start with [`Site::of_environment`].

use crate::driver::Browser;
use crate::page::{choose, command, lines, open_parts, pass_over, press, reach, said, saved, set_rack, told, turns};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A server of plain files, with a site. It ends when this is dropped.
pub struct Site {
    server: Child,
    pub address: String,
}

impl Site {
    /// Serves the folder that TILEWRIGHT_SITE names, if it names one.
    pub fn of_environment() -> Option<Site> {
        let folder = PathBuf::from(std::env::var_os("TILEWRIGHT_SITE")?);
        let folder = crate::repository().join(folder);
        assert!(folder.join("tilewright.wasm").is_file(), "{} has no site: scripts/web site makes one", folder.display());
        Some(Site::serve(&folder))
    }

    fn serve(folder: &Path) -> Site {
        let mut command = Command::new("python3");
        command.args(["-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory"]).arg(folder).arg("0");
        let mut server = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("python3 serves files");
        let mut line = String::new();
        BufReader::new(server.stdout.take().expect("stdout")).read_line(&mut line).expect("a line");
        let address = line.split(['(', ')']).nth(1).expect("an address").to_string();
        Site { server, address }
    }

    /// Ends the server, so that there is no network any more.
    fn end(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.end();
    }
}

/// The site with its page, if there is a site.
fn open_site(test: &str) -> Option<(Site, Browser)> {
    let Some(site) = Site::of_environment() else {
        pass_over(test, "TILEWRIGHT_SITE");
        return None;
    };
    let browser = Browser::start();
    open_again(&site, &browser);
    Some((site, browser))
}

fn open_again(site: &Site, browser: &Browser) {
    browser.open(&site.address);
    browser.wait("document.querySelector('#status').textContent.startsWith('Ready')");
    browser.wait("document.querySelectorAll('#layout option').length >= 2");
}

/// Waits until the browser keeps all files of the site, and ends the server.
fn cut_off(site: &mut Site, browser: &Browser) {
    browser.script("while (!(await caches.match('./'))) await new Promise((next) => setTimeout(next, 20))");
    site.end();
}

/// Analyses a position for a moment, and returns how many iterations the best row has then.
fn analyse_for_a_moment(browser: &Browser) -> u64 {
    set_rack(browser, "AEINRST");
    command(browser, "go sim");
    let iterations = "Number(document.querySelector('#ranking tr')?.lastElementChild.textContent.replaceAll(',', ''))";
    browser.wait(&format!("{iterations} > 100"));
    command(browser, "stop");
    browser.wait("document.querySelector('#status').textContent.startsWith('Best: 8')");
    browser.script(&format!("return {iterations}")).as_u64().expect("a number")
}

#[test]
fn the_site_works_without_a_network_after_the_first_visit() {
    let Some((mut site, browser)) = open_site("the_site_works_without_a_network_after_the_first_visit") else { return };
    assert_eq!(browser.script("return crossOriginIsolated"), true, "threads share memory, though the server says nothing of it");
    assert!(analyse_for_a_moment(&browser) > 100);
    cut_off(&mut site, &browser);
    open_again(&site, &browser);
    assert!(analyse_for_a_moment(&browser) > 100);
    // Several threads, with the answer of one.
    let best = |threads: u32| {
        command(&browser, &format!("> setoption name Threads value {threads}"));
        command(&browser, "> go sim iterations 300 seed 7");
        browser.script("document.querySelector('#lines-part').open = true");
        browser.wait("document.querySelector('#lines').textContent.trimEnd().split('\\n').at(-1).startsWith('< bestmove ')");
        let lines = lines(&browser);
        let of_last = lines.rsplit("> go sim").next().expect("lines").to_string();
        let rows: Vec<&str> = of_last.lines().filter(|line| line.starts_with("< info sim move ")).collect();
        rows[rows.len().saturating_sub(5)..].join("\n")
    };
    let one = best(1);
    assert!(one.contains("wp "), "{one}");
    assert_eq!(one, best(2));
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn the_users_words_stay_in_the_browser() {
    let Some((site, browser)) = open_site("the_users_words_stay_in_the_browser") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("few words.txt");
    std::fs::write(&file, "ZZZA\nAA\nTEAR\nRATE\n").expect("a file");
    open_parts(&browser);
    browser.keys("#word-file", &file.display().to_string());
    told(&browser, "few words.txt is kept in this browser");
    for visit in ["first", "second"] {
        if visit == "second" {
            open_again(&site, &browser);
        }
        browser.wait("[...document.querySelectorAll('#lexicon option')].some((option) => option.value === 'few words')");
        choose(&browser, "lexicon", "few words");
        told(&browser, "The word list is now few words");
        open_parts(&browser);
        browser.script("document.querySelector('#answer').textContent = document.querySelector('#word').value = ''");
        reach(&browser, "#word");
        browser.keys("#word", "ZZZA");
        browser.click("#word-form button");
        browser.wait("document.querySelector('#answer').textContent === 'ZZZA is a word'");
    }
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_link_shows_its_position() {
    let Some((site, browser)) = open_site("a_link_shows_its_position") else { return };
    browser.script("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } })");
    set_rack(&browser, "AEINRST");
    command(&browser, "8D NASTIER");
    told(&browser, "8D NASTIER for 66");
    browser.click("#link");
    told(&browser, "Link copied");
    let link = browser.script("return window.copied");
    let link = link.as_str().expect("a link");
    assert!(link.starts_with(&format!("{}#cgp=", site.address)), "{link}");
    // Another address in between, since a browser does not reload a page if only the part after # changes.
    browser.open("about:blank");
    browser.open(link);
    browser.wait("document.querySelector('#board [data-at=\"108\"]')?.ariaLabel === '8D N'");
    browser.wait("document.querySelector('#score-2').textContent === '66'");
}

#[test]
fn a_link_is_one_line_and_a_file_is_not_too_large() {
    let Some((site, browser)) = open_site("a_link_is_one_line_and_a_file_is_not_too_large") else { return };
    // A link that would make the engine wait for a file that never comes.
    browser.open("about:blank");
    browser.open(&format!("{}#cgp=15/15%200%200%0A%01FILE%20999999999%20x", site.address));
    browser.wait("document.querySelector('#status')?.textContent === 'A line must not contain line breaks'");
    set_rack(&browser, "AEINRST");
    command(&browser, "8D NASTIER");
    told(&browser, "8D NASTIER for 66");
    browser.script(
        "const files = new DataTransfer(); files.items.add(new File([new Uint8Array((64 << 20) + 1)], 'large.txt')); \
         const field = document.querySelector('#word-file'); field.files = files.files; field.dispatchEvent(new Event('change'))",
    );
    told(&browser, "large.txt has 67 MB, expected at most 64");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn what_the_page_cannot_do_is_not_offered() {
    let Some((_site, browser)) = open_site("what_the_page_cannot_do_is_not_offered") else { return };
    open_parts(&browser);
    reach(&browser, "#report");
    assert_eq!(browser.script("return document.querySelector('#report-part').checkVisibility()"), false);
    command(&browser, "report");
    said(&browser, "This site cannot make reports: save the game as GCG, and run tilewright analyse on it");
    command(&browser, "> gcg x.gcg");
    browser.wait("document.querySelector('#lines').textContent.includes('files cannot be used here, only names')");
}

/// Whether it is our turn: the page shows the last position that it has sent to the engine, with our rack.
const OUR_TURN: &str = "
    const cgp = document.querySelector('#lines').textContent.split('> position cgp ').at(-1).split('\\n')[0];
    const [board, racks] = cgp.split(' ');
    const letters = (text) => [...text].sort().join('');
    const shown = [...document.querySelectorAll('#rack .tile')].map((tile) => tile.textContent.trim() || '?').join('');
    const isOurs = document.querySelector('.on-turn').textContent.startsWith('You') && letters(racks.split('/')[0]) === letters(shown)
      && board.replaceAll(/[^A-Za-z]/g, '').length === document.querySelectorAll('#board .tile').length;
    return isOurs;
";

/// Words of our side have at most this length if possible, so that the game has at least 25 turns.
const LONGEST_WORD: usize = 3;

/// A play of our side: the best one whose word is short, or the best one.
fn short_play(cgp: &str) -> String {
    let program = crate::tilewright().args([&format!("position cgp {cgp}"), "go gen multipv 500"]).output();
    let answer = String::from_utf8(program.expect("the engine runs").stdout).expect("text");
    let plays: Vec<&str> = answer.lines().filter_map(|line| line.strip_prefix("info gen move ")?.split(' ').next()).collect();
    let is_short = |play: &&&str| play.split_once('.').is_some_and(|(_, word)| word.len() <= LONGEST_WORD);
    let play = plays.iter().find(is_short).or(plays.first()).expect("a play");
    play.replace('.', " ")
}

/// Plays a game against the engine to its end, and returns its turns as the page lists them.
fn play_a_game(browser: &Browser) -> Vec<String> {
    open_parts(browser);
    browser.script("document.querySelector('#level').value = 3; document.querySelector('#engine-seconds').value = 0.1");
    press(browser, "#game");
    let is_over = "document.querySelector('#status').textContent.startsWith('The game is over')";
    loop {
        browser.wait(&format!("{is_over} || (() => {{ {OUR_TURN} }})()"));
        if browser.script(&format!("return {is_over}")) == true {
            return turns(browser);
        }
        let before = turns(browser).len();
        assert!(before < 80, "{:?}", turns(browser));
        let cgp = browser.script(&format!("{OUR_TURN} return cgp;").replace("return isOurs;", ""));
        command(browser, &short_play(cgp.as_str().expect("a position")));
        // Waits for our move and the engine's.
        browser.wait(&format!("{is_over} || document.querySelectorAll('#moves li').length >= {}", before + 2));
    }
}

#[test]
fn a_game_is_played_saved_loaded_analysed_and_shared_without_a_network() {
    let Some((mut site, browser)) = open_site("a_game_is_played_saved_loaded_analysed_and_shared_without_a_network") else { return };
    cut_off(&mut site, &browser);
    open_again(&site, &browser);
    let played = play_a_game(&browser);
    // Its start is the first line.
    assert!(played.len() > 25, "{} lines: {played:?}", played.len());
    let position = browser.text("#board");
    // Saved.
    let record = saved(&browser);
    // Loaded again: from what the page has stored, and from the file in a page that has stored nothing.
    browser.script("document.querySelector('#status').textContent = ''; location.reload()");
    browser.wait("document.querySelector('#status')?.textContent === 'Ready: the page is as you left it'");
    assert_eq!((turns(&browser), browser.text("#board")), (played.clone(), position.clone()));
    browser.script("sessionStorage.clear(); Storage.prototype.setItem = () => {}; location.reload()");
    browser.wait("document.querySelector('#status')?.textContent.startsWith('Ready: type a rack')");
    open_parts(&browser);
    browser.script(&format!("document.querySelector('#text').value = {}", serde_json::Value::from(record)));
    press(&browser, "#load");
    browser.wait("document.querySelector('#status').textContent.startsWith('Game loaded: ')");
    assert_eq!(turns(&browser), played);
    assert_eq!(browser.text("#board"), position);
    // Analysed, in the middle of the game.
    browser.click("#moves li:nth-child(10) button");
    browser.wait("document.querySelector('#moves li:nth-child(10) button').ariaCurrent === 'true'");
    command(&browser, "go sim");
    browser.wait("document.querySelectorAll('#ranking tr').length >= 5");
    browser.wait("Number(document.querySelector('#ranking tr')?.lastElementChild.textContent.replaceAll(',', '')) > 50");
    command(&browser, "stop");
    browser.wait("document.querySelector('#status').textContent.startsWith('Best: ')");
    // Shared.
    let shared = browser.text("#board");
    browser.script("Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } })");
    press(&browser, "#link");
    told(&browser, "Link copied");
    let link = browser.script("return window.copied");
    assert_eq!(browser.errors(), Vec::<String>::new());
    browser.open("about:blank");
    browser.open(link.as_str().expect("a link"));
    browser.wait(&format!("document.querySelector('#board')?.innerText.trim() === {}", serde_json::Value::from(shared)));
    assert_eq!(browser.errors(), Vec::<String>::new());
}
