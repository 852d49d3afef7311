//! The table as text, and its records for other formats.

use benchbook_host::messages::stability::stability_name;
use benchbook_host::messages::verdicts::statistic_name;
use benchbook_host::response::MeasuredPoint;

use super::comparison::RatioToFastest;
use super::ranking::MachineRanking;
use super::shown_trace::ShownTrace;
use super::table_rows::{FIGURES, metrics_of, rows, times};
use super::wasm_counts::class_columns;

/// The figures separated by tabs, for a spreadsheet.
pub fn as_text(all: &[ShownTrace], rankings: &[MachineRanking]) -> String {
    // Reasons may contain tabs and line breaks, which would break the table.
    let line = |fields: Vec<String>| {
        fields.iter().map(|field| field.replace(['\t', '\n'], " ")).collect::<Vec<_>>().join("\t")
    };
    records(all, rankings).into_iter().map(|fields| line(fields) + "\n").collect()
}

/// The headings, and a record for each point: unrounded, in nanoseconds and in the units of the other metrics. The column of axis values has the
/// name of the axis, if all have the same one.
pub fn records(all: &[ShownTrace], rankings: &[MachineRanking]) -> Vec<Vec<String>> {
    let mut head = vec!["function".to_owned(), "paired".to_owned()];
    let mut axes = all.iter().map(|shown| shown.trace.setup.axis_name());
    let axis = axes.next().unwrap_or_default();
    head.push(if axes.all(|other| other == axis) { axis } else { "axis value" }.to_owned());
    head.extend(FIGURES.map(|name| format!("{name} [ns]")));
    head.extend(
        [
            "mean, upper bound [ns]",
            "mean without interrupted batches [ns]",
            "precision",
            "on another day, lower bound [ns]",
            "on another day, upper bound [ns]",
            "at the usual speed [ns]",
            "samples",
            "calls per sample",
            "settled",
            "priority",
            "machine",
            "arguments",
            "failure",
            "ratio to the fastest",
            "ratio, lower bound",
            "ratio, upper bound",
            "ratio statistic",
        ]
        .map(str::to_owned),
    );
    let metrics = metrics_of(all);
    for metric in &metrics {
        let heading = metric.heading();
        head.push(heading.clone());
        if metric.collection.is_noisy() {
            head.extend(["lower bound", "upper bound"].map(|end| format!("{heading}, {end}")));
        }
    }
    let classes = class_columns(all);
    head.extend(classes.iter().map(|class| format!("{} per call", class.heading)));
    let rows = rows(all).into_iter().map(|(ordinal, reading)| {
        let shown = &all[ordinal];
        let trace = &shown.trace;
        let measured = reading.measured();
        let optional = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let mut cells =
            vec![trace.path.clone(), if shown.is_separate { "no" } else { "yes" }.to_owned(), reading.x.to_string()];
        // Like the page, this has no times below the resolution of the clock.
        let resolved = measured.filter(|measured| measured.upper_bound().is_none());
        cells.extend((0..FIGURES.len()).map(|column| optional(resolved.and_then(|measured| times(measured)[column]))));
        cells.push(optional(measured.and_then(MeasuredPoint::upper_bound)));
        cells.push(optional(resolved.and_then(|measured| measured.summary.uninterrupted_mean)));
        cells.push(optional(measured.and_then(|measured| measured.summary.relative_half_width)));
        let another_day = measured.and_then(|measured| measured.another_day);
        let ends = another_day.map(|another| another.mean);
        cells.extend([ends.map(|ends| ends.low), ends.map(|ends| ends.high)].map(optional));
        cells.push(optional(another_day.and_then(|another| Some(another.at_usual_speed?.mean))));
        cells.push(measured.map(|measured| measured.summary.n.to_string()).unwrap_or_default());
        cells.push(measured.map(|measured| measured.calls().to_string()).unwrap_or_default());
        cells.push(measured.map(|measured| stability_name(measured.summary.stability)).unwrap_or_default().to_owned());
        cells.push(reading.priority().number().to_string());
        cells.push(trace.setup.machine.name.clone());
        cells.push(trace.setup.summary());
        cells.push(reading.failure().map(|(_, failure)| failure.reason.clone()).unwrap_or_default());
        let to_fastest = RatioToFastest::of(rankings, ordinal, &reading.x);
        let (ratio, interval) = to_fastest.and_then(RatioToFastest::ratio).unzip();
        let interval = interval.flatten();
        cells.extend([ratio, interval.map(|ends| ends.low), interval.map(|ends| ends.high)].map(optional));
        let statistic = to_fastest.and_then(RatioToFastest::statistic).map(statistic_name);
        cells.push(statistic.unwrap_or_default().to_owned());
        for metric in &metrics {
            let value = measured.and_then(metric.value);
            cells.push(optional(value.and_then(|value| value.centre())));
            if metric.collection.is_noisy() {
                let interval = value.and_then(|value| value.interval());
                cells.extend([interval.map(|ends| ends.low), interval.map(|ends| ends.high)].map(optional));
            }
        }
        cells.extend(classes.iter().map(|class| optional(class.per_call(measured))));
        cells
    });
    std::iter::once(head).chain(rows).collect()
}
