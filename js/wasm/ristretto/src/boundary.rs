//! The exports of the module. Input and output of each are where `a` says; the other side overwrites the stack and all
//! from there to what `t` says when a call is over. Elements and scalars may be secrets, of whichever protocol is made of
//! them: everything is constant time but for lengths, and for whether something is refused.
#![allow(unsafe_code)]

use alloc::vec::Vec;
use core::hint::black_box;
use core::slice;

use lanner_curve::digest::common::{BlockSizeUser, OutputSizeUser};
use lanner_curve::digest::{FixedOutput, HashMarker, Output, Update};
use lanner_curve::edwards::EdwardsPoint;
use lanner_curve::montgomery::MontgomeryPoint;
use lanner_curve::ristretto::{CompressedRistretto, RistrettoPoint};
use lanner_curve::scalar::Scalar;
use lanner_curve::traits::MultiscalarMul;
use lanner_hash::sha512::Compact;

use crate::heap;

/// The block of SHA-512.
const BLOCK: usize = 128;

/// The least room: no input without messages and sums has more.
const ROOM: usize = 64;

/// Why there is no result, by the numbers that the other side knows; 0 where there is one.
#[derive(Clone, Copy)]
#[repr(u32)]
enum Refusal {
    /// The first element of the input is none.
    First = 1,
    /// The second one is none.
    Second = 2,
    /// The result is zero, or the neutral element, and must not be. The other side does not look at it then.
    Zero = 3,
}

/// What the other side must know of the memory, for the build, which takes it out of the module: the length of a hash.
#[used]
#[unsafe(link_section = "lanner.layout")]
static LAYOUT: [u32; 1] = [size_of::<Compact>() as u32];

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

/// Room for so many octets of input; its address, or 0 if there is no memory.
#[unsafe(no_mangle)]
extern "C" fn a(length: usize) -> usize {
    if heap::begin(length.max(ROOM)) {
        heap::base()
    } else {
        0
    }
}

/// Ends a call: the end of all memory that it had.
#[unsafe(no_mangle)]
extern "C" fn t() -> usize {
    heap::reset()
}

/// The first octets of the input and the output.
///
/// # Safety
///
/// `a` was told of so many, and this is the one reference to them.
unsafe fn octets(length: usize) -> &'static mut [u8] {
    let start = core::ptr::with_exposed_provenance_mut(heap::base());
    // SAFETY: the caller's promise; octets have no alignment, and any value is one.
    unsafe { slice::from_raw_parts_mut(start, length) }
}

/// The input of all that has no more than [`ROOM`].
fn input() -> &'static mut [u8; ROOM] {
    // SAFETY: `a` never gives less; exports do not call each other, and each takes this once.
    unsafe { octets(ROOM) }
        .first_chunk_mut()
        .expect("it has as many")
}

fn half(octets: &[u8; 64], second: bool) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes.copy_from_slice(&octets[if second { 32..64 } else { 0..32 }]);
    bytes
}

fn element(octets: &[u8; 64], second: bool) -> Result<RistrettoPoint, Refusal> {
    let refusal = if second {
        Refusal::Second
    } else {
        Refusal::First
    };
    CompressedRistretto(half(octets, second))
        .decompress()
        .ok_or(refusal)
}

/// Any integer below 2^256, modulo L.
fn scalar(octets: &[u8; 64], second: bool) -> Scalar {
    Scalar::from_bytes_mod_order(half(octets, second))
}

/// The scalar that multiplies an element, the first of two inputs: its highest bit does not count, as in libsodium.
fn factor(octets: &[u8; 64]) -> Scalar {
    let mut bytes = half(octets, false);
    bytes[31] &= 0x7f;
    Scalar::from_bytes_mod_order(bytes)
}

/// Whether all bytes are zero: all of them count, wherever the first one that is not zero stands.
fn is_zero(bytes: &[u8; 32]) -> bool {
    // So that the compiler makes no comparisons of parts of it.
    black_box(bytes.iter().fold(0, |bits, byte| bits | byte)) == 0
}

/// Puts a result to the output.
fn answer(result: Result<[u8; 32], Refusal>, output: &mut [u8]) -> u32 {
    match result {
        Ok(bytes) => {
            output[..32].copy_from_slice(&bytes);
            0
        }
        Err(refusal) => refusal as u32,
    }
}

/// The same for one that must not be zeros, without a branch that depends on it.
fn answer_unless_zero(result: Result<[u8; 32], Refusal>, output: &mut [u8]) -> u32 {
    let zero = result.as_ref().map_or(0, |bytes| u32::from(is_zero(bytes)));
    answer(result, output) | (Refusal::Zero as u32 * zero)
}

/// Whether the input encodes an element.
#[unsafe(no_mangle)]
extern "C" fn d() -> bool {
    element(input(), false).is_ok()
}

/// The sum of two elements, or their difference.
#[unsafe(no_mangle)]
extern "C" fn p(subtract: bool) -> u32 {
    let input = input();
    let sum = || {
        let (p, q) = (element(input, false)?, element(input, true)?);
        let sum = if subtract { p - q } else { p + q };
        Ok(sum.compress().to_bytes())
    };
    answer(sum(), input)
}

/// A scalar times an element, or with `base` times the base point.
#[unsafe(no_mangle)]
extern "C" fn m(base: bool) -> u32 {
    let input = input();
    let multiple = || {
        let scalar = factor(input);
        let product = if base {
            RistrettoPoint::mul_base(&scalar)
        } else {
            element(input, true)? * scalar
        };
        // The neutral element is encoded by zeros.
        Ok(product.compress().to_bytes())
    };
    answer_unless_zero(multiple(), input)
}

/// The sum of multiples: the scalar and the element of each, 64 octets.
///
/// # Safety
///
/// `a` was told of as many octets.
#[unsafe(no_mangle)]
unsafe extern "C" fn s(count: usize) -> u32 {
    // SAFETY: the caller's promise.
    let input = unsafe { octets(64 * count) };
    let (terms, _) = input.as_chunks::<64>();
    let sum = || {
        let mut points = Vec::with_capacity(terms.len());
        for term in terms {
            points.push(element(term, true)?);
        }
        let scalars = terms.iter().map(factor);
        let sum = RistrettoPoint::multiscalar_mul(scalars, points);
        Ok(sum.compress().to_bytes())
    };
    answer(sum(), input)
}

/// The element of 64 octets that are uniformly distributed (RFC 9496, section 4.3.4).
#[unsafe(no_mangle)]
extern "C" fn u() {
    let input = input();
    let element = RistrettoPoint::from_uniform_bytes(input);
    input[..32].copy_from_slice(&element.compress().to_bytes());
}

/// 64 octets modulo L.
#[unsafe(no_mangle)]
extern "C" fn r() {
    let input = input();
    let scalar = Scalar::from_bytes_mod_order_wide(input);
    input[..32].copy_from_slice(scalar.as_bytes());
}

/// Whether the input is below L.
#[unsafe(no_mangle)]
extern "C" fn l() -> bool {
    Scalar::from_canonical_bytes(half(input(), false))
        .is_some()
        .into()
}

/// The sum of two scalars, their difference, or their product.
#[unsafe(no_mangle)]
extern "C" fn f(operation: u32) {
    let input = input();
    let (x, y) = (scalar(input, false), scalar(input, true));
    let result = match operation {
        0 => x + y,
        1 => x - y,
        _ => x * y,
    };
    input[..32].copy_from_slice(result.as_bytes());
}

/// The inverse of a scalar.
#[unsafe(no_mangle)]
extern "C" fn v() -> u32 {
    let input = input();
    // That of 0 is 0.
    let inverse = scalar(input, false).invert().to_bytes();
    answer_unless_zero(Ok(inverse), input)
}

/// The hash of the message, at the start of the input.
fn begun() -> *mut Compact {
    core::ptr::with_exposed_provenance_mut(heap::base())
}

/// SHA-512 as `expand_message` of RFC 9380 (section 5.3.1) uses it. Of its hashes the message's alone begins with a block of
/// zeros, and that one has been begun before, piece by piece: where another would begin, it is gone on with.
#[derive(Default)]
struct Expanding(Option<Compact>);

impl Update for Expanding {
    fn update(&mut self, data: &[u8]) {
        if let Some(hash) = &mut self.0 {
            hash.update(data);
        } else if data.len() == BLOCK {
            // SAFETY: `h` has put a hash there, and nothing refers to it now.
            self.0 = Some(unsafe { (*begun()).clone() });
        } else {
            self.0 = Some(Compact::default().chain(data));
        }
    }
}

impl BlockSizeUser for Expanding {
    type BlockSize = <Compact as BlockSizeUser>::BlockSize;
}

impl OutputSizeUser for Expanding {
    type OutputSize = <Compact as OutputSizeUser>::OutputSize;
}

impl FixedOutput for Expanding {
    fn finalize_into(self, out: &mut Output<Self>) {
        self.0.unwrap_or_default().finalize_into(out);
    }
}

impl HashMarker for Expanding {}

/// Hashes octets of a message, which are behind the hash in the input: that is begun, or has come of the octets before. If the
/// tag is behind them, the output is what the message is hashed to under it, by the number of the suite; else the hash.
///
/// # Safety
///
/// `a` was told of as many octets, and the hash is one that was the output before, if it is not begun.
#[unsafe(no_mangle)]
unsafe extern "C" fn h(suite: u32, begin: bool, message: usize, tag: usize) {
    // SAFETY: the caller's promise; the heap is aligned, and the octets behind the hash are others.
    let (hash, rest) = unsafe {
        let hash = begun();
        if begin {
            hash.write(Compact::default().chain([0; BLOCK]));
        }
        (
            &mut *hash,
            slice::from_raw_parts(hash.add(1).cast::<u8>(), message + tag),
        )
    };
    let (text, tag) = rest.split_at(message);
    hash.update(text);
    if tag.is_empty() {
        return;
    }
    let (text, tag) = (&[], &[tag]);
    let output = match suite {
        0 => RistrettoPoint::hash_to_curve::<Expanding>(text, tag)
            .compress()
            .to_bytes(),
        1 => EdwardsPoint::hash_to_curve::<Expanding>(text, tag)
            .compress()
            .to_bytes(),
        2 => EdwardsPoint::encode_to_curve::<Expanding>(text, tag)
            .compress()
            .to_bytes(),
        3 => MontgomeryPoint::hash_to_curve::<Expanding>(text, tag).to_bytes(),
        4 => MontgomeryPoint::encode_to_curve::<Expanding>(text, tag).to_bytes(),
        _ => Scalar::hash_to_scalar::<Expanding>(text, tag).to_bytes(),
    };
    // SAFETY: the caller's promise.
    unsafe { octets(32) }.copy_from_slice(&output);
}
