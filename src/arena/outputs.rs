//! Additional outputs of matches and tournaments: tables, the report as a page, and for tournaments the games as GCG and CGP.
//!
//! Start with [`TournamentOutputs::open`].

use crate::arena::course::{PairRemembering, TournamentCourse};
use crate::formats::cgp::{self, Opcodes};
use crate::formats::gcg;
use crate::host::output_file::{OutputFile, OutputFolder, Overwrite};
use crate::match_play::bags::GameStart;
use crate::rules::GameRules;
use crate::tournament::configuration::Competitor;
use crate::tournament::csv_tables;
use crate::tournament::game_records::{game_positions, game_record};
#[cfg(feature = "web")]
use crate::tournament::html;
use crate::tournament::record::{PairRecord, TournamentHeader};
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::sync::Arc;

/// The files that matches and tournaments write about their pairs.
#[derive(clap::Args, Clone, Debug)]
pub struct TableArguments {
    /// A table of all games (CSV), two rows per pair.
    #[arg(long, value_name = "FILE")]
    pub csv_pairs: Option<PathBuf>,
    /// A table of all turns (CSV), one row per turn.
    #[arg(long, value_name = "FILE")]
    pub csv_turns: Option<PathBuf>,
    /// The report as a page with plots: ratings over time, scores, times by phase, reported win %. The file needs no network.
    #[cfg(feature = "web")]
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// The requested files, claimed.
#[derive(Debug)]
pub struct TableOutputs {
    pairs: Option<OutputFile>,
    turns: Option<OutputFile>,
    #[cfg(feature = "web")]
    page: Option<OutputFile>,
}

impl TableOutputs {
    /// Claims the requested files.
    ///
    /// # Errors
    /// A file exists and may not be overwritten, or cannot be written.
    pub fn open(arguments: &TableArguments, overwrite: Overwrite) -> Result<TableOutputs> {
        let claim = |path: &Option<PathBuf>| path.as_ref().map(|path| OutputFile::claim(path, overwrite)).transpose();
        Ok(TableOutputs {
            pairs: claim(&arguments.csv_pairs)?,
            turns: claim(&arguments.csv_turns)?,
            #[cfg(feature = "web")]
            page: claim(&arguments.html)?,
        })
    }

    /// Returns whether the outputs need the pairs at the end.
    pub fn needs_pairs(&self) -> PairRemembering {
        #[cfg(feature = "web")]
        let has_page = self.page.is_some();
        #[cfg(not(feature = "web"))]
        let has_page = false;
        if has_page || self.pairs.is_some() || self.turns.is_some() { PairRemembering::Remembered } else { PairRemembering::Forgotten }
    }

    /// Writes all of them. `ending` are lines about the run that ended.
    ///
    /// # Errors
    /// A full disk.
    pub fn write(
        &mut self,
        (rules, competitors): (&Arc<GameRules>, &[Competitor]),
        header: &TournamentHeader,
        course: &TournamentCourse<'_>,
        ending: &[String],
    ) -> Result<()> {
        if let Some(table) = &mut self.pairs {
            table.write(csv_tables::pair_table(competitors, &course.pairs))?;
        }
        if let Some(table) = &mut self.turns {
            table.write(csv_tables::turn_table(competitors, &course.pairs))?;
        }
        #[cfg(feature = "web")]
        if let Some(page) = &mut self.page {
            page.write(html::page(rules, header, competitors, &course.pairs, course.sprt.as_ref(), ending))?;
        }
        #[cfg(not(feature = "web"))]
        let _ = (rules, header, ending);
        Ok(())
    }
}

/// The files and folders.
#[derive(clap::Args, Clone, Debug)]
pub struct OutputArguments {
    /// Folder for all games of the journal as GCG records. Created if missing.
    #[arg(long, value_name = "FOLDER")]
    pub gcg: Option<PathBuf>,
    /// Folder for all positions of each game as CGP, one a line with both racks. Created if missing.
    #[arg(long, value_name = "FOLDER")]
    pub cgp: Option<PathBuf>,
    /// Tables and the page.
    #[command(flatten)]
    pub tables: TableArguments,
}

/// Those that are asked for, with their places claimed.
#[derive(Debug)]
pub struct TournamentOutputs {
    gcg: Option<OutputFolder>,
    cgp: Option<OutputFolder>,
    tables: TableOutputs,
}

/// The values that are needed to replay the games of a tournament's journal.
#[derive(Clone, Debug)]
pub struct PlayedGame<'a> {
    /// The rules of its games.
    pub rules: &'a Arc<GameRules>,
    /// The opcodes of positions: rules and words.
    pub opcodes: &'a Opcodes,
    /// Seed of the bags.
    pub seed: u64,
    /// The engines.
    pub competitors: &'a [Competitor],
}

impl TournamentOutputs {
    /// Claims the requested files, and opens or creates the folders.
    ///
    /// # Errors
    /// A file exists and may not be overwritten, or cannot be written.
    pub fn open(arguments: &OutputArguments, overwrite: Overwrite) -> Result<TournamentOutputs> {
        let open = |folder: Option<&PathBuf>, ending: &str| {
            let is_game = |name: &str| name.starts_with("pair") && name.ends_with(ending);
            folder.map(|folder| OutputFolder::open(folder, overwrite, is_game)).transpose()
        };
        Ok(TournamentOutputs {
            gcg: open(arguments.gcg.as_ref(), ".gcg")?,
            cgp: open(arguments.cgp.as_ref(), ".cgp")?,
            tables: TableOutputs::open(&arguments.tables, overwrite)?,
        })
    }

    /// Returns whether the outputs need the pairs at the end.
    pub fn needs_pairs(&self) -> PairRemembering {
        if self.gcg.is_some() || self.cgp.is_some() { PairRemembering::Remembered } else { self.tables.needs_pairs() }
    }

    /// Writes all of them. `ending` are lines about the run that ended.
    ///
    /// # Errors
    /// The rules do not allow a move of the journal, games from the middle cannot be GCG, or the disk is full.
    pub fn write(
        &mut self,
        game_of: &PlayedGame<'_>,
        header: &TournamentHeader,
        course: &TournamentCourse<'_>,
        ending: &[String],
    ) -> Result<()> {
        let PlayedGame { rules, opcodes, seed, competitors } = *game_of;
        self.tables.write((rules, competitors), header, course, ending)?;
        for (pair, game) in course.pairs.iter().flat_map(|pair| (0..2).map(move |game| (pair, game))) {
            let place = || format!("pair {}, game {}", pair.pair, game + 1);
            let name = |ending: &str| format!("pair{:06}-{}.{ending}", pair.pair, game + 1);
            if let Some(folder) = &self.gcg {
                let names = pair.engines.map(|engine| competitors[engine].name.as_str());
                let record = game_record(rules, seed, pair, game, names).with_context(place)?;
                folder.write(&name("gcg"), gcg::print(&record))?;
            }
            if let Some(folder) = &self.cgp {
                let start = start_of(pair, rules).with_context(place)?;
                let lines = game_positions(rules, start.as_ref(), seed, pair, game, opcodes).with_context(place)?;
                folder.write(&name("cgp"), lines.join("\n") + "\n")?;
            }
        }
        Ok(())
    }
}

/// Returns the position that the games of a pair began from, if they began in the middle.
fn start_of(pair: &PairRecord, rules: &Arc<GameRules>) -> Result<Option<GameStart>> {
    let Some(text) = &pair.start else { return Ok(None) };
    Ok(Some(GameStart::new(&cgp::parse(text, rules)?.position)?))
}
