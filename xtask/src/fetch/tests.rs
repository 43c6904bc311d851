//! Against a server on this machine, which answers rightly and wrongly.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use sha2::{Digest, Sha256};

use super::{SOURCES, Source, fetch};

const CONTENT: &[u8] = b"what is published\n";
const SHA256: &str = "88e8cf9225176523d8c34fb0f8ebb9b6418fdb9fe4a1855b1e588f2c0c2fc428";

/// What the server answers, whatever it is asked.
#[derive(Clone, Copy)]
enum Answer {
    Right,
    OtherBytes,
    Longer,
    /// The length of all of it, and then the half.
    Half,
    NotFound,
}

impl Answer {
    fn bytes(self) -> Vec<u8> {
        let ok = |length: usize, body: &[u8]| {
            let head =
                format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
            [head.as_bytes(), body].concat()
        };
        match self {
            Self::Right => ok(CONTENT.len(), CONTENT),
            Self::OtherBytes => ok(CONTENT.len(), &CONTENT.to_ascii_uppercase()),
            Self::Longer => ok(CONTENT.len() + 1, &[CONTENT, b"!"].concat()),
            Self::Half => ok(CONTENT.len(), &CONTENT[..9]),
            Self::NotFound => {
                b"HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".to_vec()
            }
        }
    }
}

/// A server for so many requests: its address, and the paths that it was asked for.
fn serve(answer: Answer, requests: usize) -> (String, thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let server = thread::spawn(move || {
        let mut paths = Vec::new();
        for _ in 0..requests {
            let (mut stream, _) = listener.accept().expect("a connection");
            let mut lines = BufReader::new(stream.try_clone().expect("a stream")).lines();
            let first = lines.next().expect("a request").expect("a line");
            paths.push(first.split(' ').nth(1).unwrap_or_default().to_owned());
            while lines
                .next()
                .is_some_and(|line| line.is_ok_and(|line| !line.is_empty()))
            {}
            stream.write_all(&answer.bytes()).expect("it listens");
        }
        paths
    });
    (address, server)
}

fn source() -> Source {
    Source {
        file: "published/file.txt",
        repository: "owner/name",
        commit: "0123456789",
        path: "dir/file.txt",
        bytes: CONTENT.len() as u64,
        sha256: SHA256,
        licence: "MIT",
    }
}

/// An empty directory of this test.
fn directory(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("lanner-fetch-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    dir
}

fn files(dir: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(dir.join("published")).into_iter().flatten() {
        names.push(
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned(),
        );
    }
    names
}

/// Whether the tests can run here, and says so where not.
fn curl() -> bool {
    let is = Command::new("curl").arg("--version").output().is_ok();
    if !is {
        eprintln!("SKIPPED: fetching: no curl here");
    }
    is
}

#[test]
fn what_is_right_is_fetched_once() {
    if !curl() {
        return;
    }
    let dir = directory("right");
    let (address, server) = serve(Answer::Right, 1);
    // The server takes one request, so the second run must find the file.
    for _ in 0..2 {
        fetch(&[source()], &address, &dir).expect("the file");
    }
    assert_eq!(
        server.join().expect("it served"),
        ["/owner/name/0123456789/dir/file.txt"]
    );
    assert_eq!(files(&dir), ["file.txt"]);
    assert_eq!(
        fs::read(dir.join("published/file.txt")).expect("the file"),
        CONTENT
    );
    fs::remove_dir_all(&dir).expect("it is there");
}

#[test]
fn what_is_wrong_is_not_kept() {
    if !curl() {
        return;
    }
    for (name, answer, said) in [
        ("other", Answer::OtherBytes, "its SHA-256 is"),
        ("longer", Answer::Longer, "19 bytes came"),
        ("half", Answer::Half, "curl"),
        ("none", Answer::NotFound, "404"),
    ] {
        let dir = directory(name);
        let (address, server) = serve(answer, 1);
        let error = fetch(&[source()], &address, &dir).expect_err(name);
        server.join().expect("it served");
        assert!(error.contains(said), "{name}: {error}");
        assert!(
            error.contains("published/file.txt (18 bytes, MIT)"),
            "{name}: {error}"
        );
        assert_eq!(files(&dir), [""; 0], "{name}");
        let _ = fs::remove_dir_all(&dir);
    }
}

#[test]
fn a_file_that_was_spoiled_is_fetched_again_and_stays_if_that_fails() {
    if !curl() {
        return;
    }
    let dir = directory("spoiled");
    let at = dir.join("published/file.txt");
    fs::create_dir_all(dir.join("published")).expect("a directory");
    fs::write(&at, b"spoiled").expect("a file");
    let (address, server) = serve(Answer::NotFound, 1);
    fetch(&[source()], &address, &dir).expect_err("not found");
    server.join().expect("it served");
    assert_eq!(fs::read(&at).expect("the file"), b"spoiled");
    let (address, server) = serve(Answer::Right, 1);
    fetch(&[source()], &address, &dir).expect("the file");
    server.join().expect("it served");
    assert_eq!(fs::read(&at).expect("the file"), CONTENT);
    fs::remove_dir_all(&dir).expect("it is there");
}

#[test]
fn without_a_network_it_says_what_it_would_get() {
    if !curl() {
        return;
    }
    let dir = directory("unreachable");
    // A port that was free a moment ago, and where nobody listens.
    let port = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", port.local_addr().expect("an address"));
    drop(port);
    let error = fetch(SOURCES, &address, &dir).expect_err("nobody listens");
    for source in SOURCES {
        assert!(error.contains(&source.describe(&address)), "{error}");
    }
    assert_eq!(files(&dir), [""; 0]);
    let _ = fs::remove_dir_all(&dir);
}

#[test]
fn the_table_is_in_order_and_is_what_the_readers_read() {
    assert!(SOURCES.is_sorted_by_key(|source| source.file));
    for source in SOURCES {
        assert_eq!((source.commit.len(), source.sha256.len()), (40, 64));
        // Where the whole set is, it holds the same files.
        if let Some(files) = lanner_vectors::shared_dir() {
            let bytes = fs::read(files.join(source.file)).expect(source.file);
            source.check(&bytes).expect(source.file);
        }
    }
    assert_eq!(
        lanner_vectors::hex::encode(&Sha256::digest(CONTENT)),
        SHA256
    );
}
