//! `corpus unpack TARGET DIRECTORY`: writes what a search begins with, the target's good inputs and those that are kept, as
//! files. `corpus pack TARGET DIRECTORY`: keeps what a search left there, but for the good inputs, which the code makes.

use std::path::Path;
use std::{fs, io};

use lanner_fuzz_targets::{TARGETS, Target, corpus};

fn find(name: &str) -> io::Result<&'static Target> {
    let target = TARGETS.iter().find(|target| target.name == name);
    target.ok_or_else(|| io::Error::other(format!("no target '{name}'")))
}

fn unpack(target: &Target, directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    for (i, seed) in (target.seeds)().iter().enumerate() {
        fs::write(directory.join(format!("seed-{i:03}")), seed)?;
    }
    for (i, input) in corpus::read(target.name)?.iter().enumerate() {
        fs::write(directory.join(format!("kept-{i:03}")), input)?;
    }
    Ok(())
}

fn pack(target: &Target, directory: &Path) -> io::Result<()> {
    let seeds = (target.seeds)();
    let mut inputs = Vec::new();
    for entry in fs::read_dir(directory)? {
        let input = fs::read(entry?.path())?;
        if !seeds.contains(&input) {
            inputs.push(input);
        }
    }
    let all = inputs.len();
    let kept = corpus::write(target.name, inputs)?;
    println!("{}: {kept} of {all} inputs kept", target.name);
    Ok(())
}

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["unpack", target, directory] => unpack(find(target)?, Path::new(directory)),
        ["pack", target, directory] => pack(find(target)?, Path::new(directory)),
        _ => {
            eprintln!("usage: corpus unpack|pack TARGET DIRECTORY");
            std::process::exit(2);
        }
    }
}
