//! The transposition table: results of earlier positions, in fixed memory shared by all threads.
//!
//! A position is identified by a 64-bit hash alone. Each pair of positions shares a hash with a chance of about 2^-64;
//! nothing else can make a proof wrong. Threads take no locks: an entry is two words, and an entry torn by two writers
//! does not match its check word [Hyatt & Mann 2002].
//!
//! | bits of an entry's data | meaning |
//! |---|---|
//! | 0..16 | value: change of the mover's lead until the end, points, two's complement |
//! | 16..48 | code of the best play ([`MoveCode`]) |
//! | 48..56 | depth in plies, [`PROVED`] if no line was cut short |
//! | 56..58 | what kind of value: [`EntryBound`] |
//! | 58..64 | the low bits of the generation |
//!
//! | bits of an entry's check, before it is xored with the data | meaning |
//! |---|---|
//! | 0..52 | the low bits of the position's hash |
//! | 52..64 | the high bits of the generation; these bits of the hash select the bucket, all of them in a table of 4096 buckets (256 KiB) |
//!
//! **Forgetting takes no time.** Clearing the table increments the generation, and entries of other generations are
//! ignored: neither what a search finds nor which entry gives way depends on what earlier searches left. Generations
//! repeat after [`GENERATIONS`] increments. So each increment also empties the next few buckets, and all buckets have
//! been emptied before a generation repeats.
//!
//! **Memory.** A table that cannot be allocated is an error. The operating system hands out zeroed pages when they are
//! first used, so that making a table takes no time, whatever its size. It may overcommit, so callers check free memory
//! before they ask for a large table.

use crate::search::endgame::types::{SearchValue, Window};
use bytemuck::allocation::try_zeroed_slice_box;
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

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

/// How the value of an entry relates to the true value, or to the value that a search of its depth would find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EntryBound {
    /// The value is exact.
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

/// The depth of entries that are valid at any depth.
pub(super) const PROVED: u8 = u8::MAX;

/// The knowledge about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TableEntry {
    /// Change of the mover's lead until the end, points.
    pub value: i16,
    /// The play with this value.
    pub code: MoveCode,
    /// Plies searched, or [`PROVED`].
    pub depth: u8,
    /// How the value relates to the true one.
    pub bound: EntryBound,
}

impl TableEntry {
    /// The data, with the low bits of a generation.
    fn pack(self, generation: u64) -> u64 {
        let bound = match self.bound {
            EntryBound::Exact => 0,
            EntryBound::Lower => 1,
            EntryBound::Upper => 2,
        };
        self.value as u16 as u64 | (self.code.0 as u64) << 16 | (self.depth as u64) << 48 | bound << 56 | generation << GENERATION_IN_DATA
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

/// The knowledge about a position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FoundEntries {
    /// From searches that cut no line short.
    pub proved: Option<TableEntry>,
    /// From other searches.
    pub limited: Option<TableEntry>,
}

impl FoundEntries {
    /// The answer to a search with this window and depth, if it is known.
    #[inline]
    pub fn answer(&self, window: Window, depth: u8) -> Option<SearchValue> {
        [self.proved, self.limited].iter().flatten().find_map(|entry| entry.answer(window, depth))
    }

    /// The best play, preferably from a proof; [`MoveCode::NONE`] if none is known.
    pub fn best_code(&self) -> MoveCode {
        let codes = [self.proved, self.limited].into_iter().flatten().map(|entry| entry.code);
        codes.into_iter().find(|&code| code != MoveCode::NONE).unwrap_or(MoveCode::NONE)
    }
}

/// Entries in a bucket: 64 bytes, a line of the processor's cache.
const WAYS: usize = 4;

/// Words in a bucket: check and data of each entry.
const BUCKET_WORDS: usize = 2 * WAYS;

/// Bits of the generation: the low ones in the data, the high ones in the check.
const GENERATION_IN_DATA: u32 = 58;
const GENERATION_IN_CHECK: u32 = 52;

const LOW_GENERATION_BITS: u32 = u64::BITS - GENERATION_IN_DATA;

/// Generations are counted modulo this.
const GENERATIONS: u64 = 1 << (LOW_GENERATION_BITS + u64::BITS - GENERATION_IN_CHECK);

/// The part of the hash that is in a check.
const HASH_IN_CHECK: u64 = (1 << GENERATION_IN_CHECK) - 1;

/// There is not enough memory for a table of this size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not enough memory for a table of {megabytes} MB")]
pub struct NoMemory {
    /// The size, MiB.
    pub megabytes: usize,
}

/// Check and data of [`WAYS`] entries.
type Bucket = [AtomicU64; BUCKET_WORDS];

/// A table for positions of one word list and one set of rules.
pub(super) struct TranspositionTable {
    words: Box<[AtomicU64]>,
    /// The first word of the first bucket, which begins a line of the processor's cache.
    first: usize,
    buckets: usize,
    generation: u64,
    /// The bucket that is emptied next.
    next_emptied: usize,
}

impl TranspositionTable {
    /// Creates a table of `megabytes` MiB.
    pub fn new(megabytes: usize) -> Result<TranspositionTable, NoMemory> {
        let bytes = megabytes.checked_mul(1 << 20);
        bytes.and_then(|bytes| TranspositionTable::of_buckets(bytes / size_of::<Bucket>())).ok_or(NoMemory { megabytes })
    }

    /// Creates a table of `buckets` buckets, at least one; `None` if there is not enough memory for it.
    pub fn of_buckets(buckets: usize) -> Option<TranspositionTable> {
        let buckets = buckets.max(1);
        // Memory begins at a multiple of a word, so an extra bucket makes room to begin at a line of the cache.
        let count = buckets.checked_add(1)?.checked_mul(BUCKET_WORDS)?;
        let words: Box<[AtomicU64]> = try_zeroed_slice_box(count).ok()?;
        let beyond = words.as_ptr().addr() % size_of::<Bucket>();
        let first = (size_of::<Bucket>() - beyond) % size_of::<Bucket>() / size_of::<AtomicU64>();
        Some(TranspositionTable { words, first, buckets, generation: 0, next_emptied: 0 })
    }

    /// Forgets everything: from now on, the table behaves like a new one.
    pub fn clear(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
        // Between two uses of a generation, each bucket is emptied once: see the module's text.
        for _ in 0..self.buckets.div_ceil(GENERATIONS as usize - 1) {
            let at = self.first + self.next_emptied * BUCKET_WORDS;
            for word in &mut self.words[at..at + BUCKET_WORDS] {
                // A word that was never written is not written here either: its page may not exist yet.
                if *word.get_mut() != 0 {
                    *word.get_mut() = 0;
                }
            }
            self.next_emptied = (self.next_emptied + 1) % self.buckets;
        }
    }

    /// Whether an entry is of this generation.
    fn is_alive(&self, check: u64, data: u64) -> bool {
        let generation = (check ^ data) >> GENERATION_IN_CHECK << LOW_GENERATION_BITS | data >> GENERATION_IN_DATA;
        data != 0 && generation == self.generation
    }

    /// The check of a position's entry before it is xored with the data.
    fn key(&self, hash: u64) -> u64 {
        hash & HASH_IN_CHECK | self.generation >> LOW_GENERATION_BITS << GENERATION_IN_CHECK
    }

    fn bucket(&self, hash: u64) -> &Bucket {
        let (buckets, _) = self.words[self.first..].as_chunks();
        &buckets[((hash as u128 * self.buckets as u128) >> 64) as usize]
    }

    /// The knowledge about a position.
    pub fn find(&self, hash: u64) -> FoundEntries {
        let (mut found, key) = (FoundEntries::default(), self.key(hash));
        let (slots, _) = self.bucket(hash).as_chunks();
        for [check, data] in slots {
            let data = data.load(Ordering::Relaxed);
            let check = check.load(Ordering::Relaxed);
            if check ^ data == key && self.is_alive(check, data) {
                let entry = TableEntry::unpack(data);
                *if entry.depth == PROVED { &mut found.proved } else { &mut found.limited } = Some(entry);
            }
        }
        found
    }

    /// Stores an entry. It replaces the position's entry of the same kind (proved or not), or else the shallowest entry
    /// in the bucket.
    pub fn store(&self, hash: u64, entry: TableEntry) {
        let (mut weakest, key) = (None, self.key(hash));
        let (slots, _) = self.bucket(hash).as_chunks();
        for slot @ [check, data] in slots {
            let (check, data) = (check.load(Ordering::Relaxed), data.load(Ordering::Relaxed));
            let old = TableEntry::unpack(data);
            let worth = if !self.is_alive(check, data) {
                -2
            } else if check ^ data == key && (old.depth == PROVED) == (entry.depth == PROVED) {
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
        if let Some((_, [check, data])) = weakest {
            let packed = entry.pack(self.generation);
            data.store(packed, Ordering::Relaxed);
            check.store(key ^ packed, Ordering::Relaxed);
        }
    }

    /// Thousandths of the table that are in use, from a sample.
    pub fn permille_full(&self) -> u32 {
        let sample = self.buckets.min(1000) * WAYS;
        let (slots, _) = self.words[self.first..].as_chunks();
        let is_ours = |[check, data]: &&[AtomicU64; 2]| self.is_alive(check.load(Ordering::Relaxed), data.load(Ordering::Relaxed));
        let ours = slots[..sample].iter().filter(is_ours).count();
        (1000 * ours / sample) as u32
    }
}

impl std::fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TranspositionTable of {} buckets", self.buckets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::randomness::{self, Stream};
    use rand::RngExt;
    use std::collections::HashMap;

    fn entry(value: i16, depth: u8) -> TableEntry {
        TableEntry { value, code: MoveCode(7), depth, bound: EntryBound::Exact }
    }

    #[test]
    fn a_table_that_cannot_be_had_is_an_error() {
        for megabytes in [usize::MAX, usize::MAX >> 20, 1 << 40] {
            assert_eq!(TranspositionTable::new(megabytes).unwrap_err(), NoMemory { megabytes });
        }
        assert_eq!(NoMemory { megabytes: 9 }.to_string(), "not enough memory for a table of 9 MB");
    }

    #[test]
    fn buckets_are_lines_of_the_cache_and_the_last_one_is_there() {
        for buckets in [1, 2, 1000, 1 << 14] {
            let table = TranspositionTable::of_buckets(buckets).unwrap();
            for hash in [0, 1 << 63, u64::MAX] {
                assert_eq!(table.bucket(hash).as_ptr().addr() % 64, 0);
                table.store(hash, entry(3, 5));
                assert_eq!(table.find(hash).limited, Some(entry(3, 5)));
            }
        }
    }

    #[test]
    fn what_was_stored_is_found_until_all_is_forgotten() {
        let mut table = TranspositionTable::of_buckets(4096).unwrap();
        let mut rng = randomness::generator(5, Stream::Positions, 0);
        for generation in 0..300 {
            let mut stored = HashMap::new();
            for value in 0..40 {
                let hash: u64 = rng.random();
                table.store(hash, entry(value, 3));
                table.store(hash, entry(-value, PROVED));
                stored.insert(hash, value);
            }
            for (&hash, &value) in &stored {
                let found = table.find(hash);
                assert_eq!((found.limited, found.proved), (Some(entry(value, 3)), Some(entry(-value, PROVED))), "{generation}");
            }
            assert!(table.permille_full() > 0);
            table.clear();
            assert_eq!(table.permille_full(), 0);
            assert!(stored.keys().all(|&hash| table.find(hash).limited.is_none() && table.find(hash).proved.is_none()));
        }
    }

    #[test]
    fn a_generation_that_comes_again_finds_nothing_of_the_one_before() {
        // The largest table empties two buckets per increment, and the last round of them is incomplete.
        for buckets in [1, 3, GENERATIONS as usize + 5] {
            let mut table = TranspositionTable::of_buckets(buckets).unwrap();
            // One in each bucket, in a generation whose number has high and low bits.
            let start = 70;
            (0..start).for_each(|_| table.clear());
            let hash_of = |bucket: usize| (((bucket as u128) << 64) / buckets as u128 + 1) as u64;
            (0..buckets).for_each(|bucket| table.store(hash_of(bucket), entry(1, 9)));
            assert_eq!(table.permille_full(), 250);
            (0..GENERATIONS).for_each(|_| table.clear());
            assert_eq!(table.generation, start);
            assert!((0..buckets).all(|bucket| table.find(hash_of(bucket)).limited.is_none()), "{buckets} buckets");
            assert_eq!(table.permille_full(), 0);
        }
    }

    #[test]
    fn which_entry_gives_way_does_not_depend_on_what_was_forgotten() {
        let mut used = TranspositionTable::of_buckets(2).unwrap();
        let mut rng = randomness::generator(6, Stream::Positions, 0);
        for _ in 0..200 {
            let fresh = TranspositionTable::of_buckets(2).unwrap();
            let hashes: Vec<u64> = (0..30).map(|_| rng.random()).collect();
            for (value, &hash) in (0..).zip(&hashes) {
                let depth = rng.random_range(1..20);
                fresh.store(hash, entry(value, depth));
                used.store(hash, entry(value, depth));
            }
            assert!(hashes.iter().all(|&hash| fresh.find(hash).limited == used.find(hash).limited));
            assert_eq!(fresh.permille_full(), used.permille_full());
            used.clear();
        }
    }
}
