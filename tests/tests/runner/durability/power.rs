//! The contents of a disk after a power cut: all synced data, and any part of the rest.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rand::{Rng, RngExt};

use super::vfs::Operation;

/// Disks write whole sectors, so an interrupted write covers some of its sectors.
const SECTOR: u64 = 512;

/// A folder on a disk: synced data, and pending changes.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    files: Vec<DiskFile>,
    /// The index of the file of each name, as synced.
    safe: BTreeMap<String, usize>,
    /// Pending changes of names: each refers to a file, or to none after a deletion.
    names: Vec<(String, Option<usize>)>,
}

#[derive(Clone, Debug, Default)]
struct DiskFile {
    safe: Vec<u8>,
    changes: Vec<Change>,
    /// Whether the next sync of this file syncs the folder, too.
    syncs_folder: bool,
}

#[derive(Clone, Debug)]
enum Change {
    Write { at: u64, bytes: Vec<u8> },
    Truncate { len: u64 },
}

impl Disk {
    /// The folder's present files, all synced.
    pub fn of(folder: &Path) -> Self {
        let mut disk = Self::default();
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let entry = entry.expect("the folder can be read");
            let safe = fs::read(entry.path()).expect("the file can be read");
            disk.safe.insert(entry.file_name().into_string().expect("the name is UTF-8"), disk.files.len());
            disk.files.push(DiskFile { safe, ..DiskFile::default() });
        }
        disk
    }

    /// Applies an operation.
    pub fn take(&mut self, operation: &Operation) {
        match operation {
            Operation::Create { name, syncs_folder } => {
                self.names.push((name.clone(), Some(self.files.len())));
                self.files.push(DiskFile { syncs_folder: *syncs_folder, ..DiskFile::default() });
            }
            Operation::Write { name, at, bytes } => {
                self.file(name).changes.push(Change::Write { at: *at, bytes: bytes.clone() });
            }
            Operation::Truncate { name, len } => self.file(name).changes.push(Change::Truncate { len: *len }),
            Operation::Sync { name } => {
                let file = self.file(name);
                for change in std::mem::take(&mut file.changes) {
                    change.apply(&mut file.safe);
                }
                if std::mem::take(&mut file.syncs_folder) {
                    self.sync_folder();
                }
            }
            Operation::Delete { name, syncs_folder } => {
                self.names.push((name.clone(), None));
                if *syncs_folder {
                    self.sync_folder();
                }
            }
            Operation::Acknowledged { .. } => {}
        }
    }

    /// The files if all unsynced data is lost.
    pub fn synced_files(&self) -> BTreeMap<String, Vec<u8>> {
        let file = |(name, index): (&String, &usize)| (name.clone(), self.files[*index].safe.clone());
        self.safe.iter().map(file).collect()
    }

    /// The files if any sectors were written, in any order. Names change in the requested order, as in a journaling
    /// file system, up to a random change.
    pub fn randomly_written(&self, rng: &mut impl Rng) -> BTreeMap<String, Vec<u8>> {
        let mut names = self.safe.clone();
        let changed = rng.random_range(0..=self.names.len());
        rename(&mut names, &self.names[..changed]);
        // Most of it, half of it, or hardly any.
        let part = [0.05, 0.5, 0.95][rng.random_range(0..3)];
        let file = |(name, index): (String, usize)| (name, self.files[index].randomly_written(part, rng));
        names.into_iter().map(file).collect()
    }

    fn file(&mut self, name: &str) -> &mut DiskFile {
        let mut names = self.safe.clone();
        rename(&mut names, &self.names);
        &mut self.files[*names.get(name).expect("operations refer to existing files")]
    }

    fn sync_folder(&mut self) {
        rename(&mut self.safe, &std::mem::take(&mut self.names));
    }
}

fn rename(names: &mut BTreeMap<String, usize>, changes: &[(String, Option<usize>)]) {
    for (name, file) in changes {
        match file {
            Some(file) => names.insert(name.clone(), *file),
            None => names.remove(name),
        };
    }
}

impl DiskFile {
    fn randomly_written(&self, part: f64, rng: &mut impl Rng) -> Vec<u8> {
        let mut content = self.safe.clone();
        for sector in self.changes.iter().flat_map(Change::sectors) {
            if rng.random_bool(part) {
                sector.apply(&mut content);
            }
        }
        content
    }
}

impl Change {
    fn apply(&self, content: &mut Vec<u8>) {
        match self {
            Self::Truncate { len } => content.resize(*len as usize, 0),
            Self::Write { at, bytes } => {
                let (start, end) = (*at as usize, *at as usize + bytes.len());
                content.resize(content.len().max(end), 0);
                content[start..end].copy_from_slice(bytes);
            }
        }
    }

    /// Splits a write into sectors.
    fn sectors(&self) -> Vec<Self> {
        let Self::Write { at, bytes } = self else { return vec![self.clone()] };
        let mut sectors = Vec::new();
        let (mut at, mut rest) = (*at, bytes.as_slice());
        while !rest.is_empty() {
            let room = (SECTOR - at % SECTOR) as usize;
            let (sector, others) = rest.split_at(room.min(rest.len()));
            sectors.push(Self::Write { at, bytes: sector.to_vec() });
            at += sector.len() as u64;
            rest = others;
        }
        sectors
    }
}
