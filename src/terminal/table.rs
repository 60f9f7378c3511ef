//! A ranking as a table for a person: rank, play, score, leave and results; errors as bars.
//!
//! Inferences also have tables: leaves, and in the end tiles, each with its chance before and after
//! the turn. Endgames are shown as the protocol's lines. Start with [`of_reply`].

use crate::protocol::reply::{
    GenReplyRow, InferReplyRow, InferReplyTile, PegReplyRow, ReplyStage, SearchProgress, SessionReply, SimReplyRow, basis_text,
};
use crate::search::inference::BeliefScope;
use crate::search::report::PreEndgameClaim;
use crate::terminal::ink::{Ink, InkLine};

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

const fn left(heading: &'static str) -> Column {
    Column { heading, align: Align::Left, ink: Ink::Plain }
}

const fn right(heading: &'static str) -> Column {
    Column { heading, align: Align::Right, ink: Ink::Plain }
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
        SessionReply::Infer { rows, tiles, scope, is_explained, effective_leaves, stage } => {
            let mut lines = leave_lines(rows);
            if *stage == ReplyStage::Final {
                lines.extend(tile_lines(tiles));
            }
            lines.push(InkLine::of(scope_text(scope, *is_explained, *effective_leaves), Ink::Soft));
            (lines, stage)
        }
        SessionReply::Endgame { stage, .. } => (plain(), stage),
        _ => return None,
    };
    Some(RankingTable { lines, stage: *stage })
}

fn gen_lines(rows: &[GenReplyRow]) -> Vec<InkLine> {
    let columns = [right(""), left("play"), right("equity"), right("score"), left("leave")];
    let cells = |(rank, row): (usize, &GenReplyRow)| {
        [rank.to_string(), row.play.clone(), format!("{:.1}", row.equity.points()), row.score.to_string(), row.leave.clone()]
    };
    table(&columns, &(1..).zip(rows).map(cells).collect::<Vec<_>>())
}

fn sim_lines(rows: &[SimReplyRow], progress: &SearchProgress) -> Vec<InkLine> {
    let columns = [
        right(""),
        left("play"),
        right("win %"),
        Column { ink: Ink::Bar, ..left("two standard errors") },
        right("equity"),
        right("score"),
        left("leave"),
        right("samples"),
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

fn peg_lines(rows: &[PegReplyRow], progress: &SearchProgress, claim: PreEndgameClaim) -> Vec<InkLine> {
    let columns = [
        right(""),
        left("play"),
        right("win %"),
        right("spread"),
        right("score"),
        left("leave"),
        right("wins"),
        right("ties"),
        right("losses"),
        left("known"),
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
        PreEndgameClaim::Nothing => "",
        PreEndgameClaim::Share => "the first has the best share, proved; ",
        PreEndgameClaim::Best => "the first is best, proved; ",
    };
    lines.push(InkLine::of(format!("{claim}stage {}, {}", progress.depth, progress_text(progress)), Ink::Soft));
    lines
}

fn leave_lines(rows: &[InferReplyRow]) -> Vec<InkLine> {
    let columns = [right(""), left("leave"), right("chance %"), right("before %"), right("times")];
    let cells = |(rank, row): (usize, &InferReplyRow)| {
        let leave = if row.leave.is_empty() { "-".to_string() } else { row.leave.clone() };
        let [chance, prior, times] = chance_texts(row.chance, row.prior);
        [rank.to_string(), leave, chance, prior, times]
    };
    table(&columns, &(1..).zip(rows).map(cells).collect::<Vec<_>>())
}

fn tile_lines(tiles: &[InferReplyTile]) -> Vec<InkLine> {
    let columns = [left("one or more"), right("chance %"), right("before %"), right("times")];
    let cells = |tile: &InferReplyTile| {
        let [prior, chance] = tile.chances;
        let [chance, prior, times] = chance_texts(chance, prior);
        [tile.tile.clone(), chance, prior, times]
    };
    table(&columns, &tiles.iter().map(cells).collect::<Vec<_>>())
}

/// A chance, what it was before the turn was seen, and how many times as likely the turn has made it.
fn chance_texts(chance: f64, prior: f64) -> [String; 3] {
    let times = if prior > 0.0 { format!("{:.2}", chance / prior) } else { String::new() };
    [format!("{:.2}", 100.0 * chance), format!("{:.2}", 100.0 * prior), times]
}

fn scope_text(scope: &BeliefScope, is_explained: bool, effective_leaves: f64) -> String {
    let BeliefScope { model, racks, of_racks, is_drawn, turns, .. } = scope;
    let drawn = if *is_drawn { " drawn" } else { "" };
    let explained = if is_explained { "" } else { ", none explains it" };
    let turns = if *turns == 1 { "the last turn".to_string() } else { format!("the last {turns} turns") };
    format!("{} by {turns}: {racks} of {of_racks} racks{drawn}{explained}; as open as {effective_leaves:.1} leaves", model.name())
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
    use crate::rules::units::Millipoints;
    use crate::rules::{Play, Rack};
    use crate::search::OpponentModel;
    use crate::search::report::{RankedPlay, SimulationRow};
    use crate::terminal::ink::Colours;

    pub(crate) fn sim_row(play: &str, win: f64, win_error: f64, iterations: u64) -> SimReplyRow {
        let ranked = RankedPlay { play: Play::Pass, score: 7, equity: Millipoints::from_points(7), leave: Rack::EMPTY };
        let standing =
            SimulationRow { ranked, win, win_error, equity: 3.25, equity_error: 0.5, iterations, pruned: false, plies: Vec::new() };
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
    fn what_was_kept_stands_beside_what_could_be_expected() {
        let rows = [("EI", 0.143, 0.0125), ("", 0.05, 0.1)].map(|(leave, chance, prior)| InferReplyRow {
            leave: leave.to_string(),
            chance,
            prior,
        });
        let tiles = [InferReplyTile { tile: "?".to_string(), chances: [0.04, 0.02] }];
        let scope = BeliefScope {
            model: OpponentModel::Static,
            racks: 300,
            of_racks: 372,
            is_drawn: false,
            turns: 2,
            unseen: Rack::EMPTY,
            known: Rack::EMPTY,
        };
        let reply = |stage| SessionReply::Infer {
            rows: rows.to_vec(),
            tiles: tiles.to_vec(),
            scope,
            is_explained: true,
            effective_leaves: 17.04,
            stage,
        };
        let whole = [
            "    leave  chance %  before %  times",
            " 1  EI        14.30      1.25  11.44",
            " 2  -          5.00     10.00   0.50",
            " one or more  chance %  before %  times",
            " ?                2.00      4.00   0.50",
            "static by the last 2 turns: 300 of 372 racks; as open as 17.0 leaves",
        ];
        assert_eq!(shown(&of_reply(&reply(ReplyStage::Final), &[]).unwrap().lines), whole);
        let running = [&whole[..3], &whole[5..]].concat();
        assert_eq!(shown(&of_reply(&reply(ReplyStage::Running), &[]).unwrap().lines), running);
    }

    #[test]
    fn a_table_without_samples_has_no_bars() {
        let progress = SearchProgress { depth: 5, elapsed_ms: 0, nodes: 0 };
        assert_eq!(shown(&sim_lines(&[sim_row("pass", 0.5, 0.0, 0)], &progress))[1].matches('●').count(), 0);
        assert_eq!(shown(&gen_lines(&[])), ["   play  equity  score  leave"]);
    }
}
