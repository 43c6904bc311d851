//! `cargo xtask book`: the pages of this repository as a book, by mdBook.
//!
//! The pages lie where a forge shows them, and are copied to where mdBook reads them: in the same places to each other, so
//! that their links hold. What the pages link to beside pages goes along.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::files::{copy, fresh, make, read, text, write};
use crate::needs::{self, Need};
use crate::pages::{self, Page, attributes, resolve};
use crate::process::{Cmd, Tally, root, target_dir};
use crate::steps::{Action, Step};

/// The lines of `cargo xtask help`.
pub(crate) const HELP: &str = "\
  book [--install]
                  make a book of the pages, into target/book/html, with the demo of the npm package where that is
                  built (in js/, `npm ci && npm run build && node scripts/demo.mjs`)
                    --install    build mdBook first, where it is missing, into target/tools
";

const NEEDS: [Need; 2] = [
    Need::Crate {
        name: "mdbook",
        version: "0.5.4",
        program: "mdbook",
    },
    Need::Crate {
        name: "mdbook-mermaid",
        version: "0.17.1",
        program: "mdbook-mermaid",
    },
];

/// The order of the pages; its links are as one follows them on a forge.
const SUMMARY: &str = "docs/SUMMARY.md";

/// The page of the demo, and where the demo is made.
const DEMO: [&str; 2] = ["js/demo/index.html", "js/demo/dist"];

/// Pages that are no part of the book: what a forge shows by itself.
const OUTSIDE: &str = ".github/";

/// `cargo xtask book`.
///
/// # Errors
///
/// An option is unknown, mdBook is not there, or the book is not whole.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let install = match args {
        [] => false,
        [option] if option == "--install" => true,
        _ => return Err(format!("book: unknown option '{}'", args.join(" "))),
    };
    for need in NEEDS {
        need.meet(install)?;
    }
    build().map(drop)
}

/// The step of the test run.
pub(crate) fn step() -> Step {
    let action = Action::Call(Box::new(build));
    Step::new("the book: every page, every link in it", &NEEDS, action)
}

fn build() -> Result<Tally, String> {
    let place = target_dir().join("book");
    fresh(&place)?;
    let files = pages::committed()?;
    let summary = pages::read(SUMMARY)?;
    let chapters = chapters(&summary);
    let findings = unlisted(&files, &chapters);
    if !findings.is_empty() {
        return Err(findings.join("\n  "));
    }
    let source = place.join("src");
    for name in chapters.iter().chain(&beside(&chapters)?) {
        put(&root().join(name), &source.join(name))?;
    }
    write(&source.join("SUMMARY.md"), from_root(&summary))?;
    for name in ["book.toml", "book.css"] {
        copy(&root().join("docs").join(name), &place.join(name))?;
    }
    // Its scripts, for which it adds two lines to the copy of the settings.
    Cmd::new(&needs::tool("mdbook-mermaid"))
        .args(["install", &text(&place)])
        .env("RUST_LOG", "warn")
        .run()?;
    Cmd::new(&needs::tool("mdbook"))
        .args(["build", &text(&place)])
        .env(
            "MDBOOK_PREPROCESSOR__MERMAID__COMMAND",
            &needs::tool("mdbook-mermaid"),
        )
        .run()?;
    let book = place.join("html");
    let mut tally = demo(&book)?;
    let number = whole(&book, &chapters)?;
    println!(
        "book: {} pages, {number} links, from {} on",
        chapters.len(),
        text(&book.join("index.html"))
    );
    tally.passed += 1;
    Ok(tally)
}

fn put(from: &Path, to: &Path) -> Result<(), String> {
    make(to.parent().unwrap_or(to))?;
    copy(from, to)
}

/// The pages that the summary lists, from the root.
fn chapters(summary: &str) -> Vec<String> {
    let links = Page::read(summary).links;
    let paths = links.iter().filter_map(|(_, link)| resolve(SUMMARY, link));
    paths.map(|(path, _)| path).collect()
}

/// Pages that the summary forgets, or lists twice.
fn unlisted(files: &BTreeSet<String>, chapters: &[String]) -> Vec<String> {
    let expected = pages::of_markdown(files).filter(|name| !name.starts_with(OUTSIDE));
    expected
        .filter(|name| *name != SUMMARY)
        .filter_map(
            |name| match chapters.iter().filter(|c| *c == name).count() {
                1 => None,
                number => Some(format!("{SUMMARY} lists {name} {number} times")),
            },
        )
        .collect()
}

/// What the chapters link to and is no page.
fn beside(chapters: &[String]) -> Result<Vec<String>, String> {
    let mut found = BTreeSet::new();
    for name in chapters {
        for (_, link) in Page::read(&pages::read(name)?).links {
            let target = resolve(name, &link).map(|(path, _)| path);
            found.extend(target.filter(|path| !path.ends_with(".md")));
        }
    }
    Ok(found.into_iter().collect())
}

/// The summary with links from the root, where mdBook wants it.
fn from_root(summary: &str) -> String {
    let line = |line: &str| match line.rsplit_once("](") {
        Some((title, rest)) => {
            let link = rest.trim_end_matches(')');
            let path = resolve(SUMMARY, link).map(|(path, _)| path);
            format!("{title}]({})\n", path.unwrap_or_default())
        }
        None => format!("{line}\n"),
    };
    summary.lines().map(line).collect()
}

/// Puts the demo in the place of its source, or says there and here that it is not built.
fn demo(book: &Path) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let [page, built] = DEMO.map(|name| root().join(name));
    let place = book.join(DEMO[0]);
    make(place.parent().unwrap_or(book))?;
    debug_assert!(page.is_file());
    if !built.join("index.html").is_file() {
        let how = "in js/, npm ci && npm run build && node scripts/demo.mjs; then cargo xtask book";
        let skip = format!("SKIPPED: the demo is not in the book: {how}");
        println!("{skip}");
        tally.read(&skip);
        write(
            &place,
            format!(
                "<!doctype html><title>Demo</title><p>The demo was not built with this book: <code>{how}</code>\n"
            ),
        )?;
        return Ok(tally);
    }
    for entry in std::fs::read_dir(&built).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        let name = path.file_name().unwrap_or_default();
        // Its tests leave pictures of it there.
        if !text(&path).ends_with(".png") {
            copy(&path, &place.with_file_name(name))?;
        }
    }
    Ok(tally)
}

/// How many links the chapters have as they are in the book: each must lead to a file, and to an anchor that is there.
fn whole(book: &Path, chapters: &[String]) -> Result<usize, String> {
    let (mut number, mut findings) = (0, Vec::new());
    for chapter in chapters {
        let name = format!("{}html", chapter.trim_end_matches("md"));
        let page = read(&book.join(&name))?;
        // What the book has around every page is mdBook's.
        let body = page.split("<main>").nth(1).unwrap_or_default();
        let body = body.split("</main>").next().unwrap_or_default();
        for link in ["href", "src", "srcset"]
            .into_iter()
            .flat_map(|kind| attributes(body, kind))
            .filter(|link| !link.contains("://") && !link.starts_with("data:"))
        {
            number += 1;
            let Some((path, anchor)) = resolve(&name, link) else {
                findings.push(format!("{name}: {link} leads out"));
                continue;
            };
            let file: PathBuf = book.join(&path);
            let anchored = || {
                let page = read(&file).unwrap_or_default();
                attributes(&page, "id").any(|id| id == anchor)
            };
            if !file.is_file() || !(anchor.is_empty() || anchored()) {
                findings.push(format!("{name}: {link} leads to nothing in the book"));
            }
        }
    }
    if findings.is_empty() {
        Ok(number)
    } else {
        Err(findings.join("\n  "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_listed_once() {
        let files = pages::committed().expect("git lists them");
        let summary = pages::read(SUMMARY).expect("it is there");
        let mut listed = chapters(&summary);
        assert_eq!(unlisted(&files, &listed), [""; 0]);
        let first = listed.remove(0);
        assert_eq!(
            unlisted(&files, &listed),
            [format!("{SUMMARY} lists {first} 0 times")]
        );
        listed.extend([first.clone(), first.clone()]);
        assert_eq!(unlisted(&files, &listed).len(), 1);
    }

    #[test]
    fn links_of_the_summary_are_seen_from_the_root() {
        let text = "# Title\n\n- [One](one.md)\n  - [Two \\[2\\]](../c/two.md)\n";
        let moved = "# Title\n\n- [One](docs/one.md)\n  - [Two \\[2\\]](c/two.md)\n";
        assert_eq!(from_root(text), moved);
        assert_eq!(chapters(text), ["docs/one.md", "c/two.md"]);
    }

    #[test]
    fn a_link_to_nothing_is_found() {
        let place = target_dir().join("book-test");
        fresh(&place).expect("a directory");
        let write = |name: &str, body: &str| {
            let page = format!("<a href=\"mdbook's\"></a><main>{body}</main>");
            write(&place.join(name), page).expect("it can be written");
        };
        write(
            "a.html",
            "<h1 id=\"x\"></h1><a href=\"b.html#y\"></a> <a href=\"#x\"></a>",
        );
        write(
            "b.html",
            "<h1 id=\"y\"></h1><img src=\"https://a.example\">",
        );
        let chapters = ["a.md", "b.md"].map(String::from);
        assert_eq!(whole(&place, &chapters), Ok(2));
        write("b.html", "<h1 id=\"z\"></h1><img src=\"c.svg\">");
        let findings = whole(&place, &chapters).expect_err("two lead nowhere");
        assert_eq!(findings.lines().count(), 2, "{findings}");
    }
}
