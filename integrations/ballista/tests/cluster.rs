//! A scheduler and two executors, processes of their own on loopback, verify a data set in parts.

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use ballista::prelude::{SessionConfigExt, SessionContextExt};
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use make::Ledger;

#[path = "../../../arrow/examples/ledger/make.rs"]
mod make;

/// A process that ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lanner-ballista"));
    command.env("RUST_LOG", "off");
    command
}

fn scheduler() -> (Process, SocketAddr) {
    let mut child = program()
        .args(["scheduler", "--bind", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    let stdout = child.stdout.take().expect("it is a pipe");
    BufReader::new(stdout)
        .read_line(&mut line)
        .expect("it says where it is");
    let address = line.trim().parse().expect("an address");
    (Process(child), address)
}

/// Ports that are free, for executors cannot say which they have.
fn free_ports<const N: usize>() -> [u16; N] {
    let held = [(); N].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port is free"));
    held.map(|listener| listener.local_addr().expect("it is bound").port())
}

fn executor(scheduler: SocketAddr, folder: &Path) -> Process {
    let [port, grpc] = free_ports();
    let child = program()
        .args(["executor", "--cores", "1"])
        .args(["--scheduler", &scheduler.to_string()])
        .args(["--bind", &format!("127.0.0.1:{port}")])
        .args(["--grpc", &grpc.to_string()])
        .args(["--folder".as_ref(), folder.as_os_str()])
        .spawn()
        .expect("the program starts");
    Process(child)
}

fn files(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    entries
        .flatten()
        .map(|entry| match entry.file_type() {
            Ok(it) if it.is_dir() => files(&entry.path()),
            _ => 1,
        })
        .sum()
}

fn numbers(batches: &[RecordBatch], column: usize) -> Vec<i64> {
    batches
        .iter()
        .flat_map(|batch| {
            batch
                .column(column)
                .as_primitive::<Int64Type>()
                .values()
                .to_vec()
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_executors_verify_a_partitioned_data_set() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("ledger");
    let ledger = Ledger {
        rows: 20_000,
        keys: 50,
        zipf: 1.0,
        invalid: 0.01,
        partitions: 8,
        seed: 20,
    };
    make::make(&ledger, &data)?;

    let (_scheduler, address) = scheduler();
    let work = ["one", "two"].map(|name| folder.path().join(name));
    for folder in &work {
        std::fs::create_dir(folder)?;
    }
    let _executors = work.each_ref().map(|folder| executor(address, folder));

    let config = SessionConfig::new_with_ballista()
        .with_target_partitions(8)
        .with_batch_size(lanner_datafusion::BATCH_SIZE);
    let state = lanner_ballista::state(config)?;
    let context = SessionContext::remote_with_state(&format!("df://{address}"), state).await?;
    let path = data.to_str().ok_or("the folder has a name in UTF-8")?;
    context
        .register_parquet("ledger", path, ParquetReadOptions::default())
        .await?;
    let run = async |sql: &str| -> datafusion::error::Result<Vec<RecordBatch>> {
        context.sql(sql).await?.collect().await
    };

    // What the maker wrote down, computed without the functions.
    let expected = run("SELECT id FROM ledger WHERE NOT valid ORDER BY id").await?;
    let expected = numbers(&expected, 0);
    assert!(expected.len() > 100, "{} rows are spoiled", expected.len());

    let found = run("SELECT id FROM ledger WHERE NOT ed25519_verify(public_key, message, signature) ORDER BY id")
        .await?;
    assert_eq!(numbers(&found, 0), expected);

    let by_file = run(
        "SELECT id / 2500 AS part, count(*), count_invalid(ed25519_verify(public_key, message, signature, 'zip215')), \
         count(*) FILTER (WHERE NOT valid) FROM ledger GROUP BY 1 ORDER BY 1",
    )
    .await?;
    assert_eq!(numbers(&by_file, 0), (0..8).collect::<Vec<_>>());
    assert_eq!(numbers(&by_file, 1), [2500; 8]);
    assert_eq!(numbers(&by_file, 2), numbers(&by_file, 3));
    assert_eq!(
        numbers(&by_file, 2).iter().sum::<i64>(),
        expected.len() as i64
    );

    // Both have worked: each keeps what it has computed for the next stage. Who asks first gets a task, so that one that is
    // late has none at first.
    let begun = Instant::now();
    while work.iter().any(|folder| files(folder) == 0) {
        assert!(
            begun.elapsed() < Duration::from_secs(120),
            "an executor has no work"
        );
        run("SELECT valid, count_invalid(ed25519_verify(public_key, message, signature)) FROM ledger GROUP BY valid")
            .await?;
    }

    // What is wrong is said before anything runs.
    let error = run("SELECT ed25519_verify(id, message, signature) FROM ledger").await;
    let error = error.expect_err("a number is no key").to_string();
    assert!(error.contains("argument key, here id"), "{error}");
    Ok(())
}
