//! The configuration file of the bridge, in TOML: engines it may start,
//! and pages that may use them.
//!
//! Start with [`read`]; each key is explained at its field.

use crate::host::input_file::{self, MOST_OF_A_SETTING};
use crate::host::surroundings::this_program;
use crate::search::limits::{DEFAULT_MEMORY_MB, MEMORY_MB, MOST_THREADS};
use crate::web::option_guard::OptionGuard;
use crate::web::origin::Origin;
use anyhow::{Context, Result, anyhow, ensure};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The file, and the same as an example in help texts.
pub const EXAMPLE: &str = r#"origins = ["https://woogles.io"]   # the pages that may connect

[[engine]]
id = "tilewright"                  # without a command: this program, which then writes no files
threads = 2                        # the most that a page may ask for
memory = 512                       # MB
data_path = "/home/me/lexica"      # a page may use lexicons in it by name

[[engine]]
id = "magpie"
command = ["/opt/magpie/bin/magpie", "-mode", "siu"]
folder = "/opt/magpie"             # the folder in which it is started
refused_options = ["path", "file"] # parts of option names that pages may not set
"#;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BridgeTable {
    /// The pages that may connect.
    origins: Vec<String>,
    /// The most WebSockets at the same time.
    connections: Option<usize>,
    /// The most engines at the same time.
    engines: Option<usize>,
    /// Seconds between two pings; a page that answers none of three is gone.
    ping_seconds: Option<u64>,
    /// The engines.
    engine: Vec<EngineTable>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EngineTable {
    id: String,
    command: Option<Vec<String>>,
    folder: Option<PathBuf>,
    refused_options: Option<Vec<String>>,
    threads: Option<u32>,
    memory: Option<u32>,
    data_path: Option<String>,
}

/// The contents of a file, checked.
#[derive(Clone, Debug)]
pub struct BridgeFile {
    /// The pages that may connect.
    pub origins: BTreeSet<Origin>,
    /// The most WebSockets at the same time.
    pub connections: usize,
    /// The most engines at the same time.
    pub engines: usize,
    /// Time between two pings.
    pub ping_every: Duration,
    /// The engines.
    pub list: Vec<BridgeEngine>,
}

/// An engine that may be started.
#[derive(Clone, Debug)]
pub struct BridgeEngine {
    /// Its name on the wire.
    pub id: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// The folder in which it is started.
    pub folder: Option<PathBuf>,
    /// The options that pages may not set.
    pub guard: OptionGuard,
}

impl BridgeEngine {
    /// This program in its restricted mode.
    ///
    /// # Errors
    /// This program is not found.
    pub fn own(id: &str, threads: u32, memory: u32, data_path: &str) -> Result<BridgeEngine> {
        let mut command: Vec<String> = this_program()?.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        command.push("restricted".to_string());
        command.extend([format!("--threads={threads}"), format!("--memory={memory}"), format!("--data-path={data_path}")]);
        Ok(BridgeEngine { id: id.to_string(), command, folder: None, guard: OptionGuard::none() })
    }

    /// The process to start.
    pub fn process(&self) -> Command {
        let mut command = Command::new(self.command.first().map_or("", String::as_str));
        command.args(self.command.iter().skip(1));
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command
    }
}

/// Reads a file.
///
/// # Errors
/// The file cannot be read, or its contents are wrong: with the file and, if there is one, the line.
pub fn read(path: &Path) -> Result<BridgeFile> {
    let text = input_file::read_text(path, MOST_OF_A_SETTING).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&text).map_err(|error| anyhow!("{}: {error}", path.display()))
}

fn parse(text: &str) -> Result<BridgeFile> {
    let table: BridgeTable = toml::from_str(text).map_err(|error: toml::de::Error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = text.bytes().take(start).filter(|&byte| byte == b'\n').count() + 1;
        anyhow!("line {line}: {}", error.message())
    })?;
    ensure!(!table.origins.is_empty(), "origins is empty: no page could connect");
    let origins = table.origins.iter().map(|origin| origin.parse().map_err(|error| anyhow!("origins: {error}"))).collect::<Result<_>>()?;
    let (connections, engines, ping_seconds) =
        (table.connections.unwrap_or(16), table.engines.unwrap_or(4), table.ping_seconds.unwrap_or(20));
    ensure!((1..=256).contains(&connections), "connections is {connections}: expected 1 to 256");
    ensure!((1..=64).contains(&engines), "engines is {engines}: expected 1 to 64");
    ensure!((1..=3600).contains(&ping_seconds), "ping_seconds is {ping_seconds}: expected 1 to 3600");
    ensure!(!table.engine.is_empty(), "there is no [[engine]]: expected at least one");
    let mut ids = BTreeSet::new();
    for engine in &table.engine {
        ensure!(
            !engine.id.is_empty() && engine.id.bytes().all(|byte| byte.is_ascii_graphic()),
            "engine: {:?} is not an id: expected one word",
            engine.id
        );
        ensure!(ids.insert(&engine.id), "engine: two engines have the id {}", engine.id);
    }
    let list = table
        .engine
        .iter()
        .map(|engine| checked(engine).with_context(|| format!("engine {}", engine.id)).map_err(|error| anyhow!("{error:#}")));
    let list = list.collect::<Result<_>>()?;
    Ok(BridgeFile { origins, connections, engines, ping_every: Duration::from_secs(ping_seconds), list })
}

fn checked(engine: &EngineTable) -> Result<BridgeEngine> {
    let Some(command) = &engine.command else {
        ensure!(engine.folder.is_none() && engine.refused_options.is_none(), "folder and refused_options need a command");
        let (threads, memory) = (engine.threads.unwrap_or(1), engine.memory.unwrap_or(DEFAULT_MEMORY_MB as u32));
        ensure!((1..=MOST_THREADS).contains(&threads.into()), "threads is {threads}: expected 1 to {MOST_THREADS}");
        let (least, most) = MEMORY_MB.into_inner();
        ensure!((least..=most).contains(&memory.into()), "memory is {memory}: expected {least} to {most}");
        return BridgeEngine::own(&engine.id, threads, memory, engine.data_path.as_deref().unwrap_or_default());
    };
    ensure!(
        engine.threads.is_none() && engine.memory.is_none() && engine.data_path.is_none(),
        "threads, memory and data_path are for this program: leave them out, or leave command out"
    );
    let program = command.first().map(Path::new).filter(|program| !program.as_os_str().is_empty()).context("command is empty")?;
    ensure!(
        program.is_absolute() || program.components().count() == 1,
        "command is {}: expected an absolute path or a name alone",
        program.display()
    );
    ensure!(
        program.file_stem().is_none_or(|name| name != "tilewright"),
        "leave command out: tilewright is then started in its restricted mode, which writes no files"
    );
    let guard = match &engine.refused_options {
        Some(parts) => OptionGuard::new(parts.iter().map(String::as_str)),
        None => OptionGuard::default(),
    };
    Ok(BridgeEngine { id: engine.id.clone(), command: command.clone(), folder: engine.folder.clone(), guard })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_is_sound_and_our_engine_is_started_restricted() {
        let file = parse(EXAMPLE).unwrap();
        assert_eq!(file.list.iter().map(|engine| engine.id.as_str()).collect::<Vec<_>>(), ["tilewright", "magpie"]);
        assert_eq!(file.list[0].command[1..], ["restricted", "--threads=2", "--memory=512", "--data-path=/home/me/lexica"]);
        assert_eq!(file.list[1].command, ["/opt/magpie/bin/magpie", "-mode", "siu"]);
        assert!(file.list[1].guard.refuses("setoption name LogFile value x").is_some());
    }

    #[test]
    fn what_is_wrong_is_said() {
        let check = |from: &str, to: &str, expected: &str| {
            let changed = EXAMPLE.replacen(from, to, 1);
            assert_ne!(changed, EXAMPLE, "{from}");
            let error = parse(&changed).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}, expected {expected}");
        };
        check("[\"https://woogles.io\"]", "[]", "origins is empty");
        check("https://woogles.io", "https://woogles.io/", "origins: \"https://woogles.io/\" is not an origin");
        check("https://woogles.io", "*", "origins: \"*\" is not an origin");
        check("https://woogles.io", "null", "origins: \"null\" is not an origin");
        check("origins =", "connections = 0\norigins =", "connections is 0");
        check("origins =", "engines = 65\norigins =", "engines is 65");
        check("origins =", "port = 1\norigins =", "line 1: unknown field `port`");
        check("threads = 2", "threads = 0", "engine tilewright: threads is 0");
        check("memory = 512", "memory = 1", "engine tilewright: memory is 1");
        check("threads = 2", "folder = \"/\"", "engine tilewright: folder and refused_options need a command");
        check("folder =", "threads = 2\nfolder =", "engine magpie: threads, memory and data_path are for this program");
        check("id = \"magpie\"", "id = \"tilewright\"", "engine: two engines have the id tilewright");
        check("id = \"magpie\"", "id = \"two words\"", "engine: \"two words\" is not an id");
        check("/opt/magpie/bin/magpie", "bin/magpie", "engine magpie: command is bin/magpie");
        check("/opt/magpie/bin/magpie", "/usr/bin/tilewright", "engine magpie: leave command out");
        check("[\"/opt/magpie/bin/magpie\", \"-mode\", \"siu\"]", "[]", "engine magpie: command is empty");
    }
}
