//! Interleaved measurement.
//!
//! In each round every cell (a row of one column) runs once, in an order shuffled anew.
//! Whatever disturbs the machine for a while disturbs all cells alike, and the ratio of two cells
//! of one round hardly notices.

use std::collections::HashMap;
use std::time::Duration;

use lanner_bench_kit::Pool;
use quanta::Clock;

use crate::peers::{FIRST, Provider, Timer};
use crate::rows::Row;
use crate::stats::Spread;

/// How to measure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) rounds: usize,
    /// How long a cell runs in each round.
    pub(crate) slice: Duration,
    pub(crate) seed: u64,
}

/// The measured cells.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Row>,
    /// The names of the columns, [`FIRST`] first.
    pub(crate) columns: Vec<String>,
    /// Nanoseconds per unit of each round.
    pub(crate) cells: HashMap<(Row, String), Vec<f64>>,
}

struct Cell<'p> {
    row: Row,
    column: &'p str,
    timer: Timer<'p>,
    times: usize,
    rounds: Vec<f64>,
}

/// Measures all rows of all providers.
///
/// # Errors
///
/// A runner process failed.
pub(crate) fn measure(
    rows: &[Row],
    providers: &[Provider],
    pool: &Pool,
    plan: Plan,
    mut progress: impl FnMut(usize),
) -> Result<Table, String> {
    let mut cells = Vec::new();
    for &row in rows {
        for provider in providers {
            if let Some(mut timer) = provider.timer(row, pool)? {
                let times = calibrate(&mut timer, plan.slice)?;
                cells.push(Cell {
                    row,
                    column: &provider.column,
                    timer,
                    times,
                    rounds: Vec::with_capacity(plan.rounds),
                });
            }
        }
    }
    let mut rng = fastrand::Rng::with_seed(plan.seed);
    let mut order: Vec<usize> = (0..cells.len()).collect();
    for round in 0..plan.rounds {
        progress(round);
        rng.shuffle(&mut order);
        for &index in &order {
            let cell = &mut cells[index];
            let time = (cell.timer)(cell.times)?;
            let units = cell.times * cell.row.units();
            cell.rounds.push(time / units as f64);
        }
    }
    let mut table = Table {
        rows: rows.to_vec(),
        ..Table::default()
    };
    for provider in providers {
        if !table.columns.contains(&provider.column) {
            table.columns.push(provider.column.clone());
        }
    }
    for cell in cells {
        let key = (cell.row, cell.column.to_owned());
        table.cells.insert(key, cell.rounds);
    }
    Ok(table)
}

/// How many runs fill the slice.
fn calibrate(timer: &mut Timer<'_>, slice: Duration) -> Result<usize, String> {
    let slice = slice.as_nanos() as f64;
    let mut times = 1;
    loop {
        let time = timer(times)?.max(1.0);
        if time * 4.0 >= slice {
            return Ok(((slice / time * times as f64).round() as usize).max(1));
        }
        times *= 2;
    }
}

/// Ticks of the time-stamp counter per nanosecond, where there is one.
pub(crate) fn ticks_per_nanosecond() -> Option<f64> {
    let clock = Clock::new();
    let begin = clock.raw();
    std::thread::sleep(Duration::from_millis(50));
    let ticks = clock.raw() - begin;
    let rate = ticks as f64 / clock.delta_as_nanos(begin, begin + ticks) as f64;
    // Without a usable counter the clock counts nanoseconds itself.
    ((rate - 1.0).abs() > 1e-6).then_some(rate)
}

impl Table {
    fn cell(&self, row: Row, column: &str) -> Option<&[f64]> {
        self.cells.get(&(row, column.to_owned())).map(Vec::as_slice)
    }

    /// Nanoseconds per unit over the rounds.
    pub(crate) fn time(&self, row: Row, column: &str) -> Option<Spread> {
        self.cell(row, column).map(Spread::of)
    }

    /// The time of one cell over that of another, round by round: above 1 the other, `ours`, is
    /// the faster.
    pub(crate) fn ratio(&self, theirs: (Row, &str), ours: (Row, &str)) -> Option<Spread> {
        let (theirs, ours) = (self.cell(theirs.0, theirs.1)?, self.cell(ours.0, ours.1)?);
        let ratios: Vec<f64> = theirs.iter().zip(ours).map(|(t, o)| t / o).collect();
        Some(Spread::of(&ratios))
    }

    /// The time of a column over that of the first.
    pub(crate) fn ratio_to_first(&self, row: Row, column: &str) -> Option<Spread> {
        self.ratio((row, column), (row, FIRST))
    }

    /// The columns of other libraries, without those of the first on other backends.
    pub(crate) fn peers(&self) -> Vec<&str> {
        let columns = self.columns.iter().map(String::as_str);
        columns.filter(|column| !is_own(column)).collect()
    }

    /// The columns of the first library on other backends.
    pub(crate) fn own(&self) -> Vec<&str> {
        let columns = self.columns.iter().map(String::as_str);
        columns
            .filter(|column| is_own(column) && *column != FIRST)
            .collect()
    }

    /// The fastest peer, and its ratio.
    pub(crate) fn best_peer(&self, row: Row) -> Option<(&str, Spread)> {
        self.peers()
            .into_iter()
            .filter_map(|column| Some((column, self.ratio_to_first(row, column)?)))
            .min_by(|a, b| a.1.median.total_cmp(&b.1.median))
    }
}

/// Whether a column is the first library's, on whatever backend: `lanner`, `lanner/adx`.
fn is_own(column: &str) -> bool {
    column.split('/').next() == Some(FIRST)
}

#[cfg(test)]
mod tests {
    use super::{Plan, Table, measure};
    use crate::peers::of_library;
    use crate::rows::Row;
    use lanner_bench_kit::{Library, Operation, Pool, Task};
    use std::time::Duration;

    const SIGN: Row = Row::native(Task::Sign);
    const KEYGEN: Row = Row::native(Task::Keygen);

    struct Counts;

    impl Library for Counts {
        fn operation<'p>(&self, task: Task, _: &'p Pool) -> Option<Operation<'p>> {
            (task != Task::Sign).then(|| -> Operation<'p> {
                Box::new(|times| {
                    for i in 0..times {
                        std::hint::black_box(i);
                    }
                })
            })
        }
    }

    #[test]
    fn every_cell_runs_in_every_round_and_gaps_stay_gaps() {
        let plan = Plan {
            rounds: 3,
            slice: Duration::from_micros(20),
            seed: 1,
        };
        let providers = ["lanner", "b"].map(|name| of_library(name, Box::new(Counts)));
        let mut rounds = 0;
        let rows = [KEYGEN, SIGN, Row::i686(Task::Keygen)];
        let table = measure(&rows, &providers, &Pool::default(), plan, |_| rounds += 1)
            .expect("no runner fails");
        assert_eq!(rounds, 3);
        assert_eq!(table.cell(KEYGEN, "b").map(<[f64]>::len), Some(3));
        assert!(table.time(KEYGEN, "lanner").is_some());
        assert!(table.ratio_to_first(KEYGEN, "b").is_some());
        assert!(table.time(SIGN, "lanner").is_none());
        assert!(table.time(rows[2], "lanner").is_none());
    }

    #[test]
    fn ratios_are_paired_by_round() {
        let columns = ["lanner", "lanner/x", "slow", "slower"];
        let times = [
            [1.0, 10.0, 2.0],
            [1.0, 1.0, 1.0],
            [2.0, 20.0, 4.0],
            [3.0, 30.0, 6.0],
        ];
        let cells = columns.iter().zip(times);
        let table = Table {
            rows: vec![SIGN],
            columns: columns.map(String::from).to_vec(),
            cells: cells
                .map(|(column, times)| ((SIGN, String::from(*column)), times.to_vec()))
                .collect(),
        };
        let slow = table.ratio_to_first(SIGN, "slow");
        assert_eq!(slow.map(|s| (s.lower, s.upper)), Some((2.0, 2.0)));
        assert_eq!(table.best_peer(SIGN).map(|(name, _)| name), Some("slow"));
        assert_eq!(table.own(), ["lanner/x"]);
    }
}
