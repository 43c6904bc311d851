//! A scheduler and executors of [Ballista](https://datafusion.apache.org/ballista/) that know the functions of
//! [`lanner_datafusion`].
//!
//! Plans travel by the names of functions, so that whoever reads one must have them: the client, which plans, the scheduler,
//! which cuts the plan into stages, and the executors, which run them. [`state`] is a session with them; the others are made
//! from it. The program `lanner-ballista` starts either side:
//!
//! ```sh
//! lanner-ballista scheduler --bind 127.0.0.1:50050
//! lanner-ballista executor --scheduler 127.0.0.1:50050 --bind 127.0.0.1:50051 --grpc 50052
//! ```
//!
//! and this is the client:
//!
//! ```no_run
//! use ballista::prelude::{SessionConfigExt, SessionContextExt};
//! use datafusion::prelude::{SessionConfig, SessionContext};
//!
//! # #[tokio::main]
//! # async fn main() -> datafusion::error::Result<()> {
//! let state = lanner_ballista::state(SessionConfig::new_with_ballista())?;
//! let context = SessionContext::remote_with_state("df://127.0.0.1:50050", state).await?;
//! context.register_parquet("ledger", "/data/ledger", Default::default()).await?;
//! let sql = "SELECT count_invalid(ed25519_verify(public_key, message, signature)) FROM ledger";
//! context.sql(sql).await?.show().await?;
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

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
use tokio::net::TcpListener;

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

/// Serves as a scheduler until the process ends. Executors fetch their tasks from it.
///
/// # Errors
///
/// The address is none of the listener, or the service ends.
pub async fn scheduler(listener: TcpListener) -> Result<()> {
    let address = listener.local_addr()?;
    let config = SchedulerConfig::default()
        .with_hostname(address.ip().to_string())
        .with_port(address.port())
        .with_scheduler_policy(TaskSchedulingPolicy::PullStaged)
        .with_override_session_builder(Arc::new(state));
    config.validate()?;
    let cluster = BallistaCluster::new_from_config(&config).await?;
    let scheduler =
        create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, Arc::new(config)).await?;
    start_grpc_service_with_listener(listener, scheduler).await
}

/// What an executor is told.
#[derive(Clone, Debug)]
pub struct Executor {
    /// Where the scheduler is.
    pub scheduler: SocketAddr,
    /// Where this executor hands out what it has computed.
    pub bind: SocketAddr,
    /// The port of its control service, at the same address.
    pub grpc_port: u16,
    /// How many tasks it runs at one time.
    pub cores: usize,
    /// Where it keeps what others fetch; a temporary folder if there is none.
    pub folder: Option<PathBuf>,
}

/// Runs tasks until the process ends.
///
/// # Errors
///
/// The scheduler is not there, a port is taken, or a service ends.
pub async fn executor(executor: Executor) -> Result<()> {
    let functions = state(SessionConfig::new())
        .map(|state| BallistaFunctionRegistry::from(&state))
        .map_err(|error| BallistaError::DataFusionError(Box::new(error)))?;
    let config = ExecutorProcessConfig {
        bind_host: executor.bind.ip().to_string(),
        external_host: Some(executor.bind.ip().to_string()),
        port: executor.bind.port(),
        grpc_port: executor.grpc_port,
        scheduler_host: executor.scheduler.ip().to_string(),
        scheduler_port: executor.scheduler.port(),
        scheduler_connect_timeout_seconds: 20,
        vcores: executor.cores,
        task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
        work_dir: executor
            .folder
            .map(|folder| folder.to_string_lossy().into_owned()),
        override_function_registry: Some(Arc::new(functions)),
        ..ExecutorProcessConfig::default()
    };
    start_executor_process(Arc::new(config)).await
}
