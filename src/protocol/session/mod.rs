//! The session: what each line means, given all the lines before it. No I/O, no clock, no threads.
//!
//! [`Session::handle`] is the whole interface: something that happened outside comes in as a [`SessionEvent`], and things to do
//! outside go out as [`SessionAction`]s, in order.
//!
//! | state | what happens to a command | the state ends with |
//! |---|---|---|
//! | idle | it is carried out | a `go`, a `bench`, or something to load |
//! | loading | it waits in the queue; `stop` ends the load, or a `go` or `bench` that waits | the resource, or why it cannot be loaded |
//! | measuring | it waits in the queue, except `stop`, which ends the bench, and `isready`, `help` and the like | the end of the bench |
//! | solving (a game of Ghost) | as in measuring; `stop` ends the solving | the solution, or that it was stopped |
//! | searching | if it [needs an idle engine][idle], it is refused as `busy`; else it is carried out | the end of the search |
//! | stopping | as in searching, but a command that would be refused waits, and so do all commands after it | the end of the search |
//!
//! A command that lacks a resource is put back to the front of the queue. The resource is loaded, and the command is carried
//! out again from its beginning, so no command has two halves. INVARIANT: a command asks for its resources before it changes
//! anything.
//!
//! `quit` never waits in the queue: it stops the search, gives the queue `QUIT_GRACE_MS` to be worked off, and then ends the session.
//!
//! [idle]: crate::protocol::command::Command::needs_idle

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

mod events;
mod refusal;
mod cache;
mod history;
mod state;
mod position;
mod turns;
mod search;
mod why;
mod challenge;
mod words;
mod ghost;
mod crossword_game;
mod settings;
mod dispatch;
#[cfg(all(test, feature = "cli"))]
mod tests;

pub use events::{OrderedWork, SearchOrder, SessionAction, SessionEvent};
pub use state::{Audience, Session};
