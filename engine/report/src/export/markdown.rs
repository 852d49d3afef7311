//! The answer and the figures as Markdown, for a pull request or an issue.

use benchbook_host::messages::answer::{fastest_range, typical_time};
use benchbook_host::messages::lists::with_unit;
use benchbook_host::messages::quality_report::Badge;
use benchbook_host::metric::WASM_INSTRUCTIONS;
use benchbook_host::units::{Nanos, axis_value, plus_minus, under};
use benchbook_notebook::curve::Reading;

use crate::claims::answers;
use crate::comparison::RatioToFastest;
use crate::quality::report_on;
use crate::ranking::MachineRanking;
use crate::shown_trace::ShownTrace;
use crate::table_rows::{TextColumn, repeatability_columns};
use crate::wasm_counts::counts_column;

/// The answers, and for each machine a table, the origin of the figures and a warning if they are noisy or rough.
/// `ranked_at`: the axis value of the ranking, as text.
pub fn markdown(shown: &[ShownTrace], rankings: &[MachineRanking], margin: f64, ranked_at: Option<&str>) -> String {
    let mut parts: Vec<String> = answers(rankings, margin).iter().map(|answer| escaped_sentence(answer)).collect();
    if let Some(first) = parts.first_mut() {
        *first = format!("**{first}**");
    }
    for ranking in rankings {
        parts.push(match ranking.names.len() {
            1 => points_table(shown, ranking),
            _ => ranking_table(shown, ranking, ranked_at),
        });
        parts.push(origin(ranking));
        parts.extend(quality_warning(shown, &ranking.ordinals));
    }
    parts.join("\n\n") + "\n"
}

/// The functions at an axis value, the fastest first.
fn ranking_table(shown: &[ShownTrace], ranking: &MachineRanking, ranked_at: Option<&str>) -> String {
    let value = ranking.value_at(ranked_at);
    let x = &ranking.ranking.values()[value];
    let at = match x.is_absent() {
        true => String::new(),
        false => format!(" at {}", escaped(&with_unit(&axis_value(x), ranking.setup.axis_unit()))),
    };
    let functions = ranking.ranking.ranked_at(value);
    let counts = counts_column(shown);
    let row = |&function: &usize| {
        let time = ranking.ranking.time(function, value).map(typical_time).unwrap_or_default();
        let ratio = RatioToFastest::at(ranking, function, value).and_then(RatioToFastest::text).unwrap_or_default();
        let mut fields =
            vec![code(&ranking.names[function]), time, ratio, escaped(&fastest_range(&ranking.ranking, function))];
        fields.extend(counts.map(|counts| {
            let mut readings = shown[ranking.ordinals[function]].trace.curve.readings().iter();
            counts.text(readings.find(|reading| reading.x == *x).and_then(Reading::measured))
        }));
        line(&fields)
    };
    let mut head = vec![
        "Function".to_owned(),
        format!("Median{at}"),
        "Ratio to fastest (95%)".to_owned(),
        "Fastest at".to_owned(),
    ];
    head.extend(counts.map(|_| WASM_INSTRUCTIONS.title.to_owned()));
    let rule: Vec<String> = (0..head.len()).map(|column| if column == 0 { "---" } else { "---:" }.to_owned()).collect();
    let lines: Vec<String> = [line(&head), line(&rule)].into_iter().chain(functions.iter().map(row)).collect();
    lines.join("\n")
}

/// The points of a function measured alone.
fn points_table(shown: &[ShownTrace], ranking: &MachineRanking) -> String {
    let trace = &shown[ranking.ordinals[0]].trace;
    let own = &shown[ranking.ordinals[0]..=ranking.ordinals[0]];
    let further: Vec<TextColumn> = repeatability_columns(own).into_iter().chain(counts_column(own)).collect();
    let row = |reading: &Reading| {
        let x = if reading.x.is_absent() { code(trace.name()) } else { escaped(&axis_value(&reading.x)) };
        let further = further.iter().map(|column| column.text(reading.measured()));
        line(&[x].into_iter().chain(figures(reading)).chain(further).collect::<Vec<_>>())
    };
    let axis = match trace.setup.axis_heading() {
        heading if heading.is_empty() => "Function".to_owned(),
        heading => escaped(&heading),
    };
    let mut head = vec![axis, "Median".to_owned(), "Mean".to_owned(), "95% interval of the mean".to_owned()];
    head.extend(further.iter().map(|column| column.heading.to_owned()));
    let rule = vec!["---:".to_owned(); head.len()];
    let rows = trace.curve.readings().iter().map(row);
    [line(&head), line(&rule)].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}

/// The median, the mean and its interval; or an upper bound; or the reason of a failure.
fn figures(reading: &Reading) -> [String; 3] {
    let Some(measured) = reading.measured() else {
        let reason = reading.failure().map(|(_, failure)| escaped(&failure.reason)).unwrap_or_default();
        return [format!("failed: {reason}"), String::new(), String::new()];
    };
    if let Some(bound) = measured.upper_bound() {
        return [String::new(), under(Nanos(bound)), String::new()];
    }
    let summary = &measured.summary;
    let median = summary.median.map_or_else(|| "unavailable".to_owned(), |median| Nanos(median).to_string());
    [median, Nanos(summary.mean).to_string(), summary.relative_half_width.map(plus_minus).unwrap_or_default()]
}

/// The inputs, the machine and the build behind a table.
fn origin(ranking: &MachineRanking) -> String {
    let setup = &ranking.setup;
    let fingerprint: String = setup.suite.fingerprint.chars().take(8).collect();
    let compiler = setup.suite.build.compiler();
    let summary = setup.summary();
    let inputs = if summary.is_empty() { String::new() } else { format!("{}. ", escaped(&summary)) };
    format!(
        "{inputs}Measured with Benchbook on {} ({}); {} {} ({fingerprint}), {compiler}.",
        escaped(&setup.machine.name),
        setup.target_name(),
        escaped(&setup.suite.name),
        escaped(&setup.suite.version)
    )
}

/// The badge and its reasons, unless the quality is good.
fn quality_warning(shown: &[ShownTrace], ordinals: &[usize]) -> Option<String> {
    let report = report_on(shown, ordinals).filter(|report| report.badge != Badge::Good)?;
    Some(format!("{}: {}", report.badge.label(), escaped(&report.line)))
}

fn line(fields: &[String]) -> String {
    format!("| {} |", fields.join(" | "))
}

/// Formats a name as inline code in a table, where a pipe would end the field.
fn code(name: &str) -> String {
    format!("`{}`", name.replace('`', "").replace('|', "\\|"))
}

/// Escapes a sentence whose function names are between backticks: the names remain code, in which a backslash would be visible.
fn escaped_sentence(sentence: &str) -> String {
    let part = |(index, part): (usize, &str)| if index % 2 == 0 { escaped(part) } else { format!("`{part}`") };
    sentence.split('`').enumerate().map(part).collect()
}

/// Escapes untrusted text, so that Markdown renders it literally, also in a table.
pub fn escaped(text: &str) -> String {
    let is_special = |character: char| "\\`*_{}[]<>()#+!|~&".contains(character);
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' => escaped.push(' '),
            special if is_special(special) => escaped.extend(['\\', special]),
            plain => escaped.push(plain),
        }
    }
    escaped
}
