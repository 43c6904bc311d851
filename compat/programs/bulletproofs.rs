//! bulletproofs: a range proof of 64 bits verified.

mod clock;

use bulletproofs::{BulletproofGens, PedersenGens, RangeProof};
use curve25519_dalek::scalar::Scalar;
use merlin::Transcript;

fn main() {
    let (pedersen, generators) = (PedersenGens::default(), BulletproofGens::new(64, 1));
    let blinding = Scalar::from(7_u8);
    let transcript = || Transcript::new(b"lanner");
    let (proof, committed) =
        RangeProof::prove_single(&generators, &pedersen, &mut transcript(), 42, &blinding, 64)
            .expect("in range");
    clock::time(|| {
        proof
            .verify_single(&generators, &pedersen, &mut transcript(), &committed, 64)
            .expect("valid");
    });
}
