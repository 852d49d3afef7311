//! A bound on false alarms over all comparisons of a run.

use super::verdict::{BuildChange, ChangeRule, Verdict};

/// A build and the accepted histories that it is compared with: means of processes.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryComparison<'m> {
    /// The histories; may be empty.
    pub histories: Vec<&'m [f64]>,
    /// The build.
    pub build: &'m [f64],
    /// The least relative change that counts: see [`ChangeRule::minimum_effect`].
    pub minimum_effect: f64,
}

/// The verdicts of several comparisons.
#[derive(Clone, Debug, PartialEq)]
pub struct RunVerdicts {
    /// The verdict of each comparison, as by [`ChangeRule::verdict`].
    pub verdicts: Vec<Option<Verdict>>,
    /// The confidence of each interval in the verdicts.
    pub confidence: f64,
}

/// Makes several comparisons, so that with this confidence, such as 0.99, none of the changes is a false alarm.
///
/// This is the procedure of S. Holm, "A simple sequentially rejective multiple test procedure", *Scandinavian Journal of Statistics* 6
/// (1979) 65–70: with m comparisons, each is made at the level α/m. If k of them find a change, the others are repeated at the level
/// α/(m − k), and so on until no more are found. The comparisons may depend on each other.
pub fn verdicts(confidence: f64, comparisons: &[HistoryComparison<'_>]) -> RunVerdicts {
    let has_history = |comparison: &&HistoryComparison<'_>| !comparison.histories.is_empty();
    let all = comparisons.iter().filter(has_history).count();
    let mut found = 0;
    loop {
        let level = 1.0 - (1.0 - confidence) / all.saturating_sub(found).max(1) as f64;
        let verdict = |comparison: &HistoryComparison<'_>| {
            let rule = ChangeRule { confidence: level, minimum_effect: comparison.minimum_effect };
            rule.verdict(&comparison.histories, comparison.build)
        };
        let verdicts: Vec<Option<Verdict>> = comparisons.iter().map(verdict).collect();
        let is_change = |verdict: &&Verdict| matches!(verdict.change, BuildChange::Slower | BuildChange::Faster);
        let changes = verdicts.iter().flatten().filter(is_change).count();
        if changes <= found {
            return RunVerdicts { verdicts, confidence: level };
        }
        found = changes;
    }
}
