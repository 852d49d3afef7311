//! The built page as files inside a program, for `cargo benchbook` and for the runner.
//!
//! `cargo xtask build` writes the files into the folder `files/` of this crate. Unoptimised programs read that folder when they
//! start; all others contain its files.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rust_embed::Embed;

#[derive(Embed)]
#[folder = "files"]
#[allow_missing = true]
struct BuiltPage;

/// The files of the page by their paths relative to its folder, with `/` between folders: without suites, and with a
/// `notebook.json` that lists none. Empty if the program was compiled in a checkout where the page had not been built.
pub fn files() -> BTreeMap<String, Cow<'static, [u8]>> {
    BuiltPage::iter().filter_map(|path| Some((path.to_string(), BuiltPage::get(&path)?.data))).collect()
}

/// What to do about a program without the page; a sentence.
pub const MISSING: &str = "This program was compiled without the page. In its checkout, run `cargo xtask build`, then compile or install the program again.";
