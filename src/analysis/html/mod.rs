//! The report as a page: one file that needs no network and no library.
//!
//! The page of a game includes `style.css` and `script.js`, which are in this folder; the page of many games includes `games.css`. Without the
//! script the page shows all turns, one below the other.

mod curve;
mod turns;
mod page;
mod games;

#[cfg(test)]
mod tests;

pub use games::{LinkedGame, overview};
pub use page::{page, page_of_several};
