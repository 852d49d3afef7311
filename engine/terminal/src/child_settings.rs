//! How a program in a terminal starts suites.

use std::sync::Once;

use benchbook_host::child::{ChildSettings, Reaper};

/// The settings of suites that a program in a terminal starts. Without a reaper, processes that a suite has started may remain if
/// the program is killed: the first call prints a warning then.
pub fn child_settings() -> ChildSettings {
    static WARNING: Once = Once::new();
    let reaper = Reaper::start().inspect_err(|reason| {
        WARNING.call_once(|| {
            eprintln!(
                "warning: if this program is killed, processes that suites have started may keep running: {reason}"
            );
        });
    });
    ChildSettings { reaper: reaper.ok(), ..ChildSettings::default() }
}
