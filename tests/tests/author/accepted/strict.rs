//! The generated code passes the lints that an author may enable.

#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![deny(warnings)]
#![deny(nonstandard_style, future_incompatible, rust_2018_idioms, let_underscore)]
#![deny(
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    missing_copy_implementations,
    missing_debug_implementations,
    non_ascii_idents,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unused_extern_crates,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]

use benchbook::prelude::*;

/// How keys are spread.
#[derive(Clone, Copy, Debug, Choice)]
pub enum Spread {
    /// Each as likely as any other.
    Random,
}

/// Sorts the keys.
#[measured(generators(keys, crate::inputs::nearly_sorted))]
pub fn sort(keys: &mut Vec<f64>) {
    keys.sort_by(f64::total_cmp);
}

/// Whether the keys are sorted.
#[must_use]
#[measured(native, generators(keys, self::inputs::nearly_sorted), alternatives = "sorted")]
pub fn is_sorted(keys: &[f64]) -> bool {
    keys.is_sorted()
}

/// Keys.
#[generator(name = "Keys")]
pub fn keys(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 1, max = 9, default = 1..=9)]
    size: u32,
    /// How large they are.
    #[parameter(min = 1, max = 9, default = 1, unit = "keys")]
    scale: f64,
    /// How they are spread.
    #[parameter(default = "Random")]
    _spread: Spread,
    /// Whether they are sorted.
    #[parameter(default = false)]
    _sorted: bool,
    /// What they are called.
    #[parameter(default = "")]
    _name: String,
) -> Fresh<Vec<f64>> {
    Fresh::new(move |_| (0..size).map(|key| f64::from(key) * scale).collect())
}

/// Inputs.
pub mod inputs {
    use super::*;

    /// Nearly sorted keys.
    #[generator(name = "Nearly sorted keys")]
    pub fn nearly_sorted(
        service: &Service,
        /// Number of keys.
        #[parameter(min = 1, max = 9, default = 1..=9)]
        size: usize,
    ) -> Fresh<Vec<f64>> {
        let first = f64::from(service.priority());
        Fresh::new(move |_| vec![first; size])
    }
}

benchbook::suite!("strict", memory_bound = 64 << 20);
