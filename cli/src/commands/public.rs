//! `lanner public`: derives a public key.

use crate::args::Public;
use crate::error::Error;
use crate::formats::write::{self, Encoding};
use crate::input::is_dash;
use crate::keyfile;
use crate::output::{Access, Target};
use crate::report::{Report, key_facts};
use crate::text::{Shown, hex, shell_word};
use serde_json::json;

pub(crate) fn run(args: &Public, json: bool, warnings: &mut Vec<String>) -> Result<Report, Error> {
    let target = args
        .output
        .as_deref()
        .map(|path| {
            let inputs = [args.key.as_path()];
            let what = "a public key beside its own";
            Target::new(Some(path), Access::Default, args.force, json, what, &inputs)
        })
        .transpose()?;
    let file = args.output.as_deref().filter(|path| !is_dash(path));
    let secret = keyfile::read_secret(&args.key, &args.secret, warnings)?;
    secret.key.check_algorithm(args.algorithm, &args.key)?;
    let public = secret.key.public();
    let beside = secret.beside();
    super::check_comment_of_key(&beside, Encoding::Pem, &args.key).map_err(|e| {
        e.with_hint(format!(
            "to give it another: lanner convert {} --public --to pem -C COMMENT",
            shell_word(&args.key)
        ))
    })?;
    let pem = write::public(&public, Encoding::Pem, &beside)?;
    let pem = String::from_utf8(pem).expect("PEM is ASCII, and comments are UTF-8");
    if let Some(target @ Target::File(_)) = &target {
        target.write(pem.as_bytes())?;
    }
    let text = match file {
        Some(path) => format!(
            "Wrote the {} public key to {}.\n{}",
            public.algorithm(),
            Shown(path),
            key_facts(&public, &beside),
        ),
        None => pem.clone(),
    };
    let report = Report::new(
        text,
        json!({
            "algorithm": public.algorithm().option(),
            "fingerprint": public.fingerprint(),
            "comment": beside.comment,
            "public_key_file": file.map(|path| path.to_string_lossy()),
            "public_key_hex": *hex(&public.to_bytes()),
            "public_key_pem": pem,
        }),
    );
    Ok(match file {
        Some(path) => report.with_written([path]),
        None => report.into_result(),
    })
}
