//! Guards the options that no page may set, because they name files. By such an option a page could
//! write to or read from the disk through an engine.
//!
//! Engines differ in how they read a line, so it is not read but searched:
//! a line is refused if any engine could take it for a `setoption` of such an option.
//! A line refused without need is reported, and does no harm. Our own engine needs no such list:
//! it is started without files (`tilewright restricted`). Start with [`OptionGuard::refuses`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

/// Parts of names that are refused where the file of the bridge says nothing else.
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
    /// Refuses options whose names have one of these parts, in any case, blanks not counted.
    pub fn new<'p>(parts: impl IntoIterator<Item = &'p str>) -> OptionGuard {
        OptionGuard { parts: parts.into_iter().map(squeezed).filter(|part| !part.is_empty()).collect() }
    }

    /// Refuses nothing.
    pub fn none() -> OptionGuard {
        OptionGuard { parts: Vec::new() }
    }

    /// What is wrong with a line, if it may not reach the engine.
    pub fn refuses(&self, line: &str) -> Option<String> {
        if self.parts.is_empty() {
            return None;
        }
        let line = squeezed(line);
        let (_, setting) = line.split_once("setoption")?;
        if let Some(part) = self.parts.iter().find(|part| setting.contains(part.as_str())) {
            return Some(format!("no page may set an option with {part:?} in it"));
        }
        setting.contains(['/', '\\']).then(|| "no page may give an option a path".to_string())
    }
}

/// In small letters, without what engines may skip. Letters that become plain ones as capitals count as those.
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
