//! What came out of a signature that was disturbed.

use std::ops::Range;

use lanner_ed25519::VerifyingKey;
use lanner_fn_dsa::falcon::{self, Encoding};
use lanner_fn_dsa::{DOMAIN_NONE, HASH_ID_RAW};

use super::double::{End, mapped};
use super::{
    Effect, LONGEST, MESSAGE, Process, REFUSED, SIGNED, falcon_key, fn_dsa_key, hybrid_key, key,
    operation,
};

/// Bytes of the register that copies go through.
const REGISTER: usize = 16;
/// Bytes of a register of the processor.
const WORD: usize = 8;
/// What lies on a stack besides: lengths and counters.
const SMALL: u64 = 0xffff;

/// Whether a signature is valid.
type Verdict = Box<dyn Fn(&[u8]) -> bool>;

/// Knows the right signature.
pub(super) struct Judge {
    right: Vec<u8>,
    /// Where anything is in the process.
    mapped: Vec<Range<u64>>,
    is_valid: Verdict,
    pub(super) is_ed25519: bool,
}

impl Judge {
    pub(super) fn new(name: &str, process: &Process) -> Result<Self, String> {
        let sign = operation(name)?.1();
        let mut output = [0; LONGEST];
        let length = sign(&mut output).ok_or("nothing was signed")?;
        let is_ed25519 = length == 64;
        Ok(Self {
            right: output[..length].to_vec(),
            mapped: mapped(process)?,
            is_valid: if is_ed25519 {
                let key: VerifyingKey = key().verifying_key();
                Box::new(move |signature| {
                    let signature = signature.try_into();
                    signature.is_ok_and(|signature| key.verify_strict(MESSAGE, &signature).is_ok())
                })
            } else if name.starts_with("hybrid") {
                let key = hybrid_key().verifying_key();
                Box::new(move |signature| key.verify(signature, b"", MESSAGE).is_ok())
            } else if name.starts_with("falcon") {
                let key = falcon_key().verifying_key();
                Box::new(move |signature| {
                    falcon::verify_as(&key, signature, MESSAGE, Encoding::Padded).is_ok()
                })
            } else {
                let key = fn_dsa_key().verifying_key();
                Box::new(move |signature| {
                    let verdict = key.try_verify(signature, &DOMAIN_NONE, &HASH_ID_RAW, MESSAGE);
                    verdict.is_ok()
                })
            },
            is_ed25519,
        })
    }

    pub(super) fn effect(&self, end: &End) -> Effect {
        let bytes = match end {
            End::Crashed => return Effect::Crashed,
            End::Hung => return Effect::Hung,
            End::Outcome(bytes) => bytes,
        };
        match bytes[0] {
            SIGNED => {}
            REFUSED => return Effect::Refused,
            _ => return Effect::Crashed,
        }
        let signature = &bytes[1..=self.right.len()];
        if signature == self.right {
            Effect::None
        } else if self.is_damaged(signature) {
            Effect::Damaged
        } else if (self.is_valid)(signature) {
            Effect::OtherValid
        } else if self.is_ed25519 && signature[..32] == self.right[..32] {
            Effect::OtherResponse
        } else if self.is_of_addresses(signature) {
            Effect::Addresses
        } else {
            Effect::OtherInvalid
        }
    }

    /// Whether it is what a wrong address led to: as words, wherever the first one begins, zeros and small numbers, addresses near
    /// what is mapped, and pieces of the right signature, but for one word. A wrong response is half a signature of none of these.
    fn is_of_addresses(&self, signature: &[u8]) -> bool {
        let is_known = |bytes: &[u8]| {
            let word = u64::from_le_bytes(bytes.try_into().expect("a word"));
            let half = |address: u64| address >> 32;
            let is_near =
                |range: &Range<u64>| (half(range.start)..=half(range.end)).contains(&half(word));
            word <= SMALL
                || self.mapped.iter().any(is_near)
                || self.right.windows(WORD).any(|window| window == bytes)
        };
        (0..WORD).any(|start| {
            let words = signature[start..].chunks_exact(WORD);
            words.filter(|word| !is_known(word)).count() <= 1
        })
    }

    /// Whether only one bit differs, or only some bytes which stand elsewhere in the right one or are zeros but for a word, or
    /// only a piece that one register carries: where that was not loaded, what it held last is given out, which after a
    /// verification is public. A fault before the check leaves no half of a response as it was.
    fn is_damaged(&self, signature: &[u8]) -> bool {
        let differs = |i: &usize| signature[*i] != self.right[*i];
        let different: Vec<usize> = (0..signature.len()).filter(differs).collect();
        let (Some(first), Some(last)) = (different.first(), different.last()) else {
            return false;
        };
        let (new, old) = (&signature[*first..=*last], &self.right[*first..=*last]);
        let is_zero = |bytes: &[u8]| bytes.iter().all(|byte| *byte == 0);
        let bits: u32 = new
            .iter()
            .zip(old)
            .map(|(new, old)| (new ^ old).count_ones())
            .sum();
        let stands_elsewhere = self.right.windows(new.len()).any(|window| window == new);
        // Written to another place: what is not there was never written, or is a word of what lay there.
        let is_other = |bytes: &[u8]| is_zero(bytes) || bytes.len() <= WORD;
        let is_moved = (1..signature.len()).any(|by| {
            let (start, end) = (&signature[..by], &self.right[by..]);
            let later = signature[by..] == self.right[..signature.len() - by];
            let earlier = signature[..end.len()] == *end;
            let rest = &signature[end.len()..];
            (later && is_other(start)) || (earlier && is_other(rest))
        });
        let of_one_register = last - first < REGISTER;
        // Read where it was not written: of what else lay there no more than a word, too little for half of a response.
        let is_nothing = new.iter().filter(|byte| **byte != 0).count() <= WORD;
        bits == 1 || stands_elsewhere || is_moved || of_one_register || is_nothing
    }

    /// What came out, for a finding of Ed25519.
    pub(super) fn shown(&self, end: &End) -> String {
        match end {
            End::Outcome(bytes) if self.is_ed25519 => {
                let hex = |bytes: &[u8]| -> String {
                    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
                };
                format!(
                    "\n    {}\n    right {}",
                    hex(&bytes[1..65]),
                    hex(&self.right)
                )
            }
            _ => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STACK: u64 = 0x7fff_ffff_0000;

    fn judge() -> Judge {
        Judge {
            right: (0..64_u8).map(|i| 0x80 | i.wrapping_mul(37)).collect(),
            mapped: Vec::from([STACK..STACK + 0x800, STACK + 0x800..STACK + 0x1000]),
            is_valid: Box::new(|_| false),
            is_ed25519: true,
        }
    }

    fn effect(change: impl FnOnce(&mut [u8])) -> Effect {
        let judge = judge();
        let mut bytes = vec![SIGNED];
        bytes.extend(&judge.right);
        change(&mut bytes[1..]);
        judge.effect(&End::Outcome(bytes))
    }

    #[test]
    fn a_wrong_response_is_told_from_damage() {
        assert_eq!(effect(|_| {}), Effect::None);
        assert_eq!(effect(|it| it[40] ^= 4), Effect::Damaged);
        let wrong = |i: usize| (i * i * 29 + 101) as u8;
        let from = |start: usize| effect(move |it| (start..64).for_each(|i| it[i] = wrong(i)));
        assert_eq!(from(32), Effect::OtherResponse);
        assert_eq!(from(0), Effect::OtherInvalid);
        // Half of a response is none of the kinds of damage.
        let half = effect(|it| (0..48).for_each(|i| it[i] = wrong(i)));
        assert_eq!(half, Effect::OtherInvalid);
    }

    #[test]
    fn addresses_are_told_from_signatures() {
        let address = |i: u64| (STACK + 8 * i + 1).to_le_bytes();
        let of = |start: usize, mapped: bool| {
            effect(move |it| {
                it[..start].fill(0xee);
                for (i, word) in it[start..].chunks_mut(WORD).enumerate() {
                    let mut address = address(i as u64);
                    address[5] ^= u8::from(!mapped);
                    word.copy_from_slice(&address[..word.len()]);
                }
            })
        };
        for start in 0..WORD {
            assert_eq!(of(start, true), Effect::Addresses, "{start}");
            assert_eq!(of(start, false), Effect::OtherInvalid, "{start}");
        }
        // Half of the right one, and addresses behind it; and two words that are neither.
        let moved = |unknown: usize| {
            effect(move |it| {
                it.copy_within(32.., 0);
                (0..4).for_each(|i| it[32 + 8 * i..][..8].copy_from_slice(&address(i as u64)));
                it[40..40 + WORD * unknown].fill(0xee);
            })
        };
        assert_eq!(moved(1), Effect::Addresses);
        assert_eq!(moved(2), Effect::OtherInvalid);
    }
}
