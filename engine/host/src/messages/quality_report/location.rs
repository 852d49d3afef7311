//! The location of a cause: the functions and the axis values, as text.

use std::collections::BTreeSet;

use benchbook_contract::axis_value::AxisValue;

use super::curve::ReportedCurve;
use crate::axis::distinct_values;
use crate::messages::lists::{listed, with_unit};
use crate::response::MachineKind;
use crate::units::axis_value;

/// The point of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PointIndex {
    pub(super) curve: usize,
    /// The index of the point among those of its curve.
    pub(super) point: usize,
}

/// The functions and the axis values of a report.
pub(super) struct ReportLayout<'a> {
    names: Vec<&'a str>,
    values: Vec<&'a AxisValue>,
    /// For each curve, the index of the axis value of each point.
    indices: Vec<Vec<usize>>,
    unit: &'a str,
    machine: MachineKind,
}

/// The most functions or axis values that a text lists.
const MAX_LISTED: usize = 3;

impl<'a> ReportLayout<'a> {
    pub(super) fn of(curves: &[ReportedCurve<'a>], unit: &'a str, machine: MachineKind) -> Self {
        let values = distinct_values(curves.iter().flat_map(|curve| &curve.points).map(|point| point.x));
        let index_of = |x: &AxisValue| values.iter().position(|value| *value == x).unwrap_or_default();
        let indices = curves.iter().map(|curve| curve.points.iter().map(|point| index_of(point.x)).collect()).collect();
        Self { names: curves.iter().map(|curve| curve.name).collect(), values, indices, unit, machine }
    }

    /// What to do about other programs, then `next`. A native machine may be shared: the reader cannot close programs there.
    pub(super) fn with_less_load(&self, next: &str) -> String {
        match self.machine {
            MachineKind::Browser => format!("Close other programs, {next}."),
            MachineKind::Native => format!("Wait until the machine is less busy, {next}."),
        }
    }

    /// The number of points.
    pub(super) fn points(&self) -> usize {
        self.indices.iter().map(Vec::len).sum()
    }

    /// Whether the axis values are numbers.
    fn is_ordered(&self) -> bool {
        self.values.iter().all(|value| value.number().is_some())
    }

    /// The location of some points, such as `sort_stable: 100 to 1 000 keys`; empty for the only point.
    pub(super) fn text(&self, points: &BTreeSet<PointIndex>) -> String {
        if points.len() == self.points() {
            return if points.len() == 1 { String::new() } else { "All points".to_owned() };
        }
        match (self.functions(points), self.values(points)) {
            (Some(functions), Some(values)) => format!("{functions}: {values}"),
            (Some(functions), None) => functions,
            (None, Some(values)) => values,
            (None, None) => "All points".to_owned(),
        }
    }

    /// Like [`Self::text`], but names only the end of a range that starts with the first axis value, for points of all functions: `Up
    /// to 1 000 keys`.
    pub(super) fn up_to(&self, points: &BTreeSet<PointIndex>) -> String {
        let greatest = |curve: usize| {
            let own = points.iter().filter(|point| point.curve == curve);
            let indices: BTreeSet<usize> = own.map(|point| self.indices[curve][point.point]).collect();
            let last = *indices.last()?;
            (indices.len() == last + 1).then_some(last)
        };
        let ends: BTreeSet<Option<usize>> = (0..self.names.len()).map(greatest).collect();
        match ends.first() {
            Some(Some(last)) if self.is_ordered() && ends.len() == 1 && last + 1 < self.values.len() => {
                format!("Up to {}", with_unit(&axis_value(self.values[*last]), self.unit))
            }
            _ => self.text(points),
        }
    }

    /// The functions of some points; `None` if there is only one.
    fn functions(&self, points: &BTreeSet<PointIndex>) -> Option<String> {
        if self.names.len() < 2 {
            return None;
        }
        let count = |curve: usize| points.iter().filter(|point| point.curve == curve).count();
        let affected: Vec<usize> = (0..self.names.len()).filter(|curve| count(*curve) > 0).collect();
        let most = affected.iter().copied().max_by_key(|curve| count(*curve))?;
        // Two thirds.
        if affected.len() > 1 && 3 * count(most) >= 2 * points.len() {
            return Some(format!("Mostly {}", self.names[most]));
        }
        if affected.len() == self.names.len() {
            return Some("All functions".to_owned());
        }
        Some(listed(affected.iter().map(|curve| self.names[*curve].to_owned()).collect()))
    }

    /// The axis values of some points; `None` if these are all of them.
    fn values(&self, points: &BTreeSet<PointIndex>) -> Option<String> {
        let affected: BTreeSet<usize> = points.iter().map(|point| self.indices[point.curve][point.point]).collect();
        let (first, last) = (*affected.first()?, *affected.last()?);
        if affected.len() == self.values.len() {
            return None;
        }
        let text = |index: usize| axis_value(self.values[index]);
        let is_gapless = last - first + 1 == affected.len();
        let texts = match affected.len() {
            ..=2 => listed(affected.into_iter().map(text).collect()),
            _ if is_gapless && self.is_ordered() => format!("{} to {}", text(first), text(last)),
            MAX_LISTED => listed(affected.into_iter().map(text).collect()),
            many => return Some(format!("{many} of {} values", self.values.len())),
        };
        Some(with_unit(&texts, self.unit))
    }
}
