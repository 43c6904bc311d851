//! A scheduler and executors of [Ballista](https://datafusion.apache.org/ballista/) that know the functions of
//! [`lanner_datafusion`].
//!
//! Plans travel by the names of functions, so that whoever reads one must have them: the client, which plans, the scheduler,
//! which cuts the plan into stages, and the executors, which run them. [`state`] is a session with them, from which scheduler and
//! executors are made. The program `lanner-ballista` starts either:
//!
//! ```sh
//! lanner-ballista scheduler --bind 127.0.0.1:50050
//! lanner-ballista executor --scheduler 127.0.0.1:50050 --bind 127.0.0.1:50051
//! ```
//!
//! and this is the client, which registers them last, because a session that becomes a remote one loses what it had:
//!
//! ```no_run
//! use ballista::prelude::SessionContextExt;
//! use datafusion::prelude::SessionContext;
//!
//! # #[tokio::main]
//! # async fn main() -> datafusion::error::Result<()> {
//! let mut context = SessionContext::remote("df://127.0.0.1:50050").await?;
//! lanner_datafusion::register(&mut context)?;
//! context.register_parquet("ledger", "/data/ledger", Default::default()).await?;
//! let sql = "SELECT count_invalid(ed25519_verify(public_key, message, signature)) FROM ledger";
//! context.sql(sql).await?.show().await?;
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod address;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::error::{BallistaError, Result};
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::utils::default_session_builder;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use datafusion::execution::SessionState;
use datafusion::prelude::SessionConfig;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use tokio::net::{TcpListener, TcpStream};

pub use address::Address;

/// A session of Ballista with the functions.
///
/// # Errors
///
/// The session cannot be made.
pub fn state(config: SessionConfig) -> datafusion::error::Result<SessionState> {
    let mut state = default_session_builder(config)?;
    lanner_datafusion::register(&mut state)?;
    Ok(state)
}

/// How long an executor may be silent, at the least: one whose cores are all busy reports every five seconds.
pub const SHORTEST_SILENCE: Duration = Duration::from_secs(10);

/// Serves as a scheduler until the process is asked to end. Executors fetch their tasks from it.
///
/// An executor that has been silent for `silence` is taken for lost, and what it had to do is given to others; a query that
/// is left without any executor waits as long again for a new one, and then fails.
///
/// # Errors
///
/// `silence` is below [`SHORTEST_SILENCE`], the address is none of the listener, or the service ends.
pub async fn scheduler(listener: TcpListener, silence: Duration) -> Result<()> {
    if silence < SHORTEST_SILENCE {
        return Err(BallistaError::Configuration(format!(
            "executors are heard every 5 s, so that they are lost after {} s at the earliest, and not after {} s",
            SHORTEST_SILENCE.as_secs(),
            silence.as_secs()
        )));
    }
    let address = listener.local_addr()?;
    let mut config = SchedulerConfig::default()
        .with_hostname(address::in_url(address.ip()))
        .with_port(address.port())
        .with_scheduler_policy(TaskSchedulingPolicy::PullStaged)
        .with_no_executors_grace_period_seconds(silence.as_secs())
        .with_override_session_builder(Arc::new(state));
    config.executor_timeout_seconds = silence.as_secs();
    config.expire_dead_executor_interval_seconds = (silence.as_secs() / 10).clamp(1, 15);
    config.validate()?;
    let cluster = BallistaCluster::new_from_config(&config).await?;
    let scheduler =
        create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, Arc::new(config)).await?;
    tokio::select! {
        ended = start_grpc_service_with_listener(listener, scheduler) => ended,
        () = asked_to_end() => Ok(()),
    }
}

/// What an executor is told.
#[derive(Clone, Debug)]
pub struct Executor {
    /// Where the scheduler is.
    pub scheduler: Address,
    /// How long to wait for it to be there.
    pub patience: Duration,
    /// Where this executor hands out what it has computed.
    pub bind: SocketAddr,
    /// How many tasks it runs at one time.
    pub cores: usize,
    /// Where it keeps what others fetch. It is not emptied at the end.
    pub folder: PathBuf,
}

/// Runs tasks until the process is asked to end; then what is under way is finished first.
///
/// # Errors
///
/// The scheduler is not there, the port is taken, or a service ends.
pub async fn executor(executor: Executor) -> Result<()> {
    let mut asked = tokio::spawn(asked_to_end());
    tokio::select! {
        reached = reach(&executor.scheduler, executor.patience) => reached?,
        _ = &mut asked => return Ok(()),
    }
    let functions = BallistaFunctionRegistry::from(&state(SessionConfig::new())?);
    // The engine would end without saying why.
    let listener = TcpListener::bind(executor.bind).await;
    drop(listener.map_err(|error| general(format!("{}: {error}", executor.bind)))?);
    let config = ExecutorProcessConfig {
        bind_host: address::in_url(executor.bind.ip()),
        // Without one, the scheduler takes the address that it is asked from.
        external_host: Some(executor.bind.ip())
            .filter(|ip| !ip.is_unspecified())
            .map(address::in_url),
        port: executor.bind.port(),
        // Nothing listens there where tasks are fetched.
        grpc_port: executor.bind.port(),
        scheduler_host: executor.scheduler.host().to_owned(),
        scheduler_port: executor.scheduler.port(),
        vcores: executor.cores,
        task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
        work_dir: Some(executor.folder.to_string_lossy().into_owned()),
        override_function_registry: Some(Arc::new(functions)),
        ..ExecutorProcessConfig::default()
    };
    start_executor_process(Arc::new(config)).await?;
    if asked.is_finished() {
        Ok(())
    } else {
        Err(general(String::from("a service of the executor ended")))
    }
}

/// Waits until the scheduler accepts connections: whoever starts a cluster starts all of it at once.
async fn reach(scheduler: &Address, patience: Duration) -> Result<()> {
    let mut last = None;
    let reached = tokio::time::timeout(patience, async {
        while let Err(error) = TcpStream::connect(scheduler.to_string()).await {
            last = Some(error);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    if reached.await.is_ok() {
        return Ok(());
    }
    let why = last.map_or_else(|| String::from("no answer"), |error| error.to_string());
    let seconds = patience.as_secs();
    Err(general(format!(
        "no scheduler at {scheduler} within {seconds} s: {why}"
    )))
}

/// Returns when the process is told to end: by Ctrl-C, or as services are.
async fn asked_to_end() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => {
                tokio::select! {
                    _ = interrupt => {},
                    _ = terminate.recv() => {},
                }
            }
            Err(_) => drop(interrupt.await),
        }
    }
    #[cfg(not(unix))]
    drop(interrupt.await);
}

fn general(message: String) -> BallistaError {
    BallistaError::General(message)
}
