//! See `tilewright_fuzz::bag_terms`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tilewright_fuzz::bag_terms(data));
