//! Writes the good inputs of every target as files, one directory a target: `seeds DIRECTORY`.

use std::path::PathBuf;

use lanner_fuzz_targets::TARGETS;

fn main() -> std::io::Result<()> {
    let Some(root) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: seeds DIRECTORY");
        std::process::exit(2);
    };
    for target in TARGETS {
        let directory = root.join(target.name);
        std::fs::create_dir_all(&directory)?;
        let seeds = (target.seeds)();
        for (i, seed) in seeds.iter().enumerate() {
            std::fs::write(directory.join(format!("seed-{i:02}")), seed)?;
        }
        println!("{}: {} files", directory.display(), seeds.len());
    }
    Ok(())
}
