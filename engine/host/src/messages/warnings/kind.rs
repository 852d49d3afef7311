//! The kinds of warnings and their severity.

/// How much a warning affects the figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The figures may be wrong.
    Unreliable,
    /// The figures are less precise than they appear, or than requested.
    Noisy,
    /// The figures are right, with a restriction.
    Note,
}

impl Severity {
    /// A label for readers.
    pub fn label(self) -> &'static str {
        match self {
            Self::Unreliable => "Unreliable",
            Self::Noisy => "Noisy",
            Self::Note => "Note",
        }
    }
}

/// The kinds of warnings, the most serious first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WarningKind {
    /// The suite ran in slow code.
    SlowCode,
    /// The compiler may have removed the work.
    RemovedWork,
    /// The level of the times changed during the measurement.
    ChangedTimes,
    /// The target precision was not reached.
    Imprecise,
    /// Samples were preempted.
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

impl WarningKind {
    /// How much warnings of this kind affect the figures.
    pub fn severity(self) -> Severity {
        match self {
            Self::SlowCode | Self::RemovedWork | Self::ChangedTimes => Severity::Unreliable,
            Self::Imprecise
            | Self::Interference
            | Self::SlowMachine
            | Self::Unsettled
            | Self::Skewed
            | Self::TwoLevels
            | Self::Correlated => Severity::Noisy,
            Self::MeasuredAlone
            | Self::BelowResolution
            | Self::ShortBatches
            | Self::ExtremeOutliers
            | Self::SlowFirstCurve
            | Self::Batches
            | Self::SingleCalls => Severity::Note,
        }
    }
}
