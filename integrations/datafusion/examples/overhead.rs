//! What the engine costs beside verifying, over a folder that `lanner-arrow`'s example `ledger` has made.
//!
//! ```sh
//! cargo run --release -p lanner-datafusion --example overhead -- --folder target/ledger
//! ```
//!
//! The same query is run with `ed25519_verify` and with a function that is given the same columns and looks at none, by turns;
//! what the second takes is the engine's: reading, decompressing, handing out, counting. Medians of several rounds.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use arrow_array::BooleanArray;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_schema::DataType;
use clap::Parser;
use datafusion::error::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};

#[derive(Parser)]
#[command(about = "Time what the engine costs beside verifying")]
struct Options {
    /// The folder of Parquet files
    #[arg(long)]
    folder: PathBuf,
    /// How many partitions work at one time
    #[arg(long, default_value_t = 1)]
    partitions: usize,
    /// Rows in a batch
    #[arg(long, default_value_t = lanner_datafusion::BATCH_SIZE)]
    batch: usize,
    /// How many rounds there are
    #[arg(long, default_value_t = 7)]
    rounds: usize,
}

/// Says of every row that it is valid.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Nothing {
    signature: Signature,
}

impl ScalarUDFImpl for Nothing {
    fn name(&self) -> &str {
        "nothing"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let all = BooleanArray::from(vec![true; args.number_rows]);
        Ok(ColumnarValue::Array(Arc::new(all)))
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let config = SessionConfig::new()
        .with_target_partitions(options.partitions)
        .with_batch_size(options.batch);
    let mut context = SessionContext::new_with_config(config);
    lanner_datafusion::register(&mut context)?;
    context.register_udf(ScalarUDF::from(Nothing {
        signature: Signature::any(3, Volatility::Immutable),
    }));
    let folder = options
        .folder
        .to_str()
        .ok_or("a folder with a name in UTF-8")?;
    context
        .register_parquet("ledger", folder, ParquetReadOptions::default())
        .await?;
    let run = async |function: &str| -> Result<(f64, i64)> {
        let sql =
            format!("SELECT count_invalid({function}(public_key, message, signature)) FROM ledger");
        let begun = Instant::now();
        let rows = context.sql(&sql).await?.collect().await?;
        let count = rows[0].column(0).as_primitive::<Int64Type>().value(0);
        Ok((begun.elapsed().as_secs_f64(), count))
    };
    let rows = context.table("ledger").await?.count().await?;
    let (mut whole, mut engine, mut shares, mut invalid) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for round in 0..=options.rounds {
        let (without, _) = run("nothing").await?;
        let (with, count) = run("ed25519_verify").await?;
        invalid = count;
        // The first round fills the caches of the system.
        if round > 0 {
            whole.push(1e6 * with / rows as f64);
            engine.push(1e6 * without / rows as f64);
            shares.push(without / with);
        }
    }
    println!(
        "{rows} rows, {invalid} not valid, {} partition(s), batches of {}",
        options.partitions, options.batch
    );
    println!(
        "with verifying {:.2} us a row, without {:.3} us: the engine is {:.1} % of the time",
        median(whole),
        median(engine),
        100.0 * median(shares)
    );
    Ok(())
}
