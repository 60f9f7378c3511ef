//! The report as a page: one file that needs no network, no script and no library.
//!
//! | file | what it holds |
//! |---|---|
//! | `figures.rs` | the numbers behind the plots |
//! | `marks.rs` | a colour, a dash and a mark for each engine |
//! | `plots.rs` | the plots, each with its numbers as a table |
//! | `tables.rs` | ratings, results against each other, faults, pairs |
//! | `page.rs` | the page around them |
//!
//! `style.css` stands beside them. Start with [`page()`].

mod figures;
mod marks;
mod plots;
mod tables;
mod page;

#[cfg(test)]
mod tests;

pub use page::page;
