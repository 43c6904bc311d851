//! Every decoder of this command on arbitrary bytes, for the fuzzer in `fuzz/`: nothing may panic, and what is understood
//! is written and read again as the same.
//!
//! Nothing here asks for a password: what a password protects are the same formats, behind a derivation that takes too
//! long for a search.

use std::io::Cursor;
use std::path::Path;

use crate::agent;
use crate::algorithm::Algorithm;
use crate::args::batch::{FieldEncoding, TableForm};
use crate::attestation::Statement;
use crate::base64;
use crate::batch;
use crate::formats::jwk::Jwk;
use crate::formats::recognise;
use crate::formats::write::{Encoding, public, secret};
use crate::json;
use crate::keyfile::{inline_public, is_encrypted, is_secret, public_of, unlock};
use crate::keys::{PublicKey, SecretKey};
use crate::policy::Policy;
use crate::policy::pattern::Pattern;
use crate::schemes::ed25519::profile::ProfileName;
use crate::signatures::{bare, cose, dsse, minisign, note, read, sshsig};
use crate::signers::Signers;
use crate::text::{hex, unhex};
use crate::time::Moment;
use crate::tree::manifest;
use crate::wire::put_string;
use zeroize::Zeroizing;

const ENCODINGS: [Encoding; 9] = [
    Encoding::Pem,
    Encoding::Der,
    Encoding::Openssh,
    Encoding::Minisign,
    Encoding::Signify,
    Encoding::Jwk,
    Encoding::Raw,
    Encoding::Hex,
    Encoding::Base64,
];

const DECODERS: &[fn(&[u8])] = &[
    keys,
    one_line_keys,
    signatures,
    signers,
    policies,
    patterns,
    lists_of_hashes,
    envelopes,
    statements,
    notes,
    times,
    tables,
    agent_answers,
    texts,
];

fn path() -> &'static Path {
    Path::new("input")
}

/// Key files of every form.
fn keys(bytes: &[u8]) {
    let Ok(recognised) = recognise(bytes, path()) else {
        return;
    };
    let is_secret = is_secret(&recognised, path());
    let is_encrypted = is_encrypted(&recognised, path());
    if let Ok(loaded) = public_of(&recognised, path(), Algorithm::Ed25519) {
        assert!(matches!(is_secret, Ok(false)), "public and secret");
        let key = loaded.key.to_bytes();
        for form in ENCODINGS {
            let Ok(written) = public(&loaded.key, form, &loaded.beside()) else {
                continue;
            };
            let recognised = recognise(&written, path()).expect("our own form");
            let again = public_of(&recognised, path(), loaded.key.algorithm());
            assert_eq!(again.expect("our own form").key.to_bytes(), key, "{form:?}");
        }
    }
    if matches!((is_secret, is_encrypted), (Ok(true), Ok(false)))
        && let Ok(unlocked) = unlock(&recognised, None, None, path())
    {
        let key = unlocked.key.public().to_bytes();
        for form in &ENCODINGS[..6] {
            let Ok(written) = secret(&unlocked.key, *form, &Default::default(), None) else {
                continue;
            };
            let recognised = recognise(&written, path()).expect("our own form");
            let again = unlock(&recognised, None, None, path()).expect("our own form");
            assert_eq!(again.key.public().to_bytes(), key, "{form:?}");
        }
    }
}

/// Keys that stand on the command line.
fn one_line_keys(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(loaded) = inline_public(text, "-P")
    {
        assert!(!loaded.encrypted);
    }
}

fn signatures(bytes: &[u8]) {
    let _ = read::of_known_form(bytes, path());
    for parse in [sshsig::parse, sshsig::parse_as_ssh_keygen] {
        if let Ok(signature) = parse(bytes, path()) {
            let _ = signature.is_valid(&[7; 64]);
        }
    }
    if let Ok(signature) = minisign::parse(bytes, path()) {
        let _ = signature.comment_is_valid(|message, signature| message.len() > signature.len());
    }
    if let Ok(signature) = cose::parse(bytes, path()) {
        assert_eq!(signature.signature().len(), 64);
        let _ = signature.prefix(bytes.len() as u64);
    }
    if let Some(signature) = bare::from_base64(bytes) {
        assert!(bare::is_length(signature.len()));
        let written = base64::encode_lines(&signature, 64);
        assert_eq!(bare::from_base64(written.as_bytes()), Some(signature));
    }
}

/// Lists of who may sign, as OpenSSH has them.
fn signers(bytes: &[u8]) {
    let _ = Signers::parse(bytes, path());
}

fn policies(bytes: &[u8]) {
    let _ = is_policy(bytes);
}

/// Whether it is a policy; if so, what a rule asks for can be met.
pub(crate) fn is_policy(bytes: &[u8]) -> bool {
    Policy::parse(bytes, path()).is_ok_and(|policy| {
        for rule in &policy.rules {
            assert!((1..=rule.signers.len()).contains(&rule.threshold));
            let _ = rule.is_about(b"a/b/c.b");
        }
        true
    })
}

/// A pattern, and a name behind a line feed.
fn patterns(bytes: &[u8]) {
    let feed = bytes.iter().position(|&byte| byte == b'\n');
    let (text, name) = bytes.split_at(feed.unwrap_or(bytes.len()));
    if let Ok(text) = std::str::from_utf8(text)
        && let Ok(pattern) = Pattern::new(text)
    {
        assert_eq!(pattern.text(), text);
        let _ = pattern.matches(name.get(1..).unwrap_or_default());
    }
}

fn lists_of_hashes(bytes: &[u8]) {
    let _ = is_list_of_hashes(bytes);
}

/// Whether it is a list of hashes; if so, it can be written and says the same, and no name leads out.
pub(crate) fn is_list_of_hashes(bytes: &[u8]) -> bool {
    let Ok(list) = manifest::parse(bytes, path(), None) else {
        return false;
    };
    let files = || {
        list.digests
            .iter()
            .map(|(name, digest)| (name, &digest[..]))
    };
    for form in [manifest::Form::Gnu, manifest::Form::Bsd] {
        let again = manifest::compose(list.hash, form, files());
        let again = manifest::parse(&again, path(), Some(list.hash)).expect("our own form");
        assert_eq!(again.digests, list.digests);
    }
    for name in list.digests.keys() {
        let leads_out = name.0.split(|&byte| byte == b'/').any(|part| part == b"..");
        assert!(!leads_out && !name.0.starts_with(b"/"), "{name}");
    }
    true
}

fn envelopes(bytes: &[u8]) {
    for envelope in dsse::parse(bytes, path()).unwrap_or_default() {
        let first = &envelope.signatures[0];
        let key_id = first.key_id.as_deref().unwrap_or_default();
        let (kind, payload) = (&envelope.payload_type, &envelope.payload);
        let again = dsse::compose(kind, payload, key_id, &first.signature);
        let again = dsse::parse(&again, path()).expect("our own form");
        assert_eq!((&again[0].payload_type, &again[0].payload), (kind, payload));
        assert_eq!(again[0].signatures[0].signature, first.signature);
        statements(payload);
    }
}

fn statements(bytes: &[u8]) {
    if let Ok(statement) = Statement::parse(bytes) {
        assert!(!statement.subjects.is_empty());
    }
}

fn notes(bytes: &[u8]) {
    if let Ok(note) = note::parse(bytes, path()) {
        let again = note::parse(&note.compose(), path()).expect("our own form");
        assert_eq!(again.text, note.text);
        assert_eq!(again.signatures.len(), note.signatures.len());
    }
}

fn times(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = Moment::of_rfc3339(text);
        // git's differ where no zone is known, and there alone.
        let of_git = Moment::of_option_of_git(text).ok();
        assert!(
            Moment::parse(text).is_ok_and(|time| Some(time) == of_git)
                || Moment::parse(text).is_err()
        );
    }
}

/// A table of signatures, judged. The first byte says which form is asked for, how bytes stand in it, and what is kept.
fn tables(bytes: &[u8]) {
    let _ = verdicts(bytes);
}

const FIELDS: [FieldEncoding; 3] = [
    FieldEncoding::Hex,
    FieldEncoding::Base64,
    FieldEncoding::Raw,
];

/// How many records of a table are valid, if it is a table.
pub(crate) fn verdicts(bytes: &[u8]) -> Option<u64> {
    let (choices, table) = bytes.split_first()?;
    let choices = usize::from(*choices);
    let form = [None, Some(TableForm::Jsonl), Some(TableForm::Csv)][choices / 9 % 3];
    let table = Cursor::new(table.to_vec());
    let mut source = batch::Source::new(Box::new(table), form, path()).ok()?;
    let names = ["key", "message", "signature"].map(|name| Some(name.to_owned()));
    let keep = vec!["note".to_owned(); choices / 27 % 2];
    let columns = source.columns(&names, &keep).ok()?;
    let settings = batch::Settings {
        form: source.form(),
        names,
        keep,
        columns,
        encoding: FIELDS[choices % 3],
        message_encoding: FIELDS[choices / 3 % 3],
        key: None,
        algorithm: None,
        profile: ProfileName::Strict,
        context: None,
    };
    let (text, counts) = batch::all(&mut source, &settings).ok()?;
    // What is said of the records is in the form of the table, and as many times as it is counted.
    let mut said = Vec::new();
    match settings.form {
        TableForm::Jsonl => {
            for line in text.split_inclusive(|byte| *byte == b'\n') {
                let line = std::str::from_utf8(line).expect("JSON");
                let line = json::object(line).expect("one object in a line");
                assert_eq!(line.len(), 3 + settings.keep.len());
                said.push((
                    line["record"].get().to_owned(),
                    json::text(line["verdict"]).expect("a word").into_owned(),
                ));
            }
        }
        _ => {
            let text = [&settings.heading()[..], &text].concat();
            let mut reader = csv::Reader::from_reader(&text[..]);
            for record in reader.byte_records() {
                let record = record.expect("fields as the heading has them");
                let field = |at| String::from_utf8(record[at].to_vec()).expect("our own words");
                said.push((field(0), field(1)));
            }
        }
    }
    for (place, (number, _)) in said.iter().enumerate() {
        assert_eq!(*number, (place + 1).to_string());
    }
    let count = |word| said.iter().filter(|(_, verdict)| verdict == word).count() as u64;
    assert_eq!(count("valid"), counts.valid);
    assert_eq!(count("not_valid"), counts.not_valid);
    assert_eq!(count("malformed"), counts.malformed);
    assert_eq!(count("refused"), counts.refused);
    assert_eq!(said.len() as u64, counts.all());
    Some(counts.valid)
}

const SSH_NAME: &str = "ssh-ed25519";

/// What an SSH agent says: of a signature nothing is left out, and keys have one encoding each.
fn agent_answers(bytes: &[u8]) {
    if let Some(signed) = agent::body(bytes, agent::SIGN_RESPONSE)
        && let Some(signature) = agent::signature_in(signed, SSH_NAME)
    {
        assert!(bytes.starts_with(&signed_by_agent(signature)));
    }
    if let Some(identities) = agent::body(bytes, agent::IDENTITIES_ANSWER) {
        for blob in agent::keys_in(identities) {
            if let Ok(key) = PublicKey::from_ssh_blob(blob, path()) {
                assert_eq!(key.ssh_blob(), blob);
            }
        }
    }
}

/// An agent's answer with a signature.
fn signed_by_agent(signature: &[u8]) -> Vec<u8> {
    let (mut inner, mut answer) = (Vec::new(), vec![agent::SIGN_RESPONSE]);
    put_string(&mut inner, SSH_NAME.as_bytes());
    put_string(&mut inner, signature);
    put_string(&mut answer, &inner);
    answer
}

/// Bytes as text, which have one form each, but for the case of hexadecimal digits.
fn texts(bytes: &[u8]) {
    if let Some(read) = base64::decode(bytes) {
        assert_eq!(base64::encode(&read).as_bytes(), bytes);
    }
    if let Some(read) = base64::decode_url(bytes) {
        assert_eq!(base64::encode_url(&read).as_bytes(), bytes);
    }
    if let Some(read) = base64::decode_url_padded(bytes) {
        let written = base64::encode_url(&read);
        let padding = &"=="[..written.len().wrapping_neg() % 4];
        assert_eq!([written.as_str(), padding].concat().as_bytes(), bytes);
    }
    if let Some(read) = unhex(bytes) {
        assert_eq!(hex(&read).as_bytes(), bytes.to_ascii_lowercase());
    }
}

/// The decoder that the first byte names, on the rest.
pub fn run(data: &[u8]) {
    if let Some((which, rest)) = data.split_first() {
        DECODERS[usize::from(*which) % DECODERS.len()](rest);
    }
}

/// What this command makes of text, for a face that reads the same forms by code of its own.
#[derive(Clone, Copy, Debug)]
pub enum Text {
    /// With padding.
    Base64,
    /// Of web keys, without.
    Base64Url,
    /// Digits, of either case.
    Hex,
}

/// The bytes of a text, if it is exactly such a one.
#[must_use]
pub fn bytes_of(form: Text, text: &[u8]) -> Option<Vec<u8>> {
    let bytes = match form {
        Text::Base64 => base64::decode(text),
        Text::Base64Url => base64::decode_url(text),
        Text::Hex => unhex(text),
    };
    bytes.map(|bytes| bytes.to_vec())
}

/// A key as a JSON Web Key has it.
#[derive(Clone, Debug)]
pub struct WebKey {
    /// Whether it is of X25519, and not of Ed25519.
    pub agrees: bool,
    /// 32 bytes.
    pub public: Vec<u8>,
    /// The seed of Ed25519, or the secret of X25519, where it was asked for.
    pub secret: Option<[u8; 32]>,
}

/// The public key of a JSON Web Key, or both keys.
///
/// # Errors
///
/// It is none, in the words of the command.
pub fn web_key(text: &[u8], with_secret: bool) -> Result<WebKey, String> {
    let read = || {
        let jwk = Jwk::read(text, path())?;
        let public = jwk.public(path())?;
        let secret = if with_secret {
            jwk.secret(path())?.key.seed().copied()
        } else {
            None
        };
        Ok(WebKey {
            agrees: public.algorithm() == Algorithm::X25519,
            public: public.to_bytes(),
            secret,
        })
    };
    read().map_err(|error: crate::error::Error| error.to_string())
}

/// Tables with a signature that is valid and something that is none, in both forms and in each encoding.
fn tables_of_signatures() -> Vec<Vec<u8>> {
    use crate::schemes::ed25519::{Signer, SigningKey};
    let key = SigningKey::from_bytes(&[7; 32]);
    let message = b"a message";
    let parts = [
        key.verifying_key().to_bytes().to_vec(),
        message.to_vec(),
        key.sign(message).to_bytes().to_vec(),
    ];
    let mut tables = Vec::new();
    let forms = [hex as fn(&[u8]) -> Zeroizing<String>, base64::encode];
    for (choices, of) in forms.into_iter().enumerate() {
        let [key, message, signature] = parts.each_ref().map(|part| of(part));
        let choices = choices as u8;
        let both = choices + 3 * choices;
        let csv = format!(
            "signature,note,key,message\n{},\"a\nb\",{},{}\n,,,\nx\n",
            *signature, *key, *message
        );
        tables.push([&[both + 18], csv.as_bytes()].concat());
        tables.push([&[both + 27], csv.as_bytes()].concat());
        let object = |message: &str| {
            format!(
                "{{\"key\":\"{}\",\"message\":{message},\"note\":[1,\r 2.50],\"signature\":\"{}\"}}\n",
                *key, *signature
            )
        };
        let lines = object(&format!("\"{}\"", *message)) + "{}\n\n[]\n";
        tables.push([&[both + 9 + 27], lines.as_bytes()].concat());
        // The message as numbers, and as itself.
        let lines = object("\"a message\"") + &object("[97,32]");
        tables.push([&[choices + 6], lines.as_bytes()].concat());
    }
    for table in &tables {
        assert_eq!(verdicts(table), Some(1));
    }
    tables
}

/// Something good for each decoder.
///
/// # Panics
///
/// If what is good here is not.
#[must_use]
pub fn seeds() -> Vec<Vec<u8>> {
    const LINE: &str =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea a@x";
    const HASH: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    let mut seeds = Vec::new();
    let mut add = |decoder: fn(&[u8]), bytes: &[u8]| {
        decoder(bytes);
        let which = DECODERS
            .iter()
            .position(|&other| std::ptr::fn_addr_eq(other, decoder));
        let which = which.expect("it is in the list") as u8;
        seeds.push([&[which], bytes].concat());
    };
    let key_of =
        |algorithm| SecretKey::from_seed(algorithm, &[7; 32], path()).expect("a seed is a key");
    let x25519 = key_of(Algorithm::X25519).public();
    for algorithm in [Algorithm::Ed25519, Algorithm::X25519] {
        let key = key_of(algorithm);
        for form in ENCODINGS {
            if let Ok(bytes) = public(&key.public(), form, &Default::default()) {
                add(keys, &bytes);
                add(one_line_keys, &bytes);
            }
            if let Ok(bytes) = secret(&key, form, &Default::default(), None) {
                add(keys, &bytes);
            }
        }
    }
    add(one_line_keys, LINE.as_bytes());
    let key = inline_public(LINE, "-P").expect("a key").key;
    let PublicKey::Verifying(key) = key else {
        unreachable!("it verifies")
    };
    let hash = sshsig::Hash::Sha512;
    let ssh = sshsig::compose(&key, "file", hash, &[7; 64], |_| Ok(vec![9; 64]));
    add(signatures, &ssh.expect("it is composed"));
    let id = crate::formats::KeyId([2; 8]);
    let minisig = minisign::compose_minisign(&[1; 64], true, id, "c", "t", |_| Ok(vec![3; 64]));
    add(signatures, &minisig.expect("it is composed"));
    add(signatures, &minisign::compose_signify(&[1; 64], id, "c"));
    add(
        signatures,
        &cose::compose(vec![5; 64]).expect("it is composed"),
    );
    let list =
        format!("a@x,*@y,!b@y namespaces=\"file,git\",valid-after=\"20200101Z\" {LINE}\n# c\n");
    add(signers, list.as_bytes());
    let policy = format!(
        "version = 1\nnot-after = 2030-01-01T00:00:00Z\n[[signer]]\nname = \"a\"\nkeys = [\"{LINE}\"]\n\
         [[rule]]\nfiles = [\"a/**\", \"*.b\"]\nsigners = [\"a\"]\nthreshold = 1\nalgorithms = [\"ed25519\"]\n"
    );
    add(policies, policy.as_bytes());
    add(patterns, b"a/**/b*c?/d\na/x/y/bcc1/d");
    let list =
        format!("{HASH}  a\n{HASH} *d/b\n\\{HASH}  x\\\\y\\nz\\r\nSHA256 (c (d) = e) = {HASH}\n");
    add(lists_of_hashes, list.as_bytes());
    let statement = format!(
        "{{\"_type\":\"https://in-toto.io/Statement/v1\",\"subject\":[{{\"name\":\"a\",\
         \"digest\":{{\"sha256\":\"{HASH}\"}}}}],\"predicateType\":\"https://x.example/y\",\"predicate\":{{}}}}"
    );
    add(statements, statement.as_bytes());
    let kind = "application/vnd.in-toto+json";
    let envelope = dsse::compose(kind, statement.as_bytes(), "id", &[4; 64]);
    add(envelopes, &envelope);
    let signed = note::NoteSignature {
        name: "a.example/log".into(),
        hash: [1; 4],
        signature: vec![2; 64],
    };
    let note = note::Note {
        text: "text\n".into(),
        signatures: vec![signed],
    };
    add(notes, &note.compose());
    for bytes in tables_of_signatures() {
        add(tables, &bytes);
    }
    add(agent_answers, &signed_by_agent(&[6; 64]));
    let mut identities = vec![agent::IDENTITIES_ANSWER, 0, 0, 0, 2];
    for key in [inline_public(LINE, "-P").expect("a key").key, x25519] {
        put_string(&mut identities, &key.ssh_blob());
        put_string(&mut identities, b"a@x");
    }
    add(agent_answers, &identities);
    add(texts, b"aGVsbG8_");
    add(texts, b"aGVsbA==");
    add(texts, b"00fF");
    add(times, b"20200101120000Z");
    add(times, b"2030-01-01T00:00:00Z");
    seeds
}
