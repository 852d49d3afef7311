//! The durations of single tests, from the times at which the lines of `cargo test` appear.
//!
//! The stable test harness prints when a test ends, but not when it starts. It starts tests in the order of their names, a
//! fixed number at a time, and the next one whenever one ends (`run_tests` in Rust's library/test/src/lib.rs). So the i-th
//! test starts when `threads` fewer have ended. A duration includes the time for which the test waited for others, such as
//! for the only browser.

use std::fmt;
use std::time::Duration;

/// The number of tests in the report.
const LISTED: usize = 10;

/// Reads lines of `cargo test`, and collects the durations. The number of threads is set before the first line.
#[derive(Default)]
pub(super) struct Durations {
    /// How many tests a program runs at the same time, at least 1.
    threads: usize,
    /// When the current program printed its first line.
    started: Duration,
    /// The ended tests of the current program and their times.
    ended: Vec<(String, Duration)>,
    durations: Vec<(String, Duration)>,
}

impl Durations {
    /// States how many tests the next programs run at the same time.
    pub(super) fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// Adds a line that appeared at this time, on any clock.
    pub(super) fn add_line(&mut self, at: Duration, line: &str) {
        if line.starts_with("running ") {
            self.finish_program();
            self.started = at;
        } else if let Some((name, "ok" | "FAILED")) =
            line.strip_prefix("test ").and_then(|result| result.rsplit_once(" ... "))
        {
            self.ended.push((name.to_owned(), at));
        } else if line.starts_with("test result: ") {
            self.finish_program();
        }
    }

    fn finish_program(&mut self) {
        let ended = std::mem::take(&mut self.ended);
        let mut names: Vec<&str> = ended.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        for (name, at) in &ended {
            let index = names.binary_search(&name.as_str()).unwrap_or_default();
            let started = index.checked_sub(self.threads).map_or(self.started, |before| ended[before].1);
            self.durations.push((name.clone(), at.saturating_sub(started)));
        }
    }
}

impl fmt::Display for Durations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut slowest: Vec<_> = self.durations.iter().collect();
        slowest.sort_by_key(|(_, duration)| std::cmp::Reverse(*duration));
        slowest.truncate(LISTED);
        if !slowest.is_empty() {
            writeln!(f, "\nThe {} slowest tests, waits included:", slowest.len())?;
        }
        slowest.iter().try_for_each(|(name, duration)| writeln!(f, "{:>8.1} s  {name}", duration.as_secs_f64()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn durations(threads: usize, lines: &[(u64, &str)]) -> Vec<(String, u64)> {
        let mut durations = Durations::default();
        durations.set_threads(threads);
        lines.iter().for_each(|(at, line)| durations.add_line(Duration::from_secs(*at), line));
        durations.durations.into_iter().map(|(name, duration)| (name, duration.as_secs())).collect()
    }

    fn expected(durations: &[(&str, u64)]) -> Vec<(String, u64)> {
        durations.iter().map(|(name, seconds)| ((*name).to_owned(), *seconds)).collect()
    }

    #[test]
    fn a_test_starts_when_a_thread_is_free() {
        // With two threads `a` and `b` start at 10, `c` when `b` ends, and `d` when `c` ends.
        let lines = [
            (10, "running 4 tests"),
            (11, "test b ... ok"),
            (13, "test c ... FAILED"),
            (15, "test a ... ok"),
            (18, "test d ... ok"),
            (18, "test result: FAILED. 3 passed; 1 failed"),
        ];
        assert_eq!(durations(2, &lines), expected(&[("b", 1), ("c", 2), ("a", 5), ("d", 5)]));
    }

    #[test]
    fn one_thread_runs_tests_one_after_the_other() {
        let lines =
            [(0, "running 2 tests"), (3, "test a ... ok"), (4, "test b ... ok"), (4, "test result: ok. 2 passed")];
        assert_eq!(durations(1, &lines), expected(&[("a", 3), ("b", 1)]));
    }

    #[test]
    fn each_program_restarts_the_clock_and_other_lines_are_ignored() {
        let lines = [
            (0, "running 1 test"),
            (2, "test a ... ok"),
            (2, "test result: ok. 1 passed"),
            (5, "running 2 tests"),
            (6, "something that a test prints ... ok"),
            (7, "test slow::one ... ok"),
            (7, "test ignored_one ... ignored, why"),
            (8, "test result: ok. 1 passed"),
        ];
        assert_eq!(durations(4, &lines), expected(&[("a", 2), ("slow::one", 2)]));
    }

    #[test]
    fn the_report_lists_the_slowest_first() {
        let mut all = Durations::default();
        all.set_threads(1);
        all.add_line(Duration::ZERO, "running 12 tests");
        let mut at = 0;
        for seconds in 1..=12 {
            at += seconds;
            all.add_line(Duration::from_secs(at), &format!("test t{seconds:02} ... ok"));
        }
        all.add_line(Duration::from_secs(at), "test result: ok.");
        let report = all.to_string();
        let lines: Vec<_> = report.lines().skip(1).collect();
        assert_eq!(lines[0], "The 10 slowest tests, waits included:");
        assert_eq!((lines[1], lines[10]), ("    12.0 s  t12", "     3.0 s  t03"));
        assert_eq!(lines.len(), 11);
        assert_eq!(Durations::default().to_string(), "");
    }
}
