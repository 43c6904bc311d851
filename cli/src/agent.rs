//! Signatures by an SSH agent (draft-ietf-sshm-ssh-agent): the secret key stays where it is.
//!
//! An agent signs whatever it is handed, so it is handed SSH signatures' short messages and nothing else: a bare
//! signature of a file, had one asked for it, could be anything. What comes back is verified before it is used.

use crate::error::{Error, Kind};
use crate::keys::VerifyingKey;
use crate::signatures::verify;
use crate::text::Plain;
use crate::wire::{Reader, put_string};
use std::fmt;
#[cfg(unix)]
use std::io;
#[cfg(unix)]
use std::os::unix::net::UnixStream;
#[cfg(unix)]
use std::path::Path;
use std::time::Duration;
#[cfg(unix)]
use std::time::Instant;

const SIGN_REQUEST: u8 = 13;
pub(crate) const SIGN_RESPONSE: u8 = 14;
pub(crate) const IDENTITIES_ANSWER: u8 = 12;
/// What ssh-add does not say of a key in PEM.
const OF_OPENSSH: &str =
    ", where KEY has the form of OpenSSH (lanner convert KEY --to openssh -o COPY)";
/// How long an agent may think about which keys it has, and leave somebody at the door.
const PATIENCE: Duration = Duration::from_secs(5);
/// Longer answers are none.
#[cfg(unix)]
const MAX: usize = 256 * 1024;

/// Signs the message of an SSH signature with the secret key of `public`, which the agent holds.
pub(crate) fn sign(public: &VerifyingKey, message: &[u8]) -> Result<Vec<u8>, Error> {
    if !matches!(public, VerifyingKey::Ed25519(_)) {
        return Err(Error::new(
            Kind::WrongKeyType,
            format!("an agent has no keys of {}", public.algorithm()),
        ));
    }
    let mut request = vec![SIGN_REQUEST];
    put_string(&mut request, &public.ssh_blob());
    put_string(&mut request, message);
    request.extend_from_slice(&0u32.to_be_bytes());
    // However long it takes: somebody may have to touch a key, or to type a password.
    let answer = exchange(&request, None)?;
    let Some(signed) = body(&answer, SIGN_RESPONSE) else {
        return Err(failed(&format_args!(
            "it does not sign with {}",
            public.fingerprint()
        ))
        .with_hint(format!(
            "ssh-add -l says which keys it has, and ssh-add KEY gives it one{OF_OPENSSH}"
        )));
    };
    match signature_in(signed, public.ssh_name()) {
        Some(signature) if verify::is_valid(public, signature, message) => Ok(signature.to_vec()),
        _ => Err(failed(&"its signature is not valid, and was thrown away")),
    }
}

/// What an answer of this kind says.
pub(crate) fn body(answer: &[u8], kind: u8) -> Option<&[u8]> {
    answer.strip_prefix(&[kind])
}

/// The signature of the algorithm with this name in an answer.
pub(crate) fn signature_in<'a>(signed: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let mut reader = Reader::new(Reader::new(signed).string()?);
    let is_ours = reader.text() == Some(name);
    let bytes = reader.string()?;
    (is_ours && reader.is_empty()).then_some(bytes)
}

/// The keys in an answer, as far as it has as many as it says.
pub(crate) fn keys_in(identities: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut reader = Reader::new(identities);
    let number = reader.number().unwrap_or(0);
    // A key and a comment each.
    (0..number).map_while(move |_| {
        let key = reader.string()?;
        reader.string().map(|_| key)
    })
}

/// How many keys the agent says that it has, and names.
pub(crate) fn keys() -> Result<usize, Error> {
    let answer = identities()?;
    let named = keys_in(&answer).count();
    match Reader::new(&answer).number() {
        Some(number) if number as usize == named => Ok(named),
        _ => Err(failed(&"it does not say which keys it has")),
    }
}

/// True if there is an agent that says that it has the secret key of `public`.
pub(crate) fn has(public: &VerifyingKey) -> bool {
    let blob = public.ssh_blob();
    let Ok(answer) = identities() else {
        return false;
    };
    keys_in(&answer).any(|key| key == blob)
}

/// What the agent says of its keys: their number, and each with its comment.
fn identities() -> Result<Vec<u8>, Error> {
    const REQUEST_IDENTITIES: u8 = 11;
    // Nobody has to be asked for that.
    let answer = exchange(&[REQUEST_IDENTITIES], Some(PATIENCE))?;
    match body(&answer, IDENTITIES_ANSWER) {
        Some(keys) => Ok(keys.to_vec()),
        None => Err(failed(&"it does not say which keys it has")),
    }
}

fn failed(why: &dyn fmt::Display) -> Error {
    Error::new(
        Kind::Io,
        format!("the SSH agent: {}", Plain(&why.to_string())),
    )
}

/// Sends a message to the agent, and returns its answer, all of which must have come within `patience` if there is a limit.
#[cfg(unix)]
fn exchange(request: &[u8], patience: Option<Duration>) -> Result<Vec<u8>, Error> {
    use std::io::{ErrorKind, Write};
    let path = std::env::var_os("SSH_AUTH_SOCK").filter(|path| !path.is_empty());
    let path = path.ok_or_else(|| {
        failed(&"there is none: SSH_AUTH_SOCK is not set").with_hint(format!(
            "start one with: eval $(ssh-agent) && ssh-add KEY{OF_OPENSSH}"
        ))
    })?;
    let broken = |e: io::Error| match e.kind() {
        ErrorKind::WouldBlock => failed(&format_args!(
            "no whole answer from {} within {} seconds",
            path.display(),
            PATIENCE.as_secs()
        ))
        .with_hint("start another one, or unset SSH_AUTH_SOCK"),
        ErrorKind::UnexpectedEof => failed(&format_args!(
            "{} hung up before its answer was whole",
            path.display()
        )),
        _ => failed(&format_args!("no answer from {}: {e}", path.display())),
    };
    let until = patience.map(|patience| Instant::now() + patience);
    let mut stream = connect(Path::new(&path)).map_err(broken)?;
    let mut message = Vec::new();
    put_string(&mut message, request);
    stream.write_all(&message).map_err(broken)?;
    let mut length = [0; 4];
    receive(&mut stream, &mut length, until).map_err(broken)?;
    let length = u32::from_be_bytes(length) as usize;
    if length > MAX {
        return Err(failed(&"its answer is too long"));
    }
    let mut answer = vec![0; length];
    receive(&mut stream, &mut answer, until).map_err(broken)?;
    Ok(answer)
}

/// A connection to the agent. To be let in, and to hand over a question, nobody has to touch a key: an agent that stands
/// still, with others waiting in front of it, is not waited for, whatever it is asked.
#[cfg(unix)]
fn connect(path: &Path) -> io::Result<UnixStream> {
    use rustix::net::sockopt::{Timeout, set_socket_timeout};
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
    // Elsewhere that may be a call of its own; no other program is started meanwhile.
    #[cfg(target_os = "linux")]
    let flags = SocketFlags::CLOEXEC;
    #[cfg(not(target_os = "linux"))]
    let flags = SocketFlags::empty();
    let socket = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    // Linux has it count for connecting, too; elsewhere that fails at once where there is no room.
    set_socket_timeout(&socket, Timeout::Send, Some(PATIENCE))?;
    let address = SocketAddrUnix::new(path)?;
    rustix::io::retry_on_intr(|| rustix::net::connect(&socket, &address))?;
    Ok(socket.into())
}

/// Fills room with what comes before a time, in however many pieces: an agent that sends an octet now and then is as slow
/// as one that sends none.
#[cfg(unix)]
fn receive(stream: &mut UnixStream, mut room: &mut [u8], until: Option<Instant>) -> io::Result<()> {
    use std::io::{ErrorKind, Read};
    while !room.is_empty() {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            return Err(ErrorKind::WouldBlock.into());
        }
        stream.set_read_timeout(left)?;
        match stream.read(room) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(read) => room = &mut room[read..],
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn exchange(_request: &[u8], _patience: Option<Duration>) -> Result<Vec<u8>, Error> {
    Err(failed(
        &"this system has no sockets of the kind that it uses",
    ))
}
