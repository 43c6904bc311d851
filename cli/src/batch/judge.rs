//! Verdicts on the records of a piece.

use super::decode::{self, Decoded, KEY, Kept, MESSAGE, Parts, SIGNATURE, Settings};
use super::source::{Piece, Records};
use super::{Counts, Judged};
use crate::algorithm::SignatureAlgorithm::{
    self, Ed25519, FnDsa512, FnDsa1024, Hybrid512, Hybrid1024,
};
use crate::keys::VerifyingKey;
use crate::schemes::ed25519::batch::Batch;
use crate::schemes::ed25519::{self, PUBLIC_KEY_LENGTH};
use crate::schemes::fn_dsa::{self, DomainContext, HASH_ID_RAW};
use crate::schemes::hybrid;
use crate::signatures::guard;
use serde::ser::{SerializeMap, Serializer};

/// What is said of a record.
enum Verdict {
    Valid,
    NotValid(Option<String>),
    Malformed(String),
    Refused(String),
}

pub(super) fn judge(piece: Piece, settings: &Settings) -> Judged {
    let mut decoded: Vec<Decoded> = match piece.records {
        Records::Lines(lines) => lines
            .iter()
            .map(|line| decode::line(line.as_deref(), settings))
            .collect(),
        Records::Csv(records) => records
            .iter()
            .map(|record| decode::record(record.as_ref(), settings))
            .collect(),
    };
    let mut verdicts: Vec<Option<Verdict>> = Vec::with_capacity(decoded.len());
    // What is left to be computed: its place, and the algorithm.
    let mut open = Vec::new();
    for (i, it) in decoded.iter_mut().enumerate() {
        let verdict = match &mut it.parts {
            Ok(parts) => before_the_equation(parts, settings),
            Err(why) => Err(Verdict::Malformed(std::mem::take(why))),
        };
        match verdict {
            Ok(algorithm) => {
                open.push((i, algorithm));
                verdicts.push(None);
            }
            Err(verdict) => verdicts.push(Some(verdict)),
        }
    }
    let of = |algorithms: &[SignatureAlgorithm]| -> Vec<(usize, &Parts)> {
        open.iter()
            .filter(|(_, algorithm)| algorithms.contains(algorithm))
            .filter_map(|&(i, _)| Some((i, decoded[i].parts.as_ref().ok()?)))
            .collect()
    };
    ed25519_each(&of(&[Ed25519]), settings, &mut verdicts);
    fn_dsa_each(&of(&[FnDsa512, FnDsa1024]), settings, &mut verdicts);
    hybrid_each(&of(&[Hybrid512, Hybrid1024]), settings, &mut verdicts);
    answer(piece.first, &decoded, verdicts)
}

/// What can be said without arithmetic.
fn before_the_equation(parts: &Parts, settings: &Settings) -> Result<SignatureAlgorithm, Verdict> {
    if let Some(whose) = guard::mark_of(&parts[MESSAGE]) {
        return Err(Verdict::Refused(format!(
            "the message begins with what {whose} signs"
        )));
    }
    let algorithm = match settings.key {
        Some(key) => Some(key.algorithm()),
        None => algorithm_of_key(parts[KEY].len()),
    };
    let Some(algorithm) = algorithm else {
        let length = parts[KEY].len();
        return Err(not_valid(format!("no public key has {length} bytes")));
    };
    if let Some(wanted) = settings.algorithm
        && wanted != algorithm
    {
        return Err(not_valid(format!("the key is one of {algorithm}")));
    }
    if settings.context.is_some() && !algorithm.has_context() {
        return Err(not_valid(format!(
            "a signature of {algorithm} has no context"
        )));
    }
    let (length, size) = (parts[SIGNATURE].len(), algorithm.signature_size());
    if length != size {
        return Err(not_valid(format!(
            "the signature has {length} bytes instead of {size}"
        )));
    }
    Ok(algorithm)
}

fn not_valid(why: String) -> Verdict {
    Verdict::NotValid(Some(why))
}

/// Public keys of different algorithms have different lengths.
fn algorithm_of_key(length: usize) -> Option<SignatureAlgorithm> {
    match length {
        PUBLIC_KEY_LENGTH => Some(Ed25519),
        _ if length == fn_dsa::vrfy_key_size(fn_dsa::FN_DSA_LOGN_512) => Some(FnDsa512),
        _ if length == fn_dsa::vrfy_key_size(fn_dsa::FN_DSA_LOGN_1024) => Some(FnDsa1024),
        _ if length == hybrid::verifying_key_size(hybrid::LOGN_512) => Some(Hybrid512),
        _ if length == hybrid::verifying_key_size(hybrid::LOGN_1024) => Some(Hybrid1024),
        _ => None,
    }
}

/// Settles the records of Ed25519 in one batch.
fn ed25519_each(
    records: &[(usize, &Parts)],
    settings: &Settings,
    verdicts: &mut [Option<Verdict>],
) {
    let mut keys = vec![None; records.len()];
    match settings.key {
        Some(VerifyingKey::Ed25519(key)) => keys.fill(Some(*key)),
        _ => {
            let encoded: Vec<[u8; PUBLIC_KEY_LENGTH]> = records
                .iter()
                .map(|(_, parts)| parts[KEY].as_slice().try_into().expect("was checked"))
                .collect();
            ed25519::VerifyingKey::from_bytes_each(&encoded, &mut keys);
        }
    }
    let (mut at, mut messages) = (Vec::new(), Vec::new());
    let (mut signatures, mut points) = (Vec::new(), Vec::new());
    for (&(i, parts), key) in records.iter().zip(keys) {
        let Some(key) = key else {
            verdicts[i] = Some(not_valid(
                "the public key is no point of the curve".to_owned(),
            ));
            continue;
        };
        at.push(i);
        points.push(key);
        messages.push(parts[MESSAGE].as_slice());
        let signature = parts[SIGNATURE].as_slice().try_into().expect("was checked");
        signatures.push(ed25519::Signature::from_bytes(signature));
    }
    let mut valid = vec![false; at.len()];
    Batch::new(settings.profile, &messages, &signatures, &points)
        .and_then(|batch| batch.verify_each_combined_into(&mut valid))
        .expect("there are as many of each");
    for (i, valid) in at.into_iter().zip(valid) {
        verdicts[i] = Some(of(valid));
    }
}

/// Settles the records of FN-DSA side by side.
fn fn_dsa_each(records: &[(usize, &Parts)], settings: &Settings, verdicts: &mut [Option<Verdict>]) {
    let mut keys: Vec<Option<fn_dsa::VerifyingKeyStandard>> = vec![None; records.len()];
    match settings.key {
        Some(VerifyingKey::FnDsa(key)) => keys.fill(Some(**key)),
        _ => {
            let encoded: Vec<&[u8]> = records
                .iter()
                .map(|(_, parts)| parts[KEY].as_slice())
                .collect();
            fn_dsa::VerifyingKeyStandard::from_bytes_each(&encoded, &mut keys);
        }
    }
    let (mut at, mut messages) = (Vec::new(), Vec::new());
    let (mut signatures, mut decoded) = (Vec::new(), Vec::new());
    for (&(i, parts), key) in records.iter().zip(&keys) {
        let Some(key) = key else {
            verdicts[i] = Some(not_valid("the public key is none of FN-DSA".to_owned()));
            continue;
        };
        at.push(i);
        decoded.push(key);
        messages.push(parts[MESSAGE].as_slice());
        signatures.push(parts[SIGNATURE].as_slice());
    }
    let mut valid = vec![false; at.len()];
    fn_dsa::VerifyingKeyStandard::verify_each(
        &decoded,
        &signatures,
        &DomainContext(settings.context()),
        &HASH_ID_RAW,
        &messages,
        &mut valid,
    )
    .expect("there are as many of each");
    for (i, valid) in at.into_iter().zip(valid) {
        verdicts[i] = Some(of(valid));
    }
}

/// Settles the hybrid records, one after the other.
fn hybrid_each(records: &[(usize, &Parts)], settings: &Settings, verdicts: &mut [Option<Verdict>]) {
    for &(i, parts) in records {
        let key = match settings.key {
            Some(VerifyingKey::Hybrid(key)) => Some(**key),
            _ => hybrid::VerifyingKeyStandard::from_bytes(&parts[KEY]).ok(),
        };
        verdicts[i] = Some(match key {
            Some(key) => of(key
                .verify(&parts[SIGNATURE], settings.context(), &parts[MESSAGE])
                .is_ok()),
            None => not_valid("the public key is no hybrid one".to_owned()),
        });
    }
}

fn of(valid: bool) -> Verdict {
    if valid {
        Verdict::Valid
    } else {
        Verdict::NotValid(None)
    }
}

/// Writes the verdicts as the table is written.
fn answer(first: u64, decoded: &[Decoded], verdicts: Vec<Option<Verdict>>) -> Judged {
    let mut judged = Judged {
        text: Vec::new(),
        counts: Counts::default(),
    };
    let counts = &mut judged.counts;
    for ((number, it), verdict) in (first..).zip(decoded).zip(verdicts) {
        let (name, count, why) = match verdict.expect("every record was settled") {
            Verdict::Valid => ("valid", &mut counts.valid, None),
            Verdict::NotValid(why) => ("not_valid", &mut counts.not_valid, why),
            Verdict::Malformed(why) => ("malformed", &mut counts.malformed, Some(why)),
            Verdict::Refused(why) => ("refused", &mut counts.refused, Some(why)),
        };
        *count += 1;
        match &it.kept {
            Kept::Csv(kept) => {
                let number = number.to_string();
                let own = [&number, name, why.as_deref().unwrap_or_default()];
                let fields = own.iter().map(|field| field.as_bytes());
                let line = decode::csv_line(fields.chain(kept.iter().map(Vec::as_slice)));
                judged.text.extend_from_slice(&line);
            }
            Kept::Json(kept) => {
                let mut write = || {
                    let mut json = serde_json::Serializer::new(&mut judged.text);
                    let mut line = json.serialize_map(None)?;
                    line.serialize_entry("record", &number)?;
                    line.serialize_entry("verdict", name)?;
                    line.serialize_entry("reason", &why)?;
                    for (name, value) in kept {
                        line.serialize_entry(name, value)?;
                    }
                    SerializeMap::end(line)
                };
                let written: serde_json::Result<()> = write();
                written.expect("memory takes everything");
                judged.text.push(b'\n');
            }
        }
    }
    judged
}
