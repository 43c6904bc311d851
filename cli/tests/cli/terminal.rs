//! Questions at the terminal, and what becomes of its settings where nobody answers.
#![cfg(target_os = "linux")]

use crate::harness::*;
use crate::tools::{have, script};

/// Runs `command` at a terminal until it asks, does `then`, and returns its exit code. The settings of the terminal must be
/// as before. The terminal's name is in `tty`, and the process's number in `pid`.
#[track_caller]
fn interrupted(place: &Place, command: &str, then: &str) -> String {
    place.write(
        "inner",
        format!(
            "tty > tty; stty -g > before; trap : INT TERM\n\
             sh -c 'echo $$ > pid; exec {command}'; echo $? > code; stty -g > after\n"
        ),
    );
    script(
        place,
        &format!(
            "unset SSH_AUTH_SOCK; rm -f tty pid code;
             (n=0; until [ -s pid ] && stty -a -F $(cat tty) 2> /dev/null | grep -q -e '-echo '; do
                  sleep 0.05; n=$((n + 1)); [ $n -lt 600 ] || exit 1; done
              sleep 0.2; {then}
              until [ -s code ]; do sleep 0.05; n=$((n + 1)); [ $n -lt 1200 ] || exit 1; done) \
             | timeout 90 script -qec 'sh inner' /dev/null
             cmp before after"
        ),
    );
    String::from_utf8(place.read("code"))
        .unwrap()
        .trim()
        .to_owned()
}

#[test]
fn signals_leave_the_terminal_as_it_was() {
    if ["script", "stty"]
        .iter()
        .any(|program| !have(program, "passwords at a terminal"))
    {
        return;
    }
    let place = Place::new().with_keys();
    place.write("m", "m");
    place.write("pw", "secret\n");
    script(
        &place,
        "lanner convert k.pem --to openssh --new-password-file pw -o locked",
    );
    for command in [
        "lanner sign -k locked m",
        "lanner-git -Y sign -n git -f locked m",
        "lanner keygen -o new.pem",
    ] {
        for (then, code) in [
            ("printf '\\003'", "130"),
            ("kill -TERM $(cat pid)", "143"),
            ("kill -HUP $(cat pid)", "129"),
            ("kill -INT $(cat pid)", "130"),
        ] {
            assert_eq!(
                interrupted(&place, command, then),
                code,
                "{command}, {then}"
            );
            assert!(!place.exists("m.sig") && !place.exists("new.pem"));
        }
    }
    // An answer is one, and what was ignored from the start stays so.
    let command = "lanner sign -k locked m";
    assert_eq!(interrupted(&place, command, "echo secret"), "0");
    std::fs::remove_file(place.path("m.sig")).unwrap();
    let ignoring = "env --ignore-signal=TERM lanner sign -k locked m";
    let then = "kill -TERM $(cat pid); sleep 0.3; echo secret";
    assert_eq!(interrupted(&place, ignoring, then), "0");
}
