//! The engine's replies, and their form in each dialect.
//!
//! Not here: when it is said (`session/`). Numbers always have a decimal point and are never NaN. Start with [`SessionReply`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use crate::protocol::command::Dialect;
use crate::protocol::display::draw;
use crate::protocol::options::{self, OptionCaps};
use crate::rules::units::Millipoints;
use crate::rules::{Placement, Position};
use crate::search::endgame::Bound;
use crate::search::inference::BeliefScope;
use crate::search::report::{PreEndgameBasis, PreEndgameClaim, SimulationRow};

/// Half the width of a 99 % interval, in standard errors: what ucgi prints.
const HALF_WIDTH_99: f64 = 2.576;

/// The kind of an error line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorCode {
    /// The line is no command.
    UnknownCommand,
    /// A position that cannot be, or cannot be searched.
    BadPosition,
    /// A move that cannot be read or played.
    BadMove,
    /// A kind of search that is not built.
    UnsupportedMode,
    /// Nothing to search or to show.
    NoPosition,
    /// A value that is refused.
    BadOption,
    /// A search runs.
    Busy,
}

impl ErrorCode {
    /// As it is written.
    pub const fn word(self) -> &'static str {
        match self {
            ErrorCode::UnknownCommand => "unknown-command",
            ErrorCode::BadPosition => "bad-position",
            ErrorCode::BadMove => "bad-move",
            ErrorCode::UnsupportedMode => "unsupported-mode",
            ErrorCode::NoPosition => "no-position",
            ErrorCode::BadOption => "bad-option",
            ErrorCode::Busy => "busy",
        }
    }
}

/// What an error line says: the one place where its parts are put together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErrorReply {
    /// The kind.
    pub code: ErrorCode,
    /// The command that it answers; none for a line without a command.
    pub command: Option<&'static str>,
    /// The 1-based column of what is wrong, in characters. None if no word of the line is wrong.
    pub column: Option<usize>,
    /// What is wrong, and what was expected.
    pub message: String,
}

impl ErrorReply {
    /// An error without a place.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> ErrorReply {
        ErrorReply { code, command: None, column: None, message: message.into() }
    }

    /// The same error at this column.
    pub fn at(self, column: usize) -> ErrorReply {
        ErrorReply { column: Some(column), ..self }
    }

    /// The same error as the answer to this command.
    pub fn answering(self, command: &'static str) -> ErrorReply {
        ErrorReply { command: Some(command), ..self }
    }

    fn line(&self) -> String {
        let (code, message) = (self.code.word(), one_line(&self.message));
        match (self.command, self.column) {
            (Some(command), Some(column)) => format!("info string error {code} {command}: column {column}: {message}"),
            (Some(command), None) => format!("info string error {code} {command}: {message}"),
            (None, Some(column)) => format!("info string error {code} column {column}: {message}"),
            (None, None) => format!("info string error {code} {message}"),
        }
    }
}

/// A row of a static ranking.
#[derive(Clone, PartialEq, Debug)]
pub struct GenReplyRow {
    /// The move, in siu notation.
    pub play: String,
    /// Points.
    pub score: i32,
    /// Static equity, thousandths of a point.
    pub equity: Millipoints,
    /// Tiles kept.
    pub leave: String,
}

/// A row of a simulation.
#[derive(Clone, PartialEq, Debug)]
pub struct SimReplyRow {
    /// The move, in siu notation.
    pub play: String,
    /// Tiles kept.
    pub leave: String,
    /// The candidate's row of the ranking.
    pub standing: SimulationRow,
}

/// A leave that the opponent may have kept.
#[derive(Clone, PartialEq, Debug)]
pub struct InferReplyRow {
    /// The tiles.
    pub leave: String,
    /// Its chance before the turn was seen.
    pub prior: f64,
    /// Its chance after it.
    pub chance: f64,
}

/// A tile that the opponent may have kept.
#[derive(Clone, PartialEq, Debug)]
pub struct InferReplyTile {
    /// The tile.
    pub tile: String,
    /// The chances that at least one was kept, before and after the turn was seen.
    pub chances: [f64; 2],
}

/// A row of a pre-endgame.
#[derive(Clone, PartialEq, Debug)]
pub struct PegReplyRow {
    /// The move, in siu notation.
    pub play: String,
    /// Points.
    pub score: i32,
    /// Tiles kept.
    pub leave: String,
    /// Draws that win, tie and lose.
    pub draws: [Vec<String>; 3],
    /// Share of wins and half the ties, 0 to 1.
    pub win: f64,
    /// Mean final lead.
    pub spread: Option<f64>,
    /// What it rests on.
    pub basis: PreEndgameBasis,
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchProgress {
    /// Plies looked ahead.
    pub depth: usize,
    /// Time used, ms.
    pub elapsed_ms: u64,
    /// Plays generated.
    pub nodes: u64,
}

impl SearchProgress {
    fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 * 1000.0 / self.elapsed_ms.max(1) as f64
    }

    /// `info nps`, followed by the other general keys: the only line of a search in ucgi that is
    /// about no move.
    fn ucgi_line(&self) -> String {
        let SearchProgress { depth, elapsed_ms, nodes } = self;
        format!("info nps {} depth {depth} time {elapsed_ms} nodes {nodes}", decimal(self.nodes_per_second(), 1))
    }

    fn line(&self) -> String {
        let SearchProgress { depth, elapsed_ms, nodes } = self;
        format!("info depth {depth} time {elapsed_ms} nodes {nodes} nps {}", self.nodes_per_second() as u64)
    }

    /// A block with its speed line. The line follows the block, except the last block,
    /// which the best move must follow directly: there the line comes first.
    fn ucgi_block(&self, rows: impl Iterator<Item = String>, leader: Option<&str>, stage: ReplyStage) -> Vec<String> {
        let speed = self.ucgi_line();
        let mut lines = ucgi_block(rows, leader, stage);
        match stage {
            ReplyStage::Running => lines.push(speed),
            ReplyStage::Final => lines.insert(0, speed),
        }
        lines
    }
}

/// Whether a ranking is the last one of its search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplyStage {
    /// The search goes on, or waits for `stop`.
    Running,
    /// The best move follows.
    Final,
}

/// Something the engine says.
#[derive(Clone, PartialEq, Debug)]
pub enum SessionReply {
    /// The name, the capabilities and the options of the engine, within these caps.
    Handshake(OptionCaps),
    /// Everything asked before is done.
    ReadyOk,
    /// Something was refused, and why.
    Error(ErrorReply),
    /// An answer to a person: one line.
    Text(String),
    /// The board.
    Board {
        /// What lies on it.
        position: Box<Position>,
        /// The placement of the last turn.
        last: Option<Box<Placement>>,
    },
    /// Something was skipped, and what.
    Ignored(String),
    /// What ends a search whose own limits were skipped.
    Limit {
        /// The time; without it the search ends when it is solved.
        movetime_ms: Option<u64>,
    },
    /// What the numbers of a search come from.
    Provenance {
        /// Leave values.
        leaves: String,
        /// Win % model.
        win: String,
        /// Lexicon.
        lexicon: String,
    },
    /// A static ranking.
    Gen {
        /// Best first.
        rows: Vec<GenReplyRow>,
        /// Whether more is to come.
        stage: ReplyStage,
    },
    /// The standings of a simulation.
    Sim {
        /// Best first.
        rows: Vec<SimReplyRow>,
        /// How far it has come.
        progress: SearchProgress,
        /// Whether more is to come.
        stage: ReplyStage,
    },
    /// What is known of an endgame.
    Endgame {
        /// Change of the mover's lead until the end, points.
        value: i32,
        /// What the value is.
        bound: Bound,
        /// Whether the question is answered, proved.
        is_solved: bool,
        /// Points of the first play.
        score: i32,
        /// The plays, in siu notation.
        line: Vec<String>,
        /// How far it has come.
        progress: SearchProgress,
        /// How full the table is, thousandths.
        hashfull: u32,
        /// Whether more is to come.
        stage: ReplyStage,
    },
    /// What is believed of the tiles that the opponent kept.
    Infer {
        /// Likeliest first.
        rows: Vec<InferReplyRow>,
        /// The tiles that may have been kept.
        tiles: Vec<InferReplyTile>,
        /// What it was made from.
        scope: BeliefScope,
        /// Whether any rack explains the turns.
        is_explained: bool,
        /// How many equally likely leaves would leave as much open.
        effective_leaves: f64,
        /// Whether more is to come.
        stage: ReplyStage,
    },
    /// The standings of a pre-endgame.
    Peg {
        /// Best first.
        rows: Vec<PegReplyRow>,
        /// How far it has come; the depth is the number of stages.
        progress: SearchProgress,
        /// What is proved about the first row.
        claim: PreEndgameClaim,
        /// Whether more is to come.
        stage: ReplyStage,
    },
    /// The answer to a `go`; `None` when there is nothing to play.
    BestMove(Option<String>),
}

impl SessionReply {
    /// Whether it is about a search, and no result of it: what strict readers of ucgi do not expect.
    pub fn is_comment(&self) -> bool {
        matches!(self, SessionReply::Ignored(_) | SessionReply::Limit { .. } | SessionReply::Provenance { .. })
    }

    /// The lines in a dialect, without line ends. None where the dialect has no such line.
    pub fn lines(&self, dialect: Dialect) -> Vec<String> {
        match self {
            SessionReply::Handshake(caps) => handshake(dialect, *caps),
            SessionReply::ReadyOk => vec!["readyok".to_string()],
            SessionReply::Error(error) => vec![error.line()],
            SessionReply::Text(text) => vec![text_line(text)],
            SessionReply::Board { position, .. } => draw(position).iter().map(|line| text_line(line)).collect(),
            _ if dialect == Dialect::Ucgi && self.is_comment() => Vec::new(),
            SessionReply::Limit { movetime_ms: Some(ms) } => vec![format!("info string limit movetime {ms}")],
            SessionReply::Limit { movetime_ms: None } => vec!["info string limit none, until it is solved".to_string()],
            SessionReply::Ignored(what) => vec![format!("info string ignored {}", short_line(what))],
            SessionReply::Provenance { leaves, win, lexicon } => {
                let [leaves, win, lexicon] = [leaves, win, lexicon].map(|name| token(name));
                let version = env!("CARGO_PKG_VERSION");
                vec![format!("info string provenance engine=tilewright/{version} leaves={leaves} winpct={win} lexicon={lexicon}")]
            }
            SessionReply::Gen { rows, stage } => match dialect {
                Dialect::Ucgi => ucgi_block(rows.iter().map(ucgi_gen_row), rows.first().map(|row| row.play.as_str()), *stage),
                Dialect::Siu | Dialect::Uci => rows.iter().map(siu_gen_row).collect(),
            },
            SessionReply::Sim { rows, progress, stage } => match dialect {
                Dialect::Ucgi => progress.ucgi_block(rows.iter().map(ucgi_sim_row), rows.first().map(|row| row.play.as_str()), *stage),
                Dialect::Siu | Dialect::Uci => std::iter::once(progress.line()).chain(rows.iter().map(siu_sim_row)).collect(),
            },
            SessionReply::Infer { rows, tiles, scope, is_explained, effective_leaves, stage } => {
                let summary = infer_summary(scope, *is_explained, *effective_leaves);
                let tiles = tiles.iter().filter(|_| *stage == ReplyStage::Final).map(infer_tile);
                std::iter::once(summary).chain(tiles).chain(rows.iter().map(infer_row)).collect()
            }
            SessionReply::Peg { rows, progress, claim, stage } => match dialect {
                Dialect::Ucgi => progress.ucgi_block(rows.iter().map(ucgi_peg_row), rows.first().map(|row| row.play.as_str()), *stage),
                Dialect::Siu | Dialect::Uci => {
                    [peg_summary(rows, *claim), progress.line()].into_iter().chain(rows.iter().map(siu_peg_row)).collect()
                }
            },
            SessionReply::Endgame { value, score, line, progress, hashfull, stage, .. } if dialect == Dialect::Ucgi => {
                let speed = format!("{} hashfull {hashfull}", progress.ucgi_line());
                let leader = line.first().map_or("pass", String::as_str);
                let row = format!("info currmove {} sc {score} eq {} it 0", ucgi_move(leader), Millipoints::from_points(*value));
                std::iter::once(speed).chain(ucgi_block(std::iter::once(row), Some(leader), *stage)).collect()
            }
            SessionReply::Endgame { value, bound, is_solved, line, progress, hashfull, .. } => {
                let mark = match bound {
                    Bound::Exact => "",
                    Bound::AtLeast => " lowerbound",
                    Bound::AtMost => " upperbound",
                    Bound::Estimate => " estimate",
                };
                let general = format!("{} hashfull {hashfull}", progress.line());
                let depth = progress.depth;
                let row = format!("info endgame depth {depth} score spread {value:+}{mark} pv {}", line.join(" "));
                let solved = is_solved.then(|| "info string solved".to_string());
                std::iter::once(general).chain(solved).chain(std::iter::once(row)).collect()
            }
            SessionReply::BestMove(best) => vec![match (best, dialect) {
                (None, _) => "bestmove none".to_string(),
                (Some(play), Dialect::Ucgi) => format!("bestmove {}", ucgi_move(play)),
                (Some(play), Dialect::Siu | Dialect::Uci) => format!("bestmove {play}"),
            }],
        }
    }
}

fn handshake(dialect: Dialect, caps: OptionCaps) -> Vec<String> {
    let mut lines = vec![format!("id name Tilewright {}", env!("CARGO_PKG_VERSION")), "id author the Tilewright authors".to_string()];
    if dialect == Dialect::Siu {
        lines.push("capability gen sim infer peg endgame auto stream stop".to_string());
    }
    lines.extend(options::offered(caps).map(|row| row.line()));
    lines.push(format!("{}ok", dialect.word()));
    lines
}

fn text_line(text: &str) -> String {
    format!("info string {}", one_line(text)).trim_end().to_string()
}

fn siu_gen_row(row: &GenReplyRow) -> String {
    let GenReplyRow { play, score, equity, leave } = row;
    format!("info gen move {play} score {score} eq {equity} leave {leave}").trim_end().to_string()
}

fn siu_sim_row(SimReplyRow { play, standing, .. }: &SimReplyRow) -> String {
    format!(
        "info sim move {play} wp {} wpse {} eq {} eqse {} iters {} score {}",
        decimal(percent(standing.win), 3),
        decimal(100.0 * standing.win_error.max(0.0), 3),
        decimal(standing.equity, 3),
        decimal(standing.equity_error.max(0.0), 3),
        standing.iterations,
        standing.ranked.score
    )
}

fn siu_peg_row(row: &PegReplyRow) -> String {
    let [wins, ties, losses] = row.draws.each_ref().map(|draws| draws.join("|"));
    let spread = row.spread.map_or(String::new(), |spread| format!(" spread {:+}", spread.round() as i64));
    format!("info peg move {} w:{wins} d:{ties} l:{losses}{spread}", row.play)
}

/// Rows with ranks from `first` to `last` that rest on the same.
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

/// What the rows rest on, as ranges of ranks, and what is proved about the first one.
fn infer_summary(scope: &BeliefScope, is_explained: bool, effective_leaves: f64) -> String {
    let BeliefScope { model, racks, of_racks, is_drawn, turns, .. } = scope;
    let drawn = if *is_drawn { " drawn" } else { "" };
    let explained = if is_explained { "" } else { " unexplained" };
    format!(
        "info string infer model {} racks {racks} of {of_racks}{drawn} turns {turns} effective {}{explained}",
        model.name(),
        decimal(effective_leaves, 1)
    )
}

fn infer_tile(tile: &InferReplyTile) -> String {
    let [prior, chance] = tile.chances.map(|chance| decimal(chance, 4));
    format!("info string infer tile {} prob {chance} prior {prior}", tile.tile)
}

fn infer_row(row: &InferReplyRow) -> String {
    let leave = if row.leave.is_empty() { "-" } else { &row.leave };
    format!("info infer leave {leave} prob {} prior {}", decimal(row.chance, 6), decimal(row.prior, 6))
}

fn peg_summary(rows: &[PegReplyRow], claim: PreEndgameClaim) -> String {
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

/// As it is written.
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

fn ucgi_peg_row(row: &PegReplyRow) -> String {
    format!(
        "info currmove {} sc {} wp {} wpe 0.000 eq {} eqe 0.000 it {} ig {}",
        ucgi_move(&row.play),
        row.score,
        decimal(percent(row.win), 3),
        decimal(row.spread.unwrap_or(0.0), 3),
        row.draws.iter().map(Vec::len).sum::<usize>(),
        u8::from(row.basis == PreEndgameBasis::BrokenOff)
    )
}

fn ucgi_gen_row(row: &GenReplyRow) -> String {
    format!("info currmove {} sc {} eq {} it 0", ucgi_move(&row.play), row.score, row.equity)
}

fn ucgi_sim_row(SimReplyRow { play, standing, .. }: &SimReplyRow) -> String {
    let mut line = format!(
        "info currmove {} sc {} wp {} wpe {} eq {} eqe {} it {} ig {}",
        ucgi_move(play),
        standing.ranked.score,
        decimal(percent(standing.win), 3),
        decimal(100.0 * standing.win_error.max(0.0) * HALF_WIDTH_99, 3),
        decimal(standing.equity, 3),
        decimal(standing.equity_error.max(0.0) * HALF_WIDTH_99, 3),
        standing.iterations,
        u8::from(standing.pruned)
    );
    for (index, ply) in standing.plies.iter().enumerate() {
        let number = index + 1;
        let (mean, deviation) = (decimal(ply.score_mean, 3), decimal(ply.score_deviation.max(0.0), 3));
        let bingos = decimal(percent(ply.bingo_share), 3);
        line.push_str(&format!(" ply{number}-scm {mean} ply{number}-scd {deviation} ply{number}-bp {bingos}"));
    }
    line
}

fn ucgi_block(rows: impl Iterator<Item = String>, leader: Option<&str>, stage: ReplyStage) -> Vec<String> {
    let so_far = leader.filter(|_| stage == ReplyStage::Running).map(|play| format!("bestsofar {}", ucgi_move(play)));
    rows.chain(so_far).collect()
}

/// A move with its column in lower case, as ucgi has it.
fn ucgi_move(play: &str) -> String {
    match play.split_once('.') {
        Some((coordinate, rest)) => format!("{}.{rest}", coordinate.to_ascii_lowercase()),
        None => play.to_string(),
    }
}

fn percent(share: f64) -> f64 {
    (100.0 * share).clamp(0.0, 100.0)
}

/// A number with a fixed number of digits after the point: never NaN, infinite or a negative zero.
fn decimal(number: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", if number.is_finite() { number } else { 0.0 });
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| matches!(c, '0' | '.')) => rest.to_string(),
        _ => text,
    }
}

/// A text as a part of a line. What would end the line or steer a terminal is shown as a blank or as U+FFFD: texts repeat what was typed.
fn one_line(text: &str) -> String {
    let plain = |c: char| match c {
        '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(plain).collect::<String>().trim_end().to_string()
}

/// A word that was typed, cut short.
fn short_line(text: &str) -> String {
    const MOST: usize = 400;
    let line = one_line(text);
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// A name without blanks; `none` for an empty one.
fn token(name: &str) -> String {
    if name.is_empty() { "none".to_string() } else { one_line(name).split_whitespace().collect::<Vec<_>>().join("_") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Play, Rack};
    use crate::search::report::{PlyStats, RankedPlay};

    #[test]
    fn what_was_typed_cannot_break_a_line() {
        let lines = |reply: SessionReply| reply.lines(Dialect::Siu);
        let typed = "go\0\u{1b}[2J\tnow\r\nbestmove\u{85}8D.X\u{2028}".to_string();
        let shown = "go\u{fffd}\u{fffd}[2J now  bestmove\u{fffd}8D.X";
        assert_eq!(lines(SessionReply::Ignored(typed.clone())), [format!("info string ignored {shown}")]);
        assert_eq!(lines(SessionReply::Text(typed.clone())), [format!("info string {shown}")]);
        let error = ErrorReply::new(ErrorCode::BadMove, typed);
        for (error, place) in [
            (error.clone(), ""),
            (error.clone().at(3), "column 3: "),
            (error.clone().answering("play"), "play: "),
            (error.at(3).answering("play"), "play: column 3: "),
        ] {
            assert_eq!(lines(SessionReply::Error(error)), [format!("info string error bad-move {place}{shown}")]);
        }
        let long = &lines(SessionReply::Ignored("x".repeat(1 << 20)))[0];
        assert!(long.len() < 1000 && long.ends_with("x..."), "{} bytes", long.len());
    }

    fn sim(stage: ReplyStage) -> SessionReply {
        let ply = PlyStats { score_mean: 31.5, score_deviation: 12.25, bingo_share: 0.125 };
        let play = Play::Pass;
        let standing = SimulationRow {
            ranked: RankedPlay { play, score: 9, equity: Millipoints::ZERO, leave: Rack::EMPTY },
            win: 0.51234,
            win_error: 0.01,
            equity: -0.0001,
            equity_error: f64::NAN,
            iterations: 400,
            pruned: false,
            plies: vec![ply],
        };
        let row = SimReplyRow { play: "H8.CaT".to_string(), leave: String::new(), standing };
        SessionReply::Sim { rows: vec![row], progress: SearchProgress { depth: 2, elapsed_ms: 500, nodes: 1200 }, stage }
    }

    #[test]
    fn a_simulation_in_two_dialects() {
        assert_eq!(
            sim(ReplyStage::Final).lines(Dialect::Siu),
            [
                "info depth 2 time 500 nodes 1200 nps 2400",
                "info sim move H8.CaT wp 51.234 wpse 1.000 eq 0.000 eqse 0.000 iters 400 score 9"
            ]
        );
        let row =
            "info currmove h8.CaT sc 9 wp 51.234 wpe 2.576 eq 0.000 eqe 0.000 it 400 ig 0 ply1-scm 31.500 ply1-scd 12.250 ply1-bp 12.500";
        assert_eq!(sim(ReplyStage::Running).lines(Dialect::Ucgi), [row, "bestsofar h8.CaT", "info nps 2400.0 depth 2 time 500 nodes 1200"]);
        assert_eq!(sim(ReplyStage::Final).lines(Dialect::Ucgi), ["info nps 2400.0 depth 2 time 500 nodes 1200", row]);
        assert_eq!(SessionReply::BestMove(Some("8H.CaT".to_string())).lines(Dialect::Ucgi), ["bestmove 8h.CaT"]);
    }

    #[test]
    fn a_static_ranking_in_two_dialects() {
        let row =
            |leave: &str| GenReplyRow { play: "8H.CAT".to_string(), score: 10, equity: Millipoints(-1_250), leave: leave.to_string() };
        let reply = SessionReply::Gen { rows: vec![row("AE?"), row("")], stage: ReplyStage::Final };
        assert_eq!(
            reply.lines(Dialect::Uci),
            ["info gen move 8H.CAT score 10 eq -1.250 leave AE?", "info gen move 8H.CAT score 10 eq -1.250 leave"]
        );
        assert_eq!(reply.lines(Dialect::Ucgi), ["info currmove 8h.CAT sc 10 eq -1.250 it 0"; 2]);
    }

    #[test]
    fn an_endgame_in_two_dialects() {
        let progress = SearchProgress { depth: 3, elapsed_ms: 3, nodes: 10 };
        let reply = |bound| SessionReply::Endgame {
            value: -8,
            bound,
            is_solved: bound == Bound::Exact,
            score: 5,
            line: vec!["5C.LAD".to_string(), "pass".to_string()],
            progress,
            hashfull: 7,
            stage: ReplyStage::Final,
        };
        assert_eq!(
            reply(Bound::Exact).lines(Dialect::Ucgi),
            ["info nps 3333.3 depth 3 time 3 nodes 10 hashfull 7", "info currmove 5c.LAD sc 5 eq -8.000 it 0"]
        );
        let general = "info depth 3 time 3 nodes 10 nps 3333 hashfull 7";
        let row = "info endgame depth 3 score spread -8 pv 5C.LAD pass";
        assert_eq!(reply(Bound::Exact).lines(Dialect::Siu), [general, "info string solved", row]);
        // Additions to the protocol SIU are listed among the differences.
        let text = include_str!("../../protocol/README.md");
        let (_, differences) = text.split_once("## What differs from SIU").unwrap();
        let (differences, _) = differences.split_once("\n## ").unwrap();
        for (bound, mark) in [(Bound::AtLeast, "lowerbound"), (Bound::AtMost, "upperbound"), (Bound::Estimate, "estimate")] {
            assert_eq!(reply(bound).lines(Dialect::Siu), [general, &row.replace(" pv", &format!(" {mark} pv"))]);
            assert!(differences.contains(&format!("`{mark}`")), "{mark} is not among the differences from SIU");
        }
    }

    #[test]
    fn the_handshake_ends_in_the_dialects_word() {
        for dialect in [Dialect::Siu, Dialect::Ucgi, Dialect::Uci] {
            let lines = SessionReply::Handshake(OptionCaps::default()).lines(dialect);
            assert_eq!(lines.last().map(String::as_str), Some(format!("{}ok", dialect.word()).as_str()));
            assert_eq!(lines.iter().any(|line| line.starts_with("capability ")), dialect == Dialect::Siu);
        }
    }

    #[test]
    fn names_stay_one_word_and_texts_one_line() {
        let reply = SessionReply::Provenance { leaves: "my leaves".to_string(), win: String::new(), lexicon: "X".to_string() };
        let version = env!("CARGO_PKG_VERSION");
        let line = format!("info string provenance engine=tilewright/{version} leaves=my_leaves winpct=none lexicon=X");
        assert_eq!(reply.lines(Dialect::Siu), [line]);
        assert!(reply.lines(Dialect::Ucgi).is_empty());
        let error = SessionReply::Error(ErrorReply::new(ErrorCode::BadMove, "a\nb"));
        assert_eq!(error.lines(Dialect::Ucgi), ["info string error bad-move a b"]);
    }
}
