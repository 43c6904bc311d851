//! The functions: from columns of bytes to verdicts or reasons.

use std::ops::Range;

use arrow_array::{Array, LargeBinaryArray};

use crate::kernel::{Judged, Rule, Scheme, kernel};

/// A function that verifies, or that explains.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: &'static core::ffi::CStr,
    pub(crate) scheme: Scheme,
    pub(crate) explains: bool,
}

/// All of them.
pub(crate) static FUNCTIONS: [Function; 4] = [
    Function {
        name: c"ed25519_verify",
        scheme: Scheme::Ed25519,
        explains: false,
    },
    Function {
        name: c"ed25519_explain",
        scheme: Scheme::Ed25519,
        explains: true,
    },
    Function {
        name: c"fn_dsa_verify",
        scheme: Scheme::FnDsa,
        explains: false,
    },
    Function {
        name: c"fn_dsa_explain",
        scheme: Scheme::FnDsa,
        explains: true,
    },
];

impl Function {
    pub(crate) fn name(&self) -> &'static str {
        self.name.to_str().unwrap_or_default()
    }

    /// What the fourth argument is called.
    fn rule_name(&self) -> &'static str {
        match self.scheme {
            Scheme::Ed25519 => "profile",
            Scheme::FnDsa => "context",
        }
    }

    /// Judges rows: keys, messages, signatures, and the fourth argument, if it is given. `put` gets what is said of some rows,
    /// one after another, and the first row of these.
    pub(crate) fn evaluate(
        &self,
        columns: &[LargeBinaryArray],
        mut put: impl FnMut(usize, Judged),
    ) -> Result<(), String> {
        let fail = |text: String| format!("{}: {text}", self.name());
        let (columns, fourth) = match columns {
            [a, b, c] => ([a, b, c], None),
            [a, b, c, fourth] => ([a, b, c], Some(fourth)),
            _ => return Err(fail("three columns are needed".into())),
        };
        let mut start = 0;
        while start < columns[0].len() {
            let rows = start..fourth.map_or(columns[0].len(), |fourth| end_of_run(fourth, start));
            let given = match fourth {
                Some(fourth) if fourth.is_null(start) => {
                    return Err(fail(format!("its {} is NULL", self.rule_name())));
                }
                given => given.map(|fourth| fourth.value(start)),
            };
            let rule = Rule::new(self.scheme, given).map_err(fail)?;
            let judged = self.judge(rule, columns, rows.clone());
            put(start, judged.map_err(|error| fail(error.to_string()))?);
            start = rows.end;
        }
        Ok(())
    }

    fn judge(
        &self,
        rule: Rule,
        columns: [&LargeBinaryArray; 3],
        rows: Range<usize>,
    ) -> Result<Judged, lanner_arrow::Error> {
        let kernel = kernel(rule)?;
        let [keys, messages, signatures] =
            columns.map(|column| column.slice(rows.start, rows.len()));
        let columns = [&keys, &messages, &signatures];
        if self.explains {
            kernel.explain(columns).map(Judged::Reasons)
        } else {
            kernel.verify(columns).map(Judged::Verdicts)
        }
    }
}

/// The row behind those that have the same value as the first one. The fourth argument is a constant, nearly always.
fn end_of_run(column: &LargeBinaryArray, start: usize) -> usize {
    let same = |row: &usize| column.is_valid(*row) && column.value(*row) == column.value(start);
    start + 1 + (start + 1..column.len()).take_while(same).count()
}
