//! A plot of curves in characters.

use benchbook_contract::parameter::Scale;
use benchbook_host::units::{Nanos, number};
use benchbook_report::shown_trace::ShownTrace;
use unicode_width::UnicodeWidthStr;

/// The size of the area of the curves, in characters.
const WIDTH: usize = 64;
const HEIGHT: usize = 14;

/// The fewest points of a curve worth a plot.
const MIN_POINTS: usize = 3;

/// The ratio of the greatest time to the least one from which the axis of times is logarithmic.
const LOG_FROM: f64 = 10.0;

/// The marks of the curves, in the order of the functions.
const MARKS: [char; 8] = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/// An axis of the plot: positions are 0 to 1.
#[derive(Clone, Copy)]
struct PlotAxis {
    low: f64,
    high: f64,
    is_log: bool,
}

impl PlotAxis {
    /// The axis of all values; `None` if they are equal.
    fn new(values: impl Iterator<Item = f64> + Clone, is_log: bool) -> Option<Self> {
        let (low, high) = (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max));
        (low < high && (!is_log || low > 0.0)).then_some(Self { low, high, is_log })
    }

    fn position(self, value: f64) -> f64 {
        let scaled = |value: f64| if self.is_log { value.ln() } else { value };
        (scaled(value) - scaled(self.low)) / (scaled(self.high) - scaled(self.low))
    }

    /// The value at a position.
    fn value(self, position: f64) -> f64 {
        if self.is_log {
            self.low * (self.high / self.low).powf(position)
        } else {
            self.low + position * (self.high - self.low)
        }
    }
}

/// Draws the typical times over a numeric axis, with a letter for each function; `None` without such an axis or with too few points.
pub(crate) fn text_plot(shown: &[ShownTrace]) -> Option<String> {
    let setup = &shown.first()?.trace.setup;
    let scale = setup.axis_numeric()?.scale;
    let curves: Vec<Vec<(f64, f64)>> = shown.iter().map(curve).collect();
    if curves.iter().map(Vec::len).max()? < MIN_POINTS {
        return None;
    }
    let all = || curves.iter().flatten().copied();
    let times = || all().map(|(_, time)| time);
    let (least, greatest) = (times().fold(f64::INFINITY, f64::min), times().fold(0.0, f64::max));
    let x = PlotAxis::new(all().map(|(x, _)| x), scale == Scale::Log)?;
    let y = PlotAxis::new(times(), least > 0.0 && greatest / least >= LOG_FROM)?;
    let mut grid = vec![[' '; WIDTH]; HEIGHT];
    for (curve, mark) in curves.iter().zip(MARKS.into_iter().cycle()) {
        draw(&mut grid, curve, x, y, mark);
    }
    Some(frame(&grid, shown, x, y, &setup.axis_heading()))
}

/// The points of a function: the medians, or the means where the median is unavailable.
fn curve(shown: &ShownTrace) -> Vec<(f64, f64)> {
    let readings = shown.trace.curve.readings().iter();
    let points = readings.filter_map(|reading| {
        let measured = reading.measured().filter(|measured| measured.upper_bound().is_none())?;
        Some((reading.x.number()?, measured.summary.median.unwrap_or(measured.summary.mean)))
    });
    points.collect()
}

/// Draws the letters of the points, with dots in between.
fn draw(grid: &mut [[char; WIDTH]], curve: &[(f64, f64)], x: PlotAxis, y: PlotAxis, mark: char) {
    let cell = |(at, time): (f64, f64)| {
        let column = (x.position(at) * (WIDTH - 1) as f64).round() as usize;
        let row = ((1.0 - y.position(time)) * (HEIGHT - 1) as f64).round() as usize;
        (row.min(HEIGHT - 1), column.min(WIDTH - 1))
    };
    for pair in curve.windows(2) {
        let ((from_row, from), (to_row, to)) = (cell(pair[0]), cell(pair[1]));
        let between = (from + 1..to).map(|column| {
            let part = (column - from) as f64 / (to - from) as f64;
            let row = (from_row as f64 + part * (to_row as f64 - from_row as f64)).round() as usize;
            (row, column)
        });
        for (row, column) in between {
            if grid[row][column] == ' ' {
                grid[row][column] = '·';
            }
        }
    }
    for point in curve {
        let (row, column) = cell(*point);
        grid[row][column] = mark;
    }
}

/// The area with labels on both axes, and the legend.
fn frame(grid: &[[char; WIDTH]], shown: &[ShownTrace], x: PlotAxis, y: PlotAxis, heading: &str) -> String {
    let label = |row: usize| match row {
        0 => Nanos(y.high).to_string(),
        row if row == HEIGHT / 2 => Nanos(y.value(1.0 - row as f64 / (HEIGHT - 1) as f64)).to_string(),
        row if row == HEIGHT - 1 => Nanos(y.low).to_string(),
        _ => String::new(),
    };
    // The labels contain no wide characters, but the name of a parameter may.
    let width = (0..HEIGHT).map(|row| label(row).chars().count()).max().unwrap_or_default();
    let mut lines: Vec<String> = Vec::new();
    for (row, cells) in grid.iter().enumerate() {
        let cells: String = cells.iter().collect();
        lines.push(format!("{:>width$} │{}", label(row), cells.trim_end()));
    }
    lines.push(format!("{:>width$} └{}", "", "─".repeat(WIDTH)));
    lines.push(format!("{:>width$}  {}", "", axis_labels(&number(x.low), heading, &number(x.high))));
    if shown.len() > 1 {
        let legend: Vec<String> = shown
            .iter()
            .zip(MARKS.into_iter().cycle())
            .map(|(shown, mark)| format!("{mark} {}", shown.label))
            .collect();
        lines.push(format!("{:>width$}  {}", "", legend.join("   ")));
    }
    lines.join("\n")
}

/// The labels below the area: the heading between both ends.
fn axis_labels(low: &str, heading: &str, high: &str) -> String {
    let gap = WIDTH.saturating_sub([low, heading, high].map(UnicodeWidthStr::width).into_iter().sum());
    let (left, right) = (gap / 2, gap - gap / 2);
    format!("{low}{}{heading}{}{high}", " ".repeat(left), " ".repeat(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_take_two_columns() {
        for heading in ["size", "größe", "日本語"] {
            assert_eq!(axis_labels("10", heading, "1 000").width(), WIDTH, "{heading}");
        }
    }
}
