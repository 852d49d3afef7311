//! Where and when a runner measured a result that it had stored before it was requested.

use benchbook_notebook::result::CellResult;

use super::history::day_in_words;

/// The age from which a day is clearer than a number of days.
const OLD_DAYS: f64 = 60.0;

/// A note on a stored result, such as `stored, 3 days ago, on reference-01`; `None` if some of it was measured after the request. `requested`: when
/// the user started the measurement, and `now`, in milliseconds since 1970.
pub fn stored_note(result: &CellResult, requested: f64, now: f64) -> Option<String> {
    let is_stored = result.started < requested && result.has_figures();
    is_stored.then(|| format!("stored, {}, on {}", age(result.started, now), result.setup.machine.name))
}

/// How long ago a time is, in one unit: `just now`, `5 minutes ago`, `3 days ago`, or its day. In milliseconds since 1970.
fn age(time: f64, now: f64) -> String {
    let seconds = (now - time).max(0.0) / 1_000.0;
    let units = [(86_400.0, "day"), (3_600.0, "hour"), (60.0, "minute")];
    if seconds / 86_400.0 > OLD_DAYS {
        return format!("on {}", day_in_words(time / 1_000.0));
    }
    let unit = units.into_iter().find(|(length, _)| seconds >= *length);
    unit.map_or_else(
        || "just now".to_owned(),
        |(length, name)| match (seconds / length).floor() {
            1.0 => format!("1 {name} ago"),
            count => format!("{count} {name}s ago"),
        },
    )
}
