//! Workloads: what a generator returns. The type says how inputs are handed out.

use crate::collect::input_access::{Borrows, Mutates};
use benchbook_contract::catalog::Mode;
use benchbook_contract::rng::Rng;

/// An input for each call: serves every function. One that takes only `&` may see an input several times.
///
/// ```
/// # use benchbook_suite::Fresh;
/// # use rand::RngExt;
/// # let size = 3;
/// Fresh::new(move |rng| (0..size).map(|_| rng.random::<u64>()).collect::<Vec<_>>());
/// ```
pub struct Fresh<I>(Prepared<I>);

/// A few inputs that are kept, and remade several times a point: serves functions that take `&` or by value.
pub struct Shared<I>(Prepared<I>);

/// Several prepared calls, such as look-ups of different keys in one map: a batch is whole rounds of them.
///
/// What the calls share goes behind an `Rc`: `Rc<Map>` is lent as `&Map`.
pub struct Calls<I>(Prepared<I>);

impl<I: 'static> Fresh<I> {
    /// A workload that makes one input with each call of `make`.
    pub fn new(mut make: impl FnMut(&mut Rng) -> I + 'static) -> Self {
        Self(Prepared::new(move |rng, inputs| inputs.push(make(rng))))
    }

    /// Runs `hook` after the batch, untimed, once for each call and in order, on what the call left of its input.
    pub fn after_call(mut self, hook: impl FnMut(&mut I) + 'static) -> Self {
        self.0.after_call = Some(Box::new(hook));
        self
    }

    /// Runs `hook` once, when the workload is closed. After a kill it cannot run.
    pub fn after_all(mut self, hook: impl FnOnce() + 'static) -> Self {
        self.0.after_all = Some(Box::new(hook));
        self
    }

    /// Times each call on its own, because calls disturb each other.
    pub fn one_call_a_batch(mut self) -> Self {
        self.0.one_call_a_batch = true;
        self
    }
}

impl<I: 'static> Shared<I> {
    /// A workload that keeps inputs made by `make`.
    pub fn new(mut make: impl FnMut(&mut Rng) -> I + 'static) -> Self {
        Self(Prepared::new(move |rng, inputs| inputs.push(make(rng))))
    }

    /// Runs `hook` after each call, untimed. Calls are then timed one by one, since all share their inputs.
    pub fn after_call(mut self, hook: impl FnMut(&mut I) + 'static) -> Self {
        self.0.after_call = Some(Box::new(hook));
        self.0.one_call_a_batch = true;
        self
    }

    /// Runs `hook` once, when the workload is closed. After a kill it cannot run.
    pub fn after_all(mut self, hook: impl FnOnce() + 'static) -> Self {
        self.0.after_all = Some(Box::new(hook));
        self
    }

    /// Times each call on its own, because calls disturb each other.
    pub fn one_call_a_batch(mut self) -> Self {
        self.0.one_call_a_batch = true;
        self
    }
}

impl<I: 'static> Calls<I> {
    /// A workload of the calls that `make` prepares: one input each, at least one, always as many.
    pub fn new(mut make: impl FnMut(&mut Rng) -> Vec<I> + 'static) -> Self {
        Self(Prepared::new(move |rng, inputs| inputs.append(&mut make(rng))))
    }

    /// Runs `hook` after the batch, untimed, once for each call and in order, on what the call left of its input.
    pub fn after_call(mut self, hook: impl FnMut(&mut I) + 'static) -> Self {
        self.0.after_call = Some(Box::new(hook));
        self
    }

    /// Runs `hook` once, when the workload is closed. After a kill it cannot run.
    pub fn after_all(mut self, hook: impl FnOnce() + 'static) -> Self {
        self.0.after_all = Some(Box::new(hook));
        self
    }
}

/// Appends a round of inputs.
pub(crate) type Make<I> = Box<dyn FnMut(&mut Rng, &mut Vec<I>)>;

/// Runs after a call, on what it left of its input.
pub(crate) type Hook<I> = Box<dyn FnMut(&mut I)>;

/// What all three come to.
pub struct Prepared<I> {
    /// Appends a round of inputs: a single one but for [`Calls`].
    pub(crate) make: Make<I>,
    pub(crate) after_call: Option<Hook<I>>,
    pub(crate) after_all: Option<Box<dyn FnOnce()>>,
    pub(crate) one_call_a_batch: bool,
}

impl<I> Prepared<I> {
    fn new(make: impl FnMut(&mut Rng, &mut Vec<I>) + 'static) -> Self {
        Self { make: Box::new(make), after_call: None, after_all: None, one_call_a_batch: false }
    }
}

/// What a generator may return.
#[diagnostic::on_unimplemented(
    message = "a generator cannot return `{Self}`",
    label = "return `Fresh<I>`, `Shared<I>` or `Calls<I>`, where `I` is the input of one call",
    note = "`Fresh` makes an input for each call, `Shared` reuses a few, `Calls` holds several prepared calls"
)]
pub trait Workload: 'static {
    /// The input of one call; for functions of several parameters a tuple.
    type Input: 'static;
    /// How inputs are handed out.
    const MODE: Mode;
    /// What all modes come to.
    fn into_prepared(self) -> Prepared<Self::Input>;
}

/// Workloads that can serve functions which access their input like `A`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot serve a function that takes `&mut`: other calls use its inputs too",
    label = "let this generator return `Fresh<…>`, which makes an input for each call"
)]
pub trait Serves<A> {}

impl<I: 'static, M> Serves<Borrows<M>> for Fresh<I> {}
impl<I: 'static, M> Serves<Mutates<M>> for Fresh<I> {}
impl<I: 'static, M> Serves<Borrows<M>> for Shared<I> {}
impl<I: 'static, M> Serves<Borrows<M>> for Calls<I> {}
impl<I: 'static, M> Serves<Mutates<M>> for Calls<I> {}

impl<I: 'static> Workload for Fresh<I> {
    type Input = I;
    const MODE: Mode = Mode::Fresh;
    fn into_prepared(self) -> Prepared<I> {
        self.0
    }
}

impl<I: 'static> Workload for Shared<I> {
    type Input = I;
    const MODE: Mode = Mode::Shared;
    fn into_prepared(self) -> Prepared<I> {
        self.0
    }
}

impl<I: 'static> Workload for Calls<I> {
    type Input = I;
    const MODE: Mode = Mode::Calls;
    fn into_prepared(self) -> Prepared<I> {
        self.0
    }
}
