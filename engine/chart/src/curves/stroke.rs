//! How boldly a curve is drawn: how much it can be relied on shows.

use super::{Series, Weight};

/// How a curve looks, in pixels of the page.
pub(super) struct Stroke {
    pub(super) width: f64,
    /// The length of a dash and of the gap after it; solid without.
    pub(super) dash: Option<(f64, f64)>,
    pub(super) marker: f64,
}

/// Between two dashes.
const DASH_GAP: f64 = 4.0;
/// A dot of an unpaired curve and the gap after it.
const DOTTED: (f64, f64) = (1.5, 3.0);
/// How much thinner an unpaired curve is.
const UNPAIRED: f64 = 0.75;

impl Stroke {
    /// Dashed until it is final, thicker with each priority; dotted and thinner where it is unpaired.
    pub(super) fn of(series: &Series) -> Self {
        let (width, dash, marker) = match series.weight {
            Weight::Preliminary(..=1) => (1.0, Some(3.0), 2.0),
            Weight::Preliminary(2) => (1.4, Some(6.0), 2.4),
            Weight::Preliminary(3) => (1.8, Some(9.0), 2.7),
            Weight::Preliminary(4..) => (2.2, Some(14.0), 3.0),
            Weight::Final => (2.2, None, 3.0),
        };
        if series.unpaired {
            Self { width: UNPAIRED * width, dash: Some(DOTTED), marker: UNPAIRED * marker }
        } else {
            Self { width, dash: dash.map(|dash| (dash, DASH_GAP)), marker }
        }
    }
}
