//! `tilewright board` as a child process, for the tests of this crate and for those in `tests/browser`, which include this file.
//!
//! Not here: a browser (`tests/browser/driver.rs`). Start with [`BoardPage::serve`].

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use tempfile::NamedTempFile;

/// A running board. It ends with this.
pub struct BoardPage {
    pub child: Child,
    pub port: u16,
    pub address: String,
    stderr: NamedTempFile,
}

impl BoardPage {
    /// Starts one with two threads and the data of the example sessions, in the top folder of the repository.
    pub fn serve() -> BoardPage {
        BoardPage::serve_in(&std::env::temp_dir())
    }

    /// The same with this folder for temporary files.
    pub fn serve_in(temporary: &Path) -> BoardPage {
        let stderr = NamedTempFile::new().expect("a file");
        let mut command = crate::tilewright();
        command
            .args(["board", "--no-open", "--threads", "2", "--data-path", "protocol/sessions"])
            .env("TMPDIR", temporary)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(stderr.reopen().expect("a file"));
        let mut child = command.spawn().expect("the board starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("stdout")).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("board on ").expect("an address").to_string();
        let port = address.split([':', '/']).nth(4).and_then(|port| port.parse().ok()).expect("a port");
        BoardPage { child, port, address, stderr }
    }
}

impl Drop for BoardPage {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        expect_no_panic(&std::fs::read_to_string(self.stderr.path()).expect("it is there"));
    }
}

/// Fails if a server has written of a panic. A release ends with any; a build for tests unwinds, and a task that has panicked is missed by nobody.
pub fn expect_no_panic(stderr: &str) {
    assert!(std::thread::panicking() || !stderr.contains("panicked"), "{stderr}");
}
