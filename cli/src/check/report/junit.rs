//! The report for continuous integration, as JUnit XML.

use std::collections::BTreeSet;

use benchbook_terminal::output::with_ordinary_spaces;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::check_report::CheckReport;
use super::finding::Finding;
use super::point::ReportedPoint;

/// The test suite of the measurements that failed: their sentences name the functions.
const FAILURES: &str = "failed measurements";

/// The test suite of the changes that all functions have in common.
const TOGETHER: &str = "the median of all functions";

impl CheckReport {
    /// The report as JUnit XML: a test case for each point. `strict`: whether an undecided point is a failure.
    pub(super) fn junit(&self, strict: bool) -> String {
        let mut report = Report::new("cargo benchbook check");
        let suites: BTreeSet<&str> = self.points.iter().map(|point| point.benchmark.suite.as_str()).collect();
        for name in suites {
            let mut suite = TestSuite::new(name);
            let points = self.points.iter().filter(|point| point.benchmark.suite == name);
            suite.add_test_cases(points.map(|point| test_case(point, strict)));
            report.add_test_suite(suite);
        }
        if !self.common_changes().is_empty() {
            let mut suite = TestSuite::new(TOGETHER);
            suite.add_test_cases(self.all_functions.iter().filter_map(|one| {
                let sentence = one.sentence()?;
                let mut status = match one.finding.is_regression() {
                    true => TestCaseStatus::non_success(NonSuccessKind::Failure),
                    false => TestCaseStatus::success(),
                };
                status.set_type(one.finding.name()).set_message(sentence.as_str());
                Some(TestCase::new(TOGETHER, status))
            }));
            report.add_test_suite(suite);
        }
        if self.has_failed() {
            let mut suite = TestSuite::new(FAILURES);
            suite.add_test_cases(self.failures.iter().map(|failure| {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
                status.set_type("failed").set_message(failure.as_str());
                TestCase::new(failure.as_str(), status)
            }));
            report.add_test_suite(suite);
        }
        with_ordinary_spaces(&report.to_string().expect("writing to a string succeeds"))
    }
}

/// The name is the same in each report, so that a dashboard recognizes the point.
fn test_case(point: &ReportedPoint, strict: bool) -> TestCase {
    let name = point.finding.name();
    let mut status = match point.finding {
        Finding::Slower | Finding::More => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Finding::Undecided | Finding::CodeGeneration if strict => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Finding::NotComparable | Finding::New => TestCaseStatus::skipped(),
        Finding::Undecided
        | Finding::CodeGeneration
        | Finding::Deliberate
        | Finding::Faster
        | Finding::Less
        | Finding::Same
        | Finding::SameCode => TestCaseStatus::success(),
    };
    let detail = match point.change_text() {
        _ if point.finding == Finding::New => ": there is nothing to compare it with".to_owned(),
        change if change.is_empty() => change,
        change => format!(": {change}"),
    };
    let remarks: String = point.remarks.iter().map(|remark| format!("; {remark}")).collect();
    let message = format!("{name}{detail}{remarks}");
    // A success has no message.
    status.set_type(name).set_message(message.as_str());
    let mut case = TestCase::new(point.full_name(), status);
    case.set_classname(format!("{}::{}", point.benchmark.suite, point.benchmark.function));
    let mean = point.mean.map(|_| format!("mean {}; ", point.mean_text())).unwrap_or_default();
    case.set_system_out(format!("{mean}{message}"));
    case
}
