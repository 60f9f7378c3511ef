//! The page that holds the tables and plots: its head, the test, and a card about the run.

use crate::match_play::sprt::Sprt;
use crate::pages::sheet::sheet;
use crate::rules::GameRules;
use crate::tournament::configuration::Competitor;
use crate::tournament::html::{figures, plots, tables};
use crate::tournament::record::{PairRecord, TournamentHeader};
use crate::tournament::standings::TournamentStandings;
use crate::tournament::summary::{engine_summaries, machine_text};
use maud::{Markup, html};
use std::sync::Arc;

/// Styles of plots and folded lists, and the engines' colours.
const STYLE: &str = include_str!("style.css");

/// Returns a tournament's report as an HTML page, from its journal. `rules` are the rules of its games, `sprt` is its test, if any, and
/// `ending` has lines about the end of the run.
///
/// # Panics
/// If a pair names an engine that is not among the competitors.
pub fn page(
    rules: &Arc<GameRules>,
    header: &TournamentHeader,
    competitors: &[Competitor],
    pairs: &[PairRecord],
    sprt: Option<&Sprt>,
    ending: &[String],
) -> String {
    let engines = competitors.len();
    let mut standings = TournamentStandings::of(engines, rules.objective());
    pairs.iter().for_each(|pair| standings.add(pair));
    let summaries = engine_summaries(&standings);
    let names: Vec<&str> = competitors.iter().map(|competitor| competitor.name.as_str()).collect();
    let title = format!("Tournament of {}", names.join(", "));
    let body = html! {
        header {
            h1 { "Tournament of " (engines) " engines" }
            p.soft { (pairs.len()) " pairs of games, each on the same tiles with the seats swapped. Lexicon " (header.lexicon) ", rules " (header.rules)
                @if let Some(starts) = &header.starts { ", from positions " (starts) }
                "." }
            @if let Some(machine) = header.machine { p.soft { (machine_text(machine)) } }
        }
        main {
            div.card { h2 { "Ratings" } (tables::ratings(competitors, &summaries)) }
            div.card { h2 { "Per game, on average" } (tables::games(competitors, &summaries)) }
            @if let Some(statistics) = sprt.and(standings.pairing([0, 1])) {
                div.card { h2 { "Test" } @if let Some(sprt) = sprt { p { (sprt.report(statistics)) } } }
            }
            div.card {
                h2 { "Results against each other" }
                (tables::cross_table(competitors, &standings))
                (tables::pairings(competitors, &standings))
            }
            @if standings.pairings().any(|(_, statistics)| statistics.adjusted.win.worth_in_pairs().is_some()) {
                div.card { h2 { "Without the luck of the draws" } (tables::adjusted(competitors, &standings)) }
            }
            @if header.configuration["format"] == "copies" {
                div.card { h2 { "Engines against copies of themselves" } (tables::copies(competitors, &standings)) }
            }
            div.card { h2 { "Faults" } (tables::faults(competitors, &standings, pairs)) }
            (all_plots(rules, competitors, pairs))
            div.card { h2 { "Protocol and time of the engines" } (tables::forms(header, competitors)) }
            div.card { h2 { "Pairs" } (tables::pairs(competitors, pairs)) }
        }
        footer {
            (run_card(header))
            @if !ending.is_empty() {
                div.card id="ending" { h2 { "How the run ended" } @for line in ending { p { (line) } } }
            }
        }
    };
    sheet(&title, STYLE, "", &body)
}

fn all_plots(rules: &Arc<GameRules>, competitors: &[Competitor], pairs: &[PairRecord]) -> Markup {
    let engines = competitors.len();
    let [scores, spreads] = figures::scores_and_spreads(engines, pairs);
    let [faulty, games] = figures::faulty_games(pairs);
    html! {
        @if pairs.is_empty() {
            div.card { h2 { "Plots" } p { "No pair has been played yet." } }
        } @else {
            (plots::ratings(competitors, &figures::rating_course(engines, pairs)))
            div.two {
                (plots::distribution("scores", "Final scores", "points", competitors, &scores))
                (plots::distribution("spreads", "Spreads", "own points minus the opponent's", competitors, &spreads))
            }
            (plots::times(competitors, &figures::phase_times(rules, engines, pairs)))
            (plots::calibration(competitors, &figures::calibrations(engines, pairs)))
            (plots::calibration_by_bag(competitors, &figures::calibrations_by_bag(rules, engines, pairs)))
            @if faulty > 0 {
                p.soft { "Scores, spreads and calibration leave out the " (faulty) " of " (games) " games that a fault ended." }
            }
        }
    }
}

/// Returns a card that identifies the tournament.
fn run_card(header: &TournamentHeader) -> Markup {
    let configuration = serde_json::to_string_pretty(&header.configuration).unwrap_or_default();
    html! {
        div.card {
            h2 { "About the tournament" }
            dl {
                dt { "Program" } dd { "tilewright " (header.tilewright) }
                dt { "Lexicon" } dd { (header.lexicon) }
                dt { "Rules" } dd { (header.rules) }
                @for key in ["format", "seed"] {
                    @if let Some(value) = header.configuration.get(key) { dt { (key) } dd { (value.to_string().trim_matches('"')) } }
                }
            }
            details { summary { "The whole configuration" } pre.mono { (configuration) } }
        }
    }
}
