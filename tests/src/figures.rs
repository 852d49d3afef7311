//! Figures of many repetitions, as a line of a table shows them.

use benchbook_host::analyze::order::quantile;

/// Values of one quantity, by rising size.
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
    /// The value below which this part of them lies; not a number where there are none.
    pub fn quantile(&self, part: f64) -> f64 {
        quantile(&self.0, part).unwrap_or(f64::NAN)
    }

    /// Median and, in brackets, the worst.
    pub fn median_and_worst(&self) -> String {
        format!("{:.0} ({:.0})", self.quantile(0.5), self.quantile(1.0))
    }

    /// Median, 95th percentile and worst.
    pub fn spread(&self) -> String {
        format!("{:.1} / {:.1} / {:.1}", self.quantile(0.5), self.quantile(0.95), self.quantile(1.0))
    }

    /// How many are over a limit, of how many.
    pub fn over(&self, limit: f64) -> String {
        let over = self.0.iter().filter(|value| **value > limit).count();
        format!("{over} of {}", self.0.len())
    }
}
