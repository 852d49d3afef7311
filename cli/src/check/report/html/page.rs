//! The page: the answer, the changes, the other points, and a section for each benchmark.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::colours::plot_colours;
use super::section::section;
use super::tables::points_table;
use crate::check::report::check_report::CheckReport;

/// The style sheet. The rules of [`plot_colours`] follow it.
const STYLE: &str = include_str!("style.css");

impl CheckReport {
    /// The report as an HTML page.
    pub(in crate::check::report) fn html(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { "Benchbook check: " (self.answer()) }
                    style { (PreEscaped(STYLE)) (PreEscaped(plot_colours())) }
                }
                body {
                    main {
                        h1 { "Benchbook check" }
                        (answer(self))
                        (points(self))
                        (benchmarks(self))
                    }
                }
            }
        };
        page.into_string() + "\n"
    }
}

fn answer(report: &CheckReport) -> Markup {
    let class = if report.has_regression() { "answer slower" } else { "answer" };
    html! {
        p class=(class) {
            strong { (report.answer()) }
            @for sentence in report.lead() { br; (sentence) }
        }
        @if report.has_failed() {
            h2 { "Failures" }
            ul.failures { @for failure in &report.failures { li { (failure) } } }
        }
    }
}

fn points(report: &CheckReport) -> Markup {
    let (changes, others) = report.changes_and_others();
    html! {
        @if !changes.is_empty() {
            h2 { "Changes" }
            (points_table(report, &changes, "The points that have become slower or faster"))
        }
        @let commands = report.pinpoint_commands();
        @if !commands.is_empty() {
            p.note { "To find the call that causes it:" }
            @for command in commands { pre { code { (command) } } }
        }
        @if !others.is_empty() {
            h2 { @if changes.is_empty() { "Points" } @else { "Other points" } }
            (points_table(report, &others, "The points without a definite change"))
        }
        @for note in report.basis_notes() { p.note { (note) } }
        @if let Some(intervals) = report.intervals() { p.note { (intervals) } }
        @if let Some(advice) = report.advice() { p.note { (advice) } }
    }
}

/// The benchmarks that were measured, in the order of the tables, so that those with changes are the first.
fn benchmarks(report: &CheckReport) -> Markup {
    let mut order: Vec<usize> = Vec::new();
    for point in report.points.iter().filter(|point| point.mean.is_some()) {
        if !order.contains(&point.index) {
            order.push(point.index);
        }
    }
    html! {
        @if !order.is_empty() {
            h2 { "Benchmarks" }
            p.note {
                "Lines connect the means over the processes; the band around each is ± the standard deviation between processes. A dashed line "
                "marks a step: between these two accepted results, the level of the history has changed."
            }
            @for index in order { (section(report, index)) }
        }
    }
}
