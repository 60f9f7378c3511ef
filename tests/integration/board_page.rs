//! `tilewright board` as a child process, for the tests of this crate and for those in `tests/browser`, which include this file.
//!
//! Not here: a browser (`tests/browser/driver.rs`). Start with [`BoardPage::serve`].

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

/// A running board. It ends with this.
pub struct BoardPage {
    pub child: Child,
    pub port: u16,
    pub address: String,
}

impl BoardPage {
    /// Starts one with two threads and the data of the example sessions, in the top folder of the repository.
    pub fn serve() -> BoardPage {
        let mut command = crate::tilewright();
        command
            .args(["board", "--no-open", "--threads", "2", "--data-path", "protocol/sessions"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().expect("the board starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("stdout")).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("board on ").expect("an address").to_string();
        let port = address.split([':', '/']).nth(4).and_then(|port| port.parse().ok()).expect("a port");
        BoardPage { child, port, address }
    }
}

impl Drop for BoardPage {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
