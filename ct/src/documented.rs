//! The places where a secret may steer a branch or an address, because what shows there is public by its
//! nature or says nothing of any key: one by one, by the text of the line, with the words of the
//! documentation that say so.
//!
//! Memcheck reports these places as it reports every other; the list is what tells them apart, so that
//! the libraries themselves know nothing of valgrind. A report at any other place is a finding. So is an
//! entry under which nothing was reported: an exception that is not needed hides what comes later. Places of an entry that
//! were not reported are said, and are no finding: which of them are is a matter of the compiler, which merges branches.

use crate::instructions::shifts_vectors;
use crate::report::{Finding, Frame};

/// A place in the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// A part of the path, with slashes; a star stands for anything.
    pub(crate) path: &'static str,
    /// Words of the line; empty for all lines of a file that is not the project's, or for all shifts.
    pub(crate) line: &'static str,
    /// Only instructions that shift vectors.
    shifts: bool,
}

/// Something that shows, and may.
pub(crate) struct Documented {
    /// Its name in the section "What shows" of the README.
    pub(crate) name: &'static str,
    /// The groups of checks in which it may show.
    pub(crate) groups: &'static [&'static str],
    /// Where.
    pub(crate) places: &'static [Place],
    /// A file of the project, and words in it that say what shows.
    pub(crate) says: (&'static str, &'static str),
}

const fn at(path: &'static str, line: &'static str) -> Place {
    Place {
        path,
        line,
        shifts: false,
    }
}

const fn shifts(path: &'static str) -> Place {
    Place {
        path,
        line: "",
        shifts: true,
    }
}

const ELEMENTS: &str = "c/src/ristretto255.rs";
const CODEC: &str = "crates/fn-dsa/src/codec/mod.rs";
const GAUSS: &str = "crates/fn-dsa/src/keygen/gauss.rs";
const KEYGEN: &str = "crates/fn-dsa/src/keygen/mod.rs";
const NTRU: &str = "crates/fn-dsa/src/keygen/ntru.rs";
const SECRET: &str = "crates/fn-dsa/src/secret.rs";
const SOLVER: &str = "crates/fn-dsa/src/keygen/solver.rs";
const WIDE: &str = "crates/fn-dsa/src/sampler/wide.rs";
const AHEAD: &str = "crates/fn-dsa/src/sampler/ahead.rs";
const EACH: &str = "crates/fn-dsa/src/sampler/each.rs";

/// The groups that decode keys of FN-DSA.
const DECODING: &[&str] = &["fn-dsa-keys", "fn-dsa-sign", "falcon-sign", "fn-dsa-files"];

/// All of them.
pub(crate) const ALL: &[Documented] = &[
    Documented {
        name: "passes agree",
        groups: &["answers"],
        places: &[at(
            "crates/ed25519/src/sign_stream.rs",
            "if !bool::from(first.ct_eq(&*second)) {",
        )],
        says: (
            "crates/ed25519/src/sign_stream.rs",
            "if the two passes fed different messages",
        ),
    },
    Documented {
        name: "key pair fits",
        groups: &["answers", "key-files"],
        places: &[
            at("crates/ed25519/src/errors.rs", "if valid {"),
            at("crates/ed25519/src/key_info.rs", "ct_eq"),
        ],
        says: (
            "crates/ed25519/src/key_info.rs",
            "with the public key, which must match",
        ),
    },
    Documented {
        name: "shared secret is zero",
        groups: &["answers", "x25519-answers"],
        places: &[
            at(
                "crates/x25519/src/checked.rs",
                "if shared.was_contributory() {",
            ),
            at("c/src/x25519.rs", "NonContributory"),
            at("c/src/boundary.rs", "if result.is_err() {"),
        ],
        says: (
            "crates/x25519/src/lib.rs",
            "A public key of small order makes the result all zero, whatever the secret",
        ),
    },
    Documented {
        name: "bytes encode an element",
        groups: &["answers", "curve-answers"],
        places: &[
            at(
                "crates/curve/src/ristretto/compressed.rs",
                "bool::from(valid).then_some(point)",
            ),
            at(ELEMENTS, "unsafe { element(point) }.map(|_| ())"),
            at(ELEMENTS, "let (p, q) = (element(p)?, element(q)?);"),
            at(
                ELEMENTS,
                "let (scalar, point) = (factor(scalar)?, element(point)?);",
            ),
        ],
        says: (
            "crates/curve/src/ristretto/compressed.rs",
            "Constant time but for whether they are",
        ),
    },
    Documented {
        name: "coordinate is on the curve",
        groups: &["curve-answers"],
        places: &[
            at(
                "crates/curve/src/montgomery/mod.rs",
                "if bool::from(denominator.to_packed().is_zero()) {",
            ),
            at(
                "crates/curve/src/edwards/compressed.rs",
                "bool::from(exists).then(|| point.pack())",
            ),
        ],
        says: (
            "crates/curve/src/montgomery/mod.rs",
            "belongs to the twist. Constant time but for that",
        ),
    },
    Documented {
        name: "result is refused",
        groups: &["answers"],
        places: &[
            at(ELEMENTS, "if is_zero(out) {"),
            at(ELEMENTS, "if *x == Scalar::ZERO {"),
        ],
        says: (
            "c/include/lanner.h",
            "but for whether the bytes encode an element and whether a result is refused",
        ),
    },
    Documented {
        name: "text is base64",
        groups: &["key-files", "fn-dsa-files", "hybrid"],
        places: &[
            at("base64ct-*/src/encoding.rs", "if err == 0 {"),
            at("base64ct-*/src/encoding.rs", "if block"),
            at("base64ct-*/src/encoding.rs", "validate_last_block::<T>("),
        ],
        says: ("ct/README.md", "whether its characters are those of base64"),
    },
    Documented {
        name: "text is ASCII",
        groups: &["key-files", "fn-dsa-files", "hybrid"],
        places: &[
            at("library/core/src/str/validations.rs", ""),
            at("pem-rfc7468-*/src/encoder.rs", "if output.iter().fold(0u8"),
        ],
        says: ("ct/README.md", "whether its characters are ASCII"),
    },
    Documented {
        name: "key is canonical",
        groups: DECODING,
        places: &[
            at(CODEC, "unpack_small(rules, bits, f_bytes, &mut f[..n])?;"),
            at(CODEC, "unpack_small(rules, bits, g_bytes, &mut g[..n])?;"),
            at(SECRET, "codec::decode_signing_key("),
        ],
        says: (
            "crates/fn-dsa/src/signing.rs",
            "if the encoding is not canonical or the parts do not belong together",
        ),
    },
    Documented {
        name: "key parts belong together",
        groups: DECODING,
        places: &[
            at(SECRET, "if !crate::keygen::is_short("),
            at(SECRET, "if !ntt::public_key("),
            at(SECRET, "if largest > 127 {"),
            at(SECRET, "if !bool::from(stored.ct_eq(&self.hpk)) {"),
            // The same, where branches that end alike were merged.
            at(SECRET, "pub(crate) fn decode("),
            at(
                SECRET,
                "if !crate::keygen::equation_holds(parts, Memory::new(words)) {",
            ),
            at(
                "crates/fn-dsa/src/signing.rs",
                "key.secret.decode(V::RULES, space, bytes, MIN, Self::MAX)?;",
            ),
            at(
                "crates/fn-dsa/src/key_info.rs",
                "&& !matches(stored, &derived[1..])",
            ),
            at(
                "crates/fn-dsa/src/jose.rs",
                "&& bool::from(public.ct_eq(&jwk.public)) {",
            ),
        ],
        says: (
            "crates/fn-dsa/src/signing.rs",
            "if the encoding is not canonical or the parts do not belong together",
        ),
    },
    Documented {
        name: "refused draws",
        groups: &["fn-dsa-keygen", "hybrid"],
        places: &[
            at(GAUSS, "if (-127..=127).contains(&sum) {"),
            at(GAUSS, "if (parity ^ *last) & 1 == 1 {"),
            at(GAUSS, "while (parity ^ *last) & 1 == 0 {"),
        ],
        says: (
            GAUSS,
            "The time depends on how many draws are rejected, which says nothing of those that are kept",
        ),
    },
    Documented {
        name: "refused pairs",
        groups: &["fn-dsa-keygen", "hybrid"],
        places: &[
            at(
                KEYGEN,
                "!ntt::is_invertible(logn, f, Memory::new(memory).room(n))",
            ),
            at(KEYGEN, "if !is_short(f, g) {"),
            at(
                KEYGEN,
                "if !ortho::is_orthogonalised_short::<I>(rule, f, g, Memory::new(memory)) {",
            ),
            at(KEYGEN, "if solver.solve(big_f, big_g).is_ok() {"),
        ],
        says: (
            KEYGEN,
            "except on how many pairs were refused before it, on where",
        ),
    },
    Documented {
        name: "unsolved pairs",
        groups: &["fn-dsa-keygen", "hybrid"],
        places: &[
            at(SOLVER, "condition.then_some(()).ok_or(NoSolution)"),
            at(NTRU, "require(invertible)"),
            at(NTRU, "self.descend()?;"),
            at(NTRU, "first_norms::<I>("),
            at(NTRU, "self.solve_deepest()?;"),
            at(NTRU, "require(gcd::negative_inverse("),
            at(NTRU, "require(all_fit(big_g, limbs, limbs, words))?;"),
            at(NTRU, "require(zint62::is_zero(excess).declassify())?;"),
            at("crates/fn-dsa/src/keygen/reduce.rs", "self.require_fit("),
            at(
                "crates/fn-dsa/src/keygen/reduce.rs",
                "require(is_zero(any).declassify())",
            ),
            at(
                "crates/fn-dsa/src/keygen/gcd.rs",
                "if left == 0 && scratch.g.iter()",
            ),
        ],
        says: (
            NTRU,
            "Time depends on the degree, on the rule, and on where the solver fails; never on an f or g that is kept",
        ),
    },
    Documented {
        name: "counts of vector shifts",
        groups: &["fn-dsa-keygen", "fn-dsa-sign", "falcon-sign", "hybrid"],
        places: &[
            shifts("crates/simd/src/isa/avx2.rs"),
            shifts("crates/simd/src/isa/sse2.rs"),
        ],
        says: (
            "ct/README.md",
            "memcheck reports the count of a vector shift",
        ),
    },
    Documented {
        name: "hash to point",
        groups: &["fn-dsa-sign", "falcon-sign", "hybrid"],
        places: &[
            at("crates/fn-dsa/src/hash.rs", "while filled < c.len() {"),
            at("crates/fn-dsa/src/hash.rs", "&mut c[filled..]"),
            at(
                "crates/fn-dsa/src/hash.rs",
                "if let Some(to) = to.first_chunk_mut() {",
            ),
            at("crates/fn-dsa/src/hash.rs", "accepted).min(to.len());"),
            at("crates/fn-dsa/src/hash.rs", "to[..count].copy_from_slice("),
            at(
                "crates/fn-dsa/src/hash.rs",
                "accepted[count % MOST_ACCEPTED] = word;",
            ),
            at("crates/fn-dsa/src/hash.rs", "if filled[lane] < c.len() {"),
            at("crates/fn-dsa/src/hash.rs", "&mut c[filled[lane]..]"),
        ],
        says: (
            "crates/fn-dsa/src/hash.rs",
            "Varies in time with the output, which is public",
        ),
    },
    Documented {
        name: "attempts of a sample, four at a time",
        groups: &["fn-dsa-sign", "falcon-sign", "hybrid"],
        places: &[
            at(WIDE, "if open != 0 {"),
            at(WIDE, "if found == BOTH {"),
            at(
                WIDE,
                "let mut attempts_for = ATTEMPTS_FOR[found as usize & 3];",
            ),
            at(
                WIDE,
                "while first < 4 && (L::LANES >= 4 || found != BOTH) {",
            ),
            at(WIDE, "*sample = choice[place as usize & 7];"),
            at(WIDE, "CENTRES_OF[found as usize & 3]"),
            at(WIDE, ".find(|attempts| attempts >> i & 1 == 1)"),
            at(EACH, "if missing == 0 {"),
            at(EACH, "if missing >> lane & 1 == 0 {"),
            at(EACH, "if self.again {"),
            // Those that are decided exactly.
            at(
                WIDE,
                "if open >> i & 1 == 1 && own != 0 && !found && decide(i) {",
            ),
            at(WIDE, "let found = accepted & own & ((1 << i) - 1) != 0;"),
            at(WIDE, "if coin == threshold {"),
            at(WIDE, "coin < threshold"),
        ],
        says: (
            "docs/floating-point.md",
            "what shows is the number of rounds, and which attempt of a round succeeded",
        ),
    },
    Documented {
        name: "attempts of a sample, read ahead",
        groups: &["fn-dsa-sign", "falcon-sign", "hybrid"],
        places: &[
            // The same for all keys.
            at(AHEAD, "if !self.is_of_a_key() {"),
            // Which attempts were accepted, and which are decided exactly.
            at(AHEAD, "if !found {"),
            at(AHEAD, "if at < AT_ONCE {"),
            at(AHEAD, "if accepted[0] >> at & 1 == 0 {"),
            at(AHEAD, "if accepted[1] >> at & 1 == 0 {"),
            at(AHEAD, "samples[0] = z[0][at];"),
            at(AHEAD, "samples[1] = z[1][at];"),
            // Where the next one lies.
            at(AHEAD, "usize::from(NUMBERS[attempt])"),
        ],
        says: (
            "docs/floating-point.md",
            "attempts are judged likewise, by bounds that one byte of the coin gives",
        ),
    },
    Documented {
        name: "attempts of a sample, one by one",
        groups: &["fn-dsa-sign", "falcon-sign", "hybrid"],
        places: &[at(
            "crates/fn-dsa/src/sampler/exact.rs",
            "if exp::coin(source, x, ccs) {",
        )],
        says: (
            "docs/floating-point.md",
            "the rejection loop of the sampler shows how many attempts a sample takes",
        ),
    },
    Documented {
        name: "bytes of a coin",
        groups: &["fn-dsa-sign", "falcon-sign", "hybrid"],
        places: &[at(
            "crates/fn-dsa/src/sampler/exp.rs",
            "if byte != wanted || shift == 0 {",
        )],
        says: (
            "docs/floating-point.md",
            "The bytes are uniform, so that when they first differ says nothing",
        ),
    },
    Documented {
        name: "attempts of a signature",
        groups: &["fn-dsa-sign", "falcon-sign", "hybrid"],
        places: &[
            at(
                "crates/fn-dsa/src/attempts.rs",
                "if !is_short(rules, logn, ntt::norms(s1, s2)) {",
            ),
            at(
                "crates/fn-dsa/src/prepared.rs",
                "if !is_short(V::RULES, logn, ntt::norms(s1, s2))",
            ),
            at(
                "crates/fn-dsa/src/verifying.rs",
                "norms.squared <= u64::from(SQUARED_NORM_BOUND[logn as usize])",
            ),
            at(
                "crates/fn-dsa/src/signing.rs",
                "if codec::pack_s2(rules, s2, body).is_none() {",
            ),
            at(
                "crates/fn-dsa/src/attempts.rs",
                "if A::PADDED_FORM && !codec::has_padded_form(rules, logn, s2) {",
            ),
        ],
        says: (
            "crates/fn-dsa/src/lib.rs",
            "Candidates for keys and signatures that are rejected are thrown away, and their number shows",
        ),
    },
    Documented {
        name: "signature is public",
        groups: &["fn-dsa-sign", "falcon-sign", "hybrid"],
        places: &[
            at(CODEC, "if a > u32::from(rules.compressed_bound()) {"),
            at(CODEC, "if waiting >= 32 {"),
            at(
                CODEC,
                "free.split_at_mut_checked(waiting.div_ceil(8) as usize)?;",
            ),
            at(CODEC, "bytes.copy_from_slice(&last[..bytes.len()]);"),
            at(CODEC, "rest.fill(0);"),
            at(CODEC, "let fits = s2.iter().all("),
        ],
        says: (
            "crates/fn-dsa/src/attempts.rs",
            "s1 and s2 of a signature are public",
        ),
    },
    Documented {
        name: "length of a signature",
        groups: &["falcon-sign"],
        places: &[
            // What copies so many bytes, for all of the C library.
            at(
                "c/src/boundary.rs",
                "core::ptr::copy_nonoverlapping(value.as_ptr(), out, value.len())",
            ),
            at("c/src/boundary.rs", "Ok(needed) if room < needed"),
            at("c/src/boundary.rs", "write_out(out, &encoded[..needed])"),
            at(
                "c/src/fn_dsa/falcon.rs",
                "signature[..length].split_at_mut(HEADER + NONCE)",
            ),
            at("c/src/fn_dsa/falcon.rs", "} else if room < needed {"),
        ],
        says: ("c/include/lanner.h", "Compressed, of a length that varies"),
    },
];

impl Place {
    fn is_at(&self, frame: &Frame) -> bool {
        let mut rest = frame.path.as_str();
        let parts_follow = self.path.split('*').all(|part| {
            let at = rest.find(part);
            rest = at.map_or("", |at| &rest[at + part.len()..]);
            at.is_some()
        });
        let text = frame.text.as_deref().unwrap_or_default();
        parts_follow && text.contains(self.line)
    }

    fn is(&self, finding: &Finding) -> bool {
        (!self.shifts || finding.instruction.as_ref().is_some_and(shifts_vectors))
            && finding.innermost().iter().any(|frame| self.is_at(frame))
    }
}

impl Documented {
    /// Where in its list a finding of a group is, if it is one of these.
    pub(crate) fn place_of(&self, group: &str, finding: &Finding) -> Option<usize> {
        // The C library has the same groups.
        let group = group.strip_prefix("c-").unwrap_or(group);
        if !self.groups.contains(&group) {
            return None;
        }
        self.places.iter().position(|place| place.is(finding))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::{ALL, Place};
    use crate::checks::GROUPS;
    use crate::report::root;

    /// The words of a file, one space between any two, without the marks of comments.
    fn words(path: &str) -> String {
        let text = fs::read_to_string(root().join(path));
        let text = text.unwrap_or_else(|error| panic!("{path}: {error}"));
        let is_mark = |word: &&str| !matches!(*word, "//" | "///" | "//!" | "*" | "/*");
        let words: Vec<&str> = text.split_whitespace().filter(is_mark).collect();
        words.join(" ")
    }

    #[test]
    fn documents_say_what_shows() {
        for entry in ALL {
            let (path, says) = entry.says;
            assert!(
                words(path).contains(says),
                "{}: {path} no longer says '{says}'",
                entry.name
            );
        }
    }

    /// Each has a line in the README's table, and each line belongs to one.
    #[test]
    fn the_readme_has_a_line_for_each() {
        let readme = fs::read_to_string(root().join("ct/README.md")).expect("the README");
        let (_, section) = readme.split_once("## What shows").expect("its section");
        let (section, _) = section.split_once("\n## ").expect("the next section");
        let lines = section.lines().filter_map(|line| line.strip_prefix("| **"));
        let lines: BTreeSet<&str> = lines
            .filter_map(|line| Some(line.split_once("**")?.0))
            .collect();
        let entries: BTreeSet<&str> = ALL.iter().map(|entry| entry.name).collect();
        assert_eq!(lines, entries);
        assert_eq!(entries.len(), ALL.len(), "names are distinct");
    }

    /// Places in files of the project exist, so that a list that has aged is seen without valgrind.
    #[test]
    fn places_exist() {
        for entry in ALL {
            for Place { path, line, .. } in entry.places {
                if path.contains('*') || path.starts_with("library/") {
                    continue;
                }
                let text = fs::read_to_string(root().join(path));
                let text = text.unwrap_or_else(|error| panic!("{path}: {error}"));
                assert!(
                    text.lines().any(|it| it.contains(line)),
                    "{}: {path}: {line}",
                    entry.name
                );
            }
        }
    }

    /// An empty text is in every line. In a file of the project that would excuse whatever stands there later.
    #[test]
    fn places_name_a_line() {
        let places = ALL.iter().flat_map(|entry| entry.places);
        for Place { path, line, shifts } in places {
            let foreign = path.contains('*') || path.starts_with("library/");
            assert!(
                foreign || *shifts || !line.is_empty(),
                "{path}: which line?"
            );
        }
    }

    #[test]
    fn groups_exist() {
        for name in ALL.iter().flat_map(|entry| entry.groups) {
            assert!(GROUPS.iter().any(|group| group.name == *name), "{name}");
        }
    }
}
