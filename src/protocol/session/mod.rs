//! The session: what each line means, given all the lines before it. No I/O, no clock, no threads.
//!
//! [`Session::handle`] is the whole interface: what happens outside comes in as a [`SessionEvent`], what is to be done outside
//! goes out as [`SessionAction`]s, in order.
//!
//! | state | what happens to a command | the state ends with |
//! |---|---|---|
//! | idle | it is carried out | a `go`, a `bench`, or something to load |
//! | loading | it waits in the queue; `stop` ends the load unless a `go` or a `bench` waits, for which it is then | the resource, or why it cannot be had |
//! | measuring | it waits in the queue, but for `stop`, which ends the bench, and what needs neither words nor silence: `isready`, `help`, ... | the end of the bench |
//! | solving (a game of Ghost) | as while measuring; `stop` ends it | the solution, or that it was stopped |
//! | searching | if it [needs](crate::protocol::command::Command::needs_idle) that no search runs, it is refused as `busy`; else it is carried out | the end of the search |
//! | stopping | the same, but it waits where it would be refused, and all commands behind it wait too | the end of the search |
//!
//! A command that lacks a resource is put back to the front of the queue. The resource is loaded, and the command is carried
//! out again from its beginning, so no command has two halves. INVARIANT: a command asks for its resources before it changes
//! anything.
//!
//! `quit` never waits in the queue: it stops the search, gives the queue `QUIT_GRACE_MS` to be worked off, and then all ends.
//!

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
