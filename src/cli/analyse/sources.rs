//! What is analysed: files with a game or with positions, each read in the alphabet that its letters make plain.
//!
//! Not here: what is wrong in a game (`analysis/mending.rs`). Start with [`Sources::read`].

use crate::analysis::mending::{self, MendedGame};
use crate::analysis::position_list::{self, PositionList};
use crate::analysis::report::FileNote;
use crate::cli::game_arguments::GameArguments;
use crate::cli::input_file::{self, MOST_OF_POSITIONS};
use crate::cli::long_run;
use crate::cli::progress::say_aside;
use crate::engine::Engine;
use crate::formats::gcg;
use crate::rules::fingerprint::Fingerprint;
use crate::rules::{GameRules, VariantSupport};
use crate::search::RunSettings;
use anyhow::{Context, Result, bail, ensure};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Endings of files in a folder.
const ENDINGS: [&str; 2] = ["gcg", "cgp"];

/// What stands in a file.
pub enum SourceContent {
    /// A game.
    Game(Box<MendedGame>),
    /// Positions.
    Positions(PositionList),
}

impl SourceContent {
    /// Turns or positions.
    pub fn turns(&self) -> usize {
        match self {
            SourceContent::Game(game) => game.replay.turns.len(),
            SourceContent::Positions(list) => list.positions.len(),
        }
    }
}

/// A file.
pub struct Source {
    /// Its name.
    pub path: PathBuf,
    /// What stands there.
    pub content: SourceContent,
    /// Tells the file's bytes apart from others.
    pub fingerprint: u64,
    /// Its words and tables, among [`Sources::engines`].
    engine: usize,
}

/// Everything that is analysed.
pub struct Sources {
    /// The files that can be read, in order.
    pub files: Vec<Source>,
    /// Those that cannot.
    pub unread: Vec<PathBuf>,
    /// Words and tables of each alphabet that occurs.
    engines: Vec<(String, Engine)>,
}

impl Sources {
    /// Reads all files; what cannot be read is told. `paths` are those that [`paths`] found.
    ///
    /// # Errors
    /// The game that the flags name cannot be opened, or nothing can be read.
    pub fn read(paths: &[PathBuf], arguments: &GameArguments, settings: SourceSettings) -> Result<Sources> {
        let mut sources = Sources { files: Vec::new(), unread: Vec::new(), engines: Vec::new() };
        for path in paths {
            match sources.source(path, arguments, settings) {
                Ok(source) => sources.files.push(source),
                Err(error) => {
                    sources.unread.push(path.clone());
                    say_aside(&format!("{error:#}"));
                }
            }
        }
        ensure!(!sources.files.is_empty(), "no game could be read");
        Ok(sources)
    }

    /// The words and tables of a file.
    pub fn engine(&self, source: &Source) -> &Engine {
        &self.engines[source.engine].1
    }

    /// Words, tables and rules of each alphabet, for those who compare runs.
    pub fn tables(&self) -> Vec<String> {
        let facts = |(_, engine): &(String, Engine)| {
            let (knowledge, lexicon, rules) = (engine.knowledge(), engine.lexicon(), engine.rules());
            let (leaves, win) = (knowledge.evaluator.leaves_id(), knowledge.evaluator.win_id());
            format!("{} {:016x}, {leaves}, {win}, rules {:016x}", lexicon.name(), lexicon.fingerprint(), rules.fingerprint())
        };
        self.engines.iter().map(facts).collect()
    }

    fn source(&mut self, path: &Path, arguments: &GameArguments, settings: SourceSettings) -> Result<Source> {
        let place = || path.display().to_string();
        let bytes = input_file::read(path, MOST_OF_POSITIONS).with_context(place)?;
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(bytes.iter().copied());
        // Of the rules the sizes and the bonus matter at first; the words only when it is known in which letters they are.
        let rules = arguments.rules()?;
        let reading = gcg::understand(&bytes, &rules);
        let is_list = position_list::is_list(&reading.text);
        let letters =
            reading.letters.as_ref().filter(|_| !is_list && arguments.letters.is_none()).map(|letters| letters.name().to_string());
        let engine = self.engine_of(letters.as_deref(), arguments, settings).with_context(place)?;
        let rules: &GameRules = self.engines[engine].1.rules();
        let content = if is_list {
            SourceContent::Positions(position_list::read(&reading.text, rules))
        } else {
            let mut game = mending::read(&reading.text, rules).with_context(place)?;
            game.notes.splice(0..0, reading.notes.into_iter().map(|note| FileNote { line: Some(note.line), text: note.text }));
            SourceContent::Game(Box::new(game))
        };
        if let SourceContent::Positions(PositionList { positions, notes }) = &content
            && positions.is_empty()
            && let Some(FileNote { line: Some(line), text }) = notes.first()
        {
            ensure!(notes.is_empty(), "{}: line {line}: {text}", path.display());
        }
        ensure!(content.turns() > 0, "{}: no turn of a game in it", path.display());
        Ok(Source { path: path.to_path_buf(), content, fingerprint: fingerprint.value(), engine })
    }

    /// The number of the engine for an alphabet, which is opened if it is not yet.
    fn engine_of(&mut self, letters: Option<&str>, arguments: &GameArguments, settings: SourceSettings) -> Result<usize> {
        let name = letters.unwrap_or_default();
        if let Some(at) = self.engines.iter().position(|(known, _)| known == name) {
            return Ok(at);
        }
        let arguments = GameArguments { letters: letters.map(String::from).or_else(|| arguments.letters.clone()), ..arguments.clone() };
        // The words of another language would make a phony of each play.
        if let Some(letters) = letters.filter(|_| arguments.lexicon.is_none()) {
            bail!("the letters of this game are {letters}, which needs words: --lexicon <a {letters} list>");
        }
        let engine = arguments.open_for(VariantSupport::MOST_POINTS)?.own_engine()?;
        engine.lexicon().make_map();
        let settings = RunSettings { threads: long_run::threads(settings.threads), seed: settings.seed, ..engine.settings() };
        self.engines.push((name.to_string(), engine.with_settings(settings)));
        Ok(self.engines.len() - 1)
    }
}

/// How searches are run.
#[derive(Clone, Copy, Debug)]
pub struct SourceSettings {
    /// Threads; one for each core if not given.
    pub threads: Option<u16>,
    /// Seed of all random numbers.
    pub seed: u64,
}

/// The files that are named, and those in folders that are named, in the order of their names, each once.
///
/// # Errors
/// A folder that cannot be read, or without a game.
pub fn paths(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for path in named {
        if !path.is_dir() {
            paths.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
        let is_source =
            |path: &PathBuf| path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)));
        let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_source).collect();
        ensure!(!found.is_empty(), "{}: no game (.gcg) and no positions (.cgp) in this folder", path.display());
        found.sort();
        paths.append(&mut found);
    }
    let mut seen = HashSet::new();
    paths.retain(|path| seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.clone())));
    Ok(paths)
}
