//! The kernel's counters of a child's events, read from outside the child.

use crate::response::{CountedEvent, CounterAbsence};
use crate::sample::event_sampler::EventReading;

/// The events to count in a suite's processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventSource {
    /// Those of the processor.
    #[default]
    Hardware,
    /// Those of the kernel, to test the counting on machines without hardware counters. In place of instructions: nanoseconds on
    /// the processor; of cycles: page faults; of branch misses: context switches; of cache misses: migrations.
    Kernel,
}

/// A group of counters for one process. The kernel counts all of them at the same time, or none.
///
/// Counts the main thread only, which calls the measured functions: the kernel cannot read the counters of several threads
/// as a group. Counts neither the kernel nor a hypervisor.
#[derive(Debug)]
pub(super) struct EventCounters(Counters);

impl EventCounters {
    /// Opens the counters of a process.
    ///
    /// # Errors
    /// Returns why the process's events cannot be counted.
    pub(super) fn open(process: u32, source: EventSource) -> Result<Self, CounterAbsence> {
        Counters::open(process, source).map(Self)
    }

    /// The events that these counters count.
    pub(super) fn events(&self) -> Vec<CountedEvent> {
        self.0.events()
    }

    /// Counts from 0 from now on.
    ///
    /// # Errors
    /// Returns the system's error.
    pub(super) fn start(&mut self) -> Result<(), CounterAbsence> {
        self.0.start()
    }

    /// Returns the counts since [`Self::start`].
    ///
    /// # Errors
    /// Returns the system's error.
    pub(super) fn read(&mut self) -> Result<EventReading, CounterAbsence> {
        self.0.read()
    }
}

#[cfg(target_os = "linux")]
use linux::Counters;
#[cfg(not(target_os = "linux"))]
use unsupported::Counters;

#[cfg(target_os = "linux")]
mod linux {
    use std::io;

    use perf_event::events::{Hardware, Software};
    use perf_event::{Builder, Counter, ReadFormat};
    use rustix::io::Errno;

    use super::EventSource;
    use crate::response::{CountedEvent, CounterAbsence};
    use crate::sample::event_sampler::{EventReading, GroupCounts};

    #[derive(Debug)]
    pub(super) struct Counters {
        leader: Counter,
        /// The other counters, in the order of [`CountedEvent::ALL`].
        members: Vec<Option<Counter>>,
        /// The totals at the last start. They are subtracted, since the kernel can reset counts but not times.
        start: EventReading,
    }

    impl Counters {
        pub(super) fn open(process: u32, source: EventSource) -> Result<Self, CounterAbsence> {
            let builder = |event| builder(source, event, process);
            let [first, others @ ..] = CountedEvent::ALL;
            let format = ReadFormat::GROUP | ReadFormat::TOTAL_TIME_ENABLED | ReadFormat::TOTAL_TIME_RUNNING;
            let mut leader =
                builder(first).read_format(format).build().map_err(|error| absence_on_opening(&error, source))?;
            // A member that the processor cannot count, or not together with the others, is absent. The members are enabled, and
            // count as soon as the leader does. If the whole group were enabled later, some kernels would start the members only
            // when the process is scheduled again.
            let members = others.map(|event| builder(event).enabled(true).build_with_group(&mut leader).ok()).into();
            leader.enable().map_err(|error| absence(&error))?;
            let start = EventReading { counts: [None; CountedEvent::ALL.len()], enabled: 0, running: 0 };
            Ok(Self { leader, members, start })
        }

        pub(super) fn events(&self) -> Vec<CountedEvent> {
            let [first, others @ ..] = CountedEvent::ALL;
            let members = others.into_iter().zip(&self.members);
            [first].into_iter().chain(members.filter(|(_, member)| member.is_some()).map(|(event, _)| event)).collect()
        }

        pub(super) fn start(&mut self) -> Result<(), CounterAbsence> {
            self.start = self.totals()?;
            Ok(())
        }

        pub(super) fn read(&mut self) -> Result<EventReading, CounterAbsence> {
            let (now, start) = (self.totals()?, &self.start);
            let mut counts: GroupCounts = now.counts;
            for (count, start) in counts.iter_mut().zip(start.counts) {
                *count = count.map(|count| count.saturating_sub(start.unwrap_or_default()));
            }
            Ok(EventReading {
                counts,
                enabled: now.enabled.saturating_sub(start.enabled),
                running: now.running.saturating_sub(start.running),
            })
        }

        /// The counts and times since the group was opened.
        fn totals(&mut self) -> Result<EventReading, CounterAbsence> {
            let data = self.leader.read_group().map_err(|error| absence(&error))?;
            let value = |counter: &Counter| data.get(counter).map(|entry| entry.value());
            let mut counts = [value(&self.leader), None, None, None];
            for (count, member) in counts[1..].iter_mut().zip(&self.members) {
                *count = member.as_ref().and_then(value);
            }
            let nanos = |time: Option<std::time::Duration>| time.map_or(0, |time| time.as_nanos() as u64);
            Ok(EventReading { counts, enabled: nanos(data.time_enabled()), running: nanos(data.time_running()) })
        }
    }

    /// A counter of the user's code in the main thread of a process, on all of its cores.
    fn builder(source: EventSource, event: CountedEvent, process: u32) -> Builder<'static> {
        let mut builder = match source {
            EventSource::Hardware => Builder::new(match event {
                CountedEvent::Instructions => Hardware::INSTRUCTIONS,
                CountedEvent::Cycles => Hardware::CPU_CYCLES,
                CountedEvent::BranchMisses => Hardware::BRANCH_MISSES,
                CountedEvent::CacheMisses => Hardware::CACHE_MISSES,
            }),
            EventSource::Kernel => Builder::new(match event {
                CountedEvent::Instructions => Software::TASK_CLOCK,
                CountedEvent::Cycles => Software::PAGE_FAULTS,
                CountedEvent::BranchMisses => Software::CONTEXT_SWITCHES,
                CountedEvent::CacheMisses => Software::CPU_MIGRATIONS,
            }),
        };
        // These are the defaults, but figures depend on them.
        builder.exclude_kernel(true).exclude_hv(true).inherit(false).observe_pid(process as i32);
        builder
    }

    /// Why a counter cannot be opened. The error of the kernel is the same if counting is forbidden in general and if it is
    /// forbidden for this process; a counter of this process's own events distinguishes both.
    fn absence_on_opening(error: &io::Error, source: EventSource) -> CounterAbsence {
        match absence(error) {
            denied @ CounterAbsence::Denied { .. } => {
                let own = builder(source, CountedEvent::ALL[0], 0).build();
                if own.is_ok() { CounterAbsence::Unobservable } else { denied }
            }
            other => other,
        }
    }

    /// The meaning of an error: see `perf_event_open(2)`.
    fn absence(error: &io::Error) -> CounterAbsence {
        let errno = Errno::from_io_error(error);
        match errno {
            Some(Errno::NOENT | Errno::NODEV | Errno::NXIO | Errno::OPNOTSUPP | Errno::NOSYS) => {
                CounterAbsence::Missing
            }
            Some(Errno::ACCESS | Errno::PERM) => CounterAbsence::Denied { paranoid: paranoid() },
            Some(Errno::BUSY) => CounterAbsence::Busy,
            _ => CounterAbsence::Failed(error.to_string()),
        }
    }

    /// The kernel's setting for programs without privileges.
    fn paranoid() -> Option<i32> {
        std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").ok()?.trim().parse().ok()
    }
}

#[cfg(not(target_os = "linux"))]
mod unsupported {
    use super::EventSource;
    use crate::response::{CountedEvent, CounterAbsence};
    use crate::sample::event_sampler::EventReading;

    /// There are none on this system.
    #[derive(Debug)]
    pub(super) enum Counters {}

    impl Counters {
        pub(super) fn open(_process: u32, _source: EventSource) -> Result<Self, CounterAbsence> {
            Err(CounterAbsence::NotLinux)
        }

        pub(super) fn events(&self) -> Vec<CountedEvent> {
            match *self {}
        }

        pub(super) fn start(&mut self) -> Result<(), CounterAbsence> {
            match *self {}
        }

        pub(super) fn read(&mut self) -> Result<EventReading, CounterAbsence> {
            match *self {}
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::hint::black_box;

    use rustix::process::{Uid, geteuid};
    use rustix::thread::set_thread_uid;
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};

    use super::*;

    /// A user without privileges.
    const UNPRIVILEGED: u32 = 65_534;

    fn own_id() -> u32 {
        rustix::thread::gettid().as_raw_nonzero().get() as u32
    }

    /// Runs `check` without privileges.
    fn without_privileges<R: Send + 'static>(check: impl FnOnce() -> R + Send + 'static) -> R {
        let checked = std::thread::spawn(|| {
            if geteuid().is_root() {
                // Changes the user of this thread only, which ends soon.
                set_thread_uid(Uid::from_raw(UNPRIVILEGED)).expect("root may change its user");
            }
            check()
        });
        checked.join().expect("the check succeeds")
    }

    /// The counters of this thread, or `None` if this system denies even those of the kernel's events. Then only the
    /// reason can be tested.
    fn own_counters() -> Option<EventCounters> {
        match EventCounters::open(own_id(), EventSource::Kernel) {
            Ok(counters) => Some(counters),
            Err(absence) => {
                assert!(matches!(absence, CounterAbsence::Denied { .. }), "{absence:?}");
                eprintln!("this system denies perf_event_open: {absence:?}");
                None
            }
        }
    }

    #[test]
    fn counts_the_events_of_the_kernel_exactly() {
        let Some(mut counters) = own_counters() else { return };
        assert_eq!(counters.events(), CountedEvent::ALL);
        let pages = |counters: &mut EventCounters, count: usize| {
            counters.start().expect("the counters are open");
            touch_pages(count);
            let reading = counters.read().expect("the counters are open");
            assert!(reading.running > 0 && reading.running == reading.enabled, "{reading:?}");
            assert!(reading.counts[0] > Some(0), "nanoseconds on the processor: {reading:?}");
            reading.counts[1].expect("page faults are counted")
        };
        pages(&mut counters, 20);
        let (once, twice) = (pages(&mut counters, 20), pages(&mut counters, 40));
        assert_eq!(twice - once, 20, "{once} and {twice} page faults");
    }

    /// Touches this number of pages of new memory.
    fn touch_pages(count: usize) {
        // Each is in another huge page, and all of them exceed the size that the allocator may reuse: 32 MiB.
        const HUGE_PAGE: usize = 2 << 20;
        let mut memory = vec![0_u8; count * HUGE_PAGE];
        (0..count).for_each(|page| memory[black_box(page * HUGE_PAGE)] = 1);
        black_box(memory);
    }

    #[test]
    fn counts_from_zero_after_each_start() {
        let Some(mut counters) = own_counters() else { return };
        for _ in 0..3 {
            counters.start().expect("the counters are open");
            let first = counters.read().expect("the counters are open");
            let second = counters.read().expect("the counters are open");
            assert!(second.enabled >= first.enabled && second.counts[0] >= first.counts[0], "{first:?}, {second:?}");
        }
    }

    /// The first process of the system belongs to root.
    #[test]
    fn another_users_process_cannot_be_observed() {
        let (other, own) = without_privileges(|| {
            let open = |process| EventCounters::open(process, EventSource::Kernel).map(|counters| counters.events());
            (open(1), open(own_id()))
        });
        let expected = if own.is_ok() { CounterAbsence::Unobservable } else { own.expect_err("checked above") };
        assert_eq!(other, Err(expected));
    }

    /// A container's filter rejects the system call. The kernel's own setting gives the same error.
    #[test]
    fn a_denial_by_the_system_is_reported() {
        let open = || {
            // Applies to this thread only.
            let calls = [(libc::SYS_perf_event_open, Vec::new())].into();
            let reject = SeccompAction::Errno(libc::EPERM.unsigned_abs());
            let architecture = std::env::consts::ARCH.try_into().expect("the filter supports this processor");
            let filter = SeccompFilter::new(calls, SeccompAction::Allow, reject, architecture);
            let program: BpfProgram = filter.and_then(TryInto::try_into).expect("the filter is valid");
            apply_filter(&program).expect("threads may restrict themselves");
            EventCounters::open(own_id(), EventSource::Hardware).map(|counters| counters.events())
        };
        let denied = std::thread::spawn(open).join().expect("the thread ends");
        assert!(matches!(denied, Err(CounterAbsence::Denied { .. })), "{denied:?}");
    }

    #[test]
    fn a_process_that_ended_is_an_error() {
        let Some(_) = own_counters() else { return };
        // Linux assigns no higher id.
        let absence = EventCounters::open(1 << 22, EventSource::Kernel).map(|counters| counters.events());
        assert!(matches!(absence, Err(CounterAbsence::Failed(_))), "{absence:?}");
    }

    /// Whatever this machine has: counters that count instructions, or a reason.
    #[test]
    fn hardware_counters_count_or_state_why_not() {
        match EventCounters::open(own_id(), EventSource::Hardware) {
            Ok(mut counters) => {
                assert_eq!(counters.events()[0], CountedEvent::Instructions);
                counters.start().expect("the counters are open");
                (0..1_000).for_each(|number| {
                    black_box(number);
                });
                let reading = counters.read().expect("the counters are open");
                assert!(reading.running < reading.enabled || reading.counts[0] >= Some(1_000), "{reading:?}");
            }
            Err(absence) => {
                eprintln!("this machine has no hardware counters: {absence:?}");
                assert!(!matches!(absence, CounterAbsence::NotLinux | CounterAbsence::SlowCalls), "{absence:?}");
            }
        }
    }
}
