//! Tables made from self-play: what happened in many games, counted.
//!
//! | file | what it holds |
//! |---|---|
//! | `tally.rs` | what every kind of training does: many games on all threads, one sum |
//! | `win_percent.rs` | the win % table: changes of the lead, counted, then smoothed |
//! | `calibration.rs` | how far predictions of a win % model come true |
//!
//! Not here: files, clocks and progress (`cli/train/`). Start with [`tally`].

pub mod tally;
pub mod win_percent;
pub mod calibration;
