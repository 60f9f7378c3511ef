//! Additional outputs of a tournament: its games as GCG and CGP, and the report as a page.
//!
//! Start with [`TournamentOutputs::open`].

use crate::arena::course::{PairRemembering, TournamentCourse};
use crate::arena::opening::OpenedTournament;
use crate::formats::gcg;
#[cfg(feature = "web")]
use crate::host::output_file::OutputFile;
use crate::host::output_file::{OutputFolder, Overwrite};
use crate::tournament::game_records::{game_positions, game_record};
#[cfg(feature = "web")]
use crate::tournament::html;
use crate::tournament::record::TournamentHeader;
use anyhow::{Context, Result};
use std::path::PathBuf;

/// The files and folders.
#[derive(clap::Args, Clone, Debug)]
pub struct OutputArguments {
    /// Folder for all games of the journal as GCG records, made if it is not there.
    #[arg(long, value_name = "FOLDER")]
    pub gcg: Option<PathBuf>,
    /// Folder for all positions of each game as CGP, a line each with both racks, made if it is not there.
    #[arg(long, value_name = "FOLDER")]
    pub cgp: Option<PathBuf>,
    /// The report as a page with plots, in one file that needs no network: ratings over time, scores, times by phase, told win %.
    #[cfg(feature = "web")]
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// Those that are asked for, with their places claimed.
#[derive(Debug)]
pub struct TournamentOutputs {
    gcg: Option<OutputFolder>,
    cgp: Option<OutputFolder>,
    #[cfg(feature = "web")]
    page: Option<OutputFile>,
}

impl TournamentOutputs {
    /// Opens them, or makes them.
    ///
    /// # Errors
    /// Files are there, and are not to be written over; a place that cannot be written to.
    pub fn open(arguments: &OutputArguments, overwrite: Overwrite) -> Result<TournamentOutputs> {
        let open = |folder: Option<&PathBuf>, ending: &str| {
            let is_game = |name: &str| name.starts_with("pair") && name.ends_with(ending);
            folder.map(|folder| OutputFolder::open(folder, overwrite, is_game)).transpose()
        };
        Ok(TournamentOutputs {
            gcg: open(arguments.gcg.as_ref(), ".gcg")?,
            cgp: open(arguments.cgp.as_ref(), ".cgp")?,
            #[cfg(feature = "web")]
            page: arguments.html.as_ref().map(|path| OutputFile::claim(path, overwrite)).transpose()?,
        })
    }

    /// Whether any of them is made from the pairs.
    pub fn needs_pairs(&self) -> PairRemembering {
        #[cfg(feature = "web")]
        let has_page = self.page.is_some();
        #[cfg(not(feature = "web"))]
        let has_page = false;
        if has_page || self.gcg.is_some() || self.cgp.is_some() { PairRemembering::Remembered } else { PairRemembering::Forgotten }
    }

    /// Writes all of them. `ending` are lines about the run that ended.
    ///
    /// # Errors
    /// A journal whose moves the rules do not allow, games from the middle as GCG, a full disk.
    pub fn write(
        &mut self,
        opened: &OpenedTournament,
        header: &TournamentHeader,
        course: &TournamentCourse<'_>,
        ending: &[String],
    ) -> Result<()> {
        let (competitors, rules, seed) = (&opened.file.competitors, &opened.game.rules, opened.file.setting.seed);
        #[cfg(feature = "web")]
        if let Some(page) = &mut self.page {
            page.write(html::page(rules, header, competitors, &course.pairs, course.sprt.as_ref(), ending))?;
        }
        #[cfg(not(feature = "web"))]
        let _ = (header, ending);
        for (pair, game) in course.pairs.iter().flat_map(|pair| (0..2).map(move |game| (pair, game))) {
            let place = || format!("pair {}, game {}", pair.pair, game + 1);
            let name = |ending: &str| format!("pair{:06}-{}.{ending}", pair.pair, game + 1);
            if let Some(folder) = &self.gcg {
                let names = pair.engines.map(|engine| competitors[engine].name.as_str());
                let record = game_record(rules, seed, pair, game, names).with_context(place)?;
                folder.write(&name("gcg"), gcg::print(&record))?;
            }
            if let Some(folder) = &self.cgp {
                let start = opened.start(pair.deal).map(|named| &named.start);
                let lines = game_positions(rules, start, seed, pair, game, &opened.opcodes).with_context(place)?;
                folder.write(&name("cgp"), lines.join("\n") + "\n")?;
            }
        }
        Ok(())
    }
}
