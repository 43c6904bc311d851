//! The vector registers of a process that is followed, as wide as they are, and its masks.
#![allow(unsafe_code)]

use std::arch::x86_64::__cpuid_count;
use std::io;
use std::ops::Range;

use nix::libc;
use nix::unistd::Pid;

/// The registers that XSAVE stores, as ptrace names them. It is the same number on every Linux, and `libc` does not have it.
const NT_X86_XSTATE: usize = 0x202;
/// More than any processor stores: with the tiles of AMX it is some 11 kB.
const MOST: usize = 1 << 16;

/// The leaf of CPUID that says where a component lies.
const LEAF: u32 = 0xd;
/// Where the system says which components there are. The processor leaves these bytes to it.
const ENABLED: usize = 464;
/// Where the header says which components are there; of others the processor takes no notice, and clears them.
const STORED: usize = 512;
/// Where the first registers lie, and how long all of them are: as FXSAVE has them, on every processor.
const LEGACY: Range<usize> = 160..416;

/// Components, by their numbers: the lower 128 bits of the vector registers 0 to 15, bits 128 to 255, bits 256 to 511; the
/// whole of the registers 16 to 31; the masks.
const LOWER: u32 = 1;
const MIDDLE: u32 = 2;
const MASKS: u32 = 5;
const UPPER: u32 = 6;
const HIGHER: u32 = 7;

/// Which way the registers go.
#[derive(Clone, Copy)]
enum Way {
    Read,
    Write,
}

/// What the processor stores of a process by XSAVE, in the form that is not compacted.
pub(super) struct Extended(Vec<u8>);

impl Extended {
    /// That of a process that stands still.
    pub(super) fn of(pid: Pid) -> Result<Self, String> {
        let mut bytes = vec![0; MOST];
        let length = transfer(Way::Read, pid, &mut bytes)
            .map_err(|error| format!("the extended state of {pid}: {error}"))?;
        bytes.truncate(length);
        if length < STORED + 8 || length == MOST {
            return Err(format!("an extended state of {length} bytes"));
        }
        Ok(Self(bytes))
    }

    /// Gives it back to a process that stands still.
    pub(super) fn put(&mut self, pid: Pid) -> Result<(), String> {
        transfer(Way::Write, pid, &mut self.0)
            .map(drop)
            .map_err(|error| format!("the extended state of {pid} is not taken: {error}"))
    }

    /// Has no register in use.
    #[cfg(test)]
    pub(super) fn clear(&mut self) {
        self.0[STORED] = 0;
        for component in [LOWER, MIDDLE, MASKS, UPPER, HIGHER] {
            if let Some(range) = self.component(component) {
                self.0[range].fill(0);
            }
        }
    }

    /// How many bits a vector register has here; 0 if there is none of that number.
    pub(super) fn bits_of_vector(&self, number: usize) -> usize {
        let has = |component| self.component(component).is_some();
        match number {
            0..16 if has(UPPER) => 512,
            0..16 if has(MIDDLE) => 256,
            0..16 if has(LOWER) => 128,
            16..32 if has(HIGHER) => 512,
            _ => 0,
        }
    }

    /// How many bits a mask has here: 64 or none.
    pub(super) fn bits_of_masks(&self) -> usize {
        self.component(MASKS).map_or(0, |_| 64)
    }

    /// Up to eight bytes of a vector register, from one of them on.
    pub(super) fn vector(&self, number: usize, from: usize, length: usize) -> Option<u64> {
        (from..from + length).rev().try_fold(0, |value, byte| {
            let (component, at) = vector(number, byte);
            let at = self.component(component)?.start + at;
            Some(value << 8 | u64::from(self.0[at]))
        })
    }

    pub(super) fn mask(&self, number: usize) -> Option<u64> {
        let masks = self.component(MASKS)?;
        let bytes = self.0[masks].get(8 * number..8 * number + 8)?;
        bytes.try_into().ok().map(u64::from_le_bytes)
    }

    /// # Errors
    ///
    /// There is no such bit.
    pub(super) fn flip_vector(&mut self, number: usize, bit: usize) -> Result<(), String> {
        let (component, at) = vector(number, bit / 8);
        self.flip(component, at, bit % 8)
    }

    /// # Errors
    ///
    /// There is no such bit.
    pub(super) fn flip_mask(&mut self, number: usize, bit: usize) -> Result<(), String> {
        self.flip(MASKS, 8 * number + bit / 8, bit % 8)
    }

    fn flip(&mut self, component: u32, at: usize, bit: usize) -> Result<(), String> {
        let place = self.component(component).map(|range| range.start + at);
        let place = place.ok_or_else(|| format!("no component {component} on this machine"))?;
        // A component in its initial state comes as that state, and would be taken for it again, whatever is in it.
        self.0[STORED] |= 1 << component;
        self.0[place] ^= 1 << bit;
        Ok(())
    }

    /// Where a component lies, if the processor has it and the system uses it.
    fn component(&self, number: u32) -> Option<Range<usize>> {
        if self.0[ENABLED] & 1 << number == 0 {
            return None;
        }
        let range = match number {
            LOWER => LEGACY,
            // SAFETY: A processor whose system uses XSAVE has CPUID, and this leaf of it. (Newer compilers know that every
            // one has the instruction.)
            #[allow(unused_unsafe)]
            _ => unsafe {
                let known = __cpuid_count(LEAF, number);
                known.ebx as usize..(known.ebx + known.eax) as usize
            },
        };
        (range.end <= self.0.len()).then_some(range)
    }
}

/// The component that has a byte of a vector register, and where in it.
fn vector(number: usize, byte: usize) -> (u32, usize) {
    match (number, byte) {
        (16.., _) => (HIGHER, 64 * (number - 16) + byte),
        (_, 0..16) => (LOWER, 16 * number + byte),
        (_, 16..32) => (MIDDLE, 16 * number + byte - 16),
        _ => (UPPER, 32 * number + byte - 32),
    }
}

/// Reads the extended state of a process into some bytes, or writes it from them. How many those are that it has.
fn transfer(way: Way, pid: Pid, bytes: &mut [u8]) -> io::Result<usize> {
    let mut area = libc::iovec {
        iov_base: bytes.as_mut_ptr().cast(),
        iov_len: bytes.len(),
    };
    let request = match way {
        Way::Read => libc::PTRACE_GETREGSET,
        Way::Write => libc::PTRACE_SETREGSET,
    };
    // SAFETY: The system writes or reads no more than the bytes of the area, which are borrowed, and writes its length.
    let result = unsafe { libc::ptrace(request, pid.as_raw(), NT_X86_XSTATE, &raw mut area) };
    match result {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(area.iov_len),
    }
}
