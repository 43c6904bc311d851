//! `ExpandedSecretKey` of ed25519-dalek 1, which signs beside a public key that is given.

use lanner_curve::Scalar;
use lanner_ed25519 as own;
use lanner_ed25519::hazmat;
use lanner_interop::{array, bytes, start};

use crate::ed25519::pair;
use crate::page::{Rows, new, old};

/// Those of a seed.
fn both(seed: &[u8; 32]) -> (dalek_1::ExpandedSecretKey, hazmat::ExpandedSecretKey) {
    (
        dalek_1::ExpandedSecretKey::from(&pair(seed).0.secret),
        hazmat::ExpandedSecretKey::from(seed),
    )
}

/// Public keys for both: the right one of a seed, or another.
fn publics(seed: &[u8; 32]) -> (dalek_1::PublicKey, own::VerifyingKey) {
    let (old, new) = pair(seed);
    (old.public, new.verifying_key())
}

pub(crate) fn rows(rows: &mut Rows, rng: &mut fastrand::Rng) {
    rows.row(|| {
        let seed = array(rng);
        let theirs = {
            use dalek_1::ExpandedSecretKey;
            let secret = dalek_1::SecretKey::from_bytes(&seed)?;
            old!(ExpandedSecretKey::from(&secret)).to_bytes()
        };
        let secret = seed;
        let ours = new!(hazmat::ExpandedSecretKey::from(&secret));
        assert_eq!(ours.hash_prefix, theirs[32..]);
        Ok(())
    });
    rows.row(|| {
        use hazmat::ExpandedSecretKey;
        for _ in 0..20 {
            let array = both(&array(rng)).0.to_bytes();
            let slice = &array[..];
            let expanded = {
                use dalek_1::ExpandedSecretKey;
                old!(ExpandedSecretKey::from_bytes(slice)?)
            };
            let theirs = expanded.sign(b"m", &dalek_1::PublicKey::from(&expanded));
            for ours in [
                new!(ExpandedSecretKey::from_bytes(&array)),
                new!(ExpandedSecretKey::from_slice(slice)?),
            ] {
                assert_eq!(ours.sign(b"m").to_bytes(), theirs.to_bytes());
            }
        }
        for length in [0, 63, 65] {
            let slice = &[1; 65][..length];
            assert!(dalek_1::ExpandedSecretKey::from_bytes(slice).is_err());
            assert!(ExpandedSecretKey::from_slice(slice).is_err());
        }
        Ok(())
    });
    rows.row(|| {
        for _ in 0..20 {
            let (expanded, ours) = both(&array(rng));
            let theirs = old!(expanded.to_bytes());
            let hazmat::ExpandedSecretKey {
                scalar,
                hash_prefix,
            } = &ours;
            let [mut clamped, mut prefix] = [[0; 32]; 2];
            clamped.copy_from_slice(&theirs[..32]);
            prefix.copy_from_slice(&theirs[32..]);
            // Clamped there, which is more than L, and reduced here.
            assert_eq!((clamped[0] & 7, clamped[31] >> 6), (0, 1));
            assert_ne!(scalar.to_bytes(), clamped);
            assert_eq!(*new!(scalar), Scalar::from_bytes_mod_order(clamped));
            assert_eq!(*new!(hash_prefix), prefix);
        }
        Ok(())
    });
    rows.row(|| {
        use {dalek_1::PublicKey, own::VerifyingKey};
        let theirs =
            |expanded: dalek_1::ExpandedSecretKey| old!(PublicKey::from(&expanded)).to_bytes();
        let ours =
            |expanded: hazmat::ExpandedSecretKey| new!(VerifyingKey::from(&expanded)).to_bytes();
        for _ in 0..20 {
            let (old, new) = both(&array(rng));
            assert_eq!(theirs(old), ours(new));
            // Of a scalar that is not clamped it is the key of another one there, which is as `from_bytes` here.
            let bytes = array(rng);
            let old = dalek_1::ExpandedSecretKey::from_bytes(&bytes)?;
            assert_eq!(
                theirs(old),
                ours(hazmat::ExpandedSecretKey::from_bytes(&bytes))
            );
        }
        Ok(())
    });
    rows.row(|| {
        use own::Sha512;
        for length in 0..100 {
            let seed = array(rng);
            let m = &*bytes(rng, length);
            // Also beside the public key of another.
            for of in [seed, array(rng)] {
                let (public, key) = publics(&of);
                let (expanded, ours) = both(&seed);
                let theirs = old!(expanded.sign(m, &public)).to_bytes();
                let expanded = ours;
                let raw = new!(hazmat::raw_sign::<Sha512>(&expanded, m, &key));
                assert_eq!(raw.to_bytes(), theirs);
                let derived = new!(expanded.sign(m)).to_bytes();
                assert_eq!(derived == theirs, of == seed);
            }
        }
        Ok(())
    });
    rows.row(|| {
        for length in [0, 1, 255, 256] {
            let (seed, context, m) = (array(rng), bytes(rng, length), bytes(rng, 50));
            for (of, ctx) in [(seed, Some(&*context)), (array(rng), None)] {
                let (public, key) = publics(&of);
                let (expanded, ours) = both(&seed);
                let theirs = || -> Result<_, dalek_1::SignatureError> {
                    use dalek_1::{Digest as _, Sha512};
                    let hash = Sha512::new().chain(&m);
                    Ok(old!(expanded.sign_prehashed(hash, &public, ctx)?).to_bytes())
                };
                let theirs = theirs().ok();
                let expanded = ours;
                let ours = || -> Result<_, own::SignatureError> {
                    use own::{Digest as _, Sha512};
                    let hash = Sha512::new_with_prefix(&m);
                    let sig = new!(hazmat::raw_sign_prehashed::<Sha512, Sha512>(
                        &expanded, hash, &key, ctx
                    )?);
                    Ok(sig.to_bytes())
                };
                assert_eq!(theirs, ours().ok());
                assert_eq!(ours().is_ok(), ctx.is_none_or(|ctx| ctx.len() < 256));
            }
        }
        Ok(())
    });
}

/// The scalar as it stands there, with the top bit left out, is the one that version 1 multiplies by: what the page's program does.
#[test]
fn scalars_that_are_not_clamped_have_their_program() {
    use own::Sha512;
    let rng = &mut start("unclamped");
    for length in 0..50 {
        let bytes: [u8; 64] = array(rng);
        let m = lanner_interop::bytes(rng, length);
        let (public, key) = publics(&array(rng));
        let theirs = dalek_1::ExpandedSecretKey::from_bytes(&bytes).expect("64 bytes");
        let theirs = theirs.sign(&m, &public).to_bytes();
        let [mut scalar, mut hash_prefix] = [[0; 32]; 2];
        scalar.copy_from_slice(&bytes[..32]);
        hash_prefix.copy_from_slice(&bytes[32..]);
        scalar[31] &= 0x7f;
        let ours = hazmat::ExpandedSecretKey {
            scalar: Scalar::from_bytes_mod_order(scalar),
            hash_prefix,
        };
        let raw = |expanded| hazmat::raw_sign::<Sha512>(expanded, &m, &key).to_bytes();
        assert_eq!(raw(&ours), theirs);
        // Random bytes are clamped once in 32 times.
        let clamped = (scalar[0] & 7, scalar[31] >> 6) == (0, 1);
        let taken = hazmat::ExpandedSecretKey::from_bytes(&bytes);
        assert_eq!(raw(&taken) == theirs, clamped);
    }
}
