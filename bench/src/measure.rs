//! Interleaved measurement.
//!
//! In each round every cell (a row of one implementation) runs once, in an order shuffled anew.
//! Whatever disturbs the machine for a while disturbs all cells alike, and the ratio of two cells
//! of one round hardly notices.

use std::time::Duration;

use quanta::Clock;

use crate::peers::{Implementation, Operation};
use crate::pool::Pool;
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
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Row>,
    pub(crate) columns: Vec<&'static str>,
    /// Nanoseconds per unit of each round: `cells[row][column]`.
    cells: Vec<Vec<Option<Vec<f64>>>>,
}

struct Cell<'p> {
    row: usize,
    column: usize,
    operation: Operation<'p>,
    times: usize,
    units: f64,
    rounds: Vec<f64>,
}

/// Measures all rows of all implementations.
pub(crate) fn measure(
    rows: &[Row],
    implementations: &[Box<dyn Implementation>],
    pool: &Pool,
    plan: Plan,
    mut progress: impl FnMut(usize),
) -> Table {
    let clock = Clock::new();
    let mut cells = Vec::new();
    for (row_index, row) in rows.iter().enumerate() {
        for (column, implementation) in implementations.iter().enumerate() {
            if let Some(mut operation) = implementation.operation(*row, pool) {
                let times = calibrate(&clock, &mut operation, plan.slice);
                cells.push(Cell {
                    row: row_index,
                    column,
                    operation,
                    times,
                    units: row.units() as f64,
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
            // Fills the caches again with what this cell needs.
            (cell.operation)(1);
            let time = run(&clock, &mut cell.operation, cell.times);
            cell.rounds.push(time / cell.times as f64 / cell.units);
        }
    }
    let mut table = Table {
        rows: rows.to_vec(),
        columns: implementations
            .iter()
            .map(|implementation| implementation.name())
            .collect(),
        cells: vec![vec![None; implementations.len()]; rows.len()],
    };
    for cell in cells {
        table.cells[cell.row][cell.column] = Some(cell.rounds);
    }
    table
}

/// Nanoseconds for so many runs.
fn run(clock: &Clock, operation: &mut Operation<'_>, times: usize) -> f64 {
    let begin = clock.raw();
    operation(times);
    clock.delta_as_nanos(begin, clock.raw()) as f64
}

/// How many runs fill the slice.
fn calibrate(clock: &Clock, operation: &mut Operation<'_>, slice: Duration) -> usize {
    let slice = slice.as_nanos() as f64;
    let mut times = 1;
    loop {
        let time = run(clock, operation, times).max(1.0);
        if time * 4.0 >= slice {
            return ((slice / time * times as f64).round() as usize).max(1);
        }
        times *= 2;
    }
}

/// Ticks of the time-stamp counter per nanosecond, where the clock is that counter.
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
    /// Nanoseconds per unit over the rounds.
    pub(crate) fn time(&self, row: usize, column: usize) -> Option<Spread> {
        self.cells[row][column].as_deref().map(Spread::of)
    }

    /// The time of a column over the time of the first, round by round: above 1 the first is
    /// the faster.
    pub(crate) fn ratio(&self, row: usize, column: usize) -> Option<Spread> {
        let (first, other) = (
            self.cells[row][0].as_ref()?,
            self.cells[row][column].as_ref()?,
        );
        let ratios: Vec<f64> = other.iter().zip(first).map(|(o, f)| o / f).collect();
        Some(Spread::of(&ratios))
    }

    /// The fastest of the other columns, and its ratio.
    pub(crate) fn best_peer(&self, row: usize) -> Option<(&'static str, Spread)> {
        (1..self.columns.len())
            .filter_map(|column| Some((self.columns[column], self.ratio(row, column)?)))
            .min_by(|a, b| a.1.median.total_cmp(&b.1.median))
    }
}

#[cfg(test)]
mod tests {
    use super::{Plan, Table, measure};
    use crate::peers::{Implementation, Operation};
    use crate::pool::Pool;
    use crate::rows::Row;
    use std::time::Duration;

    struct Counts(&'static str);

    impl Implementation for Counts {
        fn name(&self) -> &'static str {
            self.0
        }
        fn package(&self) -> &'static str {
            "ring"
        }
        fn operation<'p>(&self, row: Row, _: &'p Pool) -> Option<Operation<'p>> {
            (row != Row::Sign).then(|| -> Operation<'p> {
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
        let columns: Vec<Box<dyn Implementation>> =
            vec![Box::new(Counts("a")), Box::new(Counts("b"))];
        let mut rounds = 0;
        let rows = [Row::Keygen, Row::Sign];
        let table = measure(&rows, &columns, &Pool::default(), plan, |_| rounds += 1);
        assert_eq!(rounds, 3);
        assert_eq!(table.cells[0][1].as_ref().map(Vec::len), Some(3));
        assert!(table.time(0, 0).is_some() && table.ratio(0, 1).is_some());
        assert!(table.time(1, 0).is_none() && table.ratio(1, 1).is_none());
    }

    #[test]
    fn ratios_are_paired_by_round() {
        let table = Table {
            rows: vec![Row::Sign],
            columns: vec!["lanner", "slow", "slower"],
            cells: vec![vec![
                Some(vec![1.0, 10.0, 2.0]),
                Some(vec![2.0, 20.0, 4.0]),
                Some(vec![3.0, 30.0, 6.0]),
            ]],
        };
        assert_eq!(
            table.ratio(0, 1).map(|s| (s.lower, s.upper)),
            Some((2.0, 2.0))
        );
        assert_eq!(table.best_peer(0).map(|(name, _)| name), Some("slow"));
    }
}
