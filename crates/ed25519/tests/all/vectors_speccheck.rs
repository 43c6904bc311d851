//! The twelve cases of "Taming the many EdDSAs" (eprint 2020/1244): policies,
//! and the libraries whose rule a profile reproduces.

use crate::vectors_support::check;
use lanner_vectors::cctv::profile_of_policy;
use lanner_vectors::outside;

#[test]
fn speccheck() {
    let Some(files) = outside("speccheck") else {
        return;
    };
    let cases = files.speccheck();
    assert_eq!(cases.len(), 12);
    for case in cases {
        let name = format!("case {}", case.index);
        assert_eq!(case.policies.len(), 6);
        check(
            &name,
            &case.key,
            &case.message,
            &case.signature,
            |profile| {
                let policy = case
                    .policies
                    .iter()
                    .find(|(p, _)| profile_of_policy(p) == profile);
                policy.map(|(_, accepts)| *accepts)
            },
        );
        check(
            &name,
            &case.key,
            &case.message,
            &case.signature,
            |profile| match profile {
                "dalek" => Some(case.libraries_2020["Dalek"]),
                "strict" => Some(case.libraries_2020["Dalek strict"]),
                "zip215" => Some(case.libraries_2020["Zebra"]),
                "donna" => Some(case.libraries_2020["ed25519-donna"]),
                "libsodium" => Some(case.libraries_2020["LibSodium"]),
                _ => None,
            },
        );
        check(
            &name,
            &case.key,
            &case.message,
            &case.signature,
            |profile| match profile {
                "dalek" => Some(case.libraries["go1.26"]),
                "strict" => Some(case.libraries["ed25519-dalek-2-strict"]),
                "zip215" => Some(case.libraries["ed25519-zebra-4"]),
                "libsodium" => Some(case.libraries["libsodium"]),
                _ => None,
            },
        );
    }
}
