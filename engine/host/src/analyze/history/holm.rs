//! A bound on false alarms over all checks of a run.

/// Adjusts the probabilities of several tests, so that those below a level are significant at that level over all tests: with at
/// most this probability, even one of them is a false alarm. By S. Holm, "A simple sequentially rejective multiple test procedure",
/// *Scandinavian Journal of Statistics* 6 (1979) 65–70. The tests may depend on each other.
pub fn adjusted(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|&one, &other| probabilities[one].total_cmp(&probabilities[other]));
    let mut adjusted = vec![0.0; probabilities.len()];
    let mut greatest = 0.0_f64;
    for (rank, &index) in order.iter().enumerate() {
        let remaining = (probabilities.len() - rank) as f64;
        greatest = greatest.max(remaining * probabilities[index]).min(1.0);
        adjusted[index] = greatest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From statsmodels: `multipletests([0.01, 0.04, 0.03, 0.005, 0.5], method="holm")`.
    #[test]
    fn probabilities_match_statsmodels() {
        let actual = adjusted(&[0.01, 0.04, 0.03, 0.005, 0.5]);
        for (actual, expected) in actual.iter().zip([0.04, 0.09, 0.09, 0.025, 0.5]) {
            assert!((actual - expected).abs() < 1e-12, "{actual} instead of {expected}");
        }
        assert!(adjusted(&[]).is_empty());
    }
}
