//! The kinds of causes and their severity.

/// How much a cause affects the figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The figures may be wrong.
    Rough,
    /// The figures are less precise than they appear, or than requested.
    Noisy,
    /// The figures are right, with a restriction.
    Note,
}

/// The kinds of causes, the most serious first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CauseKind {
    /// The suite ran in slow code.
    SlowCode,
    /// The compiler may have removed the work.
    RemovedWork,
    /// The times rose with the number of calls.
    SlowingCalls,
    /// The level of the times changed during the measurement.
    ChangedTimes,
    /// The target precision was not reached.
    Imprecise,
    /// Setup leaves too few calls per batch.
    SlowSetup,
    /// Samples were interrupted.
    Interference,
    /// The machine was slower than before.
    SlowMachine,
    /// The times did not settle during warm-up.
    Unsettled,
    /// Too few samples for such skewed times.
    Skewed,
    /// The times switch between two levels.
    TwoLevels,
    /// The times are correlated over several blocks.
    Correlated,
    /// The function was not interleaved with the others.
    MeasuredAlone,
    /// Whether alternatives have the same outputs was not checked.
    OutputsNotCompared,
    /// The process has several threads.
    Threads,
    /// The time is indistinguishable from zero.
    BelowResolution,
    /// Batches are too short for the clock.
    ShortBatches,
    /// There are extreme outliers.
    ExtremeOutliers,
    /// The first priority showed longer times.
    SlowFirstCurve,
    /// A sample is the mean of several calls.
    Batches,
    /// The generator requires batches of one call.
    SingleCalls,
}

/// The relative change of the times up to which they only count as noisy.
const SLIGHT_CHANGE: f64 = 0.1;

impl CauseKind {
    /// Whether it affects the ratios of functions that were measured together, although their intervals and [`RatioAt::changed`] do not show it.
    ///
    /// [`RatioAt::changed`]: crate::comparison::RatioAt::changed
    pub(super) fn affects_ratios(self) -> bool {
        matches!(self, Self::SlowCode | Self::RemovedWork | Self::SlowingCalls | Self::SlowSetup)
    }

    /// How much a cause of this kind affects the figures. `change`: the greatest relative change of the times, for
    /// [`Self::ChangedTimes`] and [`Self::SlowingCalls`].
    pub(super) fn severity(self, change: f64) -> Severity {
        match self {
            Self::ChangedTimes | Self::SlowingCalls if change <= SLIGHT_CHANGE => Severity::Noisy,
            Self::SlowCode | Self::RemovedWork | Self::ChangedTimes | Self::SlowingCalls => Severity::Rough,
            Self::Imprecise
            | Self::SlowSetup
            | Self::Interference
            | Self::SlowMachine
            | Self::Unsettled
            | Self::Skewed
            | Self::TwoLevels
            | Self::Correlated => Severity::Noisy,
            Self::MeasuredAlone
            | Self::OutputsNotCompared
            | Self::Threads
            | Self::BelowResolution
            | Self::ShortBatches
            | Self::ExtremeOutliers
            | Self::SlowFirstCurve
            | Self::Batches
            | Self::SingleCalls => Severity::Note,
        }
    }
}
