//! What of a secret is left in the memory of a command that is about to end: nothing.
//!
//! strace holds the command up in its last system call, and all of its memory is searched: the heap and the
//! stack, for every eight bytes of the key, and for what stands for eight bytes in each form that the command gives it.
#![cfg(target_os = "linux")]

use crate::harness::*;
use lanner::fn_dsa::{SigningKeyStandard, sign_key_size};
use sha2::{Digest, Sha512};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::process::{Command, Stdio};

/// Writable memory of a process, by the name of the mapping.
fn memory(pid: u32) -> Vec<(String, Vec<u8>)> {
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap();
    let mem = File::open(format!("/proc/{pid}/mem")).unwrap();
    let mut areas = Vec::new();
    for line in maps.lines() {
        let mut words = line.split_whitespace();
        let (range, rights) = (words.next().unwrap(), words.next().unwrap());
        if !rights.starts_with("rw") {
            continue;
        }
        let (start, end) = range.split_once('-').unwrap();
        let [start, end] = [start, end].map(|hex| u64::from_str_radix(hex, 16).unwrap());
        let mut bytes = vec![0; (end - start) as usize];
        if mem.read_exact_at(&mut bytes, start).is_ok() {
            areas.push((words.nth(3).unwrap_or("").to_owned(), bytes));
        }
    }
    areas
}

/// What the search must find, to be one: the environment of a process is in its memory to the end.
const CONTROL: &str = "Zwölf Boxkämpfer jagen Viktor";

/// The memory of the command once it has said its last word.
fn at_the_end(place: &Place, args: &[&str]) -> Vec<(String, Vec<u8>)> {
    // With -D, the command is the child and strace its own child.
    let mut child = Command::new("strace")
        .args(["-D", "-qq", "-o", "/dev/null", "-e", "trace=exit_group"])
        .args(["-e", "inject=exit_group:delay_enter=60000000"])
        .arg(Place::program())
        .args(args)
        .arg("--json")
        .current_dir(place.root())
        .env("LANNER_TEST_CONTROL", CONTROL)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert!(line.contains("\"ok\":true"), "{args:?}: {line}");
    // What follows is the end of the process itself.
    wait_for_the_last_call(child.id());
    let areas = memory(child.id());
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let tracer = status.lines().find_map(|l| l.strip_prefix("TracerPid:"));
    let tracer = tracer.unwrap().trim();
    // Without its tracer, the command comes to its end.
    let killed = Command::new("kill").args(["-KILL", tracer]).status();
    assert!(tracer != "0" && killed.unwrap().success());
    assert!(child.wait().unwrap().success());
    areas
}

/// Returns when the process is in `exit_group`, its last system call.
fn wait_for_the_last_call(pid: u32) {
    const EXIT_GROUP: &str = if cfg!(target_arch = "x86_64") {
        "231"
    } else if cfg!(target_arch = "x86") {
        "252"
    } else {
        // Of all newer architectures.
        "94"
    };
    for _ in 0..6_000 {
        match std::fs::read_to_string(format!("/proc/{pid}/syscall")) {
            Ok(call) if call.split(' ').next() == Some(EXIT_GROUP) => return,
            Ok(_) => {}
            // Not every kernel tells.
            Err(_) => return std::thread::sleep(std::time::Duration::from_secs(1)),
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("the command does not come to its end");
}

/// Where parts of `secret` are in each area: the places of all `length` bytes of it in a row, as runs from the
/// first to the last byte that belongs to one.
fn hits(areas: &[(String, Vec<u8>)], secret: &[u8], length: usize) -> Vec<Hit> {
    let windows: HashSet<&[u8]> = secret.windows(length).collect();
    // Nearly all places are dismissed by their first two bytes: a set is asked a thousand times less often.
    let mut starts = vec![false; 1 << 16];
    for window in &windows {
        starts[start(window)] = true;
    }
    let mut hits: Vec<Hit> = Vec::new();
    for (area, bytes) in areas {
        let mut run: Option<Range<usize>> = None;
        let mut close = |run: Option<Range<usize>>| {
            hits.extend(run.map(|range| Hit::new(area, bytes, range)));
        };
        for (at, window) in bytes.windows(length).enumerate() {
            if !starts[start(window)] || !windows.contains(window) {
                continue;
            }
            match &mut run {
                Some(run) if at <= run.end => run.end = at + length,
                _ => close(run.replace(at..at + length)),
            }
        }
        close(run);
    }
    hits
}

fn start(window: &[u8]) -> usize {
    usize::from(window[0]) << 8 | usize::from(window[1])
}

/// A part of a secret that was found.
struct Hit {
    area: String,
    range: Range<usize>,
    /// What is there, and what is around it.
    context: String,
}

impl Hit {
    fn new(area: &str, bytes: &[u8], range: Range<usize>) -> Self {
        let around = range.start.saturating_sub(48)..bytes.len().min(range.end + 48);
        Hit {
            area: area.to_owned(),
            context: format!("{}", bytes[around].escape_ascii()),
            range,
        }
    }
}

impl std::fmt::Display for Hit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Hit {
            area,
            range,
            context,
        } = self;
        write!(f, "{range:x?} of {area:?}: {context}")
    }
}

/// The part of a PEM file that depends on the key, as bytes and as text, with the length of what is searched for:
/// what stands for eight bytes at least, since fewer are found by chance in public keys and signatures.
fn forms(place: &Place, file: &str, algorithm: &str) -> Vec<(&'static str, Vec<u8>, usize)> {
    let text = String::from_utf8(place.read(file)).unwrap();
    let body: String = text.lines().filter(|l| !l.starts_with('-')).collect();
    let der = unbase64(&body);
    // Of the curves' keys the last 32 bytes; of FN-DSA's f, g and F, before the public key.
    let key = match algorithm {
        "fn-dsa-512" => der.len() - 897 - 1280..der.len() - 897,
        "fn-dsa-1024" => der.len() - 1793 - 2304..der.len() - 1793,
        _ => der.len() - 32..der.len(),
    };
    let digits = &body.as_bytes()[key.start.div_ceil(3) * 4..key.end / 3 * 4];
    let hex: String = der[key.clone()]
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    vec![
        ("bytes", der[key].to_vec(), 8),
        ("Base64", digits.to_vec(), 11),
        ("hexadecimal", hex.into_bytes(), 16),
    ]
}

/// What a hybrid key is expanded to, in bytes: the seeds of its halves, the scalar and the prefix of Ed25519, and the F of
/// FN-DSA, which is one byte a coefficient in memory as well as in the encoding that it ends
/// (docs/hybrid.md; RFC 8032, 5.1.5).
fn parts_of_hybrid(algorithm: &str, seed: &[u8]) -> [(&'static str, Vec<u8>, usize); 3] {
    let (label, logn) = match algorithm {
        "ed25519+fn-dsa-512" => (&b"Ed25519+FN-DSA-512-main-SHA512"[..], 9),
        _ => (&b"Ed25519+FN-DSA-1024-main-SHA512"[..], 10),
    };
    let halves = Sha512::new()
        .chain_update(b"LannerHybridSignature2026")
        .chain_update([label.len() as u8])
        .chain_update(label)
        .chain_update(seed)
        .finalize();
    let (ed25519, fn_dsa) = halves.split_at(32);
    let mut encoded = vec![0; sign_key_size(logn)];
    SigningKeyStandard::from_seed_of_degree(logn, fn_dsa.try_into().unwrap())
        .unwrap()
        .write_bytes(&mut encoded)
        .unwrap();
    [
        ("seeds of the halves", halves.to_vec(), 8),
        ("half of Ed25519", Sha512::digest(ed25519).to_vec(), 8),
        (
            "half of FN-DSA",
            encoded.split_off(encoded.len() - (1 << logn)),
            8,
        ),
    ]
}

/// What 32 bytes look like, wherever they stand in Base64: the digits that depend on nothing else.
fn forms_of_seed(seed: &[u8]) -> Vec<(&'static str, Vec<u8>, usize)> {
    let hex: String = seed.iter().map(|b| format!("{b:02x}")).collect();
    let mut forms = vec![
        ("bytes", seed.to_vec(), 8),
        ("hexadecimal", hex.into_bytes(), 16),
    ];
    for before in 0..3 {
        let shifted = [&vec![0; before][..], seed].concat();
        let body: String = pem("X", &shifted)
            .lines()
            .filter(|line| !line.starts_with('-'))
            .collect();
        let own = (before * 8).div_ceil(6)..shifted.len() * 8 / 6;
        let digits = body[own].to_owned();
        forms.push((
            "Base64 for URLs",
            digits.replace('+', "-").replace('/', "_").into_bytes(),
            11,
        ));
        forms.push(("Base64", digits.into_bytes(), 11));
    }
    forms
}

const PASSWORD: &str = "Xylophon-Quark-7531";

/// A directory with a message, a file with a password, and a key of Ed25519 without one, which is what the other forms
/// are made of: `k.der`.
fn with_a_key() -> Place {
    let place = Place::new();
    place.write("m", "a message");
    place.write("pw", PASSWORD);
    place
        .run(&["keygen", "-o", "k.der", "--to", "der", "--no-password"])
        .ended(0);
    place
}

/// Runs the commands, and searches their memory for the password and for the key.
fn search(place: &Place, runs: &[String]) {
    let mut ended = Vec::new();
    for run in runs {
        let args: Vec<&str> = run.split(' ').collect();
        ended.push((run, at_the_end(place, &args)));
    }
    let mut secrets = vec![("password", PASSWORD.as_bytes().to_vec(), 8)];
    if place.exists("k.der") {
        let der = place.read("k.der");
        secrets.extend(forms_of_seed(&der[der.len() - 32..]));
    }
    if place.exists("f.der") {
        let der = place.read("f.der");
        let secret = der[der.len() - 897 - 1280..der.len() - 897].to_vec();
        secrets.push(("FN-DSA", secret, 8));
    }
    let mut found = Vec::new();
    for (run, areas) in &ended {
        assert!(!hits(areas, CONTROL.as_bytes(), 16).is_empty(), "{run}");
        for (form, secret, length) in &secrets {
            for hit in hits(areas, secret, *length) {
                found.push(format!("{run}: {form} at {hit}"));
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// Everything that reads or writes a form with a password.
fn form_with_password(to: &str) {
    if possible() {
        search(
            &with_a_key(),
            &[
                format!("convert k.der --to {to} -o k --new-password-file pw"),
                "sign -k k m -o k.sig --password-file pw".to_owned(),
                format!("convert k --to {to} -o open --password-file pw --no-password"),
                "sign -k open m -o open.sig".to_owned(),
                "inspect open".to_owned(),
            ],
        );
    }
}

#[test]
fn nothing_is_left_of_keys_in_pem() {
    form_with_password("pem");
}

#[test]
fn nothing_is_left_of_keys_in_der() {
    form_with_password("der");
}

#[test]
fn nothing_is_left_of_keys_of_openssh() {
    form_with_password("openssh");
}

#[test]
fn nothing_is_left_of_keys_of_minisign() {
    form_with_password("minisign");
}

#[test]
fn nothing_is_left_of_keys_of_signify() {
    form_with_password("signify");
}

#[test]
fn nothing_is_left_of_keys_in_forms_without_a_password() {
    if !possible() {
        return;
    }
    let mut runs = Vec::new();
    for to in ["jwk", "raw", "hex", "base64"] {
        runs.push(format!("convert k.der --to {to} -o {to} --no-password"));
        let seed = if to == "jwk" { "" } else { " --seed ed25519" };
        runs.push(format!("sign -k {to} m -o {to}.sig{seed}"));
    }
    search(&with_a_key(), &runs);
}

#[test]
fn nothing_is_left_of_new_keys_with_a_password() {
    if !possible() {
        return;
    }
    for algorithm in ["ed25519", "fn-dsa-512", "ed25519+fn-dsa-512"] {
        let place = Place::new();
        place.write("m", "a message");
        place.write("pw", PASSWORD);
        // What a key is ends the file, but for FN-DSA alone.
        let name = if algorithm == "fn-dsa-512" { "f" } else { "k" };
        search(
            &place,
            &[
                format!("keygen --alg {algorithm} -o {name} --new-password-file pw"),
                format!("convert {name} --to der -o {name}.der --no-password --password-file pw"),
                format!("sign -k {name} m --password-file pw"),
            ],
        );
    }
}

fn unbase64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bits = 0u32;
    let mut count = 0;
    let mut bytes = Vec::new();
    for digit in text.bytes().filter(|&b| b != b'=') {
        bits = bits << 6 | ALPHABET.iter().position(|&b| b == digit).unwrap() as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

fn possible() -> bool {
    let place = Place::new();
    let strace = Command::new("strace")
        .args([
            "-D",
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            "inject=exit_group:delay_enter=1",
        ])
        .arg("true")
        .current_dir(place.root())
        .status();
    if strace.is_ok_and(|status| status.success()) {
        return true;
    }
    skip("secrets left in memory: no strace that may trace here");
    false
}

#[test]
fn nothing_of_a_secret_is_left() {
    if !possible() {
        return;
    }
    let mut found = Vec::new();
    for algorithm in [
        "ed25519",
        "x25519",
        "fn-dsa-512",
        "fn-dsa-1024",
        "ed25519+fn-dsa-512",
        "ed25519+fn-dsa-1024",
    ] {
        let place = Place::new();
        place.write("m", "a message");
        let keygen = ["keygen", "--no-password", "--alg", algorithm, "-o", "a.pem"];
        let mut runs = vec![(keygen.to_vec(), at_the_end(&place, &keygen))];
        let public = ["public", "a.pem"];
        let sign = ["sign", "-k", "a.pem", "m"];
        let exchange = [
            "exchange",
            "-k",
            "a.pem",
            "a.pub.pem",
            "-o",
            "s",
            "--format",
            "hex",
        ];
        for args in [
            &public[..],
            if algorithm == "x25519" {
                &exchange
            } else {
                &sign
            },
        ] {
            runs.push((args.to_vec(), at_the_end(&place, args)));
        }
        let mut secrets = forms(&place, "a.pem", algorithm);
        if algorithm.starts_with("ed25519+") {
            let seed = secrets[0].1.clone();
            secrets.extend(parts_of_hybrid(algorithm, &seed));
            // As other faces keep it.
            place.write("seed", &seed);
            set_mode(&place.path("seed"), 0o600);
            let bare = [
                "sign", "-k", "seed", "--seed", algorithm, "m", "-o", "t", "--format", "raw",
            ];
            runs.push((bare.to_vec(), at_the_end(&place, &bare)));
        }
        if algorithm == "x25519" {
            let hex = String::from_utf8(place.read("s")).unwrap();
            secrets.push(("shared bytes", unhex(hex.trim()), 8));
            secrets.push(("shared hexadecimal", hex.trim().into(), 16));
        }
        for (args, areas) in &runs {
            assert!(!hits(areas, CONTROL.as_bytes(), 16).is_empty(), "{args:?}");
            for (form, secret, length) in &secrets {
                for hit in hits(areas, secret, *length) {
                    found.push(format!("{algorithm}, {args:?}: {form} at {hit}"));
                }
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}
