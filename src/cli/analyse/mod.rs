//! `tilewright analyse <game.gcg ...>`: where games were won and lost, as text, JSON, GCG with notes, and HTML.
//!
//! Not here: how a game is judged (`analysis/`). Start with [`run`].

pub mod sources;
pub mod course;

#[cfg(feature = "web")]
use crate::analysis::html;
use crate::analysis::record::AnalysisHeader;
use crate::analysis::report::{CareerReport, ReportKind, SCHEMA, UnreadSource};
use crate::analysis::{GameAnalyst, GameReport, JudgeBudget, ReportHeading, annotated, csv_tables, position_list, text, totals};
use crate::cli::analyse::course::{AnalysisRun, RunBudget};
use crate::cli::analyse::sources::{Source, SourceContent, SourceSettings, Sources};
use crate::formats::gcg;
use crate::host::game_arguments::{GameArguments, VariantArguments};
use crate::host::journal_file::{ExistingJournal, ShardArguments};
use crate::host::long_run::{self, GoingOn};
use crate::host::output::{LinePrinter, say_aside};
use crate::host::output_file::{OutputFile, OutputFolder, Overwrite, OverwriteArguments};
use crate::search::limits::{LONGEST_TURN_MS, MOST_SEED, MOST_THREADS};
use crate::search::{OpponentModel, Signals};
use anyhow::{Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// The games to analyse, and the files to write.
#[derive(clap::Args, Clone, Debug)]
pub struct AnalyseArguments {
    /// Games (.gcg), lists of positions (.cgp: one a line, with the play made after `moves`; a rack alone is an opening rack), and folders
    /// of both; `-` for standard input.
    #[arg(required = true, value_name = "GAME")]
    pub games: Vec<PathBuf>,
    /// Time for each turn, ms. All threads work on one turn.
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=LONGEST_TURN_MS), conflicts_with = "iterations")]
    pub movetime: u64,
    /// Time for all turns together, s, instead of --movetime. Each turn gets an equal part of the time that is left.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=31_536_000), conflicts_with_all = ["movetime", "iterations"])]
    pub time: Option<u64>,
    /// Samples of each turn, instead of a time: gives the same report on any machine. Exact searches get 100 nodes for each sample.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub iterations: Option<u64>,
    /// Only read the games and write the lists and tables, without judging any turn.
    #[arg(long, conflicts_with_all = ["movetime", "time", "iterations", "journal"])]
    pub unjudged: bool,
    /// Infer the opponent's tiles from their turns, with this model of how they choose: uniform (no inference), richards-amir, static, sim
    /// or auto, as in the protocol's option OpponentModel.
    #[arg(long, value_name = "MODEL", default_value = "uniform", value_parser = opponent_model)]
    pub opponent: OpponentModel,
    /// Keep each judged turn in this file, so that nothing is lost if the run is interrupted.
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// Continue the run of the --journal file. Its reports are written again.
    #[arg(long, requires = "journal")]
    pub resume: bool,
    /// The part of the turns to judge.
    #[command(flatten)]
    pub part: ShardArguments,
    /// A page with boards, a curve of the win %, the turns and a quiz. The file needs no network. With several games, the name of a folder,
    /// whose index.html has the totals.
    #[cfg(feature = "web")]
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// All reports as one JSON document (docs/analysing.md describes it).
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// A table of all turns (CSV), one row per turn.
    #[arg(long, value_name = "FILE")]
    pub csv_turns: Option<PathBuf>,
    /// A table of all games (CSV), one row per player.
    #[arg(long, value_name = "FILE")]
    pub csv_games: Option<PathBuf>,
    /// The positions of all turns (CGP) as the player saw them, one a line with the play made. The list can be analysed again.
    #[arg(long, value_name = "FILE")]
    pub cgp: Option<PathBuf>,
    /// The record with a note after each turn. With several games, the name of a folder.
    #[arg(long, value_name = "FILE")]
    pub gcg: Option<PathBuf>,
    /// Number of threads. Without this flag, one for each core.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub threads: Option<u16>,
    /// Seed of all random numbers.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MOST_SEED))]
    pub seed: u64,
    /// Whether existing files may be overwritten.
    #[command(flatten)]
    pub overwriting: OverwriteArguments,
    /// Which game is played.
    #[command(flatten)]
    pub game: GameArguments,
    /// Which variant is played.
    #[command(flatten)]
    pub variant: VariantArguments,
}

fn opponent_model(text: &str) -> Result<OpponentModel, String> {
    let names = OpponentModel::ALL.map(|(_, name)| name).join(", ");
    OpponentModel::from_name(text).ok_or_else(|| format!("expected one of {names}"))
}

impl AnalyseArguments {
    fn budget(&self) -> RunBudget {
        if self.unjudged {
            return RunBudget::Nothing;
        }
        match (self.time, self.iterations) {
            (Some(seconds), _) => RunBudget::All { ms: seconds.saturating_mul(1000) },
            (None, Some(iterations)) => RunBudget::Each(JudgeBudget::of_iterations(iterations)),
            (None, None) => RunBudget::Each(JudgeBudget::Time { ms: self.movetime }),
        }
    }

    /// A resumed run overwrites the files that it wrote before.
    fn overwrite(&self) -> Overwrite {
        if self.resume { Overwrite::Allowed } else { self.overwriting.overwrite() }
    }
}

/// The JSON document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportFile {
    /// [`SCHEMA`].
    pub schema: u32,
    /// One report per game, in the order of the games.
    pub games: Vec<GameReport>,
    /// The totals of each player over all games.
    pub players: Vec<CareerReport>,
    /// The files and games that could not be read.
    #[serde(default)]
    pub unread: Vec<UnreadSource>,
}

/// The name of the page of all games, in the folder of their pages.
const OVERVIEW: &str = "index.html";

/// Where reports of one kind go: into a file for one game, into a folder for several.
enum ReportPlace {
    File(OutputFile),
    Folder(OutputFolder, &'static str),
}

impl ReportPlace {
    fn open(path: &Path, ending: &'static str, sources: &[Source], names: &[String], overwrite: Overwrite) -> Result<ReportPlace> {
        if let [_] = sources {
            return Ok(ReportPlace::File(OutputFile::claim(path, overwrite)?));
        }
        let is_ours = |name: &str| (ending == "html" && name == OVERVIEW) || names.iter().any(|ours| name == format!("{ours}.{ending}"));
        Ok(ReportPlace::Folder(OutputFolder::open(path, overwrite, is_ours)?, ending))
    }

    /// Writes a report. In a folder, its file is `name` with the ending.
    fn write(&mut self, name: &str, contents: &str) -> Result<()> {
        match self {
            ReportPlace::File(file) => file.write(contents),
            ReportPlace::Folder(folder, ending) => folder.write(&format!("{name}.{ending}"), contents),
        }
    }
}

/// Returns the names of the reports in a folder, without their endings.
///
/// A report has the name of its file. Files with equal names get as many of their folders' names in
/// front as it takes to tell them apart. Games of one file are numbered. Names that differ only in
/// case count as equal, since many file systems do not tell them apart.
fn report_names(sources: &[Source]) -> Vec<String> {
    let own_name = |source: &Source, folders: usize| {
        let stem = source.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let parents = source.path.ancestors().skip(1).filter_map(|parent| parent.file_name()).take(folders);
        let parents = parents.map(|name| name.to_string_lossy().into_owned() + "-");
        let number = source.number.map_or_else(String::new, |number| format!("-{number}"));
        parents.collect::<Vec<_>>().into_iter().rev().collect::<String>() + &stem + &number
    };
    let depth = sources.iter().map(|source| source.path.components().count()).max().unwrap_or(0);
    let by_depth: Vec<Vec<String>> = (0..=depth).map(|folders| sources.iter().map(|source| own_name(source, folders)).collect()).collect();
    let count = |names: &Vec<String>| {
        let mut counts: HashMap<String, usize> = HashMap::new();
        names.iter().for_each(|name| *counts.entry(name.to_lowercase()).or_default() += 1);
        counts
    };
    let counts: Vec<HashMap<String, usize>> = by_depth.iter().map(count).collect();
    let mut taken = HashSet::from([OVERVIEW.trim_end_matches(".html").to_string()]);
    let mut names = Vec::new();
    for index in 0..sources.len() {
        let is_only = |(names, counts): &(&Vec<String>, &HashMap<String, usize>)| counts.get(&names[index].to_lowercase()) == Some(&1);
        let found = by_depth.iter().zip(&counts).find(is_only).map_or(&by_depth[depth][index], |(names, _)| &names[index]);
        let numbered = (2..).map(|number| format!("{found}_{number}"));
        let name = std::iter::once(found.clone()).chain(numbered).find(|name| !taken.contains(&name.to_lowercase())).unwrap_or_default();
        taken.insert(name.to_lowercase());
        names.push(name);
    }
    names
}

/// Analyses the games, one after the other, and prints a report of each.
///
/// # Errors
/// No games, files that cannot be read or written, a journal of another run, or an interruption.
pub fn run(arguments: &AnalyseArguments, say: LinePrinter<'_>) -> Result<()> {
    let given_up = Arc::new(Signals::default());
    long_run::end_when_interrupted(&given_up)?;
    analyse(arguments, &given_up, say)
}

fn analyse(arguments: &AnalyseArguments, given_up: &Signals, say: LinePrinter<'_>) -> Result<()> {
    check_shard(arguments)?;
    let paths = sources::paths(&arguments.games)?;
    // All games are read first, so that faults are reported before the long work begins.
    let settings = SourceSettings { variant: arguments.variant.variant, threads: arguments.threads, seed: arguments.seed };
    let sources = Sources::read(&paths, &arguments.game, settings)?;
    let (names, overwrite) = (report_names(&sources.files), arguments.overwrite());
    let open = |path: &Option<PathBuf>, ending| {
        path.as_ref().map(|path| ReportPlace::open(path, ending, &sources.files, &names, overwrite)).transpose()
    };
    #[cfg(feature = "web")]
    let mut pages = open(&arguments.html, "html")?;
    let mut records = open(&arguments.gcg, "gcg")?;
    let claim = |path: &Option<PathBuf>| path.as_ref().map(|path| OutputFile::claim(path, overwrite)).transpose();
    let mut json = claim(&arguments.json)?;
    let (mut csv_turns, mut csv_games, mut positions) =
        (claim(&arguments.csv_turns)?, claim(&arguments.csv_games)?, claim(&arguments.cgp)?);
    let (budget, header) = (arguments.budget(), header(arguments, &sources));
    let existing = ExistingJournal::of_flags(arguments.resume, arguments.overwriting.force);
    let journal = arguments.journal.as_deref().map(|path| (path, existing));
    let turns_of: Vec<usize> = sources.files.iter().map(|source| source.content.turns()).collect();
    let (turns, shard) = (turns_of.iter().sum(), arguments.part.shard);
    let mut run = AnalysisRun::open(journal, &header, (budget, shard), &turns_of, given_up)?;
    let mut reports: Vec<GameReport> = Vec::new();
    for (game, (source, name)) in sources.files.iter().zip(&names).enumerate() {
        let engine = sources.engine(source);
        let analyst = GameAnalyst { engine, opponent: arguments.opponent, seed: arguments.seed, given_up };
        let heading = ReportHeading { source: source.name(), budget: budget.text(), date: Some(today()) };
        let report = match &source.content {
            SourceContent::Game(mended) => analyst.analyse(mended, &heading, &mut run.game(game)),
            SourceContent::Positions(list) => analyst.analyse_positions(list, &heading, &mut run.game(game)),
        };
        let Some(report) = report else { return Err(interrupted(run, turns)) };
        // The turns of a shard are in its journal; a report needs all turns.
        if shard.is_some() {
            continue;
        }
        if !reports.is_empty() {
            say("")?;
        }
        text::lines(&report).iter().try_for_each(|line| say(line))?;
        match (&mut records, &source.content) {
            (Some(records), SourceContent::Game(mended)) => {
                records.write(name, &gcg::print(&annotated::annotated(mended, &report)))?;
            }
            (Some(_), SourceContent::Positions(_)) => say_aside(&format!("{}: a list of positions has no GCG record", heading.source)),
            (None, _) => {}
        }
        #[cfg(feature = "web")]
        if let Some(pages) = &mut pages {
            let page = match &pages {
                ReportPlace::File(_) => html::page(&report, engine.rules()),
                ReportPlace::Folder(..) => html::page_of_several(&report, engine.rules(), OVERVIEW),
            };
            pages.write(name, &page)?;
        }
        reports.push(report);
    }
    if let Some(error) = run.take_error() {
        return Err(error);
    }
    if let Some(line) = shard.and_then(|shard| run.shard_line(shard)) {
        return Ok(say(&line)?);
    }
    drop(run);
    let games: Vec<GameReport> = reports.iter().filter(|report| report.kind == ReportKind::Game && !arguments.unjudged).cloned().collect();
    let players = totals::of_games(&games);
    if reports.len() > 1 && !arguments.unjudged {
        say("")?;
        text::career_lines(&players).iter().try_for_each(|line| say(line))?;
    }
    if !sources.unread.is_empty() {
        say("")?;
        text::unread_lines(&sources.unread).iter().try_for_each(|line| say(line))?;
    }
    #[cfg(feature = "web")]
    if let Some(ReportPlace::Folder(folder, _)) = &pages {
        write_overview(folder, &names, &sources, &reports, &players)?;
    }
    if let Some(table) = &mut csv_turns {
        table.write(csv_tables::turn_table(&reports))?;
    }
    if let Some(table) = &mut csv_games {
        table.write(csv_tables::game_table(&reports))?;
    }
    if let Some(positions) = &mut positions {
        positions.write(position_lines(&sources, &reports))?;
    }
    if let Some(json) = &mut json {
        let mut text =
            serde_json::to_string_pretty(&ReportFile { schema: SCHEMA, games: reports, players, unread: sources.unread.clone() })?;
        text.push('\n');
        json.write(text)?;
    }
    match sources.unread.len() {
        0 => Ok(()),
        1 => bail!("one game or file could not be read, as reported above"),
        unread => bail!("{unread} games or files could not be read, as reported above"),
    }
}

/// Lists the positions of all turns, those of each game below its name.
fn position_lines(sources: &Sources, reports: &[GameReport]) -> String {
    let mut text = String::new();
    for (source, report) in sources.files.iter().zip(reports) {
        text.push_str(&format!("# {}\n", report.source));
        for (index, turn) in report.turns.iter().enumerate() {
            let made = match &source.content {
                SourceContent::Game(game) => game.replay.turns.get(index).map(|recorded| &recorded.turn),
                SourceContent::Positions(list) => list.positions.get(index).and_then(|listed| listed.made.as_ref()),
            };
            text.push_str(&position_list::line_of(turn, made));
            text.push('\n');
        }
    }
    text
}

/// Writes the page of all games.
#[cfg(feature = "web")]
fn write_overview(
    folder: &OutputFolder,
    names: &[String],
    sources: &Sources,
    reports: &[GameReport],
    players: &[CareerReport],
) -> Result<()> {
    let addresses: Vec<String> = names.iter().map(|name| url_of(&format!("{name}.html"))).collect();
    let linked = reports.iter().zip(&addresses).map(|(report, address)| html::LinkedGame { report, address });
    folder.write(OVERVIEW, html::overview(&linked.collect::<Vec<_>>(), players, &sources.unread))
}

/// Returns a file's name as a relative address. Characters with a meaning in addresses are percent-encoded. `./` in front keeps a colon
/// from being read as the end of a scheme.
#[cfg(feature = "web")]
fn url_of(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let bytes = name.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") });
    format!("./{}", bytes.collect::<String>())
}

/// Checks that the flags suit a part of an analysis: a journal, and no reports.
fn check_shard(arguments: &AnalyseArguments) -> Result<()> {
    let AnalyseArguments { json, csv_turns, csv_games, cgp, gcg, .. } = arguments;
    let is_whole = arguments.part.shard.is_none();
    ensure!(is_whole || arguments.journal.is_some(), "--shard needs --journal <file>, to be joined with those of the other shards");
    #[cfg(feature = "web")]
    let has_page = arguments.html.is_some();
    #[cfg(not(feature = "web"))]
    let has_page = false;
    let has_output = has_page || [json, csv_turns, csv_games, cgp, gcg].iter().any(|output| output.is_some());
    ensure!(
        is_whole || !has_output,
        "--shard writes no reports: join the journals, then run the same command with --resume and without --shard"
    );
    Ok(())
}

/// Identifies the analysis in its journal.
fn header(arguments: &AnalyseArguments, sources: &Sources) -> AnalysisHeader {
    AnalysisHeader {
        tilewright: env!("CARGO_PKG_VERSION").to_string(),
        tables: sources.tables(),
        budget: arguments.budget().text(),
        opponent: arguments.opponent.name().to_string(),
        seed: arguments.seed,
        games: sources.files.iter().map(|source| format!("{} {:016x}", source.name(), source.fingerprint)).collect(),
    }
}

/// Reports that an analysis was interrupted, and how to continue it.
fn interrupted(mut run: AnalysisRun<'_>, turns: usize) -> anyhow::Error {
    if let Some(error) = run.take_error() {
        return error;
    }
    let judged = run.judged();
    if run.has_journal() {
        anyhow!("interrupted: {judged} of {turns} turns are judged and kept; go on with: {}", long_run::this_command(GoingOn::Resume))
    } else {
        anyhow!("interrupted after {judged} of {turns} turns, which are lost: --journal <file> would keep them")
    }
}

/// Returns today's date in UTC, such as `2026-11-23`.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date_of(i64::try_from(seconds / 86_400).unwrap_or(0))
}

/// Returns the Gregorian date of a day counted from 1 January 1970. Years begin in March here, so that a leap day is the last of its year.
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
    use crate::analysis::position_list::PositionList;

    #[test]
    fn days_have_their_dates() {
        // The formula against a plain count of days, with leap days by the rule.
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

    #[cfg(feature = "web")]
    #[test]
    fn addresses_are_those_of_files() {
        for (name, address) in
            [("game.html", "./game.html"), ("a b#1?.html", "./a%20b%231%3F.html"), ("Zoë:50%.html", "./Zo%C3%AB%3A50%25.html")]
        {
            assert_eq!(url_of(name), address);
        }
    }

    #[test]
    fn reports_of_games_with_equal_names_have_different_ones() {
        let source = |path: &str, number| Source {
            path: PathBuf::from(path),
            number,
            content: SourceContent::Positions(PositionList::default()),
            fingerprint: 0,
            engine: 0,
        };
        let check = |paths: &[&str], names: &[&str]| {
            assert_eq!(report_names(&paths.iter().map(|path| source(path, None)).collect::<Vec<_>>()), names);
        };
        check(&["x.gcg", "y.gcg"], &["x", "y"]);
        check(&["a/x.gcg", "b/x.gcg", "b/y.gcg"], &["a-x", "b-x", "y"]);
        check(&["1/a/x.gcg", "2/a/X.gcg", "2/b/x.gcg"], &["1-a-x", "2-a-X", "b-x"]);
        check(&["x.gcg", "x.cgp", "index.gcg"], &["x", "x_2", "index_2"]);
        let games: Vec<Source> = (1..=2).map(|number| source("x.gcgs", Some(number))).collect();
        assert_eq!(report_names(&games), ["x-1", "x-2"]);
    }
}
