//! Values from outside, for the tests of modules. The readers of all such files are `lanner-vectors`, which no registry gets; the
//! tests of a module go wherever its source goes, and so read the few that they need here, where there are any.
#![cfg_attr(not(feature = "sign"), allow(dead_code))]

use alloc::vec::Vec;
use core::fmt::Debug;
use serde_json::Value;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::{env, format, fs, panic};

/// The variable that names the directory of all of them. Without it they lie beside the repository.
const VARIABLE: &str = "LANNER_SHARED_VECTORS";

pub(crate) struct Outside(PathBuf);

/// The files, for a test; where there are none, a line on standard error says so, in the words that `cargo xtask test` looks for.
pub(crate) fn outside(test: &str) -> Option<Outside> {
    let named = env::var_os(VARIABLE);
    // Who names a directory on a machine for this has the files.
    let promised = named.is_some() && env::var_os("CI").is_some();
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors");
    let path = named.map_or_else(beside, PathBuf::from);
    if path.is_dir() {
        return Some(Outside(path));
    }
    assert!(!promised, "{VARIABLE}: no {}", path.display());
    let line = format!(
        "SKIPPED: {test}: outside vectors not found at {}\n",
        path.display()
    );
    // Of what the macros print, a test that passes shows nothing.
    let _ = std::io::stderr().write_all(line.as_bytes());
    None
}

impl Outside {
    /// A file of JSON, which may be packed by gzip.
    pub(crate) fn json(&self, name: &str) -> Value {
        let mut bytes = fs::read(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        if name.ends_with(".gz") {
            let packed = core::mem::take(&mut bytes);
            let mut reader = flate2::read::MultiGzDecoder::new(&packed[..]);
            reader.read_to_end(&mut bytes).expect(name);
        }
        serde_json::from_slice(&bytes).expect(name)
    }

    /// The cases of such a file.
    pub(crate) fn vectors(&self, name: &str) -> Vec<Value> {
        match self.json(name)["vectors"].take() {
            Value::Array(cases) => cases,
            _ => panic!("{name}: no vectors"),
        }
    }
}

pub(crate) fn octets(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().expect("text")).expect("hexadecimal digits")
}

pub(crate) fn integer<T: TryFrom<i64, Error: Debug>>(value: &Value) -> T {
    let value = value.as_i64().expect("an integer");
    value.try_into().expect("one of this size")
}

pub(crate) fn integers<T: TryFrom<i64, Error: Debug>>(value: &Value) -> Vec<T> {
    value
        .as_array()
        .expect("a list")
        .iter()
        .map(integer)
        .collect()
}
