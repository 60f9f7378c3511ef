//! The threads of a search: limited by the request, the processors and the address space.
//!
//! The number of threads changes the time of a search, not its answer. A machine without room for all threads is therefore no reason
//! to fail. Threads beyond its processors are not started: they gain nothing, and delay the end of a search, where each thread has a
//! piece of work to finish.
//!
//! PERF: simulation of all 5,000 plays of a rack with a blank, processor time between `stop` and `bestmove`: 400 to 490 ms with 256 threads, 10 to
//! 20 ms with one.
//!
//! Not here: what threads do. Start with [`Team`].

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Address space for a thread, in bytes: its stack, 2 MiB by default, and the 64 MiB that glibc's allocator reserves for a thread.
/// In WebAssembly all threads share one allocator.
pub const THREAD_SPACE: usize = if cfg!(target_family = "wasm") { 4 << 20 } else { 68 << 20 };

/// Address space that must be left for the tables and other allocations of a search, in bytes.
const SEARCH_SPACE: usize = 128 << 20;

/// Address space without which no search begins, in bytes: one thread needs it for its boards, tables and lists with the usual candidates.
/// Without this check an allocation would end the process somewhere in the search.
const LEAST_SPACE: usize = 32 << 20;

/// Returns whether there is address space for a search by one thread, and for this many bytes more.
pub fn has_room_for_search(bytes_beside: usize) -> bool {
    has_room(bytes_beside.saturating_add(LEAST_SPACE))
}

/// The threads of a search, each with a worker: its memory.
pub struct Team<W> {
    /// `None` for a single thread: the caller's.
    pool: Option<ThreadPool>,
    workers: Vec<Mutex<W>>,
}

impl<W: Send> Team<W> {
    /// Starts these threads, or as many of them as possible. `worker` receives their number.
    pub fn new(threads: usize, worker: impl Fn(usize) -> W) -> Team<W> {
        let pool = pool(threads);
        let threads = pool.as_ref().map_or(1, ThreadPool::current_num_threads);
        Team { workers: (0..threads).map(|_| Mutex::new(worker(threads))).collect(), pool }
    }

    /// The calling thread alone.
    pub fn of_caller(worker: W) -> Team<W> {
        Team { pool: None, workers: vec![Mutex::new(worker)] }
    }

    /// Carries out all tasks. Results are in the order of the tasks, whichever thread finishes first.
    pub fn map<T: Sync, R: Send>(&self, tasks: &[T], work: impl Fn(&mut W, &T) -> R + Sync) -> Vec<R> {
        // Each thread has a worker of its own, so this never waits.
        let work = |task| work(&mut lock(&self.workers[number_in(self.pool.as_ref())]), task);
        match &self.pool {
            Some(pool) => pool.install(|| tasks.par_iter().with_max_len(1).map(work).collect()),
            None => tasks.iter().map(work).collect(),
        }
    }

    /// All workers, between two calls of [`Team::map`].
    pub fn workers(&self) -> impl Iterator<Item = MutexGuard<'_, W>> {
        self.workers.iter().map(lock)
    }
}

fn lock<W>(worker: &Mutex<W>) -> MutexGuard<'_, W> {
    worker.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a pool of this many threads, or of half as many, a quarter and so on, if there is no room for them or the system refuses them.
/// `None` if one thread is left: the caller's.
pub fn pool(wanted: usize) -> Option<ThreadPool> {
    halves(fitting(wanted)).find_map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().ok())
}

/// Returns the number of the calling thread among those of a search: 0 for the caller of the search, even on a thread of another pool.
fn number_in(pool: Option<&ThreadPool>) -> usize {
    pool.and_then(ThreadPool::current_thread_index).unwrap_or(0)
}

/// Returns for how many of the wanted threads there are processors and address space; at least one, the caller's.
///
/// A thread that starts without enough space ends the process: neither the standard library nor the allocator can report that the stack
/// for signals or a word of bookkeeping could not be allocated. Therefore the space for all threads is allocated first, and freed again.
pub fn fitting(wanted: usize) -> usize {
    // The processors that this process may use, queried each time because its limits can change. WebAssembly cannot query them: its host
    // limits the option.
    let unknown = if cfg!(target_family = "wasm") { wanted } else { 1 };
    let processors = std::thread::available_parallelism().map_or(unknown, usize::from);
    halves(wanted.min(processors)).find(|&threads| has_room(threads.saturating_mul(THREAD_SPACE).saturating_add(SEARCH_SPACE))).unwrap_or(1)
}

/// This number and its halves, down to two.
fn halves(threads: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(threads), |threads| Some(threads / 2)).take_while(|&threads| threads > 1)
}

/// Returns whether this many bytes can be allocated. They are not written to, so they take address space but no memory.
fn has_room(bytes: usize) -> bool {
    let mut space = Vec::<u8>::new();
    let is_had = space.try_reserve_exact(bytes).is_ok();
    // An allocation that is never used would be optimised away.
    std::hint::black_box(&space);
    is_had
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_has_the_threads_that_were_asked_for_and_one_thread_needs_none() {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        for wanted in [2, 3, 256] {
            let expected = Some(wanted.min(processors)).filter(|&threads| threads > 1);
            assert_eq!(pool(wanted).map(|pool| pool.current_num_threads()), expected);
        }
        assert!(pool(1).is_none() && pool(0).is_none());
    }

    #[test]
    fn threads_of_other_pools_are_nobody_here() {
        let of_threads = |threads| ThreadPoolBuilder::new().num_threads(threads).build().ok();
        let (ours, other) = (of_threads(3), of_threads(5));
        let numbers = other.unwrap().broadcast(|_| (number_in(ours.as_ref()), number_in(None)));
        assert_eq!(numbers, [(0, 0); 5]);
        let mut numbers = ours.as_ref().unwrap().broadcast(|_| number_in(ours.as_ref()));
        numbers.sort_unstable();
        assert_eq!(numbers, [0, 1, 2]);
    }

    #[test]
    fn threads_for_which_there_is_no_space_are_left_out() {
        assert_eq!([fitting(0), fitting(1)], [1, 1]);
        assert!(has_room(THREAD_SPACE));
        assert!(!has_room(usize::MAX), "more than there is");
    }
}
