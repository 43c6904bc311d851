//! What a module exports. The other side is `js/src/wasm/exports.ts`, with the names in words.

/// The state and the engine of a module, its layout for the build, and the exports of verification.
#[macro_export]
macro_rules! exports {
    ($engine:ty) => {
        static mut STATE: $crate::scheme::State<$engine> = $crate::scheme::State::EMPTY;
        static mut ENGINE: $engine = <$engine as $crate::scheme::Engine>::EMPTY;

        #[panic_handler]
        fn panic(_: &core::panic::PanicInfo) -> ! {
            core::arch::wasm32::unreachable()
        }

        /// What the other side must know of the state, for the build, which takes it out of the module.
        #[used]
        #[unsafe(link_section = "lanner.layout")]
        static LAYOUT: [u32; 2] = [
            $crate::scheme::ROOM as u32,
            size_of::<$crate::scheme::State<$engine>>() as u32,
        ];

        fn state() -> &'static mut $crate::scheme::State<$engine> {
            let state = &raw mut STATE;
            // SAFETY: the module runs on one thread, exports do not call each other, and each takes
            // the reference once.
            unsafe { &mut *state }
        }

        fn engine() -> &'static mut $engine {
            let engine = &raw mut ENGINE;
            // SAFETY: as above.
            unsafe { &mut *engine }
        }

        /// Prepares the module; the address of the input.
        #[unsafe(no_mangle)]
        extern "C" fn i() -> *mut $crate::scheme::State<$engine> {
            $crate::scheme::Engine::prepare(engine());
            &raw mut STATE
        }
        #[unsafe(no_mangle)]
        extern "C" fn u(length: usize) {
            state().update(engine(), length);
        }
        #[unsafe(no_mangle)]
        extern "C" fn v(length: usize, rules: u32) {
            state().verify_start(engine(), length, rules);
        }
        #[unsafe(no_mangle)]
        extern "C" fn f() -> bool {
            state().verify_finish(engine())
        }
    };
}

/// And those of keys, signing and hashing.
#[macro_export]
macro_rules! signing_exports {
    () => {
        #[unsafe(no_mangle)]
        extern "C" fn h() {
            state().hash_start(engine());
        }
        #[unsafe(no_mangle)]
        extern "C" fn d() {
            state().hash_finish(engine());
        }
        #[unsafe(no_mangle)]
        extern "C" fn e() {
            state().expand(engine());
        }
        #[unsafe(no_mangle)]
        extern "C" fn k() {
            state().derive(engine());
        }
        #[unsafe(no_mangle)]
        extern "C" fn s(length: usize) {
            state().sign_start(engine(), length);
        }
        #[unsafe(no_mangle)]
        extern "C" fn c(length: usize, check: bool) -> bool {
            state().commit(engine(), length, check)
        }
        #[unsafe(no_mangle)]
        extern "C" fn r() {
            state().respond(engine());
        }
    };
}
