//! A ranking as a table for a person: rank, play, score, leave and results; errors as bars.
//!
//! Inferences have tables of leaves and, at the end, of tiles, with the chances before and after the
//! turn. Challenges also have a table, and so have replies, with a heat map. Endgames are shown as
//! the protocol's lines. Start with [`of_reply`].

use crate::formats::cgp::challenge_rule_text;
use crate::protocol::challenge::{ChallengeAnswer, ValiditySource};
use crate::protocol::ranking::{Ranking, ReplyStage, basis_text};
use crate::protocol::reply::SessionReply;
use crate::rules::ChallengeRule;
use crate::search::challenge::{ChallengeChances, ChallengeEvent, WinChance};
use crate::search::inference::{Belief, BeliefScope, InferredLeave};
use crate::search::report::{PreEndgameClaim, PreEndgameRow, Report, SimulationRow};
use crate::search::{EvaluatedPlay, PreEndgameReport, RackMean, RepliesReport, SimulationReport, StaticReport};
use crate::terminal::board;
use crate::terminal::ink::{Ink, InkLine};

/// Columns of a bar.
const BAR: usize = 25;

/// Half a bar, in standard errors.
const BAR_ERRORS: f64 = 2.0;

/// The side on which the cells of a column are aligned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Align {
    Left,
    Right,
}

/// A column: its heading, its alignment and its look.
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
    /// Headings, rows, and a line about the search.
    pub lines: Vec<InkLine>,
    /// Whether more is to come.
    pub stage: ReplyStage,
}

/// Returns the table of a reply that is a ranking. `lines` is the reply in the protocol.
pub fn of_reply(reply: &SessionReply, lines: &[String]) -> Option<RankingTable> {
    let ranking = match reply {
        SessionReply::Ranking(ranking) => ranking,
        SessionReply::Challenge(answer) => return Some(RankingTable { lines: challenge_lines(answer), stage: answer.stage }),
        _ => return None,
    };
    let lines = match &ranking.report {
        Report::Static(StaticReport { rows }) => gen_lines(ranking, rows),
        Report::Simulation(report) => sim_lines(ranking, report),
        Report::PreEndgame(report) => peg_lines(ranking, report),
        Report::Inference(belief) => {
            let mut lines = leave_lines(ranking, &belief.leaves);
            if ranking.stage == ReplyStage::Final {
                lines.extend(tile_lines(ranking, belief));
            }
            lines.push(InkLine::of(scope_text(belief), Ink::Soft));
            lines
        }
        Report::Replies(report) => replies_lines(ranking, report),
        Report::Endgame(_) => lines.iter().map(|line| InkLine::of(line, Ink::Plain)).collect(),
    };
    Some(RankingTable { lines, stage: ranking.stage })
}

fn gen_lines(ranking: &Ranking, rows: &[EvaluatedPlay]) -> Vec<InkLine> {
    let columns = [right(""), left("play"), right("equity"), right("score"), left("leave")];
    let cells = |(rank, row): (usize, &EvaluatedPlay)| {
        let EvaluatedPlay { play, score, equity } = row;
        [rank.to_string(), ranking.play(play), format!("{:.1}", equity.points()), score.to_string(), ranking.leave(play)]
    };
    table(&columns, &(1..).zip(ranking.shown(rows)).map(cells).collect::<Vec<_>>())
}

fn sim_lines(ranking: &Ranking, report: &SimulationReport) -> Vec<InkLine> {
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
    let rows = ranking.shown(&report.rows);
    let scale = Scale::of(rows);
    let cells = |(rank, row): (usize, &SimulationRow)| {
        [
            rank.to_string(),
            ranking.play(&row.ranked.play),
            format!("{:.2}", 100.0 * row.win),
            scale.bar(row.win, row.win_error),
            format!("{:.1}", row.equity),
            row.ranked.score.to_string(),
            ranking.leave(&row.ranked.play),
            row.iterations.to_string(),
        ]
    };
    let mut lines = table(&columns, &(1..).zip(rows).map(cells).collect::<Vec<_>>());
    lines.push(InkLine::of(format!("{} plies, {}", report.plies, progress_text(ranking, report.nodes)), Ink::Soft));
    lines
}

fn peg_lines(ranking: &Ranking, report: &PreEndgameReport) -> Vec<InkLine> {
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
    let cells = |(rank, row): (usize, &PreEndgameRow)| {
        [
            rank.to_string(),
            ranking.play(&row.ranked.play),
            format!("{:.1}", 100.0 * row.win),
            row.spread.map_or(String::new(), |spread| format!("{spread:+.1}")),
            row.ranked.score.to_string(),
            ranking.leave(&row.ranked.play),
            row.wins.len().to_string(),
            row.ties.len().to_string(),
            row.losses.len().to_string(),
            basis_text(row.basis).to_string(),
        ]
    };
    let mut lines = table(&columns, &(1..).zip(ranking.shown(&report.rows)).map(cells).collect::<Vec<_>>());
    let claim = match report.claim {
        PreEndgameClaim::Nothing => "",
        PreEndgameClaim::Share => "proved: the first has the best share of wins; ",
        PreEndgameClaim::Best => "proved: the first is best; ",
    };
    lines.push(InkLine::of(format!("{claim}stage {}, {}", report.stage, progress_text(ranking, report.nodes)), Ink::Soft));
    lines
}

fn leave_lines(ranking: &Ranking, leaves: &[InferredLeave]) -> Vec<InkLine> {
    let columns = [right(""), left("leave"), right("chance %"), right("before %"), right("times")];
    let cells = |(rank, row): (usize, &InferredLeave)| {
        let leave = if row.leave.is_empty() { "-".to_string() } else { ranking.rack(&row.leave) };
        let [chance, prior, times] = chance_texts(row.chance, row.prior);
        [rank.to_string(), leave, chance, prior, times]
    };
    table(&columns, &(1..).zip(ranking.shown(leaves)).map(cells).collect::<Vec<_>>())
}

fn tile_lines(ranking: &Ranking, belief: &Belief) -> Vec<InkLine> {
    let columns = [left("one or more"), right("chance %"), right("before %"), right("times")];
    let cells = |(tile, [prior, chance]): (String, [f64; 2])| {
        let [chance, prior, times] = chance_texts(chance, prior);
        [tile, chance, prior, times]
    };
    table(&columns, &ranking.tile_chances(belief).map(cells).collect::<Vec<_>>())
}

/// The chances of a bingo, the mean reply and the replies; at the end also the squares that replies cover.
fn replies_lines(ranking: &Ranking, report: &RepliesReport) -> Vec<InkLine> {
    let after = ranking.after(report);
    let mut lines = vec![InkLine::of(format!("after {}", ranking.play(&report.play)), Ink::Strong)];
    let columns = [left("what comes next"), right(""), left("± (95 %)"), right("racks"), left("")];
    let cells = |(what, mean, scale): (&str, &RackMean, f64)| {
        let error = if mean.error > 0.0 { format!("± {:.2}", BAR_ERRORS * scale * mean.error) } else { String::new() };
        let by = if mean.is_exact { "all" } else { "drawn" };
        [what.to_string(), format!("{:.2}", scale * mean.mean), error, mean.racks.to_string(), by.to_string()]
    };
    let means = [
        ("you have a bingo on your next turn, %", &report.own_bingo, 100.0),
        ("the opponent has one in reply, %", &report.reply_bingo, 100.0),
        ("points of the reply", &report.score, 1.0),
    ];
    lines.extend(table(&columns, &means.map(cells)));
    if ranking.stage == ReplyStage::Final {
        lines.push(InkLine::of("how often the reply places a tile on a square, %", Ink::Soft));
        lines.extend(board::heat_lines(&after, &report.squares));
    }
    let columns = [right(""), left("reply"), right("%"), right("score")];
    let rows = ranking.reply_rows(report);
    let cells = (1..)
        .zip(rows)
        .map(|(rank, (row, text)): (usize, _)| [rank.to_string(), text, format!("{:.2}", 100.0 * row.share), row.score.to_string()]);
    lines.extend(table(&columns, &cells.collect::<Vec<_>>()));
    lines.push(InkLine::of(format!("{:.1} s", ranking.elapsed_ms as f64 / 1e3), Ink::Soft));
    lines
}

/// The chances after each event, and for each rule the decision.
fn challenge_lines(answer: &ChallengeAnswer) -> Vec<InkLine> {
    let found = match answer.invalid.as_slice() {
        [] if answer.words.len() == 1 => format!("{} is in {}", answer.words.join(""), answer.lexicon),
        [] => format!("{} are in {}", answer.words.join(", "), answer.lexicon),
        [invalid] => format!("{invalid} is not in {}", answer.lexicon),
        invalid => format!("{} are not in {}", invalid.join(", "), answer.lexicon),
    };
    let columns = [left("what happens"), right("you win %"), left("± (95 %)"), left("known by")];
    let cells = |(event, chance): &(ChallengeEvent, Option<WinChance>)| {
        let [win, error, basis] = match chance {
            Some(WinChance { win, error, basis }) => {
                let error = if *error > 0.0 { format!("± {:.2}", BAR_ERRORS * 100.0 * error) } else { String::new() };
                [format!("{:.2}", 100.0 * win), error, basis.name().to_string()]
            }
            None if answer.stage == ReplyStage::Running => [String::new(), String::new(), "searching".to_string()],
            None => [String::new(), String::new(), "not searched".to_string()],
        };
        [event_text(*event), win, error, basis]
    };
    let mut lines = vec![InkLine::of(format!("{}: {found}", answer.play), Ink::Strong)];
    lines.extend(table(&columns, &answer.events.iter().map(cells).collect::<Vec<_>>()));
    for (rule, chances) in answer.rules() {
        if let Some(chances) = &chances {
            lines.push(InkLine::of(verdict_text(rule, chances), Ink::Strong));
            lines.push(InkLine::of(win_text(answer, chances), Ink::Plain));
        }
    }
    lines.push(InkLine::of(format!("{:.1} s", answer.elapsed_ms as f64 / 1e3), Ink::Soft));
    lines
}

fn event_text(event: ChallengeEvent) -> String {
    let cost = match event {
        ChallengeEvent::Stands => return "you accept the play".to_string(),
        ChallengeEvent::Off => return "you challenge it off: it is your turn".to_string(),
        ChallengeEvent::InVain(rule) => cost_text(rule),
    };
    format!("you challenge in vain: {cost}")
}

/// The cost of a challenge in vain.
const fn cost_text(rule: ChallengeRule) -> &'static str {
    match rule {
        ChallengeRule::Void | ChallengeRule::Single => "it costs nothing",
        ChallengeRule::Double => "it costs your turn",
        ChallengeRule::Triple => "it costs the game",
        ChallengeRule::FivePoint => "it costs 5 points",
        ChallengeRule::TenPoint => "it costs 10 points",
    }
}

/// When to challenge.
fn verdict_text(rule: ChallengeRule, chances: &ChallengeChances) -> String {
    let (threshold, error) = (chances.threshold(), 100.0 * BAR_ERRORS * chances.threshold_error(rule));
    let error = if error > 0.0 { format!(" (± {error:.1})") } else { String::new() };
    let when = match threshold {
        0.0 => "accept: the play does you no harm".to_string(),
        1.0 => "challenge, unless you are sure that it is valid".to_string(),
        _ => format!("challenge if you are less than {:.1} % sure that it is valid{error}", 100.0 * threshold),
    };
    format!("{}: {when}", challenge_rule_text(rule))
}

/// The chances of both decisions, if the play is valid with the stated probability.
fn win_text(answer: &ChallengeAnswer, chances: &ChallengeChances) -> String {
    let (challenge, accept) = (100.0 * chances.win_of_challenge(answer.valid), 100.0 * chances.stands.win);
    let valid = match answer.source {
        ValiditySource::Stated => format!("{:.0} % likely to be valid", 100.0 * answer.valid),
        ValiditySource::Lexicon if answer.invalid.is_empty() => "valid".to_string(),
        ValiditySource::Lexicon => "not valid".to_string(),
    };
    let better = if chances.pays(answer.valid) { "challenge" } else { "accept" };
    format!("  if it is {valid}, you win {challenge:.1} % with a challenge, {accept:.1} % without: {better}")
}

/// A chance, the chance before the turn was seen, and the ratio of the two.
fn chance_texts(chance: f64, prior: f64) -> [String; 3] {
    let times = if prior > 0.0 { format!("{:.2}", chance / prior) } else { String::new() };
    [format!("{:.2}", 100.0 * chance), format!("{:.2}", 100.0 * prior), times]
}

fn scope_text(belief: &Belief) -> String {
    let BeliefScope { model, racks, of_racks, is_drawn, turns, .. } = belief.scope;
    let effective_leaves = belief.effective_leaves;
    let drawn = if is_drawn { " drawn" } else { "" };
    let explained = if belief.is_explained { "" } else { ", none of which explains the turn" };
    let turns = if turns == 1 { "the last turn".to_string() } else { format!("the last {turns} turns") };
    format!(
        "{} by {turns}: {racks} of {of_racks} racks{drawn}{explained}; as uncertain as {effective_leaves:.1} equally likely leaves",
        model.name()
    )
}

fn progress_text(ranking: &Ranking, nodes: u64) -> String {
    format!("{:.1} s, {nodes} plays generated", ranking.elapsed_ms as f64 / 1e3)
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

/// The scale of the bars of a table: from the lowest end of an error to the highest.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn of(rows: &[SimulationRow]) -> Scale {
        let sampled = || rows.iter().filter(|row| row.iterations > 1).map(|row| (row.win, BAR_ERRORS * row.win_error));
        Scale {
            low: sampled().map(|(win, error)| win - error).fold(f64::INFINITY, f64::min).max(0.0),
            high: sampled().map(|(win, error)| win + error).fold(f64::NEG_INFINITY, f64::max).min(1.0),
        }
    }

    /// `├──●──┤`, or a point while the error is unknown.
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
pub(crate) mod tests {
    use super::*;
    use crate::rules::notation::parse_move;
    use crate::rules::units::Millipoints;
    use crate::rules::{GameRules, LetterDistribution, Play, Position, Rack, Seat, Square, Turn};
    use crate::search::OpponentModel;
    use crate::search::ReplyRow;
    use crate::search::challenge::ChanceBasis;
    use crate::terminal::ink::Colours;
    use std::sync::Arc;

    /// A ranking of a player who holds CATER.
    pub(crate) fn ranking(report: Report, elapsed_ms: u64, stage: ReplyStage) -> Ranking {
        let mut position = Position::start(Arc::new(GameRules::english()));
        position.set_rack(Seat::First, &rack("CATER")).unwrap();
        Ranking { report, position: Arc::new(position), rows: usize::MAX, elapsed_ms, stage }
    }

    pub(crate) fn ranked(play: Play) -> EvaluatedPlay {
        EvaluatedPlay { play, score: 7, equity: Millipoints::from_points(7) }
    }

    pub(crate) fn rack(tiles: &str) -> Rack {
        Rack::parse(tiles, &LetterDistribution::english()).unwrap()
    }

    fn sim_row(play: &str, win: f64, win_error: f64, iterations: u64) -> SimulationRow {
        let position = Position::start(Arc::new(GameRules::english()));
        let Ok(Turn::Play(play)) = parse_move(play, &position).map(|read| read.turn) else { panic!("{play}") };
        let ranked = ranked(play);
        SimulationRow {
            ranked,
            win,
            win_error,
            sampled_win: win,
            equity: 3.25,
            equity_error: 0.5,
            iterations,
            pruned: false,
            plies: Vec::new(),
        }
    }

    fn shown_sim(rows: Vec<SimulationRow>) -> Vec<String> {
        let report = SimulationReport { rows, plies: 5, nodes: 99 };
        shown(&sim_lines(&ranking(Report::Simulation(report.clone()), 1234, ReplyStage::Final), &report))
    }

    fn shown(lines: &[InkLine]) -> Vec<String> {
        lines.iter().map(|line| line.text(Colours::Off, 200).trim_end().to_string()).collect()
    }

    #[test]
    fn errors_are_bars_on_one_scale() {
        let rows = vec![sim_row("8H.CAT", 0.6, 0.02, 100), sim_row("8H.AT", 0.5, 0.05, 60), sim_row("pass", 0.1, 0.0, 0)];
        assert_eq!(
            shown_sim(rows),
            [
                "    play    win %  two standard errors        equity  score  leave  samples",
                " 1  8H.CAT  60.00                  ├───●───┤     3.2      7  ER         100",
                " 2  8H.AT   50.00  ├─────────●─────────┤         3.2      7  CER         60",
                " 3  pass    10.00  ●                             3.2      7  ACERT        0",
                "5 plies, 1.2 s, 99 plays generated",
            ]
        );
    }

    #[test]
    fn what_was_kept_stands_beside_what_could_be_expected() {
        let leaves = [("EI", 0.8, 0.25), ("", 0.2, 0.75)].map(|(leave, chance, prior)| InferredLeave { leave: rack(leave), chance, prior });
        let scope = BeliefScope {
            model: OpponentModel::Static,
            racks: 300,
            of_racks: 372,
            is_drawn: false,
            turns: 2,
            unseen: rack("?E"),
            known: Rack::EMPTY,
        };
        let belief = Arc::new(Belief::of_weights(leaves.to_vec(), scope));
        let reply = |stage| SessionReply::Ranking(ranking(Report::Inference(Arc::clone(&belief)), 0, stage));
        let whole = [
            "    leave  chance %  before %  times",
            " 1  EI        80.00     25.00   3.20",
            " 2  -         20.00     75.00   0.27",
            " one or more  chance %  before %  times",
            " ?                0.00      0.00",
            " E               80.00     25.00   3.20",
            "static by the last 2 turns: 300 of 372 racks; as uncertain as 1.5 equally likely leaves",
        ];
        assert_eq!(shown(&of_reply(&reply(ReplyStage::Final), &[]).unwrap().lines), whole);
        let running = [&whole[..3], &whole[6..]].concat();
        assert_eq!(shown(&of_reply(&reply(ReplyStage::Running), &[]).unwrap().lines), running);
    }

    #[test]
    fn a_challenge_is_told_with_its_threshold() {
        let chance = |win, error| Some(WinChance { win, error, basis: ChanceBasis::Simulation });
        let answer = ChallengeAnswer {
            play: "8D.QUIZX".to_string(),
            words: vec!["QUIZX".to_string()],
            invalid: vec!["QUIZX".to_string()],
            lexicon: "ENABLE".to_string(),
            valid: 0.4,
            source: ValiditySource::Stated,
            events: vec![
                (ChallengeEvent::Stands, chance(0.44, 0.0)),
                (ChallengeEvent::Off, chance(0.68, 0.0)),
                (ChallengeEvent::InVain(ChallengeRule::Double), chance(0.26, 0.015)),
                (ChallengeEvent::InVain(ChallengeRule::Triple), Some(WinChance::known(0.0))),
            ],
            elapsed_ms: 1234,
            stage: ReplyStage::Final,
        };
        assert_eq!(
            shown(&challenge_lines(&answer)),
            [
                "8D.QUIZX: QUIZX is not in ENABLE",
                " what happens                               you win %  ± (95 %)  known by",
                " you accept the play                            44.00            sim",
                " you challenge it off: it is your turn          68.00            sim",
                " you challenge in vain: it costs your turn      26.00  ± 3.00    sim",
                " you challenge in vain: it costs the game        0.00            rules",
                "double: challenge if you are less than 57.1 % sure that it is valid (± 4.1)",
                "  if it is 40 % likely to be valid, you win 51.2 % with a challenge, 44.0 % without: challenge",
                "triple: challenge if you are less than 35.3 % sure that it is valid",
                "  if it is 40 % likely to be valid, you win 40.8 % with a challenge, 44.0 % without: accept",
                "1.2 s",
            ]
        );
        let under_way = ChallengeAnswer {
            words: vec!["CARE".to_string(), "AT".to_string()],
            invalid: Vec::new(),
            events: vec![
                (ChallengeEvent::Stands, chance(0.5, 0.01)),
                (ChallengeEvent::Off, None),
                (ChallengeEvent::InVain(ChallengeRule::Single), chance(0.5, 0.01)),
            ],
            stage: ReplyStage::Running,
            ..answer
        };
        assert_eq!(
            shown(&challenge_lines(&under_way)),
            [
                "8D.QUIZX: CARE, AT are in ENABLE",
                " what happens                             you win %  ± (95 %)  known by",
                " you accept the play                          50.00  ± 2.00    sim",
                " you challenge it off: it is your turn                         searching",
                " you challenge in vain: it costs nothing      50.00  ± 2.00    sim",
                "1.2 s",
            ]
        );
    }

    #[test]
    fn replies_are_drawn_with_the_board_after_the_play() {
        let start = Position::start(Arc::new(GameRules::english()));
        let play = |text: &str, position: &Position| match parse_move(text, position).map(|read| read.turn) {
            Ok(Turn::Play(play)) => play,
            other => panic!("{other:?}"),
        };
        let cat = play("8H.CAT", &start);
        let after = start.after(&Turn::Play(cat)).unwrap();
        let report = RepliesReport {
            play: cat,
            own_bingo: RackMean { mean: 0.25, error: 0.0, racks: 30, is_exact: true },
            reply_bingo: RackMean { mean: 0.125, error: 0.01, racks: 8, is_exact: false },
            score: RackMean { mean: 20.5, error: 1.5, racks: 8, is_exact: false },
            squares: vec![(Square::new(7, 10), 0.875), (Square::new(8, 10), 0.004)],
            replies: vec![ReplyRow { play: play("8H.CATS", &after), score: 9, share: 0.75 }],
        };
        let reply = |stage| SessionReply::Ranking(ranking(Report::Replies(report.clone()), 1234, stage));
        let lines = |stage| shown(&of_reply(&reply(stage), &[]).unwrap().lines);
        let whole = lines(ReplyStage::Final);
        let head = [
            "after 8H.CAT",
            " what comes next                               ± (95 %)  racks",
            " you have a bingo on your next turn, %  25.00               30  all",
            " the opponent has one in reply, %       12.50  ± 2.00        8  drawn",
            " points of the reply                    20.50  ± 3.00        8  drawn",
        ];
        let end = ["    reply        %  score", " 1  8H.CATS  75.00      9", "1.2 s"];
        assert_eq!(lines(ReplyStage::Running), [&head[..], &end[..]].concat());
        assert_eq!(whole[..5], head);
        assert_eq!(whole[whole.len() - 3..], end);
        assert_eq!(whole[14], "  8  .  .  .  .  .  .  .  C  A  T 88  .  .  .  .");
        assert_eq!(whole[15].matches('.').count(), 15);
    }

    #[test]
    fn a_table_without_samples_has_no_bars() {
        assert_eq!(shown_sim(vec![sim_row("pass", 0.5, 0.0, 0)])[1].matches('●').count(), 0);
        let none = ranking(Report::Static(StaticReport { rows: Vec::new() }), 0, ReplyStage::Final);
        assert_eq!(shown(&gen_lines(&none, &[])), ["   play  equity  score  leave"]);
    }
}
