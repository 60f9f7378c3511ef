//! The page around boards, curve and turns: head, navigation, sums, remarks, and settings of the run.

use crate::analysis::html::{curve, turns};
use crate::analysis::report::{GameReport, KindTotals, LOSS_RULE, LabelKind, LossSum, PlayerReport, PlayerTotals, ReportKind};
use crate::analysis::text::sizes_text;
use crate::pages::board;
use crate::pages::sheet::{sheet, table};
use crate::rules::GameRules;
use maud::{Markup, html};

/// The style of turns and the quiz.
const STYLE: &str = include_str!("style.css");

/// The script for keys, hover, focus and the quiz.
const SCRIPT: &str = include_str!("script.js");

/// A game's report as an HTML page.
pub fn page(report: &GameReport, rules: &GameRules) -> String {
    page_of(report, rules, None)
}

/// The report of one of several games as an HTML page, with the address of the overview.
pub fn page_of_several(report: &GameReport, rules: &GameRules, overview: &str) -> String {
    page_of(report, rules, Some(overview))
}

fn page_of(report: &GameReport, rules: &GameRules, overview: Option<&str>) -> String {
    let [first, second] = &report.players.0;
    let is_game = report.kind == ReportKind::Game;
    let title = match report.kind {
        ReportKind::Game => format!("{} {} – {} {}", first.nick, first.score, second.score, second.nick),
        ReportKind::Positions => format!("{} positions", report.turns.len()),
    };
    let body = html! {
        (board::empty(rules))
        header {
            h1 { (title) }
            p.soft {
                @if is_game { (named(first)) " moved first, against " (named(second)) ". " }
                (report.source)
                @if let Some(overview) = overview { " · " a href=(overview) { "All games" } }
            }
        }
        main {
            @if is_game {
                div.card.curve-card {
                    h2 { (first.nick) "'s chance of winning" }
                    div.scroll tabindex="0" role="region" aria-label="Chance of winning" { (curve::draw(report)) }
                    p.soft {
                        "Each point is the chance after a turn. The band is two standard errors wide on either side; \
                         red points mark losses beyond noise."
                    }
                }
            }
            div.card id="turn" {
                (navigation())
                (turns::panels(report, rules))
            }
            div.card { h2 { "Losses" } (sums(report)) }
            div.card { h2 { "Turns" } (turns::list(report)) }
            (remarks(report))
        }
        footer {
            div.card {
                (run_card(report))
                p.soft.keys-help {
                    "Keys: ← and → change the turn, Home and End go to the first and last, m to the next mistake, q starts or ends the quiz. \
                     Tab goes through the plays; the board shows the play with the focus."
                }
            }
        }
    };
    sheet(&title, &[board::STYLE, STYLE].concat(), SCRIPT, &body)
}

fn named(player: &PlayerReport) -> &str {
    if player.name.is_empty() { &player.nick } else { &player.name }
}

fn navigation() -> Markup {
    html! {
        div.bar {
            button type="button" data-step="first" aria-label="first turn" { "«" }
            button type="button" data-step="back" aria-label="turn before" { "◀" }
            button type="button" data-step="on" aria-label="next turn" { "▶" }
            button type="button" data-step="last" aria-label="last turn" { "»" }
            button type="button" data-step="worst" { "Next mistake" }
            label { input type="checkbox" id="quiz"; " Quiz: find the play" }
            span id="where" role="status" style="position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden" {}
        }
    }
}

/// The headings of [`sum_cells`]; `turns` is the heading of the first.
pub fn sum_headings(turns: &str) -> Markup {
    html! { th.number.spare { (turns) } th.number { "Mistakes" } th.number { "Win % lost" } th.number { "Points lost" } }
}

/// Turns, mistakes and what was lost, as cells of a table.
pub fn sum_cells(sum: &LossSum) -> Markup {
    html! {
        td.number.spare { (sum.turns) }
        td.number { (sum.mistakes) }
        td.number { (format!("{:.1} ± {:.1}", 100.0 * sum.win, 100.0 * sum.win_error)) }
        td.number { (format!("{:.1}", sum.points)) }
    }
}

/// Losses by player and part of the game, then skill and luck.
fn sums(report: &GameReport) -> Markup {
    let heading = html! { th { "Player" } th { "Part" } (sum_headings("Turns")) };
    let rows = html! {
        @for player in with_turns(report) {
            @for part in &player.totals.parts {
                tr { td { (player.nick) } td { (part.part.name()) } (sum_cells(&part.sum)) }
            }
            @if report.kind == ReportKind::Game && player.totals.ranges.len() > 1 {
                @for range in player.totals.ranges.iter().filter(|range| range.sum.turns > 0) {
                    tr {
                        td { (player.nick) }
                        td { "turns " a href={ "#t" (range.first) } { (range.first) } "–" a href={ "#t" (range.last) } { (range.last) } }
                        (sum_cells(&range.sum))
                    }
                }
            }
            @for kind in &player.totals.kinds { (kind_row(&player.nick, kind)) }
            tr { th { (player.nick) } th { "all" } (sum_cells(&player.totals.all)) }
        }
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label="Losses" { (table(&heading, &rows)) }
        @if report.kind == ReportKind::Game { (skill_and_luck(report)) }
        p.soft {
            (LOSS_RULE) " A turn with several remarks counts for each. A sum below 0 is noise: single losses may be \
             below 0, so that sums are right on average. A lower mistake index is better."
        }
    }
}

fn with_turns(report: &GameReport) -> impl Iterator<Item = &PlayerReport> {
    report.players.0.iter().filter(|player| player.totals.turns > 0)
}

fn kind_row(nick: &str, kind: &KindTotals) -> Markup {
    html! {
        tr {
            td { (nick) }
            td { span.label title=(kind.kind.rule()) { (kind.kind.name()) } " " (kind.count) @if kind.count == 1 { " time" } @else { " times" } }
            (sum_cells(&kind.sum))
        }
    }
}

/// Skill and luck, with a row for each measure and a column for each player, so that the table also fits a narrow window.
fn skill_and_luck(report: &GameReport) -> Markup {
    let row = |name: &str, value: &dyn Fn(&PlayerTotals) -> String| {
        html! { tr { th scope="row" { (name) } @for player in &report.players.0 { td.number.mean { (value(&player.totals)) } } } }
    };
    let heading = html! { th { "Measure" } @for player in &report.players.0 { th.number { (player.nick) } } };
    let rows = html! {
        (row("Lost by plays, %", &|totals| format!("{:.1}", 100.0 * totals.all.win)))
        (row("Lost by plays, points", &|totals| format!("{:.1}", totals.all.points)))
        (row("Luck of draws, %", &|totals| format!("{:+.1}", 100.0 * totals.luck_win)))
        (row("Luck of draws, points", &|totals| format!("{:+.1}", totals.luck_points)))
        (row("Mistake index (macondo)", &|totals| format!("{:.1}", totals.macondo_index)))
        (row("Mistake index (MAGPIE)", &|totals| format!("{:.1}", totals.magpie_index)))
        (row("Sizes (macondo)", &|totals| sizes_text(&totals.macondo_sizes)))
        (row("Sizes (MAGPIE)", &|totals| sizes_text(&totals.magpie_sizes)))
    };
    html! {
        h3 { "Skill and luck" }
        div.scroll tabindex="0" role="region" aria-label="Skill and luck" { (table(&heading, &rows)) }
    }
}

/// The remarks on the file, and the rules of the labels.
fn remarks(report: &GameReport) -> Markup {
    let mut kinds: Vec<LabelKind> = report.turns.iter().flat_map(|turn| &turn.labels).map(|label| label.kind).collect();
    kinds.sort();
    kinds.dedup();
    html! {
        @if !report.notes.is_empty() {
            div.card {
                h2 { "Remarks on the file" }
                ul {
                    @for note in &report.notes {
                        li { @if let Some(line) = note.line { "Line " (line) ": " } (note.text) }
                    }
                }
            }
        }
        @if !kinds.is_empty() {
            div.card {
                h2 { "Labels" }
                dl { @for kind in kinds { dt { (kind.name()) } dd { (kind.rule()) } } }
            }
        }
    }
}

/// How the games were analysed.
pub fn run_card(report: &GameReport) -> Markup {
    let run = &report.run;
    html! {
        h2 { "How it was analysed" }
        dl {
            dt { "Engine" } dd { (run.engine) }
            dt { "Words" } dd { (run.lexicon) }
            dt { "Leave values" } dd { (run.leaves) }
            dt { "Win % model" } dd { (run.win_model) }
            dt { "Budget" } dd { (run.budget) ", seed " (run.seed) }
            dt { "Opponent's tiles" }
            dd {
                @if run.opponent == "uniform" { "any unseen tiles" } @else { "inferred from their turns, model " (run.opponent) }
            }
            @if let Some(date) = &run.date { dt { "Date" } dd { (date) } }
        }
    }
}
