//! See `tilewright_fuzz::win_table`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tilewright_fuzz::win_table(data));
