//! The shape of `--json`: one object, the same keys always.

use crate::harness::*;
use serde_json::Value;

/// Runs with --json and checks what holds for every object.
#[track_caller]
fn object(place: &Place, args: &[&str], code: i32) -> Value {
    let args: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
    let run = place.run(&args).ended(code);
    assert_eq!(run.stderr, "", "everything is in the object");
    let json = run.json();
    assert_eq!(json["exit_code"], code);
    assert_eq!(json["ok"], code == 0);
    assert!(json["warnings"].is_array());
    if code == 2 && json["command"].is_null() {
        // The parser did not get as far as a command.
    } else {
        assert_eq!(json["command"], args[0]);
    }
    assert_eq!(json.get("error").is_some(), code != 0);
    if code != 0 {
        assert!(json["error"]["kind"].is_string());
        assert!(!json["error"]["message"].as_str().unwrap().is_empty());
    }
    json
}

/// The object has these keys, in this order, between those that every object has.
#[track_caller]
fn keys(json: &Value, own: &[&str]) {
    let expected = [&["command", "ok", "exit_code"][..], own, &["warnings"]].concat();
    let found: Vec<&str> = json
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(found, expected);
}

/// What is said of each file that is verified.
const VERDICT: [&str; 19] = [
    "file",
    "signature_file",
    "valid",
    "verdict",
    "reason",
    "signer",
    "format",
    "algorithm",
    "mode",
    "hash",
    "namespace",
    "context_hex",
    "profile",
    "public_key_file",
    "fingerprint",
    "key_id",
    "comment",
    "trusted_comment",
    "touched",
];

#[test]
fn results() {
    let place = Place::new().with_keys();
    place.write("m", "");

    let json = object(&place, &["keygen", "--no-password", "-o", "a.pem"], 0);
    keys(
        &json,
        &[
            "algorithm",
            "secret_key_file",
            "public_key_file",
            "format",
            "encrypted",
            "comment",
            "fingerprint",
            "key_id",
            "public_key_hex",
        ],
    );
    assert_eq!(json["algorithm"], "ed25519");
    assert_eq!(json["public_key_file"], "a.pub.pem");

    let json = object(&place, &["public", "k.pem"], 0);
    keys(
        &json,
        &[
            "algorithm",
            "fingerprint",
            "comment",
            "public_key_file",
            "public_key_hex",
            "public_key_pem",
        ],
    );
    assert_eq!(json["public_key_hex"], RFC8032_PUBLIC);
    assert_eq!(
        json["public_key_pem"],
        public_pem(ED25519_PUBLIC_DER, RFC8032_PUBLIC)
    );

    // What a signature is of: one form hashes the message, one does not.
    for (format, mode, hash) in [("ssh", "hashed", "sha512"), ("raw", "pure", "")] {
        let hash = (!hash.is_empty()).then_some(hash);
        let sign = ["sign", "-k", "k.pem", "m", "--format", format, "--force"];
        let json = object(&place, &sign, 0);
        keys(
            &json,
            &[
                "format",
                "algorithm",
                "mode",
                "hash",
                "namespace",
                "context_hex",
                "fingerprint",
                "key_id",
                "comment",
                "public_key_hex",
                "results",
            ],
        );
        assert_eq!(json["mode"], mode);
        assert_eq!(json["hash"].as_str(), hash);
        assert_eq!(json["fingerprint"], RFC8032_FINGERPRINT);
        let result = &json["results"][0];
        assert_eq!(result["signature_file"], "m.sig");
        assert_eq!(
            result["signature_hex"] == RFC8032_SIGNATURE,
            format == "raw"
        );

        let json = object(&place, &["verify", "-k", "k.pub.pem", "m"], 0);
        keys(&json, &["valid", "results"]);
        assert_eq!(json["valid"], true);
        let result = &json["results"][0];
        let names: Vec<&str> = result
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(names[..VERDICT.len()], VERDICT);
        assert_eq!(names[VERDICT.len()..], ["public_key_hex"]);
        assert_eq!(
            (&result["valid"], &result["verdict"]),
            (&true.into(), &"valid".into())
        );
        assert_eq!(
            (&result["format"], &result["mode"]),
            (&format.into(), &mode.into())
        );
        assert_eq!(result["profile"], "strict");
        assert_eq!(result["fingerprint"], RFC8032_FINGERPRINT);
    }

    place.write("m", "other");
    let json = object(&place, &["verify", "-k", "k.pub.pem", "m"], 1);
    keys(&json, &["valid", "results", "error"]);
    assert_eq!(json["valid"], false);
    assert_eq!(json["results"][0]["verdict"], "not_valid");
    assert_eq!(json["error"]["kind"], "signature_invalid");

    let json = object(
        &place,
        &["exchange", "-k", "x.pem", "x.pub.pem", "-o", "s"],
        0,
    );
    keys(
        &json,
        &[
            "algorithm",
            "fingerprint",
            "peer_fingerprint",
            "shared_secret_file",
            "format",
            "public_key_hex",
            "peer_public_key_hex",
        ],
    );
    assert!(
        !json.to_string().contains(RFC7748_SHARED),
        "secrets are never printed"
    );
}

#[test]
fn error_kinds() {
    let place = Place::new().with_keys();
    place.write("m", "m");
    place.write("short.sig", "short");
    place.write("old", "old");
    std::fs::create_dir(place.path("dir")).unwrap();
    place.write("weak.pem", public_pem(X25519_PUBLIC_DER, &"00".repeat(32)));
    for (args, code, kind, path) in [
        (&["sign", "-k", "k.pem", "none"][..], 3, "not_found", "none"),
        (
            &["sign", "-k", "k.pem", "m", "-o", "old"],
            3,
            "already_exists",
            "old",
        ),
        (&["sign", "-k", "k.pem", "dir"], 3, "not_a_file", "dir"),
        (&["sign", "-k", "m", "m"], 4, "bad_key", "m"),
        (&["sign", "-k", "x.pem", "m"], 4, "wrong_key_type", "x.pem"),
        (
            &["exchange", "-k", "x.pem", "weak.pem", "-o", "s"],
            4,
            "weak_key",
            "weak.pem",
        ),
        (
            &["verify", "-k", "k.pub.pem", "m", "-s", "short.sig"],
            4,
            "bad_signature_file",
            "short.sig",
        ),
    ] {
        let json = object(&place, args, code);
        assert_eq!(json["error"]["kind"], kind, "{json}");
        assert_eq!(json["error"]["path"], path, "{json}");
    }
    for args in [
        &["sign"][..],
        &["nonsense"],
        &["verify", "--no-such-option"],
        &["keygen", "--no-password", "-o", "n", "--algorithm", "rsa"],
    ] {
        let json = object(&place, args, 2);
        assert_eq!(json["error"]["kind"], "usage", "{json}");
        assert!(json["command"].is_null());
    }
    // After "--" it is a file name.
    let run = place.run(&["sign", "-k", "k.pem", "--", "--json"]);
    run.failed(3, &["--json", "no such file"]);
}
