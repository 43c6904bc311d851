//! `verify-batch`: tables of signatures.

use crate::harness::*;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// RFC 8032, section 7.1: public key, message, signature.
const RFC8032: [[&str; 3]; 3] = [
    [RFC8032_PUBLIC, "", RFC8032_SIGNATURE],
    [
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c\
         387b2eaeb4302aeeb00d291612bb0c00",
    ],
    [
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659\
         4a7c15e9716ed28dc027beceea1ec40a",
    ],
];

fn object(parts: [&str; 3]) -> String {
    let [key, message, signature] = parts;
    json!({"public_key": key, "message": message, "signature": signature}).to_string()
}

/// The verdicts, as JSON lines.
fn verdicts(run: &Run) -> Vec<Value> {
    run.text()
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn names(run: &Run) -> Vec<String> {
    let name = |verdict: &Value| verdict["verdict"].as_str().unwrap().to_owned();
    verdicts(run).iter().map(name).collect()
}

fn flip(hex: &str) -> String {
    let other = if hex.starts_with('0') { "1" } else { "0" };
    format!("{other}{}", &hex[1..])
}

#[test]
fn every_kind_of_record() {
    let place = Place::new();
    let [one, two, _] = RFC8032;
    let long = "00".repeat(33);
    let mark = format!("{}00", "535348534947"); // SSHSIG
    // The record, its verdict, and words of the reason.
    let cases: Vec<(String, &str, &str)> = vec![
        (object(one), "valid", ""),
        (object([two[0], two[1], one[2]]), "not_valid", ""),
        (object(two), "valid", ""),
        (object([one[0], "00", one[2]]), "not_valid", ""),
        (
            object([&flip(one[0]), "", one[2]]),
            "not_valid",
            "no point of the curve",
        ),
        (
            object([one[0], "", &one[2][2..]]),
            "not_valid",
            "63 bytes instead of 64",
        ),
        (
            object([&long, "", one[2]]),
            "not_valid",
            "no public key has 33 bytes",
        ),
        (
            object([&one[0].replace('d', "x"), "", one[2]]),
            "malformed",
            "the public key is not in hex",
        ),
        (
            object([one[0], "0", one[2]]),
            "malformed",
            "the message is not in hex",
        ),
        (
            object([one[0], &mark, one[2]]),
            "refused",
            "an SSH signature",
        ),
        (
            "{\"public_key\":\"00\"}".into(),
            "malformed",
            "there is no \"message\"",
        ),
        (
            "{\"public_key\":\"00\"".into(),
            "malformed",
            "no JSON object",
        ),
        ("[1]".into(), "malformed", "no JSON object"),
        (
            object(one).replace("\"message\"", "\"message\":\"00\",\"message\""),
            "malformed",
            "stands there twice",
        ),
        (format!("{} 7", object(one)), "malformed", "no JSON object"),
        (
            object([one[0], "", "7"]).replace("\"7\"", "7"),
            "malformed",
            "the signature is not",
        ),
    ];
    let table: String = cases
        .iter()
        .map(|(line, ..)| format!("{line}\n\n"))
        .collect();
    place.write("t.jsonl", format!("\u{feff}{table}"));
    let run = place.run(&["verify-batch", "t.jsonl"]).ended(1);
    assert!(
        run.stderr
            .contains("2 of 16 signatures are valid, 5 not valid, 8 malformed, 1 refused"),
        "{run:?}"
    );
    let found = verdicts(&run);
    assert_eq!(found.len(), cases.len());
    for (i, ((line, verdict, why), found)) in cases.iter().zip(&found).enumerate() {
        assert_eq!(found["record"], i + 1);
        assert_eq!(found["verdict"], *verdict, "{line}: {found}");
        let reason = found["reason"].as_str().unwrap_or_default();
        assert!(
            reason.contains(why) && reason.is_empty() == why.is_empty(),
            "{line}: {found}"
        );
    }
}

#[test]
fn exit_codes() {
    let place = Place::new();
    let [one, two, _] = RFC8032;
    let bad = object([two[0], "", one[2]]);
    let refused = object([one[0], "535348534947", one[2]]);
    for (lines, code) in [
        (vec![object(one), object(two)], 0),
        (vec![], 4),
        (vec![object(one), bad.clone()], 1),
        (vec![object(one), "{".into()], 4),
        (vec!["{".into(), bad], 1),
        (vec![refused, "{".into()], 1),
    ] {
        place.write("t.jsonl", lines.join("\n"));
        let run = place
            .run(&["verify-batch", "--from", "jsonl", "t.jsonl"])
            .ended(code);
        assert_eq!(verdicts(&run).len(), lines.len());
    }
}

#[test]
fn csv_in_every_encoding() {
    let place = Place::new();
    let base64 = |hex: &str| {
        pem("X", &unhex(hex))
            .lines()
            .skip(1)
            .filter(|l| !l.starts_with('-'))
            .collect::<String>()
    };
    let quoted = |bytes: Vec<u8>| {
        let mut field = vec![b'"'];
        for byte in bytes {
            field.extend(std::iter::repeat_n(byte, if byte == b'"' { 2 } else { 1 }));
        }
        field.push(b'"');
        field
    };
    for encoding in ["hex", "base64", "raw"] {
        let mut table = b"id,signature,public_key,message\r\n".to_vec();
        for (i, parts) in RFC8032.iter().enumerate() {
            let [key, message, signature] = parts.map(|part| match encoding {
                "hex" => part.to_uppercase().into_bytes(),
                "base64" => base64(part).into_bytes(),
                _ => quoted(unhex(part)),
            });
            let id = format!("\"no. {i}, \"\"x\"\"\"");
            table.extend([id.as_bytes(), &signature, &key, &message].join(&b','));
            table.extend(b"\r\n");
        }
        table.extend(b"short,00\r\n");
        place.write("t.csv", &table);
        let run = place
            .run(&[
                "verify-batch",
                "t.csv",
                "--encoding",
                encoding,
                "--keep",
                "id",
            ])
            .ended(4);
        let expected = "record,verdict,reason,id\n\
            1,valid,,\"no. 0, \"\"x\"\"\"\n2,valid,,\"no. 1, \"\"x\"\"\"\n3,valid,,\"no. 2, \"\"x\"\"\"\n\
            4,malformed,\"there is no \"\"public_key\"\": the record is short\",short\n";
        assert_eq!(run.text(), expected, "{encoding}");
    }
}

#[test]
fn json_has_bytes_as_text_and_as_numbers() {
    let place = Place::new();
    let [_, two, three] = RFC8032;
    let numbers = |hex: &str| json!(unhex(hex));
    let lines = [
        json!({"k": two[0], "m": "r", "s": two[2], "n": {"a": [1, null]}}),
        json!({"k": three[0], "m": numbers(three[1]), "s": three[2]}),
        json!({"k": three[0], "m": [256], "s": three[2]}),
    ];
    place.write("t", lines.map(|line| line.to_string()).join("\n"));
    let options = [
        "--columns",
        "k,m,s",
        "--message-encoding",
        "raw",
        "--keep",
        "n",
    ];
    let run = place
        .run(&[&["verify-batch", "t"], &options[..]].concat())
        .ended(4);
    assert_eq!(names(&run), ["valid", "valid", "malformed"]);
    assert_eq!(verdicts(&run)[0]["n"], json!({"a": [1, null]}));
    assert_eq!(verdicts(&run)[1]["n"], Value::Null);
}

/// A signature with a component of small order: what a rule with the cofactor takes and one without refuses.
#[test]
fn profiles() {
    let place = Place::new();
    // Speccheck 4 (Chalkias, Garillot, Nikolaenko: Taming the many EdDSAs, table 5).
    let message = "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c";
    let key = "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d";
    let signature = "160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed5125ec6bc982a269b723e0668e5\
        40911a9a6a58921d6925e434ab10aa7940551a09";
    place.write("t", object([key, message, signature]));
    for (profile, verdict) in [
        ("strict", "not_valid"),
        ("dalek", "not_valid"),
        ("libsodium", "not_valid"),
        ("rfc8032", "valid"),
        ("zip215", "valid"),
    ] {
        let run = place.run(&["verify-batch", "t", "--profile", profile]);
        assert_eq!(names(&run), [verdict], "{profile}: {run:?}");
    }
    let words = ["unknown verification profile", "zip215"];
    place
        .run(&["verify-batch", "t", "--profile", "none"])
        .failed(2, &words);
}

#[test]
fn fn_dsa_and_one_key_for_all() {
    let place = Place::new().with_keys();
    place.write("m", "a message");
    let mut lines = Vec::new();
    for name in ["fn-dsa-512", "fn-dsa-1024"] {
        place
            .run(&["keygen", "--alg", name, "--no-password", "-o", name])
            .ended(0);
        place
            .run(&[
                "sign", "-k", name, "--format", "raw", "m", "-o", "s", "--force",
            ])
            .ended(0);
        place
            .run(&[
                "convert", "--to", "raw", "--public", name, "-o", "p", "--force",
            ])
            .ended(0);
        let hex = |name: &str| {
            place
                .read(name)
                .iter()
                .fold(String::new(), |mut text, byte| {
                    write!(text, "{byte:02x}").unwrap();
                    text
                })
        };
        let message: String = b"a message"
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let (key, signature) = (hex("p"), hex("s"));
        for (message, length) in [
            (&message, signature.len()),
            (&"00".to_owned(), signature.len()),
            (&message, 128),
        ] {
            lines.push(object([&key, message, &signature[..length]]));
        }
    }
    lines.push(object(RFC8032[0]));
    place.write("t", lines.join("\n"));
    let run = place.run(&["verify-batch", "t"]).ended(1);
    let each = ["valid", "not_valid", "not_valid"];
    assert_eq!(names(&run), [&each[..], &each, &["valid"]].concat());
    let run = place
        .run(&["verify-batch", "t", "--alg", "fn-dsa-512"])
        .ended(1);
    assert_eq!(
        names(&run).iter().filter(|name| *name == "valid").count(),
        1
    );

    let line = json!({"message": "", "signature": RFC8032_SIGNATURE}).to_string();
    place.write(
        "one",
        format!("{line}\n{}", line.replace("e55643", "e55644")),
    );
    let run = place
        .run(&["verify-batch", "-k", "k.pub.pem", "one"])
        .ended(1);
    assert_eq!(names(&run), ["valid", "not_valid"]);
    let words = ["secret key"];
    place
        .run(&["verify-batch", "-k", "k.pem", "one"])
        .failed(4, &words);
}

/// More pieces than there are threads, some bad ones in each: the order is kept, whatever the number of threads.
#[test]
fn verdicts_come_in_order() {
    let place = Place::new();
    let mut table = String::from("public_key,message,signature\n");
    let is_bad = |i: usize| i.is_multiple_of(97) || i == 4999;
    for i in 0..5000 {
        let [key, message, signature] = RFC8032[i % 3];
        let message = if is_bad(i) { "0102" } else { message };
        writeln!(table, "{key},{message},{signature}").unwrap();
    }
    for threads in ["1", "2", "7"] {
        let run = Run::from({
            let mut child = place
                .command()
                .args(["verify-batch", "-", "--threads", threads])
                .stdin(std::process::Stdio::piped())
                .stdout(std::process::Stdio::piped())
                .stderr(std::process::Stdio::piped())
                .spawn()
                .unwrap();
            let mut pipe = child.stdin.take().unwrap();
            let bytes = table.clone().into_bytes();
            let writer = std::thread::spawn(move || std::io::Write::write_all(&mut pipe, &bytes));
            let output = child.wait_with_output().unwrap();
            writer.join().unwrap().unwrap();
            output
        })
        .ended(1);
        let mut lines = run.text().lines();
        assert_eq!(lines.next(), Some("record,verdict,reason"));
        for i in 0..5000 {
            let verdict = if is_bad(i) { "not_valid" } else { "valid" };
            assert_eq!(lines.next(), Some(&*format!("{},{verdict},", i + 1)));
        }
        assert_eq!(lines.next(), None);
    }
}

#[test]
fn what_is_refused() {
    let place = Place::new().with_keys();
    place.write("t.csv", "public_key,message\n00,00\n");
    place
        .run(&["verify-batch", "t.csv"])
        .failed(2, &["does not name a column \"signature\"", "--columns"]);
    place.write("t.csv", "public_key,message,signature,message\n");
    place
        .run(&["verify-batch", "t.csv"])
        .failed(2, &["names twice a column \"message\""]);
    place.write("t.csv", "public_key,message,signature\n");
    for (options, words) in [
        (&["--columns", "a,b"][..], "three names"),
        (&["--columns", "a,b,a"], "named twice"),
        (&["--keep", "record"], "none of record"),
        (&["--keep", "x"], "does not name a column \"x\""),
        (&["--threads", "0"], "--threads"),
        (&["--threads", "1025"], "--threads"),
        (&["--threads", "10000000000"], "--threads"),
        (&["--json"], "name a file with -o"),
        (&["-o", "t.csv", "--force"], "overwritten by its own output"),
    ] {
        let run = place.run(&[&["verify-batch", "t.csv"], options].concat());
        assert_eq!(run.code, Some(2), "{options:?}: {run:?}");
        assert!(
            format!("{}{}", run.stderr, run.text()).contains(words),
            "{options:?}: {run:?}"
        );
    }
    let record = object(RFC8032[0]);
    for (start, end) in [("[", "]"), ("\u{feff}[\n  ", "\n]\n")] {
        place.write("t.json", format!("{start}{record}{end}"));
        place
            .run(&["verify-batch", "t.json"])
            .failed(2, &["t.json is one array of JSON", "jq -c '.[]'"]);
    }
    place
        .run(&["verify-batch", "none"])
        .failed(3, &["no such file"]);
    place.run(&["verify-batch", "."]).failed(3, &["directory"]);
    // What is in columns is not read as text.
    for start in [&b"PAR1"[..], b"ARROW1\0\0", &[0xff; 4]] {
        place.write("columns", [start, &[0; 100]].concat());
        let run = place.run(&["verify-batch", "columns"]);
        let code = if cfg!(feature = "arrow") { 4 } else { 2 };
        assert_eq!(run.code, Some(code), "{run:?}");
        assert!(
            run.stderr.contains("Parquet") || run.stderr.contains("Arrow"),
            "{run:?}"
        );
    }
    // A quotation mark that is never closed.
    let mut table = b"public_key,message,signature\n\"".to_vec();
    table.resize(70 << 20, b'0');
    place.write("t.csv", &table);
    let run = place
        .run(&["verify-batch", "t.csv", "-o", "v"])
        .failed(4, &["record 1", "quotation mark"]);
    assert!(!place.exists("v"), "{run:?}");
    // A line without an end is one record, and what follows is read.
    table[..30].copy_from_slice(b"{                             ");
    table.extend(format!("\n{}\n", object(RFC8032[0])).bytes());
    place.write("t.jsonl", &table);
    let run = place.run(&["verify-batch", "t.jsonl"]).ended(4);
    assert_eq!(names(&run), ["malformed", "valid"]);
}

#[test]
fn the_report() {
    let place = Place::new();
    place.write("t", format!("{}\n", object(RFC8032[0])));
    let json = place
        .run(&["verify-batch", "t", "-o", "v", "--json"])
        .ended(0)
        .json();
    for (name, value) in [
        ("verdicts_file", json!("v")),
        ("format", json!("jsonl")),
        ("profile", json!("strict")),
        ("records", json!(1)),
        ("valid", json!(1)),
        ("malformed", json!(0)),
    ] {
        assert_eq!(json[name], value, "{name}");
    }
    assert_eq!(
        place.read("v"),
        b"{\"record\":1,\"verdict\":\"valid\",\"reason\":null}\n"
    );
    place
        .run(&["verify-batch", "t", "-o", "v"])
        .failed(3, &["exists already"]);
}

/// Nothing was verified where there was nothing, and that is no success.
#[test]
fn a_table_without_records() {
    let place = Place::new();
    for (form, table) in [
        ("jsonl", ""),
        ("jsonl", "\n \n"),
        ("csv", "public_key,message,signature\n"),
    ] {
        place.write("t", table);
        let args = ["verify-batch", "--from", form, "t", "-o", "v", "--force"];
        let run = place.run(&args).ended(4);
        assert!(run.text().contains("there are no records in t."), "{run:?}");
        let run = place.run(&args[..4]).ended(4);
        assert!(run.stderr.contains("there are no records in t"), "{run:?}");
        let json = place
            .run(&[&args[..], &["--json"]].concat())
            .ended(4)
            .json();
        assert_eq!((&json["ok"], &json["records"]), (&json!(false), &json!(0)));
        assert_eq!(json["error"]["kind"], "bad_signature_file");
        let message = json["error"]["message"].as_str().unwrap();
        assert!(message.contains("there are no records in t"), "{message}");
        let quiet = place.run(&[&args[..], &["-q"]].concat());
        quiet.failed(4, &["no records in t", "hint"]);
    }
}

/// Whoever waits for more of a table can be stopped, and leaves nothing.
#[cfg(unix)]
#[test]
fn signals_while_the_table_is_idle() {
    use std::io::Write as _;
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let place = Place::new();
    for named in [false, true] {
        for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
            // What a runner of tests ignores, its children would ignore too.
            let mut command = Command::new("env");
            command
                .args(["--default-signal=HUP,INT,TERM", Place::program()])
                .args(["verify-batch", "-", "--from", "jsonl", "-o", "v"])
                .current_dir(place.root())
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            if named {
                command.env("LANNER_TEST_NAMED_FILES", "1");
            }
            let mut child = command.spawn().unwrap();
            let mut input = child.stdin.take().unwrap();
            writeln!(input, "{}", object(RFC8032[0])).unwrap();
            if named && cfg!(debug_assertions) {
                let started = Instant::now();
                while place.names().is_empty() {
                    assert!(started.elapsed() < Duration::from_secs(60));
                    std::thread::sleep(Duration::from_millis(10));
                }
            }
            std::thread::sleep(Duration::from_millis(300));
            let pid = child.id().to_string();
            let killed = Command::new("kill").args(["-s", signal, &pid]).status();
            assert!(killed.unwrap().success());
            let started = Instant::now();
            let status = loop {
                if let Some(status) = child.try_wait().unwrap() {
                    break status;
                }
                if started.elapsed() > Duration::from_secs(60) {
                    child.kill().unwrap();
                    panic!("SIG{signal} does not end it");
                }
                std::thread::sleep(Duration::from_millis(10));
            };
            assert_eq!(status.signal(), Some(number), "{signal}, {named}");
            assert_eq!(place.names(), [""; 0], "{signal}, {named}");
            drop(input);
        }
    }
}

/// Blank lines are nothing, however many there are: what stands behind them is read.
#[test]
fn blank_lines_are_not_the_end() {
    let place = Place::new();
    let [good, other, _] = RFC8032;
    let bad = object([good[0], "00", good[2]]);
    let good = format!("{}\n", object(good));
    let other = format!("{}\n", object(other));
    for length in [(1 << 20) - 1, 1 << 20, 3 << 20] {
        for blank in ["\n", "\r\n", " \n"] {
            let blanks = blank.repeat(length / blank.len());
            // As many records as are judged together, and fewer and more.
            for before in [0, 1, 512, 513] {
                let records = other.repeat(before);
                place.write(
                    "t",
                    format!("{records}{blanks}{bad}\n{blanks}{good}{blanks}"),
                );
                let args = ["verify-batch", "--from", "jsonl", "t", "-o", "v", "--force"];
                let run = place.run(&[&args[..], &["--json"]].concat());
                let report = run.ended(1).json();
                let what = format!("{length} bytes of {blank:?} after {before} records");
                assert_eq!(report["records"], before + 2, "{what}");
                assert_eq!(report["not_valid"], 1, "{what}");
                let verdicts = place.read("v");
                let verdicts = String::from_utf8(verdicts).unwrap();
                let last: Vec<&str> = verdicts.lines().skip(before).collect();
                let expected =
                    [(before + 1, "not_valid"), (before + 2, "valid")].map(|(i, name)| {
                        format!("{{\"record\":{i},\"verdict\":\"{name}\",\"reason\":null}}")
                    });
                assert_eq!(last, expected, "{what}");
            }
        }
    }
}

/// However many names a line has, none may stand there twice. (By comparing each with each other, this would take minutes.)
#[test]
fn many_names_in_a_line() {
    let place = Place::new();
    let whole = object(RFC8032[0]);
    let start = whole.strip_suffix('}').unwrap();
    let mut line = start.to_owned();
    for i in 0..200_000 {
        write!(line, ",\"{i}\":[{{}},0]").unwrap();
    }
    place.write("t", format!("{line}}}\n{line},\"\\u0037\":0}}\n{whole}\n"));
    let run = place.run(&["verify-batch", "t"]).ended(4);
    assert_eq!(names(&run), ["valid", "malformed", "valid"]);
    let reason = verdicts(&run)[1]["reason"].to_string();
    assert!(reason.contains("twice"), "{reason}");
}

/// What is kept of a line of JSON is what stands there.
#[test]
fn json_is_kept_as_it_stands() {
    let place = Place::new();
    let whole = object(RFC8032[0]);
    let start = whole.strip_suffix('}').unwrap();
    let values = [
        "18446744073709551617",
        "0.1000000000000000055511151231257827",
        "1e400",
        "-0",
        "1.0",
        "{\"a\":1E5,\"a\":[null, true]}",
        "\"\\u00e9\\/\"",
        "null",
    ];
    let lines = values.map(|value| format!("{start}, \"x\" : {value} }}\n"));
    // A line that has no such field, and one that cannot be read.
    place.write("t", format!("{}{whole}\n{{\n", lines.concat()));
    let run = place.run(&["verify-batch", "t", "--keep", "x"]).ended(4);
    let text = run.text();
    let found: Vec<&str> = text.lines().collect();
    let expected: Vec<String> = (1..)
        .zip(values.iter().chain(["null"].iter()))
        .map(|(number, value)| {
            format!("{{\"record\":{number},\"verdict\":\"valid\",\"reason\":null,\"x\":{value}}}")
        })
        .collect();
    assert_eq!(found[..values.len() + 1], expected);
    let last = found[values.len() + 1];
    assert!(
        last.contains("\"malformed\"") && last.ends_with(",\"x\":null}"),
        "{last}"
    );

    // A carriage return is white space in JSON, and would be the end of a line to some readers.
    place.write("t", format!("{start},\"x\":[1,\r2]}}\r\n"));
    let run = place.run(&["verify-batch", "t", "--keep", "x"]).ended(0);
    assert!(run.text().ends_with("\"x\":[1, 2]}\n"), "{run:?}");

    // Neither what is kept nor what is passed over may be no text at all.
    for name in ["x", "y"] {
        let mut line = format!("{start},\"{name}\":\"").into_bytes();
        line.extend(b"\xff\"}\n");
        place.write("t", line);
        let run = place.run(&["verify-batch", "t", "--keep", "x"]).ended(4);
        assert_eq!(names(&run), ["malformed"], "{name}");
    }
}

/// A record with more fields than the first line names is not one of this table.
#[test]
fn records_of_csv_with_too_many_fields() {
    let place = Place::new();
    let [key, message, signature] = RFC8032[1];
    let record = format!("{key},{message},{signature}");
    place.write(
        "t",
        format!("public_key,message,signature,x\n{record},1\n{record},1,2\n{record}\n{record},\n{key},{message}\n"),
    );
    let run = place.run(&["verify-batch", "t"]).ended(4);
    let found: Vec<Vec<String>> = run
        .text()
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(str::to_owned).collect())
        .collect();
    let names: Vec<&str> = found.iter().map(|line| &*line[1]).collect();
    assert_eq!(names, ["valid", "malformed", "valid", "valid", "malformed"]);
    assert!(found[1][2].contains("5 fields"), "{found:?}");
}

/// A quotation mark too many makes one field of several lines, in a column that nobody looks at. What was in these lines is not
/// verified, and the record in which they are says so.
#[test]
fn quotation_marks_that_do_not_pair() {
    let place = Place::new();
    let [key, message, signature] = RFC8032[1];
    let record = |of: &str, more: &str| format!("{key},{message},{of},{more}\n");
    let names = "public_key,message,signature,x\n";
    let good = record(signature, "good");
    let forged = record(&flip(signature), "");
    let open = record(signature, "\"open");
    let closing = record(signature, "5\" pipe");
    // The verdict, the line, and what is kept.
    let said = |run: &Run| -> Vec<[String; 3]> {
        let lines = run.text().lines().skip(1);
        let parts = |line: &str| {
            let verdict = line.split(',').nth(1).unwrap_or_default();
            let kept = line.rsplit(',').next().unwrap_or_default();
            [verdict, line, kept].map(str::to_owned)
        };
        lines.map(parts).collect()
    };
    for (table, verdicts) in [
        (format!("{good}{open}{forged}"), &["valid", "malformed"][..]),
        (
            format!("{open}{forged}{closing}{good}"),
            &["malformed", "valid"],
        ),
        // Of many records, so that they are more than one piece.
        (
            format!("{}{open}{forged}", good.repeat(2000)),
            &[&["valid"; 2000][..], &["malformed"]].concat(),
        ),
    ] {
        place.write("t", format!("{names}{table}"));
        let run = place.run(&["verify-batch", "t", "--keep", "x"]).ended(4);
        let found = said(&run);
        let found_names: Vec<&str> = found.iter().map(|it| &*it[0]).collect();
        assert_eq!(found_names, verdicts);
        for [verdict, line, kept] in found {
            let (words, what) = match &*verdict {
                "malformed" => ("a quotation mark is not closed", ""),
                _ => (",valid,,", "good"),
            };
            assert!(line.contains(words), "{line}");
            assert_eq!(kept, what);
        }
    }
    // Pairs that RFC 4180 has, and marks within fields that do not begin with one.
    let quoted = record(signature, "\"1,\"\"\n2\"");
    place.write("t", format!("{names}{quoted}{closing}{good}"));
    place.run(&["verify-batch", "t"]).ended(0);
    // In the names.
    for first in ["a,\"b", "\"a\"b,c"] {
        place.write("t", format!("{first}\n{good}{good}"));
        place
            .run(&["verify-batch", "t"])
            .failed(4, &["the first line of t", "quotation mark"]);
    }
}

/// What tables are by mistake, and what to do with them.
#[test]
fn what_is_no_table_says_what_it_is() {
    let place = Place::new();
    let [key, message, signature] = RFC8032[1];
    let table = format!("public_key,message,signature\n{key},{message},{signature}\n");
    let wide: Vec<u8> = table.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, words) in [
        (
            b"\x1f\x8b\x08\0\0\0\0\0".to_vec(),
            &["compressed by gzip", "gzip -dc"][..],
        ),
        (
            b"\x28\xb5\x2f\xfd\x04\0\0\0".to_vec(),
            &["compressed by Zstandard", "zstd -dc"],
        ),
        (b"\xfd7zXZ\0\0\0".to_vec(), &["compressed by xz"]),
        (b"PK\x03\x04\x14\0\0\0".to_vec(), &["a spreadsheet", "CSV"]),
        ([&b"\xff\xfe"[..], &wide].concat(), &["in UTF-16", "iconv"]),
        (table.replace(',', ";").into(), &["public_key", "a comma"]),
        (table.replace(',', "\t").into(), &["public_key", "a comma"]),
        (
            table.replace("message", " Message").into(),
            &["does not name a column \"message\"", "capital letters"],
        ),
    ] {
        place.write("t", &bytes);
        place.run(&["verify-batch", "t"]).failed(2, words);
        let run = place.run_with_stdin(&["verify-batch", "-"], &bytes);
        run.failed(2, words);
    }
}

#[test]
fn base64_with_padding_and_without() {
    let place = Place::new();
    // RFC 8032, section 7.1, test 1.
    let key = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo";
    let signature =
        "5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc+bRr0lv18FlbviRlUUFDjnoQCw";
    let mut table = "public_key,message,signature\n".to_owned();
    for (of_key, of_signature) in [("", ""), ("=", "=="), ("=", ""), ("", "="), ("==", "==")] {
        writeln!(table, "{key}{of_key},,{signature}{of_signature}").unwrap();
    }
    place.write("t", table);
    let run = place.run(&["verify-batch", "t", "--encoding", "base64"]);
    let text = run.ended(4).text().to_owned();
    let names: Vec<_> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(1))
        .collect();
    let [good, bad] = [Some("valid"), Some("malformed")];
    assert_eq!(names, [good, good, good, bad, bad]);
}

/// A table of nothing is one without records, whatever it would be.
#[test]
fn an_empty_table() {
    let place = Place::new();
    place.write("e", "");
    place.write("blank", "\n\n");
    for args in [
        &["e"][..],
        &["e", "--from", "csv"],
        &["e", "--from", "csv", "--keep", "x"],
        &["e", "--from", "jsonl"],
        &["-", "--from", "csv"],
        &["-", "--from", "jsonl"],
        &["blank"],
    ] {
        let run = place
            .run_with_stdin(&[&["verify-batch"], args].concat(), b"")
            .ended(4);
        assert!(
            run.stderr.contains("there are no records"),
            "{args:?}: {run:?}"
        );
        assert!(run.stderr.contains("hint"), "{args:?}: {run:?}");
    }
    let run = place
        .run(&["verify-batch", "e", "-o", "v", "--json"])
        .ended(4);
    assert_eq!(run.json()["records"], 0);
    assert_eq!(run.json()["error"]["kind"], "bad_signature_file");
}

/// Forms that another build reads are known to this one.
#[cfg(not(feature = "arrow"))]
#[test]
fn forms_of_another_build() {
    let place = Place::new();
    place.write("t", "PAR1");
    for form in ["parquet", "arrow"] {
        let run = place.run(&["verify-batch", "t", "--from", form]);
        run.failed(
            2,
            &[&format!("--from {form}"), "hint", "the feature `arrow`"],
        );
    }
    let run = place.run(&["verify-batch", "t", "--from", "xml"]);
    let run = run.failed(2, &["jsonl, csv"]);
    assert!(!run.stderr.contains("parquet"), "{run:?}");
}
