//! Functions that misbehave as only a process can.

#![cfg_attr(target_arch = "wasm32", expect(dead_code, unused_imports, reason = "native functions have no body there"))]

use std::fs::File;
use std::hint::black_box;
use std::io::{Read, Write, stderr};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::{env, fs, thread};

use benchbook::prelude::*;

use crate::BAD;
use crate::generators::sizes;

/// Holds the address of whoever listens to what happens here.
const LISTENER: &str = "MISBEHAVING_LISTENER";

/// Tells what it lives under, as the last words of a panic.
#[measured(native, generators(sizes))]
fn tells_its_guard(size: u32) {
    if size >= BAD {
        let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
        let soft = limits.lines().skip(1).map(|line| {
            let (name, values) = line.split_at(26.min(line.len()));
            format!("{}={}", name.trim(), values.split_whitespace().next().unwrap_or_default())
        });
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let cores = status.lines().find(|line| line.starts_with("Cpus_allowed_list")).unwrap_or_default();
        let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
        // After the program's name in parentheses come fields 3 and on; the 5th is the group, the 19th niceness.
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        let leads = fields[2] == std::process::id().to_string();
        let soft = soft.collect::<Vec<_>>().join(";");
        panic!("{soft};{};nice={};leads={leads}", cores.replace(":\t", "="), fields[16]);
    }
}

/// Has a shell send it a signal.
fn signal(name: &str) {
    let script = format!("kill -{name} {}", std::process::id());
    // Nobody is left to look at what came of it.
    let _ = Command::new("sh").args(["-c", &script]).status();
}

/// Dies as of an illegal access.
#[measured(native, generators(sizes))]
fn crashes(size: u32) {
    if size >= BAD {
        signal("SEGV");
    }
}

/// Dies as where the system is out of memory.
#[measured(native, generators(sizes))]
fn is_killed(size: u32) {
    if size >= BAD {
        signal("KILL");
    }
}

/// Says why, and then nothing more.
#[measured(native, generators(sizes))]
fn complains_and_hangs(size: u32) {
    if size >= BAD {
        eprintln!("I am waiting for a lock");
        loop {
            thread::park();
        }
    }
}

/// Writes to standard error for ever, without a line's end.
#[measured(native, generators(sizes))]
fn floods(size: u32) {
    while black_box(size) >= BAD {
        // A host that no longer listens is no reason to stop.
        let _ = stderr().write_all(&[b'x'; 1 << 16]);
    }
}

/// Writes a file without end.
#[measured(native, generators(sizes))]
fn fills_the_disk(size: u32) -> std::io::Result<()> {
    let folder = env::var_os("BENCHBOOK_SCRATCH").unwrap_or_default();
    let mut file = File::create(std::path::Path::new(&folder).join("endless"))?;
    while black_box(size) >= BAD {
        file.write_all(&[0; 1 << 16])?;
    }
    Ok(())
}

/// Opens files until it may not.
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

/// Computes for ever.
#[measured(native, generators(sizes))]
fn computes(size: u32) {
    while black_box(size) >= BAD {}
}

/// Wants more memory than its allocator is asked for.
#[measured(native, generators(sizes))]
fn maps_memory(size: u32) {
    if size >= BAD {
        let roomy = thread::Builder::new().stack_size(8 << 30).spawn(|| {});
        assert!(roomy.is_ok(), "no stack: {roomy:?}");
    }
}

/// Says more than anyone wants to read.
#[measured(native, generators(sizes))]
fn panics_at_length(size: u32) {
    assert!(size < BAD, "{}", "no ".repeat(1 << 20));
}

/// Dies, and leaves a process behind that holds its standard error.
#[measured(native, generators(sizes))]
fn leaves_an_orphan(size: u32) {
    if size >= BAD {
        let orphan = Command::new("sleep").arg("1000").stdin(Stdio::null()).spawn();
        eprintln!("an orphan: {}", orphan.is_ok());
        std::process::abort();
    }
}

/// Starts processes that hold its standard error and outlive it, as many as it may up to a hundred, and hangs.
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

/// Starts a process that would outlive it, tells a listener which, and hangs.
#[measured(native, generators(sizes))]
fn has_company(size: u32) {
    if size >= BAD {
        let company = Command::new("sleep").arg("1000").stdin(Stdio::null()).spawn();
        let listener = env::var(LISTENER).map(TcpStream::connect);
        if let (Ok(company), Ok(Ok(mut listener))) = (company, listener) {
            let told = writeln!(listener, "{}", company.id());
            eprintln!("told: {told:?}");
        }
        loop {
            thread::park();
        }
    }
}

/// Tells a listener its size and waits until that answers: it gives its core away of its own accord.
#[measured(native, generators(sizes))]
fn waits_for_a_listener(size: u32) -> std::io::Result<()> {
    static STREAM: OnceLock<Option<TcpStream>> = OnceLock::new();
    let stream = STREAM.get_or_init(|| TcpStream::connect(env::var(LISTENER).ok()?).ok());
    let mut listener = stream.as_ref().ok_or(std::io::ErrorKind::NotConnected)?;
    // As one packet: the rest of a line in two would wait until the first is acknowledged.
    listener.write_all(format!("{size}\n").as_bytes())?;
    listener.read_exact(&mut [0])
}
