//! How a result is looked at: which view, which part of the plane, which lines.

use benchbook_chart::{Scale, View};

/// The way in which a cell shows what was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Presentation {
    /// The view that is looked at.
    pub(crate) tab: Tab,
    /// The part of the plane that is visible; absent: all of it.
    pub(crate) zoom: Option<View>,
    /// The scale of the axis; absent: as its parameter says.
    pub(crate) x_scale: Option<Scale>,
    /// The scale of the time; absent: the same as the axis'.
    pub(crate) y_scale: Option<Scale>,
    /// Whether mean and ± sd are left out.
    pub(crate) hide_mean: bool,
    /// Whether median and quartiles are left out.
    pub(crate) hide_median: bool,
    /// Whether raw samples are drawn.
    pub(crate) show_samples: bool,
    /// The point whose samples are shown: which of the traces, and the axis value; absent: the first.
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
    /// All of them, in the order of the page.
    pub(crate) const ALL: [Self; 3] = [Self::Plot, Self::Table, Self::Samples];

    /// What it is called in links and in the document.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Plot => "plot",
            Self::Table => "table",
            Self::Samples => "samples",
        }
    }
}

/// How the presentation changes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PresentationAction {
    /// Another view.
    Tab(Tab),
    /// Another part of the plane; absent: all of it.
    Zoom(Option<View>),
    /// Another scale of the axis.
    XScale(Scale),
    /// Another scale of the time.
    YScale(Scale),
    /// Mean and ± sd are shown or hidden.
    ShowMean(bool),
    /// Median and quartiles are shown or hidden.
    ShowMedian(bool),
    /// Raw samples are shown or hidden.
    ShowSamples(bool),
    /// The samples of another point: which of the traces, and the axis value.
    Point(usize, f64),
}

impl Presentation {
    pub(super) fn apply(&mut self, action: PresentationAction) {
        match action {
            PresentationAction::Tab(tab) => self.tab = tab,
            PresentationAction::Zoom(zoom) => self.zoom = zoom,
            // A part of a plane with other scales is another part: what was cut out of the one means little on the other.
            PresentationAction::XScale(scale) => (self.x_scale, self.zoom) = (Some(scale), None),
            PresentationAction::YScale(scale) => (self.y_scale, self.zoom) = (Some(scale), None),
            PresentationAction::ShowMean(show) => self.hide_mean = !show,
            PresentationAction::ShowMedian(show) => self.hide_median = !show,
            PresentationAction::ShowSamples(show) => self.show_samples = show,
            PresentationAction::Point(trace, x) => self.point = Some((trace, x)),
        }
    }
}
