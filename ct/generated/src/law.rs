//! What the generated code must be, as data. Functions are named as the compiler prints them; `*` stands for
//! anything.

use crate::flow::Arguments;

/// A function and why it may be what it is.
pub(crate) type Reason = (&'static str, &'static str);

/// Intrinsics that may be functions.
pub(crate) const INTRINSICS: &[Reason] = &[(
    "core::core_arch::x86::xsave::_xgetbv",
    "detection reads a register of the system once",
)];

/// Functions of WebAssembly that may call intrinsics: they are run so seldom that a call does not count. Where
/// the whole module is compiled for vectors, as the package's are, these are no calls either.
pub(crate) const CALLERS: &[Reason] = &[
    (
        "<lanner_fn_dsa::ffsampling::FfSampling<*>>::root_2",
        "cold: signing at degree 2 alone",
    ),
    (
        "<lanner_fn_dsa::sampler::*>::below",
        "cold: an attempt within 2^-39 of its threshold",
    ),
];

/// A function that spills.
pub(crate) struct Spills {
    pub(crate) what: &'static str,
    pub(crate) function: &'static str,
    pub(crate) at_most: usize,
}

/// Hot loops, innermost first. Of what a function is for it is told by its type, and by the instruction set in
/// it. The numbers have a headroom of about a third over what the compiler makes of the code today, since each
/// new compiler allots registers a little differently; a function in which a vector no longer stays in
/// registers spills several times as often.
pub(crate) const SPILLS: &[Spills] = &[
    spills(
        "a product or square of four elements, AVX2",
        "*::outline::inside::<lanner_curve::field::lanes::double51::*",
        12,
    ),
    spills(
        "a step of one ladder, AVX-512",
        "*::inside::<*ladder::Ladder<*Avx512*>*",
        24,
    ),
    spills(
        "steps of eight ladders, AVX-512",
        "*::inside::<*ladder::Ladders*Avx512*>*",
        160,
    ),
    spills(
        "a prepared equation, AVX-512",
        "*::inside::<*prepared::VartimeMul*Avx512*>*",
        12,
    ),
    spills(
        "SHA-512 of four messages, AVX2",
        "*::inside::<*Widest<lanner_hash::sha512::*Avx2>>",
        48,
    ),
    spills(
        "SHA-512 of four messages, AVX-512",
        "*::inside::<*Four<lanner_hash::sha512::*Avx512>>",
        12,
    ),
    spills(
        "SHA-512 of eight messages, AVX-512",
        "*::inside::<*Widest<lanner_hash::sha512::*Avx512>>",
        16,
    ),
    spills(
        "the transform modulo 12289",
        "*::inside::<*lanner_fn_dsa::ntt::ToValues,*Avx2>>",
        16,
    ),
    spills(
        "its inverse",
        "*::inside::<*lanner_fn_dsa::ntt::ToCoefficients,*Avx2>>",
        16,
    ),
    spills(
        "Fourier sampling, AVX2",
        "*::inside::<*lanner_fn_dsa::ffsampling::*<*F64x4*>*",
        16,
    ),
    spills(
        "what signing does before and after, AVX2",
        "*::inside::<lanner_fn_dsa::sign::*F64x4>>",
        16,
    ),
    spills(
        "a transform of key generation in fixed point, AVX2",
        "*::outline::inside::<*lanner_fn_dsa::keygen::fxp::*Avx2>>",
        12,
    ),
    spills(
        "a transform of key generation modulo a prime, AVX2",
        "*::outline::inside::<*lanner_fn_dsa::keygen::ntt31::*Avx2>>",
        12,
    ),
    spills(
        "a table of key generation, AVX2",
        "*::outline::inside::<*lanner_fn_dsa::keygen::mp31::*Avx2>>",
        12,
    ),
    spills(
        "polynomials of key generation, AVX2",
        "*::outline::inside::<*lanner_fn_dsa::keygen::poly::*Avx2>>",
        12,
    ),
    spills(
        "values drawn for a key, AVX2",
        "*::outline::inside::<*lanner_fn_dsa::keygen::gauss::*Avx2>>",
        12,
    ),
    // Arrays of digits, whose number is known when it runs.
    spills(
        "numbers of key generation in planes, AVX2",
        "*::outline::inside::<*lanner_fn_dsa::keygen::planes::*Avx2>>",
        20,
    ),
    // Ten sums stay in registers in the loop of products; afterwards, once for two limbs, they do not.
    spills(
        "k f, AVX2",
        "*::outline::inside::<*lanner_fn_dsa::keygen::rows::*Avx2>>",
        25,
    ),
];

const fn spills(what: &'static str, function: &'static str, at_most: usize) -> Spills {
    Spills {
        what,
        function,
        at_most,
    }
}

/// A function from which constant-time code is followed.
pub(crate) struct Root {
    pub(crate) function: &'static str,
    pub(crate) arguments: Arguments,
}

const fn root(function: &'static str) -> Root {
    Root {
        function,
        arguments: Arguments::Public,
    }
}

pub(crate) const ROOTS: &[Root] = &[
    // Scalars.
    root("<lanner_curve::scalar::Scalar>::from_bytes_mod_order_wide"),
    root("<lanner_curve::scalar::Scalar>::mul_add"),
    root("<lanner_curve::scalar::Scalar>::invert"),
    root("<lanner_curve::scalar::Scalar>::invert_batch_alloc"),
    root("<lanner_curve::scalar::Scalar as core::cmp::PartialEq>::eq"),
    // Points.
    choice(
        "<lanner_curve::edwards::EdwardsPoint as subtle::ConditionallySelectable>::conditional_select",
    ),
    root("<lanner_curve::edwards::EdwardsPoint as subtle::ConstantTimeEq>::ct_eq"),
    choice(
        "<lanner_curve::montgomery::MontgomeryPoint as subtle::ConditionallySelectable>::conditional_select",
    ),
    root("<lanner_curve::montgomery::MontgomeryPoint as subtle::ConstantTimeEq>::ct_eq"),
    root(
        "<lanner_curve::edwards::compressed::CompressedEdwardsY as subtle::ConstantTimeEq>::ct_eq",
    ),
    root("<lanner_curve::edwards::compressed::CompressedEdwardsY>::decompress"),
    root("<lanner_curve::edwards::EdwardsPoint>::compress"),
    root("<lanner_curve::edwards::EdwardsPoint>::compress_batch_alloc"),
    root("<lanner_curve::edwards::EdwardsPoint>::is_small_order"),
    root("<lanner_curve::edwards::EdwardsPoint>::is_torsion_free"),
    root("<lanner_curve::edwards::EdwardsPoint>::mul_base"),
    root("<lanner_curve::edwards::EdwardsPoint>::mul_base_clamped"),
    root("lanner_curve::edwards::base::mul_base"),
    root("<lanner_curve::edwards::EdwardsPoint>::mul_base_pair"),
    root("<lanner_curve::edwards::EdwardsPoint>::mul_by_cofactor"),
    root("<lanner_curve::edwards::EdwardsPoint>::mul_clamped"),
    root("<lanner_curve::edwards::EdwardsPoint>::mul_integer"),
    root("<lanner_curve::edwards::EdwardsPoint>::to_montgomery"),
    root("<&lanner_curve::edwards::EdwardsPoint as core::ops::arith::*>::*"),
    root("<lanner_curve::montgomery::MontgomeryPoint>::mul_base"),
    root("<lanner_curve::montgomery::MontgomeryPoint>::mul_base_clamped"),
    root("<lanner_curve::montgomery::MontgomeryPoint>::mul_clamped"),
    root("<lanner_curve::montgomery::MontgomeryPoint>::mul_integer"),
    root("<lanner_curve::montgomery::MontgomeryPoint>::to_edwards"),
    // The schemes over the curve.
    root("lanner_x25519::x25519::x25519"),
    root("<lanner_ed25519::signing::SigningKey>::from_bytes"),
    root(
        "<lanner_ed25519::signing::SigningKey as signature::signer::Signer<ed25519::Signature>>::try_sign",
    ),
    root("<lanner_ed25519::signing::SigningKey as subtle::ConstantTimeEq>::ct_eq"),
    // FN-DSA
    held("*::outline::*<*lanner_fn_dsa::keygen::fxp::*"),
    held("*::outline::*<*lanner_fn_dsa::keygen::ntt31::*"),
    held("*::outline::*<*lanner_fn_dsa::keygen::planes::Put*"),
    held("*::outline::*<*lanner_fn_dsa::keygen::rows::*"),
    held("*::inside::<*lanner_fn_dsa::ntt::*To*"),
    held("*::outline::<*lanner_fn_dsa::ntt::*To*"),
    held("*::inside::<*ladder::Ladders*"),
];

const fn choice(function: &'static str) -> Root {
    Root {
        function,
        arguments: Arguments::Choice,
    }
}

const fn held(function: &'static str) -> Root {
    Root {
        function,
        arguments: Arguments::Held,
    }
}

/// Functions that are not followed, because they see nothing secret.
pub(crate) const OPEN: &[Reason] = &[
    (
        "*::backend::active",
        "which backend works, a choice of the process",
    ),
    (
        "*::backend::choose",
        "which backend works, before the first use",
    ),
    ("*::init_get::init_inner", "which processor this is"),
    ("__rustc::*", "memory from the allocator, by a length"),
    ("alloc::*", "memory from the allocator, by a length"),
];

/// Functions that end the program: nothing comes after them.
pub(crate) const ENDS: &[&str] = &[
    "core::panicking::*",
    "core::slice::index::slice_*_fail",
    "core::option::*_failed",
    "core::result::unwrap_failed",
    "core::cell::panic*",
];

/// A function in which some places are not told to be public by the machine, but are.
pub(crate) struct Public {
    pub(crate) function: &'static str,
    pub(crate) at_most: usize,
    pub(crate) reason: &'static str,
}

/// A place is a branch, a division, a call, or how many bytes are copied or filled. The numbers are those of today's compiler, and more is a finding.
pub(crate) const PUBLIC: &[Public] = &[
    public(
        "<lanner_curve::edwards::compressed::CompressedEdwardsY>::decompress",
        6,
        "whether an encoding is that of a point, on each backend",
    ),
    public(
        "<lanner_curve::montgomery::MontgomeryPoint>::to_edwards",
        6,
        "whether the point is on the curve, on each backend",
    ),
    public(
        "<lanner_curve::edwards::EdwardsPoint>::compress_batch_alloc",
        2,
        "a panic gives back memory of the allocator, if there is any",
    ),
    public(
        "<lanner_curve::scalar::Scalar>::invert_batch_alloc",
        1,
        "memory from the allocator, by a length",
    ),
    public(
        "<lanner_curve::edwards::EdwardsPoint>::mul_integer::{closure#0}",
        1,
        SLOT,
    ),
    // Up to four in each representation of the field: before the bits and after one, before the doublings and after
    // one.
    public(
        "<lanner_curve::montgomery::MontgomeryPoint>::ladder::<*>::{closure#1}::{closure#0}",
        14,
        SLOT,
    ),
    public(
        "lanner_curve::edwards::variable_base::mul::<*Field25>",
        2,
        SLOT,
    ),
    public("lanner_curve::edwards::torsion::mul_by_order::<*>", 3, SLOT),
    public(
        "<lanner_ed25519::domain::Domain>::start::<*",
        5,
        "the length of a context, and how much of a block a hash has taken in",
    ),
    public("*::stack::outlined::<*sign_by_update<*", 25, MESSAGE),
    public("lanner_ed25519::expanded::hash_output::<*", 2, MESSAGE),
    public("lanner_ed25519::verify::challenge_hash::<*", 7, MESSAGE),
    public("sha2::sha512::soft::unroll::compress", 2, MESSAGE),
    public("*::outline::*<*lanner_fn_dsa::keygen::fxp::*", 1, LENGTH),
];

const SLOT: &str = "the counter of a loop, in a slot of the stack just above an array that is filled through its address";
const MESSAGE: &str = "lengths of messages, and how much of a block a hash has taken in";
const LENGTH: &str = "a length that the operation holds, and whether its slices overlap";

const fn public(function: &'static str, at_most: usize, reason: &'static str) -> Public {
    Public {
        function,
        at_most,
        reason,
    }
}

/// Whether a name is that of an entry.
pub(crate) fn is_allowed(entries: &[Reason], name: &str) -> bool {
    entries.iter().any(|(pattern, _)| matches(pattern, name))
}

/// Whether a function's name says that its time varies.
pub(crate) fn varies(name: &str) -> bool {
    name.contains("vartime") || name.contains("Vartime")
}

/// Whether a name is as the pattern says.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_stand_for_anything() {
        assert!(matches("a::b", "a::b") && !matches("a::b", "a::bc"));
        assert!(matches(
            "*inside::<*Ladder*>",
            "x::inside::<With<Ladders, Y>>"
        ));
        assert!(!matches("a*b*b", "ab") && matches("a*b*b", "abb"));
        assert!(matches("*", "") && !matches("x*", "yx"));
    }
}
