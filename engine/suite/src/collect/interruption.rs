//! Detects whether the measuring thread was interrupted or migrated during a batch. Only Linux reports it.

/// How often this thread was interrupted so far, and its current core.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct InterruptionProbe {
    #[cfg(target_os = "linux")]
    preemptions: i64,
    #[cfg(target_os = "linux")]
    core: usize,
}

#[cfg(target_os = "linux")]
impl InterruptionProbe {
    /// Reads both values from the kernel. This takes a third of a microsecond or more, so don't call it between the two
    /// clock readings.
    #[inline(never)]
    pub(crate) fn begin() -> Self {
        use nix::sys::resource::{UsageWho, getrusage};

        // Only involuntary switches: a thread that waits for a file yields its core by itself.
        let preemptions = getrusage(UsageWho::RUSAGE_THREAD).map_or(0, |usage| usage.involuntary_context_switches());
        Self { preemptions, core: rustix::thread::sched_getcpu() }
    }

    /// Whether the kernel has interrupted the thread or moved it to another core since then.
    #[inline(never)]
    pub(crate) fn was_interrupted(self) -> bool {
        self.differs_from(Self::begin())
    }

    /// A thread that waits yields its core voluntarily and may resume on another one: then only the core differs.
    fn differs_from(self, later: Self) -> bool {
        self != later
    }
}

#[cfg(not(target_os = "linux"))]
impl InterruptionProbe {
    /// Does nothing on this system.
    #[inline(always)]
    pub(crate) fn begin() -> Self {
        Self {}
    }

    /// Always false on this system.
    #[inline(always)]
    pub(crate) fn was_interrupted(self) -> bool {
        false
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::InterruptionProbe;

    #[test]
    fn detects_preemptions_and_migrations() {
        let before = InterruptionProbe { preemptions: 3, core: 1 };
        assert!(!before.differs_from(before));
        for (preemptions, core) in [(4, 1), (3, 0), (4, 0)] {
            assert!(before.differs_from(InterruptionProbe { preemptions, core }), "{preemptions} on core {core}");
        }
    }
}
