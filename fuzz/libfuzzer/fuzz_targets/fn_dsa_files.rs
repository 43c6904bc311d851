#![no_main]

libfuzzer_sys::fuzz_target!(
    init: lanner_fuzz_targets::take_vectors(),
    |data: &[u8]| lanner_fuzz_targets::fn_dsa_files::run(data)
);
