//! Links: what the page shows, as the fragment of its address.
//!
//! A fragment is a list of `key=value`, joined by `&` and percent-encoded:
//!
//! | key | value |
//! | --- | --- |
//! | `archive` | what the runner has stored: `all`, narrowed by `suite`, `function` and `generator`, or the number of a result |
//! | `before` | the number of a result: of a list only what was stored before it |
//! | `suite`, `function` | the suite's name and the function's path; the rest is optional |
//! | `generator` | the generator's path |
//! | `with` | the path of a function that is measured together with it; up to three times |
//! | `arg.NAME` | the argument of a parameter: a number, a choice, a text, or `LOW..HIGH` for the axis |
//! | `aim`, `time` | what the last priority aims at: the precision in percent, and the time of a point in seconds |
//! | `view` | `plot`, `table` or `samples` |
//! | `x`, `y` | the scales of the plot: `linear` or `log` |
//! | `zoom` | the visible part of the plot: four numbers parted by commas, lowest and highest axis value, least and most nanoseconds |
//! | `hide` | `mean` or `median` |
//! | `show` | `samples`: raw samples are drawn in the plot |
//! | `point` | the point whose samples are shown: `TRACE,VALUE`, traces counted from 0 |

use benchbook_chart::{Scale, View, Window};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use crate::state::aim::Aim;
use crate::state::presentation::{Presentation, Tab};
use crate::state::typed::decimal;

/// What a value may not hold as it is: what parts the list, and what browsers and chat programs change on the way.
const ENCODED: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'&').add(b'+').add(b'<').add(b'>').add(b'=').add(b'`');

/// What a link says, not yet held against any suite.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Link {
    /// What of the runner's archive is shown; absent where it goes to a function.
    pub(crate) archive: Option<Stored>,
    /// The result before which a list of the archive begins; absent: at the newest.
    pub(crate) before: Option<u32>,
    /// The suite's name.
    pub(crate) suite: String,
    /// The function's path.
    pub(crate) function: String,
    /// The generator's path.
    pub(crate) generator: Option<String>,
    /// Paths of functions that are measured together with it.
    pub(crate) with: Vec<String>,
    /// Parameters and their arguments, as written.
    pub(crate) arguments: Vec<(String, String)>,
    /// What the last priority aims at, as written.
    pub(crate) aim: Aim,
    /// How the result is looked at.
    pub(crate) presentation: Presentation,
    /// What in it was not understood, one sentence each.
    pub(crate) problems: Vec<String>,
}

/// What of a runner's archive is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    /// What there is.
    All,
    /// The result of this number.
    Result(u32),
}

impl Link {
    /// Reads a fragment, without its `#`; absent where it is empty.
    pub(crate) fn read(fragment: &str) -> Option<Self> {
        let mut link = Self::default();
        for pair in fragment.split('&').filter(|pair| !pair.is_empty()) {
            let understood = match pair.split_once('=') {
                Some((key, value)) => match (decoded(key), decoded(value)) {
                    (Some(key), Some(value)) => link.take(&key, value).is_some(),
                    _ => false,
                },
                None => false,
            };
            if !understood {
                link.problems
                    .push(format!("The link says “{}”, which this page does not understand.", shortened(pair)));
            }
        }
        (!fragment.is_empty()).then_some(link)
    }

    /// Whether it goes to the same place: only what is set or how it is looked at differs.
    pub(crate) fn goes_where(&self, other: &Self) -> bool {
        match (self.archive, other.archive) {
            (Some(Stored::Result(one)), Some(Stored::Result(another))) => one == another,
            (one, another) => {
                one == another
                    && self.before == other.before
                    && (&self.suite, &self.function, &self.generator, &self.with)
                        == (&other.suite, &other.function, &other.generator, &other.with)
            }
        }
    }

    /// A text as the address of something may hold it.
    pub(crate) fn encoded(text: &str) -> String {
        encoded(text)
    }

    fn take(&mut self, key: &str, value: String) -> Option<()> {
        let Presentation { tab, zoom, x_scale, y_scale, hide_mean, hide_median, show_samples, point } =
            &mut self.presentation;
        match (key, value.as_str()) {
            ("archive", "all") => self.archive = Some(Stored::All),
            ("archive", id) => self.archive = Some(Stored::Result(id.parse().ok()?)),
            ("before", id) => self.before = Some(id.parse().ok()?),
            ("suite", _) => self.suite = value,
            ("function", _) => self.function = value,
            ("generator", _) => self.generator = Some(value),
            ("with", _) => self.with.push(value),
            ("aim", _) => self.aim.precision = value,
            ("time", _) => self.aim.time = value,
            ("view", name) => *tab = Tab::ALL.into_iter().find(|tab| tab.name() == name)?,
            ("x", name) => *x_scale = Some(scale(name)?),
            ("y", name) => *y_scale = Some(scale(name)?),
            ("zoom", numbers) => *zoom = Some(view(numbers)?),
            ("hide", "mean") => *hide_mean = true,
            ("hide", "median") => *hide_median = true,
            ("show", "samples") => *show_samples = true,
            ("point", place) => {
                let (trace, x) = place.split_once(',')?;
                *point = Some((trace.parse().ok()?, decimal(x).filter(|x| x.is_finite())?));
            }
            _ => self.arguments.push((key.strip_prefix("arg.")?.to_owned(), value)),
        }
        Some(())
    }

    /// The fragment, without its `#`.
    pub(crate) fn write(&self) -> String {
        let mut pairs = Vec::new();
        let mut add = |key: &str, value: String| pairs.push((key.to_owned(), value));
        match self.archive {
            Some(Stored::All) => add("archive", "all".to_owned()),
            Some(Stored::Result(id)) => add("archive", id.to_string()),
            None => {}
        }
        if let Some(id) = self.before {
            add("before", id.to_string());
        }
        for (key, name) in [("suite", &self.suite), ("function", &self.function)] {
            if self.archive.is_none() || !name.is_empty() {
                add(key, name.clone());
            }
        }
        if let Some(generator) = &self.generator {
            add("generator", generator.clone());
        }
        for path in &self.with {
            add("with", path.clone());
        }
        for (name, argument) in &self.arguments {
            add(&format!("arg.{name}"), argument.clone());
        }
        for (key, said) in [("aim", &self.aim.precision), ("time", &self.aim.time)] {
            if !said.is_empty() {
                add(key, said.clone());
            }
        }
        let Presentation { tab, zoom, x_scale, y_scale, hide_mean, hide_median, show_samples, point } =
            &self.presentation;
        if *tab != Tab::default() {
            add("view", tab.name().to_owned());
        }
        for (key, scale) in [("x", x_scale), ("y", y_scale)] {
            if let Some(scale) = scale {
                add(key, scale_name(*scale).to_owned());
            }
        }
        if let Some(View { x, y }) = zoom {
            add("zoom", [x.low, x.high, y.low, y.high].map(edge).join(","));
        }
        for (key, name, said) in
            [("hide", "mean", *hide_mean), ("hide", "median", *hide_median), ("show", "samples", *show_samples)]
        {
            if said {
                add(key, name.to_owned());
            }
        }
        if let Some((trace, x)) = point {
            add("point", format!("{trace},{x}"));
        }
        let pairs = pairs.iter().map(|(key, value)| format!("{}={}", encoded(key), encoded(value)));
        pairs.collect::<Vec<_>>().join("&")
    }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// Absent where it is no UTF-8.
pub(super) fn decoded(text: &str) -> Option<String> {
    percent_decode_str(text).decode_utf8().ok().map(Into::into)
}

/// An edge of the visible part, finer than any screen: pointers make numbers of all the digits that there are.
fn edge(value: f64) -> String {
    decimal(&format!("{value:.9e}")).unwrap_or(value).to_string()
}

fn scale(name: &str) -> Option<Scale> {
    [Scale::Linear, Scale::Log].into_iter().find(|scale| scale_name(*scale) == name)
}

/// What a scale is called in links and on the page.
pub(crate) fn scale_name(scale: Scale) -> &'static str {
    match scale {
        Scale::Linear => "linear",
        Scale::Log => "log",
    }
}

fn view(numbers: &str) -> Option<View> {
    let numbers: Vec<f64> = numbers.split(',').map(decimal).collect::<Option<_>>()?;
    let [x_low, x_high, y_low, y_high] = numbers[..] else { return None };
    let drawable = |low: f64, high: f64| low.is_finite() && high.is_finite() && low < high;
    (drawable(x_low, x_high) && drawable(y_low, y_high))
        .then_some(View { x: Window { low: x_low, high: x_high }, y: Window { low: y_low, high: y_high } })
}

/// The most that a message repeats of what somebody wrote.
const MOST_REPEATED: usize = 60;

/// The beginning of a text that may be long.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_REPEATED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn full() -> Link {
        Link {
            archive: None,
            before: None,
            suite: "demo".to_owned(),
            function: "sorting::sort_unstable".to_owned(),
            generator: Some("sorting::keys".to_owned()),
            with: vec!["sorting::sort_stable".to_owned()],
            arguments: vec![("size".to_owned(), "1000..100000".to_owned()), ("spread".to_owned(), "Sorted".to_owned())],
            aim: Aim { precision: "0.5".to_owned(), time: "3".to_owned() },
            presentation: Presentation {
                tab: Tab::Samples,
                zoom: Some(View { x: Window { low: 1000.0, high: 5e4 }, y: Window { low: -2.5, high: 300.0 } }),
                x_scale: Some(Scale::Linear),
                y_scale: Some(Scale::Log),
                hide_mean: true,
                hide_median: true,
                show_samples: true,
                point: Some((1, 10_000.0)),
            },
            problems: Vec::new(),
        }
    }

    #[test]
    fn a_link_reads_as_it_was_written() {
        assert_eq!(Link::read(&full().write()), Some(full()));
    }

    #[test]
    fn links_into_the_archive_read_as_they_were_written() {
        let all = Link { archive: Some(Stored::All), ..Link::default() };
        let of = Link { suite: "demo".to_owned(), function: "a::b".to_owned(), ..all.clone() };
        let with = Link { generator: Some("keys".to_owned()), ..of.clone() };
        let earlier = Link { before: Some(812), ..with.clone() };
        let presentation = Presentation { tab: Tab::Samples, point: Some((1, 500.0)), ..Presentation::default() };
        let result = Link { archive: Some(Stored::Result(7)), presentation, ..Link::default() };
        let table = [
            (all, "archive=all"),
            (of, "archive=all&suite=demo&function=a::b"),
            (with, "archive=all&suite=demo&function=a::b&generator=keys"),
            (earlier, "archive=all&before=812&suite=demo&function=a::b&generator=keys"),
            (result, "archive=7&view=samples&point=1,500"),
        ];
        for (place, (link, written)) in table.iter().enumerate() {
            assert_eq!(link.write(), *written);
            assert_eq!(Link::read(written).as_ref(), Some(link));
            let same: Vec<bool> = table.iter().map(|(other, _)| link.goes_where(other)).collect();
            assert_eq!(same.iter().filter(|same| **same).count(), 1, "{written} goes only where it goes");
            assert!(same[place]);
        }
    }

    #[test]
    fn what_is_as_usual_is_left_out() {
        let link = Link { suite: "demo".to_owned(), function: "a::b".to_owned(), ..Link::default() };
        assert_eq!(link.write(), "suite=demo&function=a::b");
    }

    #[test]
    fn no_fragment_is_no_link() {
        assert_eq!(Link::read(""), None);
    }

    #[test]
    fn what_is_not_understood_is_told_and_the_rest_is_taken() {
        let odd = [
            "garbage",
            "=",
            "view=wall",
            "x=cubic",
            "zoom=1,2,3",
            "zoom=2,1,0,1",
            "zoom=NaN,1,0,1",
            "zoom=0,inf,0,1",
            "hide=me",
            "point=0",
            "point=a,1",
            "point=0,NaN",
            "%ff=1",
            "suite2=x",
            "arg=1",
            "show=all",
            "archive=most",
            "archive=-1",
            "before=",
        ];
        for odd in odd {
            let link = Link::read(&format!("suite=demo&{odd}&function=sort")).expect(odd);
            assert_eq!(link.problems.len(), 1, "{odd}: {:?}", link.problems);
            assert!(link.problems[0].contains(odd), "{odd}: {:?}", link.problems);
            assert_eq!((link.suite.as_str(), link.function.as_str()), ("demo", "sort"), "{odd}");
            assert_eq!(link.presentation, Presentation::default(), "{odd}");
        }
    }

    #[test]
    fn a_long_piece_of_garbage_is_not_repeated_whole() {
        let link = Link::read(&"ä".repeat(10_000)).expect("it is not empty");
        assert!(link.problems[0].chars().count() < 150);
    }

    proptest! {
        #[test]
        fn any_text_comes_back_as_it_was(text in "\\PC{0,40}", name in "[a-z_]{1,9}") {
            let link = Link { arguments: vec![(name, text)], ..full() };
            let written = link.write();
            prop_assert!(written.is_ascii() && !written.contains([' ', '#', '"']), "{}", written);
            prop_assert_eq!(Link::read(&written), Some(link));
        }

        #[test]
        fn any_fragment_is_read(fragment in "\\PC{0,80}") {
            let link = Link::read(&fragment);
            prop_assert_eq!(link.is_none(), fragment.is_empty());
        }
    }
}
