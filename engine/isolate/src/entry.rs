//! The entry point of launcher processes.

use crate::launch::is_requested;

/// Runs the launcher if this process was started as one. In that case, it does not return: the process becomes the child,
/// or ends as the child does.
pub fn run_launcher_if_requested() {
    if is_requested() {
        #[cfg(unix)]
        crate::launched::run(std::env::args_os().nth(2));
        #[cfg(not(unix))]
        std::process::exit(1);
    }
}
