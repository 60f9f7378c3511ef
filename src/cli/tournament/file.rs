//! The file of a tournament: TOML, read with errors that name file, line and key.
//!
//! What the keys are is in `tournament/configuration.rs`. Start with [`read`].

use crate::tournament::configuration::{Competitor, TournamentSetting};
use anyhow::{Context, Result, anyhow};
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A tournament's file.
#[derive(Clone, Debug)]
pub struct TournamentFile {
    /// What it says.
    pub setting: TournamentSetting,
    /// Its engines.
    pub competitors: Vec<Competitor>,
    /// The folder that it stands in, from the root: paths in it begin there.
    pub folder: PathBuf,
}

/// Reads a file.
///
/// # Errors
/// It cannot be read, or says what cannot be: with file, line and key.
pub fn read(path: &Path) -> Result<TournamentFile> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let whole = std::fs::canonicalize(path).with_context(|| format!("cannot read {}", path.display()))?;
    let folder = whole.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    let (setting, competitors) = parse(&text).map_err(|wrong| anyhow!("{}:{}: {}", path.display(), wrong.line, wrong.text))?;
    Ok(TournamentFile { setting, competitors, folder })
}

/// What is wrong with a text, and where.
#[derive(Debug, PartialEq, Eq)]
struct WrongLine {
    /// 1-based.
    line: usize,
    /// The key, as far as there is one, and what is wrong.
    text: String,
}

fn parse(text: &str) -> Result<(TournamentSetting, Vec<Competitor>), WrongLine> {
    let line_of = |offset: usize| text.bytes().take(offset).filter(|&byte| byte == b'\n').count() + 1;
    let table = DeTable::parse(text)
        .map_err(|error| WrongLine { line: line_of(error.span().map_or(0, |span| span.start)), text: error.message().to_string() })?;
    let setting: TournamentSetting = toml::from_str(text).map_err(|error: toml::de::Error| {
        let offset = error.span().map_or(0, |span| span.start);
        let key = key_at(table.get_ref(), offset).map(|key| format!("{key}: ")).unwrap_or_default();
        WrongLine { line: line_of(offset), text: format!("{key}{}", error.message()) }
    })?;
    let competitors = setting
        .competitors()
        .map_err(|error| WrongLine { line: line_of(offset_of(table.get_ref(), &error.key)), text: error.to_string() })?;
    Ok((setting, competitors))
}

/// The key whose name or value stands at an offset, as `engines[1].name`: the innermost one.
fn key_at(table: &DeTable<'_>, offset: usize) -> Option<String> {
    for (name, value) in table {
        if name.span().contains(&offset) {
            return Some(name.get_ref().to_string());
        }
        let below = match value.get_ref() {
            DeValue::Table(table) => key_at(table, offset).map(|key| format!(".{key}")),
            DeValue::Array(values) => (0..).zip(values.iter()).find_map(|(at, value): (usize, &Spanned<DeValue<'_>>)| {
                let below = value.get_ref().as_table().and_then(|table| key_at(table, offset)).map(|key| format!("[{at}].{key}"));
                below.or_else(|| value.span().contains(&offset).then(|| format!("[{at}]")))
            }),
            _ => None,
        };
        if let Some(below) = below {
            return Some(format!("{}{below}", name.get_ref()));
        }
        if value.span().contains(&offset) {
            return Some(name.get_ref().to_string());
        }
    }
    None
}

/// Where a key stands, or as much of it as there is.
fn offset_of(table: &DeTable<'_>, key: &str) -> usize {
    let mut here = table;
    let mut offset = 0;
    for part in key.split('.') {
        let (name, index) =
            part.split_once('[').map_or((part, None), |(name, rest)| (name, rest.trim_end_matches(']').parse::<usize>().ok()));
        let Some((found, value)) = here.iter().find(|(found, _)| found.get_ref() == name) else { break };
        offset = found.span().start;
        let value = match (index, value.get_ref()) {
            (Some(index), DeValue::Array(values)) => {
                let Some(value) = values.get(index) else { break };
                offset = value.span().start;
                value.get_ref()
            }
            (_, value) => value,
        };
        let Some(below) = value.as_table() else { break };
        here = below;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: &str = "pairs = 2\n\n[time]\nmove_ms = 5\n\n[[engines]]\nname = \"a\"\nplayer = \"static\"\n\n[[engines]]\nname = \"b\"\nplayer = \"greedy\"\n";

    fn check(change: (&str, &str), line: usize, text: &str) {
        let changed = SOUND.replacen(change.0, change.1, 1);
        assert_ne!(changed, SOUND);
        let wrong = parse(&changed).unwrap_err();
        assert_eq!(wrong.line, line, "{wrong:?}");
        assert!(wrong.text.starts_with(text), "{wrong:?}, expected {text}");
    }

    #[test]
    fn errors_name_line_and_key() {
        assert_eq!(parse(SOUND).unwrap().1.len(), 2);
        check(("pairs = 2", "pairs = 2\nhours = 3"), 2, "hours: unknown field `hours`, expected");
        check(("pairs = 2", "pairs = \"two\""), 1, "pairs: invalid type: string \"two\"");
        check(("pairs = 2", "pairs = "), 1, "");
        check(("move_ms = 5", "move_ms = 5\nmoves = 1"), 5, "time.moves: unknown field `moves`");
        check(("move_ms = 5", "move_ms = 0"), 4, "time.move_ms: move_ms is 0: expected 1 to");
        check(("player = \"greedy\"", "player = \"gredy\""), 12, "engines[1].player: there is no player \"gredy\"");
        check(("player = \"greedy\"", "player = \"greedy\"\nplayers = 1"), 13, "engines[1].players: unknown field");
        check(("name = \"b\"", "name = \"a\""), 11, "engines[1].name: \"a\" is empty or the name of another");
        check(("player = \"greedy\"", "dialect = \"siuu\"\ncommand = \"x\""), 12, "engines[1].dialect: unknown variant `siuu`");
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = format!("{:#}", read(Path::new("no/such/tournament")).unwrap_err());
        assert!(error.starts_with("cannot read no/such/tournament"), "{error}");
    }
}
