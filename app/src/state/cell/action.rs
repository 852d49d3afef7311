//! What happens to a cell.

use benchbook_count::PointCounts;
use benchbook_host::quality::Priority;
use benchbook_host::request::Problem;
use benchbook_host::response::{MachineKind, Point};
use benchbook_host::sample::measurement::Progress;
use benchbook_notebook::id::Id;
use benchbook_notebook::measuring_options::MeasuringOptions;
use benchbook_notebook::result::{StoredListing, StoredProfile};
use benchbook_notebook::trace::Trace;
use benchbook_notebook::view::ViewAction;
use benchbook_report::results::ResultOrigin;

use super::controls::ControlAction;

/// Something that happens to a cell.
#[derive(Clone, Debug)]
pub(crate) enum CellAction {
    /// The user changes its settings.
    Edit(SetupEdit),
    /// Its measurement starts, continues or ends.
    Run(RunEvent),
    /// The user adds or removes an overlay.
    Overlay(OverlayAction),
}

/// A change to the settings that a notebook stores.
#[derive(Clone, Debug)]
pub(crate) enum SetupEdit {
    /// Chooses a generator, by its path.
    ChooseGenerator(String),
    /// Sets a control.
    Control(ControlAction),
    /// Sets the options of the measurement.
    SetOptions(MeasuringOptions),
    /// Adds a function to measure together with it, by its path.
    AddPartner(String),
    /// Adds all alternatives that the plot has room for.
    AddAlternatives,
    /// Removes a function from the comparison, by its path.
    RemoveFunction(String),
    /// Compares with this earlier build instead of others, or with none.
    FollowBuild(Option<String>),
    /// Compares its function in two builds, as requests name them, instead of everything else.
    CompareInBuilds([String; 2]),
    /// Changes the view.
    View(ViewAction),
}

/// An event of a measurement.
#[derive(Clone, Debug)]
pub(crate) enum RunEvent {
    /// A measurement with a valid request started.
    Started(Box<ResultOrigin>),
    /// The request is invalid.
    Rejected(Vec<Problem>),
    /// Another tab is measuring.
    Queued,
    /// The request is in the runner's queue: the number of measurements ahead, and their expected duration in
    /// milliseconds.
    QueuedOnRunner(u32, f64),
    /// A runner takes over the measurement; the machine is the runner's.
    Escalated(Box<ResultOrigin>),
    /// Shows a note on the measurement; a sentence.
    Remarked(String),
    /// A priority started; the estimated remaining time including higher priorities, in milliseconds.
    PriorityStarted(MachineKind, Priority, f64),
    /// The tab was hidden.
    Paused,
    /// The tab was shown, and has its turn again.
    Resumed,
    /// The measurement progressed; the estimated remaining time, in milliseconds.
    Progressed(Progress, f64),
    /// Points were measured.
    Measured(MachineKind, Priority, Vec<Point>),
    /// All points of a priority were measured and reported.
    PriorityDone(Priority),
    /// Counting the wasm instructions of some points has begun or progressed.
    Counting {
        /// The number of points that were counted.
        done: usize,
        /// The number of points to count.
        total: usize,
    },
    /// A point was counted.
    Counted(PointCounts),
    /// A function was profiled.
    Profiled(StoredProfile),
    /// The code of functions was requested.
    Listing,
    /// The code of functions was loaded, as far as that was possible.
    Listed {
        /// The results that it was requested for. Others may have taken their place.
        results: Vec<Id>,
        /// The code, each with its result.
        listings: Vec<(Id, StoredListing)>,
        /// Why some code is missing: sentences.
        problems: Vec<String>,
    },
    /// Counting is complete, and no priority follows.
    CountingDone,
    /// The runner has measured all priorities; this browser continues.
    RunnerDone,
    /// The measurement was stopped.
    Stopped,
    /// The measurement cannot continue; a sentence.
    Failed(String),
}

/// A change to the overlays: traces of other measurements in the plot.
#[derive(Clone, Debug)]
pub(crate) enum OverlayAction {
    /// Adds a trace, as a result with this identifier.
    Add(Id, Trace),
    /// Removes an overlay, by its index.
    Remove(usize),
}

/// Why a notebook stores the results of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommitReason {
    /// A priority is done, or the overlays changed.
    Interim,
    /// The user stopped the measurement.
    Stopped,
    /// The measurement is complete, or cannot continue.
    Final,
}

impl SetupEdit {
    /// Whether it is repeated with each typed letter or each movement of a slider.
    pub(crate) fn is_typing(&self) -> bool {
        match self {
            Self::Control(action) => !matches!(action, ControlAction::SetRole(..)),
            Self::SetOptions(_) => true,
            _ => false,
        }
    }
}

impl RunEvent {
    /// Why the results so far belong in the notebook. While a priority is measured, its points are not stored: writing
    /// them would disturb the measurement.
    pub(crate) fn commit(&self) -> Option<CommitReason> {
        match self {
            Self::Stopped => Some(CommitReason::Stopped),
            Self::PriorityDone(Priority::LAST) | Self::CountingDone | Self::Failed(_) => Some(CommitReason::Final),
            Self::Listed { listings, .. } if !listings.is_empty() => Some(CommitReason::Interim),
            Self::PriorityDone(_) | Self::RunnerDone => Some(CommitReason::Interim),
            _ => None,
        }
    }
}
