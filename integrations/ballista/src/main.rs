//! Starts a scheduler or an executor of Ballista that knows the functions of lanner-datafusion.

#![forbid(unsafe_code)]

use std::error::Error;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use lanner_ballista::{Address, Executor};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

#[derive(Parser)]
#[command(about = "Ballista with the functions of lanner-datafusion")]
struct Options {
    #[command(subcommand)]
    role: Role,
}

#[derive(Subcommand)]
enum Role {
    /// Serve as a scheduler, and print the address
    Scheduler {
        /// The address; with port 0, any that is free
        #[arg(long, default_value = "127.0.0.1:50050")]
        bind: SocketAddr,
        /// After how many seconds of silence an executor is lost, 10 or more
        #[arg(long, default_value_t = 30)]
        silence: u64,
    },
    /// Run tasks
    Executor {
        /// Where the scheduler is, as host:port
        #[arg(long, default_value = "127.0.0.1:50050")]
        scheduler: Address,
        /// How many seconds to wait for it
        #[arg(long, default_value_t = 20)]
        patience: u64,
        /// The address at which others fetch what this one has computed
        #[arg(long, default_value = "127.0.0.1:50051")]
        bind: SocketAddr,
        /// How many tasks run at one time
        #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, usize::from))]
        cores: usize,
        /// Where that is kept, in a folder that goes away with the process [default: the system's temporary one]
        #[arg(long)]
        folder: Option<PathBuf>,
    },
}

/// How long threads may take to end.
const LAST_WORDS: Duration = Duration::from_secs(10);

fn run(role: Role) -> Result<(), Box<dyn Error>> {
    let runtime = Runtime::new()?;
    match role {
        Role::Scheduler { bind, silence } => runtime.block_on(async {
            let listener = TcpListener::bind(bind)
                .await
                .map_err(|error| format!("{bind}: {error}"))?;
            println!("{}", listener.local_addr()?);
            lanner_ballista::scheduler(listener, Duration::from_secs(silence)).await?;
            Ok(())
        }),
        Role::Executor {
            scheduler,
            patience,
            bind,
            cores,
            folder,
        } => {
            let folder = folder.unwrap_or_else(std::env::temp_dir);
            let home = tempfile::Builder::new()
                .prefix("lanner-ballista-")
                .tempdir_in(&folder)
                .map_err(|error| format!("{}: {error}", folder.display()))?;
            let executor = Executor {
                scheduler,
                patience: Duration::from_secs(patience),
                bind,
                cores,
                folder: home.path().to_owned(),
            };
            let ended = runtime.block_on(lanner_ballista::executor(executor));
            // What still runs could write into the folder.
            runtime.shutdown_timeout(LAST_WORDS);
            home.close()?;
            Ok(ended?)
        }
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    match run(options.role) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lanner-ballista: {error}");
            ExitCode::FAILURE
        }
    }
}
