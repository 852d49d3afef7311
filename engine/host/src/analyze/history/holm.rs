//! A bound on false alarms over all comparisons of a run.

use super::days::{AcrossDays, DayChange};
use super::verdict::{BuildChange, ChangeRule, Verdict};

/// A build, and what it is compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildComparison<'m> {
    /// The figures.
    pub basis: ComparisonBasis<'m>,
    /// The least relative change that counts: see [`ChangeRule::minimum_effect`].
    pub minimum_effect: f64,
}

/// The figures of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum ComparisonBasis<'m> {
    /// The means of processes, as for [`ChangeRule::verdict_across_days`].
    Histories {
        /// The accepted histories; may be empty.
        histories: Vec<&'m [f64]>,
        /// The build.
        build: &'m [f64],
        /// The same across days.
        days: AcrossDays,
    },
    /// The change of all functions together, as for [`ChangeRule::day_verdict`].
    AllFunctions(DayChange),
    /// The means of processes, as for [`ChangeRule::interval_verdict`].
    LatestInterval {
        /// The latest accepted history; absent without any.
        latest: Option<&'m [f64]>,
        /// The build.
        build: &'m [f64],
    },
    /// The logarithm of the ratio of each pair, as for [`ChangeRule::paired_verdict`]; may be empty.
    Pairs(&'m [f64]),
}

impl BuildComparison<'_> {
    fn is_possible(&self) -> bool {
        match &self.basis {
            ComparisonBasis::Histories { histories, .. } => !histories.is_empty(),
            ComparisonBasis::AllFunctions(_) => true,
            ComparisonBasis::LatestInterval { latest, .. } => latest.is_some(),
            ComparisonBasis::Pairs(ln_ratios) => !ln_ratios.is_empty(),
        }
    }

    fn can_find_a_change(&self) -> bool {
        let is_unknown = |days: &AcrossDays| matches!(days, AcrossDays::SingleDay | AcrossDays::NoReference);
        !matches!(&self.basis, ComparisonBasis::Histories { days, .. } if is_unknown(days))
    }

    fn verdict(&self, confidence: f64) -> Option<Verdict> {
        let rule = ChangeRule { confidence, minimum_effect: self.minimum_effect };
        match &self.basis {
            ComparisonBasis::Histories { histories, build, days } => rule.verdict_across_days(histories, build, days),
            ComparisonBasis::AllFunctions(change) => Some(rule.day_verdict(change)),
            ComparisonBasis::LatestInterval { latest, build } => rule.interval_verdict((*latest)?, build),
            ComparisonBasis::Pairs(ln_ratios) => rule.paired_verdict(ln_ratios),
        }
    }
}

/// The verdicts of several comparisons.
#[derive(Clone, Debug, PartialEq)]
pub struct RunVerdicts {
    /// The verdict of each comparison; `None` if it is impossible.
    pub verdicts: Vec<Option<Verdict>>,
    /// The confidence of each interval in the verdicts.
    pub confidence: f64,
}

/// The part of the permitted false alarms that the comparison of all functions together may cause.
const SHARE_OF_ALL_FUNCTIONS: f64 = 1.0 / 8.0;

/// Makes several comparisons, so that with this confidence, such as 0.99, none of the changes is a false alarm.
///
/// This is the procedure of S. Holm, "A simple sequentially rejective multiple test procedure", *Scandinavian Journal of Statistics* 6
/// (1979) 65–70: with m comparisons, each is made at the level α/m. If k of them find a change, the others are repeated at the level
/// α/(m − k), and so on until no more are found. The comparisons may depend on each other. Comparisons of all functions together share α/8, and the
/// others then the rest. Those that can find no change, since only one day is known, do not count.
pub fn verdicts(confidence: f64, comparisons: &[BuildComparison<'_>]) -> RunVerdicts {
    let is_common = |comparison: &BuildComparison<'_>| matches!(comparison.basis, ComparisonBasis::AllFunctions(_));
    let common = comparisons.iter().filter(|one| is_common(one)).count();
    let of_common = if common > 0 { SHARE_OF_ALL_FUNCTIONS * (1.0 - confidence) } else { 0.0 };
    let (common_level, rest) = (of_common / common.max(1) as f64, 1.0 - confidence - of_common);
    let all = comparisons.iter().filter(|one| one.is_possible() && !is_common(one) && one.can_find_a_change()).count();
    let mut found = 0;
    loop {
        let level = 1.0 - rest / all.saturating_sub(found).max(1) as f64;
        let verdict = |one: &BuildComparison<'_>| one.verdict(if is_common(one) { 1.0 - common_level } else { level });
        let verdicts: Vec<Option<Verdict>> = comparisons.iter().map(verdict).collect();
        let is_change = |verdict: &Verdict| matches!(verdict.change, BuildChange::Slower | BuildChange::Faster);
        let of_points = comparisons.iter().zip(&verdicts).filter(|(one, _)| !is_common(one));
        let changes = of_points.filter(|(_, verdict)| verdict.as_ref().is_some_and(is_change)).count();
        if changes <= found {
            return RunVerdicts { verdicts, confidence: level };
        }
        found = changes;
    }
}
