//! The turns of the page: the list of all, and a panel for each with its board, ranking and verdict.

use crate::analysis::report::{Certainty, DrawResults, GameReport, LOSS_RULE, Method, RankingRow, TurnReport, TurnVerdict};
use crate::analysis::text::lost_text;
use crate::formats::cgp;
use crate::pages::board;
use crate::pages::sheet::table;
use crate::rules::GameRules;
use maud::{Markup, html};

/// The list of all turns.
pub fn list(report: &GameReport) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Turns" {
            table.turns {
                thead {
                    tr {
                        th.number { "Turn" } th { "Player" } th { "Rack" } th { "Played" } th.number.spare { "Points" } th { "Lost" } th.spare { "Best" }
                        th.spare { "Remarks" }
                    }
                }
                tbody {
                    @for turn in &report.turns {
                        tr data-turn={ "#t" (turn.number) } {
                            td.number { a href={ "#t" (turn.number) } { (turn.number) } }
                            td { (report.players[turn.player].nick) }
                            td.mono { (rack_or_unknown(turn)) }
                            td.mono.answer-cell { span { (turn.play) } }
                            td.number.spare.answer-cell { span { @if !turn.play.is_empty() { (turn.score) } } }
                            td.answer-cell { (lost(turn)) }
                            td.mono.spare.answer-cell { span { (best(turn)) } }
                            td.wide.spare.answer-cell { span { (labels(turn)) (turn.skipped.as_deref().unwrap_or_default()) } }
                        }
                    }
                }
            }
        }
        p.soft {
            (LOSS_RULE) " A loss in brackets may be noise: it is within two standard errors, or from an unfinished search. \
             Below 0, the play made did better than the play found best."
        }
    }
}

fn rack_or_unknown(turn: &TurnReport) -> &str {
    if turn.rack.is_empty() { "unknown" } else { &turn.rack }
}

fn lost(turn: &TurnReport) -> Markup {
    html! {
        @if let Some(verdict) = turn.judged() {
            span.real[verdict.loss.is_real()].noise[verdict.loss.within_noise] { (lost_text(verdict)) }
        }
    }
}

fn best(turn: &TurnReport) -> &str {
    let is_asked_alone = turn.play.is_empty();
    let verdict = turn.verdict.as_ref().filter(|verdict| is_asked_alone || verdict.best.play != verdict.played.play);
    verdict.map_or("", |verdict| &verdict.best.play)
}

fn labels(turn: &TurnReport) -> Markup {
    html! {
        @for label in &turn.labels { span.label title=(label.kind.rule()) { (label.kind.name()) } }
    }
}

/// A panel for each turn.
pub fn panels(report: &GameReport, rules: &GameRules) -> Markup {
    html! {
        @for turn in &report.turns { (panel(report, turn, rules)) }
    }
}

fn panel(report: &GameReport, turn: &TurnReport, rules: &GameRules) -> Markup {
    let nick = &report.players[turn.player].nick;
    let [own, other] = turn.scores.own_first(turn.player);
    let is_lost = turn.judged().is_some_and(|verdict| verdict.loss.is_real());
    let empty = Vec::new();
    let ranking = turn.verdict.as_ref().map_or(&empty, |verdict| &verdict.ranking);
    html! {
        section.turn id={ "t" (turn.number) } aria-label={ "Turn " (turn.number) } data-lost=(if is_lost { "yes" } else { "no" }) {
            h2 tabindex="-1" {
                "Turn " (turn.number) ": " (nick) ", " (own) " to " (other) ", " (turn.part.name()) ", " (turn.in_bag) " in the bag"
            }
            div.turn-body {
                div {
                    @if let Ok(read) = cgp::parse(&turn.cgp, rules) {
                        @let made = board::placement_of(&turn.play, &read.position);
                        @let placements: Vec<_> = ranking.iter().map(|row| board::placement_of(&row.play, &read.position)).collect();
                        (board::turn(&read.position, made.as_ref(), &placements, &format!("The board on turn {}", turn.number)))
                    }
                }
                div {
                    (board::rack(&turn.rack))
                    button.reveal type="button" { "Show the best play" }
                    div.answer {
                        p { (labels(turn)) }
                        @match (&turn.verdict, &turn.skipped) {
                            (Some(verdict), _) => (answer(turn, verdict)),
                            (None, Some(reason)) => p { "Played " span.mono { (turn.play) } ". Not judged: " (reason) "." },
                            (None, None) => {}
                        }
                        @if let Some(luck) = &turn.luck {
                            p.soft { "Luck of the draw: " (format!("{:+.1} points, {:+.1} %, against the mean draw.", luck.points, 100.0 * luck.win)) }
                        }
                    }
                }
            }
        }
    }
}

fn answer(turn: &TurnReport, verdict: &TurnVerdict) -> Markup {
    html! {
        @if turn.play.is_empty() {
            p {
                "Best is " span.mono { (verdict.best.play) } " for " (verdict.best.score) ": wins " (percent(verdict.best.win))
                (error(verdict.best.win_error)) "."
            }
        } @else {
            (made(turn, verdict))
        }
        p.soft {
            @if !turn.play.is_empty() {
                @match verdict.rank {
                    Some(rank) => { "Rank " (rank) " of " (verdict.plays) " plays" }
                    None => { "Not ranked by the search" }
                }
                @if let Some(rank) = verdict.static_rank { ", " (rank) " by static equity" }
                ". "
            }
            @match verdict.near_best {
                0 | 1 => {}
                2 => { "One other play is about as good as the best. " }
                plays => { (plays - 1) " other plays are about as good as the best. " }
            }
            (basis(verdict))
        }
        (ranking(turn, verdict))
        (draws(&verdict.draws))
    }
}

/// The play made, and what it lost.
fn made(turn: &TurnReport, verdict: &TurnVerdict) -> Markup {
    let is_best = verdict.best.play == verdict.played.play;
    let is_phony = turn.play != verdict.played.play;
    html! {
        p {
            "Played " span.mono { (turn.play) } " for " (turn.score)
            @if is_phony { ", which was challenged off and counts as a pass" }
            ": wins " (percent(verdict.played.win)) (error(verdict.played.win_error)) "."
            @if is_best {
                " It is the best play."
            } @else {
                " Best is " span.mono { (verdict.best.play) } " for " (verdict.best.score) ": wins " (percent(verdict.best.win))
                (error(verdict.best.win_error)) ". Lost: " (lost(turn)) @if verdict.loss.within_noise { " (within noise)" } "."
            }
        }
        // The first sentence only repeats the numbers above.
        @if !verdict.loss.within_noise && verdict.why.len() > 1 {
            p { (verdict.why[1..].join(" ")) }
        }
    }
}

fn basis(verdict: &TurnVerdict) -> String {
    let what = match verdict.method {
        Method::Simulation => format!("Each play simulated {} times with the same tiles", verdict.iterations),
        Method::PreEndgame => "All draws examined".to_string(),
        Method::Endgame => "Solved to the end of the game".to_string(),
    };
    match verdict.certainty {
        Certainty::Exact | Certainty::Sampled => format!("{what}."),
        Certainty::Unfinished => format!("{what}, but unfinished: take it as a hint."),
    }
}

fn percent(win: f64) -> String {
    format!("{:.1} %", 100.0 * win)
}

fn error(error: f64) -> String {
    if error > 0.0 { format!(" ± {:.1}", 100.0 * error) } else { String::new() }
}

fn ranking(turn: &TurnReport, verdict: &TurnVerdict) -> Markup {
    let cell = |value: Option<f64>, factor: f64| value.map_or(String::new(), |value| format!("{:.1}", factor * value));
    let is_made = |row: &RankingRow| !turn.play.is_empty() && row.play == verdict.played.play;
    let heading =
        html! { th { "Play" } th.number { "Points" } th { "Keeps" } th.number { "Win %" } th.number { "±" } th.number { "Gain" } };
    let rows = html! {
        @for (number, row) in verdict.ranking.iter().enumerate() {
            tr.made[is_made(row)] data-play=(number) {
                td { button.play.mono type="button" { (row.play) } @if is_made(row) { " (made)" } }
                td.number { (row.score) }
                td.mono { (row.leave) }
                td.number { (cell(row.win, 100.0)) }
                td.number { (cell(row.win_error, 100.0)) }
                td.number { (cell(row.points, 1.0)) }
            }
        }
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label={ "Best plays on turn " (turn.number) } { (table(&heading, &rows)) }
    }
}

fn draws(draws: &[DrawResults]) -> Markup {
    html! {
        @for result in draws {
            details {
                summary { span.mono { (result.play) } ": results by draw" }
                dl {
                    @for (name, draws) in [("wins", &result.wins), ("ties", &result.ties), ("loses", &result.losses)] {
                        @if !draws.is_empty() { dt { (name) } dd.mono { (draws.join(" ")) } }
                    }
                }
            }
        }
    }
}
