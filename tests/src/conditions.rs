//! What a benchmark was run on, and how busy that was.

use std::fs;
use std::time::Instant;

/// What there was when it began.
#[derive(Debug)]
pub struct Conditions {
    machine: String,
    load: String,
    start: Instant,
}

impl Conditions {
    /// What there is now; `browser`: name and version of the one that measures.
    pub fn now(browser: Option<&str>) -> Self {
        let place = browser.map_or_else(String::new, |browser| format!(", {browser}"));
        Self { machine: format!("{}{place}", processor()), load: load(), start: Instant::now() }
    }

    /// Prints them, with what there is now.
    pub fn print(&self) {
        let seconds = self.start.elapsed().as_secs();
        println!("\n{}; load {} at the beginning, {} at the end, after {seconds} s.", self.machine, self.load, load());
    }
}

/// The processor's name, and how many there are.
fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split(": ").nth(1));
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{count} × {}", name.unwrap_or("a processor that does not tell its name"))
}

/// How many processes wanted to run, the mean of the last minute; where the system tells it.
fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown").to_owned()
}
