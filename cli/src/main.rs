//! The command `lanner`.

fn main() -> std::process::ExitCode {
    lanner_cli::main()
}
