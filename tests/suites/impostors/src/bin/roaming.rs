//! Measures correctly, but allows itself to run on every core once it measures above 0.

use benchbook_contract::protocol::HostMessage;

fn main() {
    impostors::converse(|message| {
        if let HostMessage::Open(open) = &message
            && impostors::size(open) > 0.0
        {
            leave_core();
        }
        vec![impostors::proper(message)]
    });
}

#[cfg(target_os = "linux")]
fn leave_core() {
    use rustix::thread::{CpuSet, sched_setaffinity};

    let mut all = CpuSet::new();
    (0..CpuSet::MAX_CPU).for_each(|core| all.set(core));
    // If it fails, the test notices.
    let _ = sched_setaffinity(None, &all);
}

#[cfg(not(target_os = "linux"))]
fn leave_core() {}
