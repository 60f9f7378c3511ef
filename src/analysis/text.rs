//! The report as text for a terminal: a line a turn, then the sums. Not here: the other forms (`annotated.rs`, `html/`).

use crate::analysis::report::{
    CareerReport, Certainty, GameReport, KindTotals, LOSS_RULE, LossMeasure, LossSum, MeanReport, ReportKind, SizeCounts, Strength,
    TurnReport, TurnVerdict, UnreadSource,
};
use crate::formats::gcg::FileNote;

/// The lines of a game's report.
pub fn lines(report: &GameReport) -> Vec<String> {
    let run = &report.run;
    let players = report.players.0.each_ref().map(|player| format!("{} {}", player.nick, player.score));
    let mut lines = vec![
        match report.kind {
            ReportKind::Game => format!("{}   {}", players.join(" - "), report.source),
            ReportKind::Positions => format!("{} positions   {}", report.turns.len(), report.source),
        },
        format!(
            "{}, words {}, leaves {}, win % {}, {}, opponent {}, seed {}",
            run.engine, run.lexicon, run.leaves, run.win_model, run.budget, run.opponent, run.seed
        ),
    ];
    let has_losses = report.turns.iter().any(|turn| turn.judged().is_some());
    lines.extend(has_losses.then(|| LOSS_RULE.to_string()));
    lines.extend(report.notes.iter().map(FileNote::to_string));
    lines.push(String::new());
    lines.extend(table(&report.turns.iter().map(|turn| row(report, turn)).collect::<Vec<_>>()));
    lines.push(String::new());
    let reasons = reasons(report);
    if !reasons.is_empty() {
        lines.extend(reasons);
        lines.push(String::new());
    }
    for player in report.players.0.iter().filter(|player| player.totals.turns > 0) {
        let totals = &player.totals;
        let luck = format!("luck of the draws {:+.0} points, {:+.1} %", totals.luck_points, 100.0 * totals.luck_win);
        let skipped = if totals.skipped > 0 { format!(", {} turns not judged", totals.skipped) } else { String::new() };
        let luck = if report.kind == ReportKind::Game { format!("; {luck}") } else { String::new() };
        if totals.all.turns == 0 {
            let is_game = report.kind == ReportKind::Game;
            lines.extend(is_game.then(|| format!("{}: {}{skipped}", player.nick, luck.trim_start_matches("; "))));
            continue;
        }
        lines.push(format!("{}: {}{luck}{skipped}", player.nick, sum_text(&totals.all)));
        let parts = totals.parts.iter().map(|part| format!("{} {}", part.part.name(), sum_short(&part.sum)));
        let parts = parts.collect::<Vec<_>>().join(", ");
        lines.extend((!parts.is_empty()).then(|| format!("  {parts}")));
        if report.kind == ReportKind::Game && totals.ranges.len() > 1 {
            let ranges = totals.ranges.iter().filter(|range| range.sum.turns > 0);
            let ranges = ranges.map(|range| format!("turns {} to {}: {}", range.first, range.last, sum_short(&range.sum)));
            lines.push(format!("  {}", ranges.collect::<Vec<_>>().join(", ")));
        }
        lines.push(format!("  mistake index {:.1} as macondo counts, {:.1} as MAGPIE counts", totals.macondo_index, totals.magpie_index));
    }
    lines
}

/// Why the best plays were better on the turns that lost most.
fn reasons(report: &GameReport) -> Vec<String> {
    let is_told = |verdict: &&TurnVerdict| !verdict.loss.within_noise && !verdict.why.is_empty();
    let mut turns: Vec<(usize, &TurnVerdict)> =
        report.turns.iter().filter_map(|turn| Some((turn.number, turn.judged().filter(is_told)?))).collect();
    turns.sort_by(|(_, a), (_, b)| b.loss.win.total_cmp(&a.loss.win));
    turns.truncate(REASONS);
    turns.into_iter().map(|(number, verdict)| format!("turn {number}: {}", verdict.why.join(" "))).collect()
}

/// Turns whose mistakes are explained.
const REASONS: usize = 3;

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
            let is_asked_alone = turn.play.is_empty();
            let is_best = !is_asked_alone && verdict.best.play == verdict.played.play;
            let best = if is_best { "=".to_string() } else { format!("{} {}", verdict.best.play, verdict.best.score) };
            if is_asked_alone {
                remarks.push(format!("wins {:.1} %", 100.0 * verdict.best.win));
                (best, String::new(), format!("of {}", verdict.plays))
            } else {
                (best, lost_text(verdict), rank_text(verdict))
            }
        }
        (None, reason) => {
            remarks.extend(reason.clone());
            Default::default()
        }
    };
    let played = if turn.play.is_empty() { String::new() } else { format!("{} {}", turn.play, turn.score) };
    let nick = report.players[turn.player].nick.clone();
    let rack = if turn.rack.is_empty() { "?".to_string() } else { turn.rack.clone() };
    [turn.number.to_string(), nick, rack, played, best, lost, rank, remarks.join("; ")]
}

fn best_of(turn: &TurnReport) -> &str {
    turn.verdict.as_ref().map_or("", |verdict| verdict.best.play.as_str())
}

/// The loss with its error: `4.3 % ± 0.6`, `7 points`, `-` for nothing. Noise is in brackets.
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
    let mistakes = if sum.mistakes == 1 { "mistake" } else { "mistakes" };
    let lost = lost_sum_text(sum, &format!(" ± {:.1}", 100.0 * sum.win_error));
    format!("lost {lost} on {} turns, {} {mistakes}", sum.turns, sum.mistakes)
}

/// The sum of losses: `12.3 %` with its error after it, `12.3 % and 14 points`.
fn lost_sum_text(sum: &LossSum, error: &str) -> String {
    let points = if sum.points > 0.5 { format!(" and {:.0} points", sum.points) } else { String::new() };
    format!("{:.1} %{error}{points}", 100.0 * sum.win)
}

fn sum_short(sum: &LossSum) -> String {
    format!("{} on {}", lost_sum_text(sum, ""), sum.turns)
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

/// `2 small, 1 medium, 0 large`
pub fn sizes_text(sizes: &SizeCounts) -> String {
    format!("{} small, {} medium, {} large", sizes.small, sizes.medium, sizes.large)
}

/// `bingo missed 3 (lost 12.1 %)`
pub fn kind_text(kind: &KindTotals) -> String {
    format!("{} {} (lost {})", kind.kind.name(), kind.count, lost_sum_text(&kind.sum, ""))
}

/// `wins 37.4 % (34.1 to 40.7) against the best plays, -90 Elo (-114 to -65)`
pub fn strength_text(strength: &Strength) -> String {
    let [[low, high], [elo_low, elo_high]] = [strength.interval.map(|share| 100.0 * share), strength.elo_interval];
    format!(
        "wins {:.1} % ({low:.1} to {high:.1}) of games against the best plays, {:+.0} Elo ({elo_low:+.0} to {elo_high:+.0}); with 95 % intervals",
        100.0 * strength.win,
        strength.elo
    )
}

/// A mean with its error over the games, if there were several.
pub fn mean_text(mean: &MeanReport, factor: f64) -> String {
    let error = if mean.error > 0.0 { format!(" ± {:.1}", factor * mean.error) } else { String::new() };
    format!("{:.1}{error}", factor * mean.mean)
}

/// Returns the lines that list the files and games that could not be read.
pub fn unread_lines(unread: &[UnreadSource]) -> Vec<String> {
    let games = if unread.len() == 1 { "1 game or file" } else { &format!("{} games or files", unread.len()) };
    let head = format!("{games} could not be read:");
    std::iter::once(head).chain(unread.iter().map(|UnreadSource { source, reason }| format!("  {source}: {reason}"))).collect()
}

/// The sums of several games by player. The errors are over the games, so they need at least two.
pub fn career_lines(careers: &[CareerReport]) -> Vec<String> {
    let mut lines = Vec::new();
    for career in careers {
        let games = if career.games == 1 { "game" } else { "games" };
        lines.push(format!(
            "{}: {} {games}, per game: lost {} % and {} points, luck {} points, macondo's index {}, MAGPIE's {}",
            career.nick,
            career.games,
            mean_text(&career.win, 100.0),
            mean_text(&career.points, 1.0),
            mean_text(&career.luck_points, 1.0),
            mean_text(&career.macondo_index, 1.0),
            mean_text(&career.magpie_index, 1.0)
        ));
        let parts = career.parts.iter().map(|part| format!("{} {}", part.part.name(), sum_short(&part.sum)));
        lines.push(format!("  {}", parts.collect::<Vec<_>>().join(", ")));
        lines.push(format!(
            "  mistakes as macondo counts: {}; MAGPIE: {}",
            sizes_text(&career.macondo_sizes),
            sizes_text(&career.magpie_sizes)
        ));
        if !career.kinds.is_empty() {
            lines.push(format!("  {}", career.kinds.iter().map(kind_text).collect::<Vec<_>>().join(", ")));
        }
        lines.extend(career.strength.as_ref().map(|strength| format!("  {}", strength_text(strength))));
    }
    lines
}
