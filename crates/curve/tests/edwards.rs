//! Points of the Edwards curve, on every backend.

mod common;

use common::{cases, on_every_backend, points, scalars};
use lanner_curve::constants::{
    ED25519_BASEPOINT_COMPRESSED, ED25519_BASEPOINT_POINT, EIGHT_TORSION,
};
use lanner_curve::edwards::{
    CompressedEdwardsY, DecodingRule, EdwardsPoint, GroupEquation, TorsionCharacter,
};
use lanner_curve::scalar::Scalar;
use lanner_curve::traits::{BasepointTable, Identity, IsIdentity};
use proptest::prelude::*;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// A table that is none.
struct OwnTable(EdwardsPoint);

impl BasepointTable for OwnTable {
    type Point = EdwardsPoint;

    fn create(basepoint: &EdwardsPoint) -> Self {
        Self(*basepoint)
    }

    fn basepoint(&self) -> EdwardsPoint {
        self.0
    }

    fn mul_base(&self, scalar: &Scalar) -> EdwardsPoint {
        self.0 * scalar
    }
}

/// [n]P by doubling and adding, with nothing but the sum of two points.
fn slow_mul(n: &[u8; 32], point: &EdwardsPoint) -> EdwardsPoint {
    (0..256).rev().fold(EdwardsPoint::identity(), |sum, bit| {
        let doubled = sum + sum;
        if n[bit / 8] >> (bit % 8) & 1 == 1 {
            doubled + point
        } else {
            doubled
        }
    })
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn points_are_a_group(p in points(), q in points(), r in points()) {
        on_every_backend(|_| {
            let zero = EdwardsPoint::identity();
            assert_eq!(p + q, q + p);
            assert_eq!((p + q) + r, p + (q + r));
            assert_eq!(p + zero, p);
            assert_eq!(p - p, zero);
            assert_eq!(p + (-p), zero);
            assert_eq!(p - q, p + (-q));
            assert!((p - p).is_identity());
            assert_eq!(p.is_identity(), p.compress() == zero.compress());
            assert_eq!([p, q, r].iter().sum::<EdwardsPoint>(), p + q + r);
            let mut sum = p;
            sum += q;
            sum -= &r;
            assert_eq!(sum, p + q - r);
            assert_eq!(p.mul_by_cofactor(), slow_mul(Scalar::from(8u64).as_bytes(), &p));
        });
    }

    #[test]
    fn multiples_agree_with_doubling_and_adding(a in scalars(), b in scalars(), p in points()) {
        on_every_backend(|_| {
            let (ap, bb) = (
                slow_mul(a.as_bytes(), &p),
                slow_mul(b.as_bytes(), &ED25519_BASEPOINT_POINT),
            );
            assert_eq!(p * a, ap);
            assert_eq!(a * p, ap);
            assert_eq!(EdwardsPoint::mul_base(&b), bb);
            assert_eq!(ED25519_BASEPOINT_POINT * b, bb);
            let ab = slow_mul(a.as_bytes(), &ED25519_BASEPOINT_POINT);
            assert_eq!(EdwardsPoint::mul_base_pair(&a, &b), [ab, bb]);
            assert_eq!(EdwardsPoint::vartime_double_scalar_mul_basepoint(&a, &p, &b), ap + bb);
        });
    }

    #[cfg(feature = "legacy_compatibility")]
    #[test]
    fn the_group_equation_takes_k_as_it_is(s in scalars(), mut k: [u8; 32], a in points()) {
        k[31] |= 0x10;
        k[31] &= 0x7f;
        on_every_backend(|_| {
            let r = EdwardsPoint::mul_base(&s) - slow_mul(&k, &a);
            let k = Scalar::from_bits(k);
            assert!(EdwardsPoint::vartime_group_equation(&s, &r, &k, &a));
            let off = r + EIGHT_TORSION[4];
            assert!(!EdwardsPoint::vartime_group_equation(&s, &off, &k, &a));
        });
    }

    #[test]
    fn clamped_multiples_are_not_reduced(bytes: [u8; 32], p in points()) {
        on_every_backend(|_| {
            let n = lanner_curve::scalar::clamp_integer(bytes);
            assert_eq!(p.mul_clamped(bytes), slow_mul(&n, &p));
            let base = slow_mul(&n, &ED25519_BASEPOINT_POINT);
            assert_eq!(EdwardsPoint::mul_base_clamped(bytes), base);
            // A table of one's own has only to multiply, and its point may have a component of small order.
            assert_eq!(OwnTable(p).mul_base_clamped(bytes), slow_mul(&n, &p));
            let mixed = p + EIGHT_TORSION[3];
            assert_eq!(OwnTable(mixed).mul_base_clamped(bytes), slow_mul(&n, &mixed));
        });
    }

    #[test]
    fn encodings_decode(p in points(), q in points()) {
        on_every_backend(|_| {
            let encoding = p.compress();
            assert_eq!(encoding.decompress(), Some(p));
            assert_eq!(encoding.vartime_decompress(DecodingRule::Canonical), Some(p));
            assert_eq!(encoding == q.compress(), p == q);
            let encodings = [p, q, p + q].map(|point| point.compress());
            assert_eq!(EdwardsPoint::compress_batch(&[p, q, p + q]), encodings);
            #[cfg(feature = "alloc")]
            assert_eq!(EdwardsPoint::compress_batch_alloc(&[p, q, p + q]), encodings);
        });
    }

    #[test]
    fn the_sign_and_the_top_of_y_follow_the_rule(y_offset in 0u8..19, sign: bool) {
        // Every y in [p, 2^255), which stands for y_offset.
        let sign_bit = u8::from(sign) << 7;
        let mut large = [0xff; 32];
        large[0] = 0xed + y_offset;
        large[31] = 0x7f | sign_bit;
        let mut small = [0; 32];
        small[0] = y_offset;
        small[31] = sign_bit;
        on_every_backend(|_| {
            let (large, small) = (CompressedEdwardsY(large), CompressedEdwardsY(small));
            assert_eq!(large.decompress(), small.decompress());
            assert_eq!(large.vartime_decompress(DecodingRule::Zip215), small.decompress());
            assert_eq!(large.vartime_decompress(DecodingRule::Canonical), None);
            let expected = if y_offset == 1 && sign { None } else { small.decompress() };
            assert_eq!(small.vartime_decompress(DecodingRule::Canonical), expected);
            if let Some(point) = small.decompress() {
                assert_eq!(point.compress() == small, expected.is_some());
            }
        });
    }

    #[test]
    fn half_of_all_encodings_are_points(bytes: [u8; 32]) {
        on_every_backend(|_| {
            let encoding = CompressedEdwardsY(bytes);
            if let Some(point) = encoding.vartime_decompress(DecodingRule::Canonical) {
                assert_eq!(point.compress(), encoding);
                assert_eq!(point + EdwardsPoint::identity(), point);
            }
        });
    }

    #[test]
    fn torsion_is_told(s in scalars(), index in 0u8..8) {
        on_every_backend(|_| {
            let prime = EdwardsPoint::mul_base(&s);
            let torsion = EIGHT_TORSION[usize::from(index)];
            let point = prime + torsion;
            assert_eq!(point.is_torsion_free(), index == 0);
            assert_eq!(point.vartime_is_torsion_free(), index == 0);
            assert_eq!(point.vartime_torsion_index(), index);
            assert_eq!(point.is_small_order(), s == Scalar::ZERO);
            assert!(torsion.is_small_order());
        });
    }

    #[test]
    fn the_group_equation_is_exact(
        s in scalars(), k in scalars(), a in points(), r_torsion in 0usize..8, off in 0u64..2,
    ) {
        on_every_backend(|_| {
            // R makes the equation hold, but for a point of small order and,
            // sometimes, a multiple of B.
            let exact = EdwardsPoint::mul_base(&(s + Scalar::from(off))) - a * k;
            let r = exact + EIGHT_TORSION[r_torsion];
            assert_eq!(
                EdwardsPoint::vartime_group_equation(&s, &r, &k, &a),
                off == 0 && r_torsion == 0
            );
            assert_eq!(
                EdwardsPoint::vartime_group_equation_cofactored(&s, &r, &k, &a),
                off == 0
            );
        });
    }
}

/// The characters of equations of which `classes` states the components of small order of A and R,
/// and k.
fn characters(classes: &[(usize, usize, Scalar)]) -> Vec<Option<TorsionCharacter>> {
    let equations: Vec<_> = classes
        .iter()
        .enumerate()
        .map(|(i, &(a, r, k))| GroupEquation {
            s: Scalar::ZERO,
            r: EdwardsPoint::mul_base(&Scalar::from(i as u64)) + EIGHT_TORSION[r],
            k,
            a: EdwardsPoint::mul_base(&Scalar::from(7 * i as u64)) + EIGHT_TORSION[a],
        })
        .collect();
    let mut characters = vec![None; equations.len()];
    EdwardsPoint::vartime_torsion_characters(&equations, &mut characters);
    characters
}

/// The component of small order of R + [k]A.
fn class(&(a, r, k): &(usize, usize, Scalar)) -> usize {
    (r + usize::from(k.as_bytes()[0]) * a) % 8
}

/// Bits from a generator that is good enough for a test.
fn some_subsets(values: usize, mut seed: u64) -> Vec<[u8; 128]> {
    (0..values.div_ceil(8))
        .map(|_| {
            core::array::from_fn(|_| {
                seed = seed
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                (seed >> 56) as u8
            })
        })
        .collect()
}

/// Every component of A, of R and of k, whatever stands beside it.
#[test]
fn characters_tell_every_torsion() {
    let all: Vec<(usize, usize, Scalar)> = (0..512)
        .map(|i| {
            (
                i % 8,
                i / 8 % 8,
                Scalar::from((i / 64) as u64) + Scalar::from(1u64 << 40),
            )
        })
        .collect();
    on_every_backend(|_| {
        for size in [1, 3, 8, 13, 512] {
            for chunk in all.chunks(size) {
                for (character, terms) in characters(chunk).into_iter().zip(chunk) {
                    let class = class(terms);
                    assert_eq!(character.is_some(), class.is_multiple_of(2), "{terms:?}");
                    let is_one = character.is_some_and(|c| TorsionCharacter::vartime_all_one(&[c]));
                    assert_eq!(is_one, class == 0, "{terms:?}");
                }
            }
        }
    });
}

/// Points of small order alone, where the formulas meet zeros.
#[test]
fn characters_of_small_order() {
    on_every_backend(|_| {
        for (i, &r) in EIGHT_TORSION.iter().enumerate() {
            for lane in 0..9 {
                let mut equations = [GroupEquation {
                    s: Scalar::ZERO,
                    r: ED25519_BASEPOINT_POINT,
                    k: Scalar::ZERO,
                    a: EdwardsPoint::identity(),
                }; 9];
                equations[lane].r = r;
                let mut characters = [None; 9];
                EdwardsPoint::vartime_torsion_characters(&equations, &mut characters);
                assert_eq!(characters[lane].is_some(), i % 2 == 0);
                let known: Vec<_> = characters.into_iter().flatten().collect();
                assert_eq!(
                    TorsionCharacter::vartime_all_one(&known),
                    i == 0 || i % 2 == 1
                );
                let subsets = some_subsets(known.len(), i as u64);
                assert_eq!(
                    TorsionCharacter::vartime_products_are_one(&known, &subsets),
                    i == 0 || i % 2 == 1
                );
            }
        }
    });
}

proptest! {
    #![proptest_config(cases(12))]

    /// One or two values that are not one, which cancel or not, wherever they stand.
    #[test]
    fn products_find_what_is_not_one(
        n in 1usize..60,
        at in any::<[prop::sample::Index; 2]>(),
        class in 1usize..4,
        opposite: bool,
        seed: u64,
    ) {
        on_every_backend(|_| {
            let mut classes = vec![(0, 0, Scalar::ONE); n];
            let subsets = some_subsets(n, seed);
            let values: Vec<_> = characters(&classes).into_iter().flatten().collect();
            assert_eq!(values.len(), n);
            assert!(TorsionCharacter::vartime_all_one(&values));
            assert!(TorsionCharacter::vartime_products_are_one(&values, &subsets));
            let [one, other] = at.map(|at| at.index(n));
            if opposite && one != other {
                classes[other].1 = 8 - 2 * class;
            }
            classes[one].0 = 2 * class;
            let values: Vec<_> = characters(&classes).into_iter().flatten().collect();
            assert_eq!(values.len(), n);
            assert!(!TorsionCharacter::vartime_all_one(&values));
            assert!(!TorsionCharacter::vartime_products_are_one(&values, &subsets));
        });
    }

    /// A product has exactly the factors that its subset says.
    #[test]
    fn products_are_those_of_the_subsets(n in 1usize..40, at: prop::sample::Index, class in 0usize..4) {
        on_every_backend(|_| {
            let mut classes = vec![(0, 0, Scalar::ONE); n];
            let at = at.index(n);
            classes[at].1 = 2 * class;
            let values: Vec<_> = characters(&classes).into_iter().flatten().collect();
            // Without it, and with it in one round only.
            let mut subsets = vec![[0xff; 128]; n.div_ceil(8)];
            for byte in &mut subsets[at / 8] {
                *byte ^= 1 << (at % 8);
            }
            assert!(TorsionCharacter::vartime_products_are_one(&values, &subsets));
            for round in [0, 15, 16, 64, 127] {
                let mut subsets = subsets.clone();
                subsets[at / 8][round] ^= 1 << (at % 8);
                assert_eq!(
                    TorsionCharacter::vartime_products_are_one(&values, &subsets),
                    class == 0
                );
            }
        });
    }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn equations_side_by_side_have_their_own_verdicts(
        terms in proptest::collection::vec(
            (scalars(), scalars(), points(), 0usize..10, 0u64..6), 0..20,
        ),
        unreduced: [u8; 32],
    ) {
        on_every_backend(|_| {
            let mut equations: Vec<_> = terms
                .iter()
                .map(|&(s, k, a, torsion, off)| {
                    let exact = EdwardsPoint::mul_base(&(s + Scalar::from(off / 4))) - a * k;
                    let torsion = EIGHT_TORSION.get(torsion).copied().unwrap_or_default();
                    GroupEquation { s, r: exact + torsion, k, a }
                })
                .collect();
            if let Some(equation) = equations.get_mut(3) {
                // A k beyond the range of half sizes.
                equation.k = Scalar::from_bytes_mod_order(unreduced);
                equation.r = EdwardsPoint::mul_base(&equation.s) - equation.a * equation.k;
            }
            for cofactored in [false, true] {
                let single = if cofactored {
                    EdwardsPoint::vartime_group_equation_cofactored
                } else {
                    EdwardsPoint::vartime_group_equation
                };
                let expected: Vec<_> = equations
                    .iter()
                    .map(|GroupEquation { s, r, k, a }| single(s, r, k, a))
                    .collect();
                let mut verdicts = vec![cofactored; equations.len()];
                EdwardsPoint::vartime_group_equations(&equations, cofactored, &mut verdicts);
                assert_eq!(verdicts, expected);
            }
        });
    }

    #[test]
    fn encodings_side_by_side_decode_as_singly(
        mut encodings in proptest::collection::vec(any::<[u8; 32]>(), 0..20),
        y in 0u8..22,
    ) {
        if let Some(first) = encodings.first_mut() {
            // Around p, where an encoding may not be canonical, or around 0.
            *first = [0xff; 32];
            first[0] = 0xe8 + y;
            first[31] = 0x7f | y << 7;
        }
        if let Some(second) = encodings.get_mut(1) {
            *second = [0; 32];
            second[0] = y / 2;
            second[31] = y << 7;
        }
        let encodings: Vec<_> = encodings.into_iter().map(CompressedEdwardsY).collect();
        on_every_backend(|_| {
            for rule in [DecodingRule::Canonical, DecodingRule::Zip215] {
                let mut points = vec![None; encodings.len()];
                CompressedEdwardsY::vartime_decompress_batch(&encodings, rule, &mut points);
                for (pair, both) in encodings.as_chunks().0.iter().zip(points.as_chunks().0) {
                    let decoded = CompressedEdwardsY::vartime_decompress_pair(pair, rule);
                    assert_eq!(&decoded, both);
                }
                for (encoding, point) in encodings.iter().zip(points) {
                    assert_eq!(point, encoding.vartime_decompress(rule));
                    if let Some(point) = point {
                        assert_eq!(point + point - point, point);
                    }
                }
            }
        });
    }
}

/// Many, because some recodings are rare; and each several times, so that no lane hides behind
/// the longer scalars of another.
#[test]
fn all_of_many_right_equations_hold() {
    let count = if cfg!(miri) { 1 } else { 250 };
    on_every_backend(|_| {
        let mut scalar = Scalar::from(0x1234_5678_9abc_def0u64);
        let mut next = || {
            scalar = scalar * scalar + Scalar::ONE;
            scalar
        };
        let mut equations = Vec::new();
        for _ in 0..count {
            let (s, k, a) = (next(), next(), next());
            let equation = GroupEquation {
                s,
                r: EdwardsPoint::mul_base(&(s - k * a)),
                k,
                a: EdwardsPoint::mul_base(&a),
            };
            equations.extend([equation; 8]);
        }
        let mut verdicts = vec![false; equations.len()];
        EdwardsPoint::vartime_group_equations(&equations, false, &mut verdicts);
        assert!(verdicts.iter().all(|&verdict| verdict));
    });
}

#[test]
fn the_constants_are_consistent() {
    on_every_backend(|_| {
        assert_eq!(
            ED25519_BASEPOINT_POINT.compress(),
            ED25519_BASEPOINT_COMPRESSED
        );
        assert_eq!(
            ED25519_BASEPOINT_COMPRESSED.decompress(),
            Some(ED25519_BASEPOINT_POINT)
        );
        assert!(ED25519_BASEPOINT_POINT.is_torsion_free());
        assert!(!ED25519_BASEPOINT_POINT.is_small_order());
        let mut multiple = EdwardsPoint::identity();
        for (i, torsion) in EIGHT_TORSION.iter().enumerate() {
            assert_eq!(*torsion, multiple, "{i}");
            assert_eq!(torsion.is_torsion_free(), i == 0);
            assert_eq!(torsion.vartime_is_torsion_free(), i == 0);
            multiple += EIGHT_TORSION[1];
        }
        assert!(multiple.is_identity());
    });
}

#[test]
fn wiped_points_are_neutral() {
    use zeroize::Zeroize;
    let mut point = ED25519_BASEPOINT_POINT;
    point.zeroize();
    assert!(point.is_identity());
    let mut encoding = ED25519_BASEPOINT_COMPRESSED;
    encoding.zeroize();
    assert_eq!(encoding, EdwardsPoint::identity().compress());
}

#[cfg(feature = "alloc")]
#[test]
fn coordinates_on_the_montgomery_curve_together() {
    // The neutral element among them.
    let points: Vec<EdwardsPoint> = (0..20)
        .map(|i| EIGHT_TORSION[i % 8] + EdwardsPoint::mul_base(&Scalar::from(i as u64 / 9)))
        .collect();
    on_every_backend(|_| {
        let each: Vec<_> = points.iter().map(|p| p.to_montgomery().0).collect();
        let batch = EdwardsPoint::to_montgomery_batch(&points);
        assert_eq!(batch.iter().map(|u| u.0).collect::<Vec<_>>(), each);
        assert!(EdwardsPoint::to_montgomery_batch(&[]).is_empty());
    });
}

/// Encodings are 32 bytes: as slices, as text and where they are hashed.
#[test]
fn encodings_are_their_bytes() {
    let encoding = ED25519_BASEPOINT_COMPRESSED;
    let bytes = encoding.to_bytes();
    assert_eq!(encoding.as_bytes(), &bytes);
    assert_eq!(bytes[..2], [0x58, 0x66]);
    assert_eq!(CompressedEdwardsY::from_slice(&bytes).unwrap(), encoding);
    let of_slice = CompressedEdwardsY::try_from(&bytes[..]);
    assert_eq!(of_slice.unwrap(), encoding);
    assert!(CompressedEdwardsY::from_slice(&bytes[1..]).is_err());
    assert!(CompressedEdwardsY::try_from(&[0; 33][..]).is_err());
    assert_eq!(
        format!("{encoding:?}"),
        format!("CompressedEdwardsY: {bytes:?}")
    );
    let hashed = |encoding| BuildHasherDefault::<DefaultHasher>::default().hash_one(encoding);
    assert_eq!(hashed(encoding), hashed(CompressedEdwardsY(bytes)));
    assert_ne!(hashed(encoding), hashed(CompressedEdwardsY::identity()));
}

#[test]
fn the_neutral_element_encoded() {
    assert_eq!(
        CompressedEdwardsY::identity(),
        EdwardsPoint::identity().compress()
    );
}

#[cfg(feature = "serde")]
#[test]
fn points_in_serde() {
    use lanner_curve::montgomery::MontgomeryPoint;
    let point = ED25519_BASEPOINT_POINT;
    let text = serde_json::to_string(&point).unwrap();
    assert!(text.starts_with("[88,102,102,"));
    assert_eq!(serde_json::to_string(&point.compress()).unwrap(), text);
    assert_eq!(serde_json::from_str::<EdwardsPoint>(&text).unwrap(), point);
    assert_eq!(
        serde_json::from_str::<CompressedEdwardsY>(&text).unwrap(),
        point.compress()
    );
    let two = serde_json::to_string(&CompressedEdwardsY([2; 32])).unwrap();
    assert_eq!(CompressedEdwardsY([2; 32]).decompress(), None);
    assert!(serde_json::from_str::<EdwardsPoint>(&two).is_err());
    assert!(serde_json::from_str::<EdwardsPoint>("[88,102]").is_err());
    let u = MontgomeryPoint([7; 32]);
    let text = serde_json::to_string(&u).unwrap();
    assert!(text.starts_with("[7,7,7,"));
    assert_eq!(serde_json::from_str::<MontgomeryPoint>(&text).unwrap(), u);
}

#[cfg(feature = "group")]
#[test]
fn the_traits_of_group() {
    use group::cofactor::CofactorGroup;
    use group::{Group, GroupEncoding};
    use lanner_curve::edwards::SubgroupPoint;
    on_every_backend(|_| {
        let prime = EdwardsPoint::mul_base(&Scalar::from(77u64));
        for small in EIGHT_TORSION {
            let point = prime + small;
            assert_eq!(Group::double(&point), point + point);
            let is_neutral = IsIdentity::is_identity(&point);
            assert_eq!(bool::from(Group::is_identity(&point)), is_neutral);
            assert_eq!(EdwardsPoint::from_bytes(&point.to_bytes()).unwrap(), point);
            let of_subgroup = bool::from(CofactorGroup::is_torsion_free(&point));
            assert_eq!(of_subgroup, IsIdentity::is_identity(&small));
            assert_eq!(bool::from(point.into_subgroup().is_some()), of_subgroup);
            let refused = SubgroupPoint::from_bytes(&point.to_bytes());
            assert_eq!(bool::from(refused.is_some()), of_subgroup);
            assert_eq!(
                EdwardsPoint::from(point.clear_cofactor()),
                point.mul_by_cofactor()
            );
            assert_eq!(
                bool::from(CofactorGroup::is_small_order(&small)),
                small.is_small_order()
            );
        }
        let g = SubgroupPoint::generator();
        let two = Scalar::from(2u64);
        assert_eq!(g + g, g * two);
        assert_eq!(g.double(), two * g);
        assert_eq!(g - g, SubgroupPoint::identity());
        assert_eq!(EdwardsPoint::from(-g), -ED25519_BASEPOINT_POINT);
        assert_eq!(SubgroupPoint::mul_by_generator(&two), g.double());
        assert_eq!(prime + g, prime + ED25519_BASEPOINT_POINT);
        let mut sum = prime;
        sum -= &g;
        sum += g;
        assert_eq!(sum, prime);
        assert_eq!([g, g].iter().sum::<SubgroupPoint>(), g.double());
        assert!(bool::from(EdwardsPoint::from_bytes(&[2; 32]).is_none()));
    });
}

/// Where x = 0, at y = 1 and y = -1, the canonical rule refuses the sign bit.
#[test]
fn zero_has_no_sign() {
    let mut one = [0; 32];
    one[0] = 1;
    let mut minus_one = [0xff; 32];
    minus_one[0] = 0xec;
    minus_one[31] = 0x7f;
    for bytes in [one, minus_one] {
        let plain = CompressedEdwardsY(bytes);
        let mut signed = plain;
        signed.0[31] |= 0x80;
        on_every_backend(|_| {
            let point = plain.decompress();
            assert!(point.is_some());
            assert_eq!(plain.vartime_decompress(DecodingRule::Canonical), point);
            assert_eq!(signed.vartime_decompress(DecodingRule::Zip215), point);
            assert_eq!(signed.vartime_decompress(DecodingRule::Canonical), None);
        });
    }
}
