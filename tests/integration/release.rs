//! `scripts/release` and the launcher in its archives, with stand-ins for the programs, which take minutes to build; what the package for crates.io has.

use crate::integration::needs::Need;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The flags of a processor of level x86-64-v2, and what v3 has besides.
const V2: &str = "flags\t\t: fpu cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3";
const V3: &str = "avx avx2 bmi1 bmi2 f16c fma abm movbe xsave";

fn script(path: &Path, text: &str) {
    fs::write(path, text).expect("a file");
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a program");
}

fn text(output: &Output) -> (bool, String) {
    let all = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    (output.status.success(), String::from_utf8_lossy(&all).into_owned())
}

#[cfg(target_os = "linux")]
#[test]
fn an_archive_is_whole_and_its_launcher_chooses_by_the_processor() {
    if !Need::Python.is_met() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    for name in ["man/tilewright.1", "completions/tilewright.bash"] {
        fs::create_dir_all(folder.join("manual").join(name).parent().unwrap()).unwrap();
        fs::write(folder.join("manual").join(name), format!("{name}\n")).unwrap();
    }
    let release = || {
        let mut command = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/release"));
        for level in ["x86-64-v2", "x86-64-v3"] {
            script(&folder.join(level), &format!("#!/bin/sh\necho readyok {level} \"$@\"\n"));
            command.arg(format!("--program={level}={}", folder.join(level).display()));
        }
        command
            .arg("--platform=linux-x86-64")
            .arg("--manual")
            .arg(folder.join("manual"))
            .arg(folder.join("out"))
            .env("CARGO", env!("CARGO"))
            .env("CARGO_NET_OFFLINE", "true");
        text(&command.output().expect("the script runs"))
    };
    let (is_fine, said) = release();
    assert!(is_fine, "{said}");
    let packed = || -> Vec<(PathBuf, Vec<u8>)> {
        let paths = fs::read_dir(folder.join("out")).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = paths.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
        files.sort();
        files
    };
    let first = packed();
    let ends_with = |end: &str| first.iter().map(|(path, _)| path).find(|path| path.to_string_lossy().ends_with(end));
    let archive = ends_with(".tar.gz").expect("an archive");
    let (is_fine, said) = release();
    assert!(!is_fine && said.contains("--force overwrites it"), "{said}");
    fs::remove_dir_all(folder.join("out")).unwrap();
    assert!(release().0);
    assert!(packed() == first, "the same files make other packages");

    assert!(Command::new("tar").arg("xzf").arg(archive).current_dir(folder).status().expect("tar runs").success());
    let top = folder.join(archive.file_name().unwrap().to_string_lossy().trim_end_matches(".tar.gz"));
    let sums = Command::new("sha256sum").args(["--check", "--strict", "SHA256SUMS"]).current_dir(&top).output().expect("sha256sum runs");
    assert!(sums.status.success(), "{sums:?}");
    let licences = fs::read_to_string(top.join("THIRD-PARTY-LICENSES.txt")).unwrap();
    for name in ["tokio ", "clap ", "fst ", "the standard library of rustc ", "SCOWL, "] {
        assert!(licences.lines().any(|line| line.starts_with(name)), "no licence of {name}");
    }
    assert!(!licences.contains("\nproptest "), "what only tests use is not in the program");
    for name in [
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "README.md",
        "docs/board.md",
        ".github/board.png",
        "lexicons/README.md",
        "START-HERE.txt",
        "man/tilewright.1",
    ] {
        assert!(top.join(name).exists(), "{name} is missing");
    }

    // Debian's own tools are on machines with Debian; the package that they make is installed by `scripts/try_package`.
    if let Some(package) = ends_with(".deb") {
        let asked = |flag: &str| text(&Command::new("dpkg-deb").arg(flag).arg(package).output().expect("dpkg-deb runs"));
        let (is_fine, said) = asked("--info");
        assert!(is_fine && said.contains(" Package: tilewright\n") && said.contains(" Depends: libc6 (>= 2.28)\n"), "{said}");
        let (_, files) = asked("--contents");
        for name in
            ["/usr/bin/tilewright -> ../lib/tilewright/tilewright", "/usr/lib/tilewright/x86-64-v3/tilewright", "/man1/tilewright.1.gz"]
        {
            assert!(files.contains(name), "{name} is missing: {files}");
        }
        assert!(files.lines().all(|line| line.contains(" root/root ")), "{files}");
    }

    // Started through a link from elsewhere, as from a folder of the search path.
    let link = folder.join("tw");
    #[cfg(unix)]
    std::os::unix::fs::symlink(top.join("tilewright"), &link).expect("a link");
    let launched = |flags: &str, level: Option<&str>| {
        let cpuinfo = folder.join("cpuinfo");
        let _ = fs::remove_file(&cpuinfo);
        if !flags.is_empty() {
            fs::write(&cpuinfo, format!("processor\t: 0\n{flags}\n\nprocessor\t: 1\n{flags}\n")).unwrap();
        }
        let mut command = Command::new(&link);
        command.args(["go", "a b"]).env("TILEWRIGHT_CPUINFO", cpuinfo).env_remove("TILEWRIGHT_CPU");
        level.map(|level| command.env("TILEWRIGHT_CPU", level));
        text(&command.output().expect("the launcher runs"))
    };
    let ready = |level: &str| (true, format!("readyok {level} go a b\n"));
    let v3 = format!("{V2} {V3}");
    assert_eq!(launched(&v3, None), ready("x86-64-v3"));
    assert_eq!(launched(&v3, Some("x86-64-v2")), ready("x86-64-v2"));
    assert_eq!(launched(V2, None), ready("x86-64-v2"));
    assert_eq!(launched("", None), ready("x86-64-v2"), "without /proc");
    for flag in V3.split(' ') {
        let without = v3.split(' ').filter(|word| *word != flag).collect::<Vec<_>>().join(" ");
        assert_eq!(launched(&without, None), ready("x86-64-v2"), "without {flag}");
    }
    let (is_fine, said) = launched(&v3.replace(" popcnt", ""), None);
    assert!(!is_fine && said.contains("this processor lacks popcnt: build the program from its source"), "{said}");
    assert!(!launched(&v3, Some("x86-64-v9")).0);
}

/// The package for crates.io has no tests, and `cargo package` leaves out folders that are crates of their own.
#[test]
fn the_package_for_crates_io_has_what_the_program_and_the_readme_need() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed = |program: &str, words: &[&str]| -> BTreeSet<String> {
        let (is_fine, said) = text(&Command::new(program).args(words).current_dir(here).output().expect("the tool runs"));
        assert!(is_fine, "{said}");
        said.lines().map(String::from).collect()
    };
    let packed = listed(env!("CARGO"), &["package", "--list", "--allow-dirty", "--offline", "--quiet"]);
    let of_others =
        |name: &str| name.starts_with("src/web/wasm/") || ["tests/", "python/", "fuzz/"].iter().any(|folder| name.starts_with(folder));
    for name in listed("git", &["ls-files", "src", "lexicons", "examples"]).iter().filter(|name| !of_others(name)) {
        assert!(packed.contains(name), "{name} is not in the package");
    }
    for name in &packed {
        assert!(!of_others(name) && (!name.starts_with("benches/") || name.ends_with(".md")), "{name} is in the package");
    }
    let size: u64 = packed.iter().filter_map(|name| fs::metadata(here.join(name)).ok()).map(|file| file.len()).sum();
    assert!(size < 12_000_000, "{size} bytes: packed, more than half of what crates.io takes");
    for document in ["README.md", "docs/install.md"] {
        let text = fs::read_to_string(here.join(document)).expect("the document");
        let links = text.split("](").skip(1).map(|rest| &rest[..rest.find([')', '#']).unwrap_or(rest.len())]);
        for link in links.filter(|link| !link.is_empty() && !link.contains("://")) {
            let folder = if document.contains('/') { "docs" } else { "" };
            let target = link.strip_prefix("../").map_or_else(|| Path::new(folder).join(link), PathBuf::from);
            let target = target.display().to_string();
            assert!(packed.iter().any(|name| name.starts_with(target.trim_end_matches('/'))), "{document} leads to {link}");
        }
    }
}
