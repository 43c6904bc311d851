//! The reason beside a verdict: none exactly where the verdict is "valid", and the right one elsewhere.

use lanner_ed25519::profile::{Libsodium, ProfileName, Rfc8032, Strict, Zip215};
use lanner_ed25519::{Reason, Signature, Signer, SigningKey, diagnose};
use lanner_vectors::own;

#[test]
fn no_reason_is_a_valid_signature() {
    let mut seen = std::collections::HashSet::new();
    for case in &own::verify().cases {
        for &profile in ProfileName::ALL {
            let signature = Signature::from_bytes(&case.sig);
            let reason = diagnose(&case.key, profile, &case.msg, &signature);
            let accepted = case.accepted_by(profile.as_str());
            assert_eq!(reason.is_none(), accepted, "case {}, {profile}", case.id);
            seen.extend(reason.map(Reason::as_str));
        }
    }
    assert_eq!(seen.len(), 5, "{seen:?}");
}

#[test]
fn reasons() {
    let key = SigningKey::from_bytes(&[5; 32]);
    let (public, good) = (key.verifying_key().to_bytes(), key.sign(b"m").to_bytes());
    let with = |change: fn(&mut [u8; 64])| {
        let mut signature = good;
        change(&mut signature);
        Signature::from_bytes(&signature)
    };
    let good = Signature::from_bytes(&good);
    let one = |encoding: u8| core::array::from_fn(|i| if i == 0 { encoding } else { 0 });
    // y = 2 is on no point, y = 1 is the neutral element, p + 1 another encoding of it.
    assert_eq!(
        diagnose(&one(2), Strict, b"m", &good),
        Some(Reason::KeyEncoding)
    );
    assert_eq!(
        diagnose(&one(1), Strict, b"m", &good),
        Some(Reason::WeakKey)
    );
    assert_eq!(
        diagnose(&one(1), Rfc8032, b"m", &good),
        Some(Reason::Equation)
    );
    let other_one = core::array::from_fn(|i| match i {
        0 => 0xee,
        31 => 0x7f,
        _ => 0xff,
    });
    assert_eq!(
        diagnose(&other_one, Libsodium, b"m", &good),
        Some(Reason::KeyEncoding)
    );
    assert_eq!(
        diagnose(&other_one, Strict, b"m", &good),
        Some(Reason::WeakKey)
    );
    let no_point = with(|s| {
        s[..32].copy_from_slice(&core::array::from_fn::<u8, 32, _>(|i| 2 * u8::from(i == 0)))
    });
    for profile in [ProfileName::Strict, ProfileName::Zip215] {
        assert_eq!(
            diagnose(&public, profile, b"m", &no_point),
            Some(Reason::REncoding)
        );
    }
    let out_of_range = with(|s| s[63] |= 0x40);
    assert_eq!(
        diagnose(&public, Zip215, b"m", &out_of_range),
        Some(Reason::SRange)
    );
    assert_eq!(
        diagnose(&public, Zip215, b"n", &good),
        Some(Reason::Equation)
    );
    assert_eq!(diagnose(&public, Zip215, b"m", &good), None);
}
