//! Download sizes of the page and its suites, raw and compressed.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use brotli::enc::BrotliEncoderParams;
use walkdir::WalkDir;

/// A size in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Uncompressed.
    pub raw: u64,
    /// Compressed with Brotli.
    pub brotli: u64,
}

impl Size {
    /// The size of a file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn of_file(path: &Path) -> Result<Self> {
        Ok(Self::of(&fs::read(path).with_context(|| format!("failed to read {}", path.display()))?))
    }

    fn of(bytes: &[u8]) -> Self {
        let mut compressed = Vec::new();
        // The default is the best quality, since a host compresses a static file only once.
        brotli::BrotliCompress(&mut &bytes[..], &mut compressed, &BrotliEncoderParams::default())
            .expect("writing to memory succeeds");
        Self { raw: bytes.len() as u64, brotli: compressed.len() as u64 }
    }

    fn add(&mut self, other: Self) {
        self.raw += other.raw;
        self.brotli += other.brotli;
    }
}

/// Formats bytes in units of 1 000, as browsers' developer tools do.
pub fn kilobytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / 1_000.0)
}

/// The kinds of files that the page needs to start.
const PAGE: [&str; 4] = ["html", "js", "wasm", "css"];

/// The sizes of a built page. It displays as a table with rows for the page, for each kind of file, and for each suite.
#[derive(Debug)]
pub struct Sizes {
    kinds: BTreeMap<String, Size>,
    suites: BTreeMap<String, Size>,
}

impl Sizes {
    /// Reads the sizes of the files in `dist`.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn of_page(dist: &Path) -> Result<Self> {
        let mut sizes = Self { kinds: BTreeMap::new(), suites: BTreeMap::new() };
        for entry in WalkDir::new(dist).sort_by_file_name() {
            let entry = entry.context("failed to read the built page")?;
            let path = entry.path();
            let Some(kind) = path.extension().and_then(|kind| kind.to_str()).filter(|kind| PAGE.contains(kind)) else {
                continue;
            };
            let (group, name) = match path.strip_prefix(dist.join("suites")) {
                Ok(suite) => (&mut sizes.suites, suite.with_extension("").display().to_string()),
                Err(_) => (&mut sizes.kinds, kind.to_owned()),
            };
            group.entry(name).or_default().add(Size::of_file(path)?);
        }
        Ok(sizes)
    }

    /// The size of the page without its suites.
    pub fn page(&self) -> Size {
        let mut page = Size::default();
        self.kinds.values().for_each(|&size| page.add(size));
        page
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<24} {:>10} {:>10}", "size in KB", "raw", "Brotli")?;
        let mut row = |name: &str, size: Size| {
            writeln!(f, "{name:<24} {:>10} {:>10}", kilobytes(size.raw), kilobytes(size.brotli))
        };
        row("page", self.page())?;
        self.kinds.iter().try_for_each(|(kind, &size)| row(&format!("  {kind}"), size))?;
        self.suites.iter().try_for_each(|(suite, &size)| row(&format!("suite {suite}"), size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_the_page_excludes_suites_and_icons() {
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
        let sizes = Sizes::of_page(dist.path()).unwrap();
        assert_eq!(sizes.page().raw, 21_500);
        let table = sizes.to_string();
        let raw: Vec<_> =
            table.lines().map(|line| line[..35].split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(raw, ["size in KB raw", "page 21.5", "html 1.0", "js 20.5", "suite demo 70.0"]);
    }

    #[test]
    fn compresses_repetitive_content() {
        let Size { raw, brotli } = Size::of(&[b'x'; 10_000]);
        assert_eq!(raw, 10_000);
        assert!(brotli < 50, "{brotli}");
        assert_eq!(Size::of(&[]).raw, 0);
    }
}
