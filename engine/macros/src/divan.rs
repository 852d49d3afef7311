//! The attributes of `benchbook-divan`.

pub(crate) mod bench;
pub(crate) mod group;
mod instances;
mod options;
