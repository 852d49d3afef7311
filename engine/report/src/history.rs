//! Histories of accepted results in words.

use std::time::{Duration, SystemTime};

use benchbook_contract::catalog::name_of;
use benchbook_contract::parameter::{Argument, Arguments};
use benchbook_host::history::{BuildOrigin, CheckedMetric, HistoryPoint, HistorySeries, MachineClass, SidesPoint};
use benchbook_host::units::{number, percent};

/// The digits of a commit or of a fingerprint that are shown.
const DIGITS: usize = 8;

/// The names of the months.
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The commit, with a `+` if files differed from it, or else the fingerprint of the build; `unknown` without both.
pub fn build_label(build: &BuildOrigin) -> String {
    let shortened = |text: &str| text.chars().take(DIGITS).collect::<String>();
    match &build.commit {
        Some(commit) => format!("{}{}", shortened(commit), if build.dirty { "+" } else { "" }),
        None if build.fingerprint.is_empty() => "unknown".to_owned(),
        None => shortened(&build.fingerprint),
    }
}

/// The day in UTC, such as `2026-03-03`. `seconds`: the time since 1970.
pub fn day(seconds: f64) -> String {
    let time = Duration::try_from_secs_f64(seconds).ok().and_then(|time| SystemTime::UNIX_EPOCH.checked_add(time));
    let text = time.map(|time| humantime::format_rfc3339_seconds(time).to_string()).unwrap_or_default();
    text.split('T').next().unwrap_or_default().to_owned()
}

/// The day in UTC in words, such as `3 March 2026`.
pub fn day_in_words(seconds: f64) -> String {
    let day = day(seconds);
    let mut parts = day.split('-');
    let (Some(year), Some(month), Some(of_month)) = (parts.next(), parts.next(), parts.next()) else { return day };
    let month = month.parse().ok().and_then(|month: usize| MONTHS.get(month.checked_sub(1)?));
    month.map_or(day.clone(), |month| format!("{} {month} {year}", of_month.trim_start_matches('0')))
}

/// A relative change of a metric in words: `12% slower`, `50% more`; `from 0` if it has no ratio.
pub fn change_in_words(metric: CheckedMetric, change: f64) -> String {
    let word = match (metric.is_exact(), change > 0.0) {
        (true, true) if !change.is_finite() => return "from 0".to_owned(),
        (true, true) => "more",
        (true, false) => "less",
        (false, true) => "slower",
        (false, false) => "faster",
    };
    format!("{} {word}", percent(change.abs()))
}

/// The name of the parameter that varies, if one does.
pub fn axis_name(arguments: &Arguments) -> Option<&str> {
    let varied = arguments.iter().find(|(_, argument)| fixed_value(argument).is_none());
    varied.map(|(name, _)| name.as_str())
}

/// The arguments with a single value: `size 1 000`, `spread Sorted`.
pub fn fixed_arguments(arguments: &Arguments) -> Vec<String> {
    let fixed = arguments.iter().filter_map(|(name, argument)| Some(format!("{name} {}", fixed_value(argument)?)));
    fixed.collect()
}

/// An argument as text; `None` for that of the parameter that varies.
pub fn fixed_value(argument: &Argument) -> Option<String> {
    match argument {
        Argument::Number(value) => Some(number(*value)),
        Argument::Text(text) => Some(text.clone()),
        Argument::Range(_) | Argument::Values(_) => None,
    }
}

/// A short name of a class of machines: the runner, or else the processor.
pub fn machine_label(machine: &MachineClass) -> String {
    let cpu = machine.cpu.as_deref().unwrap_or("unknown processor");
    machine.runner.as_ref().map_or_else(|| cpu.to_owned(), |runner| format!("{runner} ({cpu})"))
}

/// All properties of a class of machines.
pub fn machine_details(machine: &MachineClass) -> String {
    let settings = machine.settings.join(", ");
    let parts = [Some(machine_label(machine)), Some(settings), machine.system.clone(), Some(machine.target.clone())];
    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// The names of series, which differ: by the machine, by all of its properties, by the source code of the generator, or by the harness.
pub fn series_labels(series: &[HistorySeries]) -> Vec<String> {
    let is_repeated = |label: &String, label_of: fn(&HistorySeries) -> String| {
        series.iter().filter(|series| label_of(series) == *label).count() > 1
    };
    let short = |series: &HistorySeries| machine_label(&series.machine);
    let long = |series: &HistorySeries| machine_details(&series.machine);
    let label = |one: &HistorySeries| {
        let has_one_machine = series.iter().all(|other| other.machine == one.machine);
        let label = match short(one) {
            label if has_one_machine || !is_repeated(&label, short) => label,
            _ => long(one),
        };
        if let Some(harness) = &one.benchmark.harness {
            return format!("{label}, measured by {harness}");
        }
        let inputs: String = one.benchmark.inputs.chars().take(DIGITS).collect();
        // Other harnesses do not report the source code.
        let mut own = series.iter().map(|other| &other.benchmark).filter(|other| other.harness.is_none());
        let has_one_generator = own.all(|other| other.inputs == one.benchmark.inputs);
        if has_one_generator { label } else { format!("{label}, generator {inputs}") }
    };
    series.iter().map(label).collect()
}

/// Summarizes a history in a sentence: its latest step, or its level if it has no step. `at`: the axis value in words, empty without an axis.
/// Absent without results.
pub fn history_answer(function: &str, metric: CheckedMetric, at: &str, points: &[HistoryPoint]) -> Option<String> {
    let (first, last) = (points.first()?, points.last()?);
    let name = name_of(function);
    let (subject, verb) = match metric {
        CheckedMetric::Time => (name.to_owned(), "takes"),
        CheckedMetric::FirstCall => (format!("The first call of {name}"), "takes"),
        CheckedMetric::Allocations | CheckedMetric::AllocatedBytes => (format!("Each call of {name}"), "allocates"),
        CheckedMetric::PeakBytes => (format!("Each call of {name}"), "holds at most"),
        CheckedMetric::WasmInstructions => (format!("Each call of {name}"), "executes"),
    };
    let level = || match metric {
        CheckedMetric::Allocations => format!("{} times", number(last.mean)),
        _ => metric.text(last.mean),
    };
    let date = |point: &HistoryPoint| day_in_words(point.accepted.result.measured);
    let at = if at.is_empty() { String::new() } else { format!(" at {at}") };
    let step = points.iter().rev().find_map(|point| Some((point, point.step?)));
    Some(match step {
        Some((point, step)) if metric.is_exact() => format!(
            "The {metric} of {name} changed from {} to {}{at} with {} on {}.",
            number(step.means.0),
            number(step.means.1),
            build_label(&point.accepted.result.build),
            date(point)
        ),
        Some((point, step)) => format!(
            "{subject} has become {}{at} with {} on {}.",
            change_in_words(metric, step.change()),
            build_label(&point.accepted.result.build),
            date(point)
        ),
        None if points.len() == 1 => {
            format!("{subject} {verb} {}{at} in its only accepted result, of {}.", level(), date(last))
        }
        None => format!(
            "{subject} {verb} {}{at}: no step in {} accepted results since {}.",
            level(),
            points.len(),
            date(first)
        ),
    })
}

/// The ratio on both sides of a step with its interval: `1.12 (1.10 to 1.14)`; `none` for a count that was zero.
pub fn sides_ratio(point: &SidesPoint) -> String {
    match point.interval {
        _ if !point.ratio.is_finite() => "none".to_owned(),
        Some(interval) => format!("{:.3} ({:.3} to {:.3})", point.ratio, interval.low, interval.high),
        None => format!("{:.3}", point.ratio),
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use benchbook_contract::axis_value::AxisValue;
    use benchbook_host::history::{Acceptance, AcceptedResult, Benchmark, CheckedPoint, CheckedResult, VERSION};

    use super::*;

    /// A result of each month of 2026 with these means.
    fn series(means: &[f64]) -> HistorySeries {
        let text = str::to_owned;
        let result = |(month, mean): (usize, &f64)| {
            let [suite, function, generator, inputs] =
                ["demo", "sorting::sort_stable", "keys", "ab"].map(str::to_owned);
            let (arguments, metric) = (Arguments::new(), CheckedMetric::Time);
            let benchmark = Benchmark { suite, function, generator, arguments, inputs, metric, harness: None };
            let (cpu, target) = (Some(text("AMD EPYC 9R14")), text("x86_64-unknown-linux-gnu"));
            let machine =
                MachineClass { cpu, settings: Vec::new(), system: None, target, runner: None, compiler: None };
            let (fingerprint, commit) = (text("fedcba9876543210"), Some(format!("77c0a41{month}0123")));
            let build = BuildOrigin { fingerprint, commit, dirty: month == 3, compiler: text("rustc 1.95.0") };
            // 3 January 2026, and every 30 days.
            let measured = 1_767_398_400.0 + 30.0 * 86_400.0 * month as f64;
            let points = vec![CheckedPoint { means: vec![*mean; 2], ..CheckedPoint::default() }];
            let result = CheckedResult { benchmark, machine, build, measured, points };
            Rc::new(AcceptedResult { benchbook_history: VERSION, accepted: Acceptance::default(), result })
        };
        HistorySeries::all(means.iter().enumerate().map(result)).remove(0)
    }

    fn answer(means: &[f64], at: &str) -> String {
        let points = series(means).at(&AxisValue::Absent);
        let answer =
            history_answer("sorting::sort_stable", CheckedMetric::Time, at, &points).expect("there are results");
        answer.replace('\u{202f}', " ")
    }

    #[test]
    fn the_answer_names_the_latest_step() {
        let steps = [100.0, 101.0, 100.5, 112.0, 112.5, 113.0, 90.0, 90.5, 91.0];
        let expected = "sort_stable has become 20% faster with 77c0a416 on 2 July 2026.";
        assert_eq!(answer(&steps, ""), expected);
        let expected = "sort_stable has become 12% slower at size 1k with 77c0a413+ on 3 April 2026.";
        assert_eq!(answer(&steps[..6], "size 1k"), expected);
    }

    #[test]
    fn the_answer_states_that_there_is_no_step() {
        let expected = "sort_stable takes 101 ns: no step in 3 accepted results since 3 January 2026.";
        assert_eq!(answer(&[100.0, 102.0, 101.0], ""), expected);
        let expected = "sort_stable takes 100 ns in its only accepted result, of 3 January 2026.";
        assert_eq!(answer(&[100.0], ""), expected);
        assert_eq!(history_answer("sort", CheckedMetric::FirstCall, "", &[]), None);
    }

    #[test]
    fn the_answer_about_counts_states_both_of_them() {
        let of = |metric, means: &[f64]| {
            let mut series = series(means);
            series.benchmark.metric = metric;
            let answer = history_answer("sorting::sort_stable", metric, "", &series.at(&AxisValue::Absent));
            answer.expect("there are results").replace('\u{202f}', " ")
        };
        let expected = "The allocated bytes of sort_stable changed from 64 to 4 096 with 77c0a411 on 2 February 2026.";
        assert_eq!(of(CheckedMetric::AllocatedBytes, &[64.0, 4_096.0]), expected);
        let expected =
            "Each call of sort_stable allocates 0.5 times: no step in 2 accepted results since 3 January 2026.";
        assert_eq!(of(CheckedMetric::Allocations, &[0.5, 0.5]), expected);
        let words = [0.5, -0.5, f64::INFINITY].map(|change| change_in_words(CheckedMetric::PeakBytes, change));
        assert_eq!(words.map(|text| text.replace('\u{202f}', " ")), ["50% more", "50% less", "from 0"]);
    }

    #[test]
    fn series_have_different_names() {
        let first = series(&[100.0]);
        let mut others = [first.clone(), first.clone(), first.clone()];
        others[0].machine.settings = vec!["turbo off".to_owned()];
        others[1].machine.cpu = Some("Neoverse V2".to_owned());
        "cdef".clone_into(&mut others[2].benchmark.inputs);
        let [settings, cpu, inputs] = others;
        assert_eq!(series_labels(std::slice::from_ref(&first)), ["AMD EPYC 9R14"]);
        assert_eq!(series_labels(&[first.clone(), cpu]), ["AMD EPYC 9R14", "Neoverse V2"]);
        let expected =
            ["AMD EPYC 9R14 · x86_64-unknown-linux-gnu", "AMD EPYC 9R14 · turbo off · x86_64-unknown-linux-gnu"];
        assert_eq!(series_labels(&[first.clone(), settings]), expected);
        let mut imported = inputs.clone();
        imported.benchmark.harness = Some("criterion".to_owned());
        let labels = series_labels(&[first.clone(), imported]);
        assert_eq!(labels, ["AMD EPYC 9R14", "AMD EPYC 9R14, measured by criterion"]);
        assert_eq!(series_labels(&[first, inputs]), ["AMD EPYC 9R14, generator ab", "AMD EPYC 9R14, generator cdef"]);
    }

    #[test]
    fn invalid_times_have_no_day() {
        assert_eq!([day(0.0), day_in_words(0.0)], ["1970-01-01", "1 January 1970"]);
        assert_eq!([day(-1.0), day_in_words(f64::NAN)], ["", ""]);
    }
}
