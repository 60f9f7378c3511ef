//! A few text colours for terminals, readable on any theme. Where needed,
//! a colour sets both foreground and background.
//!
//! Not here: what is drawn (`board.rs`, `table.rs`). Start with [`InkLine`].

use std::ffi::OsStr;

/// Whether there are colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// There are.
    On,
    /// There are none: the characters must show everything.
    Off,
}

impl Colours {
    /// Returns `Off` if the variable `NO_COLOR` is set and not empty (<https://no-color.org>), else `On`.
    pub fn wanted(no_color: Option<&OsStr>) -> Colours {
        if no_color.is_some_and(|value| !value.is_empty()) { Colours::Off } else { Colours::On }
    }
}

/// How a piece of text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The terminal's own colours.
    Plain,
    /// Less important.
    Soft,
    /// The best of a table.
    Strong,
    /// The bar of an error.
    Bar,
    /// A square without a premium.
    Square,
    /// A premium square that multiplies a letter by this number.
    Letter(u8),
    /// A premium square that multiplies a word by this number.
    Word(u8),
    /// A square of a heat map, from 0, cold.
    Heat(u8),
    /// A tile on the board.
    Tile,
    /// A blank on the board.
    Blank,
    /// A tile of the last turn.
    NewTile,
    /// A blank of the last turn.
    NewBlank,
}

impl Ink {
    /// The parameters of SGR (ECMA-48). Squares and tiles set both colours, from the palette of 256, which is the same in every theme.
    const fn code(self) -> &'static str {
        match self {
            Ink::Plain => "",
            Ink::Soft => "2",
            Ink::Strong => "1",
            Ink::Bar => "36",
            Ink::Square => "38;5;243;48;5;253",
            Ink::Letter(2) => "38;5;24;48;5;153",
            Ink::Letter(_) => "38;5;255;48;5;25",
            Ink::Word(2) => "38;5;88;48;5;218",
            Ink::Word(_) => "38;5;255;48;5;160",
            Ink::Heat(0) => "38;5;243;48;5;253",
            Ink::Heat(1) => "38;5;16;48;5;229",
            Ink::Heat(2) => "38;5;16;48;5;221",
            Ink::Heat(3) => "38;5;16;48;5;208",
            Ink::Heat(_) => "1;38;5;255;48;5;160",
            Ink::Tile => "1;38;5;16;48;5;223",
            Ink::Blank => "1;3;38;5;160;48;5;223",
            Ink::NewTile => "1;38;5;16;48;5;114",
            Ink::NewBlank => "1;3;38;5;160;48;5;114",
        }
    }
}

/// A line of pieces of text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InkLine(Vec<(String, Ink)>);

impl InkLine {
    /// Returns a line of one piece.
    pub fn of(text: impl Into<String>, ink: Ink) -> InkLine {
        InkLine(vec![(text.into(), ink)])
    }

    /// Adds a piece.
    pub fn push(&mut self, text: impl Into<String>, ink: Ink) {
        self.0.push((text.into(), ink));
    }

    /// Returns the line for a terminal with this number of columns. The rest is cut off.
    pub fn text(&self, colours: Colours, columns: usize) -> String {
        let mut room = columns;
        let mut line = String::new();
        for (piece, ink) in &self.0 {
            let shown: String = piece.chars().take(room).collect();
            room -= shown.chars().count();
            match (colours, ink.code()) {
                (Colours::On, code) if !code.is_empty() && !shown.is_empty() => {
                    line.push_str(&format!("\x1b[{code}m{shown}\x1b[0m"));
                }
                _ => line.push_str(&shown),
            }
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_to_the_width_and_coloured_only_where_colours_are_wanted() {
        let mut line = InkLine::of("ab", Ink::Plain);
        line.push("cde", Ink::Strong);
        line.push("f", Ink::Soft);
        assert_eq!(line.text(Colours::Off, 80), "abcdef");
        assert_eq!(line.text(Colours::Off, 4), "abcd");
        assert_eq!(line.text(Colours::On, 5), "ab\x1b[1mcde\x1b[0m");
    }

    #[test]
    fn no_color_is_respected() {
        assert_eq!(Colours::wanted(None), Colours::On);
        assert_eq!(Colours::wanted(Some(OsStr::new(""))), Colours::On);
        assert_eq!(Colours::wanted(Some(OsStr::new("1"))), Colours::Off);
    }
}
