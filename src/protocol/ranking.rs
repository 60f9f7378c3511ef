//! The rankings of searches as lines, in each dialect.
//!
//! A [`Ranking`] is the report of a search with its position. Plays, racks and draws become text only when it is printed as lines, or
//! as a table at a terminal (`terminal/table.rs`). Not here: when a ranking is printed (`session/search.rs`). Numbers always have a
//! decimal point and are never NaN.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::protocol::command::Dialect;
use crate::rules::notation::{coordinate_text, play_text};
use crate::rules::units::Millipoints;
use crate::rules::{LetterDistribution, Play, Position, Rack, Tile, Turn};
use crate::search::endgame::{Bound, Solution};
use crate::search::inference::{Belief, BeliefScope, InferredLeave};
use crate::search::report::{PreEndgameBasis, PreEndgameClaim, PreEndgameRow, Report, SimulationRow};
use crate::search::{EvaluatedPlay, PreEndgameReport, RackMean, RepliesReport, ReplyRow, SimulationReport, StaticReport};
use serde_json::json;
use std::sync::Arc;

/// Half the width of the 99 % intervals that ucgi prints, in standard errors.
const HALF_WIDTH_99: f64 = 2.576;

/// Whether a ranking is the last one of its search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplyStage {
    /// The search goes on, or waits for `stop`.
    Running,
    /// The best move follows.
    Final,
}

/// The results of a search, as they are shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranking {
    /// The search's report, with all of its rows.
    pub report: Report,
    /// The position that is searched.
    pub position: Arc<Position>,
    /// Rows that are shown.
    pub rows: usize,
    /// Time since the start of the search, ms.
    pub elapsed_ms: u64,
    /// Whether more is to come.
    pub stage: ReplyStage,
}

impl Ranking {
    /// Returns the lines in a dialect, without line ends.
    pub fn lines(&self, dialect: Dialect) -> Vec<String> {
        match dialect {
            Dialect::Siu | Dialect::Uci => self.siu_lines(),
            Dialect::Ucgi => self.ucgi_lines(),
            Dialect::Tilefish => self.tilefish_lines(),
            Dialect::CrosswordGame => Vec::new(),
        }
    }

    /// Returns the last ranking as one JSON object, which the referee keeps with a move. Its tools read `phase` and `best.w`, the chance of
    /// winning; the other keys are ours.
    fn tilefish_lines(&self) -> Vec<String> {
        if self.stage == ReplyStage::Running {
            return Vec::new();
        }
        let evaluated =
            |row: &EvaluatedPlay| json!({ "move": self.tilefish_play(&row.play), "score": row.score, "eq": row.equity.points() });
        let (phase, nodes, best) = match &self.report {
            Report::Static(StaticReport { rows }) => ("static", 0, rows.first().map(evaluated)),
            Report::Simulation(SimulationReport { rows, nodes, .. }) => {
                let best = |row: &SimulationRow| json!({ "move": self.tilefish_play(&row.ranked.play), "score": row.ranked.score, "w": row.win, "eq": row.equity, "iters": row.iterations });
                ("sim", *nodes, rows.first().map(best))
            }
            Report::PreEndgame(PreEndgameReport { rows, nodes, .. }) => {
                let best = |row: &PreEndgameRow| json!({ "move": self.tilefish_play(&row.ranked.play), "score": row.ranked.score, "w": row.win, "eq": row.spread });
                ("peg", *nodes, rows.first().map(best))
            }
            Report::Endgame(solution) => {
                let best = |first: &EvaluatedPlay| json!({ "move": self.tilefish_play(&first.play), "spread": solution.value, "solved": solution.solved });
                let best = solution.line.first().map(best);
                ("endgame", solution.nodes, best)
            }
            Report::Replies(_) | Report::Inference(_) => return self.siu_lines(),
        };
        vec![format!("info {}", json!({ "phase": phase, "best": best, "ms": self.elapsed_ms, "nodes": nodes }))]
    }

    fn siu_lines(&self) -> Vec<String> {
        match &self.report {
            Report::Static(StaticReport { rows }) => self.row_lines(rows, Ranking::siu_gen_row).collect(),
            Report::Simulation(SimulationReport { rows, plies, nodes }) => {
                std::iter::once(self.head(*plies, *nodes, rows)).chain(self.row_lines(rows, Ranking::siu_sim_row)).collect()
            }
            Report::PreEndgame(PreEndgameReport { rows, stage, nodes, claim }) => {
                let head = [peg_summary(self.shown(rows), *claim), self.head(*stage, *nodes, rows)];
                head.into_iter().chain(self.row_lines(rows, Ranking::siu_peg_row)).collect()
            }
            Report::Endgame(solution) => self.siu_endgame(solution),
            Report::Replies(report) => self.replies_lines(report),
            Report::Inference(belief) => {
                let tiles = self.tile_chances(belief).filter(|_| self.stage == ReplyStage::Final).map(infer_tile);
                let rows = self.row_lines(&belief.leaves, Ranking::infer_row);
                std::iter::once(infer_summary(belief)).chain(tiles).chain(rows).collect()
            }
        }
    }

    fn ucgi_lines(&self) -> Vec<String> {
        match &self.report {
            Report::Static(StaticReport { rows }) => self.ucgi_block(rows, |row| &row.play, Ranking::ucgi_gen_row),
            Report::Simulation(SimulationReport { rows, plies, nodes }) => {
                self.with_speed(self.ucgi_block(rows, |row| &row.ranked.play, Ranking::ucgi_sim_row), *plies, *nodes)
            }
            Report::PreEndgame(PreEndgameReport { rows, stage, nodes, .. }) => {
                self.with_speed(self.ucgi_block(rows, |row| &row.ranked.play, Ranking::ucgi_peg_row), *stage, *nodes)
            }
            Report::Endgame(solution) => self.ucgi_endgame(solution),
            // Searches that ucgi does not have.
            Report::Inference(_) | Report::Replies(_) => self.siu_lines(),
        }
    }

    fn tilefish_play(&self, play: &Play) -> String {
        play_in(&marked_text(play, &self.position), Dialect::Tilefish)
    }

    /// Returns the first rows, which are shown.
    pub fn shown<'a, T>(&self, rows: &'a [T]) -> &'a [T] {
        rows.get(..self.rows).unwrap_or(rows)
    }

    /// Returns a play in siu notation.
    pub fn play(&self, play: &Play) -> String {
        play_text(play, self.position.board(), self.letters())
    }

    /// Returns the tiles that a play keeps.
    pub fn leave(&self, play: &Play) -> String {
        self.rack(&play.leave(self.position.mover_rack()))
    }

    /// Returns the tiles of a rack.
    pub fn rack(&self, rack: &Rack) -> String {
        rack.text(self.letters())
    }

    /// Returns the tiles that the opponent may have kept, each with the chances that at least one was kept, before and after the turn
    /// was seen.
    pub fn tile_chances(&self, belief: &Belief) -> impl Iterator<Item = (String, [f64; 2])> {
        belief.scope.unseen.distinct().map(|(tile, _)| (self.letters().tiles_text([tile]), belief.tile_chances(tile)))
    }

    fn letters(&self) -> &LetterDistribution {
        &self.position.rules().distribution
    }

    fn nodes_per_second(&self, nodes: u64) -> f64 {
        nodes as f64 * 1000.0 / self.elapsed_ms.max(1) as f64
    }

    /// How far the search has come.
    fn general(&self, depth: usize, nodes: u64) -> String {
        format!("info depth {depth} time {} nodes {nodes} nps {}", self.elapsed_ms, self.nodes_per_second(nodes) as u64)
    }

    /// The same in ucgi, beginning with `nps`: the only line of a search in ucgi that is not about a move.
    fn speed(&self, depth: usize, nodes: u64) -> String {
        format!("info nps {} depth {depth} time {} nodes {nodes}", decimal(self.nodes_per_second(nodes), 1), self.elapsed_ms)
    }

    /// How far the search has come, and how many rows follow.
    fn head<T>(&self, depth: usize, nodes: u64, rows: &[T]) -> String {
        format!("{} rows {}", self.general(depth, nodes), self.shown(rows).len())
    }

    /// A line for each row that is shown.
    fn row_lines<T>(&self, rows: &[T], line: fn(&Ranking, &T) -> String) -> impl Iterator<Item = String> {
        self.shown(rows).iter().map(move |row| line(self, row))
    }

    /// Rows in ucgi, followed by the best play so far.
    fn ucgi_block<T>(&self, rows: &[T], play: fn(&T) -> &Play, line: fn(&Ranking, &T) -> String) -> Vec<String> {
        self.row_lines(rows, line).chain(rows.first().and_then(|first| self.best_so_far(play(first)))).collect()
    }

    /// The best play so far, unless the best move follows.
    fn best_so_far(&self, play: &Play) -> Option<String> {
        (self.stage == ReplyStage::Running).then(|| format!("bestsofar {}", self.ucgi_play(play)))
    }

    /// A block with its speed line. The line follows the block, except the last block,
    /// which the best move must follow directly: there the line comes first.
    fn with_speed(&self, mut block: Vec<String>, depth: usize, nodes: u64) -> Vec<String> {
        let at = if self.stage == ReplyStage::Final { 0 } else { block.len() };
        block.insert(at, self.speed(depth, nodes));
        block
    }

    fn ucgi_play(&self, play: &Play) -> String {
        ucgi_move(&self.play(play))
    }

    fn siu_gen_row(&self, row: &EvaluatedPlay) -> String {
        let EvaluatedPlay { play, score, equity } = row;
        format!("info gen move {} score {score} eq {equity} leave {}", self.play(play), self.leave(play)).trim_end().to_string()
    }

    fn ucgi_gen_row(&self, row: &EvaluatedPlay) -> String {
        format!("info currmove {} sc {} eq {} it 0", self.ucgi_play(&row.play), row.score, row.equity)
    }

    fn siu_sim_row(&self, row: &SimulationRow) -> String {
        format!(
            "info sim move {} wp {} wpse {} eq {} eqse {} iters {} score {}",
            self.play(&row.ranked.play),
            decimal(percent(row.win), 3),
            decimal(100.0 * row.win_error.max(0.0), 3),
            decimal(row.equity, 3),
            decimal(row.equity_error.max(0.0), 3),
            row.iterations,
            row.ranked.score
        )
    }

    fn ucgi_sim_row(&self, row: &SimulationRow) -> String {
        let mut line = format!(
            "info currmove {} sc {} wp {} wpe {} eq {} eqe {} it {} ig {}",
            self.ucgi_play(&row.ranked.play),
            row.ranked.score,
            decimal(percent(row.win), 3),
            decimal(100.0 * row.win_error.max(0.0) * HALF_WIDTH_99, 3),
            decimal(row.equity, 3),
            decimal(row.equity_error.max(0.0) * HALF_WIDTH_99, 3),
            row.iterations,
            u8::from(row.pruned)
        );
        for (number, ply) in (1..).zip(&row.plies) {
            let (mean, deviation) = (decimal(ply.score_mean, 3), decimal(ply.score_deviation.max(0.0), 3));
            let bingos = decimal(percent(ply.bingo_share), 3);
            line.push_str(&format!(" ply{number}-scm {mean} ply{number}-scd {deviation} ply{number}-bp {bingos}"));
        }
        line
    }

    fn siu_peg_row(&self, row: &PreEndgameRow) -> String {
        let texts = |draws: &[Vec<Tile>]| draws.iter().map(|draw| self.draw(draw, row.drawn)).collect::<Vec<_>>().join("|");
        let [wins, ties, losses] = [&row.wins, &row.ties, &row.losses].map(|draws| texts(draws));
        let spread = row.spread.map_or(String::new(), |spread| format!(" spread {:+}", spread.round() as i64));
        let win = if row.has_results() { format!(" wp {}", decimal(percent(row.win), 3)) } else { String::new() };
        format!("info peg move {} w:{wins} d:{ties} l:{losses}{spread}{win}", self.play(&row.ranked.play))
    }

    /// A draw: the mover's tiles in the order of the alphabet, then the others in the order of the bag.
    fn draw(&self, tiles: &[Tile], drawn: usize) -> String {
        let (ours, others) = tiles.split_at_checked(drawn).unwrap_or((tiles, &[]));
        self.rack(&ours.iter().copied().collect()) + &self.letters().tiles_text(others.iter().copied())
    }

    fn ucgi_peg_row(&self, row: &PreEndgameRow) -> String {
        format!(
            "info currmove {} sc {} wp {} wpe 0.000 eq {} eqe 0.000 it {} ig {}",
            self.ucgi_play(&row.ranked.play),
            row.ranked.score,
            decimal(percent(row.win), 3),
            decimal(row.spread.unwrap_or(0.0), 3),
            row.wins.len() + row.ties.len() + row.losses.len(),
            u8::from(row.basis == PreEndgameBasis::BrokenOff)
        )
    }

    fn siu_endgame(&self, solution: &Solution) -> Vec<String> {
        let Solution { value, bound, solved, depth, nodes, hashfull, .. } = solution;
        let mark = match bound {
            Bound::Exact => "",
            Bound::AtLeast => " lowerbound",
            Bound::AtMost => " upperbound",
            Bound::Estimate => " estimate",
        };
        let general = format!("{} hashfull {hashfull}", self.general(*depth, *nodes));
        let row = format!("info endgame depth {depth} score spread {value:+}{mark} pv {}", self.line_texts(solution).join(" "));
        let solved = solved.then(|| "info string solved".to_string());
        std::iter::once(general).chain(solved).chain(std::iter::once(row)).collect()
    }

    fn ucgi_endgame(&self, solution: &Solution) -> Vec<String> {
        let Solution { value, depth, nodes, hashfull, line, .. } = solution;
        let speed = format!("{} hashfull {hashfull}", self.speed(*depth, *nodes));
        let (leader, score) = line.first().map_or((Play::Pass, 0), |first| (first.play, first.score));
        let row = format!("info currmove {} sc {score} eq {} it 0", self.ucgi_play(&leader), Millipoints::from_points(*value));
        [speed, row].into_iter().chain(self.best_so_far(&leader)).collect()
    }

    /// The plays of a line, each written for the board before it.
    fn line_texts(&self, solution: &Solution) -> Vec<String> {
        let mut position = Position::clone(&self.position);
        let mut texts = Vec::new();
        for turn in &solution.line {
            texts.push(play_text(&turn.play, position.board(), self.letters()));
            match position.after(&Turn::Play(turn.play)) {
                Ok(next) => position = next,
                Err(_) => break,
            }
        }
        texts
    }

    /// The squares come only at the end, since they are many.
    fn replies_lines(&self, report: &RepliesReport) -> Vec<String> {
        let RepliesReport { own_bingo, reply_bingo, score, squares, .. } = report;
        let mut lines = vec![
            format!("info replies move {} time {}", self.play(&report.play), self.elapsed_ms),
            format!("info replies bingo own {}", rack_mean("prob", own_bingo)),
            format!("info replies bingo reply {}", rack_mean("prob", reply_bingo)),
            format!("info replies {}", rack_mean("score", score)),
        ];
        if self.stage == ReplyStage::Final {
            lines.extend(squares.iter().map(|(square, share)| format!("info replies square {square} prob {}", decimal(*share, 4))));
        }
        let rows = self.reply_rows(report).into_iter();
        lines.extend(rows.map(|(row, text)| format!("info replies reply {text} prob {} score {}", decimal(row.share, 4), row.score)));
        lines
    }

    /// Returns the position after the play that is replied to.
    pub fn after(&self, report: &RepliesReport) -> Position {
        self.position.after(&Turn::Play(report.play)).unwrap_or_else(|_| Position::clone(&self.position))
    }

    /// Returns the replies that are shown, each with its text on the board after the play.
    pub fn reply_rows<'a>(&self, report: &'a RepliesReport) -> Vec<(&'a ReplyRow, String)> {
        let after = self.after(report);
        let row = |row: &'a ReplyRow| (row, play_text(&row.play, after.board(), self.letters()));
        self.shown(&report.replies).iter().map(row).collect()
    }

    fn infer_row(&self, row: &InferredLeave) -> String {
        let leave = if row.leave.is_empty() { "-".to_string() } else { self.rack(&row.leave) };
        format!("info infer leave {leave} prob {} prior {}", decimal(row.chance, 6), decimal(row.prior, 6))
    }
}

/// `prob` or `score`: a mean with its error, and the number of racks.
fn rack_mean(key: &str, mean: &RackMean) -> String {
    let RackMean { mean, error, racks, is_exact } = *mean;
    let by = if is_exact { "all" } else { "drawn" };
    format!("{key} {} {key}se {} racks {racks} by {by}", decimal(mean, 4), decimal(error, 4))
}

fn infer_summary(belief: &Belief) -> String {
    let BeliefScope { model, racks, of_racks, is_drawn, turns, .. } = belief.scope;
    let drawn = if is_drawn { " drawn" } else { "" };
    let explained = if belief.is_explained { "" } else { " unexplained" };
    format!(
        "info string infer model {} racks {racks} of {of_racks}{drawn} turns {turns} effective {}{explained}",
        model.name(),
        decimal(belief.effective_leaves, 1)
    )
}

fn infer_tile((tile, chances): (String, [f64; 2])) -> String {
    let [prior, chance] = chances.map(|chance| decimal(chance, 4));
    format!("info string infer tile {tile} prob {chance} prior {prior}")
}

/// The ranks of successive rows with the same basis.
struct RankRange {
    first: usize,
    last: usize,
    basis: PreEndgameBasis,
}

impl RankRange {
    /// `2-5 by endgames`
    fn text(&self) -> String {
        let RankRange { first, last, basis } = self;
        let basis = basis_text(*basis);
        if first == last { format!("{first} {basis}") } else { format!("{first}-{last} {basis}") }
    }
}

/// The basis of the rows, as ranges of ranks, and what is proved about the first row.
fn peg_summary(rows: &[PreEndgameRow], claim: PreEndgameClaim) -> String {
    let mut ranges: Vec<RankRange> = Vec::new();
    for (rank, row) in (1..).zip(rows) {
        match ranges.last_mut() {
            Some(range) if range.basis == row.basis => range.last = rank,
            _ => ranges.push(RankRange { first: rank, last: rank, basis: row.basis }),
        }
    }
    let claim = match claim {
        PreEndgameClaim::Nothing => "",
        PreEndgameClaim::Share => "1 has the best share, proved; ",
        PreEndgameClaim::Best => "1 is best, proved; ",
    };
    format!("info string peg {claim}{}", ranges.iter().map(RankRange::text).collect::<Vec<_>>().join(", "))
}

/// Returns the text for a basis.
pub(crate) const fn basis_text(basis: PreEndgameBasis) -> &'static str {
    match basis {
        PreEndgameBasis::Static => "not examined",
        PreEndgameBasis::BrokenOff => "broken off",
        PreEndgameBasis::Playouts => "by playouts",
        PreEndgameBasis::Searched => "by endgames",
        PreEndgameBasis::Solved => "solved by model",
        PreEndgameBasis::Proved => "proved",
    }
}

/// Returns a move with its column in lower case, as ucgi writes it.
pub(super) fn ucgi_move(play: &str) -> String {
    match play.split_once('.') {
        Some((coordinate, rest)) => format!("{}.{rest}", coordinate.to_ascii_lowercase()),
        None => play.to_string(),
    }
}

pub(super) fn percent(share: f64) -> f64 {
    (100.0 * share).clamp(0.0, 100.0)
}

/// A number with a fixed number of digits after the point: never NaN, infinite or a negative zero.
pub(super) fn decimal(number: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", if number.is_finite() { number } else { 0.0 });
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| matches!(c, '0' | '.')) => rest.to_string(),
        _ => text,
    }
}

/// Returns a play with the tiles that are on the board already in parentheses, `8D.W(O)RD`. Tilefish's referee needs them in the
/// history that it sends: it takes all other tiles for new ones.
pub fn marked_text(play: &Play, position: &Position) -> String {
    let distribution = &position.rules().distribution;
    let Play::Place(placement) = play else { return play_text(play, position.board(), distribution) };
    let mut text = format!("{}.", coordinate_text(placement.start, placement.direction));
    let mut is_inside = false;
    for (tile, cell) in placement.tiles().iter().zip(placement.cells(position.board())) {
        if tile.is_none() != is_inside {
            text.push(if is_inside { ')' } else { '(' });
            is_inside = !is_inside;
        }
        distribution.write_placed(cell, &mut text);
    }
    if is_inside {
        text.push(')');
    }
    text
}

/// Returns a play in siu notation as a dialect writes it.
///
/// | dialect | across | down | exchange |
/// |---|---|---|---|
/// | siu, uci | `8D.WORD` | `D8.WORD` | `ex.AE` |
/// | ucgi | `8d.WORD` | `d8.WORD` | `ex.AE` |
/// | tilefish | `8D W(O)RD` | `D8 W(O)RD` | `exch AE` |
/// | cgp | `D8 WORD` | `8D WORD` | `exchange AE` |
pub fn play_in(play: &str, dialect: Dialect) -> String {
    match (play.split_once('.'), dialect) {
        (_, Dialect::Siu | Dialect::Uci) | (None, _) => play.to_string(),
        (_, Dialect::Ucgi) => ucgi_move(play),
        (Some(("ex", tiles)), Dialect::Tilefish) => format!("exch {tiles}"),
        (Some(("ex", tiles)), Dialect::CrosswordGame) => format!("exchange {tiles}"),
        (Some((square, tiles)), Dialect::Tilefish) => format!("{square} {tiles}"),
        (Some((square, tiles)), Dialect::CrosswordGame) => {
            let is_of_row = |c: char| c.is_ascii_digit();
            let (row, column): (String, String) = square.chars().partition(|&c| is_of_row(c));
            if square.starts_with(is_of_row) { format!("{column}{row} {tiles}") } else { format!("{row}{column} {tiles}") }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::builder::plain_engine;
    use crate::evaluation::static_eval::EvaluatedPlay;
    use crate::rules::GameRules;
    use crate::rules::notation::{apply_move, parse_move};
    use crate::search::report::PlyStats;

    /// A ranking in a position with CA on the board and these tiles on the racks.
    fn ranking(racks: &str, report: Report, stage: ReplyStage) -> Ranking {
        let text = format!("15/15/15/15/15/15/15/7CA6/15/15/15/15/15/15/15 {racks} 0/0 0");
        let position = Arc::new(plain_engine().position(&text).unwrap());
        Ranking { report, position, rows: 10, elapsed_ms: 500, stage }
    }

    fn play(text: &str, ranking: &Ranking) -> Play {
        match plain_engine().parse_play(text, &ranking.position).unwrap() {
            Turn::Play(play) => play,
            other => panic!("{other:?}"),
        }
    }

    fn static_ranking(stage: ReplyStage) -> Ranking {
        let mut ranking = ranking("AET?/", Report::Static(StaticReport { rows: Vec::new() }), stage);
        let row = |text: &str| {
            let play = play(text, &ranking);
            EvaluatedPlay { play, score: 10, equity: Millipoints(-1_250) }
        };
        let rows = vec![row("8H.CAT"), row("ex.AET?")];
        ranking.report = Report::Static(StaticReport { rows });
        ranking
    }

    fn sim(stage: ReplyStage) -> Ranking {
        let Ranking { report: Report::Static(StaticReport { rows }), position, .. } = static_ranking(stage) else { panic!("it is static") };
        let row = SimulationRow {
            ranked: rows[0],
            win: 0.51234,
            win_error: 0.01,
            sampled_win: 0.51234,
            equity: -0.0001,
            equity_error: f64::NAN,
            iterations: 400,
            pruned: false,
            plies: vec![PlyStats { share: 1.0, score_mean: 31.5, score_deviation: 12.25, bingo_share: 0.125 }],
        };
        let report = Report::Simulation(SimulationReport { rows: vec![row], plies: 2, nodes: 1200 });
        Ranking { report, position, rows: 10, elapsed_ms: 500, stage }
    }

    #[test]
    fn a_simulation_in_two_dialects() {
        assert_eq!(
            sim(ReplyStage::Final).lines(Dialect::Siu),
            [
                "info depth 2 time 500 nodes 1200 nps 2400 rows 1",
                "info sim move 8H.CAT wp 51.234 wpse 1.000 eq 0.000 eqse 0.000 iters 400 score 10"
            ]
        );
        let row =
            "info currmove 8h.CAT sc 10 wp 51.234 wpe 2.576 eq 0.000 eqe 0.000 it 400 ig 0 ply1-scm 31.500 ply1-scd 12.250 ply1-bp 12.500";
        assert_eq!(sim(ReplyStage::Running).lines(Dialect::Ucgi), [row, "bestsofar 8h.CAT", "info nps 2400.0 depth 2 time 500 nodes 1200"]);
        assert_eq!(sim(ReplyStage::Final).lines(Dialect::Ucgi), ["info nps 2400.0 depth 2 time 500 nodes 1200", row]);
    }

    #[test]
    fn a_static_ranking_in_two_dialects() {
        let ranking = static_ranking(ReplyStage::Final);
        assert_eq!(
            ranking.lines(Dialect::Uci),
            ["info gen move 8H.CAT score 10 eq -1.250 leave AE?", "info gen move ex.AET? score 10 eq -1.250 leave"]
        );
        let ucgi = ["info currmove 8h.CAT sc 10 eq -1.250 it 0", "info currmove ex.AET? sc 10 eq -1.250 it 0"];
        assert_eq!(ranking.lines(Dialect::Ucgi), ucgi);
        assert_eq!(Ranking { rows: 1, ..ranking }.lines(Dialect::Ucgi), ucgi[..1]);
    }

    #[test]
    fn an_endgame_in_two_dialects() {
        let lines = |bound, dialect| {
            let mut ranking = ranking("AT/", Report::Static(StaticReport { rows: Vec::new() }), ReplyStage::Final);
            let evaluated = |text: &str, score| EvaluatedPlay { play: play(text, &ranking), score, equity: Millipoints::ZERO };
            let line = vec![evaluated("8H.CAT", 5), evaluated("pass", 0)];
            let solution = Solution { value: -8, bound, solved: bound == Bound::Exact, depth: 3, nodes: 10, hashfull: 7, line };
            (ranking.report, ranking.elapsed_ms) = (Report::Endgame(solution), 3);
            ranking.lines(dialect)
        };
        assert_eq!(
            lines(Bound::Exact, Dialect::Ucgi),
            ["info nps 3333.3 depth 3 time 3 nodes 10 hashfull 7", "info currmove 8h.CAT sc 5 eq -8.000 it 0"]
        );
        let general = "info depth 3 time 3 nodes 10 nps 3333 hashfull 7";
        let row = "info endgame depth 3 score spread -8 pv 8H.CAT pass";
        assert_eq!(lines(Bound::Exact, Dialect::Siu), [general, "info string solved", row]);
        // Additions to the protocol SIU are listed among the differences.
        let text = include_str!("../../protocol/dialects.md");
        let (_, differences) = text.split_once("## Differences from SIU").unwrap();
        let (differences, _) = differences.split_once("\n## ").unwrap();
        for (bound, mark) in [(Bound::AtLeast, "lowerbound"), (Bound::AtMost, "upperbound"), (Bound::Estimate, "estimate")] {
            assert_eq!(lines(bound, Dialect::Siu), [general, &row.replace(" pv", &format!(" {mark} pv"))]);
            assert!(differences.contains(&format!("`{mark}`")), "{mark} is not among the differences from SIU");
        }
    }

    #[test]
    fn each_dialect_writes_plays_in_its_way() {
        let check = |play: &str, ucgi: &str, tilefish: &str, crossword_game: &str| {
            let dialects = [Dialect::Siu, Dialect::Uci, Dialect::Ucgi, Dialect::Tilefish, Dialect::CrosswordGame];
            assert_eq!(dialects.map(|dialect| play_in(play, dialect)), [play, play, ucgi, tilefish, crossword_game]);
        };
        check("8D.DoG", "8d.DoG", "8D DoG", "D8 DoG");
        check("AA12.[CH]A", "aa12.[CH]A", "AA12 [CH]A", "12AA [CH]A");
        check("ex.AE?", "ex.AE?", "exch AE?", "exchange AE?");
        check("pass", "pass", "pass", "pass");
    }

    #[test]
    fn tiles_on_the_board_are_marked() {
        let start = Position::start(Arc::new(GameRules::english()));
        let played = |text: &str, position: &Position| parse_move(text, position).unwrap();
        let after = apply_move(&start, &played("8H.CaT", &start)).unwrap();
        for (text, expected) in [
            ("8H.CATS", "8H.(CaT)S"),
            ("I7.CAB", "I7.C(a)B"),
            ("8F.INCAT", "8F.IN(CaT)"),
            ("9H.OX", "9H.OX"),
            ("ex.AB", "ex.AB"),
            ("pass", "pass"),
        ] {
            let Turn::Play(play) = played(text, &after).turn else { panic!("{text}") };
            assert_eq!(marked_text(&play, &after), expected);
        }
    }
}
