//! The profile as text for a terminal.

use benchbook_host::units::number;
use benchbook_profile::{
    CallMemory, Profile, ProfileGrowth, ProfileMetric, ProfilePoint, ProfileRow, answer, in_percent, short_number,
};
use unicode_width::UnicodeWidthStr;

/// The share from which on a function is listed.
const MIN_SHARE: f64 = 0.005;

/// How many functions are listed at most.
const MAX_ROWS: usize = 25;

/// How many functions that allocate are named.
const MAX_ALLOCATING: usize = 3;

/// The answer, a line for each function, and who allocates. `rows`: those of the metric at the point.
pub(super) fn text(profile: &Profile, rows: &[ProfileRow], metric: ProfileMetric, point: usize) -> String {
    let mut text = first_line(profile, rows, metric, point);
    text += "\n\n";
    let all: i64 = rows.iter().map(|row| metric.of(&row.own[point])).sum();
    let share = |amount: i64| amount as f64 / all.max(1) as f64;
    let is_listed = |row: &&ProfileRow| share(metric.of(&row.total[point])) >= MIN_SHARE;
    let mut listed: Vec<&ProfileRow> = rows.iter().filter(is_listed).take(MAX_ROWS).collect();
    // The answer names it.
    let largest = rows.iter().max_by_key(|row| metric.of(&row.own[point]));
    listed.extend(largest.filter(|largest| all > 0 && !listed.iter().any(|row| row.name == largest.name)));
    let header = ["total", "itself", "native", "function", "calls", "growth", ""].map(str::to_owned);
    let cells = listed.iter().map(|row| {
        [
            in_percent(share(metric.of(&row.total[point]))),
            in_percent(share(metric.of(&row.own[point]))),
            row.native_share.map(in_percent).unwrap_or_default(),
            name(row),
            calls(profile, row, point),
            row.growth.map(ProfileGrowth::label).unwrap_or_default(),
            row.place.as_ref().map(ToString::to_string).unwrap_or_default(),
        ]
    });
    let is_native = |row: &ProfileRow| row.native_share.is_some();
    let left_out = if rows.iter().any(is_native) { None } else { Some(2) };
    text += &table(&[header].into_iter().chain(cells).collect::<Vec<_>>(), left_out);
    let rest = rows.iter().filter(|row| metric.of(&row.total[point]) != 0).count().saturating_sub(listed.len());
    if rest > 0 {
        text += &format!("  and {rest} smaller {}\n", if rest == 1 { "function" } else { "functions" });
    }
    if profile.includes_library {
        text += "  Includes the standard library's functions; --std lists them.\n";
    }
    if let Some(line) = allocations(profile, rows, point) {
        text += &format!("\n{line}\n");
        text += &held(&profile.points[point]).unwrap_or_default();
    }
    text
}

/// The function and the answer.
pub(super) fn first_line(profile: &Profile, rows: &[ProfileRow], metric: ProfileMetric, point: usize) -> String {
    format!("{}: {}", profile.function, answer(profile, rows, metric, point))
}

/// The name with the crate, if that is of a registry.
fn name(row: &ProfileRow) -> String {
    match row.package.split_once(' ') {
        Some(_) => format!("{} ({})", row.short_name, row.package),
        None => row.short_name.clone(),
    }
}

fn calls(profile: &Profile, row: &ProfileRow, point: usize) -> String {
    // The measured function may be inlined into the loop around its calls, which are known.
    let is_inlined = row.is_inlined && row.name != profile.root.name;
    let own = &row.own[point];
    match (own.calls, is_inlined) {
        (0, true) => "inlined".to_owned(),
        (_, is_inlined) => {
            let and_more = if is_inlined { ", also inlined" } else { "" };
            format!("{}{and_more}", short_number(profile.per_call(point, ProfileMetric::Calls, own)))
        }
    }
}

/// Who allocates how much per call: "allocated: 624 × 8 to 80 000 bytes, from merge; at most 80 000 bytes at once".
fn allocations(profile: &Profile, rows: &[ProfileRow], point: usize) -> Option<String> {
    let own = |row: &&ProfileRow| row.own[point];
    let mut allocating: Vec<&ProfileRow> = rows.iter().filter(|row| own(row).allocations > 0).collect();
    allocating.sort_by_key(|row| std::cmp::Reverse((own(row).bytes, own(row).allocations)));
    let part = |row: &&ProfileRow| {
        let own = own(row);
        let sizes = match own.sizes {
            Some((low, high)) if low == high => format!(" × {} bytes", number(low.into())),
            Some((low, high)) => format!(" × {} to {} bytes", number(low.into()), number(high.into())),
            None => String::new(),
        };
        let from = if row.name == profile.root.name { "its own code" } else { &row.short_name };
        format!("{}{sizes}, from {from}", short_number(profile.per_call(point, ProfileMetric::Allocations, &own)))
    };
    let parts: Vec<String> = allocating.iter().take(MAX_ALLOCATING).map(part).collect();
    let more = if allocating.len() > MAX_ALLOCATING { "; and more, see --by bytes" } else { "" };
    let peak = number(profile.total(point).peak as f64);
    (!parts.is_empty())
        .then(|| format!("allocated per call: {}{more}; at most {peak} bytes held at once", parts.join("; ")))
}

/// What the suite holds around a call, with a line break.
fn held(point: &ProfilePoint) -> Option<String> {
    let CallMemory { initial, current, peak } = point.memory?;
    let [initial, current, peak] = [initial, current, peak].map(|bytes| number(bytes as f64));
    Some(format!("held: {initial} bytes when a call begins, {peak} at most, {current} when it returns\n"))
}

/// Cells as columns: numbers to the right, names to the left. `left_out`: a column that is not printed.
fn table<const N: usize>(rows: &[[String; N]], left_out: Option<usize>) -> String {
    let widths: [usize; N] =
        std::array::from_fn(|column| rows.iter().map(|row| row[column].width()).max().unwrap_or(0));
    let line = |row: &[String; N]| {
        let cell = |(column, text): (usize, &String)| {
            let padding = " ".repeat(widths[column] - text.width());
            if [0, 1, 2, 4].contains(&column) { format!("{padding}{text}") } else { format!("{text}{padding}") }
        };
        let cells = row.iter().enumerate().filter(|(column, _)| Some(*column) != left_out);
        format!("  {}", cells.map(cell).collect::<Vec<_>>().join("  ")).trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use benchbook_contract::axis_value::AxisValue;
    use benchbook_profile::{Amounts, Frame, Place, rows};

    use super::*;

    fn frame(name: &str, file: &str, own: impl Fn(f64) -> Amounts, children: Vec<Frame>) -> Frame {
        let place = Some(Place { file: file.to_owned(), line: 41 });
        Frame { name: name.to_owned(), place, own: SIZES.map(own).to_vec(), children, ..Frame::default() }
    }

    const SIZES: [f64; 7] = [10.0, 32.0, 100.0, 316.0, 1_000.0, 3_162.0, 10_000.0];

    #[test]
    fn a_profile_has_an_answer_a_line_for_each_function_and_who_allocates() {
        let instructions = |instructions: f64| Amounts { instructions: instructions as i64, ..Amounts::default() };
        let merge = |n: f64| Amounts {
            calls: 4,
            allocations: 4,
            bytes: 16 * n as i64,
            peak: 4 * n as i64,
            sizes: Some((8, 4 * n as u32)),
            ..instructions(120.0 * n * n.ln())
        };
        let find = Frame {
            is_inlined: true,
            ..frame("memchr::find", "memchr-2.7.4/src/lib.rs", |n| instructions(50.0 * n), Vec::new())
        };
        let children = vec![frame("demo::sorting::merge", "src/sorting.rs", merge, vec![find])];
        let root =
            frame("sorting::merge_sort", "src/sorting.rs", |_| Amounts { calls: 2, ..instructions(4.0) }, children);
        let points = SIZES
            .map(|x| ProfilePoint {
                x: AxisValue::Number(x),
                calls: 2,
                memory: Some(CallMemory { initial: 500, current: 400, peak: 4 * x as i64 }),
            })
            .to_vec();
        let (crate_name, axis) = ("demo".to_owned(), "size".to_owned());
        let profile = Profile { function: root.name.clone(), crate_name, axis, points, root, includes_library: false };
        let rows = rows(&profile, ProfileMetric::Instructions, 6);
        let shown = text(&profile, &rows, ProfileMetric::Instructions, 6).replace('\u{202f}', " ");
        let expected = "\
sorting::merge_sort: merge takes 96% of 5.78 M wasm instructions with size 10 000 and grows fastest (n log n)

   total  itself  function                       calls  growth
  100.0%    0.0%  sorting::merge_sort                1  n log n  src/sorting.rs:41
  100.0%   95.7%  sorting::merge                     2  n log n  src/sorting.rs:41
    4.3%    4.3%  memchr::find (memchr 2.7.4)  inlined  n        memchr-2.7.4/src/lib.rs:41

allocated per call: 2 × 8 to 40 000 bytes, from sorting::merge; at most 40 000 bytes held at once
held: 500 bytes when a call begins, 40 000 at most, 400 when it returns
";
        assert_eq!(shown, expected);
    }
}
