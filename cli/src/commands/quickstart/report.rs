//! What quickstart says in the end.

use super::{Files, Step};
use crate::algorithm::Algorithm;
use crate::text::{self, Shown, shell_word};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// For people.
pub(super) fn as_text(directory: &Path, files: &Files, steps: &[Step]) -> String {
    let mut out = String::new();
    let size = files
        .size
        .map_or(String::new(), |size| format!(" ({})", text::size(size)));
    let width = steps
        .iter()
        .map(|s| s.label.chars().count())
        .max()
        .unwrap_or(0);
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "lanner quickstart on {}{size}\n",
        Shown(&files.message)
    );
    for step in steps {
        let _ = writeln!(
            out,
            "  {:6}  {:width$}  {:>12}  {}",
            if step.as_expected { "ok" } else { "FAILED" },
            step.label,
            milliseconds(step.took),
            step.result,
        );
    }
    let all_well = steps.iter().all(|step| step.as_expected);
    let _ = writeln!(
        out,
        "\n{}\n\nFiles, in {}",
        if all_well {
            "Every step came out as it should. Times include reading files, not flushing them to the disk."
        } else {
            "NOT every step came out as it should: see FAILED above."
        },
        Shown(directory)
    );
    let mut rows = vec![
        (
            &files.signer.secret,
            "Ed25519 secret key (PKCS#8 PEM): keep it to yourself".to_owned(),
        ),
        (
            &files.signer.public,
            "Ed25519 public key: give it to anybody".to_owned(),
        ),
        (
            &files.signature,
            "the signature, as ssh-keygen -Y sign makes them".to_owned(),
        ),
    ];
    if let Some(tampered) = &files.tampered {
        rows.push((tampered, "the tampered copy".to_owned()));
    }
    rows.push((
        &files.stranger_public,
        "the wrong key; its secret half is wiped".to_owned(),
    ));
    for signed in &files.post_quantum {
        let name = signed.algorithm;
        rows.extend([
            (&signed.signer.secret, format!("{name} secret key")),
            (&signed.signer.public, format!("{name} public key")),
            (&signed.signature, format!("the {name} signature")),
        ]);
    }
    rows.extend([
        (&files.alice.secret, "Alice's X25519 secret key".to_owned()),
        (&files.alice.public, "Alice's X25519 public key".to_owned()),
        (&files.bob.secret, "Bob's X25519 secret key".to_owned()),
        (&files.bob.public, "Bob's X25519 public key".to_owned()),
    ]);
    let names: Vec<String> = rows
        .iter()
        .map(|(path, _)| {
            let name = path.file_name().map(Path::new).unwrap_or(path);
            Shown(name).to_string()
        })
        .collect();
    let width = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0);
    for (name, (_, what)) in names.iter().zip(&rows) {
        let _ = writeln!(out, "  {name:width$}  {what}");
    }
    let _ = writeln!(out, "\nTry it yourself\n  D={}", shell_word(directory));
    for Next { title, command } in next_commands(directory, files, "\"$D\"") {
        let _ = writeln!(out, "  # {title}\n  {command}");
    }
    out
}

fn milliseconds(took: Duration) -> String {
    format!("{:.3} ms", took.as_secs_f64() * 1e3)
}

/// For programs.
pub(super) fn as_json(directory: &Path, files: &Files, steps: &[Step]) -> Value {
    let path = |path: &PathBuf| path.to_string_lossy().into_owned();
    let steps: Vec<Value> = steps
        .iter()
        .map(|step| {
            json!({
                "step": step.id,
                "result": step.result,
                "as_expected": step.as_expected,
                "milliseconds": step.took.as_secs_f64() * 1e3,
            })
        })
        .collect();
    let next: Vec<Value> = next_commands(directory, files, &shell_word(directory))
        .into_iter()
        .map(|next| json!({ "title": next.title, "command": next.command }))
        .collect();
    let mut named = json!({
        "signer_secret_key": path(&files.signer.secret),
        "signer_public_key": path(&files.signer.public),
        "signature": path(&files.signature),
        "tampered_copy": files.tampered.as_ref().map(path),
        "stranger_public_key": path(&files.stranger_public),
    });
    for signed in &files.post_quantum {
        let prefix = Algorithm::from(signed.algorithm).option().replace('-', "_");
        for (role, file) in [
            ("secret_key", &signed.signer.secret),
            ("public_key", &signed.signer.public),
            ("signature", &signed.signature),
        ] {
            named[format!("{prefix}_{role}")] = json!(path(file));
        }
    }
    for (role, file) in [
        ("alice_secret_key", &files.alice.secret),
        ("alice_public_key", &files.alice.public),
        ("bob_secret_key", &files.bob.secret),
        ("bob_public_key", &files.bob.public),
    ] {
        named[role] = json!(path(file));
    }
    json!({
        "file": path(&files.message),
        "size": files.size,
        "directory": directory.to_string_lossy(),
        "steps": steps,
        "files": named,
        "next": next,
    })
}

/// A command that the reader can type next.
struct Next {
    title: String,
    command: String,
}

/// `home` is how the commands spell `directory`: its name, or a variable of the shell.
fn next_commands(directory: &Path, files: &Files, home: &str) -> Vec<Next> {
    let lanner = program();
    let at = |path: &Path| match path.strip_prefix(directory) {
        Ok(name) => format!("{home}/{}", shell_word(name)),
        Err(_) => shell_word(path),
    };
    let file = shell_word(&files.message);
    let key = at(&files.signer.public);
    let signature = at(&files.signature);
    let signers = at(&directory.join("signers"));
    let alice_out = at(&directory.join("alice.secret"));
    let bob_out = at(&directory.join("bob.secret"));
    let [own, own_signature] = ["me.pem", "me.sig"].map(|name| at(&directory.join(name)));
    let next = |title: &str, command| Next {
        title: title.to_owned(),
        command,
    };
    let mut list = vec![
        next(
            "check the signature again",
            format!("{lanner} verify -k {key} -s {signature} {file}"),
        ),
        next(
            "OpenSSH finds it valid too",
            format!(
                "(printf 'me '; {lanner} convert {key} --to openssh) > {signers} && ssh-keygen -Y verify \
                 -f {signers} -I me -n file -s {signature} < {file}"
            ),
        ),
    ];
    if let Some(tampered) = &files.tampered {
        list.push(next(
            "the tampered copy is not valid: exit code 1",
            format!("{lanner} verify -k {key} -s {signature} {}", at(tampered)),
        ));
    }
    for signed in &files.post_quantum {
        list.push(next(
            &format!("check the {} signature", signed.algorithm),
            format!(
                "{lanner} verify -k {} -s {} {file}",
                at(&signed.signer.public),
                at(&signed.signature),
            ),
        ));
    }
    list.extend([
        next(
            "Alice's side of the shared secret",
            format!(
                "{lanner} exchange -k {} {} -o {alice_out}",
                at(&files.alice.secret),
                at(&files.bob.public),
            ),
        ),
        next(
            "Bob's side, computed by OpenSSL: the same 32 bytes",
            format!(
                "openssl pkeyutl -derive -inkey {} -peerkey {} -out {bob_out} && cmp {alice_out} {bob_out}",
                at(&files.bob.secret),
                at(&files.alice.public),
            ),
        ),
        next(
            "make a key of your own and sign with it",
            format!(
                "{lanner} keygen --no-password -o {own} && {lanner} sign -k {own} -o {own_signature} {file}"
            ),
        ),
        next("when you are done", format!("rm -r {home}")),
    ]);
    list
}

/// The command as the user started it, which `cargo run` does by a path.
fn program() -> String {
    std::env::args_os()
        .next()
        .map_or("lanner".to_owned(), |name| shell_word(Path::new(&name)))
}
