//! The lines of mean and median through samples.

use plotters::prelude::DrawingBackend;

use crate::clip::Place;
use crate::draw::Drawn;
use crate::line::Line;
use crate::pen::Pen;

/// Where the samples' middle lies, in nanoseconds a call on the same footing as the samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Centre {
    /// Which of the compared functions was measured, from 0: chooses the colours.
    pub ordinal: usize,
    /// The mean; absent where it is not to be drawn.
    pub mean: Option<f64>,
    /// The median; absent where it is not to be drawn or is withheld.
    pub median: Option<f64>,
}

/// The width of the lines, in pixels of the page.
const WIDTH: f64 = 2.2;
/// The width of a line together with its rim in the surface's colour, without which it is lost among samples.
const WITH_RIM: f64 = 4.2;

impl Centre {
    /// Draws each line from end to end of what `ends` says of its time; none where that is nothing.
    pub(super) fn draw<DB: DrawingBackend>(
        &self,
        pen: &Pen<DB>,
        ends: impl Fn(f64) -> Option<[Place; 2]>,
    ) -> Drawn<(), DB> {
        let palette = &pen.chart.palette;
        let line = |colour, width, is_double| Line { colour, width, dash: None, is_double };
        let mean = (self.mean.and_then(&ends), line(palette.mean(self.ordinal), WIDTH, false));
        let median = (self.median.and_then(&ends), line(palette.median(self.ordinal), WIDTH, palette.compares));
        let lines = [mean, median];
        let mut drawn = lines.iter().filter_map(|(places, line)| Some((places.as_ref()?, *line)));
        drawn.clone().try_for_each(|(places, _)| pen.line(places, line(palette.surface, WITH_RIM, false)))?;
        drawn.try_for_each(|(places, line)| pen.line(places, line))
    }
}
