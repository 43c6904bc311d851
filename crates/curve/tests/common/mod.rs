//! What the tests of points share.
// Each program of tests has a part of it.
#![allow(dead_code)]

use lanner_curve::backend::{self, Backend};
use lanner_curve::constants::EIGHT_TORSION;
use lanner_curve::edwards::EdwardsPoint;
use lanner_curve::scalar::Scalar;
use proptest::prelude::*;
use std::sync::{Mutex, PoisonError};

static BACKEND: Mutex<()> = Mutex::new(());

/// Runs a test once on every backend that can run here. The choice is for the whole
/// process, so tests that choose take turns.
pub(crate) fn on_every_backend(test: impl Fn(Backend)) {
    let _turn = BACKEND.lock().unwrap_or_else(PoisonError::into_inner);
    for backend in backend::list() {
        backend::force(backend).expect("a listed backend can run");
        assert_eq!(backend::active(), backend);
        test(backend);
    }
}

/// How many cases a property test tries; few under Miri.
pub(crate) fn cases(usual: u32) -> ProptestConfig {
    ProptestConfig {
        cases: if cfg!(miri) { 1 } else { usual },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Scalars: random ones and those at the edges of [0, L) and of the recodings.
pub(crate) fn scalars() -> impl Strategy<Value = Scalar> {
    let wide = any::<[u8; 32]>().prop_map(Scalar::from_bytes_mod_order);
    let small = any::<u64>().prop_map(Scalar::from);
    let negative = (0u64..40).prop_map(|n| -Scalar::from(n));
    let power = (0usize..256, 0u64..3).prop_map(|(bit, offset)| {
        let mut bytes = [0; 32];
        bytes[bit / 8] = 1 << (bit % 8);
        Scalar::from_bytes_mod_order(bytes) - Scalar::from(offset)
    });
    let patterns = prop::sample::select(vec![0x00, 0x11, 0x77, 0x88, 0xaa, 0xf0, 0xff])
        .prop_map(|byte| Scalar::from_bytes_mod_order([byte; 32]));
    prop_oneof![4 => wide, 1 => small, 1 => negative, 1 => power, 1 => patterns]
}

/// Points of every kind: of the large subgroup, of small order, and mixed.
pub(crate) fn points() -> impl Strategy<Value = EdwardsPoint> {
    let prime = || scalars().prop_map(|scalar| EdwardsPoint::mul_base(&scalar));
    let torsion = || prop::sample::select(EIGHT_TORSION.to_vec());
    let mixed = (prime(), torsion()).prop_map(|(prime, torsion)| prime + torsion);
    prop_oneof![2 => prime(), 1 => torsion(), 2 => mixed]
}
