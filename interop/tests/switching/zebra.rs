//! ed25519-zebra.

use lanner_ed25519 as own;
use lanner_ed25519::profile::Zip215;
use lanner_interop::{array, bytes, start};

use crate::odd;
use crate::page::{Rows, new, old};
use crate::replay::Replay;

#[test]
fn from_ed25519_zebra() {
    let rng = &mut start("zebra");
    let mut rows = Rows::default();
    rows.row(|| {
        for seed in 0..20 {
            let theirs = {
                use ed25519_zebra::SigningKey;
                let rng = Replay::new(seed);
                old!(SigningKey::new(rng))
            };
            let ours = {
                use own::SigningKey;
                let mut rng = Replay::new(seed);
                new!(SigningKey::generate(&mut rng))
            };
            assert_eq!(ours.to_bytes(), theirs.to_bytes());
        }
        Ok(())
    });
    rows.row(|| {
        for _ in 0..20 {
            let seed: [u8; 32] = array(rng);
            let theirs = {
                use ed25519_zebra::SigningKey;
                old!(SigningKey::from(seed))
            };
            let ours = {
                use own::SigningKey;
                new!(SigningKey::from_bytes(&seed))
            };
            assert_eq!(ours.to_bytes(), theirs.to_bytes());
        }
        Ok(())
    });
    rows.row(|| {
        for _ in 0..20 {
            let seed = array(rng);
            let theirs = {
                use ed25519_zebra::{SigningKey, VerificationKey};
                let key = SigningKey::from(seed);
                <[u8; 32]>::from(old!(VerificationKey::from(&key)))
            };
            let key = own::SigningKey::from_bytes(&seed);
            assert_eq!(new!(key.verifying_key()).to_bytes(), theirs);
        }
        Ok(())
    });
    rows.row(|| {
        for length in 0..40 {
            let (seed, m) = (array(rng), &*bytes(rng, length * 7));
            let theirs = {
                let key = ed25519_zebra::SigningKey::from(seed);
                old!(key.sign(m)).to_bytes()
            };
            use own::Signer as _;
            let key = own::SigningKey::from_bytes(&seed);
            assert_eq!(new!(key.sign(m)).to_bytes(), theirs);
        }
        Ok(())
    });
    rows.row(|| {
        let theirs = |bytes: [u8; 32]| -> Result<[u8; 32], ed25519_zebra::Error> {
            use ed25519_zebra::VerificationKey;
            Ok(old!(VerificationKey::try_from(bytes)?).into())
        };
        let ours = |bytes: [u8; 32]| -> Result<[u8; 32], own::SignatureError> {
            use own::VerifyingKey;
            Ok(new!(VerifyingKey::from_bytes(&bytes)?).to_bytes())
        };
        odd::agree(
            rng,
            |signed| theirs(signed.key).is_ok_and(|key| key == signed.key),
            |signed| ours(signed.key).is_ok_and(|key| key == signed.key),
        );
        Ok(())
    });
    rows.row(|| {
        let theirs = |signed: &odd::Signed| -> Result<(), ed25519_zebra::Error> {
            let key = ed25519_zebra::VerificationKey::try_from(signed.key)?;
            let (sig, m) = (
                ed25519_zebra::Signature::from(signed.signature),
                &*signed.message,
            );
            old!(key.verify(&sig, m)?);
            Ok(())
        };
        let ours = |signed: &odd::Signed| -> Result<(), own::SignatureError> {
            let key = own::VerifyingKey::from_bytes(&signed.key)?;
            let (sig, m) = (own::Signature::from(signed.signature), &*signed.message);
            new!(key.under(Zip215).verify(m, &sig)?);
            Ok(())
        };
        odd::agree(rng, |s| theirs(s).is_ok(), |s| ours(s).is_ok());
        Ok(())
    });

    // Batches of keys that are some, each with one bad signature or none.
    let some: Vec<odd::Signed> = odd::signatures(rng)
        .into_iter()
        .filter(|signed| own::VerifyingKey::from_bytes(&signed.key).is_ok())
        .collect();
    let theirs_alone = |signed: &odd::Signed| -> Result<(), ed25519_zebra::Error> {
        let key = ed25519_zebra::VerificationKey::try_from(signed.key)?;
        key.verify(&signed.signature.into(), &signed.message)
    };
    let (good, bad): (Vec<_>, Vec<_>) = some.iter().partition(|s| theirs_alone(s).is_ok());
    let mut batches: Vec<Vec<&odd::Signed>> = Vec::new();
    for number in [1, 0, 2, 3, 8, 64, 150] {
        let mut batch: Vec<_> = (0..number).map(|_| good[rng.usize(..good.len())]).collect();
        batches.push(batch.clone());
        batch.insert(rng.usize(..=number), bad[rng.usize(..bad.len())]);
        batches.push(batch);
    }
    let columns = |batch: &[&odd::Signed]| -> (Vec<own::Signature>, Vec<own::VerifyingKey>) {
        let keys = batch
            .iter()
            .map(|s| own::VerifyingKey::from_bytes(&s.key).expect("a key"));
        let sigs = batch
            .iter()
            .map(|s| own::Signature::from_bytes(&s.signature));
        (sigs.collect(), keys.collect())
    };
    rows.row(|| {
        for (number, signed) in batches.iter().enumerate() {
            let theirs = || -> Result<(), ed25519_zebra::Error> {
                use ed25519_zebra::batch;
                let mut verifier = old!(batch::Verifier::new());
                for signed in signed {
                    let key = ed25519_zebra::VerificationKeyBytes::from(signed.key);
                    let (sig, m) = (signed.signature.into(), &signed.message);
                    old!(verifier.queue((key, sig, m)));
                }
                let rng = Replay::new(7);
                old!(verifier.verify(rng)?);
                Ok(())
            };
            let ours = || -> Result<(), own::SignatureError> {
                use own::batch::Batch;
                let (sigs, keys) = columns(signed);
                let ms: Vec<&[u8]> = signed.iter().map(|s| &*s.message).collect();
                let (ms, sigs, keys) = (&*ms, &*sigs, &*keys);
                new!(Batch::new(Zip215, ms, sigs, keys)?.verify()?);
                Ok(())
            };
            assert_eq!(theirs().is_ok(), number % 2 == 0, "batch {number}");
            assert_eq!(ours().is_ok(), number % 2 == 0, "batch {number}");
        }
        Ok(())
    });
    rows.row(|| {
        for signed in &batches {
            let theirs: Vec<bool> = signed
                .iter()
                .map(|s| {
                    let key = ed25519_zebra::VerificationKeyBytes::from(s.key);
                    let item =
                        ed25519_zebra::batch::Item::from((key, s.signature.into(), &s.message));
                    old!(item.verify_single()).is_ok()
                })
                .collect();
            use own::batch::Batch;
            let (sigs, keys) = columns(signed);
            let ms: Vec<&[u8]> = signed.iter().map(|s| &*s.message).collect();
            let (ms, sigs, keys) = (&*ms, &*sigs, &*keys);
            let ours = new!(Batch::new(Zip215, ms, sigs, keys)?.verify_each());
            assert_eq!(ours, theirs);
        }
        Ok(())
    });
    rows.are_those_of("## ed25519-zebra");
}
