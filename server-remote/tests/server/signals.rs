//! Signals, sent to a real process: this test program as a child.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use benchbook_server::service::signals::Signals;
use rustix::process::{Pid, Signal, kill_process};

/// Set for the child process.
const CHILD: &str = "BENCHBOOK_SIGNALS_CHILD";

/// The child process: prints the first signal and continues.
#[tokio::test]
async fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let signals = Signals::listen().expect("the handlers can be installed");
    print("\nlistening");
    let first = signals.first().await;
    print(&format!("{first:?}"));
    std::future::pending::<()>().await;
}

fn print(line: &str) {
    let mut output = io::stdout();
    writeln!(output, "{line}").and_then(|()| output.flush()).expect("the parent reads the output");
}

fn send(child: &Child, signal: Signal) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process id");
    kill_process(pid, signal).expect("the process exists");
}

#[test]
fn the_first_signal_is_reported_and_the_second_exits() {
    for (first, printed, second, code) in
        [(Signal::INT, "Interrupt", Signal::TERM, 143), (Signal::TERM, "Terminate", Signal::INT, 130)]
    {
        let program = std::env::current_exe().expect("this program has a path");
        let mut child = Command::new(program)
            .args(["--exact", "signals::child", "--nocapture"])
            .env(CHILD, "1")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the child starts");
        let mut lines = BufReader::new(child.stdout.take().expect("the output is piped")).lines();
        let mut wait_for = |expected| {
            assert!(lines.any(|line| line.expect("a line of text") == expected), "{expected} was not printed");
        };
        wait_for("listening");
        send(&child, first);
        wait_for(printed);
        send(&child, second);
        assert_eq!(child.wait().expect("the child exits").code(), Some(code));
    }
}
