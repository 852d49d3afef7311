//! The user's settings apart from a generator's parameters: the options of the measurement, and the presentation of results.

pub(crate) mod measuring_options;
pub(crate) mod number_input;
pub(crate) mod presentation;
