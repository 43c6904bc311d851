//! Ed25519 against ed25519-dalek and aws-lc-rs: the same bytes, the same verdicts.

use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use curve25519_dalek::constants::EIGHT_TORSION;
use curve25519_dalek::{EdwardsPoint, Scalar};
use ed25519_dalek::Verifier as _;
use lanner_ed25519::Signer as _;
use lanner_ed25519::profile::Rfc8032Cofactorless;
use lanner_interop::encodings::{L, add, small, small_order_not_canonical, top_bit, unreduced};
use lanner_interop::{array, bytes, hex, start};
use sha2::{Digest, Sha512};

/// What a library says of a key, a message and a signature: by its default and its strict rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Verdicts {
    decodes: bool,
    weak: bool,
    verify: bool,
    strict: bool,
}

macro_rules! verdicts {
    ($library:ident, $key:expr, $message:expr, $signature:expr) => {{
        let signature = $library::Signature::from_bytes($signature);
        match $library::VerifyingKey::from_bytes($key) {
            Ok(key) => Verdicts {
                decodes: true,
                weak: key.is_weak(),
                verify: key.verify($message, &signature).is_ok(),
                strict: key.verify_strict($message, &signature).is_ok(),
            },
            Err(_) => Verdicts {
                decodes: false,
                weak: false,
                verify: false,
                strict: false,
            },
        }
    }};
}

/// Asserts that Lanner agrees with dalek in everything, and by its cofactorless rule of RFC 8032 with aws-lc, and returns
/// the verdicts.
fn agree(key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> Verdicts {
    let theirs = verdicts!(ed25519_dalek, key, message, signature);
    let ours = verdicts!(lanner_ed25519, key, message, signature);
    assert_eq!(
        ours,
        theirs,
        "key {} message {} signature {}",
        hex(key),
        hex(message),
        hex(signature)
    );
    let ours_as_aws = lanner_ed25519::VerifyingKey::verify_from_bytes(
        key,
        Rfc8032Cofactorless,
        message,
        &lanner_ed25519::Signature::from_bytes(signature),
    );
    assert_eq!(
        ours_as_aws.is_ok(),
        aws_verdict(key, message, signature),
        "aws-lc: key {} message {} signature {}",
        hex(key),
        hex(message),
        hex(signature)
    );
    ours
}

fn aws_verdict(key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    UnparsedPublicKey::new(&ED25519, key)
        .verify(message, signature)
        .is_ok()
}

/// RFC 8032 section 5.1.7, step 2.
fn challenge(r: &[u8; 32], a: &[u8; 32], message: &[u8]) -> Scalar {
    let digest = Sha512::new()
        .chain_update(r)
        .chain_update(a)
        .chain_update(message)
        .finalize();
    Scalar::from_bytes_mod_order_wide(&digest.into())
}

fn join(r: &[u8; 32], s: &[u8; 32]) -> [u8; 64] {
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(r);
    signature[32..].copy_from_slice(s);
    signature
}

/// All fourteen encodings of the points of small order, canonical or not.
fn small_order_encodings() -> Vec<[u8; 32]> {
    let mut all: Vec<[u8; 32]> = EIGHT_TORSION
        .iter()
        .map(|point| point.compress().to_bytes())
        .collect();
    all.extend(small_order_not_canonical());
    all
}

#[test]
fn keys_and_signatures_are_the_same_bytes() {
    let mut rng = start("same bytes");
    for length in 0..400 {
        let seed = array(&mut rng);
        let message = bytes(&mut rng, length);
        let ours = lanner_ed25519::SigningKey::from_bytes(&seed);
        let theirs = ed25519_dalek::SigningKey::from_bytes(&seed);
        let aws = Ed25519KeyPair::from_seed_unchecked(&seed).expect("a seed");

        let public = ours.verifying_key().to_bytes();
        assert_eq!(
            public,
            theirs.verifying_key().to_bytes(),
            "seed {}",
            hex(&seed)
        );
        assert_eq!(public, aws.public_key().as_ref());

        let signature = ours.sign(&message).to_bytes();
        let expected = ed25519_dalek::Signer::sign(&theirs, &message).to_bytes();
        assert_eq!(
            signature,
            expected,
            "seed {} message {}",
            hex(&seed),
            hex(&message)
        );
        assert_eq!(signature, aws.sign(&message).as_ref());

        let verdicts = agree(&public, &message, &signature);
        assert!(verdicts.verify && verdicts.strict && !verdicts.weak);
        assert!(aws_verdict(&public, &message, &signature));
    }
}

#[test]
fn a_long_message_is_signed_alike() {
    let mut rng = start("long message");
    let (seed, message) = (array(&mut rng), bytes(&mut rng, 1 << 20));
    let signature = lanner_ed25519::SigningKey::from_bytes(&seed)
        .sign(&message)
        .to_bytes();
    let theirs = ed25519_dalek::SigningKey::from_bytes(&seed);
    assert_eq!(
        signature,
        ed25519_dalek::Signer::sign(&theirs, &message).to_bytes()
    );
}

#[test]
fn every_flipped_bit_gets_the_same_verdict() {
    let mut rng = start("flipped bits");
    let message = bytes(&mut rng, 20);
    let key = lanner_ed25519::SigningKey::from_bytes(&array(&mut rng));
    let public = key.verifying_key().to_bytes();
    let signature = key.sign(&message).to_bytes();
    for bit in 0..512 {
        let mut wrong = signature;
        wrong[bit / 8] ^= 1 << (bit % 8);
        let verdicts = agree(&public, &message, &wrong);
        assert!(
            !verdicts.verify && !verdicts.strict,
            "bit {bit} of the signature"
        );
        assert!(!aws_verdict(&public, &message, &wrong));
    }
    for bit in 0..256 {
        let mut wrong = public;
        wrong[bit / 8] ^= 1 << (bit % 8);
        let verdicts = agree(&wrong, &message, &signature);
        assert!(!verdicts.verify && !verdicts.strict, "bit {bit} of the key");
        assert!(!aws_verdict(&wrong, &message, &signature));
    }
    for bit in 0..160 {
        let mut wrong = message.clone();
        wrong[bit / 8] ^= 1 << (bit % 8);
        assert!(
            !agree(&public, &wrong, &signature).verify,
            "bit {bit} of the message"
        );
        assert!(!aws_verdict(&public, &wrong, &signature));
    }
}

#[test]
fn random_bytes_get_the_same_verdict() {
    let mut rng = start("random bytes");
    let mut decoded = 0;
    for _ in 0..2_000 {
        let (key, signature) = (array(&mut rng), array(&mut rng));
        decoded += u32::from(agree(&key, b"message", &signature).decodes);
    }
    assert!(
        (800..1_200).contains(&decoded),
        "about half of all strings are points: {decoded}"
    );
}

#[test]
fn s_that_is_not_reduced_is_refused_alike() {
    let mut rng = start("large S");
    for _ in 0..50 {
        let key = lanner_ed25519::SigningKey::from_bytes(&array(&mut rng));
        let (public, message) = (key.verifying_key().to_bytes(), bytes(&mut rng, 9));
        let signature = key.sign(&message).to_bytes();
        let (r, mut s) = (signature[..32].try_into().expect("32"), [0; 32]);
        s.copy_from_slice(&signature[32..]);
        // S + L up to S + 15 L, each congruent to S.
        for multiple in 1..16 {
            s = add(&s, &L);
            let shifted = join(&r, &s);
            let verdicts = agree(&public, &message, &shifted);
            assert!(!verdicts.verify && !verdicts.strict, "S + {multiple} L");
            assert!(!aws_verdict(&public, &message, &shifted));
        }
        for extreme in [L, add(&L, &small(1)), [0xff; 32], top_bit([0; 32])] {
            assert!(!agree(&public, &message, &join(&r, &extreme)).verify);
        }
    }
}

#[test]
fn small_order_keys_and_r_get_the_same_verdict() {
    start("small order");
    let encodings = small_order_encodings();
    assert_eq!(encodings.len(), 14);
    let (mut accepted, mut refused) = (0, 0);
    for a in &encodings {
        for r in &encodings {
            for s in [[0; 32], small(1), L, top_bit([0; 32])] {
                for message in 0..8_u8 {
                    let verdicts = agree(a, &[message], &join(r, &s));
                    assert!(verdicts.decodes && verdicts.weak && !verdicts.strict);
                    if verdicts.verify {
                        accepted += 1;
                    } else {
                        refused += 1;
                    }
                    // On some processors AWS-LC refuses keys whose encoding is not canonical; in
                    // all else it follows the same rule.
                    let aws = aws_verdict(a, &[message], &join(r, &s));
                    let canonical = !small_order_not_canonical().contains(a);
                    assert!(
                        verdicts.verify || !aws,
                        "AWS-LC accepts A {} R {}",
                        hex(a),
                        hex(r)
                    );
                    assert!(
                        aws || !verdicts.verify || !canonical,
                        "AWS-LC refuses A {}",
                        hex(a)
                    );
                }
            }
        }
    }
    assert!(
        accepted > 100 && refused > 1_000,
        "{accepted} accepted, {refused} refused"
    );
}

/// A signature whose key and R may carry torsion: R = r B + T1, A = a B + T2, S = r + k a.
fn mixed_order(rng: &mut fastrand::Rng, message: &[u8]) -> ([u8; 32], [u8; 64]) {
    let scalar = |rng: &mut fastrand::Rng| Scalar::from_bytes_mod_order(array(rng));
    let (a, r) = (scalar(rng), scalar(rng));
    let torsion = |rng: &mut fastrand::Rng| EIGHT_TORSION[rng.usize(..8)];
    let key = (EdwardsPoint::mul_base(&a) + torsion(rng))
        .compress()
        .to_bytes();
    let commitment = (EdwardsPoint::mul_base(&r) + torsion(rng))
        .compress()
        .to_bytes();
    let s = r + challenge(&commitment, &key, message) * a;
    (key, join(&commitment, &s.to_bytes()))
}

#[test]
fn mixed_order_keys_and_r_get_the_same_verdict() {
    let mut rng = start("mixed order");
    let (mut accepted, mut refused) = (0, 0);
    for number in 0_u32..2_000 {
        let message = number.to_le_bytes();
        let (key, signature) = mixed_order(&mut rng, &message);
        let verdicts = agree(&key, &message, &signature);
        assert_eq!(verdicts.verify, aws_verdict(&key, &message, &signature));
        assert!(verdicts.decodes && !verdicts.weak);
        if verdicts.verify {
            accepted += 1
        } else {
            refused += 1
        }
    }
    // The torsion parts cancel for one in eight.
    assert!(
        accepted > 150 && refused > 1_500,
        "{accepted} accepted, {refused} refused"
    );
}

#[test]
fn keys_that_are_not_reduced_get_the_same_verdict() {
    let mut rng = start("unreduced keys");
    let mut decoded = 0;
    for y in unreduced() {
        for key in [y, top_bit(y)] {
            let verdicts = agree(&key, b"message", &array(&mut rng));
            decoded += u32::from(verdicts.decodes);
            // R = A and S = 0 is right where 1 + k is a multiple of the order.
            agree(&key, b"message", &join(&key, &[0; 32]));
        }
    }
    assert!(decoded >= 14, "{decoded}");
}

#[test]
fn r_that_is_not_reduced_is_refused_alike() {
    start("unreduced R");
    let identity = small(1);
    for r in unreduced().flat_map(|y| [y, top_bit(y)]) {
        for message in 0..8_u8 {
            let verdicts = agree(&identity, &[message], &join(&r, &[0; 32]));
            assert!(!verdicts.verify, "R is compared as bytes");
        }
    }
}

/// Honest, torsion-laden, shifted and wrong signatures: a key, a message, a signature.
fn any_item(rng: &mut fastrand::Rng) -> Item {
    let message = bytes(rng, 12);
    match rng.u8(..6) {
        0 => {
            let (key, signature) = mixed_order(rng, &message);
            (key, message, signature)
        }
        1 => {
            let encodings = small_order_encodings();
            let pick = |rng: &mut fastrand::Rng| encodings[rng.usize(..encodings.len())];
            let signature = join(&pick(rng), &[0; 32]);
            (pick(rng), message, signature)
        }
        kind => {
            let key = lanner_ed25519::SigningKey::from_bytes(&array(rng));
            let mut signature = key.sign(&message).to_bytes();
            if kind == 2 && rng.u8(..4) == 0 {
                signature[rng.usize(..64)] ^= 1 << rng.u8(..8);
            }
            (key.verifying_key().to_bytes(), message, signature)
        }
    }
}

type Item = ([u8; 32], Vec<u8>, [u8; 64]);

/// A batch has exactly the verdict of its signatures one by one, by dalek's own `verify`; dalek's
/// `verify_batch` itself is more lenient and cannot be the measure.
fn batch_agrees(items: &[Item]) -> bool {
    let expected = items
        .iter()
        .all(|(key, message, signature)| agree(key, message, signature).verify);
    let decode = |key| lanner_ed25519::VerifyingKey::from_bytes(key).expect("a point");
    let keys: Vec<_> = items.iter().map(|(key, ..)| decode(key)).collect();
    let messages: Vec<&[u8]> = items
        .iter()
        .map(|(_, message, _)| message.as_slice())
        .collect();
    let signatures: Vec<_> = items
        .iter()
        .map(|(.., signature)| lanner_ed25519::Signature::from_bytes(signature))
        .collect();
    let ours = lanner_ed25519::verify_batch(&messages, &signatures, &keys).is_ok();
    assert_eq!(ours, expected, "a batch of {}", items.len());
    ours
}

/// Items of every kind of which each is valid alone: torsion, where it is odd, cancels.
fn valid_items(rng: &mut fastrand::Rng, size: usize) -> Vec<Item> {
    std::iter::repeat_with(|| any_item(rng))
        .filter(|(key, message, signature)| agree(key, message, signature).verify)
        .take(size)
        .collect()
}

#[test]
fn batches_equal_the_single_verdicts_of_dalek() {
    let mut rng = start("batches");
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..400 {
        let size = rng.usize(..24);
        let items = if round % 2 == 0 {
            valid_items(&mut rng, size)
        } else {
            (0..size).map(|_| any_item(&mut rng)).collect()
        };
        if batch_agrees(&items) {
            accepted += 1
        } else {
            refused += 1
        }
    }
    assert!(
        accepted > 150 && refused > 100,
        "{accepted} accepted, {refused} refused"
    );
}

/// Long enough that the signatures are checked together and not in a loop.
#[test]
fn long_batches_equal_the_single_verdicts_of_dalek() {
    let mut rng = start("long batches");
    for round in 0..4 {
        let mut items = valid_items(&mut rng, 600 + 37 * round);
        assert!(batch_agrees(&items));
        // One item that is wrong by nothing but torsion, which a combined equation would miss.
        let number = round.to_le_bytes();
        let wrong = std::iter::repeat_with(|| mixed_order(&mut rng, &number))
            .find(|(key, signature)| !agree(key, &number, signature).verify)
            .expect("without end");
        let place = rng.usize(..items.len());
        items[place] = (wrong.0, number.to_vec(), wrong.1);
        assert!(!batch_agrees(&items));
    }
}

#[test]
fn batches_of_unequal_lengths_are_errors_alike() {
    let mut rng = start("unequal lengths");
    let seed = array(&mut rng);
    let ours = lanner_ed25519::SigningKey::from_bytes(&seed);
    let theirs = ed25519_dalek::SigningKey::from_bytes(&seed);
    let message: &[u8] = b"message";
    let (signature, key) = (ours.sign(message), ours.verifying_key());
    let (their_signature, their_key) = (
        ed25519_dalek::Signer::sign(&theirs, message),
        theirs.verifying_key(),
    );
    for (messages, signatures, keys) in [
        (1, 1, 0),
        (1, 0, 1),
        (0, 1, 1),
        (2, 1, 1),
        (0, 0, 0),
        (1, 1, 1),
    ] {
        let messages = vec![message; messages];
        let our_verdict =
            lanner_ed25519::verify_batch(&messages, &vec![signature; signatures], &vec![key; keys]);
        let their_verdict = ed25519_dalek::verify_batch(
            &messages,
            &vec![their_signature; signatures],
            &vec![their_key; keys],
        );
        assert_eq!(our_verdict.is_ok(), their_verdict.is_ok());
    }
}

#[test]
fn prehashed_signatures_are_the_same_bytes() {
    let mut rng = start("prehashed");
    for length in 0..60 {
        let seed = array(&mut rng);
        let message = bytes(&mut rng, length * 7);
        let digest = Sha512::new().chain_update(&message);
        let context = bytes(&mut rng, length * 5 % 256);
        let context = (length % 3 > 0).then_some(context.as_slice());
        let ours = lanner_ed25519::SigningKey::from_bytes(&seed);
        let theirs = ed25519_dalek::SigningKey::from_bytes(&seed);
        let signature = ours
            .sign_prehashed(digest.clone(), context)
            .expect("a short context")
            .to_bytes();
        let expected = theirs
            .sign_prehashed(digest.clone(), context)
            .expect("a short context")
            .to_bytes();
        assert_eq!(signature, expected);
        let key = theirs.verifying_key();
        let read = ed25519_dalek::Signature::from_bytes(&signature);
        assert!(
            key.verify_prehashed_strict(digest.clone(), context, &read)
                .is_ok()
        );
        let key = ours.verifying_key();
        let read = lanner_ed25519::Signature::from_bytes(&expected);
        assert!(
            key.verify_prehashed_strict(digest.clone(), context, &read)
                .is_ok()
        );
        assert!(
            key.verify_prehashed(digest, Some(b"another"), &read)
                .is_err()
        );
    }
    let digest = || Sha512::new().chain_update(b"message");
    let too_long = [0; 256];
    let ours = lanner_ed25519::SigningKey::from_bytes(&[1; 32]);
    let theirs = ed25519_dalek::SigningKey::from_bytes(&[1; 32]);
    assert!(ours.sign_prehashed(digest(), Some(&too_long)).is_err());
    assert!(theirs.sign_prehashed(digest(), Some(&too_long)).is_err());
}

#[test]
fn expanded_keys_sign_alike() {
    let mut rng = start("expanded keys");
    for _ in 0..50 {
        let expanded: [u8; 64] = array(&mut rng);
        let message = bytes(&mut rng, 33);
        let ours = lanner_ed25519::hazmat::ExpandedSecretKey::from_bytes(&expanded);
        let theirs = ed25519_dalek::hazmat::ExpandedSecretKey::from_bytes(&expanded);
        assert_eq!(ours.scalar.to_bytes(), theirs.scalar.to_bytes());
        assert_eq!(ours.hash_prefix, theirs.hash_prefix);
        let our_key = lanner_ed25519::VerifyingKey::from(&ours);
        let their_key = ed25519_dalek::VerifyingKey::from(&theirs);
        assert_eq!(our_key.to_bytes(), their_key.to_bytes());
        let signature = lanner_ed25519::hazmat::raw_sign::<Sha512>(&ours, &message, &our_key);
        let expected = ed25519_dalek::hazmat::raw_sign::<Sha512>(&theirs, &message, &their_key);
        assert_eq!(signature.to_bytes(), expected.to_bytes());
    }
}

#[test]
fn keys_convert_to_x25519_alike() {
    let mut rng = start("conversion");
    for _ in 0..100 {
        let seed = array(&mut rng);
        let ours = lanner_ed25519::SigningKey::from_bytes(&seed);
        let theirs = ed25519_dalek::SigningKey::from_bytes(&seed);
        assert_eq!(ours.to_scalar_bytes(), theirs.to_scalar_bytes());
        assert_eq!(ours.to_scalar().to_bytes(), theirs.to_scalar().to_bytes());
        let (our_key, their_key) = (ours.verifying_key(), theirs.verifying_key());
        assert_eq!(
            our_key.to_montgomery().to_bytes(),
            their_key.to_montgomery().to_bytes()
        );
    }
}

#[test]
fn keypair_bytes_are_checked_alike() {
    let mut rng = start("keypair bytes");
    let theirs = ed25519_dalek::SigningKey::from_bytes(&array(&mut rng));
    let pair = theirs.to_keypair_bytes();
    let ours = lanner_ed25519::SigningKey::from_keypair_bytes(&pair).expect("a right pair");
    assert_eq!(ours.to_keypair_bytes(), pair);
    for byte in 0..64 {
        let mut wrong = pair;
        wrong[byte] ^= 1;
        assert!(ed25519_dalek::SigningKey::from_keypair_bytes(&wrong).is_err());
        assert!(lanner_ed25519::SigningKey::from_keypair_bytes(&wrong).is_err());
    }
}
