//! The report for a pull request.

use benchbook_report::export::escaped;

use super::check_report::CheckReport;
use super::point::ReportedPoint;

impl CheckReport {
    /// The report for a pull request: the changes, and the other points in a closed section.
    pub(crate) fn markdown(&self) -> String {
        let (changes, others) = self.changes_and_others();
        let mut text = format!("**{}**\n", self.answer());
        text += &self.lead().iter().map(|sentence| format!("\n{}\n", escaped(sentence))).collect::<String>();
        if !changes.is_empty() {
            text += &self.markdown_table(&changes);
        }
        let commands = self.pinpoint_commands();
        if !commands.is_empty() {
            text += &format!("\nTo find the call that causes it:\n\n```sh\n{}\n```\n", commands.join("\n"));
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
        text += &self.basis_notes().iter().map(|note| format!("\n{}\n", escaped(note))).collect::<String>();
        if let Some(intervals) = self.intervals() {
            text += &format!("\n{intervals}\n");
        }
        if let Some(advice) = self.advice() {
            text += &format!("\n{advice}\n");
        }
        text
    }

    fn markdown_table(&self, points: &[&ReportedPoint]) -> String {
        let mut text = "\n| finding | function | mean | change |\n| --- | --- | ---: | ---: |\n".to_owned();
        for point in points {
            let remarks: String = point.remarks.iter().map(|remark| format!("; {remark}")).collect();
            let change = point.change_text();
            text += &format!(
                "| {}{} | {} | {} | {change} |\n",
                point.finding.name(),
                escaped(&remarks),
                escaped(&point.name(&self.points).join(", ")),
                point.mean_text()
            );
        }
        text
    }
}
