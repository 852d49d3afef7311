//! The section of a benchmark: its builds, plots, and the values behind them.

use benchbook_host::history::{Benchmark, BuildOrigin, CheckedResult, MachineClass};
use benchbook_report::history::{build_label, fixed_arguments};
use maud::{Markup, html};

use super::build_curves::build_curves;
use super::history_plot::history_plot;
use super::tables::{anchor, finding, results_table};
use crate::check::report::check_report::CheckReport;
use crate::check::report::finding::Finding;
use crate::check::report::point::ReportedPoint;

/// The section of the benchmark with this index.
pub(super) fn section(report: &CheckReport, index: usize) -> Markup {
    let benchmark = &report.benchmarks[index];
    let series = benchmark.series();
    let CheckedResult { benchmark: Benchmark { suite, function, metric, .. }, build, machine, .. } = &benchmark.result;
    let mut points: Vec<&ReportedPoint> = report.points.iter().filter(|point| point.index == index).collect();
    let mut findings: Vec<Finding> = points.iter().map(|point| point.finding).collect();
    findings.dedup();
    points.sort_by(|one, other| one.x.total_cmp(&other.x));
    let plots = points.into_iter().filter_map(|point| history_plot(&series, point));
    let figures: Vec<Markup> = build_curves(&series).into_iter().chain(plots).collect();
    // A region of a page needs a name of its own, and several benchmarks may have the same function.
    let parts = [format!("{metric} of {function}"), format!("suite {suite}")];
    let parts: Vec<String> = parts.into_iter().chain(fixed_arguments(&benchmark.result.benchmark.arguments)).collect();
    let caption = format!("All results: {}", parts.join(", "));
    html! {
        section id=(anchor(index)) {
            h3 { (function) }
            p.facts {
                @for one in findings { (finding(one)) " " }
                (metric) ", suite " (suite)
                @for argument in fixed_arguments(&benchmark.result.benchmark.arguments) { ", " (argument) }
                br;
                "Build " (build_label(build)) (changed_files(build)) ", " (build.compiler)
                br;
                (machine_text(machine))
            }
            @if !figures.is_empty() { div.plots { @for figure in &figures { (figure) } } }
            details {
                summary { (caption) }
                (results_table(&series, &caption))
            }
        }
    }
}

fn changed_files(build: &BuildOrigin) -> &'static str {
    if build.commit.is_some() && build.dirty { " with changed files" } else { "" }
}

fn machine_text(machine: &MachineClass) -> String {
    let MachineClass { cpu, settings, system, target, runner, compiler } = machine;
    let known = [runner, cpu, system, compiler].into_iter().flatten();
    known.chain(settings).chain([target]).cloned().collect::<Vec<_>>().join(", ")
}
