//! The result for a terminal.

use std::fmt::Write;

use super::{Report, brackets, headline};
use crate::goals::{Goal, Standing};
use crate::peers::FIRST;

impl Report<'_> {
    /// The tables for a terminal.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.facts() {
            let _ = writeln!(text, "{name}: {value}");
        }
        for missing in self.missing {
            let reason = headline(&missing.reason);
            let _ = writeln!(text, "NOT MEASURED: {}: {reason}", missing.what);
        }
        let _ = writeln!(
            text,
            "\nmedians in µs; in brackets that column's time over {FIRST}'s\n"
        );
        let mut header = vec![String::new()];
        header.extend(self.table.columns.iter().cloned());
        let mut lines = vec![header];
        for &row in &self.table.rows {
            let mut line = vec![row.to_string()];
            for column in &self.table.columns {
                let time = self.table.time(row, column);
                let time = time.map(|time| format!("{:.2}", time.median / 1e3));
                let ratio = self.table.ratio_to_first(row, column);
                line.push(match (time, ratio) {
                    (Some(time), Some(ratio)) if column != FIRST => {
                        format!("{time} ({:.2})", ratio.median)
                    }
                    (time, _) => time.unwrap_or_default(),
                });
            }
            lines.push(line);
        }
        align(&mut text, &lines);

        let mut goals = vec![
            ["", "against", "ratio", "goal", "verdict"]
                .map(String::from)
                .into(),
        ];
        for goal in Goal::all() {
            if let Standing::Known {
                ratio,
                published,
                worst,
            } = goal.standing(self.table)
            {
                let mark = if published { ", published" } else { "" };
                let verdict = goal.verdict(ratio);
                goals.push(vec![
                    goal.name,
                    format!("{} ({worst}{mark})", goal.against),
                    brackets(ratio),
                    format!("{:.2}", goal.at_least),
                    verdict.replace("**", ""),
                ]);
            }
        }
        if goals.len() > 1 {
            text.push('\n');
            align(&mut text, &goals);
        }
        for size in self.sizes {
            let stack = size.stack.map_or_else(|| "?".into(), |s| s.to_string());
            let (column, flash) = (size.column, size.flash());
            let _ = writeln!(text, "size of {column}: flash {flash}, stack {stack}");
        }
        text
    }
}

/// Writes lines of fields under each other: the first field to the left, the others to the right.
fn align(text: &mut String, lines: &[Vec<String>]) {
    let width = |i: usize| {
        let fields = lines.iter().map(|line| line[i].chars().count());
        fields.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    for line in lines {
        let mut out = format!("{:<width$}", line[0], width = widths[0]);
        for (field, width) in line.iter().zip(&widths).skip(1) {
            let _ = write!(out, "  {field:>width$}");
        }
        let _ = writeln!(text, "{}", out.trim_end());
    }
}
