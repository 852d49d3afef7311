//! The results so far, one JSON object per line, so that an interrupted benchmark continues where it stopped.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::figures::PeerFigures;
use super::harness::Harness;

/// Which measurement of a function by a harness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Repeat {
    /// The long measurement that the repeats are compared with.
    Reference,
    /// A normal measurement, counted from 1.
    Number(u32),
}

impl fmt::Display for Repeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reference => f.write_str("reference"),
            Self::Number(number) => write!(f, "repeat {number}"),
        }
    }
}

/// One completed measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PeerRecord {
    /// The function, or the comparison.
    pub(crate) function: String,
    pub(crate) harness: Harness,
    pub(crate) repeat: Repeat,
    pub(crate) figures: PeerFigures,
    /// From the start of the harness's process to its end.
    pub(crate) wall_seconds: f64,
    /// The load average of the last minute when the measurement started.
    pub(crate) load: f64,
    /// When the measurement started, in seconds since 1970 (UTC).
    pub(crate) unix_seconds: u64,
    /// The cores and the processor.
    pub(crate) machine: String,
}

/// The completed measurements, in memory and in a file.
#[derive(Debug)]
pub(crate) struct RecordStore {
    path: PathBuf,
    file: File,
    records: Vec<PeerRecord>,
}

impl RecordStore {
    /// Opens or creates the file. If the last line is incomplete because the benchmark was interrupted, it is dropped.
    pub(crate) fn open(path: &Path, is_fresh: bool) -> Result<Self> {
        let folder = path.parent().context("the file has no folder (this is a bug)")?;
        fs::create_dir_all(folder).with_context(|| format!("failed to create {}", folder.display()))?;
        let text = if is_fresh || !path.exists() {
            String::new()
        } else {
            fs::read_to_string(path).with_context(|| format!("failed to read {}", path.display()))?
        };
        let complete = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let records = parse(complete).with_context(|| {
            format!("{} has lines in an unknown format. Delete its results with --fresh.", path.display())
        })?;
        fs::write(path, complete).with_context(|| format!("failed to write {}", path.display()))?;
        let file =
            OpenOptions::new().append(true).open(path).with_context(|| format!("failed to open {}", path.display()))?;
        Ok(Self { path: path.to_owned(), file, records })
    }

    /// Appends a record to the file before the next measurement starts.
    pub(crate) fn add(&mut self, record: PeerRecord) -> Result<()> {
        let line = serde_json::to_string(&record).context("failed to write a record as JSON")?;
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.with_context(|| format!("failed to write {}", self.path.display()))?;
        self.records.push(record);
        Ok(())
    }

    pub(crate) fn contains(&self, function: &str, harness: Harness, repeat: Repeat) -> bool {
        self.of(function, harness).any(|record| record.repeat == repeat)
    }

    /// The records of a function and a harness.
    pub(crate) fn of(&self, function: &str, harness: Harness) -> impl Iterator<Item = &PeerRecord> {
        self.records.iter().filter(move |record| record.function == function && record.harness == harness)
    }

    /// The first `limit` repeats of a function and a harness.
    pub(crate) fn repeats(&self, function: &str, harness: Harness, limit: u32) -> Vec<&PeerRecord> {
        let is_counted = |record: &&PeerRecord| matches!(record.repeat, Repeat::Number(number) if number <= limit);
        self.of(function, harness).filter(is_counted).collect()
    }

    /// The repeat before this one; absent for the first one and for references.
    pub(crate) fn previous(&self, function: &str, harness: Harness, repeat: Repeat) -> Option<&PeerRecord> {
        let Repeat::Number(number) = repeat else { return None };
        self.of(function, harness).find(|record| matches!(record.repeat, Repeat::Number(other) if other + 1 == number))
    }

    /// The reference of a function and a harness.
    pub(crate) fn reference(&self, function: &str, harness: Harness) -> Option<&PeerRecord> {
        self.of(function, harness.reference()).find(|record| record.repeat == Repeat::Reference)
    }

    /// All records, in the order of measurement.
    pub(crate) fn all(&self) -> &[PeerRecord] {
        &self.records
    }
}

fn parse(text: &str) -> Result<Vec<PeerRecord>> {
    let lines = text.lines().enumerate();
    lines.map(|(index, line)| serde_json::from_str(line).with_context(|| format!("line {}", index + 1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(function: &str, harness: Harness, repeat: Repeat) -> PeerRecord {
        let figures = PeerFigures {
            estimate: 2.5,
            median: None,
            low: Some(2.0),
            high: Some(3.0),
            is_different: None,
            wall_seconds: None,
            another_day: None,
        };
        let function = function.to_owned();
        let (unix_seconds, machine) = (1_700_000_000, "2 × a processor".to_owned());
        PeerRecord { function, harness, repeat, figures, wall_seconds: 1.5, load: 0.25, unix_seconds, machine }
    }

    #[test]
    fn a_store_continues_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/records.jsonl");
        let mut store = RecordStore::open(&path, false).unwrap();
        let first = record("mix", Harness::Criterion, Repeat::Reference);
        let second = record("mix", Harness::Criterion, Repeat::Number(2));
        store.add(first.clone()).unwrap();
        store.add(second.clone()).unwrap();
        drop(store);
        // An interrupted write.
        fs::write(&path, fs::read_to_string(&path).unwrap() + r#"{"function":"su"#).unwrap();

        let mut store = RecordStore::open(&path, false).unwrap();
        assert_eq!(store.all(), [first.clone(), second.clone()]);
        assert!(store.contains("mix", Harness::Criterion, Repeat::Number(2)));
        assert!(!store.contains("mix", Harness::Criterion, Repeat::Number(1)));
        assert!(!store.contains("mix", Harness::Divan, Repeat::Number(2)));
        assert!(!store.contains("sum", Harness::Criterion, Repeat::Number(2)));
        assert_eq!(store.repeats("mix", Harness::Criterion, 2), [&second]);
        assert!(store.repeats("mix", Harness::Criterion, 1).is_empty());
        assert_eq!(store.reference("mix", Harness::Criterion), Some(&first));
        assert_eq!(store.previous("mix", Harness::Criterion, Repeat::Number(3)), Some(&second));
        assert_eq!(store.previous("mix", Harness::Criterion, Repeat::Number(2)), None);
        store.add(record("sum", Harness::Divan, Repeat::Number(1))).unwrap();
        drop(store);

        assert_eq!(RecordStore::open(&path, false).unwrap().all().len(), 3);
        assert_eq!(RecordStore::open(&path, true).unwrap().all().len(), 0);
        assert_eq!(fs::read_to_string(&path).unwrap(), "");
    }

    #[test]
    fn an_unknown_file_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        fs::write(&path, "{}\n").unwrap();
        let error = format!("{:#}", RecordStore::open(&path, false).unwrap_err());
        assert!(error.contains("Delete its results with --fresh.") && error.contains("line 1"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "{}\n");
    }
}
