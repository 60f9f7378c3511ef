//! A real browser as a process, and the connection to it: WebDriver BiDi, the protocol that Chromium and Firefox share, as JSON over a WebSocket.
//!
//! Firefox speaks it directly, Chromium through `chromedriver`. TILEWRIGHT_BROWSER chooses between them. For actions that the protocol lacks, each
//! browser has a protocol of its own: [`Connection::chromium`], [`Connection::firefox`]. The actions of a user are in `driver.rs`. Start with
//! [`Connection::start`].

use serde_json::{Value, json};
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// A time limit longer than any step takes.
pub const PATIENCE: Duration = Duration::from_secs(180);

/// The time that a browser gets to end by itself.
const FAREWELL: Duration = Duration::from_secs(5);

/// How many times a browser is started at most until one prints its port.
const STARTS: usize = 3;

/// The flags of Chromium. As root, for example in containers, it has no sandbox.
const CHROMIUM: [&str; 5] = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1400,1000"];

/// The flags of Firefox. They give tests access to its own windows, which is needed to set dark screens.
const FIREFOX: [&str; 6] = ["--headless", "--no-remote", "--remote-allow-system-access", "--remote-debugging-port", "0", "--profile"];

/// The settings of Firefox: a mouse although there is no screen, no proxy, and scroll bars that take no room, as in Chromium.
const PROFILE: &str = r#"
user_pref("ui.primaryPointerCapabilities", 6);
user_pref("ui.allPointerCapabilities", 6);
user_pref("ui.useOverlayScrollbars", 1);
user_pref("network.proxy.type", 0);
"#;

/// Turns silent failures into errors: files that were not loaded, and actions that the page's policy has refused.
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

/// A browser with one window, and the connection to it. The browser ends when this is dropped.
pub struct Connection {
    pub kind: Kind,
    /// The window.
    context: String,
    channel: RefCell<Channel>,
    process: Child,
    /// The profile folder of Firefox, removed after it has ended.
    _profile: TempDir,
}

struct Channel {
    socket: WebSocket<TcpStream>,
    /// The number of commands sent.
    sent: u64,
    /// Errors that pages have reported since they were last taken.
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
        // Prompts about leaving a page are accepted.
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

    /// Gives the focus to the page. In a new window of Firefox the address bar has the focus, and without a screen no window is in front.
    pub fn focus_page(&self) {
        if self.kind == Kind::Firefox {
            self.firefox("Services.focus.activeWindow = window; gBrowser.selectedBrowser.focus()");
        }
    }

    /// Sends a command. Returns its result, or the browser's error.
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

    /// Sends a command, and returns its result. An error ends the test.
    pub fn done(&self, command: &str, parameters: Value) -> Value {
        self.ask(command, parameters).unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    /// Sends a command that concerns the window. Returns its result, or the browser's error.
    pub fn ask_window(&self, command: &str, mut parameters: Value) -> Result<Value, String> {
        parameters["context"] = self.context.clone().into();
        self.ask(command, parameters)
    }

    /// Sends a command that concerns the window, and returns its result. An error ends the test.
    pub fn in_window(&self, command: &str, parameters: Value) -> Value {
        self.ask_window(command, parameters).unwrap_or_else(|error| panic!("{command}: {error}"))
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

    /// Takes the errors that pages have reported since the last call.
    pub fn errors(&self) -> Vec<String> {
        // Everything reported before this answer has come by then.
        self.script("await new Promise((next) => setTimeout(next))").expect("a page");
        std::mem::take(&mut self.channel.borrow_mut().errors)
    }

    /// A command of Chromium's own protocol.
    pub fn chromium(&self, command: &str, parameters: Value) -> Value {
        let session = self.in_window("goog:cdp.getSession", json!({}))["session"].take();
        self.done("goog:cdp.sendCommand", json!({"method": command, "params": parameters, "session": session}))
    }

    /// Runs a script in Firefox itself, in which `page` is the element that shows the page.
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
        // Errors are ignored, so that the browser also ends when the test is failing.
        let _ = self.channel.borrow().socket.get_ref().set_read_timeout(Some(FAREWELL));
        let _ = self.ask("browser.close", json!({}));
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts a browser, or its driver, and returns it with its port. If several start at once, one may end without printing a port; then another is
/// started.
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
            // The rest of its output is read, so that it never blocks.
            std::thread::spawn(move || lines.for_each(drop));
            return (process, port);
        }
        let _ = (process.kill(), process.wait());
    }
    panic!("{STARTS} browsers ended without telling a port")
}
