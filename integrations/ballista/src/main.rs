//! Starts a scheduler or an executor of Ballista that knows the functions of lanner-datafusion.

#![forbid(unsafe_code)]

use std::error::Error;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Parser, Subcommand};
use lanner_ballista::Executor;
use tokio::net::TcpListener;

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
    },
    /// Run tasks
    Executor {
        /// Where the scheduler is
        #[arg(long, default_value = "127.0.0.1:50050")]
        scheduler: SocketAddr,
        /// The address at which others fetch what this one has computed
        #[arg(long, default_value = "127.0.0.1:50051")]
        bind: SocketAddr,
        /// The port of the control service
        #[arg(long, default_value_t = 50052)]
        grpc: u16,
        /// How many tasks run at one time
        #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, usize::from))]
        cores: usize,
        /// Where that is kept [default: a temporary folder]
        #[arg(long)]
        folder: Option<PathBuf>,
    },
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    match Options::parse().role {
        Role::Scheduler { bind } => {
            let listener = TcpListener::bind(bind).await?;
            println!("{}", listener.local_addr()?);
            lanner_ballista::scheduler(listener).await?;
        }
        Role::Executor {
            scheduler,
            bind,
            grpc,
            cores,
            folder,
        } => {
            let executor = Executor {
                scheduler,
                bind,
                grpc_port: grpc,
                cores,
                folder,
            };
            lanner_ballista::executor(executor).await?;
        }
    }
    Ok(())
}
