//! How much a browser downloads: as it is, and compressed as file hosts do it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use brotli::enc::BrotliEncoderParams;
use walkdir::WalkDir;

/// A size in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Size {
    raw: u64,
    brotli: u64,
}

impl Size {
    fn of(bytes: &[u8]) -> Self {
        let mut compressed = Vec::new();
        // The default is the best quality: a static file is compressed once.
        brotli::BrotliCompress(&mut &bytes[..], &mut compressed, &BrotliEncoderParams::default())
            .expect("writing to memory succeeds");
        Self { raw: bytes.len() as u64, brotli: compressed.len() as u64 }
    }

    fn add(&mut self, other: Self) {
        self.raw += other.raw;
        self.brotli += other.brotli;
    }
}

/// In units of 1 000 bytes, as browsers' tools show it.
pub(crate) fn kilobytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / 1_000.0)
}

/// What counts as the page: without any of these it does not start.
const PAGE: [&str; 4] = ["html", "js", "wasm", "css"];

/// The sizes of a built page, a row each for its kinds of files, their sum, and each suite.
pub(crate) fn table(dist: &Path) -> Result<String> {
    let mut kinds = BTreeMap::<String, Size>::new();
    let mut suites = BTreeMap::<String, Size>::new();
    for entry in WalkDir::new(dist).sort_by_file_name() {
        let entry = entry.context("reading the built page")?;
        let path = entry.path();
        let Some(kind) = path.extension().and_then(|kind| kind.to_str()).filter(|kind| PAGE.contains(kind)) else {
            continue;
        };
        let size = Size::of(&fs::read(path).with_context(|| format!("reading {}", path.display()))?);
        match path.strip_prefix(dist.join("suites")) {
            Ok(suite) => suites.entry(format!("suite {}", suite.with_extension("").display())).or_default().add(size),
            Err(_) => kinds.entry(format!("  {kind}")).or_default().add(size),
        }
    }
    let mut page = Size::default();
    kinds.values().for_each(|&size| page.add(size));

    let mut table = format!("{:<20} {:>10} {:>10}\n", "size in KB", "raw", "Brotli");
    let rows = [("page".to_string(), page)].into_iter().chain(kinds).chain(suites);
    for (name, Size { raw, brotli }) in rows {
        writeln!(table, "{name:<20} {:>10} {:>10}", kilobytes(raw), kilobytes(brotli))?;
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_what_it_needs_to_start_and_suites_stand_apart() {
        let dist = tempfile::tempdir().unwrap();
        fs::create_dir_all(dist.path().join("suites")).unwrap();
        for (file, length) in [
            ("index.html", 1_000),
            ("app.js", 20_000),
            ("worker.js", 500),
            ("icon.svg", 9_000),
            ("suites/demo.wasm", 70_000),
        ] {
            fs::write(dist.path().join(file), vec![b'x'; length]).unwrap();
        }
        let table = table(dist.path()).unwrap();
        let raw: Vec<_> =
            table.lines().map(|line| line[..31].split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(raw, ["size in KB raw", "page 21.5", "html 1.0", "js 20.5", "suite demo 70.0"]);
    }

    #[test]
    fn repetition_compresses() {
        let Size { raw, brotli } = Size::of(&[b'x'; 10_000]);
        assert_eq!(raw, 10_000);
        assert!(brotli < 50, "{brotli}");
        assert_eq!(Size::of(&[]).raw, 0);
    }
}
