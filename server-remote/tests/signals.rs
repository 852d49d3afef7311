//! Signals that end a runner, sent to a real process: this test again, as a child.
#![cfg(unix)]

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use benchbook_server::signals::Signals;
use rustix::process::{Pid, Signal, kill_process};

/// Tells the child that it is one.
const CHILD: &str = "BENCHBOOK_SIGNALS_CHILD";

/// Not a test by itself: listens, tells what comes, and goes on.
#[tokio::test]
async fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let signals = Signals::listen().expect("the system lets us listen");
    say("\nlistening");
    let first = signals.first().await;
    say(&format!("{first:?}"));
    std::future::pending::<()>().await;
}

fn say(line: &str) {
    let mut output = io::stdout();
    writeln!(output, "{line}").and_then(|()| output.flush()).expect("the test reads it");
}

fn send(child: &Child, signal: Signal) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("it is a process");
    kill_process(pid, signal).expect("it is there");
}

#[test]
fn the_first_signal_is_told_and_the_second_ends_it() {
    for (first, told, second, code) in
        [(Signal::INT, "Interrupt", Signal::TERM, 143), (Signal::TERM, "Terminate", Signal::INT, 130)]
    {
        let program = std::env::current_exe().expect("it runs");
        let mut child = Command::new(program)
            .args(["--exact", "child", "--nocapture"])
            .env(CHILD, "1")
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let mut wait_for = |expected| {
            assert!(lines.any(|line| line.expect("it is a text") == expected), "{expected} was never told");
        };
        wait_for("listening");
        send(&child, first);
        wait_for(told);
        send(&child, second);
        assert_eq!(child.wait().expect("it ended").code(), Some(code));
    }
}
