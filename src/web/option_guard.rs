//! Guards the options that no page may set, because they name files. With such an option a page could
//! write to or read from the disk through an engine.
//!
//! Engines differ in how they parse a line, so the guard does not parse it but searches it:
//! a line is refused if any engine could take it for a `setoption` of such an option.
//! A needless refusal is reported and does no harm. Our own engine needs no such list:
//! it is started without files (`tilewright restricted`). Start with [`OptionGuard::refuses`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

/// Parts of names that are refused unless the bridge's file sets others.
pub const REFUSED_PARTS: [&str; 10] = ["path", "file", "simlog", "debuglog", "logto", "directory", "folder", "output", "script", "exec"];

/// The options of an engine that are refused.
#[derive(Clone, Debug)]
pub struct OptionGuard {
    parts: Vec<String>,
}

impl Default for OptionGuard {
    fn default() -> OptionGuard {
        OptionGuard::new(REFUSED_PARTS.iter().copied())
    }
}

impl OptionGuard {
    /// A guard that refuses options whose names have one of these parts. Case and spaces do not matter.
    pub fn new<'p>(parts: impl IntoIterator<Item = &'p str>) -> OptionGuard {
        OptionGuard { parts: parts.into_iter().map(squeezed).filter(|part| !part.is_empty()).collect() }
    }

    /// A guard that refuses nothing.
    pub fn none() -> OptionGuard {
        OptionGuard { parts: Vec::new() }
    }

    /// Returns what is wrong with a line that must not reach the engine.
    pub fn refuses(&self, line: &str) -> Option<String> {
        if self.parts.is_empty() {
            return None;
        }
        let line = squeezed(line);
        let (_, setting) = line.split_once("setoption")?;
        if let Some(part) = self.parts.iter().find(|part| setting.contains(part.as_str())) {
            return Some(format!("a page may not set an option with {part:?} in its name or value"));
        }
        setting.contains(['/', '\\']).then(|| "a page may not set an option to a path".to_string())
    }
}

/// A text in lowercase, without the characters that engines may skip. A letter whose capital is a plain letter becomes that letter.
fn squeezed(text: &str) -> String {
    text.to_uppercase().to_lowercase().chars().filter(|c| c.is_alphanumeric() || ['/', '\\'].contains(c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_name_files_are_refused_however_they_are_written() {
        let guard = OptionGuard::default();
        for line in [
            "setoption name LogFile value /tmp/x",
            "setoption name logfile value x",
            "setoption name Log File value x",
            "  SetOption\tname\u{a0}SimLog value x",
            "joho setoption name DataPath value .",
            "isready\rsetoption name LogFile value x",
            "setoption name Debug Log File value x",
            "setoption name Log_File value x",
            "set\0option name LogFile value x",
            "setoption name \u{17f}imLog value x",
            "setoption name Lexicon value ../../etc/passwd",
            "setoption name Lexicon value C:\\x",
            "setoption name X value Y name LogFile value x",
        ] {
            assert!(guard.refuses(line).is_some(), "{line:?} reaches the engine");
        }
        for line in [
            "setoption name Threads value 4",
            "setoption name WinPctTable value logistic",
            "setoption name Lexicon value CSW21",
            "isready",
            "position cgp 15/15 / 0/0 0",
            "gcg file",
        ] {
            assert_eq!(guard.refuses(line), None, "{line:?}");
        }
    }

    #[test]
    fn the_list_can_be_another_one() {
        let guard = OptionGuard::new(["Hash"]);
        assert!(guard.refuses("setoption name Endgame Hash value 1").is_some());
        assert_eq!(guard.refuses("setoption name LogFile value x"), None);
        assert_eq!(OptionGuard::none().refuses("setoption name LogFile value /x"), None);
    }
}
