//! A runner process, seen from the benchmark. The protocol stands in `kit/src/serve.rs`.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use lanner_bench_kit::{Task, judge};

/// A runner that has been started. It is on the same CPU, because it inherits that from the
/// thread that starts it.
pub(crate) struct Process {
    name: String,
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Process {
    /// Starts a runner.
    ///
    /// # Errors
    ///
    /// The system cannot start it.
    pub(crate) fn start(name: &str, mut command: Command) -> Result<Self, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(|error| format!("cannot start {command:?}: {error}"))?;
        let answers = child.stdout.take().expect("its output is piped");
        Ok(Self {
            name: name.to_owned(),
            requests: child.stdin.take(),
            child,
            answers: BufReader::new(answers),
        })
    }

    fn ask(&mut self, request: &str) -> Result<String, String> {
        let failed = |error: &dyn std::fmt::Display| {
            format!("the runner of {} failed at '{request}': {error}", self.name)
        };
        let requests = self.requests.as_mut().expect("open until dropped");
        writeln!(requests, "{request}").map_err(|error| failed(&error))?;
        let mut answer = String::new();
        match self.answers.read_line(&mut answer) {
            Ok(0) => Err(failed(&"it ended; its own error stands above")),
            Ok(_) => Ok(answer.trim_end().to_owned()),
            Err(error) => Err(failed(&error)),
        }
    }

    /// Whether the runner offers a task.
    ///
    /// # Errors
    ///
    /// The runner ended, or does not keep to the protocol.
    pub(crate) fn has(&mut self, task: Task) -> Result<bool, String> {
        match self.ask(&format!("has {task}"))?.as_str() {
            "yes" => Ok(true),
            "no" => Ok(false),
            other => Err(format!("the runner of {} says '{other}'", self.name)),
        }
    }

    /// The verdicts on the cases of a pool's file.
    ///
    /// # Errors
    ///
    /// The runner ended, or does not keep to the protocol.
    pub(crate) fn judge(&mut self, task: Task, file: &Path) -> Result<Vec<bool>, String> {
        let answer = self.ask(&format!("judge {task} {}", file.display()))?;
        judge::from_text(&answer)
    }

    /// The nanoseconds of so many runs of a task.
    ///
    /// # Errors
    ///
    /// The runner ended, or does not keep to the protocol.
    pub(crate) fn run(&mut self, task: Task, times: usize) -> Result<f64, String> {
        let answer = self.ask(&format!("run {task} {times}"))?;
        answer
            .parse()
            .map_err(|_| format!("the runner of {} says '{answer}'", self.name))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The end of its input ends it.
        drop(self.requests.take());
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::Process;
    use lanner_bench_kit::Task;
    use std::process::Command;

    fn shell(script: &str) -> Process {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Process::start("sh", command).expect("sh starts")
    }

    #[test]
    fn answers_are_read_and_failures_are_errors() {
        let mut good = shell("read a; echo yes; read a; echo 12");
        assert_eq!(good.has(Task::Sign), Ok(true));
        assert_eq!(good.run(Task::Sign, 3), Ok(12.0));
        let ended = good.run(Task::Sign, 3).expect_err("it has ended");
        assert!(ended.contains("run sign 3"), "{ended}");
        assert!(shell("read a; echo perhaps").has(Task::Sign).is_err());
        assert!(shell("read a; echo fast").run(Task::Sign, 1).is_err());
        let missing = Command::new("no-such-program-here");
        assert!(Process::start("nobody", missing).is_err());
    }
}
