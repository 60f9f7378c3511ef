//! The tables of the page: ratings, game figures, results, copies, faults, settings and pairs.

use crate::match_play::sprt::normalised_elo;
use crate::match_play::statistics::MatchStatistics;
use crate::pages::sheet::table;
use crate::tournament::configuration::Competitor;
use crate::tournament::html::plots::{class_of, mark};
use crate::tournament::record::{FaultRecord, GameRecord, PairRecord, TournamentHeader};
use crate::tournament::standings::TournamentStandings;
use crate::tournament::summary::{EngineSummary, adjusted_differences, copy_differences, differences, encounter, form_of, side_by_side};
use maud::{Markup, html};

/// The longest list that is shown unfolded.
const LONGEST_UNFOLDED: usize = 20;

/// Numbers of half wins as text.
const HALF_WINS: [&str; 5] = ["0", "½", "1", "1½", "2"];

/// Returns an engine's name with its mark.
fn named(competitors: &[Competitor], engine: usize) -> Markup {
    html! {
        svg class={ "inline " (class_of(engine)) } viewBox="0 0 14 14" aria-hidden="true" { (mark(engine, (7.0, 7.0), 4.5)) }
        (competitors[engine].name)
    }
}

/// Returns the table of ratings, best first.
pub fn ratings(competitors: &[Competitor], rows: &[EngineSummary]) -> Markup {
    let heading = html! {
        th.number { "Place" } th { "Engine" } th.number { "Elo" } th.number { "Games" } th.number { "Win %" }
        th.number { "ms per turn" } th.number { "Longest, ms" }
    };
    let rows = html! {
        @for (place, row) in (1..).zip(rows) {
            tr {
                td.number { (place) }
                td { (named(competitors, row.engine)) }
                td.number {
                    @if row.rating.error.is_finite() { (format!("{:+.1} ± {:.1}", row.rating.elo, row.rating.error)) } @else { "–" }
                }
                td.number { (row.totals.games) }
                td.number { (format!("{:.2}", row.win_percent())) }
                td.number { (format!("{:.2}", row.ms_per_turn())) }
                td.number { (format!("{:.1}", row.longest_ms())) }
            }
        }
    };
    html! {
        div.scroll { (table(&heading, &rows)) }
        p.soft { "The mean of all ratings is 0. Errors are standard errors over pairs, since the two games of a pair share their luck." }
    }
}

/// Returns the table of win % and spread of the row's engine against the column's.
pub fn cross_table(competitors: &[Competitor], standings: &TournamentStandings) -> Markup {
    let engines = 0..competitors.len();
    let heading = html! { th { "Win %, spread" } @for engine in engines.clone() { th.number { (competitors[engine].name) } } };
    let rows = html! {
        @for engine in engines.clone() {
            tr {
                th scope="row" { (named(competitors, engine)) }
                @for opponent in engines.clone() {
                    td.number {
                        @if let Some(met) = encounter(standings, engine, opponent) {
                            @let [win, spread] = met.texts();
                            (win)
                            br;
                            span.soft { (spread) }
                        } @else { "–" }
                    }
                }
            }
        }
    };
    html! { div.scroll { (table(&heading, &rows)) } }
}

/// Returns the table of each engine's figures per game.
pub fn games(competitors: &[Competitor], rows: &[EngineSummary]) -> Markup {
    let heading = html! {
        th { "Engine" } th.number { "Score" } th.number { "Bingos" } th.number { "Turns" } th.number { "Idle, ms" }
    };
    let rows = html! {
        @for row in rows {
            tr {
                td { (named(competitors, row.engine)) }
                td.number { (format!("{:.1}", row.per_game(row.totals.points as f64))) }
                td.number { (format!("{:.2}", row.per_game(row.totals.bingos as f64))) }
                td.number { (format!("{:.2}", row.per_game(row.totals.turns as f64))) }
                td.number { @if competitors[row.engine].is_watched() { (format!("{:.1}", row.idle_ms())) } @else { "–" } }
            }
        }
    };
    html! {
        div.scroll { (table(&heading, &rows)) }
        p.soft { "Scores include the costs of overtime and faults. Idle: processor time during the opponent's turns." }
    }
}

/// Returns what the cross table does not show of each pairing: a row of results, and the figures of both engines side by side.
pub fn pairings(competitors: &[Competitor], standings: &TournamentStandings) -> Markup {
    let heading = html! {
        th { "First" } th { "Second" } th.number { "Pairs" } th.number { "Normalised Elo" } th.number { "Divergent" }
        @for wins in HALF_WINS { th.number { (wins) } }
    };
    let rows = html! {
        @for (&[a, b], statistics) in standings.pairings() {
            @let (elo, error) = normalised_elo(&statistics.pentanomial);
            tr {
                td { (named(competitors, a)) } td { (named(competitors, b)) }
                td.number { (statistics.pairs()) } td.number { (format!("{elo:+.1} ± {error:.1}")) }
                td.number { (statistics.divergent) }
                @for pairs in statistics.pentanomial { td.number { (pairs) } }
            }
        }
    };
    html! {
        h3 { "Pairings" }
        div.scroll { (table(&heading, &rows)) }
        p.soft {
            "The last five columns count pairs by the wins of the first engine; a tie is half a win. "
            "A pair is divergent if its games are not mirror images."
        }
        details {
            summary { "Figures of both side by side" }
            @for (&engines, statistics) in standings.pairings() {
                (both_figures(engines.map(|engine| &competitors[engine]), statistics))
            }
        }
    }
}

fn both_figures(both: [&Competitor; 2], statistics: &MatchStatistics) -> Markup {
    let heading = html! { th {} @for competitor in both { th.number { (competitor.name) } } th {} };
    let rows = html! {
        @for figures in side_by_side(statistics, both) {
            tr { th scope="row" { (figures.name) } @for value in &figures.values { td.number { (value) } } td { (figures.note) } }
        }
    };
    html! {
        div.scroll { (table(&heading, &rows)) }
        (facts(&differences(statistics, &both[0].name)))
    }
}

/// Returns a list of labels with their figures.
fn facts(facts: &[(String, String)]) -> Markup {
    html! { dl { @for (what, told) in facts { dt { (what) } dd { (told) } } } }
}

/// Returns results without the luck of the draws, for pairings in which it was estimated.
pub fn adjusted(competitors: &[Competitor], standings: &TournamentStandings) -> Markup {
    html! {
        @for (&[a, b], statistics) in standings.pairings() {
            @if let Some(adjusted) = adjusted_differences(statistics, &competitors[a].name) {
                h3 { (named(competitors, a)) " against " (named(competitors, b)) }
                (facts(&adjusted))
            }
        }
    }
}

/// Returns the table of engines against their copies, with verdicts on the differences.
pub fn copies(competitors: &[Competitor], standings: &TournamentStandings) -> Markup {
    let heading = html! { th { "Engine" } th.number { "Against its copy" } th { "Verdict" } };
    let rows = html! {
        @for copy in copy_differences(standings) {
            tr {
                td { (named(competitors, copy.engine)) }
                td.number { (copy.text()) }
                td.wide { (copy.verdict()) }
            }
        }
    };
    html! { div.scroll { (table(&heading, &rows)) } }
}

/// Returns the table of each engine's identity, protocol and time.
pub fn forms(header: &TournamentHeader, competitors: &[Competitor]) -> Markup {
    let heading = html! { th { "Engine" } th { "Identity" } th { "Protocol and time" } };
    let rows = html! {
        @for (engine, competitor) in competitors.iter().enumerate() {
            tr {
                td { (named(competitors, engine)) }
                td.wide { (header.identities.get(engine).map_or("", String::as_str)) }
                td.wide { (form_of(competitor)) }
            }
        }
    };
    html! { div.scroll { (table(&heading, &rows)) } }
}

/// Returns content that unfolds, and that is already unfolded if it is short.
fn folded(rows: usize, summary: &str, content: &Markup) -> Markup {
    html! { details open[rows <= LONGEST_UNFOLDED] { summary { (rows) " " (summary) } div.scroll { (content) } } }
}

/// Returns the games lost by faults: a table of their numbers, and a list.
pub fn faults(competitors: &[Competitor], standings: &TournamentStandings, pairs: &[PairRecord]) -> Markup {
    let games: Vec<(&PairRecord, usize, &FaultRecord)> = pairs
        .iter()
        .flat_map(|pair| pair.games.iter().enumerate().filter_map(move |(game, record)| Some((pair, game, record.fault.as_ref()?))))
        .collect();
    let heading = html! { th { "Engine" } th { "Code" } th.number { "Games" } th { "What it did" } };
    let rows = html! {
        @for (engine, reason, games) in standings.faults() {
            tr { td { (named(competitors, engine)) } td.mono { (reason.code()) } td.number { (games) } td { (reason.meaning()) } }
        }
    };
    html! {
        @if games.is_empty() {
            p { "No game was lost by a fault." }
        } @else {
            div.scroll { (table(&heading, &rows)) }
            (folded(games.len(), "games that a fault ended", &fault_list(competitors, &games)))
        }
    }
}

fn fault_list(competitors: &[Competitor], games: &[(&PairRecord, usize, &FaultRecord)]) -> Markup {
    let heading = html! {
        th.number { "Pair" } th.number { "Game" } th { "Engine" } th { "Against" } th { "Code" } th.number { "After turns" } th { "What happened" }
    };
    let rows = html! {
        @for (pair, game, fault) in games {
            @let loser = fault.player & 1;
            tr {
                td.number { (pair.pair) } td.number { (game + 1) }
                td { (competitors[pair.engines[loser]].name) } td { (competitors[pair.engines[1 - loser]].name) }
                td.mono { (fault.reason.code()) } td.number { (pair.games[*game].plays.len()) } td.wide { (fault.text) }
            }
        }
    };
    table(&heading, &rows)
}

/// Returns the table of all pairs, in order.
pub fn pairs(competitors: &[Competitor], pairs: &[PairRecord]) -> Markup {
    let halves = |pair: &PairRecord| {
        let first: usize = pair.games.iter().map(|game| (game.result.spread().signum() + 1) as usize).sum();
        format!("{} : {}", HALF_WINS[first], HALF_WINS[4 - first])
    };
    let game = |game: &GameRecord| {
        let [a, b] = game.result.scores;
        html! { td.number { (a) " : " (b) @if let Some(fault) = &game.fault { " " span.real { (fault.reason.code()) } } } }
    };
    let heading = html! {
        th.number { "Pair" } th { "First engine" } th { "Second engine" } th.number { "Wins" } th.number { "Spread" }
        th.number { "Game 1, first begins" } th.number { "Game 2, second begins" }
    };
    let rows = html! {
        @for pair in pairs {
            @let spread: i32 = pair.games.iter().map(|game| game.result.spread()).sum();
            tr {
                td.number { (pair.pair) }
                td { (competitors[pair.engines[0]].name) } td { (competitors[pair.engines[1]].name) }
                td.number { (halves(pair)) } td.number { (format!("{:+.1}", f64::from(spread) / 2.0)) }
                @for record in &pair.games { (game(record)) }
            }
        }
    };
    folded(pairs.len(), "pairs; scores include the costs of overtime and faults", &table(&heading, &rows))
}
