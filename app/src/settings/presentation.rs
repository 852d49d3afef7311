//! How a result is presented: the view, the visible part of the plot, and the lines drawn.

use benchbook_chart::{AxisScale, View};
use benchbook_host::metric::{Metric, TIME};
use benchbook_host::units::Nanos;

/// How a cell presents its results.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Presentation {
    /// The selected view.
    pub(crate) tab: Tab,
    /// The metric of the plot; `None` shows the time.
    pub(crate) metric: Option<&'static Metric>,
    /// Plots the ratios to the first function instead of the times.
    pub(crate) is_relative: bool,
    /// The visible part of the plot; `None` shows all of it.
    pub(crate) zoom: Option<View>,
    /// The scale of the axis; `None` follows its parameter.
    pub(crate) x_scale: Option<AxisScale>,
    /// The scale of the vertical axis; `None` follows the horizontal one.
    pub(crate) y_scale: Option<AxisScale>,
    /// Shows or hides mean and ± sd; `None` shows them unless interruptions distort the mean.
    pub(crate) show_mean: Option<bool>,
    /// Hides median and quartiles.
    pub(crate) hide_median: bool,
    /// Draws raw samples.
    pub(crate) show_samples: bool,
    /// The names of the machines whose curves the plot hides.
    pub(crate) hidden_machines: Vec<String>,
    /// The difference up to which times count as the same.
    pub(crate) margin: Margin,
    /// The time limit in the plot.
    pub(crate) limit: Option<Nanos>,
    /// The axis value of the ranking, as text; `None` selects the last at which all functions have figures.
    pub(crate) ranked_at: Option<String>,
    /// The point whose samples are shown, by trace index and axis value as text; `None` selects the first.
    pub(crate) point: Option<(usize, String)>,
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

    /// The view with this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tab| tab.name() == name)
    }

    /// The name in links and in the document.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Plot => "plot",
            Self::Table => "table",
            Self::Samples => "samples",
        }
    }
}

/// The relative difference up to which times count as the same, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Margin(u16);

impl Default for Margin {
    /// 1 %.
    fn default() -> Self {
        Self(10)
    }
}

impl Margin {
    /// The margins to choose from, ascending.
    pub(crate) const ALL: [Self; 5] = [Self(5), Self(10), Self(20), Self(50), Self(100)];

    /// The margin in percent, as in links: `0.5`.
    pub(crate) fn name(self) -> String {
        (f64::from(self.0) / 10.0).to_string()
    }

    /// The margin with this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|margin| margin.name() == name)
    }

    /// The margin as a ratio.
    pub(crate) fn ratio(self) -> f64 {
        f64::from(self.0) / 1_000.0
    }
}

/// A change of the presentation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PresentationAction {
    /// Selects a view.
    Tab(Tab),
    /// Plots a metric.
    Metric(&'static Metric),
    /// Plots ratios or times.
    Relative(bool),
    /// Shows a part of the plot; `None` shows all of it.
    Zoom(Option<View>),
    /// Sets the scale of the axis.
    XScale(AxisScale),
    /// Sets the scale of the vertical axis.
    YScale(AxisScale),
    /// Shows or hides mean and ± sd.
    ShowMean(bool),
    /// Shows or hides median and quartiles.
    ShowMedian(bool),
    /// Shows or hides raw samples.
    ShowSamples(bool),
    /// Shows or hides the curves of a machine, by its name.
    ShowMachine(String, bool),
    /// Sets the difference up to which times count as the same.
    Margin(Margin),
    /// Sets or removes the time limit.
    Limit(Option<Nanos>),
    /// Ranks the functions at an axis value, as text.
    RankAt(String),
    /// Shows the samples of a point, by trace index and axis value as text.
    Point(usize, String),
}

impl Presentation {
    /// The metric of the plot.
    pub(crate) fn metric(&self) -> &'static Metric {
        self.metric.unwrap_or(&TIME)
    }

    /// Applies a change.
    pub(crate) fn apply(&mut self, action: PresentationAction) {
        match action {
            PresentationAction::Tab(tab) => self.tab = tab,
            // A visible part and a scale of one metric are meaningless for another.
            PresentationAction::Metric(metric) => {
                self.metric = (*metric != TIME).then_some(metric);
                (self.y_scale, self.zoom) = (None, None);
            }
            PresentationAction::Relative(is_relative) => {
                self.is_relative = is_relative;
                (self.y_scale, self.zoom) = (None, None);
            }
            PresentationAction::Zoom(zoom) => self.zoom = zoom,
            // A visible part chosen on one scale is meaningless on another.
            PresentationAction::XScale(scale) => (self.x_scale, self.zoom) = (Some(scale), None),
            PresentationAction::YScale(scale) => (self.y_scale, self.zoom) = (Some(scale), None),
            PresentationAction::ShowMean(show) => self.show_mean = Some(show),
            PresentationAction::ShowMedian(show) => self.hide_median = !show,
            PresentationAction::ShowSamples(show) => self.show_samples = show,
            PresentationAction::ShowMachine(machine, show) => {
                self.hidden_machines.retain(|hidden| *hidden != machine);
                self.hidden_machines.extend((!show).then_some(machine));
            }
            PresentationAction::Margin(margin) => self.margin = margin,
            PresentationAction::Limit(limit) => self.limit = limit,
            PresentationAction::RankAt(x) => self.ranked_at = Some(x),
            PresentationAction::Point(trace, x) => self.point = Some((trace, x)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_machine_is_hidden_once_and_shown_again() {
        let mut presentation = Presentation::default();
        let steps = [("a", false, "a"), ("b", false, "a b"), ("a", false, "b a"), ("b", true, "a"), ("a", true, "")];
        for (machine, show, expected) in steps {
            presentation.apply(PresentationAction::ShowMachine(machine.to_owned(), show));
            assert_eq!(presentation.hidden_machines.join(" "), expected);
        }
        assert_eq!(presentation, Presentation::default());
    }
}
