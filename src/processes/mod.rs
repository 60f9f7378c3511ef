//! Child programs: their pipes, groups and memory, and their end when this program is killed.
//!
//! Start with [`child::ChildProcess`], which is talked to line by line.

pub mod group;
pub mod child;
