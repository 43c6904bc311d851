//! The rows of the report: a task on a platform.

use std::fmt;

use lanner_bench_kit::Task;

/// Where a row runs. Only columns of the same platform are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Platform {
    /// The machine as it is.
    Native,
    /// A program for 32-bit x86 on the same machine.
    I686,
    /// A WebAssembly module in Node.
    Wasm32,
}

/// One row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Row {
    pub(crate) platform: Platform,
    pub(crate) task: Task,
}

/// What is measured on other platforms.
const ELSEWHERE: [Task; 6] = [
    Task::Keygen,
    Task::Sign,
    Task::Verify,
    Task::VerifyStrict,
    Task::X25519Base,
    Task::X25519,
];

impl Row {
    /// A task on the machine as it is.
    pub(crate) const fn native(task: Task) -> Self {
        Self {
            platform: Platform::Native,
            task,
        }
    }

    /// A task of a program for 32-bit x86.
    pub(crate) const fn i686(task: Task) -> Self {
        Self {
            platform: Platform::I686,
            task,
        }
    }

    /// A task in WebAssembly.
    pub(crate) const fn wasm32(task: Task) -> Self {
        Self {
            platform: Platform::Wasm32,
            task,
        }
    }

    /// All rows, in the order of the report.
    pub(crate) fn all() -> Vec<Self> {
        let mut rows: Vec<Self> = Task::all().into_iter().map(Self::native).collect();
        rows.extend(ELSEWHERE.map(Self::i686));
        rows.extend(ELSEWHERE.map(Self::wasm32));
        rows
    }

    /// How many signatures or pairs one run handles.
    pub(crate) fn units(self) -> usize {
        self.task.units()
    }

    /// The rows that a comma-separated list names: by whole name, or else by part of a name.
    ///
    /// # Errors
    ///
    /// An item fits no row.
    pub(crate) fn select(list: &str) -> Result<Vec<Self>, String> {
        let mut chosen = Vec::new();
        for item in list
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
        {
            let fitting = |fits: &dyn Fn(&str) -> bool| -> Vec<Self> {
                Self::all()
                    .into_iter()
                    .filter(|row| fits(&row.to_string()))
                    .collect()
            };
            let mut fits = fitting(&|name| name == item);
            if fits.is_empty() {
                fits = fitting(&|name| name.contains(item));
            }
            if fits.is_empty() {
                let names: Vec<String> = Self::all().iter().map(Self::to_string).collect();
                return Err(format!(
                    "no row fits '{item}'; the rows are {}",
                    names.join(", ")
                ));
            }
            chosen.extend(fits);
        }
        Ok(Self::all()
            .into_iter()
            .filter(|row| chosen.contains(row))
            .collect())
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.platform {
            Platform::Native => write!(f, "{}", self.task),
            Platform::I686 => write!(f, "i686-{}", self.task),
            Platform::Wasm32 => write!(f, "wasm32-{}", self.task),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Row;
    use lanner_bench_kit::Task;

    #[test]
    fn whole_names_win_over_parts() {
        assert_eq!(Row::select("verify"), Ok(vec![Row::native(Task::Verify)]));
        assert_eq!(
            Row::select("x25519, sign"),
            Ok(vec![Row::native(Task::Sign), Row::native(Task::X25519)])
        );
        assert_eq!(Row::select("batch").map(|rows| rows.len()), Ok(32));
        assert_eq!(Row::select("wasm32").map(|rows| rows.len()), Ok(6));
        assert!(Row::select("hash").is_err());
    }

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<String> = Row::all().iter().map(Row::to_string).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
