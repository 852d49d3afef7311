//! The values of an axis that have a grid line and a label.
//!
//! The key points of `plotters` ignore the width of labels, and on a logarithmic axis they are whole decades or none.

use super::labels::labels;
use super::text::CHARACTER;
use crate::axis::Unit;
use crate::scale::{AxisScale, Span};

/// A labelled value of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) position: f64,
    pub(super) label: String,
}

/// The space for labels along an axis, in page pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct LabelRoom {
    length: f64,
    character: f64,
    gap: f64,
}

impl LabelRoom {
    /// For labels next to each other along an axis of this length.
    pub(super) fn horizontal(length: f64) -> Self {
        Self { length, character: CHARACTER, gap: 18.0 }
    }

    /// For labels below each other along an axis of this length.
    pub(super) fn vertical(length: f64) -> Self {
        Self { length, character: 0.0, gap: 20.0 }
    }

    /// Whether all labels have enough distance from the next.
    fn fits(self, ticks: &[Tick], span: Span) -> bool {
        let longest = ticks.iter().map(|tick| tick.label.chars().count()).max().unwrap_or(0);
        let needed = self.gap + self.character * longest as f64;
        ticks.windows(2).all(|pair| {
            (span.fraction(pair[1].position) - span.fraction(pair[0].position)).abs() * self.length >= needed
        })
    }
}

/// A logarithmic axis with fewer ticks in the 1-2-5 sequence has even steps instead: at that zoom it is nearly linear.
const FEW: usize = 3;

/// The densest ticks that fit, in ascending order.
pub(super) fn ticks(span: Span, scale: AxisScale, unit: &Unit, room: LabelRoom) -> Vec<Tick> {
    let mut candidates = candidates(span, scale, room).map(|values| labelled(&values, span, scale, unit));
    candidates.find(|ticks| room.fits(ticks, span)).unwrap_or_default()
}

/// Divisions of the span, densest first. The last one has at most one tick, which always fits.
fn candidates(span: Span, scale: AxisScale, room: LabelRoom) -> Box<dyn Iterator<Item = Vec<f64>>> {
    let max_steps = (room.length / room.gap).max(1.0);
    match scale {
        AxisScale::Linear => Box::new(even_steps(span, max_steps)),
        AxisScale::Log if decades(span, &[1.0, 2.0, 5.0], 1).len() < FEW => {
            let values = scale.window(span);
            Box::new(even_steps(Span { low: values.low, high: values.high }, max_steps * 10.0))
        }
        AxisScale::Log => {
            let within = [vec![1.0, 2.0, 5.0], vec![1.0, 3.0]].into_iter().map(move |m| decades(span, &m, 1));
            let whole = [1, 2, 3, 5, 10, 20, 50].into_iter().map(move |every| decades(span, &[1.0], every));
            Box::new(within.chain(whole))
        }
    }
}

fn labelled(values: &[f64], span: Span, scale: AxisScale, unit: &Unit) -> Vec<Tick> {
    // The end of a window is often a round number, and the logarithm changes its last digits.
    let tolerance = span.length() * 1e-9;
    let inside = Span { low: span.low - tolerance, high: span.high + tolerance };
    let (values, positions): (Vec<f64>, Vec<f64>) = values
        .iter()
        .filter(|value| !matches!(unit, Unit::Count(_)) || value.fract() == 0.0)
        .filter_map(|&value| Some((value, scale.position(value).filter(|&position| inside.contains(position))?)))
        .unzip();
    labels(&values, unit)
        .into_iter()
        .zip(positions)
        .map(|(label, position)| Tick { position: position.clamp(span.low, span.high), label })
        .collect()
}

/// The multiples of 1, 2 or 5 times a power of ten in a span of values: first about `max_steps` of them, then fewer and
/// fewer, down to one or none.
fn even_steps(span: Span, max_steps: f64) -> impl Iterator<Item = Vec<f64>> {
    let exponent = (span.length() / max_steps).log10().floor() as i32;
    // From about a hundredth of the span to more than all of it.
    let steps = (exponent..exponent + 6).flat_map(|exponent| [1.0, 2.0, 5.0].map(|mantissa| (mantissa, exponent)));
    steps.filter(move |&(mantissa, exponent)| span.length() / scaled(mantissa, exponent) <= max_steps).map(
        move |(mantissa, exponent)| {
            let step = scaled(mantissa, exponent);
            let (first, last) = ((span.low / step - 1e-9).ceil() as i64, (span.high / step + 1e-9).floor() as i64);
            (first..=last).map(|i| scaled(i as f64 * mantissa, exponent)).collect()
        },
    )
}

/// `mantissas` times the powers of ten whose exponent is a multiple of `every`, in a span of decades.
fn decades(span: Span, mantissas: &[f64], every: i32) -> Vec<f64> {
    let (first, last) = (span.low.floor() as i32, span.high.ceil() as i32);
    (first..=last)
        .filter(|exponent| exponent.rem_euclid(every) == 0)
        .flat_map(|exponent| mantissas.iter().map(move |&mantissa| scaled(mantissa, exponent)))
        .filter(|value| (span.low - 1e-9..=span.high + 1e-9).contains(&value.log10()))
        .collect()
}

/// `value` · 10^`exponent`. Division by an exact power of ten returns 0.3; multiplication would return
/// 0.30000000000000004.
fn scaled(value: f64, exponent: i32) -> f64 {
    let power = 10_f64.powi(exponent.abs());
    if exponent < 0 { value / power } else { value * power }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scale::Window;
    use proptest::prelude::*;

    fn horizontal(low: f64, high: f64, scale: AxisScale, length: f64) -> String {
        joined(scale.span(Window { low, high }), scale, &Unit::Named(String::new()), LabelRoom::horizontal(length))
    }

    fn vertical(low: f64, high: f64, scale: AxisScale, length: f64) -> String {
        joined(scale.span(Window { low, high }), scale, &Unit::Nanoseconds, LabelRoom::vertical(length))
    }

    fn joined(span: Span, scale: AxisScale, unit: &Unit, room: LabelRoom) -> String {
        ticks(span, scale, unit, room).into_iter().map(|tick| tick.label).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn labels_are_round_and_few() {
        use AxisScale::{Linear, Log};
        let count =
            |low, high| joined(Linear.span(Window { low, high }), Linear, &Unit::whole(), LabelRoom::horizontal(400.0));
        let entries = |low, high| {
            joined(
                Log.span(Window { low, high }),
                Log,
                &Unit::Count("entries".to_owned()),
                LabelRoom::horizontal(620.0),
            )
        };
        for (found, expected) in [
            // A logarithmic axis has ones, twos and fives; a long one has decades or fewer; a zoomed one has even steps.
            (horizontal(1e3, 1e5, Log, 620.0), "1k | 2k | 5k | 10k | 20k | 50k | 100k"),
            (vertical(200.0, 8e4, Log, 240.0), "0.2 µs | 0.5 µs | 1 µs | 2 µs | 5 µs | 10 µs | 20 µs | 50 µs"),
            (horizontal(1.0, 1e6, Log, 340.0), "1 | 10 | 100 | 1k | 10k | 100k | 1M"),
            (horizontal(1.0, 1e12, Log, 340.0), "1 | 100 | 10k | 1M | 100M | 10G | 1T"),
            (vertical(1000.0, 1040.0, Log, 120.0), "1 µs | 1.01 µs | 1.02 µs | 1.03 µs | 1.04 µs"),
            // A linear axis has round steps, and counts have no fractions.
            (horizontal(0.0, 1e5, Linear, 400.0), "0 | 20k | 40k | 60k | 80k | 100k"),
            (vertical(0.0, 1.06e3, Linear, 180.0), "0 | 0.2 µs | 0.4 µs | 0.6 µs | 0.8 µs | 1 µs"),
            (vertical(-5.0, 5.0, Linear, 120.0), "−4 ns | −2 ns | 0 | 2 ns | 4 ns"),
            (count(0.5, 3.5), "1 | 2 | 3"),
            (count(4.1, 4.9), ""),
            (count(0.5, 2000.5), "500 | 1k | 1.5k | 2k"),
            // Also those of a unit on a logarithmic axis that is zoomed to a few numbers.
            (entries(26.2, 29.8), "27 | 28 | 29"),
        ] {
            assert_eq!(found, expected);
        }
        for short in [horizontal(1.0, 100.0, Log, 5.0), horizontal(1.0, 100.0, Linear, 0.0)] {
            assert!(!short.contains('|'), "a short axis has at most one tick: {short}");
        }
    }

    proptest! {
        #[test]
        fn labels_are_distinct_and_fit(
            low in -3.0..9.0, decades in 0.01..12.0, length in 30.0..1500.0, log: bool, time: bool,
        ) {
            let scale = if log { AxisScale::Log } else { AxisScale::Linear };
            let span = scale.span(Window { low: 10_f64.powf(low), high: 10_f64.powf(low + decades) });
            let unit = if time { Unit::Nanoseconds } else { Unit::Named(String::new()) };
            let room = if time { LabelRoom::vertical(length) } else { LabelRoom::horizontal(length) };
            let ticks = ticks(span, scale, &unit, room);
            prop_assert!(room.fits(&ticks, span));
            prop_assert!(ticks.iter().all(|tick| span.contains(tick.position) && !tick.label.contains('e')));
            for pair in ticks.windows(2) {
                prop_assert_ne!(&pair[0].label, &pair[1].label);
            }
            // Enough for the longest labels, those of fractions.
            if length > 320.0 {
                prop_assert!(ticks.len() >= 2, "{ticks:?}");
            }
        }
    }
}
