//! The text report of a match or tournament: ratings, cross table, pairs, faults and times.
//! Its last lines are for scripts.
//!
//! Start with [`lines`].

use crate::match_play::sprt::{Sprt, normalised_elo};
use crate::match_play::statistics::MatchStatistics;
use crate::tournament::configuration::Competitor;
use crate::tournament::fault::FaultReason;
use crate::tournament::record::TournamentHeader;
use crate::tournament::standings::TournamentStandings;
use crate::tournament::summary::{
    BothFigures, EngineSummary, RESULTS, adjusted_differences, copy_differences, differences, encounter, engine_summaries, form_of,
    machine_text, side_by_side,
};

/// Columns of a name in a table.
const NAME_WIDTH: usize = 20;

/// Columns of a result in the cross table.
const CELL_WIDTH: usize = 16;

/// Width of the labels in the figures of two engines.
const LABEL_WIDTH: usize = 18;

/// Returns the lines of the report, without those for scripts.
pub fn lines(header: &TournamentHeader, competitors: &[Competitor], standings: &TournamentStandings, sprt: Option<&Sprt>) -> Vec<String> {
    let starts = header.starts.as_ref().map(|starts| format!(", from positions {starts}")).unwrap_or_default();
    let mut lines = vec![format!("lexicon {}, rules {}{starts}, {} pairs of games", header.lexicon, header.rules, standings.pairs())];
    lines.extend(header.machine.map(machine_text));
    lines.push(String::new());
    let rows = engine_summaries(standings);
    lines.extend(ratings_table(header, competitors, &rows));
    lines.push(String::new());
    lines.extend(games_table(competitors, &rows));
    lines.push(String::new());
    lines.extend(cross_table(competitors, standings));
    lines.push(String::new());
    let mut pairings = standings.pairings();
    match (pairings.next(), pairings.next()) {
        (Some((&engines, statistics)), None) => lines.extend(two_engines(engines.map(|engine| &competitors[engine]), statistics)),
        _ => lines.extend(pairings_table(competitors, standings)),
    }
    if header.configuration["format"] == "copies" {
        lines.extend(copies_table(competitors, standings));
    }
    lines.extend(faults_table(competitors, standings));
    lines.push(String::new());
    lines.push("protocol and time of the engines".to_string());
    lines.extend(competitors.iter().map(|competitor| format!("  {:<NAME_WIDTH$} {}", competitor.name, form_of(competitor))));
    if let Some(sprt) = sprt
        && let Some(statistics) = standings.pairing([0, 1])
    {
        lines.push(String::new());
        lines.push(sprt.report(statistics));
    }
    lines.push(String::new());
    lines
}

/// Returns a line of results for scripts for each pairing.
pub fn script_lines<'a>(competitors: &'a [Competitor], standings: &'a TournamentStandings) -> impl Iterator<Item = String> + 'a {
    let name = |engine: usize| competitors[engine].name.as_str();
    standings.pairings().map(move |(engines, statistics)| statistics.script_line(engines.map(name)))
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
            row.totals.games,
            row.win_percent(),
            row.ms_per_turn(),
            row.longest_ms(),
            header.identities.get(row.engine).map_or("", String::as_str),
        ));
    }
    lines.push("Elo: the mean is 0; each pairing has one drawn pair added; errors are standard errors over pairs".to_string());
    lines
}

/// Returns win % and spread of the row's engine against the column's, with standard errors.
fn cross_table(competitors: &[Competitor], standings: &TournamentStandings) -> Vec<String> {
    let mut head = format!("{:<NAME_WIDTH$}", "win %, spread");
    competitors.iter().for_each(|column| head.push_str(&format!(" {:>CELL_WIDTH$}", shortened(&column.name))));
    let mut lines = vec![head];
    for (row, competitor) in competitors.iter().enumerate() {
        let (mut wins, mut spreads) = (format!("{:<NAME_WIDTH$}", competitor.name), format!("{:<NAME_WIDTH$}", ""));
        for column in 0..competitors.len() {
            let [win, spread] = encounter(standings, row, column).map_or_else(|| ["-".to_string(), String::new()], |met| met.texts());
            wins.push_str(&format!(" {win:>CELL_WIDTH$}"));
            spreads.push_str(&format!(" {spread:>CELL_WIDTH$}"));
        }
        lines.extend([wins, spreads.trim_end().to_string()]);
    }
    lines
}

/// Returns each engine's figures per game.
fn games_table(competitors: &[Competitor], rows: &[EngineSummary]) -> Vec<String> {
    let mut lines = vec![format!("{:<NAME_WIDTH$} {:>8} {:>7} {:>7} {:>8}", "per game, on average", "score", "bingos", "turns", "idle ms")];
    for row in rows {
        let competitor = &competitors[row.engine];
        let idle = if competitor.is_watched() { format!("{:.1}", row.idle_ms()) } else { "-".to_string() };
        lines.push(format!(
            "{:<NAME_WIDTH$} {:>8.1} {:>7.2} {:>7.2} {idle:>8}",
            competitor.name,
            row.per_game(row.totals.points as f64),
            row.per_game(row.totals.bingos as f64),
            row.per_game(row.totals.turns as f64),
        ));
    }
    if competitors.iter().any(Competitor::is_watched) {
        lines.push("idle: processor time during the opponent's turns".to_string());
    }
    lines
}

/// Returns all figures of two engines.
fn two_engines(competitors: [&Competitor; 2], statistics: &MatchStatistics) -> Vec<String> {
    let name = &competitors[0].name;
    let [a, b] = competitors.map(|competitor| &competitor.name);
    let mut lines = vec![format!("{:<LABEL_WIDTH$} {a:>9} {b:>9}", "")];
    lines.extend(side_by_side(statistics, competitors).into_iter().map(|BothFigures { name, values: [a, b], note }| {
        let note = if note.is_empty() { note } else { format!("   {note}") };
        format!("{name:<LABEL_WIDTH$} {a:>9} {b:>9}{note}")
    }));
    lines.extend(differences(statistics, name).into_iter().map(|(what, told)| format!("{what:<LABEL_WIDTH$} {told}")));
    if let Some(adjusted) = adjusted_differences(statistics, name) {
        lines.push("without the luck of the draws".to_string());
        lines.extend(adjusted.into_iter().map(|(what, told)| format!("  {what:<16} {told}")));
    }
    lines
}

/// Returns what the cross table does not show of each pairing, one line each.
fn pairings_table(competitors: &[Competitor], standings: &TournamentStandings) -> Vec<String> {
    let [r0, r1, r2, r3, r4] = RESULTS;
    let head = format!(
        "{:<NAME_WIDTH$} {:<NAME_WIDTH$} {:>6} {:>15} {:>9}   pairs by wins of the first: {r0} {r1} {r2} {r3} {r4}",
        "first", "second", "pairs", "normalised Elo", "divergent"
    );
    let row = |(&[a, b], statistics): (&[usize; 2], &MatchStatistics)| {
        let (elo, error) = normalised_elo(&statistics.pentanomial);
        let counts = statistics.pentanomial.map(|count| count.to_string()).join(" ");
        format!(
            "{:<NAME_WIDTH$} {:<NAME_WIDTH$} {:>6} {:>15} {:>9}   {counts}",
            competitors[a].name,
            competitors[b].name,
            statistics.pairs(),
            format!("{elo:+.1} ± {error:.1}"),
            statistics.divergent,
        )
    };
    let mut lines: Vec<String> = [head].into_iter().chain(standings.pairings().map(row)).collect();
    let adjusted = standings.pairings().filter_map(|(&[a, b], statistics)| {
        let told = adjusted_differences(statistics, &competitors[a].name)?;
        Some(told.map(|(what, told)| format!("  {what} against {}: {told}", competitors[b].name)))
    });
    let adjusted: Vec<String> = adjusted.flatten().collect();
    if !adjusted.is_empty() {
        lines.extend([String::new(), "without the luck of the draws".to_string()]);
        lines.extend(adjusted);
    }
    lines
}

/// Returns engines against their copies, with verdicts on the differences.
fn copies_table(competitors: &[Competitor], standings: &TournamentStandings) -> Vec<String> {
    let rows = copy_differences(standings).into_iter().map(|copy| {
        let name = &competitors[copy.engine].name;
        format!("  {name:<NAME_WIDTH$} {} against its copy: {}", copy.text(), copy.verdict())
    });
    [String::new(), "engines against copies of themselves".to_string()].into_iter().chain(rows).collect()
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
