//! Links: what the page shows, as the fragment of its address.
//!
//! A fragment is a list of `key=value` pairs, joined by `&` and percent-encoded:
//!
//! | key | value |
//! | --- | --- |
//! | `archive` | the runner's stored results: `all`, filtered by `suite`, `function` and `generator`, or a result's number |
//! | `before` | a result's number: the list contains earlier results only |
//! | `history` | the history of a function's accepted results: a metric such as `time` or `first_call`; `generator` and `arg.NAME` select the measurement, and `at` the axis value |
//! | `step` | in a history, the first result after a step, by its identifier: shows the curves on both sides |
//! | `self_test` | `browser`: the self-test of this browser, without other keys |
//! | `notebook`, `cell` | a notebook in this browser's storage, and one of its cells; elsewhere, the other keys open the cell in a new notebook |
//! | `file` | a notebook file that the runner offers, by its path |
//! | `site_file` | a notebook file that `notebook.json` lists, by its address |
//! | `content` | a notebook: its file without samples, compressed and as base64url |
//! | `suite_address` | the address of a suite, which the page offers to open if it has none of that name |
//! | `suite`, `function` | the suite's name and the function's path; all other keys are optional |
//! | `generator` | the generator's path |
//! | `with` | the path of a function to measure together with it; up to three times |
//! | `arg.NAME` | the argument of a parameter: a number, a choice, a text, or `LOW..HIGH` for the axis |
//! | `args.NAME` | a value of the axis, if it has a list; once for each value |
//! | `aim`, `time` | the precision target of the last priority, in percent, and its time per point, in seconds |
//! | `first_calls` | `on`: also measures first calls |
//! | `run_on` | `browser`, or `both`: measures all priorities in the browser, or on the runner and in the browser; absent: on the runner, if there is one |
//! | `view` | `plot`, `table` or `samples` |
//! | `metric` | the metric of the plot, such as `allocations`; absent for the time |
//! | `x`, `y` | the scales of the plot: `linear` or `log` |
//! | `zoom` | the visible part of the plot: lowest and highest axis value, lowest and highest value of the metric in its unit (nanoseconds for the time), separated by commas |
//! | `hide` | `mean` or `median` |
//! | `show` | `samples`: draws raw samples in the plot; `mean`: shows the mean even if interruptions distort it |
//! | `margin` | the relative difference up to which times count as the same, in percent |
//! | `limit` | the time limit in the plot, in nanoseconds |
//! | `point` | the point whose samples are shown: `TRACE,VALUE`, traces counted from 0; the value is empty without an axis |

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use super::excerpt::excerpt;
use super::file_address::FileAddress;
use super::link_arguments::LinkArguments;
use crate::settings::measuring_options::{MeasuringOptions, RunOn};
use crate::settings::number_input::parse_finite;
use crate::settings::presentation::{Margin, Presentation, Tab};
use benchbook_chart::{AxisScale, View, Window};
use benchbook_host::history::CheckedMetric;
use benchbook_host::metric;
use benchbook_host::units::Nanos;
use benchbook_notebook::id::Id;

/// Characters encoded in keys and values: the separators, and those that browsers and chat programs alter.
const ENCODED: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'&').add(b'+').add(b'<').add(b'>').add(b'=').add(b'`');

/// The contents of a link, not yet checked against a suite.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Link {
    /// Whether it leads to the self-test.
    pub(crate) self_test: bool,
    /// The part of the runner's archive; `None` for a link to a function.
    pub(crate) archive: Option<ArchiveLink>,
    /// Lists only results before this one; `None` starts at the newest.
    pub(crate) before: Option<u64>,
    /// The metric of a history; `None` for another page.
    pub(crate) history: Option<CheckedMetric>,
    /// The first result after the chosen step of a history.
    pub(crate) step: Option<String>,
    /// The notebook in this browser.
    pub(crate) notebook: Option<Id>,
    /// The cell.
    pub(crate) cell: Option<Id>,
    /// A notebook file to read.
    pub(crate) file: Option<FileAddress>,
    /// The content of a notebook, compressed.
    pub(crate) content: Option<String>,
    /// The address of a suite. Links are untrusted: the page requests it only if the user agrees.
    pub(crate) suite_address: Option<String>,
    /// The suite's name.
    pub(crate) suite: String,
    /// The function's path.
    pub(crate) function: String,
    /// The generator's path.
    pub(crate) generator: Option<String>,
    /// Paths of functions to measure together with it.
    pub(crate) with: Vec<String>,
    /// The arguments.
    pub(crate) arguments: LinkArguments,
    /// The options of the measurement, as written.
    pub(crate) measuring_options: MeasuringOptions,
    /// How the result is presented.
    pub(crate) presentation: Presentation,
    /// One sentence for each part that could not be parsed.
    pub(crate) problems: Vec<String>,
}

/// A part of a runner's archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArchiveLink {
    /// A list.
    List,
    /// A result, by its number.
    Result(u64),
}

impl Link {
    /// Parses a fragment without its `#`; `None` if it is empty.
    pub(crate) fn read(fragment: &str) -> Option<Self> {
        let mut link = Self::default();
        for pair in fragment.split('&').filter(|pair| !pair.is_empty()) {
            let is_valid = match pair.split_once('=') {
                Some((key, value)) => match (decode(key), decode(value)) {
                    (Some(key), Some(value)) => link.set(&key, value).is_some(),
                    _ => false,
                },
                None => false,
            };
            if !is_valid {
                link.problems.push(format!("The link contains an unknown part: “{}”.", excerpt(pair)));
            }
        }
        (!fragment.is_empty()).then_some(link)
    }

    /// Whether both lead to the same page; arguments and presentation may differ.
    pub(crate) fn is_same_page(&self, other: &Self) -> bool {
        match (self.archive, other.archive) {
            (Some(ArchiveLink::Result(one)), Some(ArchiveLink::Result(another))) => one == another,
            (None, None) if [self, other].iter().any(|link| link.notebook.is_some() || link.file.is_some()) => {
                (&self.notebook, &self.file, &self.cell) == (&other.notebook, &other.file, &other.cell)
            }
            (one, another) => {
                one == another
                    && self.self_test == other.self_test
                    && self.content == other.content
                    && self.suite_address == other.suite_address
                    && self.before == other.before
                    && self.is_same_history(other)
                    && (&self.suite, &self.function, &self.generator, &self.with)
                        == (&other.suite, &other.function, &other.generator, &other.with)
            }
        }
    }

    /// Whether both lead to the same measurement and step of a history, or neither leads to one. The axis values may differ.
    fn is_same_history(&self, other: &Self) -> bool {
        (self.history, &self.step) == (other.history, &other.step)
            && (self.history.is_none() || self.arguments == other.arguments)
    }

    fn set(&mut self, key: &str, value: String) -> Option<()> {
        let Presentation {
            tab,
            metric,
            is_relative,
            zoom,
            x_scale,
            y_scale,
            show_mean,
            hide_median,
            show_samples,
            hidden_machines,
            margin,
            limit,
            ranked_at,
            point,
        } = &mut self.presentation;
        match (key, value.as_str()) {
            ("self_test", "browser") => self.self_test = true,
            ("archive", "all") => self.archive = Some(ArchiveLink::List),
            ("archive", id) => self.archive = Some(ArchiveLink::Result(id.parse().ok()?)),
            ("before", id) => self.before = Some(id.parse().ok()?),
            ("history", name) => {
                self.history = Some(CheckedMetric::ALL.into_iter().find(|metric| metric.name() == name)?);
            }
            ("step", _) => self.step = Some(value),
            ("notebook", _) => self.notebook = Some(Id::try_from(value).ok()?),
            ("cell", _) => self.cell = Some(Id::try_from(value).ok()?),
            ("file", _) => self.file = Some(FileAddress::Runner(value)),
            ("site_file", _) => self.file = Some(FileAddress::Site(value)),
            ("content", _) => self.content = Some(value),
            ("suite_address", _) => self.suite_address = Some(value),
            ("suite", _) => self.suite = value,
            ("function", _) => self.function = value,
            ("generator", _) => self.generator = Some(value),
            ("with", _) => self.with.push(value),
            ("aim", _) => self.measuring_options.precision = value,
            ("time", _) => self.measuring_options.time = value,
            ("first_calls", "on") => self.measuring_options.first_calls = true,
            ("run_on", name) => self.measuring_options.run_on = RunOn::from_name(name)?,
            ("view", name) => *tab = Tab::from_name(name)?,
            ("metric", name) => *metric = Some(metric::metric(name)?),
            ("relative", "on") => *is_relative = true,
            ("x", name) => *x_scale = Some(scale(name)?),
            ("y", name) => *y_scale = Some(scale(name)?),
            ("zoom", numbers) => *zoom = Some(view(numbers)?),
            ("hide", "mean") => *show_mean = Some(false),
            ("show", "mean") => *show_mean = Some(true),
            ("hide", "median") => *hide_median = true,
            ("show", "samples") => *show_samples = true,
            ("hide_machine", _) => hidden_machines.push(value),
            ("margin", name) => *margin = Margin::from_name(name)?,
            ("limit", number) => *limit = Some(parse_finite(number).filter(|limit| *limit > 0.0).map(Nanos)?),
            ("at", text) => *ranked_at = Some(text.to_owned()),
            ("point", text) => {
                let (trace, x) = text.split_once(',')?;
                *point = Some((trace.parse().ok()?, x.to_owned()));
            }
            _ => self.arguments.read(key, value)?,
        }
        Some(())
    }

    /// The fragment, without its `#`.
    pub(crate) fn write(&self) -> String {
        if self.self_test {
            return "self_test=browser".to_owned();
        }
        let mut pairs = Vec::new();
        let mut add = |key: &str, value: String| pairs.push((key.to_owned(), value));
        match self.archive {
            Some(ArchiveLink::List) => add("archive", "all".to_owned()),
            Some(ArchiveLink::Result(id)) => add("archive", id.to_string()),
            None => {}
        }
        if let Some(id) = self.before {
            add("before", id.to_string());
        }
        if let Some(metric) = self.history {
            add("history", metric.name().to_owned());
        }
        match &self.file {
            Some(FileAddress::Runner(path)) => add("file", path.clone()),
            Some(FileAddress::Site(address)) => add("site_file", address.clone()),
            None => {}
        }
        for (key, id) in [("notebook", &self.notebook), ("cell", &self.cell)] {
            if let Some(id) = id {
                add(key, id.to_string());
            }
        }
        if let Some(content) = &self.content {
            add("content", content.clone());
        }
        if let Some(address) = &self.suite_address {
            add("suite_address", address.clone());
        }
        let is_of_function = self.archive.is_none() && self.notebook.is_none();
        let names_function =
            is_of_function && self.file.is_none() && self.content.is_none() && self.suite_address.is_none();
        for (key, name) in [("suite", &self.suite), ("function", &self.function)] {
            if names_function || !name.is_empty() {
                add(key, name.clone());
            }
        }
        if let Some(generator) = &self.generator {
            add("generator", generator.clone());
        }
        for path in &self.with {
            add("with", path.clone());
        }
        for (key, argument) in self.arguments.pairs() {
            add(&key, argument);
        }
        for (key, text) in [("aim", &self.measuring_options.precision), ("time", &self.measuring_options.time)] {
            if !text.is_empty() {
                add(key, text.clone());
            }
        }
        if self.measuring_options.first_calls {
            add("first_calls", "on".to_owned());
        }
        if let Some(name) = self.measuring_options.run_on.name() {
            add("run_on", name.to_owned());
        }
        let Presentation {
            tab,
            metric,
            is_relative,
            zoom,
            x_scale,
            y_scale,
            show_mean,
            hide_median,
            show_samples,
            hidden_machines,
            margin,
            limit,
            ranked_at,
            point,
        } = &self.presentation;
        if *tab != Tab::default() {
            add("view", tab.name().to_owned());
        }
        if let Some(metric) = metric {
            add("metric", metric.name.to_owned());
        }
        if *is_relative {
            add("relative", "on".to_owned());
        }
        for (key, scale) in [("x", x_scale), ("y", y_scale)] {
            if let Some(scale) = scale {
                add(key, scale_name(*scale).to_owned());
            }
        }
        if let Some(View { x, y }) = zoom {
            add("zoom", [x.low, x.high, y.low, y.high].map(rounded_edge).join(","));
        }
        let switches = [
            ("hide", "mean", *show_mean == Some(false)),
            ("show", "mean", *show_mean == Some(true)),
            ("hide", "median", *hide_median),
            ("show", "samples", *show_samples),
        ];
        for (key, name, is_set) in switches {
            if is_set {
                add(key, name.to_owned());
            }
        }
        for machine in hidden_machines {
            add("hide_machine", machine.clone());
        }
        if *margin != Margin::default() {
            add("margin", margin.name());
        }
        if let Some(Nanos(limit)) = limit {
            add("limit", limit.to_string());
        }
        if let Some(x) = ranked_at {
            add("at", x.clone());
        }
        if let Some((trace, x)) = point {
            add("point", format!("{trace},{x}"));
        }
        if let Some(step) = &self.step {
            add("step", step.clone());
        }
        let pairs = pairs.iter().map(|(key, value)| format!("{}={}", encode(key), encode(value)));
        pairs.collect::<Vec<_>>().join("&")
    }
}

/// Percent-encodes a text for an address.
pub(crate) fn encode(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// Decodes percent-encoded text; `None` if it is not UTF-8.
pub(super) fn decode(text: &str) -> Option<String> {
    percent_decode_str(text).decode_utf8().ok().map(Into::into)
}

/// An edge of the visible part with ten digits: finer than any screen, and shorter than a pointer's raw value.
fn rounded_edge(value: f64) -> String {
    format!("{value:.9e}").parse().unwrap_or(value).to_string()
}

pub(super) fn scale(name: &str) -> Option<AxisScale> {
    [AxisScale::Linear, AxisScale::Log].into_iter().find(|scale| scale_name(*scale) == name)
}

/// The name of a scale in links and on the page.
pub(crate) fn scale_name(scale: AxisScale) -> &'static str {
    match scale {
        AxisScale::Linear => "linear",
        AxisScale::Log => "log",
    }
}

fn view(numbers: &str) -> Option<View> {
    let numbers: Vec<f64> = numbers.split(',').map(parse_finite).collect::<Option<_>>()?;
    let [x_low, x_high, y_low, y_high] = numbers[..] else { return None };
    (x_low < x_high && y_low < y_high)
        .then_some(View { x: Window { low: x_low, high: x_high }, y: Window { low: y_low, high: y_high } })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn full() -> Link {
        Link {
            self_test: false,
            archive: None,
            before: None,
            history: None,
            step: None,
            notebook: Some(Id::from_random(1)),
            cell: Some(Id::from_random(2)),
            file: Some(FileAddress::Runner("maps/look-ups.benchbook.json".to_owned())),
            content: None,
            suite_address: Some("https://example.org/ours.wasm".to_owned()),
            suite: "demo".to_owned(),
            function: "sorting::sort_unstable".to_owned(),
            generator: Some("sorting::keys".to_owned()),
            with: vec!["sorting::sort_stable".to_owned()],
            arguments: LinkArguments {
                single: vec![("size".to_owned(), "1000..100000".to_owned())],
                values: vec![("spread".to_owned(), "Sorted".to_owned()), ("spread".to_owned(), "a,b".to_owned())],
            },
            measuring_options: MeasuringOptions {
                precision: "0.5".to_owned(),
                time: "3".to_owned(),
                first_calls: true,
                run_on: RunOn::Both,
            },
            presentation: Presentation {
                tab: Tab::Samples,
                metric: Some(&metric::ALLOCATIONS),
                is_relative: true,
                zoom: Some(View { x: Window { low: 1000.0, high: 5e4 }, y: Window { low: -2.5, high: 300.0 } }),
                x_scale: Some(AxisScale::Linear),
                y_scale: Some(AxisScale::Log),
                show_mean: Some(false),
                hide_median: true,
                show_samples: true,
                margin: Margin::from_name("5").expect("one of the margins"),
                limit: Some(Nanos(1.5e6)),
                hidden_machines: vec!["Chrome 156".to_owned()],
                ranked_at: Some("10000".to_owned()),
                point: Some((1, "10000".to_owned())),
            },
            problems: Vec::new(),
        }
    }

    #[test]
    fn parses_a_written_link() {
        assert_eq!(Link::read(&full().write()), Some(full()));
        assert_eq!(Link::read(""), None);
    }

    #[test]
    fn each_page_has_its_own_link() {
        let text = |text: &str| Some(text.to_owned());
        let start = Link::default;
        let function = || Link { suite: "demo".to_owned(), function: "a::b".to_owned(), ..start() };
        let keys = || Link { generator: text("keys"), ..function() };
        let file = Some(FileAddress::Site("notebooks/maps & sets.benchbook.json".to_owned()));
        let suite_address = || text("https://example.org/ours.wasm?a=1&b");
        let archive = Some(ArchiveLink::List);
        let samples = Presentation { tab: Tab::Samples, point: Some((1, "500".to_owned())), ..Presentation::default() };
        let presentation = Presentation { ranked_at: text("1000"), ..Presentation::default() };
        let mut arguments = LinkArguments::default();
        arguments.set("size", "10..1000".to_owned());
        let history = Link { history: Some(CheckedMetric::FirstCall), arguments, presentation, ..keys() };
        let table = [
            (function(), "suite=demo&function=a::b"),
            (keys(), "suite=demo&function=a::b&generator=keys"),
            (Link { file, ..start() }, "site_file=notebooks/maps%20%26%20sets.benchbook.json"),
            (
                Link { suite_address: suite_address(), ..start() },
                "suite_address=https://example.org/ours.wasm?a%3D1%26b",
            ),
            (
                Link { suite_address: suite_address(), ..function() },
                "suite_address=https://example.org/ours.wasm?a%3D1%26b&suite=demo&function=a::b",
            ),
            (Link { self_test: true, ..start() }, "self_test=browser"),
            (Link { archive, ..start() }, "archive=all"),
            (Link { archive, ..function() }, "archive=all&suite=demo&function=a::b"),
            (Link { archive, ..keys() }, "archive=all&suite=demo&function=a::b&generator=keys"),
            (
                Link { archive, before: Some(812), ..keys() },
                "archive=all&before=812&suite=demo&function=a::b&generator=keys",
            ),
            (
                Link { archive: Some(ArchiveLink::Result(7)), presentation: samples, ..start() },
                "archive=7&view=samples&point=1,500",
            ),
            (history.clone(), "history=first_call&suite=demo&function=a::b&generator=keys&arg.size=10..1000&at=1000"),
            (
                Link { history: Some(CheckedMetric::Time), ..history.clone() },
                "history=time&suite=demo&function=a::b&generator=keys&arg.size=10..1000&at=1000",
            ),
            (
                Link { arguments: LinkArguments::default(), ..history.clone() },
                "history=first_call&suite=demo&function=a::b&generator=keys&at=1000",
            ),
            (
                Link { step: text("1795600000-1a2b3c4d"), ..history.clone() },
                "history=first_call&suite=demo&function=a::b&generator=keys&arg.size=10..1000&at=1000&step=1795600000-1a2b3c4d",
            ),
        ];
        for (index, (link, written)) in table.iter().enumerate() {
            assert_eq!(link.write(), *written);
            assert_eq!(Link::read(written).as_ref(), Some(link));
            let same = table.iter().map(|(other, _)| link.is_same_page(other));
            assert!(same.enumerate().all(|(other, is_same)| is_same == (other == index)), "{written}");
            assert!(!link.is_same_page(&full()) && !link.is_same_page(&start()), "{written}");
        }
        let elsewhere = Link { presentation: Presentation::default(), ..history.clone() };
        assert!(history.is_same_page(&elsewhere), "at another axis value");
    }

    #[test]
    fn reports_unknown_parts_and_parses_the_rest() {
        let odd = "garbage = view=wall metric=calm x=cubic zoom=1,2,3 zoom=2,1,0,1 zoom=NaN,1,0,1 zoom=0,inf,0,1 hide=me \
                   limit=0 limit=-5 limit=1ms limit=inf point=0 point=a,1 %ff=1 suite2=x arg=1 show=all archive=most \
                   archive=-1 before= history=speed self_test=runner";
        for odd in odd.split(' ') {
            let link = Link::read(&format!("suite=demo&{odd}&function=sort")).expect(odd);
            assert_eq!(link.problems.len(), 1, "{odd}: {:?}", link.problems);
            assert!(link.problems[0].contains(odd), "{odd}: {:?}", link.problems);
            assert_eq!((link.suite.as_str(), link.function.as_str()), ("demo", "sort"), "{odd}");
            assert_eq!(link.presentation, Presentation::default(), "{odd}");
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
            let arguments =
                LinkArguments { single: vec![(name.clone(), text.clone())], values: vec![(name, text.clone())] };
            let presentation = Presentation { point: Some((0, text)), ..full().presentation };
            let link = Link { arguments, presentation, ..full() };
            let written = link.write();
            prop_assert!(written.is_ascii() && !written.contains([' ', '#', '"']), "{}", written);
            prop_assert_eq!(Link::read(&written), Some(link));
        }

        #[test]
        fn parses_every_written_metric(index in 0..metric::METRICS.len()) {
            let chosen = metric::METRICS[index];
            let presentation = Presentation { metric: (*chosen != metric::TIME).then_some(chosen), ..Presentation::default() };
            let link = Link { presentation, ..Link { suite: "demo".to_owned(), ..Link::default() } };
            prop_assert_eq!(Link::read(&link.write()), Some(link));
        }

        #[test]
        fn parses_any_fragment(fragment in "\\PC{0,80}") {
            let link = Link::read(&fragment);
            prop_assert_eq!(link.is_none(), fragment.is_empty());
        }
    }
}
