//! The same operation on every backend that this machine has.

use std::fmt::Debug;
use std::sync::{Mutex, PoisonError};

use lanner_ed25519::backend::{self, Backend};

/// What the operation gives, which must be the same on every backend. So one call is one comparison of each pair of
/// them.
pub(crate) fn on_all<T: PartialEq + Debug>(operation: impl Fn() -> T) -> T {
    on_each(backend::list(), operation)
}

/// The same on the backends that differ in vectors, as FN-DSA sees them: for it the others are copies of the portable one.
pub(crate) fn on_all_vectors<T: PartialEq + Debug>(operation: impl Fn() -> T) -> T {
    let copies = [Backend::Adx, Backend::Fiat64, Backend::Fiat32];
    let copy = if cfg!(target_pointer_width = "64") {
        Backend::Portable32
    } else {
        Backend::Portable64
    };
    let differs = |backend: &Backend| *backend != copy && !copies.contains(backend);
    on_each(backend::list().filter(differs), operation)
}

fn on_each<T: PartialEq + Debug>(
    backends: impl Iterator<Item = Backend>,
    operation: impl Fn() -> T,
) -> T {
    // The choice is the whole process's, so tests on several threads take turns.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut first: Option<(Backend, T)> = None;
    for backend in backends {
        backend::force(backend).expect("a listed backend can run");
        assert_eq!(backend::active(), backend);
        let result = operation();
        match &first {
            None => first = Some((backend, result)),
            Some((other, expected)) => assert_eq!(&result, expected, "{backend}, {other}"),
        }
    }
    // Back to the fastest one, which is the first: what prepares inputs uses it.
    let (fastest, result) = first.expect("some backend can run");
    backend::force(fastest).expect("it ran");
    result
}

#[cfg(test)]
mod tests {
    use super::{backend, on_all};

    #[test]
    fn all_of_them_run() {
        use std::sync::Mutex;
        let ran = Mutex::new(Vec::new());
        on_all(|| ran.lock().expect("no panic").push(backend::active()));
        let ran = ran.into_inner().expect("no panic");
        assert_eq!(ran, backend::list().collect::<Vec<_>>());
        assert!(ran.len() > 1, "nothing to compare");
    }

    #[test]
    #[should_panic(expected = "portable32")]
    fn a_difference_is_noticed() {
        on_all(|| backend::active().name() == "portable32");
    }
}
