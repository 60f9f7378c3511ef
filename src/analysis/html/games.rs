//! The page of many games: each player's losses by part, size and remark, and links to the games.
//!
//! Not here: the sums themselves (`totals.rs`), and a game's page (`page.rs`). Start with [`overview`].

use crate::analysis::html::page;
use crate::analysis::report::{
    CareerReport, GameReport, LOSS_RULE, LossSum, MeanReport, PlayerReport, ReportKind, STRENGTH_GAMES, TurnReport, UnreadSource,
};
use crate::analysis::text::{lost_text, mean_text, sizes_text, strength_text};
use crate::pages::sheet::{sheet, table};
use maud::{Markup, html};

/// The bars of the table of parts.
const STYLE: &str = include_str!("games.css");

/// A game with the address of its page, from the folder in which the overview is.
#[derive(Clone, Copy, Debug)]
pub struct LinkedGame<'a> {
    /// The game.
    pub report: &'a GameReport,
    /// Its page, as a relative address.
    pub address: &'a str,
}

/// Several games as one page. `careers` are the sums of each player over all games.
/// `unread` lists what could not be read.
pub fn overview(games: &[LinkedGame<'_>], careers: &[CareerReport], unread: &[UnreadSource]) -> String {
    let turns: usize = games.iter().map(|game| game.report.turns.len()).sum();
    let title = format!("{} games", games.len());
    let body = html! {
        header {
            h1 { (title) }
            p.soft { (turns) " turns, " (careers.len()) " players" }
        }
        main {
            @if !careers.is_empty() {
                div.card { h2 { "Players" } (players(careers)) }
                div.card { h2 { "By part of the game" } (parts(careers)) }
                div.card { h2 { "By size of the mistake" } (sizes(careers)) }
                @if careers.iter().any(|career| !career.kinds.is_empty()) {
                    div.card { h2 { "By remark" } (kinds(careers)) }
                }
            }
            div.card { h2 { "Games" } (list(games)) }
            @if !unread.is_empty() {
                div.card {
                    h2 { "Not read" }
                    ul { @for UnreadSource { source, reason } in unread { li { (source) ": " (reason) } } }
                }
            }
        }
        footer {
            @if let Some(first) = games.first() { div.card { (page::run_card(first.report)) } }
        }
    };
    sheet(&title, STYLE, "", &body)
}

/// Each player's mean loss and luck per game, and their strength.
fn players(careers: &[CareerReport]) -> Markup {
    let heading = html! {
        th { "Player" } th.number { "Games" } th.number { "Lost per game, %" } th.number { "Luck per game, points" }
        th.number { "Mistake index (macondo)" } th.number { "Mistake index (MAGPIE)" }
    };
    let rows = html! {
        @for career in careers {
            tr {
                th scope="row" { (career.nick) }
                td.number { (career.games) }
                (mean_cell(&career.win, 100.0)) (mean_cell(&career.luck_points, 1.0))
                (mean_cell(&career.macondo_index, 1.0)) (mean_cell(&career.magpie_index, 1.0))
            }
        }
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label="Players" { (table(&heading, &rows)) }
        p.soft { "Means over the games with their standard errors. A lower mistake index is better." }
        @for career in careers {
            @if let Some(strength) = &career.strength { p { b { (career.nick) } " " (strength_text(strength)) "." } }
        }
        @if careers.iter().any(|career| career.strength.is_none()) {
            p.soft { "A player's strength is estimated from " (STRENGTH_GAMES) " games on, with a 95 % interval." }
        }
    }
}

/// A mean with its error, which goes to the next line where the cell is too narrow for both.
fn mean_cell(mean: &MeanReport, factor: f64) -> Markup {
    html! { td.number.mean { (mean_text(mean, factor).replace("± ", "±\u{a0}")) } }
}

/// The mean loss of a turn, in chances of winning.
fn lost_a_turn(sum: &LossSum) -> f64 {
    sum.win / sum.turns.max(1) as f64
}

fn parts(careers: &[CareerReport]) -> Markup {
    let most = careers.iter().flat_map(|career| &career.parts).map(|part| lost_a_turn(&part.sum)).fold(0.0, f64::max);
    let width = |sum: &LossSum| if most > 0.0 { (100.0 * lost_a_turn(sum) / most).max(0.0) } else { 0.0 };
    let heading = html! {
        th { "Player" } th { "Part" } (page::sum_headings("Turns")) th.number { "Win % lost per turn" } th.spare aria-label="the same as a bar" {}
    };
    let rows = html! {
        @for career in careers {
            @for part in &career.parts {
                tr {
                    td { (career.nick) } td { (part.part.name()) } (page::sum_cells(&part.sum))
                    td.number { (format!("{:.2}", 100.0 * lost_a_turn(&part.sum))) }
                    td.bar-cell.spare { span.bar-of style=(format!("width: {:.1}%", width(&part.sum))) {} }
                }
            }
        }
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label="Losses by part of the game" { (table(&heading, &rows)) }
        p.soft { (LOSS_RULE) " A sum below 0 is noise." }
    }
}

fn sizes(careers: &[CareerReport]) -> Markup {
    let heading = html! { th { "Player" } th { "As macondo counts" } th { "As MAGPIE counts" } };
    let rows = html! {
        @for career in careers {
            tr { th scope="row" { (career.nick) } td.wide { (sizes_text(&career.macondo_sizes)) } td.wide { (sizes_text(&career.magpie_sizes)) } }
        }
    };
    html! { div.scroll tabindex="0" role="region" aria-label="Mistakes by size" { (table(&heading, &rows)) } }
}

fn kinds(careers: &[CareerReport]) -> Markup {
    let mut known: Vec<_> = careers.iter().flat_map(|career| &career.kinds).map(|kind| kind.kind).collect();
    known.sort();
    known.dedup();
    let heading = html! { th { "Player" } th { "Remark" } th.number { "Times" } (page::sum_headings("Judged")) };
    let rows = html! {
        @for career in careers {
            @for kind in &career.kinds {
                tr { td { (career.nick) } td { (kind.kind.name()) } td.number { (kind.count) } (page::sum_cells(&kind.sum)) }
            }
        }
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label="Losses by remark" { (table(&heading, &rows)) }
        dl { @for kind in known { dt { (kind.name()) } dd { (kind.rule()) } } }
    }
}

fn list(games: &[LinkedGame<'_>]) -> Markup {
    let heading = html! {
        th { "Game" } th { "Result" } th.number { "Turns" } th.number { "First lost, %" } th.number { "Second lost, %" }
        th.number.spare { "Luck of the first, points" } th { "Largest loss" } th.spare { "File" }
    };
    let rows = html! { @for (number, game) in (1..).zip(games) { (row(number, game)) } };
    html! {
        div.scroll tabindex="0" role="region" aria-label="Games" { (table(&heading, &rows)) }
        p.soft { "The first player of a game is the one who moved first. The link of the largest loss leads to its turn." }
    }
}

fn row(number: usize, LinkedGame { report, address }: &LinkedGame<'_>) -> Markup {
    let [first, second] = &report.players.0;
    let lost = |player: &PlayerReport| format!("{:.1}", 100.0 * player.totals.all.win);
    html! {
        tr {
            td { a href=(address) { (number) } }
            @match report.kind {
                ReportKind::Game => {
                    td { (first.nick) " " (first.score) " – " (second.score) " " (second.nick) }
                    td.number { (report.turns.len()) } td.number { (lost(first)) } td.number { (lost(second)) }
                    td.number.spare { (format!("{:+.1}", first.totals.luck_points)) }
                }
                ReportKind::Positions => {
                    td { "positions" } td.number { (report.turns.len()) } td.number { (lost(first)) } td.number {} td.number.spare {}
                }
            }
            td.wide {
                @if let Some(turn) = largest_loss(report) {
                    a href={ (address) "#t" (turn.number) } { "turn " (turn.number) }
                    " " (report.players[turn.player].nick) " " span.mono { (turn.play) }
                    @if let Some(verdict) = turn.judged() { " " span.real { (lost_text(verdict)) } }
                }
            }
            td.wide.soft.spare {
                (report.source)
                @match report.notes.len() {
                    0 => {}
                    1 => " (1 remark)",
                    many => { " (" (many) " remarks)" }
                }
            }
        }
    }
}

/// The turn with the largest loss beyond noise. Losses in chances of winning rank above losses in points.
fn largest_loss(report: &GameReport) -> Option<&TurnReport> {
    let size = |turn: &&TurnReport| turn.judged().filter(|verdict| verdict.loss.is_real()).map(|verdict| verdict.loss.counted());
    let real = report.turns.iter().filter(|turn| size(turn).is_some());
    real.max_by(|one, other| size(one).partial_cmp(&size(other)).unwrap_or(std::cmp::Ordering::Equal))
}
