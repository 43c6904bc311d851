//! A process that is followed: its start, its signals, its registers.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use iced_x86::Register;
use nix::libc::user_regs_struct;
use nix::sys::personality::{self, Persona};
use nix::sys::ptrace;
use nix::sys::signal::{Signal, raise};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;

/// What the process sends itself before and after that which is followed.
const BEGIN: Signal = Signal::SIGUSR1;
pub(crate) const END: Signal = Signal::SIGUSR2;

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
    pub(crate) fn start(arguments: &[&str], stderr: Stdio) -> Result<Self, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let child = Command::new(program)
            .args(arguments)
            // The environment lies on the stack.
            .env_clear()
            .stdin(Stdio::null())
            .stderr(stderr)
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

    /// Starts another program that waits for input, and stops it wherever it is.
    #[cfg(test)]
    pub(crate) fn attach(program: &str) -> Result<Self, String> {
        let text = |error: nix::Error| error.to_string();
        let child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| format!("{program}: {error}"))?;
        let pid = Pid::from_raw(child.id().cast_signed());
        ptrace::attach(pid).map_err(text)?;
        loop {
            match waitpid(pid, None).map_err(text)? {
                WaitStatus::Stopped(_, Signal::SIGSTOP) => break,
                // It had not quite become the other program.
                WaitStatus::Stopped(_, Signal::SIGTRAP) => ptrace::cont(pid, None).map_err(text)?,
                other => return Err(format!("{program} did not stop: {other:?}")),
            }
        }
        let memory = File::open(format!("/proc/{pid}/mem")).map_err(|error| error.to_string())?;
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

    /// Where it stands.
    pub(crate) fn registers(&self) -> Result<user_regs_struct, String> {
        ptrace::getregs(self.pid).map_err(|error| error.to_string())
    }

    /// Its memory, by address.
    pub(crate) fn memory(&self) -> &File {
        &self.memory
    }

    /// Overwrites what is at an address.
    pub(crate) fn write(&self, address: u64, bytes: &[u8]) -> Result<(), String> {
        let path = format!("/proc/{}/mem", self.pid);
        let memory = OpenOptions::new().write(true).open(&path);
        let written = memory.and_then(|memory| memory.write_all_at(bytes, address));
        written.map_err(|error| format!("{path}: {error}"))
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

/// The value of a whole general register, or the base of a segment. Addresses relative to the instruction
/// come resolved.
pub(crate) fn value(register: Register, registers: &user_regs_struct) -> u64 {
    let mut registers = *registers;
    value_mut(register, &mut registers).map_or(0, |value| *value)
}

/// The same, to be changed; none for other registers.
pub(crate) fn value_mut(register: Register, registers: &mut user_regs_struct) -> Option<&mut u64> {
    Some(match register.full_register() {
        Register::RAX => &mut registers.rax,
        Register::RBX => &mut registers.rbx,
        Register::RCX => &mut registers.rcx,
        Register::RDX => &mut registers.rdx,
        Register::RSI => &mut registers.rsi,
        Register::RDI => &mut registers.rdi,
        Register::RBP => &mut registers.rbp,
        Register::RSP => &mut registers.rsp,
        Register::R8 => &mut registers.r8,
        Register::R9 => &mut registers.r9,
        Register::R10 => &mut registers.r10,
        Register::R11 => &mut registers.r11,
        Register::R12 => &mut registers.r12,
        Register::R13 => &mut registers.r13,
        Register::R14 => &mut registers.r14,
        Register::R15 => &mut registers.r15,
        Register::FS => &mut registers.fs_base,
        Register::GS => &mut registers.gs_base,
        _ => return None,
    })
}
