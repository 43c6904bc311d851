//! Columns against single verification.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::builder::{FixedSizeBinaryBuilder, FixedSizeBinaryDictionaryBuilder};
use arrow_array::types::{Int8Type, Int32Type, UInt16Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, BooleanArray, Datum, DictionaryArray,
    FixedSizeBinaryArray, Int8Array, Int32Array, Int64Array, LargeBinaryArray, LargeStringArray,
    NullArray, RunArray, Scalar, StringArray, StringViewArray,
};
use lanner_arrow::{
    Column, Ed25519, Encoding, Error, FnDsa, Nulls, Reason, count_invalid, each_value,
};
use lanner_ed25519::profile::{Dalek, ProfileName, Strict, Zip215};
use lanner_ed25519::{Signature, Signer, SigningKey, VerifyingKey};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{DOMAIN_NONE, DomainContext, HASH_ID_RAW, SigningKey512, SigningKey1024};
use lanner_vectors::own;

type Rows = Vec<Option<Vec<u8>>>;

fn some(bytes: impl AsRef<[u8]>) -> Option<Vec<u8>> {
    Some(bytes.as_ref().to_vec())
}

fn fixed(rows: &Rows) -> FixedSizeBinaryArray {
    let width = rows.iter().flatten().next().map_or(64, Vec::len);
    let width = i32::try_from(width).unwrap();
    FixedSizeBinaryArray::try_from_sparse_iter_with_size(rows.iter().cloned(), width).unwrap()
}

fn binary(rows: &Rows) -> BinaryArray {
    rows.iter().map(Option::as_deref).collect()
}

fn written(rows: &Rows, encoding: Encoding) -> Vec<Option<String>> {
    use base64::Engine;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
    rows.iter()
        .map(|row| {
            row.as_ref().map(|row| match encoding {
                Encoding::Hex => const_hex::encode(row),
                Encoding::Base64 => STANDARD.encode(row),
                _ => URL_SAFE_NO_PAD.encode(row),
            })
        })
        .collect()
}

/// The same rows in every type that holds bytes, and with the encoding that it must be read in.
fn forms(rows: &Rows) -> Vec<(ArrayRef, Encoding)> {
    let views: BinaryViewArray = rows.iter().map(Option::as_deref).collect();
    let large: LargeBinaryArray = rows.iter().map(Option::as_deref).collect();
    let mut forms: Vec<(ArrayRef, Encoding)> = vec![
        (Arc::new(binary(rows)), Encoding::Bytes),
        (Arc::new(large), Encoding::Bytes),
        (Arc::new(views), Encoding::Bytes),
    ];
    let lengths: std::collections::HashSet<_> = rows.iter().flatten().map(Vec::len).collect();
    if lengths.len() == 1 {
        forms.push((Arc::new(fixed(rows)), Encoding::Bytes));
    }
    for encoding in [Encoding::Hex, Encoding::Base64, Encoding::Base64Url] {
        let text = written(rows, encoding);
        let utf8: StringArray = text.iter().map(Option::as_deref).collect();
        let large: LargeStringArray = text.iter().map(Option::as_deref).collect();
        let views: StringViewArray = text.iter().map(Option::as_deref).collect();
        let bytes: BinaryArray = text
            .iter()
            .map(|it| it.as_ref().map(String::as_bytes))
            .collect();
        let dictionary: DictionaryArray<UInt16Type> = text.iter().map(Option::as_deref).collect();
        forms.push((Arc::new(utf8), encoding));
        forms.push((Arc::new(large), encoding));
        forms.push((Arc::new(views), encoding));
        forms.push((Arc::new(bytes), encoding));
        forms.push((Arc::new(dictionary), encoding));
    }
    // A dictionary in which every value stands, nulls among them, and keys that are null as well.
    let values = binary(&rows.iter().cloned().chain([None]).collect());
    let null = i32::try_from(rows.len()).unwrap();
    let keys: Int32Array = rows
        .iter()
        .zip(0..)
        .map(|(row, i)| match row {
            Some(_) => Some(i),
            None if i % 2 == 0 => Some(null),
            None => None,
        })
        .collect();
    let dictionary = DictionaryArray::<Int32Type>::new(keys, Arc::new(values.clone()));
    forms.push((Arc::new(dictionary), Encoding::Bytes));
    // Runs of one or two: what stands beside its like is one run.
    let (mut ends, mut firsts) = (Vec::<i32>::new(), Vec::new());
    for (i, row) in rows.iter().enumerate() {
        let end = i32::try_from(i + 1).unwrap();
        if i > 0 && rows[i - 1] == *row {
            *ends.last_mut().unwrap() = end;
        } else {
            ends.push(end);
            firsts.push(row.clone());
        }
    }
    let runs = RunArray::<Int32Type>::try_new(&Int32Array::from(ends), &binary(&firsts)).unwrap();
    forms.push((Arc::new(runs), Encoding::Bytes));
    // A part of a longer array.
    let padded: Rows = [some("before"), None]
        .into_iter()
        .chain(rows.iter().cloned())
        .chain([None])
        .collect();
    let part = binary(&padded).slice(2, rows.len());
    forms.push((Arc::new(part), Encoding::Bytes));
    forms
}

/// Keys, messages, signatures: good ones, forged ones, nulls, wrong lengths, repeated keys.
fn table(rows: usize) -> [Rows; 3] {
    let keys: Vec<_> = (0..7).map(|i| SigningKey::from_bytes(&[i; 32])).collect();
    let mut columns = [Rows::new(), Rows::new(), Rows::new()];
    for i in 0..rows {
        let key = &keys[i * i % keys.len()];
        let message = vec![i as u8; i % 300];
        let mut signature = key.sign(&message).to_bytes();
        let mut public = key.verifying_key().to_bytes();
        match i % 23 {
            3 => signature[i % 64] ^= 1 << (i % 8),
            11 => public[i % 32] ^= 1 << (i % 8),
            _ => {}
        }
        for (column, bytes) in columns.iter_mut().zip([&public[..], &message, &signature]) {
            column.push(some(bytes));
        }
        match i % 37 {
            5 => columns[0][i] = None,
            6 => columns[1][i] = None,
            7 => columns[2][i] = None,
            8 => columns[0][i] = some([1; 31]),
            9 => columns[2][i] = some([1; 65]),
            10 => columns[2][i] = some([]),
            _ => {}
        }
    }
    columns
}

/// Row by row, by the scheme's own crate.
fn singly(columns: &[Rows; 3], profile: ProfileName) -> Vec<Option<bool>> {
    (0..columns[0].len())
        .map(|i| {
            let [key, message, signature] = columns.each_ref().map(|column| column[i].as_deref());
            let (key, message, signature) = (key?, message?, signature?);
            let verify = || {
                let key = VerifyingKey::from_bytes(key.try_into().ok()?).ok()?;
                let signature = Signature::from_bytes(signature.try_into().ok()?);
                key.under(profile).verify(message, &signature).ok()
            };
            Some(verify().is_some())
        })
        .collect()
}

fn verdicts(array: &BooleanArray) -> Vec<Option<bool>> {
    array.iter().collect()
}

fn nulls_invalid(expected: &[Option<bool>]) -> Vec<Option<bool>> {
    expected
        .iter()
        .map(|verdict| Some(*verdict == Some(true)))
        .collect()
}

#[test]
fn every_type_and_encoding() {
    let columns = table(150);
    let expected = singly(&columns, ProfileName::Strict);
    assert!(
        [None, Some(false), Some(true)]
            .iter()
            .all(|it| expected.contains(it))
    );
    let forms = columns.each_ref().map(forms);
    for i in 0..forms.iter().map(Vec::len).max().unwrap() {
        // Three forms at once, each column in each of its own.
        let [k, m, s] = [0, 3, 5].map(|shift| i + shift);
        let (keys, a) = &forms[0][k % forms[0].len()];
        let (messages, b) = &forms[1][m % forms[1].len()];
        let (signatures, c) = &forms[2][s % forms[2].len()];
        let name = format!(
            "{} {} {}",
            keys.data_type(),
            messages.data_type(),
            signatures.data_type()
        );
        let kernel = Ed25519::new(Strict)
            .key_encoding(*a)
            .message_encoding(*b)
            .signature_encoding(*c);
        let found = kernel.verify(keys, messages, signatures).unwrap();
        assert_eq!(verdicts(&found), nulls_invalid(&expected), "{name}");
        assert_eq!(found.null_count(), 0);
        let kernel = kernel.nulls(Nulls::Propagate);
        let found = kernel.verify(keys, messages, signatures).unwrap();
        assert_eq!(verdicts(&found), expected, "{name}");
        assert_eq!(
            count_invalid(&found),
            expected.iter().filter(|it| **it != Some(true)).count()
        );
    }
}

#[test]
fn every_edge_case_under_every_profile() {
    let file = own::verify();
    let column = |of: fn(&own::VerifyCase) -> Vec<u8>| -> Rows {
        file.cases.iter().map(|case| Some(of(case))).collect()
    };
    let keys = binary(&column(|case| case.key.to_vec()));
    let messages = binary(&column(|case| case.msg.clone()));
    let signatures = binary(&column(|case| case.sig.to_vec()));
    for &profile in ProfileName::ALL {
        let kernel = Ed25519::new(profile);
        // The second time, the keys are kept.
        for _ in 0..2 {
            let found = kernel.verify(&keys, &messages, &signatures).unwrap();
            for (case, verdict) in file.cases.iter().zip(&found) {
                assert_eq!(
                    verdict,
                    Some(case.accepted_by(profile.as_str())),
                    "{profile}: {}",
                    case.id
                );
            }
        }
    }
}

/// A number below `end`, of a generator whose seed is fixed unless `LANNER_TEST_SEED` is another one.
fn draws() -> impl FnMut(usize) -> usize {
    use rand::{RngExt, SeedableRng};
    let seed = std::env::var("LANNER_TEST_SEED").map_or(1, |text| text.parse().unwrap());
    let mut rng = rand_chacha::ChaCha12Rng::seed_from_u64(seed);
    move |end| rng.random_range(0..end)
}

#[test]
fn whatever_part_of_the_rows_is_not_valid() {
    // Where many of a chunk are not valid, the next one is verified otherwise.
    let mut draw = draws();
    let signers: Vec<_> = (0..40).map(|i| SigningKey::from_bytes(&[i; 32])).collect();
    let signed = |i: usize| {
        let (key, message) = (&signers[i % 40], i.to_le_bytes().to_vec());
        let signature = key.sign(&message).to_bytes().to_vec();
        [key.verifying_key().to_bytes().to_vec(), message, signature]
    };
    let good: Vec<[Vec<u8>; 3]> = (0..400).map(signed).collect();
    // Forged ones, wrong lengths, and every edge case, of which some are valid.
    let mut others: Vec<[Vec<u8>; 3]> = (0..300).map(signed).collect();
    for (i, [key, message, signature]) in others.iter_mut().enumerate() {
        match i % 6 {
            0 => message.push(0),
            1 => signature[32] ^= 1,
            2 => signature[0] ^= 1,
            3 => key[0] ^= 1,
            4 => signature[33] ^= 1,
            _ => signature.truncate(i % 64),
        }
    }
    let cases = own::verify().cases;
    others.extend(
        (cases.iter()).map(|case| [case.key.to_vec(), case.msg.clone(), case.sig.to_vec()]),
    );
    let column = |rows: &[&[Vec<u8>; 3]], i: usize| {
        BinaryArray::from_iter_values(rows.iter().map(|row| &row[i]))
    };
    let columns = |rows: &[&[Vec<u8>; 3]]| [0, 1, 2].map(|i| column(rows, i));
    for profile in [ProfileName::Strict, ProfileName::Zip215, ProfileName::Dalek] {
        // Each row by itself, by a kernel that has seen nothing.
        let alone = |row: &[Vec<u8>; 3]| {
            let [keys, messages, signatures] = columns(&[row]);
            let found = Ed25519::new(profile)
                .explain(&keys, &messages, &signatures)
                .unwrap();
            assert_eq!(found.valid.value(0), found.reasons.is_null(0));
            found.reasons.iter().next().flatten().map(str::to_owned)
        };
        let reasons: Vec<Option<String>> = others.iter().map(alone).collect();
        assert!(reasons.contains(&None) && reasons.contains(&Some("equation".to_owned())));
        assert!(good.iter().all(|row| alone(row).is_none()));

        let kernel = Ed25519::new(profile);
        // Of ten thousand rows so many are others, in each of these runs of rows.
        let shares = [0, 5, 10_000, 10_000, 0, 0, 200, 100, 5000, 20, 0];
        let (mut rows, mut expected) = (Vec::new(), Vec::new());
        for share in shares {
            // A chunk; chunks of rows that are explained are half as many.
            for _ in 0..2048 {
                if draw(10_000) < share {
                    let i = draw(others.len());
                    rows.push(&others[i]);
                    expected.push(reasons[i].as_deref());
                } else {
                    rows.push(&good[draw(good.len())]);
                    expected.push(None);
                }
            }
        }
        let [keys, messages, signatures] = columns(&rows);
        let check = |start: usize, count: usize| {
            let [keys, messages, signatures] =
                [&keys, &messages, &signatures].map(|column| column.slice(start, count));
            let expected = &expected[start..start + count];
            let valid: Vec<bool> = expected.iter().map(Option::is_none).collect();
            let found = kernel.verify(&keys, &messages, &signatures).unwrap();
            assert!(
                found.values().iter().eq(valid.iter().copied()),
                "{profile}: {count} rows from {start}"
            );
            let found = kernel.explain(&keys, &messages, &signatures).unwrap();
            assert!(
                found.valid.values().iter().eq(valid),
                "{profile}: {count} rows from {start}"
            );
            assert!(
                found.reasons.iter().eq(expected.iter().copied()),
                "{profile}: {count} rows from {start}"
            );
        };
        check(0, rows.len());
        // As engines hand them over, one call after another.
        for _ in 0..20 {
            let start = draw(rows.len() - 1500);
            check(start, draw(1500));
        }
    }
}

#[test]
fn many_rows_few_and_many_keys() {
    // Several chunks, and one that is not full; stores that hold more, fewer and far fewer keys than there are.
    let mut columns = table(2500);
    for i in (0..columns[0].len()).step_by(3) {
        let key = SigningKey::from_bytes(&core::array::from_fn(|j| (i >> (8 * (j % 2))) as u8));
        columns[0][i] = some(key.verifying_key().to_bytes());
        columns[1][i] = some(i.to_le_bytes());
        columns[2][i] = some(key.sign(&i.to_le_bytes()).to_bytes());
    }
    let expected = nulls_invalid(&singly(&columns, ProfileName::Zip215));
    let [keys, messages, signatures] = columns.each_ref().map(binary);
    for kept in [1 << 14, 1100, 0] {
        let kernel = Ed25519::new(Zip215).keys_kept(kept);
        for _ in 0..2 {
            let found = kernel.verify(&keys, &messages, &signatures).unwrap();
            assert_eq!(verdicts(&found), expected, "{kept}");
        }
    }
    let mut dictionary = FixedSizeBinaryDictionaryBuilder::<UInt16Type>::new(32);
    for key in &columns[0] {
        match key {
            Some(key) if key.len() == 32 => dictionary.append_value(key),
            _ => dictionary.append_null(),
        }
    }
    let dictionary = dictionary.finish();
    for kept in [1 << 14, 0] {
        let kernel = Ed25519::new(Zip215).keys_kept(kept);
        let found = kernel.verify(&dictionary, &messages, &signatures).unwrap();
        assert_eq!(verdicts(&found), expected, "dictionary, {kept}");
    }
    #[cfg(feature = "rayon")]
    {
        let kernel = Ed25519::new(Zip215).nulls(Nulls::Propagate);
        let one_by_one = kernel.verify(&keys, &messages, &signatures).unwrap();
        let found = kernel.par_verify(&keys, &messages, &signatures).unwrap();
        assert_eq!(found, one_by_one);
        let stopped = kernel.par_verify_while(&keys, &messages, &signatures, || false);
        assert_eq!(stopped, Err(Error::Stopped));
    }
}

#[test]
fn one_kernel_serves_threads() {
    let columns = table(600);
    let expected = nulls_invalid(&singly(&columns, ProfileName::Dalek));
    let [keys, messages, signatures] = columns.each_ref().map(binary);
    let kernel = Ed25519::new(Dalek);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let found = kernel.verify(&keys, &messages, &signatures).unwrap();
                assert_eq!(verdicts(&found), expected);
            });
        }
    });
}

#[test]
fn scalars() {
    let key = SigningKey::from_bytes(&[9; 32]);
    let public = Scalar::new(BinaryArray::from_vec(vec![key.verifying_key().as_bytes()]));
    let rows: Vec<Vec<u8>> = (0..5).map(|i| vec![i; 3]).collect();
    let messages: BinaryArray = rows.iter().map(Some).collect();
    let signed: Rows = rows
        .iter()
        .map(|row| some(key.sign(row).to_bytes()))
        .collect();
    let signatures = fixed(&signed);
    let kernel = Ed25519::new(Strict);
    let found = kernel.verify(&public, &messages, &signatures).unwrap();
    assert_eq!(verdicts(&found), [Some(true); 5]);
    let [message, signature] = [&rows[4], signed[4].as_ref().unwrap()]
        .map(|it| Scalar::new(BinaryArray::from_vec(vec![it])));
    let found = kernel.verify(&public, &message, &signatures).unwrap();
    let last = [false, false, false, false, true].map(Some);
    assert_eq!(verdicts(&found), last);
    // Scalars alone have one row, as in the kernels of arrow.
    let found = kernel.verify(&public, &message, &signature).unwrap();
    assert_eq!(verdicts(&found), [Some(true)]);
    let null = Scalar::new(BinaryArray::new_null(1));
    assert_eq!(
        verdicts(&kernel.verify(&null, &messages, &signatures).unwrap()),
        [Some(false); 5]
    );
    let dictionary: DictionaryArray<Int8Type> = DictionaryArray::new(
        Int8Array::from(vec![1]),
        Arc::new(binary(&vec![None, some(key.verifying_key().as_bytes())])),
    );
    let found = kernel
        .verify(&Scalar::new(dictionary), &messages, &signatures)
        .unwrap();
    assert_eq!(verdicts(&found), [Some(true); 5]);
}

#[test]
fn nothing_gives_nothing() {
    let empty = binary(&Vec::new());
    let strings = StringArray::from(Vec::<&str>::new());
    let kernel = Ed25519::new(Strict).key_encoding(Encoding::Hex);
    assert_eq!(kernel.verify(&strings, &empty, &empty).unwrap().len(), 0);
    let runs =
        RunArray::<Int32Type>::try_new(&Int32Array::from(Vec::<i32>::new()), &empty).unwrap();
    assert_eq!(kernel.verify(&runs, &empty, &empty).unwrap().len(), 0);
    let dictionary =
        DictionaryArray::<Int8Type>::new(Int8Array::from(vec![None, None]), Arc::new(strings));
    let two = binary(&vec![None, some("x")]);
    let explained = kernel.explain(&dictionary, &two, &two).unwrap();
    assert_eq!(
        explained.reasons.iter().collect::<Vec<_>>(),
        [Some("null_key"); 2]
    );
    assert_eq!(
        FnDsa::new().verify(&empty, &empty, &empty).unwrap().len(),
        0
    );
}

#[test]
fn reasons() {
    let key = SigningKey::from_bytes(&[9; 32]);
    let (public, good) = (key.verifying_key().to_bytes(), key.sign(b"m").to_bytes());
    let no_point = core::array::from_fn::<u8, 32, _>(|i| 2 * u8::from(i == 0));
    let weak = core::array::from_fn::<u8, 32, _>(|i| u8::from(i == 0));
    let hex = |bytes: &[u8]| Some(const_hex::encode(bytes));
    let [mut bad_r, mut bad_s] = [good; 2];
    bad_r[..32].copy_from_slice(&no_point);
    bad_s[63] |= 0xe0;
    let rows = [
        (hex(&public), Some("m"), hex(&good), None),
        (hex(&public), Some("n"), hex(&good), Some("equation")),
        (None, Some("m"), hex(&good), Some("null_key")),
        (hex(&public), None, hex(&good), Some("null_message")),
        (hex(&public), Some("m"), None, Some("null_signature")),
        (Some("xx".into()), Some("m"), hex(&good), Some("text_key")),
        (
            hex(&public),
            Some("m"),
            Some("xx".into()),
            Some("text_signature"),
        ),
        (hex(&public[1..]), Some("m"), hex(&good), Some("key_length")),
        (
            hex(&public),
            Some("m"),
            hex(&good[1..]),
            Some("signature_length"),
        ),
        (hex(&no_point), Some("m"), hex(&good), Some("key_encoding")),
        (hex(&weak), Some("m"), hex(&good), Some("weak_key")),
        (hex(&public), Some("m"), hex(&bad_r), Some("r_encoding")),
        (hex(&public), Some("m"), hex(&bad_s), Some("s_range")),
    ];
    let keys: StringArray = rows.iter().map(|row| row.0.clone()).collect();
    let messages: StringArray = rows.iter().map(|row| row.1).collect();
    let signatures: StringArray = rows.iter().map(|row| row.2.clone()).collect();
    let kernel = Ed25519::new(Strict)
        .key_encoding(Encoding::Hex)
        .signature_encoding(Encoding::Hex);
    let explained = kernel.explain(&keys, &messages, &signatures).unwrap();
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(
            explained
                .reasons
                .is_valid(i)
                .then(|| explained.reasons.value(i)),
            row.3
        );
        assert_eq!(explained.valid.value(i), row.3.is_none());
    }
    assert_eq!(
        explained.valid,
        kernel.verify(&keys, &messages, &signatures).unwrap()
    );
    let kernel = kernel.message_encoding(Encoding::Base64);
    let explained = kernel.explain(&keys, &messages, &signatures).unwrap();
    assert_eq!(explained.reasons.value(0), "text_message");

    // Strict: what is malformed is an error, what is not valid or null is not.
    let kernel = Ed25519::new(Strict)
        .key_encoding(Encoding::Hex)
        .signature_encoding(Encoding::Hex)
        .strict(true);
    let error = kernel.verify(&keys, &messages, &signatures).unwrap_err();
    assert_eq!(
        error,
        Error::Malformed {
            row: 5,
            reason: Reason::Text(Column::PublicKeys)
        }
    );
    assert_eq!(
        error.to_string(),
        "row 5: the value of public_keys is not in its encoding"
    );
    for (row, reason) in [
        (6, Reason::Text(Column::Signatures)),
        (7, Reason::Length(Column::PublicKeys)),
        (8, Reason::Length(Column::Signatures)),
    ] {
        let [k, m, s] = [&keys, &messages, &signatures].map(|column| column.slice(row, 1));
        let error = kernel.verify(&k, &m, &s).unwrap_err();
        assert_eq!(error, Error::Malformed { row: 0, reason });
    }
    for row in [0, 1, 2, 3, 4, 9, 10, 11, 12] {
        let [k, m, s] = [&keys, &messages, &signatures].map(|column| column.slice(row, 1));
        assert_eq!(kernel.verify(&k, &m, &s).unwrap().value(0), row == 0);
    }
}

#[test]
fn columns_that_cannot_be() {
    let text = StringArray::from(vec!["ab"; 2]);
    let bytes = BinaryArray::from_vec(vec![b"ab"; 2]);
    let numbers = Int64Array::from(vec![1, 2]);
    let kernel = Ed25519::new(Strict);
    let said = |keys: &dyn Datum, messages: &dyn Datum, signatures: &dyn Datum| {
        kernel
            .verify(keys, messages, signatures)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        said(&numbers, &bytes, &bytes),
        "the column public_keys is Int64: it must hold binary data or text"
    );
    assert!(said(&bytes, &numbers, &bytes).contains("messages is Int64"));
    assert!(said(&bytes, &bytes, &numbers).contains("signatures is Int64"));
    assert!(said(&text, &bytes, &bytes).contains("public_keys is Utf8: say which encoding"));
    assert!(said(&bytes, &bytes, &text).contains("signatures is Utf8: say which encoding"));
    let dictionary: DictionaryArray<Int8Type> = ["ab", "ab"].into_iter().collect();
    assert!(said(&dictionary, &bytes, &bytes).contains("say which encoding"));
    let numbers = DictionaryArray::<Int8Type>::new(Int8Array::from(vec![0, 0]), Arc::new(numbers));
    assert!(said(&numbers, &bytes, &bytes).contains("must hold binary data"));
    // Text is a message as it is.
    assert!(kernel.verify(&bytes, &text, &bytes).is_ok());
    let mut narrow = FixedSizeBinaryBuilder::new(31);
    narrow.append_value([0; 31]).unwrap();
    narrow.append_null();
    let narrow = narrow.finish();
    assert!(said(&narrow, &bytes, &bytes).contains("public_keys has 31 bytes"));
    assert!(said(&bytes, &bytes, &narrow).contains("signatures has 31 bytes"));
    assert!(kernel.verify(&bytes, &narrow, &bytes).is_ok());
    let three = BinaryArray::from_vec(vec![b"ab"; 3]);
    assert_eq!(
        said(&bytes, &three, &bytes),
        "the column messages has 3 rows, and the ones before it 2"
    );
    assert!(said(&bytes, &bytes, &three).contains("signatures has 3 rows"));
}

#[test]
fn whoever_waits_can_stop() {
    let columns = table(5000);
    let [keys, messages, signatures] = columns.each_ref().map(binary);
    let kernel = Ed25519::new(Strict);
    let asked = AtomicUsize::new(0);
    let answer = kernel.verify_while(&keys, &messages, &signatures, || {
        asked.fetch_add(1, Ordering::Relaxed) < 2
    });
    assert_eq!(answer, Err(Error::Stopped));
    assert_eq!(asked.into_inner(), 3, "and nothing more is asked");
    assert_eq!(Error::Stopped.to_string(), "stopped by the caller");
    let answer = kernel.explain_while(&keys, &messages, &signatures, || false);
    assert!(matches!(answer, Err(Error::Stopped)));
}

#[test]
fn long_messages_are_no_reason_to_wait() {
    let key = SigningKey::from_bytes(&[5; 32]);
    let long = vec![7; 1 << 20];
    let public = Scalar::new(BinaryArray::from_vec(vec![key.verifying_key().as_bytes()]));
    let right = Scalar::new(BinaryArray::from_vec(vec![&key.sign(&long).to_bytes()[..]]));
    let messages: BinaryArray = (0..40)
        .map(|i| Some(if i == 33 { &long[1..] } else { &long[..] }))
        .collect();
    let kernel = Ed25519::new(Strict);
    let asked = AtomicUsize::new(0);
    let go_on = || asked.fetch_add(1, Ordering::Relaxed) < usize::MAX;
    let found = kernel
        .verify_while(&public, &messages, &right, go_on)
        .unwrap();
    assert!((0..40).all(|i| found.value(i) == (i != 33)));
    // Each time for about eight of them.
    assert!((4..=10).contains(&asked.into_inner()));
}

#[test]
fn fn_dsa() {
    let rng = &mut SeededRng::new(b"columns");
    let small = SigningKey512::generate(rng).unwrap();
    let large = SigningKey1024::generate(rng).unwrap();
    for context in [&b""[..], b"ledger"] {
        let domain = DomainContext(context);
        let domain = if context.is_empty() {
            &DOMAIN_NONE
        } else {
            &domain
        };
        let mut columns = [Rows::new(), Rows::new(), Rows::new()];
        let mut expected = Vec::new();
        for i in 0..40_u8 {
            let message = vec![i; usize::from(i)];
            let (mut key, mut signature) = if i % 3 == 0 {
                let mut signature = vec![0; 1280];
                large
                    .sign_bytes(rng, domain, &HASH_ID_RAW, &message, &mut signature)
                    .unwrap();
                {
                    let mut key = vec![0; 1793];
                    large.verifying_key().write_bytes(&mut key).unwrap();
                    (key, signature)
                }
            } else {
                let mut signature = vec![0; 666];
                small
                    .sign_bytes(rng, domain, &HASH_ID_RAW, &message, &mut signature)
                    .unwrap();
                {
                    let mut key = vec![0; 897];
                    small.verifying_key().write_bytes(&mut key).unwrap();
                    (key, signature)
                }
            };
            let reason = match i {
                7 => {
                    signature[100] ^= 1;
                    Some("signature")
                }
                8 => {
                    key[0] ^= 0xff;
                    Some("key_encoding")
                }
                // A signature of the other degree.
                9 => {
                    signature.truncate(666);
                    Some("signature_length")
                }
                10 => {
                    key.pop();
                    Some("key_length")
                }
                _ => None,
            };
            expected.push(reason);
            for (column, bytes) in columns.iter_mut().zip([&key, &message, &signature]) {
                column.push(some(bytes));
            }
        }
        let kernel = FnDsa::with_context(context).unwrap();
        let [keys, messages, signatures] = columns.each_ref().map(binary);
        for _ in 0..2 {
            let explained = kernel.explain(&keys, &messages, &signatures).unwrap();
            assert_eq!(explained.reasons.iter().collect::<Vec<_>>(), expected);
            assert_eq!(
                explained.valid,
                kernel.verify(&keys, &messages, &signatures).unwrap()
            );
        }
        let other = FnDsa::with_context(b"another").unwrap();
        let found = other.verify(&keys, &messages, &signatures).unwrap();
        assert_eq!(found.true_count(), 0);
    }
    assert_eq!(FnDsa::with_context(&[0; 256]).err(), Some(Error::Context));
}

/// The names of reasons may have more bytes than an offset of 32 bits counts.
#[test]
#[ignore = "a column of 135 million rows: two gigabytes of memory and some ten seconds"]
fn reasons_of_more_than_two_gigabytes() {
    const ROWS: i32 = 135_000_000;
    let ends = Int32Array::from(vec![ROWS]);
    let short = RunArray::try_new(&ends, &BinaryArray::from_vec(vec![b"short"])).unwrap();
    let bytes = |bytes: &[u8]| Scalar::new(BinaryArray::from_vec(vec![bytes]));
    let kernel = Ed25519::new(Strict);
    let explained = kernel
        .explain(&bytes(&[1; 32]), &bytes(b""), &short)
        .unwrap();
    assert_eq!(explained.reasons.len(), ROWS as usize);
    let last = explained.reasons.value(ROWS as usize - 1);
    assert_eq!(last, "signature_length");
}

/// A few rows of a large dictionary have the verdicts that they have beside others.
#[test]
fn slices_of_a_large_dictionary() {
    let values = FixedSizeBinaryArray::new(32, vec![1; 32 << 20].into(), None);
    let keys = Int32Array::from_iter_values((0..1 << 20).rev());
    let keys = DictionaryArray::try_new(keys, Arc::new(values)).unwrap();
    let short = Scalar::new(BinaryArray::from_vec(vec![b"short"]));
    let kernel = Ed25519::new(Strict);
    for start in 0..64 {
        let found = kernel
            .verify(&keys.slice(start, 1), &short, &short)
            .unwrap();
        assert_eq!(count_invalid(&found), 1);
    }
}

/// A column of nulls has no type, and each row of it is null.
#[test]
fn columns_of_nulls() {
    let nulls = NullArray::new(3);
    let bytes = BinaryArray::from_vec(vec![&[1; 32]; 3]);
    let kernel = Ed25519::new(Strict);
    for (columns, name) in [
        ([&nulls as &dyn Datum, &bytes, &bytes], "null_key"),
        ([&bytes, &nulls, &bytes], "null_message"),
        ([&bytes, &bytes, &nulls], "null_signature"),
        ([&nulls, &nulls, &nulls], "null_key"),
        (
            [&Scalar::new(NullArray::new(1)), &bytes, &bytes],
            "null_key",
        ),
    ] {
        let [keys, messages, signatures] = columns;
        let explained = kernel.explain(keys, messages, signatures).unwrap();
        let found: Vec<_> = explained.reasons.iter().collect();
        assert_eq!(found, [Some(name); 3]);
        assert_eq!((found.len(), explained.valid.null_count()), (3, 0));
        let kernel = Ed25519::new(Strict).nulls(Nulls::Propagate);
        let verdicts = kernel.verify(keys, messages, signatures).unwrap();
        assert_eq!(verdicts.null_count(), 3);
        assert!(kernel.verify(&nulls, messages, &bytes.slice(0, 2)).is_err());
    }
    let mut read = Vec::new();
    each_value(&nulls, Column::Messages, Encoding::Hex, |row, value| {
        read.push((row, value.is_none()));
    })
    .unwrap();
    assert_eq!(read, [(0, true), (1, true), (2, true)]);
}

/// Base64 of either alphabet is read with padding and without, also where the width is fixed.
#[test]
fn base64_with_padding_and_without() {
    // RFC 8032, section 7.1, test 1.
    let key = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo";
    let signature =
        "5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc+bRr0lv18FlbviRlUUFDjnoQCw";
    for (encoding, padded) in [
        (Encoding::Base64, false),
        (Encoding::Base64, true),
        (Encoding::Base64Url, false),
        (Encoding::Base64Url, true),
    ] {
        let written = |text: &str, padding: &str| {
            let text = format!("{text}{}", if padded { padding } else { "" });
            match encoding {
                Encoding::Base64Url => text.replace('+', "-").replace('/', "_"),
                _ => text,
            }
        };
        let (key, signature) = (written(key, "="), written(signature, "=="));
        let kernel = Ed25519::new(Strict)
            .key_encoding(encoding)
            .signature_encoding(encoding);
        let text = |text: &str| -> ArrayRef { Arc::new(StringArray::from(vec![text])) };
        let fixed = |text: &str| -> ArrayRef {
            Arc::new(FixedSizeBinaryArray::try_from_iter([text].into_iter()).unwrap())
        };
        for (keys, signatures) in [
            (text(&key), text(&signature)),
            (fixed(&key), fixed(&signature)),
        ] {
            let empty = BinaryArray::from_vec(vec![b""]);
            let explained = kernel.explain(&keys, &empty, &signatures).unwrap();
            let reasons: Vec<_> = explained.reasons.iter().collect();
            assert_eq!(reasons, [None], "{encoding} {padded}");
        }
        // Half of the padding is neither.
        if padded {
            let empty = BinaryArray::from_vec(vec![b""]);
            let half = text(signature.strip_suffix('=').unwrap());
            let explained = kernel.explain(&text(&key), &empty, &half).unwrap();
            assert_eq!(explained.reasons.value(0), "text_signature", "{encoding}");
        }
    }
}
