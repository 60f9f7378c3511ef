//! See `tilewright_fuzz::cgp`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tilewright_fuzz::cgp(data));
