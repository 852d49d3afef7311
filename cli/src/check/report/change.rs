//! Relative changes as text.

use std::fmt;

use benchbook_host::analyze::history::difference::Difference;
use benchbook_host::history::CheckedMetric;
use benchbook_host::units::relative_change;
use serde::Serialize;

use super::finding::Finding;
use crate::check::compare::CommonChange;

/// A relative change with its interval: 0.1 is 10% slower.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ReportedChange {
    pub(super) relative: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl ReportedChange {
    /// The change of an exact metric; `None` from zero, since it has no ratio.
    pub(super) fn exact(before: f64, after: f64) -> Option<Self> {
        let relative = after / before - 1.0;
        (before > 0.0).then_some(Self { relative, low: relative, high: relative })
    }

    /// The interval: `+1.2% to +3.4%`.
    pub(super) fn interval(&self) -> String {
        format!("{} to {}", signed(self.low), signed(self.high))
    }
}

impl ReportedChange {
    /// The smallest slowdown that the comparison would have found: its interval would then be above zero wherever in it the true change is, and the change at least the
    /// smallest that counts. As a ratio: 0.1 is 10%.
    pub(super) fn detectable(&self, minimum_effect: f64) -> f64 {
        (self.high - self.low).max(minimum_effect)
    }
}

impl From<Difference> for ReportedChange {
    fn from(Difference { relative, interval }: Difference) -> Self {
        Self { relative, low: interval.low, high: interval.high }
    }
}

/// The change of all functions together, relative to the reference kernel.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ReportedCommonChange {
    /// The metric whose change it is.
    metric: CheckedMetric,
    pub(super) finding: Finding,
    change: ReportedChange,
}

impl From<CommonChange> for ReportedCommonChange {
    fn from(together: CommonChange) -> Self {
        let CommonChange { metric, change, difference } = together;
        Self { metric, finding: change.into(), change: difference.into() }
    }
}

impl ReportedCommonChange {
    /// A sentence about it; `None` without a definite change.
    pub(super) fn sentence(&self) -> Option<String> {
        let functions = match self.metric {
            CheckedMetric::FirstCall => "The median first call of all functions",
            _ => "The median of all functions",
        };
        let direction = match self.finding {
            Finding::Slower => "slower",
            Finding::Faster => "faster",
            _ => return None,
        };
        Some(format!(
            "{functions} is {direction} relative to the reference kernel: {}. Do the functions share a cause, such as compiler, allocator or flags?",
            self.change
        ))
    }
}

/// The change and its interval: `+2.3% (+1.2% to +3.4%)`.
impl fmt::Display for ReportedChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", signed(self.relative), self.interval())
    }
}

/// A relative change; `from 0` if it has no ratio.
pub(crate) fn signed(ratio: f64) -> String {
    if ratio.is_finite() { relative_change(ratio) } else { "from 0".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_as_wide_as_the_interval() {
        let change = ReportedChange { relative: 0.01, low: -0.02, high: 0.04 };
        assert!((change.detectable(0.01) - 0.06).abs() < 1e-12);
        assert_eq!(change.detectable(0.1), 0.1);
    }
}
