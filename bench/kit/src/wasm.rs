//! A library inside a WebAssembly module: the raw exports that `bench/runners/wasm.mjs` calls.
//!
//! The state is one buffer, which JavaScript writes, one pool, and the operations made so far.

use std::cell::RefCell;

use crate::{Library, Operation, Pool, Task};

/// The state of a module.
#[derive(Default)]
pub struct Module {
    buffer: RefCell<Vec<u8>>,
    pool: RefCell<Option<&'static Pool>>,
    operations: RefCell<Vec<Operation<'static>>>,
}

impl Module {
    /// Makes the buffer so long and says where it lies.
    pub fn allocate(&self, length: usize) -> *mut u8 {
        let mut buffer = self.buffer.borrow_mut();
        *buffer = vec![0; length];
        buffer.as_mut_ptr()
    }

    /// Reads the buffer as a pool file; says whether it is one.
    pub fn load(&self) -> bool {
        let pool = Pool::from_file(&self.buffer.borrow()).ok();
        // The module lives as long as its pool.
        let pool = pool.map(|pool| &*Box::leak(Box::new(pool)));
        *self.pool.borrow_mut() = pool;
        pool.is_some()
    }

    /// Makes the task that the buffer names ready: its number, or -1 where there is none.
    pub fn select(&self, library: &dyn Library) -> i32 {
        let buffer = self.buffer.borrow();
        let Some(task) = str::from_utf8(&buffer)
            .ok()
            .and_then(|name| name.parse::<Task>().ok())
        else {
            return -1;
        };
        let Some(pool) = *self.pool.borrow() else {
            return -1;
        };
        if task.units() > pool.seeds.len() {
            return -1;
        }
        let Some(operation) = library.operation(task, pool) else {
            return -1;
        };
        let mut operations = self.operations.borrow_mut();
        operations.push(operation);
        i32::try_from(operations.len() - 1).unwrap_or(-1)
    }

    /// Runs a task that was made ready so many times.
    ///
    /// # Panics
    ///
    /// There is no such task, or a result is wrong.
    pub fn run(&self, number: usize, times: usize) {
        self.operations.borrow_mut()[number](times);
    }
}

/// Exports a [`Module`] for a library, given as an expression.
#[macro_export]
macro_rules! wasm_exports {
    ($library:expr) => {
        std::thread_local! {
            static MODULE: $crate::wasm::Module = $crate::wasm::Module::default();
        }

        /// Makes the buffer so long and says where it lies.
        #[unsafe(no_mangle)]
        pub extern "C" fn allocate(length: usize) -> *mut u8 {
            MODULE.with(|module| module.allocate(length))
        }

        /// Reads the buffer as a pool file.
        #[unsafe(no_mangle)]
        pub extern "C" fn load() -> bool {
            MODULE.with(|module| module.load())
        }

        /// Makes the task that the buffer names ready.
        #[unsafe(no_mangle)]
        pub extern "C" fn select() -> i32 {
            MODULE.with(|module| module.select(&$library))
        }

        /// Runs a task that was made ready.
        #[unsafe(no_mangle)]
        pub extern "C" fn run(number: usize, times: usize) {
            MODULE.with(|module| module.run(number, times));
        }
    };
}
