//! Inputs that calls consume, for types without `Clone`.

use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::mem::MaybeUninit;

use crate::bits::bits;
use crate::workload::input_access::{BorrowMode, BorrowModes, Borrows, ByValue, PassMode, PassModes};

/// An input until its call takes it. It has no `Clone`, so that its pass modes are distinct from those of other inputs.
pub struct OwnedInput<I>(Cell<Option<I>>);

impl<I> OwnedInput<I> {
    pub(crate) fn new(input: I) -> Self {
        Self(Cell::new(Some(input)))
    }

    fn take(&self) -> I {
        self.0.take().expect("each call has its own input")
    }
}

/// A call consumes its input, so no content is left to hash.
impl<I> Hash for OwnedInput<I> {
    fn hash<H: Hasher>(&self, _state: &mut H) {}
}

#[diagnostic::do_not_recommend]
impl<I: 'static> PassMode<OwnedInput<I>> for ByValue {
    const CONSUMES_INPUT: bool = true;
    type OwnedArgs = I;
    type Argument<'i> = I;
    type Bits<'i> = MaybeUninit<I>;
    #[inline(always)]
    fn owned_args(input: &OwnedInput<I>) -> I {
        input.take()
    }
    #[inline(always)]
    fn borrow_mut(_input: &mut OwnedInput<I>, owned: I) -> I {
        owned
    }
    #[inline(always)]
    fn borrow_mut_bits(_input: &mut OwnedInput<I>, owned: &I) -> MaybeUninit<I> {
        bits(owned)
    }
}

#[diagnostic::do_not_recommend]
impl<I: 'static> BorrowMode<OwnedInput<I>> for ByValue {
    #[inline(always)]
    fn borrow(_input: &OwnedInput<I>, owned: I) -> I {
        owned
    }
    #[inline(always)]
    fn borrow_bits(_input: &OwnedInput<I>, owned: &I) -> MaybeUninit<I> {
        bits(owned)
    }
}

/// The accesses of functions that take every parameter by value.
#[diagnostic::on_unimplemented(
    message = "an `Owned` workload serves only functions that take every parameter by value",
    label = "take the input by value, or let this generator return `Fresh<…>`"
)]
pub trait Consumes {}

impl Consumes for Borrows<(ByValue,)> {}

macro_rules! by_value {
    ($(($($element:ident $mode:ident),+))+) => {$(
        impl Consumes for Borrows<($($mode,)+)> {}

        impl<$($element: 'static),+> PassModes<OwnedInput<($($element,)+)>> for ($($mode,)+) {
            const CONSUMES_INPUT: bool = true;
            type OwnedArgs = ($($element,)+);
            type Arguments<'i> = ($($element,)+);
            type Bits<'i> = MaybeUninit<($($element,)+)>;
            #[inline(always)]
            fn owned_args(input: &OwnedInput<($($element,)+)>) -> Self::OwnedArgs {
                input.take()
            }
            #[inline(always)]
            fn borrow_mut(_input: &mut OwnedInput<($($element,)+)>, owned: Self::OwnedArgs) -> Self::OwnedArgs {
                owned
            }
            #[inline(always)]
            fn borrow_mut_bits<'i>(
                _input: &'i mut OwnedInput<($($element,)+)>,
                owned: &Self::OwnedArgs,
            ) -> Self::Bits<'i> {
                bits(owned)
            }
        }

        impl<$($element: 'static),+> BorrowModes<OwnedInput<($($element,)+)>> for ($($mode,)+) {
            #[inline(always)]
            fn borrow(_input: &OwnedInput<($($element,)+)>, owned: Self::OwnedArgs) -> Self::OwnedArgs {
                owned
            }
            #[inline(always)]
            fn borrow_bits<'i>(_input: &'i OwnedInput<($($element,)+)>, owned: &Self::OwnedArgs) -> Self::Bits<'i> {
                bits(owned)
            }
        }
    )+};
}

// Up to eight parameters, as for other inputs.
by_value! {
    (A ByValue, B ByValue)
    (A ByValue, B ByValue, C ByValue)
    (A ByValue, B ByValue, C ByValue, D ByValue)
    (A ByValue, B ByValue, C ByValue, D ByValue, E ByValue)
    (A ByValue, B ByValue, C ByValue, D ByValue, E ByValue, F ByValue)
    (A ByValue, B ByValue, C ByValue, D ByValue, E ByValue, F ByValue, G ByValue)
    (A ByValue, B ByValue, C ByValue, D ByValue, E ByValue, F ByValue, G ByValue, H ByValue)
}
