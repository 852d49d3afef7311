//! Functions and generators from the author's own macros.

use benchbook::prelude::*;

macro_rules! sorts {
    ($($name:ident, $keys:ty, $result:ty, $body:expr;)+) => {$(
        /// Sorts keys.
        #[measured(generators(keys, $crate::from_macro_rules::nearly_sorted))]
        fn $name(keys: $keys) -> $result {
            ($body)(keys)
        }
    )+};
}

sorts! {
    sort_stable, &mut [u64], (), <[u64]>::sort;
    sort_unstable, &mut Vec<u64>, (), |keys: &mut Vec<u64>| keys.sort_unstable();
    is_sorted, &[u64], bool, <[u64]>::is_sorted;
    reversed, Vec<u64>, Vec<u64>, |keys: Vec<u64>| keys.into_iter().rev().collect::<Vec<_>>();
}

macro_rules! keys {
    ($($name:ident, $title:literal, $size:ty, $low:literal, $high:expr, $default:expr;)+) => {$(
        /// Keys.
        #[generator(name = $title)]
        fn $name(
            _service: &Service,
            /// Number of keys.
            #[parameter(min = $low, max = $high, default = $default, scale = "log")]
            size: $size,
        ) -> Fresh<Vec<u64>> {
            Fresh::new(move |rng| (0..size).map(|_| rng.random()).collect())
        }
    )+};
}

keys! {
    keys, "Keys", u32, 1, 9, 1..=9;
    nearly_sorted, "Nearly sorted keys", usize, 1, (100), 1..=(9);
}
