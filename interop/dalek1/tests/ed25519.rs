//! ed25519-dalek 1: keys, signatures, verdicts, batches.

use lanner_ed25519 as own;
use lanner_interop::encodings::{L, add, small_order_not_canonical, top_bit, unreduced};
use lanner_interop::{array, bytes, start};

use crate::odd::{self, Signed};
use crate::page::{Rows, Tested, new, old};
use crate::{expanded, generator, same_generator};

/// The key pair of a seed, in both libraries.
pub(crate) fn pair(seed: &[u8; 32]) -> (dalek_1::Keypair, own::SigningKey) {
    let secret = dalek_1::SecretKey::from_bytes(seed).expect("32 bytes");
    let public = dalek_1::PublicKey::from(&secret);
    (
        dalek_1::Keypair { secret, public },
        own::SigningKey::from_bytes(seed),
    )
}

type Theirs = (dalek_1::PublicKey, dalek_1::Signature);

/// A key and a signature as version 1 reads them, if it does.
fn theirs(signed: &Signed) -> Result<Theirs, dalek_1::SignatureError> {
    Ok((
        dalek_1::PublicKey::from_bytes(&signed.key)?,
        dalek_1::Signature::from_bytes(&signed.signature)?,
    ))
}

fn ours(signed: &Signed) -> Result<(own::VerifyingKey, own::Signature), own::SignatureError> {
    Ok((
        own::VerifyingKey::from_bytes(&signed.key)?,
        own::Signature::from_bytes(&signed.signature),
    ))
}

#[test]
fn from_ed25519_dalek_1() {
    let rng = &mut start("dalek 1");
    let mut rows = Rows::default();
    keys(&mut rows, rng);
    signing(&mut rows, rng);
    verdicts(&mut rows, rng);
    batches(&mut rows, rng);
    prehashed(&mut rows, rng);
    expanded::rows(&mut rows, rng);
    rows.are_those_of("## ed25519-dalek, call by call");
}

fn keys(rows: &mut Rows, rng: &mut fastrand::Rng) {
    rows.row(|| {
        use {dalek_1::Keypair, own::SigningKey};
        old!(type Keypair);
        new!(type SigningKey);
        Ok(())
    });
    rows.row(|| {
        use {dalek_1::PublicKey, own::VerifyingKey};
        old!(type PublicKey);
        new!(type VerifyingKey);
        Ok(())
    });
    rows.row(|| {
        {
            use dalek_1::SecretKey;
            old!(type SecretKey);
        }
        use own::SecretKey;
        // Elements of one list, so they are the same type.
        let _ = [new!(type SecretKey), new!(type [u8; 32])];
        Ok(())
    });
    rows.row(|| {
        use own::SigningKey;
        for seed in 0..20 {
            let (keypair, secret) = {
                use dalek_1::{Keypair, SecretKey};
                let mut rng = generator(seed);
                let keypair = old!(Keypair::generate(&mut rng));
                let mut rng = generator(seed);
                (keypair, old!(SecretKey::generate(&mut rng)))
            };
            let mut rng = same_generator(seed);
            let key = new!(SigningKey::generate(&mut rng));
            assert_eq!(key.to_keypair_bytes(), keypair.to_bytes());
            assert_eq!(key.to_bytes(), secret.to_bytes());
        }
        assert_ne!(
            new!(SigningKey::generate_from_os()?),
            SigningKey::generate_from_os()?
        );
        Ok(())
    });
    rows.row(|| {
        use {dalek_1::SecretKey, own::SigningKey};
        for _ in 0..20 {
            let array = array(rng);
            let slice = &array[..];
            let secret = old!(SecretKey::from_bytes(slice)?);
            let keys = [
                new!(SigningKey::from_bytes(&array)),
                new!(SigningKey::try_from(slice)?),
            ];
            assert_eq!(keys.map(|key| key.to_bytes()), [secret.to_bytes(); 2]);
        }
        for length in [0, 31, 33, 64] {
            let slice = &[7; 64][..length];
            assert!(SecretKey::from_bytes(slice).is_err());
            assert!(SigningKey::try_from(slice).is_err());
        }
        Ok(())
    });
    rows.row(|| {
        use {dalek_1::Keypair, own::SigningKey};
        let read = |slice: &[u8]| -> Result<_, dalek_1::SignatureError> {
            Ok(old!(Keypair::from_bytes(slice)?))
        };
        let take = |array| -> Result<_, own::SignatureError> {
            Ok(new!(SigningKey::from_keypair_bytes(&array)?))
        };
        for _ in 0..20 {
            let right = pair(&array(rng)).1.to_keypair_bytes();
            assert_eq!(read(&right)?.to_bytes(), take(right)?.to_keypair_bytes());
            // The public key of another, which version 1 keeps.
            let mut wrong = right;
            let other = pair(&array(rng)).1.verifying_key();
            wrong[32..].copy_from_slice(other.as_bytes());
            assert_eq!(read(&wrong)?.public.to_bytes(), other.to_bytes());
            assert!(take(wrong).is_err());
        }
        // What is no key, and other lengths, are refused there as well.
        assert!(read(&[2; 64]).is_err() && take([2; 64]).is_err());
        assert!(read(&[1; 63]).is_err());
        Ok(())
    });
    rows.row(|| {
        use dalek_1::Keypair;
        let (first, _) = pair(&array(rng));
        let (secret, public) = (pair(&array(rng)).0.secret, first.public);
        old!(Keypair { secret, public });
        Ok(())
    });
    rows.row(|| {
        let (keypair, key) = pair(&array(rng));
        assert_eq!(old!(keypair.to_bytes()), new!(key.to_keypair_bytes()));
        Ok(())
    });
    rows.row(|| {
        let (keypair, key) = pair(&array(rng));
        assert_eq!(old!(keypair.secret.to_bytes()), new!(key.to_bytes()));
        Ok(())
    });
    rows.row(|| {
        use dalek_1::{PublicKey, SecretKey};
        for _ in 0..20 {
            let (keypair, key) = pair(&array(rng));
            let secret = SecretKey::from_bytes(key.as_bytes())?;
            let public = [old!(keypair.public), old!(PublicKey::from(&secret))];
            let own = new!(key.verifying_key()).to_bytes();
            assert_eq!(public.map(|key| key.to_bytes()), [own; 2]);
        }
        Ok(())
    });
    rows.row(|| {
        use {dalek_1::PublicKey, own::VerifyingKey};
        let read = |slice: &[u8]| -> Result<[u8; 32], dalek_1::SignatureError> {
            Ok(old!(PublicKey::from_bytes(slice)?).to_bytes())
        };
        let take = |array| -> Result<[u8; 32], own::SignatureError> {
            Ok(new!(VerifyingKey::from_bytes(&array)?).to_bytes())
        };
        let take_slice = |slice: &[u8]| -> Result<[u8; 32], own::SignatureError> {
            Ok(new!(VerifyingKey::try_from(slice)?).to_bytes())
        };
        let random: Vec<[u8; 32]> = (0..200).map(|_| array(rng)).collect();
        let canonical = curve25519_dalek::constants::EIGHT_TORSION.map(|it| it.compress().0);
        let small = canonical.into_iter().chain(small_order_not_canonical());
        let edges = unreduced().flat_map(|it| [it, top_bit(it)]).chain(small);
        let mut accepted = [0; 2];
        for (kind, array) in edges
            .map(|it| (0, it))
            .chain(random.into_iter().map(|it| (1, it)))
        {
            let all = [
                read(&array[..]).ok(),
                take(array).ok(),
                take_slice(&array[..]).ok(),
            ];
            assert_eq!(all, [all[0]; 3], "{array:02x?}");
            assert!(all[0].is_none_or(|kept| kept == array), "{array:02x?}");
            accepted[kind] += usize::from(all[0].is_some());
        }
        // Those that are not reduced are points as often as others are.
        assert!(accepted.iter().all(|number| *number > 20), "{accepted:?}");
        for length in [0, 31, 33] {
            let slice = &[1; 33][..length];
            assert!(read(slice).is_err() && take_slice(slice).is_err());
        }
        Ok(())
    });
    rows.row(|| {
        let bytes = {
            let public = pair(&[7; 32]).0.public;
            (old!(public.to_bytes()), *old!(public.as_bytes()))
        };
        let public = pair(&[7; 32]).1.verifying_key();
        assert_eq!((new!(public.to_bytes()), *new!(public.as_bytes())), bytes);
        Ok(())
    });
    rows.row(|| {
        use dalek_1::PublicKey;
        let weak = old!(PublicKey::default()).to_bytes();
        assert!(own::VerifyingKey::from_bytes(&weak)?.is_weak());
        Ok(())
    });
    rows.row(|| {
        let read = |slice: &[u8]| -> Result<[u8; 64], dalek_1::SignatureError> {
            use dalek_1::Signature;
            Ok(old!(Signature::from_bytes(slice)?).to_bytes())
        };
        use own::Signature;
        for top in 0..=255 {
            let mut array: [u8; 64] = array(rng);
            array[63] = top;
            let slice = &array[..];
            assert_eq!(read(slice).ok(), (top < 0x20).then_some(array));
            assert_eq!(new!(Signature::from_bytes(&array)).to_bytes(), array);
            assert_eq!(new!(Signature::from_slice(slice)?).to_bytes(), array);
            let key = pair(&array[..32].try_into()?).1;
            assert!(
                key.verify(b"", &Signature::from_bytes(&array)).is_err(),
                "{top}"
            );
        }
        for length in [0, 63, 65] {
            let slice = &[1; 65][..length];
            assert!(read(slice).is_err() && Signature::from_slice(slice).is_err());
        }
        Ok(())
    });
}

fn signing(rows: &mut Rows, rng: &mut fastrand::Rng) {
    rows.row(|| {
        for length in 0..200 {
            let (keypair, key) = pair(&array(rng));
            let m = &*bytes(rng, length);
            let theirs = {
                use dalek_1::Signer as _;
                old!(keypair.sign(m)).to_bytes()
            };
            use own::{Signer as _, SigningKey};
            assert_eq!(new!(key.sign(m)).to_bytes(), theirs);
            let (ms, keys) = (&[m, m][..], &[&key, &key][..]);
            let mut sigs = [own::Signature::from_bytes(&[0; 64]); 2];
            new!(key.sign_each(ms, &mut sigs));
            assert_eq!(sigs.map(|sig| sig.to_bytes()), [theirs; 2]);
            let mut sigs = [own::Signature::from_bytes(&[0; 64]); 2];
            new!(SigningKey::sign_each_by(keys, ms, &mut sigs));
            assert_eq!(sigs.map(|sig| sig.to_bytes()), [theirs; 2]);
        }
        Ok(())
    });
    // The calls of a key pair are those of its public key.
    rows.row(|| {
        for wrong in [false, true] {
            let (keypair, key) = pair(&array(rng));
            let m = &b"message"[..];
            let signed = [m, b"another"][usize::from(wrong)];
            let ctx = Some(&b"context"[..]);
            let theirs = {
                use dalek_1::{Digest as _, Sha512, Signer as _};
                let sig = keypair.sign(signed);
                let pure = [
                    old!(keypair.verify(m, &sig)).is_ok(),
                    old!(keypair.verify_strict(m, &sig)).is_ok(),
                ];
                let hash = Sha512::new().chain(signed);
                let sig = keypair.sign_prehashed(hash, ctx)?;
                let hash = Sha512::new().chain(m);
                let ph = old!(keypair.verify_prehashed(hash, ctx, &sig)).is_ok();
                [pure[0], pure[1], ph]
            };
            let ours = {
                use own::{Digest as _, Sha512, Signer as _};
                let keypair = key;
                let sig = keypair.sign(signed);
                let pure = [
                    new!(keypair.verify(m, &sig)).is_ok(),
                    new!(keypair.verify_strict(m, &sig)).is_ok(),
                ];
                let sig = keypair.sign_prehashed(Sha512::new_with_prefix(signed), ctx)?;
                let hash = Sha512::new_with_prefix(m);
                let ph = new!(keypair.verify_prehashed(hash, ctx, &sig)).is_ok();
                [pure[0], pure[1], ph]
            };
            assert_eq!([theirs, ours], [[!wrong; 3]; 2]);
        }
        Ok(())
    });
}

fn verify_by_both(signed: &Signed) -> [bool; 2] {
    let by_theirs = || -> Tested {
        use dalek_1::Verifier as _;
        let (public, sig) = theirs(signed)?;
        let m = &*signed.message;
        Ok(old!(public.verify(m, &sig))?)
    };
    let by_ours = || -> Tested {
        use own::{Verifier as _, profile};
        let (public, sig) = ours(signed)?;
        let m = &*signed.message;
        let verdict = new!(public.verify(m, &sig));
        let by_profile = public.under(new!(profile::Dalek)).verify(m, &sig);
        if cfg!(not(feature = "legacy_compatibility")) {
            assert_eq!(by_profile.is_ok(), verdict.is_ok());
        }
        Ok(verdict?)
    };
    [by_theirs().is_ok(), by_ours().is_ok()]
}

fn verify_strict_by_both(signed: &Signed) -> [bool; 2] {
    let by_theirs = || -> Tested {
        let (public, sig) = theirs(signed)?;
        let m = &*signed.message;
        Ok(old!(public.verify_strict(m, &sig))?)
    };
    let by_ours = || -> Tested {
        use own::profile;
        let (public, sig) = ours(signed)?;
        let m = &*signed.message;
        let verdict = new!(public.verify_strict(m, &sig));
        let by_profile = public.under(new!(profile::Strict)).verify(m, &sig);
        if cfg!(not(feature = "legacy_compatibility")) {
            assert_eq!(by_profile.is_ok(), verdict.is_ok());
        }
        Ok(verdict?)
    };
    [by_theirs().is_ok(), by_ours().is_ok()]
}

fn verdicts(rows: &mut Rows, rng: &mut fastrand::Rng) {
    for by_both in [verify_by_both, verify_strict_by_both] {
        rows.row(|| {
            odd::agree(rng, |s| by_both(s)[0], |s| by_both(s)[1]);
            // A right S, and L more again and again, up to 256 bits.
            for _ in 0..20 {
                let (_, key) = pair(&array(rng));
                let mut signed = Signed {
                    key: key.verifying_key().to_bytes(),
                    message: bytes(rng, 40),
                    signature: [0; 64],
                };
                signed.signature = own::Signer::sign(&key, &signed.message).to_bytes();
                let mut accepted = 0;
                for times in 0..15 {
                    let [theirs, ours] = by_both(&signed);
                    assert_eq!(ours, theirs, "{times} L more: {signed:02x?}");
                    accepted += usize::from(ours);
                    let s: [u8; 32] = signed.signature[32..].try_into()?;
                    signed.signature[32..].copy_from_slice(&add(&s, &L));
                }
                // S + L is below 2^253, S + 2L is not.
                let legacy = cfg!(feature = "legacy_compatibility");
                assert_eq!(accepted, 1 + usize::from(legacy));
            }
            Ok(())
        });
    }
}

/// What version 1 says of a batch, and Lanner.
fn batch_by_both(batch: &[&Signed]) -> [bool; 2] {
    let ms: Vec<&[u8]> = batch.iter().map(|s| &*s.message).collect();
    let by_theirs = || -> Tested {
        use dalek_1::verify_batch;
        let parts: Vec<_> = batch.iter().map(|s| theirs(s)).collect::<Result<_, _>>()?;
        let (keys, sigs): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let (ms, sigs, keys) = (&*ms, &*sigs, &*keys);
        Ok(old!(verify_batch(ms, sigs, keys))?)
    };
    let by_ours = || -> Tested {
        use own::verify_batch;
        let parts: Vec<_> = batch.iter().map(|s| ours(s)).collect::<Result<_, _>>()?;
        let (keys, sigs): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        let (ms, sigs, keys) = (&*ms, &*sigs, &*keys);
        Ok(new!(verify_batch(ms, sigs, keys))?)
    };
    [by_theirs().is_ok(), by_ours().is_ok()]
}

fn batches(rows: &mut Rows, rng: &mut fastrand::Rng) {
    rows.row(|| {
        let honest = |rng: &mut fastrand::Rng| {
            let (_, key) = pair(&array(rng));
            let message = bytes(rng, 20);
            Signed {
                key: key.verifying_key().to_bytes(),
                signature: own::Signer::sign(&key, &message).to_bytes(),
                message,
            }
        };
        for number in [0, 1, 2, 3, 8, 64, 150] {
            let all: Vec<Signed> = (0..number).map(|_| honest(rng)).collect();
            let mut batch: Vec<&Signed> = all.iter().collect();
            assert_eq!(batch_by_both(&batch), [true; 2], "{number}");
            let mut bad = honest(rng);
            bad.message.push(0);
            batch.insert(rng.usize(..=number), &bad);
            assert_eq!(batch_by_both(&batch), [false; 2], "{number} and a bad one");
        }
        // Lengths that differ.
        let (key, sig) = theirs(&honest(rng))?;
        assert!(dalek_1::verify_batch(&[], &[sig], &[key]).is_err());
        let (key, sig) = ours(&honest(rng))?;
        assert!(own::verify_batch(&[], &[sig], &[key]).is_err());
        // Each that is odd, in a batch of its own, which is always judged as by `verify` here. There, a verdict may fall by chance,
        // and what `verify` refuses may be accepted whenever it is asked.
        let (mut by_chance, mut accepted_against_verify) = (0, 0);
        for signed in odd::signatures(rng) {
            let single = verify_alone(&signed);
            let tries: Vec<_> = (0..16).map(|_| batch_by_both(&[&signed])).collect();
            assert!(tries.iter().all(|of| of[1] == single), "{signed:02x?}");
            match tries.iter().filter(|of| of[0]).count() {
                1..16 => by_chance += 1,
                16 if !single => accepted_against_verify += 1,
                _ => {}
            }
        }
        assert!(by_chance > 0 && accepted_against_verify > 0);
        Ok(())
    });
}

/// The verdict of single verification, without being of the row.
fn verify_alone(signed: &Signed) -> bool {
    let mut verdicts = [false; 2];
    crate::page::unnoted(|| verdicts = verify_by_both(signed));
    assert_eq!(verdicts[1], verdicts[0]);
    verdicts[0]
}

fn prehashed(rows: &mut Rows, rng: &mut fastrand::Rng) {
    let contexts: Vec<Option<Vec<u8>>> = [0, 1, 17, 254, 255]
        .map(|length| Some(bytes(rng, length)))
        .into_iter()
        .chain([None])
        .collect();
    rows.row(|| {
        for ctx in &contexts {
            let ctx = ctx.as_deref();
            let (keypair, key) = pair(&array(rng));
            let m = bytes(rng, 100);
            let theirs = {
                use dalek_1::{Digest as _, Sha512};
                let hash = Sha512::new().chain(&m);
                old!(keypair.sign_prehashed(hash, ctx)?).to_bytes()
            };
            use own::{Digest as _, Sha512};
            let (keypair, hash) = (key, Sha512::new_with_prefix(&m));
            assert_eq!(new!(keypair.sign_prehashed(hash, ctx)?).to_bytes(), theirs);
        }
        let (keypair, key) = pair(&array(rng));
        let hash = <dalek_1::Sha512 as dalek_1::Digest>::new();
        assert!(keypair.sign_prehashed(hash, Some(&[0; 256])).is_err());
        let hash = <own::Sha512 as own::Digest>::new();
        assert!(key.sign_prehashed(hash, Some(&[0; 256])).is_err());
        Ok(())
    });
    rows.row(|| {
        let by_theirs = |signed: &Signed, ctx: Option<&[u8]>| -> Tested {
            use dalek_1::{Digest as _, Sha512};
            let (public, sig) = theirs(signed)?;
            let hash = Sha512::new().chain(&signed.message);
            Ok(old!(public.verify_prehashed(hash, ctx, &sig))?)
        };
        let by_ours = |signed: &Signed, ctx: Option<&[u8]>| -> Tested {
            use own::{Digest as _, Sha512};
            let (public, sig) = ours(signed)?;
            let hash = Sha512::new_with_prefix(&signed.message);
            Ok(new!(public.verify_prehashed(hash, ctx, &sig))?)
        };
        let mut number = [0; 2];
        let mut compare = |signed: &Signed, ctx| {
            let verdicts = [by_theirs(signed, ctx), by_ours(signed, ctx)].map(|it| it.is_ok());
            assert_eq!(verdicts, [verdicts[0]; 2], "{signed:02x?}");
            number[usize::from(verdicts[0])] += 1;
        };
        for signed in odd::signatures(rng) {
            compare(&signed, Some(b"odd"));
        }
        for ctx in &contexts {
            let ctx = ctx.as_deref();
            let (_, key) = pair(&array(rng));
            let message = bytes(rng, 100);
            let hash = <own::Sha512 as own::Digest>::new_with_prefix(&message);
            let mut signed = Signed {
                key: key.verifying_key().to_bytes(),
                signature: key.sign_prehashed(hash, ctx)?.to_bytes(),
                message,
            };
            compare(&signed, ctx);
            compare(&signed, Some(b"another"));
            let s: [u8; 32] = signed.signature[32..].try_into()?;
            signed.signature[32..].copy_from_slice(&add(&s, &L));
            compare(&signed, ctx);
        }
        assert!(number.iter().all(|number| *number > 20), "{number:?}");
        Ok(())
    });
}

/// The hole: two signatures of one message, beside two public keys, give the secret scalar away. Version 1 makes them of a key pair
/// that it read, and Lanner reads no such pair.
#[test]
fn a_wrong_public_key_gives_the_secret_away() {
    use lanner_curve::Scalar;
    let rng = &mut start("hole");
    let (right, key) = pair(&array(rng));
    let mut bytes = right.to_bytes();
    bytes[32..].copy_from_slice(pair(&array(rng)).0.public.as_bytes());
    let wrong = dalek_1::Keypair::from_bytes(&bytes).expect("it takes any public key");
    let [(k1, s1), (k2, s2)] = [&right, &wrong].map(|pair| {
        let signature = dalek_1::Signer::sign(pair, b"message").to_bytes();
        let s: [u8; 32] = signature[32..].try_into().expect("32 bytes");
        let s = Scalar::from_canonical_bytes(s).expect("it is reduced");
        let hash = <sha2::Sha512 as sha2::Digest>::new_with_prefix(&signature[..32]);
        let hash = sha2::Digest::chain_update(hash, pair.public.as_bytes());
        let k = sha2::Digest::finalize(sha2::Digest::chain_update(hash, b"message"));
        (Scalar::from_bytes_mod_order_wide(&k.into()), s)
    });
    assert_eq!((s1 - s2) * (k1 - k2).invert(), key.to_scalar());
    assert!(own::SigningKey::from_keypair_bytes(&bytes).is_err());
}

/// A program that keeps its generator of rand 0.7 takes the bytes of a key from it.
#[test]
fn an_old_generator_makes_the_same_keys() {
    use rand::RngCore as _;
    let mut secret_key = [0; own::SECRET_KEY_LENGTH];
    generator(5).fill_bytes(&mut secret_key);
    let key = own::SigningKey::from_bytes(&secret_key);
    let old = dalek_1::Keypair::generate(&mut generator(5));
    assert_eq!(key.to_keypair_bytes(), old.to_bytes());
}

#[test]
fn lengths_have_their_names() {
    macro_rules! same {
        ($($name:ident)*) => { $(assert_eq!(own::$name, dalek_1::$name);)* };
    }
    same!(
        SECRET_KEY_LENGTH PUBLIC_KEY_LENGTH KEYPAIR_LENGTH EXPANDED_SECRET_KEY_LENGTH
    );
    // Of the crate `ed25519` there, here beside the others.
    #[allow(deprecated)]
    let theirs = dalek_1::ed25519::SIGNATURE_LENGTH;
    assert_eq!(own::SIGNATURE_LENGTH, theirs);
}
