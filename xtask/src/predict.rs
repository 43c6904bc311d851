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
//! On RISC-V, of whose cores LLVM has no model that is worth it, instructions alone are counted (`--target riscv64`).
//!
//! `--secrets` holds sequences of the same operation with different secrets against each other: constant-time code
//! executes the same instructions whatever they are. Nothing else looks at AArch64 so, where neither valgrind nor the
//! reader of machine code of `ct/` can follow.

mod trail;

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::needs::Need;
use crate::process::{root, target_dir, value};
use crate::steps::{Action, Step};
use crate::targets::TESTED;
use trail::{Trail, Windows};

pub(crate) const HELP: &str = "\
  predict [--fn-dsa] [--target riscv64] [--tasks T,T…] [--programs P,P…] [--cores C,C…]
                  cycles of operations on AArch64 by llvm-mca's models of cores, from what qemu executes;
                  needs qemu-aarch64, a linker for AArch64, a C compiler, and LLVM 19 or later
                    --fn-dsa     the tasks of FN-DSA, beside the crate fn-dsa 0.4
                    --target     aarch64, or riscv64: there instructions alone are counted
                    --tasks      of lanner-bench (default: keygen, sign, verify, x25519, …)
                    --programs   runners, and for Lanner its backends: lanner:neon, dalek, …
                    --cores      of llvm-mca (default: neoverse-n1, -n2, -v1 and -v2)
                    --secrets    instead, whether what is executed depends on secrets: keygen, sign and x25519
";

/// What programs are built for, and what runs them.
struct Target {
    name: &'static str,
    triple: &'static str,
    qemu: &'static str,
    cpu: &'static str,
    /// The variable that names the linker to cargo, and the linker.
    linker: [&'static str; 2],
    /// The models that LLVM has for themselves; for other cores it takes those of much older ones.
    cores: &'static [&'static str],
}

const ARM: Target = Target {
    name: "aarch64",
    triple: "aarch64-unknown-linux-gnu",
    qemu: "qemu-aarch64",
    cpu: "neoverse-n1",
    linker: [
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER",
        "aarch64-linux-gnu-gcc",
    ],
    cores: &["neoverse-n1", "neoverse-n2", "neoverse-v1", "neoverse-v2"],
};

const RISCV: Target = Target {
    name: "riscv64",
    triple: "riscv64gc-unknown-linux-gnu",
    qemu: "qemu-riscv64",
    cpu: "rv64",
    linker: [
        "CARGO_TARGET_RISCV64GC_UNKNOWN_LINUX_GNU_LINKER",
        "riscv64-linux-gnu-gcc",
    ],
    cores: &[],
};

const TARGETS: [&Target; 2] = [&ARM, &RISCV];

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
/// The tasks of FN-DSA. Keys and signatures take as long as their rejections make them.
const FN_DSA_TASKS: &[&str] = &[
    "fn-dsa-512-keygen",
    "fn-dsa-512-sign",
    "fn-dsa-512-sign-decoded",
    "fn-dsa-512-verify",
    "fn-dsa-512-verify-decoded",
    "fn-dsa-1024-keygen",
    "fn-dsa-1024-sign",
    "fn-dsa-1024-sign-decoded",
    "fn-dsa-1024-verify",
    "fn-dsa-1024-verify-decoded",
];
const FN_DSA_PROGRAMS: &[&str] = &["fn-dsa-04", "lanner-fn-dsa"];

/// The tasks in which everything is secret that differs from run to run.
const SECRET_TASKS: &[&str] = &["keygen", "sign", "x25519-base", "x25519", "x25519-many"];
const SECRET_PROGRAMS: &[&str] = &["lanner:neon", "lanner:portable64", "lanner:portable32"];

/// How many entries the pool has: enough for the largest batch.
const ENTRIES: usize = 1024;
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
    let (mut tasks, mut programs) = (defaults(TASKS), defaults(PROGRAMS));
    let (mut target, mut cores) = (&ARM, None);
    // Which program makes the inputs.
    let mut maker = "lanner";
    let mut secrets = false;
    let mut args = args.iter();
    while let Some(option) = args.next() {
        if option == "--secrets" {
            secrets = true;
            (tasks, programs) = (defaults(SECRET_TASKS), defaults(SECRET_PROGRAMS));
            continue;
        }
        if option == "--fn-dsa" {
            (tasks, programs) = (defaults(FN_DSA_TASKS), defaults(FN_DSA_PROGRAMS));
            maker = "lanner-fn-dsa";
            continue;
        }
        let words = list(value(option, &mut args)?);
        match option.as_str() {
            "--tasks" => tasks = words,
            "--programs" => programs = words,
            "--cores" => cores = Some(words),
            "--target" => {
                let found = TARGETS.iter().find(|target| words == [target.name]);
                target = found.ok_or("the targets are aarch64 and riscv64")?;
            }
            _ => return Err(format!("no option '{option}'")),
        }
    }
    let cores = cores.unwrap_or_else(|| defaults(target.cores));
    let tools = Tools::find()?;
    let directory = target_dir().join("predict");
    let mut runners: Vec<&str> = programs.iter().map(|program| name_of(program)).collect();
    runners.push(maker);
    runners.sort_unstable();
    runners.dedup();
    build(target, &runners, &directory)?;
    let of = |name: &str| {
        directory
            .join(target.triple)
            .join(format!("release/runner-{name}"))
    };
    let pool = directory.join(format!("pool-{maker}"));
    make_pool(target, &of(maker), &pool)?;
    if secrets {
        for program in &programs {
            let code = Code::read(target, &of(name_of(program)), &tools)?;
            for task in &tasks {
                code.does_not_steer(program, &pool, task)?;
            }
        }
        return Ok(());
    }

    let plugin = trail::plugin(target.qemu, &directory)?;
    let columns: Vec<&str> = cores.iter().map(String::as_str).collect();
    let columns = [&["instructions"], &columns[..]].concat();
    let mut table = format!("| task | program | {} |\n", columns.join(" | "));
    table += &format!("|---|---|{}\n", "---|".repeat(columns.len()));
    for task in &tasks {
        let mut first: Option<Vec<f64>> = None;
        for program in &programs {
            let code = Code::read(target, &of(name_of(program)), &tools)?;
            let Some(path) = code.sample(&plugin, program, &pool, task)? else {
                continue;
            };
            let sample = code.listing(&path);
            let instructions = path.instructions as f64 / units(task);
            let mut costs = vec![instructions];
            for core in &cores {
                let per_instruction = tools.cycles_per_instruction(&sample, core)?;
                costs.push(per_instruction * instructions);
            }
            let mut row = format!("| {task} | {program} |");
            for (i, &here) in costs.iter().enumerate() {
                let ratio = first.as_ref().map_or(1.0, |first| first[i] / here);
                let _ = write!(row, " {} ({ratio:.2}) |", thousands(here as u64));
            }
            first.get_or_insert(costs);
            println!("{row}");
            table += &row;
            table.push('\n');
        }
    }
    println!(
        "\nThousands of instructions, and predicted thousands of cycles; in brackets, how many times as fast as the \
         first program:\n\n{table}"
    );
    Ok(())
}

/// The step of the whole tests that compares runs with different secrets.
pub(crate) fn step() -> Step {
    let arm = TESTED.iter().find(|target| target.triple == ARM.triple);
    Step::new(
        "AArch64, emulated: secrets do not steer",
        &[
            Need::Target(ARM.triple),
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

/// How many pairs a run of a task makes, where it is more than one: `FN_DSA_PAIRS` of the benchmark's kit.
fn units(task: &str) -> f64 {
    if task.starts_with("fn-dsa") && task.ends_with("-keygen") {
        8.0
    } else {
        1.0
    }
}

fn thousands(number: u64) -> String {
    format!("{:.1}", number as f64 / 1000.0)
}

/// Builds runners, with all that they need in one file at fixed addresses.
fn build(target: &Target, runners: &[&str], directory: &Path) -> Result<(), String> {
    let mut command = Command::new("cargo");
    command
        .current_dir(root().join("bench/runners"))
        .args(["build", "--release", "--locked"])
        .args(["--target", target.triple, "--target-dir"])
        .arg(directory)
        .env(
            "RUSTFLAGS",
            "-Ctarget-feature=+crt-static -Crelocation-model=static",
        )
        .env(target.linker[0], target.linker[1]);
    for runner in runners {
        command.args(["-p", &format!("runner-{runner}")]);
    }
    succeed(command.status(), "cargo build")
}

fn make_pool(target: &Target, runner: &Path, pool: &Path) -> Result<(), String> {
    if pool.exists() {
        return Ok(());
    }
    let mut command = Command::new(target.qemu);
    command
        .arg(runner)
        .args(["--make-pool", &ENTRIES.to_string()])
        .arg(pool);
    succeed(command.status(), "--make-pool")
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
    target: &'static Target,
    program: PathBuf,
    at: HashMap<u64, String>,
    /// Where `lanner_bench_kit::serve::mark` begins.
    mark: u64,
}

impl Code {
    fn read(target: &'static Target, program: &Path, tools: &Tools) -> Result<Self, String> {
        let listing = output(
            Command::new(&tools.objdump)
                .args(["-d", "--no-show-raw-insn", "--no-leading-headers"])
                .arg(program),
        )?;
        let mut code = Self {
            target,
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
        let pipe = self.pipe()?;
        let options = ["-d", "in_asm,exec,nochain", "-D"].map(OsString::from);
        let options = options.into_iter().chain([pipe.clone().into()]);
        let trails = self.observe(
            options,
            &pipe,
            program,
            pool,
            &requests(task, runs),
            |log| Trail::read(log, self.mark),
        )?;
        Ok(trails.unwrap_or_default())
    }

    /// What the program executes in a task, sampled; nothing if it cannot do that.
    fn sample(
        &self,
        plugin: &Path,
        program: &str,
        pool: &Path,
        task: &str,
    ) -> Result<Option<Windows>, String> {
        let pipe = self.pipe()?;
        let mut plugin = OsString::from(plugin);
        plugin.push(format!(",mark={:x},out=", self.mark));
        plugin.push(&pipe);
        let options = [OsString::from("-plugin"), plugin];
        self.observe(options, &pipe, program, pool, &requests(task, 1), |log| {
            Windows::read(log, self.mark)
        })
    }

    /// A pipe with a name.
    fn pipe(&self) -> Result<PathBuf, String> {
        let pipe = std::process::id();
        let pipe = self.program.with_extension(format!("{pipe}.trace"));
        let _ = std::fs::remove_file(&pipe);
        succeed(Command::new("mkfifo").arg(&pipe).status(), "mkfifo")?;
        Ok(pipe)
    }

    /// Runs the program under qemu with some options and requests, and reads what comes out of the pipe; nothing if the
    /// program fails.
    fn observe<T>(
        &self,
        options: impl IntoIterator<Item = OsString>,
        pipe: &Path,
        program: &str,
        pool: &Path,
        requests: &str,
        read: impl FnOnce(BufReader<File>) -> std::io::Result<T>,
    ) -> Result<Option<T>, String> {
        let backend = program.split_once(':').map(|(_, backend)| backend);
        let args = backend.map(|backend| ["--backend", backend]);
        let mut child = Command::new(self.target.qemu)
            .args(["-cpu", self.target.cpu])
            .args(options)
            .arg(&self.program)
            .args(args.into_iter().flatten())
            .arg(pool)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", self.target.qemu))?;
        let mut input = child.stdin.take().expect("it is piped");
        let written = input.write_all(requests.as_bytes());
        written.map_err(|error| error.to_string())?;
        drop(input);
        let log = File::open(pipe).map_err(|error| error.to_string())?;
        let seen = read(BufReader::with_capacity(1 << 20, log));
        let status = child.wait().map_err(|error| error.to_string())?;
        let _ = std::fs::remove_file(pipe);
        let seen = seen.map_err(|error| error.to_string())?;
        Ok(status.success().then_some(seen))
    }

    /// The instructions of sampled blocks, which are four bytes long each.
    fn listing(&self, path: &Windows) -> String {
        let mut text = String::new();
        for &(address, length) in path.blocks() {
            for i in 0..u64::from(length) {
                if let Some(instruction) = self.at.get(&(address + 4 * i)) {
                    text.push_str(instruction);
                    text.push('\n');
                }
            }
        }
        text
    }
}

/// What a runner is asked for.
fn requests(task: &str, runs: usize) -> String {
    format!("run {task} 1\n").repeat(runs)
}

/// An instruction whose target, if it has one, is a label that is never defined.
fn without_targets(instruction: &str) -> String {
    let Some((before, _)) = instruction.split_once(" <") else {
        return instruction.to_owned();
    };
    let end = before.rfind([' ', '\t', ',']).map_or(0, |at| at + 1);
    format!("{} target", &before[..end])
}

#[cfg(test)]
mod tests {
    use super::without_targets;

    #[test]
    fn targets_are_labels() {
        assert_eq!(
            without_targets("b.ne\t0x4005d0 <main+0x10>"),
            "b.ne\t target"
        );
        assert_eq!(without_targets("cbz\tx0, 0x40 <f>"), "cbz\tx0,  target");
        assert_eq!(without_targets("add\tx0, x0, #1"), "add\tx0, x0, #1");
    }
}
