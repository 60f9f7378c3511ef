//! See `tilewright_fuzz::gcg`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tilewright_fuzz::gcg(data));
