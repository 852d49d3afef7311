//! The folder of accepted results of a project.

use std::path::Path;

use benchbook_server::history::HistoryFolder;

use crate::project::Project;

/// The chosen folder, or that of the project's local results.
pub(crate) fn history_folder(project: &Project, chosen: Option<&Path>) -> HistoryFolder {
    HistoryFolder {
        path: chosen.map_or_else(|| project.output.join("history"), Path::to_owned),
        is_chosen: chosen.is_some(),
    }
}
