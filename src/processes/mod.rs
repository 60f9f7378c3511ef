//! Child programs: their pipes, groups and memory, and their end when this program is killed.
//!
//! Start with [`child::ChildProcess`], which is talked to line by line.

pub mod child;
pub mod group;
mod pipes_turn;
#[cfg(unix)]
mod polled_pipes;
#[cfg(any(not(unix), test))]
mod threaded_pipes;
