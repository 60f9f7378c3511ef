//! The threads of a search: as many as are asked for, or as can be had.
//!
//! The number of threads changes the time of a search and never its answer, so a machine that has no room for all of them is no reason
//! to fail. Not here: what threads do. Start with [`pool`].

use rayon::{ThreadPool, ThreadPoolBuilder};

/// So many threads; half as many, and so on, if the system refuses them. `None` where one thread is left: the caller's.
pub fn pool(wanted: usize) -> Option<ThreadPool> {
    let halves = std::iter::successors(Some(wanted), |threads| Some(threads / 2)).take_while(|&threads| threads > 1);
    halves.into_iter().find_map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_has_the_threads_that_were_asked_for_and_one_thread_needs_none() {
        assert_eq!(pool(3).map(|pool| pool.current_num_threads()), Some(3));
        assert!(pool(1).is_none() && pool(0).is_none());
    }
}
