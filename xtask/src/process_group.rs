//! A program and all that it starts: trunk runs cargo, which runs compilers, and none shall stay behind.

use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

/// How long the program may take to end when it is asked to.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often to look whether it has.
const LOOK: Duration = Duration::from_millis(50);

/// A running program; dropping this ends it, and whatever it started.
pub(crate) struct ProcessGroup {
    leader: Child,
}

impl ProcessGroup {
    pub(crate) fn start(mut command: Command) -> Result<Self> {
        // In a group of its own the terminal's Ctrl-C reaches us alone, so that we end the others in order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        Ok(Self { leader: command.stdin(Stdio::null()).spawn()? })
    }

    /// How the program ended, if it has.
    pub(crate) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        Ok(self.leader.try_wait()?)
    }

    #[cfg(unix)]
    fn signal(&mut self, signal: Signal) {
        use rustix::process::{self, Pid};
        let signal = match signal {
            Signal::Ask => process::Signal::INT,
            Signal::Insist => process::Signal::KILL,
        };
        // An error says that nobody is left.
        let _ = process::kill_process_group(Pid::from_child(&self.leader), signal);
    }

    /// There are no groups to signal here; the console's Ctrl-C has reached the others itself.
    #[cfg(not(unix))]
    fn signal(&mut self, signal: Signal) {
        if let Signal::Insist = signal {
            let _ = self.leader.kill();
        }
    }
}

enum Signal {
    Ask,
    Insist,
}

impl Drop for ProcessGroup {
    /// Asks first, so that the program can end its own children and connections; then insists.
    fn drop(&mut self) {
        self.signal(Signal::Ask);
        let asked = Instant::now();
        while matches!(self.leader.try_wait(), Ok(None)) && asked.elapsed() < PATIENCE {
            thread::sleep(LOOK);
        }
        self.signal(Signal::Insist);
        let _ = self.leader.wait();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::{BufRead, BufReader};

    use super::*;

    #[test]
    fn a_grandchild_ends_too() {
        // It holds the pipe open for as long as it lives.
        let (read, write) = std::io::pipe().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 600 & echo started; wait"]).stdout(write);
        let mut group = ProcessGroup::start(command).unwrap();
        let mut output = BufReader::new(read).lines();
        assert_eq!(output.next().unwrap().unwrap(), "started");
        assert_eq!(group.ended().unwrap(), None);
        drop(group);
        assert!(output.next().is_none());
    }
}
