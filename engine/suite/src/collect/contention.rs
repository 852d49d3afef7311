//! Threads that make their calls at the same time.

use std::cell::Cell;
use std::hint::spin_loop;
use std::iter;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::memory;

/// Runs `run` on this thread and on new ones, `threads` in all, and returns the results, beginning with this thread's. Each thread calls
/// the argument when it is ready to start, which returns as soon as all are.
///
/// `run` is a trait object, since compiling this function for each benchmark would make builds of suites slow.
///
/// # Panics
/// With the panic of a thread, and if the system cannot start one.
pub fn on_threads<R: Send>(threads: usize, run: &(dyn Fn(&dyn Fn()) -> R + Sync)) -> Vec<R> {
    let line = StartLine { missing: AtomicUsize::new(threads) };
    let run = || {
        let starter = Starter::new(&line);
        run(&|| starter.start())
    };
    thread::scope(|scope| {
        let start = |_| {
            scope.spawn(|| {
                let result = run();
                memory::end_thread();
                result
            })
        };
        let others: Vec<_> = (1..threads).map(start).collect();
        let own = run();
        let others = others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        iter::once(own).chain(others).collect()
    })
}

/// Where threads wait until all are ready. They do not sleep: waking up takes longer than many batches.
struct StartLine {
    /// The number of threads that are not ready.
    missing: AtomicUsize,
}

/// A thread that is about to start. If it panics before it is ready, the others start without it.
struct Starter<'l> {
    line: &'l StartLine,
    is_ready: Cell<bool>,
}

impl<'l> Starter<'l> {
    fn new(line: &'l StartLine) -> Self {
        Self { line, is_ready: Cell::new(false) }
    }

    fn start(&self) {
        self.report();
        while self.line.missing.load(Ordering::Acquire) > 0 {
            spin_loop();
        }
    }

    fn report(&self) {
        if !self.is_ready.replace(true) {
            self.line.missing.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

impl Drop for Starter<'_> {
    fn drop(&mut self) {
        self.report();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn all_threads_run_at_once() {
        let (barrier, next) = (Barrier::new(3), AtomicUsize::new(0));
        let mut results = on_threads(3, &|ready| {
            let index = next.fetch_add(1, Ordering::Relaxed);
            ready();
            // Returns only if the other threads get here, too.
            barrier.wait();
            index
        });
        results.sort_unstable();
        assert_eq!(results, [0, 1, 2]);
    }

    #[test]
    fn a_panic_before_the_start_releases_the_others() {
        let next = AtomicUsize::new(0);
        let run = AssertUnwindSafe(|| {
            on_threads(3, &|ready| {
                assert!(next.fetch_add(1, Ordering::Relaxed) > 0, "the first one fails");
                ready();
            })
        });
        let panic = catch_unwind(run).expect_err("a thread has panicked");
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"the first one fails"));
        assert_eq!(next.into_inner(), 3);
    }
}
