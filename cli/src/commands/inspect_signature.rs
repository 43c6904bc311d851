//! What `lanner inspect` says of signatures. Nothing of it is checked.

use crate::algorithm::{Algorithm, SignatureAlgorithm};
use crate::report::Report;
use crate::signatures::{Signature, sshsig};
use crate::text::{Plain, Shown};
use serde_json::json;
use std::path::Path;

pub(super) fn report(signature: &Signature, path: &Path) -> Report {
    let mut text = format!("{}: signature, not checked\n", Shown(path));
    let mut line = |name: &str, value: &dyn std::fmt::Display| {
        text.push_str(&format!("  {name:<11}  {value}\n"));
    };
    let format = signature.format();
    line("form", &format.name());
    let mut fields = json!({
        "file": path.to_string_lossy(),
        "kind": "signature",
        "format": format.id(),
    });
    match signature {
        Signature::Ssh(signature) => {
            let algorithm = signature.public.algorithm();
            let fingerprint = signature.public.fingerprint();
            line(
                "algorithm",
                &format!("{algorithm}, of the {}", signature.hash.name()),
            );
            line("namespace", &Plain(&signature.namespace));
            line(
                "fingerprint",
                &format!("{fingerprint}  (named by the signature)"),
            );
            fields["algorithm"] = json!(Algorithm::from(algorithm).option());
            fields["mode"] = json!("hashed");
            fields["hash"] = json!(signature.hash.id());
            fields["namespace"] = json!(signature.namespace);
            fields["fingerprint"] = json!(fingerprint);
            fields["touched"] = json!(signature.touch.map(sshsig::Touch::is_present));
        }
        Signature::Minisign(signature) => {
            let hash = if signature.prehashed {
                ", of the BLAKE2b-512"
            } else {
                ", pure"
            };
            line("algorithm", &format!("Ed25519{hash}"));
            line("key number", &signature.key_id);
            let comment = signature.trusted.as_ref().map(|it| it.text());
            if let Some(comment) = &comment {
                line("says", &Plain(comment));
            }
            let has_message = signature.message.is_some();
            if has_message {
                line("message", &"stands after the signature");
            }
            fields["algorithm"] = json!("ed25519");
            fields["mode"] = json!(if signature.prehashed {
                "prehashed"
            } else {
                "pure"
            });
            fields["hash"] = json!(signature.prehashed.then_some("blake2b-512"));
            fields["key_id"] = json!(signature.key_id.to_string());
            fields["trusted_comment"] = json!(comment);
            fields["has_message"] = json!(has_message);
        }
        Signature::Cose(_) => {
            line("algorithm", &"Ed25519, pure");
            fields["algorithm"] = json!("ed25519");
            fields["mode"] = json!("pure");
        }
        // They say nothing of themselves: see `bare`.
        Signature::Bare { bytes, .. } => line("length", &format!("{} bytes", bytes.len())),
    }
    Report::new(text, fields)
}

/// What the length of bytes says that stand alone.
pub(super) fn bare(bytes: &[u8], path: &Path) -> Report {
    let algorithm = SignatureAlgorithm::ALL
        .into_iter()
        .find(|algorithm| algorithm.signature_size() == bytes.len());
    let name = algorithm.map_or("", SignatureAlgorithm::name);
    let text = format!(
        "{}: {} bytes, as many as a bare signature of {name} has\n",
        Shown(path),
        bytes.len(),
    );
    Report::new(
        text,
        json!({
            "file": path.to_string_lossy(),
            "kind": "bare_signature",
            "format": null,
            "algorithm": algorithm.map(|algorithm| Algorithm::from(algorithm).option()),
        }),
    )
}
