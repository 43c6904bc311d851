//! X25519 against x25519-dalek and aws-lc-rs.

use aws_lc_rs::agreement;
use lanner_interop::encodings::{P, add, small, top_bit, unreduced};
use lanner_interop::{array, hex, start};

/// The u-coordinates of small order (RFC 7748 section 6.1), in every encoding: of order 1, 2 and 4
/// on the curve, of order 8 on the curve, and those of the twist.
fn low_order() -> Vec<[u8; 32]> {
    let eight = |text: &str| {
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            let pair = std::str::from_utf8(pair).expect("ASCII");
            *byte = u8::from_str_radix(pair, 16).expect("hex");
        }
        bytes
    };
    let mut all = vec![
        small(0),
        small(1),
        add(&P, &[0xff; 32]),
        P,
        add(&P, &small(1)),
        eight("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
        eight("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
    ];
    all.extend(all.clone().into_iter().map(top_bit));
    all
}

/// Asserts that all libraries agree on a product, and returns it.
fn agree(secret: [u8; 32], point: [u8; 32]) -> [u8; 32] {
    let context = || format!("secret {} point {}", hex(&secret), hex(&point));
    let ours = lanner_x25519::x25519(secret, point);
    assert_eq!(ours, x25519_dalek::x25519(secret, point), "{}", context());

    let shared = lanner_x25519::StaticSecret::from(secret)
        .diffie_hellman(&lanner_x25519::PublicKey::from(point));
    let theirs = x25519_dalek::StaticSecret::from(secret)
        .diffie_hellman(&x25519_dalek::PublicKey::from(point));
    assert_eq!(shared.to_bytes(), ours);
    assert_eq!(
        shared.was_contributory(),
        theirs.was_contributory(),
        "{}",
        context()
    );

    let key =
        agreement::PrivateKey::from_private_key(&agreement::X25519, &secret).expect("a secret");
    let peer = agreement::UnparsedPublicKey::new(&agreement::X25519, point);
    let aws = agreement::agree(&key, peer, (), |shared| Ok(shared.to_vec()));
    // AWS-LC refuses an all-zero result, as the checked form does.
    let checked = lanner_x25519::x25519_checked(secret, point);
    assert_eq!(checked.is_ok(), ours != [0; 32], "{}", context());
    assert_eq!(
        checked.ok().map(|shared| shared.to_vec()),
        aws.ok(),
        "{}",
        context()
    );
    ours
}

#[test]
fn random_points_agree() {
    let mut rng = start("random points");
    for _ in 0..500 {
        agree(array(&mut rng), array(&mut rng));
    }
}

#[test]
fn public_keys_agree() {
    let mut rng = start("public keys");
    for _ in 0..500 {
        let secret: [u8; 32] = array(&mut rng);
        let ours = lanner_x25519::PublicKey::from(&lanner_x25519::StaticSecret::from(secret));
        let theirs = x25519_dalek::PublicKey::from(&x25519_dalek::StaticSecret::from(secret));
        assert_eq!(
            ours.to_bytes(),
            theirs.to_bytes(),
            "secret {}",
            hex(&secret)
        );
        assert_eq!(
            ours.to_bytes(),
            agree(secret, lanner_x25519::X25519_BASEPOINT_BYTES)
        );
    }
}

#[test]
fn points_of_low_order_agree_and_give_zero() {
    let mut rng = start("low order");
    for point in low_order() {
        for _ in 0..5 {
            assert_eq!(
                agree(array(&mut rng), point),
                [0; 32],
                "point {}",
                hex(&point)
            );
        }
    }
}

#[test]
fn coordinates_that_are_not_reduced_agree() {
    let mut rng = start("unreduced");
    for u in unreduced() {
        let secret = array(&mut rng);
        let reduced = add(&u, &add(&small(19), &top_bit([0; 32])));
        assert_eq!(agree(secret, u), agree(secret, reduced));
        assert_eq!(agree(secret, u), agree(secret, top_bit(u)));
    }
}

#[test]
fn extreme_secrets_agree() {
    let mut rng = start("extreme secrets");
    for secret in [[0; 32], [0xff; 32], small(7), small(8), top_bit([0; 32])] {
        for _ in 0..5 {
            agree(secret, array(&mut rng));
        }
    }
}

/// Bits that clamping sets or clears must not matter (RFC 7748 section 5), and export keeps them.
#[test]
fn clamping_is_inside_and_export_is_verbatim() {
    let mut rng = start("clamping");
    for _ in 0..50 {
        let (secret, point) = (array(&mut rng), array(&mut rng));
        let mut clamped: [u8; 32] = secret;
        clamped[0] &= 248;
        clamped[31] = clamped[31] & 127 | 64;
        assert_eq!(agree(secret, point), agree(clamped, point));
        assert_eq!(lanner_x25519::StaticSecret::from(secret).to_bytes(), secret);
    }
}
