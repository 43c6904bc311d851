//! What ends the help of each command: examples, and the exit codes.

macro_rules! examples {
    ($name:ident, $text:literal) => {
        pub(crate) const $name: &str =
            concat!("Examples:\n", $text, "\n", crate::error::exit_codes!());
    };
}

examples!(
    QUICKSTART,
    "  lanner quickstart README.md
"
);
examples!(
    KEYGEN,
    "  lanner keygen -o alice.pem -C alice@example.org
  lanner keygen -o ci.pem --no-password
  lanner keygen --to minisign -o release.key --public release.pub --new-password-file PASSWORD
"
);
examples!(
    PUBLIC,
    "  lanner public alice.pem -o alice.pub.pem
"
);
examples!(
    INSPECT,
    "  lanner inspect alice.pem
  lanner inspect letter.txt.sig
"
);
examples!(
    CONVERT,
    "  lanner convert alice.pub.pem --to openssh
  lanner convert alice.pem --to openssh -o id_alice
"
);
examples!(
    SIGN,
    "  lanner sign -k alice.pem letter.txt
  tar c src | lanner sign -k alice.pem - > src.tar.sig
  lanner sign -k release.key --format minisign -t \"version 1.2\" app.tar.gz
"
);
examples!(
    VERIFY,
    "  lanner verify -k alice.pub.pem letter.txt
  lanner verify --signers allowed_signers --signer alice@example.org letter.txt
  lanner verify --policy release.toml dist/
"
);
examples!(
    SIGN_TREE,
    "  lanner sign-tree -k alice.pem dist/
  lanner sign-tree -k release.sec --format signify dist/
"
);
examples!(
    VERIFY_TREE,
    "  lanner verify-tree -k alice.pub.pem dist/
"
);
examples!(
    EXCHANGE,
    "  lanner exchange -k my-x25519.pem peer.pub.pem -o secret
"
);
examples!(
    BENCH,
    "  lanner bench --alg ed25519
"
);
examples!(
    DOCTOR,
    "  lanner doctor
"
);
examples!(
    VERIFY_BATCH,
    "  lanner verify-batch signatures.jsonl -o verdicts.jsonl
  zcat ledger.csv.gz | lanner verify-batch - --from csv --encoding base64 --profile zip215
"
);
examples!(
    ATTEST,
    "  lanner attest -k ci.pem --predicate-type https://slsa.dev/provenance/v1 --predicate build.json app.tar.gz
"
);
examples!(
    VERIFY_ATTESTATION,
    "  lanner verify-attestation -k ci.pub.pem app.tar.gz
  lanner verify-attestation -k ci.pub.pem --predicate-type https://slsa.dev/provenance/v1 app.tar.gz
"
);
examples!(
    SIGN_NOTE,
    "  lanner sign-note -k log.pem --name log.example.org checkpoint.txt
"
);
examples!(
    VERIFY_NOTE,
    "  lanner verify-note -k log.pub.pem --name log.example.org checkpoint.txt.note
"
);
