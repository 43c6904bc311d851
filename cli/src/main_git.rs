//! The command `lanner-git`, for `gpg.ssh.program` of git.

fn main() -> std::process::ExitCode {
    lanner_cli::git_main()
}
