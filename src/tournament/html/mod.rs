//! The report as a page: one file that needs no network, no script and no library.
//!
//! Its styles are in `style.css`. Start with [`page()`].

mod figures;
mod plots;
mod tables;
mod page;

#[cfg(test)]
mod tests;

pub use page::page;
