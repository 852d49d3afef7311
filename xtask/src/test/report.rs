//! The table of stages at the end of the tests.

use std::fmt;
use std::time::Duration;

use super::stage::{Stage, TestLane};

/// The stages, and the time and result of each that has run.
pub(super) struct Report {
    lane: TestLane,
    stages: Vec<Stage>,
    results: Vec<(Duration, bool)>,
}

impl Report {
    pub(super) fn new(lane: TestLane, stages: Vec<Stage>) -> Self {
        Self { lane, stages, results: Vec::new() }
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
        for (index, &stage) in self.stages.iter().enumerate() {
            let Some((time, passed)) = self.results.get(index) else {
                writeln!(f, "{stage:<8} not run")?;
                continue;
            };
            write!(f, "{stage:<8} {} {:>7.1} s", if *passed { "passed" } else { "FAILED" }, time.as_secs_f64())?;
            match stage.budget(self.lane) {
                None => writeln!(f)?,
                Some(budget) => {
                    let warning = if *time > budget { "  ABOVE ITS BUDGET" } else { "" };
                    writeln!(f, " of {:>5} s{warning}", budget.as_secs())?;
                }
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
    fn lists_every_stage_with_its_budget() {
        let mut report = Report::new(TestLane::Default, vec![Stage::Format, Stage::Docs, Stage::Browser]);
        report.add(Duration::from_secs(1), true);
        report.add(Stage::Docs.budget(TestLane::Default).unwrap() + Duration::from_secs(1), false);
        assert_eq!(report.next(), Some(Stage::Browser));
        let lines = report.to_string();
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(lines[0], "format   passed     1.0 s of     5 s");
        assert!(lines[1].starts_with("docs     FAILED") && lines[1].ends_with("ABOVE ITS BUDGET"), "{lines:?}");
        assert_eq!(lines[2], "browser  not run");
        assert!(lines[3].starts_with("1 of 3 stages passed in "), "{lines:?}");
    }
}
