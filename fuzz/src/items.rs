//! Keys, messages and signatures of every kind, honest and not, out of the input of a fuzzer.

use std::sync::OnceLock;

use lanner_curve::EdwardsPoint;
use lanner_curve::constants::{ED25519_BASEPOINT_POINT as B, EIGHT_TORSION};
use lanner_curve::scalar::Scalar;
use lanner_ed25519::{Digest, Sha512, Signature, Signer, SigningKey, VerifyingKey};

use crate::bytes::Bytes;

/// The order of the group of the base point, little-endian.
const L: [u8; 32] = {
    let mut l = [0; 32];
    let low = 27_742_317_777_372_353_535_851_937_790_883_648_493_u128.to_le_bytes();
    let mut i = 0;
    while i < 16 {
        l[i] = low[i];
        i += 1;
    }
    l[31] = 0x10;
    l
};

/// A claim: this key signed this message.
pub(crate) struct Item {
    pub(crate) key: VerifyingKey,
    pub(crate) message: Vec<u8>,
    pub(crate) signature: Signature,
}

/// A few keys, so that some come again in a batch.
fn keys() -> &'static [SigningKey; 8] {
    static KEYS: OnceLock<[SigningKey; 8]> = OnceLock::new();
    KEYS.get_or_init(|| std::array::from_fn(|i| SigningKey::from_bytes(&[i as u8; 32])))
}

/// An encoding whose y is not below p, or whose sign bit is set where x = 0; `which` is below 40.
pub(crate) fn odd_encoding(which: usize) -> [u8; 32] {
    let mut y = [0xff; 32];
    y[31] = 0x7f;
    match which / 2 {
        // p + 0 to p + 18.
        i @ 0..19 => y[0] = 0xed + i as u8,
        // y = 1.
        _ => {
            y = [0; 32];
            y[0] = 1;
        }
    }
    if which % 2 == 1 || which == 38 {
        y[31] |= 0x80;
    }
    y
}

/// A point: any bytes, a small multiple of the base point with a component of small order, or an encoding that is not
/// canonical.
pub(crate) fn encoding(bytes: &mut Bytes<'_>) -> [u8; 32] {
    match bytes.below(4) {
        0 => bytes.array(),
        1 => odd_encoding(bytes.below(40)),
        _ => point(bytes).compress().0,
    }
}

/// A small multiple of the base point, zero among them, and a component of small order.
pub(crate) fn point(bytes: &mut Bytes<'_>) -> EdwardsPoint {
    let [factor, class] = bytes.array();
    B * Scalar::from(u64::from(factor)) + EIGHT_TORSION[usize::from(class % 8)]
}

/// A scalar: small, near the order, near a power of two, or any.
pub(crate) fn scalar(bytes: &mut Bytes<'_>) -> Scalar {
    match bytes.below(4) {
        0 => Scalar::from(u64::from(bytes.byte())),
        1 => -Scalar::from(u64::from(bytes.byte())),
        2 => {
            let mut power = [0; 32];
            let bit = bytes.below(256);
            power[bit / 8] = 1 << (bit % 8);
            Scalar::from_bytes_mod_order(power) - Scalar::from(u64::from(bytes.byte()))
        }
        _ => Scalar::from_bytes_mod_order(bytes.array()),
    }
}

fn challenge(key: &VerifyingKey, r: &[u8; 32], message: &[u8]) -> Scalar {
    let hash = Sha512::new()
        .chain_update(r)
        .chain_update(key.as_bytes())
        .chain_update(message);
    Scalar::from_bytes_mod_order_wide(&hash.finalize().into())
}

/// S + L, which no rule but that of ed25519-donna may take.
fn raised(signature: &Signature) -> Signature {
    let (mut s, mut carry) = (*signature.s_bytes(), 0);
    for (byte, l) in s.iter_mut().zip(L) {
        let sum = u16::from(*byte) + u16::from(l) + carry;
        (*byte, carry) = (sum as u8, sum >> 8);
    }
    Signature::from_components(*signature.r_bytes(), s)
}

/// A claim of any kind. Its message is at most `length` bytes of the input.
pub(crate) fn item(bytes: &mut Bytes<'_>, length: usize) -> Item {
    let kind = bytes.below(9);
    let signer = &keys()[bytes.below(8)];
    let message = |bytes: &mut Bytes<'_>| {
        let length = bytes.below(256).min(length);
        bytes.slice(length).to_vec()
    };
    let (key, text, signature) = match kind {
        // Torsion in A and R; a or r = 0 makes one itself of small order.
        1 | 2 => {
            let [a, a_class, r, r_class] = bytes.array();
            let text = message(bytes);
            let (a, r) = (Scalar::from(u64::from(a)), Scalar::from(u64::from(r)));
            let torsion = |class| EIGHT_TORSION[usize::from(class % 8_u8)];
            let key = VerifyingKey::from(B * a + torsion(a_class));
            let commitment = (B * r + torsion(r_class)).compress().0;
            let s = r + challenge(&key, &commitment, &text) * a;
            let signature = Signature::from_components(commitment, s.to_bytes());
            (key, text, signature)
        }
        // A key of small order that is not encoded canonically, or any encoding as R.
        3 | 4 => {
            let a = encoding(bytes);
            let key = VerifyingKey::from_bytes(&a).unwrap_or(signer.verifying_key());
            let r = encoding(bytes);
            let s = scalar(bytes).to_bytes();
            (key, message(bytes), Signature::from_components(r, s))
        }
        // Any bytes.
        5 => {
            let key = VerifyingKey::from_bytes(&bytes.array()).unwrap_or(signer.verifying_key());
            let signature = Signature::from_bytes(&bytes.array());
            (key, message(bytes), signature)
        }
        // Honest, then spoiled in one of four ways.
        6 => {
            let how = bytes.below(4);
            let bit = usize::from(u16::from_le_bytes(bytes.array())) % 512;
            let r = bytes.array();
            let mut text = message(bytes);
            let signature = signer.sign(&text);
            let signature = match how {
                0 => {
                    let mut spoiled = signature.to_bytes();
                    spoiled[bit / 8] ^= 1 << (bit % 8);
                    Signature::from_bytes(&spoiled)
                }
                1 => raised(&signature),
                2 => Signature::from_components(r, *signature.s_bytes()),
                _ => {
                    text.push(0);
                    signature
                }
            };
            (signer.verifying_key(), text, signature)
        }
        // Honest.
        _ => {
            let text = message(bytes);
            let signature = signer.sign(&text);
            (signer.verifying_key(), text, signature)
        }
    };
    Item {
        key,
        message: text,
        signature,
    }
}

#[cfg(test)]
mod tests {
    use super::{B, L, Scalar, odd_encoding};
    use lanner_curve::edwards::{CompressedEdwardsY, DecodingRule};
    use lanner_curve::traits::IsIdentity;

    #[test]
    fn the_order() {
        let mut less = L;
        less[0] -= 1;
        assert_eq!(Scalar::from_bytes_mod_order(less), -Scalar::ONE);
        assert!((B * Scalar::from_bytes_mod_order(L)).is_identity());
    }

    #[test]
    fn odd_encodings_are_odd() {
        let mut decoded = 0;
        for which in 0..40 {
            let encoding = CompressedEdwardsY(odd_encoding(which));
            assert_eq!(encoding.vartime_decompress(DecodingRule::Canonical), None);
            decoded += usize::from(encoding.decompress().is_some());
        }
        assert!((10..40).contains(&decoded), "{decoded}");
    }
}
