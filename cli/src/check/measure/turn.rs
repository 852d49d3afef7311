//! Checks on the same machine measure one after the other: two at once would make each other's functions slower.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use benchbook_build::progress::BuildStep;
use directories::BaseDirs;

/// Waits until no other check measures on this machine. As long as the returned file exists, others wait. `None` if there is no place for it: then nothing is
/// known about other checks.
pub(crate) fn take() -> Option<File> {
    let folders = BaseDirs::new()?;
    let path: PathBuf = folders.cache_dir().join("benchbook").join("check.lock");
    take_at(&path, || BuildStep::start("Waiting for another check on this machine".to_owned()))
}

/// `on_wait`: what is done while another check measures; what it returns is dropped afterwards.
fn take_at<W>(path: &Path, on_wait: impl FnOnce() -> W) -> Option<File> {
    fs::create_dir_all(path.parent()?).ok()?;
    let file = File::create(path).ok()?;
    match file.try_lock() {
        Ok(()) => return Some(file),
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(_)) => return None,
    }
    let _waiting = on_wait();
    file.lock().ok()?;
    Some(file)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    #[test]
    fn the_second_of_two_checks_waits_for_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache/check.lock");
        let first = take_at(&path, || panic!("nothing else measures")).unwrap();
        let (waits, until_waiting) = mpsc::channel();
        let second = thread::spawn(move || take_at(&path, || waits.send(()).unwrap()).is_some());
        until_waiting.recv().unwrap();
        drop(first);
        assert!(second.join().unwrap());
    }
}
