//! The report as a page: one file that needs no network and no library.
//!
//! `style.css` and `script.js` are next to them. They are part of the page of a game; `games.css` is part of the page of many games. Without the script the page shows all turns, one below the other.

mod curve;
mod turns;
mod page;
mod games;

#[cfg(test)]
mod tests;

pub use games::{LinkedGame, overview};
pub use page::{page, page_of_several};
