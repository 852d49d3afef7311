//! The results of a measurement as text for a terminal.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::compare::RatioStatistic;
use benchbook_host::messages::quality_report::{Badge, Cause, QualityReport};
use benchbook_host::messages::verdicts::{different_outputs, ratio_and_interval, statistic_name, verdicts};
use benchbook_host::metric::{TIME, WASM_INSTRUCTIONS};
use benchbook_host::response::{FailureKind, Warning};
use benchbook_host::units::{Nanos, axis_value, plus_minus, under};
use benchbook_notebook::curve::Reading;
use benchbook_report::claims::answers;
use benchbook_report::comparison::{RatioToFastest, compared_pairs};
use benchbook_report::growth::growth_sentences;
use benchbook_report::quality::quality_reports;
use benchbook_report::ranking::MachineRanking;
use benchbook_report::results::Results;
use benchbook_report::shown_trace::ShownTrace;
use benchbook_report::table_rows::{TextColumn, repeatability_columns, rows};
use benchbook_report::wasm_counts;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use crate::text_plot::text_plot;

/// The answer, the table, the plot, the comparisons, and the quality, which names options of `cargo benchbook measure`. `margin`: the relative difference up to which times count as the
/// same.
pub fn report(results: &Results, margin: f64) -> String {
    let shown = results.shown();
    let rankings = MachineRanking::all(&shown);
    let mut text = heading(&shown);
    for answer in answers(&rankings, margin) {
        text += &format!("{answer}\n");
    }
    text += &format!("\n{}\n", table(&shown));
    if let Some(plot) = text_plot(&shown) {
        text += &format!("\n{plot}\n");
    }
    let pairs = compared_pairs(&shown, &rankings);
    let unit = shown.first().map_or("", |first| first.trace.setup.axis_unit());
    let sentences = different_outputs(&pairs).into_iter().chain(verdicts(&pairs, unit, margin, false));
    for sentence in sentences.chain(growth_sentences(&shown, &TIME)).chain(growth_sentences(&shown, &WASM_INSTRUCTIONS))
    {
        text += &format!("{sentence}\n");
    }
    text += &quality(&quality_reports(&shown));
    for note in wasm_counts::notes(&shown) {
        text += &format!("{note}\n");
    }
    if is_imprecise(&shown) {
        text += "Options: --time sets the time per point, and --precision the target.\n";
    }
    text
}

/// The table and the quality only, for a list of many measurements.
pub fn brief(results: &Results) -> String {
    let shown = results.shown();
    format!("{}{}\n{}", heading(&shown), table(&shown), quality(&quality_reports(&shown)))
}

/// The functions, the arguments, the build and the machine.
fn heading(shown: &[ShownTrace]) -> String {
    let Some(first) = shown.first() else { return String::new() };
    let setup = &first.trace.setup;
    let paths: Vec<&str> = shown.iter().map(|shown| shown.trace.path.as_str()).collect();
    let summary = setup.summary();
    let compiler = setup.suite.build.compiler();
    let inputs = if summary.is_empty() { String::new() } else { format!("{summary}; ") };
    let (settings, machine) = (setup.suite.build.settings(), &setup.machine.name);
    format!("{}\n{inputs}{compiler}, {settings}, on {machine}\n", paths.join(", "))
}

/// The badge of each machine, with its causes if it is not good. That outputs were not compared, or that
/// threads were used, is always stated.
fn quality(reports: &[(String, QualityReport)]) -> String {
    let mut text = String::new();
    for (_, report) in reports {
        text += &format!("{}: {}\n", report.badge.label(), report.line);
        if !report.another_day.is_empty() {
            text += &format!("{}\n", report.another_day);
        }
        let is_shown = |cause: &&Cause| report.badge != Badge::Good || cause.is_always_stated;
        for Cause { problem, location, fix, .. } in report.causes.iter().filter(is_shown) {
            // The only point needs no location.
            let location = if location.is_empty() { String::new() } else { format!(" {location}.") };
            text += &format!("  - {problem}.{location} {fix}\n");
        }
    }
    text
}

/// Whether a measurement has not reached its target precision.
fn is_imprecise(shown: &[ShownTrace]) -> bool {
    let points = shown.iter().flat_map(|shown| shown.trace.curve.readings()).filter_map(Reading::measured);
    points.flat_map(|point| &point.warnings).any(|warning| matches!(warning, Warning::Imprecise { .. }))
}

/// The figures of all points, in the order of the axis.
pub fn table(shown: &[ShownTrace]) -> String {
    let Some(first) = shown.first() else { return String::new() };
    let rankings = MachineRanking::all(shown);
    let (has_axis, has_names) = (first.trace.setup.axis.is_some(), shown.len() > 1);
    let mut head: Vec<String> = Vec::new();
    if has_axis {
        head.push(first.trace.setup.axis_heading());
    }
    if has_names || !has_axis {
        head.push("function".to_owned());
    }
    head.extend(["median", "mean", "95% (mean)", "sd"].map(str::to_owned));
    let further: Vec<TextColumn> =
        repeatability_columns(shown).into_iter().chain(wasm_counts::counts_column(shown)).collect();
    head.extend(further.iter().map(|column| column.heading.to_owned()));
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let mut statistics: Vec<RatioStatistic> = Vec::new();
    let mut last: Option<&AxisValue> = None;
    for (ordinal, reading) in rows(shown) {
        let mut fields: Vec<String> = Vec::new();
        if has_axis {
            fields.push(if last == Some(&reading.x) { String::new() } else { axis_value(&reading.x) });
            last = Some(&reading.x);
        }
        if has_names || !has_axis {
            fields.push(shown[ordinal].label.clone());
        }
        fields.extend(figures(reading));
        fields.extend(further.iter().map(|column| column.text(reading.measured())));
        if has_names {
            fields.push(match RatioToFastest::of(&rankings, ordinal, &reading.x) {
                Some(RatioToFastest::Fastest) => "1".to_owned(),
                Some(RatioToFastest::Known(known, statistic)) => {
                    statistics.push(statistic);
                    let (ratio, interval) = ratio_and_interval(known.ratio, known.interval);
                    format!("{ratio} ({interval})")
                }
                Some(RatioToFastest::Unavailable(_)) | None => String::new(),
            });
        }
        table.add_row(fields);
    }
    if has_names {
        let of = match statistics.as_slice() {
            [one, others @ ..] if others.iter().all(|other| other == one) => format!(" of {}", statistic_name(*one)),
            _ => String::new(),
        };
        head.push(format!("ratio{of} to the fastest"));
    }
    table.set_header(head);
    for (index, column) in table.column_iter_mut().enumerate() {
        let is_name = (has_names || !has_axis) && index == usize::from(has_axis);
        column.set_cell_alignment(if is_name { CellAlignment::Left } else { CellAlignment::Right });
    }
    table.trim_fmt()
}

/// The median, the mean, its precision, and the standard deviation; or an upper bound; or the reason of a failure.
fn figures(reading: &Reading) -> [String; 4] {
    let none = String::new;
    let Some(measured) = reading.measured() else {
        let text = reading.failure().map(|(_, failure)| match failure.kind {
            // The reason says so.
            FailureKind::Skipped => failure.reason.clone(),
            _ => format!("failed: {}", failure.reason),
        });
        return [text.unwrap_or_default().replace('\n', " "), none(), none(), none()];
    };
    if let Some(bound) = measured.upper_bound() {
        return [under(Nanos(bound)), none(), none(), none()];
    }
    let summary = &measured.summary;
    let median = summary.median.map_or_else(|| "unavailable".to_owned(), |median| Nanos(median).to_string());
    let precision = summary.relative_half_width.map(plus_minus).unwrap_or_default();
    [median, Nanos(summary.mean).to_string(), precision, Nanos(summary.sd).to_string()]
}
