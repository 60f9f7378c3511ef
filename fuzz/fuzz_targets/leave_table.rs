//! See `tilewright_fuzz::leave_table`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tilewright_fuzz::leave_table(data));
