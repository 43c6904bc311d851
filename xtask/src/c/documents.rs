//! The programs and tables of the pages about C: `c/README.md` and `docs/migration-c.md`.

use super::context::{Context, work_dir};
use super::programs::{Compile, PLAIN, compile, run};
use crate::files::{fresh, read, write};
use crate::process::{Cmd, Tally, root};

const HOW: Compile = Compile {
    standard: "-std=c99",
    ..PLAIN
};

/// The blocks of C on a page.
fn blocks(page: &str) -> impl Iterator<Item = &str> {
    blocks_of(page, "\n```c\n")
}

fn blocks_of<'a>(page: &'a str, begin: &'a str) -> impl Iterator<Item = &'a str> {
    let begins = page.split(begin).skip(1);
    begins.filter_map(|rest| rest.split("```").next())
}

/// The line of shell in the README that begins so, without its comment.
///
/// # Errors
///
/// There is none.
pub(super) fn shell(start: &str) -> Result<String, String> {
    let page = read(&root().join(README))?;
    let line = blocks_of(&page, "\n```sh\n")
        .flat_map(str::lines)
        .find(|line| line.starts_with(start));
    let line = line.ok_or_else(|| format!("{README} has no line that begins with {start}"))?;
    Ok(line.split(" #").next().unwrap_or(line).trim().to_owned())
}

/// What the README has a project of CMake say.
///
/// # Errors
///
/// It says nothing.
pub(super) fn cmake() -> Result<String, String> {
    let page = read(&root().join(README))?;
    let block = blocks_of(&page, "\n```cmake\n").next().map(String::from);
    block.ok_or_else(|| format!("{README} has nothing of CMake"))
}

const README: &str = "c/README.md";

/// The program of the README, which needs nothing but the library.
///
/// # Errors
///
/// It does not compile, or ends badly.
pub(super) fn readme(context: &Context) -> Result<Tally, String> {
    let library = context.own()?;
    let dir = work_dir().join("documents");
    fresh(&dir)?;
    let page = read(&root().join(README))?;
    let mut tally = Tally::default();
    for block in blocks(&page) {
        let file = dir.join(format!("readme-{}.c", tally.passed));
        write(&file, block)?;
        let name = format!("readme-{}", tally.passed);
        let program = compile(&library, &HOW, &[file], &dir, &name, &[])?;
        Cmd::new(&program.display().to_string()).run()?;
        tally.passed += 1;
    }
    match tally.passed {
        0 => Err(format!("{README} has no program")),
        _ => Ok(tally),
    }
}

/// A part of the page about other libraries whose tables are run.
struct Part {
    heading: &'static str,
    /// What the program begins with, before the block of the page.
    before: &'static str,
    /// What gives the variables of that block their values.
    first: &'static str,
    /// What of a call says that it was content.
    content: &'static str,
    /// How many lines there are at least.
    least: usize,
}

const LIBSODIUM: Part = Part {
    heading: "\n## libsodium\n",
    before: "#include <sodium.h>\n",
    first: SODIUM,
    content: " == 0",
    least: 15,
};

const OPENSSL: Part = Part {
    heading: "\n## OpenSSL\n",
    before: "#include <openssl/crypto.h>\n#include <openssl/evp.h>\n",
    first: EVP,
    content: "",
    least: 8,
};

/// Every line of the tables about libsodium, both sides of it.
///
/// # Errors
///
/// A line does not compile, or its sides differ.
pub(super) fn libsodium(context: &Context) -> Result<Tally, String> {
    tables(context, &LIBSODIUM, "libsodium", "-lsodium")
}

/// The same of OpenSSL.
///
/// # Errors
///
/// A line does not compile, or its sides differ.
pub(super) fn openssl(context: &Context) -> Result<Tally, String> {
    tables(context, &OPENSSL, "openssl", "-lcrypto")
}

fn tables(context: &Context, part: &Part, name: &str, peer: &str) -> Result<Tally, String> {
    let library = context.own()?;
    let dir = work_dir().join("documents");
    crate::files::make(&dir)?;
    let page = read(&root().join("docs/migration-c.md"))?;
    let file = dir.join(format!("{name}.c"));
    write(&file, program(&page, part)?)?;
    let program = compile(&library, &HOW, &[file], &dir, name, &[peer])?;
    run(&library, &program, &[])
}

/// A program that runs the lines of a part, in their order.
fn program(page: &str, part: &Part) -> Result<String, String> {
    let Part {
        before,
        first,
        content,
        ..
    } = part;
    let (_, page) = page
        .split_once(part.heading)
        .ok_or(format!("there is no{}", part.heading))?;
    let page = page.split("\n## ").next().unwrap_or_default();
    let given = blocks(page).next().ok_or("there is no block of C")?;
    let mut lines = String::new();
    let mut number = 0;
    for line in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [first, second, third] = cells[..] else {
            return Err(format!("three cells are expected: {line}"));
        };
        let code = |cell: &str| {
            let inner = cell
                .strip_prefix('`')
                .and_then(|cell| cell.strip_suffix('`'));
            inner.map(str::to_owned).ok_or(format!("no code: {cell}"))
        };
        let (old, new, expected) = if second.starts_with('`') {
            (code(first)?, code(second)?, None)
        } else {
            let (old, new) = first.split_once("; ").ok_or(format!("one call: {line}"))?;
            (code(old)?, code(new)?, Some([second, third]))
        };
        // Where nothing is said, both must be content.
        let [theirs, ours] = expected.unwrap_or(["accepted"; 2]).map(|word| match word {
            "accepted" => Ok(1),
            "refused" => Ok(0),
            other => Err(format!("what is '{other}'?")),
        });
        lines.push_str(&format!(
            "    begin({number});\n    out = old_out;\n    answer({}, ({old}){content});\n    out = new_out;\n    \
             answer({}, ({new}){content});\n    end({});\n",
            theirs?,
            ours?,
            u8::from(expected.is_none()),
        ));
        number += 1;
    }
    if number < part.least {
        return Err(format!("only {number} lines"));
    }
    Ok(format!("{before}{BEFORE}{given}{first}{lines}{AFTER}"))
}

const BEFORE: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <lanner.h>

static unsigned char old_out[64], new_out[64];
static int row, passed, failed;

static void begin(int number)
{
    row = number;
    memset(old_out, 0xa5, sizeof old_out);
    memset(new_out, 0xa5, sizeof new_out);
}

static void answer(int expected, int given)
{
    if (expected == given)
        return;
    printf("line %d: %s is %s\n", row, expected ? "accepted" : "refused", given ? "accepted" : "refused");
    failed++;
}

static void end(int same)
{
    if (same && memcmp(old_out, new_out, sizeof old_out) != 0) {
        printf("line %d: the outputs differ\n", row);
        failed++;
    }
    passed++;
}

int main(void)
{
    unsigned char *out = old_out;
    size_t i;
"#;

const SODIUM: &str = r#"
    static const unsigned char order[32] = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7,
                                            0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0,
                                            0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10};
    unsigned int carry = 0;
    if (sodium_init() < 0)
        return 1;
    for (i = 0; i < 32; i++) {
        seed[i] = (unsigned char)i;
        other[i] = (unsigned char)(i + 1);
    }
    crypto_scalarmult_base(theirs, other);
    crypto_sign_seed_keypair(public_key, secret, seed);
    memcpy(mixed, secret, 32);
    memcpy(mixed + 32, theirs, 32);
    crypto_sign_detached(signature, NULL, message, length, secret);
    memcpy(malleated, signature, 64);
    for (i = 0; i < 32; i++) {
        carry += (unsigned int)signature[32 + i] + order[i];
        malleated[32 + i] = (unsigned char)carry;
        carry >>= 8;
    }
    if (lanner_ed25519_key_from_pair(&key, secret) != LANNER_OK)
        return 1;
"#;

const EVP: &str = r#"
    for (i = 0; i < 32; i++) {
        seed[i] = (unsigned char)i;
        other[i] = (unsigned char)(i + 1);
    }
    if (lanner_x25519_public(other, theirs) != LANNER_OK ||
        lanner_ed25519_public_from_seed(seed, public_key) != LANNER_OK ||
        lanner_ed25519_sign_seed(seed, message, length, signature) != LANNER_OK)
        return 1;
    memcpy(spoiled, signature, 64);
    spoiled[0] ^= 1;
"#;

const AFTER: &str = r#"
    lanner_ed25519_key_clear(&key);
    printf("test result: %s. %d passed; %d failed\n", failed ? "FAILED" : "ok", passed - failed, failed);
    return failed != 0;
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_calls() {
        let page = read(&root().join("docs/migration-c.md")).expect("it is there");
        let text = program(&page, &LIBSODIUM).expect("its tables are in order");
        assert!(text.contains("answer(1, (crypto_scalarmult_base(out, seed)) == 0);"));
        assert!(text.contains("answer(0, (lanner_x25519(seed, zeros, out)) == 0);"));
        let odd = page.replace("| refused | accepted |", "| refused | taken |");
        assert!(
            program(&odd, &LIBSODIUM)
                .expect_err("a word of its own")
                .contains("'taken'")
        );
        let fewer = page.replace("| `crypto_s", "| crypto_s");
        assert!(program(&fewer, &LIBSODIUM).is_err());
        let text = program(&page, &OPENSSL).expect("its table is in order");
        assert!(text.contains("answer(1, (lanner_x25519(seed, theirs, out) == LANNER_OK));"));
        assert!(!text.contains("crypto_s"));
        let readme = read(&root().join("c/README.md")).expect("it is there");
        assert!(blocks(&readme).all(|block| block.contains("int main(void)")));
    }
}
