//! What a URL of the page leads to, and the texts that other pages embed.

pub(crate) mod available;
pub(crate) mod embed;
pub(crate) mod excerpt;
pub(crate) mod link;
pub(crate) mod pairs;
pub(crate) mod token;

use std::collections::BTreeMap;

use benchbook_contract::parameter::Arguments;
use benchbook_host::history::CheckedMetric;
use benchbook_notebook::id::Id;
use benchbook_notebook::setup::{CellSetup, WrittenArgument};
use benchbook_notebook::view::CellView;

/// What the fragment of a URL leads to. It is untrusted, and not yet checked against a suite.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Address {
    /// The self-test of this browser.
    SelfTest,
    /// The runner's stored results.
    Archive(ArchiveAddress),
    /// The accepted results of a function.
    History(HistoryAddress),
    /// A notebook in this browser's storage and one of its cells. Another browser opens `elsewhere`, in a new notebook with this identifier.
    Stored { notebook: Id, cell: Option<Id>, elsewhere: Option<Box<CellAddress>> },
    /// A notebook file, which opens read-only, and one of its cells.
    File { file: FileAddress, cell: Option<Id> },
    /// A notebook: its file without samples, compressed.
    Content(String),
    /// A suite by its URL. The page requests it only if the user agrees.
    Suite(String),
    /// A function with its settings, for a new notebook.
    Cell(Box<CellAddress>),
}

/// A function with its settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CellAddress {
    /// The URL of its suite, which the page offers to open if it has none of that name.
    pub(crate) suite_url: Option<String>,
    /// Its settings. The name of the suite and the list of functions may be empty.
    pub(crate) setup: CellSetup,
}

/// A part of a runner's stored results.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ArchiveAddress {
    /// The functions that have results.
    Functions,
    /// The generators with which a function was measured.
    Generators { suite: String, function: String },
    /// The results of a function with a generator, newest first. `before`: only those with lower numbers.
    Results { suite: String, function: String, generator: String, before: Option<u64> },
    /// A result, by its number.
    Result(u64, Box<CellView>),
}

/// The accepted results of a function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HistoryAddress {
    /// The metric.
    pub(crate) metric: CheckedMetric,
    /// The suite's name.
    pub(crate) suite: String,
    /// The function's path.
    pub(crate) function: String,
    /// The generator's path; `None` leaves the choice of a measurement to the page.
    pub(crate) generator: Option<String>,
    /// The arguments of the measurement.
    pub(crate) arguments: WrittenArguments,
    /// The axis value, as text; `None` shows the last one.
    pub(crate) at: Option<String>,
    /// The first result after the chosen step.
    pub(crate) step: Option<String>,
}

/// The address of a notebook file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileAddress {
    /// A URL relative to the page, which `notebook.json` lists. A standalone page contains its notebook: there, the
    /// URL is empty.
    Site(String),
    /// A path in the runner's folder of notebooks.
    Runner(String),
}

/// Arguments as text, by the names of their parameters.
pub(crate) type WrittenArguments = BTreeMap<String, WrittenArgument>;

/// The arguments of a measurement, as text.
pub(crate) fn arguments_as_text(arguments: &Arguments) -> WrittenArguments {
    arguments.iter().map(|(name, argument)| (name.clone(), WrittenArgument::from(argument))).collect()
}

impl Address {
    /// A function with these settings.
    pub(crate) fn of_setup(setup: CellSetup) -> Self {
        Self::Cell(Box::new(CellAddress { suite_url: None, setup }))
    }

    /// A function with its default settings.
    pub(crate) fn of_function(suite: &str, function: &str) -> Self {
        let (suite, functions) = (suite.to_owned(), vec![function.to_owned()]);
        Self::of_setup(CellSetup { suite, functions, ..CellSetup::default() })
    }

    /// The settings of the cell that it opens; `None` if it leads to something else.
    pub(crate) fn setup(&self) -> Option<&CellSetup> {
        Some(&self.cell()?.setup)
    }

    /// The cell that it opens in a new notebook.
    pub(crate) fn cell(&self) -> Option<&CellAddress> {
        match self {
            Self::Cell(cell) | Self::Stored { elsewhere: Some(cell), .. } => Some(cell),
            _ => None,
        }
    }

    /// Whether both lead to the same page. A cell's arguments, options and view may differ, the view of a stored result, and the axis value of a
    /// history.
    pub(crate) fn is_same_page(&self, other: &Self) -> bool {
        self.page() == other.page()
    }

    /// This address without what changes while the same page is shown.
    fn page(&self) -> Self {
        match self {
            Self::Archive(ArchiveAddress::Result(id, _)) => Self::Archive(ArchiveAddress::Result(*id, Box::default())),
            Self::History(history) => Self::History(HistoryAddress { at: None, ..history.clone() }),
            Self::Stored { notebook, cell, .. } => {
                Self::Stored { notebook: notebook.clone(), cell: cell.clone(), elsewhere: None }
            }
            Self::Cell(cell) => {
                let CellSetup { suite, functions, generator, .. } = cell.setup.clone();
                let setup = CellSetup { suite, functions, generator, ..CellSetup::default() };
                Self::Cell(Box::new(CellAddress { suite_url: cell.suite_url.clone(), setup }))
            }
            other => other.clone(),
        }
    }
}
