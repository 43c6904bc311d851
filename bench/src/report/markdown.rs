//! The report that is kept in the repository.

use std::fmt::Write;

use super::{Report, brackets, headline};
use crate::goals::{Goal, Standing};
use crate::peers::FIRST;
use crate::size::TRIPLE;

impl Report<'_> {
    /// The report that is kept in the repository.
    pub(crate) fn markdown(&self) -> String {
        let mut text = String::from("# Side by side\n\n");
        let _ = writeln!(
            text,
            "Written by `cargo run --release -p lanner-bench -- {}`; the method stands in \
             [bench/README.md](../bench/README.md). Read the ratios, not the times: the times \
             belong to this machine and this hour.\n",
            self.options
        );
        for (name, value) in self.facts() {
            let _ = writeln!(text, "- {name}: {value}");
        }
        self.missing_peers(&mut text);
        self.goals(&mut text);
        self.ratios(&mut text);
        self.backends(&mut text);
        self.sizes(&mut text);
        self.times(&mut text);
        text
    }

    fn missing_peers(&self, text: &mut String) {
        if self.missing.is_empty() {
            return;
        }
        text.push_str("\n**Not measured here:**\n\n");
        for missing in self.missing {
            let _ = writeln!(text, "- {}: {}", missing.what, headline(&missing.reason));
        }
    }

    fn goals(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "\n## Goals\n\nThe peer's time over {FIRST}'s, median of the rounds with quartiles: \
             above 1, {FIRST} is the faster. Where several peers or sizes are named, the worst \
             ratio counts; its cell stands in the column after. *Published* marks a peer that was \
             not measured here: its ratio to dalek in one interleaved run on another machine (AMD \
             EPYC, Zen 3) takes its place.\n"
        );
        text.push_str(
            "| | against | ratio | decided by | goal | verdict |\n|---|---|---|---|---|---|\n",
        );
        for goal in Goal::all().iter().filter(|goal| goal.concerns(self.table)) {
            let standing = goal.standing(self.table);
            let (ratio, worst, verdict) = match standing {
                Standing::Known {
                    ratio,
                    published,
                    worst,
                } => {
                    let mark = if published { ", *published*" } else { "" };
                    (
                        brackets(ratio),
                        format!("{worst}{mark}"),
                        goal.verdict(ratio),
                    )
                }
                Standing::Unknown => (
                    String::new(),
                    String::new(),
                    String::from("**not measured**"),
                ),
            };
            let _ = writeln!(
                text,
                "| {} | {} | {ratio} | {worst} | {:.2} | {verdict} |",
                goal.name, goal.against, goal.at_least
            );
        }
        let (ours, peers): (Vec<_>, Vec<_>) =
            self.sizes.iter().partition(|size| size.column == FIRST);
        if let Some(ours) = ours.first() {
            for peer in peers {
                size_goal(text, "flash", peer.column, ours.flash(), peer.flash());
                if let (Some(ours), Some(peers)) = (ours.stack, peer.stack) {
                    size_goal(text, "stack", peer.column, ours, peers);
                }
            }
        }
    }

    fn ratios(&self, text: &mut String) {
        let peers = self.table.peers();
        if peers.is_empty() {
            return;
        }
        let _ = writeln!(
            text,
            "\n## Ratios\n\nA column's time over {FIRST}'s in the same row. The last column names \
             the fastest peer.\n"
        );
        let _ = writeln!(text, "| | {} | best peer |", peers.join(" | "));
        let _ = writeln!(text, "|---|{}---|", "---|".repeat(peers.len()));
        for &row in &self.table.rows {
            let Some((best, ratio)) = self.table.best_peer(row) else {
                continue;
            };
            let cells: Vec<String> = peers
                .iter()
                .map(|column| {
                    let ratio = self.table.ratio_to_first(row, column);
                    ratio.map_or_else(String::new, brackets)
                })
                .collect();
            let cells = cells.join(" | ");
            let _ = writeln!(text, "| {row} | {cells} | {best}, {:.2} |", ratio.median);
        }
    }

    fn backends(&self, text: &mut String) {
        let own = self.table.own();
        if own.is_empty() {
            return;
        }
        let _ = writeln!(
            text,
            "\n## Backends\n\nWhat other processors get: Lanner on each of its backends, chosen by \
             hand. First the goals, with the ratio to the same peers (bold where it is short), then \
             the time of the default over the backend's, so that 0.50 is half of the default's \
             speed. In WebAssembly, where a module cannot choose, {FIRST} is the build with 128-bit \
             vectors.\n"
        );
        let line = |text: &mut String, name: &str, goal: &str, cells: &[String]| {
            if cells.iter().any(|cell| !cell.is_empty()) {
                let _ = writeln!(text, "| {name} | {goal} | {} |", cells.join(" | "));
            }
        };
        let head = own.join(" | ");
        let rule = "---|".repeat(own.len());
        let _ = writeln!(text, "| | goal | {head} |\n|---|---|{rule}");
        for goal in Goal::all().iter().filter(|goal| goal.has_backends()) {
            let cell = |column: &&str| match goal.standing_of(self.table, column) {
                Standing::Known { ratio, .. } if ratio.upper < goal.at_least => {
                    format!("**{:.2}**", ratio.median)
                }
                Standing::Known { ratio, .. } => format!("{:.2}", ratio.median),
                Standing::Unknown => String::new(),
            };
            let cells: Vec<String> = own.iter().map(cell).collect();
            let name = format!("{}, against {}", goal.name, goal.against);
            line(text, &name, &format!("{:.2}", goal.at_least), &cells);
        }
        let _ = writeln!(text, "\n| | lanner | {head} |\n|---|---|{rule}");
        for &row in &self.table.rows {
            let cell = |column: &&str| {
                let ratio = self.table.ratio((row, FIRST), (row, column));
                ratio.map_or_else(String::new, |ratio| format!("{:.2}", ratio.median))
            };
            let cells: Vec<String> = own.iter().map(cell).collect();
            line(text, &row.to_string(), "1", &cells);
        }
    }

    fn sizes(&self, text: &mut String) {
        if self.sizes.is_empty() {
            return;
        }
        let _ = writeln!(
            text,
            "\n## Size\n\nA program for `{TRIPLE}` that makes a key from a seed, signs and \
             verifies, with `opt-level = \"z\"`, link-time optimisation and `panic = \"abort\"`, \
             linked without std; bytes. The stack is the deepest point of all three calls, by \
             painting it, in an emulator.\n"
        );
        text.push_str(
            "| | code | constants | flash | memory of its own | stack |\n|---|---|---|---|---|---|\n",
        );
        for size in self.sizes {
            let stack = size.stack.map_or_else(|| "?".into(), |s| s.to_string());
            let _ = writeln!(
                text,
                "| {} ({}) | {} | {} | {} | {} | {stack} |",
                size.column,
                size.what,
                size.code,
                size.constants,
                size.flash(),
                size.memory
            );
        }
    }

    fn times(&self, text: &mut String) {
        let unit = if self.ticks.is_some() {
            "µs, in brackets thousand ticks of the time-stamp counter"
        } else {
            "µs"
        };
        let _ = writeln!(
            text,
            "\n## Times\n\nMedians in {unit}. Rows of many are per signature or pair.\n"
        );
        let columns = &self.table.columns;
        let _ = writeln!(text, "| | {} |", columns.join(" | "));
        let _ = writeln!(text, "|---|{}", "---|".repeat(columns.len()));
        for &row in &self.table.rows {
            let cells: Vec<String> = columns
                .iter()
                .map(|column| {
                    let time = self.table.time(row, column);
                    time.map_or_else(String::new, |time| self.time(time))
                })
                .collect();
            let _ = writeln!(text, "| {row} | {} |", cells.join(" | "));
        }
    }
}

/// A line of the goals about bytes: the peer's over ours.
fn size_goal(text: &mut String, what: &str, peer: &str, ours: u64, theirs: u64) {
    let ratio = theirs as f64 / ours as f64;
    let verdict = if ours < theirs {
        String::from("met")
    } else {
        format!("**{} bytes too many**", ours - theirs)
    };
    let _ = writeln!(
        text,
        "| size build: {what} | {peer} | {ratio:.2} | {ours} against {theirs} bytes | above 1 | {verdict} |"
    );
}

#[cfg(test)]
mod tests {
    use super::size_goal;

    #[test]
    fn a_smaller_program_meets_its_goal() {
        let verdict = |ours, theirs| {
            let mut text = String::new();
            size_goal(&mut text, "flash", "peer", ours, theirs);
            text
        };
        assert!(verdict(100, 200).ends_with("| above 1 | met |\n"));
        assert!(verdict(200, 200).contains("0 bytes too many"));
        assert!(verdict(300, 200).contains("| 0.67 |"));
    }
}
