//! What the user sets apart from a generator's parameters: the precision target, and how results are presented.

pub(crate) mod measuring_options;
pub(crate) mod number_input;
pub(crate) mod presentation;
