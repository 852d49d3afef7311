//! The settings of divan's harness, which have no effect.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use benchbook_suite::__private::IgnoredSetting;

/// The replacement for counted cycles.
pub(crate) const CYCLES_REPLACEMENT: &str = "On Linux, Benchbook counts the cycles itself";

/// The settings that the program has called.
static IGNORED: Mutex<BTreeSet<IgnoredSetting>> = Mutex::new(BTreeSet::new());

/// Records a call of a setting.
pub(crate) fn ignore(setting: IgnoredSetting) {
    IGNORED.lock().unwrap_or_else(PoisonError::into_inner).insert(setting);
}

/// Returns the settings that the program has called.
pub(crate) fn ignored_settings() -> BTreeSet<IgnoredSetting> {
    IGNORED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
