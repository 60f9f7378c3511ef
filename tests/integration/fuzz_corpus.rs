//! The fuzz targets of `fuzz/` on their seeds, and on the inputs that are kept in `fuzz/corpus`. No fuzzer runs here (`scripts/fuzz`).
//!
//! A file `fuzz/corpus/<target>/<name>` is one input. Start with [`check`].

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::TempDir;

#[path = "../../fuzz/src/lib.rs"]
mod targets;

/// The folder of the seeds, as `scripts/fuzz` makes them.
static SEEDS: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    targets::seeds::write_all(folder.path()).expect("seeds can be made");
    folder
});

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of a folder; none if it is not there.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.expect("a readable folder").path()).collect()
}

/// Hands all inputs of a target to it, and names the one that it panics on.
fn check(name: &str, target: fn(&[u8])) {
    let inputs: Vec<PathBuf> =
        [SEEDS.path().join(name), repository().join("fuzz/corpus").join(name)].iter().flat_map(|at| files(at)).collect();
    assert!(!inputs.is_empty(), "{name} has no seeds");
    let failed = inputs.iter().filter(|input| std::panic::catch_unwind(|| target(&fs::read(input).expect("an input"))).is_err());
    assert_eq!(failed.collect::<Vec<_>>(), Vec::<&PathBuf>::new());
}

/// A test for each target, and the list of their names.
macro_rules! targets {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name), targets::$name);
            }
        )*

        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

targets! { lines engine cgp gcg notation kwg klv2 win_table letter_distribution layout bag_terms leave_table match_file }

#[test]
fn every_target_of_the_fuzzer_is_here() {
    let of_files = |folder: &str| -> BTreeSet<String> {
        files(&repository().join(folder)).iter().map(|file| file.file_stem().expect("a name").to_string_lossy().into_owned()).collect()
    };
    let here: BTreeSet<String> = NAMES.iter().map(|name| name.to_string()).collect();
    assert_eq!(here, of_files("fuzz/fuzz_targets"));
    assert!(of_files("fuzz/corpus").is_subset(&here), "inputs of a target that is not there");
}
