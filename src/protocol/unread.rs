//! Tracks unread answers: their bytes of memory, and whether their reader still reads.
//!
//! Not here: what waits meanwhile (`server.rs`, and the queue of the session). Start with [`UnreadAnswers`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;

/// Once unread answers take more than this many bytes, nothing more is answered until some are read.
pub const MOST_UNREAD: usize = 4 << 20;

/// What an answer takes beside its text: its `String`, its place in a queue, and what the allocator adds.
const ANSWER_OVERHEAD: usize = 64;

/// The memory that an answer takes while it waits.
pub fn held_bytes(text: &String) -> usize {
    text.capacity() + ANSWER_OVERHEAD
}

/// The unread answers of a conversation. All clones count the same ones.
#[derive(Clone, Debug, Default)]
pub struct UnreadAnswers {
    bytes: watch::Sender<usize>,
}

impl UnreadAnswers {
    /// An answer that takes this many bytes begins to wait.
    pub fn add(&self, bytes: usize) {
        self.bytes.send_modify(|held| *held += bytes);
    }

    /// This many bytes were read.
    pub fn remove(&self, bytes: usize) {
        self.bytes.send_modify(|held| *held = held.saturating_sub(bytes));
    }

    /// Whether they take more than [`MOST_UNREAD`].
    pub fn are_too_many(&self) -> bool {
        *self.bytes.borrow() > MOST_UNREAD
    }

    /// Waits until they take no more than [`MOST_UNREAD`].
    pub async fn are_few(&self) {
        // The error would be that nobody counts any more: this does.
        let _ = self.bytes.subscribe().wait_for(|&bytes| bytes <= MOST_UNREAD).await;
    }

    /// Waits until nothing has been read for this long.
    pub async fn reader_rests(&self, patience: Duration) {
        let mut counts = self.bytes.subscribe();
        while let Ok(Ok(())) = timeout(patience, counts.changed()).await {}
    }
}
