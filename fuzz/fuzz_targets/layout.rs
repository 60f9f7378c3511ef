//! See `tilewright_fuzz::layout`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tilewright_fuzz::layout(data));
