//! The configuration file of a tournament, in TOML, with errors that name file, line and key.
//! Flags can change its keys, or replace the file.
//!
//! Not here: the keys (`tournament/configuration.rs`). Start with [`TournamentSource::read`].

use crate::host::input_file::{self, MOST_OF_A_SETTING};
use crate::host::surroundings::{current_folder, whole_path};
use crate::tournament::configuration::{Competitor, TournamentSetting};
use anyhow::{Context, Result, anyhow, bail};
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// The beginning of an error in the combination of file and flags.
const OF_FLAGS: &str = "--set, --engine: ";

/// A tournament's file.
#[derive(Clone, Debug)]
pub struct TournamentFile {
    /// Its settings.
    pub setting: TournamentSetting,
    /// Its engines.
    pub competitors: Vec<Competitor>,
    /// The absolute path of the file's folder. Paths in the file are relative to it.
    pub folder: PathBuf,
}

/// The description of a tournament: a file, flags, or both.
#[derive(clap::Args, Clone, Debug)]
pub struct TournamentSource {
    /// The tournament's file (TOML). Without it, flags describe the tournament; with --report, the journal is enough.
    #[arg(required_unless_present_any = ["engine", "report"])]
    pub file: Option<PathBuf>,
    /// Add an engine: a player of this program, or keys such as 'name = "mine", dialect = "siu", command = "./mine"'.
    #[arg(long, value_name = "ENGINE")]
    pub engine: Vec<String>,
    /// Set or change a key of the file: pairs=50, time.move_ms=100, format=swiss.
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

impl TournamentSource {
    /// Reads the file and applies the flags.
    ///
    /// # Errors
    /// The file cannot be read, or the file or a flag is invalid. The error names file, line and key, or the flag.
    pub fn read(&self) -> Result<TournamentFile> {
        let Some(path) = &self.file else { return self.merged(Table::new(), current_folder()?) };
        let text = input_file::read_text(path, MOST_OF_A_SETTING).with_context(|| format!("cannot read {}", path.display()))?;
        let folder = whole_path(path)?.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        let alone = parse(&text);
        if self.engine.is_empty() && self.set.is_empty() {
            let (setting, competitors) = alone.map_err(|wrong| wrong.at(path))?;
            return Ok(TournamentFile { setting, competitors, folder });
        }
        let of_file = |error: anyhow::Error| match (&alone, error.to_string().strip_prefix(OF_FLAGS)) {
            // An error that also occurs without the flags belongs to the file.
            (Err(wrong), Some(text)) if wrong.text.ends_with(text) => wrong.at(path),
            _ => error,
        };
        let table = text.parse().map_err(|error: toml::de::Error| anyhow!("{OF_FLAGS}{}", error.message())).map_err(of_file)?;
        self.merged(table, folder).map_err(of_file)
    }

    /// Whether there is neither a file nor a flag.
    pub fn is_empty(&self) -> bool {
        self.file.is_none() && self.engine.is_empty() && self.set.is_empty()
    }

    /// Returns the default name of the tournament's files.
    pub fn name(&self) -> PathBuf {
        self.file.as_deref().and_then(Path::file_stem).map_or_else(|| PathBuf::from("tournament"), PathBuf::from)
    }

    /// Merges a file's keys with those of the flags.
    fn merged(&self, mut table: Table, folder: PathBuf) -> Result<TournamentFile> {
        for flag in &self.set {
            let (key, value) = flag.split_once('=').with_context(|| format!("--set {flag}: expected KEY=VALUE"))?;
            // A value that is not valid TOML is a string without quotes.
            let change = format!("{key}={value}").parse().or_else(|_| format!("{key}={}", Value::from(value.trim())).parse());
            let change: Table = change.map_err(|error: toml::de::Error| anyhow!("--set {flag}: {}", error.message()))?;
            merge(&mut table, change);
        }
        for flag in &self.engine {
            let keys = format!("engine={{{flag}}}").parse().ok().and_then(|mut keys: Table| keys.remove("engine"));
            let player =
                || Table::from_iter([("name", flag), ("player", flag)].map(|(key, text)| (key.into(), Value::String(text.clone()))));
            // The spec of a player is not TOML.
            let engine = keys.filter(|keys| keys.as_table().is_some_and(|keys| !keys.is_empty())).unwrap_or_else(|| Value::Table(player()));
            match table.entry("engines").or_insert_with(|| Value::Array(Vec::new())) {
                Value::Array(engines) => engines.push(engine),
                _ => bail!("engines: expected tables"),
            }
        }
        // Parsed as text, so that an error names its key.
        let (setting, competitors) = parse(&table.to_string()).map_err(|wrong| anyhow!("{OF_FLAGS}{}", wrong.text))?;
        Ok(TournamentFile { setting, competitors, folder })
    }
}

/// Copies the values of `change` and of the tables in it into `table`.
fn merge(table: &mut Table, change: Table) {
    for (key, value) in change {
        match (table.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(change)) => merge(below, change),
            (_, value) => drop(table.insert(key, value)),
        }
    }
}

/// An error in a text, with its line.
#[derive(Debug, PartialEq, Eq)]
struct WrongLine {
    /// The line, from 1.
    line: usize,
    /// The key, if known, and the error.
    text: String,
}

impl WrongLine {
    /// Returns the error with the file's path.
    fn at(&self, path: &Path) -> anyhow::Error {
        anyhow!("{}:{}: {}", path.display(), self.line, self.text)
    }
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

/// Returns the innermost key whose name or value is at an offset, such as `engines[1].name`.
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

/// Returns the offset of a key, or of the part of the key that exists.
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
        check(("name = \"b\"", "name = \"a\""), 11, "engines[1].name: \"a\": expected a name in one line");
        check(("player = \"greedy\"", "dialect = \"siuu\"\ncommand = \"x\""), 12, "engines[1].dialect: unknown variant `siuu`");
    }

    #[test]
    fn flags_change_a_file_or_stand_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t.toml");
        std::fs::write(&file, SOUND).unwrap();
        let read = |file: Option<&Path>, engines: &[&str], sets: &[&str]| {
            let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_string()).collect();
            TournamentSource { file: file.map(PathBuf::from), engine: texts(engines), set: texts(sets) }.read()
        };
        let changed =
            read(Some(&file), &["rack1"], &["pairs=7", "time.move_ms = 9", "format=gauntlet", "game.lexicon=a \"b\".txt"]).unwrap();
        let TournamentSetting { pairs, time, format, game, .. } = &changed.setting;
        assert_eq!((*pairs, time.move_ms, *format), (7, Some(9), crate::tournament::configuration::TournamentFormat::Gauntlet));
        assert_eq!(game.lexicon.as_deref(), Some("a \"b\".txt"));
        let names = |read: &TournamentFile| read.competitors.iter().map(|competitor| competitor.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&changed), ["a", "b", "rack1"]);
        assert_eq!(changed.folder, std::fs::canonicalize(folder.path()).unwrap());
        let flags = read(None, &["sim:iterations=200,plays=5", "name = \"mine\", dialect = \"siu\""], &["pairs=1"]).unwrap();
        assert_eq!(names(&flags), ["sim:iterations=200,plays=5", "mine"]);
        let refused = |sets: &[&str], engines: &[&str], text: &str| {
            let error = format!("{:#}", read(None, engines, sets).unwrap_err());
            assert!(error.contains(text), "{error}, expected {text}");
        };
        refused(&["pairs=1", "hours=3"], &["static", "greedy"], "hours: unknown field `hours`");
        refused(&["time.move_ms=soon"], &["static", "greedy"], "time.move_ms: invalid type: string \"soon\", expected ");
        refused(&["pairs"], &["static", "greedy"], "--set pairs: expected KEY=VALUE");
        refused(&["pairs=1", "game.variant=misere"], &["static", "greedy"], "game.variant: expected classic or crossplay");
        refused(&["pairs=0"], &["static", "greedy"], "pairs: expected 1 or more");
        refused(&["pairs=1"], &["static", "gredy"], "engines[1].player: there is no player \"gredy\"");
        refused(&[], &["static", "greedy"], "missing field `pairs`");
        // Errors in the file name its lines, whatever the flags are.
        let wrong_file = |change: (&str, &str), expected: &str| {
            std::fs::write(&file, SOUND.replacen(change.0, change.1, 1)).unwrap();
            let error = format!("{:#}", read(Some(&file), &[], &["seed=5"]).unwrap_err());
            assert!(error.starts_with(&format!("{}:{expected}", file.display())), "{error}, expected {expected}");
        };
        wrong_file(("pairs = 2", "pairs = 2\nhours = 3"), "2: hours: unknown field `hours`, expected");
        wrong_file(("pairs = 2", "pairs = "), "1: ");
        wrong_file(("player = \"greedy\"", "player = \"gredy\""), "12: engines[1].player: there is no player \"gredy\"");
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let source = TournamentSource { file: Some(PathBuf::from("no/such/tournament")), engine: Vec::new(), set: Vec::new() };
        let error = format!("{:#}", source.read().unwrap_err());
        assert!(error.starts_with("cannot read no/such/tournament"), "{error}");
    }
}
