//! Who accepts which odd signature: the project's edge cases, given to every library that is measured and to every
//! rule of Lanner, by the very calls that are timed. Other languages judge in programs of their own
//! (`verdicts.mjs`, `verdicts.py`), and what these print is counted here.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use lanner_bench_kit::{Pool, SINGLES, Task};
use lanner_bench_report::data::Verdicts;
use lanner_ed25519::profile::ProfileName;
use lanner_ed25519::{Signature, VerifyingKey};
use lanner_vectors::own::{self, VerifyCase};

use crate::peers::{FIRST, Provider};
use crate::rows::Platform;

/// How many signatures the batches have: the odd one, and good ones.
const BATCH: usize = 4;

/// The calls that are judged, and how they are named behind the library.
const CALLS: [(Task, &str); 4] = [
    (Task::Verify, ""),
    (Task::VerifyStrict, ", strict"),
    (Task::Batch(BATCH), ", batch"),
    (Task::BatchZip215(BATCH), ", batch by ZIP 215"),
];

/// Libraries whose row is no verdict on the signature at hand: this one hashes a name space before the message,
/// and its row is about signatures of its own.
const NO_JUDGES: [&str; 1] = ["commonware"];

/// The order of the base point, from its highest byte on.
const L: [u8; 32] = [
    0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x14, 0xde, 0xf9, 0xde, 0xa2, 0xf7, 0x9c,
    0xd6, 0x58, 0x12, 0x63, 0x1a, 0x5c, 0xf5, 0xd3, 0xed,
];

/// How the table calls a case by what is odd about it; the first that fits.
fn kind(case: &VerifyCase) -> &'static str {
    let (a, r) = (case.a.as_str(), case.r.as_str());
    let not_canonical = |point: &str| point.contains("non-canonical") || point.contains("y of p");
    let plain = |point: &str| point == "order L" || point == "S·B";
    let mut s = [0; 32];
    s.copy_from_slice(&case.sig[32..]);
    s.reverse();
    match () {
        () if s >= L => "S of L or more",
        // The widest rule for an S below L: what it refuses, no rule may accept.
        () if !case.accepted_by("zip215") => "wrong by every rule",
        () if not_canonical(a) => "A not canonical",
        () if not_canonical(r) => "R not canonical",
        () if a.starts_with("torsion") => "A of small order",
        () if r.starts_with("torsion") => "R of small order",
        () if case.residue != Some(0) => "the equation holds times eight alone",
        () if plain(a) && plain(r) => "nothing odd",
        () => "A or R of mixed order",
    }
}

/// The kinds, in the order of the table.
const KINDS: [&str; 9] = [
    "nothing odd",
    "A or R of mixed order",
    "the equation holds times eight alone",
    "A of small order",
    "R of small order",
    "A not canonical",
    "R not canonical",
    "S of L or more",
    "wrong by every rule",
];

/// What is asked of the libraries: the cases with messages of one length, because pools have one.
struct Part {
    cases: Vec<usize>,
    single: Pool,
    batches: Pool,
}

/// Judges by all that can, and by all rules of Lanner; `others` are files with verdicts of other programs.
///
/// # Errors
///
/// A runner process failed, or a file has not a verdict on every case.
pub(crate) fn judge(providers: &[Provider], others: &[PathBuf]) -> Result<Vec<Verdicts>, String> {
    let cases = own::verify().cases;
    let parts = parts(&cases);
    let mut columns: BTreeMap<String, Vec<bool>> = BTreeMap::new();
    for profile in ProfileName::ALL {
        let verdicts = cases.iter().map(|case| {
            let signature = Signature::from_bytes(&case.sig);
            VerifyingKey::verify_from_bytes(&case.key, *profile, &case.msg, &signature).is_ok()
        });
        columns.insert(format!("{FIRST}: {profile}"), verdicts.collect());
    }
    for provider in providers {
        let plain = provider.column == format!("{FIRST}/c") || !provider.column.contains('/');
        if provider.platform != Platform::Native
            || !plain
            || NO_JUDGES.contains(&provider.column.as_str())
        {
            continue;
        }
        for (task, name) in CALLS {
            if let Some(verdicts) = verdicts(provider, task, &parts, cases.len())? {
                columns.insert(format!("{}{name}", provider.column), verdicts);
            }
        }
    }
    for file in others {
        let fail = |what: String| format!("{}: {what}", file.display());
        let text = std::fs::read_to_string(file).map_err(|error| fail(error.to_string()))?;
        for (column, verdicts) in read(&text, cases.len()).map_err(fail)? {
            if columns.insert(column.clone(), verdicts).is_some() {
                return Err(fail(format!("{column} has its verdicts already")));
            }
        }
    }
    Ok(table(&cases, &columns))
}

/// The verdicts that a program printed, by library and call, in the order of the cases.
fn read(text: &str, cases: usize) -> Result<BTreeMap<String, Vec<bool>>, String> {
    let columns: BTreeMap<String, Vec<bool>> =
        serde_json::from_str(text).map_err(|error| error.to_string())?;
    match columns.iter().find(|(_, verdicts)| verdicts.len() != cases) {
        Some((column, verdicts)) => Err(format!(
            "{column} has {} verdicts on {cases} cases",
            verdicts.len()
        )),
        None => Ok(columns),
    }
}

/// The verdicts of one call on all cases, in their order.
fn verdicts(
    provider: &Provider,
    task: Task,
    parts: &[Part],
    count: usize,
) -> Result<Option<Vec<bool>>, String> {
    let mut all = vec![false; count];
    for part in parts {
        let pool = match task.units() {
            1 => &part.single,
            _ => &part.batches,
        };
        let mut file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
        file.write_all(&pool.to_file())
            .map_err(|error| error.to_string())?;
        let Some(verdicts) = provider.judge(task, pool, file.path())? else {
            return Ok(None);
        };
        for (case, verdict) in part.cases.iter().zip(verdicts) {
            all[*case] = verdict;
        }
    }
    Ok(Some(all))
}

fn parts(cases: &[VerifyCase]) -> Vec<Part> {
    let mut by_length: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (i, case) in cases.iter().enumerate() {
        by_length.entry(case.msg.len()).or_default().push(i);
    }
    let part = |(length, chosen): (usize, Vec<usize>)| {
        let good = crate::pool::new(BATCH, length, 1);
        let (mut single, mut batches) = (Pool::default(), Pool::default());
        // A pool of fewer entries is refused: the last case fills it up.
        let last = chosen[chosen.len() - 1];
        let filled = chosen.iter().copied().chain(std::iter::repeat(last));
        for i in filled.take(chosen.len().max(SINGLES)) {
            push(&mut single, &cases[i], &good);
            push(&mut batches, &cases[i], &good);
            for entry in 1..BATCH {
                copy(&mut batches, &good, entry);
            }
        }
        Part {
            cases: chosen,
            single,
            batches,
        }
    };
    by_length.into_iter().map(part).collect()
}

/// A case as an entry; what verification does not ask for is anybody's.
fn push(pool: &mut Pool, case: &VerifyCase, good: &Pool) {
    copy(pool, good, 0);
    *pool.publics.last_mut().expect("just added") = case.key;
    *pool.signatures.last_mut().expect("just added") = case.sig;
    pool.messages
        .last_mut()
        .expect("just added")
        .clone_from(&case.msg);
}

fn copy(pool: &mut Pool, from: &Pool, entry: usize) {
    pool.seeds.push(from.seeds[entry]);
    pool.publics.push(from.publics[entry]);
    pool.messages.push(from.messages[entry].clone());
    pool.signatures.push(from.signatures[entry]);
    pool.peers.push(from.peers[entry]);
    pool.shared.push(from.shared[entry]);
}

/// How many of each kind each column accepts; and in how many cases a batch says something else than the single call by
/// the same rule.
fn table(cases: &[VerifyCase], columns: &BTreeMap<String, Vec<bool>>) -> Vec<Verdicts> {
    let count = |verdicts: &[bool], fits: &dyn Fn(usize) -> bool| {
        let chosen = verdicts.iter().enumerate().filter(|(i, _)| fits(*i));
        chosen.filter(|(_, verdict)| **verdict).count()
    };
    let mut all: Vec<Verdicts> = KINDS
        .iter()
        .map(|name| Verdicts {
            kind: (*name).into(),
            cases: cases.iter().filter(|case| kind(case) == *name).count(),
            accepted: columns
                .iter()
                .map(|(column, verdicts)| {
                    let fits = |i: usize| kind(&cases[i]) == *name;
                    (column.clone(), count(verdicts, &fits))
                })
                .collect(),
        })
        .collect();
    let differs = columns.iter().filter_map(|(column, batch)| {
        let (library, call) = column.split_once(", ")?;
        let single = match call {
            // Whose single call has the rule of the batch already.
            "batch by ZIP 215" if ["voi", "zebra"].contains(&library) => columns.get(library)?,
            "batch by ZIP 215" => columns.get(&format!("{FIRST}: zip215"))?,
            "batch" => columns.get(library)?,
            _ => return None,
        };
        let pairs = batch.iter().zip(single);
        Some((
            column.clone(),
            pairs.filter(|(batch, single)| batch != single).count(),
        ))
    });
    all.push(Verdicts {
        kind: "batch and single call differ".into(),
        cases: cases.len(),
        accepted: differs.collect(),
    });
    all
}

#[cfg(test)]
mod tests {
    use super::{KINDS, judge, kind, read};
    use crate::peers;
    use lanner_vectors::own;

    #[test]
    fn every_case_has_a_kind() {
        let cases = own::verify().cases;
        for name in KINDS {
            assert!(cases.iter().any(|case| kind(case) == name), "{name}");
        }
        assert!(cases.iter().all(|case| KINDS.contains(&kind(case))));
    }

    #[test]
    fn other_programs_judge_every_case() {
        assert_eq!(
            read("{\"a\": [true, false]}", 2).expect("two")["a"],
            [true, false]
        );
        let error = read("{\"a\": [true, false], \"b\": [true]}", 2).expect_err("b has one");
        assert_eq!(error, "b has 1 verdicts on 2 cases");
        assert!(read("{\"a\": [1, 0]}", 2).is_err());
    }

    /// What is known of each rule: the vectors say who accepts, and the libraries' calls are held against them.
    #[test]
    fn verdicts_are_those_of_the_rules() {
        let cases = own::verify().cases;
        let mut providers = peers::here();
        let asked = ["lanner", "dalek", "zebra"];
        providers.retain(|provider| asked.contains(&provider.column.as_str()));
        let table = judge(&providers, &[]).expect("no runner");
        let count = |name: &str, profile: &str| {
            let of = cases.iter().filter(|case| kind(case) == name);
            of.filter(|case| case.accepted_by(profile)).count()
        };
        for row in &table[..KINDS.len()] {
            for (column, profile) in [
                ("lanner: zip215", "zip215"),
                ("lanner: libsodium", "libsodium"),
                ("lanner", "dalek"),
                ("lanner, strict", "strict"),
                ("lanner, batch", "dalek"),
                ("lanner, batch by ZIP 215", "zip215"),
                ("dalek", "dalek"),
                ("dalek, strict", "strict"),
                ("zebra", "zip215"),
                ("zebra, batch by ZIP 215", "zip215"),
            ] {
                let expected = count(&row.kind, profile);
                assert_eq!(row.accepted[column], expected, "{column}, {}", row.kind);
            }
        }
        let differ = &table[KINDS.len()].accepted;
        assert_eq!(
            (differ["lanner, batch"], differ["lanner, batch by ZIP 215"]),
            (0, 0)
        );
        assert!(differ["dalek, batch"] > 0);
    }
}
