//! Programs that are started: their pipes, their groups, their memory, and who ends them if this program is killed.
//!
//! Start with [`child::ChildProcess`], which is talked to line by line.

pub mod warden;
pub mod group;
pub mod pipes;
pub mod child;
