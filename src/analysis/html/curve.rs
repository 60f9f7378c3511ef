//! The curve: the first player's chance of winning after each turn, with axes and a band of two standard errors. Each point links to
//! its turn. Turns that were not judged leave a gap.

use crate::analysis::report::{GameReport, TurnReport};
use crate::pages::chart::{PlotArea, path};
use crate::rules::Seat;
use maud::{Markup, html};

const AREA: PlotArea = PlotArea { width: 720.0, height: 250.0, left: 46.0, right: 12.0, top: 12.0, bottom: 40.0 };

/// Half the width of the band, in standard errors.
const BAND_ERRORS: f64 = 2.0;

/// A turn on the curve.
struct CurvePoint<'a> {
    turn: &'a TurnReport,
    win: f64,
    error: f64,
}

fn point(turn: &TurnReport) -> Option<CurvePoint<'_>> {
    let played = &turn.judged()?.played;
    let win = if turn.player == Seat::First { played.win } else { 1.0 - played.win };
    Some(CurvePoint { turn, win, error: played.win_error })
}

/// Runs of judged turns.
fn runs(report: &GameReport) -> Vec<Vec<CurvePoint<'_>>> {
    let mut runs: Vec<Vec<CurvePoint<'_>>> = vec![Vec::new()];
    for turn in &report.turns {
        match (point(turn), runs.last_mut()) {
            (Some(point), Some(run)) => run.push(point),
            _ => runs.push(Vec::new()),
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

/// The curve of a game.
pub fn draw(report: &GameReport) -> Markup {
    let turns = report.turns.len();
    let (across, up) = (AREA.across([0.0, turns.max(1) as f64]), AREA.up([0.0, 1.0]));
    let x = |number: usize| across.place(number as f64);
    let runs = runs(report);
    let step = if turns > 40 { 10 } else { 5 };
    let nick = &report.players[Seat::First].nick;
    let band = |run: &[CurvePoint<'_>]| {
        let edge = |point: &CurvePoint<'_>, sign: f64| (x(point.turn.number), up.place(point.win + sign * BAND_ERRORS * point.error));
        let there = run.iter().map(|point| edge(point, 1.0));
        let back = run.iter().rev().map(|point| edge(point, -1.0));
        format!("{} Z", path(there.chain(back)))
    };
    let line = |run: &[CurvePoint<'_>]| path(run.iter().map(|point| (x(point.turn.number), up.place(point.win))));
    html! {
        svg.curve.plot viewBox=(AREA.view_box()) role="group" aria-label={ (nick) "'s chance of winning after each turn" } {
            @for percent in [0u8, 25, 50, 75, 100] {
                @let class = if percent == 50 { "middle" } else { "grid" };
                (AREA.level(class, up.place(f64::from(percent) / 100.0), &format!("{percent} %")))
            }
            @for number in (step..=turns).step_by(step) { (AREA.label_below(x(number), &number.to_string())) }
            (AREA.name_below("turn"))
            @for run in &runs {
                path.band d=(band(run)) {}
                path.line d=(line(run)) {}
            }
            @for point in runs.iter().flatten() {
                @let is_real = point.turn.verdict.as_ref().is_some_and(|verdict| verdict.loss.is_real());
                @let text = format!("turn {}, {}: {nick} wins {:.1} %", point.turn.number, point.turn.play, 100.0 * point.win);
                a href={ "#t" (point.turn.number) } data-turn={ "#t" (point.turn.number) } aria-label=(text) {
                    title { (text) }
                    circle.dot.real[is_real] cx=(x(point.turn.number)) cy=(up.place(point.win)) r=(if is_real { 5.0 } else { 4.0 }) {}
                    circle.target cx=(x(point.turn.number)) cy=(up.place(point.win)) r="11" fill="transparent" {}
                }
            }
        }
    }
}
