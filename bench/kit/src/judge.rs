//! What a library says to signatures that may be wrong.
//!
//! The rows that verify end the program at a signature that is refused. Here that end is the answer, so that what is
//! judged is the very call that is measured.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

use crate::{Library, Pool, Task};

/// The verdicts on the cases of a pool, of which each has as many entries as one run of the task takes; nothing where
/// the library does not offer the task.
pub fn judge(library: &dyn Library, task: Task, pool: &Pool) -> Option<Vec<bool>> {
    // Refusals are many, and each would be a message.
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    let cases = pool.seeds.len() / task.units();
    let verdicts = (0..cases)
        .map(|case| accepts(library, task, &pool.part(case * task.units(), task.units())))
        .collect();
    set_hook(hook);
    verdicts
}

fn accepts(library: &dyn Library, task: Task, pool: &Pool) -> Option<bool> {
    // A key that cannot be decoded may end the preparation already.
    let run = AssertUnwindSafe(|| library.operation(task, pool).map(|mut run| run(1)));
    catch_unwind(run).map_or(Some(false), |offered| offered.map(|()| true))
}

/// A string of verdicts, as a runner process answers.
pub fn to_text(verdicts: &[bool]) -> String {
    let letter = |&valid: &bool| if valid { '1' } else { '0' };
    verdicts.iter().map(letter).collect()
}

/// The verdicts of such a string.
///
/// # Errors
///
/// It has other letters.
pub fn from_text(text: &str) -> Result<Vec<bool>, String> {
    text.chars()
        .map(|letter| match letter {
            '0' => Ok(false),
            '1' => Ok(true),
            _ => Err(format!("no verdicts: '{text}'")),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Operation, each};

    /// Accepts messages that begin with an even byte, and does not prepare for those with a 7.
    struct Even;

    impl Library for Even {
        fn operation<'p>(&self, task: Task, pool: &'p Pool) -> Option<Operation<'p>> {
            assert_ne!(pool.messages[0][0], 7);
            (task == Task::Verify).then(|| each(move |i| assert_eq!(pool.messages[i][0] % 2, 0)))
        }
    }

    #[test]
    fn refusals_are_verdicts() {
        let first = [2u8, 3, 7, 8];
        let pool = Pool {
            seeds: vec![[0; 32]; 4],
            publics: vec![[0; 32]; 4],
            messages: first.map(|byte| vec![byte]).to_vec(),
            signatures: vec![[0; 64]; 4],
            peers: vec![[0; 32]; 4],
            shared: vec![[0; 32]; 4],
        };
        let verdicts = judge(&Even, Task::Verify, &pool).expect("it is offered");
        assert_eq!(to_text(&verdicts), "1001");
        assert_eq!(from_text("1001"), Ok(verdicts));
        assert!(from_text("10x").is_err());
        let offered = pool.part(0, 2);
        assert_eq!(judge(&Even, Task::Sign, &offered), None);
    }
}
