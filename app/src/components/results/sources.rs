//! What results store about their functions, such as profiles, to choose from and to compare.

use std::rc::Rc;

use benchbook_contract::catalog::name_of;
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
                    label: format!("{}{kind_label}{build_label}", name_of(function)),
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
        Self { current, earlier: earlier.flat_map(|(result, build)| of_result(result, Some(build))).collect() }
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
