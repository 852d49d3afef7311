//! The report for a terminal.

use super::check_report::CheckReport;
use super::finding::Finding;
use super::point::ReportedPoint;
use crate::advised_command::AdvisedCommand;

/// Ends a colour.
const OFF: &str = "\u{1b}[0m";

impl CheckReport {
    /// The report for a terminal: the answer first, then a row for each point. An output without colours must remove their codes.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("\n{}\n", self.answer());
        text += &self.lead().iter().map(|sentence| format!("{sentence}\n")).collect::<String>();
        text += "\n";
        let rows: Vec<[String; 4]> = self.points.iter().map(|point| row(point, &self.points)).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let (first, second, third) = (width(0), width(1), width(2));
        for (point, [finding, name, mean, change]) in self.points.iter().zip(&rows) {
            let on = colour(point.finding);
            let off = if on.is_empty() { "" } else { OFF };
            let line = format!("{on}{finding:first$}{off}  {name:second$}  {mean:>third$}  {change}");
            text += &format!("{}\n", line.trim_end());
            for remark in &point.remarks {
                text += &format!("{:first$}  {remark}\n", "");
            }
        }
        for failure in &self.failures {
            text += &format!("{FAILED}failed{OFF}: {failure}\n");
        }
        text += &self.basis_notes().iter().map(|note| format!("{note}\n")).collect::<String>();
        text + &self.notes()
    }

    fn notes(&self) -> String {
        let mut text = self.intervals().map(|intervals| format!("\n{intervals}\n")).unwrap_or_default();
        text += &self.advice().map(|advice| format!("{advice}\n")).unwrap_or_default();
        let commands = self.pinpoint_commands();
        if !commands.is_empty() {
            text += "\nTo find the call that causes it:\n";
            text.extend(commands.iter().map(|command| format!("  {command}\n")));
        }
        let has_unknown = self.points.iter().any(|point| point.finding.is_unknown());
        if self.baseline.is_none() && (has_unknown || self.has_regression()) {
            let accept = AdvisedCommand::Accept { note: Some("why they are normal") };
            text += &format!("\nTo make these results the reference for later checks:\n  {accept}\n");
        }
        text
    }
}

fn row(point: &ReportedPoint, all: &[ReportedPoint]) -> [String; 4] {
    let change = point.change_text();
    [point.finding.name().to_owned(), point.name(all).join("  "), point.mean_text(), change]
}

/// Starts the colour of a failure.
const FAILED: &str = "\u{1b}[1;31m";

/// The code that starts the colour of a finding; empty for the default colour.
fn colour(finding: Finding) -> &'static str {
    match finding {
        Finding::Slower | Finding::More => FAILED,
        Finding::Faster | Finding::Less => "\u{1b}[32m",
        Finding::Undecided | Finding::NotComparable | Finding::CodeGeneration | Finding::Deliberate => "\u{1b}[33m",
        Finding::New | Finding::Same | Finding::SameCode => "",
    }
}
