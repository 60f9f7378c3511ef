//! Plots as SVG: areas, number lines with their ticks, axes, paths. Lengths are those of the plot's own coordinates, which the page
//! scales to its width.
//!
//! Not here: what is drawn between the axes. Start with [`PlotArea`].

use maud::{Markup, html};
use std::fmt::Write as _;

/// The size of a plot, and the margins around what is drawn in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotArea {
    /// Width, margins included.
    pub width: f64,
    /// Height, margins included.
    pub height: f64,
    /// Left margin: the labels of the vertical axis.
    pub left: f64,
    /// Right margin.
    pub right: f64,
    /// Upper margin.
    pub top: f64,
    /// Lower margin: the labels of the horizontal axis.
    pub bottom: f64,
}

impl PlotArea {
    /// Values from left to right.
    pub fn across(&self, values: [f64; 2]) -> NumberLine {
        NumberLine { values, places: [self.left, self.width - self.right], scale: LineScale::Even }
    }

    /// Values from the bottom up.
    pub fn up(&self, values: [f64; 2]) -> NumberLine {
        NumberLine { values, places: [self.height - self.bottom, self.top], scale: LineScale::Even }
    }

    /// The `viewBox` of its SVG.
    pub fn view_box(&self) -> String {
        format!("0 0 {} {}", self.width, self.height)
    }

    /// A line across the plot, with its label at the left edge.
    pub fn level(&self, class: &str, y: f64, label: &str) -> Markup {
        html! {
            line class=(class) x1=(self.left) x2=(self.width - self.right) y1=(rounded(y)) y2=(rounded(y)) {}
            text x=(self.left - 6.0) y=(rounded(y + 4.0)) text-anchor="end" { (label) }
        }
    }

    /// A label at a place on the horizontal axis.
    pub fn label_below(&self, x: f64, label: &str) -> Markup {
        html! { text x=(rounded(x)) y=(self.height - self.bottom + 16.0) text-anchor="middle" { (label) } }
    }

    /// The name of the horizontal axis.
    pub fn name_below(&self, name: &str) -> Markup {
        html! { text x=(self.left + (self.width - self.left - self.right) / 2.0) y=(self.height - 3.0) text-anchor="middle" { (name) } }
    }
}

/// Values and their places on a line. Values beyond an end are drawn at that end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberLine {
    /// The values at both ends, the smaller one first.
    pub values: [f64; 2],
    /// Their places.
    pub places: [f64; 2],
    /// How the values are spaced between the ends.
    pub scale: LineScale,
}

/// How values are spaced on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineScale {
    /// Equal steps for equal differences.
    Even,
    /// Equal steps for equal factors; all values are above 0.
    Logarithmic,
}

impl NumberLine {
    /// The same line with equal steps for equal factors.
    pub fn logarithmic(self) -> NumberLine {
        NumberLine { scale: LineScale::Logarithmic, ..self }
    }

    /// Where a value is.
    pub fn place(&self, value: f64) -> f64 {
        let [least, most] = self.values;
        let share = match self.scale {
            LineScale::Even => (value - least) / (most - least),
            LineScale::Logarithmic => (value / least).ln() / (most / least).ln(),
        };
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
        self.places[0] + (self.places[1] - self.places[0]) * share
    }

    /// Returns about `about` round values on the line: multiples of 1, 2 or 5 times a power of ten, or powers of ten on a logarithmic line.
    pub fn ticks(&self, about: usize) -> Vec<f64> {
        let [least, most] = self.values;
        match self.scale {
            LineScale::Even => {
                let step = round_step((most - least) / about.max(1) as f64);
                let [first, last] = [(least / step).ceil() as i64, (most / step).floor() as i64];
                (first..=last).map(|number| number as f64 * step).collect()
            }
            LineScale::Logarithmic => {
                let [first, last] = [least.log10().ceil() as i32, most.log10().floor() as i32];
                (first..=last).map(|power| 10f64.powi(power)).collect()
            }
        }
    }
}

/// Rounds a step up to 1, 2 or 5 times a power of ten.
pub fn round_step(step: f64) -> f64 {
    if !(step.is_finite() && step > 0.0) {
        return 1.0;
    }
    let power = 10f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|factor| factor * power).find(|round| *round >= step * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

/// Points as the `d` of a path.
pub fn path(points: impl IntoIterator<Item = (f64, f64)>) -> String {
    points.into_iter().fold(String::new(), |mut text, (x, y)| {
        let _ = write!(text, "{}{x:.1} {y:.1}", if text.is_empty() { "M" } else { " L" });
        text
    })
}

/// Rounds a place to the digits that are visible.
pub fn rounded(place: f64) -> f64 {
    (10.0 * place).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        let line = NumberLine { values: [-30.0, 95.0], places: [0.0, 100.0], scale: LineScale::Even };
        assert_eq!(line.ticks(7), [-20.0, 0.0, 20.0, 40.0, 60.0, 80.0]);
        let times = NumberLine { values: [0.2, 1500.0], ..line }.logarithmic();
        assert_eq!(times.ticks(5), [1.0, 10.0, 100.0, 1000.0]);
    }
}
