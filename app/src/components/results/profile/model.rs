//! What the tab of the profile shows, from the profiles that a notebook stores.

use std::collections::BTreeMap;

use benchbook_contract::axis_value::AxisValue;
use benchbook_notebook::view::ProfileView;
use benchbook_profile::{
    Frame, FunctionFilter, LibraryFrames, Place, Profile, ProfileMetric, ProfileRow, answer, difference, package, rows,
};
use serde::Deserialize;

use crate::components::results::sources::Source;

/// The profile as shown.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ProfileModel {
    /// Of a single function or, if two are compared, with both as its points: before and after.
    pub(crate) profile: Profile,
    pub(crate) metric: ProfileMetric,
    /// The point of [`Self::profile`] that is shown.
    pub(crate) point: usize,
    /// The axis values to choose from, and which one is chosen.
    pub(super) xs: Vec<AxisValue>,
    pub(super) at: usize,
    /// Whether two profiles are compared.
    pub(super) is_comparison: bool,
    pub(super) answer: String,
    pub(super) rows: Vec<ProfileRow>,
    pub(super) root: Part,
    /// The crates, that of the function first, and then those with the largest shares.
    pub(super) crates: Vec<String>,
    /// How the shares of the largest functions change over the axis.
    pub(super) shares: Vec<Share>,
}

/// A frame as shown. Amounts are per call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) name: String,
    /// Without the arguments of generics.
    pub(super) short_name: String,
    /// The index of its crate.
    pub(super) package: usize,
    pub(super) place: Option<Place>,
    pub(super) calls: f64,
    pub(super) is_inlined: bool,
    /// Of itself at the shown points: one, or before and after.
    pub(super) own: Vec<f64>,
    /// As [`Self::own`], with all below it.
    pub(super) total: Vec<f64>,
    /// What its width in the chart stands for: the total or, in a comparison, the larger one of both, so that what is gone is visible.
    pub(super) extent: f64,
    pub(super) children: Vec<Part>,
}

/// The share of a function's own amounts at each axis value, from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Share {
    pub(super) name: String,
    pub(super) values: Vec<f64>,
}

/// How many functions have areas of their own over the axis.
const MAX_SHARES: usize = 4;

impl ProfileModel {
    /// The model of a profile, compared with another one; `None` if the notebook has one that this version cannot read.
    pub(super) fn new(shown: &Source, before: Option<&Source>, view: &ProfileView) -> Option<Self> {
        let library = if view.shows_library { LibraryFrames::All } else { LibraryFrames::Folded };
        let filter = FunctionFilter { library, ..FunctionFilter::default() };
        let read = |source: &Source| Some(Profile::deserialize(&*source.document.0).ok()?.filtered(&filter));
        let metric = ProfileMetric::ALL.into_iter().find(|metric| Some(metric.name()) == view.by.as_deref());
        let metric = metric.unwrap_or_default();
        let own = read(shown)?;
        let xs: Vec<AxisValue> = own.points.iter().map(|point| point.x.clone()).collect();
        let chosen = view.at.as_deref().and_then(|at| xs.iter().position(|x| x.to_string() == at));
        let at = chosen.unwrap_or(xs.len() - 1);
        let shares = shares(&own, metric);
        let compared = before.and_then(|before| {
            let other = read(before)?;
            let index = other.points.iter().position(|point| point.x == xs[at])?;
            Some((other.compared(index, &own, at), [before.label.as_str(), shown.label.as_str()]))
        });
        let (profile, point, names) = match compared {
            Some((profile, names)) => (profile, 1, Some(names)),
            None => (own, at, None),
        };
        let rows = rows(&profile, metric, point);
        let answer = match names {
            Some(names) => difference(&profile, &rows, metric, names),
            None => answer(&profile, &rows, metric, point),
        };
        let points = if names.is_some() { vec![0, 1] } else { vec![point] };
        let crates = crates(&profile, metric, point);
        let root = part(&profile, &profile.root, metric, &points, &crates);
        let is_comparison = names.is_some();
        Some(Self { profile, metric, point, xs, at, is_comparison, answer, rows, root, crates, shares })
    }

    /// A share of everything at the shown point, from 0 to 1.
    pub(super) fn share(&self, amount: f64) -> f64 {
        amount / self.root.total.last().copied().filter(|total| *total > 0.0).unwrap_or(1.0)
    }
}

impl Part {
    /// By how much it changed, with all below it; `None` unless two profiles are compared.
    pub(super) fn change(&self) -> Option<f64> {
        match self.total[..] {
            [before, after] => Some(after - before),
            _ => None,
        }
    }

    /// The part at a path.
    pub(super) fn at(&self, path: &[usize]) -> Option<&Self> {
        path.iter().try_fold(self, |part, index| part.children.get(*index))
    }

    /// The amount of the parts whose names contain a string, in lower case; those below them are part of them.
    pub(super) fn matching(&self, text: &str) -> f64 {
        match self.matches(text) {
            true => self.total.last().copied().unwrap_or_default(),
            false => self.children.iter().map(|child| child.matching(text)).sum(),
        }
    }

    pub(super) fn matches(&self, text: &str) -> bool {
        self.name.to_lowercase().contains(text)
    }
}

fn part(profile: &Profile, frame: &Frame, metric: ProfileMetric, points: &[usize], crates: &[String]) -> Part {
    let children: Vec<Part> = frame.children.iter().map(|child| part(profile, child, metric, points, crates)).collect();
    let of = |metric, point: usize| profile.per_call(point, metric, &frame.own[point]);
    let own: Vec<f64> = points.iter().map(|point| of(metric, *point)).collect();
    let below = |index: usize| children.iter().map(|child| child.total[index]).sum::<f64>();
    let largest = own.iter().copied().fold(0.0, f64::max);
    let package = frame_crate(profile, frame);
    Part {
        name: frame.name.clone(),
        short_name: profile.short_name(frame),
        package: crates.iter().position(|known| *known == package).unwrap_or_default(),
        place: frame.place.clone(),
        calls: points.last().map_or(0.0, |point| of(ProfileMetric::Calls, *point)),
        is_inlined: frame.is_inlined,
        total: own.iter().enumerate().map(|(index, own)| own + below(index)).collect(),
        extent: largest + children.iter().map(|child| child.extent).sum::<f64>(),
        own,
        children,
    }
}

/// The crate of a frame; that of the root is known by another way than its name.
fn frame_crate(profile: &Profile, frame: &Frame) -> String {
    if frame.name == profile.root.name { profile.crate_name.clone() } else { package(frame) }
}

fn crates(profile: &Profile, metric: ProfileMetric, point: usize) -> Vec<String> {
    let mut amounts: BTreeMap<String, i64> = BTreeMap::new();
    add_crates(profile, &profile.root, metric, point, &mut amounts);
    let mut crates: Vec<(String, i64)> = amounts.into_iter().collect();
    crates.sort_by_key(|(name, amount)| (*name != profile.crate_name, -amount));
    crates.into_iter().map(|(name, _)| name).collect()
}

fn add_crates(profile: &Profile, frame: &Frame, metric: ProfileMetric, point: usize, sums: &mut BTreeMap<String, i64>) {
    *sums.entry(frame_crate(profile, frame)).or_default() += metric.of(&frame.own[point]);
    frame.children.iter().for_each(|child| add_crates(profile, child, metric, point, sums));
}

/// The largest functions, and the rest as `other`; nothing with fewer than two points.
fn shares(profile: &Profile, metric: ProfileMetric) -> Vec<Share> {
    let last = profile.points.len() - 1;
    if last == 0 {
        return Vec::new();
    }
    let rows = rows(profile, metric, last);
    let all: Vec<i64> =
        (0..=last).map(|point| rows.iter().map(|row| metric.of(&row.own[point]).max(0)).sum()).collect();
    let share = |row: &ProfileRow| -> Vec<f64> {
        let own = row.own.iter().map(|own| metric.of(own).max(0));
        own.zip(&all).map(|(own, all)| own as f64 / (*all).max(1) as f64).collect()
    };
    let mut shares: Vec<Share> =
        rows.iter().map(|row| Share { name: row.short_name.clone(), values: share(row) }).collect();
    let largest = |share: &Share| share.values.iter().copied().fold(0.0, f64::max);
    shares.sort_by(|one, other| largest(other).total_cmp(&largest(one)));
    let rest = shares.split_off(shares.len().min(MAX_SHARES));
    if rest.iter().any(|share| largest(share) > 0.0) {
        let sum = |point| rest.iter().map(|share| share.values[point]).sum();
        shares.push(Share { name: "other".to_owned(), values: (0..=last).map(sum).collect() });
    }
    shares
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use benchbook_host::response::MachineKind;
    use benchbook_notebook::result::SharedValue;
    use serde_json::json;

    use super::*;

    fn source(key: &str, merge: [i64; 2]) -> Source {
        let own = |values: [i64; 2]| json!(values.map(|value| json!({"instructions": 4 * value, "calls": 4})));
        let profile = json!({
            "function": "sorting::merge_sort", "crate_name": "demo", "axis": "size",
            "points": [{"x": 10, "calls": 4}, {"x": 100, "calls": 4}],
            "frames": [
                {"name": "sorting::merge_sort", "own": own([10, 10])},
                {"caller": 0, "name": "demo::sorting::merge", "own": own(merge)},
                {"caller": 1, "name": "memchr::find", "own": own([20, 90]), "place": {"file": "memchr-2.7.4/src/lib.rs", "line": 7}},
                {"caller": 1, "name": "core::cmp::lt", "own": own([10, 100]), "place": {"file": "core/src/cmp.rs", "line": 1}},
            ],
        });
        Source {
            key: key.to_owned(),
            label: key.to_owned(),
            function: "sorting::merge_sort".to_owned(),
            kind: MachineKind::Browser,
            document: SharedValue(Rc::new(profile)),
        }
    }

    #[test]
    fn the_largest_size_is_shown_first_and_the_library_is_part_of_its_callers() {
        let model = ProfileModel::new(&source("a", [60, 600]), None, &ProfileView::default()).unwrap();
        assert_eq!((model.at, model.point), (1, 1));
        assert_eq!(model.crates, ["demo", "memchr 2.7.4"]);
        let merge = &model.root.children[0];
        assert_eq!((merge.own[0], merge.total[0], model.root.extent), (700.0, 790.0, 800.0));
        assert_eq!(
            model.root.at(&[0, 0]).map(|part| (part.short_name.as_str(), part.package)),
            Some(("memchr::find", 1))
        );
        let shares: Vec<_> = model.shares.iter().map(|share| (share.name.as_str(), share.values.clone())).collect();
        assert_eq!(
            shares,
            [
                ("sorting::merge", vec![0.7, 0.875]),
                ("memchr::find", vec![0.2, 0.1125]),
                ("sorting::merge_sort", vec![0.1, 0.0125])
            ]
        );
        let all = ProfileView { shows_library: true, at: Some("10".to_owned()), ..ProfileView::default() };
        let model = ProfileModel::new(&source("a", [60, 600]), None, &all).unwrap();
        assert_eq!((model.at, model.root.children[0].children.len()), (0, 2));
    }

    #[test]
    fn what_is_gone_has_a_width() {
        let (before, after) = (source("a", [60, 600]), source("b", [60, 100]));
        let model = ProfileModel::new(&after, Some(&before), &ProfileView::default()).unwrap();
        let merge = &model.root.children[0];
        assert_eq!((merge.change(), merge.extent), (Some(-500.0), 790.0));
        assert!(model.is_comparison && model.answer.starts_with("b takes 500 fewer"), "{}", model.answer);
    }

    #[test]
    fn matching_parts_count_once() {
        let model = ProfileModel::new(&source("a", [60, 600]), None, &ProfileView::default()).unwrap();
        assert_eq!([model.root.matching("merge"), model.root.matching("memchr")], [800.0, 90.0]);
        assert_eq!(model.root.matching("nothing"), 0.0);
    }

    #[test]
    fn a_profile_of_another_version_is_not_shown() {
        let other = Source { document: SharedValue(Rc::new(json!({"frames": "none"}))), ..source("a", [1, 2]) };
        assert_eq!(ProfileModel::new(&other, None, &ProfileView::default()), None);
    }
}
