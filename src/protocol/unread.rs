//! Writes answers, and tracks those that are unread: their bytes of memory, and whether their reader still reads.
//!
//! Not here: what waits meanwhile (`server.rs`, and the queue of the session). Start with [`UnreadAnswers`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

use std::io;
use std::time::Duration;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::time::timeout;

/// Once unread answers take more than this many bytes, nothing more is answered until some are read.
pub const MOST_UNREAD: usize = 4 << 20;

/// Bytes of lines that are written at once. POSIX writes this many to a pipe as a whole or not at all, so no line is cut
/// if the program ends meanwhile.
const WRITTEN_AT_ONCE: usize = 4096;

/// The memory of an answer besides its text: its `String`, its place in a queue, and what the allocator adds.
const ANSWER_OVERHEAD: usize = 64;

/// Returns the memory that an answer takes while it waits.
pub fn held_bytes(text: &String) -> usize {
    text.capacity() + ANSWER_OVERHEAD
}

/// The unread answers of a conversation. All clones count the same ones.
#[derive(Clone, Debug, Default)]
pub struct UnreadAnswers {
    bytes: watch::Sender<usize>,
}

impl UnreadAnswers {
    /// Counts an answer of this many bytes as unread.
    pub fn add(&self, bytes: usize) {
        self.bytes.send_modify(|held| *held += bytes);
    }

    /// Counts this many bytes as read.
    pub fn remove(&self, bytes: usize) {
        self.bytes.send_modify(|held| *held = held.saturating_sub(bytes));
    }

    /// Whether they take more than [`MOST_UNREAD`].
    pub fn are_too_many(&self) -> bool {
        *self.bytes.borrow() > MOST_UNREAD
    }

    /// Waits until they take no more than [`MOST_UNREAD`].
    pub async fn are_few(&self) {
        // An error would mean that nothing counts any more, but `self` does.
        let _ = self.bytes.subscribe().wait_for(|&bytes| bytes <= MOST_UNREAD).await;
    }

    /// Waits until nothing has been read for this long.
    pub async fn reader_rests(&self, patience: Duration) {
        let mut counts = self.bytes.subscribe();
        while let Ok(Ok(())) = timeout(patience, counts.changed()).await {}
    }
}

/// Joins lines, each with a line end.
pub fn text_of_lines(lines: &[String]) -> String {
    let mut text = String::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
    for line in lines {
        text += line;
        text.push('\n');
    }
    text
}

/// Writes texts made of lines, flushed, until no more can come. Texts that are written are no longer unread.
///
/// # Errors
/// The output cannot be written to.
pub async fn write_texts<W: AsyncWrite + Unpin>(
    mut output: W,
    mut texts: UnboundedReceiver<String>,
    unread: UnreadAnswers,
) -> io::Result<()> {
    while let Some(mut text) = texts.recv().await {
        let mut held = held_bytes(&text);
        // PERF: what waits is written together. 4,000 lines of `help`, 52 replies each, cost 5.5 s of processor time with a
        // write for each reply, and 1.0 s like this.
        while text.len() < WRITTEN_AT_ONCE
            && let Ok(next) = texts.try_recv()
        {
            held += held_bytes(&next);
            text += &next;
        }
        let mut rest = text.as_bytes();
        while let Some((part, left)) = rest.split_at_checked(first_part(rest)).filter(|(part, _)| !part.is_empty()) {
            output.write_all(part).await?;
            output.flush().await?;
            // Counted part by part, since a reader that takes a long answer slowly has not gone.
            unread.remove(part.len());
            held = held.saturating_sub(part.len());
            rest = left;
        }
        unread.remove(held);
    }
    Ok(())
}

/// The length of the whole lines that fit into one write, or of one longer line.
fn first_part(lines: &[u8]) -> usize {
    let is_end = |byte: &u8| *byte == b'\n';
    let fitting = lines.get(..WRITTEN_AT_ONCE).unwrap_or(lines).iter().rposition(is_end);
    fitting.or_else(|| lines.iter().position(is_end)).map_or(lines.len(), |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_whole_lines_are_written_at_once_as_fit() {
        let line = |length: usize| "x".repeat(length - 1) + "\n";
        let check = |lines: &str, expected: usize| assert_eq!(first_part(lines.as_bytes()), expected, "{} bytes", lines.len());
        check("", 0);
        check("readyok\n", 8);
        check(&line(100).repeat(50), 4000);
        check(&line(WRITTEN_AT_ONCE).repeat(2), WRITTEN_AT_ONCE);
        check(&(line(5000) + "readyok\n"), 5000);
        check("no end", 6);
    }
}
