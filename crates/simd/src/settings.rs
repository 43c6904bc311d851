//! Which backends a build has: settings of the compiler leave some out.
//!
//! They are read here alone, as constants, so that what they leave out is dropped where it is asked for: by
//! [`crate::backend::list`], which documents them, and by the `detect` of witnesses.

/// A build with one way to do the work, and no other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Only {
    Portable(Words),
    Fiat(Words),
}

/// The words that limbs are kept in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    /// Those of the target.
    Native,
    Of64,
    Of32,
}

/// The settings of curve25519-dalek that say how wide limbs are.
const DALEK_WORDS: Words = if cfg!(curve25519_dalek_bits = "32") {
    Words::Of32
} else if cfg!(curve25519_dalek_bits = "64") {
    Words::Of64
} else {
    Words::Native
};

const ONLY: Option<Only> = if cfg!(lanner_backend = "portable") {
    Some(Only::Portable(Words::Native))
} else if cfg!(lanner_backend = "portable64") {
    Some(Only::Portable(Words::Of64))
} else if cfg!(lanner_backend = "portable32") {
    Some(Only::Portable(Words::Of32))
} else if cfg!(lanner_backend = "fiat") {
    Some(Only::Fiat(Words::Native))
} else if cfg!(lanner_backend = "fiat64") {
    Some(Only::Fiat(Words::Of64))
} else if cfg!(lanner_backend = "fiat32") {
    Some(Only::Fiat(Words::Of32))
} else if cfg!(curve25519_dalek_backend = "fiat") {
    Some(Only::Fiat(DALEK_WORDS))
} else if cfg!(any(
    curve25519_dalek_backend = "serial",
    // Without vectors for it there, either.
    curve25519_dalek_bits = "32"
)) {
    Some(Only::Portable(DALEK_WORDS))
} else {
    None
};

#[cfg(all(
    any(
        lanner_backend = "portable64",
        lanner_backend = "fiat64",
        curve25519_dalek_bits = "64"
    ),
    not(target_pointer_width = "64")
))]
compile_error!(
    "limbs of 64 bits are for 64-bit targets: lanner_backend must be \"portable\" or \"fiat\" here, and \
     curve25519_dalek_bits \"32\" or nothing"
);

#[cfg(all(
    curve25519_dalek_bits = "32",
    any(
        curve25519_dalek_backend = "simd",
        curve25519_dalek_backend = "avx512",
        curve25519_dalek_backend = "unstable_avx512"
    )
))]
compile_error!(
    "curve25519_dalek_backend asks for vectors, and curve25519_dalek_bits = \"32\" for none: one of them must go"
);

const NATIVE_64: bool = cfg!(target_pointer_width = "64");

impl Words {
    const fn are_64(self) -> bool {
        match self {
            Self::Native => NATIVE_64,
            Self::Of64 => true,
            Self::Of32 => false,
        }
    }
}

/// The verified code is compiled in.
pub(crate) const FIAT: bool = cfg!(feature = "fiat") || matches!(ONLY, Some(Only::Fiat(_)));

/// What the settings leave in of the portable backends, of those with verified code (as limbs of 64 and of 32 bits), and
/// of instruction sets.
const LEFT: ([bool; 2], [bool; 2], bool) = match ONLY {
    Some(Only::Portable(words)) => ([words.are_64(), !words.are_64()], [false; 2], false),
    Some(Only::Fiat(words)) => ([false; 2], [words.are_64(), !words.are_64()], false),
    None => ([true; 2], [FIAT; 2], true),
};

pub(crate) const PORTABLE_64: bool = LEFT.0[0] && NATIVE_64;
/// Also where the target has wider limbs, for tests, unless that is not wanted.
pub(crate) const PORTABLE_32: bool =
    LEFT.0[1] && !(LEFT.2 && NATIVE_64 && cfg!(lanner_without = "portable32"));
pub(crate) const FIAT_64: bool = LEFT.1[0] && NATIVE_64;
pub(crate) const FIAT_32: bool = LEFT.1[1];

/// Assembly in the place of portable code, of instructions that every processor of the target has.
pub(crate) const PRODUCTS: bool = LEFT.2;
/// Portable code that the compiler may give the instructions BMI1 and BMI2.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
pub(crate) const BMI: bool = PORTABLE_64;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
pub(crate) const ADX: bool = LEFT.2 && !cfg!(lanner_without = "adx");
#[allow(dead_code)] // Elsewhere.
pub(crate) const AVX2: bool = LEFT.2 && !cfg!(lanner_without = "avx2");
/// Beside its vectors it has those of AVX2, and single elements of the field as with ADX.
#[allow(dead_code)] // Elsewhere.
pub(crate) const AVX512: bool = ADX && AVX2 && !cfg!(lanner_without = "avx512");

/// The vectors that every processor of the target has.
pub(crate) const BASELINE: bool = LEFT.2
    && !cfg!(any(
        all(
            any(target_arch = "x86", target_arch = "x86_64"),
            lanner_without = "sse2"
        ),
        all(target_arch = "aarch64", lanner_without = "neon"),
        all(target_family = "wasm", lanner_without = "simd128"),
    ));

/// Vectors are taken where nobody asked for them. In code that is not optimised every step of theirs has a place of its own on the
/// stack, which comes to megabytes, and they are slower than words. What compilers tell is whether debug assertions are in.
pub(crate) const VECTORS: bool = !cfg!(debug_assertions);
