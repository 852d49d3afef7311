//! Suites that follow their sources: after each build, the page loads the new builds and measures the current cell again.

use benchbook_host::api::BuildReport;

/// What the runner reports about its builds, and how far the page has followed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rebuilding {
    /// The last report; `None` if the suites of the runner are fixed, and before the first report.
    pub(crate) report: Option<BuildReport>,
    /// Whether the user has switched off that the current cell is measured again after each build.
    pub(crate) is_manual: bool,
    /// The new builds that are being loaded; `None` once all are loaded.
    reload: Option<Reload>,
}

/// The new builds that are being loaded.
#[derive(Clone, Debug, Default, PartialEq)]
struct Reload {
    /// Whether the runner has sent the new catalog.
    has_catalog: bool,
    /// The number of suites that are still loading; `None` before their addresses are known.
    remaining: Option<usize>,
}

impl Rebuilding {
    /// Takes note of a report. Suites are loaded again if they were replaced.
    pub(crate) fn report(&mut self, report: BuildReport) {
        // The page may have loaded its suites before or after the builds of the first report.
        let known = self.report.as_ref().map_or(0, |known| known.revision);
        if report.revision != known {
            self.reload = Some(Reload::default());
        }
        self.report = Some(report);
    }

    /// The number of the builds that the page should show. The suites are loaded again whenever it changes.
    pub(crate) fn revision(&self) -> u64 {
        self.report.as_ref().map_or(0, |report| report.revision)
    }

    /// Whether a build is in progress.
    pub(crate) fn is_building(&self) -> bool {
        self.report.as_ref().is_some_and(|report| report.building)
    }

    /// The runner has sent its catalog.
    pub(crate) fn has_catalog(&mut self) {
        if let Some(reload) = &mut self.reload {
            reload.has_catalog = true;
        }
    }

    /// The addresses of the suites are known.
    pub(crate) fn expects(&mut self, suites: usize) {
        if let Some(reload) = &mut self.reload {
            reload.remaining = Some(suites);
        }
    }

    /// A suite was loaded, or could not be.
    pub(crate) fn has_loaded(&mut self) {
        if let Some(remaining) = self.reload.as_mut().and_then(|reload| reload.remaining.as_mut()) {
            *remaining = remaining.saturating_sub(1);
        }
    }

    /// Returns whether the new builds were completely loaded since the last call.
    pub(crate) fn take_completed(&mut self) -> bool {
        let is_complete = self.reload == Some(Reload { has_catalog: true, remaining: Some(0) });
        if is_complete {
            self.reload = None;
        }
        is_complete
    }
}
