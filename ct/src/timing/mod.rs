//! Times of checks, with one secret that is always the same, and with others: means that differ show a leak, wherever it
//! comes from, an instruction whose time depends on its operands as well. Noise hides small ones; so this confirms what the
//! other ways show, and reaches faces that they do not.

mod welch;

use std::hint::black_box;
use std::io::BufRead;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::checks::Check;
use crate::secrets::{Secrets, Values};
pub(crate) use welch::Times;
use welch::{Class, Test};

/// Beyond this |t| the times depend on the secret, for all that chance could do (the paper's limit is 4.5; of a hundred
/// checks by twenty limits one may pass that by chance).
pub(crate) const LIMIT: f64 = 10.0;

/// As many secrets of either class.
const SECRETS: usize = 256;

/// After so many times all secrets change their places, so that no class has places of its own: caches tell them apart.
const SHUFFLED: usize = 4 * SECRETS;

/// Of so many times the limits of a test are taken.
const CALIBRATION: usize = 2000;

/// How times are judged.
pub(crate) fn words(times: Option<&Times>) -> String {
    times.map_or_else(
        || String::from("too few times were taken"),
        |times| {
            format!(
                "{}, |t| = {:.1} ({:+.1} ns), {} times",
                if times.is_even() { "even" } else { "UNEVEN" },
                times.t,
                times.difference,
                times.number
            )
        },
    )
}

impl Times {
    /// Whether they do not show the secret.
    pub(crate) fn is_even(&self) -> bool {
        self.t < LIMIT
    }
}

/// Secrets of both classes.
pub(crate) struct Pool {
    secrets: Vec<(Class, Values)>,
    state: u64,
}

impl Pool {
    pub(crate) fn new() -> Self {
        let same = Secrets::values(0);
        let of_both = |i| [(false, same), (true, Secrets::values(i))];
        Self {
            secrets: (1..=SECRETS).flat_map(of_both).collect(),
            state: 1,
        }
    }

    /// A number below another one, by a linear congruence (Knuth's MMIX), of which the upper bits are taken.
    fn below(&mut self, number: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        (self.state >> 33) as usize % number
    }

    /// By Fisher and Yates.
    fn shuffle(&mut self) {
        for i in (1..self.secrets.len()).rev() {
            let other = self.below(i + 1);
            self.secrets.swap(i, other);
        }
    }
}

/// Runs a check for so long.
pub(crate) fn take((_, operation): &Check, pool: &mut Pool, time: Duration) -> Option<Times> {
    let mut test = Test::new(CALIBRATION);
    let end = Instant::now() + time;
    // All in one place.
    let mut secrets = Box::new(Secrets::new(0, false));
    while Instant::now() < end {
        pool.shuffle();
        for _ in 0..SHUFFLED {
            let drawn = pool.below(pool.secrets.len());
            let (class, values) = pool.secrets[drawn];
            secrets.set(&values);
            let start = Instant::now();
            black_box(black_box(operation)(black_box(&secrets)));
            let took = start.elapsed();
            test.add(class, took.as_nanos() as f64);
        }
    }
    test.verdict()
}

/// Runs a program that takes times of operations of its own and prints a line for each: the operation, 0 where the secret was
/// always the same or 1, and nanoseconds. The operations in the order of their first lines.
///
/// # Errors
///
/// The program does not run, fails, or prints something else.
pub(crate) fn of_program(command: &str) -> Result<Vec<(String, Option<Times>)>, String> {
    let mut words = command.split_whitespace();
    let program = words.next().ok_or("a program is needed")?;
    let mut child = Command::new(program)
        .args(words)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{program}: {error}"))?;
    let output = child.stdout.take().ok_or("a program without output")?;
    let mut tests: Vec<(String, Test)> = Vec::new();
    for line in std::io::BufReader::new(output).lines() {
        let line = line.map_err(|error| format!("{program}: {error}"))?;
        let mut parts = line.split(' ');
        let read = (|| {
            let (name, class, time) = (parts.next()?, parts.next()?, parts.next()?);
            let class = match class {
                "0" => false,
                "1" => true,
                _ => return None,
            };
            Some((name, class, time.parse::<f64>().ok()?))
        })();
        let (name, class, time) = read.ok_or_else(|| format!("{program} printed '{line}'"))?;
        let at = tests.iter().position(|(known, _)| known == name);
        let at = at.unwrap_or_else(|| {
            tests.push((name.to_owned(), Test::new(CALIBRATION)));
            tests.len() - 1
        });
        tests[at].1.add(class, time);
    }
    let status = child
        .wait()
        .map_err(|error| format!("{program}: {error}"))?;
    if !status.success() {
        return Err(format!("{program} failed"));
    }
    Ok(tests
        .into_iter()
        .map(|(name, test)| (name, test.verdict()))
        .collect())
}
