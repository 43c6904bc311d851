//! The tour of quickstart, ended at its system calls: its directory is whole or gone.

use super::*;

/// The directory of a tour: gone or whole, and after SIGKILL free of half pairs.
fn tour(place: &Place) -> Result<Left, String> {
    const SECRETS: [&str; 5] = [
        "signer",
        "signer-fn-dsa-512",
        "signer-fn-dsa-1024",
        "alice",
        "bob",
    ];
    let mut names = vec!["m".to_owned()];
    for secret in SECRETS {
        names.extend([format!("d/{secret}.pem"), format!("d/{secret}.pub.pem")]);
    }
    let others = [
        "d/m.sig",
        "d/tampered-m",
        "d/stranger.pub.pem",
        "d/m.fn-dsa-512.sig",
        "d/m.fn-dsa-1024.sig",
    ];
    names.extend(others.map(String::from));
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    let files = known(place, &all)?;
    for secret in SECRETS {
        let (secret, public) = (format!("d/{secret}.pem"), format!("d/{secret}.pub.pem"));
        if let Some(public) = files.get(&public) {
            if !files.contains_key(&secret) {
                return Err(format!("{secret} is missing"));
            }
            if derived(place, &secret)? != *public {
                return Err(format!("{secret} does not match"));
            }
        } else if files.contains_key(&secret) {
            derived(place, &secret)?;
        }
    }
    for name in ["d/m.sig", "d/m.fn-dsa-512.sig", "d/m.fn-dsa-1024.sig"] {
        let end = b"-----END SSH SIGNATURE-----\n";
        if files.get(name).is_some_and(|bytes| !bytes.ends_with(end)) {
            return Err(format!("{name} is not whole"));
        }
    }
    if files
        .get("d/tampered-m")
        .is_some_and(|bytes| bytes.len() != 9)
    {
        return Err("d/tampered-m is not whole".to_owned());
    }
    Ok(if files.len() == all.len() {
        Left::After
    } else if files.len() == 1 && !place.exists("d") {
        Left::Before
    } else {
        Left::Between
    })
}

fn sweep_tour(step: usize) {
    if possible("quickstart at system calls") {
        let scene = Scene::new(&["quickstart", "m", "--dir", "d"], with_lone_message, tour);
        let left = scene.sweep(step);
        assert!(left.contains(&Left::Between), "{left:?}");
    }
}

fn with_lone_message() -> Place {
    let place = Place::new();
    place.write("m", "a message");
    place
}

#[test]
fn tours() {
    sweep_tour(11);
}

#[test]
#[ignore = "minutes: every system call of quickstart, under four signals"]
fn tours_at_every_call() {
    sweep_tour(1);
}

/// A signal that the command was started to ignore does not stop it.
#[test]
fn ignored_signals_stay_ignored() {
    if !possible("ignored signals") {
        return;
    }
    for (ignored, left) in [("HUP", Left::After), ("USR1", Left::Before)] {
        let place = Place::new();
        let script = format!(
            "trap '' {ignored}; exec strace -f -qq -o /dev/null -e inject=linkat:signal=SIGHUP:when=1 \
             -e inject=fsync:signal=SIGHUP:when=1 {:?} quickstart m --dir d",
            Place::program()
        );
        place.write("m", "a message");
        let output = started_as_usual("sh")
            .args(["-c", &script])
            .current_dir(place.root())
            .output();
        assert_eq!(tour(&place), Ok(left), "{ignored}: {output:?}");
    }
}
