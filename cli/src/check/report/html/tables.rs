//! The tables of the page.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::history::CheckedMetric;
use benchbook_host::units::{axis_value, plus_minus};
use benchbook_report::history::{axis_name, build_label, day};
use maud::{Markup, html};

use crate::check::report::change::signed;
use crate::check::report::check_report::CheckReport;
use crate::check::report::finding::Finding;
use crate::check::report::point::ReportedPoint;
use crate::check::report::series::{ResultSeries, SeriesPoint, SeriesResult};

/// A table of points, each with a link to its benchmark.
pub(super) fn points_table(report: &CheckReport, points: &[&ReportedPoint], caption: &str) -> Markup {
    let headings = html! {
        th scope="col" { "finding" }
        th scope="col" { "function" }
        th.number scope="col" { "mean" }
        th.number scope="col" { "change " span.interval { "(interval)" } }
    };
    let rows = html! {
        @for point in points {
            tr {
                td { (finding(point.finding)) }
                th scope="row" {
                    @let name = breakable(&point.name(&report.points).join(", "));
                    @if point.mean.is_some() { a href={ "#" (anchor(point.index)) } { (name) } } @else { (name) }
                    @for remark in &point.remarks { div.remark { (remark) } }
                }
                td.number { (point.mean_text()) }
                td.number {
                    @match (point.before, point.change) {
                        (Some(_), _) => { span.interval { (point.change_text()) } }
                        (None, Some(change)) => { (signed(change.relative)) " " span.interval { "(" (change.interval()) ")" } }
                        (None, None) => {}
                    }
                }
            }
        }
    };
    scrolled(caption, headings, rows)
}

/// The results of a benchmark: a row for each, with its mean at each axis value.
pub(super) fn results_table(series: &ResultSeries<'_>, caption: &str) -> Markup {
    let axis_values = series.axis_values();
    let columns: Vec<Vec<SeriesPoint>> = axis_values.iter().map(|x| series.points_at(x)).collect();
    let headings = html! {
        th.number scope="col" { "result" }
        th scope="col" { "day" }
        th scope="col" { "build" }
        @for x in &axis_values { th.number scope="col" { (value_name(series, x).unwrap_or_else(|| "mean".to_owned())) } }
        th scope="col" { "accepted by" }
        th scope="col" { "note" }
    };
    let rows = html! {
        @for (index, SeriesResult { result, accepted }) in series.results.iter().enumerate() {
            tr {
                td.number { (index + 1) }
                td.day { (day(result.measured)) }
                th scope="row" { (build_label(&result.build)) }
                @for column in &columns {
                    td.number { @if let Some(point) = column.iter().find(|point| point.index == index) { (mean(result.benchmark.metric, point)) } }
                }
                td { @if let Some(accepted) = accepted { (accepted.by) } @else { (origin(series, index)) } }
                td.remark { @if let Some(accepted) = accepted { (accepted.note) } }
            }
        }
    };
    scrolled(caption, headings, rows)
}

fn mean(metric: CheckedMetric, point: &SeriesPoint) -> Markup {
    html! {
        (metric.text(point.mean))
        @if !metric.is_exact() { " " span.deviation { (plus_minus(point.sd / point.mean)) } }
        @if let Some(step) = point.step { div.step { "step: " (signed(step)) } }
    }
}

/// A result that is not accepted: the new one, or that of the baseline.
fn origin(series: &ResultSeries<'_>, index: usize) -> &'static str {
    if index + 1 == series.results.len() { "this build" } else { "baseline" }
}

/// The parameter and its value; `None` without an axis.
pub(super) fn value_name(series: &ResultSeries<'_>, x: &AxisValue) -> Option<String> {
    let name = axis_name(&series.results.last()?.result.benchmark.arguments)?;
    Some(format!("{name} {}", axis_value(x)))
}

/// A name with opportunities for a line break in the path of its function.
fn breakable(name: &str) -> Markup {
    html! { @for part in name.split_inclusive("::") { (part) wbr; } }
}

/// The identifier of a benchmark's section.
pub(super) fn anchor(index: usize) -> String {
    format!("benchmark-{}", index + 1)
}

/// A finding in its colour.
pub(super) fn finding(finding: Finding) -> Markup {
    let name = finding.name();
    html! { span class={ "finding " (name.replace(' ', "-")) } { (name) } }
}

/// A table that scrolls on a narrow screen, also with the keyboard.
fn scrolled(caption: &str, headings: Markup, rows: Markup) -> Markup {
    html! {
        div.scrolled role="region" aria-label=(caption) tabindex="0" {
            table {
                caption.visually-hidden { (caption) }
                thead { tr { (headings) } }
                tbody { (rows) }
            }
        }
    }
}
