#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| lanner_fuzz_targets::arrow::run(data));
