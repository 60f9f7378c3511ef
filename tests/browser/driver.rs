//! The actions of a user in a browser: opening pages, keys, clicks, drags, touches, windows of several sizes; and what the user sees.
//!
//! The methods work in Chromium and in Firefox (`connection.rs`). Each waits until the browser has answered; an error ends the test with the
//! browser's message. This file has no tests. Start with [`Browser::start`].

use crate::connection::{Connection, Kind, PATIENCE};
use data_encoding::BASE64;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

// Keys without a letter, as WebDriver names them.
pub const BACKSPACE: &str = "\u{e003}";
pub const TAB: &str = "\u{e004}";
pub const ENTER: &str = "\u{e007}";
const SHIFT: char = '\u{e008}';
pub const ESCAPE: &str = "\u{e00c}";
pub const SPACE: &str = "\u{e00d}";
pub const PAGE_UP: &str = "\u{e00e}";
pub const PAGE_DOWN: &str = "\u{e00f}";
pub const END: &str = "\u{e010}";
pub const HOME: &str = "\u{e011}";
pub const LEFT: &str = "\u{e012}";
pub const UP: &str = "\u{e013}";
pub const RIGHT: &str = "\u{e014}";
pub const DOWN: &str = "\u{e015}";

/// The pause between two checks of a condition.
const PAUSE: Duration = Duration::from_millis(30);

/// The middle of the visible part of `part`; an error if it is not visible.
const MIDDLE: &str = "
    if (!part) throw new Error('it is not there');
    if (!part.checkVisibility({ visibilityProperty: true })) throw new Error('it is not seen');
    const { left, top, right, bottom } = part.getClientRects()[0];
    const x = Math.floor((Math.max(left, 0) + Math.min(right, innerWidth)) / 2);
    const y = Math.floor((Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2);
    const isAt = x >= left && x <= right && y >= top && y <= bottom;
    if (!isAt) throw new Error('it is outside of the window');
";

/// A browser with one window. It ends when this is dropped.
pub struct Browser {
    connection: Connection,
}

impl Browser {
    /// Starts a browser without a screen.
    pub fn start() -> Browser {
        let browser = Browser { connection: Connection::start() };
        browser.window(1400, 1000);
        browser
    }

    /// Opens an address, and waits until its page is loaded. A page may reload itself meanwhile, as a site does on a first visit; Chromium reports
    /// that as an error.
    pub fn open(&self, address: &str) {
        let opened = self.connection.ask_window("browsingContext.navigate", json!({"url": address, "wait": "complete"}));
        if let Err(error) = opened {
            assert!(error.contains("concurrent navigation"), "{address}: {error}");
            self.wait("document.readyState === 'complete'");
        }
    }

    /// Runs a script, and returns its result.
    pub fn script(&self, script: &str) -> Value {
        self.connection.script(script).unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Runs a script that has the element as `part`, and returns its result.
    fn of(&self, css: &str, script: &str) -> Value {
        let script = format!("const part = document.querySelector({}); {script}", json!(css));
        self.connection.script(&script).unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    fn perform(&self, actions: Value) {
        self.connection.in_window("input.performActions", json!({"actions": [actions]}));
    }

    /// Moves, presses and releases a pointer.
    fn point(&self, pointer: &str, actions: &[Value]) {
        self.perform(json!({"type": "pointer", "id": pointer, "parameters": {"pointerType": pointer}, "actions": actions}));
    }

    /// Presses and releases keys, one after the other.
    fn press(&self, actions: Vec<Value>) {
        self.perform(json!({"type": "key", "id": "keys", "actions": actions}));
    }

    /// Where to point at an element.
    fn middle(&self, css: &str) -> Value {
        self.of(css, &format!("{MIDDLE} return {{ type: 'pointerMove', x, y }};"))
    }

    /// Where to point at an element that may have to be scrolled to. It must exist, be visible, and not be behind another one.
    fn reached(&self, css: &str) -> Value {
        self.of(
            css,
            &format!(
                "const isHit = () => {{
                  const {{ left, top, right, bottom }} = part.getBoundingClientRect();
                  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
                    && part.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
                }};
                if (part && !isHit()) part.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }});
                {MIDDLE}
                const hit = document.elementFromPoint(x, y);
                if (!part.contains(hit)) throw new Error(`it is behind ${{hit?.outerHTML.slice(0, 100)}}`);
                return {{ type: 'pointerMove', x, y }};"
            ),
        )
    }

    /// Goes to the top of the page, from where the Tab key reaches its first control.
    pub fn go_to_top(&self) {
        self.connection.focus_page();
        self.script("document.body.tabIndex = -1; document.body.focus(); window.scrollTo(0, 0)");
    }

    /// Clicks an element.
    pub fn click(&self, css: &str) {
        self.point("mouse", &[self.reached(css), down(), up()]);
    }

    /// Moves the mouse to an element.
    pub fn point_at(&self, css: &str) {
        self.point("mouse", &[self.reached(css)]);
    }

    /// Drags an element with the mouse to another one.
    pub fn drag(&self, from: &str, to: &str) {
        let begun = json!({"type": "pointerMove", "origin": "pointer", "x": 9, "y": 9});
        self.point("mouse", &[self.middle(from), down(), begun, self.middle(to), up()]);
    }

    /// Moves a finger from the middle of an element to that of another one; a tap if they are the same.
    pub fn touch(&self, from: &str, to: &str) {
        if from == to {
            return self.point("touch", &[self.reached(from), down(), up()]);
        }
        let (start, end) = (self.middle(from), self.middle(to));
        let half = |key: &str| (start[key].as_i64().expect("a number") + end[key].as_i64().expect("a number")) / 2;
        let halfway = json!({"type": "pointerMove", "x": half("x"), "y": half("y")});
        // The finger rests before it is lifted. Otherwise the browser would fling the page, and swallow the next tap.
        let rest = json!({"type": "pause", "duration": 150});
        self.point("touch", &[start, down(), halfway, end, rest, up()]);
    }

    /// Types into an element, after its content. A file is chosen by its path.
    pub fn keys(&self, css: &str, text: &str) {
        if self.of(css, "return part?.type") == "file" {
            let found = self.connection.in_window("browsingContext.locateNodes", json!({"locator": {"type": "css", "value": css}}));
            let element = json!({"sharedId": found["nodes"][0]["sharedId"]});
            self.connection.in_window("input.setFiles", json!({"element": element, "files": [text]}));
            return;
        }
        self.of(
            css,
            "if (!part?.checkVisibility({ visibilityProperty: true }) || part.disabled) throw new Error('nothing can be typed there');
            part.focus();
            if (part.selectionEnd !== null) part.selectionStart = part.selectionEnd = part.value.length;",
        );
        self.type_on(text);
    }

    /// Types wherever the focus is.
    pub fn type_on(&self, text: &str) {
        self.press(text.chars().flat_map(|key| [key_down(key), key_up(key)]).collect());
    }

    /// Types wherever the focus is, with Shift held down.
    pub fn type_shifted(&self, text: &str) {
        let typed = text.chars().flat_map(|key| [key_down(key), key_up(key)]);
        self.press([key_down(SHIFT)].into_iter().chain(typed).chain([key_up(SHIFT)]).collect());
    }

    /// The visible text of an element, with a space between cells.
    pub fn text(&self, css: &str) -> String {
        let text = self.of(css, "return part.checkVisibility() ? part.innerText.replaceAll('\\t', ' ').trim() : ''");
        text.as_str().expect("a text").to_string()
    }

    /// Waits until a condition is true. Until then evaluating it may also fail, for example while a page is loading.
    pub fn wait(&self, condition: &str) {
        let end = Instant::now() + PATIENCE;
        let script = format!("return Boolean({condition})");
        loop {
            let told = self.connection.script(&script);
            if told == Ok(Value::Bool(true)) {
                return;
            }
            assert!(
                Instant::now() < end,
                "not in time: {condition}: {told:?}; {:?}",
                self.connection.script("return document.body.innerText")
            );
            std::thread::sleep(PAUSE);
        }
    }

    /// Takes the errors on the page's console since the last call.
    pub fn errors(&self) -> Vec<String> {
        self.connection.errors()
    }

    /// The whole page as PNG.
    pub fn picture(&self) -> Vec<u8> {
        let taken = self.connection.in_window("browsingContext.captureScreenshot", json!({"origin": "document"}));
        BASE64.decode(taken["data"].as_str().expect("a picture").as_bytes()).expect("base64")
    }

    /// Shows the page as it is printed on a machine with a dark screen.
    pub fn look_printed(&self) {
        self.media("print", "dark");
    }

    /// Sets the width and the colour scheme of the window.
    pub fn look(&self, width: u32, scheme: &str) {
        self.window(width, 1000);
        self.media("", scheme);
    }

    /// Sets the width and the height of the window.
    pub fn window(&self, width: u32, height: u32) {
        let viewport = json!({"width": width, "height": height});
        self.connection.in_window("browsingContext.setViewport", json!({"viewport": viewport, "devicePixelRatio": 1}));
    }

    /// Sets the medium and the colour scheme: a screen if `medium` is empty.
    fn media(&self, medium: &str, scheme: &str) {
        match self.connection.kind {
            Kind::Chromium => {
                let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
                self.connection.chromium("Emulation.setEmulatedMedia", json!({"media": medium, "features": features}));
            }
            Kind::Firefox => {
                let script = format!("page.mediumOverride = {}; page.prefersColorSchemeOverride = {}", json!(medium), json!(scheme));
                self.connection.firefox(&script);
            }
        }
    }
}

fn down() -> Value {
    json!({"type": "pointerDown", "button": 0})
}

fn up() -> Value {
    json!({"type": "pointerUp", "button": 0})
}

fn key_down(key: char) -> Value {
    json!({"type": "keyDown", "value": key})
}

fn key_up(key: char) -> Value {
    json!({"type": "keyUp", "value": key})
}
