//! The terminal mode in which Ctrl-C is always a key, not a signal that ends the program.
//!
//! While a line is edited `rustyline` sees to that. Between two lines it puts the terminal back to the mode that it found: this one. Start
//! with [`KeysOnly::hold`].

#[cfg(unix)]
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// Keeps the terminal in this mode. Dropped, it puts the terminal back as it was.
pub struct KeysOnly {
    #[cfg(unix)]
    before: Option<Termios>,
}

impl KeysOnly {
    /// Changes the mode of the terminal on standard input. Where that cannot be done, it stays as it is.
    pub fn hold() -> KeysOnly {
        KeysOnly {
            #[cfg(unix)]
            before: without_signals(),
        }
    }
}

/// The mode that was there before.
#[cfg(unix)]
fn without_signals() -> Option<Termios> {
    let before = tcgetattr(rustix::stdio::stdin()).ok()?;
    let mut mode = before.clone();
    mode.local_modes.remove(LocalModes::ISIG);
    tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, &mode).ok()?;
    Some(before)
}

impl Drop for KeysOnly {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(before) = &self.before {
            let _ = tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, before);
        }
    }
}
