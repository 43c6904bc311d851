//! The project's own data holds what its README promises.

use std::collections::BTreeSet;

use lanner_vectors::own;

#[test]
fn every_sort_of_key_stands_with_every_sort_of_r() {
    let file = own::verify();
    let names = |of: fn(&own::VerifyCase) -> &String| -> BTreeSet<String> {
        let plain = file.cases.iter().filter(|case| case.s == "S");
        let sort = |case| of(case).clone();
        plain
            .map(sort)
            .filter(|n| n.starts_with("order") || n.starts_with("torsion"))
            .collect()
    };
    let (keys, nonces) = (names(|case| &case.a), names(|case| &case.r));
    assert_eq!((keys.len(), nonces.len()), (22, 22));
    for a in &keys {
        for r in &nonces {
            let of_pair = || {
                file.cases
                    .iter()
                    .filter(|case| case.a == *a && case.r == *r)
            };
            assert!(of_pair().any(|case| case.s == "S"), "{a}, {r}: S");
            assert!(of_pair().any(|case| case.s == "S + L"), "{a}, {r}: S + L");
            // Where the key has a torsion part, or R has one, the torsion parts
            // can be kept from cancelling; a key's of order 8 can always cancel.
            let residues: BTreeSet<_> = of_pair()
                .filter(|case| case.s == "S")
                .map(|case| case.residue == Some(0))
                .collect();
            let odd_torsion = ["torsion 1", "torsion 3", "torsion 5", "torsion 7"];
            if odd_torsion.iter().any(|t| a.ends_with(t)) {
                assert_eq!(residues.len(), 2, "{a}, {r}: cancelling and not");
            }
        }
    }
}

#[test]
fn ids_count_and_rules_are_the_nine() {
    let rules = [
        "rfc8032",
        "rfc8032-cofactorless",
        "dalek",
        "strict",
        "zip215",
        "donna",
        "libsodium",
        "simd0376-2026",
        "strict-legacy",
    ];
    for (nth, case) in own::verify().cases.iter().enumerate() {
        assert_eq!(case.id as usize, nth);
        assert!(
            case.accept
                .iter()
                .all(|name| rules.contains(&name.as_str()))
        );
    }
    assert!(
        own::points()
            .cases
            .iter()
            .enumerate()
            .all(|(nth, case)| case.id as usize == nth)
    );
    assert!(
        own::x25519()
            .cases
            .iter()
            .enumerate()
            .all(|(nth, case)| case.id as usize == nth)
    );
}

#[test]
fn points_that_only_zip215_decodes_are_there() {
    let file = own::points();
    let lenient = || {
        file.cases
            .iter()
            .filter(|case| case.zip215 && !case.rfc8032)
    };
    let small = |case: &&own::PointCase| case.point.as_ref().is_some_and(|p| p.small_order);
    assert_eq!(lenient().filter(small).count(), 6);
    assert!(lenient().filter(|case| !small(case)).count() >= 10);
    assert!(file.cases.iter().any(|case| !case.zip215));
    assert!(file.cases.iter().all(|case| case.zip215 || !case.rfc8032));
}

#[test]
fn the_values_of_the_rfcs_are_there() {
    assert_eq!(own::rfc8032().cases.len(), 10);
    let rfc = own::rfc7748();
    assert_eq!(rfc.x25519.len(), 2);
    assert_eq!(
        rfc.iterated.keys().copied().collect::<Vec<_>>(),
        [1, 1_000, 1_000_000]
    );
}

#[test]
fn the_data_stays_small() {
    let files = std::fs::read_dir(own::data_dir()).expect("vectors/data");
    let total: u64 = files
        .map(|file| file.and_then(|f| f.metadata()).expect("a file").len())
        .sum();
    assert!(total < 1_500_000, "{total} octets");
}
