//! The functions in SQL, over a folder of Parquet files whose verdicts are known.

use std::collections::BTreeMap;
use std::error::Error;
use std::future::poll_fn;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use arrow_array::builder::FixedSizeBinaryDictionaryBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, BooleanArray, FixedSizeBinaryArray, Int64Array,
    LargeBinaryArray, RecordBatch, StringArray, StringViewArray,
};
use arrow_schema::DataType;
use datafusion::common::ScalarValue;
use datafusion::datasource::MemTable;
use datafusion::logical_expr::{
    AggregateUDFImpl, ColumnarValue, ScalarUDFImpl, Volatility, create_udf,
};
use datafusion::physical_plan::displayable;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use futures::StreamExt;
use lanner_datafusion::{BATCH_SIZE, CountInvalid, SignatureFunction};
use lanner_ed25519::{Signer, SigningKey};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{DOMAIN_NONE, DomainContext, HASH_ID_RAW, SigningKey512, SigningKey1024};
use make::Ledger;

#[path = "../../arrow/examples/ledger/make.rs"]
mod make;

type Done = Result<(), Box<dyn Error>>;

/// A session in which the functions are.
fn session(config: SessionConfig) -> SessionContext {
    let mut context = SessionContext::new_with_config(config);
    lanner_datafusion::register(&mut context).expect("a session takes functions");
    context
}

async fn rows(context: &SessionContext, sql: &str) -> datafusion::error::Result<Vec<RecordBatch>> {
    context.sql(sql).await?.collect().await
}

/// What a query that fails says.
async fn refusal(context: &SessionContext, sql: &str) -> String {
    rows(context, sql).await.expect_err(sql).to_string()
}

/// A column of integers.
async fn numbers(context: &SessionContext, sql: &str) -> Vec<i64> {
    let batches = rows(context, sql).await.expect(sql);
    let columns = batches.iter().map(|batch| batch.column(0));
    columns
        .flat_map(|column| column.as_primitive::<Int64Type>().values().to_vec())
        .collect()
}

/// A column of Booleans.
async fn verdicts(context: &SessionContext, sql: &str) -> Vec<Option<bool>> {
    let batches = rows(context, sql).await.expect(sql);
    let columns = batches.iter().map(|batch| batch.column(0).as_boolean());
    columns
        .flat_map(|column| column.iter().collect::<Vec<_>>())
        .collect()
}

/// A column of text.
async fn texts(context: &SessionContext, sql: &str) -> Vec<Option<String>> {
    let batches = rows(context, sql).await.expect(sql);
    let columns = batches.iter().map(|batch| batch.column(0).as_string_view());
    columns
        .flat_map(|column| {
            column
                .iter()
                .map(|it| it.map(String::from))
                .collect::<Vec<_>>()
        })
        .collect()
}

const LEDGER: Ledger = Ledger {
    rows: 12_000,
    keys: 40,
    zipf: 1.0,
    invalid: 0.01,
    partitions: 5,
    seed: 7,
};

async fn ledger(config: SessionConfig, folder: &Path) -> Result<SessionContext, Box<dyn Error>> {
    let path = folder.join("ledger");
    make::make(&LEDGER, &path)?;
    let context = session(config);
    let path = path.to_str().ok_or("the folder has a name in UTF-8")?;
    context
        .register_parquet("ledger", path, ParquetReadOptions::default())
        .await?;
    Ok(context)
}

#[tokio::test]
async fn a_folder_of_parquet_files() -> Done {
    let folder = tempfile::tempdir()?;
    let config = SessionConfig::new().with_target_partitions(3);
    let context = ledger(config, folder.path()).await?;

    // What the maker wrote down, without the functions.
    let expected = numbers(
        &context,
        "SELECT id FROM ledger WHERE NOT valid ORDER BY id",
    )
    .await;
    assert!((60..300).contains(&expected.len()), "{}", expected.len());
    let count = expected.len() as i64;

    let sql = "SELECT id FROM ledger WHERE NOT ed25519_verify(public_key, message, signature) ORDER BY id";
    assert_eq!(numbers(&context, sql).await, expected);
    let sql = "SELECT id FROM ledger WHERE ed25519_explain(public_key, message, signature) IS NOT NULL ORDER BY id";
    assert_eq!(numbers(&context, sql).await, expected);
    // Whatever the profile: what was spoiled is no edge case.
    for profile in lanner_ed25519::profile::ProfileName::ALL {
        let sql = format!(
            "SELECT count_invalid(ed25519_verify(public_key, message, signature, '{profile}')) FROM ledger"
        );
        assert_eq!(numbers(&context, &sql).await, [count], "{profile}");
    }

    // In groups, with a filter, of no rows, and over a window.
    let grouped = "SELECT count_invalid(ed25519_verify(public_key, message, signature)) - count(*) FILTER (WHERE NOT valid) \
                   FROM ledger GROUP BY id / 100";
    assert_eq!(numbers(&context, grouped).await, [0; 120]);
    let filtered = "SELECT count_invalid(ed25519_verify(public_key, message, signature)) FILTER (WHERE id % 2 = 0) \
                    FROM ledger GROUP BY id / 6000 ORDER BY id / 6000";
    let even = |half: i64| {
        let ids = expected
            .iter()
            .filter(|&id| id % 2 == 0 && id / 6000 == half);
        ids.count() as i64
    };
    assert_eq!(numbers(&context, filtered).await, [even(0), even(1)]);
    let empty = "SELECT count_invalid(ed25519_verify(public_key, message, signature)) FROM ledger WHERE id < 0";
    assert_eq!(numbers(&context, empty).await, [0]);
    let window = "SELECT count_invalid(valid) OVER (ORDER BY id ROWS BETWEEN 99 PRECEDING AND CURRENT ROW) FROM ledger ORDER BY id";
    let moving = numbers(&context, window).await;
    for (id, found) in (0..).zip(moving) {
        let last = expected.iter().filter(|&&it| (id - 99..=id).contains(&it));
        assert_eq!(found, last.count() as i64, "{id}");
    }

    // Beside a join: keys of which something is known.
    let join = "SELECT count(*) FROM ledger JOIN \
                (SELECT public_key AS who, count(*) AS often FROM ledger GROUP BY public_key) ON public_key = who \
                WHERE often > 100 AND ed25519_verify(who, message, signature)";
    let plain = join.replace("ed25519_verify(who, message, signature)", "valid");
    let found = numbers(&context, join).await;
    assert_eq!(found, numbers(&context, &plain).await);
    assert!(found[0] > 1000);

    // A function of the same arguments is computed once among the columns of one list.
    let sql = "SELECT id, ed25519_verify(public_key, message, signature) AS good, \
               NOT ed25519_verify(public_key, message, signature) AS bad FROM ledger";
    let plan = context.sql(sql).await?.into_optimized_plan()?;
    let plan = plan.display_indent().to_string();
    assert_eq!(plan.matches("ed25519_verify(").count(), 1, "{plan}");
    Ok(())
}

/// The engine may have the reader of the files evaluate a filter, beside others and in an order of its own.
#[tokio::test]
async fn filters_that_are_moved_into_the_files() -> Done {
    let folder = tempfile::tempdir()?;
    let mut config = SessionConfig::new().with_target_partitions(3);
    let options = &mut config.options_mut().execution.parquet;
    (options.pushdown_filters, options.reorder_filters) = (true, true);
    let context = ledger(config, folder.path()).await?;
    let filters = [
        "NOT ed25519_verify(public_key, message, signature)",
        "ed25519_explain(public_key, message, signature) = 'equation' AND id % 2 = 0",
        "id > 6000 AND ed25519_verify(public_key, message, signature) = false",
        "ed25519_verify(public_key, NULL, signature)",
    ];
    let plain = [
        "NOT valid",
        "ed25519_explain(public_key, message, signature) = 'equation' AND id % 2 = 0 AND NOT valid",
        "id > 6000 AND NOT valid",
        "false",
    ];
    for (filter, plain) in filters.into_iter().zip(plain) {
        let sql = |filter| format!("SELECT id FROM ledger WHERE {filter} ORDER BY id");
        let found = numbers(&context, &sql(filter)).await;
        assert_eq!(found, numbers(&context, &sql(plain)).await, "{filter}");
        assert_eq!(found.is_empty(), plain == "false", "{filter}");
    }
    // They were: nothing behind the reader filters.
    let sql = format!("SELECT id FROM ledger WHERE {}", filters[0]);
    let plan = context.sql(&sql).await?.create_physical_plan().await?;
    let plan = displayable(plan.as_ref()).indent(false).to_string();
    assert!(plan.contains("predicate=NOT ed25519_verify("), "{plan}");
    assert!(!plan.contains("FilterExec"), "{plan}");
    Ok(())
}

/// A few rows: good, forged, of a wrong length, and each column null.
struct Few {
    keys: Vec<Option<Vec<u8>>>,
    messages: Vec<Option<Vec<u8>>>,
    signatures: Vec<Option<Vec<u8>>>,
}

/// The verdicts on these rows, none where one is null.
const VERDICTS: [Option<bool>; 7] = [
    Some(true),
    Some(true),
    Some(false),
    Some(false),
    None,
    None,
    None,
];
const REASONS: [Option<&str>; 7] = [
    None,
    None,
    Some("equation"),
    Some("signature_length"),
    Some("null_key"),
    Some("null_message"),
    Some("null_signature"),
];

fn few() -> Few {
    let signers = [
        SigningKey::from_bytes(&[1; 32]),
        SigningKey::from_bytes(&[2; 32]),
    ];
    let mut few = Few {
        keys: Vec::new(),
        messages: Vec::new(),
        signatures: Vec::new(),
    };
    for i in 0..7 {
        let signer = &signers[i % 2];
        let message = format!("message {i}").into_bytes();
        few.keys
            .push(Some(signer.verifying_key().to_bytes().to_vec()));
        few.signatures
            .push(Some(signer.sign(&message).to_bytes().to_vec()));
        few.messages.push(Some(message));
    }
    few.messages[2] = Some(b"another".to_vec());
    few.signatures[3] = Some(vec![1; 63]);
    (few.keys[4], few.messages[5], few.signatures[6]) = (None, None, None);
    few
}

fn binary(rows: &[Option<Vec<u8>>]) -> BinaryArray {
    rows.iter().map(Option::as_deref).collect()
}

/// The columns `k`, `m` and `s`.
fn bytes_of(few: &Few) -> Vec<(&'static str, ArrayRef)> {
    vec![
        ("k", Arc::new(binary(&few.keys))),
        ("m", Arc::new(binary(&few.messages))),
        ("s", Arc::new(binary(&few.signatures))),
    ]
}

fn hex(rows: &[Option<Vec<u8>>]) -> Vec<Option<String>> {
    let text = |bytes: &Vec<u8>| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    rows.iter().map(|row| row.as_ref().map(text)).collect()
}

/// A table of these columns.
fn table(context: &SessionContext, name: &str, columns: Vec<(&str, ArrayRef)>) -> Done {
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns
            .into_iter()
            .map(|(name, column)| (name, column, true)),
    )?;
    let table = MemTable::try_new(batch.schema(), vec![vec![batch]])?;
    context.register_table(name, Arc::new(table))?;
    Ok(())
}

#[tokio::test]
async fn every_type_that_holds_bytes() -> Done {
    let few = few();
    let fixed = FixedSizeBinaryArray::try_from_sparse_iter_with_size(few.keys.iter().cloned(), 32)?;
    let mut dictionary = FixedSizeBinaryDictionaryBuilder::<Int32Type>::new(32);
    for key in &few.keys {
        match key {
            Some(key) => drop(dictionary.append(key)?),
            None => dictionary.append_null(),
        }
    }
    let keys: [ArrayRef; 5] = [
        Arc::new(fixed),
        Arc::new(binary(&few.keys)),
        Arc::new(
            few.keys
                .iter()
                .map(Option::as_deref)
                .collect::<LargeBinaryArray>(),
        ),
        Arc::new(
            few.keys
                .iter()
                .map(Option::as_deref)
                .collect::<BinaryViewArray>(),
        ),
        Arc::new(dictionary.finish()),
    ];
    let text: StringArray = few
        .messages
        .iter()
        .map(|it| {
            it.as_deref()
                .map(|it| std::str::from_utf8(it).expect("it is text"))
        })
        .collect();
    let messages: [ArrayRef; 2] = [Arc::new(binary(&few.messages)), Arc::new(text)];
    for keys in &keys {
        for messages in &messages {
            let context = session(SessionConfig::new());
            let columns: Vec<(&str, ArrayRef)> = vec![
                ("k", Arc::clone(keys)),
                ("m", Arc::clone(messages)),
                ("s", Arc::new(binary(&few.signatures))),
            ];
            table(&context, "few", columns)?;
            let found = verdicts(&context, "SELECT ed25519_verify(k, m, s) FROM few").await;
            let expected = VERDICTS.map(|verdict| Some(verdict.unwrap_or(false)));
            assert_eq!(found, expected, "{}", keys.data_type());
            let reasons = texts(&context, "SELECT ed25519_explain(k, m, s) FROM few").await;
            assert_eq!(reasons, REASONS.map(|it| it.map(String::from)));
            let sql = "SELECT ed25519_verify(k, m, s, 'strict', 'nulls=propagate') FROM few";
            assert_eq!(verdicts(&context, sql).await, VERDICTS);
            let sql = "SELECT count_invalid(ed25519_verify(k, m, s, 'strict', 'nulls=propagate')) FROM few";
            assert_eq!(numbers(&context, sql).await, [5]);
            // What `NOT` finds, by either rule.
            let sql = "SELECT count(*) FROM few WHERE NOT ed25519_verify(k, m, s)";
            assert_eq!(numbers(&context, sql).await, [5]);
            let sql = "SELECT count(*) FROM few WHERE NOT ed25519_verify(k, m, s, 'strict', 'nulls=propagate')";
            assert_eq!(numbers(&context, sql).await, [2]);
        }
    }
    Ok(())
}

#[tokio::test]
async fn text_by_an_option_only() -> Done {
    let few = few();
    let context = session(SessionConfig::new());
    let keys: StringViewArray = hex(&few.keys).into_iter().collect();
    let signatures: StringArray = hex(&few.signatures).into_iter().collect();
    let messages: StringArray = hex(&few.messages).into_iter().collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("k", Arc::new(keys)),
        ("m", Arc::new(messages)),
        ("s", Arc::new(signatures)),
    ];
    table(&context, "few", columns)?;
    let sql =
        "SELECT ed25519_verify(k, m, s, 'strict', 'key=hex, message=hex, signature=hex') FROM few";
    let expected = VERDICTS.map(|verdict| Some(verdict.unwrap_or(false)));
    assert_eq!(verdicts(&context, sql).await, expected);
    // By names of arguments, in any order.
    let sql = "SELECT ed25519_verify(options => 'key=hex, message=hex, signature=hex', profile => 'strict', \
               signature => s, message => m, key => k) FROM few";
    assert_eq!(verdicts(&context, sql).await, expected);
    // Read as its text, a message is another one.
    let sql = "SELECT ed25519_verify(k, m, s, 'strict', 'key=hex, signature=hex') FROM few";
    assert_eq!(verdicts(&context, sql).await, [Some(false); 7]);

    let error = refusal(&context, "SELECT ed25519_verify(k, m, s) FROM few").await;
    assert!(
        error.contains("argument key, here k") && error.contains("'key=hex'"),
        "{error}"
    );
    let error = refusal(
        &context,
        "SELECT ed25519_verify(k, m, s, 'strict', 'key=hex') FROM few",
    )
    .await;
    assert!(error.contains("argument signature, here s"), "{error}");
    Ok(())
}

#[tokio::test]
async fn constants_are_not_expanded_and_nulls_may_be_constants() -> Done {
    let few = few();
    let context = session(SessionConfig::new());
    let columns = bytes_of(&few);
    table(&context, "few", columns)?;
    let key = SigningKey::from_bytes(&[1; 32]);
    let hexed = |bytes: &[u8]| {
        bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let public = hexed(key.verifying_key().as_bytes());
    let signature = hexed(&key.sign(b"constant").to_bytes());

    let sql = format!("SELECT ed25519_verify(X'{public}', m, s) FROM few");
    let expected = [true, false, false, false, true, false, false].map(Some);
    assert_eq!(verdicts(&context, &sql).await, expected);
    let all = format!("SELECT ed25519_verify(X'{public}', 'constant', X'{signature}') FROM few");
    assert_eq!(verdicts(&context, &all).await, [Some(true); 7]);
    let text = format!(
        "SELECT ed25519_verify('{public}', 'constant', '{signature}', 'zip215', 'key=hex,signature=hex')"
    );
    assert_eq!(verdicts(&context, &text).await, [Some(true)]);
    // It was computed when the query was planned.
    let plan = context.sql(&text).await?.into_optimized_plan()?;
    let plan = plan.display_indent().to_string();
    assert!(plan.contains("Boolean(true)"), "{plan}");

    for (sql, expected) in [
        ("SELECT ed25519_verify(NULL, m, s) FROM few", Some(false)),
        ("SELECT ed25519_verify(k, NULL, NULL) FROM few", Some(false)),
        (
            "SELECT ed25519_verify(NULL, m, s, 'strict', 'nulls=propagate') FROM few",
            None,
        ),
        (
            "SELECT ed25519_verify(NULL, NULL, NULL) FROM few",
            Some(false),
        ),
        (
            "SELECT ed25519_verify(n, NULL, NULL) FROM (SELECT NULL AS n FROM few)",
            Some(false),
        ),
    ] {
        assert_eq!(verdicts(&context, sql).await, [expected; 7], "{sql}");
    }
    Ok(())
}

/// A signer of whom no key is known leaves a null, and an optimizer that took such a row away beforehand would lose it.
#[tokio::test]
async fn rows_that_a_join_leaves_without_a_key() -> Done {
    let few = few();
    let context = session(SessionConfig::new());
    let mut columns = bytes_of(&few);
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(0..7));
    let who = StringArray::from(vec!["a", "nobody", "a", "b", "a", "b", "a"]);
    columns.extend([("id", ids), ("who", Arc::new(who) as ArrayRef)]);
    table(&context, "few", columns)?;
    let names: ArrayRef = Arc::new(StringArray::from(vec!["a", "b"]));
    let keys: ArrayRef = Arc::new(binary(&few.keys[..2]));
    table(&context, "signers", vec![("name", names), ("key", keys)])?;
    let joined = |filter: &str| {
        format!("SELECT id FROM few LEFT JOIN signers ON who = name WHERE {filter} ORDER BY id")
    };
    for (filter, expected) in [
        ("ed25519_verify(key, m, s)", &[0, 4][..]),
        ("NOT ed25519_verify(key, m, s)", &[1, 2, 3, 5, 6]),
        ("ed25519_explain(key, m, s) = 'null_key'", &[1]),
        (
            "NOT ed25519_verify(key, m, s, 'strict', 'nulls=propagate')",
            &[2, 3],
        ),
    ] {
        assert_eq!(
            numbers(&context, &joined(filter)).await,
            expected,
            "{filter}"
        );
    }
    // As the condition of a join, and for a key out of a query of its own.
    let sql = "SELECT id FROM few JOIN signers ON ed25519_verify(key, m, s) ORDER BY id";
    assert_eq!(numbers(&context, sql).await, [0, 1, 4]);
    let sql = |name: &str| {
        format!(
            "SELECT count_invalid(ed25519_verify((SELECT key FROM signers WHERE name = '{name}'), m, s)) FROM few"
        )
    };
    assert_eq!(numbers(&context, &sql("a")).await, [5]);
    assert_eq!(numbers(&context, &sql("nobody")).await, [7]);
    Ok(())
}

/// What stands for a value is one when the query is planned.
#[tokio::test]
async fn parameters_are_keys_and_profiles() -> Done {
    let few = few();
    let context = session(SessionConfig::new());
    table(&context, "few", bytes_of(&few))?;
    let expected = [true, false, false, false, true, false, false].map(Some);
    for (key, expected) in [(few.keys[0].clone(), expected), (None, [Some(false); 7])] {
        let query = context
            .sql("SELECT ed25519_verify($1, m, s) FROM few")
            .await?;
        let batches = query
            .with_param_values(vec![ScalarValue::Binary(key)])?
            .collect()
            .await?;
        let found: Vec<_> = batches[0].column(0).as_boolean().iter().collect();
        assert_eq!(found, expected);
    }
    let prepare = "PREPARE under(TEXT) AS SELECT ed25519_verify(k, m, s, $1) FROM few";
    rows(&context, prepare).await?;
    let expected = VERDICTS.map(|verdict| Some(verdict.unwrap_or(false)));
    assert_eq!(
        verdicts(&context, "EXECUTE under('zip215')").await,
        expected
    );
    let error = refusal(&context, "EXECUTE under('loose')").await;
    assert!(error.contains("unknown verification profile"), "{error}");

    let sql = "SELECT ed25519_verify(k, m, s, $profile, $options) AS v FROM few";
    let names = ["profile", "options"];
    let run = async |values: [&str; 2]| {
        let values = values.map(ScalarValue::from);
        let values: Vec<_> = names.into_iter().zip(values).collect();
        let query = context.sql(sql).await?.with_param_values(values)?;
        query.collect().await
    };
    let batches = run(["strict", "nulls=propagate"]).await?;
    let found: Vec<_> = batches[0].column(0).as_boolean().iter().collect();
    assert_eq!(found, VERDICTS);
    for (values, why) in [
        (["strict", "key=hexadecimal"], "one of bytes, hex"),
        (["strict", "malformed=error"], "a wrong length"),
    ] {
        let error = run(values).await.expect_err(why).to_string();
        assert!(error.contains(why), "{error}");
    }
    // A column of such a name is none.
    let sql = "SELECT ed25519_verify(k, m, s, \"$p\") FROM (SELECT *, CASE WHEN m IS NULL THEN 'strict' END AS \"$p\" FROM few)";
    let error = refusal(&context, sql).await;
    assert!(error.contains("must be a constant"), "{error}");
    Ok(())
}

#[tokio::test]
async fn what_is_wrong_is_said_when_a_query_is_planned() -> Done {
    let context = session(SessionConfig::new());
    let ids: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let wide = FixedSizeBinaryArray::try_from_iter([[0; 33]].into_iter())?;
    let key = FixedSizeBinaryArray::try_from_iter([[0; 32]].into_iter())?;
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("id", ids),
        ("wide", Arc::new(wide)),
        ("k", Arc::new(key)),
        ("m", Arc::new(BinaryArray::from_vec(vec![b"m"]))),
        ("s", Arc::new(BinaryArray::from_vec(vec![b"s"]))),
        ("name", Arc::new(StringArray::from(vec!["strict"]))),
    ];
    table(&context, "t", columns)?;
    for (call, whys) in [
        (
            "ed25519_verify(id, m, s)",
            &["ed25519_verify", "argument key, here id", "Int64"][..],
        ),
        (
            "ed25519_verify(k, id, s)",
            &["argument message, here id", "Int64"],
        ),
        (
            "ed25519_explain(k, m, t.id)",
            &["ed25519_explain", "argument signature, here id"],
        ),
        (
            "ed25519_verify(wide, m, s)",
            &["argument key, here wide", "33 bytes"],
        ),
        (
            "fn_dsa_verify(k, m, s)",
            &["fn_dsa_verify", "argument key, here k", "32 bytes"],
        ),
        (
            "ed25519_verify(k, m, s, 'loose')",
            &["unknown verification profile", "rfc8032, ", "zip215"],
        ),
        (
            "ed25519_verify(k, m, s, name)",
            &["argument profile must be a constant"],
        ),
        ("ed25519_verify(k, m, s, 7)", &["the profile is text"]),
        ("ed25519_verify(k, m, s, NULL)", &["the profile is text"]),
        (
            "ed25519_verify(k, m, s, 'strict', name)",
            &["argument options must be a constant"],
        ),
        ("ed25519_verify(k, m, s, 'strict', 'hex')", &["name=value"]),
        (
            "ed25519_verify(k, m, s, 'strict', 'key=hexadecimal')",
            &["one of bytes, hex, base64, base64url"],
        ),
        (
            "fn_dsa_verify(NULL, m, s, id)",
            &["argument context must be a constant"],
        ),
        (
            "fn_dsa_verify(NULL, m, s, 5)",
            &["the context is bytes or text"],
        ),
        ("ed25519_verify(k, m)", &["ed25519_verify"]),
        ("count_invalid(id)", &["count_invalid"]),
    ] {
        let sql = format!("EXPLAIN SELECT {call} FROM t");
        let error = refusal(&context, &sql).await;
        for why in whys {
            assert!(error.contains(why), "{call}: {why:?} is not in: {error}");
        }
    }
    let context_of_256 = "x".repeat(256);
    let sql = format!("SELECT fn_dsa_verify(NULL, m, s, '{context_of_256}') FROM t");
    assert!(
        refusal(&context, &sql)
            .await
            .contains("at most 255 bytes, and this one 256")
    );
    Ok(())
}

#[tokio::test]
async fn malformed_rows_are_an_error_only_if_that_is_asked() -> Done {
    let few = few();
    let context = session(SessionConfig::new());
    let columns = bytes_of(&few);
    table(&context, "few", columns)?;
    let sql = "SELECT ed25519_verify(k, m, s, 'strict', 'malformed=error') FROM few";
    let error = refusal(&context, sql).await;
    assert!(
        error.contains("row 3: the value of signatures has a wrong length"),
        "{error}"
    );
    // Forged rows and nulls are none.
    let short = "01".repeat(63);
    let sql = format!("{sql} WHERE s <> X'{short}' OR s IS NULL");
    assert_eq!(verdicts(&context, &sql).await.len(), 6);
    Ok(())
}

#[tokio::test]
async fn fn_dsa_of_both_degrees() -> Done {
    let rng = &mut SeededRng::new(b"lanner-datafusion");
    let small = SigningKey512::generate(rng)?;
    let large = SigningKey1024::generate(rng)?;
    let context = DomainContext(b"ctx");
    let mut rows: [Vec<Option<Vec<u8>>>; 3] = Default::default();
    for (i, domain) in [DOMAIN_NONE, context, DOMAIN_NONE, context]
        .iter()
        .enumerate()
    {
        let message = format!("message {i}").into_bytes();
        let (mut key, mut signature) = if i < 2 {
            (vec![0; 897], vec![0; 666])
        } else {
            (vec![0; 1793], vec![0; 1280])
        };
        if i < 2 {
            small.sign_bytes(rng, domain, &HASH_ID_RAW, &message, &mut signature)?;
            small.verifying_key().write_bytes(&mut key)?;
        } else {
            large.sign_bytes(rng, domain, &HASH_ID_RAW, &message, &mut signature)?;
            large.verifying_key().write_bytes(&mut key)?;
        }
        for (column, bytes) in rows.iter_mut().zip([key, message, signature]) {
            column.push(Some(bytes));
        }
    }
    let session = session(SessionConfig::new());
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("k", Arc::new(binary(&rows[0]))),
        ("m", Arc::new(binary(&rows[1]))),
        ("s", Arc::new(binary(&rows[2]))),
    ];
    table(&session, "t", columns)?;
    let plain = [true, false, true, false].map(Some);
    let other = [false, true, false, true].map(Some);
    assert_eq!(
        verdicts(&session, "SELECT fn_dsa_verify(k, m, s) FROM t").await,
        plain
    );
    assert_eq!(
        verdicts(&session, "SELECT fn_dsa_verify(k, m, s, 'ctx') FROM t").await,
        other
    );
    assert_eq!(
        verdicts(&session, "SELECT fn_dsa_verify(k, m, s, X'637478') FROM t").await,
        other
    );
    let reasons = texts(&session, "SELECT fn_dsa_explain(k, m, s, '') FROM t").await;
    let signature = Some(String::from("signature"));
    assert_eq!(reasons, [None, signature.clone(), None, signature]);
    Ok(())
}

/// A session with the table `long`, so many batches of the same rows in each partition, and the function
/// `counted`, which gives back its argument; and how often that was called.
fn long(
    partitions: usize,
    batches: usize,
) -> Result<(SessionContext, Arc<AtomicUsize>), Box<dyn Error>> {
    let config = SessionConfig::new()
        .with_target_partitions(partitions)
        .with_batch_size(BATCH_SIZE);
    let context = session(config);
    let key = SigningKey::from_bytes(&[3; 32]);
    let message = [7; 100];
    let signature = key.sign(&message).to_bytes();
    let rows = BATCH_SIZE;
    let columns: Vec<(&str, ArrayRef)> = vec![
        (
            "k",
            Arc::new(FixedSizeBinaryArray::try_from_iter(
                vec![key.verifying_key().to_bytes(); rows].into_iter(),
            )?),
        ),
        (
            "m",
            Arc::new(BinaryArray::from_vec(vec![&message[..]; rows])),
        ),
        (
            "s",
            Arc::new(FixedSizeBinaryArray::try_from_iter(
                vec![signature; rows].into_iter(),
            )?),
        ),
    ];
    let batch = RecordBatch::try_from_iter(columns)?;
    let table = MemTable::try_new(batch.schema(), vec![vec![batch; batches]; partitions])?;
    context.register_table("long", Arc::new(table))?;

    let done = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&done);
    context.register_udf(create_udf(
        "counted",
        vec![DataType::Boolean],
        DataType::Boolean,
        Volatility::Volatile,
        Arc::new(move |verdicts: &[ColumnarValue]| {
            counter.fetch_add(1, Ordering::Relaxed);
            Ok(verdicts[0].clone())
        }),
    ));
    Ok((context, done))
}

/// A query whose stream is dropped works no longer than on the batches that are under way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_query_that_is_dropped_stops() -> Done {
    let partitions = 2;
    // Minutes of work.
    let (context, done) = long(partitions, 20_000)?;
    let query = context
        .sql("SELECT counted(ed25519_verify(k, m, s)) AS v FROM long")
        .await?;
    let mut stream = query.execute_stream().await?;
    let first = stream.next().await.ok_or("there are batches")??;
    let valid: &BooleanArray = first.column(0).as_boolean();
    assert_eq!(valid.true_count(), valid.len());
    drop(stream);
    // A batch that is under way ends, and no other begins.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let before = done.load(Ordering::Relaxed);
    assert!(before > 0);
    tokio::time::sleep(Duration::from_secs(1)).await;
    let after = done.load(Ordering::Relaxed);
    assert!(
        after - before <= partitions,
        "{} batches after the end",
        after - before
    );
    Ok(())
}

/// A task gives way after each batch, so that whoever drops the query is heard: also where nothing is waited for, as by an
/// aggregate over a table in memory.
#[tokio::test]
async fn a_query_gives_way_after_each_batch() -> Done {
    let batches = 20;
    let (context, done) = long(1, batches)?;
    for verdict in [
        "ed25519_verify(k, m, s)",
        "ed25519_explain(k, m, s) IS NULL",
    ] {
        done.store(0, Ordering::Relaxed);
        let sql = format!("SELECT count_invalid(counted({verdict})) AS n FROM long");
        let mut stream = context.sql(&sql).await?.execute_stream().await?;
        // Batches between one time that the task gives way and the next.
        let (mut before, mut most) = (0, 0);
        let found = poll_fn(|cx| {
            let polled = stream.poll_next_unpin(cx);
            let now = done.load(Ordering::Relaxed);
            most = most.max(now - before);
            before = now;
            polled
        });
        let found = found.await.ok_or("there is a count")??;
        assert_eq!(found.column(0).as_primitive::<Int64Type>().value(0), 0);
        assert_eq!((before, most), (batches, 1), "{sql}");
    }
    Ok(())
}

#[test]
fn the_functions_are_documented() {
    let functions = lanner_datafusion::scalar_functions();
    let names: Vec<_> = functions.iter().map(|function| function.name()).collect();
    assert_eq!(
        names,
        [
            "ed25519_verify",
            "ed25519_explain",
            "fn_dsa_verify",
            "fn_dsa_explain"
        ]
    );
    let own: BTreeMap<_, _> = [
        SignatureFunction::ed25519_verify(),
        SignatureFunction::ed25519_explain(),
        SignatureFunction::fn_dsa_verify(),
        SignatureFunction::fn_dsa_explain(),
    ]
    .into_iter()
    .map(|function| (function.name().to_owned(), function))
    .collect();
    for (name, function) in &own {
        let documentation = function.documentation().expect("there is some");
        assert!(
            documentation
                .syntax_example
                .starts_with(&format!("{name}(key, message, signature"))
        );
        let arguments = documentation.arguments.as_ref().expect("there are some");
        let arguments: Vec<_> = arguments.iter().map(|(name, _)| name).collect();
        let names = function
            .signature()
            .parameter_names
            .as_ref()
            .expect("there are some");
        assert_eq!(arguments, names.iter().collect::<Vec<_>>(), "{name}");
        let related = documentation.related_udfs.as_ref().expect("there is one");
        assert!(
            related.iter().all(|it| own.contains_key(it) && it != name),
            "{name}: {related:?}"
        );
    }
    assert!(CountInvalid::new().documentation().is_some());
}

/// What the README says of conditions: neither AND nor a CASE of Booleans keeps a row away from a function, and a CASE that
/// gives an argument does.
#[tokio::test]
async fn what_keeps_rows_away() -> Done {
    let few = few();
    let context = session(SessionConfig::new());
    let kinds = StringArray::from(vec!["a", "a", "a", "b", "a", "a", "a"]);
    let mut columns = bytes_of(&few);
    columns.push(("kind", Arc::new(kinds)));
    table(&context, "few", columns)?;
    let verify =
        |signature: &str| format!("ed25519_verify(k, m, {signature}, 'strict', 'malformed=error')");
    let guard = "kind = 'a'";
    for filter in [
        format!("{guard} AND {}", verify("s")),
        format!("CASE WHEN {guard} THEN {} ELSE false END", verify("s")),
    ] {
        let error = refusal(
            &context,
            &format!("SELECT count(*) FROM few WHERE {filter}"),
        )
        .await;
        assert!(error.contains("a wrong length"), "{error}");
    }
    let filter = verify(&format!("CASE WHEN {guard} THEN s END"));
    let sql = format!("SELECT count(*) FROM few WHERE {filter}");
    assert_eq!(numbers(&context, &sql).await, [2]);
    Ok(())
}
