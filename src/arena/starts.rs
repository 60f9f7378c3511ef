//! The positions that games of a tournament begin from: lists of CGP, and records of games up to a turn.
//!
//! Start with [`read_starts`].

use crate::formats::cgp::{self, Opcodes};
use crate::host::input_file::{self, MOST_OF_A_GAME, MOST_OF_POSITIONS};
use crate::host::progress::say_aside;
use crate::match_play::bags::GameStart;
use crate::protocol::resources::RecordedGame;
use crate::rules::fingerprint::Fingerprint;
use crate::rules::{GameRules, Position, Rack};
use crate::tournament::configuration::{GCG_ENDING, GameSetting};
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::sync::Arc;

/// A position that games begin from, and its text.
#[derive(Clone, Debug)]
pub struct NamedStart {
    /// Where the games begin.
    pub start: GameStart,
    /// The same as a CGP.
    pub text: String,
}

/// Where the games of this bag begin: each start in turn. `None` for the usual one.
pub fn of_deal(starts: &[NamedStart], deal: u64) -> Option<&NamedStart> {
    let place = deal.checked_rem(starts.len() as u64)?;
    starts.get(usize::try_from(place).ok()?)
}

/// Reads the files that a tournament names. A list has a CGP a line; blank lines and lines that begin with `#` are left out.
///
/// # Errors
/// A file that cannot be read, a text that is no position of the game, a game that is over: with file and line.
pub fn read_starts(game: &GameSetting, folder: &Path, rules: &Arc<GameRules>, opcodes: &Opcodes) -> Result<Vec<NamedStart>> {
    let mut starts = Vec::new();
    for name in &game.starts {
        let path = folder.join(name);
        let place = || format!("game.starts: {}", path.display());
        if name.ends_with(GCG_ENDING) {
            let turn = game.start_turn.context("a record needs the turn that games begin with")?;
            let bytes = input_file::read(&path, MOST_OF_A_GAME).with_context(place)?;
            let record = RecordedGame::read(&bytes, rules, Some(turn)).with_context(place)?;
            record.notes.iter().for_each(|note| say_aside(&format!("{}: {note}", path.display())));
            starts.push(of_record(record, opcodes).with_context(place)?);
            continue;
        }
        let text = input_file::read_text(&path, MOST_OF_POSITIONS).with_context(place)?;
        for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty() && !text.starts_with('#')) {
            let place = || format!("game.starts: {}:{line}", path.display());
            let position = cgp::parse(text, rules).with_context(place)?.position;
            starts.push(named(&position, opcodes).with_context(place)?);
        }
        ensure!(!starts.is_empty(), "game.starts: {}: no position in it", path.display());
    }
    Ok(starts)
}

/// The last position of a record. Its racks are dealt anew.
fn of_record(mut record: RecordedGame, opcodes: &Opcodes) -> Result<NamedStart> {
    let mut position = record.replay.positions.pop().context("there is no position in it")?;
    for seat in 0..2 {
        position.set_rack(seat, &Rack::EMPTY)?;
    }
    named(&position, opcodes)
}

fn named(position: &Position, opcodes: &Opcodes) -> Result<NamedStart> {
    ensure!(position.end().is_none(), "the game is over there");
    let start = GameStart::new(position)?;
    let [first, second] = *start.racks();
    let mut shown = start.position().clone();
    shown.set_rack(0, &first)?;
    shown.set_rack(1, &second)?;
    Ok(NamedStart { text: cgp::print(&shown, opcodes), start })
}

/// Which positions they are: their number, and a hash of their texts.
pub fn identity(starts: &[NamedStart]) -> Option<String> {
    let mut hash = Fingerprint::default();
    starts.iter().for_each(|named| hash.add(named.text.bytes().chain([0])));
    (!starts.is_empty()).then(|| format!("{}@{:016x}", starts.len(), hash.value()))
}
