//! The history of this machine, in the data folder of its user.

use std::fs;
use std::io::{Error, ErrorKind};
use std::path::PathBuf;
use std::process;
use std::sync::Arc;

use benchbook_host::repeatability::{MachineHistory, MachineSpread, PastMeasurements};
use benchbook_host::request::Request;
use benchbook_host::response::Point;
use directories::BaseDirs;

/// The folder of histories, in the user's data folder.
const FOLDER: &str = "benchbook/machines";

/// The history of a machine and its file.
#[derive(Debug)]
pub struct StoredHistory {
    /// Absent if the user has no data folder: then nothing is stored.
    path: Option<PathBuf>,
    history: Arc<MachineHistory>,
}

impl StoredHistory {
    /// Reads the history of a machine; empty if nothing is stored. An unreadable file is moved aside, with a warning.
    pub fn read(machine: &str) -> Self {
        let path = BaseDirs::new().map(|folders| folders.data_local_dir().join(FOLDER).join(file_name(machine)));
        Self::read_from(path)
    }

    fn read_from(path: Option<PathBuf>) -> Self {
        let text = path.as_ref().map_or_else(|| Ok(String::new()), fs::read_to_string);
        let history = text.and_then(|text| {
            if text.is_empty() { Ok(MachineHistory::default()) } else { Ok(serde_json::from_str(&text)?) }
        });
        let history = history.unwrap_or_else(|reason: Error| {
            if let Some(path) = path.as_ref().filter(|_| reason.kind() != ErrorKind::NotFound) {
                let aside = path.with_extension("unreadable");
                let place = match fs::rename(path, &aside) {
                    Ok(()) => format!("moved to {}", aside.display()),
                    Err(reason) => format!("replaced, since it cannot be moved: {reason}"),
                };
                eprintln!(
                    "warning: the history of this machine is unreadable ({reason}), and a new one begins. It is {place}"
                );
            }
            MachineHistory::default()
        });
        Self { path, history: Arc::new(history) }
    }

    /// The history at the start of a measurement: see [`MachineHistory::at`].
    pub fn at(&self, build: &str, now: f64) -> PastMeasurements {
        self.history.at(build, now)
    }

    /// The spread of repeated measurements: see [`MachineHistory::spread`].
    pub fn spread(&self) -> Option<MachineSpread> {
        self.history.spread()
    }

    /// Records the points of a request, and stores the history. Another program may have stored it in the meantime, so it is read again first. If it
    /// cannot be written, there is a warning, and the measurement is still good.
    pub fn record(&mut self, past: &PastMeasurements, request: &Request, points: &[Point]) {
        let Some(path) = self.path.clone() else { return };
        let mut history = Arc::unwrap_or_clone(Self::read_from(Some(path.clone())).history);
        history.record(past, request, points);
        self.history = Arc::new(history);
        let text = serde_json::to_string(&*self.history).expect("a history serializes to JSON");
        // Another program may write at the same time: the last one wins.
        let new = path.with_extension(format!("{}.new", process::id()));
        let folder = path.parent().unwrap_or(&path);
        let written =
            fs::create_dir_all(folder).and_then(|()| fs::write(&new, text)).and_then(|()| fs::rename(&new, &path));
        if let Err(reason) = written {
            eprintln!("warning: cannot store the history of this machine in {}: {reason}", path.display());
        }
    }
}

/// The file of a machine: its name, without what file systems reject.
fn file_name(machine: &str) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() || letter == '-' { letter } else { '_' };
    format!("{}.json", machine.chars().map(plain).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unreadable_history_is_put_aside() {
        let folder = std::env::temp_dir().join(format!("benchbook-history-{}", process::id()));
        fs::create_dir_all(&folder).expect("the folder is writable");
        let path = folder.join(file_name("bench 01/a"));
        assert!(path.ends_with("bench_01_a.json"));
        assert_eq!(*StoredHistory::read_from(Some(path.clone())).history, MachineHistory::default());
        fs::write(&path, "{").expect("the file is writable");
        assert_eq!(*StoredHistory::read_from(Some(path.clone())).history, MachineHistory::default());
        let aside = fs::read_to_string(path.with_extension("unreadable"));
        assert!(!path.exists() && aside.is_ok_and(|text| text == "{"), "nothing is lost");
        fs::remove_dir_all(folder).expect("the folder can be deleted");
    }
}
