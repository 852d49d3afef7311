//! Kills the process groups and deletes the scratch folders that a killed host leaves behind. The children themselves
//! die with the host, but their descendants and files do not.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;

use super::group;
use super::scratch;

/// The only argument of a reaper process. Users never type it.
const ARGUMENT: &str = "run-as-reaper";

/// A process that waits until its host is gone for any reason, then kills the remaining process groups of the host's
/// children and deletes their scratch folders. Clones refer to the same process.
///
/// It is the host's own program, started a second time, so such a host calls
/// [`run_helper_if_requested`](super::run_helper_if_requested) first in its `main`. It waits for the end of its standard
/// input, whose write end only the host owns. It leads its own process
/// group, so that terminal signals do not reach it.
#[derive(Clone, Debug)]
pub struct Reaper(Arc<ReaperProcess>);

#[derive(Debug)]
struct ReaperProcess {
    process: Child,
    input: ChildStdin,
}

impl Reaper {
    /// Starts the process on the cores that this thread may use. Call it before starting any children that it must
    /// watch.
    ///
    /// # Errors
    /// Returns an error if the system cannot start it or has no process groups.
    pub fn start() -> io::Result<Self> {
        if !cfg!(unix) {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no process groups"));
        }
        // Without this check, a program that forgets the call would start itself forever.
        if is_requested() {
            return Err(io::Error::other(
                "this process is itself a reaper: call `run_helper_if_requested` first in `main`",
            ));
        }
        let mut command = own_program()?;
        group::lead(&mut command);
        command.arg(ARGUMENT).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = command.spawn()?;
        let input = process.stdin.take().ok_or_else(|| io::Error::other("the reaper has no standard input"))?;
        Ok(Self(Arc::new(ReaperProcess { process, input })))
    }

    /// Watches the group that this child leads, and its scratch folder if it has one.
    pub(super) fn watch(&self, child: &Child, scratch: Option<&Path>) {
        // A path that does not fit on one line cannot be sent; its folder is left behind.
        let scratch = scratch.and_then(Path::to_str).filter(|scratch| !scratch.contains('\n')).unwrap_or_default();
        self.send(&format!("+{} {scratch}\n", child.id()));
    }

    /// Forgets a group that was killed. Call it before waiting for the leader: after that, the group's id can be
    /// reused.
    pub(super) fn forget(&self, child: &Child) {
        self.send(&format!("-{}\n", child.id()));
    }

    fn send(&self, line: &str) {
        // Writes of this size to a pipe are atomic, so lines of several threads never mix. If the reaper was killed,
        // the host continues without one.
        let _ = (&self.0.input).write_all(line.as_bytes());
    }
}

impl Drop for ReaperProcess {
    fn drop(&mut self) {
        // Every child has ended with its group, and nothing else uses the reaper.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs the reaper if this process was started as one, and returns whether it was. If so, `main` must return.
pub(super) fn run_if_requested() -> bool {
    let is_requested = is_requested();
    if is_requested {
        set_process_name();
        let groups = remaining_groups(io::stdin().lock(), std::process::id());
        group::kill_all(groups.keys().copied());
        for folder in groups.values().flatten() {
            // The host is gone, so errors cannot be reported.
            let _ = std::fs::remove_dir_all(folder);
        }
    }
    is_requested
}

fn is_requested() -> bool {
    std::env::args_os().nth(1).is_some_and(|argument| argument == ARGUMENT)
}

/// The running program, even if its file has changed. Its process name differs from the host's, so that killing all
/// hosts by name does not kill the reapers.
#[cfg(target_os = "linux")]
fn own_program() -> io::Result<Command> {
    use std::os::unix::process::CommandExt;

    let mut command = Command::new("/proc/self/exe");
    command.arg0("benchbook-reaper");
    Ok(command)
}

#[cfg(not(target_os = "linux"))]
fn own_program() -> io::Result<Command> {
    std::env::current_exe().map(Command::new)
}

/// Sets the process name that the system shows without arguments; Linux limits it to 15 bytes.
#[cfg(target_os = "linux")]
fn set_process_name() {
    // The name is only informative.
    let _ = rustix::thread::set_name(c"benchbook-reape");
}

#[cfg(not(target_os = "linux"))]
fn set_process_name() {}

/// The groups that a host reported as started but not as ended, and their scratch folders, read until the end of
/// `lines`. Ignores incomplete or invalid lines, ids with another meaning (such as 1 for every process, or the reaper's
/// `own`), and folders that a host would not have created.
fn remaining_groups(mut lines: impl BufRead, own: u32) -> BTreeMap<u32, Option<PathBuf>> {
    let mut groups = BTreeMap::new();
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        match parse_line(&line) {
            Some(('+', group, scratch)) if group > 1 && group != own && i32::try_from(group).is_ok() => {
                groups.insert(group, scratch);
            }
            Some(('-', group, _)) => {
                groups.remove(&group);
            }
            _ => {}
        }
        line.clear();
    }
    groups
}

/// Parses a line into its operation, the group, and the group's scratch folder.
fn parse_line(line: &[u8]) -> Option<(char, u32, Option<PathBuf>)> {
    let mut rest = std::str::from_utf8(line).ok()?.strip_suffix('\n')?.chars();
    let operation = rest.next()?;
    let (group, folder) = rest.as_str().split_once(' ').unwrap_or((rest.as_str(), ""));
    let folder = Some(PathBuf::from(folder)).filter(|folder| scratch::is_scratch_path(folder));
    Some((operation, group.parse().ok()?, folder))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use proptest::prelude::*;

    use super::remaining_groups;

    const OWN: u32 = 4_711;

    fn remaining(lines: &[u8]) -> Vec<u32> {
        remaining_groups(lines, OWN).into_keys().collect()
    }

    #[test]
    fn accepts_only_scratch_folders_of_a_host() {
        let lines =
            b"+12 /tmp/benchbook-host-1-a b\n+13 /tmp/benchbook-host-1-c\n-13\n+14 /home\n+15 benchbook-host-1\n+16 \n";
        let groups = remaining_groups(&lines[..], OWN);
        let folders: Vec<_> = groups.iter().map(|(group, folder)| (*group, folder.as_deref())).collect();
        assert_eq!(folders, [(12, Some(Path::new("/tmp/benchbook-host-1-a b"))), (14, None), (15, None), (16, None)]);
        let escaping = remaining_groups(&b"+12 /tmp/benchbook-host-1/../..\n"[..], OWN);
        assert_eq!(escaping[&12], None);
    }

    #[test]
    fn ignores_incomplete_lines_and_ids_that_are_not_groups_of_children() {
        assert_eq!(remaining(b"+12\n+13\n-12\n"), [13]);
        assert!(remaining(b"").is_empty());
        // The host was killed in mid-line, or the input does not come from a host.
        for lines in [&b"+12\n+123"[..], b"+12\n-12", b"+12\n13\n", b"+12\n*13\n", b"+12\n\n+\n", b"+12\n+1e1\n+\xff\n"]
        {
            assert_eq!(remaining(lines), [12], "{lines:?}");
        }
        for id in ["0", "1", "-1", "4711", "2147483648", "4294967295", "4294967297", "99999999999999999999"] {
            assert!(remaining(format!("+{id}\n").as_bytes()).is_empty(), "{id}");
        }
    }

    proptest! {
        /// Group ids repeat, as process ids do.
        #[test]
        fn returns_groups_that_started_and_did_not_end(turns in prop::collection::vec(2_u32..20, 0..60)) {
            let (mut lines, mut alive) = (String::new(), BTreeSet::new());
            for group in turns {
                let starts = alive.insert(group);
                if !starts {
                    alive.remove(&group);
                }
                lines += &format!("{}{group}\n", if starts { '+' } else { '-' });
            }
            prop_assert_eq!(remaining_groups(lines.as_bytes(), OWN).into_keys().collect::<BTreeSet<_>>(), alive);
        }

        #[test]
        fn never_returns_a_special_id(lines in prop::collection::vec(prop::sample::select(&b"+-0147\n"[..]), 0..60)) {
            let groups = remaining_groups(&lines[..], OWN);
            prop_assert!(groups.into_keys().all(|group| group > 1 && group != OWN && group <= i32::MAX as u32));
        }
    }
}
