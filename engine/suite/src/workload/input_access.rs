//! How calls access their inputs: which input each call gets, and how each parameter is passed (by `&`, by `&mut`, or by
//! value as a clone). `owned_input` adds inputs that are passed by value themselves.
//!
//! `#[measured]` chooses a mode for each parameter. A function with one parameter gets the input itself, a function with
//! several gets the elements of a tuple.
//!
//! The empty loop passes the same arguments, but only the bits of those that a call would consume, so that it consumes
//! nothing.

use std::cell::Cell;
use std::iter::from_fn;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

use crate::bits::bits;

/// Passes `&T`.
pub struct ByRef;
/// Passes `&mut T`.
pub struct ByMut;
/// Passes a clone that was created before the batch.
pub struct ByValue;

/// How one parameter is passed from a `T`.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be passed by value: each call takes a clone of the input",
    label = "derive `Clone` for `{T}`, let the function take `&` or `&mut`, or let the generator return `Owned<…>`"
)]
pub trait PassMode<T: 'static> {
    /// Whether a call consumes its input, so that no other call can use it.
    const CONSUMES_INPUT: bool = false;
    /// The value created before the batch; `()` unless the parameter takes its argument by value.
    type OwnedArgs;
    /// The argument.
    type Argument<'i>;
    /// The argument, or a copy of its bits if a call would consume it.
    type Bits<'i>;
    /// Creates the value to pass.
    fn owned_args(input: &T) -> Self::OwnedArgs;
    /// Returns the argument from an input that belongs to this call.
    fn borrow_mut<'i>(input: &'i mut T, owned: Self::OwnedArgs) -> Self::Argument<'i>;
    /// Like [`Self::borrow_mut`], without consuming the owned value.
    fn borrow_mut_bits<'i>(input: &'i mut T, owned: &Self::OwnedArgs) -> Self::Bits<'i>;
}

/// A mode that does not modify the input.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be passed by value: each call takes a clone of the input",
    label = "derive `Clone` for `{T}`, let the function take `&` or `&mut`, or let the generator return `Owned<…>`"
)]
pub trait BorrowMode<T: 'static>: PassMode<T> {
    /// Returns the argument from a shared input.
    fn borrow<'i>(input: &'i T, owned: Self::OwnedArgs) -> Self::Argument<'i>;
    /// Like [`Self::borrow`], without consuming the owned value.
    fn borrow_bits<'i>(input: &'i T, owned: &Self::OwnedArgs) -> Self::Bits<'i>;
}

impl<T: 'static> PassMode<T> for ByRef {
    type OwnedArgs = ();
    type Argument<'i> = &'i T;
    type Bits<'i> = &'i T;
    #[inline(always)]
    fn owned_args(_input: &T) {}
    #[inline(always)]
    fn borrow_mut(input: &mut T, _owned: ()) -> &T {
        input
    }
    #[inline(always)]
    fn borrow_mut_bits<'i>(input: &'i mut T, _owned: &()) -> &'i T {
        input
    }
}

impl<T: 'static> BorrowMode<T> for ByRef {
    #[inline(always)]
    fn borrow(input: &T, _owned: ()) -> &T {
        input
    }
    #[inline(always)]
    fn borrow_bits<'i>(input: &'i T, _owned: &()) -> &'i T {
        input
    }
}

impl<T: 'static> PassMode<T> for ByMut {
    type OwnedArgs = ();
    type Argument<'i> = &'i mut T;
    type Bits<'i> = &'i mut T;
    #[inline(always)]
    fn owned_args(_input: &T) {}
    #[inline(always)]
    fn borrow_mut(input: &mut T, _owned: ()) -> &mut T {
        input
    }
    #[inline(always)]
    fn borrow_mut_bits<'i>(input: &'i mut T, _owned: &()) -> &'i mut T {
        input
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clone + 'static> PassMode<T> for ByValue {
    type OwnedArgs = T;
    type Argument<'i> = T;
    type Bits<'i> = MaybeUninit<T>;
    #[inline(always)]
    fn owned_args(input: &T) -> T {
        input.clone()
    }
    #[inline(always)]
    fn borrow_mut(_input: &mut T, owned: T) -> T {
        owned
    }
    #[inline(always)]
    fn borrow_mut_bits(_input: &mut T, owned: &T) -> MaybeUninit<T> {
        bits(owned)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clone + 'static> BorrowMode<T> for ByValue {
    #[inline(always)]
    fn borrow(_input: &T, owned: T) -> T {
        owned
    }
    #[inline(always)]
    fn borrow_bits(_input: &T, owned: &T) -> MaybeUninit<T> {
        bits(owned)
    }
}

/// How all parameters of a function are passed from an input `I`.
#[diagnostic::on_unimplemented(
    message = "the input `{I}` does not fit a function with this many parameters",
    label = "a function with several parameters needs a tuple with an element for each; a single parameter takes the input itself",
    note = "change the `I` of the generator's `Fresh<I>`, `Owned<I>`, `Shared<I>` or `Calls<I>`"
)]
pub trait PassModes<I: 'static> {
    /// Whether a call consumes its input, so that no other call can use it.
    const CONSUMES_INPUT: bool = false;
    /// The values of one call that are created before the batch.
    type OwnedArgs;
    /// The arguments as a tuple.
    type Arguments<'i>;
    /// The arguments, with a copy of the bits of those that a call would consume.
    type Bits<'i>;
    /// Creates the values to pass.
    fn owned_args(input: &I) -> Self::OwnedArgs;
    /// Returns the arguments from an input that belongs to this call.
    fn borrow_mut<'i>(input: &'i mut I, owned: Self::OwnedArgs) -> Self::Arguments<'i>;
    /// Like [`Self::borrow_mut`], without consuming the owned values.
    fn borrow_mut_bits<'i>(input: &'i mut I, owned: &Self::OwnedArgs) -> Self::Bits<'i>;
}

/// Modes that do not modify the input.
#[diagnostic::on_unimplemented(
    message = "the input `{I}` does not fit a function with this many parameters",
    label = "a function with several parameters needs a tuple with an element for each; a single parameter takes the input itself",
    note = "change the `I` of the generator's `Fresh<I>`, `Owned<I>`, `Shared<I>` or `Calls<I>`"
)]
pub trait BorrowModes<I: 'static>: PassModes<I> {
    /// Returns the arguments from a shared input.
    fn borrow<'i>(input: &'i I, owned: Self::OwnedArgs) -> Self::Arguments<'i>;
    /// Like [`Self::borrow`], without consuming the owned values.
    fn borrow_bits<'i>(input: &'i I, owned: &Self::OwnedArgs) -> Self::Bits<'i>;
}

impl PassModes<()> for () {
    type OwnedArgs = ();
    type Arguments<'i> = ();
    type Bits<'i> = ();
    #[inline(always)]
    fn owned_args(_input: &()) {}
    #[inline(always)]
    fn borrow_mut(_input: &mut (), _owned: ()) {}
    #[inline(always)]
    fn borrow_mut_bits(_input: &mut (), _owned: &()) {}
}

impl BorrowModes<()> for () {
    #[inline(always)]
    fn borrow(_input: &(), _owned: ()) {}
    #[inline(always)]
    fn borrow_bits(_input: &(), _owned: &()) {}
}

impl<I: 'static, M: PassMode<I>> PassModes<I> for (M,) {
    const CONSUMES_INPUT: bool = M::CONSUMES_INPUT;
    type OwnedArgs = M::OwnedArgs;
    type Arguments<'i> = (M::Argument<'i>,);
    type Bits<'i> = (M::Bits<'i>,);
    #[inline(always)]
    fn owned_args(input: &I) -> Self::OwnedArgs {
        M::owned_args(input)
    }
    #[inline(always)]
    fn borrow_mut<'i>(input: &'i mut I, owned: Self::OwnedArgs) -> Self::Arguments<'i> {
        (M::borrow_mut(input, owned),)
    }
    #[inline(always)]
    fn borrow_mut_bits<'i>(input: &'i mut I, owned: &Self::OwnedArgs) -> Self::Bits<'i> {
        (M::borrow_mut_bits(input, owned),)
    }
}

impl<I: 'static, M: BorrowMode<I>> BorrowModes<I> for (M,) {
    #[inline(always)]
    fn borrow<'i>(input: &'i I, owned: Self::OwnedArgs) -> Self::Arguments<'i> {
        (M::borrow(input, owned),)
    }
    #[inline(always)]
    fn borrow_bits<'i>(input: &'i I, owned: &Self::OwnedArgs) -> Self::Bits<'i> {
        (M::borrow_bits(input, owned),)
    }
}

macro_rules! modes_of_tuples {
    ($(($($mode:ident $element:ident $index:tt),+))+) => {$(
        impl<$($element: 'static, $mode: PassMode<$element>),+> PassModes<($($element,)+)> for ($($mode,)+) {
            type OwnedArgs = ($($mode::OwnedArgs,)+);
            type Arguments<'i> = ($($mode::Argument<'i>,)+);
            type Bits<'i> = ($($mode::Bits<'i>,)+);
            #[inline(always)]
            fn owned_args(input: &($($element,)+)) -> Self::OwnedArgs {
                ($($mode::owned_args(&input.$index),)+)
            }
            #[inline(always)]
            fn borrow_mut<'i>(input: &'i mut ($($element,)+), owned: Self::OwnedArgs) -> Self::Arguments<'i> {
                ($($mode::borrow_mut(&mut input.$index, owned.$index),)+)
            }
            #[inline(always)]
            fn borrow_mut_bits<'i>(input: &'i mut ($($element,)+), owned: &Self::OwnedArgs) -> Self::Bits<'i> {
                ($($mode::borrow_mut_bits(&mut input.$index, &owned.$index),)+)
            }
        }

        impl<$($element: 'static, $mode: BorrowMode<$element>),+> BorrowModes<($($element,)+)> for ($($mode,)+) {
            #[inline(always)]
            fn borrow<'i>(input: &'i ($($element,)+), owned: Self::OwnedArgs) -> Self::Arguments<'i> {
                ($($mode::borrow(&input.$index, owned.$index),)+)
            }
            #[inline(always)]
            fn borrow_bits<'i>(input: &'i ($($element,)+), owned: &Self::OwnedArgs) -> Self::Bits<'i> {
                ($($mode::borrow_bits(&input.$index, &owned.$index),)+)
            }
        }
    )+};
}

// Up to eight parameters: clippy warns about more than seven.
modes_of_tuples! {
    (MA A 0, MB B 1)
    (MA A 0, MB B 1, MC C 2)
    (MA A 0, MB B 1, MC C 2, MD D 3)
    (MA A 0, MB B 1, MC C 2, MD D 3, ME E 4)
    (MA A 0, MB B 1, MC C 2, MD D 3, ME E 4, MF F 5)
    (MA A 0, MB B 1, MC C 2, MD D 3, ME E 4, MF F 5, MG G 6)
    (MA A 0, MB B 1, MC C 2, MD D 3, ME E 4, MF F 5, MG G 6, MH H 7)
}

/// The function does not modify inputs: calls cycle over a few, unless they consume them.
pub struct Borrows<M>(PhantomData<M>);
/// Several threads make their calls at the same time, and share the input.
pub struct Contends<M>(PhantomData<M>);
/// The function modifies its input: each call has its own.
pub struct Mutates<M>(PhantomData<M>);

/// How the calls of a batch access its inputs.
pub trait Access<I: 'static>: 'static {
    /// How the parameters are passed.
    type PassModes: PassModes<I>;
    /// Whether each call needs its own input.
    const OWN_INPUTS: bool;
    /// Returns the arguments of `owned_args.len()` calls. If calls share inputs, the first call gets the input `first`.
    fn arguments<'i>(
        inputs: &'i mut [I],
        first: usize,
        owned_args: &mut Vec<Cell<<Self::PassModes as PassModes<I>>::OwnedArgs>>,
    ) -> impl Iterator<Item = <Self::PassModes as PassModes<I>>::Arguments<'i>>;
    /// Like [`Self::arguments`], without consuming `owned_args`.
    fn bits<'i>(
        inputs: &'i mut [I],
        first: usize,
        owned_args: &mut [Cell<<Self::PassModes as PassModes<I>>::OwnedArgs>],
    ) -> impl Iterator<Item = <Self::PassModes as PassModes<I>>::Bits<'i>>;
}

/// Cycles over the inputs, starting with `first`.
#[inline(always)]
fn cycle_from<I>(inputs: &[I], first: usize) -> impl Iterator<Item = &I> {
    let mut cycle = inputs.iter().cycle();
    for _ in 0..first % inputs.len() {
        cycle.next();
    }
    cycle
}

/// The arguments of `owned_args.len()` calls that share inputs. The first call gets the input `first`.
#[inline(always)]
pub(crate) fn borrowed<'i, I: 'static, M: BorrowModes<I>>(
    inputs: &'i [I],
    first: usize,
    owned_args: &mut Vec<Cell<M::OwnedArgs>>,
) -> impl Iterator<Item = M::Arguments<'i>> {
    owned_args.drain(..).zip(cycle_from(inputs, first)).map(|(owned, input)| M::borrow(input, owned.into_inner()))
}

/// As [`borrowed`], without consuming `owned_args`.
#[inline(always)]
pub(crate) fn borrowed_bits<'i, I: 'static, M: BorrowModes<I>>(
    inputs: &'i [I],
    first: usize,
    owned_args: &mut [Cell<M::OwnedArgs>],
) -> impl Iterator<Item = M::Bits<'i>> {
    owned_args.iter_mut().zip(cycle_from(inputs, first)).map(|(owned, input)| M::borrow_bits(input, owned.get_mut()))
}

macro_rules! borrowing_access {
    ($($access:ident)+) => {$(
        impl<I: 'static, M: BorrowModes<I> + 'static> Access<I> for $access<M> {
            type PassModes = M;
            const OWN_INPUTS: bool = M::CONSUMES_INPUT;
            #[inline(always)]
            fn arguments<'i>(
                inputs: &'i mut [I],
                first: usize,
                owned_args: &mut Vec<Cell<M::OwnedArgs>>,
            ) -> impl Iterator<Item = M::Arguments<'i>> {
                borrowed::<I, M>(inputs, first, owned_args)
            }
            #[inline(always)]
            fn bits<'i>(
                inputs: &'i mut [I],
                first: usize,
                owned_args: &mut [Cell<M::OwnedArgs>],
            ) -> impl Iterator<Item = M::Bits<'i>> {
                borrowed_bits::<I, M>(inputs, first, owned_args)
            }
        }
    )+};
}

borrowing_access! { Borrows Contends }

impl<I: 'static, M: PassModes<I> + 'static> Access<I> for Mutates<M> {
    type PassModes = M;
    const OWN_INPUTS: bool = true;
    #[inline(always)]
    fn arguments<'i>(
        inputs: &'i mut [I],
        _first: usize,
        owned_args: &mut Vec<Cell<M::OwnedArgs>>,
    ) -> impl Iterator<Item = M::Arguments<'i>> {
        owned_args.drain(..).zip(inputs).map(|(owned, input)| M::borrow_mut(input, owned.into_inner()))
    }
    #[inline(always)]
    fn bits<'i>(
        inputs: &'i mut [I],
        _first: usize,
        owned_args: &mut [Cell<M::OwnedArgs>],
    ) -> impl Iterator<Item = M::Bits<'i>> {
        // `from_fn` advances the iterator separately, as `drain` does above. Zipping two slices would use a common index,
        // which is another loop.
        let mut owned_args = owned_args.iter_mut();
        from_fn(move || owned_args.next()).zip(inputs).map(|(owned, input)| M::borrow_mut_bits(input, owned.get_mut()))
    }
}
