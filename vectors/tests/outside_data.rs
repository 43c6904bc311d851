//! Every outside file parses to the number of cases that it is known to have,
//! and an absent directory is said aloud.

use std::process::{Command, Output};

use lanner_vectors::{SHARED_DIR_VARIABLE, outside};

#[test]
fn every_file_parses() {
    let Some(files) = outside("the outside files") else {
        return;
    };
    assert_eq!(files.rfc8032().len(), 10);
    assert_eq!(files.rfc7748().iterated.after.len(), 3);
    assert!(files.rfc8410().certificate.contains("BEGIN CERTIFICATE"));
    assert_eq!(files.golang_sign_input().len(), 128);
    assert_eq!(files.golang_x25519().vectors.len(), 16);
    let ed25519 = files.wycheproof_ed25519();
    assert_eq!(
        ed25519.iter().map(|group| group.tests.len()).sum::<usize>(),
        151
    );
    assert_eq!(files.wycheproof_x25519().len(), 518);
    assert_eq!(files.wycheproof_x25519_asn().len(), 537);
    assert_eq!(files.cctv().len(), 454);
    let speccheck = files.speccheck();
    assert_eq!(speccheck.len(), 12);
    assert!(speccheck.iter().all(|case| case.libraries_2020.len() == 18));
    assert_eq!(files.zip215().len(), 196);
    assert_eq!(files.ring_pkcs8().len(), 41);
    assert_eq!(
        files
            .ring_pkcs8()
            .iter()
            .filter(|case| case.accepted)
            .count(),
        16
    );
    assert_eq!(files.ring_verify().len(), 5);
    assert_eq!(files.boringssl_ed25519().keys.len(), 8);
    assert_eq!(files.boringssl_x25519().operations.len(), 3);
    let acvp = files.acvp();
    let signatures = acvp.eddsa_siggen.len() + acvp.eddsa_sigver.len();
    let keys = acvp.eddsa_keygen.len() + acvp.eddsa_keyver.len();
    let x25519 = acvp.x25519_exchange.len() + acvp.x25519_keygen.len() + acvp.x25519_keyver.len();
    assert_eq!(signatures + keys + x25519, 75);
    assert_eq!(files.jose().private_key.curve, "Ed25519");
    assert_eq!(files.cose_eddsa().to_be_signed[0], 0x84);
}

/// Runs the test above in a process of its own, with a directory that is not
/// there.
fn without_data(ci: bool) -> Output {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", "every_file_parses"]);
    command.env(SHARED_DIR_VARIABLE, "/a directory/that is not there");
    command.env_remove("CI");
    if ci {
        command.env("CI", "true");
    }
    command.output().expect("the test runs")
}

#[test]
fn an_absent_directory_is_said_aloud() {
    let output = without_data(false);
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    let expected = "SKIPPED: the outside files: outside vectors not found at /a directory/";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn an_absent_directory_that_ci_promised_is_a_failure() {
    assert!(!without_data(true).status.success());
}
