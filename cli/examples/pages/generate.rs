//! Manual pages and completions, out of the options that the command itself has.

use clap_complete::Shell;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Writes `man/man1/*.1`, and `completions/` with a file for bash, zsh and fish, below `directory`.
pub(crate) fn all(directory: &Path) -> io::Result<()> {
    let pages = directory.join("man/man1");
    fs::create_dir_all(&pages)?;
    clap_mangen::generate_to(command(), &pages)?;
    clap_mangen::generate_to(lanner_cli::git_command_line(), &pages)?;
    let completions = directory.join("completions");
    fs::create_dir_all(&completions)?;
    for (shell, name) in [
        (Shell::Bash, "lanner.bash"),
        (Shell::Zsh, "_lanner"),
        (Shell::Fish, "lanner.fish"),
    ] {
        let mut file = File::create(completions.join(name))?;
        clap_complete::generate(shell, &mut command(), "lanner", &mut file);
    }
    Ok(())
}

fn command() -> clap::Command {
    lanner_cli::command_line()
}
