//! The plots: SVG with axes, a description, and the numbers in a table that unfolds.
//!
//! Dash and mark distinguish engines as well as colour does, so that nobody needs the colours. `style.css` has the colours and dashes. The
//! colours are based on those of Okabe and Ito, but darker on white.
//!
//! Not here: the numbers (`figures.rs`). Start with [`ratings`].

use crate::pages::chart::{NumberLine, PlotArea, path, rounded};
use crate::pages::sheet::table;
use crate::search::phase::TABLE;
use crate::tournament::configuration::Competitor;
use crate::tournament::html::figures::{
    BAG_ROWS, CoursePoint, Distribution, Distributions, ToldAndWon, TurnTimeSummary, bag_row_tiles, phase_tiles, share_bounds,
};
use crate::training::calibration::{Bin, CalibrationLine, Fitted, Reliability};
use maud::{Markup, html};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, TAU};

/// The area of plots that span the whole width.
const WIDE: PlotArea = PlotArea { width: 720.0, height: 300.0, left: 58.0, right: 14.0, top: 12.0, bottom: 34.0 };

/// The approximate number of marks on a line of ratings.
const MARKS_ON_A_LINE: usize = 6;

/// The first part of a tournament, as a share. Its rating errors are too large to set the range of the axis.
const NOISY_SHARE: f64 = 0.25;

/// The longest bar of a calibration by tiles. Longer bars, from few games, would stretch the axis.
const MOST_BAR: f64 = 0.25;

/// A plot with its title, a description, and its numbers.
struct Plot<'a> {
    /// Its anchor on the page.
    id: &'static str,
    title: &'a str,
    text: Markup,
    drawing: Markup,
    numbers: Markup,
}

impl Plot<'_> {
    fn card(&self) -> Markup {
        html! {
            div.card {
                h2 id=(self.id) { (self.title) }
                p.soft { (self.text) }
                (self.drawing)
                details { summary { "Numbers" } div.scroll { (self.numbers) } }
            }
        }
    }
}

/// Returns an SVG with the accessible name `label`.
fn drawing(area: &PlotArea, label: &str, content: &Markup) -> Markup {
    html! { div.scroll { svg.plot viewBox=(area.view_box()) role="img" aria-label=(label) { (content) } } }
}

/// Draws ratings over the pairs played.
pub fn ratings(competitors: &[Competitor], course: &[CoursePoint]) -> Markup {
    let played = course.last().map_or(1, |point| point.pairs).max(1) as f64;
    let across = WIDE.across([0.0, played]);
    let up = WIDE.up(elo_range(course, played));
    let content = html! {
        @for elo in up.ticks(8) {
            @let (class, label) = if elo == 0.0 { ("middle", "0".to_string()) } else { ("grid", format!("{elo:+.0}")) };
            (WIDE.level(class, up.place(elo), &label))
        }
        @for pairs in across.ticks(8).into_iter().filter(|pairs| pairs.fract() == 0.0) {
            (WIDE.label_below(across.place(pairs), &format!("{pairs:.0}")))
        }
        (WIDE.name_below("pairs of games played, by all engines"))
        text transform={ "translate(12 " (WIDE.height / 2.0) ") rotate(-90)" } text-anchor="middle" { "Elo" }
        @for engine in 0..competitors.len() {
            g class=(class_of(engine)) { (rating_line(engine, course, &across, &up)) }
        }
    };
    let heading = html! { th.number { "Pairs" } @for competitor in competitors { th.number { (competitor.name) } } };
    let rows = html! {
        @for point in course {
            tr {
                td.number { (point.pairs) }
                @for rating in &point.ratings {
                    td.number { (if rating.error.is_finite() { format!("{:+.1} ± {:.1}", rating.elo, rating.error) } else { "–".to_string() }) }
                }
            }
        }
    };
    let numbers = table(&heading, &rows);
    let text = html! {
        "The rating of each engine after each number of pairs. The mean of all engines is 0. The bands are one standard error wide on "
        "either side. An engine has no rating before its first pair."
    };
    let drawing = html! { (legend(competitors)) (drawing(&WIDE, "Ratings over the pairs played", &content)) };
    Plot { id: "ratings-over-time", title: "Rating over time", text, drawing, numbers }.card()
}

/// Returns the range from the least to the greatest rating, including the error bands after the first part of the tournament.
fn elo_range(course: &[CoursePoint], played: f64) -> [f64; 2] {
    let mut range = [-10.0f64, 10.0];
    for point in course {
        let errors = if point.pairs as f64 >= NOISY_SHARE * played { 1.2 } else { 0.0 };
        for rating in point.ratings.iter().filter(|rating| rating.error.is_finite()) {
            range = [range[0].min(rating.elo - errors * rating.error), range[1].max(rating.elo + errors * rating.error)];
        }
    }
    range
}

fn rating_line(engine: usize, course: &[CoursePoint], across: &NumberLine, up: &NumberLine) -> Markup {
    let rated: Vec<(f64, f64, f64)> = course
        .iter()
        .map(|point| (across.place(point.pairs as f64), point.ratings[engine]))
        .filter(|(_, rating)| rating.error.is_finite())
        .map(|(x, rating)| (x, rating.elo, rating.error))
        .collect();
    let edge = |sign: f64| rated.iter().map(move |(x, elo, error)| (*x, up.place(elo + sign * error)));
    let step = rated.len().div_ceil(MARKS_ON_A_LINE).max(1);
    html! {
        path.error-band d={ (path(edge(1.0).chain(edge(-1.0).rev()))) " Z" } {}
        path.course d=(path(edge(0.0))) {}
        // Each engine has its marks at other places, since lines may overlap.
        @for (_, at) in edge(0.0).rev().enumerate().filter(|(back, _)| *back == 0 || (back + engine).is_multiple_of(step)) { (mark(engine, at, 4.5)) }
    }
}

/// Draws final scores or spreads: a row of bars for each engine.
pub fn distribution(id: &'static str, title: &str, unit: &str, competitors: &[Competitor], distributions: &Distributions) -> Markup {
    const ROW: f64 = 62.0;
    let area = PlotArea { width: 560.0, height: ROW * competitors.len() as f64 + 40.0, left: 12.0, right: 12.0, top: 4.0, bottom: 34.0 };
    let (first, step) = (f64::from(distributions.first), f64::from(distributions.step));
    let across = area.across([first, first + step * distributions.bins() as f64]);
    let share = distributions.greatest_share().max(1e-9);
    let row = |engine: usize, of: &Distribution| {
        let floor = area.top + ROW * (engine + 1) as f64;
        let bar = |at: usize, count: u64| {
            let ends = [0.0, 1.0].map(|side| across.place(first + step * (at as f64 + side)));
            let height = (ROW - 24.0) * count as f64 / of.moments.count.max(1) as f64 / share;
            html! { rect.bar x=(rounded(ends[0] + 0.5)) width=(rounded(ends[1] - ends[0] - 1.0)) y=(rounded(floor - height)) height=(rounded(height)) {} }
        };
        let mean = across.place(of.moments.mean);
        html! {
            g class=(class_of(engine)) {
                line.grid x1=(area.left) x2=(area.width - area.right) y1=(floor) y2=(floor) {}
                @for (at, &count) in of.counts.iter().enumerate().filter(|(_, count)| **count > 0) { (bar(at, count)) }
                text.name x=(area.left) y=(floor - ROW + 15.0) { (competitors[engine].name) }
                @if of.moments.count > 0 {
                    line.mean x1=(rounded(mean)) x2=(rounded(mean)) y1=(floor - ROW + 20.0) y2=(floor) {}
                    text x=(area.width - area.right) y=(floor - ROW + 15.0) text-anchor="end" { "mean " (format!("{:.1}", of.moments.mean)) }
                }
            }
        }
    };
    let content = html! {
        @for value in across.ticks(8) {
            @let x = rounded(across.place(value));
            line class=(if value == 0.0 { "middle" } else { "grid" }) x1=(x) x2=(x) y1=(area.top) y2=(area.height - area.bottom) {}
            (area.label_below(x, &format!("{value:.0}")))
        }
        (area.name_below(unit))
        @for (engine, of) in distributions.engines.iter().enumerate() { (row(engine, of)) }
    };
    let text = html! {
        "One row for each engine. A bar is the share of its games in a step of " (distributions.step) " points. The line is the mean."
    };
    let drawing = drawing(&area, title, &content);
    Plot { id, title, text, drawing, numbers: distribution_numbers(competitors, distributions) }.card()
}

fn distribution_numbers(competitors: &[Competitor], distributions: &Distributions) -> Markup {
    let heading = html! {
        th { "Engine" } th.number { "Games" } th.number { "Mean" } th.number { "Deviation" } th.number { "Least" } th.number { "Median" }
        th.number { "Most" }
    };
    let rows = html! {
        @for (of, competitor) in distributions.engines.iter().zip(competitors) {
            tr {
                td { (competitor.name) } td.number { (of.moments.count) } td.number { (format!("{:.1}", of.moments.mean)) }
                td.number { (format!("{:.1}", of.moments.deviation())) }
                @for value in of.least_median_most { td.number { (value) } }
            }
        }
    };
    let counts_heading = html! { th { "From" } @for competitor in competitors { th.number { (competitor.name) } } };
    let counts = html! {
        @for bin in 0..distributions.bins() {
            tr {
                td { (distributions.first + distributions.step * bin as i32) }
                @for of in &distributions.engines { td.number { (of.counts[bin]) } }
            }
        }
    };
    html! {
        (table(&heading, &rows))
        (table(&counts_heading, &counts))
    }
}

/// Draws times of turns by the phase of the game.
pub fn times(competitors: &[Competitor], times: &[[Option<TurnTimeSummary>; TABLE.len()]]) -> Markup {
    let area = PlotArea { height: 330.0, bottom: 52.0, ..WIDE };
    let up = area.up(time_range(times)).logarithmic();
    let group = (area.width - area.left - area.right) / TABLE.len() as f64;
    let apart = (group * 0.85 / competitors.len().max(1) as f64).min(20.0);
    let middle = |phase: usize| area.left + group * (phase as f64 + 0.5);
    let glyph = |engine: usize, phase: usize, of: &TurnTimeSummary| {
        let x = middle(phase) + apart * (engine as f64 - (competitors.len() as f64 - 1.0) / 2.0);
        let [median, ninetieth, longest] = [of.median_us, of.ninetieth_us, of.longest_us].map(|time| up.place(time as f64));
        let mean = up.place(of.mean_us);
        html! {
            path.thin d=(path([(x, median), (x, longest)])) {}
            path.thick d=(path([(x, median), (x, ninetieth)])) {}
            path.thin d=(path([(x - 4.0, longest), (x + 4.0, longest)])) {}
            path.mean d=(path([(x - 6.0, mean), (x + 6.0, mean)])) {}
            (mark(engine, (x, median), 4.0))
        }
    };
    let content = html! {
        @for time in up.ticks(6) { (area.level("grid", up.place(time), &time_text(time))) }
        @for phase in 0..TABLE.len() {
            (area.label_below(middle(phase), TABLE[phase].phase.name()))
            text x=(rounded(middle(phase))) y=(area.height - area.bottom + 31.0) text-anchor="middle" { (phase_tiles(phase)) }
            @if phase > 0 {
                @let x = rounded(middle(phase) - group / 2.0);
                line.grid x1=(x) x2=(x) y1=(area.top) y2=(area.height - area.bottom) {}
            }
        }
        (area.name_below("tiles in the bag"))
        @for (engine, phases) in times.iter().enumerate() {
            g class=(class_of(engine)) {
                @for (phase, of) in phases.iter().enumerate() { @if let Some(of) = of { (glyph(engine, phase, of)) } }
            }
        }
    };
    let text = html! {
        "From the question to the answer, on a logarithmic axis. The mark is the median. The thick line ends at the time that nine of ten turns "
        "do not exceed, the thin line at the longest turn. The short bar across is the mean."
    };
    let drawing = html! { (legend(competitors)) (drawing(&area, "Time per turn, by phase of the game", &content)) };
    Plot { id: "times", title: "Time per turn, by phase", text, drawing, numbers: time_numbers(competitors, times) }.card()
}

fn time_numbers(competitors: &[Competitor], times: &[[Option<TurnTimeSummary>; TABLE.len()]]) -> Markup {
    let ms = |us: f64| format!("{:.2}", us / 1000.0);
    let heading = html! {
        th { "Engine" } th { "Phase" } th.number { "Tiles in the bag" } th.number { "Turns" } th.number { "Mean, ms" }
        th.number { "Median, ms" } th.number { "90 %, ms" } th.number { "Longest, ms" }
    };
    let rows = html! {
        @for (phases, competitor) in times.iter().zip(competitors) {
            @for (phase, of) in phases.iter().enumerate() {
                @if let Some(of) = of {
                    tr {
                        td { (competitor.name) } td { (TABLE[phase].phase.name()) } td.number { (phase_tiles(phase)) } td.number { (of.turns) } td.number { (ms(of.mean_us)) }
                        @for us in [of.median_us, of.ninetieth_us, of.longest_us] { td.number { (ms(us as f64)) } }
                    }
                }
            }
        }
    };
    table(&heading, &rows)
}

/// Returns the powers of ten that enclose all times, microseconds.
fn time_range(times: &[[Option<TurnTimeSummary>; TABLE.len()]]) -> [f64; 2] {
    let all = || times.iter().flatten().flatten();
    let least = all().map(|of| (of.median_us as f64).min(of.mean_us)).fold(f64::INFINITY, f64::min);
    let most = all().map(|of| of.longest_us as f64).fold(0.0, f64::max);
    if most <= 0.0 {
        return [1.0, 1000.0];
    }
    let low = least.max(1.0).log10().floor();
    [10f64.powf(low), 10f64.powf(most.log10().ceil().max(low + 1.0))]
}

/// Returns a round time with its unit.
fn time_text(us: f64) -> String {
    if us >= 1e6 { format!("{} s", rounded(us / 1e6)) } else { format!("{} ms", us / 1000.0) }
}

/// Compares the chances that engines reported with the results: one panel for each engine that
/// reported any.
pub fn calibration(competitors: &[Competitor], calibrations: &[Reliability]) -> Markup {
    let told: Vec<usize> = (0..competitors.len()).filter(|&engine| calibrations[engine].count() > 0).collect();
    let text = html! {
        @if told.is_empty() { "No engine reported its chances of winning." } @else {
            "How often an engine won after it reported a chance of winning. An accurate engine is on the diagonal. Larger marks have more "
            "turns. Bars are 95 % intervals for independent turns. Since turns of one game share its result, the true intervals are longer. "
            "The Brier score is the mean squared difference between reported chance and result: 0 is best, and an engine that always "
            "reports 50 % gets 0.25."
        }
    };
    let drawing = html! {
        div.panels {
            @for &engine in &told {
                @let of = &calibrations[engine];
                div {
                    h3 { (competitors[engine].name) }
                    p.soft { "Brier score " (format!("{:.4}", of.brier())) ", " (of.count()) " turns" }
                    (calibration_panel(engine, &competitors[engine].name, of))
                }
            }
        }
    };
    let heading = html! {
        th { "Engine" } th.number { "From, %" } th.number { "Turns" } th.number { "Reported, %" } th.number { "Won, %" } th.number { "95 %" }
    };
    let rows = html! {
        @for &engine in &told {
            @for bin in calibrations[engine].bins() {
                @let [low, high] = share_bounds(bin.happened, bin.count);
                tr {
                    td { (competitors[engine].name) } td.number { (percent(bin.from, 0)) } td.number { (bin.count) }
                    td.number { (percent(bin.predicted, 1)) } td.number { (percent(bin.happened, 1)) }
                    td.number { (percent(low, 1)) " to " (percent(high, 1)) }
                }
            }
        }
    };
    let numbers = table(&heading, &rows);
    Plot { id: "calibration", title: "Calibration of the reported win %", text, drawing, numbers }.card()
}

/// Draws by how much the reported chances are too high, by the tiles in the bag: one panel for all engines that reported any. The table also
/// has all engines together, which `rows` has behind the last engine.
pub fn calibration_by_bag(competitors: &[Competitor], rows: &[[Option<ToldAndWon>; BAG_ROWS.len()]]) -> Markup {
    let told: Vec<usize> = (0..competitors.len()).filter(|&engine| rows[engine].iter().any(Option::is_some)).collect();
    let text = html! {
        @if told.is_empty() { "No engine reported its chances of winning." } @else {
            "The mean reported chance minus the share of games won, in percent. Above the line, an engine is too optimistic. Bars are two "
            "standard errors long on either side. All turns of a pair count as one observation. The table also has the intercept and the slope "
            "of a logistic regression, 0 and 1 for an accurate engine. With a slope above 1, reported chances are too near 50 %."
        }
    };
    let numbers = bag_numbers(competitors, &told, rows);
    let drawing = if told.is_empty() {
        html! {}
    } else {
        bag_drawing(competitors, &told, rows)
    };
    Plot { id: "calibration-by-bag", title: "Calibration by tiles in the bag", text, drawing, numbers }.card()
}

fn bag_drawing(competitors: &[Competitor], told: &[usize], rows: &[[Option<ToldAndWon>; BAG_ROWS.len()]]) -> Markup {
    let reach = |of: &ToldAndWon| 2.0 * of.error.unwrap_or(0.0);
    let farthest =
        rows[..competitors.len()].iter().flatten().flatten().map(|of| of.excess().abs() + reach(of).min(MOST_BAR)).fold(0.02, f64::max);
    let up = WIDE.up([-1.1 * farthest, 1.1 * farthest]);
    let group = (WIDE.width - WIDE.left - WIDE.right) / BAG_ROWS.len() as f64;
    let apart = (group * 0.6 / told.len() as f64).min(24.0);
    let middle = |row: usize| WIDE.left + group * (row as f64 + 0.5);
    let glyph = |place: usize, engine: usize, row: usize, of: &ToldAndWon| {
        let x = middle(row) + apart * (place as f64 - (told.len() as f64 - 1.0) / 2.0);
        let bar = reach(of).min(MOST_BAR);
        let [high, low] = [of.excess() + bar, of.excess() - bar].map(|value| up.place(value));
        html! {
            path.thin d=(path([(x, high), (x, low)])) {}
            (mark(engine, (x, up.place(of.excess())), 4.0))
        }
    };
    let content = html! {
        @for level in up.ticks(6) { (WIDE.level("grid", up.place(level), &format!("{:+.1}", 100.0 * level))) }
        path.middle d=(path([(WIDE.left, up.place(0.0)), (WIDE.width - WIDE.right, up.place(0.0))])) {}
        @for row in 0..BAG_ROWS.len() { (WIDE.label_below(middle(row), &bag_row_tiles(row))) }
        (WIDE.name_below("tiles in the bag"))
        @for (place, &engine) in told.iter().enumerate() {
            g class=(class_of(engine)) {
                @for (row, of) in rows[engine].iter().enumerate() { @if let Some(of) = of { (glyph(place, engine, row, of)) } }
            }
        }
    };
    html! { (legend(competitors)) (drawing(&WIDE, "Reported chance minus games won, by tiles in the bag", &content)) }
}

fn bag_numbers(competitors: &[Competitor], told: &[usize], rows: &[[Option<ToldAndWon>; BAG_ROWS.len()]]) -> Markup {
    let heading = html! {
        th { "Engine" } th.number { "Tiles in the bag" } th.number { "Turns" } th.number { "Reported, %" } th.number { "Won, %" }
        th.number { "Reported minus won" } th.number { "Intercept" } th.number { "Slope" }
    };
    let body = html! {
        @for engine in told.iter().copied().chain((told.len() > 1).then_some(competitors.len())) {
            @for (row, of) in rows[engine].iter().enumerate() {
                @if let Some(of) = of {
                    tr {
                        td { (competitors.get(engine).map_or("all engines", |of| &of.name)) } td.number { (bag_row_tiles(row)) } td.number { (of.turns) }
                        td.number { (percent(of.told, 1)) } td.number { (percent(of.won, 1)) }
                        td.number { (format!("{:+.1}", 100.0 * of.excess())) @if let Some(error) = of.error { " ± " (percent(error, 1)) } }
                        @if let Some(CalibrationLine { intercept, slope }) = of.line {
                            td.number { (fitted(intercept)) } td.number { (fitted(slope)) }
                        } @else { td {} td {} }
                    }
                }
            }
        }
    };
    table(&heading, &body)
}

fn fitted(Fitted { value, error }: Fitted) -> String {
    format!("{value:.2} ± {error:.2}")
}

fn percent(share: f64, digits: usize) -> String {
    format!("{:.digits$}", 100.0 * share)
}

fn calibration_panel(engine: usize, name: &str, of: &Reliability) -> Markup {
    let area = PlotArea { width: 360.0, height: 330.0, left: 58.0, right: 14.0, top: 10.0, bottom: 34.0 };
    let (across, up) = (area.across([0.0, 1.0]), area.up([0.0, 1.0]));
    let most = of.bins().map(|bin| bin.count).max().unwrap_or(1) as f64;
    let point = |bin: &Bin| {
        let x = across.place(bin.predicted);
        let [low, high] = share_bounds(bin.happened, bin.count).map(|share| up.place(share));
        html! {
            path.thin d=(path([(x, low), (x, high)])) {}
            (mark(engine, (x, up.place(bin.happened)), 2.5 + 3.5 * (bin.count as f64 / most).sqrt()))
        }
    };
    let content = html! {
        @for quarter in 0..=4 {
            @let share = f64::from(quarter) / 4.0;
            @let x = rounded(across.place(share));
            (area.level("grid", up.place(share), &format!("{} %", percent(share, 0))))
            line.grid x1=(x) x2=(x) y1=(area.top) y2=(area.height - area.bottom) {}
            (area.label_below(x, &percent(share, 0)))
        }
        (area.name_below("reported chance of winning, %"))
        text transform={ "translate(12 " (area.height / 2.0) ") rotate(-90)" } text-anchor="middle" { "games won" }
        path.middle d=(path([(across.place(0.0), up.place(0.0)), (across.place(1.0), up.place(1.0))])) {}
        g class=(class_of(engine)) { @for bin in of.bins() { (point(&bin)) } }
    };
    html! { svg.plot.panel viewBox=(area.view_box()) role="img" aria-label={ "Calibration of " (name) } { (content) } }
}

/// The number of colours and dashes in `style.css`.
const COLOURS: usize = 8;

/// Corners of each mark, and the direction of its first corner. The mark before these is a circle.
const POLYGONS: [(usize, f64); 5] = [(4, FRAC_PI_4), (3, -FRAC_PI_2), (4, 0.0), (3, FRAC_PI_2), (6, 0.0)];

/// Returns the class with an engine's colour and dash.
pub fn class_of(engine: usize) -> String {
    format!("e{}", engine % COLOURS)
}

/// Draws an engine's mark at a place.
pub fn mark(engine: usize, (x, y): (f64, f64), radius: f64) -> Markup {
    let shape = engine % (POLYGONS.len() + 1);
    html! {
        @if shape == 0 {
            circle.mark cx=(rounded(x)) cy=(rounded(y)) r=(rounded(radius)) {}
        } @else {
            @let (corners, first) = POLYGONS[shape - 1];
            polygon.mark points=(polygon((x, y), 1.2 * radius, corners, first)) {}
        }
    }
}

fn polygon((x, y): (f64, f64), radius: f64, corners: usize, first: f64) -> String {
    let corner = |at: usize| {
        let angle = first + TAU * at as f64 / corners as f64;
        format!("{:.1},{:.1}", x + radius * angle.cos(), y + radius * angle.sin())
    };
    (0..corners).map(corner).collect::<Vec<_>>().join(" ")
}

/// Returns the legend: each engine with its mark.
pub fn legend(competitors: &[Competitor]) -> Markup {
    html! {
        ul.legend {
            @for (engine, competitor) in competitors.iter().enumerate() {
                li {
                    svg class=(class_of(engine)) viewBox="0 0 34 14" aria-hidden="true" {
                        path.course d="M0 7 L34 7" {}
                        (mark(engine, (17.0, 7.0), 4.5))
                    }
                    (competitor.name)
                }
            }
        }
    }
}
