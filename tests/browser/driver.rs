//! A real browser for the tests, driven by the crate `thirtyfour` through `chromedriver`.
//!
//! The tests are plain functions, so every method here waits until the browser has answered; a refusal ends the test with what the browser said. No test
//! stands here. Start with [`Browser::start`].

use crate::waiting::finish;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use thirtyfour::prelude::*;
use thirtyfour::support::base64_decode;
use thirtyfour::{ChromiumLikeCapabilities, LoggingPrefsLogLevel};

/// Longer than any step takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many drivers are started until one tells its port.
const DRIVERS: usize = 3;

/// As root, as in containers, the browser has no sandbox.
const ARGUMENTS: [&str; 5] = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1400,1000"];

/// A browser with one window. It ends with this.
pub struct Browser {
    driver: Child,
    session: WebDriver,
}

impl Browser {
    /// Starts one without a window on the screen.
    pub fn start() -> Browser {
        let (mut driver, port) = start_driver().unwrap_or_else(|error| {
            panic!("chromedriver cannot be started: {error} (Debian: apt-get install chromium chromium-driver)");
        });
        match finish(open_session(port)) {
            Ok(session) => Browser { driver, session },
            Err(error) => {
                let _ = (driver.kill(), driver.wait());
                panic!("no browser: {error}")
            }
        }
    }

    /// Opens an address.
    pub fn open(&self, address: &str) {
        done(&format!("open {address}"), self.session.goto(address));
    }

    /// What a script gives.
    pub fn script(&self, script: &str) -> Value {
        done(script, self.session.execute(script, [])).json().clone()
    }

    fn element(&self, css: &str) -> WebElement {
        done(css, self.session.find(By::Css(css)))
    }

    /// Clicks an element as a user does: it must be there and be seen.
    pub fn click(&self, css: &str) {
        done(css, self.element(css).click());
    }

    /// Keys and movements without pauses between them.
    fn at_once(&self) -> thirtyfour::action_chain::ActionChain {
        self.session.action_chain_with_delay(Some(Duration::ZERO), Some(Duration::ZERO))
    }

    /// Moves the mouse to an element.
    pub fn point_at(&self, css: &str) {
        done(css, self.at_once().move_to_element_center(&self.element(css)).perform());
    }

    /// Drags an element with the mouse to another one.
    pub fn drag(&self, from: &str, to: &str) {
        let (from, to) = (self.element(from), self.element(to));
        let chain = self.at_once().move_to_element_center(&from).click_and_hold().move_by_offset(9, 9);
        done("a drag", chain.move_to_element_center(&to).release().perform());
    }

    /// A finger goes from the middle of an element to that of another one; a tap where they are the same.
    pub fn touch(&self, from: &str, to: &str) {
        let middle = |css: &str| {
            let script = format!(
                "const {{ left, top, width, height }} = document.querySelector({}).getBoundingClientRect(); return {{ x: left + width / 2, y: top + height / 2 }}",
                json!(css)
            );
            self.script(&script)
        };
        let (start, end) = (middle(from), middle(to));
        let send = |kind: &str, points: Value| {
            self.chromium("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points}));
        };
        send("touchStart", json!([start]));
        if from != to {
            let half = |key: &str| (start[key].as_f64().expect("a number") + end[key].as_f64().expect("a number")) / 2.0;
            send("touchMove", json!([{"x": half("x"), "y": half("y")}]));
            send("touchMove", json!([end]));
        }
        send("touchEnd", json!([]));
    }

    /// Types into an element.
    pub fn keys(&self, css: &str, text: &str) {
        done(css, self.element(css).send_keys(text));
    }

    /// Types wherever the focus is.
    pub fn type_on(&self, text: &str) {
        done(text, self.at_once().send_keys(text).perform());
    }

    /// The same with Shift held down.
    pub fn type_shifted(&self, key: char) {
        let shift = char::from(Key::Shift);
        done("shift", self.at_once().key_down(shift).key_down(key).key_up(key).key_up(shift).perform());
    }

    /// The text of an element as it is seen.
    pub fn text(&self, css: &str) -> String {
        done(css, self.element(css).text())
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
        let log = done("the log", self.session.browser_log());
        log.into_iter().filter(|entry| entry.level == "SEVERE").map(|entry| entry.message).collect()
    }

    /// A command of Chromium's own protocol, for what WebDriver has no words for.
    fn chromium(&self, command: &str, parameters: Value) -> Value {
        done(command, self.session.cdp().send_raw(command, parameters))
    }

    /// The whole page as PNG.
    pub fn picture(&self) -> Vec<u8> {
        let size = self.script("return [document.documentElement.clientWidth, document.documentElement.scrollHeight]");
        let clip = json!({"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1});
        let taken = self.chromium("Page.captureScreenshot", json!({"format": "png", "captureBeyondViewport": true, "clip": clip}));
        base64_decode(taken["data"].as_str().expect("a picture")).expect("base64")
    }

    /// The page as it is printed where the screen is dark.
    pub fn look_printed(&self) {
        let features = json!([{"name": "prefers-color-scheme", "value": "dark"}]);
        self.chromium("Emulation.setEmulatedMedia", json!({"media": "print", "features": features}));
    }

    /// The window of a telephone, which is touched.
    pub fn look_on_telephone(&self) {
        let size = json!({"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true});
        self.chromium("Emulation.setDeviceMetricsOverride", size);
        self.chromium("Emulation.setTouchEmulationEnabled", json!({"enabled": true}));
    }

    /// The window as large as told.
    pub fn window(&self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.chromium("Emulation.setDeviceMetricsOverride", size);
    }

    /// The window as wide and light as told.
    pub fn look(&self, width: u32, scheme: &str) {
        let size = json!({"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": false});
        self.chromium("Emulation.setDeviceMetricsOverride", size);
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.chromium("Emulation.setEmulatedMedia", json!({"media": "", "features": features}));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Also when the test is failing: else the browser would stay.
        let _ = finish(async { tokio::time::timeout(Duration::from_secs(5), self.session.clone().quit()).await });
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// A driver and its port; an error if there is none on this machine. Of several that start at once one may end without telling a port: then another is
/// started.
fn start_driver() -> std::io::Result<(Child, u16)> {
    for _ in 0..DRIVERS {
        let mut driver = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut lines = BufReader::new(driver.stdout.take().expect("stdout")).lines().map_while(Result::ok);
        if let Some(port) = lines.find_map(|line| line.split_once("successfully on port ")?.1.trim_end_matches('.').parse().ok()) {
            return Ok((driver, port));
        }
        let _ = (driver.kill(), driver.wait());
    }
    panic!("{DRIVERS} drivers of the browser ended without telling a port")
}

/// A browser of the driver that listens on this port.
async fn open_session(port: u16) -> WebDriverResult<WebDriver> {
    let mut wanted = DesiredCapabilities::chrome();
    for argument in ARGUMENTS {
        wanted.add_arg(argument)?;
    }
    wanted.set_browser_log_level(LoggingPrefsLogLevel::All)?;
    // A proxy that the machine uses for the network has no part in this.
    let client = reqwest::Client::builder().no_proxy().timeout(PATIENCE).build().expect("a client");
    WebDriver::builder(format!("http://127.0.0.1:{port}"), wanted).client(client).await
}

/// What the browser answers; `what` is for the message where it refuses.
fn done<T>(what: &str, answer: impl Future<Output = WebDriverResult<T>>) -> T {
    finish(answer).unwrap_or_else(|error| panic!("{what}: {error}"))
}
