//! Times of checks, with one secret that is always the same, and with others: means that differ show a leak, wherever it
//! comes from, an instruction whose time depends on its operands as well. Noise hides small ones; so this confirms what the
//! other ways show, and reaches faces that they do not.

mod welch;

use std::hint::black_box;
use std::io::BufRead;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::checks::Check;
use crate::secrets::Secrets;
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
    secrets: Vec<(Class, Secrets)>,
    /// Where one is while two change places.
    moved: Secrets,
    state: u64,
}

impl Pool {
    /// With keys of FN-DSA, or with none.
    pub(crate) fn new(fn_dsa: bool) -> Self {
        let same = Secrets::another(0, fn_dsa);
        let of_both = |i| [(false, same.clone()), (true, Secrets::another(i, fn_dsa))];
        Self {
            secrets: (1..=SECRETS).flat_map(of_both).collect(),
            moved: same.clone(),
            state: 1,
        }
    }

    /// Bytes of the generator.
    fn fill(&mut self, bytes: &mut [u8]) {
        bytes.fill_with(|| self.below(256) as u8);
    }

    /// A number below another one, by a linear congruence (Knuth's MMIX), of which the upper bits are taken.
    fn below(&mut self, number: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        (self.state >> 33) as usize % number
    }

    /// By Fisher and Yates. What lies on the heap changes places as well: where the buffers of each class stayed those that were
    /// made for it, caches told them apart by up to three nanoseconds.
    fn shuffle(&mut self) {
        for i in (1..self.secrets.len()).rev() {
            let other = self.below(i + 1);
            if let Ok([one, other]) = self.secrets.get_disjoint_mut([i, other]) {
                self.moved.set(&mut one.1);
                one.1.set(&mut other.1);
                other.1.set(&mut self.moved);
                core::mem::swap(&mut one.0, &mut other.0);
            }
        }
    }
}

/// Runs a check for so long. What a check draws, where `draws`, is another in each run, of either class: it decides how long the
/// run takes, and so would tell a class with one draw from one with many.
pub(crate) fn take(
    (_, operation): &Check,
    draws: bool,
    pool: &mut Pool,
    time: Duration,
) -> Option<Times> {
    let mut test = Test::new(CALIBRATION);
    let end = Instant::now() + time;
    // All in one place.
    let mut secrets = Box::new(pool.secrets[0].1.clone());
    while Instant::now() < end {
        pool.shuffle();
        for _ in 0..SHUFFLED {
            let drawn = pool.below(pool.secrets.len());
            let (class, values) = &mut pool.secrets[drawn];
            let class = *class;
            secrets.set(values);
            if draws {
                pool.fill(&mut secrets.other);
                pool.fill(&mut secrets.wide);
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// A class has no buffers of its own: each has secrets of the other one after some shuffles, and what is in it fits the class.
    #[test]
    fn classes_change_their_places_on_the_heap() {
        let mut pool = Pool::new(false);
        let same = pool.secrets[0].1.clone();
        let mut classes: BTreeMap<*const u8, [bool; 2]> = BTreeMap::new();
        for _ in 0..32 {
            pool.shuffle();
            for (class, secrets) in &pool.secrets {
                let (file, kept) = (
                    secrets.files.x25519_pem.text(),
                    same.files.x25519_pem.text(),
                );
                assert_eq!(*class, file != kept);
                assert_eq!(*class, secrets.seed != same.seed);
                classes.entry(file.as_ptr()).or_default()[usize::from(*class)] = true;
            }
        }
        assert_eq!(classes.len(), 2 * SECRETS);
        assert!(classes.values().all(|seen| *seen == [true; 2]));
    }

    #[test]
    fn what_is_not_timed_is_a_check() {
        use crate::checks::{GROUPS, UNTIMED};
        for (name, _) in UNTIMED {
            let mut checks = GROUPS.iter().flat_map(|group| group.checks);
            assert!(
                checks.any(|(check, _)| check.starts_with(name)),
                "no check begins with {name}"
            );
        }
    }
}
