//! How values are spread along an axis.
//!
//! A value's *position* is what an axis is even in: the value itself on a linear scale, its decimal logarithm on a
//! logarithmic one. Everything geometric happens in positions.

/// How values are spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By their logarithm; 0 and less have no place.
    Log,
}

impl Scale {
    /// The value's position, or nothing where this scale has no place for it.
    pub(super) fn position(self, value: f64) -> Option<f64> {
        let position = match self {
            Self::Linear => value,
            Self::Log if value > 0.0 => value.log10(),
            Self::Log => return None,
        };
        position.is_finite().then_some(position)
    }

    /// The value at a position.
    pub(super) fn value(self, position: f64) -> f64 {
        match self {
            Self::Linear => position,
            Self::Log => 10_f64.powf(position),
        }
    }

    /// No axis reaches beyond this position on either side.
    pub(super) fn farthest(self) -> f64 {
        match self {
            // Integers are exact up to here, with a digit to spare for labels.
            Self::Linear => 1e15,
            // In nanoseconds: far less than any clock sees, and some thirty years.
            Self::Log => 18.0,
        }
    }

    /// The length of the shortest span to zoom into, about there: on a linear axis in parts of its greatest value, on a
    /// logarithmic one in decades. Shorter ones need labels of more than five digits, and show nothing that was measured.
    pub(super) fn finest(self, span: Span) -> f64 {
        const FINEST: f64 = 1e-3;
        // About 0, where parts say nothing.
        const FINEST_ABOUT_ZERO: f64 = 1e-6;
        match self {
            Self::Linear => (span.farthest() * FINEST).max(FINEST_ABOUT_ZERO),
            Self::Log => FINEST,
        }
    }

    /// The positions of a window. A window that this scale cannot show, such as one reaching down to 0 on a logarithmic
    /// scale or one without a width, is mended, so that a chart is drawn in any case.
    pub(super) fn span(self, window: Window) -> Span {
        const DECADES_FOR_ZERO: f64 = 3.0;
        const NARROWEST: f64 = 1e-9;
        let place = |value| Some(self.position(value)?.clamp(-self.farthest(), self.farthest()));
        let high = place(window.high).unwrap_or(0.0);
        let low = place(window.low).unwrap_or(high - DECADES_FOR_ZERO);
        let span = Span { low: low.min(high), high: low.max(high) };
        let farthest = span.farthest();
        if span.length() > NARROWEST * farthest.max(1.0) { span } else { span.at_least(farthest.max(1.0)) }
    }

    /// The values at a span's ends.
    pub(super) fn window(self, span: Span) -> Window {
        Window { low: self.value(span.low), high: self.value(span.high) }
    }
}

/// A stretch of an axis, in values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Where it begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

/// A stretch of an axis, in positions: finite, and `low` is less than `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Span {
    pub(super) fn length(self) -> f64 {
        self.high - self.low
    }

    /// How far from 0 it reaches.
    pub(super) fn farthest(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    pub(super) fn contains(self, position: f64) -> bool {
        (self.low..=self.high).contains(&position)
    }

    /// How far along the span a position lies: 0 at its low end, 1 at its high end.
    pub(super) fn fraction(self, position: f64) -> f64 {
        (position - self.low) / self.length()
    }

    /// The position at a fraction of the span.
    pub(super) fn at(self, fraction: f64) -> f64 {
        self.low + fraction * self.length()
    }

    /// The part between two fractions, which may lie outside, in either order.
    pub(super) fn between(self, one: f64, other: f64) -> Self {
        Self { low: self.at(one.min(other)), high: self.at(one.max(other)) }
    }

    /// This span with a margin on both sides, in parts of its length.
    pub(super) fn padded(self, margin: f64) -> Self {
        self.between(-margin, 1.0 + margin)
    }

    /// This span, or one of this length about its middle where it is shorter.
    pub(super) fn at_least(self, length: f64) -> Self {
        let middle = self.low.midpoint(self.high);
        if self.length() >= length { self } else { Self { low: middle - length / 2.0, high: middle + length / 2.0 } }
    }
}
