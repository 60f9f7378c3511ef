//! See `tilewright_fuzz::kwg`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tilewright_fuzz::kwg(data));
