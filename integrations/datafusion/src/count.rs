//! `count_invalid`: how many verdicts are not true.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray};
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::error::Result;
use datafusion::logical_expr::{Accumulator, AggregateUDF, Volatility, create_udaf};
use datafusion::scalar::ScalarValue;

/// The aggregate. `count(*) FILTER (WHERE NOT verdict)` would leave nulls out.
pub(crate) fn count_invalid() -> AggregateUDF {
    create_udaf(
        "count_invalid",
        vec![DataType::Boolean],
        Arc::new(DataType::Int64),
        Volatility::Immutable,
        Arc::new(|_| Ok(Box::<Count>::default())),
        Arc::new(vec![DataType::Int64]),
    )
}

#[derive(Debug, Default)]
struct Count(i64);

impl Accumulator for Count {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let invalid = lanner_arrow::count_invalid(values[0].as_boolean());
        self.0 += i64::try_from(invalid).expect("rows in memory");
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.0 += states[0]
            .as_primitive::<Int64Type>()
            .iter()
            .flatten()
            .sum::<i64>();
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.evaluate()?])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::Int64(Some(self.0)))
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }
}
