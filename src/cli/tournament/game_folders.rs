//! The games of a tournament as files: GCG records, and lists of CGP.
//!
//! Start with [`GameFolders::open`].

use crate::cli::output_file::{OutputFolder, Overwrite};
use crate::cli::tournament::opening::OpenedTournament;
use crate::formats::gcg;
use crate::tournament::game_records::{game_positions, game_record};
use crate::tournament::record::PairRecord;
use anyhow::{Context, Result};
use std::path::Path;

/// The folders that are asked for.
#[derive(Debug)]
pub struct GameFolders {
    gcg: Option<OutputFolder>,
    cgp: Option<OutputFolder>,
}

impl GameFolders {
    /// Opens them, or makes them.
    ///
    /// # Errors
    /// Files of games are there, and are not to be written over; a folder that cannot be written to.
    pub fn open(gcg: Option<&Path>, cgp: Option<&Path>, overwrite: Overwrite) -> Result<GameFolders> {
        let open = |folder: Option<&Path>, ending: &str| {
            let is_game = |name: &str| name.starts_with("pair") && name.ends_with(ending);
            folder.map(|folder| OutputFolder::open(folder, overwrite, is_game)).transpose()
        };
        Ok(GameFolders { gcg: open(gcg, ".gcg")?, cgp: open(cgp, ".cgp")? })
    }

    /// Writes all games.
    ///
    /// # Errors
    /// A journal whose moves the rules do not allow, games from the middle as GCG, a full disk.
    pub fn write(&self, opened: &OpenedTournament, pairs: &[PairRecord]) -> Result<()> {
        let (competitors, rules, seed) = (&opened.file.competitors, &opened.game.rules, opened.file.setting.seed);
        for (pair, game) in pairs.iter().flat_map(|pair| (0..2).map(move |game| (pair, game))) {
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
