//! The report as text for a terminal: a line a turn, then the sums. Not here: the other forms (`annotated.rs`, `html/`).

use crate::analysis::report::{Certainty, GameReport, LossMeasure, LossSum, TurnReport, TurnVerdict};
use crate::analysis::totals::CareerTotals;
use std::collections::BTreeMap;

/// The lines of a game's report.
pub fn lines(report: &GameReport) -> Vec<String> {
    let run = &report.run;
    let players = report.players.each_ref().map(|player| format!("{} {}", player.nick, player.score));
    let mut lines = vec![
        format!("{}   {}", players.join(" - "), report.source),
        format!("{}, words {}, leaves {}, win % {}, {}, seed {}", run.engine, run.lexicon, run.leaves, run.win_model, run.budget, run.seed),
    ];
    lines.extend(report.notes.iter().map(|note| match note.line {
        Some(line) => format!("line {line}: {}", note.text),
        None => note.text.clone(),
    }));
    lines.push(String::new());
    lines.extend(table(&report.turns.iter().map(|turn| row(report, turn)).collect::<Vec<_>>()));
    lines.push(String::new());
    for player in &report.players {
        let totals = &player.totals;
        let luck = format!("luck of the draws {:+.0} points, {:+.1} %", totals.luck_points, 100.0 * totals.luck_win);
        let skipped = if totals.skipped > 0 { format!(", {} turns not judged", totals.skipped) } else { String::new() };
        lines.push(format!("{}: {}; {luck}{skipped}", player.nick, sum_text(&totals.all)));
        let parts = totals.parts.iter().map(|part| format!("{} {}", part.part.name(), sum_short(&part.sum)));
        let parts = parts.collect::<Vec<_>>().join(", ");
        lines.extend((!parts.is_empty()).then(|| format!("  {parts}")));
        lines.push(format!("  mistake index {:.1} as macondo counts, {:.1} as MAGPIE counts", totals.macondo_index, totals.magpie_index));
    }
    lines
}

const HEADINGS: [&str; 8] = ["turn", "player", "rack", "played", "best", "lost", "rank", ""];

fn row(report: &GameReport, turn: &TurnReport) -> [String; 8] {
    let labels = turn.labels.iter().map(|label| match label.about.as_str() {
        "" => label.kind.name().to_string(),
        about if about == best_of(turn) => label.kind.name().to_string(),
        about => format!("{} {about}", label.kind.name()),
    });
    let mut remarks: Vec<String> = labels.collect();
    let (best, lost, rank) = match (&turn.verdict, &turn.skipped) {
        (Some(verdict), _) => {
            if verdict.certainty == Certainty::Unfinished {
                remarks.push("unfinished".to_string());
            }
            let is_best = verdict.best.play == verdict.played.play;
            let best = if is_best { "=".to_string() } else { format!("{} {}", verdict.best.play, verdict.best.score) };
            (best, lost_text(verdict), rank_text(verdict))
        }
        (None, reason) => {
            remarks.extend(reason.clone());
            Default::default()
        }
    };
    let played = format!("{} {}", turn.play, turn.score);
    let nick = report.players[turn.player].nick.clone();
    let rack = if turn.rack.is_empty() { "?".to_string() } else { turn.rack.clone() };
    [turn.number.to_string(), nick, rack, played, best, lost, rank, remarks.join("; ")]
}

fn best_of(turn: &TurnReport) -> &str {
    turn.verdict.as_ref().map_or("", |verdict| verdict.best.play.as_str())
}

/// What was lost, with its error: `4.3 % ± 0.6`, `7 points`, `-` for nothing, in brackets what is noise.
pub fn lost_text(verdict: &TurnVerdict) -> String {
    let loss = &verdict.loss;
    if verdict.best.play == verdict.played.play {
        return "-".to_string();
    }
    let (lost, error, digits, unit) = match loss.measure {
        LossMeasure::Win => (100.0 * loss.win, 100.0 * loss.win_error, 1, "%"),
        LossMeasure::Points => (loss.points, loss.points_error, 1, "points"),
    };
    if verdict.certainty == Certainty::Exact && lost == 0.0 {
        return "-".to_string();
    }
    let error = if error > 0.0 { format!(" ± {error:.digits$}") } else { String::new() };
    let text = format!("{lost:.digits$} {unit}{error}");
    if loss.within_noise { format!("({text})") } else { text }
}

fn rank_text(verdict: &TurnVerdict) -> String {
    match (verdict.rank, verdict.static_rank) {
        (Some(rank), _) => format!("{rank} of {}", verdict.plays),
        (None, Some(rank)) => format!("static {rank} of {}", verdict.plays),
        (None, None) => String::new(),
    }
}

/// `lost 12.3 % ± 1.2 and 14 points on 12 turns, 3 mistakes`.
pub fn sum_text(sum: &LossSum) -> String {
    let points = if sum.points > 0.5 { format!(" and {:.0} points", sum.points) } else { String::new() };
    let mistakes = if sum.mistakes == 1 { "mistake" } else { "mistakes" };
    format!("lost {:.1} % ± {:.1}{points} on {} turns, {} {mistakes}", 100.0 * sum.win, 100.0 * sum.win_error, sum.turns, sum.mistakes)
}

fn sum_short(sum: &LossSum) -> String {
    let points = if sum.points > 0.5 { format!(" and {:.0} points", sum.points) } else { String::new() };
    format!("{:.1} %{points} on {}", 100.0 * sum.win, sum.turns)
}

/// Columns as wide as their widest cell, without blanks at the ends of lines.
fn table(rows: &[[String; 8]]) -> Vec<String> {
    let headings = HEADINGS.map(String::from);
    let all: Vec<&[String; 8]> = std::iter::once(&headings).chain(rows).collect();
    let width = |column: usize| all.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEADINGS.len()).map(width).collect();
    let line = |row: &&[String; 8]| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(at, (cell, &width))| if at == 0 { format!("{cell:>width$}") } else { format!("{cell:<width$}") });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_string()
    };
    all.iter().map(line).collect()
}

/// The sums of several games, a player a line. The error is that over the games, so it needs two of them.
pub fn career_lines(careers: &BTreeMap<String, CareerTotals>) -> Vec<String> {
    let mut lines = Vec::new();
    for (nick, career) in careers {
        let mean = |name: &str, moments: &crate::search::paired::Moments, factor: f64, unit: &str| {
            let error = if moments.count > 1 { format!(" ± {:.1}", factor * moments.standard_error()) } else { String::new() };
            format!("{name} {:.1}{unit}{error}", factor * moments.mean)
        };
        let means = [
            mean("lost", &career.win, 100.0, " %"),
            mean("luck", &career.luck, 1.0, " points"),
            mean("macondo's index", &career.macondo, 1.0, ""),
            mean("MAGPIE's", &career.magpie, 1.0, ""),
        ];
        lines.push(format!("{nick}: {} games, a game: {}", career.games, means.join(", ")));
        let parts = career.parts.iter().map(|(part, sum)| format!("{} {}", part.name(), sum_short(sum)));
        lines.push(format!("  {}", parts.collect::<Vec<_>>().join(", ")));
    }
    lines
}
