//! What memcheck has reported, read from its report in XML.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use iced_x86::Instruction;
use roxmltree::{Document, Node};

use crate::instructions::Code;

/// A frame of a stack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The file, or the object where the file is not known.
    pub(crate) path: String,
    /// 0 where it is not known.
    pub(crate) line: usize,
    pub(crate) function: String,
    /// The address of the instruction.
    pub(crate) address: u64,
    /// What stands in the line, if the file is at hand.
    pub(crate) text: Option<String>,
    /// Whether the file is one of the project.
    pub(crate) ours: bool,
}

/// A use of a secret, with the stack that led there, the innermost frame first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) what: String,
    pub(crate) stack: Vec<Frame>,
    /// How often.
    pub(crate) count: usize,
    /// The instruction that was reported, if its file is at hand.
    pub(crate) instruction: Option<Instruction>,
}

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What a build that is released calls the root, and cargo's home (`xtask/src/nowhere.rs`).
const RELEASED_ROOT: &str = "/lanner";
const RELEASED_CARGO: &str = "/cargo";

/// Cargo's home, as cargo itself finds it.
fn cargo_home() -> Option<PathBuf> {
    let named = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    named.or_else(|| Some(std::env::home_dir()?.join(".cargo")))
}

/// Where a file is that a report names.
fn at_hand(path: &Path) -> Option<PathBuf> {
    if let Ok(within) = path.strip_prefix(RELEASED_ROOT) {
        return Some(root().join(within));
    }
    match path.strip_prefix(RELEASED_CARGO) {
        Ok(within) => Some(cargo_home()?.join(within)),
        Err(_) => Some(path.to_owned()),
    }
}

/// A file of source text.
struct Source {
    lines: Vec<String>,
    ours: bool,
}

/// Those that the report names and that are at hand, by their paths.
#[derive(Default)]
struct Sources(HashMap<String, Option<Source>>);

impl Sources {
    fn get(&mut self, path: &str) -> Option<&Source> {
        let source = self.0.entry(String::from(path));
        let source = source.or_insert_with(|| {
            let path = at_hand(Path::new(path))?.canonicalize().ok()?;
            let root = root().canonicalize().ok()?;
            let text = std::fs::read_to_string(&path).ok()?;
            Some(Source {
                lines: text.lines().map(|line| String::from(line.trim())).collect(),
                ours: path.starts_with(root),
            })
        });
        source.as_ref()
    }
}

fn child<'a>(node: Node<'a, '_>, name: &str) -> &'a str {
    let found = node.children().find(|child| child.has_tag_name(name));
    found.and_then(|child| child.text()).unwrap_or_default()
}

impl Frame {
    fn read(node: Node<'_, '_>, sources: &mut Sources) -> Self {
        let (dir, file) = (child(node, "dir"), child(node, "file"));
        let path = match (dir, file) {
            (_, "") => String::from(child(node, "obj")),
            ("", file) => String::from(file),
            (dir, file) => format!("{dir}/{file}"),
        };
        let line: usize = child(node, "line").parse().unwrap_or(0);
        let source = sources.get(&path);
        Self {
            text: source.and_then(|source| source.lines.get(line.checked_sub(1)?).cloned()),
            ours: source.is_some_and(|source| source.ours),
            path,
            line,
            function: String::from(child(node, "fn")),
            address: u64::from_str_radix(child(node, "ip").trim_start_matches("0x"), 16)
                .unwrap_or(0),
        }
    }
}

impl Finding {
    /// The frames up to the first one in the project: the place, and what was called there.
    pub(crate) fn innermost(&self) -> &[Frame] {
        let at = self.stack.iter().position(|frame| frame.ours);
        &self.stack[..at.map_or(self.stack.len(), |at| at + 1)]
    }

    /// A few lines for people.
    pub(crate) fn describe(&self) -> String {
        let mut text = format!("{} ({} times)", self.what, self.count);
        if let Some(instruction) = &self.instruction {
            text += &format!("\n    {instruction}");
        }
        // One more frame says who called.
        for frame in self.stack.iter().take(self.innermost().len() + 1) {
            text += &format!("\n    {} at {}:{}", frame.function, frame.path, frame.line);
            if let Some(line) = &frame.text {
                text += &format!("\n        {line}");
            }
        }
        text
    }
}

/// All findings of a report.
///
/// # Errors
///
/// It is not a whole report of memcheck.
pub(crate) fn read(xml: &str, code: &mut Code) -> Result<Vec<Finding>, String> {
    let document = Document::parse(xml).map_err(|error| error.to_string())?;
    let top = document.root_element();
    if child(top, "tool") != "memcheck" {
        return Err(String::from("not a report of memcheck"));
    }
    let counts: Vec<(String, usize)> = top
        .children()
        .filter(|node| node.has_tag_name("errorcounts"))
        .flat_map(|counts| counts.children().filter(|pair| pair.has_tag_name("pair")))
        .filter_map(|pair| {
            let count = child(pair, "count").parse().ok()?;
            Some((String::from(child(pair, "unique")), count))
        })
        .collect();
    let mut sources = Sources::default();
    let errors = top.children().filter(|node| node.has_tag_name("error"));
    Ok(errors
        .map(|error| {
            let unique = child(error, "unique");
            // The last count is the final one.
            let count = counts.iter().rfind(|(name, _)| name == unique);
            let stack = error.children().find(|node| node.has_tag_name("stack"));
            let frames = stack.into_iter().flat_map(|stack| stack.children());
            let frames = frames.filter(|node| node.has_tag_name("frame"));
            let stack: Vec<Frame> = frames.map(|node| Frame::read(node, &mut sources)).collect();
            let instruction = stack.first().and_then(|frame| code.at(frame.address));
            let what = match child(error, "kind") {
                "UninitCondition" => "a branch depends on a secret",
                "UninitValue" => "an address or a jump depends on a secret",
                other => other,
            };
            Finding {
                what: String::from(what),
                stack,
                count: count.map_or(1, |(_, count)| *count),
                instruction,
            }
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::{read, root};
    use crate::instructions::Code;
    use crate::valgrind::Verdict;

    /// A report of two branches: one in the library, in this line of this file, one in the check.
    fn report(dir: &str, file: &str, line: usize) -> String {
        let error = |unique: &str, file: &str, line: usize| {
            format!(
                "<error><unique>{unique}</unique><kind>UninitCondition</kind><stack>\
                 <frame><ip>0x10</ip><obj>program</obj><fn>inner</fn></frame>\
                 <frame><ip>0x20</ip><fn>f</fn><dir>{dir}</dir><file>{file}</file><line>{line}</line></frame>\
                 </stack></error>"
            )
        };
        format!(
            "<valgrindoutput><tool>memcheck</tool>{}{}<errorcounts>\
             <pair><count>3</count><unique>0x0</unique></pair></errorcounts></valgrindoutput>",
            error("0x0", file, line),
            error("0x1", "ct/src/controls.rs", 1),
        )
    }

    #[test]
    fn what_is_documented_is_told_from_what_is_not() {
        let file = "crates/ed25519/src/sign_stream.rs";
        let text = std::fs::read_to_string(root().join(file)).expect("a file");
        let words = "if !bool::from(first.ct_eq(&*second)) {";
        let line = text.lines().position(|line| line.contains(words));
        let line = line.expect("the line is there") + 1;

        let dir = root().canonicalize().expect("the root");
        let dir = dir.to_str().expect("a path in UTF-8");
        let judge_in = |dir: &str, group: &str, line: usize| {
            let report = report(dir, file, line);
            let findings = read(&report, &mut Code::default()).expect("a report");
            assert_eq!(
                findings.iter().map(|it| it.count).collect::<Vec<_>>(),
                [3, 1]
            );
            let mut verdict = Verdict::new();
            verdict.judge(group, &findings);
            (verdict.findings.len(), verdict.unseen(true).len())
        };
        let judge = |group: &str, line: usize| judge_in(dir, group, line);
        let all = Verdict::new().unseen(true).len();
        // In its group, in another group, and in another line.
        assert_eq!(judge("answers", line), (1, all - 1));
        assert_eq!(judge("ed25519", line), (2, all));
        assert_eq!(judge("answers", line + 1), (2, all));
        assert_eq!(judge_in("/lanner", "answers", line), (1, all - 1));
        assert_eq!(judge_in("/elsewhere", "answers", line), (2, all));
    }

    #[test]
    fn what_is_no_report_is_an_error() {
        assert!(
            read(
                "<valgrindoutput><tool>memcheck</tool>",
                &mut Code::default()
            )
            .is_err()
        );
        assert!(
            read(
                "<valgrindoutput><tool>drd</tool></valgrindoutput>",
                &mut Code::default()
            )
            .is_err()
        );
    }
}
