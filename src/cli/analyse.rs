//! `tilewright analyse <game.gcg ...>`: where games were won and lost, as text, JSON, GCG with notes, and HTML.
//!
//! Not here: how a game is judged (`analysis/`). Start with [`run`].

#[cfg(feature = "web")]
use crate::analysis::html;
use crate::analysis::report::SCHEMA;
use crate::analysis::{GameAnalyst, GameReport, JudgeBudget, ReportHeading, annotated, mending, text, totals};
use crate::cli::game_arguments::GameArguments;
use crate::cli::long_run;
use crate::cli::output_file::{OutputFile, OutputFolder, OverwriteArguments};
use crate::cli::progress::{RunProgress, say_aside};
use crate::engine::Engine;
use crate::formats::gcg;
use crate::rules::VariantSupport;
use crate::search::{RunSettings, Signals};
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// What is analysed, and what is written.
///
/// Each turn is searched, then best play and play made are simulated again with the same, fresh random numbers: so the loss is not too
/// large because the best was the luckiest. A loss in brackets is within two standard errors: noise. `=` says that the best play was made.
#[derive(clap::Args, Clone, Debug)]
pub struct AnalyseArguments {
    /// Games (.gcg), and folders of them.
    #[arg(required = true, value_name = "GAME")]
    pub games: Vec<PathBuf>,
    /// Time for each turn, ms; all threads work on one turn.
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=86_400_000), conflicts_with = "iterations")]
    pub movetime: u64,
    /// Samples of each turn instead of a time: the same report on any machine. Exact searches get a hundred nodes for each.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub iterations: Option<u64>,
    /// A page with boards, curve, turns and a quiz, in one file that needs no network; with several games the name of a folder.
    #[cfg(feature = "web")]
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// All reports as one JSON document (scripts/README.md describes it).
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// The record with a note behind each turn; with several games the name of a folder.
    #[arg(long, value_name = "FILE")]
    pub gcg: Option<PathBuf>,
    /// Threads; one for each core if not given.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Seed of all random numbers.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// What happens to files that are there.
    #[command(flatten)]
    pub overwriting: OverwriteArguments,
    /// Which game is played.
    #[command(flatten)]
    pub game: GameArguments,
}

/// The JSON document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportFile {
    /// [`SCHEMA`].
    pub schema: u32,
    /// A report a game, in the order of the games.
    pub games: Vec<GameReport>,
}

/// Where reports of a kind go: one game is a file, several are files in a folder.
enum ReportPlace {
    File(OutputFile),
    Folder(OutputFolder, &'static str),
}

impl ReportPlace {
    fn open(path: &Path, ending: &'static str, sources: &[PathBuf], overwriting: OverwriteArguments) -> Result<ReportPlace> {
        if let [_] = sources {
            return Ok(ReportPlace::File(OutputFile::claim(path, overwriting.overwrite())?));
        }
        let names: Vec<String> = sources.iter().map(|source| file_name(source, ending)).collect();
        if let Some(twice) = names.iter().enumerate().find_map(|(at, name)| names[..at].contains(name).then_some(name)) {
            bail!("two games would be written to {twice} in {}: give them different names", path.display());
        }
        let is_ours = |name: &str| names.iter().any(|ours| ours == name);
        Ok(ReportPlace::Folder(OutputFolder::open(path, overwriting.overwrite(), is_ours)?, ending))
    }

    fn write(&mut self, source: &Path, contents: &str) -> Result<()> {
        match self {
            ReportPlace::File(file) => file.write(contents),
            ReportPlace::Folder(folder, ending) => folder.write(&file_name(source, ending), contents),
        }
    }
}

/// The name of a game's report in a folder.
fn file_name(source: &Path, ending: &str) -> String {
    format!("{}.{ending}", source.file_stem().unwrap_or_default().to_string_lossy())
}

/// Analyses the games, one after the other, and prints a report of each.
///
/// # Errors
/// No games, files that cannot be read or written, or an interruption.
pub fn run(arguments: &AnalyseArguments, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let given_up: &'static Signals = Box::leak(Box::default());
    ctrlc::set_handler(move || given_up.stop()).context("cannot listen for interrupts")?;
    analyse(arguments, given_up, say)
}

fn analyse(arguments: &AnalyseArguments, given_up: &Signals, say: &mut dyn FnMut(&str) -> std::io::Result<()>) -> Result<()> {
    let sources = sources(&arguments.games)?;
    let open = |path: &Option<PathBuf>, ending| {
        path.as_ref().map(|path| ReportPlace::open(path, ending, &sources, arguments.overwriting)).transpose()
    };
    #[cfg(feature = "web")]
    let mut pages = open(&arguments.html, "html")?;
    let mut records = open(&arguments.gcg, "gcg")?;
    let mut json = arguments.json.as_ref().map(|path| OutputFile::claim(path, arguments.overwriting.overwrite())).transpose()?;
    let engine = engine(arguments)?;
    // All games are read first: what cannot be read is told before the work begins.
    let mut games = Vec::new();
    for source in &sources {
        match read(source, &engine) {
            Ok(game) => games.push((source, game)),
            Err(error) => say_aside(&format!("{error:#}")),
        }
    }
    ensure!(!games.is_empty(), "no game could be read");
    let budget = arguments.iterations.map_or(JudgeBudget::Time { ms: arguments.movetime }, JudgeBudget::of_iterations);
    let analyst = GameAnalyst { engine: &engine, budget, seed: arguments.seed, given_up };
    let turns: usize = games.iter().map(|(_, game)| game.replay.turns.len()).sum();
    let mut progress = RunProgress::new("turns", 0, turns as u64);
    let mut reports: Vec<GameReport> = Vec::new();
    let mut done = 0;
    for (source, game) in &games {
        let heading = ReportHeading { source: source.display().to_string(), date: Some(today()) };
        let report = analyst.analyse(game, &heading, &mut |turn| progress.tell((done + turn) as u64));
        let Some(report) = report else { bail!("interrupted after {} of {} games", reports.len(), games.len()) };
        done += game.replay.turns.len();
        if !reports.is_empty() {
            say("")?;
        }
        text::lines(&report).iter().try_for_each(|line| say(line))?;
        if let Some(records) = &mut records {
            records.write(source, &gcg::print(&annotated::annotated(game, &report)))?;
        }
        #[cfg(feature = "web")]
        if let Some(pages) = &mut pages {
            pages.write(source, &html::page(&report, engine.rules()))?;
        }
        reports.push(report);
    }
    drop(progress);
    if reports.len() > 1 {
        say("")?;
        text::career_lines(&totals::of_games(&reports)).iter().try_for_each(|line| say(line))?;
    }
    if let Some(json) = &mut json {
        let mut text = serde_json::to_string_pretty(&ReportFile { schema: SCHEMA, games: reports })?;
        text.push('\n');
        json.write(text)?;
    }
    Ok(())
}

fn engine(arguments: &AnalyseArguments) -> Result<Engine> {
    let engine = arguments.game.open_for(VariantSupport::MOST_POINTS)?.own_engine()?;
    engine.lexicon().make_map();
    let settings = RunSettings { threads: long_run::threads(arguments.threads), seed: arguments.seed, ..engine.settings() };
    Ok(engine.with_settings(settings))
}

fn read(source: &Path, engine: &Engine) -> Result<mending::MendedGame> {
    let place = || source.display().to_string();
    let bytes = fs::read(source).with_context(place)?;
    let game = mending::read(&gcg::decode(&bytes), engine.rules()).with_context(place)?;
    ensure!(!game.replay.turns.is_empty(), "{}: no turn of a game in it", source.display());
    Ok(game)
}

/// The games that are named, and those in folders that are named, in the order of their names.
fn sources(games: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut sources = Vec::new();
    for path in games {
        if !path.is_dir() {
            sources.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
        let is_game = |path: &PathBuf| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gcg"));
        let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_game).collect();
        ensure!(!found.is_empty(), "{}: no game (.gcg) in this folder", path.display());
        found.sort();
        sources.append(&mut found);
    }
    Ok(sources)
}

/// The day in UTC, `2026-11-23`.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date_of(i64::try_from(seconds / 86_400).unwrap_or(0))
}

/// The date of a day since 1 January 1970, by the Gregorian calendar. Years are counted from March on, so that a leap day is a year's last.
fn date_of(days: i64) -> String {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = 400 * era + year_of_era + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates() {
        // A day count with leap days by the rule, against the formula.
        let mut days = 0;
        for year in 1970..2110 {
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let lengths = [31, if is_leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            for (month, length) in (1..).zip(lengths) {
                for day in 1..=length {
                    assert_eq!(date_of(days), format!("{year:04}-{month:02}-{day:02}"));
                    days += 1;
                }
            }
        }
    }

    #[test]
    fn reports_of_several_games_need_several_names() {
        let folder = tempfile::tempdir().unwrap();
        let sources = ["a/x.gcg", "b/x.gcg"].map(PathBuf::from);
        let out = folder.path().join("out");
        let refused = ReportPlace::open(&out, "html", &sources, OverwriteArguments::default()).err().unwrap().to_string();
        assert!(refused.contains("two games would be written to x.html"), "{refused}");
        assert!(ReportPlace::open(&out, "html", &["x.gcg", "y.gcg"].map(PathBuf::from), OverwriteArguments::default()).is_ok());
    }
}
