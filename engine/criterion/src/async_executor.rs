//! Executors of asynchronous routines, for [`Bencher::to_async`](crate::Bencher::to_async).
//!
//! Each has a feature with criterion's name: `async_futures`, `async_smol`, `async_tokio`.

/// Runs futures. Implement it for executors that this module does not support.
///
/// ```compile_fail
/// # extern crate benchbook_criterion as criterion;
/// fn ready(c: &mut criterion::Criterion) {
///     c.bench_function("ready", |b| b.to_async(()).iter(|| async {}));
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an executor that Benchbook supports",
    label = "enable its feature `async_tokio`, `async_futures` or `async_smol` of `benchbook-criterion`, or implement `AsyncExecutor`"
)]
pub trait AsyncExecutor {
    /// Runs a future to completion on the current thread, and returns its output.
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T;
}

/// The executor of the crate futures.
#[cfg(feature = "async_futures")]
#[derive(Clone, Copy, Debug, Default)]
pub struct FuturesExecutor;

#[cfg(feature = "async_futures")]
impl AsyncExecutor for FuturesExecutor {
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        futures_executor::block_on(future)
    }
}

/// The executor of smol. Tasks that the future starts run on smol's threads.
#[cfg(feature = "async_smol")]
#[derive(Clone, Copy, Debug, Default)]
pub struct SmolExecutor;

#[cfg(feature = "async_smol")]
impl AsyncExecutor for SmolExecutor {
    /// smol's function of this name is that of async-io.
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        async_io::block_on(future)
    }
}

/// Not supported: async-std is no longer developed. A compile error says what to do instead.
#[cfg(feature = "async_std")]
#[derive(Clone, Copy, Debug, Default)]
pub struct AsyncStdExecutor;

#[cfg(feature = "async_tokio")]
mod tokio_runtime {
    use tokio::runtime::{Handle, Runtime};

    use super::AsyncExecutor;

    impl AsyncExecutor for Runtime {
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            self.block_on(future)
        }
    }

    impl AsyncExecutor for &Runtime {
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            (*self).block_on(future)
        }
    }

    impl AsyncExecutor for Handle {
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            self.block_on(future)
        }
    }

    impl AsyncExecutor for &Handle {
        fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
            (*self).block_on(future)
        }
    }
}
