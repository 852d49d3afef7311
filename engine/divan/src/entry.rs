//! What the attributes register, and how the generated code passes arguments.

use std::any::Any;
use std::borrow::Cow;
use std::fmt::{Debug, Display};
use std::sync::{Arc, OnceLock};

use benchbook_suite::__private::inventory;

use crate::bencher::{BenchContext, Bencher};
use crate::options::BenchOptions;

/// A benchmark, as `#[divan::bench]` registers it.
pub struct BenchEntry {
    /// The name of the crate as a suite.
    pub program: &'static str,
    /// The path of the module.
    pub module: &'static str,
    /// The name, without the type of a generic benchmark.
    pub name: &'static str,
    /// The signature as rustfmt formats it.
    pub signature: &'static str,
    /// The doc comment; empty without one.
    pub docs: &'static str,
    /// The signature and the body as their author wrote them; empty for generated code.
    pub source: &'static str,
    /// The source file.
    pub file: &'static str,
    /// The line of the attribute.
    pub line: u32,
    /// The version of the crate.
    pub version: &'static str,
    /// Whether the crate is a program, rather than a library.
    pub is_in_program: bool,
    /// The name of the constant parameter; empty without one.
    pub constant: &'static str,
    /// The name of the argument; empty without one.
    pub argument: &'static str,
    /// The options of the attribute.
    pub options: fn() -> BenchOptions,
    /// The function, for each type and each constant. A function that is not generic has one instance.
    pub instances: &'static [BenchInstance],
}

inventory::collect!(BenchEntry);

/// A group, as `#[divan::bench_group]` registers it.
pub struct GroupEntry {
    /// The path of the module.
    pub module: &'static str,
    /// The name, if it differs from that of the module.
    pub name: Option<&'static str>,
    /// The options of the attribute.
    pub options: fn() -> BenchOptions,
}

inventory::collect!(GroupEntry);

/// A function with a type and a constant.
pub struct BenchInstance {
    /// The type, such as `<u32>`; empty without one.
    pub type_name: &'static str,
    /// The constant; absent without one.
    pub constant: Option<InstanceConstant>,
    /// Lists the arguments, or calls the function with one of them.
    pub visit: fn(Visit<'_>),
}

/// The constant of an instance.
pub struct InstanceConstant {
    /// Whether the list has this constant: the length of a list with a name is not known to the attribute.
    pub is_listed: bool,
    /// Returns the constant as text.
    pub text: fn() -> String,
}

/// Why the generated code of a benchmark is called.
pub struct Visit<'v>(pub(crate) Purpose<'v>);

pub(crate) enum Purpose<'v> {
    /// To list the arguments.
    List(&'v mut Vec<String>),
    /// To call the function, with the argument at this position if its benchmark has a list of them.
    Call { argument: Option<usize>, context: BenchContext<'v> },
}

/// Calls a function without an argument.
pub fn without_argument(visit: Visit<'_>, call: impl FnOnce(Bencher<'_, '_>)) {
    if let Purpose::Call { mut context, .. } = visit.0 {
        call(Bencher::new(&mut context));
    }
}

/// Calls a function with an argument of a list, or lists their labels.
pub fn with_argument<A>(
    visit: Visit<'_>,
    list: &'static [A],
    call: impl FnOnce(Bencher<'_, '_>, &'static A),
    label: impl Fn(&'static A) -> String,
) {
    match visit.0 {
        Purpose::List(labels) => labels.extend(list.iter().map(label)),
        Purpose::Call { argument, mut context } => {
            if let Some(found) = list.get(argument.unwrap_or_default()) {
                call(Bencher::new(&mut context), found);
            }
        }
    }
}

/// The arguments of a benchmark, which are created once.
pub struct ArgumentList(OnceLock<Box<dyn Any + Send + Sync>>);

impl ArgumentList {
    /// Creates an empty cell.
    #[expect(clippy::new_without_default, reason = "a static variable needs a constant function")]
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Returns the arguments. The first call creates them.
    pub fn get<L>(&'static self, list: impl FnOnce() -> L) -> &'static [L::Item]
    where
        L: IntoIterator<Item: Any + Send + Sync>,
    {
        let list = self.0.get_or_init(|| Box::new(list().into_iter().collect::<Vec<L::Item>>()));
        list.downcast_ref::<Vec<L::Item>>().expect("all calls have the same list")
    }
}

/// The text of an argument, which is `Display`, or else `Debug`.
pub struct Label<'a, A: ?Sized>(pub &'a A);

/// Method calls prefer this trait to [`DebugLabel`], which is implemented for a reference.
pub trait DisplayLabel {
    /// Returns the text.
    fn label(&self) -> String;
}

impl<A: Display + ?Sized> DisplayLabel for Label<'_, A> {
    fn label(&self) -> String {
        self.0.to_string()
    }
}

/// The text of arguments that are not `Display`.
pub trait DebugLabel {
    /// Returns the text.
    fn label(&self) -> String;
}

impl<A: Debug + ?Sized> DebugLabel for &Label<'_, A> {
    fn label(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// An item of a list that a function takes as `P`: by value if it is `Copy`, by reference, or as `&str`.
#[diagnostic::on_unimplemented(
    message = "the benchmark takes `{P}`, but the items of `args` are `{Self}`",
    label = "take the type of the items if it is `Copy`, or a reference to it"
)]
pub trait PassAs<P> {
    /// Returns the argument.
    fn pass(&'static self) -> P;
}

impl<T: Copy> PassAs<T> for T {
    fn pass(&'static self) -> T {
        *self
    }
}

impl<T> PassAs<&'static T> for T {
    fn pass(&'static self) -> &'static T {
        self
    }
}

impl<T: Copy> PassAs<T> for &'static T {
    fn pass(&'static self) -> T {
        **self
    }
}

macro_rules! pass_as_str {
    ($($text:ty),*) => {
        $(
            impl PassAs<&'static str> for $text {
                fn pass(&'static self) -> &'static str {
                    self
                }
            }

            impl PassAs<&'static str> for &'static $text {
                fn pass(&'static self) -> &'static str {
                    self
                }
            }
        )*
    };
}

pass_as_str!(String, Box<str>, Arc<str>, Cow<'static, str>);

/// Returns the argument for an item of a list.
#[inline(always)]
pub fn pass<A: PassAs<P>, P>(item: &'static A) -> P {
    item.pass()
}

/// The constant of a list at an index; beyond its end, the first one.
pub const fn constant_at<T: Copy>(list: &[T], index: usize) -> T {
    list[if index < list.len() { index } else { 0 }]
}

/// Whether a list has a constant at an index.
///
/// # Panics
/// If it has more than `max` constants, which is a compile error in the generated code.
pub const fn has_constant_at<T>(list: &[T], index: usize, max: usize) -> bool {
    assert!(
        list.len() <= max,
        "this list of constants is too long: write it into the attribute, such as consts = [1, 8]"
    );
    index < list.len()
}
