//! The words of the assembly: macros that give the instructions of one operation in the field.
//!
//! Register plan, the same in every block:
//!
//! | name | what |
//! |---|---|
//! | `rdx` | one factor of `mulx` |
//! | `r0` to `r7` | a product of 512 bits, lowest word first; results in `r0` to `r3` |
//! | `hi`, `lo` | what `mulx` gives |
//! | `s` | the address of the frame: the places that [`at`] names |
//! | `p`, `q` | in some blocks, addresses of operands |
//!
//! These are all that `asm!` may use. Operands come from memory, because two of them and a product
//! would take more; loads are cheap beside the carries, of which ports 0 and 6 of Intel's processors take
//! two a cycle. So the order of instructions inside an operation is of little weight, and that of
//! operations is by length of what waits for them: processors look several hundred instructions ahead.
//!
//! Rows come in two kinds. `adx` has two carry chains at once; `bmi` has one, and adds the products
//! of a row's even limbs first and those of the odd ones then. Both leave every value as it is, so
//! bounds hold for both.
//!
//! Bounds: a carried value is below 2^255 + 2^11, a loose one is any of 256 bits; in front of each
//! macro stands what it takes and gives.

/// Where a value stands: the places of the frame, 32 bytes each, of which the middle ones have the
/// shorter addresses; and what lies at `q`. Each value of a formula has a place of its own.
macro_rules! at {
    // The ladder: the points, the u-coordinate of their difference, and what a step computes.
    (U2) => {
        "{s} - 128"
    };
    (W2) => {
        "{s} - 96"
    };
    (U3) => {
        "{s} - 64"
    };
    (W3) => {
        "{s} - 32"
    };
    (U1) => {
        "{s}"
    };
    (A) => {
        "{s} + 32"
    };
    (B) => {
        "{s} + 64"
    };
    (C) => {
        "{s} + 96"
    };
    (D) => {
        "{s} + 128"
    };
    (DA) => {
        "{s} + 160"
    };
    (CB) => {
        "{s} + 192"
    };
    (A1) => {
        "{s} + 224"
    };
    (B1) => {
        "{s} + 256"
    };
    (AA) => {
        "{s} + 288"
    };
    (BB) => {
        "{s} + 320"
    };
    (E) => {
        "{s} + 352"
    };
    (BBE) => {
        "{s} + 384"
    };
    (SUM) => {
        "{s} + 416"
    };
    (DIFF) => {
        "{s} + 448"
    };
    (DIFF2) => {
        "{s} + 480"
    };
    // Points: the coordinates as an addition leaves them, those of the extended point, and what a
    // formula computes.
    (CX) => {
        "{s} - 128"
    };
    (CY) => {
        "{s} - 96"
    };
    (CZ) => {
        "{s} - 64"
    };
    (CT) => {
        "{s} - 32"
    };
    (X) => {
        "{s}"
    };
    (Y) => {
        "{s} + 32"
    };
    (Z) => {
        "{s} + 64"
    };
    (T) => {
        "{s} + 96"
    };
    (YmX) => {
        "{s} + 128"
    };
    (YpX) => {
        "{s} + 160"
    };
    (PA) => {
        "{s} + 192"
    };
    (PB) => {
        "{s} + 224"
    };
    (PC) => {
        "{s} + 256"
    };
    (PD) => {
        "{s} + 288"
    };
    (XY) => {
        "{s} + 96"
    };
    (XX) => {
        "{s} + 128"
    };
    (YY) => {
        "{s} + 160"
    };
    (ZZ) => {
        "{s} + 192"
    };
    (XY2) => {
        "{s} + 224"
    };
    (ZZ2) => {
        "{s} + 256"
    };
    // The other operand.
    (Q0) => {
        "{q}"
    };
    (Q1) => {
        "{q} + 32"
    };
    (Q2) => {
        "{q} + 64"
    };
    (Q3) => {
        "{q} + 96"
    };
}
pub(super) use at;

/// r0 to r4 = the word at `$a` times `$b`.
macro_rules! first_row {
    ([$($a:tt)*], [$($b:tt)*]) => {
        concat!(
            "mov rdx, [", $($a)*, "]\n",
            "mulx {r1}, {r0}, [", $($b)*, "]\n",
            "mulx {r2}, {lo}, [", $($b)*, " + 8]\n",
            "add {r1}, {lo}\n",
            "mulx {r3}, {lo}, [", $($b)*, " + 16]\n",
            "adc {r2}, {lo}\n",
            "mulx {r4}, {lo}, [", $($b)*, " + 24]\n",
            "adc {r3}, {lo}\n",
            "adc {r4}, 0\n",
        )
    };
}
pub(super) use first_row;

/// One further row of the schoolbook product: adds the word of a at `$offset` times b to the
/// accumulator `$s0` to `$s3`; `$s4` is new. It cannot overflow, because a word times b plus four
/// words fits in five.
macro_rules! row {
    (adx $offset:literal [$($a:tt)*], [$($b:tt)*], $s0:literal $s1:literal $s2:literal $s3:literal $s4:literal) => {
        concat!(
            "mov rdx, [", $($a)*, " + ", $offset, "]\n",
            "xor {lo:e}, {lo:e}\n",
            "mulx {hi}, {lo}, [", $($b)*, "]\n",
            "adcx {", $s0, "}, {lo}\n",
            "adox {", $s1, "}, {hi}\n",
            "mulx {hi}, {lo}, [", $($b)*, " + 8]\n",
            "adcx {", $s1, "}, {lo}\n",
            "adox {", $s2, "}, {hi}\n",
            "mulx {hi}, {lo}, [", $($b)*, " + 16]\n",
            "adcx {", $s2, "}, {lo}\n",
            "adox {", $s3, "}, {hi}\n",
            "mulx {", $s4, "}, {lo}, [", $($b)*, " + 24]\n",
            "mov {hi:e}, 0\n",
            "adcx {", $s3, "}, {lo}\n",
            "adox {", $s4, "}, {hi}\n",
            "adcx {", $s4, "}, {hi}\n",
        )
    };
    (bmi $offset:literal [$($a:tt)*], [$($b:tt)*], $s0:literal $s1:literal $s2:literal $s3:literal $s4:literal) => {
        concat!(
            "mov rdx, [", $($a)*, " + ", $offset, "]\n",
            "mulx {hi}, {lo}, [", $($b)*, "]\n",
            "add {", $s0, "}, {lo}\n",
            "adc {", $s1, "}, {hi}\n",
            "mulx {hi}, {lo}, [", $($b)*, " + 16]\n",
            "adc {", $s2, "}, {lo}\n",
            "adc {", $s3, "}, {hi}\n",
            "mulx {", $s4, "}, {lo}, [", $($b)*, " + 24]\n",
            "adc {", $s4, "}, 0\n",
            "mulx {hi}, rdx, [", $($b)*, " + 8]\n",
            "add {", $s1, "}, rdx\n",
            "adc {", $s2, "}, {hi}\n",
            "adc {", $s3, "}, {lo}\n",
            "adc {", $s4, "}, 0\n",
        )
    };
}
pub(super) use row;

/// r0 to r7 = the product of any two values.
macro_rules! product {
    ($kind:ident [$($a:tt)*], [$($b:tt)*]) => {
        concat!(
            first_row!([$($a)*], [$($b)*]),
            row!($kind "8" [$($a)*], [$($b)*], "r1" "r2" "r3" "r4" "r5"),
            row!($kind "16" [$($a)*], [$($b)*], "r2" "r3" "r4" "r5" "r6"),
            row!($kind "24" [$($a)*], [$($b)*], "r3" "r4" "r5" "r6" "r7"),
        )
    };
}
pub(super) use product;

/// r0 to r7 = the square of any value. The six products of different limbs go to r1 to r6; then
/// they are doubled, and the squares of the limbs are added.
macro_rules! square_product {
    (adx [$($a:tt)*]) => {
        concat!(
            "mov rdx, [", $($a)*, "]\n",
            "xor {r7:e}, {r7:e}\n",
            "mulx {r2}, {r1}, [", $($a)*, " + 8]\n",
            "mulx {r3}, {lo}, [", $($a)*, " + 16]\n",
            "adcx {r2}, {lo}\n",
            "mulx {r4}, {lo}, [", $($a)*, " + 24]\n",
            "adcx {r3}, {lo}\n",
            "mov rdx, [", $($a)*, " + 8]\n",
            "mulx {hi}, {lo}, [", $($a)*, " + 16]\n",
            "adox {r3}, {lo}\n",
            "adcx {r4}, {hi}\n",
            "mov rdx, [", $($a)*, " + 24]\n",
            "mulx {r5}, {lo}, [", $($a)*, " + 8]\n",
            "adox {r4}, {lo}\n",
            "adcx {r5}, {r7}\n",
            "mulx {r6}, {lo}, [", $($a)*, " + 16]\n",
            "adox {r5}, {lo}\n",
            "adox {r6}, {r7}\n",
            "mov rdx, [", $($a)*, "]\n",
            "xor {r7:e}, {r7:e}\n",
            "mulx {hi}, {r0}, rdx\n",
            "adcx {r1}, {r1}\n",
            "adox {r1}, {hi}\n",
            "mov rdx, [", $($a)*, " + 8]\n",
            "mulx {hi}, {lo}, rdx\n",
            "adcx {r2}, {r2}\n",
            "adox {r2}, {lo}\n",
            "adcx {r3}, {r3}\n",
            "adox {r3}, {hi}\n",
            "mov rdx, [", $($a)*, " + 16]\n",
            "mulx {hi}, {lo}, rdx\n",
            "adcx {r4}, {r4}\n",
            "adox {r4}, {lo}\n",
            "adcx {r5}, {r5}\n",
            "adox {r5}, {hi}\n",
            "mov rdx, [", $($a)*, " + 24]\n",
            "mulx {hi}, {lo}, rdx\n",
            "adcx {r6}, {r6}\n",
            "adox {r6}, {lo}\n",
            "adcx {r7}, {r7}\n",
            "adox {r7}, {hi}\n",
        )
    };
    (bmi [$($a:tt)*]) => {
        concat!(
            "mov rdx, [", $($a)*, "]\n",
            "mulx {r2}, {r1}, [", $($a)*, " + 8]\n",
            "mulx {r3}, {lo}, [", $($a)*, " + 16]\n",
            "add {r2}, {lo}\n",
            "mulx {r4}, {lo}, [", $($a)*, " + 24]\n",
            "adc {r3}, {lo}\n",
            "adc {r4}, 0\n",
            "mov rdx, [", $($a)*, " + 8]\n",
            "mulx {hi}, {lo}, [", $($a)*, " + 16]\n",
            "mulx {r5}, {r0}, [", $($a)*, " + 24]\n",
            "mov rdx, [", $($a)*, " + 16]\n",
            "mulx {r6}, {r7}, [", $($a)*, " + 24]\n",
            "add {r3}, {lo}\n",
            "adc {r4}, {hi}\n",
            "adc {r5}, 0\n",
            "add {r4}, {r0}\n",
            "adc {r5}, {r7}\n",
            "adc {r6}, 0\n",
            "xor {r7:e}, {r7:e}\n",
            "add {r1}, {r1}\n",
            "adc {r2}, {r2}\n",
            "adc {r3}, {r3}\n",
            "adc {r4}, {r4}\n",
            "adc {r5}, {r5}\n",
            "adc {r6}, {r6}\n",
            "adc {r7}, {r7}\n",
            "mov rdx, [", $($a)*, "]\n",
            "mulx {hi}, {r0}, rdx\n",
            "mov rdx, [", $($a)*, " + 8]\n",
            "add {r1}, {hi}\n",
            "mulx {hi}, {lo}, rdx\n",
            "adc {r2}, {lo}\n",
            "mov rdx, [", $($a)*, " + 16]\n",
            "adc {r3}, {hi}\n",
            "mulx {hi}, {lo}, rdx\n",
            "adc {r4}, {lo}\n",
            "mov rdx, [", $($a)*, " + 24]\n",
            "adc {r5}, {hi}\n",
            "mulx {hi}, {lo}, rdx\n",
            "adc {r6}, {lo}\n",
            "adc {r7}, {hi}\n",
        )
    };
}
pub(super) use square_product;

/// Folds a product of 512 bits in r0 to r7 and leaves a carried value in r0 to r3: the high half
/// returns times 38, and then what is above bit 255 times 19. Behind the rows of a product one chain is the
/// faster kind even where there are two, by 3 % of a ladder's step; behind a square it is not.
macro_rules! fold {
    (adx) => {
        concat!(
            "mov edx, 38
             xor {lo:e}, {lo:e}
             mulx {hi}, {lo}, {r4}
             adcx {r0}, {lo}
             adox {r1}, {hi}
             mulx {hi}, {lo}, {r5}
             adcx {r1}, {lo}
             adox {r2}, {hi}
             mulx {hi}, {lo}, {r6}
             adcx {r2}, {lo}
             adox {r3}, {hi}
             mulx {r4}, {lo}, {r7}
             mov {r5:e}, 0
             adcx {r3}, {lo}
             adox {r4}, {r5}
             adcx {r4}, {r5}\n",
            fold_top!(),
        )
    };
    (bmi) => {
        concat!(
            "mov edx, 38
             mulx {hi}, {lo}, {r4}
             add {r0}, {lo}
             adc {r1}, {hi}
             mulx {hi}, {lo}, {r6}
             adc {r2}, {lo}
             adc {r3}, {hi}
             mulx {r4}, {lo}, {r7}
             adc {r4}, 0
             mulx {hi}, rdx, {r5}
             add {r1}, rdx
             adc {r2}, {hi}
             adc {r3}, {lo}
             adc {r4}, 0\n",
            fold_top!(),
        )
    };
}
pub(super) use fold;

/// r0 to r3 = the value of r0 to r4 for an r4 below 2^32: what is above bit 255 returns times 19. After a product
/// r4 is at most 38, so at most 77 * 19 < 2^11 is added to a value below 2^255.
macro_rules! fold_top {
    () => {
        "mov {lo}, {r3}
         shr {lo}, 63
         btr {r3}, 63
         lea {r4}, [{lo} + 2 * {r4}]
         imul {r4}, {r4}, 19
         add {r0}, {r4}
         adc {r1}, 0
         adc {r2}, 0
         adc {r3}, 0\n"
    };
}
pub(super) use fold_top;

/// Stores r0 to r3.
macro_rules! store {
    ($place:ident) => {
        concat!(
            "mov [",
            at!($place),
            "], {r0}\n",
            "mov [",
            at!($place),
            " + 8], {r1}\n",
            "mov [",
            at!($place),
            " + 16], {r2}\n",
            "mov [",
            at!($place),
            " + 24], {r3}\n",
        )
    };
}
pub(super) use store;

/// A place becomes the product of two, whatever their values: carried.
macro_rules! mul {
    ($kind:ident $to:ident = $a:ident * $b:ident) => {
        concat!(product!($kind[at!($a)], [at!($b)]), fold!(bmi), store!($to))
    };
}
pub(super) use mul;

/// A place becomes the square of one, whatever its value: carried.
macro_rules! square {
    ($kind:ident $to:ident = $a:ident ^ 2) => {
        concat!(square_product!($kind[at!($a)]), fold!($kind), store!($to))
    };
}
pub(super) use square;

/// One word after the other of two places, added or subtracted, in r0 to r3; and 0 in `lo`, because Intel's processors
/// wait for the register from which `sbb` subtracts itself.
macro_rules! words {
    ($first:literal, $next:literal, $a:ident, $b:ident) => {
        concat!(
            "mov {r0}, [",
            at!($a),
            "]\n",
            "mov {r1}, [",
            at!($a),
            " + 8]\n",
            "mov {r2}, [",
            at!($a),
            " + 16]\n",
            "mov {r3}, [",
            at!($a),
            " + 24]\n",
            "xor {lo:e}, {lo:e}\n",
            $first,
            " {r0}, [",
            at!($b),
            "]\n",
            $next,
            " {r1}, [",
            at!($b),
            " + 8]\n",
            $next,
            " {r2}, [",
            at!($b),
            " + 16]\n",
            $next,
            " {r3}, [",
            at!($b),
            " + 24]\n",
        )
    };
}
pub(super) use words;

/// A place becomes the sum of two carried values: loose. Less the 2^256 of an overflow the sum is
/// below 2^12, so that 38 can be added to its lowest word alone.
macro_rules! add {
    ($to:ident = $a:ident + $b:ident) => {
        concat!(
            words!("add", "adc", $a, $b),
            "sbb {lo}, {lo}
             and {lo:e}, 38
             add {r0}, {lo}\n",
            store!($to),
        )
    };
}
pub(super) use add;

/// A place becomes the difference of two carried values: loose. With the 2^256 of a borrow it is
/// above 2^254, and 38 less is not negative.
macro_rules! sub {
    ($to:ident = $a:ident - $b:ident) => {
        concat!(
            words!("sub", "sbb", $a, $b),
            "sbb {lo}, {lo}
             and {lo:e}, 38
             sub {r0}, {lo}
             sbb {r1}, 0
             sbb {r2}, 0
             sbb {r3}, 0\n",
            store!($to),
        )
    };
}
pub(super) use sub;

/// A place becomes the sum of any two values: loose. A second overflow leaves a value below 38.
macro_rules! add_any {
    ($to:ident = $a:ident + $b:ident) => {
        concat!(
            words!("add", "adc", $a, $b),
            "sbb {lo}, {lo}
             and {lo:e}, 38
             add {r0}, {lo}
             adc {r1}, 0
             adc {r2}, 0
             adc {r3}, 0
             sbb {lo}, {lo}
             and {lo:e}, 38
             add {r0}, {lo}\n",
            store!($to),
        )
    };
}
pub(super) use add_any;

/// A place becomes the difference of any two values: loose. A second borrow leaves a value of at
/// least 2^256 - 38.
macro_rules! sub_any {
    ($to:ident = $a:ident - $b:ident) => {
        concat!(
            words!("sub", "sbb", $a, $b),
            "sbb {lo}, {lo}
             and {lo:e}, 38
             sub {r0}, {lo}
             sbb {r1}, 0
             sbb {r2}, 0
             sbb {r3}, 0
             sbb {lo}, {lo}
             and {lo:e}, 38
             sub {r0}, {lo}\n",
            store!($to),
        )
    };
}
pub(super) use sub_any;

/// A place becomes one of two, `$b` where the flag ZF is clear.
macro_rules! choose {
    ($to:ident = $a:ident or $b:ident) => {
        concat!(
            "mov {r0}, [",
            at!($a),
            "]\n",
            "mov {r1}, [",
            at!($a),
            " + 8]\n",
            "mov {r2}, [",
            at!($a),
            " + 16]\n",
            "mov {r3}, [",
            at!($a),
            " + 24]\n",
            "cmovnz {r0}, [",
            at!($b),
            "]\n",
            "cmovnz {r1}, [",
            at!($b),
            " + 8]\n",
            "cmovnz {r2}, [",
            at!($b),
            " + 16]\n",
            "cmovnz {r3}, [",
            at!($b),
            " + 24]\n",
            store!($to),
        )
    };
}
pub(super) use choose;

/// A place becomes 121666 times a place, whatever its value, plus a carried value: loose, as the top
/// word is below 2^17 before it returns.
macro_rules! mul_121666_add {
    ($to:ident = $a:ident * 121666 + $b:ident) => {
        concat!(
            "mov edx, 121666\n",
            "mov {r0}, [",
            at!($b),
            "]\n",
            "mov {r1}, [",
            at!($b),
            " + 8]\n",
            "mov {r2}, [",
            at!($b),
            " + 16]\n",
            "mov {r3}, [",
            at!($b),
            " + 24]\n",
            "mulx {hi}, {lo}, [",
            at!($a),
            "]\n",
            "add {r0}, {lo}\n",
            "adc {r1}, {hi}\n",
            "mulx {hi}, {lo}, [",
            at!($a),
            " + 16]\n",
            "adc {r2}, {lo}\n",
            "adc {r3}, {hi}\n",
            "mulx {r4}, {lo}, [",
            at!($a),
            " + 24]\n",
            "adc {r4}, 0\n",
            "mulx {hi}, rdx, [",
            at!($a),
            " + 8]\n",
            "add {r1}, rdx\n",
            "adc {r2}, {hi}\n",
            "adc {r3}, {lo}\n",
            "adc {r4}, 0\n",
            fold_top!(),
            store!($to),
        )
    };
}
pub(super) use mul_121666_add;

/// Squares the carried value in r0 to r3, which stands at `p` too, in these registers and at `p`: carried.
///
/// For chains, where every square waits for the one before: the products of different limbs take
/// them from registers, without the way through memory, and one carry chain is enough.
macro_rules! square_again {
    () => {
        concat!(
            // Products of different limbs: the words 1 to 6 in r4, r5, r6, r7, r0, r2.
            "mov rdx, {r0}
             mulx {r5}, {r4}, {r1}
             mulx {r6}, {lo}, {r2}
             add {r5}, {lo}
             mulx {r7}, {lo}, {r3}
             adc {r6}, {lo}
             adc {r7}, 0
             mov rdx, {r1}
             mulx {hi}, {lo}, {r2}
             mulx {r0}, {r1}, {r3}
             mov rdx, {r2}
             mulx {r2}, {r3}, {r3}
             add {r6}, {lo}
             adc {r7}, {hi}
             adc {r0}, 0
             add {r7}, {r1}
             adc {r0}, {r3}
             adc {r2}, 0\n",
            // Doubled, with word 7 in r3; and the squares, with word 0 in r1.
            "xor {r3:e}, {r3:e}
             add {r4}, {r4}
             adc {r5}, {r5}
             adc {r6}, {r6}
             adc {r7}, {r7}
             adc {r0}, {r0}
             adc {r2}, {r2}
             adc {r3}, {r3}
             mov rdx, [{p}]
             mulx {hi}, {r1}, rdx
             mov rdx, [{p} + 8]
             add {r4}, {hi}
             mulx {hi}, {lo}, rdx
             mov rdx, [{p} + 16]
             adc {r5}, {lo}
             adc {r6}, {hi}
             mulx {hi}, {lo}, rdx
             mov rdx, [{p} + 24]
             adc {r7}, {lo}
             adc {r0}, {hi}
             mulx {hi}, {lo}, rdx
             adc {r2}, {lo}
             adc {r3}, {hi}\n",
            // As `fold`: r1, r4, r5 and r6 are the lower half.
            "mov edx, 38
             mulx {hi}, {lo}, {r7}
             add {r1}, {lo}
             adc {r4}, {hi}
             mulx {hi}, {lo}, {r2}
             adc {r5}, {lo}
             adc {r6}, {hi}
             mulx {r2}, {lo}, {r3}
             adc {r2}, 0
             mulx {hi}, rdx, {r0}
             add {r4}, rdx
             adc {r5}, {hi}
             adc {r6}, {lo}
             adc {r2}, 0
             mov {lo}, {r6}
             shr {lo}, 63
             btr {r6}, 63
             lea {r2}, [{lo} + 2 * {r2}]
             lea {lo}, [{r2} + 8 * {r2}]
             lea {r2}, [{r2} + 2 * {lo}]
             mov {r0}, {r1}
             add {r0}, {r2}
             mov {r1}, {r4}
             adc {r1}, 0
             mov {r2}, {r5}
             adc {r2}, 0
             mov {r3}, {r6}
             adc {r3}, 0
             mov [{p}], {r0}
             mov [{p} + 8], {r1}
             mov [{p} + 16], {r2}
             mov [{p} + 24], {r3}\n",
        )
    };
}
pub(super) use square_again;
