//! `tilewright journal merge <new> <journals...>`: joins journals of one run that several machines wrote, or that were damaged.
//!
//! A line of a journal has the number of its piece, the hash of its run and a checksum (`match_play/journal.rs`). Lines of any kind of
//! journal can therefore be put in order without reading their contents. Start with [`run`].

use crate::host::input_file::{self, MOST_OF_A_RUN};
use crate::host::output::{LinePrinter, say_aside};
use crate::host::output_file::{OutputFile, OverwriteArguments};
use crate::match_play::journal::{JournalHead, PieceHead, RunDifference, difference, read_head, read_piece};
use anyhow::{Context, Result, bail, ensure};
use clap::Subcommand;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The most pieces, or ranges of pieces, that a message names.
const NAMED: usize = 20;

/// Actions on journals.
#[derive(Subcommand, Debug)]
pub enum JournalAction {
    /// Join the journals of a run that several machines shared (--shard) into the file that a single machine would have written.
    ///
    /// Nothing is written if a journal belongs to another run, if two journals have different results for a piece, or if pieces are missing.
    /// A message names the key that differs, or the pieces. Identical copies of a piece count once. Damaged lines are reported and left out,
    /// so their pieces are missing.
    Merge(MergeArguments),
}

/// The journals to join, and the file to write.
#[derive(clap::Args, Clone, Debug)]
pub struct MergeArguments {
    /// The journal to write.
    pub new: PathBuf,
    /// The journals, in any order.
    #[arg(required = true, value_name = "JOURNAL")]
    pub journals: Vec<PathBuf>,
    /// Write the journal even if pieces are missing. The command that made the journals adds them later with --resume.
    #[arg(long)]
    pub partial: bool,
    /// Whether an existing file may be overwritten.
    #[command(flatten)]
    pub overwriting: OverwriteArguments,
}

/// Runs the subcommand.
///
/// # Errors
/// Files cannot be read or written, or the journals cannot be joined.
pub fn run(action: &JournalAction, say: LinePrinter<'_>) -> Result<()> {
    match action {
        JournalAction::Merge(arguments) => merge(arguments, say),
    }
}

/// A line of a journal with a piece: the journal's index, the line's number, and its text.
#[derive(Clone, Copy, Debug)]
struct FoundPiece<'a> {
    journal: usize,
    line: usize,
    text: &'a [u8],
}

/// Joins journals, and prints one line about the result.
///
/// # Errors
/// Files cannot be read or written, the journals belong to different runs, two of them differ in a piece, or pieces are missing.
fn merge(arguments: &MergeArguments, say: LinePrinter<'_>) -> Result<()> {
    let read = |path: &PathBuf| input_file::read(path, MOST_OF_A_RUN).with_context(|| format!("cannot read {}", path.display()));
    let texts = arguments.journals.iter().map(read).collect::<Result<Vec<_>>>()?;
    let names: Vec<String> = arguments.journals.iter().map(|path| path.display().to_string()).collect();
    let mut first: Option<(JournalHead<Value>, &[u8])> = None;
    let (mut pieces, mut doubled, mut total, mut damaged) = (BTreeMap::<u64, FoundPiece<'_>>::new(), Vec::new(), 0, 0);
    for (journal, text) in texts.iter().enumerate() {
        // A last line without a line break was cut off.
        let mut lines = text.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
        let head_line = lines.next().with_context(|| format!("{}: not a journal: it has no complete line", names[journal]))?;
        let head = read_head(head_line).with_context(|| names[journal].clone())?;
        total = total.max(head.pieces);
        let (common, _) = first.get_or_insert((head.clone(), head_line));
        check_run(common, &head).with_context(|| format!("{} and {} cannot be joined", names[0], names[journal]))?;
        for (line, text) in (2..).zip(lines) {
            let found = FoundPiece { journal, line, text };
            match read_piece(text, line, &head.unit) {
                Ok(PieceHead { piece, run }) if run == head.run => match pieces.get(&piece) {
                    Some(other) if other.text != text => doubled.push((piece, *other, found)),
                    Some(_) => {}
                    None => drop(pieces.insert(piece, found)),
                },
                Ok(PieceHead { run, .. }) => {
                    bail!("{}: line {line}: this {} is of the run {run}, expected {}", names[journal], head.unit, head.run)
                }
                Err(error) => {
                    damaged += 1;
                    say_aside(&format!("{}: {error}; the line is left out", names[journal]));
                }
            }
        }
    }
    let (head, head_line) = first.context("no journal")?;
    let unit = &head.unit;
    for (piece, one, other) in doubled.iter().take(NAMED) {
        let place = |found: &FoundPiece<'_>| format!("line {} of {}", found.line, names[found.journal]);
        say_aside(&format!("{unit} {piece} differs between journals: {} and {}", place(one), place(other)));
    }
    ensure!(doubled.is_empty(), "{} {unit}s differ between journals: leave one of the journals out", doubled.len());
    // A run that was resumed with more pieces has more than its header says.
    total = total.max(pieces.last_key_value().map_or(0, |(last, _)| last + 1));
    let missing = ranges((0..total).filter(|piece| !pieces.contains_key(piece)));
    let is_missing = !missing.is_empty();
    let missing_text = || {
        let named = missing.iter().take(NAMED).map(|(from, to)| if from == to { from.to_string() } else { format!("{from}-{to}") });
        let more = if missing.len() > NAMED { ", and more" } else { "" };
        format!("{} of {total} {unit}s are missing: {}{more}", total - pieces.len() as u64, named.collect::<Vec<_>>().join(", "))
    };
    ensure!(!is_missing || arguments.partial, "{}; --partial joins the others anyway", missing_text());
    let mut out = OutputFile::claim(&arguments.new, arguments.overwriting.overwrite())?;
    let lines = pieces.values().flat_map(|found| found.text);
    out.write(head_line.iter().chain(lines).copied().collect::<Vec<u8>>())?;
    let lost = if damaged > 0 { format!(", {damaged} damaged lines were left out") } else { String::new() };
    let end = if is_missing { missing_text() } else { "complete".to_string() };
    say(&format!("{}: {} {unit}s of {} journals{lost}: {end}", arguments.new.display(), pieces.len(), names.len()))?;
    Ok(())
}

/// Checks that two journals belong to the same run.
fn check_run(first: &JournalHead<Value>, other: &JournalHead<Value>) -> Result<()> {
    ensure!(first.kind == other.kind, "one has {}, the other has {}", first.kind, other.kind);
    if first.run != other.run {
        match difference(&first.identity, &other.identity, &[("lexicon", "lexicon"), ("rules", "rules")]) {
            Some(RunDifference { key, there, here }) => {
                bail!("they belong to different runs: {key} is {there} in the first and {here} in the other")
            }
            None => bail!("they belong to different runs, {} and {}", first.run, other.run),
        }
    }
    Ok(())
}

/// Joins consecutive numbers into ranges, each with its first and last number.
fn ranges(numbers: impl Iterator<Item = u64>) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    ranges
}
