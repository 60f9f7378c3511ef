//! See `tilewright_fuzz::klv2`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tilewright_fuzz::klv2(data));
