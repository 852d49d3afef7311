//! The environment of a benchmark: processor, browser, load and duration.

use std::fs;
use std::time::Instant;

/// The conditions at the start of a benchmark.
#[derive(Debug)]
pub struct Conditions {
    machine: String,
    load: String,
    start: Instant,
}

impl Conditions {
    /// Records the current conditions; `browser` is the name and version of the measuring browser.
    pub fn now(browser: Option<&str>) -> Self {
        let browser = browser.map_or_else(String::new, |browser| format!(", {browser}"));
        Self { machine: format!("{}{browser}", processor()), load: load(), start: Instant::now() }
    }

    /// Prints the conditions, with the current load and the elapsed time.
    pub fn print(&self) {
        let seconds = self.start.elapsed().as_secs();
        println!("\n{}; load {} at the beginning, {} at the end, after {seconds} s.", self.machine, self.load, load());
    }
}

/// The number of processors and their model.
fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split(": ").nth(1));
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{count} × {}", name.unwrap_or("unknown processor"))
}

/// The load average of the last minute, or `unknown`.
fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown").to_owned()
}
