//! Contexts of bare signatures: of FN-DSA and of hybrids, the same as in every other face.

use crate::harness::*;
use serde_json::Value;

const WITH: [&str; 4] = [
    "fn-dsa-512",
    "fn-dsa-1024",
    "ed25519+fn-dsa-512",
    "ed25519+fn-dsa-1024",
];

fn with_key(name: &str) -> Place {
    let place = Place::new();
    let args = ["keygen", "-a", name, "--no-password", "-o", "k.pem"];
    place.run(&args).ended(0);
    place.write("m", "a message\n");
    place
}

/// Signs and verifies `m` in a form, under contexts that the options name.
fn sign(place: &Place, format: &str, context: &[&str]) -> Run {
    let args = [
        "sign", "-k", "k.pem", "--format", format, "m", "-o", "s", "-f",
    ];
    place.run(&[&args[..], context].concat())
}

fn check(place: &Place, context: &[&str]) -> Run {
    let args = ["verify", "-k", "k.pub.pem", "m", "-s", "s"];
    place.run(&[&args[..], context].concat())
}

#[test]
fn signer_and_verifier_name_the_same() {
    for name in WITH {
        let place = with_key(name);
        let longest = "a".repeat(255);
        for format in ["raw", "base64"] {
            sign(&place, format, &["--context", "an example"]).ended(0);
            check(&place, &["--context", "an example"]).ended(0);
            let args = ["--context-hex", "616e206578616d706c65"];
            let run = check(&place, &args).ended(0);
            assert!(run.text().contains("an example\n"), "{run:?}");
            let json = check(&place, &[&args[..], &["--json"]].concat()).json();
            assert_eq!(json["results"][0]["context_hex"], args[1]);
            let run = check(&place, &[]).ended(1);
            assert!(run.text().contains("--context"), "{run:?}");
            check(&place, &["--context", "an examplf"]).ended(1);
            // The empty context is the one that is not named.
            sign(&place, format, &["--context", ""]).ended(0);
            check(&place, &[]).ended(0);
            check(&place, &["--context-hex", ""]).ended(0);
            check(&place, &["--context", &longest]).ended(1);
            sign(&place, format, &["--context", &longest]).ended(0);
            check(&place, &["--context", &longest]).ended(0);
        }
        // Nor is it the beginning of another.
        check(&place, &["--context", &longest[..254]]).ended(1);
    }
}

#[test]
fn what_has_no_context_refuses_one() {
    let place = with_key("ed25519+fn-dsa-512");
    let long = "a".repeat(256);
    sign(&place, "raw", &["--context", &long]).failed(2, &["at most 255 bytes", "256"]);
    sign(&place, "raw", &["--context-hex", "abc"]).failed(2, &["hexadecimal"]);
    sign(&place, "raw", &["--context-hex", "00", "--context", "a"]).ended(2);
    sign(&place, "ssh", &["--context", "a"]).failed(2, &["has no context", "raw"]);
    for label in [9, 10].map(lanner::hybrid::label) {
        let label = std::str::from_utf8(label).unwrap();
        sign(&place, "raw", &["--context", label]).failed(2, &["halves of hybrid signatures"]);
        check(&place, &["--context", label]).failed(2, &["halves of hybrid signatures"]);
    }
    sign(&place, "ssh", &[]).ended(0);
    check(&place, &["--context", "a"]).failed(2, &["has no context"]);
    check(&place, &["--context", ""]).failed(2, &["has no context"]);
    check(&place, &[]).ended(0);

    let place = with_key("ed25519");
    sign(&place, "raw", &["--context", "a"]).failed(2, &["Ed25519", "has no context"]);
    sign(&place, "raw", &[]).ended(0);
    check(&place, &["--context", "a"]).failed(2, &["Ed25519", "has no context"]);
    check(&place, &[]).ended(0);
}

/// The vectors, which another program in Python agrees with, have contexts.
#[test]
fn those_of_the_vectors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/data/hybrid.json");
    let text = std::fs::read_to_string(path).unwrap();
    let vectors: Vec<Value> = serde_json::from_str(&text).unwrap();
    let field = |vector: &Value, name: &str| vector[name].as_str().unwrap().to_owned();
    assert!(vectors.iter().any(|it| !field(it, "context").is_empty()));
    for vector in &vectors {
        let place = Place::new();
        let context = field(vector, "context");
        place.write("k.pub.pem", unhex(&field(vector, "verifying_key")));
        place.write("seed", unhex(&field(vector, "seed")));
        place.write("m", unhex(&field(vector, "message")));
        place.write("s", unhex(&field(vector, "signature")));
        check(&place, &["--context-hex", &context]).ended(0);
        check(&place, &["--context-hex", &format!("{context}00")]).ended(if context.len() == 510 {
            2
        } else {
            1
        });
        // The seed, which is all that other faces keep of a key.
        let algorithm = field(vector, "algorithm");
        set_mode(&place.path("seed"), 0o600);
        let args = [
            "convert",
            "seed",
            "--seed",
            &algorithm,
            "--to",
            "pem",
            "--no-password",
            "-o",
            "k.pem",
        ];
        place.run(&args).ended(0);
        let run = place
            .run(&["convert", "--public", "k.pem", "--to", "hex"])
            .ended(0);
        assert_eq!(run.text().trim(), field(vector, "verifying_key"));
        sign(&place, "raw", &["--context-hex", &context]).ended(0);
        check(&place, &["--context-hex", &context]).ended(0);
        place
            .run(&["sign", "-k", "seed", "m", "-o", "t"])
            .failed(4, &["may be a secret or a public key", &algorithm]);
    }
}

#[test]
fn one_for_a_whole_table() {
    let mut table = String::new();
    for name in WITH {
        let place = with_key(name);
        let hex = |file: &str| {
            let bytes = place.read(file);
            bytes
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
        };
        place
            .run(&["convert", "--public", "k.pem", "--to", "raw", "-o", "key"])
            .ended(0);
        sign(&place, "raw", &["--context", "a table"]).ended(0);
        table.push_str(&format!(
            "{{\"public_key\":\"{}\",\"message\":\"{}\",\"signature\":\"{}\"}}\n",
            hex("key"),
            hex("m"),
            hex("s"),
        ));
    }
    table.push_str(&format!(
        "{{\"public_key\":\"{RFC8032_PUBLIC}\",\"message\":\"\",\"signature\":\"{RFC8032_SIGNATURE}\"}}\n"
    ));
    let place = Place::new();
    place.write("t", table);
    let verdicts = |more: &[&str]| {
        let run = place.run(&[&["verify-batch", "t"], more].concat());
        let text = run.text().to_owned();
        text.lines()
            .map(|line| {
                let line: Value = serde_json::from_str(line).unwrap();
                let verdict = line["verdict"].as_str().unwrap().to_owned();
                (
                    verdict,
                    line["reason"].as_str().unwrap_or_default().to_owned(),
                )
            })
            .collect::<Vec<_>>()
    };
    let found = verdicts(&["--context", "a table"]);
    assert!(found[..4].iter().all(|(it, _)| it == "valid"), "{found:?}");
    assert_eq!(found[4].0, "not_valid");
    assert!(found[4].1.contains("has no context"), "{found:?}");
    let found = verdicts(&["--context", "another"]);
    assert!(
        found[..4].iter().all(|(it, _)| it == "not_valid"),
        "{found:?}"
    );
    // Without one, the signature of RFC 8032 is what it is.
    let found = verdicts(&[]);
    assert!(
        found[..4].iter().all(|(it, _)| it == "not_valid"),
        "{found:?}"
    );
    assert_eq!(found[4].0, "valid");
}
