//! A profile by function: what each executes for all its callers together.

use std::collections::HashMap;

use serde::Serialize;

use crate::amounts::{Amounts, ProfileMetric};
use crate::frame::{Frame, Place};
use crate::growth::ProfileGrowth;
use crate::names::{package, short_name};
use crate::profile::Profile;

/// A function of a profile. Amounts are totals of the counted calls, by the points of the profile.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProfileRow {
    /// Its name: demangled, without its hash.
    pub name: String,
    /// Its name without the arguments of generics and without the crate of the measured function.
    pub short_name: String,
    /// Its crate, with the version if it is a package of a registry; empty for a symbol that is not Rust's.
    pub package: String,
    /// Its first line that was compiled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Whether the compiler has inlined it somewhere, so that it has more calls than were counted.
    pub is_inlined: bool,
    /// What it executed itself.
    pub own: Vec<Amounts>,
    /// What it executed with all that it called. A recursion counts once.
    pub total: Vec<Amounts>,
    /// How the total of the metric grows with the axis; absent if the points don't tell, and without any amount.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub growth: Option<ProfileGrowth>,
    /// As [`Self::growth`], of what it executed itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub own_growth: Option<ProfileGrowth>,
    /// Its share of the native instructions, with all that it called; absent unless callgrind has counted them, and for functions that were inlined natively.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native_share: Option<f64>,
}

/// The functions of a profile, that with the largest total of the metric at this point first, and callers before those that they call. The first one is the measured
/// function.
pub fn rows(profile: &Profile, metric: ProfileMetric, point: usize) -> Vec<ProfileRow> {
    let mut rows = Rows::default();
    rows.add(&profile.root, &mut Vec::new());
    let mut rows: Vec<ProfileRow> = rows.all.into_iter().map(|row| finished(row, profile, metric)).collect();
    // Equal ones remain in the order of the tree.
    rows.sort_by_key(|row| (row.name != profile.root.name, -metric.of(&row.total[point])));
    rows
}

/// The rows in the order in which their functions were found.
#[derive(Default)]
struct Rows<'p> {
    all: Vec<ProfileRow>,
    by_name: HashMap<&'p str, usize>,
}

impl<'p> Rows<'p> {
    fn add(&mut self, frame: &'p Frame, callers: &mut Vec<&'p str>) {
        let index = *self.by_name.entry(&frame.name).or_insert(self.all.len());
        if index == self.all.len() {
            self.all.push(ProfileRow::empty(frame));
        }
        let row = &mut self.all[index];
        row.is_inlined |= frame.is_inlined;
        row.place = row.place.take().into_iter().chain(frame.place.clone()).min();
        row.own.iter_mut().zip(&frame.own).for_each(|(sum, own)| *sum += *own);
        if !callers.contains(&frame.name.as_str()) {
            row.total.iter_mut().enumerate().for_each(|(point, sum)| *sum += frame.total(point));
        }
        callers.push(&frame.name);
        frame.children.iter().for_each(|child| self.add(child, callers));
        callers.pop();
    }
}

impl ProfileRow {
    /// A row for the function of a frame, without amounts.
    fn empty(frame: &Frame) -> Self {
        let none = vec![Amounts::default(); frame.own.len()];
        Self {
            name: frame.name.clone(),
            short_name: String::new(),
            package: package(frame),
            place: None,
            is_inlined: false,
            own: none.clone(),
            total: none,
            growth: None,
            own_growth: None,
            native_share: None,
        }
    }
}

fn finished(row: ProfileRow, profile: &Profile, metric: ProfileMetric) -> ProfileRow {
    let growth = |amounts: &[Amounts]| {
        let value = |(point, amounts): (usize, &Amounts)| {
            Some((profile.points[point].x.number()?, profile.per_call(point, metric, amounts)))
        };
        let values: Option<Vec<(f64, f64)>> = amounts.iter().enumerate().map(value).collect();
        let values = values.filter(|values| values.iter().any(|(_, value)| *value != 0.0));
        values.and_then(|values| ProfileGrowth::of(&values))
    };
    let (own_growth, total_growth) = (growth(&row.own), growth(&row.total));
    ProfileRow { growth: total_growth, own_growth, short_name: short_name(&row.name, &profile.crate_name), ..row }
}
