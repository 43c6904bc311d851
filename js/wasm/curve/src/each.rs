//! What is written out.

/// An array of five or ten expressions in a constant that counts, written out: engines keep what is
/// in arrays that are looped over in memory.
#[macro_export]
macro_rules! each {
    (5, $i:ident => $value:expr) => {
        $crate::each!($i, $value, 0, 1, 2, 3, 4)
    };
    (10, $i:ident => $value:expr) => {
        $crate::each!($i, $value, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
    };
    ($i:ident, $value:expr, $($n:literal),*) => {
        [$({
            const $i: usize = $n;
            $value
        }),*]
    };
}
