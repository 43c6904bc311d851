//! The rules of the profiles, once for every face. `cargo xtask tables` reads this file too, and writes
//! from it what the npm package takes: so it needs nothing but the language.

/// What S may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScalarRule {
    /// S < L.
    Reduced,
    /// The top three bits are clear: S < 2^253. S counts modulo L.
    Below253Bits,
}

/// A profile as data. One verification core reads it, so that single,
/// streaming, prehashed and batch verification cannot differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Multiply the equation by the cofactor 8.
    pub(crate) cofactored: bool,
    pub(crate) scalar: ScalarRule,
    /// Accept an A or an R whose order divides 8.
    pub(crate) small_order: bool,
    pub(crate) non_canonical_key: bool,
    /// Meaningful for cofactored rules: the others compare bytes with a
    /// canonical encoding.
    pub(crate) non_canonical_r: bool,
}

pub(crate) const DALEK: Rules = Rules {
    cofactored: false,
    scalar: ScalarRule::Reduced,
    small_order: true,
    non_canonical_key: true,
    non_canonical_r: false,
};

pub(crate) const STRICT: Rules = Rules {
    small_order: false,
    ..DALEK
};

pub(crate) const ZIP215: Rules = Rules {
    cofactored: true,
    non_canonical_r: true,
    ..DALEK
};

pub(crate) const RFC8032: Rules = Rules {
    cofactored: true,
    non_canonical_key: false,
    ..DALEK
};

/// Hands the table of the profiles to a macro: documentation, type, name and rules of each.
macro_rules! profile_table {
    ($take:ident) => {
        $take! {
            /// `rfc8032`: RFC 8032 section 5.1.7 to the letter, with the cofactored
            /// equation that it states first. Points must be encoded canonically and
            /// S must be below L. Weak keys are accepted.
            Rfc8032, "rfc8032", RFC8032;

            /// `rfc8032-cofactorless`: as [`Rfc8032`], with the equation that the RFC
            /// calls sufficient.
            Rfc8032Cofactorless, "rfc8032-cofactorless", Rules { cofactored: false, ..RFC8032 };

            /// `dalek`: the rule of ed25519-dalek's `verify`, of Go's
            /// `crypto/ed25519`, OpenSSL and BoringSSL. Any encoding of A, weak keys
            /// included; R is compared as bytes.
            Dalek, "dalek", DALEK;

            /// `strict`: the rule of ed25519-dalek's `verify_strict`, that is
            /// [`Dalek`] without A or R of small order. A non-canonical A of large
            /// order is accepted.
            Strict, "strict", STRICT;

            /// `zip215`: the rule of [ZIP 215](https://zips.z.cash/zip-0215), made for
            /// consensus: cofactored, any encoding of A and R.
            Zip215, "zip215", ZIP215;

            /// `donna`: the rule of ed25519-donna, that is [`Dalek`] with the only
            /// check of S that its top three bits are clear, so that S and S + L are
            /// both valid.
            Donna, "donna", Rules { scalar: ScalarRule::Below253Bits, ..DALEK };

            /// `libsodium`: cofactorless, S below L, and A and R neither of small
            /// order nor encoded non-canonically.
            Libsodium, "libsodium", Rules { non_canonical_key: false, ..STRICT };

            /// `simd0376-2026`: the rule proposed by the amendment of Solana's
            /// SIMD-0376: cofactored, S below L, and A and R neither of small order
            /// nor encoded non-canonically. The proposal is open, so this profile may
            /// change in any release.
            #[cfg(feature = "unstable-profiles")]
            Simd0376, "simd0376-2026", Rules { small_order: false, ..RFC8032 };
        }
    };
}

pub(crate) use profile_table;
