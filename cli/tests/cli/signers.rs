//! Lists of who may sign: the same verdicts as ssh-keygen's.

use crate::harness::*;
use crate::tools::*;
use serde_json::Value;

/// A message `m` signed by the key of RFC 8032, for files.
fn place() -> Place {
    let place = Place::new().with_keys();
    place.write("m", "a message\n");
    place.run(&["sign", "-k", "k.pem", "m"]).ended(0);
    place
}

/// The lines of the key of RFC 8032 and of another one.
fn lines(place: &Place) -> (String, String) {
    let line = |file: &str| {
        let run = place.run(&["convert", file, "--to", "openssh"]).ended(0);
        run.text().trim().to_owned()
    };
    let keygen = ["keygen", "--no-password", "-o", "other.pem"];
    place.run(&keygen).ended(0);
    (line("k.pub.pem"), line("other.pub.pem"))
}

#[track_caller]
fn verify(place: &Place, options: &[&str], code: i32) -> Value {
    let run = place.run(&[&["verify", "m", "--signers", "signers", "--json"], options].concat());
    run.ended(code).json()
}

/// Files, the name that is asked for, the time, and the exit code; each is put to ssh-keygen, too.
#[test]
fn the_same_verdicts_as_ssh_keygen() {
    let place = place();
    let (key, other) = lines(&place);
    let past = "20200101Z";
    let now = "20260601120000Z";
    let ours = have("ssh-keygen", "lists of signers beside ssh-keygen's");
    for (file, name, time, code) in [
        (format!("alice@x {key}"), "alice@x", now, 0),
        (
            format!("# comment\n\n  alice@x {key} a comment\n"),
            "alice@x",
            now,
            0,
        ),
        (format!("alice@x {other}"), "alice@x", now, 5),
        (format!("alice@x {other}\nalice@x {key}"), "alice@x", now, 0),
        (format!("alice@x {key}"), "bob@x", now, 5),
        (format!("*@x {key}"), "bob@x", now, 0),
        (format!("*@x,!bob@x {key}"), "bob@x", now, 5),
        (format!("bob@y,b?b@x {key}"), "bob@x", now, 0),
        (
            format!("alice@x namespaces=\"file\" {key}"),
            "alice@x",
            now,
            0,
        ),
        (
            format!("alice@x namespaces=\"git,file\" {key}"),
            "alice@x",
            now,
            0,
        ),
        (
            format!("alice@x namespaces=\"git\" {key}"),
            "alice@x",
            now,
            5,
        ),
        (
            format!("alice@x namespaces=\"f*\" {key}"),
            "alice@x",
            now,
            0,
        ),
        (
            format!("alice@x valid-after=\"20250101Z\" {key}"),
            "alice@x",
            now,
            0,
        ),
        (
            format!("alice@x valid-after=\"20250101Z\" {key}"),
            "alice@x",
            past,
            6,
        ),
        (
            format!("alice@x valid-before=\"20250101Z\" {key}"),
            "alice@x",
            now,
            6,
        ),
        (
            format!("alice@x valid-before=\"20250101Z\" {key}"),
            "alice@x",
            past,
            0,
        ),
        (
            format!(
                "alice@x namespaces=\"file\",valid-after=\"20190101Z\",valid-before=\"20200102Z\" {key}"
            ),
            "alice@x",
            past,
            0,
        ),
        // For ever.
        (
            format!("alice@x valid-before=\"99991231Z\" {key}"),
            "alice@x",
            now,
            0,
        ),
        (
            format!("alice@x valid-before=\"99991231\" {key}"),
            "alice@x",
            now,
            0,
        ),
        (
            format!("alice@x valid-after=\"99991231\" {key}"),
            "alice@x",
            now,
            6,
        ),
        (
            format!("alice@x valid-before=\"20250101UTC\" {key}"),
            "alice@x",
            now,
            6,
        ),
        (
            format!("alice@x valid-before=\"20250101utc\" {key}"),
            "alice@x",
            past,
            0,
        ),
        (
            format!("alice@x valid-before=\"20250101Z\" {key}\nalice@x {key}"),
            "alice@x",
            now,
            0,
        ),
        (format!("\"alice@x\" {key}"), "alice@x", now, 0),
        (format!("\"alice@x,bob c\" {key}"), "bob c", now, 0),
        (format!("\"*,!bob\" {key}"), "bob", now, 5),
        // Marks within the names: never good where ssh-keygen says that it is not.
        (format!("*,!\"bob\" {key}"), "bob", now, 4),
        (format!("*,\"!bob\" {key}"), "bob", now, 4),
        (format!("*,!\"bob c\" {key}"), "bob c", now, 4),
        (format!("*,!b\"o\"b {key}"), "bob", now, 4),
        (format!("\"*\",!bob {key}"), "bob", now, 4),
        (format!("\"alice b\",alice@x {key}"), "alice@x", now, 4),
        (format!("\"\"alice@x {key}"), "alice@x", now, 4),
        (format!("alice@x cert-authority {key}"), "alice@x", now, 4),
        (
            format!("alice@x cert-authority {other}\nalice@x {key}"),
            "alice@x",
            now,
            0,
        ),
        (format!("alice@x nonsense {key}"), "alice@x", now, 4),
        (format!("alice@x namespaces=file {key}"), "alice@x", now, 4),
        (
            format!("alice@x namespaces=\"file {key}"),
            "alice@x",
            now,
            4,
        ),
        (
            format!("alice@x namespaces=\"\"file\"\" {key}"),
            "alice@x",
            now,
            4,
        ),
        (
            format!("alice@x namespaces=\"file\"x {key}"),
            "alice@x",
            now,
            4,
        ),
        (
            format!("alice@x valid-after=20250101Z {key}"),
            "alice@x",
            now,
            4,
        ),
        (
            format!("alice@x valid-before=20300101Z {key}"),
            "alice@x",
            now,
            4,
        ),
        (
            format!("alice@x valid-after=\"tomorrow\" {key}"),
            "alice@x",
            now,
            4,
        ),
        ("alice@x ssh-ed25519 AAAA".to_owned(), "alice@x", now, 4),
        ("alice@x".to_owned(), "alice@x", now, 4),
        (String::new(), "alice@x", now, 5),
    ] {
        place.write("signers", &file);
        let json = verify(&place, &["--signer", name, "--verify-time", time], code);
        if code == 0 {
            assert_eq!(json["results"][0]["signer"], name, "{file}");
        }
        if ours {
            let line = format!(
                "ssh-keygen -Y verify -f signers -I '{name}' -n file -s m.sig -Overify-time={time} < m"
            );
            let (theirs, said) = try_script(&place, &line);
            assert_eq!(theirs == Some(0), code == 0, "{file}: {said}");
            let line = line.replacen("ssh-keygen", "lanner-git", 1);
            let (git, said) = try_script(&place, &line);
            assert_eq!(git == Some(0), code == 0, "{file}: {said}");
        }
    }
}

#[test]
fn who_is_not_listed_is_unknown() {
    let place = place();
    let (key, other) = lines(&place);
    place.write("signers", format!("alice@x,a@y {key}\n"));
    // Without a name, whoever is listed.
    let json = verify(&place, &[], 0);
    assert_eq!(json["results"][0]["signer"], "alice@x,a@y");
    place.write("signers", format!("alice@x {other}\n"));
    let json = verify(&place, &[], 5);
    assert_eq!(json["results"][0]["verdict"], "unknown_signer");
    assert_eq!(json["error"]["kind"], "unknown_signer");
    place.write(
        "signers",
        format!("alice@x valid-before=\"20200101Z\" {key}\n"),
    );
    let json = verify(&place, &[], 6);
    assert_eq!(json["results"][0]["verdict"], "outside_validity");
    // What is not valid stays so, whoever is listed.
    place.write("m", "tampered");
    verify(&place, &[], 1);
    std::fs::remove_file(place.path("signers")).unwrap();
    verify(&place, &[], 3);
    for args in [
        &["verify", "m", "--signer", "alice@x"][..],
        &[
            "verify",
            "m",
            "--verify-time",
            "20200101",
            "-k",
            "k.pub.pem",
        ],
        &["verify", "m", "--signers", "signers", "-k", "k.pub.pem"],
    ] {
        place.run(args).ended(2);
    }
}

/// A refusal says why, also where there is no report.
#[test]
fn refusals_say_why() {
    let place = place();
    let (key, other) = lines(&place);
    let none = "";
    for (list, options, code, words) in [
        (&other, none, 5, "signers does not list its key"),
        (&key, "--signer=bob@x", 5, "does not list its key for bob@x"),
        (&key, "-ngit", 1, "for the namespace \"file\", not \"git\""),
    ] {
        place.write("signers", format!("alice@x {list}\n"));
        let mut args = vec!["verify", "m", "--signers", "signers"];
        args.extend((options != none).then_some(options));
        let quiet = place.run(&[&args[..], &["--quiet"]].concat());
        let quiet = quiet.failed(code, &[words]);
        assert!(!quiet.stderr.contains("nobody has said"), "{quiet:?}");
        assert!(!quiet.stderr.contains("--signers FILE"), "{quiet:?}");
        let json = place.run(&[&args[..], &["--json"]].concat()).ended(code);
        let message = json.json()["error"]["message"].to_string();
        let message = message.replace("\\\"", "\"");
        assert!(message.contains(words), "{message}");
    }
    let early = format!("alice@x {other}\nalice@x valid-before=\"20200101Z\" {key}\n");
    place.write("signers", early);
    place
        .run(&["verify", "m", "--signers", "signers", "--quiet"])
        .failed(6, &["signers, line 2, lets it sign at another time only"]);
    let other = ["verify", "m", "-k", "other.pub.pem", "--quiet"];
    place
        .run(&other)
        .failed(1, &["it names another key, SHA256:"]);
}

/// Times without a zone are those of the system, or of `TZ`, as they are to ssh-keygen: in standard time, in summer too.
/// Where the zone is not known, nothing is taken for it.
#[test]
fn times_are_in_the_zone_of_the_system() {
    let place = place();
    let (key, _) = lines(&place);
    let at = |zone: Option<&str>, time: &str, more: &str| {
        let mut command = place.command();
        command.args(["verify", "m", "--signers", "signers", "--verify-time", time]);
        command.args(more.split_whitespace());
        match zone {
            Some(zone) => command.env("TZ", zone),
            None => command.env_remove("TZ"),
        };
        Run::of(&mut command)
    };
    let ours = have("ssh-keygen", "times in zones beside ssh-keygen's");
    let zones = std::path::Path::new("/usr/share/zoneinfo/America/New_York").exists();
    // The zone, a time in it, and the last second before it, in UTC.
    let mut cases = vec![
        ("", "20260601", "20260531235959Z"),
        ("UTC", "202606011200", "20260601115959Z"),
        ("<+09>-9", "20260601", "20260531145959Z"),
        ("EST5EDT,M3.2.0,M11.1.0", "20260101", "20260101045959Z"),
        ("EST5EDT,M3.2.0,M11.1.0", "20260701", "20260701045959Z"),
        ("CET-1CEST", "20260101", "20251231225959Z"),
        ("CET-1CEST", "20260701", "20260630225959Z"),
    ];
    if zones {
        cases.extend([
            ("Asia/Tokyo", "20260601", "20260531145959Z"),
            ("Asia/Tokyo", "202606011200", "20260601025959Z"),
            (":Asia/Tokyo", "20260601", "20260531145959Z"),
            (
                "/usr/share/zoneinfo/Asia/Tokyo",
                "20260601",
                "20260531145959Z",
            ),
            ("America/New_York", "20260101", "20260101045959Z"),
            ("America/New_York", "20260701", "20260701045959Z"),
            // The hour that is there twice, and the one that is not.
            ("America/New_York", "202611010130", "20261101062959Z"),
            ("America/New_York", "202603080230", "20260308072959Z"),
            ("Europe/Berlin", "20260701", "20260630225959Z"),
            ("Australia/Sydney", "20260101", "20251231135959Z"),
            ("Pacific/Kiritimati", "20260701", "20260630095959Z"),
        ]);
    } else {
        skip("names of time zones: there are none here");
    }
    for (zone, time, before) in cases {
        for (option, codes) in [("valid-before", [0, 6]), ("valid-after", [6, 0])] {
            place.write("signers", format!("alice@x {option}=\"{time}\" {key}"));
            for (moment, code) in [before.to_owned(), later(before)].iter().zip(codes) {
                let run = at(Some(zone), moment, "");
                assert_eq!(
                    run.code,
                    Some(code),
                    "{zone} {option} {time} {moment}: {run:?}"
                );
                if ours {
                    let line = format!(
                        "export TZ='{zone}'; ssh-keygen -Y verify -f signers -I alice@x -n file -s m.sig \
                         -Overify-time={moment} < m"
                    );
                    let (theirs, said) = try_script(&place, &line);
                    assert_eq!(
                        theirs == Some(0),
                        code == 0,
                        "{line} {option} {time}: {said}"
                    );
                    let (git, said) =
                        try_script(&place, &line.replacen("ssh-keygen", "lanner-git", 1));
                    assert_eq!(git == Some(0), code == 0, "{line} {option} {time}: {said}");
                }
            }
        }
    }
    // What expired in Tokyo is still good in New York.
    if zones {
        place.write(
            "signers",
            format!("alice@x valid-before=\"20260601\" {key}"),
        );
        at(Some("Asia/Tokyo"), "20260531200000Z", "").ended(6);
        at(Some("America/New_York"), "20260531200000Z", "").ended(0);
        // The option is read in the same way.
        at(Some("Asia/Tokyo"), "202605312359", "").ended(0);
    }
    for zone in ["Nowhere/Nothing", "JST", "nonsense", "/none"] {
        place.write(
            "signers",
            format!("alice@x valid-before=\"20300101\" {key}"),
        );
        let now = "20260601Z";
        at(Some(zone), now, "").failed(4, &["signers, line 1", "time zone", "set TZ"]);
        place.write(
            "signers",
            format!("alice@x valid-before=\"20300101Z\" {key}"),
        );
        at(Some(zone), now, "").ended(0);
        at(Some(zone), "20260601", "").failed(2, &["is not a time", "set TZ"]);
    }
    // Whatever this system's own zone is, there is one, or it says so.
    place.write(
        "signers",
        format!("alice@x valid-before=\"20300101\" {key}"),
    );
    let run = at(None, "20260601Z", "");
    assert!(
        run.code == Some(0) || run.stderr.contains("set TZ"),
        "{run:?}"
    );
}

/// Two seconds after a time of the form YYYYMMDDHHMM59Z.
fn later(time: &str) -> String {
    let time: Vec<u64> = [0..4, 4..6, 6..8, 8..10, 10..12]
        .into_iter()
        .map(|part| time[part].parse().unwrap())
        .collect();
    let [year, month, day, hour, minute] = time[..] else {
        unreachable!()
    };
    let days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month as usize - 1];
    let minutes = minute + 1;
    let hours = hour + minutes / 60;
    let all_days = day + hours / 24;
    let months = month + u64::from(all_days > days);
    let years = year + u64::from(months > 12);
    format!(
        "{years:04}{:02}{:02}{:02}{:02}01Z",
        if months > 12 { 1 } else { months },
        if all_days > days { 1 } else { all_days },
        hours % 24,
        minutes % 60
    )
}

#[test]
fn a_line_that_is_not_utf8_is_named() {
    let place = place();
    let (key, _) = lines(&place);
    place.write(
        "signers",
        [
            format!("# one\nalice@x {key}\n").as_bytes(),
            b"bob@x \xff\n",
        ]
        .concat(),
    );
    place
        .run(&["verify", "m", "--signers", "signers"])
        .failed(4, &["signers, line 3,", "UTF-8"]);
}

/// The reason that is given is the one that there is.
#[test]
fn a_key_for_another_namespace() {
    let place = place();
    let (key, other) = lines(&place);
    for (file, reason) in [
        (
            format!("a@x namespaces=\"git\" {key}"),
            "signers, line 1, lists it for \"git\", not for \"file\"",
        ),
        (
            format!("# who\nb@x {other}\na@x namespaces=\"git,g*\" {key}"),
            "signers, line 3, lists it for \"git,g*\", not for \"file\"",
        ),
        (format!("b@x {other}"), "signers does not list its key"),
    ] {
        place.write("signers", file);
        let result = verify(&place, &[], 5);
        let result = &result["results"][0];
        assert_eq!(result["verdict"], "unknown_signer");
        assert_eq!(result["reason"], reason);
        let run = place.run(&["verify", "m", "--signers", "signers"]).ended(5);
        assert!(
            run.text().contains(&format!("  because      {reason}\n")),
            "{run:?}"
        );
    }
    place.write("signers", format!("a@x namespaces=\"git\" {key}"));
    verify(&place, &["-n", "git"], 1);
    let (code, said) = try_script(
        &place,
        "lanner-git -Y verify -n file -I a@x -f signers -s m.sig < m",
    );
    assert_eq!(code, Some(255));
    assert!(
        said.contains("lets a@x use for \"git\" only (line 1)"),
        "{said}"
    );
}
