//! The front door: an engine with its words and tables, which answers questions about positions.
//!
//! | file | what it holds |
//! |---|---|
//! | `resource.rs` | a source of bytes, and why something cannot be had |
//! | `letter_order.rs` | which letters the numbers of a word graph stand for |
//! | `tables.rs` | which tables belong to which word list |
//! | `handle.rs` | [`Engine`] |
//! | `rankings.rs` | a search on a thread of its own: [`Rankings`] |
//! | `builder.rs` | making an engine: [`EngineBuilder`] |
//!
//! Not here: opening files (`cli/resources.rs`), lines of a protocol. Start with [`Engine::builtin`] and [`Engine::analyse`].

pub mod resource;
pub(crate) mod letter_order;
pub mod tables;
pub mod handle;
pub mod rankings;
pub mod builder;

pub use builder::EngineBuilder;
pub use handle::{CheckedPlay, CheckedWord, Engine, EngineError};
pub use rankings::{Rankings, StopHandle};
pub use resource::{ByteSource, GraphOrigin, NoFiles, ResourceError, ResourceKind};
