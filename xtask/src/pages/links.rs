//! Links and anchors of a page, as a forge makes them.

use std::collections::{BTreeMap, BTreeSet};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// What links and headings make of a page.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// Line and target of each link and picture that is not an address of the network.
    pub(crate) links: Vec<(usize, String)>,
    anchors: BTreeSet<String>,
}

impl Page {
    pub(crate) fn read(text: &str) -> Self {
        let mut page = Self::default();
        let mut headings = BTreeMap::new();
        let mut heading: Option<String> = None;
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
        for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
            let line = 1 + text[..range.start].matches('\n').count();
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    let slug = slug(&heading.take().unwrap_or_default());
                    let before = headings.entry(slug.clone()).or_insert(0);
                    page.anchors.insert(match *before {
                        0 => slug,
                        number => format!("{slug}-{number}"),
                    });
                    *before += 1;
                }
                Event::Text(part) | Event::Code(part) => {
                    if let Some(text) = &mut heading {
                        text.push_str(&part);
                    }
                }
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.add(line, &dest_url);
                }
                Event::Html(tags) | Event::InlineHtml(tags) => {
                    for name in ["href", "src", "srcset"] {
                        for value in attributes(&tags, name) {
                            page.add(line, value);
                        }
                    }
                    let names = ["id", "name"].into_iter();
                    let anchors = names.flat_map(|name| attributes(&tags, name));
                    page.anchors.extend(anchors.map(String::from));
                }
                _ => {}
            }
        }
        page
    }

    fn add(&mut self, line: usize, target: &str) {
        let of_the_network = ["https:", "http:", "mailto:", "data:"];
        if !of_the_network.iter().any(|kind| target.starts_with(kind)) {
            self.links.push((line, target.to_owned()));
        }
    }
}

/// The values of an attribute in a piece of HTML as pages have it: in double quotes.
pub(crate) fn attributes<'a>(html: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let start = format!(" {name}=\"");
    let places: Vec<usize> = html.match_indices(&start).map(|(at, _)| at).collect();
    let length = start.len();
    places
        .into_iter()
        .filter_map(move |at| html[at + length..].split('"').next())
}

/// The anchor of a heading.
fn slug(heading: &str) -> String {
    let text = heading.trim().to_lowercase();
    text.chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            _ => c.is_alphanumeric().then_some(c),
        })
        .collect()
}

/// Where a relative link leads, from the root of the repository, and to which anchor there; nothing where it leads out.
pub(crate) fn resolve<'a>(page: &str, link: &'a str) -> Option<(String, &'a str)> {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    if path.is_empty() {
        return Some((page.to_owned(), anchor));
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some((parts.join("/"), anchor))
}

/// A page as it stands where only some files of the repository are, under names of their own in its directory: links to these lead
/// there, and of other links is left what one reads.
pub(crate) fn elsewhere(page: &str, text: &str, there: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut done = 0;
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        let Event::Start(Tag::Link { dest_url, .. }) = event else {
            continue;
        };
        let written = &text[range.clone()];
        let Some((words, _)) = written.rsplit_once("](") else {
            continue;
        };
        if dest_url.contains(':') || dest_url.starts_with('#') {
            continue;
        }
        let target = resolve(page, &dest_url);
        let to = target.and_then(|(path, anchor)| {
            let (_, name) = there.iter().find(|(from, _)| *from == path)?;
            let anchor = if anchor.is_empty() {
                String::new()
            } else {
                format!("#{anchor}")
            };
            Some(format!("{name}{anchor}"))
        });
        out += &text[done..range.start];
        match to {
            Some(to) => out += &format!("{words}]({to})"),
            None => out += words.strip_prefix('[').unwrap_or(words),
        }
        done = range.end;
    }
    out + &text[done..]
}

/// How many links of these pages lead to one of them, where they stand under their own names in one directory. Whatever
/// else would lead somewhere leads nowhere there.
#[cfg(test)]
pub(crate) fn links_in(pages: &[(&str, &str)]) -> usize {
    let mut number = 0;
    for (page, _) in pages {
        let text = super::read(page).expect("it is there");
        for (line, link) in Page::read(&elsewhere(page, &text, pages)).links {
            let file = link.split('#').next().unwrap_or_default();
            let is_there = pages.iter().any(|(_, name)| *name == file);
            assert!(file.is_empty() || is_there, "{page}, line {line}: {link}");
            number += usize::from(is_there);
        }
    }
    number
}

/// How many links there are, and those that lead nowhere.
pub(super) fn broken(
    files: &BTreeSet<String>,
    read: impl Fn(&str) -> Result<String, String>,
) -> Result<(usize, Vec<String>), String> {
    let mut pages = BTreeMap::new();
    for name in super::of_markdown(files) {
        pages.insert(name.as_str(), Page::read(&read(name)?));
    }
    let (mut number, mut findings) = (0, Vec::new());
    for (name, page) in &pages {
        number += page.links.len();
        for (line, link) in &page.links {
            let what = match resolve(name, link) {
                None => "leads out of the repository",
                Some((path, anchor)) => match pages.get(path.as_str()) {
                    Some(page) if !anchor.is_empty() && !page.anchors.contains(anchor) => {
                        "names a heading that is not there"
                    }
                    Some(_) => continue,
                    None if files.contains(&path) => continue,
                    // A directory is a page on a forge alone: its README.md is one everywhere.
                    None => "leads to no file",
                },
            };
            findings.push(format!("{name}, line {line}: {link} {what}"));
        }
    }
    Ok((number, findings))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pages: &[(&str, &str)]) -> Vec<String> {
        let files = pages.iter().map(|(name, _)| (*name).to_owned()).collect();
        let read = |name: &str| {
            let page = pages.iter().find(|(page, _)| *page == name);
            Ok(page.expect("it is one of them").1.to_owned())
        };
        broken(&files, read).expect("all can be read").1
    }

    #[test]
    fn pages_can_stand_elsewhere() {
        let text = "[a](../b.md#c) of [`d`](../e/f.rs), [g](#h) and <https://i.example>\n\n|[j](k.md)|[b](../b.md)|\n|-|-|\n\n`[l](m)`\n";
        let expected = "[a](B.md#c) of `d`, [g](#h) and <https://i.example>\n\n|j|[b](B.md)|\n|-|-|\n\n`[l](m)`\n";
        assert_eq!(elsewhere("in/a.md", text, &[("b.md", "B.md")]), expected);
    }

    #[test]
    fn what_leads_nowhere_is_found() {
        let there = (
            "there.md",
            "# One `word`, or (two)\n\n## Same\n\n## Same\n\n<a id=\"by-hand\"></a>\n",
        );
        let good = "[a](../there.md#one-word-or-two) [b](../there.md#same-1) [c](#here) ![d](x.svg)\n\
                    <img src=\"x.svg\"> [e](../there.md#by-hand) <https://a.example> [f](https://a.example)\n\n# Here\n";
        let picture = ("in/x.svg", "");
        assert_eq!(found(&[there, ("in/a.md", good), picture]), [""; 0]);
        let bad = "[a](../three.md)\n\n|a|\n|-|\n|[b](../there.md#same-2)|\n\n[c](../../x.md) [d](#hear) \
                   ![e](y.svg) [f](../in)\n<img src=\"z.svg\">\n`[g](in code)`\n\n```\n[h](in a block)\n```\n";
        let found = found(&[there, ("in/a.md", bad), picture]);
        let links = ["../three.md", "../there.md#same-2", "../../x.md", "#hear"];
        let links = links.into_iter().chain(["y.svg", "../in", "z.svg"]);
        assert_eq!(found.len(), 7, "{found:?}");
        for (finding, link) in found.iter().zip(links) {
            assert!(finding.contains(&format!(": {link} ")), "{finding}");
        }
        assert!(found[1].starts_with("in/a.md, line 5: "));
    }

    #[test]
    fn the_pages_of_this_repository_lead_to_what_is_there() {
        let files = crate::pages::committed().expect("git lists them");
        let (number, findings) = broken(&files, crate::pages::read).expect("all can be read");
        assert_eq!(findings, [""; 0]);
        assert!(number > 200, "{number} links");
    }
}
