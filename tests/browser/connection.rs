//! A real browser as a process, and the connection to it: WebDriver BiDi, the protocol that Chromium and Firefox share, as JSON over a WebSocket.
//!
//! Firefox speaks it itself, Chromium through `chromedriver`. TILEWRIGHT_BROWSER chooses between them. What the protocol has no words for, each browser has
//! in a protocol of its own: [`Connection::chromium`], [`Connection::firefox`]. What a user does in a browser is in `driver.rs`. Start with
//! [`Connection::start`].

use serde_json::{Value, json};
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// Longer than any step takes.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// How long a browser may take to end by itself.
const FAREWELL: Duration = Duration::from_secs(5);

/// How many times a browser is started until one tells its port.
const STARTS: usize = 3;

/// As root, as in containers, Chromium has no sandbox.
const CHROMIUM: [&str; 5] = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1400,1000"];

/// Firefox, with its own windows open to the tests, which is how it learns of dark screens.
const FIREFOX: [&str; 6] = ["--headless", "--no-remote", "--remote-allow-system-access", "--remote-debugging-port", "0", "--profile"];

/// The settings of Firefox: a mouse, though there is no screen, no proxy, and no scroll bars that take room, as in Chromium.
const PROFILE: &str = r#"
user_pref("ui.primaryPointerCapabilities", 6);
user_pref("ui.allPointerCapabilities", 6);
user_pref("ui.useOverlayScrollbars", 1);
user_pref("network.proxy.type", 0);
"#;

/// Makes errors of what a browser keeps to itself otherwise: files that were not loaded, and what the page's policy has refused.
const TELL_ERRORS: &str = "() => { \
    addEventListener('error', (event) => { if (event.target !== window) console.error(`not loaded: ${event.target.outerHTML}`); }, true); \
    addEventListener('securitypolicyviolation', (event) => console.error(`refused by ${event.violatedDirective}: ${event.blockedURI}`)); }";

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Chromium,
    Firefox,
}

impl Kind {
    /// The browser that TILEWRIGHT_BROWSER names; Chromium if it names none.
    pub fn of_environment() -> Kind {
        match std::env::var("TILEWRIGHT_BROWSER").as_deref() {
            Err(_) | Ok("chromium") => Kind::Chromium,
            Ok("firefox") => Kind::Firefox,
            Ok(other) => panic!("TILEWRIGHT_BROWSER is {other:?}, expected chromium or firefox"),
        }
    }
}

/// A browser with one window, and the connection to it. It ends with this.
pub struct Connection {
    pub kind: Kind,
    /// The window.
    context: String,
    channel: RefCell<Channel>,
    process: Child,
    /// Where Firefox keeps its own; removed after it has ended.
    _profile: TempDir,
}

struct Channel {
    socket: WebSocket<TcpStream>,
    /// How many commands were sent.
    sent: u64,
    /// Errors that pages have told since they were last asked for.
    errors: Vec<String>,
}

impl Connection {
    /// Starts a browser without a window on the screen.
    pub fn start() -> Connection {
        let kind = Kind::of_environment();
        let profile = tempfile::tempdir().expect("a folder");
        std::fs::write(profile.path().join("user.js"), PROFILE).expect("a file");
        let (process, port) = start_process(kind, &profile);
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("the browser listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        let (socket, _) = tungstenite::client(format!("ws://127.0.0.1:{port}/session"), stream).expect("a WebSocket");
        let channel = RefCell::new(Channel { socket, sent: 0, errors: Vec::new() });
        let mut connection = Connection { kind, context: String::new(), channel, process, _profile: profile };
        // A page that asks whether it may be left may be left.
        let mut wanted = json!({"unhandledPromptBehavior": {"default": "dismiss", "beforeUnload": "accept"}});
        if kind == Kind::Chromium {
            wanted["goog:chromeOptions"] = json!({"args": CHROMIUM});
        }
        connection.done("session.new", json!({"capabilities": {"alwaysMatch": wanted}}));
        connection.done("session.subscribe", json!({"events": ["log.entryAdded"]}));
        connection.done("script.addPreloadScript", json!({"functionDeclaration": TELL_ERRORS}));
        let windows = connection.done("browsingContext.getTree", json!({}));
        connection.context = windows["contexts"][0]["context"].as_str().expect("a window").to_string();
        connection.focus_page();
        connection
    }

    /// Gives the focus to the page: in Firefox the address has that of a new window, and without a screen no window is in front.
    pub fn focus_page(&self) {
        if self.kind == Kind::Firefox {
            self.firefox("Services.focus.activeWindow = window; gBrowser.selectedBrowser.focus()");
        }
    }

    /// The result of a command, or the refusal of the browser.
    pub fn ask(&self, command: &str, parameters: Value) -> Result<Value, String> {
        let channel = &mut *self.channel.borrow_mut();
        channel.sent += 1;
        let message = json!({"id": channel.sent, "method": command, "params": parameters}).to_string();
        channel.socket.send(Message::text(message)).map_err(|error| error.to_string())?;
        loop {
            let message = channel.socket.read().map_err(|error| format!("no answer: {error}"))?;
            let Message::Text(text) = message else { continue };
            let mut answer: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
            if answer["id"] == channel.sent {
                return if answer["type"] == "error" { Err(answer["message"].to_string()) } else { Ok(answer["result"].take()) };
            }
            if answer["method"] == "log.entryAdded" && answer["params"]["level"] == "error" {
                channel.errors.push(answer["params"]["text"].as_str().unwrap_or_default().to_string());
            }
        }
    }

    /// The result of a command; a refusal ends the test.
    pub fn done(&self, command: &str, parameters: Value) -> Value {
        self.ask(command, parameters).unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    /// A command that concerns the window.
    pub fn in_window(&self, command: &str, mut parameters: Value) -> Value {
        parameters["context"] = self.context.clone().into();
        self.done(command, parameters)
    }

    /// The result of a script on the page, or its error.
    pub fn script(&self, script: &str) -> Result<Value, String> {
        let function = format!("async () => JSON.stringify(await (async () => {{ {script}\n }})() ?? null)");
        let target = json!({"context": self.context});
        let parameters = json!({"functionDeclaration": function, "target": target, "awaitPromise": true});
        let told = self.ask("script.callFunction", parameters)?;
        match told["result"]["value"].as_str() {
            Some(text) => serde_json::from_str(text).map_err(|error| error.to_string()),
            None => Err(told["exceptionDetails"]["text"].to_string()),
        }
    }

    /// The errors that pages have told since this was last asked.
    pub fn errors(&self) -> Vec<String> {
        // What was told before the answer has come before it.
        self.script("await new Promise((next) => setTimeout(next))").expect("a page");
        std::mem::take(&mut self.channel.borrow_mut().errors)
    }

    /// A command of Chromium's own protocol.
    pub fn chromium(&self, command: &str, parameters: Value) -> Value {
        let session = self.in_window("goog:cdp.getSession", json!({}))["session"].take();
        self.done("goog:cdp.sendCommand", json!({"method": command, "params": parameters, "session": session}))
    }

    /// A script in Firefox itself, in which `page` is what shows the page.
    pub fn firefox(&self, script: &str) {
        let windows = self.done("browsingContext.getTree", json!({"moz:scope": "chrome"}));
        let script = format!("{{ const page = gBrowser.selectedBrowser.browsingContext; {script} }}");
        let target = json!({"context": windows["contexts"][0]["context"]});
        let told = self.done("script.evaluate", json!({"expression": script, "target": target, "awaitPromise": false}));
        assert_eq!(told["type"], "success", "{script}: {told}");
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // Also when the test is failing: else the browser would stay.
        let _ = self.channel.borrow().socket.get_ref().set_read_timeout(Some(FAREWELL));
        let _ = self.ask("browser.close", json!({}));
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A browser, or its driver, and the port where it listens. Of several that start at once one may end without telling a port: then another is started.
fn start_process(kind: Kind, profile: &TempDir) -> (Child, u16) {
    for _ in 0..STARTS {
        let mut command = match kind {
            Kind::Chromium => Command::new("chromedriver"),
            Kind::Firefox => Command::new("firefox-esr"),
        };
        match kind {
            Kind::Chromium => command.arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()),
            Kind::Firefox => command.args(FIREFOX).arg(profile.path()).stdout(Stdio::null()).stderr(Stdio::piped()),
        };
        let mut process = command.spawn().unwrap_or_else(|error| {
            panic!("{:?} cannot be started: {error} (Debian: apt-get install chromium chromium-driver firefox-esr)", command.get_program())
        });
        let output: Box<dyn Read + Send> = match kind {
            Kind::Chromium => Box::new(process.stdout.take().expect("stdout")),
            Kind::Firefox => Box::new(process.stderr.take().expect("stderr")),
        };
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let port = lines.find_map(|line| {
            let place = line.split_once("successfully on port ").or_else(|| line.split_once("listening on ws://127.0.0.1:"))?.1;
            place.trim_end_matches('.').parse().ok()
        });
        if let Some(port) = port {
            // What it writes later is read, so that it never waits for a reader.
            std::thread::spawn(move || lines.for_each(drop));
            return (process, port);
        }
        let _ = (process.kill(), process.wait());
    }
    panic!("{STARTS} browsers ended without telling a port")
}
