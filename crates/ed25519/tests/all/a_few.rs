//! Many at once, but few, on the backend that is active: what `../many.rs` and `batch.rs` try at every length, on every
//! backend and with items of every kind, which takes long.

#[cfg(any(feature = "batch", feature = "fast"))]
use crate::common::items::{Item, honest};
#[cfg(any(feature = "batch", feature = "fast"))]
use lanner_ed25519::profile::{Dalek, ProfileName, Zip215};
use lanner_ed25519::{Signature, Signer, SigningKey, VerifyingKey};

/// More than go together, and a few of the next group.
const COUNT: usize = 19;

#[test]
fn keys_and_signatures() {
    let seeds: Vec<[u8; 32]> = (0..COUNT).map(|i| [i as u8; 32]).collect();
    let each: Vec<SigningKey> = seeds.iter().map(SigningKey::from_bytes).collect();
    let mut keys = vec![None; seeds.len()];
    SigningKey::from_bytes_each(&seeds, &mut keys);
    let mut public = vec![None; seeds.len()];
    VerifyingKey::from_secret_keys_each(&seeds, &mut public);
    for ((key, public), expected) in keys.into_iter().zip(public).zip(&each) {
        assert_eq!(key.as_ref(), Some(expected));
        assert_eq!(public, Some(expected.verifying_key()));
    }
    let messages: Vec<Vec<u8>> = (0..COUNT).map(|i| vec![i as u8; 9 * i]).collect();
    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let mut signatures = vec![Signature::from_bytes(&[0; 64]); messages.len()];
    SigningKey::sign_each_by(&each.iter().collect::<Vec<_>>(), &messages, &mut signatures);
    for ((key, message), signature) in each.iter().zip(&messages).zip(&signatures) {
        assert_eq!(*signature, key.sign(message));
    }
    each[0].sign_each(&messages, &mut signatures);
    for (message, signature) in messages.iter().zip(&signatures) {
        assert_eq!(*signature, each[0].sign(message));
    }
}

/// Two on other messages, one whose S is not reduced, and one whose R has torsion; the others are valid.
#[cfg(any(feature = "batch", feature = "fast"))]
fn items(count: usize) -> Vec<Item> {
    let mut items: Vec<Item> = (0..count).map(honest).collect();
    items[1].1.push(0);
    items[count - 1].1.push(0);
    items[4].2 = crate::common::shifted(&items[4].2, 1);
    let (key, signature) = crate::common::forge(3, 4, 0, 5, b"torsion");
    items[6] = (key, b"torsion".to_vec(), signature);
    items
}

/// The verdicts that `verdicts` tells are those on single signatures, under a rule with the cofactor and one without.
#[cfg(any(feature = "batch", feature = "fast"))]
fn check(
    items: &[Item],
    verdicts: impl Fn(ProfileName, &[&[u8]], &[Signature], &[VerifyingKey]) -> Vec<bool>,
) {
    let keys: Vec<VerifyingKey> = items.iter().map(|item| item.0).collect();
    let messages: Vec<&[u8]> = items.iter().map(|item| &item.1[..]).collect();
    let signatures: Vec<Signature> = items.iter().map(|item| item.2).collect();
    for profile in [ProfileName::from(Dalek), ProfileName::from(Zip215)] {
        let singly: Vec<bool> = items
            .iter()
            .map(|(key, message, signature)| key.under(profile).verify(message, signature).is_ok())
            .collect();
        let valid = singly.iter().filter(|&&valid| valid).count();
        assert!(valid > items.len() / 2 && valid < items.len());
        assert_eq!(verdicts(profile, &messages, &signatures, &keys), singly);
    }
}

#[cfg(feature = "fast")]
#[test]
fn verdicts_under_keys_with_tables() {
    use lanner_ed25519::{PreparedVerifyingKey, batch::PreparedBatch};
    check(&items(COUNT), |profile, messages, signatures, keys| {
        let keys: Vec<_> = keys.iter().map(PreparedVerifyingKey::from).collect();
        let keys: Vec<_> = keys.iter().collect();
        let batch = PreparedBatch::new(profile, messages, signatures, &keys).unwrap();
        let mut verdicts = vec![true; keys.len()];
        batch.verify_each_into(&mut verdicts).unwrap();
        verdicts
    });
}

#[cfg(feature = "batch")]
#[test]
fn verdicts_of_batches() {
    use lanner_ed25519::batch::Batch;
    check(&items(COUNT), |profile, messages, signatures, keys| {
        let batch = Batch::new(profile, messages, signatures, keys).unwrap();
        assert!(batch.verify().is_err());
        let valid: Vec<Item> = (0..COUNT).map(honest).collect();
        let keys: Vec<VerifyingKey> = valid.iter().map(|item| item.0).collect();
        let messages: Vec<&[u8]> = valid.iter().map(|item| &item.1[..]).collect();
        let signatures: Vec<Signature> = valid.iter().map(|item| item.2).collect();
        let all = Batch::new(profile, &messages, &signatures, &keys).unwrap();
        assert!(all.verify().is_ok());
        // Of one that the rule does not even admit, all others being valid.
        let mut refused = signatures.clone();
        refused[7] = crate::common::shifted(&refused[7], 1);
        let refused = Batch::new(profile, &messages, &refused, &keys).unwrap();
        assert!(refused.verify().is_err());
        #[cfg(feature = "rayon")]
        crate::common::over_threads(|| {
            assert!(batch.par_verify().is_err());
            assert!(all.par_verify().is_ok());
            assert_eq!(batch.par_verify_each(), batch.verify_each());
        });
        let mut verdicts = batch.verify_each();
        verdicts.iter_mut().for_each(|verdict| *verdict = !*verdict);
        batch.verify_each_combined_into(&mut verdicts).unwrap();
        assert_eq!(batch.verify_each(), verdicts);
        verdicts
    });
}

/// Too few for a combination, and just enough.
#[cfg(feature = "batch")]
#[test]
fn verdicts_of_small_batches() {
    use lanner_ed25519::batch::Batch;
    for count in 1..5 {
        let mut items: Vec<Item> = (0..count).map(honest).collect();
        for wrong in [false, true] {
            if wrong {
                items[count - 1].1.push(0);
            }
            let keys: Vec<VerifyingKey> = items.iter().map(|item| item.0).collect();
            let messages: Vec<&[u8]> = items.iter().map(|item| &item.1[..]).collect();
            let signatures: Vec<Signature> = items.iter().map(|item| item.2).collect();
            let batch = Batch::new(Zip215, &messages, &signatures, &keys).unwrap();
            assert_eq!(batch.verify().is_ok(), !wrong);
            let verdicts = batch.verify_each();
            assert!(verdicts[..count - 1].iter().all(|&valid| valid));
            assert_eq!(verdicts[count - 1], !wrong);
        }
    }
}
