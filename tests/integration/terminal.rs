//! The program at a terminal that can be drawn on: tables in their place, colours, the line that is typed, its history.
//!
//! A terminal is made by `script` of util-linux, and what it shows is worked out by `vt100`; without `script` these tests are skipped, with a message.

use crate::integration::needs::Need;
use crate::integration::waiting::soon;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// So long is waited for what must come, on a machine with much else to do.
const PATIENCE: Duration = Duration::from_secs(120);

/// The program at a terminal of 24 lines.
struct AtTerminal {
    child: Child,
    input: ChildStdin,
    bytes: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    /// All that was written.
    written: String,
}

impl AtTerminal {
    /// Starts a conversation. `None` if no terminal can be made.
    fn start(arguments: &str, state: &Path, variables: &[(&str, &str)]) -> Option<AtTerminal> {
        let mut terminal = AtTerminal::run(arguments, state, variables)?;
        terminal.until(|text| text.ends_with("tilewright>"));
        Some(terminal)
    }

    /// Runs the program, with its history in a folder. `None` if no terminal can be made.
    fn run(arguments: &str, state: &Path, variables: &[(&str, &str)]) -> Option<AtTerminal> {
        if !Need::Terminal.is_met() {
            return None;
        }
        let mut command = Command::new("script");
        command.args(["-qec", &format!("stty rows 24 cols 100; exec {} {arguments}", env!("CARGO_BIN_EXE_tilewright")), "/dev/null"]);
        command.env("TERM", "xterm-256color").env_remove("NO_COLOR").env("XDG_STATE_HOME", state).envs(variables.iter().copied());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("script runs");
        let input = child.stdin.take().expect("stdin is piped");
        let mut output = child.stdout.take().expect("stdout is piped");
        let (sender, bytes) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = output.read(&mut buffer) {
                if sender.send(buffer[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        let [rows, columns] = [24, 100].map(|count| NonZero::new(count).expect("a size"));
        let screen = vt100::Parser::new(rows, columns, 1000);
        Some(AtTerminal { child, input, bytes, screen, written: String::new() })
    }

    fn keys(&mut self, keys: &str) {
        self.input.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    fn shown(&self) -> String {
        self.screen.screen().contents().trim_end().to_string()
    }

    /// Waits until the screen shows something.
    fn until(&mut self, is_there: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + PATIENCE;
        while !is_there(&self.shown()) {
            let left = end.saturating_duration_since(Instant::now());
            match self.bytes.recv_timeout(left) {
                Ok(bytes) => {
                    self.written.push_str(&String::from_utf8_lossy(&bytes));
                    self.screen.process(&bytes);
                }
                Err(RecvTimeoutError::Disconnected) => panic!("the program has ended: {}", self.shown()),
                Err(RecvTimeoutError::Timeout) => panic!("in vain waited for: {}", self.shown()),
            }
        }
        self.shown()
    }

    /// Ends the input at the prompt. Between two lines the terminal itself would take the Ctrl-D, and the program would not see it.
    fn leave(mut self) {
        self.until(|text| text.ends_with("tilewright>"));
        self.keys("\x04");
        self.ended();
    }

    /// Waits for the program's end.
    fn ended(mut self) {
        soon("the program ends", || self.child.try_wait().expect("a process").is_some());
        assert!(self.child.wait().expect("script ends").success());
    }
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn a_search_draws_one_table_and_leaves_the_typed_line_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some(mut terminal) = AtTerminal::start("", folder.path(), &[]) else { return };
    terminal.keys("position startpos moves 8D.RETAINS rack.EIORSTV\rgo sim infinite info 100\r");
    terminal.until(|text| text.contains("samples"));
    terminal.keys("isre");
    // Tables come and go, and the line is still there.
    let seconds = |text: &str| text.lines().find(|line| line.contains(" plies, ")).map(String::from);
    let before = terminal.until(|text| text.ends_with("tilewright> isre"));
    let after =
        terminal.until(|text| seconds(text).is_some_and(|line| Some(line) != seconds(&before)) && text.ends_with("tilewright> isre"));
    assert_eq!((count(&before, "two standard errors"), count(&after, "two standard errors")), (1, 1), "{after}");
    terminal.keys("ady\r");
    terminal.until(|text| text.contains("tilewright> isready") && text.contains("readyok"));
    // Ctrl-C ends the search, and the final table stays.
    terminal.keys("\x03");
    let text = terminal.until(|text| text.contains("bestmove ") && text.ends_with("tilewright>"));
    assert_eq!(count(&text, "two standard errors"), 1, "{text}");
    assert!(text.contains('●') && !text.contains("info sim"), "{text}");
    // With nothing to stop, it ends the conversation.
    terminal.keys("\x03");
    terminal.ended();
}

#[test]
fn the_board_is_in_colours_unless_nobody_wants_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (variables, has_colours) in [(&[][..], true), (&[("NO_COLOR", "1")][..], false)] {
        let Some(mut terminal) = AtTerminal::start("", folder.path(), variables) else { return };
        terminal.keys("position startpos moves 8D.RETaINS\rd\r");
        let text = terminal.until(|text| text.contains("info string cgp "));
        assert!(text.contains("  8 = . . R E T a I N S . ' . . ="), "{text}");
        assert_eq!(terminal.written.contains("\x1b[38;5;"), has_colours, "{:?}", terminal.written);
        terminal.leave();
    }
}

#[test]
fn commands_of_the_command_line_are_drawn_as_well() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let commands = r#""position startpos moves 8D.RETAINS rack.EIORSTV" d "go sim movetime 500 plays 5""#;
    let Some(mut terminal) = AtTerminal::run(commands, folder.path(), &[("NO_COLOR", "1")]) else { return };
    let text = terminal.until(|text| text.contains("bestmove "));
    assert_eq!(count(&text, "two standard errors"), 1, "{text}");
    assert!(terminal.written.contains("R E T A I N S") && !terminal.written.contains("info sim"), "{}", terminal.written);
    terminal.ended();
    // As lines, if that is asked for.
    let Some(mut terminal) = AtTerminal::run(&format!("--lines {commands}"), folder.path(), &[]) else { return };
    let text = terminal.until(|text| text.contains("bestmove "));
    assert!(text.contains("info sim move ") && !text.contains("two standard errors"), "{text}");
    terminal.ended();
}

#[test]
fn lines_are_shown_as_they_are_where_they_are_asked_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (flag, first) in [("--lines", ""), ("", "debug on\r")] {
        let Some(mut terminal) = AtTerminal::start(flag, folder.path(), &[]) else { return };
        terminal.keys(&format!("{first}position startpos moves rack.AEINRST\rgo gen multipv 2\r"));
        let text = terminal.until(|text| text.contains("bestmove "));
        assert_eq!(count(&text, "info gen move "), 2, "{text}");
        terminal.keys("quit\r");
        terminal.ended();
    }
}

#[test]
fn lines_are_remembered_for_the_user_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some(mut terminal) = AtTerminal::start("", folder.path(), &[]) else { return };
    terminal.keys("check RETAINS\r");
    terminal.until(|text| text.contains("check RETAINS valid"));
    terminal.keys("quit\r");
    terminal.ended();
    let history = folder.path().join("tilewright/history");
    assert!(std::fs::read_to_string(&history).expect("a history").contains("check RETAINS\n"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&history).unwrap().permissions().mode() & 0o777, 0o600);
    }
    // Another run finds them: up, up, Enter.
    let Some(mut terminal) = AtTerminal::start("", folder.path(), &[]) else { return };
    terminal.keys("\x1b[A\x1b[A");
    terminal.until(|text| text.ends_with("tilewright> check RETAINS"));
    terminal.keys("\r");
    terminal.until(|text| text.contains("check RETAINS valid"));
    terminal.leave();
}
