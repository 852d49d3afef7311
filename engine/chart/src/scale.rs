//! The scales of an axis.
//!
//! A value's *position* is the coordinate in which an axis is linear: the value itself on a linear scale, its decimal
//! logarithm on a logarithmic one. All geometry is computed in positions.

use benchbook_contract::parameter::Scale;

/// The scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisScale {
    /// Even spacing.
    Linear,
    /// Spacing by logarithm. Zero and negative values have no position.
    Log,
}

impl From<Scale> for AxisScale {
    fn from(scale: Scale) -> Self {
        match scale {
            Scale::Linear => Self::Linear,
            Scale::Log => Self::Log,
        }
    }
}

impl From<AxisScale> for Scale {
    fn from(scale: AxisScale) -> Self {
        match scale {
            AxisScale::Linear => Self::Linear,
            AxisScale::Log => Self::Log,
        }
    }
}

impl AxisScale {
    /// The position of a value, or `None` if this scale cannot show it.
    pub(crate) fn position(self, value: f64) -> Option<f64> {
        let position = match self {
            Self::Linear => value,
            Self::Log if value > 0.0 => value.log10(),
            Self::Log => return None,
        };
        position.is_finite().then_some(position)
    }

    /// The value at a position.
    pub(crate) fn value(self, position: f64) -> f64 {
        match self {
            Self::Linear => position,
            Self::Log => 10_f64.powf(position),
        }
    }

    /// The largest absolute position that an axis may reach.
    pub(crate) fn max_position(self) -> f64 {
        match self {
            // `f64` represents integers up to here exactly, with one digit left for labels.
            Self::Linear => 1e15,
            // In nanoseconds: from far below the resolution of any clock to about thirty years.
            Self::Log => 18.0,
        }
    }

    /// The shortest span to zoom to near this one: on a linear axis a fraction of its largest value, on a logarithmic
    /// axis a number of decades. Shorter spans need labels of more than five digits and show only noise.
    pub(crate) fn min_length(self, span: Span) -> f64 {
        const FINEST: f64 = 1e-3;
        // The limit near 0, where a fraction of the value means nothing.
        const FINEST_NEAR_ZERO: f64 = 1e-6;
        match self {
            Self::Linear => (span.max_abs() * FINEST).max(FINEST_NEAR_ZERO),
            Self::Log => FINEST,
        }
    }

    /// The positions of a window. A window that this scale cannot show is repaired, so that every chart can be drawn:
    /// one that has no width, or one that reaches down to 0 on a logarithmic scale.
    pub(crate) fn span(self, window: Window) -> Span {
        const DECADES_FOR_ZERO: f64 = 3.0;
        const NARROWEST: f64 = 1e-9;
        let clamped = |value| Some(self.position(value)?.clamp(-self.max_position(), self.max_position()));
        let high = clamped(window.high).unwrap_or(0.0);
        let low = clamped(window.low).unwrap_or(high - DECADES_FOR_ZERO);
        let span = Span { low: low.min(high), high: low.max(high) };
        let farthest = span.max_abs();
        if span.length() > NARROWEST * farthest.max(1.0) { span } else { span.at_least(farthest.max(1.0)) }
    }

    /// The values at the ends of a span.
    pub(crate) fn window(self, span: Span) -> Window {
        Window { low: self.value(span.low), high: self.value(span.high) }
    }
}

/// An interval of an axis, in values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The low end.
    pub low: f64,
    /// The high end.
    pub high: f64,
}

/// An interval of an axis, in positions: finite, and `low` is less than `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Span {
    pub(crate) fn length(self) -> f64 {
        self.high - self.low
    }

    /// The largest absolute position in the span.
    pub(crate) fn max_abs(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    pub(crate) fn contains(self, position: f64) -> bool {
        (self.low..=self.high).contains(&position)
    }

    /// A position as a fraction of the span: 0 at the low end, 1 at the high end.
    pub(crate) fn fraction(self, position: f64) -> f64 {
        (position - self.low) / self.length()
    }

    /// The position at a fraction of the span.
    pub(crate) fn at(self, fraction: f64) -> f64 {
        self.low + fraction * self.length()
    }

    /// The part between two fractions, in either order. They may lie outside the span.
    pub(crate) fn between(self, one: f64, other: f64) -> Self {
        Self { low: self.at(one.min(other)), high: self.at(one.max(other)) }
    }

    /// The span with a margin on both sides, as a fraction of its length.
    pub(crate) fn padded(self, margin: f64) -> Self {
        self.between(-margin, 1.0 + margin)
    }

    /// The span, widened around its middle to this length if it is shorter.
    pub(crate) fn at_least(self, length: f64) -> Self {
        let middle = self.low.midpoint(self.high);
        if self.length() >= length { self } else { Self { low: middle - length / 2.0, high: middle + length / 2.0 } }
    }
}
