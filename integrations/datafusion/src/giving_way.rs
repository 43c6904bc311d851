//! Long work in tasks of Tokio.

use std::task::{Context, Poll, Waker};

use tokio::task::coop;

use crate::BATCH_SIZE;

/// Rows for each unit of a task's budget. Tokio gives a task 128 units until it must let others run, and with them whoever
/// would end it; the engine takes one for a batch, which is right for what takes microseconds. A batch with signatures takes
/// milliseconds, and so has used all of it after as many rows as this makes.
const ROWS: usize = BATCH_SIZE / 128;

/// Takes from the budget of the current task, if there is one, what verifying so many rows is worth. The task goes on; the
/// engine asks for the budget before the next batch.
pub(crate) fn charge(rows: usize) {
    let mut nobody = Context::from_waker(Waker::noop());
    for _ in 0..rows.div_ceil(ROWS).min(BATCH_SIZE / ROWS) {
        // Where nothing is left, asking would leave a waker behind.
        if !coop::has_budget_remaining() {
            return;
        }
        if let Poll::Ready(unit) = coop::poll_proceed(&mut nobody) {
            unit.made_progress();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_task_has_used_its_budget_after_a_batch() {
        // The task of the test begins anew.
        tokio::task::yield_now().await;
        charge(BATCH_SIZE - ROWS);
        assert!(coop::has_budget_remaining());
        charge(1);
        assert!(!coop::has_budget_remaining());
        charge(usize::MAX);
        tokio::task::yield_now().await;
        assert!(coop::has_budget_remaining());
    }

    #[test]
    fn there_need_be_no_task() {
        charge(usize::MAX);
        assert!(coop::has_budget_remaining());
    }
}
