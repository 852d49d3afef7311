//! What ends the groups of children whose host was killed: the children die with it, and neither what they started nor their
//! files do.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;

use super::group;
use super::scratch;

/// The only argument of a reaper. No person types it.
const ARGUMENT: &str = "keep-the-groups-of-children";

/// A process beside a host that waits until the host is gone, however that came, and then kills the groups of children
/// that are left, and deletes their scratch folders. Clones stand for the same process.
///
/// It is the host's own program, started again: such a host calls [`run_reaper_if_requested`] first in its `main`. It waits for the end
/// of its standard input, whose other end nobody but the host has, and leads a group of its own, which nothing that is
/// typed at a terminal reaches.
#[derive(Clone, Debug)]
pub struct Reaper(Arc<ReaperProcess>);

#[derive(Debug)]
struct ReaperProcess {
    process: Child,
    told: ChildStdin,
}

impl Reaper {
    /// Starts one, on the cores that this thread may use: before anything that it is to keep.
    ///
    /// # Errors
    /// Where the system starts none, or has no process groups.
    pub fn start() -> io::Result<Self> {
        if !cfg!(unix) {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no process groups"));
        }
        // Such a program would start itself without end.
        if is_told() {
            return Err(io::Error::other(
                "this is to be a reaper itself: `run_reaper_if_requested` comes first in `main`",
            ));
        }
        let mut command = own_program()?;
        group::lead(&mut command);
        command.arg(ARGUMENT).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = command.spawn()?;
        let told = process.stdin.take().ok_or_else(|| io::Error::other("it has no input"))?;
        Ok(Self(Arc::new(ReaperProcess { process, told })))
    }

    /// From now on the group that this child leads ends with the host, and so does its scratch folder.
    pub(super) fn begins(&self, child: &Child, scratch: &Path) {
        // One that cannot be said in a line is left behind.
        let scratch = scratch.to_str().filter(|scratch| !scratch.contains('\n')).unwrap_or_default();
        self.tell(&format!("+{} {scratch}\n", child.id()));
    }

    /// The group was killed. Its leader was not waited for yet: after that its number may be somebody else's.
    pub(super) fn ended(&self, child: &Child) {
        self.tell(&format!("-{}\n", child.id()));
    }

    fn tell(&self, line: &str) {
        // A pipe takes so little as a whole: no line is cut off, none mixes with another thread's. A reaper that somebody
        // killed hears nothing, and its host goes on as one without.
        let _ = (&self.0.told).write_all(line.as_bytes());
    }
}

impl Drop for ReaperProcess {
    fn drop(&mut self) {
        // Every child has ended, and its group with it: none holds the reaper any more.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Does the work of a [`Reaper`] where this process was started as one, and says whether it was: then there is nothing else
/// to do.
pub fn run_reaper_if_requested() -> bool {
    let is_told = is_told();
    if is_told {
        name();
        let left = left(io::stdin().lock(), std::process::id());
        group::kill_all(left.keys().copied());
        for folder in left.values().flatten() {
            // There is nobody left to be told.
            let _ = std::fs::remove_dir_all(folder);
        }
    }
    is_told
}

fn is_told() -> bool {
    std::env::args_os().nth(1).is_some_and(|argument| argument == ARGUMENT)
}

/// The very program of this process, whatever became of its file. It has a name of its own, since who ends all hosts by their
/// name does not mean their keepers.
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

/// Has the system show that name too, where it shows no arguments; it takes 15 bytes of it.
#[cfg(target_os = "linux")]
fn name() {
    // Without one it works as well.
    let _ = rustix::thread::set_name(c"benchbook-keepe");
}

#[cfg(not(target_os = "linux"))]
fn name() {}

/// The groups that a host said to have begun and not to have ended, once there is no more to hear, and their scratch folders.
/// What is no whole line says nothing, no group is what other meanings of a number stand for, such as 1 for every process, or
/// the reaper's `own`, and no folder is what a host would not have made.
fn left(mut told: impl BufRead, own: u32) -> BTreeMap<u32, Option<PathBuf>> {
    let mut groups = BTreeMap::new();
    let mut line = Vec::new();
    while told.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        match read(&line) {
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

/// What a line says, of which group, and where that has its files.
fn read(line: &[u8]) -> Option<(char, u32, Option<PathBuf>)> {
    let mut rest = std::str::from_utf8(line).ok()?.strip_suffix('\n')?.chars();
    let what = rest.next()?;
    let (group, folder) = rest.as_str().split_once(' ').unwrap_or((rest.as_str(), ""));
    let folder = Some(PathBuf::from(folder)).filter(|folder| scratch::is_one(folder));
    Some((what, group.parse().ok()?, folder))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use super::left;

    const OWN: u32 = 4_711;

    fn left_of(told: &[u8]) -> Vec<u32> {
        left(told, OWN).into_keys().collect()
    }

    #[test]
    fn a_folder_goes_with_its_group_and_is_one_that_a_host_made() {
        let told =
            b"+12 /tmp/benchbook-host-1-a b\n+13 /tmp/benchbook-host-1-c\n-13\n+14 /home\n+15 benchbook-host-1\n+16 \n";
        let left = left(&told[..], OWN);
        let folders: Vec<_> = left.iter().map(|(group, folder)| (*group, folder.as_deref())).collect();
        assert_eq!(folders, [(12, Some(Path::new("/tmp/benchbook-host-1-a b"))), (14, None), (15, None), (16, None)]);
        let up = super::left(&b"+12 /tmp/benchbook-host-1/../..\n"[..], OWN);
        assert_eq!(up[&12], None);
    }

    #[test]
    fn what_is_no_whole_line_or_no_group_of_a_child_is_left_alone() {
        assert_eq!(left_of(b"+12\n+13\n-12\n"), [13]);
        assert!(left_of(b"").is_empty());
        // The host was killed in mid-line, or is none.
        for told in [&b"+12\n+123"[..], b"+12\n-12", b"+12\n13\n", b"+12\n*13\n", b"+12\n\n+\n", b"+12\n+1e1\n+\xff\n"]
        {
            assert_eq!(left_of(told), [12], "{told:?}");
        }
        for id in ["0", "1", "-1", "4711", "2147483648", "4294967295", "4294967297", "99999999999999999999"] {
            assert!(left_of(format!("+{id}\n").as_bytes()).is_empty(), "{id}");
        }
    }

    fn seeded() -> ProptestConfig {
        ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() }
    }

    proptest! {
        #![proptest_config(seeded())]

        /// Numbers come again, as those of processes do.
        #[test]
        fn what_began_and_did_not_end_is_left(turns in prop::collection::vec(2_u32..20, 0..60)) {
            let (mut told, mut alive) = (String::new(), BTreeSet::new());
            for group in turns {
                let begins = alive.insert(group);
                if !begins {
                    alive.remove(&group);
                }
                told += &format!("{}{group}\n", if begins { '+' } else { '-' });
            }
            prop_assert_eq!(left(told.as_bytes(), OWN).into_keys().collect::<BTreeSet<_>>(), alive);
        }

        #[test]
        fn whatever_is_said_nothing_else_is_killed(told in prop::collection::vec(prop::sample::select(&b"+-0147\n"[..]), 0..60)) {
            let groups = left(&told[..], OWN);
            prop_assert!(groups.into_keys().all(|group| group > 1 && group != OWN && group <= i32::MAX as u32));
        }
    }
}
