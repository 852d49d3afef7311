//! What a call processes. Items, or characters without them, are the elements of Benchbook's throughput.

use benchbook_suite::__private::Throughput;

mod counted {
    /// What the counters of a benchmark add up to.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Counted {
        pub items: Option<u64>,
        pub chars: Option<u64>,
        pub bytes: Option<u64>,
        pub cycles: Option<u64>,
    }

    pub trait AddsTo {
        fn of(count: u64) -> Self;
        fn add_to(self, counted: &mut Counted);
    }

    /// Integers that a counter can store.
    pub trait Count {
        fn count(&self) -> u64;
    }
}

pub(crate) use counted::{AddsTo, Count, Counted};

impl Counted {
    /// The counters, with those of `outer` for the kinds that are missing.
    pub(crate) fn or(self, outer: Self) -> Self {
        Self {
            items: self.items.or(outer.items),
            chars: self.chars.or(outer.chars),
            bytes: self.bytes.or(outer.bytes),
            cycles: self.cycles.or(outer.cycles),
        }
    }

    pub(crate) fn throughput(self) -> Throughput {
        // Without any, there is no rate.
        let present = |count: Option<u64>| count.filter(|count| *count > 0);
        Throughput { elements: present(self.items).or(present(self.chars)), bytes: present(self.bytes) }
    }
}

/// A counter.
pub trait Counter: Sized + 'static + AddsTo {}

/// What stands for a counter: a [`Counter`], or an integer, which is a number of items.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a counter",
    label = "write a counter such as `ItemsCount::new(8_u32)`, or an unsigned integer for a number of items"
)]
pub trait IntoCounter {
    /// The type of the counter.
    type Counter: Counter;
    /// Returns the counter.
    fn into_counter(self) -> Self::Counter;
}

impl<C: Counter> IntoCounter for C {
    type Counter = C;
    fn into_counter(self) -> C {
        self
    }
}

impl<C: Count> Count for &C {
    fn count(&self) -> u64 {
        C::count(self)
    }
}

macro_rules! counts {
    ($($integer:ty),*) => {
        $(
            impl Count for $integer {
                fn count(&self) -> u64 {
                    *self as u64
                }
            }

            impl IntoCounter for $integer {
                type Counter = ItemsCount;
                fn into_counter(self) -> ItemsCount {
                    ItemsCount::new(self)
                }
            }
        )*
    };
}

counts!(u8, u16, u32, u64, usize);

macro_rules! counters {
    ($($(#[doc = $docs:literal])* $name:ident: $field:ident;)*) => {
        $(
            $(#[doc = $docs])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
            pub struct $name {
                count: u64,
            }

            impl $name {
                /// The number of them in a call.
                pub fn new(count: impl Count) -> Self {
                    Self { count: count.count() }
                }
            }

            impl<C: Count> From<C> for $name {
                fn from(count: C) -> Self {
                    Self::new(count)
                }
            }

            impl AddsTo for $name {
                fn of(count: u64) -> Self {
                    Self { count }
                }
                fn add_to(self, counted: &mut Counted) {
                    counted.$field = Some(self.count);
                }
            }

            impl Counter for $name {}
        )*
    };
}

counters! {
    /// Bytes per call.
    BytesCount: bytes;
    /// Characters per call.
    CharsCount: chars;
    /// Cycles per call. Without effect: on Linux, Benchbook counts the cycles itself.
    CyclesCount: cycles;
    /// Items per call.
    ItemsCount: items;
}

impl ItemsCount {
    /// The number of items of an iterator.
    pub fn of_iter<T, I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::new(items.into_iter().count())
    }
}

impl CharsCount {
    /// The number of characters of a text.
    pub fn of_str<S: ?Sized + AsRef<str>>(text: &S) -> Self {
        Self::new(text.as_ref().chars().count())
    }
}

impl BytesCount {
    /// The size of a value of this type.
    pub const fn of<T>() -> Self {
        Self { count: size_of::<T>() as u64 }
    }

    /// The size of several values of this type.
    ///
    /// # Panics
    /// If it exceeds `u64`.
    pub const fn of_many<T>(values: usize) -> Self {
        match (size_of::<T>() as u64).checked_mul(values as u64) {
            Some(count) => Self { count },
            None => panic!("the number of bytes exceeds u64"),
        }
    }

    /// The size of a value, without what it refers to.
    pub fn of_val<T: ?Sized>(value: &T) -> Self {
        Self { count: size_of_val(value) as u64 }
    }

    /// The size of the items of an iterator.
    pub fn of_iter<T, I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::of_many::<T>(items.into_iter().count())
    }

    /// The size of a text.
    pub fn of_str<S: ?Sized + AsRef<str>>(text: &S) -> Self {
        Self::of_val(text.as_ref())
    }

    /// The size of the elements of a slice.
    pub fn of_slice<T, S: ?Sized + AsRef<[T]>>(slice: &S) -> Self {
        Self::of_val(slice.as_ref())
    }
}

macro_rules! bytes_of {
    ($($number:ident),*) => {
        impl BytesCount {
            $(
                #[doc = concat!("The size of several values of the type `", stringify!($number), "`.")]
                pub const fn $number(values: usize) -> Self {
                    Self::of_many::<$number>(values)
                }
            )*
        }
    };
}

bytes_of!(f32, f64, i8, u8, i16, u16, i32, u32, i64, u64, i128, u128, isize, usize);

/// How divan prints bytes. Without effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum BytesFormat {
    /// In powers of 1000.
    #[default]
    Decimal,
    /// In powers of 1024.
    Binary,
}

/// The total of a counter.
pub(crate) fn add(counter: impl IntoCounter, counted: &mut Counted) {
    counter.into_counter().add_to(counted);
}
