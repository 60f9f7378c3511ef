//! A real browser, driven through WebDriver by a driver program (`chromedriver`): JSON over plain HTTP, as the W3C's recommendation has it.
//!
//! Not the crate `thirtyfour`: without its default features (0.38.1) it has no way to send a request and ends with a panic, so the HTTP below would still be ours; with `reqwest` it
//! costs 93 s of processor time in the profile of the tests (77 s without, 204 s by the wall on two busy cores) and 54 crates beside the 146 that are there, for what
//! stands below. Start with [`Browser::start`].

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than any step takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The name under which WebDriver hands out elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser with one window. It ends with this.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Starts one without a window on the screen. `None` if there is no browser and none is required, with a message.
    pub fn start() -> Option<Browser> {
        let Ok(mut driver) = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn() else {
            assert!(
                std::env::var_os("TILEWRIGHT_BROWSER").is_none(),
                "TILEWRIGHT_BROWSER is set, and there is no chromedriver: install chromium and chromium-driver"
            );
            let _ = writeln!(std::io::stderr(), "skipped: there is no chromedriver (Debian: apt-get install chromium chromium-driver)");
            return None;
        };
        let mut lines = BufReader::new(driver.stdout.take().expect("stdout")).lines().map_while(Result::ok);
        let port = lines.find_map(|line| line.split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok()).expect("a port");
        let mut browser = Browser { driver, port, session: String::new() };
        // As root, as in containers, the browser has no sandbox.
        let arguments = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1400,1000"];
        let wanted =
            json!({"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}}});
        let session = browser.request("POST", "/session", &wanted);
        browser.session = format!("/session/{}", session["sessionId"].as_str().expect("a session"));
        Some(browser)
    }

    /// A command of WebDriver, and its value.
    fn request(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the driver listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let head = format!("{method} {}{path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n", self.session, self.port);
        write!(stream, "{head}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len()).expect("the driver reads");
        let answer = read_answer(BufReader::new(stream)).unwrap_or_default();
        let value: Value = serde_json::from_slice(&answer).unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        assert!(value["value"]["error"].is_null(), "{method} {path}: {}", value["value"]);
        value["value"].clone()
    }

    /// Opens an address.
    pub fn open(&self, address: &str) {
        self.request("POST", "/url", &json!({"url": address}));
    }

    /// What a script gives.
    pub fn script(&self, script: &str) -> Value {
        self.request("POST", "/execute/sync", &json!({"script": script, "args": []}))
    }

    fn element(&self, css: &str) -> String {
        let found = self.request("POST", "/element", &json!({"using": "css selector", "value": css}));
        found[ELEMENT].as_str().expect("an element").to_string()
    }

    /// Clicks an element as a user does: it must be there and be seen.
    pub fn click(&self, css: &str) {
        self.request("POST", &format!("/element/{}/click", self.element(css)), &json!({}));
    }

    /// Moves the mouse to an element.
    pub fn point_at(&self, css: &str) {
        let origin = json!({ELEMENT: self.element(css)});
        let steps = json!([{"type": "pointerMove", "duration": 0, "origin": origin, "x": 0, "y": 0}]);
        let mouse = json!({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps});
        self.request("POST", "/actions", &json!({"actions": [mouse]}));
    }

    /// Types into an element.
    pub fn keys(&self, css: &str, text: &str) {
        self.request("POST", &format!("/element/{}/value", self.element(css)), &json!({"text": text}));
    }

    /// Types wherever the focus is.
    pub fn type_on(&self, text: &str) {
        let keys: Vec<Value> = text
            .chars()
            .flat_map(|key| [json!({"type": "keyDown", "value": key.to_string()}), json!({"type": "keyUp", "value": key.to_string()})])
            .collect();
        self.request("POST", "/actions", &json!({"actions": [{"type": "key", "id": "keys", "actions": keys}]}));
    }

    /// The same with Shift held down.
    pub fn type_shifted(&self, key: char) {
        let shift = "\u{e008}";
        let keys = [("keyDown", shift.to_string()), ("keyDown", key.to_string()), ("keyUp", key.to_string()), ("keyUp", shift.to_string())];
        let keys: Vec<Value> = keys.iter().map(|(what, value)| json!({"type": what, "value": value})).collect();
        self.request("POST", "/actions", &json!({"actions": [{"type": "key", "id": "keys", "actions": keys}]}));
    }

    /// The text of an element as it is seen.
    pub fn text(&self, css: &str) -> String {
        self.request("GET", &format!("/element/{}/text", self.element(css)), &Value::Null).as_str().expect("text").to_string()
    }

    /// Waits until a script gives `true`.
    pub fn wait(&self, condition: &str) {
        let end = Instant::now() + PATIENCE;
        while self.script(&format!("return Boolean({condition})")) != Value::Bool(true) {
            assert!(Instant::now() < end, "not in time: {condition}; {}", self.script("return document.body.innerText"));
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Errors on the page's console.
    pub fn errors(&self) -> Vec<String> {
        let log = self.request("POST", "/se/log", &json!({"type": "browser"}));
        let entries = log.as_array().expect("a list");
        entries.iter().filter(|entry| entry["level"] == "SEVERE").map(|entry| entry["message"].to_string()).collect()
    }

    /// The whole page as PNG.
    pub fn picture(&self) -> Vec<u8> {
        let size = self.script("return [document.documentElement.clientWidth, document.documentElement.scrollHeight]");
        let clip = json!({"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1});
        let parameters = json!({"format": "png", "captureBeyondViewport": true, "clip": clip});
        let taken = self.request("POST", "/goog/cdp/execute", &json!({"cmd": "Page.captureScreenshot", "params": parameters}));
        decoded(taken["data"].as_str().expect("a picture"))
    }

    /// The page as it is printed where the screen is dark.
    pub fn look_printed(&self) {
        let parameters = json!({"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]});
        self.request("POST", "/goog/cdp/execute", &json!({"cmd": "Emulation.setEmulatedMedia", "params": parameters}));
    }

    /// The window as wide and light as told.
    pub fn look(&self, width: u32, scheme: &str) {
        let cdp =
            |command: &str, parameters: Value| self.request("POST", "/goog/cdp/execute", &json!({"cmd": command, "params": parameters}));
        cdp("Emulation.setDeviceMetricsOverride", json!({"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": false}));
        cdp("Emulation.setEmulatedMedia", json!({"media": "", "features": [{"name": "prefers-color-scheme", "value": scheme}]}));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Also when the test is failing: else the browser would stay.
        if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
            let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
            let _ = write!(stream, "DELETE {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", self.session, self.port);
            let _ = read_answer(BufReader::new(stream));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Base64, in which pictures come.
fn decoded(text: &str) -> Vec<u8> {
    let value = |sign: u8| b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".iter().position(|&known| known == sign);
    let signs: Vec<usize> = text.bytes().filter_map(value).collect();
    let groups = signs.chunks(4).flat_map(|group| {
        let bits = group.iter().fold(0, |bits, sign| bits << 6 | sign) << (6 * (4 - group.len()));
        (0..group.len() - 1).map(move |at| (bits >> (16 - 8 * at) & 0xff) as u8)
    });
    groups.collect()
}

/// The body of an answer. The driver leaves the connection open behind it.
fn read_answer(mut stream: BufReader<TcpStream>) -> std::io::Result<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length")) {
            length = value.trim().parse().map_err(|_| std::io::Error::other(format!("{name}: {value}")))?;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok(body)
}
