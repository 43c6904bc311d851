//! What Lanner wants to reach: rows of its own against rows of its peers, and by how much.

use lanner_bench_kit::{BATCHES, FnDsa, Ristretto, SUMS, Task};

use crate::measure::Table;
use crate::peers::FIRST;
use crate::rows::Row;
use crate::runners::FN_DSA_NO_AVX2;
use crate::stats::Spread;

/// One line of the table of goals: the worst of its pairs counts.
pub(crate) struct Goal {
    pub(crate) name: String,
    pub(crate) against: &'static str,
    pub(crate) at_least: f64,
    pairs: Vec<Pair>,
}

/// A cell of ours, and one of a peer.
struct Pair {
    /// The first of these columns that was measured, or the fastest.
    ours: (Row, &'static [&'static str]),
    fastest: bool,
    theirs: (Row, &'static str),
    /// Times of a cell of dalek over the peer's as published, for where the peer was not measured:
    /// dalek's row, and the ratio. From one interleaved run on an AMD EPYC of the Zen 3 kind.
    published: Option<(Row, f64)>,
    /// Whether the goal can be judged without this pair.
    optional: bool,
}

/// How a goal stands.
pub(crate) enum Standing {
    /// The ratio of the worst pair; whether it rests on a published ratio; the peer's column.
    Known {
        ratio: Spread,
        published: bool,
        worst: String,
    },
    /// A cell that it needs was not measured.
    Unknown,
}

fn pair(ours: Row, column: &'static str, theirs: Row) -> Pair {
    Pair {
        ours: (ours, &[FIRST]),
        fastest: false,
        theirs: (theirs, column),
        published: None,
        optional: false,
    }
}

impl Pair {
    fn published(self, dalek: Task, ratio: f64) -> Self {
        let published = Some((Row::native(dalek), ratio));
        Self { published, ..self }
    }

    fn on(self, columns: &'static [&'static str]) -> Self {
        let ours = (self.ours.0, columns);
        Self { ours, ..self }
    }

    /// The fastest of these columns of ours.
    fn on_fastest(self, columns: &'static [&'static str]) -> Self {
        let fastest = true;
        Self {
            fastest,
            ..self.on(columns)
        }
    }

    fn optional(self) -> Self {
        let optional = true;
        Self { optional, ..self }
    }

    /// Our cell, with `first` for [`FIRST`].
    fn ours<'c>(&self, table: &Table, first: &'c str) -> Option<(Row, &'c str)> {
        let (row, columns) = self.ours;
        let columns = columns.iter().map(|column| instead(column, first));
        let mut measured =
            columns.filter_map(|column| Some((column, table.time(row, column)?.median)));
        let chosen = if self.fastest {
            measured.min_by(|(_, a), (_, b)| a.total_cmp(b))
        } else {
            measured.next()
        };
        chosen.map(|(column, _)| (row, column))
    }

    /// Ours measured against theirs.
    fn measured(&self, table: &Table, first: &str) -> Option<Spread> {
        let (row, column) = self.theirs;
        table.ratio((row, instead(column, first)), self.ours(table, first)?)
    }

    /// Ours measured against dalek's, and theirs by the published ratio.
    fn by_publication(&self, table: &Table, first: &str) -> Option<Spread> {
        let (row, factor) = self.published?;
        let to_dalek = table.ratio((row, "dalek"), self.ours(table, first)?)?;
        Some(to_dalek.scale(1.0 / factor))
    }
}

/// Another column in the place of [`FIRST`].
fn instead<'c>(column: &'static str, first: &'c str) -> &'c str {
    if column == FIRST { first } else { column }
}

impl Goal {
    /// All goals, in the order of the report.
    pub(crate) fn all() -> Vec<Self> {
        // Both in the same row of this machine.
        let native = |task, column| pair(Row::native(task), column, Row::native(task));
        let across = |ours, column, theirs| pair(Row::native(ours), column, Row::native(theirs));
        let (decoded, prepared) = (Task::VerifyDecoded, Task::VerifyPrepared);

        let mut goals = vec![
            goal(
                "verify",
                "crrl, built for the native CPU",
                1.6,
                vec![native(Task::Verify, "crrl").published(Task::Verify, 99.7 / 88.5)],
            ),
            goal(
                "verify, key prepared",
                "dalek, key decoded",
                2.2,
                vec![across(prepared, "dalek", decoded)],
            ),
            goal(
                "verify, key prepared",
                "crrl native, key decoded",
                2.0,
                vec![across(prepared, "crrl", decoded).published(decoded, 87.3 / 79.9)],
            ),
            goal(
                "verify_strict",
                "dalek",
                2.0,
                vec![native(Task::VerifyStrict, "dalek")],
            ),
        ];
        for (name, task) in [("sign", Task::Sign), ("keygen", Task::Keygen)] {
            let pairs = vec![native(task, "graviola"), native(task, "aws-lc")];
            goals.push(goal(name, "graviola, aws-lc", 1.35, pairs));
        }
        goals.extend([
            goal(
                "X25519",
                "graviola",
                1.3,
                vec![native(Task::X25519, "graviola")],
            ),
            goal(
                "X25519",
                "lib25519",
                1.05,
                vec![native(Task::X25519, "lib25519").published(Task::X25519, 145.3 / 55.2)],
            ),
            goal(
                "X25519, many pairs at once",
                "graviola, one at a time",
                2.0,
                vec![across(Task::X25519Many, "graviola", Task::X25519)],
            ),
            goal(
                "X25519 base",
                "graviola",
                1.3,
                vec![native(Task::X25519Base, "graviola")],
            ),
        ]);
        // Many at once on AVX-512 IFMA: what Intel's library with several buffers needs, against our own single ones.
        for (name, many, single, at_least) in [
            ("keys, many at once", Task::KeygenMany, Task::Keygen, 2.4),
            ("signatures, many at once", Task::SignMany, Task::Sign, 2.15),
            (
                "verdicts under kept keys, many at once",
                Task::VerifyPreparedMany,
                prepared,
                2.5,
            ),
            (
                "X25519 base, many at once",
                Task::X25519BaseMany,
                Task::X25519Base,
                2.3,
            ),
        ] {
            let pairs = vec![across(many, FIRST, single)];
            goals.push(goal(name, "Lanner, one at a time", at_least, pairs));
        }
        for n in [64, 1024] {
            let ours = Task::BatchZip215(n);
            let pairs = vec![native(ours, "zebra"), across(ours, "dalek", Task::Batch(n))];
            let name = format!("batch of {n}, ZIP 215");
            goals.push(goal(&name, "zebra, dalek (its own rule)", 2.2, pairs));
        }
        let zip1024 = Task::BatchZip215(1024);
        goals.push(goal(
            "batch of 1024, ZIP 215",
            "curve25519-voi",
            1.9,
            vec![native(zip1024, "voi").published(Task::Batch(1024), 50.4 / 42.7)],
        ));
        for (n, at_least) in [(64, 1.6), (1024, 1.4)] {
            let name = format!("verify_batch of {n}, default rule");
            let pairs = vec![native(Task::Batch(n), "dalek")];
            goals.push(goal(&name, "dalek verify_batch", at_least, pairs));
        }
        let any_size = BATCHES.map(|n| across(Task::Batch(n), FIRST, Task::Verify));
        goals.push(goal(
            "verify_batch of any size, default rule",
            "a loop over Lanner's own verify",
            1.0,
            any_size.into(),
        ));
        for n in [64, 1024] {
            for (rule, ours, theirs) in [
                ("default", Task::Each(n), Task::Verify),
                ("strict", Task::EachStrict(n), Task::VerifyStrict),
            ] {
                let name = format!("{n} with one verdict each, {rule} rule");
                let pairs = vec![across(ours, FIRST, theirs)];
                goals.push(goal(&name, "a loop over Lanner's own single", 1.2, pairs));
            }
        }
        goals.extend(ristretto());
        goals.extend(without_avx512());
        goals.extend(many_at_once_with_avx512());
        goals.extend(fn_dsa());
        let elsewhere = [
            ("sign", Task::Sign),
            ("verify", Task::Verify),
            ("X25519", Task::X25519),
        ];
        let i686 = |task, column| pair(Row::i686(task), column, Row::i686(task));
        for (name, task) in elsewhere {
            let pairs = vec![i686(task, "dalek"), i686(task, "dalek/u64").optional()];
            let name = format!("i686: {name}");
            goals.push(goal(&name, "dalek for i686", 2.5, pairs));
        }
        for (name, task) in elsewhere {
            // What a processor without AVX2 would choose.
            let without_avx2 = &["lanner/sse2", "lanner/portable32"];
            let peers = ["dalek", "dalek/u64"];
            let pairs = peers.map(|peer| i686(task, peer).on(without_avx2).optional());
            let name = format!("i686, SSE2 only: {name}");
            goals.push(goal(&name, "dalek for i686", 1.5, pairs.into()));
        }
        let wasm = |task, column| pair(Row::wasm32(task), column, Row::wasm32(task));
        for (name, task) in elsewhere {
            let pairs = vec![wasm(task, "dalek"), wasm(task, "dalek/simd").optional()];
            let name = format!("wasm32: {name}");
            goals.push(goal(&name, "dalek compiled to wasm32", 2.0, pairs));
        }
        goals
    }

    /// The rows that the goals need.
    pub(crate) fn rows() -> Vec<Row> {
        let goals = Self::all();
        let pairs = || goals.iter().flat_map(|goal| &goal.pairs);
        Row::all()
            .into_iter()
            .filter(|row| {
                pairs().any(|pair| {
                    let published = pair.published.map(|(row, _)| row);
                    pair.ours.0 == *row || pair.theirs.0 == *row || published == Some(*row)
                })
            })
            .collect()
    }

    /// Whether a measurement of chosen rows has one of the goal's.
    pub(crate) fn concerns(&self, table: &Table) -> bool {
        let measured = |pair: &Pair| table.rows.contains(&pair.ours.0);
        self.pairs.iter().any(measured)
    }

    /// Whether it says something of each backend: not if its cells of ours are of backends that it names.
    pub(crate) fn has_backends(&self) -> bool {
        let mut columns = self.pairs.iter().flat_map(|pair| pair.ours.1);
        columns.any(|column| *column == FIRST)
    }

    /// How the goal stands after a measurement.
    pub(crate) fn standing(&self, table: &Table) -> Standing {
        self.standing_of(table, FIRST)
    }

    /// How it would stand with another column, that of a backend, in the place of [`FIRST`].
    pub(crate) fn standing_of(&self, table: &Table, first: &str) -> Standing {
        let mut worst: Option<(Spread, bool, String)> = None;
        for pair in &self.pairs {
            let measured = pair.measured(table, first);
            let ratio = measured.or_else(|| pair.by_publication(table, first));
            let Some(ratio) = ratio else {
                if pair.optional {
                    continue;
                }
                return Standing::Unknown;
            };
            if worst.as_ref().is_none_or(|(w, ..)| ratio.median < w.median) {
                let name = if pair.theirs.1 == FIRST {
                    pair.ours.0.to_string()
                } else {
                    pair.theirs.1.to_owned()
                };
                worst = Some((ratio, measured.is_none(), name));
            }
        }
        worst.map_or(Standing::Unknown, |(ratio, published, worst)| {
            Standing::Known {
                ratio,
                published,
                worst,
            }
        })
    }

    /// What the ratio means: met, met within the spread, or short by how much.
    pub(crate) fn verdict(&self, ratio: Spread) -> String {
        if ratio.median >= self.at_least {
            String::from("met")
        } else if ratio.upper >= self.at_least {
            String::from("met within the spread")
        } else {
            let short = (1.0 - ratio.median / self.at_least) * 100.0;
            format!("**short by {short:.0} %**")
        }
    }
}

fn goal(name: &str, against: &'static str, at_least: f64, pairs: Vec<Pair>) -> Goal {
    Goal {
        name: name.to_owned(),
        against,
        at_least,
        pairs,
    }
}

/// Ristretto255, against curve25519-dalek as it is and built for the CPU, and libsodium where it has the operation.
fn ristretto() -> Vec<Goal> {
    let native = |task, column| {
        let row = Row::native(Task::Ristretto(task));
        pair(row, column, row)
    };
    let against_dalek = |name: String, at_least, task| {
        let pairs = vec![
            native(task, "dalek"),
            native(task, "dalek/native").optional(),
        ];
        goal(
            &name,
            "dalek, also built for the native CPU",
            at_least,
            pairs,
        )
    };
    let mut goals = vec![
        against_dalek("Ristretto255: encode".into(), 1.15, Ristretto::Encode),
        against_dalek("Ristretto255: decode".into(), 1.15, Ristretto::Decode),
        goal(
            "Ristretto255: decode",
            "libsodium",
            1.15,
            vec![native(Ristretto::Decode, "libsodium")],
        ),
        goal(
            "Ristretto255: a multiple, from bytes to bytes",
            "libsodium",
            1.3,
            vec![native(Ristretto::Mul, "libsodium")],
        ),
    ];
    for n in SUMS {
        for (name, task) in [
            (
                "sum of {n} multiples, constant time",
                Ristretto::Multiscalar(n),
            ),
            (
                "sum of {n} multiples, variable time",
                Ristretto::VartimeMultiscalar(n),
            ),
            ("{n} doubles encoded at once", Ristretto::EncodeDoubles(n)),
        ] {
            let name = format!("Ristretto255: {}", name.replace("{n}", &n.to_string()));
            goals.push(against_dalek(name, 1.3, task));
        }
    }
    goals
}

/// FN-DSA against fn-dsa 0.4, which has another scheme of the same size; and against fn-dsa 0.3, which has the same.
fn fn_dsa() -> Vec<Goal> {
    const PEER: &str = "fn-dsa-0.4";
    let same = |task: Task, column| pair(Row::native(task), column, Row::native(task));
    let mut goals = Vec::new();
    for (logn, keygen) in [(9, 3.0), (10, 3.5)] {
        let of = |what| Task::FnDsa(what, logn);
        for (what, at_least) in [
            (FnDsa::Keygen, keygen),
            (FnDsa::Sign, 3.0),
            (FnDsa::SignDecoded, 3.5),
            (FnDsa::Verify, 1.9),
            (FnDsa::VerifyDecoded, 2.2),
        ] {
            let task = of(what);
            goals.push(goal(
                &task.to_string(),
                PEER,
                at_least,
                vec![same(task, PEER)],
            ));
            let pairs = vec![same(task, "fn-dsa"), same(task, "fn-dsa/x4")];
            let against = "fn-dsa 0.3, with and without shake256x4";
            goals.push(goal(&task.to_string(), against, 1.0, pairs));
        }
        // Without AVX2, on either side.
        for (on, columns, [keygen, sign, verify]) in [
            ("SSE2: ", &["lanner/sse2"], [2.0, 2.0, 1.5]),
            ("portable64: ", &["lanner/portable64"], [1.3; 3]),
        ] {
            for (what, at_least) in [
                (FnDsa::Keygen, keygen),
                (FnDsa::Sign, sign),
                (FnDsa::SignDecoded, sign),
                (FnDsa::Verify, verify),
                (FnDsa::VerifyDecoded, verify),
            ] {
                let name = format!("{on}{}", of(what));
                let pairs = vec![same(of(what), FN_DSA_NO_AVX2).on(columns)];
                let against = "fn-dsa 0.4 with no_avx2";
                goals.push(goal(&name, against, at_least, pairs));
            }
        }
        // The draft guess, with the peer's own signatures.
        goals.push(goal(
            &of(FnDsa::SignDraft).to_string(),
            "fn-dsa 0.4, which gives the same bits",
            2.0,
            vec![pair(
                Row::native(of(FnDsa::SignDraft)),
                PEER,
                Row::native(of(FnDsa::SignDecoded)),
            )],
        ));
        // One by one in the peer: with a decoded key, and from bytes.
        for (what, columns, theirs, at_least, on) in [
            (FnDsa::SignPrepared, &[FIRST], FnDsa::SignDecoded, 4.5, ""),
            (
                FnDsa::SignMany,
                &["lanner/avx512"],
                FnDsa::SignDecoded,
                5.0,
                "AVX-512: ",
            ),
            (
                FnDsa::SignMany,
                &["lanner/avx2"],
                FnDsa::SignDecoded,
                4.0,
                "AVX2: ",
            ),
            (
                FnDsa::VerifyMany,
                &["lanner/avx512"],
                FnDsa::Verify,
                3.5,
                "AVX-512: ",
            ),
            (
                FnDsa::VerifyMany,
                &["lanner/avx2"],
                FnDsa::Verify,
                2.2,
                "AVX2: ",
            ),
        ] {
            let name = format!("{on}{}", of(what));
            let pairs =
                vec![pair(Row::native(of(what)), PEER, Row::native(of(theirs))).on(columns)];
            goals.push(goal(&name, "fn-dsa 0.4, one by one", at_least, pairs));
        }
    }
    goals
}

/// On processors without AVX-512, by the faster of the backends that they have; and without assembly and vectors.
fn without_avx512() -> Vec<Goal> {
    const X86: &[&str] = &["lanner/avx2", "lanner/adx"];
    let on = |ours: Task, column, theirs: Task| {
        pair(Row::native(ours), column, Row::native(theirs)).on_fastest(X86)
    };
    let same = |task: Task, column| on(task, column, task);
    let named = |what: &str| format!("without AVX-512: {what}");
    let mut goals = Vec::new();
    for (name, task) in [("sign", Task::Sign), ("keygen", Task::Keygen)] {
        let pairs = vec![same(task, "graviola"), same(task, "aws-lc")];
        goals.push(goal(&named(name), "graviola, aws-lc", 1.25, pairs));
    }
    let verify = ["aws-lc", "graviola", "crrl"].map(|peer| same(Task::Verify, peer));
    goals.extend([
        goal(
            &named("X25519"),
            "graviola",
            1.1,
            vec![same(Task::X25519, "graviola")],
        ),
        goal(
            &named("X25519 base"),
            "graviola",
            1.25,
            vec![same(Task::X25519Base, "graviola")],
        ),
        goal(
            &named("X25519, many pairs at once"),
            "graviola, one at a time",
            1.6,
            vec![on(Task::X25519Many, "graviola", Task::X25519)],
        ),
        goal(
            &named("verify"),
            "aws-lc, graviola, crrl native",
            1.5,
            verify.into(),
        ),
        goal(
            &named("verify, key prepared"),
            "dalek, key decoded",
            2.2,
            vec![on(Task::VerifyPrepared, "dalek", Task::VerifyDecoded)],
        ),
    ]);
    for (n, at_least) in [(8, 1.1), (64, 1.3), (1024, 1.3)] {
        let name = named(&format!("verify_batch of {n}, default rule"));
        goals.push(goal(
            &name,
            "dalek verify_batch",
            at_least,
            vec![same(Task::Batch(n), "dalek")],
        ));
    }
    for (n, at_least) in [(64, 1.7), (1024, 1.5)] {
        let task = Task::BatchZip215(n);
        let pairs = vec![same(task, "zebra"), same(task, "voi").optional()];
        let name = named(&format!("batch of {n}, ZIP 215"));
        goals.push(goal(&name, "zebra, curve25519-voi", at_least, pairs));
    }
    for (backend, column) in [("avx2", &["lanner/avx2"]), ("adx", &["lanner/adx"])] {
        let ours = pair(
            Row::native(Task::Each(64)),
            column[0],
            Row::native(Task::Verify),
        )
        .on(column);
        let name = format!("64 with one verdict each, default rule, on {backend}");
        goals.push(goal(
            &name,
            "a loop over the single one there",
            1.2,
            vec![ours],
        ));
    }
    for (name, task, at_least) in [
        ("sign", Task::Sign, 1.6),
        ("X25519", Task::X25519, 1.6),
        ("verify", Task::Verify, 1.9),
    ] {
        let pairs = vec![same(task, "dalek/serial").on(&["lanner/portable64"])];
        goals.push(goal(
            &format!("portable64: {name}"),
            "dalek, serial",
            at_least,
            pairs,
        ));
    }
    goals
}

/// What a processor with AVX-512 should gain where there is much to do.
fn many_at_once_with_avx512() -> Vec<Goal> {
    const EIGHT: &[&str] = &["lanner/avx512"];
    let on = |ours: Task, column, theirs: Task| {
        pair(Row::native(ours), column, Row::native(theirs)).on(EIGHT)
    };
    let same = |task: Task, column| on(task, column, task);
    let named = |what: &str| format!("AVX-512: {what}");
    let mut goals = vec![
        goal(
            &named("verify"),
            "dalek native",
            1.59,
            vec![same(Task::Verify, "dalek/native")],
        ),
        goal(
            &named("strict"),
            "dalek native",
            1.9,
            vec![same(Task::VerifyStrict, "dalek/native")],
        ),
        goal(
            &named("X25519, many pairs at once"),
            "graviola, one at a time",
            4.5,
            vec![on(Task::X25519Many, "graviola", Task::X25519)],
        ),
        goal(
            &named("batch of 1024, default rule"),
            "Lanner's batch by ZIP 215",
            1.0 / 1.2,
            vec![on(Task::Batch(1024), EIGHT[0], Task::BatchZip215(1024))],
        ),
    ];
    for (n, at_least) in [(256, 1.11), (1024, 1.14)] {
        let task = Task::BatchZip215(n);
        let name = named(&format!("batch of {n}, ZIP 215"));
        goals.push(goal(
            &name,
            "commonware",
            at_least,
            vec![same(task, "commonware")],
        ));
    }
    goals
}

#[cfg(test)]
mod tests {
    use super::{Goal, Standing};
    use crate::measure::Table;
    use crate::rows::Row;
    use crate::stats::Spread;
    use lanner_bench_kit::Task;

    fn table(cells: &[(Task, &str, f64)]) -> Table {
        Table {
            cells: cells
                .iter()
                .map(|(task, column, time)| {
                    ((Row::native(*task), String::from(*column)), vec![*time; 3])
                })
                .collect(),
            ..Table::default()
        }
    }

    fn standing(against: &str, name: &str, table: &Table) -> Option<(f64, bool)> {
        let goal = Goal::all()
            .into_iter()
            .find(|goal| goal.name == name && goal.against.contains(against))
            .expect("the goal exists");
        match goal.standing(table) {
            Standing::Known {
                ratio, published, ..
            } => Some((ratio.median, published)),
            Standing::Unknown => None,
        }
    }

    #[test]
    fn the_worst_pair_counts_and_none_may_lack() {
        let mut cells = vec![(Task::Sign, "lanner", 10.0), (Task::Sign, "graviola", 15.0)];
        assert_eq!(standing("graviola", "sign", &table(&cells)), None);
        cells.push((Task::Sign, "aws-lc", 12.0));
        let found = standing("graviola", "sign", &table(&cells));
        assert_eq!(found, Some((1.2, false)));
    }

    #[test]
    fn a_backend_can_stand_in_also_where_it_is_held_against_itself() {
        let cells = [
            (Task::Verify, "lanner/x", 30.0),
            (Task::Each(64), "lanner/x", 15.0),
            (Task::Each(64), "lanner", 1.0),
        ];
        let goal = Goal::all()
            .into_iter()
            .find(|goal| goal.name == "64 with one verdict each, default rule");
        let goal = goal.expect("the goal exists");
        let table = table(&cells);
        assert!(matches!(goal.standing(&table), Standing::Unknown));
        let Standing::Known { ratio, .. } = goal.standing_of(&table, "lanner/x") else {
            panic!("both cells are there");
        };
        assert_eq!(ratio.median, 2.0);
    }

    #[test]
    fn a_missing_peer_is_held_by_its_published_ratio() {
        let mut cells = vec![
            (Task::Verify, "lanner", 10.0),
            (Task::Verify, "dalek", 20.0),
        ];
        let (ratio, published) = standing("crrl", "verify", &table(&cells)).expect("known");
        assert!(published && (ratio - 2.0 * 88.5 / 99.7).abs() < 1e-9);
        cells.push((Task::Verify, "crrl", 15.0));
        assert_eq!(
            standing("crrl", "verify", &table(&cells)),
            Some((1.5, false))
        );
    }

    #[test]
    fn verdicts_respect_the_spread() {
        let goal = &Goal::all()[0];
        let verdict = |lower, median, upper| {
            goal.verdict(Spread {
                lower,
                median,
                upper,
            })
        };
        assert_eq!(verdict(1.5, 1.6, 1.7), "met");
        assert_eq!(verdict(1.4, 1.5, 1.6), "met within the spread");
        assert_eq!(verdict(0.7, 0.8, 0.9), "**short by 50 %**");
    }

    #[test]
    fn goals_need_rows_of_every_platform() {
        let rows = Goal::rows();
        assert!(rows.contains(&Row::native(Task::VerifyDecoded)));
        assert!(rows.contains(&Row::i686(Task::Sign)));
        assert!(!rows.contains(&Row::native(Task::BatchDecoded(4))));
    }
}
