//! See `tilewright_fuzz::match_file`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tilewright_fuzz::match_file(data));
