//! Statements about files: DSSE envelopes with in-toto statements.

use crate::harness::*;
use crate::tools::{have, python_peers, script, try_script};
use serde_json::{Value, json};

const PREDICATE: &str = r#"{"buildType": "x", "big": 123456789012345678901234567890, "f": 1.10}"#;
const KIND: &str = "https://example.org/kind/v1";
/// The SHA-256 of the file `one`.
const ONE: &str = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed";

/// Two files, a predicate, a statement about both in `s`.
fn with_statement() -> Place {
    let place = Place::new().with_keys();
    place.write("one", "one");
    place.write("two", "two");
    place.write("p.json", PREDICATE);
    attest(&place, KIND, &["one", "two", "-o", "s"]).ended(0);
    place
}

fn attest(place: &Place, kind: &str, args: &[&str]) -> Run {
    let options = [
        "attest",
        "-k",
        "k.pem",
        "--predicate",
        "p.json",
        "--predicate-type",
        kind,
    ];
    place.run(&[&options[..], args].concat())
}

fn verify(place: &Place, args: &[&str]) -> Run {
    place.run(&[&["verify-attestation", "-k", "k.pub.pem"], args].concat())
}

fn envelope(place: &Place) -> Value {
    serde_json::from_slice(&place.read("s")).unwrap()
}

/// The envelope `s` with this payload. No format of this command signs what DSSE signs; OpenSSL does.
fn sign_payload(place: &Place, statement: &str) {
    let data = format!(
        "DSSEv1 28 application/vnd.in-toto+json {} {statement}",
        statement.len()
    );
    place.write("data", data);
    script(
        place,
        "openssl pkeyutl -sign -rawin -inkey k.pem -in data -out sig",
    );
    let envelope = json!({
        "payloadType": "application/vnd.in-toto+json",
        "payload": base64(statement.as_bytes()),
        "signatures": [{"sig": base64(&place.read("sig"))}],
    });
    place.write("s", envelope.to_string());
}

fn base64(text: &[u8]) -> String {
    pem("X", text)
        .lines()
        .filter(|line| !line.starts_with('-'))
        .collect()
}

#[test]
fn there_and_back() {
    let place = with_statement();
    let text = verify(&place, &["-s", "s", "one", "two"]).ended(0);
    assert_eq!(text.text().matches("VALID: ").count(), 2);
    assert!(text.text().contains(KIND) && text.text().contains(RFC8032_FINGERPRINT));
    // One subject has a default name on both sides, and the other hash does as well.
    attest(&place, "spdx", &["one", "--hash", "sha512"]).ended(0);
    let json = verify(&place, &["one", "--predicate-type", "spdx", "--json"])
        .ended(0)
        .json();
    assert_eq!(
        json["results"][0]["predicate_type"],
        "https://spdx.dev/Document"
    );
    assert_eq!(json["results"][0]["name"], "one");
    // What is said of the file comes out as it went in, and only where everything is valid.
    let run = verify(&place, &["-s", "s", "one", "-o", "-"]).ended(0);
    let said: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(said["buildType"], "x");
    place.write("three", "three");
    verify(&place, &["-s", "s", "one", "three", "-o", "out"]).ended(1);
    assert!(!place.exists("out"));
}

/// Only what is said of the subjects comes out, in their order, each once.
#[test]
fn predicates_of_other_files_stay_inside() {
    let place = with_statement();
    place.write("three", "three");
    let mut envelopes = Vec::new();
    for (file, said) in [("three", "3"), ("two", "2"), ("one", "1"), ("one", "1b")] {
        place.write("p.json", format!(r#"{{"says":"{said}"}}"#));
        attest(&place, KIND, &[file, "-o", "part", "--force"]).ended(0);
        envelopes.extend(place.read("part"));
    }
    place.write("p.json", r#"{"says":"both"}"#);
    attest(&place, KIND, &["one", "two", "-o", "part", "--force"]).ended(0);
    envelopes.extend(place.read("part"));
    place.write("all", envelopes);
    for (subjects, said) in [
        (&["one"][..], &["1", "1b", "both"][..]),
        (&["two"], &["2", "both"]),
        (&["three"], &["3"]),
        (&["two", "one"], &["2", "both", "1", "1b"]),
        (&["one", "three", "two"], &["1", "1b", "both", "3", "2"]),
    ] {
        let args = [&["-s", "all", "-o", "-"], subjects].concat();
        let run = verify(&place, &args).ended(0);
        let found: Vec<Value> = run
            .text()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let found: Vec<&str> = found
            .iter()
            .map(|it| it["says"].as_str().unwrap())
            .collect();
        assert_eq!(found, said, "{subjects:?}");
    }
}

/// Numbers of the predicate pass through as they are written, and the hashes are those of sha256sum.
#[test]
fn the_payload() {
    let place = with_statement();
    let payload = envelope(&place)["payload"].as_str().unwrap().to_owned();
    place.write("b64", payload);
    let text = script(&place, "base64 -d b64; echo; sha256sum one");
    assert!(text.contains(PREDICATE), "{text}");
    let sum = text.lines().last().unwrap().split(' ').next().unwrap();
    assert!(
        text.contains(&format!(
            r#"{{"name":"one","digest":{{"sha256":"{sum}"}}}}"#
        )),
        "{text}"
    );
    assert_eq!(
        envelope(&place)["signatures"][0]["keyid"],
        RFC8032_FINGERPRINT
    );
}

/// A predicate comes out byte for byte, and one of several lines on one.
#[test]
fn predicates_come_out_as_they_were_signed() {
    let place = with_statement();
    // What lanner itself has signed.
    let predicate = r#"{"n":12345678901234567890123,"f":1.10,"g":0.1000000000000000055}"#;
    place.write("p.json", predicate);
    attest(&place, KIND, &["one", "-o", "s", "--force"]).ended(0);
    verify(&place, &["-s", "s", "one", "-o", "out"]).ended(0);
    assert_eq!(place.read("out"), format!("{predicate}\n").into_bytes());
    if !have("openssl", "predicates of others") {
        return;
    }
    for (predicate, line) in [
        (
            r#"{"n":12345678901234567890123,"f":1.10,"g":0.1000000000000000055,"e":1E400,"n":"\u00e9é"}"#,
            None,
        ),
        (
            "{ \"b\" :1,\n \"a\":\r\n\t[ ] }\n",
            Some("{ \"b\" :1,  \"a\":  \t[ ] }"),
        ),
        ("{}", None),
    ] {
        let statement = format!(
            r#"{{"_type":"https://in-toto.io/Statement/v1","predicateType":"k","subject":[{{"digest":{{"sha256":"{ONE}"}}}}],"predicate":{predicate}}}"#
        );
        sign_payload(&place, &statement);
        let run = verify(&place, &["-s", "s", "one", "-o", "-"]).ended(0);
        assert_eq!(run.text(), format!("{}\n", line.unwrap_or(predicate)));
    }
}

#[test]
fn what_is_not_valid() {
    let place = with_statement();
    let good = envelope(&place);
    let payload = |statement: Value| {
        let mut envelope = good.clone();
        envelope["payload"] = json!(base64(statement.to_string().as_bytes()));
        envelope
    };
    let mut other_type = good.clone();
    other_type["payloadType"] = json!("application/json");
    let mut flipped = good.clone();
    let signature = flipped["signatures"][0]["sig"].as_str().unwrap().to_owned();
    let first = if signature.starts_with('A') { "B" } else { "A" };
    flipped["signatures"][0]["sig"] = json!(format!("{first}{}", &signature[1..]));
    for (what, envelope) in [
        ("another type of payload", other_type),
        ("another signature", flipped),
        (
            "another payload",
            payload(json!({"_type": "https://in-toto.io/Statement/v1"})),
        ),
    ] {
        place.write("s", envelope.to_string());
        let run = verify(&place, &["-s", "s", "one"]).ended(1);
        assert!(
            run.text().contains("no signature of the envelope"),
            "{what}: {run:?}"
        );
    }
    place.write("s", good.to_string());
    // A file that was changed, one that it is not about, a kind that is not wanted.
    place.write("two", "changed");
    let run = verify(&place, &["-s", "s", "one", "two"]).ended(1);
    assert!(run.text().contains("VALID: one\n") && run.text().contains("NOT VALID: two\n"));
    let run = verify(&place, &["-s", "s", "one", "--predicate-type", "spdx"]).ended(1);
    assert!(run.text().contains("is of the kind"), "{run:?}");
    // Of two signatures, one of the right key is enough; and of two envelopes, one.
    let mut two = good.clone();
    let bad = json!({"keyid": "x", "sig": base64(&[7; 64])});
    two["signatures"] = json!([bad, good["signatures"][0]]);
    place.write("s", two.to_string());
    verify(&place, &["-s", "s", "one"]).ended(0);
    let mut alone = good.clone();
    alone["signatures"] = json!([bad]);
    place.write("s", format!("{alone}\n{good}\n"));
    verify(&place, &["-s", "s", "one"]).ended(0);
}

/// What the signer has signed but is no statement.
#[test]
fn signed_payloads_that_are_no_statements() {
    let place = with_statement();
    let judged = |statement: &str, words: &str| {
        sign_payload(&place, statement);
        let run = verify(&place, &["-s", "s", "one"]);
        assert!(run.text().contains(words), "{statement}: {run:?}");
        run.code
    };
    if !have("openssl", "payloads that are no statements") {
        return;
    }
    let good = format!(
        r#"{{"_type":"https://in-toto.io/Statement/v0.1","predicateType":"k","subject":[{{"name":"n","digest":{{"sha256":"{ONE}"}}}}]}}"#
    );
    assert_eq!(judged(&good, "VALID: one"), Some(0));
    for (from, to, words) in [
        ("v0.1", "v2", "unknown type"),
        ("predicateType", "kind", "no predicateType"),
        ("subject", "about", "no subjects"),
        ("digest\":{", "hash\":{", "has no digest"),
        (&ONE[..4], "0000", "no statement of this signer is about it"),
        ("\"_type\"", "_type", "JSON is broken"),
        (
            "{\"_type",
            "{\"predicateType\":\"l\",\"_type",
            "stands there twice",
        ),
        ("{\"name", "{\"name\":\"m\",\"name", "stands there twice"),
        (
            "{\"sha256",
            "{\"sha256\":\"00\",\"sha256",
            "stands there twice",
        ),
    ] {
        assert_eq!(judged(&good.replacen(from, to, 1), words), Some(1), "{to}");
    }
}

#[test]
fn nobody_is_trusted_without_a_word() {
    let place = with_statement();
    let run = place
        .run(&["verify-attestation", "-s", "s", "one"])
        .ended(5);
    assert!(run.text().starts_with("UNKNOWN SIGNER") && run.text().contains(RFC8032_FINGERPRINT));
    place
        .run(&["keygen", "--no-password", "-o", "other"])
        .ended(0);
    let run = place
        .run(&["verify-attestation", "-k", "other.pub", "-s", "s", "one"])
        .ended(1);
    assert!(run.text().contains("no signature of the envelope"));
    let options = ["verify-attestation", "--signers", "list", "-s", "s", "one"];
    place.run(&options).failed(2, &["is for SSH signatures"]);
}

#[test]
fn fn_dsa_signs_statements_too() {
    let place = with_statement();
    place
        .run(&["keygen", "--alg", "fn-dsa-512", "--no-password", "-o", "f"])
        .ended(0);
    let options = ["--predicate-type", "vsa", "--predicate", "p.json", "one"];
    place
        .run(&[&["attest", "-k", "f"], &options[..]].concat())
        .ended(0);
    place
        .run(&["verify-attestation", "-k", "f.pub", "one"])
        .ended(0);
    verify(&place, &["one"]).ended(1);
}

#[test]
fn what_is_refused() {
    let place = with_statement();
    attest(&place, "a b", &["one"]).failed(2, &["no kind of statement", "slsa-provenance"]);
    attest(&place, KIND, &["one", "two"]).failed(2, &["-o OUT"]);
    attest(&place, KIND, &["-", "-o", "x"]).failed(2, &["standard input"]);
    attest(&place, KIND, &["one", "one", "-o", "x"]).failed(2, &["two subjects have the name one"]);
    attest(&place, KIND, &["one", "-o", "one"]).failed(3, &["exists already"]);
    attest(&place, KIND, &["missing", "-o", "x"]).failed(3, &["no such file"]);
    place.write("p.json", "[1]");
    attest(&place, KIND, &["one"]).failed(2, &["not a JSON object"]);
    place.write("p.json", "{");
    attest(&place, KIND, &["one"]).failed(2, &["the JSON is broken"]);
    assert!(!place.exists("one.intoto.jsonl") && !place.exists("x"));
    verify(&place, &["one"]).failed(3, &["one.intoto.jsonl", "-s FILE"]);
    for (content, words) in [
        ("", "the file is empty"),
        ("{", "JSON is broken"),
        ("{}", "no payloadType"),
        (
            r#"{"mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json","dsseEnvelope":{}}"#,
            "a bundle of Sigstore",
        ),
        (
            r#"{"payloadType":"t","payload":"*"}"#,
            "payload is not Base64",
        ),
        (r#"{"payloadType":"t","payload":""}"#, "no signatures"),
        (
            r#"{"payloadType":"t","payload":"","signatures":[]}"#,
            "no signatures",
        ),
        (
            r#"{"payloadType":"t","payload":"","signatures":[{"sig":"*"}]}"#,
            "a signature is broken",
        ),
    ] {
        place.write("s", content);
        let run = verify(&place, &["-s", "s", "one"]);
        run.failed(4, &["not a usable DSSE envelope", words]);
    }
}

/// securesystemslib takes our envelopes and in-toto's package our statements, and we take theirs.
#[test]
fn securesystemslib_and_in_toto() {
    let Some(python) = python_peers("DSSE and in-toto beside securesystemslib") else {
        return;
    };
    let place = with_statement();
    let run = format!(
        "{python} {}/tests/peers/dsse.py",
        env!("CARGO_MANIFEST_DIR")
    );
    let check = format!("{run} verify s {RFC8032_PUBLIC} {RFC8032_FINGERPRINT}");
    assert_eq!(script(&place, &check).trim(), KIND);
    let good = envelope(&place);
    let mut bad = good.clone();
    bad["payload"] = json!(base64(b"{}"));
    place.write("s", bad.to_string());
    let (code, output) = try_script(&place, &check);
    assert!(
        code != Some(0) && output.contains("VerificationError"),
        "{output}"
    );

    let statement = json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": "one", "digest": {"sha256": ONE}}],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {"a": 1},
    });
    place.write("statement", statement.to_string());
    script(
        &place,
        &format!("{run} sign {RFC8032_SECRET} statement > s"),
    );
    verify(
        &place,
        &["-s", "s", "one", "--predicate-type", "slsa-provenance"],
    )
    .ended(0);
}

/// A file that was changed is told from one that no statement names.
#[test]
fn a_changed_subject_has_another_hash() {
    let place = with_statement();
    place.write("one", "changed");
    place.write("three", "three");
    for (file, why) in [
        (
            "one",
            "a statement of this signer has its name, with another hash",
        ),
        ("three", "no statement of this signer is about it"),
    ] {
        let run = verify(&place, &["-s", "s", file]).ended(1);
        let line = format!("NOT VALID: {file}\n  because      {why}\n");
        assert!(run.text().starts_with(&line), "{run:?}");
    }
}
