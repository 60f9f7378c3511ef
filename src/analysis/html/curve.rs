//! The curve: the first player's chance of winning after each turn, with its axes and a band of two standard errors. Each point leads to
//! its turn. Turns that were not judged leave a gap.

use crate::analysis::report::{GameReport, TurnReport};
use maud::{Markup, html};
use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 250.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 34.0;

/// Half the band, in standard errors.
const BAND_ERRORS: f64 = 2.0;

/// A turn on the curve.
struct CurvePoint<'a> {
    turn: &'a TurnReport,
    win: f64,
    error: f64,
}

fn point(turn: &TurnReport) -> Option<CurvePoint<'_>> {
    let played = &turn.verdict.as_ref()?.played;
    let win = if turn.player == 0 { played.win } else { 1.0 - played.win };
    Some(CurvePoint { turn, win, error: played.win_error })
}

fn x(number: usize, turns: usize) -> f64 {
    LEFT + (WIDTH - LEFT - RIGHT) * number as f64 / turns.max(1) as f64
}

fn y(win: f64) -> f64 {
    TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - win.clamp(0.0, 1.0))
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

fn path<'a>(points: impl Iterator<Item = (f64, f64)> + 'a) -> String {
    points.fold(String::new(), |mut text, (x, y)| {
        let _ = write!(text, "{}{x:.1} {y:.1}", if text.is_empty() { "M" } else { " L" });
        text
    })
}

/// The curve of a game.
pub fn draw(report: &GameReport) -> Markup {
    let turns = report.turns.len();
    let runs = runs(report);
    let step = if turns > 40 { 10 } else { 5 };
    let nick = &report.players[0].nick;
    let band = |run: &[CurvePoint<'_>]| {
        let edge = |point: &CurvePoint<'_>, sign: f64| (x(point.turn.number, turns), y(point.win + sign * BAND_ERRORS * point.error));
        let there = run.iter().map(|point| edge(point, 1.0));
        let back = run.iter().rev().map(|point| edge(point, -1.0));
        format!("{} Z", path(there.chain(back)))
    };
    let line = |run: &[CurvePoint<'_>]| path(run.iter().map(|point| (x(point.turn.number, turns), y(point.win))));
    html! {
        svg.curve viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } aria-label={ "Chance of winning of " (nick) " after each turn" } {
            @for percent in [0u8, 25, 50, 75, 100] {
                @let at = y(f64::from(percent) / 100.0);
                line class=(if percent == 50 { "middle" } else { "grid" }) x1=(LEFT) x2=(WIDTH - RIGHT) y1=(at) y2=(at) {}
                text x=(LEFT - 6.0) y=(at + 4.0) text-anchor="end" { (percent) " %" }
            }
            @for number in (step..=turns).step_by(step) {
                text x=(x(number, turns)) y=(HEIGHT - BOTTOM + 16.0) text-anchor="middle" { (number) }
            }
            text x=(LEFT + (WIDTH - LEFT - RIGHT) / 2.0) y=(HEIGHT - 3.0) text-anchor="middle" { "turn" }
            @for run in &runs {
                path.band d=(band(run)) {}
                path.line d=(line(run)) {}
            }
            @for point in runs.iter().flatten() {
                @let is_real = point.turn.verdict.as_ref().is_some_and(|verdict| verdict.loss.is_real());
                @let text = format!("turn {}, {}: {nick} wins {:.1} %", point.turn.number, point.turn.play, 100.0 * point.win);
                a href={ "#t" (point.turn.number) } data-turn={ "#t" (point.turn.number) } aria-label=(text) {
                    title { (text) }
                    circle.dot.real[is_real] cx=(x(point.turn.number, turns)) cy=(y(point.win)) r=(if is_real { 5.0 } else { 4.0 }) {}
                    circle cx=(x(point.turn.number, turns)) cy=(y(point.win)) r="11" fill="transparent" {}
                }
            }
        }
    }
}
