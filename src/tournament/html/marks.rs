//! Distinguishes engines in plots by colour, dash and mark, so that colour is never needed.
//! `style.css` has colours and dashes; the colours are after those of Okabe and Ito,
//! darker on white.

use crate::pages::chart::rounded;
use crate::tournament::configuration::Competitor;
use maud::{Markup, html};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, TAU};

/// Colours and dashes in `style.css`.
const COLOURS: usize = 8;

/// Corners of a mark and the direction of its first one. The first mark is a circle.
const POLYGONS: [(usize, f64); 5] = [(4, FRAC_PI_4), (3, -FRAC_PI_2), (4, 0.0), (3, FRAC_PI_2), (6, 0.0)];

/// The class with an engine's colour and dash.
pub fn class_of(engine: usize) -> String {
    format!("e{}", engine % COLOURS)
}

/// An engine's mark at a place.
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

/// Which mark is whose.
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
