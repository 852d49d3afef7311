//! The documents as a book.

use std::fs;

use anyhow::{Context, Result};
use benchbook_build::files::{copy, write};
use walkdir::WalkDir;
use xshell::cmd;
use xtask::workspace::Workspace;

use crate::page;
use crate::tools::{self, Need};

/// The settings of mdbook and its table of contents, which are at the root of its sources.
const SETTINGS: &str = "docs/book.toml";
const CONTENTS: &str = "docs/SUMMARY.md";

/// The folder of the page, whose frames the documents show.
const PAGE: &str = "page";

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    tools::ensure(workspace, &[Need::Page, Need::Book])?;
    let shell = tools::environment(workspace)?.shell(workspace)?;
    page::build(&shell)?;
    let (source, book) = (workspace.target().join("book-source"), workspace.target().join("book"));
    // The same folders as here, so that links between documents lead to the same places.
    let files = cmd!(shell, "git ls-files *.md docs LICENSE-*").read()?;
    if source.exists() {
        fs::remove_dir_all(&source).with_context(|| format!("failed to delete {}", source.display()))?;
    }
    for file in files.lines().filter(|file| ![SETTINGS, CONTENTS].contains(file)) {
        let mut bytes = fs::read(workspace.root().join(file)).with_context(|| format!("failed to read {file}"))?;
        if file.ends_with(".md") {
            // mdbook writes the pages of these files as `index.html`, but does not change links to them.
            bytes = String::from_utf8(bytes)?
                .replace("README.md#", "index.md#")
                .replace("README.md)", "index.md)")
                .into_bytes();
        }
        write(&source.join(file), &bytes)?;
    }
    let read =
        |file: &str| fs::read_to_string(workspace.root().join(file)).with_context(|| format!("failed to read {file}"));
    let page = source.join(PAGE);
    for entry in WalkDir::new(workspace.dist()) {
        let file = entry?.into_path();
        if file.is_file() {
            copy(&file, &page.join(file.strip_prefix(workspace.dist())?))?;
        }
    }
    write(&source.join("book.toml"), read(SETTINGS)?)?;
    write(&source.join("SUMMARY.md"), from_root(&read(CONTENTS)?))?;
    let mdbook = tools::mdbook()?.path;
    cmd!(shell, "{mdbook} build {source} --dest-dir {book}").run()?;
    println!("{}", book.join("index.html").display());
    Ok(())
}

/// A table of contents of `docs/` as seen from the folder above.
fn from_root(contents: &str) -> String {
    contents.replace("](", "](docs/").replace("](docs/../", "](")
}

#[cfg(test)]
mod tests {
    use super::from_root;

    #[test]
    fn the_contents_lead_to_the_same_files() {
        let contents = "- [Start](../README.md)\n  - [First](decisions/0001.md)";
        assert_eq!(from_root(contents), "- [Start](README.md)\n  - [First](docs/decisions/0001.md)");
    }
}
