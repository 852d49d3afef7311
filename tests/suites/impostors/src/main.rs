//! A program that imitates a suite, and misbehaves in the way that its file name states. One program, so that it is linked once;
//! the tests start it by links with these names.

mod proper;

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::{Command, abort, exit};
use std::{env, thread};

use benchbook_contract::catalog::Suite;
use benchbook_contract::parameter::Argument;
use benchbook_contract::protocol::{
    FailedPart, HostMessage, LaneTarget, Open, OpenReply, PROTOCOL, RequestFailure, Samples, SuiteMessage,
};
use proper::{proper, suite};
use rustix::stdio;

fn main() {
    let program = env::args_os().next().unwrap_or_default();
    let name = Path::new(&program).file_name().unwrap_or_default().to_string_lossy().into_owned();
    match name.as_str() {
        // Exits at once, with a message on standard error.
        "dying" => {
            eprintln!("the licence has run out");
            exit(3);
        }
        // Reads messages but never replies.
        "silent" => converse(|_| Vec::new()),
        // Closes standard output, but does not exit.
        "mute" => {
            stdio::dup2_stdout(stdio::stderr()).expect("standard error is open");
            park();
        }
        // Responds to each message with text that is not JSON.
        "garbage" => converse(|_| {
            println!("Usage: garbage [OPTIONS]");
            Vec::new()
        }),
        "flooding" => write_endlessly(b"more, and more, and more\n"),
        // One line.
        "endless" => write_endlessly(&[b'x'; 4096]),
        // Have another version of the protocol.
        "previous" => converse(|_| vec![SuiteMessage::Catalog { protocol: PROTOCOL - 1, suite: suite() }]),
        "future" => converse(|_| vec![SuiteMessage::Catalog { protocol: PROTOCOL + 1, suite: suite() }]),
        // A program that is compiled to abort, and panics while it lists some of its parts.
        "aborting" => converse(|message| match &message {
            HostMessage::Describe { without, .. } => vec![without_parts(without)],
            _ => vec![proper(message)],
        }),
        // Its clock does not advance.
        "stopped" => converse(|message| vec![with_samples(message, |samples| samples.elapsed.fill(0.0))]),
        // The others have a usable clock. This one measures negative times with it.
        "backwards" => converse(|message| vec![with_measured(message, |samples| samples.elapsed.fill(-1.0))]),
        // Sends one batch too few.
        "mistaken" => converse(|message| {
            vec![with_measured(message, |samples| samples.elapsed.truncate(samples.elapsed.len() - 1))]
        }),
        // Opens workloads whose rounds have no calls.
        "roundless" => converse(|message| match proper(message) {
            SuiteMessage::Opened(opened) => vec![SuiteMessage::Opened(OpenReply { round: 0, ..opened })],
            other => vec![other],
        }),
        // Sends each reply twice, except the catalog and the clock's samples.
        "repeating" => converse(|message| match proper(message) {
            once @ SuiteMessage::Catalog { .. } => vec![once],
            SuiteMessage::Samples(samples) if samples.target == LaneTarget::Clock => {
                vec![SuiteMessage::Samples(samples)]
            }
            other => vec![other.clone(), other],
        }),
        // An endless sequence of unrequested messages.
        "babbling" => on_open(|_| {
            loop {
                send(&SuiteMessage::Closed { slot: 0 });
            }
        }),
        // Incomplete JSON.
        "raving" => on_open(|_| {
            eprintln!("I am not well");
            println!("{{\"type\":\"opened\",");
        }),
        // One endless line.
        "gushing" => on_open(|_| write_endlessly(&[b'x'; 1 << 16])),
        // Closes its output, but does not exit.
        "closing" => on_open(|_| {
            let null = File::options().write(true).open("/dev/null").expect("/dev/null can be opened");
            stdio::dup2_stdout(&null).expect("standard output is open");
            stdio::dup2_stderr(&null).expect("standard error is open");
            park();
        }),
        // Exits above 0, and leaves behind a process that holds its pipes.
        "lingering" => above_zero(|| {
            // If it fails, nothing holds the pipes, and the test passes for another reason.
            let holder = Command::new("sleep").arg("1000").spawn();
            exit(if holder.is_ok() { 7 } else { 8 });
        }),
        // Measures correctly, but allows itself to run on every core above 0.
        "roaming" => above_zero(leave_core),
        // Measures correctly, but ignores the end of its input and SIGTERM.
        "stubborn" => {
            ctrlc::set_handler(|| {}).expect("no other handler is set");
            converse(|message| vec![proper(message)]);
            park();
        }
        _ => panic!("no impostor has the name {name}"),
    }
}

/// Sends the replies of `respond` to each message, until standard input ends.
fn converse(mut respond: impl FnMut(HostMessage) -> Vec<SuiteMessage>) {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let Ok(message) = serde_json::from_str(&line) else { return };
        respond(message).iter().for_each(send);
    }
}

/// Sends a message, or exits if the host is gone.
fn send(message: &SuiteMessage) {
    let line = serde_json::to_string(message).expect("messages have a JSON form");
    if writeln!(io::stdout(), "{line}").is_err() {
        exit(1);
    }
}

/// Replies correctly, except to `open`.
fn on_open(misbehave: impl Fn(&Open)) {
    converse(|message| match &message {
        HostMessage::Open(open) => {
            misbehave(open);
            Vec::new()
        }
        _ => vec![proper(message)],
    });
}

/// Replies correctly, but does something before it opens a size above 0.
fn above_zero(misbehave: impl Fn()) {
    converse(|message| {
        if let HostMessage::Open(open) = &message
            && matches!(open.arguments.get("size"), Some(Argument::Number(size)) if *size > 0.0)
        {
            misbehave();
        }
        vec![proper(message)]
    });
}

/// The correct reply, with other samples.
fn with_samples(message: HostMessage, change: impl Fn(&mut Samples)) -> SuiteMessage {
    match proper(message) {
        SuiteMessage::Samples(mut samples) => {
            change(&mut samples);
            SuiteMessage::Samples(samples)
        }
        other => other,
    }
}

/// As [`with_samples`], for every target except the clock.
fn with_measured(message: HostMessage, change: impl Fn(&mut Samples)) -> SuiteMessage {
    with_samples(message, |samples| {
        if samples.target != LaneTarget::Clock {
            change(samples);
        }
    })
}

/// Reports the next part that fails, and ends; or the catalog without these parts.
fn without_parts(without: &[FailedPart]) -> SuiteMessage {
    let missing = ["corpus", "licence"].into_iter().find(|part| without.iter().all(|failed| failed.part != *part));
    let Some(part) = missing else {
        let notes = without.iter().map(|failed| format!("{}: {}", failed.part, failed.reason)).collect();
        return SuiteMessage::Catalog { protocol: PROTOCOL, suite: Suite { notes, ..suite() } };
    };
    let (reason, part) = ("no such file".to_owned(), Some(part.to_owned()));
    send(&SuiteMessage::Failed(RequestFailure { reason, part, ..RequestFailure::default() }));
    abort();
}

fn write_endlessly(bytes: &[u8]) {
    while io::stdout().write_all(bytes).is_ok() {}
}

fn park() -> ! {
    loop {
        thread::park();
    }
}

#[cfg(target_os = "linux")]
fn leave_core() {
    use rustix::thread::{CpuSet, sched_setaffinity};

    let mut all = CpuSet::new();
    (0..CpuSet::MAX_CPU).for_each(|core| all.set(core));
    // If it fails, the test notices.
    let _ = sched_setaffinity(None, &all);
}

#[cfg(not(target_os = "linux"))]
fn leave_core() {}
