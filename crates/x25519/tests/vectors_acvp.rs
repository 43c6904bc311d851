//! NIST ACVP: X25519 key generation, exchanges, key checks.

use lanner_vectors::outside;
use lanner_x25519::{PublicKey, X25519_BASEPOINT_BYTES, x25519, x25519_checked};

#[test]
fn acvp() {
    let Some(files) = outside("ACVP X25519") else {
        return;
    };
    let file = files.acvp();
    assert_eq!(file.x25519_keygen.len(), 10);
    for case in &file.x25519_keygen {
        assert_eq!(
            x25519(case.d, X25519_BASEPOINT_BYTES),
            case.q,
            "case {}",
            case.tc_id
        );
    }
    assert_eq!(file.x25519_exchange.len(), 12);
    for case in &file.x25519_exchange {
        let z = x25519_checked(case.private_iut, case.public_server);
        assert_eq!(z == Ok(case.z), case.test_passed, "case {}", case.tc_id);
        assert_eq!(z, x25519_checked(case.private_server, case.public_iut));
    }
    // A key is valid if it is 32 octets long; its top bit is ignored.
    assert_eq!(file.x25519_keyver.len(), 16);
    for case in &file.x25519_keyver {
        let key = <[u8; 32]>::try_from(case.q.as_slice()).map(PublicKey::from);
        assert_eq!(
            key.is_ok(),
            case.test_passed,
            "case {}: {}",
            case.tc_id,
            case.reason
        );
        if let Ok(key) = key {
            let mut other = key.to_bytes();
            other[31] ^= 0x80;
            assert_eq!(x25519([9; 32], key.to_bytes()), x25519([9; 32], other));
        }
    }
}
