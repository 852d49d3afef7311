//! The pages of rustdoc: finding those of functions and items, and adding cells to them.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use lol_html::html_content::ContentType;
use lol_html::{ElementContentHandlers, RewriteStrSettings, Selector, element, rewrite_str};
use serde_json::{Value, json};

use super::FOLDER;
use super::cell::{DocCell, without_arguments};

/// The file with the cells of each page, for documentation on other hosts, in the folder of the page.
pub(super) const LIST: &str = "docs.json";

/// The page of a measured function, relative to the documentation; `None` if rustdoc has written none, such as for code that a macro
/// generated. `target`: the suite's cargo target.
pub(super) fn of_function(docs: &Path, target: &str, path: &str) -> Option<PathBuf> {
    let mut folders: Vec<&str> = without_arguments(path).split("::").collect();
    let name = folders.pop()?;
    let relative: PathBuf = folders.iter().collect();
    let file = relative.join(format!("fn.{name}.html"));
    // Functions of other crates than the suite's have paths with the name of their crate.
    [crate_folder(target).join(&file), file].into_iter().find(|page| docs.join(page).is_file())
}

/// The folder of the pages of a cargo target.
pub(super) fn crate_folder(target: &str) -> PathBuf {
    target.replace('-', "_").into()
}

/// The page of the item that a function names with `documents`, as rustdoc resolved it. `None` without one, and for an item whose
/// documentation is elsewhere.
pub(super) fn documented_item(docs: &Path, page: &Path) -> Result<Option<PathBuf>> {
    let href = RefCell::new(None);
    let handler = element!("span.benchbook-documents a[href]", |link| {
        href.borrow_mut().get_or_insert_with(|| link.get_attribute("href").unwrap_or_default());
        Ok(())
    });
    rewritten(&docs.join(page), handler)?;
    let Some(href) = href.into_inner() else { return Ok(None) };
    let href = href.split('#').next().unwrap_or_default();
    if href.contains("://") {
        anstream::eprintln!(
            "warning: {}: the documentation of the item is at {href}. Build it together with this one to add measurements",
            page.display()
        );
        return Ok(None);
    }
    let target = linked(page, href).filter(|target| docs.join(target).is_file());
    if target.is_none() {
        anstream::eprintln!(
            "warning: {}: this documentation has no page of the item that `documents` names. Check its path, and that it is public",
            page.display()
        );
    }
    target.map(|target| without_redirect(docs, target)).transpose()
}

/// The page to which rustdoc redirects from a page, or else the page itself. It redirects from the module of an item, which may be private, to where
/// the item is re-exported.
fn without_redirect(docs: &Path, page: PathBuf) -> Result<PathBuf> {
    let content = RefCell::new(None);
    let handler = element!("meta[http-equiv=refresh]", |meta| {
        *content.borrow_mut() = meta.get_attribute("content");
        Ok(())
    });
    rewritten(&docs.join(&page), handler)?;
    let content = content.into_inner();
    let target = content.as_deref().and_then(|content| content.split_once("URL=")).map(|(_, href)| href);
    let target = target.and_then(|href| linked(&page, href)).filter(|target| docs.join(target).is_file());
    Ok(target.unwrap_or(page))
}

/// The page to which a relative address on a page leads.
fn linked(page: &Path, href: &str) -> Option<PathBuf> {
    resolved(page.parent().unwrap_or(Path::new("")), href)
}

/// A relative address on a page in `folder`; `None` if it leads out of the documentation.
fn resolved(folder: &Path, href: &str) -> Option<PathBuf> {
    let mut path = folder.to_owned();
    for part in Path::new(href).components() {
        match part {
            Component::ParentDir => path.pop().then_some(())?,
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(path)
}

/// The list of the cells, for the script on pages of other hosts.
pub(super) fn list(cells: &BTreeMap<PathBuf, Vec<DocCell>>) -> String {
    let pages = cells.iter().map(|(page, cells)| json!({ "page": address(page), "cells": cells }));
    let pages: Vec<Value> = pages.collect();
    format!("{:#}\n", json!({ "pages": pages }))
}

/// A path as an address, on all systems.
pub(super) fn address(path: &Path) -> String {
    let parts = path.components().map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

/// Removes the cells of an earlier run, and their list: cargo does not write pages again whose sources have not changed.
pub(super) fn remove_cells(docs: &Path, folder: &Path) -> Result<()> {
    let path = folder.join(LIST);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        text => text.with_context(|| format!("failed to read {}", path.display()))?,
    };
    let list: Value = serde_json::from_str(&text).unwrap_or_default();
    let pages = list["pages"].as_array().into_iter().flatten().filter_map(|page| page["page"].as_str());
    for page in pages.filter_map(|page| resolved(Path::new(""), page)).map(|page| docs.join(page)) {
        if page.is_file() {
            let without = rewritten(
                &page,
                element!(".benchbook-cells", |cells| {
                    cells.remove();
                    Ok(())
                }),
            )?;
            write(&page, &without)?;
        }
    }
    fs::remove_file(&path).with_context(|| format!("failed to delete {}", path.display()))
}

/// Adds the cells to their pages, below the description of the item, or else below its declaration. Returns the number of pages.
pub(super) fn insert(docs: &Path, cells: &BTreeMap<PathBuf, Vec<DocCell>>) -> Result<usize> {
    let mut count = 0;
    for (page, cells) in cells {
        let base = "../".repeat(page.components().count() - 1) + FOLDER + "/";
        let markup: String = cells.iter().map(|cell| cell.markup(&base).into_string()).collect();
        let html =
            format!("<div class=\"benchbook-cells\">{markup}<script src=\"{base}docs.js\" defer></script></div>");
        let path = docs.join(page);
        for place in ["#main-content details.top-doc", "#main-content pre.item-decl"] {
            let is_inserted = Cell::new(false);
            let with_cells = rewritten(
                &path,
                element!(place, |element| {
                    if !is_inserted.replace(true) {
                        element.after(&html, ContentType::Html);
                    }
                    Ok(())
                }),
            )?;
            if is_inserted.get() {
                write(&path, &with_cells)?;
                count += 1;
                break;
            }
        }
    }
    Ok(count)
}

/// What to do with the elements that a selector matches.
type Handler<'h> = (Cow<'h, Selector>, ElementContentHandlers<'h>);

fn rewritten(page: &Path, handler: Handler<'_>) -> Result<String> {
    let html = fs::read_to_string(page).with_context(|| format!("failed to read {}", page.display()))?;
    let settings = RewriteStrSettings::new().append_element_content_handler(handler);
    rewrite_str(&html, settings).with_context(|| format!("{} is not a page of rustdoc", page.display()))
}

fn write(page: &Path, html: &str) -> Result<()> {
    fs::write(page, html).with_context(|| format!("failed to write {}", page.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_resolved_inside_the_documentation() {
        let page = |folder: &str, href: &str| resolved(Path::new(folder), href).map(|path| address(&path));
        assert_eq!(page("mixing/a", "../../own/fn.mix.html").as_deref(), Some("own/fn.mix.html"));
        assert_eq!(page("mixing", "fn.mix.html").as_deref(), Some("mixing/fn.mix.html"));
        assert_eq!(page("mixing", "../../../etc/passwd"), None);
        assert_eq!(page("mixing", "/etc/passwd"), None);
    }

    #[test]
    fn an_item_is_documented_where_it_is_re_exported() {
        let docs = tempfile::tempdir().unwrap();
        let write = |page: &str, html: &str| {
            fs::create_dir_all(docs.path().join(page).parent().unwrap()).unwrap();
            fs::write(docs.path().join(page), html).unwrap();
        };
        let link = "<span class=\"benchbook-documents\"><a href=\"../libm/math/fn.cbrt.html\">cbrt</a></span>";
        write("suite/fn.roots.html", link);
        let item = || documented_item(docs.path(), Path::new("suite/fn.roots.html")).unwrap();
        assert_eq!(item(), None, "it is not documented");
        write("libm/math/fn.cbrt.html", "<meta http-equiv=\"refresh\" content=\"0;URL=../../libm/fn.cbrt.html\">");
        write("libm/fn.cbrt.html", "<section id=\"main-content\"></section>");
        assert_eq!(item().as_deref(), Some(Path::new("libm/fn.cbrt.html")));
    }

    #[test]
    fn pages_without_a_description_get_cells_below_the_declaration_and_lose_them_again() {
        let docs = tempfile::tempdir().unwrap();
        let page = docs.path().join("own/fn.mix.html");
        fs::create_dir_all(page.parent().unwrap()).unwrap();
        let original = "<section id=\"main-content\"><pre class=\"rust item-decl\">fn mix()</pre></section>";
        fs::write(&page, original).unwrap();
        let cells = BTreeMap::from([(PathBuf::from("own/fn.mix.html"), vec![])]);
        assert_eq!(insert(docs.path(), &cells).unwrap(), 1);
        let with_cells = fs::read_to_string(&page).unwrap();
        assert!(
            with_cells
                .contains("</pre><div class=\"benchbook-cells\"><script src=\"../benchbook-cells/docs.js\" defer>"),
            "{with_cells}"
        );
        let folder = docs.path().join(FOLDER);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(LIST), list(&cells)).unwrap();
        remove_cells(docs.path(), &folder).unwrap();
        assert_eq!(fs::read_to_string(&page).unwrap(), original);
    }
}
