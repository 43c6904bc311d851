//! Every rule of the encodings, and what happens when it is broken.

use super::*;
use crate::params::{LOGN_MAX, P3, P4, sign_key_size};
use crate::rules::{Ruled, Told};
use crate::shake::ShakeStream;
use alloc::vec;
use alloc::vec::Vec;

/// Bits in their order, as bytes: the slow way, by the definition.
fn bytes_of<R: Rules>(rules: R, bits: &[bool]) -> Vec<u8> {
    let mut bytes = vec![0u8; bits.len().div_ceil(8)];
    for (i, &bit) in bits.iter().enumerate() {
        let place = match rules.bit_order() {
            BitOrder::MsbFirst => 7 - i % 8,
            BitOrder::LsbFirst => i % 8,
        };
        bytes[i / 8] |= u8::from(bit) << place;
    }
    bytes
}

/// The bits of one value: from the most or from the least significant one on.
fn bits_of<R: Rules>(rules: R, value: u32, width: u32) -> Vec<bool> {
    (0..width)
        .map(|i| match rules.bit_order() {
            BitOrder::MsbFirst => value >> (width - 1 - i) & 1 == 1,
            BitOrder::LsbFirst => value >> i & 1 == 1,
        })
        .collect()
}

/// A compressed coefficient: sign, and magnitude of any size.
fn code_of<R: Rules>(rules: R, negative: bool, magnitude: u32) -> Vec<bool> {
    let mut bits = vec![negative];
    bits.extend(bits_of(rules, magnitude & 0x7f, 7));
    bits.extend((0..magnitude >> 7).map(|_| false));
    bits.push(true);
    bits
}

fn slow_compress<R: Rules>(rules: R, s2: &[i16]) -> Vec<u8> {
    let bits: Vec<bool> = s2
        .iter()
        .flat_map(|&x| code_of(rules, x < 0, x.unsigned_abs().into()))
        .collect();
    bytes_of(rules, &bits)
}

/// Coefficients as signatures have them, and the extremes.
fn vectors<R: Rules>(rules: R, n: usize) -> Vec<Vec<i16>> {
    let mut random = ShakeStream::new(b"codec");
    let bound = rules.compressed_bound() as i16;
    let mut gaussian = || -> i16 {
        let sum: i32 = (0..12).map(|_| i32::from(random.next_u8())).sum();
        ((sum - 1530) * 165 / 256) as i16
    };
    let mut all: Vec<Vec<i16>> = (0..4)
        .map(|_| (0..n).map(|_| gaussian()).collect())
        .collect();
    all.push(vec![0; n]);
    all.push(vec![bound; n]);
    all.push(vec![-bound; n]);
    all.push(
        (0..n)
            .map(|i| if i % 2 == 0 { 127 } else { -128 })
            .collect(),
    );
    all.push(
        (0..n)
            .map(|i| if i == n - 1 { -bound } else { 0 })
            .collect(),
    );
    all
}

/// Decompresses alone, and asserts that it gives the same beside other work, however far that takes it, and in turn with
/// another one.
fn decompress<R: Rules>(rules: R, bytes: &[u8], s2: &mut [i16]) -> Option<usize> {
    let alone = super::decompress(rules, bytes, s2);
    let agrees = |result: Option<usize>, other: &[i16]| {
        assert_eq!(result, alone);
        assert!(alone.is_none() || other == s2);
    };
    for steps in [1, s2.len() / 4, s2.len()] {
        let mut beside = vec![0; s2.len()];
        let mut decompression = Decompression::new(rules, bytes, &mut beside);
        for _ in 0..steps {
            decompression.step();
        }
        agrees(decompression.finish(), &beside);
    }
    // The longest that is possible, none, and itself, in any lane.
    let long = vec![0x7f; 2 * s2.len()];
    for others in [[&long[..], &[], bytes], [bytes; 3]] {
        for place in 0..LANES {
            let mut rooms: [_; LANES] = core::array::from_fn(|_| vec![0; s2.len()]);
            let mut lane = 0;
            let accepted = Decompression::finish_all(
                rules,
                rooms.each_mut().map(|room| {
                    let bytes = if lane == place {
                        bytes
                    } else {
                        others[lane % 3]
                    };
                    lane += 1;
                    Some(Decompression::new(rules, bytes, room))
                }),
            );
            agrees(accepted[place].then(|| alone.unwrap_or(0)), &rooms[place]);
        }
    }
    // Two, and one.
    let mut rooms = [vec![0; s2.len()], vec![0; s2.len()], vec![0; s2.len()]];
    let [one, two, three] = rooms.each_mut().map(|room| &mut room[..]);
    let mut all = [const { None }; LANES];
    all[0] = Some(Decompression::new(rules, bytes, one));
    all[1] = Some(Decompression::new(rules, &long, two));
    all[5] = Some(Decompression::new(rules, bytes, three));
    let accepted = Decompression::finish_all(rules, all);
    agrees(accepted[0].then(|| alone.unwrap_or(0)), &rooms[0]);
    agrees(accepted[5].then(|| alone.unwrap_or(0)), &rooms[2]);
    assert!(!accepted[1] && !accepted[2]);
    alone
}

fn compressed<R: Rules>(rules: R) {
    for n in [2, 4, 8, 64, 512, 1024] {
        for s2 in vectors(rules, n) {
            let slow = slow_compress(rules, &s2);
            let mut bytes = vec![0xff; slow.len() + 5];
            assert_eq!(compress(rules, &s2, &mut bytes), Some(slow.len()));
            assert_eq!(bytes[..slow.len()], slow);
            assert!(bytes[slow.len()..].iter().all(|&byte| byte == 0));

            let mut back = vec![0; n];
            assert_eq!(decompress(rules, &bytes, &mut back), Some(slow.len()));
            assert_eq!(back, s2);
            assert_eq!(decompress(rules, &slow, &mut back), Some(slow.len()));
            assert_eq!(back, s2);

            // No room for the last byte.
            assert_eq!(compress(rules, &s2, &mut vec![0; slow.len() - 1]), None);
            // Truncated anywhere.
            for length in (0..slow.len()).rev().take(40) {
                assert_eq!(decompress(rules, &slow[..length], &mut back), None);
            }
            // A bit after the last value.
            let used: usize = s2
                .iter()
                .map(|x| 9 + usize::from(x.unsigned_abs() >> 7))
                .sum();
            for bit in used..bytes.len() * 8 {
                let mut spoiled = bytes.clone();
                spoiled[bit / 8] ^= match rules.bit_order() {
                    BitOrder::MsbFirst => 0x80 >> (bit % 8),
                    BitOrder::LsbFirst => 1 << (bit % 8),
                };
                assert_eq!(decompress(rules, &spoiled, &mut back), None, "bit {bit}");
            }
        }
    }
}

/// [`has_padded_form`] says what [`compress`] does with the room of a padded signature, up to the last bit of it.
fn padded_forms<R: Rules>(rules: R) {
    let bound = rules.compressed_bound() as i16;
    for logn in 1..=LOGN_MAX {
        let n = 1usize << logn;
        let mut room = vec![0; signature_size(logn) - 1 - NONCE_LENGTH];
        let mut check = |s2: &[i16], expected: Option<bool>| {
            let fits = has_padded_form(rules, logn, s2);
            assert_eq!(fits, compress(rules, s2, &mut room).is_some(), "{s2:?}");
            assert!(expected.is_none_or(|expected| expected == fits), "{s2:?}");
        };
        for s2 in vectors(rules, n) {
            check(&s2, None);
        }
        // The bits beside 9 for each coefficient, as far as they go in each.
        let mut spare = 8 * (signature_size(logn) - 1 - NONCE_LENGTH) - 9 * n;
        let mut s2 = vec![-1; n];
        for x in &mut s2 {
            let high = spare.min(bound as usize >> 7);
            spare -= high;
            *x = (high << 7) as i16;
        }
        assert_eq!(spare, 0);
        check(&s2, Some(true));
        s2[n - 1] += 128;
        check(&s2, Some(false));
        for (x, fits) in [(bound, true), (bound + 1, false), (i16::MIN, false)] {
            let mut s2 = vec![0; n];
            s2[n / 2] = x;
            // At degree 2 there is no room for the largest.
            check(&s2, (logn > 2).then_some(fits));
        }
    }
}

fn bad_coefficients<R: Rules>(rules: R) {
    let bound = u32::from(rules.compressed_bound());
    let n = 64;
    for at in [0, 1, 31, 62, 63] {
        let mut refused = vec![(true, 0)];
        for above in [1, 2, 56, 57, 128, 1000, 3000, 6000] {
            refused.extend([(false, bound + above), (true, bound + above)]);
        }
        for (case, &(negative, magnitude)) in refused
            .iter()
            .chain(&[(true, 1), (false, 0), (true, bound), (false, bound)])
            .enumerate()
        {
            let mut bits = Vec::new();
            for i in 0..n {
                if i == at {
                    bits.extend(code_of(rules, negative, magnitude));
                } else {
                    bits.extend(code_of(rules, i % 3 == 0, 5 + i));
                }
            }
            let mut bytes = bytes_of(rules, &bits);
            let length = bytes.len();
            let mut s2 = vec![0; n as usize];
            let expected = (case >= refused.len()).then_some(length);
            assert_eq!(decompress(rules, &bytes, &mut s2), expected);
            bytes.resize(length + 20, 0);
            assert_eq!(decompress(rules, &bytes, &mut s2), expected);
        }
    }
    for x in [bound as i16 + 1, -(bound as i16) - 1, i16::MAX, i16::MIN] {
        assert_eq!(compress(rules, &[1, x, 1, 1], &mut [0; 2000]), None);
    }
    // Zeros without end.
    for length in [0, 1, 7, 8, 9, 100, 700] {
        assert_eq!(decompress(rules, &vec![0; length], &mut [0; 4]), None);
    }
}

/// What decodes is what encodes: on random strings, which at four coefficients are often valid.
fn unique<R: Rules>(rules: R) {
    let mut random = ShakeStream::new(b"unique");
    let mut seen = [0; 2];
    for round in 0..40_000 {
        let mut bytes = [0; 8];
        random.fill(&mut bytes);
        // Clear the tail, so that some end in the right place.
        let bytes = &mut bytes[..4 + round % 5];
        let keep = 32 + usize::from(random.next_u8() % 16);
        for bit in keep..bytes.len() * 8 {
            bytes[bit / 8] &= match rules.bit_order() {
                BitOrder::MsbFirst => !(0x80 >> (bit % 8)),
                BitOrder::LsbFirst => !(1 << (bit % 8)),
            };
        }
        let mut s2 = [0; 4];
        let decoded = decompress(rules, bytes, &mut s2);
        seen[usize::from(decoded.is_some())] += 1;
        if let Some(used) = decoded {
            let mut again = vec![0; bytes.len()];
            assert_eq!(compress(rules, &s2, &mut again), Some(used));
            assert_eq!(again, bytes);
        }
    }
    assert!(seen[0] > 1000 && seen[1] > 1000, "{seen:?}");
}

#[test]
fn compressed_signatures() {
    compressed(P3::RULES);
    compressed(P4::RULES);
    compressed(Told::of::<P3>());
    compressed(Told::of::<P4>());
    padded_forms(P3::RULES);
    padded_forms(P4::RULES);
    padded_forms(Told::of::<P3>());
    padded_forms(Told::of::<P4>());
    bad_coefficients(P3::RULES);
    bad_coefficients(P4::RULES);
    bad_coefficients(Told::of::<P3>());
    bad_coefficients(Told::of::<P4>());
    unique(P3::RULES);
    unique(P4::RULES);
    unique(Told::of::<P3>());
    unique(Told::of::<P4>());
}

fn verifying_keys<R: Rules>(rules: R) {
    let mut random = ShakeStream::new(b"verifying");
    for logn in 1..=LOGN_MAX {
        let n = 1 << logn;
        let h: Vec<u16> = (0..n).map(|_| random.next_u16() % Q as u16).collect();
        let slow = |h: &[u16]| {
            let bits: Vec<bool> = h
                .iter()
                .flat_map(|&x| bits_of(rules, x.into(), 14))
                .collect();
            [&[logn as u8], &bytes_of(rules, &bits)[..]].concat()
        };
        let mut bytes = vec![0xff; vrfy_key_size(logn)];
        encode_verifying_key(rules, logn, &h, &mut bytes);
        assert_eq!(bytes, slow(&h));
        let mut back = vec![0; n];
        let mut decode = |bytes: &[u8]| decode_verifying_key(rules, logn, bytes, &mut back);
        assert_eq!(decode(&bytes), Ok(()));
        assert_eq!(decode(&[&bytes[..], &[0]].concat()), Err(Error::Key));
        assert_eq!(decode(&bytes[..bytes.len() - 1]), Err(Error::Key));
        assert_eq!(decode(&[]), Err(Error::Key));
        for header in (0..=255).filter(|&header| header != logn as u8) {
            let mut other = bytes.clone();
            other[0] = header;
            assert_eq!(decode(&other), Err(Error::Key));
        }
        for at in [0, n / 2, n - 1] {
            for (value, good) in [
                (12287, true),
                (12288, true),
                (12289, false),
                (12290, false),
                (16383, false),
            ] {
                let mut other = h.clone();
                other[at] = value;
                assert_eq!(decode(&slow(&other)).is_ok(), good, "{value}");
            }
        }
        assert_eq!(decode(&bytes), Ok(()));
        assert_eq!(back, h);
    }
    // Degree 2 leaves four bits over.
    let mut bytes = [1, 0, 0, 0, 0];
    assert!(decode_verifying_key(rules, 1, &bytes, &mut [0; 2]).is_ok());
    for bit in 0..4 {
        bytes[4] = match rules.bit_order() {
            BitOrder::MsbFirst => 1 << bit,
            BitOrder::LsbFirst => 0x10 << bit,
        };
        assert!(decode_verifying_key(rules, 1, &bytes, &mut [0; 2]).is_err());
    }
}

fn signing_keys<R: Rules>(rules: R) {
    let mut random = ShakeStream::new(b"signing");
    for logn in 1..=LOGN_MAX {
        let n = 1usize << logn;
        let bits = bits_fg(logn);
        let largest = (1 << (bits - 1)) - 1;
        let mut small = |largest: i16| -> Vec<i8> {
            (0..n)
                .map(|_| ((random.next_u16() as i16).rem_euclid(2 * largest + 1) - largest) as i8)
                .collect()
        };
        let (mut f, g, big_f) = (small(largest), small(largest), small(127));
        f[0] = largest as i8;
        f[n - 1] = -largest as i8;
        let hpk = [0xab; 64];
        let slow = |f: &[i8], g: &[i8], big_f: &[i8]| {
            let pack = |poly: &[i8], width: u32| {
                let bits: Vec<bool> = poly
                    .iter()
                    .flat_map(|&x| bits_of(rules, x as u32, width))
                    .collect();
                bytes_of(rules, &bits)
            };
            let end = if rules.key_holds_hpk() { &hpk[..] } else { &[] };
            let header = [0x50 + logn as u8];
            [
                &header,
                &pack(f, bits)[..],
                &pack(g, bits),
                &pack(big_f, 8),
                end,
            ]
            .concat()
        };
        let mut bytes = vec![0xff; rules.sign_key_size(logn)];
        encode_signing_key(rules, logn, &f, &g, &big_f, &hpk, &mut bytes);
        assert_eq!(bytes, slow(&f, &g, &big_f));
        let mut fg = vec![];
        fg_in_pieces(rules, logn, &f, &g, |piece| fg.extend_from_slice(piece));
        assert_eq!(fg.len(), 2 * n * bits as usize / 8);
        assert_eq!(fg, bytes[1..=fg.len()]);

        let mut back = (vec![0; n], vec![0; n], vec![0; n]);
        let mut decode = |bytes: &[u8]| {
            decode_signing_key(rules, logn, bytes, &mut back.0, &mut back.1, &mut back.2)
        };
        assert_eq!(decode(&[&bytes[..], &[0]].concat()), Err(Error::Key));
        assert_eq!(decode(&bytes[..bytes.len() - 1]), Err(Error::Key));
        assert_eq!(decode(&[]), Err(Error::Key));
        for header in (0..=255).filter(|&header| header != 0x50 + logn as u8) {
            let mut other = bytes.clone();
            other[0] = header;
            assert_eq!(decode(&other), Err(Error::Key));
        }
        // The value without a negative, once and twice.
        for places in [&[0][..], &[n / 2], &[n - 1], &[0, n - 1]] {
            let minimum = (-largest - 1) as i8;
            let polys = [&f, &g, &big_f];
            for (i, minimum) in [minimum, minimum, -128].into_iter().enumerate() {
                let mut polys = polys.map(Vec::clone);
                places.iter().for_each(|&at| polys[i][at] = minimum);
                let bad = slow(&polys[0], &polys[1], &polys[2]);
                assert_eq!(decode(&bad), Err(Error::Key));
            }
        }
        assert_eq!(decode(&bytes), Ok(()));
        assert_eq!(back, (f, g, big_f));
    }
}

#[test]
fn keys() {
    verifying_keys(P3::RULES);
    verifying_keys(P4::RULES);
    verifying_keys(Told::of::<P3>());
    verifying_keys(Told::of::<P4>());
    signing_keys(P3::RULES);
    signing_keys(P4::RULES);
    signing_keys(Told::of::<P3>());
    signing_keys(Told::of::<P4>());
    assert_eq!(P4::RULES.sign_key_size(9), sign_key_size(9) + 64);
}

#[test]
fn constant_time_signatures() {
    for n in [4, 512, 1024] {
        let mut s2 = vectors(P3::RULES, n).remove(0);
        s2[0] = 2047;
        s2[1] = -2047;
        let bits: Vec<bool> = s2
            .iter()
            .flat_map(|&x| bits_of(P3::RULES, x as u32, 12))
            .collect();
        let mut bytes = vec![0; n * 12 / 8];
        assert_eq!(pack_s2(P3::RULES, &s2, &mut bytes), Some(()));
        assert_eq!(bytes, bytes_of(P3::RULES, &bits));
        let mut back = vec![0; n];
        assert_eq!(unpack_s2(P3::RULES, &bytes, &mut back), Some(()));
        assert_eq!(back, s2);
        for x in [2048, -2048, i16::MAX, i16::MIN] {
            let mut other = s2.clone();
            other[n - 1] = x;
            assert_eq!(pack_s2(P3::RULES, &other, &mut vec![0; n * 12 / 8]), None);
        }
        let mut bad = bits.clone();
        bad[n * 12 - 12..].copy_from_slice(&bits_of(P3::RULES, 0x800, 12));
        assert_eq!(
            unpack_s2(P3::RULES, &bytes_of(P3::RULES, &bad), &mut back),
            None
        );
    }
}

#[test]
fn padded_signatures() {
    for logn in 1..=LOGN_MAX {
        let size = signature_size(logn);
        let mut bytes = vec![0; size];
        bytes[0] = 0x30 + logn as u8;
        assert!(split_signature(logn, &bytes).is_some());
        assert!(split_signature(logn, &bytes[1..]).is_none());
        assert!(split_signature(logn, &[&bytes[..], &[0]].concat()).is_none());
        assert!(split_signature(logn, &[]).is_none());
        for header in (0..=255).filter(|&header| header != 0x30 + logn as u8) {
            bytes[0] = header;
            assert!(split_signature(logn, &bytes).is_none());
        }
    }
}

/// What modules for WebAssembly have does the same as what is fast.
#[test]
fn compact_packing() {
    fn check(rules: impl Rules) {
        let mut random = ShakeStream::new(b"compact");
        for n in [2, 4, 8, 64, 512] {
            for bits in [5, 6, 7, 8, 12, 14] {
                let length = (n * bits as usize).div_ceil(8);
                let mut values: Vec<u16> = (0..n).map(|_| random.next_u16()).collect();
                let (mut fast, mut small) = (vec![0xff; length], vec![0; length]);
                pack(rules, bits, &values, &mut fast, u32::from);
                compact::pack(rules, bits, &values, &mut small, u32::from);
                assert_eq!(fast, small);
                let mut back = vec![0; n];
                compact::unpack(rules, bits, &small, &mut back, |x| x as u16);
                for x in &mut values {
                    *x &= (1 << bits) - 1;
                }
                assert_eq!(back, values);
            }
        }
    }
    check(P3::RULES);
    check(P4::RULES);
    check(Told::of::<P3>());
    check(Told::of::<P4>());
}
