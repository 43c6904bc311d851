//! A stack of our own: an operation runs on it, and what it leaves there can be read afterwards.
#![allow(unsafe_code)]

use core::arch::asm;

/// Deep enough for everything that is observed.
pub(super) const SIZE: usize = 4 << 20;

/// What the stack is painted with before each run.
pub(crate) const PAINT: u8 = 0xA5;

/// The memory of the stack. One for all runs, so that addresses are the same in each.
pub(crate) struct Stack {
    memory: Box<[u8]>,
    /// Where operations have what they work on.
    place: Box<Place>,
}

/// In bytes.
const PLACE: usize = 1 << 18;

/// Lines of a cache are what some keys begin with.
#[repr(C, align(64))]
struct Place([u8; PLACE]);

/// An operation that is to run, and where its caller's frame ended.
struct Call<F> {
    operation: F,
    frame: usize,
}

impl Stack {
    pub(crate) fn new() -> Self {
        Self {
            memory: vec![PAINT; SIZE].into_boxed_slice(),
            place: Box::new(Place([0; PLACE])),
        }
    }

    /// Runs `operation` on a value that is always at the same address: returns what [`Self::run`] does, and the value.
    pub(crate) fn run_on<T>(&mut self, value: T, mut operation: impl FnMut(&mut T)) -> (&[u8], T) {
        assert!(size_of::<T>() <= size_of::<Place>() && align_of::<T>() <= align_of::<Place>());
        let place = (&raw mut *self.place).cast::<T>();
        // SAFETY: The value fits its place, which is ours, and is taken out again once.
        unsafe { place.write(value) };
        // SAFETY: As above; `run` does not touch the place otherwise.
        let below = self.run(|| operation(unsafe { &mut *place }));
        // SAFETY: As above.
        (below, unsafe { place.read() })
    }

    /// Runs `operation` in a frame at the top of the painted stack, and returns what lies below that frame then:
    /// the last byte is next to the frame.
    fn run<F: FnMut()>(&mut self, operation: F) -> &[u8] {
        self.memory.fill(PAINT);
        let mut call = Call {
            operation,
            frame: 0,
        };
        let top = self.memory.as_mut_ptr_range().end.addr() & !63;
        // SAFETY: The memory is ours, mutable and large; `frame` and `call` do not outlive this call; the
        // operation does not unwind through the assembly, because `extern` functions abort then. All registers that a
        // called function may change are declared, and the old stack pointer is kept in one that it may not. What our own
        // callers have in those is cleared meanwhile: an operation saves them on its stack.
        unsafe {
            #[cfg(target_arch = "x86_64")]
            asm!(
                "xchg r12, rsp",
                "push rbx",
                "push rbp",
                "push r13",
                "push r14",
                "push r15",
                "push r15",
                "xor ebx, ebx",
                "xor ebp, ebp",
                "xor r13d, r13d",
                "xor r14d, r14d",
                "xor r15d, r15d",
                "call {frame}",
                "pop r15",
                "pop r15",
                "pop r14",
                "pop r13",
                "pop rbp",
                "pop rbx",
                "mov rsp, r12",
                frame = sym frame::<F>,
                inout("r12") top => _,
                in("rdi") &raw mut call,
                clobber_abi("sysv64"),
            );
            #[cfg(target_arch = "x86")]
            asm!(
                "xchg edi, esp",
                "push ebx",
                "push ebp",
                "push esi",
                "push esi",
                "xor ebx, ebx",
                "xor ebp, ebp",
                "xor esi, esi",
                "call {frame}",
                "pop esi",
                "pop esi",
                "pop ebp",
                "pop ebx",
                "mov esp, edi",
                frame = sym frame::<F>,
                inout("edi") top => _,
                in("ecx") &raw mut call,
                clobber_abi("fastcall"),
            );
        }
        let below = call.frame - self.memory.as_ptr().addr();
        &self.memory[..below]
    }
}

/// The caller of the operation: it is inlined here, and its public functions are called from here.
macro_rules! frame {
    ($abi:literal, $register:literal) => {
        #[inline(never)]
        extern $abi fn frame<F: FnMut()>(call: *mut Call<F>) {
            // SAFETY: `run` gives a pointer to its own variable, which nobody else uses meanwhile.
            let call = unsafe { &mut *call };
            // SAFETY: Reads a register.
            unsafe { asm!(concat!("mov {}, ", $register), out(reg) call.frame, options(nomem, nostack)) };
            (call.operation)();
        }
    };
}
#[cfg(target_arch = "x86_64")]
frame!("sysv64", "rsp");
#[cfg(target_arch = "x86")]
frame!("fastcall", "esp");
