//! The inputs that a search found worth keeping: one file a target, because thousands of small files serve nobody. Each
//! input stands behind its length, two bytes with the low one first.

use std::path::PathBuf;
use std::{fs, io};

/// How large the file of a target may become.
pub const LIMIT: usize = 16 * 1024;

fn path(target: &str) -> PathBuf {
    let name = format!("{target}.bin");
    [env!("CARGO_MANIFEST_DIR"), "corpus", &name]
        .iter()
        .collect()
}

/// The inputs that are kept of a target; none if there is no file.
///
/// # Errors
///
/// The file cannot be read, or is cut off.
pub fn read(target: &str) -> io::Result<Vec<Vec<u8>>> {
    let packed = match fs::read(path(target)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        packed => packed?,
    };
    unpack(&packed).ok_or_else(|| io::Error::other(format!("{target}: the corpus is cut off")))
}

/// Keeps these inputs, the shortest first, as far as there is room; gives how many.
///
/// # Errors
///
/// The file cannot be written.
pub fn write(target: &str, mut inputs: Vec<Vec<u8>>) -> io::Result<usize> {
    inputs.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    inputs.dedup();
    let (packed, count) = pack(&inputs);
    fs::create_dir_all(path(target).parent().expect("a directory"))?;
    fs::write(path(target), packed)?;
    Ok(count)
}

fn pack(inputs: &[Vec<u8>]) -> (Vec<u8>, usize) {
    let (mut packed, mut count) = (Vec::new(), 0);
    for input in inputs {
        let length = u16::try_from(input.len()).ok();
        let Some(length) = length.filter(|_| packed.len() + 2 + input.len() <= LIMIT) else {
            break;
        };
        packed.extend(length.to_le_bytes());
        packed.extend(input);
        count += 1;
    }
    (packed, count)
}

fn unpack(mut packed: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut inputs = Vec::new();
    while !packed.is_empty() {
        let (length, rest) = packed.split_first_chunk()?;
        let (input, rest) = rest.split_at_checked(u16::from_le_bytes(*length).into())?;
        inputs.push(input.to_vec());
        packed = rest;
    }
    Some(inputs)
}

#[cfg(test)]
mod tests {
    use super::{LIMIT, pack, unpack};

    #[test]
    fn there_and_back() {
        let inputs = [vec![], vec![1], vec![2; 300], vec![3; LIMIT]];
        let (packed, count) = pack(&inputs);
        assert_eq!(count, 3, "the last one has no room");
        assert_eq!(unpack(&packed).as_deref(), Some(&inputs[..3]));
        assert_eq!(unpack(&packed[..packed.len() - 1]), None);
    }
}
