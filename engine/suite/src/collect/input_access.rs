//! How a function's parameters get at an input: by `&`, by `&mut`, or by value, as a clone made before the batch.
//!
//! The attribute names a mode for each parameter. A function of one parameter gets the input, one of several the
//! elements of a tuple.
//!
//! The empty loop passes the same, but of what a call would consume the bits alone: then it consumes nothing.

use std::cell::Cell;
use std::iter::from_fn;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

use crate::entry::bits::bits;

/// Passes `&`.
pub struct ByRef;
/// Passes `&mut`.
pub struct ByMut;
/// Passes a clone made before the batch.
pub struct ByValue;

/// How one parameter gets at a `T`.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be passed by value: each call takes a clone of the input",
    label = "derive `Clone` for `{T}`, or let the function take `&` or `&mut`"
)]
pub trait Mode<T: 'static> {
    /// What is made before the batch.
    type OwnedArgs;
    /// What the function gets.
    type Argument<'i>;
    /// The same, owning nothing.
    type Bits<'i>;
    /// Makes the owned.
    fn owned_args(input: &T) -> Self::OwnedArgs;
    /// Passes from an input that is the call's own.
    fn borrow_mut<'i>(input: &'i mut T, owned: Self::OwnedArgs) -> Self::Argument<'i>;
    /// The same, leaving the owned.
    fn borrow_mut_bits<'i>(input: &'i mut T, owned: &Self::OwnedArgs) -> Self::Bits<'i>;
}

/// A mode that leaves the input as it is.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be passed by value: each call takes a clone of the input",
    label = "derive `Clone` for `{T}`, or let the function take `&` or `&mut`"
)]
pub trait BorrowMode<T: 'static>: Mode<T> {
    /// Passes from an input that other calls see too.
    fn borrow<'i>(input: &'i T, owned: Self::OwnedArgs) -> Self::Argument<'i>;
    /// The same, leaving the owned.
    fn borrow_bits<'i>(input: &'i T, owned: &Self::OwnedArgs) -> Self::Bits<'i>;
}

impl<T: 'static> Mode<T> for ByRef {
    type OwnedArgs = ();
    type Argument<'i> = &'i T;
    type Bits<'i> = &'i T;
    #[inline(always)]
    fn owned_args(_input: &T) {}
    #[inline(always)]
    fn borrow_mut(input: &mut T, _spare: ()) -> &T {
        input
    }
    #[inline(always)]
    fn borrow_mut_bits<'i>(input: &'i mut T, _spare: &()) -> &'i T {
        input
    }
}

impl<T: 'static> BorrowMode<T> for ByRef {
    #[inline(always)]
    fn borrow(input: &T, _spare: ()) -> &T {
        input
    }
    #[inline(always)]
    fn borrow_bits<'i>(input: &'i T, _spare: &()) -> &'i T {
        input
    }
}

impl<T: 'static> Mode<T> for ByMut {
    type OwnedArgs = ();
    type Argument<'i> = &'i mut T;
    type Bits<'i> = &'i mut T;
    #[inline(always)]
    fn owned_args(_input: &T) {}
    #[inline(always)]
    fn borrow_mut(input: &mut T, _spare: ()) -> &mut T {
        input
    }
    #[inline(always)]
    fn borrow_mut_bits<'i>(input: &'i mut T, _spare: &()) -> &'i mut T {
        input
    }
}

#[diagnostic::do_not_recommend]
impl<T: Clone + 'static> Mode<T> for ByValue {
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

/// How all parameters of a function get at an input `I`.
#[diagnostic::on_unimplemented(
    message = "the input `{I}` does not fit a function with this many parameters",
    label = "a function with several parameters needs a tuple with an element for each; a single parameter takes the input itself",
    note = "change the `I` of the generator's `Fresh<I>`, `Shared<I>` or `Calls<I>`"
)]
pub trait Modes<I: 'static> {
    /// What is made before the batch, for each call.
    type OwnedArgs;
    /// What the function gets, as a tuple.
    type Arguments<'i>;
    /// The same, owning nothing.
    type Bits<'i>;
    /// Makes the owned.
    fn owned_args(input: &I) -> Self::OwnedArgs;
    /// Passes from an input that is the call's own.
    fn borrow_mut<'i>(input: &'i mut I, owned: Self::OwnedArgs) -> Self::Arguments<'i>;
    /// The same, leaving the owned.
    fn borrow_mut_bits<'i>(input: &'i mut I, owned: &Self::OwnedArgs) -> Self::Bits<'i>;
}

/// Modes that leave the input as it is.
#[diagnostic::on_unimplemented(
    message = "the input `{I}` does not fit a function with this many parameters",
    label = "a function with several parameters needs a tuple with an element for each; a single parameter takes the input itself",
    note = "change the `I` of the generator's `Fresh<I>`, `Shared<I>` or `Calls<I>`"
)]
pub trait BorrowModes<I: 'static>: Modes<I> {
    /// Passes from an input that other calls see too.
    fn borrow<'i>(input: &'i I, owned: Self::OwnedArgs) -> Self::Arguments<'i>;
    /// The same, leaving the owned.
    fn borrow_bits<'i>(input: &'i I, owned: &Self::OwnedArgs) -> Self::Bits<'i>;
}

impl<I: 'static, M: Mode<I>> Modes<I> for (M,) {
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
        impl<$($element: 'static, $mode: Mode<$element>),+> Modes<($($element,)+)> for ($($mode,)+) {
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

// Eight parameters: clippy's own limit on arguments is seven.
modes_of_tuples! {
    (MA A 0, MB B 1)
    (MA A 0, MB B 1, MC C 2)
    (MA A 0, MB B 1, MC C 2, MD D 3)
    (MA A 0, MB B 1, MC C 2, MD D 3, ME E 4)
    (MA A 0, MB B 1, MC C 2, MD D 3, ME E 4, MF F 5)
    (MA A 0, MB B 1, MC C 2, MD D 3, ME E 4, MF F 5, MG G 6)
    (MA A 0, MB B 1, MC C 2, MD D 3, ME E 4, MF F 5, MG G 6, MH H 7)
}

/// The function leaves inputs as they are: calls cycle over a few.
pub struct Borrows<M>(PhantomData<M>);
/// The function changes its input: each call has its own.
pub struct Mutates<M>(PhantomData<M>);

/// How the calls of a batch go over its inputs.
pub trait Access<I: 'static>: 'static {
    /// How the parameters get at an input.
    type Modes: Modes<I>;
    /// Whether each call needs an input of its own.
    const OWN_INPUTS: bool;
    /// The arguments of each call, `owned_args.len()` of them; where calls share inputs, from the input `first` on.
    fn arguments<'i>(
        inputs: &'i mut [I],
        first: usize,
        owned_args: &mut Vec<Cell<<Self::Modes as Modes<I>>::OwnedArgs>>,
    ) -> impl Iterator<Item = <Self::Modes as Modes<I>>::Arguments<'i>>;
    /// The same, owning nothing and leaving the owned_args.
    fn bits<'i>(
        inputs: &'i mut [I],
        first: usize,
        owned_args: &mut [Cell<<Self::Modes as Modes<I>>::OwnedArgs>],
    ) -> impl Iterator<Item = <Self::Modes as Modes<I>>::Bits<'i>>;
}

/// The inputs in turn, again and again.
#[inline(always)]
fn turns_from<I>(inputs: &[I], first: usize) -> impl Iterator<Item = &I> {
    let mut turns = inputs.iter().cycle();
    for _ in 0..first % inputs.len() {
        turns.next();
    }
    turns
}

impl<I: 'static, M: BorrowModes<I> + 'static> Access<I> for Borrows<M> {
    type Modes = M;
    const OWN_INPUTS: bool = false;
    #[inline(always)]
    fn arguments<'i>(
        inputs: &'i mut [I],
        first: usize,
        owned_args: &mut Vec<Cell<M::OwnedArgs>>,
    ) -> impl Iterator<Item = M::Arguments<'i>> {
        owned_args.drain(..).zip(turns_from(inputs, first)).map(|(owned, input)| M::borrow(input, owned.into_inner()))
    }
    #[inline(always)]
    fn bits<'i>(
        inputs: &'i mut [I],
        first: usize,
        owned_args: &mut [Cell<M::OwnedArgs>],
    ) -> impl Iterator<Item = M::Bits<'i>> {
        owned_args
            .iter_mut()
            .zip(turns_from(inputs, first))
            .map(|(owned, input)| M::borrow_bits(input, owned.get_mut()))
    }
}

impl<I: 'static, M: Modes<I> + 'static> Access<I> for Mutates<M> {
    type Modes = M;
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
        // One by one as they are drained: two slices would be gone over by one index, which is another loop.
        let mut owned_args = owned_args.iter_mut();
        from_fn(move || owned_args.next()).zip(inputs).map(|(owned, input)| M::borrow_mut_bits(input, owned.get_mut()))
    }
}
