//! The axis values at which a range is measured.

use benchbook_contract::parameter::{Numeric, Range, Scale};

/// The axis values of a range, at most `count`, in ascending order without duplicates.
///
/// The range is halved k times (on a log scale: at the geometric mean), with the largest k for which 2^k + 1 does not
/// exceed `count`. The values between the ends are snapped to the parameter's grid. Each point is thus a fraction i/2^k
/// of the range, and the values of a smaller count are among those of a larger one. The computation uses only
/// additions, multiplications and square roots, which every machine rounds identically, so that the page and the runner
/// compute identical values.
///
/// Both ends are always included, exactly as given: a `count` below 2 counts as 2. A range whose ends are equal yields one
/// value. The caller passes ends that `numeric` accepts, with a low end above 0 on a log scale.
///
/// If the valid values are listed, the part of the list within the range is halved instead.
pub fn axis_values(numeric: &Numeric, range: Range, count: u32) -> Vec<f64> {
    let times = (count.max(2) - 1).ilog2();
    if !numeric.values.is_empty() {
        return listed_values(&numeric.values, range, times);
    }
    let mut between = Vec::new();
    halve(numeric.scale, range, times, &mut between);
    let mut values = vec![range.low];
    values.extend(
        between.into_iter().map(|value| numeric.snap(value)).filter(|&value| is_between(numeric, range, value)),
    );
    values.push(range.high);
    values.dedup();
    values
}

/// Adds valid values to those of a range, each once, in ascending order.
pub fn with_values(numeric: &Numeric, mut values: Vec<f64>, added: &[f64]) -> Vec<f64> {
    for &value in added {
        if !has_value(numeric, &values, value) {
            values.push(value);
        }
    }
    values.sort_by(f64::total_cmp);
    values
}

/// Whether a valid value is among others, which may differ from it by rounding.
pub fn has_value(numeric: &Numeric, values: &[f64], value: f64) -> bool {
    let tolerance = numeric.step.unwrap_or(0.0) / 2.0;
    values.iter().any(|other| (other - value).abs() <= tolerance)
}

/// The first valid value strictly between two others that halving the range reaches: the middle of the range, of one of its halves, and
/// so on. `None` if there is no valid value next to such a middle.
pub fn value_between(numeric: &Numeric, range: Range, between: Range) -> Option<f64> {
    let is_inside = |value: &f64| between.low < *value && *value < between.high;
    let mut half = range;
    for _ in 0..f64::MANTISSA_DIGITS {
        let middle = middle(numeric.scale, half);
        let value = numeric.snap(middle);
        if is_inside(&value) {
            return Some(value);
        } else if middle <= between.low {
            half.low = middle;
        } else if middle >= between.high {
            half.high = middle;
        } else {
            break;
        }
    }
    Some(numeric.snap(middle(numeric.scale, between))).filter(is_inside)
}

/// The ends of the range, and the listed values that `times` halvings of the list between them reach.
fn listed_values(values: &[f64], range: Range, times: u32) -> Vec<f64> {
    let inside: Vec<f64> = values.iter().copied().filter(|value| range.low < *value && *value < range.high).collect();
    let mut selected = vec![range.low];
    halve_list(&inside, times, &mut selected);
    selected.push(range.high);
    selected.dedup();
    selected
}

/// Appends the values in the middle of the list and of its halves, in ascending order.
fn halve_list(values: &[f64], times: u32, selected: &mut Vec<f64>) {
    let middle = values.len() / 2;
    let Some(value) = values.get(middle).filter(|_| times > 0) else { return };
    halve_list(&values[..middle], times - 1, selected);
    selected.push(*value);
    halve_list(&values[middle + 1..], times - 1, selected);
}

/// Appends the values that `times` halvings insert between the ends, in ascending order.
fn halve(scale: Scale, range: Range, times: u32, values: &mut Vec<f64>) {
    if times == 0 {
        return;
    }
    let middle = middle(scale, range);
    halve(scale, Range { high: middle, ..range }, times - 1, values);
    values.push(middle);
    halve(scale, Range { low: middle, ..range }, times - 1, values);
}

fn middle(scale: Scale, Range { low, high }: Range) -> f64 {
    match scale {
        Scale::Linear => low + (high - low) / 2.0,
        Scale::Log => (low * high).sqrt(),
    }
}

/// Whether a snapped value differs from both ends, which may deviate from their grid points by rounding.
fn is_between(numeric: &Numeric, range: Range, value: f64) -> bool {
    let tolerance = numeric.step.unwrap_or(0.0) / 2.0;
    value - range.low > tolerance && range.high - value > tolerance
}
