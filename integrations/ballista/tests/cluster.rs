//! A scheduler and two executors, processes of their own on loopback, verify data sets in parts.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, BinaryArray, BooleanArray, RecordBatch, StringArray};
use ballista::prelude::{SessionConfigExt, SessionContextExt};
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use lanner_ed25519::{Signer, SigningKey};
use lanner_fn_dsa::shake::SeededRng;
use lanner_fn_dsa::{DOMAIN_NONE, HASH_ID_RAW, SigningKey512};
use make::Ledger;
use parquet::arrow::ArrowWriter;

#[path = "../../arrow/examples/ledger/make.rs"]
mod make;

type Done = Result<(), Box<dyn Error>>;

/// A process that does not outlive the test.
struct Process(Child);

impl Process {
    /// Asks it to end, as whoever runs services does.
    fn ask_to_end(&self) {
        let id = self.0.id().to_string();
        let sent = Command::new("kill").args(["-TERM", &id]).status();
        assert!(sent.expect("there is a shell").success());
    }

    /// Waits for its end.
    fn ended(&mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().expect("it is a child") {
                return status;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "it runs on");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends it where it stands.
    fn kill(&mut self) {
        self.0.kill().expect("it runs");
        self.0.wait().expect("it is a child");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lanner-ballista"));
    if std::env::var_os("RUST_LOG").is_none() {
        command.env("RUST_LOG", "off");
    }
    command
}

/// A port that is free, for an executor cannot say which it has.
fn free_port() -> SocketAddr {
    let held = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    held.local_addr().expect("it is bound")
}

/// An executor that runs one task at a time.
struct Worker {
    process: Process,
    address: SocketAddr,
    folder: PathBuf,
}

impl Worker {
    fn start(scheduler: SocketAddr, folder: PathBuf) -> Self {
        std::fs::create_dir(&folder).expect("it is new");
        let address = free_port();
        let child = program()
            .args(["executor", "--cores", "1"])
            .args(["--scheduler", &scheduler.to_string()])
            .args(["--bind", &address.to_string()])
            .args(["--folder".as_ref(), folder.as_os_str()])
            .spawn()
            .expect("the program starts");
        Self {
            process: Process(child),
            address,
            folder,
        }
    }

    /// What it has computed for others, in a folder for each query.
    fn results(&self) -> BTreeSet<PathBuf> {
        let homes = entries(&self.folder);
        let queries = homes.iter().flat_map(|home| entries(home));
        let queries = queries.filter(|query| files(query) > 0);
        queries
            .filter_map(|query| query.file_name().map(PathBuf::from))
            .collect()
    }
}

/// What lies in a folder, if it is one.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder);
    let entries = entries.into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

fn files(path: &Path) -> usize {
    if path.is_file() {
        return 1;
    }
    entries(path).iter().map(|path| files(path)).sum()
}

/// A scheduler with two executors, and a folder for data.
struct Cluster {
    scheduler: Process,
    address: SocketAddr,
    workers: [Worker; 2],
    folder: tempfile::TempDir,
}

impl Cluster {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        let mut child = program()
            .args(["scheduler", "--bind", "127.0.0.1:0", "--silence", "10"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it is a pipe");
        let scheduler = Process(child);
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("it says where it is");
        let address = line.trim().parse().expect("an address");
        let workers = ["one", "two"].map(|name| Worker::start(address, folder.path().join(name)));
        Self {
            scheduler,
            address,
            workers,
            folder,
        }
    }

    /// A client: what it runs, the cluster runs.
    async fn client(&self) -> datafusion::error::Result<SessionContext> {
        let config = SessionConfig::new_with_ballista()
            .with_target_partitions(8)
            .with_batch_size(lanner_datafusion::BATCH_SIZE);
        let state = lanner_ballista::state(config)?;
        let url = format!("df://{}", self.address);
        let mut client = SessionContext::remote_with_state(&url, state).await?;
        // A remote session has the functions of Ballista alone, whatever it is made from.
        lanner_datafusion::register(&mut client)?;
        Ok(client)
    }

    /// Makes a data set and registers it.
    async fn ledger(&self, client: &SessionContext, ledger: &Ledger) -> Done {
        make::make(ledger, &self.folder.path().join("ledger"))?;
        self.register(client, "ledger").await
    }

    async fn register(&self, client: &SessionContext, name: &str) -> Done {
        let path = self.folder.path().join(name);
        let path = path.to_str().ok_or("the folder has a name in UTF-8")?;
        client
            .register_parquet(name, path, ParquetReadOptions::default())
            .await?;
        Ok(())
    }

    /// Waits until both executors have worked on one query. Who asks first gets a task, so that one that is late has none.
    async fn both_work(&self, client: &SessionContext, sql: &str) -> Done {
        let begun = Instant::now();
        loop {
            rows(client, sql).await?;
            let [one, two] = self.workers.each_ref().map(Worker::results);
            if !one.is_disjoint(&two) {
                return Ok(());
            }
            if begun.elapsed() > Duration::from_secs(120) {
                return Err("one executor does all of the work".into());
            }
        }
    }
}

async fn rows(client: &SessionContext, sql: &str) -> datafusion::error::Result<Vec<RecordBatch>> {
    client.sql(sql).await?.collect().await
}

/// A column of integers.
fn column(batches: &[RecordBatch], column: usize) -> Vec<i64> {
    let columns = batches.iter().map(|batch| batch.column(column));
    columns
        .flat_map(|column| column.as_primitive::<Int64Type>().values().to_vec())
        .collect()
}

async fn numbers(client: &SessionContext, sql: &str) -> datafusion::error::Result<Vec<i64>> {
    Ok(column(&rows(client, sql).await?, 0))
}

/// Writes columns into a file for each part of the rows.
fn write(folder: &Path, parts: usize, columns: &[(&str, ArrayRef)]) -> Done {
    std::fs::create_dir(folder)?;
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns
            .iter()
            .map(|(name, column)| (*name, Arc::clone(column), true)),
    )?;
    let size = batch.num_rows().div_ceil(parts);
    for part in 0..parts {
        let start = (part * size).min(batch.num_rows());
        let rows = batch.slice(start, size.min(batch.num_rows() - start));
        let file = File::create_new(folder.join(format!("part-{part}.parquet")))?;
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None)?;
        writer.write(&rows)?;
        writer.close()?;
    }
    Ok(())
}

/// Why each kind of row is not valid.
const REASONS: [Option<&str>; 7] = [
    None,
    None,
    Some("equation"),
    Some("signature_length"),
    Some("null_key"),
    Some("null_message"),
    Some("null_signature"),
];

/// Rows of each kind in turn, with what is to be said of them.
fn odd_rows(count: usize) -> Vec<(&'static str, ArrayRef)> {
    let signers = [[1; 32], [2; 32], [3; 32]].map(|seed| SigningKey::from_bytes(&seed));
    let mut columns: [Vec<Option<Vec<u8>>>; 3] = Default::default();
    for i in 0..count {
        let signer = &signers[i % 3];
        let mut message = format!("row {i}").into_bytes();
        let mut signature = signer.sign(&message).to_bytes().to_vec();
        let kind = REASONS[i % 7];
        match kind {
            Some("equation") => message.push(b'.'),
            Some("signature_length") => drop(signature.pop()),
            _ => {}
        }
        let key = signer.verifying_key().to_bytes().to_vec();
        let row = [
            (key, "null_key"),
            (message, "null_message"),
            (signature, "null_signature"),
        ];
        for (column, (bytes, null)) in columns.iter_mut().zip(row) {
            column.push(Some(bytes).filter(|_| kind != Some(null)));
        }
    }
    let [k, m, s] = columns.map(|column| -> ArrayRef {
        let column: BinaryArray = column.iter().map(Option::as_deref).collect();
        Arc::new(column)
    });
    let why: StringArray = (0..count).map(|i| REASONS[i % 7]).collect();
    vec![("k", k), ("m", m), ("s", s), ("why", Arc::new(why))]
}

/// Rows signed with FN-DSA-512, and whether they are valid.
fn fn_dsa_rows(count: usize) -> Result<Vec<(&'static str, ArrayRef)>, Box<dyn Error>> {
    let rng = &mut SeededRng::new(b"lanner-ballista");
    let signer = SigningKey512::generate(rng)?;
    let mut key = [0; 897];
    signer.verifying_key().write_bytes(&mut key)?;
    let mut rows = Vec::new();
    for i in 0..count {
        let mut message = format!("row {i}").into_bytes();
        let mut signature = [0; 666];
        signer.sign_bytes(rng, &DOMAIN_NONE, &HASH_ID_RAW, &message, &mut signature)?;
        if i % 4 == 0 {
            message.push(b'.');
        }
        rows.push((message, signature));
    }
    let keys: BinaryArray = rows.iter().map(|_| Some(key)).collect();
    let messages: BinaryArray = rows.iter().map(|(message, _)| Some(message)).collect();
    let signatures: BinaryArray = rows.iter().map(|(_, signature)| Some(signature)).collect();
    let valid: BooleanArray = (0..count).map(|i| Some(i % 4 != 0)).collect();
    Ok(vec![
        ("k", Arc::new(keys)),
        ("m", Arc::new(messages)),
        ("s", Arc::new(signatures)),
        ("valid", Arc::new(valid)),
    ])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_executors_verify_a_partitioned_data_set() -> Done {
    let mut cluster = Cluster::start();
    let client = cluster.client().await?;
    let ledger = Ledger {
        rows: 20_000,
        keys: 50,
        zipf: 1.0,
        invalid: 0.01,
        partitions: 8,
        seed: 20,
    };
    cluster.ledger(&client, &ledger).await?;

    // What the maker wrote down, computed without the functions.
    let sql = "SELECT id FROM ledger WHERE NOT valid ORDER BY id";
    let expected = numbers(&client, sql).await?;
    assert!((100..400).contains(&expected.len()), "{}", expected.len());
    let sql = "SELECT id FROM ledger WHERE NOT ed25519_verify(public_key, message, signature) ORDER BY id";
    assert_eq!(numbers(&client, sql).await?, expected);

    // By file, under another profile: counts of parts, merged in a second stage.
    let by_file = rows(
        &client,
        "SELECT id / 2500 AS part, count(*), count_invalid(ed25519_verify(public_key, message, signature, 'zip215')), \
         count(*) FILTER (WHERE NOT valid) FROM ledger GROUP BY 1 ORDER BY 1",
    )
    .await?;
    assert_eq!(column(&by_file, 0), (0..8).collect::<Vec<_>>());
    assert_eq!(column(&by_file, 1), [2500; 8]);
    assert_eq!(column(&by_file, 2), column(&by_file, 3));
    let total: i64 = column(&by_file, 2).iter().sum();
    assert_eq!(total, expected.len() as i64);

    // Rows with nulls and of wrong lengths, with the reasons.
    let odd = odd_rows(700);
    write(&cluster.folder.path().join("odd"), 4, &odd)?;
    cluster.register(&client, "odd").await?;
    let propagate = "ed25519_verify(k, m, s, 'strict', 'nulls=propagate')";
    for (sql, count) in [
        (
            "SELECT count_invalid(ed25519_verify(k, m, s)) FROM odd",
            500,
        ),
        (
            "SELECT count(*) FROM odd WHERE NOT ed25519_verify(k, m, s)",
            500,
        ),
        (
            "SELECT count(*) FROM odd WHERE ed25519_explain(k, m, s) IS DISTINCT FROM why",
            0,
        ),
        (
            "SELECT count(*) FROM odd WHERE ed25519_explain(k, m, s) = 'null_message'",
            100,
        ),
        (&format!("SELECT count_invalid({propagate}) FROM odd"), 500),
        (
            &format!("SELECT count(*) FROM odd WHERE NOT {propagate}"),
            200,
        ),
        (
            &format!("SELECT count(*) FROM odd WHERE {propagate} IS NULL"),
            300,
        ),
    ] {
        assert_eq!(numbers(&client, sql).await?, [count], "{sql}");
    }

    // FN-DSA.
    write(&cluster.folder.path().join("quantum"), 2, &fn_dsa_rows(40)?)?;
    cluster.register(&client, "quantum").await?;
    for (sql, count) in [
        (
            "SELECT count_invalid(fn_dsa_verify(k, m, s)) FROM quantum",
            10,
        ),
        (
            "SELECT count(*) FROM quantum WHERE fn_dsa_verify(k, m, s) <> valid",
            0,
        ),
        (
            "SELECT count(*) FROM quantum WHERE (fn_dsa_explain(k, m, s) IS NULL) <> valid",
            0,
        ),
        (
            "SELECT count_invalid(fn_dsa_verify(k, m, s, 'context')) FROM quantum",
            40,
        ),
    ] {
        assert_eq!(numbers(&client, sql).await?, [count], "{sql}");
    }

    let sql = "SELECT valid, count_invalid(ed25519_verify(public_key, message, signature)) FROM ledger GROUP BY valid";
    cluster.both_work(&client, sql).await?;

    // What is wrong is said before anything runs, and what is found wrong on the way reaches the client.
    let error = rows(
        &client,
        "SELECT ed25519_verify(id, message, signature) FROM ledger",
    )
    .await;
    let error = error.expect_err("a number is no key").to_string();
    assert!(error.contains("argument key, here id"), "{error}");
    let sql = "SELECT count_invalid(ed25519_verify(k, m, s, 'strict', 'malformed=error')) FROM odd";
    let error = rows(&client, sql).await;
    let error = error.expect_err("a signature has 64 bytes").to_string();
    assert!(error.contains("ed25519_verify"), "{error}");
    // It ended that query, and no executor.
    let sql = "SELECT count_invalid(ed25519_verify(public_key, message, signature)) FROM ledger";
    assert_eq!(numbers(&client, sql).await?, [expected.len() as i64]);

    // Asked to end, all end, and leave nothing.
    for worker in &mut cluster.workers {
        assert_eq!(entries(&worker.folder).len(), 1, "one home");
        worker.process.ask_to_end();
        let status = worker.process.ended();
        assert!(status.success(), "{status}");
        let left = entries(&worker.folder);
        assert!(left.is_empty(), "{left:?}");
        assert!(TcpStream::connect(worker.address).is_err());
    }
    cluster.scheduler.ask_to_end();
    assert!(cluster.scheduler.ended().success());
    assert!(TcpStream::connect(cluster.address).is_err());
    Ok(())
}

/// What one executor was to do, or had done, the other does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_executor_that_is_killed_costs_time_and_no_verdict() -> Done {
    let mut cluster = Cluster::start();
    let client = cluster.client().await?;
    let ledger = Ledger {
        rows: 24_000,
        keys: 50,
        zipf: 1.0,
        invalid: 0.01,
        partitions: 24,
        seed: 21,
    };
    cluster.ledger(&client, &ledger).await?;
    let sql = "SELECT count(*) FROM ledger WHERE NOT valid";
    let expected = numbers(&client, sql).await?;
    let sql = "SELECT count_invalid(ed25519_verify(public_key, message, signature)) FROM ledger";
    cluster.both_work(&client, sql).await?;

    // In the middle: the one that ends has computed a part that the last stage asks it for, and is computing another.
    let run = |client: &SessionContext| {
        let client = client.clone();
        tokio::spawn(async move { numbers(&client, sql).await })
    };
    let middle = async |worker: &Worker, before: &BTreeSet<PathBuf>| {
        while worker.results().is_subset(before) {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    let before = cluster.workers[0].results();
    let begun = Instant::now();
    let query = run(&client);
    middle(&cluster.workers[0], &before).await;
    cluster.workers[0].process.kill();
    assert!(!query.is_finished(), "it was too quick to be disturbed");
    assert_eq!(query.await??, expected);
    println!("with a loss: {:.1} s", begun.elapsed().as_secs_f64());
    // The next query is not disturbed.
    assert_eq!(numbers(&client, sql).await?, expected);

    // Without any, a query fails and says so.
    let before = cluster.workers[1].results();
    let begun = Instant::now();
    let query = run(&client);
    middle(&cluster.workers[1], &before).await;
    cluster.workers[1].process.kill();
    let error = query.await?.expect_err("nobody is there").to_string();
    assert!(error.contains("all executors were lost"), "{error}");
    let waited = begun.elapsed();
    assert!(waited < Duration::from_secs(60), "{waited:?}");

    // Without the scheduler, at once.
    cluster.scheduler.kill();
    assert!(numbers(&client, sql).await.is_err());
    Ok(())
}

/// What a program says that cannot start.
fn refusal(arguments: &[&str]) -> String {
    let output = program().args(arguments).output();
    let Output { status, stderr, .. } = output.expect("the program starts");
    assert!(!status.success(), "{arguments:?}");
    String::from_utf8(stderr).expect("it is text")
}

#[test]
fn what_cannot_start_says_why() {
    let nobody = free_port().to_string();
    let bind = free_port().to_string();
    let folder = tempfile::tempdir().expect("there is room");
    let home = folder.path().to_str().expect("it is text");
    let error = refusal(&[
        "executor",
        "--scheduler",
        &nobody,
        "--patience",
        "1",
        "--bind",
        &bind,
        "--folder",
        home,
    ]);
    assert!(
        error.contains(&format!("no scheduler at {nobody} within 1 s")),
        "{error}"
    );
    assert!(entries(folder.path()).is_empty());
    let error = refusal(&["executor", "--folder", "/no/such/folder"]);
    assert!(error.contains("/no/such/folder"), "{error}");
    let error = refusal(&["executor", "--scheduler", "somewhere"]);
    assert!(error.contains("not of the form host:port"), "{error}");

    let taken = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let taken_by = taken.local_addr().expect("it is bound").to_string();
    let error = refusal(&["scheduler", "--bind", &taken_by]);
    assert!(error.contains(&taken_by), "{error}");
    // It stands for a scheduler as well: something listens.
    let error = refusal(&[
        "executor",
        "--scheduler",
        &taken_by,
        "--bind",
        &taken_by,
        "--folder",
        home,
    ]);
    assert!(error.contains(&format!("{taken_by}: ")), "{error}");
    let error = refusal(&["scheduler", "--bind", "127.0.0.1:0", "--silence", "9"]);
    assert!(error.contains("10 s at the earliest"), "{error}");
}
