//! See `tilewright_fuzz::engine`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tilewright_fuzz::engine(data));
