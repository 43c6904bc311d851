//! How large programs become that the static library is linked into.

use super::checks::{RELEASED, SMALL};
use super::context::{Context, work_dir};
use super::layout::Library;
use super::programs::{Compile, PLAIN, compile, source};
use crate::files::text;
use crate::process::Tally;
use crate::targets::host;

/// Where the limits hold.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// What a program calls: a macro of `c/tests/size.c`, in words; and how many bytes it may have, without its symbols, with
/// the library as it is released and with the small one. The limits are some percent above what was measured, and at most what was promised.
const PROGRAMS: &[(&str, &str, [u64; 2])] = &[
    ("VERIFY", "Ed25519, verifying", [250_000, 97_000]),
    ("SIGN", "Ed25519, signing", [270_000, 115_000]),
    ("EXCHANGE", "X25519", [80_000, 35_000]),
    ("FN_DSA", "FN-DSA, verifying", [119_000, 54_000]),
];

/// Links the programs, without asking the linker to throw out anything, and runs them.
///
/// # Errors
///
/// One is larger than it may be, or fails.
pub(super) fn check(context: &Context) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for (which, variant) in [RELEASED, SMALL].into_iter().enumerate() {
        let library = context.library(&host()?, variant)?;
        for (name, what, limits) in PROGRAMS {
            let size = size(&library, name)?;
            println!("{what}{}: {size} bytes", ["", ", small"][which]);
            if library.target.triple == TARGET && size > limits[which] {
                return Err(format!(
                    "{what}: {size} bytes, not {} at most",
                    limits[which]
                ));
            }
            tally.passed += 1;
        }
    }
    Ok(tally)
}

/// The size of a program.
fn size(library: &Library, name: &str) -> Result<u64, String> {
    let how = Compile {
        standard: "-std=c99",
        ..PLAIN
    };
    let dir = work_dir().join("sizes");
    let define = format!("-D{name}");
    let program = compile(
        library,
        &how,
        &[source("tests/size.c")],
        &dir,
        name,
        &[&define],
    )?;
    library.target.program(&text(&program)).run()?;
    library.target.tool("strip").args([text(&program)]).run()?;
    let data = std::fs::metadata(&program);
    data.map(|data| data.len())
        .map_err(|error| format!("{}: {error}", program.display()))
}
