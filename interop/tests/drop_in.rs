//! One program, written for the dalek libraries and fn-dsa, built on them and on Lanner: it must
//! compile both ways, and tell the same story. The program is in `drop-in/program`.

use lanner_interop::start;

#[test]
fn the_program_tells_the_same_story_on_both() {
    start("drop-in");
    let expected = lanner_drop_in_incumbent::story();
    let found = lanner_drop_in_lanner::story();
    assert!(expected.len() > 300, "only {} lines", expected.len());
    for (expected, found) in expected.iter().zip(&found) {
        assert_eq!(expected, found);
    }
    assert_eq!(expected.len(), found.len());
}
