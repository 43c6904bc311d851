//! The combination itself, below the thresholds too.

use std::vec::Vec;

use lanner_curve::constants::ED25519_BASEPOINT_POINT;
use lanner_curve::edwards::{CompressedEdwardsY, EdwardsPoint};
use lanner_curve::scalar::Scalar;
use lanner_curve::traits::{Identity, IsIdentity};
use proptest::prelude::*;
use sha2::{Digest, Sha512};

use super::Batch;
use super::coefficients::{Coefficients, Transcript};
use super::combined::coefficients;
use super::{torsion, torsion::PRODUCTS_FROM};
use crate::profile::{Dalek, Profile, ProfileName, Rfc8032, Strict, Zip215};
use crate::{Signature, Signer, SigningKey, VerifyingKey};

/// A point of order 8.
fn order_8() -> EdwardsPoint {
    // [L]P is the torsion component of P times L mod 8.
    (2u8..)
        .filter_map(|y| CompressedEdwardsY([y; 32]).decompress())
        .map(|p| p * -Scalar::ONE + p)
        .find(|p| !(p + p + p + p).is_identity())
        .expect("half of all points have torsion of order 8")
}

fn torsion(class: u8) -> EdwardsPoint {
    (0..class).fold(EdwardsPoint::identity(), |sum, _| sum + order_8())
}

/// A signature by a dishonest signer who adds torsion to A and R, and which
/// satisfies the cofactored equation.
fn torsion_laden(seed: u8, a_class: u8, r_class: u8, message: &[u8]) -> (VerifyingKey, Signature) {
    let secret = Scalar::from(u64::from(seed) + 1);
    let a = ED25519_BASEPOINT_POINT * secret + torsion(a_class);
    let r = ED25519_BASEPOINT_POINT * Scalar::from(77u64) + torsion(r_class);
    let key = VerifyingKey::from(a);
    let hash = Sha512::new()
        .chain_update(r.compress().as_bytes())
        .chain_update(key.as_bytes())
        .chain_update(message);
    let k = Scalar::from_bytes_mod_order_wide(&hash.finalize().into());
    let s = k * secret + Scalar::from(77u64);
    (
        key,
        Signature::from_components(r.compress().0, s.to_bytes()),
    )
}

/// What `then` says of a batch.
fn in_batch<T>(
    profile: ProfileName,
    batch: &[(VerifyingKey, Vec<u8>, Signature)],
    then: impl FnOnce(&Batch) -> T,
) -> T {
    let keys: Vec<_> = batch.iter().map(|item| item.0).collect();
    let messages: Vec<&[u8]> = batch.iter().map(|item| &item.1[..]).collect();
    let signatures: Vec<_> = batch.iter().map(|item| item.2).collect();
    then(&Batch::new(profile, &messages, &signatures, &keys).expect("lengths"))
}

fn combined(profile: ProfileName, batch: &[(VerifyingKey, Vec<u8>, Signature)]) -> bool {
    in_batch(profile, batch, |batch| {
        let mut items = batch.items().expect("there is memory enough");
        items.len() == batch.len() && batch.all_valid(&mut items).expect("there is memory enough")
    })
}

fn singly(profile: ProfileName, batch: &[(VerifyingKey, Vec<u8>, Signature)]) -> bool {
    batch
        .iter()
        .all(|(key, message, signature)| key.under(profile).verify(message, signature).is_ok())
}

fn honest(n: usize) -> Vec<(VerifyingKey, Vec<u8>, Signature)> {
    (0..n)
        .map(|i| {
            // Some keys repeat.
            let key = SigningKey::from_bytes(&[(i / 3) as u8; 32]);
            let message = std::vec![i as u8; i];
            (key.verifying_key(), message.clone(), key.sign(&message))
        })
        .collect()
}

#[test]
fn combination_accepts_honest_signatures() {
    for n in [0, 1, 2, 3, 4, 5, 31, 150, PRODUCTS_FROM] {
        for &profile in ProfileName::ALL {
            assert!(combined(profile, &honest(n)), "{profile} {n}");
        }
    }
}

/// Whole groups and parts of one, which on some processors only a lack of memory leads to.
#[test]
fn one_after_the_other() {
    for n in [1, 16, 17, 40] {
        let mut batch = honest(n);
        batch[n / 2].1.push(0);
        let expected: Vec<bool> = (0..n).map(|i| i != n / 2).collect();
        let mut verdicts = std::vec![true; n];
        for &profile in ProfileName::ALL {
            in_batch(profile, &batch, |batch| batch.verify_singly(&mut verdicts));
            assert_eq!(verdicts, expected, "{profile}");
            in_batch(profile, &batch, |batch| {
                batch.verify_side_by_side(&mut verdicts);
            });
            assert_eq!(verdicts, expected, "{profile}");
        }
    }
}

#[test]
fn combination_refuses_one_wrong_item_among_many() {
    for n in [1, 2, 33, 200] {
        for at in [0, n / 2, n - 1] {
            let mut batch = honest(n);
            batch[at].1.push(0);
            for &profile in ProfileName::ALL {
                assert!(!combined(profile, &batch), "{profile} {n} {at}");
            }
        }
    }
}

/// Every pair of torsion classes, with several values of k: alone, and hidden
/// in batches that are and are not large enough for products over subsets.
#[test]
fn combination_equals_single_on_torsion() {
    let backgrounds = [honest(40), honest(PRODUCTS_FROM)];
    let mut verdicts = [0; 2];
    for a_class in 0..8 {
        for r_class in 0..8 {
            for m in 0..4 {
                let message = std::vec![m];
                let (key, signature) = torsion_laden(m, a_class, r_class, &message);
                let item = (key, message, signature);
                for profile in [Dalek::NAME, Strict::NAME, Rfc8032::NAME, Zip215::NAME] {
                    let expected = singly(profile, core::slice::from_ref(&item));
                    assert_eq!(combined(profile, core::slice::from_ref(&item)), expected);
                    if profile == Dalek::NAME {
                        verdicts[usize::from(expected)] += 1;
                        if m == 0 {
                            for background in &backgrounds {
                                let mut batch = background.clone();
                                batch.insert(usize::from(8 * a_class + r_class) % 40, item.clone());
                                assert_eq!(combined(profile, &batch), expected);
                            }
                        }
                    }
                }
            }
        }
    }
    // Both verdicts must have occurred beyond the torsion-free case.
    assert!(verdicts[0] > 100 && verdicts[1] > 10, "{verdicts:?}");
}

/// R = p + 1 is the neutral element, which satisfies the equation, but single
/// cofactorless verification compares bytes.
#[test]
fn combination_refuses_non_canonical_r_where_single_does() {
    let mut r = [0xff; 32];
    (r[0], r[31]) = (0xee, 0x7f);
    let item = (
        VerifyingKey::from(EdwardsPoint::identity()),
        std::vec![7],
        Signature::from_components(r, [0; 32]),
    );
    for &profile in ProfileName::ALL {
        let expected = profile == Zip215::NAME;
        assert_eq!(singly(profile, core::slice::from_ref(&item)), expected);
        assert_eq!(combined(profile, core::slice::from_ref(&item)), expected);
        let mut batch = honest(20);
        batch[10] = item.clone();
        assert_eq!(combined(profile, &batch), expected, "{profile}");
    }
}

/// Two defects that cancel in the plain sum, at every distance.
#[test]
fn combination_refuses_cancelling_defects() {
    let mut batch = honest(20);
    // S + 1 in one, S - 1 in another.
    for (i, change) in [(3, Scalar::ONE), (17, -Scalar::ONE)] {
        let (_, _, signature) = &mut batch[i];
        let s = Scalar::from_canonical_bytes(*signature.s_bytes()).expect("reduced") + change;
        *signature = Signature::from_components(*signature.r_bytes(), s.to_bytes());
    }
    for &profile in ProfileName::ALL {
        assert!(!combined(profile, &batch), "{profile}");
    }
}

/// Side by side the verdicts are the single ones, on processors too where that is no faster.
#[test]
fn side_by_side_equals_single() {
    for n in [3, 15, 16, 17, 40] {
        let mut batch = honest(n);
        batch[n / 2].1.push(0);
        // An S that no rule admits.
        batch[0].2 = Signature::from_components(*batch[0].2.r_bytes(), [0xff; 32]);
        for profile in [Dalek::NAME, Zip215::NAME] {
            let mut verdicts = std::vec![true; n];
            in_batch(profile, &batch, |batch| {
                batch.verify_side_by_side(&mut verdicts);
            });
            for (i, verdict) in verdicts.into_iter().enumerate() {
                assert_eq!(verdict, i != 0 && i != n / 2, "{profile} {n} {i}");
            }
        }
    }
}

fn some_coefficients(seed: u64) -> Coefficients {
    let mut transcript = Transcript::new(1, b"").expect("memory");
    transcript.absorb(&[0; 64], &Scalar::from(seed));
    transcript.finish()
}

fn scalars(coefficients: &Coefficients) -> Vec<u128> {
    coefficients.scalars(4).expect("memory")
}

#[test]
fn coefficients_depend_on_everything() {
    let base = some_coefficients(1);
    assert_ne!(scalars(&base), scalars(&some_coefficients(2)));
    // All different, also from what the other stream has; as many as asked for.
    let mut drawn = base.scalars(200).expect("memory");
    for (groups, subsets) in [(3, base.subsets(3)), (40, base.subsets(40))] {
        let subsets = subsets.expect("memory");
        assert_eq!(subsets.len(), groups);
        if groups == 40 {
            let words = subsets.iter().flat_map(|subset| subset.chunks(16));
            drawn.extend(words.map(|word| u128::from_le_bytes(word.try_into().expect("16"))));
        }
    }
    assert_eq!(drawn.len(), 200 + 8 * 40);
    drawn.sort_unstable();
    drawn.dedup();
    assert_eq!(drawn.len(), 200 + 8 * 40);
    for count in [0, 1, 3, 5, 63, 65] {
        let fewer = base.scalars(count).expect("memory");
        assert_eq!(fewer[..], base.scalars(200).expect("memory")[..count]);
    }
    let mut other = Transcript::new(2, b"").expect("memory");
    other.absorb(&[0; 64], &Scalar::ONE);
    assert_ne!(scalars(&base), scalars(&other.finish()));
    let mut other = Transcript::new(1, b"").expect("memory");
    other.absorb(&[1; 64], &Scalar::ONE);
    assert_ne!(scalars(&base), scalars(&other.finish()));
    let mut with_aux_rand = Vec::new();
    for aux_rand in [&b""[..], &[0], &[1], &[0; 32]] {
        let mut transcript = Transcript::new(1, aux_rand).expect("memory");
        transcript.absorb(&[0; 64], &Scalar::ONE);
        with_aux_rand.push(scalars(&transcript.finish()));
    }
    for (i, one) in with_aux_rand.iter().enumerate() {
        assert_eq!(scalars(&base) == *one, i == 0);
        assert!(!with_aux_rand[..i].contains(one));
    }
}

/// The coefficients are those of their definition, with all that is hashed side by side hashed by itself.
#[test]
fn coefficients_are_those_of_their_definition() {
    let items: Vec<_> = (0..600u64)
        .map(|i| ([i as u8; 64], Scalar::from(i)))
        .collect();
    for count in [0, 1, 16, 17, 255, 256, 257, 600] {
        let mut transcript = Transcript::new(count, b"aux").expect("memory");
        let mut root = Sha512::new()
            .chain_update("lanner-ed25519 batch coefficients, version 2")
            .chain_update((count as u64).to_le_bytes())
            .chain_update(3u64.to_le_bytes())
            .chain_update("aux");
        for leaf in items[..count].chunks(16) {
            let mut hash = Sha512::new();
            for (challenge, s) in leaf {
                transcript.absorb(challenge, s);
                hash.update(challenge);
                hash.update(s.as_bytes());
            }
            root.update(hash.finalize());
        }
        let seed = root.finalize();
        let blocks = |stream: u8, count: u64| -> Vec<u8> {
            let block = |index: u64| {
                let hash = Sha512::new().chain_update(seed).chain_update([stream]);
                hash.chain_update(index.to_le_bytes()).finalize()
            };
            (0..count).flat_map(block).collect()
        };
        let coefficients = transcript.finish();
        let drawn = coefficients.scalars(77).expect("memory");
        let drawn: Vec<u8> = drawn.into_iter().flat_map(u128::to_le_bytes).collect();
        assert_eq!(drawn, blocks(0, 20)[..77 * 16]);
        let subsets = coefficients.subsets(21).expect("memory");
        assert_eq!(subsets.concat(), blocks(1, 42));
    }
}

/// What a batch is given as auxiliary randomness joins what its coefficients are derived from.
#[test]
fn coefficients_depend_on_auxiliary_randomness_of_the_batch() {
    in_batch(Dalek::NAME, &honest(2), |batch| {
        let items = batch.items().expect("memory");
        let drawn = |batch: Batch| scalars(&coefficients(batch.aux_rand, &items).expect("memory"));
        assert_ne!(drawn(*batch), drawn(batch.with_aux_rand(&[1])));
    });
}

/// Every item of a large transcript counts, whichever leaf it is in.
#[test]
fn coefficients_depend_on_every_item() {
    let seed = |changed: Option<usize>| {
        let mut transcript = Transcript::new(600, b"").expect("memory");
        for i in 0..600 {
            let s = Scalar::from(u64::from(changed == Some(i)));
            transcript.absorb(&[i as u8; 64], &s);
        }
        scalars(&transcript.finish())
    };
    let unchanged = seed(None);
    for i in [0, 1, 15, 16, 255, 256, 257, 511, 599] {
        assert_ne!(seed(Some(i)), unchanged, "{i}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Torsion in R that nothing cancels, in one or in two items, where it may cancel in their
    /// sum, or torsion that A and R cancel in each item: in batches with and without products.
    #[test]
    fn torsion_is_found_wherever_it_is(
        large: bool,
        at in any::<[prop::sample::Index; 2]>(),
        class in 1u8..8,
        kind in 0..3,
        m: u8,
    ) {
        let n = if large { PRODUCTS_FROM + 9 } else { 70 };
        let mut batch = honest(n);
        let [one, other] = at.map(|at| at.index(n));
        let forge = |a_class, r_class, m| {
            let message = std::vec![m];
            let (key, signature) = torsion_laden(m, a_class, r_class, &message);
            (key, message, signature)
        };
        let mut wrong = std::vec![one];
        batch[one] = forge(0, class, m);
        if kind == 1 && one != other {
            batch[other] = forge(0, 8 - class, m);
            wrong.push(other);
        }
        if kind == 2 {
            // R + [k]A has no torsion: found by trying messages.
            let right = (0..=255)
                .map(|m| forge(1, class, m))
                .find(|item| singly(Dalek::NAME, core::slice::from_ref(item)));
            batch[one] = right.expect("k is as good as random");
            wrong.clear();
        }
        for profile in [Dalek::NAME, Zip215::NAME] {
            let expected = profile == Zip215::NAME || wrong.is_empty();
            prop_assert_eq!(combined(profile, &batch), expected, "{}", profile);
            let verdicts = in_batch(profile, &batch, |batch| batch.verify_each());
            for (i, verdict) in verdicts.into_iter().enumerate() {
                prop_assert_eq!(verdict, profile == Zip215::NAME || !wrong.contains(&i), "{}", i);
            }
        }
    }

    /// The characters are those of R + [k]A, computed the long way round.
    #[test]
    fn characters_are_those_of_the_defects(k: [u8; 32], a in 0u8..8, r in 0u8..8, x: u64) {
        let k = Scalar::from_bytes_mod_order(k);
        let large = ED25519_BASEPOINT_POINT * Scalar::from(x);
        let item = honest(1);
        in_batch(Dalek::NAME, &item, |batch| {
            let mut items = batch.items().expect("memory");
            items[0].admitted.equation.k = k;
            items[0].admitted.equation.a = large + torsion(a);
            items[0].admitted.equation.r = large + torsion(r);
            torsion::characters(&mut items);
            let class = (u32::from(k.as_bytes()[0]) * u32::from(a) + u32::from(r)) % 8;
            assert_eq!(items[0].character.is_some(), class.is_multiple_of(2));
            assert_eq!(torsion::vartime_is_free(&items[0]), class == 0);
        });
    }
}
