//! Quantiles of repeated measurements, formatted for a table.

use benchbook_host::analyze::order::quantile;

/// Values of one quantity, sorted.
#[derive(Clone, Debug)]
pub struct Figures(Vec<f64>);

impl FromIterator<f64> for Figures {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        Self(values)
    }
}

impl Figures {
    /// The quantile at `part`, from 0 to 1; NaN if there are no values.
    pub fn quantile(&self, part: f64) -> f64 {
        quantile(&self.0, part).unwrap_or(f64::NAN)
    }

    /// The median and, in parentheses, the maximum.
    pub fn median_and_worst(&self) -> String {
        format!("{:.0} ({:.0})", self.quantile(0.5), self.quantile(1.0))
    }

    /// The median, the 95th percentile and the maximum.
    pub fn spread(&self) -> String {
        format!("{:.1} / {:.1} / {:.1}", self.quantile(0.5), self.quantile(0.95), self.quantile(1.0))
    }

    /// How many values exceed a limit, and how many there are.
    pub fn over(&self, limit: f64) -> String {
        let over = self.0.iter().filter(|value| **value > limit).count();
        format!("{over} of {}", self.0.len())
    }
}
