//! A page to solve puzzles: one file that needs no network and no library.
//!
//! `page.css` and `page.js` are next to it. Without the script the page shows all puzzles, one below the other, each with a hint and the
//! solution behind a summary that opens. Start with [`puzzle_page`].

use crate::analysis::report::{Certainty, Method};
use crate::formats::cgp;
use crate::pages::board;
use crate::pages::sheet::{sheet, table};
use crate::puzzles::difficulty::DIFFICULTY_RULE;
use crate::puzzles::record::{Puzzle, PuzzleDocument};
use crate::puzzles::text::{loss_text, place_text, theme_text};
use crate::rules::{GameRules, Position};
use maud::{Markup, html};
use serde_json::json;

/// The style of puzzles, answers and solutions.
const STYLE: &str = include_str!("page.css");

/// The script that shows one puzzle at a time and judges answers.
const SCRIPT: &str = include_str!("page.js");

/// The number of plays to choose from.
const CHOICES: usize = 8;

/// The page of all puzzles of a document.
pub fn puzzle_page(document: &PuzzleDocument, rules: &GameRules) -> String {
    let puzzles = &document.puzzles;
    let title = if puzzles.len() == 1 { "1 puzzle".to_string() } else { format!("{} puzzles", puzzles.len()) };
    let body = html! {
        (board::empty(rules))
        header {
            h1 { (title) }
            p.soft { "In each position one play is clearly better than all others. Which one is it?" }
        }
        main {
            @if puzzles.is_empty() { p { "No puzzle was found." } } @else { (navigation()) }
            @for (number, puzzle) in (1..).zip(puzzles) {
                @if let Ok(read) = cgp::parse(&puzzle.cgp, rules) { (section(number, puzzles.len(), puzzle, &read.position)) }
            }
        }
        footer { div.card { (run_card(document)) } }
    };
    sheet(&title, &[board::STYLE, STYLE].concat(), SCRIPT, &body)
}

fn navigation() -> Markup {
    html! {
        div.bar {
            button type="button" data-step="back" { "Previous puzzle" }
            button type="button" data-step="on" { "Next puzzle" }
            span id="solved" role="status" {}
        }
    }
}

fn section(number: usize, of: usize, puzzle: &Puzzle, position: &Position) -> Markup {
    let ([own, other], in_bag) = (position.scores().own_first(position.on_turn()), position.in_bag());
    let solution = board::placement_of(&puzzle.solution.play, position);
    let rack = position.mover_rack().text(&position.rules().distribution);
    let right: Vec<&String> = std::iter::once(&puzzle.solution.play).chain(&puzzle.also).collect();
    let lost: serde_json::Map<String, serde_json::Value> =
        puzzle.rivals.iter().map(|rival| (rival.value.play.clone(), json!(loss_text(&rival.loss)))).collect();
    let description = format!("The board of puzzle {number}");
    html! {
        section.puzzle.card id={ "p" (number) } aria-label={ "Puzzle " (number) } data-right=(json!(right).to_string()) data-lost=(json!(lost).to_string()) {
            h2 tabindex="-1" { "Puzzle " (number) " of " (of) ": " (puzzle.difficulty.grade.name()) }
            div.puzzle-body {
                div { (board::turn(position, None, &[solution], &description)) }
                div {
                    (board::rack(&rack))
                    p { "You have " (own) " points, the opponent " (other) ". " (bag(in_bag)) }
                    @if in_bag == 0 { p { "The opponent holds " (position.opponent_rack().text(&position.rules().distribution)) "." } }
                    (form(number, puzzle))
                    p.result role="status" {}
                    details.hint {
                        summary { "Hint" }
                        @if puzzle.themes.is_empty() { p { "The play has none of the themes." } }
                        ul { @for theme in &puzzle.themes { li { b { (theme.name()) } ": " (theme.rule()) } } }
                    }
                    details.solution {
                        summary { "Solution" }
                        (answer(number, puzzle))
                    }
                }
            }
        }
    }
}

fn bag(in_bag: usize) -> String {
    match in_bag {
        0 => "The bag is empty.".to_string(),
        1 => "One tile is in the bag.".to_string(),
        _ => format!("{in_bag} tiles are in the bag."),
    }
}

/// The form in which the play is typed or chosen.
fn form(number: usize, puzzle: &Puzzle) -> Markup {
    let (typed, chosen) = (format!("typed{number}"), format!("chosen{number}"));
    html! {
        form {
            div {
                label for=(typed) { "Your play" }
                input id=(typed) type="text" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="8D NASTIER";
                button type="submit" { "Answer" }
            }
            div {
                label for=(chosen) { "or choose one" }
                select id=(chosen) {
                    option value="" { "plays" }
                    @for play in choices(puzzle) { option value=(play) { (play) } }
                }
            }
        }
    }
}

/// The plays to choose from, in alphabetical order: the solution, plays that were compared with it, and frequent choices of weaker players.
pub fn choices(puzzle: &Puzzle) -> Vec<&str> {
    let rivals = puzzle.rivals.iter().map(|rival| &rival.value.play);
    let chosen = puzzle.chosen.iter().map(|chosen| &chosen.play).filter(|play| !puzzle.also.contains(play));
    let mut choices: Vec<&str> = vec![&puzzle.solution.play];
    for play in rivals.take(CHOICES / 2).chain(chosen) {
        if choices.len() < CHOICES && !choices.contains(&play.as_str()) {
            choices.push(play);
        }
    }
    choices.sort_unstable();
    choices
}

fn answer(number: usize, puzzle: &Puzzle) -> Markup {
    let solution = &puzzle.solution;
    html! {
        p {
            span.mono { (solution.play) } " for " (solution.score) " wins " (percent(solution.win, solution.win_error)) "."
            @if !puzzle.also.is_empty() { " Also right: " span.mono { (puzzle.also.join(", ")) } "." }
        }
        p { (puzzle.why.join(" ")) }
        (rivals(number, puzzle))
        p.soft { "Themes: " (theme_text(puzzle)) ". " (basis(puzzle)) " From " (place_text(puzzle)) "." }
        p.soft {
            "Difficulty " (puzzle.difficulty.percent) ": " (puzzle.difficulty.missed) " of " (puzzle.difficulty.asked)
            " choices of weaker players were other plays, most often "
            @for (at, chosen) in puzzle.chosen.iter().take(3).enumerate() {
                @if at > 0 { ", " }
                span.mono { (chosen.play) } " (" (chosen.times) ")"
            }
            "."
        }
    }
}

fn rivals(number: usize, puzzle: &Puzzle) -> Markup {
    let heading = html! { th { "Play" } th.number { "Points" } th.number { "Win %" } th.number { "Loses" } };
    let rows = html! {
        @for rival in &puzzle.rivals {
            tr {
                td.mono { (rival.value.play) }
                td.number { (rival.value.score) }
                td.number { (format!("{:.1}", 100.0 * rival.value.win)) }
                td.number { (loss_text(&rival.loss)) }
            }
        }
    };
    html! { div.scroll tabindex="0" role="region" aria-label={ "Other plays of puzzle " (number) } { (table(&heading, &rows)) } }
}

fn percent(win: f64, error: f64) -> String {
    let error = if error > 0.0 { format!(" ± {:.1}", 100.0 * error) } else { String::new() };
    format!("{:.1} %{error}", 100.0 * win)
}

fn basis(puzzle: &Puzzle) -> String {
    match (puzzle.certainty, puzzle.method) {
        (Certainty::Exact, Method::PreEndgame) => "All draws were examined.".to_string(),
        (Certainty::Exact, Method::Endgame) => "Each play was solved to the end of the game.".to_string(),
        _ => format!("Each play was simulated {} times with the same tiles.", puzzle.iterations),
    }
}

fn run_card(document: &PuzzleDocument) -> Markup {
    let run = &document.run;
    html! {
        h2 { "How they were found" }
        p { (DIFFICULTY_RULE) }
        dl {
            dt { "Engine" } dd { "tilewright " (run.tilewright) }
            dt { "Words and tables" } dd { (run.tables.join("; ")) }
            dt { "Games" } dd { (run.games.join(", ")) }
            dt { "Margin" } dd { (run.margin) " % of wins, or points if the winner is decided" }
            dt { "Budget" } dd { (run.budget) ", seed " (run.seed) }
            dt { "Positions" } dd { (document.positions) }
        }
    }
}
