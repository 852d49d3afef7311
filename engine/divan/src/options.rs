//! The options of a benchmark or a group.

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};
use std::time::Duration;

use crate::counter::{BytesCount, CharsCount, Counted, CyclesCount, IntoCounter, ItemsCount, add};

/// The options of a benchmark or a group. A missing one is that of the outer group.
#[derive(Clone, Debug, Default)]
pub struct BenchOptions {
    pub(crate) counted: Counted,
    /// The numbers of threads in ascending order; 0 stands for one per core.
    pub(crate) threads: Option<Vec<usize>>,
    pub(crate) ignore: Option<bool>,
    /// The names of the options that have no effect.
    pub(crate) without_effect: BTreeSet<&'static str>,
}

impl BenchOptions {
    /// The options, with those of `outer` in place of missing ones.
    pub(crate) fn or(self, outer: Self) -> Self {
        Self {
            counted: self.counted.or(outer.counted),
            threads: self.threads.or(outer.threads),
            ignore: self.ignore.or(outer.ignore),
            without_effect: self.without_effect.into_iter().chain(outer.without_effect).collect(),
        }
    }

    /// Sets what a call processes.
    #[must_use]
    pub fn counter(mut self, counter: impl IntoCounter) -> Self {
        add(counter, &mut self.counted);
        self
    }

    /// Sets the bytes that a call processes.
    #[must_use]
    pub fn bytes_count(self, count: impl Into<BytesCount>) -> Self {
        self.counter(count.into())
    }

    /// Sets the characters that a call processes.
    #[must_use]
    pub fn chars_count(self, count: impl Into<CharsCount>) -> Self {
        self.counter(count.into())
    }

    /// Sets the cycles of a call.
    #[must_use]
    pub fn cycles_count(self, count: impl Into<CyclesCount>) -> Self {
        self.counter(count.into())
    }

    /// Sets the items that a call processes.
    #[must_use]
    pub fn items_count(self, count: impl Into<ItemsCount>) -> Self {
        self.counter(count.into())
    }

    /// Sets how many threads call the routine at the same time.
    #[must_use]
    pub fn threads(mut self, threads: impl IntoThreads) -> Self {
        let mut threads = threads.into_threads();
        threads.sort_unstable();
        threads.dedup();
        self.threads = Some(threads);
        self
    }

    /// Sets whether to omit the benchmark.
    #[must_use]
    pub fn ignore(mut self, is_ignored: bool) -> Self {
        self.ignore = Some(is_ignored);
        self
    }

    fn without_effect(mut self, option: &'static str) -> Self {
        self.without_effect.insert(option);
        self
    }

    /// Accepted without effect.
    #[must_use]
    pub fn sample_count(self, _count: u32) -> Self {
        self.without_effect("sample_count")
    }

    /// Accepted without effect.
    #[must_use]
    pub fn sample_size(self, _size: u32) -> Self {
        self.without_effect("sample_size")
    }

    /// Accepted without effect.
    #[must_use]
    pub fn min_time(self, _time: impl IntoTime) -> Self {
        self.without_effect("min_time")
    }

    /// Accepted without effect.
    #[must_use]
    pub fn max_time(self, _time: impl IntoTime) -> Self {
        self.without_effect("max_time")
    }

    /// Accepted without effect.
    #[must_use]
    pub fn skip_ext_time(self, _is_skipped: bool) -> Self {
        self.without_effect("skip_ext_time")
    }
}

/// A time: a [`Duration`], or seconds.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a time",
    label = "write a `Duration`, or a number of seconds"
)]
pub trait IntoTime {}

impl IntoTime for Duration {}
impl IntoTime for u64 {}
impl IntoTime for f64 {}

/// Numbers of threads; 0 stands for one per core.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number of threads",
    label = "write a number, a range, a list such as [1, 2, 4], or `.collect::<Vec<usize>>()`"
)]
pub trait IntoThreads {
    /// Returns the numbers.
    fn into_threads(self) -> Vec<usize>;
}

/// One thread per core, or a single thread.
impl IntoThreads for bool {
    fn into_threads(self) -> Vec<usize> {
        vec![usize::from(!self)]
    }
}

impl IntoThreads for usize {
    fn into_threads(self) -> Vec<usize> {
        vec![self]
    }
}

impl IntoThreads for Range<usize> {
    fn into_threads(self) -> Vec<usize> {
        self.collect()
    }
}

impl IntoThreads for RangeInclusive<usize> {
    fn into_threads(self) -> Vec<usize> {
        self.collect()
    }
}

impl IntoThreads for Vec<usize> {
    fn into_threads(self) -> Vec<usize> {
        self
    }
}

impl IntoThreads for &[usize] {
    fn into_threads(self) -> Vec<usize> {
        self.to_vec()
    }
}

impl<const N: usize> IntoThreads for [usize; N] {
    fn into_threads(self) -> Vec<usize> {
        self.to_vec()
    }
}

impl<const N: usize> IntoThreads for &[usize; N] {
    fn into_threads(self) -> Vec<usize> {
        self.to_vec()
    }
}
