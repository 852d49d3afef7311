//! Tables in Markdown.

use benchbook_host::analyze::interval::Interval;
use benchbook_host::self_test::rungs::RecoveredRatio;

/// Prints a line for each ratio: the worse of those at both axis values.
pub(crate) fn ladder(recovered: &[RecoveredRatio], goal: f64) {
    println!("| compared functions | true ratio | ratio | interval | error |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    for pair in recovered.chunk_by(|one, next| (one.baseline, one.other) == (next.baseline, next.other)) {
        let worst = pair.iter().max_by(|one, other| one.error().abs().total_cmp(&other.error().abs()));
        if let Some(worst) = worst {
            let RecoveredRatio { baseline, other, truth, ratio, interval, .. } = worst;
            let Interval { low, high } = interval;
            let digits = if *truth < 100.0 { 4 } else { 2 };
            let error = 100.0 * worst.error();
            println!(
                "| `{other}` : `{baseline}` | {truth} | {ratio:.digits$} | {low:.digits$} to {high:.digits$} | {error:+.2}% |"
            );
        }
    }
    let worst = recovered.iter().map(|one| one.error().abs()).fold(0.0, f64::max);
    let within = recovered.iter().filter(|one| one.error().abs() <= goal).count();
    let held = recovered.iter().filter(|one| one.interval.contains(one.truth)).count();
    let of = recovered.len();
    println!(
        "\nWithin {:.1}%: {within} of {of}; the largest error is {:.2}%. The interval contains the true ratio: {held} of {of}.\n",
        100.0 * goal,
        100.0 * worst
    );
}

/// Prints how often a difference was detected, with the right and with the wrong sign.
pub(crate) fn percent(different: &[Interval], same: &[Interval]) {
    println!("| 1 s for both | above 1 | below 1 | half-width: median | worst |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    line("1% more", different);
    line("equal", same);
    let found = different.iter().filter(|interval| interval.low > 1.0).count();
    let wrong = different.iter().filter(|interval| interval.high < 1.0).count();
    let invented = same.iter().filter(|interval| !interval.contains(1.0)).count();
    println!(
        "\nDetected {found} of {} (goal: 95%), {wrong} with the wrong sign; for equal functions {invented} of {} (at most 5%).\n",
        different.len(),
        same.len()
    );
}

fn line(name: &str, intervals: &[Interval]) {
    let above = intervals.iter().filter(|interval| interval.low > 1.0).count();
    let below = intervals.iter().filter(|interval| interval.high < 1.0).count();
    let mut widths: Vec<f64> = intervals.iter().map(|interval| 50.0 * (interval.high - interval.low)).collect();
    widths.sort_by(f64::total_cmp);
    let (median, worst) = (widths[widths.len() / 2], widths[widths.len() - 1]);
    println!("| {name} | {above} of {of} | {below} | {median:.2}% | {worst:.2}% |", of = intervals.len());
}

/// Prints the header of the lines of [`nothing`].
pub(crate) fn nothing_header() {
    println!("| empty function | contains 0 | above | below | half-width: median |");
    println!("| --- | ---: | ---: | ---: | ---: |");
}

/// Prints how often the interval of the mean contains 0.
pub(crate) fn nothing(function: &str, intervals: &[Interval]) {
    let count = |is: fn(&&Interval) -> bool| intervals.iter().filter(is).count();
    let (holds, of) = (count(|interval| interval.contains(0.0)), intervals.len());
    let (above, below) = (count(|interval| interval.low > 0.0), count(|interval| interval.high < 0.0));
    let mut widths: Vec<f64> = intervals.iter().map(|interval| (interval.high - interval.low) / 2.0).collect();
    widths.sort_by(f64::total_cmp);
    println!("| `{function}` | {holds} of {of} | {above} | {below} | {:.3} ns |", widths[widths.len() / 2]);
}
