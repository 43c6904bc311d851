//! The result for programs.

use serde_json::{Map, Value, json};

use super::Report;
use crate::goals::{Goal, Standing};
use crate::stats::Spread;

impl Report<'_> {
    /// Everything.
    pub(crate) fn json(&self) -> Value {
        let spread = |spread: Option<Spread>| {
            spread.map_or(Value::Null, |s| {
                json!({ "median": s.median, "lower_quartile": s.lower, "upper_quartile": s.upper })
            })
        };
        let rows: Vec<Value> = self
            .table
            .rows
            .iter()
            .map(|&row| {
                let columns: Map<String, Value> = self
                    .table
                    .columns
                    .iter()
                    .map(|column| {
                        let cell = json!({
                            "nanoseconds": spread(self.table.time(row, column)),
                            "ratio": spread(self.table.ratio_to_first(row, column)),
                        });
                        (column.clone(), cell)
                    })
                    .collect();
                json!({ "row": row.to_string(), "columns": columns })
            })
            .collect();
        let goals: Vec<Value> = Goal::all()
            .into_iter()
            .map(|goal| {
                let (ratio, published) = match goal.standing(self.table) {
                    Standing::Known {
                        ratio, published, ..
                    } => (Some(ratio), published),
                    Standing::Unknown => (None, false),
                };
                json!({
                    "goal": goal.name,
                    "against": goal.against,
                    "at_least": goal.at_least,
                    "ratio": spread(ratio),
                    "by_published_ratio": published,
                })
            })
            .collect();
        let facts: Map<String, Value> = self
            .facts()
            .into_iter()
            .map(|(name, value)| (name.replace([' ', '-'], "_"), Value::String(value)))
            .collect();
        let sizes: Vec<Value> = self
            .sizes
            .iter()
            .map(|size| {
                json!({
                    "library": size.what,
                    "code": size.code,
                    "constants": size.constants,
                    "memory": size.memory,
                    "stack": size.stack,
                })
            })
            .collect();
        let missing: Vec<Value> = self
            .missing
            .iter()
            .map(|missing| json!({ "what": missing.what, "reason": missing.reason }))
            .collect();
        json!({
            "facts": facts,
            "rounds": self.plan.rounds,
            "message_bytes": self.message,
            "ticks_per_nanosecond": self.ticks,
            "rows": rows,
            "goals": goals,
            "sizes": sizes,
            "missing": missing,
        })
    }
}
