//! A program and its descendants. trunk starts cargo, which starts compilers; none of them may outlive the command.

use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

/// The time between the interrupt and the kill.
const GRACE_PERIOD: Duration = Duration::from_secs(5);

/// The interval at which [`ProcessGroup::drop`] checks whether the program has exited.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A running program. Dropping this ends the program and its descendants.
pub(crate) struct ProcessGroup {
    leader: Child,
}

impl ProcessGroup {
    pub(crate) fn start(mut command: Command) -> Result<Self> {
        // In a separate group the program does not receive the terminal's Ctrl-C: we end the programs in order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        Ok(Self { leader: command.stdin(Stdio::null()).spawn()? })
    }

    /// The exit status, if the program has exited.
    pub(crate) fn exit_status(&mut self) -> Result<Option<ExitStatus>> {
        Ok(self.leader.try_wait()?)
    }

    #[cfg(unix)]
    fn send(&mut self, termination: Termination) {
        use rustix::process::{self, Pid, Signal};
        let signal = match termination {
            Termination::Interrupt => Signal::INT,
            Termination::Kill => Signal::KILL,
        };
        // It fails if no process is left.
        let _ = process::kill_process_group(Pid::from_child(&self.leader), signal);
    }

    /// This system has no process groups; the console sends Ctrl-C to each process itself.
    #[cfg(not(unix))]
    fn send(&mut self, termination: Termination) {
        if let Termination::Kill = termination {
            let _ = self.leader.kill();
        }
    }
}

enum Termination {
    Interrupt,
    Kill,
}

impl Drop for ProcessGroup {
    /// Interrupts first, so that the program can end its children and close its connections, and kills later.
    fn drop(&mut self) {
        self.send(Termination::Interrupt);
        let interrupted_at = Instant::now();
        while matches!(self.leader.try_wait(), Ok(None)) && interrupted_at.elapsed() < GRACE_PERIOD {
            thread::sleep(POLL_INTERVAL);
        }
        self.send(Termination::Kill);
        let _ = self.leader.wait();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::{BufRead, BufReader};

    use super::*;

    #[test]
    fn dropping_a_group_ends_a_grandchild() {
        // The grandchild holds the pipe open while it lives.
        let (read, write) = std::io::pipe().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 600 & echo started; wait"]).stdout(write);
        let mut group = ProcessGroup::start(command).unwrap();
        let mut output = BufReader::new(read).lines();
        assert_eq!(output.next().unwrap().unwrap(), "started");
        assert_eq!(group.exit_status().unwrap(), None);
        drop(group);
        assert!(output.next().is_none());
    }
}
