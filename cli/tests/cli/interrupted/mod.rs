//! Every command that writes, ended at each of its system calls: by the signals that it can hear, by
//! SIGKILL, and by a loss of power.
//!
//! strace sends the signals and writes down the calls. Without it nothing here is checked, and the
//! tests say so. The tests that come with every other run try one signal, or one error, at each call, and those that
//! are marked as long try all of them.
#![cfg(target_os = "linux")]

mod errors;
mod power_loss;
mod tours;
mod trees;

use crate::harness::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

const CAUGHT: [&str; 3] = ["INT", "TERM", "HUP"];

/// A system call of a run: its name, and how often it has come by then.
type Call = (String, usize);

/// With four signals, and another start for each, every call gets one.
const ONE_EACH: usize = CAUGHT.len() + 1;

/// What a run that was ended early has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Left {
    /// Everything as before.
    Before,
    /// Everything as after a whole run.
    After,
    /// Something else that is allowed after SIGKILL.
    Between,
}

/// A command, a directory for it, and what may be there after it was ended.
struct Scene {
    args: &'static [&'static str],
    prepare: fn() -> Place,
    judge: fn(&Place) -> Result<Left, String>,
    /// Work with temporary files that have names, as on systems that have no others.
    named: bool,
    /// End it in the start of the process, too, which all commands have in common.
    start: bool,
}

impl Scene {
    fn new(
        args: &'static [&'static str],
        prepare: fn() -> Place,
        judge: fn(&Place) -> Result<Left, String>,
    ) -> Scene {
        Scene {
            args,
            prepare,
            judge,
            named: false,
            start: false,
        }
    }

    fn with_start(self) -> Scene {
        Scene {
            start: true,
            ..self
        }
    }

    fn named(self) -> Scene {
        Scene {
            named: true,
            ..self
        }
    }

    /// strace over the command, with its own options first.
    fn strace(&self, place: &Place, options: &[&str]) -> Command {
        let mut command = started_as_usual("strace");
        command
            .args(["-f", "-qq", "-e", "signal=none"])
            .args(options)
            .arg(Place::program())
            .args(self.args)
            .current_dir(place.root())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if self.named {
            command.env("LANNER_TEST_NAMED_FILES", "1");
        }
        command
    }

    /// The same with something done to one system call alone. For errors the kernel filters, and the others run
    /// undisturbed; with a filter, strace (6.1) sends no signals.
    fn inject(&self, place: &Place, (name, count): &Call, what: &str) -> Command {
        let trace = format!("trace={name}");
        let inject = format!("inject={name}:{what}:when={count}");
        let options = ["-o", "/dev/null", "-e", &trace, "-e", &inject];
        let filter: &[&str] = if what.starts_with("error=") {
            &["--seccomp-bpf"]
        } else {
            &[]
        };
        self.strace(place, &[filter, &options].concat())
    }

    /// Names of the system calls of a whole run, each with how often it has come by then.
    fn calls(&self) -> Vec<Call> {
        let calls = counted_calls(&self.trace(&[]));
        if self.start {
            return calls;
        }
        let version = Scene::new(&["--version"], empty, |_| Ok(Left::After));
        let start = counted_calls(&version.trace(&[]));
        let common = calls.iter().zip(&start).take_while(|(a, b)| a == b);
        calls[common.count()..].to_vec()
    }

    fn trace(&self, options: &[&str]) -> String {
        let place = (self.prepare)();
        let log = tempfile::NamedTempFile::new().unwrap();
        let path = log.path().to_str().unwrap();
        let status = self
            .strace(&place, &[options, &["-o", path]].concat())
            .status();
        assert!(status.unwrap().success(), "{:?}", self.args);
        assert_eq!((self.judge)(&place), Ok(Left::After), "{:?}", self.args);
        std::fs::read_to_string(path).unwrap()
    }

    /// Ends the command by `signal` at the given call, and judges what is left.
    fn end_at(&self, signal: &str, call: &Call) -> Left {
        let place = (self.prepare)();
        let at = format!("{:?}, SIG{signal} at {call:?}", self.args);
        let mut run = self.inject(&place, call, &format!("signal=SIG{signal}"));
        run.status().unwrap();
        let left = (self.judge)(&place).unwrap_or_else(|e| panic!("{at}: {e}; {:?}", tree(&place)));
        let leftovers = leftovers(&place);
        if signal == "KILL" {
            // Whatever writes here next removes what was left behind.
            place.write_private("next.pem", secret_pem(ED25519_SECRET_DER, RFC8032_SECRET));
            place
                .run(&["public", "next.pem", "-o", "next.pub.pem"])
                .ended(0);
            for directory in leftovers {
                assert_eq!(
                    directory, "",
                    "{at}: only the next run there would remove it"
                );
            }
            let rest = self::leftovers(&place);
            assert!(rest.is_empty(), "{at}: {:?}", tree(&place));
        } else {
            assert_ne!(left, Left::Between, "{at}: {:?}", tree(&place));
            assert!(leftovers.is_empty(), "{at}: {:?}", tree(&place));
        }
        left
    }

    /// Ends the command at each call, or at every `step`th one with another start for each signal, and
    /// returns what was left by SIGKILL.
    fn sweep(&self, step: usize) -> BTreeSet<Left> {
        let calls = self.calls();
        for (i, signal) in CAUGHT.into_iter().enumerate() {
            let left: BTreeSet<Left> = calls
                .iter()
                .skip(i % step)
                .step_by(step)
                .map(|call| self.end_at(signal, call))
                .collect();
            assert!(
                left.contains(&Left::Before) && (step > 1 || left.contains(&Left::After)),
                "{:?}, SIG{signal}: {left:?}",
                self.args
            );
        }
        let killed = calls.iter().skip(CAUGHT.len() % step).step_by(step);
        killed.map(|call| self.end_at("KILL", call)).collect()
    }
}

fn counted_calls(trace: &str) -> Vec<Call> {
    let mut counts = HashMap::new();
    trace
        .lines()
        .filter_map(|line| {
            let (_, call) = line.split_once(' ')?;
            let (name, _) = call.trim_start().split_once('(')?;
            let count = counts.entry(name.to_owned()).or_insert(0);
            *count += 1;
            Some((name.to_owned(), *count))
        })
        .collect()
}

/// A program that ignores no signal, whatever these tests were started from (`nohup` ignores SIGHUP).
fn started_as_usual(program: &str) -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP,INT,TERM", program]);
    command
}

/// True if strace works here, and if the command can be told to use named files.
fn possible(what: &str) -> bool {
    let strace = started_as_usual("strace")
        .args(["-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e"])
        .args(["inject=getpid:signal=SIGINT:when=65535", "true"])
        .stderr(Stdio::null())
        .status();
    let works = strace.is_ok_and(|status| status.success());
    if !works {
        skip(&format!("{what}: no strace here, or it may not trace"));
    }
    works
}

/// All files, by their paths from the place.
fn tree(place: &Place) -> BTreeMap<String, Vec<u8>> {
    fn walk(place: &Place, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(place.path(prefix)).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                walk(place, &format!("{name}/"), files);
            } else {
                files.insert(name.clone(), place.read(&name));
            }
        }
    }
    let mut files = BTreeMap::new();
    walk(place, "", &mut files);
    files
}

fn is_leftover(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap();
    name.starts_with(".lanner-") && name.ends_with(".tmp")
}

/// The directories of files that were left behind, one for each: "" or "dir/".
fn leftovers(place: &Place) -> Vec<String> {
    let paths = tree(place).into_keys().filter(|path| is_leftover(path));
    paths
        .map(|path| path[..path.rfind('/').map_or(0, |at| at + 1)].to_owned())
        .collect()
}

/// The files that are there, leftovers apart: all of them must be among `known`.
fn known(place: &Place, known: &[&str]) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let files: BTreeMap<_, _> = tree(place)
        .into_iter()
        .filter(|(path, _)| !is_leftover(path))
        .collect();
    match files.keys().find(|path| !known.contains(&path.as_str())) {
        Some(path) => Err(format!("{path} should not be there")),
        None => Ok(files),
    }
}

/// The public half of a secret key file.
fn derived(place: &Place, secret: &str) -> Result<Vec<u8>, String> {
    let run = place.run(&["public", secret]);
    if run.code == Some(0) {
        Ok(run.stdout)
    } else {
        Err(format!("{secret} is not whole: {run:?}"))
    }
}

fn empty() -> Place {
    Place::new()
}

/// A new pair: the secret key may be alone, the public key may not.
fn new_pair(place: &Place) -> Result<Left, String> {
    let files = known(place, &["a.pem", "a.pub.pem"])?;
    match (files.get("a.pem"), files.get("a.pub.pem")) {
        (None, None) => Ok(Left::Before),
        (None, Some(_)) => Err("a public key without its secret".into()),
        (Some(_), None) => derived(place, "a.pem").map(|_| Left::Between),
        (Some(_), Some(public)) if derived(place, "a.pem")? == *public => Ok(Left::After),
        (Some(_), Some(_)) => Err("the pair does not match".into()),
    }
}

fn old_pair() -> Place {
    let place = Place::new();
    place.write_private("a.pem", secret_pem(ED25519_SECRET_DER, RFC8032_SECRET));
    place.write("a.pub.pem", public_pem(ED25519_PUBLIC_DER, RFC8032_PUBLIC));
    place
}

/// A pair in the place of another: the old secret key is there until the new pair is whole.
fn replaced_pair(place: &Place) -> Result<Left, String> {
    let old = secret_pem(ED25519_SECRET_DER, RFC8032_SECRET).into_bytes();
    let files = known(place, &["a.pem", "a.pub.pem", "a.pem.old"])?;
    let secret = files.get("a.pem");
    let whole = match (secret, files.get("a.pub.pem")) {
        (None, Some(_)) => return Err("a public key without its secret".into()),
        (Some(_), Some(public)) if derived(place, "a.pem")? != *public => {
            return Err("the pair does not match".into());
        }
        (Some(_), Some(_)) => true,
        (Some(_), None) => {
            derived(place, "a.pem")?;
            false
        }
        (None, None) => false,
    };
    match files.get("a.pem.old") {
        Some(aside) if *aside != old => Err("a.pem.old is not the old key".into()),
        Some(_) => Ok(Left::Between),
        None if secret == Some(&old) && whole => Ok(Left::Before),
        None if secret == Some(&old) => Ok(Left::Between),
        None if whole => Ok(Left::After),
        None => Err("the old secret key is lost".into()),
    }
}

fn with_message() -> Place {
    let place = Place::new().with_keys();
    place.write("m", "a message");
    place
}

fn with_old_output() -> Place {
    let place = with_message();
    place.write_private("out", "old");
    place
}

/// What `lanner ARGS -o out` makes, whole or not at all.
fn whole(place: &Place, good: &[u8], old: Option<&[u8]>) -> Result<Left, String> {
    let inputs = [
        "k.pem",
        "k.pub.pem",
        "x.pem",
        "x.pub.pem",
        "m",
        "predicate",
        "table",
        "out",
    ];
    match known(place, &inputs)?.get("out").map(Vec::as_slice) {
        Some(bytes) if bytes == good => Ok(Left::After),
        bytes if bytes == old => Ok(Left::Before),
        bytes => Err(format!("out is {bytes:?}")),
    }
}

fn public_key() -> Vec<u8> {
    public_pem(ED25519_PUBLIC_DER, RFC8032_PUBLIC).into_bytes()
}

/// That of the message: Ed25519 makes the same each time.
fn signature() -> &'static [u8] {
    static SIGNATURE: OnceLock<Vec<u8>> = OnceLock::new();
    SIGNATURE.get_or_init(|| {
        let args = ["sign", "-k", "k.pem", "m", "-o", "-"];
        with_message().run(&args).ended(0).stdout
    })
}

fn sweep_pairs(scene: fn() -> Scene, step: usize) {
    if !possible("key pairs at system calls") {
        return;
    }
    let mut scenes = vec![scene()];
    if cfg!(debug_assertions) {
        scenes.push(scene().named());
    } else {
        skip("named temporary files: not in this build");
    }
    for scene in scenes {
        let left = scene.sweep(step);
        let all = BTreeSet::from([Left::Before, Left::After, Left::Between]);
        assert!(left == all || step > 1, "{left:?}");
    }
}

fn new_pair_scene() -> Scene {
    Scene::new(&["keygen", "--no-password", "-o", "a.pem"], empty, new_pair)
}

fn replaced_pair_scene() -> Scene {
    let args = &["keygen", "--no-password", "-o", "a.pem", "--force"];
    Scene::new(args, old_pair, replaced_pair)
}

#[test]
fn new_pairs() {
    sweep_pairs(new_pair_scene, ONE_EACH);
}

#[test]
#[ignore = "a minute: every system call of keygen, under four signals"]
fn new_pairs_at_every_call() {
    sweep_pairs(|| new_pair_scene().with_start(), 1);
}

#[test]
fn replaced_pairs() {
    sweep_pairs(replaced_pair_scene, ONE_EACH);
}

#[test]
#[ignore = "a minute: every system call of keygen --force, under four signals"]
fn replaced_pairs_at_every_call() {
    sweep_pairs(replaced_pair_scene, 1);
}

#[test]
fn single_files() {
    sweep_single_files(ONE_EACH);
}

#[test]
#[ignore = "a minute: every system call of three commands, under four signals"]
fn single_files_at_every_call() {
    sweep_single_files(1);
}

fn sweep_single_files(step: usize) {
    const EXCHANGE_AGAIN: &[&str] = &[
        "exchange",
        "-k",
        "x.pem",
        "x.pub.pem",
        "-o",
        "out",
        "--force",
    ];
    if !possible("signatures, secrets and public keys at every system call") {
        return;
    }
    let scenes = [
        Scene::new(&["public", "k.pem", "-o", "out"], with_message, |place| {
            whole(place, &public_key(), None)
        }),
        Scene::new(
            &["sign", "-k", "k.pem", "m", "-o", "out"],
            with_message,
            |place| whole(place, signature(), None),
        ),
        Scene::new(
            &["exchange", "-k", "x.pem", "x.pub.pem", "-o", "out"],
            with_message,
            |place| whole(place, &unhex(RFC7748_SHARED), None),
        ),
        Scene::new(
            &["public", "k.pem", "-o", "out", "--force"],
            with_old_output,
            |place| whole(place, &public_key(), Some(b"old")),
        ),
        Scene::new(
            &["sign", "-k", "k.pem", "m", "-o", "out", "--force"],
            with_old_output,
            |place| whole(place, signature(), Some(b"old")),
        ),
        Scene::new(EXCHANGE_AGAIN, with_old_output, |place| {
            whole(place, &unhex(RFC7748_SHARED), Some(b"old"))
        }),
        Scene::new(EXCHANGE_AGAIN, with_old_output, |place| {
            whole(place, &unhex(RFC7748_SHARED), Some(b"old"))
        })
        .named(),
    ];
    for scene in scenes {
        if !scene.named || cfg!(debug_assertions) {
            let left = scene.sweep(step);
            let both = BTreeSet::from([Left::Before, Left::After]);
            assert!(
                left == both || step > 1 && left.is_subset(&both),
                "{left:?}"
            );
        }
    }
}

/// Where unnamed files can be made but not named, named ones do the work.
#[test]
fn unnamed_files_that_cannot_be_named() {
    if !possible("unnamed files that cannot be named") {
        return;
    }
    for scene in [new_pair_scene(), replaced_pair_scene()] {
        let place = (scene.prepare)();
        let options = ["-o", "/dev/null", "-e", "inject=linkat:error=EPERM"];
        let status = scene.strace(&place, &options).status().unwrap();
        assert!(status.success());
        assert_eq!((scene.judge)(&place), Ok(Left::After));
        assert_eq!(mode(&place.path("a.pem")), 0o600);
    }
}
