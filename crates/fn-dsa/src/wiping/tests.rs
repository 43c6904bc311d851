//! Whether secrets are gone when what holds them is dropped, or when signing ends early.
#![allow(unsafe_code)]

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem::MaybeUninit;

use rand_core::{TryCryptoRng, TryRng};
use zeroize::Zeroize;

use crate::attempts::{self, Attempts, Compat, Derived, Hedged, Reference, SigningSpace};
use crate::errors::Error;
use crate::falcon::Encoding;
use crate::generating::{KeyPairGenerator, KeyPairGenerator512};
use crate::hash::point_of_mu;
use crate::keygen::Workspace;
use crate::params::P3;
use crate::prepared::PreparedSigningKey512;
use crate::rules::Ruled;
use crate::sampler::Ordered;
use crate::sampler::SamplerRng;
use crate::sampler::wide::FastSource;
use crate::secret::Secret;
use crate::shake::{RATE_256, SHAKE256, SeededRng, ShakeStream, Sponge};
use crate::shake256x4::Shake256x4;
use crate::signing::{SigningKey512, StreamError, write_signature};
use crate::{draft2026, falcon};

/// The bytes of a value before and after it is dropped, in place.
fn around_drop<T>(fill: impl FnOnce(&mut MaybeUninit<T>)) -> (Vec<u8>, Vec<u8>) {
    let mut place = Box::new(MaybeUninit::<T>::zeroed());
    fill(&mut place);
    let at = place.as_mut_ptr();
    // SAFETY: the value is there, and the box does not drop it once more; its memory, zeroed at first, is the box's.
    // What padding there is may be read as well: the reads are volatile, of bytes.
    unsafe {
        let bytes = || {
            (0..size_of::<T>())
                .map(|i| at.cast::<u8>().add(i).read_volatile())
                .collect()
        };
        let before = bytes();
        at.drop_in_place();
        (before, bytes())
    }
}

/// The bytes of a value before and after it is wiped.
fn around_wiping<T: Zeroize>(value: &mut T) -> (Vec<u8>, Vec<u8>) {
    let at: *mut T = value;
    // SAFETY: the value is there all the while, and nothing else has a reference to it; of what padding there is, as above.
    unsafe {
        let bytes = || {
            (0..size_of::<T>())
                .map(|i| at.cast::<u8>().add(i).read_volatile())
                .collect()
        };
        let before = bytes();
        (*at).zeroize();
        (before, bytes())
    }
}

/// Asserts that each secret was there, and that no eight bytes of any are left.
fn assert_gone(name: &str, (before, after): (Vec<u8>, Vec<u8>), secrets: &[&[u8]]) {
    for secret in secrets {
        assert!(
            secret.iter().any(|byte| *byte != 0),
            "{name}: nothing to look for"
        );
        assert!(
            before.windows(secret.len()).any(|window| window == *secret),
            "{name}: the secret was not there"
        );
        for part in secret
            .windows(8)
            .filter(|part| part.iter().any(|x| *x != 0))
        {
            assert!(
                !after.windows(8).any(|window| window == part),
                "{name}: {part:?} is left"
            );
        }
    }
}

fn bytes_of(x: &[i8]) -> Vec<u8> {
    x.iter().map(|x| *x as u8).collect()
}

fn polynomials<const N: usize>(secret: &Secret<N>) -> Vec<Vec<u8>> {
    let parts = [&secret.f, &secret.g, &secret.big_f, &secret.big_g];
    let mut all: Vec<Vec<u8>> = parts.into_iter().map(|part| bytes_of(part)).collect();
    all.push(secret.hsk.to_vec());
    all
}

fn slices(secrets: &[Vec<u8>]) -> Vec<&[u8]> {
    secrets.iter().map(Vec::as_slice).collect()
}

#[test]
fn keys() {
    let key = SigningKey512::from_seed(&[1; 32]).expect("a key");
    let secrets = polynomials(&key.secret);
    let dropped = around_drop::<Secret<512>>(|place| {
        place.write(Secret::EMPTY).copy_from(&key.secret);
    });
    assert_gone("Secret", dropped, &slices(&secrets));
    let dropped = around_drop(|place| {
        place.write(key.clone());
    });
    assert_gone("SigningKey512", dropped, &slices(&secrets));

    let key = draft2026::SigningKey512::from_seed(&[2; 32]).expect("a key");
    let secrets = polynomials(&key.secret);
    let dropped = around_drop(|place| {
        place.write(key.clone());
    });
    assert_gone("draft2026::SigningKey512", dropped, &slices(&secrets));

    let key = falcon::SigningKey512::from_seed(&[3; 32]).expect("a key");
    let secrets = polynomials(&key.secret);
    let dropped = around_drop(|place| {
        place.write(key.clone());
    });
    assert_gone("falcon::SigningKey512", dropped, &slices(&secrets));
}

/// Those that are wiped while they are there. Nothing of them is left, not even the verifying key.
#[test]
fn keys_that_are_wiped() {
    let key = SigningKey512::from_seed(&[1; 32]).expect("a key");
    let mut secrets = polynomials(&key.secret);
    secrets.push(key.secret.hpk.to_vec());
    let (before, after) = around_wiping(&mut key.clone());
    assert_left(&after, RULES);
    assert_gone("SigningKey512", (before, after), &slices(&secrets));
}

/// A key with its basis and its tree, which are many times as large, and of which nothing looks like the polynomials.
#[test]
fn prepared_keys() {
    let key = SigningKey512::from_seed(&[1; 32]).expect("a key");
    let secrets = polynomials(&key.secret);
    let gone = |(before, after): (Vec<u8>, Vec<u8>), most| {
        assert!(before.iter().filter(|byte| **byte != 0).count() > 30_000);
        assert_left(&after, most);
        assert_gone("PreparedSigningKey512", (before, after), &slices(&secrets));
    };
    let mut prepared = Box::new(PreparedSigningKey512::new());
    prepared.prepare(&key);
    gone(around_wiping(&mut *prepared), RULES);
    let dropped = around_drop(|place| {
        place.write(PreparedSigningKey512::new()).prepare(&key);
    });
    // What is dropped keeps what is public: the verifying key and its hash.
    let public = size_of_val(&key.secret.h_values) + key.secret.hpk.len();
    gone(dropped, public + RULES);
}

/// What says which rules a key has, and the bytes between fields.
const RULES: usize = 16;

/// Asserts that all but a few bytes are zeros.
fn assert_left(after: &[u8], most: usize) {
    let left = after.iter().filter(|byte| **byte != 0).count();
    assert!(left <= most, "{left} bytes are left");
}

/// The memory of key generation: filled with a pattern, for it is wiped after each key.
#[test]
fn memory_of_key_generation() {
    let fill = |generator: &mut KeyPairGenerator512| {
        generator.work.words().fill(0x0101_0101);
        generator.polynomials.0.as_flattened_mut().fill(2);
    };
    let patterns: [&[u8]; 2] = [&[1; 8], &[2; 8]];
    let dropped = around_drop(|place| {
        fill(place.write(KeyPairGenerator512::new()));
    });
    assert_gone("KeyPairGenerator512", dropped, &patterns);
    let mut generator = Box::new(KeyPairGenerator512::new());
    fill(&mut generator);
    assert_gone(
        "KeyPairGenerator512, wiped",
        around_wiping(&mut *generator),
        &patterns,
    );
    let dropped = around_drop::<Workspace<512>>(|place| {
        place.write(Workspace::new()).words().fill(0x0101_0101);
    });
    assert_gone("Workspace", dropped, &patterns[..1]);

    // And after a key, while the generator stays.
    let mut generator = KeyPairGenerator512::new();
    let (mut secret, mut public) = ([0; 1281], [0; 897]);
    fill(&mut generator);
    generator
        .keygen_from_seed(9, &[4; 32], &mut secret, &mut public)
        .expect("a key pair");
    assert!(generator.work.words().iter().all(|x| *x == 0));
    assert!(
        generator
            .polynomials
            .0
            .as_flattened()
            .iter()
            .all(|x| *x == 0)
    );
}

#[test]
fn streams() {
    // The state of SHAKE256 is in words: what comes next is in it.
    let dropped = around_drop::<Sponge<RATE_256>>(|place| {
        let sponge = place.write(Sponge::new());
        sponge.absorb(b"secret");
        sponge.pad(0x1f);
    });
    let mut next = [0; 136];
    ShakeStream::new(b"secret").fill(&mut next);
    assert_gone("Sponge", dropped, &[&next]);
    let dropped = around_drop(|place| {
        place.write(SeededRng::new(b"secret"));
    });
    assert_gone("SeededRng", dropped, &[&next]);
    let dropped = around_drop::<SHAKE256>(|place| {
        let shake = place.write(SHAKE256::new());
        shake.inject(b"secret");
        shake.flip();
    });
    assert_gone("SHAKE256", dropped, &[&next]);
}

/// Draws from a source, so that it has bytes in its buffer.
fn draw<S: SamplerRng>(source: &mut S) {
    use crate::fpr::{Fpr, Lanes, Real};
    let shape = crate::sampler::Shape::<Fpr>::new(9, crate::params::SamplerTables::Rcdt72);
    let one = Fpr::from_i32(1);
    source
        .pair::<Fpr>(&shape, [one, one], (one + one).half())
        .expect("samples");
}

/// What of a value looks random: runs of bytes that are not zero.
fn random(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes
        .split(|byte| *byte == 0)
        .filter(|run| run.len() >= 24)
        .map(<[u8]>::to_vec)
        .collect()
}

/// Draws from the source of attempts.
fn drawn<A: Attempts>(mut attempts: A) -> A {
    let mut digest = Sponge::new();
    digest.pad(0x1f);
    attempts.nonce().expect("a nonce");
    draw(attempts.source(&digest).expect("a source"));
    attempts
}

/// A source of the sampler, or what has it, after a pair of samples: its key and its buffer.
fn source<A>(name: &str, source: A) {
    let (before, after) = around_drop(|place: &mut MaybeUninit<A>| {
        place.write(source);
    });
    let secrets = random(&before);
    let length: usize = secrets.iter().map(Vec::len).sum();
    assert!(length >= 100, "{name}: {length} bytes to look for");
    assert_gone(name, (before, after), &slices(&secrets));
}

#[test]
fn sources() {
    let rng = &mut SeededRng::new(b"nonces");
    let mut fast = FastSource::empty();
    drawn(Derived::new(rng, &[5; 40], false, &mut fast));
    source("FastSource", fast);
    let mut stream = Ordered::new(ShakeStream::empty());
    drawn(Compat::new(rng, false, &mut stream));
    source("Compat", stream);
    let mut stream = Ordered::new(Shake256x4::empty());
    drawn(Compat::new(rng, false, &mut stream));
    source("Compat of fn-dsa 0.2", stream);
    let seeds = |seed: &mut [u8]| {
        seed.copy_from_slice(&[7; 56]);
        Ok(())
    };
    source("Reference", drawn(Reference::new([0; 40], seeds)));
    let mut hedged = Hedged::empty();
    hedged.start(rng, &[5; 40], &[8; 64]).expect("a seed");
    source("Hedged", drawn(hedged));
}

/// A generator that fails after some calls.
struct Failing(u32);

impl TryRng for Failing {
    type Error = Error;
    fn try_next_u32(&mut self) -> Result<u32, Error> {
        Err(Error::Random)
    }
    fn try_next_u64(&mut self) -> Result<u64, Error> {
        Err(Error::Random)
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        self.0 = self.0.checked_sub(1).ok_or(Error::Random)?;
        bytes.fill(self.0 as u8);
        Ok(())
    }
}

impl TryCryptoRng for Failing {}

/// A vector that does not fit, which is none of a signature, is not in the caller's memory when the next attempt fails.
#[test]
fn a_refused_vector_is_not_handed_out() {
    let vector = core::array::from_fn::<i16, 512, _>(|i| if i < 300 { 1000 } else { 2047 });
    for (encoding, size, times) in [
        (Encoding::Padded, 666, 1),
        (Encoding::Compressed, 666, 1),
        (Encoding::ConstantTime, 809, 16),
    ] {
        let vector = vector.map(|x| x * times);
        let output = &mut std::vec![0; size];
        let written = write_signature(P3::RULES, encoding, 9, &[1; 40], &vector, output);
        assert_eq!(written, None, "{encoding:?}");
        assert!(output.iter().all(|byte| *byte == 0), "{encoding:?}");
    }
}

/// However signing ends, its memory is wiped: after a signature, and when the generator, the feed or the encoding
/// fails after an attempt whose vector would give the key away.
#[test]
fn memory_of_signing() {
    let key = SigningKey512::from_seed(&[1; 32]).expect("a key");
    let space = &mut SigningSpace::<512>::new();
    let wiped = |space: &SigningSpace<512>| {
        let at = core::ptr::from_ref(space).cast::<u8>();
        // SAFETY: it has no padding but at its end, and these are volatile reads of bytes.
        (0..size_of_val(space)).all(|i| unsafe { at.add(i).read_volatile() } == 0)
    };
    let mut seen = false;
    let mut sign = |draws: u32, feeds: u32, accept: bool| {
        let mut left = feeds;
        let rng = &mut Failing(draws);
        let result = attempts::sign::<_, 512, StreamError<()>>(
            P3::RULES,
            &key.secret,
            space,
            &mut Derived::new(rng, &key.secret.hsk, false, &mut FastSource::empty()),
            |nonce, c, digest| {
                left = left.checked_sub(1).ok_or(StreamError::Source(()))?;
                point_of_mu(P3::RULES, nonce, &[9; 64], c, digest);
                Ok(())
            },
            |_, s2| {
                seen |= s2.iter().any(|x| *x != 0);
                accept.then_some(0)
            },
        );
        assert!(wiped(space), "{draws} {feeds}: {result:?}");
        result
    };
    assert_eq!(sign(9, 9, true), Ok(0));
    assert_eq!(sign(2, 9, false), Err(StreamError::Sign(Error::Random)));
    assert_eq!(sign(9, 2, false), Err(StreamError::Source(())));
    assert_eq!(sign(99, 99, false), Err(StreamError::Sign(Error::Attempts)));
    assert!(seen, "there were vectors");

    // A closure of the caller that panics.
    let space = &mut SigningSpace::<512>::new();
    let mut first = true;
    let panicked = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| {
        let rng = &mut Failing(9);
        attempts::sign::<_, 512, Error>(
            P3::RULES,
            &key.secret,
            space,
            &mut Derived::new(rng, &key.secret.hsk, false, &mut FastSource::empty()),
            |nonce, c, digest| {
                assert!(core::mem::take(&mut first), "the feed fails");
                point_of_mu(P3::RULES, nonce, &[9; 64], c, digest);
                Ok(())
            },
            |_, _| None,
        )
    }));
    assert!(panicked.is_err());
    assert!(wiped(space));
}
