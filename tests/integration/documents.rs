//! The blocks of the documents are run as their readers would run them. The language of a block says how, and every block has one:
//!
//! | language | what is done |
//! |---|---|
//! | `siu` | a conversation, held against the program like those of `protocol/sessions` |
//! | `sh` | command lines: each must end well, or still be at work after a while |
//! | `rust` | compiled and run as a documentation test, in `src/lib.rs` |
//! | `python` | a session of Python; `.ci/run` runs it as a doctest, with the package that it has built |
//! | `bridge`, `toml` | a conversation with `tilewright bridge`, and its file: `bridge.rs` runs them |
//! | `text` | nothing: it shows a form. So it must have a part to be filled in, `<name>`, or one that is left out, `...` |
//!
//! Command lines are run in a folder that looks like this repository, with the tested program as its release build, the files that the
//! documents speak of, and a `cargo` that starts what is built. Start with [`every_block_of_the_documents_holds`].

use crate::integration::sessions;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The documents whose blocks are run. Every document of `docs/` is one of them.
const DOCUMENTS: [&str; 27] = [
    "README.md",
    "protocol/README.md",
    "protocol/guide.md",
    "protocol/searches.md",
    "protocol/options.md",
    "protocol/dialects.md",
    "protocol/ghost.md",
    "protocol/bridge.md",
    "protocol/conformance.md",
    "scripts/README.md",
    "lexicons/README.md",
    "docs/install.md",
    "docs/board.md",
    "docs/levels.md",
    "docs/terminal.md",
    "docs/analysing.md",
    "docs/puzzles.md",
    "docs/tournaments.md",
    "docs/results.md",
    "docs/regret.md",
    "docs/other-games.md",
    "docs/words.md",
    "docs/python.md",
    "python/README.md",
    "docs/journals.md",
    "docs/ray.md",
    "docs/SUMMARY.md",
];

/// A command line that is still at work after this long has understood what it is to do.
const AT_WORK: Duration = Duration::from_secs(2);

/// A block of a document.
pub struct Block {
    document: &'static str,
    /// The line of its fence, from 1.
    line: usize,
    pub language: String,
    pub text: String,
}

impl Block {
    fn place(&self) -> String {
        format!("{}:{}", self.document, self.line)
    }
}

/// All blocks between fences. A fence that is not closed is an error.
pub fn blocks(document: &'static str) -> Vec<Block> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(document)).expect("the document");
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for (index, line) in text.lines().enumerate() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            if !is_open {
                blocks.push(Block { document, line: index + 1, language: language.trim().to_string(), text: String::new() });
            }
            is_open = !is_open;
        } else if let Some(block) = blocks.last_mut().filter(|_| is_open) {
            block.text.push_str(line);
            block.text.push('\n');
        }
    }
    assert!(!is_open, "{document}: a block without an end");
    blocks
}

/// Whether a text has a part that the reader is to fill in, or one that is left out.
fn is_form(text: &str) -> bool {
    let fills_in =
        |rest: &str| rest.find('>').is_some_and(|end| end > 0 && rest[..end].chars().all(|c| c.is_ascii_lowercase() || c == '-'));
    text.contains("...") || text.match_indices('<').any(|(at, _)| fills_in(&text[at + 1..]))
}

/// A folder that looks like the repository.
struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    fn new() -> Sandbox {
        let folder = tempfile::tempdir().expect("a folder");
        let (top, here) = (folder.path(), Path::new(env!("CARGO_MANIFEST_DIR")));
        for name in ["scripts", "protocol", "lexicons", "docs", "tests", "examples", "Cargo.toml"] {
            symlink(here.join(name), top.join(name)).expect("a link");
        }
        let program = Path::new(env!("CARGO_BIN_EXE_tilewright"));
        fs::create_dir_all(top.join("target/release")).expect("a folder");
        symlink(program, top.join("target/release/tilewright")).expect("a link");
        // What cargo would build is built: it stands where this test does.
        symlink(program.with_file_name("examples"), top.join("target/release/examples")).expect("a link");
        let sandbox = Sandbox { folder };
        sandbox.program("bin/cargo", CARGO);
        let words: Vec<&str> = include_str!("../../lexicons/enable.txt").lines().step_by(20).collect();
        sandbox.file("lists/CSW.txt", &words.join("\n"));
        sandbox.file("babble.txt", "ab\nba\nabba\nbaba\naba\nbab\n");
        sandbox.file("babble.csv", "?,?,1,0,0\nA,a,20,1,1\nB,b,20,3,0\n");
        sandbox.file("small.txt", include_str!("../../protocol/sessions/nine.txt"));
        let made = sandbox.command("cargo run --release -- lexicon leaves enable mine.klv2").output().expect("a shell");
        assert!(made.status.success(), "{made:?}");
        sandbox
    }

    fn file(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn program(&self, name: &str, text: &str) {
        self.file(name, text);
        fs::set_permissions(self.folder.path().join(name), fs::Permissions::from_mode(0o755)).expect("a program");
    }

    fn command(&self, line: &str) -> Command {
        let top = self.folder.path();
        let path = format!("{}:{}", top.join("bin").display(), std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new("bash");
        command.args(["-c", line]).current_dir(top).env("PATH", path).env("HOME", top).env("TILEWRIGHT", env!("CARGO_BIN_EXE_tilewright"));
        command.env_remove("CARGO_TARGET_DIR").env("XDG_CACHE_HOME", top.join("cache")).env("PYTHONDONTWRITEBYTECODE", "1");
        command.stdin(Stdio::null()).process_group(0);
        command
    }

    /// Runs a command line until it ends, or has been at work for a while.
    fn run(&self, line: &str) -> Result<(), String> {
        let said = self.folder.path().join("said");
        let out = || fs::File::create(&said).expect("a file");
        let errors = out();
        let mut child =
            self.command(line).stdout(errors.try_clone().expect("a file")).stderr(errors).spawn().map_err(|error| error.to_string())?;
        let begin = Instant::now();
        while begin.elapsed() < AT_WORK {
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                let said = fs::read_to_string(&said).unwrap_or_default();
                return if status.success() { Ok(()) } else { Err(format!("{status}: {said}")) };
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        // The whole group: scripts have children.
        let killed = Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status();
        assert!(killed.is_ok_and(|status| status.success()), "{line} cannot be ended");
        child.wait().map(drop).map_err(|error| error.to_string())
    }
}

/// Stands for cargo, which builds first: here all is built. `cargo test` is what runs this.
const CARGO: &str = r#"#!/bin/sh
case $1 in
build | test) exit 0 ;;
run) shift ;;
*) echo "cargo $1 is not known here" >&2; exit 1 ;;
esac
program=$TILEWRIGHT
while [ $# -gt 0 ]; do
  case $1 in
  --release) shift ;;
  --example) program=${TILEWRIGHT%/*}/examples/$2; shift 2 ;;
  --) shift; break ;;
  *) echo "cargo run $1 is not known here" >&2; exit 1 ;;
  esac
done
exec "$program" "$@"
"#;

/// The command lines of a block: comments and empty lines left out, a line that ends in `\` taken with the next one.
fn command_lines(text: &str) -> Vec<String> {
    let joined = text.replace("\\\n", " ");
    joined.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(String::from).collect()
}

#[test]
fn every_block_of_the_documents_holds() {
    let mut failed = Vec::new();
    let sandbox = Sandbox::new();
    for block in DOCUMENTS.into_iter().flat_map(blocks) {
        let result = match block.language.as_str() {
            "siu" => std::panic::catch_unwind(|| sessions::run_text(&block.text, &block.place())).map_err(|_| "see above".to_string()),
            "sh" => {
                let lines = command_lines(&block.text);
                assert!(!lines.is_empty(), "{}: no command", block.place());
                lines.iter().try_for_each(|line| sandbox.run(line).map_err(|error| format!("{line}\n{error}")))
            }
            "text" if is_form(&block.text) => Ok(()),
            "text" => Err("nothing to be filled in and nothing left out: give it a language in which it is run".to_string()),
            // These are run elsewhere.
            "rust" | "bridge" | "toml" => Ok(()),
            "python" if block.text.starts_with(">>> ") => Ok(()),
            "python" => Err("no session of Python, which begins with >>>".to_string()),
            other => Err(format!("{other:?} is no language of a block: siu, sh, rust, python, bridge, toml, text")),
        };
        failed.extend(result.err().map(|error| format!("{}: {error}", block.place())));
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn every_document_of_the_folder_of_documents_is_run() {
    let folder = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")).expect("the folder");
    for entry in folder {
        let name = format!("docs/{}", entry.expect("a file").file_name().to_string_lossy());
        assert!(!name.ends_with(".md") || DOCUMENTS.contains(&name.as_str()), "{name} is not among the documents whose blocks are run");
    }
}

#[test]
fn a_command_line_ends_well_or_is_at_work() {
    let sandbox = Sandbox::new();
    for line in ["cargo run --release --example best_play", "cargo run --release -- check QI", "sleep 60"] {
        assert_eq!(sandbox.run(line), Ok(()), "{line}");
    }
    for line in [
        "cargo run --release -- match nobody greedy --pairs 1",
        "cargo run --release --example no_such_example",
        "cargo frobnicate",
        "false",
    ] {
        assert!(sandbox.run(line).is_err(), "{line}");
    }
}

#[test]
fn what_is_no_form_is_told_apart() {
    for form in ["gcg <file>", "position ...", "<two-words>"] {
        assert!(is_form(form), "{form}");
    }
    for whole in ["go movetime 1000", "> siu\n< siuok", "a < b > c", "<>"] {
        assert!(!is_form(whole), "{whole}");
    }
}
