//! A process that is followed: its start, its signals, its registers.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use nix::libc::user_regs_struct;
use nix::sys::personality::{self, Persona};
use nix::sys::ptrace;
use nix::sys::signal::{Signal, raise};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;

/// What the process sends itself before and after that which is followed.
const BEGIN: Signal = Signal::SIGUSR1;
const END: Signal = Signal::SIGUSR2;

/// Runs `prepare`, and then what it gives, followed by the process that started this one. Addresses are
/// the same in each run: without randomisation, after starting anew.
///
/// # Errors
///
/// The system does not let itself be asked.
pub(crate) fn be_followed<T>(
    prepare: impl FnOnce() -> T,
    run: impl FnOnce(T),
) -> Result<(), String> {
    let text = |error: nix::Error| error.to_string();
    let persona = personality::get().map_err(text)?;
    if !persona.contains(Persona::ADDR_NO_RANDOMIZE) {
        personality::set(persona | Persona::ADDR_NO_RANDOMIZE).map_err(text)?;
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let error = Command::new(program)
            .args(std::env::args_os().skip(1))
            .exec();
        return Err(error.to_string());
    }
    let prepared = prepare();
    ptrace::traceme().map_err(text)?;
    raise(BEGIN).map_err(text)?;
    run(prepared);
    raise(END).map_err(text)
}

/// Where a process stands.
pub(crate) enum Halted {
    /// Before the instruction that `rip` tells.
    At(Box<user_regs_struct>),
    AtTheEnd,
}

/// A process that is followed from its first signal to its second one.
pub(crate) struct Process {
    child: Child,
    pid: Pid,
    memory: File,
}

impl Process {
    /// Starts this program with other arguments, and lets it run to where it is to be followed.
    pub(crate) fn start(arguments: &[&str]) -> Result<Self, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let child = Command::new(program)
            .args(arguments)
            // The environment lies on the stack.
            .env_clear()
            .stdin(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let pid = Pid::from_raw(child.id().cast_signed());
        let status = waitpid(pid, None).map_err(|error| error.to_string())?;
        if status != WaitStatus::Stopped(pid, BEGIN) {
            return Err(format!("{arguments:?} did not begin: {status:?}"));
        }
        let memory = format!("/proc/{pid}/mem");
        let memory = File::open(&memory).map_err(|error| format!("{memory}: {error}"))?;
        Ok(Self { child, pid, memory })
    }

    /// Runs one instruction.
    pub(crate) fn step(&mut self) -> Result<Halted, String> {
        let text = |error: nix::Error| error.to_string();
        ptrace::step(self.pid, None).map_err(text)?;
        match waitpid(self.pid, None).map_err(text)? {
            WaitStatus::Stopped(_, Signal::SIGTRAP) => {
                let registers = ptrace::getregs(self.pid).map_err(text)?;
                Ok(Halted::At(Box::new(registers)))
            }
            WaitStatus::Stopped(_, END) => Ok(Halted::AtTheEnd),
            other => Err(format!("the process that is followed: {other:?}")),
        }
    }

    pub(crate) fn id(&self) -> Pid {
        self.pid
    }

    /// The bytes at an address, as many of 15 as there are.
    pub(crate) fn code(&self, address: u64) -> ([u8; 15], usize) {
        let mut bytes = [0; 15];
        let length = self.memory.read_at(&mut bytes, address).unwrap_or(0);
        (bytes, length)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be gone.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
