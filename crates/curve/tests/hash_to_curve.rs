//! Hashing to the curves and Elligator 2, on every backend: the values of RFC 9380 and RFC 9497, and the way back.

mod common;
#[path = "common/hex.rs"]
mod hex;

use common::on_every_backend;
use lanner_curve::constants::X25519_BASEPOINT;
use lanner_curve::montgomery::MontgomeryPoint;

#[cfg(feature = "digest")]
mod suites {
    use super::*;
    use lanner_curve::edwards::EdwardsPoint;
    use lanner_curve::ristretto::RistrettoPoint;
    use lanner_curve::scalar::Scalar;
    use sha2::{Digest, Sha512};

    /// The messages of RFC 9380, appendix J.
    fn messages() -> [Vec<u8>; 5] {
        let long = |start: &str, letter: u8, count: usize| {
            let mut message = start.as_bytes().to_vec();
            message.extend(vec![letter; count]);
            message
        };
        [
            Vec::new(),
            b"abc".to_vec(),
            b"abcdef0123456789".to_vec(),
            long("q128_", b'q', 128),
            long("a512_", b'a', 512),
        ]
    }

    #[test]
    fn the_projects_own_values() {
        let own = lanner_vectors::own::hash_to_curve();
        on_every_backend(|_| {
            for case in &own.cases {
                let (message, tag): (&[&[u8]], &[&[u8]]) = (&[&case.message], &[&case.tag]);
                let output = match case.suite.as_str() {
                    "edwards25519_XMD:SHA-512_ELL2_RO_" => {
                        EdwardsPoint::hash_to_curve::<Sha512>(message, tag)
                            .compress()
                            .to_bytes()
                    }
                    "edwards25519_XMD:SHA-512_ELL2_NU_" => {
                        EdwardsPoint::encode_to_curve::<Sha512>(message, tag)
                            .compress()
                            .to_bytes()
                    }
                    "curve25519_XMD:SHA-512_ELL2_RO_" => {
                        MontgomeryPoint::hash_to_curve::<Sha512>(message, tag).to_bytes()
                    }
                    "curve25519_XMD:SHA-512_ELL2_NU_" => {
                        MontgomeryPoint::encode_to_curve::<Sha512>(message, tag).to_bytes()
                    }
                    "ristretto255_XMD:SHA-512_R255MAP_RO_" => {
                        RistrettoPoint::hash_to_curve::<Sha512>(message, tag)
                            .compress()
                            .to_bytes()
                    }
                    suite => panic!("no suite {suite}"),
                };
                assert_eq!(output, case.output, "{}", case.suite);
            }
            assert!(own.cases.len() > 100);
        });
    }

    type Hash = fn(&[&[u8]], &[&[u8]]) -> [u8; 32];

    /// The suites, and the encodings of what the messages are hashed to (RFC 9380, appendices J.4 and J.5): of the
    /// Montgomery curve the u-coordinates.
    const SUITES: [(&str, Hash, [&str; 5]); 4] = [
        (
            "QUUX-V01-CS02-with-edwards25519_XMD:SHA-512_ELL2_RO_",
            |message, tag| {
                EdwardsPoint::hash_to_curve::<Sha512>(message, tag)
                    .compress()
                    .to_bytes()
            },
            [
                "21dc15e10253796df23a7699c8a383ea624cce88c52431f6be220b1a56c8a609",
                "31558a26887f23fb8218f143e69d5f0af2e7831130bd5b432ef23883b895839a",
                "a661c58eea707f2171dd1a8a641e41758ac842cfd31e64dabc7f0e143d0a0653",
                "f7d2895eea2ef7b737ed56594f99e238a1eeb0dd672f98d239fafc55e315ca2e",
                "95f9d827f3c0f8076af227f01fef51d0cc924fb1806a237fc2c566f204fcc26d",
            ],
        ),
        (
            "QUUX-V01-CS02-with-edwards25519_XMD:SHA-512_ELL2_NU_",
            |message, tag| {
                EdwardsPoint::encode_to_curve::<Sha512>(message, tag)
                    .compress()
                    .to_bytes()
            },
            [
                "9b0f7f682dabce2190b14e21a175f39eb6a6b29fff2a9f5e72d5a4044d312e22",
                "42fa27c8f5a1ae0aa38bb59d5938e5145622ba5dedd11d11736fa2f9502d7367",
                "fb861a8e0a5a954a5c6836d379f1b07775134a6adaca0939e7dd1add246c8aaf",
                "5034607af591cadcb883b05846079a27c2b46c29f474078b12baebf56efff6aa",
                "371a8945427accbf317cc92c1607d3cd62325fb34134d391f28fb19ed3c390ac",
            ],
        ),
        (
            "QUUX-V01-CS02-with-curve25519_XMD:SHA-512_ELL2_RO_",
            |message, tag| MontgomeryPoint::hash_to_curve::<Sha512>(message, tag).to_bytes(),
            [
                "c0982b119dfb1b9dbd6bd1922172fa7f213e6dd149579f2861e867bb0a78e32d",
                "6d52bc6a6b822e43de0bd75d91600a7bcc72ca0a2b69de72588fd4f2f119442b",
                "36c004a1822360d4903bdef10dbbc1e6eeb1091710aa6d95e9f4aca6a51eca68",
                "5aac730bd24e8d60303a6b2364e06722e8b03b3869eec154b5066cae8b9c6e09",
                "fec5bbb742ddf38e4c02dedaa447a4a26b60a90be7b547f012e938a14518c61b",
            ],
        ),
        (
            "QUUX-V01-CS02-with-curve25519_XMD:SHA-512_ELL2_NU_",
            |message, tag| MontgomeryPoint::encode_to_curve::<Sha512>(message, tag).to_bytes(),
            [
                "084dfeed76b99e78a7521939976c52a5bd34a5ff785337b3a0efdac9f013b91b",
                "26a0f950b4c925464b893bf48d571a447aa4aefc62423366a80f907d0b95227c",
                "526c09e23a3f97b7f492f74627044eab67f525ca06028b4d2aebdeb0a808ad31",
                "aace529d450029625b931d2793b4bd78eb13a38346d8d097195b159d75777802",
                "c15d8b9952b22fba17e0d174e784b7fa6e288da182314cf5751a8d95c092d85f",
            ],
        ),
    ];

    #[test]
    fn messages_are_hashed_to_the_points_of_the_rfc() {
        on_every_backend(|_| {
            for (tag, hash, expected) in SUITES {
                for (message, expected) in messages().iter().zip(expected) {
                    let point = hash(&[message], &[tag.as_bytes()]);
                    assert_eq!(hex::digits(&point), expected, "{tag}");
                    // In parts it is the same.
                    let (start, end) = message.split_at(message.len() / 3);
                    let (tag_start, tag_end) = tag.as_bytes().split_at(5);
                    assert_eq!(hash(&[start, b"", end], &[tag_start, tag_end]), point);
                }
            }
        });
    }

    /// RFC 9497, appendix A.1.1: blinded elements are multiples of what the input is hashed to.
    #[test]
    fn inputs_of_the_oprf_are_blinded_as_in_the_rfc() {
        on_every_backend(|_| {
            let tag = b"HashToGroup-OPRFV1-\0-ristretto255-SHA512";
            let blind = "64d37aed22a27f5191de1c1d69fadb899d8862b58eb4220029e036ec4c1f6706";
            let blind = Scalar::from_canonical_bytes(hex::bytes(blind)).unwrap();
            let element = RistrettoPoint::hash_to_curve::<Sha512>(&[&[0]], &[tag]);
            assert_eq!(
                hex::digits(&(element * blind).compress().0),
                "609a0ae68c15a3cf6903766461307e5c8bb2f95e7e6550e1ffa2dc99e412803c"
            );
        });
    }

    /// RFC 9497, appendix A.1: the key that is derived from its seed.
    #[test]
    fn keys_of_the_oprf_are_derived_as_in_the_rfc() {
        let seed = [0xa3; 32];
        let tag: &[&[u8]] = &[b"DeriveKeyPair", b"OPRFV1-\0-ristretto255-SHA512"];
        let message: &[&[u8]] = &[&seed, &[0, 8], b"test key", &[0]];
        let key = Scalar::hash_to_scalar::<Sha512>(message, tag);
        assert_eq!(
            hex::digits(key.as_bytes()),
            "5ebcea5ee37023ccb9fc2d2019f9d7737be85591ae8652ffa9ef0f4d37063b0e"
        );
    }

    #[test]
    fn long_tags_are_hashed_first() {
        let long = [b'd'; 256];
        let hashed = Sha512::new()
            .chain_update(b"H2C-OVERSIZE-DST-")
            .chain_update(long)
            .finalize();
        for hash in SUITES.map(|suite| suite.1) {
            assert_eq!(hash(&[b"m"], &[&long]), hash(&[b"m"], &[&hashed]));
            assert_ne!(hash(&[b"m"], &[&long[1..]]), hash(&[b"m"], &[&hashed]));
        }
    }

    #[test]
    #[should_panic(expected = "tag must not be empty")]
    fn empty_tags_panic() {
        let _ = EdwardsPoint::hash_to_curve::<Sha512>(&[b"m"], &[b"", b""]);
    }
}

/// Elements and the u-coordinates that they are mapped to: u and the x of Q of RFC 9380, appendix J.4.
const MAPPED: [(&str, &str); 15] = [
    (
        "cd93505bd44881471aa9717ef2e6556ec2273460a602385228031f642b898d60",
        "5be6c12167568f728512ebd2bbccb96068ea92cc0fc1f3973d765eda22521251",
    ),
    (
        "a58dcabe9a1d3dd6d1d734022350af6185e64b058dcc32f2a7eabf9424b2f546",
        "eb6e3e7fef21a95cf7dcf8ef27d9dca0b59bc4189c06af2bb9ccb08ce0d1567d",
    ),
    (
        "aa0aa452d2e5e8f9500da5ef6732b3c3662d86331c11187ece6637440ce45f23",
        "0fe9ab3c2ba71946befa626c49ee0b68c8a1c2e7507140e8793d88c9b966be3f",
    ),
    (
        "5b6ff495ceddc5ef6926522fe32df848d2eed6e3db4dd09bda3b4644a5921e00",
        "8396f14ff8260d372f96321c4b633e6a6edb57e840ec195d3800e79db80b7e22",
    ),
    (
        "19dc53c5bd29a7d6638d9cac7b5c3007f793332087f91a299235669fafa1681a",
        "96d16b2f47388d54e9e6fc668168c0ece81e25ab8a8913607b5f4de51e65cd3b",
    ),
    (
        "6a5a647fd9b4fb5bc0a99286e165330b74a6f5ad6c5e106ca1f0feb8a7e85f00",
        "984f90bb6195e29b163c31283bb96c9ac0e29e6ef36cbf7c70644c860cdfb436",
    ),
    (
        "1a265202fdb0aa65e14c0ad1c9777017ee9b811988052ec0d8b5a2c6beed4713",
        "2bdba0d97eaedad089a0f257774e490b3c850201efbe2f2b0b5c503a7814a13f",
    ),
    (
        "7dbc054e99e0749eac661053d329789f0844c0cadf8cfa098f74a3c721d0be49",
        "c1ea10be78ece1b5b761167918d69a610bd9486f5f1600fa70796b056ed8b316",
    ),
    (
        "b651e85acee2a7ab40e1607ea9d5252371ede7ce0561889d38633e665b52365c",
        "64c2e0464d6fe8c78c888f0ef3478f3636ec39cb8fa9df0ac43945f3db9dc27e",
    ),
    (
        "60d12373f12d78219b93741872039f95b235148e0a296c1b3d6da25b48b71264",
        "ad3365f8981ab9e625730eea7a56600885642151ac356c32728826fead3dde71",
    ),
    (
        "b287f268d9e3c9d56528e8fd5410db82ab8013be07572fd3219a6d1c6cb4c724",
        "caeaead116ef2fa297f964f0a6d2d616832632b9a62b9e77411ef62190060457",
    ),
    (
        "b5e1c9e08801dfa88e5f11faf2b54bf6478db5bdfa3f618655bb1bf19039125e",
        "f01dea6c5db6c57f58edd88bddef449727ab19265ff481a3dab58f195ad4947a",
    ),
    (
        "19acd4c0b61cf39dedb85f1e01c8f987806dec9da5fae7b10b8a4300eb53855e",
        "180ce646e171f2018a967a0293e5eb0d27703711b661bd4a693621a3b76f5030",
    ),
    (
        "7d6d3d88ec568baa6954acb341f9c68f55d0d11eb10fac60bfa3a75de881f420",
        "703991eec5d05fc1cdb9f9c973e637e41350bcf218286fe38e919b69e206d602",
    ),
    (
        "65948620ed7fd0012544c5091ba8578198ca523ba2993991789a7e25fd577d01",
        "4587a91a1a34245734ac423dbb97c7c0928105a6a90f9c44b71a8d989b0e9238",
    ),
];

#[test]
fn elements_are_mapped_to_the_points_of_the_rfc() {
    on_every_backend(|_| {
        for (element, u) in MAPPED {
            let point = MontgomeryPoint::map_to_point_unbounded(&hex::bytes(element));
            assert_eq!(hex::digits(&point.0), u);
        }
    });
}

/// For an element r, the point has r or -r as one of its two representatives.
#[test]
fn points_go_back_to_their_representatives() {
    on_every_backend(|_| {
        for i in 0..64u8 {
            let mut r: [u8; 32] =
                core::array::from_fn(|j| i.wrapping_mul(29) ^ (j as u8).wrapping_mul(i | 1));
            r[31] &= 0x3f;
            if i == 0 {
                r = [0; 32];
            }
            let point = MontgomeryPoint::map_to_point(&r);
            let both = [0, 1].map(|tweak| point.to_representative(tweak).unwrap());
            // Below 2^254 and smaller than its opposite: 254 bits that are not all ones.
            assert!(both.contains(&r), "{i}");
            for representative in both {
                assert_eq!(MontgomeryPoint::map_to_point(&representative), point);
            }
            // The top bits carry what they are told.
            let tweaked = point.to_representative(0xc1).unwrap();
            assert_eq!(tweaked[31] & 0xc0, 0xc0);
            assert_eq!(MontgomeryPoint::map_to_point(&tweaked), point);
            // They are points of the curve.
            assert!(point.to_edwards(0).is_some());
        }
    });
}

#[test]
fn half_of_the_points_have_no_representative() {
    on_every_backend(|_| {
        let mut with = 0;
        for i in 0..64u8 {
            let point = MontgomeryPoint::mul_base_clamped_dirty([i; 32], i);
            let exists = bool::from(point.to_representative(i).is_some());
            assert_eq!(exists, bool::from(point.to_representative(i ^ 1).is_some()));
            with += u32::from(exists);
        }
        assert!((16..48).contains(&with), "{with}");
        // -A, and points of the twist, have none.
        let minus_a = {
            let mut bytes = [0xff; 32];
            bytes[..3].copy_from_slice(&[0xe7, 0x92, 0xf8]);
            bytes[31] = 0x7f;
            MontgomeryPoint(bytes)
        };
        assert!(bool::from(minus_a.to_representative(0).is_none()));
        for i in 2..64u8 {
            let mut bytes = [0; 32];
            bytes[0] = i;
            let point = MontgomeryPoint(bytes);
            if point.to_edwards(0).is_none() {
                assert!(bool::from(point.to_representative(0).is_none()), "{i}");
            }
        }
    });
}

#[test]
fn dirty_keys_agree() {
    on_every_backend(|_| {
        let other = MontgomeryPoint::mul_base_clamped([0x77; 32]);
        let clean = MontgomeryPoint::mul_base_clamped([5; 32]);
        let mut seen = Vec::new();
        for low_order in 0..8 {
            let dirty = MontgomeryPoint::mul_base_clamped_dirty([5; 32], low_order);
            assert_eq!(dirty.mul_clamped([0x77; 32]), other.mul_clamped([5; 32]));
            assert_eq!(dirty == clean, low_order == 0);
            assert!(!seen.contains(&dirty));
            seen.push(dirty);
        }
        assert_eq!(MontgomeryPoint::mul_base_clamped_dirty([5; 32], 8), clean);
        assert_ne!(clean, X25519_BASEPOINT);
    });
}
