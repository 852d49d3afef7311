//! What results store about their functions, such as profiles, to choose from and to compare.

use std::collections::BTreeSet;
use std::rc::Rc;

use benchbook_contract::catalog::unique_name;
use benchbook_host::response::MachineKind;
use benchbook_notebook::result::{CellResult, SharedValue};
use benchbook_report::build_names::short_builds;
use benchbook_report::results::Results;

/// What a result stores about a function.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Source {
    /// Identifies it among those of the cell.
    pub(super) key: String,
    /// Its name in lists and sentences.
    pub(super) label: String,
    /// The path of its function.
    pub(super) function: String,
    /// What executes the function.
    pub(super) kind: MachineKind,
    pub(super) document: SharedValue,
}

/// What the results of a cell store about their functions.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sources {
    /// Of the last measurement, in the order of its functions.
    pub(super) current: Vec<Source>,
    /// Of earlier builds, latest first.
    pub(super) earlier: Vec<Source>,
}

impl Sources {
    /// `document`: what a result stores about a function.
    pub(super) fn of(results: &Results, document: for<'r> fn(&'r CellResult, &str) -> Option<&'r SharedValue>) -> Self {
        let all = results.latest.iter().chain(&results.earlier).flat_map(|result| &result.setup.request.functions);
        let all: BTreeSet<&str> = all.map(String::as_str).collect();
        let of_result = |result: &Rc<CellResult>, build: Option<&str>| {
            let kind = result.setup.machine.kind;
            let native = if kind == MachineKind::Native { "native " } else { "" };
            let source = |function: &String| {
                let document = document(result, function)?.clone();
                let build_key = build.map(|build| format!("{build} ")).unwrap_or_default();
                let build_label = build.map(|build| format!(" · build {build}")).unwrap_or_default();
                let kind_label = if native.is_empty() { "" } else { " · native" };
                Some(Source {
                    key: format!("{build_key}{native}{function}"),
                    label: format!("{}{kind_label}{build_label}", unique_name(function, all.iter().copied())),
                    function: function.clone(),
                    kind,
                    document,
                })
            };
            result.setup.request.functions.iter().filter_map(source).collect::<Vec<_>>()
        };
        let current = results.latest.iter().flat_map(|result| of_result(result, None)).collect();
        let own: Vec<&str> = results.latest.iter().map(|result| fingerprint(result)).collect();
        let has_documents = |result: &&Rc<CellResult>| {
            result.setup.request.functions.iter().any(|function| document(result, function).is_some())
        };
        let others: Vec<_> = results.earlier.iter().rev().filter(has_documents).collect();
        let builds: Vec<&str> = others.iter().map(|result| fingerprint(result)).chain(own.iter().copied()).collect();
        let names = short_builds(&builds);
        let earlier = others.iter().zip(names).filter(|(result, _)| !own.contains(&fingerprint(result)));
        let mut keys = BTreeSet::new();
        let earlier = earlier.flat_map(|(result, build)| of_result(result, Some(build)));
        Self { current, earlier: earlier.filter(|source| keys.insert(source.key.clone())).collect() }
    }

    /// The one with this key; otherwise the first.
    pub(super) fn shown(&self, key: Option<&String>) -> Option<&Source> {
        self.current.iter().find(|source| Some(&source.key) == key).or(self.current.first())
    }

    /// What it can be compared with: other functions on the same kind of machine, and the same one in earlier builds.
    pub(super) fn comparable(&self, shown: &Source) -> Vec<&Source> {
        let others = self.current.iter().filter(|source| source.key != shown.key);
        let earlier = self.earlier.iter().filter(|source| source.function == shown.function);
        others.chain(earlier).filter(|source| source.kind == shown.kind).collect()
    }

    /// The one of [`Self::comparable`] with this key.
    pub(super) fn before(&self, shown: &Source, key: Option<&String>) -> Option<&Source> {
        self.comparable(shown).into_iter().find(|source| Some(&source.key) == key)
    }
}

fn fingerprint(result: &CellResult) -> &str {
    &result.setup.suite.fingerprint
}

#[cfg(test)]
mod tests {
    use benchbook_host::quality::Priority;
    use benchbook_notebook::result::StoredListing;

    use super::*;
    use crate::state::tests::counting::profiled;
    use crate::state::tests::points::measured;
    use crate::state::tests::{after, machine, measurement, native, origin_of};

    #[test]
    fn the_same_function_in_an_earlier_build_can_be_compared() {
        let of_build = |fingerprint: &str| {
            let points = vec![measured(100.0, 5.0)];
            measurement(origin_of(1, machine(), fingerprint), Priority::LAST, points)
                .into_iter()
                .chain([profiled("sort")])
        };
        let cell = after(of_build("77c0a41f").chain(of_build("a41f0b12")));
        let sources = Sources::of(&cell.results, |result, function| Some(&result.profile(function)?.profile));
        let shown = sources.shown(None).expect("the last build was profiled");
        let labels: Vec<&str> = sources.comparable(shown).iter().map(|source| source.label.as_str()).collect();
        assert_eq!((shown.label.as_str(), labels), ("sort", vec!["sort · build 77c0"]));
    }

    #[test]
    fn sources_have_different_keys_and_labels() {
        let of = |fingerprint: &str| {
            let points = vec![measured(100.0, 5.0)];
            let results = after(measurement(origin_of(1, machine(), fingerprint), Priority::LAST, points)).results;
            let mut result = CellResult::clone(&results.latest[0]);
            Rc::make_mut(&mut result.setup).request.functions =
                vec!["maps::insert".to_owned(), "sets::insert".to_owned()];
            Rc::new(result)
        };
        let document = SharedValue(Rc::new(0.into()));
        let with = |result: &CellResult, function: &str| {
            let mut result = result.clone();
            result.add_listing(StoredListing { function: function.to_owned(), listing: document.clone() });
            Rc::new(result)
        };
        let with_code = |result: Rc<CellResult>| with(&with(&result, "maps::insert"), "sets::insert");
        let earlier = vec![with_code(of("77c0")), with_code(of("77c0"))];
        let results = Results { latest: vec![with_code(of("a41f"))], earlier, ..Results::default() };
        let sources = Sources::of(&results, |result, function| Some(&result.listing(function)?.listing));
        let labels: Vec<&str> =
            sources.current.iter().chain(&sources.earlier).map(|source| source.label.as_str()).collect();
        let builds = ["maps::insert · build 77c0", "sets::insert · build 77c0"];
        assert_eq!(labels, [["maps::insert", "sets::insert"], builds].concat());
    }

    #[test]
    fn kinds_of_machines_are_not_compared() {
        let on = |machine, document: u8| {
            let results =
                after(measurement(origin_of(1, machine, "77c0"), Priority::LAST, vec![measured(100.0, 5.0)])).results;
            let mut result = CellResult::clone(&results.latest[0]);
            result.add_listing(StoredListing {
                function: "sort".to_owned(),
                listing: SharedValue(Rc::new(document.into())),
            });
            Rc::new(result)
        };
        let results = Results { latest: vec![on(machine(), 1), on(native(), 2)], ..Results::default() };
        let sources = Sources::of(&results, |result, function| Some(&result.listing(function)?.listing));
        let keys: Vec<&str> = sources.current.iter().map(|source| source.key.as_str()).collect();
        assert_eq!(keys, ["sort", "native sort"]);
        let native = sources.shown(Some(&"native sort".to_owned())).unwrap();
        assert_eq!((native.label.as_str(), sources.comparable(native)), ("sort · native", vec![]));
    }
}
