//! The report of a tournament, from its journal alone: ratings, cross table, faults, times. Its last lines are for scripts.
//!
//! Start with [`lines`].

use crate::match_play::sprt::Sprt;
use crate::tournament::configuration::Competitor;
use crate::tournament::fault::FaultReason;
use crate::tournament::record::{PairRecord, TournamentHeader};
use crate::tournament::standings::TournamentStandings;
use crate::tournament::summary::{EngineSummary, encounter, engine_summaries, form_of};

/// Columns of a name in a table.
const NAME_WIDTH: usize = 20;

/// Columns of a result in the cross table.
const CELL_WIDTH: usize = 16;

/// The lines of the report.
pub fn lines(header: &TournamentHeader, competitors: &[Competitor], pairs: &[PairRecord], sprt: Option<&Sprt>) -> Vec<String> {
    let mut standings = TournamentStandings::new(competitors.len());
    pairs.iter().for_each(|pair| standings.add(pair));
    let mut lines = vec![format!("lexicon {}, rules {}, {} pairs of games", header.lexicon, header.rules, pairs.len())];
    lines.push(String::new());
    lines.extend(ratings_table(header, competitors, &engine_summaries(competitors.len(), &standings, pairs)));
    lines.push(String::new());
    lines.extend(cross_table(competitors, &standings));
    lines.extend(faults_table(competitors, &standings));
    lines.push(String::new());
    lines.push("how the engines were asked".to_string());
    lines.extend(competitors.iter().map(|competitor| format!("  {:<NAME_WIDTH$} {}", competitor.name, form_of(competitor))));
    if let Some(sprt) = sprt
        && let Some(statistics) = standings.pairing([0, 1])
    {
        lines.push(String::new());
        lines.push(sprt.report(statistics));
    }
    lines.push(String::new());
    lines.extend(
        standings.pairings().map(|(engines, statistics)| statistics.script_line(engines.map(|engine| competitors[engine].name.as_str()))),
    );
    lines
}

fn ratings_table(header: &TournamentHeader, competitors: &[Competitor], rows: &[EngineSummary]) -> Vec<String> {
    let mut lines = vec![format!(
        "{:>3} {:<NAME_WIDTH$} {:>8} {:>7} {:>7} {:>9} {:>9} {:>10}   is",
        "", "engine", "Elo", "error", "games", "win %", "ms/turn", "longest"
    )];
    for (place, row) in (1..).zip(rows) {
        lines.push(format!(
            "{place:>3} {:<NAME_WIDTH$} {:>8.1} {:>7.1} {:>7} {:>9.2} {:>9.2} {:>10.1}   {}",
            competitors[row.engine].name,
            row.rating.elo,
            row.rating.error,
            row.games,
            row.win_percent(),
            row.ms_per_turn(),
            row.longest_ms(),
            header.identities.get(row.engine).map_or("", String::as_str),
        ));
    }
    lines.push("Elo: the mean of all is 0; errors are standard errors over pairs".to_string());
    lines
}

/// Win % and spread of the row's engine against the column's, with standard errors.
fn cross_table(competitors: &[Competitor], standings: &TournamentStandings) -> Vec<String> {
    let mut head = format!("{:<NAME_WIDTH$}", "win %, spread");
    competitors.iter().for_each(|column| head.push_str(&format!(" {:>CELL_WIDTH$}", shortened(&column.name))));
    let mut lines = vec![head];
    for (row, competitor) in competitors.iter().enumerate() {
        let (mut wins, mut spreads) = (format!("{:<NAME_WIDTH$}", competitor.name), format!("{:<NAME_WIDTH$}", ""));
        for column in 0..competitors.len() {
            let (win, spread) = match encounter(standings, row, column) {
                Some(met) => {
                    (format!("{:.1} ± {:.1}", met.win_percent, met.win_error), format!("{:+.1} ± {:.1}", met.spread, met.spread_error))
                }
                None => ("-".to_string(), String::new()),
            };
            wins.push_str(&format!(" {win:>CELL_WIDTH$}"));
            spreads.push_str(&format!(" {spread:>CELL_WIDTH$}"));
        }
        lines.extend([wins, spreads.trim_end().to_string()]);
    }
    lines
}

fn shortened(name: &str) -> String {
    name.chars().take(CELL_WIDTH).collect()
}

fn faults_table(competitors: &[Competitor], standings: &TournamentStandings) -> Vec<String> {
    let rows: Vec<(usize, FaultReason, u64)> = standings.faults().collect();
    if rows.is_empty() {
        return vec![String::new(), "no game was lost by a fault".to_string()];
    }
    let mut lines = vec![String::new(), "games lost by faults".to_string()];
    lines.extend(rows.into_iter().map(|(engine, reason, games)| {
        format!("  {:<NAME_WIDTH$} {:<8} {games:>6}   {}", competitors[engine].name, reason.code(), reason.meaning())
    }));
    lines
}
