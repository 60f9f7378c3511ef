//! `seeds <folder>`: see `tilewright_fuzz::seeds`. Run by `scripts/fuzz`, in the top folder of the repository.

// The fuzzer's library has what the instrumented code calls.
use libfuzzer_sys as _;

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).ok_or_else(|| std::io::Error::other("usage: seeds <folder>"))?;
    tilewright_fuzz::seeds::write_all(folder.as_ref())
}
