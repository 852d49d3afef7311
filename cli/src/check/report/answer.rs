//! The sentences of a report.

use benchbook_host::history::CheckedMetric;
use benchbook_host::units::{exact_percent, percent};

use super::change::{ReportedCommonChange, signed};
use super::check_report::CheckReport;
use super::finding::Finding;
use super::point::ReportedPoint;
use crate::check::compare::KnownDays;
use crate::check::measure::ChangedInputs;
use crate::check::plan::HistoryTest;

impl CheckReport {
    /// The overall result, and the number of points with each finding.
    pub(crate) fn answer(&self) -> String {
        let more = self.counted(Finding::More, ["more memory", "more wasm instructions"]);
        let less = self.counted(Finding::Less, ["less memory", "fewer wasm instructions"]);
        let counts = [
            (Finding::Slower, "slower".to_owned()),
            (Finding::More, format!("with {}", more.join(" or "))),
            (Finding::Deliberate, "slower or with more as accepted".to_owned()),
            (Finding::CodeGeneration, "compiled differently from the same source".to_owned()),
            (Finding::Faster, "faster".to_owned()),
            (Finding::Less, format!("with {}", less.join(" or "))),
            (Finding::Undecided, "undecided".to_owned()),
            (Finding::NotComparable, "not comparable".to_owned()),
            (Finding::New, "new".to_owned()),
            (Finding::Same, "the same".to_owned()),
            (Finding::SameCode, "with the same code".to_owned()),
        ];
        let is_led_by_undecided = !self.has_regression() && self.is_undecided();
        let is_listed =
            |finding: Finding| self.count(finding) > 0 && !(finding == Finding::Undecided && is_led_by_undecided);
        let listed = counts.into_iter().filter(|(finding, _)| is_listed(*finding));
        let mut parts: Vec<String> = listed.map(|(finding, name)| format!("{} {name}", self.count(finding))).collect();
        let together = self.all_functions.iter().any(|together| together.finding == Finding::Slower);
        if together {
            parts.insert(0, "the median of all functions".to_owned());
        }
        if !self.failures.is_empty() {
            parts.push(format!("{} failed", self.failures.len()));
        }
        let answer = match () {
            () if self.has_regression() => {
                let slower = (together || self.count(Finding::Slower) > 0).then(|| "Slower".to_owned());
                let uses = if slower.is_some() { "uses" } else { "Uses" };
                let more = (!more.is_empty()).then(|| format!("{uses} {}", more.join(" or ")));
                let changes: Vec<String> = slower.into_iter().chain(more).collect();
                let comma = if changes.len() > 1 { "," } else { "" };
                let than = self.baseline.as_deref().unwrap_or("the accepted results");
                format!("{} than{comma} {than}", changes.join(" than, or "))
            }
            () if !self.has_comparison() && self.count(Finding::SameCode) == 0 => "Nothing was compared".to_owned(),
            () if is_led_by_undecided => {
                let (undecided, all) = (self.count(Finding::Undecided), self.points.len());
                format!("Undecided for {undecided} of {all} {}", if all == 1 { "point" } else { "points" })
            }
            () => "No regression found".to_owned(),
        };
        if parts.is_empty() { format!("{answer}.") } else { format!("{answer}: {}.", parts.join(", ")) }
    }

    /// What the points with a finding about a count have: `memory` or `instructions`.
    fn counted(&self, finding: Finding, [memory, instructions]: [&'static str; 2]) -> Vec<&'static str> {
        let of = |is_wasm: bool| {
            let is_of = |point: &&ReportedPoint| (point.benchmark.metric == CheckedMetric::WasmInstructions) == is_wasm;
            self.points.iter().filter(|point| point.finding == finding).any(|point| is_of(&point))
        };
        of(false).then_some(memory).into_iter().chain(of(true).then_some(instructions)).collect()
    }

    /// The largest loss and the largest gain of the points that have changed; `None` if no point has.
    pub(super) fn largest_changes(&self) -> Option<String> {
        let changes = |findings: [Finding; 2]| {
            let points = self.points.iter().filter(move |point| findings.contains(&point.finding));
            // A count that was zero has no ratio.
            points.map(|point| (point, point.change.map_or(f64::INFINITY, |change| change.relative)))
        };
        let loss = changes([Finding::Slower, Finding::More]).max_by(|one, other| one.1.total_cmp(&other.1));
        let gain = changes([Finding::Faster, Finding::Less]).min_by(|one, other| one.1.total_cmp(&other.1));
        let sentence = |title: &str, (point, change): (&ReportedPoint, f64)| {
            format!("{title}: {} ({}).", signed(change), point.name(&self.points).join(", "))
        };
        let loss = loss.map(|loss| sentence("Largest loss", loss));
        let gain = gain.map(|gain| sentence("Largest gain", gain));
        let sentences: Vec<String> = loss.into_iter().chain(gain).collect();
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }

    /// The sentences after the answer: the largest changes, those of all functions together, what would have been found, and whether the machine was busy.
    pub(super) fn lead(&self) -> Vec<String> {
        let last = self.sensitivity_sentence().into_iter().chain(self.interference.sentence());
        self.largest_changes().into_iter().chain(self.common_changes()).chain(last).collect()
    }

    /// The smallest slowdown that would have been found.
    fn sensitivity_sentence(&self) -> Option<String> {
        let sensitivity = self.sensitivity()?;
        let untested = self.points.iter().filter(|point| point.is_untested).count();
        let compared = self.points.iter().filter(|point| point.detectable.is_some());
        let least = compared
            .max_by(|one, other| one.detectable.unwrap_or_default().total_cmp(&other.detectable.unwrap_or_default()));
        let least =
            least.map(|point| (percent(point.detectable.unwrap_or_default()), point.name(&self.points).join(", ")));
        let at = if untested == 1 { "1 point".to_owned() } else { format!("{untested} points") };
        Some(match (sensitivity == f64::INFINITY, least) {
            (true, None) => "No slowdown would have been found.".to_owned(),
            (true, Some((slowdown, name))) => format!(
                "At {at}, no slowdown would have been found; at the others, one above {slowdown} (the least sensitive is {name})."
            ),
            (false, least) => {
                let (slowdown, name) = least.unwrap_or_default();
                format!(
                    "A slowdown above {slowdown} would have been found at every point (the least sensitive is {name})."
                )
            }
        })
    }

    /// A sentence about each definite change of all functions together.
    pub(super) fn common_changes(&self) -> Vec<String> {
        self.all_functions.iter().filter_map(ReportedCommonChange::sentence).collect()
    }

    /// Sentences about the suites that measured the baseline, about functions and inputs that only one of the commits contains, and about accepted results that were not compared.
    pub(super) fn basis_notes(&self) -> Vec<String> {
        let names = self.removed.join(", ");
        let removed = match &self.baseline {
            Some(baseline) => format!("Only {baseline} contains {names}."),
            None => format!(
                "There are accepted results of {names}, but no such functions any more. Were they renamed or deleted?"
            ),
        };
        let removed = (!names.is_empty()).then_some(removed);
        let refused =
            self.rejections.iter().map(|reason| format!("Some accepted results were not compared: {reason}."));
        let inputs =
            self.baseline.iter().flat_map(|baseline| self.inputs.iter().flat_map(|one| one.sentences(baseline)));
        self.suites.iter().cloned().chain(removed).chain(inputs).chain(refused).collect()
    }

    /// What to do about undecided points; `None` without any.
    pub(super) fn advice(&self) -> Option<String> {
        let paired = if self.baseline.is_none() {
            ", or compare with the code of a commit, interleaved with this one (--baseline)"
        } else {
            ""
        };
        let is_count = |point: &ReportedPoint| point.benchmark.metric == CheckedMetric::WasmInstructions;
        let advice = match self.days {
            _ if self.points.iter().filter(|point| point.finding == Finding::Undecided).all(is_count) => {
                "To decide, compare the times of both builds: cargo benchbook check --baseline REVISION".to_owned()
            }
            Some(KnownDays::Single) => format!("To decide, accept results of another day{paired}."),
            Some(KnownDays::WithoutReference) => format!(
                "To decide, accept results of two days again, since the earlier ones lack the reference kernel{paired}."
            ),
            _ => format!("To decide, measure more (--samples, --time-out){paired}."),
        };
        self.is_undecided().then_some(advice)
    }

    /// What the intervals mean; `None` if nothing was compared.
    pub(super) fn intervals(&self) -> Option<String> {
        let interval = exact_percent((self.interval_confidence * 1e6).round() / 1e6);
        let sentence = match self.test {
            HistoryTest::Interval => format!(
                "The intervals of changes ({interval}) ignore the variation of the new build, so false alarms are more frequent than the \
                 confidence states."
            ),
            HistoryTest::Difference => {
                let alarms = exact_percent(1.0 - self.confidence);
                let level = format!("The intervals of changes are at the {interval} level");
                let bound = format!("the chance of a false alarm in the whole run is at most {alarms}");
                match self.days {
                    None => format!("{level}, so that {bound}."),
                    Some(KnownDays::Several) => format!(
                        "{level} and contain the differences between the days of the accepted results, so that {bound} if days differ by chance. \
                         Changes of the machine are subtracted."
                    ),
                    Some(KnownDays::Single) => format!(
                        "{level}, for this day only: all accepted results are of one day, and how much this machine differs from day to day is unknown. \
                         So no change of a time counts yet."
                    ),
                    Some(KnownDays::WithoutReference) => format!(
                        "{level}, for this day only: neither eight functions nor the reference kernel show whether the machine has changed. So no \
                         change of a time counts."
                    ),
                }
            }
        };
        self.has_intervals().then_some(sentence)
    }
}

impl ChangedInputs {
    /// Which inputs are not compared.
    fn sentences(&self, baseline: &str) -> impl Iterator<Item = String> {
        let Self { function, parameter, added, removed } = self;
        let sentence = |inputs: &[String], rest: &str| {
            (!inputs.is_empty()).then(|| format!("{function}, {parameter} {}: {rest}.", inputs.join(", ")))
        };
        let new = sentence(added, "new, so it is not compared").map(|text| match added.len() {
            1 => text,
            _ => text.replace("it is", "they are"),
        });
        new.into_iter().chain(sentence(
            removed,
            &format!("only {baseline} has {}", if removed.len() == 1 { "it" } else { "them" }),
        ))
    }
}
