//! `tilewright lexicon`: makes word graphs from lists, checks graphs, lists words, also for learning them,
//! and converts leave values.

use crate::engine::tables;
use crate::evaluation::LeaveTable;
use crate::formats::kwg;
use crate::host::game_arguments::LetterArguments;
use crate::host::output;
use crate::host::output::{LinePrinter, say_aside};
use crate::host::output_file::{OutputFile, OverwriteArguments, ensure_different};
use crate::host::resources::{open_leave_table, open_lexicon};
use crate::lab::train::leaves::{best_and_worst, leave_file};
use crate::lexicon::word_study::{Alphagram, alphagrams};
use crate::lexicon::{Lexicon, Pattern};
use crate::rules::{Letter, LetterDistribution};
use anyhow::{Context, ensure};
use clap::Subcommand;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The action, and the letters of the words.
#[derive(clap::Args, Debug)]
pub struct LexiconArguments {
    /// The action.
    #[command(subcommand)]
    pub action: LexiconAction,
    /// The letters of the words.
    #[command(flatten)]
    pub letters: LetterArguments,
}

/// Actions on word graphs, lists and leave values.
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
    /// Check a word graph (.kwg), a list (.txt) or leave values (.klv2, .leaves), and print a summary.
    Check {
        /// The file.
        file: PathBuf,
    },
    /// Convert leave values from a file or from the program itself: to .klv2 for other engines, to .leaves for this one.
    Leaves {
        /// The values (.klv2 or .leaves), or `enable` or `crossplay` for the program's own.
        from: PathBuf,
        /// The file to write (.klv2 or .leaves).
        to: PathBuf,
        /// What happens to a file of that name.
        #[command(flatten)]
        overwriting: OverwriteArguments,
    },
    /// List words to learn, anagrams on one line: by length, pattern, number of anagrams and probability.
    ///
    /// The second number of a line counts the ways to draw the letters from a full bag. The first number is their rank by that count among
    /// all letters of the same length. If the list has definitions, they follow on lines of their own.
    Words(WordsArguments),
    /// Write the words of a graph to a list.
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

/// The words that are listed, and their order.
#[derive(clap::Args, Debug)]
pub struct WordsArguments {
    /// The list (.txt) or graph (.kwg). Without one, the built-in list.
    pub list: Option<PathBuf>,
    /// Words of this length, or of a range of lengths: `7` or `7-8`.
    #[arg(long, value_name = "N", default_value = "2-21", value_parser = number_range)]
    pub length: NumberRange,
    /// Words that match: `?` or `.` is any letter, `*` any number of letters. Their anagrams are also shown.
    #[arg(long, value_name = "PATTERN")]
    pub pattern: Option<String>,
    /// Letters that make this many words, as a number or a range.
    #[arg(long, value_name = "N", default_value = "1-1000", value_parser = number_range)]
    pub anagrams: NumberRange,
    /// Letters of these ranks by probability within their length: `1-500` for the 500 most probable ones.
    #[arg(long, value_name = "N", default_value = "1-1000000", value_parser = number_range)]
    pub rank: NumberRange,
    /// Blanks that may be drawn in place of letters. Without this flag, all blanks of the game.
    #[arg(long, value_name = "N")]
    pub blanks: Option<usize>,
    /// The order of words of the same length.
    #[arg(long, value_name = "ORDER", value_enum, default_value = "probability")]
    pub order: WordOrder,
    /// Show at most this many sets of letters.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub most: Option<u64>,
}

/// The order of sets of letters of the same length.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordOrder {
    /// Most probable letters first.
    Probability,
    /// By their first word.
    Alphabet,
}

/// An inclusive range of numbers.
type NumberRange = RangeInclusive<usize>;

/// Parses `7` or `7-8`.
fn number_range(text: &str) -> Result<NumberRange, String> {
    let wrong = || "expected a number such as 7, or two such as 7-8, the smaller one first".to_string();
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.parse::<usize>().map_err(|_| wrong());
    let range = number(first)?..=number(last)?;
    if range.is_empty() { Err(wrong()) } else { Ok(range) }
}

/// Runs the subcommand.
///
/// # Errors
/// A file cannot be read or written, or is invalid.
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
                tell(&out, "A word graph has no definitions: load the list itself to see them.")?;
            }
            Ok(())
        }
        LexiconAction::Check { file } => check(file, &alphabet),
        LexiconAction::Words(arguments) => {
            let lexicon = match &arguments.list {
                Some(list) => open(list, &alphabet)?,
                None => Lexicon::builtin(),
            };
            ensure!(
                lexicon.fits(&alphabet),
                "{} has letters that the {} alphabet lacks: name a list in that alphabet",
                lexicon.name(),
                alphabet.name()
            );
            words(arguments, &lexicon, &alphabet, &mut output::line)
        }
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

/// Claims the file to write, which must not be the one that is read.
fn to_write(from: &Path, to: &Path, overwriting: OverwriteArguments) -> anyhow::Result<OutputFile> {
    ensure_different(from, to)?;
    OutputFile::claim(to, overwriting.overwrite())
}

/// Reports what was written: on stdout, or on stderr if the file itself is a stream.
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
    ensure!(lexicon.fits(alphabet), "{}: this list has letters that the {} alphabet lacks", path.display(), alphabet.name());
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
    if let Some(name) = from.to_str().and_then(tables::built_in_name) {
        return Ok(tables::built_in_leave_table(name, alphabet)?);
    }
    Ok(open_leave_table(from, alphabet)?)
}

/// Lists the selected words, with anagrams on one line.
fn words(arguments: &WordsArguments, lexicon: &Lexicon, alphabet: &LetterDistribution, say: LinePrinter<'_>) -> anyhow::Result<()> {
    let WordsArguments { length, anagrams, rank, order, .. } = arguments;
    let pattern = arguments.pattern.as_deref().map(|text| Pattern::parse(text, alphabet)).transpose().context("--pattern")?;
    let matching: Option<HashSet<Vec<Letter>>> =
        pattern.map(|pattern| lexicon.list().matching(&pattern, usize::MAX).words.into_iter().collect());
    let is_wanted = |set: &Alphagram| {
        let is_like = matching.as_ref().is_none_or(|matching| set.words.iter().any(|word| matching.contains(word)));
        length.contains(&set.letters.len()) && anagrams.contains(&set.words.len()) && rank.contains(&set.rank) && is_like
    };
    let mut sets = alphagrams(lexicon.list(), alphabet, arguments.blanks.unwrap_or(usize::MAX));
    sets.retain(is_wanted);
    if *order == WordOrder::Alphabet {
        sets.sort_by_key(|set| (set.letters.len(), set.words.first().cloned()));
    }
    sets.truncate(arguments.most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX));
    ensure!(!sets.is_empty(), "{} has no such words", lexicon.name());
    let width = sets.iter().map(|set| set.letters.len()).max().unwrap_or(0).max("letters".len());
    say(&format!("{:>6}  {:>14}  {:<width$}  words", "rank", "ways", "letters"))?;
    for set in &sets {
        let texts: Vec<String> = set.words.iter().map(|word| alphabet.word_text(word)).collect();
        say(&format!("{:>6}  {:>14.0}  {:<width$}  {}", set.rank, set.ways, set.letters.text(alphabet), texts.join(" ")))?;
        for (word, text) in set.words.iter().zip(&texts) {
            lexicon.definition(word).map_or(Ok(()), |definition| say(&format!("{:>26}{text}: {definition}", "")))?;
        }
    }
    Ok(())
}

/// Returns the words, one a line.
fn text_of(lexicon: &Lexicon, alphabet: &LetterDistribution) -> String {
    let mut text = String::new();
    for word in lexicon.list().words() {
        let letters: Vec<Letter> = word.into_iter().filter_map(Letter::new).collect();
        text.push_str(&alphabet.word_text(&letters));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        words: WordsArguments,
    }

    const LIST: &str = "care to look after\nacre a measure of land\nRACE\nscare to frighten\ncares\nacres\nraces\ntea\neat\nqi\n";

    fn told(flags: &str) -> anyhow::Result<Vec<String>> {
        let english = LetterDistribution::english();
        let lexicon = Lexicon::from_text("pets", &english, LIST)?;
        let line = Line::try_parse_from(["words"].into_iter().chain(flags.split_whitespace()))?;
        let mut lines = Vec::new();
        words(&line.words, &lexicon, &english, &mut |text: &str| {
            lines.push(text.to_string());
            Ok(())
        })?;
        Ok(lines)
    }

    #[test]
    fn words_are_selected_and_stand_with_their_anagrams() {
        let heading = "  rank            ways  letters  words";
        assert_eq!(
            told("--length 4 --blanks 0").unwrap(),
            [
                heading,
                "     1            1296  ACER     ACRE CARE RACE",
                "                          ACRE: a measure of land",
                "                          CARE: to look after"
            ]
        );
        assert_eq!(told("--anagrams 2 --blanks 0").unwrap(), [heading, "     1             648  AET      EAT TEA"]);
        assert_eq!(
            told("--pattern sc*").unwrap()[1].split_whitespace().collect::<Vec<_>>()[2..],
            ["ACERS", "ACRES", "CARES", "RACES", "SCARE"]
        );
        assert_eq!(
            told("--length 2-3 --rank 1 --order alphabet --most 1 --blanks 0").unwrap()[1..],
            ["     1               9  IQ       QI"]
        );
        let error = |flags: &str| told(flags).unwrap_err().to_string();
        assert_eq!(error("--length 9"), "pets has no such words");
        assert!(format!("{:#}", told("--pattern c4*").unwrap_err()).contains("--pattern: column 2: \"4\" is not a tile"));
        for flags in ["--length x", "--length 8-7", "--rank", "--order size"] {
            assert!(told(flags).is_err(), "{flags}");
        }
        assert!(error("--length 8-7").contains("expected a number such as 7, or two such as 7-8, the smaller one first"));
    }
}
