//! `tilewright lexicon`: makes and checks word graphs, lists their words,
//! and converts leave values. Graphs are made from lists; files from elsewhere are checked.

use crate::evaluation::LeaveTable;
use crate::formats::{kwg, leave_table};
use crate::host::game_arguments::LetterArguments;
use crate::host::output;
use crate::host::output::say_aside;
use crate::host::output_file::{OutputFile, OverwriteArguments, ensure_different};
use crate::host::resources::{open_leave_table, open_lexicon};
use crate::lab::train::leaves::{best_and_worst, leave_file};
use crate::lexicon::Lexicon;
use crate::rules::{Letter, LetterDistribution};
use anyhow::ensure;
use clap::Subcommand;
use std::path::{Path, PathBuf};

/// What to do, and in which letters.
#[derive(clap::Args, Debug)]
pub struct LexiconArguments {
    /// What to do.
    #[command(subcommand)]
    pub action: LexiconAction,
    /// The letters of the words.
    #[command(flatten)]
    pub letters: LetterArguments,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum LexiconAction {
    /// Make a word graph (.kwg) from a list of words, one a line.
    Build {
        /// The list (.txt).
        list: PathBuf,
        /// The graph to write (.kwg).
        graph: PathBuf,
        /// What happens to a file of that name.
        #[command(flatten)]
        overwriting: OverwriteArguments,
    },
    /// Check a word graph (.kwg), a list (.txt) or leave values (.klv2, .leaves), and say what is in it.
    Check {
        /// The file.
        file: PathBuf,
    },
    /// Write leave values in another form, or those that the program carries: .klv2 for other engines, .leaves for this one.
    Leaves {
        /// The values (.klv2 or .leaves), or `enable` for the program's own.
        from: PathBuf,
        /// The file to write (.klv2 or .leaves).
        to: PathBuf,
        /// What happens to a file of that name.
        #[command(flatten)]
        overwriting: OverwriteArguments,
    },
    /// List the words of a graph.
    Export {
        /// The graph (.kwg).
        graph: PathBuf,
        /// The list to write (.txt).
        list: PathBuf,
        /// What happens to a file of that name.
        #[command(flatten)]
        overwriting: OverwriteArguments,
    },
}

/// Does it.
///
/// # Errors
/// What is wrong with a file.
pub fn run(arguments: &LexiconArguments) -> anyhow::Result<()> {
    let alphabet = arguments.letters.alphabet()?;
    match &arguments.action {
        LexiconAction::Build { list, graph, overwriting } => {
            let mut out = to_write(list, graph, *overwriting)?;
            let lexicon = open(list, &alphabet)?;
            out.write(kwg::to_bytes(lexicon.graph()))?;
            let (words, nodes) = (lexicon.list().len(), lexicon.graph().nodes().len());
            tell(&out, &format!("{}: {words} words, {nodes} nodes", graph.display()))?;
            if lexicon.has_definitions() {
                tell(&out, "A word graph has no definitions: those of the list are shown where the list itself is loaded.")?;
            }
            Ok(())
        }
        LexiconAction::Check { file } => check(file, &alphabet),
        LexiconAction::Leaves { from, to, overwriting } => {
            let mut out = to_write(from, to, *overwriting)?;
            let table = leaves(from, &alphabet)?;
            out.write(leave_file(to, &table, &alphabet)?)
        }
        LexiconAction::Export { graph, list, overwriting } => {
            let mut out = to_write(graph, list, *overwriting)?;
            let lexicon = open(graph, &alphabet)?;
            out.write(text_of(&lexicon, &alphabet))?;
            tell(&out, &format!("{}: {} words", list.display(), lexicon.list().len()))
        }
    }
}

/// The file to write, which is not the one that is read.
fn to_write(from: &Path, to: &Path, overwriting: OverwriteArguments) -> anyhow::Result<OutputFile> {
    ensure_different(from, to)?;
    OutputFile::claim(to, overwriting.overwrite())
}

/// Says what was written, on stdout, unless the file went there or to another stream.
fn tell(out: &OutputFile, text: &str) -> anyhow::Result<()> {
    if out.is_stream() {
        say_aside(text);
    } else {
        output::line(text)?;
    }
    Ok(())
}

fn open(path: &Path, alphabet: &LetterDistribution) -> anyhow::Result<Lexicon> {
    let lexicon = open_lexicon(path, alphabet)?;
    ensure!(lexicon.fits(alphabet), "{}: it has letters that the {} alphabet lacks", path.display(), alphabet.name());
    Ok(lexicon)
}

fn check(file: &Path, alphabet: &LetterDistribution) -> anyhow::Result<()> {
    let extension = file.extension().unwrap_or_default();
    if extension.eq_ignore_ascii_case("klv2") || extension.eq_ignore_ascii_case("leaves") {
        let table = open_leave_table(file, alphabet)?;
        for line in best_and_worst(&table, alphabet) {
            output::line(&line)?;
        }
        return Ok(());
    }
    let lexicon = open(file, alphabet)?;
    let (words, nodes) = (lexicon.list().len(), lexicon.graph().nodes().len());
    output::line(&format!("{}: {words} words, {nodes} nodes", file.display()))?;
    let mut by_length = Vec::new();
    for word in lexicon.list().words() {
        let length = word.len();
        by_length.resize(by_length.len().max(length + 1), 0usize);
        by_length[length] += 1;
    }
    for (length, count) in by_length.iter().enumerate().filter(|(_, count)| **count > 0) {
        output::line(&format!("{length:>3} letters: {count}"))?;
    }
    Ok(())
}

fn leaves(from: &Path, alphabet: &LetterDistribution) -> anyhow::Result<LeaveTable> {
    if from.as_os_str().eq_ignore_ascii_case(leave_table::BUILTIN_NAME) {
        return Ok(leave_table::builtin());
    }
    Ok(open_leave_table(from, alphabet)?)
}

/// The words, one a line.
fn text_of(lexicon: &Lexicon, alphabet: &LetterDistribution) -> String {
    let mut text = String::new();
    for word in lexicon.list().words() {
        let letters: Vec<Letter> = word.into_iter().filter_map(Letter::new).collect();
        text.push_str(&alphabet.word_text(&letters));
        text.push('\n');
    }
    text
}
