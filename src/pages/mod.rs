//! The common parts of the HTML reports (cargo feature `web`). Each page is one file that needs no
//! network and no library.
//!
//! `base.css` has the colours, light and dark, and the parts of every page; `board.css` has boards and racks. The pages are in
//! `analysis/html/`, `tournament/html/` and `puzzles/page.rs`. Start with [`sheet::sheet`].

pub mod sheet;
pub mod chart;
pub mod board;
