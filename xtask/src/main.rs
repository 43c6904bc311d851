//! The project's own commands, run as `cargo xtask <command>`.

mod around;
mod bench_report;
mod book;
mod c;
mod codegen;
mod command;
mod compat;
mod debian;
mod embedded;
mod emulated;
mod engines;
mod evidence;
mod features;
mod fetch;
mod files;
mod fn_dsa_tables;
mod fuzz;
mod js;
mod keygen_tables;
mod layers;
mod linked;
mod model;
mod mutants;
mod needs;
mod no_alloc;
mod nowhere;
mod pages;
mod patched;
mod predict;
mod process;
mod profiles;
mod published;
mod python;
mod release;
mod sanitized;
mod steps;
mod suite;
mod tables;
mod targets;
mod timing;
mod twice;
mod vectors;
#[cfg(test)]
mod workflows;

use std::process::ExitCode;

/// A command: what one types, what `help` says of it, and what it does with the words behind it.
struct Command {
    name: &'static str,
    help: &'static str,
    run: fn(&[String]) -> Result<(), String>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "test",
        help: suite::TEST_HELP,
        run: suite::run,
    },
    Command {
        name: "quick",
        help: suite::QUICK_HELP,
        run: suite::run_quick,
    },
    Command {
        name: "layers",
        help: "\
  layers          check the dependency law, no_std, and where unsafe stands
",
        run: layers::run,
    },
    Command {
        name: "links",
        help: pages::HELP,
        run: pages::run,
    },
    Command {
        name: "book",
        help: book::HELP,
        run: book::run,
    },
    Command {
        name: "tables",
        help: "\
  tables [--check]
                  derive the generated tables again (by the slow model, and in big integers), and what
                  the npm package takes of the verification profiles
                    --check      write nothing; fail where the file would change
",
        run: tables::run,
    },
    Command {
        name: "linked",
        help: linked::HELP,
        run: linked::run,
    },
    Command {
        name: "vectors",
        help: vectors::HELP,
        run: vectors::run,
    },
    Command {
        name: "codegen",
        help: codegen::HELP,
        run: codegen::run,
    },
    Command {
        name: "predict",
        help: predict::HELP,
        run: predict::run,
    },
    Command {
        name: "embedded",
        help: embedded::HELP,
        run: embedded::run,
    },
    Command {
        name: "bench-report",
        help: bench_report::HELP,
        run: bench_report::run,
    },
    Command {
        name: "c",
        help: "\
  c [--target T] [--legacy] [--small]
                  build liblanner.a, liblanner.so, and liblanner-core.so, which has the names of
                  lanner.h alone, into target/liblanner/T
                    --legacy     with the feature legacy_compatibility
                    --small      portable code alone, compiled for size, into target/liblanner/T-small
",
        run: c::build::run,
    },
    Command {
        name: "c-install",
        help: "\
  c-install [--target T] [--prefix P] [--libdir L] [--destdir D] [--small] [--legacy]
                  build, and install below D/P (default prefix: /usr/local)
                    --libdir L   where the libraries go (default: lib; Debian has lib/x86_64-linux-gnu)
                    --small      portable code alone, compiled for size
                    --legacy     the donna names accept S up to 2^253
",
        run: c::install::run,
    },
    Command {
        name: "dist",
        help: "\
  dist [--command | --deb | --wheel | --npm | --everything [--key FILE] [--install] | --twice] [--target T]...
                  write a release archive of the C library for each target (default: this machine's), and one of its
                  debug information, with checksums, into target/dist
                    --command    of the command lanner, with manual pages and completions (default: a static
                                 program for Linux on x86-64)
                    --deb        Debian packages of both for this machine: liblanner0, liblanner-dev, lanner
                    --wheel      the Python package: the wheel for this machine, and the archive of sources (needs maturin)
                    --npm        the archive of npm, of the commit (needs Node, and the compiler of
                                 js/wasm/release-toolchain.toml)
                    --everything all of these that this machine can make of the commit that has the tag of the version,
                                 into an empty directory, with provenance; with --key, signed by the command. What the
                                 registries have is not left out: --install fetches Node and the Python tools
                    --twice      the archives of the library and the command for this machine, the wheel, the archive of
                                 its sources and that of npm, of the commit, made in two other directories, the second
                                 time as another user, and compared
",
        run: release::run,
    },
    Command {
        name: "c-test",
        help: suite::C_TEST_HELP,
        run: suite::run_c,
    },
    Command {
        name: "c-bench",
        help: "\
  c-bench [--rounds N] [--backend B] [--instructions]
                  liblanner against libsodium and OpenSSL, from C
                    --instructions  instead, count what the C face adds to a call
",
        run: c::bench::run,
    },
    Command {
        name: "evidence",
        help: evidence::HELP,
        run: evidence::run,
    },
    Command {
        name: "timing",
        help: timing::HELP,
        run: timing::run,
    },
    Command {
        name: "fuzz",
        help: fuzz::HELP,
        run: fuzz::run,
    },
    Command {
        name: "mutants",
        help: mutants::HELP,
        run: mutants::run,
    },
    Command {
        name: "patched",
        help: patched::HELP,
        run: patched::run,
    },
    Command {
        name: "js",
        help: js::HELP,
        run: js::run,
    },
];

fn help() -> String {
    let mut text =
        String::from("The project's own commands.\n\nUsage: cargo xtask <command> [options]\n\n");
    for command in COMMANDS {
        text.push_str(command.help);
    }
    text + "  help            this text; with --help, a command says its part of it\n"
}

/// Runs a command, or prints its help where that is asked for.
fn run(name: &str, rest: &[String]) -> Result<(), String> {
    let asks = |word: &String| word == "--help" || word == "-h";
    if ["help", "--help", "-h"].contains(&name) {
        print!("{}", help());
        return Ok(());
    }
    let command = COMMANDS
        .iter()
        .find(|command| command.name == name)
        .ok_or_else(|| format!("unknown command '{name}': cargo xtask help lists them"))?;
    if rest.iter().any(asks) {
        print!("Usage: cargo xtask <command> [options]\n\n{}", command.help);
        return Ok(());
    }
    (command.run)(rest)
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let command = args.next().unwrap_or_else(|| String::from("help"));
    let rest: Vec<String> = args.collect();
    match run(&command, &rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            if !message.is_empty() {
                eprintln!("xtask: {message}");
            }
            let (nothing, code) = steps::NO_STEP_RAN;
            if message == nothing {
                code.into()
            } else {
                ExitCode::FAILURE
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{COMMANDS, help, run};

    #[test]
    fn every_command_has_help_that_begins_with_its_name() {
        for command in COMMANDS {
            let first = command.help.split_whitespace().next();
            assert_eq!(first, Some(command.name));
            assert!(command.help.ends_with('\n') && help().contains(command.help));
            // Asking for help runs nothing.
            for option in ["--help", "-h"] {
                assert_eq!(run(command.name, &[String::from(option)]), Ok(()));
            }
        }
    }

    #[test]
    fn what_is_unknown_is_an_error() {
        assert!(run("no-such-command", &[]).is_err());
        for command in COMMANDS
            .iter()
            .filter(|command| command.name != "bench-report")
        {
            let unknown = [String::from("--no-such-option")];
            assert!(run(command.name, &unknown).is_err(), "{}", command.name);
        }
    }
}
