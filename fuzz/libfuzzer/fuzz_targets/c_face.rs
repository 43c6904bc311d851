#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| lanner_fuzz_targets::c_face::run(data));
