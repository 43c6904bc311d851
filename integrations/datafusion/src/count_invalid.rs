//! The aggregate function.

use core::mem::size_of_val;
use std::sync::{Arc, LazyLock};

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, BooleanArray, Int64Array};
use arrow_schema::{DataType, Field, FieldRef};
use datafusion_common::{Result, ScalarValue, plan_err};
use datafusion_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion_expr::{
    Accumulator, AggregateUDFImpl, DocSection, Documentation, EmitTo, GroupsAccumulator, Signature,
    Volatility,
};
use lanner_arrow::count_invalid;

/// `count_invalid(verdict)`: how many rows are not `true`, those among them that are null.
///
/// `count(*) FILTER (WHERE NOT verdict)` leaves the nulls out; this does not. Of no rows it is 0.
/// Of `DISTINCT` verdicts it counts values and not rows where the engine groups them beforehand; elsewhere that is an error.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct CountInvalid {
    signature: Signature,
}

impl Default for CountInvalid {
    fn default() -> Self {
        Self::new()
    }
}

impl CountInvalid {
    /// The function.
    #[must_use]
    pub fn new() -> Self {
        let signature = Signature::exact(vec![DataType::Boolean], Volatility::Immutable)
            .with_parameter_names(vec!["verdict"])
            .expect("one name");
        Self { signature }
    }
}

static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
    Documentation::builder(
        DocSection {
            include: true,
            label: "Signature Functions",
            description: None,
        },
        "How many rows are not true: those that are false, and those that are null.",
        "count_invalid(verdict)",
    )
    .with_sql_example(
        "SELECT day, count_invalid(ed25519_verify(public_key, message, signature)) FROM ledger GROUP BY day",
    )
    .with_argument("verdict", "A Boolean.")
    .build()
});

impl AggregateUDFImpl for CountInvalid {
    fn name(&self) -> &str {
        "count_invalid"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&DOCUMENTATION)
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int64)
    }

    fn is_nullable(&self) -> bool {
        false
    }

    fn default_value(&self, _: &DataType) -> Result<ScalarValue> {
        Ok(ScalarValue::Int64(Some(0)))
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let name = format!("{}[count_invalid]", args.name);
        Ok(vec![Arc::new(Field::new(name, DataType::Int64, false))])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        refuse_distinct(&args)?;
        Ok(Box::new(Count(0)))
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        !args.is_distinct
    }

    fn create_groups_accumulator(
        &self,
        args: AccumulatorArgs,
    ) -> Result<Box<dyn GroupsAccumulator>> {
        refuse_distinct(&args)?;
        Ok(Box::new(Counts(Vec::new())))
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        self.accumulator(args)
    }
}

fn refuse_distinct(args: &AccumulatorArgs) -> Result<()> {
    if args.is_distinct {
        return plan_err!(
            "count_invalid counts rows, of which none are the same: without DISTINCT"
        );
    }
    Ok(())
}

fn number(count: usize) -> i64 {
    i64::try_from(count).expect("no array is as long")
}

/// Counts of one group.
#[derive(Debug)]
struct Count(i64);

impl Accumulator for Count {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.0 += number(count_invalid(values[0].as_boolean()));
        Ok(())
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.0 -= number(count_invalid(values[0].as_boolean()));
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::Int64(Some(self.0)))
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![self.evaluate()?])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let counts = states[0].as_primitive::<Int64Type>();
        self.0 += counts.iter().flatten().sum::<i64>();
        Ok(())
    }
}

/// Counts of many groups.
#[derive(Debug)]
struct Counts(Vec<i64>);

/// One for each row that counts, and 0 for the others.
fn ones<'a>(
    verdicts: &'a BooleanArray,
    filter: Option<&'a BooleanArray>,
) -> impl Iterator<Item = i64> + 'a {
    (0..verdicts.len()).map(move |row| {
        let counts = filter.is_none_or(|filter| filter.is_valid(row) && filter.value(row));
        let valid = verdicts.is_valid(row) && verdicts.value(row);
        i64::from(counts && !valid)
    })
}

impl GroupsAccumulator for Counts {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.0.resize(total, 0);
        for (&group, one) in groups.iter().zip(ones(values[0].as_boolean(), filter)) {
            self.0[group] += one;
        }
        Ok(())
    }

    fn evaluate(&mut self, emit_to: EmitTo) -> Result<ArrayRef> {
        let counts = emit_to.take_needed(&mut self.0);
        Ok(Arc::new(Int64Array::from(counts)))
    }

    fn state(&mut self, emit_to: EmitTo) -> Result<Vec<ArrayRef>> {
        Ok(vec![self.evaluate(emit_to)?])
    }

    fn merge_batch(&mut self, values: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.0.resize(total, 0);
        let counts = values[0].as_primitive::<Int64Type>();
        for (&group, count) in groups.iter().zip(counts.iter()) {
            self.0[group] += count.unwrap_or(0);
        }
        Ok(())
    }

    fn convert_to_state(
        &self,
        values: &[ArrayRef],
        filter: Option<&BooleanArray>,
    ) -> Result<Vec<ArrayRef>> {
        let counts: Int64Array = ones(values[0].as_boolean(), filter).map(Some).collect();
        Ok(vec![Arc::new(counts)])
    }

    fn size(&self) -> usize {
        self.0.capacity() * size_of::<i64>()
    }
}
