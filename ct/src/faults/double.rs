//! The double of a process that is followed.

use std::fs::{self, File, OpenOptions};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::atomic::AtomicU8;
use std::thread;
use std::time::{Duration, Instant};

use nix::libc::user_regs_struct;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::extended::Extended;
use super::flip::{Fault, What};
use crate::followed::{END, Process, value_mut};
use crate::instructions::decode;

/// What no run without a fault comes near.
const PATIENCE: Duration = Duration::from_millis(500);

/// How a double ended.
#[derive(PartialEq, Eq)]
pub(super) enum End {
    Crashed,
    Hung,
    /// It came to its end, and left this.
    Outcome(Vec<u8>),
}

/// Makes doubles of a process.
pub(super) struct Doubler {
    /// Where an instruction is that calls the system.
    pub(super) call: u64,
    pub(super) outcome: u64,
    pub(super) length: usize,
}

/// The system call that doubles a process, and its first argument: the double is a child of who follows, so that it leaves
/// nothing behind with the process itself.
const CLONE: u64 = nix::libc::SYS_clone.cast_unsigned();
const BESIDE: u64 = nix::libc::CLONE_PARENT as u64;

fn text(error: nix::Error) -> String {
    error.to_string()
}

/// Where a program's file is mapped, by the memory map of a process.
fn base_of_program(pid: &str) -> Result<(u64, String), String> {
    let link = fs::read_link(format!("/proc/{pid}/exe")).map_err(|error| error.to_string())?;
    let maps =
        fs::read_to_string(format!("/proc/{pid}/maps")).map_err(|error| error.to_string())?;
    let path = link.display().to_string();
    let first = maps.lines().find(|line| line.ends_with(&path));
    let start = first.and_then(|line| u64::from_str_radix(line.split_once('-')?.0, 16).ok());
    Ok((start.ok_or("the program is mapped nowhere")?, maps))
}

/// What is mapped in a process.
pub(super) fn mapped(process: &Process) -> Result<Vec<Range<u64>>, String> {
    let (_, maps) = base_of_program(&process.id().to_string())?;
    let range = |line: &str| {
        let (start, end) = line.split_once(' ')?.0.split_once('-')?;
        let number = |digits| u64::from_str_radix(digits, 16).ok();
        Some(number(start)?..number(end)?)
    };
    Ok(maps.lines().filter_map(range).collect())
}

/// An instruction that calls the system, in what is mapped as code.
fn find_call(process: &Process, maps: &str) -> Option<u64> {
    let code = maps.lines().filter(|line| line.contains(" r-xp "));
    // The page that the system maps for all has calls of its own.
    let code = code.filter(|line| !line.ends_with("[vsyscall]"));
    for line in code {
        let (start, end) = line.split_once(' ')?.0.split_once('-')?;
        let start = u64::from_str_radix(start, 16).ok()?;
        let end = u64::from_str_radix(end, 16).ok()?;
        let mut bytes = vec![0; usize::try_from(end - start).ok()?];
        if process.memory().read_exact_at(&mut bytes, start).is_err() {
            continue;
        }
        if let Some(at) = bytes.windows(2).position(|window| window == [0x0f, 0x05]) {
            return Some(start + at as u64);
        }
    }
    None
}

/// Where what is at an address of this process is in another one of the same program.
pub(super) fn address_in(process: &Process, bytes: &'static [AtomicU8]) -> Result<u64, String> {
    let (here, _) = base_of_program("self")?;
    let (there, _) = base_of_program(&process.id().to_string())?;
    let offset = (bytes.as_ptr().addr() as u64).wrapping_sub(here);
    Ok(there.wrapping_add(offset))
}

impl Doubler {
    pub(super) fn new(process: &Process, outcome: &'static [AtomicU8]) -> Result<Self, String> {
        ptrace::setoptions(
            process.id(),
            Options::PTRACE_O_TRACECLONE | Options::PTRACE_O_EXITKILL,
        )
        .map_err(text)?;
        let (_, maps) = base_of_program(&process.id().to_string())?;
        Ok(Self {
            call: find_call(process, &maps).ok_or("no system call in the code")?,
            outcome: address_in(process, outcome)?,
            length: outcome.len(),
        })
    }

    /// Doubles the process where it stands, lets a fault act on the double, and waits for how that ends.
    pub(super) fn run(
        &self,
        process: &Process,
        registers: &user_regs_struct,
        fault: &Fault,
    ) -> Result<End, String> {
        let double = self.double(process, registers)?;
        let result = self.run_double(&double, registers, &fault.what);
        drop(double);
        result
    }

    fn double(&self, process: &Process, registers: &user_regs_struct) -> Result<Double, String> {
        let mut calling = *registers;
        (calling.rip, calling.rax, calling.rdi) = (self.call, CLONE, BESIDE);
        // The same stack, and no thread.
        (calling.rsi, calling.rdx, calling.r10, calling.r8) = (0, 0, 0, 0);
        // The system looks there for a call that was interrupted.
        calling.orig_rax = u64::MAX;
        ptrace::setregs(process.id(), calling).map_err(text)?;
        let mut child = None;
        // The event, and then the end of the instruction.
        for _ in 0..2 {
            ptrace::step(process.id(), None).map_err(text)?;
            match waitpid(process.id(), None).map_err(text)? {
                WaitStatus::PtraceEvent(..) => {
                    let pid = ptrace::getevent(process.id()).map_err(text)?;
                    child = Some(Pid::from_raw(
                        i32::try_from(pid).map_err(|e| e.to_string())?,
                    ));
                }
                WaitStatus::Stopped(_, Signal::SIGTRAP) => {}
                other => return Err(format!("the process that is doubled: {other:?}")),
            }
        }
        ptrace::setregs(process.id(), *registers).map_err(text)?;
        let child = Double(child.ok_or("the process was not doubled")?);
        match waitpid(child.0, None).map_err(text)? {
            WaitStatus::Stopped(_, Signal::SIGSTOP) => Ok(child),
            other => Err(format!("the double: {other:?}")),
        }
    }

    fn run_double(
        &self,
        double: &Double,
        registers: &user_regs_struct,
        what: &What,
    ) -> Result<End, String> {
        let pid = double.0;
        let path = format!("/proc/{pid}/mem");
        let memory: File = OpenOptions::new()
            .read(true)
            .write(true)
            .open(&path)
            .map_err(|error| format!("{path}: {error}"))?;
        let mut changed = *registers;
        changed.orig_rax = u64::MAX;
        match *what {
            What::General(register, bit) => {
                if let Some(value) = value_mut(register, &mut changed) {
                    *value ^= 1 << bit;
                }
            }
            What::Vector(number, bit) => {
                let mut extended = Extended::of(pid)?;
                extended.flip_vector(number, bit)?;
                extended.put(pid)?;
            }
            What::Mask(number, bit) => {
                let mut extended = Extended::of(pid)?;
                extended.flip_mask(number, bit)?;
                extended.put(pid)?;
            }
            What::Memory(address, bit) => {
                let mut byte = [0];
                // Memory that cannot be written was not.
                if memory.read_exact_at(&mut byte, address).is_ok() {
                    byte[0] ^= 1 << bit;
                    let _ = memory.write_all_at(&byte, address);
                }
            }
            What::Flags(bit) => changed.eflags ^= 1 << bit,
            What::Skip => {
                let mut bytes = [0; 15];
                let length = memory.read_at(&mut bytes, changed.rip).unwrap_or(0);
                if let Some(next) = decode(&bytes[..length], changed.rip) {
                    changed.rip += next.len() as u64;
                }
            }
        }
        ptrace::setregs(pid, changed).map_err(text)?;
        ptrace::cont(pid, None).map_err(text)?;
        let start = Instant::now();
        loop {
            match waitpid(pid, Some(WaitPidFlag::WNOHANG)).map_err(text)? {
                WaitStatus::StillAlive if start.elapsed() < PATIENCE => {
                    thread::sleep(Duration::from_micros(50));
                }
                WaitStatus::StillAlive => return Ok(End::Hung),
                WaitStatus::Stopped(_, END) => {
                    let mut outcome = vec![0; self.length];
                    return Ok(match memory.read_exact_at(&mut outcome, self.outcome) {
                        Ok(()) => End::Outcome(outcome),
                        Err(_) => End::Crashed,
                    });
                }
                _ => return Ok(End::Crashed),
            }
        }
    }
}

/// A process that ends when this is dropped.
struct Double(Pid);

impl Drop for Double {
    fn drop(&mut self) {
        // It may be gone.
        let _ = kill(self.0, Signal::SIGKILL);
        while let Ok(status) = waitpid(self.0, None) {
            if matches!(status, WaitStatus::Exited(..) | WaitStatus::Signaled(..)) {
                break;
            }
        }
    }
}
