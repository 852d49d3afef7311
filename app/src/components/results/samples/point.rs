//! The point of the sample views, and its zoom.

use std::rc::Rc;

use benchbook_chart::{CentreLines, View};
use benchbook_host::response::MeasuredPoint;
use yew::prelude::*;

/// The point of the sample views. Two are equal only if they share the measurement.
#[derive(Clone)]
pub(super) struct PointSamples {
    pub(super) measured: Rc<MeasuredPoint>,
    /// The title of the axis of the times.
    pub(super) title: &'static str,
    /// The index of the colours.
    pub(super) ordinal: usize,
    /// The number of shown traces.
    pub(super) functions: usize,
    /// A clock step, in nanoseconds per call.
    pub(super) step_per_call: f64,
}

impl PartialEq for PointSamples {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.measured, &other.measured)
            && (self.ordinal, self.functions) == (other.ordinal, other.functions)
    }
}

impl PointSamples {
    /// The lines of mean and median.
    pub(super) fn centre(&self) -> CentreLines {
        let summary = &self.measured.summary;
        CentreLines { ordinal: self.ordinal, mean: Some(summary.mean), median: summary.median }
    }
}

/// The zoom of a chart of one point, and its setter. A change of the point resets the zoom.
#[hook]
pub(super) fn use_zoom(point: &PointSamples) -> (Option<View>, Callback<Option<View>>) {
    let zoom = use_state_eq(|| None::<View>);
    {
        let zoom = zoom.clone();
        use_effect_with(point.clone(), move |_| zoom.set(None));
    }
    let set = zoom.setter();
    (*zoom, Callback::from(move |view| set.set(view)))
}
