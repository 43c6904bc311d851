//! What qemu tells of a program that it runs: the blocks of instructions that are executed between two marks.
//!
//! Its log has a line for each, and every qemu can write it. For long operations there is a plugin (`trail.c`), which is
//! compiled when it is needed, and some hundred times as fast.

use std::collections::HashMap;
use std::io::{BufRead, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{output, succeed};
use crate::process::root;

/// Instructions of a window, and the least number of windows that are kept of a long operation.
const WINDOW: u64 = 4_000;
const WINDOWS: usize = 50;

/// Compiles the plugin for a qemu.
pub(super) fn plugin(qemu: &str, directory: &Path) -> Result<PathBuf, String> {
    let version = output(Command::new(qemu).arg("--version"))?;
    // The interface of version 1 is refused from qemu 9 on; what the plugin needs is the same in all.
    let major = version.split_whitespace().find_map(|word| {
        let (major, _) = word.split_once('.')?;
        major.parse::<u32>().ok()
    });
    let major = major.ok_or_else(|| format!("{qemu} has no version: {version}"))?;
    let plugin = directory.join(format!("trail-{major}.so"));
    let mut command = Command::new("cc");
    command
        .args(["-std=c99", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC"])
        .arg(format!("-DAPI={}", if major < 9 { 1 } else { 2 }))
        .arg("-o")
        .arg(&plugin)
        .arg(root().join("xtask/src/predict/trail.c"));
    succeed(command.status(), "cc")?;
    Ok(plugin)
}

/// Blocks of instructions in the order in which they were executed.
pub(super) struct Trail {
    /// Where each begins, and of how many instructions it is.
    pub(super) blocks: Vec<(u64, u32)>,
    pub(super) instructions: u64,
}

impl Trail {
    /// Reads qemu's log: a listing of each block when it is translated, and a line each time when it is executed. Gives what
    /// lies between the first mark and the second, the third and the fourth, and so on.
    pub(super) fn read(mut log: impl BufRead, mark: u64) -> std::io::Result<Vec<Self>> {
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
}

/// Windows of the blocks that are executed, at equal distances; all of them where they are few.
pub(super) struct Windows {
    kept: Vec<Vec<(u64, u32)>>,
    /// The number of the present window, and its instructions so far.
    number: u64,
    filled: u64,
    /// Windows are kept whose number is divisible by this.
    every: u64,
    pub(super) instructions: u64,
}

impl Windows {
    fn new() -> Self {
        Self {
            kept: vec![vec![]],
            number: 0,
            filled: 0,
            every: 1,
            instructions: 0,
        }
    }

    /// Reads what the plugin tells, from the first mark to the second.
    pub(super) fn read(mut log: impl Read, mark: u64) -> std::io::Result<Self> {
        let mut windows = Self::new();
        let mut marks = 0;
        loop {
            let mut record = [0; 16];
            match log.read_exact(&mut record) {
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
                result => result?,
            }
            let (address, length) = record.split_at(8);
            let word = |bytes: &[u8]| u64::from_ne_bytes(bytes.try_into().expect("eight"));
            let (address, length) = (word(address), word(length));
            marks += u32::from(address == mark);
            if marks == 1 {
                windows.see(address, length as u32);
            }
        }
        Ok(windows)
    }

    fn see(&mut self, address: u64, length: u32) {
        self.instructions += u64::from(length);
        if self.number.is_multiple_of(self.every)
            && let Some(window) = self.kept.last_mut()
        {
            window.push((address, length));
        }
        self.filled += u64::from(length);
        if self.filled < WINDOW {
            return;
        }
        self.filled = 0;
        self.number += 1;
        if self.number.is_multiple_of(self.every) {
            if self.kept.len() == 2 * WINDOWS {
                // Every second one goes, the next among them stays: twice as many lie between.
                let mut odd = true;
                self.kept.retain(|_| {
                    odd = !odd;
                    !odd
                });
                self.every *= 2;
            }
            self.kept.push(vec![]);
        }
    }

    /// The blocks that are kept, in their order.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &(u64, u32)> {
        self.kept.iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::{Trail, WINDOW, WINDOWS, Windows};

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

    #[test]
    fn windows_lie_at_equal_distances() {
        let mark = 0x100;
        let mut log: Vec<u8> = vec![];
        let mut put = |address: u64, length: u64| {
            log.extend(address.to_ne_bytes());
            log.extend(length.to_ne_bytes());
        };
        put(mark, 1);
        // Each block is a window, but for the mark in the first one.
        let blocks = 1_000;
        for i in 0..blocks {
            put(0x1000 + i, WINDOW);
        }
        put(mark, 1);
        put(mark, 1);
        put(0x9000, WINDOW);
        let windows = Windows::read(&log[..], mark).expect("memory can be read");
        assert_eq!(windows.instructions, 1 + blocks * WINDOW);
        let kept: Vec<u64> = windows.blocks().map(|block| block.0).skip(1).collect();
        assert!((WINDOWS..=2 * WINDOWS).contains(&kept.len()));
        let step = kept[1] - kept[0];
        assert!(kept.windows(2).all(|pair| pair[1] - pair[0] == step));
        assert_eq!(kept[0], 0x1000);
        assert!(0x1000 + blocks - kept[kept.len() - 1] <= step);
    }
}
