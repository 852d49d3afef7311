//! Workloads: the return types of generators. The type determines how calls share inputs.

pub(crate) mod input_access;
mod owned_input;
mod throughput;

use benchbook_contract::catalog::Mode;
use benchbook_contract::rng::Rng;
use input_access::{Borrows, Contends, Mutates};
use owned_input::{Consumes, OwnedInput};
pub use throughput::Throughput;

/// One input per call, for functions that take their input by `&`, by `&mut` or by value.
///
/// If the function takes `&mut`, each call gets its own input. Calls of other functions cycle over a few inputs;
/// arguments passed by value are clones.
///
/// ```
/// # use benchbook_suite::Fresh;
/// # use rand::RngExt;
/// # let size = 3;
/// Fresh::new(move |rng| (0..size).map(|_| rng.random::<u64>()).collect::<Vec<_>>());
/// ```
pub struct Fresh<I>(ErasedWorkload<I>);

/// One input per call, for functions that take it by value. The input needs no `Clone`: each call consumes its own.
///
/// A single parameter takes the input itself; several take the elements of a tuple. Dropping the input is part of the call if the
/// function drops it.
///
/// ```
/// # use benchbook_suite::Owned;
/// # use rand::RngExt;
/// struct Task(u64); // without `Clone`
///
/// Owned::new(|rng| Task(rng.random()));
/// ```
pub struct Owned<I>(ErasedWorkload<OwnedInput<I>>);

/// A few inputs that all calls share, for functions that take their input by `&` or by value.
///
/// The inputs are recreated several times per point, with other random numbers, so that the figures hold for inputs of this kind. With
/// [`one`](Self::one), there is a single one instead. Arguments passed by value are clones.
pub struct Shared<I>(ErasedWorkload<I>);

/// Several prepared calls that form a round, such as look-ups of different keys in one map. A batch consists of whole
/// rounds.
///
/// Each call of a round has its own input. Put data that the calls share behind an `Rc`: a function that takes `&Map`
/// accepts an `Rc<Map>`.
///
/// ```
/// # use std::rc::Rc;
/// # use benchbook_suite::Calls;
/// # use rand::RngExt;
/// # let size = 10;
/// // For a function with the arguments `sorted: &[u64], key: u64`.
/// Calls::new(move |rng| {
///     let sorted: Rc<[u64]> = (0..size).collect();
///     (0..100).map(|_| (Rc::clone(&sorted), rng.random_range(0..size))).collect()
/// });
/// ```
pub struct Calls<I>(ErasedWorkload<I>);

/// An input that several threads share. Each of them calls the function in the same way, all at the same time, to show how a lock
/// or a concurrent map behaves under contention.
///
/// The functions need the option `threads`, such as `#[measured(threads, generators(counter))]`. Only a native runner can measure them:
/// a suite in a browser has a single thread. Let a parameter be the number of threads, and the axis shows how contention grows.
///
/// The time per call is that of a thread, averaged over all threads. The input is recreated several times per point, with other random numbers.
///
/// ```
/// # use benchbook_suite::Contended;
/// # use std::sync::Mutex;
/// # let threads = 2;
/// Contended::new(threads, |_| Mutex::new(0_u64));
/// ```
pub struct Contended<I>(ErasedWorkload<I>);

/// The methods that declare what a call processes, for each workload type.
macro_rules! declares_throughput {
    ($($workload:ident)*) => {$(
        impl<I> $workload<I> {
            /// Declares that each call processes `count` elements, 1 to 2⁵³: such as keys, values or words. Hosts can then
            /// state a rate. Without a declaration, there is none.
            ///
            /// ```
            /// # use benchbook_suite::Shared;
            /// # let size: u32 = 3;
            /// Shared::new(move |_| (0..size).collect::<Vec<_>>()).elements(size.into());
            /// ```
            pub fn elements(mut self, count: u64) -> Self {
                self.0.throughput.elements = Some(count);
                self
            }

            /// Declares that each call processes `count` bytes, 1 to 2⁵³. A workload can declare elements, too.
            pub fn bytes(mut self, count: u64) -> Self {
                self.0.throughput.bytes = Some(count);
                self
            }
        }
    )*};
}

declares_throughput! { Fresh Owned Shared Calls Contended }

impl<I: 'static> Fresh<I> {
    /// Creates a workload from a closure that creates one input. Use only the given random numbers, so that every
    /// function and every run gets the same inputs.
    pub fn new(mut make: impl FnMut(&mut Rng) -> I + 'static) -> Self {
        Self(ErasedWorkload::new(move |rng, inputs| inputs.push(make(rng))))
    }

    /// Runs `hook` for each call after the batch, in the order of the calls and outside the timed loop. It gets the input
    /// as the call left it.
    pub fn after_call(mut self, hook: impl FnMut(&mut I) + 'static) -> Self {
        self.0.after_call = Some(Box::new(hook));
        self
    }

    /// Runs `hook` once, when the workload is closed. It does not run if the suite's process is killed.
    pub fn after_all(mut self, hook: impl FnOnce() + 'static) -> Self {
        self.0.after_all = Some(Box::new(hook));
        self
    }

    /// Limits batches to a single call, for calls that affect each other.
    pub fn one_call_per_batch(mut self) -> Self {
        self.0.one_call_per_batch = true;
        self
    }
}

impl<I: 'static> Owned<I> {
    /// Creates a workload from a closure that creates one input. Use only the given random numbers, so that every
    /// function and every run gets the same inputs.
    pub fn new(mut make: impl FnMut(&mut Rng) -> I + 'static) -> Self {
        Self(ErasedWorkload::new(move |rng, inputs| inputs.push(OwnedInput::new(make(rng)))))
    }

    /// Limits batches to a single call, for calls that affect each other.
    pub fn one_call_per_batch(mut self) -> Self {
        self.0.one_call_per_batch = true;
        self
    }
}

impl<I: 'static> Shared<I> {
    /// Creates a workload from a closure that creates one input. Use only the given random numbers, so that every
    /// function and every run gets the same inputs.
    pub fn new(mut make: impl FnMut(&mut Rng) -> I + 'static) -> Self {
        Self(ErasedWorkload::new(move |rng, inputs| inputs.push(make(rng))))
    }

    /// Uses a single input for all calls of all functions, such as data that takes long to create. It is created once per process and
    /// axis value, always from the same random numbers.
    ///
    /// The figures then hold for this input only, and their intervals do not cover the variation between inputs. Processors
    /// learn the branches of an input that is repeated.
    ///
    /// ```
    /// # use benchbook_suite::Shared;
    /// # let size: u32 = 3;
    /// Shared::new(move |_| (0..size).collect::<Vec<_>>()).one();
    /// ```
    pub fn one(mut self) -> Self {
        self.0.single_input = true;
        self
    }

    /// Runs `hook` after each call, outside the timed loop. It limits batches to a single call, since calls share their
    /// inputs.
    pub fn after_call(mut self, hook: impl FnMut(&mut I) + 'static) -> Self {
        self.0.after_call = Some(Box::new(hook));
        self.0.one_call_per_batch = true;
        self
    }

    /// Runs `hook` once, when the workload is closed. It does not run if the suite's process is killed.
    pub fn after_all(mut self, hook: impl FnOnce() + 'static) -> Self {
        self.0.after_all = Some(Box::new(hook));
        self
    }

    /// Limits batches to a single call, for calls that affect each other.
    pub fn one_call_per_batch(mut self) -> Self {
        self.0.one_call_per_batch = true;
        self
    }
}

impl<I: 'static> Calls<I> {
    /// Creates a workload from a closure that creates a round: one input per call. Every round must have the same number
    /// of inputs, at least one. Use only the given random numbers, so that every function and every run gets the same
    /// inputs.
    pub fn new(mut make: impl FnMut(&mut Rng) -> Vec<I> + 'static) -> Self {
        Self(ErasedWorkload::new(move |rng, inputs| inputs.append(&mut make(rng))))
    }

    /// Runs `hook` for each call after the batch, in the order of the calls and outside the timed loop. It gets the input
    /// as the call left it.
    pub fn after_call(mut self, hook: impl FnMut(&mut I) + 'static) -> Self {
        self.0.after_call = Some(Box::new(hook));
        self
    }

    /// Runs `hook` once, when the workload is closed. It does not run if the suite's process is killed.
    pub fn after_all(mut self, hook: impl FnOnce() + 'static) -> Self {
        self.0.after_all = Some(Box::new(hook));
        self
    }
}

impl<I: Sync + 'static> Contended<I> {
    /// Creates a workload from the number of threads, at least 1, and a closure that creates one input. Use only the given random numbers, so
    /// that every function and every run gets the same inputs.
    ///
    /// A point fails, with a message, if there are more threads than cores that the suite can use.
    pub fn new(threads: usize, mut make: impl FnMut(&mut Rng) -> I + 'static) -> Self {
        let workload = ErasedWorkload::new(move |rng, inputs| inputs.push(make(rng)));
        Self(ErasedWorkload { threads, is_contended: true, ..workload })
    }
}

/// Appends a round of inputs.
pub(crate) type MakeRound<I> = Box<dyn FnMut(&mut Rng, &mut Vec<I>)>;

/// Runs after a call, on its input.
pub(crate) type Hook<I> = Box<dyn FnMut(&mut I)>;

/// A workload of any mode.
pub struct ErasedWorkload<I> {
    /// Appends a round of inputs: a single one, except for [`Calls`].
    pub(crate) make_round: MakeRound<I>,
    pub(crate) after_call: Option<Hook<I>>,
    pub(crate) after_all: Option<Box<dyn FnOnce()>>,
    pub(crate) one_call_per_batch: bool,
    /// Whether all calls share one input, in all input sets.
    pub(crate) single_input: bool,
    /// Whether threads share the input, even if there is only one thread.
    pub(crate) is_contended: bool,
    /// The number of threads that make the calls at once.
    pub(crate) threads: usize,
    pub(crate) throughput: Throughput,
}

impl<I> ErasedWorkload<I> {
    fn new(make_round: impl FnMut(&mut Rng, &mut Vec<I>) + 'static) -> Self {
        Self {
            make_round: Box::new(make_round),
            after_call: None,
            after_all: None,
            one_call_per_batch: false,
            single_input: false,
            is_contended: false,
            threads: 1,
            throughput: Throughput::default(),
        }
    }
}

/// The return types of generators: [`Fresh`], [`Owned`], [`Shared`], [`Calls`] and [`Contended`].
#[diagnostic::on_unimplemented(
    message = "a generator cannot return `{Self}`",
    label = "return `Fresh<I>`, `Owned<I>`, `Shared<I>`, `Calls<I>` or `Contended<I>`, where `I` is the input of one call",
    note = "`Fresh` makes an input for each call, `Owned` passes it by value, `Shared` reuses a few, `Calls` holds several prepared calls, threads share that of `Contended`"
)]
pub trait Workload: 'static {
    /// The input of one call; a tuple for functions with several parameters.
    type Input: 'static;
    /// How calls share inputs.
    const MODE: Mode;
    /// Erases the mode.
    fn erase(self) -> ErasedWorkload<Self::Input>;
}

/// A workload that can provide the inputs of functions with the access `A`: `Borrows`, `Mutates` or `Contends`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not fit the way this function takes its input",
    label = "a function that takes `&mut` needs `Fresh<…>`, which makes an input for each call; the option `threads` needs `Contended<…>`, and the reverse"
)]
pub trait Serves<A> {}

impl<I: 'static, M> Serves<Borrows<M>> for Fresh<I> {}
impl<I: 'static, M> Serves<Mutates<M>> for Fresh<I> {}
impl<I: 'static, A: Consumes> Serves<A> for Owned<I> {}
impl<I: 'static, M> Serves<Borrows<M>> for Shared<I> {}
impl<I: 'static, M> Serves<Borrows<M>> for Calls<I> {}
impl<I: 'static, M> Serves<Mutates<M>> for Calls<I> {}

impl<I: Sync + 'static, M> Serves<Contends<M>> for Contended<I> {}

impl<I: 'static> Workload for Fresh<I> {
    type Input = I;
    const MODE: Mode = Mode::Fresh;
    fn erase(self) -> ErasedWorkload<I> {
        self.0
    }
}

impl<I: 'static> Workload for Owned<I> {
    type Input = OwnedInput<I>;
    const MODE: Mode = Mode::Fresh;
    fn erase(self) -> ErasedWorkload<OwnedInput<I>> {
        self.0
    }
}

impl<I: 'static> Workload for Shared<I> {
    type Input = I;
    const MODE: Mode = Mode::Shared;
    fn erase(self) -> ErasedWorkload<I> {
        self.0
    }
}

impl<I: 'static> Workload for Calls<I> {
    type Input = I;
    const MODE: Mode = Mode::Calls;
    fn erase(self) -> ErasedWorkload<I> {
        self.0
    }
}

impl<I: Sync + 'static> Workload for Contended<I> {
    type Input = I;
    const MODE: Mode = Mode::Contended;
    fn erase(self) -> ErasedWorkload<I> {
        self.0
    }
}
