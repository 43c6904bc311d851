//! Outside copies of RFC 7748's values, Go's, and the exchange of RFC 8037
//! appendix A.6.

use lanner_vectors::{hex, outside};
use lanner_x25519::{X25519_BASEPOINT_BYTES, x25519, x25519_checked};

#[test]
fn rfc7748() {
    let Some(files) = outside("RFC 7748") else {
        return;
    };
    let values = files.rfc7748();
    assert_eq!(values.x25519.len(), 2);
    for value in &values.x25519 {
        assert_eq!(x25519(value.scalar, value.u), value.out);
    }
    let mut k = values.iterated.start_k_and_u;
    let mut u = k;
    for round in 1..=1000u32 {
        (k, u) = (x25519(k, u), k);
        if let Some(stated) = values.iterated.after.get(&round) {
            assert_eq!(hex::encode(&k), *stated, "after {round} rounds");
        }
    }
    let dh = &values.dh;
    assert_eq!(x25519(dh.alice_priv, X25519_BASEPOINT_BYTES), dh.alice_pub);
    assert_eq!(x25519(dh.bob_priv, X25519_BASEPOINT_BYTES), dh.bob_pub);
    assert_eq!(x25519_checked(dh.alice_priv, dh.bob_pub), Ok(dh.shared));
    assert_eq!(x25519_checked(dh.bob_priv, dh.alice_pub), Ok(dh.shared));
}

#[test]
fn golang() {
    let Some(files) = outside("Go's X25519 values") else {
        return;
    };
    let file = files.golang_x25519();
    assert_eq!(
        (file.vectors.len(), file.low_order_points_must_error.len()),
        (16, 7)
    );
    for value in &file.vectors {
        assert_eq!(x25519(value.scalar, value.u), value.out);
        assert_eq!(x25519_checked(value.scalar, value.u), Ok(value.out));
    }
    for u in &file.low_order_points_must_error {
        assert!(
            x25519_checked([0x42; 32], hex::decode_array(u)).is_err(),
            "{u}"
        );
    }
}

#[test]
fn jose() {
    let Some(files) = outside("JOSE X25519") else {
        return;
    };
    let jose = files.jose();
    assert_eq!(
        x25519(jose.ephemeral_secret, X25519_BASEPOINT_BYTES),
        jose.ephemeral.x
    );
    assert_eq!(
        x25519_checked(jose.ephemeral_secret, jose.peer.x),
        Ok(jose.z)
    );
}
