//! The report of a check, as text and as JSON.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::Argument;
use benchbook_host::analyze::history::difference::Difference;
use benchbook_host::analyze::history::verdict::BuildChange;
use benchbook_host::history::{Benchmark, BuildOrigin, MachineClass};
use benchbook_host::units::{Nanos, axis_value, exact_percent, number, percent};
use benchbook_report::export::escaped;
use serde::Serialize;

use super::compared::{ComparedPoint, ComparedRun, PointFinding, ResultToCompare};

/// The version of the JSON form.
const VERSION: u32 = 1;

/// The report of a check.
#[derive(Debug, Serialize)]
pub(super) struct CheckReport {
    /// The version of this form: 1.
    benchbook_check: u32,
    /// The probability that the run reports no change if nothing has changed.
    confidence: f64,
    /// The commit that was compared with; absent if accepted results were.
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<String>,
    /// The confidence of each interval, chosen so that the whole run has its confidence.
    interval_confidence: f64,
    /// The points, those that need attention first.
    points: Vec<ReportedPoint>,
    /// A sentence for each point that could not be measured.
    failures: Vec<String>,
}

/// What was found about a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
enum Finding {
    Slower,
    Undecided,
    NotComparable,
    Faster,
    New,
    Same,
    SameCode,
}

/// A point of the report.
#[derive(Debug, Serialize)]
struct ReportedPoint {
    finding: Finding,
    #[serde(flatten)]
    benchmark: Benchmark,
    /// The axis value; absent without an axis.
    #[serde(skip_serializing_if = "AxisValue::is_absent")]
    x: AxisValue,
    /// The mean in nanoseconds per call; absent if the code is the same, so that it was not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<f64>,
    /// The change from the latest accepted result; absent if it cannot be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<ReportedChange>,
    /// Remarks for the reader.
    remarks: Vec<String>,
    build: BuildOrigin,
    machine: MachineClass,
}

/// A relative change: 0.1 is 10 % slower.
#[derive(Clone, Copy, Debug, Serialize)]
struct ReportedChange {
    relative: f64,
    low: f64,
    high: f64,
}

impl CheckReport {
    /// The report of a run. `confidence`: that of the whole run.
    pub(super) fn new(run: ComparedRun, results: &[ResultToCompare], failures: Vec<String>, confidence: f64) -> Self {
        let mut points: Vec<ReportedPoint> =
            run.points.into_iter().map(|point| ReportedPoint::new(point, results)).collect();
        // Stable: within a finding, the order of the suites remains.
        points.sort_by_key(|point| point.finding);
        Self {
            benchbook_check: VERSION,
            confidence,
            baseline: None,
            interval_confidence: run.confidence,
            points,
            failures,
        }
    }

    /// The same report with the name of the commit that was compared with.
    pub(super) fn with_baseline(self, baseline: Option<String>) -> Self {
        Self { baseline, ..self }
    }

    /// Whether a function has become slower.
    pub(super) fn has_regression(&self) -> bool {
        self.count(Finding::Slower) > 0
    }

    /// Whether it is uncertain for a point whether it has become slower.
    pub(super) fn is_undecided(&self) -> bool {
        self.count(Finding::Undecided) > 0
    }

    /// Whether a point could not be measured.
    pub(super) fn has_failed(&self) -> bool {
        !self.failures.is_empty()
    }

    fn count(&self, finding: Finding) -> usize {
        self.points.iter().filter(|point| point.finding == finding).count()
    }

    /// The report as JSON.
    pub(super) fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report serializes to JSON") + "\n"
    }

    /// The report for a terminal: the answer first, then a row for each point.
    pub(super) fn text(&self) -> String {
        let mut text = format!("\n{}\n\n", self.answer());
        let rows: Vec<[String; 4]> = self.points.iter().map(|point| point.row(&self.points)).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let (first, second, third) = (width(0), width(1), width(2));
        for (point, [finding, name, mean, change]) in self.points.iter().zip(&rows) {
            let (on, off) = point.finding.colour();
            let line = format!("{on}{finding:first$}{off}  {name:second$}  {mean:>third$}  {change}");
            text += &format!("{}\n", line.trim_end());
            for remark in &point.remarks {
                text += &format!("{:first$}  {remark}\n", "");
            }
        }
        for failure in &self.failures {
            text += &format!("failed: {failure}\n");
        }
        text + &self.notes()
    }

    /// The report for a pull request: the changes, and the other points in a closed section.
    pub(super) fn markdown(&self) -> String {
        let is_change = |point: &&ReportedPoint| matches!(point.finding, Finding::Slower | Finding::Faster);
        let (changes, others): (Vec<&ReportedPoint>, Vec<&ReportedPoint>) = self.points.iter().partition(is_change);
        let mut text = format!("**{}**\n", self.answer());
        if !changes.is_empty() {
            text += &self.markdown_table(&changes);
        }
        if !self.failures.is_empty() {
            text += "\n";
            text +=
                &self.failures.iter().map(|failure| format!("- failed: {}\n", escaped(failure))).collect::<String>();
        }
        if !others.is_empty() {
            let count = others.len();
            let table = self.markdown_table(&others);
            text += &format!("\n<details><summary>Other points: {count}</summary>\n{table}\n</details>\n");
        }
        if self.points.iter().any(|point| point.change.is_some()) {
            text += &format!("\n{}\n", self.intervals());
        }
        text
    }

    fn markdown_table(&self, points: &[&ReportedPoint]) -> String {
        let mut text = "\n| finding | function | mean | change |\n| --- | --- | ---: | ---: |\n".to_owned();
        for point in points {
            let [finding, name, mean, change] = point.row(&self.points);
            let remarks: String = point.remarks.iter().map(|remark| format!("; {remark}")).collect();
            text += &format!(
                "| {finding}{} | {} | {mean} | {change} |\n",
                escaped(&remarks),
                escaped(&name.replace("  ", ", "))
            );
        }
        text
    }

    /// The overall result: a sentence.
    pub(super) fn answer(&self) -> String {
        let counts = [
            (Finding::Slower, "slower"),
            (Finding::Faster, "faster"),
            (Finding::Undecided, "undecided"),
            (Finding::NotComparable, "not comparable"),
            (Finding::New, "new"),
            (Finding::Same, "the same"),
            (Finding::SameCode, "with the same code"),
        ];
        let counts = counts.map(|(finding, name)| (self.count(finding), name));
        let mut parts: Vec<String> =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!("{count} {name}")).collect();
        if !self.failures.is_empty() {
            parts.push(format!("{} failed", self.failures.len()));
        }
        let answer = match () {
            () if self.has_regression() => match &self.baseline {
                Some(baseline) => format!("Slower than {baseline}"),
                None => "Slower than the accepted results".to_owned(),
            },
            () if self.points.iter().all(|point| !point.is_compared()) => "Nothing was compared".to_owned(),
            () => "No regression found".to_owned(),
        };
        format!("{answer}: {}.", parts.join(", "))
    }

    /// What the intervals mean.
    fn intervals(&self) -> String {
        format!(
            "Each interval of a change is one of {}, so that a run without any change has at most a chance of {} of a false alarm.",
            exact_percent((self.interval_confidence * 1e6).round() / 1e6),
            exact_percent(1.0 - self.confidence)
        )
    }

    fn notes(&self) -> String {
        let mut text = String::new();
        if self.points.iter().any(|point| point.change.is_some()) {
            text += &format!("\n{}\n", self.intervals());
        }
        let is_unknown = |point: &ReportedPoint| matches!(point.finding, Finding::New | Finding::NotComparable);
        let can_accept = self.baseline.is_none() && (self.points.iter().any(is_unknown) || self.has_regression());
        if can_accept {
            text += "\nTo compare later builds with these results:\n  cargo benchbook accept --note \"why they are normal\"\n";
        }
        text
    }
}

impl Finding {
    fn name(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Undecided => "undecided",
            Self::NotComparable => "not comparable",
            Self::Faster => "faster",
            Self::New => "new",
            Self::Same => "same",
            Self::SameCode => "same code",
        }
    }

    /// The codes before and after the name, which are removed if the output has no colours.
    fn colour(self) -> (&'static str, &'static str) {
        match self {
            Self::Slower => ("\u{1b}[1;31m", "\u{1b}[0m"),
            Self::Faster => ("\u{1b}[32m", "\u{1b}[0m"),
            Self::Undecided | Self::NotComparable => ("\u{1b}[33m", "\u{1b}[0m"),
            Self::New | Self::Same | Self::SameCode => ("", ""),
        }
    }
}

impl ReportedPoint {
    fn new(point: ComparedPoint, results: &[ResultToCompare]) -> Self {
        let result = &results[point.index].result;
        let (finding, change, remarks) = match point.finding {
            PointFinding::New => (Finding::New, None, Vec::new()),
            PointFinding::NotComparable(reasons) => (Finding::NotComparable, None, reasons),
            PointFinding::SameCode => (Finding::SameCode, None, Vec::new()),
            PointFinding::Compared { change, difference, is_refuted } => {
                let Difference { relative, interval } = difference;
                let reported = ReportedChange { relative, low: interval.low, high: interval.high };
                let remark = is_refuted.then(|| "a second measurement did not confirm the slowdown".to_owned());
                (Finding::from(change), Some(reported), remark.into_iter().collect())
            }
        };
        Self {
            finding,
            benchmark: result.benchmark.clone(),
            x: point.x,
            mean: point.mean,
            change,
            remarks,
            build: result.build.clone(),
            machine: result.machine.clone(),
        }
    }

    /// The columns of the text. The name distinguishes the point from the others.
    fn row(&self, all: &[Self]) -> [String; 4] {
        let change = self
            .change
            .map(|change| format!("{} ({} to {})", signed(change.relative), signed(change.low), signed(change.high)));
        [
            self.finding.name().to_owned(),
            self.name(all),
            self.mean.map(|mean| Nanos(mean).to_string()).unwrap_or_default(),
            change.unwrap_or_default(),
        ]
    }

    fn is_compared(&self) -> bool {
        self.change.is_some() || self.finding == Finding::SameCode
    }

    fn name(&self, all: &[Self]) -> String {
        let own = &self.benchmark;
        let differs = |is_other: &dyn Fn(&Benchmark) -> bool| all.iter().any(|point| is_other(&point.benchmark));
        let mut name = match differs(&|other| other.suite != own.suite) {
            true => format!("{}::{}", own.suite, own.function),
            false => own.function.clone(),
        };
        if differs(&|other| other.metric != own.metric) {
            name += &format!("  {}", own.metric);
        }
        for (parameter, argument) in &own.arguments {
            let has_other = |other: &Benchmark| {
                (&other.suite, &other.function) == (&own.suite, &own.function)
                    && other.arguments.get(parameter) != Some(argument)
            };
            let value = match argument {
                Argument::Range(_) | Argument::Values(_) => (!self.x.is_absent()).then(|| axis_value(&self.x)),
                Argument::Number(value) => differs(&has_other).then(|| number(*value)),
                Argument::Text(text) => differs(&has_other).then(|| text.clone()),
            };
            name += &value.map(|value| format!("  {parameter} {value}")).unwrap_or_default();
        }
        name
    }
}

impl From<BuildChange> for Finding {
    fn from(change: BuildChange) -> Self {
        match change {
            BuildChange::Slower => Self::Slower,
            BuildChange::Faster => Self::Faster,
            BuildChange::Same => Self::Same,
            BuildChange::Undecided => Self::Undecided,
        }
    }
}

/// A relative change in percent, with its sign.
pub(super) fn signed(ratio: f64) -> String {
    let sign = if ratio > 0.0 { "+" } else { "" };
    format!("{sign}{}", percent(ratio))
}

#[cfg(test)]
mod tests {
    use benchbook_contract::parameter::{Arguments, Range};
    use benchbook_host::history::{Acceptance, AcceptedResult, CheckedMetric, CheckedPoint, CheckedResult, VERSION};

    use super::*;

    /// The means of four processes around a mean.
    fn means(mean: f64) -> Vec<f64> {
        [0.9998, 0.9999, 1.0001, 1.0002].map(|factor| factor * mean).to_vec()
    }

    /// A function at two sizes.
    fn result(function: &str, small: f64, large: f64) -> CheckedResult {
        let text = str::to_owned;
        let size = Argument::Range(Range { low: 10.0, high: 1_000.0 });
        let point = |x, mean| CheckedPoint { x: AxisValue::Number(x), means: means(mean) };
        CheckedResult {
            benchmark: Benchmark {
                suite: text("demo"),
                function: text(function),
                generator: text("keys"),
                arguments: Arguments::from([(text("size"), size)]),
                inputs: text("ab"),
                metric: CheckedMetric::Time,
            },
            machine: MachineClass {
                cpu: None,
                settings: Vec::new(),
                system: None,
                target: text("x86_64-unknown-linux-gnu"),
                runner: None,
            },
            build: BuildOrigin { fingerprint: text("cd"), commit: None, dirty: true, compiler: text("rustc 1.95.0") },
            measured: 1.0,
            points: vec![point(10.0, small), point(1_000.0, large)],
        }
    }

    fn compared(results: &[ResultToCompare]) -> ComparedRun {
        let other_inputs = result("search", 1.0, 1.0);
        let other_inputs = CheckedResult {
            benchmark: Benchmark { inputs: "ef".to_owned(), ..other_inputs.benchmark },
            ..other_inputs
        };
        let accepted = [result("sort", 100.0, 2_000.0), result("merge", 100.0, 2_000.0), other_inputs];
        let accepted = accepted.map(|result| AcceptedResult {
            benchbook_history: VERSION,
            accepted: Acceptance::default(),
            result,
        });
        ComparedRun::of(results, &accepted.iter().collect::<Vec<_>>(), 0.99)
    }

    fn to_compare(result: CheckedResult) -> ResultToCompare {
        ResultToCompare { result, baseline: None, minimum_effect: 0.01 }
    }

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string().replace('\u{202f}', " ")
    }

    #[test]
    fn the_answer_comes_first_and_then_what_needs_attention() {
        let results = [
            result("merge", 100.0, 1_000.0),
            result("sort", 150.0, 2_010.0),
            result("search", 1.0, 1.0),
            result("count", 5.0, 50.0),
        ]
        .map(to_compare);
        let run = compared(&results);
        assert_eq!(run.slower(), [1]);
        let report = CheckReport::new(run, &results, vec!["`sum` failed: it panicked".to_owned()], 0.99);
        assert!(report.has_regression() && report.has_failed() && !report.is_undecided());
        assert_eq!(
            plain(&report.text()),
            "
Slower than the accepted results: 1 slower, 1 faster, 2 not comparable, 2 new, 2 the same, 1 failed.

slower          sort  size 10        150 ns  +50 % (+50 % to +50 %)
not comparable  search  size 10     1.00 ns
                the source code of the generator has changed
not comparable  search  size 1 000  1.00 ns
                the source code of the generator has changed
faster          merge  size 1 000   1.00 µs  −50 % (−50 % to −50 %)
new             count  size 10      5.00 ns
new             count  size 1 000   50.0 ns
same            merge  size 10       100 ns  0 % (−0.056 % to +0.056 %)
same            sort  size 1 000    2.01 µs  +0.50 % (+0.44 % to +0.56 %)
failed: `sum` failed: it panicked

Each interval of a change is one of 99.5 %, so that a run without any change has at most a chance of 1 % of a false alarm.

To compare later builds with these results:
  cargo benchbook accept --note \"why they are normal\"
"
        );
    }

    #[test]
    fn markdown_shows_the_changes_and_folds_the_rest() {
        let results = [result("sort<u32>", 5.0, 50.0), result("merge", 100.0, 1_000.0)].map(to_compare);
        let report = CheckReport::new(compared(&results), &results, vec!["`sum` failed".to_owned()], 0.99);
        assert_eq!(
            plain(&report.markdown()),
            r"**No regression found: 1 faster, 2 new, 1 the same, 1 failed.**

| finding | function | mean | change |
| --- | --- | ---: | ---: |
| faster | merge, size 1 000 | 1.00 µs | −50 % (−50 % to −50 %) |

- failed: \`sum\` failed

<details><summary>Other points: 3</summary>

| finding | function | mean | change |
| --- | --- | ---: | ---: |
| new | sort\<u32\>, size 10 | 5.00 ns |  |
| new | sort\<u32\>, size 1 000 | 50.0 ns |  |
| same | merge, size 10 | 100 ns | 0 % (−0.048 % to +0.048 %) |

</details>

Each interval of a change is one of 99 %, so that a run without any change has at most a chance of 1 % of a false alarm.
"
        );
    }

    #[test]
    fn a_slowdown_that_a_second_measurement_does_not_find_is_undecided() {
        let results = [result("sort", 150.0, 2_000.0)].map(to_compare);
        let (mut run, again) = (compared(&results), [result("sort", 100.1, 2_000.0)].map(to_compare));
        run.confirm(&compared(&again));
        let report = CheckReport::new(run.clone(), &results, Vec::new(), 0.99);
        assert!(!report.has_regression() && report.is_undecided());
        assert!(plain(&report.text()).contains("a second measurement did not confirm the slowdown"));
        let mut failed = results.clone();
        failed[0].result.points.clear();
        run = compared(&results);
        run.confirm(&compared(&failed));
        assert!(!CheckReport::new(run, &results, Vec::new(), 0.99).has_regression(), "it could not be measured again");
        run = compared(&results);
        run.confirm(&compared(&results));
        assert!(CheckReport::new(run, &results, Vec::new(), 0.99).has_regression());
    }
}
