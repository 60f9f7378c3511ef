//! The transposition table: what is known of positions met before, in a fixed amount of memory shared by all threads.
//!
//! A position is known by a 64-bit hash alone. Two positions share one with a chance of about 2^-64 for each pair; nothing else
//! stands between a proof and the truth. Threads take no locks: an entry is two words, and an entry torn by two writers does not
//! match its check word (Hyatt and Mann, "A Lock-less Transposition Table Implementation for Parallel Search", ICGA Journal 25(1), 2002).
//!
//! | bits of an entry | meaning |
//! |---|---|
//! | 0..16 | value: change of the mover's lead until the end, points, two's complement |
//! | 16..48 | code of the best play ([`MoveCode`]) |
//! | 48..56 | depth in plies, [`PROVED`] if no line was cut short |
//! | 56..58 | what kind of value: [`EntryBound`] |
//! | 58..64 | generation: entries of earlier ones are forgotten |

use crate::search::endgame::window::{SearchValue, Window};
use std::sync::atomic::{AtomicU64, Ordering};

/// A play in an entry: the low half of its hash, or one of the two codes below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub(super) struct MoveCode(pub u32);

impl MoveCode {
    /// No play is known.
    pub const NONE: MoveCode = MoveCode(0);
    /// The pass.
    pub const PASS: MoveCode = MoveCode(1);
}

/// What the value of an entry says of the true value, or of the value that a search of its depth would find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EntryBound {
    /// It is exactly this.
    Exact,
    /// It is this or more.
    Lower,
    /// It is this or less.
    Upper,
}

/// The depth of entries that hold at any depth.
pub(super) const PROVED: u8 = u8::MAX;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TableEntry {
    /// Change of the mover's lead until the end, points.
    pub value: i16,
    /// The play behind it.
    pub code: MoveCode,
    /// Plies searched, or [`PROVED`].
    pub depth: u8,
    /// What the value is.
    pub bound: EntryBound,
}

impl TableEntry {
    fn pack(self, generation: u64) -> u64 {
        let bound = match self.bound {
            EntryBound::Exact => 0,
            EntryBound::Lower => 1,
            EntryBound::Upper => 2,
        };
        self.value as u16 as u64 | (self.code.0 as u64) << 16 | (self.depth as u64) << 48 | bound << 56 | generation << 58
    }

    fn unpack(data: u64) -> TableEntry {
        TableEntry {
            value: data as u16 as i16,
            code: MoveCode((data >> 16) as u32),
            depth: (data >> 48) as u8,
            bound: match data >> 56 & 3 {
                0 => EntryBound::Exact,
                1 => EntryBound::Lower,
                _ => EntryBound::Upper,
            },
        }
    }

    /// Its value, if that answers a search with this window and depth.
    #[inline]
    pub fn answer(&self, window: Window, depth: u8) -> Option<SearchValue> {
        let points = i32::from(self.value);
        let is_enough = match self.bound {
            EntryBound::Exact => true,
            EntryBound::Lower => points >= window.beta,
            EntryBound::Upper => points <= window.alpha,
        };
        (self.depth >= depth && is_enough).then_some(SearchValue { points, proved: self.depth == PROVED })
    }
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FoundEntries {
    /// By searches that cut no line short.
    pub proved: Option<TableEntry>,
    /// By the others.
    pub limited: Option<TableEntry>,
}

impl FoundEntries {
    /// The answer to a search with this window and depth, if it is known.
    #[inline]
    pub fn answer(&self, window: Window, depth: u8) -> Option<SearchValue> {
        [self.proved, self.limited].iter().flatten().find_map(|entry| entry.answer(window, depth))
    }

    /// The best play, rather from a proof; [`MoveCode::NONE`] if none is known.
    pub fn best_code(&self) -> MoveCode {
        let codes = [self.proved, self.limited].into_iter().flatten().map(|entry| entry.code);
        codes.into_iter().find(|&code| code != MoveCode::NONE).unwrap_or(MoveCode::NONE)
    }
}

/// Entries that share a place: 64 bytes, a line of the processor's cache.
const WAYS: usize = 4;

/// Generations are counted modulo this.
const GENERATIONS: u64 = 64;

#[derive(Default)]
struct TableSlot {
    /// Hash xor data.
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Default)]
#[repr(align(64))]
struct Bucket([TableSlot; WAYS]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// A table for positions of one word list and one set of rules.
pub(super) struct TranspositionTable {
    buckets: Box<[Bucket]>,
    generation: u64,
}

impl TranspositionTable {
    /// A table of so many MiB, at least one bucket.
    pub fn new(megabytes: usize) -> TranspositionTable {
        let count = (megabytes << 20) / size_of::<Bucket>();
        TranspositionTable { buckets: (0..count.max(1)).map(|_| Bucket::default()).collect(), generation: 0 }
    }

    /// Forgets all: from now on it is as good as new. It takes no time but once in [`GENERATIONS`] calls.
    pub fn clear(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
        if self.generation == 0 {
            self.buckets.iter_mut().for_each(|bucket| *bucket = Bucket::default());
        }
    }

    fn is_alive(&self, data: u64) -> bool {
        data != 0 && data >> 58 == self.generation
    }

    fn bucket(&self, hash: u64) -> &Bucket {
        &self.buckets[((hash as u128 * self.buckets.len() as u128) >> 64) as usize]
    }

    /// What is known of a position.
    pub fn find(&self, hash: u64) -> FoundEntries {
        let mut found = FoundEntries::default();
        for slot in &self.bucket(hash).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == hash && self.is_alive(data) {
                let entry = TableEntry::unpack(data);
                *if entry.depth == PROVED { &mut found.proved } else { &mut found.limited } = Some(entry);
            }
        }
        found
    }

    /// Stores what was found. It takes the place of what was known of the position in the same way (proved or not), else of the
    /// shallowest entry.
    pub fn store(&self, hash: u64, entry: TableEntry) {
        let mut weakest = None;
        for slot in &self.bucket(hash).0 {
            let data = slot.data.load(Ordering::Relaxed);
            let old = TableEntry::unpack(data);
            let worth = if !self.is_alive(data) {
                -2
            } else if slot.check.load(Ordering::Relaxed) ^ data == hash && (old.depth == PROVED) == (entry.depth == PROVED) {
                -1
            } else {
                i32::from(old.depth)
            };
            if worth == -1 {
                weakest = Some((worth, slot));
                break;
            }
            if weakest.is_none_or(|(least, _)| worth < least) {
                weakest = Some((worth, slot));
            }
        }
        if let Some((_, slot)) = weakest {
            let data = entry.pack(self.generation);
            slot.data.store(data, Ordering::Relaxed);
            slot.check.store(hash ^ data, Ordering::Relaxed);
        }
    }

    /// Thousandths of the table that are in use, from a sample.
    pub fn permille_full(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(1000)];
        let is_ours = |slot: &&TableSlot| self.is_alive(slot.data.load(Ordering::Relaxed));
        let ours = sample.iter().flat_map(|bucket| &bucket.0).filter(is_ours).count();
        (1000 * ours / (WAYS * sample.len())) as u32
    }
}

impl std::fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TranspositionTable of {} buckets", self.buckets.len())
    }
}
