//! What names a benchmark.

use std::fmt;

/// The name of a benchmark: a function, a parameter, or both.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BenchmarkId {
    pub(crate) function: Option<String>,
    pub(crate) parameter: Option<String>,
}

impl BenchmarkId {
    /// A function and a parameter.
    pub fn new(function: impl Into<String>, parameter: impl fmt::Display) -> Self {
        Self { function: Some(function.into()), parameter: Some(parameter.to_string()) }
    }

    /// A parameter of the function that the group is named after.
    pub fn from_parameter(parameter: impl fmt::Display) -> Self {
        Self { function: None, parameter: Some(parameter.to_string()) }
    }
}

/// What names a benchmark: a text, or a [`BenchmarkId`].
pub trait IntoBenchmarkId {
    /// Returns the identifier.
    fn into_benchmark_id(self) -> BenchmarkId;
}

impl IntoBenchmarkId for BenchmarkId {
    fn into_benchmark_id(self) -> BenchmarkId {
        self
    }
}

impl<S: Into<String>> IntoBenchmarkId for S {
    fn into_benchmark_id(self) -> BenchmarkId {
        BenchmarkId { function: Some(self.into()), parameter: None }
    }
}
