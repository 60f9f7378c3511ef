//! `scripts/release` and the launcher in its archives, with stand-ins for the programs, which take minutes to build.

use crate::integration::needs::Need;
use std::fs;
use std::path::Path;
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
    let release = || {
        let mut command = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/release"));
        for level in ["x86-64-v2", "x86-64-v3"] {
            script(&folder.join(level), &format!("#!/bin/sh\necho readyok {level} \"$@\"\n"));
            command.arg(format!("--program={level}={}", folder.join(level).display()));
        }
        command.arg("--platform=linux-x86-64").arg(folder.join("out")).env("CARGO", env!("CARGO")).env("CARGO_NET_OFFLINE", "true");
        text(&command.output().expect("the script runs"))
    };
    let (is_fine, said) = release();
    assert!(is_fine, "{said}");
    let archive = fs::read_dir(folder.join("out")).unwrap().map(|entry| entry.unwrap().path());
    let archive = archive.into_iter().find(|path| path.extension().is_some_and(|extension| extension == "gz")).expect("an archive");
    let first = fs::read(&archive).unwrap();
    let (is_fine, said) = release();
    assert!(!is_fine && said.contains("--force writes over it"), "{said}");
    fs::remove_dir_all(folder.join("out")).unwrap();
    assert!(release().0);
    assert!(fs::read(&archive).unwrap() == first, "the same files make another archive");

    assert!(Command::new("tar").arg("xzf").arg(&archive).current_dir(folder).status().expect("tar runs").success());
    let top = folder.join(archive.file_name().unwrap().to_string_lossy().trim_end_matches(".tar.gz"));
    let sums = Command::new("sha256sum").args(["--check", "--strict", "SHA256SUMS"]).current_dir(&top).output().expect("sha256sum runs");
    assert!(sums.status.success(), "{sums:?}");
    let licences = fs::read_to_string(top.join("THIRD-PARTY-LICENSES.txt")).unwrap();
    for name in ["tokio ", "clap ", "fst ", "the standard library of rustc "] {
        assert!(licences.lines().any(|line| line.starts_with(name)), "no licence of {name}");
    }
    assert!(!licences.contains("\nproptest "), "what only tests use is not in the program");
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "docs/board.md", ".github/board.png", "lexicons/README.md", "START-HERE.txt"]
    {
        assert!(top.join(name).exists(), "{name} is missing");
    }

    // Started through a link from elsewhere, as from a folder of the search path.
    let link = folder.join("tw");
    #[cfg(unix)]
    std::os::unix::fs::symlink(top.join("tilewright"), &link).expect("a link");
    let launched = |flags: &str, level: Option<&str>| {
        let cpuinfo = folder.join("cpuinfo");
        fs::write(&cpuinfo, format!("processor\t: 0\n{flags}\n\nprocessor\t: 1\n{flags}\n")).unwrap();
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
    for flag in V3.split(' ') {
        let without = v3.split(' ').filter(|word| *word != flag).collect::<Vec<_>>().join(" ");
        assert_eq!(launched(&without, None), ready("x86-64-v2"), "without {flag}");
    }
    let (is_fine, said) = launched(&v3.replace(" popcnt", ""), None);
    assert!(!is_fine && said.contains("this processor lacks popcnt: build the program from its source"), "{said}");
    assert!(!launched(&v3, Some("x86-64-v9")).0);
}
