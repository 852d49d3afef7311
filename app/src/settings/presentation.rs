//! How a result is presented: the view, the visible part of the plot, and the lines drawn.

use benchbook_chart::{Scale, View};

/// How a cell presents its results.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Presentation {
    /// The selected view.
    pub(crate) tab: Tab,
    /// The visible part of the plot; `None` shows all of it.
    pub(crate) zoom: Option<View>,
    /// The scale of the axis; `None` follows its parameter.
    pub(crate) x_scale: Option<Scale>,
    /// The scale of the time; `None` follows the axis.
    pub(crate) y_scale: Option<Scale>,
    /// Hides mean and ± sd.
    pub(crate) hide_mean: bool,
    /// Hides median and quartiles.
    pub(crate) hide_median: bool,
    /// Draws raw samples.
    pub(crate) show_samples: bool,
    /// The point whose samples are shown, by trace index and axis value; `None` selects the first.
    pub(crate) point: Option<(usize, f64)>,
}

/// The views of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tab {
    /// The curves.
    #[default]
    Plot,
    /// The figures.
    Table,
    /// The raw samples of a point.
    Samples,
}

impl Tab {
    /// All views, in the order of the page.
    pub(crate) const ALL: [Self; 3] = [Self::Plot, Self::Table, Self::Samples];

    /// The name in links and in the document.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Plot => "plot",
            Self::Table => "table",
            Self::Samples => "samples",
        }
    }
}

/// A change of the presentation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PresentationAction {
    /// Selects a view.
    Tab(Tab),
    /// Shows a part of the plot; `None` shows all of it.
    Zoom(Option<View>),
    /// Sets the scale of the axis.
    XScale(Scale),
    /// Sets the scale of the time.
    YScale(Scale),
    /// Shows or hides mean and ± sd.
    ShowMean(bool),
    /// Shows or hides median and quartiles.
    ShowMedian(bool),
    /// Shows or hides raw samples.
    ShowSamples(bool),
    /// Shows the samples of a point, by trace index and axis value.
    Point(usize, f64),
}

impl Presentation {
    /// Applies a change.
    pub(crate) fn apply(&mut self, action: PresentationAction) {
        match action {
            PresentationAction::Tab(tab) => self.tab = tab,
            PresentationAction::Zoom(zoom) => self.zoom = zoom,
            // A visible part chosen on one scale is meaningless on another.
            PresentationAction::XScale(scale) => (self.x_scale, self.zoom) = (Some(scale), None),
            PresentationAction::YScale(scale) => (self.y_scale, self.zoom) = (Some(scale), None),
            PresentationAction::ShowMean(show) => self.hide_mean = !show,
            PresentationAction::ShowMedian(show) => self.hide_median = !show,
            PresentationAction::ShowSamples(show) => self.show_samples = show,
            PresentationAction::Point(trace, x) => self.point = Some((trace, x)),
        }
    }
}
