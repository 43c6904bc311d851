//! Help pages, usage errors and verdicts as data: one file per case in tests/cmd.
//!
//! After a wanted change of wording: `TRYCMD=overwrite cargo test -p lanner-cli cases`, then read
//! the difference.

#[test]
fn command_line_cases() {
    trycmd::TestCases::new().case("tests/cmd/*.toml");
}
