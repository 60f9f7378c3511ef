//! The front door: an engine with its words and tables, which answers questions about positions.
//!
//! Not here: opening files (`host/resources.rs`), lines of a protocol. Start with [`Engine::builtin`] and [`Engine::search`].

pub mod resource;
pub(crate) mod letter_order;
pub(crate) mod tables;
pub mod handle;
pub mod rankings;
pub mod builder;

pub use builder::EngineBuilder;
pub use handle::{CheckedPlay, CheckedWord, Engine, EngineError};
pub use rankings::{Deadline, Rankings, StillSearching, StopHandle};
pub use resource::{ByteSource, GraphOrigin, NoFiles, ResourceError, ResourceKind};
pub use tables::TableNames;
