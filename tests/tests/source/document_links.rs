//! Links between the documents lead somewhere, and the book contains every document.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use xtask::workspace::Workspace;

use crate::wording::tracked_files;

/// A document: its links, the anchors of its headings, and the measurements that the book shows in frames.
#[derive(Default)]
struct Document {
    links: Vec<String>,
    /// The links of the page.
    frames: Vec<String>,
    anchors: BTreeSet<String>,
}

impl Document {
    fn parse(markdown: &str) -> Self {
        let mut document = Self::default();
        let mut heading = None;
        for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    document.links.push(dest_url.into_string());
                }
                Event::Html(html) | Event::InlineHtml(html) => {
                    for attribute in ["src", "srcset", "href"] {
                        document.links.extend(values(&html, attribute));
                    }
                    document.frames.extend(values(&html, "data-link"));
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    let anchor = anchor(&heading.take().unwrap_or_default());
                    // Later headings of the same text are numbered.
                    let numbered = (1..).map(|number| format!("{anchor}-{number}"));
                    let mut all = [anchor.clone()].into_iter().chain(numbered);
                    document.anchors.extend(all.find(|one| !document.anchors.contains(one)));
                }
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                _ => {}
            }
        }
        document
    }
}

/// The values of an attribute in HTML.
fn values(html: &str, attribute: &str) -> Vec<String> {
    let begin = format!(" {attribute}=\"");
    let parts = html.split(&begin).skip(1);
    parts.filter_map(|part| Some(part.split_once('"')?.0.replace("&amp;", "&"))).collect()
}

/// The anchor of a heading, as GitHub and mdBook form it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|one| one.is_alphanumeric() || matches!(one, ' ' | '-' | '_'));
    kept.map(|one| if one == ' ' { '-' } else { one }).collect::<String>().to_lowercase()
}

/// The file that a relative link in `from` leads to; `None` outside of the project.
fn target(from: &str, link: &str) -> Option<PathBuf> {
    let mut path = Path::new(from).parent().unwrap_or(Path::new("")).to_owned();
    for component in Path::new(link).components() {
        match component {
            Component::ParentDir if !path.pop() => return None,
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    Some(path)
}

fn documents() -> (PathBuf, BTreeMap<String, Document>) {
    let root = Workspace::find().expect("a workspace").root().to_owned();
    let files = tracked_files(&root).expect("git lists files").into_iter().filter(|file| file.ends_with(".md"));
    // A file that was deleted since the last commit has no text.
    let read = |file: String| Some((file.clone(), Document::parse(&fs::read_to_string(root.join(&file)).ok()?)));
    let documents = files.filter_map(read).collect();
    (root, documents)
}

#[test]
fn every_link_between_documents_leads_to_a_file_and_a_heading() {
    let (root, documents) = documents();
    let mut dead = Vec::new();
    for (file, document) in &documents {
        let is_outside = |link: &&String| link.contains("://") || link.starts_with("mailto:");
        for link in document.links.iter().filter(|link| !is_outside(link)) {
            let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
            let path = if path.is_empty() { Some(PathBuf::from(file)) } else { target(file, path) };
            let known = path.as_ref().and_then(|path| documents.get(path.to_str()?));
            let has_heading = fragment.is_empty() || known.is_some_and(|known| known.anchors.contains(fragment));
            if !path.is_some_and(|path| root.join(path).exists()) || !has_heading {
                dead.push(format!("{file}: {link}"));
            }
        }
    }
    assert!(documents.len() > 80, "{} documents", documents.len());
    assert!(dead.is_empty(), "{} links lead nowhere:\n{}", dead.len(), dead.join("\n"));
}

#[test]
fn every_frame_shows_a_cell_of_a_listed_notebook() {
    let (root, documents) = documents();
    let read = |file: &str| fs::read_to_string(root.join(file)).unwrap_or_default();
    let listed = read("static/notebook.json");
    let frames: Vec<(&String, &String)> =
        documents.iter().flat_map(|(file, document)| document.frames.iter().map(move |frame| (file, frame))).collect();
    for (file, frame) in &frames {
        let (notebook, cell) = frame.split_once("&cell=").unwrap_or_default();
        let address = notebook.strip_prefix("site_file=").unwrap_or_default();
        assert!(listed.contains(&format!("\"{address}\"")), "{file}: static/notebook.json lists no {frame}");
        assert!(read(&format!("docs/{address}")).contains(&format!("\"{cell}\"")), "{file}: no cell {frame}");
    }
    assert!(frames.len() > 1, "{frames:?}");
}

#[test]
fn the_book_contains_every_document() {
    const CONTENTS: &str = "docs/SUMMARY.md";
    let (_, documents) = documents();
    let chapters: BTreeSet<PathBuf> =
        documents[CONTENTS].links.iter().filter_map(|link| target(CONTENTS, link)).collect();
    let is_in_book = |file: &&String| file.starts_with("docs/") && *file != CONTENTS;
    let missing: Vec<&String> =
        documents.keys().filter(is_in_book).filter(|file| !chapters.contains(Path::new(file))).collect();
    assert!(missing.is_empty(), "{CONTENTS} lacks {missing:?}");
}

#[test]
fn anchors_are_those_of_github() {
    let markdown = "# The `--json` option\n\n## What's *new*?\n\n## What's new?\n\n[a](b.md#c) ![d](e.svg)\n\n<img alt=\"\" src=\"f.png\">\n<div data-link=\"g=1&amp;h\"></div>";
    let Document { links, frames, anchors } = Document::parse(markdown);
    assert_eq!((links, frames), (["b.md#c", "e.svg", "f.png"].map(str::to_owned).to_vec(), vec!["g=1&h".to_owned()]));
    assert_eq!(anchors.into_iter().collect::<Vec<_>>(), ["the---json-option", "whats-new", "whats-new-1"]);
    assert_eq!(target("docs/decisions/0001.md", "../method.md").as_deref(), Some(Path::new("docs/method.md")));
    assert_eq!(target("README.md", "../elsewhere.md"), None);
}
