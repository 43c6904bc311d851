//! `cargo xtask predict`: what operations would cost on processors that are not at hand, by a static model.
//!
//! A runner of the benchmark, built for AArch64, does one operation under qemu, which tells every block of instructions
//! that it executes. `llvm-mca` then computes how many cycles a core takes for that sequence, from the compiler's model
//! of the core. The model knows what instructions wait for, how many start in a cycle, and how far the core looks ahead. It takes
//! every branch for predicted, every load for one from the first cache, and knows nothing of loads that wait for
//! stores. So a prediction is good for comparing two ways of computing the same thing, and is no measurement.
//!
//! Long operations are sampled: windows of the sequence at equal distances.
//!
//! `--secrets` holds sequences of the same operation with different secrets against each other: constant-time code
//! executes the same instructions whatever they are. Nothing else looks at AArch64 so, where neither valgrind nor the
//! reader of machine code of `ct/` can follow.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::needs::Need;
use crate::process::{root, target_dir, value};
use crate::steps::{Action, Step};
use crate::targets::TESTED;

pub(crate) const HELP: &str = "\
  predict [--tasks T,T…] [--programs P,P…] [--cores C,C…]
                  cycles of operations on AArch64 by llvm-mca's models of cores, from what qemu executes;
                  needs qemu-aarch64, a linker for AArch64, and LLVM 19 or later
                    --tasks      of lanner-bench (default: keygen, sign, verify, x25519, …)
                    --programs   runners, and for Lanner its backends: lanner:neon, dalek, …
                    --cores      of llvm-mca (default: neoverse-n1, -n2, -v1 and -v2)
                    --secrets    instead, whether what is executed depends on secrets: keygen, sign and x25519
";

const TRIPLE: &str = "aarch64-unknown-linux-gnu";
const TASKS: &[&str] = &[
    "keygen",
    "sign",
    "verify",
    "verify-decoded",
    "x25519-base",
    "x25519",
    "x25519-many",
    "batch-64",
    "batch-64-zip215",
];
/// The first is what the others are compared with.
const PROGRAMS: &[&str] = &["lanner:portable64", "lanner:neon", "dalek", "commonware"];
/// The models that LLVM has for themselves; for other cores it takes those of much older ones.
const CORES: &[&str] = &["neoverse-n1", "neoverse-n2", "neoverse-v1", "neoverse-v2"];

/// The tasks in which everything is secret that differs from run to run.
const SECRET_TASKS: &[&str] = &["keygen", "sign", "x25519-base", "x25519", "x25519-many"];
const SECRET_PROGRAMS: &[&str] = &["lanner:neon", "lanner:portable64", "lanner:portable32"];

/// How many entries the pool has: enough for the largest batch.
const ENTRIES: usize = 1024;
/// Instructions of a window, and about how many of all windows together.
const WINDOW: usize = 4_000;
const SAMPLE: usize = 200_000;

/// How many secrets are compared.
const RUNS: usize = 4;

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let list = |words: &str| words.split(',').map(str::to_owned).collect::<Vec<_>>();
    let defaults = |words: &[&str]| {
        words
            .iter()
            .map(|&word| word.to_owned())
            .collect::<Vec<_>>()
    };
    let (mut tasks, mut programs, mut cores) =
        (defaults(TASKS), defaults(PROGRAMS), defaults(CORES));
    let mut secrets = false;
    let mut args = args.iter();
    while let Some(option) = args.next() {
        if option == "--secrets" {
            secrets = true;
            (tasks, programs) = (defaults(SECRET_TASKS), defaults(SECRET_PROGRAMS));
            continue;
        }
        let words = list(value(option, &mut args)?);
        match option.as_str() {
            "--tasks" => tasks = words,
            "--programs" => programs = words,
            "--cores" => cores = words,
            _ => return Err(format!("no option '{option}'")),
        }
    }
    let tools = Tools::find()?;
    let directory = target_dir().join("predict");
    let mut runners: Vec<&str> = programs.iter().map(|program| name_of(program)).collect();
    runners.push("lanner");
    runners.sort_unstable();
    runners.dedup();
    build(&runners, &directory)?;
    let of = |name: &str| {
        directory
            .join(TRIPLE)
            .join(format!("release/runner-{name}"))
    };
    let pool = directory.join("pool");
    make_pool(&of("lanner"), &pool)?;
    if secrets {
        for program in &programs {
            let code = Code::read(&of(name_of(program)), &tools)?;
            for task in &tasks {
                code.does_not_steer(program, &pool, task)?;
            }
        }
        return Ok(());
    }

    let mut table = format!(
        "| task | program | instructions | {} |\n",
        cores.join(" | ")
    );
    table += &format!("|---|---|---|{}\n", "---|".repeat(cores.len()));
    for task in &tasks {
        let mut first: Option<Vec<f64>> = None;
        for program in &programs {
            let code = Code::read(&of(name_of(program)), &tools)?;
            let trails = code.follow(program, &pool, task, 1)?;
            let [path] = &trails[..] else {
                continue;
            };
            let sample = path.sample(&code);
            let mut row = format!("| {task} | {program} | {} |", thousands(path.instructions));
            let mut cycles = vec![];
            for core in &cores {
                let per_instruction = tools.cycles_per_instruction(&sample, core)?;
                cycles.push(per_instruction * path.instructions as f64);
            }
            for (i, &here) in cycles.iter().enumerate() {
                let ratio = first.as_ref().map_or(1.0, |first| first[i] / here);
                let _ = write!(row, " {} ({ratio:.2}) |", thousands(here as u64));
            }
            first.get_or_insert(cycles);
            println!("{row}");
            table += &row;
            table.push('\n');
        }
    }
    println!(
        "\nPredicted thousands of cycles, and how many times as fast as the first program:\n\n{table}"
    );
    Ok(())
}

/// The step of the whole tests that compares runs with different secrets.
pub(crate) fn step() -> Step {
    let arm = TESTED.iter().find(|target| target.triple == TRIPLE);
    Step::new(
        "AArch64, emulated: secrets do not steer",
        &[
            Need::Target(TRIPLE),
            arm.expect("the table has it").need(),
            Need::debian(
                "LLVM 19 or later",
                "command -v llvm-objdump-19 || command -v llvm-objdump",
                &["llvm-19"],
            ),
        ],
        Action::call(|| run(&[String::from("--secrets")])),
    )
}

fn name_of(program: &str) -> &str {
    program.split(':').next().unwrap_or(program)
}

fn thousands(number: u64) -> String {
    format!("{:.1}", number as f64 / 1000.0)
}

/// Builds runners, with all that they need in one file at fixed addresses.
fn build(runners: &[&str], directory: &Path) -> Result<(), String> {
    let mut command = Command::new("cargo");
    command
        .current_dir(root().join("bench/runners"))
        .args(["build", "--release", "--target", TRIPLE, "--target-dir"])
        .arg(directory)
        .env(
            "RUSTFLAGS",
            "-Ctarget-feature=+crt-static -Crelocation-model=static",
        )
        .env(
            "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER",
            "aarch64-linux-gnu-gcc",
        );
    for runner in runners {
        command.args(["-p", &format!("runner-{runner}")]);
    }
    succeed(command.status(), "cargo build")
}

fn make_pool(runner: &Path, pool: &Path) -> Result<(), String> {
    if pool.exists() {
        return Ok(());
    }
    let mut command = Command::new("qemu-aarch64");
    command
        .arg(runner)
        .args(["--make-pool", &ENTRIES.to_string()])
        .arg(pool);
    succeed(command.status(), "runner-lanner --make-pool")
}

fn succeed(status: std::io::Result<std::process::ExitStatus>, what: &str) -> Result<(), String> {
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{what}: {status}")),
        Err(error) => Err(format!("cannot start {what}: {error}")),
    }
}

/// The programs of LLVM, under the names that this machine has for them.
struct Tools {
    mca: String,
    objdump: String,
}

impl Tools {
    fn find() -> Result<Self, String> {
        let find = |name: &str| {
            let versions = (19..30).rev().map(|version| format!("{name}-{version}"));
            versions
                .chain([name.to_owned()])
                .find(|program| output(Command::new(program).arg("--version")).is_ok())
                .ok_or_else(|| format!("{name} is not here; on Debian, install llvm-19"))
        };
        Ok(Self {
            mca: find("llvm-mca")?,
            objdump: find("llvm-objdump")?,
        })
    }

    fn cycles_per_instruction(&self, sample: &str, core: &str) -> Result<f64, String> {
        let mut child = Command::new(&self.mca)
            .args(["-mtriple=aarch64", "-iterations=1", "-call-latency=1"])
            .args(["-skip-unsupported-instructions=any", "-resource-pressure=0"])
            .args(["-instruction-info=0", &format!("-mcpu={core}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start llvm-mca: {error}"))?;
        let mut input = child.stdin.take().expect("it is piped");
        let text = sample.to_owned();
        let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
        let output = child
            .wait_with_output()
            .map_err(|error| error.to_string())?;
        let written = writer.join().expect("the writer does not panic");
        written.map_err(|error| format!("llvm-mca: {error}"))?;
        let output = String::from_utf8_lossy(&output.stdout);
        let number = |name: &str| -> Result<f64, String> {
            output
                .lines()
                .find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
                .ok_or_else(|| format!("llvm-mca does not tell '{name}'"))
        };
        Ok(number("Total Cycles:")? / number("Instructions:")?)
    }
}

fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The instructions of a program.
struct Code {
    program: PathBuf,
    at: HashMap<u64, String>,
    /// Where `lanner_bench_kit::serve::mark` begins.
    mark: u64,
}

impl Code {
    fn read(program: &Path, tools: &Tools) -> Result<Self, String> {
        let listing = output(
            Command::new(&tools.objdump)
                .args(["-d", "--no-show-raw-insn", "--no-leading-headers"])
                .arg(program),
        )?;
        let mut code = Self {
            program: program.to_owned(),
            at: HashMap::new(),
            mark: 0,
        };
        for line in listing.lines() {
            let Some((address, rest)) = line.trim_start().split_once([':', ' ']) else {
                continue;
            };
            let Ok(address) = u64::from_str_radix(address, 16) else {
                continue;
            };
            if rest.starts_with('<') {
                if rest.contains("lanner_bench_kit5serve4mark") {
                    code.mark = address;
                }
            } else {
                code.at.insert(address, without_targets(rest.trim()));
            }
        }
        if code.mark == 0 {
            return Err(format!("{} marks nothing", program.display()));
        }
        Ok(code)
    }

    /// Whether runs of a task, which have different secrets, execute the same instructions.
    fn does_not_steer(&self, program: &str, pool: &Path, task: &str) -> Result<(), String> {
        let trails = self.follow(program, pool, task, RUNS)?;
        let [first, others @ ..] = &trails[..] else {
            return Err(format!("{program} cannot {task}"));
        };
        if others.len() + 1 != RUNS || others.iter().any(|trail| trail.blocks.is_empty()) {
            return Err(format!("{program}, {task}: not all runs were seen"));
        }
        for other in others {
            let mut pairs = first.blocks.iter().zip(&other.blocks);
            if let Some((a, b)) = pairs.find(|(a, b)| a != b) {
                return Err(format!(
                    "{program}, {task}: after the same way, one run is at {:#x} and another at {:#x}",
                    a.0, b.0
                ));
            }
            if first.blocks.len() != other.blocks.len() {
                return Err(format!("{program}, {task}: one run is longer than another"));
            }
        }
        println!(
            "{program}, {task}: the same {} thousand instructions in {RUNS} runs",
            thousands(first.instructions)
        );
        Ok(())
    }

    /// What the program executes in so many runs of a task; nothing if it cannot do that.
    fn follow(
        &self,
        program: &str,
        pool: &Path,
        task: &str,
        runs: usize,
    ) -> Result<Vec<Trail>, String> {
        let backend = program.split_once(':').map(|(_, backend)| backend);
        let args = backend.map(|backend| ["--backend", backend]);
        let pipe = self.program.with_extension("trace");
        let _ = std::fs::remove_file(&pipe);
        succeed(Command::new("mkfifo").arg(&pipe).status(), "mkfifo")?;
        let mut child = Command::new("qemu-aarch64")
            .args(["-cpu", "neoverse-n1", "-d", "in_asm,exec,nochain", "-D"])
            .arg(&pipe)
            .arg(&self.program)
            .args(args.into_iter().flatten())
            .arg(pool)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start qemu-aarch64: {error}"))?;
        let mut requests = child.stdin.take().expect("it is piped");
        let request = format!("run {task} 1\n").repeat(runs);
        let request = requests.write_all(request.as_bytes());
        request.map_err(|error| error.to_string())?;
        drop(requests);
        let log = std::fs::File::open(&pipe).map_err(|error| error.to_string())?;
        let trails = Trail::read(BufReader::with_capacity(1 << 20, log), self.mark);
        let status = child.wait().map_err(|error| error.to_string())?;
        let _ = std::fs::remove_file(&pipe);
        let trails = trails.map_err(|error| error.to_string())?;
        Ok(if status.success() { trails } else { vec![] })
    }
}

/// An instruction whose target, if it has one, is a label that is never defined.
fn without_targets(instruction: &str) -> String {
    let Some((before, _)) = instruction.split_once(" <") else {
        return instruction.to_owned();
    };
    let end = before.rfind([' ', '\t', ',']).map_or(0, |at| at + 1);
    format!("{} target", &before[..end])
}

/// Blocks of instructions in the order in which they were executed.
struct Trail {
    /// Where each begins, and of how many instructions it is.
    blocks: Vec<(u64, u32)>,
    instructions: u64,
}

impl Trail {
    /// Reads qemu's log: a listing of each block when it is translated, and a line each time when it is executed. Gives what
    /// lies between the first mark and the second, the third and the fourth, and so on.
    fn read(mut log: impl BufRead, mark: u64) -> std::io::Result<Vec<Self>> {
        let mut lengths: HashMap<u64, u32> = HashMap::new();
        let mut translated = None;
        let mut inside = false;
        let mut trails: Vec<Self> = vec![];
        let mut line = Vec::new();
        while log.read_until(b'\n', &mut line)? > 0 {
            let text = String::from_utf8_lossy(&line);
            if let Some(rest) = text.strip_prefix("Trace ") {
                let address = rest.split('/').nth(1);
                let address = address.and_then(|word| u64::from_str_radix(word, 16).ok());
                if let Some(address) = address {
                    if address == mark {
                        inside = !inside;
                        if inside {
                            trails.push(Self {
                                blocks: vec![],
                                instructions: 0,
                            });
                        }
                    }
                    if let (true, Some(trail)) = (inside, trails.last_mut()) {
                        let length = lengths.get(&address).copied().unwrap_or(0);
                        trail.blocks.push((address, length));
                        trail.instructions += u64::from(length);
                    }
                }
            } else if let Some(rest) = text.strip_prefix("0x") {
                let address = rest.split(':').next();
                let address = address.and_then(|word| u64::from_str_radix(word, 16).ok());
                if let Some(address) = address {
                    let begin = *translated.get_or_insert(address);
                    lengths.insert(begin, ((address - begin) / 4 + 1) as u32);
                }
            } else {
                translated = None;
            }
            line.clear();
        }
        Ok(trails)
    }

    /// The instructions of windows at equal distances, or all of them where they are few.
    fn sample(&self, code: &Code) -> String {
        let windows = (self.instructions as usize).div_ceil(WINDOW);
        let every = windows.div_ceil(SAMPLE / WINDOW).max(1);
        let mut text = String::new();
        let mut place = 0;
        for &(address, length) in &self.blocks {
            for i in 0..u64::from(length) {
                if (place / WINDOW).is_multiple_of(every)
                    && let Some(instruction) = code.at.get(&(address + 4 * i))
                {
                    text.push_str(instruction);
                    text.push('\n');
                }
                place += 1;
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{Trail, without_targets};

    #[test]
    fn targets_are_labels() {
        assert_eq!(
            without_targets("b.ne\t0x4005d0 <main+0x10>"),
            "b.ne\t target"
        );
        assert_eq!(without_targets("cbz\tx0, 0x40 <f>"), "cbz\tx0,  target");
        assert_eq!(without_targets("add\tx0, x0, #1"), "add\tx0, x0, #1");
    }

    #[test]
    fn trails_lie_between_marks() {
        let log = "IN: mark\n0x0000000000400100:  d65f03c0  ret\n\n\
                   Trace 0: 0x7f [00000000/0000000000400100/00000102/ff000000] mark\n\
                   IN: f\n0x0000000000400200:  00 nop\n0x0000000000400204:  00 ret\n\n\
                   Trace 0: 0x7f [00000000/0000000000400200/00000102/ff000000] f\n\
                   Trace 0: 0x7f [00000000/0000000000400200/00000102/ff000000] f\n\
                   Trace 0: 0x7f [00000000/0000000000400100/00000102/ff000000] mark\n\
                   Trace 0: 0x7f [00000000/0000000000400200/00000102/ff000000] f\n";
        let trails = Trail::read(log.as_bytes(), 0x40_0100).expect("memory can be read");
        let [trail] = &trails[..] else {
            panic!("there are two marks");
        };
        assert_eq!(
            trail.blocks,
            [(0x40_0100, 1), (0x40_0200, 2), (0x40_0200, 2)]
        );
        assert_eq!(trail.instructions, 5);
    }
}
