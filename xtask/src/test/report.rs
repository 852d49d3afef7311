//! The table of stages at the end of the tests.

use std::fmt;
use std::time::Duration;

use super::stage::Stage;

/// The stages, and the time and result of each that has run.
pub(super) struct Report {
    stages: Vec<Stage>,
    results: Vec<(Duration, bool)>,
}

impl Report {
    pub(super) fn new(stages: Vec<Stage>) -> Self {
        Self { stages, results: Vec::new() }
    }

    /// The next stage to run, if any.
    pub(super) fn next(&self) -> Option<Stage> {
        self.stages.get(self.results.len()).copied()
    }

    pub(super) fn add(&mut self, time: Duration, passed: bool) {
        self.results.push((time, passed));
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, stage) in self.stages.iter().enumerate() {
            match self.results.get(index) {
                Some((time, true)) => writeln!(f, "{stage:<8} passed {:>8.1} s", time.as_secs_f64())?,
                Some((time, false)) => writeln!(f, "{stage:<8} FAILED {:>8.1} s", time.as_secs_f64())?,
                None => writeln!(f, "{stage:<8} not run")?,
            }
        }
        let seconds: f64 = self.results.iter().map(|(time, _)| time.as_secs_f64()).sum();
        let passed = self.results.iter().filter(|(_, passed)| *passed).count();
        write!(f, "{passed} of {} stages passed in {seconds:.1} s", self.stages.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_every_stage() {
        let second = Duration::from_secs(1);
        let mut report = Report::new(vec![Stage::Format, Stage::Browser, Stage::Docs]);
        report.add(second, true);
        report.add(second * 2, false);
        assert_eq!(report.next(), Some(Stage::Docs));
        let lines = report.to_string();
        assert_eq!(
            lines.lines().collect::<Vec<_>>(),
            [
                "format   passed      1.0 s",
                "browser  FAILED      2.0 s",
                "docs     not run",
                "1 of 3 stages passed in 3.0 s",
            ]
        );
    }
}
