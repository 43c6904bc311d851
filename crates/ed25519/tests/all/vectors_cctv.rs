//! CCTV: low-order, mixed-order and non-canonical points, with the verdict of
//! each policy that has a profile here.

use crate::vectors_support::check;
use lanner_ed25519::VerifyingKey;
use lanner_vectors::cctv::profile_of_policy;
use lanner_vectors::outside;

#[test]
fn cctv() {
    let Some(files) = outside("CCTV") else { return };
    let cases = files.cctv();
    assert_eq!(cases.len(), 454);
    for case in cases {
        let name = format!("case {} {:?}", case.number, case.flags);
        assert_eq!(case.accept.len(), 6, "{name}");
        check(
            &name,
            &case.key,
            case.msg.as_bytes(),
            &case.sig,
            |profile| {
                let policy = case
                    .accept
                    .iter()
                    .find(|(p, _)| profile_of_policy(p) == profile);
                policy.map(|(_, accepts)| *accepts)
            },
        );
        let key = VerifyingKey::from_bytes(&case.key).expect("a point");
        let flag = |name: &str| case.flags.iter().any(|flag| flag == name);
        assert_eq!(key.is_weak(), flag("low_order_A"), "{name}");
        assert_eq!(key.is_canonical(), !flag("non_canonical_A"), "{name}");
    }
}
