//! What the vector tests share: one signature put to every way of verifying it, under every
//! profile and every form of the key.

#![allow(dead_code, reason = "features leave out files that use it")]

use ed25519::signature::MultipartVerifier;
use lanner_ed25519::profile::{self, Profile, ProfileName};
use lanner_ed25519::{
    ProfileVerifier, PublicKey, Signature, StreamVerifier, Verifier, VerifyingKey,
};

/// The verdicts of one profile in every form.
type Verdicts = fn(&VerifyingKey, &[u8], &[u8], &Signature) -> Forms;

/// What was decided on a signature, taken as one of Ed25519, of Ed25519ctx and of Ed25519ph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Forms {
    pub(crate) pure: bool,
    pub(crate) ctx: bool,
    #[cfg(feature = "digest")]
    pub(crate) prehashed: bool,
}

/// Under the profile of this type, and of its name, with tables and without: all must agree.
fn typed<P: Profile>(
    profile: P,
    key: &VerifyingKey,
    context: &[u8],
    msg: &[u8],
    sig: &Signature,
) -> Forms {
    let forms = every_form(key.under(profile), context, msg, sig);
    let name: ProfileName = P::NAME.as_str().parse().expect("a profile of this name");
    let named = key.under(name).verify(msg, sig).is_ok();
    assert_eq!(named, forms.pure, "by name, {name}: {key:?} {sig:?}");
    let from_bytes = VerifyingKey::verify_from_bytes(key.as_bytes(), profile, msg, sig).is_ok();
    assert_eq!(
        from_bytes, forms.pure,
        "from bytes, {name}: {key:?} {sig:?}"
    );
    #[cfg(feature = "fast")]
    {
        let prepared = lanner_ed25519::PreparedVerifyingKey::new(key);
        let with_tables = every_form(prepared.under(profile), context, msg, sig);
        assert_eq!(with_tables, forms, "tables, {name}: {key:?} {sig:?}");
    }
    forms
}

/// Every way to verify at once, in parts and in pieces, which must agree.
fn every_form<K: PublicKey>(
    key: ProfileVerifier<K>,
    context: &[u8],
    msg: &[u8],
    sig: &Signature,
) -> Forms {
    let in_pieces = |verifier: Result<StreamVerifier<K>, _>| {
        verifier.and_then(|mut verifier| {
            msg.chunks(7).for_each(|chunk| verifier.update(chunk));
            verifier.finalize_and_verify()
        })
    };
    let pure = key.verify(msg, sig).is_ok();
    assert_eq!(Verifier::verify(&key, msg, sig).is_ok(), pure, "{key:?}");
    let (head, tail) = msg.split_at(msg.len() / 3);
    let parts = key.multipart_verify(&[head, b"", tail], sig);
    assert_eq!(parts.is_ok(), pure, "{key:?} in parts");
    let ctx = key.verify_ctx(context, msg, sig).is_ok();
    let streamed = in_pieces(key.verify_stream(sig)).is_ok();
    assert_eq!(streamed, pure, "{key:?} in pieces");
    let streamed = in_pieces(key.verify_stream_ctx(context, sig)).is_ok();
    assert_eq!(streamed, ctx, "{key:?} with a context, in pieces");
    Forms {
        pure,
        ctx,
        #[cfg(feature = "digest")]
        prehashed: {
            use lanner_ed25519::{Digest, DigestVerifier, Sha512};
            let hash = || Sha512::new_with_prefix(msg);
            let absorb = |hash: &mut Sha512| {
                Digest::update(hash, msg);
                Ok(())
            };
            let without = key.verify_prehashed(hash(), None, sig).is_ok();
            let digest = key.verify_digest(absorb, sig).is_ok();
            assert_eq!(digest, without, "{key:?} by a closure");
            key.verify_prehashed(hash(), Some(context), sig).is_ok()
        },
    }
}

/// The names of the profiles, spelled out, with the types that bear them.
pub(crate) const PROFILES: &[(&str, Verdicts)] = &[
    ("rfc8032", |k, c, m, s| typed(profile::Rfc8032, k, c, m, s)),
    ("rfc8032-cofactorless", |k, c, m, s| {
        typed(profile::Rfc8032Cofactorless, k, c, m, s)
    }),
    ("dalek", |k, c, m, s| typed(profile::Dalek, k, c, m, s)),
    ("strict", |k, c, m, s| typed(profile::Strict, k, c, m, s)),
    ("zip215", |k, c, m, s| typed(profile::Zip215, k, c, m, s)),
    ("donna", |k, c, m, s| typed(profile::Donna, k, c, m, s)),
    ("libsodium", |k, c, m, s| {
        typed(profile::Libsodium, k, c, m, s)
    }),
    #[cfg(feature = "unstable-profiles")]
    ("simd0376-2026", |k, c, m, s| {
        typed(profile::Simd0376, k, c, m, s)
    }),
];

/// The profile that `verify` and its like follow in this build.
pub(crate) fn drop_in() -> &'static str {
    if cfg!(feature = "legacy_compatibility") {
        "donna"
    } else {
        "dalek"
    }
}

/// Puts a signature to every profile and to the drop-in names, and compares
/// with what is stated. `stated` may leave a profile out with `None`.
pub(crate) fn check(
    case: &str,
    key: &[u8; 32],
    msg: &[u8],
    sig: &[u8; 64],
    stated: impl Fn(&str) -> Option<bool>,
) {
    let signature = Signature::from_bytes(sig);
    let Ok(decoded) = VerifyingKey::from_bytes(key) else {
        for (name, _) in PROFILES {
            assert_ne!(
                stated(name),
                Some(true),
                "{case}: {name} accepts, but no such key"
            );
        }
        return;
    };
    for (name, typed) in PROFILES {
        let verdict = typed(&decoded, b"a context", msg, &signature).pure;
        if let Some(stated) = stated(name) {
            assert_eq!(verdict, stated, "{case}: {name}");
        }
    }
    if let Some(stated) = stated(drop_in()) {
        assert_eq!(
            decoded.verify(msg, &signature).is_ok(),
            stated,
            "{case}: verify"
        );
        #[cfg(feature = "hazmat")]
        {
            let streamed = decoded.verify_stream(&signature).and_then(|mut verifier| {
                verifier.update(msg);
                verifier.finalize_and_verify()
            });
            assert_eq!(streamed.is_ok(), stated, "{case}: verify_stream");
        }
    }
    let strict = stated(if cfg!(feature = "legacy_compatibility") {
        "strict-legacy"
    } else {
        "strict"
    });
    if let Some(stated) = strict {
        let verdict = decoded.verify_strict(msg, &signature);
        assert_eq!(verdict.is_ok(), stated, "{case}: verify_strict");
    }
}
