//! Two functions measured together, for tests.

use benchbook_host::analyze::crossover::Crossover;
use benchbook_host::comparison::RatioAt;

use super::{after, machine};
use crate::state::cell::CellAction;
use crate::state::comparison::FunctionComparison;
use crate::state::shown_trace::ShownTrace;

/// The traces of a measurement of two functions.
pub(crate) fn together() -> Vec<ShownTrace> {
    after([CellAction::AddPartner("sort_stable".to_owned()), CellAction::Started(machine())]).shown()
}

/// The comparison of the second function with the first.
pub(crate) fn comparison_at(ratios: &[RatioAt], crossovers: Vec<Crossover>) -> FunctionComparison {
    FunctionComparison { ordinal: 1, baseline: 0, ratios: ratios.to_vec(), crossovers }
}
