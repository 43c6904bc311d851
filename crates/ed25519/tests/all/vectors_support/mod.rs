//! What the vector tests share: one signature put to every way of verifying it.

#![allow(dead_code, reason = "features leave out files that use it")]

use lanner_ed25519::profile::{self, Profile, ProfileName};
use lanner_ed25519::{Signature, SignatureError, Verifier, VerifyingKey};

/// A verdict of one profile.
type Verify = fn(&VerifyingKey, &[u8], &Signature) -> Result<(), SignatureError>;

fn typed<P: Profile>(
    key: &VerifyingKey,
    msg: &[u8],
    sig: &Signature,
) -> Result<(), SignatureError> {
    key.verify_with::<P>(msg, sig)
}

/// The names of the profiles, spelled out, with the types that bear them.
pub(crate) const PROFILES: &[(&str, Verify)] = &[
    ("rfc8032", typed::<profile::Rfc8032>),
    (
        "rfc8032-cofactorless",
        typed::<profile::Rfc8032Cofactorless>,
    ),
    ("dalek", typed::<profile::Dalek>),
    ("strict", typed::<profile::Strict>),
    ("zip215", typed::<profile::Zip215>),
    ("donna", typed::<profile::Donna>),
    ("libsodium", typed::<profile::Libsodium>),
    #[cfg(feature = "unstable-profiles")]
    ("simd0376-2026", typed::<profile::Simd0376>),
];

/// The profile that `verify` and its like follow in this build.
pub(crate) fn drop_in() -> &'static str {
    if cfg!(feature = "legacy_compatibility") {
        "donna"
    } else {
        "dalek"
    }
}

/// The verdict of every way to verify a message at once or in pieces under a
/// profile; all must agree.
fn verdict(name: &str, typed: Verify, key: &VerifyingKey, msg: &[u8], sig: &Signature) -> bool {
    let verdict = typed(key, msg, sig).is_ok();
    let by_name: ProfileName = name.parse().expect("a profile of this name");
    assert_eq!(
        key.verify_by_name(by_name, msg, sig).is_ok(),
        verdict,
        "{name}: by its name"
    );

    for piece in [1, 7, 1000] {
        let streamed = key
            .verify_stream_by_name(by_name, sig)
            .and_then(|mut verifier| {
                msg.chunks(piece).for_each(|chunk| verifier.update(chunk));
                verifier.finalize_and_verify()
            });
        assert_eq!(
            streamed.is_ok(),
            verdict,
            "{name}: streamed in pieces of {piece}"
        );
    }
    verdict
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
        let verdict = verdict(name, *typed, &decoded, msg, &signature);
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
