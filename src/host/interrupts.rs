//! Interrupts of this program: Ctrl-C, and the signals or events by which a system ends programs.

use std::io;
use std::thread;

/// Calls `handler` at each interrupt, on a thread of its own. Once this has returned, an interrupt does not end the program by itself.
///
/// # Errors
/// Interrupts cannot be listened for.
pub fn on_interrupt(mut handler: impl FnMut() + Send + 'static) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let mut interrupted = {
        let _entered = runtime.enter();
        listen()?
    };
    thread::Builder::new().name("interrupts".to_string()).spawn(move || {
        runtime.block_on(async {
            loop {
                interrupted().await;
                handler();
            }
        });
    })?;
    Ok(())
}

/// Returns a function that waits for the next interrupt.
#[cfg(unix)]
fn listen() -> io::Result<impl AsyncFnMut()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    Ok(async move || {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hang_up.recv() => {}
        }
    })
}

/// Returns a function that waits for the next interrupt.
#[cfg(windows)]
fn listen() -> io::Result<impl AsyncFnMut()> {
    use tokio::signal::windows;
    let mut ctrl_c = windows::ctrl_c()?;
    let mut ctrl_break = windows::ctrl_break()?;
    let mut close = windows::ctrl_close()?;
    let mut shutdown = windows::ctrl_shutdown()?;
    Ok(async move || {
        tokio::select! {
            _ = ctrl_c.recv() => {}
            _ = ctrl_break.recv() => {}
            _ = close.recv() => {}
            _ = shutdown.recv() => {}
        }
    })
}
