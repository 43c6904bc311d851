//! `cargo xtask timing`: whether times depend on secrets, face by face, by `lanner-ct`.

use crate::process::{Cmd, root, target_dir, value};
use crate::{needs, python};

/// What `cargo xtask timing --help` says.
pub(crate) const HELP: &str = "\
  timing [--seconds N]
                  take times of what handles secrets, with one secret and with others: the curve and FN-DSA in Rust on
                  every backend, key files, C, and JavaScript and Python where their tests have built the package; a
                  leak of each must be found beside them
                    --seconds N  of each operation (default: 5)
";

/// The groups of checks of FN-DSA's keys and signatures.
const FN_DSA: &str = "fn-dsa-keys,fn-dsa-sign,falcon-sign";

/// Those of the C library.
const C: &str =
    "c-curve,c-answers,c-key-files,c-fn-dsa-files,c-fn-dsa-keys,c-fn-dsa-sign,c-falcon-sign";

/// Runs the command.
///
/// # Errors
///
/// An option is unknown, something cannot be built, or times depend on secrets, or those of a control do not.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let mut seconds = String::from("5");
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seconds" => seconds = value(arg, &mut args)?.to_owned(),
            option => return Err(format!("timing: unknown option '{option}'")),
        }
    }
    Cmd::cargo(["build", "--release", "-p", "lanner-ct"]).run()?;
    Cmd::cargo(["build", "--profile", "liblanner", "-p", "lanner-c"]).run()?;
    let program = target_dir().join("release/lanner-ct").display().to_string();
    let timing = |arguments: &[&str]| {
        Cmd::new(&program)
            .args(["timing", "--seconds", &seconds])
            .args(arguments.iter().copied())
    };
    let list = Cmd::new(&program).args(["list"]).capture()?;
    let backends = list
        .lines()
        .find_map(|line| line.strip_prefix("backends: "))
        .ok_or("lanner-ct lists no backends")?;
    let library = target_dir().join("liblanner/liblanner_c.so");
    let library = library.display().to_string();
    let mut runs: Vec<Cmd> = backends
        .split(' ')
        .map(|backend| timing(&["--backend", backend]))
        .collect();
    // FN-DSA runs on vectors of one width or another, of which the backends `sse2` and `neon` stand for the narrow ones.
    let of_fn_dsa = ["avx512", "avx2", "sse2", "neon", "portable32"];
    let of_fn_dsa = backends
        .split(' ')
        .filter(|backend| of_fn_dsa.contains(backend));
    runs.extend(of_fn_dsa.map(|backend| timing(&["--group", FN_DSA, "--backend", backend])));
    runs.push(timing(&["--group", "key-files,fn-dsa-files"]));
    runs.push(timing(&["--c-library", &library, "--group", C]));
    let python = needs::python(python::HOME);
    for (face, made, command) in [
        (
            "JavaScript",
            root().join("js/dist/sync.js"),
            format!("node js/test/timing.mjs {seconds}"),
        ),
        (
            "Python",
            (&python).into(),
            format!("{python} python/tests/timing.py {seconds}"),
        ),
    ] {
        if made.exists() {
            runs.push(timing(&["--program", &command]));
        } else {
            println!("SKIPPED: {face}: its tests build what is timed");
        }
    }
    // All of them, whatever one says.
    let errors: Vec<String> = runs.iter().filter_map(|run| run.run().err()).collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors.join("\n"))
    }
}
