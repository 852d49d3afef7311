//! Results whose processes differ too much to judge by.

use benchbook_host::analyze::history::difference::Difference;

/// The greatest relative half-width of the 95% interval over the processes: with a wider one, no later check finds anything.
const MOST_NOISE: f64 = 0.1;

/// How much the means of processes vary, if that is too much: the half-width of their mean's 95% interval, as a ratio. One process alone shows no variation.
pub(crate) fn noise(means: &[f64]) -> Option<f64> {
    let mean = means.iter().sum::<f64>() / means.len() as f64;
    let logarithms: Vec<f64> = means.iter().map(|one| (one / mean).ln()).collect();
    let noise = Difference::of_pairs(&logarithms, 0.95)?.half_width();
    (noise > MOST_NOISE).then_some(noise)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_great_variation_is_noise() {
        assert_eq!(noise(&[99.0, 100.0, 101.0, 100.0]), None);
        assert!(noise(&[60.0, 100.0, 160.0, 90.0]).is_some_and(|noise| noise > 0.4));
        assert_eq!(noise(&[100.0]), None);
    }
}
