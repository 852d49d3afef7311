//! Windows that fit data.

use crate::scale::{AxisScale, Span, Window};

/// The margin above and below the data, as a fraction of the height.
const MARGIN: f64 = 0.06;
/// The shortest logarithmic axis, in decades (a factor of 5), so that a flat curve looks flat and has two labels.
const MIN_DECADES: f64 = 0.7;
/// The shortest linear axis of ratios, so that a difference of a percent looks small.
const MIN_RATIOS: f64 = 0.2;
/// The shortest axis for equal samples: a fraction of their value on a linear axis, decades on a logarithmic one.
const MIN_SPREAD: f64 = 0.01;
/// The shortest axis for samples that are all 0, in nanoseconds.
const MIN_SPREAD_NEAR_ZERO: f64 = 0.01;
/// The window of an axis that has neither points nor a range: some round numbers.
pub(crate) const EMPTY: Window = Window { low: 1.0, high: 1000.0 };

/// The window from the first parameter value to the last, without a margin: the requested range fills the width.
pub(crate) fn fit_parameter(values: impl Iterator<Item = f64>, scale: AxisScale) -> Window {
    let Some(span) = hull(values, scale) else { return EMPTY };
    let least = match scale {
        AxisScale::Log => MIN_DECADES,
        AxisScale::Linear => span.low.abs().max(1.0),
    };
    scale.window(if span.length() > 0.0 { span } else { span.at_least(least) })
}

/// All times with a margin. A linear axis starts at 0, so that heights can be compared.
pub(crate) fn fit_time(values: impl Iterator<Item = f64>, scale: AxisScale) -> Window {
    let Some(span) = hull(values, scale) else { return EMPTY };
    match scale {
        AxisScale::Log => scale.window(span.padded(MARGIN).at_least(MIN_DECADES)),
        AxisScale::Linear => {
            let with_zero = Span { low: span.low.min(0.0), high: span.high.max(0.0) };
            let padded = with_zero.padded(MARGIN);
            match (with_zero.low < 0.0, with_zero.high > 0.0) {
                (false, false) => Window { low: 0.0, high: 1.0 },
                (false, true) => Window { low: 0.0, high: padded.high },
                (true, _) => Window { low: padded.low, high: padded.high },
            }
        }
    }
}

/// All ratios with a margin. A linear axis does not start at 0: equal times have the ratio 1.
pub(crate) fn fit_ratio(values: impl Iterator<Item = f64>, scale: AxisScale) -> Window {
    match scale {
        AxisScale::Log => fit_time(values, scale),
        AxisScale::Linear => {
            hull(values, scale).map_or(EMPTY, |span| scale.window(span.padded(MARGIN).at_least(MIN_RATIOS)))
        }
    }
}

/// All samples with a margin. The axis does not start at 0, so that differences between samples are visible.
pub(crate) fn fit_spread(values: impl Iterator<Item = f64>, scale: AxisScale) -> Window {
    let Some(span) = hull(values, scale) else { return EMPTY };
    let least = match scale {
        AxisScale::Log => MIN_SPREAD,
        AxisScale::Linear => (span.max_abs() * MIN_SPREAD).max(MIN_SPREAD_NEAR_ZERO),
    };
    scale.window(span.padded(MARGIN).at_least(least))
}

/// The window from 0 to the largest count with a margin. A logarithmic axis starts at one half, so that 1 is visible.
pub(crate) fn fit_counts(largest: usize, scale: AxisScale) -> Window {
    let largest = largest.max(1) as f64;
    match scale {
        AxisScale::Log => Window { low: 0.5, high: largest * 2_f64.powf(2.0 * MARGIN) },
        AxisScale::Linear => Window { low: 0.0, high: largest * (1.0 + 2.0 * MARGIN) },
    }
}

/// The shortest span that contains each value that the scale can show. Its length may be 0.
fn hull(values: impl Iterator<Item = f64>, scale: AxisScale) -> Option<Span> {
    values.filter_map(|value| scale.position(value)).fold(None, |hull: Option<Span>, position| {
        let Span { low, high } = hull.unwrap_or(Span { low: position, high: position });
        Some(Span { low: low.min(position), high: high.max(position) })
    })
}
