//! Links: what the page shows, as the fragment of its URL.
//!
//! A fragment is a list of `key=value` pairs, joined by `&` and percent-encoded. Each [`Address`] has its own keys:
//!
//! | address | key | value |
//! | --- | --- | --- |
//! | self-test | `self_test` | `browser` |
//! | stored results | `archive` | `all`, or a result's number |
//! | | `suite`, `function`, `generator` | of `all`: only these results |
//! | | `before` | of `all`: only results before the one with this number |
//! | history | `history` | a metric such as `time` or `first_call` |
//! | | `suite`, `function` | the function |
//! | | `generator`, `arg.NAME`, `args.NAME`, `at` | the measurement and its axis value |
//! | | `step` | the first result after a step, by its identifier: shows the curves on both sides |
//! | notebook | `notebook`, `cell` | a notebook in this browser's storage, and one of its cells; elsewhere, the keys of a cell open it in a new notebook |
//! | file | `file` | a notebook file that the runner offers, by its path |
//! | | `site_file` | a notebook file that `notebook.json` lists, by its URL |
//! | | `cell` | one of its cells |
//! | content | `content` | a notebook: its file without samples, compressed and as base64url |
//! | suite or cell | `suite_address` | the URL of a suite, which the page offers to open if it has none of that name |
//! | cell | `suite`, `function` | the suite's name and the function's path; all other keys are optional |
//! | | `generator` | the generator's path |
//! | | `with` | the path of a function to measure together with it; up to three times |
//! | | `arg.NAME` | the argument of a parameter: a number, a choice, a text, or `LOW..HIGH` for the axis |
//! | | `args.NAME` | a value of the axis, if it has a list; once for each value |
//! | | `aim`, `time` | the precision target of the last priority, in percent, and its time per point, in seconds |
//! | | `first_calls` | `on`: also measures first calls |
//! | | `run_on` | `browser`, or `both`: measures all priorities in the browser, or on the runner and in the browser; absent: on the runner, if there is one |
//! | cell or result | `view` | `plot`, `table`, `samples` or `profile` |
//! | | `metric` | the metric of the plot, such as `allocations`; absent for the time |
//! | | `relative` | `on`: plots ratios to the fastest function; `off`: times |
//! | | `x`, `y` | the scales of the plot: `linear` or `log` |
//! | | `zoom` | the visible part of the plot: lowest and highest axis value, lowest and highest value of the metric in its unit (nanoseconds for the time), separated by commas |
//! | | `hide` | `mean` or `median` |
//! | | `show` | `samples`: draws raw samples in the plot; `mean`: shows the mean of more than two curves, too |
//! | | `hide_machine` | the name of a machine whose curves are hidden; once for each |
//! | | `hide_function` | the path of a function whose curves are hidden; once for each |
//! | | `margin` | the relative difference up to which times count as the same, in percent |
//! | | `limit` | the time limit in the plot, in nanoseconds |
//! | | `at` | the axis value of the ranking |
//! | | `point` | the point whose samples are shown: `CURVE,VALUE`, curves counted from 0; the value is empty without an axis |
//! | | `profile`, `profile_by`, `profile_at` | what the profile shows: the function, what is counted, and the axis value |
//! | | `profile_before` | what it is compared with: the path of another function, or an earlier build and the path |
//! | | `std` | `on`: the profile shows the standard library's functions |
//! | | `assembly` | the function whose code is shown: its path, with `native ` in front for a runner's code |
//! | | `assembly_before` | what it is compared with: as `assembly`, with an earlier build in front of that |
//! | | `assembly_at` | the offset of the marked instruction in the function, in bytes |
//! | | `assembly_around` | `on`: the code that surrounds an inlined function is shown |

use benchbook_contract::parameter::Scale;
use benchbook_host::history::CheckedMetric;
use benchbook_host::metric::{TIME, metric};
use benchbook_host::units::Nanos;
use benchbook_notebook::id::Id;
use benchbook_notebook::measuring_options::{MeasuringOptions, RunOn};
use benchbook_notebook::setup::{CellSetup, WrittenArgument};
use benchbook_notebook::view::{AssemblyView, CellView, Margin, ProfileView, Tab, Zoom};

use super::pairs::{Fragment, Pairs};
use super::{Address, ArchiveAddress, CellAddress, FileAddress, HistoryAddress, WrittenArguments};

/// An address as it was read, with one sentence for each part that could not be read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Link {
    pub(crate) address: Address,
    pub(crate) problems: Vec<String>,
}

/// The beginning of the keys of values and ranges.
const ARGUMENT: &str = "arg.";

/// The beginning of the keys of lists.
const LIST: &str = "args.";

impl Link {
    /// Parses a fragment without its `#`; `None` if it is empty.
    pub(crate) fn read(fragment: &str) -> Option<Self> {
        let mut pairs = Pairs::of(fragment);
        let address = Address::read(&mut pairs);
        (!fragment.is_empty()).then(|| Self { address, problems: pairs.problems() })
    }
}

impl From<Address> for Link {
    fn from(address: Address) -> Self {
        Self { address, problems: Vec::new() }
    }
}

impl Address {
    fn read(pairs: &mut Pairs) -> Self {
        if let Some(metric) = pairs.parse("history", metric_of_history) {
            return Self::History(HistoryAddress {
                metric,
                suite: pairs.take("suite").unwrap_or_default(),
                function: pairs.take("function").unwrap_or_default(),
                generator: pairs.take("generator"),
                arguments: read_arguments(pairs),
                at: pairs.take("at"),
                step: pairs.take("step"),
            });
        }
        if pairs.has("archive", "all") {
            return Self::Archive(ArchiveAddress::read(pairs));
        }
        if let Some(id) = pairs.parse("archive", |id| id.parse().ok()) {
            return Self::Archive(ArchiveAddress::Result(id, Box::new(read_view(pairs))));
        }
        let file = pairs.take("file").map(FileAddress::Runner);
        if let Some(file) = file.or_else(|| pairs.take("site_file").map(FileAddress::Site)) {
            return Self::File { file, cell: read_id(pairs, "cell") };
        }
        if let Some(content) = pairs.take("content") {
            return Self::Content(content);
        }
        if pairs.has("self_test", "browser") {
            return Self::SelfTest;
        }
        let notebook = read_id(pairs, "notebook");
        let cell = read_id(pairs, "cell");
        let names_function = pairs.contains("suite") || pairs.contains("function");
        let mut read_cell = || CellAddress { suite_url: pairs.take("suite_address"), setup: read_setup(pairs) };
        match notebook {
            Some(notebook) => Self::Stored { notebook, cell, elsewhere: names_function.then(|| Box::new(read_cell())) },
            None if names_function => Self::Cell(Box::new(read_cell())),
            None => pairs.take("suite_address").map_or_else(|| Self::Cell(Box::default()), Self::Suite),
        }
    }

    /// The fragment of the link to it, without its `#`.
    pub(crate) fn link(&self) -> String {
        let mut link = Fragment::default();
        match self {
            Self::SelfTest => link.add("self_test", "browser"),
            Self::Archive(archive) => archive.write(&mut link),
            Self::History(HistoryAddress { metric, suite, function, generator, arguments, at, step }) => {
                link.add("history", metric.name());
                link.add("suite", suite);
                link.add("function", function);
                link.add_all("generator", generator);
                write_arguments(arguments, &mut link);
                link.add_all("at", at);
                link.add_all("step", step);
            }
            Self::Stored { notebook, cell, elsewhere } => {
                link.add("notebook", notebook.to_string());
                link.add_all("cell", cell.as_ref().map(Id::to_string));
                elsewhere.iter().for_each(|elsewhere| elsewhere.write(&mut link));
            }
            Self::File { file, cell } => {
                match file {
                    FileAddress::Runner(path) => link.add("file", path),
                    FileAddress::Site(url) => link.add("site_file", url),
                }
                link.add_all("cell", cell.as_ref().map(Id::to_string));
            }
            Self::Content(content) => link.add("content", content),
            Self::Suite(url) => link.add("suite_address", url),
            Self::Cell(cell) => cell.write(&mut link),
        }
        link.text()
    }
}

impl ArchiveAddress {
    fn read(pairs: &mut Pairs) -> Self {
        if !pairs.contains("suite") || !pairs.contains("function") {
            return Self::Functions;
        }
        let [suite, function] = ["suite", "function"].map(|key| pairs.take(key).unwrap_or_default());
        let Some(generator) = pairs.take("generator") else { return Self::Generators { suite, function } };
        Self::Results { suite, function, generator, before: pairs.parse("before", |id| id.parse().ok()) }
    }

    fn write(&self, link: &mut Fragment) {
        match self {
            Self::Functions => link.add("archive", "all"),
            Self::Generators { suite, function } => {
                link.add("archive", "all");
                link.add("suite", suite);
                link.add("function", function);
            }
            Self::Results { suite, function, generator, before } => {
                link.add("archive", "all");
                link.add_all("before", before.map(|id| id.to_string()));
                link.add("suite", suite);
                link.add("function", function);
                link.add("generator", generator);
            }
            Self::Result(id, view) => {
                link.add("archive", id.to_string());
                write_view(view, link);
            }
        }
    }
}

impl CellAddress {
    fn write(&self, link: &mut Fragment) {
        let CellSetup { suite, functions, generator, arguments, options, view } = &self.setup;
        let mut functions = functions.iter();
        link.add_all("suite_address", &self.suite_url);
        link.add("suite", suite);
        link.add_all("function", functions.next());
        link.add_all("generator", generator);
        link.add_all("with", functions);
        write_arguments(arguments, link);
        let MeasuringOptions { precision, time, first_calls, run_on } = options;
        link.add_all("aim", Some(precision).filter(|precision| !precision.is_empty()));
        link.add_all("time", Some(time).filter(|time| !time.is_empty()));
        link.add_all("first_calls", first_calls.then_some("on"));
        link.add_all("run_on", run_on.name());
        write_view(view, link);
    }
}

fn metric_of_history(name: &str) -> Option<CheckedMetric> {
    CheckedMetric::ALL.into_iter().find(|metric| metric.name() == name)
}

fn read_id(pairs: &mut Pairs, key: &str) -> Option<Id> {
    pairs.parse(key, |id| Id::try_from(id.to_owned()).ok())
}

fn read_setup(pairs: &mut Pairs) -> CellSetup {
    CellSetup {
        suite: pairs.take("suite").unwrap_or_default(),
        functions: pairs.take("function").into_iter().chain(pairs.take_all("with")).collect(),
        generator: pairs.take("generator"),
        arguments: read_arguments(pairs),
        options: MeasuringOptions {
            precision: pairs.take("aim").unwrap_or_default(),
            time: pairs.take("time").unwrap_or_default(),
            first_calls: pairs.has("first_calls", "on"),
            run_on: pairs.parse("run_on", RunOn::from_name).unwrap_or_default(),
        },
        view: read_view(pairs),
    }
}

fn read_arguments(pairs: &mut Pairs) -> WrittenArguments {
    let single = pairs.take_prefixed(ARGUMENT).into_iter();
    let mut arguments: WrittenArguments =
        single.map(|(name, argument)| (name, WrittenArgument::Single(argument))).collect();
    for (name, value) in pairs.take_prefixed(LIST) {
        match arguments.get_mut(&name) {
            Some(WrittenArgument::List(values)) => values.push(value),
            _ => _ = arguments.insert(name, WrittenArgument::List(vec![value])),
        }
    }
    arguments
}

fn write_arguments(arguments: &WrittenArguments, link: &mut Fragment) {
    for (name, argument) in arguments {
        match argument {
            WrittenArgument::Single(text) => link.add(&format!("{ARGUMENT}{name}"), text),
            WrittenArgument::List(values) => link.add_all(&format!("{LIST}{name}"), values),
        }
    }
}

fn read_view(pairs: &mut Pairs) -> CellView {
    CellView {
        tab: pairs.parse("view", Tab::from_name).unwrap_or_default(),
        metric: pairs.parse("metric", metric).filter(|metric| **metric != TIME),
        relative: pairs.parse("relative", |text| match text {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        }),
        zoom: pairs.parse("zoom", zoom),
        x_scale: pairs.parse("x", scale),
        y_scale: pairs.parse("y", scale),
        show_mean: match (pairs.has("show", "mean"), pairs.has("hide", "mean")) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        },
        show_median: pairs.has("hide", "median").then_some(false),
        show_samples: pairs.has("show", "samples"),
        hidden_machines: pairs.take_all("hide_machine"),
        hidden_functions: pairs.take_all("hide_function"),
        margin: pairs.parse("margin", Margin::from_name).unwrap_or_default(),
        limit: pairs.parse("limit", limit),
        ranked_at: pairs.take("at"),
        point: pairs.parse("point", point),
        profile: ProfileView {
            function: pairs.take("profile"),
            by: pairs.take("profile_by"),
            at: pairs.take("profile_at"),
            before: pairs.take("profile_before"),
            shows_library: pairs.parse("std", |text| (text == "on").then_some(true)).unwrap_or_default(),
        },
        assembly: AssemblyView {
            function: pairs.take("assembly"),
            before: pairs.take("assembly_before"),
            marked: pairs.parse("assembly_at", |text| text.parse().ok()),
            shows_around: pairs.parse("assembly_around", |text| (text == "on").then_some(true)).unwrap_or_default(),
        },
    }
}

fn write_view(view: &CellView, link: &mut Fragment) {
    link.add_all("view", (view.tab != Tab::default()).then(|| view.tab.name()));
    link.add_all("metric", view.metric.map(|metric| metric.name));
    link.add_all("relative", view.relative.map(|on| if on { "on" } else { "off" }));
    link.add_all("x", view.x_scale.map(scale_name));
    link.add_all("y", view.y_scale.map(scale_name));
    link.add_all("zoom", view.zoom.map(|zoom| <[f64; 4]>::from(zoom).map(rounded_edge).join(",")));
    link.add_all("hide", (view.show_mean == Some(false)).then_some("mean"));
    link.add_all("show", (view.show_mean == Some(true)).then_some("mean"));
    link.add_all("hide", view.hides_median().then_some("median"));
    link.add_all("show", view.show_samples.then_some("samples"));
    link.add_all("hide_machine", &view.hidden_machines);
    link.add_all("hide_function", &view.hidden_functions);
    link.add_all("margin", (view.margin != Margin::default()).then(|| view.margin.name()));
    link.add_all("limit", view.limit.map(|Nanos(limit)| limit.to_string()));
    link.add_all("at", &view.ranked_at);
    link.add_all("point", view.point.as_ref().map(|(curve, x)| format!("{curve},{x}")));
    let ProfileView { function, by, at, before, shows_library } = &view.profile;
    for (key, value) in [("profile", function), ("profile_by", by), ("profile_at", at), ("profile_before", before)] {
        link.add_all(key, value);
    }
    link.add_all("std", shows_library.then_some("on"));
    let AssemblyView { function, before, marked, shows_around } = &view.assembly;
    link.add_all("assembly", function);
    link.add_all("assembly_before", before);
    link.add_all("assembly_at", marked.map(|offset| offset.to_string()));
    link.add_all("assembly_around", shows_around.then_some("on"));
}

/// An end of the visible part with ten digits: finer than any screen, and shorter than a pointer's raw value.
fn rounded_edge(value: f64) -> String {
    format!("{value:.9e}").parse().unwrap_or(value).to_string()
}

fn zoom(numbers: &str) -> Option<Zoom> {
    let numbers: Vec<f64> = numbers.split(',').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let [x_low, x_high, y_low, y_high] = numbers[..] else { return None };
    Zoom::new([x_low, x_high], [y_low, y_high])
}

fn limit(number: &str) -> Option<Nanos> {
    number.parse().ok().filter(|limit: &f64| limit.is_finite() && *limit > 0.0).map(Nanos)
}

fn point(text: &str) -> Option<(usize, String)> {
    let (curve, x) = text.split_once(',')?;
    Some((curve.parse().ok()?, x.to_owned()))
}

fn scale(name: &str) -> Option<Scale> {
    [Scale::Linear, Scale::Log].into_iter().find(|scale| scale_name(*scale) == name)
}

/// The name of a scale in links and on the page.
pub(crate) fn scale_name(scale: Scale) -> &'static str {
    match scale {
        Scale::Linear => "linear",
        Scale::Log => "log",
    }
}

#[cfg(test)]
mod tests {
    use benchbook_host::metric::{ALLOCATIONS, METRICS};
    use proptest::prelude::*;

    use super::*;

    /// A cell that sets everything.
    fn full() -> CellAddress {
        let text = str::to_owned;
        let list = WrittenArgument::List(vec![text("Sorted"), text("a,b")]);
        let arguments = [("size", WrittenArgument::Single(text("1000..100000"))), ("spread", list)];
        let setup = CellSetup {
            suite: text("demo"),
            functions: vec![text("sorting::sort_unstable"), text("sorting::sort_stable")],
            generator: Some(text("sorting::keys")),
            arguments: arguments.map(|(name, argument)| (text(name), argument)).into(),
            options: MeasuringOptions {
                precision: text("0.5"),
                time: text("3"),
                first_calls: true,
                run_on: RunOn::Both,
            },
            view: CellView {
                tab: Tab::Samples,
                metric: Some(&ALLOCATIONS),
                relative: Some(true),
                zoom: Zoom::new([1000.0, 5e4], [-2.5, 300.0]),
                x_scale: Some(Scale::Linear),
                y_scale: Some(Scale::Log),
                show_mean: Some(false),
                show_median: Some(false),
                show_samples: true,
                hidden_machines: vec![text("Chrome 156")],
                hidden_functions: vec![text("sorting::sort_stable")],
                margin: Margin::from_name("5").expect("one of the margins"),
                limit: Some(Nanos(1.5e6)),
                ranked_at: Some(text("10000")),
                point: Some((1, text("10000"))),
                profile: ProfileView {
                    function: Some(text("sorting::sort_stable")),
                    by: Some(text("bytes")),
                    at: Some(text("1000")),
                    before: Some(text("77c0 a::b")),
                    shows_library: true,
                },
                assembly: AssemblyView {
                    function: Some(text("native sorting::sort_stable")),
                    before: Some(text("77c0 a::b")),
                    marked: Some(42),
                    shows_around: true,
                },
            },
        };
        CellAddress { suite_url: Some(text("https://example.org/ours.wasm?a=1&b")), setup }
    }

    fn history() -> HistoryAddress {
        let text = str::to_owned;
        HistoryAddress {
            metric: CheckedMetric::FirstCall,
            suite: text("demo"),
            function: text("a::b"),
            generator: Some(text("keys")),
            arguments: [(text("size"), WrittenArgument::Single(text("10..1000")))].into(),
            at: Some(text("1000")),
            step: None,
        }
    }

    fn stored(elsewhere: Option<CellAddress>) -> Address {
        let (notebook, cell) = (Id::from_random(1), Some(Id::from_random(2)));
        Address::Stored { notebook, cell, elsewhere: elsewhere.map(Box::new) }
    }

    /// One address of each page, and its link.
    fn pages() -> Vec<(Address, String)> {
        let text = str::to_owned;
        let results = |before| {
            let (suite, function, generator) = (text("demo"), text("a::b"), text("keys"));
            ArchiveAddress::Results { suite, function, generator, before }
        };
        let view = CellView { tab: Tab::Samples, point: Some((1, text("500"))), ..CellView::default() };
        let [notebook, cell] = [1, 2].map(|number| Id::from_random(number).to_string());
        let step = HistoryAddress { step: Some(text("1795600000-1a2b3c4d")), ..history() };
        let site_file = FileAddress::Site(text("notebooks/maps & sets.benchbook.json"));
        let table: [(Address, &str); 14] = [
            (Address::SelfTest, "self_test=browser"),
            (Address::Archive(ArchiveAddress::Functions), "archive=all"),
            (
                Address::Archive(ArchiveAddress::Generators { suite: text("demo"), function: text("a::b") }),
                "archive=all&suite=demo&function=a::b",
            ),
            (Address::Archive(results(None)), "archive=all&suite=demo&function=a::b&generator=keys"),
            (Address::Archive(results(Some(812))), "archive=all&before=812&suite=demo&function=a::b&generator=keys"),
            (Address::Archive(ArchiveAddress::Result(7, Box::new(view))), "archive=7&view=samples&point=1,500"),
            (
                Address::History(history()),
                "history=first_call&suite=demo&function=a::b&generator=keys&arg.size=10..1000&at=1000",
            ),
            (
                Address::History(step),
                "history=first_call&suite=demo&function=a::b&generator=keys&arg.size=10..1000&at=1000&step=1795600000-1a2b3c4d",
            ),
            (stored(None), &format!("notebook={notebook}&cell={cell}")),
            (Address::File { file: FileAddress::Runner(text("a/b.json")), cell: None }, "file=a/b.json"),
            (
                Address::File { file: site_file, cell: Some(Id::from_random(2)) },
                &format!("site_file=notebooks/maps%20%26%20sets.benchbook.json&cell={cell}"),
            ),
            (Address::Content(text("eJx-_")), "content=eJx-_"),
            (
                Address::Suite(text("https://example.org/ours.wasm?a=1")),
                "suite_address=https://example.org/ours.wasm?a%3D1",
            ),
            (Address::of_function("demo", "a::b"), "suite=demo&function=a::b"),
        ];
        table.map(|(address, link)| (address, link.to_owned())).into()
    }

    fn read(fragment: &str) -> Address {
        let Link { address, problems } = Link::read(fragment).expect(fragment);
        assert_eq!(problems, [""; 0], "{fragment}");
        address
    }

    #[test]
    fn every_address_has_a_link_that_leads_to_one_page_only() {
        let pages = pages();
        for (index, (address, link)) in pages.iter().enumerate() {
            assert_eq!(address.link(), *link);
            assert_eq!(read(link), *address);
            let same: Vec<bool> = pages.iter().map(|(other, _)| address.is_same_page(other)).collect();
            assert!(same[index] && same.iter().filter(|same| **same).count() == 1, "{link}: {same:?}");
        }
    }

    #[test]
    fn parts_that_do_not_belong_to_the_page_are_reported() {
        for (link, unknown) in [
            ("archive=all&suite=demo", "suite=demo"),
            ("archive=all&generator=keys", "generator=keys"),
            ("notebook=1&view=table", "view=table"),
            ("suite_address=https://example.org/a.wasm&view=table", "view=table"),
            ("self_test=browser&suite=demo", "suite=demo"),
            ("file=a.json&function=sort", "function=sort"),
        ] {
            let Link { problems, .. } = Link::read(link).expect(link);
            assert!(matches!(&problems[..], [problem] if problem.contains(unknown)), "{link}: {problems:?}");
        }
    }

    #[test]
    fn a_link_contains_all_settings() {
        for address in [Address::Cell(Box::new(full())), stored(Some(full()))] {
            assert_eq!(read(&address.link()), address);
        }
    }

    #[test]
    fn the_page_is_the_same_with_another_view_or_argument() {
        let changed = CellSetup { view: CellView::default(), options: MeasuringOptions::default(), ..full().setup };
        let changed = CellSetup { arguments: WrittenArguments::new(), ..changed };
        let changed = Address::Cell(Box::new(CellAddress { setup: changed, ..full() }));
        assert!(Address::Cell(Box::new(full())).is_same_page(&changed));
        assert!(!Address::of_setup(full().setup).is_same_page(&changed), "the suite has another URL");
        assert!(stored(None).is_same_page(&stored(Some(full()))));
        let last = Address::History(HistoryAddress { at: None, ..history() });
        assert!(last.is_same_page(&Address::History(history())));
        let other = HistoryAddress { arguments: WrittenArguments::new(), ..history() };
        assert!(!last.is_same_page(&Address::History(other)));
    }

    #[test]
    fn an_empty_fragment_is_no_link() {
        assert_eq!(Link::read(""), None);
    }

    #[test]
    fn reports_unknown_parts_and_parses_the_rest() {
        let odd = [
            "garbage",
            "=",
            "view=wall",
            "metric=calm",
            "x=cubic",
            "zoom=1,2,3",
            "zoom=2,1,0,1",
            "zoom=NaN,1,0,1",
            "zoom=0,inf,0,1",
            "hide=me",
            "limit=0",
            "limit=-5",
            "limit=1ms",
            "limit=inf",
            "point=0",
            "point=a,1",
            "%ff=1",
            "suite2=x",
            "arg=1",
            "show=all",
            "archive=most",
            "archive=-1",
            "before=",
            "history=speed",
            "self_test=runner",
            "suite=other",
        ];
        for odd in odd {
            let link = Link::read(&format!("suite=demo&{odd}&function=sort")).expect(odd);
            assert_eq!(link.problems.len(), 1, "{odd}: {:?}", link.problems);
            assert!(link.problems[0].contains(odd), "{odd}: {:?}", link.problems);
            assert_eq!(link.address, Address::of_function("demo", "sort"), "{odd}");
        }
    }

    #[test]
    fn truncates_long_unknown_parts() {
        let link = Link::read(&"ä".repeat(10_000)).expect("it is not empty");
        assert!(link.problems[0].chars().count() < 150);
    }

    proptest! {
        #[test]
        fn parses_any_written_text(text in "\\PC{0,40}", name in "[a-z_]{1,9}") {
            let list = WrittenArgument::List(vec![text.clone(), text.clone()]);
            let single = WrittenArgument::Single(text.clone());
            for argument in [single, list] {
                let view = CellView { point: Some((0, text.clone())), ..full().setup.view };
                let setup = CellSetup { arguments: [(name.clone(), argument)].into(), view, ..full().setup };
                let address = Address::Cell(Box::new(CellAddress { setup, ..full() }));
                let written = address.link();
                prop_assert!(written.is_ascii() && !written.contains([' ', '#', '"']), "{}", written);
                prop_assert_eq!(read(&written), address);
            }
        }

        #[test]
        fn parses_every_written_metric(index in 0..METRICS.len()) {
            let chosen = METRICS[index];
            let view = CellView { metric: (*chosen != TIME).then_some(chosen), ..CellView::default() };
            let address = Address::of_setup(CellSetup { view, ..full().setup });
            prop_assert_eq!(read(&address.link()), address);
        }

        #[test]
        fn parses_any_fragment(fragment in "\\PC{0,80}") {
            let link = Link::read(&fragment);
            prop_assert_eq!(link.is_none(), fragment.is_empty());
        }
    }
}
