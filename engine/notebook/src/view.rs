//! How a cell shows its results.

use std::ops::Not;

use benchbook_contract::parameter::Scale;
use benchbook_host::metric::{Metric, TIME};
use benchbook_host::units::Nanos;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// The view of a cell's results. What a newer version may have added, such as another tab, is ignored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellView {
    /// The selected tab.
    #[serde(default, deserialize_with = "known", skip_serializing_if = "Tab::is_default")]
    pub tab: Tab,
    /// The plotted metric. Absent: the time.
    #[serde(default, deserialize_with = "other_metric", skip_serializing_if = "Option::is_none")]
    pub metric: Option<&'static Metric>,
    /// Whether to plot ratios to the fastest function instead of times. Absent: if the curves are close to each other.
    #[serde(default, deserialize_with = "known", skip_serializing_if = "Option::is_none")]
    pub relative: Option<bool>,
    /// The visible part of the plot. Absent: all of it.
    #[serde(default, deserialize_with = "known", skip_serializing_if = "Option::is_none")]
    pub zoom: Option<Zoom>,
    /// The scale of the horizontal axis. Absent: the scale of the varied parameter.
    #[serde(default, rename = "x", deserialize_with = "known", skip_serializing_if = "Option::is_none")]
    pub x_scale: Option<Scale>,
    /// The scale of the vertical axis. Absent: linear if the values are within one decade, else logarithmic.
    #[serde(default, rename = "y", deserialize_with = "known", skip_serializing_if = "Option::is_none")]
    pub y_scale: Option<Scale>,
    /// Whether to show the mean and ± sd. Absent: only of up to two curves.
    #[serde(default, rename = "mean", skip_serializing_if = "Option::is_none")]
    pub show_mean: Option<bool>,
    /// Whether to show the median and the quartiles. Absent: yes.
    #[serde(default, rename = "median", skip_serializing_if = "Option::is_none")]
    pub show_median: Option<bool>,
    /// Whether to draw raw samples.
    #[serde(default, rename = "samples", deserialize_with = "known", skip_serializing_if = "Not::not")]
    pub show_samples: bool,
    /// The names of the machines whose curves the plot hides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden_machines: Vec<String>,
    /// The paths of the functions whose curves the plot hides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden_functions: Vec<String>,
    /// The difference up to which times count as the same.
    #[serde(default, deserialize_with = "known", skip_serializing_if = "Margin::is_default")]
    pub margin: Margin,
    /// The time limit in the plot, above 0.
    #[serde(default, rename = "limit_ns", deserialize_with = "limit", skip_serializing_if = "Option::is_none")]
    pub limit: Option<Nanos>,
    /// The axis value of the ranking, as text. Absent: the last at which all functions have results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranked_at: Option<String>,
    /// The point whose samples are shown: the index of its curve, and its axis value as text. Absent: the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<(usize, String)>,
    /// What the profile shows.
    #[serde(default, deserialize_with = "known", skip_serializing_if = "ProfileView::is_default")]
    pub profile: ProfileView,
    /// What the code shows.
    #[serde(default, deserialize_with = "known", skip_serializing_if = "AssemblyView::is_default")]
    pub assembly: AssemblyView,
}

/// The tabs of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tab {
    /// The curves.
    #[default]
    Plot,
    /// The results of each point.
    Table,
    /// The raw samples of a point.
    Samples,
    /// What the calls execute, by function.
    Profile,
    /// The generated code.
    Assembly,
}

/// What the tab [`Tab::Profile`] shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProfileView {
    /// The path of the function. Absent: the first one.
    #[serde(default, deserialize_with = "known", skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The name of what is counted. Absent: instructions.
    #[serde(default, deserialize_with = "known", skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The axis value, as text. Absent: the largest one.
    #[serde(default, deserialize_with = "known", skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// What it is compared with: the path of another function, or the identifier of a build. Absent: nothing.
    #[serde(default, deserialize_with = "known", skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Whether functions of the standard library have frames of their own.
    #[serde(default, rename = "std", deserialize_with = "known", skip_serializing_if = "Not::not")]
    pub shows_library: bool,
}

/// What the tab [`Tab::Assembly`] shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AssemblyView {
    /// The function, as the list of the page identifies it. Absent: the first one.
    #[serde(default, deserialize_with = "known", skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// What it is compared with. Absent: nothing.
    #[serde(default, deserialize_with = "known", skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The offset of the marked instruction in the function, in bytes. Absent: none.
    #[serde(default, deserialize_with = "known", skip_serializing_if = "Option::is_none")]
    pub marked: Option<u64>,
    /// Whether the code that surrounds an inlined function is shown.
    #[serde(default, rename = "around", deserialize_with = "known", skip_serializing_if = "Not::not")]
    pub shows_around: bool,
}

/// A part of the plot.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f64; 4]", into = "[f64; 4]")]
pub struct Zoom {
    x: [f64; 2],
    y: [f64; 2],
}

/// The relative difference up to which times count as the same, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin(u16);

/// A change to the view.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewAction {
    /// Selects a tab.
    Tab(Tab),
    /// Plots a metric.
    Metric(&'static Metric),
    /// Plots ratios or times.
    Relative(bool),
    /// Shows a part of the plot; `None` shows all of it.
    Zoom(Option<Zoom>),
    /// Sets the scale of the horizontal axis.
    XScale(Scale),
    /// Sets the scale of the vertical axis.
    YScale(Scale),
    /// Shows or hides mean and ± sd.
    ShowMean(bool),
    /// Shows or hides median and quartiles.
    ShowMedian(bool),
    /// Shows or hides raw samples.
    ShowSamples(bool),
    /// Shows or hides the curves of a machine, by its name.
    ShowMachine(String, bool),
    /// Hides the curves of these functions, and only of these.
    HideFunctions(Vec<String>),
    /// Sets the difference up to which times count as the same.
    Margin(Margin),
    /// Sets or removes the time limit.
    Limit(Option<Nanos>),
    /// Ranks the functions at an axis value, as text.
    RankAt(String),
    /// Shows the samples of a point, by the index of its curve and its axis value as text.
    Point(usize, String),
    /// Shows another part of the profile.
    Profile(ProfileView),
    /// Shows another part of the code.
    Assembly(AssemblyView),
}

impl CellView {
    /// Whether it shows everything as by default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The plotted metric.
    pub fn metric(&self) -> &'static Metric {
        self.metric.unwrap_or(&TIME)
    }

    /// Whether the user chose ratios.
    pub fn is_relative(&self) -> bool {
        self.relative == Some(true)
    }

    /// Whether the plot hides the medians and the quartiles.
    pub fn hides_median(&self) -> bool {
        self.show_median == Some(false)
    }

    /// Applies a change.
    pub fn apply(&mut self, action: ViewAction) {
        match action {
            ViewAction::Tab(tab) => self.tab = tab,
            // A zoom and a scale of one metric are meaningless for another.
            ViewAction::Metric(metric) => {
                self.metric = (*metric != TIME).then_some(metric);
                (self.y_scale, self.zoom) = (None, None);
            }
            ViewAction::Relative(is_relative) => {
                self.relative = Some(is_relative);
                (self.y_scale, self.zoom) = (None, None);
            }
            ViewAction::Zoom(zoom) => self.zoom = zoom,
            // A zoom on one scale is meaningless on another.
            ViewAction::XScale(scale) => (self.x_scale, self.zoom) = (Some(scale), None),
            ViewAction::YScale(scale) => (self.y_scale, self.zoom) = (Some(scale), None),
            ViewAction::ShowMean(show) => self.show_mean = Some(show),
            ViewAction::ShowMedian(show) => self.show_median = (!show).then_some(false),
            ViewAction::ShowSamples(show) => self.show_samples = show,
            ViewAction::ShowMachine(machine, show) => {
                self.hidden_machines.retain(|hidden| *hidden != machine);
                self.hidden_machines.extend((!show).then_some(machine));
            }
            ViewAction::HideFunctions(functions) => self.hidden_functions = functions,
            ViewAction::Margin(margin) => self.margin = margin,
            ViewAction::Limit(limit) => self.limit = limit,
            ViewAction::RankAt(x) => self.ranked_at = Some(x),
            ViewAction::Point(curve, x) => self.point = Some((curve, x)),
            ViewAction::Profile(profile) => self.profile = profile,
            ViewAction::Assembly(assembly) => self.assembly = assembly,
        }
    }
}

impl Tab {
    /// All tabs, in the order of the page.
    pub const ALL: [Self; 5] = [Self::Plot, Self::Table, Self::Samples, Self::Profile, Self::Assembly];

    /// The tab with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tab| tab.name() == name)
    }

    /// Its name in links, notebooks and the page's document.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plot => "plot",
            Self::Table => "table",
            Self::Samples => "samples",
            Self::Profile => "profile",
            Self::Assembly => "assembly",
        }
    }

    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl AssemblyView {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl ProfileView {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Zoom {
    /// The part between these ends of the horizontal and of the vertical axis; `None` unless they are finite and the low ones come first.
    pub fn new(x: [f64; 2], y: [f64; 2]) -> Option<Self> {
        let is_valid = |[low, high]: [f64; 2]| low.is_finite() && high.is_finite() && low < high;
        (is_valid(x) && is_valid(y)).then_some(Self { x, y })
    }

    /// The low and the high end of the horizontal axis.
    pub fn x(self) -> [f64; 2] {
        self.x
    }

    /// The low and the high end of the vertical axis, in the metric's unit.
    pub fn y(self) -> [f64; 2] {
        self.y
    }
}

impl TryFrom<[f64; 4]> for Zoom {
    type Error = &'static str;

    fn try_from([x_low, x_high, y_low, y_high]: [f64; 4]) -> Result<Self, Self::Error> {
        Self::new([x_low, x_high], [y_low, y_high]).ok_or("each low end must be less than its high end")
    }
}

impl From<Zoom> for [f64; 4] {
    fn from(Zoom { x: [x_low, x_high], y: [y_low, y_high] }: Zoom) -> Self {
        [x_low, x_high, y_low, y_high]
    }
}

impl Default for Margin {
    /// 1%.
    fn default() -> Self {
        Self(10)
    }
}

impl Margin {
    /// The margins to choose from, ascending.
    pub const ALL: [Self; 5] = [Self(5), Self(10), Self(20), Self(50), Self(100)];

    /// The margin in percent, as in links and notebooks: `0.5`.
    pub fn name(self) -> String {
        (f64::from(self.0) / 10.0).to_string()
    }

    /// The margin with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|margin| margin.name() == name)
    }

    /// The margin as a ratio.
    pub fn ratio(self) -> f64 {
        f64::from(self.0) / 1_000.0
    }

    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Serialize for Margin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

impl<'de> Deserialize<'de> for Margin {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_name(&String::deserialize(deserializer)?).ok_or_else(|| serde::de::Error::custom("unknown margin"))
    }
}

/// Reads a value; the default if it is unknown to this version.
pub(crate) fn known<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(deserializer: D) -> Result<T, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(value).unwrap_or_default())
}

/// Reads the metric; `None` for the time.
fn other_metric<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'static Metric>, D::Error> {
    let metric: Option<&Metric> = known(deserializer)?;
    Ok(metric.filter(|metric| **metric != TIME))
}

/// Reads the time limit; `None` unless it is a positive number.
fn limit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Nanos>, D::Error> {
    let limit: Option<f64> = known(deserializer)?;
    Ok(limit.filter(|limit| limit.is_finite() && *limit > 0.0).map(Nanos))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_machine_is_hidden_once_and_shown_again() {
        let mut view = CellView::default();
        let steps = [("a", false, "a"), ("b", false, "a b"), ("a", false, "b a"), ("b", true, "a"), ("a", true, "")];
        for (machine, show, expected) in steps {
            view.apply(ViewAction::ShowMachine(machine.to_owned(), show));
            assert_eq!(view.hidden_machines.join(" "), expected);
        }
        assert!(view.is_default());
    }

    #[test]
    fn what_this_version_does_not_know_is_ignored() {
        let newer = json!({
            "tab": "flame", "metric": "calm", "x": "cubic", "margin": "7", "limit_ns": -5.0, "zoom": [2.0, 1.0, 0.0, 1.0],
            "colours": ["red"], "relative": null, "samples": true,
        });
        let view: CellView = serde_json::from_value(newer).expect("a view");
        assert_eq!(view, CellView { show_samples: true, ..CellView::default() });
        let view: CellView = serde_json::from_value(json!({ "metric": "time" })).expect("a view");
        assert!(view.is_default());
    }
}
