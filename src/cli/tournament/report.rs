//! The report of a tournament, from its journal alone: ratings, cross table, faults, times. Its last lines are for scripts.
//!
//! Start with [`lines`].

use crate::match_play::adjusted::AdjustedResults;
use crate::match_play::sprt::Sprt;
use crate::match_play::statistics::{CONFIDENCE_95, MatchStatistics};
use crate::tournament::configuration::{Competitor, CompetitorKind, EngineDialect};
use crate::tournament::fault::FaultReason;
use crate::tournament::record::{MachineSpeed, PairRecord, TournamentHeader};
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
    let starts = header.starts.as_ref().map(|starts| format!(", from positions {starts}")).unwrap_or_default();
    let mut lines = vec![format!("lexicon {}, rules {}{starts}, {} pairs of games", header.lexicon, header.rules, pairs.len())];
    lines.extend(header.machine.map(machine_line));
    lines.push(String::new());
    lines.extend(ratings_table(header, competitors, &engine_summaries(competitors.len(), &standings, pairs)));
    lines.push(String::new());
    lines.extend(cross_table(competitors, &standings));
    lines.extend(without_luck(competitors, &standings));
    if header.configuration["format"] == "copies" {
        lines.extend(copies_table(competitors, &standings));
    }
    lines.extend(faults_table(competitors, &standings));
    lines.push(String::new());
    lines.extend(idle_table(competitors, pairs));
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

/// How much engines that play at the same time take from each other.
fn machine_line(machine: MachineSpeed) -> String {
    let MachineSpeed { alone, at_once, together } = machine;
    let share = 100.0 * together / alone.max(1e-9);
    format!(
        "machine at the start: {alone:.0} turns of a static player a second alone, {together:.0} each with {at_once} at once ({share:.0} %)"
    )
}

/// The cross table with the luck of the draws taken off, where it was judged.
fn without_luck(competitors: &[Competitor], standings: &TournamentStandings) -> Vec<String> {
    let rows = standings.pairings().filter_map(|(&[a, b], statistics)| {
        let AdjustedResults { spread, win } = &statistics.adjusted;
        let (worth, won, points) = (win.worth_in_pairs()?, &win.adjusted, &spread.adjusted);
        Some(format!(
            "  {:<NAME_WIDTH$} {:<NAME_WIDTH$} {:>6.2} ± {:.2} %, {:+.1} ± {:.1}, worth {worth:.2} times the pairs",
            competitors[a].name,
            competitors[b].name,
            100.0 * won.mean,
            100.0 * won.standard_error(),
            points.mean,
            points.standard_error(),
        ))
    });
    let rows: Vec<String> = rows.collect();
    let head = (!rows.is_empty()).then(|| [String::new(), "with the luck of the draws taken off".to_string()]);
    head.into_iter().flatten().chain(rows).collect()
}

/// Whether copies differ by more than chance lets them.
fn copies_table(competitors: &[Competitor], standings: &TournamentStandings) -> Vec<String> {
    let row = |(&[a, _], statistics): (&[usize; 2], &MatchStatistics)| {
        let (difference, error) = (100.0 * statistics.win.mean - 50.0, 100.0 * statistics.win.standard_error());
        let judged = match difference.abs() {
            off if off <= CONFIDENCE_95 * error => "as chance has it",
            _ => "more than chance has it in 95 of 100 runs: look at load, clocks and memory",
        };
        format!("  {:<NAME_WIDTH$} {difference:+.2} ± {error:.2} % against its copy: {judged}", competitors[a].name)
    };
    [String::new(), "engines against copies of themselves".to_string()].into_iter().chain(standings.pairings().map(row)).collect()
}

/// Processor time that programs took while the other one was on turn.
fn idle_table(competitors: &[Competitor], pairs: &[PairRecord]) -> Vec<String> {
    let mut sums = vec![(0_u64, 0_u64); competitors.len()];
    for (pair, game) in pairs.iter().flat_map(|pair| pair.games.iter().map(move |game| (pair, game))) {
        for (engine, idle) in pair.engines.into_iter().zip(game.idle_us) {
            let (games, total) = &mut sums[engine];
            (*games, *total) = (*games + 1, *total + idle);
        }
    }
    let is_program =
        |competitor: &Competitor| matches!(&competitor.kind, CompetitorKind::Program(program) if program.dialect != EngineDialect::Exec);
    let rows = competitors.iter().zip(sums).filter(|(competitor, _)| is_program(competitor));
    let rows: Vec<String> = rows
        .map(|(competitor, (games, total))| {
            format!("  {:<NAME_WIDTH$} {:>8.1}", competitor.name, total as f64 / 1000.0 / games.max(1) as f64)
        })
        .collect();
    let head = (!rows.is_empty()).then(|| "processor time while the other one was on turn, ms a game".to_string());
    head.into_iter().chain(rows).collect()
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
