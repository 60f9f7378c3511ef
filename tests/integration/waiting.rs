//! The tests' wait for what is done in the background: results of asynchronous work, and whatever else comes to hold.
//!
//! Start with [`finish`] and [`soon`].

use std::sync::LazyLock;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};

/// How long something may take that happens at once on an idle machine.
const LIMIT: Duration = Duration::from_secs(120);

/// One for all tests: a connection lives as long as the runtime it was made in, and two hundred of them need no runtime each.
static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime"));

/// Waits for a result.
pub fn finish<F: Future>(work: F) -> F::Output {
    RUNTIME.block_on(work)
}

/// Waits until something holds.
pub fn soon(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + LIMIT;
    while !holds() {
        assert!(Instant::now() < end, "not in time: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
