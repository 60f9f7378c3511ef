//! See `tilewright_fuzz::lines`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tilewright_fuzz::lines(data));
