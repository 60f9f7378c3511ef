//! The transposition table: what is known of positions met before, in a fixed amount of memory shared by all threads.
//!
//! A position is known by a 64-bit hash alone: two of them share one with a chance of about 2^-64 for each pair, and nothing
//! else stands between a proof and the truth. Threads take no locks: an entry is two words, and one that was torn by two
//! writers does not match its check word.
//!
//! | bits of an entry | meaning |
//! |---|---|
//! | 0..16 | value: change of the mover's lead until the end, points, two's complement |
//! | 16..48 | code of the best play ([`Code`]) |
//! | 48..56 | depth in plies, [`PROVED`] if no line was cut short |
//! | 56..58 | what kind of value: [`Bound`] |
//! | 58..64 | generation: entries of earlier ones are forgotten |

use std::sync::atomic::{AtomicU64, Ordering};

/// A play in an entry: the low half of its hash. See [`Code::NONE`] and [`Code::PASS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Code(pub u32);

impl Code {
    /// No play is known.
    pub const NONE: Code = Code(0);
    /// The pass.
    pub const PASS: Code = Code(1);
}

/// What a value says of the truth, or of what a search of its depth would say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// It is this.
    Exact,
    /// It is this or more.
    Lower,
    /// It is this or less.
    Upper,
}

/// The depth of entries that hold whatever the depth.
pub(super) const PROVED: u8 = u8::MAX;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// Change of the mover's lead until the end, points.
    pub value: i16,
    /// The play behind it.
    pub code: Code,
    /// Plies searched, or [`PROVED`].
    pub depth: u8,
    /// What kind of value.
    pub bound: Bound,
}

impl Entry {
    fn pack(self, generation: u64) -> u64 {
        let bound = match self.bound {
            Bound::Exact => 0,
            Bound::Lower => 1,
            Bound::Upper => 2,
        };
        self.value as u16 as u64 | (self.code.0 as u64) << 16 | (self.depth as u64) << 48 | bound << 56 | generation << 58
    }

    fn unpack(data: u64) -> Entry {
        Entry {
            value: data as u16 as i16,
            code: Code((data >> 16) as u32),
            depth: (data >> 48) as u8,
            bound: match data >> 56 & 3 {
                0 => Bound::Exact,
                1 => Bound::Lower,
                _ => Bound::Upper,
            },
        }
    }

    /// Whether it settles a search of this depth and window.
    pub fn settles(&self, alpha: i32, beta: i32, depth: u8) -> bool {
        let value = i32::from(self.value);
        self.depth >= depth
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            }
    }
}

/// Entries that share a place: 64 bytes, a line of the processor's cache.
const WAYS: usize = 4;

/// Generations are counted modulo this.
const GENERATIONS: u64 = 64;

#[derive(Default)]
struct Slot {
    /// Hash xor data.
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// See the module's text.
pub(super) struct Table {
    buckets: Box<[Bucket]>,
    generation: u64,
}

impl Table {
    /// A table of so many MiB, at least one bucket.
    pub fn new(megabytes: usize) -> Table {
        let count = (megabytes << 20) / size_of::<Bucket>();
        Table { buckets: (0..count.max(1)).map(|_| Bucket::default()).collect(), generation: 0 }
    }

    /// Forgets all: from now on it is as good as new. Takes no time, most of the times.
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

    /// What is known: first what is proved, then what a limited search has found.
    pub fn find(&self, hash: u64) -> [Option<Entry>; 2] {
        let mut found = [None; 2];
        for slot in &self.bucket(hash).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == hash && self.is_alive(data) {
                let entry = Entry::unpack(data);
                found[usize::from(entry.depth != PROVED)] = Some(entry);
            }
        }
        found
    }

    /// Stores what was found in place of the same kind of knowledge (proved or not) of the same position, else of
    /// the shallowest entry.
    pub fn store(&self, hash: u64, entry: Entry) {
        let mut weakest = None;
        for slot in &self.bucket(hash).0 {
            let data = slot.data.load(Ordering::Relaxed);
            let old = Entry::unpack(data);
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
        let is_ours = |slot: &&Slot| self.is_alive(slot.data.load(Ordering::Relaxed));
        let ours = sample.iter().flat_map(|bucket| &bucket.0).filter(is_ours).count();
        (1000 * ours / (WAYS * sample.len())) as u32
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table of {} buckets", self.buckets.len())
    }
}
