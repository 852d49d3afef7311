//! The samples of one point: in the order taken, and how they are spread.

mod centre;
pub(super) mod histogram;
pub(super) mod in_order;

pub use centre::Centre;
pub use histogram::{Histogram, Holds};
pub use in_order::InOrder;

use super::model::{AxisSpec, Unit};
use super::scale::Scale;

/// The axis of the samples' times.
fn times(scale: Scale) -> AxisSpec {
    AxisSpec { title: "Time a call".to_owned(), unit: Unit::Nanoseconds, scale, range: None }
}

/// An axis on which whole things are counted.
fn counted(title: &str, scale: Scale) -> AxisSpec {
    AxisSpec { title: title.to_owned(), unit: Unit::Count, scale, range: None }
}
