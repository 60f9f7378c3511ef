//! The pairs and turns of a match or tournament as tables for spreadsheets, in CSV.
//!
//! `docs/tournaments.md` describes the columns. A cell without a value is empty. Start with [`pair_table`].

use crate::match_play::game::MatchPlayer;
use crate::rules::Seat;
use crate::tournament::configuration::Competitor;
use crate::tournament::record::PairRecord;

/// The columns of [`pair_table`].
pub const PAIR_COLUMNS: [&str; 21] = [
    "pair",
    "deal",
    "a",
    "b",
    "divergent",
    "game",
    "begins",
    "a_score",
    "b_score",
    "a_penalty",
    "b_penalty",
    "a_turns",
    "b_turns",
    "a_bingos",
    "b_bingos",
    "a_time_us",
    "b_time_us",
    "a_overstepped",
    "b_overstepped",
    "lost_by_fault",
    "fault",
];

/// The columns of [`turn_table`].
pub const TURN_COLUMNS: [&str; 9] = ["pair", "game", "turn", "engine", "play", "score", "time_us", "told_wp", "told_eq"];

/// Returns a table with one row per game of these pairs.
///
/// # Panics
/// If a pair names an engine that is not among the competitors.
pub fn pair_table(competitors: &[Competitor], pairs: &[PairRecord]) -> String {
    let games = pairs.iter().flat_map(|pair| (0..2).map(move |game| (pair, game)));
    let row = |(pair, at): (&PairRecord, usize)| {
        let (game, names) = (&pair.games[at], pair.engines.map(|engine| competitors[engine].name.clone()));
        let result = &game.result;
        let mut cells = vec![pair.pair.to_string(), pair.deal.to_string(), names[0].clone(), names[1].clone()];
        cells.extend([pair.divergent.to_string(), (at + 1).to_string(), names[at].clone()]);
        cells.extend(result.scores.map(|points| points.to_string()));
        cells.extend(result.penalties.map(|points| points.to_string()));
        cells.extend(result.turns.map(|turns| turns.to_string()));
        cells.extend(result.bingos.map(|bingos| bingos.to_string()));
        cells.extend(result.time_us.map(|time| time.to_string()));
        cells.extend(result.overstepped.map(|is| is.to_string()));
        let fault = game.fault.as_ref().map(|fault| (names[fault.player & 1].clone(), fault.reason.code().to_string()));
        let (loser, reason) = fault.unwrap_or_default();
        cells.extend([loser, reason]);
        cells
    };
    table(&PAIR_COLUMNS, games.map(row))
}

/// Returns a table with one row per turn of these pairs.
///
/// # Panics
/// If a pair names an engine that is not among the competitors.
pub fn turn_table(competitors: &[Competitor], pairs: &[PairRecord]) -> String {
    let games = pairs.iter().flat_map(|pair| (0..2).map(move |game| (pair, game)));
    let rows = games.flat_map(|(pair, at)| {
        let cell = |number: Option<f64>| number.map(|number| number.to_string()).unwrap_or_default();
        pair.games[at].plays.iter().enumerate().map(move |(turn, taken)| {
            let engine = pair.engines[MatchPlayer::at(Seat::after_turns(turn), MatchPlayer::BOTH[at]).index()];
            let told = taken.told.as_ref();
            vec![
                pair.pair.to_string(),
                (at + 1).to_string(),
                (turn + 1).to_string(),
                competitors[engine].name.clone(),
                taken.play.clone(),
                taken.score.to_string(),
                taken.time_us.to_string(),
                cell(told.and_then(|told| told.wp)),
                cell(told.and_then(|told| told.eq)),
            ]
        })
    });
    table(&TURN_COLUMNS, rows)
}

/// Returns a table with its heading.
fn table(columns: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory does not fail.
    let _ = writer.write_record(columns);
    rows.for_each(|row| drop(writer.write_record(row)));
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}
