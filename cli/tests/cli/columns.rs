//! `verify-batch` of tables in columns: Parquet and Arrow.
#![cfg(feature = "arrow")]

use crate::harness::*;
use arrow_array::builder::BinaryDictionaryBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, DictionaryArray, FixedSizeBinaryArray, Int64Array,
    PrimitiveArray, RecordBatch, StringArray,
};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::DataType;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use std::fs::File;
use std::process::Stdio;
use std::sync::Arc;

/// RFC 8032, section 7.1, tests 1 and 2: public key, message, signature.
const RFC8032: [[&str; 3]; 2] = [
    [RFC8032_PUBLIC, "", RFC8032_SIGNATURE],
    [
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c\
         387b2eaeb4302aeeb00d291612bb0c00",
    ],
];

type Rows = [Vec<Option<Vec<u8>>>; 3];

fn rows(hex: &[[&str; 3]]) -> Rows {
    [0, 1, 2].map(|i| hex.iter().map(|row| Some(unhex(row[i]))).collect())
}

fn binary(values: &[Option<Vec<u8>>]) -> ArrayRef {
    Arc::new(values.iter().map(Option::as_deref).collect::<BinaryArray>())
}

/// Rows under the usual names, with their numbers beside them.
fn table([keys, messages, signatures]: [ArrayRef; 3]) -> RecordBatch {
    let ids: Int64Array = (100..).take(keys.len()).map(Some).collect();
    RecordBatch::try_from_iter_with_nullable([
        ("signature", signatures, true),
        ("id", Arc::new(ids) as ArrayRef, false),
        ("public_key", keys, true),
        ("message", messages, true),
    ])
    .unwrap()
}

fn parquet(place: &Place, name: &str, table: &RecordBatch) {
    // Several groups, and pages that end within them.
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(1500))
        .build();
    let file = File::create(place.path(name)).unwrap();
    let mut writer = ArrowWriter::try_new(file, table.schema(), Some(properties)).unwrap();
    writer.write(table).unwrap();
    writer.close().unwrap();
}

/// The verdicts of a file: number, verdict, reason, and what was kept.
fn verdicts(batches: impl Iterator<Item = RecordBatch>) -> Vec<(i64, String, String, Option<i64>)> {
    let mut found = Vec::new();
    for batch in batches {
        let numbers = batch["record"].as_primitive::<Int64Type>();
        let [names, reasons] = ["verdict", "reason"].map(|name| batch[name].as_string::<i32>());
        let kept = batch.column_by_name("id");
        for row in 0..batch.num_rows() {
            let reason = reasons.is_valid(row).then(|| reasons.value(row).to_owned());
            let kept = kept.map(|kept| kept.as_primitive::<Int64Type>().value(row));
            found.push((
                numbers.value(row),
                names.value(row).to_owned(),
                reason.unwrap_or_default(),
                kept,
            ));
        }
    }
    found
}

fn verdicts_of_parquet(place: &Place, name: &str) -> Vec<(i64, String, String, Option<i64>)> {
    let file = File::open(place.path(name)).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    verdicts(reader.build().unwrap().map(Result::unwrap))
}

fn names(found: &[(i64, String, String, Option<i64>)]) -> Vec<&str> {
    found.iter().map(|(_, name, ..)| &**name).collect()
}

/// Many pieces, of which each has bad rows: the order is kept, whatever the number of threads.
#[test]
fn parquet_in_order() {
    let place = Place::new();
    let is_bad = |i: usize| i.is_multiple_of(97) || i == 6999;
    let all: Vec<_> = (0..7000)
        .map(|i| {
            let [key, message, signature] = RFC8032[i % 2];
            [key, if is_bad(i) { "0102" } else { message }, signature]
        })
        .collect();
    let [keys, messages, signatures] = rows(&all);
    let fixed = FixedSizeBinaryArray::try_from_sparse_iter_with_size(signatures.into_iter(), 64);
    let mut dictionary = BinaryDictionaryBuilder::<Int32Type>::new();
    keys.iter().flatten().for_each(|key| {
        dictionary.append(key).unwrap();
    });
    let columns: [ArrayRef; 3] = [
        Arc::new(dictionary.finish()),
        binary(&messages),
        Arc::new(fixed.unwrap()),
    ];
    parquet(&place, "t", &table(columns));
    for threads in ["1", "2", "7"] {
        let out = format!("v{threads}");
        let args = [
            "verify-batch",
            "t",
            "-o",
            &out,
            "--keep",
            "id",
            "--threads",
            threads,
        ];
        let run = place.run(&[&args[..], &["--json"]].concat()).ended(1);
        let report = run.json();
        let bad = (0..7000).filter(|&i| is_bad(i)).count();
        assert_eq!(report["format"], "parquet");
        assert_eq!(
            (&report["records"], &report["not_valid"]),
            (&7000.into(), &bad.into())
        );
        for (i, found) in verdicts_of_parquet(&place, &out).into_iter().enumerate() {
            let (verdict, why) = if is_bad(i) {
                ("not_valid", "equation")
            } else {
                ("valid", "")
            };
            let number = i as i64;
            let expected = (
                number + 1,
                verdict.to_owned(),
                why.to_owned(),
                Some(number + 100),
            );
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn every_kind_of_row() {
    let place = Place::new();
    let [one, two] = RFC8032;
    let long = "00".repeat(33);
    let cases = [
        (one, "valid", ""),
        (two, "valid", ""),
        ([two[0], two[1], one[2]], "not_valid", "equation"),
        ([&long, "", one[2]], "not_valid", "key_length"),
        ([one[0], "", &one[2][2..]], "not_valid", "signature_length"),
        (
            [one[0], "53534853494700", one[2]],
            "refused",
            "foreign_mark",
        ),
        (one, "malformed", "null_key"),
        (one, "malformed", "null_message"),
        (one, "malformed", "null_signature"),
    ];
    let mut columns = rows(&cases.map(|(row, ..)| row));
    (columns[0][6], columns[1][7], columns[2][8]) = (None, None, None);
    let table = table(columns.each_ref().map(|column| binary(column)));
    parquet(&place, "t", &table);
    let run = place.run(&["verify-batch", "t", "-o", "v"]).ended(1);
    let said = format!("{}{}", run.text(), run.stderr);
    let words = "2 of 9 signatures are valid, 3 not valid, 3 malformed, 1 refused";
    assert!(said.contains(words), "{run:?}");
    let expected = (1..).zip(&cases).map(|(number, (_, verdict, why))| {
        (number, String::from(*verdict), String::from(*why), None)
    });
    let expected: Vec<_> = expected.collect();
    assert_eq!(verdicts_of_parquet(&place, "v"), expected);

    // The same as an Arrow file, and as a stream through a pipe; the verdicts are a stream.
    let file = File::create(place.path("file")).unwrap();
    let mut writer = FileWriter::try_new(file, &table.schema()).unwrap();
    writer.write(&table).unwrap();
    writer.finish().unwrap();
    let mut writer = StreamWriter::try_new(Vec::new(), &table.schema()).unwrap();
    writer.write(&table).unwrap();
    writer.write(&table.slice(0, 0)).unwrap();
    place.write("stream", writer.into_inner().unwrap());
    for (input, from) in [("file", None), ("stream", None), ("-", Some("arrow"))] {
        let mut command = place.command();
        command.args(["verify-batch", input]);
        command.args(from.iter().flat_map(|from| ["--from", from]));
        let piped = File::open(place.path("stream")).unwrap();
        let output = command.stdin(Stdio::from(piped)).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{input}: {output:?}");
        let reader = StreamReader::try_new(&output.stdout[..], None).unwrap();
        assert_eq!(verdicts(reader.map(Result::unwrap)), expected, "{input}");
    }
}

#[test]
fn text_in_columns_by_its_encoding() {
    let place = Place::new();
    let text = |i: usize| -> ArrayRef {
        let column = RFC8032.iter().map(|row| Some(row[i])).chain([Some("0x")]);
        Arc::new(column.collect::<StringArray>())
    };
    parquet(&place, "t", &table([0, 1, 2].map(text)));
    place
        .run(&["verify-batch", "t", "-o", "v"])
        .failed(2, &["the column \"public_key\" of t", "--encoding"]);
    assert!(!place.exists("v"));
    let _ = place
        .run(&["verify-batch", "t", "-o", "v", "--encoding", "hex"])
        .ended(4);
    assert_eq!(
        names(&verdicts_of_parquet(&place, "v")),
        ["valid", "valid", "malformed"]
    );
    // As text, a message is its bytes.
    let args = ["--encoding", "hex", "--message-encoding", "raw"];
    let run = place.run(&[&["verify-batch", "t", "-o", "w"], &args[..]].concat());
    let _ = run.ended(1);
    assert_eq!(
        names(&verdicts_of_parquet(&place, "w")),
        ["valid", "not_valid", "malformed"]
    );
}

#[test]
fn fn_dsa_and_one_key_for_all() {
    let place = Place::new().with_keys();
    place.write("m", "a message");
    let mut all: Rows = rows(&RFC8032[..1]);
    for name in ["fn-dsa-512", "fn-dsa-1024"] {
        for args in [
            &["keygen", "--alg", name, "--no-password", "-o", name][..],
            &[
                "sign", "-k", name, "--format", "raw", "m", "-o", "s", "--force",
            ],
            &[
                "convert", "--to", "raw", "--public", name, "-o", "p", "--force",
            ],
        ] {
            let _ = place.run(args).ended(0);
        }
        let row = [place.read("p"), b"a message".to_vec(), place.read("s")];
        for (column, bytes) in all.iter_mut().zip(row) {
            column.push(Some(bytes));
        }
    }
    let columns = all.each_ref().map(|column| binary(column));
    parquet(&place, "t", &table(columns));
    let check = |args: &[&str], code, expected: &[&str]| {
        let base = ["verify-batch", "t", "-o", "v", "--force"];
        let _ = place.run(&[&base[..], args].concat()).ended(code);
        assert_eq!(
            names(&verdicts_of_parquet(&place, "v")),
            expected,
            "{args:?}"
        );
    };
    check(&[], 0, &["valid"; 3]);
    check(
        &["--alg", "ed25519"],
        1,
        &["valid", "not_valid", "not_valid"],
    );
    check(
        &["--alg", "fn-dsa-512"],
        1,
        &["not_valid", "valid", "not_valid"],
    );
    check(
        &["--alg", "fn-dsa-1024"],
        1,
        &["not_valid", "not_valid", "valid"],
    );
    check(
        &["-k", "k.pub.pem"],
        1,
        &["valid", "not_valid", "not_valid"],
    );
    check(
        &["-k", "fn-dsa-512.pub"],
        1,
        &["not_valid", "valid", "not_valid"],
    );
    place
        .run(&[
            "verify-batch",
            "t",
            "-o",
            "w",
            "--alg",
            "ed25519+fn-dsa-512",
        ])
        .failed(2, &["hybrid"]);
    // Widths that are fixed are those of one scheme.
    for (i, key) in [(1, 897), (2, 1793)] {
        let fixed = |column: usize| -> ArrayRef {
            let one = [all[column][i].clone().unwrap()];
            Arc::new(FixedSizeBinaryArray::try_from_iter(one.into_iter()).unwrap())
        };
        let one = table([fixed(0), binary(&all[1][i..=i]), fixed(2)]);
        parquet(&place, "one", &one);
        let run = place.run(&["verify-batch", "one", "-o", "v", "--force"]);
        let _ = run.ended(0);
        assert_eq!(names(&verdicts_of_parquet(&place, "v")), ["valid"], "{key}");
    }
}

#[test]
fn what_is_refused() {
    let place = Place::new();
    let columns = rows(&RFC8032).each_ref().map(|column| binary(column));
    parquet(&place, "t", &table(columns));
    for (args, code, words) in [
        (
            &["t", "--columns", "k,message,signature"][..],
            2,
            "has no column \"k\"",
        ),
        (
            &["t", "--columns", "id,message,signature"],
            2,
            "the column \"id\" of t",
        ),
        (&["t", "--keep", "x"], 2, "has no column \"x\""),
        (&["t", "--from", "arrow"], 4, "as Arrow"),
        (&["-", "--from", "parquet"], 2, "standard input"),
        (&["none", "--from", "parquet"], 3, "no such file"),
        (&[".", "--from", "parquet"], 3, "directory"),
    ] {
        let args = [&["verify-batch"], args, &["-o", "v"]].concat();
        place.run(&args).failed(code, &[words]);
        assert!(!place.exists("v"), "{args:?}");
    }
    // A table that breaks off has no verdicts, not even those of its beginning.
    let many = vec![RFC8032[1]; 5000];
    let columns = rows(&many).each_ref().map(|column| binary(column));
    let table = table(columns);
    let mut writer = StreamWriter::try_new(Vec::new(), &table.schema()).unwrap();
    writer.write(&table).unwrap();
    writer.write(&table).unwrap();
    let stream = writer.into_inner().unwrap();
    place.write("cut", &stream[..stream.len() - 100_000]);
    let _ = place.run(&["verify-batch", "cut", "-o", "v"]).ended(4);
    assert!(!place.exists("v"));
    parquet(&place, "p", &table);
    let whole = place.read("p");
    place.write("cut", &whole[..whole.len() - 8]);
    let _ = place.run(&["verify-batch", "cut", "-o", "v"]).ended(4);
    assert!(!place.exists("v"));
}

/// Rows of one long message, which a dictionary has once.
fn long_message(place: &Place, name: &str, rows: usize, length: usize, statistics: bool) {
    let message = vec![7; length];
    let [key, _, signature] = RFC8032[0].map(unhex);
    let part = |rows: usize| {
        table([&key, &message, &signature].map(|it| binary(&vec![Some(it.clone()); rows])))
    };
    let properties = WriterProperties::builder()
        .set_statistics_enabled(match statistics {
            true => EnabledStatistics::Chunk,
            false => EnabledStatistics::None,
        })
        .set_max_row_group_row_count(None)
        .build();
    let file = File::create(place.path(name)).unwrap();
    let mut writer = ArrowWriter::try_new(file, part(0).schema(), Some(properties)).unwrap();
    for start in (0..rows).step_by(20) {
        writer.write(&part(20.min(rows - start))).unwrap();
    }
    writer.close().unwrap();
    let size = std::fs::metadata(place.path(name)).unwrap().len();
    assert!(
        size < 4 << 20,
        "a dictionary is not written in {size} bytes"
    );
}

/// A long message that many rows have out of a dictionary is in memory once, whether or not the file says how long values are,
/// and also where it is copied to the verdicts.
#[cfg(target_os = "linux")]
#[test]
fn long_messages_of_a_dictionary_in_little_memory() {
    const ROWS: usize = 800;
    let place = Place::new();
    for statistics in [true, false] {
        long_message(&place, "t", ROWS, 500_000, statistics);
        for keep in ["id", "message"] {
            // Not the room that threads reserve in the system's allocator and leave empty.
            let limit = "export MALLOC_ARENA_MAX=1; ulimit -v 300000";
            let args = format!("verify-batch t -o v --threads 2 --force --keep {keep}");
            let mut command = std::process::Command::new("sh");
            command
                .arg("-c")
                .arg(format!("{limit}; exec {:?} {args}", Place::program()))
                .current_dir(place.root())
                .stdin(Stdio::null());
            let run = Run::of(&mut command).ended(1);
            let words = format!("{ROWS} not valid");
            assert!(run.text().contains(&words), "{statistics} {keep}: {run:?}");
        }
    }
    // What was kept is what stands there, and of the type that it was.
    let file = File::open(place.path("v")).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    assert_eq!(*reader.schema().field(3).data_type(), DataType::Binary);
    let kept = reader.with_batch_size(1).build().unwrap().next().unwrap();
    assert_eq!(
        kept.unwrap()["message"].as_binary::<i32>().value(0),
        [7; 500_000]
    );
}

/// Verdicts with long columns are written in groups of some megabytes, so that neither this command nor a reader holds more.
#[test]
fn groups_of_verdicts_are_bounded() {
    let place = Place::new();
    let [key, _, signature] = RFC8032[0].map(unhex);
    // What no compression makes shorter.
    let mut state = 1_u64;
    let mut random = |length: usize| -> Vec<u8> {
        let next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()
        };
        std::iter::repeat_with(next)
            .flatten()
            .take(length)
            .collect()
    };
    let rows = 1200;
    let messages: Vec<_> = (0..rows).map(|_| Some(random(65_536))).collect();
    let same = |it: &Vec<u8>| binary(&vec![Some(it.clone()); rows]);
    parquet(
        &place,
        "t",
        &table([same(&key), binary(&messages), same(&signature)]),
    );
    let args = ["verify-batch", "t", "-o", "v", "--keep", "id,message"];
    let _ = place.run(&args).ended(1);
    let file = File::open(place.path("v")).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let groups = reader.metadata().row_groups();
    let sizes: Vec<_> = groups.iter().map(|group| group.total_byte_size()).collect();
    assert!(
        sizes.len() > 1 && sizes.iter().all(|&size| size < 40 << 20),
        "{sizes:?}"
    );
    let mut found = Vec::new();
    for batch in reader.build().unwrap().map(Result::unwrap) {
        let kept = batch["message"].as_binary::<i32>();
        found.extend(kept.iter().map(|message| message.map(<[u8]>::to_vec)));
    }
    assert!(found == messages);
}

/// Batches, groups of rows and pages without rows are no end of a table.
#[test]
fn what_has_no_rows_is_no_end() {
    use parquet::arrow::ArrowSchemaConverter;
    use parquet::file::writer::SerializedFileWriter;
    let place = Place::new();
    let [keys, messages, signatures] = rows(&RFC8032);
    let good = table([&keys, &messages, &signatures].map(|column| binary(column)));
    let bad = table([&keys, &signatures, &signatures].map(|column| binary(column)));
    let none = good.slice(0, 0);
    let all = [&none, &none, &good, &none, &bad, &none];
    let mut file =
        FileWriter::try_new(File::create(place.path("file")).unwrap(), &good.schema()).unwrap();
    let mut stream = StreamWriter::try_new(Vec::new(), &good.schema()).unwrap();
    for batch in all {
        file.write(batch).unwrap();
        stream.write(batch).unwrap();
    }
    file.finish().unwrap();
    place.write("stream", stream.into_inner().unwrap());

    // Arrow's writer leaves out groups without rows.
    let schema = ArrowSchemaConverter::new().convert(&good.schema()).unwrap();
    let to = File::create(place.path("parquet")).unwrap();
    let mut writer =
        SerializedFileWriter::new(to, schema.root_schema_ptr(), Default::default()).unwrap();
    for batch in all {
        let mut group = writer.next_row_group().unwrap();
        for column in batch.columns() {
            let mut place = group.next_column().unwrap().unwrap();
            let levels = vec![1; batch.num_rows()];
            if let Some(numbers) = column.as_primitive_opt::<Int64Type>() {
                let typed = place.typed::<parquet::data_type::Int64Type>();
                typed.write_batch(numbers.values(), None, None).unwrap();
            } else {
                let bytes = column.as_binary::<i32>().iter().flatten();
                let bytes: Vec<_> = bytes.map(|bytes| bytes.to_vec().into()).collect();
                let typed = place.typed::<parquet::data_type::ByteArrayType>();
                typed.write_batch(&bytes, Some(&levels), None).unwrap();
            }
            place.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.close().unwrap();
    for table in ["file", "stream", "parquet"] {
        let run = place.run(&["verify-batch", table, "-o", "v", "--force", "--json"]);
        let report = run.ended(1).json();
        assert_eq!(
            (&report["records"], &report["not_valid"]),
            (&4.into(), &2.into()),
            "{table}"
        );
    }
}

/// The widths of keys and signatures are those of one scheme wherever they are fixed: in values of a dictionary, and of
/// signatures alone.
#[test]
fn fn_dsa_of_fixed_widths() {
    let place = Place::new();
    place.write("m", "a message");
    for args in [
        &["keygen", "--alg", "fn-dsa-512", "--no-password", "-o", "k"][..],
        &["sign", "-k", "k", "--format", "raw", "m", "-o", "s"],
        &["convert", "--to", "raw", "--public", "k", "-o", "p"],
    ] {
        let _ = place.run(args).ended(0);
    }
    let (key, signature) = (place.read("p"), place.read("s"));
    let fixed = |bytes: &[u8]| -> ArrayRef {
        Arc::new(FixedSizeBinaryArray::try_from_iter([bytes].into_iter()).unwrap())
    };
    let plain = |bytes: &[u8]| binary(&[Some(bytes.to_vec())]);
    let dictionary = |bytes: &[u8]| -> ArrayRef {
        let keys = PrimitiveArray::<Int32Type>::from(vec![0]);
        Arc::new(DictionaryArray::try_new(keys, fixed(bytes)).unwrap())
    };
    let message = || plain(b"a message");
    for (columns, code, words) in [
        ([dictionary(&key), message(), plain(&signature)], 0, ""),
        ([dictionary(&key), message(), dictionary(&signature)], 0, ""),
        ([plain(&key), message(), fixed(&signature)], 0, ""),
        ([plain(&key), message(), dictionary(&signature)], 0, ""),
        // Widths of nothing are an error, of the column that has them.
        (
            [fixed(&key), message(), fixed(&signature[1..])],
            2,
            "\"signature\"",
        ),
        (
            [fixed(&key[..32]), message(), fixed(&signature[..63])],
            2,
            "\"signature\"",
        ),
        (
            [fixed(&key[1..]), message(), plain(&signature)],
            2,
            "\"public_key\"",
        ),
        (
            [plain(&key), message(), fixed(&signature[1..])],
            2,
            "\"signature\"",
        ),
    ] {
        let table = table(columns);
        let mut stream = StreamWriter::try_new(Vec::new(), &table.schema()).unwrap();
        stream.write(&table).unwrap();
        place.write("t", stream.into_inner().unwrap());
        let run = place.run(&["verify-batch", "t", "-o", "v", "--force"]);
        if code == 0 {
            let _ = run.ended(0);
        } else {
            run.failed(code, &["the column ", words, "--algorithm"]);
        }
    }
    // The words of an algorithm that it is not.
    let args = [
        "verify-batch",
        "t",
        "-o",
        "v",
        "--force",
        "--alg",
        "ed25519",
    ];
    place
        .run(&args)
        .failed(2, &["\"signature\"", "--algorithm"]);
}
