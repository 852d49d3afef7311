//! What of the built page only its authors read: it goes before the page is shipped.

mod lines;
mod names;
mod places;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use names::Names;

/// Take comments, indentation, long names and places of panics out of a built page; trunk calls this after it has built the page
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder of the built page [default: the one that trunk names in TRUNK_STAGING_DIR]
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    // Who looks for a mistake wants to read what runs.
    if env::var("TRUNK_PROFILE").is_ok_and(|profile| profile == "debug") {
        return Ok(());
    }
    let page = options.page.clone().or_else(|| env::var_os("TRUNK_STAGING_DIR").map(PathBuf::from));
    let page = page.context("of which page? For example: cargo xtask slim --page dist")?;
    for module in files(&page, "wasm")? {
        // wasm-bindgen's names for the two.
        let glue = module.to_string_lossy().replace("_bg.wasm", ".js");
        make_slim(&module, Path::new(&glue))?;
    }
    for text in files(&page, "js")?.into_iter().chain(files(&page, "html")?) {
        let say = || format!("rewriting {}", text.display());
        let slim = lines::without_comments(&fs::read_to_string(&text).with_context(say)?).with_context(say)?;
        fs::write(&text, slim).with_context(say)?;
    }
    Ok(())
}

fn make_slim(module: &Path, glue: &Path) -> Result<()> {
    let say = || format!("taking names and places out of {} and {}", module.display(), glue.display());
    let (wasm, script) = (fs::read(module).with_context(say)?, fs::read_to_string(glue).with_context(say)?);
    let names = Names::of(&script);
    let slim = places::without_places(&names.in_module(&wasm).with_context(say)?).with_context(say)?;
    fs::write(module, slim).with_context(say)?;
    fs::write(glue, names.in_glue(&script)).with_context(say)
}

/// The files of one kind of the page itself; its suites lie in a folder of their own.
fn files(page: &Path, kind: &str) -> Result<Vec<PathBuf>> {
    let say = || format!("reading {}", page.display());
    let entries = fs::read_dir(page).with_context(say)?;
    let paths = entries.map(|entry| Ok(entry.with_context(say)?.path()));
    paths.filter(|path| path.as_ref().map_or(true, |path| path.extension().is_some_and(|is| is == kind))).collect()
}
