//! Finds the call that takes longer in one build than in another, by time: a binary search over the calls that functions execute.
//!
//! A *layer* consists of the calls that one call of a function executes, in the order in which it executes them: a loop makes several calls, and a branch
//! that is not taken makes none. So both builds number their calls alike, if they execute the same ones. A range of them is timed from the
//! beginning of its first call to the end of its last one.
//!
//! The whole is compared first. Then the first half of the calls is: if more than half of the difference is there, it is searched, and otherwise the second
//! half. A single call is compared and entered. The search ends with a range of calls rather than a guess: if it is undecided in which half the difference is, the
//! answer is the last range that was shown to contain most of it.
//!
//! Each comparison has an interval of the difference. If every interval contains the true difference, so does the range that is found contain most of
//! it; so the rate of wrong answers is at most the error rate of an interval times the number of comparisons.

use std::ops::Range;

use benchbook_profile::brief_name;
use serde::{Deserialize, Serialize};

/// What both builds execute in one call of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// The calls that both builds execute, in order.
    pub calls: Vec<ExecutedCall>,
    /// Whether the bodies of the function differ, or both builds execute different calls: then the function itself is the answer.
    pub differs: bool,
}

/// A call that a function executes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutedCall {
    /// The path of the function that is called.
    pub function: String,
    /// Whether it is imported, so that it cannot be entered.
    pub is_import: bool,
}

/// Calls next to each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallRange {
    /// The number of the call to enter in each layer, the measured function's first; empty in its own layer.
    pub path: Vec<usize>,
    /// The calls of the layer; `None` for all that the entered call does, its own code included.
    pub calls: Option<Range<usize>>,
}

/// How much longer a range takes in the later build, in nanoseconds per call of the measured function: an interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeDifference {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// Why a range could not be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompareError {
    /// It takes less time than the clock can resolve.
    TooShort,
    /// For another reason.
    Failed(String),
}

/// When to stop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindLimits {
    /// How many calls to enter at most; any number if absent.
    pub depth: Option<usize>,
    /// Functions that are not entered.
    pub excluded: Vec<String>,
}

/// What the search has found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The smallest range that was shown to contain most of the difference.
    pub range: CallRange,
    /// The range in words: the calls that lead to it, and its own.
    pub name: String,
    /// Why the search ended there.
    pub end: FindEnd,
    /// All comparisons, in order.
    pub comparisons: Vec<RangeComparison>,
}

/// A range that was compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RangeComparison {
    /// The range.
    pub range: CallRange,
    /// The range in words.
    pub name: String,
    /// The difference of its times.
    pub difference: TimeDifference,
}

/// Why a search has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindEnd {
    /// The whole is not slower, or it is undecided whether it is.
    NotSlower,
    /// The bodies of the function differ, or the calls that it executes.
    Differs,
    /// The function executes no calls, or most of the difference is in its own code.
    OwnCode,
    /// At this depth, no further call is entered.
    Depth,
    /// The function is one of those that are not entered.
    Excluded,
    /// The function was entered before, so it calls itself.
    Visited,
    /// The function is imported.
    Import,
    /// It is undecided in which half the difference is.
    Undecided,
    /// The parts are too short for the clock.
    TooShort,
    /// A comparison, or reading the calls, failed for this reason.
    Failed(String),
}

/// Two builds of a function, whose calls are compared.
pub trait ComparedBuilds {
    /// The layer of the call at a path, as in [`CallRange::path`].
    ///
    /// # Errors
    /// Why it cannot be read.
    fn layer(&mut self, path: &[usize]) -> impl Future<Output = Result<Layer, String>>;

    /// Compares a range.
    ///
    /// # Errors
    /// Why it cannot be compared.
    fn compare(&mut self, range: &CallRange) -> impl Future<Output = Result<TimeDifference, CompareError>>;
}

/// Finds the call that takes longer. `function`: the path of the measured function.
///
/// Of a layer, it compares the whole, unless that was done already, and then at most as many ranges as the binary logarithm of the number of calls, rounded up.
pub async fn find(function: &str, limits: &FindLimits, builds: &mut impl ComparedBuilds) -> Found {
    let mut finder =
        Finder { builds, entered: vec![function.to_owned()], layer: Layer::default(), comparisons: Vec::new() };
    let mut range = CallRange { path: Vec::new(), calls: None };
    let end = finder.search(limits, &mut range).await.unwrap_or_else(FindEnd::from);
    let name = finder.name(&range);
    Found { range, name, end, comparisons: finder.comparisons }
}

/// The call that is left of a layer.
struct CallLeft {
    index: usize,
    difference: TimeDifference,
    /// Whether it was compared itself, rather than the others: then the difference may also be in code between the calls.
    is_compared: bool,
}

struct Finder<'b, B> {
    builds: &'b mut B,
    /// The functions of the entered calls, the measured one first.
    entered: Vec<String>,
    /// The calls of the last one.
    layer: Layer,
    comparisons: Vec<RangeComparison>,
}

impl<B: ComparedBuilds> Finder<'_, B> {
    /// `found`: the smallest range so far.
    async fn search(&mut self, limits: &FindLimits, found: &mut CallRange) -> Result<FindEnd, CompareError> {
        let mut all = self.difference(found).await?;
        if all.low <= 0.0 {
            return Ok(FindEnd::NotSlower);
        }
        loop {
            self.layer = self.builds.layer(&found.path).await.map_err(CompareError::Failed)?;
            let layer = &self.layer;
            match () {
                () if layer.differs => return Ok(FindEnd::Differs),
                () if layer.calls.is_empty() => return Ok(FindEnd::OwnCode),
                () if limits.depth.is_some_and(|depth| found.path.len() >= depth) => return Ok(FindEnd::Depth),
                () => {}
            }
            let Some(part) = self.half_by_half(all, found, self.layer.calls.len()).await? else {
                return Ok(FindEnd::Undecided);
            };
            let call = CallRange { path: [&found.path[..], &[part.index]].concat(), calls: None };
            all = part.difference;
            if !part.is_compared {
                let of_call = self.difference(&call).await?;
                match of_call.is_most_of(all) {
                    Some(true) => all = of_call,
                    // It is between the calls.
                    Some(false) => return Ok(FindEnd::OwnCode),
                    None => return Ok(FindEnd::Undecided),
                }
            }
            *found = call;
            let ExecutedCall { function, is_import } = self.layer.calls[part.index].clone();
            let is_visited = self.entered.contains(&function);
            let is_excluded = limits.excluded.iter().any(|part| function.contains(part.as_str()));
            self.entered.push(function);
            match () {
                () if is_import => return Ok(FindEnd::Import),
                () if is_excluded => return Ok(FindEnd::Excluded),
                () if is_visited => return Ok(FindEnd::Visited),
                () => {}
            }
        }
    }

    /// Searches the calls of a layer, until one is left; `None` if it is undecided in which half most of the difference is.
    async fn half_by_half(
        &mut self,
        all: TimeDifference,
        found: &mut CallRange,
        count: usize,
    ) -> Result<Option<CallLeft>, CompareError> {
        let (mut left, mut difference, mut is_compared) = (0..count, all, false);
        while left.len() > 1 {
            let middle = left.start + left.len() / 2;
            let half = CallRange { path: found.path.clone(), calls: Some(left.start..middle) };
            let of_half = self.difference(&half).await?;
            match of_half.is_most_of(difference) {
                Some(true) => {
                    (left.end, difference, is_compared) = (middle, of_half, true);
                    *found = half;
                }
                Some(false) => (left.start, difference, is_compared) = (middle, difference.without(of_half), false),
                None => return Ok(None),
            }
        }
        Ok(Some(CallLeft { index: left.start, difference, is_compared }))
    }

    async fn difference(&mut self, range: &CallRange) -> Result<TimeDifference, CompareError> {
        let difference = self.builds.compare(range).await?;
        self.comparisons.push(RangeComparison { range: range.clone(), name: self.name(range), difference });
        Ok(difference)
    }

    /// A range in words: `run > bridge`, or `run > bridge, calls 2 to 5 of 9: foo, failure`.
    fn name(&self, range: &CallRange) -> String {
        let brief = |function: &String| brief_name(function);
        let mut names: Vec<String> = self.entered.iter().take(range.path.len() + 1).map(brief).collect();
        // A call that is not entered yet.
        let call = range.path.last().filter(|_| names.len() == range.path.len());
        names.extend(call.and_then(|call| self.layer.calls.get(*call)).map(|call| brief(&call.function)));
        let path = names.join(" > ");
        let Some(calls) = &range.calls else { return path };
        let mut among: Vec<String> = Vec::new();
        for call in self.layer.calls.get(calls.clone()).unwrap_or_default() {
            let name = brief(&call.function);
            if !among.contains(&name) {
                among.push(name);
            }
        }
        let more = if among.len() > MAX_NAMED {
            format!(" and {} more functions", among.len() - MAX_NAMED)
        } else {
            String::new()
        };
        among.truncate(MAX_NAMED);
        let numbers = match calls.len() {
            1 => format!("call {}", calls.end),
            _ => format!("calls {} to {}", calls.start + 1, calls.end),
        };
        format!("{path}, {numbers} of {}: {}{more}", self.layer.calls.len(), among.join(", "))
    }
}

/// How many functions of a range are named at most.
const MAX_NAMED: usize = 3;

impl Found {
    /// The answer in a sentence without its full stop.
    pub fn sentence(&self) -> String {
        let name = &self.name;
        match &self.end {
            FindEnd::NotSlower => "By time, the later build is not slower here, or the noise hides it".to_owned(),
            FindEnd::Failed(reason) => format!("The search ended at {name}: {reason}"),
            end => format!("Most of the added time is in {name}. {}", end.sentence()),
        }
    }
}

impl FindEnd {
    /// Why the search ended.
    fn sentence(&self) -> &'static str {
        match self {
            Self::NotSlower | Self::Failed(_) => "The search ended",
            Self::Differs => "Its code differs, or the calls that it makes",
            Self::OwnCode => "It is in its own code, not in the functions that it calls",
            Self::Depth => "The search goes no deeper",
            Self::Excluded => "Its calls are not searched, as you asked",
            Self::Visited => "It calls itself",
            Self::Import => "It is imported",
            Self::Undecided => "It is undecided in which half of its calls",
            Self::TooShort => "Its parts are too short for the clock of this browser",
        }
    }
}

impl TimeDifference {
    /// Whether this is more than half of the difference of a range that contains it; `None` if that is undecided.
    fn is_most_of(self, all: Self) -> Option<bool> {
        match () {
            () if 2.0 * self.low > all.high => Some(true),
            () if 2.0 * self.high < all.low => Some(false),
            () => None,
        }
    }

    /// The difference of the rest.
    fn without(self, part: Self) -> Self {
        Self { low: self.low - part.high, high: self.high - part.low }
    }
}

impl From<CompareError> for FindEnd {
    fn from(error: CompareError) -> Self {
        match error {
            CompareError::TooShort => Self::TooShort,
            CompareError::Failed(reason) => Self::Failed(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use rand::{RngExt as _, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// A tree of calls.
    #[derive(Clone, Debug, Default)]
    struct Node {
        function: String,
        /// How much longer its own code takes.
        own: f64,
        calls: Vec<Node>,
    }

    impl Node {
        fn new(function: &str, own: f64, calls: Vec<Self>) -> Self {
            Self { function: function.to_owned(), own, calls }
        }

        fn random(rng: &mut Xoshiro256PlusPlus, depth: usize) -> Self {
            let count = if depth == 0 { 0 } else { rng.random_range(0..9) };
            let calls = (0..count).map(|_| Self::random(rng, depth - 1)).collect();
            Self::new(&format!("f{}", rng.random::<u32>()), 0.0, calls)
        }

        fn at(&self, path: &[usize]) -> &Self {
            path.iter().fold(self, |node, index| &node.calls[*index])
        }

        /// The paths of all calls below it.
        fn paths(&self) -> Vec<Vec<usize>> {
            let below = self
                .calls
                .iter()
                .enumerate()
                .flat_map(|(index, call)| call.paths().into_iter().map(move |path| [&[index][..], &path].concat()));
            std::iter::once(Vec::new()).chain(below).collect()
        }

        fn difference(&self) -> f64 {
            self.own + self.calls.iter().map(Self::difference).sum::<f64>()
        }

        fn layer(&self) -> Layer {
            let call =
                |node: &Self| ExecutedCall { function: node.function.clone(), is_import: node.function == "import" };
            Layer { calls: self.calls.iter().map(call).collect(), differs: self.own != 0.0 }
        }

        fn of(&self, range: &CallRange) -> f64 {
            let node = self.at(&range.path);
            let of_calls = |calls: &Range<usize>| node.calls[calls.clone()].iter().map(Self::difference).sum();
            range.calls.as_ref().map_or_else(|| node.difference(), of_calls)
        }
    }

    /// Builds whose times differ as a tree says.
    struct Tree<'n, C> {
        node: &'n Node,
        compare: C,
    }

    impl<C: FnMut(&CallRange) -> Result<TimeDifference, CompareError>> ComparedBuilds for Tree<'_, C> {
        async fn layer(&mut self, path: &[usize]) -> Result<Layer, String> {
            Ok(self.node.at(path).layer())
        }

        async fn compare(&mut self, range: &CallRange) -> Result<TimeDifference, CompareError> {
            (self.compare)(range)
        }
    }

    fn found(
        node: &Node,
        limits: &FindLimits,
        compare: impl FnMut(&CallRange) -> Result<TimeDifference, CompareError>,
    ) -> Found {
        find(&node.function, limits, &mut Tree { node, compare }).now_or_never().expect("a tree never waits")
    }

    fn exactly(node: &Node, limits: &FindLimits) -> Found {
        found(node, limits, |range| {
            let value = node.of(range);
            Ok(TimeDifference { low: value - 0.1, high: value + 0.1 })
        })
    }

    /// `size` behind `failure` behind `bridge`, which also calls `foo`.
    fn thesis() -> Node {
        let size = Node::new("size", 10.0, Vec::new());
        let failure = Node::new("failure", 0.0, vec![size]);
        let bridge = Node::new("bridge", 0.0, vec![Node::new("foo", 0.0, Vec::new()), failure]);
        Node::new("run", 0.0, vec![Node::new("ok", 0.0, Vec::new()), bridge])
    }

    #[test]
    fn the_call_is_found_layer_by_layer() {
        let found = exactly(&thesis(), &FindLimits::default());
        assert_eq!((&found.range.path[..], &found.end), (&[1, 1, 0][..], &FindEnd::Differs));
        let names: Vec<&str> = found.comparisons.iter().map(|comparison| comparison.name.as_str()).collect();
        let expected = [
            "run",
            "run, call 1 of 2: ok",
            "run > bridge",
            "run > bridge, call 1 of 2: foo",
            "run > bridge > failure",
            "run > bridge > failure > size",
        ];
        assert_eq!(names, expected);
        assert_eq!(
            found.sentence(),
            "Most of the added time is in run > bridge > failure > size. Its code differs, or the calls that it makes"
        );
        let limits = FindLimits { depth: Some(2), ..FindLimits::default() };
        let found = exactly(&thesis(), &limits);
        assert_eq!((found.range.path, found.end), (vec![1, 1], FindEnd::Depth));
        let limits = FindLimits { excluded: vec!["bridge".to_owned()], ..FindLimits::default() };
        let found = exactly(&thesis(), &limits);
        assert_eq!((found.range.path, found.end), (vec![1], FindEnd::Excluded));
    }

    #[test]
    fn the_search_ends_with_a_range_where_it_cannot_go_on() {
        let leaf = |function: &str, own: f64| Node::new(function, own, Vec::new());
        let end = |calls: Vec<Node>| {
            let found = exactly(&Node::new("run", 0.0, calls), &FindLimits::default());
            (found.range.path, found.range.calls, found.end)
        };
        assert_eq!(end(vec![leaf("a", 0.0)]), (vec![], None, FindEnd::NotSlower));
        assert_eq!(end(vec![leaf("a", 0.0), leaf("import", 9.0)]), (vec![1], None, FindEnd::Import));
        let itself = Node::new("run", 0.0, vec![leaf("b", 9.0)]);
        assert_eq!(end(vec![itself]), (vec![0], None, FindEnd::Visited));
        // Half of it is in each half.
        let halves = vec![leaf("a", 9.0), leaf("b", 0.0), leaf("c", 9.0), leaf("d", 0.0)];
        assert_eq!(end(halves), (vec![], None, FindEnd::Undecided));
        let many = (0..9).map(|number| leaf(&format!("f{number}"), 1.0)).collect();
        let found =
            exactly(&Node::new("run", 0.0, vec![Node::new("a", 0.0, many), leaf("b", 0.0)]), &FindLimits::default());
        let sentence = found.sentence();
        assert_eq!((found.name.as_str(), found.end), ("run > a", FindEnd::Undecided), "{sentence}");
        let quarter = vec![leaf("a", 9.0), leaf("b", 9.0), leaf("c", 0.0), leaf("d", 0.0)];
        assert_eq!(end(quarter), (vec![], Some(0..2), FindEnd::Undecided));
    }

    #[test]
    fn an_error_ends_the_search_with_the_current_range() {
        let node = thesis();
        let stop = |after: usize, error: CompareError| {
            let mut made = 0;
            let found = found(&node, &FindLimits::default(), |range| {
                made += 1;
                let value = node.of(range);
                if made > after { Err(error.clone()) } else { Ok(TimeDifference { low: value, high: value }) }
            });
            (found.range.path, found.end)
        };
        let failed = || CompareError::Failed("the worker has ended".to_owned());
        assert_eq!(stop(0, failed()), (vec![], FindEnd::Failed("the worker has ended".to_owned())));
        assert_eq!(stop(3, failed()), (vec![1], FindEnd::Failed("the worker has ended".to_owned())));
        assert_eq!(stop(5, CompareError::TooShort), (vec![1, 1], FindEnd::TooShort));
    }

    /// Compares each call of each layer.
    fn linear(node: &Node) -> (Vec<usize>, usize) {
        let (mut path, mut comparisons) = (Vec::new(), 1);
        loop {
            let layer = node.at(&path);
            let slower = layer.calls.iter().position(|call| call.difference() > 0.0);
            comparisons += slower.map_or(layer.calls.len(), |index| index + 1);
            match slower {
                Some(index) => path.push(index),
                None => return (path, comparisons),
            }
        }
    }

    #[test]
    fn each_layer_takes_logarithmically_many_comparisons() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let (mut binary, mut linearly) = (0, 0);
        for _ in 0..300 {
            let mut node = Node::random(&mut rng, 4);
            let paths = node.paths();
            let planted = paths[rng.random_range(0..paths.len())].clone();
            planted.iter().fold(&mut node, |node, index| &mut node.calls[*index]).own = 10.0;
            let found = exactly(&node, &FindLimits::default());
            assert_eq!((&found.range.path, found.end), (&planted, FindEnd::Differs));
            for depth in 0..=planted.len() {
                let is_half = |made: &&RangeComparison| made.range.path.len() == depth && made.range.calls.is_some();
                let halves = found.comparisons.iter().filter(is_half).count();
                let calls = node.at(&planted[..depth]).calls.len().max(1);
                assert!(halves <= calls.next_power_of_two().ilog2() as usize, "{halves} of {calls}");
            }
            let (path, comparisons) = linear(&node);
            assert_eq!(path, planted);
            (binary, linearly) = (binary + found.comparisons.len(), linearly + comparisons);
        }
        println!("{binary} comparisons, {linearly} one after the other");
        assert!(binary < linearly);
    }

    /// Times with heavy tails, and intervals that miss the difference in `error` of all cases, in either direction.
    #[test]
    fn the_rate_of_wrong_answers_is_at_most_that_of_the_comparisons() {
        const ERROR: f64 = 0.01;
        const RUNS: usize = 4_000;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
        let (mut wrong, mut ranges, mut made) = (0, 0, 0);
        for _ in 0..RUNS {
            let mut node = Node::random(&mut rng, 3);
            let paths = node.paths();
            let planted = paths[rng.random_range(0..paths.len())].clone();
            planted.iter().fold(&mut node, |node, index| &mut node.calls[*index]).own = 10.0;
            let mut noise = rng.clone();
            let compare = |range: &CallRange| {
                let width = 0.5 / noise.random_range(0.15..1.0_f64);
                let is_missed = noise.random_bool(ERROR);
                // Anywhere in the interval, or far outside of it.
                let shift = if is_missed {
                    20.0 * if noise.random_bool(0.5) { 1.0 } else { -1.0 }
                } else {
                    width * noise.random_range(-1.0..1.0)
                };
                let middle = node.of(range) + shift;
                Ok(TimeDifference { low: middle - width, high: middle + width })
            };
            let found = found(&node, &FindLimits::default(), compare);
            rng = noise;
            made += found.comparisons.len();
            // The range must contain what was planted.
            let CallRange { path, calls } = &found.range;
            let is_above = planted.starts_with(path)
                && calls
                    .as_ref()
                    .is_none_or(|calls| planted.get(path.len()).is_some_and(|index| calls.contains(index)));
            wrong += usize::from(!is_above);
            ranges += usize::from(*path != planted);
        }
        let bound = ERROR * made as f64 / RUNS as f64;
        let rate = wrong as f64 / RUNS as f64;
        println!("wrong in {rate}, bound {bound}; a range in {ranges} of {RUNS}");
        assert!(rate <= bound, "{rate} is more than {bound}");
        // Errors do happen, and most answers are calls.
        assert!(wrong > 0 && ranges < RUNS / 2, "{wrong} wrong, {ranges} ranges");
    }
}
