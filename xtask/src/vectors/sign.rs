//! Signatures: the RFC's, a sweep over lengths, and hedged ones.

use lanner_vectors::hex;
use lanner_vectors::own::{File, HedgedCase, Scheme as Kind, SignCase};

use super::rfc;
use super::stream::Stream;
use crate::model::eddsa::{self, Scheme};

fn derive(
    name: String,
    kind: Kind,
    context: Vec<u8>,
    seed: [u8; 32],
    message: Vec<u8>,
) -> SignCase {
    let scheme = match kind {
        Kind::Ed25519 => Scheme::Pure,
        Kind::Ed25519ctx => Scheme::Context(&context),
        Kind::Ed25519ph => Scheme::Prehash(&context),
    };
    let signature = eddsa::sign(scheme, &seed, &message);
    SignCase {
        name,
        scheme: kind,
        public_key: eddsa::public_key(&seed),
        context,
        seed,
        message,
        signature,
    }
}

/// RFC 8032 section 7: what is printed there must be what the model derives.
pub(super) fn rfc8032() -> File<SignCase> {
    let sections = [
        (Kind::Ed25519, "7.1", rfc::ED25519),
        (Kind::Ed25519ctx, "7.2", rfc::ED25519CTX),
        (Kind::Ed25519ph, "7.3", rfc::ED25519PH),
    ];
    let mut cases = Vec::new();
    for (kind, section, rows) in sections {
        for row in rows {
            let name = format!("RFC 8032 section {section}, {}", row.name);
            let seed = hex::decode_array(row.seed);
            let case = derive(
                name,
                kind,
                hex::decode(row.context),
                seed,
                hex::decode(row.message),
            );
            assert_eq!(
                case.public_key,
                hex::decode_array(row.public_key),
                "{}",
                case.name
            );
            assert_eq!(
                case.signature,
                hex::decode_array(row.signature),
                "{}",
                case.name
            );
            cases.push(case);
        }
    }
    File {
        about: "RFC 8032 sections 7.1 to 7.3. Made by `cargo xtask vectors`.".to_owned(),
        cases,
    }
}

/// Message lengths around the block boundaries of the two SHA-512 runs (a
/// signature hashes 32 and 64 octets before the message), and contexts of all
/// extremes.
pub(super) fn sweep() -> File<SignCase> {
    let mut stream = Stream::new("signatures");
    let mut cases = Vec::new();
    let lengths = [
        0, 1, 15, 31, 32, 33, 46, 47, 48, 63, 64, 65, 78, 79, 80, 95, 96, 97, 111, 112, 127, 128,
    ];
    let longer = [129, 174, 175, 176, 191, 192, 193, 255, 256, 257, 1023];
    for length in lengths.into_iter().chain(longer) {
        let name = format!("Ed25519, {length} octets");
        cases.push(derive(
            name,
            Kind::Ed25519,
            vec![],
            stream.array(),
            stream.octets(length),
        ));
    }
    for context in [1, 2, 61, 62, 63, 127, 128, 254, 255] {
        let name = format!("Ed25519ctx, a context of {context} octets");
        let (context, seed) = (stream.octets(context), stream.array());
        cases.push(derive(
            name,
            Kind::Ed25519ctx,
            context,
            seed,
            stream.octets(40),
        ));
    }
    for (context, length) in [(0, 0), (0, 127), (1, 128), (94, 129), (254, 3), (255, 300)] {
        let name = format!("Ed25519ph, a context of {context} octets, {length} octets");
        let (context, seed) = (stream.octets(context), stream.array());
        cases.push(derive(
            name,
            Kind::Ed25519ph,
            context,
            seed,
            stream.octets(length),
        ));
    }
    File {
        about: "Deterministic signatures (RFC 8032 section 5.1.6) over many lengths. \
                Made by `cargo xtask vectors`."
            .to_owned(),
        cases,
    }
}

/// Hedged signatures: messages that end in the first block after the padding, at its end and beyond it, and randomness
/// of all sorts, a generator that gives nothing but zeros among them.
pub(super) fn hedged() -> File<HedgedCase> {
    let mut stream = Stream::new("hedged signatures");
    let mut cases = Vec::new();
    for (what, fixed) in [
        ("random", None),
        ("all zero", Some([0; 32])),
        ("all ones", Some([0xff; 32])),
    ] {
        for length in [0, 1, 63, 64, 65, 111, 112, 127, 128, 129, 300] {
            let (seed, random): ([u8; 32], _) = (stream.array(), stream.array());
            let z = fixed.unwrap_or(random);
            let message = stream.octets(length);
            cases.push(HedgedCase {
                name: format!("Z {what}, {length} octets"),
                seed,
                public_key: eddsa::public_key(&seed),
                z,
                signature: eddsa::sign_hedged(&seed, &z, &message),
                message,
            });
        }
    }
    File {
        about: "Hedged Ed25519 signatures, r = SHA-512(Z || prefix || 64 octets of zero || M). \
                Made by `cargo xtask vectors`."
            .to_owned(),
        cases,
    }
}
