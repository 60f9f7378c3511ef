//! A ranking as a table for a person: rank, play, score, leave, and what the search knows of it; errors as bars.
//!
//! Rankings without a table of their own (endgames, inference) are shown as the protocol's lines. Start with [`of_reply`].

use crate::cli::terminal::ink::{Ink, InkLine};
use crate::protocol::reply::{GenReplyRow, PegReplyRow, ReplyStage, SearchProgress, SessionReply, SimReplyRow, basis_text};
use crate::search::report::PegClaim;

/// Columns of a bar.
const BAR: usize = 25;

/// Half a bar, in standard errors.
const BAR_ERRORS: f64 = 2.0;

/// Cells that are written from their right end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Align {
    Left,
    Right,
}

/// A column: its heading, how it stands, how it looks.
struct Column {
    heading: &'static str,
    align: Align,
    ink: Ink,
}

const fn column(heading: &'static str, align: Align) -> Column {
    Column { heading, align, ink: Ink::Plain }
}

/// A ranking on the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct RankingTable {
    /// Headings, rows, and a line on the search.
    pub lines: Vec<InkLine>,
    /// Whether more is to come.
    pub stage: ReplyStage,
}

/// The table of a reply that is a ranking; `lines` is the reply in the protocol.
pub fn of_reply(reply: &SessionReply, lines: &[String]) -> Option<RankingTable> {
    let plain = || lines.iter().map(|line| InkLine::of(line, Ink::Plain)).collect();
    let (lines, stage) = match reply {
        SessionReply::Gen { rows, stage } => (gen_lines(rows), stage),
        SessionReply::Sim { rows, progress, stage } => (sim_lines(rows, progress), stage),
        SessionReply::Peg { rows, progress, claim, stage } => (peg_lines(rows, progress, *claim), stage),
        SessionReply::Endgame { stage, .. } | SessionReply::Infer { stage, .. } => (plain(), stage),
        _ => return None,
    };
    Some(RankingTable { lines, stage: *stage })
}

fn gen_lines(rows: &[GenReplyRow]) -> Vec<InkLine> {
    let columns = [
        column("", Align::Right),
        column("play", Align::Left),
        column("equity", Align::Right),
        column("score", Align::Right),
        column("leave", Align::Left),
    ];
    let cells = |(rank, row): (usize, &GenReplyRow)| {
        [rank.to_string(), row.play.clone(), format!("{:.1}", row.equity.points()), row.score.to_string(), row.leave.clone()]
    };
    table(&columns, &(1..).zip(rows).map(cells).collect::<Vec<_>>())
}

fn sim_lines(rows: &[SimReplyRow], progress: &SearchProgress) -> Vec<InkLine> {
    let columns = [
        column("", Align::Right),
        column("play", Align::Left),
        column("win %", Align::Right),
        Column { heading: "two standard errors", align: Align::Left, ink: Ink::Bar },
        column("equity", Align::Right),
        column("score", Align::Right),
        column("leave", Align::Left),
        column("samples", Align::Right),
    ];
    let scale = Scale::of(rows);
    let cells = |(rank, row): (usize, &SimReplyRow)| {
        let standing = &row.standing;
        [
            rank.to_string(),
            row.play.clone(),
            format!("{:.2}", 100.0 * standing.win),
            scale.bar(standing.win, standing.win_error),
            format!("{:.1}", standing.equity),
            standing.ranked.score.to_string(),
            row.leave.clone(),
            standing.iterations.to_string(),
        ]
    };
    let mut lines = table(&columns, &(1..).zip(rows).map(cells).collect::<Vec<_>>());
    lines.push(InkLine::of(format!("{} plies, {}", progress.depth, progress_text(progress)), Ink::Soft));
    lines
}

fn peg_lines(rows: &[PegReplyRow], progress: &SearchProgress, claim: PegClaim) -> Vec<InkLine> {
    let columns = [
        column("", Align::Right),
        column("play", Align::Left),
        column("win %", Align::Right),
        column("spread", Align::Right),
        column("score", Align::Right),
        column("leave", Align::Left),
        column("wins", Align::Right),
        column("ties", Align::Right),
        column("losses", Align::Right),
        column("known", Align::Left),
    ];
    let cells = |(rank, row): (usize, &PegReplyRow)| {
        let [wins, ties, losses] = row.draws.each_ref().map(|draws| draws.len().to_string());
        [
            rank.to_string(),
            row.play.clone(),
            format!("{:.1}", 100.0 * row.win),
            row.spread.map_or(String::new(), |spread| format!("{spread:+.1}")),
            row.score.to_string(),
            row.leave.clone(),
            wins,
            ties,
            losses,
            basis_text(row.basis).to_string(),
        ]
    };
    let mut lines = table(&columns, &(1..).zip(rows).map(cells).collect::<Vec<_>>());
    let claim = match claim {
        PegClaim::Nothing => "",
        PegClaim::Share => "the first has the best share, proved; ",
        PegClaim::Best => "the first is best, proved; ",
    };
    lines.push(InkLine::of(format!("{claim}stage {}, {}", progress.depth, progress_text(progress)), Ink::Soft));
    lines
}

fn progress_text(progress: &SearchProgress) -> String {
    let SearchProgress { elapsed_ms, nodes, .. } = progress;
    format!("{:.1} s, {nodes} plays generated", *elapsed_ms as f64 / 1e3)
}

/// Columns as wide as their widest cells; the first row stands out.
fn table<const N: usize>(columns: &[Column; N], rows: &[[String; N]]) -> Vec<InkLine> {
    let count = |text: &str| text.chars().count();
    let width = |at: usize| rows.iter().map(|row| count(&row[at])).max().unwrap_or(0).max(count(columns[at].heading));
    let widths: [usize; N] = std::array::from_fn(width);
    let line = |cells: [&str; N], ink: fn(&Column, usize) -> Ink, row: usize| {
        let mut line = InkLine::default();
        for ((cell, column), width) in cells.into_iter().zip(columns).zip(widths) {
            let text = match column.align {
                Align::Left => format!(" {cell:<width$} "),
                Align::Right => format!(" {cell:>width$} "),
            };
            line.push(text, ink(column, row));
        }
        line
    };
    let heading = line(columns.each_ref().map(|column| column.heading), |_, _| Ink::Soft, 0);
    let of_row = |column: &Column, row: usize| if row == 0 && column.ink == Ink::Plain { Ink::Strong } else { column.ink };
    let rows = rows.iter().enumerate().map(|(at, row)| line(row.each_ref().map(String::as_str), of_row, at));
    std::iter::once(heading).chain(rows).collect()
}

/// What the bars of a table stand on: from the lowest end of an error to the highest.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn of(rows: &[SimReplyRow]) -> Scale {
        let sampled =
            || rows.iter().filter(|row| row.standing.iterations > 1).map(|row| (row.standing.win, BAR_ERRORS * row.standing.win_error));
        Scale {
            low: sampled().map(|(win, error)| win - error).fold(f64::INFINITY, f64::min).max(0.0),
            high: sampled().map(|(win, error)| win + error).fold(f64::NEG_INFINITY, f64::max).min(1.0),
        }
    }

    /// `├──●──┤`; as long as nothing is known of the error, a point.
    fn bar(&self, win: f64, error: f64) -> String {
        if self.high <= self.low {
            return String::new();
        }
        let place = |value: f64| (((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0) * (BAR - 1) as f64).round() as usize;
        let [from, middle, to] = [win - BAR_ERRORS * error, win, win + BAR_ERRORS * error].map(place);
        let mark = |at: usize| match at {
            at if at == middle => '●',
            at if at == from => '├',
            at if at == to => '┤',
            at if (from..to).contains(&at) => '─',
            _ => ' ',
        };
        (0..BAR).map(mark).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::terminal::ink::Colours;
    use crate::rules::units::Millipoints;
    use crate::rules::{Play, Rack};
    use crate::search::report::{RankedPlay, SimRow};

    pub(crate) fn sim_row(play: &str, win: f64, win_error: f64, iterations: u64) -> SimReplyRow {
        let ranked = RankedPlay { play: Play::Pass, score: 7, equity: Millipoints::from_points(7), leave: Rack::EMPTY };
        let standing = SimRow { ranked, win, win_error, equity: 3.25, equity_error: 0.5, iterations, pruned: false, plies: Vec::new() };
        SimReplyRow { play: play.to_string(), leave: "ER".to_string(), standing }
    }

    fn shown(lines: &[InkLine]) -> Vec<String> {
        lines.iter().map(|line| line.text(Colours::Off, 200).trim_end().to_string()).collect()
    }

    #[test]
    fn errors_are_bars_on_one_scale() {
        let rows = [sim_row("8D.CAT", 0.6, 0.02, 100), sim_row("8D.AT", 0.5, 0.05, 60), sim_row("pass", 0.1, 0.0, 0)];
        let progress = SearchProgress { depth: 5, elapsed_ms: 1234, nodes: 99 };
        assert_eq!(
            shown(&sim_lines(&rows, &progress)),
            [
                "    play    win %  two standard errors        equity  score  leave  samples",
                " 1  8D.CAT  60.00                  ├───●───┤     3.2      7  ER         100",
                " 2  8D.AT   50.00  ├─────────●─────────┤         3.2      7  ER          60",
                " 3  pass    10.00  ●                             3.2      7  ER           0",
                "5 plies, 1.2 s, 99 plays generated",
            ]
        );
    }

    #[test]
    fn a_table_without_samples_has_no_bars() {
        let progress = SearchProgress { depth: 5, elapsed_ms: 0, nodes: 0 };
        assert_eq!(shown(&sim_lines(&[sim_row("pass", 0.5, 0.0, 0)], &progress))[1].matches('●').count(), 0);
        assert_eq!(shown(&gen_lines(&[])), ["   play  equity  score  leave"]);
    }
}
