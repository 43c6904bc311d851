//! A batch of Ed25519 signatures against its signatures one by one, under every profile, in every form that a batch has.

use lanner_ed25519::batch::{Batch, PreparedBatch};
use lanner_ed25519::profile::ProfileName;
use lanner_ed25519::{PreparedVerifyingKey, Signature, Verifier, VerifyingKey, verify_batch};

use crate::bytes::Bytes;
use crate::items::{Item, item};

/// A batch of up to 40 claims: from 32 on all are combined, from fewer on under some profiles and backends.
pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let profile = ProfileName::ALL[bytes.below(ProfileName::ALL.len())];
    let form = bytes.byte();
    // Few, or as many as the other bits say; beyond the input all claims are the same honest one.
    let count = match form % 4 {
        0 | 1 => usize::from(form >> 2) % 9,
        _ => usize::from(form >> 2) % 41,
    };
    let aux_rand = bytes.byte();
    let items: Vec<Item> = (0..count).map(|_| item(&mut bytes, 24)).collect();
    let expected: Vec<bool> = items
        .iter()
        .map(|item| {
            let key = item.key.under(profile);
            key.verify(&item.message, &item.signature).is_ok()
        })
        .collect();
    let all = expected.iter().all(|verdict| *verdict);

    let messages: Vec<&[u8]> = items.iter().map(|item| &item.message[..]).collect();
    let signatures: Vec<Signature> = items.iter().map(|item| item.signature).collect();
    let keys: Vec<VerifyingKey> = items.iter().map(|item| item.key).collect();
    let aux_rand = [aux_rand; 32];
    let batch = Batch::new(profile, &messages, &signatures, &keys)
        .expect("slices of one length")
        .with_aux_rand(&aux_rand[..if form & 1 == 0 { 0 } else { 32 }]);
    assert_eq!(batch.verify_each(), expected, "{profile}: each");
    assert_eq!(batch.verify().is_ok(), all, "{profile}: all");
    let mut verdicts = vec![!all; count];
    batch.verify_each_into(&mut verdicts).expect("as many");
    assert_eq!(verdicts, expected, "{profile}: without an allocator");
    batch
        .verify_each_combined_into(&mut verdicts)
        .expect("as many");
    assert_eq!(verdicts, expected, "{profile}: combined");
    if profile == ProfileName::Dalek {
        // The names of ed25519-dalek accept more with the feature `legacy_compatibility`, which the features of another
        // package may have turned on, and never less.
        let single = |item: &Item| item.key.verify(&item.message, &item.signature).is_ok();
        let singles: Vec<bool> = items.iter().map(single).collect();
        assert!(
            singles
                .iter()
                .zip(&expected)
                .all(|(wide, narrow)| wide >= narrow)
        );
        let outcome = verify_batch(&messages, &signatures, &keys);
        assert_eq!(outcome.is_ok(), singles.iter().all(|verdict| *verdict));
    }
    // Tables of a key cost more than a verification.
    if count < 5 {
        let prepared: Vec<_> = keys.iter().map(PreparedVerifyingKey::new).collect();
        let prepared: Vec<_> = prepared.iter().collect();
        let batch = PreparedBatch::new(profile, &messages, &signatures, &prepared)
            .expect("slices of one length");
        batch.verify_each_into(&mut verdicts).expect("as many");
        assert_eq!(verdicts, expected, "{profile}: prepared keys");
    }
}

/// Batches of each kind of claim, and of all kinds.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for profile in 0..ProfileName::ALL.len() as u8 {
        for (count, kinds) in [(0_u8, 1), (1, 9), (8, 3), (24, 1), (40, 9), (33, 8)] {
            let mut seed = vec![profile, count << 2 | 2 | profile & 1, profile];
            for i in 0..count {
                // A kind, a key, and what makes up the claim.
                seed.extend([8 - i % kinds, i]);
                seed.extend((0..6).map(|k| i.wrapping_mul(7).wrapping_add(k * k)));
            }
            seeds.push(seed);
        }
    }
    seeds
}
