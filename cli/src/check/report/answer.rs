//! The sentences of a report.

use benchbook_host::units::{exact_percent, percent};

use super::change::signed;
use super::check_report::CheckReport;
use super::finding::Finding;
use super::point::ReportedPoint;

impl CheckReport {
    /// The overall result, and the number of points with each finding.
    pub(in crate::check) fn answer(&self) -> String {
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
            () if !self.has_comparison() && self.count(Finding::SameCode) == 0 => "Nothing was compared".to_owned(),
            () => "No regression found".to_owned(),
        };
        format!("{answer}: {}.", parts.join(", "))
    }

    /// The largest loss and the largest gain of the points that have changed; `None` if no point has.
    pub(super) fn largest_changes(&self) -> Option<String> {
        let changes = |finding: Finding| {
            let points = self.points.iter().filter(move |point| point.finding == finding);
            points.filter_map(|point| Some((point, point.change?.relative)))
        };
        let loss = changes(Finding::Slower).max_by(|one, other| one.1.total_cmp(&other.1));
        let gain = changes(Finding::Faster).min_by(|one, other| one.1.total_cmp(&other.1));
        let sentence = |title: &str, (point, change): (&ReportedPoint, f64)| {
            format!("{title}: {} ({}).", signed(change), point.name(&self.points).join(", "))
        };
        let loss = loss.map(|loss| sentence("Largest loss", loss));
        let gain = gain.map(|gain| sentence("Largest gain", gain));
        let sentences: Vec<String> = loss.into_iter().chain(gain).collect();
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }

    /// Sentences about the comparison with a baseline: the functions that only it contains, and the noise of a virtual machine.
    pub(super) fn baseline_notes(&self) -> Vec<String> {
        let removed = self.baseline.as_ref().filter(|_| !self.removed.is_empty());
        let removed = removed.map(|baseline| format!("Only {baseline} contains {}.", self.removed.join(", ")));
        let noise = self.noise.map(|noise| {
            format!(
                "On this virtual machine, the time of a build differs from its own time by up to ± {}. Smaller changes do not count.",
                percent(noise)
            )
        });
        removed.into_iter().chain(noise).collect()
    }

    /// What the intervals mean; `None` if nothing was compared.
    pub(super) fn intervals(&self) -> Option<String> {
        self.has_comparison().then(|| {
            format!(
                "Each interval of a change is one of {}, so that a run without any change has at most a {} chance of a false alarm.",
                exact_percent((self.interval_confidence * 1e6).round() / 1e6),
                exact_percent(1.0 - self.confidence)
            )
        })
    }
}
