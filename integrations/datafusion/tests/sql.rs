//! Queries, over a folder of Parquet files and over literals.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, AsArray, BinaryArray, BooleanArray, FixedSizeBinaryArray, Int64Array, RecordBatch,
    StringArray,
};
use datafusion::arrow::datatypes::Int64Type;
use datafusion::dataframe::DataFrameWriteOptions;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use lanner_ed25519::{Signer, SigningKey};

const ROWS: usize = 3000;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Rows, of which every 100th is forged, every 250th has no key and one has a short signature.
fn rows() -> RecordBatch {
    let keys: Vec<_> = (0..50).map(|i| SigningKey::from_bytes(&[i; 32])).collect();
    let (mut public, mut messages, mut signatures, mut texts, mut valid) =
        (vec![], vec![], vec![], vec![], vec![]);
    for i in 0..ROWS {
        let key = &keys[i % 7 * (i % 5)];
        let message = format!("row {i}");
        let mut signature = key.sign(message.as_bytes()).to_bytes().to_vec();
        if i % 100 == 3 {
            signature[i % 64] ^= 1;
        }
        if i == 77 {
            signature.pop();
        }
        valid.push(i % 100 != 3 && i % 250 != 9 && i != 77);
        public.push((i % 250 != 9).then(|| key.verifying_key().to_bytes()));
        texts.push((i % 250 != 9).then(|| hex(key.verifying_key().as_bytes())));
        messages.push(message);
        signatures.push(signature);
    }
    let hexed: Vec<_> = signatures.iter().map(|it| hex(it)).collect();
    let ids = Int64Array::from_iter_values(0..ROWS as i64);
    let public =
        FixedSizeBinaryArray::try_from_sparse_iter_with_size(public.into_iter(), 32).unwrap();
    let columns: [(&str, ArrayRef); 7] = [
        ("id", Arc::new(ids)),
        ("public_key", Arc::new(public)),
        (
            "message",
            Arc::new(
                messages
                    .iter()
                    .map(|it| Some(it.as_bytes()))
                    .collect::<BinaryArray>(),
            ),
        ),
        (
            "signature",
            Arc::new(signatures.iter().map(Some).collect::<BinaryArray>()),
        ),
        ("key_text", Arc::new(StringArray::from(texts))),
        ("signature_text", Arc::new(StringArray::from(hexed))),
        ("valid", Arc::new(BooleanArray::from(valid))),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

/// A context with a folder of four Parquet files as the table `ledger`.
async fn ledger() -> (SessionContext, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut context = SessionContext::new_with_config(
        SessionConfig::new()
            .with_batch_size(512)
            .with_target_partitions(4),
    );
    lanner_datafusion::register_all(&mut context).unwrap();
    let rows = rows();
    for i in 0..4 {
        let part = rows.slice(i * ROWS / 4, ROWS / 4);
        let path = folder.path().join(format!("{i}.parquet"));
        let frame = context.read_batch(part).unwrap();
        frame
            .write_parquet(path.to_str().unwrap(), DataFrameWriteOptions::new(), None)
            .await
            .unwrap();
    }
    let path = folder.path().to_str().unwrap();
    context
        .register_parquet("ledger", path, ParquetReadOptions::default())
        .await
        .unwrap();
    (context, folder)
}

async fn query(context: &SessionContext, sql: &str) -> Vec<RecordBatch> {
    context.sql(sql).await.unwrap().collect().await.unwrap()
}

async fn numbers(context: &SessionContext, sql: &str) -> Vec<i64> {
    let batches = query(context, sql).await;
    batches
        .iter()
        .flat_map(|batch| {
            batch
                .column(0)
                .as_primitive::<Int64Type>()
                .values()
                .to_vec()
        })
        .collect()
}

async fn refused(context: &SessionContext, sql: &str) -> String {
    let error = match context.sql(sql).await {
        Ok(frame) => frame.collect().await.unwrap_err(),
        Err(error) => error,
    };
    error.to_string()
}

fn expected() -> Vec<i64> {
    (0..ROWS as i64)
        .filter(|i| i % 100 == 3 || i % 250 == 9 || *i == 77)
        .collect()
}

#[tokio::test]
async fn a_folder_of_parquet() {
    let (context, _folder) = ledger().await;
    for verdict in [
        "ed25519_verify(public_key, message, signature)",
        "ed25519_verify(public_key, message, signature, 'zip215')",
        "ed25519_verify(key_text, message, signature_text, 'strict', 'hex')",
        "ed25519_verify(decode(key_text, 'hex'), message, decode(signature_text, 'hex'), 'dalek')",
        "ed25519_verify(arrow_cast(public_key, 'Dictionary(Int32, FixedSizeBinary(32))'), message, signature)",
    ] {
        let sql = format!("SELECT id FROM ledger WHERE NOT {verdict} ORDER BY id");
        assert_eq!(numbers(&context, &sql).await, expected(), "{verdict}");
        let sql = format!("SELECT count_invalid({verdict}) FROM ledger");
        assert_eq!(
            numbers(&context, &sql).await,
            [expected().len() as i64],
            "{verdict}"
        );
        let sql = format!("SELECT count(*) FROM ledger WHERE valid IS DISTINCT FROM {verdict}");
        assert_eq!(numbers(&context, &sql).await, [0], "{verdict}");
    }
    let sql = "SELECT count_invalid(CASE WHEN id = 5 THEN NULL ELSE id > 1 END), id % 2 AS odd FROM ledger GROUP BY odd ORDER BY odd";
    assert_eq!(numbers(&context, sql).await, [1, 2]);
}

#[tokio::test]
async fn reasons() {
    let (context, _folder) = ledger().await;
    let sql = "SELECT count(*), reason FROM (
            SELECT ed25519_explain(public_key, message, signature) AS reason FROM ledger
        ) GROUP BY reason ORDER BY reason NULLS LAST";
    let batch = &query(&context, sql).await[0];
    let reasons = batch.column(1).as_string::<i32>();
    let counts = batch.column(0).as_primitive::<Int64Type>();
    let all: Vec<_> = reasons
        .iter()
        .zip(counts.values())
        .map(|(reason, count)| (reason, *count))
        .collect();
    let invalid: i64 = all
        .iter()
        .filter(|(reason, _)| reason.is_some())
        .map(|(_, count)| count)
        .sum();
    assert_eq!(invalid, expected().len() as i64, "{all:?}");
    assert!(all.contains(&(Some("null_key"), 12)), "{all:?}");
    assert!(all.contains(&(Some("signature_length"), 1)), "{all:?}");
}

#[tokio::test]
async fn literals_are_evaluated_once() {
    let mut context = SessionContext::new();
    lanner_datafusion::register_all(&mut context).unwrap();
    let key = SigningKey::from_bytes(&[1; 32]);
    let (public, signature) = (
        hex(key.verifying_key().as_bytes()),
        hex(&key.sign("höhe".as_bytes()).to_bytes()),
    );
    let sql = format!("SELECT ed25519_verify(X'{public}', 'höhe', X'{signature}')");
    let batch = &query(&context, &sql).await[0];
    assert!(batch.column(0).as_boolean().value(0));
    let plan = context
        .sql(&sql)
        .await
        .unwrap()
        .into_optimized_plan()
        .unwrap();
    assert!(
        plan.to_string().contains("Boolean(true)"),
        "immutable, and so folded: {plan}"
    );
    for null in [
        format!("NULL, 'höhe', X'{signature}'"),
        format!("X'{public}', NULL, X'{signature}'"),
        format!("X'{public}', 'höhe', NULL"),
    ] {
        let batch = &query(&context, &format!("SELECT ed25519_verify({null})")).await[0];
        assert!(
            batch.column(0).is_valid(0) && !batch.column(0).as_boolean().value(0),
            "{null}"
        );
    }
}

#[tokio::test]
async fn what_cannot_be_is_said() {
    let (context, _folder) = ledger().await;
    for (call, said) in [
        (
            "ed25519_verify(public_key, message)",
            "3 to 5 arguments, not 2",
        ),
        (
            "ed25519_verify(id, message, signature)",
            "the public key is Int64, and must be binary or text",
        ),
        (
            "ed25519_verify(public_key, message, signature, 7)",
            "the profile is Int64, and must be a text",
        ),
        (
            "ed25519_verify(public_key, message, signature, 'Strict')",
            "no profile is called 'Strict'",
        ),
        (
            "ed25519_verify(public_key, message, signature, 'strict', 'base32')",
            "no encoding is called 'base32'",
        ),
        (
            "ed25519_verify(public_key, message, signature, key_text)",
            "the profile must be a literal",
        ),
        (
            "ed25519_verify(key_text, message, signature)",
            "say which encoding it is in",
        ),
        (
            "ed25519_verify(signature_text, message, signature)",
            "say which encoding it is in",
        ),
        (
            "ed25519_verify(arrow_cast(X'0102', 'FixedSizeBinary(2)'), message, signature)",
            "has 2 bytes",
        ),
        (
            "fn_dsa_verify(public_key, message, signature, repeat('x', 256))",
            "at most 255 bytes",
        ),
    ] {
        let error = refused(&context, &format!("SELECT {call} FROM ledger")).await;
        assert!(error.contains(said), "{call}: {error}");
    }
    // No key of Ed25519 is one of FN-DSA: not valid, and no error.
    let sql = "SELECT count_invalid(fn_dsa_verify(arrow_cast(public_key, 'Binary'), message, signature)) FROM ledger";
    assert_eq!(numbers(&context, sql).await, [ROWS as i64]);
}
