//! A function that attacks its host in every way that a measured function can.

#![cfg_attr(target_arch = "wasm32", expect(dead_code, unused_imports, reason = "native functions have no body there"))]

use std::fmt::Display;
use std::fs::{self, File};
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, io, thread};

use benchbook::prelude::*;

use crate::BAD;
use crate::generators::sizes;

/// The file that only the host may read.
const SECRET: &str = "/etc/passwd";

/// More than the scratch folder has room for in tests.
const TOO_MUCH: usize = 3 << 20;

/// Attacks its host, and reports the outcome of each attempt in a panic, one per line: `name: ok` or `name: the error`.
#[measured(native, generators(sizes))]
fn attacks(size: u32) {
    if size >= BAD {
        let mut report = String::new();
        for (name, attempt) in ATTEMPTS {
            let outcome = attempt();
            report.push_str(&format!(
                "{name}: {}; ",
                outcome.as_ref().map_or_else(ToString::to_string, |()| "ok".to_owned())
            ));
        }
        panic!("{report}");
    }
}

type Attempt = fn() -> io::Result<()>;

const ATTEMPTS: [(&str, Attempt); 15] = [
    ("read a secret", || fs::read(SECRET).map(drop)),
    ("list the root's home", || fs::read_dir("/root").map(drop)),
    ("list a folder of the host", || non_empty("/var")),
    ("read the environment of the host", || fs::read(format!("/proc/{}/environ", parent())).and_then(not_empty)),
    ("see other processes", see_other_processes),
    ("find the configuration", find_configuration),
    ("connect", || TcpStream::connect("127.0.0.1:22").map(drop)),
    ("listen", || TcpListener::bind("127.0.0.1:0").map(drop)),
    ("start a process", || Command::new("/proc/self/exe").stdin(Stdio::null()).spawn().map(drop)),
    ("write to the libraries", || create("/usr/lib/benchbook")),
    ("write to the root", || create("/benchbook")),
    ("write to its program", || File::options().write(true).open("/proc/self/exe").map(drop)),
    ("fill the disk", fill_the_disk),
    ("leave its core", leave_its_core),
    ("kill its host", kill_its_host),
];

#[cfg(unix)]
fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

#[cfg(not(unix))]
fn parent() -> u32 {
    0
}

/// Creates a file, and removes it again.
fn create(path: &str) -> io::Result<()> {
    File::create(path)?;
    fs::remove_file(path)
}

fn error(message: impl Display) -> io::Error {
    io::Error::other(message.to_string())
}

fn not_empty(bytes: Vec<u8>) -> io::Result<()> {
    if bytes.is_empty() { Err(error("empty")) } else { Ok(()) }
}

fn non_empty(folder: &str) -> io::Result<()> {
    fs::read_dir(folder)?.next().map_or_else(|| Err(error("empty")), |_| Ok(()))
}

/// Its own namespace contains its init process and itself.
fn see_other_processes() -> io::Result<()> {
    let is_process = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
    let names = fs::read_dir("/proc")?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    match names.filter(|name| is_process(name)).count() {
        0..=2 => Err(error("only its own")),
        _ => Ok(()),
    }
}

fn find_configuration() -> io::Result<()> {
    // The contract's own variables: a folder for the suite, and the version of the contract.
    let allowed = ["BENCHBOOK_SCRATCH", "BENCHBOOK_HOST"];
    let mut names = env::vars().map(|(name, _)| name).filter(|name| name.starts_with("BENCHBOOK_"));
    names.find(|name| !allowed.contains(&name.as_str())).map_or_else(|| Err(error("none")), |_| Ok(()))
}

fn fill_the_disk() -> io::Result<()> {
    let folder = env::var_os("BENCHBOOK_SCRATCH").ok_or_else(|| error("no folder"))?;
    let mut file = File::create(Path::new(&folder).join("endless"))?;
    file.write_all(&vec![1; TOO_MUCH])
}

/// Allows the process to run on all cores.
#[cfg(target_os = "linux")]
fn leave_its_core() -> io::Result<()> {
    use rustix::thread::{CpuSet, sched_setaffinity};

    let mut all = CpuSet::new();
    (0..thread::available_parallelism()?.get().max(64)).for_each(|core| all.set(core));
    Ok(sched_setaffinity(None, &all)?)
}

#[cfg(not(target_os = "linux"))]
fn leave_its_core() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Signal 0 only tests whether a signal could be sent.
#[cfg(unix)]
fn kill_its_host() -> io::Result<()> {
    use rustix::process::{Pid, Signal, kill_process, test_kill_process};

    let mut hosts = (2..40_000).filter_map(Pid::from_raw).filter(|id| *id != rustix::process::getpid());
    match hosts.find(|id| test_kill_process(*id).is_ok()) {
        Some(_) => Ok(()),
        None => {
            // The init process of its namespaces ignores it.
            let init = rustix::process::getppid().ok_or_else(|| error("no parent"))?;
            kill_process(init, Signal::KILL)?;
            Err(error("nobody"))
        }
    }
}

#[cfg(not(unix))]
fn kill_its_host() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
