//! Debug information of the shared libraries, in files of their own: debuggers find them by the build identifier, which is in
//! both.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::files::{copy, make, text};
use crate::process::Cmd;
use crate::targets::Target;

/// Moves the debug information of a library into a file of its own, which debuggers find by the build identifier or by
/// the name that is left in the library.
pub(super) fn split(target: &Target, library: &Path, debug: &Path) -> Result<(), String> {
    let objcopy = |args: &[&str]| target.tool("objcopy").args(args.iter().copied()).run();
    objcopy(&["--only-keep-debug", &text(library), &text(debug)])?;
    let link = format!("--add-gnu-debuglink={}", text(debug));
    let rest = ["--strip-all", "--remove-section=.comment"];
    objcopy(&[&rest[..], &[&link, &text(library)]].concat()).map(drop)
}

/// Copies such a file to where debuggers look for it below a directory of theirs, `/usr/lib/debug` say, and gives the build
/// identifier, by which they do.
///
/// # Errors
///
/// The file has none, or cannot be copied.
pub(crate) fn place(file: &Path, below: &Path) -> Result<String, String> {
    let notes = Cmd::new("readelf").args(["-n", &text(file)]).capture()?;
    let identifier =
        identifier(&notes).ok_or(format!("{} has no build identifier", file.display()))?;
    let (start, rest) = identifier.split_at(2);
    let at = below.join(".build-id").join(start);
    make(&at)?;
    let at = at.join(format!("{rest}.debug"));
    copy(file, &at)?;
    // Nobody runs it, although it was made of what somebody may.
    std::fs::set_permissions(&at, Permissions::from_mode(0o644))
        .map_err(|error| format!("{}: {error}", at.display()))?;
    Ok(identifier)
}

/// What `readelf -n` says it is.
fn identifier(notes: &str) -> Option<String> {
    let (_, rest) = notes.split_once("Build ID: ")?;
    let identifier = rest.lines().next()?.trim();
    (identifier.len() > 2).then(|| identifier.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{identifier, place};
    use crate::files::{fresh, text, write};
    use crate::process::Cmd;

    #[test]
    fn identifiers_are_read() {
        let notes = "Owner  Data\n  GNU  NT_GNU_BUILD_ID\n    Build ID: 5b3a0f\n";
        assert_eq!(identifier(notes).as_deref(), Some("5b3a0f"));
        assert_eq!(identifier("nothing"), None);
    }

    #[test]
    fn files_lie_where_debuggers_look() {
        let dir = std::env::temp_dir().join(format!("lanner-xtask-{}-debug", std::process::id()));
        fresh(&dir).expect("made");
        let file = |name: &str| text(&dir.join(name));
        write(&dir.join("a.c"), "int f(void) { return 1; }\n").expect("written");
        let made = |flag: &str| {
            let args = ["-shared", "-fPIC", "-g", flag, "-o", &file("a.so")];
            let cc = Cmd::new("cc").args(args.iter().copied());
            cc.args([file("a.c")]).capture().expect("it compiles");
            place(&dir.join("a.so"), &dir.join("debug"))
        };
        assert_eq!(made("-Wl,--build-id=0xabcdef01").as_deref(), Ok("abcdef01"));
        assert!(dir.join("debug/.build-id/ab/cdef01.debug").is_file());
        assert!(made("-Wl,--build-id=none").is_err());
        std::fs::remove_dir_all(&dir).expect("it was made");
    }
}
