//! The model against itself, and against every outside file of verdicts.

use lanner_vectors::cctv::profile_of_policy;
use lanner_vectors::own::Scheme as Kind;
use lanner_vectors::wycheproof::Verdict;
use lanner_vectors::{hex, noble, outside, outside_files, ring, wycheproof};
use num_bigint::BigUint;

use super::eddsa::{self, Facts, Profile, Scheme};
use super::edwards::{BASE, DecodeRule, Point, TORSION};
use super::field::{self, D, L, P, SQRT_M1, add, int, invert, mul, neg, sub};
use super::x25519;

fn profile(name: &str) -> Profile {
    Profile::ALL
        .into_iter()
        .find(|p| p.name() == name)
        .unwrap_or_else(|| panic!("{name}"))
}

fn scheme(kind: Kind, context: &[u8]) -> Scheme<'_> {
    match kind {
        Kind::Ed25519 => Scheme::Pure,
        Kind::Ed25519ctx => Scheme::Context(context),
        Kind::Ed25519ph => Scheme::Prehash(context),
    }
}

/// The rules that ask for S < L: where points are well-formed and of prime
/// order, they agree.
const REDUCED: [Profile; 7] = [
    Profile::Rfc8032,
    Profile::Rfc8032Cofactorless,
    Profile::Dalek,
    Profile::Strict,
    Profile::Zip215,
    Profile::Libsodium,
    Profile::Simd0376,
];

/// The addition law as RFC 8032 section 5.1 states it, in affine coordinates.
fn affine_sum(a: &Point, b: &Point) -> Point {
    let ((x1, y1), (x2, y2)) = (a.to_affine(), b.to_affine());
    let product = mul(&D, &mul(&mul(&x1, &x2), &mul(&y1, &y2)));
    let x = mul(
        &add(&mul(&x1, &y2), &mul(&x2, &y1)),
        &invert(&add(&int(1), &product)),
    );
    let y = mul(
        &add(&mul(&y1, &y2), &mul(&x1, &x2)),
        &invert(&sub(&int(1), &product)),
    );
    Point::from_affine(&x, &y)
}

#[test]
fn constants() {
    assert_eq!(mul(&SQRT_M1, &SQRT_M1), neg(&int(1)));
    // The values that RFC 8032 section 5.1 prints.
    let d = "37095705934669439343138083508754565189542113879843219016388785533085940283555";
    let x = "15112221349535400772501151409588531511454012693041857206046113283949847762202";
    let y = "46316835694926478169428394003475163141307993866256225615783033603165251855960";
    let number = |digits: &str| digits.parse::<BigUint>().expect("digits");
    assert_eq!(*D, number(d));
    assert_eq!(BASE.to_affine(), (number(x), number(y)));
    assert!(BASE.mul(&L).is_identity());
    assert_eq!(
        *P,
        number("57896044618658097711785492504343953926634992332820282019728792003956564819949")
    );
}

#[test]
fn torsion_points_have_the_orders_of_their_index() {
    for (j, order) in [1u32, 8, 4, 8, 2, 8, 4, 8].into_iter().enumerate() {
        assert!(TORSION[j].mul(&int(order)).is_identity());
        assert!(order == 1 || !TORSION[j].mul(&int(order / 2)).is_identity());
        assert!(TORSION[j].has_small_order());
        let mixed = BASE.mul(&int(77)).add(&TORSION[j]);
        assert_eq!(mixed.torsion_index(), j as u32);
        assert_eq!(mixed.torsion_order(), order);
        assert!(!mixed.has_small_order());
    }
}

#[test]
fn extended_coordinates_follow_the_affine_law() {
    let mut p = BASE.add(&TORSION[1]);
    let mut q = BASE.mul(&int(5)).add(&TORSION[6]);
    for _ in 0..40 {
        let sum = p.add(&q);
        assert!(sum.equals(&affine_sum(&p, &q)));
        assert!(p.add(&p).equals(&affine_sum(&p, &p)));
        assert!(p.sub(&p).is_identity() && p.add(&Point::identity()).equals(&p));
        assert!(
            Point::decode(&sum.encode(), DecodeRule::Rfc8032)
                .expect("a point")
                .equals(&sum)
        );
        (p, q) = (q, sum);
    }
    for a in TORSION.iter() {
        for b in TORSION.iter() {
            assert!(a.add(b).equals(&affine_sum(a, b)));
        }
    }
}

#[test]
fn the_ladder_follows_the_edwards_curve() {
    // The two curves are birationally equivalent (RFC 7748 section 4.1), so
    // [k]P on one must be [k]P on the other.
    let mut scalar = [7u8; 32];
    let mut p = BASE.clone();
    for _ in 0..8 {
        let k = x25519::decode_scalar(&scalar);
        let u = field::to_bytes(&p.montgomery_u());
        let expected = p.mul(&k);
        assert_eq!(
            x25519::x25519(&scalar, &u),
            field::to_bytes(&expected.montgomery_u())
        );
        assert!(!x25519::is_on_twist(&u));
        scalar = expected.encode();
        p = expected.add(&TORSION[3]);
    }
}

#[test]
fn rfc8032() {
    let Some(files) = outside("model: RFC 8032") else {
        return;
    };
    let cases = files.rfc8032();
    assert_eq!(cases.len(), 10);
    for (kind, case) in cases {
        let scheme = scheme(kind, &case.context);
        assert_eq!(
            eddsa::public_key(&case.secret_key),
            case.public_key,
            "{}",
            case.name
        );
        assert_eq!(
            eddsa::sign(scheme, &case.secret_key, &case.message),
            case.signature
        );
        let facts = Facts::new(scheme, &case.public_key, &case.message, &case.signature);
        assert!(
            Profile::ALL.into_iter().all(|p| facts.accepted_by(p)),
            "{}",
            case.name
        );
    }
}

#[test]
fn rfc7748() {
    let Some(files) = outside("model: RFC 7748") else {
        return;
    };
    let values = files.rfc7748();
    for value in &values.x25519 {
        assert_eq!(x25519::x25519(&value.scalar, &value.u), value.out);
    }
    let mut k = values.iterated.start_k_and_u;
    let mut u = k;
    for round in 1..=1000u32 {
        (k, u) = (x25519::x25519(&k, &u), k);
        if let Some(expected) = values.iterated.after.get(&round) {
            assert_eq!(hex::encode(&k), *expected, "after {round} rounds");
        }
    }
    let dh = &values.dh;
    assert_eq!(x25519::public_key(&dh.alice_priv), dh.alice_pub);
    assert_eq!(x25519::public_key(&dh.bob_priv), dh.bob_pub);
    assert_eq!(x25519::x25519(&dh.alice_priv, &dh.bob_pub), dh.shared);
    assert_eq!(x25519::x25519(&dh.bob_priv, &dh.alice_pub), dh.shared);
}

#[test]
fn golang() {
    let Some(files) = outside("model: Go") else {
        return;
    };
    let lines = files.golang_sign_input();
    assert_eq!(lines.len(), 128);
    for line in lines {
        assert_eq!(eddsa::public_key(&line.seed), line.public_key);
        assert_eq!(
            eddsa::sign(Scheme::Pure, &line.seed, &line.message),
            line.signature
        );
    }
    let x = files.golang_x25519();
    for value in &x.vectors {
        assert_eq!(x25519::x25519(&value.scalar, &value.u), value.out);
    }
    for u in &x.low_order_points_must_error {
        assert_eq!(x25519::x25519(&[0x55; 32], &hex::decode_array(u)), [0; 32]);
    }
}

#[test]
fn wycheproof_ed25519() {
    let Some(files) = outside_files("model: Wycheproof Ed25519", &[wycheproof::ED25519]) else {
        return;
    };
    for group in files.wycheproof_ed25519() {
        for case in group.tests {
            let Ok(signature) = <[u8; 64]>::try_from(case.sig.as_slice()) else {
                assert_eq!(case.result, Verdict::Invalid, "case {}", case.tc_id);
                continue;
            };
            let facts = Facts::new(Scheme::Pure, &group.key, &case.msg, &signature);
            for p in REDUCED.into_iter().chain([Profile::Donna]) {
                let stated = case.accepted_by(p.name());
                assert_eq!(
                    facts.accepted_by(p),
                    stated,
                    "case {} {}",
                    case.tc_id,
                    p.name()
                );
            }
        }
    }
}

#[test]
fn wycheproof_x25519() {
    let Some(files) = outside("model: Wycheproof X25519") else {
        return;
    };
    for case in files.wycheproof_x25519() {
        let scalar = case.private.as_slice().try_into().expect("a scalar");
        let u = case.public.as_slice().try_into().expect("a u coordinate");
        assert_eq!(
            x25519::x25519(&scalar, &u),
            case.shared[..],
            "case {}",
            case.tc_id
        );
        if case.has_flag("Twist") && !case.has_flag("LowOrderPublic") {
            assert!(x25519::is_on_twist(&u), "case {}", case.tc_id);
        }
    }
    for case in files.wycheproof_x25519_asn() {
        match case.keys_from_der() {
            None => assert_eq!(case.result, Verdict::Invalid, "case {}", case.tc_id),
            Some((scalar, u)) => {
                assert_ne!(case.result, Verdict::Invalid, "case {}", case.tc_id);
                assert_eq!(
                    x25519::x25519(&scalar, &u),
                    case.shared[..],
                    "case {}",
                    case.tc_id
                );
            }
        }
    }
}

#[test]
fn cctv() {
    let Some(files) = outside("model: CCTV") else {
        return;
    };
    let cases = files.cctv();
    assert_eq!(cases.len(), 454);
    for case in cases {
        let facts = Facts::new(Scheme::Pure, &case.key, case.msg.as_bytes(), &case.sig);
        for (policy, accepts) in &case.accept {
            let p = profile(profile_of_policy(policy));
            assert_eq!(
                facts.accepted_by(p),
                *accepts,
                "case {} {policy}",
                case.number
            );
        }
        // The flags state facts too.
        let flag = |name: &str| case.flags.iter().any(|f| f == name);
        assert_eq!(
            facts.a.small_order,
            flag("low_order_A"),
            "case {}",
            case.number
        );
        assert_eq!(
            facts.r.small_order,
            flag("low_order_R"),
            "case {}",
            case.number
        );
        assert_eq!(
            !facts.a.canonical,
            flag("non_canonical_A"),
            "case {}",
            case.number
        );
        assert_eq!(
            !facts.r.canonical,
            flag("non_canonical_R"),
            "case {}",
            case.number
        );
    }
}

#[test]
fn speccheck() {
    let Some(files) = outside("model: speccheck") else {
        return;
    };
    let cases = files.speccheck();
    assert_eq!(cases.len(), 12);
    for case in cases {
        let facts = Facts::new(Scheme::Pure, &case.key, &case.message, &case.signature);
        for (policy, accepts) in &case.policies {
            let p = profile(profile_of_policy(policy));
            assert_eq!(
                facts.accepted_by(p),
                *accepts,
                "case {} {policy}",
                case.index
            );
        }
        // Libraries that are the definition of a profile.
        for (library, p) in [
            ("Dalek", Profile::Dalek),
            ("Go", Profile::Dalek),
            ("OpenSSL-3.0", Profile::Dalek),
            ("Dalek strict", Profile::Strict),
            ("ed25519-donna", Profile::Donna),
            ("LibSodium", Profile::Libsodium),
            ("Zebra", Profile::Zip215),
        ] {
            let accepts = case.libraries_2020[library];
            assert_eq!(
                facts.accepted_by(p),
                accepts,
                "case {} {library}",
                case.index
            );
        }
        for (library, p) in [
            ("ed25519-dalek-2", Profile::Dalek),
            ("go1.26", Profile::Dalek),
            ("pyca-openssl", Profile::Dalek),
            ("ed25519-dalek-2-strict", Profile::Strict),
            ("libsodium", Profile::Libsodium),
            ("ed25519-zebra-4", Profile::Zip215),
        ] {
            let accepts = case.libraries[library];
            assert_eq!(
                facts.accepted_by(p),
                accepts,
                "case {} {library}",
                case.index
            );
        }
    }
}

#[test]
fn zip215_small_order_pairs() {
    let Some(files) = outside_files("model: ZIP 215", &[noble::ZIP215]) else {
        return;
    };
    let cases = files.zip215();
    assert_eq!(cases.len(), 196);
    for case in cases {
        let facts = Facts::new(
            Scheme::Pure,
            &case.key,
            noble::ZIP215_MESSAGE,
            &case.signature,
        );
        assert_eq!(facts.accepted_by(Profile::Zip215), case.valid_zip215);
        assert!(facts.a.small_order && facts.r.small_order);
    }
}

#[test]
fn ring_verify() {
    let Some(files) = outside_files("model: ring", &[ring::VERIFY]) else {
        return;
    };
    for case in files.ring_verify() {
        let facts = Facts::new(Scheme::Pure, &case.key, &case.message, &case.signature);
        for p in REDUCED {
            assert_eq!(
                facts.accepted_by(p),
                case.valid,
                "line {} {}",
                case.line,
                p.name()
            );
        }
    }
}

#[test]
fn acvp() {
    let Some(files) = outside("model: ACVP") else {
        return;
    };
    let file = files.acvp();
    for case in &file.eddsa_keygen {
        assert_eq!(eddsa::public_key(&case.d), case.q, "case {}", case.tc_id);
    }
    for case in &file.eddsa_keyver {
        let key = case.q.as_slice().try_into().expect("32 octets");
        let valid = Point::decode(&key, DecodeRule::Rfc8032).is_some();
        assert_eq!(valid, case.test_passed, "case {}", case.tc_id);
    }
    for case in file.eddsa_siggen.iter().chain(&file.eddsa_sigver) {
        let scheme = if case.prehash {
            Scheme::Prehash(&case.context)
        } else {
            Scheme::Pure
        };
        let facts = Facts::new(scheme, &case.q, &case.message, &case.signature);
        for p in Profile::ALL {
            assert_eq!(
                facts.accepted_by(p),
                case.valid,
                "case {} {}",
                case.tc_id,
                p.name()
            );
        }
    }
    for case in &file.eddsa_siggen {
        let scheme = if case.prehash {
            Scheme::Prehash(&case.context)
        } else {
            Scheme::Pure
        };
        assert_eq!(eddsa::sign(scheme, &case.d, &case.message), case.signature);
    }
    for case in &file.x25519_keygen {
        assert_eq!(x25519::public_key(&case.d), case.q, "case {}", case.tc_id);
    }
    for case in &file.x25519_exchange {
        let z = x25519::x25519(&case.private_iut, &case.public_server);
        assert_eq!(z == case.z, case.test_passed, "case {}", case.tc_id);
        assert_eq!(z, x25519::x25519(&case.private_server, &case.public_iut));
    }
}

#[test]
fn jose_and_cose() {
    let Some(files) = outside("model: JOSE and COSE") else {
        return;
    };
    let jose = files.jose();
    let seed = jose.private_key.d.expect("a private key");
    assert_eq!(
        eddsa::sign(Scheme::Pure, &seed, &jose.signing_input),
        jose.signature
    );
    assert_eq!(x25519::x25519(&jose.ephemeral_secret, &jose.peer.x), jose.z);
    let cose = files.cose_eddsa();
    assert_eq!(
        eddsa::sign(Scheme::Pure, &cose.d, &cose.to_be_signed),
        cose.signature
    );
    assert_eq!(eddsa::public_key(&cose.d), cose.x);
}
