//! Reads the files to analyse, with games or positions, and finds the alphabet from their letters.
//!
//! Not here: what is wrong in a game (`formats/gcg/mending.rs`). Start with [`Sources::read`].

use crate::analysis::position_list::{self, PositionList};
use crate::analysis::report::UnreadSource;
use crate::engine::Engine;
use crate::formats::gcg::{self, ReadGame};
use crate::host::game_arguments::GameArguments;
use crate::host::input_file::{self, MOST_OF_POSITIONS};
use crate::host::long_run;
use crate::host::output::say_aside;
use crate::host::surroundings::whole_path;
use crate::rules::fingerprint::Fingerprint;
use crate::rules::{GameRules, Variant, VariantSupport};
use crate::search::RunSettings;
use anyhow::{Context, Result, bail, ensure};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The name that stands for standard input.
const STDIN: &str = "-";

/// Endings of files in a folder.
const ENDINGS: [&str; 3] = ["gcg", "gcgs", "cgp"];

/// The contents of a file.
pub enum SourceContent {
    /// A game.
    Game(Box<ReadGame>),
    /// Positions.
    Positions(PositionList),
}

impl SourceContent {
    /// Counts the turns or positions.
    pub fn turns(&self) -> usize {
        match self {
            SourceContent::Game(game) => game.replay.turns.len(),
            SourceContent::Positions(list) => list.positions.len(),
        }
    }
}

/// A game, or a file of positions.
pub struct Source {
    /// The file.
    pub path: PathBuf,
    /// The number of the game in the file, from 1, if the file has several.
    pub number: Option<usize>,
    /// The contents.
    pub content: SourceContent,
    /// A hash of the file's bytes.
    pub fingerprint: u64,
    /// The index of its words and tables in [`Sources::engines`].
    pub(super) engine: usize,
}

impl Source {
    /// Names the file, and the game in it.
    pub fn name(&self) -> String {
        let game = self.number.map_or_else(String::new, |number| format!(", game {number}"));
        format!("{}{game}", self.path.display())
    }
}

/// Everything that is analysed.
pub struct Sources {
    /// The games and lists of positions that were read, in order.
    pub files: Vec<Source>,
    /// The files and games that could not be read.
    pub unread: Vec<UnreadSource>,
    /// Words and tables of each alphabet that occurs.
    engines: Vec<(String, Engine)>,
}

impl Sources {
    /// Reads all files, and reports those that cannot be read. `paths` is the result of [`paths`].
    ///
    /// # Errors
    /// The lexicon or tables that the flags name cannot be opened, or no file can be read.
    pub fn read(paths: &[PathBuf], arguments: &GameArguments, settings: SourceSettings) -> Result<Sources> {
        let mut sources = Sources { files: Vec::new(), unread: Vec::new(), engines: Vec::new() };
        for path in paths {
            match sources.source(path, arguments, settings) {
                Ok(()) => {}
                Err(error) => sources.leave_out(path.display().to_string(), &error),
            }
        }
        ensure!(!sources.files.is_empty(), "no game could be read");
        Ok(sources)
    }

    fn leave_out(&mut self, source: String, error: &anyhow::Error) {
        let reason = format!("{error:#}");
        say_aside(&format!("{source}: {reason}"));
        self.unread.push(UnreadSource { source, reason });
    }

    /// The words and tables of a file.
    pub fn engine(&self, source: &Source) -> &Engine {
        &self.engines[source.engine].1
    }

    /// Describes the words, tables and rules of each alphabet, for comparing runs.
    pub fn tables(&self) -> Vec<String> {
        self.engines.iter().map(|(_, engine)| tables_of(engine)).collect()
    }

    /// Adds the games or positions of a file.
    fn source(&mut self, path: &Path, arguments: &GameArguments, settings: SourceSettings) -> Result<()> {
        let is_stdin = path == Path::new(STDIN);
        let bytes = if is_stdin { input_file::read_stdin(MOST_OF_POSITIONS)? } else { input_file::read(path, MOST_OF_POSITIONS)? };
        let path = if is_stdin { Path::new("stdin") } else { path };
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(bytes.iter().copied());
        let fingerprint = fingerprint.value();
        // Only sizes and the bonus matter at first. The words follow when the alphabet is known.
        let reading = gcg::understand(&bytes, &arguments.rules(settings.variant)?);
        let is_list = position_list::is_list(&reading.text);
        let letters = reading
            .letters
            .as_ref()
            .filter(|_| !is_list && arguments.words.letters.letters.is_none())
            .map(|letters| letters.name().to_string());
        let engine = self.engine_of(letters.as_deref(), arguments, settings)?;
        let path = path.to_path_buf();
        if is_list {
            let content = SourceContent::Positions(position_list::read(&reading.text, self.rules(engine)));
            self.add(Source { path, number: None, content, fingerprint, engine })?;
            return Ok(());
        }
        let games = gcg::games_of(&reading.text);
        for (number, game) in (1..).zip(&games) {
            let number = Some(number).filter(|_| games.len() > 1);
            // Each game is read from a text of its own, with its original line numbers.
            let text = "\n".repeat(game.line - 1) + game.text;
            let read = gcg::read(&text, self.rules(engine)).map(|mut read| {
                read.notes.splice(0..0, reading.notes.iter().cloned());
                Source { path: path.clone(), number, content: SourceContent::Game(Box::new(read)), fingerprint, engine }
            });
            let added = read.map_err(anyhow::Error::from).and_then(|source| self.add(source));
            match (added, number) {
                (Ok(()), _) => {}
                (Err(error), None) => return Err(error),
                (Err(error), Some(number)) => self.leave_out(format!("{}, game {number}", path.display()), &error),
            }
        }
        Ok(())
    }

    fn rules(&self, engine: usize) -> &GameRules {
        self.engines[engine].1.rules()
    }

    /// Adds a source, which must have turns.
    fn add(&mut self, source: Source) -> Result<()> {
        if let SourceContent::Positions(PositionList { positions, notes }) = &source.content
            && positions.is_empty()
            && let Some(note) = notes.first()
        {
            bail!("{note}");
        }
        ensure!(source.content.turns() > 0, "expected a game or positions, found no turn");
        self.files.push(source);
        Ok(())
    }

    /// Returns the index of the engine for an alphabet. The engine is opened on first use.
    fn engine_of(&mut self, letters: Option<&str>, arguments: &GameArguments, settings: SourceSettings) -> Result<usize> {
        let name = letters.unwrap_or_default();
        if let Some(at) = self.engines.iter().position(|(known, _)| known == name) {
            return Ok(at);
        }
        let mut arguments = arguments.clone();
        if let Some(letters) = letters {
            arguments.words.letters.letters = Some(letters.to_string());
        }
        // With the words of another language, every play would be a phony.
        if let Some(letters) = letters.filter(|_| arguments.words.lexicon.is_none()) {
            bail!("the letters of this game are {letters}: name a {letters} word list with --lexicon <file>");
        }
        let engine = arguments.open_variant(settings.variant, VariantSupport::MOST_POINTS)?.own_engine()?;
        engine.lexicon().make_map();
        let settings = RunSettings { threads: long_run::threads(settings.threads), seed: settings.seed, ..engine.settings() };
        self.engines.push((name.to_string(), engine.with_settings(settings)));
        Ok(self.engines.len() - 1)
    }
}

/// Describes the words, tables and rules of an engine, with their fingerprints.
pub fn tables_of(engine: &Engine) -> String {
    let (knowledge, lexicon, rules) = (engine.knowledge(), engine.lexicon(), engine.rules());
    let (leaves, win) = (knowledge.evaluator.leaves_id(), knowledge.evaluator.win_id());
    format!("{} {:016x}, {leaves}, {win}, rules {:016x}", lexicon.name(), lexicon.fingerprint(), rules.fingerprint())
}

/// How searches are run.
#[derive(Clone, Copy, Debug)]
pub struct SourceSettings {
    /// The variant of the games.
    pub variant: Variant,
    /// Threads. `None` means one for each core.
    pub threads: Option<u16>,
    /// Seed of all random numbers.
    pub seed: u64,
}

/// Returns the named files, and all games and lists in and below the named folders, each once and in the order of their names.
///
/// # Errors
/// A folder cannot be read, or has no game.
pub fn paths(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for path in named {
        if !path.is_dir() {
            paths.push(path.clone());
            continue;
        }
        let mut found = input_file::files_below(path, &ENDINGS).with_context(|| format!("cannot read {}", path.display()))?;
        ensure!(!found.is_empty(), "{}: this folder and those below it have no games (.gcg) or positions (.cgp)", path.display());
        paths.append(&mut found);
    }
    let mut seen = HashSet::new();
    paths.retain(|path| seen.insert(whole_path(path).unwrap_or_else(|_| path.clone())));
    Ok(paths)
}
