//! Functions that fail in ways that require a process.

#![cfg_attr(target_arch = "wasm32", expect(dead_code, unused_imports, reason = "native functions have no body there"))]

use std::fs::File;
use std::hint::black_box;
use std::io::{Read, Write, stderr};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, thread};

use benchbook::prelude::*;

use crate::BAD;
use crate::generators::sizes;

/// The environment variable with the address of the test's listener.
const LISTENER: &str = "MISBEHAVING_LISTENER";

/// Reports the limits, the core and the niceness of its process in a panic.
#[measured(native, generators(sizes))]
fn reports_its_limits(size: u32) {
    if size >= BAD {
        let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
        let soft = limits.lines().skip(1).map(|line| {
            let (name, values) = line.split_at(26.min(line.len()));
            format!("{}={}", name.trim(), values.split_whitespace().next().unwrap_or_default())
        });
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let cores = status.lines().find(|line| line.starts_with("Cpus_allowed_list")).unwrap_or_default();
        let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
        // The fields after the parenthesised program name start with field 3: field 5 is the process group, 19 the
        // niceness.
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        let leads = fields[2] == std::process::id().to_string();
        let soft = soft.collect::<Vec<_>>().join(";");
        panic!("{soft};{};nice={};leads={leads}", cores.replace(":\t", "="), fields[16]);
    }
}

/// Starts a thread that stays, as a thread pool does.
#[measured(native, generators(sizes))]
fn starts_a_thread(size: u32) {
    static THREAD: OnceLock<()> = OnceLock::new();
    THREAD.get_or_init(|| _ = thread::spawn(thread::park));
    reports_its_limits(size);
}

/// Sends a signal to this process, without a shell.
#[cfg(unix)]
fn raise(signal: rustix::process::Signal) {
    // The process dies before it could handle an error.
    let _ = rustix::process::kill_process(rustix::process::getpid(), signal);
}

/// Dies by SIGSEGV, as after an illegal memory access.
#[measured(native, generators(sizes))]
fn faults(size: u32) {
    #[cfg(unix)]
    if size >= BAD {
        raise(rustix::process::Signal::SEGV);
    }
}

/// Dies by SIGKILL, as if the system were out of memory.
#[measured(native, generators(sizes))]
fn is_killed(size: u32) {
    #[cfg(unix)]
    if size >= BAD {
        raise(rustix::process::Signal::KILL);
    }
}

/// Writes a message to standard error and hangs.
#[measured(native, generators(sizes))]
fn complains_and_hangs(size: u32) {
    if size >= BAD {
        eprintln!("I am waiting for a lock");
        loop {
            thread::park();
        }
    }
}

/// Writes an endless line to standard error.
#[measured(native, generators(sizes))]
fn floods(size: u32) {
    while black_box(size) >= BAD {
        // Continues even if the host no longer reads.
        let _ = stderr().write_all(&[b'x'; 1 << 16]);
    }
}

/// Writes an endless file.
#[measured(native, generators(sizes))]
fn fills_the_disk(size: u32) -> std::io::Result<()> {
    let folder = env::var_os("BENCHBOOK_SCRATCH").unwrap_or_default();
    let mut file = File::create(std::path::Path::new(&folder).join("endless"))?;
    while black_box(size) >= BAD {
        file.write_all(&[0; 1 << 16])?;
    }
    Ok(())
}

/// Opens files up to the limit.
#[measured(native, generators(sizes))]
fn opens_files(size: u32) {
    let mut files = Vec::new();
    while black_box(size) >= BAD {
        match File::open("/dev/null") {
            Ok(file) => files.push(black_box(file)),
            Err(error) => panic!("{} files: {error}", files.len()),
        }
    }
}

/// Maps memory for a large stack, without its allocator.
#[measured(native, generators(sizes))]
fn maps_memory(size: u32) {
    if size >= BAD {
        let roomy = thread::Builder::new().stack_size(8 << 30).spawn(|| {});
        assert!(roomy.is_ok(), "no stack: {roomy:?}");
    }
}

/// Panics with a message of megabytes.
#[measured(native, generators(sizes))]
fn panics_at_length(size: u32) {
    assert!(size < BAD, "{}", "no ".repeat(1 << 20));
}

/// Aborts and leaves behind a process that inherited standard error.
#[measured(native, generators(sizes))]
fn leaves_an_orphan(size: u32) {
    if size >= BAD {
        let orphan = Command::new("sleep").arg("1000").stdin(Stdio::null()).spawn();
        eprintln!("an orphan: {}", orphan.is_ok());
        std::process::abort();
    }
}

/// Starts up to a hundred processes that inherit standard error, and hangs.
#[measured(native, generators(sizes))]
fn multiplies(size: u32) {
    if size >= BAD {
        let started = (0..100).map_while(|_| Command::new("sleep").arg("1000").stdin(Stdio::null()).spawn().ok());
        eprintln!("{} processes", started.count());
        loop {
            thread::park();
        }
    }
}

/// Starts a process, sends its ID to the listener, and hangs.
#[measured(native, generators(sizes))]
fn starts_a_process(size: u32) {
    if size >= BAD {
        let process = Command::new("sleep").arg("1000").stdin(Stdio::null()).spawn();
        let listener = env::var(LISTENER).map(TcpStream::connect);
        if let (Ok(process), Ok(Ok(mut listener))) = (process, listener) {
            let result = writeln!(listener, "{}", process.id());
            eprintln!("sent: {result:?}");
        }
        loop {
            thread::park();
        }
    }
}

/// Sends its size to the listener and waits for a reply, which yields the core.
#[measured(native, generators(sizes))]
fn waits_for_a_listener(size: u32) -> std::io::Result<()> {
    static STREAM: OnceLock<Option<TcpStream>> = OnceLock::new();
    let stream = STREAM.get_or_init(|| TcpStream::connect(env::var(LISTENER).ok()?).ok());
    let mut listener = stream.as_ref().ok_or(std::io::ErrorKind::NotConnected)?;
    // A single write: a second packet would wait for the acknowledgement of the first.
    listener.write_all(format!("{size}\n").as_bytes())?;
    listener.read_exact(&mut [0])
}

/// The calls of this process.
static CALLS: AtomicU32 = AtomicU32::new(0);

/// The number of processes in the log from which on first calls fail.
const PROCESSES: usize = 6;

/// Appends the process and the number of the call to a log, for the first two calls of a process. From [`BAD`] on, the first
/// call of the sixth process panics, and from twice [`BAD`] on, it never returns.
#[measured(native, generators(logs))]
fn logs_its_calls((path, severity): (String, u32)) {
    let call = CALLS.fetch_add(1, Ordering::Relaxed) + 1;
    if call <= 2 {
        let line = format!("{} {call}\n", std::process::id());
        let log = File::options().create(true).append(true).open(&path);
        log.and_then(|mut log| log.write_all(line.as_bytes())).expect("the log is writable");
    }
    if call == 1 && severity >= BAD {
        let log = fs::read_to_string(&path).unwrap_or_default();
        if log.lines().filter(|line| line.ends_with(" 1")).count() >= PROCESSES {
            assert!(severity >= 2 * BAD, "too many processes");
            while black_box(true) {}
        }
    }
}

/// A log.
#[generator(native, name = "Logs")]
fn logs(
    _service: &Service,
    /// The path of the log.
    #[parameter(default = "")]
    path: String,
    /// Severity.
    #[parameter(min = 0, max = 20, default = 0..=20)]
    severity: u32,
) -> Fresh<(String, u32)> {
    Fresh::new(move |_| (path.clone(), severity))
}
