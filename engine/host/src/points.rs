//! Points: the axis values at which a range is measured.

use benchbook_contract::parameter::{Numeric, Range, Scale};

/// The axis values of a range, at most `count` of them, in ascending order without duplicates.
///
/// The range is halved (on a log scale: at the geometric mean) k times over, with the largest k for which 2^k + 1 is not
/// above `count`, and what lies between its ends is snapped to the parameter's grid. So a point is the fraction i/2^k of
/// the range, and the values of a smaller count are among those of a larger one. Each value comes from additions,
/// multiplications and square roots alone, which every machine rounds alike: page and runner get the same ones.
///
/// Both ends are always among the values, exactly as given: a `count` below 2 is taken as 2, and a range of one value
/// gives that value alone. The range's ends are values that `numeric` holds, the low one above 0 on a log scale.
pub fn axis_values(numeric: &Numeric, range: Range, count: u32) -> Vec<f64> {
    let mut between = Vec::new();
    halve(numeric.scale, range, (count.max(2) - 1).ilog2(), &mut between);
    let mut values = vec![range.low];
    values.extend(
        between.into_iter().map(|value| numeric.snap(value)).filter(|&value| is_between(numeric, range, value)),
    );
    values.push(range.high);
    values.dedup();
    values
}

/// Appends what `times` halvings put between the ends, in ascending order.
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

/// Whether a snapped value is another than both ends, which may be off their grid points by rounding.
fn is_between(numeric: &Numeric, range: Range, value: f64) -> bool {
    let same = numeric.step.unwrap_or(0.0) / 2.0;
    value - range.low > same && range.high - value > same
}
