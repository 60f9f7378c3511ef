//! See `tilewright_fuzz::letter_distribution`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tilewright_fuzz::letter_distribution(data));
