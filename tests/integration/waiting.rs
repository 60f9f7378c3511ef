//! The tests' wait for what is done in the background: requests to the browser and messages of WebSockets.
//!
//! Start with [`finish`].

use std::sync::LazyLock;
use tokio::runtime::{Builder, Runtime};

/// One for all tests: a connection lives as long as the runtime it was made in, and two hundred of them need no runtime each.
static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime"));

/// Waits for a result.
pub fn finish<F: Future>(work: F) -> F::Output {
    RUNTIME.block_on(work)
}
