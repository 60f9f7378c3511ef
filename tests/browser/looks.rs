//! How `tilewright board` looks, what its keys reach and what screen readers get; and that a hundred thousand updates leave nothing behind.
//!
//! Pictures of the page are kept in the folder that the tests name in their output. Start with [`CHECKS`].

use crate::driver::{Browser, RIGHT, TAB};
use crate::page::{Server, command, open, said, second_turn, serve, set_rack, simulate_and_evaluate, try_a_play};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// Finds what is wrong for people who do not see the page or use no mouse, by the usual rules of accessibility checkers: names, roles and states,
/// identifiers, headings, contrast.
pub const CHECKS: &str = r"
    const wrong = [];
    const told = (part, what) => wrong.push(`${what}: ${part.outerHTML.slice(0, 120)}`);
    const isSeen = (part) => part.checkVisibility();
    const nameOf = (part) => {
      const labelled = (part.getAttribute('aria-labelledby') ?? '').split(' ').filter(Boolean).map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
      const labels = [...(part.labels ?? [])].map((label) => label.textContent).join(' ');
      return (labelled || part.ariaLabel || labels || part.innerText || part.textContent || '').trim();
    };
    // Every control, region and square has a name.
    for (const part of document.querySelectorAll('button, input, select, textarea, summary, a, [tabindex], [role=gridcell], [role=grid], [role=region], [role=timer], section, table')) {
      if (isSeen(part) && !nameOf(part) && !part.caption?.textContent) told(part, 'no name');
    }
    for (const part of document.querySelectorAll('section')) if (!part.getAttribute('aria-labelledby') && !part.ariaLabel) told(part, 'a section without a name');
    // Roles and attributes exist, and have allowed values.
    const ROLES = { grid: ['row'], row: ['gridcell'], gridcell: null, img: null, status: null, alert: null, timer: null, slider: null, group: null, region: null, tablist: ['tab'], tab: null, tabpanel: null };
    const VALUES = { 'aria-current': /^(true|page|step)$/, 'aria-hidden': /^(true|false)$/, 'aria-label': /./, 'aria-labelledby': /^[\w-]+$/, 'aria-controls': /^[\w-]+$/, 'aria-describedby': /^[\w-]+$/, 'aria-selected': /^(true|false)$/, 'aria-invalid': /^true$/,
      'aria-valuemin': /^0$/, 'aria-valuemax': /^\d+$/, 'aria-valuenow': /^\d+$/, 'aria-valuetext': /./ };
    for (const part of document.querySelectorAll('*')) {
      const role = part.getAttribute('role');
      if (role && !(role in ROLES)) told(part, `role ${role}`);
      if (role === 'slider' && !(part.tabIndex === 0 && Number(part.ariaValueNow) <= Number(part.ariaValueMax))) told(part, 'slider out of its bounds');
      if (ROLES[role] && ![...part.children].every((child) => ROLES[role].includes(child.getAttribute('role')))) told(part, 'children of another role');
      if (part.tabIndex > 0) told(part, 'an order of its own');
      for (const { name, value } of part.attributes) {
        if (!name.startsWith('aria-')) continue;
        if (!VALUES[name]?.test(value)) told(part, `${name}=${value}`);
        if (/^aria-(labelledby|controls|describedby)$/.test(name) && !document.getElementById(value)) told(part, 'a name from nowhere');
      }
      if (part.ariaHidden === 'true' && part.querySelector('button, input, a, [tabindex]')) told(part, 'hidden, with controls in it');
    }
    const ids = [...document.querySelectorAll('[id]')].map((part) => part.id);
    ids.filter((id, at) => ids.indexOf(id) !== at).forEach((id) => wrong.push(`two of id ${id}`));
    const headings = [...document.querySelectorAll('h1, h2, h3')].map((part) => Number(part.tagName[1]));
    if (headings.filter((level) => level === 1).length !== 1 || headings.some((level, at) => at && level > headings[at - 1] + 1)) wrong.push(`headings ${headings}`);
    if (!document.documentElement.lang || !document.title) wrong.push('no language or title');
    if (document.querySelector('#board') && document.querySelectorAll('#board [tabindex=\'0\']').length !== 1) wrong.push('the board is not one stop of the Tab key');
    // Everything that scrolls can be scrolled by keys.
    for (const part of document.querySelectorAll('.scroll, pre')) if (isSeen(part) && part.scrollWidth > part.clientWidth && part.tabIndex !== 0) told(part, 'not to be scrolled by keys');
    // On a phone nothing has to be scrolled sideways.
    if (innerWidth < 480) for (const part of document.querySelectorAll('.scroll')) if (isSeen(part) && part.scrollWidth > part.clientWidth) told(part, 'wider than the window');
    // Texts contrast with their background: 4.5 by WCAG's formula, 3 for large texts.
    const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
    const light = (colour) => {
      const [r, g, b] = numbers(colour).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (part) => {
      for (; part; part = part.parentElement) {
        const colour = getComputedStyle(part).backgroundColor;
        if (numbers(colour)[3] !== 0) return colour;
      }
      return 'rgb(255, 255, 255)';
    };
    const contrast = (one, other) => {
      const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
      return (a + 0.05) / (b + 0.05);
    };
    for (const part of document.querySelectorAll('*')) {
      if (!isSeen(part) || part.disabled || part.closest('svg')) continue;
      const ownText = [...part.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
      for (const which of [null, '::before', '::after']) {
        const style = getComputedStyle(part, which);
        if (which ? style.content === 'none' || style.content === '\'\'' || style.display === 'none' : !ownText) continue;
        const isLarge = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && style.fontWeight >= 700);
        const found = contrast(style.color, behind(part));
        if (found < (isLarge ? 3 : 4.5)) told(part, `contrast ${found.toFixed(2)}${which ?? ''}`);
      }
    }
    return wrong;
";

/// The control that has the focus, and whether the focus is visible: `[name, is visible]`; `page` if no control has it.
const FOCUS: &str = r"
    const part = document.activeElement;
    if (part === document.body) return ['page', true];
    const style = getComputedStyle(part);
    return [part.id || part.ariaLabel || part.innerText, part.checkVisibility() && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2];
";

/// The tabs of the tools.
pub const TABS: [&str; 7] = ["rank", "study", "play", "load", "position", "words", "help"];

/// Keeps a picture of the page, and prints its path.
pub fn keep_picture(browser: &Browser, name: &str) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
    std::fs::write(&path, browser.picture()).expect("a picture is kept");
    let _ = writeln!(std::io::stderr(), "picture: {}", path.display());
}

#[test]
fn the_page_can_be_used_without_eyes_and_without_a_mouse() {
    let board = serve();
    let browser = open(&board);
    second_turn(&browser);
    try_a_play(&browser);
    command(&browser, "go sim plays 8");
    said(&browser, "Unknown search \"sim plays 8\": expected auto, gen, sim, peg or endgame");
    simulate_and_evaluate(&browser);
    browser.script("document.querySelectorAll('details').forEach((part) => (part.open = true))");
    for tab in TABS {
        browser.click(&format!("#tab-{tab}"));
        for (width, scheme) in [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")] {
            browser.look(width, scheme);
            let overflow = browser.script("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
            assert_eq!(overflow, 0, "{width} {scheme} {tab}: the page is wider than the window");
            assert_eq!(browser.script(CHECKS), json!([]), "{width} {scheme} {tab}");
            keep_picture(&browser, &format!("board_{width}_{scheme}_{tab}"));
        }
        browser.look(1280, "light");
    }
    // The Tab key reaches every control, and the focus is visible.
    let mut names = std::collections::BTreeSet::new();
    for tab in TABS {
        browser.click(&format!("#tab-{tab}"));
        let seen = browser.script("return [...document.querySelectorAll('button, input, select, textarea, summary, [role=slider]')].filter((part) => part.checkVisibility() && !part.disabled).length");
        let controls = seen.as_u64().expect("a number");
        // From the top of the page to its end, after which Firefox goes on to its own controls.
        browser.go_to_top();
        for _ in 0..controls {
            browser.type_on(TAB);
            let focus = browser.script(FOCUS);
            if focus[0] == "page" {
                break;
            }
            assert_eq!(focus[1], true, "the focus on {} is not seen", focus[0]);
            names.insert(focus[0].to_string());
        }
    }
    let of_server: &[&str] = match board {
        Server::Board(_) => &["report"],
        Server::Site(_) => &["link", "word-file"],
    };
    let of_all = [
        "play", "rack", "command", "go", "seconds", "plies", "replies", "compare", "quiz", "game", "minutes", "save", "edit", "lexicon",
        "letters", "text", "word", "line", "lines", "tab-rank",
    ];
    for id in of_all.iter().chain(of_server) {
        assert!(names.contains(&format!("\"{id}\"")), "the Tab key does not reach {id}: {names:?}");
    }
    // The squares by arrows; a row in words; keys that are not letters.
    browser.script("document.querySelector('#board [tabindex=\"0\"]').focus()");
    browser.type_on(&RIGHT.repeat(20));
    assert_eq!(browser.script("return document.activeElement.ariaLabel"), "8O triple word");
    browser.type_on("/");
    assert_eq!(browser.script("return document.activeElement.id"), "command");
    for (line, answer) in [
        ("row 8", "Row 8: D R, E E, F T, G A, H I, I N, J S"),
        ("rack", "Rack: E I O R S T blank"),
        ("score", "Player 1 66, Player 2 0; bag 79; Player 2 on turn"),
        ("check RETAINS", "RETAINS is a word"),
        ("nonsense", "There is no command nonsense: type help for a list"),
        ("help", "play 8D WORD: plays a move"),
    ] {
        command(&browser, line);
        browser.wait(&format!("document.querySelector('#said').textContent.startsWith({})", Value::from(answer)));
    }
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_hundred_thousand_updates_leave_nothing_behind() {
    let board = serve();
    let browser = open(&board);
    set_rack(&browser, "AEINRST");
    // The page's own table gets lines as from the engine, without waiting for frames; the moves change, as candidates do.
    browser.script(
        r"
        return (async () => {
          const { Ranking } = await import('/ranking.js');
          const make = () => document.createElement('div');
          const body = document.createElement('tbody');
          document.createElement('table').append(body);
          const ranking = new Ranking({ body, summary: make(), detail: make(), head: make() }, () => {});
          ranking.clear({ size: 15, squares: Array(225).fill('') }, { onRack: (tile) => tile }, 'AEINRST');
          const drawn = async () => {
            for (let frame = 0; frame < 2; frame++) await new Promise((next) => requestAnimationFrame(next));
          };
          window.feed = async (from, to) => {
            for (let update = from; update < to; update++) {
              ranking.hear(`info depth 2 time ${update} nodes 1 nps 1`);
              for (let row = 0; row < 15; row++) {
                ranking.hear(`info sim move ${1 + ((row + update) % 15)}A.RETAINS wp ${50 + row} wpse 1.0 eq 10 eqse 1.0 iters ${update + 1} score ${(update >> 4) % 90}`);
              }
            }
            await drawn();
            return [body.children.length, body.querySelectorAll('*').length];
          };
          window.finish = async () => {
            ranking.hear('bestmove 1A.RETAINS');
            await drawn();
            return body.lastElementChild.lastElementChild.textContent;
          };
        })();
        ",
    );
    // In parts, since a browser ends a script that takes too long, which may happen on a busy machine.
    let counts: Vec<Value> =
        (0..20).map(|part| browser.script(&format!("return window.feed({}, {})", 5_000 * part, 5_000 * (part + 1)))).collect();
    for count in &counts {
        assert_eq!(*count, counts[0], "rows and nodes stay the same: {counts:?}");
    }
    assert_eq!((&counts[0][0], browser.script("return window.finish()")), (&json!(15), json!("100,000")));
    assert_eq!(browser.errors(), Vec::<String>::new());
}
