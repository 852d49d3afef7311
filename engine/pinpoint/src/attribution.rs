//! Which calls the difference comes from.

use benchbook_profile::{Place, Profile, ProfileGrowth, ProfileMetric, is_library};
use serde::{Deserialize, Serialize};

use crate::calls::Call;
use crate::code::Edit;

/// Why a call contributes to the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// Only the later build makes the call.
    New,
    /// Only the earlier build makes it.
    Gone,
    /// Its caller makes it more or less often than before.
    Calls,
    /// The function has another body.
    Body,
    /// The compiler has made other instructions of the same source.
    Compiled,
    /// A call takes more or less than before, although neither the function nor any that it calls has changed: it gets something else to do.
    Cost,
    /// Something that it calls has changed, below the depth of the search.
    Below,
}

/// A part of the difference: what a function executes itself, or a call with all that is called below it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contributor {
    /// The functions that lead to it: short names, the measured function first, itself last.
    pub path: Vec<String>,
    /// Why it contributes.
    pub change: Change,
    /// Whether everything that it calls is part of it.
    pub includes_calls: bool,
    /// What it adds.
    #[serde(flatten)]
    pub difference: CallDifference,
}

/// How a call differs between the builds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallDifference {
    /// The name of the function: demangled, without its hash.
    pub name: String,
    /// The first line of the function that was compiled, in the later build if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// The line that calls it, in the later build if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_site: Option<Place>,
    /// How often it is called per call of the measured function, in both builds, at the shown point; absent where it is inlined.
    pub calls: [Option<f64>; 2],
    /// How much more than before is counted because of it, per call of the measured function, at each point.
    pub added: Vec<f64>,
    /// How its counts grow with the axis in both builds; absent if the points don't tell.
    #[cfg_attr(feature = "schema", schemars(with = "[Option<String>; 2]"))]
    pub growth: [Option<ProfileGrowth>; 2],
}

/// What is compared: the points that both builds have counted, and what decides whether a function has changed.
pub(crate) struct Attribution<'p> {
    pub(crate) profiles: [&'p Profile; 2],
    /// The indices of each point in both profiles, which have counted the same calls there.
    pub(crate) points: Vec<[usize; 2]>,
    /// The index of the shown one in `points`.
    pub(crate) shown: usize,
    /// The least edit with which a function counts as changed; absent if none has: then a call is no contributor just because nothing in it has changed.
    pub(crate) least_edit: Option<Edit>,
    /// What is compared.
    pub(crate) metric: ProfileMetric,
    /// How many calls below the measured function are looked at; all if absent.
    pub(crate) depth: Option<usize>,
}

/// A call, and how the search got there.
#[derive(Clone, Copy)]
pub(crate) struct Visit<'c, 'p> {
    pub(crate) call: &'c Call<'p>,
    /// The calls below the measured function; 0 for itself.
    pub(crate) depth: usize,
    /// How often its nearest caller that is not inlined is called.
    callers: [Option<f64>; 2],
}

impl<'c, 'p> Visit<'c, 'p> {
    pub(crate) fn of_root(call: &'c Call<'p>) -> Self {
        Self { call, depth: 0, callers: [None; 2] }
    }
}

impl Attribution<'_> {
    /// All parts of the difference, by the order of the calls. They add up to it.
    pub(crate) fn contributors(&self, root: &Call<'_>) -> Vec<Contributor> {
        let mut all = Vec::new();
        self.collect(Visit::of_root(root), &mut Vec::new(), &mut all);
        all
    }

    fn collect(&self, visit: Visit<'_, '_>, path: &mut Vec<String>, all: &mut Vec<Contributor>) {
        let call = visit.call;
        path.push(self.short_name(call));
        let whole = self.whole_change(visit);
        let change = whole.or_else(|| self.own_change(call));
        if let Some(change) = change {
            let includes_calls = whole.is_some();
            let difference = self.difference(call, includes_calls);
            all.push(Contributor { path: path.clone(), change, includes_calls, difference });
        }
        if whole.is_none() {
            self.below(visit).for_each(|visit| self.collect(visit, path, all));
        }
        path.pop();
    }

    /// The calls that a function makes.
    pub(crate) fn below<'c, 'p>(&self, visit: Visit<'c, 'p>) -> impl Iterator<Item = Visit<'c, 'p>> {
        let calls = self.calls(visit.call);
        // An inlined function is executed as often as its caller, or in a loop of it.
        let callers = [0, 1].map(|side| calls[side].or(visit.callers[side]));
        visit.call.calls.iter().map(move |call| Visit { call, depth: visit.depth + 1, callers })
    }

    /// Why a call contributes with all that it calls; `None` if its parts do, or nothing.
    pub(crate) fn whole_change(&self, visit: Visit<'_, '_>) -> Option<Change> {
        let Visit { call, depth, callers } = visit;
        let added = |at: usize| self.total(call, at).iter().sum::<i64>() != 0;
        let is_different = (0..self.points.len()).any(added);
        match call.frames {
            _ if !is_different => return None,
            // Calls below it are made in both builds.
            [None, _] | [_, None] if call.is_shared() => return None,
            [None, _] => return Some(Change::New),
            [_, None] => return Some(Change::Gone),
            _ if depth == 0 => return None,
            _ => {}
        }
        if self.is_called_more(call, callers) {
            return Some(Change::Calls);
        }
        if self.least_edit.is_some_and(|least| !call.is_edited(least)) {
            return Some(Change::Cost);
        }
        let is_last = self.depth.is_some_and(|last| depth >= last);
        is_last
            .then(|| if self.least_edit.is_some_and(|least| call.edit >= least) { Change::Body } else { Change::Below })
    }

    /// Why a function contributes what it executes itself; `None` if it does not.
    pub(crate) fn own_change(&self, call: &Call<'_>) -> Option<Change> {
        let is_different = (0..self.points.len()).any(|at| self.own(call, at).iter().sum::<i64>() != 0);
        let change = match call.frames {
            [None, _] => Change::New,
            [_, None] => Change::Gone,
            _ if call.edit == Edit::Source => Change::Body,
            _ if call.edit == Edit::Compiled => Change::Compiled,
            _ => Change::Cost,
        };
        is_different.then_some(change)
    }

    /// Whether a call is a part of the changed body of its caller: if it is new or gone, or of the standard library and nothing else in it has changed.
    pub(crate) fn is_of_body(&self, caller: &Call<'_>, below: Visit<'_, '_>) -> bool {
        let change = self.whole_change(below);
        let is_part = is_library(below.call.frame()) || matches!(change, Some(Change::New | Change::Gone));
        caller.edit == Edit::Source && change.is_some() && is_part
    }

    /// Whether most of the difference comes from more or fewer calls by the same caller, each of which takes what it took before.
    fn is_called_more(&self, call: &Call<'_>, callers: [Option<f64>; 2]) -> bool {
        let ([Some(before), Some(after)], [Some(callers_before), Some(callers_after)]) = (self.calls(call), callers)
        else {
            return false;
        };
        let usual = before / callers_before * callers_after;
        let [negative, added] = self.total(call, self.shown).map(|total| total as f64);
        let of_calls = (after - usual) * -negative / before;
        let difference = negative + added;
        of_calls != 0.0 && difference != 0.0 && of_calls / difference >= 0.5
    }

    /// What a call executes at a point with all that it calls: in the earlier build, negative, and in the later one.
    pub(crate) fn total(&self, call: &Call<'_>, at: usize) -> [i64; 2] {
        // Not of its frames: a call below one that only one build makes may have frames in both.
        let below = call.calls.iter().map(|below| self.total(below, at));
        below.fold(self.own(call, at), |[before, after], below| [before + below[0], after + below[1]])
    }

    /// As [`Self::total`], of the function itself.
    pub(crate) fn own(&self, call: &Call<'_>, at: usize) -> [i64; 2] {
        let value = |side: usize| {
            let frame = call.frames[side].map(|frame| &frame.own[self.points[at][side]]);
            frame.map_or(0, |amounts| self.metric.of(amounts))
        };
        [-value(0), value(1)]
    }

    /// The counted calls of the measured function at a point.
    fn counted(&self, at: usize) -> f64 {
        self.profiles[0].points[self.points[at][0]].calls.max(1) as f64
    }

    /// The sum of the totals of both builds at a point, per call of the measured function.
    pub(crate) fn per_call(&self, at: usize, totals: [i64; 2]) -> f64 {
        totals.iter().sum::<i64>() as f64 / self.counted(at)
    }

    /// How often a function is called per call of the measured one at the shown point; absent where it is inlined.
    fn calls(&self, call: &Call<'_>) -> [Option<f64>; 2] {
        [0, 1].map(|side| {
            let frame = call.frames[side]?;
            let calls = frame.own[self.points[self.shown][side]].calls;
            (calls > 0).then(|| calls as f64 / self.counted(self.shown))
        })
    }

    pub(crate) fn difference(&self, call: &Call<'_>, includes_calls: bool) -> CallDifference {
        let totals = |at: usize| if includes_calls { self.total(call, at) } else { self.own(call, at) };
        let growth = |side: usize| {
            let value = |at: usize| {
                let x = self.profiles[side].points[self.points[at][side]].x.number()?;
                Some((x, totals(at)[side].unsigned_abs() as f64 / self.counted(at)))
            };
            ProfileGrowth::of(&(0..self.points.len()).map(value).collect::<Option<Vec<_>>>()?)
        };
        let frame = call.frame();
        CallDifference {
            name: frame.name.clone(),
            place: frame.place.clone(),
            call_site: frame.call_site.clone(),
            calls: self.calls(call),
            added: (0..self.points.len()).map(|at| self.per_call(at, totals(at))).collect(),
            growth: [growth(0), growth(1)],
        }
    }

    pub(crate) fn short_name(&self, call: &Call<'_>) -> String {
        self.profiles[1].short_name(call.frame())
    }
}
