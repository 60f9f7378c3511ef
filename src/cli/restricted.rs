//! `tilewright restricted`: the protocol for callers who are not trusted, such as a page in a browser. Their commands touch no file, start
//! no process, and stay within limits of threads and memory.
//!
//! Access to files is refused in one place ([`NamedResources`]), which also covers commands that are added later. On Unix, the process
//! also gives up the right to write to files and to use more memory than it could need. Start with [`run`].

use crate::host::resources::Folders;
use crate::protocol::named_resources::NamedResources;
use crate::protocol::server;
use crate::protocol::session::Audience;
use crate::search::limits::{DEFAULT_MEMORY_MB, MEMORY_MB, MOST_THREADS};
use anyhow::{Context, Result};
use clap::Args;
use std::io;
use std::sync::Arc;

/// Memory in addition to the option `Memory`: for the program, its words and tables, waiting lines, and stacks.
#[cfg(unix)]
const MEGABYTES_BESIDE: u64 = 1024;

/// Flags of `tilewright restricted`.
#[derive(Args, Clone, Debug)]
pub struct RestrictedArguments {
    /// The greatest value of Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS))]
    pub threads: u32,
    /// The greatest value of Memory and EndgameHash, MB
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_MEMORY_MB as u32, value_parser = clap::value_parser!(u32).range(MEMORY_MB))]
    pub memory: u32,
    /// Folders with lexicons and tables that may be used by name, separated by semicolons
    #[arg(long, value_name = "FOLDERS", default_value = "", hide_default_value = true)]
    pub data_path: String,
}

/// Holds a conversation on stdin and stdout, which must be pipes, since this process may not write to files.
///
/// # Errors
/// Stdout cannot be written to, nobody reads it when `quit` comes, or a worker has panicked.
pub fn run(arguments: &RestrictedArguments) -> Result<()> {
    give_up_rights(arguments).context("cannot give up the right to write files")?;
    let RestrictedArguments { threads, memory, ref data_path } = *arguments;
    let folders = Folders::of_data_path(data_path);
    let resources = NamedResources::new(move |loading| folders.clone().stopped_by(loading)).within(threads, memory);
    match server::serve_stdin(&[], Arc::new(resources), Audience::Program) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("the protocol server"),
    }
}

#[cfg(unix)]
fn give_up_rights(arguments: &RestrictedArguments) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let both = |limit| Rlimit { current: Some(limit), maximum: Some(limit) };
    setrlimit(Resource::Fsize, both(0))?;
    setrlimit(Resource::Core, both(0))?;
    setrlimit(Resource::Data, both((u64::from(arguments.memory) + MEGABYTES_BESIDE + 16 * u64::from(arguments.threads)) << 20))?;
    Ok(())
}

/// On other systems, only the session itself refuses files and limits its memory.
#[cfg(not(unix))]
fn give_up_rights(_: &RestrictedArguments) -> io::Result<()> {
    tracing::warn!("this system cannot limit files and memory of a process: only the limits of the session hold");
    Ok(())
}
