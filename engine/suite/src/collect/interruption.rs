//! Whether something else had the processor while a batch was timed: what the kernel says, where there is one to ask.

/// How often this thread lost its processor so far, and which it has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Watch {
    #[cfg(target_os = "linux")]
    preemptions: i64,
    #[cfg(target_os = "linux")]
    core: usize,
}

#[cfg(target_os = "linux")]
impl Watch {
    /// Begins to watch. It asks the kernel, which takes a third of a microsecond or more: never between the readings of the
    /// clock.
    #[inline(never)]
    pub(crate) fn begin() -> Self {
        use nix::sys::resource::{UsageWho, getrusage};

        // Switches that the thread did not ask for: one that waits for a file gave its processor away itself.
        let preemptions = getrusage(UsageWho::RUSAGE_THREAD).map_or(0, |usage| usage.involuntary_context_switches());
        Self { preemptions, core: rustix::thread::sched_getcpu() }
    }

    /// Whether the kernel gave the processor to others since, or moved the thread to another one.
    #[inline(never)]
    pub(crate) fn was_interrupted(self) -> bool {
        self.differs_from(Self::begin())
    }

    /// A thread that waits gives its core away itself, and may go on at another one: that is a move alone.
    fn differs_from(self, later: Self) -> bool {
        self != later
    }
}

#[cfg(not(target_os = "linux"))]
impl Watch {
    /// Nobody can be asked here.
    #[inline(always)]
    pub(crate) fn begin() -> Self {
        Self {}
    }

    /// Nobody tells.
    #[inline(always)]
    pub(crate) fn was_interrupted(self) -> bool {
        false
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::Watch;

    #[test]
    fn a_core_taken_away_and_a_move_each_interrupt_alone() {
        let before = Watch { preemptions: 3, core: 1 };
        assert!(!before.differs_from(before));
        for (preemptions, core) in [(4, 1), (3, 0), (4, 0)] {
            assert!(before.differs_from(Watch { preemptions, core }), "{preemptions} at {core}");
        }
    }
}
